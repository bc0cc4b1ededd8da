"""Teams, weapon rules, ops and bots from other packages; a package that cannot be used costs one sentence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import ktsim
from ktsim.content.plugins import Extensible

ODDS = ["odds", "shoot", "--attack", "4", "--hit", "4+", "--damage", "3/4", "--save", "4+"]
FOLDER = Path(__file__).parents[1] / "support" / "plugin"


def run(plugin: str, *words: str) -> subprocess.CompletedProcess[str]:
    """``ktsim`` with a package installed."""
    path = os.pathsep.join([str(FOLDER / plugin), str(Path(ktsim.__file__).parents[1])])
    return subprocess.run(
        [sys.executable, "-m", "ktsim", *words],
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_a_package_brings_a_team_a_weapon_rule_an_op_and_a_bot() -> None:
    words = ("--table", "plain", "--red", "tin-larks", "--red-bot", "dicer", "--crit-op", "picnic", "--json")
    done = run("good", "sim", "--seed", "4", *words)
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["vp"]["red"] >= 3, "the picnic is scored in three turning points"
    odds = run(
        "good",
        "odds",
        "shoot",
        *["--attack", "4", "--hit", "4", "--damage", "3/4", "--rules"],
        "Keen 5+",
        "--save",
        "4",
    )
    assert odds.returncode == 0, odds.stderr


def test_what_cannot_be_used_is_left_out_with_one_sentence_each() -> None:
    done = run("broken", "sim", "--seed", "4", "--table", "plain", "--json")
    assert done.returncode == 0
    said = done.stderr.splitlines()
    assert len(said) == len(set(said)) == 4, said
    for line, words in zip(sorted(said), ("'absent'", "'gone'", "'picnic'", "'tactician'"), strict=True):
        assert line.startswith(f"ktsim-broken: {words} (ktsim.")
        assert "cannot be used and is left out" in line
    assert "Traceback" not in done.stderr
    wrong = run(
        "broken",
        "odds",
        "shoot",
        *["--attack", "4", "--hit", "4", "--damage", "3/4", "--rules", "Nonsense", "--save", "4"],
    )
    assert wrong.returncode == 2
    assert "there is already a weapon rule printed 'Rending'" in wrong.stderr
    assert "unknown weapon rule 'Nonsense'" in wrong.stderr
    assert "Traceback" not in wrong.stderr


def test_nothing_is_loaded_before_it_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("ktsim.content.plugins.entry_points", lambda group: asked.append(group) or [])
    offered: Extensible[int] = Extensible({"one": 1}, "ktsim.numbers", lambda name, loaded: None)
    assert (offered["one"], asked) == (1, [])
    with pytest.raises(KeyError):
        offered["two"]
    assert (list(offered), asked) == (["one"], ["ktsim.numbers"])
