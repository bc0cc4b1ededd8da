"""The oracle: whole rulings of 2024 judged by the rules alone, every line against every triangle.

It reads a scene's triangles, traits and bases, and shares no geometry with the engine. A line that is said to be clear
is measured; what is said to be hidden is attacked. Targeting lines are laid from the engine's origin, to see that they
cross exactly what it says, and from origins all over the base, to see that none gives the shooter more. Whatever
misses a threshold by less than ``TIE`` is a tie and is counted as one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
import oracle_kernels as kernels
from numpy.typing import NDArray
from oracle_tables import row
from plain_lines import clearance

from ktsim.sight.ruling import Ruling
from ktsim.sight.scene import Operative, Part, Scene

Floats = NDArray[np.float64]
MM = 1 / 25.4
RADIUS = 0.5 * MM
EPS = 1e-6
TIE = 1e-4
"""What is nearer to a threshold than this is not argued about (inches)."""
SPACE = 0.02 * MM
"""Between levels the engine searches lines this finely only: what hangs on less is a tie of its own name."""
MIDDLE = 1.75 * MM
"""Lines run at this height over the level of a base."""
SKY = 90.0
STRETCH = 0.75
"""How much of a wall counts at its end, in thicknesses."""
LINES, AIMED, CLIMBERS, STEPS = 400, 100, 6, 40
"""Random lines that attack a hidden look, lines past edges, and how many of the best are moved about and how often."""
JOINT = 6 * RADIUS
"""So near to a wall's surface a line must come for it to be seen: walls that meet are one structure."""


def balls(triangles: Floats) -> Floats:
    """A ball around each triangle: x, y, z, radius."""
    middle = triangles.mean(axis=1)
    size = np.sqrt(((triangles - middle[:, None]) ** 2).sum(axis=2).max(axis=1))
    return np.column_stack([middle, size + 1e-9])


def areas(triangles: Floats) -> Floats:
    """Areas added up, twice as large."""
    across = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    return np.cumsum(np.sqrt((across**2).sum(axis=1)))


def body(one: Operative) -> Floats:
    angle = math.radians(one.turn)
    c, s = math.cos(angle), math.sin(angle)
    return one.figure.triangles @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.array([one.x, one.y, one.level])


def head(one: Operative) -> tuple[Floats, float]:
    x, y, z = one.figure.head
    angle = math.radians(one.turn)
    c, s = math.cos(angle), math.sin(angle)
    return np.array([one.x + c * x - s * y, one.y + s * x + c * y, one.level + z]), one.figure.head_radius


def is_opening(part: Part) -> bool:
    """An open access point stops nothing (KZ-HATCH-OPEN)."""
    return part.traits >= {"accessible", "insignificant", "exposed"}


@dataclass(frozen=True, eq=False)
class Source:
    """Something lines may cross: a part, or the corner or end of a wall, there while an origin has not passed it."""

    key: str
    feature: str
    heavy: bool
    light: bool
    part: Part
    solid: Floats
    outline: Floats | None = None
    """Of a corner or end of a wall: its corners seen from above (4, 2)."""
    at: tuple[float, float] | None = None
    across: int = 0
    """Which coordinate tells on which side of its wall something is."""


