"""The Shoot action of 2024: weapon, target, one sequence per target, what follows."""

from __future__ import annotations

from dataclasses import replace

from ktsim.rules.engine.action import Action, refuses_close
from ktsim.rules.engine.attack import Attack, Hand, Rules
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask, pick, roll
from ktsim.rules.engine.dice import hot_damage, retain
from ktsim.rules.engine.events import EffectBegan, Told
from ktsim.rules.engine.operative_events import ApSpent, WeaponUsed, Wounded
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.shoot.stages import SHARED_STAGES, Shot, ShotStage, pierced, shoot
from ktsim.rules.engine.shoot.targets import (
    blast_reach,
    choose_gun,
    choose_origin,
    in_blast,
    no_weapon,
    rule_on,
    select_target,
    target_refusal,
    weapon_options,
)
from ktsim.rules.engine.state import Effect, OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.engine.weapons import around, make_hand, one_of_each, with_rules_against
from ktsim.rules.engine.windows import open_window
from ktsim.sight.dates import SMOKE_BLUNTS
from ktsim.sight.scene import EPS


class Shoot(Action):
    name, id = "Shoot", "KT24-SHOOT"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if (near := battle.engaged_with(who)) and not battle.waived(who, self, "control range"):
            return refuses_close(battle, self.name, near)
        return no_weapon(self.name, who, weapon_options(battle, who, self.forbids))

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        weapon = yield from choose_gun(battle, who, weapon_options(battle, who, self.forbids))
        if more := battle.weapon_ap(who, weapon):
            yield ApSpent(who.id, more, weapon.name)
        yield from open_window(battle, Moment("weapon chosen", who, weapon=weapon))
        had = battle.weapon_rules(who, weapon)
        rules = yield from one_of_each(who.side, had)
        target, ruling = yield from self.select(battle, who, weapon, rules)
        battle.aimed = target.id
        hit = self.hit(battle, who, weapon)
        yield WeaponUsed(who.id, weapon.key, weapon.key if any(rule.limit for rule in rules) else "")
        yield Told(f"{{0}} shoots {{1}} with {weapon.name}: {ruling.words()}.", "KT24-VALID", (who.id, target.id))
        if hit.changes:
            yield Told(f"{{0}}: Hit {hit.words('+')}.", hit.changes[-1].rule, (who.id,))
        ruling = yield from settle_cover(target, ruling)
        attack = Attack(who, weapon, rules, hit, target, ruling, had)
        yield from torrent(battle, attack, (yield from torrent_targets(battle, attack)))
        yield from blast(battle, attack)
        if any(rule.is_hot for rule in rules):
            yield from run_hot(who, hit.value)
        yield from open_window(battle, Moment("has shot", who, target))

    def forbids(self, weapon: Profile, rules: Rules) -> str | None:
        """Why the weapon cannot be used in this action, its own rules aside."""
        return None

    def select(
        self, battle: Battle, who: OperativeState, weapon: Profile, rules: Rules
    ) -> Steps[tuple[OperativeState, TargetRuling]]:
        return (yield from select_target(battle, who, weapon, rules))

    def hit(self, battle: Battle, who: OperativeState, weapon: Profile) -> Reasoned:
        return battle.hit(who, weapon)


def blast(battle: Battle, attack: Attack) -> Steps[None]:
    """KT24-W-BLAST: the others are in cover or obscured as the primary target is. Whether smoke blunts Piercing
    (KT24-SMOKE) and Accurate from Vantage are no part of that."""
    reach = blast_reach(attack.rules)
    if reach is None:
        return

    def shoot_at(target: OperativeState) -> Steps[None]:
        yield Told("Blast: {0} is shot as well.", "KT24-W-BLAST", (target.id,))
        yield from one_sequence(battle, hidden_alike(battle, attack, target))

    yield from in_blast(battle, attack.who, around(battle, attack.target, reach), shoot_at)


def hidden_alike(battle: Battle, attack: Attack, target: OperativeState) -> Attack:
    """The attack against another target, in cover or obscured as the first one is; what else depends on where it stands
    is its own."""
    own = rule_on(battle, attack.who, target, attack.rules)
    shared = replace(attack.ruling, accurate=own.accurate, blunts_piercing=own.blunts_piercing)
    return replace(attack, target=target, ruling=shared)


