"""Is a killzone sound? Every check returns the problems it finds, each with its file and line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsim.errors import Problem
from ktsim.geometry.contact import inside, overlap, touch
from ktsim.geometry.plane import Outline, are_enclosed, loop, turn, turns
from ktsim.geometry.solids import is_closed
from ktsim.killzones.killzone_file import Killzone, load_killzone
from ktsim.killzones.symmetry import asymmetries
from ktsim.sight.scene import Feature, Part, Triangles

DEPTH = 0.02
"""Parts may run into each other by about this much, in inches, before it is a problem."""

REACH = 0.02
"""Parts nearer to each other than this rest on each other."""

GAP = (0.04, 0.5)
"""A line of 1 mm passes a gap of more than the first; one higher than the second is meant to be open."""

GAP_AREA = 0.04
"""Gaps smaller than this in plan, in square inches, are the unevenness of broken edges."""

KILLZONE_TRIANGLES = 150_000
MESH_TRIANGLES = 200_000


def check_file(path: Path | str) -> tuple[Killzone, list[Problem]]:
    """Load the killzone at *path* and run every check; loading raises what is wrong with the files themselves."""
    killzone = load_killzone(path)
    return killzone, [problem for check in CHECKS for problem in check(killzone)]


def _place(killzone: Killzone, feature: str) -> str:
    """Where the file describes a feature; a merged one by its first piece."""
    first = feature.split("+")[0]
    return f"{killzone.path}:{killzone.line(f'piece {first}')}"


def _present(feature: Feature) -> tuple[Part, ...]:
    """The parts of a feature as the game starts."""
    return feature.parts_in(None)


# -- parts -------------------------------------------------------------------------------------------------------


def unsound_meshes(killzone: Killzone) -> Iterator[Problem]:
    """Parts that are not closed or face inwards, and meshes with too many triangles. Of a user's own open meshes the
    killzone's warnings tell."""
    for name in dict.fromkeys(placement.piece for placement in killzone.placements):
        piece = killzone.piece(next(p for p in killzone.placements if p.piece == name))
        for part in piece.parts:
            place = f"{piece.path}:{part.line}"
            if not part.is_open and not is_closed(part.triangles):
                yield Problem(place, f"the part '{part.name}' is not closed; every edge must join two triangles")
            elif not part.is_open and part.mesh.volume <= 0:
                yield Problem(place, f"the part '{part.name}' is inside out; reverse its triangles")
            if len(part.mesh.faces) > MESH_TRIANGLES:
                count = f"{len(part.mesh.faces):,}"
                yield Problem(place, f"the part '{part.name}' has {count} triangles; at most {MESH_TRIANGLES:,} a mesh")


def floating(killzone: Killzone) -> Iterator[Problem]:
    """Parts that rest neither on the floor or the level they were put on nor on another part of their feature."""
    levels = {id: placement.at[2] for id, placement in killzone.pieces.items()}
    for feature in killzone.terrain.features:
        parts = _present(feature)
        level = levels.get(feature.id, 0.0)
        if level > REACH and not _has_level(killzone, feature, level):
            yield Problem(
                _place(killzone, feature.id), f"'{feature.id}' floats: there is no level at {level:g}\" there"
            )
        held = [part for part in parts if part.triangles[..., 2].min() <= level + REACH]
        loose = [part for part in parts if part not in held]
        reached = list(held)
        while reached and loose:
            base = reached.pop()
            on_it = [part for part in loose if touch(part.triangles, base.triangles, REACH)]
            loose = [part for part in loose if part not in on_it]
            reached += on_it
        for part in loose:
            yield Problem(_place(killzone, feature.id), f"'{part.key}' floats: it rests on no part of '{feature.id}'")


def _has_level(killzone: Killzone, feature: Feature, level: float) -> bool:
    """Is there Vantage at *level* under the middle of the feature?"""
    x, y, _ = killzone.pieces[feature.id].at
    below = np.array([[x, y, level - 0.05]])
    return any(
        "vantage" in part.traits and abs(part.top - level) <= REACH and bool(inside(below, part.triangles).any())
        for other in killzone.terrain.features
        if other is not feature
        for part in _present(other)
    )


def _may_meet(one: Part, other: Part) -> bool:
    """Walls run into each other where they meet, and a hatch stands in its access point."""
    return "wall" in one.traits and "wall" in other.traits


def interpenetrating(killzone: Killzone) -> Iterator[Problem]:
    """Parts of one feature that run into each other."""
    for feature in killzone.terrain.features:
        for one, other in combinations(_present(feature), 2):
            if not _may_meet(one, other) and overlap(one.triangles, other.triangles, DEPTH):
                text = f"'{one.key}' and '{other.name}' run into each other; cut one where it meets the other"
                yield Problem(_place(killzone, feature.id), text)


