"""Joint missions: what operatives nobody plays know, where they come in, and when a mission is won or lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from engine_help import Answers, Field, at, ranged, story

from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.game.players import Sampler
from ktsim.game.setup import Setup, assemble, new_game, team_in
from ktsim.killzones import catalogue
from ktsim.rules.editions import MISSIONS
from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import activation
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import Removed, SetUp
from ktsim.rules.engine.setting_up import muster, suggest_set_up
from ktsim.rules.engine.turn import turn_end
from ktsim.rules.kt24.joint.alert import ALERTED, SEARCHING, alert_of, noise_at, notices, raise_alarm
from ktsim.rules.kt24.joint.mission import DIFFICULTIES, JointMission, joint_data
from ktsim.rules.kt24.joint.missions import HoldTheRelay, Overseer, SupplyRaid
from ktsim.rules.kt24.joint.sides import MACHINE, PLAYERS
from ktsim.rules.kt24.joint.spawning import APART, AWAY, Newcomer, comes_in, joins, ways_in

JOINT = [name for name, mission in MISSIONS.items() if mission.machine_team]
FAR = (28.0, 11.0)


def field(mission: JointMission | None = None, gap: float = 11.0, **npo: Any) -> Field:
    """A player's operative and somebody nobody plays, so many inches from base to base."""
    made = Field(mission=mission or SupplyRaid()).add("p", "blue", (5, 5)).add("n", "red", (6 + gap, 5), **npo)
    return made.marker("crate-1", (12, 12)).marker("crate-2", (20, 12))


def activated(id: str) -> Callable[[Battle], Steps[None]]:
    return lambda battle: activation(battle, battle.state.operatives[id])


def known(game: Game, id: str = "n") -> str:
    return alert_of(game.state.operatives[id])


# -- alert -------------------------------------------------------------------------------------------


@pytest.mark.rule("JOINT-ALERT")
@pytest.mark.parametrize(
    ("gap", "order", "level"),
    [
        (12.0, "engage", "alerted"),
        (12.1, "engage", "unaware"),
        (6.0, "conceal", "alerted"),
        (6.1, "conceal", "unaware"),
    ],
)
def test_whoever_ends_its_activation_too_near_is_noticed(gap: float, order: str, level: str) -> None:
    game = field(gap=gap).play(activated("p"), Answers(choose={"order": order, "action": "pass"}))
    assert known(game) == level


@pytest.mark.rule("JOINT-ALERT")
def test_in_control_range_there_is_no_hiding() -> None:
    made = field(gap=0.5)
    made.state.operatives["p"].order = "conceal"
    battle = made.battle()
    assert notices(battle, battle.state.operatives["n"], battle.state.operatives["p"])


@pytest.mark.rule("JOINT-ALERT")
def test_it_looks_around_as_it_is_done() -> None:
    made = field(gap=9.0)
    game = made.play(activated("n"), Answers([(1,)], {"order": "conceal", "action": "pass"}))
    assert known(game) == "alerted"
    assert "N notices P and is alerted." in story(game)


@pytest.mark.rule("JOINT-ALERT")
@pytest.mark.parametrize(
    ("tokens", "may"),
    [
        ({}, {"Reposition"}),
        ({SEARCHING: 1}, {"Reposition", "Dash"}),
        ({ALERTED: 1}, {"Reposition", "Dash", "Shoot", "Charge"}),
    ],
)
def test_only_the_alerted_attack(tokens: dict[str, int], may: set[str]) -> None:
    battle = field(tokens=tokens).battle()
    who = battle.state.operatives["n"]
    assert {action.name for action in battle.actions(who) if refuses(battle, who, action) is None} == may
    player = battle.state.operatives["p"]
    assert {"Shoot", "Charge"} <= {a.name for a in battle.actions(player) if refuses(battle, player, a) is None}


@pytest.mark.rule("JOINT-ALERT")
def test_the_alarm_is_raised_once_anybody_is_alerted() -> None:
    made = field().add("m", "red", FAR)
    assert known(made.play(raise_alarm)) == known(made.play(raise_alarm), "m") == "unaware"
    made.state.operatives["n"].tokens[ALERTED] = 1
    game = made.play(raise_alarm)
    assert [game.state.operatives[id].tokens for id in ("n", "m")] == [{ALERTED: 1}, {SEARCHING: 1}]


