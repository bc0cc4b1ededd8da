"""The demo, and what ktsim says when it is started alone."""

from __future__ import annotations

from pathlib import Path

import pytest

from ktsim.cli import COMMANDS, main


def test_alone_it_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    said = capsys.readouterr().out
    assert all(f"ktsim {name}" in said for name in COMMANDS)


def test_the_demo_rules_draws_and_plays(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "card.png"
    assert main(["demo", "--png", str(picture)]) == 0
    said = capsys.readouterr().out
    assert "KT24-OBSCURED" in said
    assert "Turning point 1" in said
    assert "Turning point 3" not in said
    assert picture.read_bytes().startswith(b"\x89PNG")
