"""What is drawn over the table, as plain data, and its shapes. Nothing here decides or measures anything.

The three states of a line differ in stroke and end as well as in colour:

========  ======================  ==========================  =============
state     stroke                  end                         colour
========  ======================  ==========================  =============
target    solid                   ball                        teal
seen      long dashes             cube                        white
blocked   solid, dashes beyond    octahedron, white cross     orange
========  ======================  ==========================  =============
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray
from panda3d.core import NodePath

from ktsim.app.stage.meshes import flat_node
from ktsim.app.stage.solids import ball, bevelled_box, hull_of_rings, tube
from ktsim.app.ui import theme
from ktsim.app.ui.palettes import STANDARD, Palette, channels
from ktsim.sight.scene import Base, Operative

Point = tuple[float, float, float]
State = Literal["target", "seen", "blocked"]
RGBA = tuple[int, int, int, int]

TEAL: RGBA = (*channels(STANDARD.yes), 255)
ORANGE: RGBA = (*channels(STANDARD.no), 255)
WHITE: RGBA = (242, 245, 247, 255)
HALO: RGBA = (11, 14, 18, 130)
"""Under every line and ring, a little wider: they must read on bright ground and without colour vision."""
COLOURS: dict[State, RGBA] = {"target": TEAL, "seen": WHITE, "blocked": ORANGE}


def state_colour(state: State) -> str:
    """The state's colour in words and panels, by the palette in use."""
    return {"target": theme.ACCENT, "seen": theme.TEXT, "blocked": theme.NO}[state]


@dataclass(frozen=True)
class Line:
    """A line of the engine, from start to end. With a *hit* it is solid up to there and ghosted beyond."""

    start: Point
    end: Point
    state: State
    hit: Point | None = None
    strong: bool = True


@dataclass(frozen=True)
class Ring:
    """A ring around a base, *distance* inches outside its outline, on its level. *fill* tints the zone within."""

    x: float
    y: float
    level: float
    base: Base
    turn: float
    distance: float
    dash: float = 0.0
    width: float = 0.06
    colour: RGBA = WHITE
    fill: int = 0


def ring(operative: Operative, distance: float, **style: object) -> Ring:
    """A ring around an operative's base."""
    o = operative
    return Ring(o.x, o.y, o.level, o.base, o.turn, distance, **style)  # type: ignore[arg-type]


def selection(operative: Operative) -> tuple[Ring, Ring]:
    """The double ring of whoever is selected."""
    return ring(operative, 0.13, colour=TEAL, width=0.09), ring(operative, 0.29, colour=faded(TEAL, 190), width=0.035)


@dataclass(frozen=True)
class Paint:
    """A flat polygon painted at a height, such as the origin region on a base; all of it can be seen from its
    first corner."""

    outline: tuple[tuple[float, float], ...]
    z: float
    colour: RGBA


@dataclass(frozen=True)
class Spot:
    """A point that was chosen: a white ball with a coloured one around it."""

    at: Point
    colour: RGBA = TEAL


@dataclass(frozen=True)
class WallMark:
    """A corner (square cap) or an end (round cap) of a wall, as a post of the wall's height."""

    x: float
    y: float
    height: float
    kind: Literal["corner", "end"]


@dataclass(frozen=True, eq=False)
class Highlight:
    """A terrain part traced along its sharp edges and tinted, so that it reads without the tint; *is_thin*: hardly
    traced, and not tinted."""

    triangles: NDArray[np.float64]
    colour: RGBA
    is_thin: bool = False


@dataclass(frozen=True)
class Label:
    """Words at a place of the table; the panels draw them, so they stay upright and crisp. One that *may_hide* is left
    out where others need its room. One that *is_marked* names what is chosen. One about a way that runs *along* from a
    point to another stands beside it, and no label covers that way."""

    at: Point
    text: str
    state: State | None = None
    icon: str = ""
    team: str = ""
    may_hide: bool = False
    is_marked: bool = False
    along: tuple[Point, Point] | None = None

    @property
    def insists(self) -> bool:
        """Whether it is shown though its place is outside the picture: answers, refusals and what is chosen are."""
        return self.is_marked or (self.state is not None and self.along is None)


