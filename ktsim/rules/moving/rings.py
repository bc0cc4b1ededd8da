"""Other operatives as a plan sees them: discs to keep out of, and where enemies control the nodes of a
chart; and the part of a chart that one move can come to."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ktsim.rules.moving.chart import PITCH, Chart
from ktsim.rules.moving.charted import ChartedLevel
from ktsim.rules.moving.contact import Contacts
from ktsim.rules.moving.form import Array
from ktsim.rules.moving.paces import Paces
from ktsim.rules.moving.patches import Lattice, Mask, around
from ktsim.rules.moving.walk import MoveAction, Waypoint, height_of
from ktsim.sight.control import CONTROL_RANGE, in_control_range
from ktsim.sight.pads import PadVisitor
from ktsim.sight.scene import EPS, Figure, Operative, Scene

COARSE = 2
"""Sight inside an enemy's inch is asked at every so many nodes, and at those between where the answers differ."""


class Rings:
    """What the other operatives near a move do to it."""

    def __init__(self, chart: Window, contacts: Contacts, action: MoveAction, reach: float) -> None:
        self.chart, self.contacts, self.action, self.reach = chart, contacts, action, reach
        mover = contacts.mover.operative
        self.near = [o for o in contacts.mover.others if math.hypot(o.x - mover.x, o.y - mover.y) <= reach + 4.0]
        self.enemies = [o for o in self.near if o.team != mover.team]
        self._shares: dict[tuple[str, float], Mask | None] = {}

    def ring_radius(self, enemy: Operative, altitude: float) -> float:
        """How near the centres are when the bases are an inch apart; 0 when the heights alone are further, or the move
        cannot come that near."""
        rise = abs(altitude - enemy.level)
        if rise > CONTROL_RANGE:
            return 0.0
        flat = math.sqrt(CONTROL_RANGE**2 - rise * rise)
        radius = self.chart.form.outer + max(enemy.base.along, enemy.base.across) + flat + 2 * EPS
        mover = self.contacts.mover.operative
        return radius if math.hypot(enemy.x - mover.x, enemy.y - mover.y) <= self.reach + radius else 0.0

    def discs(self, altitude: float) -> Array:
        """For kernels.lattice: bases and rings at an altitude."""
        rows = []
        for other in self.near:
            if other.team == self.contacts.mover.operative.team and self.action.edition == "kt24":
                continue
            if other.level < altitude + self.contacts.mover.height and altitude < other.level + height_of(other):
                apart = self.chart.form.outer + max(other.base.along, other.base.across) - 2 * EPS
                rows.append((other.x, other.y, apart, 0.0))
        if not self.action.passes_control:
            for enemy in self.enemies:
                radius = self.ring_radius(enemy, altitude)
                if radius == 0.0 or self._is_open(enemy):
                    continue
                if self.action.ends_in_control:
                    if self.action.edition == "kt24":
                        rows.append((enemy.x, enemy.y, radius, 1.0))
                elif self.controlled(enemy, altitude) is None:
                    rows.append((enemy.x, enemy.y, radius, 0.0))
        return np.array(rows, dtype=np.float64).reshape(-1, 4)

    def _is_open(self, enemy: Operative) -> bool:
        """May the ring be passed because a friend is engaged there?"""
        return self.action.edition == "kt24" and self.contacts.is_engaged(enemy)

    def veto(self, altitude: float) -> Mask:
        """Nodes in rings that terrain cuts short, where a move that keeps out of them cannot be. Empty: none."""
        out = np.zeros(0, np.bool_)
        if self.action.passes_control or self.action.ends_in_control:
            return out
        for enemy in self.enemies:
            if self._is_open(enemy):
                continue
            found = self.controlled(enemy, altitude) if self.ring_radius(enemy, altitude) > 0.0 else None
            for mask in (found, *self._at_pads(enemy, altitude)):
                if mask is not None:
                    out = mask.copy() if not len(out) else out | mask
        return out

    def _at_pads(self, enemy: Operative, altitude: float) -> Iterator[Mask]:
        """KZ-TOMB-PAD: nodes at which the mover touches a pad that the enemy stands on, or stands on one it touches."""
        mover, xs, ys = self.contacts.mover.operative, self.chart.xs, self.chart.ys
        for pad in self.contacts.pads:
            here = PadVisitor.of(enemy)
            if not here.touches(pad) or not pad.part.bottom - EPS <= altitude <= pad.level + EPS:
                continue
            reach = EPS if here.is_on(pad) else -mover.base.along  # touching it, or with the middle over it
            left, near, right, far = pad.box
            about = (xs > left - 3) & (xs < right + 3) & (ys > near - 3) & (ys < far + 3)
            found = np.zeros(self.chart.size, np.bool_)
            found[about] = pad.gap(mover.base, xs[about], ys[about], self.chart.form.turn) <= reach
            yield found

    def controlled(self, enemy: Operative, altitude: float) -> Mask | None:
        """Nodes in the enemy's control range; None when the ring is whole, no terrain being near enough to cut it."""
        key = (enemy.id, round(altitude, 4))
        if key not in self._shares:
            self._shares[key] = self._seen_share(enemy, altitude) if self._is_cut(enemy, altitude) else None
        return self._shares[key]

    def in_ring(self, enemy: Operative, altitude: float) -> Mask:
        """Nodes in the enemy's control range, whole or cut."""
        out = np.zeros(self.chart.size, np.bool_)
        if self.ring_radius(enemy, altitude) > 0.0:
            found = self.controlled(enemy, altitude)
            out = _disc(self.chart, enemy, self.ring_radius(enemy, altitude)) if found is None else found
        for mask in self._at_pads(enemy, altitude):
            out = out | mask
        return np.asarray(out)

    def _is_cut(self, enemy: Operative, altitude: float) -> bool:
        radius = self.ring_radius(enemy, altitude)
        if not self.chart.ground.is_level(altitude) or radius == 0.0:
            return False
        low, high = min(altitude, enemy.level), max(altitude, enemy.level) + 1.0
        for part in self.chart.ground.parts:
            if part.top < low + 0.2 or part.low > high:
                continue
            x = min(max(enemy.x, part.box[0]), part.box[2])
            y = min(max(enemy.y, part.box[1]), part.box[3])
            if math.hypot(x - enemy.x, y - enemy.y) < radius:
                return True
        return False

    def _seen_share(self, enemy: Operative, altitude: float) -> Mask:
        """Ask sight at nodes of the ring, with nobody else on the table."""
        mover = self.contacts.mover
        key = (
            "ring",
            enemy.x,
            enemy.y,
            enemy.level,
            enemy.turn,
            enemy.base,
            id(enemy.figure),
            mover.operative.base,
            self.chart.form.turn,
            id(mover.operative.figure),
            round(altitude, 4),
        )

        def build() -> tuple[Mask, Figure, Figure]:
            whole = self.chart.whole
            _, _, _, nx, ny = whole.lat
            disc = _disc(whole, enemy, self.ring_radius(enemy, altitude)).reshape(nx, ny)
            fit = (whole.walked(altitude).state != 0).reshape(nx, ny)
            alone = replace(mover.scene, operatives=(enemy,), smoke=())
            out = asked_between(disc, fit, lambda i, j: self._controls(alone, enemy, i * PITCH, j * PITCH, altitude))
            return out.ravel(), enemy.figure, mover.operative.figure  # keeps the figures' ids theirs

        return self.chart.cut(self.chart.ground.keep(key, build)[0])

    def _controls(self, alone: Scene, enemy: Operative, x: float, y: float, level: float) -> bool:
        mover = self.contacts.mover.operative
        there = replace(mover, x=float(x), y=float(y), level=level, turn=self.chart.form.turn)
        if self.contacts.gap(enemy, Waypoint(there.x, there.y, level, there.turn)) > CONTROL_RANGE + EPS:
            return False
        return in_control_range(replace(alone, operatives=(enemy, there)), mover.id, enemy.id)

    def ends(self, level: float) -> Mask:
        """Nodes at which the other operatives let the move end."""
        out = np.ones(self.chart.size, np.bool_)
        for other in self.near:
            if other.level < level + self.contacts.mover.height and level < other.level + height_of(other):
                apart = self.chart.form.outer + max(other.base.along, other.base.across) - 2 * EPS
                out &= ~_disc(self.chart, other, apart)
        ground = self.chart.ground
        for number, floor in ground.top_floors.items():
            friends = self.contacts.mover.friends if abs(floor.level - level) < EPS else ()
            if any(f.level == level and ground.stands_on(f.x, f.y, f.level) == number for f in friends):
                out &= ~self.chart.mask("over_part", number, level)
        reached = np.zeros(self.chart.size, np.bool_)
        for number, pad in ground.pads.items():
            if any(PadVisitor.of(other).is_on(pad) for other in self.contacts.mover.others) and pad.is_level(level):
                out &= ~self.chart.mask("over_part", number, level)
        for enemy in self.enemies:
            reached |= self.in_ring(enemy, level)
        return np.asarray(out & (reached if self.action.ends_in_control else ~reached))


