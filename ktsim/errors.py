"""Mistakes a user can make, as sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MOST_PROBLEMS = 50
"""Of one file: nobody reads more, and a terminal should not have to show them."""


@dataclass(frozen=True)
class Problem:
    """One thing wrong with something a user gave us: where, what, and what would be right."""

    place: str
    text: str

    def __str__(self) -> str:
        return f"{self.place}: {self.text}" if self.place else self.text


class UserError(Exception):
    """Bad input. Every problem becomes one line on stderr; never a traceback."""

    def __init__(self, problems: Problem | Sequence[Problem] | str) -> None:
        if isinstance(problems, str):
            problems = Problem("", problems)
        found: tuple[Problem, ...] = (problems,) if isinstance(problems, Problem) else tuple(problems)
        if more := len(found[MOST_PROBLEMS:]):
            found = (*found[:MOST_PROBLEMS], Problem(found[-1].place.split(":")[0], f"and {more} more problems"))
        self.problems = found
        super().__init__("\n".join(str(problem) for problem in self.problems))
