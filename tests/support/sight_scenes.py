"""Small tables for the tests of sight, built in code: parts from boxes, operatives with plain figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.solids import box, cylinder
from ktsim.killzones.figures import cylinder_figure, figure
from ktsim.killzones.walls import wall_features
from ktsim.sight.scene import Area, Base, Feature, Figure, Operative, Part, Scene, Terrain, WallLine

Floats = NDArray[np.float64]
BOARD = (30.0, 22.0)
R32 = 16 / 25.4
"""Radius of a 32 mm base."""


def part(feature: str, name: str, traits: str, triangles: Floats, kind: str = "") -> Part:
    return Part(feature, name, frozenset(traits.split()), np.asarray(triangles, dtype=np.float64), kind)


def block(id: str, traits: str, one: Sequence[float], other: Sequence[float], kind: str = "") -> Feature:
    """A feature of one box called ``body``."""
    return Feature(id, (part(id, "body", traits, box(one, other)),), kind=kind)


def feature(id: str, *parts: tuple[str, str, Floats], kind: str = "", kinds: dict[str, str] | None = None) -> Feature:
    """A feature of (name, traits, mesh) parts; *kinds*: the kind of a part by its name."""
    return Feature(id, tuple(part(id, *p, (kinds or {}).get(p[0], "")) for p in parts), kind=kind)


def doll() -> Figure:
    """A plain cylinder 0.7 inches wide: cheap to look at."""
    return cylinder_figure(0.35, 1.25, (1.1, 0.1))


def trooper() -> Figure:
    return figure("trooper")


def op(
    id: str,
    x: float,
    y: float,
    level: float = 0.0,
    *,
    team: str | None = None,
    order: str = "engage",
    base: Base | float = 32.0,
    turn: float = 0.0,
    body: Figure | None = None,
) -> Operative:
    """An operative; those called a... are red, the others blue."""
    side = team or ("red" if id.startswith("a") else "blue")
    shape = base if isinstance(base, Base) else Base.of_mm(base)
    return Operative(id, side, float(x), float(y), float(level), shape, body or doll(), float(turn), order)  # type: ignore[arg-type]


def table(
    *operatives: Operative,
    features: Sequence[Feature] = (),
    walls: Sequence[WallLine] = (),
    areas: Sequence[Area] = (),
    rules: Sequence[str] = (),
    states: dict[str, str] | None = None,
    smoke: Sequence[tuple[float, float, float]] = (),
) -> Scene:
    terrain = Terrain(BOARD, (*features, *wall_features(walls)), tuple(walls), tuple(areas), frozenset(rules), "test")
    return Scene(terrain, operatives, states or {}, tuple(smoke))


def turned(scene: Scene, angle: float, dx: float = 0.0, dy: float = 0.0, mirror: bool = False) -> Scene:
    """The whole scene mirrored in the x axis (when asked), turned about the board's middle and shifted.

    Figures must be symmetric under the mirror (those of revolution are).
    """
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    mx, my = BOARD[0] / 2, BOARD[1] / 2

    def place(x: float, y: float) -> tuple[float, float]:
        u, v = x - mx, (my - y if mirror else y - my)
        return mx + c * u - s * v + dx, my + s * u + c * v + dy

    def mesh(triangles: Floats) -> Floats:
        moved = triangles.copy()
        u = triangles[:, :, 0] - mx
        v = (my - triangles[:, :, 1]) if mirror else triangles[:, :, 1] - my
        moved[:, :, 0], moved[:, :, 1] = mx + c * u - s * v + dx, my + s * u + c * v + dy
        return np.ascontiguousarray(moved[:, ::-1]) if mirror else moved

    def again(parts: Sequence[Part]) -> tuple[Part, ...]:
        return tuple(replace(p, triangles=mesh(p.triangles)) for p in parts)

    features = tuple(
        replace(f, parts=again(f.parts), states={k: again(v) for k, v in f.states.items()})
        for f in scene.terrain.features
    )
    walls = tuple(replace(w, start=place(*w.start), end=place(*w.end)) for w in scene.terrain.walls)
    areas = tuple(replace(a, outline=tuple(place(*p) for p in a.outline)) for a in scene.terrain.areas)
    operatives = []
    for one in scene.operatives:
        x, y = place(one.x, one.y)
        operatives.append(replace(one, x=x, y=y, turn=(-one.turn if mirror else one.turn) + angle))
    smoke = tuple((*place(x, y), z) for x, y, z in scene.smoke)
    terrain = replace(scene.terrain, features=features, walls=walls, areas=areas)
    return Scene(terrain, tuple(operatives), scene.states, smoke)


def with_terrain(scene: Scene, features: Sequence[Feature]) -> Scene:
    """The same scene with other features."""
    return replace(scene, terrain=replace(scene.terrain, features=tuple(features)))


def finer(triangles: Floats, times: int) -> Floats:
    """Each triangle cut into 4, *times* times over."""
    for _ in range(times):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        ab, bc, ca = (a + b) / 2, (b + c) / 2, (c + a) / 2
        triangles = np.concatenate([np.stack(t, axis=1) for t in ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))])
    return triangles


def turn_mesh(triangles: Floats, angle: float, about: tuple[float, float]) -> Floats:
    """A mesh turned about a vertical axis."""
    c, s = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    moved = triangles.copy()
    u, v = triangles[:, :, 0] - about[0], triangles[:, :, 1] - about[1]
    moved[:, :, 0], moved[:, :, 1] = about[0] + c * u - s * v, about[1] + s * u + c * v
    return moved


def random_boxes(rng: np.random.Generator, count: int, heavy: float = 0.5) -> list[Feature]:
    """Boxes, drums and beams strewn between (5, 8) and (17, 14), turned any way."""
    found = []
    for number in range(count):
        x, y = rng.uniform(5.5, 16.5), rng.uniform(8, 14)
        low = 0.0 if rng.random() < 0.75 else float(rng.uniform(0.3, 0.9))
        high = low + float(rng.uniform(0.3, 2.2))
        if rng.random() < 0.2:
            mesh = cylinder((x, y, low), float(rng.uniform(0.1, 0.6)), high - low)
        else:
            w, d = rng.uniform(0.05, 2.5), rng.uniform(0.05, 1.2)
            plain = box((x - w / 2, y - d / 2, low), (x + w / 2, y + d / 2, high))
            mesh = turn_mesh(plain, rng.uniform(0, 180), (x, y))
        traits = "heavy" if rng.random() < heavy else "light"
        found.append(Feature(f"f{number}", (part(f"f{number}", "body", traits, mesh),)))
    return found


def random_table(seed: int, boxes: int = 6, bystanders: int = 1) -> Scene:
    """Two operatives about 10 inches apart with boxes and bystanders between them."""
    rng = np.random.default_rng(seed)
    a = op("a", rng.uniform(3, 5), rng.uniform(9, 13), turn=rng.uniform(0, 360))
    b = op("b", rng.uniform(15, 17), rng.uniform(9, 13), turn=rng.uniform(0, 360), order="conceal")
    others = [
        op(f"c{n}", rng.uniform(6.5, 13.5), rng.uniform(8, 14), turn=rng.uniform(0, 360)) for n in range(bystanders)
    ]
    return table(a, b, *others, features=random_boxes(rng, boxes))
