"""Pictures from outside: what is kept of them, and what is refused within two seconds."""

from __future__ import annotations

import io
import struct
import time
import zlib
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from ktsim.content import picture_worker
from ktsim.content.guarded import Died
from ktsim.content.picture_file import KEPT_LIMIT, Picture, decoded, read_picture
from ktsim.content.picture_worker import OURS, WrongImage, decode_picture
from ktsim.errors import UserError

NOISE = np.random.default_rng(1).integers(0, 255, (900, 1200, 3), dtype=np.uint8)


def file_of(picture: Image.Image, kind: str = "JPEG", **options: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **options)
    return out.getvalue()


def halves(width: int = 300, height: int = 200) -> Image.Image:
    """Red on the left, green on the right."""
    picture = Image.new("RGB", (width, height), "green")
    picture.paste("red", (0, 0, width // 2, height))
    return picture


def test_what_is_kept_is_small_and_stays_as_it_is() -> None:
    large = Image.fromarray(np.tile(NOISE, (4, 4, 1)))
    found = decoded(file_of(large, quality=95), "large.jpg")
    assert len(found.kept) <= KEPT_LIMIT
    assert found.size == (2048, 1536)
    again = decoded(found.kept, "again.jpg")
    assert again.kept == found.kept
    assert (again.pixels == found.pixels).all()


def test_a_picture_is_turned_upright_and_where_it_was_taken_is_not_kept() -> None:
    noted = Image.Exif()
    noted[0x0112] = 6  # its top is at the right
    noted[0x8825] = {1: "N", 2: (48.0, 8.0, 0.0)}
    data = file_of(halves(), exif=noted)
    found = Picture(*_unpacked(data))
    assert found.size == (200, 300)
    assert found.pixels[10, 100, 0] > 200, "red is at the top"
    assert b"Exif" not in found.kept
    claims = file_of(halves(), exif=noted, comment=OURS)
    assert b"Exif" not in _unpacked(claims)[0], "also where it says that it was kept before"


def _unpacked(data: bytes) -> tuple[bytes, np.ndarray]:
    made = decode_picture(data)
    width, height, length = picture_worker.HEADER.unpack_from(made)
    kept = made[picture_worker.HEADER.size :][:length]
    rest = made[picture_worker.HEADER.size + length :]
    return kept, np.frombuffer(rest, np.uint8).reshape(height, width, 3)


@pytest.mark.parametrize(("mode", "colour"), [("RGBA", (0, 0, 0, 0)), ("L", 255), ("P", 1), ("I;16", 65535), ("1", 1)])
def test_every_kind_of_png_becomes_plain_colours(mode: str, colour: object) -> None:
    picture = Image.new(mode, (100, 80), colour)  # type: ignore[arg-type]
    kept, pixels = _unpacked(file_of(picture, "PNG"))
    assert pixels.shape == (80, 100, 3)
    assert kept[:2] == b"\xff\xd8"
    if mode != "P":
        assert pixels.min() > 250, "what is clear is white"


def png(width: int, height: int, data: bytes = b"") -> bytes:
    """A PNG that claims to be so large."""
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IDAT", data), (b"IEND", b""))
    body = b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


HOSTILE = {
    "empty": (b"", "not a PNG or JPG"),
    "text": (b"ktsim: scene/1", "not a PNG or JPG"),
    "gif": (file_of(halves(), "GIF"), "not a PNG or JPG"),
    "cut": (file_of(halves(1000, 800))[:3000], "damaged or cut off"),
    "bomb": (png(60_000, 60_000, zlib.compress(bytes(1_000_000), 9)), "scale it down"),
    "unfilled": (png(4000, 4000, zlib.compress(bytes(1000))), "damaged or cut off"),
    "tiny": (file_of(halves(20, 20)), "at least 64 a side"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_pictures_are_refused(name: str) -> None:
    data, words = HOSTILE[name]
    with pytest.raises(WrongImage, match=words):
        decode_picture(data)


def test_a_refusal_names_the_file_within_two_seconds(tmp_path: Path) -> None:
    path = tmp_path / "board.jpg"
    path.write_bytes(HOSTILE["bomb"][0])
    start = time.process_time()
    with pytest.raises(UserError, match=r"board\.jpg: has 60000 x 60000 pixels.*scale it down"):
        read_picture(path)
    assert time.process_time() - start < 2
    for wrong in ("board.gif", "nothing.png"):
        with pytest.raises(UserError, match=wrong):
            read_picture(tmp_path / wrong)


def test_changed_bytes_never_raise_anything_else() -> None:
    random = np.random.default_rng(5)
    good = [file_of(halves(), "PNG"), file_of(Image.fromarray(NOISE[:200, :300]))]
    refused = 0
    for number in range(120):
        data = bytearray(good[number % 2])
        for at in random.integers(0, len(data), 6):
            data[at] = random.integers(0, 256)
        try:
            decode_picture(bytes(data))
        except WrongImage:
            refused += 1
    assert refused > 20


def test_a_worker_that_dies_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*words: str, **options: object) -> bytes:
        raise Died

    monkeypatch.setattr("ktsim.content.picture_file.output_of", dies)
    with pytest.raises(UserError, match="damaged or needs too much memory"):
        decoded(b"anything", "board.jpg")
