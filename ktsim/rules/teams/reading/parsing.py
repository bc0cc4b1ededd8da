"""One sentence as clauses: read whole, with no word left over, or not at all."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from importlib import import_module

from ktsim.rules.teams.reading.clauses import Clause, HowOften, If, When
from ktsim.rules.teams.reading.grammar import Matching, TooInvolved
from ktsim.rules.teams.reading.lexicon import Lexicon
from ktsim.rules.teams.reading.names import RULE_WORDS, G
from ktsim.rules.teams.reading.tokens import Token, tokens

PHRASES = (
    "operatives",
    "effects_dice",
    "effects_operatives",
    "effects_team",
    "orders_and_control",
    "set_up_again",
    "moments",
    "durations",
    "distances",
    "forbidding",
    "notes",
    "interrupting",
    "single_rules",
    "predicates",
)
"""The modules that say the grammar's phrases. Where two readings are equally long, the one from further left wins."""

for _name in PHRASES:
    import_module(f"ktsim.rules.teams.reading.{_name}")

BETWEEN = frozenset((",", ";", "(", ")", "and", "but", "then", ":", "also", "."))
"""What may stand between clauses and says nothing by itself."""

LONGEST = 160
"""Words; a longer sentence is not read."""


@dataclass(frozen=True)
class PlacedClause:
    """A clause and what stood before it."""

    clause: Clause
    before: tuple[str, ...]


@dataclass
class SentenceReader:
    """Reads sentences for one team; what was read once is remembered."""

    lexicon: Lexicon

    def __post_init__(self) -> None:
        self._known: dict[str, tuple[PlacedClause, ...] | None] = {}
        self._slips: dict[str, str] = {}

    def clauses(self, sentence: str) -> tuple[PlacedClause, ...] | None:
        """The clauses of *sentence* in order; ``None`` when it is not understood to the last word."""
        if sentence not in self._known:
            self._known[sentence] = self._read(sentence)
        return self._known[sentence]

    def _read(self, sentence: str) -> tuple[PlacedClause, ...] | None:
        row = tokens(sentence)
        if not row or len(row) > LONGEST:
            return None
        try:
            found = _cover(Matching(G, row, self.lexicon))
            if found is not None:
                return found
            spelled = tuple(self._spelled(token) for token in row)
            return _cover(Matching(G, spelled, self.lexicon)) if spelled != row else None
        except (TooInvolved, RecursionError):
            return None

    def moment(self, sentence: str) -> tuple[PlacedClause, ...]:
        """When a sentence says that something *can* be done, and how often, where the rest of it is not understood."""
        row = tokens(sentence)
        if len(row) > LONGEST:
            return ()
        matching = Matching(G, row, self.lexicon)
        found: list[PlacedClause] = []
        at = 0
        try:
            while tuple(matching.words[at : at + 2]) not in (("you", "can"), ("it", "can")):
                ends = sorted(matching.part("clause", at).items(), reverse=True)
                end, value = next(((end, value) for end, value in ends if _is_lead(value)), (at, None))
                if value is None:
                    return ()
                found += [PlacedClause(each, ()) for each in (value if isinstance(value, tuple) else (value,))]
                at = end
                while at < len(matching.words) and matching.words[at] in BETWEEN:
                    at += 1
        except (TooInvolved, RecursionError):
            return ()
        return tuple(found) if any(isinstance(each.clause, When) for each in found) else ()

    @cached_property
    def _vocabulary(self) -> frozenset[str]:
        return frozenset(G.words) | self.lexicon.all_words | RULE_WORDS

    def _spelled(self, token: Token) -> Token:
        """A long word that is one letter away from exactly one word of the grammar is a slip of the pen."""
        word = token.word
        if len(word) < 5 or not word.isalpha() or word in self._vocabulary:
            return token
        if word not in self._slips:
            near = [each for each in self._vocabulary if abs(len(each) - len(word)) <= 1 and _is_slip(word, each)]
            self._slips[word] = near[0] if len(near) == 1 else word
        return Token(self._slips[word], token.printed)


def _is_lead(value: object) -> bool:
    several = value if isinstance(value, tuple) else (value,)
    return all(isinstance(each, When | HowOften | If) for each in several)


def _is_slip(word: str, other: str) -> bool:
    """Whether one letter was left out, added, changed or swapped."""
    if len(word) == len(other):
        wrong = [i for i, (a, b) in enumerate(zip(word, other, strict=True)) if a != b]
        if len(wrong) == 1:
            return True
        if len(wrong) != 2 or wrong[1] != wrong[0] + 1:
            return False
        return word[wrong[0]] == other[wrong[1]] and word[wrong[1]] == other[wrong[0]]
    short, long = sorted((word, other), key=len)
    return any(long[:i] + long[i + 1 :] == short for i in range(len(long)))


def _cover(matching: Matching) -> tuple[PlacedClause, ...] | None:
    """Clauses that follow each other from the first word to the last, the longest first."""
    hopeless: set[int] = set()

    def rest(at: int) -> tuple[PlacedClause, ...] | None:
        start = at
        while at < len(matching.words) and matching.words[at] in BETWEEN:
            at += 1
        if at == len(matching.words):
            return ()
        if at in hopeless:
            return None
        for begin in range(start, at + 1):  # 'and' and 'but' may also begin a clause
            found = _from(begin, tuple(matching.words[start:begin]))
            if found is not None:
                return found
        hopeless.add(at)
        return None

    def _from(at: int, before: tuple[str, ...]) -> tuple[PlacedClause, ...] | None:
        for end, value in sorted(matching.part("clause", at).items(), reverse=True):
            after = rest(end)
            if after is not None:
                several = value if isinstance(value, tuple) else (value,)
                return (*(PlacedClause(each, before) for each in several), *after)
        return None

    return rest(0)
