"""A name is said once: no two public classes of the product are called the same."""

from __future__ import annotations

import ast
from collections import defaultdict
from pathlib import Path

import ktsim

ROOT = Path(ktsim.__file__).parent


def twice() -> dict[str, list[str]]:
    """Public classes by a name that several have, with the modules they are in."""
    found: dict[str, list[str]] = defaultdict(list)
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path.relative_to(ROOT).as_posix())
    return {name: modules for name, modules in found.items() if len(modules) > 1}


def test_no_two_public_classes_have_one_name() -> None:
    assert twice() == {}
