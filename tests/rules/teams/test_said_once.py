"""What one text says counts with what others say, and once: permissions of several texts, who is in cover, who is shot
instead, dice that are retained already, markers that two rules place, teams that both sides have. All texts are
invented; each has the case just outside it."""

from __future__ import annotations

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from language_help import gambit, ground, said
from team_help import who

from ktsim.game.game import Game
from ktsim.rules.engine.action import refuses_to_repeat
from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import own_key
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import EffectBegan, EffectsDropped
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.state import Effect, Side
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.shoot import Shoot


def pair(*written: str, side: Side = "red", cp: int = 0) -> Field:
    """A and B of red, C and D of blue."""
    made = ground(*written, side=side, cp=cp).add("a", "red", (3, 5), ranged(), melee()).add("b", "red", (3, 9))
    return made.add("c", "blue", (9, 5), ranged(), melee()).add("d", "blue", (10.5, 5))


# -- permissions -------------------------------------------------------------------------------------

TWICE = "name: {}, kind: faction, on: always, who: friend, do: [{{allow: [Fight], times: 2}}]"


@pytest.mark.parametrize("names", [["One"], ["One", "Other"]])
@pytest.mark.parametrize(("done", "is_left"), [(1, True), (2, False)])
def test_two_texts_that_allow_two_fights_allow_two(names: list[str], done: int, is_left: bool) -> None:
    game = pair(*(TWICE.format(each) for each in names)).game(acting("a"))
    assert game.state.activation is not None
    game.state.activation.actions += ["Fight"] * done
    assert (refuses_to_repeat(game.battle, game.state.operatives["a"], Fight()) is None) is is_left


# -- in cover ----------------------------------------------------------------------------------------

BEHIND = "name: Behind, kind: faction, on: shot-at, who: {is: friend, that: [in-cover]}, foe: anyone, may: true, "
BEHIND += "do: [{reroll: defence, dice: any}]"


def rerolls(made: Field, expected: list[str], saves: list[int], **choose: str) -> list[str]:
    """Who is asked about re-rolls while A shoots C; everybody who is *expected* to be keeps the dice."""
    dice = [die for count in saves for die in ((6, 1, 1, 1), (1,) * count)]
    answers = Answers(dice, {"target": "c", "reroll": ["keep"] * len(expected), **choose})
    made.play(acting("a", Shoot()), answers)
    return [each.prompt[0] for each in answers.asked if each.topic == "reroll"]


@pytest.mark.rule("KT24-SAMEFEATURE")
@pytest.mark.parametrize("took", ["cover", "obscured"])
def test_who_took_being_obscured_is_not_in_cover(took: str) -> None:
    made = pair(BEHIND, side="blue")
    made.table.rulings["a", "c"] = {"in_cover": True, "is_obscured": True, "defender_chooses": True}
    expected, saves = (["C"], [2]) if took == "cover" else ([], [3])
    assert rerolls(made, expected, saves, **{"cover or obscured": took}) == expected


@pytest.mark.rule("KT24-W-BLAST")
@pytest.mark.parametrize(("hidden", "asked"), [("c", ["C", "D"]), ("d", [])])
def test_whom_a_blast_hits_as_well_is_in_cover_as_the_primary_target_is(hidden: str, asked: list[str]) -> None:
    made = ground(BEHIND, side="blue").add("a", "red", (3, 5), ranged('Blast 2"'))
    made.add("c", "blue", (9, 5)).add("d", "blue", (10.5, 5))
    made.table.rulings["a", hidden] = {"in_cover": True}
    assert rerolls(made, asked, [2, 2] if asked else [3, 3]) == asked


# -- who is shot instead -----------------------------------------------------------------------------

SHIELD = (
    "name: Shield, ploy: firefight, cost: 1, on: targeted, who: {is: friend, keyword: [c]}, do: [{pick: {is: friend"
)
SHIELD += ", other: true}}, {redirect: true, who: picked}]"
DART = "name: Dart, equipment: true, on: always, who: friend, limit: once per turning-point, do: [{add-weapon: [Dart]}]"
MARKED = "of: a, name: Mark, on: done(Shoot), do: [{token: Seen, who: foe}]"


