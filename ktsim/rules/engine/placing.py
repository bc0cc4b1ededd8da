"""Where equipment may be set up, as refusals in words, and asking the player for it.

Our readings: nothing is set up in a hazardous area or touching it, in terrain, on an operative or on a marker;
KZ-BHETA-EQUIP lets everything stand on Vantage that has to be on the floor elsewhere. An item for which there is no
legal place is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache
from math import atan2, degrees
from random import Random

import numpy as np

from ktsim.geometry.plane import Outline
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Place, Steps, ask, pick
from ktsim.rules.engine.events import Told, capital
from ktsim.rules.engine.placed import height_of, outline_of
from ktsim.rules.engine.shapes import Prism, Surroundings
from ktsim.rules.engine.state import OperativeState, PieceState, Point, Side, inches, milli
from ktsim.rules.engine.table_events import PiecePlaced
from ktsim.sight.pads import pads_of
from ktsim.sight.scene import EPS

TURNS = (0, 45, 90, 135)
"""Degrees; all pieces look the same after half a turn."""

APART = 2.0
"""How far equipment terrain keeps from other equipment terrain and from ways through (inches, "more than")."""

ON_VANTAGE = "KZ-BHETA-EQUIP"
TRIES, STEP = 120, 500
"""How many random places are tried before a grid of so many thousandths of an inch is searched."""

TALL = 1.0
"""How far above its base an operative keeps things away (inches)."""

Refuse = Callable[["Battle", PieceState], "str | None"]


def piece_shape(piece: PieceState, height: float | None = None) -> Prism:
    low = inches(piece.level)
    return Prism(outline_of(piece), low, low + (height_of(piece.piece) if height is None else height))


def surroundings(battle: Battle) -> Surroundings:
    """The board's own terrain; pieces are asked one by one."""
    return Surroundings.of(battle.board.terrain, battle.state.terrain)


# -- conditions --------------------------------------------------------------------------------------


def off_board(battle: Battle, shape: Prism) -> str | None:
    width, depth = battle.board.terrain.board
    low, high = shape.outline.min(axis=0), shape.outline.max(axis=0)
    inside = low.min() >= 0 and high[0] <= width and high[1] <= depth
    return None if inside else "It would not be on the board."


def off_ground(battle: Battle, shape: Prism) -> str | None:
    """On the floor; on Vantage where the killzone allows it."""
    if shape.low > 0 or shape.low < 0:
        if ON_VANTAGE not in battle.board.terrain.rules:
            return "It is set up on the floor."
        return None if surroundings(battle).supports(shape) else "It would not stand wholly on Vantage."
    for area in battle.board.terrain.areas:
        if area.kind == "hazardous" and shape.from_region(area.outline) <= EPS:
            return f"It would be in the hazardous area {area.id}."
    return None


def in_the_way(battle: Battle, shape: Prism, stands_on: str = "") -> str | None:
    """Terrain, operatives and markers where it would stand; it may stand on terrain with the trait *stands_on*."""
    for who in battle.state.operatives.values():
        if who.is_in_killzone:
            level = inches(who.level)
            is_level = shape.low <= level + TALL and shape.high >= level
            # As the mover has it, who would not let the operative stand there then.
            if is_level and stands_in(battle, who, shape):
                return f"{who.name} stands there."
    for marker in battle.state.markers.values():
        lying = Prism.disc(inches(marker.x), inches(marker.y), inches(marker.level), inches(marker.radius))
        if marker.carrier is None and shape.is_within(lying, 0):
            return capital(f"{battle.name(marker.id)} lies there.")
    for piece in battle.state.pieces.values():
        if shape.is_within(piece_shape(piece), 0):
            return capital(f"{battle.name(piece.id)} stands there.")
    met = surroundings(battle).met(shape, stands_on)
    return None if met is None else f"It would be in {met}."


def refuses_lying(battle: Battle, point: Point, radius: int) -> str | None:
    """Why a marker cannot lie at a point of the table: beyond its edge, in the air, in terrain."""
    width, depth = battle.board.terrain.board
    if not (radius <= point[0] <= milli(width) - radius and radius <= point[1] <= milli(depth) - radius):
        return "The marker would not be on the board."
    shape = Prism.disc(inches(point[0]), inches(point[1]), inches(point[2]), inches(radius))
    around = Surroundings.of(battle.table.terrain_in(battle.state), battle.state.terrain)
    if point[2] != 0 and not around.supports(shape):
        return "The marker would lie neither on the floor nor on Vantage."
    met = around.met(shape)
    return None if met is None else f"The marker would be in {met}."


def is_seen_at(battle: Battle, who: OperativeState, point: Point, radius: int) -> bool:
    """Whether something round at a point is visible to *who*, or on Vantage terrain of a visible terrain feature."""
    state, table = battle.state, battle.table
    if table.sees_place(state, who.id, point, inches(radius)):
        return True
    shape = Prism.disc(inches(point[0]), inches(point[1]), inches(point[2]), inches(radius))
    around = Surroundings.of(table.terrain_in(state), state.terrain)
    features = {} if point[2] == 0 else {part.feature: None for part in around.parts_under(shape)}
    return any(table.sees_feature(state, who.id, feature) for feature in features)


