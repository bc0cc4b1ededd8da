"""Frames a second of the stage in a window-sized picture, per killzone: full terrain and 20 operatives.

Usage: scripts/bench stage [low|medium|high] [KILLZONE ...]. First the stage alone: the camera turns every frame;
shadows are drawn again only in the second number, as while something is dragged. Then whole frames of the ruling table,
panels and rulings included, in fewer pixels while whole ones come too slowly. Other work on the machine makes all of
them worse: the CPU time tells.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

import numpy as np

from ktsim.app.ruling.screen import RulingTable
from ktsim.app.ruling.state import new_file
from ktsim.app.shell.desktop import Desktop
from ktsim.app.stage import cameras
from ktsim.app.stage.board import in_water
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.stage.picking import Picker
from ktsim.app.stage.scenery import killzone_scenery
from ktsim.app.stage.stage import TableStage
from ktsim.app.ui.settings import Settings
from ktsim.killzones.catalogue import load_named, names
from ktsim.killzones.figures import figure, models
from ktsim.sight.scene import Base, Operative, Scene, Terrain

SIZE = (1280, 720)
FRAMES = 20


def operatives(terrain: Terrain, count: int = 20) -> tuple[Operative, ...]:
    """Operatives at random places where one can stand, always the same."""
    rng, picker, found = Random(3), Picker(Scene(terrain)), []
    while len(found) < count:
        x, y = rng.uniform(1, terrain.board[0] - 1), rng.uniform(1, terrain.board[1] - 1)
        hit = picker.along(np.array([x, y, 20.0]), np.array([0.0, 0.0, -1.0]))
        wet = hit is not None and hit.point[2] == 0 and in_water(terrain, np.array([x]), np.array([y]))[0]
        crowded = any((x - o.x) ** 2 + (y - o.y) ** 2 < 4 for o in found)
        if hit is None or not hit.standable or wet or crowded:
            continue
        team = "blue" if x < terrain.board[0] / 2 else "red"
        model = figure(models()[len(found) % len(models())])
        found.append(
            Operative(f"{team} {len(found)}", team, x, y, hit.point[2], Base.of_mm(32), model, rng.uniform(0, 360))
        )
    return tuple(found)


def main(level: str, wanted: list[str]) -> None:
    engine = Engine.offscreen()
    for name in wanted or names():
        killzone = load_named(name, Path())
        terrain = killzone.terrain
        people = operatives(terrain)
        start = time.perf_counter()
        stage = TableStage(engine, terrain, killzone_scenery(killzone), level)  # type: ignore[arg-type]
        stage.show(Scene(terrain, people))
        ready = time.perf_counter() - start
        view = stage.view(SIZE)
        corners = np.concatenate([cameras.board_corners(terrain.board), stage.tops()])
        rates = []
        for dragging in (False, True):
            for frame in range(-2, FRAMES):
                if frame == 0:
                    engine.pixels(view.picture)
                    start, used = time.perf_counter(), sum(os.times()[:2])
                view.look(cameras.fitting(corners, SIZE[0] / SIZE[1], turn=frame, tilt=36))
                if dragging:
                    stage.show(Scene(terrain, people[frame % 2 :]))
                stage.draw(view)
            engine.pixels(view.picture)
            spent, used = time.perf_counter() - start, sum(os.times()[:2]) - used
            rates.append(f"{FRAMES / spent:5.1f}/s ({1000 * used / FRAMES:3.0f} ms CPU)")
        print(f"{name:16} {level}: turning {rates[0]}, dragging {rates[1]}, ready in {ready:.1f} s", flush=True)
        stage.close()
        frames(engine, name, people, level)
    engine.close()


def _free_of_panels(table: RulingTable) -> tuple[float, float]:
    """A place of the picture where somebody can be taken hold of."""
    picture = table.view.picture
    free, (w, h) = picture.frame.free, picture.frame.size
    for one in table.view.model.scene.operatives:
        for x, y in filter(None, picture.places([(one.x, one.y, one.level + 0.6)])):
            found = picture.under((x, y))
            inside = free.left * w < x < free.right * w and free.top * h < y < free.bottom * h
            if inside and found is not None and found.id == one.id:
                return x, y
    raise AssertionError("nobody can be reached")


def frames(engine: Engine, name: str, people: Sequence[Operative], level: str) -> None:
    """Whole frames of the window's ruling table while the camera turns and while an operative is dragged."""
    texture = colour_texture("window")
    output = engine.buffer("window", SIZE, 0, colour=texture)
    desktop = Desktop(engine, output, SIZE, 1.0, settings=Settings(quality=level), clock=time.monotonic)  # type: ignore[arg-type]
    table = desktop.open_table(new_file(name))
    for one in people:
        table.view.model.add(one.team, one.x, one.y)
    while desktop.wanted:
        desktop.frame()
    picture, rates = table.view.picture, []
    for dragging in (False, True):
        if dragging:
            x, y = _free_of_panels(table)
            desktop.pointer(x, y)
            desktop.press("mouse1", True)
        for frame in range(-5, FRAMES):
            if frame == 0:
                start, used = time.perf_counter(), sum(os.times()[:2])
            if dragging:
                desktop.pointer(x + 10 + frame % 8, y)
            else:
                picture.camera.orbit(4, 0)
                picture.camera.arrive()
            desktop.frame()
        spent, used = time.perf_counter() - start, sum(os.times()[:2]) - used
        rates.append(f"{FRAMES / spent:5.1f}/s ({1000 * used / FRAMES:3.0f} ms CPU)")
    assert table.view.hands.is_dragging
    print(f"{'':16} the window: turning {rates[0]}, dragging {rates[1]}", flush=True)
    desktop.close()
    engine.remove(output)


if __name__ == "__main__":
    words = sys.argv[1:]
    main(words[0] if words else "low", words[1:])
