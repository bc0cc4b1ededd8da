"""Wall terrain from centre lines: walls, hatchways and breach points, and what those are in each of their states.

A hatchway's line runs start -> end; *left* and *right* are as seen by someone walking along it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from types import MappingProxyType

import numpy as np

from ktsim.errors import Problem, UserError
from ktsim.geometry.solids import box, prism
from ktsim.sight.scene import Feature, Part, Triangles, WallLine

ACCESS_HEIGHT = 2.2
"""How high an access point is, unless its wall is lower."""

LEAF_WIDTH, LEAF_HEIGHT, LEAF_THICKNESS, LEAF_FOOT = 1.5, 2.0, 0.15, 0.15
"""The hatch; its lower edge is LEAF_FOOT above the floor."""

OVERLAP = 0.2
"""How far walls set end to end reach into each other, in inches."""

SAME_NODE = 1e-6
"""Ends of lines nearer than this, in inches, meet."""

SOLID = frozenset({"heavy", "wall"})
OPENED = frozenset({"accessible", "insignificant", "exposed"})
GAP = frozenset({"blocking"})


def wall_problem(line: WallLine) -> str | None:
    """Why *line* cannot be a wall, as a sentence; None when it can."""
    length = math.dist(line.start, line.end)
    if length < 1e-3:
        return f"the wall '{line.id}' starts and ends at the same point; give its line two different ends"
    if line.access_width is not None and line.access_width > length + SAME_NODE:
        word = "breach point" if line.hatchway is None else "hatchway"
        return (
            f"the {word} '{line.id}' is {line.access_width:g}\" wide and its line only {length:g}\" long; "
            f"make the line longer or the {word} narrower"
        )
    return None


def wall_features(lines: Sequence[WallLine]) -> tuple[Feature, ...]:
    """One feature per line. Lines must pass :func:`wall_problem`."""
    problems = [Problem(f"wall {line.id}", text) for line in lines if (text := wall_problem(line)) is not None]
    if problems:
        raise UserError(problems)
    return tuple(_feature(line, _reach(line, lines)) for line in lines)


@dataclass(frozen=True)
class _Frame:
    """Coordinates of one wall: *along* from its start, *across* to the left of its line, and height."""

    line: WallLine

    def box(self, along: tuple[float, float], across: tuple[float, float], z: tuple[float, float]) -> Triangles:
        return self.placed(box((along[0], across[0], z[0]), (along[1], across[1], z[1])))

    def posts(self) -> list[float]:
        """How far along the line the middles of its pillars are."""
        (x0, y0), (x1, y1) = self.line.start, self.line.end
        length = math.hypot(x1 - x0, y1 - y0)
        return [((x - x0) * (x1 - x0) + (y - y0) * (y1 - y0)) / length for x, y in self.line.posts]

    def placed(self, local: Triangles) -> Triangles:
        """Triangles in these coordinates where they stand on the board."""
        (x0, y0), (x1, y1) = self.line.start, self.line.end
        length = math.hypot(x1 - x0, y1 - y0)
        dx, dy = (x1 - x0) / length, (y1 - y0) / length
        turned = np.empty_like(local)
        turned[..., 0] = x0 + local[..., 0] * dx - local[..., 1] * dy
        turned[..., 1] = y0 + local[..., 0] * dy + local[..., 1] * dx
        turned[..., 2] = local[..., 2]
        return turned


def _feature(line: WallLine, reach: tuple[float, float]) -> Feature:
    frame = _Frame(line)
    length = math.dist(line.start, line.end)
    half = line.thickness / 2
    wide = [line.post / 2 * sign + at for at in frame.posts() for sign in (-1, 1)]
    first, last = min(-reach[0], *wide, 0.0), max(length + reach[1], *wide, 0.0)
    thick = (-half, half)
    if line.access_width is None:
        wall = _wall(frame, first, last, (0, line.height))
        return Feature(line.id, (Part(line.id, "wall", SOLID, wall, "wall"),), kind="wall")

    left, right = (length - line.access_width) / 2, (length + line.access_width) / 2
    top = min(ACCESS_HEIGHT, line.height)
    pieces = []
    if left - first > SAME_NODE:
        pieces.append(_wall(frame, first, left, (0, line.height)))
    if last - right > SAME_NODE:
        pieces.append(_wall(frame, right, last, (0, line.height)))
    if line.height > top + SAME_NODE:
        pieces.append(frame.box((left, right), thick, (top, line.height)))
    always = (Part(line.id, "wall", SOLID, np.concatenate(pieces), "wall"),) if pieces else ()
    access = frame.box((left, right), thick, (0, top))
    if line.hatchway is None:
        return Feature(line.id, always, MappingProxyType(_breach_point(line, access)), "closed", "wall")
    shut = (
        Part(line.id, "access", SOLID, access, "access"),
        Part(line.id, "hatch", SOLID, _closed_leaf(frame, left, right, top), "hatch"),
    )
    leaf, gap = _open_leaf(frame, left, right, top)
    opened = (
        Part(line.id, "access", OPENED, access, "access"),
        Part(line.id, "hatch", SOLID, leaf, "hatch"),
        Part(line.id, "gap", GAP, gap, "gap"),
    )
    return Feature(line.id, always, MappingProxyType({"closed": shut, "open": opened}), "closed", "wall")


def _breach_point(line: WallLine, access: Triangles) -> dict[str, tuple[Part, ...]]:
    """KZ-TOMB-BREACH-POINT: the breach wall fills the access point, and is off the table once it is open."""
    shut = (
        Part(line.id, "access", SOLID, access, "access"),
        Part(line.id, "breach wall", SOLID, access, "breach wall"),
    )
    return {"closed": shut, "open": (Part(line.id, "access", OPENED, access, "access"),)}


def _wall(frame: _Frame, first: float, last: float, z: tuple[float, float]) -> Triangles:
    """A stretch of a wall with the pillars on it, as one solid."""
    line = frame.line
    thin, wide = line.thickness / 2, line.post / 2
    pillars = [(max(first, at - wide), min(last, at + wide)) for at in frame.posts() if first <= at <= last]
    stops = sorted({first, last, *(stop for pillar in pillars for stop in pillar)})
    left = []
    for start, end in pairwise(stops):
        half = wide if any(a <= start and end <= b for a, b in pillars) else thin
        left += [(start, half), (end, half)]
    return frame.placed(prism([*((along, -across) for along, across in left), *reversed(left)], *z))


def _leaf_heights(top: float) -> tuple[float, float]:
    foot = min(LEAF_FOOT, top / 4)
    return foot, min(foot + LEAF_HEIGHT, top)


def _closed_leaf(frame: _Frame, left: float, right: float, top: float) -> Triangles:
    middle, half = (left + right) / 2, min(LEAF_WIDTH, right - left) / 2
    thick = min(LEAF_THICKNESS, frame.line.thickness) / 2
    return frame.box((middle - half, middle + half), (-thick, thick), _leaf_heights(top))


def _open_leaf(frame: _Frame, left: float, right: float, top: float) -> tuple[Triangles, Triangles]:
    """The swung leaf and the gap right underneath it. It stands beside the opening and does not narrow it."""
    hatchway = frame.line.hatchway
    assert hatchway is not None
    along = (left - LEAF_THICKNESS, left) if hatchway.hinge == "start" else (right, right + LEAF_THICKNESS)
    face = frame.line.thickness / 2
    side = 1 if hatchway.swing == "left" else -1
    across = (side * face, side * (face + min(LEAF_WIDTH, right - left)))
    foot, head = _leaf_heights(top)
    return frame.box(along, across, (foot, head)), frame.box(along, across, (0, foot))


def _reach(line: WallLine, lines: Sequence[WallLine]) -> tuple[float, float]:
    """How far the wall goes beyond its two ends, so that a corner of two lines is filled and walls set end to end
    overlap, without ever reaching into a hatchway."""
    return _extension(line, line.start, lines), _extension(line, line.end, lines)


def _extension(line: WallLine, node: tuple[float, float], lines: Sequence[WallLine]) -> float:
    own = _direction(line, node)
    reach = 0.0
    for other in lines:
        if other is line:
            continue
        for end in (other.start, other.end):
            if math.dist(end, node) > SAME_NODE:
                continue
            theirs = _direction(other, end)
            parallel = abs(own[0] * theirs[1] - own[1] * theirs[0]) < 1e-9
            if parallel and own[0] * theirs[0] + own[1] * theirs[1] < 0:
                return _overlap(line, other)
            if not parallel:
                reach = max(reach, other.thickness / 2)
    return reach


def _overlap(line: WallLine, other: WallLine) -> float:
    """How far *line* may run on inside *other*, which continues it: lines of sight then meet one wall, not a seam."""
    if other.thickness < line.thickness or other.height < line.height:
        return 0.0
    return min(OVERLAP, solid_stretch(other))


def solid_stretch(line: WallLine) -> float:
    """How long the wall is, from either end, before its access point begins."""
    length = math.dist(line.start, line.end)
    return length if line.access_width is None else (length - line.access_width) / 2


def _direction(line: WallLine, node: tuple[float, float]) -> tuple[float, float]:
    """The unit vector from the end of *line* at *node* towards its other end."""
    far = line.end if math.dist(line.start, node) <= SAME_NODE else line.start
    length = math.dist(far, node)
    return (far[0] - node[0]) / length, (far[1] - node[1]) / length
