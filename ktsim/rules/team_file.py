"""Team files: operatives, weapons, ploys and selection limits as YAML, checked value by value."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from ktsim import paths
from ktsim.content.yaml_tree import Node, read_tree
from ktsim.errors import Problem, UserError
from ktsim.rules.weapon_rule import Registry
from ktsim.sight.scene import Base

T = TypeVar("T")
ARCHETYPES = ("recon", "infiltration", "security", "seek-and-destroy")


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


@dataclass(frozen=True)
class Ability:
    """Something a datacard says in words. With a *rule* the engine enforces it, else it is a reminder."""

    name: str
    text: str
    rule: str = ""


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

    def weapon(self, key: str) -> Profile:
        return next(profile for profile in self.weapons if profile.key == key)


@dataclass(frozen=True)
class Ploy:
    """A ploy. Its *grants* is a weapon rule the side's *weapons* have until the end of the turning point."""

    id: str
    name: str
    kind: Literal["strategy", "firefight"]
    cost: int
    text: str
    grants: str = ""
    weapons: Literal["", "ranged", "melee"] = ""


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
    digest: str = field(default="", compare=False)

    def card(self, id: str) -> Datacard:
        return next(card for card in self.cards if card.id == id)


class Fields:
    """Reads values of one mapping, noting every problem with its line instead of stopping at the first."""

    def __init__(self, node: Node, place: str, problems: list[Problem]) -> None:
        self.place, self.problems, self.node = place, problems, node
        self.nodes: dict[str, Node] = node.value if isinstance(node.value, dict) else {}
        self._read: set[str] = set()
        if not isinstance(node.value, dict):
            self.complain("", "expected a mapping of names to values")

    def complain(self, name: str, text: str) -> None:
        line = (self.nodes[name].key_line or self.nodes[name].line) if name in self.nodes else self.node.line
        self.problems.append(Problem(f"{self.place}:{line}", f"{name}: {text}" if name else text))

    def _take(self, name: str, default: T, right: Callable[[Any], bool], wanted: str, required: bool) -> Any:
        self._read.add(name)
        if name not in self.nodes:
            if required:
                self.complain(name, f"missing; expected {wanted}")
            return default
        value = self.nodes[name].plain()
        if right(value):
            return value
        self.complain(name, f"{value!r:.60} is not {wanted}")
        return default

    def text(self, name: str, default: str | None = None) -> str:
        def right(value: Any) -> bool:
            return isinstance(value, str) and 0 < len(value) <= 600 and value.isprintable()

        return str(self._take(name, default or "?", right, "printable text", default is None))

    def word(self, name: str, choices: tuple[str, ...], default: str | None = None) -> Any:
        wanted = "one of " + ", ".join(filter(None, choices))
        fallback = choices[0] if default is None else default
        return self._take(name, fallback, lambda value: value in choices, wanted, default is None)

    def number(self, name: str, least: int, most: int, default: int | None = None) -> int:
        def right(value: Any) -> bool:
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

        wanted = f"a whole number from {least} to {most}"
        return int(self._take(name, least if default is None else default, right, wanted, default is None))

    def inches(self, name: str, least: float, most: float, default: float) -> float:
        def right(value: Any) -> bool:
            return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most

        return float(self._take(name, default, right, f"a number from {least} to {most}", False))

    def rows(self, name: str, required: bool = False) -> list[Node]:
        self._take(name, [], lambda value: isinstance(value, list), "a list", required)
        value = self.child(name).value
        return value if isinstance(value, list) else []

    def words(self, name: str) -> tuple[str, ...]:
        found = [row.plain() for row in self.rows(name)]
        for value in found:
            if not isinstance(value, str):
                self.complain(name, f"{value!r:.60} is not text")
        return tuple(value for value in found if isinstance(value, str))

    def child(self, name: str) -> Node:
        """The node of that name; an empty one in its place when there is none."""
        self._read.add(name)
        return self.nodes.get(name, Node(None, self.node.line, self.node.column))

    def value(self, name: str) -> Any:
        return self.child(name).plain()

    def done(self) -> None:
        """Complain about values nobody asked for."""
        for name in self.nodes:
            if name not in self._read:
                self.complain(str(name)[:40], "unknown field")


def load_team(path: Path, registry: Registry) -> Team:
    """The team in a file; raises :class:`UserError` with everything that is wrong with it."""
    if not path.is_file():
        raise UserError(Problem(str(path), "no such file"))
    about = path.stat()
    return _load(path, registry, about.st_mtime_ns, about.st_size)


@lru_cache(maxsize=16)
def _load(path: Path, registry: Registry, changed: int, size: int) -> Team:
    """A team is immutable, so it is read again only when its file has changed."""
    problems: list[Problem] = []
    team = parse_team(read_tree(path), path.name, registry, problems)
    if problems:
        raise UserError(problems)
    return team


