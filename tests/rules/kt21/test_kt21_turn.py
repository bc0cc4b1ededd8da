"""The course of a 2021 game: set-up, the three phases, activations, Overwatch."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from engine_help import RIFLE, Answers, Field, at, melee, ranged, story

from ktsim.game.game import Game
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.activation import activate
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy, PloyEffect
from ktsim.rules.engine.decisions import Pick, Steps, Walk
from ktsim.rules.engine.events import PhaseBegan
from ktsim.rules.engine.placed import outline_of
from ktsim.rules.engine.state import Effect, PieceState
from ktsim.rules.engine.turn import gambit
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt21.missions import LiteSkirmish
from ktsim.rules.kt21.set_up import DISTANCES, refuses_barricade
from ktsim.rules.kt21.turn import firefight, initiative

LITE = Setup(edition="kt21-lite", board="open", table="plain")


def until(game: Game, topic: str, choose: dict[str, Any] | None = None) -> Game:
    """Play on at random, but as *choose* says, until something of *topic* is asked."""
    rng = Random(1)
    while game.pending is not None and game.pending.topic != topic:
        wanted = (choose or {}).get(game.pending.topic)
        game.submit(game.pending.sample(rng) if wanted is None else wanted)
    return game


def set_up_done() -> Game:
    game = until(new_game(LITE), "edge")
    game.submit("west")
    while game.pending is not None and game.state.phase == "set-up":
        game.submit(game.pending.sample(Random(len(game.answers))))
    return game


# -- set-up ------------------------------------------------------------------------------------------


@pytest.mark.rule("KT21-SETUP")
def test_the_defender_selects_an_edge_and_the_attacker_has_the_other() -> None:
    game = until(new_game(LITE), "defender")
    assert game.pending is not None
    winner = game.pending.seat
    game.submit("blue" if winner == "red" else "red")
    defender = "blue" if winner == "red" else "red"
    assert game.pending.seat == defender
    assert isinstance(game.pending, Pick)
    assert game.pending.open_keys == ["west", "east", "south", "north"]
    game.submit("north")
    assert game.battle.drop_zone(defender) == ((0, 19.0), (30.0, 19.0), (30.0, 22.0), (0, 22.0))  # type: ignore[arg-type]
    assert game.battle.drop_zone(winner) == ((0, 0), (30.0, 0), (30.0, 3.0), (0, 3.0))  # type: ignore[arg-type]


@pytest.mark.rule("KT21-SETUP")
def test_four_barricades_alternate_defender_first() -> None:
    game = set_up_done()
    defender = game.state.choices["defender"]
    attacker = "blue" if defender == "red" else "red"
    assert [piece.side for piece in game.state.pieces.values()] == [defender, attacker, defender, attacker]
    for piece in game.state.pieces.values():
        low, high = outline_of(piece).min(axis=0), outline_of(piece).max(axis=0)
        assert (low[0] <= 9 + 1e-6) if piece.side == defender else (high[0] >= 21 - 1e-6), "3 + 6 inches from the edge"
        assert max(high - low) <= 2.01


@pytest.mark.rule("KT21-SETUP")
def test_where_a_barricade_may_stand() -> None:
    game = until(new_game(LITE), "edge")
    game.submit("west")
    side = game.battle.state.choices["defender"]

    def refused(x: float, y: float, level: int = 0) -> str | None:
        piece = PieceState("new", "barricade", side, round(1000 * x), round(1000 * y), level, 90_000)  # type: ignore[arg-type]
        return refuses_barricade(game.battle, piece)

    assert refused(8.9, 11) is None
    assert refused(9.09, 11) is None, "within, not wholly within"
    assert refused(9.11, 11) == 'It would not be within 6" of its drop zone.'
    assert refused(5, 0.9) == "It would not be on the board."
    assert refused(5, 11, 3000) == "It is set up on the killzone floor."
    assert (DISTANCES.drop_zone, DISTANCES.barricade_reach, DISTANCES.barricades) == (3, 6, 4)


@pytest.mark.rule("KT21-SETUP")
def test_the_defender_sets_everybody_up_first_each_with_an_order() -> None:
    game = until(new_game(LITE), "edge")
    game.submit("west")
    until(game, "set up")
    assert game.pending is not None
    defender = game.state.choices["defender"]
    count = sum(who.side == defender for who in game.state.operatives.values())
    seats, orders = [], []
    while game.pending is not None and game.state.phase == "set-up":
        topic = game.pending.topic
        answer = game.pending.sample(Random(len(seats)))
        if topic == "set up":
            seats.append(game.pending.seat)
            assert game.pending.check(at(15, 11)).endswith("would not be wholly within the drop zone.")  # type: ignore[union-attr]
        elif topic == "order":
            answer = ("engage", "conceal")[len(orders) % 2]
            orders.append(answer)
        game.submit(answer)
    assert seats[:count] == [defender] * count
    assert defender not in seats[count:]
    given = Counter(who.order for who in game.state.operatives.values() if who.side == defender)
    assert given == Counter(orders[:count])


# -- phases ------------------------------------------------------------------------------------------


@pytest.mark.rule("KT21-TP")
def test_four_turning_points_of_three_phases() -> None:
    game = new_game(LITE)
    rng = Random(4)
    while game.pending is not None:
        game.submit(game.pending.sample(rng))
    phases = [(e.turning_point, e.phase) for e in game.events if isinstance(e, PhaseBegan)]
    wanted = ["initiative", "strategy", "firefight", "turn-end"]
    assert phases == [(turning_point, phase) for turning_point in (1, 2, 3, 4) for phase in wanted]
    assert game.state.phase == "over"


def lite(*more: Any) -> Field:
    return Field(*more, edition=KT21, mission=LiteSkirmish()).add("a", "red", (3, 3)).add("b", "blue", (15, 3))


def in_phase(phase: str, turning_point: int = 1, **more: Any) -> Field:
    field = lite()
    field.state.phase, field.state.turning_point = phase, turning_point  # type: ignore[assignment]
    for name, value in more.items():
        setattr(field.state, name, value)
    return field


@pytest.mark.rule("KT21-INIT")
def test_everybody_is_ready_and_the_higher_die_decides() -> None:
    field = in_phase("initiative", initiative=None)
    for who in field.state.operatives.values():
        who.is_ready = False
    game = field.play(initiative, Answers([(2,), (5,)], {"initiative": "red"}))
    assert game.state.initiative == "red", "blue won and gave it away"
    assert all(who.is_ready for who in game.state.operatives.values())


@pytest.mark.rule("KT21-INIT")
def test_ties() -> None:
    game = in_phase("initiative", initiative=None).play(initiative, Answers([(3,), (3,), (4,), (1,)]))
    assert game.state.initiative == "red", "the first is rolled again"
    game = in_phase("initiative", 2, initiative="red").play(initiative, Answers([(3,), (3,)]))
    assert game.state.initiative == "blue", "who did not have it has it, and nobody is asked"


@pytest.mark.rule("KT21-CP")
def test_two_cp_at_the_start_and_one_each_strategy_phase() -> None:
    game = set_up_done()
    assert game.state.cp == {"red": 2, "blue": 2}
    until(game, "gambit")
    assert game.state.cp == {"red": 3, "blue": 3}


@pytest.mark.rule("KT21-CP")
def test_ploys_alternate_until_both_pass_and_each_once_per_turning_point() -> None:
    field = in_phase("strategy", cp={"red": 5, "blue": 5})
    field.ploys["red"] = (
        Ploy("one", "One", "strategy", 1, "One.", (PloyEffect("Balanced", "ranged"),)),
        Ploy("two", "Two", "strategy", 1, "Two."),
    )

    def strategy(battle: Battle) -> Steps[None]:
        while battle.state.phase == "strategy":
            yield from gambit(battle)

    game = field.game(strategy)
    assert game.pending is not None
    assert (game.pending.seat, game.pending.prompt) == ("red", "Use a strategic ploy?")
    game.submit("one")
    assert game.pending is not None
    assert game.pending.seat == "red", "blue has nothing to use and passes"
    assert game.pending.check("one") == "One: already used in this turning point."
    game.submit("two")
    assert game.state.phase == "firefight", "red has nothing left: both passed in succession"
    assert game.state.cp == {"red": 3, "blue": 5}


@pytest.mark.rule("KT21-CP")
def test_command_rerolls_as_often_as_there_is_cp() -> None:
    field = lite()
    field.state.cp = {"red": 2, "blue": 0}
    answers = Answers(
        [(1, 1, 3, 3), (4,), (4,), (1, 1, 1)],
        {
            "action": ["Shoot", "Pass"],
            "reroll": ["Command Re-roll 1", "Command Re-roll 1"],
        },
    )
    game = field.play(lambda battle: activate(battle, "red"), answers)
    assert game.state.cp["red"] == 0
    assert game.state.operatives["b"].is_incapacitated


# -- activations -------------------------------------------------------------------------------------


@pytest.mark.rule("KT21-ACTIVATE")
def test_in_the_first_turning_point_the_order_stands() -> None:
    field = lite()
    field.state.operatives["a"].order = "conceal"
    answers = Answers(choose={"action": ["Pass", "Pass"]})
    field.play(lambda battle: activate(battle, "red"), answers)
    assert "order" not in answers.topics
    field = lite()
    field.state.turning_point = 2
    answers = Answers(choose={"order": "conceal", "action": ["Pass", "Pass"]})
    game = field.play(lambda battle: activate(battle, "red"), answers)
    assert game.state.operatives["a"].order == "conceal"


@pytest.mark.rule("KT21-ACTIVATE")
def test_pass_may_be_repeated_other_actions_may_not() -> None:
    game = lite().add("far", "red", (3, 20), apl=3, is_ready=False).game(lambda battle: activate(battle, "red"))
    assert isinstance(game.pending, Pick)
    game.submit("Dash")
    assert isinstance(game.pending, Walk)
    game.submit((at(4, 4),))
    assert isinstance(game.pending, Pick)
    assert game.pending.check("Dash") == "Dash: already performed in this activation."
    game.submit("Pass")
    assert game.pending is None, "all AP are spent"
    assert not game.state.operatives["a"].is_ready


@pytest.mark.rule("KT21-ACTIVATE")
def test_ap_are_those_generated_at_the_start() -> None:
    """A loss of APL during the activation does not take AP that were generated already."""
    field = lite()
    game = field.game(lambda battle: activate(battle, "red"))
    game.state.effects.append(Effect("Daze", "KT21-W-STUN", "activation", "a", stat="apl", amount=-1))
    who = game.state.operatives["a"]
    assert game.battle.apl(who).value == 1
    game.submit("Pass")
    assert game.battle.ap_left(who) == 1
    game.submit("Pass")
    assert game.state.effects == [], "it lasts until the end of the present activation"
    field = lite()
    field.state.effects.append(Effect("Daze", "KT21-W-STUN", "activation", "a", stat="apl", amount=-1))
    game = field.game(lambda battle: activate(battle, "red"))
    game.submit("Pass")
    assert game.pending is None, "one that was there before does"


@pytest.mark.rule("KT21-ACTIVATE")
def test_players_alternate_and_all_are_activated() -> None:
    field = lite().add("c", "red", (3, 8))
    game = field.game(lambda battle: firefight_until_over(battle))
    seats = []
    while game.pending is not None:
        if game.pending.topic == "action":
            seats.append(game.pending.seat)
            game.submit("Pass")
        else:
            game.submit({"activate": "c", "overwatch": "none"}[game.pending.topic])
    assert seats == ["red", "red", "blue", "blue", "red", "red"]


def firefight_until_over(battle: Battle) -> Steps[None]:
    while battle.state.phase == "firefight":
        yield from firefight(battle)


# -- Overwatch ---------------------------------------------------------------------------------------


def waiting(*weapons: Any, **more: Any) -> Field:
    """Red has nobody ready, blue has B and C; it is red's turn."""
    kit = weapons or (RIFLE, melee())
    field = Field(edition=KT21, mission=LiteSkirmish()).add("a", "red", (3, 3), *kit, **{"is_ready": False, **more})
    return field.add("b", "blue", (10, 3)).add("c", "blue", (20, 15))


