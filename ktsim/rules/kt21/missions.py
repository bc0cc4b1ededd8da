"""What a 2021 game is played for."""

from __future__ import annotations

from collections.abc import Mapping

from ktsim.geometry.plane import Outline
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.mission import Mission, objective_markers, score_objectives
from ktsim.rules.engine.state import MarkerState, Side
from ktsim.rules.kt21.set_up import drop_zone
from ktsim.rules.kt21.turn import PHASES


class LiteSkirmish(Mission):
    """Hold objectives: at the end of every turning point after the first 1VP for controlling more than the opponent.

    The Lite rules have no action to pick markers up, so there is no beacon to carry.
    """

    name, edition = "Skirmish", "kt21-lite"
    phases = PHASES

    def markers(self, board: Board) -> list[MarkerState]:
        return objective_markers(board)

    def drop_zone(self, board: Board, choices: Mapping[str, str], side: Side) -> Outline | None:
        return drop_zone(board, choices, side)

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        yield from score_objectives(battle)
