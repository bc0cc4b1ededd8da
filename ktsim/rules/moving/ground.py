"""Terrain made ready for moving: prepared once per terrain and states, then kept.

A :class:`Ground` answers with shadows: what stands between two heights seen from above, for everything that stops a
base, and what can be stood on, climbed, passed or paid for.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple, TypeVar

import numpy as np

from ktsim.geometry.kernels import bands
from ktsim.geometry.plane import loop, smallest_rectangle
from ktsim.geometry.shelf import PREPARED
from ktsim.rules.moving.doorway import Doorway, doorway_of
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.shadow import Shadow, Slice, SlicedShadow
from ktsim.rules.moving.surcharges import Surcharge, wire_surcharges
from ktsim.rules.moving.walk import Waypoint
from ktsim.sight.obstacles import sight_triangles
from ktsim.sight.pads import Pad, pads_of
from ktsim.sight.scene import EPS, MM, Area, Base, Part, Scene, Terrain
from ktsim.sight.standing import upper_side

T = TypeVar("T")
Point3 = tuple[float, float, float]

BASE_THICKNESS = 3.5 * MM
TOUCH = 0.01
"""Terrain that reaches into a band of heights by less than this does not count as being in it (inches)."""

TOP_FLOOR = "top floor"
LADDER, STAIRS, WIRE = frozenset({"ladder"}), frozenset({"stairs", "slope"}), frozenset({"wire", "stakes"})
"""Words for a part's kind that moving looks for."""

LEAN = 0.15
"""How near a ladder is to the terrain it leans on (inches)."""


@dataclass(frozen=True, eq=False)
class GroundPart:
    """A part with what moving asks about it. *flat* are its triangles (n, 9), Wall parts raised to the sky."""

    part: Part
    feature_kind: str
    flat: Array
    low: float
    top: float
    _slices: dict[tuple[float, float], Slice] = field(default_factory=dict, init=False, repr=False)

    @cached_property
    def box(self) -> tuple[float, float, float, float]:
        """Low x and y, high x and y."""
        x, y = self.flat[:, 0::3], self.flat[:, 1::3]
        return float(x.min()), float(y.min()), float(x.max()), float(y.max())

    def between(self, low: float, high: float) -> Slice:
        """What of it is between two heights; the same however far they are above or below it."""
        low = -math.inf if low <= self.low else low
        high = math.inf if high >= self.top else high
        known = self._slices.get((low, high))
        return known or self._slices.setdefault((low, high), Slice(partial(bands.band, self.flat, low, high)))

    @property
    def weight(self) -> int:
        return self.flat.nbytes

    @property
    def is_wall(self) -> bool:
        return "wall" in self.part.traits

    @property
    def is_gap(self) -> bool:
        """SIGHT-3: an invisible volume never stops movement by itself."""
        return self.part.traits == frozenset({"blocking"})

    @property
    def is_accessible(self) -> bool:
        return "accessible" in self.part.traits and not self.is_wall

    @property
    def is_insignificant(self) -> bool:
        return "insignificant" in self.part.traits and not self.is_wall

    @cached_property
    def is_passed(self) -> bool:
        """Does a base move through or over it without climbing?"""
        return self.is_gap or self.is_accessible or self.is_insignificant or self.part.kind in LADDER | STAIRS | WIRE

    @property
    def can_be_climbed(self) -> bool:
        """KT24-MOVE-3, KT24-MOVE-6, KZ-WALL. A gap is no terrain to hold on to."""
        return not (self.is_wall or self.is_gap or self.is_insignificant or self.part.kind in LADDER | STAIRS | WIRE)

    @property
    def can_be_crossed(self) -> bool:
        """Is its top a height worth climbing to? A door is in a wall that is higher."""
        return self.can_be_climbed and (self.is_vantage or not self.is_accessible)

    @property
    def is_vantage(self) -> bool:
        return "vantage" in self.part.traits

    @property
    def is_way(self) -> bool:
        """Is it something to stand on or to move through or up?"""
        return self.is_vantage or self.is_accessible or self.part.kind in STAIRS

    @property
    def name(self) -> str:
        return self.part.key


@dataclass(frozen=True, eq=False)
class Support:
    """A level: the upper sides of its Vantage parts, and for each part which of the separate floors it belongs to."""

    level: float
    shadow: Shadow
    floor_of: Mapping[int, int]

    @cached_property
    def floors(self) -> Mapping[int, Array]:
        """The pieces of each separate floor."""
        floor = np.array([self.floor_of[int(owner)] for owner in self.shadow.owners], np.int64)
        return {int(n): self.shadow.pieces[floor == n] for n in np.unique(floor)}


