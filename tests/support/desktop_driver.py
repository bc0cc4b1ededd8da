"""A desktop without a window, driven as a person would: pointer, buttons, keys, and widgets by name."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from panda3d.core import Texture

from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.screen import RulingTable
from ktsim.app.ruling.table_view import TableView
from ktsim.app.shell.desktop import Desktop
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.stage.picture import TablePicture
from ktsim.app.ui.settings import Settings


class Driver:
    """Draws into a buffer of *size* units with *scale* pixels each. Clicks are counted."""

    def __init__(
        self,
        engine: Engine,
        size: tuple[int, int] = (1024, 640),
        text: float = 1.0,
        scale: float = 1.0,
        settings: Settings | None = None,
    ) -> None:
        self.engine = engine
        self.texture: Texture = colour_texture("desktop")
        self.scale = scale
        pixels = (round(size[0] * scale), round(size[1] * scale))
        self.output = engine.buffer("desktop", pixels, 0, colour=self.texture)
        self.time = 0.0
        self.desktop = Desktop(
            engine,
            self.output,
            pixels,
            scale,
            settings=settings or Settings(text=text),
            clock=self._clock,
        )
        self.desktop.raises_faults = True
        self.clicks = 0
        self.settle()

    def _clock(self) -> float:
        """A clock that is a tenth of a second later whenever it is read: motions end after a few frames."""
        self.time += 0.1
        return self.time

    @property
    def table(self) -> RulingTable:
        assert self.desktop.table is not None
        return self.desktop.table

    @property
    def view(self) -> TableView:
        return self.table.view

    @property
    def picture(self) -> TablePicture:
        return self.view.picture

    @property
    def model(self) -> TableModel:
        return self.view.model

    def settle(self) -> None:
        """Draw until nothing more is wanted."""
        for _ in range(20):
            self.desktop.frame()
            table = self.desktop.table
            if table is not None and table.view.desk.is_working:
                table.view.desk.jobs.finish()
                self.desktop.attend()
            elif not self.desktop.wanted:
                return
        raise AssertionError("the desktop never comes to rest")

    def point(self, x: float, y: float) -> None:
        """The pointer's place, in units of the interface."""
        self.desktop.pointer(x * self.scale, y * self.scale)
        self.desktop.frame()

    def button(self, down: bool, name: str = "mouse1") -> None:
        self.desktop.press(name, down)
        self.desktop.frame()

    def click(self, x: float, y: float) -> None:
        self.point(x, y)
        self.button(True)
        self.button(False)
        self.settle()
        self.clicks += 1

    def press(self, name: str) -> None:
        """Click a widget where it stands; whatever lies over it there gets the click instead."""
        self.click(*self.middle_of(name))

    def scroll_to(self, name: str, list: str) -> None:
        """Turn the wheel over a list until a widget in it is seen."""
        for _ in range(40):
            rect, body = self.desktop.ui.rects[name], self.desktop.ui.rects[list]
            if body.y <= rect.y and rect.bottom <= body.bottom:
                return
            self.point(body.x + body.w / 2, body.y + body.h / 2)
            self.desktop.press("wheel_down" if rect.y > body.y else "wheel_up", True)
            self.settle()
        raise AssertionError(f"{name} is not in the list")

    def key(self, *names: str) -> None:
        """Press keys together, the last one being the key and the others held."""
        for name in names:
            self.desktop.press(name, True)
        self.desktop.frame()
        for name in reversed(names):
            self.desktop.press(name, False)
        self.settle()

    def type(self, text: str) -> None:
        for character in text:
            self.desktop.text(character)
            self.desktop.frame()
        self.settle()

    def pixel_of(self, x: float, y: float, z: float = 0.0) -> tuple[float, float]:
        """Where a place of the table is in the picture."""
        ((px, py, _),) = self.picture.pose().project([(x, y, z)], self.desktop.size)
        return float(px), float(py)

    def click_table(self, x: float, y: float, z: float = 0.0) -> None:
        self.click(*self.pixel_of(x, y, z))

    def middle_of(self, name: str) -> tuple[float, float]:
        """Where a widget stands."""
        rect = self.desktop.ui.rects[name]
        return rect.x + rect.w / 2, rect.y + rect.h / 2

    def drag(
        self, start: tuple[float, float], end: tuple[float, float], button: str = "mouse1", steps: int = 2
    ) -> None:
        self.point(*start)
        self.button(True, button)
        for i in range(1, steps + 1):
            self.point(start[0] + (end[0] - start[0]) * i / steps, start[1] + (end[1] - start[1]) * i / steps)
        self.button(False, button)
        self.settle()

    def said(self) -> str:
        return "\n".join(self.desktop.ui.said)

    def pixels(self) -> NDArray[np.uint8]:
        return self.engine.pixels(self.texture)

    def close(self) -> None:
        self.desktop.close()
        self.engine.graphics.remove_window(self.output)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    made = Engine.offscreen()
    yield made
    made.close()


@pytest.fixture
def driver(engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Driver]:
    """A desktop at its start screen, whose files lie in *tmp_path*; it draws half as many pixels each way."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_PICTURES_DIR", str(tmp_path / "pictures"))
    made = Driver(engine, scale=0.5)
    yield made
    made.close()


def pair(driver: Driver) -> None:
    """An empty board with a blue and a red operative, made by hand."""
    driver.press("killzones")
    driver.press("killzone--")
    driver.press("place-blue")
    driver.click_table(8, 11)
    driver.press("place-red")
    driver.click_table(22, 11)
