"""Whether a window can be opened here; asked before anything of Panda3D is imported."""

from __future__ import annotations

import os
import sys

from ktsim.errors import UserError

NO_DISPLAY = "There is no display here to open a window on (DISPLAY is not set)."


class Unopened(UserError):
    """There is no display, or no window can be opened on it."""


def has_display() -> bool:
    """Whether there is something to open a window on. Panda3D's window needs X11 on Linux (XWayland is enough)."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY"))
