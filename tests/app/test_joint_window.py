"""Joint missions at the window: agreeing on one, who is asked, what is told."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import driver, engine, game

from ktsim.app.play.banner import banner_of
from ktsim.app.play.joint_screen import JointScreen
from ktsim.app.play.match import Match
from ktsim.app.play.roster import roster_of
from ktsim.app.play.saves import HUMAN, Agreement, Save, read_agreement, title_of
from ktsim.app.play.setup_screen import SetupScreen
from ktsim.game.partners import asks_second
from ktsim.game.setup import Setup

__all__ = ["driver", "engine"]

RELAY = Setup(board="open", table="plain", mission="joint-relay", red="non-player-operatives", players="2")


@pytest.fixture
def joint(driver: Driver) -> JointScreen:
    driver.press("joint")
    screen = driver.desktop.top
    assert isinstance(screen, JointScreen)
    return screen


def test_three_clicks_lead_to_a_mission(driver: Driver, joint: JointScreen) -> None:
    """Joint missions, the empty board (a quick one), Begin."""
    driver.press("board-open")
    driver.press("begin")
    match = game(driver).match
    setup = match.session.setup
    assert (setup.mission, setup.red, setup.difficulty) == ("joint-supply-raid", "non-player-operatives", "normal")
    assert (match.agreement.red, match.agreement.blue, match.agreement.ally) == ("npo", HUMAN, "")
    assert not match.game.battle.mission.is_shared
    game(driver).tab = "mission"
    driver.settle()
    assert "Crates lie at the objective markers" in driver.said()


def test_what_can_be_agreed_on(driver: Driver, joint: JointScreen) -> None:
    for name in ("mission-joint-overseer", "together-commander", "difficulty-hard", "board-gallowdark-2"):
        driver.press(name)
    setup, agreement = joint.setup(), joint.agreement()
    assert (setup.mission, setup.difficulty, setup.players) == ("joint-overseer", "hard", "2")
    assert (agreement.ally, agreement.level) == ("commander", "commander")
    assert "edition-kt21-lite" not in driver.desktop.ui.rects
    assert max(rect.bottom for rect in driver.desktop.ui.rects.values()) <= driver.desktop.ui.rects["begin"].bottom
    driver.press("together-human")
    assert joint.agreement().ally == HUMAN
    driver.press("together-alone")
    assert (joint.setup().players, joint.agreement().ally) == ("1", "")


def test_missions_between_opponents_are_elsewhere(driver: Driver) -> None:
    driver.press("solo")
    page = driver.desktop.top
    assert isinstance(page, SetupScreen)
    assert all("joint" not in offer.key for offer in page._offered("mission"))


def until_activation(match: Match) -> None:
    """Everything before it at random; nobody thinks."""
    rng = Random(2)
    match.shown.is_animated = False
    while match.decision is not None and match.decision.topic != "activate":
        decision = match.decision
        match._submit("pass" if decision.topic == "gambit" else decision.sample(rng))


@pytest.mark.rule("JOINT-SHARE")
def test_two_people_are_told_apart_and_a_bot_has_its_half(tmp_path: Path) -> None:
    for ally, asks, words in ((HUMAN, True, "player 2"), ("random", False, "ally")):
        match = Match.begin(RELAY, Agreement(red="npo", ally=ally), tmp_path / f"{ally}.ktsim", dice=Random(1))
        until_activation(match)
        while match.decision is not None and not asks_second(match.game.battle, match.decision):
            match._submit(match.decision.sample(Random(3)))
        decision = match.decision
        assert decision is not None
        assert asks_second(match.game.battle, decision)
        assert match.asks_person(decision) == asks
        assert banner_of(match.game, "blue", match.agreement, is_thinking=False)[1].endswith(words)
        marked = [who.id for who in roster_of(match.game.battle, "blue") if "second player" in who.tokens]
        assert set(marked) == set(match.game.state.choices["partners"].split(","))
        assert title_of(match.session).startswith("Hold the Relay: Gravel Jackals 0")
        match.close()
        assert match.path is not None
        kept = read_agreement(match.path)
        assert kept.ally == ally
        assert Save(match.path, kept, datetime(2026, 1, 1)).note.startswith("together")


def test_the_end_says_what_became_of_the_mission(tmp_path: Path) -> None:
    match = Match.begin(RELAY, Agreement(), tmp_path / "game.ktsim", dice=Random(1))
    rng = Random(1)
    while match.decision is not None:
        match._submit(match.decision.sample(rng))
    seat, words, _ = match.banner()
    assert words == ("Mission accomplished" if seat == "blue" else "Mission failed")
    match.close()
