"""The 2024 edition's weapon rules, one class per printed rule, and those that only equipment brings."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.rules.engine import weapon_rules as common
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.attack import Dice, Die, Hand, Hands, Reroll, WeaponRule, discarding, open_faces
from ktsim.rules.engine.cards import brought_as
from ktsim.rules.engine.decisions import Steps, confirm
from ktsim.rules.engine.events import Event, Told
from ktsim.rules.engine.state import OperativeState, State
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.engine.weapon_rules import Registry
from ktsim.sight.scene import EPS

KT24_WEAPON_RULES = Registry("kt24")
_add = KT24_WEAPON_RULES.add

KT24_WEAPON_RULES.take("KT24-W-BALANCED", "Balanced", common.Balanced)
KT24_WEAPON_RULES.take("KT24-W-BLAST", "Blast {d}", common.Blast)
KT24_WEAPON_RULES.take("KT24-W-LETHAL", "Lethal {x}+", common.Lethal)
KT24_WEAPON_RULES.take("KT24-W-RELENTLESS", "Relentless", common.Relentless)
KT24_WEAPON_RULES.take("KT24-W-RENDING", "Rending", common.Rending)
KT24_WEAPON_RULES.take("KT24-W-SILENT", "Silent", common.Silent)
KT24_WEAPON_RULES.take("KT24-W-TORRENT", "Torrent {d}", common.Torrent)


@_add("KT24-W-ACCURATE", "Accurate {x}")
@dataclass(frozen=True)
class Accurate(WeaponRule):
    adds_up = True
    x: int

    def unrolled(self) -> int:
        return self.x


@_add("KT24-W-BRUTAL", "Brutal")
@dataclass(frozen=True)
class Brutal(WeaponRule):
    @property
    def is_brutal(self) -> bool:
        return True


@_add("KT24-W-CEASELESS", "Ceaseless")
@dataclass(frozen=True)
class Ceaseless(WeaponRule):
    def rerolls(self, dice: Dice) -> list[Reroll]:
        """All dice of one result, or any number of them."""
        return [
            Reroll("Ceaseless", face, True, True, part)
            for face in open_faces(dice)
            for part in (0, *range(dice.count(Die(face)) - 1, 0, -1))
        ]


@_add("KT24-W-DEVASTATING", "Devastating {x}")
@dataclass(frozen=True)
class Devastating(WeaponRule):
    x: int

    def critical_damage(self) -> int:
        return self.x


@_add("KT24-W-DEVASTATING", "{d} Devastating {x}")
@dataclass(frozen=True)
class DevastatingAround(WeaponRule):
    """Devastating with a distance: everybody visible to and within it of the target suffers as well."""

    distance: float
    x: int

    def critical_damage(self) -> int:
        return self.x

    @property
    def splash(self) -> float | None:
        return self.distance


@_add("KT24-W-HEAVY", "Heavy")
@_add("KT24-W-HEAVY", "Heavy ({word} only)")
@dataclass(frozen=True)
class Heavy(WeaponRule):
    """With an *exception* that move action is permitted, and what counts as it."""

    exception: str = ""

    def forbids_use(self, state: State, operative: OperativeState, weapon: str) -> str | None:
        now = state.activation
        if now is None or now.operative != operative.id:
            return None
        moved = [move for move in now.moves if Action.counted_as(move) != self.exception]
        return f"{self.text}: not after {moved[0]}." if moved else None

    def forbids_move(self, action: str) -> str | None:
        return None if action == self.exception else f"{self.text}: no {action} after using the weapon."


@_add("KT24-W-HOT", "Hot")
@dataclass(frozen=True)
class Hot(WeaponRule):
    @property
    def is_hot(self) -> bool:
        return True


@_add("KT24-W-LIMITED", "Limited {x}")
@dataclass(frozen=True)
class Limited(WeaponRule):
    x: int

    @property
    def limit(self) -> int | None:
        return self.x

    def forbids_use(self, state: State, operative: OperativeState, weapon: str) -> str | None:
        used = operative.uses.get(weapon, 0)
        return f"{self.text}: used up." if used >= self.x else None


def blunt(x: int) -> int:
    """Piercing as smoke leaves it (KT24-SMOKE as of 2026-01): 2 counts as 1, and 1 stays. Our reading of more than
    that, which is printed nowhere: one less."""
    return min(x, max(1, x - 1))


@_add("KT24-W-PIERCING", "Piercing {x}")
@dataclass(frozen=True)
class Piercing(WeaponRule):
    """It and Piercing Crits are two printed forms of one rule: of both the one counts that takes more dice."""

    x: int

    @property
    def is_piercing(self) -> bool:
        return True

    def blunted(self) -> Piercing:
        x = blunt(self.x)
        return Piercing(x, text=f"Piercing {x}")

    def defence_dice(self, hand: Hand, number: Reasoned) -> Reasoned:
        return number.to(max(0, number.value - self.x), self.id, self.text)


@_add("KT24-W-PIERCING-CRITS", "Piercing Crits {x}")
@dataclass(frozen=True)
class PiercingCrits(WeaponRule):
    x: int

    @property
    def is_piercing(self) -> bool:
        return True

    def blunted(self) -> PiercingCrits:
        x = blunt(self.x)
        return PiercingCrits(x, text=f"Piercing Crits {x}")

    def defence_dice(self, hand: Hand, number: Reasoned) -> Reasoned:
        return number.to(max(0, number.value - self.x), self.id, self.text) if hand.crits else number


@_add("KT24-W-PUNISHING", "Punishing")
@dataclass(frozen=True)
class Punishing(WeaponRule):
    def retaining(self, hand: Hand) -> Steps[Hand]:
        if not (hand.has_rolled_critical and hand.fails):
            return hand
        if not (
            yield from confirm(hand.side, "punishing", "Punishing: retain a fail as a normal success?", obvious=True)
        ):
            return hand
        yield Told("Punishing: a fail is retained as a normal success.", self.id)
        return hand._replace(fails=hand.fails - 1, normals=hand.normals + 1, fixed=hand.fixed + 1)


@_add("KT24-W-RANGE", "Range {d}")
@dataclass(frozen=True)
class Range(WeaponRule):
    x: float

    def forbids_target(self, distance: float) -> str | None:
        return None if distance <= self.x + EPS else f'{self.text}: the target is {distance:.2f}" away.'

    @property
    def sight_words(self) -> tuple[str, ...]:
        return (f"range {self.x:g}",)


@_add("KT24-W-SATURATE", "Saturate")
@dataclass(frozen=True)
class Saturate(WeaponRule):
    def cover_saves(self, number: int) -> int:
        return 0


@_add("KT24-W-SEEK", "Seek")
@dataclass(frozen=True)
class Seek(WeaponRule):
    @property
    def sight_words(self) -> tuple[str, ...]:
        return ("seek",)


@_add("KT24-W-SEEK-LIGHT", "Seek Light")
@dataclass(frozen=True)
class SeekLight(WeaponRule):
    @property
    def sight_words(self) -> tuple[str, ...]:
        return ("seek light",)


@_add("KT24-W-SEVERE", "Severe")
@dataclass(frozen=True)
class Severe(WeaponRule):
    def retaining(self, hand: Hand) -> Steps[Hand]:
        if hand.crits or not hand.normals:
            return hand
        if not (yield from confirm(hand.side, "severe", "Severe: change a normal success to critical?", obvious=True)):
            return hand
        yield Told("Severe: a normal success becomes critical.", self.id)
        fixed = min(hand.fixed, hand.normals - 1)
        return hand._replace(normals=hand.normals - 1, crits=1, fixed=fixed, has_severe=True)


@_add("KT24-W-SHOCK", "Shock")
@dataclass(frozen=True)
class Shock(WeaponRule):
    """The first critical strike also discards a normal success, or a critical one if there is none."""

    strikes_counted = 1

    def struck(self, hands: Hands, index: int, number: int) -> tuple[Hands, list[Event]]:
        theirs = hands[1 - index]
        if number != 1 or not theirs.successes:
            return hands, []
        gone = "normal" if theirs.normals else "critical"
        told = Told("Shock: {0} discards a " + f"{gone} success.", self.id, (theirs.operative,))
        return discarding(hands, 1 - index, gone), [told]


@_add("KT24-W-STUN", "Stun")
@dataclass(frozen=True)
class Stun(WeaponRule):
    @property
    def stuns(self) -> bool:
        return True


RESUPPLIED = "Ammo Resupply"


@KT24_WEAPON_RULES.add("KT24-E-AMMO-CACHE", RESUPPLIED)
@dataclass(frozen=True)
class Resupplied(WeaponRule):
    """Re-roll one attack die; not the rule Balanced, so a weapon that has that re-rolls two."""

    def rerolls(self, dice: Dice) -> list[Reroll]:
        return [Reroll(RESUPPLIED, face, False, True) for face in open_faces(dice)]


@KT24_WEAPON_RULES.add("KT24-E-EXPLOSIVE-GRENADES", "Team Limited {x}")
@dataclass(frozen=True)
class TeamLimited(WeaponRule):
    """Gone after so many uses by anybody of the team; one action is one use."""

    x: int

    @property
    def limit(self) -> int | None:
        return self.x

    def forbids_use(self, state: State, operative: OperativeState, weapon: str) -> str | None:
        team = [who for who in state.operatives.values() if who.side == operative.side]
        key = brought_as(weapon)  # whoever has one of that name already has it by another key
        used = sum(uses for who in team for own, uses in who.uses.items() if brought_as(own) == key)
        return f"{self.text}: used up." if used >= self.x else None
