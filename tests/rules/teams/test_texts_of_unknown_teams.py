"""Shapes of rules that more than one team may have: what works once and not again, one success for each token, states
and what is about them, more equipment, rules that keep others from psychic ones. All texts are invented; each has the
case just outside it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import activating, gambit, ground, lacks, refused_gambit, said, texts
from team_help import who
from test_team_reading import OFFICE, read, rules
from test_team_reading_forms import status

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.activation import action_options, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.kt24.equipment.register import MOST, most_options
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Dash
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import counteract
from ktsim.rules.teams.importing.hanging import with_what_is_left
from ktsim.rules.teams.playing.clauses import is_psychic
from ktsim.rules.teams.playing.equipping import more_equipment
from ktsim.rules.teams.playing.status import status_of

M = "MOTH OFFICE"


def three(*written: str, x: float = 10, **more: Any) -> Field:
    """A and B of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


# -- not again in the battle -------------------------------------------------------------------------

ALMANAC = "Roll D3, if the result is higher than the number of the current turning point, you gain 1CP"


def test_a_gambit_that_works_once_in_the_battle() -> None:
    text = f"STRATEGIC GAMBIT. {ALMANAC} and cannot use this STRATEGIC GAMBIT for the rest of the battle."
    [rule] = rules(text, "equipment", of_operative=False)
    assert rule["do"][0]["do"] == [{"cp": 1}, "never-again"]
    plain = "Whenever this operative is ready, you cannot use this rule for the rest of the battle."
    assert status(plain, "ability") == "shown"


@pytest.mark.parametrize("face", [2, 3])
def test_what_came_off_is_not_used_again(face: int) -> None:
    says = "id: alm, name: Almanac, kind: faction, on: gambit, who: friend, do: [{roll: D3, at: '>turning-point', "
    made = three(f"{says}do: [{{cp: 1}}, never-again]}}]")
    made.state.turning_point = 2
    game = gambit(made, "alm#0", dice=[(2 * face,)])
    made.state.effects = [each for each in game.state.effects if each.until == "battle"]
    assert game.state.cp["red"] == (face > 2)
    assert (refused_gambit(made, "alm#0") is not None) is (face > 2)


# -- one for each token ------------------------------------------------------------------------------

SCORN = "of: a, name: Scorn, on: shooting, foe: enemy, may: true, do: [{convert: normal, to: critical, per-token: Debt"


def test_one_normal_success_for_each_token() -> None:
    text = f"Whenever a friendly {M} operative is shooting against, fighting against or retaliating against an enemy "
    text += "operative, for each of your Debt tokens that enemy operative has, you can retain one of your normal "
    text += "successes as a critical success instead{}."
    [rule] = rules(text.format(""), "faction", of_operative=False)
    assert (rule["who"], rule["foe"]) == (OFFICE, "enemy")
    assert rule["do"] == [{"convert": "normal", "per-token": "Debt", "to": "critical"}]
    accurate = " (including any normal successes already retained as a result of the Accurate weapon rule)"
    assert rules(text.format(accurate), "faction", of_operative=False)[0]["do"][0]["any-retained"] is True
    friends = text.replace("that enemy operative has", "that friendly operative has").format("")
    assert status(friends, "faction") == "shown"


@pytest.mark.parametrize(("tokens", "left"), [(0, 7), (1, 6), (2, 5)])
def test_tokens_of_the_foe_count(tokens: int, left: int) -> None:
    made = three(f"{SCORN}}}]")
    made.add("c", "blue", (10, 5), wounds=13)
    made.state.operatives["c"].tokens = {"red:Debt": tokens, "blue:Debt": 5}
    answers = Answers([(4, 4, 1, 1), (1, 1, 1)], {"convert": ["yes"] * tokens})
    game = made.play(acting("a", Shoot()), answers)
    assert who(game, "c").wounds == left
    assert answers.topics.count("convert") == tokens


@pytest.mark.parametrize(("any_retained", "asked"), [("", 0), (", any-retained: true", 1)])
def test_successes_that_were_not_rolled_count_where_it_is_said(any_retained: str, asked: int) -> None:
    made = three(f"{SCORN}{any_retained}}}]")
    made.add("a", "red", (3, 5), ranged("Accurate 1"))
    made.state.operatives["c"].tokens = {"red:Debt": 1}
    answers = Answers([(1, 1, 1), (1, 1, 1)], {"convert": ["yes"] * asked})
    game = made.play(acting("a", Shoot()), answers)
    assert who(game, "c").wounds == 10 - 3 - asked


