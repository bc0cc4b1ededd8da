"""The icon: two bases on a board, and the line that passes the corner of a wall between them."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

FINE = 4
"""Every pixel is the mean of so many by so many."""
GROUND, EDGE, GRID = (0.105, 0.125, 0.15), (0.20, 0.235, 0.28), (0.15, 0.175, 0.21)
RED, BLUE, WALL, TOP, LINE = (
    (0.90, 0.33, 0.28),
    (0.30, 0.58, 0.95),
    (0.40, 0.42, 0.44),
    (0.60, 0.62, 0.63),
    (1.0, 0.84, 0.36),
)
LOOKER, LOOKED_AT = (0.27, 0.735), (0.755, 0.30)


def pixels(size: int) -> NDArray[np.uint8]:
    """The icon (size, size, 4), first row at the top, colours not multiplied with alpha."""
    n = size * FINE
    x, y = np.meshgrid((np.arange(n) + 0.5) / n, (np.arange(n) + 0.5) / n)
    colour = np.empty((n, n, 3))
    colour[:] = GROUND

    def box(left: float, top: float, right: float, bottom: float, corner: float) -> NDArray[np.float64]:
        dx = np.abs(x - (left + right) / 2) - (right - left) / 2 + corner
        dy = np.abs(y - (top + bottom) / 2) - (bottom - top) / 2 + corner
        return np.hypot(np.maximum(dx, 0), np.maximum(dy, 0)) + np.minimum(np.maximum(dx, dy), 0) - corner

    def disc(at: tuple[float, float], radius: float) -> NDArray[np.float64]:
        return np.hypot(x - at[0], y - at[1]) - radius

    if size >= 48:
        for k in range(1, 6):
            colour[(np.abs(x - k / 6) < 0.004) | (np.abs(y - k / 6) < 0.004)] = GRID
    thin = max(0.018, 0.75 / size)
    (ax, ay), (bx, by) = LOOKER, LOOKED_AT
    along = np.clip(((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2), 0, 1)
    beside = np.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay))
    for at, shade in ((LOOKER, RED), (LOOKED_AT, BLUE)):
        colour[disc(at, 0.155) < 0] = np.array(shade) * 0.45
        colour[disc(at, 0.125) < 0] = shade
    colour[beside < thin] = LINE
    colour[box(0.545, 0.47, 0.675, 0.86, 0.015) < 0] = WALL
    colour[box(0.545, 0.47, 0.675, 0.80, 0.015) < 0] = TOP
    for at in (LOOKER, LOOKED_AT):
        colour[disc(at, 0.045) < 0] = LINE
    outside = box(0.02, 0.02, 0.98, 0.98, 0.19)
    colour[(outside < 0) & (outside > -0.03)] = EDGE
    alpha = (outside < 0)[..., None].astype(float)
    both = np.concatenate([colour * alpha, alpha], axis=2).reshape(size, FINE, size, FINE, 4).mean(axis=(1, 3))
    both[..., :3] /= np.maximum(both[..., 3:], 1e-9)
    return np.asarray(np.clip(both * 255 + 0.5, 0, 255), dtype=np.uint8)


def png(size: int) -> bytes:
    rows = b"".join(b"\0" + row.tobytes() for row in pixels(size))

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


SIZES = (16, 32, 48, 256)


def ico() -> bytes:
    """The sizes that Windows shows, in one file."""
    pictures = [png(size) for size in SIZES]
    head, at = struct.pack("<HHH", 0, 1, len(SIZES)), 6 + 16 * len(SIZES)
    for size, picture in zip(SIZES, pictures, strict=True):
        head += struct.pack("<BBBBHHII", size % 256, size % 256, 0, 0, 1, 32, len(picture), at)
        at += len(picture)
    return head + b"".join(pictures)
