"""What is shown of an answer after it was given: rolling dice, figures on their way along the legs of the path that was
taken, a bot's answer to look at.

Nothing here decides anything: the state is final before the first step is drawn, and ending it early shows how things
have been all along."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise

from ktsim.app.stage.ways import Stand
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.operative_events import Moved, Stopped
from ktsim.rules.engine.state import Path, Point, State
from ktsim.sight.scene import Scene

SHORTEST, LONGEST = 0.25, 0.6
"""Seconds a move is shown, however short or long it is."""

SECONDS_AN_INCH = 0.08


@dataclass(frozen=True)
class ShownWalk:
    """One operative's way, from where it stood: *points* are the ends of its legs, of which each leads along a level or
    straight up or down."""

    operative: str
    points: Path

    @property
    def inches(self) -> float:
        return sum(math.dist(a, b) for a, b in pairwise(self.points)) / 1000

    @property
    def seconds(self) -> float:
        return min(max(self.inches * SECONDS_AN_INCH, SHORTEST), LONGEST)

    def at(self, part: float) -> Stand:
        """Where it is after a *part* of the time, from 0 to 1: it starts and stops gently."""
        left = self.inches * 1000 * part * part * (3 - 2 * part)
        for a, b in pairwise(self.points):
            far = math.dist(a, b)
            if left < far:
                x, y, level = (one + (two - one) * left / far for one, two in zip(a, b, strict=True))
                return x / 1000, y / 1000, level / 1000
            left -= far
        return _place(self.points[-1])


def _place(point: Point) -> Stand:
    x, y, level = point
    return x / 1000, y / 1000, level / 1000


def stands_of(state: State) -> dict[str, Point]:
    """Where everybody stands."""
    return {who.id: who.point for who in state.operatives.values() if who.is_in_killzone}


def walks_in(events: Iterable[Event], before: Mapping[str, Point]) -> tuple[ShownWalk, ...]:
    """The ways taken in *events* by those who stood somewhere *before*; several moves of one operative are one way."""
    ways: dict[str, Path] = {}
    so_far: dict[str, Path] = {}  # without the last move, of which somebody stopped went only a part
    for event in events:
        if isinstance(event, Moved) and event.operative in before:
            so_far[event.operative] = ways.get(event.operative, (before[event.operative],))
        if isinstance(event, Moved | Stopped) and event.operative in so_far:
            ways[event.operative] = (*so_far[event.operative], *event.path)
    found = (ShownWalk(who, points) for who, points in ways.items())
    return tuple(walk for walk in found if walk.inches > 0)


@dataclass(frozen=True)
class Walking:
    """Walks that began together when the clock said *began*; they end together after *seconds*."""

    walks: tuple[ShownWalk, ...]
    began: float
    seconds: float

    @classmethod
    def of(cls, walks: tuple[ShownWalk, ...], began: float, most: float = LONGEST) -> Walking:
        """Show *walks* from now on, for no longer than *most* seconds."""
        return cls(walks, began, min(most, max((walk.seconds for walk in walks), default=0.0)))

    def is_over(self, now: float) -> bool:
        return now >= self.began + self.seconds

    def places(self, now: float) -> dict[str, Stand]:
        """Where whoever is still on the way is to be seen; nobody when it is over."""
        if self.is_over(now):
            return {}
        part = max(0.0, (now - self.began) / self.seconds)
        return {walk.operative: walk.at(part) for walk in self.walks}


def on_the_way(scene: Scene, places: Mapping[str, Stand]) -> Scene:
    """The scene with some operatives shown elsewhere; the same one when nobody is."""
    if not places:
        return scene
    shown = []
    for one in scene.operatives:
        x, y, level = places.get(one.id, (one.x, one.y, one.level))
        shown.append(replace(one, x=x, y=y, level=level))
    return replace(scene, operatives=tuple(shown))


# ---- dice, walks and pauses together --------------------------------------------------------------------------
DICE_SECONDS = 0.6


class Showing:
    """One thing after the other or together, until a time of *clock*; nothing where nobody wants animations."""

    def __init__(self, clock: Callable[[], float], is_animated: bool) -> None:
        self.is_animated = is_animated
        self._clock = clock
        self._until = self._rolled = 0.0
        self._walking: Walking | None = None

    @property
    def is_on(self) -> bool:
        return self._clock() < self._until

    @property
    def is_rolling(self) -> bool:
        """Whether dice do not lie yet."""
        return self._clock() < self._rolled

    @property
    def part(self) -> float:
        """How far rolling dice have got, from 0 to 1."""
        left = self._rolled - self._clock()
        return 1.0 if left <= 0 else 1.0 - min(1.0, left / DICE_SECONDS)

    @property
    def walks(self) -> tuple[ShownWalk, ...]:
        """The moves being shown."""
        return self._walking.walks if self._walking is not None and self.is_on else ()

    def places(self) -> dict[str, Stand]:
        """Where those who walk are to be seen now."""
        return self._walking.places(self._clock()) if self._walking is not None else {}

    def show(self, seconds: float) -> None:
        """Go on when that is over, and when whatever is shown already is."""
        if self.is_animated:
            self._until = max(self._until, self._clock() + seconds)

    def roll(self) -> None:
        """Show dice that were rolled."""
        self.show(DICE_SECONDS)
        if self.is_animated:
            self._rolled = self._clock() + DICE_SECONDS

    def walk(self, walks: tuple[ShownWalk, ...]) -> None:
        """Show moves that have been made."""
        self._walking = Walking.of(walks, self._clock()) if walks and self.is_animated else None
        if self._walking is not None:
            self.show(self._walking.seconds)

    def stop(self) -> None:
        self._until, self._rolled, self._walking = 0.0, 0.0, None
