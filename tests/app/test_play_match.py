"""Matches without a window: who answers what, undo, hand-overs, bots in their process, saved games."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from play_driver import PLAIN, asking

from ktsim.app.play import saves
from ktsim.app.play.match import Match
from ktsim.app.play.plan_marks import plan_marks
from ktsim.app.play.replay import Replay
from ktsim.app.play.saves import Agreement, list_saves, note_path, read_agreement
from ktsim.app.stage.overlays import Ghost, Label
from ktsim.app.ui.titles import board_title
from ktsim.errors import UserError
from ktsim.game import thinking
from ktsim.game.bots import BotKind
from ktsim.game.game import Game
from ktsim.game.journal import read
from ktsim.game.review.carrying_out import BetterPlan, BetterStep
from ktsim.game.scenes import scene_of
from ktsim.game.setup import Setup, new_game, prepare
from ktsim.game.thinking import Server, Thinker, Thought, look_about
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Option, Steps, pick, roll
from ktsim.rules.engine.events import CpChanged, Told

ROOT = Path(__file__).resolve().parents[2]
LETTERS = [Option("a", "First"), Option("b", "Second")]
VALUES = {"a": "a", "b": "b"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    found = tmp_path / "ktsim" / "games"
    found.mkdir(parents=True)
    return found


def secrets(battle: Battle) -> Steps[str]:
    for seat in ("red", "blue"):
        chosen = yield from pick(seat, "op", f"{seat}: which op?", LETTERS, VALUES, secret=True)  # type: ignore[arg-type]
        yield CpChanged(seat, 1, "chosen")  # type: ignore[arg-type]
    (face,) = yield from roll(1, "luck", "Luck")
    yield Told(f"Both are revealed; {chosen}, {face}.")
    return (yield from pick("red", "end", "Enough?", LETTERS, VALUES))


def until_person(match: Match) -> Decision[Any]:
    until = time.monotonic() + 120
    while match.decision is not None and not match.asks_person(match.decision):
        match.advance()
        assert time.monotonic() < until, "the match is stuck"
        time.sleep(0.005)
    assert match.decision is not None
    return match.decision


def test_a_secret_choice_is_handed_over_and_told_nowhere() -> None:
    match = asking(secrets)
    for seat in ("red", "blue"):
        assert match.privacy.is_covered
        assert match.privacy.is_private
        assert match.seat == seat
        match.accept()
        assert not match.privacy.is_covered
        assert match.submit("b")
        assert match.undo_words == "a secret choice"
        assert all("Second" not in line.text for line in match.log.lines)
    assert "which op" not in match.banner()[2]


def test_no_hand_over_when_only_one_plays_here() -> None:
    match = asking(secrets, Agreement(blue="random"))
    assert not match.privacy.is_covered
    assert not match.privacy.is_private


def test_what_only_one_player_may_see_is_shown_to_that_player_alone() -> None:
    def procedure(battle: Battle) -> Steps[str]:
        options = [Option("a", "First"), Option("hidden", "The banner", secret=True), Option("c", "Third")]
        values = {o.key: o.key for o in options}
        return (yield from pick("red", "gambit", "Which?", options, values, default="hidden", veiled=lambda: True))

    match = asking(procedure)
    draft = match.draft
    assert draft is not None
    assert [choice.key for choice in draft.choices] == ["a", "c"]
    assert draft.marked == ["a"]
    draft.mark("hidden")
    assert draft.marked == ["a"]
    assert match.privacy.may_peek
    match.peek()
    assert match.privacy.is_covered
    match.accept()
    draft = match.draft
    assert draft is not None
    assert [choice.key for choice in draft.choices] == ["a", "hidden", "c"]
    match.peek(False)
    assert not match.privacy.is_private
    match.peek()
    match.accept()
    assert match.submit("hidden")
    assert match.undo_words == "a secret choice"
    alone = asking(procedure, Agreement(blue="random"))
    assert not alone.privacy.may_peek
    assert alone.draft is not None
    assert [choice.key for choice in alone.draft.choices] == ["a", "hidden", "c"]


def test_undo_needs_agreement_after_a_reveal_and_brings_back_the_same_dice() -> None:
    match = asking(secrets, dice=Random(3), is_animated=False)
    for _ in range(2):
        match.submit("a")
    match.advance()
    face = match.rolls[-1].faces
    assert match.prompt is not None
    assert match.prompt.topic == "end"
    assert match.undo_refusal()
    assert not match.undo()
    assert "only if both players agree" in match.notice
    assert match.undo(is_agreed=True)
    assert len(match.game.answers) == 0
    assert not match.advance()  # somebody has just come back here: nothing happens by itself
    match.redo()
    match.redo()
    assert match.game.answers == ["a", "a", face]


def test_obvious_answers_are_taken_only_when_agreed_and_not_after_going_back() -> None:
    def procedure(battle: Battle) -> Steps[None]:
        yield from pick("red", "one", "One?", LETTERS, VALUES, default="b", obvious=True)
        yield from pick("red", "two", "Two?", LETTERS, VALUES)

    plain = asking(procedure)
    assert not plain.advance()
    quick = asking(procedure, Agreement(takes_obvious=True))
    assert quick.advance()
    assert quick.game.answers == ["b"]
    quick.undo()
    assert not quick.advance()
    assert quick.submit("a")


def test_a_rule_that_fails_changes_nothing() -> None:
    def procedure(battle: Battle) -> Steps[None]:
        while True:
            chosen = yield from pick("red", "one", "One?", LETTERS, VALUES)
            if chosen == "b":
                raise ZeroDivisionError("a rule went wrong")
            yield CpChanged("red", 1, "why not")

    match = asking(procedure)
    match.submit("a")
    before = match.game.digest()
    assert not match.submit("b")
    assert "went wrong" in match.notice
    assert match.game.digest() == before
    assert match.submit("a")


def test_what_cannot_be_written_down_is_said_and_can_be_given_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Invariant 15: nothing acknowledged is lost, and what was refused changed nothing."""
    path = folder / "full.ktsim"
    match = Match.begin(PLAIN, Agreement(dice="typed"), path, is_animated=False)
    rng = Random(3)

    def go() -> bool:
        assert match.decision is not None
        return match.submit(match.decision.sample(rng))

    while match.decision is not None and match.decision.topic != "set up":
        assert go()
    assert go()

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    digest, count = match.game.digest(), len(match.game.answers)
    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        for attempt in (go, match.undo, lambda: match.undo(is_agreed=True)):
            assert not attempt()
            assert "could not be written down" in match.notice
            assert (match.game.digest(), len(match.game.answers)) == (digest, count)
    assert go()
    assert match.undo()
    assert match.redo()
    match.close()
    again = Match.resume(path, read_agreement(path))
    assert again.game.answers == match.game.answers
    again.close()


