"""Which parts of terrain an operative sees near its base: terrain it does not see is no cover, nor can it be climbed.

A part's own bulk does not hide it: a point of it is seen when a clear line reaches it past everything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import Forest, Grove, Surface, Tree, rows
from ktsim.geometry.kernels import fans3d
from ktsim.geometry.kernels.floors import hides
from ktsim.geometry.kernels.glimpses import glimpsed
from ktsim.geometry.kernels.tree import build
from ktsim.sight import levels
from ktsim.sight.distances import figure_row
from ktsim.sight.obstacles import Active, World, can_intervene, head_of, prepared, world_of
from ktsim.sight.scene import EPS, Operative, Part, Scene
from ktsim.sight.visibility import CLEAR, RADIUS, SETTLED, Effort, Look, open_bars

Rows: TypeAlias = NDArray[np.float64]
FEW, EVERY = 128, 2**31
"""Triangles that are looked at first, because most parts are plain to see; and all of them."""
JOINT = 6 * RADIUS
"""How near to a point of a wall a line must come for it to be seen: walls that meet are one structure there."""
PROBES = 12
"""Points that are looked at before a search for one that is seen."""
WIDEST = 0.5
"""Radius of a bundle of triangles that are looked at together, as a share of the distance."""
DEEP = 0.05
"""How far below its top a floor is cut to see whether it hides what is under it."""
HERE = np.array([0.0, 0.0, 0.0, 1.0, 0.0])


def sees_part_near(
    scene: Scene, viewer: str, part: Part, limit: float, effort: Effort = SETTLED, height: float | None = None
) -> bool:
    """Does *viewer* see any of the part that is within *limit* of its base? *height*: where that is measured from, if
    not from its level."""
    one = scene.operative(viewer)
    z = one.level if height is None else height
    world = world_of(scene)
    label = world.terrain.label_of[id(part)]
    ball = head_of(one)
    bars = open_bars(world, figure_row(one))
    act = world.active((viewer,), bars)
    own = _near_part(world, one, z, part, label, limit, FEW)
    short = JOINT if "wall" in part.traits else 0.0
    if glimpsed(world.forest, act, own, label, figure_row(one), z, limit + EPS, ball, CLEAR, short):
        return True
    if len(own) >= FEW:
        own = _near_part(world, one, z, part, label, limit, EVERY)
    near, _ = fans3d.cut_triangles(own, figure_row(one), z, limit + EPS, True)
    floors = [_Floor(world, each) for each in levels.vantage_under(scene, one) if each is not part and not each.is_open]
    near = _not_hidden(floors, near, ball)
    if not len(near):
        return False
    forest, act = _without_part(scene, world, one, label, bars, near)
    if forest is None:
        return True
    whole = Look(forest, act, _surface(near), HERE, ball, False)
    if whole.probe(CLEAR):
        return True
    seen = whole.soon(CLEAR)
    if seen is None:
        # what is near a head lies all around it, which makes for hard searches: so in bundles, each in one direction
        bundles = (_not_hidden(floors, each, ball) for each in _bundles(whole.surface, ball))
        looks = (Look(forest, act, _surface(each), HERE, ball, False) for each in bundles if len(each))
        return _any_seen(looks, effort)
    return seen


def _near_part(world: World, one: Operative, z: float, part: Part, label: int, limit: float, most: int) -> Rows:
    """Triangles of the part that may be within *limit* of the base at height *z*, not many more than *most*."""
    if not can_intervene(part):
        return rows(part.triangles)[:most]
    reach = max(one.base.along, one.base.across) + limit + 2 * EPS
    return world.terrain.triangles_near((one.x, one.y, z), (0.0, 0.0, 0.0), reach, label, most)[0]


def _any_seen(looks: Iterable[Look], effort: Effort) -> bool:
    """Is one of several things seen, with the effort of one look for all of them?"""
    effort = replace(effort, flags=0)
    for look in looks:
        if look.probe(CLEAR) or look.search(CLEAR, effort):
            return True
        effort = replace(effort, cells=max(0, effort.cells - int(look.out[7])))
    return False


class _Floor:
    """What an operative stands on, cut a little below its top."""

    def __init__(self, world: World, part: Part) -> None:
        self.height = part.top - DEEP
        self.section = world.terrain.part_section(world.terrain.label_of[id(part)], self.height)


def _not_hidden(floors: Sequence[_Floor], triangles: Rows, ball: Rows) -> Rows:
    """The triangles without those that a floor wholly hides: a quick proof of the commonest case."""
    for floor in floors:
        below = triangles[:, 2::3].max(axis=1) < floor.height
        is_above = ball[2] - ball[3] > floor.height
        if is_above and below.any() and hides(floor.section, floor.height, triangles[below], ball):
            triangles = triangles[~below]
    return triangles


def _bundles(surface: Surface, ball: Rows) -> list[Rows]:
    """The triangles of a surface parted until none look wide from the ball."""
    links, balls = surface.links, surface.spheres
    wide = balls[:, 3] > WIDEST * np.linalg.norm(balls[:, :3] - ball[:3], axis=1)
    found, waiting = [], [0]
    while waiting:
        node = waiting.pop()
        if wide[node] and links[node, 1] == 0:
            waiting += [links[node, 0], links[node, 0] + 1]
        else:
            found.append(surface.tris[_first(links, node) : _last(links, node)])
    return found


def _first(links: NDArray[np.int32], node: int) -> int:
    while links[node, 1] == 0:
        node = links[node, 0]
    return int(links[node, 0])


def _last(links: NDArray[np.int32], node: int) -> int:
    while links[node, 1] == 0:
        node = links[node, 0] + 1
    return int(links[node, 0] + links[node, 1])


def _surface(triangles: Rows) -> Surface:
    """Triangles (n, 9) as something to be seen. It is looked at once only: its points to try are soon chosen."""
    across = np.cross(triangles[:, 3:6] - triangles[:, :3], triangles[:, 6:] - triangles[:, :3])
    flat = triangles[np.linalg.norm(across, axis=1) > 1e-12]
    nodes, links, order = build(flat, 1)
    tris = np.ascontiguousarray(flat[order])
    every = max(1, len(tris) // PROBES)
    probes = np.ascontiguousarray(tris[::every].reshape(-1, 3, 3).mean(axis=1))
    return Surface.laid(nodes, links, tris, probes)


def _without_part(
    scene: Scene, world: World, viewer: Operative, label: int, bars: list[int], shown: Rows
) -> tuple[Forest | None, Active]:
    """The surroundings of *viewer* without one part and the bars it looks through: a small forest of all that could
    hide the triangles *shown*."""
    corners = shown.reshape(-1, 3)
    head = head_of(viewer)
    low = np.minimum(corners.min(axis=0), head[:3] - head[3]) - RADIUS
    high = np.maximum(corners.max(axis=0), head[:3] + head[3]) + RADIUS
    trees, places = [], []
    forest = world.forest
    found = [
        fans3d.triangles_in_box(
            forest.nodes, forest.links, forest.tris, forest.labels, forest.roots[i], low, high, label
        )
        for i in world.present
        if world.terrain.standing[i].label not in bars
    ]
    blockers = np.concatenate([np.empty((0, 9)), *found])
    if len(blockers):
        hollow = (0,) if any(part.is_open for part in world.terrain.parts) else ()
        trees.append(Tree.over(blockers.reshape(-1, 3, 3), hollow=hollow))
        places.append((0, 0.0, 0.0, 0.0, 0.0))
    for other in scene.others(viewer.id):
        trees.append(prepared(other.figure).tree)
        places.append((len(trees) - 1, other.x, other.y, other.level, other.turn))
    if not trees:
        return None, np.empty(0, np.int32)
    return Grove.of(trees).forest(places), np.arange(len(places), dtype=np.int32)
