"""Gantries whose floors touch are one feature (KZ-BHETA-GANTRY)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ktsim.sight.scene import Feature

TOUCH = 0.01
"""Floors nearer to each other than this, in inches, touch."""


def joined(features: Sequence[Feature]) -> tuple[tuple[Feature, ...], dict[str, str]]:
    """The features with touching gantries merged, and the new id of each that was merged.

    A merged feature is called by the ids of its gantries with a ``+`` between, its parts by gantry and name.
    """
    gantries = [feature for feature in features if feature.kind == "gantry"]
    group = {feature.id: feature.id for feature in gantries}
    for i, one in enumerate(gantries):
        for other in gantries[i + 1 :]:
            if group[one.id] != group[other.id] and _touch(one, other):
                old, new = group[other.id], group[one.id]
                group = {id: new if head == old else head for id, head in group.items()}
    names: dict[str, str] = {}
    for head in dict.fromkeys(group.values()):
        ids = [id for id in group if group[id] == head]
        if len(ids) > 1:
            names.update({id: "+".join(ids) for id in ids})
    found: list[Feature] = []
    for feature in features:
        name = names.get(feature.id)
        if name is None:
            found.append(feature)
        elif all(other.id != name for other in found):
            members = [gantry for gantry in gantries if names.get(gantry.id) == name]
            parts = [
                replace(part, feature=name, name=f"{gantry.id} {part.name}")
                for gantry in members
                for part in gantry.parts
            ]
            found.append(replace(feature, id=name, parts=tuple(parts)))
    return tuple(found), names


def _floors(feature: Feature) -> list[tuple[NDArray[np.float64], float]]:
    """The corners, seen from above, and the height of each floor."""
    return [
        (np.unique(np.round(part.triangles[..., :2].reshape(-1, 2), 6), axis=0), part.top)
        for part in feature.parts
        if part.kind == "floor"
    ]


def _touch(one: Feature, other: Feature) -> bool:
    return any(
        abs(a_top - b_top) <= TOUCH and _apart(a, b) <= TOUCH
        for a, a_top in _floors(one)
        for b, b_top in _floors(other)
    )


def _apart(a: NDArray[np.float64], b: NDArray[np.float64]) -> float:
    """How far two rectangles are apart, exact when a side of one faces the other; at most 0: they overlap."""
    widest = -np.inf
    for corners in (a, b):
        centre = corners.mean(axis=0)
        order = np.argsort(np.arctan2(*(corners - centre).T[::-1]))
        ring = corners[order]
        for side in np.roll(ring, -1, axis=0) - ring:
            normal = np.array([side[1], -side[0]]) / np.hypot(*side)
            p, q = a @ normal, b @ normal
            widest = max(widest, float(max(q.min() - p.max(), p.min() - q.max())))
    return widest
