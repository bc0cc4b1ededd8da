"""Cutting meshes: horizontal sections, outlines seen from above."""

from __future__ import annotations

import math

import numpy as np

from ktsim.geometry.kernels import kernel, lean

STRAIGHT = 1e-9
"""How far from a straight line what was joined into one may lie, in inches."""


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


@kernel
def joined(edges):
    """The edges (m, 4) with those made one that follow each other straight on: as many as a figure has sides, however
    finely it is cut. Nothing is joined where more than two meet."""
    m = edges.shape[0]
    key = np.empty(2 * m)
    for n in range(2 * m):
        key[n] = edges[n >> 1, 2 * (n & 1)] + 0.7310585786300049 * edges[n >> 1, 2 * (n & 1) + 1]
    order = np.argsort(key)
    other = np.full(2 * m, -1, np.int64)
    start = 0
    for stop in range(1, 2 * m + 1):
        if stop < 2 * m and key[order[stop]] == key[order[start]]:
            continue
        if stop - start == 2 and _is_same(edges, order[start], order[start + 1]):
            other[order[start]] = order[start + 1]
            other[order[start + 1]] = order[start]
        start = stop
    out = np.empty((m, 4))
    done = np.zeros(m, np.bool_)
    passed = np.empty((m, 2))
    count = 0
    for i in range(m):
        if done[i]:
            continue
        done[i] = True
        row = out[count]
        row[:] = edges[i]
        n = 0
        for side in range(2):
            end = 2 * i + 1 - side
            while True:
                n, end = _went_on(edges, other, done, row, 2 - 2 * side, end, passed, n)
                if end < 0:
                    break
        count += 1
    return out[:count].copy()


@lean
def _is_same(edges, a, b):
    """Are two ends of edges, end *e* of edge *i* being 2 i + e, the same point, and of different edges?"""
    i = a >> 1
    j = b >> 1
    p = 2 * (a & 1)
    q = 2 * (b & 1)
    return i != j and edges[i, p] == edges[j, q] and edges[i, p + 1] == edges[j, q + 1]


@lean
def _went_on(edges, other, done, row, at, end, passed, n):
    """Make *row*, whose coordinates from *at* on are the end *end* of an edge, longer by the edge that goes straight on
    from there. *passed*: the *n* corners it has passed. Returns how many they are now, and its new end; -1: it ends."""
    follows = other[end]
    if follows < 0 or done[follows >> 1]:
        return n, -1
    far = follows ^ 1
    x = edges[far >> 1, 2 * (far & 1)]
    y = edges[far >> 1, 2 * (far & 1) + 1]
    ax = row[2 - at]
    ay = row[3 - at]
    dx = x - ax
    dy = y - ay
    length = math.sqrt(dx * dx + dy * dy)
    bx = row[at] - ax
    by = row[at + 1] - ay
    if bx * (x - row[at]) + by * (y - row[at + 1]) <= 0.0:
        return n, -1
    passed[n, 0] = row[at]
    passed[n, 1] = row[at + 1]
    for k in range(n + 1):
        if abs((passed[k, 0] - ax) * dy - (passed[k, 1] - ay) * dx) > STRAIGHT * length:
            return n, -1
    done[follows >> 1] = True
    row[at] = x
    row[at + 1] = y
    return n + 1, far
