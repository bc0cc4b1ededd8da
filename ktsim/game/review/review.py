"""The review of a saved game, activation by activation.

What somebody did is weighed by its odds, as the commander weighs its own plans: so luck is no part of the *value*, and
*luck* is what the dice gave beyond that. *best* is the best plan that could be played by whoever acted, and what it
cost to let somebody more urgent wait; *loss* is what lies between. Everything is in VP. Each side is judged by what it
knew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from ktsim.game import journal
from ktsim.game.bots.commander import Commander, told
from ktsim.game.bots.plans import JUDGE
from ktsim.game.bots.ranking import Course
from ktsim.game.game import Game, IllegalAnswer
from ktsim.game.journal import Recorded
from ktsim.game.record import beginning, made_by
from ktsim.game.review.carrying_out import BetterPlan, carried_out
from ktsim.game.review.watching import WatchedActivation, WatchedAttack, Watching
from ktsim.game.secrecy import hidden_from, seen_state
from ktsim.rules.engine.state import SIDES, Side, State, other
from ktsim.rules.kt24.joint.sides import PLAYERS

DEAREST = 3
"""Decisions that are told at length."""
WORTH_TELLING = 0.1
"""VP below which nothing would have been better."""
TRIED = 12
"""Plans tried until one can be played."""


@dataclass(frozen=True)
class ReviewedActivation:
    """One activation. *moment* counts the answers before it; *standing* is what the table was worth to red before it;
    *did* and *better* say in words what was done and what would have been better, if anything."""

    number: int
    moment: int
    turning_point: int
    side: Side
    operative: str
    name: str
    value: float
    best: float
    luck: float
    standing: float
    did: str
    plan: BetterPlan | None = None

    @property
    def loss(self) -> float:
        return self.best - self.value

    @property
    def better(self) -> str:
        return "" if self.plan is None else self.plan.words

    @property
    def words(self) -> str:
        """What was done, what would have been better, and what the dice did."""
        found = [f"{self.name}: {self.did}."]
        if self.plan is not None:
            found.append(f"Better by {self.loss:.1f} VP: {self.better}")
        if abs(self.luck) >= WORTH_TELLING:
            found.append(f"The dice {'gave' if self.luck > 0 else 'took'} {abs(self.luck):.1f} VP.")
        return " ".join(found)

    def as_json(self) -> dict[str, Any]:
        """The fields other people's programs read."""
        return {
            "number": self.number,
            "side": self.side,
            "operative": self.name,
            "value": round(self.value, 3),
            "best": round(self.best, 3),
            "loss": round(self.loss, 3),
            "luck": round(self.luck, 3),
            "words": self.words,
        }

    def kept(self) -> dict[str, Any]:
        """Everything, as it is kept beside the save."""
        plan = None if self.plan is None else self.plan.as_json()
        names = ("number", "moment", "turning_point", "side", "operative", "name", "did")
        numbers = ("value", "best", "luck", "standing")
        return {
            **{name: getattr(self, name) for name in names},
            **{name: round(getattr(self, name), 6) for name in numbers},
            "plan": plan,
        }

    @classmethod
    def from_kept(cls, data: Mapping[str, Any]) -> ReviewedActivation:
        plan = None if data["plan"] is None else BetterPlan.from_json(data["plan"])
        return cls(**{**data, "plan": plan})


@dataclass
class SideStatistics:
    """What a side did in all. Shots *suffered in the open* found their target without cover and not obscured."""

    activations: int = 0
    ap_unspent: int = 0
    shots: int = 0
    suffered_in_open: int = 0
    fights: int = 0
    damage_expected: float = 0.0
    damage_rolled: int = 0
    incapacitated: int = 0
    objectives: list[int] = field(default_factory=list)
    """Objective markers held at the end of each turning point."""

    def as_json(self) -> dict[str, Any]:
        return {**vars(self), "damage_expected": round(self.damage_expected, 2)}


