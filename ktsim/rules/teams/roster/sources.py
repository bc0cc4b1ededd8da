"""Rosters from other programs, as far as their names match a team: KTDash JSON, BattleScribe files."""

from __future__ import annotations

import io
import re
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ktsim.content.files import read_bounded
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.rules.engine.cards import Team
from ktsim.rules.teams.fields import MOST_OPERATIVES
from ktsim.rules.teams.importing.values import one_line
from ktsim.rules.teams.reading.selection import CardWords, card_named, weapon_named
from ktsim.rules.teams.roster.composition import RosterOperative
from ktsim.rules.teams.roster.roster_file import Roster, names_in

SIZE_LIMIT = 8_000_000
"""Bytes of XML, also when it comes out of an archive."""

DEPTH, ELEMENTS = 40, 50_000


def is_ktdash(data: Any) -> bool:
    """Whether a JSON value is a roster rather than a team."""
    return isinstance(data, dict) and "opTypes" not in data and isinstance(_operatives(data), list)


def _operatives(data: dict[str, Any]) -> Any:
    return next((data[key] for key in ("ops", "operatives", "opers") if key in data), None)


def from_ktdash(data: dict[str, Any], team: Team, called: str) -> tuple[Roster, list[str]]:
    """The roster in KTDash's shape, and what of it could not be found in the team."""
    problems: list[str] = []
    ids, words = dict(team.ids), _words(team)
    known = {card.id: card for card in words}
    found: list[RosterOperative] = []
    for row in _operatives(data)[:MOST_OPERATIVES]:
        if not isinstance(row, dict):
            problems.append("an operative is not an object")
            continue
        given = str(row.get("opTypeId") or row.get("opTypeName") or "?")[:100]
        card = known.get(ids.get(given, "")) or card_named(str(row.get("opTypeName") or ""), words, frozenset())
        if card is None:
            problems.append(f"{printable(given)}: no such operative in {team.name}")
            continue
        weapons = []
        for id in _listed(row.get("wepIds")):
            weapon = ids.get(id) if ids.get(id) in card.weapons else weapon_named(id, card)
            if weapon is None:
                problems.append(f"{card.name}: no weapon {printable(id)}")
            else:
                weapons.append(weapon)
        options = tuple(one_line(each) for each in _listed(row.get("optionIds")))
        found.append(RosterOperative(card.id, one_line(str(row.get("opName") or card.name)), tuple(weapons), options))
    equipment = []
    for id in _listed(data.get("eqIds")):
        text = next((text for text in team.texts if text.kind == "equipment" and id in (text.id, text.name)), None)
        equipment.append(text.name if text else one_line(id))
    return Roster(called, tuple(found), tuple(equipment)), problems


def _listed(value: Any) -> list[str]:
    """Names in a list, or in a text with commas."""
    items = value.split(",") if isinstance(value, str) else value if isinstance(value, list) else []
    return [str(each).strip() for each in items[:40] if str(each).strip()]


def _words(team: Team) -> list[CardWords]:
    names = names_in(team)
    return [CardWords(card.id, card.name, card.keywords, names.weapons[card.id]) for card in team.cards]


# -- BattleScribe ------------------------------------------------------------------------------------


def read_battlescribe(path: Path) -> bytes:
    """The XML of a ``.ros`` file or of the one in a ``.rosz`` archive; never more than 8 MB of it."""
    place = printable(str(path), 200)
    data = read_bounded(path, place, SIZE_LIMIT, "a BattleScribe roster")
    if not data.startswith(b"PK"):
        return data
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = [info for info in archive.infolist()[:20] if info.filename.lower().endswith(".ros")]
            if not names:
                raise UserError(Problem(place, "has no .ros file in it"))
            if names[0].file_size > SIZE_LIMIT:
                raise UserError(Problem(place, "unpacks to more than 8 MB; it is no roster"))
            with archive.open(names[0]) as member:
                found = member.read(SIZE_LIMIT + 1)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError, ValueError) as error:
        raise UserError(Problem(place, f"is no archive that can be read: {printable(str(error))}")) from None
    if len(found) > SIZE_LIMIT:
        raise UserError(Problem(place, "unpacks to more than 8 MB; it is no roster"))
    return found


def from_battlescribe(data: bytes, place: str, team: Team, called: str) -> tuple[Roster, list[str]]:
    """Models whose names match datacards, with the upgrades whose names match their weapons."""
    problems: list[str] = []
    words = _words(team)
    found: list[RosterOperative] = []
    for name, upgrades in _models(_parsed(data, place)):
        card = card_named(name, words, frozenset())
        if card is None:
            problems.append(f"{printable(name)}: no such operative in {team.name}")
            continue
        matched = (weapon_named(each, card) for each in upgrades)
        weapons = tuple(dict.fromkeys(each for each in matched if each is not None))
        if len(found) < MOST_OPERATIVES:
            found.append(RosterOperative(card.id, one_line(name), weapons))
    if not found:
        raise UserError([Problem(place, text) for text in [*problems[:20], "no operative of it is in the team"]])
    return Roster(called, tuple(found)), problems


def _parsed(data: bytes, place: str) -> ElementTree.Element:
    if b"\x00" in data[:200]:
        raise UserError(Problem(place, "is not UTF-8 text; save the roster as UTF-8"))
    if re.search(rb"<!\s*(?:DOCTYPE|ENTITY)", data, re.IGNORECASE):
        raise UserError(Problem(place, "declares a document type or entities; a roster needs neither"))
    count = depth = 0
    try:
        root: ElementTree.Element | None = None
        for event, element in ElementTree.iterparse(io.BytesIO(data), ("start", "end")):
            if event == "end":
                depth -= 1
                continue
            root = element if root is None else root
            count, depth = count + 1, depth + 1
            if count > ELEMENTS or depth > DEPTH:
                raise UserError(Problem(place, "has more elements, or deeper ones, than a roster"))
    except ElementTree.ParseError as error:
        raise UserError(Problem(place, f"is not valid XML: {printable(str(error), 120)}")) from None
    if root is None:
        raise UserError(Problem(place, "is empty"))
    return root


def _models(root: ElementTree.Element) -> Iterator[tuple[str, list[str]]]:
    for element in root.iter():
        if element.tag.rpartition("}")[2] == "selection" and element.get("type") in ("model", "unit"):
            inner = [
                each for each in element.iter() if each is not element and each.tag.rpartition("}")[2] == "selection"
            ]
            if element.get("type") == "unit" and any(each.get("type") == "model" for each in inner):
                continue
            names = [one_line(each.get("name") or "") for each in inner]
            times = element.get("number") or "1"
            for _ in range(min(int(times) if times.isdigit() else 1, MOST_OPERATIVES)):
                yield one_line(element.get("name") or "?"), [name for name in names if name]