class Ground:
    """What of a table stays while operatives move: its parts in their present states."""

    def __init__(self, scene: Scene) -> None:
        self.parts = scene.parts()
        self.kinds = {feature.id: feature.kind for feature in scene.terrain.features}
        stop = [part for part in self.parts if not is_opening(part)]
        meshes = [_to_the_sky(part.triangles) if "wall" in part.traits else part.triangles for part in stop]
        self.sight = np.concatenate([np.empty((0, 3, 3)), *meshes])
        self.sight_of = np.repeat(np.arange(len(stop)), [len(mesh) for mesh in meshes])
        self.sight_balls = balls(self.sight)
        self.number = {id(part): n for n, part in enumerate(stop)}
        self.vantage = [part for part in self.parts if "vantage" in part.traits]
        boxes = [box for part in self.parts if "wall" in part.traits for box in _boxes_at_foot(part.triangles)]
        self.walls = np.array(boxes, dtype=np.float64).reshape(-1, 4)
        self.corners = self._corners(scene.terrain.board)
        self.sources = [*self._pieces(scene), *_wall_ends(scene)]
        self.spots: dict[int, Floats] = {}

    def _corners(self, board: tuple[float, float]) -> Floats:
        """Where ways around walls may bend."""
        hair, found = 1e-6, []
        for x0, y0, x1, y1 in self.walls:
            for x, y in (
                (x0 - hair, y0 - hair),
                (x1 + hair, y0 - hair),
                (x0 - hair, y1 + hair),
                (x1 + hair, y1 + hair),
            ):
                inside = (
                    (self.walls[:, 0] < x) & (x < self.walls[:, 2]) & (self.walls[:, 1] < y) & (y < self.walls[:, 3])
                )
                if not inside.any() and 0 <= x <= board[0] and 0 <= y <= board[1]:
                    found.append((x, y))
        return np.array(found, dtype=np.float64).reshape(-1, 2)

    def _pieces(self, scene: Scene) -> Iterable[Source]:
        for part in self.parts:
            if "exposed" in part.traits or "wall" in part.traits or part.kind == "gap":
                continue
            heavy = "heavy" in part.traits
            light = not heavy and bool(part.traits & {"light", "vantage"})
            yield Source(part.key, part.feature, heavy, light, part, part.triangles)

    @cached_property
    def solids(self) -> Floats:
        return np.concatenate([np.empty((0, 3, 3)), *(source.solid for source in self.sources)])

    @cached_property
    def solid_balls(self) -> Floats:
        return balls(self.solids)

    @cached_property
    def spans(self) -> NDArray[np.int64]:
        """Of each source, its first triangle and the one after its last."""
        ends = np.cumsum([0, *(len(source.solid) for source in self.sources)])
        return np.stack([ends[:-1], ends[1:]], axis=1)

    @cached_property
    def boxes(self) -> Floats:
        found = [(*s.solid.min(axis=(0, 1)), *s.solid.max(axis=(0, 1))) for s in self.sources]
        return np.array(found, dtype=np.float64).reshape(-1, 6)

    @cached_property
    def owner(self) -> NDArray[np.int64]:
        return np.repeat(np.arange(len(self.sources)), self.spans[:, 1] - self.spans[:, 0])

    @cached_property
    def skips(self) -> NDArray[np.bool_]:
        """(sources, walls): walls that are not in the way to a corner or end of theirs."""
        out = np.zeros((len(self.sources), len(self.walls)), np.bool_)
        for n, source in enumerate(self.sources):
            if source.at is not None:
                x, y = source.at
                a, b, c, d = self.walls.T
                out[n] = (a - 1e-5 <= x) & (x <= c + 1e-5) & (b - 1e-5 <= y) & (y <= d + 1e-5)
        return out

    def points_of(self, part: Part) -> Floats:
        """Points all over a part."""
        if id(part) not in self.spots:
            rng = np.random.default_rng(len(part.triangles))
            shares = areas(part.triangles)
            chosen = np.minimum(np.searchsorted(shares, rng.random(600) * shares[-1]), len(shares) - 1)
            self.spots[id(part)] = np.einsum("nk,nkj->nj", rng.dirichlet((1, 1, 1), 600), part.triangles[chosen])
        return self.spots[id(part)]


def _to_the_sky(mesh: Floats) -> Floats:
    """Wall terrain has no top (KZ-WALL). Ours is boxes: their upper corners are drawn up."""
    made = mesh.copy()
    made[:, :, 2] = np.where(made[:, :, 2] > made[:, :, 2].max() - 1e-9, SKY, made[:, :, 2])
    return made


def section(triangles: Floats, z: float) -> tuple[Floats, NDArray[np.bool_]]:
    """Where triangles meet the plane at a height no corner has: segments (m, 2, 3), and which triangles they are of."""
    above = triangles[:, :, 2] > z
    met = above.any(axis=1) & ~above.all(axis=1)
    chosen, sides = triangles[met], above[met]
    segments, filled = np.empty((len(chosen), 2, 3)), np.zeros(len(chosen), np.int64)
    for k in range(3):
        m = (k + 1) % 3
        cut = np.flatnonzero(sides[:, k] != sides[:, m])
        a, b = chosen[cut, k], chosen[cut, m]
        t = (z - a[:, 2]) / (b[:, 2] - a[:, 2])
        segments[cut, filled[cut]] = a + t[:, None] * (b - a)
        filled[cut] += 1
    segments[:, :, 2] = z
    return segments, met


def _boxes_at_foot(triangles: Floats) -> Iterable[Floats]:
    """From where to where the solids of a wall are that stand on the floor: each outline just above it."""
    segments, _ = section(triangles, float(triangles[:, :, 2].min()) + 0.0456)
    names, group = np.unique(segments[:, :, :2].reshape(-1, 2).round(6), axis=0, return_inverse=True)
    ends, label = group.reshape(-1, 2), np.arange(len(names))
    for _ in range(len(names)):
        np.minimum.at(label, ends.ravel(), np.repeat(label[ends].min(axis=1), 2))
    for number in np.unique(label):
        spots = names[label == number]
        yield np.concatenate([spots.min(axis=0), spots.max(axis=0)])


