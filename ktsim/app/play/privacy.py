"""What one of two players at one screen may see alone: the table is covered until the right one has the screen."""

from __future__ import annotations

from typing import Any

from ktsim.game.game import Game
from ktsim.rules.engine.decisions import Decision

MAY_HIDE = ("action", "gambit")
"""Topics whose choices may be known to one player only."""


class Privacy:
    """Whose eyes the pending decision of a game is for; in a game with one person nothing is hidden."""

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
        if decision is None or not self.is_hot_seat or decision.secret:
            return False
        hidden = any(getattr(option, "secret", False) for option in getattr(decision, "options", ()))
        return hidden or (decision.topic in MAY_HIDE and self._game.battle.mission.has_ops)

    def peek(self, is_wanted: bool) -> None:
        self._peeking = len(self._game.answers) if is_wanted else -1
        self._accepted = -1

    def accept(self) -> None:
        """The right player has the screen."""
        self._accepted = len(self._game.answers)

    def answered(self, decision: Decision[Any]) -> None:
        """A decision was answered. Who goes on with secrets keeps the screen: nobody else has seen anything between."""
        asked = self._game.pending
        goes_on = asked is not None and asked.secret and decision.secret and asked.seat == decision.seat
        if goes_on and self._accepted == len(self._game.answers) - 1:
            self._accepted += 1
