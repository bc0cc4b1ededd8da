"""What a bot is to those who choose one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ktsim.game.players import Blindfolded, Player


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: its name, what it does in a sentence, and how to make one.

    Calling it makes one from a seed, which knows no secrets but its own; *level* and *seconds* are for those that know
    levels and a clock.
    """

    name: str
    text: str
    make: Callable[[int | str, str, float | None], Player]

    def __call__(self, seed: int | str, level: str = "normal", seconds: float | None = None) -> Blindfolded:
        return Blindfolded(self.make(seed, level, seconds))
