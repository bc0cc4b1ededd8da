"""Text in a picture: a PNG carries it in a chunk of its own, which viewers pass over."""

from __future__ import annotations

import struct
import zlib

SCENE = "ktsim-scene"
"""The keyword of the scene that a card shows."""

TEXT_LIMIT = 1_000_000
"""The longest text that is unpacked, in bytes."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_END = struct.pack(">I4sI", 0, b"IEND", zlib.crc32(b"IEND"))


class WrongPicture(ValueError):
    """What is wrong with a picture, as a sentence without its subject."""


def with_text(png: bytes, keyword: str, text: str) -> bytes:
    """The same picture with *text* under *keyword* (an ``iTXt`` chunk before its end)."""
    assert png.endswith(_END)
    data = b"iTXt" + keyword.encode("latin-1") + b"\0\1\0\0\0" + zlib.compress(text.encode("utf-8"), 9)
    return png[: -len(_END)] + struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data)) + _END


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
