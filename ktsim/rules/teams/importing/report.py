"""What became of a community team file: what the engine enforces, in full or partly, what is only shown, what failed
and why. What people read and what other programs read is made from the same items."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ktsim.content.printable import printable
from ktsim.rules.teams.playing.status import Status

LINE_LIMIT = 300
"""More lines of a kind than this are counted, not listed."""

WORDS: dict[Status, str] = {"enforced": "enforced", "partly": "partly", "shown": "only shown", "failed": "failed"}


@dataclass(frozen=True)
class Item:
    """What became of one thing in the file; *words* name it to people with what it holds."""

    kind: str
    of: str
    name: str
    status: Status
    why: str = ""
    words: str = ""

    @property
    def line(self) -> str:
        """All of it on one line. Nothing unprintable gets in."""
        words = self.words or f"{self.of}: {self.name}"
        return printable(f"{WORDS[self.status]}: {words}{f': {self.why}' if self.why else ''}", 340)


@dataclass
class Report:
    """One item for each thing, and one line for each failure, in the order they were met."""

    items: list[Item] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def fail(self, place: str, text: str) -> None:
        """*place* is where in the document it is, such as ``opTypes[2].APL``."""
        self.failed.append(printable(f"{place}: {text}" if place else text, 300))

    def lines(self) -> Iterator[str]:
        counts = []
        for status, word in WORDS.items():
            found = [item for item in self.items if item.status == status]
            for item in found[:LINE_LIMIT]:
                yield item.line
            if len(found) > LINE_LIMIT:
                yield f"{word}: and {len(found) - LINE_LIMIT} more"
            counts.append(f"{len(found)} {word}")
        yield ", ".join(counts)
