"""Who is who while a rule of the language is read: itself, whom it is about, the foe, whom it has picked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.state import OperativeState, Side, State
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.teams.language.values import TeamText, Term, Whom
from ktsim.rules.teams.playing.clauses import Clause


class Unknown(Exception):
    """What is asked cannot be told in this situation, so the rule says nothing here."""


class RulesOfTeam(Protocol):
    """What a rule asks of the others of its team."""

    side: Side

    def stands(self, battle: Battle, one: OperativeState, word: str, name: str) -> bool:
        """Whether a state or token is there by some other rule."""

    def distance(self, battle: Battle, one: OperativeState, text: TeamText) -> float:
        """How many inches longer other rules make those of a text."""

    def ids_of(self, name: str) -> frozenset[str]:
        """The ids of the texts of a name."""

    def marker_lasts(self, name: str) -> tuple[object, ...]:
        """How long a marker of a name lies there, whichever rule places it; nothing: until it is removed."""

    def about_marker(self, name: str) -> Sequence[Clause]:
        """The rules that place a marker of a name and say what it does there."""

    def rules_had(self, scene: BoundRule, one: OperativeState, weapon: Profile) -> list[str]:
        """The weapon rules a weapon has already, be it by texts of either side."""

    def left_against(
        self, battle: Battle, one: OperativeState, weapon: Profile, target: OperativeState, texts: list[str]
    ) -> list[str]:
        """What the texts of both sides leave of weapon rules granted in the middle of a sequence."""


@dataclass(frozen=True, init=False)
class BoundRule:
    """A rule and those it is bound to.

    *doing* is what *who* does (a moment of the language), *weapon* what is attacked with, *ruling* how a target is
    seen. *holds* says whether a condition holds.
    """

    battle: Battle
    team: RulesOfTeam
    clause: Clause
    holds: Callable[[BoundRule, Term, OperativeState | None], bool]
    me: OperativeState | None = None
    who: OperativeState | None = None
    foe: OperativeState | None = None
    picked: tuple[OperativeState, ...] = ()
    first: OperativeState | None = None
    order: str = ""
    marker: str = ""
    held: str = ""
    """The weapon a lasting effect is about, by its key."""
    weapon: Profile | None = None
    foe_weapon: Profile | None = None
    ruling: TargetRuling | None = None
    doing: str = ""
    action: Action | None = None
    reach: Callable[[BoundRule, float], float] | None = None
    """While somebody is picked: what becomes of a distance of the rule."""
    fallen: bool = False
    """Whether those who are incapacitated but not removed yet are still asked about."""

    @property
    def side(self) -> Side:
        return self.team.side

    @property
    def state(self) -> State:
        return self.battle.state

    def stands(self, one: OperativeState, word: str, name: str) -> bool:
        return self.team.stands(self.battle, one, word, name)

    def distance(self, one: OperativeState, text: TeamText) -> float:
        return self.team.distance(self.battle, one, text)

    def ids(self, name: str) -> frozenset[str]:
        return self.team.ids_of(name)

    def __init__(self, **known: object) -> None:
        self.__dict__.update(known)  # whatever else a rule can be bound to is as the class has it

    def but(self, **changes: object) -> BoundRule:
        twin = object.__new__(BoundRule)  # what dataclasses.replace does, in a fraction of the time
        twin.__dict__.update(self.__dict__)
        twin.__dict__.update(changes)
        return twin

    def longer(self, inches: float) -> float:
        """A distance of the rule as others leave it."""
        return inches if self.reach is None else self.reach(self, inches)

    # -- operatives ----------------------------------------------------------------------------------

    def role(self, role: str) -> tuple[OperativeState, ...] | None:
        """Those in a role that is bound; ``None`` for a group such as friends."""
        one = {"self": self.me, "who": self.who, "foe": self.foe}
        if role in one:
            found = one[role]
            return () if found is None else (found,)
        if role == "picked":
            return self.picked
        if role == "first":
            return () if self.first is None else (self.first,)
        return None

    def is_meant(self, whom: Whom, one: OperativeState) -> bool:
        """Whether *one* is an operative *whom* speaks of."""
        bound = self.role(whom.role)
        if bound is not None and one not in bound:
            return False
        if whom.role == "friend" and one.side != self.side:
            return False
        if whom.role == "enemy" and one.side == self.side:
            return False
        return self.is_such(whom, one)

    def is_such(self, whom: Whom, one: OperativeState) -> bool:
        """Whether *one* is as *whom* says, be it in that role or not."""
        if whom.other and one in self._named(whom):
            return False
        if not is_called(self.battle, one, whom):
            return False
        return all(self.holds(self, term, one) for term in whom.that)

    def _named(self, whom: Whom) -> list[OperativeState]:
        """Those that *other* leaves out: the one the rule is about, and whoever was picked already."""
        if whom.role == "enemy":
            mine = [self.foe, self.who if self.who is not None and self.who.side != self.side else None]
        elif self.who is not None and self.who.side == self.side:
            mine = [self.who]  # "another" is another one than whom the rule is about, be it on somebody's datacard
        else:
            mine = [self.me]
        return [each for each in (*mine, self.first, *self.picked) if each is not None]

    def members(self, whom: Whom) -> list[OperativeState]:
        """Everybody in the killzone that *whom* speaks of."""
        bound = self.role(whom.role)
        among = self.state.operatives.values() if bound is None else bound
        return [
            one
            for one in among
            if (bound is not None or (one.is_in_killzone and (self.fallen or not one.is_incapacitated)))
            and self.is_meant(whom, one)
        ]

    def has_keywords(self, one: OperativeState, words: str) -> bool:
        return _has_keywords(self.battle, one, words)


def is_called(battle: Battle, one: OperativeState, whom: Whom) -> bool:
    """Whether an operative has keywords *whom* asks for, and none of those it leaves out."""
    if whom.keyword and not any(_has_keywords(battle, one, each) for each in whom.keyword):
        return False
    return not any(_has_keywords(battle, one, each) for each in whom.without)


def _has_keywords(battle: Battle, one: OperativeState, words: str) -> bool:
    """Whether it has all of the keywords joined by ``&``, or is called by what nobody of its team has as a keyword."""
    card = battle.card(one)
    own = _keywords(card.keywords, card.options, card.name, card.type, battle.teams[one.side].keywords)
    return all(word.strip().lower() in own for word in words.split("&"))


@lru_cache(maxsize=1024)
def _keywords(
    keywords: tuple[str, ...], options: tuple[str, ...], name: str, type: str, of_team: frozenset[str]
) -> frozenset[str]:
    """Keywords, what was chosen, and the first words of the datacard's name, by which texts call a kind that has no
    keyword of its own: a word that is a keyword of the team (*of_team*) means those who have it, whatever names say."""
    parts = name.lower().split()
    named = {" ".join(parts[:size]) for size in range(1, len(parts) + 1)} | {type.replace("-", " ").lower()}
    return frozenset({word.lower() for word in (*keywords, *options)} | (named - of_team))
