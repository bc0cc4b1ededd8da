"""Who is who in a joint mission: the players are blue, those nobody plays red; and which of two players has whom."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import OperativeState, Side, State

PLAYERS: Side = "blue"
MACHINE: Side = "red"
PARTNERS = "partners"
"""Under which key of ``State.choices`` stands whom the second player has, as ids separated by commas."""


def is_second(state: State, operative: str) -> bool:
    """Whether the operative is the second player's."""
    return operative in state.choices.get(PARTNERS, "").split(",")


def non_players(battle: Battle) -> list[OperativeState]:
    """Those in the killzone whom nobody plays."""
    return battle.state.side(MACHINE)
