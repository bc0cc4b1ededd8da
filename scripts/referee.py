"""An independent referee of sight: hard looks on the shipped killzones, ruled on by the engine and sampled here.

Usage: scripts/referee.py [--pairs N] [--tries N] [--seconds S] [--seed S] [--out FILE] [killzone ...]. Resumable: FILE
keeps one line a look, and what is in it is not done again.

A look is hard when fewer than 1 in 100 thin lines from the head to the body get through. What the engine calls visible
must have a witness that keeps its distance from every triangle. What it calls hidden is sampled: thin lines that get
through are moved about at random as long as that makes them clearer; a line of the full width is a disagreement.
Nothing of the engine is used for that: meshes come from the killzone and figure files, and every line is held against
every triangle near the look.
"""

from __future__ import annotations

import argparse
import json
import math
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]
sys.modules.setdefault("sight_referee", sys.modules[__name__])  # as tests call it: what they compiled refers to that

from plain_lines import clearance, climb, open_lines  # noqa: E402

from ktsim.killzones.catalogue import load_named, names  # noqa: E402
from ktsim.killzones.figures import figure, models  # noqa: E402

Floats = NDArray[np.float64]
MM = 1 / 25.4
RADIUS = 0.5 * MM
TIE = 3e-6
"""Clearances nearer than this to the line's radius are not argued about (inches)."""
BARRED = 1.0
LINES, HARD = 4_000, 0.01
"""Thin lines that say whether a look is hard, and the share that may get through."""
CLIMBERS, STEPS = 16, 150
"""Lines that are moved about, and how often."""
SKY = 60.0


# ---- boards and looks ----


_figure = cache(figure)


@dataclass(frozen=True, eq=False)
class Stander:
    """Someone who looks or is looked at: where, on what base, as which model."""

    id: str
    at: tuple[float, float, float]
    base: float
    model: str
    height: float
    turn: float

    def body(self) -> Floats:
        angle = math.radians(self.turn)
        c, s = math.cos(angle), math.sin(angle)
        mesh = _figure(self.model, self.height).triangles
        return np.asarray(mesh @ np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]]) + np.array(self.at))

    def head(self) -> tuple[Floats, float]:
        shape = _figure(self.model, self.height)
        return np.array(self.at) + np.array([0, 0, shape.head[2]]), shape.head_radius


@dataclass(frozen=True, eq=False)
class Board:
    """A killzone as triangles: what always stops a look, and its barred parts one by one."""

    name: str
    size: tuple[float, float]
    solid: Floats
    barred: tuple[Floats, ...]
    floors: Floats
    """Triangles to stand on above the ground."""

    @cached_property
    def everything(self) -> Floats:
        return np.concatenate([self.solid, *self.barred])

    @cached_property
    def boxes(self) -> list[tuple[Floats, Floats, Floats]]:
        """The barred parts, and from where to where each is."""
        return [(part, part.min(axis=(0, 1)), part.max(axis=(0, 1))) for part in self.barred]

    @cached_property
    def balls(self) -> tuple[Floats, Floats]:
        """Around each triangle of everything: middles and radii."""
        return _balls(self.everything)

    @classmethod
    def load(cls, name: str) -> Board:
        terrain = load_named(name, Path()).terrain
        solid, barred, floors = [], [], [np.empty((0, 3, 3))]
        for feature in terrain.features:
            parts = [*feature.parts, *feature.states.get(feature.initial, ())]
            for part in parts:
                if part.traits >= {"accessible", "insignificant", "exposed"}:
                    continue
                mesh = _to_the_sky(part.triangles) if "wall" in part.traits else part.triangles
                (barred if "barred" in part.traits else solid).append(mesh)
                if "vantage" in part.traits:
                    normal = np.cross(mesh[:, 1] - mesh[:, 0], mesh[:, 2] - mesh[:, 0])
                    up = normal[:, 2] > 0.99 * np.linalg.norm(normal, axis=1)
                    floors.append(mesh[up & (mesh[:, :, 2].min(axis=1) > mesh[:, :, 2].max() - 0.01)])
        return cls(name, terrain.board, np.concatenate(solid), tuple(barred), np.concatenate(floors))

    def stander(self, id: str, rng: np.random.Generator) -> Stander:
        """Somewhere, with the head free of terrain."""
        while True:
            if len(self.floors) and rng.random() < 0.4:
                area = np.linalg.norm(
                    np.cross(self.floors[:, 1] - self.floors[:, 0], self.floors[:, 2] - self.floors[:, 0]), axis=1
                )
                a, b, c = self.floors[rng.choice(len(area), p=area / area.sum())]
                one, two = sorted(rng.random(2))
                at = a * one + b * (two - one) + c * (1 - two)
            else:
                at = np.array([*rng.uniform((1, 1), np.array(self.size) - 1), 0.0])
            made = Stander(
                id,
                tuple(round(float(x), 3) for x in at),  # type: ignore[arg-type]
                float(rng.choice([25, 28, 32, 40])),
                str(rng.choice(models())),
                float(rng.choice([1.0, 1.3, 1.6])),
                float(rng.integers(360)),
            )
            head, radius = made.head()
            near = _near(self.everything, self.balls, head, head, radius + 0.05)
            free = not len(near) or clearance(near, head, head, 1.0) > radius
            if free and _layers(self.everything, head) == 0:
                return made

    def shut(self, viewer: Stander, target: Stander) -> NDArray[np.bool_] | None:
        """Which of everything stops the look; ``None`` when a barred part is just about near enough to look past."""
        keep = np.ones(len(self.everything), np.bool_)
        first = len(self.solid)
        for part, low, high in self.boxes:
            apart = min(_disc_apart(each, part, low, high) for each in (viewer, target))
            if abs(apart - BARRED) < 0.02:
                return None
            keep[first : first + len(part)] = apart > BARRED
            first += len(part)
        return keep


