"""Distances on the table (SIGHT-15 to SIGHT-18): between bases, to terrain, to areas, and around walls;
what is directly above a base (KT21-W-BARRAGE)."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import rows
from ktsim.geometry.kernels import apart, bands, planar, routes
from ktsim.geometry.kernels.sections import section
from ktsim.geometry.plane import are_enclosed
from ktsim.geometry.shelf import PREPARED
from ktsim.sight.scene import EPS, MM, Base, Operative, Part, Scene

BASE_MIDDLE = 1.75 * MM
"""Height of a base's middle above the level it stands on: targeting lines run there."""

HAIR = 3e-6
"""Ways that end on a wall's surface are looked at up to this far (inches) from it."""

Row = NDArray[np.float64]
Spot = tuple[float, float]


def base_row(base: Base, x: float, y: float, turn: float, margin: float = 0.0) -> Row:
    """A base as a planar figure (see ``kernels.planar``), grown by *margin* (negative: shrunk)."""
    if base.is_round:
        return np.array([x, y, 0.0, 0.0, 1.0, 0.0, base.along + margin])
    angle = math.radians(turn)
    return np.array([x, y, base.along, base.across, math.cos(angle), math.sin(angle), margin])


def figure_row(operative: Operative, margin: float = 0.0) -> Row:
    """The operative's base as a planar figure where it stands."""
    return base_row(operative.base, operative.x, operative.y, operative.turn, margin)


def disc_row(x: float, y: float, radius: float) -> Row:
    return np.array([x, y, 0.0, 0.0, 1.0, 0.0, radius])


def between(scene: Scene, a: str, b: str) -> float:
    """SIGHT-15, SIGHT-17: base to base, in 3D, around walls."""
    one, two = scene.operative(a), scene.operative(b)
    flat = shortest_way(scene, figure_row(one), figure_row(two))
    return math.hypot(flat, one.level - two.level)


def to_disc(scene: Scene, operative: str, centre: tuple[float, float, float], radius: float) -> float:
    """From an operative's base to a flat round thing such as a marker, around walls."""
    one = scene.operative(operative)
    flat = shortest_way(scene, figure_row(one), disc_row(centre[0], centre[1], radius))
    return math.hypot(flat, one.level - centre[2])


def is_within(distance: float, limit: float) -> bool:
    """SIGHT-15: "within" includes the limit; "more than" is the negation."""
    return distance <= limit + EPS


def height_above(one: Operative, two: Operative) -> float:
    """SIGHT-18: how much higher *one* stands than *two*."""
    return one.level - two.level


def part_is_near(operative: Operative, part: Part, limit: float) -> bool:
    """Is any of the part within *limit* of the base, seen from above?"""
    return figure_is_near(figure_row(operative), part, limit)


def figure_is_near(figure: Row, part: Part, limit: float) -> bool:
    """The same for any flat figure, such as a marker."""
    return bool(apart.over_or_near(figure, rows(part.triangles), limit + EPS))


class Walls:
    """The Wall parts of a scene seen from above: their borders, their corners and the ways between those.

    Walls are unlimited in height (KZ-WALL) and nothing goes under a swung hatch, so each part is cut just above its own
    foot, whatever the level distances are measured on. Ways stay on the board: a wall that meets its edge is passed at
    its other end only.
    """

    def __init__(self, parts: list[Part], board: tuple[float, float]) -> None:
        self.number = {id(part): number for number, part in enumerate(parts)}
        self.parts = parts  # kept, so that their ids stay theirs
        self.kept: dict[int, tuple[object, NDArray[np.int64]]] = {}
        """What ways keep: by the id of a corner or end, it and the walls that meet there."""
        outlines = [_outline(part) for part in parts]
        self.borders = borders = [border for border, _ in outlines]
        self.edges = np.concatenate([np.empty((0, 4)), *borders])
        self.owner = np.repeat(np.arange(len(borders)), [len(border) for border in borders])
        """The number of its border for each edge."""
        corners = np.concatenate([np.empty((0, 2)), *(near for _, near in outlines)])
        free = ((corners >= 0.0) & (corners <= np.array(board))).all(axis=1)
        for border in borders:
            free &= ~_enclosed(border, corners)
        self.corners = np.ascontiguousarray(corners[free])
        self.ways = routes.corner_ways(self.corners, self.edges)

    @property
    def weight(self) -> int:
        return int(self.ways.nbytes + self.edges.nbytes)


def _outline(part: Part) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A wall part's border, and its corners just outside; whatever state the others are in."""

    def build() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        border = _border(part)
        return border, np.array(_just_outside(border), dtype=np.float64).reshape(-1, 2)

    return PREPARED.keep((part, "outline"), build)


