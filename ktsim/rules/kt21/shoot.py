"""Shoot and Overwatch of 2021 (KT21-SHOOT): weapon, target, one shooting attack per target; its own stages for mortal
wounds and for the save used."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ktsim.rules.engine.action import Action, refuses_close
from ktsim.rules.engine.attack import Attack, Hand, Rules, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask, pick
from ktsim.rules.engine.dice import is_success, retain
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import ApSpent, Overwatched, WeaponUsed, Wounded
from ktsim.rules.engine.shoot.stages import SHARED_STAGES, Shot, ShotStage, pierced, shoot
from ktsim.rules.engine.shoot.targets import (
    blast_reach,
    choose_gun,
    in_blast,
    no_weapon,
    rule_on,
    select_target,
    target_refusal,
    weapon_options,
)
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.weapons import around, make_hand, one_of_each
from ktsim.rules.kt21.weapon_rules import stunned
from ktsim.sight.scene import EPS

WORSE = 1
"""By how much Overwatch worsens BS."""


class LiteShoot(Action):
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


def refuses_engaged(action: str, battle: Battle, who: OperativeState) -> str | None:
    near = battle.engaged_with(who)
    return refuses_close(battle, action, near) if near else None


def shoot_options(battle: Battle, who: OperativeState) -> list[Option]:
    """The weapons to Shoot with. An Unwieldy one takes an extra AP."""
    now = battle.state.activation
    is_performing = now is not None and "Shoot" in now.actions
    left = battle.ap_left(who) - (0 if is_performing else LiteShoot.ap)

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


Selecting = Callable[[Battle, OperativeState, Profile, Rules], Steps[tuple[OperativeState, TargetRuling]]]


def select(
    battle: Battle, who: OperativeState, options: list[Option], worse: int = 0, target_of: Selecting = select_target
) -> Steps[Attack]:
    """Weapon, then target. BS is settled now: what happens during the action does not change it any more."""
    weapon = yield from choose_gun(battle, who, options)
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
        yield Told(f"{{0}}: BS {hit.words('+')}.", hit.changes[-1].rule, (who.id,))
    return Attack(who, weapon, rules, hit, target, ruling)


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
        yield from one_attack(battle, replace(attack, target=target, ruling=ruling), dice)
    yield from torrent(battle, attack)

    def shoot_at(target: OperativeState) -> Steps[None]:
        yield Told("Blast: {0} is shot as well, not in cover.", "KT21-W-BLAST", (target.id,))
        in_the_open = replace(attack.ruling, in_cover=False)
        yield from one_attack(battle, replace(attack, target=target, ruling=in_the_open))

    yield from in_blast(battle, attack.who, others, shoot_at)


def one_attack(battle: Battle, attack: Attack, dice: int | None = None) -> Steps[None]:
    """Attack dice (the weapon's, or so many of them), defence dice, damage against one target."""
    shot = make_shot(battle, attack)
    if any(rule.comes_from_above for rule in attack.rules):
        told = "{0} is " + ("" if shot.cover else "not ") + "hidden by terrain from directly above."
        yield Told(told, "KT21-W-BARRAGE", (attack.target.id,))
    if dice is not None:
        shot = shot._replace(hand=shot.hand._replace(atk=dice))
    yield from shoot(shot, battle.edition.shot_stages)


def make_shot(battle: Battle, attack: Attack) -> Shot:
    """The attack about to begin. Cover from a weapon that comes from above is terrain above the target; nothing is
    obscured."""
    state, target = battle.state, attack.target
    card = battle.card(target)
    spoken = tuple(rule for rule in attack.rules if rule.only != "melee")
    from_above = any(rule.comes_from_above for rule in spoken)
    in_cover = battle.table.is_hidden_from_above(state, target.id) if from_above else attack.ruling.in_cover
    seen = replace(attack.ruling, is_obscured=False)
    return Shot(
        hand=make_hand(battle, replace(attack, rules=spoken, ruling=seen)),
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
        yield from one_attack(battle, replace(attack, target=target, ruling=ruling))
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


def retain_attack(shot: Shot) -> Steps[Shot]:
    """Retain the hits, inflict mortal wounds, see how far the target's Df is reduced.

    Rules of the same moment come in the order that serves the weapon's user: Rending before what counts critical
    hits. Of several APx one is used, the greatest; Px is an APx while a critical hit is retained.
    """
    hand = yield from retain(shot.hand)
    damage = yield from mortal_wounds(hand)
    least = pierced(hand, shot.defence)
    if least.changes:
        yield Told(f"Df {least.words()}.", least.changes[-1].rule)
    return shot._replace(hand=hand, pierced=least.value, damage=shot.damage + damage, stage="save")


def best_of_each(rules: tuple[WeaponRule, ...]) -> tuple[WeaponRule, ...]:
    """One instance of each rule, the one with the greatest x: twice helps once."""
    found: dict[type[WeaponRule], WeaponRule] = {}
    for rule in rules:
        present = found.get(type(rule))
        if present is None or getattr(rule, "x", 0) > getattr(present, "x", 0):
            found[type(rule)] = rule
    return tuple(found.values())


def mortal_wounds(hand: Hand) -> Steps[int]:
    """KT21-W-MW, KT21-W-SPLASH, KT21-W-STUN; returns what the target suffers at once."""
    if not hand.crits:
        return 0
    total = 0
    for rule in best_of_each(hand.rules):
        if each := rule.critical_damage():
            total += each * hand.crits
            yield Wounded(hand.target, each * hand.crits, f"mortal wounds, {rule.text}", hand.operative)
    for bystander, amount in hand.bystanders:
        yield Wounded(bystander, amount * hand.crits, f"mortal wounds, Splash {amount}", hand.operative)
    if any(rule.stuns for rule in hand.rules):
        yield stunned(hand.target)
    return total


def choose_save(shot: Shot) -> Steps[Shot]:
    """KT21-W-INVULNERABLE: the defender may use it instead, with the whole Df; nothing modifies it."""
    pierced = shot.defence if shot.pierced is None else shot.pierced
    usual = shot._replace(defence=pierced, pierced=None, stage="defend")
    if not shot.invulnerable:
        return usual
    instead = shot._replace(save=shot.invulnerable, pierced=None, stage="defend")
    options = [
        Option("save", f"Save {usual.save}+ with {usual.defence} defence dice"),
        Option("invulnerable", f"Invulnerable Save {instead.save}+ with {instead.defence} defence dice"),
    ]
    is_better = instead.defence * chance(instead.save) > usual.defence * chance(usual.save)
    chosen = yield from pick(
        shot.defender,
        "save",
        f"{shot.hand.whom}: which save is used?",
        options,
        {"save": usual, "invulnerable": instead},
        default="invulnerable" if is_better else "save",
        obvious=instead.save <= usual.save or pierced == shot.defence,
    )
    if chosen is instead:
        yield Told("{0} uses its Invulnerable Save.", "KT21-W-INVULNERABLE", (shot.hand.target,))
    return chosen


def chance(needed: int) -> int:
    """How many faces of a die succeed."""
    return sum(is_success(face, needed) for face in range(1, 7))


SHOT_STAGES: dict[str, ShotStage] = {**SHARED_STAGES, "retain": retain_attack, "save": choose_save}
