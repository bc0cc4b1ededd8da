"""A virtual display for tests of the real window, which are skipped where Xvfb or xdotool is missing."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

needs_display = pytest.mark.skipif(
    not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool"
)

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = shlex.split(os.environ.get("KTSIM_PROGRAM", "")) or [sys.executable, "-m", "ktsim"]
"""What opens the window: the sources, or a program that was made of them."""
STREAMS: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.STDOUT}
"""Pipes, which hold what little it says: Wine knows no other streams without a terminal."""
PATIENCE = 300.0
"""Seconds before a window that does not answer is a failure; the kernels may have to be compiled first."""


@pytest.fixture
def display() -> Iterator[str]:
    """A virtual display of its own; Xvfb picks the number and tells it when it is ready."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-noreset", "-ac", "-screen", "0", "1280x800x24"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


def environment_of(display: str, folder: Path, trace: Path) -> dict[str, str]:
    """What the program is started with: this display, its files below *folder*, and told of itself in *trace*."""
    return {
        **os.environ,
        "DISPLAY": display,
        "XDG_DATA_HOME": str(folder / "data"),
        "XDG_CONFIG_HOME": str(folder / "config"),
        "KTSIM_TRACE": str(trace),
        "PYTHONPATH": str(ROOT),
    }
