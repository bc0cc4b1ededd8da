"""Before the battle, in either edition: which operatives a side takes into it, what they are called, and setting them
up wholly within their drop zone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Datacard, Team
from ktsim.rules.engine.decisions import Option, Place, Steps, ask, place_and_turn
from ktsim.rules.engine.operative_events import Joined, SetUp
from ktsim.rules.engine.state import OperativeState, Point, Side, milli


def set_up_operative(battle: Battle, who: OperativeState) -> Steps[None]:
    """Its player chooses where, and how it is turned if that leaves its base as it is."""
    answer = yield from ask(
        Place(
            seat=who.side,
            topic="set up",
            prompt=f"Set up {who.name} wholly within the drop zone.",
            about=who.id,
            refuse=lambda point: refuses_set_up(battle, who, point),
            suggest=lambda rng: suggest_set_up(battle, who, rng),
            can_turn=battle.card(who).base.is_round,
            rule=battle.edition.cites.set_up,
        )
    )
    yield SetUp(who.id, *place_and_turn(answer))


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


def muster(side: Side, ids: Sequence[str], cards: Mapping[str, Datacard]) -> list[Joined]:
    """The operatives with these datacards, by the names a roster gives them; else numbered where several share one."""
    several = Counter(ids)
    seen: Counter[str] = Counter()
    found = []
    for id in ids:
        seen[id] += 1
        card = cards[f"{side}/{id}"]
        number = f" {seen[id]}" if several[id] > 1 else ""
        name = next(iter(card.names[seen[id] - 1 :]), f"{card.name}{number}")
        found.append(Joined(f"{side}-{id}-{seen[id]}", name, side, f"{side}/{id}", card.wounds))
    return found


def copies(team: Team) -> list[Option]:
    """Every operative that can be selected: each datacard as often as its limit and the team's size allow."""
    found = []
    for card in team.cards:
        most = min(card.limit, team.size)
        stats = f'APL {card.apl}, Move {card.move}", Save {card.save}+, Wounds {card.wounds}'
        for number in range(1, most + 1):
            name = f"{card.name} {number}" if most > 1 else card.name
            found.append(Option(f"{card.id}-{number}", f"{name} ({stats})"))
    return found


def usual(team: Team) -> tuple[str, ...]:
    """The roster of the team's file, as keys of :func:`copies`."""
    seen: Counter[str] = Counter()
    found = []
    for id in team.roster:
        seen[id] += 1
        found.append(f"{id}-{seen[id]}")
    return tuple(found)


def card_of(copy: str) -> str:
    """The datacard of a copy."""
    return copy.rpartition("-")[0]
