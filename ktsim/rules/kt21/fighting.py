"""One combat of 2021 (KT21-FIGHT): the shared stages; nothing happens before hits are resolved."""

from __future__ import annotations

from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.dice import retain
from ktsim.rules.engine.fight import stages as fighting
from ktsim.rules.engine.fight.stages import Duel, next_to_resolve, with_hand


def retain_both(duel: Duel) -> Steps[Duel]:
    """Both retain their hits. Who is incapacitated already, though still on the table, resolves none."""
    for index in (0, 1):
        hand = yield from retain(duel.hands[index])
        duel = with_hand(duel, index, hand)
    return next_to_resolve(duel._replace(stage="resolve"), duel.first_to_resolve)


STAGES = {**fighting.STAGES, "retain": retain_both}
