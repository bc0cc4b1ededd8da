"""Cutting meshes: horizontal sections, outlines seen from above."""

from __future__ import annotations

import numpy as np

from ktsim.geometry.kernels import kernel


@kernel
def section(tris, labels, z):
    """The edges (m, 4) in which triangles (n, 9) meet the plane at height *z*, and the label of each.

    A corner exactly at z counts as above: each closed mesh is cut into closed loops whatever its tessellation.
    """
    n = tris.shape[0]
    edges = np.empty((n, 4))
    names = np.empty(n, np.int32)
    m = 0
    for i in range(n):
        up = 0
        for k in range(3):
            if tris[i, 3 * k + 2] >= z:
                up += 1
        if up == 0 or up == 3:
            continue
        found = 0
        for k in range(3):
            j = (k + 1) % 3
            az = tris[i, 3 * k + 2]
            bz = tris[i, 3 * j + 2]
            if (az >= z) != (bz >= z):
                # from the lower end, so that two triangles sharing the edge get the very same point
                a = k
                b = j
                if az > bz:
                    a = j
                    b = k
                lz = tris[i, 3 * a + 2]
                t = (z - lz) / (tris[i, 3 * b + 2] - lz)
                edges[m, 2 * found] = tris[i, 3 * a] + t * (tris[i, 3 * b] - tris[i, 3 * a])
                edges[m, 2 * found + 1] = tris[i, 3 * a + 1] + t * (tris[i, 3 * b + 1] - tris[i, 3 * a + 1])
                found += 1
        names[m] = labels[i]
        m += 1
    return edges[:m].copy(), names[:m].copy()
