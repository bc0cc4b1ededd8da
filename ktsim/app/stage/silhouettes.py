"""Who stands behind terrain, faintly in the team's colour: a name and a ring alone do not say where somebody is."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from panda3d.core import CullFaceAttrib, DepthTestAttrib, NodePath, RenderAttrib

from ktsim.app.stage.materials import team_colour
from ktsim.app.stage.meshes import flat_node
from ktsim.app.stage.viewport import IN_THE_OPEN
from ktsim.app.ui.palettes import Palette
from ktsim.geometry.hull import convex_hull
from ktsim.sight.scene import Figure, Operative

FAINT = 120
"""How much of the colour, of 255."""
ONLY_HIDDEN = -2.0
"""What the overlays' shader is told: nothing of this where it is in the open."""
_PRIORITY = 20
"""Over what the overlays' cameras set."""


class Silhouettes:
    """The silhouettes of one stage's operatives, drawn with its overlays, and only where the scene hides them."""

    def __init__(self, overlays: NodePath, palette: Palette) -> None:
        self._palette = palette
        self._root = overlays.attach_new_node("silhouettes")
        self._root.set_shader_input("insists", ONLY_HIDDEN)
        self._root.hide(IN_THE_OPEN)
        # Only the near side of a convex body: nothing of the operative itself stands before that.
        self._root.set_attrib(CullFaceAttrib.make(CullFaceAttrib.M_cull_clockwise), _PRIORITY)
        self._root.set_attrib(DepthTestAttrib.make(RenderAttrib.M_greater), _PRIORITY)
        self._shown: dict[str, tuple[Operative, NodePath]] = {}

    def show(self, operatives: Iterable[Operative]) -> None:
        """Have these, and nobody else."""
        wanted = {one.id: one for one in operatives}
        for id in [id for id in self._shown if id not in wanted]:
            self._shown.pop(id)[1].remove_node()
        for id, one in wanted.items():
            before, node = self._shown.get(id, (None, None))
            if before is one:
                continue
            if node is None or before is None or (before.figure, before.team) != (one.figure, one.team):
                if node is not None:
                    node.remove_node()
                body = _body(one.figure)
                painted = np.tile(np.array((*team_colour(one.team, self._palette), FAINT), np.uint8), (len(body), 1))
                node = self._root.attach_new_node(flat_node(body, painted, "silhouette"))
            node.set_pos(one.x, one.y, one.level)
            node.set_h(one.turn)
            self._shown[id] = (one, node)


@lru_cache(maxsize=64)
def _body(figure: Figure) -> NDArray[np.float64]:
    """The convex hull of a figure: triangles (n, 3, 3)."""
    return convex_hull(figure.triangles.reshape(-1, 3))
