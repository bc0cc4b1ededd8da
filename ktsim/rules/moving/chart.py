"""A ground charted for one kind of base: which nodes of a lattice it can be at, climb at, land on.

Everything here depends on the terrain, its states, the base and the miniature's height only, and is kept with the
ground; operatives come in with the plan.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cached_property, partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import lattice
from ktsim.geometry.plane import are_enclosed, loop
from ktsim.geometry.shelf import PREPARED
from ktsim.rules.moving.along import surcharged, without_landing
from ktsim.rules.moving.charted import EVERYWHERE, NOTHING, ChartedLevel
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.ground import LADDER, STAIRS, Ground
from ktsim.rules.moving.paces import Paces
from ktsim.rules.moving.patches import Lattice, Mask, mark_near, nodes_of, patch_of
from ktsim.rules.moving.shadow import EdgeField, Shadow, Slice, SlicedShadow
from ktsim.rules.moving.surcharges import Surcharge
from ktsim.rules.moving.upright import SIDEWAYS, UPWARDS, ladder_reach
from ktsim.rules.moving.walk import Stance
from ktsim.sight.scene import EPS

T = TypeVar("T")

PITCH = 0.125
"""Distance of neighbouring nodes (inches)."""

SAME_CLIMB = 0.25
"""Tops of terrain that differ by less than this, and not in what climbing them costs, are crossed at one height."""


class Chart:
    """The charts of a ground for a form and a height; of the whole board, or (*spot*) of one place that is no node."""

    def __init__(self, ground: Ground, form: Form, height: float, spot: tuple[float, float] | None = None) -> None:
        self.ground, self.form, self.height = ground, form, height
        self._is_spot = spot is not None
        nx, ny = (int(side / PITCH + 1e-9) + 1 for side in ground.board) if spot is None else (1, 1)
        x0, y0 = spot or (0.0, 0.0)
        self.lat: Lattice = (x0, y0, PITCH, nx, ny)
        self.size = nx * ny
        self.xs, self.ys = nodes_of(self.lat)

    @property
    def weight(self) -> int:
        """For a shelf: a few masks. Where the nodes are is known once for all charts of a board."""
        return 2 * self.size

    @property
    def base(self) -> Chart | None:
        """The chart of what the ground only adds to: its answers are used again."""
        ground = self.ground.base
        return None if ground is None or self._is_spot else chart_of(ground, self.form, self.height)

    # -- masks -------------------------------------------------------------------------------------------------

    def overlaps(self, shadow: Shadow, over: bool = True) -> Mask:
        """Nodes at which the base overlaps a shadow."""
        if (base := self.base) is not None:
            before, own = self.ground.split(shadow)
            known = base.overlaps(before, over)
            return known if own is None else np.asarray(known | self._overlaps(own, over))
        if shadow.joined is not None:
            one, two = (self.overlaps(each, over) for each in shadow.joined)
            return np.asarray(one | two)
        key = (shadow, self.lat, self.form, over)
        return PREPARED.keep(key, lambda: self._overlaps(shadow, over))

    def _overlaps(self, shadow: Shadow, over: bool) -> Mask:
        out = np.zeros(self.size, np.bool_)
        if isinstance(shadow, SlicedShadow):
            reach = self.form.outer + PITCH
            for each in self._about(shadow.slices.values(), reach):
                key, mark = (self.form, over), partial(self._mark, each, over)
                patch_of(each, self.lat, reach, key, mark).onto(out)
        else:
            self._blocked(shadow.edges[0], shadow.pieces, over, self.lat, out)
        return out

    def _about(self, parts: Iterable[Slice], reach: float) -> Iterable[Slice]:
        """Of slices those that may come within *reach* of any node: of one place most are far away."""
        x, y, _, _, _ = self.lat
        return (each for each in parts if each.is_near(reach, x, y)) if self._is_spot else parts

    def _blocked(self, edges: Array, pieces: Array, over: bool, lat: Lattice, out: Mask) -> None:
        form = self.form
        lattice.mark_blocked(edges, form.matrix, form.clear_radius, form.outer + PITCH, *lat, out)
        if over:
            lattice.mark_over(pieces, *lat, out)

    def _mark(self, part: Slice, over: bool, lat: Lattice, out: Mask) -> None:
        self._blocked(part.edges, part.pieces, over, lat, out)

    def distance(self, shadow: Shadow, reach: float, enough: float) -> Array:
        """How far nodes are from a kept shadow, exactly between *enough* and *reach*."""
        if (base := self.base) is not None:
            before, own = self.ground.split(shadow)
            known = base.distance(before, reach, enough)
            return known if own is None else np.minimum(known, self._distance(own, reach, enough))
        if shadow.joined is not None:
            return np.minimum(*(self.distance(each, reach, enough) for each in shadow.joined))
        key = (shadow, self.lat, reach, enough)
        return PREPARED.keep(key, lambda: self._distance(shadow, reach, enough))

    def _distance(self, shadow: Shadow, reach: float, enough: float) -> Array:
        out = np.full(self.size, 99.0)
        parts: Iterable[Array] = (shadow.pieces,)
        if isinstance(shadow, SlicedShadow):
            parts = (each.pieces for each in self._about(shadow.slices.values(), reach))
        for pieces in parts:
            lattice.distances(pieces, reach, max(0.0, enough), *self.lat, out)
        return out

    def near(self, pieces: Array, reach: float) -> Mask:
        """Nodes within *reach* of planar triangles."""
        out = np.zeros(self.size, np.bool_)
        mark_near(pieces, reach, self.lat, out)
        return out

    def _near(self, parts: Sequence[Slice], reach: float) -> Mask:
        """Nodes within *reach* of slices."""
        out = np.zeros(self.size, np.bool_)
        for each in self._about(parts, reach):
            patch_of(each, self.lat, reach, reach, partial(mark_near, each.pieces, reach)).onto(out)
        return out

    def near_features(self, shadow: Shadow, reach: float) -> dict[str, Mask]:
        """Nodes within *reach* of each feature of a kept shadow; only features that have any."""
        known: dict[str, Mask] = {}
        own: Shadow | None = shadow
        if (base := self.base) is not None:
            before, own = self.ground.split(shadow)
            known = base.near_features(before, reach)
        if own is None:
            return known
        masks = {name: self._near(parts, reach) for name, parts in self.ground.by_feature(own).items()}
        return known | {name: mask for name, mask in masks.items() if mask.any()}

    @cached_property
    def on_board(self) -> Mask:
        width, depth = self.ground.board
        wide, deep = self.form.spread
        inside = (self.xs >= wide - EPS) & (self.xs <= width - wide + EPS)
        return np.asarray(inside & (self.ys >= deep - EPS) & (self.ys <= depth - deep + EPS))

    @cached_property
    def dry(self) -> Mask:
        """Nodes on the floor that touch no hazardous area."""
        if self.base is not None:
            return self.base.dry
        wet = self.overlaps(self.ground.hazards, over=False)
        for area in self.ground.hazardous:
            wet |= are_enclosed(loop(area.outline), self.xs, self.ys)
        return ~wet

    def _keep(self, key: tuple[Hashable, ...], build: Callable[[], T]) -> T:
        return PREPARED.keep((self, *key), build)

    # -- where a base may be -----------------------------------------------------------------------------------

    def _states(self, altitude: float) -> NDArray[np.uint8]:
        """The states of nodes at an altitude as far as terrain goes, whatever holds a base there."""

        def build() -> NDArray[np.uint8]:
            free = self.on_board & ~self.overlaps(self._solid(altitude))
            if abs(altitude) < EPS:
                free &= self.dry
            state = np.where(free, lattice.FREE, lattice.BLOCKED).astype(np.uint8)
            passed = self.overlaps(self.ground.unfit(self.form, self.height, altitude, for_good=False))
            state[free & passed] = lattice.PASSED
            return state

        return self._keep(("states", round(altitude, 4)), build)

    def _free(self, altitude: float) -> ChartedLevel:
        """Where a base may be at an altitude as far as terrain goes, whatever holds it there; doors are in the way."""

        def build() -> ChartedLevel:
            solid = self._solid(altitude)
            clear = self.distance(solid, self.form.outer + 2 * PITCH, self.form.inner - 2 * PITCH)
            cells = (*solid.field(self.form).grid, clear)
            return ChartedLevel(self._states(altitude), cells, EVERYWHERE, 0.0, NOTHING)

        return self._keep(("free", round(altitude, 4)), build)

    def _solid(self, altitude: float) -> Shadow:
        return solid_of(self.ground, self.form, self.height, altitude)

    def walked(self, level: float) -> ChartedLevel:
        """On a level: the floor, or a Vantage with part of the base on it (KT24-MOVE-7)."""

        def build() -> ChartedLevel:
            free, walkable = self._free(level), self.ground.walkable(level)
            return free if walkable is None else self._held(free, walkable, self.form.inner - EPS)

        return self._keep(("walked", round(level, 4)), build)

    def surcharges(self, altitude: float, paces: Paces) -> tuple[Surcharge, ...]:
        """What is paid for at an altitude."""
        return surcharged(self.ground, self._solid(altitude), paces, altitude)[1]

    def opened(self, name: str, altitude: float, paces: Paces, chosen: tuple[int, ...]) -> ChartedLevel:
        """The surface *name* for legs that pay the surcharges numbered and keep clear of the others."""

        def build() -> ChartedLevel:
            surface: ChartedLevel = getattr(self, name)(altitude)
            stops, surcharges = surcharged(self.ground, self._solid(altitude), paces, altitude)
            shut = [surcharge for number, surcharge in enumerate(surcharges) if number not in chosen]
            far, enough = self.form.outer + 2 * PITCH, self.form.inner - 2 * PITCH
            is_open = self.on_board & ~self.overlaps(stops)
            clear = self.distance(stops, far, enough)
            if abs(altitude) < EPS:
                is_open &= self.dry
            if len(surface.near):
                is_open &= surface.near <= surface.reach
            for surcharge in shut:
                overlapped, away = self._surcharged(surcharge, far, enough)
                is_open &= ~overlapped
                clear = np.minimum(clear, away)
            passed = np.where(surface.state == lattice.BLOCKED, lattice.PASSED, surface.state)
            state = np.where(is_open, passed, lattice.BLOCKED).astype(np.uint8)
            solid = stops.and_more(Shadow.of([(-1, surcharge.shadow.pieces) for surcharge in shut]))
            grid = solid.field(self.form).grid
            return ChartedLevel(state, (*grid, clear), surface.near, surface.reach, surface.pieces)

        return self._keep(("opened", name, round(altitude, 4), paces, chosen), build)

    def _surcharged(self, surcharge: Surcharge, far: float, enough: float) -> tuple[Mask, Array]:
        """Nodes at which a base is in what it pays for, and how far they are from it."""
        shadow = surcharge.shadow

        def build() -> tuple[Mask, Array]:
            return self._overlaps(shadow, True), self._distance(shadow, far, enough)

        return self._keep(("surcharge", surcharge), build)

    @cached_property
    def wired(self) -> Shadow:
        """The surroundings of all razor wire."""
        return Shadow.of([(-1, wire.shadow.pieces) for wire in self.ground.wires])

    def crossed(self, altitude: float) -> ChartedLevel:
        """Over climbed terrain: within an inch of what reaches up to an inch below."""

        def build() -> ChartedLevel:
            holds = self.ground.holds(altitude - SIDEWAYS, altitude)
            return self._held(self._free(altitude), holds, self.form.inner + SIDEWAYS + EPS)

        return self._keep(("crossed", round(altitude, 4)), build)

    def beside(self, level: float) -> ChartedLevel:
        """Off the edge of a Vantage: within an inch of it."""

        def build() -> ChartedLevel:
            support = self.ground.support(level)
            assert support is not None
            return self._held(self._free(level), support.shadow, self.form.inner + SIDEWAYS + EPS)

        return self._keep(("beside", round(level, 4)), build)

    def _held(self, free: ChartedLevel, by: Shadow, reach: float) -> ChartedLevel:
        near = self.distance(by, reach + 2 * PITCH, reach - 3 * PITCH)
        held = free.state.copy()
        held[near > reach] = lattice.BLOCKED
        return ChartedLevel(held, free.cells, near, reach, np.ascontiguousarray(by.pieces))

    def stands(self, level: float) -> Mask:
        """Nodes at which the centre is supported and the base is clear: where one may come down or step up."""

        def build() -> Mask:
            fit = np.asarray(self._states(level) == lattice.FREE)
            support = self.ground.support(level)
            if support is None:
                return fit
            on = np.zeros(self.size, np.bool_)
            lattice.mark_over(support.shadow.pieces, *self.lat, on)
            return np.asarray(fit & on)

        return self._keep(("stands", round(level, 4)), build)

    def ends(self, level: float) -> Mask:
        """Nodes at which a move may end as far as terrain goes."""

        def build() -> Mask:
            unfit = self.overlaps(self.ground.unfit(self.form, self.height, level, for_good=True))
            for number, floor in self.ground.top_floors.items():
                if abs(floor.level - level) < EPS:
                    (x, y), (ux, uy) = floor.middle, floor.along
                    off_middle = np.abs((self.xs - x) * ux + (self.ys - y) * uy)
                    unfit = unfit | (self.over_part(number, level) & (off_middle < self.form.reach_along(ux, uy) - EPS))
            for number, pad in self.ground.pads.items():
                if pad.is_level(level):
                    on = np.flatnonzero(self.over_part(number, level))
                    unfit = unfit.copy()
                    unfit[on] |= ~pad.holds(self.form.base, self.xs[on], self.ys[on], self.form.turn)
            return np.asarray(self.stands(level) & ~unfit)

        return self._keep(("ends", round(level, 4)), build)

    def over_part(self, number: int, level: float) -> Mask:
        """Nodes over one part of a level."""
        support = self.ground.support(level)
        assert support is not None
        out = np.zeros(self.size, np.bool_)
        lattice.mark_over(support.shadow.by_owner[number], *self.lat, out)
        return out

    def floors(self, level: float) -> NDArray[np.int32]:
        """The number of the separate floor of a Vantage under each node, which is that of the first part there; -1
        where there is none."""

        def build() -> NDArray[np.int32]:
            support = self.ground.support(level)
            assert support is not None
            out = np.full(self.size, -1, np.int32)
            for part in sorted(support.shadow.by_owner, reverse=True):
                out[self.over_part(part, level)] = support.floor_of[part]
            return out

        return self._keep(("floors", round(level, 4)), build)

    # -- up and down -------------------------------------------------------------------------------------------

    @cached_property
    def altitudes(self) -> tuple[float, ...]:
        """Heights at which terrain is crossed: the tops of what can be climbed, and 2 inches, the most a least climb
        and a free drop reach."""
        crossed = [part.top for part in self.ground.parts if part.can_be_crossed and part.top > EPS]
        # rounded up to the thousandths in which positions are kept
        tops = sorted({math.ceil(top * 1000 - EPS) / 1000 for top in crossed})
        levels = set(self.ground.levels[1:])
        chosen = {round(level, 4) for level in levels}
        group: list[float] = []
        for top in tops:
            if group and (top - group[0] > SAME_CLIMB or _climb_class(top) != _climb_class(group[0])):
                chosen.add(group[-1])
                group = []
            group.append(top)
        if group:
            chosen.add(group[-1])
        if any(top > 2 for top in tops):
            chosen.add(2.0)
        return tuple(sorted(chosen))

    def column(self, low: float, high: float) -> Mask:
        """Nodes at which a base can go straight up or down between two heights."""

        def build() -> Mask:
            return np.asarray(~self.overlaps(self.ground.obstacles(self.form, self.height, low, high)))

        return self._keep(("column", round(low, 4), round(high, 4)), build)

    def grated(self, low: float, high: float) -> Mask:
        """Nodes at which that way goes through an Accessible part (KT24-MOVE-6a)."""

        def build() -> Mask:
            return self.overlaps(self.ground.gratings(low, high))

        return self._keep(("grated", round(low, 4), round(high, 4)), build)

    def climbs(self, low: float, high: float) -> Mask:
        """Nodes from which a climb reaches an altitude."""

        def build() -> Mask:
            reach = self.form.inner + SIDEWAYS + EPS
            below = self.ground.holds(low, low + UPWARDS)
            above = self.ground.holds(max(low, high - SIDEWAYS), high)
            found = np.zeros(self.size, np.bool_)
            low_ones, high_ones = self.near_features(below, reach), self.near_features(above, reach)
            for feature in low_ones.keys() & high_ones.keys():
                found |= low_ones[feature] & high_ones[feature]
            return np.asarray(found & self.column(low, high)) if found.any() else found

        return self._keep(("climbs", round(low, 4), round(high, 4)), build)

    def scaled(self, low: float, high: float) -> Mask:
        """Nodes from which that climb ends up a Scalable part of the feature climbed (KT21-TERRAIN)."""

        def build() -> Mask:
            reach = self.form.inner + SIDEWAYS + EPS
            low_ones = self.near_features(self.ground.holds(low, low + UPWARDS), reach)
            found = np.zeros(self.size, np.bool_)
            for owner, pieces in self.ground.holds(max(low, high - SIDEWAYS), high).by_owner.items():
                part = self.ground.parts[owner].part
                if "scalable" in part.traits and part.feature in low_ones:
                    found |= low_ones[part.feature] & self.near(pieces, reach)
            return found

        return self._keep(("scaled", round(low, 4), round(high, 4)), build)

    def laddered(self, low: float, high: float) -> Mask:
        """Nodes from which a ladder helps that climb."""

        def build() -> Mask:
            reach = self.form.inner + SIDEWAYS + EPS
            low_ones = self.near_features(self.ground.holds(low, low + UPWARDS), reach)
            high_ones = self.near_features(self.ground.holds(max(low, high - SIDEWAYS), high), reach)
            out = np.zeros(self.size, np.bool_)
            for owner, pieces in self.ground.of_kind(LADDER).by_owner.items():
                far = ladder_reach(self.ground.parts[owner], low, high)
                if far is None:
                    continue
                near = self.near(pieces, self.form.inner + far + EPS)
                for feature in self.ground.leant_on(owner) & low_ones.keys() & high_ones.keys():
                    out |= near & low_ones[feature] & high_ones[feature]
            return out

        return self._keep(("laddered", round(low, 4), round(high, 4)), build)

    def lands(self, altitude: float, level: float) -> Mask:
        """Nodes at which a base comes down from an altitude to a level."""

        def build() -> Mask:
            return np.asarray(self.stands(level) & self.column(level, altitude))

        return self._keep(("lands", round(altitude, 4), round(level, 4)), build)

    def steps(self, low: float, high: float) -> Mask:
        """Nodes at which one changes between two levels for nothing: Insignificant steps, stairs."""
        if self.base is not None:
            return self.base.steps(low, high)

        def build() -> Mask:
            found = np.zeros(self.size, np.bool_)
            support = self.ground.support(high)
            assert support is not None
            for owner in np.unique(support.shadow.owners):
                part = self.ground.parts[int(owner)]
                if part.is_insignificant and part.low <= low + EPS:
                    lattice.mark_over(support.shadow.pieces[support.shadow.owners == owner], *self.lat, found)
            stairs = self.ground.of_kind(STAIRS)
            for owner in np.unique(stairs.owners):
                part = self.ground.parts[int(owner)]
                if part.low <= low + EPS and part.top >= high - EPS:
                    lattice.mark_over(stairs.pieces[stairs.owners == owner], *self.lat, found)
            return found

        return self._keep(("steps", round(low, 4), round(high, 4)), build)

    def brinks(self, level: float) -> Mask:
        """Nodes of a Vantage within an inch of its edge: where jumps are planned from."""

        def build() -> Mask:
            _, _, _, nx, ny = self.lat
            off = (~self.stands(level)).reshape(nx, ny)
            near = off.copy()
            for _ in range(round(1 / PITCH)):
                wider = near.copy()
                wider[1:] |= near[:-1]
                wider[:-1] |= near[1:]
                wider[:, 1:] |= near[:, :-1]
                wider[:, :-1] |= near[:, 1:]
                near = wider
            return np.asarray(self.stands(level) & near.ravel())

        return self._keep(("brinks", round(level, 4)), build)

    def landing_field(self, altitude: float, floor: int, paces: Paces) -> EdgeField:
        """The edges in the way of a jump that lands: without what is an inch higher at most where it lands."""
        stops = self.ground.obstacles(self.form, self.height, altitude)
        origin = Stance(origin=altitude, floor=floor)
        return without_landing(self.ground, stops, altitude, origin, paces).field(self.form)


def solid_of(ground: Ground, form: Form, height: float, altitude: float) -> Shadow:
    """Everything in the way at an altitude, doors and hazardous areas too; kept for every chart of the ground."""

    def build() -> Shadow:
        stops = ground.obstacles(form, height, altitude)
        if ground.base is not None:
            known, (_, own) = solid_of(ground.base, form, height, altitude), ground.split(stops)
            return known if own is None else known.and_more(own)
        found = [(door.part, door.shadow.pieces) for door in ground.doorways(altitude, height)]
        if abs(altitude) < EPS:
            found += [(-1, ground.hazards.pieces)]
        return stops.and_more(Shadow.of(found))

    return ground.keep(("solid", form, round(height, 4), round(altitude, 4)), build)


def _climb_class(top: float) -> tuple[int, int]:
    """Tops of one class cost the same to climb from the floor, in either edition, Scalable or not."""
    return max(2, math.ceil(top)), int(top / 2)


def chart_of(ground: Ground, form: Form, height: float, spot: tuple[float, float] | None = None) -> Chart:
    """The chart for a kind of base, kept with the ground; of a *spot*, too: who stands there has several moves."""
    return ground.keep(("chart", form, round(height, 4), spot), lambda: Chart(ground, form, height, spot))
