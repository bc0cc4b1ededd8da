"""Walls on a grid, drawn along its edges: what a scene has instead of its killzone's, changed an edge at a time.

The scene file has them under ``grid``, written as in a killzone file; without that key its killzone's walls stand.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from ktsim.errors import UserError
from ktsim.geometry.plane import Spot
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.grid import LETTERS, Access, Grid, GridWall, Junction, WallKit, load_kit
from ktsim.killzones.loose_pieces import in_the_way
from ktsim.killzones.scene_file import SceneFile, lines_beside_grid
from ktsim.killzones.walls import wall_features
from ktsim.sight.scene import MM, BreachPoint, Hatchway

WallKind: TypeAlias = Literal["wall", "hatchway", "breach", "nothing"]
Edge: TypeAlias = tuple[Junction, Junction]
MOST_CELLS = 15
WAYS = tuple(Hatchway(hinge=hinge, swing=swing) for hinge in ("start", "end") for swing in ("left", "right"))
"""In which a hatchway's hatch may hang, in the order in which they are offered."""


def kinds_of(kit: WallKit) -> tuple[WallKind, ...]:
    """What can be drawn with the pieces of a kit."""
    found: list[WallKind] = ["wall"]
    options: tuple[Access, ...] = ("hatchway", "breach")
    found += [access for access in options if any(piece.access == access for piece in kit.pieces.values())]
    return (*found, "nothing")


def grid_of(file: SceneFile, kit: str) -> Grid:
    """The grid of a scene with its walls: its own, else its killzone's, else an empty one of that kit."""
    if file.grid is not None:
        return file.grid
    found = load_named(file.killzone, file.path.parent).grid if file.killzone is not None else None
    if found is not None:
        return found
    made, board = load_kit(kit), file.scene.terrain.board
    across, up = (max(1, min(MOST_CELLS, int(side / made.cell + 1e-6))) for side in board)
    corner = (board[0] - across * made.cell) / 2, (board[1] - up * made.cell) / 2
    return Grid(made, (across, up), (made.cell, made.cell), corner, ())


def junction_near(grid: Grid, spot: Spot) -> Junction:
    """The junction nearest to a place."""
    found = [round((spot[i] - grid.corner[i]) / grid.cell[i]) for i in (0, 1)]
    return min(max(found[0], 0), grid.cells[0]), min(max(found[1], 0), grid.cells[1])


def edge_near(grid: Grid, spot: Spot) -> Edge:
    """The edge of a cell nearest to a place, from its left or lower end."""
    x, y = ((spot[i] - grid.corner[i]) / grid.cell[i] for i in (0, 1))
    column, row = (min(max(math.floor(value), 0), count - 1) for value, count in zip((x, y), grid.cells, strict=True))
    near = junction_near(grid, spot)
    if abs(y - near[1]) * grid.cell[1] <= abs(x - near[0]) * grid.cell[0]:
        return (column, near[1]), (column + 1, near[1])
    return (near[0], row), (near[0], row + 1)


