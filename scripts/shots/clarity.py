"""The screens that say what threatens, what can be done to an enemy, what a bot has done and what is to be scored."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from desktop_driver import Driver
from play_driver import game, rest, show

from ktsim.app.play.draft import Draft
from ktsim.app.play.match import Match
from ktsim.app.play.saves import Agreement
from ktsim.game.setup import Setup

from . import shot
from .playing import VOLKUS, asked, played, topic

SPREAD = ((12, 12), (14, 4), (20, 14), (22, 8), (24, 18), (27, 4), (13, 18))


def in_the_open(driver: Driver, *answers: str) -> Match:
    """A game in which both sides have come out of their drop zones; the first of red's acts and some answers are
    given."""
    match = asked(driver, topic("activate"), VOLKUS, 4, ())
    state, draft = match.game.state, match.draft
    assert draft is not None
    who = state.operatives[draft.prompt.choices[0].key]
    who.x, who.y, who.level = 6000, 10000, 0
    for (x, y), enemy in zip(SPREAD, state.enemies(who.id), strict=False):
        enemy.x, enemy.y, enemy.level, enemy.order = 1000 * x, 1000 * y, 0, "engage"
    state.turning_point = 2
    for answer in (who.id, *answers):
        match.submit(answer)
        match.advance()
    driver.desktop.settings = replace(driver.desktop.settings, motion=False)
    show(driver, match)
    rest(driver)
    return match


def point_at(driver: Driver, id: str) -> None:
    """The pointer on an operative, long enough for its card."""
    screen = game(driver)
    one = next(one for one in screen.table.scene().operatives if one.id == id)
    place = screen.picture.places([(one.x, one.y, one.level + 0.6)])[0]
    assert place is not None
    driver.point(*place)
    rest(driver)
    rest(driver)


def enemy_of(match: Match, number: int = 0) -> str:
    assert match.draft is not None
    return match.game.state.enemies(match.draft.prompt.operative)[number].id


@shot("play-hovered")
def hovered(driver: Driver) -> None:
    match = in_the_open(driver, "engage")
    point_at(driver, enemy_of(match))


@shot("play-threats")
def threatened(driver: Driver) -> None:
    in_the_open(driver, "engage", "Reposition")
    draft = game(driver).match.draft
    assert draft is not None
    draft.put((5000, 6500, 0))
    driver.desktop.refresh()
    rest(driver)
    rest(driver)


@shot("play-danger")
def danger(driver: Driver) -> None:
    in_the_open(driver, "engage", "Reposition")
    driver.key("d")
    rest(driver)


@shot("play-attack-menu")
def attack_menu(driver: Driver) -> None:
    match = in_the_open(driver)
    rest(driver)
    game(driver).aimed_at = enemy_of(match)
    driver.desktop.refresh()
    rest(driver)


@shot("play-mission")
def mission(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.topic == "action", Setup(board="volkus-1"), seed=3)
    game(driver).tab = "mission"
    driver.desktop.refresh()


@shot("play-equipment-secret")
def equipment(driver: Driver) -> None:
    played(driver, topic("equipment"), Setup(board="volkus-1"), seed=3)
    game(driver).match.accept()
    driver.desktop.refresh()


@shot("play-recap")
def recap(driver: Driver) -> None:
    """What a bot has done, once it has hurt somebody."""
    agreement, path = Agreement(red="purposeful"), Path(mkdtemp()) / "game.ktsim"
    setup = Setup(board="volkus-1", mission="skirmish")
    match = Match.begin(setup, agreement, path, dice=Random(3), clock=driver.desktop.clock)
    match.shown.is_animated, match.recaps.is_on, rng = False, True, Random(3)

    def answer(draft: Draft) -> object:
        keys = [choice.key for choice in draft.prompt.choices if not choice.refusal]
        wanted = [key for key in ("engage", "Reposition") if key in keys]
        return wanted[0] if wanted else draft.decision.sample(rng)

    until = time.monotonic() + 240
    while time.monotonic() < until:
        if not match.advance():
            time.sleep(0.002)  # the bot thinks in a process of its own
        if match.recaps.pending is not None:
            if match.recaps.hits:
                break
            match.skip()
        elif (draft := match.draft) is not None and not match.submit(answer(draft)):
            match.submit(draft.decision.sample(rng))
    driver.desktop.settings = replace(driver.desktop.settings, motion=False)
    show(driver, match)
    rest(driver)
