"""The overlays of a ruling: the engine's own lines, rings and marks, in the order they are painted; their legend."""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ktsim.app.card.view import CrossedPart, RulingView, Segment
from ktsim.app.stage.cameras import head_of
from ktsim.app.stage.miniatures import BASE_HEIGHT
from ktsim.app.stage.overlays import (
    COLOURS,
    ORANGE,
    TEAL,
    WHITE,
    Highlight,
    Label,
    Line,
    Overlay,
    Paint,
    Ring,
    Spot,
    State,
    Tint,
    WallMark,
    faded,
    ring,
    state_colour,
)
from ktsim.app.ui import theme
from ktsim.sight.junctions import wall_ends
from ktsim.sight.scene import Operative, Scene

NEAR_ENOUGH_FOR_TWO = 3.0
"""The 2" ring is drawn when the operatives are this near: further apart it decides nothing and only clutters."""

MOST_LABELS = 3
"""Crossings that get words: with more, the words would hide what they are about."""

BAND = 0.16
"""Half the width of a stretch painted on the floor."""


def overlays_of(scene: Scene, view: RulingView, lit: tuple[str, ...] = ()) -> tuple[Overlay, ...]:
    """Everything drawn over the table for one ruling; the parts in *lit* are what somebody points at."""
    shooter, target = scene.operative(view.shooter), scene.operative(view.target)
    kind, _, _, _ = view.deciding
    items: list[Overlay] = _floor(scene, view)
    items += [
        ring(shooter, 0.13, colour=TEAL, width=0.09),
        ring(target, 0.13, colour=COLOURS[view.state], width=0.09, dash=0.0 if view.is_yes else 0.22),
    ]
    if view.visible and not view.restricted:
        items.append(ring(target, 1.0, dash=0.28, width=0.07, fill=34))
        if view.obscuring:
            items.append(ring(shooter, 1.0, dash=0.28, width=0.05, colour=faded(WHITE, 200)))
        if view.distance <= NEAR_ENOUGH_FOR_TWO:
            items.append(ring(target, 2.0, dash=0.1, width=0.05, colour=faded(WHITE, 200)))
    for outline in view.regions if view.visible else ():
        items.append(Paint(outline, shooter.level + BASE_HEIGHT + 0.02, faded(TEAL, 225)))
    items += _outlined(scene, view)
    for crossing, decides in _crossings(view, kind):
        items += _parts(scene, crossing.part, COLOURS[_state(view, decides)])
    for part in lit:
        items += _parts(scene, part, TEAL)
    if view.witness is not None:
        items.append(Line(*view.witness, "target" if view.is_yes else "seen", strong=kind in ("visible", "range")))
    if view.hazard is not None:
        items.append(Line(*view.hazard.line, "seen", strong=kind == "hazard"))
    for crossing, decides in _crossings(view, kind):
        strong = crossing.part in lit if lit else decides
        items.append(Line(*crossing.line, _state(view, decides), crossing.point, strong=strong))
    items += wall_marks(scene, {crossing.part for crossing in view.crossings()}) if view.visible else ()
    if view.visible:
        items += [Spot(other, WHITE) for other in view.alternatives]
        items += [Spot(view.origin)] if view.origin is not None else []
    return (*items, *_labels(scene, view, kind))


def _crossings(view: RulingView, kind: str) -> list[tuple[CrossedPart, bool]]:
    """Every crossing that matters, and whether it is shown as deciding; that one comes last, on top."""
    if not view.visible or view.restricted:
        return [(crossing, i == 0) for i, crossing in reversed(list(enumerate(view.crossings())))]
    rows = (("obscured", view.obscuring), ("cover", view.cover))
    found = [(crossing, kind == name and i == 0) for name, row in rows for i, crossing in enumerate(row)]
    return sorted(found, key=lambda pair: pair[1])


def _state(view: RulingView, decides: bool) -> State:
    return "blocked" if decides and not view.valid else "seen"


