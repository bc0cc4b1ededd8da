"""Random play in which both sides make for one place and meet there: what only a meeting brings about.

The place is an opening (a hatchway, a door) or an objective marker. One side keeps it, on guard where the killzone
knows that; the other comes for whoever stands there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import Purposeful, cancelled, towards
from ktsim.geometry.plane import length
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Place, Walk
from ktsim.rules.engine.state import SIDES, OperativeState, Path, Point, Side, inches, other
from ktsim.rules.engine.table import CONTROL_RANGE, MoveRequest
from ktsim.rules.killzone.guard import Guard, is_on_guard
from ktsim.rules.killzone.tight_places import STRONGHOLD, ground_of
from ktsim.rules.kt24.ops.op import tac_key
from ktsim.rules.moving.openings import Opening, access_opening, hatchways, is_open
from soak.tinkerer import BEYOND, CLOSE, Brawler
from soak.ways import beside, far_to, openings, way_to

MOVES = ("Reposition", "Normal Move", "Dash")
TOPICS = ("ploy", "gambit", "reroll", "interrupt", "hatch", "breach", "meanwhile", "initiative")
TRIES = 4
"""How many places of the drop zone are looked at for the one nearest to the meeting."""
FROM_MARKER = 0.9
"""How far from the middle of a marker a base ends, to contest it with room for others."""
AROUND = ((1, 0), (0, 1), (-1, 0), (0, -1))
LIKELY = 2.0
"""How much farther than the nearest place one to meet at may be."""
AT_MARKERS = ("martyrs", "sweep-and-clear", "steal-intelligence")
"""Tac ops that are about who falls, at an objective marker best."""
AT_HOME = "rout"
"""The tac op that is about who falls before its drop zone."""


@dataclass(frozen=True)
class Spot:
    """Where to meet: an opening, or a marker's place; and which side keeps it."""

    keeper: Side
    centre: tuple[float, float]
    opening: Opening | None = None
    is_left: bool = False
    """On which side of the opening the keepers stand."""
    is_kept_close: bool = True
    """Whether the keepers touch the opening, or the others do."""


