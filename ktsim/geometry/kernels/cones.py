"""A bundle of lines from one point to a stretch of a figure's rim: what is surely apart from all of them."""

from __future__ import annotations

import math

from ktsim.geometry.kernels import lean
from ktsim.geometry.kernels.planar import rim, support


@lean
def bounds(px, py, pz, T, tz, b0, b1, r, body, axes):
    """Around all lines from p to the rim of T between the angles b0 and b1: a solid with the corners *body* (5, 3),
    and directions (n, low, high) in *axes* (5, 5) between whose limits lie all points within r of it. Returns the
    middle end, its normal, and how far the other ends are from it."""
    am = 0.5 * (b0 + b1)
    nx = math.cos(am)
    ny = math.sin(am)
    ex, ey = rim(T, nx, ny)
    ax, ay = rim(T, math.cos(b0), math.sin(b0))
    bx, by = rim(T, math.cos(b1), math.sin(b1))
    s = math.sqrt(max((ax - ex) ** 2 + (ay - ey) ** 2, (bx - ex) ** 2 + (by - ey) ** 2))
    # the rim bulges from the chord by no more than this
    cx = by - ay
    cy = ax - bx
    l = math.sqrt(cx * cx + cy * cy)
    if l > 1e-12:
        cx /= l
        cy /= l
        if cx * nx + cy * ny < 0.0:
            cx = -cx
            cy = -cy
    else:
        cx = nx
        cy = ny
    out = max(0.0, support(T, cx, cy) - cx * ax - cy * ay)
    for k in range(5):
        body[k, 0] = px if k == 0 else (ax if k % 2 == 1 else bx)
        body[k, 1] = py if k == 0 else (ay if k % 2 == 1 else by)
        body[k, 2] = pz if k == 0 else tz
        if k > 2:
            body[k, 0] += out * cx
            body[k, 1] += out * cy
    dz = tz - pz
    ux = ax - px
    uy = ay - py
    vx = bx - px
    vy = by - py
    mx = uy * dz - dz * vy
    my = dz * vx - ux * dz
    mz = ux * vy - uy * vx
    for k in range(5):
        if k == 0:
            x = mx
            y = my
            z = mz
        elif k == 1:  # beside the first line
            x = uy * mz - dz * my
            y = dz * mx - ux * mz
            z = ux * my - uy * mx
        elif k == 2:  # beside the last
            x = vy * mz - dz * my
            y = dz * mx - vx * mz
            z = vx * my - vy * mx
        elif k == 3:  # behind their start
            x = ex - px
            y = ey - py
            z = dz
        else:  # behind their ends
            x = cx
            y = cy
            z = 0.0
        l = math.sqrt(x * x + y * y + z * z)
        if l > 1e-200:
            x /= l
            y /= l
            z /= l
        low = 1e300
        high = -1e300
        for j in range(5):
            h = x * body[j, 0] + y * body[j, 1] + z * body[j, 2]
            low = min(low, h)
            high = max(high, h)
        axes[k, 0] = x
        axes[k, 1] = y
        axes[k, 2] = z
        axes[k, 3] = low - r
        axes[k, 4] = high + r
    return ex, ey, nx, ny, s


@lean
def box_apart(nodes, i, axes):
    """Is box i wholly outside the limits of one of the axes?"""
    for k in range(5):
        x = axes[k, 0]
        y = axes[k, 1]
        z = axes[k, 2]
        low = (
            x * (nodes[i, 0] if x > 0.0 else nodes[i, 3])
            + y * (nodes[i, 1] if y > 0.0 else nodes[i, 4])
            + z * (nodes[i, 2] if z > 0.0 else nodes[i, 5])
        )
        if low > axes[k, 4]:
            return True
        high = (
            x * (nodes[i, 3] if x > 0.0 else nodes[i, 0])
            + y * (nodes[i, 4] if y > 0.0 else nodes[i, 1])
            + z * (nodes[i, 5] if z > 0.0 else nodes[i, 2])
        )
        if high < axes[k, 3]:
            return True
    return False


@lean
def triangle_apart(t, axes, body, r):
    """Is triangle t wholly outside the limits of one of the axes, or the body wholly to one side of it?"""
    for k in range(5):
        x = axes[k, 0]
        y = axes[k, 1]
        z = axes[k, 2]
        a = x * t[0] + y * t[1] + z * t[2]
        b = x * t[3] + y * t[4] + z * t[5]
        c = x * t[6] + y * t[7] + z * t[8]
        if min(a, min(b, c)) > axes[k, 4] or max(a, max(b, c)) < axes[k, 3]:
            return True
    ux = t[3] - t[0]
    uy = t[4] - t[1]
    uz = t[5] - t[2]
    vx = t[6] - t[0]
    vy = t[7] - t[1]
    vz = t[8] - t[2]
    x = uy * vz - uz * vy
    y = uz * vx - ux * vz
    z = ux * vy - uy * vx
    low = 1e300
    high = -1e300
    for j in range(5):
        h = x * (body[j, 0] - t[0]) + y * (body[j, 1] - t[1]) + z * (body[j, 2] - t[2])
        low = min(low, h)
        high = max(high, h)
    if low <= 0.0 <= high:
        return False
    h = low if low > 0.0 else -high
    return h * h > r * r * (x * x + y * y + z * z)
