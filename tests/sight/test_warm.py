"""Compiling once: what is said, what is kept, and that no kernel is forgotten."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import numba
import pytest

from ktsim.app.shell.warming import STAGES
from ktsim.sight import warm
from ktsim.sight.warm import Stage, ensure_ready


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "kernels"))
    return tmp_path / "kernels"


def test_the_first_time_it_says_what_it_does_and_then_it_is_silent(empty_cache: Path) -> None:
    ran: list[str] = []
    stages = [Stage("first things", lambda: ran.append("first")), Stage("more", lambda: ran.append("more"))]
    said: list[str] = []
    assert ensure_ready(said.append, stages)
    assert ran == ["first", "more"]
    assert said[0].startswith("first run: compiling")
    assert said[1:] == ["compiling first things, 1 of 2 ...", "compiling more, 2 of 2 ..."]
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
    monkeypatch.setattr(warm, "_state", lambda: "another")
    ensure_ready(lambda text: None, stages)
    assert ran == ["one", "one"]


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "file" / "kernels"))
    assert ensure_ready(lambda text: None, [Stage("one", lambda: None)])


EVERY_KERNEL = """
import sys
import time
from numba.core.registry import CPUDispatcher
from ktsim import paths
from ktsim.killzones.scene_file import load_scene
from ktsim.sight import warm
from ktsim.sight.ruling import ruling
from ktsim.sight.visibility import LIVE, SETTLED

def compiled():
    return {
        (name, value.__name__, str(signature))
        for name, module in sys.modules.items() if name.startswith("ktsim.geometry")
        for value in vars(module).values() if isinstance(value, CPUDispatcher)
        for signature in value.signatures
    }

for stage in warm.RULINGS:
    stage.run()
before = compiled()
for path in sorted((paths.killzones() / "examples").glob("*.yaml")):
    file = load_scene(path)
    for shooter, target in file.pairs:
        for effort in (LIVE, SETTLED):
            ruling(file.scene, shooter, target, file.edition, file.weapon, effort=effort)
for missing in sorted(compiled() - before):
    print(*missing)
"""


def test_warming_compiles_all_that_the_examples_need() -> None:
    found = subprocess.run([sys.executable, "-c", EVERY_KERNEL], capture_output=True, text=True, check=True)
    assert found.stdout == ""


COMPILING = """
import time
from ktsim.app.shell.warming import Warmth

print(Warmth()._process.pid, flush=True)
time.sleep(600)
"""


def is_running(process: int) -> bool:
    found = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return found.stdout.strip()[:1] not in ("", "Z")


@pytest.mark.skipif(not shutil.which("ps"), reason="needs ps")
def test_compiling_beside_the_window_ends_with_it_however_it_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}  # empty: everything has to be compiled
    window = subprocess.Popen([sys.executable, "-c", COMPILING], env=environment, stdout=subprocess.PIPE, text=True)
    assert window.stdout is not None
    compiling = int(window.stdout.readline())
    assert is_running(compiling)
    window.kill()
    window.wait(10)
    window.stdout.close()
    until = time.monotonic() + 60.0  # compiling all of it takes longer than that
    while is_running(compiling) and time.monotonic() < until:
        time.sleep(0.1)
    assert not is_running(compiling)
    assert len(list(tmp_path.glob("ready-*"))) < len(STAGES)  # it was stopped, not done
