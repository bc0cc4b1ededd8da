"""What a rule forbids or places lasts as long as its text says, whatever is used afterwards. All texts are invented;
each has the case just outside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import activating, gambit, ground, refused_gambit, said
from team_help import who
from test_team_reading import rules

from ktsim.rules.engine.activation import action_options, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import Side, State
from ktsim.rules.engine.turn import take_turn
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import FallBack
from ktsim.rules.kt24.shoot import Shoot

# -- used in this turning point ----------------------------------------------------------------------

BELL = "id: MO-E-1, name: Bell, on: gambit, who: friend, limit: once per battle, do: [{points: 1, of: Tea}]"
OATH = "id: MO-A-1, name: Oath, on: activated, who: {is: friend, keyword: [a]}, limit: once per battle, "
OATH += "do: [{points: 1, of: Tea}]"
IDLE = {"order": "engage", "action": "pass"}
TUNE = "id: MO-E-2, name: Tune, on: gambit, who: friend, do: [{points: 1, of: Tea}], limit: [{not-with: "


def next_turning_point(state: State) -> None:
    state.effects = [each for each in state.effects if each.until != "turning-point"]
    state.turning_point += 1


def rules_against_c(made: Field) -> list[str]:
    battle = made.battle()
    operatives = battle.state.operatives
    return [rule.text for rule in battle.weapon_rules(operatives["a"], ranged(), operatives["c"])]


@pytest.mark.parametrize(("other", "name"), [(BELL, "Bell"), (OATH, "Oath")], ids=["Bell", "Oath"])
def test_not_beside_another_rule_is_for_the_turning_point_in_which_that_was_used(other: str, name: str) -> None:
    echo = f"name: Echo, on: shooting, who: friend, if: [{{used-rule: {name}, during: turning-point}}], "
    made = (
        ground(other, f"{TUNE}{name}}}]", f"{echo}do: [{{grant: [Severe]}}]")
        .add("a", "red", (3, 5), ranged())
        .add("c", "blue", (9, 5), ranged())
    )
    assert refused_gambit(made, "MO-E-2#0") is None
    used = gambit(made, "MO-E-1#0") if name == "Bell" else made.play(activating("a"), Answers([], IDLE))
    made.state = used.state
    assert refused_gambit(made, "MO-E-2#0") == f"Tune: not beside {name}."
    assert rules_against_c(made) == ["Severe"]
    next_turning_point(made.state)
    assert refused_gambit(made, "MO-E-2#0") is None
    assert rules_against_c(made) == []


# -- no damage from such weapons ---------------------------------------------------------------------

UNFELT = "of: c, name: Unfelt, on: always, do: [{no-damage-from: [psychic, ranged]}]"


@pytest.mark.rule("KT24-W-DEVASTATING")
@pytest.mark.parametrize(("trait", "lost"), [("psychic", 0), ("", 4 + 2 * 2)])
def test_devastating_is_damage_of_the_weapon_too(trait: str, lost: int) -> None:
    """Two critical successes, of which the defence dice block none."""
    made = Field(*said(UNFELT, side="blue"))
    gun = replace(ranged("Devastating 2", "Lethal 5+", damage=(3, 2)), traits=(trait,))
    made.add("a", "red", (3, 5), gun).add("c", "blue", (14, 5), ranged())
    game = made.act("a", Shoot(), dice=[(6, 5, 1, 1), (1, 1, 1)])
    assert who(game, "c").wounds == 10 - lost


@pytest.mark.rule("KT24-W-DEVASTATING")
@pytest.mark.parametrize(("trait", "lost"), [("psychic", 0), ("", 2)])
def test_devastating_around_spares_whom_such_weapons_do_not_hurt(trait: str, lost: int) -> None:
    made = Field(*said(UNFELT, side="blue"))
    gun = replace(ranged('2" Devastating 2'), traits=(trait,))
    made.add("a", "red", (3, 5), gun).add("d", "blue", (14, 5), ranged()).add("c", "blue", (15.5, 5), ranged())
    game = made.act("a", Shoot(), dice=[(6, 1, 1, 1), (1, 1, 1)], choose={"target": "d"})
    assert (who(game, "c").wounds, who(game, "d").wounds) == (10 - lost, 10 - 2 - 4)


@pytest.mark.rule("KT24-W-DEVASTATING")
def test_nor_does_devastating_that_is_given_after_the_roll() -> None:
    more = "name: More, ploy: firefight, cost: 1, on: {rolled: attack, by: who}, who: friend, "
    more += "do: [{grant: [Devastating 2]}], until: sequence"
    for trait, lost in (("psychic", 0), ("", 4 + 2)):
        made = Field(*said(more), *said(UNFELT, side="blue"))
        made.state.cp = {"red": 1, "blue": 0}
        made.add("a", "red", (3, 5), replace(ranged(), traits=(trait,))).add("c", "blue", (14, 5), ranged())
        game = made.act("a", Shoot(), dice=[(6, 1, 1, 1), (1, 1, 1)], choose={"ploy": "more#0"})
        assert who(game, "c").wounds == 10 - lost


# -- no critical successes below six -----------------------------------------------------------------

SHROUD = "of: c, name: Shroud, on: [shooting, fighting, retaliating], who: {is: enemy, that: [{within: 4, of: self}]}, "
SHROUD += "do: [{no-critical-below: 6}]"
AFTER = "name: Twist, ploy: firefight, cost: 1, on: {rolled: attack, by: who}, who: friend, "


@pytest.mark.parametrize(
    ("does", "dice"),
    [
        ("may: true, do: [{convert: normal, to: critical}]", (5, 5, 1, 1)),
        ("do: [{grant: [Rending]}], until: sequence", (6, 5, 1, 1)),
        ("do: [{grant: [Severe]}], until: sequence", (5, 5, 1, 1)),
    ],
)
@pytest.mark.parametrize("x", [7, 9])
def test_what_comes_after_the_roll_makes_no_results_below_six_critical_either(
    does: str, dice: tuple[int, ...], x: float
) -> None:
    """Strikes of normal successes inflict 3, those of critical ones 4; out of 4" it is as the ploy says."""
    made = Field(*said(f"{AFTER}{does}"), *said(SHROUD, side="blue"))
    made.state.cp = {"red": 1, "blue": 0}
    made.add("a", "red", (3, 5), ranged(hit=4)).add("c", "blue", (x, 5), ranged(), wounds=20)
    answers = Answers([dice, (1, 1, 1)], {"ploy": "twist#0"})
    game = made.play(acting("a", Shoot()), answers)
    rolled = sum({6: 4, 5: 3}.get(face, 0) for face in dice)
    assert who(game, "c").wounds == 20 - rolled - (x == 9)


