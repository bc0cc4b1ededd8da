"""The archive for Windows, under Wine: it answers as the sources do on Linux and compiles nothing.

Skipped unless ``scripts/package --target windows --test`` names an archive.
"""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from archive_help import ROOT, Asked, assert_same, from_source, lay_out
from display_driver import display, needs_display

__all__ = ["display"]

ARCHIVE = os.environ.get("KTSIM_ARCHIVE", "")

pytestmark = pytest.mark.skipif(
    not ARCHIVE.endswith("windows-x86_64.zip"), reason="scripts/package --target windows --test names an archive"
)


class Unpacked:
    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        lay_out(self.work)
        with zipfile.ZipFile(ARCHIVE) as held:
            held.extractall(folder / "a place")
        (self.root,) = (folder / "a place").iterdir()
        self.environment = {**os.environ, "XDG_CACHE_HOME": f"Z:{self.work}/cache"}

    def ask(self, words: Sequence[str], answers: str = "", display: str = "") -> subprocess.CompletedProcess[bytes]:
        command = ["wine", str(self.root / "ktsim.exe"), *words]
        around = {**self.environment, "PYTHONIOENCODING": "utf-8", "DISPLAY": display}
        return subprocess.run(
            command, cwd=self.work, env=around, input=answers.encode(), capture_output=True, check=False
        )

    def compiled(self) -> list[Path]:
        return list((self.work / "cache").rglob("*.kernel"))


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Unpacked:
    return Unpacked(tmp_path_factory.mktemp("windows"))


@pytest.fixture
def source(tmp_path: Path) -> Asked:
    lay_out(tmp_path)
    return from_source(tmp_path)


def test_answers_are_those_of_linux_and_nothing_is_compiled(unpacked: Unpacked, source: Asked) -> None:
    """The hash of the state after a whole game among them."""
    assert_same(unpacked.ask, source)
    assert not unpacked.compiled()


@needs_display
def test_a_card_is_drawn(unpacked: Unpacked, display: str) -> None:
    """On a display: Windows draws nowhere else."""
    done = unpacked.ask(["rule", "hatch-open.yaml", "--png", "card.png"], display=display)
    assert done.returncode == 0, done.stderr
    assert (unpacked.work / "card.png").read_bytes().startswith(b"\x89PNG")
    assert not unpacked.compiled()


@needs_display
def test_the_window_rules_saves_and_draws_a_card(unpacked: Unpacked, tmp_path: Path) -> None:
    """The same course as on Linux, by mouse and keys."""
    around = {**unpacked.environment, "KTSIM_PROGRAM": f"wine '{unpacked.root / 'ktsim-window.exe'}'"}
    command = [sys.executable, "-m", "pytest", "-x", "-q", "tests/app/test_desktop_display.py"]
    command.append(f"--basetemp={tmp_path / 'pytest'}")
    done = subprocess.run(command, cwd=ROOT, env=around, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("."), "it was skipped"
    assert not unpacked.compiled()
