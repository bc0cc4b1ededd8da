"""Random battles of imported teams with the invariants of the soak; needs community team files, which are nobody's to
ship: ``KTSIM_TEAM_FILES`` names a folder of them, ``KTSIM_TEAM_BATTLES`` says how many battles are played,
``KTSIM_TEAM_FIRST`` with which number they begin, ``KTSIM_TEAM_SECONDS`` after how many none is begun any more,
``KTSIM_TEAM_TABLE`` on which table, and ``KTSIM_TEAM_COUNTS`` a file in which battles and words of the language are
counted over several runs."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import pytest

from ktsim.cli import main
from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.game.players import Player, Sampler
from ktsim.game.setup import Setup, assemble
from ktsim.rules.editions import EDITIONS
from ktsim.rules.engine.cards import Team
from ktsim.rules.engine.state import SIDES
from ktsim.rules.teams.team_file import find_team, team_files
from soak.counted_words import count_words
from soak.drawn_to_texts import DrawnToTexts, Rareness, random_team
from soak.invariants import Watch

FOLDER = os.environ.get("KTSIM_TEAM_FILES", "")
BATTLES = int(os.environ.get("KTSIM_TEAM_BATTLES", "6"))
SECONDS = float(os.environ.get("KTSIM_TEAM_SECONDS", "0"))
FIRST = int(os.environ.get("KTSIM_TEAM_FIRST", "0"))
TABLE: Any = os.environ.get("KTSIM_TEAM_TABLE", "plain")
COUNTS = os.environ.get("KTSIM_TEAM_COUNTS", "")
BOARDS = ("training-ground",) * 5 + ("volkus-1", "gallowdark-1", "bheta-decima-1", "tomb-world-1")

pytestmark = pytest.mark.skipif(not FOLDER, reason="KTSIM_TEAM_FILES names no folder of community team files")


@pytest.fixture
def exercised(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    return count_words(monkeypatch)


def read_teams(folder: Path, into: Path) -> list[Team]:
    """Every team file of the folder, imported."""
    teams = []
    for number, path in enumerate(sorted(folder.rglob("*.json"))):
        out = into / f"team-{number}.yaml"
        if main(["team", "import", str(path), "--out", str(out)]) == 0:
            teams.append(find_team(str(out), EDITIONS["kt24"].weapon_rules))
    return teams


def _one_of(teams: list[Team], rng: Random, rare: Rareness) -> Team:
    return rng.choices(teams, [1 + rare.of(team.texts) for team in teams])[0]


def test_random_battles_of_imported_teams(tmp_path: Path, exercised: Counter[str]) -> None:
    teams = read_teams(Path(FOLDER), tmp_path)
    assert teams
    registry = EDITIONS["kt24"].weapon_rules
    shipped = [team for name in team_files("kt24") if (team := find_team(name, registry)).texts]
    rare = Rareness([*teams, *shipped])
    known = Counter(json.loads(Path(COUNTS).read_text())) if COUNTS and Path(COUNTS).is_file() else Counter[str]()
    begun = monotonic()
    for number in range(FIRST, FIRST + BATTLES):
        rng = Random(f"imported {number}")
        mission = rng.choice(["approved-ops-2024", "approved-ops-2025"])
        pair = [_one_of(teams, rng, rare), _one_of(rng.choice([teams, teams, shipped]), rng, rare)]
        red, blue = (random_team(each, rng, rare) for each in rng.sample(pair, 2))
        board = rng.choice(BOARDS) if TABLE == "sight" else BOARDS[0]
        setup = Setup(table=TABLE, mission=mission, board=board)
        game = Game(*assemble(setup, find_board(board), {"red": red, "blue": blue}))
        players: dict[str, Player] = {"chance": Sampler(f"{number} dice")}
        players |= {side: DrawnToTexts(f"{number} {side}", rare) for side in SIDES}
        watch = Watch(game, every=5)
        try:
            while game.pending is not None:
                game.submit(players[game.pending.seat].answer(game.pending, game))
                watch.check()
        except Exception as error:
            error.add_note(f"in battle {number}, after {len(game.answers)} answers")
            raise
        exercised["battles"] += 1
        if COUNTS:
            Path(COUNTS).write_text(json.dumps(dict(sorted((known + exercised).items()))))
        if SECONDS and monotonic() - begun > SECONDS:
            break
    print(sorted(exercised.items()))
    assert BATTLES < 6 or len(exercised) > 40, exercised