@pytest.mark.parametrize(("answer", "lost"), [("ward#0", 3 + 3), ("no", 3 + 4)])
def test_nor_does_a_ploy_after_one_by_which_there_are_none(answer: str, lost: int) -> None:
    """The one who fights passes, the other one may use its ploy, and then the first one does."""
    ward = "name: Ward, ploy: firefight, cost: 1, on: {rolled: attack, by: who}, who: friend, "
    ward += "do: [{no-critical-below: 6, who: foe}]"
    made = Field(*said(f"{AFTER}do: [{{grant: [Severe]}}], until: sequence"), *said(ward, side="blue"))
    made.state.cp = {"red": 1, "blue": 1}
    made.add("a", "red", (5, 5), ranged(), melee()).add("c", "blue", (6.5, 5), ranged(), melee(), wounds=20)
    ploys = ["no", answer, "twist#0"] if answer != "no" else ["twist#0", "no"]
    answers = Answers([(5, 5, 1, 1), (1, 1, 1, 1)], {"ploy": ploys})
    assert who(made.play(acting("a", Fight()), answers), "c").wounds == 20 - lost


# -- markers -----------------------------------------------------------------------------------------

FLAG = "id: MO-A-2, name: Flag, on: gambit, who: friend, do: [{marker: North, either: South, until: [next-ready-step]}]"
SHIFT = "id: MO-A-3, name: Shift, on: gambit, who: friend, do: [{remove-marker: North}, {remove-marker: South}, "
SHIFT += "{marker: North, either: South}]"


