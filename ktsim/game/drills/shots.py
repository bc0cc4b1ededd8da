"""Drills about shots: who may be shot, on which order, at whom with what, and what a defender should choose."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

from ktsim.game.drills.drill import (
    Drill,
    DrillKind,
    Marked,
    Position,
    answer_of,
    asking,
    engaged,
    is_steady,
    opposing,
    text_of,
)
from ktsim.game.drills.places import elsewhere
from ktsim.killzones.scene_file import SceneFile
from ktsim.rules.editions import edition
from ktsim.rules.engine.cards import Datacard, Profile
from ktsim.rules.odds.sequences import Numbers, kill, mean, shoot_odds
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import ORDERS, Weapon

TRIES = 12
"""Pairs of a position that are looked at before it is given up."""
DULL = 0.85
"""The share of plain answers (hidden, or in the open) that are passed over."""
SHOOTERS = 3
PLAINLY = 12.0
"""Hidden or in the open further away than this (inches) is no question."""
NEAR = 1.0
CHOOSERS, ELSEWHERE = 6, 24
"""Pairs of which a choice of the defender is looked for, and places its operative might have gone to."""
TARGETS = 5
"""Targets of a shot among which two or three are looked for that make a question."""
CLEARER = 0.12
"""The best choice must be better than the next by this share."""

SHOT_CHOICES = {
    "Not visible": (False, False, None, None),
    "Visible, but not a valid target": (True, False, None, None),
    "A valid target in the open": (True, True, False, False),
    "A valid target in cover": (True, True, True, False),
    "A valid target, obscured": (True, True, False, True),
    "A valid target with cover and obscured": (True, True, True, True),
}
ORDER_CHOICES = {"On either order": (True, True), "Only on Engage": (True, False), "On neither order": (False, False)}


def shot_choice(answer: dict[str, Any]) -> str:
    """The words for the four answers of a ruling."""
    got = (answer["visible"], answer["valid_target"], answer["in_cover"], answer["obscured"])
    return next(
        words
        for words, wanted in SHOT_CHOICES.items()
        if all(want is None or want == have for want, have in zip(wanted, got, strict=True))
    )


def _near_parts(found: Ruling) -> int:
    return sum(each.apart <= NEAR for each in found.considered)


def _difficulty(found: Ruling) -> float:
    """Harder with every part a line passes near, and where what is seen cannot be shot; easy where it is plain."""
    if not found.visible:
        return 0.4 if found.distance < PLAINLY else 0.1
    seen_in_vain = found.visible and not found.valid_target
    return min(1.0, 0.1 + 0.12 * min(5, _near_parts(found)) + (0.2 if seen_in_vain else 0.0))


def propose_shot(position: Position, rng: Random) -> Drill | None:
    for shooter, target in opposing(position.file, rng)[:TRIES]:
        found = _ruled(position.file, shooter, target)
        is_plain = not found.visible or (found.valid_target and not found.in_cover and not found.obscured)
        if is_plain and (found.distance > PLAINLY or rng.random() < DULL):
            continue
        file = asking(position.file, (shooter, target))
        if not is_steady(found, file):
            continue
        question = f"May {shooter} shoot {target}, and what does {target} get?"
        answer = answer_of(found)
        return Drill("shot", found.decided_by, text_of(file), question, answer, _difficulty(found), tuple(SHOT_CHOICES))
    return None


def _ruled(file: SceneFile, shooter: str, target: str) -> Ruling:
    return ruling(file.scene, shooter, target, file.edition, file.weapon)


def mark_shot(drill: Drill, given: str) -> Marked:
    found = _asked_ruling(drill)
    right = shot_choice(answer_of(found))
    return Marked(given == right, found.as_text(), (found,), right=right)


def _asked_ruling(drill: Drill) -> Ruling:
    file = drill.file()
    return _ruled(file, *file.pairs[0])


def propose_order(position: Position, rng: Random) -> Drill | None:
    for shooter, target in opposing(position.file, rng)[:TRIES]:
        found = _on_orders(position.file, shooter, target)
        if not any(each.visible for each in found.values()):
            continue
        if found["engage"].valid_target == found["conceal"].valid_target and rng.random() < DULL:
            continue
        file = asking(position.file, (shooter, target))
        if not all(is_steady(each, file) for each in found.values()):
            continue
        answer: dict[str, bool] = {order: found[order].valid_target for order in ORDERS}
        question = f"On which order is {target} a valid target for {shooter}?"
        difficulty = _difficulty(found["conceal"])
        rule = found["conceal"].decided_by
        return Drill("order", rule, text_of(file), question, answer, difficulty, tuple(ORDER_CHOICES))
    return None


def _on_orders(file: SceneFile, shooter: str, target: str) -> dict[str, Ruling]:
    who = file.scene.operative(target)
    return {
        order: ruling(file.scene.moved(replace(who, order=order)), shooter, target, file.edition, file.weapon)
        for order in ORDERS
    }


def mark_order(drill: Drill, given: str) -> Marked:
    file = drill.file()
    found = _on_orders(file, *file.pairs[0])
    valid = tuple(found[order].valid_target for order in ("engage", "conceal"))
    right = next(words for words, wanted in ORDER_CHOICES.items() if wanted == valid)
    told = "\n".join(f"{order.capitalize()}: {found[order].headline}" for order in ("engage", "conceal"))
    return Marked(given == right, told, (found["conceal"], found["engage"]), right=right)


# -- by the odds ---------------------------------------------------------------------------------------------------


def _printed(weapon: Profile) -> str:
    rules = f", {', '.join(weapon.rules)}" if weapon.rules else ""
    return f"{weapon.name} ({weapon.atk} dice, {weapon.hit}+, {weapon.normal}/{weapon.critical}{rules})"


def odds_of(weapon: Profile, target: Datacard, found: Ruling, cover: bool, obscured: bool) -> dict[str, Any]:
    """What ``ktsim odds shoot`` says of the weapon against the target, with the arguments that ask it."""
    rules = [*weapon.rules, *([f"Accurate {found.accurate}"] if found.accurate else [])]
    registry = edition(found.edition).weapon_rules
    spoken = tuple(rule for rule in registry.parse_all(rules) if rule.only in ("", "ranged"))
    improved = cover and found.improved_cover_save
    damage = shoot_odds(
        Numbers(weapon.atk, weapon.hit, weapon.normal, weapon.critical, spoken),
        save=target.save,
        defence=edition(found.edition).defence_dice,
        cover=int(cover),
        is_obscured=obscured,
        is_improved=improved,
        stages=edition(found.edition).shot_stages,
    )
    asked = ["--attack", str(weapon.atk), "--hit", f"{weapon.hit}+", "--damage", f"{weapon.normal}/{weapon.critical}"]
    asked += ["--rules", ", ".join(rules), "--save", f"{target.save}+", "--wounds", str(target.wounds)]
    asked += ["--cover", str(int(cover)), *(["--obscured"] if obscured else []), *(["--improved"] if improved else [])]
    return {"mean": mean(damage), "kill": kill(damage, target.wounds), "odds": asked}


def _guns(position: Position, shooter: str) -> list[Profile]:
    card = position.cards.get(shooter)
    return [] if card is None else [each for each in card.weapons if each.kind == "ranged" and not each.is_unclear]


def _words(weapon: Profile) -> Weapon:
    return Weapon(tuple(rule.lower() for rule in weapon.rules))


def propose_choice(position: Position, rng: Random) -> Drill | None:
    """Cover and obscured from one feature: which of them takes more out of the shot?"""
    if not position.cards or position.file.edition != "kt24":
        return None
    for shooter, target in opposing(position.file, rng)[:CHOOSERS]:
        if not (guns := _guns(position, shooter)):
            continue
        weapon = rng.choice(guns)
        armed = replace(engaged(position.file, shooter), weapon=_words(weapon))
        if not _ruled(armed, shooter, target).visible:
            continue
        for there in (armed, *elsewhere(position, armed, target, rng, ELSEWHERE)):
            file, found = asking(there, (shooter, target)), _ruled(there, shooter, target)
            if found.choice == "defender" and found.shootable and not found.enemies and not found.blunts_piercing:
                break
        else:
            continue
        if not is_steady(found, file):
            continue
        card = position.cards[target]
        both = {
            "cover": odds_of(weapon, card, found, cover=True, obscured=False),
            "obscured": odds_of(weapon, card, found, cover=False, obscured=True),
        }
        better, worse = sorted(both, key=lambda name: both[name]["mean"])
        if both[worse]["mean"] <= (1 + CLEARER) * both[better]["mean"]:
            continue
        question = (
            f"{shooter} shoots {target} with {_printed(weapon)}. {target} has Save {card.save}+ and may be in cover or "
            f"obscured, not both. Which do you choose?"
        )
        close = both[better]["mean"] / both[worse]["mean"]
        answer = {"choice": better, **both}
        return Drill("choice", "KT24-OBSCURED", text_of(file), question, answer, close, ("cover", "obscured"))
    return None


def mark_choice(drill: Drill, given: str) -> Marked:
    told = ", ".join(f"{name}: {drill.answer[name]['mean']:.2f} damage expected" for name in ("cover", "obscured"))
    right = drill.answer["choice"]
    return Marked(given == right, told, (_asked_ruling(drill),), right=right)


def propose_weapon(position: Position, rng: Random) -> Drill | None:
    """Which weapon at which of a few targets: expected damage of everything that may be shot."""
    shooters = [id for id in position.cards if _guns(position, id)]
    rng.shuffle(shooters)
    for shooter in shooters[:SHOOTERS]:
        team = position.file.scene.operative(shooter).team
        enemies = [each.id for each in position.file.scene.operatives if each.team != team]
        rng.shuffle(enemies)
        armed = engaged(position.file, shooter)
        options = _clearest(_aimed(position, armed, shooter, enemies))
        targets = list(dict.fromkeys(each["target"] for each in options))
        file = asking(armed, *((shooter, target) for target in targets))
        weapons = _guns(position, shooter)
        if not options or not all(_is_steady_for(file, shooter, target, weapons) for target in targets):
            continue
        guns = "; ".join(map(_printed, weapons))
        told = "; ".join(f"{id}: Save {position.cards[id].save}+" for id in targets)
        question = f"{shooter} shoots: {guns}. Which weapon at whom inflicts most? ({told})"
        answer = {"weapon": options[0]["weapon"], "target": options[0]["target"], "options": options}
        choices = sorted(f"{each['weapon']} at {each['target']}" for each in options)
        close = options[1]["mean"] / options[0]["mean"]
        return Drill("weapon", "KT24-SHOOT", text_of(file), question, answer, close, tuple(choices))
    return None


def _aimed(position: Position, file: SceneFile, shooter: str, enemies: list[str]) -> list[dict[str, Any]]:
    """Every weapon at every valid target, of the first few that there are."""
    found: list[dict[str, Any]] = []
    for enemy in enemies:
        if len({each["target"] for each in found}) == TARGETS:
            break
        if not ruling(file.scene, shooter, enemy, file.edition).visible:
            continue
        for weapon in _guns(position, shooter):
            ruled = ruling(file.scene, shooter, enemy, file.edition, _words(weapon))
            if not ruled.shootable or ruled.enemies or ruled.blunts_piercing or ruled.choice is not None:
                continue
            odds = odds_of(weapon, position.cards[enemy], ruled, ruled.in_cover, ruled.obscured)
            found.append({"weapon": weapon.name, "target": enemy, **odds})
    return found


def _clearest(options: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Those against two or three of the targets of which one is clearly the best, the most damage first; else none."""
    targets = list(dict.fromkeys(each["target"] for each in options))
    for few in (*combinations(targets, 3), *combinations(targets, 2)):
        left = [each for each in options if each["target"] in few]
        left.sort(key=lambda each: (-each["mean"], each["weapon"], each["target"]))
        if left[0]["mean"] > (1 + CLEARER) * left[1]["mean"]:
            return left
    return []


