"""Terrain pieces put on a table by hand: which there are, what they become, and where they fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ktsim.content.reader import Sheet
from ktsim.geometry.contact import inside
from ktsim.killzones.check import DEPTH, REACH
from ktsim.killzones.pieces import Piece, Placement, has_parts, load_piece, shipped, usable_names
from ktsim.killzones.sizes import Sizes, read_sizes, resized
from ktsim.sight.distances import part_is_near
from ktsim.sight.scene import EPS, Feature, Operative, Part, Scene

MOST_POINTS = 150
"""Points of one part that are looked for in another."""


def loose_pieces() -> tuple[str, ...]:
    """The pieces that can stand anywhere on a board: the user's own, and shipped ones with parts of their own. Bodies
    of walls rule by the lines they stand on, grounds and markers do not rule."""
    return (*usable_names(), *(name for name in shipped() if has_parts(name)))


@dataclass(frozen=True)
class LoosePiece:
    """A piece put down by hand: the feature's id, the piece's name, where its origin stands and how it is turned."""

    id: str
    piece: str
    at: tuple[float, float, float]
    turn: float = 0.0
    sizes: Sizes | None = None
    """What somebody measured of it, where that is not what the piece says of itself."""

    def made(self) -> Piece:
        """The piece as large as it is. Raises UserError when there is no such piece."""
        found = load_piece(self.piece)
        return found if self.sizes is None else resized(found, self.sizes)

    def placement(self) -> Placement:
        return Placement(self.piece, self.at, self.turn, feature=self.id)

    def feature(self) -> Feature:
        """What rules. Raises UserError when there is no such piece."""
        made, place = self.made(), self.placement()
        parts = (Part(self.id, p.name, p.traits, place.applied(p.triangles), p.kind, p.is_open) for p in made.parts)
        return Feature(self.id, tuple(parts), kind=made.kind)


def piece_feature(sheet: Sheet, at: tuple[float, float, float], turn: float) -> Feature:
    """The feature an entry of a file describes that names a piece. Raises UserError when there is no such piece."""
    node, reader = sheet.get("sizes"), sheet.reader
    before = reader.count
    sizes = read_sizes(reader, node) if node is not None else None
    piece = LoosePiece(sheet.text("id"), sheet.text("piece"), at, turn, sizes if reader.count == before else None)
    for text in load_piece(piece.piece).warnings:
        reader.warnings.append(text)
    return piece.feature()


def slid(piece: LoosePiece, board: tuple[float, float]) -> LoosePiece:
    """The piece moved inwards as far as it reaches over the edge of a board."""
    corners = np.concatenate([part.triangles.reshape(-1, 3)[:, :2] for part in piece.feature().parts])
    low, high = corners.min(axis=0), corners.max(axis=0)
    inwards = np.maximum(-low, 0.0) - np.maximum(high - np.array(board), 0.0)
    x, y, z = piece.at
    return replace(piece, at=(round(x + float(inwards[0]), 4), round(y + float(inwards[1]), 4), z))


def misfit(scene: Scene, feature: Feature) -> str | None:
    """Why a feature cannot stand where it is among the others, as a sentence; None when it can.

    A feature of the same id in the scene is the one being moved and is not in its own way.
    """
    width, depth = scene.terrain.board
    corners = np.concatenate([part.triangles.reshape(-1, 3)[:, :2] for part in feature.parts])
    if (corners.min(axis=0) < -REACH).any() or (corners.max(axis=0) > np.array([width, depth]) + REACH).any():
        return "It would reach over the edge of the board."
    return in_the_way(scene, feature)


def in_the_way(scene: Scene, feature: Feature, *, among_walls: bool = True) -> str | None:
    """What stands where a feature would, as a sentence; with *among_walls* walls too, which may meet each other."""
    for operative in scene.operatives:
        if any(_stands_in(operative, part) for part in feature.parts_in(None)):
            return f"It would stand on {operative.id}."
    for other in scene.terrain.features:
        if other.id == feature.id or (other.kind == "wall" and not among_walls):
            continue
        present = other.parts_in(scene.states.get(other.id))
        if any(_collide(mine, theirs) for mine in feature.parts_in(None) for theirs in present):
            return f"It would overlap {other.id}."
    return None


def _is_solid(part: Part) -> bool:
    return "exposed" not in part.traits or "vantage" in part.traits


def _collide(one: Part, other: Part) -> bool:
    """Whether corners of one are inside the other. It is asked while a piece is dragged, so not every corner is."""
    if not (_is_solid(one) and _is_solid(other)):
        return False
    low = np.maximum(one.triangles.min(axis=(0, 1)), other.triangles.min(axis=(0, 1)))
    high = np.minimum(one.triangles.max(axis=(0, 1)), other.triangles.max(axis=(0, 1)))
    if (high - low <= DEPTH).any():
        return False
    return _runs_into(one, other, low, high) or _runs_into(other, one, low, high)


def _runs_into(one: Part, other: Part, low: NDArray[np.float64], high: NDArray[np.float64]) -> bool:
    corners = one.triangles.reshape(-1, 3)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    points = np.concatenate([corners, one.triangles.mean(axis=1)])
    points = points + np.clip(middle - points, -DEPTH, DEPTH)  # touching is not overlapping
    points = points[((points > low) & (points < high)).all(axis=1)]
    return bool(inside(points[:: max(1, len(points) // MOST_POINTS)], other.triangles).any())


def _stands_in(operative: Operative, part: Part) -> bool:
    """Does any of the part, seen from above, lie over the base between the operative's feet and its head?"""
    if not _is_solid(part):
        return False
    tall = float(operative.figure.triangles[..., 2].max())
    heights = part.triangles[..., 2]
    among = (heights.max(axis=1) > operative.level + DEPTH) & (heights.min(axis=1) < operative.level + tall - EPS)
    if not among.any():
        return False
    return part_is_near(operative, replace(part, triangles=part.triangles[among]), -DEPTH)
