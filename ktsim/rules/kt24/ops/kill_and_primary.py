"""The ops everybody has: the kill op, VP for enemies incapacitated by grades, and the primary op."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Chosen, Told, VpScored
from ktsim.rules.engine.rule import Gambit, Rule
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


KINDS = {"crit": "crit op", "kill": "kill op", "tac": "tac op"}


def primary_key(side: Side) -> str:
    """Under which key of ``State.choices`` the side's primary op is kept."""
    return f"{side}:primary op"


class PrimaryOp(Rule):
    """Chosen in secret as a strategic gambit of the first turning point; no player passes before having chosen."""

    name, id = "Primary op", "KT24-SCORE"

    def gambits(self, battle: Battle, side: Side) -> Sequence[Gambit]:
        if battle.state.turning_point != 1 or primary_key(side) in battle.state.choices:
            return ()
        perform = partial(self.choose, battle, side)
        return (Gambit("primary op", "Choose the primary op in secret", perform, rule="KT24-GAMBIT", is_due=True),)

    def choose(self, battle: Battle, side: Side) -> Steps[None]:
        options = [Option(kind, words.capitalize(), None, self.id) for kind, words in KINDS.items()]
        values = {kind: kind for kind in KINDS}
        prompt = "Which is your primary op? At the end of the battle it pays half of its VP again."
        kind = yield from pick(side, "primary op", prompt, options, values, secret=True)
        yield Chosen(primary_key(side), kind)
        yield Told("{0} has chosen a primary op.", "KT24-GAMBIT", (side,))

    def battle_ends(self, battle: Battle) -> Steps[None]:
        """Half of what it scored, rounded up, beyond the limit of an op."""
        for side in SIDES:
            kind = battle.state.choices.get(primary_key(side))
            if kind is None:
                continue
            yield Told(f"{{0}} reveals its primary op: the {KINDS[kind]}.", self.id, (side,))
            if half := (battle.state.scored(side, kind) + 1) // 2:
                yield VpScored(side, half, f"Primary op: half of the {KINDS[kind]} again", "primary", self.id, True)