def is_under_vantage(battle: Battle, point: Point, radius: int) -> bool:
    """Whether Vantage terrain is anywhere above something round at a point."""
    x, y, level = (inches(each) for each in point)
    return surroundings(battle).is_above(Prism.disc(x, y, level, inches(radius)), "vantage")


def out_of(zone: Outline, shape: Prism, name: str) -> str | None:
    return None if shape.is_wholly_in(zone) else f"It would not be wholly within {name}."


def near_equipment(battle: Battle, shape: Prism) -> str | None:
    """Other equipment terrain, and what it keeps off as well."""
    for piece in battle.state.pieces.values():
        if shape.is_within(piece_shape(piece), APART):
            return f'It would be within {APART:g}" of {battle.name(piece.id)}.'
    return near_pad(battle, shape)


def near_pad(battle: Battle, shape: Prism) -> str | None:
    """KZ-TOMB-PAD: equipment terrain keeps off teleport pads as it does off other equipment."""
    for pad in pads_of(battle.board.terrain):
        if shape.is_within(Prism(pad.outline, pad.part.bottom, pad.level), APART):
            return f'It would be within {APART:g}" of {battle.name(pad.id)}.'
    return None


def near_way(battle: Battle, shape: Prism) -> str | None:
    """Access points and Accessible terrain; KZ-BHETA-EQUIP lifts the latter."""
    around = surroundings(battle)
    is_lifted = ON_VANTAGE in battle.board.terrain.rules
    found = around.nearest_access(shape, APART) if is_lifted else around.nearest_way(shape, APART)
    return None if found is None else f'It would be within {APART:g}" of {found}.'


def refuses_terrain(battle: Battle, piece: PieceState) -> str | None:
    """What equipment terrain needs unless its own text says otherwise."""
    shape = piece_shape(piece)
    return (
        off_board(battle, shape)
        or out_of(battle.territory(piece.side), shape, "its own territory")
        or off_ground(battle, shape)
        or near_equipment(battle, shape)
        or near_way(battle, shape)
        or in_the_way(battle, shape)
    )


# -- asking ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PuttingDown:
    """What the questions where a piece goes and how it is turned are about: the piece, and what refuses it."""

    piece: PieceState
    refuse: Callable[[PieceState], str | None]

    def put(self, point: Point, turn: int) -> PieceState:
        """The piece at *point*, turned by *turn* degrees."""
        x, y, level = point
        return replace(self.piece, x=x, y=y, level=level, turn=1000 * turn)

    def refusals(self, point: Point) -> dict[int, str | None]:
        """Why it cannot stand at *point*, for each way of turning it."""
        return {turn: self.refuse(self.put(point, turn)) for turn in TURNS}


def set_up_piece(
    battle: Battle, piece: PieceState, name: str, refuse: Refuse, zone: Outline | None = None, rule: str = "KT24-DEPLOY"
) -> Steps[None]:
    """Ask where *piece* is set up and how it is turned. Places are looked for in *zone*, or in the territory."""
    prompt = f"Set up {name}."
    found = yield from ask_piece(battle, piece, prompt, refuse, lambda rng: spots(battle, piece, rng, zone))
    if found is None:
        yield Told(f"{{0}} finds no place to set up {name}.", rule, (piece.side,))
    else:
        yield PiecePlaced(found)


def ask_piece(
    battle: Battle,
    piece: PieceState,
    prompt: str,
    refuse: Refuse,
    tried: Callable[[Random], Iterator[PieceState]],
) -> Steps[PieceState | None]:
    """Where the piece goes, and then how it is turned; None when no legal place was found."""

    @cache  # nothing changes on the table while the question is open
    def refused(put: PieceState) -> str | None:
        return refuse(battle, put)

    putting = PuttingDown(piece, refused)

    def why_not(point: Point) -> str | None:
        is_allowed = any(refused(putting.put(point, turn)) is None for turn in TURNS)
        return None if is_allowed else refused(putting.put(point, TURNS[0]))

    def first(rng: Random) -> PieceState | None:
        return next((each for each in tried(rng) if refuse(battle, each) is None), None)

    default = first(Random(0))
    if default is None:
        return None
    fallback = default
    point = yield from ask(
        Place(
            seat=piece.side,
            topic="place item",
            prompt=prompt,
            default=default.point,
            about=putting,
            refuse=why_not,
            suggest=lambda rng: (first(rng) or fallback).point,
            rule=battle.edition.cites.set_up,
        )
    )
    options = [Option(str(turn), f"Turned {turn} degrees", why) for turn, why in putting.refusals(point).items()]
    values = {str(turn): turn for turn in TURNS}
    there = replace(putting, piece=putting.put(point, 0))
    prompt = f"How is {battle.name(piece.id)} turned?"
    turn = yield from pick(piece.side, "turn", prompt, options, values, about=there)
    return putting.put(point, turn)


