"""One shooting sequence, from the attack dice to the damage, in the order the rulebook prints it.

The sequence is a chain of small stages over an immutable :class:`Shot`. Play runs them one after the other
(:func:`shoot`); ``ktsim odds`` runs the very same stages with every die result and every choice.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ktsim.rules.engine.attack import Dice, Die, Hand, Saves, Ward, WeaponRule
from ktsim.rules.engine.decisions import Option, Steps, confirm, pick, roll
from ktsim.rules.engine.dice import (
    COMMAND,
    ask_reroll,
    counted,
    faces,
    is_success,
    reroll_offers,
    roll_again,
    roll_attack_dice,
    take_up,
)
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import Wounded, successes
from ktsim.rules.engine.state import Side
from ktsim.rules.engine.values import Reasoned


class Shot(NamedTuple):
    """A shooting sequence under way. *cp* is what red and blue may still spend on Command Re-rolls.

    *cover* counts the cover saves the target may retain; *is_improved* lets it retain one as critical, or one more
    (KT24-VANTAGE-2). *guards* are rules the defender has for its defence dice, *wards* lessen the damage of each attack
    die, *critical_on* is the lowest save that is critical, and where *is_critical_in_cover* all cover saves are.
    In 2021 *invulnerable* is the save that may be used instead, with all defence dice, and *pierced* how many are left
    for the other one.
    """

    hand: Hand
    defender: Side
    save: int
    defence: int = 3
    cover: int = 0
    is_improved: bool = False
    guards: tuple[WeaponRule, ...] = ()
    cp: tuple[int, int] = (0, 0)
    stage: str = "attack"
    used: tuple[str, ...] = ()
    kept_normals: int = 0
    kept_crits: int = 0
    dice: Dice = ()
    in_hand: int = 0
    damage: int = 0
    invulnerable: int = 0
    pierced: int | None = None
    wards: tuple[Ward, ...] = ()
    critical_on: int = 6
    is_critical_in_cover: bool = False

    def cp_of(self, side: Side) -> int:
        return self.cp[0] if side == "red" else self.cp[1]


def pay(cp: tuple[int, int], side: Side, amount: int = 1) -> tuple[int, int]:
    """*cp* (red, blue) after *side* has spent some."""
    return (cp[0] - amount, cp[1]) if side == "red" else (cp[0], cp[1] - amount)


def shoot(
    shot: Shot,
    stages: Mapping[str, ShotStage],
    between: Callable[[Shot], Steps[Shot]] | None = None,
) -> Steps[Shot]:
    """The whole sequence, by the *stages* of an edition; play does something *between* them."""
    while shot.stage != "done":
        if between is not None:
            shot = yield from between(shot)
        shot = yield from stages[shot.stage](shot)
    return shot


def attack(shot: Shot) -> Steps[Shot]:
    hand = yield from roll_attack_dice(shot.hand)
    return shot._replace(hand=hand, stage="attack re-rolls")


def attack_rerolls(shot: Shot) -> Steps[Shot]:
    """One re-roll or the end of re-rolling."""
    hand = shot.hand
    offers = reroll_offers(hand.rules, hand.dice, hand.used, shot.cp_of(hand.side))
    chosen = None
    if offers:
        chosen = yield from ask_reroll(hand.side, hand.who, hand.dice, offers, hand.hit, shot)
    if chosen is None:
        return shot._replace(stage="retain")
    dice, count = yield from take_up(hand.side, hand.operative, hand.dice, chosen, hand.cites)
    used = chosen.used_after(hand.used)
    cp = pay(shot.cp, hand.side) if chosen.rule == COMMAND else shot.cp
    return shot._replace(hand=hand._replace(dice=dice, in_hand=count, used=used), cp=cp, stage="attack re-roll")


def attack_reroll(shot: Shot) -> Steps[Shot]:
    hand = shot.hand
    dice = yield from roll_again(hand.side, hand.operative, hand.who, hand.dice, hand.in_hand, "attack", hand)
    return shot._replace(hand=hand._replace(dice=dice, in_hand=0), stage="attack re-rolls")


def pierced(hand: Hand, defence: int) -> Reasoned:
    """How many of *defence* dice the hand's rules leave. They do not add up: the one that takes most counts."""
    numbers = [rule.defence_dice(hand, Reasoned.of(defence)) for rule in hand.rules]
    return min(numbers, key=lambda number: number.value, default=Reasoned.of(defence))


