"""Equipment terrain that just stands there: heavy and light barricades, ladders, razor wire.

What it does is in its parts' traits and kinds: sight and moving know those. The numbers where the sources differ: the
heavy barricade stands wholly within 4" of the drop zone, razor wire costs 1".
"""

from __future__ import annotations

from typing import ClassVar

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.placing import (
    Refuse,
    ask_piece,
    in_the_way,
    leaning_spots,
    near_equipment,
    near_way,
    off_board,
    off_ground,
    out_of,
    piece_shape,
    refuses_terrain,
    set_up_piece,
    surroundings,
)
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import PieceState, Side
from ktsim.rules.engine.table_events import PiecePlaced
from ktsim.rules.kt24.equipment.option import Equipment, SideRule
from ktsim.rules.moving.ground import LEAN

FROM_DROP_ZONE = 4.0
LEAST_HEIGHT = 2.0
"""How tall terrain is that a ladder stands against (inches)."""
FROM_OPENINGS = 1.0


class EquipmentTerrain(Equipment):
    """Pieces of terrain set up one by one."""

    piece: ClassVar[str]

    def rule(self, side: Side) -> Rule:
        return SideRule(side)

    def fresh(self, side: Side, number: int) -> PieceState:
        return PieceState(f"{side}-{self.piece}-{number}", self.piece, side, 0, 0)

    @property
    def refuse(self) -> Refuse:
        return refuses_terrain

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        yield from set_up_piece(battle, self.fresh(side, number), f"{self.name} {number}", self.refuse)


class HeavyBarricade(EquipmentTerrain):
    key, name, id = "heavy-barricade", "Heavy Barricade", "KT24-E-HEAVY-BARRICADE"
    text = 'One piece of Heavy terrain wholly within 4" of your drop zone.'
    items, piece = 1, "heavy-barricade"

    @property
    def refuse(self) -> Refuse:
        return refuses_heavy


class LightBarricades(EquipmentTerrain):
    key, name, id = "light-barricades", "Light Barricades", "KT24-E-LIGHT-BARRICADES"
    text = "Two pieces of Light terrain in your territory."
    items, piece = 2, "light-barricade"


class RazorWire(EquipmentTerrain):
    key, name, id = "razor-wire", "Razor Wire", "KT24-E-RAZOR-WIRE"
    text = 'Exposed terrain in your territory; crossing within 1" of it costs 1" more.'
    items, piece = 1, "razor-wire"


class Ladders(EquipmentTerrain):
    key, name, id = "ladders", "Ladders", "KT24-E-LADDERS"
    text = 'Two ladders against terrain in your territory: once per action a climb on one counts as 1".'
    items, piece = 2, "ladder"

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        piece = self.fresh(side, number)
        prompt = f"Set up ladder {number} upright against terrain."
        found = yield from ask_piece(
            battle, piece, prompt, refuses_ladder, lambda rng: leaning_spots(battle, piece, rng)
        )
        if found is None:
            yield Told("{0} finds no place to set up a ladder.", self.id, (side,))
        else:
            yield PiecePlaced(found)


def refuses_heavy(battle: Battle, piece: PieceState) -> str | None:
    shape = piece_shape(piece)
    if not shape.is_wholly_within(battle.drop_zone(piece.side), FROM_DROP_ZONE):
        return f'It would not be wholly within {FROM_DROP_ZONE:g}" of its drop zone.'
    return (
        off_board(battle, shape)
        or off_ground(battle, shape)
        or near_equipment(battle, shape)
        or near_way(battle, shape)
        or in_the_way(battle, shape)
    )


def refuses_ladder(battle: Battle, piece: PieceState) -> str | None:
    """Upright against terrain at least 2" tall, more than 1" from doors and access points."""
    whole = piece_shape(piece)
    foot = piece_shape(piece, LEAST_HEIGHT)
    around = surroundings(battle)
    refused = (
        off_board(battle, whole)
        or out_of(battle.territory(piece.side), whole, "its own territory")
        or off_ground(battle, whole)
        or near_equipment(battle, whole)
    )
    if refused:
        return refused
    if (near := around.nearest_opening(whole, FROM_OPENINGS)) is not None:
        return f'It would be within {FROM_OPENINGS:g}" of {near}.'
    if around.leans_on(foot, LEAN, LEAST_HEIGHT) is None:
        return f'It would not stand against terrain at least {LEAST_HEIGHT:g}" tall.'
    return in_the_way(battle, foot)
