"""Further ways in which teams may say things: near whom something happens, who attacks, how often, against whom alone,
and what is asked at the steps of a turning point. All texts are invented; each has the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, melee, ranged, story
from language_help import activating, ground, lacks
from team_help import who
from test_team_reading import OFFICE, read, rules
from test_team_reading_forms import status

from ktsim.game.game import Game
from ktsim.rules.engine.activation import remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Roll, Steps
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Dash
from ktsim.rules.kt24.shoot import Shoot

M = "MOTH OFFICE"
FRIEND = f"a friendly {M} operative"


def ploy(text: str) -> dict[str, Any]:
    [rule] = rules(f"Use this firefight ploy {text}", "firefight", of_operative=False)
    return rule


def pair(*written: str, x: float = 12, **more: Any) -> Field:
    """A of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("c", "blue", (x, 5), ranged(), melee())


# -- whom something happens near ---------------------------------------------------------------------


def test_that_friendly_operative_is_one_of_those_near_whom_it_happened() -> None:
    text = f'when an enemy operative ends the Charge action within 5" of {FRIEND}. That friendly operative can '
    rule = ploy(text + "immediately perform a free Dash action.")
    near = {**OFFICE, "that": [{"within": 5, "of": "who"}]}
    assert rule["do"] == [{"pick": near}, {"free-action": ["Dash"], "who": "picked"}]
    engaged = ploy(text.replace('5" of', "control range of") + "immediately perform a free Dash action.")
    assert engaged["do"][0] == {"pick": {**OFFICE, "that": [{"control-range": "who"}]}}
    seen = ploy(text.replace("within", "visible to and within") + "immediately perform a free Dash action.")
    assert seen["do"][0]["pick"]["that"] == [{"visible": "who", "sees": True}, {"within": 5, "of": "who"}]


def test_that_enemy_operative_is_one_within_control_range() -> None:
    text = (
        f"Whenever {FRIEND} ends the Charge action {{}}within control range of an enemy operative, inflict 1 damage on "
    )
    [rule] = rules(text.format("") + "that enemy operative.", "faction", False)
    near = {"is": "enemy", "that": [{"control-range": "who"}]}
    assert rule["do"] == [{"pick": near}, {"damage": 1, "who": "picked"}]
    assert read(text.format("not ") + "that enemy operative.", "faction", False).unread


def test_nobody_is_that_friendly_operative_where_none_was_near() -> None:
    text = "Use this firefight ploy when an enemy operative ends the Charge action. That friendly operative can perform"
    assert read(f"{text} a free Dash action.", "firefight", False).unread
    held = f"Whenever an enemy operative is within 5\" of {FRIEND}, that friendly operative's weapons have the Rending "
    assert read(held + "weapon rule.", "faction", False).unread, "which of them has it all the time?"


def test_what_this_operative_is_near_may_be_whom_it_is_about() -> None:
    [rule] = rules(
        "Whenever this operative is within 2\" of an enemy operative, subtract 1 from that enemy operative's APL stat."
    )
    assert (rule["who"], rule["if"]) == ("enemy", [{"within": 2, "of": "self"}])
    assert rule["do"] == [{"stat": "apl", "by": -1}]
    two = 'Whenever this operative is wounded and within 2" of an enemy operative, subtract 1 from that enemy '
    assert read(f"{two}operative's APL stat.").unread, "who is wounded then?"


@pytest.mark.parametrize(("x", "is_asked"), [(9.5, True), (13.5, False)])
def test_whom_it_happened_near_is_chosen(x: float, is_asked: bool) -> None:
    says = "id: dodge, name: Dodge, ploy: firefight, cost: 0, on: done(Dash), who: enemy, if: [{within: 6, of: friend}]"
    near = "{is: friend, that: [{visible: who, sees: true}, {within: 6, of: who}]}"
    says = f"{says}, do: [{{pick: {near}}}, {{damage: 2, who: picked}}]"
    made = pair(says, x=x).add("b", "red", (3, 12), ranged(), melee())
    choose: dict[str, Any] = {"move": ((round(x * 1000), 6000, 0),)} | ({"ploy": "dodge#0"} if is_asked else {})
    game = made.act("c", Dash(), choose=choose)
    assert (who(game, "a").wounds, who(game, "b").wounds) == (8 if is_asked else 10, 10)


