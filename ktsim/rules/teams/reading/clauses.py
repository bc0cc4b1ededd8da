"""What a sentence is made of once it is read, before it is known who is meant by 'it' and 'that operative'."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ktsim.rules.teams.language.values import Term, Value, Whom, term


@dataclass(frozen=True)
class Mention:
    """Operatives as a text mentions them. The role of *whom* may still be a pronoun (``it``, ``that-friend``)."""

    whom: Whom
    count: int | str | None = None
    is_each: bool = False
    up_to: bool = False
    whose: tuple[Whom, ...] = ()
    """Further alternatives: 'one of these, or one of those'."""
    is_all: bool = False
    """Whether it is said that all of them are meant, not just any."""


ONE = "one "
"""How the role of somebody begins who is one, or some, of many: whoever speaks of them says how they are chosen, or
the sentence is not understood; it is never everybody."""


THEY = "they: "
"""How the role of a pronoun for several begins, before it is known whether a group was spoken of."""


def group_of(whom: Whom) -> Whom:
    """Those of whom one or some are meant."""
    return replace(whom, role=whom.role.removeprefix(ONE))


@dataclass(frozen=True)
class Weapons:
    """Weapons as a text mentions them: whose (``None``: nobody is named) and which (empty: all)."""

    owner: Whom | None
    names: tuple[str, ...] = ()


@dataclass(frozen=True)
class When:
    """A moment: it begins a new rule."""

    moments: tuple[Term, ...]
    who: Whom | None = None
    foe: Whom | None = None
    conditions: tuple[Term, ...] = ()
    is_each: bool = False
    """Whether it is said of each of them."""


@dataclass(frozen=True)
class If:
    conditions: tuple[Term, ...]


@dataclass(frozen=True)
class HowOften:
    limits: tuple[Term, ...]


@dataclass(frozen=True)
class Lasts:
    until: tuple[Term, ...]


@dataclass(frozen=True)
class Do:
    """Effects; *may*: the player is asked first."""

    effects: tuple[Term, ...]
    may: bool = False


@dataclass(frozen=True)
class Ask:
    """'You can use this rule': what follows is up to the player."""


@dataclass(frozen=True)
class While(If):
    """Conditions that must hold all the time that something lasts."""


@dataclass(frozen=True)
class IfDone:
    """'If you do': goes on with what the player chose."""


@dataclass(frozen=True)
class Afterwards:
    """'After it has moved': what was said to happen as an action is performed happens once it has been."""


@dataclass(frozen=True)
class Says:
    """Something that adds nothing: a note, or what is so anyway."""


@dataclass(frozen=True)
class Refers:
    """Something about the last effects: ``not cumulative`` and the like, as arguments they get."""

    words: frozenset[str]
    args: dict[str, Value] = field(default_factory=dict, hash=False)
    all: bool = False
    """All such effects of the text, not only the last."""
    name: str = ""
    """What the effects are about, where it is said: the token of that name."""


@dataclass(frozen=True)
class Forbids:
    """When a whole text cannot be used: added to every rule of it as conditions that must not hold, or as limits."""

    conditions: tuple[Term, ...] = ()
    limits: tuple[Term, ...] = ()
    is_lasting: bool = False
    """Whether it is about what holds afterwards, where something does."""
    bars: tuple[str, ...] = ()
    """Actions that cannot be performed in the same activation once it was used (*vice versa*)."""

    def __add__(self, more: Forbids) -> Forbids:
        bars = (*self.bars, *more.bars)
        return Forbids((*self.conditions, *more.conditions), (*self.limits, *more.limits), bars=bars)

    def of_each(self) -> Forbids:
        """The same where it is each operative that can do something only so often."""
        limits = (each.plus(each=True) if each.word in ("once", "twice") else each for each in self.limits)
        return replace(self, limits=tuple(limits))


@dataclass(frozen=True)
class Offers:
    """'Select one of the following': the items of the list are rules to choose from."""

    count: int = 1
    until: tuple[Term, ...] = ()
    whom: Whom | None = None
    weapons: tuple[str, ...] = ()
    is_of_rules: bool = False
    """Whether the items are weapon rules for those weapons."""


@dataclass(frozen=True)
class EachOnce:
    """'You can do each of the following once per ...': every item is a rule with that limit."""

    limits: tuple[Term, ...]


Clause: TypeAlias = (
    Offers | EachOnce | When | If | HowOften | Lasts | Do | Ask | IfDone | Afterwards | Says | Refers | Forbids
)


def about(conditions: tuple[Term, ...], whom: Whom) -> tuple[Term, ...]:
    """The same conditions, about *whom*."""
    return tuple(_about(each, whom) for each in conditions)


def _about(condition: Term, whom: Whom) -> Term:
    if condition.word in ("not", "any", "all"):
        inner = condition.main
        assert isinstance(inner, tuple)
        return term(condition.word, about(tuple(each for each in inner if isinstance(each, Term)), whom))
    if condition.get("about") is not None or condition.word in WITHOUT_SUBJECT:
        return condition
    return condition.plus(about=whom)


WITHOUT_SUBJECT = frozenset(
    [
        "foe",
        "die",
        "damage",
        "fails",
        "successes",
        "criticals",
        "damaged-with",
        "roll",
        "turning-point",
        "initiative",
        "first-time",
        "used-rule",
        "marker-placed",
        "exists",
    ]
)


def negated(conditions: tuple[Term, ...]) -> Term:
    """That not all of *conditions* hold. One that is negated already is turned back."""
    if len(conditions) == 1:
        [only] = conditions
        if (
            only.word == "not"
            and isinstance(only.main, tuple)
            and len(only.main) == 1
            and isinstance(only.main[0], Term)
        ):
            return only.main[0]
        if only.word == "all" and isinstance(only.main, tuple):
            return negated(tuple(each for each in only.main if isinstance(each, Term)))
        return term("not", (only,))
    return term("any", tuple(negated((each,)) for each in conditions))


def with_who(effect: Term, whom: Whom | None) -> Term:
    """The effect upon *whom*, unless it says upon whom already."""
    return effect if whom is None or effect.get("who") is not None else effect.plus(who=whom)


def renamed(whom: Whom, role: str) -> Whom:
    return replace(whom, role=role)
