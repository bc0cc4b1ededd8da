"""Random tables, and a search without short cuts: every leg between any two nodes of the lattice, tested exactly.

It shares the stages, the charts and the rules' costs with the planner, and none of its pruning: no floods, no borders,
no distances at nodes, jumps from everywhere. Whatever it finds is legal, so the planner must not be dearer.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
from tables import FIGURE, part, scene

from ktsim.geometry.kernels import kernel, lattice, sweeps
from ktsim.geometry.kernels.bands import BUNCH, boxes_of
from ktsim.geometry.kernels.legs import leg_is_free
from ktsim.rules.moving.chart import Mask
from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.plan import Ints, Labels, MovePlan
from ktsim.rules.moving.shadow import Shadow
from ktsim.rules.moving.standing import can_stand
from ktsim.rules.moving.surcharges import Surcharge
from ktsim.rules.moving.walk import Walker
from ktsim.sight.scene import Base, Operative, Part, Scene


@kernel
def surcharges_of(p, q, xs, ys, shape, inches, inside, fields):
    """What a leg from node p to node q pays on top: each surcharge whose edges it meets, or in which one of them is."""
    paid = 0
    matrix, r, _, _ = shape
    for t in range(inches.shape[0]):
        is_met = inside[t, p] or inside[t, q]
        if not is_met:
            ax = matrix[0, 0] * xs[p] + matrix[0, 1] * ys[p]
            ay = matrix[1, 0] * xs[p] + matrix[1, 1] * ys[p]
            bx = matrix[0, 0] * xs[q] + matrix[0, 1] * ys[q]
            by = matrix[1, 0] * xs[q] + matrix[1, 1] * ys[q]
            edges, start, items, gx, gy, gnx, gny, cell = fields[t]
            is_met = sweeps.met(ax, ay, bx, by, r, True, edges, start, items, gx, gy, gnx, gny, cell) >= 0
        if is_met:
            paid += inches[t]
    return paid


@kernel
def every_leg(
    k,
    most,
    xs,
    ys,
    state,
    cost,
    legs,
    parent,
    shape,
    cells,
    near,
    reach,
    pieces,
    discs,
    veto,
    inches,
    inside,
    fields,
    lat,
):
    boxes = boxes_of(pieces, BUNCH)
    for p in range(cost.shape[0]):
        if cost[p] != k:
            continue
        for q in range(state.shape[0]):
            if state[q] != lattice.FREE or cost[q] <= k + 1:
                continue
            dx = xs[q] - xs[p]
            dy = ys[q] - ys[p]
            if abs(dx) > most - k or abs(dy) > most - k:
                continue
            n = max(1, math.ceil(math.sqrt(dx * dx + dy * dy) - 1e-6))
            if k + n > most or k + n >= cost[q]:
                continue
            n += surcharges_of(p, q, xs, ys, shape, inches, inside, fields)
            if k + n > most or k + n >= cost[q]:
                continue
            if leg_is_free(xs[p], ys[p], xs[q], ys[q], shape, cells, near, reach, pieces, boxes, discs, veto, lat):
                cost[q] = k + n
                legs[q] = legs[p] + 1
                parent[q] = p


class BrutePlan(MovePlan):
    """The plan with nothing left out."""

    def _relax(self, labels: Labels, k: int) -> None:
        if k >= self.allowance or not (labels.cost == k).any():
            return
        altitude, before = labels.stage.altitude, labels.cost.copy()
        surcharges = self.surcharges(altitude)
        surface = self.opened(labels.stage, tuple(range(len(surcharges)))) if surcharges else labels.surface
        self._jump(labels, k, np.flatnonzero(labels.cost == k).astype(np.int32))
        near = np.zeros(len(surface.near))
        if len(near):  # nothing is sure: every leg is tested whole
            near += surface.reach
        every_leg(
            *(k, self.allowance, self.xs, self.ys, surface.state, labels.cost, labels.legs, labels.parent),
            *(self.form.shape, (*surface.cells[:8], np.empty(0)), near, surface.reach, surface.pieces),
            *(self.discs(altitude), self.veto(altitude), *self._toll_fields(surcharges), self.chart.lat),
        )
        if labels.stage.where == "ground":
            self._doors(labels, k)
        better = np.flatnonzero(labels.cost < before)
        labels.came_from[better] = self._number[labels.stage]
        labels.dropped[better] = labels.dropped[labels.parent[better]]
        labels.changed[better] = True

    def _toll_fields(self, surcharges: tuple[Surcharge, ...]) -> tuple[Ints, Mask, tuple[Any, ...]]:
        inches = np.array([surcharge.inches for surcharge in surcharges], np.int32)
        inside = np.zeros((len(surcharges), self.chart.size + 1), np.bool_)
        for number, surcharge in enumerate(surcharges):
            inside[number] = [surcharge.is_met(self.form, at, at) for at in zip(self.xs, self.ys, strict=True)]
        fields = tuple(surcharge.shadow.field(self.form).grid for surcharge in surcharges)
        return inches, inside, fields or (Shadow.of([]).field(self.form).grid,)

    def _brinks(self, level: float) -> Mask:
        return self.chart.mask("stands", level)


def random_table(seed: int) -> Scene:
    """A crowded corner of a board: walls, doors, low barriers, platforms to jump between, a ladder, both teams."""
    rng = random.Random(seed)
    parts: list[Part] = []
    x, y = rng.uniform(6, 8), rng.uniform(6, 8)
    gap, high = rng.uniform(0.5, 4.2), rng.choice([3.0, 2.85, 3.5])
    parts.append(
        part("deck 1", "floor", (x, y, 0 if rng.random() < 0.5 else 2.8), (x + 3, y + 2.5, 3), "vantage", "heavy")
    )
    parts.append(part("deck 2", "floor", (x + 3 + gap, y, 0), (x + 6 + gap, y + 3, high), "vantage", "heavy"))
    if rng.random() < 0.4:
        parts.append(part("deck 1", "rampart", (x, y, 3), (x + 0.2, y + 2.5, 3.7), "light"))
    wall = y - rng.uniform(1.5, 2.5)
    left, width = x + rng.uniform(0.5, 3), rng.uniform(1.0, 1.6)
    top = rng.choice([2.0, 3.0, 5.0])
    parts.append(part("hut", "west", (x - 3, wall, 0), (left, wall + 0.25, top), "heavy"))
    parts.append(part("hut", "east", (left + width, wall, 0), (x + 7, wall + 0.25, top), "heavy"))
    parts.append(
        part("hut", "door", (left, wall, 0), (left + width, wall + 0.25, 2), "accessible", "heavy", kind="door")
    )
    for number in range(4):
        bx, by = rng.uniform(x - 3, x + 8), rng.uniform(wall - 3, y + 6)
        low = (bx, by, 0)
        size = (bx + rng.uniform(0.3, 2), by + rng.uniform(0.3, 1.5), rng.choice([0.9, 1.0, 1.5, 4.0]))
        parts.append(part(f"box {number}", "box", low, size, "light"))
    if rng.random() < 0.5:
        at = y + rng.uniform(0.3, 1.5)
        parts.append(part("ladder", "ladder", (x - 0.12, at, 0), (x, at + 0.8, 3), "exposed", kind="ladder"))
    if rng.random() < 0.3:
        at = x + rng.uniform(-2, 4)
        parts.append(part("wire", "coil", (at, wall - 2, 0), (at + 0.15, wall - 0.7, 0.4), "exposed", kind="wire"))
    base = Base.of_mm(rng.choice([25, 32, 40]))
    table = scene(*parts, at=(1, 1, 0), base=base)
    ground = ground_of(table)
    placed: list[Operative] = []
    for number in range(6):
        for _ in range(400):
            level = rng.choice(ground.levels)
            team = "red" if number in (0, 3, 4) else "blue"
            one = Operative(
                "a" if number == 0 else f"{team}-{number}",
                team,
                rng.uniform(x - 3, x + 8),
                rng.uniform(wall - 3, y + 6),
                level,
                base if number == 0 else Base.of_mm(32),
                FIGURE,
            )
            there = Scene(table.terrain, tuple(placed))
            if can_stand(ground, Walker(one, there), one.x, one.y, one.level) is None:
                placed.append(one)
                break
    return Scene(table.terrain, tuple(placed))


def differences(found: MovePlan, brute: MovePlan, ends: Mask, level: float) -> tuple[Ints, Ints]:
    """The costs of both at the nodes of a level where the move may end and either of them comes."""
    ours, theirs = found.costs(level), brute.costs(level)
    chosen = ends & ((ours <= found.allowance) | (theirs <= found.allowance))
    return ours[chosen], theirs[chosen]