def test_dice_are_typed_in_when_agreed() -> None:
    match = asking(secrets, Agreement(dice="typed"))
    match.submit("a")
    match.submit("a")
    assert match.prompt is not None
    assert match.prompt.kind == "roll"
    assert not match.submit((7,))
    assert match.submit((5,))
    assert match.tray() is not None


def test_an_illegal_answer_is_refused_in_the_engines_words(folder: Path) -> None:
    match = Match.begin(PLAIN, Agreement(dice="typed"), folder / "one.ktsim")
    before = match.game.digest()
    assert not match.submit((1, 2))
    assert "Expected 1 dice" in match.notice
    assert match.game.digest() == before
    match.close()


# -- bots --------------------------------------------------------------------------------------------


@pytest.fixture
def thinker() -> Iterator[Thinker]:
    made = Thinker(PLAIN, limit=30.0)
    yield made
    made.close()


def wait(thinker: Thinker) -> Thought:
    until = time.monotonic() + 120
    while (outcome := thinker.poll()) is None:
        assert time.monotonic() < until
        time.sleep(0.01)
    return outcome


def test_a_bot_thinks_in_its_own_process_and_follows_undo(thinker: Thinker) -> None:
    game = new_game(PLAIN)
    rng = Random(5)
    for count in (3, 9, 14, 6, 11):
        if count < len(game.answers):
            game.rewind(count)
        while len(game.answers) < count:
            assert game.pending is not None
            game.submit(game.pending.sample(rng))
        thinker.ask("random", game.answers, game.digest())
        thought = wait(thinker)
        assert thought.trouble == ""
        assert game.pending is not None
        assert game.pending.check(thought.answer) is None


