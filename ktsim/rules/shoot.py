"""The Shoot action: weapon, target, one sequence per target, what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ktsim.rules.action import Action, Impossible
from ktsim.rules.decisions import Option, PickSome, Side, Steps, ask, pick, roll
from ktsim.rules.dice import Hand, hot_damage
from ktsim.rules.events import Told
from ktsim.rules.operative_events import WeaponUsed, Wounded
from ktsim.rules.shooting import Shot, shoot
from ktsim.rules.state import OperativeState
from ktsim.rules.table import TargetRuling
from ktsim.rules.team_file import Profile
from ktsim.rules.values import Reasoned
from ktsim.rules.weapon_rule import WeaponRule
from ktsim.rules.windows import Moment, open_window
from ktsim.sight.scene import EPS

if TYPE_CHECKING:
    from ktsim.rules.battle import Battle

Rules = tuple[WeaponRule, ...]


class Aim(NamedTuple):
    """An operative and the weapon it is about to use."""

    operative: str
    weapon: str


class Shoot(Action):
    name, id = "Shoot", "KT24-SHOOT"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if near := battle.engaged_with(who):
            return f"Shoot: not within {near[0].name}'s control range."
        return no_weapon(self.name, who, weapon_options(battle, who))

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        options = weapon_options(battle, who)
        profiles = {profile.key: profile for profile in battle.weapons(who)}
        prompt = f"{who.name} shoots with which weapon?"
        weapon = yield from pick(who.side, "weapon", prompt, options, profiles, about=who.id)
        rules = yield from one_of_each(who.side, battle.weapon_rules(who, weapon))
        target, ruling = yield from self.select(battle, who, weapon, rules)
        hit = self.hit(battle, who, weapon)
        yield WeaponUsed(who.id, weapon.key, weapon.key if any(rule.limit for rule in rules) else "")
        yield Told(f"{{0}} shoots {{1}} with {weapon.name}: {ruling.words()}.", "KT24-VALID", (who.id, target.id))
        if hit.changes:
            yield Told(f"Hit {hit.words('+')}.", hit.changes[-1].rule)
        ruling = yield from settle_cover(battle, target, ruling)
        others = yield from torrent_targets(battle, who, target, rules)
        yield from one_sequence(battle, who, weapon, hit, rules, target, ruling)
        for each, own in others:
            if each.is_incapacitated:
                continue
            chosen = yield from choose_origin(who, own)
            settled = yield from settle_cover(battle, each, chosen)
            yield from one_sequence(battle, who, weapon, hit, rules, each, settled)
        yield from self.blast(battle, who, weapon, hit, rules, target, ruling)
        if any(rule.is_hot for rule in rules):
            yield from run_hot(who, hit.value)
        yield from open_window(battle, Moment("has shot", who, target))

    def blast(
        self,
        battle: Battle,
        who: OperativeState,
        weapon: Profile,
        hit: Reasoned,
        rules: Rules,
        primary: OperativeState,
        ruling: TargetRuling,
    ) -> Steps[None]:
        """KT24-W-BLAST: the others are in cover or obscured as the primary target is. Whether Piercing is ignored
        (KT24-SMOKE) and Accurate from Vantage are no part of that and each target's own."""
        reach = blast_reach(rules)
        if reach is None:
            return

        def shoot_at(target: OperativeState) -> Steps[None]:
            yield Told("Blast: {0} is shot as well.", "KT24-W-BLAST", (target.id,))
            own = rule_on(battle, who, target, rules)
            accurate = own.accurate if target.side != who.side else 0
            shared = replace(ruling, accurate=accurate, ignores_piercing=own.ignores_piercing)
            yield from one_sequence(battle, who, weapon, hit, rules, target, shared)

        yield from in_blast(battle, who, around(battle, primary, reach), shoot_at)

    def select(
        self, battle: Battle, who: OperativeState, weapon: Profile, rules: Rules
    ) -> Steps[tuple[OperativeState, TargetRuling]]:
        return (yield from select_target(battle, who, weapon, rules))

    def hit(self, battle: Battle, who: OperativeState, weapon: Profile) -> Reasoned:
        return battle.hit(who, weapon)


def no_weapon(action: str, who: OperativeState, options: Sequence[Option]) -> str | None:
    """Why none of the weapons on offer can be used."""
    if not options:
        return f"{action}: no ranged weapon."
    refused = [option.refusal for option in options if option.refusal is not None]
    if len(refused) < len(options):
        return None
    return f"{action}: not on a Conceal order." if who.order == "conceal" else f"{action}: {refused[0]}"


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


