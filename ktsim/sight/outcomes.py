"""What an origin gives the shooter, and which origins a shooter would pick (SIGHT-14)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.lines import Fan, Hits


@dataclass(frozen=True)
class Outcome:
    """What one origin gives the shooter."""

    valid: bool
    in_cover: bool
    obscured: bool
    choice: str | None = None
    cover: tuple[int, ...] = ()
    """Pieces that give cover (for the defence)."""
    obscuring: tuple[int, ...] = ()
    restricted: tuple[str, ...] = ()
    """Rules that forbid the target from this origin, whatever its order."""
    by_vantage: bool = False
    """It is valid only because Light terrain is ignored from Vantage."""

    @property
    def rank(self) -> tuple[bool, bool, bool, bool]:
        """Smaller is better for the shooter: valid, then no cover, then not obscured; a defender's choice of one of
        the last two is better than both."""
        return (not self.valid, self.in_cover, self.obscured, self.in_cover and self.obscured and not self.choice)

    def dominates(self, other: Outcome) -> bool:
        """At least as good in every respect and better in one."""
        pairs = list(zip(self.rank, other.rank, strict=True))
        return all(mine <= theirs for mine, theirs in pairs) and self.rank != other.rank


@dataclass(frozen=True)
class Region:
    """Origins with the same outcome: on the shooter's rim the stretches between two angles (degrees, of the rim's
    normal), and one origin among them."""

    outcome: Outcome
    origin: tuple[float, float]
    arcs: tuple[tuple[float, float], ...]

    @property
    def width(self) -> float:
        return max((end - start for start, end in self.arcs), default=0.0)


class Judge(Protocol):
    """An edition's rules for one pair."""

    @property
    def fan(self) -> Fan: ...
    @property
    def origin_matters_everywhere(self) -> bool:
        """Do origins inside the base matter as well as those on its rim?"""

    def forbidden(self, points: NDArray[np.float64]) -> Hits:
        """Origins (n, 2) from which the target is forbidden by something that is no piece."""

    def judge(self, hits: Hits, is_forbidden: bool) -> Outcome:
        """What it means that lines cross these pieces, and that they are forbidden (or not) by something else."""

    def goals(self) -> list[Hits]:
        """Sets of pieces a shooter would like an origin to avoid."""

    def counts(self, code: int) -> bool:
        """Does it matter that this piece is crossed? Asked only where it decides, because it may be hard to tell."""

    def accurate(self) -> int: ...


def regions(judge: Judge) -> list[Region]:
    """The outcomes origins achieve, the shooter's best first.

    In the plane all that the rim achieves, exactly; in space those of origins spread over the base and those found by
    searching for every better one.
    """
    fan = judge.fan
    found = _planar(judge) if fan.is_planar else _spatial(judge)
    if judge.origin_matters_everywhere:
        found += _spread(judge, 24, 4)
    merged: dict[tuple[object, ...], Region] = {}
    for region in found:
        key = (region.outcome.rank, region.outcome.cover, region.outcome.obscuring, region.outcome.restricted)
        old = merged.get(key)
        if old is None:
            merged[key] = region
        else:
            wider = region if region.width > old.width else old
            merged[key] = Region(wider.outcome, wider.origin, old.arcs + region.arcs)
    return sorted(merged.values(), key=lambda region: (region.outcome.rank, -region.width))


def region_at(judge: Judge, point: tuple[float, float]) -> Region:
    """What the origin nearest to *point* gives, the best or not."""
    origin = judge.fan.nearest_origin(*point)
    return _single(judge, judge.fan.at(np.array([origin]))[0], origin)


def _single(judge: Judge, hits: Hits, origin: tuple[float, float]) -> Region:
    return Region(judge.judge(hits, bool(judge.forbidden(np.array([origin]))[0])), origin, ())


def undominated(found: list[Region]) -> list[Region]:
    """One region for each outcome no other beats: what the shooter's player picks from."""
    kept: list[Region] = []
    for region in found:
        if not any(other.outcome.dominates(region.outcome) for other in found) and all(
            region.outcome.rank != other.outcome.rank for other in kept
        ):
            kept.append(region)
    return kept


def _planar(judge: Judge) -> list[Region]:
    fan = judge.fan
    if not fan.pieces:
        origin = fan.rim(fan.front)
        return [replace(_single(judge, np.zeros(0, np.bool_), origin), arcs=((0.0, 360.0),))]
    stretches = fan.stretches()
    forbidden = judge.forbidden(np.array([stretch.origin for stretch in stretches])).tolist()
    known: dict[tuple[bytes, bool], Outcome] = {}
    found = []
    for stretch, is_forbidden in zip(stretches, forbidden, strict=True):
        key = (stretch.hits.tobytes(), is_forbidden)
        if key not in known:
            known[key] = judge.judge(stretch.hits, is_forbidden)
        arc = (math.degrees(stretch.start), math.degrees(stretch.end))
        found.append(Region(known[key], stretch.origin, (arc,)))
    return found


def _spread(judge: Judge, around: int, rings: int) -> list[Region]:
    """Outcomes of origins all over the base, one region for each pattern of crossings."""
    points, hits = judge.fan.spread(around, rings)
    forbidden = judge.forbidden(points)
    first: dict[bytes, int] = {}
    for index, row in enumerate(np.column_stack([hits, forbidden])):
        first.setdefault(row.tobytes(), index)
    return [
        Region(judge.judge(hits[index], bool(forbidden[index])), (x, y), ())
        for index in first.values()
        for x, y in (map(float, points[index]),)
    ]


def _spatial(judge: Judge) -> list[Region]:
    fan = judge.fan
    if not fan.pieces:
        return _planar(judge)
    found = _spread(judge, 12, 3)
    hopeless: list[Hits] = []
    goals = list({goal.tobytes(): goal for goal in judge.goals()}.values())
    while goals:
        goal = goals.pop(0)
        if not goal.any() or any(not _crosses(region, goal) for region in found):
            continue
        if any((goal >= known).all() for known in hopeless):
            continue
        origin, used = fan.free_origin(goal)
        if origin is not None:
            hits = fan.at(np.array([origin]))[0]
            found.append(_single(judge, hits, origin))
            continue
        moot = np.array([crossed and not judge.counts(code) for code, crossed in enumerate(used)])
        if moot.any():
            goals.insert(0, goal & ~moot)
        else:
            hopeless.append(used)
    return found


def _crosses(region: Region, goal: Hits) -> bool:
    crossed = (*region.outcome.cover, *region.outcome.obscuring)
    return any(goal[code] for code in crossed) or bool(region.outcome.restricted)
