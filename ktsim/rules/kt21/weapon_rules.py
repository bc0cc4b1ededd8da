"""The 2021 edition's weapon rules, one class per printed rule.

Rules that speak of shooting attacks or of combats only do nothing on a weapon of the other kind.
"""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.rules.engine import weapon_rules as common
from ktsim.rules.engine.attack import Dice, Hand, Hands, Reroll, WeaponRule, discarding, open_faces
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import EffectBegan, Event, Told
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.state import Effect, OperativeState, State
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.engine.weapon_rules import Registry
from ktsim.sight.scene import EPS

KT21_WEAPON_RULES = Registry("kt21-lite")
_add = KT21_WEAPON_RULES.add

KT21_WEAPON_RULES.take("KT21-W-BALANCED", "Balanced", common.Balanced)
KT21_WEAPON_RULES.take("KT21-W-LETHAL", "Lethal {x}+", common.Lethal)
KT21_WEAPON_RULES.take("KT21-W-RELENTLESS", "Relentless", common.Relentless)
KT21_WEAPON_RULES.take("KT21-W-RENDING", "Rending", common.Rending)
KT21_WEAPON_RULES.take("KT21-W-SILENT", "Silent", common.Silent)
KT21_WEAPON_RULES.take("KT21-W-TORRENT", "Torrent {d}", common.Torrent)

AROUND = 2.0
"""How near (inches) Splash and Fusillade reach."""
HOT_WOUNDS = 3


@_add("KT21-W-AP", "AP{x}")
@dataclass(frozen=True)
class ArmourPenetration(WeaponRule):
    only = "ranged"
    x: int

    def defence_dice(self, hand: Hand, number: Reasoned) -> Reasoned:
        return number.to(max(0, number.value - self.x), self.id, self.text)


@_add("KT21-W-BARRAGE", "Barrage")
@dataclass(frozen=True)
class Barrage(WeaponRule):
    only = "ranged"

    @property
    def comes_from_above(self) -> bool:
        return True


@_add("KT21-W-BLAST", "Blast {d}")
@dataclass(frozen=True)
class LiteBlast(common.Blast):
    only = "ranged"

    @property
    def forbids_overwatch(self) -> bool:
        return True


@_add("KT21-W-BRUTAL", "Brutal")
@dataclass(frozen=True)
class LiteBrutal(WeaponRule):
    only = "melee"

    @property
    def is_brutal(self) -> bool:
        return True

    @property
    def bars_normals(self) -> bool:
        return True


@_add("KT21-W-CEASELESS", "Ceaseless")
@dataclass(frozen=True)
class LiteCeaseless(WeaponRule):
    """Any or all results of 1, so one after the other as often as wanted."""

    def rerolls(self, dice: Dice) -> list[Reroll]:
        return [Reroll("Ceaseless", face, False, False) for face in open_faces(dice) if face == 1]


@_add("KT21-W-FUSILLADE", "Fusillade")
@dataclass(frozen=True)
class Fusillade(WeaponRule):
    only = "ranged"

    @property
    def divides(self) -> float | None:
        return AROUND


@_add("KT21-W-HEAVY", "Heavy")
@dataclass(frozen=True)
class LiteHeavy(WeaponRule):
    """No Charge, Fall Back or Normal Move in an activation with a Shoot action with the weapon; a Dash is allowed.

    Shots outside the operative's own activation (Overwatch, on guard) are not concerned.
    """

    only = "ranged"

    def forbids_use(self, state: State, operative: OperativeState, weapon: str) -> str | None:
        now = state.activation
        if now is None or now.operative != operative.id:
            return None
        moved = [move for move in now.moves if self.forbids_move(move)]
        return f"{self.text}: not after {moved[0]}." if moved else None

    def forbids_move(self, action: str) -> str | None:
        is_barred = action in ("Normal Move", "Charge", "Fall Back")
        return f"{self.text}: no {action} after using the weapon." if is_barred else None


@_add("KT21-W-HOT", "Hot")
@dataclass(frozen=True)
class LiteHot(WeaponRule):
    """Every 1 that is left when the attack dice are sorted is discarded and hurts; the attack goes on regardless."""

    only = "ranged"

    def discarding(self, hand: Hand, failed: tuple[int, ...]) -> Steps[None]:
        if ones := failed.count(1):
            yield Told(f"Hot: {{0}} discards {ones} result{'s' * (ones > 1)} of 1.", self.id, (hand.operative,))
            yield Wounded(hand.operative, HOT_WOUNDS * ones, "mortal wounds, Hot", hand.operative)


