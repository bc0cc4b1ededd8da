"""A moment of a game as a scene for the ruling table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ktsim.app.play.board_marks import pieces_in, scene_of
from ktsim.app.play.sequence import attack_under_way, is_attack
from ktsim.app.screens.screen import Host
from ktsim.game.boards import OPEN
from ktsim.game.setup import Setup
from ktsim.killzones.scene_file import SceneFile
from ktsim.killzones.scene_pieces import with_piece
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.events import Event, Told
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.state import State
from ktsim.sight.scene import Edition, Scene


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
    named = Scene(battle.board.terrain, operatives, scene.states, scene.smoke)
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
