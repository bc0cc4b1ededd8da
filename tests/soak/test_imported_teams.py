"""Random battles of imported teams with the invariants of the soak; needs community team files, which are nobody's to
ship: ``KTSIM_TEAM_FILES`` names a folder of them, ``KTSIM_TEAM_BATTLES`` says how many battles are played,
``KTSIM_TEAM_FIRST`` with which number they begin, ``KTSIM_TEAM_TABLE`` on which table, and ``KTSIM_TEAM_COUNTS`` a file
in which words of the language are counted over several runs."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ktsim.cli import main
from ktsim.game.setup import Setup, new_game
from ktsim.rules.teams.playing import conditions, happening
from ktsim.rules.teams.playing.force import InForce
from soak.invariants import Watch

FOLDER = os.environ.get("KTSIM_TEAM_FILES", "")
BATTLES = int(os.environ.get("KTSIM_TEAM_BATTLES", "6"))
FIRST = int(os.environ.get("KTSIM_TEAM_FIRST", "0"))
TABLE: Any = os.environ.get("KTSIM_TEAM_TABLE", "plain")
COUNTS = os.environ.get("KTSIM_TEAM_COUNTS", "")
BOARDS = ("training-ground",) * 5 + ("volkus-1", "gallowdark-1", "bheta-decima-1", "tomb-world-1")

pytestmark = pytest.mark.skipif(not FOLDER, reason="KTSIM_TEAM_FILES names no folder of community team files")


@pytest.fixture
def exercised(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Counts the effects that hold when they are asked for, those that happen, and the conditions that are asked."""
    counts: Counter[str] = Counter()
    found = InForce.found

    def counting(self: InForce, *args: Any, **more: Any) -> Any:
        for each in found(self, *args, **more):
            counts[f"effect {each[1].word}"] += 1
            yield each

    def counted(word: str, run: Callable[..., Any]) -> Callable[..., Any]:
        def ran(*args: Any) -> Any:
            counts[word] += 1
            return run(*args)

        return ran

    monkeypatch.setattr(InForce, "found", counting)
    for words in (happening.HAPPENING, happening.MIDWAY):
        for word, entry in list(words.items()):
            own = replace(entry, run=counted(f"effect {word}", entry.run))
            monkeypatch.setitem(words, word, own)  # type: ignore[arg-type]
    for word, handler in list(conditions.CONDITIONS.items()):
        own_check = replace(handler, check=counted(f"condition {word}", handler.check))
        monkeypatch.setitem(conditions.CONDITIONS, word, own_check)
    return counts


def test_random_battles_of_imported_teams(tmp_path: Path, exercised: Counter[str]) -> None:
    teams = []
    for number, path in enumerate(sorted(Path(FOLDER).glob("*.json"))):
        out = tmp_path / f"team-{number}.yaml"
        if main(["team", "import", str(path), "--out", str(out)]) == 0:
            teams.append(str(out))
    assert teams
    for number in range(FIRST, FIRST + BATTLES):
        rng = Random(f"imported {number}")
        mission = rng.choice(["approved-ops-2024", "approved-ops-2025"])
        red, blue = rng.choice(teams), rng.choice(teams)
        board = rng.choice(BOARDS) if TABLE == "sight" else BOARDS[0]
        game = new_game(Setup(red=red, blue=blue, table=TABLE, mission=mission, board=board))
        watch = Watch(game, every=5)
        while game.pending is not None:
            game.submit(game.pending.sample(rng))
            watch.check()
    if COUNTS:
        known = Counter(json.loads(Path(COUNTS).read_text())) if Path(COUNTS).is_file() else Counter()
        exercised.update(known)
        Path(COUNTS).write_text(json.dumps(dict(sorted(exercised.items()))))
    print(sorted(exercised.items()))
    assert BATTLES < 6 or len(exercised) > 40, exercised
