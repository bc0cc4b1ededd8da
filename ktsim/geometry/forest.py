"""A forest: trees over triangles, and instances of them standing in the world.

Opening a hatch or moving a figure only changes which instances are active or where they stand; no tree is rebuilt.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels.facets import cones, neighbours
from ktsim.geometry.kernels.tree import build, corners, spheres
from ktsim.geometry.kernels.wide import KIDS, ROW, widened
from ktsim.geometry.solids import corner_numbers

LEAF = 3
"""Triangles in a leaf of an obstacle tree."""


def rows(triangles: NDArray[np.float64]) -> NDArray[np.float64]:
    """Triangles (n, 3, 3) as the rows (n, 9) that kernels take."""
    return np.ascontiguousarray(triangles, dtype=np.float64).reshape(-1, 9)


@dataclass(frozen=True, eq=False)
class Tree:
    """A tree over triangles (n, 9), with a label per triangle, its neighbours beyond each edge (n, 3) and cones of
    normals for each node (m, 5), for which see ``kernels.facets``. *wide*: the same tree with four children a
    node, see ``kernels.wide``. *order*: the triangles as they were given. *hollow*: labels whose triangles are no
    closed surface."""

    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    tris: NDArray[np.float64]
    labels: NDArray[np.int32]
    beside: NDArray[np.int32]
    cones: NDArray[np.float64]
    wide: NDArray[np.int32]
    order: NDArray[np.int64]
    sphere: NDArray[np.float64]
    hollow: Collection[int] = ()

    @classmethod
    def over(
        cls, triangles: NDArray[np.float64], labels: NDArray[np.int32] | int = 0, hollow: Collection[int] = ()
    ) -> Tree:
        """Build over *triangles* (n, 3, 3), n >= 1."""
        flat = rows(triangles)
        nodes, links, order = build(flat, LEAF)
        named = np.full(len(flat), labels, np.int32) if isinstance(labels, int) else labels.astype(np.int32)
        tris, named = flat[order], named[order]
        beside = neighbours(corner_numbers(tris.reshape(-1, 3, 3)), named, tris)
        return cls.laid(nodes, links, tris, named, beside, cones(links, tris, beside), order, hollow)

    @classmethod
    def laid(
        cls,
        nodes: NDArray[np.float64],
        links: NDArray[np.int32],
        tris: NDArray[np.float64],
        labels: NDArray[np.int32],
        beside: NDArray[np.int32],
        cones: NDArray[np.float64],
        order: NDArray[np.int64],
        hollow: Collection[int] = (),
    ) -> Tree:
        """From arrays that were built before; *tris* and *labels* in the tree's order."""
        corners = tris.reshape(-1, 3)
        centre = (corners.min(axis=0) + corners.max(axis=0)) / 2
        radius = float(np.sqrt(((corners - centre) ** 2).sum(axis=1).max()))
        sphere = np.array([*centre, radius * (1 + 1e-12)])
        return cls(nodes, links, tris, labels, beside, cones, _wide(nodes, links), order, sphere, hollow)


def _wide(nodes: NDArray[np.float64], links: NDArray[np.int32]) -> NDArray[np.int32]:
    sides, kids = widened(nodes, links)
    rows = np.zeros((len(sides), ROW), np.int32)
    rows[:, :KIDS] = sides.view(np.int32)
    rows[:, KIDS : KIDS + 4] = kids
    return rows


