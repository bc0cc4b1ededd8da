"""Which weapon shoots, and at whom: what is on offer, what is refused and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ktsim.rules.engine.action import Impossible
from ktsim.rules.engine.attack import Rules
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.weapons import around, forbidden_use

MOST_KINDS = 3
"""Kinds of reasons that are named where everybody is refused."""


class Aim(NamedTuple):
    """An operative and the weapon it is about to use."""

    operative: str
    weapon: str


def weapon_options(
    battle: Battle, who: OperativeState, forbids: Callable[[Profile, Rules], str | None] | None = None
) -> list[Option]:
    """Every ranged weapon, with the reason where it cannot be used now; *forbids* may know one more."""
    found = []
    for weapon in battle.weapons(who):
        if weapon.kind != "ranged":
            continue
        rules = battle.weapon_rules(who, weapon)
        if who.order == "conceal" and not any(rule.is_silent for rule in rules):
            why: str | None = f"{weapon.name}: not on a Conceal order."
        else:
            why = forbidden_use(battle, who, weapon, rules)
            if why is None and forbids is not None:
                why = forbids(weapon, rules)
        printed = f"{weapon.name} ({weapon.atk} dice, {weapon.hit}+, {weapon.normal}/{weapon.critical}){weapon.mark}"
        found.append(Option(weapon.key, printed, why))
    return found


def no_weapon(action: str, who: OperativeState, options: Sequence[Option]) -> str | None:
    """Why none of the weapons on offer can be used."""
    if not options:
        return f"{action}: no ranged weapon."
    refused = [option.refusal for option in options if option.refusal is not None]
    if len(refused) < len(options):
        return None
    return f"{action}: not on a Conceal order." if who.order == "conceal" else f"{action}: {refused[0]}"


def choose_gun(battle: Battle, who: OperativeState, options: Sequence[Option]) -> Steps[Profile]:
    """The weapon to shoot with, of those on offer."""
    profiles = {profile.key: profile for profile in battle.weapons(who)}
    prompt = f"{who.name} shoots with which weapon?"
    return (yield from pick(who.side, "weapon", prompt, options, profiles, about=who.id))


def select_target(
    battle: Battle, who: OperativeState, weapon: Profile, rules: Rules
) -> Steps[tuple[OperativeState, TargetRuling]]:
    """A valid target with no friendly operative in its control range (KT24-VALID)."""
    enemies = [each for each in battle.state.enemies(who.id) if battle.only is None or each.id in battle.only]
    against = {enemy.id: rules_against(battle, who, weapon, enemy, rules) for enemy in enemies}
    rulings = {enemy.id: rule_on(battle, who, enemy, against[enemy.id]) for enemy in enemies}
    options = []
    for id, ruling in rulings.items():
        refusal = target_refusal(battle, who, id, ruling, against[id])
        also = "" if refusal else caught_in_blast(battle, who, battle.state.operatives[id], rules)
        options.append(Option(id, f"{battle.name(id)}: {ruling.words()}{also}", refusal))
    if all(option.refusal for option in options):
        why = why_none({battle.name(option.key): option.refusal or "" for option in options})
        raise Impossible(f"no valid target for {weapon.name}: {why}")
    prompt = f"{weapon.name}: who is the target?"
    ids = {id: id for id in rulings}
    chosen = yield from pick(who.side, "target", prompt, options, ids, about=Aim(who.id, weapon.key))
    ruling = yield from choose_origin(who, rulings[chosen])
    return battle.state.operatives[chosen], ruling


def rules_against(battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState, rules: Rules) -> Rules:
    """*rules*, and those the weapon has against this target only, which may matter for selecting it."""
    if not battle.having("weapon_texts"):
        return rules
    usual = battle.weapon_rules(who, weapon)
    more = [rule for rule in battle.weapon_rules(who, weapon, target) if rule not in usual]
    return (*rules, *more)


def caught_in_blast(battle: Battle, who: OperativeState, target: OperativeState, rules: Rules) -> str:
    """Whom of its own side a Blast at *target* would hit as well, itself included, as the end of a sentence."""
    reach = blast_reach(rules)
    own = [] if reach is None else [each for each in around(battle, target, reach) if each.side == who.side]
    names = ["the shooter itself" if each is who else each.name for each in own]
    return f"; the Blast also hits {' and '.join(names)}" if names else ""


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
        return f"all {len(refusals)} enemies are {kind}."
    named = kinds.most_common(MOST_KINDS)
    left = len(refusals) - sum(count for _, count in named)
    words = [f"{count} {kind}" for kind, count in named] + ([f"{left} for other reasons"] if left else [])
    return f"of {len(refusals)} enemies {', '.join(words)}."


def _kind_of(reason: str) -> str:
    """A reason without what differs from one target to the next, as it is said of some of the enemies."""
    kind = reason.removeprefix("No target: ").partition(": the target is")[0].rstrip(".")
    _, is_near, where = kind.partition(" is within its ")
    if is_near:
        return f"within a friend's {where}"
    kind = kind[:1].lower() + kind[1:]
    if "of hazardous area lies between" in kind:
        return "across a hazardous area"
    if kind.startswith("the footprint of "):
        return "behind the footprint of a gantry"
    if kind.startswith("in cover ") and kind.endswith((" on Conceal", " on a Conceal order")):
        return "in cover on Conceal"
    return f"out of {kind}".replace("rng", "range") if kind.startswith(("range ", "rng ")) else kind


def choose_origin(who: OperativeState, ruling: TargetRuling) -> Steps[TargetRuling]:
    """SIGHT-14: where no point of the base is best in everything, the shooter's player picks the outcome."""
    valid = [ruling, *(other for other in ruling.alternatives if other.is_valid)]
    options = [Option(str(number), each.words()) for number, each in enumerate(valid)]
    values = {str(number): each for number, each in enumerate(valid)}
    return (yield from pick(who.side, "origin", "From where is the shot drawn?", options, values, default="0"))


def rule_on(battle: Battle, who: OperativeState, target: OperativeState, rules: Rules) -> TargetRuling:
    return as_rules_have_it(
        battle, who, target, battle.table.target_ruling(battle.state, who.id, target.id, sight_words(rules))
    )


def sight_words(rules: Rules) -> tuple[str, ...]:
    """What of a weapon's rules the table has to know."""
    return tuple(sorted({word for rule in rules for word in rule.sight_words}))


def as_rules_have_it(battle: Battle, who: OperativeState, target: OperativeState, found: TargetRuling) -> TargetRuling:
    """What the table has *found* of two operatives, as the rules in force change it."""
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
        return f"{name}: {'not decided whether it is visible' if ruling.is_undecided else 'not visible'}."
    if not ruling.is_valid:
        return f"{name}: {ruling.reasons[-1][1]}" if ruling.reasons else f"{name}: in cover on a Conceal order."
    state = battle.state
    past = battle.having("shoots_past_friends")
    if any(rule.shoots_past_friends(battle, who, state.operatives[target]) for rule in past):
        return None
    for friend in state.friends(who.id):
        if battle.table.in_control_range(state, target, friend.id):
            return f"{name}: {friend.name} is within its {battle.edition.near}."
    return None


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
