"""A small grammar of phrases: patterns of words and parts, and finding every way a part can begin somewhere.

A pattern is written as words. ``a/b`` is either word, ``[...]`` may be left out, ``(x|y)`` is one of several,
``<part>`` is something another production says; what it means is handed to the production's function in order,
``None`` for what was left out. Parts are remembered by place, so that nothing is read twice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ktsim.rules.teams.reading.tokens import Token

Build: TypeAlias = Callable[..., Any]
Found: TypeAlias = "dict[int, Any]"
"""Where a part can end, and what it means then."""


@dataclass(frozen=True)
class _Word:
    choices: frozenset[str]


@dataclass(frozen=True)
class _Part:
    name: str
    slot: int


@dataclass(frozen=True)
class _Row:
    items: tuple[_Node, ...]


@dataclass(frozen=True)
class _Choice:
    rows: tuple[_Row, ...]


_Node: TypeAlias = "_Word | _Part | _Row | _Choice"


@dataclass(frozen=True)
class _Production:
    row: _Row
    slots: int
    build: Build
    first: frozenset[str] | None
    """The words it can begin with; ``None`` when that cannot be told."""
    second: frozenset[str] | None
    """The words that can follow the part it begins with; ``None`` when it begins otherwise."""


STEPS = 400_000
"""How many steps one sentence may take; the longest printed ones take a tenth of that."""


class TooInvolved(Exception):
    """A sentence that would take too long to read."""


class Matching:
    """One sentence being read by a grammar, for a team with its own names (*lexicon*)."""

    def __init__(self, grammar: Grammar, words: Sequence[Token], lexicon: Any) -> None:
        self.grammar, self.tokens, self.lexicon = grammar, words, lexicon
        self.words = [token.word for token in words]
        self._found: dict[tuple[str, int], Found] = {}
        self._steps = 0

    def word(self, at: int) -> str:
        return self.words[at] if at < len(self.words) else ""

    def part(self, name: str, at: int) -> Found:
        """Every end of the part *name* that begins at *at*. Productions given first win where two end together."""
        key = (name, at)
        if key in self._found:
            return self._found[key]
        found: Found = {}
        self._found[key] = found  # a part that begins with itself finds nothing there
        special = self.grammar.specials.get(name)
        if special is not None:
            for end, value in special(self, at):
                found.setdefault(end, value)
        for production in self.grammar.beginning(name, self.word(at)):
            if production.second is not None and not self._can_follow(production, at):
                continue
            for end, values in self._row(production.row.items, 0, at, (None,) * production.slots):
                if end not in found:
                    value = production.build(*values)
                    if value is not NotImplemented:
                        found[end] = value
        return found

    def _can_follow(self, production: _Production, at: int) -> bool:
        """Whether, after the part it begins with, a word stands that it goes on with."""
        part = production.row.items[0]
        assert isinstance(part, _Part)
        after = production.second or frozenset()
        return any(self.word(end) in after for end in self.part(part.name, at))

    def _row(
        self, items: tuple[_Node, ...], index: int, at: int, values: tuple[Any, ...]
    ) -> Iterator[tuple[int, tuple[Any, ...]]]:
        self._steps += 1
        if self._steps > STEPS:
            raise TooInvolved
        if index == len(items):
            yield at, values
            return
        item = items[index]
        if isinstance(item, _Word):
            if at < len(self.words) and self.words[at] in item.choices:
                yield from self._row(items, index + 1, at + 1, values)
        elif isinstance(item, _Part):
            for end, value in sorted(self.part(item.name, at).items(), reverse=True):
                filled = (*values[: item.slot], value, *values[item.slot + 1 :])
                yield from self._row(items, index + 1, end, filled)
        elif isinstance(item, _Choice):
            for row in item.rows:
                for end, filled in self._row(row.items, 0, at, values):
                    yield from self._row(items, index + 1, end, filled)
        else:
            for end, filled in self._row(item.items, 0, at, values):
                yield from self._row(items, index + 1, end, filled)


@dataclass
class Grammar:
    """Productions by the part they say; *specials* are parts that need more than words."""

    productions: dict[str, list[_Production]] = field(default_factory=dict)
    specials: dict[str, Callable[[Matching, int], Iterator[tuple[int, Any]]]] = field(default_factory=dict)
    words: set[str] = field(default_factory=set)
    _beginning: dict[tuple[str, str], list[_Production]] = field(default_factory=dict)

    def says(self, name: str, *patterns: str) -> Callable[[Build], Build]:
        """The decorated function says what each of *patterns* means as the part *name*."""

        def add(build: Build) -> Build:
            for pattern in patterns:
                self.productions.setdefault(name, []).append(self._compiled(pattern, build))
            return build

        return add

    def means(self, name: str, value: Any, *patterns: str) -> None:
        """Each of *patterns* means *value*, whatever parts it has."""
        self.says(name, *patterns)(lambda *_: value)

    def special(self, name: str) -> Callable[[Build], Build]:
        def add(build: Build) -> Build:
            self.specials[name] = build
            return build

        return add

    def _compiled(self, pattern: str, build: Build) -> _Production:
        compiler = _Compiler(pattern)
        row = compiler.row(")")
        self.words |= compiler.words
        begins = row.items[0] if row.items else None
        second = _first(_Row(row.items[1:])) if isinstance(begins, _Part) and len(row.items) > 1 else None
        self._beginning.clear()
        return _Production(row, compiler.slots, build, _first(row), second)

    def beginning(self, name: str, word: str) -> list[_Production]:
        """The productions of a part that can begin with *word*, in their order."""
        key = (name, word)
        if key not in self._beginning:
            known = self.productions.get(name, ())
            self._beginning[key] = [each for each in known if each.first is None or word in each.first]
        return self._beginning[key]


class _Compiler:
    def __init__(self, pattern: str) -> None:
        self.left = re.findall(r"<[\w-]+>|\\.|[()\[\]|]|[^\s()\[\]|<>\\]+", pattern)
        self.left.reverse()
        self.slots = 0
        self.words: set[str] = set()

    def row(self, closing: str) -> _Row:
        items: list[_Node] = []
        while self.left and self.left[-1] not in (closing, "|"):
            item = self.left.pop()
            if item == "[":
                items.append(_Choice((*self._choice("]"), _Row(()))))
            elif item == "(":
                items.append(_Choice(self._choice(")")))
            elif item.startswith("<"):
                items.append(_Part(item[1:-1], self.slots))
                self.slots += 1
            else:
                choices = frozenset([item[1:]] if item.startswith("\\") else item.split("/"))
                self.words |= choices
                items.append(_Word(choices))
        return _Row(tuple(items))

    def _choice(self, closing: str) -> tuple[_Row, ...]:
        rows = [self.row(closing)]
        while self.left and self.left[-1] == "|":
            self.left.pop()
            rows.append(self.row(closing))
        assert self.left[-1:] == [closing], "a pattern closes what it opens"
        self.left.pop()
        return tuple(rows)


def _first(node: _Node) -> frozenset[str] | None:
    """The words *node* can begin with, or ``None`` when a part or nothing may stand first."""
    if isinstance(node, _Word):
        return node.choices
    if isinstance(node, _Part):
        return None
    if isinstance(node, _Choice):
        found: frozenset[str] = frozenset()
        for row in node.rows:
            first = _first(row)
            if first is None:
                return None
            found |= first
        return found
    seen: frozenset[str] = frozenset()
    for item in node.items:
        if isinstance(item, _Choice) and any(not row.items for row in item.rows):
            optional: frozenset[str] = frozenset()
            for row in item.rows:
                if row.items:
                    first = _first(row)
                    if first is None:
                        return None
                    optional |= first
            seen |= optional
            continue
        first = _first(item)
        return None if first is None else seen | first
    return None
