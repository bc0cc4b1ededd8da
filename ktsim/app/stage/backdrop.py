"""A finished picture as the background of an output: the window shows the stage without drawing it again."""

from __future__ import annotations

from panda3d.core import GraphicsOutput, Texture

from ktsim.app.stage import shaders
from ktsim.app.stage.view import screen_card


class Backdrop:
    """Fills *output* with *picture*, beneath whatever else is drawn there (the interface has a higher sort)."""

    def __init__(self, output: GraphicsOutput, picture: Texture) -> None:
        self._quad, camera = screen_card("screen", shaders.post("copy.frag"), picture=picture)
        self._picture = picture
        self.region = output.make_display_region()
        self.region.set_sort(0)
        self.region.set_camera(camera)

    def show(self, picture: Texture | None) -> None:
        """Show this picture, or none, from the next frame on."""
        self.region.set_active(picture is not None)
        if picture is not None and picture is not self._picture:
            self._picture = picture
            self._quad.set_shader_input("picture", picture)
