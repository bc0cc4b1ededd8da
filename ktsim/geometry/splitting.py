"""Triangles cut along planes at right angles to an axis; neighbours that were joined stay joined."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

NEAR = 1e-9
"""A corner this near to the plane lies on it, in inches."""

Triangles = NDArray[np.float64]


def split(triangles: Triangles, axis: int, at: float) -> tuple[Triangles, NDArray[np.intp]]:
    """The triangles (n, 3, 3) with those that cross the plane ``axis = at`` cut there, wound as before; and for each
    the number of the one it comes from."""
    side = triangles[:, :, axis] - at
    side = np.where(np.abs(side) < NEAR, 0.0, side)
    crosses = (side > 0).any(axis=1) & (side < 0).any(axis=1)
    if not crosses.any():
        return triangles, np.arange(len(triangles))
    parents = [np.flatnonzero(~crosses)]
    found = [triangles[~crosses]]
    numbers = np.flatnonzero(crosses)
    for first in range(3):
        # Turned so that corner 0 is alone on its side, or on the plane with the other two on either side.
        order = [first, (first + 1) % 3, (first + 2) % 3]
        turned, height = triangles[numbers][:, order], side[numbers][:, order]
        sign = np.sign(height)
        on = sign[:, 0] == 0
        alone = (sign[:, 0] != 0) & (sign[:, 1] != sign[:, 0]) & (sign[:, 2] != sign[:, 0]) & (sign[:, 1:] != 0).all(1)
        a, b, c = turned[:, 0], turned[:, 1], turned[:, 2]
        ab, ac, bc = _meets(a, b, axis, at), _meets(a, c, axis, at), _meets(b, c, axis, at)
        pieces = [(alone, (a, ab, ac)), (alone, (ab, b, c)), (alone, (ab, c, ac)), (on, (a, b, bc)), (on, (a, bc, c))]
        for which, corners in pieces:
            found.append(np.stack([corner[which] for corner in corners], axis=1))
            parents.append(numbers[which])
    return np.concatenate(found), np.concatenate(parents)


def _meets(one: Triangles, two: Triangles, axis: int, at: float) -> Triangles:
    """Where edges meet the plane: the same point whichever end they are followed from."""
    swap = (one[:, axis] > two[:, axis])[:, None]
    low, high = np.where(swap, two, one), np.where(swap, one, two)
    rise = high[:, axis] - low[:, axis]
    share = ((at - low[:, axis]) / np.where(rise == 0.0, 1.0, rise))[:, None]
    points = np.asarray(low + share * (high - low))
    points[:, axis] = at
    return points