def settle_cover(target: OperativeState, ruling: TargetRuling) -> Steps[TargetRuling]:
    """KT24-SAMEFEATURE: where cover and obscured come from the same feature the defender takes one of them."""
    if not (ruling.defender_chooses and ruling.in_cover and ruling.is_obscured):
        return ruling
    options = [Option("cover", "In cover"), Option("obscured", "Obscured")]
    prompt = f"{target.name} is in cover from and obscured by the same terrain: which applies?"
    values = {"cover": "cover", "obscured": "obscured"}
    chosen = yield from pick(target.side, "cover or obscured", prompt, options, values, default="obscured")
    yield Told(f"{{0}} is {'in cover' if chosen == 'cover' else 'obscured'}.", "KT24-SAMEFEATURE", (target.id,))
    return replace(ruling, in_cover=chosen == "cover", is_obscured=chosen == "obscured")


def one_sequence(battle: Battle, attack: Attack) -> Steps[None]:
    """Attack dice, defence dice, damage against one target."""
    given, battle.targets = attack, battle.targets | {attack.target.id}
    attack = yield from with_rules_against(battle, attack)
    who, target, ruling = attack.who, attack.target, attack.ruling
    if ruling.accurate:
        yield Told(f"From Vantage: Accurate {ruling.accurate}.", "KT24-VANTAGE-1")
    if (save := save_of(battle, target, ruling)).changes:
        yield Told(f"{{0}}: Save {save.words('+')}.", save.changes[-1].rule, (target.id,))
    selected = Moment("targeted", who, target, weapon=attack.weapon)
    yield from open_window(battle, selected)
    if selected.other is not None and selected.other is not target:
        battle.targets -= {target.id}
        if battle.aimed == target.id:
            battle.aimed = selected.other.id
        yield from one_sequence(battle, hidden_alike(battle, given, selected.other))
        return
    kinds = {
        "attack": "shot begins",
        "retain": "attack rolled",
        "defend": "attack retained",
        "defence re-rolls": "defence rolled",
    }

    def window(shot: Shot) -> Steps[Shot]:
        if shot.stage not in kinds:
            return shot
        moment = Moment(kinds[shot.stage], who, target, shot, weapon=attack.weapon)
        yield from open_window(battle, moment)
        return moment.shot or shot

    yield from shoot(make_shot(battle, attack), battle.edition.shot_stages, window)
    for rule in battle.in_turn("sequence_ends"):
        yield from rule.sequence_ends(battle, attack)


def save_of(battle: Battle, target: OperativeState, ruling: TargetRuling) -> Reasoned:
    """The target's Save, with what the terrain it is in cover from does to it."""
    save = battle.save(target)
    if ruling.in_cover:
        for rule in battle.having("save_in_cover"):
            save = rule.save_in_cover(battle, target, ruling.cover_from, save)
    return save


def make_shot(battle: Battle, attack: Attack) -> Shot:
    """The sequence about to begin, as the rules in force shape it."""
    state, registry = battle.state, battle.edition.weapon_rules
    rules, target, ruling = attack.rules, attack.target, attack.ruling
    if ruling.accurate:
        rules = (*rules, registry.parse(f"Accurate {ruling.accurate}"))
    if ruling.blunts_piercing:
        rules = through_smoke(battle, rules)
    guards = [each for rule in battle.having("guards") for each in rule.guards(battle, attack)]
    wards = [each for rule in battle.having("wards") for each in rule.wards(battle, target, attack.who, "shot-at")]
    shot = Shot(
        hand=make_hand(battle, replace(attack, rules=rules)),
        defender=target.side,
        save=save_of(battle, target, ruling).value,
        defence=battle.edition.defence_dice,
        cover=battle.changed(target, "cover saves", Reasoned.of(1)).value if ruling.in_cover else 0,
        is_improved=ruling.is_improved and ruling.in_cover,
        guards=tuple(guards),
        wards=tuple(wards),
        cp=(state.cp["red"], state.cp["blue"]),
    )
    for rule in battle.having("shot"):
        shot = rule.shot(battle, attack, shot)
    return shot


def through_smoke(battle: Battle, rules: Rules) -> Rules:
    """KT24-SMOKE: the rules of a weapon as they count against a target in smoke."""
    if battle.is_corrected(SMOKE_BLUNTS):
        return tuple(rule.blunted() for rule in rules)
    return tuple(rule for rule in rules if not rule.is_piercing)


