"""Drives a rule procedure: one question at a time, every answer kept."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from copy import copy
from enum import Enum
from typing import Any, NamedTuple

from ktsim.game import secrecy
from ktsim.game.secrecy import SeenEvents, Viewer
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.by_hand import RENEWED, deed_of, event_of, is_deed, refuses_deed
from ktsim.rules.engine.decisions import AskAgain, Decision, Steps
from ktsim.rules.engine.events import Event, Settled
from ktsim.rules.engine.state import State
from ktsim.rules.engine.turn import course


class IllegalAnswer(ValueError):
    """The answer breaks a rule; the message says which."""


class Disclosure(Enum):
    """What an answer has done to what is known; only after an *open* one can the game go back without agreement."""

    OPEN = "0"
    HIDDEN = "1"
    """It came from chance or to a secret question."""
    REVEALING = "2"
    """A player's own, openly given, and it brought something secret to light."""


class Checkpoint(NamedTuple):
    """The state after so many answers and events, with nothing in progress."""

    answers: int
    events: int
    state: State


class Snapshot(NamedTuple):
    """A settled state on the way: the answers up to there, and what each did to what is known."""

    answers: Sequence[Any]
    disclosures: Sequence[Disclosure]
    state: State


class Game:
    """A running game: everything in it follows from the initial state and ``answers``.

    ``disclosures`` says of each answer what it did to what is known.
    """

    def __init__(
        self,
        battle: Battle,
        state: State,
        procedure: Callable[[Battle], Steps[Any]] = course,
        snapshot: Snapshot | None = None,
    ) -> None:
        """A game from its initial *state*; with a *snapshot* it goes on there.

        ``events`` then begins at the snapshot, until the game is rewound to before it.
        """
        self.battle = battle
        self._procedure = procedure
        self.answers: list[Any] = []
        self.disclosures: list[Disclosure] = []
        self.events: list[Event] = []
        self._checkpoints = [Checkpoint(0, 0, state.copy())]
        self.pending: Decision[Any] | None = None
        self.outcome: Any = None
        self._whole: Game | None = None
        self._viewer: Viewer = None
        """Of a game as somebody sees it: the game itself, and who sees it."""
        self._seen: dict[Viewer, SeenEvents] = {}
        if snapshot is not None:
            self.answers, self.disclosures, state = list(snapshot.answers), list(snapshot.disclosures), snapshot.state
            self._checkpoints.append(Checkpoint(len(self.answers), 0, state.copy()))
        self._resume(state.copy())

    @property
    def state(self) -> State:
        return self.battle.state

    @property
    def start(self) -> State:
        """The state the game began from."""
        return self._checkpoints[0].state.copy()

    def submit(self, answer: Any) -> list[Event]:
        """Answer the pending decision, or do something by hand (``ktsim.rules.engine.by_hand``), and return what
        happened; raises :class:`IllegalAnswer`."""
        if self.pending is None:
            raise IllegalAnswer("The game is over.")
        if (reason := self.refuses(answer)) is not None:
            raise IllegalAnswer(reason)
        before = len(self.events)
        is_hidden = (self.pending.seat == "chance" or self.pending.secret) and not is_deed(answer)
        self._take(answer)
        told = self.events[before:]
        known = Disclosure.REVEALING if secrecy.reveals(told) else Disclosure.OPEN
        self.disclosures.append(Disclosure.HIDDEN if is_hidden else known)
        return told

    def refuses(self, answer: Any) -> str | None:
        """Why something cannot be answered, or done by hand, now."""
        if not is_deed(answer):
            return "The game is over." if self.pending is None else self.pending.check(answer)
        try:
            deed = deed_of(answer)
        except ValueError as error:
            return str(error)
        assert deed is not None
        return refuses_deed(self.battle, self.pending, deed, self.is_between)

    @property
    def is_between(self) -> bool:
        """Whether nothing is in progress but, perhaps, an activation between two actions."""
        point = self._checkpoints[-1]
        is_settled = (point.answers, point.events) == (len(self.answers), len(self.events))
        return is_settled or (self.pending is not None and self.pending.topic in RENEWED)

    def _take(self, answer: Any) -> None:
        """Go on with an answer, or with something done by hand, after which the question may be another."""
        deed, is_between = deed_of(answer), self.is_between
        self.answers.append(answer)
        if deed is None:
            self._advance(answer)
            return
        done = event_of(self.battle, deed)
        done.apply(self.state)
        self.events.append(done)
        if is_between:
            self._run(lambda: self._steps.throw(AskAgain()))

    def rewind(self, count: int) -> None:
        """Go back to when *count* answers had been given: the nearest checkpoint before, then replay."""
        if not 0 <= count <= len(self.answers):
            raise ValueError(f"cannot go back to answer {count} of {len(self.answers)}")
        at = bisect_right(self._checkpoints, count, key=lambda point: point.answers)
        del self._checkpoints[at:]
        point = self._checkpoints[-1]
        again = self.answers[point.answers : count]
        del self.answers[point.answers :], self.events[point.events :], self.disclosures[count:]
        self._seen = {}
        self._resume(point.state.copy())
        for answer in again:
            self._take(answer)

    def fork(self) -> Game:
        """A game of its own that stands where this one does: answers to one are none to the other.

        That of a game as somebody sees it goes on without the secrets of others, as if there were none.
        """
        whole = self if self._whole is None else self._whole
        twin = copy(whole)
        twin.battle = self.battle.twin()
        twin.answers, twin.disclosures, twin.events = list(whole.answers), list(whole.disclosures), list(self.events)
        twin._checkpoints = list(whole._checkpoints)
        if self._whole is not None:
            last = twin._checkpoints[-1]
            hidden = secrecy.hidden_from(whole.state, self._viewer)
            twin._checkpoints[-1] = last._replace(state=secrecy.seen_state(last.state.copy(), hidden))
        twin.rewind(len(twin.answers))
        return twin

    def seen_by(self, viewer: Viewer) -> Game:
        """The game as it stands, to be looked at by somebody who knows no secrets but its own. It cannot be played; a
        fork of it can."""
        twin, hidden = copy(self), secrecy.hidden_from(self.state, viewer)
        twin._whole, twin._viewer, twin._seen = self, viewer, {}
        twin.battle = copy(self.battle)
        twin.battle.state = secrecy.seen_state(self.state.copy(), hidden)
        twin.events = self._seen.setdefault(viewer, SeenEvents()).of(self.events, hidden)
        answers = zip(self.answers, self.disclosures, strict=True)
        twin.answers = [None if each is Disclosure.HIDDEN else answer for answer, each in answers]
        twin.pending = None if self.pending is None else secrecy.shown(self.pending, viewer)
        del twin._steps
        return twin

    def digest(self) -> str:
        return self.state.digest()

    def last_checkpoint(self) -> Checkpoint:
        return self._checkpoints[-1]

    def _resume(self, state: State) -> None:
        self.battle.state = state
        self.battle.forget()
        self.outcome = None
        self._steps = self._procedure(self.battle)
        self._advance(None)

    def _advance(self, answer: Any) -> None:
        self._run(lambda: self._steps.send(answer))

    def _run(self, begin: Callable[[], Decision[Any] | Event]) -> None:
        """Apply what happens until somebody is asked; *begin* is the first step."""
        self.pending = None
        try:
            step = begin()
            while isinstance(step, Event):
                step.apply(self.state)
                self.events.append(step)
                if isinstance(step, Settled):
                    self._keep()
                step = next(self._steps)
            self.pending = step
        except StopIteration as stop:
            self.outcome = stop.value

    def _keep(self) -> None:
        """Keep a checkpoint; one for each number of answers is enough, but never lose the first."""
        if len(self._checkpoints) > 1 and self._checkpoints[-1].answers == len(self.answers):
            self._checkpoints.pop()
        self._checkpoints.append(Checkpoint(len(self.answers), len(self.events), self.state.copy()))