@pytest.mark.rule("JOINT-NOISE")
@pytest.mark.parametrize(
    ("rules", "gap", "level"),
    [((), 12.4, "searching"), ((), 12.6, "unaware"), (("Silent",), 6.4, "searching"), (("Silent",), 6.6, "unaware")],
)
def test_attacks_are_heard(rules: tuple[str, ...], gap: float, level: str) -> None:
    """From the middle of whoever makes the noise to the base of whoever hears it."""
    made = Field(mission=SupplyRaid()).add("p", "blue", (5, 15), ranged(*rules)).add("t", "red", (8, 15), wounds=40)
    made.add("n", "red", (5, 15 - gap - 0.1))
    made.state.operatives["p"].order = "engage"
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"order": "engage", "action": ["Shoot", "pass"], "target": "t"})
    game = made.game(activated("p"))
    while game.pending is not None and alert_of(game.state.operatives["t"]) == "unaware":
        game.submit(answers(game.pending))
    assert known(game, "t") == "alerted"
    assert known(game) == level
    assert noise_at(game.state) == at(5, 15)


@pytest.mark.rule("JOINT-PATROL")
@pytest.mark.parametrize(("die", "list"), [(2, ("wait",)), (3, ("patrol",)), (6, ("patrol",))])
def test_a_die_for_the_round_of_whoever_is_unaware(die: int, list: tuple[str, ...]) -> None:
    made = field(gap=15)
    game = made.play(activated("n"), Answers([(die,)], {"order": "conceal", "action": "pass"}))
    who = game.state.operatives["n"]
    assert game.battle.mission.behaviour(game.battle, who) == list
    who.tokens[SEARCHING] = 1
    assert game.battle.mission.behaviour(game.battle, who) == ("open-way", "search", "dash")
    made.state.operatives["n"].tokens[SEARCHING] = 1
    made.play(activated("n"), Answers((), {"order": "conceal", "action": "pass"}))  # no die


# -- coming in ---------------------------------------------------------------------------------------


@cache
def _teams() -> dict[Any, Any]:
    return {"red": team_in("kt24", "non-player-operatives"), "blue": team_in("kt24", "lantern-wardens")}


def deployed(board: str, table: str, mission: str = "joint-supply-raid", spread: bool = True) -> Battle:
    """A team of players in its drop zone, or with *spread* half of it further on."""
    setup = Setup(board=board, table=table, mission=mission)  # type: ignore[arg-type]
    battle, state = assemble(setup, find_board(board), dict(_teams()))
    battle.state, rng = state, Random(1)
    for joined in muster(PLAYERS, battle.teams[PLAYERS].roster, battle.cards):
        joined.apply(state)
        SetUp(joined.operative, suggest_set_up(battle, state.operatives[joined.operative], rng)).apply(state)
    return battle


@pytest.mark.rule("JOINT-SPAWN")
@pytest.mark.parametrize("board", ["open", *catalogue.names()])
def test_guards_and_ways_in_are_legal_on_every_killzone(board: str) -> None:
    battle = deployed(board, "plain")
    table = battle.table
    _run(battle, battle.mission.post_guards(battle))  # type: ignore[attr-defined]
    guards = battle.state.side(MACHINE)
    force = joint_data()["joint-supply-raid"]["force"]["normal"]
    assert [each.card for each in guards] == [f"red/{kind}" for kinds in force["guards"].values() for kind in kinds]
    for each in guards:
        assert each.level == 0
        assert table.mover.refuses_to_stand(table, battle.state, each.id, each.point) is None
        assert all(table.distance(battle.state, each.id, p.id) >= AWAY - 0.01 for p in battle.state.side(PLAYERS))
    places = ways_in(battle, joins(battle, "brawler"))
    assert 1 <= len(places) <= 6
    stand = Newcomer(battle, joins(battle, "brawler"))
    assert all(stand.is_free(place) and place[2] == 0 for place in places)
    for number, one in enumerate(places):
        for other in places[number + 1 :]:
            assert (one[0] - other[0]) ** 2 + (one[1] - other[1]) ** 2 >= (1000 * APART) ** 2


@pytest.mark.rule("JOINT-SPAWN")
@pytest.mark.parametrize("board", ["gallowdark-1", "tomb-world-1"])
def test_who_comes_in_is_out_of_sight(board: str) -> None:
    battle = deployed(board, "sight")
    joined = joins(battle, "brawler")
    stand = Newcomer(battle, joined)
    for place in ways_in(battle, joined):
        assert stand.is_unseen(place)
        joined.apply(battle.state)
        SetUp(joined.operative, place).apply(battle.state)
        assert not any(battle.table.is_visible(battle.state, p.id, joined.operative) for p in stand.players)
        del battle.state.operatives[joined.operative]


