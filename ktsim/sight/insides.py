"""What lines meet inside of solid parts (SIGHT-1): a line that is in a part all the way through the zone far from both
bases crosses none of its surface there.

What is near a base is convex, so every line leaves what is near the shooter once, and enters what is near the target
once. Planes that part what is near one base only from what is near the other only are therefore crossed by every line
that has a stretch far from both, and on that stretch: the part's slices in such planes stand for its inside. Each point
of a slice is a point of the part, so no plane can make a line cross what it does not.

One plane is enough where the zone goes all through between the bases. Where they are nearer to each other, what is near
both lies between, and the plane runs through where the two rims meet: for round bases on one level their radical axis,
and for any others the line through both places, which are two because bases stand beside each other. Between levels
this line moves with the height, and planes follow it as finely as ends of lines are searched in space (``FOLLOWED``):
a zone that is thicker than that anywhere is met. For ovals that near to each other on different levels they follow it
in ``STEPS`` upright planes only, and may miss a zone thinner than the way from one to the next.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import rows
from ktsim.geometry.kernels import planar
from ktsim.geometry.kernels.sections import section
from ktsim.sight.scene import EPS

Rows = NDArray[np.float64]
FOLLOWED = 0.01 / 25.4
"""How far planes may be off the surface they follow (inches)."""
STEPS = 9
AROUND = 180
"""Places of a rim that are looked at for where another crosses it."""
DEEPEST = 8
"""So many times a plane is parted in two at most."""


@dataclass(frozen=True)
class Plane:
    """All x with normal . x = place."""

    normal: tuple[float, float, float]
    place: float

    @classmethod
    def upright(cls, x: float, y: float, place: float) -> Plane:
        return cls((x, y, 0.0), place)


class PlanesAcross:
    """Planes across the lines from one base to another, for the zone farther than *far_shooter* and *far_target* from
    them. *heights*: of the lines' ends; the same for lines in the plane."""

    def __init__(
        self, shooter: Rows, target: Rows, heights: tuple[float, float], far_shooter: float, far_target: float
    ) -> None:
        flat, angle = planar.between(shooter, target)
        rise = heights[1] - heights[0]
        apart = math.hypot(flat, rise)
        x, y = math.cos(angle), math.sin(angle)
        self._planes: list[Plane] | None = None
        self._near = shooter, target, heights, far_shooter, far_target
        self.normal, self.first, self.last = (0.0, 0.0, 0.0), 0.0, 0.0
        """What is near the shooter goes to *first* along the normal; what is near the target begins at *last*."""
        if apart <= EPS:
            self._planes = []
            return
        nx, ny, nz = (x * flat / apart, y * flat / apart, rise / apart) if flat > 0 else (0.0, 0.0, rise / apart)
        self.normal = nx, ny, nz
        near, there = planar.rim(shooter, x, y), planar.rim(target, -x, -y)
        self.first = float(nx * near[0] + ny * near[1] + nz * heights[0]) + far_shooter
        self.last = float(nx * there[0] + ny * there[1] + nz * heights[1]) - far_target
        if self.last - self.first > 4 * EPS:
            self._planes = [Plane(self.normal, (self.first + self.last) / 2)]

    @property
    def planes(self) -> list[Plane]:
        if self._planes is None:
            self._planes = list(_close_planes(*self._near))
        return self._planes

    def may_fill(self, box: Rows) -> bool:
        """May what is in a box (2, 3) reach from what is near the one to what is near the other? Most cannot, and this
        is quickly said."""
        (x0, y0, z0), (x1, y1, z1) = box.tolist()
        nx, ny, nz = self.normal
        first = (nx * x0 if nx > 0 else nx * x1) + (ny * y0 if ny > 0 else ny * y1) + (nz * z0 if nz > 0 else nz * z1)
        last = (nx * x1 if nx > 0 else nx * x0) + (ny * y1 if ny > 0 else ny * y0) + (nz * z1 if nz > 0 else nz * z0)
        return bool(first <= self.first + EPS and last >= self.last - EPS)

    def may_hold(self, points: Rows) -> bool:
        """Does what has these corners (n, 2 or 3)?"""
        if not len(points):
            return False
        along = points @ np.array(self.normal[: points.shape[1]])
        return bool(along.min() <= self.first + EPS and along.max() >= self.last - EPS)

    def chords(self, edges: Rows) -> Rows:
        """In the plane: the planes' stretches inside the outline that edges (n, 4) are."""
        found: list[tuple[float, ...]] = []
        if self.may_hold(edges.reshape(-1, 2)):
            for plane in self.planes:
                x, y, _ = plane.normal
                ends = edges.reshape(-1, 2, 2)
                heights = ends @ (x, y) - plane.place
                met = (heights[:, 0] > 0) != (heights[:, 1] > 0)
                (start, end), high = ends[met].transpose(1, 0, 2), heights[met]
                share = high[:, 0] / (high[:, 0] - high[:, 1])
                stops = np.sort((start + share[:, None] * (end - start)) @ (-y, x)).tolist()
                for low, far in zip(stops[::2], stops[1::2], strict=False):
                    found.append(
                        (
                            plane.place * x - low * y,
                            plane.place * y + low * x,
                            plane.place * x - far * y,
                            plane.place * y + far * x,
                        )
                    )
        return np.array(found, dtype=np.float64).reshape(-1, 4)

    def slices(self, triangles: Rows) -> Rows:
        """In space: the planes' stretches inside the closed mesh that triangles (n, 3, 3) are, as triangles."""
        found = [np.empty((0, 3, 3)), *(_slice(plane, triangles) for plane in self.planes)]
        return np.concatenate(found)


