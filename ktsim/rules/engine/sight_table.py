"""The real table: what the rules ask is answered by ``ktsim.sight``.

What rules on sight is imported where it is asked: it compiles kernels, which neither odds nor a game on a plain table
needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import copy
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from ktsim.killzones.figures import figure
from ktsim.rules.engine.cards import Datacard
from ktsim.rules.engine.state import OperativeState, Point, State
from ktsim.rules.engine.table import Bases, Mover, TargetRuling
from ktsim.sight.scene import RULES_DATES, Edition, Figure, Operative, RulesDate, Scene, Terrain, Weapon

if TYPE_CHECKING:
    from ktsim.sight.ruling import Ruling

T = TypeVar("T")

ANYWHERE = 100.0
"""Further than anything on a board (inches)."""


def operative_at(who: OperativeState, card: Datacard, figure: Figure) -> Operative:
    """An operative of a game as a scene has it."""
    x, y, level = (each / 1000 for each in who.point)
    return Operative(who.id, who.side, x, y, level, card.base, figure, who.turn / 1000, who.order)


def scene_in(
    state: State, terrain: Terrain, present: tuple[Operative, ...], rules_as_of: RulesDate = RULES_DATES[0]
) -> Scene:
    """The moment *state* describes, on *terrain*, with the operatives *present*, to be ruled as of a date."""
    smoke = tuple((x / 1000, y / 1000, z / 1000) for x, y, z in (each.point for each in state.smoke))
    return Scene(terrain, present, dict(state.terrain), smoke, rules_as_of=rules_as_of)


class SightTable(Bases):
    """The real table: builds scenes from states and asks ``ktsim.sight``. The one place that keeps scenes."""

    measures_ovals: ClassVar[bool] = True

    def __init__(
        self,
        terrain: Terrain,
        cards: Mapping[str, Datacard],
        mover: Mover,
        edition: Edition = "kt24",
        figures: Callable[[Datacard], Figure] | None = None,
        rules_as_of: RulesDate = RULES_DATES[0],
    ) -> None:
        super().__init__(terrain, cards)
        self.mover, self.edition, self.rules_as_of = mover, edition, rules_as_of
        self._figures = {key: (figures or shipped_figure)(card) for key, card in cards.items()}
        self._scene: tuple[object, Scene] = (None, Scene(terrain))
        self._answers: dict[tuple[object, ...], Any] = {}

    def twin(self) -> SightTable:
        """The same table with answers of its own, for what-if questions."""
        twin = copy(self)
        twin._scene, twin._answers = (None, Scene(self.terrain)), {}
        return twin

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
            who = tuple(map(self.operative, present))
            self._scene = (key, scene_in(state, self.terrain_in(state), who, self.rules_as_of))
            self._answers = {}
        return self._scene[1]

    def operative(self, who: OperativeState) -> Operative:
        """An operative as sight and moving know it, whether or not it is in the killzone."""
        return operative_at(who, self.cards[who.card], self._figures[who.card])

    def _asked(self, state: State, key: tuple[object, ...], answer: Callable[[Scene], T]) -> T:
        """The answer to a question, kept until something on the table changes."""
        scene = self.scene(state)
        if key not in self._answers:
            self._answers[key] = answer(scene)
        known: T = self._answers[key]
        return known

    def _moved(self, scene: Scene, state: State, operative: str, at: Point | None) -> Scene:
        if at is None:
            return scene
        here = self.operative(state.operatives[operative])
        there = replace(here, x=at[0] / 1000, y=at[1] / 1000, level=at[2] / 1000)
        known = any(each.id == operative for each in scene.operatives)
        return scene.moved(there) if known else replace(scene, operatives=(*scene.operatives, there))

    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float:
        def answer(scene: Scene) -> float:
            from ktsim.sight.distances import between

            return between(self._moved(scene, state, a, at), a, b)

        return self._asked(state, ("distance", a, b, at), answer)

    def is_visible(self, state: State, viewer: str, target: str) -> bool:
        def answer(scene: Scene) -> bool:
            from ktsim.sight.visibility import visible

            return visible(scene, viewer, target).visible

        return self._asked(state, ("visible", viewer, target), answer)

    def _controls(self, state: State, a: str, b: str, at: Point | None) -> bool:
        def answer(scene: Scene) -> bool:
            from ktsim.sight.control import in_control_range

            return in_control_range(self._moved(scene, state, a, at), a, b)

        return self._asked(state, ("control", a, b, at), answer)

    def _controls_place(self, state: State, operative: str, point: Point, radius: float, at: Point | None) -> bool:
        def answer(scene: Scene) -> bool:
            from ktsim.sight.control import point_in_control_range

            return point_in_control_range(self._moved(scene, state, operative, at), operative, place(point), radius)

        return self._asked(state, ("reaches", operative, point, radius, at), answer)

    def is_hidden_from_above(self, state: State, operative: str) -> bool:
        def answer(scene: Scene) -> bool:
            from ktsim.sight.distances import is_under_terrain

            return is_under_terrain(scene, operative)

        return self._asked(state, ("above", operative), answer)

    def distance_to(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> float:
        def answer(scene: Scene) -> float:
            from ktsim.sight.distances import to_disc

            return to_disc(self._moved(scene, state, operative, at), operative, place(point), radius)

        return self._asked(state, ("distance to", operative, point, radius, at), answer)

    def heavy_distance(self, state: State, operative: str) -> float:
        def answer(scene: Scene) -> float:
            from ktsim.sight.junctions import heavy_distance

            return heavy_distance(scene, operative, self.edition)

        return self._asked(state, ("heavy", operative), answer)

    def sees_place(self, state: State, operative: str, point: Point, radius: float) -> bool:
        def answer(scene: Scene) -> bool:
            from ktsim.sight.visibility import WHETHER, sees_disc

            return sees_disc(scene, operative, place(point), radius, effort=WHETHER).visible

        return self._asked(state, ("sees", operative, point, radius), answer)

    def sees_feature(self, state: State, operative: str, feature: str) -> bool:
        def answer(scene: Scene) -> bool:
            from ktsim.sight.seen_parts import sees_part_near

            parts = scene.terrain.feature(feature).parts_in(scene.states.get(feature))
            return any(sees_part_near(scene, operative, part, ANYWHERE) for part in parts)

        return self._asked(state, ("sees feature", operative, feature), answer)

    def target_ruling(self, state: State, shooter: str, target: str, weapon_words: tuple[str, ...]) -> TargetRuling:
        def answer(scene: Scene) -> TargetRuling:
            from ktsim.sight.ruling import ruling

            return from_sight(ruling(scene, shooter, target, self.edition, Weapon(weapon_words)))

        return self._asked(state, ("ruling", shooter, target, weapon_words), answer)


def place(point: Point) -> tuple[float, float, float]:
    """A point in inches."""
    return (point[0] / 1000, point[1] / 1000, point[2] / 1000)


def from_sight(found: Ruling) -> TargetRuling:
    """A sight ruling as the rules keep it."""
    ruling = TargetRuling(
        is_visible=found.visible,
        is_undecided=found.undecided,
        is_valid=found.valid_target,
        in_cover=found.in_cover,
        is_obscured=found.obscured,
        defender_chooses=found.choice == "defender",
        distance=round(found.distance, 6),
        accurate=found.accurate,
        is_improved=found.improved_cover_save,
        blunts_piercing=found.blunts_piercing,
        cover_from=tuple(found.cover_from),
        obscured_by=tuple(found.obscured_by),
        reasons=(*((reason.rule, reason.text) for reason in found.reasons), (found.decided_by, found.headline)),
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
    """The miniature the datacard names: its own, or one of our models as tall and wide as it says."""
    return card.body or figure(card.model, card.height, width=card.width or None)
