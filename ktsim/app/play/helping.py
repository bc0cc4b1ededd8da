"""Help at a game: setting up without placing everything oneself, and bots that think beside the window."""

from __future__ import annotations

from random import Random
from typing import Any

from ktsim.game.secrecy import Viewer
from ktsim.game.session import Session
from ktsim.game.thinking import Thinker, Thought
from ktsim.rules.engine.decisions import Decision, Pick, Place
from ktsim.rules.engine.state import Seat

BETWEEN = ("item", "set up next", "turn", "order", "grenade")
"""Topics of choices that come with placing: what is placed next, how it is turned, which order or grenade one has."""


def is_placing(decision: Decision[Any], phase: str) -> bool:
    """Whether a question of set-up only asks for a place, or what belongs to one."""
    if phase != "set-up" or decision.secret:
        return False
    return isinstance(decision, Place) or (isinstance(decision, Pick) and decision.topic in BETWEEN)


def belongs_to_set_up(decision: Decision[Any], phase: str) -> bool:
    """Whether a player who is set up does not want to be asked: whatever is chosen before the battle, and what has to
    be chosen at its beginning and cannot be passed over."""
    if decision.seat == "chance":
        return False
    is_due = decision.topic == "gambit" and decision.default not in (None, "pass")
    return phase == "set-up" or decision.topic == "primary op" or is_due


def usual_answer(decision: Decision[Any], number: int) -> Any:
    """What is answered for a player who does not care: the default, the first choice, or else a place that the rules
    suggest, always the same one for the same question *number*. Raises ``ValueError`` where there is no place left."""
    if decision.default is not None:
        return decision.default
    if isinstance(decision, Pick):
        return decision.open_keys[0]
    return decision.sample(Random(number))


def is_passing(decision: Decision[Any]) -> bool:
    """Whether it is asked for a strategic gambit, which can be passed over."""
    return isinstance(decision, Pick) and decision.topic == "gambit" and decision.default == "pass"


def routine(decision: Decision[Any], phase: str) -> str:
    """What kind of question that a player may have answered to the end it is; empty for others."""
    return "placing" if is_placing(decision, phase) else "passing" if is_passing(decision) else ""


class Helped:
    """Whose placing or passing is done for them, and since which answer."""

    def __init__(self) -> None:
        self.seats: dict[Seat, str] = {}
        self._since: int | None = None

    def begin(self, seat: Seat, count: int, kind: str) -> None:
        """The rest of what *seat* is asked of a *kind* is answered for it, from *count* answers on."""
        self.seats[seat] = kind
        self._since = count

    def serves(self, decision: Decision[Any], phase: str) -> bool:
        """Whether the question is answered for its seat. A seat that is asked anything else is on its own again."""
        if decision.seat not in self.seats:
            return False
        if routine(decision, phase) == self.seats[decision.seat]:
            return True
        del self.seats[decision.seat]
        return False

    def interrupted(self) -> None:
        """A player has answered: what was placed before stays, and goes back one by one only."""
        self._since = None

    def stop(self) -> None:
        self.seats.clear()

    def given(self, count: int) -> int:
        """How many of *count* answers were given since help began and can be taken back together."""
        return max(0, count - self._since) if self._since is not None else 0


class Mind:
    """The bots of a match: they think in a process of their own, which is begun long before it is asked anything."""

    def __init__(self, session: Session, level: str, dice: Random) -> None:
        self._session, self._level, self._dice = session, level, dice
        self.thinker: Thinker | None = None

    @property
    def is_thinking(self) -> bool:
        return self.thinker is not None and self.thinker.is_thinking

    def prepare(self) -> Thinker:
        """Begin the process: that takes seconds."""
        if self.thinker is None:
            seed, start = self._dice.getrandbits(32), self._session.game.start
            self.thinker = Thinker(self._session.setup, seed=seed, level=self._level, start=start)
            self.thinker.prepare()
        return self.thinker

    def think(self, bot: str, viewer: Viewer, *, wants_plan: bool = False) -> Thought | None:
        """What *bot*, knowing what *viewer* may see, would answer to what is pending, once it knows."""
        thinker, game = self.prepare(), self._session.game
        thinker.ask(bot, game.answers, game.digest(), viewer, wants_plan=wants_plan)
        return thinker.poll()

    def stop(self) -> None:
        """Think no more about the present question."""
        if self.thinker is not None:
            self.thinker.stop()

    def close(self) -> None:
        if self.thinker is not None:
            self.thinker.close()
