"""Battles with ops for the tests: three objective markers on the open board.

The centre objective lies at (15, 11), red's at (10, 5.5), blue's at (20, 16.5). Red's territory is the left half,
blue's the right; drop zones reach 6" in from the left and right edges.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from engine_help import Answers, Field

from ktsim.game.game import Game
from ktsim.rules.engine.action import Action, refuses
from ktsim.rules.engine.activation import perform, remove_incapacitated, settle_control
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan, ActivationEnded, Wounded
from ktsim.rules.engine.state import Side
from ktsim.rules.engine.turn import gambit, turn_end
from ktsim.rules.kt24.packs.approved_ops import ApprovedOps2024
from ktsim.rules.kt24.turn import ready

CENTRE, REDS, BLUES = "objective-1", "objective-2", "objective-3"
AT_CENTRE, AT_REDS, AT_BLUES = (15.0, 11.0), (10.0, 5.5), (20.0, 16.5)


class OpField(Field):
    """A field in the middle of a battle with a crit op (of no effect here unless named) and, if named, tac ops."""

    def __init__(self, crit: str = "energy-cells", red: str = "", blue: str = "", turn: int = 2) -> None:
        mission = ApprovedOps2024()
        super().__init__(mission=mission)
        self.state.turning_point = turn
        self.state.choices = {"crit op": crit, "drop zones": "as drawn"}
        for side, op in (("red", red), ("blue", blue)):
            if op:
                self.state.choices[f"{side}:tac op"] = op
        self.state.markers = {marker.id: marker for marker in mission.markers(self.board)}

    # -- time ----------------------------------------------------------------------------------------

    def run(self, procedure: Any, answers: Answers | None = None) -> OpField:
        self.state = self.play(procedure, answers).state
        return self

    def settle(self) -> OpField:
        """Let control be determined as after an action."""
        return self.run(settle_control)

    def end_turn(self) -> OpField:
        """The end of the turning point (and of the battle after the last), then on to the next one's Ready step."""
        return self.run(turn_end)

    def next_turn(self, choose: dict[str, Any] | None = None) -> OpField:
        """The end of the turning point and the next one's Ready step."""
        self.end_turn()
        self.state.phase = "ready"
        return self.run(ready, Answers(choose=choose))

    def ready(self, choose: dict[str, Any] | None = None) -> OpField:
        return self.run(ready, Answers(choose=choose))

    def gambits(self, side: Side) -> Game:
        """The game as *side* is asked for a gambit."""
        self.state.phase, self.state.turn = "gambit", side
        return self.game(gambit)

    # -- doing ---------------------------------------------------------------------------------------

    def do(self, id: str, action: str, choose: dict[str, Any] | None = None) -> OpField:
        """Activate the operative and have it perform the action the rules give it."""

        def procedure(battle: Battle) -> Steps[None]:
            who = battle.state.operatives[id]
            yield ActivationBegan(id, "activation", who.order, battle.apl(who).value)
            assert refuses(battle, who, self.action(id, action)) is None, refuses(battle, who, self.action(id, action))
            yield from perform(battle, who, self.action(id, action), battle.ap_cost(who, self.action(id, action)))
            yield ActivationEnded(id)

        return self.settle().run(procedure, Answers(choose=choose))

    def action(self, id: str, name: str) -> Action:
        battle = self.battle()
        return next(each for each in battle.actions(battle.state.operatives[id]) if each.name == name)

    def refusal(self, id: str, name: str) -> str | None:
        battle = self.settle().battle()
        return refuses(battle, battle.state.operatives[id], self.action(id, name))

    def fell(self, id: str, by: str = "", choose: dict[str, Any] | None = None) -> OpField:
        """The operative is incapacitated by another one, or by nobody."""

        def procedure(battle: Battle) -> Steps[None]:
            yield Wounded(id, 99, "test", by)
            yield from remove_incapacitated(battle)
            yield from settle_control(battle)

        return self.run(procedure, Answers(choose=choose))

    # -- asking --------------------------------------------------------------------------------------

    def vp(self, side: Side, op: str) -> int:
        return self.state.scored(side, op)

    def tokens(self, marker: str) -> dict[str, int]:
        return self.state.markers[marker].tokens


# -- sentence by sentence ----------------------------------------------------------------------------


class Sentence(NamedTuple):
    """A sentence of a rule, small battles in which it just pays and just does not, and what they come to."""

    rule: str
    says: str
    pays: Callable[[], Any]
    worth: Any
    but: Callable[[], Any]
    not_worth: Any


def each_of(rows: list[Sentence]) -> list[Any]:
    """The rows as cases of a test."""
    return [pytest.param(row, id=f"{row.rule}: {row.says}", marks=pytest.mark.rule(row.rule)) for row in rows]


def scored(field: OpField, op: str = "crit", side: Side = "red") -> int:
    return field.end_turn().vp(side, op)


def put(field: OpField, id: str, at: tuple[float, float]) -> OpField:
    who = field.state.operatives[id]
    who.x, who.y = round(at[0] * 1000), round(at[1] * 1000)
    return field.settle()


def can(field: OpField, id: str, action: str) -> bool:
    return field.refusal(id, action) is None


def cost(field: OpField, action: str) -> int:
    battle = field.settle().battle()
    return battle.ap_cost(battle.state.operatives["a"], field.action("a", action))