class TopFloor(NamedTuple):
    """A floor to be stood on on one side or the other: its level, its middle and the way from side to side."""

    level: float
    middle: tuple[float, float]
    along: tuple[float, float]


class Ground:
    """Everything about the terrain, in one of its states, that moving needs.

    A ground with a *base* has its parts and then some more, none of them a way up or through, and uses what is known
    of the base.
    """

    def __init__(self, terrain: Terrain, states: Mapping[str, str]) -> None:
        self.terrain = terrain
        self.board = terrain.board
        own = [_ground_part(p, f.kind) for f in terrain.added for p in f.parts_in(states.get(f.id))]
        self.base: Ground | None = None
        if terrain.base is not None and not any(part.is_way for part in own):
            self.base = ground_for(terrain.base, states)
        elif terrain.base is not None:
            own = [_ground_part(p, f.kind) for f in terrain.features for p in f.parts_in(states.get(f.id))]
        self.first = 0 if self.base is None else len(self.base.parts)
        """The first number of a part that the base does not have."""
        self.parts: tuple[GroundPart, ...] = tuple(own) if self.base is None else (*self.base.parts, *own)
        self.judged: dict[tuple[Form, float, Point3], int | tuple[str, str, str | None]] = {}
        """By form, height and place: the part it stands on, or what of the terrain refuses that (``standing``)."""

    @property
    def weight(self) -> int:
        """For a shelf: its triangles."""
        return sum(part.flat.nbytes for part in self.parts[self.first :])

    def keep(self, name: tuple[Hashable, ...], build: Callable[[], T]) -> T:
        """What somebody prepares for this ground, under a name of its own."""
        return PREPARED.keep((self, *name), build)

    # -- shadows ---------------------------------------------------------------------------------------------

    def _shadow(
        self, key: tuple[object, ...], chosen: Callable[[GroundPart], bool], low: float, high: float, covered: float
    ) -> Shadow:
        """Parts *chosen* between two heights; a Ceiling only up to *covered*."""

        def build() -> Shadow:
            own, base = self._own(chosen, low, high, covered), self.base
            return own if base is None else base._shadow(key, chosen, low, high, covered).and_more(own)

        return self.keep(key, build)

    def _own(self, chosen: Callable[[GroundPart], bool], low: float, high: float, covered: float) -> Shadow:
        """The same of the parts that the base does not have."""
        found = {}
        for number, part in enumerate(self.parts[self.first :], self.first):
            top = min(high, covered) if "ceiling" in part.part.traits else high
            if chosen(part) and part.low < top - TOUCH and part.top > low + TOUCH:
                found[number] = part.between(low + TOUCH, top - TOUCH)
        return SlicedShadow({number: each for number, each in found.items() if not each.is_empty})

    def split(self, shadow: Shadow) -> tuple[Shadow, Shadow | None]:
        """What of a shadow of this ground its base knows, and what this ground has added to that, if anything."""
        if shadow.joined is None or min(shadow.joined[1].present) < self.first:
            return shadow, None
        return shadow.joined

    def obstacles(self, form: Form, height: float, low: float, high: float | None = None) -> Shadow:
        """What stops a base between *low* and *high* (default: at *low*), with a miniature *height* tall above it."""
        above = low if high is None else high
        covered = above + (BASE_THICKNESS if form.is_small else max(height, BASE_THICKNESS))
        top = above + max(height, BASE_THICKNESS)
        key = ("stops", round(low, 4), round(top, 4), round(covered, 4))
        return self._shadow(key, lambda part: not part.is_passed, low, top, covered)

    def unfit(self, form: Form, height: float, level: float, for_good: bool) -> Shadow:
        """What a base may not be in where an increment ends: also doors, ladders and wire; where the move ends
        (*for_good*) also the side of a step."""
        covered = level + (BASE_THICKNESS if form.is_small else max(height, BASE_THICKNESS))
        top = level + max(height, BASE_THICKNESS)

        def chosen(part: GroundPart) -> bool:
            if part.is_gap or (part.is_accessible and part.is_vantage):
                return False
            if part.is_accessible or (part.is_vantage and for_good) or part.part.kind in LADDER:
                return True
            return not part.is_insignificant

        key = ("unfit", round(level, 4), round(top, 4), round(covered, 4), for_good)

        def build() -> Shadow:
            if self.base is not None:
                known = self.base.unfit(form, height, level, for_good)
                return known.and_more(self._own(chosen, level, top, covered))
            # all that stops a base is among it
            more = self._own(lambda part: part.is_passed and chosen(part), level, top, covered)
            return self.obstacles(form, height, level).and_more(more)

        return self.keep(key, build)

    def holds(self, low: float, high: float) -> Shadow:
        """Terrain that can be climbed with something between two heights."""
        key = ("holds", round(low, 4), round(high, 4))
        # the top itself belongs to what is crossed, so the band is closed at both ends
        return self._shadow(key, lambda part: part.can_be_climbed, low - 2 * TOUCH, high + 2 * TOUCH, high + 2 * TOUCH)

    def gratings(self, low: float, high: float) -> Shadow:
        """Accessible parts passed on the way straight up or down (KT24-MOVE-6a)."""
        return self._shadow(("gratings", round(low, 4), round(high, 4)), lambda p: p.is_accessible, low, high, high)

    def of_kind(self, kinds: frozenset[str]) -> Shadow:
        """Parts of a kind, at any height."""
        key = ("kind", *sorted(kinds))
        return self._shadow(key, lambda part: part.part.kind in kinds, -1e3, 1e3, 1e3)

    def leant_on(self, ladder: int) -> frozenset[str]:
        """The features that can be climbed against which a ladder stands; kept."""

        def build() -> frozenset[str]:
            rungs = self.of_kind(LADDER).by_owner[ladder]
            holds = self.holds(self.parts[ladder].low, self.parts[ladder].top)
            # Two outlines are nearest to each other at a corner of one of them.
            found = {part for x, y in _corners(rungs) for part in holds.near(LEAN, x, y)}
            low, high = _corners(rungs).min(axis=0) - LEAN, _corners(rungs).max(axis=0) + LEAN
            for part, pieces in holds.by_owner.items():
                corners = _corners(pieces)
                inside = corners[((corners >= low) & (corners <= high)).all(axis=1)]
                if any(bands.near_point(rungs, LEAN, x, y).any() for x, y in inside):
                    found.add(part)
            return frozenset(self.parts[part].part.feature for part in found)

        return self.keep(("leant on", ladder), build)

    def solid_at(self, x: float, y: float, z: float) -> int:
        """The part that stops bases and fills the point, or -1. (A move that starts outside never gets there.)"""
        for number, part in enumerate(self.parts):
            if part.is_passed or not part.low < z < part.top:
                continue
            if part.box[0] <= x <= part.box[2] and part.box[1] <= y <= part.box[3] and bands.fills(part.flat, x, y, z):
                return number
        return -1

    def by_feature(self, shadow: Shadow) -> dict[str, list[Slice]]:
        """The slices of a shadow of this ground by the feature they belong to."""
        found: dict[str, list[Slice]] = {}
        for each in shadow.joined or (shadow,):
            assert isinstance(each, SlicedShadow)
            for owner, part in each.slices.items():
                found.setdefault(self.parts[owner].part.feature, []).append(part)
        return found

    # -- levels ----------------------------------------------------------------------------------------------

    @cached_property
    def levels(self) -> tuple[float, ...]:
        """SIGHT-5: the floor and the tops of the Vantages."""
        return (0.0, *(support.level for support in self._supports))

    @cached_property
    def _supports(self) -> tuple[Support, ...]:
        if self.base is not None:
            return self.base._supports
        tops: dict[float, list[int]] = {}
        for number, part in enumerate(self.parts):
            if part.is_vantage and part.part.top > EPS:
                near = next((top for top in tops if abs(top - part.part.top) < 1e-3), part.part.top)
                tops.setdefault(near, []).append(number)
        return tuple(self._support(top, tops[top]) for top in sorted(tops))

    def _support(self, level: float, numbers: list[int]) -> Support:
        surfaces = {number: upper_side(self.parts[number].part.triangles, level) for number in numbers}
        return Support(level, Shadow.of(surfaces.items()), _separate_floors(surfaces))

    def walkable(self, level: float) -> Shadow | None:
        """What keeps a base on the Vantage at a height, stairs too; None where there is none."""
        if self.base is not None:
            return self.base.walkable(level)
        support = self.support(level)
        if support is None:
            return None
        listed = ((0, support.shadow.pieces), (1, self.of_kind(STAIRS).pieces))
        return self.keep(("walkable", round(level, 4)), lambda: Shadow.of(listed))

    @cached_property
    def top_floors(self) -> Mapping[int, TopFloor]:
        """KZ-VOLKUS-TOP: the parts that are the highest level of a stronghold."""
        if self.base is not None:
            return self.base.top_floors
        if "KZ-VOLKUS-TOP" not in self.terrain.rules:
            return {}
        return {
            number: TopFloor(part.part.top, *smallest_rectangle(part.part.triangles[:, :, :2].reshape(-1, 2))[:2])
            for number, part in enumerate(self.parts)
            if part.part.kind == TOP_FLOOR
        }

    @cached_property
    def pads(self) -> Mapping[int, Pad]:
        """KZ-TOMB-PAD: the parts that are teleport pads."""
        found = {pad.part: pad for pad in pads_of(self.terrain)}
        return {number: found[part.part] for number, part in enumerate(self.parts) if part.part in found}

    def pad_under(self, at: Waypoint) -> Pad | None:
        """The pad that a base stands on."""
        return next((pad for pad in self.pads.values() if pad.is_under(at.x, at.y, at.level)), None)

    def support(self, level: float) -> Support | None:
        """The Vantage at a height, if there is one."""
        return next((support for support in self._supports if abs(support.level - level) < 1e-3), None)

    def is_level(self, level: float) -> bool:
        return abs(level) < EPS or self.support(level) is not None

    def stands_on(self, x: float, y: float, level: float) -> int | None:
        """The part under a base's centre: -1 for the floor, None where nothing supports it."""
        if abs(level) < EPS:
            return -1
        support = self.support(level)
        found = -1 if support is None else support.shadow.under(x, y)
        return None if found < 0 else found

    # -- doors, wire, hazardous areas ------------------------------------------------------------------------

    def doorways(self, altitude: float, height: float) -> tuple[Doorway, ...]:
        """Accessible parts that stand in the way of a base at an altitude."""
        if self.base is not None:
            return self.base.doorways(altitude, height)

        def build() -> tuple[Doorway, ...]:
            stops = self.obstacles(SMALLEST, height, altitude).pieces
            found = []
            for number, part in enumerate(self.parts):
                inside = part.low < altitude + BASE_THICKNESS and part.top > altitude + BASE_THICKNESS
                if part.is_accessible and not part.is_vantage and inside:
                    pieces = bands.band(part.flat, altitude + TOUCH, altitude + BASE_THICKNESS)
                    found.append(doorway_of(Shadow.of([(number, pieces)]), stops))
            return tuple(found)

        return self.keep(("doorways", round(altitude, 4), round(height, 4)), build)

    @cached_property
    def wires(self) -> tuple[Surcharge, ...]:
        """The surroundings of razor wire."""
        before = () if self.base is None else self.base.wires
        own = [(p.part.feature, p.flat) for p in self.parts[self.first :] if p.part.kind in WIRE]
        return (*before, *wire_surcharges(own))

    @cached_property
    def hazardous(self) -> tuple[Area, ...]:
        return tuple(area for area in self.terrain.areas if area.kind == "hazardous")

    @cached_property
    def hazards(self) -> Shadow:
        """The borders of hazardous areas, as slivers; inside one a base never gets."""
        if self.base is not None:
            return self.base.hazards
        found = []
        for number, area in enumerate(self.hazardous):
            edges = loop(area.outline)
            found.append((number, np.hstack([edges, edges[:, 2:]])))
        return Shadow.of(found)