def edges_between(start: Junction, end: Junction) -> tuple[Edge, ...]:
    """The edges on the straight way from a junction towards another, as far as the longer of its sides."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    dx, dy = (dx, 0) if abs(dx) >= abs(dy) else (0, dy)
    step = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    way = [(start[0] + step[0] * i, start[1] + step[1] * i) for i in range(abs(dx) + abs(dy) + 1)]
    return tuple(itertools.pairwise(way))


def wall_on(grid: Grid, edge: Edge) -> GridWall | None:
    """The wall that lies on an edge."""
    return next((wall for wall in grid.walls if _lies_on(wall, edge)), None)


def _lies_on(wall: GridWall, edge: Edge) -> bool:
    return any(set(pair) == set(edge) for pair in itertools.pairwise(wall.steps()))


def drawn(file: SceneFile, kit: str, edges: Sequence[Edge], kind: WallKind) -> SceneFile:
    """The scene with walls of that kind on these edges, in place of what lies there. A hatchway on a hatchway hangs
    its hatch another way. Raises UserError when somebody or something stands there."""
    grid = grid_of(file, kit)
    taken = {feature.id for feature in file.scene.terrain.features}
    walls, added = list(grid.walls), []
    for edge in edges:
        there = wall_on(replace(grid, walls=tuple(walls)), edge)
        if kind == "wall" and there is not None and there.hatchway is None and there.breach is None:
            continue
        hatchway = WAYS[0] if kind == "hatchway" else None
        if there is not None:
            if kind == "hatchway" and there.hatchway is not None:
                hatchway = WAYS[(_way(there.hatchway) + 1) % len(WAYS)]
                edge = (there.start, there.end)
            walls.remove(there)
            walls += [_made(grid.kit, "wall", rest, _free(there.id, taken)) for rest in _rest(there, edge)]
        if kind != "nothing":
            id = there.id if there is not None and there.hatchway is not None and hatchway is not None else ""
            made = _made(grid.kit, kind, edge, id or _free(kind, taken), hatchway)
            walls.append(made)
            added.append(made.id)
    return _changed(file, replace(grid, walls=tuple(walls)), frozenset(added))


def _way(hatchway: Hatchway) -> int:
    return next((i for i, way in enumerate(WAYS) if (way.hinge, way.swing) == (hatchway.hinge, hatchway.swing)), -1)


def _rest(wall: GridWall, edge: Edge) -> list[Edge]:
    return [pair for pair in itertools.pairwise(wall.steps()) if set(pair) != set(edge)]


def _free(name: str, taken: set[str]) -> str:
    found = next(id for n in itertools.count(1) if (id := f"{name}-{n}") not in taken)
    taken.add(found)
    return found


def _made(kit: WallKit, kind: WallKind, edge: Edge, id: str, hatchway: Hatchway | None = None) -> GridWall:
    access = None if kind == "wall" else kind
    piece = next((name for name, one in kit.pieces.items() if one.cells == 1 and one.access == access), None)
    if piece is None:
        word = "breach points" if kind == "breach" else "hatchways"
        raise UserError(f"The walls of {kit.name} have no {word}.")
    return GridWall(id, piece, *edge, hatchway, BreachPoint() if kind == "breach" else None, 0)


def _changed(file: SceneFile, grid: Grid, added: frozenset[str]) -> SceneFile:
    terrain = file.scene.terrain
    own = tuple(feature for feature in terrain.features if feature.kind != "wall")
    before, after = lines_beside_grid(file)
    lines = (*before, *grid.lines(), *after)
    made = wall_features(lines)
    states = {id: state for id, state in file.scene.states.items() if any(one.id == id for one in (*own, *made))}
    scene = replace(file.scene, terrain=replace(terrain, features=(*own, *made), walls=lines), states=states)
    for feature in made:
        if feature.id in added and (why := in_the_way(scene, feature, among_walls=False)) is not None:
            raise UserError(why)
    document = MappingProxyType({**file.document, "grid": grid_entry(grid)})
    return replace(file, scene=scene, document=document, grid=grid)


def grid_entry(grid: Grid) -> dict[str, Any]:
    """What a file says of a grid."""
    walls = []
    for wall in grid.walls:
        ends = {"from": _named(wall.start), "to": _named(wall.end)}
        hung = {"hinge": wall.hatchway.hinge, "swing": wall.hatchway.swing} if wall.hatchway is not None else {}
        walls.append({"id": wall.id, "piece": wall.piece, **ends, **hung})
    sizes = [round(size / MM, 6) for size in grid.cell]
    return {"kit": grid.kit.name, "cells": list(grid.cells), "cell": sizes, "walls": walls}


def _named(junction: Junction) -> str:
    return f"{LETTERS[junction[0]]}{junction[1]}"