def _wall_ends(scene: Scene) -> Iterable[Source]:
    """KZ-WALL-ENDS, for walls along the axes: where the structure turns or stops, at open hatchways as well."""
    parts = {(part.feature, part.name): part for part in scene.parts()}
    standing: list[tuple[Any, int, float, float, float]] = []  # wall, axis, coordinate across, from, to
    for wall in scene.terrain.walls:
        axis = 0 if abs(wall.end[0] - wall.start[0]) > abs(wall.end[1] - wall.start[1]) else 1
        low, high = sorted((wall.start[axis], wall.end[axis]))
        spans = [(low, high)]
        if wall.hatchway is not None and scene.states.get(wall.id) == "open":
            middle, half = (low + high) / 2, wall.hatchway.width / 2
            spans = [(low, middle - half), (middle + half, high)]
        standing += [(wall, axis, wall.start[1 - axis], a, b) for a, b in spans if b - a > 1e-6]
    for wall, axis, across, low, high in standing:
        turns = {
            other[2]
            for other in standing
            if other[1] != axis
            and other[3] - 1e-6 <= across <= other[4] + 1e-6
            and low - 1e-6 <= other[2] <= high + 1e-6
        }
        bounds = [low, *sorted(t for t in turns if low + 1e-6 < t < high - 1e-6), high]
        for first, last in pairwise(bounds):
            for here, there in ((first, last), (last, first)):
                is_corner = any(abs(here - t) <= 1e-6 for t in turns)
                goes_on = any(
                    other[1] == axis
                    and abs(other[2] - across) <= 1e-6
                    and (other[3] < here - 1e-6 if there > here else other[4] > here + 1e-6)
                    and other[3] - 1e-6 <= here <= other[4] + 1e-6
                    for other in standing
                )
                if goes_on and not is_corner:
                    continue
                way = 1.0 if there > here else -1.0
                inner = here + way * min(STRETCH * wall.thickness, abs(there - here))
                outer = here - way * (wall.thickness / 2 if is_corner else 0.0)
                part = parts.get((wall.id, "wall")) or parts[wall.id, "access"]
                yield _end(part, axis, across, here, sorted((inner, outer)), wall.thickness / 2, wall.height)
    for wall in scene.terrain.walls:
        leaf = parts.get((wall.id, "hatch"))
        if leaf is None or wall.hatchway is None or scene.states.get(wall.id) != "open":
            continue
        wall_axis = 0 if abs(wall.end[0] - wall.start[0]) > abs(wall.end[1] - wall.start[1]) else 1
        axis = 1 - wall_axis
        flat = leaf.triangles.reshape(-1, 3)
        low, high = flat[:, axis].min(), flat[:, axis].max()
        line = wall.start[axis]
        free = high if (low + high) / 2 > line else low
        near = low if free == high else high
        inner = free - math.copysign(min(STRETCH * wall.thickness, high - low), free - near)
        side = flat[:, wall_axis]
        middle, half = (side.min() + side.max()) / 2, (side.max() - side.min()) / 2
        yield _end(leaf, axis, float(middle), float(free), sorted((inner, free)), float(half), float(flat[:, 2].max()))


def _end(part: Part, axis: int, across: float, at: float, span: list[float], half: float, height: float) -> Source:
    low, high = np.empty(2), np.empty(2)
    low[axis], high[axis] = span
    low[1 - axis], high[1 - axis] = across - half, across + half
    outline = np.array([[low[0], low[1]], [high[0], low[1]], [high[0], high[1]], [low[0], high[1]]])
    spot = np.empty(2)
    spot[axis], spot[1 - axis] = at, across
    a, b, c, d = (np.array([*corner, 0.0]) for corner in outline)
    up = np.array([0.0, 0.0, height])
    quads = (
        (a, d, c, b),
        (a + up, b + up, c + up, d + up),
        *((p, q, q + up, p + up) for p, q in ((a, b), (b, c), (c, d), (d, a))),
    )
    solid = np.array([t for p, q, r, s in quads for t in ((p, q, r), (p, r, s))])
    return Source(part.key, part.feature, True, False, part, solid, outline, (spot[0], spot[1]), 1 - axis)


