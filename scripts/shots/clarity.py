"""The screens that say what threatens, what can be done to an enemy and what is to be scored."""

from __future__ import annotations

from desktop_driver import Driver
from play_driver import game, rest

from ktsim.game.setup import Setup

from . import shot
from .playing import played, topic

FIGHTING = ("engage", "Reposition")


def point_at(driver: Driver, id: str) -> None:
    """The pointer on an operative, long enough for its card."""
    screen = game(driver)
    one = next(one for one in screen.table.scene().operatives if one.id == id)
    place = screen.picture.places([(one.x, one.y, one.level + 0.6)])[0]
    assert place is not None
    driver.point(*place)
    rest(driver)
    rest(driver)


@shot("play-hovered")
def hovered(driver: Driver) -> None:
    match = played(driver, topic("action"), prefer=FIGHTING, seed=6)
    enemies = match.game.state.enemies(match.draft.prompt.operative)  # type: ignore[union-attr]
    point_at(driver, enemies[0].id)


@shot("play-threats")
def threatened(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.kind == "walk" and draft.prompt.allowance > 4, prefer=FIGHTING, seed=6)
    screen = game(driver)
    reach, draft = screen.table.reach(), screen.match.draft
    assert reach is not None
    assert draft is not None
    far = max(reach.cells, key=lambda cell: cell[5])
    draft.put((round(500 * (far[0] + far[2])), round(500 * (far[1] + far[3])), round(1000 * far[4])))
    driver.desktop.refresh()
    rest(driver)
    rest(driver)


@shot("play-danger")
def danger(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.kind == "walk" and draft.prompt.allowance > 4, prefer=FIGHTING, seed=6)
    driver.key("d")
    rest(driver)


@shot("play-attack-menu")
def attack_menu(driver: Driver) -> None:
    match = played(driver, topic("order"), prefer=("Reposition",), seed=5)
    rest(driver)
    enemies = match.game.state.enemies(match.draft.prompt.operative)  # type: ignore[union-attr]
    game(driver).aimed_at = enemies[0].id
    driver.desktop.refresh()
    rest(driver)


@shot("play-mission")
def mission(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.topic == "action", Setup(board="volkus-1"), seed=3)
    game(driver).tab = "mission"
    driver.desktop.refresh()
