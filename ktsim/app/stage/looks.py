"""How a feature is drawn: painted shapes that are always there, those of each state, and veils for gaps.

Pieces with painted meshes bring their own look; for anything else one is made from the parts and their traits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import Feature, Part

from .materials import Material, part_paint
from .meshes import Shape


@dataclass(frozen=True)
class Placed:
    """A shape where it stands. *veil*: an invisible volume, shown as a half-transparent one without a shadow."""

    shape: Shape
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 0.0
    veil: bool = False


@dataclass(frozen=True, eq=False)
class Look:
    """What is drawn for one feature, always and in each of its states."""

    shapes: tuple[Placed, ...]
    states: Mapping[str, tuple[Placed, ...]] = field(default_factory=dict)
    initial: str | None = None

    def in_state(self, state: str | None) -> tuple[Placed, ...]:
        chosen = state or self.initial
        return self.shapes if chosen is None else self.shapes + self.states.get(chosen, ())


def plain_look(feature: Feature) -> Look:
    """A feature drawn from its ruling parts alone, painted by their traits."""
    return Look(
        _placed(feature.parts), {name: _placed(parts) for name, parts in feature.states.items()}, feature.initial
    )


def _placed(parts: Sequence[Part]) -> tuple[Placed, ...]:
    solid, veils = [], []
    for part in parts:
        if "blocking" in part.traits and "heavy" not in part.traits:
            veils.append(Shape.painted(part.triangles, (120, 190, 210), Material.PLAIN))
        elif "exposed" in part.traits and part.kind != "step":
            continue  # an open access point: nothing stands there
        else:
            rgb, material = part_paint(part)
            solid.append(Shape.painted(part.triangles, rgb, material))
    result = []
    for shapes, veil in ((solid, False), (veils, True)):
        if shapes:
            whole = Shape.joined(shapes)
            corner = whole.triangles.reshape(-1, 3).min(axis=0)
            at = (float(corner[0]), float(corner[1]), 0.0)
            result.append(Placed(whole.moved((-at[0], -at[1], 0.0)), at, veil=veil))
    return tuple(result)


@dataclass(frozen=True)
class Lamp:
    """A point of light found in glowing faces."""

    place: tuple[float, float, float]
    colour: tuple[float, float, float]


def lamps_of(placed: Placed, apart: float = 1.5) -> list[Lamp]:
    """Lamps where faces glow: one for each cluster, at least *apart* inches from the next."""
    shape = placed.shape
    glowing = shape.colours[:, 3] // 16 == Material.GLOW
    if not glowing.any():
        return []
    middles = shape.triangles[glowing].mean(axis=1)
    colours = (shape.colours[glowing, :3] / 255.0) ** 2.2
    t = np.radians(placed.turn)
    spin = np.array([[np.cos(t), -np.sin(t), 0], [np.sin(t), np.cos(t), 0], [0, 0, 1]])
    middles = middles @ spin.T + np.array(placed.at)
    found: list[Lamp] = []
    left: NDArray[np.bool_] = np.ones(len(middles), bool)
    while left.any():
        first = int(np.argmax(left))
        near = left & (np.linalg.norm(middles - middles[first], axis=1) < apart)
        x, y, z = middles[near].mean(axis=0)
        r, g, b = colours[near].mean(axis=0)
        found.append(Lamp((float(x), float(y), float(z)), (float(r), float(g), float(b))))
        left &= ~near
    return found
