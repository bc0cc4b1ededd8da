"""Where moves can end, kept by the place they begin at: what others do elsewhere changes nothing about them.

A map is made of the terrain alone and kept. Whoever stands in the way is taken into account afterwards: friends, who
are passed through, by leaving out the places they take; enemies by a map of their own, or roughly as friends are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.game.bots.lookout import Memory
from ktsim.geometry.plane import length
from ktsim.rules.engine.sight_table import ANYWHERE, SightTable
from ktsim.rules.engine.state import OperativeState, Path, Point, State
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest, Table

MAPS = 400
"""Maps kept: each is large."""
MARGIN = 1.5
"""Inches around the places of a map within which somebody may be in the way to one of them."""
TOUCHING = 0.02
"""Inches that bases are kept apart by."""


class ReachMap(NamedTuple):
    """Places a move can end at, in thousandths of an inch, (n, 3), and the inches each costs, (n,)."""

    places: NDArray[np.int64]
    costs: NDArray[np.int64]

    def where(self, kept: NDArray[Any]) -> ReachMap:
        """Only those places, by a mask or by their numbers in order."""
        return ReachMap(self.places[kept], self.costs[kept])

    def point(self, number: int) -> Point:
        x, y, level = self.places[number].tolist()
        return x, y, level

    def cheapest(self) -> Point:
        return self.point(int(np.lexsort((*self.places.T[::-1], self.costs))[0]))

    def one_a_cell(self) -> ReachMap:
        """Of each square inch the place nearest to its middle."""
        off = np.abs(self.places[:, :2] % 1000 - 500).sum(axis=1)
        ranked = np.argsort(off, kind="stable")
        cells = self.places[ranked] // (1000, 1000, 1)
        keys = (cells[:, 2] * 1000 + cells[:, 0]) * 1000 + cells[:, 1]
        return self.where(ranked[np.unique(keys, return_index=True)[1]])

    def points(self) -> list[Point]:
        return [(x, y, level) for x, y, level in self.places.tolist()]

    def gaps(self, point: Point) -> NDArray[np.float64]:
        """Inches from each place to a point, as seen from above."""
        found: NDArray[np.float64] = np.hypot(self.places[:, 0] - point[0], self.places[:, 1] - point[1]) / 1000
        return found


class Reaches:
    """The maps of one battle, in a memory that outlives it."""

    def __init__(self, table: Table, memory: Memory) -> None:
        self._table, self._memory = table.twin(), memory

    def reached(self, state: State, request: MoveRequest, *, roughly: bool) -> ReachMap:
        """Where a move can end. *Roughly* without climbs and jumps, and as if enemies could be passed."""
        who = state.operatives[request.operative]
        if roughly and isinstance(self._table, SightTable) and not request.teleports:
            found = self._made(state, replace(request, ends_in_control=False), True, [])
            found = self._beside(found, who, self._in_way(state, request, found), is_charge=request.ends_in_control)
        else:
            others = self._others(state, request)
            found = self._made(state, request, _is_on_foot(who, request, others), others)
        far = ANYWHERE if request.teleports else request.allowance + MARGIN
        return self._free_of(found, who, [f for f in state.friends(who.id) if self._gap(who, f) <= far])

    def route(self, state: State, request: MoveRequest, to: Point) -> Path:
        """The way to a place of the map; nobody else is minded than there, so it is to be judged by the rules."""
        who, others = state.operatives[request.operative], self._others(state, request)
        alone, on_foot = _with_only(state, who.id, others), _is_on_foot(who, request, others)
        return self._table.mover.route(self._table, alone, request, to, on_foot=on_foot)

    def _others(self, state: State, request: MoveRequest) -> list[OperativeState]:
        """Those that a map has to mind: enemies in the way, friends who engage them, or all whom nobody passes."""
        who = state.operatives[request.operative]
        if request.teleports or not isinstance(self._table, SightTable):
            return [each for each in state.operatives.values() if each.is_in_killzone and each.id != who.id]
        found = None
        if not (request.ends_in_control or request.may_pass_control):
            found = self._made(state, request, False, [])
        enemies = self._in_way(state, request, found)
        friends = state.friends(who.id)
        if not self._passes_friends:
            return enemies + [f for f in friends if found is None or self._is_in_way(found, who, f)]
        return enemies + [f for f in friends if any(self._gap(f, e) <= CONTROL_RANGE + TOUCHING for e in enemies)]

    def _in_way(self, state: State, request: MoveRequest, found: ReachMap | None) -> list[OperativeState]:
        """Enemies that may be in the way to any of the places; without a map those in reach of a straight line."""
        who = state.operatives[request.operative]
        far = request.allowance + CONTROL_RANGE + TOUCHING
        enemies = [each for each in state.enemies(who.id) if self._gap(who, each) <= far]
        return [each for each in enemies if found is None or self._is_in_way(found, who, each)]

    @property
    def _passes_friends(self) -> bool:
        return isinstance(self._table, SightTable) and self._table.edition == "kt24"

    def _made(self, state: State, request: MoveRequest, on_foot: bool, others: list[OperativeState]) -> ReachMap:
        """The map with only *others* on the table."""
        who = state.operatives[request.operative]
        ground = tuple(state.terrain.values()), tuple(state.pieces.values())
        near = tuple((o.card, o.side == who.side, o.point, o.turn) for o in others)
        key = (on_foot, who.card, who.side, who.point, who.turn, replace(request, operative=""), near, ground)
        maps: dict[Any, ReachMap] = self._memory.setdefault("maps", {})
        if key not in maps:
            if len(maps) >= MAPS:
                maps.clear()
            alone = _with_only(state, who.id, others)
            costs = self._table.mover.costs(self._table, alone, request, on_foot=on_foot)
            places = np.array(list(costs), np.int64).reshape(-1, 3)
            maps[key] = ReachMap(places, np.fromiter(costs.values(), np.int64, len(costs)))
        return maps[key]

    def _is_in_way(self, found: ReachMap, who: OperativeState, other: OperativeState) -> bool:
        far = self._radii(who, other) + CONTROL_RANGE + MARGIN
        here = length(who.x - other.x, who.y - other.y) / 1000
        return here <= far or bool((found.gaps(other.point) <= far).any())

    def _radii(self, one: OperativeState, two: OperativeState) -> float:
        return self._table.radius(one) + self._table.radius(two)

    def _gap(self, one: OperativeState, two: OperativeState) -> float:
        """Inches between two bases, as seen from above."""
        return length(one.x - two.x, one.y - two.y) / 1000 - self._radii(one, two)

    def _free_of(self, found: ReachMap, who: OperativeState, others: list[OperativeState]) -> ReachMap:
        """Without the places others take."""
        kept = np.ones(len(found.costs), np.bool_)
        for each in others:
            taken = found.gaps(each.point) < self._radii(who, each) + TOUCHING
            kept &= ~(taken & (np.abs(found.places[:, 2] - each.level) < 1000))
        return found.where(kept)

    def _beside(self, found: ReachMap, who: OperativeState, enemies: list[OperativeState], is_charge: bool) -> ReachMap:
        """Only places in an enemy's control range for a Charge, else none of them."""
        near = np.zeros(len(found.costs), np.bool_)
        for each in enemies:
            is_level = np.abs(found.places[:, 2] - each.level) < 1000
            near |= is_level & (found.gaps(each.point) <= self._radii(who, each) + CONTROL_RANGE)
        found = found.where(near if is_charge else ~near)
        return self._free_of(found, who, enemies) if is_charge else found


def _with_only(state: State, id: str, others: list[OperativeState]) -> State:
    """The state as if nobody else were there."""
    return replace(state, operatives={each.id: each for each in (state.operatives[id], *others)})


def _is_on_foot(who: OperativeState, request: MoveRequest, others: list[OperativeState]) -> bool:
    """Whether climbs, drops and jumps, which are dear to look into, are left out: of a Charge at nobody above or below,
    and of a Fall Back."""
    if request.ends_in_control:
        return all(each.level == who.level for each in others)
    return request.may_pass_control and who.level == 0