@pytest.mark.parametrize("is_instead", [True, False])
def test_who_is_shot_instead_is_the_target(is_instead: bool) -> None:
    made = ground(SHIELD, side="blue", cp=1)
    made._rules = (*made._rules, *said(DART, MARKED, weapons=(ranged(key="dart"),)))
    made.state.choices["red:equipment"] = own_key("dart")
    made.add("a", "red", (3, 5), melee()).add("c", "blue", (9, 5)).add("d", "blue", (10.5, 5))
    choose = {"target": "c"} | ({"ploy": "shield#0"} if is_instead else {})
    game = made.act("a", Shoot(), dice=[(3, 3, 1, 1), (1, 1, 1)], choose=choose)
    shot, other = ("d", "c") if is_instead else ("c", "d")
    assert [who(game, id).wounds for id in (shot, other)] == [4, 10]
    assert [who(game, id).tokens for id in (shot, other)] == [{"red:Seen": 1}, {}]
    assert Shoot().refusal(game.battle, game.state.operatives["a"]) is not None, "the Dart was used"


HOOK = "name: Hook, equipment: true, on: always, who: friend, limit: once per battle, do: [{add-weapon: [Hook]}]"


@pytest.mark.parametrize("side", ["red", "blue"])
def test_a_blade_that_may_be_used_once_is_used_by_a_fight_of_either(side: Side) -> None:
    made = ground(HOOK, side=side, weapons=(melee(key="hook"),))
    made.state.choices[f"{side}:equipment"] = own_key("hook")
    made.add("a", "red", (3, 5), melee(), wounds=30).add("c", "blue", (4.5, 5), melee(), wounds=30)
    game = made.act("a", Fight(), dice=[(1, 1, 1, 1), (1, 1, 1, 1)], choose={"melee weapon": "hook"})
    for id, kept in (("a", "red"), ("c", "blue")):
        one = game.state.operatives[id]
        found = {each.key: game.battle.forbids_weapon(one, each) for each in game.battle.weapons(one)}
        assert (found.get("hook") is not None, found["blade"]) == (kept == side, None)


# -- retained already --------------------------------------------------------------------------------

HARDEN = "name: Harden, kind: faction, on: shot-at, who: friend, foe: anyone, may: true, do: [{convert: normal, to: "
HARDEN += "critical}]"


@pytest.mark.parametrize(("rolled", "is_asked"), [((1, 1), False), ((4, 1), True)])
def test_a_cover_save_is_retained_already(rolled: tuple[int, ...], is_asked: bool) -> None:
    made = pair(HARDEN, side="blue")
    made.table.rulings["a", "c"] = {"in_cover": True}
    answers = Answers([(6, 1, 1, 1), rolled], {"target": "c"})
    game = made.play(acting("a", Shoot()), answers)
    assert ("convert" in answers.topics) is is_asked
    assert who(game, "c").wounds == (10 if is_asked else 6)


# -- what a marker does ------------------------------------------------------------------------------

BEACON = "of: b, name: Beacon, on: gambit, do: [{marker: Beacon, until: next-ready-step}], then: [{on: shooting, who: "
BEACON += "friend, foe: {is: enemy, that: [{within: 3, marker: Beacon}]}, do: [{grant: [Severe]}]}]"
AGAIN = "of: b, name: Again, action: 1AP, on: used, do: [{remove-marker: Beacon}, {marker: Beacon}]"


def granted(game: Game) -> list[str]:
    a, c = (game.state.operatives[id] for id in "ac")
    return [each.text for each in game.battle.weapon_rules(a, game.battle.weapons(a)[0], c)]


@pytest.mark.parametrize(("place", "has"), [(at(9, 7), ["Severe"]), (at(9, 15), [])])
@pytest.mark.parametrize("is_after", [True, False])
def test_a_marker_does_what_is_said_of_it_whichever_rule_places_it(
    is_after: bool, place: tuple[int, int, int], has: list[str]
) -> None:
    made = pair(BEACON, AGAIN)
    if is_after:
        made.state = gambit(made, "beacon#0 b", **{"team marker": at(20, 15)}).state

    def procedure(battle: Battle) -> Steps[None]:
        b = battle.state.operatives["b"]
        yield ActivationBegan("b", "activation", "engage", 2)
        again = next(each for each in battle.actions(b) if each.name == "Again")
        yield from perform(battle, b, again, 1)

    game = made.play(procedure, Answers(choose={"team marker": place}))
    assert granted(game) == has
    assert sum(each.clause == "beacon#0.0" for each in game.state.effects) == 1


