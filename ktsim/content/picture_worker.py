"""The process in which Pillow decodes one picture of a stranger, given on standard input.

Out comes the picture as it is kept: upright, no larger than it needs to be, without what a camera notes in it (such as
where it was taken); and its pixels, so that nobody else ever decodes it. How it ends says
:mod:`ktsim.content.guarded`.
"""

from __future__ import annotations

import io
import struct
import sys

from PIL import Image, ImageOps

from ktsim.content.guarded import REFUSED, limit_self

KINDS = ("JPEG", "PNG")
PIXEL_LIMIT = 64_000_000
LONGEST_SIDE = 2048
SHORTEST_SIDE = 64
KEPT_LIMIT = 1_000_000
"""The most bytes of a picture that is kept."""

QUALITIES = (90, 84, 76, 64, 48, 30)
OURS = b"kept by ktsim"
"""The comment of a picture that is kept as it is."""

HEADER = struct.Struct(">III")
"""Before what comes out: width, height, and how long the kept picture is. Its RGB pixels follow it, first row at the
top."""

SECONDS = 2


class WrongImage(ValueError):
    """What is wrong with a picture, as a sentence without its subject."""


def decode_picture(data: bytes) -> bytes:
    """A header, the picture as it is kept, its pixels. The same comes of a picture that was kept."""
    Image.MAX_IMAGE_PIXELS = None  # its size is looked at here, before anything is decoded
    try:
        picture = Image.open(io.BytesIO(data), formats=KINDS)
    except MemoryError:
        raise
    except Exception:  # whatever Pillow may think of
        raise WrongImage("is not a PNG or JPG picture; save it as one of these") from None
    width, height = picture.size
    if width * height > PIXEL_LIMIT:
        most = PIXEL_LIMIT // 1_000_000
        raise WrongImage(f"has {width} x {height} pixels; at most {most} million are read; scale it down")
    if min(width, height) < SHORTEST_SIDE:
        raise WrongImage(f"has {width} x {height} pixels; at least {SHORTEST_SIDE} a side are needed to see a board")
    try:
        is_kept = _is_kept(picture, len(data))
        picture.draft("RGB", (LONGEST_SIDE, LONGEST_SIDE))  # a JPG is decoded no larger than it is needed
        upright = _as_rgb(ImageOps.exif_transpose(picture) or picture)
    except MemoryError:
        raise
    except Exception:  # whatever Pillow may think of
        raise WrongImage("is damaged or cut off; save it again where it came from") from None
    upright.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
    kept = data if is_kept else _encoded(upright)
    if not is_kept:  # what is shown is what will be seen again
        upright = _as_rgb(Image.open(io.BytesIO(kept), formats=KINDS))
    return HEADER.pack(*upright.size, len(kept)) + kept + upright.tobytes()


def _is_kept(picture: Image.Image, size: int) -> bool:
    """Whether it has been through here before and is kept as it is."""
    noted = {"exif", "xmp", "icc_profile", "photoshop"} & set(picture.info)
    fits = size <= KEPT_LIMIT and max(picture.size) <= LONGEST_SIDE and picture.mode == "RGB"
    return picture.format == "JPEG" and picture.info.get("comment") == OURS and fits and not noted


def _as_rgb(picture: Image.Image) -> Image.Image:
    picture.load()
    if picture.mode.startswith(("I", "F")):  # more than 8 bits of grey
        picture = picture.point(lambda value: value / 256).convert("L")
    if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
        picture = Image.alpha_composite(Image.new("RGBA", picture.size, "white"), picture.convert("RGBA"))
    return picture if picture.mode == "RGB" else picture.convert("RGB")


def _encoded(picture: Image.Image) -> bytes:
    """A JPG that is small enough: in a lower quality first, then in fewer pixels."""
    while True:
        for quality in QUALITIES:
            out = io.BytesIO()
            picture.save(out, "JPEG", quality=quality, comment=OURS)
            if out.tell() <= KEPT_LIMIT:
                return out.getvalue()
        picture = picture.reduce(2)


def main() -> int:
    """Decode the picture on standard input."""
    limit_self(SECONDS)
    try:
        made = decode_picture(sys.stdin.buffer.read())
    except WrongImage as error:
        sys.stdout.buffer.write(str(error).encode())
        return REFUSED
    except MemoryError:
        sys.stdout.buffer.write(b"needs too much memory; scale it down")
        return REFUSED
    sys.stdout.buffer.write(made)
    return 0