def _slice(plane: Plane, triangles: Rows) -> Rows:
    normal = np.array(plane.normal)
    high = triangles @ normal > plane.place
    met = triangles[high.any(axis=1) & ~high.all(axis=1)]
    if not len(met):
        return np.empty((0, 3, 3))
    # turned so that the plane is one at a height
    flat = math.hypot(normal[0], normal[1])
    beside = np.array([-normal[1] / flat, normal[0] / flat, 0.0]) if flat > EPS else np.array([1.0, 0.0, 0.0])
    axes = np.stack([beside, np.cross(normal, beside), normal])
    edges, _ = section(rows(met @ axes.T), np.zeros(len(met), np.int32), plane.place)
    filled = _filled(np.asarray(edges))
    return np.asarray(np.concatenate([filled, np.full((*filled.shape[:2], 1), plane.place)], axis=2) @ axes)


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


# ---- bases so near to each other that something between them is near both ----


def _close_planes(
    shooter: Rows, target: Rows, heights: tuple[float, float], far_shooter: float, far_target: float
) -> Iterator[Plane]:
    start, end = heights
    rise, up = abs(end - start), math.copysign(1.0, end - start)

    def parting(height: float) -> Plane | None:
        """Of what is near the two at a height."""
        over, under = abs(height - start), abs(end - height)
        near = math.sqrt(max(0.0, far_shooter**2 - over**2)), math.sqrt(max(0.0, far_target**2 - under**2))
        return _parting(shooter, target, *near)

    if rise <= EPS:
        if (line := _parting(shooter, target, far_shooter, far_target)) is not None:
            yield line
        return
    # between these heights something may be near either; above and below one of them only
    low, high = max(0.0, rise - far_target), min(rise, far_shooter)
    if low > 0:
        yield Plane((0.0, 0.0, 1.0), start + up * (low - 4 * EPS))
    if high < rise:
        yield Plane((0.0, 0.0, 1.0), start + up * (high + 4 * EPS))
    if _is_round(shooter) and _is_round(target):
        first, last = start + up * low, start + up * high
        ends = parting(first), parting(last)
        if ends[0] is not None and ends[1] is not None:
            yield from _followed(parting, (first, ends[0]), (last, ends[1]))
    else:
        yield from (each for at in np.linspace(low, high, STEPS) if (each := parting(start + up * float(at))))


def _followed(
    parting: Callable[[float], Plane | None], one: tuple[float, Plane], two: tuple[float, Plane], deep: int = 0
) -> Iterator[Plane]:
    """Planes along lines that move with the height, all of one direction."""
    (low, first), (high, last) = one, two
    middle = parting((low + high) / 2)
    x, y, _ = first.normal
    size = math.hypot(high - low, last.place - first.place)
    if middle is None or size <= EPS:
        yield first
        return
    along, up = (high - low) / size, (last.place - first.place) / size
    place = first.place * along - low * up
    # the middle may be the best place although the line bends elsewhere: it is parted once in any case
    is_off = abs(middle.place * along - (low + high) / 2 * up - place) > FOLLOWED
    if deep < DEEPEST and (is_off or (deep == 0 and last.place != first.place)):
        yield from _followed(parting, one, ((low + high) / 2, middle), deep + 1)
        yield from _followed(parting, ((low + high) / 2, middle), two, deep + 1)
        return
    yield Plane((x * along, y * along, -up), place)


def _is_round(figure: Rows) -> bool:
    return bool(figure[2] == 0.0 == figure[3])


def _parting(shooter: Rows, target: Rows, near_shooter: float, near_target: float) -> Plane | None:
    """In the plane, the line that parts what is as near as that to the one only from what is so near to the other."""
    if _is_round(shooter) and _is_round(target):
        dx, dy = target[:2] - shooter[:2]
        away = math.hypot(dx, dy)
        if away <= EPS:
            return None
        x, y = dx / away, dy / away
        one, two = float(shooter[6]) + near_shooter, float(target[6]) + near_target
        on_way = (away * away + one * one - two * two) / (2 * away)
        return Plane.upright(x, y, float(shooter[0] * x + shooter[1] * y + on_way))
    flat, angle = planar.between(shooter, target)
    if flat > near_shooter + near_target:
        x, y = math.cos(angle), math.sin(angle)
        first = planar.support(shooter, x, y) + near_shooter
        return Plane.upright(x, y, (first - planar.support(target, -x, -y) - near_target) / 2)
    met = list(_meetings(shooter, target, near_shooter, near_target))
    if len(met) < 2:
        return None
    (ax, ay), (bx, by) = met[0], met[-1]
    size = math.dist(met[0], met[-1])
    if size <= EPS:
        return None
    x, y = (by - ay) / size, (ax - bx) / size
    return Plane.upright(x, y, ax * x + ay * y)


def _meetings(shooter: Rows, target: Rows, near_shooter: float, near_target: float) -> Iterator[tuple[float, float]]:
    """Where something is as far as that from both, in the plane."""
    grown = shooter.copy()
    grown[6] += near_shooter

    def beyond(turn: float) -> float:
        return float(planar.gap(target, *planar.rim(grown, math.cos(turn), math.sin(turn)))[0]) - near_target

    turns = [2 * math.pi * n / AROUND for n in range(AROUND + 1)]
    for (low, one), (high, two) in pairwise((turn, beyond(turn)) for turn in turns):
        if (one > 0) == (two > 0):
            continue
        for _ in range(40):
            turn = (low + high) / 2
            if (beyond(turn) > 0) == (one > 0):
                low = turn
            else:
                high = turn
        yield planar.rim(grown, math.cos(low), math.sin(low))
