"""Every kind of drill, and making new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from random import Random

from ktsim.game.drills import places, scoring, shots
from ktsim.game.drills.drill import Drill, DrillKind
from ktsim.game.drills.positions import positions

A_POSITION = 3
"""Drills taken from one position, each of another kind."""
TRIED = 6
"""Kinds tried with one position: where few questions arise the next one is worth more than the rest of them."""
KINDS: dict[str, DrillKind] = {kind.name: kind for kind in (*shots.KINDS, *places.KINDS, *scoring.KINDS)}


def new_drills(seed: str, kinds: Sequence[str] = ()) -> Iterator[Drill]:
    """Drills without end, the kinds that were tried and made least often first: one that seldom arises has its share of
    the work, not of the drills. The same seed gives the same ones."""
    rng = Random(f"drills {seed}")
    had: Counter[str] = Counter()
    wanted = list(kinds or KINDS)
    for position in positions(rng):
        found = 0
        for kind in sorted(wanted, key=lambda name: had[name])[:TRIED]:
            drill = KINDS[kind].propose(position, rng)
            had[kind] += 1
            if drill is not None:
                had[kind] += 1
                found += 1
                yield drill
                if found == A_POSITION:
                    break
