"""What the texts of two teams make of each other must not depend on who is red, nor on which text comes first: who
grants and who ignores, what is set, changed and kept within limits. All texts are invented."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, melee, ranged
from language_help import ground, said

from ktsim.rules.engine.attack import Attack
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import Side, other
from ktsim.rules.killzone.tight_places import Condensed
from ktsim.rules.kt24.shoot import Shoot, make_shot
from ktsim.rules.odds.sequences import shot_damage

SIDES: tuple[Side, Side] = ("red", "blue")
SHOOTS = "name: Ink, on: shooting, who: friend, do: [{}]"
ALWAYS_ENEMY = "name: Fog, on: always, who: enemy, do: [{}]"
IS_SHOT = "name: Coat, on: shot-at, who: friend, foe: anyone, do: [{}]"
ALWAYS = "name: Nerve, on: always, who: friend, do: [{}]"

OPPOSED: list[tuple[str, str, list[str] | None]] = [
    (SHOOTS.format("{grant: [Piercing 1]}"), IS_SHOT.format("{ignore-rule: [Piercing]}"), []),
    (SHOOTS.format("{grant: [Piercing 1]}"), ALWAYS.format("{unaffected: [Shock, Stun]}"), ["Piercing 1"]),
    (SHOOTS.format("{grant: [Stun]}"), ALWAYS.format("{unaffected: [Shock, Stun]}"), []),
    (SHOOTS.format("{grant: [Piercing 1]}"), IS_SHOT.format("{weaken-rule: Piercing, by: 1}"), []),
    (SHOOTS.format("{grant: [Piercing 2]}"), IS_SHOT.format("{weaken-rule: Piercing, by: 1}"), ["Piercing 1"]),
    (
        SHOOTS.format("{grant: [Piercing 1]}"),
        IS_SHOT.format("{replace-rule: Piercing 1, with: Piercing Crits 1}"),
        ["Piercing Crits 1"],
    ),
    (SHOOTS.format("{grant: [Saturate]}"), IS_SHOT.format("{ignore-rule: [Saturate]}"), []),
    (SHOOTS.format("{grant: [Silent]}"), ALWAYS_ENEMY.format("{remove-rule: [Silent]}"), []),
    (SHOOTS.format("{critical-on: 5}"), ALWAYS_ENEMY.format("{no-critical-below: 6}"), None),
    (SHOOTS.format("{reroll: attack, dice: any}"), ALWAYS_ENEMY.format("{forbid-reroll: attack}"), None),
    (SHOOTS.format("{stat: hit, by: 1}"), ALWAYS_ENEMY.format("{stat: hit, by: -1, weapons: [all]}"), None),
    (SHOOTS.format("{stat: atk, by: 2, most: 5}"), ALWAYS_ENEMY.format("{stat: atk, by: -1, weapons: [all]}"), None),
    (SHOOTS.format("{stat: atk, set: 6}"), ALWAYS_ENEMY.format("{stat: atk, by: -1, weapons: [all]}"), None),
    (ALWAYS.format("{stat: move, by: 3, most: 8}"), ALWAYS_ENEMY.format("{stat: move, by: -2, least: 5}"), None),
    (ALWAYS.format("{stat: move, set: 8}"), ALWAYS_ENEMY.format("{stat: move, by: -2}"), None),
    (SHOOTS.format("{stat: damage, by: 1}"), ALWAYS_ENEMY.format("{cap-damage: 3/4}"), None),
    (ALWAYS.format("{ap-cost: 1, actions: [Shoot]}"), ALWAYS_ENEMY.format("{ap-cost: -1, actions: [Shoot]}"), None),
]
"""What who shoots has by its team, what its target has by the other one, and what is left of the weapon rules."""
COUNTED = [row for row in OPPOSED if row[2] is not None]


def duel_of_texts(attacks: str, defends: str, shooter: Side) -> Field:
    """A shoots C; *shooter* says which colour A has. Red's rules are always there first."""
    rules = {shooter: said(attacks, side=shooter), other(shooter): said(defends, side=other(shooter))}
    made = Field(*rules["red"], *rules["blue"]).add("a", shooter, (3, 5), ranged(), melee())
    return made.add("c", other(shooter), (9, 5), ranged(), melee(), wounds=8)


def outcome(battle: Battle) -> dict[str, Any]:
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    weapon = battle.weapons(a)[0]
    ruling = rule_on(battle, a, c, ())
    rules = battle.weapon_rules(a, weapon, c, ruling)
    shot = make_shot(battle, Attack(a, weapon, rules, battle.hit(a, weapon), c, ruling))
    hand = shot.hand
    return {
        "shot": (hand.atk, hand.hit, hand.normal, hand.critical, shot.save, shot.cover, shot.defence),
        "rules": [rule.text or type(rule).__name__ for rule in hand.rules if rule.text not in ("Ink", "Fog", "Coat")],
        "odds": {key: round(value, 9) for key, value in shot_damage(shot, battle.edition.shot_stages).items()},
        "used": hand.used,
        "stats": [(battle.move(one).value, battle.save(one).value, battle.apl(one).value) for one in (a, c)],
        "costs": [battle.ap_cost(one, action) for one in (a, c) for action in battle.edition.actions],
    }