def _corners(pieces: Array) -> Array:
    """The different corners (n, 2) of planar triangles."""
    return np.unique(pieces.reshape(-1, 2), axis=0)


def _ground_part(part: Part, feature_kind: str) -> GroundPart:
    """The part made ready; the same one in whatever state the rest of the terrain is."""

    def build() -> GroundPart:
        triangles = sight_triangles(part)
        z = triangles[:, :, 2]
        flat = np.ascontiguousarray(triangles.reshape(-1, 9))
        return GroundPart(part, feature_kind, flat, float(z.min()), float(z.max()))

    return PREPARED.keep((part, "moving", feature_kind), build)


def _separate_floors(surfaces: Mapping[int, Array]) -> dict[int, int]:
    """Number the floors of a level: parts that touch are one floor."""
    floor = {number: number for number in surfaces}

    def root(number: int) -> int:
        while floor[number] != number:
            number = floor[number]
        return number

    numbers = list(surfaces)
    for i, one in enumerate(numbers):
        for two in numbers[i + 1 :]:
            if root(one) != root(two) and _touch(surfaces[one], surfaces[two]):
                floor[root(one)] = root(two)
    return {number: root(number) for number in numbers}


def _touch(one: Array, two: Array) -> bool:
    if not len(one) or not len(two):
        return False
    corners = one.reshape(-1, 3, 2)
    for i in range(3):
        for a, b in zip(corners[:, i], corners[:, (i + 1) % 3], strict=True):
            if len(bands.near_spans(two, 0.05, *a, *b)):
                return True
    return False


SMALLEST = Form.of(Base(0.1, 0.1), 0.0)


def ground_of(scene: Scene) -> Ground:
    """The scene's terrain made ready."""
    return ground_for(scene.terrain, scene.states)


def ground_for(terrain: Terrain, states: Mapping[str, str]) -> Ground:
    named = ("ground", *sorted(states.items()))
    found = PREPARED.keep((terrain, *named), lambda: Ground(terrain, states))
    if (base := found.base) is not None:  # in use as long as this one is
        PREPARED.keep((base.terrain, *named), lambda: base)
    return found
