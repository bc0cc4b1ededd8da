"""Random keys, clicks, drags and text into the real window on a virtual display.

``scripts/monkey --minutes 60 --seed 3``. Fails when the window ends with an error, notes a fault in its log, or takes
longer than ``--step`` seconds of CPU until it looks at its events again, or more than ``--memory``. Every second
window goes on with a saved game. What was pressed last is told with a failure; the same seed presses the same.
``--program "wine ktsim-window.exe"`` presses at a package instead, whose steps and memory are not measured.
"""

from __future__ import annotations

import argparse
import os
import random
import shlex
import subprocess
import sys
import tempfile
import time
from collections import deque
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SAVES = ROOT / "tests" / "game" / "saves"
GAME = max(SAVES.glob("rules-*-battle.ktsim"), key=lambda path: int(path.name.split("-")[1]))
SIZE = (1280, 800)
KEYS = ["Return"] * 14 + ["Tab"] * 3 + ["Down", "Up", "Left", "Right"] * 2 + ["space"] * 2 + ["ctrl+z"] * 2
KEYS += [*"123456789qwersfplnhgvbcmtxzoykijd", "F1", "F2", "F3", "F5", "ctrl+y", "ctrl+s", "ctrl+o", "Delete"]
KEYS += ["BackSpace", "Home", "End", "Page_Down", "plus", "minus", "Escape", "shift+Tab"]
OFTEN = 0.1
"""Seconds of CPU after which the window is weighed again."""
WORDS = ["ab c", "../../x", "9999999", "1,1", "x" * 80]


def watched(log: Path, game: Path | None) -> None:
    """The window as it is, with the time timed from one look at its events to the next: this is the process that is
    pressed at."""
    sys.modules.setdefault("scipy", None)  # type: ignore[arg-type]  # as in ktsim/__main__.py
    from ktsim.app.shell import window
    from ktsim.app.stage.engine import Engine

    step, render = window.WindowLoop.step, Engine.render
    worst, looked, shown = 0.0, time.process_time(), "nothing yet"
    most, weighed = 0, 0.0

    def stepped(self: Any) -> bool:
        nonlocal shown
        shown = repr(self.desktop.summary())
        return step(self)

    def looking(self: Any) -> None:
        nonlocal worst, looked, most, weighed
        now = time.process_time()
        took, looked = now - looked, now
        if took > worst or now - weighed > OFTEN:
            weighed = now
            pages = int(Path("/proc/self/statm").read_text().split()[1])
            memory = pages * os.sysconf("SC_PAGE_SIZE") // 1_000_000
            if took > worst or memory > most:
                worst, most = max(worst, took), max(most, memory)
                with log.open("a") as file:
                    print(f"{took:.2f} {memory} {shown}", file=file)
        render(self)

    window.WindowLoop.step, Engine.render = stepped, looking  # type: ignore[method-assign]
    window.run(None, game)