def with_rules_against(
    battle: Battle, who: OperativeState, weapon: Profile, rules: Rules, target: OperativeState
) -> Steps[Rules]:
    """The weapon's rules and those it has against *target* only."""
    usual, more = list(battle.weapon_rules(who, weapon)), []
    for own in battle.weapon_rules(who, weapon, target):
        if own in usual:
            usual.remove(own)
        else:
            more.append(own)
    for rule in battle.having("weapon_rules_against"):
        if texts := rule.weapon_rules_against(battle, who, weapon, target):
            yield Told(f"{weapon.name} has {', '.join(texts)} against {{0}}.", rule.id, (target.id,))
    return (yield from one_of_each(who.side, (*rules, *more))) if more else rules


def weapon_options(
    battle: Battle, who: OperativeState, forbids: Callable[[Profile, Rules], str | None] | None = None
) -> list[Option]:
    """Every ranged weapon, with the reason where it cannot be used now; *forbids* may know one more."""
    found = []
    for weapon in battle.weapons(who):
        if weapon.kind != "ranged":
            continue
        rules = battle.weapon_rules(who, weapon)
        why = next((why for rule in rules if (why := rule.forbids_use(battle, who, weapon.key)) is not None), None)
        if who.order == "conceal" and not any(rule.is_silent for rule in rules):
            why = f"{weapon.name}: not on a Conceal order."
        if why is None and forbids is not None:
            why = forbids(weapon, rules)
        printed = f"{weapon.name} ({weapon.atk} dice, {weapon.hit}+, {weapon.normal}/{weapon.critical}){weapon.mark}"
        found.append(Option(weapon.key, printed, why))
    return found


def select_target(
    battle: Battle, who: OperativeState, weapon: Profile, rules: Rules
) -> Steps[tuple[OperativeState, TargetRuling]]:
    """A valid target with no friendly operative in its control range (KT24-VALID)."""
    rulings = {enemy.id: rule_on(battle, who, enemy, rules) for enemy in battle.state.enemies(who.id)}
    options = [
        Option(id, f"{battle.name(id)}: {ruling.words()}", target_refusal(battle, who, id, ruling, rules))
        for id, ruling in rulings.items()
    ]
    if all(option.refusal for option in options):
        why = why_none({battle.name(option.key): option.refusal or "" for option in options})
        raise Impossible(f"no valid target for {weapon.name}: {why}")
    prompt = f"{weapon.name}: who is the target?"
    ids = {id: id for id in rulings}
    chosen = yield from pick(who.side, "target", prompt, options, ids, about=Aim(who.id, weapon.key))
    ruling = yield from choose_origin(who, rulings[chosen])
    return battle.state.operatives[chosen], ruling


MOST_KINDS = 3
"""Kinds of reasons that are named where everybody is refused."""


def why_none(refusals: Mapping[str, str]) -> str:
    """Why nobody can be selected, by name and refusal: of several enemies the commonest reasons, counted."""
    if not refusals:
        return "there is no enemy."
    if len(refusals) == 1:
        return next(iter(refusals.values()))
    kinds = Counter(_kind_of(text.removeprefix(f"{name}: ")) for name, text in refusals.items())
    if len(kinds) == 1:
        kind = next(iter(kinds))
        if kind == "not visible":
            return f"none of {len(refusals)} enemies is visible."
        return f"{len(refusals)} enemies: all {kind}."
    named = kinds.most_common(MOST_KINDS)
    left = len(refusals) - sum(count for _, count in named)
    words = [f"{count} {kind}" for kind, count in named] + ([f"{left} for other reasons"] if left else [])
    return f"{len(refusals)} enemies: {', '.join(words)}."


def _kind_of(reason: str) -> str:
    """A reason without what differs from one target to the next, as it is said of some of the enemies."""
    kind = reason.removeprefix("Not a valid target: ").partition(": the target is")[0].rstrip(".")
    _, is_near, where = kind.partition(" is within its ")
    if is_near:
        return f"with a friend within its {where}"
    kind = kind[:1].lower() + kind[1:]
    if kind in ("conceal order and in cover", "in cover on a Conceal order"):
        return "in cover on Conceal"
    return f"out of {kind}" if kind.startswith("range ") else kind


def choose_origin(who: OperativeState, ruling: TargetRuling) -> Steps[TargetRuling]:
    """SIGHT-14: where no point of the base is best in everything, the shooter's player picks the outcome."""
    valid = [ruling, *(other for other in ruling.alternatives if other.is_valid)]
    options = [Option(str(number), each.words()) for number, each in enumerate(valid)]
    values = {str(number): each for number, each in enumerate(valid)}
    return (yield from pick(who.side, "origin", "From where is the shot drawn?", options, values, default="0"))


