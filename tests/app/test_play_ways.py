"""Breach points and teleport pads on the table of a game: marked where they can be used, chosen by a click."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import begin, driver, engine, game, rest

from ktsim.app.play.match import Match
from ktsim.app.stage.overlays import Label
from ktsim.game.setup import Setup
from ktsim.rules.engine.state import Point

__all__ = ["driver", "engine"]  # fixtures

TOMB = Setup(board="tomb-world-1", mission="skirmish", red="keelwrights", blue="keelwrights")
BESIDE = (13750, 16540, 0)
"""In front of breach-1."""


def acting(driver: Driver, path: Path, at: Point, name: str = "") -> Match:
    """A game in turning point 2 at the question what somebody (called *name*) at a place does."""
    begin(driver, path, TOMB)
    match, rng = game(driver).match, Random(3)
    match.shown.is_animated = False
    for _ in range(400):
        match.advance()
        decision = match.decision
        assert decision is not None
        if decision.topic == "activate":
            break
        match.submit(decision.sample(rng))
    state = match.game.state
    ready = [who for who in state.ready(decision.seat) if name in who.name]  # type: ignore[arg-type]
    who = ready[0]
    who.x, who.y, who.level = at
    state.turning_point = 2
    for answer in (who.id, "engage"):
        match.submit(answer)
        match.advance()
    while match.decision is not None and match.decision.topic != "action":
        match.submit(match.decision.default)
        match.advance()
    driver.desktop.refresh()
    rest(driver)
    return match


def pixel(driver: Driver, x: float, y: float, z: float) -> tuple[float, float]:
    ((px, py, _),) = game(driver).picture.pose().project([(x, y, z)], driver.desktop.size)
    return float(px), float(py)


def labels(driver: Driver) -> list[str]:
    return [item.text for item in game(driver).picture.items if isinstance(item, Label)]


def way_of(match: Match, key: str) -> tuple[str, ...]:
    assert match.draft is not None
    choice = match.draft.prompt.choice(key)
    return () if choice is None else choice.features


@pytest.mark.rule("KZ-TOMB-BREACH")
def test_a_click_on_a_breach_point_breaches(driver: Driver, tmp_path: Path) -> None:
    match = acting(driver, tmp_path / "game.ktsim", BESIDE, "Riveter")
    assert way_of(match, "Breach") == ("breach-1",)
    assert way_of(match, "Shoot") == ()
    assert "Breach" in labels(driver)
    driver.click(*pixel(driver, 13.75, 15.66, 2.3))
    rest(driver)
    assert match.game.state.terrain["breach-1"] == "open"
    assert "Breach" not in labels(driver)
    assert way_of(match, "Breach") == ()


@pytest.mark.rule("KZ-TOMB-PAD")
def test_the_other_pad_is_marked_and_a_route_leads_there(driver: Driver, tmp_path: Path) -> None:
    match = acting(driver, tmp_path / "game.ktsim", (5900, 9793, 100))
    match.submit("Reposition")
    match.advance()
    driver.desktop.refresh()
    rest(driver)
    assert "teleport" in labels(driver)
    reach = game(driver).table.reach()
    assert reach is not None
    assert reach.cost_at((21600, 13707, 100)) == 0
    draft = match.draft
    assert draft is not None
    draft.put((21600, 13707, 100))
    driver.desktop.refresh()
    rest(driver)
    assert draft.route is not None
    assert [(leg.kind, leg.paid) for leg in draft.route.legs] == [("teleport", 0)]
    assert "1  teleport" in labels(driver)
    driver.press("confirm")
    rest(driver)
    assert match.game.state.operatives[draft.prompt.operative].point == (21600, 13707, 100)
    assert any("instead of moving" in line.text for line in match.log.lines)
