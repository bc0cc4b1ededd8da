"""The first time somebody would be incapacitated, where several fall in one action. All texts are invented."""

from __future__ import annotations

import pytest
from engine_help import Answers, Field, melee, ranged, story
from language_help import ground

from ktsim.game.game import Game
from ktsim.rules.engine.activation import perform, remove_incapacitated
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan, Survived, Wounded
from ktsim.rules.kt24.shoot import Shoot

SPLINT = "of: m, name: Splint, on: dying, who: {is: friend, other: true}, if: [{within: 4, of: self}, {first-time: "
SPLINT += "turning-point}], may: true, do: [{survive: 1}]"
HIT, MISS = (5, 5, 5, 5), (1, 1, 1)


def ward(says: str = SPLINT, y: float = 6.5) -> Field:
    """M looks after X and Y of red; a blast at Y catches X."""
    made = ground(says, cp=1).add("m", "red", (1.5, 5)).add("x", "red", (5, 5), wounds=2)
    made.add("y", "red", (5, y), wounds=2)
    return made.add("e", "blue", (14, 5), ranged('Blast 2"', damage=(5, 7)), melee())


def blasted(made: Field, *answers: str, target: str = "y") -> tuple[Game, list[str]]:
    """The game after the blast, and whom rules were asked about."""
    given = Answers([HIT, MISS, HIT, MISS], {"target": target, "team option": list(answers)})
    game = made.play(_shooting, given)
    return game, [each.topic for each in given.asked if each.topic == "team option"]


def _shooting(battle: Battle) -> Steps[None]:
    yield ActivationBegan("e", "activation", "engage", 2)
    yield from perform(battle, battle.state.operatives["e"], Shoot(), 1)


def left(game: Game) -> list[int]:
    return [game.state.operatives[id].wounds for id in "xy"]


@pytest.mark.parametrize(("target", "wounds"), [("y", [0, 1]), ("x", [1, 0])])
def test_the_first_who_falls_is_the_first_who_would_be_incapacitated(target: str, wounds: list[int]) -> None:
    game, asked = blasted(ward(), "yes", target=target)
    assert left(game) == wounds
    assert len(asked) == 1
    assert {each.fell for each in game.state.operatives.values()} == {0}


def test_whoever_lets_the_first_time_pass_has_let_it_pass() -> None:
    game, asked = blasted(ward(), "no")
    assert left(game) == [0, 0]
    assert len(asked) == 1, "what happens is the first, not what is used"


def test_what_the_rule_is_not_about_is_no_first_time() -> None:
    """Y falls first, but too far from M."""
    game, asked = blasted(ward(y=6.9, says=SPLINT.replace("within: 4", "within: 2.6")), "yes")
    assert left(game) == [1, 0]
    assert len(asked) == 1


def test_without_a_first_time_each_is_asked_about() -> None:
    game, asked = blasted(ward(SPLINT.replace(", {first-time: turning-point}", "")), "no", "yes")
    assert left(game) == [1, 0], "Y, who fell first, was the first to be asked about"
    assert len(asked) == 2


@pytest.mark.parametrize("order", ["xy", "yx"])
def test_they_are_incapacitated_in_the_order_in_which_they_fell(order: str) -> None:
    made = ward("of: nobody, name: Nothing, on: activated, do: [{heal: 1}]")

    def procedure(battle: Battle) -> Steps[None]:
        for id in order:
            yield Wounded(id, 2, "a test", "e")
        yield from remove_incapacitated(battle)

    game = made.play(procedure)
    assert [each[0].lower() for each in story(game) if "incapacitated" in each] == list(order)
    assert {each.fell for each in game.state.operatives.values()} == {0}, "nobody lies there any more"


def test_whoever_falls_again_falls_last() -> None:
    made = ward("of: nobody, name: Nothing, on: activated, do: [{heal: 1}]")

    def procedure(battle: Battle) -> Steps[None]:
        yield Wounded("x", 2, "a test", "e")
        yield Wounded("y", 2, "a test", "e")
        yield Survived("x", 1, "a test")
        yield Wounded("x", 1, "a test", "e")
        yield Wounded("y", 5, "a test", "e")
        yield from remove_incapacitated(battle)

    game = made.play(procedure)
    assert [each[0].lower() for each in story(game) if "is incapacitated" in each] == ["y", "x"]
