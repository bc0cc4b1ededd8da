"""Ways and what is in reach of a move, as values to draw and as marks over the table.

Everything is read off the planner's routes and maps; nothing here decides.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from ktsim.app.stage.overlays import RGBA, TEAL, Label, Measure, Overlay, Paint, Ring, faded
from ktsim.rules.engine.state import Point
from ktsim.sight.scene import Base

if TYPE_CHECKING:
    from ktsim.rules.moving.reach import MoveReach
    from ktsim.rules.moving.walk import Increment

LOW = 0.035
"""Inches above its level at which something flat is painted."""
CELL = 0.25
"""Inches from one place of a map to the next."""
BESIDE = 0.4
"""Inches from the nearest place to somebody within which another is as good."""
LEG_ICONS = {"climb": "pick-up", "drop": "put-down", "jump": "dash", "land": "put-down", "teleport": "ring"}
"""Of what is not just walking."""


Stand = tuple[float, float, float]


@dataclass(frozen=True)
class RouteLeg:
    """One increment of a route: what it is, from where to where, measured and paid inches, and why."""

    kind: str
    start: Point
    end: Point
    measured: float
    paid: int
    note: str = ""


def legs_of(increments: Iterable[Increment]) -> tuple[RouteLeg, ...]:
    """A way's increments, ready to be drawn."""
    # Imported here: moving compiles kernels, which a game on a plain table does not need.
    from ktsim.rules.moving.mover import point_of

    return tuple(
        RouteLeg(leg.kind, point_of(leg.start), point_of(leg.end), leg.raw, leg.cost, ", ".join(leg.notes))
        for leg in increments
    )


@dataclass(frozen=True)
class Reachable:
    """Cells of the board that can be reached: (left, near, right, far, level, cost) in inches, rows merged."""

    cells: tuple[tuple[float, float, float, float, float, int], ...]

    def cost_at(self, point: Point) -> int | None:
        """What it costs to end near a place; None where the move cannot end."""
        x, y, level = (value / 1000 for value in point)
        for left, near, right, far, height, cost in self.cells:
            if left <= x <= right and near <= y <= far and abs(level - height) < CELL:
                return cost
        return None

    def places(self) -> Iterator[tuple[int, int, int]]:
        """Every cell by its column and row, counted in cells from the corner of the board, and its level in thousandths
        of an inch."""
        for left, near, right, far, level, _ in self.cells:
            row, half = round((near + far) / 2 / CELL), CELL / 2
            for column in range(round((left + half) / CELL), round((right - half) / CELL) + 1):
                yield column, row, round(level * 1000)

    def is_beyond(self, point: Point, by: float) -> bool:
        """Whether no place of the map is within *by* inches of a point, levels aside."""
        x, y = point[0] / 1000, point[1] / 1000
        return not any(
            max(left - x, x - right, 0.0) <= by and max(near - y, y - far, 0.0) <= by
            for left, near, right, far, _, _ in self.cells
        )

    def beside(self, at: Stand, start: Stand) -> Point | None:
        """The place of the map where a Charge from *start* comes beside somebody *at* a place: about as near as the map
        allows, of those the cheapest and then the first on the way, not one behind it."""
        x, y, level = at
        near: list[tuple[float, int, float, Point]] = []
        for left, low, right, high, height, cost in self.cells:
            py = (low + high) / 2
            for i in range(round((right - left) / CELL)):
                px = left + CELL * (i + 0.5)
                gap = math.hypot(px - x, py - y) + abs(height - level)
                point = (round(px * 1000), round(py * 1000), round(height * 1000))
                near.append((gap, cost, math.hypot(px - start[0], py - start[1]), point))
        if not near:
            return None
        closest = min(near)[0]
        return min((cost, far, point) for gap, cost, far, point in near if gap <= closest + BESIDE)[2]


