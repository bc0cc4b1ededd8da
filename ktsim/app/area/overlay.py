"""Area views as overlays: the cells of each kind on their levels, told apart by pattern as well as by colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.app.stage.overlays import ORANGE, RGBA, TEAL, WHITE, Overlay, Tint, faded
from ktsim.sight.area import Answer, AreaMap, LevelMap, SafeLevel, SafeMap

Mask = NDArray[np.bool_]
Edge = NDArray[np.floating[Any]]
ABOVE = 0.035
"""How far over its level a tint lies, in inches."""

FINEST = 0.25
"""The cells patterns are made of, in inches."""

EDGE = 0.03
"""Half the width of the line between kinds, in inches."""


@dataclass(frozen=True)
class Kind:
    """One answer an area view gives: what it is called, and how its cells are painted."""

    name: str
    title: str
    words: str
    colour: RGBA
    pattern: str
    """``solid``, ``hatched``, ``crossed``, ``dotted``, ``pale`` or ``blank``."""


ANY = Kind("any", "Valid target", "on either order", ORANGE, "solid")
ENGAGED = Kind("engaged", "Only if on Engage", "in cover, so Conceal saves it", WHITE, "hatched")
SEEN = Kind("seen", "Seen, not a valid target", "on either order", WHITE, "crossed")
VISIBLE = Kind("visible", "Visible", "the rest is being asked", WHITE, "pale")
HIDDEN = Kind("hidden", "Not visible", "", TEAL, "dotted")
TARGET = Kind("target", "Valid target", "for at least one of them", ORANGE, "solid")
SAFE = Kind("safe", "Safe", "a valid target for none of them", TEAL, "dotted")
OPEN = Kind("open", "Not known yet", "", WHITE, "blank")
SURVEY_KINDS = (ANY, ENGAGED, SEEN, HIDDEN, VISIBLE, OPEN)
SAFE_KINDS = (TARGET, SAFE, OPEN)


def kinds_of(found: AreaMap | SafeMap) -> list[tuple[float, dict[Kind, Mask]]]:
    """The cells of each kind, level by level; nothing is called hidden or safe before an exact answer says so."""
    if isinstance(found, AreaMap):
        return [(level.level, _surveyed(level)) for level in found.levels]
    return [(level.level, _safe(level)) for level in found.levels]


def _surveyed(level: LevelMap) -> dict[Kind, Mask]:
    conceal, engage, visible = level.valid_on_conceal, level.valid_on_engage, level.visible
    sure = (conceal != Answer.UNKNOWN) & (engage != Answer.UNKNOWN) & (visible == Answer.YES)
    masks = {
        ANY: sure & (conceal == Answer.YES),
        ENGAGED: sure & (conceal == Answer.NO) & (engage == Answer.YES),
        SEEN: sure & (conceal == Answer.NO) & (engage == Answer.NO),
        HIDDEN: visible == Answer.NO,
        VISIBLE: (visible == Answer.YES) & ~sure,
    }
    masks[OPEN] = (visible != Answer.NOWHERE) & ~np.logical_or.reduce(list(masks.values()))
    return masks


def _safe(level: SafeLevel) -> dict[Kind, Mask]:
    return {
        TARGET: level.safe == Answer.NO,
        SAFE: level.safe == Answer.YES,
        OPEN: level.safe == Answer.UNKNOWN,
    }


def shares(found: AreaMap | SafeMap) -> dict[Kind, float]:
    """The part of all cells somebody can stand in that each kind has."""
    counts: dict[Kind, int] = {}
    for _, masks in kinds_of(found):
        for kind, mask in masks.items():
            counts[kind] = counts.get(kind, 0) + int(mask.sum())
    whole = max(1, sum(counts.values()))
    return {kind: count / whole for kind, count in counts.items()}


def kind_at(found: AreaMap | SafeMap, x: float, y: float, z: float) -> Kind | None:
    """What the map says of a place; None where nobody can stand."""
    level, masks = min(kinds_of(found), key=lambda pair: abs(pair[0] - z))
    row, column = int(y / found.cell), int(x / found.cell)
    for kind, mask in masks.items():
        if abs(level - z) < 0.2 and 0 <= row < mask.shape[0] and 0 <= column < mask.shape[1] and mask[row, column]:
            return kind
    return None


def area_overlays(found: AreaMap | SafeMap) -> tuple[Overlay, ...]:
    """Tints for every kind on every level, and lines between them."""
    items: list[Overlay] = []
    for level, masks in kinds_of(found):
        z = level + ABOVE
        for kind, mask in masks.items():
            fine, cell = _refined(mask, found.cell)
            strong, weak = _patterned(fine, kind.pattern)
            for cells, alpha in ((strong, _STRONG[kind.pattern]), (weak, _WEAK[kind.pattern])):
                if alpha and cells.any():
                    items.append(Tint(_cells(cells, cell, z), faded(kind.colour, alpha)))
        numbers = np.zeros(next(iter(masks.values())).shape, np.uint8)
        for number, (kind, mask) in enumerate(masks.items(), 1):
            numbers[mask & (kind is not OPEN)] = number
        edges = _borders(numbers, found.cell, z + 0.004)
        if len(edges):
            items.append(Tint(edges, faded(WHITE, 210)))
    return tuple(items)


_STRONG = {"solid": 150, "hatched": 115, "crossed": 115, "dotted": 215, "pale": 40, "blank": 0}
_WEAK = {"solid": 0, "hatched": 22, "crossed": 22, "dotted": 0, "pale": 0, "blank": 0}


def _refined(mask: Mask, cell: float) -> tuple[Mask, float]:
    """The same cells cut into those patterns are made of."""
    times = max(1, round(cell / FINEST))
    return mask.repeat(times, axis=0).repeat(times, axis=1), cell / times


def _patterned(mask: Mask, pattern: str) -> tuple[Mask, Mask]:
    """The cells of a mask that are painted strongly, and those between."""
    row, column = np.indices(mask.shape)
    if pattern == "hatched":
        strong = (row + column) % 4 < 2
    elif pattern == "crossed":
        strong = ((row + column) % 4 < 1) | ((row - column) % 4 < 1)
    elif pattern == "dotted":
        strong = (row % 4 == 1) & (column % 4 == 1)
    else:
        strong = row >= 0
    return mask & strong, mask & ~strong


def _cells(mask: Mask, cell: float, z: float) -> NDArray[np.float64]:
    """Triangles over the cells of a mask, one pair for each run of cells in a row."""
    padded = np.zeros((mask.shape[0], mask.shape[1] + 2), np.int8)
    padded[:, 1:-1] = mask
    change = np.diff(padded, axis=1)
    rows, starts = np.nonzero(change == 1)
    _, ends = np.nonzero(change == -1)
    return _quads(starts * cell, rows * cell, ends * cell, (rows + 1) * cell, z)


def _borders(numbers: NDArray[np.uint8], cell: float, z: float) -> NDArray[np.float64]:
    """Thin bars where neighbouring cells are of different kinds."""
    across = (numbers[:, 1:] != numbers[:, :-1]) & (numbers[:, 1:] > 0) & (numbers[:, :-1] > 0)
    along = (numbers[1:] != numbers[:-1]) & (numbers[1:] > 0) & (numbers[:-1] > 0)
    bars = []
    row, column = np.nonzero(across)
    x = (column + 1) * cell
    bars.append(_quads(x - EDGE, row * cell - EDGE, x + EDGE, (row + 1) * cell + EDGE, z))
    row, column = np.nonzero(along)
    y = (row + 1) * cell
    bars.append(_quads(column * cell - EDGE, y - EDGE, (column + 1) * cell + EDGE, y + EDGE, z))
    return np.concatenate(bars)


def _quads(x0: Edge, y0: Edge, x1: Edge, y1: Edge, z: float) -> NDArray[np.float64]:
    """Rectangles at a height, as two triangles each."""
    height = np.full(len(x0), z)

    def corner(x: Edge, y: Edge) -> NDArray[np.float64]:
        return np.column_stack([x, y, height])

    a, b, c, d = corner(x0, y0), corner(x1, y0), corner(x1, y1), corner(x0, y1)
    return np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])


def known(found: AreaMap | SafeMap) -> float:
    """The part of the cells whose answer is known, 0 to 1."""
    if isinstance(found, AreaMap):
        return found.asked / max(1, found.of)
    if found.complete:
        return 1.0
    return 1.0 - shares(found).get(OPEN, 0.0)


def kinds_in(found: AreaMap | SafeMap) -> Sequence[Kind]:
    return SURVEY_KINDS if isinstance(found, AreaMap) else SAFE_KINDS
