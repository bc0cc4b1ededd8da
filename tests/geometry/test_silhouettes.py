"""What trees know of edges: the triangle beyond each, and which way whole nodes face."""

from __future__ import annotations

import numpy as np
from sight_scenes import finer

from ktsim.geometry.forest import Tree
from ktsim.geometry.kernels.facets import EVEN, FLAT, FREE
from ktsim.geometry.solids import box


def test_every_edge_of_a_closed_box_has_a_neighbour_and_flat_ones_are_known() -> None:
    for cuts in (0, 2):
        tree = Tree.over(finer(box((0, 0, 0), (1, 2, 3)), cuts))
        assert not (tree.beside == FREE).any()
        # the twelve edges of the box, each in 2 ** cuts pieces, seen from both sides
        assert (tree.beside >= 0).sum() == 2 * 12 * 2**cuts
        for j, e in np.argwhere(tree.beside >= 0):
            other = int(tree.beside[j, e])
            assert j in tree.beside[other]
            ends = {tuple(tree.tris[j, 3 * c : 3 * c + 3]) for c in (e, (e + 1) % 3)}
            assert ends <= {tuple(tree.tris[other, 3 * c : 3 * c + 3]) for c in range(3)}


def test_an_opening_and_another_part_leave_edges_free() -> None:
    shape = box((0, 0, 0), (1, 1, 1))
    assert (Tree.over(shape[1:]).beside == FREE).sum() == 3
    # triangles of two labels are no neighbours, even where they share an edge
    labels = np.arange(len(shape), dtype=np.int32)
    assert (Tree.over(shape, labels).beside == FREE).all()


def test_cones_hold_the_normals_below_and_beside_them() -> None:
    tree = Tree.over(finer(box((0, 0, 0), (4, 4, 1)), 3))
    assert (tree.cones[0, 3:] == (0.0, 1.0)).all()  # all of a closed surface faces every way
    leaf = tree.links[:, 1] > 0
    even = tree.cones[:, 4] == EVEN
    assert (leaf & even).any()
    assert (~leaf & even).any()
    for node in np.flatnonzero(leaf):
        first, count = tree.links[node]
        assert (tree.beside[first : first + count] == FLAT).all() == even[node]
