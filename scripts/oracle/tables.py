"""Small random tables for the oracle, as scene files: a dozen features, and places near the thresholds of the rules.

Three kinds: scattered pieces, floors at Vantage heights with ramparts and pillars, walls with a hatchway. Coordinates
have four decimals, so a scene's text is exactly the scene.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.content.yaml_tree import to_yaml
from ktsim.killzones.scene_file import SceneFile, dump_scene, scene_from_text
from ktsim.sight.scene import Edition, Operative, Part, Scene
from oracle import plane_kernels as kernels
from oracle.ground import EPS, row
from oracle.judge import Shot

Floats = NDArray[np.float64]
Rng = np.random.Generator
LOW, HIGH = (9.0, 6.0), (21.0, 16.0)
"""Where things stand."""
BASES = (25.0, 28.0, 32.0, 32.0, 40.0, 50.0)
OVALS = ((60.0, 35.0), (75.0, 42.0))
MORE_TRAITS = np.array([(), ("exposed",), ("insignificant",), ("barred",)], dtype=object)
WEAPONS = (Shot(seek=True), Shot(seek_light=True), Shot(range=6.0), Shot(range=3.0), Shot(seek_light=True, range=6.0))


def _round(value: Any) -> float:
    return round(float(value), 4)


def _turned_box(rng: Rng, x: float, y: float, w: float, d: float) -> list[list[float]]:
    angle = math.radians(float(rng.choice([0, 0, 90, rng.uniform(0, 180)])))
    c, s = math.cos(angle), math.sin(angle)
    corners = ((-w, -d), (w, -d), (w, d), (-w, d))
    return [[_round(x + (u * c - v * s) / 2), _round(y + (u * s + v * c) / 2)] for u, v in corners]


def _solid(rng: Rng, id: str, x: float, y: float) -> dict[str, Any]:
    """One piece of scatter: a box turned any way, a drum or a prism, on the floor or above it."""
    low = 0.0 if rng.random() < 0.8 else _round(rng.uniform(0.02, 0.9))
    high = _round(low + rng.choice([rng.uniform(0.2, 0.9), rng.uniform(0.9, 3.0), 5.0], p=[0.5, 0.4, 0.1]))
    traits = [["heavy"], ["light"]][int(rng.integers(2))]
    traits = traits + list(rng.choice(MORE_TRAITS, p=[0.79, 0.07, 0.07, 0.07]))
    if rng.random() < 0.04:
        traits = []
    shape = rng.random()
    if shape < 0.1:
        radius = _round(rng.uniform(0.1, 0.6))
        solid: dict[str, Any] = {"cylinder": {"centre": [x, y, low], "radius": radius, "height": _round(high - low)}}
    elif shape < 0.25:
        turns = np.arange(5) * 1.25 + rng.random(5) / 2 if rng.random() < 0.5 else np.arange(3) * 2.1 + rng.random()
        sizes = rng.uniform(0.3, 1.2, len(turns))
        outline = [
            [_round(x + r * math.cos(t)), _round(y + r * math.sin(t))] for t, r in zip(turns, sizes, strict=True)
        ]
        solid = {"prism": {"outline": outline, "z": [low, high]}}
    else:
        long = rng.choice([rng.uniform(0.1, 1.5), rng.uniform(1.5, 6.0)], p=[0.7, 0.3])
        solid = {"prism": {"outline": _turned_box(rng, x, y, long, rng.uniform(0.05, 1.2)), "z": [low, high]}}
    return {"id": id, "parts": [{"id": "body", "traits": traits, **solid}]}


def _slit(rng: Rng, id: str, x: float, y: float) -> dict[str, Any]:
    """Two high slabs with a gap of about the thickness of a line."""
    half = (0.5 + float(rng.choice([-0.2, -0.02, 0.02, 0.1, 1.0, 5.0]))) / 25.4
    slabs = [
        {"id": name, "traits": ["heavy"], "box": [[x, _round(a), 0], [_round(x + 0.1), _round(b), 4]]}
        for name, a, b in (("south", y - 3, y - half), ("north", y + half, y + 3))
    ]
    return {"id": id, "parts": slabs}


def _tower(rng: Rng, id: str, x: float, y: float) -> dict[str, Any]:
    """A floor at a Vantage height, with some of: ramparts, pillars, a wall below."""
    top = _round(rng.choice([0.5, 1.2, 2.0, 3.0, 3.0, 4.0]))
    w, d = _round(rng.uniform(2.5, 4.5)), _round(rng.uniform(2.5, 4.5))
    x1, y1, foot = _round(x + w), _round(y + d), _round(top - rng.choice([0.1, 0.2, 0.4]))
    parts: list[dict[str, Any]] = [{"id": "floor", "traits": ["vantage"], "box": [[x, y, foot], [x1, y1, top]]}]
    rampart = _round(top + rng.uniform(0.25, 0.9))
    sides = {"west": (x, y, x + 0.15, y1), "east": (x1 - 0.15, y, x1, y1)}
    for name, (a, b, c, e) in sides.items():
        if rng.random() < 0.5:
            box = [[_round(a), _round(b), top], [_round(c), _round(e), rampart]]
            parts.append({"id": f"rampart-{name}", "traits": ["light" if rng.random() < 0.7 else "heavy"], "box": box})
    for number in range(int(rng.integers(3))):
        px, py = x + rng.uniform(0.1, w - 0.6), y + rng.uniform(0.1, d - 0.6)
        box = [[_round(px), _round(py), 0], [_round(px + 0.5), _round(py + 0.5), foot]]
        parts.append({"id": f"pillar-{number}", "traits": ["heavy"], "box": box})
    return {"id": id, "parts": parts}


def _walls(rng: Rng) -> list[dict[str, Any]]:
    """Walls along a grid: a line with a hatchway in it, and walls that meet it or stand alone."""
    x, y = _round(rng.uniform(13, 16)), _round(rng.uniform(9, 12))
    swing, hinge = str(rng.choice(["left", "right"])), str(rng.choice(["start", "end"]))
    hatch = {"width": 1.6, "hinge": hinge, "swing": swing}
    found: list[dict[str, Any]] = [{"id": "h1", "line": [[x, y], [x, _round(y + 3)]], "hatchway": hatch}]
    long = float(rng.integers(1, 4))
    if rng.random() < 0.6:
        found.append({"id": "w1", "line": [[x, _round(y - long)], [x, y]]})
    if rng.random() < 0.5:
        to = _round(x + long * rng.choice([-1, 1]))
        found.append({"id": "w2", "line": [[min(x, to), _round(y + 3)], [max(x, to), _round(y + 3)]]})
    if rng.random() < 0.4:
        found.append({"id": "w3", "line": [[_round(x + 4), y], [_round(x + 4), _round(y + long)]]})
    return found


def _meets_wall(solid: dict[str, Any], wall: dict[str, Any]) -> bool:
    """May a piece be in a wall or where its hatch swings? Terrain in a wall is nowhere: no way leads to it."""
    part = solid["parts"][0]
    if "cylinder" in part:
        (x, y, _), r = part["cylinder"]["centre"], part["cylinder"]["radius"]
        outline = np.array([[x - r, y - r], [x + r, y + r]])
    else:
        outline = np.array(part["prism"]["outline"])
    line, room = np.array(wall["line"]), 1.9 if "hatchway" in wall else 0.25
    low, high = line.min(axis=0) - room, line.max(axis=0) + room
    return bool((outline.min(axis=0) <= high).all() and (outline.max(axis=0) >= low).all())


def random_text(rng: Rng) -> str:
    """The text of a random table with three operatives in a corner."""
    kind = str(rng.choice(["scatter", "towers", "walls"], p=[0.5, 0.3, 0.2]))
    features: list[dict[str, Any]] = []
    document: dict[str, Any] = {"ktsim": "scene/1", "edition": "kt24", "board": [30, 22]}

    def spot() -> tuple[float, float]:
        return _round(rng.uniform(LOW[0], HIGH[0])), _round(rng.uniform(LOW[1], HIGH[1]))

    if kind == "towers":
        features += [_tower(rng, f"t{n}", *spot()) for n in range(int(rng.integers(1, 3)))]
    if kind == "walls":
        document["walls"] = _walls(rng)
        document["states"] = {"h1": str(rng.choice(["open", "closed"]))}
    elif rng.random() < 0.3:
        features.append(_slit(rng, "slit", *spot()))
    solids = [_solid(rng, f"f{n}", *spot()) for n in range(int(rng.integers(2, 9 if kind == "scatter" else 5)))]
    features += [solid for solid in solids if not any(_meets_wall(solid, wall) for wall in document.get("walls", ()))]
    document["features"] = features
    if rng.random() < 0.3:
        document["smoke"] = [[*spot(), 0] for _ in range(2)]
    operatives = []
    for number, id in enumerate("abc"):
        height = _round(rng.uniform(0.8, 1.7))
        body = {"cylinder": {"radius": _round(rng.uniform(0.2, 0.45)), "height": height}}
        base: Any = float(rng.choice(BASES))
        if kind != "walls" and rng.random() < 0.15:
            base = list(OVALS[int(rng.integers(len(OVALS)))])
        team = "red" if id == "a" or (id == "c" and rng.random() < 0.5) else "blue"
        operatives.append({"id": id, "team": team, "at": [2.0, 2.0 + 4 * number], "base": base, "body": body})
    document["operatives"] = operatives
    document["rule"] = {"from": "a", "to": "b"}
    return to_yaml(document)


@dataclass(eq=False)
class Table:
    """A table, and places to stand on it."""

    file: SceneFile

    @classmethod
    def random(cls, rng: Rng) -> Table:
        return cls(scene_from_text(random_text(rng), Path("oracle.yaml")))

    def __post_init__(self) -> None:
        scene = self.file.scene
        self.parts = [part for part in scene.parts() if not part.traits >= {"exposed", "insignificant"}]
        self.boxes = [np.stack([p.triangles.min(axis=(0, 1)), p.triangles.max(axis=(0, 1))]) for p in self.parts]
        self.floors = [box for part, box in zip(self.parts, self.boxes, strict=True) if "vantage" in part.traits]
        self.low = [part for part in self.parts if "light" in part.traits and part.bottom < 0.01]
        self.smoke = scene.smoke

    def text(self, scene: Scene) -> str:
        return dump_scene(replace(self.file, scene=scene))

    def _fits(self, one: Operative, others: list[Operative]) -> bool:
        here = row(one.base, one.x, one.y, one.turn)
        wide, top = max(one.base.along, one.base.across), one.level + one.figure.triangles[:, :, 2].max()
        for part, box in zip(self.parts, self.boxes, strict=True):
            if box[1, 2] <= one.level + 1e-6 or box[0, 2] >= top + 0.01:
                continue
            if (box[0, :2] > here[:2] + wide + 0.01).any() or (box[1, :2] < here[:2] - wide - 0.01).any():
                continue
            if kernels.over(here, part.triangles, 0.004):
                return False
        return all(
            abs(one.level - other.level) > 2
            or kernels.apart(here, row(other.base, other.x, other.y, other.turn)) > 0.001
            for other in others
        )

    def _put(
        self,
        rng: Rng,
        one: Operative,
        others: list[Operative],
        near: Operative | None,
        beside: Sequence[Part] = (),
        on: Sequence[Floats] = (),
    ) -> Operative | None:
        """Somewhere that fits: beside a part at about an inch (one of *beside*, if any), on a floor (of *on*, if any),
        in smoke, about two inches from *near*, anywhere. With both *beside* and *on*: where a part is between."""
        half = max(one.base.along, one.base.across)
        for _ in range(12):
            turn, level, how = _round(rng.uniform(0, 360)), 0.0, 0.7 if beside else 0.0 if on else rng.random()
            if self.smoke and how > 0.85:
                x, y = self.smoke[int(rng.integers(len(self.smoke)))][:2] + rng.normal(size=2) * (1.4 - half) / 2
            elif self.floors and how < 0.4:
                floors = on or self.floors
                box = floors[int(rng.integers(len(floors)))]
                x, y = rng.uniform(box[0, :2] + 0.3, box[1, :2] - 0.3)
                level = float(box[1, 2])
            elif near is not None and how < 0.47:
                away = half + max(near.base.along, near.base.across)
                away += float(rng.choice([rng.uniform(0.02, 2.2), 1 + rng.normal() * 1e-3, 2 + rng.normal() * 1e-3]))
                angle, level = rng.uniform(0, 2 * math.pi), near.level
                x, y = near.x + away * math.cos(angle), near.y + away * math.sin(angle)
            elif how < 0.8:
                chosen = beside or self.parts
                corners = chosen[int(rng.integers(len(chosen)))].triangles.reshape(-1, 3)
                one_of, other = corners[rng.integers(len(corners), size=2)]
                away = half + float(
                    rng.choice(
                        [rng.uniform(0.01, 1.0), 1 + rng.normal() * 1e-3, 1.0, rng.uniform(1, 3)],
                        p=[0.5, 0.2, 0.1, 0.2],
                    )
                )
                spot = one_of + rng.random() * (other - one_of)
                angle = rng.uniform(0, 2 * math.pi)
                if beside and on:  # on the other side than a floor
                    from_floor = spot[:2] - on[int(rng.integers(len(on)))][:, :2].mean(axis=0)
                    angle = math.atan2(from_floor[1], from_floor[0]) + rng.normal() / 2
                x, y = spot[:2] + away * np.array([math.cos(angle), math.sin(angle)])
            else:
                x, y = rng.uniform(np.array(LOW) - 3, np.array(HIGH) + 3)
            if not (half <= x <= 30 - half and half <= y <= 22 - half):
                continue
            made = replace(one, x=_round(x), y=_round(y), level=level, turn=turn)
            if self._fits(made, others):
                return made
        return None

    def shot(self, rng: Rng) -> Shot:
        """A weapon; most have nothing that matters here."""
        return WEAPONS[int(rng.integers(len(WEAPONS)))] if rng.random() < 0.3 else Shot()

    def edition(self, rng: Rng, scene: Scene) -> Edition:
        """What the scene is ruled by: now and then 2021, where the oracle knows all of its rules. What it does not are
        walls, Vantage Points that targets stand on, and bases of others that give cover."""
        target = scene.operative("b")
        beside = any(math.dist((o.x, o.y), (target.x, target.y)) < 5.0 for o in scene.others("a", "b"))
        is_known = not scene.terrain.walls and target.level < EPS and not beside
        return "kt21-lite" if is_known and rng.random() < 0.25 else "kt24"

    def scene(self, rng: Rng) -> Scene | None:
        """The table with its operatives somewhere else; None when no place was found."""
        start = self.file.scene
        # a third of those on tables with high floors stand behind low terrain, to be looked at from above
        high = [box for box in self.floors if box[1, 2] >= 2]
        is_low = bool(high and self.low) and rng.random() < 0.35
        target = self._put(rng, start.operative("b"), [], None, self.low if is_low else (), high if is_low else ())
        if target is None:
            return None
        target = replace(target, order="conceal" if is_low or rng.random() < 0.5 else "engage")
        shooter = self._put(rng, start.operative("a"), [target], target, on=high if is_low else ())
        if shooter is None:
            return None
        people = [shooter, target]
        if rng.random() < 0.35:
            third = self._put(rng, start.operative("c"), people, people[int(rng.integers(2))])
            people += [third] if third is not None else []
        return replace(start, operatives=tuple(people))
