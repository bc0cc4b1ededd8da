"""The table of a game as a picture with places under the pointer, and on the ruling table."""

from __future__ import annotations

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
from ktsim.app.stage.scenery import killzone_scenery, scene_scenery, with_pieces
from ktsim.app.ui.rect import Place
from ktsim.game.boards import OPEN, is_table
from ktsim.game.scenes import pieces_in, scene_file_of, scene_of
from ktsim.game.setup import Setup
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.scene_file import load_scene
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.events import Event, Told
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.state import Point, State, milli
from ktsim.sight.scene import Scene


def scenery_of(battle: Battle, board: str) -> Scenery:
    """How a board looks: a killzone's own looks, those of a kept table, or plain ones."""
    terrain = battle.board.terrain
    if is_table(board):
        return scene_scenery(load_scene(Path(board)))
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


def feature_at(picture: TablePicture, at: Place) -> str:
    """The id of the terrain feature under the pointer, or nothing."""
    picked = picture.under(at)
    return picked.id.split("/")[0] if picked is not None and picked.kind == "part" else ""


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
