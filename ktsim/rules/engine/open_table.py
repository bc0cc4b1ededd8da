"""A table without sight: everything is visible, and nothing gives cover unless a test says so."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from typing import Any, ClassVar

from ktsim.geometry.plane import length
from ktsim.rules.engine.cards import Datacard
from ktsim.rules.engine.state import Point, State
from ktsim.rules.engine.table import CONTROL_RANGE, Bases, Mover, TargetRuling
from ktsim.sight.scene import EPS, Terrain


class OpenTable(Bases):
    """A table on which terrain hides nothing. Oval bases are measured as round ones of their longer axis.

    ``rulings`` lets a test say what target selection finds for a pair (shooter, target), ``hidden_from_above`` who has
    something overhead.
    """

    measures_ovals: ClassVar[bool] = False

    def __init__(self, terrain: Terrain, cards: Mapping[str, Datacard], mover: Mover) -> None:
        super().__init__(terrain, cards)
        self.mover = mover
        self.rulings: dict[tuple[str, str], dict[str, Any]] = {}
        self.hidden_from_above: set[str] = set()

    def twin(self) -> OpenTable:
        return self  # it keeps no answers

    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float:
        one, two = state.operatives[a], state.operatives[b]
        x, y, level = at or one.point
        flat = length(x - two.x, y - two.y) / 1000 - self.radius(one) - self.radius(two)
        return length(max(0.0, flat), (level - two.level) / 1000)

    def is_visible(self, state: State, viewer: str, target: str) -> bool:
        return bool(self.rulings.get((viewer, target), {}).get("is_visible", True))

    def _controls(self, state: State, a: str, b: str, at: Point | None) -> bool:
        return self.distance(state, a, b, at) <= CONTROL_RANGE + EPS

    def _controls_place(self, state: State, operative: str, point: Point, radius: float, at: Point | None) -> bool:
        return self.distance_to(state, operative, point, radius, at) <= CONTROL_RANGE + EPS

    def distance_to(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> float:
        who = state.operatives[operative]
        x, y, level = at or who.point
        flat = length(x - point[0], y - point[1]) / 1000 - self.radius(who) - radius
        return length(max(0.0, flat), (level - point[2]) / 1000)

    def heavy_distance(self, state: State, operative: str) -> float:
        return inf

    def sees_place(self, state: State, operative: str, point: Point, radius: float) -> bool:
        return True

    def sees_feature(self, state: State, operative: str, feature: str) -> bool:
        return True

    def is_hidden_from_above(self, state: State, operative: str) -> bool:
        return operative in self.hidden_from_above

    def target_ruling(self, state: State, shooter: str, target: str, weapon_words: tuple[str, ...]) -> TargetRuling:
        found = TargetRuling(distance=self.distance(state, shooter, target))
        found = replace(found, **self.rulings.get((shooter, target), {}))
        is_sought = bool({"seek", "indirect"} & set(weapon_words))
        is_hidden = state.operatives[target].order == "conceal" and found.in_cover and not is_sought
        return replace(found, is_valid=found.is_valid and found.is_visible and not is_hidden)
