"""The archive for Linux, from nothing: another user, no Python, no network, a read-only place with a space in its name.

Skipped unless ``scripts/package --test`` names an archive.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from archive_help import ROOT, Asked, assert_same, from_source, lay_out
from display_driver import needs_display

ARCHIVE = os.environ.get("KTSIM_ARCHIVE", "")

pytestmark = pytest.mark.skipif(not ARCHIVE.endswith(".tar.xz"), reason="scripts/package --test names an archive")


class Unpacked:
    """The archive in a place of its own, and somebody who knows nothing but it."""

    def __init__(self, folder: Path) -> None:
        self.work = folder / "work"
        self.work.mkdir()
        lay_out(self.work)
        place = folder / "a place"
        with tarfile.open(ARCHIVE) as held:
            held.extractall(place, filter="tar")
        subprocess.run(["chmod", "-R", "a-w", place], check=True)
        (self.root,) = place.iterdir()
        self.environment = {"PATH": "/nonexistent", "HOME": str(self.work), "XDG_CACHE_HOME": str(self.work / "cache")}
        self.before: list[str] = []
        if os.geteuid() == 0:
            self.before = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

    def command(self, *words: str) -> list[str]:
        alone = ["unshare", "--net"] if self.before else []
        around = ["env", "-i", *(f"{name}={value}" for name, value in self.environment.items())]
        return [*alone, *self.before, *around, str(self.root / "ktsim"), *words]

    def ask(self, words: Sequence[str], answers: str = "") -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            self.command(*words), cwd=self.work, input=answers.encode(), capture_output=True, check=False
        )

    def compiled(self) -> list[Path]:
        return list((self.work / "cache").rglob("*.kernel"))


@pytest.fixture(scope="module")
def unpacked() -> Iterator[Unpacked]:
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    yield Unpacked(folder)
    subprocess.run(["chmod", "-R", "u+w", folder], check=True)
    shutil.rmtree(folder)


@pytest.fixture
def source(tmp_path: Path) -> Asked:
    lay_out(tmp_path)
    return from_source(tmp_path)


def test_answers_are_those_of_the_sources_and_nothing_is_compiled(unpacked: Unpacked, source: Asked) -> None:
    assert_same(unpacked.ask, source)
    assert not unpacked.compiled()


def test_the_first_ruling_comes_at_once(unpacked: Unpacked) -> None:
    before = os.times()
    assert unpacked.ask(["rule", "open-ground.yaml"]).returncode == 0
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    assert spent < 2.0, f"{spent:.1f} s of the processor"


def test_cards_are_the_same_to_the_byte(unpacked: Unpacked, source: Asked, tmp_path: Path) -> None:
    words = ["rule", "hatch-open.yaml", "--png", "card.png"]
    assert unpacked.ask(words).stderr == b"The card is in card.png.\n"  # and nothing of compiling
    assert source(words, "").returncode == 0
    assert (unpacked.work / "card.png").read_bytes() == (tmp_path / "card.png").read_bytes()
    assert not unpacked.compiled()


def test_meshes_are_read_by_the_program_itself(unpacked: Unpacked) -> None:
    """In its worker, which has no other Python to turn to."""
    (unpacked.work / "tri.obj").write_text("v 0 0 0\nv 30 0 0\nv 0 30 0\nf 1 2 3\n")
    done = unpacked.ask(["--worker", "mesh", "tri.obj"])
    assert done.returncode == 0
    assert done.stdout.startswith(b"PK")


@needs_display
def test_the_window_rules_saves_and_draws_a_card(unpacked: Unpacked, tmp_path: Path) -> None:
    """The same course as from source: start, place two operatives, rule, save, export, quit. As the user who tests:
    the folders of tests are closed to others."""
    program = f"'{unpacked.root / 'ktsim'}'"
    about = {**os.environ, "KTSIM_PROGRAM": program, "XDG_CACHE_HOME": str(tmp_path / "cache")}
    course = ["tests/app/test_desktop_display.py", f"--basetemp={tmp_path / 'window'}"]
    command = [sys.executable, "-m", "pytest", "-x", "-q", *course]
    done = subprocess.run(command, cwd=ROOT, env=about, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.startswith("."), "it was skipped"
    assert not list((tmp_path / "cache").rglob("*.kernel"))