# -- states ------------------------------------------------------------------------------------------

MARKED = (
    "Until the start of this operative's next activation, whenever an enemy operative is within 8\" of this operative, "
    f"that enemy operative is being audited. Whenever a friendly {M} operative is shooting an enemy operative that is "
    "being audited, that enemy operative cannot be obscured."
)


def test_what_is_about_a_state_lasts_as_long_as_the_state() -> None:
    [rule] = rules(MARKED, "action")
    assert rule["then"][0]["do"] == [{"counts-as": "Audited"}]
    assert rule["then"][1]["foe"] == {"is": "enemy", "that": [{"token": "Audited"}]}
    assert status(MARKED, "action") == "enforced"
    assert status(MARKED.replace("that is being audited, that", "that has a Dust token, that"), "action") != "enforced"


@pytest.mark.parametrize(("x", "is_seen"), [(10.9, True), (12.5, False)])
def test_who_is_in_a_state_because_it_is_near(x: float, is_seen: bool) -> None:
    says = "of: a, name: Audit, action: 1AP, on: used, then: [{on: always, who: enemy, if: [{within: 8, of: self}], "
    says += "do: [{counts-as: Audited}], until: own-next-activation}, {on: shooting, who: friend, foe: {is: enemy, "
    made = three(f"{says}that: [{{token: Audited}}]}}, do: [{{grant: [Rending]}}]}}]", x=x)
    battle = made.game(acting("a")).battle
    [action] = [each for each in battle.actions(battle.state.operatives["a"]) if each.name == "Audit"]
    game = made.play(acting("a", action))
    b, c = (game.state.operatives[id] for id in "bc")
    weapon = game.battle.weapons(b)[0]
    granted = [rule.text for rule in game.battle.weapon_rules(b, weapon, c)]
    assert ("Rending" in granted) is is_seen


# -- who has one already -----------------------------------------------------------------------------

SPLATTER = f"Use this firefight ploy when a friendly {M} operative is incapacitated, before it is removed from the "
SPLATTER += (
    'killzone. Each enemy operative visible to and within 3" of that operative gains one of your Ink tokens (if '
)
SPLATTER += (
    "they do not already have one); for each of those enemy operatives that already has one of your Ink tokens, "
)


def test_whoever_has_a_token_suffers_instead() -> None:
    [rule] = rules(f"{SPLATTER}inflict 1 damage on them instead.", "firefight", of_operative=False)
    assert rule["do"][0]["otherwise"] == [{"damage": 1, "who": "picked"}]
    assert status(f"{SPLATTER}inflict 1 damage on this operative instead.", "firefight") != "enforced"


def test_each_that_has_one_and_nobody_else() -> None:
    says = "id: spl, name: Splatter, ploy: firefight, cost: 0, on: incapacitated, who: friend, do: [{token: Ink, "
    says += "most: 1, who: {is: enemy, that: [{within: 3, of: who}]}, otherwise: [{damage: 2, who: picked}]}]"
    made = three(says, x=8).add("d", "blue", (6, 8), melee()).add("e", "blue", (20, 5), melee())
    made.state.operatives["d"].tokens = {"red:Ink": 1}
    made.state.operatives["e"].tokens = {"red:Ink": 1}

    def procedure(battle: Battle) -> Steps[None]:
        yield Wounded("b", 99, "a test", "c")
        yield from remove_incapacitated(battle)

    game = made.play(procedure, Answers(choose={"ploy": "spl#0"}))
    assert [who(game, id).wounds for id in "acde"] == [10, 10, 8, 10]
    assert who(game, "c").tokens == {"red:Ink": 1}


# -- a new quarry ------------------------------------------------------------------------------------

HUNT = f"Select one enemy operative to be your quarry for the turning point. Whenever a friendly {M} operative is "
HUNT += (
    "shooting your quarry, that friendly operative's weapons have the Ceaseless weapon rule. Whenever your quarry is "
)
HUNT += "incapacitated, you can select a new enemy operative to be your quarry"


