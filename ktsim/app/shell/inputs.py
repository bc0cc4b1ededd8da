"""What the window took in since it last looked, in its order: where each button of the mouse went down or up, and how
much is passed on before the next frame."""

from __future__ import annotations

import ctypes
import math
import sys
from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal, NamedTuple, Protocol

from ktsim.app.stage.picture import CLICK
from ktsim.app.ui.rect import Place

BUTTONS = ("mouse1", "mouse2", "mouse3")
"""What things are dragged with."""

WINDOW_PROCEDURE = -4
MESSAGES = (*range(0x0201, 0x0209), 0x020B, 0x020C)
"""Of Windows, for buttons of a mouse that go down or up."""
WHEEL, NOTCH = 0x020A, 120


class Input(NamedTuple):
    """The pointer's place, a button or key that went down or up, by Panda3D's name, or typed characters."""

    kind: Literal["point", "down", "up", "text"]
    name: str = ""
    at: Place = (0.0, 0.0)


class Target(Protocol):
    """Whom inputs are passed on to."""

    is_deaf: bool

    def pointer(self, x: float, y: float) -> None: ...
    def press(self, name: str, down: bool) -> None: ...
    def text(self, characters: str) -> None: ...


def is_of_mouse(button: str) -> bool:
    """Whether a button by Panda3D's name is one of the mouse, or its wheel."""
    return button.rpartition("-")[2].startswith(("mouse", "wheel"))


class Inputs:
    """Passes on what was taken in, as much at once as *target* understands.

    A widget tells over one frame that it was pressed, over another that it is dragged, and over a third that it was let
    go. So whoever presses, drags and lets go while one frame is drawn does it over several, as whoever takes longer.
    """

    def __init__(self, target: Target) -> None:
        self.target = target
        self.pointer: Place = (-1.0, -1.0)
        """Where it was when it was last taken in."""
        self._waiting: deque[Input] = deque()
        self._from: Place = self.pointer
        self._drag: Literal["", "pressed", "seen", "begun"] = ""
        """Whether a button is down that was not dragged away from *_from*, before a frame and after one, or was and no
        frame has been drawn since."""

    def take(self, events: Sequence[tuple[str, str]], places: Sequence[Place], last: Place) -> None:
        """*events* (``down``, ``up`` or ``text``, and what), the *places* of those that are of the mouse, as far as
        they are known, and where the pointer is now."""
        left = deque(places)
        if not any(kind != "text" and is_of_mouse(what) for kind, what in events):
            self._point(last)
        for kind, what in events:
            if kind == "text":
                self._waiting.append(Input("text", what))
                continue
            if is_of_mouse(what):
                self._point(left.popleft() if left else last)
            self._waiting.append(Input("down" if kind == "down" else "up", what, self.pointer))
        self._point(last)

    def _point(self, at: Place) -> None:
        if at != self.pointer:
            self.pointer = at
            self._waiting.append(Input("point", at=at))

    def pass_on(self) -> None:
        """Until a frame must be drawn. A deaf target is only told where the pointer is and what is let go."""
        target, waiting = self.target, self._waiting
        while waiting and (target.is_deaf or not self._needs_frame(waiting[0])):
            kind, name, at = waiting.popleft()
            if kind == "point":
                if self._drag == "seen" and self._is_away(at):
                    self._drag = "begun"
                target.pointer(*at)
            elif target.is_deaf and kind != "up":
                continue
            elif kind == "text":
                target.text(name)
            else:
                if name.rpartition("-")[2] in BUTTONS:
                    self._drag, self._from = "pressed" if kind == "down" else "", at
                target.press(name, kind == "down")

    def _needs_frame(self, next: Input) -> bool:
        if next.kind == "point":
            return self._drag == "pressed" and self._is_away(next.at)
        return self._drag == "begun"

    def _is_away(self, at: Place) -> bool:
        return math.dist(at, self._from) >= CLICK

    def drawn(self) -> None:
        """A frame shows what was passed on."""
        if self._drag == "pressed":
            self._drag = "seen"
        elif self._drag == "begun":
            self._drag = ""


