"""Secrets at the window: the same game with another secret shows the same, to whoever looks (KT24-SELECT)."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ktsim.app.play import game_view
from ktsim.app.play.logbook import score_of
from ktsim.app.play.match import Match
from ktsim.app.play.replay import Replay
from ktsim.app.play.roster import roster_of
from ktsim.app.play.saves import Agreement, list_saves, note_path
from ktsim.game import secrecy
from ktsim.game.secrecy import Viewer
from ktsim.game.setup import Setup
from ktsim.game.thinking import Server, Thought
from ktsim.rules.engine.decisions import Pick
from ktsim.rules.engine.state import SIDES, Side
from ktsim.rules.kt24.ops.op import revealed_key

SETUP = Setup(board="open", table="plain", crit_op="reboot", handicap_red="-3", handicap_blue="-3")
OPS = ("flank", "retrieval", "scout-enemy-movement")
"""Tac ops of red that only their player reveals."""
NAMES = ("Flank", "Retriev", "Scout", "flank", "retriev", "OP-")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    found = tmp_path / "ktsim" / "games"
    found.mkdir(parents=True)
    return found


def on_screen(match: Match) -> list[Any]:
    """Everything the panels are given to show; with the screen covered only who is to have it."""
    if match.privacy.is_covered:
        return ["covered", match.seat]
    draft, battle = match.draft, match.game.battle
    found: list[Any] = [match.banner(), game_view.bar_data(match), match.notice, match.hint, match.reason]
    found += [match.privacy.may_peek, match.may_step_back, match.undo_words, match.undo_refusal(), match.helped]
    found.append([(line.text, line.subjects) for line in match.log.lines[-20:]])
    found += [score_of(match.game), *(roster_of(battle, side) for side in SIDES)]
    found.append([str(mark) for mark in game_view.standing_marks(match)])
    if draft is not None:
        rows = game_view.choice_rows(match, draft, [], [], None)
        found += [game_view.question_of(match, draft, rows), draft.marked, draft.choices]
    return found


def shown_of(path: Path, op: str, agreement: Agreement, setup: Setup, holder: Side) -> list[Any]:
    """What the window shows, question by question, of a game in which *holder* has this tac op and never uses it."""
    match = Match.begin(setup, agreement, path, dice=Random(4), is_animated=False)
    rng, found = Random(5), []
    while match.decision is not None:
        if agreement.is_hot_seat:
            match.advance()
        decision = match.decision
        assert decision is not None
        found.append(on_screen(match))
        is_its = decision.topic == "tac op" and decision.seat == holder
        match.accept()
        assert match._submit(op if is_its else secrecy.shown(decision, None).sample(rng))
        if match.game.state.turning_point == 3:
            break  # a game that goes on
    assert revealed_key(holder) not in match.game.state.choices
    found.append([(save.title, save.note.partition("·")[0], save.damage) for save in list_saves()])
    note = note_path(path)
    found.append(json.loads(note.read_text(encoding="utf-8")))
    match.close()
    replay = Replay(path)
    while not replay.is_ready:
        replay.load()
    found.append([(each.seat, each.question, each.answer) for each in replay.moments if each.seat])
    found.append([(line.text, line.seat, line.rule, line.subjects) for line in replay.lines])
    found.append(replay.landmarks)
    path.unlink()
    note.unlink()
    return found


@pytest.mark.rule("KT24-SELECT")
def test_a_screen_two_players_share_shows_the_same_whatever_the_secret(folder: Path) -> None:
    """Also where what is obvious is answered by itself."""
    agreement = Agreement(takes_obvious=True)
    first, *others = (shown_of(folder / "a.ktsim", op, agreement, SETUP, "red") for op in OPS)
    assert len(first) > 100
    assert sum(each == ["covered", "red"] for each in first) >= 5
    for other in others:
        assert len(other) == len(first)
        for one, two in zip(first, other, strict=True):
            assert one == two


@pytest.mark.rule("KT24-SELECT")
def test_alone_the_screen_shows_nothing_of_the_others_secret(folder: Path) -> None:
    swapped = Setup(**{**SETUP.to_json(), "red": SETUP.blue, "blue": SETUP.red})
    agreement = Agreement(blue="random")
    first, *others = (shown_of(folder / "a.ktsim", op, agreement, swapped, "blue") for op in OPS)
    for other in others:
        assert other == first


def at_gambit(path: Path, op: str, agreement: Agreement) -> Match:
    match = Match.begin(SETUP, agreement, path, dice=Random(4), is_animated=False)
    rng = Random(5)
    while (decision := match.decision) is not None and (decision.topic, decision.seat) != ("gambit", "red"):
        is_reds = decision.topic == "tac op" and decision.seat == "red"
        assert match._submit(op if is_reds else secrecy.shown(decision, None).sample(rng))
    return match


class Oracle:
    """Stands in for the thinking process and answers in its place."""

    def __init__(self) -> None:
        self.viewer: Viewer = "blue"
        self._server = Server()
        self._server.reply({"setup": SETUP.to_json()})
        self.is_thinking = False
        self._request: dict[str, Any] = {}

    def ask(self, bot: str, answers: list[Any], digest: str, viewer: Viewer, *, wants_plan: bool) -> None:
        self.viewer = viewer
        request = {"stand": 0, "answers": answers, "hash": digest, "bot": bot, "viewer": viewer}
        self._request = request | {"seed": 1, "level": "easy", "seconds": None}

    def poll(self) -> Thought:
        reply = self._server.reply(self._request)
        return Thought(reply["answer"], reply["reason"])

    def stop(self) -> None: ...

    close = prepare = stop


def hinted(match: Match) -> tuple[str, Oracle]:
    oracle = Oracle()
    match.mind.thinker = oracle  # type: ignore[assignment]
    match.ask_hint("tactician")
    match.advance()
    return match.hint, oracle


@pytest.mark.rule("KT24-SELECT")
def test_a_hint_knows_what_whoever_reads_it_may_know(folder: Path) -> None:
    said = []
    for op in OPS:
        match = at_gambit(folder / f"{op}.ktsim", op, Agreement())
        hint, oracle = hinted(match)
        assert oracle.viewer is None
        assert not [name for name in NAMES if name in hint]
        said.append((hint, match.draft.marked if match.draft is not None else None))
        match.peek()
        assert match.hint == "", "nothing said to one is left for two, nor the other way round"
        match.accept()
        assert hinted(match)[1].viewer == "red"
        match.peek(False)
        assert match.hint == ""
        match.close()
    assert said[0] == said[1] == said[2]
    alone = at_gambit(folder / "alone.ktsim", "flank", Agreement(blue="random"))
    assert hinted(alone)[1].viewer == "red"
    alone.close()


@pytest.mark.rule("KT24-SELECT")
def test_to_look_at_secret_options_is_offered_until_they_are_known(folder: Path) -> None:
    match = at_gambit(folder / "a.ktsim", "flank", Agreement())
    assert match.privacy.may_peek
    assert match.draft is not None
    assert "flank" not in [choice.key for choice in match.draft.choices]
    match.peek()
    match.accept()
    assert match.draft is not None
    assert "flank" in [choice.key for choice in match.draft.choices]
    assert match.submit("flank")
    assert match.undo_words == "a secret choice"
    assert not match.undo()
    assert "only if both players agree" in match.notice
    decision = match.decision
    while isinstance(decision, Pick) and (decision.seat, decision.topic) != ("red", "gambit"):
        match.submit(secrecy.shown(decision, None).sample(Random(1)))
        decision = match.decision
    assert not match.privacy.may_peek
    match.close()


@pytest.mark.rule("KT24-SELECT")
def test_going_back_covers_what_one_player_was_looking_at(folder: Path) -> None:
    """Whoever goes back there need not be the one who looked."""
    match = at_gambit(folder / "a.ktsim", "flank", Agreement())
    assert match.draft is not None
    assert match.draft.choices[0].key == "primary op", "what is due comes first"
    match.peek()
    match.accept()
    assert match.submit("primary op")
    assert match.undo()
    assert not match.privacy.is_private
    assert match.draft is not None
    assert "flank" not in [choice.key for choice in match.draft.choices]
    match.redo()
    assert match.privacy.is_covered
    match.accept()
    assert match.undo()
    match.redo()
    assert match.privacy.is_covered, "it was accepted before the game went back"
    match.close()