def test_a_new_quarry_is_chosen_only_when_the_quarry_falls() -> None:
    [rule] = rules(f"{HUNT} (and can continue to do so during this turning point).", "strategy", of_operative=False)
    after = rule["then"][-1]
    assert (after["on"], after["may"]) == ("incapacitated", True)
    assert after["who"] == {"is": "enemy", "that": [{"token": "Quarry"}]}
    assert after["do"][1]["until"] == ["turning-point"]
    assert status(f"{HUNT}.", "strategy") != "enforced"  # for how long?


@pytest.mark.parametrize("falls", ["c", "d"])
def test_the_new_quarry_is_somebody_else(falls: str) -> None:
    says = "id: hun, name: Hunt, ploy: strategy, cost: 0, on: used, who: friend, do: [{pick: enemy}, {token: Quarry, "
    says += "who: picked, until: turning-point}], until: turning-point, then: [{on: incapacitated, who: {is: enemy, "
    says += "that: [{token: Quarry}]}, may: true, do: [{pick: {is: enemy, other: true}}, {token: Quarry, who: picked, "
    made = three(f"{says}until: turning-point}}]}}]").add("d", "blue", (14, 5)).add("e", "blue", (18, 5))
    made.state.effects = list(gambit(made, "hun", operative="c").state.effects)

    def procedure(battle: Battle) -> Steps[None]:
        yield Wounded(falls, 99, "a test", "a")
        yield from remove_incapacitated(battle)

    is_quarry = falls == "c"
    answers = Answers(choose={"ploy": "hun#0.0", "operative": "d"} if is_quarry else {})
    game = made.play(procedure, answers)
    held = [each.target for each in game.state.effects if each.clause == "token:red:Quarry"]
    assert ("d" in held) is is_quarry
    assert ("ploy" in answers.topics) is is_quarry
    offered = [[option.key for option in each.options] for each in answers.asked if each.topic == "operative"]  # type: ignore[attr-defined]
    assert offered == ([["d", "e"]] if is_quarry else [])


# -- two actions in a counteraction ------------------------------------------------------------------

TIRELESS = f"Each friendly {M} operative can counteract regardless of its order. Whenever it does, it can perform an "
TIRELESS += "additional 1AP action for free during that counteraction, but both actions must be different"


def test_one_more_action_whenever_it_counteracts() -> None:
    both = "you cannot perform a Fight and Shoot action during the same counteraction"
    [rule] = rules(f"{TIRELESS} and {both}.", "faction", of_operative=False)
    assert rule["do"] == [{"counteract": "any-order"}, {"extra-action": 1, "not-both": ["Fight", "Shoot"]}]
    assert status(f"Friendly {M} operatives can perform an additional 1AP action for free.", "faction") == "shown"


@pytest.mark.parametrize(("barred", "is_refused"), [(", not-both: [Fight, Shoot]", True), ("", False)])
def test_of_two_actions_one_at_most_is_an_attack(barred: str, is_refused: bool) -> None:
    says = f"name: Tireless, kind: faction, on: always, who: friend, do: [{{extra-action: 1{barred}}}]"
    made = three(says, x=4.5).add("c", "blue", (4.5, 5), wounds=1).add("d", "blue", (3, 12))
    for id in "ab":
        made.state.operatives[id].is_ready = False
    answers = Answers([(5, 1, 1, 1), (1, 1, 1, 1)], {"counteract": "a", "action": ["Fight", "pass"]})
    game = made.play(lambda battle: counteract(battle, "red"), answers)
    assert who(game, "c").is_incapacitated
    second = [each for each in answers.asked if each.topic == "action"][1]
    offered = {option.key: option.refusal for option in second.options}  # type: ignore[attr-defined]
    assert "Fight" not in offered
    assert offered["Shoot"] == ("Shoot: Tireless, not both in one counteraction." if is_refused else None)


# -- results that are worse and better ---------------------------------------------------------------

GRIP = (
    "Whenever an enemy operative would perform the Fall Back action while within control range of this operative, you "
)
GRIP += "can use this rule. If you do, roll one D6, subtracting 1 from the result if that enemy operative has a higher "
GRIP += "Wounds stat than {}, and adding 1 if that enemy operative is wounded: on a 4+, that enemy operative cannot "
GRIP += "perform that action during that activation (the AP spent on it is not refunded)."


