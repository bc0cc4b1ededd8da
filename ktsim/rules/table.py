"""The questions the rules ask about the table, and two things that answer them.

:class:`OpenTable` knows no terrain: everything is visible and nothing gives cover unless a test says so.
:class:`SightTable` asks ``ktsim.sight``. Both leave moves to a :class:`Mover`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import dataclass, field, replace
from importlib import import_module
from random import Random
from typing import Any, ClassVar, Protocol

from ktsim.killzones.figures import figure
from ktsim.rules.board import length
from ktsim.rules.decisions import Path, Point
from ktsim.rules.placed import terrain_with
from ktsim.rules.state import MarkerState, OperativeState, State, inches
from ktsim.rules.team_file import Datacard
from ktsim.sight.scene import EPS, Edition, Figure, Operative, Scene, Terrain, Weapon

CONTROL_RANGE = 1.0
ANYWHERE = 100.0
"""Further than anything on a board (inches)."""


@dataclass(frozen=True)
class TargetRuling:
    """What the rules need of a sight ruling; plain, so that an event can keep what was decided.

    *alternatives* are other outcomes the shooter's player may pick instead (SIGHT-14).
    """

    is_visible: bool = True
    is_valid: bool = True
    in_cover: bool = False
    is_obscured: bool = False
    defender_chooses: bool = False
    distance: float = 0.0
    accurate: int = 0
    is_improved: bool = False
    ignores_piercing: bool = False
    cover_from: tuple[str, ...] = ()
    obscured_by: tuple[str, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    alternatives: tuple[TargetRuling, ...] = ()

    def words(self) -> str:
        """``valid target, in cover, 7.25"``"""
        parts = ["valid target" if self.is_valid else "not a valid target"]
        parts += ["in cover"] if self.in_cover else []
        parts += ["obscured"] if self.is_obscured else []
        return f'{", ".join(parts)}, {self.distance:.2f}"'


@dataclass(frozen=True)
class MoveRequest:
    """A move to be judged: who, by which action, how far (whole inches), what it may do with control ranges."""

    operative: str
    action: str
    allowance: int
    may_pass_control: bool = False
    ends_in_control: bool = False
    can_climb: bool = True
    dash: int = 0
    """How far a Dash could go on, when the move stops in the middle of a climb or drop (KT21-TERRAIN)."""
    since: Any = None
    """What the mover said of the pieces of the same move that came before (``MoveVerdict.walk``)."""


@dataclass(frozen=True)
class MoveVerdict:
    """What a path costs in whole inches, or the sentence that refuses it."""

    cost: int
    refusal: str | None = None
    tests: tuple[tuple[int, int], ...] = ()
    """Dice the path needs: before which leg (counted from 0), and the least result (KT21-TERRAIN)."""
    needs_dash: bool = False
    walk: Any = None
    """For the next piece of the same move: the mover's own account of it."""


class Mover(Protocol):
    """Judges and suggests moves."""

    def judge(self, table: Table, state: State, request: MoveRequest, path: Path) -> MoveVerdict: ...

    def suggest(self, table: Table, state: State, request: MoveRequest, rng: Random) -> Path:
        """Some legal path, or no waypoints when none was found."""

    def refuses_to_stand(self, table: Table, state: State, operative: str, at: Point) -> str | None:
        """Why the operative cannot be placed at a point."""

    def places(self, table: Table, state: State, request: MoveRequest) -> list[Point]:
        """Places the move can probably end at, spread over all it can reach."""

    def route(self, table: Table, state: State, request: MoveRequest, to: Point) -> Path:
        """A legal path to a place, or no waypoints when none was found."""


