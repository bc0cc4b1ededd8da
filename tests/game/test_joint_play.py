"""Joint missions played: what each line of a behaviour list does, whole games, two who share a side, the terminal."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine_help import Field, melee, ranged
from soak.invariants import Watch

from ktsim.errors import UserError
from ktsim.game.bots import BOTS
from ktsim.game.bots.npo import NonPlayer
from ktsim.game.game import Game
from ktsim.game.mission_sheet import mission_sheet
from ktsim.game.partners import Partners, asks_second
from ktsim.game.players import Purposeful, Sampler
from ktsim.game.record import load
from ktsim.game.session import Session
from ktsim.game.setup import Setup, new_game
from ktsim.game.text_play import TextPlay
from ktsim.rules.editions import MISSIONS
from ktsim.rules.engine.activation import activation
from ktsim.rules.engine.decisions import Walk
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.kt24.joint.alert import SEARCHING
from ktsim.rules.kt24.joint.missions import SupplyRaid
from ktsim.rules.kt24.joint.sides import is_second

JOINT = [name for name, mission in MISSIONS.items() if mission.machine_team]


def followed(made: Field, *behaviour: str, seed: str = "d") -> tuple[list[str], Game]:
    """What *n* does in an activation by its list, and the game after it."""
    made.cards["n"] = replace(made.cards["n"], behaviour=behaviour)
    game = made.game(lambda battle: activation(battle, battle.state.operatives["n"]))
    bot, dice, done = NonPlayer("a"), Sampler(seed), []
    while game.pending is not None:
        answer = (dice if game.pending.seat == "chance" else bot).answer(game.pending, game)
        done += [answer] if game.pending.topic == "action" else []
        game.submit(answer)
    return done, game


def facing(x: float, **npo: Any) -> Field:
    """*n*, nobody's, with an enemy so far to its right on a table 30" wide."""
    return Field().add("n", "red", (3, 5), melee(), ranged(), **npo).add("p", "blue", (x, 5), wounds=60)


def where(game: Game) -> float:
    return game.state.operatives["n"].x / 1000


@pytest.mark.rule("JOINT-NPO")
@pytest.mark.parametrize(("marker", "done"), [((9.0, 7.9), ["Charge", "Fight"]), ((9.0, 8.1), ["pass"])])
def test_it_repels_only_who_is_near_a_marker(marker: tuple[float, float], done: list[str]) -> None:
    assert followed(facing(9.0).marker("m", marker), "fight", "repel")[0] == done


@pytest.mark.rule("JOINT-NPO")
def test_it_repels_who_carries_a_marker_off() -> None:
    assert followed(facing(9.0).marker("m", (25, 20), carrier="p"), "fight", "repel")[0] == ["Charge", "Fight"]


@pytest.mark.rule("JOINT-NPO")
@pytest.mark.parametrize(("x", "goes"), [(20.0, True), (4.9, False)])
def test_it_holds_a_marker_unless_it_is_there(x: float, goes: bool) -> None:
    made = facing(28.0).marker("m", (x, 5))
    done, game = followed(made, "hold")
    assert (done[0] == "Reposition") == goes
    assert where(game) == pytest.approx(9.0, abs=0.6) if goes else where(game) == 3.0


@pytest.mark.rule("JOINT-NPO")
def test_it_withdraws_and_does_not_advance() -> None:
    made = facing(14.0)
    made.state.operatives["n"].x = 10_000
    assert where(followed(made, "withdraw")[1]) < 6.0
    assert where(followed(made, "advance")[1]) > 11.0


@pytest.mark.rule("JOINT-NPO")
def test_it_hides_as_near_as_it_can() -> None:
    """On a table where nobody is hidden anywhere, that is nearest to the enemy."""
    done, game = followed(facing(20.0), "hide")
    assert done == ["Reposition", "pass"]
    assert where(game) > 8.0


@pytest.mark.rule("JOINT-NPO")
@pytest.mark.parametrize(
    ("notes", "goes"), [({"noise:x": 3000, "noise:y": 15000}, True), ({"noise:x": 3000, "noise:y": 6500}, False)]
)
def test_whoever_searches_goes_where_the_noise_was(notes: dict[str, int], goes: bool) -> None:
    made = (
        Field(mission=SupplyRaid()).add("n", "red", (3, 5), melee(), tokens={SEARCHING: 1}).add("p", "blue", (28, 20))
    )
    made.state.notes.update(notes)
    done, game = followed(made, "fight")
    assert done == (["Reposition", "Dash"] if goes else ["pass"])
    assert game.state.operatives["n"].y > (13_000 if goes else 4_999)