@pytest.mark.parametrize("is_flagged", [True, False])
@pytest.mark.parametrize("kind", ["North", "South"])
def test_a_marker_put_in_the_place_of_another_lies_there_as_long_as_that_one(is_flagged: bool, kind: str) -> None:
    """Whatever is activated meanwhile; without a rule by which it goes it stays."""
    for texts, stays in (((FLAG, SHIFT), False), ((SHIFT,), True)):
        made = ground(*texts).add("a", "red", (3, 5), ranged()).add("c", "blue", (9, 5), ranged())
        if is_flagged and FLAG in texts:
            places = {"team option": "North", "team marker": at(15, 5)}
            made.state = gambit(made, "MO-A-2#0", answers=Answers([], places)).state
        places = {"team option": kind, "team marker": at(12, 9)}
        made.state = gambit(made, "MO-A-3#0", answers=Answers([], places)).state
        made.state = made.play(activating("a"), Answers([], IDLE)).state
        assert [each.kind for each in made.state.markers.values()] == [kind]
        made.state.effects = [each for each in made.state.effects if each.until != "next-ready-step"]
        (law, *_) = made.battle().having("ready_step")
        made.state = made.play(law.ready_step).state
        assert bool(made.state.markers) is stays


# -- not in cover ------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-VALID")
@pytest.mark.parametrize(
    ("what", "ruling", "order", "is_valid"),
    [
        ("both", {}, "conceal", True),
        ("cover", {}, "conceal", True),
        ("obscured", {}, "conceal", False),
        ("both", {"is_visible": False}, "conceal", False),
        ("both", {"is_valid": False}, "engage", False),
        ("both", {"reasons": (("KT24-COVER", "in cover"),)}, "conceal", True),
        ("both", {"reasons": (("KZ-HAZARD-TARGET", "not from there"),)}, "conceal", False),
    ],
)
@pytest.mark.parametrize("is_barred", [False, True])
def test_who_cannot_be_in_cover_is_not_hidden_by_it(
    what: str, ruling: dict[str, object], order: str, is_valid: bool, is_barred: bool
) -> None:
    glare = f"of: a, name: Glare, on: shooting, do: [{{reveal: {what}, who: enemy}}]"
    veil = "of: c, name: Veil, on: always, do: [{forbid-target: true, unless-within: 4}]"
    for x in (6.5, 14):
        made = Field(*said(glare), *(said(veil, side="blue") if is_barred else ()))
        made.add("a", "red", (3, 5), ranged()).add("c", "blue", (x, 5), ranged(), order=order)
        made.table.rulings["a", "c"] = {"in_cover": True, **ruling}
        battle = made.battle()
        found = rule_on(battle, made.state.operatives["a"], made.state.operatives["c"], ())
        assert found.is_valid is (is_valid and not (is_barred and x == 14))


# -- used, though an action that belongs to it was not completed -------------------------------------

SALVE = "of: a, name: Salve, on: dying, who: {is: friend, other: true}, if: [{within: 9, of: self}, {first-time: "
SALVE += "turning-point}, {not: [control-range]}], may: true, do: [{survive: 1}, {free-action: [Dash]}]"


def test_who_was_kept_alive_was_though_it_does_not_dash() -> None:
    made = ground(SALVE).add("a", "red", (3, 5)).add("b", "red", (6, 5)).add("c", "blue", (20, 5))

    def falls(battle: Battle) -> Steps[None]:
        for _ in range(2):
            yield Wounded("b", 20, "test", "c")
            yield from remove_incapacitated(battle)

    choose = {"team option": ["yes"], "free action": ["Dash"], "move": [()]}
    game = made.play(falls, Answers(choose=choose))
    assert who(game, "b").is_removed, "the second time it is not asked about any more"


LEAP = "of: a, name: Leap, on: {doing: [Fall Back]}, may: true, do: [{relocate: 7, no-engage: true}]"


