"""Who has left, who may choose, how often, between actions, in counteractions: what team rules say is what is played,
each with the case just outside it. All texts are invented."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import activating, ground, said
from team_help import who
from test_team_reading import OFFICE, read, rules

from ktsim.rules.engine.activation import action_options, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.fight.combat import assisting
from ktsim.rules.engine.markers import PickUp
from ktsim.rules.engine.operative_events import MarkerAppeared, Wounded
from ktsim.rules.engine.shoot.targets import rule_on, target_refusal
from ktsim.rules.engine.turn import take_turn
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import Dash, FallBack
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import counteract, ready
from ktsim.rules.teams.playing import effects


def three(*written: str, x: float = 10, **more: Any) -> Field:
    """A and B of red, C of blue."""
    made = ground(*written, **more).add("a", "red", (3, 5), ranged(), melee())
    return made.add("b", "red", (6, 5), ranged(), melee()).add("c", "blue", (x, 5), ranged(), melee())


# -- who and when ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("is_removed", "granted"), [(False, ["Saturate"]), (True, [])])
def test_nobody_is_near_one_that_has_left(is_removed: bool, granted: list[str]) -> None:
    says = "of: a, name: Lamp, action: 1AP, then: [{on: shooting, who: {is: friend, other: true, that: [{within: 6, of:"
    says += " self}]}, do: [{grant: [Saturate]}], until: turning-point}]"
    made = three(says)
    lamp = next(each for each in made.battle().actions(made.state.operatives["a"]) if each.name == "Lamp")
    game = made.act("a", lamp)
    made.state.effects = list(game.state.effects)
    made.state.operatives["a"].is_removed = is_removed
    battle = made.battle()
    b, c = battle.state.operatives["b"], battle.state.operatives["c"]
    assert [rule.text for rule in battle.weapon_rules(b, ranged(), c)] == granted


@pytest.mark.parametrize(("may", "apl"), [(", may: true", "3AP"), ("", "2AP")])
def test_changes_for_the_better_are_kept_where_its_player_can_ignore_them(may: str, apl: str) -> None:
    says = "name: Nerve, ploy: firefight, cost: 1, on: activated, who: friend, do: [{heal: 1}, {ignore-changes: [apl], "
    says += f"from: all{may}}}], until: activation"
    made = three("of: a, name: Zeal, on: always, do: [{stat: apl, by: 1}]", says, cp=1)
    answers = Answers(choose={"ploy": "nerve#0", "action": "pass"})
    made.play(activating("a"), answers)
    assert apl in answers.asked[-1].prompt


@pytest.mark.parametrize(("words", "may"), [("you can ignore", True), ("ignore", None)])
def test_what_can_be_ignored_is_its_players_choice(words: str, may: Any) -> None:
    text = "Use this firefight ploy when a friendly MOTH OFFICE operative is activated. That friendly operative regains"
    (rule,) = rules(
        f"{text} D3 lost wounds and during that activation {words} any changes to its APL stat.", "firefight"
    )
    assert rule["do"][1].get("may") is may


SHARED = "name: Errand, on: always, who: friend, limit: once per battle, do: [{ap-cost: -1, actions: [Pick Up Marker]}]"
OWN = SHARED.replace("who: friend", "who: {is: friend, that: [{within: 9, of: self}]}")


@pytest.mark.parametrize(("says", "cost"), [(SHARED, 1), (OWN, 0)])
def test_a_limit_of_the_whole_team_is_shared_by_all_who_have_the_rule(says: str, cost: int) -> None:
    made = three(f"of: a, {says}", f"of: b, {says}").marker("m", (3, 6), can_be_picked_up=True, controller="red")
    game = made.act("a", PickUp())
    made.state.effects = list(game.state.effects)
    made.state.operatives["a"].is_removed = True
    battle = made.game(acting("b")).battle
    assert battle.ap_cost(battle.state.operatives["b"], PickUp()) == cost


def test_a_free_action_once_in_its_activation_is_not_free_in_a_counteraction() -> None:
    says = "of: a, name: Frenzy, on: always, do: [{allow: [Fight], times: 2, free-once: true}]"
    for kind, cost in (("activation", 0), ("counteraction", 1)):
        game = three(says).game(acting("a", kind=kind))
        assert game.battle.ap_cost(who(game, "a"), Fight()) == cost


@pytest.mark.rule("KT24-COUNTERACT")
@pytest.mark.parametrize(
    ("on", "is_offered"), [("{activation: true, or-counteraction: true}", True), ("activation", False)]
)
def test_during_an_activation_or_a_counteraction(on: str, is_offered: bool) -> None:
    says = f"name: Spit, ploy: firefight, cost: 1, on: {on}, who: friend, "
    says += "do: [{pick: enemy}, {damage: 1, who: picked}]"
    made = three(says, cp=1, x=14)
    made.state.operatives["a"].is_ready = made.state.operatives["b"].is_ready = False
    actions = ["Spit (1CP)", "Dash"] if is_offered else ["Dash"]
    choose: dict[str, Any] = {"counteract": "a", "action": actions, "move": (at(4, 5),)}
    answers = Answers(choose=choose)
    game = made.play(lambda battle: counteract(battle, "red"), answers)
    assert (who(game, "c").wounds, who(game, "a").x) == (9 if is_offered else 10, 4000)
    asked = [each for each in answers.asked if each.topic == "action"]
    assert ("Spit (1CP)" in {option.key for option in asked[0].options}) is is_offered  # type: ignore[attr-defined]
    battle = three(says, cp=1, x=14).game(acting("a")).battle
    assert action_options(battle, battle.state.operatives["a"])["Spit (1CP)"][0].refusal is None, "in an activation"


@pytest.mark.parametrize(("words", "both"), [("activation or counteraction", True), ("activation", None)])
def test_whether_a_counteraction_is_meant_too(words: str, both: Any) -> None:
    text = (
        f"Use this firefight ploy during a friendly MOTH OFFICE operative's {words}. Until the end of that activation,"
    )
    (rule,) = rules(f"{text} add 1 to its APL stat.", "firefight")
    on = rule["on"]
    assert (on.get("or-counteraction") if isinstance(on, dict) else None) is both


FIRST = "name: Coat, ploy: strategy, on: damage, who: friend, if: [{first-time: turning-point}], may: true, "
FIRST += "do: [{reduce-damage: 2}], until: turning-point"


@pytest.mark.parametrize(
    ("says", "answers", "wounds"),
    [
        (FIRST, ["yes"], 6),
        (FIRST, ["no"], 4),  # a first time let pass is over, also for the second die
        (FIRST.replace("if: [{first-time: turning-point}]", "limit: once per turning-point"), ["no", "yes"], 6),
    ],
)
def test_the_first_time_damage_is_inflicted(says: str, answers: list[str], wounds: int) -> None:
    made = three(says)
    made.state.ploys_used = ["red:coat"]
    dice = [(3, 3, 1, 1), (1, 1, 1)]
    choose = {"target": "a", "ward": answers}
    game = made.play(acting("c", Shoot()), Answers(dice, choose))
    assert who(game, "a").wounds == wounds


@pytest.mark.rule("KT24-DAMAGE")
@pytest.mark.parametrize(("steadfast", "wounds"), [(", steadfast: true", 1), ("", 0)])
def test_not_incapacitated_for_the_rest_of_the_action(steadfast: str, wounds: int) -> None:
    says = "of: b, name: Brace, on: dying, who: {is: friend, other: true}, limit: once per battle, may: true, "
    made = three(f"{says}do: [{{survive: 1{steadfast}}}]", x=4.5)
    made.state.operatives["a"].wounds, made.state.operatives["b"].y = 3, 9000
    dice = [(4, 4, 1, 1), (1, 1, 1, 1)]
    game = made.act("c", Fight(), dice=dice, choose={"resolve": ["strike n", "strike n"], "team option": "yes"})
    assert max(0, who(game, "a").wounds) == wounds
    assert who(game, "a").is_removed is not bool(steadfast)
    assert not [effect for effect in game.state.effects if effect.clause.startswith("steadfast")], "it is over"


def test_nothing_keeps_it_longer_than_the_action() -> None:
    says = "of: b, name: Brace, on: dying, who: {is: friend, other: true}, limit: once per battle, may: true, "
    made = three(f"{says}do: [{{survive: 1, steadfast: true}}]")
    made.state.operatives["a"].wounds = 3
    choose = {"target": ["a", "a"], "team option": "yes"}
    dice = [(3, 1, 1, 1), (1, 1, 1)] * 2
    game = made.play(acting("c", Shoot(), Shoot()), Answers(dice, choose))
    assert who(game, "a").is_removed


# -- those who fall between actions --------------------------------------------------------------------


def test_who_falls_after_an_action_leaves_at_once() -> None:
    says = "of: c, name: Sparks, on: done(Dash), who: enemy, if: [{within: 9, of: self}], do: [{damage: 2}]"
    for wounds, is_removed in ((2, True), (3, False)):
        made = three(says, side="blue")
        made.state.operatives["a"].wounds = wounds
        game = made.act("a", Dash(), choose={"move": (at(4, 5),)})
        assert who(game, "a").is_removed is is_removed


@pytest.mark.rule("KT24-DAMAGE")
def test_who_falls_as_it_is_about_to_act_does_not_act() -> None:
    says = "of: a, name: Snag, on: doing(Fall Back), who: enemy, if: [{control-range: self}], do: [{damage: 2}]"
    for wounds, y in ((2, 5000), (3, 9000)):
        made = three(says, x=4.5)
        made.state.operatives["c"].wounds = wounds
        choose = {"move": (at(4.5, 9),)} if wounds == 3 else {}
        game = made.act("c", FallBack(), choose=choose)
        assert (who(game, "c").is_removed, who(game, "c").y) == (wounds == 2, y)


def test_who_falls_in_the_ready_step_leaves_before_anybody_acts() -> None:
    says = "of: a, name: Rot, on: ready-step, do: [{damage: 1, who: enemy}]"
    for wounds, is_removed in ((1, True), (2, False)):
        made = three(says)
        made.state.operatives["c"].wounds = wounds
        assert who(made.play(ready), "c").is_removed is is_removed


def test_who_falls_as_the_firefight_phase_ends_leaves_with_it() -> None:
    says = "name: Last Word, ploy: firefight, cost: 1, on: firefight-ends, who: friend, do: [{pick: friend}, "
    says += "{free-action: [Fight], who: picked}]"
    made = three(says, cp=1, x=4.5)
    for one in made.state.operatives.values():
        one.is_ready = False
    made.state.operatives["c"].wounds = 3
    choose = {"team option": "yes", "operative": "a", "free action": "Fight", "resolve": "strike n"}
    answers = Answers([(4, 1, 1, 1), (1, 1, 1, 1)], choose)
    game = made.play(lambda battle: take_turn(battle, counteract), answers)
    assert (who(game, "c").is_removed, game.state.phase) == (True, "turn-end")


# -- markers -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "or_vantage"),
    [(", or on Vantage terrain of a terrain feature that's visible to this operative", True), ("", None)],
)
def test_where_a_marker_may_lie(words: str, or_vantage: Any) -> None:
    (rule,) = rules(f"Place your Lantern marker visible to this operative{words}.", "action")
    assert rule["do"][0].get("or-vantage") is or_vantage
    assert rule["do"][0]["visible"] is True


@pytest.mark.parametrize("says", ["visible: true", "visible: true, or-vantage: true"])
def test_a_marker_on_vantage_of_a_visible_feature(says: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = three(f"of: a, name: Light, action: 1AP, do: [{{marker: Lantern, of: self, {says}}}]")
    monkeypatch.setattr(type(made.table), "sees_place", lambda *_: False)
    monkeypatch.setattr(effects, "is_seen_at", lambda *_: True)
    light = next(each for each in made.battle().actions(made.state.operatives["a"]) if each.name == "Light")
    asked = []

    def answer(decision: Any) -> Any:
        asked.append(decision.check(at(8, 8)))
        return made.state.operatives["a"].point

    game = made.game(acting("a", light))
    game.submit(answer(game.pending))
    assert asked == [None if "or-vantage" in says else "It would not be visible to A."]


@pytest.mark.rule("KT24-CONTROL")
@pytest.mark.parametrize("is_seen", [True, False])
def test_a_marker_is_in_control_range_only_where_it_is_visible(is_seen: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    says = "of: a, name: Near, on: always, if: [{within: 1, marker: Lantern, visible: true}], do: [{stat: apl, by: 1}]"
    made = three(says)
    MarkerAppeared("lantern", "Lantern", at(3, 6), 400, owner="red").apply(made.state)
    monkeypatch.setattr(type(made.table), "_controls_place", lambda *_: is_seen)
    battle = made.battle()
    assert battle.apl(battle.state.operatives["a"]).value == (3 if is_seen else 2)


def test_a_marker_taken_away_as_a_friend_performs_the_action() -> None:
    text = "Place your Lantern marker in the killzone. When this operative is next activated, is incapacitated or this "
    (rule,) = rules(
        f"{text}action is performed again by a friendly operative (whichever comes first), remove that marker.",
        "action",
    )
    assert rule["do"][0]["until"] == ["own-next-activation", "incapacitated", "performed-by-friend"]


# -- words in action -----------------------------------------------------------------------------------


def test_cp_for_who_falls_near() -> None:
    says = "of: a, name: Ransom, on: incapacitated, who: enemy, if: [{control-range: self}], do: [{cp: 1}]"

    def falls(battle: Battle) -> Steps[None]:
        yield Wounded("c", 20, "a test", "b")
        yield from remove_incapacitated(battle)

    assert three(says, x=4.5).play(falls).state.cp["red"] == 1
    assert three(says, x=5.2).play(falls).state.cp["red"] == 0


def test_who_counts_as_having_a_token() -> None:
    brand = "of: a, name: Brand, on: always, who: enemy, if: [{within: 4, of: self}], do: [{counts-as: Ash}]"
    hunt = "name: Hunt, kind: faction, on: shooting, who: friend, foe: {is: enemy, that: [{token: Ash}]}, "
    for x, granted in ((8, ["Balanced"]), (8.3, [])):
        battle = three(brand, f"{hunt}do: [{{grant: [Balanced]}}]", x=x).battle()
        b, c = battle.state.operatives["b"], battle.state.operatives["c"]
        assert [rule.text for rule in battle.weapon_rules(b, ranged(), c)] == granted


def psychic(*more: str) -> Field:
    says = "of: a, name: Gaze, action: 1AP, text: 'PSYCHIC. Look.', do: [{pick: enemy, that: [{within: 6, of: self}]}, "
    return three(f"{says}{{damage: 1, who: picked}}]", *more)


def reaches(made: Field, x: float) -> bool:
    made.state.operatives["c"].x = round(1000 * x)
    battle = made.game(acting("a")).battle
    return action_options(battle, battle.state.operatives["a"])["Gaze"][0].refusal is None


def test_distances_of_psychic_actions_are_longer() -> None:
    assert [reaches(psychic(), x) for x in (10, 10.1)] == [True, False]
    longer = "of: a, name: Far, on: always, do: [{distance: 3, actions: [psychic]}]"
    assert [reaches(psychic(longer), x) for x in (13, 13.1)] == [True, False]
    other = longer.replace("of: a", "of: b")
    assert not reaches(psychic(other), 10.1), "its own only"


GAZE = "of: a, name: Gaze, action: 1AP, text: '{text}', do: [{{pick: enemy}}, {{damage: 1, who: picked}}]"
BURST = "of: a, name: Gaze, action: 1AP, text: '{text}', "
BURST += "do: [{{damage: 1, who: {{is: enemy, that: [{{within: 9, of: self}}]}}}}]"


@pytest.mark.parametrize("says", [GAZE, BURST])
@pytest.mark.parametrize(("text", "is_spared"), [("PSYCHIC. Look.", True), ("Look.", False)])
def test_who_cannot_be_chosen_for_psychic_actions(says: str, text: str, is_spared: bool) -> None:
    """Whose rule it is, the other side's, does not matter."""
    aura = said("of: c, name: Aura, on: always, do: [{immune: [psychic]}]", side="blue")
    made = Field(*said(says.format(text=text)), *aura).add("a", "red", (3, 5)).add("c", "blue", (10, 5))
    made.add("d", "blue", (10, 9))
    gaze = next(each for each in made.battle().actions(made.state.operatives["a"]) if each.name == "Gaze")
    choose = {"operative": "c"} if says is GAZE and not is_spared else {}  # of one only nobody is asked
    game = made.play(acting("a", gaze), Answers(choose=choose))
    assert who(game, "c").wounds == (10 if is_spared else 9)
    assert who(game, "d").wounds == (9 if is_spared or says is BURST else 10)


