"""An answer being made: what is marked, where the waypoints are, which dice were typed; and the answers given."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from ktsim.app.play.prompt import NOBODY, Choice, Prompt, in_rows, told_answer
from ktsim.app.play.routes import Route
from ktsim.game import secrecy
from ktsim.rules.engine.decisions import CANCEL, Decision, Place
from ktsim.rules.engine.placing import TURNS, PuttingDown
from ktsim.rules.engine.state import PieceState, Point, Seat

FIGURE_TURN = 15
"""Degrees of one press that turns an operative."""


class Draft:
    """The answer to one prompt as far as it has got."""

    def __init__(self, prompt: Prompt, decision: Decision[Any], *, place: Point | None = None) -> None:
        """*decision* is the question as whoever looks at the screen may see it. *place* is offered to begin with."""
        self.prompt, self.decision = prompt, decision
        self.marked: list[str] = []
        self.points: list[Point] = [place] if place is not None else []
        self._place = place
        self.is_offered = place is not None
        """Whether the place is one the player has not chosen: it goes where the player points, or is taken as it is."""
        self.fixed = 0
        """How many of the points are waypoints that stay; the one after them is where it ends for now."""
        self.turn: int | None = None
        """Degrees by which the player has turned the piece that is put down, or the operative that is set up."""
        self.dice: list[int] = []
        self.is_touched = False
        """Whether somebody has marked something."""
        self.is_led = False
        """Whether the mark was moved by keys or by a hint: the list goes with it, as it never does under a pointer."""
        self.route: Route | None = None
        self._rng = Random(prompt.number)
        self.suggestion: Any = None
        self._checked: tuple[Any, str] | None = None
        self._tried: tuple[Point, dict[int, str | None]] | None = None
        self._locks: dict[str, str] = {}
        default = prompt.default
        if prompt.kind == "pick":
            open_keys = self._open_keys()
            if NOBODY in open_keys and len(open_keys) > 1:
                pass  # whoever confirms without looking must not have done without, nor have chosen just anybody
            elif default in open_keys:
                self.marked = [default]
            elif open_keys and not prompt.is_secret and not self._waits_for_odds(len(open_keys)):
                safe = [choice.key for choice in self.choices if not choice.refusal and not choice.warning]
                self.marked = [(safe or open_keys)[0]]
        elif prompt.kind == "some" and isinstance(default, tuple):
            self.marked = list(default)
        elif prompt.kind == "other":
            self.suggest()

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The choices in the order they are shown in and with the digits that choose them. What is locked later stays
        where it is: rows do not move under the pointer."""
        found = in_rows(self.prompt.choices, self.prompt.kind == "some")
        if not self._locks:
            return found
        locks = self._locks
        return tuple(replace(c, refusal=locks[c.key], note="") if c.key in locks else c for c in found)

    def lock(self, key: str, why: str) -> None:
        """Nothing would come of a choice, as was found out meanwhile: it is refused for that reason."""
        if why and self._locks.get(key) != why:
            self._locks[key] = why
            if self.marked == [key] and self.prompt.kind == "pick":
                self.marked = self._open_keys()[:1]

    def _waits_for_odds(self, count: int) -> bool:
        """Whether the best of *count* is marked once its odds are known: a mark that moved by itself at that moment
        could be confirmed by whoever had just seen another marked."""
        return self.prompt.topic == "target" and count > 1

    def _open_keys(self) -> list[str]:
        return [choice.key for choice in self.choices if not choice.refusal]

    # -- marking -------------------------------------------------------------------------------------

    def mark(self, key: str) -> str:
        """Mark a choice; of several that may be chosen a second time takes it back. Returns why it was not marked."""
        choice = next((choice for choice in self.choices if choice.key == key), None)
        if choice is None or choice.refusal:
            return choice.refusal if choice is not None else "That is not on offer."
        self.is_touched, self.is_led = True, False
        if self.prompt.kind == "pick":
            self.marked = [key]
        elif key in self.marked:
            self.marked.remove(key)
        elif len(self.marked) < self.prompt.most:
            self.marked.append(key)
        elif self.prompt.most == 1:
            self.marked = [key]
        else:
            return f"{choice.title}: {self.prompt.most} are chosen, and more cannot be. Take one back first."
        return ""

    def step(self, by: int) -> None:
        """Mark the next open choice, or the one before."""
        keys = self._open_keys()
        if self.prompt.kind == "pick" and keys:
            now = keys.index(self.marked[0]) if self.marked and self.marked[0] in keys else -1 if by > 0 else 0
            self.marked = [keys[(now + by) % len(keys)]]
            self.is_touched = self.is_led = True

    def put(self, point: Point, *, is_waypoint: bool = False) -> None:
        """Something is to go, or the move to lead, to *point*."""
        self.is_offered = False
        if self.prompt.kind == "place":
            self.points = [point]
        elif self.prompt.kind == "walk":
            self.points = [*self.points[: self.fixed], point]
            self.route = None
            if is_waypoint:
                self.fixed = len(self.points)

    def propose(self, answer: Any) -> None:
        """Have the answer somebody else would give marked or put."""
        kind = self.prompt.kind
        if kind == "pick":
            self.mark(answer)
            self.is_led = True
        elif kind == "some":
            self.marked = list(answer)
        elif kind == "place" or (kind == "walk" and answer):
            self.fixed = 0
            self.put(answer if kind == "place" else answer[-1])

    def nudge(self, dx: int, dy: int, start: Point) -> None:
        """Move the last point a little; the first time from *start*."""
        x, y, level = self.points[-1] if len(self.points) > self.fixed else start
        self.put((x + dx, y + dy, level))

    # -- pieces --------------------------------------------------------------------------------------

    @property
    def putting(self) -> PuttingDown | None:
        """The piece that is put down, if that is what is asked about."""
        return self.decision.about if isinstance(self.decision.about, PuttingDown) else None

    @property
    def can_turn_figure(self) -> bool:
        """Whether an operative is set up that can be turned where it stands."""
        return isinstance(self.decision, Place) and self.decision.can_turn

    def turn_by(self, steps: int) -> bool:
        """Turn the piece that is put down, or the operative that is set up; whether there is one whose place is asked
        for."""
        if self.can_turn_figure:
            self.turn = ((self.turn or 0) + FIGURE_TURN * steps) % 360
            return True
        if self.putting is None or self.prompt.kind != "place":
            return False
        now = TURNS.index(self.turn) if self.turn is not None else 0
        self.turn = TURNS[(now + steps) % len(TURNS)]
        return True

    def piece_at(self, point: Point) -> tuple[PieceState, str]:
        """The piece that is put down as it would stand at *point*, and why it may not; a player who has not turned it
        is shown the first way that is allowed there."""
        assert self.putting is not None
        found, turn = self._refusals_at(point), self.turn_at(point)
        return self.putting.put(point, turn), found[turn] or ""

    def turn_at(self, point: Point) -> int:
        """How the piece would be turned at *point*, in degrees."""
        if self.turn is not None:
            return self.turn
        return next((turn for turn, why in self._refusals_at(point).items() if why is None), TURNS[0])

    def _refusals_at(self, point: Point) -> dict[int, str | None]:
        assert self.putting is not None
        if self._tried is None or self._tried[0] != point:
            self._tried = (point, self.putting.refusals(point))
        return self._tried[1]

    def allows(self, point: Point) -> bool:
        """Whether what is placed may stand at *point*, turned as it is."""
        return not (self.piece_at(point)[1] if self.putting is not None else self.decision.check(point))

    def roll(self, face: int) -> None:
        if len(self.dice) < self.prompt.dice:
            self.dice.append(face)

    def suggest(self) -> None:
        """Some legal answer, for decisions that can only be answered so, or to begin with."""
        self.suggestion = self.decision.sample(self._rng)
        if self.prompt.kind == "place":
            self.points, self.is_offered = [self.suggestion], True
        elif self.prompt.kind == "walk":
            self.points = list(self.suggestion)

    # -- the answer ----------------------------------------------------------------------------------

    @property
    def is_begun(self) -> bool:
        return bool(self.dice or (self.points and not self.is_offered))

    def back(self) -> bool:
        """Take the last step of the draft back; whether there was one. A place offered to begin with is so again."""
        if self.prompt.kind in ("place", "walk") and self.points and not self.is_offered:
            self.points.pop()
            if self._place is not None:
                self.points, self.is_offered = [self._place], True
            self.fixed = min(self.fixed, len(self.points))
            self.route = None
            return True
        if self.dice:
            self.dice.pop()
            return True
        return False

    def answer(self) -> Any:
        """The answer as it stands, legal or not; ``None`` when it is not complete."""
        match self.prompt.kind:
            case "pick":
                return self.marked[0] if self.marked else None
            case "some":
                return tuple(self.marked)
            case "place":
                turned = (1000 * self.turn,) if self.turn and self.can_turn_figure else ()
                return (*self.points[-1], *turned) if self.points else None
            case "walk":
                return self.route.path if self.points and self.route is not None else None
            case "roll":
                return tuple(self.dice) if len(self.dice) == self.prompt.dice else None
            case _:
                return self.suggestion

    def problem(self) -> str:
        """Why the draft cannot be given as the answer yet; empty when it can."""
        if self.prompt.kind == "walk" and self.points:
            if self.route is None:
                return "The route is being planned."
            if self.route.refusal:
                return self.route.refusal
        answer = self.answer()
        if answer is None:
            return _MISSING[self.prompt.kind]
        if self.putting is not None and self.prompt.kind == "place":
            return self.piece_at(answer)[1]
        if self._checked is None or self._checked[0] != answer:
            self._checked = (answer, self.decision.check(answer) or "")
        return self._checked[1]

    @property
    def can_cancel(self) -> bool:
        """Whether the decision can be called off, which cancels the action."""
        return self.prompt.kind == "walk" and self.decision.check(CANCEL) is None


_MISSING = {
    "pick": "Choose one first.",
    "some": "",
    "place": "Click the table where it goes.",
    "walk": "Click the table where the move ends.",
    "roll": "Type in the dice, or click their faces.",
    "other": "There is no answer yet.",
}


class Given(NamedTuple):
    """An answer: in words, whose it was, and whether only that player may know it."""

    words: str
    seat: Seat
    is_secret: bool


class GivenAnswers:
    """The answers since a match was opened, by their number in the game."""

    def __init__(self) -> None:
        self._known: dict[int, Given] = {}

    def take(self, number: int, decision: Decision[Any], answer: Any) -> None:
        """Note an answer that was taken."""
        self._known[number] = Given(told_answer(decision, answer), decision.seat, secrecy.is_secret(decision, answer))

    def at(self, number: int) -> Given | None:
        return self._known.get(number)

    def forget(self, count: int) -> None:
        """The game has gone back to *count* answers."""
        self._known = {number: given for number, given in self._known.items() if number < count}

    def last_words(self, count: int) -> str:
        """The last of *count* answers that was somebody's and no roll, if it is known."""
        for number in range(count - 1, -1, -1):
            given = self._known.get(number)
            if given is None or given.seat != "chance":
                return given.words if given is not None else ""
        return ""
