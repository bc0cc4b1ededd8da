"""The display: whether a window can be opened on it, asked before anything of Panda3D is imported; and how dense it is,
where Panda3D does not find out: X11 has many ways of saying so and no common one."""

from __future__ import annotations

import ctypes
import ctypes.util
import math
import os
import sys
from collections.abc import Callable, Mapping
from typing import NamedTuple

from ktsim.app.ui.settings import TEXT_SIZES
from ktsim.errors import UserError

NO_DISPLAY = "There is no display here to open a window on (DISPLAY is not set)."


class Unopened(UserError):
    """There is no display, or no window can be opened on it."""


def has_display() -> bool:
    """Whether there is something to open a window on. Panda3D's window needs X11 on Linux (XWayland is enough)."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY"))


USUAL_DPI = 96.0
LEAST, MOST = 0.5, 4.0
"""Densities outside of these are mistakes: screens that report no size, or one of a projector's wall."""


class XScreen(NamedTuple):
    """What an X server says of its screen: ``Xft.dpi`` if somebody has set it, its pixels and millimetres across."""

    resource: str
    pixels: int
    millimetres: int


def density(environ: Mapping[str, str], ask: Callable[[], XScreen | None]) -> float:
    """How many times as large as usual things are to be drawn: what the environment says for other programs, else the
    dots per inch set for the desktop, else those of the screen; 1 when nobody knows."""
    for name in ("QT_SCALE_FACTOR", "GDK_SCALE"):
        if (said := _number(environ.get(name, ""))) is not None:
            return said
    screen = ask()
    if screen is None:
        return 1.0
    if (dpi := _number(screen.resource, USUAL_DPI)) is not None:
        return dpi
    across = screen.millimetres / 25.4
    return _number(str(screen.pixels / across), USUAL_DPI) or 1.0 if across > 0 else 1.0


def _number(text: str, unit: float = 1.0) -> float | None:
    """The number written there in units of *unit*, if it is one a display can have."""
    try:
        value = float(text) / unit
    except ValueError:
        return None
    return value if math.isfinite(value) and LEAST <= value <= MOST else None


def text_size(dense: float) -> float:
    """The text size to begin with on such a display: the nearest of those on offer, never smaller than usual."""
    return max(1.0, min(TEXT_SIZES, key=lambda size: abs(math.log(size / dense))))


def first_text_size() -> float:
    """The text size to begin with here. On Windows and macOS Panda3D knows the density and scales everything by it."""
    return 1.0 if sys.platform in ("win32", "darwin") else text_size(density(os.environ, x_screen))


def x_screen() -> XScreen | None:
    """What the X server says; None where there is none, or no X11 to ask with."""
    name = ctypes.util.find_library("X11")
    if name is None:
        return None
    try:
        x11 = ctypes.CDLL(name)
        x11.XOpenDisplay.restype = ctypes.c_void_p
        x11.XOpenDisplay.argtypes = [ctypes.c_char_p]
        x11.XGetDefault.restype = ctypes.c_char_p
        x11.XGetDefault.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_char_p]
        x11.XDefaultScreen.argtypes = x11.XCloseDisplay.argtypes = [ctypes.c_void_p]
        x11.XDisplayWidth.argtypes = x11.XDisplayWidthMM.argtypes = [ctypes.c_void_p, ctypes.c_int]
    except (OSError, AttributeError):
        return None
    display = x11.XOpenDisplay(None)
    if not display:
        return None
    try:
        number = x11.XDefaultScreen(display)
        resource = x11.XGetDefault(display, b"Xft", b"dpi")
        said = resource.decode("ascii", "replace") if resource else ""
        return XScreen(said, x11.XDisplayWidth(display, number), x11.XDisplayWidthMM(display, number))
    finally:
        x11.XCloseDisplay(display)