@pytest.mark.rule("KT24-ASSIST")
@pytest.mark.parametrize(("on", "helpers"), [("[fighting, retaliating]", []), ("retaliating", ["d"])])
def test_nobody_assists_against_it(on: str, helpers: list[str]) -> None:
    says = f"of: a, name: Bull, on: {on}, do: [{{forbid-assist: true, who: enemy}}]"
    made = three(says, x=4.5).add("d", "blue", (3, 6.5), melee())
    made.state.operatives["b"].x = 20000
    battle = made.game(acting("a")).battle
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    assert [each.id for each in assisting(battle, c, a)] == helpers, "A is the one that fights"


@pytest.mark.parametrize(("y", "is_obscured"), [(5.85, True), (5.95, False)])
def test_obscured_wholly_near_a_marker(y: float, is_obscured: bool) -> None:
    says = (
        "name: Swarm, kind: faction, on: shot-at, who: {is: friend, that: [{more-than: 3, from: foe}]}, foe: anyone, "
    )
    says += "if: [{within: 1, marker: Flies, wholly: true}], do: [obscure]"
    made = three(says)
    MarkerAppeared("flies", "Flies", at(3, y), 400, owner="red").apply(made.state)
    battle = made.battle()
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    assert rule_on(battle, c, a, ()).is_obscured is is_obscured
    made.state.operatives["c"].x = 6900
    assert not rule_on(made.battle(), c, a, ()).is_obscured, "3 inches away"