def _parts(scene: Scene, part: str, colour: tuple[int, int, int, int]) -> list[Overlay]:
    return [Highlight(each.triangles, colour) for each in scene.parts() if each.key == part]


def _outlined(scene: Scene, view: RulingView) -> list[Overlay]:
    """What was looked at in vain."""
    counted = {crossing.part for crossing in view.crossings()}
    vain = {each.part for each in view.aside} - counted
    return [
        Highlight(part.triangles, faded(WHITE, 170), is_thin=True)
        for part in scene.parts()
        if part.key in vain and "exposed" not in part.traits
    ]


def _floor(scene: Scene, view: RulingView) -> list[Overlay]:
    """What decided on the floor: stretches of hazardous area, footprints, the weapon's range."""
    items: list[Overlay] = []
    if view.range is not None:
        colour = ORANGE if any(rule.endswith(("RANGE", "RNG")) for rule in view.restricted) else WHITE
        items.append(ring(scene.operative(view.shooter), view.range, width=0.1, colour=colour, fill=16))
    footprints = {crossing.part for crossing in view.footprints}
    for part in scene.parts():
        if part.key in footprints:
            a, b, c = (part.triangles[:, corner] for corner in range(3))
            upper = part.triangles[np.cross(b - a, c - a)[:, 2] > 1e-9]
            items.append(Tint(upper * (1, 1, 0) + (0, 0, 0.05), faded(ORANGE, 130)))
    if view.hazard is not None:
        colour = ORANGE if "KZ-HAZARD-TARGET" in view.restricted else WHITE
        items += [Paint(_band(stretch), 0.08, faded(colour, 235)) for stretch in view.hazard.inside]
    return items


def _band(stretch: Segment) -> tuple[tuple[float, float], ...]:
    """A stretch of a line as a strip on the floor."""
    start, end = (np.array(point[:2]) for point in stretch)
    way = (end - start) / max(float(np.linalg.norm(end - start)), 1e-9)
    side = BAND * np.array([-way[1], way[0]])
    corners = (start - side, end - side, end + side, start + side)
    return tuple((float(x), float(y)) for x, y in corners)


def _labels(scene: Scene, view: RulingView, kind: str) -> list[Overlay]:
    """Names over the two heads, and over the parts that matter what they are and how near."""
    shooter, target = scene.operative(view.shooter), scene.operative(view.target)
    labels: list[Overlay] = [
        Label(_over_head(shooter), shooter.id, "target", team=shooter.team),
        Label(_over_head(target), target.id, view.state, target.order, target.team),
    ]
    for crossing, decides in _crossings(view, kind)[-MOST_LABELS:]:
        icon = "shield" if crossing in view.cover else "veil" if crossing in view.obscuring else "cross"
        near = f'  {crossing.from_target:.2f}"' if crossing.from_target is not None and view.visible else ""
        state: State | None = "blocked" if decides and not view.valid else None
        labels.append(Label(_over_part(scene, crossing), crossing.name + near, state, icon))
    if view.hazard is not None and view.hazard.inside:
        one, two = max(view.hazard.inside, key=lambda stretch: np.linalg.norm(np.subtract(*stretch)))
        middle = ((one[0] + two[0]) / 2, (one[1] + two[1]) / 2, 0.2)
        state = "blocked" if kind == "hazard" else None
        labels.append(Label(middle, f'hazard  {view.hazard.inches:.2f}"', state, "warning"))
    if view.range is not None and kind == "range":
        way = np.subtract(head_of(target), head_of(shooter))[:2]
        way = way / max(float(np.linalg.norm(way)), 1e-9) * (view.range + shooter.base.along)
        at = (shooter.x + float(way[0]), shooter.y + float(way[1]), shooter.level + 0.1)
        labels.append(Label(at, f'range {view.range:g}"', "blocked", "ruler"))
    return labels


