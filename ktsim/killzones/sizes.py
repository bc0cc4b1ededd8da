"""Sizes of terrain pieces corrected by whoever owns them: the height, the levels, the thickness of the walls.

A piece keeps its shape and its footprint: each axis is stretched between the heights and faces that are given, so that
floors stay as thick as they are, walls grow inwards and everything in a wall grows with it. What was closed stays
closed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.content.reader import Reader
from ktsim.content.yaml_tree import Node
from ktsim.errors import UserError
from ktsim.geometry.solids import welded
from ktsim.geometry.splitting import split
from ktsim.killzones.pieces import ESTIMATED, MEASURED, Drawn, Piece, read_source

KEYS = ("height", "levels", "thickness", "source")
LEAST, MOST = 0.05, 40.0
"""Inches of any size."""
THIN_FLOOR = 0.4
"""A floor up to this thick keeps its thickness."""
THICKEST_WALL = 0.8
FLAT = 0.98
"""How nearly a face looks along an axis to be a wall's."""
WALL_FACE = 1.0
"""Square inches of a face of a wall at least."""
AT_RIM = 0.15
"""How near to the rim of the footprint a wall's face is that stays there."""

Stretch: TypeAlias = Sequence[tuple[float, float]]
"""Along an axis: places, rising, and where each is brought to; nothing where all stay."""


@dataclass(frozen=True)
class Sizes:
    """What somebody measured of a piece, in inches; what is None stays as it is. *levels* are the heights one can stand
    at, from the lowest, as many as the piece has."""

    height: float | None = None
    levels: tuple[float, ...] | None = None
    thickness: float | None = None
    source: str = MEASURED

    @property
    def is_empty(self) -> bool:
        return self.height is None and self.levels is None and self.thickness is None

    def as_entry(self) -> dict[str, Any]:
        """The sizes as files write them."""
        entry: dict[str, Any] = {}
        entry |= {"height": self.height} if self.height is not None else {}
        entry |= {"levels": list(self.levels)} if self.levels is not None else {}
        entry |= {"thickness": self.thickness} if self.thickness is not None else {}
        return entry | {"source": self.source}


@dataclass(frozen=True)
class Slab:
    """A wall across an axis: from *low* to *high*."""

    low: float
    high: float


@lru_cache(maxsize=256)
def sizes_of(piece: Piece) -> Sizes:
    """The sizes of a piece that can be corrected; None for what it has not."""
    levels = tuple(height for _, height in _floors(piece))
    slabs = [slab for axis in (0, 1) for slab in _slabs(piece, axis)]
    thick = round(float(np.median([slab.high - slab.low for slab in slabs])), 4) if slabs else None
    return Sizes(round(_top(piece), 4), levels or None, thick, piece.source)


@lru_cache(maxsize=256)
def resized(piece: Piece, sizes: Sizes) -> Piece:
    """The piece with these sizes. Raises UserError when it cannot have them."""
    stretches = [_across(piece, axis, sizes) for axis in (0, 1)] + [_upwards(piece, sizes)]

    def shaped(triangles: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.intp]]:
        parents = np.arange(len(triangles))
        for axis, stretch in enumerate(stretches):
            for at, _ in stretch:
                triangles, came = split(triangles, axis, at)
                parents = parents[came]
        out = triangles.copy()
        for axis, stretch in enumerate(stretches):
            if stretch:
                out[..., axis] = _stretched(triangles[..., axis], stretch)
        return out, parents

    def drawn(mesh: Drawn) -> Drawn:
        triangles, parents = shaped(mesh.triangles)
        return Drawn(triangles, mesh.colours[parents])

    parts = tuple(replace(part, mesh=welded(shaped(part.triangles)[0])) for part in piece.parts)
    lights = tuple(replace(light, at=_moved(light.at, stretches)) for light in piece.lights)
    source = sizes.source if not sizes.is_empty else piece.source
    return replace(piece, parts=parts, body=drawn(piece.body), decor=drawn(piece.decor), lights=lights, source=source)


def _moved(at: tuple[float, float, float], stretches: Sequence[Stretch]) -> tuple[float, float, float]:
    x, y, z = (float(_stretched(np.array(value), stretch)) for value, stretch in zip(at, stretches, strict=True))
    return x, y, z


def _stretched(values: NDArray[np.float64], stretch: Stretch) -> NDArray[np.float64]:
    """Values through the stretch given by where it brings some of them; below and above it moves them as its ends."""
    if not stretch:
        return values
    before, after = np.array(stretch).T
    found = np.interp(values, before, after)
    found = np.where(values < before[0], values + after[0] - before[0], found)
    return np.asarray(np.where(values > before[-1], values + after[-1] - before[-1], found))


def _top(piece: Piece) -> float:
    return max(float(part.triangles[..., 2].max()) for part in piece.parts)


def _floors(piece: Piece) -> list[tuple[float, float]]:
    """The lowest and highest height of each level's floor, from the lowest level."""
    found: dict[float, float] = {}
    for part in piece.parts:
        if "vantage" in part.traits:
            heights = part.triangles[..., 2]
            top, low = round(float(heights.max()), 4), float(heights.min())
            found[top] = max(low, found.get(top, low))
    return [(low, top) for top, low in sorted(found.items())]


