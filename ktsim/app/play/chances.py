"""The chances of a shot or a fight as the panels show them, solved by the engine's own stages."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from ktsim.rules.editions import edition
from ktsim.rules.engine.attack import Attack, Hand, Rules
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.fight.combat import assisting, make_duel
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.shoot.targets import rule_on, target_refusal
from ktsim.rules.engine.state import OperativeState, other
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.weapons import make_hand
from ktsim.rules.odds.sequences import duel_damage, kill, mean, shot_damage


@dataclass(frozen=True)
class Chance:
    """Expected damage, and the probability of taking the target out."""

    damage: float
    kill: float

    def words(self) -> str:
        return f"{self.damage:.1f} damage, {self.kill:.0%} to take out"


@lru_cache(maxsize=512)
def shot_chance(shot: Shot, wounds: int, edition_id: str) -> Chance:
    """The chance of a shooting sequence against a target with so many wounds."""
    damage = shot_damage(shot, edition(edition_id).shot_stages)
    return Chance(mean(damage), kill(damage, wounds))


@lru_cache(maxsize=256)
def duel_chance(duel: Duel, edition_id: str) -> tuple[Chance, Chance]:
    """What the attacker inflicts and what it suffers in a fight sequence."""
    suffered, inflicted = duel_damage(duel, edition(edition_id).duel_stages)
    one, two = duel.wounds
    return Chance(mean(inflicted), kill(inflicted, two)), Chance(mean(suffered), kill(suffered, one))


@dataclass(frozen=True)
class Aimed:
    """One weapon at one target: what the ruling says, why not if not, and the sequence to be solved."""

    weapon: str
    target: str
    ruling: TargetRuling
    refusal: str
    shot: Shot
    wounds: int
    edition: str

    def chance(self) -> Chance:
        return shot_chance(self.shot, self.wounds, self.edition)


@dataclass(frozen=True)
class Engaged:
    """One weapon against one enemy's: the fight to be solved."""

    weapon: str
    enemy: str
    duel: Duel
    edition: str

    def chances(self) -> tuple[Chance, Chance]:
        """What is inflicted and what is suffered."""
        return duel_chance(self.duel, self.edition)


def plain(shot: Shot) -> Shot:
    """The sequence without what does not change its odds, so that equal ones are solved once."""
    return shot._replace(hand=_anonymous(shot.hand), cp=(0, 0))


def _anonymous(hand: Hand) -> Hand:
    return hand.alone(hand.side, other(hand.side))


def aim(battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState) -> Aimed:
    """*who* aiming *weapon* at *target*; cover and obscured as they stand before any choice."""
    rules: Rules = battle.weapon_rules(who, weapon)
    ruling = rule_on(battle, who, target, rules)
    refusal = target_refusal(battle, who, target.id, ruling, rules) or ""
    against = battle.weapon_rules(who, weapon, target)
    shot = battle.edition.make_shot(battle, Attack(who, weapon, against, battle.hit(who, weapon), target, ruling))
    return Aimed(weapon.key, target.id, ruling, refusal, plain(shot), target.wounds, battle.edition.id)


def engage(battle: Battle, who: OperativeState, weapon: Profile, enemy: OperativeState, theirs: Profile) -> Engaged:
    """*who* fighting *enemy* with these weapons."""
    hands = []
    for one, gun, two in ((who, weapon, enemy), (enemy, theirs, who)):
        hit = battle.hit(one, gun, [friend.name for friend in assisting(battle, one, two)])
        rules = tuple(rule for rule in battle.weapon_rules(one, gun, two) if rule.only != "ranged")
        hand = make_hand(battle, Attack(one, gun, rules, hit, two))
        hands.append((one, hand))
    made = make_duel(battle, hands[0], hands[1])
    duel = made._replace(hands=(_anonymous(made.hands[0]), _anonymous(made.hands[1])), cp=(0, 0))
    return Engaged(weapon.key, enemy.id, duel, battle.edition.id)
