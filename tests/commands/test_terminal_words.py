"""Escape sequences never reach the terminal: whatever is named on the command line is shown in printable words."""

from __future__ import annotations

from pathlib import Path

import pytest

from ktsim.cli import main
from ktsim.game.session import Session
from ktsim.game.setup import Setup

ESCAPE = "\x1b[31mX\x07"


@pytest.mark.parametrize(
    "words",
    [
        ["sim", "--red", ESCAPE],
        ["sim", "--blue", f"{ESCAPE}.yaml"],
        ["sim", "--mission", ESCAPE],
        ["sim", "--edition", ESCAPE],
        ["sim", "--crit-op", ESCAPE],
        ["sim", "--killzone", ESCAPE],
        ["sim", "--red-bot", ESCAPE],
        ["sim", "--red-handicap", ESCAPE],
        ["sim", "--out", f"/proc/{ESCAPE}"],
        ["replay", ESCAPE],
        ["replay", f"/etc/{ESCAPE}"],
        ["play", "--text", "--save", f"/proc/{ESCAPE}"],
        ["play", "--text", "--load", ESCAPE],
        ["killzone", "render", "training-ground", "--png", "x.png", "--size", ESCAPE],
        ["killzone", "check", ESCAPE],
        ["team", "check", ESCAPE],
        ["rule", ESCAPE],
    ],
)
def test_what_is_named_is_shown_without_escapes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    told = capsys.readouterr()
    assert told.err
    assert all(line.isprintable() for line in [*told.err.splitlines(), *told.out.splitlines()])


@pytest.mark.parametrize("words", [[ESCAPE], ["sim", ESCAPE], ["sim", "--table", ESCAPE], ["sim", "--games", ESCAPE]])
def test_words_no_command_takes_are_shown_without_escapes(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert all(line.isprintable() for line in capsys.readouterr().err.splitlines())


def test_the_name_of_a_saved_game_is_shown_without_escapes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"{ESCAPE}.ktsim"
    Session.begin(Setup(board="open", table="plain"), path).close()
    with path.open("ab") as file:
        file.write(b"torn")
    assert main(["replay", str(path), "--check"]) == 0
    told = capsys.readouterr()
    assert "were incomplete" in told.err
    assert all(line.isprintable() for line in [*told.err.splitlines(), *told.out.splitlines()])