@pytest.mark.rule("KT21-OVERWATCH")
def test_overwatch_shoots_with_worse_bs() -> None:
    game = waiting().play(firefight, Answers([(3, 4, 4, 1), (1, 1, 1)], {"overwatch": "a", "target": "b"}))
    assert game.state.operatives["b"].wounds == 4, "the 3 misses"
    assert game.state.turn == "blue"
    assert "A: BS 4+ instead of 3+ (Overwatch). [KT21-OVERWATCH]" in story(game)


@pytest.mark.rule("KT21-OVERWATCH")
def test_overwatch_is_no_activation() -> None:
    field = waiting()
    field.state.effects.append(Effect("Daze", "KT21-W-STUN", "activation", "a", stat="apl", amount=-1))
    game = field.play(firefight, Answers([(1, 1, 1, 1), (1, 1, 1)], {"overwatch": "a", "target": "b"}))
    assert len(game.state.effects) == 1, "what lasts until an activation ends goes on"
    assert game.state.activation is None


@pytest.mark.rule("KT21-OVERWATCH")
def test_once_per_turning_point() -> None:
    field = waiting()
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"overwatch": "a", "target": "b"})
    game = field.play(firefight, answers)
    field.state = game.state
    field.state.turn = "red"
    assert field.play(firefight).state.turn == "blue", "nothing is asked: A has done it"


