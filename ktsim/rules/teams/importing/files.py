"""Importing a file: the team in it, with what other files beside it say about its weapon rules and what the player has
corrected by hand."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from ktsim.content.files import read_json
from ktsim.content.printable import printable
from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem, UserError
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.importing.report import Report
from ktsim.rules.teams.importing.team import Imported, import_team
from ktsim.rules.teams.importing.values import Row, one_line
from ktsim.rules.teams.importing.weapons import WordedRule, worded_rules
from ktsim.rules.teams.language.values import LanguageRule
from ktsim.rules.teams.reading.corrections import corrections_beside, read_corrections
from ktsim.rules.teams.team_file import parse_team

SHARED_RULES = "weapon_rules.json"
"""Weapon rules several teams share; read when it lies beside the imported file or one folder up."""

SIBLINGS = 120
"""How many team files beside the imported one are looked into for weapon rules it only names."""


def import_file(
    data: Any, path: Path, out: str | None = None, warn: Callable[[str], None] = lambda text: None
) -> tuple[Imported, str]:
    """The team in *data*, read from *path*, and its team file as text; *out* is where that will be written.

    *warn* is told of a file beside it that could not be read. Raises :class:`UserError` with everything that failed
    when nothing usable came out.
    """
    shared, corrections = _shared(path, data, warn), _corrections(path, out)
    imported = import_team(data, printable(str(path), 200), KT24, shared, corrections)
    text = to_yaml(imported.document)
    problems: list[Problem] = []
    parse_team(parse(text.encode(), out or "team"), out or "team", KT24.weapon_rules, problems)
    if problems:
        raise UserError(problems)
    return imported, text


def _corrections(path: Path, out: str | None) -> dict[str, tuple[LanguageRule, ...]]:
    """What the user corrected by hand, in a file beside the original or beside the team file."""
    found: dict[str, tuple[LanguageRule, ...]] = {}
    for each in (path, *([Path(out)] if out else [])):
        beside = corrections_beside(each)
        if os.path.isfile(beside):  # no, where its name is too long to be one
            found |= read_corrections(beside)
    return found


def _shared(path: Path, data: Any, warn: Callable[[str], None]) -> dict[str, WordedRule]:
    """Weapon rules from other files: the shared ones, and those of other teams that the file names.

    They only add words, so each of them may be missing or bad.
    """
    found: dict[str, WordedRule] = {}
    for beside in (path.with_name(SHARED_RULES), path.absolute().parent.parent / SHARED_RULES):
        if beside.is_file() and beside.absolute() != path.absolute():
            found = {**_rules_in(beside, warn), **found}
    missing = _named_rules(data) - set(found)
    if missing:
        for sibling in sorted(path.absolute().parent.glob("*.json"))[:SIBLINGS]:
            if sibling != path.absolute() and sibling.name != SHARED_RULES:
                found = {**{id: rule for id, rule in _rules_in(sibling).items() if id in missing}, **found}
    return found


def _rules_in(path: Path, warn: Callable[[str], None] = lambda text: None) -> dict[str, WordedRule]:
    try:
        data = read_json(path)
    except UserError as error:
        warn(str(error.problems[0]))
        return {}
    return worded_rules(Row(data, path.name, Report())) if isinstance(data, dict) else {}


def _named_rules(data: Any) -> set[str]:
    """Ids of weapon rules of some team that the file uses and does not describe."""
    if not isinstance(data, dict):
        return set()
    used: set[str] = set()
    for operative in _objects(data.get("opTypes")):
        for weapon in _objects(operative.get("weapons")):
            for profile in _objects(weapon.get("profiles")):
                used |= {one_line(str(rule.get("id"))) for rule in _objects(profile.get("WR"))}
    own = {one_line(str(rule.get("id"))) for rule in _objects(data.get("weapon_rules"))}
    return {id for id in used if not id.upper().startswith("WR-UNIV")} - own


def _objects(value: Any) -> Iterable[dict[str, Any]]:
    return [each for each in value[:200] if isinstance(each, dict)] if isinstance(value, list) else []
