"""What the engine costs: seconds for a whole battle, the shares spent in sight and in moving and setting things up, and
decisions a second of what is left: the engine itself.

Measured in processor time, so that a busy machine does not matter. The first battle on each board is not counted: it
prepares the board, and compiles what has not been compiled yet.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ktsim.game.players import Purposeful, Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.rules.editions import MISSIONS
from ktsim.rules.engine.shapes import Surroundings

BOARDS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1")
PLAYERS = {"random": Sampler, "purposeful": Purposeful}
SIGHT = (
    *("distance", "distance_to", "is_visible", "in_control_range", "reaches", "sees_place", "sees_feature"),
    *("is_hidden_from_above", "target_ruling"),
)
MOVING = ("judge", "suggest", "refuses_to_stand", "places", "route")
PLACING = ("met", "nearest_way", "nearest_opening", "nearest_access", "leans_on", "supports", "parts_under", "faces")
"""Questions of equipment to the terrain about it."""


class Clock:
    """Notes the processor time some methods of an object take; questions within questions count once."""

    def __init__(self) -> None:
        self.seconds, self._depth = 0.0, 0

    @contextmanager
    def watching(self, thing: Any, names: tuple[str, ...]) -> Iterator[None]:
        before = {name: thing.__dict__.get(name) for name in names}
        for name in names:
            setattr(thing, name, self._timed(getattr(thing, name)))
        yield
        for name, method in before.items():
            if method is None:
                delattr(thing, name)
            else:
                setattr(thing, name, method)

    def _timed(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def timed(*args: Any, **kwargs: Any) -> Any:
            if self._depth:
                return method(*args, **kwargs)
            self._depth, start = 1, time.process_time()
            try:
                return method(*args, **kwargs)
            finally:
                self.seconds += time.process_time() - start
                self._depth = 0

        return timed


def play(setup: Setup, bot: str, seed: int) -> tuple[int, float, float, float]:
    """Decisions, and seconds in all, in sight and in moving."""
    start = time.process_time()
    game = new_game(setup)
    sight, moving = Clock(), Clock()
    table, player = game.battle.table, PLAYERS[bot](seed)
    with (
        sight.watching(table, SIGHT),
        moving.watching(table.mover, MOVING),
        moving.watching(Surroundings, PLACING),
    ):
        while game.pending is not None:
            game.submit(player.answer(game.pending, game))
    return len(game.answers), time.process_time() - start, sight.seconds, moving.seconds


def main() -> None:
    usual = Setup()
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=20, help="battles on each board (default 20)")
    options.add_argument("--boards", nargs="*", default=list(BOARDS))
    options.add_argument("--mission", choices=list(MISSIONS), default=usual.mission_name)
    options.add_argument("--bot", choices=list(PLAYERS), default="random")
    options.add_argument("--table", choices=("sight", "plain"), default="sight", help="as for ktsim sim")
    args = options.parse_args()
    for board in args.boards:
        setup = Setup(board=board, table=args.table, mission=args.mission)
        play(setup, args.bot, 0)
        rows = [play(setup, args.bot, seed) for seed in range(1, args.games + 1)]
        decisions, seconds, sight, moving = (sum(column) for column in zip(*rows, strict=True))
        print(
            f"{board} ({args.table}, {args.mission}): {seconds / args.games:.2f} s a battle, "
            f"at most {max(row[1] for row in rows):.2f} s; {sight / seconds:.0%} in sight, "
            f"{moving / seconds:.0%} in moving and setting up; {args.games / seconds:.2f} battles a second; "
            f"{decisions / (seconds - sight - moving):.0f} decisions a second without those",
            flush=True,
        )


if __name__ == "__main__":
    main()
