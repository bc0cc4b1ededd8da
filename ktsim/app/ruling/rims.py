"""Operatives by the rims of their bases: three places on a rim give the circle and the real base nearest to it."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.app.ruling.state import BASES
from ktsim.errors import UserError
from ktsim.geometry.plane import Spot, circle_of_radius, circle_through
from ktsim.sight.scene import MM

CLICKS = 3
FAR_OFF = 0.25
"""The share of a base's size by which a circle may differ from it and still be meant."""


def base_on_rim(spots: Sequence[Spot]) -> tuple[str, Spot]:
    """The base whose rim goes through three places, by its name, and its middle. Raises UserError when there is no such
    base."""
    found = circle_through(*spots)
    if found is None:
        raise UserError("The three places lie on a line: click them around one base's rim.")
    middle, radius = found
    name = min((name for name, base in BASES.items() if base.is_round), key=lambda n: abs(BASES[n].along - radius))
    if abs(BASES[name].along - radius) > FAR_OFF * BASES[name].along:
        across = 2 * radius / MM
        raise UserError(f"That circle is {across:.0f} mm across, and no base is: click three places on one base's rim.")
    return name, circle_of_radius(spots, BASES[name].along, middle)
