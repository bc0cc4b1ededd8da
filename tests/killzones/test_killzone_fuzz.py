"""Damaged killzone files are refused with sentences, never with a traceback."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from ktsim.errors import Problem, UserError
from ktsim.killzones.catalogue import shipped_file
from ktsim.killzones.check import check_file
from ktsim.killzones.killzone_file import load_killzone

WORDS = ["[]", "{}", "-1", "1e308", ".nan", "null", "true", "''", "a0", "[1, 2, 3]", "{id: x}", "heavy", "\t"]
SOURCES = ["gallowdark-1", "bheta-decima-1", "training-ground"]


def mutant(text: str, rng: random.Random) -> str:
    """*text* with a few pieces cut out, doubled, swapped or replaced."""
    for _ in range(rng.randint(1, 4)):
        start = rng.randrange(len(text))
        end = min(len(text), start + rng.choice([1, 2, 5, 20]))
        middle = rng.choice(["", text[start:end] * 2, rng.choice(WORDS), rng.choice(WORDS)])
        text = text[:start] + middle + text[end:]
    return text


def outcome(action: Callable[[Path], object], path: Path) -> tuple[Problem, ...] | None:
    """What was refused, or None when nothing was; any other error is the test's failure."""
    try:
        action(path)
    except UserError as error:
        return error.problems
    return None


@pytest.mark.parametrize("name", SOURCES)
def test_damaged_killzones(tmp_path: Path, name: str) -> None:
    rng = random.Random(f"killzones {name}")
    whole = shipped_file(name).read_text(encoding="utf-8")
    outcomes = []
    for number in range(60):
        path = tmp_path / f"{number}.yaml"
        path.write_text(mutant(whole, rng), encoding="utf-8")
        problems = outcome(load_killzone, path)
        outcomes.append(problems)
        assert problems is None or all(each.text and each.place.startswith(str(path)) for each in problems)
    assert outcomes.count(None) >= 1
    assert len(outcomes) - outcomes.count(None) >= 20


def test_damaged_killzones_that_still_load_can_be_checked(tmp_path: Path) -> None:
    rng = random.Random("checks")
    whole = shipped_file("training-ground").read_text(encoding="utf-8")
    digits = [i for i, c in enumerate(whole) if c.isdigit()]
    checked = 0
    for number in range(60):
        if checked == 3:
            break
        text = list(whole)
        for digit in rng.sample(digits, 6):
            text[digit] = rng.choice("0123456789")
        path = tmp_path / f"{number}.yaml"
        path.write_text("".join(text), encoding="utf-8")
        checked += outcome(check_file, path) is None
    assert checked == 3


@pytest.mark.parametrize("seed", range(40))
def test_damaged_sidecars(tmp_path: Path, seed: int) -> None:
    sidecar = "ktsim: terrain/1\nkind: hut\nparts:\n"
    sidecar += "  - {name: walls, kind: wall, traits: [heavy], mesh: walls.stl}\n"
    sidecar += "lights:\n  - {at: [0, 0, 1], colour: [1, 1, 1], reach: 3}\n"
    (tmp_path / "hut.yaml").write_text(mutant(sidecar, random.Random(seed)), encoding="utf-8")
    path = tmp_path / "killzone.yaml"
    head = "ktsim: killzone/1\nname: k\nboard: [20, 10]\ndrop zones: []\n"
    path.write_text(head + "pieces:\n  - {piece: hut, id: h, at: [9, 5]}\n", encoding="utf-8")
    with pytest.raises(UserError):
        load_killzone(path)
