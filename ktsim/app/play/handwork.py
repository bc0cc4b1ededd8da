"""What the players of a match do by hand: deeds in place of answers, and dice rolled again."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from random import Random
from typing import Any

from ktsim.app.play.draft import GivenAnswers
from ktsim.app.play.saves import Agreement
from ktsim.app.play.tray import Rolled
from ktsim.game.game import Game
from ktsim.game.session import Session
from ktsim.rules.engine.by_hand import Deed
from ktsim.rules.engine.decisions import Decision
from ktsim.rules.engine.state import Side


class HandWork(ABC):
    """The part of a match that takes deeds."""

    game: Game
    session: Session
    agreement: Agreement
    notice: str
    _dice: Random
    _given: GivenAnswers
    _held: int

    @property
    @abstractmethod
    def decision(self) -> Decision[Any] | None:
        """What is asked."""

    @abstractmethod
    def _go(self, step: Callable[[], object]) -> bool:
        """Go to another moment of the game; whether it was possible."""

    def by_hand(self, deed: Deed) -> bool:
        """Do something by hand, whatever is asked; whether it was possible. Otherwise :attr:`notice` says why not."""
        decision, count = self.decision, len(self.game.answers)
        if decision is None or (why := self.game.refuses(deed.answer)) is not None:
            self.notice = "The game is over." if decision is None else str(why)
            return False
        done = self._go(lambda: self.session.submit(deed.answer))
        if done:
            self._given.take(count, decision, deed.answer)
            self._held = -1
        return done

    def roll_again(self, rolled: Rolled, die: int, by: Side, reason: str) -> bool:
        """Have one die of a roll rolled again by hand, or typed in again; whether it was possible."""
        faces = list(rolled.faces)
        told = f"{rolled.prompt}: a die that shows {faces[die]} is rolled again"
        faces[die] = self._dice.randint(1, 6)
        again = tuple(faces) if self.agreement.dice == "rolled" else None
        deed = Deed(by, reason, "note", "", (told,))
        return self._go(lambda: self.session.roll_again(rolled.number, deed, again))
