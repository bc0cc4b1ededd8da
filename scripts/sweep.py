"""All-pairs sweep: rules on every pair of a grid of standing places on each shipped killzone and keeps the answers.

``scripts/sweep`` writes tests/golden/sweep/NAME.txt, ``scripts/sweep --check`` prints exactly which rulings moved.
Targets have a Conceal order, all hatchways and breach points are open. A file lists the places and then, for each
edition, a row for each shooter with one character for each target: a hexadecimal digit that adds up 1 visible, 2 in
cover, 4 obscured, 8 valid.
"""

from __future__ import annotations

import argparse
import itertools
import math
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ktsim.geometry.kernels import apart, sections  # noqa: E402
from ktsim.geometry.plane import is_enclosed  # noqa: E402
from ktsim.killzones.catalogue import names, shipped_file  # noqa: E402
from ktsim.killzones.figures import figure  # noqa: E402
from ktsim.killzones.killzone_file import load_killzone  # noqa: E402
from ktsim.rules.engine.board import Footprint  # noqa: E402
from ktsim.sight.distances import BASE_MIDDLE, figure_row  # noqa: E402
from ktsim.sight.ruling import ruling  # noqa: E402
from ktsim.sight.scene import EDITIONS, Base, Edition, Operative, Part, Scene, Terrain  # noqa: E402

FOLDER = ROOT / "tests" / "golden" / "sweep"
VERSION = "ktsim sweep/1"
BASE = Base.of_mm(32)
PLACES, VANTAGE_PLACES = 16, 4
"""How many places are kept in all and on Vantage, spread evenly over those of the grid where somebody can stand."""
GRID = 1.9
MARKS = ((1, "visible"), (2, "in cover"), (4, "obscured"), (8, "a valid target"))

Place = tuple[float, float, float]


@dataclass(frozen=True)
class Sweep:
    """The answers of one killzone: places, and a digit for each edition and pair of different places."""

    killzone: str
    places: tuple[Place, ...]
    digits: dict[tuple[str, int, int], str]

    def text(self) -> str:
        lines = [VERSION, f"killzone {self.killzone}", "places"]
        lines += [f"{i} {x:g} {y:g} {z:g}" for i, (x, y, z) in enumerate(self.places)]
        for edition in EDITIONS:
            lines.append(edition)
            for i in range(len(self.places)):
                lines.append("".join(self.digits.get((edition, i, j), ".") for j in range(len(self.places))))
        return "\n".join(lines) + "\n"


def read(text: str) -> Sweep:
    """The sweep written in *text*."""
    lines = text.splitlines()
    if lines[0] != VERSION:
        raise SystemExit(f"not a {VERSION} file: {lines[0]!r}")
    start = lines.index(EDITIONS[0])
    places = tuple((float(x), float(y), float(z)) for _, x, y, z in (line.split() for line in lines[3:start]))
    digits = {}
    for number, edition in enumerate(EDITIONS):
        first = start + number * (len(places) + 1) + 1
        for i, j in pairs(len(places)):
            digits[edition, i, j] = lines[first + i][j]
    return Sweep(lines[1].split()[1], places, digits)


def pairs(count: int) -> Iterator[tuple[int, int]]:
    return itertools.permutations(range(count), 2)


def terrain_of(name: str) -> Terrain:
    return load_killzone(shipped_file(name)).terrain


def scene_of(terrain: Terrain, one: Place, two: Place) -> Scene:
    operatives = tuple(
        Operative(id, team, *place, BASE, figure(), order="conceal")
        for id, team, place in (("a", "red", one), ("b", "blue", two))
    )
    return Scene(terrain, operatives, states_of(terrain))


def states_of(terrain: Terrain) -> dict[str, str]:
    """Every hatchway and breach point open."""
    return {line.id: "open" for line in terrain.walls if line.access_width is not None}


def digit(terrain: Terrain, one: Place, two: Place, edition: Edition) -> str:
    """The ruling on a shot from one place to another, as a hexadecimal digit."""
    found = ruling(scene_of(terrain, one, two), "a", "b", edition)
    answers = (found.visible, found.in_cover, found.obscured, found.valid_target)
    return f"{sum(value for (value, _), true in zip(MARKS, answers, strict=True) if true):x}"


# -- where somebody can stand --------------------------------------------------------------------------------------


