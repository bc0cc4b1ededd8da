"""What is shown of an answer after it was given: rolling dice, walking figures, a bot's answer to look at.

It decides nothing: the game has gone on already, and ending it early shows how things have been all along.
"""

from __future__ import annotations

from collections.abc import Callable

from ktsim.app.play.walking import Stand, Walk, Walking

DICE_SECONDS = 0.6


class Showing:
    """One thing after the other or together, until a time of *clock*; nothing where nobody wants animations."""

    def __init__(self, clock: Callable[[], float], is_animated: bool) -> None:
        self.is_animated = is_animated
        self._clock = clock
        self._until = 0.0
        self._walking: Walking | None = None

    @property
    def is_on(self) -> bool:
        return self._clock() < self._until

    @property
    def part(self) -> float:
        """How far what is shown has got, from 0 to 1."""
        left = self._until - self._clock()
        return 1.0 if left <= 0 else 1.0 - min(1.0, left / DICE_SECONDS)

    @property
    def walks(self) -> tuple[Walk, ...]:
        """The moves being shown."""
        return self._walking.walks if self._walking is not None and self.is_on else ()

    def places(self) -> dict[str, Stand]:
        """Where those who walk are to be seen now."""
        return self._walking.places(self._clock()) if self._walking is not None else {}

    def show(self, seconds: float) -> None:
        """Go on when that is over, and when whatever is shown already is."""
        if self.is_animated:
            self._until = max(self._until, self._clock() + seconds)

    def walk(self, walks: tuple[Walk, ...]) -> None:
        """Show moves that have been made."""
        self._walking = Walking.of(walks, self._clock()) if walks and self.is_animated else None
        if self._walking is not None:
            self.show(self._walking.seconds)

    def stop(self) -> None:
        self._until, self._walking = 0.0, None
