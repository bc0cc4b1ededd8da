"""Random battles of imported teams with the invariants of the soak; needs community team files, which are nobody's to
ship: ``KTSIM_TEAM_FILES`` names a folder of them, ``KTSIM_TEAM_BATTLES`` says how many battles are played."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ktsim.cli import main
from ktsim.game.setup import Setup, new_game
from ktsim.rules.teams.playing import happening
from ktsim.rules.teams.playing.force import InForce
from soak.invariants import Watch

FOLDER = os.environ.get("KTSIM_TEAM_FILES", "")
BATTLES = int(os.environ.get("KTSIM_TEAM_BATTLES", "6"))

pytestmark = pytest.mark.skipif(not FOLDER, reason="KTSIM_TEAM_FILES names no folder of community team files")


@pytest.fixture
def exercised(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the effects that hold when they are asked for, and those that happen."""
    counts: Counter[str] = Counter()
    found = InForce.found

    def counting(self: InForce, *args: Any, **more: Any) -> Any:
        for each in found(self, *args, **more):
            counts[each[1].word] += 1
            yield each

    def counted(word: str, run: Callable[..., Any]) -> Callable[..., Any]:
        def ran(*args: Any) -> Any:
            counts[word] += 1
            return run(*args)

        return ran

    monkeypatch.setattr(InForce, "found", counting)
    for word, entry in list(happening.HAPPENING.items()):
        monkeypatch.setitem(happening.HAPPENING, word, happening.HappeningWord(counted(word, entry.run), entry.args))
    return counts


def test_random_battles_of_imported_teams(tmp_path: Path, exercised: Counter[str]) -> None:
    teams = []
    for number, path in enumerate(sorted(Path(FOLDER).glob("*.json"))):
        out = tmp_path / f"team-{number}.yaml"
        if main(["team", "import", str(path), "--out", str(out)]) == 0:
            teams.append(str(out))
    assert teams
    for number in range(BATTLES):
        rng = Random(f"imported {number}")
        mission = rng.choice(["approved-ops-2024", "approved-ops-2025"])
        game = new_game(Setup(red=rng.choice(teams), blue=rng.choice(teams), table="plain", mission=mission))
        watch = Watch(game, every=5)
        while game.pending is not None:
            game.submit(game.pending.sample(rng))
            watch.check()
    print(sorted(exercised.items()))
    assert BATTLES < 6 or len(exercised) > 20, exercised
