"""How a table is drawn: for each feature painted shapes, always there or in one of its states, and all else.

Pieces with painted meshes bring their own look; for anything else one is made from the parts and their traits.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ktsim.app.stage.materials import Material, Mood, mood_named, paint_of
from ktsim.app.stage.meshes import PaintedShape
from ktsim.app.stage.solids import bars_in, lathe
from ktsim.sight.kt24 import SMOKE_REACH
from ktsim.sight.scene import Feature, Part, Terrain


@dataclass(frozen=True)
class PlacedShape:
    """A shape where it stands. *veil*: an invisible volume, shown as a half-transparent one without a shadow."""

    shape: PaintedShape
    at: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turn: float = 0.0
    stretch: float = 1.0
    veil: bool = False


@dataclass(frozen=True)
class Lamp:
    """A light on the table: linear colour times strength, and how far it reaches."""

    at: tuple[float, float, float]
    colour: tuple[float, float, float]
    reach: float


@dataclass(frozen=True, eq=False)
class FeatureLook:
    """What is drawn for one feature, always and in each of its states."""

    shapes: tuple[PlacedShape, ...]
    states: Mapping[str, tuple[PlacedShape, ...]] = field(default_factory=dict)

    def in_state(self, state: str | None) -> tuple[PlacedShape, ...]:
        return self.shapes if state is None else self.shapes + self.states.get(state, ())


@dataclass(frozen=True, eq=False)
class Scenery:
    """Everything drawn for a terrain: its mood, looks by feature id, and what belongs to no feature. Where *objectives*
    lie is told once more, so that nothing is written over them."""

    mood: Mood
    looks: Mapping[str, FeatureLook] = field(default_factory=dict)
    standing: tuple[PlacedShape, ...] = ()
    lamps: tuple[Lamp, ...] = ()
    objectives: tuple[tuple[float, float, float], ...] = ()

    def look(self, feature: Feature) -> FeatureLook:
        """The look a feature was given, or a plain one."""
        return self.looks.get(feature.id) or plain_look(feature)


def plain_scenery(terrain: Terrain) -> Scenery:
    """A table of plain features, in the mood its terrain is named for."""
    return Scenery(mood_named(terrain.name))


def plain_look(feature: Feature) -> FeatureLook:
    """A feature drawn from its ruling parts alone, painted by their traits."""
    return FeatureLook(_placed(feature.parts), {name: _placed(parts) for name, parts in feature.states.items()})


def part_shape(triangles: NDArray[np.float64], kind: str, traits: frozenset[str]) -> PaintedShape:
    """A part that has no painted mesh, by what it does in the rules; barred ones are bars to look through."""
    drawn = bars_in(triangles) if "barred" in traits else triangles
    return PaintedShape.painted(drawn, *paint_of(kind, traits))


def _placed(parts: Sequence[Part]) -> tuple[PlacedShape, ...]:
    solid, veils = [], []
    for part in parts:
        if "blocking" in part.traits and "heavy" not in part.traits:
            veils.append(PaintedShape.painted(part.triangles, (120, 190, 210), Material.PLAIN))
        elif "exposed" in part.traits and part.kind != "step":
            continue  # an open access point: nothing stands there
        else:
            solid.append(part_shape(part.triangles, part.kind, part.traits))
    result = []
    for shapes, veil in ((solid, False), (veils, True)):
        if shapes:
            whole = PaintedShape.joined(shapes)
            corner = whole.triangles.reshape(-1, 3).min(axis=0)
            at = (float(corner[0]), float(corner[1]), 0.0)
            result.append(PlacedShape(whole.moved((-at[0], -at[1], 0.0)), at, veil=veil))
    return tuple(result)


def smoke_cloud(at: tuple[float, float, float]) -> PlacedShape:
    """A smoke area, unlimited upwards and drawn 2.5" high."""
    r = SMOKE_REACH
    cloud = lathe([(r * 0.9, 0.0), (r, 0.5), (r, 1.8), (r * 0.7, 2.4), (r * 0.2, 2.55)], 28)
    return PlacedShape(PaintedShape.painted(cloud, (190, 194, 198), Material.PLAIN), at, veil=True)