def test_a_result_is_worse_for_whoever_is_bigger() -> None:
    [rule] = rules(GRIP.format("this operative"))
    assert rule["do"][0]["less-if"] == [{"stat-above": "wounds", "than": "self"}]
    assert rule["do"][0]["add-if"] == ["wounded"]
    assert not read(GRIP.format("another friendly operative")).is_whole


@pytest.mark.parametrize(
    ("wounds", "lost", "face", "gains"), [(10, 0, 4, 1), (11, 0, 4, 0), (11, 1, 4, 1), (9, 0, 3, 0)]
)
def test_stats_are_compared_as_printed(wounds: int, lost: int, face: int, gains: int) -> None:
    says = (
        "of: a, id: gri, name: Grip, on: {doing: [Dash]}, who: enemy, may: true, do: [{roll: D6, at: '>=4', less: 1, "
    )
    says += "less-if: [{stat-above: wounds, than: self}], add: 1, add-if: [wounded], do: [{cp: 1}]}]"
    made = three(says).add("c", "blue", (10, 5), wounds=wounds)
    made.state.operatives["c"].wounds -= lost

    def procedure(battle: Battle) -> Steps[None]:
        yield from acting("c", Dash())(battle)

    game = made.play(procedure, Answers([(face,)], {"ploy": "gri#0 a", "move": (at(11, 5),)}))
    assert game.state.cp["red"] == gains


# -- so many of them ---------------------------------------------------------------------------------

GAZE = f"STRATEGIC GAMBIT. Select one enemy operative, or up to two enemy operatives if three or more friendly {M} "
GAZE += "operatives are {}. Each of those enemy operatives gains one of your Debt tokens."


def test_more_are_chosen_once_so_many_have_fallen() -> None:
    first, second, token = rules(GAZE.format("incapacitated"))[0]["do"]
    assert (first, token) == ({"pick": "enemy"}, {"token": "Debt", "who": "picked"})
    assert second["if"] == [{"at-least": 3, "exists": {**OFFICE, "that": ["incapacitated"]}}]
    assert second["instead"]
    assert not read(GAZE.format("incapacitated").replace("up to two enemy", "up to two friendly")).is_whole


@pytest.mark.parametrize(("fallen", "is_enough"), [("a", False), ("ab", True)])
def test_those_who_have_left_count_where_the_fallen_are_meant(fallen: str, is_enough: bool) -> None:
    says = "name: X, kind: faction, on: always, who: friend, if: [{exists: {is: friend, that: [incapacitated]}, "
    made = three(f"{says}at-least: 2}}], do: [{{stat: move, by: 1}}]").add("e", "red", (20, 5))
    for id in fallen:
        made.state.operatives[id].wounds = 0
        made.state.operatives[id].is_removed = True
    battle = made.battle()
    assert battle.move(battle.state.operatives["e"]).value == 6 + is_enough


# -- near a marker, or contesting it -----------------------------------------------------------------


def test_who_contests_that_marker_contests_any_it_is_near() -> None:
    text = (
        f'Whenever an operative is shooting a friendly {M} operative that is within 3" of {{}}, you can re-roll one of '
    )
    text += (
        "your defence dice. If that friendly operative contests that marker, you can re-roll any of your defence dice "
    )
    text += "results of one result instead."
    [rule] = rules(text.format("an objective marker"), "strategy", of_operative=False)
    assert rule["do"][1]["if"] == [{"contests": ["objective"]}]
    assert not read(text.format("your Beacon marker"), "strategy", False).is_whole


def test_one_of_two_markers_is_taken_up_and_placed_again() -> None:
    text = "If your Red or Blue marker is in the killzone, remove it. Place your Red or Blue marker in the killzone."
    [rule] = rules(text, "action")
    assert rule["do"] == [{"remove-marker": "Red"}, {"remove-marker": "Blue"}, {"marker": "Red", "either": "Blue"}]


# -- dice that lie there -----------------------------------------------------------------------------


