"""A game that begins in the middle, from a scene: which operatives of the teams stand there, and how things stand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game.boards import OPEN, TABLE, board_names, board_on, is_file_name
from ktsim.game.setup import Setup, prepare
from ktsim.killzones import catalogue
from ktsim.killzones.own_sizes import new_file, pieces_resized
from ktsim.killzones.scene_file import DEFAULT_BOARD, SceneFile, save_scene
from ktsim.rules.editions import EDITIONS
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Datacard, Team
from ktsim.rules.engine.events import VpScored
from ktsim.rules.engine.operative_events import SetUp
from ktsim.rules.engine.setting_up import muster
from ktsim.rules.engine.state import SIDES, OrderName, Side, Smoke, State, milli
from ktsim.sight.scene import Operative

MISSION = {"kt24": "skirmish", "kt21-lite": "lite-skirmish"}
"""What is played for: missions in which nothing is chosen before the battle."""
MOST_POINTS = 99
OUT = ""
"""Instead of a datacard: the operative takes no part."""


@dataclass(frozen=True)
class Entrant:
    """How an operative of the scene takes part: its datacard, or :data:`OUT`, and how it stands."""

    card: str
    wounds: int
    order: OrderName
    is_ready: bool = True


@dataclass(frozen=True)
class SceneMoment:
    """What a scene does not say of a moment: the teams, each operative by its id in the scene, time and score."""

    teams: Mapping[Side, str]
    entrants: Mapping[str, Entrant]
    turning_point: int = 1
    initiative: Side = "blue"
    turn: Side = "blue"
    """Who activates next."""
    cp: Mapping[Side, int] = field(default_factory=lambda: {"red": 1, "blue": 1})
    vp: Mapping[Side, int] = field(default_factory=lambda: {"red": 0, "blue": 0})


def sides_of(file: SceneFile) -> dict[str, Side]:
    """Whose each operative of the scene is, by its id. Raises :class:`UserError` unless there are two teams."""
    teams = list(dict.fromkeys(one.team for one in file.scene.operatives))
    if len(teams) != 2:
        many = "more than two teams" if len(teams) > 2 else "no operatives of two teams"
        raise UserError(f"There are {many} on the table: a game is played by blue and red, with at least one each.")
    swapped = teams[0] == "red" or teams[1] == "blue"
    sides: dict[str, Side] = dict(zip(reversed(teams) if swapped else teams, ("blue", "red"), strict=True))
    return {one.id: sides[one.team] for one in file.scene.operatives}


def matched(people: list[Operative], side: Side, team: Team) -> dict[str, str]:
    """The datacard that fits each of these operatives best, by their ids: that of its name, else one of the roster with
    its base and miniature, each member of the roster once as long as there are any left."""
    cards = {f"{side}/{card.id}": card for card in team.cards}
    left = [(one.name, cards[one.card]) for one in muster(side, team.roster, cards)]
    found: dict[str, str] = {}
    for one in people:
        named = next((each for each in left if each[0] == one.id.removesuffix(f" ({side})")), None)
        if named is not None:
            found[one.id] = named[1].id
            left.remove(named)
    for one in people:
        if one.id not in found:
            offered = left or [(card.name, card) for card in team.cards]
            best = min(offered, key=lambda each: _unlike(one, each[1]))
            found[one.id] = best[1].id
            if left:
                left.remove(best)
    return found


def _unlike(one: Operative, card: Datacard) -> tuple[bool, bool]:
    return (one.base != card.base, one.figure.name != card.model)


def setup_of(file: SceneFile, teams: Mapping[Side, str]) -> Setup:
    """What is agreed in a game from the scene; the board is empty where it is the scene's own."""
    mission = MISSION[file.edition]
    return Setup(file.edition, _board_of(file), teams["red"], teams["blue"], mission, rules=file.scene.rules_as_of)


def _board_of(file: SceneFile) -> str:
    """The board by its name, or by its file, where the scene changes nothing of it."""
    if any(file.document.get(key) for key in ("without", "features", "grid", "walls", "areas")):
        return ""
    if file.killzone is None:
        return OPEN if file.scene.terrain.board == DEFAULT_BOARD else ""
    if is_file_name(file.killzone):
        return str((file.path.parent / file.killzone).resolve())
    return file.killzone if file.killzone in board_names() else ""


