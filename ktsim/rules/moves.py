"""The actions that move: Reposition, Dash, Fall Back, Charge."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from typing import TYPE_CHECKING, ClassVar

from ktsim.rules.action import Action, Impossible, after
from ktsim.rules.decisions import CANCEL, Path, Steps, Walk, ask
from ktsim.rules.operative_events import Moved
from ktsim.rules.table import MoveRequest

if TYPE_CHECKING:
    from ktsim.rules.battle import Battle
    from ktsim.rules.state import OperativeState

COUNTERACT_MOVE = 2


class Move(Action):
    """What moving actions have in common: the path is the player's, the table judges it."""

    is_move = True
    barred_after: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        """How far, and what it may do with control ranges."""

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if battle.card(who).move == 0:  # printed as a dash: it has no Move at all
            return f"{self.name}: {who.name} cannot move."
        return (
            self.own_refusal(battle, who)
            or after(battle, who, self.name, *self.barred_after)
            or self._weapon_refusal(battle, who)
        )

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        near = battle.engaged_with(who)
        return f"{self.name}: not within {near[0].name}'s {battle.edition.near}." if near else None

    def _weapon_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        now = battle.state.activation
        if now is None or now.operative != who.id:
            return None
        for key in now.weapons:
            for rule in battle.weapon_rules(who, battle.weapon(who, key)):
                if (why := rule.forbids_move(self.counts_as or self.name)) is not None:
                    return f"{self.name}: {why}"
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        request = self.limited(battle, who)
        table, state = battle.table, battle.state
        path = yield from ask(
            Walk(
                seat=who.side,
                topic="move",
                prompt=f'{who.name}: {self.name} up to {request.allowance}".',
                operative=who.id,
                allowance=request.allowance,
                refuse=lambda path: table.mover.judge(table, state, request, path).refusal,
                suggest=lambda rng: table.mover.suggest(table, state, request, rng),
            )
        )
        if path == CANCEL:
            raise Impossible("no path was chosen")
        yield from self.walk(battle, who, request, path)

    def walk(self, battle: Battle, who: OperativeState, request: MoveRequest, path: Path) -> Steps[None]:
        """Move along the path chosen."""
        cost = battle.table.mover.judge(battle.table, battle.state, request, path).cost
        yield from went(battle, who, path, cost, request.allowance)

    def limited(self, battle: Battle, who: OperativeState) -> MoveRequest:
        """The request, at most 2" while counteracting (KT24-COUNTERACT)."""
        request = self.request(battle, who)
        now = battle.state.activation
        if now is not None and now.kind == "counteraction" and now.operative == who.id:
            return replace(request, allowance=min(request.allowance, COUNTERACT_MOVE))
        return request


def went(battle: Battle, who: OperativeState, path: Path, cost: int, allowance: int) -> Steps[None]:
    """The operative has moved; rules in force see where it came along."""
    before = who.point
    yield Moved(who.id, path, cost, allowance)
    for rule in battle.rules:
        yield from rule.moved(battle, who, (before, *path))


class Reposition(Move):
    name, id = "Reposition", "KT24-REPOSITION"
    barred_after = ("Fall Back", "Charge")

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.move(who).value)


class Dash(Move):
    name, id = "Dash", "KT24-DASH"
    barred_after = ("Charge",)

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.edition.dash, can_climb=False)


class FallBack(Move):
    name, id, ap = "Fall Back", "KT24-FALLBACK", 2
    barred_after = ("Reposition", "Charge")

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None if battle.engaged_with(who) else "Fall Back: no enemy in control range."

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        return MoveRequest(who.id, self.name, battle.move(who).value, may_pass_control=True)


class Charge(Move):
    name, id = "Charge", "KT24-CHARGE"
    barred_after = ("Reposition", "Dash", "Fall Back")

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if who.order == "conceal":
            return "Charge: not on a Conceal order."
        return super().own_refusal(battle, who)

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        far = battle.move(who).value + battle.edition.charge_bonus
        return MoveRequest(who.id, self.name, far, ends_in_control=True)
