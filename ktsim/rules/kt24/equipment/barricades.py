"""Equipment terrain: heavy and light barricades, ladders and razor wire, which just stand there, and the Portable
Barricade (KT24-E-PORTABLE-BARRICADE: Light, Protective, Portable), which is moved along.

What terrain does is in its parts' traits and kinds: sight and moving know those. Where the sources differ: the heavy
barricade stands wholly within 4" of the drop zone, razor wire costs 1".

Our readings: an operative is connected while its base touches the portable barricade (bases are put down by hand, so
0.05" is touching); any operative connected to it may move with it; it is put down on the operative's level, which is
the floor (or Vantage where the killzone lets equipment stand there), clear of terrain, operatives and markers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import cos, radians, sin
from random import Random
from typing import ClassVar

from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.placed import local_outline
from ktsim.rules.engine.placing import (
    TURNS,
    Refuse,
    ask_piece,
    base_shape,
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
from ktsim.rules.engine.state import OperativeState, PieceState, Side, milli
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.engine.table_events import PieceLifted, PiecePlaced
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.equipment.option import Equipment, SideRule
from ktsim.rules.kt24.moves import Reposition
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
        what = self.piece.replace("-", " ")
        name = f"{what} {number} of {self.items}" if self.items > 1 else f"the {what}"
        yield from set_up_piece(battle, self.fresh(side, number), name, self.refuse)


class HeavyBarricade(EquipmentTerrain):
    key, name, id = "heavy-barricade", "Heavy Barricade", "KT24-E-HEAVY-BARRICADE"
    text = 'One piece of Heavy terrain wholly within 4" of your drop zone.'
    worth = 0.25
    items, piece = 1, "heavy-barricade"

    @property
    def refuse(self) -> Refuse:
        return refuses_heavy


class LightBarricades(EquipmentTerrain):
    key, name, id = "light-barricades", "Light Barricades", "KT24-E-LIGHT-BARRICADES"
    text = "Two pieces of Light terrain in your territory."
    worth = 0.3
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


TOUCHING = 0.05
CLEAR = 0.02
"""How far from a base the barricade is put when a place is looked for (inches)."""
DIRECTIONS = 3
"""Degrees between the directions in which places are looked for around an operative."""
SLOWER = 2
BEST_SAVE = 2


class PortableBarricade(EquipmentTerrain):
    key, name, id = "portable-barricade", "Portable Barricade", "KT24-E-PORTABLE-BARRICADE"
    text = "Light terrain that improves the Save of an operative connected to it, and may be moved along."
    items, piece = 1, "portable-barricade"

    def rule(self, side: Side) -> Rule:
        return PortableRule(side)


class PortableRule(SideRule):
    id, name = "KT24-E-PORTABLE-BARRICADE", "Portable Barricade"

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (MoveWithBarricade(),)

    def save_in_cover(
        self, battle: Battle, target: OperativeState, cover_from: Sequence[str], number: Reasoned
    ) -> Reasoned:
        """Protective: improved by 1, to 2+ at best, while in cover from this barricade."""
        own = [piece.id for piece in barricades(battle) if piece.side == self.side]
        if not any(part.split("/")[0] in own for part in cover_from):
            return number
        return number.to(max(BEST_SAVE, number.value - 1), self.id, "Protective")


def barricades(battle: Battle) -> list[PieceState]:
    return [piece for piece in battle.state.pieces.values() if piece.piece == PortableBarricade.piece]


def is_connected(battle: Battle, who: OperativeState, piece: PieceState) -> bool:
    return who.level == piece.level and base_shape(battle, who).is_within(piece_shape(piece), TOUCHING)


class MoveWithBarricade(Reposition):
    name, id = "Move with Barricade", "KT24-E-PORTABLE-BARRICADE"
    counts_as = "Reposition"

    def connected(self, battle: Battle, who: OperativeState) -> PieceState | None:
        return next((piece for piece in barricades(battle) if is_connected(battle, who, piece)), None)

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if self.connected(battle, who) is None:
            return f"{self.name}: not connected to a portable barricade."
        return super().own_refusal(battle, who)

    def request(self, battle: Battle, who: OperativeState) -> MoveRequest:
        """A shorter distance, not a changed Move: the least Move there is does not apply to it."""
        return MoveRequest(who.id, self.name, max(0, battle.move(who).value - SLOWER), can_climb=False)

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        piece = self.connected(battle, who)
        if piece is None:
            raise Impossible("not connected to a portable barricade")
        offset = (piece.x - who.x, piece.y - who.y)
        yield PieceLifted(piece.id)
        yield from super().perform(battle, who)

        def refuse(battle: Battle, put: PieceState) -> str | None:
            if not is_connected(battle, who, put):
                return f"It would not be connected to {who.name}."
            shape = piece_shape(put)
            return (
                off_board(battle, shape)
                or off_ground(battle, shape)
                or near_equipment(battle, shape)
                or near_way(battle, shape)
                or in_the_way(battle, shape)
            )

        def tried(rng: Random) -> Iterator[PieceState]:
            yield replace(piece, x=who.x + offset[0], y=who.y + offset[1], level=who.level)
            yield from around(battle, who, piece, rng)

        held = replace(piece, side=who.side, level=who.level)
        prompt = f"Put {battle.name(piece.id)} down connected to {who.name}."
        found = yield from ask_piece(battle, held, prompt, refuse, tried)
        if found is None:
            told = "{0} cannot be set down connected to {1} and stays off the table."
            yield Told(told, self.id, (piece.id, who.id))
        else:
            yield PiecePlaced(replace(found, side=piece.side))


def around(battle: Battle, who: OperativeState, piece: PieceState, rng: Random) -> Iterator[PieceState]:
    """Places at which the barricade stands against an operative: first with a face, then all around it."""
    depth = float(local_outline(piece.piece)[:, 1].max())
    away = battle.table.radius(who) + depth + CLEAR
    faces = [(turn, side, shift) for turn in TURNS for side in (-1, 1) for shift in (0.0, -0.4, 0.4)]
    rng.shuffle(faces)
    for turn, side, shift in faces:
        along, across = (cos(radians(turn)), sin(radians(turn))), (-sin(radians(turn)), cos(radians(turn)))
        x = who.x + milli(shift * along[0] + side * away * across[0])
        y = who.y + milli(shift * along[1] + side * away * across[1])
        yield replace(piece, x=x, y=y, level=who.level, turn=1000 * turn)
    for turn in TURNS:
        for angle in range(0, 360, DIRECTIONS):
            yield beside(battle, who, replace(piece, level=who.level, turn=1000 * turn), radians(angle))


def beside(battle: Battle, who: OperativeState, piece: PieceState, angle: float) -> PieceState:
    """The barricade, turned as it is, moved off an operative's middle in one direction until it is just clear of it."""
    base = base_shape(battle, who)

    def off(distance: int) -> PieceState:
        return replace(piece, x=who.x + round(distance * cos(angle)), y=who.y + round(distance * sin(angle)))

    low, high = 0, milli(2 * battle.table.radius(who) + 2 * float(abs(local_outline(piece.piece)).max()) + 1)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if base.is_within(piece_shape(off(middle)), CLEAR) else (low, middle)
    return off(high)
