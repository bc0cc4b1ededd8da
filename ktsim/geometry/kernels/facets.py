"""How the triangles of a mesh lie to each other: neighbours beyond their edges, and which way all below a node face."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean
from ktsim.geometry.kernels.primitives import normal

FLAT, FREE = -2, -1
"""Instead of the neighbour beyond an edge: it lies in the same plane; there is none, or more than one."""
EVEN = -1.0


@kernel
def neighbours(corners, labels, tris):
    """(n, 3) int32: for each edge of each triangle the triangle beyond it, FLAT or FREE.

    *corners* (n, 3) int64: welded corner numbers; *labels* (n,): only triangles of one label are neighbours.
    """
    n = corners.shape[0]
    out = np.full((n, 3), FREE, np.int32)
    size = 16
    while size < 6 * n:
        size *= 2
    first = np.full(size, -1, np.int64)  # the first half-edge of each undirected edge
    count = np.zeros(size, np.int32)
    for turn in range(2):
        for j in range(n):
            for e in range(3):
                a = corners[j, e]
                b = corners[j, (e + 1) % 3]
                if a == b or b == corners[j, (e + 2) % 3] or a == corners[j, (e + 2) % 3]:
                    continue
                low = min(a, b)
                high = max(a, b)
                slot = (low * 73856093 ^ high * 19349663 ^ np.int64(labels[j]) * 83492791) & (size - 1)
                while first[slot] >= 0:
                    other = first[slot] // 3
                    f = first[slot] % 3
                    c = corners[other, f]
                    d = corners[other, (f + 1) % 3]
                    if labels[other] == labels[j] and min(c, d) == low and max(c, d) == high:
                        break
                    slot = (slot + 1) & (size - 1)
                if turn == 0:
                    if first[slot] < 0:
                        first[slot] = 3 * j + e
                    count[slot] += 1
                elif count[slot] == 2 and first[slot] != 3 * j + e:
                    other = first[slot] // 3
                    f = first[slot] % 3
                    if corners[other, f] == b:  # they run along it in opposite directions
                        kind = _is_flat(tris[j], tris[other])
                        out[j, e] = FLAT if kind else other
                        out[other, f] = FLAT if kind else j
    return out


@kernel
def cones(links, tris, beside):
    """(n, 5): for each node a direction, and cosine and sine of the angle from it within which lie the normals of all
    triangles below the node and of their neighbours; 0 and 1 when that is a right angle or more, or an edge is free.
    EVEN instead of the sine: all edges below lie within flat faces, so that none is an outline.
    """
    n = links.shape[0]
    out = np.zeros((n, 5))
    normals = np.empty((tris.shape[0], 3))
    for j in range(tris.shape[0]):
        T = tris[j]
        x, y, z = normal(T)
        l = math.sqrt(x * x + y * y + z * z)
        normals[j, 0] = x / l if l > 0.0 else 0.0
        normals[j, 1] = y / l if l > 0.0 else 0.0
        normals[j, 2] = z / l if l > 0.0 else 0.0
    first = np.empty(n, np.int64)
    last = np.empty(n, np.int64)
    for i in range(n - 1, -1, -1):
        if links[i, 1] > 0:
            first[i] = links[i, 0]
            last[i] = links[i, 0] + links[i, 1]
        else:
            first[i] = min(first[links[i, 0]], first[links[i, 0] + 1])
            last[i] = max(last[links[i, 0]], last[links[i, 0] + 1])
        out[i, 4] = 1.0
        if links[i, 1] == 0:
            if out[links[i, 0], 4] == EVEN and out[links[i, 0] + 1, 4] == EVEN:
                out[i, 4] = EVEN
                continue
            if out[links[i, 0], 3] == 0.0 or out[links[i, 0] + 1, 3] == 0.0:
                continue  # as wide as a child's
        else:
            even = True
            for j in range(first[i], last[i]):
                for e in range(3):
                    even = even and beside[j, e] == FLAT
            if even:
                out[i, 4] = EVEN
                continue
        x = 0.0
        y = 0.0
        z = 0.0
        for j in range(first[i], last[i]):
            x += normals[j, 0]
            y += normals[j, 1]
            z += normals[j, 2]
        l = math.sqrt(x * x + y * y + z * z)
        if l <= 1e-9:
            continue
        x /= l
        y /= l
        z /= l
        least = 1.0
        for j in range(first[i], last[i]):
            least = min(least, x * normals[j, 0] + y * normals[j, 1] + z * normals[j, 2])
            for e in range(3):
                other = beside[j, e]
                if other == FREE:
                    least = -1.0
                elif other >= 0:
                    least = min(least, x * normals[other, 0] + y * normals[other, 1] + z * normals[other, 2])
            if least <= 0.0:
                break
        least -= 1e-9
        if least > 0.0:
            out[i, 0] = x
            out[i, 1] = y
            out[i, 2] = z
            out[i, 3] = least
            out[i, 4] = math.sqrt(1.0 - least * least)
    return out


@lean
def _is_flat(A, B):
    """Do two triangles lie in one plane, facing the same way?"""
    ux, uy, uz = normal(A)
    vx, vy, vz = normal(B)
    cx = uy * vz - uz * vy
    cy = uz * vx - ux * vz
    cz = ux * vy - uy * vx
    dot = ux * vx + uy * vy + uz * vz
    # so flat that a thousand such edges in a row still make a plane
    return dot > 0.0 and cx * cx + cy * cy + cz * cz <= 1e-18 * dot * dot
