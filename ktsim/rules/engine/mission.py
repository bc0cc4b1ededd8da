"""What is played for. A mission is a rule in force that brings markers and scores them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from ktsim.geometry.plane import Outline
from ktsim.rules.engine.board import Board
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import VpScored
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Side, milli
from ktsim.sight.scene import MM

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle


OBJECTIVE_RADIUS = milli(20 * MM)
MARKER_RADIUS = milli(10 * MM)


class Mission(Rule):
    """A rule that also sets markers out and says how the battle goes, phase by phase."""

    edition: ClassVar[str] = ""
    """The edition it belongs to; empty: any."""
    has_ops: ClassVar[bool] = False
    selects_operatives: ClassVar[bool] = False
    """Whether the operatives are selected in set-up; otherwise the rosters of the teams' files take part."""
    phases: Mapping[str, Callable[[Battle], Steps[None]]] = {}
    """One step of each phase: its edition's, or its own set-up and initiative."""

    machine_team: ClassVar[str] = ""
    """The team that red is, played by nobody: blue is one player, or two who share a side. Empty: two opponents."""

    def __init__(self, crit_op: str = "", difficulty: str = "", is_shared: bool = False) -> None:
        """*crit_op* is the agreed crit op of a mission that has ops; empty: one is drawn. *difficulty* and *is_shared*
        are for missions against operatives nobody plays: how strong they are, and whether two players share blue."""
        self.crit_op, self.difficulty, self.is_shared = crit_op, difficulty, is_shared

    def about(self, battle: Battle) -> str:
        """What is to be done and what it pays, for the mission sheet; empty where its ops say it."""
        return ""

    def note(self, battle: Battle) -> str:
        """How things stand that the score does not say, for the mission sheet."""
        return ""

    def behaviour(self, battle: Battle, who: OperativeState) -> tuple[str, ...]:
        """The behaviour list that an operative nobody plays goes by now: its datacard's."""
        return battle.card(who).behaviour

    def next_ready(self, battle: Battle, side: Side) -> Sequence[OperativeState]:
        """Those of whom *side* may activate one now: everybody who is ready, unless players take turns within it."""
        return battle.ready(side)

    def is_decided(self, battle: Battle) -> bool:
        """Whether the battle ends with the present turning point, and that at once."""
        return False

    def winner(self, battle: Battle) -> str:
        """Who has won as the battle ends: a side, or ``draw``."""
        red, blue = battle.state.vp["red"], battle.state.vp["blue"]
        return "draw" if red == blue else "red" if red > blue else "blue"

    def ending(self, battle: Battle) -> str:
        """What the end of the battle is called, where that is more than who has won."""
        return ""

    def refuses_board(self, board: Board) -> str | None:
        """Why it cannot be played on this board."""
        return None

    def markers(self, board: Board) -> list[MarkerState]:
        return []

    def drop_zone(self, board: Board, choices: Mapping[str, str], side: Side) -> Outline | None:
        """The drop zone *side* has by what was chosen for the battle; none: the board's own."""
        return None

    def name_of(self, battle: Battle, marker: str) -> str:
        """What the players call a marker of the mission; empty when its id says it."""
        return ""

    def chosen(self, choices: Mapping[str, str]) -> Sequence[Rule]:
        """The rules that follow from what was chosen for the battle: ops, equipment."""
        return ()

    def suspected(self, battle: Battle, side: Side) -> Sequence[Rule]:
        """The rules of which the opponent must think that *side* has one in secret; none when nothing is hidden."""
        return ()


def objective_markers(board: Board) -> list[MarkerState]:
    return [
        MarkerState(f"objective-{number}", "objective", milli(x), milli(y), milli(level), OBJECTIVE_RADIUS)
        for number, (x, y, level) in enumerate(board.objectives, 1)
    ]


def score_objectives(battle: Battle) -> Steps[None]:
    """1VP, from the second turning point on, for controlling more objective markers than the opponent."""
    state = battle.state
    held = {side: sum(m.kind == "objective" and m.controller == side for m in state.markers.values()) for side in SIDES}
    if state.turning_point >= 2 and held["red"] != held["blue"]:
        yield VpScored(max(SIDES, key=lambda side: held[side]), 1, "more objective markers controlled")
