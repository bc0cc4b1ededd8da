"""Bots use what opens a way: breach points, hatchways, teleport pads; none of them by name."""

from __future__ import annotations

import pytest
from engine_help import acting
from ground_help import HALL, Ground, terrain

import ktsim
from ktsim.geometry.solids import cylinder
from ktsim.rules.engine.activation import activation
from ktsim.rules.engine.state import MarkerState, milli
from ktsim.rules.kt24.moves import Reposition
from ktsim.sight.scene import BreachPoint, Part, WallLine

BREACH = (HALL[0], WallLine("breach", (15, 9), (15, 13), breach=BreachPoint(1.6)), HALL[2])
RULES = ("KZ-WALL", "KZ-TOMB-BREACH", "KZ-TOMB-PAD", "KZ-HATCH-OPERATE")
PADS = tuple(
    Part(f"pad-{n}", "pad", frozenset({"exposed", "insignificant", "vantage"}), cylinder((x, 11, 0), 1.25, 0.1), "pad")
    for n, x in ((1, 6), (2, 24))
)


def wanting(ground: Ground, x: float) -> Ground:
    """With an objective marker at x that nobody holds."""
    ground.state.markers["m"] = MarkerState("m", "objective", milli(x), milli(11), 0, 787)
    return ground


@pytest.mark.rule("KZ-TOMB-BREACH", "KZ-HATCH-OPERATE")
@pytest.mark.parametrize(("walls", "action"), [(BREACH, "Breach"), (HALL, "Operate Hatch")])
@pytest.mark.parametrize("beyond", [True, False])
def test_a_tactician_opens_the_way_to_what_it_wants(walls: tuple[WallLine, ...], action: str, beyond: bool) -> None:
    on = terrain(walls=walls, rules=RULES)
    ground = Ground(on=on).add("a", "red", (14.0, 11), move=6, apl=2).add("e", "blue", (29, 21))
    game = (
        wanting(ground, 17.5 if beyond else 12.2)
        .seen()
        .game(lambda battle: activation(battle, battle.state.operatives["a"]))
    )
    bot = ktsim.bot("tactician", seed=1)
    answers = []
    while game.pending is not None and game.pending.topic != "move" and action not in answers:
        answers.append(bot.answer(game.pending, game))
        game.submit(answers[-1])
    assert (action in answers) == beyond


@pytest.mark.rule("KZ-TOMB-PAD")
@pytest.mark.parametrize("turning_point", [1, 2])
def test_a_tactician_takes_the_pad_to_what_it_wants(turning_point: int) -> None:
    kinds = dict.fromkeys(("pad-1", "pad-2"), "teleport pad")
    ground = Ground(on=terrain(*PADS, rules=RULES, kinds=kinds)).add("a", "red", (6, 11), level=100)
    ground.add("e", "blue", (29, 21)).state.turning_point = turning_point
    game = wanting(ground, 24).seen().game(acting("a", Reposition()))
    assert game.pending is not None
    game.submit(ktsim.bot("tactician", seed=1).answer(game.pending, game))
    assert (game.state.operatives["a"].x > 20_000) == (turning_point == 2)
