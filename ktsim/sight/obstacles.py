"""Terrain and figures made ready for lines: trees built once per terrain, instances per scene.

Two forests serve two kinds of line. Visibility is stopped by every part, and Wall parts are unlimited in height
(KZ-WALL). Targeting lines cross parts as they stand, never Exposed ones.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.forest import Forest, Grove, Surface, Tree, rows
from ktsim.geometry.kernels import fans3d
from ktsim.geometry.kernels.sections import joined, section
from ktsim.geometry.solids import footprint_edges, raised
from ktsim.geometry.tree_store import kept_tree
from ktsim.sight.scene import Figure, Operative, Part, Scene, Terrain, WallLine, is_air

SEAM = 0.15
"""How far a closed access point is made to overlap the wall around it, for lines of sight."""

ANY = -2
"""Whatever the label."""

SKY = 200.0
"""How high an unlimited wall is made (inches)."""

MOST_FIGURES = 64
"""Figures that are kept beside a terrain: those of a few games."""

Active = NDArray[np.int32]


def stands_alone(part: Part, feature_kind: str) -> bool:
    """May this part be left out of a question of visibility on its own (barred windows, doors, low parts)?"""
    return "barred" in part.traits or part.kind == "door" or feature_kind == "stronghold"


@dataclass(frozen=True, eq=False)
class _Standing:
    """A tree of terrain: all of it is there in *state* of *feature* (``None``: always)."""

    tree: Tree
    feature: str
    state: str | None
    label: int | None


class _Planted(NamedTuple):
    """A terrain's trees and those of *figures* in one grove; *number*: of each figure's tree there, by its id."""

    grove: Grove
    number: dict[int, int]
    figures: tuple[Figure, ...]


class Present(NamedTuple):
    """What of a terrain is there: numbers of what stands, labels of parts, and of those that targeting lines can cross
    but are no Wall terrain."""

    standing: tuple[int, ...]
    labels: tuple[int, ...]
    plain: NDArray[np.int64]


class PreparedTerrain:
    """What lines need to know of a terrain, whatever its states. Labels number all parts of all states."""

    def __init__(self, terrain: Terrain) -> None:
        self.terrain = terrain
        self.base = None if terrain.base is None else prepared_terrain(terrain.base)
        before: tuple[Part, ...] = () if self.base is None else self.base.parts
        self.first = len(before)
        """The first label that the base does not have."""
        listed: list[tuple[Part, str, str | None]] = []
        for feature in terrain.added:
            listed += [(part, feature.kind, None) for part in feature.parts]
            for name, parts in feature.states.items():
                listed += [(part, feature.kind, name) for part in parts]
        self.parts: tuple[Part, ...] = (*before, *(part for part, _, _ in listed))
        self.label_of = {id(part): label for label, part in enumerate(self.parts)}
        together = [
            label
            for label, (part, kind, state) in enumerate(listed, self.first)
            if state is None and not stands_alone(part, kind) and not is_air(part)
        ]
        self.standing: list[_Standing] = [] if self.base is None else list(self.base.standing)
        lines = {line.id: line for line in terrain.walls}
        if together:
            tree = self._tree(*_joined([(sight_triangles(self.parts[label]), label) for label in together]))
            self.standing.append(_Standing(tree, "", None, None))
        joined = set(together)
        for label, (part, _, state) in enumerate(listed, self.first):
            if label not in joined and not is_air(part):
                triangles = sight_triangles(part)
                if part.kind == "access" and part.feature in lines:
                    triangles = _reaching_into_wall(triangles, lines[part.feature])
                tree = Tree.over(triangles, label, (label,) if part.is_open else ())
                self.standing.append(_Standing(tree, part.feature, state, label))
        self._grove: _Planted | None = None
        self._sections: dict[tuple[float, int], NDArray[np.float64]] = {}
        self._footprints: dict[int, NDArray[np.float64]] = {}
        self._present: dict[tuple[tuple[str, str], ...], Present] = {}

    def present(self, scene: Scene) -> Present:
        """What is there in the scene's states."""
        key = tuple(sorted(scene.states.items()))
        if key not in self._present:
            if len(self._present) > 64:
                self._present.clear()
            states = {f.id: scene.states.get(f.id, f.initial) for f in scene.terrain.features if f.states}
            there = tuple(
                i
                for i, standing in enumerate(self.standing)
                if standing.state is None or states.get(standing.feature) == standing.state
            )
            labels = tuple(self.label_of[id(part)] for part in scene.parts())
            plain = [label for label in labels if _is_plain(self.parts[label])]
            self._present[key] = Present(there, labels, np.array(plain, np.int64))
        return self._present[key]

    @cached_property
    def barred(self) -> frozenset[int]:
        """Labels of Barred parts."""
        return frozenset(label for label, part in enumerate(self.parts) if "barred" in part.traits)

    def grove(self, figures: Iterable[Figure]) -> _Planted:
        """The terrain's trees followed by those of *figures*, and of others that were asked for before: one grove for
        whoever stands about, for it is large on a large terrain."""
        known, wanted = self._grove, list(figures)
        if known is None or any(id(figure) not in known.number for figure in wanted):
            before = known.figures if known is not None and len(known.figures) < MOST_FIGURES else ()
            all_of = {id(figure): figure for figure in (*before, *wanted)}
            trees = [standing.tree for standing in self.standing]
            number = {id: len(trees) + n for n, id in enumerate(all_of)}
            grove = Grove.of([*trees, *(prepared(figure).tree for figure in all_of.values())])
            self._grove = known = _Planted(grove, number, tuple(all_of.values()))
            _forget_worlds(self.terrain)  # they would hold the grove of before, megabytes each time somebody comes
        return known

    @cached_property
    def line_trees(self) -> tuple[Tree, ...]:
        """All parts that targeting lines can cross, as they stand, whatever their state."""
        own = list(enumerate(self.parts))[self.first :]
        solid = [(part.triangles, label) for label, part in own if can_intervene(part)]
        before = () if self.base is None else self.base.line_trees
        return (*before, self._tree(*_joined(solid))) if solid else before

    def _tree(self, triangles: NDArray[np.float64], labels: NDArray[np.int32]) -> Tree:
        """A tree; of a board's own terrain it is kept on disk, what players put there comes and goes."""
        hollow = [label for label in np.unique(labels).tolist() if self.parts[label].is_open]
        make = kept_tree if self.base is None else Tree.over
        return make(triangles, labels, hollow)

    def triangles_near(
        self,
        at: tuple[float, float, float],
        way: tuple[float, float, float],
        reach: float,
        label: int = ANY,
        most: int = 2**31,
    ) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        """The triangles (n, 9) that targeting lines can cross within *reach* of a straight way, with their labels; of
        one part if a *label* is given, and not many more than *most* of each tree."""
        found = [
            fans3d.triangles_near(tree.nodes, tree.links, tree.tris, tree.labels, label, most, *at, *way, reach)
            for tree in self.line_trees
        ]
        if len(found) == 1:
            return found[0][0], found[0][1]
        triangles = np.concatenate([np.empty((0, 9)), *(each for each, _ in found)])
        return triangles, np.concatenate([np.empty(0, np.int32), *(labels for _, labels in found)])

    def part_section(self, label: int, z: float) -> NDArray[np.float64]:
        """The edges (m, 4) in which a part meets the plane at height z."""
        if self.base is not None and label < self.first:
            return self.base.part_section(label, z)
        key = (z, label)
        if key not in self._sections:
            triangles = rows(self.parts[label].triangles)
            edges, _ = section(triangles, np.zeros(len(triangles), np.int32), z)
            self._sections[key] = joined(edges)
        return self._sections[key]

    @cached_property
    def boxes(self) -> list[tuple[float, ...]]:
        """Low then high corner of each part, by label."""
        before = [] if self.base is None else self.base.boxes
        return before + [
            (*map(float, part.triangles.min(axis=(0, 1))), *map(float, part.triangles.max(axis=(0, 1))))
            for part in self.parts[self.first :]
        ]

    @cached_property
    def discs(self) -> NDArray[np.float64]:
        """A disc around each part seen from above, by label: x, y, radius."""
        low_x, low_y, _, high_x, high_y, _ = np.array(self.boxes).reshape(-1, 6).T
        return np.stack(
            [(low_x + high_x) / 2, (low_y + high_y) / 2, np.hypot(high_x - low_x, high_y - low_y) / 2], axis=1
        )

    def footprint(self, label: int) -> NDArray[np.float64]:
        """Border of a part seen from above."""
        if self.base is not None and label < self.first:
            return self.base.footprint(label)
        if label not in self._footprints:
            part = self.parts[label]
            self._footprints[label] = footprint_edges(part.triangles, part.is_open)
        return self._footprints[label]


