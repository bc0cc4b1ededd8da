"""What a shot or a fight is likely to do.

:func:`exact_shot` solves the very stages play runs and is used for the choice of a target. :func:`quick_shot` and
:func:`quick_fight` count the common weapon rules only; they are for weighing many places, where being nearly right
is enough.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import NamedTuple, TypeAlias

from ktsim.rules.editions import edition
from ktsim.rules.engine.attack import Dice, Die, Hand, WeaponRule
from ktsim.rules.engine.dice import joined
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot, allocations
from ktsim.rules.odds.sequences import kill, mean, shot_damage
from ktsim.rules.odds.solver import ShotSolver
from ktsim.rules.odds.valuation import Damage

Results: TypeAlias = "tuple[tuple[tuple[int, int], float], ...]"
"""Criticals and normal successes, with their probability."""


class Outlook(NamedTuple):
    """Mean damage, and the probability of incapacitating the target."""

    damage: float = 0.0
    kill: float = 0.0


class ShotPlan(NamedTuple):
    """A shot from where somebody stands: what it gains in VP, at whom, with what, and its odds."""

    gain: float
    target: str
    weapon: str
    odds: Outlook


def outlook(damage: Damage, wounds: int) -> Outlook:
    return Outlook(mean(damage), kill(damage, wounds))


def _bare(hand: Hand, side: str) -> Hand:
    """The hand without names, so that equal hands are solved once."""
    return hand.alone("user", "target")._replace(side=side, used=())  # type: ignore[arg-type]


def bare_shot(shot: Shot) -> Shot:
    return shot._replace(hand=_bare(shot.hand, "red"), defender="blue", guards=(), cp=(0, 0))


@lru_cache(maxsize=2000)
def _solved(shot: Shot, edition_id: str) -> tuple[tuple[int, float], ...]:
    return tuple(shot_damage(shot, edition(edition_id).shot_stages).items())


def exact_shot(shot: Shot, wounds: int, edition_id: str = "kt24") -> Outlook:
    """By the rules' own stages; Command Re-rolls and re-rolls of defence dice are left out."""
    return outlook(dict(_solved(bare_shot(shot), edition_id)), wounds)


def reroll_gains(shot: Shot, dice: Dice, wounds: int, edition_id: str = "kt24") -> dict[int, tuple[Outlook, Outlook]]:
    """By face: the outlook of keeping *dice* of a shooting under way, and of re-rolling one that shows the face."""
    stages, start = edition(edition_id).shot_stages, bare_shot(shot)
    is_attack = shot.hand.dice == dice and shot.stage.startswith("attack")
    solver = ShotSolver(start, stages)

    def seen(now: Dice) -> Damage:
        position = start._replace(hand=start.hand._replace(dice=now)) if is_attack else start._replace(dice=now)
        return solver.distribution(position)[0]

    kept, found = outlook(seen(dice), wounds), {}
    for face in sorted({die.face for die in dice if not die.is_rerolled}):
        rest = list(dice)
        rest.remove(Die(face))
        again: Damage = {}
        for fresh in range(1, 7):
            for damage, chance in seen(joined(tuple(rest), (fresh,))).items():
                again[damage] = again.get(damage, 0.0) + chance / 6
        found[face] = (kept, outlook(again, wounds))
    return found


# -- quick ones --------------------------------------------------------------------------------------


def quick_shot(shot: Shot, wounds: int) -> Outlook:
    return outlook(dict(_quick(bare_shot(shot))), wounds)


@lru_cache(maxsize=5000)
def _quick(shot: Shot) -> tuple[tuple[int, float], ...]:
    hand = shot.hand
    brutal = any(rule.is_brutal for rule in hand.rules)
    cover = shot.cover
    for rule in hand.rules:
        cover = rule.cover_saves(cover)
    found: Damage = {}
    for (crits, normals), chance in successes(hand):
        if hand.is_obscured:
            crits, normals = 0, max(0, crits + normals - 1)
        retained = hand._replace(crits=crits, normals=normals)
        dice = shot.defence - sum(getattr(rule, "x", 0) for rule in hand.rules if _pierces(rule, retained))
        dice, kept = max(0, dice), min(cover, max(0, dice))
        extra = max((rule.critical_damage() for rule in hand.rules), default=0) * crits
        for (saved, saves), share in _rolled(dice - kept, shot.save, 6):
            usable = 0 if brutal else saves + kept
            least = min(
                (normals - n) * hand.normal + (crits - c) * hand.critical
                for n, c in allocations(normals, crits, usable, saved)
            )
            found[least + extra] = found.get(least + extra, 0.0) + chance * share
    return tuple(found.items())


def _pierces(rule: WeaponRule, hand: Hand) -> bool:
    return rule.is_piercing and (hand.crits > 0 or "Crits" not in rule.text)


def successes(hand: Hand) -> Results:
    """What the attack dice come to. Re-rolls are averaged into each die's chance."""
    names = {rule.text for rule in hand.rules}
    kept = min(hand.atk, max((rule.unrolled() for rule in hand.rules), default=0))
    return _attack(
        hand.atk - kept,
        hand.hit,
        hand.critical_on,
        kept,
        "Relentless" in names,
        "Ceaseless" in names,
        "Balanced" in names,
        "Rending" in names,
        "Punishing" in names,
        "Severe" in names,
    )


