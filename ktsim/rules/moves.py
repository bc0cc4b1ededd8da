"""The actions that move: Reposition, Dash, Fall Back, Charge."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING, ClassVar

from ktsim.rules.action import Action, Impossible, after
from ktsim.rules.decisions import CANCEL, Path, Steps, Walk, ask
from ktsim.rules.operative_events import Moved
from ktsim.rules.table import MoveRequest
from ktsim.rules.values import Reasoned

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
        return f"{self.name}: not within {near[0].name}'s control range." if near else None

    def _weapon_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        now = battle.state.activation
        if now is None or now.operative != who.id:
            return None
        for key in now.weapons:
            for rule in battle.weapon_rules(who, battle.weapon(who, key)):
                if (why := rule.forbids_move(self.name)) is not None:
                    return f"{self.name}: {why}"
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        path = yield from self.choose_path(battle, who)
        if path == CANCEL:
            raise Impossible("no path was chosen")
        yield from self.follow(battle, who, path)

    def choose_path(self, battle: Battle, who: OperativeState) -> Steps[Path]:
        request = self.limited(battle, who)
        return (
            yield from ask(
                Walk(
                    seat=who.side,
                    topic="move",
                    prompt=f'{who.name}: {self.name} up to {request.allowance}".',
                    operative=who.id,
                    allowance=request.allowance,
                    about=request,
                    refuse=lambda path: self.refuses_path(battle, who, request, path),
                    suggest=lambda rng: self.suggest(battle, who, request, rng),
                )
            )
        )

    def refuses_path(self, battle: Battle, who: OperativeState, request: MoveRequest, path: Path) -> str | None:
        return battle.table.mover.judge(battle.table, battle.state, request, path).refusal

    def suggest(self, battle: Battle, who: OperativeState, request: MoveRequest, rng: Random) -> Path:
        return battle.table.mover.suggest(battle.table, battle.state, request, rng)

    def follow(self, battle: Battle, who: OperativeState, path: Path) -> Steps[None]:
        request = self.limited(battle, who)
        cost = battle.table.mover.judge(battle.table, battle.state, request, path).cost
        yield Moved(who.id, path, cost, request.allowance)

    def limited(self, battle: Battle, who: OperativeState) -> MoveRequest:
        """The request, at most 2" (unless a rule says more) while counteracting (KT24-COUNTERACT)."""
        request = self.request(battle, who)
        now = battle.state.activation
        if now is not None and now.kind == "counteraction" and now.operative == who.id:
            most = battle.changed(who, "counteract move", Reasoned.of(COUNTERACT_MOVE)).value
            return replace(request, allowance=min(request.allowance, most))
        return request


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
