"""Games told in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ktsim.game.game import Game
from ktsim.rules.events import ActionBegan, ActionEnded, ActivationBegan, Event, PhaseBegan

INDENT = {PhaseBegan: 0, ActivationBegan: 1, ActionBegan: 2}


def tell(game: Game, events: Iterable[Event]) -> Iterator[str]:
    """One line per event worth telling, indented by phase, activation and action."""
    depth = 0
    for event in events:
        if isinstance(event, ActionEnded):
            depth = min(depth, 2)
        here = INDENT.get(type(event), depth)
        if words := event.words(game.battle.name):
            yield "  " * here + words
        if type(event) in INDENT:
            depth = here + 1
