"""Imports go one way: between the layers, and between the rooms of a layer.

Every import counts: those inside functions and those for type checkers too.
"""

from __future__ import annotations

import ast
from pathlib import Path

import ktsim

ROOT = Path(ktsim.__file__).parent
LAYERS = ["commands", "app", "game", "rules", "killzones", "sight", "content", "geometry"]
WINDOW = ("panda3d", "direct", "imgui_bundle")

ROOMS: dict[str, list[tuple[str, ...]]] = {
    "app": [
        *(("shell",), ("play",), ("area", "practice", "teams"), ("ruling",)),
        *(("card",), ("screens",), ("stage",), ("ui",)),
    ],
    "rules": [("teams",), ("",), ("kt24", "kt21"), ("killzone",), ("moving", "odds"), ("engine",)],
}
"""The rooms of a layer from left to right; those that stand together know nothing of each other. The room without a
name are the modules of the layer itself."""

KNOTS = {
    "rules": {
        "rules.engine.action",
        "rules.engine.battle",
        "rules.engine.edition",
        "rules.engine.mission",
        "rules.engine.rule",
    },
}
"""The only modules of a layer that import each other in a circle: a battle has rules, actions, a mission and an
edition, whose hooks are given the battle."""


def modules() -> dict[str, Path]:
    """Every module by its name without ``ktsim.``; a package by the name of its folder."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(path: Path) -> list[str]:
    """Every name *path* imports, with its module; relative ones made absolute."""
    package = ".".join(path.relative_to(ROOT.parent).with_suffix("").parts[:-1])
    names: list[str] = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                up = package.split(".")[: len(package.split(".")) - node.level + 1]
                base = ".".join([*up, base]).rstrip(".")
            names += [f"{base}.{alias.name}" for alias in node.names]
    return names


def imported(path: Path, known: dict[str, Path]) -> set[str]:
    """The modules of the product among what *path* imports."""
    found = set()
    for name in imports(path):
        own = name.removeprefix("ktsim.") if name.startswith("ktsim.") else ""
        while own and own not in known:
            own = own.rpartition(".")[0]
        if own:
            found.add(own)
    return found


def layer_of(module: str) -> int | None:
    head = module.split(".")[0]
    return LAYERS.index(head) if head in LAYERS else None


def room_of(module: str, layer: str) -> int | None:
    """How far right the room of a module stands in its layer; ``None`` for what is no room."""
    parts = module.split(".")[1:]
    is_room = len(parts) > 1 or (ROOT / layer / parts[0]).is_dir() if parts else False
    name = parts[0] if is_room else ""
    return next((rank for rank, rooms in enumerate(ROOMS[layer]) if name in rooms), None)


def same_room(one: str, two: str) -> bool:
    return one.split(".")[:2] == two.split(".")[:2]


def breaches() -> list[str]:
    found, known = [], modules()
    for module, path in known.items():
        if not module.startswith("app"):
            found += [f"{module} imports {n}; only ktsim/app may" for n in imports(path) if n.split(".")[0] in WINDOW]
        own = layer_of(module)
        for other in imported(path, known):
            its = layer_of(other)
            if own is not None and its is not None and its < own:
                found.append(f"{module} imports {other}, a layer to its left")
    return found


def room_breaches(layer: str) -> list[str]:
    found, known = [], modules()
    for module, path in known.items():
        if not module.startswith(f"{layer}."):
            continue
        own = room_of(module, layer)
        for other in imported(path, known):
            if not other.startswith(f"{layer}.") or same_room(module, other):
                continue
            its = room_of(other, layer)
            if own is None or its is None or its < own or (its == own and ROOMS[layer][own] != ("",)):
                found.append(f"{module} imports {other}, which is no room to its right")
    return found


def circles(layer: str) -> list[set[str]]:
    """Modules of a layer that import each other, directly or not."""
    known = modules()
    edges = {m: {o for o in imported(p, known) if o != m} for m, p in known.items() if m.startswith(f"{layer}.")}
    reach: dict[str, set[str]] = {}
    for start in edges:
        seen: set[str] = set()
        waiting = [start]
        while waiting:
            for other in edges.get(waiting.pop(), ()):
                if other not in seen:
                    seen.add(other)
                    waiting.append(other)
        reach[start] = seen
    knots = {frozenset(o for o in reach[m] if m in reach.get(o, ())) for m in edges if m in reach[m]}
    return [set(knot) for knot in knots]


def test_no_layer_imports_to_its_left() -> None:
    assert breaches() == []


def test_no_room_imports_to_its_left() -> None:
    assert [breach for layer in ROOMS for breach in room_breaches(layer)] == []


def test_nothing_imports_in_a_circle_but_the_kernel() -> None:
    assert {layer: circles(layer) for layer in KNOTS} == {layer: [knot] for layer, knot in KNOTS.items()}


def test_the_walk_sees_every_layer_and_room() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert folders == set(LAYERS)
    for layer, ranks in ROOMS.items():
        rooms = {path.name for path in (ROOT / layer).iterdir() if path.is_dir() and not path.name.startswith("_")}
        assert rooms == {name for rank in ranks for name in rank if name}