@dataclass(frozen=True)
class Measure:
    """A tape from one point to another: thin, white, with a tick every inch."""

    start: Point
    end: Point


@dataclass(frozen=True, eq=False)
class Ghost:
    """A miniature where it would stand, see-through: teal where it may, orange with a dashed base where it may not,
    pale while nobody knows."""

    operative: Operative
    allowed: bool | None = True


@dataclass(frozen=True, eq=False)
class GhostShape:
    """A terrain piece where it would stand, see-through as a ghost is."""

    triangles: NDArray[np.float64]
    allowed: bool = True


@dataclass(frozen=True, eq=False)
class Tint:
    """Flat triangles on a level, such as the cells of an area view; where something stands in front of them they are
    not seen at all."""

    triangles: NDArray[np.float64]
    colour: RGBA


Overlay: TypeAlias = Line | Ring | Paint | Spot | WallMark | Highlight | Label | Measure | Ghost | GhostShape | Tint


@dataclass(frozen=True, eq=False)
class Coloured:
    """Triangles in one colour. What *insists* is hardly ghosted behind terrain: a hit must show. What *hides* is not
    seen there at all."""

    triangles: NDArray[np.float64]
    colour: RGBA
    insists: bool = False
    hides: bool = False

    @property
    def layer(self) -> int:
        """What lies on the table is under all else, what insists over it."""
        return 0 if self.hides else 2 if self.insists else 1


HALO_WIDTH = 1.7
INSISTS = 0.8
"""How much is left behind terrain of what insists."""


def faded(colour: RGBA, alpha: int) -> RGBA:
    return (*colour[:3], alpha)


def outline(x: float, y: float, base: Base, turn: float, distance: float, count: int = 128) -> NDArray[np.float64]:
    """Points of the curve *distance* inches outside a base's outline, counter-clockwise: shape (count, 2)."""
    angles = np.arange(count) * 2 * math.pi / count
    unit = np.column_stack([np.cos(angles), np.sin(angles)])
    normal = unit / np.array([base.along, base.across])
    normal /= np.linalg.norm(normal, axis=1)[:, None]
    points = unit * np.array([base.along, base.across]) + normal * distance
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return points @ np.array([[c, s], [-s, c]]) + np.array([x, y])


def rim_point(x: float, y: float, base: Base, turn: float, normal: float) -> tuple[float, float]:
    """The point of a base's rim whose outward normal has that angle, in degrees counter-clockwise from east."""
    local = math.radians(normal - turn)
    u, v = base.along * math.cos(local), base.across * math.sin(local)
    size = math.hypot(u, v)
    p, q = base.along * u / size, base.across * v / size
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    return x + c * p - s * q, y + s * p + c * q


def dashes(length: float, dash: float, gap: float = 0.7) -> list[tuple[float, float]]:
    """Where the strokes of a dashed line begin and end; the first begins at 0."""
    starts = np.arange(0.0, length, dash * (1 + gap))
    return [(float(a), min(float(a) + dash, length)) for a in starts]


def _bar(start: ArrayLike, end: ArrayLike, width: float, dash: float = 0.0) -> NDArray[np.float64]:
    a, b = np.asarray(start, float), np.asarray(end, float)
    length = float(np.linalg.norm(b - a))
    if length < 1e-6:
        return np.zeros((0, 3, 3))
    if not dash:
        return tube(a, b, width, 6)
    strokes, way = dashes(length, dash), (b - a) / length
    whole = tube(a, a + way * dash, width, 6)
    starts = np.array([s for s, e in strokes if e - s > dash - 1e-9])
    bars = (whole[None] + (starts[:, None] * way)[:, None, None, :]).reshape(-1, 3, 3)
    rest = [tube(a + way * s, a + way * e, width, 6) for s, e in strokes if 1e-6 < e - s <= dash - 1e-9]
    return np.concatenate([bars, *rest])


def octahedron(centre: ArrayLike, size: float) -> NDArray[np.float64]:
    ring = size * np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0)], float)
    tip = np.tile([0.0, 0.0, size], (4, 1))
    return hull_of_rings([-tip, ring, tip]) + np.asarray(centre, float)


