"""Does a ruling hang on how a figure that only stands in for the real miniature is built or turned?

Any part of a miniature counts, guns too. But our figures are not the players' own: where only a thin part of one
decides, or the way it is turned, a ruling says so.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from ktsim.geometry.solids import cylinder
from ktsim.sight.scene import Figure
from ktsim.sight.visibility import visible

if TYPE_CHECKING:
    from ktsim.sight.ruling import Ruling

CORE = 0.15
"""Radius of the slim core of a figure, as a share of its height: trunk and head."""
TURNS = 8
"""Ways a figure is turned to see whether that matters."""


def stand_in_note(ruling: Ruling) -> str | None:
    """A sentence that says so; None when it does not, or the figure is the player's own."""
    target = ruling.scene.operative(ruling.target)
    if not target.figure.is_stand_in:
        return None
    who = target.id
    if ruling.visible:
        if _sees(ruling, _core(target.figure)):
            return None
        always = all(_sees_turned(ruling, turn) for turn in range(1, TURNS))
        but = ", however it is turned" if always else "; turned otherwise it would be hidden"
        return f"Only a thin part of {who}'s figure (gun, arm or pack) can be seen{but}."
    if _sees(ruling, _hull(target.figure)) and any(_sees_turned(ruling, turn) for turn in range(1, TURNS)):
        return f"{who} is hidden as its figure is turned; turned otherwise a part of it could be seen."
    return None


def _sees(ruling: Ruling, figure: Figure) -> bool:
    """Would the shooter see the target if it were *figure*?"""
    scene = ruling.scene
    swapped = scene.moved(replace(scene.operative(ruling.target), figure=figure))
    return visible(swapped, ruling.shooter, ruling.target).visible


def _sees_turned(ruling: Ruling, turn: int) -> bool:
    scene = ruling.scene
    one = scene.operative(ruling.target)
    turned = scene.moved(replace(one, turn=one.turn + turn * 360 / TURNS))
    return visible(turned, ruling.shooter, ruling.target).visible


@lru_cache(maxsize=64)
def _core(figure: Figure) -> Figure:
    low, high = float(figure.triangles[..., 2].min()), float(figure.triangles[..., 2].max())
    return _upright(figure, low, figure.head[2] + figure.head_radius, CORE * high)


@lru_cache(maxsize=64)
def _hull(figure: Figure) -> Figure:
    """All that the figure takes up however it is turned."""
    low, high = float(figure.triangles[..., 2].min()), float(figure.triangles[..., 2].max())
    return _upright(figure, low, high, 1.01 * float(np.hypot(figure.triangles[..., 0], figure.triangles[..., 1]).max()))


def _upright(figure: Figure, low: float, high: float, radius: float) -> Figure:
    return Figure(f"{figure.name} core", cylinder((0.0, 0.0, low), radius, high - low), figure.head, figure.head_radius)
