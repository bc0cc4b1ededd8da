"""Planning a move: the planner's cheapest route through the player's waypoints, and the map of what is in reach."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ktsim.app.stage.ways import Reachable, RouteLeg, legs_of, reachable_by
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Walk
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import Path, Point
from ktsim.rules.engine.table import MoveRequest, MoveVerdict


@dataclass(frozen=True)
class Route:
    """A way through the waypoints. With a *refusal* it is not legal: *legs* are then those from the start on that are,
    or all of them when only their *total* is too much."""

    path: Path
    legs: tuple[RouteLeg, ...] = ()
    total: int = 0
    refusal: str = ""
    rule: str = ""

    @property
    def is_whole(self) -> bool:
        """Whether the legs lead all the way."""
        return bool(self.path and self.legs) and self.legs[-1].end == self.path[-1]


@dataclass(frozen=True)
class Pointed:
    """What is known of a move to where the pointer is: whether it is legal (None: not known yet), what it costs in
    all, and why not."""

    is_legal: bool | None = None
    cost: int = 0
    problem: str = ""


class RoutePlanner:
    """Plans one move. Made where the game is; if it ``can_plan`` its questions may be asked from another thread."""

    def __init__(self, battle: Battle, decision: Walk) -> None:
        self.decision = decision
        self._start = battle.state.operatives[decision.operative].point
        self._names = {who.id: who.name for who in battle.state.operatives.values()}
        self._judge: Callable[[Path], Any] | None = None
        self._parts: tuple[Any, ...] | None = None
        request, table, state = decision.about, battle.table, battle.state.copy()
        if isinstance(request, MoveRequest):
            self._judge = lambda path: table.mover.judge(table, state, request, path)
            if isinstance(table, SightTable):
                # Imported here: moving compiles kernels, which a game on a plain table does not need.
                from ktsim.rules.moving.mover import action_of, placed

                self._parts = (*placed(table, state, request.operative), action_of(table, request))

    @property
    def can_plan(self) -> bool:
        """Whether routes are planned; otherwise the waypoints themselves are the way."""
        return self._parts is not None

    def cannot_stand(self, point: Point) -> str:
        """Why the move cannot end at a place, whatever the way; empty when nothing there speaks against it."""
        if self._parts is None:
            return ""
        from ktsim.rules.moving import walk
        from ktsim.rules.moving.check import check_path
        from ktsim.rules.moving.mover import waypoint_of
        from ktsim.rules.moving.standing import refused_to_stand

        ground, mover, action = self._parts
        set_up = check_path(ground, mover, (waypoint_of(point),), 0, action) if action.teleports else None
        if isinstance(set_up, walk.LegalPath):
            return ""  # whoever stands on the other pad swaps
        refused = refused_to_stand(ground, mover, waypoint_of(point)._replace(turn=mover.operative.turn))
        return "" if refused is None else walk.named(refused.text, refused.thing, self._names)

    def out_of_reach(self, end: Point) -> Route:
        """That nothing leads near a place, as the map says it before a way was looked for."""
        assert self._parts is not None
        from ktsim.rules.moving.paces import paces

        words = f'Out of reach: the map shows no way to come near it with {self.decision.allowance}".'
        return Route((end,), refusal=words, rule=paces(self._parts[-1].edition).cites("KT24-MOVE-1"))

    def route(self, points: Path) -> Route:
        """The cheapest route through *points*, or why there is none."""
        if not points:
            return Route(())
        if self._parts is None:
            return self._straight(points)
        from ktsim.rules.moving import walk
        from ktsim.rules.moving.mover import point_of, waypoint_of
        from ktsim.rules.moving.reach import plan_route

        ground, mover, action = self._parts
        wanted = tuple(map(waypoint_of, points))
        found = plan_route(ground, mover, wanted, self.decision.allowance, action)
        legs = legs_of(found.legs)
        if isinstance(found, walk.Refusal):
            told = walk.named(found.text, found.thing, self._names)
            return Route(points, legs, sum(leg.paid for leg in legs), told, found.rule)
        return Route(tuple(map(point_of, found.path)), legs, found.total)

    def _straight(self, points: Path) -> Route:
        refusal = self.decision.check(points) or ""
        verdict = self._judge(points) if self._judge is not None else MoveVerdict(0)
        legs, here, kind = [], self._start, "teleport" if verdict.teleports else "move"
        for point in points:
            far = ((point[0] - here[0]) ** 2 + (point[1] - here[1]) ** 2) ** 0.5 / 1000
            legs.append(RouteLeg(kind, here, point, 0.0 if verdict.teleports else far, 0))
            here = point
        return Route(points, tuple(legs), verdict.cost, refusal)

    def reachable(self) -> Reachable:
        """Everywhere the move can end."""
        if self._parts is None:
            return Reachable(())
        from ktsim.rules.moving.reach import reach

        ground, mover, action = self._parts
        return reachable_by(reach(ground, mover, self.decision.allowance, action))
