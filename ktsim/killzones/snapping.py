"""Terrain pieces put side by side: with the edge of the board, or with each other."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ktsim.geometry.plane import Spot
from ktsim.killzones.footprints import foot_on_board
from ktsim.killzones.loose_pieces import LoosePiece

REACH = 0.35
"""Inches within which a side is taken to be meant for another."""
BESIDE = 1.5
"""Inches apart at most along a line on which two pieces are put."""


def _bounds(piece: LoosePiece) -> tuple[Spot, Spot]:
    foot = foot_on_board(piece)
    xs, ys = [x for x, _ in foot], [y for _, y in foot]
    return (min(xs), min(ys)), (max(xs), max(ys))


def snapped(piece: LoosePiece, others: Iterable[LoosePiece], board: tuple[float, float]) -> LoosePiece:
    """The piece moved by as little as brings a side of it onto the board's edge or in line with a side of a piece
    beside it, along x and along y; where none is near it stays."""
    low, high = _bounds(piece)
    around = [_bounds(other) for other in others if other.id != piece.id]
    moves = [0.0, 0.0]
    for axis in (0, 1):
        across = 1 - axis
        lines = [0.0, board[axis]]
        for first, last in around:
            if first[across] - BESIDE < high[across] and low[across] < last[across] + BESIDE:
                lines += [first[axis], last[axis]]
        shifts = [line - side for line in lines for side in (low[axis], high[axis])]
        nearest = min(shifts, key=abs)
        moves[axis] = nearest if abs(nearest) <= REACH else 0.0
    x, y, z = piece.at
    return replace(piece, at=(round(x + moves[0], 4), round(y + moves[1], 4), z))
