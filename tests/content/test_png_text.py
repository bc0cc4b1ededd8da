"""A scene inside a picture: put in, taken out, and nothing that a hostile picture could do with it."""

from __future__ import annotations

import contextlib
import io
import struct
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ktsim.content.png_text import SCENE, TEXT_LIMIT, WrongPicture, encoded, text_of, with_text

PICTURE = encoded(np.random.default_rng(1).integers(0, 256, (20, 30, 3)).astype(np.uint8))
TEXT = "ktsim: scene/1\nedition: kt24\noperatives:\n  - {id: ä, team: 赤, at: [5, 11]}\n"


def chunk(data: bytes) -> bytes:
    return struct.pack(">I", len(data) - 4) + data + struct.pack(">I", zlib.crc32(data))


def carrying(data: bytes) -> bytes:
    """The picture with this behind the keyword."""
    return PICTURE[:-12] + chunk(b"iTXt" + SCENE.encode() + b"\0" + data) + PICTURE[-12:]


def test_what_is_put_in_comes_out() -> None:
    card = with_text(PICTURE, SCENE, TEXT)
    assert text_of(card, SCENE) == TEXT
    assert text_of(card, "another") is None
    assert text_of(PICTURE, SCENE) is None
    assert text_of(with_text(card, "another", "x"), SCENE) == TEXT
    assert text_of(carrying(b"\0\0\0\0" + TEXT.encode()), SCENE) == TEXT, "as a program that does not pack it saves it"


def test_others_still_read_the_picture() -> None:
    image = pytest.importorskip("PIL.Image")
    before, after = (image.open(io.BytesIO(data)) for data in (PICTURE, with_text(PICTURE, SCENE, TEXT)))
    assert (np.asarray(before.convert("RGB")) == np.asarray(after.convert("RGB"))).all()
    after.load()
    assert after.text[SCENE] == TEXT


def test_the_text_is_bounded() -> None:
    assert len(text_of(with_text(PICTURE, SCENE, "a" * TEXT_LIMIT), SCENE) or "") == TEXT_LIMIT
    for packed in (zlib.compress(b"a" * (TEXT_LIMIT + 1)), zlib.compress(b"\0" * 300_000_000, 9)):
        with pytest.raises(WrongPicture, match="more than 1 MB"):
            text_of(carrying(b"\1\0\0\0" + packed), SCENE)
    with pytest.raises(WrongPicture, match="more than 1 MB"):
        text_of(carrying(b"\0\0\0\0" + b"a" * (TEXT_LIMIT + 1)), SCENE)


PACKED = zlib.compress(TEXT.encode())


@pytest.mark.parametrize("text", [b"", b"\1", b"\1\0\0", b"\1\0\0\0", b"\1\0\0\0junk", b"\0\0\0\0\xff\xfe"])
def test_a_text_that_cannot_be_read(text: bytes) -> None:
    for data in (text, b"\1\0\0\0" + PACKED[:-5]):
        with pytest.raises(WrongPicture, match="cannot be read"):
            text_of(carrying(data), SCENE)
    assert text_of(carrying(b"\1\0\0\0" + PACKED), SCENE) == TEXT


def test_pictures_that_are_none() -> None:
    with pytest.raises(WrongPicture, match="not a PNG"):
        text_of(b"\xff\xd8\xff\xe0 JFIF", SCENE)
    card = with_text(PICTURE, SCENE, TEXT)
    at = card.index(SCENE.encode()) + 20
    for damaged in (card[:-30], card[: at - 40], card[:at] + b"\0\0" + card[at + 2 :], card + b"more"):
        with pytest.raises(WrongPicture, match="damaged"):
            text_of(damaged, "another" if damaged == card + b"more" else SCENE)


@given(st.integers(0, 10_000), st.integers(0, 255), st.booleans())
def test_no_damage_does_harm(at: int, byte: int, cut: bool) -> None:
    card = bytearray(with_text(PICTURE, SCENE, TEXT))
    at %= len(card)
    card[at] = byte
    with contextlib.suppress(WrongPicture):
        assert text_of(bytes(card[:at] if cut else card), SCENE) in (None, TEXT)
