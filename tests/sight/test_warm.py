"""Compiling once: what is said, what is kept, and that no kernel is forgotten."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from numba.core.dispatcher import Dispatcher

from ktsim.app.shell.warming import SHARES
from ktsim.geometry.kernels import parallel
from ktsim.sight import warm
from ktsim.sight.warm import Stage, ensure_ready


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KTSIM_KERNELS", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def test_the_first_time_it_says_what_it_does_and_then_it_is_silent(empty_cache: Path) -> None:
    ran: list[str] = []
    stages = [Stage("first things", lambda: ran.append("first")), Stage("more", lambda: ran.append("more"))]
    said: list[str] = []
    assert ensure_ready(said.append, stages)
    assert ran == ["first", "more"]
    assert said == ["compiling first things, 1 of 2 ...", "compiling more, 2 of 2 ..."]
    said.clear()
    assert not ensure_ready(said.append, stages)
    assert (ran, said) == (["first", "more"], [])


def test_what_is_done_can_be_counted_while_it_goes_on(empty_cache: Path) -> None:
    counted: list[int] = []
    stages: list[Stage] = [Stage(name, lambda: counted.append(warm.done(stages))) for name in ("one", "two", "three")]
    assert warm.done(stages) == 0
    ensure_ready(lambda text: None, stages)
    assert counted == [0, 1, 2]
    assert warm.done(stages) == 3


def test_an_interrupted_run_goes_on_where_it_stopped(empty_cache: Path) -> None:
    ran: list[str] = []

    def stopped() -> None:
        raise KeyboardInterrupt

    first = Stage("one", lambda: ran.append("one"))
    with pytest.raises(KeyboardInterrupt):
        ensure_ready(lambda text: None, [first, Stage("two", stopped)])
    ensure_ready(lambda text: None, [first, Stage("two", lambda: ran.append("two"))])
    assert ran == ["one", "two"]


def test_changed_kernels_are_compiled_again(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ran: list[str] = []
    stages = [Stage("one", lambda: ran.append("one"))]
    ensure_ready(lambda text: None, stages)
    monkeypatch.setenv("KTSIM_KERNELS", str(empty_cache / "another state"))
    ensure_ready(lambda text: None, stages)
    assert ran == ["one", "one"]


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv("KTSIM_KERNELS", str(tmp_path / "file" / "kernels"))
    assert ensure_ready(lambda text: None, [Stage("one", lambda: None)])


NOTHING_COMPILED = """
import sys
from pathlib import Path
from random import Random
from ktsim import cli, paths
from ktsim.game.bots.roads import RoadBook
from ktsim.game.setup import Setup, new_game
from ktsim.geometry import compiling
from ktsim.killzones import catalogue
from ktsim.killzones.figures import figure as load_figure
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.area import AreaGrid
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Base, Operative, Scene
from ktsim.sight.visibility import LIVE, SETTLED

compiling.tell = print
folder = paths.killzones() / "examples"
examples = sorted(str(path) for path in folder.glob("*.yaml"))
assert cli.main(["warm", "--quiet"]) == 0
before = compiling.compiled()
assert cli.main(["rule", "--json", *examples]) == 0
for path in examples:
    file = load_scene(Path(path))
    for shooter, target in file.pairs:
        ruling(file.scene, shooter, target, file.edition, file.weapon, effort=LIVE)
figure, chance = load_figure(), Random(1)
for name in catalogue.names():
    terrain = catalogue.load_named(name, Path()).terrain
    places = AreaGrid.of(Scene(terrain), 0.5).place
    for effort in (LIVE, SETTLED) * 15:
        two = [
            Operative(id, id, *map(float, places[chance.randrange(len(places))]), Base.of_mm(32), figure)
            for id in ("a", "b")
        ]
        ruling(Scene(terrain, tuple(two)), "a", "b", effort=effort)
for killzone in ("volkus-1", "gallowdark-1"):
    assert cli.main(["sim", "--games", "1", "--seed", "3", "--killzone", killzone]) == 0
assert cli.main(["sim", "--games", "1", "--seed", "3", "--edition", "kt21-lite"]) == 0
game = new_game(Setup(board="volkus-1"))  # games of those above are played by nobody who thinks
one, two = [marker.point for marker in game.state.markers.values()][:2]
RoadBook().far(game.battle.table, game.state, one, two)
print("compiled after all was compiled:", compiling.compiled() - before)
"""


def test_after_warming_no_command_compiles_anything() -> None:
    found = subprocess.run([sys.executable, "-c", NOTHING_COMPILED], capture_output=True, text=True, check=True)
    assert found.stdout.splitlines()[-1] == "compiled after all was compiled: 0"


def test_the_stages_ask_every_kernel_that_runs_on_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = {name: kernel for name, kernel in vars(parallel).items() if isinstance(kernel, Dispatcher)}
    asked: set[str] = set()

    def noting(name: str, *args: Any) -> Any:
        asked.add(name)
        return kernels[name](*args)

    own = {name for name, kernel in kernels.items() if kernel.py_func.__module__ == parallel.__name__}
    for name in own:
        monkeypatch.setattr(parallel, name, partial(noting, name))
    for stage in warm.ALL:
        stage.run()
    assert own == asked != set()


COMPILING = """
import time
from ktsim.app.shell.warming import Warmth

print(*(process.pid for process in Warmth()._processes), flush=True)
time.sleep(600)
"""


def is_running(process: int) -> bool:
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return found.stdout.strip()[:1] not in ("", "Z")


@pytest.mark.skipif(not shutil.which("ps"), reason="needs ps")
def test_compiling_beside_the_window_ends_with_it_however_it_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "KTSIM_KERNELS": str(tmp_path)}  # empty: everything has to be compiled
    window = subprocess.Popen([sys.executable, "-c", COMPILING], env=environment, stdout=subprocess.PIPE, text=True)
    assert window.stdout is not None
    compiling = [int(word) for word in window.stdout.readline().split()]
    assert len(compiling) == len(SHARES)
    assert all(map(is_running, compiling))
    window.kill()
    window.wait(10)
    window.stdout.close()
    until = time.monotonic() + 60.0
    while any(map(is_running, compiling)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(is_running, compiling))
    assert len(list(tmp_path.glob("*.done"))) < sum(map(len, SHARES))  # it was stopped, not done
