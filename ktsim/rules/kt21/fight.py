"""The Fight action: enemy, weapons, one combat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ktsim.rules.action import Action, Impossible
from ktsim.rules.decisions import Option, Steps, pick
from ktsim.rules.dice import Hand
from ktsim.rules.events import Told
from ktsim.rules.fight import announce, cannot_retaliate, choose_weapon, make_duel
from ktsim.rules.fighting import fight
from ktsim.rules.shoot import assisting, make_hand, one_of_each
from ktsim.rules.state import OperativeState
from ktsim.rules.team_file import Profile
from ktsim.sight.scene import EPS

if TYPE_CHECKING:
    from ktsim.rules.battle import Battle

REAP_REACH = 1.0


class Fight(Action):
    name, id = "Fight", "KT21-FIGHT"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return None if battle.engaged_with(who) else f"Fight: no enemy in {battle.edition.near}."

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        enemies = {enemy.id: enemy for enemy in battle.engaged_with(who)}
        if not enemies:
            raise Impossible(f"no enemy in {battle.edition.near}")
        options = [Option(id, f"{e.name} ({e.wounds} wounds)") for id, e in enemies.items()]
        enemy = yield from pick(who.side, "enemy", f"Whom does {who.name} fight?", options, enemies)
        yield from combat(battle, who, enemy)


def combat(battle: Battle, who: OperativeState, enemy: OperativeState) -> Steps[None]:
    """Both select a melee weapon, roll and resolve; also through a hatchway (KT21-HATCHFIGHT)."""
    mine = yield from choose_weapon(battle, who)
    theirs = None if cannot_retaliate(battle, enemy) else (yield from choose_weapon(battle, enemy))
    yield from announce(battle, (who, mine), (enemy, theirs), Fight.id)
    one = yield from hand_for(battle, who, mine, enemy)
    two = yield from hand_for(battle, enemy, theirs, who)
    duel = make_duel(battle, (who, one), (enemy, two))._replace(verb="parry")
    yield from fight(duel, battle.edition.duel_stages)


def hand_for(battle: Battle, who: OperativeState, weapon: Profile | None, enemy: OperativeState) -> Steps[Hand]:
    """Its attack dice; without a melee weapon it has none."""
    if weapon is None:
        return Hand(who.side, who.id, enemy.id, 0, 6, 0, 0, name=who.name, target_name=enemy.name)
    hit = battle.hit(who, weapon, [friend.name for friend in supporting(battle, who, enemy)])
    if hit.changes:
        yield Told(f"{{0}}: WS {hit.words('+')}.", hit.changes[-1].rule, (who.id,))
    spoken = tuple(rule for rule in battle.weapon_rules(who, weapon, enemy) if rule.only != "ranged")
    rules = yield from one_of_each(who.side, spoken)
    hand = make_hand(battle, who, weapon, hit, rules, enemy)
    reap = max((rule.reap for rule in rules), default=0)
    return hand._replace(bystanders=reaped(battle, who, enemy, reap)) if reap else hand


def supporting(battle: Battle, who: OperativeState, enemy: OperativeState) -> list[OperativeState]:
    """Friends in the enemy's engagement range and in no other enemy's; without a melee weapon they do not support."""
    return [
        friend
        for friend in assisting(battle, who, enemy)
        if any(weapon.kind == "melee" for weapon in battle.weapons(friend))
    ]


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
