"""The score sheet in words: who scored what, when and why."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import SIDES, ScoreLine, Side

OPS = ("crit", "kill", "tac", "primary")


def score_sheet(battle: Battle) -> list[str]:
    """A table of VP by op and turning point for each side, each followed by what every line was for."""
    turns = battle.edition.turning_points
    heads = "".join(f"{f'TP{turn}':>5}" for turn in range(1, turns + 1))
    lines = [f"{'Score':<28}{heads}{'end':>5}{'VP':>5}"]
    for side in SIDES:
        lines += _table(battle, side, turns)
    for side in SIDES:
        own = [line for line in battle.state.sheet if line.side == side]
        lines += ["", f"{battle.name(side)}:"]
        lines += [f"  {_when(line)}: {line.amount}VP, {line.reason}" for line in own] or ["  no VP"]
    return [*lines, "", *rules_line(battle)] if rules_line(battle) else lines


def rules_line(battle: Battle) -> list[str]:
    """As of which date the game is played (KT24-DATED); nothing in an edition that is not corrected any more."""
    return [f"Rules as of {battle.rules_as_of}."] if battle.edition.id == "kt24" else []


def _table(battle: Battle, side: Side, turns: int) -> list[str]:
    sheet = [line for line in battle.state.sheet if line.side == side]
    found = [_row(battle.name(side), sheet, turns)]
    ops = [op for op in OPS if any(line.op == op for line in sheet)]
    return found + [_row(f"  {op} op", [line for line in sheet if line.op == op], turns) for op in ops]


def _row(name: str, sheet: list[ScoreLine], turns: int) -> str:
    cells = [sum(o.amount for o in sheet if o.turning_point == turn and not o.at_end) for turn in range(1, turns + 1)]
    cells.append(sum(line.amount for line in sheet if line.at_end))
    shown = "".join(f"{cell or '-':>5}" for cell in cells)
    return f"{name[:28]:<28}{shown}{sum(cells):>5}"


def _when(line: ScoreLine) -> str:
    return "end of the battle" if line.at_end else f"turning point {line.turning_point}"
