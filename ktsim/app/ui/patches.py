"""What of the interface looks different from the frame before: where its output keeps what was drawn, only that is
drawn again. In software most of a frame would be panels that stay as they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from panda3d.core import ScissorAttrib

Box: TypeAlias = tuple[int, int, int, int]
"""Pixels of the output from its top left corner: left, top, right, bottom; the last two are outside."""

MOST_PATCHES = 4
MOST_OF_OUTPUT = 0.8
"""Patches that cover more of the output than this are no better than all of it."""

WORDS = 5
"""32-bit words of one of ImGui's corners: place, place in the texture, colour."""


@dataclass(frozen=True, eq=False)
class Inked:
    """One of ImGui's draw commands: the *corners* of its triangles, shape (n, 3 * WORDS) as plain bits, cut off at
    *clip*. What its texture shows is *content*, equal where that is the same."""

    corners: NDArray[np.uint32]
    clip: Box
    content: object

    def box(self, which: NDArray[np.bool_] | slice, scale: float) -> Box:
        """The pixels that some of its triangles may touch, *scale* a unit."""
        places = self.corners[which].reshape(-1, WORDS)[:, :2].view(np.float32)
        if not len(places):
            return 0, 0, 0, 0
        (x0, y0), (x1, y1) = places.min(axis=0) * scale, places.max(axis=0) * scale
        reach = math.floor(x0) - 1, math.floor(y0) - 1, math.ceil(x1) + 1, math.ceil(y1) + 1
        return overlap(reach, self.clip)


def overlap(one: Box, two: Box) -> Box:
    """What both cover; nothing has no area."""
    return max(one[0], two[0]), max(one[1], two[1]), min(one[2], two[2]), min(one[3], two[3])


def area(box: Box) -> int:
    return max(0, box[2] - box[0]) * max(0, box[3] - box[1])


def around(one: Box, two: Box) -> Box:
    """The least box around both."""
    return min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3])


def scissor(box: Box, within: Box) -> ScissorAttrib:
    """Has only *box* of what is drawn to the pixels *within* drawn; Panda3D rounds towards the bottom left corner."""
    (left, top, right, bottom), w, h = box, within[2] - within[0], within[3] - within[1]
    across = [(left - within[0] + 0.25) / w, (right - within[0] + 0.5) / w]
    return ScissorAttrib.make(*across, (within[3] - bottom + 0.25) / h, (within[3] - top + 0.5) / h)


def differing(before: Inked | None, now: Inked | None, scale: float) -> list[Box]:
    """Where a command's picture differs from that of the one before at its place; None where there is none."""
    both = [one for one in (before, now) if one is not None]
    if before is None or now is None or before.clip != now.clip or before.content != now.content:
        return [one.box(slice(None), scale) for one in both]
    old, new = before.corners, now.corners
    if len(old) == len(new):
        changed = (old != new).any(axis=1)
        return [one.box(changed, scale) for one in both] if changed.any() else []
    # Something came or went: what stands before and after it is the same.
    shared = min(len(old), len(new))
    start = _same(old[:shared], new[:shared])
    end = _same(old[::-1][: shared - start], new[::-1][: shared - start])
    return [one.box(slice(start, len(one.corners) - end), scale) for one in both]


def _same(old: NDArray[np.uint32], new: NDArray[np.uint32]) -> int:
    """With how many equal rows both begin."""
    changed = np.flatnonzero((old != new).any(axis=1))
    return int(changed[0]) if len(changed) else len(old)


def patches(boxes: Iterable[Box], size: tuple[int, int]) -> list[Box]:
    """A few boxes that do not overlap and cover all of *boxes*, within an output of *size*."""
    whole = (0, 0, *size)
    found = [box for box in (overlap(box, whole) for box in boxes) if area(box)]
    while pair := _mergeable(found):
        one, two = pair
        found = [box for number, box in enumerate(found) if number not in pair] + [around(found[one], found[two])]
    return [whole] if sum(map(area, found)) > MOST_OF_OUTPUT * area(whole) else found


def _mergeable(boxes: Sequence[Box]) -> tuple[int, int] | None:
    """Two that overlap, or that cost the least together where there are too many."""
    pairs = [(i, j) for j in range(len(boxes)) for i in range(j)]
    for i, j in pairs:
        if area(overlap(boxes[i], boxes[j])):
            return i, j
    if len(boxes) <= MOST_PATCHES:
        return None
    return min(pairs, key=lambda pair: area(around(boxes[pair[0]], boxes[pair[1]])) - area(boxes[pair[0]]))
