"""Where things are on the board, as ops ask it: territories, flanks, edges. Levels do not matter for these."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Outline
from ktsim.rules.engine.footprint import Footprint
from ktsim.rules.engine.state import MarkerState, OperativeState, Point, Side, other
from ktsim.sight.scene import EPS

Flank: TypeAlias = Literal["left", "right"]
HALVES: dict[str, Side] = {"objective-2": "red", "objective-3": "blue"}
"""In which half of the board, named as it is drawn, a player's objective marker lies; ``objective-1`` is the centre."""
FLANKS: tuple[Flank, Flank] = ("left", "right")


def is_wholly_in_enemy_territory(battle: Battle, side: Side, what: Footprint) -> bool:
    """Whether a base or marker lies in the territory of the opponent of *side*."""
    return what.is_wholly_inside(battle.territory(other(side)))


def is_near_enemy_drop_zone(battle: Battle, who: OperativeState, reach: float) -> bool:
    """Whether any part of its base is within *reach* of the enemy drop zone."""
    return battle.footprint(who).gap(battle.drop_zone(other(who.side))) <= reach + EPS


def is_played_across(battle: Battle) -> bool:
    """Whether the players' edges are the left and right ones of the board, not the bottom and top ones."""
    (ax, ay), (bx, by) = (_middle(battle.territory(side)) for side in ("red", "blue"))
    return abs(bx - ax) >= abs(by - ay)


def neutral_edge_distance(battle: Battle, point: Point, radius: float) -> float:
    """How far a circle is from the nearer of the two edges that are no player's."""
    width, depth = battle.board.terrain.board
    along, size = (point[1] / 1000, depth) if is_played_across(battle) else (point[0] / 1000, width)
    return min(along, size - along) - radius


def is_wholly_in_flank(battle: Battle, side: Side, flank: Flank, what: Footprint) -> bool:
    """Whether a base lies in the left or right half as *side* sees it, looking from its edge to the enemy's.

    The line between the halves joins the middles of the two players' edges.
    """
    width, depth = battle.board.terrain.board
    mine, theirs = _middle(battle.territory(side)), _middle(battle.territory(other(side)))
    if is_played_across(battle):
        to_the_left = (what.y - depth / 2) * (1 if theirs[0] > mine[0] else -1)
        half_width = what.half_width(0.0, 1.0)
    else:
        to_the_left = (width / 2 - what.x) * (1 if theirs[1] > mine[1] else -1)
        half_width = what.half_width(1.0, 0.0)
    return (to_the_left if flank == "left" else -to_the_left) >= half_width - EPS


def _middle(outline: Outline) -> tuple[float, float]:
    return sum(x for x, _ in outline) / len(outline), sum(y for _, y in outline) / len(outline)


# -- objectives --------------------------------------------------------------------------------------


def objectives(battle: Battle) -> list[MarkerState]:
    """The objective markers, the centre one first."""
    return [marker for marker in battle.state.markers.values() if marker.kind == "objective"]


def objective_owner(battle: Battle, marker: str) -> Side | None:
    """Whose objective it is; nobody's: the centre one. Where it lay at first decides, not where it was carried."""
    half = HALVES.get(marker)
    return None if half is None else battle.half(half)
