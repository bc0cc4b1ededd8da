"""Ways about a board for whoever walks on its floor, found on a coarse net: for random players that go somewhere.

The net is laid once for a board, all its hatches open, and knows which of its edges lead through which hatchway. What
it proposes is only a proposal: the rules judge the path.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from heapq import heappop, heappush
from itertools import pairwise
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.plane import length
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import OperativeState, Path, Point, milli
from ktsim.rules.moving.openings import Opening, access_opening, access_points, doors_of, is_open
from ktsim.rules.moving.straight import Obstacles
from ktsim.sight.pads import pads_of
from ktsim.sight.scene import Terrain

MESH = 1.25
"""How far apart the knots of the net are (inches)."""
WIDTH = 0.65
"""The radius of a base that goes wherever the net does."""
NEAREST = 5
"""How many knots are asked whether one can go straight to them."""
ROUNDED = 0.003
"""Places are in thousandths of an inch: a leg may be a little longer than was thought."""
SLIM = 0.2
"""The radius of what is asked whether a wall is between a place and a knot."""
OPENING, NOWHERE = 3.0, 99.0
"""How much (inches) opening a hatchway holds up, and how far what cannot be reached is."""
TOUCH = 0.03
"""How far from an opening one stands who touches it."""

Spot = tuple[float, float]


def openings(battle: Battle) -> list[Opening]:
    """Every hatchway, breach point and door."""
    return openings_of(battle.board.terrain)


def openings_of(terrain: Terrain) -> list[Opening]:
    return [*(access_opening(line) for line in access_points(terrain)), *doors_of(terrain)]


def pad_places(battle: Battle) -> list[Point]:
    """The middles of the teleport pads; on a plain table everything is on the floor."""
    is_real, pads = battle.table.measures_ovals, pads_of(battle.board.terrain)
    return [(milli(pad.centre[0]), milli(pad.centre[1]), milli(pad.level) if is_real else 0) for pad in pads]


def beside(opening: Opening, away: float) -> list[Point]:
    """The two places at some distance from the middle of an opening."""
    (x, y), (ux, uy) = opening.centre, opening.along
    away += opening.half_depth
    return [(milli(x - side * away * uy), milli(y + side * away * ux), 0) for side in (1, -1)]


@dataclass(eq=False)
class Net:
    """Knots, and from each to its neighbours: how far, and through which hatchway (empty: none)."""

    footprint: Obstacles
    knots: list[Spot]
    near: list[list[tuple[int, float, str]]] = field(default_factory=list)

    @cached_property
    def places(self) -> NDArray[np.float64]:
        return np.array(self.knots)

    def way(self, start: Spot, goal: Spot, shut: Collection[str], opens: bool = False) -> list[Spot]:
        """Knots from near *start* to near *goal*; as near as one gets with some hatchways *shut*.

        Whoever *opens* hatchways goes the way it has with all of them open, as far as the first that is shut.
        """
        first, last = self._nearest(start), self._nearest(goal)
        far = {first: 0.0}
        came: dict[int, int] = {}
        end = self.knots[last]
        waiting = [(_apart(self.knots[first], end), first)]
        done: set[int] = set()
        while waiting:
            _, knot = heappop(waiting)
            if knot == last:
                break
            if knot in done:
                continue
            done.add(knot)
            so_far = far[knot]
            for there, long, through in self.near[knot]:
                if (through in shut and not opens) or so_far + long >= far.get(there, 1e9):
                    continue
                far[there], came[there] = so_far + long, knot
                heappush(waiting, (so_far + long + _apart(self.knots[there], end), there))
        if last not in far:
            last = min(far, key=lambda knot: _apart(self.knots[knot], goal))
        found = [last]
        while found[-1] in came:
            found.append(came[found[-1]])
        found.reverse()
        for place, (one, two) in enumerate(pairwise(found), 1):
            if any(there == two and through in shut for there, _, through in self.near[one]):
                del found[place:]
                break
        return [self.knots[knot] for knot in found]

    def _nearest(self, spot: Spot) -> int:
        """The nearest knot that is not behind a wall, of a few; else the nearest."""
        order = np.argsort(np.hypot(*(self.places - spot).T), kind="stable")[:NEAREST]
        free = (int(knot) for knot in order if self.footprint.hit(spot, self.knots[knot], SLIM) is None)
        return next(free, int(order[0]))


def _apart(a: Spot, b: Spot) -> float:
    return length(a[0] - b[0], a[1] - b[1])


@lru_cache(maxsize=32)
def net_of(terrain: Terrain, ways: tuple[Opening, ...], hatches: frozenset[str]) -> Net:
    """The net over a board; *ways* are its openings, *hatches* the features of those that can be shut."""
    width, depth = terrain.board
    footprint = Obstacles(terrain, dict.fromkeys(hatches, "open"), 0.0)
    knots = [
        (WIDTH + MESH * i, WIDTH + MESH * j)
        for i in range(int((width - 2 * WIDTH) / MESH) + 1)
        for j in range(int((depth - 2 * WIDTH) / MESH) + 1)
    ]
    knots += [(x / 1000, y / 1000) for way in ways for x, y, _ in beside(way, WIDTH + TOUCH)]
    free = [knot for knot in knots if not (footprint.hit(knot, knot, WIDTH) or footprint.stands_in(knot, WIDTH))]
    net = Net(footprint, free)
    net.near = [[] for _ in net.knots]
    for one, a in enumerate(net.knots):
        for two in range(one + 1, len(net.knots)):
            b = net.knots[two]
            if abs(a[0] - b[0]) > 2 * MESH or (far := _apart(a, b)) > 1.5 * MESH or footprint.stops(a, b, WIDTH):
                continue
            through = next((way.feature for way in ways if way.feature in hatches and _passes(way, a, b)), "")
            net.near[one].append((two, far, through))
            net.near[two].append((one, far, through))
    return net


def far_to(battle: Battle, start: Spot, goal: Spot) -> float:
    """How long the way is on the floor, shut hatchways on it opened; :data:`NOWHERE` when there is none."""
    net, shut = _net(battle), _shut(battle)
    spots = [start, *net.way(start, goal, (), opens=True), goal]
    if not net.knots or _apart(spots[-2], goal) > 2 * MESH:
        return NOWHERE
    hatches = [access_opening(line) for line in access_points(battle.board.terrain) if line.id in shut]
    opened = sum(way.is_between(a, b) for way in hatches for a, b in pairwise(spots))
    return sum(_apart(a, b) for a, b in pairwise(spots)) + OPENING * opened


def _net(battle: Battle) -> Net:
    lines = access_points(battle.board.terrain)
    return net_of(battle.board.terrain, tuple(openings(battle)), frozenset(line.id for line in lines))


def _shut(battle: Battle) -> set[str]:
    return {line.id for line in access_points(battle.board.terrain) if not is_open(battle, line)}


def _passes(way: Opening, a: Spot, b: Spot) -> bool:
    (_, one), (_, two) = way.local(*a), way.local(*b)
    middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
    return (one < 0) != (two < 0) and way.from_point(*middle) < WIDTH


def way_to(battle: Battle, who: OperativeState, goal: Point, inches: int, opens: bool = False) -> Path:
    """As far along the way to *goal* as so many inches reach; every leg costs whole inches.

    Whoever *opens* hatchways ends in front of one that is shut.
    """
    net = _net(battle)
    if not net.knots or who.level:
        return ()
    here = (who.x / 1000, who.y / 1000)
    end = (goal[0] / 1000, goal[1] / 1000)
    shut = _shut(battle)
    spots = net.way(here, end, shut, opens)
    if not opens or not shut or _apart(spots[-1], end) <= MESH:
        spots = [*spots, end]
    radius = battle.table.radius(who)
    path: list[Point] = []
    left = float(inches)
    while spots and left >= 1:
        # The farthest spot in reach that one can go straight to; long legs are costly to judge.
        in_reach = [i for i, spot in enumerate(spots) if _apart(here, spot) <= left + MESH]
        tried = dict.fromkeys(in_reach[len(in_reach) * part // 5 - 1] for part in (5, 4, 3, 2, 1)[: len(in_reach)])
        is_free = (
            i
            for i in tried
            if net.footprint.stands_in(spots[i], radius) is None and net.footprint.stops(here, spots[i], radius) is None
        )
        if (at := next(is_free, None)) is None:
            break
        far = _apart(here, spots[at])
        left -= net.footprint.crossed(here, spots[at])
        share = min(1.0, max(0.0, int(left) - ROUNDED) / far) if far else 1.0
        there = (here[0] + share * (spots[at][0] - here[0]), here[1] + share * (spots[at][1] - here[1]))
        if not share or net.footprint.stands_in(there, radius):
            break
        path.append((round(1000 * there[0]), round(1000 * there[1]), 0))
        left -= ceil(_apart(here, there) + ROUNDED / 2)
        here = (path[-1][0] / 1000, path[-1][1] / 1000)
        spots = spots[at + 1 :] if share == 1.0 else []
    return tuple(path)
