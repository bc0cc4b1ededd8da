"""Bots answer everything, legally and the same way every time; the tactician beats random play."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from engine_help import PLAIN, Field, acting, hand, melee, ranged
from soak.invariants import Watch

from ktsim.cli import main
from ktsim.game.bots import BOTS, LEVELS, NonPlayer, Tactician, quick_answer, tactician
from ktsim.game.bots.estimates import best_resolution, exact_shot, quick_fight, quick_shot
from ktsim.game.bots.goals import goals_of, pull_of
from ktsim.game.bots.npo import DOING
from ktsim.game.bots.plans import Deliberation
from ktsim.game.bots.view import BattleView, Budget, end_of
from ktsim.game.game import Game
from ktsim.game.players import Player, Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.activation import activation
from ktsim.rules.engine.decisions import Decision, Option, Pick, PickSome, Roll
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import MarkerState
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.odds.sequences import Numbers, fight_odds, mean, shoot_odds
from ktsim.rules.teams.behaviour import BEHAVIOURS


def played(setup: Setup, red: Any, blue: Any, seed: str, watched: bool = False) -> Game:
    game = new_game(setup)
    players = {"red": red, "blue": blue, "chance": Sampler(f"{seed}/chance")}
    watch = Watch(game) if watched else None
    while game.pending is not None:
        game.submit(players[game.pending.seat].answer(game.pending, game))
        if watch is not None:
            watch.check()
    return game


# -- the register ------------------------------------------------------------------------------------


def test_every_bot_says_what_it_does() -> None:
    styles = ["commander-cautious", "commander-aggressive", "commander-objective"]
    assert list(BOTS) == ["random", "purposeful", "npo", "tactician", *styles, "commander"]
    for name, kind in BOTS.items():
        assert kind.name == name
        assert kind.text.endswith(".")
        assert hasattr(kind("seed", "easy", 1.0), "answer")


@pytest.mark.parametrize(("flag", "word"), [("--red-bot", "no such bot"), ("--blue-level", "no such level")])
def test_an_unknown_bot_or_level(flag: str, word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["sim", "--killzone", "open", "--table", "plain", flag, "deep-thought"]) == 2
    assert f"{flag}: {word} 'deep-thought'" in capsys.readouterr().err


# -- playing -----------------------------------------------------------------------------------------


def test_the_tactician_beats_random_play_and_keeps_the_rules() -> None:
    outcomes = []
    for number in range(4):
        bots = [Tactician(f"{number}"), Sampler(f"{number}")]
        setup = PLAIN if number < 2 else Setup(board="open", table="plain", red="keelwrights", blue="brine-throng")
        red, blue = bots if number % 2 == 0 else bots[::-1]
        game = played(setup, red, blue, str(number), watched=True)
        outcomes.append(game.outcome == ("red" if number % 2 == 0 else "blue"))
    assert sum(outcomes) >= 3


def test_the_same_seed_plays_the_same_game() -> None:
    one, two = (played(PLAIN, Tactician("a"), NonPlayer("b"), "c") for _ in range(2))
    assert one.digest() == two.digest()
    assert one.answers == two.answers


def test_a_hint_is_legal_and_changes_nothing_nor_depends_on_what_was_asked_before() -> None:
    game, chance = new_game(PLAIN), Random(3)
    asked = Tactician("a")
    while game.pending is not None and game.state.turning_point < 2:
        before = game.digest()
        fresh = Tactician("a")
        answer, words = asked.hint(game.pending, game)
        assert (answer, words) == fresh.hint(game.pending, game)
        assert game.pending.check(answer) is None
        assert words.endswith(".")
        assert game.digest() == before
        game.submit(game.pending.sample(chance))


@pytest.mark.parametrize("bot", [Tactician("a"), NonPlayer("a")])
def test_questions_a_bot_does_not_know(bot: Any) -> None:
    game = new_game(PLAIN)
    options = (Option("a", "A", "Not now."), Option("b", "B"))
    pick = Pick(seat="red", topic="never heard of", prompt="?", options=options)
    assert bot.answer(pick, game) == "b"
    usual = Pick(seat="red", topic="never heard of", prompt="?", options=(*options, Option("c", "C")), default="c")
    assert bot.answer(usual, game) == "c"
    some = PickSome(seat="red", topic="gear", prompt="?", options=options, least=1, most=1)
    assert bot.answer(some, game) == ("b",)
    assert bot.hint(Roll(topic="x", prompt="?", count=2), game)[1]


def test_a_budget_ends_by_number_or_by_the_clock() -> None:
    budget = Budget(2)
    assert [budget.spend() for _ in range(3)] == [True, True, False]
    assert not Budget(100, until=end_of(-1.0)).spend()


def test_without_budget_it_still_answers() -> None:
    game = new_game(PLAIN)
    bot, rng = Tactician("a", "normal", seconds=-1.0), Random(1)
    while game.pending is not None and game.state.turning_point < 2:
        assert game.pending.check(bot.answer(game.pending, game)) is None
        game.submit(game.pending.sample(rng))


def test_levels_differ() -> None:
    easy, normal, hard = LEVELS["easy"], LEVELS["normal"], LEVELS["hard"]
    assert easy.places < normal.places < hard.places
    assert easy.noise > normal.noise > hard.noise == 0


# -- judging -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("rules", [(), ("Lethal 5+",), ("Severe",), ("Rending",), ("Piercing 1",), ("Saturate",)])
def test_estimates_of_shots_agree_with_the_exact_odds(rules: tuple[str, ...]) -> None:
    mine = hand(*rules)
    shot = Shot(mine, "blue", 4, cover=1)
    exact = mean(shoot_odds(Numbers(4, 3, 3, 4, mine.rules), save=4, cover=1, stages=KT24.shot_stages))
    assert exact_shot(shot, 5).damage == pytest.approx(exact)
    assert quick_shot(shot, 5).damage == pytest.approx(exact, abs=0.05)


@pytest.mark.parametrize("rules", [("Balanced",), ("Ceaseless",), ("Relentless",)])
def test_estimates_with_rerolls_are_near(rules: tuple[str, ...]) -> None:
    shot = Shot(hand(*rules), "blue", 4)
    assert quick_shot(shot, 5).damage == pytest.approx(exact_shot(shot, 5).damage, rel=0.15)


def test_an_estimate_of_a_fight_is_near_the_exact_odds() -> None:
    one, two = hand(atk=4, hit=3), hand(atk=4, hit=4, side="blue")
    suffered, inflicted = fight_odds(Numbers(4, 3, 3, 4), 10, Numbers(4, 4, 3, 4), 10, stages=KT24.duel_stages)
    found = quick_fight(Duel((one, two), (10, 10)))
    assert found.inflicted.damage == pytest.approx(mean(inflicted), rel=0.35)
    assert found.suffered.damage == pytest.approx(mean(suffered), rel=0.35)


@pytest.mark.parametrize(
    ("mine", "theirs", "wounds", "enemy_wounds", "key"),
    [
        ([1, 1], [1, 0], 3, 4, "strike c"),
        ([0, 1], [0, 1], 3, 4, "block nn"),
        ([1, 0], [1, 0], 3, 5, "block cc"),
        ([0, 1], [1, 0], 3, 5, "strike n"),
        ([1, 1], [0, 1], 9, 9, "strike c"),
    ],
)
def test_resolving_a_fight(mine: list[int], theirs: list[int], wounds: int, enemy_wounds: int, key: str) -> None:
    assert best_resolution(hand(), mine, hand(), theirs, wounds, enemy_wounds) == key


def planner(made: Field, id: str) -> Deliberation:
    view = BattleView(made.battle(), Budget(500))
    view.activate(id, "engage")
    return Deliberation(view, id, LEVELS["hard"], lambda: 0.0)


def test_it_shoots_whom_it_can_kill() -> None:
    made = (
        Field().add("a", "red", (3, 5)).add("b", "blue", (12, 5), wounds=2).add("c", "blue", (12, 9), wounds=2, save=2)
    )
    gain, target, weapon = planner(made, "a").view.best_shot("a", 5)
    assert (target, weapon) == ("b", "rifle")
    assert gain > 0


def test_it_does_not_shoot_what_conceal_protects() -> None:
    made = Field().add("a", "red", (3, 5)).add("b", "blue", (12, 5), order="conceal")
    made.table.rulings[("a", "b")] = {"in_cover": True}
    assert planner(made, "a").view.best_shot("a", 5)[1] == ""
    made.state.operatives["b"].order = "engage"
    assert planner(made, "a").view.best_shot("a", 5)[1] == "b"


def test_it_charges_a_weak_enemy_with_a_strong_blade() -> None:
    strong, weak = melee(atk=5, hit=2, damage=(5, 7)), melee(atk=1, hit=6, damage=(1, 1))
    made = Field().add("a", "red", (3, 5), strong).add("b", "blue", (9, 5), weak, wounds=4)
    best = planner(made, "a").plans()[0]
    assert (best.action, best.words) == ("Charge", "Charge B and fight it.")
    made = Field().add("a", "red", (3, 5), weak, ranged()).add("b", "blue", (9, 5), strong, wounds=14)
    assert planner(made, "a").plans()[0].action != "Charge"


def test_it_goes_for_the_objective_nobody_holds() -> None:
    made = Field().add("a", "red", (3, 5)).add("b", "blue", (28, 20))
    made.state.markers["objective-1"] = MarkerState("objective-1", "objective", 9000, 5000, 0, 787)
    best = planner(made, "a").plans()[0]
    assert best.action == "Reposition"
    assert best.place is not None
    assert best.place[0] > 6000
    goals = goals_of(planner(made, "a").view, made.state.operatives["a"])
    assert pull_of(goals, (9000, 5000, 0)) > pull_of(goals, (3000, 5000, 0))


def test_it_picks_up_what_it_may() -> None:
    made = Field().add("a", "red", (3, 5)).add("b", "blue", (28, 20))
    made.marker("beacon", (3.5, 5), can_be_picked_up=True, controller="red")
    assert planner(made, "a").plans()[0].action == "Pick Up Marker"


# -- non-player operatives ---------------------------------------------------------------------------


def test_every_behaviour_is_known_to_the_bot() -> None:
    assert set(DOING) == set(BEHAVIOURS)
    assert all(text.endswith(".") for text in BEHAVIOURS.values())


def follow(made: Field, id: str, behaviour: tuple[str, ...], bot: Player | None = None) -> list[str]:
    """What an operative with that list does in an activation."""
    made.cards[id] = replace(made.cards[id], behaviour=behaviour)
    game = made.game(lambda battle: activation(battle, battle.state.operatives[id]))
    bot, dice = bot or NonPlayer("a"), Sampler("d")
    done = []
    while game.pending is not None:
        answer = (dice if game.pending.seat == "chance" else bot).answer(game.pending, game)
        if game.pending.topic in ("order", "action"):
            done.append(answer)
        game.submit(answer)
    return done


@pytest.mark.parametrize(
    ("x", "behaviour", "done"),
    [
        (9.0, ("fight", "charge", "advance", "dash"), ["engage", "Charge", "Fight"]),
        (20.0, ("fight", "charge", "advance", "dash"), ["conceal", "Reposition", "Dash"]),
        (20.0, ("shoot", "take-cover", "dash"), ["engage", "Shoot", "Reposition"]),
        (20.0, ("point-blank", "advance", "dash"), ["conceal", "Reposition", "Dash"]),
        (8.0, ("point-blank", "dash"), ["engage", "Shoot", "Dash"]),
        (4.5, ("fall-back", "shoot"), ["conceal", "Fall Back"]),
        (20.0, ("fight",), ["conceal", "pass"]),
    ],
)
def test_the_first_thing_on_the_list_that_can_be_done(x: float, behaviour: tuple[str, ...], done: list[str]) -> None:
    made = Field().add("a", "red", (3, 5)).add("b", "blue", (x, 5), wounds=40)
    assert follow(made, "a", behaviour) == done


class Hasty:
    """Answers everything without looking."""

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        return quick_answer(decision, game, Random(1))[0]


@pytest.mark.parametrize("bot", [NonPlayer("a", seconds=-1.0), Hasty()])
@pytest.mark.parametrize(
    ("x", "behaviour", "done"),
    [
        (9.0, ("fight", "charge", "advance", "dash"), ["engage", "Charge", "Fight"]),
        (20.0, ("shoot", "advance", "dash"), ["engage", "Shoot", "Reposition"]),
        (20.0, ("dash", "advance", "shoot"), ["engage", "Dash", "Reposition"]),
        (20.0, ("fight",), ["engage", "pass"]),
    ],
)
def test_without_time_the_list_is_still_followed(
    bot: Player, x: float, behaviour: tuple[str, ...], done: list[str]
) -> None:
    """Whether it can reach or see anybody is not looked at: what comes to nothing is not tried again."""
    made = Field().add("a", "red", (3, 5)).add("b", "blue", (x, 5), wounds=40)
    assert follow(made, "a", behaviour, bot) == done


def test_one_clock_runs_for_a_whole_decision(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many times a bot looks at the table for one answer, its seconds begin once."""
    ends: list[float | None] = []
    made = Field().add("a", "red", (3, 5)).add("b", "blue", (12, 5))
    game = made.game(lambda battle: activation(battle, battle.state.operatives["a"]))
    monkeypatch.setattr(tactician, "Budget", lambda rulings, until: ends.append(until) or Budget(rulings, until))
    assert game.pending is not None
    assert game.pending.topic == "order"
    Tactician("a", seconds=60.0).answer(game.pending, game)
    assert len(ends) == 2
    assert ends[0] == ends[1] is not None


def test_non_player_operatives_play_a_whole_game() -> None:
    setup = Setup(board="open", table="plain", red="non-player-operatives", blue="lantern-wardens")
    game = played(setup, NonPlayer("a"), Sampler("b"), "c", watched=True)
    assert game.outcome in ("red", "blue", "draw")


def test_acting_is_whoever_began_the_last_action() -> None:
    made = Field().add("a", "red", (3, 5)).add("b", "blue", (12, 5))
    assert made.play(acting("a")).state.activation is not None


@pytest.mark.parametrize("bot", [Tactician("a"), NonPlayer("a")])
def test_what_was_cancelled_is_not_tried_again_and_again(bot: Any) -> None:
    made = Field().add("a", "red", (3, 5), melee()).add("b", "blue", (20, 5))
    made.cards["a"] = replace(made.cards["a"], behaviour=("advance", "dash"))
    game = made.game(lambda battle: activation(battle, battle.state.operatives["a"]))
    game.submit("conceal")
    first = bot.answer(game.pending, game)
    assert first == "Reposition"
    game.submit(first)
    game.submit(())
    assert game.pending is not None
    assert "Reposition" in game.pending.open_keys  # type: ignore[attr-defined]
    assert bot.answer(game.pending, game) != "Reposition"
