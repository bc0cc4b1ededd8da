"""A short mission to practise 2024 with."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import VpScored
from ktsim.rules.engine.mission import MARKER_RADIUS, Mission, objective_markers, score_objectives
from ktsim.rules.engine.state import MarkerState, milli
from ktsim.rules.kt24.turn import PHASES


class Skirmish(Mission):
    """A short mission to practise with: hold objectives, carry the beacon.

    At the end of every turning point after the first: 1VP for controlling more objective markers than the
    opponent, 1VP for carrying the beacon.
    """

    name, edition = "Skirmish", "kt24"
    phases = PHASES

    def markers(self, board: Board) -> list[MarkerState]:
        width, depth = board.terrain.board
        beacon = MarkerState("beacon", "mission", milli(width / 2), milli(depth / 2), 0, MARKER_RADIUS, True)
        return [*objective_markers(board), beacon]

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        state = battle.state
        if state.turning_point < 2:
            return
        yield from score_objectives(battle)
        for marker in list(state.markers.values()):
            if marker.can_be_picked_up and marker.carrier is not None:
                yield VpScored(state.operatives[marker.carrier].side, 1, "the beacon is carried")