@pytest.mark.parametrize(("attacks", "defends", "left"), OPPOSED)
def test_the_same_comes_of_two_texts_whoever_is_red(attacks: str, defends: str, left: list[str] | None) -> None:
    red, blue = (outcome(duel_of_texts(attacks, defends, side).battle()) for side in SIDES)
    assert red == blue
    assert left is None or red["rules"] == left


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("bars", "is_critical"), [("{no-critical-below: 6}", False), ("{stat: move, by: 1}", True)])
def test_what_cannot_be_critical_is_not(side: Side, bars: str, is_critical: bool) -> None:
    found = outcome(duel_of_texts(SHOOTS.format("{critical-on: 5}"), ALWAYS_ENEMY.format(bars), side).battle())
    bare = outcome(duel_of_texts(SHOOTS.format("{grant: [Silent]}"), ALWAYS_ENEMY.format(bars), side).battle())
    assert (found["odds"] != bare["odds"]) == is_critical


PLOY = "name: Ember, ploy: firefight, cost: 1, on: shooting, who: friend, do: [{grant: [Piercing 1]}], until: sequence"


@pytest.mark.parametrize("shooter", SIDES)
@pytest.mark.parametrize(("ignores", "defence"), [("Piercing", (1, 1, 1)), ("Saturate", (1, 1))])
def test_what_is_granted_in_mid_sequence_is_ignored_too(shooter: Side, ignores: str, defence: tuple[int, ...]) -> None:
    made = duel_of_texts(PLOY, IS_SHOT.format(f"{{ignore-rule: [{ignores}]}}"), shooter)
    made.state.cp = {"red": 1, "blue": 1}
    answers = Answers([(5, 5, 5, 5), defence], {"ploy": ["ember#0"]})
    made.play(acting("a", Shoot()), answers)
    answers.done()


DRILLED = "name: Drilled, on: shooting, who: friend, do: [{grant: [Balanced], weapons: [ranged]}]"
KEEN = "of: a, name: Keen, on: shooting, do: [{grant: [Balanced]}, {grant: [Ceaseless], if: [{weapon-rule: [same]}], "
KEEN += "instead-of: [Balanced], weapons: [same]}]"
COLD = "name: Cold, on: shot-at, who: friend, foe: anyone, if: [{weapon-rule: [Balanced], about: foe}], do: [{stat: "
COLD += "save, by: 1}]"


def rules_of_a(*written: str, printed: tuple[str, ...] = ()) -> list[str]:
    made = ground(*written).add("a", "red", (3, 5), ranged(*printed)).add("c", "blue", (9, 5))
    battle = made.battle()
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    return [rule.text for rule in battle.weapon_rules(a, battle.weapons(a)[0], c)]


@pytest.mark.parametrize(
    ("written", "printed", "has"),
    [
        ((KEEN,), (), ["Balanced"]),
        ((KEEN,), ("Balanced",), ["Ceaseless"]),
        ((KEEN, DRILLED), (), ["Ceaseless"]),
        ((DRILLED, KEEN), (), ["Ceaseless"]),
        ((KEEN, DRILLED.replace("[ranged]", "[melee]")), (), ["Balanced"]),
        ((KEEN, KEEN.replace("name: Keen", "name: Quick")), (), ["Ceaseless"]),
    ],
)
def test_a_weapon_rule_by_another_text_is_one_the_weapon_already_has(
    written: tuple[str, ...], printed: tuple[str, ...], has: list[str]
) -> None:
    assert rules_of_a(*written, printed=printed) == has


@pytest.mark.parametrize("shooter", SIDES)
@pytest.mark.parametrize(("granted", "save"), [("[Balanced]", 3), ("[Silent]", 4)])
def test_what_the_other_side_grants_is_had_by_the_weapon(shooter: Side, granted: str, save: int) -> None:
    found = outcome(duel_of_texts(SHOOTS.format(f"{{grant: {granted}}}"), COLD, shooter).battle())
    assert found["shot"][4] == save


@pytest.mark.parametrize(("granted", "has"), [('Blast 1"', ['Blast 1"', "Lethal 5+"]), ("Silent", ["Silent"])])
def test_what_spreads_by_a_text_is_more_lethal_in_tight_places(granted: str, has: list[str]) -> None:
    spreads = SHOOTS.format(f"{{grant: ['{granted}']}}")
    keen = "name: Keen, on: shooting, who: friend, if: [{weapon-rule: [Lethal]}], do: [{grant: [Rending]}]"
    made = Field(Condensed(), *said(spreads, keen)).add("a", "red", (3, 5), ranged()).add("c", "blue", (9, 5))
    battle = made.battle()
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    found = {rule.text for rule in battle.weapon_rules(a, ranged(), c)}
    assert found == {*has, *(["Rending"] if len(has) > 1 else [])}
