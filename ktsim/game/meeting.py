"""Random play in which both sides make for one place and meet there: what only a meeting brings about.

The place is an opening (a hatchway, a door) or an objective marker. One side keeps it, on guard where the killzone
knows that; the other comes for whoever stands there.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import cancelled
from ktsim.game.tinkerer import BEYOND, CLOSE, Brawler
from ktsim.game.ways import beside, openings, way_to
from ktsim.rules.battle import Battle
from ktsim.rules.board import length
from ktsim.rules.decisions import SIDES, Decision, Path, Pick, Place, Point, Side, Walk, other
from ktsim.rules.killzone.guard import is_on_guard
from ktsim.rules.killzone.openings import Opening, hatchway_opening, hatchways, is_open
from ktsim.rules.state import OperativeState, inches
from ktsim.rules.table import CONTROL_RANGE, MoveRequest

MOVES = ("Reposition", "Normal Move", "Dash")
SHOTS = ("Shoot", "Overwatch")
TRIES = 6
"""How many places of the drop zone are looked at for the one nearest to the meeting."""
FROM_MARKER = 0.9
"""How far from the middle of a marker a base ends, to contest it with room for others."""
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))


@dataclass(frozen=True)
class Spot:
    """Where to meet: an opening, or a marker's place; and which side keeps it."""

    keeper: Side
    centre: tuple[float, float]
    opening: Opening | None = None
    is_left: bool = False
    """On which side of the opening the keepers stand."""


