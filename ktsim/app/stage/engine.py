"""Panda3D without ShowBase: one graphics engine, offscreen or around a window somebody else opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from panda3d.core import (
    FrameBufferProperties,
    GraphicsEngine,
    GraphicsOutput,
    GraphicsPipe,
    GraphicsPipeSelection,
    RenderState,
    SamplerState,
    Texture,
    TransformState,
    WindowProperties,
    load_prc_file_data,
)

from ktsim.app.stage.cameras import WHOLE, Free
from ktsim.errors import UserError

SETTINGS = """
gl-version 3 2
textures-power-2 none
audio-library-name null
notify-level-display fatal
notify-level-egldisplay fatal
notify-level-x11display fatal
notify-level-device fatal
sync-video 0
dpi-aware 1
"""
"""What every stage needs from Panda3D; a window must be opened after `configure` too."""

MISSING = (
    "Pictures need OpenGL 3.2, and no OpenGL library could be used here; "
    "on Debian or Ubuntu install the packages libgl1, libegl1 and libgl1-mesa-dri (software rendering is enough)."
)

_configured = False


def no_pause(share: float) -> None:
    """Nobody wants to know how far it is."""


def configure() -> None:
    """Tell Panda3D the settings once, before its first pipe is made."""
    global _configured
    if not _configured:
        load_prc_file_data("ktsim", SETTINGS)
        _configured = True


@dataclass(eq=False)
class Engine:
    """What outputs are made with. *host* is a window, or a tiny buffer that owns the graphics context. *free* is the
    part of the window that its panels left open in the last frame. *pause* is called between the steps of what takes
    long, with the share of it that is done: whoever has a window says so in it."""

    graphics: GraphicsEngine
    pipe: GraphicsPipe
    host: GraphicsOutput
    free: Free = WHOLE
    pause: Callable[[float], None] = no_pause
    shown: Texture | None = None
    """The picture that is in the window ..."""
    redrawn: Free | None = None
    """... and the part of it that was drawn since it was put there."""

    @classmethod
    def offscreen(cls) -> Engine:
        """An engine that needs no display. Raises UserError when no OpenGL can be had."""
        configure()
        properties = FrameBufferProperties()
        properties.set_rgba_bits(8, 8, 8, 8)
        for module in ("p3headlessgl", "pandagl"):
            pipe = GraphicsPipeSelection.get_global_ptr().make_module_pipe(module)
            if pipe is None:
                continue
            graphics = GraphicsEngine(pipe)
            size = WindowProperties.size(1, 1)
            host = graphics.make_output(pipe, "host", -100, properties, size, GraphicsPipe.BF_refuse_window)
            if host is None:
                continue
            graphics.open_windows()
            state = host.get_gsg()
            version = (state.get_driver_version_major(), state.get_driver_version_minor()) if state else (0, 0)
            if version >= (3, 2):
                host.set_active(False)
                return cls(graphics, pipe, host)
            graphics.remove_window(host)
        raise UserError(MISSING)

    @classmethod
    def around(cls, window: GraphicsOutput) -> Engine:
        """An engine that draws for a window somebody opened, after `configure`."""
        return cls(window.get_engine(), window.get_pipe(), window)

    def largest(self) -> int:
        """The longest side a picture may have here, in pixels."""
        limit = int(self.host.get_gsg().get_max_texture_dimension())
        return limit if limit > 0 else 4096

    def buffer(
        self,
        name: str,
        size: tuple[int, int],
        sort: int,
        *,
        colour: Texture | None = None,
        depth: Texture | None = None,
        linear: bool = False,
    ) -> GraphicsOutput:
        """An offscreen output that draws into the given textures, switched off until it is asked for."""
        properties = FrameBufferProperties()
        if colour is not None:
            bits = 16 if linear else 8
            properties.set_rgba_bits(bits, bits, bits, bits)
            properties.set_float_color(linear)
        if depth is not None:
            properties.set_depth_bits(24)
        flags = GraphicsPipe.BF_refuse_window | GraphicsPipe.BF_resizeable
        output = self.graphics.make_output(
            self.pipe, name, sort, properties, WindowProperties.size(*size), flags, self.host.get_gsg(), self.host
        )
        if output is None:
            raise UserError(MISSING)
        if colour is not None:
            output.add_render_texture(colour, GraphicsOutput.RTM_bind_or_copy, GraphicsOutput.RTP_color)
        if depth is not None:
            output.add_render_texture(depth, GraphicsOutput.RTM_bind_or_copy, GraphicsOutput.RTP_depth)
        output.set_active(False)
        return output

    def remove(self, output: GraphicsOutput) -> None:
        """Take an output away, and what it drew off the graphics card: drivers would keep it as long as the process."""
        for number in range(output.count_textures()):
            output.get_texture(number).release_all()
        output.clear_render_textures()
        self.graphics.remove_window(output)

    def tidy(self) -> None:
        """Let go of states that nothing uses any more, and of the textures they hold.

        Panda3D does a part of this in each frame, which is too little for a window that draws only what changes.
        """
        for _ in range(4):
            RenderState.garbage_collect()
            TransformState.garbage_collect()

    def render(self) -> None:
        """Draw whatever is switched on, once."""
        self.graphics.render_frame()

    def pixels(self, texture: Texture) -> NDArray[np.uint8]:
        """The colours of a drawn texture, shape (height, width, 3), first row at the top."""
        self.graphics.extract_texture_data(texture, self.host.get_gsg())
        raw = np.frombuffer(texture.get_ram_image_as("RGB"), np.uint8)
        return np.ascontiguousarray(raw.reshape(texture.get_y_size(), texture.get_x_size(), 3)[::-1])

    def close(self) -> None:
        self.graphics.remove_all_windows()


def colour_texture(name: str, linear: bool = False) -> Texture:
    """A texture to draw colours into: linear light in 16-bit floats, or 8 bits a channel."""
    texture = Texture(name)
    if linear:
        texture.set_format(Texture.F_rgba16)
        texture.set_component_type(Texture.T_float)
    _clamp(texture)
    return texture


def depth_texture(name: str, comparing: bool = False) -> Texture:
    """A texture to draw depths into; *comparing* for a shadow map."""
    texture = Texture(name)
    texture.set_format(Texture.F_depth_component)
    kind = SamplerState.FT_shadow if comparing else SamplerState.FT_nearest
    texture.set_minfilter(kind)
    texture.set_magfilter(kind)
    _clamp(texture)
    return texture


def image_texture(name: str, image: NDArray[np.uint8]) -> Texture:
    """A two-channel or RGBA texture from an array, first row at the bottom."""
    height, width, channels = image.shape
    texture = Texture(name)
    form = {2: Texture.F_rg, 4: Texture.F_rgba}[channels]
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, form)
    if channels == 4:
        texture.set_ram_image_as(np.ascontiguousarray(image).tobytes(), "RGBA")
    else:
        texture.set_ram_image(np.ascontiguousarray(image).tobytes())
    texture.set_minfilter(SamplerState.FT_linear)
    texture.set_magfilter(SamplerState.FT_linear)
    _clamp(texture)
    return texture


def _clamp(texture: Any) -> None:
    texture.set_wrap_u(SamplerState.WM_clamp)
    texture.set_wrap_v(SamplerState.WM_clamp)