def torrent(battle: Battle, attack: Attack, others: dict[str, TargetRuling]) -> Steps[None]:
    """KT24-W-TORRENT: a sequence for each target, the primary one included, in the order of the shooter's player."""
    left = {attack.target.id: attack.target, **{id: battle.state.operatives[id] for id in others}}
    while left:
        options = [Option(id, battle.name(id)) for id in left]
        prompt = "Torrent: who is shot next?"
        target = yield from pick(attack.who.side, "torrent order", prompt, options, left, default=options[0].key)
        del left[target.id]
        is_primary = target is attack.target
        if target.is_incapacitated and not is_primary:
            continue
        if others:
            yield Told("Torrent: {0} is shot.", "KT24-W-TORRENT", (target.id,))
        if is_primary:
            yield from one_sequence(battle, attack)
        else:
            ruling = yield from choose_origin(attack.who, others[target.id])
            settled = yield from settle_cover(target, ruling)
            yield from one_sequence(battle, replace(attack, target=target, ruling=settled))


def torrent_targets(battle: Battle, attack: Attack) -> Steps[dict[str, TargetRuling]]:
    """KT24-W-TORRENT: any other valid targets near the primary one and not in control range of friends."""
    who, primary, rules = attack.who, attack.target, attack.rules
    reach = max((rule.torrent for rule in rules if rule.torrent is not None), default=None)
    if reach is None:
        return {}
    state = battle.state
    near = [e for e in state.enemies(who.id) if e.id != primary.id and not e.is_incapacitated]
    near = [e for e in near if battle.table.is_within(state, primary.id, e.id, reach + EPS)]
    rulings = {enemy.id: rule_on(battle, who, enemy, rules) for enemy in near}
    options = tuple(
        Option(id, battle.name(id), target_refusal(battle, who, id, ruling, rules)) for id, ruling in rulings.items()
    )
    open_options = [option for option in options if option.refusal is None]
    if not open_options:
        return {}
    chosen = yield from ask(
        PickSome(
            seat=who.side,
            topic="torrent",
            prompt="Torrent: which other targets are shot as well?",
            options=options,
            least=0,
            most=len(open_options),
            default=tuple(option.key for option in open_options),
        )
    )
    return {id: rulings[id] for id in chosen}


def run_hot(who: OperativeState, hit: int) -> Steps[None]:
    """KT24-W-HOT: once per action, below the Hit as modified."""
    (face,) = yield from roll(1, "hot", f"{who.name}: Hot", who.side)
    yield Told(f"Hot: {{0}} rolls {face} against {hit}+.", "KT24-W-HOT", (who.id,))
    if damage := hot_damage(face, hit):
        yield Wounded(who.id, damage, "Hot", who.id)


def retain_attack(shot: Shot) -> Steps[Shot]:
    """Retain the attack dice; what retained criticals do at once; how many defence dice are left."""
    hand = yield from retain(shot.hand)
    damage = yield from criticals_retained(hand)
    number = pierced(hand, shot.defence)
    if number.changes:
        yield Told(f"Defence dice: {number.words()}.", number.changes[-1].rule)
    return shot._replace(hand=hand, defence=number.value, damage=shot.damage + damage, stage="defend")


def criticals_retained(hand: Hand) -> Steps[int]:
    """Devastating and Stun; returns the damage inflicted on the target at once."""
    if not hand.crits:
        return 0
    each = max((rule.critical_damage() for rule in hand.rules), default=0)
    if each:
        yield Wounded(hand.target, each * hand.crits, f"Devastating {each}", hand.operative)
    for bystander, amount in hand.bystanders:
        yield Wounded(bystander, amount * hand.crits, f"Devastating {amount}", hand.operative)
    if any(rule.stuns for rule in hand.rules):
        yield from stun(hand)
    return each * hand.crits


def stun(hand: Hand) -> Steps[None]:
    yield EffectBegan(
        Effect("Stun", "KT24-W-STUN", "next-activation", hand.target, stat="apl", amount=-1, is_pending=True)
    )


SHOT_STAGES: dict[str, ShotStage] = {**SHARED_STAGES, "retain": retain_attack}
