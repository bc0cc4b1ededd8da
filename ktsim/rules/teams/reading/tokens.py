"""Sentences as words: small letters, distances and dice as one word each, possessives apart."""

from __future__ import annotations

import re
from dataclasses import dataclass

_TOKEN = re.compile(
    r"""\d+(?:\.\d+)?"      # inches
      | \d*[dD]\d(?:\+\d+)? # dice
      | \d+\+               # 4+
      | \d+[aA][pP]\b | \d+[cC][pP]\b
      | \d+-\d+
      | \d+(?:/\d+)?
      | [xX]"
      | [A-Za-zÀ-ÿ][\w]*(?:[-'][A-Za-zÀ-ÿ]\w*)*!?
      | '
      | [,;:().|&]""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Token:
    """A word in small letters, and as it was printed."""

    word: str
    printed: str

    @property
    def is_capital(self) -> bool:
        """Whether it is printed as a keyword: all capitals."""
        letters = [c for c in self.printed if c.isalpha()]
        return len(letters) > 1 and all(c.isupper() for c in letters)


def tokens(sentence: str) -> tuple[Token, ...]:
    found: list[Token] = []
    for match in _TOKEN.finditer(sentence):
        text = match[0]
        if text.lower().endswith("'s") and len(text) > 2:
            found += [Token(text[:-2].lower(), text[:-2]), Token("'s", "'s")]
        else:
            found.append(Token(text.lower(), text))
    while found and found[-1].word in (".", ":", ";", ","):
        found.pop()
    return tuple(found)
