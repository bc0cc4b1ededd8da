"""What an op is, and scoring within its limits (KT24-SCORE)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Chosen, VpScored
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Side, other
from ktsim.rules.engine.table import contests
from ktsim.rules.kt24.ops.places import objectives

MOST_VP = 6
"""From each of the crit, kill and tac op."""


class Op(Rule):
    """One op. *kind* is the line of the score sheet it belongs to.

    *most_per_turn* is the most VP one player scores from it in a turning point. What is scored at the end of the
    battle does not count against that: it is not scored in a turning point. *first_scored* is the first turning point
    in which it pays: the second, unless its card says otherwise (our reading: only the kill op's does).
    """

    key: ClassVar[str]
    kind: ClassVar[str]
    text: ClassVar[str]
    """What it is about, in a sentence or two of our own."""
    most_per_turn: ClassVar[int] = MOST_VP
    first_scored: ClassVar[int] = 2

    def is_scored(self, battle: Battle) -> bool:
        """Whether the op pays in this turning point at all."""
        return battle.state.turning_point >= self.first_scored

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        if self.is_scored(battle):
            yield from self.score_turning_point(battle)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        """Score what the turning point brought."""
        yield from ()

    def score(self, battle: Battle, side: Side, amount: int, reason: str, *, at_end: bool = False) -> Steps[None]:
        """*side* scores as much of *amount* as the op's limits leave."""
        if (amount := min(amount, self.room(battle, side, at_end=at_end))) > 0:
            yield VpScored(side, amount, f"{self.name}: {reason}", self.kind, self.id, at_end)

    def room(self, battle: Battle, side: Side, *, at_end: bool = False) -> int:
        """How many VP *side* can still score from the op now."""
        state = battle.state
        if not self.is_scored(battle):
            return 0
        left = MOST_VP - state.scored(side, self.kind)
        if not at_end:
            left = min(left, self.most_per_turn - state.scored(side, self.kind, state.turning_point))
        return max(0, left)


class CritOp(Op):
    """The op both players share, scored at the end of each turning point."""

    kind = "crit"

    def begin(self, battle: Battle) -> Steps[None]:
        """What is laid out when the op is determined."""
        yield from ()

    def score_more(self, battle: Battle, counts: dict[Side, int], reason: str) -> Steps[None]:
        """1VP for the side that has more, nobody for as many."""
        for side in SIDES:
            if counts[side] > counts[other(side)]:
                yield from self.score(battle, side, 1, reason)


class TacOp(Op):
    """One player's own op, secret until it is revealed.

    It is revealed before the first of its actions, gambits, tokens, markers and VP can be seen. Actions, like those of
    crit ops, are not performed in the first turning point.
    """

    kind = "tac"
    most_per_turn = 2
    archetype: ClassVar[str]

    def __init__(self, side: Side) -> None:
        self.side = side

    @property
    def enemy(self) -> Side:
        return other(self.side)

    def is_revealed(self, battle: Battle) -> bool:
        return revealed_key(self.side) in battle.state.choices

    def reveal(self, battle: Battle) -> Steps[None]:
        """Show the op to the opponent, unless it is known."""
        if not self.is_revealed(battle):
            told = f"{battle.name(self.side)} reveals its tac op: {self.name}. [{self.id}]"
            yield Chosen(revealed_key(self.side), self.key, told)

    def score(self, battle: Battle, side: Side, amount: int, reason: str, *, at_end: bool = False) -> Steps[None]:
        if min(amount, self.room(battle, side, at_end=at_end)) > 0:
            yield from self.reveal(battle)
            yield from super().score(battle, side, amount, reason, at_end=at_end)

    def own_actions(self) -> Sequence[Action]:
        """The actions the op gives every friendly operative."""
        return ()

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return self.own_actions() if who.side == self.side else ()

    def action_begins(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        if who.side == self.side and action.id == self.id:
            yield from self.reveal(battle)


def tac_key(side: Side) -> str:
    """Under which key of ``State.choices`` the side's tac op is kept."""
    return f"{side}:tac op"


def revealed_key(side: Side) -> str:
    """Under which key of ``State.choices`` stands that the opponent knows the tac op."""
    return f"{side}:tac op revealed"


# -- what ops ask about objectives -------------------------------------------------------------------


def contesting(battle: Battle, side: Side, marker: MarkerState) -> list[OperativeState]:
    """The operatives of *side* that contest the marker."""
    return [who for who in battle.state.side(side) if contests(battle.table, battle.state, who, marker)]


def controlled(battle: Battle, *, among: Sequence[MarkerState] | None = None) -> dict[Side, int]:
    """How many objective markers (or markers of *among*) each side controls."""
    markers = objectives(battle) if among is None else among
    return {side: sum(marker.controller == side for marker in markers) for side in SIDES}


def with_token(battle: Battle, token: str) -> list[MarkerState]:
    """The objective markers that have a token."""
    return [marker for marker in objectives(battle) if marker.tokens.get(token)]
