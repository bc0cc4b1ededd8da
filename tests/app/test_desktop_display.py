"""The real window on a virtual display, driven from outside with xdotool: start, place two operatives, rule, save.

Skipped where Xvfb or xdotool is missing.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from display_driver import PATIENCE, PROGRAM, STREAMS, display, environment_of, needs_display

from ktsim.killzones.scene_file import load_scene

__all__ = ["display"]

pytestmark = needs_display


def wait_for(what: Callable[[], object], why: str) -> None:
    until = time.monotonic() + PATIENCE
    while not what():
        assert time.monotonic() < until, why
        time.sleep(0.02)


def test_a_ruling_in_a_real_window(display: str, tmp_path: Path) -> None:
    trace = tmp_path / "trace"
    environment = environment_of(display, tmp_path, trace)
    program = subprocess.Popen(PROGRAM, env=environment, **STREAMS)

    def state() -> str:
        return trace.read_text() if trace.exists() else ""

    def frames() -> int:
        rows = dict(row.split(": ", 1) for row in state().splitlines() if ": " in row)
        return int(rows.get("frames", "0"))

    def xdo(*words: str) -> None:
        """Do something, and wait until frames drawn after it show what came of it, or the window is gone."""
        before = frames()
        subprocess.run(["xdotool", *words], env=environment, check=True, timeout=30)
        wait_for(lambda: frames() >= before + 3 or program.poll() is not None, f"nothing was drawn after {words}")

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
        for key, name in (("Tab", "lesson"), ("Tab", "rule"), ("shift+Tab", "lesson"), ("Down", "rule")):
            xdo("key", key)
            wait_for(lambda name=name: f"focus: {name}\n" in state(), f"{key} does not walk to {name}")  # type: ignore[misc]
        xdo("key", "Escape")
        wait_for(lambda: "focus: none" in state(), "Escape ends the walk")
        xdo("key", "k")
        wait_for(lambda: "dialog: killzones" in state(), "the key K opens the killzones")
        click(640, 502)
        wait_for(lambda: "screen: table" in state() and "dialog: none" in state(), "no table after choosing")
        xdo("key", "b")
        wait_for(lambda: "placing: blue" in state(), "b places blue")
        click(480, 360)
        wait_for(lambda: "operatives: 1" in state(), "blue was not placed")
        if "placing: nobody" not in state():
            xdo("key", "Escape")
        # All at once, as on a machine that is slow to look: it is taken where it was pressed, and there is room then.
        there = [str(part) for part in ("mousemove", "--window", window, 480, 360)]
        aside = [str(part) for part in ("mousemove", "--window", window, 680, 330)]
        xdo(*there, "mousedown", "1", *aside, "mouseup", "1")
        xdo("key", "g")
        wait_for(lambda: "placing: red" in state(), "g places red")
        click(480, 360)
        wait_for(lambda: "operatives: 2" in state(), "red was not placed")
        wait_for(lambda: "Valid target: " in state() or "No target: " in state(), "no ruling came")
        xdo("key", "ctrl+s")
        wait_for(lambda: "dialog: save" in state(), "Ctrl+S asks for a name")
        saved = tmp_path / "data" / "ktsim" / "scenes" / "table.yaml"
        xdo("key", "Return")
        wait_for(saved.exists, "nothing was saved")
        assert len(load_scene(saved).scene.operatives) == 2
        xdo("key", "ctrl+e")
        wait_for(lambda: "dialog: export" in state(), "Ctrl+E asks for a name")
        card = saved.with_suffix(".png")
        xdo("key", "Return")
        wait_for(card.exists, "no card was drawn")
        assert card.read_bytes().startswith(b"\x89PNG")
        for _ in range(2):
            xdo("key", "Escape")
        wait_for(lambda: "screen: start" in state(), "Escape goes back to the start")
        while "focus: quit" not in state():
            before = state()
            xdo("key", "Tab")
            wait_for(lambda before=before: state() != before, "Tab walks on to Quit")  # type: ignore[misc]
        xdo("key", "Return")
        assert program.wait(PATIENCE) == 0
    finally:
        if program.poll() is None:
            program.kill()
            program.wait(10)