# -- who attacks ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", ["the active operative", "the shooter", "the attacker"])
def test_who_attacks(words: str) -> None:
    [rule] = rules(
        f"Whenever an operative is shooting {FRIEND}, if it's more than 4\" from {words}, it is obscured.",
        "faction",
        False,
    )
    assert rule["if"] == [{"more-than": 4, "from": "foe"}]
    [mine] = rules(
        f"Whenever {FRIEND} is shooting, add 1 to the Atk stat of {words}'s ranged weapons.", "faction", False
    )
    assert mine["do"][0].get("who", "who") == "who"
    both = f"Whenever {FRIEND} is fighting or retaliating, {words} cannot re-roll their attack dice."
    assert read(both, "faction", False).unread, "one fights and the other retaliates"


def test_one_such_or_one_such() -> None:
    text = f"Whenever {FRIEND} is fighting an injured enemy operative, or an enemy operative that's carrying a marker, "
    [rule] = rules(text + "its melee weapons have the Rending weapon rule.", "faction", False)
    assert rule["foe"] == {"is": "enemy", "that": [{"any": ["injured", "carrying"]}]}
    mixed = text.replace("or an enemy operative", "or a friendly operative")
    assert read(mixed + "its melee weapons have the Rending weapon rule.", "faction", False).unread


def test_each_whenever_they_do_it() -> None:
    text = f"Friendly {M} operatives' melee weapons have the Rending weapon rule whenever they are fighting{{}}."
    [rule] = rules(text.format(" a wounded enemy operative"), "faction", False)
    assert (rule["on"], rule["who"], rule["foe"]) == ("fighting", OFFICE, {"is": "enemy", "that": ["wounded"]})
    assert rules(text.format(""), "faction", False)[0]["on"] == "fighting"
    assert read(text.format(", but not on Mondays"), "faction", False).unread


# -- how often, and until when ---------------------------------------------------------------------------


@pytest.mark.parametrize("period", ["sequence", "action", "activation", "turning point", "battle"])
def test_a_rule_says_at_its_end_how_often(period: str) -> None:
    text = "Whenever an attack dice inflicts Critical Dmg on this operative, you can choose for that attack dice to "
    text += "inflict Normal Dmg instead. You can only use this rule once per {}."
    [rule] = rules(text.format(period))
    assert rule["limit"] == [{"once": period.replace(" ", "-")}]
    assert read(text.format("fortnight")).unread


def test_who_can_regain_wounds_so_often_is_asked_when() -> None:
    text = f"{{}}when {FRIEND} is activated, it can regain D3 lost wounds."
    assert rules("Once per turning point, " + text.format(""), "equipment", False)[0]["may"] is True
    assert "may" not in rules(text.format("").capitalize(), "equipment", False)[0], "whoever always does is not asked"


def test_during_that_activation_need_not_be_at_once() -> None:
    text = 'Whenever this operative is activated within 4" of an enemy operative, it can perform a free Dash action{}.'
    [rule] = rules(text.format(" during that activation"))
    assert (rule["on"], rule["if"]) == ("activated", [{"within": 4, "of": "enemy"}])
    assert "do" not in rule
    [later] = rule["then"]
    assert (later["on"], later["limit"], later["do"]) == (
        "activation",
        [{"once": "activation"}],
        [{"free-action": ["Dash"]}],
    )
    [now] = rules(text.format(""))
    assert "then" not in now, "as it is activated"