def _over_head(operative: Operative) -> tuple[float, float, float]:
    x, y, z = head_of(operative)
    return x, y, z + 0.35


def _over_part(scene: Scene, crossing: CrossedPart) -> tuple[float, float, float]:
    """Above the crossing, clear of the part it lies in unless that towers over it."""
    x, y, z = crossing.point
    tops = [part.top for part in scene.parts() if part.key == crossing.part]
    return x, y, min(max([z, *tops]), z + 1.4) + 0.3


def wall_marks(scene: Scene, parts: Container[str] | None = None) -> tuple[WallMark, ...]:
    """Corners and ends of walls in their present states, as the rules see them (KZ-WALL-ENDS); of these parts only."""
    ends = [end for end in wall_ends(scene) if parts is None or end.part.key in parts]
    return tuple(WallMark(end.at[0], end.at[1], end.height, end.kind) for end in ends)


# ---- the legend -----------------------------------------------------------------------------------------------
Swatch = Literal["line", "dashed", "stopped", "ring", "spot", "area", "part", "thin", "post", "cloud"]


@dataclass(frozen=True)
class LegendEntry:
    """A mark and what it means."""

    mark: Swatch
    words: str
    colour: str


def legend_of(scene: Scene, view: RulingView, items: tuple[Overlay, ...]) -> tuple[LegendEntry, ...]:
    """What each kind of mark among a ruling's overlays means."""
    lines = [item for item in items if isinstance(item, Line)]
    kind, _, _, part = view.deciding
    found = []
    if any(line.state == "target" for line in lines):
        found.append(LegendEntry("line", f"{view.shooter} sees {view.target}", theme.ACCENT))
    if any(line.state == "seen" and line.hit is None for line in lines):
        words = "targeting line" if kind == "hazard" else f"{view.shooter} sees {view.target}"
        found.append(LegendEntry("dashed", words, theme.TEXT))
    if any(line.state == "seen" and line.hit is not None for line in lines):
        found.append(LegendEntry("stopped", "a targeting line meets terrain", theme.TEXT))
    if any(line.state == "blocked" for line in lines):
        words = "what decided: terrain on a line" if view.visible else "nearest to clear, stopped here"
        found.append(LegendEntry("stopped", words, state_colour("blocked")))
    highlights = [item for item in items if isinstance(item, Highlight)]
    if any(not each.is_thin for each in highlights):
        colour = theme.NO if part and not view.valid else theme.TEXT
        found.append(LegendEntry("part", "counts" if view.visible else "in the way", colour))
    if any(each.is_thin for each in highlights):
        found.append(LegendEntry("thin", "looked at, does not count", theme.TEXT))
    rings = {item.distance for item in items if isinstance(item, Ring)}
    whole = ", ".join(f'{inches:g}"' for inches in (1.0, 2.0) if inches in rings)
    if whole:
        found.append(LegendEntry("ring", f"{whole} from a base", theme.TEXT))
    if view.range is not None:
        found.append(LegendEntry("ring", f'range {view.range:g}"', theme.NO if kind == "range" else theme.TEXT))
    if any(isinstance(item, Spot) for item in items):
        found.append(LegendEntry("spot", f"the best point of {view.shooter}'s base", theme.ACCENT))
    if view.visible and view.regions:
        found.append(LegendEntry("area", "as good as that point", theme.ACCENT))
    if view.hazard is not None:
        found.append(LegendEntry("area", "hazardous area on a line", theme.NO if kind == "hazard" else theme.TEXT))
    if view.footprints:
        found.append(LegendEntry("area", "footprint", theme.NO))
    if scene.smoke:
        words = "smoke, which obscures" if view.smoke else "smoke"
        found.append(LegendEntry("cloud", words, theme.SOFT))
    if any(isinstance(item, WallMark) for item in items):
        found.append(LegendEntry("post", "corners and ends of the wall", theme.TEXT))
    return tuple(found)
