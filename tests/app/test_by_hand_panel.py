"""Cards at their moment, and the panel in which a player does by hand what they say."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import driver, engine, game, rest, show
from whole_team import downloaded

from ktsim.app.play.cards_now import CardsNowScreen, cards_now
from ktsim.app.play.hand_screen import HandScreen
from ktsim.app.play.match import Match
from ktsim.app.play.replay import Replay
from ktsim.app.play.saves import Agreement
from ktsim.app.play.sequence import AttackPair
from ktsim.app.teams.cards_screen import CardsScreen
from ktsim.game.record import load
from ktsim.game.setup import Setup
from ktsim.game.team_library import take_in
from ktsim.rules.engine.by_hand import Deed

__all__ = ["driver", "engine"]


def begun(tmp_path: Path, topic: str, seed: int = 4) -> Match:
    """A match of two teams with cards, at the first question of a topic."""
    moths = take_in(downloaded(tmp_path / "download")).key
    setup = Setup(board="open", table="plain", mission="skirmish", blue=moths, red=moths)
    match = Match.begin(setup, Agreement(), tmp_path / "game.ktsim", dice=Random(2), is_animated=False)
    rng = Random(seed)
    while match.decision is not None and match.decision.topic != topic:
        match._submit(match.decision.sample(rng))
    return match


def titles(match: Match, attack: AttackPair | None = None) -> set[str]:
    return {each.card.title for each in cards_now(match.game, attack)}


def test_cards_come_at_their_moment(driver: Driver, tmp_path: Path) -> None:
    match = begun(tmp_path, "gambit")
    assert titles(match) == {"Moonrise"}  # the other strategy ploy is enforced and has no card
    match.close()


def test_cards_of_whoever_acts_and_is_shot_at(driver: Driver, tmp_path: Path) -> None:
    match = begun(tmp_path, "action")
    now = match.game.state.activation
    assert now is not None
    assert {"Drawn to it", "Flutter"} <= titles(match)
    assert "Moonrise" not in titles(match)
    side = match.game.state.operatives[now.operative].side
    keeper = next(w for w in match.game.state.operatives.values() if w.name == "Keeper" and w.side != side)
    fought = titles(match, AttackPair(now.operative, keeper.id, False))
    assert "Old grudge" in fought
    assert "Old grudge" not in titles(match, AttackPair(now.operative, keeper.id, True))
    match.close()


def test_a_card_is_looked_at_and_done_by_hand(driver: Driver, tmp_path: Path) -> None:
    match = begun(tmp_path, "action")
    show(driver, match)
    rest(driver)
    assert "cards now: " in driver.said()
    before, count = match.game.digest(), len(match.game.answers)
    driver.press("cards-now")
    assert isinstance(driver.desktop.top, CardsNowScreen)
    assert "Once per turning point a moth may circle a lamp of yours." in driver.said()
    driver.press("datacards-blue")
    assert isinstance(driver.desktop.top, CardsScreen)
    assert "Storm lamp" in driver.said()
    driver.press("close")
    driver.press("hand-0")
    panel = driver.desktop.top
    assert isinstance(panel, HandScreen)
    assert panel.reason in ("Drawn to it", "Flutter")  # why is the card's title
    acting = match.game.state.activation
    assert acting is not None
    wounds = match.game.state.operatives[acting.operative].wounds
    panel.who = acting.operative
    driver.settle()
    driver.press("less")
    driver.press("do")
    assert driver.desktop.top is game(driver)
    assert match.game.state.operatives[acting.operative].wounds == wounds - 2
    assert any("By hand" in line.text and panel.reason in line.text for line in match.log.lines)
    assert match.undo_words == f"By hand: {panel.reason}"
    assert match.path is not None
    assert load(match.path).game.digest() == match.game.digest()
    replay = Replay(match.path)
    while not replay.is_ready:
        replay.load()
    assert any("By hand" in line.text for line in replay.lines)
    driver.press("undo")
    assert match.game.digest() == before
    assert len(match.game.answers) == count


def test_what_cannot_be_done_now_says_why(driver: Driver, tmp_path: Path) -> None:
    match = begun(tmp_path, "action")
    show(driver, match)
    driver.press("by-hand")
    panel = driver.desktop.top
    assert isinstance(panel, HandScreen)
    assert "Say why: the log keeps it." in driver.said()
    assert "do" in driver.desktop.ui.locked
    panel.reason, panel.amount = "a salve", 5
    driver.settle()
    assert "wounds at most" in panel.refusal()
    driver.press("what-apl")
    panel.amount = 1
    assert panel.refusal() == ""


def test_a_free_move_is_clicked_on_the_table(driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = begun(tmp_path, "action")
    show(driver, match)
    screen = game(driver)
    now = match.game.state.activation
    assert now is not None
    x, y, level = match.game.state.operatives[now.operative].point
    driver.press("by-hand")
    panel = driver.desktop.top
    assert isinstance(panel, HandScreen)
    panel.reason = "a gust"
    driver.press("what-move")
    driver.press("do")
    assert screen.moving_by_hand == Deed(panel.by, "a gust", "move", now.operative, (x, y, level))
    monkeypatch.setattr("ktsim.app.play.game_input.point_at", lambda picture, at: (x, y + 300, level))
    middle = screen.layout.middle
    driver.click(middle.x + middle.w / 2, middle.y + middle.h / 2)
    assert match.game.state.operatives[now.operative].point == (x, y + 300, level)


def test_a_die_is_rolled_again(driver: Driver, tmp_path: Path) -> None:
    match = begun(tmp_path, "attack", 7)
    match.advance()
    reason = "a lucky coin"
    side = match.game.state.turn or "red"
    before = match.game.digest()
    assert not match.roll_again(match.rolls[0], 0, side, reason)  # of the roll-off before the battle
    assert match.game.digest() == before
    rolled = next(each for each in reversed(match.rolls) if len(each.faces) > 2)
    assert match.roll_again(rolled, 0, side, reason)
    after = match.game.answers[rolled.number + 1]
    assert match.game.answers[rolled.number][:3] == ("by hand", side, reason)
    assert after[1:] == rolled.faces[1:]  # only that die
    assert any("is rolled again" in line.text and reason in line.text for line in match.log.lines)
    assert match.path is not None
    assert load(match.path).game.digest() == match.game.digest()
    match.close()