@pytest.mark.parametrize(("x", "is_offered"), [(6.5, True), (9.5, False)])
def test_what_can_be_done_during_that_activation_is_offered_in_it(x: float, is_offered: bool) -> None:
    says = "of: a, name: Romp, on: activated, if: [{within: 4, of: enemy}], then: [{on: activation, who: who, "
    says += "limit: once per activation, may: true, do: [{free-action: [Dash]}], until: activation}]"
    game = pair(says, x=x).game(activating("a"))
    while game.pending is not None and game.pending.topic != "action":
        game.submit(game.pending.default)
    assert game.pending is not None
    assert any("Romp" in option.text for option in game.pending.options) is is_offered  # type: ignore[attr-defined]


def test_a_condition_after_two_different_things_is_of_neither_for_sure() -> None:
    text = f"Whenever an operative is shooting {FRIEND}, improve that friendly operative's Save stat by 1 and "
    text += "it's obscured"
    assert read(f"{text} if it's wounded.", "faction", False).unread
    [rule] = rules(f"{text}.", "faction", False)
    assert [next(iter(each)) if isinstance(each, dict) else each for each in rule["do"]] == ["stat", "obscure"]


def test_it_is_not_this_operative_once_a_marker_was_removed() -> None:
    text = 'Remove one of your Ink markers from the killzone and inflict 2 damage on each operative within 2" of {}.'
    assert read(text.format("it"), "action").unread
    assert rules(text.format("this operative"), "action")


# -- strategy ploys left to the players --------------------------------------------------------------------


def test_a_strategy_ploy_nobody_understands_is_still_bought_in_the_strategy_phase() -> None:
    text = f"Whenever {FRIEND} hums, its clerks hum along."
    found = read(text, "strategy", False)
    assert [str(term.word) for rule in found.rules for term in (*rule.on, *rule.do)] == ["used", "card"]
    assert status(text, "strategy") == "partly"
    assert read(f"{text} You cannot use this ploy while anybody whistles.", "strategy", False).rules == ()


# -- against one enemy only ----------------------------------------------------------------------------------

SNAP = "Once per turning point, after an enemy operative performs the Dash action, "
SNAP += "this operative can perform a free Shoot "


@pytest.mark.parametrize(
    "words", ["can only target that enemy operative", "you can only select that enemy operative as a valid target"]
)
def test_a_free_shot_at_one_enemy(words: str) -> None:
    [rule] = rules(f"{SNAP}action, but {words}.")
    assert rule["do"] == [{"free-action": ["Shoot"], "against": "who", "who": "self"}]
    assert rules(f"{SNAP}action against that enemy operative.")[0]["do"] == rule["do"]
    assert read(f"{SNAP}action, but can only target that friendly operative.").unread
    assert (
        lacks("name: X, of: a, on: done(Dash), who: enemy, do: [{free-action: [Shoot], who: self, against: who}]") == []
    )


def shot_at(game: Game) -> str:
    """Play on, shooting the last that can be shot where that is offered, and hitting nothing; whom it was."""
    while game.pending is not None:
        decision = game.pending
        keys = [option.key for option in getattr(decision, "options", ())]
        if isinstance(decision, Roll):
            answer: Any = (1,) * decision.count
        elif decision.topic == "move":
            answer = (game.state.operatives["c"].point,)
        elif "Shoot" in keys or decision.topic == "target":
            answer = "Shoot" if "Shoot" in keys else keys[-1]
        else:
            answer = decision.default
        game.submit(answer)
    return next(words for words in story(game) if "shoots" in words).split(" shoots ")[1][:1]


@pytest.mark.rule("KT24-VALID")
@pytest.mark.parametrize("against", [", against: who", ""])
def test_only_that_enemy_can_be_selected(against: str) -> None:
    says = f"of: a, name: Snap, on: done(Dash), who: enemy, do: [{{free-action: [Shoot], who: self{against}}}]"
    made = pair(says).add("d", "blue", (12, 9), ranged(), melee())
    game = made.game(acting("c", Dash()))
    assert shot_at(game) == ("C" if against else "D")
    assert game.battle.only is None


