"""A community JSON team as one of our team files: what can be enforced as data, everything else as reminder cards."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ktsim.errors import Problem, UserError
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.teams.fields import MOST_OPERATIVES, id_of
from ktsim.rules.teams.importing.hanging import with_what_is_left
from ktsim.rules.teams.importing.report import LINE_LIMIT, Item, Report
from ktsim.rules.teams.importing.starred import about_weapons, clear_weapons
from ktsim.rules.teams.importing.values import Names, Row, kind_of, one_line
from ktsim.rules.teams.importing.weapons import (
    WEAPONS,
    WeaponReader,
    WordedRule,
    listed_weapons,
    profile_words,
    starred_rules,
    worded_rules,
)
from ktsim.rules.teams.language.values import LanguageRule, TeamText
from ktsim.rules.teams.language.write import written_text
from ktsim.rules.teams.playing.playable import why_not
from ktsim.rules.teams.playing.status import Status, status_of
from ktsim.rules.teams.reading.documents import (
    TEXTS,
    DocumentReader,
    PrintedText,
    lexicon_of,
    one_line_of,
    options_of,
    own_texts,
    team_texts,
    without_undefined,
)
from ktsim.rules.teams.reading.selection import CardWords, SelectionReader
from ktsim.rules.teams.roster.composition import CardNames, Composition
from ktsim.rules.teams.roster.written import written_composition
from ktsim.rules.teams.team_file import STAT_LIMITS

OPERATIVES = 120
"""At most this many operatives are read."""

TEXT_BUDGET = 240_000
"""How many bytes all reminders may take together, so that the team file stays one that can be opened."""

SELECTING = "Selecting the team"
"""The title of the card that shows a team's selection text."""

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
    unread: tuple[str, ...] = ()
    is_legal: bool = True

    @property
    def items(self) -> list[Item]:
        return self.report.items


SHORT = {"move": "M", "save": "SV", "wounds": "W"}
"""What stats are called where they are not spelled out."""


def _key(row: Row, stat: str) -> str:
    """Under which name an operative has a stat."""
    short = SHORT.get(stat, "")
    return short if short in row.data and stat.upper() not in row.data else stat.upper()


@dataclass
class _Cards:
    """Makes reminder cards within the budget."""

    report: Report
    left: int = TEXT_BUDGET

    def has_room(self, owner: str, title: str, text: str) -> bool:
        size = len(text.encode()) + 8 * text.count("\n") + 100  # a line is indented, a card has its frame
        if size > self.left:
            self.report.fail(owner, f"'{title}' left out: all texts together are over {TEXT_BUDGET:,} bytes")
            return False
        self.left -= size
        return True

    def make(self, owner: str, title: str, text: str, when: Sequence[str]) -> list[dict[str, Any]]:
        """The card as a list of one; of none when there is nothing to show or no room."""
        if not text or not self.has_room(owner, title, text):
            return []
        return [{"when": list(when), "title": one_line(title), "text": text}]


def import_team(
    data: Any,
    place: str,
    edition: EditionRules,
    shared: Mapping[str, WordedRule],
    corrections: Mapping[str, tuple[LanguageRule, ...]] | None = None,
) -> Imported:
    """The team in *data*; *shared* are weapon rules other files describe, *corrections* rules by the ids of texts.

    Raises :class:`UserError` with everything that failed when nothing usable came out.
    """
    report = Report()
    if isinstance(data, list) and len(data) == 1:  # a list of one team is that team
        (data,) = data
    if not isinstance(data, dict):
        raise UserError(Problem(place, f"is {kind_of(data)}; a team is an object with 'killteamName' and 'opTypes'"))
    if "weapon_rules" in data and "opTypes" not in data:
        raise UserError(Problem(place, "holds weapon rules, not a team; it is read with the team files beside it"))
    return _Import(Row(data, "", report), place, edition, shared, corrections or {}).run()