@dataclass(frozen=True)
class GameReview:
    """A whole review. *curve* is what the table was worth to red (VP of red less blue's) before each activation, and
    at the end; *note* says where it stops short."""

    activations: tuple[ReviewedActivation, ...]
    curve: tuple[float, ...]
    statistics: Mapping[Side, SideStatistics]
    names: Mapping[Side, str]
    note: str = ""

    def dearest(self, side: Side | None = None) -> list[ReviewedActivation]:
        """The decisions that cost most, of one side or of both."""
        found = [each for each in self.activations if side in (None, each.side) and each.plan is not None]
        return sorted(found, key=lambda each: (-each.loss, each.number))[:DEAREST]

    def total(self, side: Side, what: Literal["loss", "luck"]) -> float:
        """The sum of a number over a side's activations."""
        return sum(float(getattr(each, what)) for each in self.activations if each.side == side)

    def as_json(self) -> dict[str, Any]:
        return {
            "activations": [each.as_json() for each in self.activations],
            "curve": [round(each, 3) for each in self.curve],
            "dearest": [
                {"number": each.number, "moment": each.moment, "better": each.better} for each in self.dearest()
            ],
            "statistics": {side: each.as_json() for side, each in self.statistics.items()},
            "note": self.note,
        }


class Reviewing:
    """A review being made: :meth:`run` yields every activation as it is judged, and :attr:`found` is all of them.

    *known* are activations judged before, of the very same game: they are not judged again.
    """

    def __init__(self, path: Path, known: Sequence[ReviewedActivation] = ()) -> None:
        self.path = path
        self.recorded: Recorded = journal.read(path, is_rescue=True)
        setup, battle, state = beginning(self.recorded, path)
        self.setup = setup
        self._watching = Watching(Game(battle, state))
        self._answers = self.recorded.answers()
        self._known = {each.moment: each for each in known}
        self._judge = Commander("review", JUDGE)
        self._deciding: tuple[Side, ...] = (PLAYERS,) if battle.mission.machine_team else SIDES
        """Whose activations are judged: non-player operatives follow their list, nobody decides for them."""
        self.found: list[ReviewedActivation] = []
        self.statistics: dict[Side, SideStatistics] = {side: SideStatistics() for side in SIDES}
        self.note = f"It is damaged: {self.recorded.damage}" if self.recorded.damage else ""

    @property
    def game(self) -> Game:
        return self._watching.game

    @property
    def progress(self) -> float:
        """How far it has come, from 0 to 1."""
        return len(self.game.answers) / max(1, len(self._answers))

    def run(self) -> Iterator[ReviewedActivation]:
        watching, game = self._watching, self.game
        judged: _Before | None = None
        for answer in self._answers:
            if game.pending is None:
                break
            if (id := watching.about_to_act(answer)) is not None and game.state.operatives[id].side in self._deciding:
                judged = None if len(game.answers) in self._known else self._before(id)
            try:
                over = watching.give(answer)
            except (IllegalAnswer, ValueError, LookupError) as error:
                at = len(game.answers) + 1
                self.note = f"From answer {at} on it does not fit the rules of now ({error}) {made_by(self.recorded)}."
                break
            if over is not None:
                self._count(over)
            if over is not None and over.side in self._deciding:
                known = self._known.get(over.moment)
                done = self._judged(over, judged) if known is None else replace(known, number=len(self.found) + 1)
                self.found.append(done)
                yield done
        self._count_attacks(watching.shots)
        for _, controlled in watching.held:
            for side in SIDES:
                self.statistics[side].objectives.append(controlled[side])

    def review(self) -> GameReview:
        """What has been found, once it has run."""
        game, state = self.game, self.game.state
        end = float(state.vp["red"] - state.vp["blue"]) if game.pending is None else self._standing()
        curve = (*(each.standing for each in self.found), end)
        names: dict[Side, str] = {side: game.battle.teams[side].name for side in SIDES}
        if not self.note and game.pending is not None:
            self.note = "The game is not over; it is reviewed as far as it was played."
        return GameReview(tuple(self.found), curve, self.statistics, names, self.note)

    # -- judging -------------------------------------------------------------------------------------

    def _standing(self) -> float:
        """What the table is worth to red: what it is to red and is not to blue, by halves."""
        worth = {side: self._judge.standing(self.game.seen_by(side), side) for side in SIDES}
        return (worth["red"] - worth["blue"]) / 2

    def _before(self, id: str) -> _Before:
        """What could be done at this moment."""
        game, state = self.game, self.game.state
        side = state.operatives[id].side
        seen = game.seen_by(side)
        now = state.activation
        counteracts = game.pending is not None and game.pending.topic == "counteract"
        counteracts = counteracts or (now is not None and now.kind == "counteraction")
        plans = {id: self._judge.plans(seen, id, counteracts=counteracts)}
        if game.pending is not None and game.pending.topic == "activate" and state.ready(other(side)):
            plans |= {who.id: self._judge.plans(seen, who.id) for who in state.ready(side) if who.id != id}
        urgent = max(plans, key=lambda each: (self._judge.urgency(plans[each]), each == id))
        waits = self._judge.urgency(plans[urgent]) - self._judge.urgency(plans[id])
        mine = self._playable(game, seen, id, plans[id])
        first = mine if urgent == id or waits < WORTH_TELLING else self._playable(game, seen, urgent, plans[urgent])
        if first is None:
            first, waits = mine, 0.0
        return _Before(seen, plans[id][-1].value, mine, first, max(0.0, waits), self._standing())

    def _playable(self, game: Game, seen: Game, id: str, plans: Sequence[Course]) -> tuple[Course, BetterPlan] | None:
        """The best of the plans that can really be played."""
        for course in plans[:-1][:TRIED]:
            plan = carried_out(game, id, course, f"{game.battle.name(id)}, {told(seen, course)}")
            if plan is not None:
                return course, plan
        return None

    def _judged(self, over: WatchedActivation, before: _Before | None) -> ReviewedActivation:
        assert before is not None
        assert self._watching.before is not None
        start = self._watching.before
        hidden = hidden_from(start, over.side)
        end = seen_state(over.as_if_in_vain(start), hidden)
        expected = self._judge.done(before.seen, over.operative, end, [each.hoped() for each in over.attacks])
        fallen = self._judge.done(before.seen, over.operative, end, [each.fallen() for each in over.attacks])
        value = expected - before.stay
        best = value
        plan = None
        if before.mine is not None:
            best = max(value, before.mine[0].value - before.stay) + before.waits
        if best - value >= WORTH_TELLING:
            found = before.first or before.mine
            plan = None if found is None else found[1]
        else:
            best = value
        did = told_done(self.game, over, start)
        return ReviewedActivation(
            len(self.found) + 1,
            over.moment,
            over.turning_point,
            over.side,
            over.operative,
            over.name,
            value,
            best,
            fallen - expected,
            before.standing,
            did,
            plan,
        )

    # -- counting ------------------------------------------------------------------------------------

    def _count(self, over: WatchedActivation) -> None:
        mine = self.statistics[over.side]
        mine.activations += not over.is_counteraction
        mine.ap_unspent += over.ap_unspent

    def _count_attacks(self, attacks: Sequence[WatchedAttack]) -> None:
        for each in attacks:
            mine, theirs = self.statistics[each.by.side], self.statistics[each.target.side]
            mine.shots += each.is_shot
            mine.fights += not each.is_shot
            theirs.suffered_in_open += each.is_shot and each.is_open and each.by.side != each.target.side
            mine.damage_expected += each.expected.damage
            mine.damage_rolled += each.inflicted
            theirs.damage_expected += each.feared.damage
            theirs.damage_rolled += each.suffered
            mine.incapacitated += each.inflicted >= each.target.wounds and each.by.side != each.target.side
            theirs.incapacitated += each.suffered >= each.by.wounds


