"""Where operatives nobody plays come in (JOINT-SPAWN), found from the terrain: guards beside their posts; others at the
rim of the killzone, on the floor, away from the players and out of their sight as far as there is such a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import atan2

from ktsim.geometry.plane import length
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps, roll
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import Joined, SetUp, TokenChanged
from ktsim.rules.engine.state import OperativeState, Point, milli
from ktsim.rules.kt24.joint.alert import ALERTED
from ktsim.rules.kt24.joint.sides import MACHINE, PLAYERS

AWAY = 6.0
"""Inches that whoever comes in keeps from every operative of the players."""
RIM, STEP, APART = 3.0, 1.0, 5.0
"""How wide the rim is, how finely it is searched, how far apart two ways in are."""
WAYS_IN = 6


def joins(battle: Battle, kind: str) -> Joined:
    """The next operative of a kind."""
    card = battle.cards[f"{MACHINE}/{kind}"]
    number = 1 + sum(who.card == f"{MACHINE}/{kind}" for who in battle.state.operatives.values())
    name = card.name if card.limit == 1 else f"{card.name} {number}"
    return Joined(f"{MACHINE}-{kind}-{number}", name, MACHINE, f"{MACHINE}/{kind}", card.wounds)


class Newcomer:
    """An operative about to come in, tried out at places on a copy of the battle."""

    def __init__(self, battle: Battle, joined: Joined) -> None:
        self.battle = battle.twin()
        joined.apply(self.battle.state)
        self.who: OperativeState = self.battle.state.operatives[joined.operative]
        self.players = self.battle.state.side(PLAYERS)

    def is_free(self, point: Point) -> bool:
        """Whether it can stand there, away from every player's operative."""
        table, radius = self.battle.table, self.battle.table.radius(self.who)
        if any(self._gap(player, point) - table.radius(player) - radius < AWAY for player in self.players):
            return False
        return table.mover.refuses_to_stand(table, self.battle.state, self.who.id, point) is None

    def is_unseen(self, point: Point) -> bool:
        self.who.x, self.who.y, self.who.level = point
        self.who.is_set_up = True
        state, table = self.battle.state, self.battle.table
        seen = any(table.is_visible(state, player.id, self.who.id) for player in self.players)
        self.who.is_set_up = False
        return not seen

    def away(self, point: Point) -> float:
        """Inches to the nearest player's operative."""
        return min((self._gap(player, point) for player in self.players), default=99.0)

    def _gap(self, who: OperativeState, point: Point) -> float:
        return length(who.x - point[0], who.y - point[1]) / 1000


def lattice(battle: Battle) -> Iterator[Point]:
    """Places all over the floor."""
    width, depth = battle.board.terrain.board
    for column in range(int(width / STEP)):
        for row in range(int(depth / STEP)):
            yield milli((column + 0.5) * STEP), milli((row + 0.5) * STEP), 0


def ways_in(battle: Battle, joined: Joined) -> list[Point]:
    """Where the operative may come in, in order around the killzone; at most six, and none only where nobody could
    stand anywhere."""
    stand = Newcomer(battle, joined)
    width, depth = battle.board.terrain.board

    def from_rim(point: Point) -> float:
        x, y = point[0] / 1000, point[1] / 1000
        return min(x, y, width - x, depth - y)

    def around(point: Point) -> float:
        return atan2(point[1] / 1000 - depth / 2, point[0] / 1000 - width / 2)

    free = [point for point in lattice(battle) if stand.is_free(point)]
    rim = sorted((point for point in free if from_rim(point) <= RIM), key=lambda point: (around(point), point))
    found = apart(point for point in rim if stand.is_unseen(point))
    if not found:
        found = apart(point for point in sorted(free, key=from_rim) if stand.is_unseen(point))[:WAYS_IN]
    if not found:  # nothing to hide behind: as far away as there is room
        found = apart(sorted(free, key=lambda point: (-stand.away(point), point)))[:WAYS_IN]
    return sorted(evenly(found, WAYS_IN), key=lambda point: (around(point), point))


def apart(points: Iterable[Point]) -> list[Point]:
    """The first of *points* that are not in one spot."""
    found: list[Point] = []
    for point in points:
        if all(length(point[0] - each[0], point[1] - each[1]) / 1000 >= APART for each in found):
            found.append(point)
    return found


def evenly(points: list[Point], most: int) -> list[Point]:
    """So many of them at most, spread over all."""
    if len(points) <= most:
        return points
    return [points[number * len(points) // most] for number in range(most)]


def comes_in(battle: Battle, kind: str, *, is_alerted: bool) -> Steps[None]:
    """One operative of a kind comes in where a die says (JOINT-SPAWN)."""
    joined = joins(battle, kind)
    places = ways_in(battle, joined)
    if not places:
        yield Told(f"There is no room for another {joined.name.rpartition(' ')[0] or joined.name}.", "JOINT-SPAWN")
        return
    (die,) = yield from roll(1, "entry", f"Which of {len(places)} ways {joined.name} comes in", MACHINE)
    yield joined
    yield SetUp(joined.operative, places[(die - 1) % len(places)])
    yield Told("{0} comes in.", "JOINT-SPAWN", (joined.operative,))
    if is_alerted:
        yield TokenChanged(joined.operative, ALERTED, 1, "{0} knows where the players are.")


def posted(battle: Battle, kind: str, post: Point) -> Steps[None]:
    """A guard stands as near to its post as it can, away from the players."""
    joined = joins(battle, kind)
    stand = Newcomer(battle, joined)
    around = sorted(lattice(battle), key=lambda at: (length(at[0] - post[0], at[1] - post[1]), at))
    near = next((at for at in around if stand.is_free(at)), None)
    if near is not None:
        yield joined
        yield SetUp(joined.operative, near)
