"""The labels of a table: its overlays' words where the camera sees their places, clear of whatever stands there."""

from __future__ import annotations

import math
from collections.abc import Sequence

from ktsim.app.stage.cameras import Pose, head_of
from ktsim.app.stage.overlays import Ghost, Label, Line, Measure, Overlay, Point, Ring, Spot, state_colour
from ktsim.app.stage.picture import TablePicture
from ktsim.app.ui import flags, theme
from ktsim.app.ui.flag_places import FIGURE, LINE, MARKER, ROUTE, Box, Solid, Stroke
from ktsim.app.ui.flags import Flag
from ktsim.app.ui.pen import Pen, V
from ktsim.app.ui.rect import Rect
from ktsim.sight.scene import MM, Operative, Scene

POINTED = 26.0
"""How near to somebody's middle, below its label's place, the pointer must be for the label to be shown."""
OBJECTIVE = 20 * MM
"""The radius of an objective marker."""
LARGEST_MARKER = 1.0
"""Inches: a wider ring is a distance, not a marker, and may be covered."""
OVER_HEAD = 0.7
"""Inches beside the middle of an operative's base up to which a label speaks of it."""
OWN = 6.0
"""Over a head: words there would be read as the name of whoever stands below."""
AN_END = 9.0
"""Half the size of a line's end, a hit or a bend in the picture."""


class TableLabels:
    """The labels over one picture. It remembers where they stood in the last frame, so that they stay there."""

    def __init__(self) -> None:
        self._spots: flags.Spots = flags.NO_SPOTS

    def over(self, pen: Pen, picture: TablePicture, free: Rect, pointer: tuple[float, float]) -> tuple[Rect, ...]:
        """The words of a picture that fills the window, kept inside the part that panels leave *free*."""
        window = Rect(0, 0, *picture.frame.size)
        return self.draw(
            pen, window, picture.pose(), picture.scene, picture.items, free, picture.stage.scenery.objectives, pointer
        )

    def draw(
        self,
        pen: Pen,
        rect: Rect,
        pose: Pose,
        scene: Scene,
        items: Sequence[Overlay],
        within: Rect,
        objectives: Sequence[Point] = (),
        pointer: tuple[float, float] | None = None,
    ) -> tuple[Rect, ...]:
        """The overlays' words over the picture in *rect*, kept inside *within*. What refuses something and what was
        chosen comes first; of those that may be hidden the nearest, and what the *pointer* is at is shown."""
        labels = [item for item in items if isinstance(item, Label)]
        if not labels:
            self._spots = flags.NO_SPOTS
            return ()
        people = [*scene.operatives, *(item.operative for item in items if isinstance(item, Ghost))]
        stand = figures(rect, pose, people)
        wanted = flags_of(rect, pose, labels, _bodies(labels, people, stand), pointer)
        solids, strokes = marks(rect, pose, items, people, objectives)
        solids += [figure for figure in stand if figure is not None]
        pen.sheet.push_clip_rect(V(rect.x, rect.y), V(rect.right, rect.bottom), True)
        drawn = flags.draw(pen, wanted, within, solids, strokes, self._spots)
        pen.sheet.pop_clip_rect()
        self._spots = drawn.spots
        return drawn.rects


def _bodies(labels: Sequence[Label], people: Sequence[Operative], figures: Sequence[Solid | None]) -> list[Box | None]:
    """For each label the figure in the picture of whoever it is over, if it is over anybody."""
    found: list[Box | None] = []
    for label in labels:
        x, y, z = label.at
        body = None
        for one, figure in zip(people, figures, strict=True):
            if figure is not None and abs(one.x - x) < OVER_HEAD and abs(one.y - y) < OVER_HEAD and one.level < z:
                body = figure[:4]
        found.append(body if label.along is None else None)
    return found


def flags_of(
    rect: Rect,
    pose: Pose,
    labels: Sequence[Label],
    bodies: Sequence[Box | None],
    pointer: tuple[float, float] | None,
) -> list[Flag]:
    """The labels in the picture, those that choose first in front; none for those behind the camera."""
    found: list[tuple[int, float, Flag]] = []
    seen = pose.project([label.at for label in labels], (round(rect.w), round(rect.h))).tolist()
    for label, body, (x, y, depth) in zip(labels, bodies, seen, strict=True):
        if not math.isfinite(x):
            continue
        at = rect.x + x, rect.y + y
        is_pointed_at = pointer is not None and math.dist((at[0], at[1] + POINTED), pointer) < POINTED
        may_hide = label.may_hide and not is_pointed_at
        colour = state_colour(label.state) if label.state else theme.TEXT
        flag = Flag(*at, label.text, colour, label.icon, label.team, may_hide, label.insists, label.is_marked, body)
        found.append((_rank(label, may_hide), depth if may_hide else 0.0, flag))
    found.sort(key=lambda each: each[:2])
    return [flag for _, _, flag in found]