@pytest.mark.rule("KT24-FIGHT")
def test_a_fight_against_one_enemy_only() -> None:
    says = "of: a, name: Snap, on: done(Dash), who: enemy, do: [{free-action: [Fight], who: self, against: who}]"
    near = pair(says, x=6.2).add("d", "blue", (3, 6.2), ranged(), melee())
    game = near.game(acting("c", Dash()))
    asked = []
    while game.pending is not None:
        asked.append(game.pending.topic)
        game.submit(((6200, 6000, 0),) if game.pending.topic == "move" else game.pending.default)
    assert "free action" not in asked, "only another enemy is near"


# -- what is asked at steps of the turning point ---------------------------------------------------------------

STEPS = [("ready-step", "ready_step"), ("turning-point-ended", "turning_point_ends")]
HOARD = "on: {moment}, may: true, do: [{{heal: 1}}]"


@pytest.mark.parametrize(
    ("moment", "hook"), [("ready-step", "ready_step"), ("turning-point-ended", "turning_point_ends")]
)
@pytest.mark.parametrize("answers", [["yes", "yes"], ["yes", "no"], ["no", "no"]])
def test_each_that_has_a_rule_may_use_it_at_a_step(moment: str, hook: str, answers: list[str]) -> None:
    text = f"of: a, name: Hoard, {HOARD.format(moment=moment)}"
    made = pair(text).add("b", "red", (6, 5), ranged(), melee())
    made.state.operatives["b"].card = "a"
    for id in "ab":
        made.state.operatives[id].wounds = 5

    def step(battle: Battle) -> Steps[None]:
        for rule in battle.in_turn(hook):
            yield from getattr(rule, hook)(battle)

    game = made.play(step, Answers(choose={"team option": answers}))
    assert [who(game, id).wounds == 6 for id in "ab"] == [each == "yes" for each in answers]


def test_what_can_be_done_in_the_ready_step_is_read_as_a_choice() -> None:
    text = f"In the Ready step of each Strategy phase, you can {{}} one friendly {M} operative to regain 2 lost wounds."
    [rule] = rules(text.format("select"), "faction", False)
    assert (rule["on"], rule["may"]) == ("ready-step", True)
    assert status(text.format("select"), "faction") == "enforced"


# -- falling in a fight ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("action", "is_saved"), [(Fight, True), (Shoot, False)])
def test_who_would_fall_retaliating_is_known_to_have(action: Any, is_saved: bool) -> None:
    text = (
        f"Use this firefight ploy when {FRIEND} would be incapacitated while retaliating. It is not incapacitated and "
    )
    text += "has 1 wound remaining."
    [rule] = rules(text, "firefight", False)
    assert (rule["on"], rule["if"]) == ("dying", [{"did": ["retaliating"], "during": "sequence"}])
    says = "id: hold, name: Hold, ploy: firefight, cost: 0, on: dying, who: friend, "
    says += "if: [{did: [retaliating], during: sequence}], do: [{survive: 1}]"
    made = pair(says, x=4.2)
    made.state.operatives["a"].wounds = 1
    if action is Shoot:
        made.state.operatives["c"].x = 12000
    choose: dict[str, Any] = {"team option": "yes"} if is_saved else {}
    dice = [(6, 1, 1, 1), (1, 1, 1, 1)] if action is Fight else [(6, 1, 1, 1), (1, 1, 1)]
    game = made.act("c", action(), dice=dice, choose=choose | ({"resolve": "strike c"} if action is Fight else {}))
    assert who(game, "a").is_incapacitated is not is_saved