def test_no_other_enemy_near() -> None:
    says = "of: a, name: Arrest, on: always, who: enemy, if: [{control-range: self}, {no-other: true, about: self}], "
    made = three(f"{says}do: [{{forbid: [Fall Back]}}]", x=4.5)
    options = action_options(battle := made.game(acting("c")).battle, battle.state.operatives["c"])
    assert options["Fall Back"][0].refusal == "Fall Back: Arrest."
    made.add("d", "blue", (3, 6.5))
    options = action_options(battle := made.game(acting("c")).battle, battle.state.operatives["c"])
    assert options["Fall Back"][0].refusal is None


@pytest.mark.rule("KT24-VALID")
@pytest.mark.parametrize(("x", "why"), [(7.4, None), (10.2, "C: B is within its control range.")])
def test_a_ploy_by_which_friends_near_the_target_do_not_matter(x: float, why: str | None) -> None:
    text = "Use this firefight ploy when a friendly MOTH OFFICE operative is performing the Shoot action and you're "
    text += 'selecting a valid target within 6" of it. Having other friendly MOTH OFFICE operatives within an enemy '
    text += "operative's control range doesn't prevent that enemy operative from being selected."
    (rule,) = rules(text, "firefight")
    assert rule["do"] == ["shoot-past-friends"]
    says = "name: Aim, ploy: firefight, cost: 1, on: choosing-target, who: friend, "
    made = three(f"{says}if: [{{within: 6, about: foe, of: who}}], do: [shoot-past-friends]", cp=1, x=x)
    made.state.operatives["b"].x = round(1000 * x - 1400)
    seen: list[str | None] = []

    def answer(decision: Any) -> Any:
        if decision.topic == "ploy":
            return "aim#0"
        if decision.topic == "target":
            a, c = made.state.operatives["a"], made.state.operatives["c"]
            seen.append(target_refusal(game.battle, a, "c", rule_on(game.battle, a, c, ()), ()))
        return decision.default

    game = made.game(acting("a", Shoot()))
    while game.pending is not None and not seen:
        if game.pending.topic not in ("ploy", "weapon", "target"):
            break
        game.submit(answer(game.pending))
    battle = game.battle
    a, c = battle.state.operatives["a"], battle.state.operatives["c"]
    assert target_refusal(battle, a, "c", rule_on(battle, a, c, ()), ()) == why


