"""Small 2021 tables with terrain, sight and the whole of moving."""

from __future__ import annotations

from typing import Any

from engine_help import Field

from ktsim.geometry.solids import box
from ktsim.killzones.figures import cylinder_figure
from ktsim.killzones.walls import wall_features
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.state import PieceState, Side, milli
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.moving.mover import RouteMover
from ktsim.sight.scene import Feature, Part, Terrain, WallLine

Corner = tuple[float, float, float]
DOLL = cylinder_figure(0.35, 1.25, (1.1, 0.1))


def slab(feature: str, low: Corner, high: Corner, *traits: str, kind: str = "") -> Part:
    """A box that is a part of its own feature."""
    return Part(feature, "body", frozenset(traits), box(low, high), kind)


class LiteTable(Field):
    """A field whose table has terrain. Operatives may be given a level; everybody is a plain cylinder."""

    def __init__(
        self,
        *parts: Part,
        walls: tuple[WallLine, ...] = (),
        zone_rules: frozenset[str] = frozenset(),
        rules: tuple[Rule, ...] = (),
    ) -> None:
        super().__init__(*rules, edition=KT21)
        features = (*(Feature(part.feature, (part,)) for part in parts), *wall_features(walls))
        self.terrain = Terrain(self.board.terrain.board, features, walls, (), zone_rules, "lite")
        self.state.terrain = {f.id: f.initial for f in features if f.initial is not None}
        object.__setattr__(self.board, "terrain", self.terrain)

    def add(self, id: str, side: Side, at: tuple[float, ...], *weapons: Profile, **more: Any) -> LiteTable:  # type: ignore[override]
        super().add(id, side, at[:2], *weapons, **more)  # type: ignore[arg-type]
        self.state.operatives[id].level = milli(at[2]) if len(at) > 2 else 0
        return self

    def barricade(self, at: tuple[float, float], turn: float) -> LiteTable:
        number = len(self.state.pieces) + 1
        piece = PieceState(f"barricade-{number}", "barricade", "red", milli(at[0]), milli(at[1]), 0, milli(turn))
        self.state.pieces[piece.id] = piece
        return self

    def battle(self) -> Any:
        self.table = SightTable(self.terrain, self.cards, RouteMover(), "kt21-lite", lambda card: DOLL)  # type: ignore[assignment]
        return super().battle()
