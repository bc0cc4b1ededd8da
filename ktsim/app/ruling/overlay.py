"""What is drawn over the ruling table, in the order it is painted."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from ktsim.app.card.overlay import overlays_of, wall_marks
from ktsim.app.card.view import RulingView, inches
from ktsim.app.ruling.hands import Hover
from ktsim.app.ruling.marks import End, RangeRing, Tape, length
from ktsim.app.ruling.state import Chosen, TableState
from ktsim.app.stage.overlays import (
    TEAL,
    WHITE,
    Ghost,
    GhostShape,
    Highlight,
    Label,
    Measure,
    Overlay,
    Point,
    Ring,
    Spot,
    WallMark,
    faded,
    rim_point,
    ring,
    selection,
)
from ktsim.app.stage.picture import name_label
from ktsim.killzones.footprints import foot_on_board
from ktsim.killzones.scene_pieces import piece_of
from ktsim.sight.scene import Base, Operative, Scene

POINT = Base(0.02, 0.02)
"""What a ring around a place is drawn around."""


@dataclass(frozen=True, eq=False)
class Shown:
    """Everything besides the state that decides what is drawn."""

    ruling: RulingView | None = None
    hover: Hover | None = None
    tape: Tape | None = None
    has_walls: bool = False
    """Whether all corners and ends of walls are marked."""
    lit: tuple[str, ...] = ()
    """The parts that somebody points at in words."""
    move: tuple[Overlay, ...] = ()
    """What is drawn of the move that is asked about."""
    rim: tuple[Point, ...] = ()
    """Places on the rim of a base that have been clicked."""
    walls: tuple[Overlay, ...] = ()
    """The grid on which walls are drawn, and where."""


def table_overlays(state: TableState, shown: Shown) -> tuple[Overlay, ...]:
    """The ruling's lines and marks, what is selected, tapes and rings, what is carried, and everyone's name."""
    scene = state.scene
    items: list[Overlay] = []
    if shown.has_walls:
        marked = set(wall_marks(scene))
        items += marked
    if shown.ruling is not None:
        found = overlays_of(scene, shown.ruling, shown.lit)
        items += [item for item in found if not (shown.has_walls and isinstance(item, WallMark))]
    items += shown.move
    items += _selected(state)
    for mark in (*state.marks, *([shown.tape] if shown.tape is not None else [])):
        items += _tape(scene, mark) if isinstance(mark, Tape) else _range(scene, mark)
    named = {item.text for item in items if isinstance(item, Label)}
    items += [name_label(one, may_hide=one.id != state.selected) for one in scene.operatives if one.id not in named]
    items += [Spot(place, TEAL) for place in shown.rim]
    items += shown.walls
    if shown.hover is not None:
        items += _hover(shown.hover)
    return tuple(items)


def _selected(state: TableState) -> list[Overlay]:
    one = next((one for one in state.scene.operatives if one.id == state.selected), None)
    if one is not None:
        return list(selection(one))
    if state.thing is None:
        return [item for what in state.group for item in _selected(_alone(state, what))]
    kind, id = state.thing
    if kind == "smoke" and int(id) < len(state.scene.smoke):
        x, y, z = state.scene.smoke[int(id)]
        return [Ring(x, y, z, Base.of_mm(20), 0.0, 0.1, colour=TEAL, width=0.09), Spot((x, y, z + 0.1))]
    piece = piece_of(state.file, id)
    if kind == "piece" and piece is not None:
        feature = next((feature for feature in state.scene.terrain.features if feature.id == id), None)
        parts = [part for part in feature.parts if "exposed" not in part.traits] if feature is not None else []
        return [Highlight(part.triangles, TEAL) for part in parts]
    return []


def _alone(state: TableState, what: Chosen) -> TableState:
    """The table as if one of several things that are selected were the only one."""
    kind, id = what
    if kind == "operative":
        return replace(state, selected=id, group=())
    return replace(state, thing=(kind, id), group=())


def _hover(hover: Hover) -> list[Overlay]:
    what, allowed = hover.what, hover.problem is None
    items: list[Overlay] = []
    x, y, z = hover.at
    if isinstance(what, Operative):
        items.append(Ghost(what, allowed))
        z += float(what.figure.triangles[..., 2].max())
    elif isinstance(what, tuple):
        items.append(Ring(x, y, z, Base.of_mm(20), 0.0, 1.0, dash=0.28))
        items.append(Spot((x, y, z + 0.1)))
    else:
        parts = [part for part in what.feature().parts if "exposed" not in part.traits or "vantage" in part.traits]
        shapes = [part.triangles for part in parts] or [part.triangles for part in what.feature().parts]
        body = np.concatenate(shapes)
        items.append(GhostShape(body, allowed))
        if hover.corner is not None:
            start, end = (foot_on_board(what)[(hover.corner + step) % 4] for step in (0, 1))
            items += [Measure((*start, z + 0.06), (*end, z + 0.06)), Spot((*start, z + 0.06))]
        z = float(body[..., 2].max())
    if hover.problem is not None:
        items.append(Label((x, y, z + 0.6), hover.problem, "blocked", "warning"))
    return items


# ---- measuring ----------------------------------------------------------------------------------------------
def _point(scene: Scene, end: End, towards: Point) -> Point:
    """Where a tape begins: on the rim of a base, facing the other end, or at its place."""
    if not isinstance(end, str):
        return end[0], end[1], end[2] + 0.06
    one = scene.operative(end)
    angle = float(np.degrees(np.arctan2(towards[1] - one.y, towards[0] - one.x)))
    x, y = rim_point(one.x, one.y, one.base, one.turn, angle)
    return x, y, one.level + 0.15


def _middle(scene: Scene, end: End) -> Point:
    if not isinstance(end, str):
        return end
    one = scene.operative(end)
    return one.x, one.y, one.level


def _tape(scene: Scene, tape: Tape) -> list[Overlay]:
    a, b = _middle(scene, tape.start), _middle(scene, tape.end)
    start, end = _point(scene, tape.start, b), _point(scene, tape.end, a)
    if start == end:
        return []
    middle = tuple((one + two) / 2 for one, two in zip(start, end, strict=True))
    words = Label((middle[0], middle[1], middle[2] + 0.3), inches(length(scene, tape)), None, "ruler")
    return [Measure(start, end), words]


def _range(scene: Scene, mark: RangeRing) -> list[Overlay]:
    if isinstance(mark.around, str):
        one = scene.operative(mark.around)
        drawn = ring(one, mark.inches, width=0.07, colour=faded(WHITE, 230), fill=22)
    else:
        x, y, z = mark.around
        drawn = Ring(x, y, z, POINT, 0.0, mark.inches, width=0.07, colour=faded(WHITE, 230), fill=22)
    at = rim_point(drawn.x, drawn.y, drawn.base, drawn.turn, 60.0)
    away = np.array([np.cos(np.radians(60)), np.sin(np.radians(60))]) * mark.inches
    label = Label(
        (at[0] + float(away[0]), at[1] + float(away[1]), drawn.level + 0.1), f'{mark.inches:g}"', None, "ring"
    )
    return [drawn, label]