# -- what is read ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "kind", "effect"),
    [
        (
            "Subtract 1 from the APL stat of one enemy operative visible to this operative until the end of its next "
            "activation.",
            "action",
            "stat",
        ),
        ('One enemy operative within 3" of this operative suffers D3 damage.', "action", "damage"),
        ('One enemy operative within 3" of this operative gains two of your Ink tokens.', "action", "token"),
    ],
)
def test_one_of_many_is_chosen_and_never_all(text: str, kind: Any, effect: str) -> None:
    (rule,) = rules(text, kind)
    assert "pick" in rule["do"][0]
    assert rule["do"][1][effect] is not None
    assert rule["do"][1]["who"] == "picked"


def test_each_of_many_is_all_of_them() -> None:
    (rule,) = rules('Each enemy operative within 3" of this operative suffers D3 damage.', "action")
    assert [each["damage"] for each in rule["do"]] == ["D3"]


@pytest.mark.parametrize(
    "text",
    [
        "One friendly MOTH OFFICE operative's weapons have the Severe weapon rule.",
        "One friendly MOTH OFFICE operative cannot perform the Dash action.",
        "One friendly MOTH OFFICE operative can perform a mission action for 1 less AP.",
        "Whenever an attack dice inflicts damage on this operative, halve that inflicted damage (rounding down).",
        "Select one enemy operative. Until that operative is incapacitated, add 1 to this operative's APL stat.",
    ],
)
def test_what_is_not_wholly_clear_is_not_understood(text: str) -> None:
    assert read(text, "action" if text.startswith("Select") else "ability").unread


