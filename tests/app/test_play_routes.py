"""Routes in the window: what a refused one says, and what the pointer says before anything is clicked."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import begin, driver, engine, game, rest

from ktsim.app.play.draft import Draft
from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.routes import Route
from ktsim.app.stage.overlays import Ghost, Label
from ktsim.app.stage.ways import RouteLeg
from ktsim.game.setup import Setup
from ktsim.rules.engine.decisions import Walk

__all__ = ["driver", "engine"]


def walking(driver: Driver, path: Path) -> tuple[GameScreen, Draft]:
    """A game on the bare board, at the question where a Reposition of somebody in the open ends."""
    begin(driver, path, Setup(board="open", mission="skirmish"))
    match, rng = game(driver).match, Random(3)
    match.shown.is_animated = False
    while not isinstance(match.decision, Walk):
        match.advance()
        decision = match.decision
        assert decision is not None
        if match.asks_person(decision) and not isinstance(decision, Walk):
            keys = [option.key for option in getattr(decision, "options", ()) if option.refusal is None]
            match.submit("Reposition" if "Reposition" in keys else decision.sample(rng))
    driver.settle()
    assert match.draft is not None
    return game(driver), match.draft


def pixel(driver: Driver, x: float, y: float) -> tuple[float, float]:
    ((px, py, _),) = game(driver).picture.pose().project([(x, y, 0.0)], driver.desktop.size)
    return float(px), float(py)


def ghosts(driver: Driver) -> list[bool | None]:
    return [item.allowed for item in game(driver).picture.items if isinstance(item, Ghost)]


def labels(driver: Driver) -> str:
    return " ".join(item.text for item in game(driver).picture.items if isinstance(item, Label))


def test_a_refused_route_with_waypoints_lists_every_leg_and_what_it_costs_in_all(
    driver: Driver, tmp_path: Path
) -> None:
    screen, draft = walking(driver, tmp_path / "game.ktsim")
    match = screen.match
    allowance = draft.prompt.allowance
    x, y, level = match.game.state.operatives[draft.prompt.operative].point
    way = 1 if x < 15000 else -1
    draft.put((x + way * 3000, y, level), is_waypoint=True)
    draft.put((x + way * (3000 + allowance * 1000 - 2000), y, level))
    driver.desktop.refresh()
    rest(driver)
    route = draft.route
    assert route is not None
    assert [leg.paid for leg in route.legs] == [3, allowance - 2]
    assert route.legs[0].start == (x, y, level)
    assert route.total == allowance + 1
    assert route.is_whole
    assert f'{allowance + 1}" in all, {allowance}" allowed' in driver.said()
    assert "too far" in driver.said()
    assert f'costs {allowance + 1}"' in route.refusal

    draft.put((x + way * 3000, y, level), is_waypoint=False)
    while draft.back():
        pass
    draft.put((x + way * 3000, y, level), is_waypoint=True)
    draft.put((x, -3000, level))
    driver.desktop.refresh()
    rest(driver)
    assert draft.route is not None
    assert not draft.route.is_whole
    assert [leg.paid for leg in draft.route.legs] == [3]
    assert '3" paid so far' in driver.said()
    assert "KT24-MOVE" in draft.route.rule
    assert draft.route.rule in driver.said(), "a refusal names its rule"


@pytest.mark.rule("KT24-MOVE-1")
def test_what_the_map_says_before_a_way_was_looked_for_names_the_rule_too(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, draft = walking(driver, tmp_path / "game.ktsim")
    rest(driver)
    x, y, level = screen.match.game.state.operatives[draft.prompt.operative].point
    ask = screen.table.jobs.ask
    monkeypatch.setattr(screen.table.jobs, "ask", lambda what, *rest: None if what == "planning" else ask(what, *rest))
    draft.put((x + (20000 if x < 15000 else -20000), y, level))
    driver.desktop.refresh()
    driver.settle()
    assert draft.route is not None
    assert draft.route.refusal.startswith("Out of reach")
    assert draft.route.rule == "KT24-MOVE-1"
    assert "KT24-MOVE-1" in driver.said()


def test_the_pointer_says_nothing_until_it_is_known_and_then_why_not(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen, draft = walking(driver, tmp_path / "game.ktsim")
    x, y, _ = (value / 1000 for value in screen.match.game.state.operatives[draft.prompt.operative].point)
    way = 1 if x < 15 else -1
    with monkeypatch.context() as patch:
        patch.setattr(screen.table, "reach", lambda: None)
        driver.point(*pixel(driver, x + way * 3, y))
        driver.settle()
        assert ghosts(driver) == [None]
        driver.point(*pixel(driver, x, -2.0 if y < 11 else 24.0))
        driver.settle()
        assert ghosts(driver) == [False]
        assert "leave the board" in labels(driver)
    rest(driver)
    driver.point(*pixel(driver, x + way * 3, y))
    rest(driver)
    assert ghosts(driver) == [True]
    assert '"' in labels(driver)
    driver.point(*pixel(driver, x + way * (draft.prompt.allowance + 2), y))
    rest(driver)
    assert ghosts(driver) == [False]
    assert "The cheapest way costs" in labels(driver)


def test_a_route_is_whole_when_its_legs_lead_to_its_end() -> None:
    leg = RouteLeg("move", (0, 0, 0), (3000, 0, 0), 3.0, 3)
    assert Route(((3000, 0, 0),), (leg,), 3).is_whole
    assert not Route(((3000, 0, 0), (5000, 0, 0)), (leg,), 3, "No way.").is_whole
    assert not Route(((3000, 0, 0),), (), 0, "No way.").is_whole
