"""From names to a battle ready to begin: which edition, board, teams and mission."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal

import ktsim.rules.equipment.equipped  # noqa: F401  # brings its mission
from ktsim.errors import Problem, UserError
from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.rules.battle import Battle
from ktsim.rules.board import Board
from ktsim.rules.decisions import SIDES, Side
from ktsim.rules.editions import EDITIONS
from ktsim.rules.killzone_rules import killzone_rules
from ktsim.rules.kt21.conversion import fielded
from ktsim.rules.state import OperativeState, State
from ktsim.rules.straight import StraightMover
from ktsim.rules.table import OpenTable, SightTable, Table
from ktsim.rules.team_file import Datacard, Team, find_team
from ktsim.rules.team_rules import team_rules


@dataclass(frozen=True)
class Setup:
    """What is agreed before a game; plain, so that a save can hold it."""

    edition: str = "kt24"
    board: str = "training-ground"
    red: str = "lantern-wardens"
    blue: str = "gravel-jackals"
    mission: str = "skirmish"
    table: Literal["sight", "plain"] = "sight"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def new_game(setup: Setup) -> Game:
    """A game about to begin."""
    battle, state = prepare(setup)
    return Game(battle, state)


def prepare(setup: Setup) -> tuple[Battle, State]:
    """The battle and its initial state; raises :class:`UserError` when something named does not exist."""
    if setup.edition not in EDITIONS:
        raise UserError(Problem(setup.edition[:64], f"no such edition; there are {', '.join(EDITIONS)}"))
    edition = EDITIONS[setup.edition]
    if setup.mission not in edition.missions:
        raise UserError(Problem(setup.mission[:64], f"no such mission; there are {', '.join(edition.missions)}"))
    teams: dict[Side, Team] = {
        "red": fielded(find_team(setup.red, edition.weapon_rules), edition),
        "blue": fielded(find_team(setup.blue, edition.weapon_rules), edition),
    }
    return assemble(setup, find_board(setup.board), teams)


def assemble(setup: Setup, board: Board, teams: dict[Side, Team]) -> tuple[Battle, State]:
    """The same from a board and teams that are loaded already."""
    edition = EDITIONS[setup.edition]
    cards = {f"{side}/{card.id}": card for side in SIDES for card in teams[side].cards}
    mission = edition.missions[setup.mission]()
    rules = (*killzone_rules(board.terrain.rules, edition.killzone_rules), *team_rules(teams))
    battle = Battle(edition, board, teams, cards, make_table(setup, board, cards), mission, rules)
    state = State(setup.edition)
    for side in SIDES:
        for who in roster(side, teams[side], cards):
            state.operatives[who.id] = who
    state.markers = {marker.id: marker for marker in mission.markers(board)}
    state.terrain = {f.id: f.initial for f in board.terrain.features if f.initial is not None}
    return battle, state


def make_table(setup: Setup, board: Board, cards: dict[str, Datacard]) -> Table:
    if setup.table == "sight":
        # Imported here: moving compiles kernels, which a game on a plain table does not need.
        from ktsim.rules.moving.mover import RouteMover

        return SightTable(board.terrain, cards, RouteMover(), EDITIONS[setup.edition].id)
    return OpenTable(board.terrain, cards, StraightMover(EDITIONS[setup.edition].id))


def roster(side: Side, team: Team, cards: dict[str, Datacard]) -> list[OperativeState]:
    """The team's operatives, numbered where several share a datacard."""
    several = Counter(team.roster)
    seen: Counter[str] = Counter()
    found = []
    for id in team.roster:
        seen[id] += 1
        card = cards[f"{side}/{id}"]
        number = f" {seen[id]}" if several[id] > 1 else ""
        key = f"{side}-{id}-{seen[id]}"
        found.append(OperativeState(key, f"{card.name}{number}", side, f"{side}/{id}", card.wounds))
    return found