@dataclass(frozen=True, eq=False)
class _Before:
    """A moment at which somebody acts, as its side sees it: what staying is worth, the best plan of whoever acted, of
    whoever should have, and what is lost by the latter's waiting."""

    seen: Game
    stay: float
    mine: tuple[Course, BetterPlan] | None
    first: tuple[Course, BetterPlan] | None
    waits: float
    standing: float


def told_done(game: Game, over: WatchedActivation, before: State) -> str:
    """What was done, in words: the order, the actions, at whom with which odds."""
    attacks = iter([each for each in over.attacks if each.by.id == over.operative])
    names = []
    for action in over.actions:
        words = action
        if action in ("Shoot", "Fight") and (each := next(attacks, None)) is not None:
            words += f" at {each.target.name}" if each.is_shot else f" with {each.target.name}"
            words += f" ({each.expected.kill:.0%} to incapacitate, "
            words += f"{each.inflicted} damage of {each.expected.damage:.1f} expected)"
        names.append(words)
    order = "counteracts" if over.is_counteraction else over.end.operatives[over.operative].order.title()
    return ", ".join([order, *(names or ["nothing"])])


def review(
    path: Path,
    known: Sequence[ReviewedActivation] = (),
    progress: Callable[[float, ReviewedActivation], None] = lambda part, found: None,
) -> GameReview:
    """The review of the game in *path*; *progress* hears of every activation."""
    making = Reviewing(path, known)
    for found in making.run():
        progress(making.progress, found)
    return making.review()