def parse_team(raw: Node, place: str, registry: Registry, problems: list[Problem]) -> Team:
    top = Fields(raw, place, problems)
    top.word("ktsim", ("team/1",))
    name = top.text("name")
    cards = tuple(_card(row, place, registry, problems) for row in top.rows("operatives", required=True))
    size = top.number("size", 1, 20)
    roster = top.words("roster")
    known = {card.id: card for card in cards}
    for id in roster:
        if id not in known:
            top.complain("roster", f"{id!r} is not an operative of this team")
        elif roster.count(id) > known[id].limit:
            top.complain("roster", f"at most {known[id].limit} of {id!r} can be selected")
    if len(roster) != size:
        top.complain("roster", f"has {len(roster)} operatives; the team's size is {size}")
    ploys = tuple(_ploy(row, place, registry, problems) for row in top.rows("ploys"))
    archetypes = tuple(top.words("archetypes"))
    for word in archetypes:
        if word not in ARCHETYPES:
            top.complain("archetypes", f"{word!r} is not one of {', '.join(ARCHETYPES)}")
    abilities = tuple(_abilities(top.rows("abilities"), place, problems))
    team = Team(_id(name), name, archetypes, size, cards, roster, ploys, abilities)
    top.done()
    return team


def _card(raw: Node, place: str, registry: Registry, problems: list[Problem]) -> Datacard:
    top = Fields(raw, place, problems)
    stats = Fields(top.child("stats"), place, problems)
    figure = Fields(_or_empty(top.child("figure")), place, problems)
    weapons = [profile for row in top.rows("weapons") for profile in _weapon(row, place, registry, problems)]
    name = top.text("name")
    card = Datacard(
        id=_id(name),
        name=name,
        apl=stats.number("apl", 1, 5),
        move=stats.number("move", 3, 12),
        save=stats.number("save", 2, 6),
        wounds=stats.number("wounds", 1, 60),
        base=_base(top),
        height=figure.inches("height", 0.3, 6, 1.3),
        model=figure.text("model", "trooper"),
        keywords=top.words("keywords"),
        weapons=tuple(weapons),
        abilities=tuple(_abilities(top.rows("abilities"), place, problems)),
        limit=top.number("limit", 1, 20, 20),
    )
    for each in (top, stats, figure):
        each.done()
    return card


def _or_empty(node: Node) -> Node:
    """An empty mapping where nothing was said."""
    return Node({}, node.line, node.column) if node.value is None else node


def _base(top: Fields) -> Base:
    raw = top.value("base")
    values = raw if isinstance(raw, list) else [raw]
    if len(values) in (1, 2) and all(
        isinstance(n, (int, float)) and not isinstance(n, bool) and 10 <= n <= 200 for n in values
    ):
        return Base.of_mm(*values)
    top.complain("base", f"{raw!r:.60} is not a base: millimetres from 10 to 200, or [60, 35] for an oval one")
    return Base.of_mm(28)


def _weapon(raw: Node, place: str, registry: Registry, problems: list[Problem]) -> Iterator[Profile]:
    top = Fields(raw, place, problems)
    name, kind = top.text("name"), top.word("kind", ("ranged", "melee"))
    profiles = top.rows("profiles")
    if not profiles:
        yield _profile(top, name, _id(name), kind, registry)
        top.done()
        return
    for row in profiles:
        each = Fields(row, place, problems)
        own = each.text("name")
        yield _profile(each, f"{name} ({own})", f"{_id(name)}/{_id(own)}", kind, registry)
        each.done()
    top.done()


def _profile(top: Fields, name: str, key: str, kind: Any, registry: Registry) -> Profile:
    rules = []
    for text in top.words("rules"):
        try:
            rules.append(registry.parse(text).text)
        except UserError as error:
            top.complain("rules", error.problems[0].text)
    damage = top.value("damage")
    is_pair = isinstance(damage, list) and len(damage) == 2 and all(type(n) is int and 0 <= n <= 30 for n in damage)
    if not is_pair:
        top.complain("damage", f"{damage!r:.60} is not normal and critical damage such as [3, 4]")
        damage = [0, 0]
    return Profile(
        key, name, kind, top.number("atk", 0, 20), top.number("hit", 2, 6), damage[0], damage[1], tuple(rules)
    )


def _abilities(rows: list[Node], place: str, problems: list[Problem]) -> Iterator[Ability]:
    for row in rows:
        top = Fields(row, place, problems)
        yield Ability(top.text("name"), top.text("text"), top.text("rule", " ").strip())
        top.done()


def _ploy(raw: Node, place: str, registry: Registry, problems: list[Problem]) -> Ploy:
    top = Fields(raw, place, problems)
    name = top.text("name")
    grants = top.text("grants", " ").strip()
    if grants:
        try:
            grants = registry.parse(grants).text
        except UserError as error:
            top.complain("grants", error.problems[0].text)
    ploy = Ploy(
        _id(name),
        name,
        top.word("kind", ("strategy", "firefight")),
        top.number("cost", 0, 3, 1),
        top.text("text"),
        grants,
        top.word("weapons", ("", "ranged", "melee"), ""),
    )
    top.done()
    return ploy


def _id(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "unnamed"


def team_files() -> dict[str, Path]:
    """The shipped teams by id."""
    return {path.stem: path for path in sorted((paths.assets() / "teams").glob("*.yaml"))}


def find_team(name: str, registry: Registry) -> Team:
    """A shipped team by id, or one from a path."""
    known = team_files()
    if name in known:
        return load_team(known[name], registry)
    if name.endswith((".yaml", ".yml")):
        return load_team(Path(name), registry)
    raise UserError(Problem(name[:64], f"no such team; there are {', '.join(known)}"))
