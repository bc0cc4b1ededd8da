"""The mistakes that ``scripts/mutants`` makes on purpose can still be made: it runs a few of them only every day."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from mutants import listed  # noqa: E402

LEAST = 60


def test_every_mistake_can_be_made() -> None:
    found, few = listed()
    assert len(found) >= LEAST
    assert len({mutant.name for mutant in found}) == len(found)
    assert set(few) <= {mutant.name for mutant in found}
    for mutant in found:
        compile(mutant.changed(), mutant.file, "exec")
        assert mutant.changed() != (ROOT / mutant.file).read_text(encoding="utf-8"), mutant.name
        assert all((ROOT / name).exists() for name in mutant.tests), mutant.name


def test_they_are_all_over_the_product() -> None:
    rooms = {mutant.file.removeprefix("ktsim/").rpartition("/")[0] for mutant in listed()[0]}
    wanted = {"sight", "rules/moving", "rules/engine/shoot", "rules/engine/fight", "rules/kt24/ops", "game"}
    assert wanted | {"rules/teams/importing", "app/ui", "app/play"} <= rooms
