"""Where a bot wants its operatives to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ktsim.game.bots.view import BattleView
from ktsim.geometry.plane import length
from ktsim.rules.engine.state import MarkerState, OperativeState, Point, inches
from ktsim.rules.engine.table import CONTROL_RANGE

FAR = 24.0
APART = 2.5
"""How far apart places that are looked at closely should be, in inches."""


class Goal(NamedTuple):
    """A place worth being near (*pull*) and, within *contact* inches of its centre, worth *bonus*."""

    point: Point
    pull: float
    bonus: float
    contact: float
    name: str


def goals_of(view: BattleView, who: OperativeState) -> list[Goal]:
    """What draws the operative: objective markers not held yet, markers to pick up, enemies for those who fight."""
    radius = view.battle.table.radius(who)
    found = []
    carries = bool(view.state.carried_by(who.id))
    for marker in view.state.markers.values():
        goal = _marker_goal(view, who, marker, radius + inches(marker.radius) + CONTROL_RANGE, carries)
        if goal is not None:
            found.append(goal)
    if prefers_melee(view, who) or not found:
        for enemy in view.nearest(who, 3):
            found.append(Goal(enemy.point, 3.0, 0.0, 0.0, f"towards {enemy.name}"))
    return found


def _marker_goal(
    view: BattleView, who: OperativeState, marker: MarkerState, contact: float, carries: bool
) -> Goal | None:
    friends = [
        friend
        for friend in view.state.friends(who.id)
        if view.flat(friend, marker.point) <= contact + 0.3 or view.flat(friend, marker.point) < 2.0
    ]
    share = 0.55 ** len(friends)
    name = view.battle.name(marker.id)
    if marker.carrier is not None:
        carrier = view.who(marker.carrier)
        if carrier.side == who.side:
            return None
        return Goal(carrier.point, 3.0 * share, 0.0, 0.0, f"towards {carrier.name}, who carries {name}")
    if marker.can_be_picked_up:
        if carries:
            return None
        return Goal(marker.point, 6.0 * share, 4.0 * share, contact, f"to {name}")
    if marker.kind != "objective":
        return None
    if marker.controller == who.side and friends:
        return Goal(marker.point, 1.5 * share, 0.4, contact, f"to {name}")
    return Goal(marker.point, 4.5 * share, 3.0, contact, f"to {name}")


def prefers_melee(view: BattleView, who: OperativeState) -> bool:
    """Whether its blades do more than its guns."""

    def best(kind: str) -> float:
        weapons = [weapon for weapon in view.battle.weapons(who) if weapon.kind == kind]
        return max((each.atk * (7 - each.hit) * (each.normal + 0.4 * each.critical) for each in weapons), default=0.0)

    return best("melee") > 1.15 * best("ranged")


def pull_of(goals: Sequence[Goal], point: Point) -> float:
    """How good a place is for the goals: near the strongest, and what is contested there."""
    best = total = 0.0
    for goal in goals:
        far = length(goal.point[0] - point[0], goal.point[1] - point[1]) / 1000
        best = max(best, goal.pull * (1 - min(far, FAR) / FAR))
        if far <= goal.contact and abs(goal.point[2] - point[2]) < 1000:
            total += goal.bonus
    return best + total


def strongest(goals: Sequence[Goal], point: Point, here: Point) -> str:
    """The name of the goal that going from *here* to a place serves best."""
    if not goals:
        return "elsewhere"
    return max(goals, key=lambda goal: pull_of((goal,), point) - pull_of((goal,), here)).name


def worth_a_look(goals: Sequence[Goal], places: Sequence[Point], most: int) -> list[Point]:
    """A few of many places: the best for the goals, not all in one spot."""
    return spread(sorted(places, key=lambda point: (-pull_of(goals, point), point)), most)


def spread(places: Sequence[Point], most: int) -> list[Point]:
    """The first of *places* that are not all in one spot."""
    found: list[Point] = []
    for point in places:
        if len(found) >= most:
            break
        if all(length(point[0] - each[0], point[1] - each[1]) / 1000 >= APART for each in found):
            found.append(point)
    return found