def test_a_bot_follows_a_game_that_begins_in_the_middle() -> None:
    whole, rng = new_game(PLAIN), Random(5)
    while whole.state.turning_point < 2:
        assert whole.pending is not None
        whole.submit(whole.pending.sample(rng))
    game = Game(prepare(PLAIN)[0], whole.state)
    assert game.start.digest() == whole.digest()
    asked: dict[str, Any] = {"stand": 0, "answers": [], "hash": game.digest(), "bot": "random", "seed": 1}
    asked |= {"level": "normal", "seconds": 5.0, "viewer": None}
    server = Server()
    start = json.loads(json.dumps(game.start.to_json()))
    assert server.reply({"setup": PLAIN.to_json(), "start": start}) == {"ready": True}
    assert game.pending is not None
    assert game.pending.check(server.reply(asked)["answer"]) is None
    assert server.reply({"setup": PLAIN.to_json()}) == {"ready": True}
    assert "another game" in server.reply(asked)["error"]


def test_what_a_bot_does_wrong_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    class Cheat:
        def __init__(self, seed: object, level: str, seconds: float | None) -> None: ...

        def answer(self, decision: Decision[Any], game: Game) -> Any:
            return "everything"

    monkeypatch.setitem(thinking.BOTS, "cheat", BotKind("cheat", "Cheats.", Cheat))
    game = new_game(PLAIN)
    server = Server()
    assert server.reply({"setup": PLAIN.to_json()}) == {"ready": True}
    request: dict[str, Any] = {
        "stand": 0,
        "answers": [],
        "hash": game.digest(),
        "bot": "cheat",
        "seed": 1,
    }
    request |= {"level": "normal", "seconds": 5.0, "viewer": None}
    assert "not legal" in server.reply(request)["error"]
    assert "another game" in server.reply({**request, "hash": "x"})["error"]


def test_a_bot_that_takes_too_long_is_stopped_and_the_game_goes_on(folder: Path) -> None:
    match = Match.begin(PLAIN, Agreement(red="random", blue="random"), folder / "a.ktsim", is_animated=False)
    thinker = Thinker(PLAIN, limit=0.0)
    match.mind.thinker = thinker
    while match.decision is not None and match.decision.seat == "chance":
        assert match._answer_by_itself(match.decision)
    thinker.ask("random", match.game.answers, match.game.digest(), match.seat)
    thinker._until = 0.0
    before = len(match.game.answers)
    match.advance()
    assert len(match.game.answers) > before
    assert "first thing that comes to mind" in match.notice
    match.close()


@pytest.mark.parametrize("setup", [PLAIN, replace(PLAIN, edition="kt21-lite", mission=""), Setup(board="open")])
def test_looking_about_before_the_first_question_changes_nothing(setup: Setup) -> None:
    game, alone = new_game(setup), new_game(setup)
    look_about(game)
    rng, other = Random(3), Random(3)
    for _ in range(40):
        assert game.digest() == alone.digest()
        assert game.pending is not None
        assert alone.pending is not None
        game.submit(game.pending.sample(rng))
        alone.submit(alone.pending.sample(other))