def test_a_ploy_for_the_strikes_of_a_fight() -> None:
    text = (
        f"Use this firefight ploy when a friendly {M} operative is performing the Fight action during an activation in "
    )
    text += (
        "which it has performed the Charge action, at the start of the Resolve Attack Dice step. Until the end of that "
    )
    text += "action:\n- Its melee weapon has the Shock weapon rule.\n- {}."
    strike = "The first time you strike during that sequence, inflict 1 additional damage (to a maximum of 7)"
    [rule] = rules(text.format(strike), "firefight", of_operative=False)
    assert rule["on"] == {"rolled": "attack", "by": "who"}
    assert {"did": ["fighting"], "during": "sequence"} in rule["if"]
    assert [next(iter(each)) for each in rule["do"]] == ["grant", "strike-damage"]
    assert status(text.format(strike), "firefight") == "enforced"
    assert status(text.format("The second time you strike, inflict 1 additional damage"), "firefight") != "enforced"


BLOW = "name: Blow, ploy: firefight, cost: 1, on: {rolled: attack, by: who}, who: friend, if: [{did: [fighting], "
BLOW += "during: sequence}], do: [{strike-damage: 1, if: [{first-time: sequence}], until: action}], until: action"


def test_the_first_strike_of_a_ploy_inflicts_more() -> None:
    made = three(BLOW, x=4.5, cp=1)
    answers = Answers([(4, 4, 1, 1), (1, 1, 1, 1)], {"ploy": "blow#0", "resolve": ["strike n", "strike n"]})
    game = made.play(acting("a", Fight()), answers)
    assert (who(game, "c").wounds, game.state.cp["red"]) == (10 - 4 - 3, 0)


@pytest.mark.parametrize(("by", "action"), [("a", Shoot()), ("c", Fight())])
def test_a_ploy_for_who_fights_is_not_for_shooting_or_retaliating(by: str, action: Action) -> None:
    second, choose = ((1, 1, 1), {}) if by == "a" else ((1, 1, 1, 1), {"enemy": "a"})
    answers = Answers([(1, 1, 1, 1), second], choose)
    three(BLOW, x=4.5 if by == "c" else 10, cp=1).play(acting(by, action), answers)
    assert "ploy" not in {each.topic for each in answers.asked}


def test_more_damage_by_every_strike_is_not_played() -> None:
    assert "strike-damage of every strike" in lacks(BLOW.replace("if: [{first-time: sequence}], ", ""))


def test_the_step_of_a_sequence_is_of_what_was_spoken_of() -> None:
    text = f"Use this firefight ploy when a friendly {M} operative is {{}}. After rolling your attack dice, you can "
    text += "re-roll one of your attack dice."
    for does, verb in (("fighting", "fighting"), ("performing the Shoot action", "shooting")):
        [rule] = rules(text.format(does), "firefight", of_operative=False)
        assert rule["on"] == {"rolled": "attack", "by": "who"}
        assert rule["if"] == [{"did": [verb], "during": "sequence"}]
    assert status(text.format("performing the Dash action"), "firefight") != "enforced"


EDGE = "name: Edge, ploy: firefight, cost: 1, on: {}, who: friend, may: true, do: [{{convert: normal, to: critical}}]"


@pytest.mark.parametrize("wants", [True, False])
def test_a_ploy_for_a_success_of_attack_dice(wants: bool) -> None:
    made = three(EDGE.format("[shooting, fighting]"), cp=1)
    choose = {"ploy": "edge#0", "convert": "yes"} if wants else {}
    game = made.play(acting("a", Shoot()), Answers([(4, 1, 1, 1), (1, 1, 1)], choose))
    assert (who(game, "c").wounds, game.state.cp["red"]) == ((6, 0) if wants else (7, 1))


def test_a_ploy_for_a_success_is_for_what_it_says() -> None:
    answers = Answers([(4, 1, 1, 1), (1, 1, 1)], {})
    three(EDGE.format("fighting"), cp=1).play(acting("a", Shoot()), answers)
    assert "ploy" not in {each.topic for each in answers.asked}
    assert lacks(EDGE.format("[shooting, shot-at]"))
    fails = "if: [{fails: '>=2'}], may: true"
    assert "condition fails" in lacks(EDGE.format("shooting").replace("may: true", fails))


def test_this_operative_is_the_one_in_the_sequence() -> None:
    text = (
        f"Whenever a friendly {M} operative is fighting or retaliating, or an operative is shooting it, the first time "
    )
    text += (
        "an attack die inflicts Normal Dmg of 3 or more on this operative during that {}, that dice inflicts 1 less "
    )
    text += "damage on it."
    [rule] = rules(text.format("sequence"), "strategy", of_operative=False)
    assert rule["who"] == OFFICE
    assert not read(text.format("turning point"), "strategy", False).is_whole