@pytest.mark.rule("JOINT-SPAWN")
def test_a_die_says_where_and_too_near_is_no_place() -> None:
    battle = deployed("open", "plain")
    places = ways_in(battle, joins(battle, "brawler"))
    for die in (1, 2, 6):
        events = _run(battle.twin(), comes_in(battle, "brawler", is_alerted=True), die)
        assert next(e for e in events if isinstance(e, SetUp)).point == places[(die - 1) % len(places)]
    player = battle.state.side(PLAYERS)[0]
    stand = Newcomer(battle, joins(battle, "brawler"))
    near = AWAY + battle.table.radius(player) + battle.table.radius(stand.who)
    stand.players = [stand.battle.state.operatives[player.id]]
    assert stand.is_free((player.x - round(1000 * near) - 10, player.y, 0))
    assert not stand.is_free((player.x - round(1000 * near) + 10, player.y, 0))


def _run(battle: Battle, steps: Steps[Any], die: int = 1) -> list[Any]:
    """Run a procedure whose dice all show *die* on the battle."""
    events, answer = [], None
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if hasattr(step, "apply"):
                step.apply(battle.state)
                events.append(step)
            else:
                answer = (die,)
    except StopIteration:
        return events


def test_every_kind_in_the_missions_is_in_the_team() -> None:
    kinds = {card.id for card in _teams()["red"].cards}
    assert list(joint_data()) == JOINT
    for data in joint_data().values():
        assert tuple(data["force"]) == DIFFICULTIES
        named = [
            part for force in data["force"].values() for part in (*force["guards"].values(), *force["waves"].values())
        ]
        assert {kind for part in named for kind in part} <= kinds
        sizes = [sum(map(len, (*f["guards"].values(), *f["waves"].values()))) for f in data["force"].values()]
        assert sizes == sorted(set(sizes))  # each level has more of them


# -- turns and sharing -------------------------------------------------------------------------------


def begun(mission: str, players: str = "1", **more: Any) -> Game:
    """A game of the players at its first activation, set up at random."""
    game = new_game(Setup(board="open", table="plain", mission=mission, players=players, **more))
    sampler = Sampler(3)
    while game.pending is not None and game.pending.topic != "activate":
        game.submit("pass" if game.pending.topic == "gambit" else sampler.answer(game.pending, game))
    return game


@pytest.mark.rule("JOINT-TURN")
def test_players_begin_and_the_machine_is_asked_nothing_before_the_battle() -> None:
    game = begun("joint-relay")
    assert game.state.initiative == game.state.turn == PLAYERS
    assert game.battle.teams[MACHINE].id == "non-player-operatives"
    first = joint_data()["joint-relay"]["force"]["normal"]["waves"]["1"]
    assert [who.card for who in game.state.side(MACHINE)] == [f"red/{kind}" for kind in first]
    assert all(who.is_ready and alert_of(who) == "alerted" for who in game.state.side(MACHINE))


@pytest.mark.rule("JOINT-TURN")
def test_only_players_counteract() -> None:
    for side, asked in ((PLAYERS, True), (MACHINE, False)):
        made = field(HoldTheRelay(), tokens={ALERTED: 1})
        made.marker("relay", (15, 11))
        made.state.turn = side
        for who in made.state.side(side):
            who.is_ready = False
        made.state.initiative = PLAYERS
        game = made.game(lambda battle: battle.mission.phases["firefight"](battle))
        assert (game.pending is not None and game.pending.topic == "counteract") == asked


@pytest.mark.rule("JOINT-SHARE")
def test_two_players_take_turns_as_long_as_both_have_somebody_ready() -> None:
    game = begun("joint-relay", "2")
    second = set(game.state.choices["partners"].split(","))
    mine = game.state.side(PLAYERS)
    assert len(second) == len(mine) // 2
    mission = game.battle.mission
    offered = {who.id for who in mission.next_ready(game.battle, PLAYERS)}
    assert offered
    assert not offered & second
    game.state.notes["last partner"] = 1
    assert {who.id for who in mission.next_ready(game.battle, PLAYERS)} == second
    for who in mine:
        who.is_ready = who.id in second
    assert {who.id for who in mission.next_ready(game.battle, PLAYERS)} == second


# -- the missions ------------------------------------------------------------------------------------


def ended(made: Field, turning_point: int = 4) -> Game:
    made.state.turning_point, made.state.phase = turning_point, "turn-end"
    return made.play(turn_end)


def raid(*homes: float) -> Field:
    """Crates that many inches from the left edge of the players' drop zone, which begins at 24"."""
    made = Field(mission=SupplyRaid()).add("p", "blue", (29, 20)).add("n", "red", (2, 2))
    for number, x in enumerate(homes, 1):
        made.marker(f"crate-{number}", (24 + x, 3 * number), can_be_picked_up=True)
        made.state.markers[f"crate-{number}"].kind = "crate"
    return made


