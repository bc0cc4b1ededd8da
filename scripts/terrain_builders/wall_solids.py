"""What rules where the drawn body of a wall stands: the solids of a wall line, in the body's own frame."""

from __future__ import annotations

import numpy as np
from trimesh import Trimesh

from ktsim.killzones.grid import Access, WallKit
from ktsim.killzones.walls import wall_features
from ktsim.sight.scene import BreachPoint, Hatchway, Triangles, WallLine

ACCESS_WIDTH = Hatchway().width


def wall_solids(
    kit: WallKit, cells: int = 1, access: Access | None = None, state: str = "", pillar: bool = False
) -> list[Trimesh]:
    """The wall along x from 0 to so many cells, perhaps with an access point or with a pillar at its start; what is in
    the access point as well when a *state* is given."""
    line = WallLine(
        "wall",
        (0.0, 0.0),
        (cells * kit.cell, 0.0),
        kit.thickness,
        kit.height,
        Hatchway(ACCESS_WIDTH) if access == "hatchway" else None,
        ((0.0, 0.0),) if pillar else (),
        BreachPoint(ACCESS_WIDTH) if access == "breach" else None,
    )
    (feature,) = wall_features([line])
    return [_solid(part.triangles) for part in (*feature.parts, *(feature.states[state] if state else ()))]


def _solid(triangles: Triangles) -> Trimesh:
    return Trimesh(triangles.reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3))
