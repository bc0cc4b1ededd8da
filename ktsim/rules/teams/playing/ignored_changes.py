"""Changes to stats that a rule has an operative ignore: which they are, and numbers without them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from ktsim.rules.engine.attack import Attack, Hand
from ktsim.rules.engine.values import Change
from ktsim.rules.teams.language.values import Term
from ktsim.rules.teams.playing.clauses import Clause

WORSE_IS_MORE = ("save", "hit")
"""Stats of which a lower number is better."""
IN_HAND = {"atk": "atk", "hit": "hit", "normal": "damage", "critical": "damage"}
"""The stats of a weapon, by the names they have in a hand."""
OF_WEAPONS_ONLY = ("atk", "damage")
"""Stats that *all* stats of an operative are not, unless its weapons' are said to be included."""


class Ignored(NamedTuple):
    """What one rule has ignored. Where its player may choose (*can ignore*) the changes for the better are kept."""

    term: Term
    title: str
    is_choice: bool

    @staticmethod
    def by(clause: Clause, term: Term) -> Ignored:
        """By an effect of a clause; of what lasts the effect itself says whether its player may do without."""
        return Ignored(term, clause.title, clause.rule.may or bool(term.get("may")))

    @property
    def is_of_injury(self) -> bool:
        return self.term.get("from") == "injury"

    @property
    def is_of_named_weapons(self) -> bool:
        """Whether it is about stats of some weapons, and not of the operative."""
        return bool(self.term.get("weapons"))

    def is_about(self, stat: str) -> bool:
        said, barred = self._names(""), self._names("except")
        is_all = "all" in said and (stat not in OF_WEAPONS_ONLY or bool(self.term.get("with-weapons")))
        return (is_all or stat in said) and stat not in barred

    def _names(self, name: str) -> tuple[object, ...]:
        value = self.term.get(name)
        return value if isinstance(value, tuple) else () if value is None else (value,)

    def drops(self, change: Change, stat: str, injured: str) -> bool:
        """Whether it has a change ignored; *injured* is the rule of the edition about being injured."""
        if self.is_of_injury:
            return change.rule == injured
        return self.drops_step(stat, change.before, change.after)

    def drops_step(self, stat: str, before: int, after: int) -> bool:
        """The same of a change that is not from being injured."""
        is_worse = (after > before) == (stat in WORSE_IS_MORE)
        return not self.is_of_injury and before != after and (is_worse or not self.is_choice)


def without_step(before: Hand, after: Hand, ignored: Iterable[Ignored]) -> Hand:
    """The hand *after* a change, with those of its stats as they were of which the change is ignored."""
    for name, stat in IN_HAND.items():
        was, now = getattr(before, name), getattr(after, name)
        if was != now and any(each.is_about(stat) and each.drops_step(stat, was, now) for each in ignored):
            after = after._replace(**{name: was})
    return after


def hit_without(attack: Attack, ignored: Iterable[Ignored], injured: str) -> int:
    """Hit of an attack without the changes that are ignored for its weapon only; for all others it is so already."""
    ignored = [each for each in ignored if each.is_about("hit")]
    own = [each for each in ignored if each.is_of_named_weapons]
    if not own:
        return attack.hit.value
    others = [each for each in ignored if not each.is_of_named_weapons]
    made = [change for change in attack.hit.changes if change.text not in {each.title for each in others}]
    kept = [change for change in made if not any(each.drops(change, "hit", injured) for each in ignored)]
    return max(2, attack.weapon.hit + sum(change.after - change.before for change in kept))
