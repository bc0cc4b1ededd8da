"""Effects of team rules on a sequence that is under way: its dice lie there, and what is done with them goes on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ktsim.rules.engine.attack import Hand
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.fight.stages import next_to_resolve
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.shoot.stages import pierced
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.teams.language.values import Term
from ktsim.rules.teams.playing.happening import COMMON, MIDWAY, MidwayWord, Run, Use, those
from ktsim.rules.teams.playing.in_sequences import (
    NO_MORE,
    allowed,
    given_reroll,
    is_for,
    names,
    numbers,
    weapon_of,
    with_stat,
    within_limits,
    without_criticals,
)
from ktsim.rules.teams.playing.sequences import TEAM, Conversion, GivenSave

ROLLED = frozenset({"rolled"})
BEFORE_DICE = frozenset({"rolling"})
STILL_MATTERS = ("Rending", "Severe", "Punishing", "Shock", "Brutal", "Devastating", "Stun", "Lethal", "Piercing")
"""Weapon rules that are about attack dice after they were rolled and re-rolled."""
ABOUT_DICE = (*STILL_MATTERS, "Accurate", "Balanced", "Ceaseless", "Relentless", "Saturate")
"""Weapon rules that are about dice which are not rolled yet."""
HAND_STATS = ("atk", "hit", "damage", "normal-damage", "critical-damage")
"""What a weapon's dice are rolled with."""


def midway(word: str, moments: frozenset[str], *args: str, late: tuple[str, ...] = ()) -> Callable[[Run], Run]:
    """The decorated function carries out the effect *word* in a sequence, at these moments of it; conditions that are
    *late* are part of what it does."""

    def register(run: Run) -> Run:
        MIDWAY[word] = MidwayWord(run, COMMON | frozenset(args), moments, frozenset(late))
        return run

    return register


@dataclass(frozen=True)
class AttackDice:
    """The attack dice of one of the two in a sequence."""

    moment: Moment
    index: int

    @property
    def hand(self) -> Hand:
        if self.moment.shot is not None:
            return self.moment.shot.hand
        assert self.moment.duel is not None
        return self.moment.duel.hands[self.index]

    def put(self, hand: Hand) -> None:
        """The dice are as in *hand* from now on, but for what was forbidden before."""
        hand = allowed(hand)
        if self.moment.shot is not None:
            self.moment.shot = self.moment.shot._replace(hand=hand)
        elif (duel := self.moment.duel) is not None:
            hands = (hand, duel.hands[1]) if self.index == 0 else (duel.hands[0], hand)
            self.moment.duel = duel._replace(hands=hands)


def held(use: Use, term: Term) -> AttackDice | None:
    """The dice the effect is about: nobody's, when whom it is about has none in the sequence."""
    moment = use.moment
    one = next(iter(those(use, term)), None)
    if moment is None or one is None:
        return None
    if moment.shot is not None:
        return AttackDice(moment, 0) if moment.shot.hand.operative == one.id else None
    hands = () if moment.duel is None else moment.duel.hands
    return next((AttackDice(moment, index) for index, hand in enumerate(hands) if hand.operative == one.id), None)


@midway("reroll", ROLLED | {"defended"}, "dice", "results")
def _reroll(use: Use, key: str, term: Term) -> Steps[None]:
    """Dice that lie there may be re-rolled: the sequence goes back to its re-rolls."""
    rule, moment = given_reroll(use.clause, term), use.moment
    if term.main == "defence":
        if moment is not None and moment.shot is not None and NO_MORE not in moment.shot.used:
            moment.shot = moment.shot._replace(guards=(*moment.shot.guards, rule))
        return
    found = held(use, term)
    if found is None or NO_MORE in found.hand.used:
        return
    found.put(found.hand._replace(rules=(*found.hand.rules, rule)))
    moment = found.moment
    if moment.shot is not None:
        moment.shot = moment.shot._replace(stage="attack re-rolls")
    elif moment.duel is not None:
        moment.duel = moment.duel._replace(stage="re-rolls", turn=found.index, passes=0)
    yield from ()


@midway("convert", ROLLED, "to", "discard")
def _convert(use: Use, key: str, term: Term) -> Steps[None]:
    """Its player is asked as the dice are retained."""
    if (found := held(use, term)) is not None:
        what, becomes = str(term.main), str(term.get("to"))
        rule = Conversion(what=what, becomes=becomes, discards=bool(term.get("discard")), text=use.clause.title)
        found.put(found.hand._replace(rules=(*found.hand.rules, rule)))
    yield from ()


