"""What stands on the board: terrain parts, operatives, areas. Plain immutable data.

Everything is in inches and degrees; angles turn counter-clockwise seen from above.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

MM = 1 / 25.4
"""One millimetre in inches."""

EPS = 1e-6
"""What decides ties, in inches."""

TRAITS = frozenset(
    [
        *("heavy", "light", "blocking", "vantage", "accessible", "insignificant"),
        *("exposed", "ceiling", "wall", "barred", "traversable", "scalable"),
    ]
)
PORTABLE = "portable barricade"
"""The kind of a feature that covers only an operative connected to it."""

Edition: TypeAlias = Literal["kt24", "kt21-lite"]
EDITIONS: tuple[Edition, ...] = ("kt24", "kt21-lite")
Order: TypeAlias = Literal["engage", "conceal"]
ORDERS: tuple[Order, ...] = ("engage", "conceal")
RulesDate: TypeAlias = Literal["2025-03", "2026-01"]
RULES_DATES: tuple[RulesDate, ...] = ("2025-03", "2026-01")
"""The dates as of which the rules can be asked (KT24-DATED); the first unless somebody says."""
Triangles: TypeAlias = NDArray[np.float64]
"""Shape (n, 3, 3): triangle, corner, coordinate; outward winding."""


def box_around(triangles: Triangles) -> NDArray[np.float64]:
    """The lowest and the highest corner of the box around triangles: shape (2, 3)."""
    return np.stack([triangles.min(axis=(0, 1)), triangles.max(axis=(0, 1))])


@dataclass(frozen=True, eq=False)
class Part:
    """A mesh with traits (SIGHT-1): closed, or *is_open* and ruled by its surface. *kind* is a word killzone rules look
    for, such as ``door``."""

    feature: str
    name: str
    traits: frozenset[str]
    triangles: Triangles
    kind: str = ""
    is_open: bool = False

    @property
    def key(self) -> str:
        return f"{self.feature}/{self.name}"

    @cached_property
    def top(self) -> float:
        return float(self.triangles[:, :, 2].max())

    @cached_property
    def bottom(self) -> float:
        return float(self.triangles[:, :, 2].min())

    @cached_property
    def box(self) -> NDArray[np.float64]:
        """The lowest and the highest corner of the box around it: shape (2, 3)."""
        return box_around(self.triangles)


AIR = frozenset(("accessible", "insignificant", "exposed"))
"""An open access point has all of these: it is an opening, and stops no line of sight."""


def is_air(part: Part) -> bool:
    return part.traits >= AIR


@dataclass(frozen=True, eq=False)
class Feature:
    """A terrain feature: the parts it always has, and those it has in each of its states (SIGHT-2)."""

    id: str
    parts: tuple[Part, ...]
    states: Mapping[str, tuple[Part, ...]] = field(default_factory=lambda: MappingProxyType({}))
    initial: str | None = None
    kind: str = ""

    def parts_in(self, state: str | None) -> tuple[Part, ...]:
        """Every part present while the feature is in *state* (its initial one for ``None``)."""
        chosen = state or self.initial
        return self.parts if chosen is None else self.parts + self.states[chosen]


@dataclass(frozen=True)
class Hatchway:
    """An access point centred on its wall line. The hatch hinges at one side and swings to one side."""

    width: float = 1.6
    hinge: Literal["start", "end"] = "start"
    swing: Literal["left", "right"] = "left"


@dataclass(frozen=True)
class BreachPoint:
    """An access point centred on its wall line, filled by a breach wall until somebody opens it for good
    (KZ-TOMB-BREACH-POINT)."""

    width: float = 1.6


@dataclass(frozen=True)
class WallLine:
    """The centre line of a wall; how lines meet gives corners, ends and straight joints (KZ-WALL-ENDS)."""

    id: str
    start: tuple[float, float]
    end: tuple[float, float]
    thickness: float = 0.4
    height: float = 2.75
    hatchway: Hatchway | None = None
    posts: tuple[tuple[float, float], ...] = ()
    """The middles of the pillars on it; they are square, half as wide again as the wall is thick, and part of it: small
    protrusions, neither corners nor ends (KZ-WALL-ENDS)."""

    breach: BreachPoint | None = None

    @property
    def access_width(self) -> float | None:
        """How wide the access point in it is, a hatchway's or a breach point's; None when it has none."""
        opening = self.hatchway or self.breach
        return None if opening is None else opening.width

    @property
    def post(self) -> float:
        """How wide its pillars are."""
        return 1.5 * self.thickness


@dataclass(frozen=True)
class Area:
    """A region of the floor by its outline (simple polygon), such as a hazardous one."""

    id: str
    kind: str
    outline: tuple[tuple[float, float], ...]


@dataclass(frozen=True)
class Base:
    """A base by its semi-axes: *along* the direction it faces and *across* it. Round when they are equal."""

    along: float
    across: float

    @classmethod
    def of_mm(cls, length: float, width: float | None = None) -> Base:
        return cls(length / 2 * MM, (length if width is None else width) / 2 * MM)

    @property
    def is_round(self) -> bool:
        return self.along == self.across


@dataclass(frozen=True, eq=False)
class Figure:
    """A miniature above its base, in its own frame: origin at the base's centre on the level it stands on.

    *triangles* is a closed mesh, unless it *is_open*; the head is a sphere inside it. Figures are shared between
    operatives and compared by identity, so build each once.
    """

    name: str
    triangles: Triangles
    head: tuple[float, float, float]
    head_radius: float
    is_open: bool = False
    is_stand_in: bool = False
    """It stands in for a miniature that looks otherwise: one of our own models."""

    @cached_property
    def box(self) -> NDArray[np.float64]:
        """The lowest and the highest corner of the box around it, in its own frame: shape (2, 3)."""
        return box_around(self.triangles)


@dataclass(frozen=True)
class Operative:
    """An operative on the board (SIGHT-4). *turn* turns base and figure about the base's centre."""

    id: str
    team: str
    x: float
    y: float
    level: float
    base: Base
    figure: Figure
    turn: float = 0.0
    order: Order = "engage"


