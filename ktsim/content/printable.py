"""Text from outside made safe to show: no escape sequence reaches a terminal or the window."""

from __future__ import annotations

NAME_LIMIT = 64
"""The longest name a file may give anything, in characters."""


def printable(text: str, limit: int = NAME_LIMIT) -> str:
    """*text* with every unprintable character shown as ``?``, cut to *limit* characters."""
    shown = "".join(c if c.isprintable() else "?" for c in text[: limit + 1])
    return shown if len(shown) <= limit else shown[: limit - 3] + "..."
