"""The picture the window is drawn on: it keeps its pixels, so that only what differs is drawn again, and is copied to
the window whole, which keeps nothing for certain."""

from __future__ import annotations

from panda3d.core import GraphicsOutput, SamplerState

from ktsim.app.stage import shaders
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.stage.viewport import screen_card

BEFORE_WINDOW = -1


class KeptPicture:
    """Goes to *output*, of the same *size* in pixels."""

    def __init__(self, engine: Engine, output: GraphicsOutput, size: tuple[int, int]) -> None:
        self.engine, self.output = engine, output
        picture = colour_texture("kept")
        picture.set_minfilter(SamplerState.FT_nearest)  # pixel by pixel: half the work in software
        picture.set_magfilter(SamplerState.FT_nearest)
        self.drawn = engine.buffer("kept", size, output.get_sort() + BEFORE_WINDOW, colour=picture)
        self.drawn.disable_clears()
        _, camera = screen_card("window", shaders.post("fetch.frag"), picture=picture)
        self._region = output.make_display_region()
        self._region.set_camera(camera)
        output.disable_clears()

    def resize(self, size: tuple[int, int]) -> None:
        self.drawn.set_size(*size)

    def put_up(self) -> None:
        """Draw what differs and show it all."""
        for output in (self.drawn, self.output):
            output.set_active(True)
        self.engine.render()
        self.engine.graphics.flip_frame()  # a window shows a frame only when it is flipped
        for output in (self.drawn, self.output):
            output.set_active(False)

    def close(self) -> None:
        self.output.remove_display_region(self._region)
        self.engine.remove(self.drawn)