def overlapping(killzone: Killzone) -> Iterator[Problem]:
    """Pieces that stand in each other, and pieces that reach over the edge of the board."""
    features = killzone.terrain.features
    for one, other in combinations(features, 2):
        pairs = ((a, b) for a in _present(one) for b in _present(other) if not _may_meet(a, b))
        for a, b in pairs:
            if overlap(a.triangles, b.triangles, DEPTH):
                text = f"'{one.id}' overlaps '{other.id}' ('{a.name}' with '{b.name}'); move one of them"
                yield Problem(_place(killzone, one.id), text)
                break
    width, height = killzone.terrain.board
    for feature in features:
        if feature.kind == "wall":
            continue
        corners = np.concatenate([part.triangles.reshape(-1, 3)[:, :2] for part in _present(feature)])
        if (corners.min(axis=0) < -REACH).any() or (corners.max(axis=0) > np.array([width, height]) + REACH).any():
            yield Problem(
                _place(killzone, feature.id), f"'{feature.id}' reaches over the edge of the board; move it in"
            )


def gaps(killzone: Killzone) -> Iterator[Problem]:
    """Parts with a low gap under them that sight could pass and that no Blocking part fills."""
    for feature in killzone.terrain.features:
        parts = _present(feature)
        for part in parts:
            if part.traits & {"exposed", "vantage", "blocking"} or part.kind == "access":
                continue
            height = _gap_under(part, parts)
            if height is not None:
                text = f"there is a gap of {height:.2f}\" under '{part.key}'; fill it with a Blocking part"
                yield Problem(_place(killzone, feature.id), text)


def _gap_under(part: Part, parts: Iterable[Part]) -> float | None:
    """The height of the gap between the floor and the underside of *part*, when it is large enough to matter."""
    triangles = part.triangles
    crossed = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) / 2
    middle = triangles[..., 2].mean(axis=1)
    under = np.nonzero((crossed[:, 2] < 0) & (middle > GAP[0]) & (triangles[..., 2].min(axis=1) < GAP[1]))[0]
    if not len(under):
        return None
    points, shares = _spread(triangles[under], -crossed[under, 2])
    low = (points[:, 2] > GAP[0]) & (points[:, 2] < GAP[1])
    points, shares = points[low], shares[low]
    open_below = np.ones(len(points), bool)
    for other in parts:
        for share in (0.25, 0.6):
            open_below &= ~inside(points * np.array([1, 1, share]), other.triangles)
    if shares[open_below].sum() < GAP_AREA:
        return None
    return float(np.average(points[open_below, 2], weights=shares[open_below]))