def defend(shot: Shot) -> Steps[Shot]:
    """Retain cover saves if wanted, roll the other defence dice."""
    most = shot.cover
    for rule in shot.hand.rules:
        most = rule.cover_saves(most)
    normals, crits = yield from choose_cover_saves(shot, min(most, shot.defence))
    given = sum(rule.unrolled_saves() for rule in shot.guards)
    if kept_more := min(given, shot.defence - normals - crits):
        normals += kept_more
        yield Told(f"{{0}} retains {kept_more} more without rolling.", "", (shot.hand.target,))
    count = shot.defence - normals - crits
    shot = shot._replace(kept_normals=normals, kept_crits=crits)
    fresh = yield from roll(count, "defence", f"{shot.hand.whom}: {counted(count, 'defence ')}", shot.defender, shot)
    dice = tuple(sorted(Die(face) for face in fresh))
    kept = f", retaining {successes(normals, crits)} for cover" if normals + crits else ""
    if count or kept:
        yield Told("{0} rolls " + f"{faces(dice)} for defence, {shot.save}+ succeeds{kept}.", "", (shot.hand.target,))
    return shot._replace(dice=dice, stage="defence re-rolls")


def choose_cover_saves(shot: Shot, most: int) -> Steps[tuple[int, int]]:
    """How many cover saves are retained as normal and as critical successes."""
    if most <= 0:
        return (0, 0)
    if shot.is_critical_in_cover:
        return (0, most)
    choices: dict[str, tuple[int, int]] = {}
    if shot.is_improved:
        choices["critical"] = (most - 1, 1)
        if shot.defence > most:
            choices["one more"] = (most + 1, 0)
        choices |= {f"critical of {n}": (n - 1, 1) for n in range(most - 1, 0, -1)}
    choices |= {str(n): (n, 0) for n in range(most, -1, -1)}
    texts = {f"critical of {n}": f"Retain only {n}, one of them as a critical success" for n in range(1, most)} | {
        "critical": "Retain a cover save as a critical success",
        "one more": f"Retain {most + 1} cover saves",
        "0": "Roll all defence dice",
    }
    options = [Option(key, texts.get(key, f"Retain {key} as a normal success")) for key in choices]
    default = str(most) if not shot.is_improved else "critical"
    prompt = f"{shot.hand.whom} is in cover, {counted(shot.defence, 'defence ')}: which are retained without rolling?"
    return (
        yield from pick(
            shot.defender,
            "cover",
            prompt,
            options,
            choices,
            default=default,
            obvious=not shot.is_improved,
            about=shot,
        )
    )


def defence_rerolls(shot: Shot) -> Steps[Shot]:
    offers = reroll_offers(shot.guards, shot.dice, shot.used, shot.cp_of(shot.defender))
    chosen = None
    if offers:
        chosen = yield from ask_reroll(shot.defender, shot.hand.whom, shot.dice, offers, shot.save, shot)
    if chosen is None:
        good = [die.face for die in shot.dice if is_success(die.face, shot.save)]
        crits = sum(face == 6 or face >= shot.critical_on for face in good)
        normals = shot.kept_normals + len(good) - crits
        fails, left = len(shot.dice) - len(good), shot.cp_of(shot.defender)
        failed = tuple(die.face for die in shot.dice if not is_success(die.face, shot.save))
        target, fixed = shot.hand.target, shot.kept_normals
        saves = Saves(
            shot.defender, normals, shot.kept_crits + crits, fails, target, left, failed, (), len(good), fixed
        )
        for rule in shot.guards:
            saves = yield from rule.defending(saves)
        paid = pay(shot.cp, shot.defender, left - saves.cp)
        return shot._replace(kept_normals=saves.normals, kept_crits=saves.crits, dice=(), cp=paid, stage="block")
    dice, count = yield from take_up(shot.defender, shot.hand.target, shot.dice, chosen, shot.hand.cites)
    used = chosen.used_after(shot.used)
    cp = pay(shot.cp, shot.defender) if chosen.rule == COMMAND else shot.cp
    return shot._replace(dice=dice, in_hand=count, used=used, cp=cp, stage="defence re-roll")


def defence_reroll(shot: Shot) -> Steps[Shot]:
    target, name = shot.hand.target, shot.hand.whom
    dice = yield from roll_again(shot.defender, target, name, shot.dice, shot.in_hand, "defence", shot)
    return shot._replace(dice=dice, in_hand=0, stage="defence re-rolls")