def test_one_of_many_as_often_as_is_counted() -> None:
    (rule,) = rules("Once per battle, one friendly MOTH OFFICE operative can perform a mission action for 1 less AP.")
    assert rule["who"] == OFFICE
    assert rule["limit"] == [{"once": "battle"}]


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Whenever this operative doesn't control an objective marker, add 1 to its APL stat.", "{'controls'"),
        ("Whenever this operative doesn't contest an objective marker, add 1 to its APL stat.", "{'contests'"),
        ("Whenever this operative is within your drop zone, add 1 to its APL stat.", "{'territory': 'drop-zone'}"),
        ("Whenever this operative is wholly within your drop zone, add 1 to its APL stat.", "'wholly': True"),
        ("Twice during each of this operative's activations, it can perform the Stamp action for 1 less AP.",
         "'twice'"),
        ("Once during each this operative's activation, it can perform a mission action for 1 less AP.", "'once'"),
        ("Whenever this operative is fighting, you can subtract 1 from the damage inflicted on it from one critical "
         "success.", "{'die': 'critical'}"),
        ("The first time during each turning point that another friendly MOTH OFFICE operative would be incapacitated, "
         "you can use this rule. If you do, that friendly operative isn't incapacitated, has 1 wound remaining and "
         "cannot be incapacitated for the rest of that action.", "'steadfast': True"),
    ],
)  # fmt: skip
def test_words_that_are_easily_lost(text: str, part: str) -> None:
    (rule,) = rules(text)
    assert part in str(rule)
