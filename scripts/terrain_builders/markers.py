"""Markers: flat tokens that never rule. Objectives are 40 mm across, all others 20 mm."""

from __future__ import annotations

from .draft import Draft
from .drawings import lancet, slot
from .shapes import bevelled, box, lathe, move, prism, torus

BIG, SMALL = 20 / 25.4, 10 / 25.4
"""Radii."""


def token(name: str, radius: float, ring: str) -> Draft:
    """A disc with a coloured ring."""
    draft = Draft(name, "marker")
    rim = [(0, 0), (radius, 0), (radius, 0.03), (radius - 0.04, 0.055), (0, 0.055)]
    draft.add(lathe(rim, 40 if radius > 0.5 else 28), "marker")
    inner, outer = radius * 0.68, radius * 0.78
    band = [(inner, 0.05), (outer, 0.05), (outer, 0.068), (inner, 0.068), (inner, 0.05)]
    draft.add(lathe(band, 40 if radius > 0.5 else 28), ring)
    return draft


def objective() -> Draft:
    draft = token("marker-objective", BIG, "objective")
    draft.add(lathe([(0, 0.05), (0.22, 0.05), (0.18, 0.075), (0, 0.075)], 6), "objective")
    return draft


def ammo_cache() -> Draft:
    draft = token("marker-ammo-cache", SMALL, "olive")
    for s in (-1, 0, 1):
        draft.add(prism(lancet(s * 0.1, -0.11, 0.075, 0.22), 0.035, 0.05), "brass")
    return draft


def comms_device() -> Draft:
    draft = token("marker-comms-device", SMALL, "teal")
    for radius in (0.08, 0.15):
        draft.add(torus(radius, 0.014, 18, 4).apply_translation([0, 0, 0.06]), "teal")
    draft.add(move(bevelled(0.07, 0.07, 0.035, 0.01), 0, 0, 0.05), "hull-rib")
    return draft


def mine() -> Draft:
    draft = token("marker-mine", SMALL, "warn")
    draft.add(lathe([(0, 0.05), (0.15, 0.05), (0.12, 0.085), (0, 0.09)], 12), "iron")
    draft.add(lathe([(0, 0.085), (0.05, 0.085), (0.04, 0.098), (0, 0.098)], 10), "red")
    return draft


def smoke() -> Draft:
    draft = token("marker-smoke", SMALL, "white")
    for x, y, radius in ((-0.1, -0.02, 0.1), (0.08, -0.05, 0.11), (0.0, 0.09, 0.1)):
        draft.add(move(lathe([(0, 0.05), (radius, 0.05), (radius * 0.7, 0.085), (0, 0.09)], 12), x, y), "white", 0.9)
    return draft


def mission() -> Draft:
    draft = token("marker-mission", SMALL, "amber")
    draft.add(prism(slot(0, -0.13, 0.26, 0.26, 0.06), 0.03, 0.05), "hull-rib", 0.9)
    draft.add(move(box(0.05, 0.16, 0.02), 0, 0, 0.075), "amber")
    return draft
