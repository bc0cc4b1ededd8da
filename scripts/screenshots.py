"""Draws every screen of the window, without a display, to be looked at.

Each is drawn at 1280x720, at the smallest size 1024x640, at 1920x1080, and at 2560x1440 with text size 1.5. With
--readme the best ones go to assets/pictures instead, at most 300 kB each. What screens there are is written in
scripts/shots.
"""

from __future__ import annotations

import argparse
import importlib
import os
import pkgutil
import tempfile
from pathlib import Path

import shots
from desktop_driver import Driver
from pictures import FOLDER, shrink
from PIL import Image

from ktsim.app.shell import start
from ktsim.app.stage.engine import Engine
from ktsim.app.stage.quality import QUALITIES
from ktsim.app.ui.settings import Settings

SIZES = {"1280x720": 1.0, "1024x640": 1.0, "1920x1080": 1.0, "2560x1440": 1.5}
"""Sizes of the window, and the text size in it."""

README = ("ruling-in-cover", "area-sees", "play-target")
WIDTH = 1100


def take(engine: Engine, name: str, size: str, text: float, quality: str) -> Image.Image:
    """One screen, driven to from a fresh start without saved games."""
    width, height = map(int, size.split("x"))
    settings = Settings().with_value("quality", quality).with_value("text", text)
    with tempfile.TemporaryDirectory() as own:
        os.environ["XDG_CONFIG_HOME"] = os.environ["XDG_DATA_HOME"] = own
        start.forget()
        driver = Driver(engine, (width, height), settings=settings)
        try:
            shots.SHOTS[name](driver)
            driver.settle()
            return Image.fromarray(driver.pixels())
        finally:
            driver.close()


def main() -> int:
    for module in pkgutil.iter_modules(shots.__path__):
        importlib.import_module(f"shots.{module.name}")
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of: {', '.join(shots.SHOTS)}")
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()) / "ktsim-screenshots")
    parser.add_argument("--size", choices=SIZES, help="only this one")
    parser.add_argument("--text", type=float, help="this text size (up to 2)")
    parser.add_argument("--quality", choices=QUALITIES, default="low")
    parser.add_argument("--readme", action="store_true", help="draw the pictures of the README")
    words = parser.parse_args()
    unknown = [name for name in words.names if name not in shots.SHOTS]
    if unknown:
        parser.error(f"there is no screen '{unknown[0]}'")
    names = words.names or (README if words.readme else tuple(shots.SHOTS))
    words.out.mkdir(parents=True, exist_ok=True)
    engine, failed = Engine.offscreen(), 0
    for name in names:
        if words.readme:
            picture = take(engine, name, "1280x720", 1.0, "medium")
            print(f"{name}: {shrink(picture, WIDTH, FOLDER / f'{name}.png') // 1000} kB", flush=True)
            continue
        for size, text in SIZES.items():
            if words.size not in (None, size):
                continue
            try:
                take(engine, name, size, words.text or text, words.quality).save(words.out / f"{name}-{size}.png")
            except AssertionError as error:  # it was not come to: the others are drawn all the same
                failed += 1
                print(f"{name}, {size}: {error}", flush=True)
        print(words.out / f"{name}-*.png", flush=True)
    engine.close()
    return min(failed, 1)


if __name__ == "__main__":
    raise SystemExit(main())
