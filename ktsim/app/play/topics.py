"""Better words for known topics. An unknown topic is shown as it is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ktsim.app.play.action_words import described
from ktsim.app.play.chances import Aimed, Engaged, aim, engage
from ktsim.app.play.preparing import suggested_equipment, suits
from ktsim.app.play.prompt import COST, KEYS, NOBODY, Choice, Mark, Prompt, prompt_of
from ktsim.app.play.rerolls import is_pointless, rerolls_worth
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Decision, Pick, PickSome
from ktsim.rules.engine.dice import COMMAND
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.shoot.targets import Aim, weapon_options
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.sight.part_names import readable

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
    "engage": "May Shoot, Charge and {0}.",
    "conceal": "No Charge or {0}; Shoot only with Silent weapons. In cover it is not a valid target.",
}
"""What the orders allow (KT24-ORDER, KT24-SHOOT, KT21-OVERWATCH); {0} is what the edition calls acting once nobody is
ready."""
PASSING = "Nothing for now. If the opponent uses something after it, you are asked again."
NO_TARGET = "No valid target: the action would be cancelled."
NO_TARGETS = "No weapon has a valid target: choosing one cancels the action and gives the AP back."


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
            return replace(choice, digit="0") if choice.key == NOBODY else choice
        note = ", ".join(dict.fromkeys(weapon.name for weapon in battle.weapons(who)))
        number = [one.id for one in battle.state.operatives.values() if one.side == who.side].index(who.id)
        digit = KEYS[number] if number < len(KEYS) else ""
        return replace(choice, title=who.name, note=note, marks=standing(battle, who), digit=digit)

    title = "Activate" if decision.topic == "activate" else "Counteract"
    return replace(_each(prompt, change), title=title)


def _order(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    if {choice.key for choice in prompt.choices} != set(ORDER_NOTES):
        return prompt
    late = "Overwatch" if battle.edition.id.startswith("kt21") else "counteract"

    def change(choice: Choice) -> Choice:
        note = ORDER_NOTES[choice.key].format(late)
        return replace(choice, note=note, icon=choice.key, shortcut=choice.key[0])

    return _each(prompt, change)


def _action(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    who = battle.state.operatives.get(prompt.operative)
    actions = {} if who is None else {each.name: each for each in battle.actions(who)}

    def change(choice: Choice) -> Choice:
        text = choice.title + (f" ({choice.note})" if choice.note else "")
        cost = COST.search(text)
        is_pass = choice.key == "pass"
        badge = f"{cost[1]} {cost[2]}" if cost and not is_pass else ""
        note = f"Ends the activation, {cost[1]} AP unspent" if cost and is_pass else ""
        action = actions.get(choice.key)
        if who is not None and action is not None and not choice.refusal:
            note = described(battle, who, action)
        if who is not None and who.order == "conceal" and choice.key == "Shoot" and not choice.refusal:
            note = f"Silent weapon: {_silent(battle, who)}"
        key = ACTION_KEYS.get(choice.key, "")
        icon = ACTION_ICONS.get(choice.key, "act")
        title = COST.sub("", text)
        refusal = choice.refusal.removeprefix(f"{choice.key}: ")
        refusal = refusal[:1].upper() + refusal[1:]
        features = () if refusal or action is None or who is None else tuple(action.opens(battle, who))
        found = replace(choice, title=title, note=note, badge=badge, icon=icon, shortcut=key, refusal=refusal)
        return replace(found, features=features)

    return replace(_each(prompt, change), title=who.name if who is not None else prompt.title)


def _silent(battle: Battle, who: OperativeState) -> str:
    """The weapons by which it may Shoot although it has a Conceal order."""
    open_keys = {option.key for option in weapon_options(battle, who) if option.refusal is None}
    return ", ".join(weapon.name for weapon in battle.weapons(who) if weapon.key in open_keys)


def ruling_marks(ruling: TargetRuling) -> tuple[Mark, ...]:
    """What the ruling says of a target, in the order it decides."""
    if not ruling.is_visible:
        return (Mark("help", "not decided") if ruling.is_undecided else Mark("cross", "not visible"),)
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

    return replace(
        _each(prompt, change),
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
        is_vain = weapon.kind == "ranged" and not choice.refusal and not _has_target(battle, who, weapon)
        note = f"{numbers}{' · ' + rules if rules else ''}"
        return replace(choice, title=weapon.name, note=note, icon=icon, warning=NO_TARGET if is_vain else "")

    found = replace(_each(prompt, change), title=who.name)
    is_vain = all(choice.warning for choice in found.open_choices)
    return replace(found, warning=NO_TARGETS) if is_vain and found.open_choices else found


def _has_target(battle: Battle, who: OperativeState, weapon: Profile) -> bool:
    return any(not aim(battle, who, weapon, enemy).refusal for enemy in battle.state.enemies(who.id))


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
        left = target.wounds - int(suffered[1])
        title = choice.title.partition(", suffering")[0]
        return replace(choice, title=title, note=f"Suffers {suffered[1]}: {wounds_left(left)}", badge=_out(left))

    return replace(_each(found, change), operative=target.id)


def wounds_left(left: int) -> str:
    return f"{max(0, left)} wound{'' if left == 1 else 's'} left"


def _out(left: int) -> str:
    return "out" if left <= 0 else ""


def _resolve(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    duel = decision.about

    def change(choice: Choice) -> Choice:
        strikes = choice.key.startswith("strike")
        icon = "swords" if strikes else "shield"
        if not strikes or not isinstance(duel, Duel):
            return replace(choice, icon=icon)
        mine, theirs = duel.hands[duel.turn], duel.hands[1 - duel.turn]
        damage = mine.critical if choice.key.endswith("c") else mine.normal
        left = duel.wounds[1 - duel.turn] - damage
        note = f"{damage} damage: {theirs.who} has {wounds_left(left)}"
        return replace(choice, icon=icon, title=choice.title.partition(" (")[0], note=note, badge=_out(left))

    return replace(_each(prompt, change), title="Strike or block")


def _reroll(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    worth = rerolls_worth(decision, battle)

    def change(choice: Choice) -> Choice:
        badge = "1 CP" if choice.key.startswith(COMMAND) else ""
        note, warning = worth.get(choice.key, (choice.note, ""))
        found = replace(choice, icon="check" if choice.key == "keep" else "dice", badge=badge)
        return replace(found, note=note, warning=warning)

    text = (
        f"{prompt.text} No re-roll would better anything: keep them." if is_pointless(decision, battle) else prompt.text
    )
    return replace(_each(prompt, change), title="Re-roll?", text=text)


def _paid(choice: Choice) -> Choice:
    """With what it costs beside it instead of behind its name."""
    cost = COST.search(f"{choice.title} ({choice.note})") or COST.search(choice.title)
    return replace(choice, title=COST.sub("", choice.title), badge=f"{cost[1]} CP" if cost else "")


def _initiative(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    """Why it is asked, and what either answer means."""

    def change(choice: Choice) -> Choice:
        name = battle.teams["red" if choice.key == "red" else "blue"].name
        first = "You activate first." if choice.key == prompt.seat else "The opponent activates first, and you answer."
        return replace(choice, title=name, note=first)

    return replace(_each(prompt, change), title="Initiative", text=f"{prompt.text} You decide, for this turning point.")


def _gambit(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    """What is due comes first; passing is explained: a pass is not for good."""

    def change(choice: Choice) -> Choice:
        if choice.key == "pass":
            return replace(choice, icon="skip", note="" if choice.refusal else PASSING)
        return replace(_paid(choice), icon="flag")

    passing, text = prompt.choice("pass"), f"{prompt.text} One at a time, by turns, until both pass."
    due = prompt.default if passing is not None and passing.refusal else "pass"
    found = replace(_each(prompt, change), title=f"Strategic {battle.edition.gambit}", text=text)
    return replace(found, choices=tuple(sorted(found.choices, key=lambda choice: choice.key != due)))


def _ploy(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    return _each(prompt, _paid)


def _equipment(prompt: Prompt, decision: Decision[Any], battle: Battle) -> Prompt:
    """What suits the killzone is marked to begin with, and says why."""
    if not isinstance(decision, PickSome):
        return replace(prompt, title="Equipment")

    def change(choice: Choice) -> Choice:
        why = suits(battle, choice.key)[1]
        return replace(choice, marks=(Mark("star", f"Suits this killzone: {why}"),)) if why else choice

    return replace(_each(prompt, change), title="Equipment", default=suggested_equipment(decision, battle))


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
    "melee weapon": _weapon,
    "enemy": _enemy,
    "block": _block,
    "resolve": _resolve,
    "reroll": _reroll,
    "gambit": _gambit,
    "initiative": _initiative,
    "ploy": _ploy,
    "turn": _turn,
    "item": _titled("Equipment"),
    "equipment": _equipment,
    "card": _titled("Initiative card"),
    "cover": _titled("Cover saves"),
    "discard": _titled("Obscured"),
}


def _chooser(decision: Decision[Any], battle: Battle) -> OperativeState | None:
    """Who chooses a weapon, if that is what is asked."""
    is_weapon = decision.topic in ("weapon", "melee weapon") and isinstance(decision.about, str)
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
