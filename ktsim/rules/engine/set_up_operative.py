"""An operative set up before the battle, in either edition: wholly within its drop zone."""

from __future__ import annotations

from random import Random

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Place, Steps, ask
from ktsim.rules.engine.operative_events import SetUp
from ktsim.rules.engine.state import OperativeState, Point, milli


def set_up_operative(battle: Battle, who: OperativeState) -> Steps[None]:
    """Its player chooses where."""
    point = yield from ask(
        Place(
            seat=who.side,
            topic="set up",
            prompt=f"Set up {who.name} wholly within the drop zone.",
            about=who.id,
            refuse=lambda point: refuses_set_up(battle, who, point),
            suggest=lambda rng: suggest_set_up(battle, who, rng),
        )
    )
    yield SetUp(who.id, point)


def refuses_set_up(battle: Battle, who: OperativeState, point: Point) -> str | None:
    if not battle.footprint(who, point).is_wholly_inside(battle.drop_zone(who.side)):
        return f"{who.name} would not be wholly within the drop zone."
    return battle.table.mover.refuses_to_stand(battle.table, battle.state, who.id, point)


def suggest_set_up(battle: Battle, who: OperativeState, rng: Random) -> Point:
    """A free place in the drop zone: random first, then the first of a fine grid."""
    zone = battle.drop_zone(who.side)
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    for _ in range(60):
        point = (milli(rng.uniform(min(xs), max(xs))), milli(rng.uniform(min(ys), max(ys))), 0)
        if refuses_set_up(battle, who, point) is None:
            return point
    for x in range(milli(min(xs)), milli(max(xs)), 250):
        for y in range(milli(min(ys)), milli(max(ys)), 250):
            if refuses_set_up(battle, who, (x, y, 0)) is None:
                return (x, y, 0)
    raise ValueError(f"the drop zone of {who.side} has no room left for {who.name}")


def lots(size: int) -> tuple[int, int, int]:
    """KT24-DEPLOY: a team set up in three lots, as equal as possible, the larger ones first."""
    return size // 3 + (size % 3 > 0), size // 3 + (size % 3 > 1), size // 3
