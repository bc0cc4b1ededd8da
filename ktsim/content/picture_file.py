"""Pictures from outside, PNG and JPG. A worker process with little memory and time decodes them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ktsim.content.files import read_bounded
from ktsim.content.guarded import Died, OutOfTime, RefusedFile, output_of
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError

PICTURES = (".png", ".jpg", ".jpeg")
FILE_LIMIT = 40_000_000
"""The largest picture file that is opened, in bytes."""

KEPT_LIMIT = 1_000_000
"""The most bytes of a picture that is kept beside a scene."""

SECONDS = 12
"""How long a worker may take on a machine that is busy; two seconds of work end it long before."""

_HEADER = 12


@dataclass(frozen=True, eq=False)
class Picture:
    """A decoded picture: *kept* is the JPG that is kept of it, at most 1 MB; *pixels* (height, width, 3) are what that
    JPG shows, first row at the top."""

    kept: bytes
    pixels: NDArray[np.uint8]

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        height, width, _ = self.pixels.shape
        return width, height


def read_picture(path: Path) -> Picture:
    """The picture in a file; :class:`UserError` when it is none that we read."""
    place = printable(str(path), 200)
    if path.suffix.lower() not in PICTURES:
        raise UserError(Problem(place, "is not a picture we read; save it as PNG or JPG"))
    return decoded(read_bounded(path, place, FILE_LIMIT, "a picture"), place)


@lru_cache(maxsize=4)
def decoded(data: bytes, place: str) -> Picture:
    """The picture in *data*, which came from *place*. A picture that was kept is kept as it is."""
    if len(data) > FILE_LIMIT:
        raise UserError(Problem(place, f"is {len(data) / 1e6:.0f} MB; at most {FILE_LIMIT // 1_000_000} MB are read"))
    try:
        made = output_of("picture", data=data, seconds=SECONDS)
        width, height, length = (int.from_bytes(made[i : i + 4], "big") for i in range(0, _HEADER, 4))
        kept, rest = made[_HEADER : _HEADER + length], made[_HEADER + length :]
        return Picture(kept, np.frombuffer(rest, np.uint8).reshape(height, width, 3))
    except RefusedFile as error:
        raise UserError(Problem(place, str(error))) from None
    except OutOfTime:
        raise UserError(Problem(place, "took too long to read; scale it down or save it as JPG")) from None
    except (Died, ValueError):
        text = "cannot be read: it is damaged or needs too much memory; save it again where it came from"
        raise UserError(Problem(place, text)) from None
