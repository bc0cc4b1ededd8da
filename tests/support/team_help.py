"""Team rules on a bare field, by the id a team file names them by."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine_help import Answers, Field

from ktsim.game.game import Game
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.state import MarkerState, OperativeState, Side, milli
from ktsim.rules.teams.classes import TEAM_RULES, TeamRule


def rule(id: str, side: Side = "red", *cards: str) -> TeamRule:
    """The rule *id* as *side* has it; with *cards* it belongs to these datacards."""
    cls = TEAM_RULES[id]
    if cls.kind == "ability":
        return cls(side, id, cards)
    return cls(side, id, ploy=Ploy(id, id, cls.kind, 1, "Text.", rule=id))  # type: ignore[arg-type]


def field(*rules: TeamRule, cp: int = 3) -> Field:
    made = Field(*rules)
    made.state.cp = {"red": cp, "blue": cp}
    return made


def objective(made: Field, at: tuple[float, float]) -> Field:
    made.state.markers["objective-1"] = MarkerState("objective-1", "objective", milli(at[0]), milli(at[1]), 0, 787)
    return made


def who(game: Game, id: str) -> OperativeState:
    return game.state.operatives[id]


def offered(made: Field, procedure: Callable[[Battle], Steps[Any]], answers: Answers) -> list[str]:
    """The ploys that are offered on the way."""
    made.play(procedure, answers)
    return [o.key for d in answers.asked if d.topic == "ploy" for o in d.options if o.key != "no"]  # type: ignore[attr-defined]
