"""Hot-seat and solo in the real window on a virtual display, driven by keys from outside: a turning point each, undo,
killed in the middle, continued where it was; and the ruling table killed in the middle of a drag.

Skipped where Xvfb or xdotool is missing.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from display_driver import PATIENCE, PROGRAM, STREAMS, display, environment_of, needs_display

from ktsim.app.ruling.state import KeptTable
from ktsim.app.ui.settings import Settings, save_settings
from ktsim.killzones.scene_file import load_scene

__all__ = ["display"]

pytestmark = needs_display


class Window:
    """The program in a window, and what it says of itself after every frame."""

    def __init__(self, display: str, folder: Path) -> None:
        self.trace = folder / "trace"
        self.trace.unlink(missing_ok=True)
        self.environment = environment_of(display, folder, self.trace)
        self.program = subprocess.Popen(PROGRAM, env=self.environment, **STREAMS)

    def state(self) -> dict[str, str]:
        try:
            rows = self.trace.read_text().splitlines()
        except FileNotFoundError:
            return {}
        return dict(row.split(": ", 1) for row in rows if ": " in row)

    def wait(self, what: Callable[[dict[str, str]], object], why: str) -> dict[str, str]:
        until = time.monotonic() + PATIENCE
        while not what(found := self.state()):
            assert self.program.poll() is None, "the window is gone"
            assert time.monotonic() < until, f"{why}: {found}"
            time.sleep(0.02)
        return found

    def key(self, *names: str) -> None:
        subprocess.run(["xdotool", "key", *names], env=self.environment, check=True, timeout=30)

    def start(self) -> None:
        """Wait for the start screen; then make the window small, so that software draws it quickly."""
        self.wait(lambda now: now.get("screen") == "start" and now.get("laid") == "yes", "no start screen")
        search = ["xdotool", "search", "--name", "^ktsim$", "windowsize", "512", "320"]
        subprocess.run(search, env=self.environment, check=True, timeout=30)

    def press(self, name: str) -> dict[str, str]:
        """Press a key and wait until a frame drawn after it has been told of."""
        before = int(self.state().get("frames", "0"))
        self.key(name)
        return self.wait(lambda now: int(now.get("frames", "0")) > before + 1, f"no frame after {name}")

    def answer(self, *keys: str) -> dict[str, str]:
        """Press keys, the last of which answers; wait until that has been taken."""
        before = self.state()["answers"]
        self.key(*keys)
        return self.wait(lambda now: now.get("answers") not in (None, before), f"{keys} answered nothing")

    def asked(self) -> dict[str, str]:
        """Wait until a person is asked something; what a bot has done is read and goes away with a key."""
        while True:
            now = self.wait(
                lambda now: now.get("asks") not in (None, "nobody") and now.get("showing") == "no", "nobody is asked"
            )
            if (read := now["recap"]) == "none":
                return now
            self.key("Return")
            self.wait(lambda now, read=read: now.get("recap") != read, "Enter does not go on after a recap")

    def point(self, *words: object) -> None:
        """Do something with the mouse, places in pixels of the window."""
        name = subprocess.run(
            ["xdotool", "search", "--name", "^ktsim$"], env=self.environment, capture_output=True, text=True, check=True
        ).stdout.split()[0]
        said = [str(word) for word in words]
        said[1:1] = ["--window", name] if said[0] == "mousemove" else []
        subprocess.run(["xdotool", *said], env=self.environment, check=True, timeout=30)

    def kill(self) -> None:
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait(60)


def undo_and_redo(window: Window) -> None:
    """Answer, take it back, give it again. Nothing is rolled or revealed by choosing an order."""
    before = window.asked()
    after = window.answer("Return")
    assert window.answer("ctrl+z")["hash"] == before["hash"]
    assert window.answer("ctrl+shift+z")["hash"] == after["hash"]


def play_turning_point(window: Window, *, moves: int, takes_back: bool = False) -> int:
    """Play by keys until the second turning point; how many moves were made. *takes_back* tries undo on the way. The
    first place is taken as suggested, the second after another suggestion, the rest is left to the program."""
    made = placed = 0
    while True:
        now = window.asked()
        if takes_back and now["asks"] == "order" and now["may-confirm"] == "yes":
            undo_and_redo(window)
            takes_back = False
            continue
        if now["turning-point"] == "2":
            return made
        if now["asks"] == "handover":
            window.key("Return")
            window.wait(lambda now: now.get("asks") != "handover", "Enter does not take the screen over")
        elif now["kind"] == "place":
            placed += 1
            window.answer(*(("Return",), ("g", "Return"), ("r",))[min(placed, 3) - 1])
        elif now["kind"] == "walk":
            for key in ("Up", "Down", "Down", "Left"):
                window.press(key)
                planned = window.wait(lambda now: now.get("planning") == "no", "the move is never planned")
                if planned["may-confirm"] == "yes":
                    break
            window.answer("Return" if planned["may-confirm"] == "yes" else "x")
            made += 1
        elif now["asks"] == "action":
            window.answer("q" if made < moves else "n")
        elif now["may-confirm"] == "yes":
            window.answer("Return")
        else:  # nothing is chosen beforehand in secret
            window.answer("Down", "Return")


def test_hot_seat_and_solo_in_a_real_window(display: str, tmp_path: Path) -> None:
    window = Window(display, tmp_path)
    try:
        window.start()
        window.press("2")
        window.wait(lambda now: now.get("screen") == "hot-seat-setup", "2 sets a hot-seat game up")
        window.key("Return")
        window.wait(lambda now: now.get("screen") == "game", "Enter begins")
        assert play_turning_point(window, moves=1, takes_back=True) >= 1
        after = window.asked()

        window.kill()
        # From here on without animations: a bot's answers would be looked at for half a minute altogether.
        save_settings(Settings(motion=False), tmp_path / "config" / "ktsim" / "settings.json")
        window = Window(display, tmp_path)
        window.start()
        window.key("Return")
        window.wait(lambda now: now.get("screen") == "game", "Enter continues")
        found = window.asked()
        assert (found["hash"], found["answers"]) == (after["hash"], after["answers"])
        window.key("Escape")
        window.wait(lambda now: now.get("dialog") == "menu", "Escape asks whether to leave the game")
        window.key("l")
        window.wait(lambda now: now.get("screen") == "start", "L leaves the game")

        window.press("3")
        window.wait(lambda now: now.get("screen") == "solo-setup", "3 sets a solo game up")
        window.key("Return")
        window.wait(lambda now: now.get("screen") == "game", "Enter begins")
        play_turning_point(window, moves=0)
        assert window.asked()["seat"] == "blue"
        window.key("Escape")
        window.wait(lambda now: now.get("dialog") == "menu", "Escape asks whether to leave the game")
        window.key("l")
        window.wait(lambda now: now.get("screen") == "start", "L leaves the game")
        kill_in_mid_drag(window, tmp_path / "data" / "ktsim" / "scenes" / KeptTable.NAME)
    finally:
        window.kill()


def kill_in_mid_drag(window: Window, kept: Path) -> None:
    """On the ruling table: killed while an operative is dragged, it loses that drag and nothing before it."""
    window.press("1")
    window.wait(lambda now: now.get("screen") == "table", "1 shows the ruling table")
    window.press("t")  # from above: whoever is put down is met again at the same place
    window.point("mousemove", 180, 195)
    time.sleep(0.5)  # a button counts where the pointer is when it is taken in
    window.point("click", 1)
    window.wait(lambda now: now.get("placing") == "red", "blue is put down, and red in hand")
    window.key("Escape")
    window.wait(lambda now: kept.exists() and now.get("placing") == "nobody", "what was done is kept")
    before = load_scene(kept).scene.operatives
    window.point("mousedown", 1)
    window.wait(lambda now: now.get("held") == "operative", "it is taken hold of")
    for x in range(183, 193, 3):
        window.point("mousemove", x, 200)
    window.wait(lambda now: now.get("held") == "operative, moved", "it is dragged")
    window.program.kill()
    window.program.wait(60)
    assert [one.id for one in before] == ["Blue 1"]
    assert load_scene(kept).scene.operatives == before
