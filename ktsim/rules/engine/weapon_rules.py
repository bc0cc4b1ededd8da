"""Finding weapon rules from their printed text, and those that do the same in every edition.

A registry (one per edition) turns printed text such as ``Piercing Crits 1`` or ``Heavy (Dash only)`` into an instance.
An edition takes the common rules it has under its own ids and printed forms.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

from ktsim.content.weapon_rule_forms import FORMS, Printed, add_form, load_brought, read
from ktsim.errors import Problem, UserError
from ktsim.rules.engine.attack import Dice, Hand, Reroll, WeaponRule, open_faces
from ktsim.rules.engine.decisions import Steps, confirm
from ktsim.rules.engine.events import Told

R = TypeVar("R", bound=type[WeaponRule])


REGISTRIES: dict[str, Registry] = {}
"""By edition."""


class Registry:
    """The weapon rules of one edition, by printed text."""

    def __init__(self, edition: str) -> None:
        self.edition = edition
        REGISTRIES[edition] = self
        self._classes: dict[str, type[WeaponRule]] = {}
        self._known: dict[str, WeaponRule] = {}

    def add(self, id: str, form: str) -> Callable[[R], R]:
        """Register a class under its printed form (see ``ktsim.content.weapon_rule_forms``)."""

        def register(cls: R) -> R:
            if form in self._classes:
                raise ValueError(f"there is already a weapon rule printed {form!r}")
            cls.id = id
            self._classes[form] = cls
            if form not in FORMS[self.edition]:
                add_form(self.edition, form)
            return cls

        return register

    def take(self, id: str, form: str, shared: type[WeaponRule]) -> None:
        """Register a rule that other editions have too, as a class of its own so that each has its id."""
        self.add(id, form)(type(shared.__name__, (shared,), {"__doc__": shared.__doc__, "__module__": __name__}))

    @property
    def forms(self) -> list[str]:
        load_brought()
        return list(self._classes)

    def _read(self, text: str) -> Printed | str:
        """As printed; where it is not known, packages may bring it."""
        if isinstance(found := read(text, self._classes), str):
            load_brought()
            found = read(text, self._classes)
        return found

    def find(self, text: str) -> WeaponRule | None:
        """The rule printed as *text*, if there is one."""
        found = self._read(text)
        return None if isinstance(found, str) else self._made(found)

    def form_of(self, text: str) -> str:
        """The form a known rule printed as *text* is registered under."""
        found = self._read(text)
        assert isinstance(found, Printed), f"{text} is no weapon rule of {self.edition}"
        return found.form

    def parse(self, text: str) -> WeaponRule:
        """The rule printed as *text*; raises :class:`UserError` naming what would be right."""
        if text not in self._known:
            found = self._read(text)
            if isinstance(found, str):
                raise UserError(Problem("", found))
            self._known[text] = self._made(found)
        return self._known[text]

    def _made(self, printed: Printed) -> WeaponRule:
        return self._classes[printed.form](*printed.values, text=printed.text)

    def parse_all(self, texts: Iterable[str]) -> tuple[WeaponRule, ...]:
        """Every rule of *texts*; the same text twice helps once, unless such rules add up."""
        return distinct(map(self.parse, texts))


def distinct(rules: Iterable[WeaponRule]) -> tuple[WeaponRule, ...]:
    """*rules* without those that help no more for being there twice."""
    found: list[WeaponRule] = []
    for rule in rules:
        if rule.adds_up or rule not in found:
            found.append(rule)
    return tuple(found)


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