def places_of_presses(before: Place, moves: Sequence[Place], are_of_mouse: Sequence[bool]) -> list[Place]:
    """Where the pointer was each time a button of the mouse went down or up; empty when it is not known.
    *are_of_mouse*: of all buttons and keys that went down or up, in their order, which are of the mouse.

    Panda3D tells which buttons there were, and apart from that where the pointer was, on X11 again for every button: a
    place that comes twice in a row is one's, or a motion of less than a pixel. Whoever presses and drags while a frame
    takes long means the first such place, and lets go at the last. For a key the place comes again too, nobody knows
    how often: keys that came first are held to have come before the pointer moved, those that came last after it did.
    """
    count = sum(are_of_mouse)
    found = [place for was, place in pairwise([before, *moves]) if place == was]
    while len(found) > count > 0 and not are_of_mouse[0] and found[0] == before:
        del found[0]
    while len(found) > count > 0 and not are_of_mouse[-1] and found[-1] == moves[-1]:
        del found[-1]
    if len(found) < count or not count:
        return []
    return [found[i * (len(found) - 1) // max(1, count - 1)] for i in range(count)]


def places_of_message(message: int, wide: int, long: int, origin: Place) -> list[Place]:
    """Where the pointer was in a window whose corner is at *origin* of the display, once for each button that Panda3D
    makes of a message of Windows: none, one, or down and up for every notch of the wheel."""
    x, y = (ctypes.c_int16(part & 0xFFFF).value for part in (long, long >> 16))
    if message in MESSAGES:
        return [(float(x), float(y))]
    if message == WHEEL:
        notches = math.ceil(abs(ctypes.c_int16(wide >> 16 & 0xFFFF).value) / NOTCH)
        return [(x - origin[0], y - origin[1])] * (2 * notches)
    return []


if sys.platform == "win32":
    from ctypes import wintypes

    _USER = ctypes.WinDLL("user32")
    _PROCEDURE = ctypes.WINFUNCTYPE(ctypes.c_ssize_t, wintypes.HWND, wintypes.UINT, wintypes.WPARAM, wintypes.LPARAM)
    _USER.SetWindowLongPtrW.argtypes = (wintypes.HWND, ctypes.c_int, ctypes.c_void_p)
    _USER.SetWindowLongPtrW.restype = ctypes.c_void_p
    _USER.CallWindowProcW.argtypes = (ctypes.c_void_p, *_PROCEDURE._argtypes_)  # type: ignore[attr-defined]
    _USER.CallWindowProcW.restype = ctypes.c_ssize_t
    _USER.ClientToScreen.argtypes = (wintypes.HWND, ctypes.POINTER(wintypes.POINT))

    class Overheard:
        """Where the pointer was at every button of the mouse, from the messages of a window of Windows, where Panda3D
        does not tell where one went up. It listens until it is closed, before the window."""

        def __init__(self, window: int) -> None:
            self._window = window
            self._places: list[Place] = []
            self._hears = _PROCEDURE(self._hear)
            address = ctypes.cast(self._hears, ctypes.c_void_p)
            self._before = _USER.SetWindowLongPtrW(window, WINDOW_PROCEDURE, address)

        def _hear(self, window: int, message: int, wide: int, long: int) -> int:
            if message in MESSAGES or message == WHEEL:
                corner = wintypes.POINT(0, 0)
                _USER.ClientToScreen(window, ctypes.byref(corner))
                self._places += places_of_message(message, wide, long, (corner.x, corner.y))
            return int(_USER.CallWindowProcW(self._before, window, message, wide, long))

        def taken(self) -> list[Place]:
            """Each place once."""
            places, self._places = self._places, []
            return places

        def close(self) -> None:
            _USER.SetWindowLongPtrW(self._window, WINDOW_PROCEDURE, self._before)


def listener(window: int) -> Any:
    """What overhears the messages of a window where that is needed; None elsewhere."""
    if sys.platform == "win32":
        return Overheard(window)
    return None
