"""The real window on a virtual display, driven from outside with xdotool: start, place two operatives, rule, save.

Skipped where Xvfb or xdotool is missing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ktsim.killzones.scene_file import load_scene

pytestmark = pytest.mark.skipif(not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="needs Xvfb and xdotool")

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 180.0
"""Seconds before a window that does not answer is a failure; the kernels may have to be compiled first."""


def wait_for(what: Callable[[], object], why: str) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, why
        time.sleep(0.2)


@pytest.fixture
def display() -> Iterator[str]:
    """A virtual display of its own; Xvfb picks the number and tells it when it is ready."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    yield f":{number}"
    server.terminate()
    server.wait(10)


def test_a_ruling_in_a_real_window(display: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    environment = {
        **os.environ,
        "DISPLAY": display,
        "XDG_DATA_HOME": str(tmp_path / "data"),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "KTSIM_TRACE": str(trace),
        "PYTHONPATH": str(ROOT),
    }
    program = subprocess.Popen([sys.executable, "-m", "ktsim"], env=environment, stderr=subprocess.DEVNULL)

    def state() -> str:
        return trace.read_text() if trace.exists() else ""

    def xdo(*words: str) -> None:
        subprocess.run(["xdotool", *words], env=environment, check=True, timeout=30)
        time.sleep(0.3)

    def name_of_window() -> str:
        found = subprocess.run(
            ["xdotool", "search", "--name", "^ktsim$"], env=environment, capture_output=True, text=True, check=False
        )
        return found.stdout.strip().splitlines()[0] if found.stdout.strip() else ""

    def click(x: int, y: int) -> None:
        xdo("mousemove", "--window", window, str(x), str(y))
        xdo("click", "1")

    try:
        wait_for(name_of_window, "no window was opened")
        window = name_of_window()
        wait_for(lambda: "screen: start" in state() and "laid: yes" in state(), "the start screen never came to rest")
        xdo("mousemove", "--window", window, "258", "300")
        xdo("key", "k")
        wait_for(lambda: "dialog: killzones" in state(), "the key K opens the killzones")
        click(400, 275)
        wait_for(lambda: "screen: table" in state() and "dialog: none" in state(), "no table after choosing")
        xdo("key", "b")
        wait_for(lambda: "placing: blue" in state(), "b places blue")
        click(480, 360)
        wait_for(lambda: "operatives: 1" in state(), "blue was not placed")
        xdo("key", "g")
        wait_for(lambda: "placing: red" in state(), "g places red")
        click(680, 330)
        wait_for(lambda: "operatives: 2" in state(), "red was not placed")
        wait_for(lambda: "ruling: Red 1 is" in state(), "no ruling came")
        xdo("key", "ctrl+s")
        wait_for(lambda: "dialog: save" in state(), "Ctrl+S asks for a name")
        xdo("key", "Return")
        saved = tmp_path / "data" / "ktsim" / "scenes" / "table.yaml"
        wait_for(saved.exists, "nothing was saved")
        assert len(load_scene(saved).scene.operatives) == 2
        xdo("key", "ctrl+e")
        wait_for(lambda: "dialog: export" in state(), "Ctrl+E asks for a name")
        xdo("key", "Return")
        card = saved.with_suffix(".png")
        wait_for(card.exists, "no card was drawn")
        assert card.read_bytes().startswith(b"\x89PNG")
        for _ in range(2):
            xdo("key", "Escape")
        wait_for(lambda: "screen: start" in state(), "Escape goes back to the start")
        click(361, 629)
        assert program.wait(PATIENCE) == 0
    finally:
        if program.poll() is None:
            program.kill()
            program.wait(10)
