"""Who stands behind terrain, faintly in the team's colour: a name and a ring alone do not say where somebody is."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from panda3d.core import CullFaceAttrib, NodePath

from ktsim.app.stage.materials import team_colour
from ktsim.app.stage.meshes import flat_node
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
        # Only the near side of a convex body: nothing of the operative itself stands before that.
        self._root.set_attrib(CullFaceAttrib.make(CullFaceAttrib.M_cull_clockwise), _PRIORITY)
        self._still: dict[str, Operative] = {}
        """Those who are one node together, and those who have moved since that was made, each with its own."""
        self._moved: dict[str, tuple[Operative, NodePath]] = {}

    def show(self, operatives: Iterable[Operative]) -> None:
        """Have these, and nobody else."""
        wanted = {one.id: one for one in operatives}
        shown = self._still | {id: one for id, (one, _) in self._moved.items()}
        changed = {id for id, one in wanted.items() if shown.get(id) is not one}
        if not changed <= self._moved.keys() or not shown.keys() <= wanted.keys():
            self._join({id: one for id, one in wanted.items() if id not in changed})
        for id in changed:
            one = wanted[id]
            before, node = self._moved.get(id, (None, None))
            if node is None or before is None or (before.figure, before.team) != (one.figure, one.team):
                if node is not None:
                    node.remove_node()
                node = self._attach([_body(one.figure)], [one])
            node.set_pos(one.x, one.y, one.level)
            node.set_h(one.turn)
            self._moved[id] = (one, node)

    def _join(self, still: dict[str, Operative]) -> None:
        """Make one node of these: a driver in software takes longer for twenty nodes than for what is in them."""
        self._root.get_children().detach()
        self._still, self._moved = still, {}
        if still:
            self._attach([_standing(one) for one in still.values()], list(still.values()))

    def _attach(self, bodies: list[NDArray[np.float64]], of: list[Operative]) -> NodePath:
        """A node of these bodies in the colours of those they are *of*."""
        colours = [
            np.tile(np.array((*team_colour(one.team, self._palette), FAINT), np.uint8), (len(body), 1))
            for body, one in zip(bodies, of, strict=True)
        ]
        return self._root.attach_new_node(flat_node(np.concatenate(bodies), np.concatenate(colours), "silhouette"))


def _standing(one: Operative) -> NDArray[np.float64]:
    """An operative's body where it stands."""
    turn = math.radians(one.turn)
    c, s = math.cos(turn), math.sin(turn)
    return _body(one.figure) @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.array([one.x, one.y, one.level])


@lru_cache(maxsize=64)
def _body(figure: Figure) -> NDArray[np.float64]:
    """The convex hull of a figure: triangles (n, 3, 3)."""
    return convex_hull(figure.triangles.reshape(-1, 3))
