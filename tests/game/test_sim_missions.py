"""Missions and crit ops by option of ``ktsim sim``."""

from __future__ import annotations

import json

import pytest

from ktsim.cli import main
from ktsim.game.setup import Setup

FAST = ["sim", "--killzone", "open", "--table", "plain"]


@pytest.mark.rule("KT24-TP")
def test_without_an_option_a_whole_battle_by_the_pack(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FAST, "--json", "--score", "--red-bot", "purposeful", "--blue-bot", "purposeful"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert Setup().mission_name == "approved-ops-2024"
    assert {line["op"] for line in told["sheet"]} <= {"crit", "kill", "tac", "primary"}
    sums = {side: sum(line["amount"] for line in told["sheet"] if line["side"] == side) for side in ("red", "blue")}
    assert told["vp"] == sums


@pytest.mark.parametrize("word", ["--mission", "--pack"])
def test_the_mission_is_an_option(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    lines = []
    for mission in ("approved-ops-2024", "approved-ops-2025", "skirmish"):
        assert main([*FAST, word, mission]) == 0
        lines.append(capsys.readouterr().out)
    assert len(set(lines)) == 3
    assert all(line.startswith("game 1: ") and line.count("\n") == 1 for line in lines)


def test_the_score_sheet_follows_the_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FAST, "--crit-op", "loot", "--score"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("game 1: ")
    assert lines[1].split() == ["Score", "TP1", "TP2", "TP3", "TP4", "end", "VP"]


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--mission", "war"], "no such mission; there are approved-ops-2024, approved-ops-2025, skirmish"),
        (["--crit-op", "rob"], "no such crit op; there are secure, loot,"),
        (["--mission", "skirmish", "--crit-op", "loot"], "has no crit op"),
    ],
)
def test_wrong_options_get_one_sentence(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*FAST, *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert says in line