def line_shapes(line: Line) -> list[Coloured]:
    colour, width = COLOURS[line.state], 0.05 if line.strong else 0.024
    size = 1.0 if line.strong else 0.6
    if line.hit is not None:
        along = np.subtract(line.end, line.start)
        side = np.cross(along, (0, 0, 1))
        side = side / max(float(np.linalg.norm(side)), 1e-9) * 0.26 * size
        up, hit = np.array([0, 0, 0.26 * size]), np.asarray(line.hit, float)
        return [
            Coloured(_bar(line.start, hit, width * HALO_WIDTH), HALO),
            Coloured(_bar(line.start, hit, width), colour),
            Coloured(_bar(hit, line.end, width * 0.55, 0.2), faded(colour, 170)),
            Coloured(octahedron(hit, 0.19 * size), colour, True),
            Coloured(_bar(hit - side - up, hit + side + up, 0.035 * size), WHITE, True),
            Coloured(_bar(hit - side + up, hit + side - up, 0.035 * size), WHITE, True),
        ]
    if line.state == "target":
        dash, end = 0.0, ball(line.end, 0.11 * size)
    else:
        dash = 0.45
        end = bevelled_box((0.2 * size, 0.2 * size, 0.2 * size), 0.02) + np.subtract(line.end, (0, 0, 0.1 * size))
    return [
        Coloured(_bar(line.start, line.end, width * HALO_WIDTH, dash), HALO),
        Coloured(_bar(line.start, line.end, width, dash), colour),
        Coloured(end, colour, True),
    ]


def _strip(inner: NDArray[np.float64], outer: NDArray[np.float64], z: float) -> NDArray[np.float64]:
    """The band between two open polylines of equally many points."""
    i = np.column_stack([inner, np.full(len(inner), z)])
    o = np.column_stack([outer, np.full(len(outer), z)])
    return np.concatenate([np.stack([i[:-1], o[:-1], o[1:]], axis=1), np.stack([i[:-1], o[1:], i[1:]], axis=1)])