@pytest.mark.rule("KT21-OVERWATCH")
@pytest.mark.parametrize("more", [{"order": "conceal"}, {"weapons": (melee(),)}, {"weapons": (ranged("Unwieldy"),)}])
def test_who_cannot_perform_overwatch(more: dict[str, Any]) -> None:
    answers = Answers()
    waiting(*more.pop("weapons", ()), **more).play(firefight, answers)
    assert answers.asked == []


@pytest.mark.rule("KT21-OVERWATCH")
def test_not_in_engagement_range() -> None:
    field = waiting()
    field.state.operatives["b"].x = 5000
    answers = Answers()
    field.play(firefight, answers)
    assert answers.asked == []
    field.state.operatives["b"].x = 5010
    field.state.turn = "red"
    field.play(firefight, Answers(choose={"overwatch": "none"}))


@pytest.mark.rule("KT21-OVERWATCH")
def test_only_with_nobody_ready_while_the_opponent_has_somebody() -> None:
    game = waiting(is_ready=True).game(firefight)
    assert game.pending is not None
    assert game.pending.topic == "action", "A is activated instead"
    field = waiting()
    for id in ("b", "c"):
        field.state.operatives[id].is_ready = False
    game = field.play(firefight)
    assert game.state.phase == "turn-end"


@pytest.mark.rule("KT21-OVERWATCH")
def test_overwatch_without_a_target_is_not_used_up() -> None:
    field = waiting()
    for id in ("b", "c"):
        field.table.rulings[("a", id)] = {"is_visible": False}
    game = field.play(firefight, Answers(choose={"overwatch": "a"}))
    assert not game.state.operatives["a"].has_counteracted
