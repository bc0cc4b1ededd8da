"""PNG files from pixels."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from panda3d.core import PNMImage, StringStream, Texture

from ktsim.content.atomic import write_atomically


def encoded(pixels: NDArray[np.uint8]) -> bytes:
    """A PNG of pixels (height, width, 3), first row at the top."""
    height, width, _ = pixels.shape
    texture = Texture()
    texture.setup_2d_texture(width, height, Texture.T_unsigned_byte, Texture.F_rgb)
    texture.set_ram_image_as(np.ascontiguousarray(pixels[::-1]).tobytes(), "RGB")
    image, stream = PNMImage(), StringStream()
    texture.store(image)
    image.write(stream, "picture.png")
    return bytes(stream.data)


def write_png(path: Path | str, pixels: NDArray[np.uint8]) -> None:
    """Write a picture, whole or not at all."""
    write_atomically(Path(path), encoded(pixels))
