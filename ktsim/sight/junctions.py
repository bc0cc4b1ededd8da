"""Corners and ends of walls (KZ-WALL-ENDS): what of Wall terrain intervenes, and how far Heavy terrain is.

A wall counts where its main structure turns (a corner) or stops (an end), over a stretch of three quarters of its
thickness: half a pillar, which is half as thick again as its wall. Where one line simply continues another there is a
straight joint, which is neither. Both sides of an open hatchway or breach point are ends; so is the free end of a swung
hatch.

Our reading of "has not passed them": an origin has passed a corner or end of a wall when it lies on the same side of
that wall's centre line as the whole of the target's base.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import nearest
from ktsim.geometry.plane import loop
from ktsim.sight.distances import figure_row, to_outline
from ktsim.sight.scene import Edition, Operative, Part, Scene, Terrain, WallLine

STRETCH = 0.75
"""How far from its very end a wall counts, in thicknesses."""
SAME = 1e-6
PARALLEL = 1e-6
"""Sine of the angle below which two lines run in one direction."""

Spot = tuple[float, float]


@dataclass(frozen=True, eq=False)
class WallEnd:
    """A corner or end: the piece of wall that counts, as a rectangle, and the centre line of its wall."""

    part: Part
    kind: Literal["corner", "end"]
    at: Spot
    corners: tuple[Spot, Spot, Spot, Spot]
    along: Spot
    """Unit vector along the wall's centre line."""
    height: float
    is_at_hatchway: bool = False
    """It is the side of an open access point, a hatchway's or a breach point's, or the end of a swung hatch."""
    pillar: tuple[Spot, Spot, Spot, Spot] | None = None
    """The outline of the pillar that stands there."""

    @cached_property
    def box(self) -> NDArray[np.float64]:
        """The lowest and the highest corner of a box around it: shape (2, 3)."""
        corners = np.array(self.corners)
        return np.array([[*corners.min(axis=0), 0.0], [*corners.max(axis=0), self.height]])


_kept: WeakKeyDictionary[Terrain, dict[tuple[tuple[str, str], ...], tuple[WallEnd, ...]]] = WeakKeyDictionary()


def wall_ends(scene: Scene) -> tuple[WallEnd, ...]:
    """Every corner and end of the scene's walls in their present states."""
    kept = _kept.setdefault(scene.terrain.root, {})
    key = tuple(sorted(scene.states.items()))
    if key not in kept:
        kept[key] = _find_wall_ends(scene)
    return kept[key]


def _find_wall_ends(scene: Scene) -> tuple[WallEnd, ...]:
    parts = {(part.feature, part.name): part for part in scene.parts() if part.kind in ("wall", "access", "hatch")}
    found: list[WallEnd] = []
    for line in scene.terrain.walls:
        part = parts.get((line.id, "wall")) or parts[line.id, "access"]
        for first, last in _parted(scene, line):
            for here, other in ((first, last), (last, first)):
                inner = min(STRETCH * line.thickness, abs(other - here))
                towards = math.copysign(1.0, other - here)
                kind = _kind(scene, line, here, -towards)
                if kind is not None:
                    outer = line.thickness / 2 if kind == "corner" else 0.0
                    span = (here - towards * outer, here + towards * inner)
                    found.append(_wall_end(scene, line, part, kind, here, span))
        if line.hatchway is not None and _is_open(scene, line):
            found.append(_leaf_end(line, parts[line.id, "hatch"]))
    return tuple(found)


def _is_open(scene: Scene, line: WallLine) -> bool:
    return line.access_width is not None and scene.states.get(line.id) == "open"


def _standing(scene: Scene, line: WallLine) -> list[tuple[float, float]]:
    """From where to where along its line a wall stands: all of it, but for an open access point."""
    length = math.dist(line.start, line.end)
    if line.access_width is None or not _is_open(scene, line):
        return [(0.0, length)]
    left, right = (length - line.access_width) / 2, (length + line.access_width) / 2
    return [(first, last) for first, last in ((0.0, left), (right, length)) if last - first > SAME]