# -- smaller words -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "expected"),
    [
        (f"Friendly {M} operatives can perform one mission action for 1 less AP.", "faction", "'once': True"),
        ("Add 2\" to this operative's Move stat whenever it performs the Charge action.", "ability", "'move-extra': 2"),
        (f"Whenever determining control of a marker, friendly {M} operatives are ignored.", "faction", "'set': 0"),
        (
            "In the Ready step of each Strategy phase, you gain 1 Ink point, or 2 if this operative is wounded.",
            "ability",
            "'points': 2",
        ),
    ],
)
def test_smaller_words(text: str, kind: Any, expected: str) -> None:
    found = rules(text, kind, kind == "ability")
    assert expected in str(found)


def test_further_by_some_moves_only() -> None:
    [rule] = rules('This operative can move an additional 1" when performing the Fall Back action.')
    assert rule["do"] == [{"move-extra": 1, "actions": ["Fall Back"]}]
    assert read('This operative can move an additional 1" when performing well.').unread


def test_the_end_of_the_fall() -> None:
    """Somebody who falls to nobody's attack did nothing in a sequence."""
    says = "name: Hold, on: dying, who: friend, if: [{did: [retaliating], during: sequence}], do: [{survive: 1}]"

    def falls(battle: Battle) -> Steps[None]:
        yield Wounded("a", 20, "a test", "c")
        yield from remove_incapacitated(battle)

    assert who(pair(says).play(falls), "a").is_removed


# -- every die of a sequence -----------------------------------------------------------------------------------------

BRACE = "id: brace, name: Brace, ploy: firefight, cost: 1, on: {on}, who: friend, "
BRACE += "do: [{{reduce-damage: 1, if: [{{die: normal}}{more}]}}], until: sequence"


@pytest.mark.parametrize("is_used", [True, False])
def test_a_ploy_for_a_whole_sequence_is_paid_once(is_used: bool) -> None:
    made = pair(BRACE.format(on="shot-at", more=""), cp=2)
    choose = {"ploy": "brace#0"} if is_used else {}
    game = made.act("c", Shoot(), dice=[(4, 4, 4, 1), (1, 1, 1)], choose=choose)
    assert (who(game, "a").wounds, game.state.cp["red"]) == ((4, 1) if is_used else (1, 2))


@pytest.mark.parametrize("is_used", [True, False])
def test_who_is_fought_pays_once_too(is_used: bool) -> None:
    made = pair(BRACE.format(on="retaliating", more=""), x=4.2, cp=2)
    choose: dict[str, Any] = {"ploy": "brace#0"} if is_used else {}
    choose["resolve"] = ["strike n", "strike n"]
    game = made.act("c", Fight(), dice=[(4, 4, 1, 1), (1, 1, 1, 1)], choose=choose)
    assert (who(game, "a").wounds, game.state.cp["red"]) == ((6, 1) if is_used else (4, 2))


def test_what_cannot_be_for_every_die_is_not_promised() -> None:
    assert lacks(BRACE.format(on="fighting", more="")) == ["a firefight ploy that lessens every die of a fight"]
    assert not lacks(BRACE.format(on="fighting", more=", {first-time: sequence}"))
    once = "name: Hide, kind: equipment, on: fighting, who: friend, limit: once per turning-point, may: true, "
    assert not lacks(f"{once}do: [{{reduce-damage: 1}}]"), "so many dice"
    assert lacks(f"{once}do: [{{reduce-damage: 1}}], until: sequence") == ["until sequence"]


def test_nobody_is_near_itself() -> None:
    text = 'Whenever an operative is shooting this operative, if this operative is more than 3" from that operative, '
    [rule] = rules(text + "improve its Save stat by 1.")
    assert rule["if"] == [{"more-than": 3, "about": "self", "from": "foe"}]
    says = "name: X, of: a, on: shot-at, if: [{more-than: 3, about: self, from: %s}], do: [{stat: save, by: 1}]"
    assert lacks(says % "who") == lacks(says % "self") == ["somebody compared with itself"]
    assert not lacks(says % "foe")