def test_a_bot_that_is_late_is_not_waited_for_and_goes_on_following(thinker: Thinker) -> None:
    """Whoever asks goes on at the limit; the process is kept, its late reply is not taken for another one's."""
    game, rng = new_game(PLAIN), Random(5)
    thinker.ask("random", game.answers, game.digest())
    assert wait(thinker).trouble == ""
    process = thinker._process
    game.submit(game.pending.sample(rng))  # type: ignore[union-attr]
    thinker.limit = 0.0
    thinker.ask("random", game.answers, game.digest())
    assert "more than" in thinker.poll().trouble  # type: ignore[union-attr]
    thinker.limit = 30.0
    game.submit(game.pending.sample(rng))  # type: ignore[union-attr]
    thinker.ask("random", game.answers, game.digest())
    thought = wait(thinker)
    assert thought.trouble == ""
    assert game.pending is not None
    assert game.pending.check(thought.answer) is None
    assert thinker._process is process


def test_a_solo_game_is_played_to_its_end(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match.begin(PLAIN, Agreement(red="random", is_sandbox=True), folder / "s.ktsim", is_animated=False)
    rng = Random(2)
    turns = 0
    while match.decision is not None:
        if not match.asks_person(match.decision):
            match.advance()
            time.sleep(0.001)
            continue
        if turns == 12:  # undo goes back across the bot's answers and the dice to a decision of the person
            count = len(match.game.answers)
            assert match.undo()
            assert len(match.game.answers) < count
            assert match.decision is not None
            assert match.asks_person(match.decision)
        assert match.decision.seat == "blue"
        assert match.submit(match.decision.sample(rng))
        turns += 1
        if match.game.state.turning_point >= 2:
            break
    assert turns > 12
    assert match.game.state.turning_point >= 2
    match.close()


def test_a_hint_says_what_the_bot_would_do(folder: Path) -> None:
    match = Match.begin(PLAIN, Agreement(), folder / "h.ktsim", is_animated=False)
    until_person(match)
    match.ask_hint("tactician")
    until = time.monotonic() + 120
    while match.hint == "Thinking ...":
        match.advance()
        assert time.monotonic() < until
        time.sleep(0.01)
    assert match.hint.startswith("tactician: ")
    count = len(match.game.answers)
    assert match.draft is not None
    assert match.confirm()  # the hint is marked and can be taken
    assert len(match.game.answers) > count
    match.close()


def test_the_plan_behind_a_hint_is_drawn_until_something_is_answered(folder: Path) -> None:
    match = Match.begin(PLAIN, Agreement(), folder / "p.ktsim", is_animated=False)
    until_person(match)
    who = next(iter(match.game.state.operatives.values()))
    plan = BetterPlan(who.id, "conceal", (BetterStep("Reposition", ((who.x + 3000, who.y, 0),)),), "")
    assert match.hinted is None
    match.hint, match._hinted = "commander: go there", (len(match.game.answers), plan)
    assert match.hinted == plan
    who.is_set_up = True
    scene = scene_of(match.game.battle, match.game.state)
    marks = plan_marks(match.game.battle, scene, plan, "by this plan")
    (ghost,) = (mark for mark in marks if isinstance(mark, Ghost))
    assert ghost.operative.x == pytest.approx((who.x + 3000) / 1000)
    assert any(isinstance(mark, Label) and mark.text == f"{who.name}, by this plan" for mark in marks)
    match.hint = ""
    assert match.hinted is None
    match.close()


def test_there_is_no_bot_of_that_name(folder: Path) -> None:
    with pytest.raises(UserError, match="no such bot"):
        Match.begin(PLAIN, Agreement(red="nobody"), folder / "n.ktsim")


# -- saved games -------------------------------------------------------------------------------------


def test_games_are_listed_with_how_they_stand_and_gone_on_with(folder: Path) -> None:
    path = folder / "one.ktsim"
    match = Match.begin(PLAIN, Agreement(dice="typed"), path)
    for face in (2, 5):
        match.submit((face,))
    digest = match.game.digest()
    match.close()
    found, _ = saves.latest()
    assert found is not None
    assert found.path == path
    assert found.agreement.dice == "typed"
    assert "Gravel Jackals 0 : 0 Lantern Wardens" in found.title
    assert found.title.endswith("Empty board")
    again = Match.resume(path, found.agreement)
    assert again.game.digest() == digest
    again.close()
    note_path(path).write_text("no JSON at all")
    assert read_agreement(path) == Agreement()
    note_path(path).write_text('{"red": 5, "dice": "loaded", "is_over": true, "other": 1}')
    assert read_agreement(path) == Agreement(is_over=True)
    assert saves.latest() == (None, ())
    assert len(list_saves()) == 1


def test_killed_at_any_moment_the_game_goes_on_at_the_last_answer(folder: Path) -> None:
    """A process plays and says how many answers it has had acknowledged; it is killed in the middle of one."""
    program = """
import sys
from pathlib import Path
from random import Random
from ktsim.app.play.match import Match
from ktsim.app.play.plan_marks import plan_marks
from ktsim.app.play.saves import Agreement
from ktsim.game.setup import Setup
path = Path(sys.argv[1])
setup = Setup(board="open", table="plain", mission="skirmish")
match = Match.begin(setup, Agreement(), path, dice=Random(1), is_animated=False)
rng = Random(int(sys.argv[2]))
while match.decision is not None:
    match.advance()
    if match.decision is not None:
        match.submit(match.decision.sample(rng))
    print(len(match.game.answers), match.game.digest(), flush=True)
"""
    for seed in range(3):
        path = folder / f"{seed}.ktsim"
        playing = subprocess.Popen(
            [sys.executable, "-c", program, str(path), str(seed)], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        assert playing.stdout is not None
        told = [playing.stdout.readline() for _ in range(10 + 23 * seed)]
        os.kill(playing.pid, signal.SIGKILL)
        told += playing.stdout.readlines()
        playing.wait()
        told = [line for line in told if line.endswith("\n")]
        count = int(told[-1].split()[0])
        digests = {int(line.split()[0]): line.split()[1] for line in told}
        match = Match.resume(path, read_agreement(path), is_animated=False)
        assert len(match.game.answers) >= count
        match.game.rewind(count)
        assert match.game.digest() == digests[count]
        match.close()


def test_a_replay_has_every_moment_of_the_game(folder: Path) -> None:
    path = folder / "r.ktsim"
    match = Match.begin(PLAIN, Agreement(), path, dice=Random(8), is_animated=False)
    rng = Random(8)
    digests = [match.game.digest()]
    undone = False
    while match.decision is not None:
        answer = match.decision.sample(rng)
        match._submit(answer)
        digests.append(match.game.digest())
        if len(digests) == 40 and not undone:  # what was undone is not part of the replay
            undone = match.undo(is_agreed=True)
            del digests[len(match.game.answers) + 1 :]
    match.close()
    recorded = read(path)
    replay = Replay(path)
    while not replay.is_ready:
        replay.load(0.0)
    assert [moment.state.digest() for moment in replay.moments] == digests
    assert len(recorded.answers()) == len(replay.moments) - 1
    assert replay.lines_until(len(replay.moments) - 1) == replay.lines
    told = [line for at in range(len(replay.moments)) for line in replay.lines_of(at)]
    assert told == replay.lines
    marks = [mark.moment for mark in replay.landmarks if mark.is_activation]
    assert replay.next_activation(0, 1) == marks[0]
    assert replay.next_activation(marks[-1], 1) == len(replay.moments) - 1
    assert replay.next_activation(marks[1], -1) == marks[0]


def test_a_replay_of_something_else_is_refused(folder: Path) -> None:
    path = folder / "bad.ktsim"
    Match.begin(PLAIN, Agreement(), path).close()
    raw = path.read_bytes()
    path.write_bytes(raw.replace(b"gravel-jackals", b"brine-throng-1"))
    with pytest.raises(UserError):
        Replay(path)


def test_a_game_is_called_after_its_killzone_as_that_is_called(folder: Path) -> None:
    setup = replace(PLAIN, board="bheta-decima-1")
    match = Match.begin(setup, Agreement(), folder / "bheta.ktsim")
    assert match.agreement.title.endswith("· set-up · Bheta-Decima 1")
    match.close()
    assert board_title("volkus-2") == "Volkus 2"
    assert board_title("/home/somebody/my-own-yard.yaml") == "My own yard"