@pytest.mark.rule("JOINT-PATROL")
@pytest.mark.parametrize(("die", "x"), [(2, 3.0), (4, 9.0), (5, -1.0)])
def test_whoever_is_unaware_walks_its_round(die: int, x: float) -> None:
    made = Field(mission=SupplyRaid()).add("n", "red", (3, 5), melee()).add("p", "blue", (29, 21))
    made.marker("crate-1", (14, 5)).marker("crate-2", (3, 19))
    made.cards["n"] = replace(made.cards["n"], behaviour=("fight", "charge"))
    game = made.game(lambda battle: activation(battle, battle.state.operatives["n"]))
    while game.pending is not None:
        game.submit((die,) if game.pending.seat == "chance" else NonPlayer("a").answer(game.pending, game))
    who = game.state.operatives["n"]
    if x > 0:
        assert (who.x / 1000, who.y) == (pytest.approx(x, abs=0.6), 5000)
    else:
        assert who.y > 9_000


@pytest.mark.rule("JOINT-NPO")
@pytest.mark.parametrize(("behaviour", "order"), [(("shoot", "advance"), "engage"), (("charge", "advance"), "conceal")])
def test_whoever_may_shoot_after_its_move_is_on_engage(behaviour: tuple[str, ...], order: str) -> None:
    made = Field().add("n", "red", (3, 5), melee(), ranged("Range 6")).add("p", "blue", (14, 5), wounds=60)
    done, game = followed(made, *behaviour)
    assert game.state.operatives["n"].order == order
    assert done == (["Reposition", "Shoot"] if order == "engage" else ["Reposition", "pass"])


@pytest.mark.rule("JOINT-NPO")
def test_it_says_which_line_it_acts_by() -> None:
    made = facing(9.0)
    made.cards["n"] = replace(made.cards["n"], behaviour=("fight", "charge"))
    game = made.game(lambda battle: activation(battle, battle.state.operatives["n"]))
    game.submit("engage")
    assert game.pending is not None
    answer, why = NonPlayer("a").hint(game.pending, game)
    assert (answer, why) == ("Charge", "N, line 2 of its list: charge the nearest enemy a Charge can reach.")


@pytest.mark.rule("JOINT-NPO")
def test_it_opens_the_hatch_that_bars_its_way() -> None:
    """Beside a shut hatch with the noise right behind it; with the noise on its own side it leaves the hatch alone."""
    setup = Setup(board="gallowdark-1", mission="joint-supply-raid")
    for share, opens in ((1.0, True), (-1.6, False)):
        game = new_game(setup)
        hatch = next(line for line in game.battle.board.terrain.walls if line.hatchway is not None)
        (ax, ay), (bx, by) = hatch.start, hatch.end
        x, y, nx, ny = (ax + bx) / 2, (ay + by) / 2, (ay - by) / 2, (bx - ax) / 2
        size = (nx * nx + ny * ny) ** 0.5
        who, goal = _beside(game, (x, y), (nx / size, ny / size), share)
        game.state.notes.update({"noise:x": goal[0], "noise:y": goal[1]})
        bot = NonPlayer("a")
        planner = bot._planner(bot._view(game), who)
        assert (planner.hatch_to_open() == hatch.id) == opens


def _beside(
    game: Game, at: tuple[float, float], normal: tuple[float, float], share: float
) -> tuple[str, tuple[int, int]]:
    from ktsim.rules.engine.operative_events import SetUp
    from ktsim.rules.kt24.joint.spawning import joins

    joined = joins(game.battle, "brawler")
    joined.apply(game.state)
    point = (round(1000 * (at[0] - 1.2 * normal[0])), round(1000 * (at[1] - 1.2 * normal[1])), 0)
    SetUp(joined.operative, point).apply(game.state)
    game.state.operatives[joined.operative].tokens[SEARCHING] = 1
    return joined.operative, tuple(round(1000 * (a + share * 2.5 * n)) for a, n in zip(at, normal, strict=True))  # type: ignore[return-value]