def _to_the_sky(mesh: Floats) -> Floats:
    """Wall terrain has no top: each triangle is drawn up."""
    lid = mesh.copy()
    lid[:, :, 2] = SKY
    sides = []
    for k in range(3):
        a, b, c, d = mesh[:, k], mesh[:, (k + 1) % 3], lid[:, (k + 1) % 3], lid[:, k]
        sides += [np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)]
    return np.concatenate([mesh, *sides])


@njit(cache=True)
def _layers(triangles, point):
    """How many solids a point is in: faces straight above it, those that look up less those that look down."""
    layers = 0
    for i in range(triangles.shape[0]):
        T = triangles[i]
        x0, x1, x2 = T[0, 0] - point[0], T[1, 0] - point[0], T[2, 0] - point[0]
        y0, y1, y2 = T[0, 1] - point[1], T[1, 1] - point[1], T[2, 1] - point[1]
        a, b, c = x0 * y1 - x1 * y0, x1 * y2 - x2 * y1, x2 * y0 - x0 * y2
        around = (a > 0.0 and b > 0.0 and c > 0.0) or (a < 0.0 and b < 0.0 and c < 0.0)
        # the weight of a corner is the side across from it
        if around and (b * T[0, 2] + c * T[1, 2] + a * T[2, 2]) / (a + b + c) > point[2]:
            layers += 1 if a > 0.0 else -1
    return layers


def _disc_apart(one: Stander, part: Floats, low: Floats, high: Floats) -> float:
    """About how far a base is from a part, measured horizontally (KZ-BARRED): nearest of points all over it. *low*,
    *high*: from where to where the part is."""
    radius = one.base / 2 * MM
    beside = [max(0.0, low[k] - one.at[k], one.at[k] - high[k]) for k in range(2)]
    if math.hypot(*beside) > BARRED + radius + 0.1:
        return 6.0
    part = part.copy()
    part[:, :, 2] = one.at[2]
    turns = np.linspace(0, 2 * np.pi, 48, endpoint=False)
    spots = [np.zeros((1, 3))]
    for ring in (0.33, 0.66, 1.0):
        spots.append(np.stack([np.cos(turns), np.sin(turns), 0 * turns], axis=1) * radius * ring)
    points = np.concatenate(spots) + np.array(one.at)
    return min(clearance(part, point, point, 6.0) for point in points)


def _balls(triangles: Floats) -> tuple[Floats, Floats]:
    middle = triangles.mean(axis=1)
    return middle, np.linalg.norm(triangles - middle[:, None], axis=2).max(axis=1)