class _Import:
    def __init__(
        self,
        top: Row,
        place: str,
        edition: EditionRules,
        shared: Mapping[str, WordedRule],
        corrections: Mapping[str, tuple[LanguageRule, ...]],
    ) -> None:
        self.top, self.place, self.report, self.corrections = top, place, top.report, corrections
        self.cards = _Cards(self.report)
        self.worded = {**shared, **worded_rules(top)}
        self.weapons = WeaponReader(edition, self.worded, self.report, starred_rules(top))
        self.name = top.name("killteamName") or one_line(str(top.data.get("killteamId", ""))) or "Unnamed"
        self.items = self.report.items
        self.ids: dict[str, str] = {}
        self.names = Names()
        self.printed: list[PrintedText] = []
        self.shown_rules: dict[str, WordedRule] = {}
        self.marked: list[tuple[int, dict[str, Any]]] = []
        """Items of profiles that have a mark, by their number, as long as they have it."""

    def run(self) -> Imported:
        operatives = []
        for row in self.top.rows("opTypes", OPERATIVES, required=True):
            operative = self._operative(row)
            if operative is not None:
                operatives.append(operative)
        if not operatives:
            problems = [Problem(self.place, text) for text in self.report.failed[:LINE_LIMIT]]
            raise UserError([*problems, Problem(self.place, "no operative of it can be used")])
        equipment = self._equipment_weapons()
        self.printed += team_texts(self.top, self.name)
        texts = self._texts(equipment, operatives)
        composition = self._composition(operatives, texts)
        names = card_names(sorted(operatives, key=lambda each: "leader" not in each["keywords"]))
        roster = composition.default(names)[:MOST_OPERATIVES]
        problems_of_roster = composition.check(roster, names)
        document = {
            "ktsim": "team/1",
            "name": self.name,
            "archetypes": self.top.archetypes("archetypes"),
            "size": len(roster),
            "roster": [each.type for each in roster],
            "composition": written_composition(composition),
            "operatives": operatives,
            "reminders": self._selection_card(composition),
            "texts": [written for text in texts if self._has_room(written := written_text(text))],
        }
        listed = [weapon for weapons in equipment.values() for weapon in weapons]
        document |= {"equipment_weapons": listed} if listed else {}
        document |= {"ids": self.ids} if self.ids else {}
        self._weapon_rule_items()
        self._failures()
        return Imported(document, self.report, composition.unread, not problems_of_roster)

    def _has_room(self, written: dict[str, Any]) -> bool:
        return self.cards.has_room(self.name, written["name"], str(written))

    # -- operatives ----------------------------------------------------------------------------------

    def _operative(self, row: Row) -> dict[str, Any] | None:
        name = row.name("opTypeName")
        stats = {stat: row.whole(_key(row, stat), *limits) for stat, limits in STAT_LIMITS.items()}
        if not name or None in stats.values():
            row.report.fail(row.place, f"operative {name or '?'} left out: it needs a name, APL, MOVE, SAVE and WOUNDS")
            return None
        name = self.names.unique(name)
        base = row.base("basesize", BASE)
        size = f"{base[0]}x{base[1]}" if isinstance(base, list) else base
        numbers = f'APL {stats["apl"]}, Move {stats["move"]}", Save {stats["save"]}+, Wounds {stats["wounds"]}'
        words = f"{name}: {numbers}, {size} mm base"
        self.items.append(Item("operative", self.name, name, "enforced", words=words))
        weapons, shown = self.weapons.weapons(name, row)
        self._profiles(name, weapons)
        self._remember(row.data.get("opTypeId"), id_of(name))
        listed = row.data.get("weapons")
        for given in listed[:WEAPONS] if isinstance(listed, list) else ():
            if isinstance(given, dict) and isinstance(given.get("wepName"), str):
                self._remember(given.get("wepId"), one_line(given["wepName"]))
        reminders = []
        for id, rule in shown.items():
            self.shown_rules.setdefault(id, rule)
            reminders += self.cards.make(name, rule.name, rule.text, moments_of(rule.text, "shooting", "fighting"))
        self.printed += own_texts(row, id_of(name), name)
        found = {"name": name, "keywords": row.keywords("keywords"), "stats": stats, "base": base, "weapons": weapons}
        return found | ({"reminders": reminders} if reminders else {})

    def _remember(self, id: Any, name: str) -> None:
        if isinstance(id, str) and one_line(id) == id and name:
            self.ids[id] = name

    def _profiles(self, owner: str, weapons: list[dict[str, Any]]) -> None:
        for weapon in weapons:
            for profile in weapon.get("profiles", [weapon]):
                name = weapon["name"] if profile is weapon else f"{weapon['name']} ({profile['name']})"
                by_hand = ", ".join(profile.get("shown", ()))
                why = f"marked, for {by_hand} is not enforced" if by_hand else ""
                if by_hand:
                    self.marked.append((len(self.items), profile))
                words = f"{owner}: {name}, {profile_words(weapon, profile)}"
                self.items.append(Item("profile", owner, name, "enforced", why, words))

    def _weapon_rule_items(self) -> None:
        """Every weapon rule met: universal ones are enforced, the team's own as far as they are read."""
        for text in self.weapons.known_rules():
            self.items.append(Item("weapon-rule", self.name, text, "enforced", words=f"weapon rule {text}"))
        for id, rule in self.shown_rules.items():
            printed = PrintedText(id, "weapon-rule", rule.name, rule.text, rule.text, of="weapon")
            status, why = status_of(self.reader.text(printed, ()))
            self.items.append(Item("weapon-rule", self.name, rule.name, status, why, f"weapon rule {rule.name}"))

    # -- texts ---------------------------------------------------------------------------------------

    def _equipment_weapons(self) -> dict[str, list[dict[str, Any]]]:
        """Weapons listed with equipment, by its name: as objects, or as a table in its description."""
        found: dict[str, list[dict[str, Any]]] = {}
        for row in self.top.rows("equipments", TEXTS):
            name = row.name("eqName")
            weapons, shown = self.weapons.weapons(
                name or "?", Row({**row.data, "weapons": listed_weapons(row)}, row.place, self.report)
            )
            for id, rule in shown.items():
                self.shown_rules.setdefault(id, rule)
            if name and weapons:
                self._profiles(name, weapons)
                found[name] = weapons
        return found

    def _texts(self, equipment: Mapping[str, list[dict[str, Any]]], operatives: list[dict[str, Any]]) -> list[TeamText]:
        lexicon = lexicon_of(self.top, self.printed, [rule.name for rule in self.worded.values()])
        self.reader = DocumentReader(lexicon, self.corrections)
        found = []
        for printed in self.printed:
            weapons = tuple(weapon["name"] for weapon in equipment.get(printed.name, ()) if printed.kind == "equipment")
            found.append(self.reader.text(printed, _when(printed), weapons))
        found = [about_weapons(text, operatives) for text in without_undefined(found, lambda *rule: not why_not(*rule))]
        found = with_what_is_left(found)
        clear_weapons([text for text in found if status_of(text)[0] == "enforced"], operatives)
        for number, profile in self.marked:
            if not profile.get("unclear"):
                self.items[number] = replace(self.items[number], why="")
        for text, printed in zip(found, self.printed, strict=True):
            status, why = status_of(text)
            owner = printed.of_name
            words = f"{owner}: {text.title} ({', '.join(text.when)})"
            self.items.append(Item(_ITEM_KIND[text.kind], owner, text.name, status, why, words))
        return found

    # -- the roster ----------------------------------------------------------------------------------

    def _composition(self, operatives: list[dict[str, Any]], texts: list[TeamText]) -> Composition:
        cards = [
            CardWords(
                id_of(each["name"]),
                each["name"],
                tuple(each["keywords"]),
                tuple(weapon["name"] for weapon in each["weapons"]),
                tuple(weapon["name"] for weapon in each["weapons"] if _is_psychic(weapon)),
            )
            for each in operatives
        ]
        text = self.top.text("composition")
        composition = SelectionReader(cards, [self.name]).read(text, options_of(texts, cards))
        unread = tuple(one_line_of(each) for each in composition.unread)
        composition = replace(composition, unread=unread)
        if text:
            status: Status = "enforced" if not unread else "partly" if composition.slots else "shown"
            why = f"not understood: {unread[0][:160]}" if unread else ""
            lists = sum(len(slot.choices) for slot in composition.slots)
            words = f"{SELECTING}: {sum(slot.count for slot in composition.slots)} selections from {lists} lines"
            words += f"; {len(unread)} sentences unread" if unread else ""
            self.items.append(Item("composition", "", self.name, status, why, words))
        return composition

    def _selection_card(self, composition: Composition) -> list[dict[str, Any]]:
        text = self.top.text("composition")
        return self.cards.make(self.name, SELECTING, text, ("set-up",)) if text else []

    def _failures(self) -> None:
        for line in self.report.failed:
            place, _, why = line.partition(": ")
            kind = next((kind for word, kind in _PLACES if word in place), "operative")
            self.items.append(Item(kind, self.name, place, "failed", why or line, place if why else self.name))