def rule_on(battle: Battle, who: OperativeState, target: OperativeState, rules: Rules) -> TargetRuling:
    words = tuple(sorted({word for rule in rules for word in rule.sight_words}))
    found = battle.table.target_ruling(battle.state, who.id, target.id, words)
    for rule in battle.having("ruling"):
        others = tuple(rule.ruling(battle, who, target, each) for each in found.alternatives)
        found = replace(rule.ruling(battle, who, target, found), alternatives=others)
    return found


def target_refusal(battle: Battle, who: OperativeState, target: str, ruling: TargetRuling, rules: Rules) -> str | None:
    """Why *target* cannot be selected."""
    name = battle.name(target)
    for rule in rules:
        if (why := rule.forbids_target(ruling.distance)) is not None:
            return f"{name}: {why}"
    if not ruling.is_visible:
        return f"{name}: not visible."
    if not ruling.is_valid:
        return f"{name}: {ruling.reasons[-1][1]}" if ruling.reasons else f"{name}: in cover on a Conceal order."
    state = battle.state
    for friend in state.friends(who.id):
        if battle.table.in_control_range(state, target, friend.id):
            return f"{name}: {friend.name} is within its {battle.edition.near}."
    return None


def settle_cover(battle: Battle, target: OperativeState, ruling: TargetRuling) -> Steps[TargetRuling]:
    """KT24-SAMEFEATURE: where cover and obscured come from the same feature the defender takes one of them."""
    if not (ruling.defender_chooses and ruling.in_cover and ruling.is_obscured):
        return ruling
    options = [Option("cover", "In cover"), Option("obscured", "Obscured")]
    prompt = f"{target.name} is in cover from and obscured by the same terrain: which applies?"
    values = {"cover": "cover", "obscured": "obscured"}
    chosen = yield from pick(target.side, "cover or obscured", prompt, options, values, default="obscured")
    yield Told(f"{{0}} is {'in cover' if chosen == 'cover' else 'obscured'}.", "KT24-SAMEFEATURE", (target.id,))
    return replace(ruling, in_cover=chosen == "cover", is_obscured=chosen == "obscured")


def one_sequence(
    battle: Battle,
    who: OperativeState,
    weapon: Profile,
    hit: Reasoned,
    rules: Rules,
    target: OperativeState,
    ruling: TargetRuling,
) -> Steps[None]:
    """Attack dice, defence dice, damage against one target."""
    rules = yield from with_rules_against(battle, who, weapon, rules, target)
    if ruling.accurate:
        yield Told(f"From Vantage: Accurate {ruling.accurate}.", "KT24-VANTAGE-1")
    if (save := save_of(battle, target, ruling)).changes:
        yield Told(f"{{0}}: Save {save.words('+')}.", save.changes[-1].rule, (target.id,))
    yield from open_window(battle, Moment("targeted", who, target))
    kinds = {"attack": "shot begins", "retain": "attack rolled"}

    def window(shot: Shot) -> Steps[Shot]:
        if shot.stage not in kinds:
            return shot
        moment = Moment(kinds[shot.stage], who, target, shot)
        yield from open_window(battle, moment)
        return moment.shot or shot

    shot = make_shot(battle, who, weapon, hit, rules, target, ruling)
    yield from shoot(shot, battle.edition.shot_stages, window)


def save_of(battle: Battle, target: OperativeState, ruling: TargetRuling) -> Reasoned:
    """The target's Save, with what the terrain it is in cover from does to it."""
    save = battle.save(target)
    if ruling.in_cover:
        for rule in battle.having("save_in_cover"):
            save = rule.save_in_cover(battle, target, ruling.cover_from, save)
    return save


def make_shot(
    battle: Battle,
    who: OperativeState,
    weapon: Profile,
    hit: Reasoned,
    rules: Rules,
    target: OperativeState,
    ruling: TargetRuling,
) -> Shot:
    """The sequence about to begin, as the rules in force shape it."""
    state, registry = battle.state, battle.edition.weapon_rules
    if ruling.accurate:
        rules = (*rules, registry.parse(f"Accurate {ruling.accurate}"))
    if ruling.ignores_piercing:
        rules = tuple(rule for rule in rules if not rule.is_piercing)
    guards = [each for rule in battle.having("guards") for each in rule.guards(battle, target, who)]
    shot = Shot(
        hand=make_hand(battle, who, weapon, hit, rules, target, ruling.is_obscured),
        defender=target.side,
        save=save_of(battle, target, ruling).value,
        defence=battle.edition.defence_dice,
        cover=battle.changed(target, "cover saves", Reasoned.of(1)).value if ruling.in_cover else 0,
        is_improved=ruling.is_improved and ruling.in_cover,
        guards=tuple(guards),
        cp=(state.cp["red"], state.cp["blue"]),
    )
    for rule in battle.having("shot"):
        shot = rule.shot(battle, shot)
    return shot


