"""What is laid on the table to measure with, and stays until it is taken away: tapes and range rings."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypeAlias

from ktsim.sight.distances import between, to_disc
from ktsim.sight.scene import Scene

Point: TypeAlias = tuple[float, float, float]
End: TypeAlias = str | Point
"""An operative by its id, or a place."""


@dataclass(frozen=True)
class Tape:
    """A tape from one end to another; an end on an operative is measured from its base and follows it."""

    start: End
    end: End


@dataclass(frozen=True)
class RangeRing:
    """A ring so many inches around an operative's base, which follows it, or around a place."""

    around: End
    inches: float


Mark: TypeAlias = Tape | RangeRing
RANGES = (1.0, 2.0, 3.0, 6.0, 8.0, 12.0)


def is_there(scene: Scene, mark: Mark) -> bool:
    """Whether everyone the mark is attached to is on the table."""
    ends = (mark.start, mark.end) if isinstance(mark, Tape) else (mark.around,)
    ids = {one.id for one in scene.operatives}
    return all(end in ids for end in ends if isinstance(end, str))


def length(scene: Scene, tape: Tape) -> float:
    """What the tape says: base to base and around walls between operatives, as the rules measure."""
    start, end = tape.start, tape.end
    if isinstance(start, str) and isinstance(end, str):
        return 0.0 if start == end else between(scene, start, end)
    if isinstance(start, str) and not isinstance(end, str):
        return to_disc(scene, start, end, 0.0)
    if isinstance(end, str) and not isinstance(start, str):
        return to_disc(scene, end, start, 0.0)
    assert not isinstance(start, str)
    assert not isinstance(end, str)
    return math.dist(start, end)