# -- psychic -----------------------------------------------------------------------------------------

VOID = 'Whenever an operative is within 6" of this operative:\n- That operative cannot perform PSYCHIC actions or use '
VOID += (
    "PSYCHIC additional rules.\n- That operative cannot use PSYCHIC ranged weapons.\n- PSYCHIC melee weapons have no "
)
VOID += "weapon rules and cannot have Dmg stats higher than 3/4."
SAYS = "of: a, name: Void, on: always, who: anyone, if: [{within: 6, of: self}], do: "


def test_what_is_psychic_does_not_work_near_it() -> None:
    [rule] = rules(VOID)
    assert [next(iter(each)) for each in rule["do"]] == [
        *("forbid", "forbid-rules", "forbid-weapons", "remove-rule", "cap-damage")
    ]
    assert rule["do"][-1] == {"cap-damage": "3/4", "weapons": ["psychic", "melee"]}
    assert status(VOID, "ability") == "enforced"
    assert status(VOID.replace("use PSYCHIC additional", "use SUPPORT additional"), "ability") != "enforced"


def psychic(weapon: Profile) -> Profile:
    return replace(weapon, traits=("psychic",))


HEX = "of: c, name: Hex, action: 1AP, text: '{} Select one', on: used, do: [{{cp: 1}}]"


@pytest.mark.parametrize(
    ("x", "mark", "is_refused"), [(8, "PSYCHIC", True), (8, "SUPPORT", False), (11, "PSYCHIC", False)]
)
def test_psychic_actions_are_forbidden_near_it(x: float, mark: str, is_refused: bool) -> None:
    made = Field(*said(f"{SAYS}[{{forbid: [psychic]}}]"), *said(HEX.format(mark), side="blue"))
    made.add("a", "red", (3, 5)).add("c", "blue", (x, 5))
    battle = made.game(acting("c")).battle
    c = battle.state.operatives["c"]
    assert (action_options(battle, c)["Hex"][0].refusal is not None) is is_refused


@pytest.mark.parametrize(("x", "mark", "inches"), [(8, "PSYCHIC", 6), (8, "Psychic", 8), (11, "PSYCHIC", 8)])
def test_psychic_rules_do_not_work_near_it(x: float, mark: str, inches: int) -> None:
    glide = f"of: c, name: Glide, text: '{mark} This one', on: always, do: [{{stat: move, by: 2}}]"
    made = Field(*said(f"{SAYS}[{{forbid-rules: psychic}}]"), *said(glide, side="blue"))
    battle = made.add("a", "red", (3, 5)).add("c", "blue", (x, 5)).battle()
    assert battle.move(battle.state.operatives["c"]).value == inches


def test_a_text_that_speaks_of_psychic_things_is_not_psychic() -> None:
    for text, is_marked in (("PSYCHIC Select one", True), ("PSYCHIC weapons cannot", False), ("PSYCHIC. Select", True)):
        [found] = texts(f"of: a, name: X, text: '{text}', on: always, do: [{{stat: move, by: 2}}]")
        assert is_psychic(found) is is_marked


@pytest.mark.parametrize("x", [8, 11])
def test_psychic_ranged_weapons_and_no_others_are_forbidden_near_it(x: float) -> None:
    made = ground(f"{SAYS}[{{forbid-weapons: [psychic, ranged]}}]").add("a", "red", (3, 5))
    made.add("c", "blue", (x, 5), psychic(ranged(key="bolt")), ranged(), psychic(melee()))
    battle = made.battle()
    c = battle.state.operatives["c"]
    (rule, _) = battle.rules[-2:]
    barred = [each.key for each in battle.weapons(c) if rule.forbids_weapon(battle, c, each) is not None]
    assert barred == (["bolt"] if x < 9 else [])


