"""Between games and scenes: the table of a game as a scene or a scene file, and a scene file as a battle."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from ktsim.game.boards import OPEN, is_table
from ktsim.game.setup import Setup
from ktsim.killzones.asked_move import USUAL_MOVE
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.scene_file import SceneFile, load_scene
from ktsim.killzones.scene_pieces import with_piece
from ktsim.rules.editions import EDITIONS
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import open_board
from ktsim.rules.engine.cards import Datacard, Team
from ktsim.rules.engine.mission import Mission
from ktsim.rules.engine.sight_table import SightTable, operative_at, scene_in, shipped_figure
from ktsim.rules.engine.state import OperativeState, PieceState, Side, State, milli
from ktsim.rules.moving.mover import RouteMover
from ktsim.sight.scene import Edition, Operative, Scene

USUAL_APL = 2


def battle_of(
    file: SceneFile, friends_of: str, move: int = USUAL_MOVE, apl: Mapping[str, int] | None = None
) -> tuple[Battle, State]:
    """The table as *file* describes it; the team *friends_of* is red's, everybody else is against it.

    Scenes say nothing of statistics: everybody moves *move* inches and has 2 APL unless *apl* says more. They say
    nothing of time either: it is late enough for everything that cannot be done from the start.
    """
    scene, edition = file.scene, EDITIONS[file.edition]
    sides: dict[str, Side] = {o.id: "red" if o.team == friends_of else "blue" for o in scene.operatives}
    cards = {f"{sides[o.id]}/{o.id}": _card(o, move, (apl or {}).get(o.id, USUAL_APL)) for o in scene.operatives}
    figures = {o.id: o.figure for o in scene.operatives}
    board = replace(open_board(scene.terrain.name, scene.terrain.board), terrain=scene.terrain, objectives=())
    table = SightTable(
        scene.terrain, cards, RouteMover(), file.edition, lambda card: figures[card.id], scene.rules_as_of
    )
    teams: dict[Side, Team] = {side: Team(side, side, (), 0, (), ()) for side in ("red", "blue")}
    rules = edition.rules_of_killzone(scene.terrain.rules)
    battle = Battle(edition, board, teams, cards, table, Mission(), rules, scene.rules_as_of)
    battle.state = state = State(file.edition, turning_point=edition.turning_points)
    state.operatives = {o.id: _placed(o, sides[o.id]) for o in scene.operatives}
    state.terrain = {f.id: f.initial for f in scene.terrain.features if f.initial is not None} | dict(scene.states)
    return battle, state


def _card(who: Operative, move: int, apl: int) -> Datacard:
    tall = float(who.figure.triangles[:, :, 2].max())
    return Datacard(who.id, who.id, apl, move, 4, 10, who.base, tall, who.figure.name, (), (), (), 1)


def _placed(who: Operative, side: Side) -> OperativeState:
    x, y, level, turn = (milli(value) for value in (who.x, who.y, who.level, who.turn))
    return OperativeState(
        who.id, who.id, side, f"{side}/{who.id}", 10, x, y, level, turn, who.order, is_ready=True, is_set_up=True
    )


def operative_of(battle: Battle, who: OperativeState) -> Operative:
    """An operative as the stage shows it, whether or not it stands in the killzone."""
    card = battle.card(who)
    return operative_at(who, card, shipped_figure(card))


def scene_of(battle: Battle, state: State) -> Scene:
    """The scene a state of the game describes."""
    present = tuple(operative_of(battle, who) for who in state.operatives.values() if who.is_in_killzone)
    return scene_in(state, battle.table.terrain_in(state), present, battle.rules_as_of)


def pieces_in(state: State) -> tuple[LoosePiece, ...]:
    """The terrain pieces that players have put on the table."""
    return tuple(map(piece_of, state.pieces.values()))


def piece_of(piece: PieceState) -> LoosePiece:
    at = (piece.x / 1000, piece.y / 1000, piece.level / 1000)
    return LoosePiece(piece.id, piece.piece, at, piece.turn / 1000)


def names_of(state: State) -> dict[str, str]:
    """What players call the operatives in the killzone, no two the same."""
    present = [who for who in state.operatives.values() if who.is_in_killzone]
    several = Counter(who.name for who in present)
    return {who.id: who.name if several[who.name] == 1 else f"{who.name} ({who.side})" for who in present}


def scene_file_of(battle: Battle, state: State, setup: Setup, pair: tuple[str, str] | None = None) -> SceneFile:
    """The table of that moment as a scene file, operatives by the names players call them, and the pieces players have
    put down as pieces of the file."""
    scene, names = scene_of(battle, state), names_of(state)
    operatives = tuple(replace(one, id=names[one.id]) for one in scene.operatives)
    named = replace(scene, terrain=battle.board.terrain, operatives=operatives)
    pairs = ((names[pair[0]], names[pair[1]]),) if pair is not None and set(pair) <= names.keys() else ()
    edition: Edition = "kt21-lite" if setup.edition.startswith("kt21") else "kt24"
    if is_table(setup.board):
        file = replace(load_scene(Path(setup.board)), scene=named, edition=edition, pairs=pairs)
    else:
        killzone = None if setup.board == OPEN else setup.board
        file = SceneFile(named, edition, pairs, None, killzone, Path("table.yaml"))
    for piece in pieces_in(state):
        file = with_piece(file, piece)
    return file
