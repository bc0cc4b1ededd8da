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


LONG, ODD = "a" * 5000, "a\udcff\udcfe"
"""A name no file system takes, and bytes that are no text, as Python hands them over."""


@pytest.mark.parametrize("name", [LONG, ODD], ids=["long", "odd"])
@pytest.mark.parametrize(
    "words",
    [
        ["rule", "NAME"],
        ["rule", "NAME.yaml"],
        ["killzone", "check", "NAME"],
        ["killzone", "render", "NAME", "--png", "x.png"],
        ["killzone", "export", "training-ground", "--to", "/nowhere/NAME.glb"],
        ["sim", "--killzone", "NAME.yaml"],
        ["sim", "--red", "NAME.yaml"],
        ["sim", "--seed", "NAME"],
        ["sim", "--rules", "NAME"],
        ["sim", "--out", "/proc/NAME"],
        ["replay", "NAME"],
        ["play", "--text", "--load", "NAME"],
        ["play", "--text", "--dice", "NAME"],
        ["team", "check", "NAME"],
        ["team", "import", "NAME", "--out", "/nowhere/NAME"],
        ["odds", "shoot", "--attack", "NAME", "--hit", "NAME", "--damage", "NAME", "--edition", "kt24"],
    ],
    ids=" ".join,
)
def test_names_that_cannot_be_are_a_short_sentence(
    words: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([word.replace("NAME", name) for word in words]) == 2
    told = capsys.readouterr().err
    assert 0 < len(told) < 1200
    assert all(line.isprintable() for line in told.splitlines())


@pytest.mark.parametrize(("kind", "words"), [("team/1", ["team", "check"]), ("scene/1", ["rule"])])
def test_a_file_of_nothing_but_mistakes_is_told_of_in_a_page(
    kind: str, words: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "keys.yaml"
    path.write_text(f"ktsim: {kind}\n" + "".join(f"k{number}: 1\n" for number in range(40_000)), encoding="utf-8")
    assert main([*words, str(path)]) == 2
    told = capsys.readouterr().err
    assert len(told) < 12_000
    assert "more problems" in told.splitlines()[-1]


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
