"""Files dropped on the window, where it is one of X11: Panda3D itself takes none.

The window names a window of ours as its proxy (XDND), and a connection of our own listens there. Where X11 cannot be
had nothing is dropped, and *Open* does the same.
"""

from __future__ import annotations

import ctypes
import ctypes.util
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

VERSION = 5
CLIENT_MESSAGE, SELECTION_NOTIFY = 33, 31
REPLACE, WHOLE = 0, 32
MOST_BYTES = 100_000
"""The longest list of files that is read."""
_LONG = ctypes.c_long


class _ClientMessage(ctypes.Structure):
    _fields_ = (
        *(("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int)),
        *(("display", ctypes.c_void_p), ("window", ctypes.c_ulong), ("message", ctypes.c_ulong)),
        *(("format", ctypes.c_int), ("data", _LONG * 5)),
    )


class _Event(ctypes.Union):
    _fields_ = (("type", ctypes.c_int), ("client", _ClientMessage), ("room", _LONG * 24))


def _library() -> Any | None:
    """X11's functions, with the types that are not whole numbers; None where there is no X11."""
    name = ctypes.util.find_library("X11")
    if name is None:
        return None
    x11 = ctypes.CDLL(name)
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XDefaultRootWindow.restype = x11.XCreateSimpleWindow.restype = x11.XInternAtom.restype = ctypes.c_ulong
    for function in (x11.XDefaultRootWindow, x11.XPending, x11.XFlush, x11.XCloseDisplay):
        function.argtypes = [ctypes.c_void_p]
    return x11


class DropTarget:
    """Takes files that are dropped on one window, by its X11 id. *taken* gives each of them once."""

    def __init__(self, window: int, x11: Any, display: int) -> None:
        self.window, self._x11, self._display = window, x11, ctypes.c_void_p(display)
        root = x11.XDefaultRootWindow(self._display)
        none = ctypes.c_ulong(0)
        make = (ctypes.c_ulong(root), -10, -10, 1, 1, 0, none, none)
        self.proxy = int(x11.XCreateSimpleWindow(self._display, *make))
        for each in (self.proxy, window):
            self._set(each, "XdndAware", "ATOM", VERSION)
            self._set(each, "XdndProxy", "WINDOW", self.proxy)
        x11.XFlush(self._display)
        self._source = 0

    @classmethod
    def on(cls, window: int) -> DropTarget | None:
        """For the window with that id; None where nothing can be dropped."""
        x11 = _library()
        display = x11.XOpenDisplay(None) if x11 is not None else None
        return cls(window, x11, display) if display else None

    def _atom(self, name: str) -> int:
        return int(self._x11.XInternAtom(self._display, name.encode(), 0))

    def _set(self, window: int, name: str, kind: str, value: int) -> None:
        held = _LONG(value)
        about = (ctypes.c_ulong(self._atom(name)), ctypes.c_ulong(self._atom(kind)), WHOLE, REPLACE)
        self._x11.XChangeProperty(self._display, ctypes.c_ulong(window), *about, ctypes.byref(held), 1)

    def taken(self) -> list[Path]:
        """The files dropped since this was asked last. Costs nothing while there are none."""
        found: list[Path] = []
        while self._x11.XPending(self._display):
            event = _Event()
            self._x11.XNextEvent(self._display, ctypes.byref(event))
            if event.type == CLIENT_MESSAGE:
                self._answer(event.client)
            elif event.type == SELECTION_NOTIFY:
                found += files_in(self._read())
                self._tell("XdndFinished", 1, self._atom("XdndActionCopy"))
        return found

    def _answer(self, message: _ClientMessage) -> None:
        """What drags asks on its way: whatever it is, it may be dropped; what it is, is read then."""
        if message.message == self._atom("XdndPosition"):
            self._source = int(message.data[0])
            self._tell("XdndStatus", 1, 0, 0, self._atom("XdndActionCopy"))
        elif message.message == self._atom("XdndDrop"):
            self._source = int(message.data[0])
            names = ("XdndSelection", "text/uri-list", "XdndSelection")
            about = (ctypes.c_ulong(self._atom(name)) for name in names)
            moment = ctypes.c_ulong(message.data[2] & 0xFFFFFFFF)
            self._x11.XConvertSelection(self._display, *about, ctypes.c_ulong(self.proxy), moment)
            self._x11.XFlush(self._display)

    def _tell(self, name: str, *data: int) -> None:
        event = _Event()
        event.client.type, event.client.window, event.client.format = CLIENT_MESSAGE, self._source, WHOLE
        event.client.message = self._atom(name)
        for number, value in enumerate((self.window, *data)):
            event.client.data[number] = value
        self._x11.XSendEvent(self._display, ctypes.c_ulong(self._source), 0, _LONG(0), ctypes.byref(event))
        self._x11.XFlush(self._display)

    def _read(self) -> bytes:
        kind, form, count, left = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        held = ctypes.POINTER(ctypes.c_ubyte)()
        where = (ctypes.c_ulong(self.proxy), ctypes.c_ulong(self._atom("XdndSelection")))
        answers = (ctypes.byref(each) for each in (kind, form, count, left, held))
        self._x11.XGetWindowProperty(
            self._display, *where, _LONG(0), _LONG(MOST_BYTES // 4), 1, ctypes.c_ulong(0), *answers
        )
        if not held or form.value != 8:
            return b""
        data = bytes(held[: count.value])
        self._x11.XFree(held)
        return data

    def close(self) -> None:
        self._x11.XCloseDisplay(self._display)


def files_in(uris: bytes) -> list[Path]:
    """The files of this machine in a list of addresses, one to a line."""
    lines = uris.decode("utf-8", "replace").replace("\0", "").splitlines()
    parts = (urlsplit(line.strip()) for line in lines if not line.startswith("#"))
    return [Path(unquote(part.path)) for part in parts if part.scheme == "file" and part.path]
