"""Better words for known topics. An unknown topic is shown as it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ktsim.rules.battle import Battle
from ktsim.rules.decisions import Decision, Pick
from ktsim.rules.fighting import Duel
from ktsim.rules.shoot import Aim
from ktsim.rules.shooting import Shot
from ktsim.rules.state import OperativeState
from ktsim.rules.table import TargetRuling

from ..part_names import readable
from .odds_view import Aimed, Engaged, aim, engage
from .prompt import KEYS, Choice, Mark, Prompt, prompt_of

ACTION_KEYS = {
    "Reposition": "q",
    "Dash": "w",
    "Charge": "e",
    "Fall Back": "r",
    "Shoot": "s",
    "Fight": "f",
    "Pick Up Marker": "p",
    "Place Marker": "l",
    "pass": "n",
}
ACTION_ICONS = {
    "Reposition": "steps",
    "Dash": "dash",
    "Charge": "charge",
    "Fall Back": "back",
    "Shoot": "target",
    "Fight": "swords",
    "Pick Up Marker": "pick-up",
    "Place Marker": "put-down",
    "pass": "skip",
}
ORDER_NOTES = {
    "engage": "May Shoot, Charge and counteract.",
    "conceal": "No Shoot, Charge or counteract. In cover it is no valid target.",
}
COST = re.compile(r" \((\d+)(AP|CP)(?: unspent)?\)")


def shown(decision: Decision[Any], number: int, battle: Battle) -> Prompt:
    """The prompt of a decision, with what is known about its topic."""
    prompt = prompt_of(decision, number, battle)
    better = TOPICS.get(decision.topic)
    if better is not None and prompt.choices:
        prompt = better(prompt, decision, battle)
    return _readable(prompt, battle)


def _readable(prompt: Prompt, battle: Battle) -> Prompt:
    """Terrain by its names instead of ids."""
    terrain = battle.table.terrain_in(battle.state)

    def change(choice: Choice) -> Choice:
        title, note, refusal = (readable(text, terrain) for text in (choice.title, choice.note, choice.refusal))
        return replace(choice, title=title, note=note, refusal=refusal)

    return replace(_each(prompt, change), text=readable(prompt.text, terrain))


def _each(prompt: Prompt, change: Callable[[Choice], Choice]) -> Prompt:
    return replace(prompt, choices=tuple(map(change, prompt.choices)))


def standing(battle: Battle, who: OperativeState) -> tuple[Mark, ...]:
    """An operative's wounds and order as marks."""
    wounds = Mark("injured" if battle.is_injured(who) else "heart", f"{who.wounds}/{battle.card(who).wounds}")
    return wounds, Mark(who.order, who.order.capitalize())


