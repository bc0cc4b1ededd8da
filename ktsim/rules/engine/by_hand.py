"""Done by hand: what a card says and no rule enforces, a player does, and says why.

A deed comes in place of an answer, whatever is asked, and is kept with the answers: it replays and is undone like them.
Where nothing is in progress the question is asked again afterwards, for what can be answered may have changed; in the
middle of something only what cannot disturb it is possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

from ktsim.content.printable import printable
from ktsim.errors import UserError
from ktsim.rules.engine.attack import Attack, Hand, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, is_point
from ktsim.rules.engine.dice import Rerolling
from ktsim.rules.engine.events import CpChanged, EffectBegan, Event, Names, Told
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.operative_events import Healed, OrderChanged, TokenChanged, Wounded
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import SIDES, Effect, OperativeState, Point, Side, State, Until, inches
from ktsim.rules.engine.weapon_rules import OneReroll

BY_HAND = "by hand"
"""What an answer that is a deed begins with."""
DeedKind: TypeAlias = Literal["wounds", "stat", "rule", "re-roll", "token", "order", "cp", "move", "note"]
KINDS: tuple[DeedKind, ...] = get_args(DeedKind)
CHANGED_STATS = ("apl", "move", "save", "hit")
LASTS: dict[str, tuple[Until, str]] = {
    "action": ("action", "this action"),
    "activation": ("activation", "this activation"),
    "turning-point": ("turning-point", "this turning point"),
    "battle": ("battle", "the battle"),
}
"""How long a change lasts, and what that is called."""
MOST_REASON, MOST_AMOUNT = 120, 60
ATTACK, DEFENCE = "by hand: re-roll attack", "by hand: re-roll defence"
"""The marks of an operative that may re-roll one of its dice."""
RENEWED = ("action",)
"""Topics of questions in the course of an activation that are asked again after a deed."""


@dataclass(frozen=True)
class Deed:
    """Something a player of *by* does for a *reason*: *what* it is about (an operative or a side), and its *args*."""

    by: Side
    reason: str
    kind: DeedKind
    what: str = ""
    args: tuple[Any, ...] = ()

    @property
    def answer(self) -> tuple[Any, ...]:
        """The deed as the journal has it."""
        return (BY_HAND, self.by, self.reason, self.kind, self.what, self.args)


def deed_of(answer: object) -> Deed | None:
    """The deed an answer is; ``None`` when it is an ordinary one. Raises ``ValueError`` when it is no proper deed."""
    if not isinstance(answer, tuple) or not answer or answer[0] != BY_HAND:
        return None
    if len(answer) != 6 or not all(isinstance(each, str) for each in answer[:5]) or not isinstance(answer[5], tuple):
        raise ValueError("What is done by hand is not told in full.")
    _, by, reason, kind, what, args = answer
    if by not in SIDES or kind not in KINDS:
        raise ValueError("What is done by hand is nothing that can be.")
    if not reason.strip() or reason != printable(reason, MOST_REASON):
        raise ValueError(f"Say why, in at most {MOST_REASON} letters.")
    return Deed(by, reason, kind, what, args)


def is_deed(answer: object) -> bool:
    return isinstance(answer, tuple) and bool(answer) and answer[0] == BY_HAND


# -- what may be done --------------------------------------------------------------------------------


def in_dice(pending: Decision[Any] | None) -> bool:
    """Whether dice are on the table: numbers the sequence has taken down are not read again."""
    about = pending.about if pending is not None else None
    return isinstance(about, (Hand, Shot, Duel, Rerolling))


def refuses_deed(battle: Battle, pending: Decision[Any] | None, deed: Deed, is_between: bool) -> str | None:
    """Why the deed cannot be done now; *is_between*: nothing is in progress, or only an activation between actions."""
    if not battle.state.turning_point or battle.state.phase == "over" or pending is None:
        return "By hand something is changed while the battle lasts."
    if deed.kind not in ("token", "note") and in_dice(pending):
        return "Dice are on the table. Finish the attack first, or undo it; a die can be rolled again."
    if deed.kind in ("order", "move") and not is_between:
        return "In the middle of an action that is not possible. Finish it first, or undo it."
    if deed.kind == "note":
        return None
    if deed.kind == "cp":
        return _refuses_cp(battle, deed)
    who = battle.state.operatives.get(deed.what)
    if who is None or not who.is_set_up:
        return "There is no such operative in the battle."
    if who.is_removed and deed.kind != "wounds":
        return f"{who.name} is not in the killzone."
    return _CHECKS[deed.kind](battle, who, deed.args, is_between)


def _refuses_cp(battle: Battle, deed: Deed) -> str | None:
    if deed.what not in SIDES or not _is_amount(deed.args):
        return "Say whose CP and how many."
    return "There are not so many CP." if battle.state.cp[deed.what] + deed.args[0] < 0 else None


def _is_amount(args: tuple[Any, ...], most: int = MOST_AMOUNT) -> bool:
    """Whether the first of *args* is a whole number other than 0."""
    return bool(args) and isinstance(args[0], int) and not isinstance(args[0], bool) and 0 < abs(args[0]) <= most


def _refuses_wounds(battle: Battle, who: OperativeState, args: tuple[Any, ...], is_between: bool) -> str | None:
    if len(args) != 1 or not _is_amount(args):
        return "Say how many wounds."
    then, most = who.wounds + args[0], battle.card(who).wounds
    if then > most:
        return f"{who.name} has {most} wounds at most."
    if then < 0:
        return f"{who.name} has only {who.wounds} wounds left."
    if (then == 0 or who.is_removed) and not is_between:
        return "In the middle of an action nobody is incapacitated or returns by hand. Finish it first, or undo it."
    if who.is_removed:
        return battle.table.mover.refuses_to_stand(battle.table, battle.state, who.id, who.point)
    return None


def _refuses_stat(battle: Battle, who: OperativeState, args: tuple[Any, ...], is_between: bool) -> str | None:
    if len(args) != 3 or not _is_amount(args, 6) or args[1] not in CHANGED_STATS or args[2] not in LASTS:
        return "Say which stat, by how much and for how long."
    return None


def _refuses_rule(battle: Battle, who: OperativeState, args: tuple[Any, ...], is_between: bool) -> str | None:
    if len(args) != 2 or not isinstance(args[0], str) or args[1] not in LASTS:
        return "Say which weapon rule and for how long."
    try:
        battle.edition.weapon_rules.parse(args[0])
    except UserError as error:
        return f"{error.problems[0].text[:1].upper()}{error.problems[0].text[1:]}."
    return None


def _refuses_reroll(battle: Battle, who: OperativeState, args: tuple[Any, ...], is_between: bool) -> str | None:
    if len(args) != 2 or args[0] not in ("attack", "defence") or args[1] not in LASTS:
        return "Say which dice and for how long."
    return None


def _refuses_token(battle: Battle, who: OperativeState, args: tuple[Any, ...], is_between: bool) -> str | None:
    if len(args) != 2 or not _is_amount(args) or not isinstance(args[1], str) or args[1] != printable(args[1], 40):
        return "Say which token and how many."
    if not args[1].strip():
        return "Say what the token is called."
    if who.tokens.get(args[1], 0) + args[0] < 0:
        return f"{who.name} has not so many of them."
    return None


def _refuses_order(battle: Battle, who: OperativeState, args: tuple[Any, ...], is_between: bool) -> str | None:
    if len(args) != 1 or args[0] not in ("engage", "conceal"):
        return "Say which order."
    return f"{who.name} has that order." if who.order == args[0] else None


def _refuses_move(battle: Battle, who: OperativeState, args: tuple[Any, ...], is_between: bool) -> str | None:
    if not is_point(args):
        return "Say where, as x, y and level in thousandths of an inch."
    return battle.table.mover.refuses_to_stand(battle.table, battle.state, who.id, args)


_CHECKS = {
    "wounds": _refuses_wounds,
    "stat": _refuses_stat,
    "rule": _refuses_rule,
    "re-roll": _refuses_reroll,
    "token": _refuses_token,
    "order": _refuses_order,
    "move": _refuses_move,
}


# -- what happens ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class DoneByHand(Event):
    """What a player did by hand and why. *operative* is whom it is about, if it is about one."""

    side: Side
    reason: str
    done: Event
    operative: str = ""

    def apply(self, state: State) -> None:
        self.done.apply(state)

    def words(self, names: Names) -> str:
        return f"By hand, {names(self.side)}: {self.done.words(names).rstrip('.')}. Why: {self.reason.rstrip('.')}."


@dataclass(frozen=True)
class Put(Event):
    """The operative is put somewhere else."""

    operative: str
    point: Point

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.point

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.point)
        return f'{names(self.operative)} is put at {x:.1f}", {y:.1f}".'


@dataclass(frozen=True)
class Returned(Event):
    """An operative that was removed is in the killzone again, where it was."""

    operative: str
    wounds: int

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.wounds, who.is_removed = self.wounds, False

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is back in the killzone with {self.wounds} wounds."


def event_of(battle: Battle, deed: Deed) -> DoneByHand:
    """What happens when a deed that is not refused is done."""
    is_about = deed.what if deed.what in battle.state.operatives else ""
    return DoneByHand(deed.by, deed.reason, _done(battle, deed), is_about)


def _done(battle: Battle, deed: Deed) -> Event:
    args, who = deed.args, battle.state.operatives.get(deed.what)
    match deed.kind:
        case "note":
            return Told(printable(str(args[0]), 200) if args else "Something was done.")
        case "cp":
            return CpChanged("red" if deed.what == "red" else "blue", args[0], "by hand")
    assert who is not None
    match deed.kind:
        case "wounds" if who.is_removed:
            return Returned(who.id, args[0])
        case "wounds":
            return Healed(who.id, args[0], BY_HAND) if args[0] > 0 else Wounded(who.id, -args[0], BY_HAND, "")
        case "stat":
            return EffectBegan(_effect(battle, who, deed, args[2], stat=args[1], amount=args[0]))
        case "rule":
            return EffectBegan(_effect(battle, who, deed, args[1], grants=args[0]))
        case "re-roll":
            return EffectBegan(_effect(battle, who, deed, args[1], stat=ATTACK if args[0] == "attack" else DEFENCE))
        case "token":
            return TokenChanged(who.id, args[1], args[0])
        case "order":
            return OrderChanged(who.id, args[0], BY_HAND)
        case _:
            return Put(who.id, args)


def _effect(battle: Battle, who: OperativeState, deed: Deed, lasts: str, **changes: Any) -> Effect:
    """An effect on *who* that ends with the action of whoever acts, where it is for an action."""
    now, until = battle.state.activation, LASTS[lasts][0]
    ends: tuple[Until, ...] = ("activation",) if until == "action" else ()
    return Effect(deed.reason, "", until, who.id, by=now.operative if now else who.id, ends=ends, **changes)


class ByHandRule(Rule):
    """Re-rolls that were given by hand."""

    def hand(self, battle: Battle, attack: Attack, hand: Hand) -> Hand:
        return hand._replace(rules=(*hand.rules, *_rerolls(battle, attack.who, ATTACK)))

    def guards(self, battle: Battle, attack: Attack) -> tuple[WeaponRule, ...]:
        return _rerolls(battle, attack.target, DEFENCE)


def _rerolls(battle: Battle, who: OperativeState, mark: str) -> tuple[WeaponRule, ...]:
    given = [effect for effect in battle.state.effects if effect.stat == mark and effect.target == who.id]
    return tuple(OneReroll(text=f"By hand: {effect.source}") for effect in given)