@midway("grant", ROLLED | BEFORE_DICE, "weapons")
def _grant(use: Use, key: str, term: Term) -> Steps[None]:
    if (found := _meant(use, term)) is not None:
        battle, hand = use.scene.battle, found.hand
        one, target = (use.scene.state.operatives[id] for id in (hand.operative, hand.target))
        texts, weapon = list(names(term)), weapon_of(battle, one, hand)
        if weapon is not None:
            texts = use.scene.team.left_against(battle, one, weapon, target, texts)
        had = {rule.text for rule in hand.rules}
        more = [battle.edition.weapon_rules.parse(text) for text in texts if text not in had]
        found.put(found.hand._replace(rules=(*found.hand.rules, *more)))
    yield from ()


@midway("stat", BEFORE_DICE, "by", "set", "most", "least", "weapons")
def _stat(use: Use, key: str, term: Term) -> Steps[None]:
    if (found := _meant(use, term)) is not None:
        found.put(within_limits(with_stat(found.hand, term)))
    yield from ()


def _meant(use: Use, term: Term) -> AttackDice | None:
    """The dice the effect is about, where it is about the weapon they are rolled for."""
    found = held(use, term)
    if found is None or not names(term, "weapons"):
        return found
    weapon = weapon_of(use.scene.battle, use.scene.state.operatives[found.hand.operative], found.hand)
    return found if weapon is not None and is_for(term, use.scene, weapon) else None


@midway("strike-damage", ROLLED, "most", late=("first-time",))
def _strike_damage(use: Use, key: str, term: Term) -> Steps[None]:
    """The first strike inflicts more."""
    found = held(use, term)
    if found is not None and (duel := found.moment.duel) is not None:
        bonus = (numbers(term), numbers(term, "most"))
        found.moment.duel = duel._replace(bonus=(bonus, duel.bonus[1]) if found.index == 0 else (duel.bonus[0], bonus))
    yield from ()


@midway("no-critical-below", ROLLED)
def _no_critical_below(use: Use, key: str, term: Term) -> Steps[None]:
    if (found := held(use, term)) is not None:
        found.put(without_criticals(found.hand))
    yield from ()


@midway("retain", frozenset({"defending"}), "dice", "of")
def _retain(use: Use, key: str, term: Term) -> Steps[None]:
    """Defence dice that are about to be rolled: so many are retained instead."""
    moment = use.moment
    if moment is not None and moment.shot is not None:
        save = GivenSave(dice=numbers(term, "dice") or 1, text=use.clause.title)
        moment.shot = moment.shot._replace(guards=(*moment.shot.guards, save))
    yield from ()


@midway("weaken-rule", frozenset({"defending"}), "by")
def _weaken_rule(use: Use, key: str, term: Term) -> Steps[None]:
    """Piercing that takes fewer defence dice: those it did not take come back."""
    moment = use.moment
    if moment is None or moment.shot is None:
        return
    hand, registry = moment.shot.hand, use.scene.battle.edition.weapon_rules
    rules = []
    for rule in hand.rules:
        words, _, number = rule.text.rpartition(" ")
        if not rule.text.startswith(f"{term.main} ") or not number.isdigit():
            rules.append(rule)
        elif int(number) > numbers(term, "by"):
            rules.append(registry.parse(f"{words} {int(number) - numbers(term, 'by')}"))
    weaker, full = hand._replace(rules=tuple(rules)), use.scene.battle.edition.defence_dice
    back = pierced(weaker, full).value - pierced(hand, full).value
    moment.shot = moment.shot._replace(hand=weaker, defence=moment.shot.defence + back)
    yield Told(f"{use.clause.title}: {{0}} has {back} defence dice more.", TEAM, (hand.target,))


@midway("downgrade-all", frozenset({"defending"}))
def _downgrade_all(use: Use, key: str, term: Term) -> Steps[None]:
    moment = use.moment
    if moment is None or moment.shot is None:
        return
    hand = moment.shot.hand
    moment.shot = moment.shot._replace(hand=hand._replace(normals=hand.normals + hand.crits, crits=0))
    yield Told(f"{use.clause.title}: the critical successes against {{0}} are normal ones.", TEAM, (hand.target,))


def counted_wounds(moment: Moment | None, operatives: dict[str, OperativeState]) -> None:
    """A fight under way goes on with the wounds both have by now, or is over."""
    if moment is None or (duel := moment.duel) is None:
        return
    now = (operatives[duel.hands[0].operative].wounds, operatives[duel.hands[1].operative].wounds)
    if now != duel.wounds:
        lost = tuple(
            suffered + max(0, had - has) for suffered, had, has in zip(duel.suffered, duel.wounds, now, strict=True)
        )
        changed = duel._replace(wounds=now, suffered=(lost[0], lost[1]))
        moment.duel = next_to_resolve(changed, 0) if min(now) <= 0 else changed
