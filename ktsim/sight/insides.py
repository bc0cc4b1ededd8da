"""What lines meet inside of solid parts (SIGHT-1): a line that is in a part all the way through a zone crosses none of
its surface there.

Such a line crosses every plane across the zone, so the part's slices in such planes stand for its inside: each point of
a slice is a point of the part.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import rows
from ktsim.geometry.kernels import planar
from ktsim.geometry.kernels.sections import section
from ktsim.sight.scene import EPS

Rows = NDArray[np.float64]
SPREAD = 7
NEAR = (-0.16, -0.08, -0.04, -0.02, -0.01, 0.0, 0.01, 0.02, 0.04, 0.08, 0.16)
"""Where planes are laid when none has all of itself in the zone, because the bases are too near to each other: so many
from the middle of one to that of the other, and so far (inches) from where the zone is widest."""


class PlanesAcross:
    """Upright planes across the way from one base to another, for the zone farther than *far_shooter* and *far_target*
    from them."""

    def __init__(self, shooter: Rows, target: Rows, far_shooter: float, far_target: float) -> None:
        way = target[:2] - shooter[:2]
        length = float(np.hypot(*way))
        self.way: Rows = way / length if length > EPS else np.array([1.0, 0.0])
        x, y = map(float, self.way)
        first, last = planar.support(shooter, x, y) + far_shooter, -planar.support(target, -x, -y) - far_target
        self.least = last - first
        """How far along the way a part reaches at least that a line is inside of all through the zone."""
        if self.least > 4 * EPS:
            self.places = [(first + last) / 2]
        else:
            here = float(shooter[:2] @ self.way)
            self.places = [here + length * (n + 1) / (SPREAD + 1) for n in range(SPREAD)]
            self.places += [(first + last) / 2 + off for off in NEAR]

    def may_hold(self, points: Rows) -> bool:
        """Does what has these corners (n, 2) reach far enough?"""
        if not len(points):
            return False
        along = points @ self.way
        return bool(along.max() - along.min() >= self.least)

    def chords(self, edges: Rows) -> Rows:
        """The planes' stretches inside the outline that edges (n, 4) are."""
        if not self.may_hold(edges.reshape(-1, 2)):
            return np.empty((0, 4))
        beside = np.array([-self.way[1], self.way[0]])
        found = []
        for place in self.places:
            heights = np.stack([edges[:, :2] @ self.way, edges[:, 2:] @ self.way], axis=1) - place
            met = (heights[:, 0] > 0) != (heights[:, 1] > 0)
            start, end, high = edges[met, :2], edges[met, 2:], heights[met]
            share = high[:, 0] / (high[:, 0] - high[:, 1])
            stops = np.sort((start + share[:, None] * (end - start)) @ beside)
            for low, far in zip(stops[::2], stops[1::2], strict=False):
                found.append([*(place * self.way + low * beside), *(place * self.way + far * beside)])
        return np.array(found).reshape(-1, 4)

    def slices(self, triangles: Rows) -> Rows:
        """The planes' stretches inside the closed mesh that triangles (n, 3, 3) are, as triangles."""
        if not self.may_hold(triangles[:, :, :2].reshape(-1, 2)):
            return np.empty((0, 3, 3))
        # along the way, beside it and up: a plane across the way is one at a height
        axes = np.array([[-self.way[1], self.way[0], 0.0], [0.0, 0.0, 1.0], [self.way[0], self.way[1], 0.0]])
        turned = rows(triangles @ axes.T)
        found = []
        for place in self.places:
            edges, _ = section(turned, np.zeros(len(turned), np.int32), place)
            flat = _filled(np.asarray(edges))
            found.append(np.concatenate([flat, np.full((*flat.shape[:2], 1), place)], axis=2) @ axes)
        return np.concatenate(found)


def _filled(edges: Rows) -> Rows:
    """Triangles (n, 3, 2) that fill the outline of edges (m, 4): upright strips between their ends."""
    stops = np.unique(edges[:, [0, 2]].round(9))
    found = []
    for left, right in pairwise(stops):
        if right - left < EPS:
            continue
        middle = (left + right) / 2
        over = edges[(np.minimum(edges[:, 0], edges[:, 2]) < middle) & (np.maximum(edges[:, 0], edges[:, 2]) > middle)]
        slope = (over[:, 3] - over[:, 1]) / (over[:, 2] - over[:, 0])
        ends = [over[:, 1] + slope * (at - over[:, 0]) for at in (left, right)]
        order = np.argsort(ends[0] + ends[1])
        for low, high in zip(order[::2], order[1::2], strict=False):
            a, b = (left, ends[0][low]), (right, ends[1][low])
            c, d = (right, ends[1][high]), (left, ends[0][high])
            found += [(a, b, c), (a, c, d)]
    return np.array(found, dtype=np.float64).reshape(-1, 3, 2)
