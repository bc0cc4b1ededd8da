"""Mines (KT24-E-MINES): a marker that goes off the first time it is in any operative's control range.

Our readings: a move that only passes within an inch sets it off as well, where it comes into range, and goes on unless
the operative is incapacitated: then it stops there. Of two mines on its way the one it comes to first goes off first.
What is in range when operatives are set up goes off in the first Ready step; of several in range at once the player
with initiative says whom it hurts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ktsim.geometry.plane import length
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.activation import remove_incapacitated, settle_control
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick, roll
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import MarkerGone, Stopped, Wounded
from ktsim.rules.engine.placing import APART, near_way, refuses_marker
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shapes import Prism
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Path, Point, Side, inches
from ktsim.rules.kt24.equipment.markers import RADIUS, MarkerEquipment
from ktsim.rules.kt24.equipment.option import SideRule
from ktsim.sight.scene import EPS

STEP = 250
"""How far apart (thousandths of an inch) a move is asked whether it passes the mine."""
HALVINGS = 9
"""How often such a step is halved to find where the mine comes into range: to less than a thousandth of an inch."""


class Mines(MarkerEquipment):
    key, name, id = "mines", "Mines", "KT24-E-MINES"
    text = "A marker: the first operative to come within its control range suffers D3+3 damage."
    worth = 0.2

    def rule(self, side: Side) -> Rule:
        return MinesRule(side)

    def refuses(self, battle: Battle, side: Side, point: Point) -> str | None:
        return refuses_mines(battle, side, point)


def mines_of(side: Side) -> str:
    return f"{side}-{Mines.key}"


def refuses_mines(battle: Battle, side: Side, point: Point) -> str | None:
    """More than 2" from other markers, access points and Accessible terrain."""
    for marker in battle.state.markers.values():
        flat = length(marker.x - point[0], marker.y - point[1]) / 1000 - inches(marker.radius) - inches(RADIUS)
        if length(max(0.0, flat), inches(marker.level - point[2])) <= APART + EPS:
            return f'It would be within {APART:g}" of {battle.name(marker.id)}.'
    shape = Prism.disc(inches(point[0]), inches(point[1]), inches(point[2]), inches(RADIUS))
    return refuses_marker(battle, side, RADIUS, point) or near_way(battle, shape)


class MinesRule(SideRule):
    id, name = "KT24-E-MINES", "Mines"

    def mine(self, battle: Battle) -> MarkerState | None:
        return battle.state.markers.get(mines_of(self.side))

    def moved(self, battle: Battle, who: OperativeState, path: Path) -> Steps[None]:
        """All mines on its way, whosever they are, in the order it comes to them; the other side's rule finds none."""
        if who.point != path[-1]:
            return  # it has been stopped, and never came to the rest
        for share, side in sorted(mines_met(battle, who, path)):
            rule = MinesRule(side)
            if (mine := rule.mine(battle)) is not None:
                yield from rule.explode(battle, who, mine)
            if who.is_incapacitated:
                if (point := on(path, share)) != who.point:
                    yield Stopped(who.id, (*path[1 : 1 + int(share)], point), self.id)
                return

    def action_ends(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        if not battle.is_amid:
            yield from self.look_around(battle)

    def ready_step(self, battle: Battle) -> Steps[None]:
        yield from self.look_around(battle)

    def look_around(self, battle: Battle) -> Steps[None]:
        """Whoever stands in range now, however it came there."""
        mine = self.mine(battle)
        if mine is None:
            return
        state = battle.state
        near = {
            who.id: who
            for who in state.operatives.values()
            if who.is_in_killzone and battle.table.reaches(state, who.id, mine.point, inches(mine.radius))
        }
        if near:
            options = [Option(id, battle.name(id)) for id in near]
            prompt = f"Whom do {battle.name(mine.id)} hurt?"
            who = yield from pick(state.initiative or "red", "mines", prompt, options, near)
            yield from self.explode(battle, who, mine)
            yield from remove_incapacitated(battle)
            yield from settle_control(battle)

    def explode(self, battle: Battle, who: OperativeState, mine: MarkerState) -> Steps[None]:
        (face,) = yield from roll(1, "mines", f"Mines: D3+3 damage to {who.name}", self.side)
        damage = (face + 1) // 2 + 3
        yield Told(f"{{0}} go off under {{1}} and are gone: D3 is {(face + 1) // 2}.", self.id, (mine.id, who.id))
        yield MarkerGone(mine.id)
        yield Wounded(who.id, damage, self.name, "")


def mines_met(battle: Battle, who: OperativeState, path: Path) -> Iterator[tuple[float, Side]]:
    """The mines a move comes to: where on its path (see ``on``), and whose."""
    for side in SIDES:
        mine = MinesRule(side).mine(battle)
        if mine is not None and (share := first_in_range(battle, who, mine, path)) is not None:
            yield share, side


def first_in_range(battle: Battle, who: OperativeState, mine: MarkerState, path: Path) -> float | None:
    """Where on its path (see ``on``) an operative first has the mine in its control range."""

    def is_near(share: float) -> bool:
        return battle.table.reaches(battle.state, who.id, mine.point, inches(mine.radius), on(path, share))

    before = 0.0
    for share in along(path, mine.point):
        if is_near(share):
            for _ in range(HALVINGS):
                middle = (before + share) / 2
                before, share = (before, middle) if is_near(middle) else (middle, share)
            return share
        before = share
    return None


def along(path: Path, past: Point) -> Iterator[float]:
    """Places of a path close together, its first and last among them, and where each leg is nearest to *past*."""
    yield 0.0
    for leg, (a, b) in enumerate(pairwise(path)):
        far = length(length(b[0] - a[0], b[1] - a[1]), b[2] - a[2])
        steps = max(1, round(far / STEP))
        nearest = sum((q - p) * (r - p) for p, q, r in zip(a, b, past, strict=True)) / max(1.0, far * far)
        yield from sorted({leg + step / steps for step in range(1, steps + 1)} | {leg + min(1.0, max(0.0, nearest))})


def on(path: Path, share: float) -> Point:
    """The point of a path after so many legs and a share of the next."""
    leg = min(int(share), len(path) - 2)
    x, y, z = (p + round((q - p) * (share - leg)) for p, q in zip(path[leg], path[leg + 1], strict=True))
    return (x, y, z)