@pytest.mark.parametrize(("x", "left"), [(8, []), (11, ["Brutal", "Rending"])])
def test_no_rules_are_left_granted_ones_neither(x: float, left: list[str]) -> None:
    void = f"{SAYS}[{{remove-rule: [all], weapons: [psychic, melee]}}]"
    edge = "name: Edge, kind: faction, on: always, who: friend, do: [{grant: [Rending]}]"
    made = Field(*said(void), *said(edge, side="blue")).add("a", "red", (3, 5))
    made.add("c", "blue", (x, 5), psychic(melee("Brutal")), melee("Shock", key="club"))
    battle = made.battle()
    c = battle.state.operatives["c"]
    own, other = (battle.weapon_rules(c, each, battle.state.operatives["a"]) for each in battle.weapons(c))
    assert [rule.text for rule in own] == left
    assert [rule.text for rule in other] == ["Shock", "Rending"]


# -- more equipment ----------------------------------------------------------------------------------

PACKED = "of: {}, name: Packed, on: always, may: true, do: [{{extra-equipment: 1}}]"


def test_one_more_equipment_option() -> None:
    [rule] = rules("You can select one additional equipment option.")
    assert rule["do"] == [{"extra-equipment": 1}]
    assert lacks(PACKED.format("a")) == []
    assert lacks(PACKED.format("a").replace("on: always", "on: always, if: [wounded]"))
    assert lacks(PACKED.format("a").replace("of: a, ", "ploy: strategy, cost: 1, "))


@pytest.mark.parametrize(("types", "more"), [(("a", "b"), 1), (("b",), 0), (("a", "a"), 2)])
def test_as_many_more_as_there_are_operatives_that_bring_them(types: tuple[str, ...], more: int) -> None:
    found = texts(PACKED.format("a"))
    assert more_equipment(found, types) == more
    battle = three(PACKED.format("a")).battle()
    assert most_options(battle, "red", types) == MOST + more
    assert most_options(battle, "blue", types) == MOST


# -- said in other words -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "text", "meant"),
    [
        (
            "strategy",
            f"Whenever a friendly {M} operative is shooting an enemy operative in the same activation in which it "
            "performed the Charge action, that friendly operative's weapons have the Ceaseless weapon rule.",
            "'if': ['activated-now', 'charged']",
        ),
        (
            "ability",
            "Whenever this operative incapacitates an enemy operative in the Resolve Attack Dice step of the Fight "
            "action, it regains up to D3+1 lost wounds.",
            "{'did': ['fighting', 'retaliating'], 'during': 'sequence'}",
        ),
        (
            "strategy",
            f"Whenever a friendly {M} operative that has a Conceal order is in cover, it cannot be selected as a valid "
            'target, except by enemy operatives within 2" of it.',
            "{'forbid-target': True, 'unless-within': 2}",
        ),
        (
            "action",
            f"Select one friendly {M} operative within this operative's control range. It regains up to 2D3 lost "
            "wounds. An operative cannot be selected for this action if the First Aid rule was used on it during this "
            "turning point.",
            "'not-after': 'First Aid'",
        ),
    ],
)
def test_other_words_for_what_is_known(kind: Any, text: str, meant: str) -> None:
    assert meant in str(rules(text, kind, kind in ("ability", "action")))
    assert status(text, kind) == "enforced"
    beside = text.replace("performed the Charge", "came from the Charge").replace("Resolve Attack", "Roll Attack")
    beside = beside.replace("except by", "except when seen by").replace("was used on it", "was used near it")
    assert status(beside, kind) != "enforced"


def test_what_it_can_do_once_in_an_activation_is_asked() -> None:
    text = f"Once per battle, during a friendly {M} operative's activation, it can regain up to D3+3 lost wounds."
    [rule] = rules(text, "equipment", of_operative=False)
    assert (rule["may"], rule["limit"]) == (True, [{"once": "battle"}])
    assert status(text, "equipment") == "enforced"
    assert status(text.removeprefix("Once per battle, ").replace("during", "During"), "equipment") != "enforced"


@pytest.mark.parametrize(("ploy", "rolled", "left"), [("dig#0", (1, 1), 10), ("no", (1, 1, 1), 7)])
def test_a_ploy_retains_a_die_before_the_others_are_rolled(ploy: str, rolled: tuple[int, ...], left: int) -> None:
    text = f"Use this firefight ploy when an operative is shooting a friendly {M} operative, when you collect your "
    text += "defence dice. You can retain one of your defence dice as a normal success without rolling it."
    assert status(text, "firefight") == "enforced"
    says = "id: dig, name: Dig, ploy: firefight, cost: 1, on: shot-at, who: friend, foe: anyone, "
    made = three(f"{says}do: [{{retain: normal, dice: 1, of: defence}}]", cp=1)
    game = made.play(acting("c", Shoot()), Answers([(4, 1, 1, 1), rolled], {"target": "a", "ploy": ploy}))
    assert who(game, "a").wounds == left
    assert game.state.cp["red"] == (0 if left == 10 else 1)
    assert lacks(says + "do: [{retain: critical, dice: 1, of: defence}]")
    assert lacks(says + "do: [{retain: normal, dice: 1, of: attack}]")


