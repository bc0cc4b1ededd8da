"""From names to a battle ready to begin: which edition, board, teams and mission."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.killzones.scene_file import DATES_KNOWN, rules_date
from ktsim.rules.editions import EDITIONS, MISSIONS, USUAL
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.by_hand import ByHandRule
from ktsim.rules.engine.cards import Datacard, Team
from ktsim.rules.engine.open_table import OpenTable
from ktsim.rules.engine.setting_up import muster
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import SIDES, Side, State
from ktsim.rules.engine.table import Table
from ktsim.rules.kt21.conversion import fielded
from ktsim.rules.kt24.joint.mission import DIFFICULTIES
from ktsim.rules.kt24.ops.register import CRIT_OPS
from ktsim.rules.moving.straight import StraightMover
from ktsim.rules.teams.roster.roster_file import rostered
from ktsim.rules.teams.team_file import find_team
from ktsim.rules.teams.team_rules import team_rules
from ktsim.sight.scene import RULES_DATES, RulesDate

TableKind: TypeAlias = Literal["sight", "plain"]


@dataclass(frozen=True)
class Setup:
    """What is agreed before a game; plain, so that a save can hold it.

    Without a *mission* the edition's usual one is played; without a *crit_op* one is drawn in the game.
    """

    edition: str = "kt24"
    board: str = "training-ground"
    red: str = "lantern-wardens"
    blue: str = "gravel-jackals"
    mission: str = ""
    table: TableKind = "sight"
    crit_op: str = ""
    handicap_red: str = ""
    handicap_blue: str = ""
    """To even out unequal players: ``+2CP`` more to begin with, or ``-1`` operative; empty for none."""
    rules: str = RULES_DATES[0]
    """The date as of which the rules hold (KT24-DATED)."""
    difficulty: str = ""
    """Of a mission against operatives nobody plays: ``easy``, ``normal`` (also when empty) or ``hard``."""
    players: str = "1"
    """How many share blue in such a mission: ``1`` or ``2``."""

    @property
    def is_shared(self) -> bool:
        return self.players == "2"

    @property
    def mission_name(self) -> str:
        return self.mission or USUAL.get(self.edition, "skirmish")

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


def without(team: Team, fewer: int) -> Team:
    """The team with so many operatives fewer, the last of its roster; at least one is left."""
    size = max(1, team.size - fewer)
    return replace(team, size=size, roster=team.roster[:size])


def new_game(setup: Setup) -> Game:
    """A game about to begin."""
    battle, state = prepare(setup)
    return Game(battle, state)


def prepare(setup: Setup, board: Board | None = None) -> tuple[Battle, State]:
    """The battle and its initial state, on *board* where that is not found by its name; raises :class:`UserError` when
    something named does not exist."""
    if setup.edition not in EDITIONS:
        raise UserError(Problem(printable(setup.edition), f"no such edition; there are {', '.join(EDITIONS)}"))
    if setup.table not in get_args(TableKind):
        raise UserError(Problem(printable(setup.table), f"no such table; there are {', '.join(get_args(TableKind))}"))
    as_of(setup)
    check_mission(setup)
    teams: dict[Side, Team] = {
        "red": team_in(setup.edition, MISSIONS[setup.mission_name].machine_team or setup.red),
        "blue": team_in(setup.edition, setup.blue),
    }
    return assemble(setup, board or find_board(setup.board), teams)


def team_in(edition: str, name: str) -> Team:
    """A team or roster as it is fielded in an edition; raises :class:`UserError`."""
    rules = EDITIONS[edition]
    return fielded(rostered(find_team(name, rules.weapon_rules)), rules)


def as_of(setup: Setup) -> RulesDate:
    """The date as of which the rules hold; raises :class:`UserError`."""
    if (found := rules_date(setup.rules)) is None:
        raise UserError(Problem(printable(setup.rules, 40), f"no such date of the rules; {DATES_KNOWN}"))
    return found


def check_mission(setup: Setup) -> None:
    """Whether there are such a mission and crit op, and they go with the edition."""
    name = setup.mission_name
    if name not in MISSIONS:
        raise UserError(Problem(printable(name), f"no such mission; there are {', '.join(MISSIONS)}"))
    mission = MISSIONS[name]
    if mission.edition not in ("", setup.edition):
        raise UserError(Problem(name, f"is a mission of edition {mission.edition}, not of {setup.edition}"))
    if setup.crit_op and not mission.has_ops:
        raise UserError(Problem(printable(setup.crit_op), f"the mission {name} has no crit op"))
    if (setup.difficulty or setup.is_shared) and not mission.machine_team:
        raise UserError(Problem(name, "has opponents, not operatives nobody plays: no difficulty and no second player"))
    if setup.players not in ("1", "2"):
        raise UserError(Problem(printable(setup.players, 40), "one player has a side, or 2 share it"))
    if setup.difficulty not in ("", *DIFFICULTIES):
        text = f"no such difficulty; there are {', '.join(DIFFICULTIES)}"
        raise UserError(Problem(printable(setup.difficulty, 40), text))
    if setup.crit_op and setup.crit_op not in CRIT_OPS:
        raise UserError(Problem(printable(setup.crit_op), f"no such crit op; there are {', '.join(CRIT_OPS)}"))


def assemble(setup: Setup, board: Board, teams: dict[Side, Team]) -> tuple[Battle, State]:
    """The same from a board and teams that are loaded already."""
    edition = EDITIONS[setup.edition]
    handicaps: dict[Side, Handicap] = {"red": handicap(setup.handicap_red), "blue": handicap(setup.handicap_blue)}
    teams = {side: without(team, handicaps[side].fewer) for side, team in teams.items()}
    cards = {f"{side}/{card.id}": card for side in SIDES for card in teams[side].cards}
    mission = MISSIONS[setup.mission_name](setup.crit_op, setup.difficulty, setup.is_shared)
    if (reason := mission.refuses_board(board)) is not None:
        raise UserError(Problem(printable(board.name), reason))
    rules = (*edition.rules_of_killzone(board.terrain.rules), *team_rules(teams), ByHandRule())
    battle = Battle(edition, board, teams, cards, make_table(setup, board, cards), mission, rules, as_of(setup))
    state = State(setup.edition)
    state.cp = {side: handicaps[side].cp for side in SIDES}
    if not mission.selects_operatives:
        for side in SIDES:
            for who in muster(side, teams[side].roster, cards):
                who.apply(state)
    state.markers = {marker.id: marker for marker in mission.markers(board)}
    state.terrain = {f.id: f.initial for f in board.terrain.features if f.initial is not None}
    return battle, state


def make_table(setup: Setup, board: Board, cards: dict[str, Datacard]) -> Table:
    if setup.table == "sight":
        # Imported here: moving compiles kernels, which a game on a plain table does not need.
        from ktsim.rules.moving.mover import RouteMover

        return SightTable(board.terrain, cards, RouteMover(), EDITIONS[setup.edition].id, rules_as_of=as_of(setup))
    return OpenTable(board.terrain, cards, StraightMover(EDITIONS[setup.edition].id))
