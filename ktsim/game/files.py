"""Writing files so that a crash at any moment leaves the old or the new content, never half of one."""

from __future__ import annotations

import os
from pathlib import Path


def write_atomically(path: Path, text: str) -> None:
    """Write a new file beside *path*, flush it to disk, put it in its place, flush the folder."""
    fresh = path.with_name(f".{path.name}.new")
    with open(fresh, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(fresh, path)
    flush_folder(path.parent)


def flush_folder(folder: Path) -> None:
    """Make names in *folder* last; where folders cannot be opened (Windows) the system sees to it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
