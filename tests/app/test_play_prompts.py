"""Every decision has a prompt: its own options and refusals, whatever it is about."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from ktsim.app.play import topics
from ktsim.app.play.draft import Draft
from ktsim.app.play.logbook import Logbook, score_of
from ktsim.app.play.prompt import NOBODY, answer_words, prompt_of, split_text
from ktsim.app.play.roster import roster_of
from ktsim.app.play.tray import Rolled, tray_of, tray_of_rolls
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.attack import Die, Hand
from ktsim.rules.engine.decisions import CANCEL, Decision, Option, Pick, PickSome, Place, Roll, Walk
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import SIDES
from ktsim.sight.part_names import spaced

PLAIN = Setup(board="open", table="plain", mission="skirmish")


@dataclass(frozen=True, kw_only=True)
class Guess(Decision[int]):
    """A kind of decision no window has ever heard of."""

    def check(self, answer: object) -> str | None:
        return None if isinstance(answer, int) and answer > 2 else "Guess more than 2."

    def sample(self, rng: Random) -> int:
        return rng.randint(3, 9)


def some_decisions() -> list[Decision[Any]]:
    options = (Option("a", "First"), Option("b", "Second", "It is locked.", "KT24-X"), Option("c", "Third"))
    return [
        Pick(seat="red", topic="unheard of", prompt="Which?", options=options),
        Pick(seat="blue", topic="secret op", prompt="Which op?", options=options, secret=True),
        PickSome(seat="red", topic="kit", prompt="Which ones?", options=options, least=1, most=2),
        Place(seat="red", topic="barrel", prompt="Where?", refuse=lambda p: None, suggest=lambda r: (1, 2, 0)),
        Walk(
            seat="red",
            topic="stroll",
            prompt="Whither?",
            operative="red-warden-captain-1",
            allowance=6,
            refuse=lambda path: None,
            suggest=lambda rng: ((1, 2, 0),),
        ),
        Roll(topic="luck", prompt="Luck", count=2, roller="blue"),
        Guess(seat="red", topic="guess", prompt="Guess."),
    ]


@pytest.mark.parametrize("decision", some_decisions(), ids=lambda decision: type(decision).__name__)
def test_a_decision_nobody_has_heard_of_has_a_prompt(decision: Decision[Any]) -> None:
    battle = new_game(PLAIN).battle
    prompt = topics.shown(decision, 7, battle)
    assert prompt.text == decision.prompt
    assert prompt.number == 7
    assert prompt.is_secret == decision.secret
    draft = Draft(prompt, decision)
    rng = Random(1)
    answer = decision.sample(rng)
    match prompt.kind:
        case "pick" | "some":
            assert [choice.key for choice in prompt.choices] == ["a", "b", "c"]
            assert [choice.refusal for choice in prompt.choices] == ["", "It is locked.", ""]
            draft.marked.clear()
            draft.mark("b")
            assert draft.marked == []
            draft.mark("c")
            assert draft.answer() == ("c" if prompt.kind == "pick" else ("c",))
        case "place":
            assert draft.problem()
            draft.put((5, 6, 0))
            assert draft.answer() == (5, 6, 0)
        case "roll":
            assert draft.problem()
            for face in (3, 4, 5):
                draft.roll(face)
            assert draft.answer() == (3, 4)
        case "other":
            assert draft.answer() > 2
    assert answer_words(decision, answer)
    assert prompt.kind == "walk" or draft.problem() == ""


def test_nothing_is_chosen_beforehand_in_secret() -> None:
    decision = some_decisions()[1]
    prompt = prompt_of(decision, 0, new_game(PLAIN).battle)
    assert prompt.needs_confirming
    assert Draft(prompt, decision).marked == []


def test_waypoints_stay_and_the_end_is_replaced() -> None:
    decision = some_decisions()[4]
    draft = Draft(prompt_of(decision, 0, new_game(PLAIN).battle), decision)
    draft.put((1, 1, 0))
    draft.put((2, 2, 0), is_waypoint=True)
    draft.put((3, 3, 0))
    draft.put((4, 4, 0))
    assert draft.points == [(2, 2, 0), (4, 4, 0)]
    assert draft.back()
    draft.nudge(10, -10, (9, 9, 0))
    assert draft.points == [(2, 2, 0), (19, -1, 0)]
    assert draft.can_cancel


def test_random_games_ask_nothing_a_prompt_changes() -> None:
    """Prompts of whole games: the same answers on offer, refused for the same reason; words, dice and rosters too."""
    kinds: Counter[str] = Counter()
    packs = [PLAIN, PLAIN, Setup(board="training-ground", table="plain"), Setup(board="training-ground", table="plain")]
    for seed, setup in enumerate(packs):
        game = new_game(setup)
        rng = Random(seed)
        log = Logbook(game)
        while game.pending is not None:
            decision = game.pending
            before = game.digest()
            prompt = topics.shown(decision, len(game.answers), game.battle)
            if isinstance(decision, (Pick, PickSome)):
                assert {choice.key for choice in prompt.choices} == {option.key for option in decision.options}
                refused = {option.key: option.refusal or "" for option in decision.options}
                for choice in prompt.choices:
                    assert bool(choice.refusal) == bool(refused[choice.key])
                    assert choice.refusal.lower() in spaced(refused[choice.key]).lower()
                    assert choice.title
            draft = Draft(prompt, decision)
            if isinstance(decision, Pick) and NOBODY in decision.open_keys and len(decision.open_keys) > 1:
                assert draft.answer() is None, "nobody, or somebody, is never taken for granted"
            elif decision.topic == "equipment":
                assert decision.check(draft.answer()) is None, "what suits the killzone"
            elif decision.default is not None and prompt.kind != "place":
                assert draft.answer() == decision.default
            tray_of(decision.about, game.battle)
            for side in SIDES:
                assert len(roster_of(game.battle, side)) == sum(o.side == side for o in game.state.operatives.values())
            assert game.digest() == before
            answer = decision.sample(rng)
            assert answer_words(decision, answer)
            kinds[decision.topic] += 1
            if isinstance(decision, Roll):
                rolled = Rolled(len(game.answers), decision.prompt, decision.roller or "", answer, decision.about)
                tray = tray_of_rolls([rolled])
                assert tray is not None
                row = tray.rows[0]
                assert sorted(die.face for die in row.dice[: row.rolling]) == sorted(answer)
            game.submit(answer)
            log.follow()
        told = [line.text for line in log.lines]
        assert any("Turning point 4" in text for text in told)
        sheet = score_of(game)
        for side in SIDES:
            assert sheet.totals[side] == sum(sum(row.points[side]) for row in sheet.rows)
    assert {"activate", "order", "action", "move", "target", "attack", "defence", "set up"} <= set(kinds)
    assert {"tac op", "set up next", "drop zone"} <= set(kinds)


def test_the_tray_shows_what_every_die_counts_as() -> None:
    battle = new_game(PLAIN).battle
    hand = Hand("red", "red-x", "blue-y", 4, 3, 3, 4, dice=(Die(1), Die(3), Die(6)), unrolled=1, name="Ann")
    tray = tray_of(hand, battle)
    assert tray is not None
    assert [(die.face, die.counts) for die in tray.rows[0].dice] == [
        (1, "fail"),
        (3, "success"),
        (6, "critical"),
        (0, "success"),
    ]
    kept = hand._replace(dice=(), normals=2, crits=1, unrolled=0)
    shot = Shot(kept, "blue", 4, dice=(Die(2), Die(5)), kept_normals=1, stage="block")
    tray = tray_of(shot, battle)
    assert tray is not None
    assert [die.counts for die in tray.rows[0].dice] == ["critical", "success", "success"]
    assert [die.counts for die in tray.rows[1].dice] == ["fail", "success", "success"]
    tray = tray_of(Duel((hand, kept), (8, 5)), battle)
    assert tray is not None
    assert [row.note for row in tray.rows] == ["attack 3+ · 8 wounds", "attack 3+ · 5 wounds"]
    assert tray_of("anything else", battle) is None


def test_long_texts_are_split_where_they_say_so() -> None:
    assert split_text("Short: and sweet") == ("Short: and sweet", "")
    assert split_text("Hold the line (1CP): your weapons are heavier until the end") == (
        "Hold the line (1CP)",
        "your weapons are heavier until the end",
    )
    assert split_text("A name as long as a title can be (and a note in brackets)") == (
        "A name as long as a title can be",
        "and a note in brackets",
    )


def test_calling_a_move_off_is_said_in_words() -> None:
    assert answer_words(some_decisions()[4], CANCEL) == "Cancel the action"
