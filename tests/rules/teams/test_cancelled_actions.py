"""What begins to hold as an action begins is part of it, and is cancelled with it. All texts are invented."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, at, melee, ranged
from language_help import ground, said

from ktsim.game.game import Game
from ktsim.rules.engine.activation import free_action, perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import CANCEL, Steps
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.kt24.moves import Charge, Dash

GALLOP = "of: a, name: Gallop, on: doing(Charge), do: [{grant: [Brutal]}], until: activation"
MAY = GALLOP.replace("do:", "may: true, do:")
PAID = "name: Gallop, ploy: firefight, cost: 1, on: doing(Charge), who: friend, do: [{grant: [Brutal]}]"
PAID += ", until: activation"
ONCE = GALLOP.replace("do:", "limit: once per battle, do:")
BRIAR = "of: e, name: Briar, on: doing(Charge), who: enemy, do: [{damage: 2}]"
AWAY, THERE = CANCEL, (at(10.7, 5),)


def field(*written: str, theirs: tuple[str, ...] = ()) -> Field:
    made = ground(*written, cp=1)
    made._rules = (*made._rules, *said(*theirs, side="blue"))
    return made.add("a", "red", (5, 5), ranged(), melee(), apl=3).add("e", "blue", (12, 5), melee())


def charging(made: Field, *moves: Any, is_free: bool = False, **choose: Any) -> Game:
    def procedure(battle: Battle) -> Steps[None]:
        who = battle.state.operatives["a"]
        yield ActivationBegan("a", "activation", "engage", 3)
        for _ in moves:
            with battle.amid(is_free):
                yield from free_action(battle, who, Charge()) if is_free else perform(battle, who, Charge(), 1)

    return made.play(procedure, Answers(choose={"move": list(moves), **choose}))


def has_brutal(game: Game) -> bool:
    who, foe = game.state.operatives["a"], game.state.operatives["e"]
    weapon = next(each for each in game.battle.weapons(who) if each.kind == "melee")
    return "Brutal" in [rule.text for rule in game.battle.weapon_rules(who, weapon, foe)]


@pytest.mark.rule("KT24-CANCEL")
@pytest.mark.parametrize("is_free", [True, False])
@pytest.mark.parametrize("says", [GALLOP, MAY, ONCE])
def test_what_begins_with_an_action_is_cancelled_with_it(says: str, is_free: bool) -> None:
    used: Any = {"ploy": "gallop#0 a"} if says == MAY else {}
    assert not has_brutal(charging(field(says), AWAY, is_free=is_free, **used))
    assert has_brutal(charging(field(says), THERE, is_free=is_free, **used))
    again: Any = {"ploy": ["gallop#0 a"] * 2} if says == MAY else {}
    assert has_brutal(charging(field(says), AWAY, THERE, is_free=is_free, **again)), "nothing was used up"


def test_an_optional_rule_that_is_declined_does_not_begin() -> None:
    assert not has_brutal(charging(field(MAY), THERE, ploy="no"))


def test_a_ploy_used_before_it_stays_used() -> None:
    game = charging(field(PAID), AWAY, ploy="gallop#0")
    assert game.state.cp["red"] == 0


@pytest.mark.parametrize("move", [AWAY, THERE])
def test_what_has_happened_by_an_enemy_before_it_has_happened(move: Any) -> None:
    assert charging(field(theirs=(BRIAR,)), move).state.operatives["a"].wounds == 8


def test_what_another_action_begins_is_not_begun() -> None:
    made = field(GALLOP)
    game = made.act("a", Dash(), choose={"move": [(at(6, 5),)]})
    assert not has_brutal(game)


def test_a_rule_of_two_that_is_used_up_by_the_first_does_not_begin_for_the_second() -> None:
    """Each of two may have a friend gain it, once in a turning point for the team."""
    says = "name: Cheer, on: doing(Charge), who: {is: friend, other: true}, limit: once per turning-point, may: true,"
    says += " do: [{grant: [Brutal]}], until: activation"
    made = field(f"of: b, {says}", f"of: c, {says}").add("b", "red", (3, 8)).add("c", "red", (3, 10))
    game = charging(made, THERE, ploy=["cheer#0 b", "cheer#0 c"])
    assert has_brutal(game)
    assert len([each for each in game.state.effects if each.clause.startswith("cheer#0/")]) == 1
