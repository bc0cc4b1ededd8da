"""How sentences hang together: which take something back, which stand for themselves, which are two in one."""

from __future__ import annotations

import re

RESTRICTS = re.compile(
    r"\b(cannot|only|unless|must|more than once|maximum|minimum|no more than|excluding|except|instead|not|no|loses?"
    r"|subtract|worsen|expended|ends|removed?|discard|spend|skip|providing|different|costs?"
    r"|damage on (?:this|that friendly|it|each|them))\b",
    re.IGNORECASE,
)
"""Words by which a sentence takes something back; one that is not understood takes down what it is about."""

INDEPENDENT = re.compile(
    r"(?:once per [a-z ]+, )?(?:whenever|this operative|(?:each |a |one |up to \w+ )?friendly|in the ready "
    r"step|each friendly|strategic gambit"
    r"|the first time|during each|if this operative|you can ignore|add \d|your opponent)\b",
    re.IGNORECASE,
)
"""How a sentence begins that stands for itself."""

ABOUT_ALL = re.compile(
    r"\bthis (?:ploy|rule|action|equipment|effect|strategic gambit|weapon)\b|these (?:rules|effects)", re.IGNORECASE
)

_HALVES = re.compile(r"(?:,|;)? and (?=whenever\b)|; (?=whenever\b)", re.IGNORECASE)
_LASTS = re.compile(r"(until .+?(?:\(whichever comes first\))?,) (?=whenever\b)", re.IGNORECASE)


def halves(sentence: str) -> list[str]:
    """A sentence with two moments as two, each with how long both last."""
    parts = _HALVES.split(sentence)
    if len(parts) != 2:
        return []
    lasts = _LASTS.match(parts[0])
    return [parts[0], f"{lasts[1]} {parts[1]}" if lasts else parts[1]]
