"""From names to a battle ready to begin: which edition, board, teams and mission."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.rules.battle import Battle
from ktsim.rules.board import Board
from ktsim.rules.decisions import SIDES, Side
from ktsim.rules.editions import EDITIONS
from ktsim.rules.killzone_rules import killzone_rules
from ktsim.rules.missions import MISSIONS
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
    handicap_red: str = ""
    handicap_blue: str = ""
    """To even out unequal players: ``+2CP`` more to begin with, or ``-1`` operative; empty for none."""

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


class Handicap(NamedTuple):
    """Extra CP at the start, and how many operatives the team goes without, the last of its roster."""

    cp: int = 0
    fewer: int = 0


MOST_HANDICAP = 9


def handicap(text: str) -> Handicap:
    """The handicap *text* stands for; raises :class:`UserError`."""
    if not text:
        return Handicap()
    if match := re.fullmatch(rf"\+([1-{MOST_HANDICAP}])CP", text, re.IGNORECASE):
        return Handicap(cp=int(match[1]))
    if match := re.fullmatch(rf"-([1-{MOST_HANDICAP}])", text):
        return Handicap(fewer=int(match[1]))
    raise UserError(Problem(printable(text, 40), "no such handicap; +2CP and -1 (an operative fewer) are examples"))


def new_game(setup: Setup) -> Game:
    """A game about to begin."""
    battle, state = prepare(setup)
    return Game(battle, state)


def prepare(setup: Setup) -> tuple[Battle, State]:
    """The battle and its initial state; raises :class:`UserError` when something named does not exist."""
    if setup.edition not in EDITIONS:
        raise UserError(Problem(setup.edition[:64], f"no such edition; there are {', '.join(EDITIONS)}"))
    if setup.mission not in MISSIONS:
        raise UserError(Problem(setup.mission[:64], f"no such mission; there are {', '.join(MISSIONS)}"))
    edition = EDITIONS[setup.edition]
    teams: dict[Side, Team] = {
        "red": find_team(setup.red, edition.weapon_rules),
        "blue": find_team(setup.blue, edition.weapon_rules),
    }
    return assemble(setup, find_board(setup.board), teams)


def assemble(setup: Setup, board: Board, teams: dict[Side, Team]) -> tuple[Battle, State]:
    """The same from a board and teams that are loaded already."""
    edition = EDITIONS[setup.edition]
    handicaps: dict[Side, Handicap] = {"red": handicap(setup.handicap_red), "blue": handicap(setup.handicap_blue)}
    cards = {f"{side}/{card.id}": card for side in SIDES for card in teams[side].cards}
    mission = MISSIONS[setup.mission]()
    rules = (*killzone_rules(board.terrain.rules), *team_rules(teams))
    battle = Battle(edition, board, teams, cards, make_table(setup, board, cards), mission, rules)
    state = State(setup.edition)
    for side in SIDES:
        state.cp[side] = handicaps[side].cp
        found = roster(side, teams[side], cards)
        for who in found[: max(1, len(found) - handicaps[side].fewer)]:
            state.operatives[who.id] = who
    state.markers = {marker.id: marker for marker in mission.markers(board)}
    state.terrain = {f.id: f.initial for f in board.terrain.features if f.initial is not None}
    return battle, state


def make_table(setup: Setup, board: Board, cards: dict[str, Datacard]) -> Table:
    if setup.table == "sight":
        # Imported here: moving compiles kernels, which a game on a plain table does not need.
        from ktsim.rules.moving.mover import RouteMover

        return SightTable(board.terrain, cards, RouteMover())
    return OpenTable(board.terrain, cards, StraightMover())


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
