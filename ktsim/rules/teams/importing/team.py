"""A community JSON team as one of our team files: what can be enforced as data, everything else as reminder cards."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ktsim.content.printable import NAME_LIMIT
from ktsim.errors import Problem, UserError
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.teams.fields import TEXT_LIMIT, id_of
from ktsim.rules.teams.importing.report import LINE_LIMIT, Report
from ktsim.rules.teams.importing.values import Names, Row, kind_of, one_line
from ktsim.rules.teams.importing.weapons import WeaponReader, WordedRule, worded_rules
from ktsim.rules.teams.team_file import MOST_OPERATIVES, STAT_LIMITS

OPERATIVES, CARDS = 40, 40
"""At most this many operatives are read, and this many ploys, abilities or actions in one list."""

TEXT_BUDGET = 150_000
"""How many bytes all reminders may take together, so that the team file stays one that can be opened."""

BASE = 32
"""Millimetres; used when a file does not say."""

_MOMENTS = (
    ("strategy", re.compile(r"strategic gambit|strategy phase", re.IGNORECASE)),
    ("shooting", re.compile(r"\bshoot(s|ing)?\b|valid target", re.IGNORECASE)),
    ("fighting", re.compile(r"\bfight(s|ing)?\b|\bretaliat", re.IGNORECASE)),
    ("incapacitated", re.compile(r"\bincapacitated\b", re.IGNORECASE)),
)


@dataclass
class Imported:
    """A team file as plain values, and what became of everything in the original."""

    document: dict[str, Any]
    report: Report


@dataclass
class _Cards:
    """Makes reminder cards within the budget."""

    report: Report
    left: int = TEXT_BUDGET

    def make(self, owner: str, title: str, text: str, when: Sequence[str]) -> list[dict[str, Any]]:
        """The card as a list of one; of none when there is nothing to show or no room."""
        if not text:
            return []
        size = len(text.encode()) + 8 * text.count("\n") + 100  # a line is indented, a card has its frame
        if size > self.left:
            self.report.fail(owner, f"'{title}' left out: all texts together are over {TEXT_BUDGET:,} bytes")
            return []
        self.left -= size
        self.report.show(f"{owner}: {title} ({', '.join(when)})")
        return [{"when": list(when), "title": one_line(title), "text": text}]


def import_team(data: Any, place: str, edition: EditionRules, shared: Mapping[str, WordedRule]) -> Imported:
    """The team in *data*; *shared* are weapon rules other files describe.

    Raises :class:`UserError` with everything that failed when nothing usable came out.
    """
    report = Report()
    if not isinstance(data, dict):
        raise UserError(Problem(place, f"is {kind_of(data)}; a team is an object with 'killteamName' and 'opTypes'"))
    if "weapon_rules" in data and "opTypes" not in data:
        raise UserError(Problem(place, "holds weapon rules, not a team; it is read with the team files beside it"))
    top = Row(data, "", report)
    name = top.name("killteamName") or one_line(str(data.get("killteamId", ""))) or "Unnamed"
    cards = _Cards(report)
    reader = WeaponReader(edition, {**shared, **worded_rules(top)}, report)
    names = Names()
    operatives = []
    for row in top.rows("opTypes", OPERATIVES, required=True):
        operative = _operative(row, reader, names, cards)
        if operative is not None:
            operatives.append(operative)
    if not operatives:
        problems = [Problem(place, text) for text in report.failed[:LINE_LIMIT]]
        raise UserError([*problems, Problem(place, "no operative of it can be used")])
    roster = _roster(operatives)
    document = {
        "ktsim": "team/1",
        "name": name,
        "archetypes": top.archetypes("archetypes"),
        "size": len(roster),
        "roster": roster,
        "operatives": operatives,
        "reminders": _team_reminders(top, name, cards),
    }
    report.show("every operative has all the weapons listed for it: which it takes is the players' choice")
    report.show(f"the roster is one of each operative ({len(roster)}): change 'roster' and 'size' to select others")
    return Imported(document, report)


def _roster(operatives: list[dict[str, Any]]) -> list[str]:
    """One of each, leaders first. How many of whom may be selected is only told in words."""
    ordered = sorted(operatives, key=lambda each: "leader" not in each["keywords"])
    return [id_of(each["name"]) for each in ordered][:MOST_OPERATIVES]


def _operative(row: Row, reader: WeaponReader, names: Names, cards: _Cards) -> dict[str, Any] | None:
    name = row.name("opTypeName")
    stats = {stat: row.whole(stat.upper(), *limits) for stat, limits in STAT_LIMITS.items()}
    if not name or None in stats.values():
        row.report.fail(row.place, f"operative {name or '?'} left out: it needs a name, APL, MOVE, SAVE and WOUNDS")
        return None
    name = names.unique(name)
    base = row.base("basesize", BASE)
    size = f"{base[0]}x{base[1]}" if isinstance(base, list) else base
    numbers = f'APL {stats["apl"]}, Move {stats["move"]}", Save {stats["save"]}+, Wounds {stats["wounds"]}'
    row.report.enforce(f"{name}: {numbers}, {size} mm base")
    weapons, shown = reader.weapons(name, row)
    reminders = []
    for rule in shown.values():
        reminders += cards.make(name, rule.name, rule.text, moments_of(rule.text, "shooting", "fighting"))
    for each in row.rows("abilities", CARDS):
        reminders += _card(name, each, "abilityName", cards, "activation")
    for each in row.rows("actions", CARDS):
        reminders += _action(name, each, cards)
    found = {"name": name, "keywords": row.keywords("keywords"), "stats": stats, "base": base, "weapons": weapons}
    return found | ({"reminders": reminders} if reminders else {})


def moments_of(text: str, *otherwise: str) -> tuple[str, ...]:
    """When a rule with that text matters, by the words it uses."""
    return tuple(moment for moment, words in _MOMENTS if words.search(text)) or otherwise


def _card(owner: str, row: Row, title: str, cards: _Cards, *otherwise: str) -> list[dict[str, Any]]:
    text = row.text("description")
    name = row.name(title)
    return cards.make(owner, name, text, moments_of(text, *otherwise)) if name else []


def _action(owner: str, row: Row, cards: _Cards) -> list[dict[str, Any]]:
    """A unique action: its cost, then effects and conditions line by line."""
    name = row.name("name")
    if not name:
        return []
    cost = row.whole("AP", 0, 5)
    lines = [row.text("description"), *row.texts("effects", CARDS)]
    lines += [f"Not: {text}" for text in row.texts("conditions", CARDS)]
    text = "\n".join(filter(None, lines))[:TEXT_LIMIT]
    title = name if cost is None else f"{name[: NAME_LIMIT - 6]} ({cost}AP)"
    return cards.make(owner, title, text or title, ("activation",))


def _team_reminders(top: Row, name: str, cards: _Cards) -> list[dict[str, Any]]:
    found = []
    for row in top.rows("ploys", CARDS):
        kind = row.data.get("ployType")
        if kind in ("S", "T", "F"):
            when = "strategy" if kind == "S" else "firefight"
        else:
            row.fail("ployType", f"is {kind_of(kind)}; it is 'S' for strategy or 'T' for firefight; shown in both")
            when = ""
        ploy = row.name("ployName")
        found += cards.make(name, ploy or "?", row.text("description"), (when,) if when else ("strategy", "firefight"))
    for row in top.rows("teamAbilities", CARDS):
        found += _card(name, row, "abilityName", cards, "activation")
    for row in top.rows("equipments", CARDS):
        found += _equipment(name, row, cards)
    if composition := top.text("composition"):
        found += cards.make(name, "Selecting the team", composition, ("set-up",))
    return found


def _equipment(owner: str, row: Row, cards: _Cards) -> list[dict[str, Any]]:
    name = row.name("eqName")
    if not name:
        return []
    lines = [row.text("description")]
    for weapon in row.rows("weapons", CARDS):
        for profile in weapon.rows("profiles", CARDS):
            numbers = [one_line(str(profile.data.get(stat, "?"))) for stat in ("ATK", "HIT", "DMG")]
            lines.append(f"{weapon.name('wepName')}: Atk {numbers[0]}, Hit {numbers[1]}, Dmg {numbers[2]}")
    return cards.make(owner, name, "\n".join(filter(None, lines))[:TEXT_LIMIT], ("set-up",))
