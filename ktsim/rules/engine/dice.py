"""Attack dice in one operative's hand: rolling, re-rolling and retaining them, in the rulebook's order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ktsim.rules.engine.attack import UNCITED, Cites, Dice, Die, Hand, Reroll, WeaponRule, open_faces
from ktsim.rules.engine.decisions import Option, Steps, Topic, pick, roll
from ktsim.rules.engine.events import CpChanged, PloyUsed, Told
from ktsim.rules.engine.operative_events import Retained
from ktsim.rules.engine.state import Side


def is_success(face: int, needed: int) -> bool:
    """KT24-DICE: 1 always fails, 6 always succeeds."""
    return face == 6 or (face != 1 and face >= needed)


def hot_damage(face: int, hit: int) -> int:
    """KT24-W-HOT: what the die rolled after use inflicts on the weapon's user."""
    return 2 * face if face < hit else 0


def faces(dice: Sequence[Die]) -> str:
    return " ".join(str(die.face) for die in dice) or "nothing"


def counted(dice: int, kind: str = "") -> str:
    """``1 die``, ``3 attack dice``"""
    return f"{dice} {kind}{'die' if dice == 1 else 'dice'}"


class Rerolling(NamedTuple):
    """What a re-roll is decided on: the dice, what succeeds, the sequence they are part of, and what is offered."""

    dice: Dice
    needed: int
    sequence: object = None
    offers: tuple[Reroll, ...] = ()


COMMAND = "Command Re-roll"
"""KT24-CMDREROLL: for 1CP, as often as it can be paid."""


def reroll_offers(rules: Sequence[WeaponRule], dice: Dice, used: Sequence[str], cp: int) -> list[Reroll]:
    """Every re-roll the owner of *dice* may make now. A rule counted as *used* offers none."""
    offers = [offer for rule in rules for offer in rule.rerolls(dice) if offer.is_left(used)]
    if cp > 0 and COMMAND not in used:
        offers += [Reroll(COMMAND, face, False, False) for face in open_faces(dice)]
    barred = {rule.unrerollable for rule in rules}
    return [offer for offer in dict.fromkeys(offers) if offer.face not in barred]


def ask_reroll(
    side: Side, whose: str, dice: Dice, offers: Sequence[Reroll], needed: int, sequence: object = None
) -> Steps[Reroll | None]:
    """Ask *side* for one re-roll or to keep its dice. The default re-rolls a fail while a free re-roll is left."""
    options = [Option("keep", f"Keep {faces(dice)}")]
    options += [Option(offer.key, offer.text) for offer in offers]
    values: dict[str, Reroll | None] = {"keep": None} | {offer.key: offer for offer in offers}
    free = [o for o in offers if o.rule != COMMAND and not o.part and not is_success(o.face, needed)]
    default = free[0].key if free else "keep"
    prompt = f"{whose} rolled {faces(dice)}, {needed}+ succeeds. Re-roll?"
    about = Rerolling(dice, needed, sequence, tuple(offers))
    return (yield from pick(side, "reroll", prompt, options, values, default=default, about=about))


def take_up(side: Side, operative: str, dice: Dice, offer: Reroll, cites: Cites = UNCITED) -> Steps[tuple[Dice, int]]:
    """Take up the dice *offer* says: those left lying and how many are in hand. Command Re-roll is paid for."""
    if offer.rule == COMMAND:
        yield CpChanged(side, -1)
        yield PloyUsed(side, "command-reroll", COMMAND, 1)
    rest, count = lifted(dice, offer)
    which = " ".join([str(offer.face)] * count)
    yield Told("{0} re-rolls " + f"{which} ({offer.rule}).", cites.reroll, (operative,))
    return rest, count


def lifted(dice: Dice, offer: Reroll) -> tuple[Dice, int]:
    """The dice left lying when those *offer* says are taken up, and how many those are."""
    taken = Die(offer.face)
    count = offer.part or (dice.count(taken) if offer.takes_all else 1)
    rest = list(dice)
    for _ in range(count):
        rest.remove(taken)
    return tuple(rest), count