def _parted(scene: Scene, line: WallLine) -> list[tuple[float, float]]:
    """The same, parted where other walls branch off or cross: there the structure turns, as if lines met."""
    found = []
    for first, last in _standing(scene, line):
        cuts = sorted({at for other in scene.terrain.walls for at in _meetings(scene, line, other)})
        inside = [at for at in cuts if first + SAME < at < last - SAME]
        bounds = [first, *inside, last]
        found += list(pairwise(bounds))
    return found


def _meetings(scene: Scene, line: WallLine, other: WallLine) -> list[float]:
    """How far along *line* a wall that runs in another direction meets it."""
    (ux, uy), (vx, vy) = _unit(line), _unit(other)
    cross = ux * vy - uy * vx
    if other is line or abs(cross) <= PARALLEL:
        return []
    dx, dy = other.start[0] - line.start[0], other.start[1] - line.start[1]
    along, theirs = (dx * vy - dy * vx) / cross, (dx * uy - dy * ux) / cross
    return [along] if any(first - SAME <= theirs <= last + SAME for first, last in _standing(scene, other)) else []


def straight_pillars(scene: Scene) -> tuple[WallEnd, ...]:
    """Pillars where one wall goes straight on from another: neither corners nor ends (KT21-WALLDIST asks for them)."""
    found = []
    for line in scene.terrain.walls:
        part = next(part for part in scene.parts() if part.feature == line.id)
        length = math.dist(line.start, line.end)
        for here, outwards in ((0.0, -1.0), (length, 1.0)):
            at = _at(line, here)
            is_pillar = any(math.dist(post, at) <= SAME for post in line.posts)
            if is_pillar and _kind(scene, line, here, outwards) is None:
                found.append(WallEnd(part, "corner", at, _pillar(line, at), _unit(line), line.height))
    return tuple(found)


def hatch_leaves(scene: Scene) -> tuple[WallEnd, ...]:
    """Every swung hatch as a whole (KT21-HATCH), from the floor up."""
    parts = {part.feature: part for part in scene.parts() if part.kind == "hatch"}
    lines = [line for line in scene.terrain.walls if line.hatchway is not None and _is_open(scene, line)]
    return tuple(_leaf_end(line, parts[line.id], whole=True) for line in lines)


def _at(line: WallLine, distance: float) -> Spot:
    ux, uy = _unit(line)
    return line.start[0] + distance * ux, line.start[1] + distance * uy


def _unit(line: WallLine) -> Spot:
    length = math.dist(line.start, line.end)
    return (line.end[0] - line.start[0]) / length, (line.end[1] - line.start[1]) / length


def _kind(scene: Scene, line: WallLine, here: float, outwards: float) -> Literal["corner", "end"] | None:
    """What a wall's end at *here* along its line is, from the walls that meet it there; ``None``: a straight joint.
    *outwards*: the direction along the line that leads away from the wall, 1 or -1."""
    node = _at(line, here)
    ux, uy = _unit(line)
    goes_on = False
    for other in scene.terrain.walls:
        if any(abs(at - here) <= SAME for at in _meetings(scene, line, other)):
            return "corner"
        vx, vy = _unit(other)
        if other is line or abs(ux * vy - uy * vx) > PARALLEL:
            continue
        dx, dy = node[0] - other.start[0], node[1] - other.start[1]
        if abs(dx * vy - dy * vx) > SAME:
            continue
        # another wall on the same line goes on from here, unless all of it is on this side
        at, onwards = dx * vx + dy * vy, math.copysign(1.0, outwards * (ux * vx + uy * vy))
        goes_on |= any(
            first - SAME <= at <= last + SAME and (last - at if onwards > 0 else at - first) > SAME
            for first, last in _standing(scene, other)
        )
    return None if goes_on else "end"


def _is_beside_opening(scene: Scene, node: Spot) -> bool:
    for line in scene.terrain.walls:
        if line.access_width is not None and _is_open(scene, line):
            middle, half = math.dist(line.start, line.end) / 2, line.access_width / 2
            if any(math.dist(node, _at(line, side)) <= SAME for side in (middle - half, middle + half)):
                return True
    return False


