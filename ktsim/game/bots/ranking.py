"""Plans for an activation, and the best of them found without weighing the others to their end.

The dearest part of a plan's worth is what shots may do to the operative where it ends: it is looked into only for plans
that could be among the best even if nobody shot at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from heapq import heappop, heappush
from typing import NamedTuple

from ktsim.game.bots.estimates import Outlook
from ktsim.geometry.plane import length
from ktsim.rules.engine.state import OrderName, Point, State

ELSEWHERE = 3.0
"""Inches between the ends of two plans from which they are two, though the actions are the same."""
KEPT = 6
"""Plans of which the state they lead to is kept."""
ROUNDING = 1e-6
"""VP by which sums of the same, added up in another order, never differ."""


class PlannedAction(NamedTuple):
    """One action of a plan: for a move where to, for an attack at whom and with what."""

    action: str
    place: Point | None = None
    target: str = ""
    weapon: str = ""
    is_secret: bool = False
    """Whether that it can be done is for its own player to know."""


class Course(NamedTuple):
    """A plan for the rest of an activation. *value* in VP is for comparing; *attack*, *score* and *danger* are parts of
    it, against staying as it is."""

    value: float
    order: OrderName
    steps: tuple[PlannedAction, ...]
    attack: float = 0.0
    score: float = 0.0
    danger: float = 0.0
    threats: tuple[str, ...] = ()
    goal: str = ""
    state: State | None = None
    """The state it leads to, as if its attacks had come to nothing; kept of the best only."""
    attacks: tuple[tuple[str, float, Outlook], ...] = ()

    @property
    def first(self) -> PlannedAction | None:
        return self.steps[0] if self.steps else None

    def place(self) -> Point | None:
        """Where it ends, if it moves."""
        return next((step.place for step in reversed(self.steps) if step.place is not None), None)

    def differs(self, other: Course) -> bool:
        """Whether it is another plan, and not the same with slightly other places."""
        mine, theirs = ((c.order, [(s.action, s.target) for s in c.steps]) for c in (self, other))
        here, there = self.place(), other.place()
        return mine != theirs or (here is not None and there is not None and gap(here, there) > ELSEWHERE)


class Threatened:
    """What may be done to an operative where it stands, in the *state* that was first asked about: Charges, which
    bring less than there is to fear, and once that is looked into everything (*found*)."""

    def __init__(self, state: State, charges: dict[str, float]) -> None:
        self.state, self.charges = state, charges
        self.found: dict[str, float] | None = None


class Leaf(NamedTuple):
    """A plan with all that makes its worth but the danger where it ends."""

    state: State
    order: OrderName
    steps: tuple[PlannedAction, ...]
    attacks: tuple[tuple[str, float, Outlook], ...]
    lost: float
    """The chance that it does not live to its end."""
    score: float
    drawn: float
    """What its place brings."""
    threatened: Threatened


def best_first(
    leaves: Sequence[Leaf], most: Callable[[Leaf], float], weigh: Callable[[Leaf], Course]
) -> Iterator[Course]:
    """The plans, the best first, the shorter of equals, as if all were weighed and sorted. *most* is what a plan cannot
    be worth more than; only those are weighed of which that does not say that they come later."""
    hopes = [most(leaf) for leaf in leaves]
    waiting = sorted(range(len(leaves)), key=lambda number: hopes[number])
    weighed: list[tuple[float, int, tuple[PlannedAction, ...], int, Course]] = []
    for place in range(len(leaves)):
        while waiting and (not weighed or hopes[waiting[-1]] + ROUNDING >= -weighed[0][0]):
            number = waiting.pop()
            course = weigh(leaves[number])
            heappush(weighed, (-course.value, len(course.steps), course.steps[:1], number, course))
        course = heappop(weighed)[-1]
        yield course if place < KEPT else course._replace(state=None)


def gap(one: Point, two: Point) -> float:
    """Inches between two places, as seen from above."""
    return length(one[0] - two[0], one[1] - two[1]) / 1000


def dreaded(threats: dict[str, float]) -> dict[str, float]:
    """Those that are worth a thought."""
    return {id: threat for id, threat in threats.items() if threat > 0.1}
