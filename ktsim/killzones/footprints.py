"""Where terrain pieces touch the floor: the rectangle a piece stands in, and its corners."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from ktsim.geometry.plane import Spot
from ktsim.killzones.loose_pieces import LoosePiece
from ktsim.killzones.pieces import Piece
from ktsim.killzones.terrain_reader import placed

LOW = 0.25
"""Inches above its lowest point up to which a piece stands on the floor."""


@lru_cache(maxsize=256)
def foot_of(piece: Piece) -> tuple[Spot, ...]:
    """The corners, counter-clockwise from the lowest x and y, of what a piece touches the floor with, in its own
    frame."""
    corners = np.concatenate([part.triangles.reshape(-1, 3) for part in piece.parts])
    low = corners[corners[:, 2] < corners[:, 2].min() + LOW]
    (x0, y0), (x1, y1) = low[:, :2].min(axis=0).tolist(), low[:, :2].max(axis=0).tolist()
    return (x0, y0), (x1, y0), (x1, y1), (x0, y1)


def foot_on_board(piece: LoosePiece) -> tuple[Spot, ...]:
    """The same corners where the piece stands."""
    local = np.array([[(*corner, 0.0) for corner in foot_of(piece.made())]])
    return tuple((float(x), float(y)) for x, y, _ in placed(local, piece.at, piece.turn)[0])


def hung(piece: LoosePiece, corner: int, at: Spot) -> LoosePiece:
    """The piece moved so that one corner of its foot, by its number, is there."""
    x, y = foot_on_board(piece)[corner % 4]
    return replace(piece, at=(round(piece.at[0] + at[0] - x, 4), round(piece.at[1] + at[1] - y, 4), piece.at[2]))


def edge_turn(corner: int) -> float:
    """Degrees by which the edge from a corner to the next points away from the x axis while a piece is not turned."""
    return 90.0 * (corner % 4)
