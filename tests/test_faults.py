"""Unexpected exceptions leave a trace, and user's folders are where the system keeps such things."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from ktsim import __version__, faults, paths
from ktsim.cli import main
from ktsim.commands import report


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.delenv("KTSIM_DEBUG", raising=False)
    monkeypatch.setattr(faults, "_known", {})
    return tmp_path / "ktsim"


def broken(args: argparse.Namespace) -> int:
    raise ZeroDivisionError("a wheel came off")


@pytest.mark.parametrize(
    ("folder", "variable", "usual"),
    [
        (paths.cache, "XDG_CACHE_HOME", ".cache"),
        (paths.user_data, "XDG_DATA_HOME", ".local/share"),
        (paths.config, "XDG_CONFIG_HOME", ".config"),
        (paths.state, "XDG_STATE_HOME", ".local/state"),
    ],
)
def test_a_variable_set_to_nothing_is_not_set(
    folder: Callable[[], Path], variable: str, usual: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("HOME", str(tmp_path))
    for value in ("", None):
        if value is None:
            monkeypatch.delenv(variable)
        else:
            monkeypatch.setenv(variable, value)
        assert folder() == tmp_path / usual / "ktsim"
    monkeypatch.setenv(variable, str(tmp_path / "x"))
    assert folder() == tmp_path / "x" / "ktsim"


def test_a_fault_is_written_with_version_and_facts_and_once(state: Path) -> None:
    def fail() -> faults.Fault:
        try:
            raise ValueError("no such thing")
        except ValueError as error:
            return faults.note("the odds", error, {"seed": 17, "answers": 4})

    first, again = fail(), fail()
    assert first == again
    assert first.log == state / "faults.log"
    text = first.log.read_text()
    for wanted in (
        f"ktsim {__version__}",
        "the odds",
        "seed: 17",
        "answers: 4",
        "Traceback",
        "no such thing",
        __file__,
    ):
        assert wanted.replace(str(Path.home()), "~") in text
    assert text.count("Traceback") == 1
    assert str(first.log) in first.sentence


def test_a_log_that_grows_is_put_aside_and_only_one_is_kept(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(faults, "MOST_BYTES", 300)
    for number in range(9):
        faults.note("a bot", f"fault {number}")
    assert sorted(path.name for path in state.iterdir()) == ["faults.log", "faults.older.log"]
    assert "fault 8" in (state / "faults.log").read_text()
    assert all(path.stat().st_size < 1500 for path in faults.logs())


def test_what_cannot_be_written_down_is_told_all_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    monkeypatch.setattr(faults, "_known", {})
    fault = faults.note("a bot", ValueError("no"))
    assert fault.log is None
    assert "No log of it could be written" in fault.sentence


def test_the_command_line_says_one_sentence(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("ktsim.commands.warm.run", broken)
    assert main(["warm"]) == 70
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert said.count("\n") == 1
    assert "wheel came off" in said
    assert str(state / "faults.log") in said
    assert "arguments: ['warm']" in (state / "faults.log").read_text()


def test_debugging_shows_the_traceback(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ktsim.commands.warm.run", broken)
    monkeypatch.setenv("KTSIM_DEBUG", "1")
    with pytest.raises(ZeroDivisionError):
        main(["warm"])
    assert not state.exists()


def test_a_report_holds_log_last_game_and_version_and_nothing_else(
    state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    games = tmp_path / "data" / "ktsim" / "games"
    games.mkdir(parents=True)
    for number, name in enumerate(("old.ktsim", "new.ktsim", "new.ktsim.table", "secret.txt")):
        (games / name).write_text(name)
        os.utime(games / name, (1000 + number, 1000 + number))
    faults.note("a bot", ValueError("no"))
    out = tmp_path / "report.zip"
    assert main(["report", "--out", str(out)]) == 0
    with zipfile.ZipFile(out) as file:
        assert sorted(file.namelist()) == ["faults.log", "new.ktsim", "version.txt"]
        assert file.read("new.ktsim") == b"new.ktsim"
        assert __version__.encode() in file.read("version.txt")
    assert str(out) in capsys.readouterr().out


def test_a_report_can_be_made_where_nothing_has_happened(
    state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["report"]) == 0
    (found,) = tmp_path.glob("ktsim-report-*.zip")
    assert report.last_game() is None
    assert "No fault" in capsys.readouterr().out
    with zipfile.ZipFile(found) as file:
        assert file.namelist() == ["version.txt"]


def test_a_report_that_cannot_be_written_is_a_sentence(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", "--out", "/no/such/folder/x.zip"]) == 2
    assert "cannot be written" in capsys.readouterr().err


BROKEN_BOT = """
import io, sys
from ktsim.game import thinking

class Broken:
    is_repeatable = False
    def __init__(self, seed, level, seconds): raise KeyError("lost")

thinking.BOTS["broken"] = Broken
setup = '{"setup": {"board": "open", "table": "plain", "mission": "skirmish"}, "number": 0}'
from ktsim.game.setup import Setup, new_game
digest = new_game(Setup(board="open", table="plain", mission="skirmish")).digest()
ask = '{"stand": 0, "answers": [], "hash": "%s", "bot": "broken", "seed": "5 0", "level": "normal", "seconds": 1}'
out = io.StringIO()
thinking.serve([setup, ask % digest], out)
print(out.getvalue())
"""


def test_the_thinking_process_writes_its_faults_down(state: Path) -> None:
    found = subprocess.run([sys.executable, "-c", BROKEN_BOT], capture_output=True, text=True, check=True)
    text = (state / "faults.log").read_text()
    for wanted in ("the thinking process", "KeyError", "seed: 5 0", "bot: broken", "position: 0"):
        assert wanted in text
    assert "faults.log" in found.stdout
