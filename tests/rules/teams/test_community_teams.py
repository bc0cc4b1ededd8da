"""The reader over community files, where they lie beside the checkout; they are no part of the project.

``KTSIM_COMMUNITY`` names the folder with ``teams/*.json``; without it ``../shared/data/killteamjson/en`` is used.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from ktsim.content.files import read_json
from ktsim.content.yaml_tree import parse, to_yaml
from ktsim.errors import Problem
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.importing.report import Report
from ktsim.rules.teams.importing.team import Imported, import_team
from ktsim.rules.teams.importing.values import Row
from ktsim.rules.teams.importing.weapons import worded_rules
from ktsim.rules.teams.language.write import written_text
from ktsim.rules.teams.team_file import parse_team

ROOT = Path(__file__).resolve().parents[3]
FOLDER = Path(os.environ.get("KTSIM_COMMUNITY", ROOT.parent / "shared" / "data" / "killteamjson" / "en"))
FILES = sorted((FOLDER / "teams").glob("*.json"))

pytestmark = pytest.mark.skipif(not FILES, reason="no community files here")

TEXTS = ("ability", "action", "ploy", "equipment")
SECONDS_OF_WORK = 10


@cache
def everything() -> tuple[dict[str, Imported], float]:
    """Every team, and the processor time that took: other work on the machine does not count."""
    found: dict[str, Imported] = {}
    shared = worded_rules(Row(read_json(FOLDER / "weapon_rules.json"), "", Report()))
    start = time.process_time()
    for path in FILES:
        shared = {**worded_rules(Row(read_json(path), "", Report())), **shared}
    for path in FILES:
        found[path.stem] = import_team(read_json(path), path.name, KT24, shared)
    return found, time.process_time() - start


def counts() -> Counter[str]:
    found, _ = everything()
    return Counter(item.status for made in found.values() for item in made.items if item.kind in TEXTS)


def test_enough_is_understood() -> None:
    found = counts()
    total = sum(found.values())
    print(f"{found['enforced'] / total:.1%} enforced, {(found['enforced'] + found['partly']) / total:.1%} or partly")
    assert found["failed"] == 0
    assert found["enforced"] / total >= 0.50
    assert (found["enforced"] + found["partly"]) / total >= 0.64


def test_every_profile_and_universal_rule_is_enforced() -> None:
    found, _ = everything()
    items = [item for made in found.values() for item in made.items]
    assert all(item.status == "enforced" for item in items if item.kind in ("profile", "operative"))
    assert not [line for made in found.values() for line in made.report.failed]


def test_every_default_roster_is_legal_and_nearly_all_limits_are_read() -> None:
    found, _ = everything()
    assert all(made.is_legal for made in found.values())
    unread = [name for name, made in found.items() if made.unread]
    assert len(unread) <= len(found) // 7


def test_it_is_quick() -> None:
    _, seconds = everything()
    assert seconds < SECONDS_OF_WORK * max(1, len(FILES) / 21)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_written_is_read_back(path: Path) -> None:
    made = everything()[0][path.stem]
    problems: list[Problem] = []
    team = parse_team(parse(to_yaml(made.document).encode(), "t"), "t", KT24.weapon_rules, problems)
    assert problems == []
    assert [json.dumps(written_text(text)) for text in team.texts] == [
        json.dumps(each) for each in made.document["texts"]
    ]
