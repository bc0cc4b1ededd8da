"""Drawing walls along the edges of their grid: from junction to junction, or an edge at a time."""

from __future__ import annotations

import math
from dataclasses import replace

from ktsim.app.ruling.model import TableModel
from ktsim.app.stage.overlays import WHITE, GhostShape, Overlay, Spot, faded
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.geometry.plane import Spot as Place
from ktsim.geometry.solids import prism
from ktsim.killzones.grid import DEFAULT_KIT, Grid, kits
from ktsim.killzones.scene_walls import (
    Edge,
    WallKind,
    drawn,
    edge_near,
    edges_between,
    grid_of,
    junction_near,
    kinds_of,
    wall_on,
)
from ktsim.sight.part_names import titled_words
from ktsim.sight.scene import Triangles

WORDS: dict[WallKind, str] = {"wall": "Wall", "hatchway": "Hatch", "breach": "Breach", "nothing": "Erase"}
NAMES: dict[WallKind, str] = {"wall": "wall", "hatchway": "hatchway", "breach": "breach point"}
HALF = 0.2
"""Half the thickness of an edge as it is shown, in inches."""
HEIGHT = 0.5
DRAWN = 0.6
"""The share of a cell that the pointer must be dragged to draw from junction to junction."""


class WallDrawing:
    """Which edges are about to be drawn on."""

    def __init__(self, model: TableModel) -> None:
        self.model = model
        self.kind: WallKind = "wall"
        self.kit = DEFAULT_KIT
        self.shown: tuple[Overlay, ...] = ()
        """The junctions, and the edges under the pointer."""
        self._start: Place | None = None
        self._edges: tuple[Edge, ...] = ()

    @property
    def grid(self) -> Grid:
        return grid_of(self.model.state.file, self.kit)

    def move(self, spot: Place | None) -> None:
        """The pointer is over a place of the floor, or over none."""
        grid, start = self.grid, self._start
        if spot is None:
            edges: tuple[Edge, ...] = ()
        elif start is not None and math.dist(start, spot) > DRAWN * min(grid.cell):
            edges = edges_between(junction_near(grid, start), junction_near(grid, spot))
        else:
            edges = (edge_near(grid, start or spot),)
        if edges != self._edges or not self.shown:
            self._edges = edges
            self._show(grid)

    def _show(self, grid: Grid) -> None:
        places = [grid.place((x, y)) for x in range(grid.cells[0] + 1) for y in range(grid.cells[1] + 1)]
        marks: list[Overlay] = [Spot((*place, 0.03), faded(WHITE, 150)) for place in places]
        for edge in self._edges:
            is_allowed = self.kind != "nothing" or wall_on(grid, edge) is not None
            marks.append(GhostShape(_body(grid, edge), is_allowed))
        self.shown = tuple(marks)

    def press(self, spot: Place | None) -> None:
        self._start = spot
        self.move(spot)

    def release(self) -> None:
        """Draw on the edges. Raises UserError when something stands there."""
        edges, self._start = self._edges if self._start is not None else (), None
        state = self.model.state
        if not edges:
            return
        file = drawn(state.file, self.kit, edges, self.kind)
        if file.grid is not None and file.grid.walls != self.grid.walls:
            word = "remove walls" if self.kind == "nothing" else f"draw a {NAMES[self.kind]}"
            self.model.change(word, replace(state, file=file))
        self._show(self.grid)

    def put_away(self) -> None:
        self.shown, self._start, self._edges = (), None, ()

    # ---- what is drawn, in the left panel ---------------------------------------------------------------------
    def height(self) -> float:
        """How much of the left panel the options need, before it is scaled."""
        return 38.0 if self.grid.walls else 76.0

    def draw(self, ui: Widgets, rect: Rect) -> None:
        """What is drawn, and of which walls while there are none."""
        k = ui.pen.size
        grid = self.grid
        kinds = kinds_of(grid.kit)
        if self.kind not in kinds:
            self.kind = "wall"
        row = Rect(rect.x, rect.y, rect.w, 32 * k)
        if not grid.walls:
            options = [(name, titled_words(name)) for name in kits()]
            self.kit = ui.choice(row, options, grid.kit.name, "kit", "Whose walls are drawn") or self.kit
            row = Rect(row.x, row.bottom + 6 * k, row.w, row.h)
        chosen = ui.choice(row, [(kind, WORDS[kind]) for kind in kinds], self.kind, "walls", "What is drawn on an edge")
        self.kind = next((kind for kind in kinds if kind == chosen), self.kind)


def _body(grid: Grid, edge: Edge) -> Triangles:
    (x0, y0), (x1, y1) = sorted(grid.place(junction) for junction in edge)
    low, high = (x0 - HALF, y0 - HALF), (x1 + HALF, y1 + HALF)
    return prism([low, (high[0], low[1]), high, (low[0], high[1])], 0.0, HEIGHT)
