"""The primary op: one of the three pays half again at the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Chosen, Told, VpScored
from ktsim.rules.engine.rule import Gambit, Rule
from ktsim.rules.engine.state import SIDES, Side

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
        prompt = "Which op is the primary op? At the end it pays half of its VP again."
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
                yield VpScored(side, half, f"Primary op: the {KINDS[kind]} pays half again", "primary", self.id, True)
