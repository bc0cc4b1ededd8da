"""Imports go one way: commands -> app -> game -> rules -> killzones -> sight -> content, geometry; and so do those
between the rooms of a layer. Late imports and those for typing count like any other."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import ktsim

ROOT = Path(ktsim.__file__).parent
LAYERS = ["commands", "app", "game", "rules", "killzones", "sight", "content", "geometry"]
ROOMS = {
    "app": ["shell", "play", "area", "ruling", "card", "screens", "stage", "ui"],
}
"""The rooms of a layer, in the order in which one may import another."""
WINDOW = ("panda3d", "direct", "imgui_bundle")


def imports(path: Path) -> list[str]:
    """Every module name *path* imports, relative ones made absolute."""
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
            names += [base, *(f"{base}.{alias.name}" for alias in node.names)]
    return names


def breaches() -> list[str]:
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT).parts
        own = LAYERS.index(parts[0]) if parts[0] in LAYERS else None
        for name in imports(path):
            head = name.split(".")
            if head[0] in WINDOW and parts[0] != "app":
                found.append(f"{'/'.join(parts)} imports {name}; only ktsim/app may")
            inside = head[0] == "ktsim" and len(head) > 1 and head[1] in LAYERS
            if own is not None and inside and LAYERS.index(head[1]) < own:
                found.append(f"{'/'.join(parts)} imports {name}, a layer to its left")
    return found


def test_no_layer_imports_to_its_left() -> None:
    assert breaches() == []


def room_breaches(layer: str) -> list[str]:
    """Imports from a room of a layer into one to its left."""
    rooms = ROOMS[layer]
    found = []
    for path in sorted((ROOT / layer).rglob("*.py")):
        parts = path.relative_to(ROOT / layer).parts
        if len(parts) < 2:
            continue
        for name in imports(path):
            head = name.split(".")
            if head[:2] == ["ktsim", layer] and len(head) > 2 and rooms.index(head[2]) < rooms.index(parts[0]):
                found.append(f"{layer}/{'/'.join(parts)} imports {name}, a room to its left")
    return found


@pytest.mark.parametrize("layer", ROOMS)
def test_no_room_imports_to_its_left(layer: str) -> None:
    folders = {path.name for path in (ROOT / layer).iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert folders == set(ROOMS[layer])
    assert room_breaches(layer) == []


def test_the_walk_sees_every_layer() -> None:
    folders = {path.name for path in ROOT.iterdir() if path.is_dir() and not path.name.startswith("_")}
    assert folders == set(LAYERS)
