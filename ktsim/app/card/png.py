"""PNG files from pixels with numpy and zlib alone; near-lossless where a size limit asks for it."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsim.content.atomic import write_atomically

README_LIMIT = 300_000
"""Bytes a picture in the documentation may have."""


def encoded(pixels: NDArray[np.uint8], step: int = 1) -> bytes:
    """A PNG of pixels (height, width, 3). Each row is stored as its difference from the row above, rounded to
    multiples of *step*: no channel is further than step / 2 from the truth, and 1 is lossless."""
    height, width, _ = pixels.shape
    above = np.zeros((width, 3), np.int16)
    rows = []
    for row in pixels.astype(np.int16):
        difference = row - above
        rounded = np.round(difference / step).astype(np.int16) * step if step > 1 else difference
        outside = (above + rounded < 0) | (above + rounded > 255)
        rounded[outside] = difference[outside]
        above = above + rounded
        rows.append(b"\x02" + (rounded % 256).astype(np.uint8).tobytes())
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(rows), 9 if step > 1 else 6)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", header) + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def resized(pixels: NDArray[np.uint8], width: int) -> NDArray[np.uint8]:
    """The picture at a smaller width, each pixel the mean of the area it covers."""
    height = max(1, round(pixels.shape[0] * width / pixels.shape[1]))
    smaller = _averaged(pixels.astype(np.float64), height)
    smaller = _averaged(smaller.transpose(1, 0, 2), width).transpose(1, 0, 2)
    return np.asarray(np.clip(np.round(smaller), 0, 255), np.uint8)


def _averaged(rows: NDArray[np.float64], count: int) -> NDArray[np.float64]:
    """Means over *count* equal stretches of the first axis."""
    sums = np.concatenate([np.zeros((1, *rows.shape[1:])), np.cumsum(rows, axis=0)])
    edges = np.linspace(0, len(rows), count + 1)
    whole = np.minimum(edges.astype(int), len(rows) - 1)
    part = (edges - whole)[:, None, None]
    at_edges = sums[whole] * (1 - part) + sums[whole + 1] * part
    return np.asarray(np.diff(at_edges, axis=0) * count / len(rows))


def within(pixels: NDArray[np.uint8], limit: int) -> bytes:
    """A PNG of at most *limit* bytes: first rounded so little that nobody sees it, then smaller."""
    width = pixels.shape[1]
    for share in (1.0, 0.75, 0.625, 0.5, 0.4, 0.3, 0.2, 0.1):
        smaller = pixels if share == 1.0 else resized(pixels, max(1, round(width * share)))
        for step in (1, 4, 7):
            data = encoded(smaller, step)
            if len(data) <= limit:
                return data
            if len(data) > 6 * limit:
                break  # no rounding makes up for that
    return data


def write_png(path: Path | str, pixels: NDArray[np.uint8], limit: int | None = None) -> None:
    """Write a picture, whole or not at all."""
    write_atomically(Path(path), encoded(pixels) if limit is None else within(pixels, limit))
