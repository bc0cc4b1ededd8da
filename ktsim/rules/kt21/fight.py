"""The Fight action of 2021 (KT21-FIGHT), and how both retain their dice: nothing happens before hits are resolved."""

from __future__ import annotations

from ktsim.rules.engine.attack import Attack, Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.dice import retain
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.fight.combat import Combat, assisting
from ktsim.rules.engine.fight.stages import SHARED_STAGES, Duel, DuelStage, next_to_resolve, with_hand
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.weapons import make_hand, one_of_each
from ktsim.sight.scene import EPS

REAP_REACH = 1.0


class LiteFight(Combat):
    name, id, verb = "Fight", "KT21-FIGHT", "parry"

    def hand(self, battle: Battle, who: OperativeState, weapon: Profile, enemy: OperativeState) -> Steps[Hand]:
        hit = battle.hit(who, weapon, [friend.name for friend in assisting(battle, who, enemy)])
        if hit.changes:
            yield Told(f"{{0}}: WS {hit.words('+')}.", hit.changes[-1].rule, (who.id,))
        spoken = tuple(rule for rule in battle.weapon_rules(who, weapon, enemy) if rule.only != "ranged")
        rules = yield from one_of_each(who.side, spoken)
        hand = make_hand(battle, Attack(who, weapon, rules, hit, enemy))
        hand = hand._replace(cites=hand.cites._replace(dice=LiteFight.id, reroll=LiteFight.id))
        reap = max((rule.reap for rule in rules), default=0)
        return hand._replace(bystanders=reaped(battle, who, enemy, reap)) if reap else hand


def reaped(battle: Battle, who: OperativeState, enemy: OperativeState, amount: int) -> tuple[tuple[str, int], ...]:
    """KT21-W-REAP: the other enemies it sees within 1" of itself or of the one it fights."""
    state, table = battle.state, battle.table
    return tuple(
        (each.id, amount)
        for each in state.enemies(who.id)
        if each.id != enemy.id
        and not each.is_incapacitated
        and min(table.distance(state, one, each.id) for one in (who.id, enemy.id)) <= REAP_REACH + EPS
        and table.is_visible(state, who.id, each.id)
    )


def retain_both(duel: Duel) -> Steps[Duel]:
    """Both retain their hits. Who is incapacitated already, though still on the table, resolves none."""
    for index in (0, 1):
        hand = yield from retain(duel.hands[index])
        duel = with_hand(duel, index, hand)
    return next_to_resolve(duel._replace(stage="resolve"), duel.first_to_resolve)


DUEL_STAGES: dict[str, DuelStage] = {**SHARED_STAGES, "retain": retain_both}
