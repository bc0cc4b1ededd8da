"""Weapon rules that do the same in every edition. Each edition takes those it has under its own id and printed form."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.rules.engine.decisions import Steps, confirm
from ktsim.rules.engine.dice import Dice, Hand, Reroll, open_faces
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.weapon_rule import WeaponRule


@dataclass(frozen=True)
class Balanced(WeaponRule):
    def rerolls(self, dice: Dice) -> list[Reroll]:
        return [Reroll("Balanced", face, False, True) for face in open_faces(dice)]


@dataclass(frozen=True)
class OneReroll(WeaponRule):
    """A re-roll of one die that a rule named *text* gives; another rule gives another one."""

    def rerolls(self, dice: Dice) -> list[Reroll]:
        return [Reroll(self.text, face, False, True) for face in open_faces(dice)]


@dataclass(frozen=True)
class Blast(WeaponRule):
    x: float

    @property
    def blast(self) -> float | None:
        return self.x


@dataclass(frozen=True)
class Lethal(WeaponRule):
    x: int

    def critical_on(self) -> int:
        return self.x


@dataclass(frozen=True)
class Relentless(WeaponRule):
    def rerolls(self, dice: Dice) -> list[Reroll]:
        return [Reroll("Relentless", face, False, False) for face in open_faces(dice)]


@dataclass(frozen=True)
class Rending(WeaponRule):
    def retaining(self, hand: Hand) -> Steps[Hand]:
        if not (hand.has_rolled_critical and hand.normals > hand.fixed):
            return hand
        if not (
            yield from confirm(hand.side, "rending", "Rending: retain a normal success as critical?", obvious=True)
        ):
            return hand
        yield Told("Rending: a normal success is retained as critical.", self.id)
        return hand._replace(normals=hand.normals - 1, crits=hand.crits + 1)


@dataclass(frozen=True)
class Silent(WeaponRule):
    @property
    def is_silent(self) -> bool:
        return True


@dataclass(frozen=True)
class Torrent(WeaponRule):
    x: float

    @property
    def torrent(self) -> float | None:
        return self.x
