"""The part of a chart that one move can come to."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from ktsim.rules.moving.chart import PITCH, Chart, ChartedLevel, Lattice, Mask
from ktsim.rules.moving.paces import Paces
from ktsim.sight.scene import EPS


class Window:
    """The part of a chart that a move from a place can come to, with nodes numbered within it.

    It answers what the chart answers, for its own nodes.
    """

    def __init__(self, chart: Chart, x: float, y: float, reach: float) -> None:
        _, _, _, nx, ny = chart.lat
        low = [max(0, math.ceil((at - reach) / PITCH - EPS)) for at in (x, y)]
        high = [min(n, math.floor((at + reach) / PITCH + EPS) + 1) for at, n in zip((x, y), (nx, ny), strict=True)]
        # The kernels interpolate between nodes, so a window has two of them at least, however small the reach.
        low = [min(a, n - 2) for a, n in zip(low, (nx, ny), strict=True)]
        high = [max(b, a + 2) for a, b in zip(low, high, strict=True)]
        self.whole, self.ground, self.form = chart, chart.ground, chart.form
        self._slices = tuple(slice(a, b) for a, b in zip(low, high, strict=True))
        self.lat: Lattice = (low[0] * PITCH, low[1] * PITCH, PITCH, high[0] - low[0], high[1] - low[1])
        self.xs, self.ys = self.cut(chart.xs), self.cut(chart.ys)
        self.size = len(self.xs)
        self._kept: dict[tuple[object, ...], Any] = {}

    def cut(self, values: NDArray[Any]) -> NDArray[Any]:
        """Of values of the chart's nodes, those of the window's."""
        _, _, _, nx, ny = self.whole.lat
        return np.ascontiguousarray(values.reshape(nx, ny)[self._slices]).ravel()

    def spread(self, values: NDArray[Any], elsewhere: int) -> NDArray[Any]:
        """Values of the window's nodes as an array (nx, ny) of the whole chart."""
        _, _, _, nx, ny = self.whole.lat
        out = np.full((nx, ny), elsewhere, values.dtype)
        out[self._slices] = values.reshape(self.lat[3:])
        return out

    def mask(self, name: str, *of: float) -> Mask:
        """What the chart's method *name* says about the window's nodes."""
        key = (name, *of)
        if key not in self._kept:
            self._kept[key] = self.cut(getattr(self.whole, name)(*of))
        return cast("Mask", self._kept[key])

    def surface(self, name: str, altitude: float) -> ChartedLevel:
        """The chart's surface of that name, for the window's nodes."""
        return self._cut_surface(getattr(self.whole, name)(altitude))

    def opened(self, name: str, altitude: float, paces: Paces, chosen: tuple[int, ...]) -> ChartedLevel:
        """The chart's surface with those surcharges opened, for the window's nodes."""
        return self._cut_surface(self.whole.opened(name, altitude, paces, chosen))

    def _cut_surface(self, whole: ChartedLevel) -> ChartedLevel:
        *grid, clear = whole.cells
        near = self.cut(whole.near) if len(whole.near) else whole.near
        return ChartedLevel(self.cut(whole.state), (*grid, self.cut(clear)), near, whole.reach, whole.pieces)
