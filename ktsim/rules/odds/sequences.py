"""Exact odds of one shooting or fight sequence, by the very stages play runs.

Each side plays to its own advantage: much or little expected damage when shooting; in a fight more inflicted than
suffered, where damage beyond the last wound does not count (it is in the distribution). Command Re-rolls are not
part of it. Nobody else stands near; those who fight are in each other's control range.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ktsim.rules.engine.attack import Hand, WeaponRule
from ktsim.rules.engine.dice import hot_damage
from ktsim.rules.engine.fight.stages import Duel, DuelStage
from ktsim.rules.engine.shoot.stages import Shot, ShotStage
from ktsim.rules.engine.state import Side, other
from ktsim.rules.engine.table import CONTROL_RANGE
from ktsim.rules.odds.rerolling import FightSolver
from ktsim.rules.odds.solver import ShotSolver
from ktsim.rules.odds.valuation import Damage


@dataclass(frozen=True)
class Numbers:
    """A weapon's numbers."""

    attack: int
    hit: int
    normal: int
    critical: int
    rules: tuple[WeaponRule, ...] = ()

    def hand(self, side: Side, is_obscured: bool = False) -> Hand:
        return Hand(
            side=side,
            operative=side,
            target=other(side),
            atk=self.attack,
            hit=self.hit,
            normal=self.normal,
            critical=self.critical,
            rules=self.rules,
            is_obscured=is_obscured,
        )

    def melee(self, side: Side) -> Hand:
        """In a fight Devastating that reaches as far as control range hurts its user as well."""
        splash = [
            rule.critical_damage() for rule in self.rules if rule.splash is not None and rule.splash >= CONTROL_RANGE
        ]
        hand = self.hand(side)
        return hand._replace(bystanders=((side, max(splash)),)) if splash else hand


def shoot_odds(
    weapon: Numbers,
    *,
    save: int,
    defence: int = 3,
    cover: int = 0,
    is_obscured: bool = False,
    is_improved: bool = False,
    invulnerable: int = 0,
    stages: Mapping[str, ShotStage],
) -> Damage:
    """The damage one shooting sequence inflicts on its target, by the *stages* of an edition."""
    hand = weapon.hand("red", is_obscured)
    shot = Shot(hand, "blue", save, defence=defence, cover=cover, is_improved=is_improved, invulnerable=invulnerable)
    return shot_damage(shot, stages)


def shot_damage(shot: Shot, stages: Mapping[str, ShotStage]) -> Damage:
    """The damage a sequence about to begin inflicts."""
    if shot.hand.side == "blue":  # the solver takes whoever is red for the attacker
        hand = shot.hand._replace(side="red")
        shot = shot._replace(hand=hand, defender="blue", cp=(shot.cp[1], shot.cp[0]))
    (damage,) = ShotSolver(shot, stages).distribution(shot)
    return dict(sorted(damage.items()))


def duel_damage(duel: Duel, stages: Mapping[str, DuelStage]) -> tuple[Damage, Damage]:
    """The damage a fight about to begin inflicts on the attacker and on the defender, Hot weapons' on their users
    included; nobody strikes or blocks otherwise because of what Hot may do afterwards."""
    one, two = duel.hands
    if one.side == "blue":
        hands = (one._replace(side="red"), two._replace(side="blue"))
        duel = duel._replace(hands=hands, cp=(duel.cp[1], duel.cp[0]))
    found = FightSolver(duel, stages).distribution()
    mine, theirs = (
        with_hot(damage, hand.hit, wounds) if any(rule.is_hot for rule in hand.rules) else damage
        for damage, hand, wounds in zip(found, duel.hands, duel.wounds, strict=True)
    )
    return dict(sorted(mine.items())), dict(sorted(theirs.items()))


def with_hot(damage: Damage, hit: int, wounds: int) -> Damage:
    """*damage* to a Hot weapon's user and what Hot inflicts on it after use, unless it is incapacitated by then."""
    found: Damage = {}
    for amount, chance in damage.items():
        faces = range(1, 7) if amount < wounds else ()
        for after in [amount + hot_damage(face, hit) for face in faces] or [amount]:
            found[after] = found.get(after, 0.0) + chance / (6 if faces else 1)
    return found


def fight_odds(
    attacker: Numbers,
    wounds: int,
    defender: Numbers,
    defender_wounds: int,
    stages: Mapping[str, DuelStage],
) -> tuple[Damage, Damage]:
    """The damage a fight inflicts on the attacker and on the defender, by the *stages* of an edition."""
    duel = Duel((attacker.melee("red"), defender.melee("blue")), (wounds, defender_wounds))
    return duel_damage(duel, stages)


def mean(damage: Damage) -> float:
    return sum(amount * chance for amount, chance in damage.items())


def kill(damage: Damage, wounds: int) -> float:
    """The probability of at least *wounds* damage."""
    return sum(chance for amount, chance in damage.items() if amount >= wounds)