def ring_shapes(ring: Ring) -> list[Coloured]:
    z = ring.level + 0.03
    edge, middle = (_closed(ring, distance) for distance in (0.0, ring.distance))
    steps = np.linalg.norm(np.diff(middle, axis=0), axis=1)
    at = np.concatenate([[0.0], np.cumsum(steps)])
    drawn = np.ones(len(steps), bool)
    if ring.dash:
        strokes = max(3, round(at[-1] / (ring.dash * 1.7)))
        drawn = (at[:-1] + at[1:]) / 2 / at[-1] * strokes % 1.0 < 1 / 1.7
    shapes = []
    if ring.fill:
        shapes.append(Coloured(_strip(edge, middle, z - 0.01), faded(ring.colour, ring.fill)))
    for width, colour in (
        (ring.width * HALO_WIDTH, faded(HALO, HALO[3] * ring.colour[3] // 255)),
        (ring.width, ring.colour),
    ):
        inner, outer = (_closed(ring, ring.distance + side * width / 2) for side in (-1, 1))
        band = _strip(inner, outer, z).reshape(2, -1, 3, 3)[:, drawn].reshape(-1, 3, 3)
        shapes.append(Coloured(band, colour))
    return shapes


ROUND = 0.0015
"""Inches by which the straight pieces of a ring may be off its curve."""


def _closed(ring: Ring, distance: float) -> NDArray[np.float64]:
    radius = max(ring.base.along, ring.base.across) + max(ring.distance, 0.0)
    # Dashes begin and end at corners.
    count = 128 if ring.dash else min(128, max(32, math.ceil(math.pi / math.sqrt(2 * ROUND / radius))))
    points = outline(ring.x, ring.y, ring.base, ring.turn, distance, count)
    return np.concatenate([points, points[:1]])


def paint_shapes(paint: Paint) -> list[Coloured]:
    points = np.column_stack([np.asarray(paint.outline, float), np.full(len(paint.outline), paint.z)])
    fan = np.stack([np.broadcast_to(points[0], points[1:-1].shape), points[1:-1], points[2:]], axis=1)
    return [Coloured(fan, paint.colour)]


_traced: dict[tuple[int, float], tuple[NDArray[np.float64], NDArray[np.float64]]] = {}
"""Edges already traced, by the identity of a part's triangles, which are kept here so that it stays theirs."""
MOST_TRACED = 64


def _edges_as_bars(triangles: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """The sharp edges as bars; the same part is named by ruling after ruling while somebody is dragged past it."""
    key = (id(triangles), width)
    known = _traced.pop(key, None)
    if known is None:
        known = (triangles, _bars(sharp_edges(triangles), width))
    _traced[key] = known  # the latest comes last, the oldest goes first
    while len(_traced) > MOST_TRACED:
        _traced.pop(next(iter(_traced)))
    return known[1]


def _bars(edges: NDArray[np.float64], width: float) -> NDArray[np.float64]:
    """Two bands across each other along edges (n, 2, 3), all at once, which look like bars: shape (4n, 3, 3)."""
    if not len(edges):
        return np.zeros((0, 3, 3))
    way = edges[:, 1] - edges[:, 0]
    way /= np.linalg.norm(way, axis=1)[:, None]
    other = np.where(np.abs(way[:, 2:]) < 0.9, (0.0, 0.0, 1.0), (1.0, 0.0, 0.0))
    one = np.cross(way, other)
    one *= width / np.linalg.norm(one, axis=1)[:, None]
    sides = np.stack([one, np.cross(way, one)], axis=1)
    (a, b), (c, d) = ((edges[:, [end]] - sides, edges[:, [end]] + sides) for end in (0, 1))
    return np.stack([np.stack([a, b, c], axis=2), np.stack([b, d, c], axis=2)], axis=2).reshape(-1, 3, 3)


def highlight_shapes(item: Highlight) -> list[Coloured]:
    traced = Coloured(_edges_as_bars(item.triangles, 0.009 if item.is_thin else 0.02), item.colour)
    return [traced] if item.is_thin else [Coloured(item.triangles, faded(item.colour, 70)), traced]


def sharp_edges(triangles: NDArray[np.float64], degrees: float = 35.0, limit: int = 320) -> NDArray[np.float64]:
    """Ends of the edges where faces meet at an angle, the longest *limit* of them: shape (n, 2, 3)."""
    normal = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    normal /= np.maximum(np.linalg.norm(normal, axis=1), 1e-18)[:, None]
    grid = np.unique(np.round(triangles.reshape(-1, 3), 4), axis=0, return_inverse=True)
    corners = grid[1].reshape(-1, 3)
    pairs = np.sort(np.concatenate([corners[:, [0, 1]], corners[:, [1, 2]], corners[:, [2, 0]]]), axis=1)
    face = np.tile(np.arange(len(triangles)), 3)
    order = np.lexsort((pairs[:, 1], pairs[:, 0]))
    pairs, face = pairs[order], face[order]
    same = (pairs[:-1] == pairs[1:]).all(axis=1)
    bent = np.einsum("ij,ij->i", normal[face[:-1]], normal[face[1:]]) < math.cos(math.radians(degrees))
    ends: NDArray[np.float64] = grid[0][pairs[:-1][same & bent]]
    length = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
    ends = ends[length > 0.05]
    return ends[np.argsort(-np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1), kind="stable")[:limit]]


def measure_shapes(tape: Measure) -> list[Coloured]:
    a, b = np.asarray(tape.start, float), np.asarray(tape.end, float)
    length = float(np.linalg.norm(b - a))
    side = np.cross(b - a, (0, 0, 1))
    side = side / np.linalg.norm(side) * 0.15 if np.linalg.norm(side) > 1e-9 else np.array([0.15, 0, 0])
    ticks = [a + (b - a) * inch / length for inch in range(1, math.ceil(length))] if length > 0 else []
    bars = [_bar(a, b, 0.024), *(_bar(p - side, p + side, 0.02) for p in (a, *ticks, b))]
    return [Coloured(_bar(a, b, 0.024 * HALO_WIDTH), HALO), Coloured(np.concatenate(bars), WHITE)]


def ghost_shapes(ghost: Ghost) -> list[Coloured]:
    """The figure in a few shades of one colour, by how its faces lie to the light from above."""
    o, colour = ghost.operative, WHITE if ghost.allowed is None else TEAL if ghost.allowed else ORANGE
    ring = Ring(o.x, o.y, o.level, o.base, o.turn, -0.04, 0.16 if ghost.allowed is False else 0.0, 0.08, colour)
    c, s = math.cos(math.radians(o.turn)), math.sin(math.radians(o.turn))
    body = o.figure.triangles @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.array([o.x, o.y, o.level])
    return [*ring_shapes(ring), *_shaded(body, colour)]


def _shaded(body: NDArray[np.float64], colour: RGBA) -> list[Coloured]:
    normal = np.cross(body[:, 1] - body[:, 0], body[:, 2] - body[:, 0])
    up = normal[:, 2] / np.maximum(np.linalg.norm(normal, axis=1), 1e-18)
    shapes = []
    for low, high, shade in ((-1.1, -0.3, 0.45), (-0.3, 0.4, 0.7), (0.4, 1.1, 1.0)):
        faces = body[(up > low) & (up <= high)]
        r, g, b = (round(channel * shade) for channel in colour[:3])
        shapes.append(Coloured(faces, (r, g, b, 150)))
    return shapes


def shapes_of(item: Overlay) -> list[Coloured]:
    """Triangles and colours of one overlay; labels have none, the panels write them."""
    if isinstance(item, Highlight | Ghost | GhostShape | Tint):
        return _shapes(item)
    return _kept_shapes(item)


@lru_cache(maxsize=256)
def _kept_shapes(item: Overlay) -> list[Coloured]:
    """Of what is compared by what it says: most of it is the same while one thing is dragged."""
    return _shapes(item)


def _shapes(item: Overlay) -> list[Coloured]:
    match item:
        case Line():
            return line_shapes(item)
        case Ring():
            return ring_shapes(item)
        case Paint():
            return paint_shapes(item)
        case Spot():
            inner = ball(item.at, 0.065, 12, 6) + np.array([0, 0, 0.05])
            return [Coloured(ball(item.at, 0.10, 12, 6), item.colour, True), Coloured(inner, WHITE, True)]
        case WallMark():
            post = _bar((item.x, item.y, 0.02), (item.x, item.y, item.height + 0.3), 0.045)
            top = (item.x, item.y, item.height + 0.35)
            cap = (
                bevelled_box((0.3, 0.3, 0.3), 0.02) + np.subtract(top, (0, 0, 0.15))
                if item.kind == "corner"
                else ball(top, 0.18)
            )
            return [Coloured(post, faded(WHITE, 200)), Coloured(cap, WHITE, True)]
        case Highlight():
            return highlight_shapes(item)
        case Measure():
            return measure_shapes(item)
        case Ghost():
            return ghost_shapes(item)
        case GhostShape():
            return _shaded(item.triangles, TEAL if item.allowed else ORANGE)
        case Tint():
            return [Coloured(item.triangles, item.colour, hides=True)]
        case Label():
            return []


def in_palette(colour: RGBA, palette: Palette) -> RGBA:
    """The same meaning in another palette; a darker shade stays one."""
    for own, meant in ((TEAL, palette.yes), (ORANGE, palette.no)):
        shade = max(colour[:3]) / max(own[:3])
        if all(abs(a - b * shade) <= 1 for a, b in zip(colour[:3], own[:3], strict=True)):
            r, g, b = (round(channel * shade) for channel in channels(meant))
            return r, g, b, colour[3]
    return colour


def show(root: NodePath, items: Iterable[Overlay], palette: Palette = STANDARD) -> None:
    """Replace everything drawn over the table. Later items lie above earlier ones."""
    root.find_all_matches("drawn").detach()
    pieces = [shape for item in items for shape in shapes_of(item) if len(shape.triangles)]
    for layer, behind in enumerate((-1.0, 0.0, INSISTS)):
        group = [piece for piece in pieces if piece.layer == layer]
        if group:
            triangles = np.concatenate([piece.triangles for piece in group])
            painted = [
                np.tile(np.array(in_palette(piece.colour, palette), np.uint8), (len(piece.triangles), 1))
                for piece in group
            ]
            node = root.attach_new_node(flat_node(triangles, np.concatenate(painted), "drawn"))
            node.set_shader_input("insists", behind)
            node.set_bin("fixed", layer)


def lines_of(items: Sequence[Overlay]) -> list[Line]:
    return [item for item in items if isinstance(item, Line)]