@lru_cache(maxsize=2000)
def _attack(
    dice: int,
    hit: int,
    critical_on: int,
    kept: int,
    relentless: bool,
    ceaseless: bool,
    balanced: bool,
    rending: bool,
    punishing: bool,
    severe: bool,
) -> Results:
    critical, normal = _chances(hit, critical_on)
    fail = 1 - critical - normal
    share = 0.0
    if relentless:
        share = fail
    elif ceaseless:
        share = 1 / 6
    elif balanced and dice:
        share = (1 - (1 - fail) ** dice) / dice
    critical, normal = critical * (1 + share), normal * (1 + share)
    found: dict[tuple[int, int], float] = {}
    for (crits, normals), chance in _spread(dice, critical, normal):
        fails = dice - crits - normals
        normals += kept
        if crits and fails and punishing:
            normals += 1
        if crits and normals > kept and rending:
            crits, normals = crits + 1, normals - 1
        elif not crits and normals and severe:
            crits, normals = 1, normals - 1
        found[crits, normals] = found.get((crits, normals), 0.0) + chance
    return tuple(found.items())


def _chances(needed: int, critical_on: int) -> tuple[float, float]:
    critical = (7 - min(6, max(critical_on, needed))) / 6
    return critical, (7 - max(2, min(6, needed))) / 6 - critical


def _spread(dice: int, critical: float, normal: float) -> Results:
    fail = max(0.0, 1 - critical - normal)
    return tuple(
        ((c, n), comb(dice, c) * comb(dice - c, n) * critical**c * normal**n * fail ** (dice - c - n))
        for c in range(dice + 1)
        for n in range(dice + 1 - c)
    )


@lru_cache(maxsize=200)
def _rolled(dice: int, needed: int, critical_on: int) -> Results:
    return _spread(dice, *_chances(needed, critical_on))


# -- fights ------------------------------------------------------------------------------------------


class FightOutlook(NamedTuple):
    """For the one who fights: what it inflicts and what it suffers."""

    inflicted: Outlook
    suffered: Outlook


def quick_fight(duel: Duel) -> FightOutlook:
    one, two = (_bare(hand, side) for hand, side in zip(duel.hands, ("red", "blue"), strict=True))
    return _fought(one, two, duel.wounds, duel.first_to_resolve)


@lru_cache(maxsize=2000)
def _fought(one: Hand, two: Hand, wounds: tuple[int, int], first: int) -> FightOutlook:
    sums = [0.0, 0.0, 0.0, 0.0]
    for mine, chance in successes(one):
        for theirs, share in successes(two):
            weight = chance * share
            if weight < 1e-4:
                continue
            left = _resolved(one, two, mine, theirs, wounds, first)
            sums[0] += weight * (wounds[1] - left[1])
            sums[1] += weight * (left[1] <= 0)
            sums[2] += weight * (wounds[0] - left[0])
            sums[3] += weight * (left[0] <= 0)
    return FightOutlook(Outlook(sums[0], sums[1]), Outlook(sums[2], sums[3]))


def _resolved(
    one: Hand, two: Hand, mine: tuple[int, int], theirs: tuple[int, int], wounds: tuple[int, int], turn: int
) -> tuple[int, int]:
    """The wounds left when both resolve sensibly."""
    hands, left = (one, two), list(wounds)
    dice = [list(mine), list(theirs)]
    while min(left) > 0 and any(map(sum, dice)):
        if sum(dice[turn]):
            key = best_resolution(hands[turn], dice[turn], hands[1 - turn], dice[1 - turn], left[turn], left[1 - turn])
            die = 0 if key[-2] == "c" else 1
            if key.startswith("strike"):
                die = 0 if key[-1] == "c" else 1
                left[1 - turn] -= hands[turn].critical if die == 0 else hands[turn].normal
            elif key[-1] != "-":
                dice[1 - turn][0 if key[-1] == "c" else 1] -= 1
            dice[turn][die] -= 1
        turn = 1 - turn
    return left[0], left[1]


def best_resolution(hand: Hand, mine: list[int], enemy: Hand, theirs: list[int], wounds: int, enemy_wounds: int) -> str:
    """``strike c``, ``strike n``, ``block cc`` and so on: strike to kill; block what would kill; else strike."""
    best = "c" if mine[0] and (hand.critical >= hand.normal or not mine[1]) else "n"
    damage = hand.critical if best == "c" else hand.normal
    if damage >= enemy_wounds:
        return f"strike {best}"
    worst = "c" if theirs[0] else "n"
    threat = (enemy.critical if theirs[0] else enemy.normal) if sum(theirs) else 0
    brutal = any(rule.is_brutal for rule in enemy.rules)
    if threat >= wounds:
        if worst == "n" and mine[1] and not brutal:
            return "block nn"
        if mine[0]:
            return f"block c{worst}"
    return f"strike {best}"


def resolution_of(duel: Duel) -> str:
    """The same for whoever's turn it is in a fight."""
    mine, theirs = duel.hands[duel.turn], duel.hands[1 - duel.turn]
    wounds = duel.wounds[duel.turn], duel.wounds[1 - duel.turn]
    return best_resolution(mine, [mine.crits, mine.normals], theirs, [theirs.crits, theirs.normals], *wounds)