def spots(battle: Battle, piece: PieceState, rng: Random, zone: Outline | None = None) -> Iterator[PieceState]:
    """Places in *zone* (the side's territory) worth trying: random ones, then a grid."""
    zone = battle.territory(piece.side) if zone is None else zone
    levels = levels_of(battle)
    for x, y in _scattered(zone, rng):
        yield replace(piece, x=x, y=y, level=rng.choice(levels), turn=1000 * rng.choice(TURNS))
    for x, y in _grid(zone):
        for level in levels:
            for turn in TURNS:
                yield replace(piece, x=x, y=y, level=level, turn=1000 * turn)


def leaning_spots(battle: Battle, piece: PieceState, rng: Random) -> Iterator[PieceState]:
    """Places where a piece stands against tall terrain."""
    faces = surroundings(battle).faces(APART)
    back = abs(float(outline_of(replace(piece, x=0, y=0, turn=0))[:, 1].min())) + 0.02
    for number in rng.sample(range(len(faces)), min(len(faces), 4 * TRIES)):
        a, b, c = faces[number]
        normal = np.cross(b - a, c - a)[:2]
        normal = normal / np.linalg.norm(normal)
        share = rng.uniform(0.2, 0.8)
        long = max(((a, b), (b, c), (c, a)), key=lambda edge: float(np.linalg.norm((edge[1] - edge[0])[:2])))
        foot = (1 - share) * long[0][:2] + share * long[1][:2] + back * normal
        turn = 45 * round((degrees(atan2(normal[1], normal[0])) - 90) / 45) % 180
        yield replace(piece, x=milli(float(foot[0])), y=milli(float(foot[1])), turn=1000 * turn)


def set_up_marker(
    battle: Battle, side: Side, name: str, radius: int, refuse: Callable[[Point], str | None]
) -> Steps[Point | None]:
    """Ask where a marker is set up; None when no legal place was found."""

    def tried(rng: Random) -> Iterator[Point]:
        zone = battle.territory(side)
        levels = levels_of(battle)
        for x, y in _scattered(zone, rng):
            yield (x, y, rng.choice(levels))
        yield from ((x, y, level) for x, y in _grid(zone) for level in levels)

    def first(rng: Random) -> Point | None:
        return next((point for point in tried(rng) if refuse(point) is None), None)

    default = first(Random(0))
    if default is None:
        yield Told(f"{{0}} finds no place to set up {name}.", "KT24-DEPLOY", (side,))
        return None
    fallback = default
    return (
        yield from ask(
            Place(
                seat=side,
                topic="place item",
                prompt=f"Set up {name} in your territory.",
                default=default,
                refuse=refuse,
                suggest=lambda rng: first(rng) or fallback,
                rule=battle.edition.cites.set_up,
            )
        )
    )


def refuses_marker(battle: Battle, side: Side, radius: int, point: Point) -> str | None:
    """What every equipment marker needs: wholly in its own territory, where operatives can stand by it."""
    shape = Prism.disc(inches(point[0]), inches(point[1]), inches(point[2]), inches(radius))
    return (
        off_board(battle, shape)
        or out_of(battle.territory(side), shape, "its own territory")
        or off_ground(battle, shape)
        or in_the_way(battle, shape)
    )


def levels_of(battle: Battle) -> list[int]:
    """The levels equipment may be set up on."""
    if ON_VANTAGE not in battle.board.terrain.rules:
        return [0]
    parts = surroundings(battle).parts
    return [0, *sorted({milli(part.top) for part in parts if "vantage" in part.traits})]


def _scattered(zone: Outline, rng: Random) -> Iterator[tuple[int, int]]:
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    for _ in range(TRIES):
        yield milli(rng.uniform(min(xs), max(xs))), milli(rng.uniform(min(ys), max(ys)))


def _grid(zone: Outline) -> Iterator[tuple[int, int]]:
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    for x in range(milli(min(xs)), milli(max(xs)) + 1, STEP):
        for y in range(milli(min(ys)), milli(max(ys)) + 1, STEP):
            yield x, y


HAIR = 0.002
"""Ovals are drawn in by this much, so that what they touch they do not meet."""


def base_shape(battle: Battle, who: OperativeState, shrunk: float = 0.0) -> Prism:
    """Around an operative's base as the table measures it, drawn in by *shrunk*."""
    base, (x, y, level) = battle.card(who).base, (inches(each) for each in who.point)
    if base.is_round or not battle.table.measures_ovals:
        return Prism.disc(x, y, level, battle.table.radius(who) - shrunk)
    return Prism.oval(base, x, y, level, who.turn / 1000, shrunk)


def stands_in(battle: Battle, who: OperativeState, shape: Prism) -> bool:
    """Whether a base overlaps the shape seen from above, as the mover measures it; touching it does not count."""
    if battle.card(who).base.is_round or not battle.table.measures_ovals:
        return shape.overlaps(inches(who.x), inches(who.y), battle.table.radius(who))
    base = base_shape(battle, who, shrunk=HAIR)
    return shape.is_within(replace(base, low=shape.low, high=shape.high), 0)
