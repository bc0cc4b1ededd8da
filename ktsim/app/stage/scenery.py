"""What a killzone's pieces look like on the stage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

import numpy as np

from ktsim.app.stage.looks import FeatureLook, Lamp, PlacedShape, Scenery, part_shape, plain_scenery
from ktsim.app.stage.materials import mood_named
from ktsim.app.stage.meshes import PaintedShape
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.killzone_file import Killzone
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.pieces import Piece, Placement, load_piece
from ktsim.killzones.scene_file import SceneFile
from ktsim.killzones.scene_pieces import absent_of, pieces_of

OBJECTIVE = "marker-objective"


@lru_cache(maxsize=512)
def piece_shape(piece: Piece, mirror: bool) -> PaintedShape:
    """A piece's painted meshes in its own frame; a piece without any is painted by its parts' traits."""
    drawn = [mesh for mesh in (piece.body, piece.decor) if len(mesh.triangles)]
    if drawn:
        shape = PaintedShape.joined([PaintedShape(mesh.triangles, mesh.colours) for mesh in drawn])
    else:
        visible = [part for part in piece.parts if part.visible]
        shape = PaintedShape.joined([part_shape(p.triangles, p.kind, p.traits) for p in visible])
    if mirror:
        shape = PaintedShape(shape.triangles[:, ::-1] * np.array([-1.0, 1.0, 1.0]), shape.colours)
    return shape


def _lamps(piece: Piece, placement: Placement) -> list[Lamp]:
    lights = piece.lights
    if not lights:
        return []
    matrix = placement.matrix()
    lamps = []
    for light in lights:
        x, y, z, _ = matrix @ np.array([*light.at, 1.0])
        lamps.append(Lamp((float(x), float(y), float(z)), light.colour, light.reach))
    return lamps


def killzone_scenery(killzone: Killzone) -> Scenery:
    """The looks of a killzone's features, its ground and markers, and its lamps."""
    lines = killzone.grid.lines() if killzone.grid else ()
    looks, standing, lamps = _looks(killzone.placements, [line.id for line in lines], killzone.piece)
    objective = piece_shape(load_piece(OBJECTIVE), False)
    standing += [PlacedShape(objective, marker.at) for marker in killzone.objectives]
    objectives = tuple(marker.at for marker in killzone.objectives)
    return Scenery(mood_named(killzone.look), looks, tuple(standing), tuple(lamps), objectives)


def _looks(
    placements: Sequence[Placement], lines: Sequence[str], piece_of: Callable[[Placement], Piece]
) -> tuple[dict[str, FeatureLook], list[PlacedShape], list[Lamp]]:
    """The looks of features by their ids, those of the wall *lines* of a grid among them; what only stands about; and
    lamps."""
    always: dict[str, list[PlacedShape]] = {}
    states: dict[str, dict[str, list[PlacedShape]]] = {}
    standing: list[PlacedShape] = []
    lamps: list[Lamp] = []
    for placement in placements:
        shape = piece_shape(piece_of(placement), placement.mirror)
        placed = PlacedShape(shape, placement.at, placement.turn, placement.stretch)
        if not placement.feature:
            standing.append(placed)
        elif placement.state is None:
            always.setdefault(placement.feature, []).append(placed)
        else:
            states.setdefault(placement.feature, {}).setdefault(placement.state, []).append(placed)
        if placement.state in (None, "closed"):
            lamps += _lamps(piece_of(placement), placement)
    # A wall of two grid lines is two features and one drawing: the second line has nothing of its own to show.
    looks = {
        id: FeatureLook(tuple(always.get(id, ())), {name: tuple(row) for name, row in states.get(id, {}).items()})
        for id in {*always, *states, *lines}
    }
    return looks, standing, lamps


def scene_scenery(file: SceneFile) -> Scenery:
    """How the table of a scene file looks: its killzone's, with the pieces, walls and plain features it adds."""
    if file.killzone is None:
        scenery = plain_scenery(file.scene.terrain)
    else:
        killzone, absent = load_named(file.killzone, Path(file.path).parent), absent_of(file)
        if file.grid is not None and killzone.grid is not None:
            absent |= {line.id for line in killzone.grid.lines()}
        placements = tuple(one for one in killzone.placements if one.feature not in absent)
        scenery = killzone_scenery(replace(killzone, placements=placements))
    if file.grid is not None:
        lines = [line.id for line in file.grid.lines()]
        looks, _, lamps = _looks(file.grid.placements(), lines, lambda placement: load_piece(placement.piece))
        scenery = replace(scenery, looks={**scenery.looks, **looks}, lamps=(*scenery.lamps, *lamps))
    return with_pieces(scenery, pieces_of(file))


def with_pieces(scenery: Scenery, pieces: Sequence[LoosePiece]) -> Scenery:
    """The scenery with pieces put down by hand as well."""
    looks = {piece.id: FeatureLook((loose_look(piece),)) for piece in pieces}
    lamps = tuple(lamp for piece in pieces for lamp in _lamps(piece.made(), piece.placement()))
    return replace(scenery, looks={**scenery.looks, **looks}, lamps=(*scenery.lamps, *lamps)) if looks else scenery


def loose_look(piece: LoosePiece) -> PlacedShape:
    """A piece put down by hand, as it is drawn."""
    return PlacedShape(piece_shape(piece.made(), False), piece.at, piece.turn)
