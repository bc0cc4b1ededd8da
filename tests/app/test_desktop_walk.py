"""What the window shows is what the engine says: two hundred random tables against rulings asked for separately."""

from __future__ import annotations

import math
from collections.abc import Iterator
from random import Random

import pytest
from desktop_driver import Driver, engine

from ktsim.app.card import view as ruling_view
from ktsim.app.ruling.state import new_file
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.overlays import Label, Paint, Spot, lines_of
from ktsim.killzones.catalogue import load_named
from ktsim.sight.part_names import readable
from ktsim.sight.ruling import Ruling, ruling

__all__ = ["engine"]

POSITIONS = {"training-ground": 60, "volkus-1": 50, "gallowdark-1": 50, "bheta-decima-1": 40}
ENEMIES = ("Red 1", "Red 2")


def lines_wanted(found: Ruling) -> set[tuple[object, ...]]:
    """What is not asked any more is not drawn: cover of somebody who is not seen, or forbidden whatever covers it."""
    met = found.footprints if found.restricted else (*found.cover, *found.obscuring)
    wanted: set[tuple[object, ...]] = {(*c.line, c.at) for c in met if found.visible}
    hazard = ruling_view.view_of(found).hazard
    assert (hazard is not None) == (found.visible and found.hazard > 0)
    if hazard is not None:
        assert sum(math.dist(one[:2], two[:2]) for one, two in hazard.inside) == pytest.approx(hazard.inches, abs=1e-3)
        assert hazard.inches == found.hazard
        wanted.add((*hazard.line, None))
    if found.witness is not None:
        wanted.add((*found.witness, None))
    if found.sighting.block is not None:
        wanted.add((*found.sighting.block.line, found.sighting.block.at))
    return wanted


@pytest.fixture
def driver(engine: Engine) -> Iterator[Driver]:
    """Few pixels: what is read is not the picture."""
    made = Driver(engine, scale=0.2)
    yield made
    made.close()


@pytest.mark.parametrize("killzone", POSITIONS)
def test_what_is_shown_is_what_the_engine_says(driver: Driver, killzone: str) -> None:
    """Panel text, overlay lines, origin, names and the list of targets."""
    driver.desktop.open_table(new_file(killzone))
    model, random = driver.model, Random(killzone)
    width, depth = model.scene.terrain.board
    for team, count in (("blue", 1), ("red", 2)):
        for _ in range(count):
            model.add(team, 3, 3)
    model.select(None)
    kinds = set()
    for turn in range(POSITIONS[killzone]):
        for one in model.scene.operatives:
            level = random.choice(model.levels) if random.random() < 0.3 else 0.0
            model.move(one.id, random.uniform(1, width - 1), random.uniform(1, depth - 1), level)
            model.set_order(one.id, random.choice(["engage", "conceal"]))
        model.choose_target(random.choice(ENEMIES))
        model.set_edition("kt24" if turn % 3 else "kt21-lite")
        driver.settle()
        target = model.state.target
        assert target is not None
        found = {enemy: ruling(model.scene, "Blue 1", enemy, model.edition) for enemy in ENEMIES}
        chosen, said = found[target], driver.said()
        shown = ruling_view.view_of(chosen)
        assert ruling_view.verdict(shown) in said
        assert ruling_view.inches(chosen.distance) in said
        for reason in chosen.reasons:
            assert reason.rule in said
            assert readable(reason.text, model.scene.terrain) in said
        for enemy in ENEMIES:
            headline = readable(found[enemy].headline, model.scene.terrain)
            assert f"{enemy}: {headline}" in said, "the list says it of every enemy"
        other = next(enemy for enemy in ENEMIES if enemy != target)
        if found[other].headline != chosen.headline:
            assert f"{other}: {readable(chosen.headline, model.scene.terrain)}" not in said
        assert {(line.start, line.end, line.hit) for line in lines_of(driver.view.items)} == lines_wanted(chosen)
        spots = [item.at for item in driver.view.items if isinstance(item, Spot)]
        assert spots == ([*(other.origin for other in chosen.alternatives), chosen.origin] if chosen.visible else [])
        arcs = len(chosen.regions[0].arcs) if chosen.visible else 0
        stretches = len(shown.hazard.inside) if shown.hazard is not None else 0
        assert sum(isinstance(item, Paint) for item in driver.view.items) == arcs + stretches
        names = {item.text for item in driver.view.items if isinstance(item, Label)}
        assert {"Blue 1", *ENEMIES} <= names
        kinds.add((chosen.visible, chosen.valid_target))
    assert len(kinds) >= 2
    assert load_named(killzone, model.state.file.path).terrain is model.scene.terrain


def test_two_hundred_positions_are_walked() -> None:
    assert sum(POSITIONS.values()) == 200
