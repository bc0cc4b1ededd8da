"""The stored sweeps of the shipped killzones: whole and readable, and some of their rulings as they were."""

from __future__ import annotations

import importlib.util
import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from ktsim.killzones.catalogue import names

SCRIPT = Path(__file__).resolve().parents[2] / "scripts" / "sweep.py"
EVERY = 23
"""Of the pairs of a killzone every so many are ruled on again; ``scripts/sweep --check`` does them all."""


def _load() -> ModuleType:
    spec = importlib.util.spec_from_file_location("sweep_script", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


sweep = _load()


def stored(name: str) -> str:
    return (sweep.FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", names())
def test_every_shipped_killzone_has_a_whole_sweep(name: str) -> None:
    found = sweep.read(stored(name))
    assert found.killzone == name
    assert found.text() == stored(name)
    assert len(found.digits) == 2 * len(found.places) * (len(found.places) - 1) >= 400
    # A sweep that saw the same everywhere would show nothing.
    assert len(set(found.digits.values())) >= 4


@pytest.mark.parametrize("name", ["volkus-1", "gallowdark-1", "bheta-decima-1", "tomb-world-1"])
def test_some_rulings_are_as_stored(name: str) -> None:
    old = sweep.read(stored(name))
    terrain = sweep.terrain_of(name)
    again = {
        (edition, i, j): sweep.digit(terrain, old.places[i], old.places[j], edition)
        for edition, i, j in list(old.digits)[::EVERY]
    }
    assert sweep.moved(old, replace(old, digits=again)) == []


def test_places_are_found_again() -> None:
    assert sweep.places(sweep.terrain_of("gallowdark-1")) == sweep.read(stored("gallowdark-1")).places


def test_a_moved_ruling_is_named_exactly() -> None:
    old = sweep.read(stored("gallowdark-1"))
    key = ("kt24", 1, 2)
    new = replace(old, digits={**old.digits, key: "7" if old.digits[key] != "7" else "0"})
    (line,) = sweep.moved(old, new)
    x, y, z = old.places[1]
    assert line.startswith(f"gallowdark-1 kt24: 1 ({x:g}, {y:g}, {z:g}) -> 2 (")
    assert line.endswith(f"was {sweep.words(old.digits[key])}; now {sweep.words(new.digits[key])}")


def test_other_places_are_not_compared() -> None:
    old = sweep.read(stored("gallowdark-1"))
    (line,) = sweep.moved(old, replace(old, places=((1.0, 1.0, 0.0), *old.places[1:])))
    assert "places" in line


def test_words() -> None:
    assert sweep.words("0") == "nothing"
    assert sweep.words("9") == "visible, a valid target"
    assert sweep.words("6") == "in cover, obscured"