def _disc(chart: Chart | Window, about: Operative, radius: float) -> Mask:
    """Nodes nearer than *radius* to an operative's centre."""
    return np.asarray((chart.xs - about.x) ** 2 + (chart.ys - about.y) ** 2 < radius * radius)


def asked_between(disc: Mask, fit: Mask, ask: Callable[[int, int], bool]) -> Mask:
    """Of the nodes in a disc those for which *ask* says yes: asked at some of them, at all where those about a node
    differ. Only the *fit* ones matter."""
    wanted = disc & around(fit)
    yes, some = np.zeros_like(disc), np.zeros_like(disc)
    some[::COARSE, ::COARSE] = True
    for i, j in np.argwhere(wanted & some):
        yes[i, j] = ask(i, j)
    # a node between asked ones is as they are when all that are near agree; on the rim too few are asked to tell
    rim = around(~disc)
    is_yes, is_no = around(around(yes)), around(around(wanted & some & ~yes))
    border = disc & fit & ~some & (rim | (is_yes == is_no))
    out = yes | (wanted & ~some & is_yes & ~is_no)
    for i, j in np.argwhere(border):
        out[i, j] = ask(i, j)
    return np.asarray(out)


class Window:
    """The part of a chart that a move from a place can come to, with nodes numbered within it.

    It answers what the chart answers, for its own nodes.
    """

    def __init__(self, chart: Chart, x: float, y: float, reach: float) -> None:
        _, _, _, nx, ny = chart.lat
        low = [max(0, math.ceil((at - reach) / PITCH - EPS)) for at in (x, y)]
        high = [min(n, math.floor((at + reach) / PITCH + EPS) + 1) for at, n in zip((x, y), (nx, ny), strict=True)]
        # The kernels interpolate between nodes, so a window has two of them at least, however small the reach.
        low = [min(a, n - 2) for a, n in zip(low, (nx, ny), strict=True)]
        high = [max(b, a + 2) for a, b in zip(low, high, strict=True)]
        self.whole, self.ground, self.form = chart, chart.ground, chart.form
        self._about = (x, y, reach)
        self._slices = tuple(slice(a, b) for a, b in zip(low, high, strict=True))
        self.lat: Lattice = (low[0] * PITCH, low[1] * PITCH, PITCH, high[0] - low[0], high[1] - low[1])
        self.xs, self.ys = self.cut(chart.xs), self.cut(chart.ys)
        self.size = len(self.xs)
        self._kept: dict[tuple[object, ...], Any] = {}

    def cut(self, values: NDArray[Any]) -> NDArray[Any]:
        """Of values of the chart's nodes, those of the window's."""
        _, _, _, nx, ny = self.whole.lat
        return np.ascontiguousarray(values.reshape(nx, ny)[self._slices]).ravel()

    def spread(self, values: NDArray[Any], elsewhere: int) -> NDArray[Any]:
        """Values of the window's nodes as an array (nx, ny) of the whole chart."""
        _, _, _, nx, ny = self.whole.lat
        out = np.full((nx, ny), elsewhere, values.dtype)
        out[self._slices] = values.reshape(self.lat[3:])
        return out

    def mask(self, name: str, *of: float) -> Mask:
        """What the chart's method *name* says about the window's nodes."""
        key = (name, *of)
        if key not in self._kept:
            self._kept[key] = self.cut(getattr(self.whole, name)(*of))
        return cast("Mask", self._kept[key])

    def surface(self, name: str, altitude: float) -> ChartedLevel:
        """The chart's surface of that name, for the window's nodes."""
        return self._cut_surface(getattr(self.whole, name)(altitude))

    def opened(self, name: str, altitude: float, paces: Paces, chosen: tuple[int, ...]) -> ChartedLevel:
        """The chart's surface with those surcharges opened, for the window's nodes."""
        return self._cut_surface(self.whole.opened(name, altitude, paces, chosen))

    def _cut_surface(self, whole: ChartedLevel) -> ChartedLevel:
        *grid, clear = whole.cells
        near = self.cut(whole.near) if len(whole.near) else whole.near
        x, y, reach = self._about
        pieces = whole.pieces_near(x, y, reach + whole.reach)
        return ChartedLevel(self.cut(whole.state), (*grid, self.cut(clear)), near, whole.reach, pieces)
