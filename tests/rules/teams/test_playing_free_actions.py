"""Actions performed for free are actions: what an action sets off comes about after them too."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import Answers, Field, at, melee, ranged
from language_help import gambit, said
from team_help import who

from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan

HURRY = "id: hurry, name: Hurry, ploy: strategy, cost: 0, do: [{pick: friend}, {free-action: [Dash], who: picked}]"
LEAP = "of: a, name: Leap, action: 1AP, do: [{free-action: [Dash], who: self}]"
AFTER = "name: After, on: done(Dash), who: friend, do: [{damage: 2}]"
DASHED: dict[str, Any] = {"free action": "Dash", "move": (at(5, 5),)}


def pair(*written: str, theirs: tuple[str, ...] = ()) -> Field:
    made = Field(*said(*written), *said(*theirs, side="blue")).add("a", "red", (3, 5), ranged(), melee())
    return made.add("c", "blue", (12, 5), ranged(), melee())


def leaps(made: Field, **choose: Any) -> Any:
    def procedure(battle: Battle) -> Steps[None]:
        one = battle.state.operatives["a"]
        yield ActivationBegan("a", "activation", one.order, 2)
        yield from perform(battle, one, next(each for each in battle.actions(one) if each.name == "Leap"), 1)

    return made.play(procedure, Answers(choose.pop("dice", ()), choose))


@pytest.mark.rule("KT24-ACTIVATE")
def test_a_free_action_between_others_sets_off_what_an_action_does() -> None:
    def wounds(after: str) -> int:
        return who(gambit(pair(HURRY, after), "hurry", **DASHED), "a").wounds

    assert wounds(AFTER) == 8
    assert wounds(AFTER.replace("Dash", "Fight")) == wounds(AFTER.replace("friend", "enemy")) == 10


def test_a_free_action_within_another_does_so_too() -> None:
    game = leaps(pair(LEAP, AFTER), **DASHED)
    assert who(game, "a").wounds == 8
    assert game.state.activation.actions == ["Leap", "Dash"]
    before = "name: X, on: doing(Dash), who: enemy, do: [{damage: 3}]"
    assert who(leaps(pair(LEAP, theirs=(before,)), **DASHED), "a").wounds == 7
    assert who(leaps(pair(LEAP, AFTER), **{"free action": "none"}), "a").wounds == 10


def test_what_a_rule_sets_off_does_not_set_off_the_rule() -> None:
    again = "of: a, name: Again, on: done(Dash), do: [{free-action: [Dash], regardless: true}]"
    game = leaps(pair(LEAP, again), **{"free action": ["Dash", "Dash"], "move": [(at(5, 5),), (at(7, 5),)]})
    assert game.state.activation.actions == ["Leap", "Dash", "Dash"]


def test_a_free_action_that_is_forbidden_is_not_performed_and_costs_nothing() -> None:
    stop = "id: stop, name: Stop, ploy: firefight, cost: 0, on: doing(Dash), who: enemy, do: [cancel]"
    game = leaps(pair(LEAP, theirs=(stop,)), ploy="stop#0", **{"free action": "Dash"})
    assert who(game, "a").point == at(3, 5)
    assert (game.state.activation.ap_spent, game.state.activation.actions) == (1, ["Leap"])
    assert who(leaps(pair(LEAP, theirs=(stop,)), ploy="no", **DASHED), "a").point == at(5, 5)


def test_who_falls_to_a_free_shot_is_removed_after_the_whole_action() -> None:
    """Between actions the shot is one itself; within another the target stands until that is over."""
    fire = HURRY.replace("Dash", "Shoot")
    made = pair(fire)
    made.state.operatives["c"].wounds = 1
    shot: dict[str, Any] = {"free action": "Shoot", "dice": [(6,) * 4, (1,) * 3]}
    assert not who(gambit(made, "hurry", **shot), "c").is_in_killzone
    both = "[{free-action: [Shoot], who: self}, {heal: 1, who: self}]"
    says = LEAP.replace("[{free-action: [Dash], who: self}]", both)
    seen = "name: Seen, on: done(Shoot), who: friend, if: [{exists: {is: enemy}}], do: [{damage: 2}]"
    for wounds, left in ((1, 10), (40, 9)):  # whoever is incapacitated is no enemy in the killzone any more
        made = pair(says, seen)
        made.state.operatives["c"].wounds = wounds
        game = leaps(made, **{"free action": "Shoot", "dice": [(6,) * 4, (1,) * 3]})
        assert who(game, "c").is_in_killzone == (wounds > 1)
        assert who(game, "a").wounds == left
