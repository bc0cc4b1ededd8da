"""The part of a match that answers for a player who asks for it: placing in set-up, or all before the fighting."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ktsim.app.play.helping import Helped, belongs_to_set_up, routine, usual_answer
from ktsim.app.play.preparing import may_prepare, prepared_answer
from ktsim.app.play.saves import Agreement
from ktsim.app.play.tray import Rolled
from ktsim.game.game import Game
from ktsim.rules.engine.decisions import Decision

PREPARING = "preparing"
"""Everything up to the first activation is answered for a seat."""


class HelpedMatch(ABC):
    """A match in which questions may be answered for a player."""

    game: Game
    agreement: Agreement
    notice: str
    hint: str
    version: int
    rolls: list[Rolled]
    _helped: Helped
    _held: int
    _failed: int

    @property
    @abstractmethod
    def decision(self) -> Decision[Any] | None: ...

    @abstractmethod
    def asks_person(self, decision: Decision[Any]) -> bool: ...

    @abstractmethod
    def undo(self, *, is_agreed: bool = False) -> bool: ...

    @abstractmethod
    def _submit(self, answer: Any) -> bool: ...

    @property
    def may_help(self) -> bool:
        """Whether the pending question is one of placing or passing, put to a person."""
        decision = self.decision
        is_asked = decision is not None and decision.seat != "chance" and self.asks_person(decision)
        return is_asked and decision is not None and bool(routine(decision, self.game.state.phase))

    @property
    def may_prepare(self) -> bool:
        """Whether a person is asked something before the first activation."""
        decision = self.decision
        return decision is not None and self.asks_person(decision) and may_prepare(decision, self.game.battle)

    def help(self, *, is_all: bool = False) -> None:
        """Place the rest for the seat that is asked, or pass: whenever it is asked so, until something else is. With
        *is_all* answer everything up to the first activation."""
        decision = self.decision
        if decision is not None and (self.may_prepare if is_all else self.may_help):
            self.notice = self.hint = ""
            self._held = -1
            kind = PREPARING if is_all else routine(decision, self.game.state.phase)
            self._helped.begin(decision.seat, len(self.game.answers), kind)
            self.version += 1

    @property
    def helped(self) -> int:
        """How many answers :meth:`help` has led to that can be taken back together."""
        return self._helped.given(len(self.game.answers))

    def undo_help(self, *, is_agreed: bool = False) -> bool:
        """Take back everything that has happened since the last :meth:`help`; whether it was possible."""
        count = len(self.game.answers) - self.helped
        while len(self.game.answers) > count:
            if not self.undo(is_agreed=is_agreed):
                return False
        return True

    def _usual(self, decision: Decision[Any]) -> Any:
        """The usual answer to a question of placing, or None where there is no place."""
        try:
            return usual_answer(decision, len(self.game.answers))
        except ValueError:
            return None

    def _help_out(self, decision: Decision[Any], *, is_all: bool = False) -> bool:
        """Answer a question for its seat; whether that was possible."""
        count = len(self.game.answers)
        answer = self._usual(decision) if not is_all else prepared_answer(decision, self.game.battle, count)
        if answer is not None and self._failed != len(self.game.answers) and self._submit(answer):
            self.rolls.clear()  # as after an answer of its player's own: they belong to what is over
            return True
        self._helped.stop()
        self.notice = self.notice or "There is no place left to suggest."
        return False

    def _help_with(self, decision: Decision[Any]) -> bool | None:
        """Answer a question whose player has asked for that; whether it was possible, ``None`` where nobody has."""
        if self._held == len(self.game.answers):
            return None
        phase = self.game.state.phase
        is_all = self.agreement.is_set_up and belongs_to_set_up(decision, phase)
        if self._helped.seats.get(decision.seat) == PREPARING:
            is_all = is_all or may_prepare(decision, self.game.battle)
        if is_all:
            return self._help_out(decision, is_all=True)
        return self._help_out(decision) if self._helped.serves(decision, phase) else None