class Monkey:
    """One display, one window after another."""

    def __init__(self, seed: int, folder: Path, display: str, program: str) -> None:
        self.rng, self.folder, self.program = random.Random(seed), folder, shlex.split(program)
        home = {f"XDG_{name}_HOME": str(folder / name.lower()) for name in ("DATA", "CONFIG", "STATE")}
        self.environment = {**os.environ, **home, "DISPLAY": display, "PYTHONPATH": str(ROOT)}
        self.log, self.told, self.trace = folder / "steps", folder / "told", folder / "trace"
        self.environment["KTSIM_TRACE"] = str(self.trace)
        self.pressed: deque[str] = deque(maxlen=12)
        self.starts = self.sent = 0

    def open(self) -> subprocess.Popen[bytes]:
        self.starts += 1
        game = self.folder / f"{self.starts}.ktsim"
        words = self.program or [sys.executable, __file__, "--child", str(self.log)]
        if self.starts % 2 == 0 and not self.program:
            game.write_bytes(GAME.read_bytes())
            words = [*words, str(game)]
        with self.told.open("ab") as told:
            streams: Any = subprocess.PIPE if self.program else told  # Wine knows no others without a terminal
            child = subprocess.Popen(words, env=self.environment, stdin=subprocess.PIPE, stdout=streams, stderr=streams)
        for _ in range(600):
            time.sleep(0.1)
            if self._window() or child.poll() is not None:
                break
        return child

    def _window(self) -> list[str]:
        words = ["xdotool", "search", "--name", "^ktsim$"]
        found = subprocess.run(words, env=self.environment, capture_output=True, text=True, check=False)
        return found.stdout.split()

    def press(self) -> None:
        """Something at random."""
        rng = self.rng
        spot = ["mousemove", str(rng.randrange(SIZE[0])), str(rng.randrange(SIZE[1]))]
        kind = rng.random()
        if kind < 0.45:
            words = [*spot, "click", rng.choice("1111132")]
        elif kind < 0.85:
            words = ["key", *(rng.choice(KEYS) for _ in range(rng.randint(1, 4)))]
        elif kind < 0.90:
            there = ["mousemove", str(rng.randrange(SIZE[0])), str(rng.randrange(SIZE[1]))]
            words = [*spot, "mousedown", rng.choice("132"), *there, "mouseup", "1", "mouseup", "3", "mouseup", "2"]
        elif kind < 0.94:
            words = ["click", "--repeat", str(rng.randint(1, 15)), "--delay", "5", rng.choice("45")]
        elif kind < 0.96:
            words = [*spot, "keydown", "shift", "click", "1", "keyup", "shift"]
        elif kind < 0.98 or not (found := self._window()):
            words = ["type", "--delay", "5", rng.choice(WORDS)]
        else:
            words = ["windowsize", found[-1], rng.choice(["640", "1280", "900"]), rng.choice(["480", "800", "600"])]
        self.pressed.append(" ".join(words))
        subprocess.run(["xdotool", *words], env=self.environment, capture_output=True, timeout=60, check=False)
        self.sent += 1
        time.sleep(rng.choice([0.02, 0.05, 0.2]))

    def faults(self) -> list[str]:
        log = self.folder / "state" / "ktsim" / "faults.log"
        return log.read_text(encoding="utf-8", errors="replace").splitlines() if log.exists() else []


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        watched(Path(sys.argv[2]), Path(sys.argv[3]) if len(sys.argv) > 3 else None)
        return 0
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--minutes", type=float, default=60.0, help="how long (default 60)")
    options.add_argument("--seed", type=int, default=0)
    options.add_argument("--step", type=float, default=3.0, help="seconds of CPU one step may take (default 3)")
    options.add_argument("--memory", type=int, default=800, help="MB the window may come to (default 800)")
    options.add_argument("--program", default="", help="the command that opens the window")
    args = options.parse_args()
    reading, writing = os.pipe()
    size = f"{SIZE[0]}x{SIZE[1]}x24"
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", size],
        pass_fds=[writing],
        stderr=subprocess.DEVNULL,
    )
    os.close(writing)
    with os.fdopen(reading) as told:
        display = f":{told.readline().strip()}"
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="monkey-") as folder:
        monkey = Monkey(args.seed, Path(folder), display, args.program)
        until = time.monotonic() + 60 * args.minutes
        child = monkey.open()
        while time.monotonic() < until and not wrong:
            if child.poll() is not None:
                if child.returncode:
                    wrong.append(f"the window ended with {child.returncode} after {list(monkey.pressed)}")
                child = monkey.open()
            monkey.press()
            if found := monkey.faults():
                wrong.append(f"a fault after {list(monkey.pressed)}: " + "\n".join(found[-60:]))
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:
            child.kill()
        server.terminate()
        server.wait(10)
        if wrong:
            wrong.append(monkey.told.read_text(encoding="utf-8", errors="replace")[-2000:])
        rows = [line.split(" ", 2) for line in monkey.log.read_text().splitlines()] if monkey.log.exists() else []
        worst = max((float(row[0]), row[2]) for row in rows) if rows else (0.0, "")
        memory, heaviest = max(((int(row[1]), row[2]) for row in rows), default=(0, ""))
        print(
            f"{monkey.sent} inputs into {monkey.starts} windows; the longest step {worst[0]:.2f} s of CPU, {memory} MB"
        )
        if not monkey.trace.exists():
            wrong.append("no window was ever drawn")
        if memory > args.memory:
            wrong.append(f"the window came to {memory} MB, at most {args.memory} MB are allowed: {heaviest}")
        if worst[0] > args.step:
            wrong.append(f"a step took {worst[0]:.2f} s of CPU, at most {args.step} s is allowed: {worst[1]}")
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
