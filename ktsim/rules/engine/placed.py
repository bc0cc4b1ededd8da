"""Terrain pieces that players put on the table: as features, as terrain, and as shapes seen from above."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.plane import hull
from ktsim.killzones.pieces import Placement, load_piece
from ktsim.rules.engine.state import PieceState
from ktsim.sight.scene import Feature, Part, Terrain

KEEP = 8
"""How many combinations of pieces on one board are kept ready."""

Points = NDArray[np.float64]


def terrain_with(terrain: Terrain, pieces: Iterable[PieceState]) -> Terrain:
    """The board's terrain and the *pieces* on it. The same pieces give the same value, so that what is prepared for it
    is found again."""
    key = tuple(pieces)
    if not key:
        return terrain
    kept: OrderedDict[tuple[PieceState, ...], Terrain] = terrain.kept.setdefault("placed", OrderedDict())
    if key not in kept:
        kept[key] = terrain.with_more(tuple(map(feature_of, key)))
        if len(kept) > KEEP:
            kept.popitem(last=False)
    kept.move_to_end(key)
    return kept[key]


@lru_cache(maxsize=256)
def feature_of(piece: PieceState) -> Feature:
    """The terrain feature a piece is where it stands."""
    source = load_piece(piece.piece)
    place = Placement(piece.piece, (piece.x / 1000, piece.y / 1000, piece.level / 1000), piece.turn / 1000)
    parts = (Part(piece.id, each.name, each.traits, place.applied(each.triangles), each.kind) for each in source.parts)
    return Feature(piece.id, tuple(parts), kind=source.kind)


@lru_cache(maxsize=4096)
def outline_of(piece: PieceState) -> Points:
    """The corners (n, 2) of the smallest convex shape around a piece seen from above, counter-clockwise."""
    local = local_outline(piece.piece)
    angle = np.radians(piece.turn / 1000)
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(local @ np.array([[c, s], [-s, c]]) + np.array([piece.x, piece.y]) / 1000)


@lru_cache(maxsize=32)
def local_outline(name: str) -> Points:
    """The same in the piece's own frame."""
    return hull(np.concatenate([part.triangles.reshape(-1, 3)[:, :2] for part in load_piece(name).parts]))


@lru_cache(maxsize=32)
def height_of(name: str) -> float:
    """How far a piece reaches above what it stands on."""
    return max(float(part.triangles[:, :, 2].max()) for part in load_piece(name).parts)