# -- whole games -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mission", "seed", "players", "difficulty"),
    [(JOINT[0], 1, "1", "easy"), (JOINT[1], 2, "2", "normal"), (JOINT[2], 3, "2", "hard")],
)
def test_whole_games_at_random_hold_what_must_hold(mission: str, seed: int, players: str, difficulty: str) -> None:
    setup = Setup(board="tomb-world-1", table="plain", mission=mission, players=players, difficulty=difficulty)
    game = new_game(setup)
    watch = Watch(game, every=10)
    blue = Partners(Purposeful(seed), Sampler(seed))
    bots = {"red": NonPlayer(seed), "blue": blue, "chance": Sampler(seed)}
    while game.pending is not None:
        game.submit(bots[game.pending.seat].answer(game.pending, game))
        watch.check()
    assert game.outcome in ("red", "blue")
    assert game.battle.mission.ending(game.battle).startswith("Mission ")
    again = new_game(setup)
    for answer in game.answers:
        again.submit(answer)
    assert again.digest() == game.digest()
    again.rewind(len(game.answers) // 2)
    for answer in game.answers[len(game.answers) // 2 :]:
        again.submit(answer)
    assert again.digest() == game.digest()


@pytest.mark.rule("JOINT-SHARE")
def test_each_partner_is_asked_about_its_own() -> None:
    setup = Setup(board="open", table="plain", mission="joint-relay", players="2")
    game = new_game(setup)
    asked: dict[bool, set[str]] = {True: set(), False: set()}
    bots = {"red": NonPlayer(1), "blue": Purposeful(4), "chance": Sampler(1)}
    while game.pending is not None and game.state.turning_point < 3:
        decision = game.pending
        if decision.seat == "blue" and decision.topic in ("action", "move"):
            who = decision.operative if isinstance(decision, Walk) else decision.about
            asked[asks_second(game.battle, decision)].add(who)
        if decision.seat == "red":
            assert not asks_second(game.battle, decision)
        game.submit(bots[decision.seat].answer(decision, game))
    assert asked[True]
    assert asked[False]
    assert all(is_second(game.state, id) for id in asked[True])
    assert not any(is_second(game.state, id) for id in asked[False])
    turns = [e.operative for e in game.events if isinstance(e, ActivationBegan) and e.operative.startswith("blue")]
    assert [is_second(game.state, id) for id in turns[:4]] == [False, True, False, True]


def test_the_mission_sheet_says_what_to_do_and_how_it_stands() -> None:
    game = new_game(Setup(board="open", table="plain", mission="joint-relay", difficulty="hard"))
    (sheet,) = mission_sheet(game, "blue")
    assert (sheet.name, sheet.sides) == ("Hold the Relay", ("blue",))
    assert "must work until the end of turning point 4" in sheet.text
    assert sheet.note == (
        "The relay has taken 0 of 3 damage. Difficulty hard. Enemies in the killzone: none. "
        "Turning point 1 brings 7 more."
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"difficulty": "brutal"}, "no such difficulty; there are easy, normal, hard"),
        ({"players": "3"}, "one player has a side, or 2 share it"),
        ({"mission": "skirmish", "difficulty": "easy"}, "no difficulty and no second player"),
    ],
)
def test_what_cannot_be_agreed_on_is_told(wrong: dict[str, str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        new_game(replace(Setup(board="open", table="plain", mission="joint-relay"), **wrong))


# -- commands ----------------------------------------------------------------------------------------


def test_sim_plays_joint_missions_with_an_ally_and_its_replays_check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from ktsim.cli import main

    words = f"sim --mission joint-overseer --killzone open --table plain --ally purposeful --seed 3 --out {tmp_path}"
    assert main(words.split()) == 0
    line = capsys.readouterr().out
    game = load(tmp_path / "game-0001.ktsim").game
    assert game.digest() in line
    assert game.battle.mission.is_shared
    assert main(["replay", str(tmp_path / "game-0001.ktsim"), "--check"]) == 0
    assert main(["sim", "--mission", "joint-overseer", "--ally", "nobody"]) == 2


def test_in_the_terminal_two_are_asked_by_number_and_the_mission_is_told(tmp_path: Path) -> None:
    setup = Setup(board="open", table="plain", mission="joint-relay", players="2")
    session = Session.begin(setup, tmp_path / "game.ktsim")
    lines = iter(["mission", *["r"] * 60])
    out = io.StringIO()

    def read() -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    assert not TextPlay(session, read, out, dice=Sampler(1), bots={"red": NonPlayer(1)}).run()
    session.close()
    said = out.getvalue()
    assert "Mission: Hold the Relay" in said
    assert "[blue, player 1]" in said
    assert "[blue, player 2]" in said
    assert "[red" not in said.replace("(red", "")


def test_an_ally_answers_for_its_half_in_the_terminal(tmp_path: Path) -> None:
    setup = Setup(board="open", table="plain", mission="joint-relay", players="2")
    session = Session.begin(setup, tmp_path / "game.ktsim")
    lines = iter(["r"] * 60)
    out = io.StringIO()

    def read() -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        return line

    bots = {"red": NonPlayer(1), "ally": BOTS["random"](1)}
    TextPlay(session, read, out, dice=Sampler(1), bots=bots).run()
    session.close()
    assert "player 2]" not in out.getvalue()
    assert "player 1]" in out.getvalue()
