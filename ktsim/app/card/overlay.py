"""The overlays of a ruling: the engine's own lines, rings and marks, in the order they are painted."""

from __future__ import annotations

from collections.abc import Container

from ktsim.app.card.view import CrossedPart, RulingView
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
    Spot,
    State,
    WallMark,
    faded,
    ring,
)
from ktsim.sight.junctions import wall_ends
from ktsim.sight.scene import Operative, Scene

NEAR_ENOUGH_FOR_TWO = 3.0
"""The 2" ring is drawn when the operatives are this near: further apart it decides nothing and only clutters."""


MOST_LABELS = 3
"""Crossings that get words: with more, the words would hide what they are about."""


def overlays_of(scene: Scene, view: RulingView) -> tuple[Overlay, ...]:
    """Everything drawn over the table for one ruling."""
    shooter, target = scene.operative(view.shooter), scene.operative(view.target)
    kind, _, _, _ = view.deciding
    items: list[Overlay] = [
        ring(target, 1.0, dash=0.28, width=0.07, fill=34),
        ring(shooter, 0.13, colour=TEAL, width=0.09),
        ring(target, 0.13, colour=COLOURS[view.state], width=0.09, dash=0.0 if view.valid else 0.22),
    ]
    if view.obscuring:
        items.append(ring(shooter, 1.0, dash=0.28, width=0.05, colour=faded(WHITE, 200)))
    if view.distance <= NEAR_ENOUGH_FOR_TWO:
        items.append(ring(target, 2.0, dash=0.1, width=0.05, colour=faded(WHITE, 200)))
    for outline in view.regions:
        items.append(Paint(outline, shooter.level + BASE_HEIGHT + 0.02, faded(TEAL, 225)))
    for crossing, decides in _crossings(view, kind):
        items += _parts(scene, crossing, COLOURS[_state(view, decides)])
    if view.blocked is not None:
        items += _parts(scene, view.blocked, ORANGE)
    if view.witness is not None:
        items.append(Line(*view.witness, "target" if view.valid else "seen", strong=kind == "visible"))
    for crossing, decides in _crossings(view, kind):
        items.append(Line(*crossing.line, _state(view, decides), crossing.point, strong=decides))
    if view.blocked is not None:
        items.append(Line(*view.blocked.line, "blocked", view.blocked.point))
    named = {crossing.part for crossing in (*view.cover, *view.obscuring)}
    items += wall_marks(scene, named)
    items += [Spot(other, WHITE) for other in view.alternatives]
    if view.origin is not None:
        items.append(Spot(view.origin))
    return (*items, *_labels(scene, view, kind))


def _crossings(view: RulingView, kind: str) -> list[tuple[CrossedPart, bool]]:
    """Every crossing the ruling names, and whether it is shown as deciding; that one comes last, on top."""
    rows = (("obscured", view.obscuring), ("cover", view.cover))
    found = [(crossing, kind == name and i == 0) for name, row in rows for i, crossing in enumerate(row)]
    return sorted(found, key=lambda pair: pair[1])


def _state(view: RulingView, decides: bool) -> State:
    return "blocked" if decides and not view.valid else "seen"


def _parts(scene: Scene, crossing: CrossedPart, colour: tuple[int, int, int, int]) -> list[Overlay]:
    return [Highlight(part.triangles, colour) for part in scene.parts() if part.key == crossing.part]


def _labels(scene: Scene, view: RulingView, kind: str) -> list[Overlay]:
    """Names over the two heads, and over the parts that matter what they are and how near."""
    shooter, target = scene.operative(view.shooter), scene.operative(view.target)
    labels: list[Overlay] = [
        Label(_over_head(shooter), shooter.id, "target", team=shooter.team),
        Label(_over_head(target), target.id, view.state, target.order, target.team),
    ]
    for crossing, decides in _crossings(view, kind)[-MOST_LABELS:]:
        icon = "shield" if crossing in view.cover else "veil"
        near = f'  {crossing.from_target:.2f}"' if crossing.from_target is not None else ""
        state: State | None = "blocked" if decides and not view.valid else None
        labels.append(Label(_over_part(scene, crossing), crossing.name + near, state, icon))
    if view.blocked is not None:
        labels.append(Label(_over_part(scene, view.blocked), view.blocked.name, "blocked", "cross"))
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
