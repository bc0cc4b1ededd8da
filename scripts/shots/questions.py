"""One screen for every other kind of question a game asks, and the states between questions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from desktop_driver import Driver
from play_driver import game, rest, show

from ktsim.app.play.draft import Draft
from ktsim.app.play.game_screen import show_game
from ktsim.app.play.match import Match
from ktsim.app.play.saves import Agreement
from ktsim.app.play.setup_screen import MendScreen, SavesScreen, SetupScreen
from ktsim.game.setup import Setup

from . import shot
from .playing import SHOOTING, asked, played, topic

OPS_2024 = Setup(board="volkus-1", table="plain")
OPS_2025 = replace(OPS_2024, mission="approved-ops-2025")
PATIENCE = 90.0
"""Seconds a bot has to think: what is drawn must not hang on how busy the machine is."""
FIGHTING = ("engage", "Fight", "Charge", "Reposition")

QUESTIONS: dict[str, tuple[Callable[[Draft], bool], Setup, tuple[str, ...]]] = {
    "drop-zone": (topic("drop zone"), OPS_2024, ()),
    "equipment": (lambda draft: draft.prompt.topic == "equipment" and draft.prompt.kind == "some", OPS_2024, ()),
    "item": (topic("item"), OPS_2024, ()),
    "placing-equipment": (topic("place item"), OPS_2024, ()),
    "turn": (topic("turn"), OPS_2025, ()),
    "set-up-next": (topic("set up next"), OPS_2024, ()),
    "scouting": (topic("scouting"), OPS_2024, ()),
    "card": (topic("card"), OPS_2025, ()),
    "primary-op": (topic("primary op"), OPS_2024, ()),
    "order": (topic("order"), OPS_2024, ()),
    "counteract": (topic("counteract"), OPS_2025, ("engage",)),
    "ploy": (topic("ploy"), OPS_2025, SHOOTING),
    "enemy": (topic("enemy"), OPS_2025, FIGHTING),
}


def ask(driver: Driver, name: str) -> Match:
    """The first of some random games that asks this."""
    until, setup, prefer = QUESTIONS[name]
    driver.desktop.settings = replace(driver.desktop.settings, motion=False)
    for seed in range(1, 9):
        match = asked(driver, until, setup, seed, prefer)
        if match.draft is not None:
            break
    show(driver, match)
    if match.privacy.is_covered:
        match.accept()
    rest(driver)
    return match


def _add(name: str) -> None:
    @shot(f"play-{name}")
    def _(driver: Driver) -> None:
        match = ask(driver, name)
        draft = match.draft
        assert draft is not None, f"nobody asks about {name}"
        if draft.prompt.kind == "place":
            draft.suggest()
            rest(driver)


for _name in QUESTIONS:
    _add(_name)


@shot("play-hint")
def _hint(driver: Driver) -> None:
    played(driver, topic("action"))
    game(driver).match.mind.prepare().limit = PATIENCE
    driver.press("hint")
    while game(driver).match.hint in ("", "Thinking ..."):
        driver.desktop.frame()
        driver.desktop.attend()
    rest(driver)


@shot("play-refused-tip")
def _refused_tip(driver: Driver) -> None:
    played(driver, topic("action"))
    driver.point(*driver.middle_of("choice-Fight"))


@shot("play-thinking")
def _thinking(driver: Driver) -> None:
    setup = Setup(board="volkus-2", mission="skirmish", blue="keelwrights", red="non-player-operatives")
    match = Match.begin(setup, Agreement(red="tactician"), Path(mkdtemp()) / "game.ktsim", clock=driver.desktop.clock)
    match.shown.is_animated = False
    rng = Random(1)
    while not match.is_thinking:
        match.advance()
        decision = match.decision
        if decision is not None and match.asks_person(decision):
            match.submit(decision.sample(rng))
    show_game(driver.desktop, match)
    driver.desktop.frame()


@shot("play-largest-teams")
def _largest(driver: Driver) -> None:
    setup = Setup("kt21-lite", "gallowdark-2", "cinder-choir", "brine-throng", table="plain")
    played(driver, topic("activate"), setup)


@shot("play-solo-non-player")
def _solo_non_player(driver: Driver) -> None:
    driver.desktop.push(SetupScreen(driver.desktop, is_solo=True))
    driver.settle()
    screen = driver.desktop.top
    assert isinstance(screen, SetupScreen)
    while screen.chosen["red-seat"] != "npo":
        driver.press("red-seat-npo" if "red-seat-npo" in driver.desktop.ui.rects else "red-seat-next")
    driver.press("board-gallowdark-2")


@shot("play-setup-2021")
def _setup_2021(driver: Driver) -> None:
    driver.desktop.push(SetupScreen(driver.desktop, is_solo=True))
    driver.settle()
    driver.press("edition-kt21-lite")


@shot("play-saves-none")
def _no_saves(driver: Driver) -> None:
    screen = SavesScreen.watching(driver.desktop)
    screen.saves = []
    driver.desktop.push(screen)


@shot("play-menu")
def _menu(driver: Driver) -> None:
    played(driver, topic("action"))
    driver.key("f10")


@shot("play-mend")
def _mend(driver: Driver) -> None:
    path = Path(mkdtemp()) / "An evening game.ktsim"
    wrong = f"{path}: line 212 was changed or cut short: 211 answers are good."
    driver.desktop.push(MendScreen(driver.desktop, path, wrong, lambda host, found: None))