def joined(dice: Dice, fresh: Iterable[int]) -> Dice:
    """*dice* and re-rolled ones."""
    return tuple(sorted([*dice, *(Die(face, True) for face in fresh)]))


def roll_again(
    side: Side, operative: str, name: str, dice: Dice, count: int, topic: Topic, about: object = None
) -> Steps[Dice]:
    """Re-roll *count* dice taken up and return them with the others. The new results stand."""
    fresh = yield from roll(count, topic, f"{name} re-rolls {counted(count)}", side, about)
    yield Told("{0}: the re-roll is " + " ".join(map(str, fresh)) + ".", "", (operative,))
    return joined(dice, fresh)


def roll_attack_dice(hand: Hand) -> Steps[Hand]:
    """Retain what may be retained unrolled, as many as the player likes, and roll the rest."""
    most = min(hand.atk, accurate_limit(hand.rules))
    kept = 0
    if most:
        options = [Option(str(n), f"Retain {n} without rolling" if n else "Roll them all") for n in range(most, -1, -1)]
        kept = yield from pick(
            hand.side,
            "accurate",
            f"Accurate: how many of {hand.atk} attack dice are retained as normal successes?",
            options,
            {str(n): n for n in range(most + 1)},
            default=str(most),
            obvious=True,
            about=hand,
        )
    hand = hand._replace(unrolled=kept)
    fresh = yield from roll(
        hand.atk - kept, "attack", f"{hand.who}: {counted(hand.atk - kept, 'attack ')}", hand.side, hand
    )
    dice = tuple(sorted(Die(face) for face in fresh))
    extra = f" and retains {kept} unrolled" if kept else ""
    yield Told(
        "{0} rolls " + f"{faces(dice)} for attack, {hand.hit}+ succeeds{extra}.", hand.cites.dice, (hand.operative,)
    )
    return hand._replace(dice=dice)


def accurate_limit(rules: Sequence[WeaponRule]) -> int:
    """KT24-W-ACCURATE: one instance gives its x; several may be used as Accurate 2."""
    found = [rule.unrolled() for rule in rules if rule.unrolled()]
    return max([*found, 2]) if len(found) > 1 else sum(found)


def retain(hand: Hand) -> Steps[Hand]:
    """Sort the dice into successes and fails, obscured first (KT24-SHOOT-OBSC), then the weapon's own rules."""
    least = hand.critical_on
    good = [die.face for die in hand.dice if is_success(die.face, hand.hit)]
    failed = tuple(die.face for die in hand.dice if not is_success(die.face, hand.hit))
    for rule in hand.rules:
        yield from rule.discarding(hand, failed)
    crits = sum(face == 6 or face >= least for face in good)
    fails = len(failed)
    discarded = 0
    if hand.is_obscured:
        discarded = min(1, len(good) + hand.unrolled)
        hand = yield from _retain_obscured(hand, good, fails)
    else:
        normals = len(good) - crits + hand.unrolled
        hand = hand._replace(crits=crits, normals=normals, fixed=hand.unrolled, fails=fails, dice=())
        for rule in hand.rules:
            before = hand.successes + hand.fails
            hand = yield from rule.retaining(hand)
            discarded += before - hand.successes - hand.fails
    yield Retained(hand.operative, hand.atk, hand.normals, hand.crits, hand.fails, discarded)
    return hand


def _retain_obscured(hand: Hand, good: list[int], fails: int) -> Steps[Hand]:
    total = len(good) + hand.unrolled
    if total:
        kinds = [str(face) for face in sorted(set(good))] + (["unrolled"] if hand.unrolled else [])
        texts = {kind: "the die retained unrolled" if kind == "unrolled" else f"a {kind}" for kind in kinds}
        gone = yield from pick(
            hand.side,
            "discard",
            "The target is obscured: which success is discarded?",
            [Option(kind, f"Discard {texts[kind]}") for kind in kinds],
            {kind: kind for kind in kinds},
            default=kinds[0],
            obvious=True,
            about=hand,
        )
        yield Told(f"Obscured: {texts[gone]} is discarded, criticals count as normal.", "KT24-SHOOT-OBSC")
    kept = max(0, total - 1)
    return hand._replace(crits=0, normals=kept, fixed=kept, fails=fails, dice=())