def with_board(file: SceneFile, setup: Setup, save: Path) -> Setup:
    """The setup with its board named; one that is the scene's own is kept in a file beside the *save*."""
    if setup.board:
        return setup
    path = save.with_name(f"{save.stem}{TABLE}")
    document = MappingProxyType({**file.document, "operatives": []})
    scene = replace(file.scene, operatives=(), smoke=())
    bare = replace(file, scene=scene, document=document, pairs=(), weapon=None, move=None, photo=None)
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        save_scene(path, bare)
    except UserError as error:
        text = f"The table is kept beside the game and cannot be: {error.problems[0].text}."
        raise UserError(f"{text} Use pieces of the tray, or play on a killzone as it is.") from None
    return replace(setup, board=str(path.resolve()))


def with_own_sizes(setup: Setup, save: Path) -> Setup:
    """The setup on its killzone with the terrain as large as the user's, where the user has given sizes: all of it is
    kept in a file beside the *save*, so that the game stays as it is whatever sizes are given later."""
    if setup.board not in catalogue.names() or not pieces_resized(setup.board):
        return setup
    return with_board(new_file(setup.board), replace(setup, board=""), save)


def start_of(file: SceneFile, situation: SceneMoment) -> tuple[Setup, State]:
    """What is agreed and the state the game begins from, in the Firefight phase; raises :class:`UserError` with what
    cannot be."""
    sides = sides_of(file)
    setup = setup_of(file, situation.teams)
    battle, state = prepare(setup, board_on(file))
    battle.state = state
    last = EDITIONS[file.edition].turning_points
    if not 1 <= situation.turning_point <= last:
        raise UserError(f"There are the turning points 1 to {last}.")
    state.turning_point, state.phase = situation.turning_point, "firefight"
    state.initiative, state.turn = situation.initiative, situation.turn
    for side in SIDES:
        if not all(0 <= points <= MOST_POINTS for points in (situation.cp[side], situation.vp[side])):
            raise UserError(f"CP and VP are 0 to {MOST_POINTS}.")
        state.cp[side] = situation.cp[side]
        if situation.vp[side]:
            VpScored(side, situation.vp[side], "before this moment").apply(state)
    state.terrain |= dict(file.scene.states)
    state.smoke = [Smoke(*map(milli, centre)) for centre in file.scene.smoke]
    state.operatives = {}
    for side in SIDES:
        _enter(battle, side, [one for one in file.scene.operatives if sides[one.id] == side], situation)
    for marker in state.markers.values():
        marker.controller = battle.controller(marker)
    return setup, state


def _enter(battle: Battle, side: Side, people: list[Operative], situation: SceneMoment) -> None:
    """Put a side's operatives where the scene has them."""
    state, team = battle.state, battle.teams[side]
    coming = [one for one in people if situation.entrants[one.id].card != OUT]
    if not coming:
        raise UserError(f"Nobody of {side} takes part: a game needs at least one operative of each side.")
    known = {card.id for card in team.cards}
    for one in coming:
        if (card := situation.entrants[one.id].card) not in known:
            raise UserError(f"{team.name} has no datacard '{printable(card)}' for {printable(one.id)}.")
    joined = muster(side, [situation.entrants[one.id].card for one in coming], battle.cards)
    for event, one in zip(joined, coming, strict=True):
        entrant = situation.entrants[one.id]
        if not 1 <= entrant.wounds <= event.wounds:
            raise UserError(f"{printable(one.id)} has 1 to {event.wounds} wounds as {event.name}.")
        event.apply(state)
        SetUp(event.operative, (milli(one.x), milli(one.y), milli(one.level)), milli(one.turn)).apply(state)
        who = state.operatives[event.operative]
        who.wounds, who.order, who.is_ready = entrant.wounds, entrant.order, entrant.is_ready
    for event, one in zip(joined, coming, strict=True):
        who = state.operatives[event.operative]
        if (why := battle.table.mover.refuses_to_stand(battle.table, state, who.id, who.point)) is not None:
            text = f"cannot stand there as {who.name}, whose base may be another: {why} Move it, or match it otherwise"
            raise UserError(Problem(printable(one.id), text))
