"""The kill op: VP for enemies incapacitated, by grades."""

from __future__ import annotations

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.state import SIDES, OperativeState, Side, other
from ktsim.rules.kt24.ops.op import Op

GRADES = 5


def needed(enemies: int, grade: int) -> int:
    """How many of so many starting enemies make a grade: that many fifths of them, to the nearest whole, at least 1.

    This is the printed table from 5 to 14 enemies, and goes on beyond both its ends.
    """
    return max(1, (2 * grade * enemies + GRADES) // (2 * GRADES))


def grade_of(enemies: int, incapacitated: int) -> int:
    """The highest grade reached."""
    return sum(incapacitated >= needed(enemies, grade) for grade in range(1, GRADES + 1)) if enemies else 0


class KillOp(Op):
    """Every enemy incapacitated counts, whoever or whatever did it, from the first turning point on."""

    key, kind, name, id = "kill", "kill", "Kill op", "KT24-OP-KILL"
    text = "1VP for each grade of enemies incapacitated, and 1VP at the end for the higher grade."
    first_scored = 1

    def grade(self, battle: Battle, side: Side) -> int:
        enemies = [o for o in battle.state.operatives.values() if o.side == other(side) and battle.counts_for_kills(o)]
        return grade_of(len(enemies), sum(who.is_incapacitated for who in enemies))

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        side = other(who.side)
        grade = self.grade(battle, side)
        for reached in range(battle.state.scored(side, self.kind) + 1, grade + 1):
            yield from self.score(battle, side, 1, f"grade {reached}")

    def battle_ends(self, battle: Battle) -> Steps[None]:
        for side in SIDES:
            if self.grade(battle, side) > self.grade(battle, other(side)):
                yield from self.score(battle, side, 1, "the higher grade", at_end=True)
