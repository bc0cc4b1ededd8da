"""The miniatures an operative may be: our own models, scaled, or a cylinder or mesh from a scene file."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from trimesh import Trimesh

from ktsim import paths
from ktsim.content.mesh_file import read_own
from ktsim.content.printable import printable
from ktsim.content.reader import nearest
from ktsim.errors import UserError
from ktsim.geometry.solids import cylinder, triangles_of
from ktsim.sight.scene import MM, Base, Figure, Triangles

HEIGHT = 1.3
"""How tall our models are unless scaled, in inches above the level."""

HEIGHTS = {10: 0.5, 20: 0.9, 25: 1.1, 28: 1.2, 32: 1.3, 40: 1.6, 50: 2.0, 80: 2.8, 130: 4.2, 170: 5.0}
"""How tall (inches) a figure is on a base of so many millimetres across when nobody says; between them in proportion.
Our estimates."""

HEAD_HEIGHT, HEAD_RADIUS = 1.1, 0.1
"""The head's sphere in a model of that height."""

BASE_TOP = 3.5 * MM
"""Where a body starts: the top of a base."""


def models() -> tuple[str, ...]:
    """The names of our own models."""
    return tuple(sorted(path.stem for path in (paths.assets() / "figures").glob("*.glb")))


def usual_height(base: Base) -> float:
    """How tall a figure on a base is when nobody says; an oval base counts as the round one of the same area."""
    across = 2 * math.sqrt(base.along * base.across) / MM
    return round(float(np.interp(across, list(HEIGHTS), list(HEIGHTS.values()))), 6)


def usual_figure(base: Base, model: str = "trooper") -> Figure:
    """One of our models as tall as figures on that base are."""
    return figure(model, usual_height(base))


def figure(
    model: str = "trooper",
    height: float | None = None,
    head: tuple[float, float] | None = None,
    width: float | None = None,
) -> Figure:
    """One of our models, *height* inches tall in all and *width* inches wide (see :func:`widest`; in proportion to its
    height when nobody says); *head* is (height above the level, radius) of its sphere.

    The same figure comes back for the same wishes, however they are written.
    """
    tall = HEIGHT if height is None else height
    usual = widest(_model(model)) * tall / HEIGHT
    wide = usual if width is None else width
    radius = HEAD_RADIUS / HEIGHT * tall * min(1.0, wide / usual)
    return _figure(model, tall, wide, head or (tall * HEAD_HEIGHT / HEIGHT, radius))


def widest(triangles: Triangles) -> float:
    """How wide a figure is, gun and all: seen from its front or from its side, whichever is more."""
    flat = triangles[..., :2].reshape(-1, 2)
    return float((flat.max(axis=0) - flat.min(axis=0)).max())


@lru_cache(maxsize=256)
def _figure(model: str, height: float, width: float, head: tuple[float, float]) -> Figure:
    plain = _model(model)
    across = width / widest(plain)
    return replace(_with_head(model, plain * (across, across, height / HEIGHT), head), is_stand_in=True)


@lru_cache(maxsize=256)
def cylinder_figure(radius: float, height: float, head: tuple[float, float] | None = None) -> Figure:
    """A plain cylinder that stands on the base's top."""
    return _with_head("cylinder", cylinder((0.0, 0.0, BASE_TOP), radius, height), head, radius)


def mesh_figure(name: str, mesh: Trimesh, head: tuple[float, float] | None = None, is_open: bool = False) -> Figure:
    """A mesh from outside, moved up or down so that its lowest point is on the base's top."""
    moved = mesh.copy().apply_translation((0.0, 0.0, BASE_TOP - mesh.bounds[0, 2]))
    return replace(_with_head(name, triangles_of(moved), head), is_open=is_open)


@lru_cache(maxsize=64)
def figure_words(figure: Figure, base: Base) -> str:
    """What was taken for a miniature and its base, such as ``trooper, 1.3" tall, 0.97" wide, 32 mm base``."""
    tall, wide = float(figure.triangles[..., 2].max()), widest(figure.triangles)
    along, across = (round(2 * axis / MM, 1) for axis in (base.along, base.across))
    size = f"{along:g} mm" if base.is_round else f"{along:g} x {across:g} mm"
    return f'{figure.name}, {tall:.3g}" tall, {wide:.2g}" wide, {size} base'


def head_problem(found: Figure) -> str | None:
    """Why the head of *found* cannot be where it is, as a sentence; None when it can."""
    top = float(found.triangles[..., 2].max())
    if found.head[2] > top:
        return f'the head is {found.head[2]:.2f}" up and the body only {top:.2f}" tall; lower the head'
    across = 2 * found.head_radius
    for size, word in ((widest(found.triangles), "wide"), (top - float(found.triangles[..., 2].min()), "tall")):
        if across > size:
            return f'the head is {across:.2f}" across and the whole body only {size:.2f}" {word}; make it smaller'
    return None


def _with_head(
    name: str, triangles: Triangles, head: tuple[float, float] | None, limit: float = float("inf")
) -> Figure:
    top = float(triangles[..., 2].max())
    height, radius = head or (top * HEAD_HEIGHT / HEIGHT, min(top * HEAD_RADIUS / HEIGHT, limit))
    triangles.setflags(write=False)
    return Figure(name, triangles, (0.0, 0.0, height), radius)


@lru_cache(maxsize=64)
def model_meshes(model: str) -> Mapping[str, Trimesh]:
    """One of our models as it lies in its file: what is painted, and what wears the team's colour (``team``)."""
    if model not in models():
        raise UserError(f"there is no figure '{printable(model)}'; {nearest(model, models())}")
    return MappingProxyType(read_own(paths.assets() / "figures" / f"{model}.glb"))


@lru_cache(maxsize=64)
def _model(model: str) -> Triangles:
    return np.concatenate([triangles_of(mesh) for mesh in model_meshes(model).values()])
