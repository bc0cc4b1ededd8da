"""A plan of the commander's played on a game of its own: whether every answer of it is legal, and the ways it goes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ktsim.game.bots.ranking import Course, PlannedAction
from ktsim.game.game import Game
from ktsim.game.rehearsal import usual_answer
from ktsim.game.review.watching import BEGINS
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Walk
from ktsim.rules.engine.operative_events import ActivationEnded
from ktsim.rules.engine.state import OrderName, Path

MOST = 200
"""Answers after which it is given up; no activation has so many."""
ATTACKS = ("Shoot", "Fight")


@dataclass(frozen=True)
class BetterStep:
    """One action of a plan: of a move the whole way, of an attack at whom and with what."""

    action: str
    path: Path = ()
    target: str = ""
    weapon: str = ""

    def as_json(self) -> dict[str, Any]:
        return {"action": self.action, "path": [list(each) for each in self.path]} | {
            name: value for name, value in (("target", self.target), ("weapon", self.weapon)) if value
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BetterStep:
        path = tuple((int(x), int(y), int(z)) for x, y, z in data["path"])
        return cls(str(data["action"]), path, str(data.get("target", "")), str(data.get("weapon", "")))


@dataclass(frozen=True)
class BetterPlan:
    """What somebody could have done: who, on which order, what one after the other; in words, and its value in VP."""

    operative: str
    order: OrderName
    steps: tuple[BetterStep, ...]
    words: str

    def as_json(self) -> dict[str, Any]:
        steps = [step.as_json() for step in self.steps]
        return {"operative": self.operative, "order": self.order, "steps": steps, "words": self.words}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> BetterPlan:
        order: OrderName = "engage" if data["order"] == "engage" else "conceal"
        steps = tuple(map(BetterStep.from_json, data["steps"]))
        return cls(str(data["operative"]), order, steps, str(data["words"]))


class _NotPossible(Exception):
    """The plan cannot be played."""


def carried_out(game: Game, id: str, course: Course, words: str) -> BetterPlan | None:
    """The plan with its ways, if *game* (where somebody is about to act) lets it be played to its end; else None.

    Nothing happens to the game. Dice fall so that nothing much comes of them; what an attack made impossible all the
    same is no fault of the plan.
    """
    try:
        return _Performance(game.fork(), id, course).plan(words)
    except _NotPossible:
        return None


class _Performance:
    def __init__(self, game: Game, id: str, course: Course) -> None:
        self.game, self.id, self.course = game, id, course
        self.left = list(course.steps)
        self.now: PlannedAction | None = None
        self.done: list[BetterStep] = []
        self.has_attacked = False

    def plan(self, words: str) -> BetterPlan:
        told = len(self.game.events)
        for _ in range(MOST):
            pending = self.game.pending
            if pending is None or any(isinstance(each, ActivationEnded) for each in self.game.events[told:]):
                break
            answer = self.answer(pending)
            if pending.check(answer) is not None:
                raise _NotPossible
            self.game.submit(answer)
        if (self.left and not self.has_attacked) or self.game.state.operatives[self.id].order != self.course.order:
            raise _NotPossible  # an order may have been given for good (KT21-ACTIVATE)
        return BetterPlan(self.id, self.course.order, tuple(self.done), words)

    def answer(self, pending: Decision[Any]) -> Any:
        if isinstance(pending, Walk):
            return self.path(pending)
        if not isinstance(pending, Pick):
            return usual_answer(pending)
        if pending.topic in BEGINS:
            return self.id
        if pending.topic == "order":
            return self.course.order
        if pending.topic == "action":
            return self.action(pending)
        wanted = {"weapon": "weapon", "target": "target", "enemy": "target"}.get(pending.topic)
        key = getattr(self.now, wanted) if wanted is not None and self.now is not None else ""
        if not key:
            return usual_answer(pending)
        if key not in pending.open_keys:
            raise _NotPossible
        return key

    def action(self, pending: Pick) -> str:
        if not self.left:
            return "pass"
        self.now = self.left.pop(0)
        if self.now.action not in pending.open_keys:
            if not self.has_attacked:
                raise _NotPossible
            self.left.clear()
            return "pass"
        self.has_attacked = self.has_attacked or self.now.action in ATTACKS
        if self.now.place is None:
            self.done.append(BetterStep(self.now.action, (), self.now.target, self.now.weapon))
        return self.now.action

    def path(self, pending: Walk) -> Path:
        if self.now is None or self.now.place is None or pending.operative != self.id:
            return CANCEL if pending.check(CANCEL) is None else usual_answer(pending)
        table = self.game.battle.table
        path = table.mover.route(table, self.game.state, pending.about, self.now.place)
        if path == CANCEL:
            raise _NotPossible
        self.done.append(BetterStep(self.now.action, path))
        return path
