"""Battles on small boards with terrain, with equipment and killzone rules in force."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from engine_help import Field

from ktsim.geometry.solids import box
from ktsim.killzones.walls import wall_features
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import open_board
from ktsim.rules.engine.open_table import OpenTable
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import PieceState, milli
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.equipment.register import key_for
from ktsim.rules.kt24.missions import EquippedSkirmish
from ktsim.rules.moving.mover import RouteMover
from ktsim.rules.moving.straight import StraightMover
from ktsim.sight.scene import Feature, Hatchway, Part, Terrain, WallLine

Corner = tuple[float, float, float]
GALLOWDARK = frozenset(
    [
        *("KZ-WALL", "KZ-WALL-ENDS", "KZ-HATCH-CLOSED", "KZ-HATCH-OPEN", "KZ-HATCH-OPERATE", "KZ-HATCH-FIGHT"),
        *("KZ-GUARD", "KZ-GUARD-INTERRUPT", "KZ-CONDENSED"),
    ]
)
VOLKUS = frozenset({"KZ-VOLKUS-CONTROL", "KZ-VOLKUS-CONDENSED", "KZ-VOLKUS-GARRISON", "KZ-VOLKUS-DOORFIGHT"})


def part(feature: str, name: str, low: Corner, high: Corner, *traits: str, kind: str = "") -> Part:
    return Part(feature, name, frozenset(traits), box(low, high), kind)


def terrain(
    *parts: Part, walls: tuple[WallLine, ...] = (), rules: Iterable[str] = (), kinds: dict[str, str] | None = None
) -> Terrain:
    """A 30" by 22" board with these parts."""
    features: dict[str, list[Part]] = {}
    for each in parts:
        features.setdefault(each.feature, []).append(each)
    own = (Feature(id, tuple(found), kind=(kinds or {}).get(id, "")) for id, found in features.items())
    return Terrain((30.0, 22.0), (*own, *wall_features(walls)), walls, (), frozenset(rules))


HALL = (
    WallLine("south", (15, 0), (15, 9)),
    WallLine("hatch", (15, 9), (15, 13), hatchway=Hatchway(1.6, "start", "left")),
    WallLine("north", (15, 13), (15, 22)),
)
"""A wall across the middle; the access point is about (15, 11), its hatch swings to the west from (15, 10.2)."""


def hall(*parts: Part) -> Terrain:
    return terrain(*parts, walls=HALL, rules=GALLOWDARK)


class Ground(Field):
    """A battle on *terrain*, with the killzone's rules and red's equipment *keys* in force."""

    def __init__(self, *keys: str, on: Terrain | None = None, blue: tuple[str, ...] = ()) -> None:
        ground = on or open_board().terrain
        super().__init__(*KT24.rules_of_killzone(ground.rules), terrain=ground, mission=EquippedSkirmish())
        self.board = replace(open_board(), terrain=ground)
        self.state.terrain = {f.id: f.initial for f in ground.features if f.initial is not None}
        self.state.choices = {key_for("red"): ",".join(keys), key_for("blue"): ",".join(blue)}

    def put(self, id: str, piece: str, at: tuple[float, float], turn: float = 0, side: Any = "red") -> Ground:
        x, y = at
        self.state.pieces[id] = PieceState(id, piece, side, milli(x), milli(y), 0, milli(turn))
        return self

    def seen(self) -> Ground:
        """From now on with real sight and moving."""
        self.table = SightTable(self.board.terrain, self.cards, RouteMover())  # type: ignore[assignment]
        return self

    def walked(self) -> Ground:
        """With straight moving among the terrain."""
        self.table = OpenTable(self.board.terrain, self.cards, StraightMover())
        return self

    def open_hatch(self) -> Ground:
        self.state.terrain["hatch"] = "open"
        return self

    @property
    def ready(self) -> Battle:
        return self.battle()