class Table(Protocol):
    """What the rules ask. *at* puts the first operative somewhere else for the question."""

    terrain: Terrain
    mover: Mover
    measures_ovals: ClassVar[bool]
    """Whether oval bases are measured as they are, and not as round ones of their longer axis."""

    def terrain_in(self, state: State) -> Terrain:
        """The board's terrain and the pieces players have put there."""

    def radius(self, operative: OperativeState) -> float:
        """Of a circle around the base's centre that holds the base."""

    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float: ...

    def is_visible(self, state: State, viewer: str, target: str) -> bool: ...

    def in_control_range(self, state: State, a: str, b: str, at: Point | None = None) -> bool: ...

    def reaches(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> bool:
        """Whether something round at *point* is in the operative's control range."""

    def is_hidden_from_above(self, state: State, operative: str) -> bool:
        """Whether terrain hides any part of the base from directly above (KT21-W-BARRAGE)."""

    def distance_to(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> float:
        """From the operative's base to something round at *point*."""

    def sees_place(self, state: State, operative: str, point: Point, radius: float) -> bool:
        """Whether something round and flat at *point* would be visible to the operative."""

    def sees_feature(self, state: State, operative: str, feature: str) -> bool:
        """Whether any of a terrain feature is visible to the operative."""

    def target_ruling(self, state: State, shooter: str, target: str, weapon_words: tuple[str, ...]) -> TargetRuling: ...


def reach_across(state: State, a: str, b: str) -> bool:
    """Whether the two count as in each other's control range during the present action."""
    return state.reaching is not None and state.reaching in ((a, b), (b, a))


def contests(table: Table, state: State, operative: OperativeState, marker: MarkerState) -> bool:
    """KT24-MARKER: within control range; a carried marker is contested by its carrier alone."""
    if marker.carrier is not None:
        return marker.carrier == operative.id
    return table.reaches(state, operative.id, marker.point, inches(marker.radius))


@dataclass
class OpenTable:
    """A table without terrain. Oval bases are measured as round ones of their longer axis.

    *rulings* lets a test say what target selection finds for a pair (shooter, target).
    """

    terrain: Terrain
    cards: Mapping[str, Datacard]
    mover: Mover
    rulings: dict[tuple[str, str], dict[str, Any]] = field(default_factory=dict)
    hidden_from_above: set[str] = field(default_factory=set)
    measures_ovals: ClassVar[bool] = False

    def terrain_in(self, state: State) -> Terrain:
        return terrain_with(self.terrain, state.pieces.values())

    def radius(self, operative: OperativeState) -> float:
        base = self.cards[operative.card].base
        return max(base.along, base.across)

    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float:
        one, two = state.operatives[a], state.operatives[b]
        x, y, level = at or one.point
        flat = length(x - two.x, y - two.y) / 1000 - self.radius(one) - self.radius(two)
        return length(max(0.0, flat), (level - two.level) / 1000)

    def is_visible(self, state: State, viewer: str, target: str) -> bool:
        return True

    def in_control_range(self, state: State, a: str, b: str, at: Point | None = None) -> bool:
        return reach_across(state, a, b) or self.distance(state, a, b, at) <= CONTROL_RANGE + EPS

    def reaches(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> bool:
        return self.distance_to(state, operative, point, radius, at) <= CONTROL_RANGE + EPS

    def distance_to(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> float:
        who = state.operatives[operative]
        x, y, level = at or who.point
        flat = length(x - point[0], y - point[1]) / 1000 - self.radius(who) - radius
        return length(max(0.0, flat), (level - point[2]) / 1000)

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


def operative_at(who: OperativeState, card: Datacard, figure: Figure) -> Operative:
    """An operative of a game as a scene has it."""
    x, y, level = (each / 1000 for each in who.point)
    return Operative(who.id, who.side, x, y, level, card.base, figure, who.turn / 1000, who.order)


def scene_in(state: State, terrain: Terrain, present: tuple[Operative, ...]) -> Scene:
    """The moment *state* describes, on *terrain*, with the operatives *present*."""
    smoke = tuple((x / 1000, y / 1000, z / 1000) for x, y, z in (each.point for each in state.smoke))
    return Scene(terrain, present, dict(state.terrain), smoke)


class SightTable:
    """The real table: builds scenes from states and asks ``ktsim.sight``. The one place that keeps scenes."""

    measures_ovals: ClassVar[bool] = True

    def __init__(
        self,
        terrain: Terrain,
        cards: Mapping[str, Datacard],
        mover: Mover,
        edition: Edition = "kt24",
        figures: Callable[[Datacard], Figure] | None = None,
    ) -> None:
        # Imported here: sight compiles kernels, which a game on a plain table does not need.
        names = ("control", "distances", "ruling", "visibility")
        self._control, self._distances, self._ruling, self._visibility = (
            import_module(f"ktsim.sight.{name}") for name in names
        )
        self.terrain, self.cards, self.mover, self.edition = terrain, cards, mover, edition
        self._figures = {key: (figures or shipped_figure)(card) for key, card in cards.items()}
        self._scene: tuple[object, Scene] = (None, Scene(terrain))
        self._answers: dict[tuple[object, ...], Any] = {}

    def twin(self) -> SightTable:
        """The same table with answers of its own, for what-if questions."""
        twin = copy(self)
        twin._scene, twin._answers = (None, Scene(self.terrain)), {}
        return twin

    def radius(self, operative: OperativeState) -> float:
        base = self.cards[operative.card].base
        return max(base.along, base.across)

    def terrain_in(self, state: State) -> Terrain:
        return terrain_with(self.terrain, state.pieces.values())

    def scene(self, state: State) -> Scene:
        """The scene *state* describes; kept until something on the table changes."""
        present = [o for o in state.operatives.values() if o.is_in_killzone]
        key = (
            tuple((o.id, o.x, o.y, o.level, o.turn, o.order) for o in present),
            tuple(sorted(state.terrain.items())),
            tuple(each.point for each in state.smoke),
            tuple(state.pieces.values()),
        )
        if self._scene[0] != key:
            self._scene = (key, scene_in(state, self.terrain_in(state), tuple(map(self.operative, present))))
            self._answers = {}
        return self._scene[1]

    def operative(self, who: OperativeState) -> Operative:
        """An operative as sight and moving know it, whether or not it is in the killzone."""
        return operative_at(who, self.cards[who.card], self._figures[who.card])

    def _asked(self, state: State, key: tuple[object, ...], answer: Callable[[Scene], Any]) -> Any:
        scene = self.scene(state)
        if key not in self._answers:
            self._answers[key] = answer(scene)
        return self._answers[key]

    def _moved(self, scene: Scene, state: State, operative: str, at: Point | None) -> Scene:
        if at is None:
            return scene
        here = self.operative(state.operatives[operative])
        there = replace(here, x=at[0] / 1000, y=at[1] / 1000, level=at[2] / 1000)
        known = any(each.id == operative for each in scene.operatives)
        return scene.moved(there) if known else replace(scene, operatives=(*scene.operatives, there))

    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float:
        return float(
            self._asked(
                state,
                ("distance", a, b, at),
                lambda scene: self._distances.between(self._moved(scene, state, a, at), a, b),
            )
        )

    def is_visible(self, state: State, viewer: str, target: str) -> bool:
        return bool(
            self._asked(
                state,
                ("visible", viewer, target),
                lambda scene: self._visibility.visible(scene, viewer, target).visible,
            )
        )

    def in_control_range(self, state: State, a: str, b: str, at: Point | None = None) -> bool:
        if reach_across(state, a, b):
            return True
        one, two = state.operatives[a], state.operatives[b]
        x, y, _ = at or one.point
        # Bases whose circles are further apart than the range need no sight question.
        if length(x - two.x, y - two.y) / 1000 > self.radius(one) + self.radius(two) + CONTROL_RANGE + EPS:
            return False
        return bool(
            self._asked(
                state,
                ("control", a, b, at),
                lambda scene: self._control.in_control_range(self._moved(scene, state, a, at), a, b),
            )
        )

    def reaches(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> bool:
        who = state.operatives[operative]
        far = self.radius(who) + radius + CONTROL_RANGE + EPS
        x, y, _ = at or who.point
        if length(x - point[0], y - point[1]) / 1000 > far:
            return False
        place = (point[0] / 1000, point[1] / 1000, point[2] / 1000)
        return bool(
            self._asked(
                state,
                ("reaches", operative, point, radius, at),
                lambda scene: self._control.point_in_control_range(
                    self._moved(scene, state, operative, at), operative, place, radius
                ),
            )
        )

    def is_hidden_from_above(self, state: State, operative: str) -> bool:
        overhead = import_module("ktsim.sight.overhead")
        return bool(self._asked(state, ("above", operative), lambda scene: overhead.is_under_terrain(scene, operative)))

    def distance_to(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> float:
        place = (point[0] / 1000, point[1] / 1000, point[2] / 1000)
        return float(
            self._asked(
                state,
                ("distance to", operative, point, radius, at),
                lambda scene: self._distances.to_disc(
                    self._moved(scene, state, operative, at), operative, place, radius
                ),
            )
        )

    def sees_place(self, state: State, operative: str, point: Point, radius: float) -> bool:
        place = (point[0] / 1000, point[1] / 1000, point[2] / 1000)
        return bool(
            self._asked(
                state,
                ("sees", operative, point, radius),
                lambda scene: self._visibility.sees_disc(scene, operative, place, radius).visible,
            )
        )

    def sees_feature(self, state: State, operative: str, feature: str) -> bool:
        def answer(scene: Scene) -> bool:
            parts = scene.terrain.feature(feature).parts_in(scene.states.get(feature))
            sees_part = import_module("ktsim.sight.seen_parts").sees_part_near
            return any(sees_part(scene, operative, part, ANYWHERE) for part in parts)

        return bool(self._asked(state, ("sees feature", operative, feature), answer))

    def target_ruling(self, state: State, shooter: str, target: str, weapon_words: tuple[str, ...]) -> TargetRuling:
        def answer(scene: Scene) -> TargetRuling:
            return from_sight(self._ruling.ruling(scene, shooter, target, self.edition, Weapon(weapon_words)))

        found = self._asked(state, ("ruling", shooter, target, weapon_words), answer)
        assert isinstance(found, TargetRuling)
        return found


def from_sight(found: Any) -> TargetRuling:
    """A sight ruling as the rules keep it."""
    ruling = TargetRuling(
        is_visible=found.visible,
        is_valid=found.valid_target,
        in_cover=found.in_cover,
        is_obscured=found.obscured,
        defender_chooses=found.choice == "defender",
        distance=round(found.distance, 6),
        accurate=found.accurate,
        is_improved=found.improved_cover_save,
        ignores_piercing=found.ignores_piercing,
        cover_from=tuple(found.cover_from),
        obscured_by=tuple(found.obscured_by),
        reasons=tuple((reason.rule, reason.text) for reason in found.reasons),
    )
    others = tuple(
        replace(
            ruling,
            is_valid=each.valid_target,
            in_cover=each.in_cover,
            is_obscured=each.obscured,
            defender_chooses=each.choice == "defender",
            is_improved=each.improved_cover_save,
            cover_from=each.cover_from,
            obscured_by=each.obscured_by,
        )
        for each in found.alternatives
    )
    return replace(ruling, alternatives=others)


def shipped_figure(card: Datacard) -> Figure:
    """The miniature the datacard names, as tall as it says."""
    return figure(card.model, card.height)
