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


def halved(pixels: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture at half its size."""
    height, width = pixels.shape[0] // 2 * 2, pixels.shape[1] // 2 * 2
    squares = pixels[:height, :width].reshape(height // 2, 2, width // 2, 2, 3)
    return np.asarray(np.round(squares.mean(axis=(1, 3), dtype=np.float32)), np.uint8)


def within(pixels: NDArray[np.uint8], limit: int) -> bytes:
    """A PNG of at most *limit* bytes: rounded as little as that takes, at half size when rounding would show."""
    for step in (1, 3, 5, 8, 12):
        data = encoded(pixels, step)
        if len(data) <= limit:
            return data
    return within(halved(pixels), limit)


def write_png(path: Path | str, pixels: NDArray[np.uint8], limit: int | None = None) -> None:
    """Write a picture, whole or not at all."""
    write_atomically(Path(path), encoded(pixels) if limit is None else within(pixels, limit))
