"""The commander plans by the rules: forks and rehearsals change nothing, forecasts are what is paid, plans are carried
out, and its answers follow from the game alone."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import pytest
from engine_help import PLAIN, hand
from soak.invariants import Watch

from ktsim.game.bots import BOTS, LEVELS
from ktsim.game.bots.commander import Commander, told
from ktsim.game.bots.courses import Planner
from ktsim.game.bots.estimates import reroll_gains
from ktsim.game.bots.lookout import Lookout
from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.ranking import Course, PlannedAction
from ktsim.game.bots.roads import RoadBook
from ktsim.game.bots.view import Budget
from ktsim.game.bots.weights import weights_of
from ktsim.game.game import Game
from ktsim.game.players import Purposeful, Sampler
from ktsim.game.rehearsal import Unfinished, rehearse
from ktsim.game.review.carrying_out import BetterPlan
from ktsim.game.setup import Setup, new_game
from ktsim.game.thinking import Server
from ktsim.geometry.plane import length
from ktsim.rules.engine.activation import settle_control
from ktsim.rules.engine.attack import Die
from ktsim.rules.engine.decisions import Roll
from ktsim.rules.engine.rule import Draw
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.sight_table import SightTable
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.engine.turn import turn_end

PACK = Setup(board="open", table="plain", red="lantern-wardens", blue="keelwrights")


def until(game: Game, topic: str, turning_point: int = 1, seed: int = 1) -> Game:
    """The game played with a purpose until red is asked about a topic."""
    player = Purposeful(seed)
    while game.pending is not None:
        now = game.pending
        if now.topic == topic and now.seat == "red" and game.state.turning_point >= turning_point:
            return game
        game.submit(player.answer(now, game))
    raise AssertionError(f"never asked about {topic}")


def prospect_of(game: Game, side: Any = "red") -> Prospect:
    return Prospect(game.battle, side, weights_of(), {}, RoadBook(), Budget(400))


# -- forks and rehearsals ----------------------------------------------------------------------------


def test_a_fork_stands_where_the_game_does_and_goes_its_own_way() -> None:
    game = until(new_game(PACK), "action")
    before, answers = game.digest(), list(game.answers)
    twin = game.fork()
    assert (twin.digest(), twin.answers, twin.disclosures) == (before, answers, game.disclosures)
    assert twin.pending == game.pending
    twin.submit("pass")
    assert twin.digest() != before
    assert (game.digest(), game.answers) == (before, answers)
    game.submit("pass")
    assert game.digest() == twin.digest()


def test_a_rehearsal_answers_what_a_game_would_ask_and_ends() -> None:
    game = until(new_game(PACK), "activate")
    battle = game.battle.twin()
    before = game.digest()
    asked: list[Any] = []

    def roll_for(count: int) -> Any:
        for _ in range(count):
            asked.append((yield Roll(topic="attack", prompt="?", count=2)))
        yield from settle_control(battle)
        return "done"

    assert rehearse(battle.state, roll_for(3)) == "done"
    assert asked == [(3, 4)] * 3
    with pytest.raises(Unfinished):
        rehearse(battle.state, roll_for(3), most=2)
    assert game.digest() == before


# -- looking -----------------------------------------------------------------------------------------


def sighted(board: str, turning_point: int = 2) -> Game:
    return until(new_game(Setup(board=board, red="lantern-wardens", blue="keelwrights")), "activate", turning_point)


def test_on_foot_a_move_reaches_some_of_what_it_reaches_and_at_no_less() -> None:
    game = sighted("volkus-1")
    state, table = game.state.copy(), game.battle.table
    who = state.side("red")[0]
    for other in state.operatives.values():
        other.is_removed = other is not who
    who.x, who.y, who.level = 3500, 14000, 0
    request = MoveRequest(who.id, "Reposition", 6)
    whole = table.mover.costs(table, state, request)
    on_foot = table.mover.costs(table, state, request, on_foot=True)
    assert list(whole) == table.mover.places(table, state, request)
    assert on_foot.keys() < whole.keys()
    assert all(cost >= whole[place] for place, cost in on_foot.items())
    assert max(whole.values()) <= 6


def test_what_is_remembered_by_places_is_what_the_table_says() -> None:
    game = sighted("training-ground")
    table, state = game.battle.table, game.state
    assert isinstance(table, SightTable)
    memory: dict[Any, Any] = {}
    lookout = Lookout(table, memory)
    compared = 0
    for one in state.side("red"):
        for two in state.side("blue"):
            alone = state.copy()
            for other in alone.operatives.values():
                other.is_removed = other.id not in (one.id, two.id)
            exact = table.twin().target_ruling(alone, one.id, two.id, ())
            found = lookout.target_ruling(state, one.id, two.id, ())
            if found.is_visible:
                assert replace(found, reasons=()) == replace(exact, reasons=())
                compared += 1
            assert exact.is_visible or not found.is_visible
    assert compared
    known = len(memory)
    lookout.target_ruling(state, one.id, two.id, ())
    assert len(memory) == known


@pytest.mark.rule("KT24-COVER")
def test_where_there_is_no_cover_is_known_about_as_well_as_by_rulings() -> None:
    game = sighted("training-ground")
    state = game.state.copy()
    lookout = Lookout(game.battle.table, {})  # type: ignore[arg-type]
    shooter, places = state.side("blue")[0], lookout.lattice(state).grid.place
    found: Counter[tuple[bool, bool]] = Counter()
    for who in state.side("red"):
        bare, seen = lookout.bare(state, who), lookout.row(state, who, shooter)
        for cell in np.flatnonzero(seen)[::17]:
            shooter.x, shooter.y, shooter.level = (round(1000 * each) for each in places[cell])
            ruling = lookout.target_ruling(state, shooter.id, who.id, ())
            if ruling.is_visible and length(shooter.x - who.x, shooter.y - who.y) > 4000:
                found[bool(bare[cell]), ruling.in_cover] += 1
    right, wrong = found[True, False] + found[False, True], found[True, True] + found[False, False]
    assert found[False, True]
    assert right > 20 * wrong


def test_being_in_reach_of_a_charge_is_worth_something_to_whoever_fights_well() -> None:
    game = until(new_game(PACK), "activate", 2)
    prospect = prospect_of(game)
    who, enemy = prospect.state.side("red")[0], prospect.state.side("blue")[0]
    for other in prospect.state.side("blue")[1:]:
        other.is_removed = True
    enemy.wounds, enemy.level, who.level = 2, 0, 0
    prospect.put(who.id, (enemy.x - 5000, enemy.y, 0))
    assert prospect.charges(who) > 0
    prospect.put(who.id, (enemy.x - 15000, enemy.y, 0))
    assert prospect.charges(who) == 0


# -- weighing ----------------------------------------------------------------------------------------


def test_a_forecast_is_what_the_end_of_the_battle_pays() -> None:
    game = until(new_game(PACK), "activate", 4)
    found = prospect_of(game)
    forecast = found.forecast()
    before, state = game.state.copy(), found.state
    rehearse(state, turn_end(found.battle))
    paid = [line for line in state.sheet if line.op not in ("kill", "primary")]
    mine = state.choices.get("red:primary op")
    worth = sum((1 if line.side == "red" else -1) * line.amount * _again(line, mine) for line in paid)
    assert forecast == pytest.approx(worth)
    assert game.state == before


def _again(line: Any, mine: str | None) -> float:
    return 1.5 if line.side == "red" and line.op == mine else 1.0


def test_a_side_that_lost_somebody_is_worth_less() -> None:
    game = until(new_game(PACK), "activate", 2)
    found = prospect_of(game)
    before = found.value()
    found.state.side("red")[0].wounds = 0
    assert found.value() < before - 0.5
    found.state.side("blue")[0].wounds = 0
    assert found.value() < before + 1.0


def test_planning_leaves_the_state_as_it_was() -> None:
    game = until(new_game(PACK), "activate", 2)
    found, before = prospect_of(game), game.digest()
    plans = Planner(found, game.state.ready("red")[0].id, 8).courses(("conceal", "engage"))
    assert found.state.digest() == before
    assert [plan.value for plan in plans] == sorted((plan.value for plan in plans), reverse=True)
    attacks = ("Shoot", "Fight", "Charge")
    for plan in plans:
        assert plan.order == "conceal" or any(step.action in attacks for step in plan.steps)
    short = Planner(found, game.state.ready("red")[0].id, 8, steps=1).courses(("conceal", "engage"))
    assert max(len(plan.steps) for plan in plans) > max(len(plan.steps) for plan in short) == 1


@pytest.mark.rule("KT24-CMDREROLL")
def test_a_reroll_of_a_fail_raises_what_a_shot_does_and_one_of_a_critical_lowers_it() -> None:
    mine = hand()
    dice = (Die(1), Die(4), Die(6))
    shot = Shot(mine._replace(dice=dice), "blue", 4, stage="attack re-rolls")
    gains = {face: again.damage - kept.damage for face, (kept, again) in reroll_gains(shot, dice, 8).items()}
    assert gains[1] > 0 > gains[6]
    assert gains[1] > gains[4]
    saves = shot._replace(stage="defence re-rolls", hand=mine._replace(normals=2, crits=1), dice=(Die(2), Die(6)))
    kept, again = reroll_gains(saves, saves.dice, 8)[2]
    assert again.damage < kept.damage


def test_a_plan_is_told_without_what_only_its_player_may_know() -> None:
    game = until(new_game(PACK), "activate", 2)
    steps = (PlannedAction("Scout", is_secret=True), PlannedAction("Reposition", (1, 2, 0)))
    words = told(game, Course(1.0, "conceal", steps, goal="to the centre"))
    assert words == "Conceal, Reposition to the centre; in nobody's reach."


@pytest.mark.rule("KT24-SELECT")
def test_what_a_secret_op_draws_to_has_no_name() -> None:
    game = until(new_game(PACK), "activate", 2)
    found = prospect_of(game)
    who = found.state.ready("red")[0]
    hidden = {key: value for key, value in found.state.choices.items() if key != "red:tac op revealed"}
    found.state.choices = {**hidden, "red:tac op": "retrieval"}
    before = [draw.name for draw in found.draws(who)]
    found.state.choices = {**hidden, "red:tac op": "retrieval", "red:tac op revealed": "retrieval"}
    after = [draw.name for draw in found.draws(who)]
    assert before.count("") > 0 == after.count("")


def test_styles_change_the_weights_they_name_and_no_others() -> None:
    usual, cautious = weights_of(), weights_of("cautious")
    assert cautious.danger > usual.danger
    assert cautious.kill == usual.kill


# -- playing -----------------------------------------------------------------------------------------


def test_a_hint_follows_from_the_game_alone_and_changes_nothing() -> None:
    game, chance = new_game(PACK), Purposeful(3)
    asked, compared = Commander("a", "hard"), 0
    while game.pending is not None and game.state.turning_point < 3:
        seat = game.pending.seat
        if seat != "chance":
            seen, before = game.seen_by(seat), game.digest()
            found = asked.hint(game.pending, seen)
            if game.pending.topic in ("activate", "order", "action", "move"):
                compared += 1
                if compared % 5 == 0:
                    assert found == Commander("a", "hard").hint(game.pending, seen)
            assert game.pending.check(found[0]) is None
            assert found[1].endswith(".")
            assert game.digest() == before
        game.submit(chance.answer(game.pending, game))
    assert compared > 30


@pytest.mark.parametrize("setup", [PLAIN, PACK, replace(PLAIN, edition="kt21-lite", mission="")])
def test_it_beats_random_play_and_keeps_the_rules(setup: Setup) -> None:
    game = new_game(setup)
    players = {"red": BOTS["commander"]("a", "normal"), "blue": BOTS["random"]("b"), "chance": Sampler("c")}
    watch = Watch(game)
    while game.pending is not None:
        game.submit(players[game.pending.seat].answer(game.pending, game))
        watch.check()
    assert game.state.vp["red"] >= game.state.vp["blue"]


def test_out_of_time_it_still_answers() -> None:
    game, rng = until(new_game(PACK), "activate"), Random(1)
    bot = Commander("a", "commander", seconds=-1.0)
    for _ in range(60):
        assert game.pending is not None
        if game.pending.seat == "red":
            assert game.pending.check(bot.answer(game.pending, game.seen_by("red"))) is None
        game.submit(game.pending.sample(rng))


def test_five_levels_from_short_plans_to_replies() -> None:
    assert list(LEVELS) == ["beginner", "easy", "normal", "hard", "commander"]
    steps = [level.steps for level in LEVELS.values()]
    assert steps == sorted(steps)
    assert [bool(level.replies) for level in LEVELS.values()] == [False] * 4 + [True]
    assert BOTS["commander"].usual == "commander"
    assert BOTS["tactician"].usual == "normal"


def test_who_is_worse_forgets_more_and_nobody_forgets_a_fight_or_the_best_anything() -> None:
    names = [f"Action {number}" for number in range(200)]
    forgotten = [len(level.forgotten("a", names)) for level in LEVELS.values()]
    assert forgotten == sorted(forgotten, reverse=True)
    assert 60 < forgotten[0] < 120
    assert forgotten[-1] == 0
    assert LEVELS["beginner"].forgotten("a", names) == LEVELS["beginner"].forgotten("a", names)
    assert not any("Fight" in LEVELS["beginner"].forgotten(str(number), ["Fight"]) for number in range(50))


def test_what_was_forgotten_is_in_no_plan() -> None:
    game = until(new_game(PACK), "activate")
    assert game.pending is not None
    id = game.pending.open_keys[0]
    whole, absent = (Commander("a", replace(LEVELS["normal"], forgets=share)) for share in (0.0, 1.0))
    assert any(course.steps for course in whole.plans(game, id))
    assert all(step.action == "Fight" for course in absent.plans(game, id) for step in course.steps)


def test_the_thinking_process_keeps_a_bot_and_answers_the_same() -> None:
    game = until(new_game(PACK), "activate")
    request = {
        "stand": 0,
        "answers": game.answers,
        "hash": game.digest(),
        "bot": "commander",
        "viewer": "red",
        "seed": "s",
        "level": "normal",
        "seconds": None,
    }
    server = Server()
    server.reply({"setup": PACK.to_json()})
    first = server.reply(request)
    again = server.reply(request)
    assert first == again
    assert len(server._bots) == 1
    fresh = Server()
    fresh.reply({"setup": PACK.to_json()})
    assert fresh.reply(request) == first
    server.reply({**request, "bot": "random"})
    assert len(server._bots) == 1


def test_a_hint_comes_with_the_whole_plan_and_its_ways() -> None:
    game = until(new_game(PACK), "activate", 2)
    request = {"stand": 0, "answers": game.answers, "hash": game.digest(), "bot": "commander", "viewer": "red"}
    request |= {"seed": "1", "level": "hard", "seconds": None}
    server = Server()
    server.reply({"setup": PACK.to_json()})
    assert server.reply(request)["plan"] is None, "nobody asked for it"
    reply = server.reply({**request, "plan": True})
    plan = BetterPlan.from_json(reply["plan"])
    assert plan.operative == reply["answer"]
    assert plan.steps
    here, ends = game.state.operatives[plan.operative].point, [step.path[-1] for step in plan.steps if step.path]
    assert all(end != here for end in ends)
    assert server.reply({**request, "plan": True, "bot": "tactician"})["plan"] is None, "it looks no further"


def test_a_plan_names_the_objective_it_walks_to() -> None:
    """Not one that is worth more and further away."""
    game = until(new_game(PACK), "activate", 2)
    prospect = prospect_of(game)
    who = prospect.state.side("red")[0]
    planner = Planner(prospect, who.id, 4)
    near, far = (who.x + 4000, who.y, 0), (who.x + 12000, who.y, 0)
    planner._draws = [Draw(near, 0.5, 1.5, "to the near one"), Draw(far, 3.0, 1.5, "to the far one")]
    assert planner._goal(near) == "to the near one"
    assert planner._goal((who.x + 7000, who.y, 0)) == "towards the far one"
    assert planner._goal((who.x - 3000, who.y, 0)) == ""
