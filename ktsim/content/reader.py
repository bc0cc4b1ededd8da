"""Checked reading of a YAML tree: every value is asked for by what it must be, every mistake becomes a sentence.

A reader collects problems instead of stopping at the first. After a problem the asking function gets a harmless
value of the right type and goes on; :meth:`Reader.finish` raises what was collected, so such a value stays inside.
"""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from ktsim.content.printable import NAME_LIMIT, printable
from ktsim.content.yaml_tree import Node
from ktsim.errors import Problem, UserError

PROBLEM_LIMIT = 20
"""More problems than this are counted, not listed."""

COORDINATE_LIMIT = 240.0
"""The furthest from the origin anything may stand, in inches."""

T = TypeVar("T", bound=str)


def nearest(word: str, known: Iterable[str]) -> str:
    """What would have been right: the known word most like *word*, or the list of them."""
    options = list(known)
    like = difflib.get_close_matches(word[:NAME_LIMIT].lower(), options, 1, 0.6)
    if like:
        return f"did you mean '{like[0]}'?"
    return f"known here: {', '.join(sorted(options))}" if options else "there are none here"


def _number(value: float) -> str:
    return f"{value:g}"


class Reader:
    """Reads one file's tree; *place* is the file as the user named it."""

    def __init__(self, place: str) -> None:
        self.place = printable(place, 200)
        self.problems: list[Problem] = []
        self.warnings: list[str] = []
        """What is doubtful about the file but does not stop it; each a sentence with its place."""
        self._more = 0

    def problem(self, where: Node | int, text: str) -> None:
        line = where if isinstance(where, int) else where.line
        if len(self.problems) < PROBLEM_LIMIT:
            self.problems.append(Problem(f"{self.place}:{line}", text))
        else:
            self._more += 1

    def warn(self, where: Node, text: str) -> None:
        if len(self.warnings) < PROBLEM_LIMIT:
            self.warnings.append(str(Problem(f"{self.place}:{where.line}", text)))

    @property
    def count(self) -> int:
        """How many problems there are so far."""
        return len(self.problems) + self._more

    def finish(self) -> None:
        """Raise everything that was wrong, if anything was."""
        if not self.problems:
            return
        more = [Problem(self.place, f"and {self._more} more problems")] if self._more else []
        raise UserError([*self.problems, *more])

    # -- one value -------------------------------------------------------------------------------------------

    def text(self, node: Node, what: str) -> str:
        """A name or word of 1 to 64 printable characters. Numbers and flags count as written."""
        text = node.text
        if isinstance(node.value, list | dict) or node.value is None or not text.strip():
            self.problem(node, f"{what} is {_kind(node)}; it is a word such as 'ruin'")
        elif len(text) > NAME_LIMIT:
            self.problem(node, f"{what} has {len(text)} characters; at most {NAME_LIMIT} are allowed")
        elif not text.isprintable():
            self.problem(node, f"{what} cannot be printed: '{printable(text)}'; use plain letters")
        else:
            return text
        return ""

    def number(self, node: Node, what: str, low: float, high: float) -> float:
        """A finite number from *low* to *high*."""
        value = node.value
        if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
            self.problem(node, f"{what} is {_kind(node)}; it is a number from {_number(low)} to {_number(high)}")
        elif not low <= value <= high:
            self.problem(node, f"{what} is {_number(value)}; it is from {_number(low)} to {_number(high)}")
        else:
            return float(value)
        return float(low)

    def flag(self, node: Node, what: str) -> bool:
        if not isinstance(node.value, bool):
            self.problem(node, f"{what} is {_kind(node)}; it is true or false")
        return node.value is True

    def one_of(self, node: Node, what: str, options: Sequence[T]) -> T:
        """One of the words *options*."""
        word = node.text if not isinstance(node.value, list | dict) else ""
        for option in options:
            if option == word:
                return option
        self.problem(node, f"{what} is {_kind(node)}; {nearest(word, options)}")
        return options[0]

    def items(self, node: Node, what: str, low: int = 0, high: int = 10_000) -> list[Node]:
        """The items of a list of *low* to *high* of them (an empty value is an empty list)."""
        if node.value is None and low == 0:
            return []
        if not isinstance(node.value, list):
            self.problem(node, f"{what} is {_kind(node)}; it is a list, such as [1, 2]")
            return []
        if not low <= len(node.value) <= high:
            wanted = str(low) if low == high else f"{low} to {high}"
            self.problem(node, f"{what} has {len(node.value)} items; it has {wanted}")
            return []
        return node.value

    def point(self, node: Node, what: str, sizes: tuple[int, ...] = (2,)) -> tuple[float, ...]:
        """A point of as many coordinates as one of *sizes* says, within 240" of the origin."""
        shape = " or ".join("[x, y]" if size == 2 else "[x, y, z]" for size in sizes)
        if not isinstance(node.value, list) or len(node.value) not in sizes:
            self.problem(node, f"{what} is {_kind(node)}; it is a point {shape} in inches")
            return (0.0,) * sizes[0]
        limit = COORDINATE_LIMIT
        return tuple(
            self.number(item, f"{what}'s {axis}", -limit, limit) for item, axis in zip(node.value, "xyz", strict=False)
        )

    def outline(self, node: Node, what: str, high: int = 128) -> tuple[tuple[float, float], ...]:
        """The corners of a polygon, at least three."""
        corners = [self.point(item, f"a corner of {what}") for item in self.items(node, what, 3, high)]
        return tuple((x, y) for x, y in corners)

    def sheet(self, node: Node, what: str, known: Collection[str], required: Sequence[str] = ()) -> Sheet:
        """A mapping with keys out of *known*, all of *required* among them."""
        if not isinstance(node.value, dict):
            first = (*required, *known)[0]
            self.problem(node, f"{what} is {_kind(node)}; it is a mapping with keys such as '{first}'")
            return Sheet(self, node, what, {})
        items = {}
        for key, item in node.value.items():
            if key in known:
                items[key] = item
            elif len(self.problems) < PROBLEM_LIMIT:  # what would be right is not looked up for thousands of them
                self.problem(item.key_line, f"{what} has an unknown key '{printable(key)}'; {nearest(key, known)}")
            else:
                self._more += 1
        for key in required:
            if key not in items:
                self.problem(node, f"{what} has no '{key}'; add one")
        return Sheet(self, node, what, items)


