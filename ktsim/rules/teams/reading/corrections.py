"""A user's own corrections: rules in the language by the ids of texts, which take the place of what is read."""

from __future__ import annotations

from pathlib import Path

from ktsim.content.yaml_tree import read_tree
from ktsim.errors import Problem, UserError
from ktsim.rules.teams.language.read import LanguageReader
from ktsim.rules.teams.language.values import LanguageRule

SUFFIX = ".corrections.yaml"
"""What is put after the name of a team's file, without its own ending, to name its corrections."""


def corrections_beside(path: Path) -> Path:
    return path.with_name(path.stem + SUFFIX)


def read_corrections(path: Path) -> dict[str, tuple[LanguageRule, ...]]:
    """Rules by id: ``ID: rule`` or ``ID: [rules]``. Raises :class:`UserError` with everything that is wrong."""
    problems: list[Problem] = []
    tree = read_tree(path)
    if not isinstance(tree.value, dict):
        raise UserError(Problem(f"{path.name}:{tree.line}", "expected ids of texts with rules in the language"))
    reader = LanguageReader(path.name, problems)
    found: dict[str, tuple[LanguageRule, ...]] = {}
    for id, node in tree.value.items():
        rows = node.value if isinstance(node.value, list) else [node]
        found[id] = tuple(reader.rule(row) for row in rows[:40])
    if problems:
        raise UserError(problems)
    return found