def reachable_by(reach: MoveReach) -> Reachable:
    """Everywhere a move can end."""
    rows: dict[tuple[float, int, int], list[int]] = {}
    for place, cost in reach.places():
        rows.setdefault((place.level, round(place.y / CELL), cost), []).append(round(place.x / CELL))
    cells = []
    for (level, row, cost), columns in sorted(rows.items()):
        for first, last in _runs(sorted(columns)):
            half = CELL / 2
            low, high = row * CELL - half, row * CELL + half
            cells.append((first * CELL - half, low, last * CELL + half, high, level, cost))
    return Reachable(tuple(cells))


def _runs(numbers: list[int]) -> list[tuple[int, int]]:
    """Runs of whole numbers that follow each other, as (first, last)."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def ribbon(a: Point, b: Point, width: float, colour: RGBA, lift: float = LOW) -> Paint:
    """A flat bar between two places of one level."""
    ax, ay, bx, by = a[0] / 1000, a[1] / 1000, b[0] / 1000, b[1] / 1000
    length = math.hypot(bx - ax, by - ay) or 1.0
    sx, sy = -(by - ay) / length * width / 2, (bx - ax) / length * width / 2
    corners = ((ax + sx, ay + sy), (bx + sx, by + sy), (bx - sx, by - sy), (ax - sx, ay - sy))
    return Paint(corners, a[2] / 1000 + lift, colour)


def disc(x: float, y: float, level: float, radius: float, colour: RGBA) -> Paint:
    count = 28
    rim = tuple(
        (x + radius * math.cos(2 * math.pi * i / count), y + radius * math.sin(2 * math.pi * i / count))
        for i in range(count)
    )
    return Paint(rim, level + LOW, colour)


def reach_marks(reach: Reachable) -> list[Overlay]:
    """The map of what is in reach, in bands of an inch."""
    items: list[Overlay] = []
    for left, near, right, far, level, cost in reach.cells:
        colour = faded(TEAL, 46 if cost % 2 else 74)
        items.append(Paint(((left, near), (right, near), (right, far), (left, far)), level + 0.02, colour))
    return items


def leg_marks(legs: Sequence[RouteLeg]) -> list[Overlay]:
    """A ribbon for each leg of a way, uprights for climbs and drops, and what each leg costs."""
    items: list[Overlay] = []
    for number, leg in enumerate(legs, 1):
        (ax, ay, az), (bx, by, bz) = leg.start, leg.end
        start, end = (ax / 1000, ay / 1000, az / 1000), (bx / 1000, by / 1000, bz / 1000)
        if leg.kind == "teleport":
            items += teleport_marks(leg.start, leg.end, f"{number}  teleport")
            continue
        if (ax, ay) != (bx, by):
            items.append(ribbon(leg.start, leg.end, 0.16, TEAL, 0.05))
        if az != bz:
            items.append(Measure(start, end))
        middle = ((ax + bx) / 2000, (ay + by) / 2000, (az + bz) / 2000)
        paid = f' → {leg.paid}"' if leg.paid or leg.kind != "move" else ""
        kind = "" if leg.kind == "move" else f"{leg.kind} "
        items.append(Label(middle, f'{number}  {kind}{leg.measured:.2f}"{paid}', "target", along=(start, end)))
    return items


def teleport_marks(start: Point, end: Point, text: str) -> list[Overlay]:
    """From one pad to the other: a ring about either end, and dashes between, since nobody walks there."""
    rings: list[Overlay] = [
        Ring(x / 1000, y / 1000, level / 1000, Base(0.7, 0.7), 0.0, 0.05, colour=TEAL, width=0.1)
        for x, y, level in (start, end)
    ]
    count = max(1, round(math.dist(start, end) / 400)) | 1  # odd, so that it begins and ends with a dash
    ends = [
        (
            round(start[0] + (end[0] - start[0]) * i / count),
            round(start[1] + (end[1] - start[1]) * i / count),
            start[2],
        )
        for i in range(count + 1)
    ]
    dashes = [ribbon(a, b, 0.1, faded(TEAL, 170), 0.05) for a, b in list(pairwise(ends))[::2]]
    x, y, level = (value / 1000 for value in end)
    return [*rings, *dashes, Label((x, y, level + 1.9), text, "target")]
