"""Who looks at the screen: of two players one alone at times, and the table is covered until the right one has it."""

from __future__ import annotations

from typing import Any

from ktsim.app.play.saves import HUMAN, Agreement
from ktsim.game import secrecy
from ktsim.game.game import Game
from ktsim.game.secrecy import Viewer
from ktsim.rules.engine.decisions import Decision
from ktsim.rules.engine.state import SIDES


class Privacy:
    """Whose eyes the pending decision of a game is for; a person who plays alone sees its own secrets at any time."""

    def __init__(self, game: Game, is_hot_seat: bool) -> None:
        self.is_hot_seat = is_hot_seat
        self._game = game
        self._accepted = self._peeking = -1
        """At so many answers the right player has the screen, or looks at what only it may see."""

    @property
    def is_private(self) -> bool:
        """Whether what is pending is for the eyes of one of two players at this screen."""
        decision = self._game.pending
        return decision is not None and self.is_hot_seat and (decision.secret or self.is_peeking)

    @property
    def is_covered(self) -> bool:
        """Whether the screen must be handed over before the question may be seen."""
        return self.is_private and self._accepted != len(self._game.answers)

    @property
    def is_peeking(self) -> bool:
        """Whether a player looks at what only it may see, beside what anybody may."""
        return self._peeking == len(self._game.answers)

    @property
    def may_peek(self) -> bool:
        """Whether to offer that. Offered wherever there could be something, so that offering it tells nothing."""
        decision = self._game.pending
        return decision is not None and self.is_hot_seat and secrecy.is_veiled(decision, None)

    @property
    def viewer(self) -> Viewer:
        """Who sees what is shown of the pending decision: its player, or whoever looks at a screen two share."""
        decision = self._game.pending
        if decision is None or decision.seat == "chance" or (self.is_hot_seat and not self.is_private):
            return None
        return decision.seat

    def peek(self, is_wanted: bool) -> None:
        self._peeking = len(self._game.answers) if is_wanted else -1
        self._accepted = -1

    def accept(self) -> None:
        """The right player has the screen."""
        self._accepted = len(self._game.answers)

    def went_back(self) -> None:
        """The game stands elsewhere than it did: nobody is known to have the screen."""
        self._accepted = self._peeking = -1

    def answered(self, decision: Decision[Any]) -> None:
        """A decision was answered. Who goes on with secrets keeps the screen: nobody else has seen anything between."""
        asked = self._game.pending
        goes_on = asked is not None and asked.secret and decision.secret and asked.seat == decision.seat
        if goes_on and self._accepted == len(self._game.answers) - 1:
            self._accepted += 1


def own_eyes(agreement: Agreement) -> Viewer:
    """Who looks at the screen whoever is asked: the one person who plays, or nobody in particular."""
    people = [side for side in SIDES if agreement.player(side) == HUMAN]
    return people[0] if len(people) == 1 else None
