"""Reading a file that somebody named: an ordinary one, no larger than it can sensibly be."""

from __future__ import annotations

import stat
from pathlib import Path

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError


def read_bounded(path: Path, place: str, limit: int, kind: str) -> bytes:
    """The bytes of *path*, of which there may be *limit*; :class:`UserError` at *place* when it is not *kind* of file
    (``a YAML file``) that can be read. Never waits: pipes and devices are refused."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise UserError(Problem(place, f"is a folder; name {kind}"))
        if not stat.S_ISREG(status.st_mode):
            raise UserError(Problem(place, f"is not an ordinary file; name {kind}"))
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise UserError(Problem(place, "does not exist; check the name")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name is not possible"
        raise UserError(Problem(place, f"cannot be read: {printable(reason)}")) from None
    if len(data) > limit:
        size = max(status.st_size, len(data))
        raise UserError(Problem(place, f"is {size / 1e6:.1f} MB; at most {limit // 1_000_000} MB is read"))
    return data
