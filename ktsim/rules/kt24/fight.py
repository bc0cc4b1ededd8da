"""The Fight action of 2024, and how both retain their dice."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.attack import Attack, Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.dice import retain
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.fight.combat import Combat, assisting
from ktsim.rules.engine.fight.stages import SHARED_STAGES, Duel, DuelStage, hurt, next_to_resolve, with_hand
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.weapons import make_hand, one_of_each
from ktsim.rules.kt24.shoot import criticals_retained, run_hot


class Fight(Combat):
    name, id = "Fight", "KT24-FIGHT"

    def hand(self, battle: Battle, who: OperativeState, weapon: Profile, enemy: OperativeState) -> Steps[Hand]:
        hit = battle.hit(who, weapon, [friend.name for friend in assisting(battle, who, enemy)])
        if hit.changes:
            yield Told(f"{{0}}: Hit {hit.words('+')}.", hit.changes[-1].rule, (who.id,))
        rules = yield from one_of_each(who.side, battle.weapon_rules(who, weapon, enemy))
        return make_hand(battle, Attack(who, weapon, rules, hit, enemy))

    def ends(self, battle: Battle, hands: Sequence[tuple[OperativeState, Hand]]) -> Steps[None]:
        for user, hand in hands:
            if any(rule.is_hot for rule in hand.rules) and not user.is_incapacitated:
                yield from run_hot(user, hand.hit)


def retain_both(duel: Duel) -> Steps[Duel]:
    """Both retain their dice, the attacker first; retained criticals may inflict damage at once, Devastating with a
    distance on its own user too (KT24-W-DEVASTATING)."""
    for index in (0, 1):
        hand = yield from retain(duel.hands[index])
        damage = yield from criticals_retained(hand)
        duel = hurt(with_hand(duel, index, hand), 1 - index, damage)
        duel = hurt(duel, index, hand.backlash * hand.crits)
    return next_to_resolve(duel._replace(stage="resolve"), duel.first_to_resolve)


DUEL_STAGES: dict[str, DuelStage] = {**SHARED_STAGES, "retain": retain_both}
