"""What the actions that move have in common: the path is the player's, the table judges it."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import replace
from random import Random
from typing import ClassVar

from ktsim.rules.engine.action import Action, Impossible, after, refuses, refuses_close, refuses_to_spend
from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import CANCEL, Option, Steps, Walk, ask, pick
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import Moved
from ktsim.rules.engine.state import OperativeState, Path, Point
from ktsim.rules.engine.table import MoveRequest, MoveVerdict
from ktsim.rules.engine.values import Reasoned


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
        barred = [name for name in self.barred_after if not battle.waived(who, self, f"after {name}")]
        return (
            self.own_refusal(battle, who) or after(battle, who, self.name, *barred) or self._weapon_refusal(battle, who)
        )

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        near = battle.engaged_with(who)
        if not near or battle.waived(who, self, "control range"):
            return None
        return refuses_close(battle, self.name, near)

    def _weapon_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        now = battle.state.activation
        if now is None or now.operative != who.id:
            return None
        for key in now.weapons:
            for rule in battle.weapon_rules(who, battle.weapon(who, key)):
                if (why := rule.forbids_move(self.counted)) is not None:
                    return f"{self.name}: {why}"
        return None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        for rule in battle.having("relocates"):
            if (yield from rule.relocates(battle, who, self)):
                return
        request = self.limited(battle, who)
        path = yield from self.choose_path(battle, who)
        if path == CANCEL:
            raise Impossible("no path was chosen")
        verdict = yield from self.walk(battle, who, request, path)
        if verdict.teleports:
            return
        while not who.is_incapacitated and (action := (yield from self.meanwhile(battle, who))) is not None:
            yield from perform(battle, who, action, battle.ap_cost(who, action))
            if not who.is_in_killzone or who.is_incapacitated:
                return
            if near := battle.engaged_with(who):
                yield Told(f"{self.name} ends: {{0}} is within {battle.edition.near} now.", action.id, (near[0].id,))
                return
            if verdict.cost >= request.allowance:
                return
            rest = replace(request, since=verdict.walk, dash=0)
            path = yield from self.ask_path(battle, who, rest, verdict.cost)
            if path == CANCEL:
                return
            verdict = yield from self.walk(battle, who, rest, path)

    def meanwhile(self, battle: Battle, who: OperativeState) -> Steps[Action | None]:
        """An action performed in the middle of the move, where it has got to; the rest of the move follows."""
        now = battle.state.activation
        if now is None or now.operative != who.id or now.kind != "activation":
            return None
        offered = {action.name: action for rule in battle.having("within") for action in rule.within(battle, who, self)}
        able = {
            name: action
            for name, action in offered.items()
            if refuses_to_spend(battle, who, action) is None and refuses(battle, who, action) is None
        }
        if not able:
            return None
        options = [Option("end", f"No: {self.name} ends here")]
        options += [
            Option(name, f"{name} ({battle.ap_cost(who, each)}AP), then move on", None, each.id)
            for name, each in able.items()
        ]
        values: dict[str, Action | None] = {"end": None, **able}
        prompt = f"{who.name}: perform an action in the middle of {self.name}?"
        return (yield from pick(who.side, "meanwhile", prompt, options, values, default="end"))

    def choose_path(self, battle: Battle, who: OperativeState) -> Steps[Path]:
        return (yield from self.ask_path(battle, who, self.limited(battle, who)))

    def ask_path(self, battle: Battle, who: OperativeState, request: MoveRequest, spent: int = 0) -> Steps[Path]:
        """The path its player chooses."""
        so_far = f' ({spent}" so far; no path ends the move here)' if spent else ""
        so_far += ", or to the other teleport pad" if request.teleports and not spent else ""
        return (
            yield from ask(
                Walk(
                    seat=who.side,
                    topic="move",
                    prompt=f'{who.name}: {self.name} up to {request.allowance}"{so_far}.',
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
        """Move along a whole path chosen before."""
        yield from self.walk(battle, who, self.limited(battle, who), path)

    def walk(self, battle: Battle, who: OperativeState, request: MoveRequest, path: Path) -> Steps[MoveVerdict]:
        """Move along the path chosen."""
        verdict = battle.table.mover.judge(battle.table, battle.state, request, path)
        if verdict.teleports:
            yield from self.teleport(battle, who, request, path[-1])
        else:
            yield from went(battle, who, path, verdict.cost, request.allowance)
        return verdict

    def teleport(self, battle: Battle, who: OperativeState, request: MoveRequest, to: Point) -> Steps[None]:
        """Set up at a place instead of moving. What the action needs holds then, or it is cancelled."""
        for rule in battle.in_turn("teleport"):
            yield from rule.teleport(battle, who, to)
        near = battle.engaged_with(who)
        if near and not request.ends_in_control:
            raise Impossible(f"{near[0].name} is within {battle.edition.near}")
        if request.ends_in_control and not near:
            raise Impossible(f"nobody is within {battle.edition.near}")

    def limited(self, battle: Battle, who: OperativeState) -> MoveRequest:
        """The request, at most 2" (unless a rule says more) while counteracting (KT24-COUNTERACT)."""
        request = self.request(battle, who)
        for rule in battle.having("move_request"):
            request = rule.move_request(battle, who, self, request)
        now = battle.state.activation
        if now is not None and now.kind == "counteraction" and now.operative == who.id:
            most = battle.changed(who, "counteract move", Reasoned.of(battle.edition.counteract_move)).value
            return replace(request, allowance=min(request.allowance, most))
        return request


def went(battle: Battle, who: OperativeState, path: Path, cost: int, allowance: int) -> Steps[None]:
    """The operative has moved; rules in force see where it came along."""
    before = who.point
    yield Moved(who.id, path, cost, allowance)
    for rule in battle.in_turn("walked"):
        yield from rule.walked(battle, who, cost, allowance)
    for rule in battle.in_turn("moved"):
        yield from rule.moved(battle, who, (before, *path))


class Charging(Move):
    """A Charge: on Engage only, to an enemy."""

    name = "Charge"

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if who.order == "conceal" and not battle.waived(who, self, "conceal"):
            return "Charge: not on a Conceal order."
        return super().own_refusal(battle, who)

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        far = battle.move(who).value + battle.edition.charge_bonus
        return MoveRequest(who.id, self.name, far, ends_in_control=True)
