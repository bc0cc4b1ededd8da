"""What became of a community team file: what the engine enforces, what is only shown, what failed and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ktsim.content.printable import printable

LINE_LIMIT = 300
"""More lines of a kind than this are counted, not listed."""


@dataclass
class Report:
    """One line for each thing, in the order they were met. Nothing unprintable gets in."""

    enforced: list[str] = field(default_factory=list)
    shown: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    def enforce(self, text: str) -> None:
        self.enforced.append(printable(text, 300))

    def show(self, text: str) -> None:
        self.shown.append(printable(text, 300))

    def fail(self, place: str, text: str) -> None:
        """*place* is where in the document it is, such as ``opTypes[2].APL``."""
        self.failed.append(printable(f"{place}: {text}" if place else text, 300))

    def lines(self) -> Iterator[str]:
        for kind, found in (("enforced", self.enforced), ("only shown", self.shown), ("failed", self.failed)):
            for text in found[:LINE_LIMIT]:
                yield f"{kind}: {text}"
            if len(found) > LINE_LIMIT:
                yield f"{kind}: and {len(found) - LINE_LIMIT} more"
        yield f"{len(self.enforced)} enforced, {len(self.shown)} only shown, {len(self.failed)} failed"
