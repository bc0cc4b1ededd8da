"""Games told in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ktsim.game.game import Game
from ktsim.rules.engine.events import Event, PhaseBegan
from ktsim.rules.engine.operative_events import ActionBegan, ActionCancelled, ActionEnded, ActivationBegan

INDENT = {PhaseBegan: 0, ActivationBegan: 1, ActionBegan: 2}


class Teller:
    """Tells events as they come, one line each, indented by phase, activation and action."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._depth = 0

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        for event in events:
            if isinstance(event, (ActionEnded, ActionCancelled)):
                self._depth = min(self._depth, 2)
            here = INDENT.get(type(event), self._depth)
            if words := event.words(self._game.battle.name):
                yield "  " * here + words
            if type(event) in INDENT:
                self._depth = here + 1


def tell(game: Game, events: Iterable[Event]) -> Iterator[str]:
    """A stretch of events in words."""
    return Teller(game).tell(events)
