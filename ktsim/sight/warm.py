"""Compiling what is compiled once: each stage asks a few questions that need all its kernels.

Nobody has to wait for that: whoever asks a question compiles what it needs (``geometry.compiling``). A stamp beside
the compiled kernels says that a stage is done, so that asking again costs next to nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

import numpy as np

from ktsim.geometry import kernel_store
from ktsim.geometry.solids import box, cylinder
from ktsim.sight.scene import Area, Base, Feature, Figure, Operative, Part, Scene, Terrain, Triangles

Report = Callable[[str], None]


@dataclass(frozen=True)
class Stage:
    name: str
    run: Callable[[], object]


def ensure_ready(report: Report, stages: Sequence[Stage]) -> bool:
    """Compile what these stages need, unless that is done. Says so to *report* first; returns whether there was
    anything to do. Can be interrupted: stages that were done stay so."""
    missing = [stage for stage in stages if not _is_done(stage)]
    for stage in missing:
        report(f"compiling {stage.name}, {stages.index(stage) + 1} of {len(stages)} ...")
        stage.run()
        _mark(stage)
    return bool(missing)


def is_ready(stages: Sequence[Stage]) -> bool:
    """Whether everything these stages need is compiled."""
    return done(stages) == len(stages)


def done(stages: Sequence[Stage]) -> int:
    """How many of these stages are compiled."""
    return sum(map(_is_done, stages))


def _is_done(stage: Stage) -> bool:
    return kernel_store.shipped() is not None or _stamp(stage).exists()


def _stamp(stage: Stage) -> Path:
    return kernel_store.folder() / f"{stage.name.replace(' ', '-')}.done"


def _mark(stage: Stage) -> None:
    try:
        kernel_store.folder().mkdir(parents=True, exist_ok=True)
        _stamp(stage).touch()
    except OSError:
        pass  # nowhere to keep kernels either: the next start compiles again


# ---- scenes that need every kernel ----


@cache
def _figure() -> Figure:
    return Figure("stand-in", cylinder((0, 0, 0.14), 0.3, 1.2), (0.0, 0.0, 1.1), 0.1)


def _pair(
    *parts: Part, levels: tuple[float, float] = (0.0, 0.0), gap: float = 10.0, areas: tuple[Area, ...] = ()
) -> Scene:
    """Two operatives and what stands about; *levels* are theirs."""
    base = Base.of_mm(32)
    features = tuple(Feature(part.feature, (part,)) for part in parts)
    terrain = Terrain((30.0, 22.0), features, areas=areas)
    one = Operative("one", "a", 5.0, 11.0, levels[0], base, _figure())
    two = Operative("two", "b", 5.0 + gap, 11.0, levels[1], replace(base, across=base.across * 0.7), _figure(), 20.0)
    return Scene(terrain, (one, two))


def _part(name: str, shape: Triangles, *traits: str) -> Part:
    return Part(name, name, frozenset(traits), shape)


def _light() -> Part:
    return _part("light", box((13.3, 9.0, 0.0), (13.6, 13.0, 0.9)), "light")


def _heavy() -> Part:
    return _part("heavy", box((9.0, 8.0, 0.0), (9.3, 11.1, 3.0)), "heavy")


def _screen() -> Part:
    return _part("screen", box((9.0, 0.0, 0.0), (9.3, 22.0, 6.0)), "heavy")


def _floors() -> tuple[Part, ...]:
    return (
        _part("floor", box((3.0, 9.0, 2.8), (6.2, 13.0, 3.0)), "vantage", "heavy"),
        _part("rail", box((6.0, 9.0, 3.0), (6.2, 13.0, 3.4)), "light"),
        _part("wall below", box((5.0, 9.0, 0.0), (5.2, 13.0, 2.8)), "heavy"),
    )


def _walls() -> tuple[Part, ...]:
    return (
        _part("wall", box((9.0, 5.0, 0.0), (9.4, 12.0, 2.75)), "wall", "heavy"),
        _part("bars", box((14.0, 10.0, 0.0), (14.2, 12.0, 2.0)), "barred", "heavy"),
        _part("stub", box((14.0, 12.2, 0.0), (14.4, 14.0, 2.75)), "wall", "heavy"),
    )


def _visibility() -> None:
    from ktsim.geometry.kernels import planar, queries
    from ktsim.sight.distances import figure_row
    from ktsim.sight.obstacles import world_of
    from ktsim.sight.visibility import visible

    pair = _pair(_heavy())
    visible(pair, "one", "two")
    # asked only of near misses and of the ends of walls
    world = world_of(pair)
    queries.line_clearance(world.forest, world.active(), 5.0, 11.0, 1.0, 10.0, 0.0, 0.0, 0.1)
    planar.support(figure_row(pair.operatives[0]), 1.0, 0.0)


def _proofs() -> None:
    from ktsim.sight.obstacles import head_of, pose_of, prepared, world_of
    from ktsim.sight.visibility import CLEAR, Look, sees_point, visible

    visible(_pair(_screen()), "one", "two")
    sees_point(_pair(_heavy()), "one", (15.0, 11.0, 0.0))
    # tried only where a short search does not decide
    pair = _pair(_heavy())
    world, (one, two) = world_of(pair), pair.operatives
    look = Look(world.forest, world.active(), prepared(two.figure).surface, pose_of(two), head_of(one), True)
    look.guess(CLEAR, 4)
    look.widen(CLEAR)


def _rule(scene: Scene) -> None:
    from ktsim.sight.ruling import ruling

    ruling(scene, "one", "two", "kt24").as_json("")
    ruling(scene, "one", "two", "kt21-lite")
    ruling(scene, "two", "one", "kt24")


def _one_level() -> None:
    from ktsim.geometry.forest import rows
    from ktsim.geometry.kernels import nearest
    from ktsim.sight.distances import figure_row

    scene = _pair(_light(), _heavy())
    _rule(scene)
    # asked only of parts that lie on a line and give no cover
    nearest.figure_from_triangles(figure_row(scene.operatives[0]), 0.0, rows(_light().triangles))


def _levels() -> None:
    from ktsim.geometry.forest import rows
    from ktsim.geometry.kernels import fans3d
    from ktsim.sight.obstacles import world_of
    from ktsim.sight.seen_parts import sees_part_near

    floors = _floors()
    scene = _pair(_light(), *floors, levels=(3.0, 0.0))
    _rule(scene)
    # asked of what is below the floor one stands on
    sees_part_near(scene, "one", floors[-1], 1.0)
    # asked only where neither a line nor a floor decides that
    forest = world_of(scene).forest
    low, high = np.zeros(3), np.ones(3)
    fans3d.triangles_in_box(forest.nodes, forest.links, forest.tris, forest.labels, forest.roots[0], low, high, 0)
    # asked only of walls that rise through a level
    fans3d.clip(rows(_heavy().triangles), np.array([0.0, 0.0, -1.0, -1.0]))


def _ways() -> None:
    from ktsim.geometry.forest import rows
    from ktsim.sight.distances import figure_row
    from ktsim.sight.ways import Ways

    scene = _pair(*_walls())
    _rule(scene)
    # asked only of lines between levels
    ways, none = Ways(scene, figure_row(scene.operatives[0])), np.empty((0, 4))
    ways.triangles_within(rows(_light().triangles), 0.0, 12.0, none)
    ways.triangles_beyond(rows(_light().triangles), 0.0, 12.0, none)


def _hazards() -> None:
    from ktsim.geometry.kernels import areas
    from ktsim.sight.kt24 import Judge24

    outline = ((9.0, 9.0), (11.0, 9.0), (11.0, 13.0), (9.0, 13.0))
    scene = _pair(areas=(Area("pool", "hazardous", outline),))
    one, two = scene.operatives
    judge = Judge24(scene, one, two, None, 8.0, True, "inset")
    # one origin: a whole ruling would ask for hundreds
    judge.forbidden(np.array([judge.fan.rim(judge.fan.front)]))
    assert judge.hazards is not None
    areas.insides(10.0, 10.0, judge.hazards.edges, judge.hazards.owner, judge.hazards.count)


def _areas() -> None:
    from ktsim.geometry.kernels import parallel
    from ktsim.sight.area import survey
    from ktsim.sight.obstacles import world_of
    from ktsim.sight.visibility import CLEAR

    scene = _pair(_heavy())
    next(survey(scene, "one", scene.operatives[1], cell=4.0))
    # asked only by bots, of the ways on foot
    world, line = world_of(scene), np.ones((1, 3))
    with parallel.ONE_BATCH:
        parallel.lines_blocked(world.forest, world.active(), line, line, CLEAR)


def _control() -> None:
    from ktsim.sight.control import in_control_range, point_in_control_range

    in_control_range(_pair(gap=2.0), "one", "two")
    point_in_control_range(_pair(), "one", (5.5, 12.0, 0.0), 0.4)


PROOFS = Stage("proofs that something is hidden", _proofs)
WALLS = Stage("ways around walls", _ways)
AREAS = Stage("area views and nets of ways", _areas)
LINES = (
    Stage("visibility", _visibility),
    Stage("lines on one level", _one_level),
    Stage("lines between levels", _levels),
    Stage("hazards", _hazards),
    Stage("control range", _control),
)
"""What most rulings need."""
ALL = (*LINES, PROOFS, WALLS, AREAS)
