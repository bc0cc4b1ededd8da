"""Numbers that remember which rules changed them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache


@dataclass(frozen=True)
class Change:
    """One rule's effect on a number."""

    rule: str
    text: str
    before: int
    after: int


@dataclass(frozen=True)
class Reasoned:
    """A number, the value printed on the card, and every change between the two."""

    value: int
    printed: int
    changes: tuple[Change, ...] = ()

    @staticmethod
    @cache
    def of(printed: int) -> Reasoned:
        """The number as printed."""
        return Reasoned(printed, printed)

    def __int__(self) -> int:
        return self.value

    def to(self, value: int, rule: str, text: str) -> Reasoned:
        """The number changed to *value* by *rule*; unchanged, and without a reason, when it is that already."""
        if value == self.value:
            return self
        change = Change(rule, text, self.value, value)
        return Reasoned(value, self.printed, (*self.changes, change))

    def plus(self, amount: int, rule: str, text: str) -> Reasoned:
        return self.to(self.value + amount, rule, text)

    def words(self, suffix: str = "") -> str:
        """``5+ instead of 4+ (injured)``; just the number when nothing changed it."""
        if not self.changes:
            return f"{self.value}{suffix}"
        before = "" if self.value == self.printed else f" instead of {self.printed}{suffix}"
        why = ", ".join(dict.fromkeys(change.text for change in self.changes))
        return f"{self.value}{suffix}{before} ({why})"
