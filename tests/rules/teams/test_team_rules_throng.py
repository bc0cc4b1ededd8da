"""Brine Throng: every ability and ploy, and the case just outside it."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, acting, at, melee, ranged
from team_help import action, does, doing, field, offered, rule, who

from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import activate, activation, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.fight.combat import assisting
from ktsim.rules.engine.operative_events import ActivationBegan, Wounded
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import Activation
from ktsim.rules.kt24.fight import Fight
from ktsim.rules.kt24.moves import FallBack
from ktsim.rules.kt24.shoot import Shoot


@pytest.mark.parametrize(("side", "names"), [("red", ["C"]), ("blue", [])])
def test_press_of_bodies(side: Any, names: list[str]) -> None:
    made = field(rule("press-of-bodies", side)).add("a", "red", (3, 5)).add("c", "red", (7, 5))
    made.add("b", "blue", (5, 5)).add("d", "blue", (9, 5))
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    assert [friend.name for friend in assisting(battle, a, b)] == names


def test_press_of_bodies_still_needs_to_be_near() -> None:
    made = field(rule("press-of-bodies")).add("a", "red", (3, 5)).add("c", "red", (7.1, 5)).add("b", "blue", (5, 5))
    battle = made.battle()
    assert list(assisting(battle, battle.state.operatives["a"], battle.state.operatives["b"])) == []


def test_call_the_tide_two_of_those_near() -> None:
    made = field(rule("call-the-tide", "red", "a")).add("a", "red", (3, 5))
    for number, id in enumerate("bcd"):
        made.add(id, "red", (5, 7 + 2 * number))
    made.add("far", "red", (15, 5))
    choose = {"operatives picked": [("c", "b")], "move": [(at(7, 9),), (at(7, 7),)]}
    answers = Answers(choose=choose)
    game = made.play(doing("a", "Call the Tide"), answers)
    assert [who(game, id).x for id in "bcd"] == [7000, 7000, 5000]
    [asked] = [d for d in answers.asked if d.topic == "operatives picked"]
    assert [o.key for o in asked.options] == ["b", "c", "d"]  # type: ignore[attr-defined]
    assert asked.check(("b", "c", "d")) is not None


def test_burrow_changes_the_order() -> None:
    made = field(rule("burrow")).add("a", "red", (3, 5)).add("b", "blue", (20, 5))
    game = does(made, "a", "Burrow")
    assert who(game, "a").order == "conceal"
    why = refuses(game.battle, who(game, "a"), action(game.battle, "a", "Burrow"))
    assert why == "Burrow: only on an Engage order."


@pytest.mark.parametrize(("card", "why"), [("b", "Fall Back: Tangled."), ("other", None)])
def test_tangled(card: str, why: str | None) -> None:
    battle = field(rule("tangled", "blue", card)).add("a", "red", (3, 5)).add("b", "blue", (5, 5)).battle()
    assert refuses(battle, battle.state.operatives["a"], FallBack()) == why
    assert refuses(battle, battle.state.operatives["b"], FallBack()) is None


@pytest.mark.parametrize(("wounds", "enemy", "after"), [(4, 3, 7), (9, 3, 10), (4, 4, 4)])
def test_drinks_deep_when_the_enemy_falls(wounds: int, enemy: int, after: int) -> None:
    made = field(rule("drinks-deep", "red", "a"), cp=0).add("a", "red", (3, 5), melee(atk=1))
    made.add("b", "blue", (5, 5), melee(atk=1), wounds=enemy)
    made.state.operatives["a"].wounds = wounds
    game = made.act("a", Fight(), dice=[(5,), (1,)], choose={"resolve": "strike n"})
    assert who(game, "a").wounds == after


@pytest.mark.parametrize(("used", "x", "is_obscured"), [(True, 12.1, True), (True, 12.0, False), (False, 12.1, False)])
def test_sea_fret(used: bool, x: float, is_obscured: bool) -> None:
    made = field(rule("sea-fret", "blue")).add("a", "red", (3, 5)).add("b", "blue", (x, 5))
    made.state.ploys_used = ["blue:sea-fret"] if used else []
    battle = made.battle()
    a, b = battle.state.operatives["a"], battle.state.operatives["b"]
    assert rule_on(battle, a, b, ()).is_obscured == is_obscured
    assert not rule_on(battle, b, a, ()).is_obscured


@pytest.mark.rule("KT24-PREC")
@pytest.mark.parametrize(("sounder", "throng"), [("red", "blue"), ("blue", "red")])
def test_hollow_places_say_cannot_and_prevail_whoever_is_red(sounder: Any, throng: Any) -> None:
    rules = [rule("hollow-places", sounder, "a"), rule("sea-fret", throng)]
    for ordered in (rules, rules[::-1]):
        made = field(*ordered).add("a", sounder, (3, 5)).add("b", throng, (13, 5)).add("c", sounder, (3, 9))
        made.state.ploys_used = [f"{throng}:sea-fret"]
        battle = made.battle()
        a, b, c = (battle.state.operatives[id] for id in "abc")
        assert not rule_on(battle, a, b, ()).is_obscured
        assert rule_on(battle, c, b, ()).is_obscured, "not of its datacard"


@pytest.mark.rule("KT24-SAMEFEATURE")
@pytest.mark.parametrize(("used", "chooses"), [(True, False), (False, True)])
def test_sea_fret_obscures_beside_the_terrain_that_gives_cover(used: bool, chooses: bool) -> None:
    made = field(rule("sea-fret", "blue")).add("a", "red", (3, 5)).add("b", "blue", (13, 5))
    made.state.ploys_used = ["blue:sea-fret"] if used else []
    made.table.rulings["a", "b"] = {"in_cover": True, "is_obscured": True, "defender_chooses": True}
    battle = made.battle()
    ruling = rule_on(battle, battle.state.operatives["a"], battle.state.operatives["b"], ())
    assert (ruling.in_cover, ruling.is_obscured, ruling.defender_chooses) == (True, True, chooses)


@pytest.mark.rule("KT24-SIMUL")
@pytest.mark.parametrize("initiative", ["red", "blue"])
def test_the_player_with_initiative_says_who_has_fallen_first(initiative: Any) -> None:
    made = field(rule("over-the-fallen", "red"), rule("over-the-fallen", "blue"))
    made.add("a", "red", (3, 5), wounds=0).add("c", "red", (5, 5)).add("b", "blue", (20, 5), wounds=0)
    made.add("d", "blue", (22, 5))
    made.state.initiative = initiative
    answers = Answers(choose={"which first": "1 B", "ploy": "no"})
    made.play(remove_incapacitated, answers)
    assert (answers.asked[0].topic, answers.asked[0].seat) == ("which first", initiative)
    assert [d.seat for d in answers.asked if d.topic == "ploy"] == ["blue", "red"]
    made.state.cp["red"] = 0
    answers = Answers(choose={"ploy": "no"})
    made.play(remove_incapacitated, answers)
    assert answers.topics == ["ploy"], "only one of them matters"


@pytest.mark.parametrize(("x", "is_offered"), [(18.0, True), (18.1, False)])
def test_over_the_fallen(x: float, is_offered: bool) -> None:
    made = field(rule("over-the-fallen", "blue"), cp=0).add("a", "red", (3, 5))
    made.add("b", "blue", (14, 5), wounds=3).add("c", "blue", (x, 5))
    made.state.cp["blue"] = 1
    choose: dict[str, Any] = {"target": "b", "reroll": "keep"}
    choose |= {"ploy": "over-the-fallen#0", "move": (at(16, 5),)} if is_offered else {}
    game = made.play(acting("a", Shoot()), Answers([(3, 3, 1, 1), (1, 1, 1)], choose))
    assert who(game, "c").x == (16000 if is_offered else 18100)


@pytest.mark.rule("KT24-ACTIVATE")
@pytest.mark.parametrize(("first", "is_offered"), [("Dash", False), ("Reposition", True)])
def test_a_free_dash_is_no_second_dash_in_an_activation(first: str, is_offered: bool) -> None:
    """C is being activated when its friend falls."""
    made = field(rule("over-the-fallen"), cp=1).add("a", "red", (5, 5), wounds=1).add("c", "red", (7, 5))
    made.add("b", "blue", (20, 5))
    made.state.activation = Activation("c", "activation", 2, 1, [first], [first])

    def procedure(battle: Battle) -> Steps[None]:
        yield Wounded("a", 1, "test", "b")
        yield from remove_incapacitated(battle)

    choose: dict[str, Any] = {"ploy": "over-the-fallen#0", "move": (at(7, 6),)} if is_offered else {}
    answers = Answers(choose=choose)
    game = made.play(procedure, answers)
    assert ("ploy" in answers.topics) is is_offered
    assert who(game, "c").y == (6000 if is_offered else 5000)


def scrum(*rules: Any) -> Field:
    made = field(*rules, cp=0).add("a", "red", (3, 5), melee(atk=1)).add("b", "blue", (5, 5), melee(atk=1))
    made.add("c", "red", (5, 3)).add("d", "red", (5, 7)).add("e", "red", (12, 5))
    made.state.cp["red"] = 1
    return made


def test_drag_under_one_for_each_other_friend() -> None:
    made = scrum(rule("drag-under"))
    game = made.act("a", Fight(), dice=[(1,), (1,)], choose={"reroll": "keep", "ploy": "drag-under#0"})
    assert who(game, "b").wounds == 8


def test_drag_under_not_alone_and_not_when_fought() -> None:
    made = scrum(rule("drag-under"))
    for id, x in (("c", 9000), ("d", 16000)):
        made.state.operatives[id].x = x
    assert offered(made, acting("a", Fight()), Answers([(1,), (1,)], {"reroll": "keep"})) == []
    made = scrum(rule("drag-under"))
    answers = Answers([(1,), (1,)], {"reroll": "keep", "enemy": "a"})
    assert offered(made, acting("b", Fight()), answers) == []


@pytest.mark.parametrize(("x", "is_offered"), [(5.0, True), (5.1, False)])
def test_slip_away(x: float, is_offered: bool) -> None:
    made = field(rule("slip-away")).add("a", "red", (3, 5)).add("b", "blue", (x, 5))
    choose: dict[str, Any] = {"order": "engage", "action": ["Fall Back", "pass"] if is_offered else ["pass"]}
    choose |= {"ploy": "slip-away#0", "move": (at(3, 8),)} if is_offered else {}
    answers = Answers(choose=choose)
    game = made.play(lambda battle: activation(battle, battle.state.operatives["a"]), answers)
    assert ("ploy" in answers.topics) == is_offered
    if is_offered:
        assert who(game, "a").y == 8000
        assert game.battle.ap_cost(who(game, "a"), FallBack()) == 2, "it ends with the activation"


@pytest.mark.parametrize(("x", "is_offered"), [(7.0, True), (7.1, False)])
def test_wave_after_wave(x: float, is_offered: bool) -> None:
    made = (
        field(rule("wave-after-wave"), cp=1).add("a", "red", (3, 5)).add("c", "red", (x, 5)).add("b", "blue", (20, 5))
    )
    choose: dict[str, Any] = {
        "activate": "a",
        "order": ["engage"] * 2,
        "action": ["pass"] * 2,
        "ploy": "wave-after-wave#0",
    }
    if not is_offered:
        choose = {"activate": "a", "order": "engage", "action": "pass"}
    game = made.play(lambda battle: activate(battle, "red"), Answers(choose=choose))
    begun = [event.operative for event in game.events if isinstance(event, ActivationBegan)]
    assert begun == (["a", "c"] if is_offered else ["a"])
    assert who(game, "c").is_ready != is_offered


def test_wave_after_wave_needs_a_ready_friend() -> None:
    made = field(rule("wave-after-wave"), cp=1).add("a", "red", (3, 5)).add("c", "red", (6, 5), is_ready=False)
    answers = Answers(choose={"order": "engage", "action": "pass"})
    assert offered(made, lambda battle: activate(battle, "red"), answers) == []


def test_each_player_is_asked_about_its_own() -> None:
    made = field(rule("over-the-fallen", "red"), rule("over-the-fallen", "blue"), cp=1)
    made.add("a", "red", (3, 5), ranged('Blast 3"')).add("b", "blue", (14, 5), wounds=3)
    made.add("c", "red", (14, 7.3), wounds=3).add("d", "blue", (16, 8)).add("e", "red", (11, 8))
    answers = Answers(
        [(3, 3, 1, 1), (1, 1, 1)] * 2 + [(1, 1, 1, 1), (1, 1, 1)],
        {"target": "b", "reroll": ["keep"] * 6, "blast": "c"},
    )
    made.play(acting("a", Shoot()), answers)
    asked = [(d.seat, d.prompt) for d in answers.asked if d.topic == "ploy"]
    assert asked == [
        ("blue", "B is incapacitated: use a ploy?"),
        ("red", "C is incapacitated: use a ploy?"),
    ]