CHEAP = "of: a, id: chp, name: Keen, on: always, do: [{ploy-cost: [Hurry], cp: 0, specified: self}]"
HURRY = "id: hur, name: Hurry, ploy: firefight, cost: 1, on: activated, who: friend, until: activation, "


def test_whom_a_ploy_is_used_for_is_known_and_whom_it_picks_is_not() -> None:
    used_for = f"{HURRY}do: [{{stat: apl, by: 1}}]"
    picked = f"{HURRY}do: [{{pick: friend}}, {{stat: apl, by: 1, who: picked}}]"
    strategy = "id: hur, name: Hurry, ploy: strategy, cost: 1, on: used, who: friend, do: [{cp: 1}]"
    for ploy, is_known in ((used_for, True), (picked, False), (strategy, False)):
        keen = with_what_is_left(texts(CHEAP, ploy))[0]
        assert (status_of(keen)[0] == "enforced") is is_known
    assert status_of(with_what_is_left(texts(CHEAP))[0])[0] == "shown"


@pytest.mark.parametrize(("id", "cp"), [("a", 1), ("b", 0)])
def test_a_ploy_costs_less_for_this_operative_only(id: str, cp: int) -> None:
    made = three(CHEAP.replace("self}", "self, used-for: true}"), f"{HURRY}do: [{{stat: apl, by: 1}}]", cp=1)
    game = made.play(activating(id), Answers(choose={"ploy": "hur#0", "action": "pass"}))
    assert game.state.cp["red"] == cp


# -- what follows from a ploy ------------------------------------------------------------------------


@pytest.mark.parametrize("wounds", [5, 10])
def test_what_a_strategy_ploy_does_as_something_happens_was_paid_for(wounds: int) -> None:
    made = three("id: sip, name: Sip, ploy: strategy, cost: 1, on: activated, who: friend, do: [{heal: 2}]", cp=1)
    made.state.ploys_used = ["red:sip"]
    made.state.operatives["a"].wounds = wounds
    game = made.play(activating("a"), Answers([], {"order": "engage", "action": "pass"}))
    assert (who(game, "a").wounds, game.state.cp["red"]) == (min(10, wounds + 2), 1)


def test_what_a_strategy_ploy_lets_one_do_was_paid_for() -> None:
    says = "id: sip, name: Sip, ploy: strategy, cost: 1, on: activation, who: friend, may: true, do: [{heal: 2}]"
    made = three(says, cp=1)
    made.state.ploys_used = ["red:sip"]
    made.state.operatives["a"].wounds = 5
    game = made.play(activating("a"), Answers([], {"order": "engage", "action": ["Sip", "pass"]}))
    assert (who(game, "a").wounds, game.state.cp["red"]) == (7, 1)


FROM_NOW_ON = "name: Pad, ploy: firefight, cost: 1, on: activated, who: enemy, do: [{pick: friend}], then: [{"


@pytest.mark.parametrize(
    ("then", "asked", "wounds"),
    [
        ("on: damage, who: picked, do: [{reduce-damage: 1}]", {}, 8),
        ("on: shot-at, who: picked, may: true, do: [{convert: fail, to: normal}]", {"convert": "yes"}, 10),
    ],
)
def test_what_follows_from_a_ploy_is_paid_for(then: str, asked: dict[str, Any], wounds: int) -> None:
    made = three(f"{FROM_NOW_ON}{then}, until: turning-point}}]", cp=1)
    choose = {"ploy": "pad#0", "operative": "a", "order": "engage", "action": ["Shoot", "pass"], "target": "a"}
    game = made.play(activating("c"), Answers([(4, 1, 1, 1), (1, 1, 1)], {**choose, **asked}))
    assert (who(game, "a").wounds, game.state.cp["red"]) == (wounds, 0)