def places(terrain: Terrain) -> tuple[Place, ...]:
    """Standing places on the floor and on Vantage levels, from a grid over the board."""
    parts = Scene(terrain, states=states_of(terrain)).parts()
    width, depth = terrain.board
    xs = [round(x, 2) for x in np.linspace(0.8, width - 0.8, 1 + int((width - 1.6) / GRID))]
    ys = [round(y, 2) for y in np.linspace(0.8, depth - 0.8, 1 + int((depth - 1.6) / GRID))]
    grid = list(itertools.product(xs, ys))
    floor = [(x, y, 0.0) for x, y in grid if _on_floor(terrain, parts, x, y)]
    floors = [part for part in parts if "vantage" in part.traits and "exposed" not in part.traits]
    vantage = [
        (x, y, round(part.top, 4))
        for part in floors
        for x, y in grid
        if _is_on(part, x, y) and _is_free(parts, x, y, part.top)
    ]
    high = _spread(vantage, VANTAGE_PLACES)
    return (*_spread(floor, PLACES - len(high)), *high)


def _spread(found: list[Place], count: int) -> list[Place]:
    chosen = np.linspace(0, len(found) - 1, min(count, len(found))).round().astype(int)
    return [found[i] for i in chosen]


def _on_floor(terrain: Terrain, parts: Iterable[Part], x: float, y: float) -> bool:
    hazards = (area for area in terrain.areas if area.kind == "hazardous")
    return all(Footprint(x, y, BASE).gap(area.outline) > 0 for area in hazards) and _is_free(parts, x, y, 0.0)


def _is_free(parts: Iterable[Part], x: float, y: float, level: float) -> bool:
    """Is nothing in the way of a base and of the body above it?"""
    row = figure_row(Operative("a", "red", x, y, level, BASE, figure()))
    for part in parts:
        low, high = part.triangles.min(axis=(0, 1)), part.triangles.max(axis=(0, 1))
        reach = BASE.along
        if not (low[0] - reach < x < high[0] + reach and low[1] - reach < y < high[1] + reach):
            continue
        if "accessible" in part.traits and "exposed" in part.traits:
            continue  # an opening
        for height in (BASE_MIDDLE, 0.7, 1.25):
            border = _section(part, level + height)
            if is_enclosed(border, x, y) or any(apart.edge_from_figure(row, *edge)[0] <= 0 for edge in border):
                return False
    return True


def _is_on(part: Part, x: float, y: float) -> bool:
    """Is the whole base over the part's top?"""
    border = _section(part, part.top - 0.01)
    rim = ((x + BASE.along * math.cos(k), y + BASE.along * math.sin(k)) for k in np.linspace(0, math.tau, 17))
    return len(border) > 0 and all(is_enclosed(border, *point) for point in rim)


def _section(part: Part, z: float) -> np.ndarray:
    triangles = np.ascontiguousarray(part.triangles.reshape(-1, 9))
    return np.asarray(sections.section(triangles, np.zeros(len(triangles), np.int32), z)[0])


# -- running -------------------------------------------------------------------------------------------------------


def sweep(name: str) -> Sweep:
    terrain = terrain_of(name)
    spots = places(terrain)
    digits = {
        (edition, i, j): digit(terrain, spots[i], spots[j], edition)
        for edition in EDITIONS
        for i, j in pairs(len(spots))
    }
    return Sweep(name, spots, digits)


def moved(old: Sweep, new: Sweep) -> list[str]:
    """One line for each ruling that is not what it was."""
    if old.places != new.places:
        return [f"{new.killzone}: the places are others, so rulings cannot be compared; look at them and sweep again"]
    return [
        f"{new.killzone} {edition}: {_where(new, i)} -> {_where(new, j)} "
        f"was {words(old.digits[edition, i, j])}; now {words(digit)}"
        for (edition, i, j), digit in new.digits.items()
        if old.digits[edition, i, j] != digit
    ]


def words(digit: str) -> str:
    return ", ".join(word for value, word in MARKS if int(digit, 16) & value) or "nothing"


def _where(found: Sweep, i: int) -> str:
    x, y, z = found.places[i]
    return f"{i} ({x:g}, {y:g}, {z:g})"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("killzone", nargs="*", help="shipped killzones; default: all")
    options.add_argument("--check", action="store_true", help="write nothing; print which rulings moved, exit 1 if any")
    args = options.parse_args()
    unknown = set(args.killzone) - set(names())
    if unknown:
        print(f"no such killzone: {', '.join(sorted(unknown))}; there are {', '.join(names())}", file=sys.stderr)
        return 2
    changes: list[str] = []
    for name in args.killzone or names():
        began = time.perf_counter()
        found = sweep(name)
        path = FOLDER / f"{name}.txt"
        lines = moved(read(path.read_text(encoding="utf-8")), found) if path.exists() else [f"{name}: new"]
        print(*lines, sep="\n", end="\n" if lines else "")
        changes += lines
        spent = time.perf_counter() - began
        print(f"{name}: {len(found.digits)} rulings, {len(lines)} moved, {spent:.0f} s", file=sys.stderr, flush=True)
        if not args.check:
            FOLDER.mkdir(parents=True, exist_ok=True)
            path.write_text(found.text(), encoding="utf-8")
    return 1 if args.check and changes else 0


if __name__ == "__main__":
    raise SystemExit(main())
