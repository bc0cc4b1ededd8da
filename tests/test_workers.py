"""Processes beside the main one are started in one place, from source and from a program without Python around it."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import ktsim
from ktsim import workers

ROOT = Path(ktsim.__file__).parent


def test_nothing_else_starts_an_interpreter() -> None:
    named = [path.name for path in ROOT.rglob("*.py") if "sys.executable" in path.read_text(encoding="utf-8")]
    assert named == ["workers.py"]


@pytest.mark.parametrize("module", workers.WORKERS.values())
def test_every_worker_can_be_run(module: str) -> None:
    assert callable(import_module(module).main)


def test_a_worker_takes_nothing_from_the_folder_one_is_in(tmp_path: Path) -> None:
    (tmp_path / "numpy.py").write_text("raise SystemExit('taken from the folder')\n")
    (tmp_path / "tri.obj").write_text("v 0 0 0\nv 30 0 0\nv 0 30 0\nf 1 2 3\n")
    done = subprocess.run(workers.command("mesh", "tri.obj"), cwd=tmp_path, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(b"PK")


def test_a_program_starts_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert workers.command("card", "a", "b") == [sys.executable, "--worker", "card", "a", "b"]