def _near(triangles: Floats, balls: tuple[Floats, Floats], one: Floats, two: Floats, reach: float) -> Floats:
    """The triangles that may come within *reach* of the segment."""
    return np.ascontiguousarray(triangles[_balls_near(*balls, one, two - one, reach)])


@njit(cache=True)
def _balls_near(middles, sizes, one, way, reach):
    """(n,) bool: which balls come within *reach* of the segment."""
    out = np.empty(middles.shape[0], np.bool_)
    length2 = max(way[0] ** 2 + way[1] ** 2 + way[2] ** 2, 1e-12)
    for i in range(middles.shape[0]):
        x, y, z = middles[i, 0] - one[0], middles[i, 1] - one[1], middles[i, 2] - one[2]
        t = min(1.0, max(0.0, (x * way[0] + y * way[1] + z * way[2]) / length2))
        apart2 = (x - t * way[0]) ** 2 + (y - t * way[1]) ** 2 + (z - t * way[2]) ** 2
        out[i] = apart2 <= (sizes[i] + reach) ** 2
    return out


@dataclass(frozen=True, eq=False)
class HardLook:
    """A look that is not easily told: who looks at whom, what may be in the way, and thin lines that got through."""

    board: Board
    viewer: Stander
    target: Stander
    obstacles: Floats
    starts: Floats
    ends: Floats

    def text(self) -> dict[str, Any]:
        return {"killzone": self.board.name, "a": vars(self.viewer), "b": vars(self.target)}

    def best(self, seed: int, goal: float) -> tuple[float, Floats]:
        """The clearest line that sampling finds, up to *goal*."""
        if not len(self.starts):
            return 0.0, np.zeros((2, 3))
        head, radius = self.viewer.head()
        found = np.array([clearance(self.obstacles, a, b, goal) for a, b in zip(self.starts, self.ends, strict=True)])
        order = np.argsort(-found)[:CLIMBERS]
        return climb(  # type: ignore[no-any-return]
            self.obstacles, self.starts[order], self.ends[order], head, radius, self.target.body(), STEPS, seed, goal
        )

    def problem_of(self, line: Any) -> str | None:
        """What is wrong with a witness; None when nothing is."""
        start, end = np.asarray(line, dtype=np.float64)
        head, radius = self.viewer.head()
        if np.linalg.norm(start - head) > radius + 1e-9:
            return "it does not start in the head"
        if clearance(self.target.body(), end, end, 1.0) > 1e-6:
            return "it does not end on the body"
        clear = clearance(self.obstacles, start, end, 1.0)
        return None if clear >= RADIUS - TIE else f"it is clear by {clear / MM:.4f} mm only"


def hard_looks(board: Board, seed: int, after: int = 0) -> Iterator[tuple[int, HardLook]]:
    """Hard looks on a board, without end, always the same; with the number of the try that made each. *after*: those of
    later tries."""
    number = after
    while True:
        number += 1
        rng = np.random.default_rng([seed, number, *board.name.encode()])
        viewer, target = board.stander("a", rng), board.stander("b", rng)
        if math.dist(viewer.at[:2], target.at[:2]) < 2.0:
            continue
        keep = board.shut(viewer, target)
        if keep is None:
            continue
        head, radius = viewer.head()
        body = target.body()
        middle = (body.min(axis=(0, 1)) + body.max(axis=(0, 1))) / 2
        size = float(np.linalg.norm(body.reshape(-1, 3) - middle, axis=1).max())
        balls = board.balls[0][keep], board.balls[1][keep]
        near = _near(board.everything[keep], balls, head, middle, max(size, radius) + 2 * RADIUS)
        few = _through(near, viewer, target, 60, rng)
        if len(few[0]) > 3:
            continue
        starts, ends = _through(near, viewer, target, LINES, rng)
        if len(starts) > HARD * LINES or (not len(starts) and rng.random() < 0.9):
            continue  # where nothing at all gets through it is mostly a wall
        yield number, HardLook(board, viewer, target, near, starts, ends)


