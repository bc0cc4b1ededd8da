"""A weapon as it is used now: whether it can be, which of its rules count, its dice, who stands near its target."""

from __future__ import annotations

from dataclasses import replace

from ktsim.rules.engine.attack import Attack, Hand, Rules, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.sight.scene import EPS


def forbidden_use(battle: Battle, who: OperativeState, weapon: Profile, rules: Rules) -> str | None:
    """Why one of *rules*, which it has, or a rule in force keeps the weapon from being used now, if one does."""
    reasons = (rule.forbids_use(battle.state, who, weapon.key) for rule in rules)
    own = next((why for why in reasons if why is not None), None)
    return own or battle.forbids_weapon(who, weapon)


def one_of_each(side: Side, rules: Rules) -> Steps[Rules]:
    """A rule twice on one weapon helps once: of different x its user chooses one. (Accurate differs.)"""
    kinds: dict[type[WeaponRule], list[WeaponRule]] = {}
    for rule in rules:
        kinds.setdefault(type(rule), []).append(rule)
    kept: list[WeaponRule] = []
    for same in kinds.values():
        if len(same) == 1 or same[0].adds_up:
            kept += same
            continue
        options = [Option(rule.text, rule.text) for rule in same]
        values = {rule.text: rule for rule in same}
        kept.append(
            (yield from pick(side, "which rule", "The weapon has the rule twice: which counts?", options, values))
        )
    return tuple(kept)


def with_rules_against(battle: Battle, attack: Attack) -> Steps[Attack]:
    """The attack with the rules its weapon has against this target only, and those it has come to have."""
    who, weapon, target = attack.who, attack.weapon, attack.target
    lost, more = list(battle.weapon_rules(who, weapon) if attack.had is None else attack.had), []
    for own in battle.weapon_rules(who, weapon, target, attack.ruling):
        if own in lost:
            lost.remove(own)
        else:
            more.append(own)
    for rule in battle.having("weapon_rules_against"):
        if texts := rule.weapon_rules_against(battle, who, weapon, target):
            yield Told(f"{weapon.name} has {', '.join(texts)} against {{0}}.", rule.id, (target.id,))
    for gone in lost:
        yield Told(f"{weapon.name} has no {gone.text} against {{0}}.", gone.id, (target.id,))
    if not more and not lost:
        return attack
    kept = tuple(rule for rule in attack.rules if rule not in lost)
    return replace(attack, rules=(yield from one_of_each(who.side, (*kept, *more))))


def make_hand(battle: Battle, attack: Attack) -> Hand:
    """The attack dice of one sequence; who stands near the target is settled now, nobody moves during it."""
    who, weapon, target = attack.who, attack.weapon, attack.target
    hand = Hand(
        side=who.side,
        operative=who.id,
        target=target.id,
        atk=weapon.atk,
        hit=attack.hit.value,
        normal=weapon.normal,
        critical=weapon.critical,
        rules=attack.rules,
        is_obscured=attack.ruling.is_obscured,
        bystanders=bystanders(battle, target, attack.rules),
        name=who.name,
        target_name=target.name,
        verb="shoots" if weapon.kind == "ranged" else "fights",
        cites=battle.edition.cites,
        weapon=weapon.key,
    )
    for rule in battle.having("hand"):
        hand = rule.hand(battle, attack, hand)
    return hand


def around(battle: Battle, target: OperativeState, distance: float) -> list[OperativeState]:
    """The other operatives visible to and within *distance* of *target*, of either side."""
    state = battle.state
    return [
        each
        for each in state.operatives.values()
        if each.id != target.id
        and each.is_in_killzone
        and not each.is_incapacitated
        and battle.table.is_within(state, target.id, each.id, distance + EPS)
        and battle.table.is_visible(state, target.id, each.id)
    ]


def bystanders(battle: Battle, target: OperativeState, rules: Rules) -> tuple[tuple[str, int], ...]:
    """Who suffers from Devastating with a distance, and how much for each critical."""
    amounts: dict[str, int] = {}
    for rule in rules:
        if rule.splash is not None:
            for each in around(battle, target, rule.splash):
                amounts[each.id] = max(amounts.get(each.id, 0), rule.critical_damage())
    return tuple(sorted(amounts.items()))