def _rank(label: Label, may_hide: bool) -> int:
    """Who chooses a spot first: what refuses, what is marked, what tells an answer, names, then legs of a route."""
    if may_hide:
        return 5
    if label.state == "blocked":
        return 0
    if label.is_marked:
        return 1
    return 4 if label.along is not None else 2 if label.state is not None else 3


def marks(
    rect: Rect, pose: Pose, items: Sequence[Overlay], people: Sequence[Operative], objectives: Sequence[Point]
) -> tuple[list[Solid], list[Stroke]]:
    """What labels over the picture in *rect* keep clear of besides *people*: markers, lines with their ends, and routes
    with their bends. A ring around somebody is no marker."""
    solids: list[Solid] = []
    bases = {(one.x, one.y) for one in people}
    discs = [(at, OBJECTIVE) for at in objectives]
    discs += [
        ((ring.x, ring.y, ring.level), _reach(ring))
        for ring in items
        if isinstance(ring, Ring) and _reach(ring) <= LARGEST_MARKER and (ring.x, ring.y) not in bases
    ]
    ends: list[Point] = []
    lines: list[tuple[Point, Point, float]] = []
    for item in items:
        match item:
            case Line():
                ends += [item.start, item.end, *([item.hit] if item.hit is not None else [])]
                lines.append((item.start, item.end, LINE if item.strong else LINE / 2))
            case Measure():
                ends += [item.start, item.end]
                lines.append((item.start, item.end, LINE))
            case Spot():
                ends.append(item.at)
            case Label() if item.along is not None:
                ends += item.along
                lines.append((*item.along, ROUTE))
            case _:
                pass
    points = [*(at for at, _ in discs), *ends]
    for start, end, _ in lines:
        points += [start, end]
    if not points:
        return solids, []
    seen = _seen(rect, pose, points)
    flat = _flatness(pose)
    for (_, radius), (x, y, per_inch) in zip(discs, seen, strict=False):
        if math.isfinite(x):
            wide = radius * per_inch
            solids.append(Solid(x - wide, y - wide * flat, x + wide, y + wide * flat, MARKER))
    for x, y, _ in seen[len(discs) : len(discs) + len(ends)]:
        if math.isfinite(x):
            solids.append(Solid(x - AN_END, y - AN_END, x + AN_END, y + AN_END, MARKER))
    strokes = []
    for i, (_, _, dear) in enumerate(lines):
        (ax, ay, _), (bx, by, _) = seen[len(discs) + len(ends) + 2 * i :][:2]
        if math.isfinite(ax) and math.isfinite(bx):
            strokes.append(Stroke(ax, ay, bx, by, dear))
    return solids, strokes


def figures(rect: Rect, pose: Pose, operatives: Sequence[Operative]) -> list[Solid | None]:
    """Where operatives stand in the picture, each from the near rim of its base to the top of its head; None for those
    behind the camera."""
    if not operatives:
        return []
    heads = [head_of(one) for one in operatives]
    seen = _seen(rect, pose, [*((one.x, one.y, one.level) for one in operatives), *heads])
    flat = _flatness(pose)
    found: list[Solid | None] = []
    for one, (x, y, per_inch), (head_x, head_y, at_head) in zip(
        operatives, seen[: len(heads)], seen[len(heads) :], strict=True
    ):
        if not (math.isfinite(x) and math.isfinite(head_x)):
            found.append(None)
            continue
        wide = max(one.base.along, one.base.across) * per_inch
        head = one.figure.head_radius * at_head
        found.append(
            Solid(
                min(x - wide, head_x - head),
                min(y - wide * flat, head_y - head) - OWN,
                max(x + wide, head_x + head),
                max(y + wide * flat, head_y + head),
                FIGURE,
            )
        )
    return found


def _seen(rect: Rect, pose: Pose, points: Sequence[Point]) -> list[tuple[float, float, float]]:
    """Where points are in the interface, and how long an inch is there; nan behind the camera."""
    size = round(rect.w), round(rect.h)
    per_inch = size[1] / 2 / pose.tangent
    return [
        (rect.x + x, rect.y + y, per_inch / max(depth, 1e-6)) for x, y, depth in pose.project(points, size).tolist()
    ]


def _flatness(pose: Pose) -> float:
    """How tall a circle on the floor looks beside its width."""
    x, y, z = pose.forward
    return abs(z) / math.hypot(x, y, z)


def _reach(ring: Ring) -> float:
    return max(ring.base.along, ring.base.across) + ring.distance