def make_hand(
    battle: Battle,
    who: OperativeState,
    weapon: Profile,
    hit: Reasoned,
    rules: Rules,
    target: OperativeState,
    is_obscured: bool = False,
) -> Hand:
    """The attack dice of one sequence; who stands near the target is settled now, nobody moves during it."""
    return Hand(
        side=who.side,
        operative=who.id,
        target=target.id,
        atk=weapon.atk,
        hit=hit.value,
        normal=weapon.normal,
        critical=weapon.critical,
        rules=rules,
        is_obscured=is_obscured,
        bystanders=bystanders(battle, target, rules),
        name=who.name,
        target_name=target.name,
        verb="shoots" if weapon.kind == "ranged" else "fights",
        cites=battle.edition.cites,
    )


def around(battle: Battle, target: OperativeState, distance: float) -> list[OperativeState]:
    """The other operatives visible to and within *distance* of *target*, of either side."""
    state = battle.state
    return [
        each
        for each in state.operatives.values()
        if each.id != target.id
        and each.is_in_killzone
        and not each.is_incapacitated
        and battle.table.distance(state, target.id, each.id) <= distance + EPS
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


def torrent_targets(
    battle: Battle, who: OperativeState, primary: OperativeState, rules: Rules
) -> Steps[list[tuple[OperativeState, TargetRuling]]]:
    """KT24-W-TORRENT: any other valid targets near the primary one and not in control range of friends."""
    reach = max((rule.torrent for rule in rules if rule.torrent is not None), default=None)
    if reach is None:
        return []
    state = battle.state
    near = [e for e in state.enemies(who.id) if e.id != primary.id and not e.is_incapacitated]
    near = [e for e in near if battle.table.distance(state, primary.id, e.id) <= reach + EPS]
    rulings = {enemy.id: rule_on(battle, who, enemy, rules) for enemy in near}
    options = tuple(
        Option(id, battle.name(id), target_refusal(battle, who, id, ruling, rules)) for id, ruling in rulings.items()
    )
    open_options = [option for option in options if option.refusal is None]
    if not open_options:
        return []
    chosen = yield from ask(
        PickSome(
            seat=who.side,
            topic="torrent",
            prompt="Torrent: which other targets are shot, in which order?",
            options=options,
            least=0,
            most=len(open_options),
            default=tuple(option.key for option in open_options),
        )
    )
    return [(state.operatives[id], rulings[id]) for id in chosen]


def blast_reach(rules: Rules) -> float | None:
    return max((rule.blast for rule in rules if rule.blast is not None), default=None)


def in_blast(
    battle: Battle,
    who: OperativeState,
    others: Sequence[OperativeState],
    shoot_at: Callable[[OperativeState], Steps[None]],
) -> Steps[None]:
    """Everybody else near the primary target is shot as well, friends too, in the order of the shooter's player."""
    left = {each.id: each for each in others}
    while left:
        options = [Option(id, battle.name(id)) for id in left]
        target = yield from pick(who.side, "blast", "Blast: who is shot next?", options, left)
        del left[target.id]
        if not target.is_incapacitated:
            yield from shoot_at(target)


def run_hot(who: OperativeState, hit: int) -> Steps[None]:
    """KT24-W-HOT: once per action, below the Hit as modified."""
    (face,) = yield from roll(1, "hot", f"{who.name}: Hot", who.side)
    yield Told(f"Hot: {{0}} rolls {face} against {hit}+.", "KT24-W-HOT", (who.id,))
    if damage := hot_damage(face, hit):
        yield Wounded(who.id, damage, "Hot", who.id)


def assisting(battle: Battle, who: OperativeState, enemy: OperativeState) -> Sequence[OperativeState]:
    """KT24-ASSIST, KT21-FIGHT: friends in the enemy's control range that are in no other enemy's.

    In editions that say so only with a melee weapon of their own.
    """
    state, table = battle.state, battle.table
    return [
        friend
        for friend in state.friends(who.id)
        if not friend.is_incapacitated
        and table.in_control_range(state, friend.id, enemy.id)
        and (not battle.edition.supports_armed or any(weapon.kind == "melee" for weapon in battle.weapons(friend)))
        and (
            not any(
                other.id != enemy.id and table.in_control_range(state, friend.id, other.id)
                for other in state.enemies(who.id)
            )
            or any(rule.assists(battle, friend, enemy) for rule in battle.having("assists"))
        )
    ]
