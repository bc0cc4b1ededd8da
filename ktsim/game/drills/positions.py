"""Tables to ask about: moments of bots' games on every killzone, and the examples."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from ktsim import paths
from ktsim.game.bots import BOTS
from ktsim.game.drills.drill import SCENE_NAME, Position
from ktsim.game.game import Game
from ktsim.game.players import Player, Sampler
from ktsim.game.scenes import names_of, scene_file_of
from ktsim.game.setup import Setup, new_game
from ktsim.killzones import catalogue
from ktsim.killzones.scene_file import dump_scene, load_scene, scene_from_text
from ktsim.rules.teams.team_file import team_files

OPEN_BOARDS = ("training-ground",) * 3
"""Boards with much to be seen come up more often: on others few of the questions arise."""
EXAMPLES = 0.1
"""The share of positions that are examples."""
A_GAME = 12
"""Positions taken from one game."""
EVERY = 3
"""Activations between two positions of a game."""


def positions(rng: Random) -> Iterator[Position]:
    """Positions without end; the same generator of random numbers gives the same ones."""
    examples = sorted((paths.killzones() / "examples").glob("*.yaml"))
    while True:
        game = _new_game(rng)
        for position in _moments(game, rng):
            yield position
            if examples and rng.random() < EXAMPLES:
                yield Position(load_scene(rng.choice(examples)))


def _new_game(rng: Random) -> tuple[Game, Setup]:
    teams = sorted(team_files())
    boards = [*catalogue.names(), *OPEN_BOARDS]
    setup = Setup(board=rng.choice(boards), red=rng.choice(teams), blue=rng.choice(teams), mission="skirmish")
    return new_game(setup), setup


def _moments(begun: tuple[Game, Setup], rng: Random) -> Iterator[Position]:
    game, setup = begun
    bot = BOTS["purposeful"](str(rng.random()), "normal", None)
    players: dict[str, Player] = {"red": bot, "blue": bot, "chance": Sampler(str(rng.random()))}
    activations = taken = 0
    while game.pending is not None and taken < A_GAME:
        if game.pending.topic == "activate":
            activations += 1
            if activations % EVERY == 0:
                taken += 1
                yield _position(game, setup)
        game.submit(players[game.pending.seat].answer(game.pending, game))


def _position(game: Game, setup: Setup) -> Position:
    text = dump_scene(scene_file_of(game.battle, game.state, setup))
    names = names_of(game.state)
    cards = {names[id]: game.battle.card(who) for id, who in game.state.operatives.items() if id in names}
    return Position(scene_from_text(text, SCENE_NAME), cards)
