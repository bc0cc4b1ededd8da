"""The names a team uses in its texts: keywords, weapons, ploys, actions, rules. Nothing else is guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property

UNIVERSAL_ACTIONS = (
    *("Charge", "Dash", "Fall Back", "Fight", "Shoot", "Reposition", "Guard", "Pick Up Marker", "Place Marker"),
    *("Operate Hatch", "Smoke Grenade", "Stun Grenade", "Counteract"),
)
UNIVERSAL_KEYWORDS = ("leader", "psyker")


def words(text: str) -> tuple[str, ...]:
    """The words of a name, in small letters; apostrophes stay inside words."""
    return tuple(re.findall(r"[\wÀ-ÿ]+(?:[-'][\wÀ-ÿ]+)*!?", text.lower().replace("’", "'").replace(".", "")))


def singulars(word: str) -> tuple[str, ...]:
    """What a plural may be the plural of: knives, batteries, torches, axes, rifles."""
    if len(word) <= 3 or not word.endswith("s") or word.endswith("ss"):
        return (word,)
    found = [word[:-1]]
    if word.endswith("ves"):
        found += [f"{word[:-3]}fe", f"{word[:-3]}f"]
    elif word.endswith("ies"):
        found.append(f"{word[:-3]}y")
    elif word.endswith("es"):
        found.append(word[:-2])
    return tuple(found)


@dataclass(frozen=True)
class Lexicon:
    """Names by what they name. *operatives* are names of datacards with the keywords each has."""

    keywords: frozenset[str] = frozenset()
    weapons: frozenset[str] = frozenset()
    ploys: tuple[str, ...] = ()
    actions: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    weapon_rules: tuple[str, ...] = ()
    groups: dict[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    """Kinds of weapons the team's texts define, such as 'bolt weapon'."""
    statuses: tuple[str, ...] = ()
    """States the team's texts define for operatives."""
    options: tuple[str, ...] = ()
    """What players choose from lists of the team's own: 'chapter tactic', 'mark'."""

    @cached_property
    def _keyword_words(self) -> dict[tuple[str, ...], str]:
        return {words(each): each for each in (*self.keywords, *UNIVERSAL_KEYWORDS)}

    @cached_property
    def _heads(self) -> frozenset[str]:
        return frozenset(each[0] for each in self._keyword_words if each)

    @cached_property
    def longest_keyword(self) -> int:
        return max((len(each) for each in self._keyword_words), default=1)

    def keyword_at(self, row: Sequence[str]) -> Iterable[tuple[int, str]]:
        """The keywords *row* begins with, longest first: how many words each has, and its name."""
        for size in range(min(self.longest_keyword, len(row)), 0, -1):
            forms = (row[size - 1], *singulars(row[size - 1]))
            known = (self._keyword_words.get((*row[: size - 1], form)) for form in forms)
            found = next((each for each in known if each is not None), None)
            if found is not None:
                yield size, found

    def spelled(self, row: Sequence[str]) -> str | None:
        """A keyword that is spelt nearly like *row*; one only."""
        text = " ".join(row)
        near = get_close_matches(text, list(self.keywords), 1, 0.88)
        return near[0] if near and len(text) > 5 else None

    @cached_property
    def _names(self) -> dict[str, dict[tuple[str, ...], str]]:
        lists = {
            "weapon": self.weapons,
            "ploy": self.ploys,
            "action": (*UNIVERSAL_ACTIONS, *self.actions),
            "rule": self.rules,
            "own-weapon-rule": self.weapon_rules,
            "group": self.groups,
            "option": self.options,
            "status": self.statuses,
        }
        return {kind: {words(name): name for name in names if words(name)} for kind, names in lists.items()}

    def name_at(self, kind: str, row: Sequence[str]) -> tuple[int, str] | None:
        """The longest name of that *kind* that *row* begins with; a plural counts."""
        known = self._names[kind]
        for size in range(min(8, len(row)), 0, -1):
            head = tuple(row[:size])
            for form in (head, *((*head[:-1], each) for each in singulars(head[-1])), ("the", *head)):
                if form in known:
                    return size, known[form]
        return None

    @cached_property
    def all_words(self) -> frozenset[str]:
        """Every word that some name has."""
        found: set[str] = {word for each in (*self.keywords, *UNIVERSAL_KEYWORDS) for word in words(each)}
        for names in self._names.values():
            found.update(word for each in names for word in each)
        return frozenset(found)