def block(shot: Shot) -> Steps[Shot]:
    """The defender allocates blocks (KT24-BLOCK); what is left inflicts its damage together."""
    hand = shot.hand
    is_brutal = any(rule.is_brutal for rule in hand.rules)
    normals = 0 if is_brutal else shot.kept_normals
    choices = {f"{n}n {c}c": (n, c) for n, c in allocations(hand.normals, hand.crits, normals, shot.kept_crits)}
    least = min(choices, key=lambda key: damage_of(hand, *choices[key]))
    blocked = yield from pick(
        shot.defender,
        "block",
        f"{hand.whom} has {successes(shot.kept_normals, shot.kept_crits)} to block "
        f"{successes(hand.normals, hand.crits)}. What is blocked?",
        [Option(key, f"Block {successes(n, c)}, suffering {damage_of(hand, n, c)}") for key, (n, c) in choices.items()],
        choices,
        default=least,
        obvious=True,
        about=shot,
    )
    if any(blocked):
        yield Told("{0} blocks " + successes(*blocked) + ".", hand.cites.block, (hand.target,))
    damage = damage_of(hand, *blocked)
    if damage and shot.wards:
        left = hand._replace(normals=hand.normals - blocked[0], crits=hand.crits - blocked[1])
        return shot._replace(hand=left, stage="inflict")
    if damage:
        yield Wounded(
            hand.target, damage, successes(hand.normals - blocked[0], hand.crits - blocked[1]), hand.operative
        )
    else:
        yield Told("No damage gets through to {0}.", "", (hand.target,))
    return shot._replace(damage=shot.damage + damage, stage="done")


def inflict(shot: Shot) -> Steps[Shot]:
    """One success that was not blocked inflicts its damage, as far as wards leave it; critical ones come first."""
    hand = shot.hand
    kind, damage = ("critical", hand.critical) if hand.crits else ("normal", hand.normal)
    had = shot.cp_of(shot.defender)
    left, used, cp = yield from warded(shot.wards, shot.used, shot.defender, had, hand, kind, damage)
    if left:
        yield Wounded(hand.target, left, f"{kind} success", hand.operative)
    spent = hand._replace(crits=hand.crits - 1) if hand.crits else hand._replace(normals=hand.normals - 1)
    stage = "inflict" if spent.successes else "done"
    after = pay(shot.cp, shot.defender, had - cp)
    return shot._replace(hand=spent, used=used, cp=after, damage=shot.damage + left, stage=stage)


def warded(
    wards: tuple[Ward, ...], used: tuple[str, ...], defender: Side, cp: int, hand: Hand, kind: str, damage: int
) -> Steps[tuple[int, tuple[str, ...], int]]:
    """What *wards* leave of the damage of one die, those that are *used* up by then, and what is left of *cp*."""
    left, barred = damage, set[str]()
    for ward in wards:
        if ward.name in used or not ward.concerns(kind, left):
            continue
        after = ward.lessened(left, hand.normal)
        is_usable = after < left and ward.cp <= cp and ward.name not in barred
        prompt = f"{ward.name}: {hand.whom} suffers {after} instead of {left}?"
        if not is_usable or (ward.asks and not (yield from confirm(defender, "ward", prompt))):
            if ward.is_first:  # the first time has passed
                used = (*used, ward.name)
                yield from ward.events
            continue
        if ward.is_once:
            used = (*used, ward.name)
        yield from ward.events
        cp -= ward.cp
        if ward.on:
            (face,) = yield from roll(1, "ward die", f"{hand.whom}: {ward.name}, {ward.on}+", defender)
            if face < ward.on:
                yield Told(f"{{0}} rolls {face}: {ward.name} does not help.", "TEAM", (hand.target,))
                continue
        yield Told(f"{{0}}: {after} damage instead of {left} ({ward.name}).", "TEAM", (hand.target,))
        left = after
        barred |= {ward.not_with, *(each.name for each in wards if each.not_with == ward.name)}
    return left, used, cp


def damage_of(hand: Hand, normals_blocked: int, crits_blocked: int) -> int:
    return (hand.normals - normals_blocked) * hand.normal + (hand.crits - crits_blocked) * hand.critical


def allocations(normals: int, crits: int, save_normals: int, save_crits: int) -> list[tuple[int, int]]:
    """Every way of allocating all saves that can block something, as (normals, criticals) blocked.

    A normal save blocks a normal success, two block a critical one, a critical save blocks either.
    """
    found = set()
    for crit_on_crit in range(min(save_crits, crits) + 1):
        for pairs in range(min(save_normals // 2, crits - crit_on_crit) + 1):
            on_normals = save_crits - crit_on_crit + save_normals - 2 * pairs
            found.add((min(normals, on_normals), crit_on_crit + pairs))
    best = [(n, c) for n, c in found if not any((m, d) != (n, c) and m >= n and d >= c for m, d in found)]
    return sorted(best, reverse=True)


ShotStage = Callable[[Shot], Steps[Shot]]
SHARED_STAGES: dict[str, ShotStage] = {
    "attack": attack,
    "attack re-rolls": attack_rerolls,
    "attack re-roll": attack_reroll,
    "defend": defend,
    "defence re-rolls": defence_rerolls,
    "defence re-roll": defence_reroll,
    "block": block,
    "inflict": inflict,
}
"""What editions have in common; each adds how the attack dice are retained."""