def can_intervene(part: Part) -> bool:
    """SIGHT-12: Exposed parts never intervene."""
    return "exposed" not in part.traits


def _is_plain(part: Part) -> bool:
    in_wall = "wall" in part.traits or part.kind == "gap"
    return can_intervene(part) and not in_wall


def sight_triangles(part: Part) -> NDArray[np.float64]:
    """The part as visibility meets it: Wall parts rise to the sky (KZ-WALL)."""
    return raised(part.triangles, SKY, part.is_open) if "wall" in part.traits else part.triangles


def _reaching_into_wall(triangles: NDArray[np.float64], line: WallLine) -> NDArray[np.float64]:
    """A closed access point, made to overlap the wall on both sides: lines of sight meet one solid, not a seam."""
    assert line.access_width is not None
    start, end = np.array(line.start), np.array(line.end)
    length = float(np.linalg.norm(end - start))
    along = (end - start) / length
    solid = (length - line.access_width) / 2
    place = (triangles[:, :, :2] - (start + end) / 2) @ along
    grown = triangles.copy()
    grown[:, :, :2] += (np.sign(place) * min(SEAM, solid))[:, :, None] * along
    return grown


def _joined(pieces: Iterable[tuple[NDArray[np.float64], int]]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    listed = list(pieces)
    triangles = np.concatenate([piece for piece, _ in listed])
    labels = np.concatenate([np.full(len(piece), label, np.int32) for piece, label in listed])
    return triangles, labels


@dataclass(frozen=True, eq=False)
class PreparedFigure:
    """A figure as an obstacle and as something to be seen."""

    tree: Tree
    surface: Surface


_figures: WeakKeyDictionary[Figure, PreparedFigure] = WeakKeyDictionary()
_worlds: WeakKeyDictionary[Scene, World] = WeakKeyDictionary()


def prepared(figure: Figure) -> PreparedFigure:
    if figure not in _figures:
        tree = Tree.over(figure.triangles, -1, (-1,) if figure.is_open else ())
        _figures[figure] = PreparedFigure(tree, Surface.of(figure.triangles))
    return _figures[figure]


def prepared_terrain(terrain: Terrain) -> PreparedTerrain:
    # Kept with the terrain itself: they refer to each other, and go together when a game has put more pieces there.
    if "lines" not in terrain.kept:
        terrain.kept["lines"] = PreparedTerrain(terrain)
    return cast("PreparedTerrain", terrain.kept["lines"])


class World:
    """A scene made ready: one forest for visibility, its terrain first and then the operatives' bodies."""

    def __init__(self, scene: Scene) -> None:
        self.terrain = prepared_terrain(scene.terrain)
        planted = self.terrain.grove(o.figure for o in scene.operatives)
        offset = len(self.terrain.standing)
        instances = [(planted.number[id(o.figure)], o.x, o.y, o.level, o.turn) for o in scene.operatives]
        self.forest: Forest = planted.grove.forest(instances, offset)
        self.operative_ids = tuple(o.id for o in scene.operatives)
        self.offset = offset
        self.present, self.labels, _ = self.terrain.present(scene)

    def active(self, without: Iterable[str] = (), without_labels: Iterable[int] = ()) -> Active:
        """The instances that stop lines: terrain in its present state, bodies but those of the operatives *without*."""
        hidden, dropped = set(without), set(without_labels)
        terrain = [i for i in self.present if self.terrain.standing[i].label not in dropped or not dropped]
        bodies = [self.offset + n for n, id in enumerate(self.operative_ids) if id not in hidden]
        return np.array(terrain + bodies, dtype=np.int32)

    def name_of(self, triangle: int, instance: int) -> str:
        """What an instance's triangle belongs to: ``feature/part`` or an operative's id."""
        if instance >= self.offset:
            return self.operative_ids[instance - self.offset]
        return self.terrain.parts[int(self.forest.labels[triangle])].key


def world_of(scene: Scene) -> World:
    """The scene made ready; kept as long as the scene is, and nobody comes whom its terrain has not seen."""
    if scene not in _worlds:
        _worlds[scene] = World(scene)
    return _worlds[scene]


def forget(terrain: Terrain) -> None:
    """Let go of what is ready for a terrain and for scenes on it; it is made again when somebody asks."""
    _forget_worlds(terrain)
    terrain.kept.clear()


def _forget_worlds(terrain: Terrain) -> None:
    """Let go of the scenes on a terrain, which undo and what was asked keep, as forests: little to make again."""
    for known in _worlds.keyrefs():
        scene = known()
        if scene is not None and scene.terrain is terrain:
            _worlds.pop(scene, None)


def pose_of(operative: Operative) -> NDArray[np.float64]:
    """x, y, z, cosine, sine of where an operative stands."""
    angle = np.radians(operative.turn)
    return np.array([operative.x, operative.y, operative.level, np.cos(angle), np.sin(angle)])


def head_of(operative: Operative) -> NDArray[np.float64]:
    """The head as a ball: x, y, z, radius."""
    pose = pose_of(operative)
    x, y, z = operative.figure.head
    return np.array(
        [
            pose[0] + x * pose[3] - y * pose[4],
            pose[1] + x * pose[4] + y * pose[3],
            pose[2] + z,
            operative.figure.head_radius,
        ]
    )
