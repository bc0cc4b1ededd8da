"""The screens of joint missions: agreeing on one, its sheet, the recap of an operative nobody plays, the end."""

from __future__ import annotations

from time import sleep

from desktop_driver import Driver
from play_driver import game

from ktsim.app.play.joint_screen import JointScreen
from ktsim.app.play.saves import Agreement
from ktsim.game.setup import Setup
from shots.playing import played, topic

from . import shot

RAID = Setup(board="volkus-1", mission="joint-supply-raid", red="non-player-operatives", blue="gravel-jackals")
MACHINE = Agreement(red="npo")


@shot("joint-setup")
def _setup(driver: Driver) -> None:
    driver.desktop.push(JointScreen(driver.desktop))


@shot("joint-sheet")
def _sheet(driver: Driver) -> None:
    played(driver, topic("action"), RAID, agreement=MACHINE)
    game(driver).tab = "mission"


@shot("joint-recap")
def _recap(driver: Driver) -> None:
    match = played(driver, topic("action"), RAID, agreement=MACHINE)
    match.recaps.is_on = True
    while match.recaps.pending is None:
        decision = match.decision
        if decision is not None and match.asks_person(decision):
            match.submit("pass" if decision.check("pass") is None else decision.default)
        match.advance()
        sleep(0.02)  # it thinks in a process of its own


@shot("joint-end")
def _end(driver: Driver) -> None:
    relay = Setup(board="open", table="plain", mission="joint-relay", red="non-player-operatives")
    played(driver, lambda draft: False, relay)
    assert game(driver).match.is_over
