"""The demo, and what ktsim says when it is started alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ktsim.app.shell.display import Unopened
from ktsim.cli import COMMANDS, main


def test_alone_without_a_display_it_says_so_and_names_every_command(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    assert main([]) == 0
    said = capsys.readouterr().out
    assert said.startswith("There is no display here to open a window on")
    assert all(f"ktsim {name}" in said for name in COMMANDS)


@pytest.mark.parametrize("words", [[], ["table"], ["play"]])
def test_a_display_that_cannot_be_opened_is_told_of_like_a_missing_one(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("DISPLAY", ":99")

    def refuse(*args: object, **options: object) -> None:
        raise Unopened("The display :99 cannot be opened.")

    monkeypatch.setattr("ktsim.app.shell.window.run", refuse)
    assert main(words) == (2 if words else 0)
    said = capsys.readouterr()
    text = said.err if words else said.out
    assert text.startswith("The display :99 cannot be opened.")
    assert "ktsim rule" in text or "ktsim play --text" in text
    assert words or all(f"ktsim {name}" in text for name in COMMANDS)


@pytest.mark.parametrize("words", [["table"], ["play"]])
def test_the_window_needs_a_display(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.delenv("DISPLAY", raising=False)
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "no display" in said
    assert "ktsim rule" in said or "ktsim play --text" in said


def test_a_bad_scene_is_told_of_before_a_window_opens(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "bad.yaml").write_text("ktsim: scene/1\nedition: kt99\noperatives: []\n")
    assert main(["table", str(tmp_path / "bad.yaml")]) == 2
    assert "kt99" in capsys.readouterr().err


def test_the_demo_rules_draws_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "card.png"
    assert main(["demo", "--png", str(picture)]) == 0
    said = capsys.readouterr().out
    assert "KT24-OBSCURED" in said
    assert "Turning point 1" in said
    assert "Turning point 3" not in said
    assert picture.read_bytes().startswith(b"\x89PNG")
