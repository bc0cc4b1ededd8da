"""Words of the language that few texts use, each where it holds and just where it does not."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import Answers, Field, acting, melee, ranged
from language_help import ground
from team_help import who

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.kt24.fight import Fight


def pair(*written: str, x: float = 9, **more: Any) -> Field:
    made = ground(*written, **more).add("a", "red", (3, 5), ranged("Hot", "Piercing 1"), melee("Brutal"))
    return made.add("c", "blue", (x, 5), ranged(), melee())


def texts_of(made: Field, kind: str = "ranged") -> list[str]:
    """The rules of A's weapon against C."""
    battle = made.battle()
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    weapon = next(each for each in battle.weapons(a) if each.kind == kind)
    ruling = rule_on(battle, a, c, ()) if kind == "ranged" else None
    return [rule.text for rule in battle.weapon_rules(a, weapon, c, ruling)]


GRANT = "do: [{grant: [Rending]}]"


@pytest.mark.parametrize("has_it", [True, False])
def test_who_carries_a_marker(has_it: bool) -> None:
    made = pair(f"name: X, on: always, who: friend, if: [carrying], {GRANT}")
    made.marker("m", (20, 5), carrier="a" if has_it else "c", can_be_picked_up=True)
    assert ("Rending" in texts_of(made)) == has_it


@pytest.mark.parametrize("wounds", [10, 9])
def test_who_the_foe_is(wounds: int) -> None:
    says = "name: X, on: [shooting, fighting, retaliating], who: friend, if: [{foe: {is: enemy, that: [wounded]}}], "
    made = pair(says + GRANT)
    made.state.operatives["c"].wounds = wounds
    assert ("Rending" in texts_of(made)) == (wounds < 10)


@pytest.mark.parametrize("wounds", [5, 4])
def test_who_is_injured(wounds: int) -> None:
    made = pair(f"name: X, on: always, who: friend, if: [injured], {GRANT}")
    made.state.operatives["a"].wounds = wounds
    assert ("Rending" in texts_of(made)) == (wounds < 5)


@pytest.mark.parametrize("is_ready", [True, False])
def test_who_is_somebody(is_ready: bool) -> None:
    made = pair(f"name: X, on: always, who: friend, if: [{{is: {{is: friend, that: [ready]}}}}], {GRANT}")
    made.state.operatives["a"].is_ready = is_ready
    assert ("Rending" in texts_of(made)) == is_ready


@pytest.mark.parametrize(("kind", "owner"), [("Beacon", "red"), ("Beacon", "blue"), ("Lamp", "red")])
def test_a_marker_of_the_team_is_in_the_killzone(kind: str, owner: str) -> None:
    made = pair(f"name: X, on: always, who: friend, if: [{{marker-placed: Beacon}}], {GRANT}")
    made.marker("m", (20, 5), owner=owner)
    made.state.markers["m"] = replace(made.state.markers["m"], kind=kind)
    assert ("Rending" in texts_of(made)) == ((kind, owner) == ("Beacon", "red"))


@pytest.mark.parametrize("is_hidden", [True, False])
def test_who_is_obscured(is_hidden: bool) -> None:
    veil = "name: Veil, on: shot-at, who: enemy, foe: anyone, do: [obscure]" if is_hidden else ""
    says = "name: X, on: shooting, who: friend, if: [{obscured: true, about: foe}], "
    assert ("Rending" in texts_of(pair(says + GRANT, *filter(None, [veil])))) == is_hidden


@pytest.mark.parametrize("x", [4.8, 9.0])
def test_who_was_engaged_as_the_activation_began(x: float) -> None:
    says = f"name: X, on: always, who: friend, if: [was-engaged], {GRANT}"
    seen: list[bool] = []

    def procedure(battle: Battle) -> Steps[None]:
        yield ActivationBegan("a", "activation", "engage", 2)
        for rule in battle.in_turn("activation_begins"):
            yield from rule.activation_begins(battle, battle.state.operatives["a"])
        battle.state.operatives["c"].x = 20_000  # it goes; that it was there stays
        a = battle.state.operatives["a"]
        rules = battle.weapon_rules(a, battle.weapons(a)[0])
        seen.append("Rending" in [each.text for each in rules])

    pair(says, x=x).play(procedure, Answers())
    assert seen == [x < 5]


def test_a_weapon_without_some_of_its_rules() -> None:
    assert texts_of(pair()) == ["Hot", "Piercing 1"]
    assert texts_of(pair("name: X, on: always, who: friend, do: [{remove-rule: [Piercing]}]")) == ["Hot"]
    melee_only = "name: X, on: always, who: friend, do: [{remove-rule: [Hot, Brutal], weapons: [melee]}]"
    assert texts_of(pair(melee_only)) == ["Hot", "Piercing 1"]
    assert texts_of(pair(melee_only), "melee") == []


@pytest.mark.parametrize(("weapons", "left"), [("melee", 6), ("ranged", 4)])
def test_damage_that_is_at_most_so_much(weapons: str, left: int) -> None:
    made = pair(f"of: a, name: X, on: always, do: [{{cap-damage: 2/3, weapons: [{weapons}]}}]", x=4.5)
    dice = [(5, 5, 1, 1), (1, 1, 1, 1)]
    game = made.play(acting("a", Fight()), Answers(dice, {"resolve": ["strike n", "strike n"]}))
    assert who(game, "c").wounds == left