def _upwards(piece: Piece, sizes: Sizes) -> list[tuple[float, float]]:
    """How heights are stretched; nothing where they stay."""
    floors, top = _floors(piece), _top(piece)
    levels = sizes.levels if sizes.levels is not None else tuple(height for _, height in floors)
    if len(levels) != len(floors):
        raise UserError(f"'{piece.name}' has {len(floors)} levels and {len(levels)} are given; give as many")
    # Without a height whatever stands on the highest level keeps its own.
    height = sizes.height if sizes.height is not None else top + (levels[-1] - floors[-1][1] if floors else 0.0)
    stretch = [(0.0, 0.0)]
    for (low, high), level in zip(floors, levels, strict=True):
        is_thin = high - low <= THIN_FLOOR and low > stretch[-1][0]
        stretch += [(low, level - (high - low))] if is_thin else []
        stretch.append((high, level))
    if top > stretch[-1][0] + 1e-6:
        stretch.append((top, height))
    elif abs(height - stretch[-1][1]) > 1e-6:
        raise UserError(f"the highest level of '{piece.name}' is its top; give both the same height")
    _check(stretch, f"the levels and the height of '{piece.name}' are one above the other")
    return [] if all(abs(a - b) < 1e-6 for a, b in stretch) else stretch


def _across(piece: Piece, axis: int, sizes: Sizes) -> list[tuple[float, float]]:
    """How places along a floor axis are stretched: each wall across it as thick as said, the footprint as it is."""
    if sizes.thickness is None:
        return []
    slabs, now = _slabs(piece, axis), sizes_of(piece).thickness
    if now is None:
        raise UserError(f"'{piece.name}' has no walls whose thickness could be changed")
    if not slabs or abs(sizes.thickness - now) < 1e-6:
        return []
    places = np.concatenate([part.triangles[..., axis].ravel() for part in piece.parts])
    low, high = float(places.min()), float(places.max())
    stretch: list[tuple[float, float]] = [(low, low)]
    for slab in slabs:
        more = (slab.high - slab.low) * (sizes.thickness / now - 1)
        before, after = more / 2, more / 2
        if slab.low - low < AT_RIM and high - slab.high >= AT_RIM:
            before, after = 0.0, more
        elif high - slab.high < AT_RIM and slab.low - low >= AT_RIM:
            before, after = more, 0.0
        stretch += [(slab.low, slab.low - before), (slab.high, slab.high + after)]
    stretch.append((high, max(high, stretch[-1][1])))
    stretch[0] = (low, min(low, stretch[1][1]))
    stretch = [each for i, each in enumerate(stretch) if i == 0 or each[0] > stretch[i - 1][0] + 1e-6]
    _check(stretch, f"the walls of '{piece.name}' leave room between them")
    return stretch


def _check(stretch: Stretch, rule: str) -> None:
    for (_, one), (_, two) in pairwise(stretch):
        if two <= one + 1e-4:
            raise UserError(f"that cannot be: {rule}")


def _slabs(piece: Piece, axis: int) -> list[Slab]:
    """The walls of a piece across an axis, apart from each other, found by their two large faces."""
    solid = [part for part in piece.parts if part.visible and not part.traits & {"vantage", "exposed", "insignificant"}]
    if not solid:
        return []
    triangles = np.concatenate([part.triangles for part in solid])
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    flat = np.abs(normals[:, axis]) > FLAT * np.maximum(areas, 1e-12)
    offsets = triangles[..., axis].mean(axis=1)
    ahead_of, behind_of = (
        _planes(offsets[flat & (normals[:, axis] * way > 0)], areas[flat & (normals[:, axis] * way > 0)] / 2)
        for way in (1, -1)
    )
    found: list[tuple[float, Slab]] = []
    for low, behind in behind_of:
        for high, ahead in ahead_of:
            if LEAST <= high - low <= THICKEST_WALL and min(behind, ahead) >= WALL_FACE:
                found.append((min(behind, ahead), Slab(low, high)))
    chosen: list[Slab] = []
    for _, slab in sorted(found, key=lambda each: -each[0]):
        if all(slab.high <= other.low or slab.low >= other.high for other in chosen):
            chosen.append(slab)
    return sorted(chosen, key=lambda slab: slab.low)


def _planes(offsets: NDArray[np.float64], areas: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Where flat faces lie, those within a hundredth of an inch together, and how large they are."""
    bins, numbers = np.unique(np.round(offsets, 2), return_inverse=True)
    total = np.bincount(numbers, areas, len(bins))
    middle = np.bincount(numbers, areas * offsets, len(bins)) / np.maximum(total, 1e-12)
    return [(float(at), float(area)) for at, area in zip(middle, total, strict=True)]


# ---- files ------------------------------------------------------------------------------------------------------
def read_sizes(reader: Reader, node: Node) -> Sizes:
    """The sizes a file gives a piece."""
    sheet = reader.sheet(node, "'sizes'", KEYS)

    def size(key: str) -> float | None:
        return sheet.number(key, LEAST, MOST, LEAST) if key in sheet else None

    levels = tuple(reader.number(item, "a level", LEAST, MOST) for item in sheet.items("levels", 1, 20))
    return Sizes(size("height"), levels or None, size("thickness"), read_source(reader, sheet, MEASURED))


def source_words(text: str) -> str:
    """A source as somebody types it, as files write it: without a word about it the sizes are measured."""
    text = text.strip()
    if not text:
        return MEASURED
    return text if text.partition(",")[0].strip() in (ESTIMATED, MEASURED) else f"{MEASURED}, {text}"


def written_sizes(entry: Mapping[str, Any] | None) -> Sizes | None:
    """The sizes in a file's own values, which have been read without a problem."""
    if entry is None:
        return None
    levels = tuple(entry["levels"]) if entry.get("levels") else None
    return Sizes(entry.get("height"), levels, entry.get("thickness"), entry.get("source") or MEASURED)