class Meeting(Brawler):
    """It thinks of nothing but the place and whoever is there."""

    AT = 2.0
    """How near (inches) one is at the place."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self._spot: Spot | None = None

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if isinstance(decision, Pick) and decision.topic in ("ploy", "gambit", "interrupt", "hatch", "counteract"):
            return self._choose(decision, game)
        return super().answer(decision, game)

    # -- where ---------------------------------------------------------------------------------------

    def spot(self, battle: Battle) -> Spot:
        """The place of this battle, chosen when it is first asked for."""
        if self._spot is None:
            keeper = self._rng.choice(SIDES)
            ways = openings(battle)
            if ways and self._rng.random() < 0.7:
                self._spot = self._at_opening(battle, keeper, ways)
            else:
                self._spot = self._at_marker(battle, keeper)
        return self._spot

    def _at_opening(self, battle: Battle, keeper: Side, ways: list[Opening]) -> Spot:
        """One of the openings between the two sides, the middlemost likely."""
        here, there = (middle(battle, side) for side in (keeper, other(keeper)))

        def far(way: Opening, is_left: bool) -> float:
            left, right = ((inches(x), inches(y)) for x, y, _ in beside(way, BEYOND))
            mine, theirs = (left, right) if is_left else (right, left)
            return max(apart(here, mine), apart(there, theirs))

        both = product(range(len(ways)), (True, False))
        found = sorted((far(ways[number], is_left), number, is_left) for number, is_left in both)
        _, number, is_left = self._rng.choice(found[:4])
        return Spot(keeper, ways[number].centre, ways[number], is_left)

    def _at_marker(self, battle: Battle, keeper: Side) -> Spot:
        objectives = [m for m in battle.state.markers.values() if m.kind == "objective" and m.level == 0]
        if not objectives:
            width, depth = battle.board.terrain.board
            return Spot(keeper, (width / 2, depth / 2))
        zones = [middle(battle, side) for side in SIDES]
        objectives.sort(key=lambda m: max(apart(zone, (inches(m.x), inches(m.y))) for zone in zones))
        chosen = self._rng.choice(objectives[:2])
        return Spot(keeper, (inches(chosen.x), inches(chosen.y)))

    def _goals(self, game: Game, who: OperativeState) -> list[Point]:
        """Where it would stand, the best first: keepers touching an opening, others just out of their reach."""
        spot = self.spot(game.battle)
        radius = game.battle.table.radius(who)
        if spot.opening is not None:
            is_keeper = who.side == spot.keeper
            left = spot.is_left == is_keeper
            found = []
            for away in (CLOSE, BEYOND) if is_keeper else (BEYOND, CLOSE):
                found.append(beside(spot.opening, radius + away)[0 if left else 1])
            return found
        away = 1000 * (radius + FROM_MARKER)
        x, y = 1000 * spot.centre[0], 1000 * spot.centre[1]
        sides = sorted(AROUND, key=lambda step: length(x + away * step[0] - who.x, y + away * step[1] - who.y))
        return [(int(x + away * dx), int(y + away * dy), 0) for dx, dy in sides]

    def _set_up(self, decision: Place, game: Game) -> Point:
        """The nearest of a few places."""
        x, y = self.spot(game.battle).centre
        found: list[Point] = [decision.sample(self._rng) for _ in range(TRIES)]
        return min(found, key=lambda point: length(point[0] - 1000 * x, point[1] - 1000 * y))

    def _walk(self, decision: Walk, game: Game) -> Path:
        who = game.state.operatives[decision.operative]
        request = decision.about
        if isinstance(request, MoveRequest) and request.ends_in_control:
            suggested: Path = decision.sample(self._rng)
            return suggested
        for goal in self._goals(game, who):
            path = way_to(game.battle, who, goal, decision.allowance, opens=True)
            while path and path[-1] != who.point:
                if decision.check(path) is None:
                    return path
                path = path[:-1]
        return super()._walk(decision, game)

    # -- what ----------------------------------------------------------------------------------------

    def _choose(self, decision: Pick, game: Game) -> str:
        keys = decision.open_keys
        if decision.topic == "hatch":
            shut = [key for key in keys if game.state.terrain.get(key) == "closed"]
            return self._rng.choice(shut or keys)
        if decision.topic == "gambit":
            ops = [o.key for o in decision.options if o.refusal is None and o.rule.startswith("KT24-OP-")]
            if ops or self._rng.random() < 0.4 or "pass" not in keys:
                return self._rng.choice(ops or keys)
            return "pass"  # CP are kept for the firefight
        able = [key for key in keys if key not in ("no", "none")]
        if decision.topic == "interrupt":
            close = [key for key in able if not key.endswith(SHOTS) or "Point-blank" in key]
            able = close or (able if self._rng.random() < 0.25 else [])
        return self._rng.choice(able) if able else decision.sample(self._rng) if "no" not in keys else "no"

    def _pick(self, decision: Pick, game: Game) -> str:
        if decision.topic != "action" or not isinstance(decision.about, str):
            return super()._pick(decision, game)
        who = game.state.operatives[decision.about]
        foiled = cancelled(game)
        able = [option for option in decision.options if option.refusal is None]
        keys = [option.key for option in able if option.key not in ("pass", *foiled)]
        for wanted in self._wishes(game, who, [o.key for o in able if o.rule.startswith("KT24-OP-")]):
            if found := [key for key in keys if key in wanted]:
                return self._rng.choice(found)
        return super()._pick(decision, game)

    def _wishes(self, game: Game, who: OperativeState, ops: list[str]) -> list[list[str]]:
        """Actions by urgency."""
        battle, state = game.battle, game.state
        spot = self.spot(battle)
        is_keeper = who.side == spot.keeper
        gap = min((battle.table.distance(state, who.id, e.id) for e in state.enemies(who.id)), default=99.0)
        is_there = apart((inches(who.x), inches(who.y)), spot.centre) <= self.AT + battle.table.radius(who)
        chance = self._rng.random
        shut = any(
            hatchway_opening(line).gap(battle, who) <= CONTROL_RANGE
            for line in hatchways(battle)
            if not is_open(battle, line)
        )
        return [
            ["Hatchway Fight", "Door Fight"],
            ["Fight"],
            ops if chance() < 0.7 else [],
            ["Operate Hatch"] if shut and chance() < 0.8 else [],
            ["Charge"] if not is_keeper and gap <= self.CHARGE and chance() < 0.7 else [],
            ["Shoot"] if gap <= self.NEAR and chance() < 0.3 else [],
            [] if is_there else list(MOVES),
            ["Guard"] if is_there and not is_on_guard(who) else [],
            ["Shoot", "Charge"] if is_there and chance() < 0.5 else [],
        ]


def middle(battle: Battle, side: Side) -> tuple[float, float]:
    """The middle of a drop zone's corners."""
    zone = battle.drop_zone(side)
    return sum(x for x, _ in zone) / len(zone), sum(y for _, y in zone) / len(zone)


def apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return length(a[0] - b[0], a[1] - b[1])
