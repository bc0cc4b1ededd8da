"""PNG pictures: pixels packed as one, and text carried in one, in a chunk of its own that viewers pass over."""

from __future__ import annotations

import struct
import zlib

import numpy as np
from numpy.typing import NDArray

SCENE = "ktsim-scene"
"""The keyword of the scene that a card shows."""

TEXT_LIMIT = 1_000_000
"""The longest text that is unpacked, in bytes."""

EFFORT = 2
"""How hard pixels are packed: a little harder takes much longer and saves little."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_END = struct.pack(">I4sI", 0, b"IEND", zlib.crc32(b"IEND"))


class WrongPicture(ValueError):
    """What is wrong with a picture, as a sentence without its subject."""


def encoded(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG of pixels (height, width, 3), first row at the top."""
    height, width, _ = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return _SIGNATURE + _chunk(b"IHDR" + header) + _chunk(b"IDAT" + packed_rows(pixels)) + _END


def packed_rows(pixels: NDArray[np.uint8]) -> bytes:
    """Pixels as PNG and PDF have them: each row as its difference from the one above, compressed."""
    height, width, _ = pixels.shape
    rows = np.empty((height, 1 + width * 3), np.uint8)
    rows[:, 0] = 2  # says so
    flat = pixels.reshape(height, -1)
    rows[0, 1:] = flat[0]
    np.subtract(flat[1:], flat[:-1], out=rows[1:, 1:])
    return zlib.compress(rows.tobytes(), EFFORT)


def _chunk(data: bytes) -> bytes:
    """A chunk of its kind and content."""
    return struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))


def with_text(png: bytes, keyword: str, text: str) -> bytes:
    """The same picture with *text* under *keyword* (an ``iTXt`` chunk before its end)."""
    assert png.endswith(_END)
    data = b"iTXt" + keyword.encode("latin-1") + b"\0\1\0\0\0" + zlib.compress(text.encode("utf-8"), 9)
    return png[: -len(_END)] + _chunk(data) + _END


def text_of(png: bytes, keyword: str) -> str | None:
    """The text under *keyword*; None when the picture has none. :class:`WrongPicture` when it cannot be read."""
    if not png.startswith(_SIGNATURE):
        raise WrongPicture("is not a PNG picture")
    at, wanted = len(_SIGNATURE), b"iTXt" + keyword.encode("latin-1") + b"\0"
    while at + 12 <= len(png):
        end = at + 12 + int.from_bytes(png[at : at + 4], "big")
        if png.startswith(wanted, at + 4, end):
            data = png[at + 4 : end - 4]
            if zlib.crc32(data) != int.from_bytes(png[end - 4 : end], "big"):
                break
            return _unpacked(data[len(wanted) :])
        at = end
    if at == len(png):
        return None
    raise WrongPicture("is damaged; save it again where it came from")


def _unpacked(data: bytes) -> str:
    """What follows the keyword: whether it is packed and how, a language, the keyword in it, the text."""
    try:
        _, _, text = data[2:].split(b"\0", 2)
        unpacker = zlib.decompressobj()
        is_packed = bool(data[0])
        text = unpacker.decompress(text, TEXT_LIMIT + 1) if is_packed else text
        if len(text) <= TEXT_LIMIT and (unpacker.eof or not is_packed):
            return text.decode("utf-8")
    except (zlib.error, ValueError):
        text = b""
    if len(text) > TEXT_LIMIT:
        raise WrongPicture(f"carries a text of more than {TEXT_LIMIT // 1_000_000} MB")
    raise WrongPicture("carries a text that cannot be read; save it again where it came from")
