"""``ktsim review FILE [--json]``: what each activation of a saved game was worth, and what would have been better."""

from __future__ import annotations

import argparse
import json
import shlex
import sys
from pathlib import Path

from ktsim.content.printable import printable
from ktsim.content.progress import ProgressLine
from ktsim.game.review.keeping import kept_review, review_path
from ktsim.game.review.review import GameReview, ReviewedActivation
from ktsim.rules.engine.state import SIDES

ROWS = 7
"""Of the curve in the terminal."""
WIDE = 72


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", help="a saved game")
    parser.add_argument("--json", action="store_true", help="print one object for other programs")


def run(args: argparse.Namespace) -> int:
    path = Path(args.file)
    line = ProgressLine()

    def heard(part: float, found: ReviewedActivation) -> None:
        line.say(f"{part:4.0%} reviewed, turning point {found.turning_point}")

    try:
        found = kept_review(path, heard)
    except KeyboardInterrupt:
        line.clear()
        if review_path(path).exists():
            print("What was judged is kept; the same command goes on from there.", file=sys.stderr)
        raise
    line.clear()
    if args.json:
        print(json.dumps(found.as_json(), indent=2, allow_nan=False))
    else:
        print("\n".join(told(found, path)))
    return 0


def told(found: GameReview, path: Path) -> list[str]:
    """The review in lines of words."""
    lines = [f"{'':>4} {'':<5} {'done':>6} {'best':>6} {'lost':>6} {'luck':>6}"]
    turning_point = 0
    for each in found.activations:
        if each.turning_point != turning_point:
            turning_point = each.turning_point
            lines.append(f"Turning point {turning_point}")
        numbers = f"{each.value:6.1f} {each.best:6.1f} {each.loss or 0.0:6.1f} {each.luck:+6.1f}"
        lines.append(f"{each.number:>4} {each.side:<5} {numbers}  {each.name}: {each.did}")
    lines += ["", "What the table was worth, VP of red less blue's:", *_curve(found.curve), ""]
    for side in SIDES:
        mine = found.statistics[side]
        held = "-".join(map(str, mine.objectives)) or "none"
        lines += [
            f"{found.names[side]} ({side}): {found.total(side, 'loss'):.1f} VP lost by choice, "
            f"{found.total(side, 'luck'):+.1f} by luck",
            f"  {mine.activations} activations, {mine.ap_unspent} AP unspent, {mine.shots} shots, "
            f"{mine.fights} fights, {mine.suffered_in_open} shots suffered in the open",
            f"  damage {mine.damage_rolled} of {mine.damage_expected:.1f} expected, "
            f"{mine.incapacitated} incapacitated, objectives held at the end of each turning point: {held}",
        ]
    for each in found.dearest():
        lines += ["", f"{each.number}. {each.side}, {each.words}"]
        file = shlex.quote(printable(str(path), 200))
        lines.append(f"   Play from here: ktsim play --text --load {file} --after {each.moment}")
    if found.note:
        lines += ["", found.note]
    return lines


def _curve(values: tuple[float, ...]) -> list[str]:
    """The curve as rows of characters, above and below nothing."""
    few = min(len(values), WIDE)
    shown = [values[round(i * (len(values) - 1) / max(1, few - 1))] for i in range(few)]
    most = max(1.0, *(abs(each) for each in values))
    rows = []
    for row in range(ROWS, -ROWS - 1, -1):
        level = row * most / ROWS
        filled = [0 < level <= each + 1e-9 or each - 1e-9 <= level < 0 for each in shown]
        cells = ["─" if row == 0 else "█" if is_filled else " " for is_filled in filled]
        rows.append(f"{level:+6.1f} {''.join(cells)}".rstrip())
    return rows
