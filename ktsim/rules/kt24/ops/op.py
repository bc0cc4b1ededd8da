"""What an op is, scoring within its limits (KT24-SCORE), where things are as ops ask it (levels do not matter for
territories, flanks and edges), and the actions ops bring, performed at an objective marker or at an enemy."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import ClassVar, Literal, TypeAlias

from ktsim.geometry.plane import Outline
from ktsim.rules.engine.action import Action, refuses_close
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Footprint
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Chosen, VpScored
from ktsim.rules.engine.operative_events import MarkerTokenSet
from ktsim.rules.engine.rule import Draw, Rule
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Point, Side, inches, milli, other
from ktsim.rules.engine.table import CONTROL_RANGE, contests
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


MOST_VP = 6
"""From each of the crit, kill and tac op."""


KEEP = Option("keep", "Keep the tokens that are left")
"""What may be answered when tokens are removed for VP."""


class Op(Rule):
    """One op. *kind* is the line of the score sheet it belongs to.

    *most_per_turn* is the most VP one player scores from it in a turning point. What is scored at the end of the
    battle does not count against that: it is not scored in a turning point. *first_scored* is the first turning point
    in which it pays: the second, unless its card says otherwise (our reading: only the kill op's does).
    """

    key: ClassVar[str]
    kind: ClassVar[str]
    text: ClassVar[str]
    """What it is about, in a sentence or two of our own."""
    most_per_turn: ClassVar[int] = MOST_VP
    first_scored: ClassVar[int] = 2

    def about(self, battle: Battle) -> str:
        """What it is about, by the rules of this battle."""
        return self.text

    def is_scored(self, battle: Battle) -> bool:
        """Whether the op pays in this turning point at all."""
        return battle.state.turning_point >= self.first_scored

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        if self.is_scored(battle):
            yield from self.score_turning_point(battle)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        """Score what the turning point brought."""
        yield from ()

    def score(self, battle: Battle, side: Side, amount: int, reason: str, *, at_end: bool = False) -> Steps[None]:
        """*side* scores as much of *amount* as the op's limits leave."""
        if (amount := min(amount, self.room(battle, side, at_end=at_end))) > 0:
            yield VpScored(side, amount, f"{self.name}: {reason}", self.kind, self.id, at_end)

    def room(self, battle: Battle, side: Side, *, at_end: bool = False) -> int:
        """How many VP *side* can still score from the op now."""
        state = battle.state
        if not self.is_scored(battle):
            return 0
        left = MOST_VP - state.scored(side, self.kind)
        if not at_end:
            left = min(left, self.most_per_turn - state.scored(side, self.kind, state.turning_point))
        return max(0, left)


class CritOp(Op):
    """The op both players share, scored at the end of each turning point."""

    kind = "crit"

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        return [marker_draw(battle, who, marker, 1.0) for marker in objectives(battle) if marker.carrier is None]

    def begin(self, battle: Battle) -> Steps[None]:
        """What is laid out when the op is determined."""
        yield from ()

    def score_more(self, battle: Battle, counts: dict[Side, int], reason: str) -> Steps[None]:
        """1VP for the side that has more, nobody for as many."""
        for side in SIDES:
            if counts[side] > counts[other(side)]:
                yield from self.score(battle, side, 1, reason)


class TacOp(Op):
    """One player's own op, secret until it is revealed.

    It is revealed before the first of its actions, gambits, tokens, markers and VP can be seen. Actions, like those of
    crit ops, are not performed in the first turning point.
    """

    kind = "tac"
    most_per_turn = 2
    archetype: ClassVar[str]
    usual_vp: ClassVar[float] = 0.5
    """What it pays in a battle as a rule, as the commander plays it: found in games against itself in which both were
    given their ops."""

    def __init__(self, side: Side) -> None:
        self.side = side

    @property
    def enemy(self) -> Side:
        return other(self.side)

    def is_revealed(self, battle: Battle) -> bool:
        return revealed_key(self.side) in battle.state.choices

    def reveal(self, battle: Battle) -> Steps[None]:
        """Show the op to the opponent, unless it is known."""
        if not self.is_revealed(battle):
            told = f"{battle.name(self.side)} reveals its tac op: {self.name}. [{self.id}]"
            yield Chosen(revealed_key(self.side), self.key, told)

    def score(self, battle: Battle, side: Side, amount: int, reason: str, *, at_end: bool = False) -> Steps[None]:
        if min(amount, self.room(battle, side, at_end=at_end)) > 0:
            yield from self.reveal(battle)
            yield from super().score(battle, side, amount, reason, at_end=at_end)

    def own_actions(self) -> Sequence[Action]:
        """The actions the op gives every friendly operative."""
        return ()

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return self.own_actions() if who.side == self.side else ()

    def action_shows(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        if who.side == self.side and action.id == self.id:
            yield from self.reveal(battle)


def tac_key(side: Side) -> str:
    """Under which key of ``State.choices`` the side's tac op is kept."""
    return f"{side}:tac op"


def revealed_key(side: Side) -> str:
    """Under which key of ``State.choices`` stands that the opponent knows the tac op."""
    return f"{side}:tac op revealed"


def marker_name(battle: Battle, marker: str) -> str:
    """What the players call a marker that a tac op brings; empty for others. Its id says what it is and whose."""
    kind, _, of = marker.partition("-")
    if kind == "banner":
        return f"{of}'s banner"
    if kind == "intelligence":
        return f"the Intelligence marker of {battle.name(of)}"
    if kind == "retrieval":
        return f"the Retrieval marker from {battle.name(of.partition('-')[2])}"
    return ""


# -- where ops draw operatives -----------------------------------------------------------------------


def marker_draw(battle: Battle, who: OperativeState, marker: MarkerState, worth: float) -> Draw:
    """To where the operative contests the marker."""
    contact = battle.table.radius(who) + inches(marker.radius) + CONTROL_RANGE
    return Draw(marker.point, worth, contact, f"to {battle.name(marker.id)}")


def territory_draw(battle: Battle, who: OperativeState, worth: float) -> Draw:
    """To the nearest place wholly within the enemy territory."""
    radius = battle.table.radius(who)
    sides = zip(*battle.territory(other(who.side)), strict=True)
    box = [(min(values) + radius, max(values) - radius) for values in sides]
    near = [milli(max(low, min(high, at / 1000))) for (low, high), at in zip(box, (who.x, who.y), strict=True)]
    return Draw((near[0], near[1], 0), worth, 0.0, "into the enemy territory")


# -- what ops ask about objectives -------------------------------------------------------------------


def contesting(battle: Battle, side: Side, marker: MarkerState) -> list[OperativeState]:
    """The operatives of *side* that contest the marker."""
    return [who for who in battle.state.side(side) if contests(battle.table, battle.state, who, marker)]


def markers(count: int) -> str:
    """So many markers, in words."""
    return f"{count} marker{'' if count == 1 else 's'}"


def controlled(battle: Battle, *, among: Sequence[MarkerState] | None = None) -> dict[Side, int]:
    """How many objective markers (or markers of *among*) each side controls."""
    markers = objectives(battle) if among is None else among
    return {side: sum(marker.controller == side for marker in markers) for side in SIDES}


def with_token(battle: Battle, token: str) -> list[MarkerState]:
    """The objective markers that have a token."""
    return [marker for marker in objectives(battle) if marker.tokens.get(token)]


class OpAction(Action):
    """A mission action: not in the first turning point, not in an enemy's control range."""

    is_mission = True
    is_of_tac_op: ClassVar[bool] = False
    first_turn: ClassVar[int] = 2

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if battle.state.turning_point < self.first_turn:
            return f"{self.name}: not before turning point {self.first_turn}."
        if (near := battle.engaged_with(who)) and not battle.waived(who, self, "control range"):
            return refuses_close(battle, self.name, near)
        return self.own_refusal(battle, who)

    @abstractmethod
    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        """Why the conditions of its own do not hold."""

    def is_secret(self, battle: Battle, who: OperativeState) -> bool:
        return self.is_of_tac_op and revealed_key(who.side) not in battle.state.choices


class ObjectiveAction(OpAction):
    """A mission action on an objective marker the operative controls."""

    def own_refusal(self, battle: Battle, who: OperativeState) -> str | None:
        mine = controlled_by(battle, who)
        if not mine:
            return f"{self.name}: controls no objective marker."
        refusals = [self.refuses(battle, who.side, marker) for marker in mine]
        return None if None in refusals else f"{self.name}: {refusals[0]}"

    @abstractmethod
    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        """Why *side* cannot perform it on this marker, as the rest of a sentence."""

    @abstractmethod
    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        """Perform it on the marker."""

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        found = {m.id: m for m in controlled_by(battle, who) if self.refuses(battle, who.side, m) is None}
        options = [Option(id, battle.name(id)) for id in found]
        marker = yield from pick(who.side, "op marker", f"{who.name}: {self.name} on which marker?", options, found)
        yield from self.upon(battle, who, marker)


class TokenAction(ObjectiveAction):
    """Lays a *token* of the side's own on the marker, which has none of them yet. *has* says that it has one and *told*
    what is done, both as parts of a sentence."""

    token: ClassVar[str]
    has: ClassVar[str]
    told: ClassVar[str]

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        return f"{battle.name(marker.id)} {self.has}." if marker.tokens.get(f"{self.token}:{side}") else None

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        yield MarkerTokenSet(marker.id, f"{self.token}:{who.side}", 1, f"{who.name} {self.told} {{0}}.")


def controlled_by(battle: Battle, who: OperativeState) -> list[MarkerState]:
    """The objective markers the operative controls: its side does, and it contests them itself."""
    return [m for m in objectives(battle) if m.controller == who.side and contests(battle.table, battle.state, who, m)]
