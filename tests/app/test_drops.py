"""Files dropped on the window: the protocol of X11 with a source of our own, and what comes of what was dropped."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine
from display_driver import display, needs_display

from ktsim import paths
from ktsim.app.shell import drops
from ktsim.app.shell.drops import DropTarget, files_in

__all__ = ["display", "driver", "engine"]
SELECTION_REQUEST = 30


class _Request(ctypes.Structure):
    """A SelectionRequest; without its owner it has the fields of a SelectionNotify."""

    _fields_ = (
        *(("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int)),
        *(("display", ctypes.c_void_p), ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong)),
        *(("selection", ctypes.c_ulong), ("target", ctypes.c_ulong), ("property", ctypes.c_ulong)),
        ("time", ctypes.c_ulong),
    )


class Source(DropTarget):
    """A file manager from which something is dragged: it sends what a target is sent, and hands the list over."""

    def drag_onto(self, window: int, proxy: int, uris: bytes) -> None:
        self.window, self._source, self.uris = self.proxy, proxy, uris
        chosen = ctypes.c_ulong(self._atom("XdndSelection"))
        self._x11.XSetSelectionOwner(self._display, chosen, ctypes.c_ulong(self.proxy), ctypes.c_ulong(0))
        for name in ("XdndEnter", "XdndPosition", "XdndDrop"):
            self._tell(name, 0, 0, 0, 0)

    def serve(self) -> list[str]:
        """Answer who asks for the list; the names of the messages that came back."""
        names = {self._atom(name): name for name in ("XdndStatus", "XdndFinished")}
        heard = []
        while self._x11.XPending(self._display):
            event = drops._Event()
            self._x11.XNextEvent(self._display, ctypes.byref(event))
            if event.type == drops.CLIENT_MESSAGE:
                heard.append(names.get(event.client.message, "?"))
            elif event.type == SELECTION_REQUEST:
                asked = _Request.from_buffer(event)
                where = (ctypes.c_ulong(asked.requestor), ctypes.c_ulong(asked.property), ctypes.c_ulong(asked.target))
                self._x11.XChangeProperty(self._display, *where, 8, 0, self.uris, len(self.uris))
                told = drops._Event()
                told.type = drops.SELECTION_NOTIFY
                told.client.window, told.client.message = asked.requestor, asked.selection
                self._x11.XSendEvent(self._display, ctypes.c_ulong(asked.requestor), 0, 0, ctypes.byref(told))
                self._x11.XFlush(self._display)
        return heard


@pytest.fixture
def pair(display: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Source, DropTarget]]:
    monkeypatch.setenv("DISPLAY", display)
    x11 = drops._library()
    assert x11 is not None
    connection = x11.XOpenDisplay(None)
    root = int(x11.XDefaultRootWindow(ctypes.c_void_p(connection)))
    window = Source(root, x11, connection).proxy  # somebody else's window, as the program's is Panda3D's
    target, source = DropTarget.on(window), Source.on(window)
    assert target is not None
    assert source is not None
    yield source, target
    target.close()
    source.close()


@needs_display
def test_a_list_of_files_is_taken_from_whoever_drags_it(pair: tuple[Source, DropTarget]) -> None:
    source, target = pair
    assert target.taken() == []
    source.drag_onto(target.window, target.proxy, b"file:///tmp/a%20card.png\r\nfile:///tmp/two.yaml\r\n")
    found: list[Path] = []
    heard: list[str] = []
    until = time.monotonic() + 20
    while time.monotonic() < until and "XdndFinished" not in heard:
        found += target.taken()
        heard += source.serve()
        time.sleep(0.01)
    assert found == [Path("/tmp/a card.png"), Path("/tmp/two.yaml")]
    assert heard == ["XdndStatus", "XdndFinished"]
    assert target.taken() == []


@pytest.mark.parametrize(
    ("uris", "paths"),
    [
        (b"", []),
        (b"# comment\r\nfile:///a/b.png\r\n", ["/a/b.png"]),
        (b"file://host/a.png", ["/a.png"]),
        (b"http://somewhere/card.png", []),
        (b"\xff\xfe\x00 junk", []),
        (b"file:///\xc3\xa4.png\0", ["/ä.png"]),
    ],
)
def test_only_files_of_this_machine_are_taken(uris: bytes, paths: list[str]) -> None:
    assert files_in(uris) == [Path(path) for path in paths]


def test_what_is_dropped_lies_on_the_table_or_says_why_not(driver: Driver, tmp_path: Path) -> None:
    driver.desktop.drop(paths.killzones() / "examples" / "two-features.yaml")
    driver.settle()
    assert driver.desktop.top is driver.table
    assert [one.id for one in driver.model.scene.operatives] == ["a", "b"]
    (tmp_path / "photo.png").write_bytes(b"GIF89a")
    driver.desktop.drop(tmp_path / "photo.png")
    driver.settle()
    assert "is not a PNG or JPG picture" in driver.desktop.notice
    assert [one.id for one in driver.model.scene.operatives] == ["a", "b"]
    driver.key("f1")
    driver.desktop.drop(paths.killzones() / "examples" / "open-ground.yaml")
    driver.settle()
    assert "Close this first" in driver.desktop.notice
