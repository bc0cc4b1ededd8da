"""Rules run on a copy of a battle, to see what would come of something: nothing of it happens in the game."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, TypeVar

from ktsim.rules.engine.decisions import Decision, Pick, PickSome, Roll, Steps
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.state import State

T = TypeVar("T")
Answerer = Callable[[Decision[Any]], Any]

MOST = 60
"""Questions after which a rehearsal is broken off: what is rehearsed is short."""


class Unfinished(RuntimeError):
    """A rehearsal that went on for too long."""


def usual_answer(decision: Decision[Any]) -> Any:
    """The default where it is legal, else the first that is offered; dice show threes and fours by turns."""
    if isinstance(decision, Roll):
        return tuple(3 + number % 2 for number in range(decision.count))
    if decision.default is not None and decision.check(decision.default) is None:
        return decision.default
    if isinstance(decision, Pick):
        return decision.open_keys[0]
    if isinstance(decision, PickSome):
        return tuple(option.key for option in decision.options if option.refusal is None)[: decision.least]
    return decision.sample(Random(0))


def rehearse(state: State, steps: Steps[T], answer: Answerer = usual_answer, most: int = MOST) -> T:
    """Run a procedure over *state* to its end and return what it returns; *answer* is asked what a game would ask.

    Raises :class:`Unfinished` after *most* questions; what the procedure itself raises comes through.
    """
    given: Any = None
    try:
        while True:
            step = steps.send(given)
            given = None
            if isinstance(step, Event):
                step.apply(state)
                continue
            if most <= 0:
                raise Unfinished(step.prompt)
            most -= 1
            given = answer(step)
    except StopIteration as stop:
        result: T = stop.value
        return result
