"""What a team brings, as values: datacards, weapon profiles, ploys, reminder cards. Files are read elsewhere."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal

from ktsim.sight.scene import Base, Figure


@dataclass(frozen=True)
class Profile:
    """One weapon profile, used as a weapon of its own. *key* is unique on its datacard."""

    key: str
    name: str
    kind: Literal["ranged", "melee"]
    atk: int
    hit: int
    normal: int
    critical: int
    rules: tuple[str, ...] = ()
    shown: tuple[str, ...] = ()
    """Rules printed on the weapon that the engine does not know; a reminder says what they do."""
    traits: tuple[str, ...] = ()
    """What other rules may ask for and does nothing by itself, such as ``psychic``."""
    is_unclear: bool = False
    """Whether a rule of it is not enforced: bots leave it alone, people see a mark."""

    @property
    def mark(self) -> str:
        """What people see beside its name."""
        return f" [by hand: {', '.join(self.shown)}]" if self.is_unclear else ""

    def is_as_good(self, other: Profile) -> bool:
        """Whether it is *other*'s equal or better in every stat, with all of its weapon rules."""
        return (
            self.kind == other.kind
            and self.atk >= other.atk
            and self.hit <= other.hit
            and self.normal >= other.normal
            and self.critical >= other.critical
            and {*other.rules, *other.shown} <= {*self.rules, *self.shown}
        )


ANOTHER = "another-"
"""How the key of a weapon begins that is brought to an operative under a key it has already."""


def another(weapon: Profile, keys: Container[str]) -> Profile:
    """The weapon under a key that is none of *keys*, which has its own."""
    key = ANOTHER + weapon.key
    while key in keys:
        key = ANOTHER + key
    return replace(weapon, key=key)


def brought_as(key: str) -> str:
    """The key under which a weapon was brought that an operative has by *key*."""
    while key.startswith(ANOTHER):
        key = key.removeprefix(ANOTHER)
    return key


@dataclass(frozen=True)
class Ability:
    """Something a datacard or a team can do. *rule* names the class that does it (``ktsim.rules.teams``).

    Without one the engine does none of it and it is shown as a reminder.
    """

    name: str
    text: str
    rule: str = ""


@dataclass(frozen=True)
class Reminder:
    """One card. Nothing it says is enforced."""

    when: tuple[str, ...]
    title: str
    text: str

    def is_due(self, moment: str) -> bool:
        return moment in self.when


@dataclass(frozen=True)
class Datacard:
    """One type of operative."""

    id: str
    name: str
    apl: int
    move: int
    save: int
    wounds: int
    base: Base
    height: float
    model: str
    keywords: tuple[str, ...]
    weapons: tuple[Profile, ...]
    abilities: tuple[Ability, ...]
    limit: int
    reminders: tuple[Reminder, ...] = ()
    defence: int = 3
    """Defence dice (2021's Df)."""
    invulnerable: int = 0
    """2021's Invulnerable Save; 0: none."""
    width: float = 0.0
    """How wide its miniature is, in inches; 0: in proportion to its height."""
    mesh: str = ""
    """The mesh that is its miniature, by its name and what it holds; "" for one of our models."""
    body: Figure | None = field(default=None, compare=False, repr=False)
    """That miniature, read."""
    behaviour: tuple[str, ...] = ()
    """What it does when nobody plays it: the first thing that can be done (``ktsim.rules.teams.behaviour``)."""

    kind: str = ""
    """The datacard of its team it was made from, where a roster has several of it; its own id if that is empty."""
    options: tuple[str, ...] = ()
    """What was chosen for it with the roster: a mark, a tactic, a boon."""
    names: tuple[str, ...] = ()
    """What its operatives are called in the roster, in its order; those beyond go by the datacard's name."""

    @property
    def type(self) -> str:
        """The datacard of its team."""
        return self.kind or self.id

    def weapon(self, key: str) -> Profile:
        return next(profile for profile in self.weapons if profile.key == key)