def _is_steady_for(file: SceneFile, shooter: str, target: str, guns: list[Profile]) -> bool:
    """Whether the rulings on the target are steady, whichever of the weapons is meant."""
    said = {_words(weapon) for weapon in guns}
    armed = [replace(file, weapon=words) for words in sorted(said, key=lambda each: each.rules)]
    return all(is_steady(_ruled(each, shooter, target), each) for each in armed)


def mark_weapon(drill: Drill, given: str) -> Marked:
    right = f"{drill.answer['weapon']} at {drill.answer['target']}"
    told = "\n".join(
        f"{each['weapon']} at {each['target']}: {each['mean']:.2f} damage expected, {each['kill']:.0%} to take out"
        for each in drill.answer["options"]
    )
    file = drill.file()
    best = next(pair for pair in file.pairs if pair[1] == drill.answer["target"])
    return Marked(given == right, told, (_ruled(file, *best),), right=right)


KINDS = (
    DrillKind("shot", "May it be shot, and why not?", propose_shot, mark_shot),
    DrillKind("order", "Conceal or Engage?", propose_order, mark_order),
    DrillKind("choice", "Cover or obscured: which do you choose?", propose_choice, mark_choice),
    DrillKind("weapon", "Which target, which weapon?", propose_weapon, mark_weapon),
)
