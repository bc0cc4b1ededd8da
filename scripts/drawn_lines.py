"""Does the picture agree? Random visible pairs of a killzone: no line that proves one visible may cross anything drawn.

``scripts/drawn_lines.py volkus-1 --pairs 2000 --out DIR`` asks for so many visible pairs, in slices; an interrupted run
goes on where it stopped when it is started again with the same DIR. Prints a count for each killzone and every
crossing; exit code 1 when there is any. Lines of 1 mm are clear of what rules (SIGHT-6), so their axes must be clear of
what is drawn.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "scripts")]

from bench_scenes import places  # noqa: E402

from ktsim.geometry.forest import Grove, Tree  # noqa: E402
from ktsim.geometry.kernels import queries  # noqa: E402
from ktsim.killzones.catalogue import load_named, names  # noqa: E402
from ktsim.killzones.figures import figure, models  # noqa: E402
from ktsim.killzones.killzone_file import Killzone  # noqa: E402
from ktsim.sight.scene import Base, Operative, Scene  # noqa: E402
from ktsim.sight.visibility import visible  # noqa: E402

SLICE = 100
"""Visible pairs a slice."""
BASES = (25.0, 28.0, 32.0, 40.0)
LEAST = 1e-4
"""Inches: how thin the axis of a line is taken to be."""
BARRED = "barred"


@dataclass(frozen=True)
class Slice:
    """What a slice found: pairs asked, those visible, and sentences about lines that cross what is drawn."""

    asked: int
    seen: int
    crossings: tuple[str, ...]


def drawn_triangles(killzone: Killzone, states: dict[str, str]) -> NDArray[np.float64]:
    """Everything drawn of a killzone in these states, but for bars in Barred windows: who is near looks past."""
    initial = {feature.id: feature.initial for feature in killzone.terrain.features}
    found = []
    for placement in killzone.placements:
        state = states.get(placement.feature, initial.get(placement.feature))
        if placement.state in (None, state):
            piece = killzone.piece(placement)
            local = np.concatenate([piece.body.triangles, piece.decor.triangles])
            boxes = [part.triangles for part in piece.parts if BARRED in part.traits]
            for box in boxes:
                low, high = box.min(axis=(0, 1)) - 0.01, box.max(axis=(0, 1)) + 0.01
                local = local[~((local >= low) & (local <= high)).all(axis=(1, 2))]
            found.append(placement.applied(local))
    return np.concatenate(found)


class Look:
    """A killzone's drawing in two sets of states: as the game starts, and with everything opened."""

    def __init__(self, name: str) -> None:
        self.killzone = load_named(name, Path())
        terrain = self.killzone.terrain
        opened = {feature.id: "open" for feature in terrain.features if "open" in feature.states}
        self.tables = [(states, self._forest(states)) for states in ({}, opened)[: 2 if opened else 1]]
        self.places = [places(Scene(terrain, (), states)) for states, _ in self.tables]

    def _forest(self, states: dict[str, str]) -> object:
        tree = Tree.over(drawn_triangles(self.killzone, states))
        return Grove.of([tree]).forest([(0, 0.0, 0.0, 0.0, 0.0)])

    def pairs(self, seed: int) -> Iterator[tuple[Scene, object]]:
        """Scenes of two operatives of all sorts, without end."""
        rng = np.random.default_rng(seed)
        while True:
            k = int(rng.integers(len(self.tables)))
            states, forest = self.tables[k]
            spots = self.places[k][rng.choice(len(self.places[k]), 2, replace=False)]
            operatives = tuple(
                Operative(
                    id,
                    team,
                    *(float(v) for v in spot),
                    Base.of_mm(float(rng.choice(BASES))),
                    figure(str(rng.choice(models()))),
                    turn=float(rng.uniform(0, 360)),
                )
                for id, team, spot in zip("ab", ("red", "blue"), spots, strict=True)
            )
            yield Scene(self.killzone.terrain, operatives, states), forest

    def slice(self, seed: int, wanted: int) -> Slice:
        """So many visible pairs, each with its witness line held against the drawing."""
        seen = 0
        crossings = []
        for asked, (scene, forest) in enumerate(self.pairs(seed), start=1):
            found = visible(scene, "a", "b")
            if found.witness is not None:
                seen += 1
                start, end = np.array(found.witness)
                ways = np.array([end - start])
                if queries.lines_blocked(forest, np.zeros(1, np.int32), np.array([start]), ways, LEAST)[0]:
                    who = "; ".join(
                        f"{o.id} at ({o.x:g}, {o.y:g}, {o.level:g}) turned {o.turn:.4g}, {o.figure.name}"
                        for o in scene.operatives
                    )
                    line = np.round(found.witness, 4).tolist()
                    crossings.append(f"{self.killzone.name} {dict(scene.states)}: {who}: {line}")
            if seen == wanted:
                return Slice(asked, seen, tuple(crossings))
        raise AssertionError("pairs have no end")


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("killzone", nargs="*", help="shipped killzones; default: all")
    options.add_argument("--pairs", type=int, default=2000, help="visible pairs a killzone; default 2000")
    options.add_argument("--out", type=Path, help="a folder that keeps finished slices")
    args = options.parse_args()
    wrong = 0
    for name in args.killzone or names():
        look, total = None, Slice(0, 0, ())
        for seed in range(-(-args.pairs // SLICE)):
            kept = args.out / f"{name}-{seed}.json" if args.out else None
            if kept is not None and kept.exists():
                asked, seen, crossings = json.loads(kept.read_text(encoding="utf-8"))
                found = Slice(asked, seen, tuple(crossings))
            else:
                look = look or Look(name)
                found = look.slice(seed, SLICE)
                if kept is not None:
                    kept.parent.mkdir(parents=True, exist_ok=True)
                    kept.write_text(json.dumps([found.asked, found.seen, found.crossings]), encoding="utf-8")
            total = Slice(total.asked + found.asked, total.seen + found.seen, total.crossings + found.crossings)
        print(*total.crossings, sep="\n", end="\n" if total.crossings else "")
        summary = f"{total.seen} visible of {total.asked} pairs, {len(total.crossings)} lines cross something drawn"
        print(f"{name}: {summary}", flush=True)
        wrong += len(total.crossings)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
