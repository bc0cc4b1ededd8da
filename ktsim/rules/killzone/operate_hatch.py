"""Operate Hatch (KZ-HATCH-OPERATE): opening and closing hatchways, also in the middle of a Dash or Reposition.

Our readings: what swings is the quarter circle of the hatch; an operative whose base reaches into it is set aside and,
once the hatch has swung, returned at the nearest place on its level and on its side of the hatchway where it can
stand, measured around walls, that keeps it in the control range of everybody it was in before (if there is one); the
hatch cannot be operated when there is no such place within 4". In the middle of a move the operative stands where the
move could have ended.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import cos, hypot, pi, sin

import numpy as np

from ktsim.geometry.plane import hull
from ktsim.killzones.walls import LEAF_THICKNESS, LEAF_WIDTH
from ktsim.rules.engine.action import Action, Impossible, refuses_close
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.placing import stands_in
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shapes import Prism
from ktsim.rules.engine.state import OperativeState, Point, inches
from ktsim.rules.engine.table_events import Displaced, SetAside, TerrainChanged
from ktsim.rules.moving.openings import Opening, access_opening, hatchways, is_open, reaches
from ktsim.sight.scene import EPS, WallLine

FURTHEST = 4.0
STEP = 0.05
"""How finely places to return to are searched (inches)."""

MOVES = ("Dash", "Reposition", "Normal Move")


class OperateHatchRule(Rule):
    id, name = "KZ-HATCH-OPERATE", "Operate Hatch"

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (OperateHatch(),)

    def within(self, battle: Battle, who: OperativeState, action: Action) -> Sequence[Action]:
        return (OperateHatch(),) if action.counted in MOVES else ()


class OperateHatch(Action):
    name, id = "Operate Hatch", "KZ-HATCH-OPERATE"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if near := battle.engaged_with(who):
            return refuses_close(battle, self.name, near)
        refusals = {line.id: self.hatch_refusal(battle, who, line) for line in self.in_reach(battle, who)}
        if not refusals:
            return f"{self.name}: no access point in control range."
        return None if None in refusals.values() else next(iter(refusals.values()))

    def in_reach(self, battle: Battle, who: OperativeState) -> list[WallLine]:
        return [line for line in hatchways(battle) if reaches(battle, who, line)]

    def opens(self, battle: Battle, who: OperativeState) -> Sequence[str]:
        return [line.id for line in self.in_reach(battle, who) if not is_open(battle, line)]

    def hatch_refusal(self, battle: Battle, who: OperativeState, line: WallLine) -> str | None:
        if not is_open(battle, line):
            return None
        for enemy in battle.state.enemies(who.id):
            if reaches(battle, enemy, line):
                return f"{self.name}: {enemy.name} has the open access point of {line.id} in its control range."
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        found = {line.id: line for line in self.in_reach(battle, who)}
        options = [
            Option(
                id,
                f"{'Close' if is_open(battle, line) else 'Open'} {battle.name(id)}",
                self.hatch_refusal(battle, who, line),
            )
            for id, line in found.items()
        ]
        if all(option.refusal for option in options):
            raise Impossible("no hatch can be operated")
        line = yield from pick(who.side, "hatch", "Which hatch is operated?", options, found)
        yield from swing(battle, line)


def swing(battle: Battle, line: WallLine) -> Steps[None]:
    """The hatch swings to its other state; whoever is in the way is set aside and returned."""
    state = battle.state
    to = "closed" if is_open(battle, line) else "open"
    area = swept(line)
    aside = [who for who in state.operatives.values() if who.is_in_killzone and is_in(battle, who, area)]
    engaged = {who.id: [enemy.id for enemy in battle.engaged_with(who)] for who in aside}
    if aside:
        yield SetAside(tuple(who.id for who in aside))
    yield TerrainChanged(line.id, to, "KZ-HATCH-OPERATE")
    for who in aside:
        point = nearest(battle, who, engaged[who.id], access_opening(line))
        if point is None:
            raise Impossible(f"there is no room for {who.name} beside the hatch")
        yield Displaced(who.id, point, line.id)
    for who in aside:
        for rule in battle.in_turn("set_up_again"):
            yield from rule.set_up_again(battle, who)


def swept(line: WallLine) -> Prism:
    """The quarter circle the hatch goes through, from the floor up, with its open end."""
    hatchway = line.hatchway
    assert hatchway is not None
    opening = access_opening(line)
    world, half = opening.world, opening.half_width
    sign = 1 if hatchway.swing == "left" else -1
    along = 1 if hatchway.hinge == "start" else -1
    face = line.thickness / 2
    leaf = min(LEAF_WIDTH, hatchway.width)
    hinge = -along * half
    corners = [world(hinge, sign * face), world(hinge - along * LEAF_THICKNESS, sign * face)]
    corners.append(world(hinge - along * LEAF_THICKNESS, sign * (face + leaf)))
    for step in range(13):
        angle = pi / 2 * step / 12
        corners.append(world(hinge + along * leaf * cos(angle), sign * (face + leaf * sin(angle))))
    return Prism(hull(np.array(corners)), 0.0, line.height)


def is_in(battle: Battle, who: OperativeState, area: Prism) -> bool:
    """Whether any of the base, as the table measures it, is in the area; touching it does not count."""
    return area.low <= inches(who.level) <= area.high and stands_in(battle, who, area)


def nearest(battle: Battle, who: OperativeState, engaged: Sequence[str], opening: Opening) -> Point | None:
    """Where it is returned: the nearest place at which it can stand and stays engaged, or merely can stand."""
    table, state = battle.table, battle.state
    second: Point | None = None
    engaged = [enemy for enemy in engaged if state.operatives[enemy].is_in_killzone]  # the others are aside as well
    for point in rings(who.point):
        if table.mover.refuses_to_stand(table, state, who.id, point) is not None:
            continue
        if opening.is_left(inches(point[0]), inches(point[1])) != opening.is_left(inches(who.x), inches(who.y)):
            continue
        straight = hypot(point[0] - who.x, point[1] - who.y) / 1000
        around = table.distance_to(state, who.id, point, 0.0, who.point) + table.radius(who)
        if around > max(straight, table.radius(who)) + EPS:  # behind a wall
            continue
        if all(table.in_control_range(state, who.id, enemy, point) for enemy in engaged):
            return point
        second = second or point
    return second


def rings(start: Point) -> Iterator[Point]:
    """Points around a place, the nearest first."""
    yield start
    for step in range(1, round(FURTHEST / STEP) + 1):
        far = 1000 * STEP * step
        count = max(16, round(2 * pi * far / 100))
        for number in range(count):
            angle = 2 * pi * number / count
            yield (start[0] + round(far * cos(angle)), start[1] + round(far * sin(angle)), start[2])