_ITEM_KIND = {
    "ability": "ability",
    "faction": "ability",
    "action": "action",
    "strategy": "ploy",
    "firefight": "ploy",
    "equipment": "equipment",
    "weapon-rule": "weapon-rule",
}
_PLACES = (
    ("WR", "weapon-rule"),
    ("profiles", "profile"),
    ("weapons", "profile"),
    ("abilities", "ability"),
    ("teamAbilities", "ability"),
    ("actions", "action"),
    ("ploys", "ploy"),
    ("equipments", "equipment"),
    ("composition", "composition"),
)


def _is_psychic(weapon: Mapping[str, Any]) -> bool:
    return any("psychic" in profile.get("traits", ()) for profile in weapon.get("profiles", [weapon]))


def card_names(operatives: Sequence[Mapping[str, Any]]) -> CardNames:
    """What compositions need to know of the operatives of a team document."""
    weapons: dict[str, tuple[str, ...]] = {}
    rules: dict[tuple[str, str], str] = {}
    for each in operatives:
        id = id_of(each["name"])
        weapons[id] = tuple(weapon["name"] for weapon in each["weapons"])
        for weapon in each["weapons"]:
            found = [rule for profile in weapon.get("profiles", [weapon]) for rule in profile.get("rules", ())]
            piercing = sorted(rule for rule in found if re.fullmatch(r"Piercing \d", rule))
            if piercing:
                rules[id, weapon["name"]] = piercing[-1]
    return CardNames({id_of(each["name"]): each["name"] for each in operatives}, weapons, rules)


def _when(printed: PrintedText) -> tuple[str, ...]:
    """When a card with the text is due."""
    if printed.kind in ("strategy", "firefight"):
        return (printed.kind,)
    if printed.kind == "equipment":
        return ("set-up",)
    if printed.kind == "action":
        return ("activation",)
    return moments_of(printed.shown, "activation")


def moments_of(text: str, *otherwise: str) -> tuple[str, ...]:
    """When a rule with that text matters, by the words it uses."""
    return tuple(moment for moment, words in _MOMENTS if words.search(text)) or otherwise
