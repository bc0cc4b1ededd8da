"""The questions the rules ask about the table.

``OpenTable`` answers them without terrain, ``SightTable`` by asking ``ktsim.sight``. Both leave moves to a
:class:`Mover`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from random import Random
from typing import Any, ClassVar, Protocol

from ktsim.rules.engine.cards import Datacard
from ktsim.rules.engine.placed import terrain_with
from ktsim.rules.engine.state import MarkerState, OperativeState, Path, Point, State, inches
from ktsim.sight.pads import PadVisitor, meet_on_pad, pads_of
from ktsim.sight.scene import EPS, Base, Terrain

CONTROL_RANGE = 1.0


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
    blunts_piercing: bool = False
    cover_from: tuple[str, ...] = ()
    obscured_by: tuple[str, ...] = ()
    reasons: tuple[tuple[str, str], ...] = ()
    alternatives: tuple[TargetRuling, ...] = ()
    is_undecided: bool = False
    """Whether it is visible was not found out; it cannot be chosen then."""

    def words(self) -> str:
        """``valid target, in cover, 7.25" away``"""
        parts = ["valid target" if self.is_valid else "not a valid target"]
        parts += ["in cover"] if self.in_cover else []
        parts += ["obscured"] if self.is_obscured else []
        far = f'{self.distance:.2f}" away' if isfinite(self.distance) else "no way there around the walls"
        return f"{', '.join(parts)}, {far}"


@dataclass(frozen=True)
class MoveRequest:
    """A move to be judged: who, by which action, how far (whole inches), what it may do with control ranges."""

    operative: str
    action: str
    allowance: int
    may_pass_control: bool = False
    ends_in_control: bool = False
    can_climb: bool = True
    can_jump: bool = True
    climb: int | None = None
    """How many inches every climb counts as at most, where a rule says so."""
    drops_free: bool = False
    """Whether the height of drops is ignored."""
    dash: int = 0
    """How far a Dash could go on, when the move stops in the middle of a climb or drop (KT21-TERRAIN)."""
    teleports: bool = False
    """Whether it may be set up on the other teleport pad instead of moving (KZ-TOMB-PAD)."""
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
    teleports: bool = False
    """The operative does not move: it is set up at the end of the path."""
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

    def costs(self, table: Table, state: State, request: MoveRequest, *, on_foot: bool = False) -> dict[Point, int]:
        """The same places with the inches each costs. *On foot* nobody climbs or jumps, and it is found much sooner."""

    def route(self, table: Table, state: State, request: MoveRequest, to: Point, *, on_foot: bool = False) -> Path:
        """A legal path to a place, or no waypoints when none was found; *on foot* as in :meth:`costs`."""


class Table(Protocol):
    """What the rules ask. *at* puts the first operative somewhere else for the question."""

    terrain: Terrain
    mover: Mover
    measures_ovals: ClassVar[bool]
    """Whether oval bases are measured as they are, and not as round ones of their longer axis."""

    @property
    def widest(self) -> float:
        """The greatest :meth:`radius` of any base."""

    def twin(self) -> Table:
        """The same table with answers of its own, for what-if questions."""

    def terrain_in(self, state: State) -> Terrain:
        """The board's terrain and the pieces players have put there."""

    def radius(self, operative: OperativeState) -> float:
        """Of a circle around the base's centre that holds the base."""

    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float: ...

    def is_within(self, state: State, a: str, b: str, reach: float) -> bool:
        """Whether their distance is no more than *reach*: found out sooner than the distance itself."""

    def is_visible(self, state: State, viewer: str, target: str) -> bool: ...

    def in_control_range(self, state: State, a: str, b: str, at: Point | None = None) -> bool: ...

    def reaches(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> bool:
        """Whether something round at *point* is in the operative's control range."""

    def is_hidden_from_above(self, state: State, operative: str) -> bool:
        """Whether terrain hides any part of the base from directly above (KT21-W-BARRAGE)."""

    def distance_to(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> float:
        """From the operative's base to something round at *point*."""

    def heavy_distance(self, state: State, operative: str) -> float:
        """From the operative's base to the nearest Heavy terrain, as its edition measures it (KT21-WALLDIST)."""

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


class Bases(ABC):
    """What both tables know about the bases on them: their terrain, the circle around each, and who is certainly out of
    whose control range, which is asked of everybody about everybody all the time and so must be cheap."""

    measures_ovals: ClassVar[bool]

    def __init__(self, terrain: Terrain, cards: Mapping[str, Datacard]) -> None:
        self.terrain, self.cards = terrain, cards
        self.pads = pads_of(terrain)
        self._radii: dict[str, float] = {}

    @cached_property
    def widest(self) -> float:
        return max((max(card.base.along, card.base.across) for card in self.cards.values()), default=0.0)

    def terrain_in(self, state: State) -> Terrain:
        return terrain_with(self.terrain, state.pieces.values())

    def radius(self, operative: OperativeState) -> float:
        if (known := self._radii.get(operative.card)) is None:
            base = self.cards[operative.card].base
            known = self._radii[operative.card] = max(base.along, base.across)
        return known

    def in_control_range(self, state: State, a: str, b: str, at: Point | None = None) -> bool:
        if reach_across(state, a, b):
            return True
        one, two = state.operatives[a], state.operatives[b]
        if self.pads and meet_on_pad(self.pads, self._visitor(one, at), self._visitor(two)):
            return True
        if _is_beyond(at or one.point, two.point, self.radius(one) + self.radius(two) + CONTROL_RANGE):
            return False
        return self._controls(state, a, b, at)

    def is_within(self, state: State, a: str, b: str, reach: float) -> bool:
        one, two = state.operatives[a], state.operatives[b]
        if _is_beyond(one.point, two.point, self.radius(one) + self.radius(two) + reach):
            return False
        return self.distance(state, a, b) <= reach

    @abstractmethod
    def distance(self, state: State, a: str, b: str, at: Point | None = None) -> float:
        """Base to base, around whatever is in the way."""

    def _visitor(self, who: OperativeState, at: Point | None = None) -> PadVisitor:
        base, (x, y, level) = self.cards[who.card].base, at or who.point
        known = base if self.measures_ovals else Base(self.radius(who), self.radius(who))
        return PadVisitor(known, x / 1000, y / 1000, level / 1000, who.turn / 1000)

    def reaches(self, state: State, operative: str, point: Point, radius: float, at: Point | None = None) -> bool:
        who = state.operatives[operative]
        if _is_beyond(at or who.point, point, self.radius(who) + radius + CONTROL_RANGE):
            return False
        return self._controls_place(state, operative, point, radius, at)

    @abstractmethod
    def _controls(self, state: State, a: str, b: str, at: Point | None) -> bool:
        """Whether two that are near each other are in control range."""

    @abstractmethod
    def _controls_place(self, state: State, operative: str, point: Point, radius: float, at: Point | None) -> bool:
        """Whether something round near the operative is in its control range."""


def _is_beyond(here: Point, there: Point, reach: float) -> bool:
    """Whether two points are further apart than *reach*, seen from above: no way around anything is shorter."""
    far = 1000 * (reach + EPS)
    dx, dy = here[0] - there[0], here[1] - there[1]
    return dx > far or dx < -far or dy > far or dy < -far or dx * dx + dy * dy > far * far + 1