def _spread(
    triangles: NDArray[np.float64], areas: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Points spread over triangles, and the area each stands for."""
    steps = 4
    grid = [(i + 1 / 3, j + 1 / 3) for i in range(steps) for j in range(steps - i)]
    grid += [(i + 2 / 3, j + 2 / 3) for i in range(steps - 1) for j in range(steps - 1 - i)]
    uv = np.array(grid) / steps
    a, b, c = triangles[:, None, 0], triangles[:, None, 1], triangles[:, None, 2]
    points = a + uv[None, :, :1] * (b - a) + uv[None, :, 1:] * (c - a)
    return points.reshape(-1, 3), np.repeat(areas / len(uv), len(uv))


# -- regions -----------------------------------------------------------------------------------------------------


def covered_zones(killzone: Killzone) -> Iterator[Problem]:
    """Drop zones off the board, under or in terrain, or in a hazardous area."""
    width, height = killzone.terrain.board
    for zone in killzone.drop_zones:
        place = f"{killzone.path}:{killzone.line(f'drop zones {zone.id}')}"
        corners = np.array(zone.outline)
        if (corners < -REACH).any() or (corners > np.array([width, height]) + REACH).any():
            yield Problem(place, f"the drop zone '{zone.id}' reaches over the edge of the board")
        covering = [
            feature.id
            for feature in killzone.terrain.features
            if any(plan_points(part.triangles, zone.outline) for part in _present(feature))
        ]
        if covering:
            yield Problem(place, f"the drop zone '{zone.id}' is under terrain ({', '.join(covering)}); keep it clear")
        ground = spots(zone.outline)
        for area in killzone.terrain.areas:
            if area.kind == "hazardous" and in_outline(ground, area.outline).any():
                yield Problem(place, f"the drop zone '{zone.id}' lies in the hazardous area '{area.id}'; keep it clear")


def lost_objectives(killzone: Killzone) -> Iterator[Problem]:
    """Objectives off the board, inside terrain, in a hazardous area, or in the air."""
    width, height = killzone.terrain.board
    for objective in killzone.objectives:
        place = f"{killzone.path}:{killzone.line(f'objective {objective.id}')}"
        x, y, z = objective.at
        if not (0 <= x <= width and 0 <= y <= height):
            yield Problem(place, f"the objective '{objective.id}' is off the board")
            continue
        parts = [part for feature in killzone.terrain.features for part in _present(feature)]
        above, below = np.array([[x, y, z + 0.3]]), np.array([[x, y, z - 0.05]])
        solid = next((part.key for part in parts if inside(above, part.triangles).any()), None)
        if solid is not None:
            yield Problem(place, f"the objective '{objective.id}' is inside '{solid}'; move it out")
        on_level = any(
            "vantage" in p.traits and abs(p.top - z) < REACH and inside(below, p.triangles).any() for p in parts
        )
        if z > REACH and not on_level:
            yield Problem(place, f"the objective '{objective.id}' is in the air; there is no Vantage at {z:g}\" there")
        here = np.array([[x, y]])
        hazards = [a.id for a in killzone.terrain.areas if a.kind == "hazardous" and in_outline(here, a.outline).any()]
        if z <= REACH and hazards:
            yield Problem(place, f"the objective '{objective.id}' lies in the hazardous area '{hazards[0]}'; move it")


def uneven(killzone: Killzone) -> Iterator[Problem]:
    """What has no counterpart on the other side of the board."""
    for line, text in asymmetries(killzone):
        yield Problem(f"{killzone.path}:{line}", text)


def too_many_triangles(killzone: Killzone) -> Iterator[Problem]:
    total = triangle_count(killzone)
    if total > KILLZONE_TRIANGLES:
        yield Problem(
            f"{killzone.path}:1",
            f"the killzone has {total:,} triangles; at most {KILLZONE_TRIANGLES:,} are drawn well",
        )


def triangle_count(killzone: Killzone) -> int:
    """Everything on the table as the game starts, and the parts that only rule."""
    initial = {feature.id: feature.initial for feature in killzone.terrain.features}
    shown = [p for p in killzone.placements if p.state is None or p.state == initial.get(p.feature)]
    drawn = sum(killzone.piece(placement).triangle_count for placement in shown)
    pieces = set(killzone.pieces)
    own = [f for f in killzone.terrain.features if not set(f.id.split("+")) & pieces]
    return drawn + sum(len(part.triangles) for feature in own for part in _present(feature))


CHECKS: Sequence[Callable[[Killzone], Iterator[Problem]]] = (
    unsound_meshes,
    floating,
    interpenetrating,
    overlapping,
    gaps,
    covered_zones,
    lost_objectives,
    uneven,
    too_many_triangles,
)


SPACING = 0.25
"""How far apart the spots are that stand for a region, in inches."""

MARGIN = 0.02
"""What reaches into a region by less than this is at its edge."""


def in_outline(points: NDArray[np.float64], outline: Outline) -> NDArray[np.bool_]:
    """Which of the *points* (n, 2) lie inside a simple polygon."""
    return are_enclosed(loop(outline), points[:, 0], points[:, 1])


def spots(outline: Outline) -> NDArray[np.float64]:
    """Points (n, 2) spread over the inside of a polygon."""
    corners = np.asarray(outline, float)
    low, high = corners.min(axis=0), corners.max(axis=0)
    xs = np.arange(low[0] + MARGIN, high[0], SPACING)
    ys = np.arange(low[1] + MARGIN, high[1], SPACING)
    grid = np.stack(np.meshgrid(xs, ys), axis=-1).reshape(-1, 2)
    return np.asarray(grid[in_outline(grid, outline)])


def plan_points(triangles: Triangles, outline: Outline) -> bool:
    """Does a mesh, seen from above, reach into a polygon?"""
    corners = np.asarray(outline, float)
    low, high = corners.min(axis=0) + MARGIN, corners.max(axis=0) - MARGIN
    flat = triangles[..., :2]
    near = flat[((flat.max(axis=1) > low) & (flat.min(axis=1) < high)).all(axis=1)]
    if not len(near):
        return False
    ends = np.roll(near, -1, axis=1)
    along = [(near + (ends - near) * t).reshape(-1, 2) for t in np.linspace(0, 1, 9)[:-1]]
    centre = corners.mean(axis=0)
    drawn_in = centre + (corners - centre) * (1 - MARGIN / max(1e-9, float(np.abs(corners - centre).max())))
    if in_outline(np.concatenate(along), [(x, y) for x, y in drawn_in]).any():
        return True
    return _any_under(spots(outline), near)


def _any_under(points: NDArray[np.float64], flat: NDArray[np.float64]) -> bool:
    """Does any of the *points* lie in one of the triangles (n, 3, 2)?"""
    for triangle in flat:
        near = points[((points >= triangle.min(axis=0)) & (points <= triangle.max(axis=0))).all(axis=1)]
        if not len(near) or abs(turn(*triangle)) < 1e-9:
            continue
        beside = turns(triangle[None], np.roll(triangle, -1, axis=0)[None], near[:, None])
        if ((beside > 0).all(axis=1) | (beside < 0).all(axis=1)).any():
            return True
    return False
