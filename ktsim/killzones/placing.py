"""Where pieces stand: at a point, turned, perhaps mirrored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ktsim.killzones.terrain_reader import placed
from ktsim.sight.scene import Triangles


@dataclass(frozen=True)
class Placement:
    """A piece on the board, for drawing it and, if it rules, for its feature.

    The piece is mirrored (x to -x) and stretched along its x first, then turned counter-clockwise, then moved.
    *feature* is the feature it shows; a placement with a *state* is shown only while the feature is in it.
    """

    piece: str
    at: tuple[float, float, float]
    turn: float = 0.0
    mirror: bool = False
    stretch: float = 1.0
    feature: str = ""
    state: str | None = None

    def applied(self, local: Triangles) -> Triangles:
        """Triangles of the piece where they stand, still wound outwards."""
        if self.mirror:
            local = local[:, ::-1] * np.array([-self.stretch, 1.0, 1.0])
        elif self.stretch != 1.0:
            local = local * np.array([self.stretch, 1.0, 1.0])
        return placed(local, self.at, self.turn)

    def matrix(self) -> NDArray[np.float64]:
        """The same as a matrix (4, 4) for column vectors."""
        axes = placed(np.array([[[0.0, 0, 0], [1, 0, 0], [0, 1, 0]]]), (0.0, 0.0), self.turn)[0]
        out = np.eye(4)
        out[:3, 0] = axes[1] * (-self.stretch if self.mirror else self.stretch)
        out[:3, 1] = axes[2]
        out[:3, 3] = self.at
        return out