def _enclosed(border: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which of many points (n, 2) are inside a border; most are not even near it."""
    ends = border.reshape(-1, 2)
    near = ((points >= ends.min(axis=0)) & (points <= ends.max(axis=0))).all(axis=1)
    near[near] = are_enclosed(border, *points[near].T)
    return np.asarray(near)


def _border(part: Part) -> NDArray[np.float64]:
    triangles = rows(part.triangles)
    foot = float(triangles[:, 2::3].min())
    edges, _ = section(triangles, np.zeros(len(triangles), np.int32), foot + BASE_MIDDLE)
    return np.asarray(edges)


def _just_outside(border: NDArray[np.float64]) -> list[tuple[float, float]]:
    """The corners of closed loops, moved off them by a hair, so that a way along a wall does not touch it."""
    meeting: dict[tuple[float, float], list[NDArray[np.float64]]] = {}
    for ax, ay, bx, by in border:
        along = np.array([bx - ax, by - ay])
        length = float(np.linalg.norm(along))
        if length > 1e-9:
            meeting.setdefault((round(ax, 7), round(ay, 7)), []).append(along / length)
            meeting.setdefault((round(bx, 7), round(by, 7)), []).append(-along / length)
    corners = []
    for (x, y), directions in meeting.items():
        inwards = np.sum(directions, axis=0)
        length = float(np.linalg.norm(inwards))
        if length > 1e-6:
            corners.append((x - 1e-6 * inwards[0] / length, y - 1e-6 * inwards[1] / length))
    return corners


def walls_of(scene: Scene) -> Walls | None:
    """The walls of a scene; None when there are none."""

    def build() -> Walls | None:
        parts = [part for part in scene.parts() if "wall" in part.traits]
        return Walls(parts, scene.terrain.board) if parts else None

    return PREPARED.keep((scene.terrain.root, "walls", *sorted(scene.states.items())), build)


def shortest_way(scene: Scene, f: Row, g: Row) -> float:
    """Horizontal distance of two figures by the shortest way that goes around walls (SIGHT-17); inf when there is none.

    A way that is as short as possible is the straight one, or bends only at corners of walls.
    """
    direct, angle = planar.between(f, g)
    walls = walls_of(scene)
    if walls is None or direct == 0.0:
        return float(direct)
    nx, ny = math.cos(angle), math.sin(angle)
    ax, ay = planar.rim(f, nx, ny)
    bx, by = planar.rim(g, -nx, -ny)
    if not routes.stopped(ax, ay, bx, by, walls.edges):
        return float(direct)
    from_f = routes.to_corners(f, walls.corners, walls.edges)
    from_g = routes.to_corners(g, walls.corners, walls.edges)
    ways = from_f[:, None] + walls.ways + from_g[None, :]
    return float(ways.min()) if ways.size else math.inf


def to_outline(scene: Scene, operative: Operative, edges: NDArray[np.float64]) -> float:
    """Horizontal distance of a base from the nearest of *edges* (m, 4) by the shortest way around walls; inf when there
    is none. Edges may lie on a wall's own surface."""
    row = figure_row(operative)
    gaps = [apart.edge_from_figure(row, *edge) for edge in edges]
    if any(gap <= 0 for gap, _ in gaps):
        return 0.0
    walls = walls_of(scene)
    if walls is None:
        return min((float(gap) for gap, _ in gaps), default=math.inf)
    legs: list[tuple[float, Spot, Spot]] = []
    for (gap, t), (ax, ay, bx, by) in zip(gaps, edges, strict=True):
        end = (ax + t * (bx - ax), ay + t * (by - ay))
        angle = planar.gap(row, *end)[1]
        legs.append((float(gap), planar.rim(row, math.cos(angle), math.sin(angle)), end))
    if len(walls.corners):
        reach = (routes.to_corners(row, walls.corners, walls.edges)[:, None] + walls.ways).min(axis=0)
        for so_far, corner in zip(reach, walls.corners, strict=True):
            if math.isfinite(so_far):
                spots = closest_on(edges, corner)
                lengths = np.linalg.norm(spots - corner, axis=1)
                spot = spots[int(lengths.argmin())]
                legs.append((float(so_far + lengths.min()), tuple(corner), tuple(spot)))
    legs.sort(key=lambda leg: leg[0])
    return next((length for length, start, end in legs if _is_free(start, end, walls.edges)), math.inf)


def closest_on(edges: NDArray[np.float64], spot: NDArray[np.float64]) -> NDArray[np.float64]:
    """The point of each edge that is nearest to *spot*."""
    start, along = edges[:, :2], edges[:, 2:] - edges[:, :2]
    square = np.maximum((along**2).sum(axis=1), 1e-18)
    t = np.clip(((spot - start) * along).sum(axis=1) / square, 0, 1)
    return np.asarray(start + t[:, None] * along)


def _is_free(start: Spot, end: Spot, edges: NDArray[np.float64]) -> bool:
    """Does no wall stop a way that may end on a wall's surface?"""
    length = math.dist(start, end)
    if length <= HAIR:
        return True
    share = 1 - HAIR / length
    return not routes.stopped(
        *start, start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]), edges
    )


SKY = 1e6


def is_under_terrain(scene: Scene, operative: str) -> bool:
    """Whether a terrain feature hides any part of the base from directly above. Gaps that only block lines do not."""
    one = scene.operative(operative)
    c, s = math.cos(math.radians(one.turn)), math.sin(math.radians(one.turn))
    # In the base's own frame, stretched so that it is a disc of radius 1.
    frame = np.array([[c / one.base.along, s / one.base.along], [-s / one.base.across, c / one.base.across]])
    reach = 1.0 - EPS / min(one.base.along, one.base.across)
    for part in scene.parts():
        if part.top <= one.level + 2 * BASE_MIDDLE or part.traits == {"blocking"}:
            continue
        pieces = bands.band(part.triangles.reshape(-1, 9), one.level + 2 * BASE_MIDDLE, SKY)
        if not len(pieces):
            continue
        seen = (pieces.reshape(-1, 3, 2) - (one.x, one.y)) @ frame.T
        if bands.near_point(np.ascontiguousarray(seen.reshape(-1, 6)), reach, 0.0, 0.0).any():
            return True
    return False
