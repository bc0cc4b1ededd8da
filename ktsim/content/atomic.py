"""Writing a file so that a crash leaves the old one or the new one, never half of either."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError


def write_atomically(path: Path, data: bytes) -> None:
    """Write *data* to *path*: a new file beside it, made durable, then put in its place."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    except OSError as error:
        raise UserError(
            Problem(printable(str(path), 200), f"cannot be written: {error.strerror}; choose another folder")
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes the file private; a scene is as readable as any other file the user makes.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise UserError(
            Problem(printable(str(path), 200), f"cannot be written: {error.strerror}; choose another place")
        ) from None
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