@dataclass(eq=False)
class Judge:
    """One ruling, held against the rules."""

    ground: Ground
    found: Ruling
    seed: int
    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    hard: int = 1
    """How many times as hard hidden looks are attacked, and as many origins and lines are tried."""

    def __post_init__(self) -> None:
        self.scene = self.found.scene
        self.shooter, self.target = self.scene.operative(self.found.shooter), self.scene.operative(self.found.target)
        self.rng = np.random.default_rng(self.seed)
        self.base_s, self.base_t = (row(o.base, o.x, o.y, o.turn) for o in (self.shooter, self.target))
        self.zs, self.zt = self.shooter.level + MIDDLE, self.target.level + MIDDLE
        self.planar = abs(self.zs - self.zt) <= EPS
        self._seen: dict[tuple[str, bool], float] = {}

    def tie(self, what: str) -> None:
        self.counts["ties"] += 1
        self.counts[f"tie: {what}"] += 1

    def say(self, text: str) -> None:
        self.wrong.append(text)

    def run(self) -> None:
        self.counts["rulings"] += 1
        self.check_look()
        self.check_distance()
        self.check_lines()
        self.check_control()

    # ---- who is seen ----

    def obstacles(self, without: tuple[str, ...], dropping: Part | None = None) -> tuple[Floats, Floats]:
        """All triangles in the way of a look, and balls around them."""
        mesh, around = self.ground.sight, self.ground.sight_balls
        if dropping is not None and id(dropping) in self.ground.number:
            keep = self.ground.sight_of != self.ground.number[id(dropping)]
            mesh, around = mesh[keep], around[keep]
        others = [body(o) for o in self.scene.operatives if o.id not in without]
        if others:
            mesh = np.concatenate([mesh, *others])
            around = np.concatenate([around, *(balls(each) for each in others)])
        return mesh, around

    def best_look(self, viewer: Operative, seen: Operative, times: int) -> tuple[float, Floats]:
        """The clearest line from one operative to another that the oracle finds, measured against everything."""
        mesh, around = self.obstacles((viewer.id, seen.id))
        centre, radius = head(viewer)
        shown = body(seen)
        middle = shown.reshape(-1, 3).mean(axis=0)
        wide = max(radius, float(np.sqrt(((shown.reshape(-1, 3) - middle) ** 2).sum(axis=1).max()))) + 0.05
        d = middle - centre
        t = np.clip((around[:, :3] - centre) @ d / max(float(d @ d), 1e-12), 0, 1)
        near = ((around[:, :3] - centre - t[:, None] * d) ** 2).sum(axis=1) <= (around[:, 3] + wide) ** 2
        line = np.zeros((2, 3))
        if not near.any():
            return 1.0, np.stack([centre, shown[0, 0]])
        goal = RADIUS + 2 * TIE
        kernels.attack(
            np.ascontiguousarray(mesh[near]), centre, radius, shown, balls(shown), areas(shown), self.seed + times,
            LINES * times, AIMED * times, CLIMBERS * times, STEPS + 10 * times, goal, line,
        )  # fmt: skip
        return float(clearance(mesh, line[0], line[1], 1.0)), line

    def check_look(self) -> None:
        found = self.found
        if found.witness is not None:
            self.counts["visible"] += 1
            start, end = (np.array(point) for point in found.witness)
            centre, radius = head(self.shooter)
            if np.linalg.norm(start - centre) > radius + 1e-9:
                self.say("the witness does not start in the head")
            if clearance(body(self.target), end, end, 1.0) > 1e-6:
                self.say("the witness does not end on the body")
            mesh, _ = self.obstacles((self.shooter.id, self.target.id))
            clear = float(clearance(mesh, start, end, 1.0))
            if clear < RADIUS - TIE:
                self.say(f"the witness is clear by {clear / MM:.4f} mm only")
            elif clear < RADIUS - EPS - 1e-9:
                self.tie("witness")
            return
        self.counts["undecided" if found.undecided else "hidden"] += 1
        if found.visible:
            self.say("visible without a witness")
        clear, line = self.best_look(self.shooter, self.target, self.hard)
        self.counts["lines"] += (LINES + AIMED) * self.hard
        if clear >= RADIUS + TIE and clear > RADIUS + found.resolution:
            if found.undecided:
                self.tie("not decided, and seen")
            else:
                self.say(f"not visible, but a line is clear by {clear / MM:.4f} mm: {line.tolist()}")
        elif clear >= RADIUS:
            self.tie("hidden")

    def check_control(self) -> None:
        """KT24-CONTROL: friends of the shooter about the target, enemies about the shooter."""
        others = [o for o in self.scene.operatives if o.id not in (self.shooter.id, self.target.id)]
        near = [(o, self.target, "friends", o.id in self.found.friends) for o in others if o.team == self.shooter.team]
        foes = [o for o in self.scene.operatives if o.team != self.shooter.team]
        near += [(o, self.shooter, "enemies", o.id in self.found.enemies) for o in foes]
        for one, two, name, said in near:
            apart = self.distance(one, two)
            if abs(apart - 1) < TIE:
                self.tie("control")
                continue
            if apart > 1:
                if said:
                    self.say(f"{one.id} is among the {name}, {apart:.4f} away")
                continue
            self.counts["control"] += 1
            best = 0.0
            for a, b in ((one, two), (two, one)):
                for times in (1, 16) if said else (1,):
                    if best < RADIUS:
                        best = max(best, self.best_look(a, b, times)[0])
            if said and best < RADIUS - TIE:
                self.say(f"{one.id} is among the {name}, but neither sees the other")
            elif not said and best >= RADIUS + 2 * TIE - 1e-9:
                self.say(f"{one.id} is not among the {name}, {apart:.4f} away and seen")

    # ---- distances ----

    def distance(self, one: Operative, two: Operative) -> float:
        """SIGHT-15, SIGHT-17."""
        a, b = (row(o.base, o.x, o.y, o.turn) for o in (one, two))
        flat = float(kernels.apart(a, b))
        ground = self.ground
        if len(ground.walls) and flat > 0:
            ax, ay = kernels.towards(a, b[0], b[1])
            bx, by = kernels.towards(b, a[0], a[1])
            none = np.zeros(len(ground.walls), np.bool_)
            if kernels.stopped(ax, ay, bx, by, ground.walls, none):
                far_a = kernels.from_base(a, ground.corners, ground.walls)
                ends = [kernels.towards(b, x, y) for x, y in ground.corners]
                free = [
                    not kernels.stopped(x, y, *end, ground.walls, none)
                    for (x, y), end in zip(ground.corners, ends, strict=True)
                ]
                legs = [float(kernels.gap(b, x, y)) for x, y in ground.corners]
                lengths = [f + leg for f, leg, ok in zip(far_a, legs, free, strict=True) if ok]
                flat = min(lengths, default=math.inf)
        return math.hypot(flat, one.level - two.level)

    def check_distance(self) -> None:
        mine = self.distance(self.shooter, self.target)
        if not math.isclose(mine, self.found.distance, abs_tol=2e-5) and mine != self.found.distance:
            self.say(f"{self.found.distance:.6f} apart, measured {mine:.6f}")

    # ---- what lines cross ----

    @cached_property
    def vantages(self) -> tuple[list[Part], list[Part]]:
        """What shooter and target stand on (SIGHT-5)."""
        found = []
        for one, base in ((self.shooter, self.base_s), (self.target, self.base_t)):
            tops = [p for p in self.ground.vantage if abs(float(p.triangles[:, :, 2].max()) - one.level) < 0.01]
            found.append([p for p in tops if kernels.over(base, p.triangles, EPS)])
        return found[0], found[1]

    @cached_property
    def lines(self) -> dict[str, Any]:
        """What the kernel wants to know of this pair."""
        ground, sources = self.ground, self.ground.sources
        own = {part.feature for parts in self.vantages for part in parts}
        can_cover = self.found.distance > 2 + EPS
        wants = np.array([[can_cover, s.heavy and s.feature not in own] for s in sources], np.bool_).reshape(-1, 2)
        gates = np.zeros((len(sources), 3))
        for n, s in enumerate(sources):
            if s.at is None:
                continue
            k, c, spot = s.across, s.at[s.across], np.empty(2)
            reach = []
            for sign in (0, 1):
                kernels.rim(self.base_t, math.pi * sign + (math.pi / 2 if k else 0.0), 0.0, spot)
                reach.append(spot[k])
            if min(reach) >= c:
                gates[n] = (1.0, k, c)
            elif max(reach) <= c:
                gates[n] = (-1.0, k, c)
        if self.planar:
            prims, owner = self._sections()
            around = _segment_balls(prims)
        else:
            prims, owner, around = ground.solids, ground.owner, ground.solid_balls
        d = self.base_t[:2] - self.base_s[:2]
        t = np.clip((around[:, :2] - self.base_s[:2]) @ d / max(float(d @ d), 1e-12), 0, 1)
        off = ((around[:, :2] - self.base_s[:2] - t[:, None] * d) ** 2).sum(axis=1)
        near = off <= (around[:, 3] + max(self.base_s[2], self.base_t[2]) + 0.05) ** 2
        near &= wants.any(axis=1)[owner]
        low, high = min(self.zs, self.zt) - 0.05, max(self.zs, self.zt) + 0.05
        near &= (around[:, 2] + around[:, 3] >= low) & (around[:, 2] - around[:, 3] <= high)
        if len(ground.walls):
            far_s, far_t = (kernels.from_base(b, ground.corners, ground.walls) for b in (self.base_s, self.base_t))
        else:
            far_s = far_t = np.empty(0)
        return {
            "prims": np.ascontiguousarray(prims[near]), "owner": owner[near], "balls": around[near], "wants": wants,
            "gates": gates, "far_s": far_s, "far_t": far_t,
        }  # fmt: skip

    def _sections(self) -> tuple[Floats, NDArray[np.int64]]:
        """Where triangles meet the plane of the lines, as segments; outlines of corners and ends of walls."""
        ground, z = self.ground, self.zs
        flat, met = section(ground.solids, z)
        segments = np.concatenate([flat, flat[:, 1:]], axis=1)
        owner = ground.owner[met]
        ends = [n for n, source in enumerate(ground.sources) if source.outline is not None]
        keep = ~np.isin(owner, ends)
        more, owners = [segments[keep]], [owner[keep]]
        for n in ends:
            outline = ground.sources[n].outline
            after = np.roll(outline, -1, axis=0)
            flat = np.stack([outline, after, after], axis=1)
            more.append(np.concatenate([flat, np.full((4, 3, 1), z)], axis=2))
            owners.append(np.full(4, n))
        prims, owner = np.concatenate(more), np.concatenate(owners)
        long = ((prims[:, 1] - prims[:, 0]) ** 2).sum(axis=1) > 1e-16
        return prims[long], owner[long]

    def crossed(self, origins: Floats, count: int, ways: int, m: float) -> NDArray[np.bool_]:
        """(n, sources, 2): what lines from origins cross within an inch of the target, and far from both."""
        ground, lines = self.ground, self.lines
        out = np.zeros((len(origins), len(ground.sources), 2), np.bool_)
        kernels.crossed(
            origins, count, float(self.rng.random()), self.planar, m, ways, self.base_s, self.base_t, self.zs, self.zt,
            lines["prims"], lines["owner"], lines["balls"], lines["wants"], lines["gates"], ground.skips,
            ground.walls, ground.corners, lines["far_s"], lines["far_t"], ground.solids, ground.spans, ground.boxes,
            out,
        )  # fmt: skip
        return out

    def seen(self, part: Part, is_thorough: bool = False) -> float:
        """How clear a line the oracle finds from the target to the part within an inch of its base."""
        key = (part.key, is_thorough)
        if key not in self._seen:
            self._seen[key] = self._look_at(part, is_thorough)
        return self._seen[key]

    def _look_at(self, part: Part, is_thorough: bool) -> float:
        points, z, limit = self.ground.points_of(part), self.target.level, 1 - TIE
        nearest = kernels.nearest_points(part.triangles, self.target.x, self.target.y, z)
        if is_thorough:  # also what only a tie keeps out, and more points about the nearest
            limit = 1 + TIE
            share = self.rng.dirichlet((0.5, 0.5, 0.5), (len(part.triangles), 200))
            more = np.einsum("nmk,nkj->nmj", share, part.triangles)
            size = 10.0 ** self.rng.uniform(-4, 0, (*more.shape[:2], 1))
            points = np.concatenate([points, *more, *(nearest[:, None] + size * (more - nearest[:, None]))])
        points = np.concatenate([points, nearest])
        points = points[kernels.near_base(self.base_t, z, points, limit)]
        if not len(points):
            return -1.0
        mesh, around = self.obstacles((self.target.id,), part)
        centre, radius = head(self.target)
        wide = 2.2 + max(self.base_t[2:4])
        near = ((around[:, :3] - centre) ** 2).sum(axis=1) <= (around[:, 3] + wide) ** 2
        short = JOINT if "wall" in part.traits else 0.0
        line = np.zeros((2, 3))
        if is_thorough and not short and near.any():
            small = _within(part.triangles, self.base_t, z, limit)
            if len(small):
                found = kernels.attack(
                    np.ascontiguousarray(mesh[near]), centre, radius, small, balls(small), areas(small), self.seed,
                    4000, 2000, 24, 150, RADIUS + TIE, line,
                )  # fmt: skip
                if found > 0.0:
                    return float(found)
        return float(
            kernels.sees_points(
                np.ascontiguousarray(mesh[near]),
                centre,
                radius,
                points,
                30_000 if is_thorough else 300,
                self.seed,
                short,
                line,
            )
        )

    # ---- what follows ----

    def rank(self, cover: set[int], obscured: set[int]) -> tuple[bool, bool, bool, bool]:
        """What crossings give the shooter, as a tuple that is the smaller the better (SIGHT-14)."""
        valid, in_cover, is_obscured, choice, _ = self.outcome(cover, obscured)
        return (not valid, in_cover, is_obscured, in_cover and is_obscured and not choice)

    def outcome(self, cover: set[int], obscured: set[int]) -> tuple[bool, bool, bool, bool, bool]:
        """Valid target, in cover, obscured, the defender's choice, and whether it is valid only from Vantage."""
        sources = self.ground.sources
        covering = {sources[n].feature for n in cover}
        obscuring = {sources[n].feature for n in obscured} | set(self.smoke[0])
        choice = bool(covering) and bool(obscuring) and len(covering | obscuring) == 1
        engage = self.target.order == "engage"
        left = set(cover)
        lower = self.shooter.level - self.target.level
        if self.vantages[0] and lower >= 2 - EPS:
            left = {n for n in cover if not sources[n].light}
        seen = self.found.visible
        valid = seen and (engage or not left)
        return valid, bool(covering), bool(obscuring), choice, valid and not engage and bool(cover)

    @cached_property
    def smoke(self) -> tuple[list[str], bool]:
        """KT24-SMOKE: the areas that obscure, and whether this hangs on less than a tie."""
        found, close = [], abs(self.found.distance - 2) < TIE and bool(self.scene.smoke)
        for number, (x, y, z) in enumerate(self.scene.smoke, 1):
            for one, base in ((self.shooter, self.base_s), (self.target, self.base_t)):
                if one.level < z - EPS or math.hypot(one.x - x, one.y - y) > 1.1:
                    continue
                spot, far = np.empty(2), 0.0
                turns = np.linspace(0, 2 * math.pi, 3 if one.base.is_round else 721)
                if one.base.is_round:
                    far = math.hypot(one.x - x, one.y - y) + one.base.along
                    turns = turns[:0]
                for turn in turns:
                    kernels.rim(base, turn, 0.0, spot)
                    far = max(far, math.hypot(spot[0] - x, spot[1] - y))
                over = far - 1.0 - 10 * MM
                close |= abs(over) < TIE
                if over <= EPS and self.found.distance > 2 + EPS:
                    found.append(f"smoke/{number}")
        return list(dict.fromkeys(found)), close

    def check_lines(self) -> None:
        found = self.found
        if abs(found.distance - 2) < TIE:
            self.tie("2 inches apart")
            return
        names, close = self.smoke
        if close:
            self.tie("smoke")
            return
        if list(found.smoke) != names:
            self.say(f"smoke {found.smoke}, not {names}")
        self._check_origin(np.array(found.origin[:2]), set(found.cover_from), set(found.obscured_by) - set(names), "")
        if len(found.regions) > 1:
            region = found.regions[int(self.rng.integers(1, len(found.regions)))]
            pieces = found.judge.fan.pieces
            cover, obscuring = (
                {pieces[code].source.key for code in codes}
                for codes in (region.outcome.cover, region.outcome.obscuring)
            )
            self._check_origin(np.array(region.origin), cover, obscuring, "elsewhere: ")
            self.counts["other regions"] += 1
        self._check_verdict()
        self._check_best()

    def _check_origin(self, origin: Floats, cover: set[str], obscuring: set[str], where: str) -> None:
        """Do lines from an origin cross exactly what is said?"""
        at = origin[None]
        out = kernels.outside(self.base_s, origin[0], origin[1])
        if out > 1e-6:
            self.say(f"{where}the origin is off the base by {out:.6f}")
        sure, said = self.crossed(at, 144, 8, TIE)[0], (cover, obscuring)
        for zone, name in enumerate(("cover", "obscured")):
            keys = {self.ground.sources[n].key for n in np.flatnonzero(sure[:, zone])}
            for key in keys - said[zone]:
                numbers = [n for n, source in enumerate(self.ground.sources) if source.key == key]
                if not self.planar and not self.crossed(at, 6000, 24, SPACE)[0][numbers, zone].any():
                    self.tie("finer than lines in space")
                    continue
                if zone == 1:
                    self.say(f"{where}not obscured by {key}, which a line crosses far from both")
                    continue
                clear = self.seen(self._part(key))
                if clear >= RADIUS + TIE:
                    self.say(f"{where}no cover from {key}, which is seen and crossed near the target")
                else:
                    self.counts["cover unseen"] += 1
            for key in said[zone] - keys:
                loose = self._loosely(at, key, zone)
                if not loose:
                    self.say(f"{where}{name} by {key}, but no line crosses it there")
                elif loose == 1:
                    self.tie(name)
            if zone == 0:
                for key in said[0]:
                    if max(self.seen(self._part(key)), -1.0) < RADIUS:
                        best = self.seen(self._part(key), True)
                        if best >= RADIUS - TIE:
                            self.tie("cover seen")
                        else:
                            self.say(f"{where}cover from {key}, which the target is not found to see")

    def _part(self, key: str) -> Part:
        return next(source.part for source in self.ground.sources if source.key == key)

    def _loosely(self, at: Floats, key: str, zone: int) -> int:
        """Is a part crossed after all? 2: when looked at finely; 1: only within a tie; 0: no."""
        numbers = [n for n, source in enumerate(self.ground.sources) if source.key == key]
        for m, answer in ((TIE, 2), (-TIE, 1), (-SPACE, 1)):
            if (m > -SPACE or not self.planar) and self.crossed(at, 6000, 24, m)[0][numbers, zone].any():
                return answer
        return 0

    def _check_verdict(self) -> None:
        """Given what is crossed: is all the rest as the rules say?"""
        found, sources = self.found, self.ground.sources
        cover = {n for n, s in enumerate(sources) if s.key in found.cover_from}
        obscuring = {n for n, s in enumerate(sources) if s.key in found.obscured_by}
        valid, in_cover, obscured, choice, improved = self.outcome(cover, obscuring)
        mine = (valid, in_cover, obscured, "defender" if choice else None, improved)
        theirs = (found.valid_target, found.in_cover, found.obscured, found.choice, found.improved_cover_save)
        if mine != theirs:
            self.say(f"valid, in cover, obscured, choice, improved: {theirs}, not {mine}")
        lower = self.shooter.level - self.target.level
        accurate = 0
        if self.vantages[0] and self.target.order == "engage":
            accurate = int(lower >= 2 - EPS) + int(lower >= 4 - EPS)
        if accurate != found.accurate:
            self.say(f"Accurate {found.accurate}, not {accurate}")
        for name, said in (("valid", valid), ("cover", in_cover), ("obscured", obscured), ("choices", choice)):
            self.counts[name] += said
        self.counts["accurate"] += accurate > 0
        self.counts["improved"] += improved
        self.counts["in space"] += not self.planar
        self.counts["at walls"] += len(self.ground.walls) > 0

    def _check_best(self) -> None:
        """Does any origin give the shooter more than the engine says?"""
        best = {region.outcome.rank for region in self.found.regions}
        origins = kernels.spread(self.base_s, 20 * self.hard, 6 * self.hard, self.seed)
        self.counts["origins"] += len(origins)
        hits = self.crossed(origins, 40 * self.hard, 2, TIE)
        tried: dict[bytes, bool] = {}
        for origin, hit in zip(origins, hits, strict=True):
            key = hit.tobytes()
            if tried.get(key):
                continue
            tried[key] = self._is_known(hit, best, False)
            if tried[key]:
                continue
            # fewer lines than there are may have missed something
            closer = self.crossed(origin[None], 360, 8, TIE)[0] | hit
            if self._is_known(closer, best, False):
                continue
            closer |= self.crossed(origin[None], 6000, 24, TIE)[0]
            if self._is_known(closer, best, True):
                continue
            if self._is_known(self.crossed(origin[None], 6000, 24, -TIE)[0], best, True):
                self.tie("best origin")
                continue
            if not self.planar and self._is_known(self.crossed(origin[None], 6000, 24, -SPACE)[0], best, True):
                self.tie("finer than lines in space")
                continue
            names = [[self.ground.sources[n].key for n in np.flatnonzero(closer[:, zone])] for zone in (0, 1)]
            self.say(
                f"a better origin {origin.tolist()}: crossing {names[0]} near the target, {names[1]} far from both"
            )
            return

    def _is_known(self, hit: NDArray[np.bool_], best: set[tuple[bool, ...]], is_thorough: bool) -> bool:
        """Is there something among what the engine found that is as good for the shooter?"""
        sources, obscured = self.ground.sources, {int(n) for n in np.flatnonzero(hit[:, 1])}
        crossed = {int(n) for n in np.flatnonzero(hit[:, 0])}
        known = set(self.found.cover_from)
        for thorough in (False, True) if is_thorough else (False,):
            cover = {n for n in crossed if sources[n].key in known or self.seen(sources[n].part, thorough) >= RADIUS}
            rank = self.rank(cover, obscured)
            if any(all(a <= b for a, b in zip(each, rank, strict=True)) for each in best):
                return True
        return False


