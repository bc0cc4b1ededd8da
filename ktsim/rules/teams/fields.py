"""Reading the values of a team file, each checked, each problem with its line."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, TypeVar

from ktsim.content.printable import NAME_LIMIT, printable
from ktsim.content.yaml_tree import Node
from ktsim.errors import Problem

T = TypeVar("T")
TEXT_LIMIT = 4000
"""The longest text of a ploy, an ability or a reminder, in characters."""
MOST_OPERATIVES = 20
HEIGHT_LIMITS, WIDTH_LIMITS = (0.3, 6.0), (0.1, 6.0)
"""The lowest and tallest, narrowest and widest miniature, in inches."""


def id_of(name: str) -> str:
    """The id of something by its name: ``Pack Mother`` is ``pack-mother``."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "unnamed"


class Fields:
    """Reads values of one mapping, noting every problem with its line instead of stopping at the first."""

    def __init__(self, node: Node, place: str, problems: list[Problem]) -> None:
        self.place, self.problems, self.node = place, problems, node
        self.nodes: dict[str, Node] = node.value if isinstance(node.value, dict) else {}
        self._read: set[str] = set()
        if not isinstance(node.value, dict):
            self.complain("", "expected a mapping of names to values")

    def complain(self, name: str, text: str) -> None:
        line = (self.nodes[name].key_line or self.nodes[name].line) if name in self.nodes else self.node.line
        self.problems.append(Problem(f"{self.place}:{line}", f"{name}: {text}" if name else text))

    def _take(self, name: str, default: T, right: Callable[[Any], bool], wanted: str, required: bool) -> Any:
        self._read.add(name)
        if name not in self.nodes:
            if required:
                self.complain(name, f"missing; expected {wanted}")
            return default
        value = self.nodes[name].plain()
        if right(value):
            return value
        self.complain(name, f"{value!r:.60} is not {wanted}")
        return default

    def text(self, name: str, default: str | None = None) -> str:
        """A name: one line of at most 64 printable characters."""
        wanted = f"printable text of at most {NAME_LIMIT} characters"
        return str(self._take(name, default or "?", _is_word, wanted, default is None))

    def lines(self, name: str) -> str:
        """A text of one or more lines."""

        def right(value: Any) -> bool:
            is_short = isinstance(value, str) and 0 < len(value) <= TEXT_LIMIT
            return is_short and all(line.isprintable() for line in value.split("\n"))

        return str(self._take(name, "?", right, f"printable text of at most {TEXT_LIMIT} characters", True))

    def word(self, name: str, choices: tuple[str, ...], default: str | None = None) -> Any:
        wanted = "one of " + ", ".join(filter(None, choices))
        fallback = choices[0] if default is None else default
        return self._take(name, fallback, lambda value: value in choices, wanted, default is None)

    def number(self, name: str, least: int, most: int, default: int | None = None) -> int:
        def right(value: Any) -> bool:
            return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most

        wanted = f"a whole number from {least} to {most}"
        return int(self._take(name, least if default is None else default, right, wanted, default is None))

    def inches(self, name: str, least: float, most: float, default: float) -> float:
        def right(value: Any) -> bool:
            return isinstance(value, (int, float)) and not isinstance(value, bool) and least <= value <= most

        return float(self._take(name, default, right, f"a number from {least} to {most}", False))

    def rows(self, name: str, required: bool = False) -> list[Node]:
        self._take(name, [], lambda value: isinstance(value, list), "a list", required)
        value = self.child(name).value
        return value if isinstance(value, list) else []

    def words(self, name: str) -> tuple[str, ...]:
        found = [row.plain() for row in self.rows(name)]
        for value in found:
            if not _is_word(value):
                self.complain(name, f"{value!r:.60} is not printable text of at most {NAME_LIMIT} characters")
        return tuple(filter(_is_word, found))

    def child(self, name: str) -> Node:
        """The node of that name; an empty one in its place when there is none."""
        self._read.add(name)
        return self.nodes.get(name, Node(None, self.node.line, self.node.column))

    def value(self, name: str) -> Any:
        return self.child(name).plain()

    def done(self) -> None:
        """Complain about values nobody asked for."""
        for name in self.nodes:
            if name not in self._read:
                self.problems.append(Problem(f"{self.place}:{self.nodes[name].key_line}", _unknown(name)))


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and 0 < len(value) <= NAME_LIMIT and value.isprintable()


def _unknown(name: str) -> str:
    return f"{printable(name, 40)}: unknown field"
