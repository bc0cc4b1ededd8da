"""Every rule in our own words: well formed, and there for every id the code cites."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ktsim
from ktsim.sight.rulebook import entries, text, title

CITED = re.compile(r"(?<![\w-])(?:SIGHT-\d+|(?:KT24|KT21|KZ|JOINT)-[A-Z][A-Z0-9]*(?:-[A-Z0-9]+)*a?)(?![\w*-])")


def test_entries_are_well_formed() -> None:
    assert len(entries()) >= 199
    for id, entry in entries().items():
        assert CITED.fullmatch(id), id
        assert 3 <= len(entry.title) <= 40, id
        assert not entry.title.endswith("."), id
        assert 10 <= len(entry.text) <= 260, id
        assert entry.text.endswith("."), id
        assert len(re.findall(r"[.!?](?:\s|$)", entry.text)) <= 2, f"{id} has more than two sentences"
        assert entry.edition in ("kt24", "kt21-lite", "both"), id


def test_editions_follow_the_names() -> None:
    for id, entry in entries().items():
        if id.startswith("KT24"):
            assert entry.edition == "kt24"
        if id.startswith("KT21"):
            assert entry.edition == "kt21-lite"
        if id.startswith("SIGHT"):
            assert entry.edition == "both"


def test_every_id_the_code_cites_is_there() -> None:
    cited = {
        (id, path.name)
        for path in Path(ktsim.__file__).parent.rglob("*.py")
        for id in CITED.findall(path.read_text(encoding="utf-8"))
    }
    assert cited
    assert {(id, name) for id, name in cited if id not in entries()} == set()


def test_lookup() -> None:
    assert title("KT24-COVER") == "In cover"
    assert '2"' in text("KT24-COVER")
    with pytest.raises(KeyError):
        title("KT24-NOTHING")
