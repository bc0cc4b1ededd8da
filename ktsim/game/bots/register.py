"""What a bot is to those who choose one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ktsim.game.players import Player


@dataclass(frozen=True)
class BotKind:
    """A kind of bot: its name, what it does in a sentence, and how to make one.

    Calling it makes one from a seed; *level* and *seconds* are for those that know levels and a clock.
    """

    name: str
    text: str
    make: Callable[[int | str, str, float | None], Player]

    def __call__(self, seed: int | str, level: str = "normal", seconds: float | None = None) -> Player:
        return self.make(seed, level, seconds)