def _within(triangles: Floats, base: Floats, z: float, limit: float) -> Floats:
    """The triangles in small pieces, as far as all of a piece is within *limit* of a base."""
    near = balls(triangles)
    triangles = triangles[kernels.near_base(base, z, np.ascontiguousarray(near[:, :3]), limit + 9.0)]
    for _ in range(14):
        longest = np.sqrt(((triangles - np.roll(triangles, 1, axis=1)) ** 2).sum(axis=2).max(axis=1))
        inside = kernels.near_base(base, z, np.ascontiguousarray(triangles.reshape(-1, 3)), limit).reshape(-1, 3)
        big = (longest > 0.3) | (~inside.all(axis=1) & (longest > 0.004))  # finely where the limit runs
        if not big.any() or len(triangles) > 20_000:
            break
        a, b, c = triangles[big].transpose(1, 0, 2)
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        parts = [np.stack(each, axis=1) for each in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))]
        triangles = np.concatenate([triangles[~big], *parts])
        around = balls(triangles)
        gaps = [float(kernels.gap(base, x, y)) for x, y in around[:, :2]]
        triangles = triangles[np.hypot(gaps, around[:, 2] - z) - around[:, 3] <= limit]
    inside = kernels.near_base(base, z, np.ascontiguousarray(triangles.reshape(-1, 3)), limit).reshape(-1, 3)
    return np.ascontiguousarray(triangles[inside.all(axis=1)])


def _segment_balls(prims: Floats) -> Floats:
    middle = (prims[:, 0] + prims[:, 1]) / 2
    size = np.sqrt(((prims[:, 0] - middle) ** 2).sum(axis=1))
    return np.column_stack([middle, size + 1e-9])
