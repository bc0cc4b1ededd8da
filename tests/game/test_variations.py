"""Variations: a game played on from one of its moments, in a file of its own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.game.players import Sampler
from ktsim.game.record import load
from ktsim.game.session import Session
from ktsim.game.setup import Setup
from ktsim.game.variations import SameDice, branch, tree

PLAIN = Setup(board="open", mission="skirmish", table="plain")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short game in which something was taken back."""
    path = tmp_path_factory.mktemp("games") / "first.ktsim"
    session = Session.begin(PLAIN, path, is_sandbox=True)
    player = Sampler("a game")
    for number in range(150):
        if session.game.pending is None:
            break
        session.submit(player.answer(session.game.pending, session.game))
        if number in (40, 90):
            session.undo()
    session.close()
    return path


def go_on(path: Path, chance: Any, seed: str, steps: int) -> list[str]:
    session, warning = Session.resume(path)
    assert warning == ""
    player = Sampler(seed)
    digests = []
    for _ in range(steps):
        asked = session.game.pending
        if asked is None:
            break
        who = chance if asked.seat == "chance" and chance is not None else player
        session.submit(who.answer(asked, session.game))
        digests.append(session.game.digest())
    session.close()
    return digests


def test_a_variation_begins_with_the_same_answers_and_leaves_the_game_alone(played: Path) -> None:
    before = played.read_bytes()
    answers = load(played).recorded.answers()
    made = branch(played, 60, "the other flank")
    assert load(made).recorded.answers() == answers[:60]
    assert played.read_bytes() == before
    first = go_on(made, None, "otherwise", 20)
    assert main(["replay", str(made), "--check"]) == 0
    assert len(load(made).recorded.answers()) == 80
    assert first[-1] == load(made).game.digest()


@pytest.mark.parametrize("after", [-1, 10_000])
def test_a_moment_that_is_not_there_is_refused(played: Path, after: int) -> None:
    with pytest.raises(UserError, match="there is no moment"):
        branch(played, after)


def test_the_same_dice_and_choices_give_the_same_game(played: Path) -> None:
    loaded = load(played)
    answers = loaded.recorded.answers()
    made = branch(played, 50)
    dice = SameDice(loaded, 50, "anew")
    session, _ = Session.resume(made)
    for answer in answers[50:]:
        asked = session.game.pending
        assert asked is not None
        session.submit(dice.answer(asked, session.game) if asked.seat == "chance" else answer)
    assert session.game.digest() == loaded.game.digest()
    session.close()


def test_dice_that_fell_are_given_in_order_and_then_rolled_anew(played: Path) -> None:
    loaded = load(played)
    dice = SameDice(loaded, 0, "anew")
    fallen = {topic: list(rolls) for topic, rolls in dice._fallen.items()}
    assert fallen
    go_on(branch(played, 0), dice, "other choices", 400)
    left = {topic: list(rolls) for topic, rolls in dice._fallen.items()}
    assert all(rolls == fallen[topic][len(fallen[topic]) - len(rolls) :] for topic, rolls in left.items())
    assert left != fallen


def test_variations_form_a_tree(tmp_path: Path, played: Path) -> None:
    root = tmp_path / "game.ktsim"
    root.write_bytes(played.read_bytes())
    late, early = branch(root, 30, "late"), branch(root, 10, "early")
    deeper = branch(early, 5)
    (tmp_path / "broken.ktsim").write_text("no game")
    (node,) = tree(tmp_path.glob("*.ktsim"))
    assert (node.path, [each.title for each in node.variations]) == (root, ["early", "late"])
    assert [each.path for each in node.variations[0].variations] == [deeper]
    root.unlink()
    assert {each.path for each in tree(tmp_path.glob("*.ktsim"))} == {late, early}


def test_the_command_plays_on_from_a_moment(
    played: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.ktsim"
    own.write_bytes(played.read_bytes())
    monkeypatch.setattr("builtins.input", lambda: "quit")
    assert main(["play", "--text", "--load", str(own), "--after", "20", "--same-dice"]) == 0
    made = tmp_path / "own (variation).ktsim"
    assert len(load(made).recorded.answers()) >= 20
    assert main(["play", "--text", "--after", "3"]) == 2
    assert main(["play", "--text", "--same-dice"]) == 2
    assert "--load" in capsys.readouterr().err
