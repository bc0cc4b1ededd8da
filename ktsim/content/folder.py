"""Paths that a file names: they stay inside the folder of that file and no part of them is a link."""

from __future__ import annotations

import re
import stat
from pathlib import Path

from ktsim.content.printable import printable


class OutsideFolder(ValueError):
    """A path that may not be followed; the message is a sentence without its subject."""


def inside(folder: Path, name: str) -> Path:
    """The ordinary file called *name* inside *folder*; :class:`OutsideFolder` says why there is none."""
    shown = printable(name, 80)
    if not name or not name.isprintable():
        raise OutsideFolder(f"'{shown}' is not a file name; use plain letters")
    if "://" in name or name.lower().startswith(("data:", "file:")):
        raise OutsideFolder(f"'{shown}' is an address; name a file in the same folder")
    if re.match(r"[A-Za-z]:", name) or name.startswith(("/", "\\", "~")) or ".." in re.split(r"[/\\]", name):
        raise OutsideFolder(f"'{shown}' leads out of the folder of the file that names it; put it inside")
    home = folder.resolve()
    try:
        path = (home / name).resolve()
        if not path.is_relative_to(home):
            raise OutsideFolder(f"'{shown}' is a link out of the folder of its file; put a copy inside")
        given = home / name
        if any(each.is_symlink() for each in (given, *given.parents) if each.is_relative_to(home) and each != home):
            raise OutsideFolder(f"'{shown}' is a link; put a copy in its place")
        status = path.stat()
    except FileNotFoundError:
        raise OutsideFolder(f"'{shown}' does not exist in the folder of the file that names it") from None
    except (OSError, RuntimeError):
        raise OutsideFolder(f"'{shown}' cannot be read; name a file in the same folder") from None
    if not stat.S_ISREG(status.st_mode):
        raise OutsideFolder(f"'{shown}' is not an ordinary file; name a file")
    return path
