"""Single values of the community JSON, whatever way they are written: ``6"``, ``"4+"``, ``"3/4"``, ``"60x35"``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ktsim.content.printable import NAME_LIMIT
from ktsim.rules.teams.fields import TEXT_LIMIT, id_of
from ktsim.rules.teams.importing.report import Report
from ktsim.rules.teams.team_file import ARCHETYPES, MOST_DAMAGE, is_base_size

_WHOLE = re.compile(r'\s*(\d{1,3})\s*(?:["″”+]|\'\'|inch(?:es)?)?\s*')
_DAMAGE = re.compile(r"\s*(\d{1,3})\s*[/|]\s*(\d{1,3})\s*")
_BASE = re.compile(r"\s*(\d{1,3}(?:\.\d{1,2})?)\s*(?:mm)?\s*(?:[x×*]\s*(\d{1,3}(?:\.\d{1,2})?)\s*(?:mm)?\s*)?")
_NONE = ("-", "–", "—")


@dataclass(frozen=True)
class Row:
    """One object of the document and where it is; every problem goes to the report."""

    data: dict[str, Any]
    place: str
    report: Report

    def at(self, name: str) -> str:
        return f"{self.place}.{name}" if self.place else name

    def fail(self, name: str, text: str) -> None:
        self.report.fail(self.at(name), text)

    def whole(self, name: str, least: int, most: int) -> int | None:
        """A number such as 2, ``"4+"`` or ``6"``; a dash is 0 where 0 is possible. ``None`` after a complaint."""
        value = self.data.get(name)
        found = int(value) if type(value) is int or (isinstance(value, float) and value.is_integer()) else None
        if isinstance(value, str):
            if value.strip() in _NONE:
                found = 0
            elif match := _WHOLE.fullmatch(value[:40]):
                found = int(match[1])
        if found is not None and least <= found <= most:
            return found
        self.fail(name, f"{described(self.data, name)}; it is a whole number from {least} to {most}")
        return None

    def damage(self, name: str) -> list[int] | None:
        """Normal and critical damage."""
        value = self.data.get(name)
        if isinstance(value, str) and (match := _DAMAGE.fullmatch(value[:40])):
            found = [int(match[1]), int(match[2])]
            if max(found) <= MOST_DAMAGE:
                return found
        self.fail(name, f"{described(self.data, name)}; it is normal and critical damage such as '3/4'")
        return None

    def base(self, name: str, otherwise: int) -> int | float | list[int | float]:
        """A base in millimetres: a number, or two for an oval one."""
        value = self.data.get(name)
        if isinstance(value, (int, float)) and is_base_size(value):
            return value
        if isinstance(value, str) and (match := _BASE.fullmatch(value[:40])):
            sizes = [_plain(float(group)) for group in match.groups() if group is not None]
            if all(map(is_base_size, sizes)):
                return sizes if len(sizes) == 2 else sizes[0]
        wanted = f"it is millimetres such as 32 or '60x35'; {otherwise} mm is used"
        self.fail(name, f"{described(self.data, name)}; {wanted}")
        return otherwise

    def name(self, name: str) -> str:
        """A name, cut and cleaned so that it can be shown; empty after a complaint."""
        value = self.data.get(name)
        found = one_line(value) if isinstance(value, str) else ""
        if not found:
            self.fail(name, f"{described(self.data, name)}; it is a name")
            return ""
        if isinstance(value, str) and found != " ".join(value[: 4 * NAME_LIMIT].split()):
            self.fail(name, f"has unprintable characters or more than {NAME_LIMIT}; shown as '{found}'")
        return found

    def text(self, name: str) -> str:
        """A text of some lines, without control characters; empty when there is none."""
        value = self.data.get(name)
        if value is None:
            return ""
        if not isinstance(value, str):
            self.fail(name, f"{described(self.data, name)}; it is text")
            return ""
        found = many_lines(value[: 2 * TEXT_LIMIT])
        if len(found) > TEXT_LIMIT or len(value) > 2 * TEXT_LIMIT:
            self.fail(name, f"has {len(value)} characters; the first {TEXT_LIMIT} are kept")
            found = found[: TEXT_LIMIT - 3].rstrip() + "..."
        return found

    def rows(self, name: str, most: int, *, required: bool = False) -> Iterator[Row]:
        """The objects of a list; a missing or empty one has none."""
        for place, value in self._items(name, most, required):
            if isinstance(value, dict):
                yield Row(value, place, self.report)
            else:
                self.report.fail(place, f"is {kind_of(value)}; it is an object")

    def texts(self, name: str, most: int) -> Iterator[str]:
        for place, value in self._items(name, most, False):
            if isinstance(value, str):
                if found := many_lines(value[:TEXT_LIMIT]):
                    yield found
            else:
                self.report.fail(place, f"is {kind_of(value)}; it is text")

    def _items(self, name: str, most: int, required: bool) -> Iterator[tuple[str, Any]]:
        value = self.data.get(name)
        if value is None and not required:
            return
        if not isinstance(value, list):
            self.fail(name, f"{described(self.data, name)}; it is a list")
            return
        for number, item in enumerate(value[:most]):
            yield f"{self.at(name)}[{number}]", item
        if len(value) > most:
            self.fail(name, f"has {len(value)} items; the first {most} are read")

    def keywords(self, name: str) -> list[str]:
        """Keywords from a text with commas, or from a list of words."""
        value = self.data.get(name)
        if value is None:
            return []
        words = value[:TEXT_LIMIT].split(",") if isinstance(value, str) else value
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            self.fail(name, f"{described(self.data, name)}; it is keywords with commas between them")
            return []
        return list(dict.fromkeys(filter(None, (one_line(word).lower() for word in words[:12]))))

    def archetypes(self, name: str) -> list[str]:
        found = []
        value = self.data.get(name)
        words = re.split(r"[/,]", value[:200]) if isinstance(value, str) else self.texts(name, 8)
        for word in filter(str.strip, words):
            id = id_of(word.replace("&", " and "))
            if id in ARCHETYPES:
                found.append(id)
            else:
                self.fail(name, f"'{one_line(word)}' is not one of {', '.join(ARCHETYPES)}")
        return list(dict.fromkeys(found))


def _plain(number: float) -> int | float:
    return int(number) if number.is_integer() else number


def one_line(text: str) -> str:
    """*text* as a name: printable, single spaces, at most 64 characters."""
    shown = "".join(c for c in text[:1000] if c.isprintable() or c.isspace())
    return " ".join(shown.split())[:NAME_LIMIT].rstrip()


def many_lines(text: str) -> str:
    """*text* without control characters, lines trimmed, at most one empty line at a time."""
    lines = []
    for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n"):
        lines.append("".join(c for c in line.replace("\t", " ") if c.isprintable()).rstrip())
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def described(data: dict[str, Any], name: str) -> str:
    return f"is {kind_of(data[name])}" if name in data else "is missing"


def kind_of(value: Any) -> str:
    """What a value is, for a sentence."""
    if value is None:
        return "empty"
    if isinstance(value, dict):
        return "an object"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    return f"{value!r:.60}"


class Names:
    """Gives every name an id of its own, numbering those that would share one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def unique(self, name: str) -> str:
        found, number = name, 1
        while id_of(found) in self._taken:
            number += 1
            found = f"{name[: NAME_LIMIT - 5]} {number}"
        self._taken.add(id_of(found))
        return found