def _activate(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    def change(choice: Choice) -> Choice:
        who = battle.state.operatives.get(choice.key)
        if who is None:
            return choice
        return replace(choice, title=who.name, note="", marks=standing(battle, who))

    title = "Activate" if decision.topic == "activate" else "Counteract"
    return replace(_each(prompt, change), title=title)


def _order(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    if {choice.key for choice in prompt.choices} != set(ORDER_NOTES):
        return prompt
    return _each(
        prompt, lambda choice: replace(choice, note=ORDER_NOTES[choice.key], icon=choice.key, shortcut=choice.key[0])
    )


def _action(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    def change(choice: Choice) -> Choice:
        text = choice.title + (f" ({choice.note})" if choice.note else "")
        cost = COST.search(text)
        is_pass = choice.key == "pass"
        badge = f"{cost[1]} {cost[2]}" if cost and not is_pass else ""
        note = f"Ends the activation, {cost[1]} AP unspent" if cost and is_pass else ""
        key = ACTION_KEYS.get(choice.key, choice.shortcut)
        icon = ACTION_ICONS.get(choice.key, "act")
        title = COST.sub("", text)
        refusal = choice.refusal.removeprefix(f"{choice.key}: ")
        refusal = refusal[:1].upper() + refusal[1:]
        return replace(choice, title=title, note=note, badge=badge, icon=icon, shortcut=key, refusal=refusal)

    who = battle.state.operatives.get(prompt.operative)
    return replace(_each(prompt, change), title=who.name if who is not None else prompt.title)


def ruling_marks(ruling: TargetRuling) -> tuple[Mark, ...]:
    """What the ruling says of a target, in the order it decides."""
    if not ruling.is_visible:
        return (Mark("cross", "not visible"),)
    found = [Mark("eye", "visible")]
    found += [Mark("shield", "in cover")] if ruling.in_cover else []
    found += [Mark("veil", "obscured")] if ruling.is_obscured else []
    found += [Mark("steps", f"Accurate {ruling.accurate}")] if ruling.accurate else []
    return tuple(found)


def _target(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    if not isinstance(decision.about, Aim):
        return prompt
    who = battle.state.operatives[decision.about.operative]
    weapon = battle.weapon(who, decision.about.weapon)

    def change(choice: Choice) -> Choice:
        target = battle.state.operatives.get(choice.key)
        if target is None:
            return choice
        ruling = aim(battle, who, weapon, target).ruling
        marks = (*ruling_marks(ruling), Mark(target.order, target.order.capitalize()))
        refusal = choice.refusal.removeprefix(f"{target.name}: ")
        note = f'{ruling.distance:.2f}" · {target.wounds} wounds'
        return replace(choice, title=target.name, note=note, marks=marks, refusal=refusal)

    # Whoever can be chosen comes first, and gets the first keys.
    rows = sorted(_each(prompt, change).choices, key=lambda choice: bool(choice.refusal))
    keys = [*KEYS, *[""] * len(rows)]
    return replace(
        prompt,
        choices=tuple(replace(choice, shortcut=key) for choice, key in zip(rows, keys, strict=False)),
        title=f"{who.name}: {weapon.name}",
        operative=who.id,
        needs_confirming=True,
        confirm="Roll the attack dice",
    )


def _weapon(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    who = battle.state.operatives.get(prompt.operative)
    if who is None:
        return prompt
    profiles = {profile.key: profile for profile in battle.weapons(who)}

    def change(choice: Choice) -> Choice:
        weapon = profiles.get(choice.key)
        if weapon is None:
            return choice
        hit = battle.hit(who, weapon).value
        numbers = f"Atk {weapon.atk} · Hit {hit}+ · Dmg {weapon.normal}/{weapon.critical}"
        rules = ", ".join(weapon.rules)
        icon = "target" if weapon.kind == "ranged" else "swords"
        return replace(choice, title=weapon.name, note=f"{numbers}{' · ' + rules if rules else ''}", icon=icon)

    return replace(_each(prompt, change), title=who.name)


def _enemy(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    return replace(_activate(prompt, decision, battle), title="Fight")


def _block(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    found = _each(prompt, lambda choice: replace(choice, icon="shield"))
    shot = decision.about
    if not isinstance(shot, Shot):
        return found
    target = battle.state.operatives.get(shot.hand.target)
    if target is None:
        return found

    def change(choice: Choice) -> Choice:
        suffered = re.search(r"suffering (\d+)", choice.title + choice.note)
        if suffered is None:
            return choice
        left = max(0, target.wounds - int(suffered[1]))
        badge = "out" if left == 0 else f"{left} left"
        return replace(
            choice, title=choice.title.partition(", suffering")[0], note=f"Suffers {suffered[1]}", badge=badge
        )

    return replace(_each(found, change), operative=target.id)


def _resolve(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    duel = decision.about

    def change(choice: Choice) -> Choice:
        strikes = choice.key.startswith("strike")
        badge = ""
        if strikes and isinstance(duel, Duel):
            mine = duel.hands[duel.turn]
            damage = mine.critical if choice.key.endswith("c") else mine.normal
            left = duel.wounds[1 - duel.turn] - damage
            badge = "out" if left <= 0 else f"{left} left"
        return replace(choice, icon="swords" if strikes else "shield", badge=badge)

    return replace(_each(prompt, change), title="Strike or block")


def _reroll(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    def change(choice: Choice) -> Choice:
        return replace(choice, icon="check" if choice.key == "keep" else "dice")

    return replace(_each(prompt, change), title="Re-roll?")


def _gambit(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    def change(choice: Choice) -> Choice:
        cost = COST.search(f"{choice.title} ({choice.note})") or COST.search(choice.title)
        badge = f"{cost[1]} CP" if cost else ""
        title = COST.sub("", choice.title)
        return replace(choice, title=title, badge=badge, icon="skip" if choice.key == "pass" else "flag")

    return replace(_each(prompt, change), title="Strategic gambit")


def _titled(title: str) -> Callable[[Prompt, Decision[Any], Battle], Prompt]:
    return lambda prompt, decision, battle: replace(prompt, title=title)


def _turn(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    """What is marked is seen on the table before it is given."""
    return replace(prompt, title="Turn it", needs_confirming=True, confirm="Set it up like this")


TOPICS: dict[str, Callable[[Prompt, Decision[Any], Battle], Prompt]] = {
    "activate": _activate,
    "counteract": _activate,
    "order": _order,
    "action": _action,
    "target": _target,
    "weapon": _weapon,
    "enemy": _enemy,
    "block": _block,
    "resolve": _resolve,
    "reroll": _reroll,
    "gambit": _gambit,
    "turn": _turn,
    "item": _titled("Equipment"),
    "card": _titled("Initiative card"),
    "cover": _titled("Cover saves"),
    "discard": _titled("Obscured"),
}


def _chooser(decision: Decision[Any], battle: Battle) -> OperativeState | None:
    """Who chooses a weapon, if that is what is asked."""
    is_weapon = decision.topic == "weapon" and isinstance(decision.about, str)
    return battle.state.operatives.get(decision.about) if is_weapon else None


# -- odds before shooting ----------------------------------------------------------------------------


def shots_on_offer(decision: Decision[Any] | None, battle: Battle) -> list[Aimed]:
    """Every weapon at every enemy that the pending decision may lead to, so that the odds are known before it: of a
    weapon choice all ranged weapons on offer, of a target choice the weapon already chosen."""
    if decision is None:
        return []
    state = battle.state
    if decision.topic == "target" and isinstance(decision.about, Aim):
        who = state.operatives[decision.about.operative]
        weapons = [battle.weapon(who, decision.about.weapon)]
    elif (who_chooses := _chooser(decision, battle)) is not None and isinstance(decision, Pick):
        who = who_chooses
        keys = {option.key for option in decision.options}
        weapons = [weapon for weapon in battle.weapons(who) if weapon.key in keys and weapon.kind == "ranged"]
    else:
        return []
    return [aim(battle, who, weapon, enemy) for weapon in weapons for enemy in state.enemies(who.id)]


def fights_on_offer(decision: Decision[Any] | None, battle: Battle) -> list[Engaged]:
    """Every melee weapon on offer against every enemy it may be used on.

    The enemy's first melee weapon is taken for the one it will choose.
    """
    who = _chooser(decision, battle) if decision is not None else None
    if who is None or not isinstance(decision, Pick):
        return []
    keys = {option.key for option in decision.options}
    found = []
    for weapon in battle.weapons(who):
        if weapon.key not in keys or weapon.kind != "melee":
            continue
        for enemy in battle.engaged_with(who):
            theirs = next((each for each in battle.weapons(enemy) if each.kind == "melee"), None)
            if theirs is not None:
                found.append(engage(battle, who, weapon, enemy, theirs))
    return found
