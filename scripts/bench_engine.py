"""What the engine costs: decisions and games a second, and the share spent asking the table.

Measured in processor time, so that a busy machine does not matter.
"""

from __future__ import annotations

import argparse
import time
from typing import Any

from ktsim.game.players import Sampler
from ktsim.game.setup import Setup, new_game

BOARDS = ("training-ground", "volkus-1", "gallowdark-1", "bheta-decima-1")
QUESTIONS = ("distance", "is_visible", "in_control_range", "reaches", "target_ruling")


class Timed:
    """A table that notes the time its questions take; questions within questions count once."""

    def __init__(self, table: Any) -> None:
        self._table, self.seconds, self._depth = table, 0.0, 0

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._table, name)
        if name not in QUESTIONS:
            return value

        def timed(*args: Any, **kwargs: Any) -> Any:
            if self._depth:
                return value(*args, **kwargs)
            self._depth, start = 1, time.process_time()
            try:
                return value(*args, **kwargs)
            finally:
                self.seconds += time.process_time() - start
                self._depth = 0

        return timed


def run(setup: Setup, games: int) -> tuple[int, float, float]:
    """Decisions, seconds, and seconds spent in the table."""
    decisions, in_table, start = 0, 0.0, time.process_time()
    for seed in range(games):
        game = new_game(setup)
        timed = Timed(game.battle.table)
        game.battle.table = timed  # type: ignore[assignment]
        sampler = Sampler(seed)
        while game.pending is not None:
            game.submit(sampler.answer(game.pending, game))
        decisions += len(game.answers)
        in_table += timed.seconds
    return decisions, time.process_time() - start, in_table


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--games", type=int, default=50, help="games on each board (default 50)")
    options.add_argument("--boards", nargs="*", default=list(BOARDS))
    options.add_argument("--table", choices=("sight", "plain"), default="sight", help="as for ktsim sim")
    args = options.parse_args()
    for board in args.boards:
        decisions, seconds, in_table = run(Setup(board=board, table=args.table), args.games)
        engine = seconds - in_table
        print(
            f"{board} ({args.table}): {decisions / engine:.0f} decisions a second without the table's answers, "
            f"{decisions / seconds:.0f} with them, {args.games / seconds:.2f} games a second, "
            f"{in_table / seconds:.0%} spent in the table"
        )


if __name__ == "__main__":
    main()
