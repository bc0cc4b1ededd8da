"""The search: the least cost at which a move reaches every node of the chart, on every level.

Cheapest first, by whole inches. On each surface legs of any length run between nodes of the lattice; between surfaces
go climbs, drops, steps and jumps, which cost whole inches too. Legs, climbs and drops are tested with the same
geometry as the exact check; where bends may be is what the lattice samples.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import lattice
from ktsim.rules.moving.chart import PITCH, chart_of
from ktsim.rules.moving.charted import ChartedLevel
from ktsim.rules.moving.contact import Contacts
from ktsim.rules.moving.doorway import Doorway
from ktsim.rules.moving.form import Array, Form
from ktsim.rules.moving.ground import BASE_THICKNESS, LADDER, Ground
from ktsim.rules.moving.paces import paces_of
from ktsim.rules.moving.patches import Mask, around
from ktsim.rules.moving.rings import Rings, Window
from ktsim.rules.moving.surcharges import Surcharge
from ktsim.rules.moving.upright import SIDEWAYS
from ktsim.rules.moving.walk import MoveAction, Stance, Walker, Waypoint
from ktsim.sight.scene import EPS

UNREACHED = 999
Where: TypeAlias = Literal["ground", "over", "off"]
Ints = NDArray[np.int32]
SURFACES: dict[Where, str] = {"ground": "walked", "over": "crossed", "off": "beside"}


@dataclass(frozen=True)
class Foothold:
    """A surface in the search: how one is held at which altitude, whether free drop or the ladder are used up."""

    where: Where
    altitude: float
    has_dropped: bool = False
    used_ladder: bool = False


class Labels:
    """What is known about the nodes of one stage. The last node is the start of the move."""

    def __init__(self, stage: Foothold, surface: ChartedLevel, size: int) -> None:
        self.stage, self.surface = stage, surface
        self.cost = np.full(size + 1, UNREACHED, np.int32)
        self.legs = np.full(size + 1, UNREACHED, np.int32)
        self.parent = np.full(size + 1, -1, np.int32)
        self.came_from = np.full(size + 1, -1, np.int32)
        self.dropped = np.zeros(size + 1)
        self.relaxed = np.zeros(size + 1, np.bool_)
        self.changed = np.zeros(size + 1, np.bool_)

    @property
    def weight(self) -> int:
        return 3 * self.cost.nbytes + self.came_from.nbytes + self.dropped.nbytes + 2 * self.relaxed.nbytes


@lru_cache(maxsize=16)
def _rays(inches: int) -> tuple[Ints, Ints, NDArray[np.int64], Ints]:
    """For kernels.lattice: offsets, what legs that long cost, how many cost so much at most, and the ways back."""
    offsets, lengths, back = lattice.rays(round(inches / PITCH) + 1, PITCH)
    return offsets, lengths, np.searchsorted(lengths, np.arange(inches + 1), "right"), back


class MovePlan:
    """Everything one move can reach."""

    def __init__(
        self,
        ground: Ground,
        mover: Walker,
        allowance: int,
        action: MoveAction,
        stance: Stance | None = None,
        contacts: Contacts | None = None,
    ) -> None:
        self.ground, self.mover, self.allowance, self.action = ground, mover, allowance, action
        self.stance = stance or Stance()
        self.contacts = contacts or Contacts(mover)
        self.paces = paces_of(action, mover.scene.rules_as_of)
        self.form = Form.of(mover.operative.base, mover.operative.turn)
        at = mover.operative
        self.chart = Window(chart_of(ground, self.form, mover.height), at.x, at.y, allowance + PITCH)
        self.rings = Rings(self.chart, self.contacts, action, allowance)
        self.xs = np.append(self.chart.xs, mover.operative.x)
        self.ys = np.append(self.chart.ys, mover.operative.y)
        self.spot = chart_of(ground, self.form, mover.height, (mover.operative.x, mover.operative.y))
        self.start = self.chart.size
        self.rays = _rays(allowance)
        self._discs: dict[float, Array] = {}
        self._vetoes: dict[float, Mask] = {}
        self._opened: dict[tuple[Where, float, tuple[int, ...]], ChartedLevel] = {}
        self._surcharges: dict[float, tuple[Surcharge, ...]] = {}
        self.labels: list[Labels] = []
        self._number: dict[Foothold, int] = {}
        self._search()

    @property
    def weight(self) -> int:
        """For a shelf: the labels, and about as much again in surfaces and masks cut out of the charts."""
        return 2 * sum(labels.weight for labels in self.labels)

    # -- stages --------------------------------------------------------------------------------------------------

    def _labels(self, stage: Foothold) -> tuple[int, Labels]:
        if stage not in self._number:
            surface = self.chart.surface(SURFACES[stage.where], stage.altitude)
            self._number[stage] = len(self.labels)
            self.labels.append(Labels(stage, self._with_others(surface, stage.altitude), self.chart.size))
        number = self._number[stage]
        return number, self.labels[number]

    def _with_others(self, surface: ChartedLevel, altitude: float) -> ChartedLevel:
        """A surface of the terrain as the other operatives leave it."""
        state = surface.state
        for x, y, radius, kind in self.discs(altitude):
            if kind == 0.0:
                state[(self.chart.xs - x) ** 2 + (self.chart.ys - y) ** 2 < radius * radius] = lattice.BLOCKED
        veto = self.veto(altitude)
        if len(veto):
            state[veto] = lattice.BLOCKED
        return surface

    def discs(self, altitude: float) -> Array:
        if altitude not in self._discs:
            self._discs[altitude] = self.rings.discs(altitude)
        return self._discs[altitude]

    def veto(self, altitude: float) -> Mask:
        if altitude not in self._vetoes:
            found = self.rings.veto(altitude)
            if len(found):  # it stands where it stands, whatever the nodes around are held to be
                at = self.mover.operative
                found[(abs(self.chart.xs - at.x) < 1.5 * PITCH) & (abs(self.chart.ys - at.y) < 1.5 * PITCH)] = False
            self._vetoes[altitude] = found
        return self._vetoes[altitude]

    # -- the search ----------------------------------------------------------------------------------------------

    def _search(self) -> None:
        level = self.mover.operative.level
        if not self.ground.is_level(level) or self._is_barred():
            return
        first = Foothold("ground", round(level, 4), self.stance.drop_used > EPS, self.stance.ladder_used)
        _, labels = self._labels(first)
        labels.cost[self.start], labels.legs[self.start] = 0, 0
        labels.dropped[self.start] = self.stance.drop_used
        labels.changed[self.start] = True
        for k in range(self.allowance + 1):
            self._settle(k)
            for number in range(len(self.labels)):
                self._relax(self.labels[number], k)

    def _is_barred(self) -> bool:
        """Only a Fall Back starts in an enemy's control range."""
        at = self.mover.start
        return not self.action.passes_control and any(
            self.contacts.is_controlled(enemy, at) for enemy in self.rings.enemies
        )

    def _settle(self, k: int) -> None:
        """Follow every change of stage from nodes of cost k, until no more of cost k appear."""
        again = True
        while again:
            again = False
            for number in range(len(self.labels)):
                labels = self.labels[number]
                fresh = np.flatnonzero(labels.changed & (labels.cost == k)).astype(np.int32)
                if len(fresh):
                    labels.changed[fresh] = False
                    again = True
                    self._change_stage(number, fresh, k)

    def _relax(self, labels: Labels, k: int) -> None:
        if k >= self.allowance or not (here := labels.cost == k).any():
            return
        before = labels.cost.copy()
        _, _, h, nx, ny = self.chart.lat
        altitude = labels.stage.altitude
        self._jump(labels, k, np.flatnonzero(here & ~labels.relaxed).astype(np.int32))
        sources = lattice.sources_of(k, labels.cost, _with_start(labels.surface.state), labels.relaxed, h, nx, ny)
        sources = sources[np.argsort(labels.legs[sources], kind="stable")]
        self._legs(labels, self.free(labels), k, sources)
        if labels.stage.where == "ground":
            self._doors(labels, k)
        for chosen, surcharge in self.surcharges_together(altitude, self.allowance - k):
            opened = self.opened(labels.stage, chosen)
            # from right before such a part, which the sources of free legs need not be
            beside = around((opened.state == lattice.PASSED).reshape(self.chart.lat[3:])).ravel()
            before_it = np.flatnonzero((labels.cost[: self.start] == k) & beside)
            self._legs(labels, opened, k + surcharge, np.union1d(sources, before_it).astype(np.int32))
        better = np.flatnonzero(labels.cost < before)
        labels.came_from[better] = self._number[labels.stage]
        labels.dropped[better] = labels.dropped[labels.parent[better]]
        labels.changed[better] = True
        labels.relaxed[better] = False

    def _legs(self, labels: Labels, surface: ChartedLevel, k: int, sources: Ints) -> None:
        """Legs on a surface from *sources*, whose cost with what these legs pay on top is k."""
        altitude = labels.stage.altitude
        lattice.relax(
            *(sources, k, self.allowance, self.xs, self.ys, surface.state),
            *(labels.cost, labels.legs, labels.parent),
            *(self.form.shape, surface.cells, surface.near, surface.reach, surface.pieces),
            *(self.discs(altitude), self.veto(altitude), *self.rays, self.chart.lat),
        )

    def surcharges(self, altitude: float) -> tuple[Surcharge, ...]:
        """What is paid for at an altitude (KT24-MOVE-6a, KT21-TERRAIN); none when the move cannot come to any."""
        if altitude not in self._surcharges:
            found = self.chart.whole.surcharges(altitude, self.paces)
            self._surcharges[altitude] = found if any(self._is_in_reach(surcharge) for surcharge in found) else ()
        return self._surcharges[altitude]

    def _is_in_reach(self, surcharge: Surcharge) -> bool:
        at = np.array([self.mover.operative.x, self.mover.operative.y])
        return surcharge.gap(at, at) <= self.allowance + self.form.outer

    def surcharges_together(self, altitude: float, room: int) -> Iterator[tuple[tuple[int, ...], int]]:
        """Numbers of surcharges that one leg may have to pay, all of them with *room* inches, and their sum; few first.

        Legs are planned for each of these sets, clear of all other surcharges, so none is dearer than planned.
        """
        surcharges = self.surcharges(altitude)
        near = [number for number, surcharge in enumerate(surcharges) if self._is_in_reach(surcharge)]
        least = min((surcharges[number].inches for number in near), default=0)
        for count in range(1, len(near) + 1):
            if count * least >= room:
                return
            for chosen in combinations(near, count):
                surcharge = sum(surcharges[number].inches for number in chosen)
                far = room - surcharge + 2 * self.form.outer
                if surcharge < room and all(
                    surcharges[a].gap(*surcharges[b].box) <= far for a, b in combinations(chosen, 2)
                ):
                    yield chosen, surcharge

    def opened(self, stage: Foothold, chosen: tuple[int, ...]) -> ChartedLevel:
        """The surface of a stage for legs that pay those surcharges and no others."""
        key = (stage.where, stage.altitude, chosen)
        if key not in self._opened:
            surface = self.chart.opened(SURFACES[stage.where], stage.altitude, self.paces, chosen)
            self._opened[key] = self._with_others(surface, stage.altitude)
        return self._opened[key]

    def free(self, labels: Labels) -> ChartedLevel:
        """The surface of a stage for legs that pay nothing on top."""
        is_open = all(surcharge.is_solid for surcharge in self.surcharges(labels.stage.altitude))
        return labels.surface if is_open else self.opened(labels.stage, ())

    def clipped(self, door: Doorway, altitude: float) -> tuple[Any, ...]:
        """What is in the way of a leg in a doorway that pays nothing but the door."""
        stops = self.ground.obstacles(self.form, self.mover.height, altitude)
        is_open = all(surcharge.is_solid for surcharge in self.surcharges(altitude))
        return door.beyond_wall(stops, self.form, None if is_open else self.chart.whole.wired).cells

    def _doors(self, labels: Labels, k: int) -> None:
        altitude, surface = labels.stage.altitude, self.free(labels)
        for door in self.ground.doorways(altitude, self.mover.height):
            far = self.allowance + 1
            if math.dist(door.centre, (self.mover.operative.x, self.mover.operative.y)) > far or k + 2 > self.allowance:
                continue
            row = np.array([*door.centre, *door.along, door.half_width, door.left, door.right])
            lattice.relax_door(
                *(k, self.allowance, self.xs, self.ys, surface.state),
                *(labels.cost, labels.legs, labels.parent, self.form.shape),
                *(surface.cells, self.clipped(door, altitude), row),
                *(self.discs(altitude), self.veto(altitude), self.chart.lat),
            )

    # -- changes of stage ----------------------------------------------------------------------------------------

    def _change_stage(self, number: int, nodes: Ints, k: int) -> None:
        stage = self.labels[number].stage
        if stage.where == "ground":
            self._climb(number, nodes, k)
            self._step(number, nodes, k)
            self._drop(number, nodes, k)  # through an Accessible floor
            if stage.altitude > EPS and self.action.can_drop:
                self._pass(number, nodes, k, Foothold("off", stage.altitude, stage.has_dropped, stage.used_ladder))
        else:
            self._drop(number, nodes, k)
            if stage.where == "over" and self.ground.is_level(stage.altitude):
                at = nodes[self._at(nodes, "stands", stage.altitude)]
                self._pass(number, at, k, Foothold("ground", stage.altitude, stage.has_dropped, stage.used_ladder))

    def _at(self, nodes: Ints, ask: str, *of: float) -> NDArray[Any]:
        """What a chart says about nodes; the start, which is on no node, is asked on a chart of its own."""
        is_start = nodes == self.start
        if not is_start.any():
            return self.chart.mask(ask, *of)[nodes]
        out = self.chart.mask(ask, *of)[np.where(is_start, 0, nodes)]
        out[is_start] = getattr(self.spot, ask)(*of)[0]
        return out

    def _pass(self, number: int, nodes: Ints, cost: int, stage: Foothold, extra: int = 0, down: float = 0.0) -> None:
        """Let nodes of one stage be nodes of another, at a cost; *extra* legs, *down* inches dropped."""
        if cost > self.allowance or not len(nodes):
            return
        target, there = self._labels(stage)
        here = self.labels[number]
        fits = there.surface.state[np.where(nodes == self.start, 0, nodes)] != lattice.BLOCKED
        nodes = nodes[fits | (nodes == self.start)]
        legs = here.legs[nodes] + extra
        better = (cost < there.cost[nodes]) | ((cost == there.cost[nodes]) & (legs < there.legs[nodes]))
        nodes, legs = nodes[better], legs[better]
        there.cost[nodes], there.legs[nodes] = cost, legs
        there.parent[nodes], there.came_from[nodes] = nodes, number
        there.dropped[nodes] = here.dropped[nodes] + down
        there.changed[nodes], there.relaxed[nodes] = True, False
        assert target != number

    def _climb(self, number: int, nodes: Ints, k: int) -> None:
        stage = self.labels[number].stage
        if not self.action.can_climb:
            return
        climb_cost = self.paces.climb_cost
        for altitude in self.chart.whole.altitudes:
            rise = altitude - stage.altitude
            least = climb_cost(rise, True)
            if rise <= BASE_THICKNESS or k + (least if stage.used_ladder else min(1, least)) > self.allowance:
                continue
            low, high = stage.altitude, altitude
            can = nodes[self._at(nodes, "climbs", low, high)]
            if not len(can):
                continue
            grated = self._at(can, "grated", low, high)
            for surcharge, at in ((0, can[~grated]), (1, can[grated])):
                over = Foothold("over", altitude, stage.has_dropped, stage.used_ladder)
                if least < climb_cost(rise, False):
                    scaled = at[self._at(at, "scaled", low, high)]
                    self._pass(number, scaled, k + least + surcharge, over, 1)
                self._pass(number, at, k + climb_cost(rise, False) + surcharge, over, 1)
                if not stage.used_ladder and len(self.ground.of_kind(LADDER).pieces):
                    by = at[self._at(at, "laddered", low, high)]
                    self._pass(number, by, k + 1 + surcharge, Foothold("over", altitude, stage.has_dropped, True), 1)

    def _step(self, number: int, nodes: Ints, k: int) -> None:
        stage = self.labels[number].stage
        for level in self.ground.levels:
            low, high = min(level, stage.altitude), max(level, stage.altitude)
            if high - low < EPS or self.ground.support(high) is None:
                continue
            if not self.chart.mask("steps", low, high).any():
                continue
            there = nodes[self._at(nodes, "steps", low, high) & self._at(nodes, "stands", level)]
            self._pass(number, there, k, Foothold("ground", level, stage.has_dropped, stage.used_ladder), 1)

    def _drop(self, number: int, nodes: Ints, k: int) -> None:
        labels = self.labels[number]
        stage = labels.stage
        if not self.action.can_drop:
            return
        for level in self.ground.levels:
            down = stage.altitude - level
            if down < BASE_THICKNESS or down > self.paces.most_drop + EPS:
                continue
            if k + self.paces.drop_cost(down, 0.0) > self.allowance:
                continue
            high, low = stage.altitude, level
            at = nodes[self._at(nodes, "lands", high, low)]
            if not len(at):
                continue
            grated = self._at(at, "grated", low, high)
            for surcharge, some in ((0, at[~grated]), (1, at[grated])):
                for used in np.unique(labels.dropped[some]):
                    same = some[labels.dropped[some] == used]
                    cost = k + self.paces.drop_cost(down, float(used)) + surcharge
                    self._pass(number, same, cost, Foothold("ground", level, True, stage.used_ladder), 1, down)

    # -- jumps ---------------------------------------------------------------------------------------------------

    @property
    def comes_to_jumps(self) -> bool:
        """Whether it comes anywhere where one could jump from."""
        return any(self._is_for_jumps(labels.stage) for labels in self.labels)

    def _is_for_jumps(self, stage: Foothold) -> bool:
        return stage.where == "ground" and stage.altitude > self.paces.jump_from + EPS

    def _jump(self, labels: Labels, k: int, nodes: Ints) -> None:
        stage = labels.stage
        if not self.action.can_jump or not self._is_for_jumps(stage):
            return
        support = self.ground.support(stage.altitude)
        if support is None:
            return
        brinks = self._brinks(stage.altitude)
        sources = nodes[brinks[np.where(nodes == self.start, 0, nodes)] | (nodes == self.start)]
        if not len(sources):
            return
        floor_of = self._at(sources, "floors", stage.altitude)
        for floor, pieces in support.floors.items():
            on = sources[floor_of == floor]
            if len(on):
                for level in self.ground.levels:
                    self._jump_to(labels, k, on, level, floor, pieces)

    def _brinks(self, level: float) -> Mask:
        """Where jumps are planned from."""
        return self.chart.mask("brinks", level)

    def _jump_to(self, labels: Labels, k: int, sources: Ints, level: float, floor: int, pieces: Array) -> None:
        stage = labels.stage
        down = stage.altitude - level
        lands = abs(down) <= self.paces.landing + EPS
        can_drop = self.action.can_drop and not self.paces.jump_lands and 0 < down <= self.paces.most_drop + EPS
        if not lands and not can_drop:
            return
        drops = not lands
        used = float(labels.dropped[sources].max()) if drops else 0.0
        landing = self.paces.drop_cost(down, used) if drops else 0
        if k + landing + 1 > self.allowance:
            return
        _, there = self._labels(Foothold("ground", level, stage.has_dropped or drops, stage.used_ladder))
        mask = self.chart.mask("lands", stage.altitude, level) if down > EPS else self.chart.mask("stands", level)
        mask = mask & (there.surface.state == lattice.FREE)
        extra = np.full(self.chart.size, landing, np.int32)
        if drops:
            extra += self.chart.mask("grated", level, stage.altitude)
        elif self.paces.jump_lands and down > EPS and self.paces.drop_cost(down, 0.0):
            # right beside the edge that is a drop, and paid for
            beside = self.chart.whole.near(pieces, self.form.inner + SIDEWAYS + EPS)
            extra[self.chart.cut(beside)] = self.paces.drop_cost(down, 0.0)
        landing_field = self.chart.whole.landing_field(stage.altitude, floor, self.paces)
        cells = landing_field.cells if lands else labels.surface.cells
        before = there.cost.copy()
        cost, legs, parent = there.cost, there.legs, there.parent
        lattice.relax_jump(
            *(sources, k, self.allowance, self.xs, self.ys, mask, extra, landing),
            *(cost, legs, parent, labels.legs, self.form.shape, cells, pieces, self.paces.jump_reach + EPS),
            *(self.discs(stage.altitude), self.veto(stage.altitude), self.chart.lat),
        )
        better = np.flatnonzero(cost < before)
        there.came_from[better] = self._number[stage]
        there.dropped[better] = labels.dropped[parent[better]] + (down if drops else 0.0)
        there.changed[better], there.relaxed[better] = True, False

    # -- what was found --------------------------------------------------------------------------------------------

    def path_to(self, number: int, node: int) -> tuple[Waypoint, ...]:
        """The waypoints from the start to a node of a stage."""
        back: list[Waypoint] = []
        while True:
            labels = self.labels[number]
            came, parent = int(labels.came_from[node]), int(labels.parent[node])
            if parent < 0:
                break
            x, y, altitude = float(self.xs[node]), float(self.ys[node]), labels.stage.altitude
            before = self.labels[came].stage.altitude
            back.append(Waypoint(x, y, altitude))
            if parent != node and before != altitude:
                back.append(Waypoint(x, y, before))  # a jump, then its landing
            number, node = came, parent
        at = self.mover.start
        path: list[Waypoint] = []
        for point in reversed(back):
            before_it = path[-1] if path else Waypoint(at.x, at.y, at.level)
            if point != before_it:
                path.append(point)
        return tuple(path)

    def grounds(self, level: float) -> Iterator[tuple[int, Labels]]:
        """The stages on a level."""
        for number, labels in enumerate(self.labels):
            if labels.stage.where == "ground" and abs(labels.stage.altitude - level) < 1e-3:
                yield number, labels

    def costs(self, level: float) -> Ints:
        """The least cost of every node of a level, whether or not a move may end there."""
        found = [labels.cost[: self.chart.size] for _, labels in self.grounds(level)]
        return np.min(found, axis=0) if found else np.full(self.chart.size, UNREACHED, np.int32)


def _with_start(state: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.append(state, np.uint8(lattice.FREE))