class Sheet:
    """A mapping whose keys are known. A missing key gives the default; if it had to be there, that was said."""

    def __init__(self, reader: Reader, node: Node, what: str, items: dict[str, Node]) -> None:
        self.reader = reader
        self.node = node
        self.what = what
        self.items_by_key = items

    def __contains__(self, key: str) -> bool:
        return key in self.items_by_key

    def get(self, key: str) -> Node | None:
        return self.items_by_key.get(key)

    def _named(self, key: str) -> str:
        return f"'{key}' of {self.what}"

    def text(self, key: str, default: str = "") -> str:
        node = self.get(key)
        return default if node is None else self.reader.text(node, self._named(key))

    def number(self, key: str, low: float, high: float, default: float) -> float:
        node = self.get(key)
        return default if node is None else self.reader.number(node, self._named(key), low, high)

    def flag(self, key: str, default: bool) -> bool:
        node = self.get(key)
        return default if node is None else self.reader.flag(node, self._named(key))

    def one_of(self, key: str, options: Sequence[T], default: T) -> T:
        node = self.get(key)
        return default if node is None else self.reader.one_of(node, self._named(key), options)

    def items(self, key: str, low: int = 0, high: int = 10_000) -> list[Node]:
        node = self.get(key)
        return [] if node is None else self.reader.items(node, self._named(key), low, high)

    def point(
        self, key: str, sizes: tuple[int, ...] = (2,), default: tuple[float, ...] = (0.0, 0.0)
    ) -> tuple[float, ...]:
        node = self.get(key)
        return default if node is None else self.reader.point(node, self._named(key), sizes)

    def outline(self, key: str) -> tuple[tuple[float, float], ...]:
        node = self.get(key)
        return () if node is None else self.reader.outline(node, self._named(key))


class Unique:
    """Ids that may be given once each."""

    def __init__(self, reader: Reader, what: str) -> None:
        self.reader = reader
        self.what = what
        self.lines: dict[str, int] = {}

    def claim(self, id: str, node: Node | None, fallback: Node) -> None:
        """Remember *id*, given at *node*; a problem when it was given before. Empty ids were a problem already."""
        where = node or fallback
        if id and id in self.lines:
            first = f" (first in line {self.lines[id]})" if self.lines[id] else " (by the killzone)"
            self.reader.problem(where, f"the {self.what} id '{printable(id)}' is used twice{first}; change one")
        elif id:
            self.lines[id] = where.line


def _kind(node: Node) -> str:
    """What a node is, for a sentence."""
    value = node.value
    if value is None:
        return "empty"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    if isinstance(value, dict):
        return "a mapping"
    return f"'{printable(node.text, 40)}'"