class Forest(NamedTuple):
    """Flat arrays of all trees, and of the instances: where each stands and which tree it is. See ``kernels.queries``.

    *place* (k, 9): x, y, z, cosine, sine, then the bounding sphere in the tree's frame. *roots*, *tops* (k,): its root
    node in *nodes* and in *wide*.
    *parts*: one more than the highest label. *hollow* (parts + k,): 1 for each label, and then each instance of
    triangles without one, that is no closed surface: nothing is inside it.
    """

    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    tris: NDArray[np.float64]
    labels: NDArray[np.int32]
    beside: NDArray[np.int32]
    cones: NDArray[np.float64]
    wide: NDArray[np.int32]
    place: NDArray[np.float64]
    roots: NDArray[np.int32]
    tops: NDArray[np.int32]
    parts: int
    hollow: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Grove:
    """Trees laid end to end, ready to be instanced."""

    trees: tuple[Tree, ...]
    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    tris: NDArray[np.float64]
    labels: NDArray[np.int32]
    beside: NDArray[np.int32]
    cones: NDArray[np.float64]
    wide: NDArray[np.int32]
    roots: tuple[tuple[int, int], ...]
    """Of each tree in *nodes* and in *wide*."""
    parts: int

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Grove:
        links, beside, wide, roots = [], [], [], []
        node = first = top = 0
        for tree in trees:
            moved = tree.links.copy()
            leaf = moved[:, 1] > 0
            moved[leaf, 0] += first
            moved[~leaf, 0] += node
            links.append(moved)
            beside.append(np.where(tree.beside >= 0, tree.beside + np.int32(first), tree.beside))
            rows = tree.wide.copy()
            kids = rows[:, KIDS : KIDS + 4]
            kids += np.where(kids > 0, top, np.where(kids < 0, -4 * first, 0)).astype(np.int32)
            wide.append(rows)
            roots.append((node, top))
            node += len(tree.nodes)
            first += len(tree.tris)
            top += len(rows)
        return cls(
            tuple(trees),
            np.concatenate([np.empty((0, 6)), *(tree.nodes for tree in trees)]),
            np.concatenate([np.empty((0, 2), np.int32), *links]),
            np.concatenate([np.empty((0, 9)), *(tree.tris for tree in trees)]),
            np.concatenate([np.empty(0, np.int32), *(tree.labels for tree in trees)]),
            np.concatenate([np.empty((0, 3), np.int32), *beside]),
            np.concatenate([np.empty((0, 5)), *(tree.cones for tree in trees)]),
            np.concatenate([np.empty((0, ROW), np.int32), *wide]),
            tuple(roots),
            max((int(tree.labels.max()) for tree in trees), default=-1) + 1,
        )

    @cached_property
    def _at_origin(self) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """Places and roots of all trees as they are."""
        place = np.zeros((len(self.trees), 9))
        place[:, 3] = 1.0
        for row, tree in enumerate(self.trees):
            place[row, 5:] = tree.sphere
        return place, np.array(self.roots, np.int32).reshape(-1, 2)

    def forest(self, instances: Sequence[tuple[int, float, float, float, float]], standing: int = 0) -> Forest:
        """Stand trees in the world: the first *standing* trees as they are, then the instances, each (tree, x, y, z,
        turn in degrees)."""
        place = np.empty((standing + len(instances), 9))
        roots = np.empty((len(place), 2), np.int32)
        place[:standing], roots[:standing] = (each[:standing] for each in self._at_origin)
        for row, (tree, x, y, z, turn) in enumerate(instances, standing):
            angle = math.radians(turn)
            place[row] = (x, y, z, math.cos(angle), math.sin(angle), *self.trees[tree].sphere)
            roots[row] = self.roots[tree]
        hollow = np.zeros(self.parts + len(place), np.uint8)
        for row, number in enumerate((*range(standing), *(instance[0] for instance in instances))):
            for label in self.trees[number].hollow:
                hollow[label if label >= 0 else self.parts + row] = 1
        return Forest(
            *(self.nodes, self.links, self.tris, self.labels, self.beside, self.cones, self.wide),
            *(place, roots[:, 0].copy(), roots[:, 1].copy(), self.parts, hollow),
        )


@dataclass(frozen=True, eq=False)
class Surface:
    """A surface to be seen: a tree with one triangle a leaf, and points to try first. Of each node a bounding sphere,
    its corners where they are few (``kernels.tree.corners``) and a cone of normals (``kernels.facets.cones``)."""

    spheres: NDArray[np.float64]
    corners: NDArray[np.int32]
    cones: NDArray[np.float64]
    nodes: NDArray[np.float64]
    links: NDArray[np.int32]
    tris: NDArray[np.float64]
    probes: NDArray[np.float64]

    @classmethod
    def of(cls, triangles: NDArray[np.float64], probes: int = 48) -> Surface:
        flat = rows(triangles)
        a, b, c = flat[:, 0:3], flat[:, 3:6], flat[:, 6:9]
        flat = flat[np.linalg.norm(np.cross(b - a, c - a), axis=1) > 1e-12]
        nodes, links, order = build(flat, 1)
        tris = np.ascontiguousarray(flat[order])
        return cls.laid(nodes, links, tris, _spread_points(tris, probes))

    @classmethod
    def laid(
        cls,
        nodes: NDArray[np.float64],
        links: NDArray[np.int32],
        tris: NDArray[np.float64],
        probes: NDArray[np.float64],
    ) -> Surface:
        """From a tree that was built; *tris* in its order."""
        alone = np.repeat(np.arange(len(tris), dtype=np.int32), 3).reshape(-1, 3)
        turned = cones(links, tris, alone)
        return cls(spheres(nodes, links, tris), corners(links, tris), turned, nodes, links, tris, probes)


def _spread_points(tris: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """*count* points of the surface far apart: the highest first, then always the farthest from those taken."""
    corners = tris.reshape(-1, 3, 3)
    areas = np.linalg.norm(np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]), axis=1)
    rng = np.random.default_rng(1)
    chosen = rng.choice(len(tris), 1000, p=areas / areas.sum())
    weights = rng.dirichlet((1, 1, 1), 1000)
    points = np.einsum("nk,nkj->nj", weights, corners[chosen])
    taken = [int(points[:, 2].argmax())]
    apart = np.linalg.norm(points - points[taken[0]], axis=1)
    for _ in range(count - 1):
        taken.append(int(apart.argmax()))
        apart = np.minimum(apart, np.linalg.norm(points - points[taken[-1]], axis=1))
    return np.ascontiguousarray(points[taken])
