"""Making names in folders last, and keeping other programs from a file that is being written."""

from __future__ import annotations

import errno
import os
import sys
from io import FileIO
from pathlib import Path

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCKED_BYTE = 1 << 40
"""Windows locks bytes and keeps others from reading them; this one is beyond the end of every file."""


def flush_folder(folder: Path) -> None:
    """Make names in *folder* last; where folders cannot be opened (Windows) the system sees to it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock(file: FileIO) -> bool:
    """Take the file for this program until it is closed; whether it was free.

    Only a program that asks is kept out. File systems without locks let everybody in.
    """
    try:
        if sys.platform == "win32":
            place = file.tell()
            file.seek(LOCKED_BYTE)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            finally:
                file.seek(place)
        else:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
    return True
