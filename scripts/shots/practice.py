"""Practising: the page, and a drill of each kind before and after it is answered."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

from desktop_driver import Driver

from ktsim.app.practice.page import PracticeScreen
from ktsim.game.drills.drill import Drill

from . import shot

KEPT = Path(__file__).parents[2] / "tests" / "app" / "drills.jsonl"
DRILLS = [Drill.from_json(json.loads(line)) for line in KEPT.read_text(encoding="utf-8").splitlines()]


def asked(drill: Drill, driver: Driver) -> None:
    driver.desktop.lay_table()
    page = PracticeScreen(driver.desktop, "shots")
    driver.desktop.push(page)
    page.stock.append(drill)
    driver.key("enter")
    if not drill.choices:
        driver.key("shift", "arrow_right")


def answered(drill: Drill, driver: Driver) -> None:
    asked(drill, driver)
    driver.key("1" if drill.choices else "enter")


@shot("practice-page")
def _(driver: Driver) -> None:
    answered(DRILLS[0], driver)
    driver.key("escape")


for each in DRILLS:
    shot(f"practice-{each.kind}")(partial(asked, each))
    shot(f"practice-{each.kind}-answered")(partial(answered, each))
