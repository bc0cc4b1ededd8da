"""The actions ops bring: performed at an objective marker, or at an enemy."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.state import MarkerState, OperativeState, Side
from ktsim.rules.engine.table import contests
from ktsim.rules.kt24.ops.op import revealed_key
from ktsim.rules.kt24.ops.places import objectives


class OpAction(Action):
    """A mission action: not in the first turning point, not in an enemy's control range."""

    is_of_tac_op: ClassVar[bool] = False
    first_turn: ClassVar[int] = 2

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if battle.state.turning_point < self.first_turn:
            return f"{self.name}: not before turning point {self.first_turn}."
        if near := battle.engaged_with(who):
            return f"{self.name}: not within {near[0].name}'s control range."
        return self.own_refusal(battle, who)

    @abstractmethod
    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        """Why the conditions of its own do not hold."""

    def is_secret(self, battle: Battle, who: OperativeState) -> bool:
        return self.is_of_tac_op and revealed_key(who.side) not in battle.state.choices


class ObjectiveAction(OpAction):
    """A mission action on an objective marker the operative controls."""

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        mine = controlled_by(battle, who)
        if not mine:
            return f"{self.name}: controls no objective marker."
        refusals = [self.refuses(battle, who.side, marker) for marker in mine]
        return None if None in refusals else f"{self.name}: {refusals[0]}"

    @abstractmethod
    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        """Why *side* cannot perform it on this marker, as the rest of a sentence."""

    @abstractmethod
    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        """Perform it on the marker."""

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        found = {m.id: m for m in controlled_by(battle, who) if self.refuses(battle, who.side, m) is None}
        options = [Option(id, battle.name(id)) for id in found]
        marker = yield from pick(who.side, "op marker", f"{who.name}: {self.name} on which marker?", options, found)
        yield from self.upon(battle, who, marker)


def controlled_by(battle: Battle, who: OperativeState) -> list[MarkerState]:
    """The objective markers the operative controls: its side does, and it contests them itself."""
    return [m for m in objectives(battle) if m.controller == who.side and contests(battle.table, battle.state, who, m)]
