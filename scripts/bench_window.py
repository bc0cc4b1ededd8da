"""The window on a virtual display: how soon it is usable, what it costs at rest, and rulings a second in a drag.

Usage: scripts/bench window [KILLZONE ...]. Needs Xvfb for the first two, which are left out without it. Other work on
the machine makes times longer; CPU seconds tell what is ours.
"""

from __future__ import annotations

import math
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.state import new_file
from ktsim.killzones.catalogue import names

ROOT = Path(__file__).resolve().parent.parent
REST = 20.0
STEPS = 120


def cpu_of(pid: int) -> float:
    """CPU seconds a process has used."""
    words = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


def window() -> None:
    """From the command to a window with a table in it, twice; then seconds of rest."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-noreset", "-screen", "0", "1280x800x24"]
    server = subprocess.Popen(command, pass_fds=[writing], stderr=subprocess.DEVNULL)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    with tempfile.TemporaryDirectory() as folder:
        for attempt in range(2):
            trace = Path(folder) / f"trace-{attempt}"
            own = {
                "DISPLAY": f":{number}",
                "KTSIM_TRACE": str(trace),
                "XDG_DATA_HOME": folder,
                "XDG_CONFIG_HOME": folder,
            }
            start = time.perf_counter()
            environment = {**os.environ, **own, "PYTHONPATH": str(ROOT)}
            program = subprocess.Popen([sys.executable, "-m", "ktsim"], env=environment, stderr=subprocess.DEVNULL)
            while not (trace.exists() and "screen: start" in trace.read_text()):
                time.sleep(0.02)
            shown, used = time.perf_counter() - start, cpu_of(program.pid)
            while "laid: yes" not in trace.read_text():
                time.sleep(0.02)
            laid, used_all = time.perf_counter() - start, cpu_of(program.pid)
            print(f"start screen after {shown:.1f} s ({used:.1f} s CPU)", end=", ")
            print(f"table laid after {laid:.1f} s ({used_all:.1f} s CPU)")
            if attempt == 1:
                time.sleep(5)
                before = cpu_of(program.pid)
                time.sleep(REST)
                print(f"at rest: {(cpu_of(program.pid) - before) / REST:.2%} of a core", flush=True)
            program.terminate()
            program.wait(10)
    server.terminate()
    server.wait(10)


def drag(killzone: str) -> None:
    """Rulings while a target is dragged in a circle about the middle of the board, both editions."""
    model = TableModel(new_file(killzone))
    width, depth = model.scene.terrain.board
    model.add("blue", 2, 2)
    model.add("red", width / 2, depth / 2)
    rates = []
    for edition in ("kt24", "kt21-lite"):
        model.set_edition(edition)  # type: ignore[arg-type]
        spent = []
        for step in range(-5, STEPS):
            angle = 2 * math.pi * step / STEPS
            x, y = width / 2 + 0.4 * width * math.cos(angle), depth / 2 + 0.4 * depth * math.sin(angle)
            start = time.process_time()
            model.move("Red 1", x, y, 0.0, drag=1)
            assert model.ruling is not None
            if step >= 0:
                spent.append(time.process_time() - start)
        usual, worst = 1000 * median(spent), 1000 * max(spent)
        rates.append(f"{edition} {STEPS / sum(spent):5.0f} a second (median {usual:.1f} ms, worst {worst:.0f})")
    print(f"{killzone:16} rulings in a drag: {', '.join(rates)}", flush=True)


def main(wanted: list[str]) -> None:
    if shutil.which("Xvfb"):
        window()
    else:
        print("no Xvfb here: the window is not measured")
    for killzone in wanted or names():
        drag(killzone)


if __name__ == "__main__":
    main(sys.argv[1:])
