"""A photo of a real board on the floor of the table, beneath everything that is drawn over it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from panda3d.core import NodePath, SamplerState, Texture

from ktsim.app.stage import shaders
from ktsim.app.stage.board import grid
from ktsim.app.stage.engine import image_texture
from ktsim.app.stage.meshes import photo_node
from ktsim.geometry.plane_view import PlaneView

ABOVE = 0.02
"""Inches that it lies above the floor, whose markings are painted on it."""
STEP = 0.25
"""Inches between the places of the floor that are looked up in the photo; between them it is drawn straight."""


def photo_texture(pixels: NDArray[np.uint8]) -> Texture:
    """The photo, pixels (height, width, 3) with the first row at the top, for the stage and for panels."""
    height, width, _ = pixels.shape
    rgba = np.full((height, width, 4), 255, np.uint8)
    rgba[..., :3] = pixels[::-1]
    texture = image_texture("photo", rgba)
    texture.set_minfilter(SamplerState.FT_linear_mipmap_linear)
    texture.set_anisotropic_degree(4)
    return texture


@dataclass(frozen=True, eq=False)
class LaidPhoto:
    """A photo in which the board is seen so; *strength* is how much of the board it hides."""

    texture: Texture
    view: PlaneView
    strength: float


class Underlay:
    """The photo under one stage's overlays, if there is one."""

    def __init__(self, overlays: NodePath, board: tuple[float, float]) -> None:
        self._overlays, self._board = overlays, board
        self._laid: tuple[LaidPhoto, NodePath] | None = None

    def show(self, photo: LaidPhoto | None) -> None:
        """Show this photo, or none."""
        same = self._laid if photo is not None else None
        if photo is None or same is None or (same[0].texture, same[0].view) != (photo.texture, photo.view):
            if self._laid is not None:
                self._laid[1].remove_node()
            self._laid = (photo, self._made(photo)) if photo is not None else None
        if photo is not None and self._laid is not None:
            self._laid = (photo, self._laid[1])
            self._laid[1].set_shader_input("opacity", photo.strength)

    def _made(self, photo: LaidPhoto) -> NodePath:
        sheet = grid(self._board, ABOVE, STEP)
        seen = photo.view.seen(sheet[..., :2]) / np.array(photo.view.size)
        places = np.column_stack([seen[:, 0], 1 - seen[:, 1]])
        is_seen = np.isfinite(places).all(axis=1).reshape(-1, 3).all(axis=1)
        node = self._overlays.attach_new_node(photo_node(sheet[is_seen], places.reshape(-1, 3, 2)[is_seen], "photo"))
        node.set_shader(shaders.program("photo.vert", "photo.frag"), 20)  # over that of the camera
        node.set_shader_input("photo", photo.texture)
        node.set_bin("fixed", -10)
        return node