@dataclass(frozen=True)
class PloyEffect:
    """What a strategy ploy changes for its side until the end of the turning point, without a class of its own.

    Either *grants* is a weapon rule the *weapons* have, or *amount* is added to *stat*; *only_if* is a condition.
    """

    grants: str = ""
    weapons: Literal["", "ranged", "melee"] = ""
    stat: str = ""
    amount: int = 0
    only_if: str = ""


@dataclass(frozen=True)
class Ploy:
    """A ploy: its effects and the class that does what they cannot say (*rule*)."""

    id: str
    name: str
    kind: Literal["strategy", "firefight"]
    cost: int
    text: str
    effects: tuple[PloyEffect, ...] = ()
    rule: str = ""

    @property
    def is_enforced(self) -> bool:
        """Whether the engine does what the text says; what it does not do is shown as a reminder."""
        return self.rule != "" or (self.kind == "strategy" and self.effects != ())


DUE = {"strategy": ("strategy",), "firefight": ("firefight",), "equipment": ("set-up",)}
"""When a text that does not say it is shown, by its kind; all others as an operative is activated."""


def own_key(text_id: str) -> str:
    """What a team's own equipment is called among the equipment chosen for a battle."""
    return f"own-{text_id}"


@dataclass(frozen=True)
class Team:
    """A kill team: its datacards, how many to select, its ploys."""

    id: str
    name: str
    archetypes: tuple[str, ...]
    size: int
    cards: tuple[Datacard, ...]
    roster: tuple[str, ...]
    ploys: tuple[Ploy, ...] = ()
    abilities: tuple[Ability, ...] = ()
    reminders: tuple[Reminder, ...] = ()
    digest: str = field(default="", compare=False)
    edition: str = "kt24"
    texts: tuple[Any, ...] = ()
    """What its abilities, actions, ploys and equipment say, as far as it is in the language of team rules
    (``ktsim.rules.teams.language``)."""
    composition: Any = None
    """Who may be in it (``ktsim.rules.teams.roster.composition``), where its file says so."""
    equipment_weapons: tuple[Profile, ...] = ()
    """Weapons that texts give to operatives."""
    ids: tuple[tuple[str, str], ...] = ()
    """What other programs call its operatives and weapons, and what they are called here."""

    equipment: tuple[str, ...] = ()
    """The equipment its roster takes, by name."""
    roster_name: str = ""
    """What the player calls the roster it was made with, if any."""
    enforced: frozenset[str] = frozenset()
    """The texts of which play carries out everything, by id: nobody has to be reminded of them."""
    left_out: frozenset[str] = frozenset()
    """Keywords of datacards that its roster leaves out."""

    @cached_property
    def keywords(self) -> frozenset[str]:
        """Every keyword of its datacards, whoever of them is in its roster, in small letters."""
        return self.left_out.union(word.lower() for card in self.cards for word in card.keywords)

    @property
    def own_equipment(self) -> dict[str, Any]:
        """The texts of its faction equipment, by what the choices of a battle call them."""
        return {own_key(text.id): text for text in self.texts if text.kind == "equipment"}

    def strategy_ploys(self) -> dict[str, int]:
        """What its strategy ploys cost, by id, whichever way its file says them."""
        return {each.id: each.cost for each in (*self.ploys, *self.texts) if each.kind == "strategy"}

    def card(self, id: str) -> Datacard:
        return next(card for card in self.cards if card.id == id)

    def shown(self, card: Datacard | None = None) -> tuple[Reminder, ...]:
        """Every reminder card of the team, or of one of its datacards: whatever its file says and nothing enforces."""
        owner = self if card is None else card
        found = [*owner.reminders]
        found += [Reminder(("activation",), each.name, each.text) for each in owner.abilities if not each.rule]
        of = "" if card is None else card.type
        left = [each for each in self.texts if each.of == of and each.text and each.id not in self.enforced]
        found += [Reminder(each.when or DUE.get(each.kind, ("activation",)), each.title, each.text) for each in left]
        if card is None:
            found += [Reminder((each.kind,), each.name, each.text) for each in self.ploys if not each.is_enforced]
        return tuple(found)
