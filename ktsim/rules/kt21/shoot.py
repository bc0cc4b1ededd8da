"""Shoot and Overwatch: weapon, target, one shooting attack per target."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask, pick
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import ApSpent, Overwatched, WeaponUsed
from ktsim.rules.engine.shoot.stages import Shot, shoot
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.shoot import (
    Rules,
    around,
    blast_reach,
    in_blast,
    make_hand,
    no_weapon,
    one_of_each,
    rule_on,
    select_target,
    target_refusal,
    weapon_options,
)
from ktsim.rules.teams.team_file import Profile
from ktsim.sight.scene import EPS

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle

WORSE = 1
"""By how much Overwatch worsens BS."""


class Shoot(Action):
    name, id = "Shoot", "KT21-SHOOT"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return refuses_engaged(self.name, battle, who) or no_weapon(self.name, who, shoot_options(battle, who))

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        attack = yield from select(battle, who, shoot_options(battle, who))
        if extra := sum(rule.extra_ap for rule in attack.rules):
            yield ApSpent(who.id, extra, attack.weapon.name)
        yield from shooting_attacks(battle, attack, is_shoot=True)


class Overwatch(Action):
    """KT21-OVERWATCH; also the shot of an operative on guard (KT21-GUARD)."""

    name, id, ap = "Overwatch", "KT21-OVERWATCH", 0

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        return (
            self.barred(battle, who)
            or refuses_engaged(self.name, battle, who)
            or no_weapon(self.name, who, overwatch_options(battle, who))
        )

    def barred(self, battle: Battle, who: OperativeState) -> str | None:
        now = battle.state.activation
        if now is not None and now.operative == who.id:
            return f"{self.name}: not during its own activation."
        if who.order == "conceal":
            return f"{self.name}: not on a Conceal order."
        return f"{self.name}: already performed in this turning point." if who.has_counteracted else None

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield Overwatched(who.id)
        attack = yield from select(battle, who, overwatch_options(battle, who), WORSE)
        yield from shooting_attacks(battle, attack, is_shoot=False)


OVERWATCH = Overwatch()


@dataclass(frozen=True)
class Attack:
    """What was selected: who shoots with what at whom, and the BS it does so with for the whole action."""

    who: OperativeState
    weapon: Profile
    rules: Rules
    target: OperativeState
    ruling: TargetRuling
    hit: Reasoned


def refuses_engaged(action: str, battle: Battle, who: OperativeState) -> str | None:
    near = battle.engaged_with(who)
    return f"{action}: not within {near[0].name}'s {battle.edition.near}." if near else None


def shoot_options(battle: Battle, who: OperativeState) -> list[Option]:
    """The weapons to Shoot with. An Unwieldy one takes an extra AP."""
    now = battle.state.activation
    is_performing = now is not None and "Shoot" in now.actions
    left = battle.ap_left(who) - (0 if is_performing else Shoot.ap)

    def forbids(weapon: Profile, rules: Rules) -> str | None:
        extra = sum(rule.extra_ap for rule in rules)
        return f"{weapon.name}: takes {extra}AP more, {max(0, left)}AP left." if extra and extra > left else None

    return weapon_options(battle, who, forbids)


def overwatch_options(battle: Battle, who: OperativeState) -> list[Option]:
    """The weapon profiles that can be used for Overwatch: neither Blast nor Unwieldy."""

    def forbids(weapon: Profile, rules: Rules) -> str | None:
        barring = [rule.text for rule in rules if rule.forbids_overwatch]
        return f"{weapon.name}: {barring[0]}, not for Overwatch." if barring else None

    return weapon_options(battle, who, forbids)


Selecting = Callable[["Battle", OperativeState, Profile, Rules], Steps[tuple[OperativeState, TargetRuling]]]


def select(
    battle: Battle, who: OperativeState, options: list[Option], worse: int = 0, target_of: Selecting = select_target
) -> Steps[Attack]:
    """Weapon, then target. BS is settled now: what happens during the action does not change it any more."""
    profiles = {profile.key: profile for profile in battle.weapons(who)}
    prompt = f"{who.name} shoots with which weapon?"
    weapon = yield from pick(who.side, "weapon", prompt, options, profiles, about=who.id)
    spoken = tuple(rule for rule in battle.weapon_rules(who, weapon) if rule.only != "melee")
    rules = yield from one_of_each(who.side, spoken)
    target, ruling = yield from target_of(battle, who, weapon, rules)
    hit = battle.hit(who, weapon)
    if worse:
        hit = hit.plus(worse, OVERWATCH.id, "Overwatch")
    yield WeaponUsed(who.id, weapon.key, weapon.key if any(rule.limit for rule in rules) else "")
    told = f"{{0}} shoots {{1}} with {weapon.name}: {ruling.words()}."
    yield Told(told, battle.edition.cites.target, (who.id, target.id))
    if hit.changes:
        yield Told(f"BS {hit.words('+')}.", hit.changes[-1].rule)
    return Attack(who, weapon, rules, target, ruling, hit)


def shooting_attacks(battle: Battle, attack: Attack, is_shoot: bool) -> Steps[None]:
    """The attack and those its rules add. Blast and Fusillade speak of Shoot actions, Torrent also of Overwatch.

    Who is in a Blast is noted before the first attack, should the target be moved by it.
    """
    reach = blast_reach(attack.rules) if is_shoot else None
    others = around(battle, attack.target, reach) if reach is not None else []
    shares = [(attack.target, attack.ruling, attack.weapon.atk)]
    if is_shoot:
        shares = yield from divided(battle, attack)
    for target, ruling, dice in shares:
        yield from one_attack(battle, attack, target, ruling.in_cover, dice)
    yield from torrent(battle, attack)

    def shoot_at(target: OperativeState) -> Steps[None]:
        yield Told("Blast: {0} is shot as well, not in cover.", "KT21-W-BLAST", (target.id,))
        yield from one_attack(battle, attack, target, False, attack.weapon.atk)

    yield from in_blast(battle, attack.who, others, shoot_at)


def one_attack(battle: Battle, attack: Attack, target: OperativeState, in_cover: bool, dice: int) -> Steps[None]:
    """Attack dice, defence dice, damage against one target."""
    ruling = replace(attack.ruling, in_cover=in_cover)
    shot = make_shot(battle, attack.who, attack.weapon, attack.hit, attack.rules, target, ruling)
    if any(rule.comes_from_above for rule in attack.rules):
        told = "{0} is " + ("" if shot.cover else "not ") + "hidden by terrain from directly above."
        yield Told(told, "KT21-W-BARRAGE", (target.id,))
    yield from shoot(shot._replace(hand=shot.hand._replace(atk=dice)), battle.edition.shot_stages)


def make_shot(
    battle: Battle,
    who: OperativeState,
    weapon: Profile,
    hit: Reasoned,
    rules: Rules,
    target: OperativeState,
    ruling: TargetRuling,
) -> Shot:
    """The attack about to begin. Cover from a weapon that comes from above is terrain above the target."""
    state, card = battle.state, battle.card(target)
    spoken = tuple(rule for rule in rules if rule.only != "melee")
    from_above = any(rule.comes_from_above for rule in spoken)
    in_cover = battle.table.is_hidden_from_above(state, target.id) if from_above else ruling.in_cover
    return Shot(
        hand=make_hand(battle, who, weapon, hit, spoken, target),
        defender=target.side,
        save=battle.save(target).value,
        defence=card.defence,
        cover=1 if in_cover else 0,
        cp=(state.cp["red"], state.cp["blue"]),
        invulnerable=card.invulnerable,
    )


def divided(battle: Battle, attack: Attack) -> Steps[list[tuple[OperativeState, TargetRuling, int]]]:
    """KT21-W-FUSILLADE: other valid targets near the first one, and how many attack dice each target gets."""
    who, primary, dice = attack.who, attack.target, attack.weapon.atk
    alone = [(primary, attack.ruling, dice)]
    reach = max((rule.divides for rule in attack.rules if rule.divides is not None), default=None)
    if reach is None:
        return alone
    found = {each.id: ruling for each, ruling in valid_targets(battle, attack, (primary,), reach)}
    if not found or dice < 2:
        return alone
    chosen = yield from ask(
        PickSome(
            seat=who.side,
            topic="fusillade",
            prompt=f"Fusillade: among which other targets are the {dice} attack dice divided?",
            options=tuple(Option(id, battle.name(id)) for id in found),
            least=0,
            most=min(len(found), dice - 1),
            default=(),
        )
    )
    targets = [(primary, attack.ruling), *((battle.state.operatives[id], found[id]) for id in chosen)]
    shares = []
    for number, (target, ruling) in enumerate(targets):
        waiting = len(targets) - number - 1
        most = dice - waiting
        least = 1 if waiting else most
        options = [Option(str(n), f"{n} dice") for n in range(least, most + 1)]
        prompt = f"Fusillade: how many of {dice} attack dice against {target.name}?"
        values = {str(n): n for n in range(least, most + 1)}
        share = yield from pick(who.side, "share", prompt, options, values, default=str(most))
        shares.append((target, ruling, share))
        dice -= share
    return shares


def torrent(battle: Battle, attack: Attack) -> Steps[None]:
    """KT21-W-TORRENT: further valid targets within x of the first target and of each other, one after the other."""
    reach = max((rule.torrent for rule in attack.rules if rule.torrent is not None), default=None)
    if reach is None:
        return
    shot = [attack.target]
    while found := {each.id: (each, ruling) for each, ruling in valid_targets(battle, attack, shot, reach)}:
        options = [*(Option(id, battle.name(id)) for id in found), Option("none", "Nobody else")]
        values: dict[str, tuple[OperativeState, TargetRuling] | None] = {**found, "none": None}
        prompt = "Torrent: who is shot next?"
        chosen = yield from pick(attack.who.side, "torrent", prompt, options, values, default=next(iter(found)))
        if chosen is None:
            return
        target, ruling = chosen
        yield Told("Torrent: {0} is shot as well.", "KT21-W-TORRENT", (target.id,))
        yield from one_attack(battle, attack, target, ruling.in_cover, attack.weapon.atk)
        shot.append(target)


def valid_targets(
    battle: Battle, attack: Attack, near: tuple[OperativeState, ...] | list[OperativeState], reach: float
) -> list[tuple[OperativeState, TargetRuling]]:
    """The valid targets within *reach* of everybody in *near*, who are not meant themselves."""
    state, found = battle.state, []
    for enemy in state.enemies(attack.who.id):
        if enemy.is_incapacitated or enemy in near:
            continue
        if any(battle.table.distance(state, each.id, enemy.id) > reach + EPS for each in near):
            continue
        ruling = rule_on(battle, attack.who, enemy, attack.rules)
        if target_refusal(battle, attack.who, enemy.id, ruling, attack.rules) is None:
            found.append((enemy, ruling))
    return found
