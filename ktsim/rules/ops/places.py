"""Where things are on the board, as ops ask it: territories, flanks, edges. Levels do not matter for these."""

from __future__ import annotations

from typing import Literal, TypeAlias

from ktsim.rules.battle import Battle
from ktsim.rules.board import Outline, distance_to_segment, is_inside, is_wholly_inside
from ktsim.rules.decisions import Point, Side, other
from ktsim.rules.state import MarkerState, OperativeState
from ktsim.sight.scene import EPS

Flank: TypeAlias = Literal["left", "right"]
HALVES: dict[str, Side] = {"objective-2": "red", "objective-3": "blue"}
"""In which half of the board, named as it is drawn, a player's objective marker lies; ``objective-1`` is the centre."""
FLANKS: tuple[Flank, Flank] = ("left", "right")


def is_wholly_in_enemy_territory(battle: Battle, side: Side, point: Point, radius: float) -> bool:
    """Whether a circle lies in the territory of the opponent of *side*."""
    return is_wholly_inside(battle.territory(other(side)), point[0] / 1000, point[1] / 1000, radius)


def gap(outline: Outline, point: Point, radius: float) -> float:
    """How far a circle is from a region of the floor; 0 when they meet."""
    x, y = point[0] / 1000, point[1] / 1000
    if is_inside(outline, x, y):
        return 0.0
    edges = zip(outline, (*outline[1:], outline[0]), strict=True)
    return max(0.0, min(distance_to_segment(x, y, a, b) for a, b in edges) - radius)


def is_near_enemy_drop_zone(battle: Battle, who: OperativeState, reach: float) -> bool:
    """Whether any part of its base is within *reach* of the enemy drop zone."""
    zone = battle.drop_zone(other(who.side))
    return gap(zone, who.point, battle.table.radius(who)) <= reach + EPS


def is_played_across(battle: Battle) -> bool:
    """Whether the players' edges are the left and right ones of the board, not the bottom and top ones."""
    (ax, ay), (bx, by) = (_middle(battle.territory(side)) for side in ("red", "blue"))
    return abs(bx - ax) >= abs(by - ay)


def neutral_edge_distance(battle: Battle, point: Point, radius: float) -> float:
    """How far a circle is from the nearer of the two edges that are no player's."""
    width, depth = battle.board.terrain.board
    along, size = (point[1] / 1000, depth) if is_played_across(battle) else (point[0] / 1000, width)
    return min(along, size - along) - radius


def is_wholly_in_flank(battle: Battle, side: Side, flank: Flank, point: Point, radius: float) -> bool:
    """Whether a circle lies in the left or right half as *side* sees it, looking from its edge to the enemy's.

    The line between the halves joins the middles of the two players' edges.
    """
    width, depth = battle.board.terrain.board
    mine, theirs = _middle(battle.territory(side)), _middle(battle.territory(other(side)))
    if is_played_across(battle):
        to_the_left = (point[1] / 1000 - depth / 2) * (1 if theirs[0] > mine[0] else -1)
    else:
        to_the_left = (width / 2 - point[0] / 1000) * (1 if theirs[1] > mine[1] else -1)
    return (to_the_left if flank == "left" else -to_the_left) >= radius - EPS


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