# -- both sides have the team ------------------------------------------------------------------------


@pytest.mark.parametrize(("side", "left"), [("red", 0), ("blue", 1)])
def test_what_a_side_ends_is_its_own(side: Side, left: int) -> None:
    made = pair()
    mark = Effect("Bell", "TEAM", "turning-point", side="red", clause="bell#0!")
    EffectBegan(mark).apply(made.state)
    EffectsDropped(side, "bell#0", "", only_again=False).apply(made.state)
    assert len(made.state.effects) == left


# -- counted together --------------------------------------------------------------------------------


STEADY = "of: c, name: Steady, on: control(marker), do: [{control-apl: 0, at-least: 3}]"


@pytest.mark.parametrize(("steady", "apl"), [("", 2), (STEADY, 3)])
def test_what_all_count_less_together_is_counted_last(steady: str, apl: int) -> None:
    dread = (
        "name: Dread, kind: faction, on: control(marker), who: friend, do: [{control-apl: -1, total: true, who: {is: "
    )
    made = pair(f"{dread}enemy, that: [{{within: 9, of: friend}}]}}}}]")
    made._rules = (*made._rules, *(said(steady, side="blue") if steady else ()))
    made.marker("m", (9, 6))
    battle = made.battle()
    c = battle.state.operatives["c"]
    found = 2
    for rule in battle.having("control_apl"):
        found = rule.control_apl(battle, c, battle.state.markers["m"], found)
    assert found == apl - 1


# -- a counteraction is no activation ----------------------------------------------------------------


@pytest.mark.rule("KT24-COUNTERACT")
@pytest.mark.parametrize(("kind", "cost"), [("activation", 0), ("counteraction", 1)])
def test_once_per_activation_is_not_in_a_counteraction(kind: str, cost: int) -> None:
    made = pair("of: a, name: Deft, on: always, limit: once per activation, do: [{ap-cost: -1, actions: [Shoot]}]")
    game = made.game(acting("a", kind=kind))
    assert game.battle.ap_cost(game.state.operatives["a"], Shoot()) == cost


@pytest.mark.rule("KT24-COUNTERACT")
@pytest.mark.parametrize(("kind", "wounds"), [("activation", 9), ("counteraction", 8)])
def test_the_end_of_a_counteraction_is_no_end_of_an_activation(kind: str, wounds: int) -> None:
    made = pair("of: a, name: Rest, on: activation-ended, do: [{heal: 1}]")
    made.state.operatives["a"].wounds = 8

    def procedure(battle: Battle) -> Steps[None]:
        yield from acting("a", kind=kind)(battle)
        for rule in battle.in_turn("activation_ends"):
            yield from rule.activation_ends(battle, battle.state.operatives["a"])

    assert who(made.play(procedure), "a").wounds == wounds


# -- fighting in somebody else's activation ----------------------------------------------------------

FEAST = "of: b, name: Feast, on: incapacitates, if: [{did: [fighting, retaliating], during: sequence}], do: [{heal: 3}]"
URGE = (
    "of: a, name: Urge, action: 1AP, on: used, do: [{pick: friend, other: true}, {free-action: [Fight], who: picked}]"
)


@pytest.mark.parametrize(("killer", "wounds"), [("b", 8), ("a", 5)])
def test_who_fights_in_the_activation_of_another_is_fighting(killer: str, wounds: int) -> None:
    made = ground(FEAST, URGE).add("a", "red", (4, 5), melee()).add("b", "red", (6, 5), melee())
    made.add("c", "blue", (5, 5.9), wounds=3)
    made.state.operatives["b"].wounds = 5

    def procedure(battle: Battle) -> Steps[None]:
        a = battle.state.operatives["a"]
        yield ActivationBegan("a", "activation", "engage", 2)
        urge = next(each for each in battle.actions(a) if each.name == "Urge")
        yield from perform(battle, a, urge if killer == "b" else Fight(), 1)

    dice = [(6, 1, 1, 1), (1, 1, 1, 1)]
    game = made.play(procedure, Answers(dice, {"resolve": []}))
    assert who(game, "c").is_removed
    assert who(game, "b").wounds == wounds