def _through(
    triangles: Floats, viewer: Stander, target: Stander, count: int, rng: np.random.Generator
) -> tuple[Floats, Floats]:
    """Those of *count* random lines from all over the head to all over the body that meet nothing."""
    head, radius = viewer.head()
    way = rng.normal(size=(count, 3))
    way /= np.linalg.norm(way, axis=1)[:, None]
    starts = head + way * radius * rng.random((count, 1)) ** (1 / 3)
    body = target.body()
    area = np.linalg.norm(np.cross(body[:, 1] - body[:, 0], body[:, 2] - body[:, 0]), axis=1)
    chosen = rng.choice(len(body), count, p=area / area.sum())
    ends = np.einsum("nk,nkj->nj", rng.dirichlet((1, 1, 1), count), body[chosen])
    free = open_lines(triangles, starts, ends)
    return starts[free], ends[free]


# ---- the engine's answer beside the referee's ----


def compare(look: HardLook, seed: int) -> dict[str, Any]:
    """What the engine says about a look, how long it took, and what is wrong with that (``""``: nothing)."""
    from ktsim.sight.scene import Base, Operative, Scene
    from ktsim.sight.visibility import visible

    terrain = load_named(look.board.name, Path()).terrain
    people = tuple(
        Operative(one.id, one.id, *one.at, Base.of_mm(one.base), figure(one.model, one.height), one.turn)
        for one in (look.viewer, look.target)
    )
    scene = Scene(terrain, people)
    began = time.process_time()
    found = visible(scene, "a", "b")
    spent = time.process_time() - began
    said = "visible" if found.visible else "undecided" if found.undecided else "hidden"
    wrong = ""
    if found.visible:
        problem = look.problem_of(found.witness)
        wrong = f"witness: {problem}" if problem else ""
    else:
        best, line = look.best(seed, RADIUS + 0.2 * MM)
        if best > RADIUS + TIE:
            by = (best - RADIUS) / MM
            wrong = f"{said}, but a line is clear by {by:.4f} mm: {line.round(6).tolist()}"
    return {
        **look.text(),
        "through": len(look.starts),
        "said": said,
        "close": found.close_call,
        "resolution": found.resolution if math.isfinite(found.resolution) else None,
        "clearance": found.clearance,
        "ms": round(1000 * spent, 1),
        "wrong": wrong,
    }


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("killzone", nargs="*", help="shipped killzones; default: all")
    options.add_argument("--pairs", type=int, default=20, help="hard looks a killzone")
    options.add_argument("--tries", type=int, default=20_000, help="looks a killzone that may turn out not to be hard")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--seconds", type=float, default=math.inf, help="stop after so long; the same command goes on")
    options.add_argument("--out", type=Path, help="keeps what is done")
    args = options.parse_args()
    kept = [json.loads(line) for line in args.out.read_text().splitlines()] if args.out and args.out.exists() else []
    end = time.monotonic() + args.seconds
    rows = []
    for name in args.killzone or names():
        done = {row["try"]: row for row in kept if row["killzone"] == name and row["seed"] == args.seed}
        rows += list(done.values())
        left, last = args.pairs - len(done), max(done, default=0)
        for number, look in hard_looks(Board.load(name), args.seed, last) if left > 0 else ():
            if number > args.tries or time.monotonic() > end:
                break
            row = {"seed": args.seed, "try": number, **compare(look, number)}
            rows.append(row)
            if args.out:
                with args.out.open("a") as file:
                    file.write(json.dumps(row) + "\n")
            left -= 1
            if left <= 0:
                break
        mine = [row for row in rows if row["killzone"] == name]
        print(f"{name}: {len(mine)} hard looks, {dict(Counter(row['said'] for row in mine))}", flush=True)
    wrong = [row for row in rows if row["wrong"]]
    for row in wrong:
        print(f"{row['killzone']}, try {row['try']}: {row['wrong']}")
    spent = np.array([row["ms"] for row in rows])
    print(
        f"{len(rows)} hard looks: {dict(Counter(row['said'] for row in rows))}, {len(wrong)} wrong; "
        f"ms median {np.median(spent):.1f}, p90 {np.percentile(spent, 90):.1f}, p99 {np.percentile(spent, 99):.1f}, "
        f"most {spent.max():.1f}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
