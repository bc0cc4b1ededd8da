"""YAML as data from strangers: a tree in which every node knows its line.

The file is read event by event and refused at the first sign of anything a plain document does not need (anchors,
aliases, tags, deep nesting, very many nodes, duplicate keys). Events come from a state machine without
recursion, so no input can exhaust the stack, and without aliases nothing can expand. What is written is plain too: no
anchors, keys in their order.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

import yaml

from ktsim.content.files import read_bounded
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError

SIZE_LIMIT = 1_000_000
DEPTH_LIMIT = 32
EVENT_LIMIT = 200_000

_INTEGER = re.compile(r"[-+]?[0-9]{1,18}")
_DECIMAL = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_SPECIAL = re.compile(r"[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)")

Value: TypeAlias = "bool | int | float | str | list[Node] | dict[str, Node] | None"


@dataclass(frozen=True)
class Node:
    """One value of the document with its place, counted from 1. *text* is a scalar as it was written."""

    value: Value
    line: int
    column: int
    text: str = ""
    key_line: int = 0
    """The line of the key that names this value; 0 for items of lists."""

    def plain(self, words: frozenset[str] = frozenset()) -> Any:
        """The same as ordinary Python values; scalars under the keys *words* as they were written."""
        if isinstance(self.value, list):
            return [item.plain(words) for item in self.value]
        if isinstance(self.value, dict):
            return {
                key: item.text if key in words and item.text else item.plain(words) for key, item in self.value.items()
            }
        return self.value


def read_tree(path: Path, shown: str | None = None) -> Node:
    """The document in the file at *path*; :class:`UserError` with the place when it cannot be read."""
    place = printable(shown or str(path), 200)
    return parse(read_bounded(path, place, SIZE_LIMIT, "a YAML file"), place)


def parse(data: bytes, place: str) -> Node:
    """The document in *data*; problems name *place* and the line."""
    if len(data) > SIZE_LIMIT:
        raise UserError(Problem(place, f"is {len(data) / 1e6:.1f} MB; at most 1 MB is read"))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError(Problem(f"{place}:{line}", "is not UTF-8 text; save the file as UTF-8")) from None
    try:
        return _Builder(place).build(text)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        if mark is not None:
            line = mark.line + 1
        else:  # a reader error knows only the character's position
            line = text[: int(getattr(error, "position", 0) or 0)].count("\n") + 1
        line = min(line, len(text.splitlines()) or 1)  # the end of the file is on its last line
        what = getattr(error, "problem", None) or getattr(error, "reason", None) or "cannot be understood"
        text = f"is not valid YAML: {printable(str(what), 120)}; check indentation and brackets"
        raise UserError(Problem(f"{place}:{line}", text)) from None


def _events(text: str) -> Iterator[Any]:
    # The C parser is ten times faster; its events come one by one from a state machine, so depth is ours to judge.
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(text)
    try:
        while loader.check_event():
            yield loader.get_event()
    finally:
        loader.dispose()


@dataclass
class _Open:
    """A list or mapping whose end has not come yet."""

    value: list[Node] | dict[str, Node]
    line: int
    column: int
    key: str | None = None
    key_line: int = 0


class _Builder:
    def __init__(self, place: str) -> None:
        self.place = place
        self.stack: list[_Open] = []
        self.root: Node | None = None
        self.problems: list[Problem] = []

    def build(self, text: str) -> Node:
        documents = 0
        for count, event in enumerate(_events(text)):
            line = event.start_mark.line + 1
            if count > EVENT_LIMIT:
                raise self._error(line, f"has too many values; at most {EVENT_LIMIT:,} are read")
            if isinstance(event, yaml.DocumentStartEvent):
                documents += 1
                if documents > 1:
                    raise self._error(line, "starts a second document; a file holds one, so remove the '---'")
            elif isinstance(event, yaml.NodeEvent):
                self._node(event, line)
            elif isinstance(event, yaml.CollectionEndEvent):
                done = self.stack.pop()
                self._add(Node(done.value, done.line, done.column), done.line)
        if self.problems:
            raise UserError(self.problems)
        return self.root if self.root is not None else Node(None, 1, 1)

    def _node(self, event: Any, line: int) -> None:
        if isinstance(event, yaml.AliasEvent):
            raise self._error(line, "uses an alias (*name); write the value out")
        if event.anchor is not None:
            raise self._error(line, "uses an anchor (&name); write the value out where it is needed")
        if event.tag is not None:
            raise self._error(line, f"uses the tag {printable(str(event.tag), 40)}; leave tags (!) out")
        column = event.start_mark.column + 1
        if isinstance(event, yaml.ScalarEvent):
            plain = event.implicit[0]
            value = resolved(event.value) if plain else str(event.value)
            self._add(Node(value, line, column, str(event.value)), line)
            return
        if len(self.stack) >= DEPTH_LIMIT:
            raise self._error(line, f"is nested more than {DEPTH_LIMIT} deep; nothing here needs that")
        if self.stack and isinstance(self.stack[-1].value, dict) and self.stack[-1].key is None:
            raise self._error(line, "has a list or mapping as a key; keys are plain words")
        empty: list[Node] | dict[str, Node] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self.stack.append(_Open(empty, line, column))

    def _add(self, node: Node, line: int) -> None:
        """Put a finished node where it belongs: root, list item, key, or the value of the last key."""
        if not self.stack:
            self.root = node
            return
        top = self.stack[-1]
        if isinstance(top.value, list):
            top.value.append(node)
        elif top.key is None:
            top.key, top.key_line = node.text, line
            if node.text in top.value and len(self.problems) < 20:
                first = top.value[node.text].key_line
                what = f"the key '{printable(node.text)}' is given twice (first in line {first}); keep one"
                self.problems.append(Problem(f"{self.place}:{line}", what))
        else:
            top.value[top.key] = Node(node.value, node.line, node.column, node.text, top.key_line)
            top.key = None

    def _error(self, line: int, text: str) -> UserError:
        return UserError(Problem(f"{self.place}:{line}", text))


def resolved(text: str) -> bool | int | float | str | None:
    """A plain scalar's value. Only ``true`` and ``false`` are flags: ``no`` and ``on`` are words."""
    if text in ("", "~", "null", "Null", "NULL"):
        return None
    if text in ("true", "True", "TRUE", "false", "False", "FALSE"):
        return text.lower() == "true"
    if _INTEGER.fullmatch(text):
        return int(text)
    if len(text) <= 400 and _DECIMAL.fullmatch(text):
        return float(text)
    if _SPECIAL.fullmatch(text):
        return float(text.replace(".", ""))
    return text


# The C emitter is ten times faster; a team with all its texts takes a second without it.
_Dumper: Any = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


class _Plain(_Dumper):  # type: ignore[misc]
    """Writes a value out wherever it is used, also when two places share one list."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def text(self, text: str) -> Any:
        """Text of several lines as such; quotes around text that our reader would take for something else."""
        style = "|" if "\n" in text else None
        if not isinstance(resolved(text), str):
            style = "'"
        return self.represent_scalar("tag:yaml.org,2002:str", text, style=style)


_Plain.add_representer(str, _Plain.text)


def to_yaml(document: Any) -> str:
    """*document*, made of plain Python values, as YAML text."""
    return yaml.dump(document, Dumper=_Plain, sort_keys=False, allow_unicode=True, default_flow_style=None, width=110)
