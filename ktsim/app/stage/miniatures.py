"""Miniatures: the figure the rules look at, on a base whose rim tells the team and whose token tells the order."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ktsim.app.stage.materials import RGB, Material, team_colour
from ktsim.app.stage.meshes import PaintedShape
from ktsim.app.stage.solids import hull_of_rings, lathe
from ktsim.app.ui.palettes import STANDARD, Palette
from ktsim.content.mesh_file import paint_of
from ktsim.killzones.figures import model_meshes, models
from ktsim.sight.scene import Base, Figure, Order

BASE_HEIGHT = 3.5 / 25.4
_ANTHRACITE: RGB = (34, 34, 38)


def _scaled(mesh: NDArray[np.float64], base: Base) -> NDArray[np.float64]:
    return mesh * np.array([base.along, base.across, 1.0])


def base_shape(base: Base, team: str, palette: Palette = STANDARD) -> PaintedShape:
    """The base with a coloured rim. Red bases carry four studs, so the team reads without its colour."""
    h, rgb = BASE_HEIGHT, team_colour(team, palette)
    inset = min(0.14 / min(base.along, base.across), 0.4)
    body = lathe([(0.0, 0.0), (0.99, 0.0), (1 - inset * 0.5, h * 0.94), (0.0, h * 0.94)], 28)
    rim = lathe([(0.975, 0.0), (1.0, 0.012), (1 - inset * 0.42, h), (1 - inset, h), (1 - inset, h * 0.9)], 28)
    shapes = [
        PaintedShape.painted(_scaled(body, base), _ANTHRACITE, Material.FIGURE),
        PaintedShape.painted(_scaled(rim, base), rgb, Material.FIGURE),
    ]
    if team == "red":
        for k in range(4):
            at = np.array([np.cos(k * np.pi / 2) * base.along, np.sin(k * np.pi / 2) * base.across, 0.0])
            shapes.append(PaintedShape.painted(_stud() + at, rgb, Material.FIGURE))
    return PaintedShape.joined(shapes)


def _stud(size: float = 0.13) -> NDArray[np.float64]:
    ring = np.array([(size, 0, 0), (0, size, 0), (-size, 0, 0), (0, -size, 0)], float)
    return hull_of_rings([ring, ring * 0.82 + np.array([0, 0, BASE_HEIGHT * 1.06])])


@lru_cache(maxsize=64)
def _own_paint(model: str) -> tuple[NDArray[np.float64], NDArray[np.bool_]] | None:
    """Our model's paint per triangle and which triangles wear the team's colour; None if it is not one of ours."""
    if model not in models():
        return None
    paints = {name: paint_of(mesh) for name, mesh in model_meshes(model).items()}
    colours = [paint[:, :3].astype(float) for paint in paints.values() if paint is not None]
    worn = [np.full(len(paint), name == "team") for name, paint in paints.items() if paint is not None]
    return np.concatenate(colours), np.concatenate(worn)


def figure_colours(figure: Figure, team: str, palette: Palette = STANDARD) -> NDArray[np.uint8]:
    """RGBA per triangle (n, 4): our models' own paint, where shades of grey tint the team's colour; a figure from
    outside is painted by height, with a pale head."""
    rgb = np.array(team_colour(team, palette), float)
    count = len(figure.triangles)
    own = _own_paint(figure.name)
    if own is not None and len(own[0]) == count:
        paint, worn = own[0].copy(), own[1]
        paint[worn] = rgb * (paint[worn] / 255 * 1.1)
    else:
        middle = figure.triangles.mean(axis=1)
        low, high = float(middle[:, 2].min()), float(middle[:, 2].max())
        t = (middle[:, 2] - low) / max(high - low, 1e-9)
        near_head = np.linalg.norm(middle - np.array(figure.head), axis=1) < figure.head_radius * 1.6
        paint = np.where((t < 0.38)[:, None], rgb * 0.42, rgb)
        paint[(t > 0.62) & (t < 0.8)] = rgb * 1.1 + 26
        paint[near_head] = (204, 186, 164)
    result = np.empty((count, 4), np.uint8)
    result[:, :3] = np.clip(paint, 0, 255)
    result[:, 3] = Material.FIGURE * 16
    return result


def order_token(order: Order, base: Base) -> PaintedShape:
    """A chip at the back of the base: engage a solid bright triangle, conceal an open half ring."""
    size, top = 0.19, BASE_HEIGHT * 1.5
    chip = lathe([(size * 1.25, 0.0), (size * 1.25, top * 0.8), (size * 1.1, top)], 20)
    if order == "engage":
        angles = np.radians([180, 300, 60])
        pieces, colour = [np.column_stack([np.cos(angles), np.sin(angles)]) * size], (255, 196, 64)
    else:
        angles = np.radians(np.linspace(90, 270, 9))
        outer = np.column_stack([np.cos(angles), np.sin(angles)]) * size
        pieces = [np.stack([a, b, b * 0.55, a * 0.55]) for a, b in pairwise(outer)]
        colour = (200, 206, 214)
    mark = np.concatenate([_raised(piece, top) for piece in pieces])
    at = np.array([-base.along * 0.97, 0.0, 0.0])
    return PaintedShape.joined(
        [
            PaintedShape.painted(chip + at, (40, 42, 46), Material.FIGURE),
            PaintedShape.painted(mark + at, colour, Material.FIGURE),
        ]
    )


def _raised(outline: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    """A low prism on a convex outline, counter-clockwise."""
    ring = np.column_stack([outline, np.full(len(outline), z)])
    return hull_of_rings([ring, ring + np.array([0, 0, 0.03])])
