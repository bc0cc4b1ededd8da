"""The table of a game: as a scene, as a picture with places under the pointer, and as a scene file to rule on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from ktsim.app.play.sequence import attack_under_way, is_attack
from ktsim.app.screens.screen import Host
from ktsim.app.stage.cameras import Free
from ktsim.app.stage.looks import Scenery, plain_scenery
from ktsim.app.stage.overlays import Overlay
from ktsim.app.stage.picking import Picker
from ktsim.app.stage.picture import Frame, TablePicture
from ktsim.app.stage.scenery import killzone_scenery, with_pieces
from ktsim.app.ui.rect import Place
from ktsim.game.boards import OPEN
from ktsim.game.setup import Setup
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.scene_file import SceneFile
from ktsim.killzones.scene_pieces import with_piece
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.events import Event, Told
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.sight_table import operative_at as standing_operative
from ktsim.rules.engine.sight_table import scene_in, shipped_figure
from ktsim.rules.engine.state import OperativeState, PieceState, Point, State, milli
from ktsim.sight.scene import Edition, Operative, Scene


def operative_of(battle: Battle, who: OperativeState) -> Operative:
    """An operative as the stage shows it, whether or not it stands in the killzone."""
    card = battle.card(who)
    return standing_operative(who, card, shipped_figure(card))


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


def scenery_of(battle: Battle, board: str) -> Scenery:
    """How a board looks: a killzone's own looks, or plain ones."""
    terrain = battle.board.terrain
    return plain_scenery(terrain) if board == OPEN else killzone_scenery(load_named(board, Path.cwd()))


class BoardPicture(TablePicture):
    """The table of a game, shown by *desktop*: the board, and whatever players have put on it by then."""

    def __init__(self, desktop: Host, battle: Battle, state: State, board: str, free: Free) -> None:
        self._bare = scenery_of(battle, board)
        frame = Frame(desktop.size, desktop.scale, free)
        scenery = with_pieces(self._bare, pieces_in(state))
        super().__init__(desktop.engine, scene_of(battle, state), scenery, frame, desktop.settings)

    def show_state(self, state: State, scene: Scene, items: Iterable[Overlay]) -> None:
        """Show *state*, whose scene is *scene*. Only pieces that came, went or moved are drawn anew, and the camera
        stays where it is."""
        if scene.terrain is not self.stage.terrain:
            self.lay(scene, with_pieces(self._bare, pieces_in(state)))
        self.show(scene, items)


def point_at(picture: TablePicture, at: Place) -> Point | None:
    """The place under the pointer where something could be put: the floor or a Vantage level, operatives looked
    through; over anything else the floor behind it."""
    bare = Picker(replace(picture.scene, operatives=()))
    picked = bare.under(at, picture.pose(), picture.frame.size)
    if picked is not None and picked.standable:
        x, y, z = picked.point
        return milli(x), milli(y), milli(z)
    flat = picture.on_level(at, 0.0)
    return (milli(flat[0]), milli(flat[1]), 0) if flat is not None else None


def operative_at(picture: TablePicture, at: Place) -> str:
    """The id of the operative under the pointer, or nothing."""
    picked = picture.under(at)
    return picked.id if picked is not None and picked.kind == "operative" else ""


def scene_file_of(battle: Battle, state: State, setup: Setup, pair: tuple[str, str] | None = None) -> SceneFile:
    """The table of that moment as a scene file, operatives by the names players call them, and the pieces players have
    put down as pieces of the file."""
    scene = scene_of(battle, state)
    several = Counter(state.operatives[one.id].name for one in scene.operatives)
    names = {}
    for one in scene.operatives:
        name = state.operatives[one.id].name
        names[one.id] = name if several[name] == 1 else f"{name} ({one.team})"
    operatives = tuple(replace(one, id=names[one.id]) for one in scene.operatives)
    named = replace(scene, terrain=battle.board.terrain, operatives=operatives)
    pairs = ((names[pair[0]], names[pair[1]]),) if pair is not None and set(pair) <= names.keys() else ()
    killzone = None if setup.board == OPEN else setup.board
    edition: Edition = "kt21-lite" if setup.edition.startswith("kt21") else "kt24"
    file = SceneFile(named, edition, pairs, None, killzone, Path("table.yaml"))
    for piece in pieces_in(state):
        file = with_piece(file, piece)
    return file


def pair_at(battle: Battle, state: State, events: Sequence[Event]) -> tuple[str, str] | None:
    """Who shoots at or fights whom when *events* have happened and the game stands as in *state*: those of the attack
    in progress; else whoever acts or has acted last, and the nearest enemy it sees, the last it has attacked, or the
    nearest."""
    present = {id: who for id, who in state.operatives.items() if who.is_in_killzone}
    attacks = [event.subjects for event in events if isinstance(event, Told) and is_attack(event, state)]
    now = attack_under_way(state, events)
    if now is not None:
        return now.pair
    acted = [event.operative for event in events if isinstance(event, ActivationBegan)]
    who = state.activation.operative if state.activation is not None else acted[-1] if acted else ""
    if who not in present:
        return None
    enemies = [id for id, one in present.items() if one.side != present[who].side]
    enemies.sort(key=lambda id: battle.table.distance(state, who, id))
    seen = next((id for id in enemies if battle.table.is_visible(state, who, id)), None)
    last = next((pair[1] for pair in reversed(attacks) if pair[0] == who and pair[1] in enemies), None)
    target = seen or last or next(iter(enemies), None)
    return (who, target) if target is not None else None


def open_on_table(
    desktop: Host, battle: Battle, state: State, setup: Setup, pair: tuple[str, str] | None = None
) -> None:
    """Open the ruling table over the present screen with a copy of that moment on it."""
    desktop.rule_on(scene_file_of(battle, state, setup, pair))