@pytest.mark.rule("JOINT-RAID")
@pytest.mark.parametrize(
    ("homes", "winner"),
    [((1, 1, -5), "blue"), ((1, -5, -5), "red"), ((-0.3, -0.3, -9), "blue"), ((-0.5, 1, -9), "red")],
)
def test_a_raid_is_won_with_more_than_half_of_the_crates_at_home(homes: tuple[float, ...], winner: str) -> None:
    game = ended(raid(*homes))
    assert game.state.winner == winner
    at_home = sum(x > -0.394 for x in homes)
    assert game.state.vp["blue"] == 3 * at_home
    assert game.battle.mission.ending(game.battle) == ("Mission accomplished" if winner == "blue" else "Mission failed")


@pytest.mark.rule("JOINT-RAID")
def test_a_crate_is_home_with_whoever_carries_it() -> None:
    made = raid(-9, -9, -9)
    made.state.markers["crate-1"].carrier = "p"
    game = ended(made, 2)
    assert game.state.vp["blue"] == 1  # carried; the battle goes on
    assert len(game.battle.mission.at_home(game.battle)) == 1  # type: ignore[attr-defined]
    assert game.state.phase == "initiative"


@pytest.mark.rule("JOINT-HUNT")
def test_the_hunt_ends_with_the_overseer() -> None:
    def made(turning_point: int, is_alive: bool) -> Game:
        table = Field(mission=Overseer()).add("p", "blue", (29, 20)).add("n", "red", (2, 2)).add("g", "red", (5, 5))
        table.cards["red/overseer"] = table.cards["n"]
        table.state.operatives["n"].card = "red/overseer"
        table.state.operatives["n"].is_removed = not is_alive
        return ended(table, turning_point)

    assert made(4, True).state.winner == "red"
    assert made(3, True).state.phase == "initiative"
    assert made(2, False).state.winner == "blue"


@pytest.mark.rule("JOINT-HUNT")
@pytest.mark.parametrize(("turning_point", "vp"), [(2, 7), (4, 5)])
def test_the_sooner_the_better(turning_point: int, vp: int) -> None:
    made = Field(mission=Overseer()).add("p", "blue", (29, 20)).add("n", "red", (2, 2))
    made.cards["red/overseer"] = made.cards["n"]
    made.state.operatives["n"].card, made.state.turning_point = "red/overseer", turning_point
    game = made.play(lambda battle: battle.mission.incapacitated(battle, battle.state.operatives["n"], "p"))
    assert game.state.vp["blue"] == vp


@pytest.mark.rule("JOINT-STAND")
@pytest.mark.parametrize(
    ("near", "before", "damage", "winner"),
    [("p", 2, 2, "blue"), ("", 1, 2, "blue"), ("", 2, 3, "red"), ("n", 0, 2, "blue"), ("n", 1, 3, "red")],
)
def test_the_relay_is_damaged_by_whoever_does_not_hold_it(near: str, before: int, damage: int, winner: str) -> None:
    made = Field(mission=HoldTheRelay()).add("p", "blue", (29, 20)).add("n", "red", (2, 2)).marker("relay", (15, 11))
    made.state.notes["relay damage"] = before
    if near:
        made.state.operatives[near].x, made.state.operatives[near].y = 15000, 11000
    game = ended(made)
    assert (game.state.notes["relay damage"], game.state.winner) == (damage, winner)
    assert [game.battle.mission.promise(game.battle, side) for side in ("blue", "red")] == [-2.0 * damage, 0.0]
    assert game.state.vp["blue"] == (2 if near == "p" else 0)


@pytest.mark.rule("JOINT-STAND")
def test_a_relay_that_is_out_ends_the_battle_and_nothing_happens_in_the_first_turning_point() -> None:
    made = Field(mission=HoldTheRelay()).add("p", "blue", (29, 20)).add("n", "red", (2, 2)).marker("relay", (15, 11))
    made.state.notes["relay damage"] = 2
    assert ended(made, 1).state.phase == "initiative"
    assert ended(made, 2).state.winner == "red"


@pytest.mark.parametrize("mission", JOINT)
def test_without_players_left_it_is_lost_at_once(mission: str) -> None:
    game = begun(mission)
    for who in game.state.side(PLAYERS):
        Removed(who.id).apply(game.state)
    assert game.battle.mission.is_decided(game.battle)
    assert game.battle.mission.winner(game.battle) == MACHINE
