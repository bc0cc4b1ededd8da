"""Small tables to move on, built in a line or two."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from ktsim.geometry.solids import box
from ktsim.killzones.figures import cylinder_figure
from ktsim.killzones.walls import wall_features
from ktsim.rules.moving.check import check_path
from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.walk import REPOSITION, LegalPath, MoveAction, Refusal, Walker, Waypoint
from ktsim.sight.scene import MM, Area, Base, Feature, Operative, Part, Scene, Terrain, WallLine

FIGURE = cylinder_figure(0.35, 1.2)
TALL = cylinder_figure(0.35, 3.4)
R = 16 * MM
"""Radius of the base everybody has unless said."""

Corner = tuple[float, float, float]


def part(feature: str, name: str, low: Corner, high: Corner, *traits: str, kind: str = "") -> Part:
    return Part(feature, name, frozenset(traits), box(low, high), kind)


def operative(
    id: str,
    team: str,
    x: float,
    y: float,
    level: float = 0.0,
    base: Base | None = None,
    turn: float = 0.0,
    tall: bool = False,
) -> Operative:
    # As numbers with a fraction: kernels would be compiled once more for whole ones.
    place = (float(x), float(y), float(level))
    return Operative(id, team, *place, base or Base.of_mm(32), TALL if tall else FIGURE, float(turn))


def scene(
    *parts: Part,
    at: Corner = (5, 8, 0),
    others: tuple[Operative, ...] = (),
    areas: tuple[Area, ...] = (),
    walls: tuple[WallLine, ...] = (),
    states: Mapping[str, str] = MappingProxyType({}),
    rules: frozenset[str] = frozenset(),
    base: Base | None = None,
    turn: float = 0.0,
    tall: bool = False,
) -> Scene:
    """A board with operative ``a`` of team red at *at*."""
    features: dict[str, list[Part]] = {}
    for each in parts:
        features.setdefault(each.feature, []).append(each)
    terrain = Terrain(
        (30.0, 22.0),
        (*(Feature(id, tuple(found)) for id, found in features.items()), *wall_features(walls)),
        walls,
        areas,
        rules,
    )
    return Scene(terrain, (operative("a", "red", *at, base, turn, tall), *others), states)


def move(
    where: Scene, *points: tuple[float, ...], allowance: int = 9, action: MoveAction = REPOSITION
) -> LegalPath | Refusal:
    """Check the path of operative ``a``."""
    path = tuple(Waypoint(*map(float, point)) for point in points)
    return check_path(ground_of(where), Walker.of(where, "a"), path, allowance, action)


def costs(found: LegalPath | Refusal) -> list[int]:
    assert isinstance(found, LegalPath), found.words()
    assert found.total == sum(leg.cost for leg in found.legs)
    return [leg.cost for leg in found.legs]


def refused(found: LegalPath | Refusal, rule: str, leg: int | None = None, thing: str | None = None) -> None:
    assert isinstance(found, Refusal), found.words()
    assert found.rule == rule, found.words()
    assert leg is None or found.leg == leg, found.words()
    assert thing is None or found.thing == thing, found.words()
    assert found.text[0].isupper() or found.text[0].isdigit(), found.text
    assert found.text.endswith(".")


PLATFORM = part("block", "floor", (10, 5, 0), (16, 11, 3), "vantage", "heavy")
"""3 inches high; its west edge at x = 10, its east edge at x = 16."""

BARRIER = part("barrier", "bar", (10, 2, 0), (11.2, 20, 1), "light")
"""1 inch high and 1.2 inches deep."""


def doorway(width: float = 1.25, *traits: str) -> tuple[Part, ...]:
    """A wall along x = 10 with a door about y = 8."""
    low, high = 8 - width / 2, 8 + width / 2
    return (
        part("hut", "wall 1", (10, 0, 0), (10.25, low, 3), "heavy"),
        part("hut", "wall 2", (10, high, 0), (10.25, 22, 3), "heavy"),
        part("hut", "lintel", (10, low, 2), (10.25, high, 3), "heavy"),
        part("hut", "door", (10, low, 0), (10.25, high, 2), *(traits or ("accessible", "heavy")), kind="door"),
    )