def _wall_end(
    scene: Scene, line: WallLine, part: Part, kind: Literal["corner", "end"], here: float, span: tuple[float, float]
) -> WallEnd:
    ux, uy = _unit(line)
    half = line.thickness / 2
    rectangle = [
        (line.start[0] + a * ux - c * uy, line.start[1] + a * uy + c * ux)
        for a, c in ((span[0], -half), (span[1], -half), (span[1], half), (span[0], half))
    ]
    a, b, c, d = rectangle
    at = _at(line, here)
    pillar = next((_pillar(line, post) for post in line.posts if math.dist(post, at) <= line.post), None)
    return WallEnd(part, kind, at, (a, b, c, d), (ux, uy), line.height, _is_beside_opening(scene, at), pillar)


def _pillar(line: WallLine, post: Spot) -> tuple[Spot, Spot, Spot, Spot]:
    """The outline of a pillar on a wall."""
    (ux, uy), (x, y), half = _unit(line), post, line.post / 2
    a, b, c, d = (
        (x + half * (m * ux - n * uy), y + half * (m * uy + n * ux)) for m, n in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    )
    return a, b, c, d


def _leaf_end(line: WallLine, leaf: Part, whole: bool = False) -> WallEnd:
    """The free end of a swung hatch (or all of it). It stands at right angles to its wall."""
    ux, uy = _unit(line)
    flat = leaf.triangles.reshape(-1, 3)[:, :2] - np.array(line.start)
    along, across = flat @ np.array([ux, uy]), flat @ np.array([-uy, ux])
    side = 1.0 if across.mean() > 0 else -1.0
    near, far = np.sort(across * side)[[0, -1]]
    first, last = along.min(), along.max()
    inner = near if whole else max(near, far - STRETCH * line.thickness)
    rectangle = [
        (float(line.start[0] + a * ux - c * uy), float(line.start[1] + a * uy + c * ux))
        for a, c in ((first, side * inner), (last, side * inner), (last, side * far), (first, side * far))
    ]
    a, b, c, d = rectangle
    middle, reach = (first + last) / 2, side * far
    at = (float(line.start[0] + middle * ux - reach * uy), float(line.start[1] + middle * uy + reach * ux))
    return WallEnd(leaf, "end", at, (a, b, c, d), (-uy, ux), leaf.top, True)


def heavy_distance(scene: Scene, operative_id: str, edition: Edition) -> float:
    """Inches from the operative's base to the nearest Heavy terrain, around walls (SIGHT-17); inf when there is none.

    KT21-WALLDIST: in 2021 a wall counts only at its ends and at its pillars, which stand where walls turn or branch or
    where a piece brings one; not at the sides of hatchways nor at hatches. Heavy terrain that is no wall counts as it
    stands in both editions.
    """
    one = scene.operative(operative_id)
    heavy = [part for part in scene.parts() if "heavy" in part.traits]
    if edition == "kt24":
        found = [_to_part(scene, one, part) for part in heavy]
    else:
        found = [_to_part(scene, one, part) for part in heavy if "wall" not in part.traits]
        ends = [end for end in wall_ends(scene) if not end.is_at_hatchway]
        found += [_to_end(scene, one, end) for end in (*ends, *straight_pillars(scene))]
    return min(found, default=math.inf)


def _to_part(scene: Scene, one: Operative, part: Part) -> float:
    triangles = np.ascontiguousarray(part.triangles.reshape(-1, 9))
    straight = float(nearest.figure_from_triangles(figure_row(one), one.level, triangles))
    if not any("wall" in other.traits for other in scene.parts()):
        return straight
    flat = part.triangles[:, :, :2]
    edges = np.concatenate([np.hstack([flat[:, k], flat[:, (k + 1) % 3]]) for k in range(3)])
    # The way around walls is a matter of the plane; the difference in height comes on top, as between operatives. A
    # way that no wall bends is the straight one, which knows the part's shape and not only how high it reaches.
    heights = part.triangles[:, :, 2]
    rise = max(0.0, float(heights.min()) - one.level, one.level - float(heights.max()))
    return max(straight, math.hypot(to_outline(scene, one, edges), rise))


def _to_end(scene: Scene, one: Operative, end: WallEnd) -> float:
    flat = to_outline(scene, one, loop(end.pillar or end.corners))
    return math.hypot(flat, max(0.0, one.level - end.height))