@pytest.mark.rule("KT24-FALLBACK")
@pytest.mark.parametrize(("to", "done"), [(at(3, 5), []), (at(3, 9), ["Fall Back"])], ids=["there", "away"])
def test_who_is_set_up_again_where_it_was_has_not_fallen_back(to: tuple[int, int, int], done: list[str]) -> None:
    made = ground(LEAP).add("a", "red", (3, 5)).add("c", "blue", (4.2, 5))
    game = made.act("a", FallBack(), choose={"team option": "set up", "relocate": to})
    assert game.state.activation is not None
    assert list(game.state.activation.actions) == done
    assert who(game, "a").point == to


SPUR = "of: a, name: Spur, on: activated, do: [{pick: {is: friend, other: true}}, {free-action: [Dash], "
SPUR += "only-once: true, who: picked}]"


@pytest.mark.parametrize(("path", "may_dash"), [((), True), ((at(8, 5),), False)], ids=["cancelled", "done"])
def test_nothing_follows_from_an_action_that_was_not_completed(path: tuple[Any, ...], may_dash: bool) -> None:
    made = ground(SPUR).add("a", "red", (3, 5)).add("b", "red", (6, 5)).add("c", "blue", (20, 5))
    choose = IDLE | {"free action": "Dash", "move": [path]}
    made.state = made.play(activating("a"), Answers([], choose)).state
    battle = made.game(acting("b")).battle
    refusal = action_options(battle, battle.state.operatives["b"])["Dash"][0].refusal
    assert (refusal is None) is may_dash


TWICE = "of: a, name: Twice, on: activated, limit: once per battle, may: true, do: [{pick: {is: friend, other: true}}, "
TWICE += "{free-action: [Dash], times: 2, who: picked}]"


@pytest.mark.parametrize(("first", "is_used"), [((at(8, 5),), True), ((), False)], ids=["one", "none"])
def test_a_rule_is_used_by_the_action_that_was_completed(first: tuple[Any, ...], is_used: bool) -> None:
    made = ground(TWICE).add("a", "red", (3, 5)).add("b", "red", (6, 5)).add("c", "blue", (20, 5))
    choose = IDLE | {"ploy": "twice#0 a", "free action": ["Dash", "Dash"], "move": [first, ()]}
    game = made.play(activating("a"), Answers([], choose))
    assert any(each.clause.endswith("!") for each in game.state.effects) is is_used


# -- who cannot be activated -------------------------------------------------------------------------

RUST = "of: a, name: Rust, on: always, do: [{forbid: [all, activation], if: [control-range]}]"


@pytest.mark.rule("KT24-ACTIVATE")
@pytest.mark.parametrize(("x", "found"), [(4.2, ["b"]), (5.2, ["a", "b"])])
def test_who_cannot_be_activated_is_not_chosen(x: float, found: list[str]) -> None:
    made = ground(RUST).add("a", "red", (3, 5)).add("b", "red", (3, 9)).add("c", "blue", (x, 5))
    assert [who.id for who in made.battle().ready("red")] == found
    made.state.operatives["b"].is_ready = made.state.operatives["c"].is_ready = False
    game = made.play(lambda battle: take_turn(battle, react), Answers([], IDLE if "a" in found else {}))
    assert game.state.phase == ("firefight" if "a" in found else "turn-end"), "nobody waits for it"


def test_a_text_that_says_so() -> None:
    (rule,) = rules(
        "This operative cannot be activated or perform actions if it's within control range of an enemy operative."
    )
    assert rule["do"] == [{"forbid": ["all", "activation"], "if": ["control-range"]}]


def test_nor_is_it_activated_with_another() -> None:
    pair = "name: Pair, on: expended, who: {is: friend, keyword: [b]}, do: [{next-activation: {is: friend, that: "
    pair += "[ready]}}]"
    made = ground(RUST, pair).add("a", "red", (3, 5)).add("b", "red", (3, 9)).add("c", "blue", (4.2, 5))
    game = made.play(activating("b"), Answers([], IDLE))
    assert who(game, "a").is_ready


def react(battle: Battle, side: Side) -> Steps[None]:
    """Nobody does anything in place of an activation."""
    yield from ()