class Meeting(Brawler):
    """It thinks of nothing but the place and whoever is there."""

    EAGER, PATIENCE = 0.95, 0.8
    AT = 2.2
    """How near (inches) one is at the place."""
    NEAR, COMING = 6.0, 10.0
    """How near (inches) an enemy is shot at, and waited for on guard."""

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self._spot: Spot | None = None

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if isinstance(decision, Pick) and decision.topic in TOPICS:
            return self._choose(decision, game)
        return super().answer(decision, game)

    # -- where ---------------------------------------------------------------------------------------

    def spot(self, battle: Battle) -> Spot:
        """The place of this battle, chosen when it is first asked for."""
        if self._spot is None:
            keeper = self._rng.choice(SIDES)
            ops = {side: battle.state.choices.get(tac_key(side), "") for side in SIDES}
            for side in SIDES:
                keeper = other(side) if ops[side] == AT_HOME else keeper
            ways = openings(battle)
            often = 0.15 if {*AT_MARKERS, AT_HOME} & {*ops.values()} else 0.85
            if ways and self._rng.random() < often:
                self._spot = self._at_opening(battle, keeper, ways)
            else:
                self._spot = self._at_marker(battle, keeper, ops[other(keeper)] == AT_HOME)
        return self._spot

    def _at_opening(self, battle: Battle, keeper: Side, ways: list[Opening]) -> Spot:
        """One of the openings that neither side has far to."""
        here, there = (middle(battle, side) for side in (keeper, other(keeper)))

        def far(way: Opening, is_left: bool) -> float:
            left, right = ((inches(x), inches(y)) for x, y, _ in beside(way, BEYOND))
            mine, theirs = (left, right) if is_left else (right, left)
            return max(far_to(battle, here, mine), far_to(battle, there, theirs))

        indoors = self._rng.random() < 0.8
        both = [
            (number, is_left)
            for number, is_left in product(range(len(ways)), (True, False))
            if not indoors or leads_in(battle, ways[number], not is_left) is None
        ]
        found = sorted((far(ways[number], is_left), number, is_left) for number, is_left in both)
        _, number, is_left = self._rng.choice([each for each in found if each[0] <= found[0][0] + LIKELY])
        is_kept_close = self._rng.random() < (0.75 if Guard.id in battle.board.terrain.rules else 0.4)
        return Spot(keeper, ways[number].centre, ways[number], is_left, is_kept_close)

    def _at_marker(self, battle: Battle, keeper: Side, at_home: bool) -> Spot:
        """One of the objective markers that neither side has far to, or the keeper's nearest."""
        places = [
            (inches(m.x), inches(m.y)) for m in battle.state.markers.values() if m.kind == "objective" and not m.level
        ]
        if not places:
            width, depth = battle.board.terrain.board
            places = [(width / 2, depth / 2)]
        zones = [middle(battle, side) for side in ((keeper,) if at_home else SIDES)]
        far = {place: max(far_to(battle, zone, place) for zone in zones) for place in places}
        return Spot(keeper, self._rng.choice([place for place in places if far[place] <= min(far.values()) + LIKELY]))

    def _goals(self, game: Game, who: OperativeState) -> list[Point]:
        """Where it would stand, the best first: keepers touching an opening, others just out of their reach."""
        spot = self.spot(game.battle)
        radius = game.battle.table.radius(who)
        if spot.opening is not None:
            is_keeper = who.side == spot.keeper
            place = 0 if spot.is_left == is_keeper else 1
            far = (CLOSE, BEYOND) if is_keeper == spot.is_kept_close else (BEYOND, CLOSE)
            return [beside(spot.opening, radius + away)[place] for away in far]
        away = 1000 * (radius + FROM_MARKER)
        x, y = 1000 * spot.centre[0], 1000 * spot.centre[1]
        sides = sorted(AROUND, key=lambda step: length(x + away * step[0] - who.x, y + away * step[1] - who.y))
        return [(int(x + away * dx), int(y + away * dy), 0) for dx, dy in sides]

    def _set_up(self, decision: Place, game: Game) -> Point:
        """The nearest of a few places."""
        x, y = self.spot(game.battle).centre
        found: list[Point] = [decision.sample(self._rng) for _ in range(TRIES)]
        return min(found, key=lambda point: length(point[0] - 1000 * x, point[1] - 1000 * y))

    # -- moves ---------------------------------------------------------------------------------------

    def _walk(self, decision: Walk, game: Game) -> Path:
        who = game.state.operatives[decision.operative]
        is_charge = isinstance(decision.about, MoveRequest) and decision.about.ends_in_control
        for path in self._charges(game, who, decision) if is_charge else self._moves(game, who, decision):
            if path and path[-1] != who.point and decision.check(path) is None:
                return path
        suggested: Path = decision.sample(self._rng)
        return suggested

    def _moves(self, game: Game, who: OperativeState, decision: Walk) -> Iterator[Path]:
        """To where it would stand, the whole way or half of it."""
        table = game.battle.table
        goals = self._goals(game, who)
        free = [goal for goal in goals if table.mover.refuses_to_stand(table, game.state, who.id, goal) is None]
        for goal, far in product(free[:2] or goals[:1], (decision.allowance, (decision.allowance + 1) // 2)):
            yield way_to(game.battle, who, goal, far, opens=True)

    def _charges(self, game: Game, who: OperativeState, decision: Walk) -> Iterator[Path]:
        yield self._charge(game, who, decision.allowance)

    def _charge(self, game: Game, who: OperativeState, inches: int) -> Path:
        """A way to an enemy that reaches it; none if there is none."""
        table = game.battle.table
        enemies = sorted(game.state.enemies(who.id), key=lambda enemy: table.distance(game.state, who.id, enemy.id))
        for enemy in enemies[:2]:
            if table.distance(game.state, who.id, enemy.id) > inches + CONTROL_RANGE:
                break
            gap = 1000 * (table.radius(who) + table.radius(enemy) + CONTROL_RANGE / 2)
            goal = towards(enemy.point, who.point, int(gap))
            path = way_to(game.battle, who, goal, inches)
            if path and table.in_control_range(game.state, who.id, enemy.id, path[-1]):
                return path
        return CANCEL

    # -- what ----------------------------------------------------------------------------------------

    def _choose(self, decision: Pick, game: Game) -> str:
        """CP are kept for the firefight; whoever is on guard waits until somebody is near."""
        keys = decision.open_keys
        chance = self._rng.random()
        if decision.topic in ("hatch", "breach"):
            able = [key for key in keys if game.state.terrain.get(key) == "closed"]
        elif decision.topic == "initiative":  # keepers first: they are on guard when the others come
            able = [self._spot.keeper] if self._spot is not None else keys
        elif decision.topic == "meanwhile":
            now = game.state.activation
            able = keys if now is not None and any_shut(game.battle, game.state.operatives[now.operative]) else ["end"]
        elif decision.topic == "gambit":
            able = [o.key for o in decision.options if o.refusal is None and o.rule.startswith("KT24-OP-")]
            able = able or (["pass"] if chance < 0.85 else keys)
        elif decision.topic == "reroll":
            able = ["keep"] if chance < 0.8 else keys
        elif decision.topic == "interrupt":
            able = self._interrupts(keys)
        else:
            able = [key for key in keys if key != "no"] if chance < 0.8 else ["no"]
        return self._rng.choice([key for key in able if key in keys] or keys)

    def _pick(self, decision: Pick, game: Game) -> str:
        if decision.topic != "action" or not isinstance(decision.about, str):
            return super()._pick(decision, game)
        who = game.state.operatives[decision.about]
        foiled = cancelled(game)
        able = [option for option in decision.options if option.refusal is None]
        keys = [option.key for option in able if option.key not in foiled]
        for wanted in self._wishes(game, who, [o.key for o in able if o.rule.startswith(Purposeful.WANTED)], keys):
            if found := [key for key in keys if key in wanted]:
                return self._rng.choice(found)
        rest = [key for key in keys if key not in ("pass", "Charge", "Operate Hatch")]
        return self._rng.choice(rest or decision.open_keys)

    def _is_early(self, game: Game, who: OperativeState) -> bool:
        """Whether a keeper near may still go on guard in this turning point, and nobody is yet."""
        near = [
            each
            for each in game.state.enemies(who.id)
            if game.battle.table.distance(game.state, who.id, each.id) <= self.COMING
        ]
        return any(each.is_ready for each in near) and not any(map(is_on_guard, near))

    def _wishes(self, game: Game, who: OperativeState, ops: list[str], keys: list[str]) -> list[list[str]]:
        """Actions by urgency."""
        battle, state = game.battle, game.state
        spot = self.spot(battle)
        chance = self._rng.random
        is_keeper = who.side == spot.keeper
        gap = min((battle.table.distance(state, who.id, e.id) for e in state.enemies(who.id)), default=99.0)
        is_there = apart((inches(who.x), inches(who.y)), spot.centre) <= self.AT + battle.table.radius(who)
        far = battle.move(who).value + battle.edition.charge_bonus
        has_guard = Guard.id in battle.board.terrain.rules
        is_early = has_guard and not is_keeper and gap <= self.COMING and self._is_early(game, who)
        charges = "Charge" in keys and gap <= far and chance() < (0.1 if is_keeper or is_early else 0.9)
        if is_on_guard(who) and chance() < 0.95:
            return [["pass", "Pass"]]
        return [
            ["Hatchway Fight", "Door Fight"],
            ["Fight"],
            ops if chance() < (0.95 if is_there else 0.3) else [],
            [action.name for action in battle.actions(who) if action.opens(battle, who)],
            ["Charge"] if charges and self._charge(game, who, far) else [],
            ["Shoot"] if gap <= self.NEAR and chance() < (0.1 if is_keeper else 0.2 if has_guard else 0.6) else [],
            ["pass", "Pass"] if is_early and chance() < 0.7 else [],
            ["Guard"] if is_keeper and gap <= self.COMING and chance() < (0.9 if is_there else 0.6) else [],
            [] if is_there else list(MOVES),
            ["Guard"] if is_there and (is_keeper or chance() < 0.2) else [],
            ["Shoot"] if chance() < 0.4 else [],
            ["pass", "Pass"] if is_there else [],
        ]


def any_shut(battle: Battle, who: OperativeState) -> bool:
    """Whether there is a hatchway to open within reach."""
    shut = [line for line in hatchways(battle) if not is_open(battle, line)]
    return any(access_opening(line).gap(battle, who) <= CONTROL_RANGE for line in shut)


def leads_in(battle: Battle, way: Opening, is_left: bool) -> str | None:
    """The stronghold whose inside is on that side of one of its doors."""
    x, y, _ = beside(way, BEYOND)[0 if is_left else 1]
    for feature in battle.board.terrain.features:
        if feature.id == way.feature and feature.kind == STRONGHOLD and ground_of(feature).holds(inches(x), inches(y)):
            return feature.id
    return None


def middle(battle: Battle, side: Side) -> tuple[float, float]:
    """The middle of a drop zone's corners."""
    zone = battle.drop_zone(side)
    return sum(x for x, _ in zone) / len(zone), sum(y for _, y in zone) / len(zone)


def apart(a: tuple[float, float], b: tuple[float, float]) -> float:
    return length(a[0] - b[0], a[1] - b[1])
