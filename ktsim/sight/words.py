"""Numbers and lists as players say them."""

from __future__ import annotations

from collections.abc import Iterable


def inches(value: float) -> str:
    """A distance as players say it."""
    return f'{value:.2f}"'


def beside(value: float, limit: float) -> str:
    """A distance with as many figures as it takes to tell it from *limit*, which it is not."""
    for figures in range(2, 6):
        if round(value, figures) != round(limit, figures):
            return f'{value:.{figures}f}"'
    return f'a hair {"more" if value > limit else "less"} than {limit:g}"'


def listed(names: Iterable[str], most: int = 3) -> str:
    """Names in a sentence: "a", "a and b", "a, b and 2 more"."""
    found = list(dict.fromkeys(names))
    if len(found) > most:
        found = [*found[: most - 1], f"{len(found) - most + 1} more"]
    return " and ".join(filter(None, (", ".join(found[:-1]), found[-1]))) if found else ""
