"""What archives for every system must do: answer as the sources do, and compile nothing."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ("open-ground", "hatch-open", "slit-too-narrow", "volkus-upper-floor", "vantage-over-light")
TERMS = ["--text", "--dice", "4", "--table", "plain", "--mission", "skirmish", "--save", "game"]
QUESTIONS: tuple[tuple[Sequence[str], str], ...] = (
    (["--version"], ""),
    (["rule", *(f"{name}.yaml" for name in EXAMPLES), "--json"], ""),
    (["move", "hatch-open.yaml", "--who", "a", "--to", "9,11", "--json"], ""),
    (["sim", "--games", "1", "--seed", "3", "--killzone", "training-ground", "--json"], ""),
    (["play", *TERMS], "d\nd\nd\nquit\n"),
    (["drill", "new", "--seed", "5", "--count", "2", "--json"], ""),
)
"""Commands, and what is answered to what they ask."""

Asked = Callable[[Sequence[str], str], "subprocess.CompletedProcess[bytes]"]


def lay_out(folder: Path) -> None:
    """A folder with the scenes that are asked about, which anybody may write to."""
    for name in EXAMPLES:
        shutil.copy(ROOT / "killzones" / "examples" / f"{name}.yaml", folder)
    folder.chmod(0o777)


def from_source(folder: Path) -> Asked:
    def ask(words: Sequence[str], answers: str) -> subprocess.CompletedProcess[bytes]:
        around = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_DATA_HOME": str(folder / "data")}
        command = [sys.executable, "-m", "ktsim", *words]
        return subprocess.run(command, cwd=folder, env=around, input=answers.encode(), capture_output=True, check=False)

    return ask


def assert_same(archive: Asked, source: Asked) -> None:
    for words, answers in QUESTIONS:
        found, wanted = archive(words, answers), source(words, answers)
        assert found.returncode == wanted.returncode == 0, (words, found.stderr)
        assert plain(found.stdout) == plain(wanted.stdout), words
        told = [line for line in plain(found.stderr) if not line.endswith(" drills made")]  # slow ones say so
        assert not told, (words, found.stderr)


def plain(said: bytes) -> list[str]:
    """Lines as they are read, whatever ends them on that system."""
    return said.decode().splitlines()
