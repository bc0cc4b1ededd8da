"""Conditions an effect may have, by the words a team file uses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol, TypeAlias

from ktsim.rules.engine.state import OperativeState, State
from ktsim.rules.engine.table import Table, contests
from ktsim.sight.scene import EPS


class Situation(Protocol):
    """What conditions ask of a battle."""

    state: State
    table: Table

    def is_wounded(self, who: OperativeState) -> bool: ...

    def is_injured(self, who: OperativeState) -> bool: ...


Condition: TypeAlias = Callable[[Situation, OperativeState, OperativeState | None], bool]
"""Whether it holds for an operative, against a target if there is one."""

CLOSE, BESIDE = 6.0, 1.0


def contests_an_objective(battle: Situation, who: OperativeState) -> bool:
    """Whether an objective marker is in the operative's control range."""
    markers = battle.state.markers.values()
    return any(m.kind == "objective" and contests(battle.table, battle.state, who, m) for m in markers)


def _has_done(battle: Situation, who: OperativeState, action: str) -> bool:
    now = battle.state.activation
    return now is not None and now.operative == who.id and action in now.actions


def has_moved(battle: Situation, who: OperativeState) -> bool:
    """Whether it moved in the activation or counteraction under way."""
    now = battle.state.activation
    return now is not None and now.operative == who.id and bool(now.moves)


def _is_close(battle: Situation, who: OperativeState, target: OperativeState) -> bool:
    return battle.table.is_within(battle.state, who.id, target.id, CLOSE + EPS)


def _is_near_heavy(battle: Situation, who: OperativeState) -> bool:
    return battle.table.heavy_distance(battle.state, who.id) <= BESIDE + EPS


CONDITIONS: dict[str, Condition] = {
    "wounded": lambda battle, who, target: battle.is_wounded(who),
    "injured": lambda battle, who, target: battle.is_injured(who),
    "has not moved": lambda battle, who, target: not has_moved(battle, who),
    "charged": lambda battle, who, target: _has_done(battle, who, "Charge"),
    "contests an objective": lambda battle, who, target: contests_an_objective(battle, who),
    'within 1" of Heavy terrain': lambda battle, who, target: _is_near_heavy(battle, who),
    "target is wounded": lambda battle, who, target: target is not None and battle.is_wounded(target),
    "target is injured": lambda battle, who, target: target is not None and battle.is_injured(target),
    'target within 6"': lambda battle, who, target: target is not None and _is_close(battle, who, target),
}


def holds(condition: str, battle: Situation, who: OperativeState, target: OperativeState | None) -> bool:
    return CONDITIONS[condition](battle, who, target)