@_add("KT21-W-INDIRECT", "Indirect")
@dataclass(frozen=True)
class Indirect(WeaponRule):
    """Enemies are not in cover when the target is selected; a cover save is theirs all the same."""

    only = "ranged"

    @property
    def sight_words(self) -> tuple[str, ...]:
        return ("indirect",)


@_add("KT21-W-LIMITED", "Limited")
@dataclass(frozen=True)
class LiteLimited(WeaponRule):
    @property
    def limit(self) -> int | None:
        return 1

    def forbids_use(self, state: State, operative: OperativeState, weapon: str) -> str | None:
        return f"{self.text}: used up." if operative.uses.get(weapon, 0) else None


@_add("KT21-W-MW", "MW{x}")
@dataclass(frozen=True)
class MortalWounds(WeaponRule):
    only = "ranged"
    x: int

    def critical_damage(self) -> int:
        return self.x


@_add("KT21-W-NO-COVER", "No Cover")
@dataclass(frozen=True)
class NoCover(WeaponRule):
    only = "ranged"

    def cover_saves(self, number: int) -> int:
        return 0


@_add("KT21-W-P", "P{x}")
@dataclass(frozen=True)
class LitePiercing(WeaponRule):
    """APx while any critical hit is retained."""

    only = "ranged"
    x: int

    def defence_dice(self, hand: Hand, number: Reasoned) -> Reasoned:
        return number.to(max(0, number.value - self.x), self.id, self.text) if hand.crits else number


@_add("KT21-W-REAP", "Reap {x}")
@dataclass(frozen=True)
class Reap(WeaponRule):
    only = "melee"
    x: int

    @property
    def reap(self) -> int:
        return self.x

    def struck(self, hands: Hands, index: int, number: int) -> tuple[Hands, list[Event]]:
        mine = hands[index]
        told: list[Event] = [
            Wounded(other, amount, f"mortal wounds, {self.text}", mine.operative) for other, amount in mine.bystanders
        ]
        return hands, told


@_add("KT21-W-RNG", "Rng {d}")
@dataclass(frozen=True)
class LiteRange(WeaponRule):
    only = "ranged"
    x: float

    def forbids_target(self, distance: float) -> str | None:
        return None if distance <= self.x + EPS else f'{self.text}: the target is {distance:.2f}" away.'

    @property
    def sight_words(self) -> tuple[str, ...]:
        return (f"rng {self.x:g}",)


@_add("KT21-W-SPLASH", "Splash {x}")
@dataclass(frozen=True)
class Splash(WeaponRule):
    only = "ranged"
    x: int

    def critical_damage(self) -> int:
        return self.x

    @property
    def splash(self) -> float | None:
        return AROUND


@_add("KT21-W-STUN", "Stun")
@dataclass(frozen=True)
class LiteStun(WeaponRule):
    """Shooting: any critical hit retained takes 1 APL. Fighting: the first critical strike discards a normal hit, the
    second takes 1 APL. APL is changed until the end of the target's present or next activation."""

    strikes_counted = 2

    @property
    def stuns(self) -> bool:
        return True

    def struck(self, hands: Hands, index: int, number: int) -> tuple[Hands, list[Event]]:
        theirs = hands[1 - index]
        if number == 1 and theirs.normals:
            told = Told("Stun: {0} discards a normal hit.", self.id, (theirs.operative,))
            return discarding(hands, 1 - index, "normal"), [told]
        return hands, [stunned(theirs.operative)] if number == 2 else []


def stunned(operative: str) -> EffectBegan:
    return EffectBegan(
        Effect("Stun", "KT21-W-STUN", "next-activation", operative, stat="apl", amount=-1, is_pending=True)
    )


@_add("KT21-W-UNWIELDY", "Unwieldy")
@dataclass(frozen=True)
class Unwieldy(WeaponRule):
    only = "ranged"

    @property
    def extra_ap(self) -> int:
        return 1

    @property
    def forbids_overwatch(self) -> bool:
        return True