@dataclass(frozen=True, eq=False)
class Terrain:
    """What does not move during a game: features, walls, areas, the board and the rules it brings.

    Compared by identity: sight keeps prepared trees per terrain, so share one between scenes.
    """

    board: tuple[float, float]
    features: tuple[Feature, ...] = ()
    walls: tuple[WallLine, ...] = ()
    areas: tuple[Area, ...] = ()
    rules: frozenset[str] = frozenset()
    name: str = ""
    base: Terrain | None = None
    """Terrain this one only adds features to: what is prepared for that one is used again. Added features are no
    walls."""
    kept: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """What sight and moving have prepared for it."""

    def with_more(self, features: tuple[Feature, ...]) -> Terrain:
        """The same with *features* added."""
        return Terrain(self.board, (*self.features, *features), self.walls, self.areas, self.rules, self.name, self)

    @property
    def root(self) -> Terrain:
        """The terrain whose walls, areas and rules this one has."""
        return self if self.base is None else self.base.root

    @property
    def added(self) -> tuple[Feature, ...]:
        """The features its base does not have."""
        return self.features if self.base is None else self.features[len(self.base.features) :]

    @cached_property
    def portable(self) -> frozenset[str]:
        """Features that cover only who is connected to them (KT24-E-PORTABLE-BARRICADE)."""
        return frozenset(feature.id for feature in self.features if feature.kind == PORTABLE)

    def feature(self, id: str) -> Feature:
        return next(feature for feature in self.features if feature.id == id)


@dataclass(frozen=True, eq=False)
class Scene:
    """A moment on the table: terrain with its states, smoke, operatives, and the date of the rules it is ruled by."""

    terrain: Terrain
    operatives: tuple[Operative, ...] = ()
    states: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    smoke: tuple[tuple[float, float, float], ...] = ()
    rules_as_of: RulesDate = RULES_DATES[0]

    def operative(self, id: str) -> Operative:
        return next(operative for operative in self.operatives if operative.id == id)

    def others(self, *ids: str) -> tuple[Operative, ...]:
        return tuple(operative for operative in self.operatives if operative.id not in ids)

    def parts(self) -> tuple[Part, ...]:
        """Every terrain part in its present state."""
        kept: dict[tuple[tuple[str, str], ...], tuple[Part, ...]] = self.terrain.kept.setdefault("parts", {})
        states = tuple(sorted(self.states.items()))
        if states not in kept:
            if len(kept) > 64:
                kept.clear()
            found = (feature.parts_in(self.states.get(feature.id)) for feature in self.terrain.features)
            kept[states] = tuple(part for parts in found for part in parts)
        return kept[states]

    def moved(self, moved: Operative) -> Scene:
        """The same scene with the operative of that id replaced."""
        return replace(self, operatives=tuple(moved if o.id == moved.id else o for o in self.operatives))


@dataclass(frozen=True)
class Weapon:
    """What target selection needs to know of a weapon."""

    rules: tuple[str, ...] = ()
