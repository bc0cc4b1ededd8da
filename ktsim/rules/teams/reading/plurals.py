"""Who 'they' and 'each of those operatives' are: the group that was last acted upon, and else whoever 'it' would be;
never one operative where a group was spoken of in between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import Any

from ktsim.rules.teams.language.values import Term, Whom
from ktsim.rules.teams.reading.clauses import THEY, Do, If, When
from ktsim.rules.teams.reading.frames import HAPPENING, HOLDING
from ktsim.rules.teams.reading.parsing import PlacedClause
from ktsim.rules.teams.reading.references import Unclear, pronouns_in

GROUPS = ("friend", "enemy", "anyone")
STAYING = frozenset(("within", "more-than", "visible", "control-range", "territory", "keyword"))
"""What is still so of those who were acted upon, as long as nobody moves."""
MOVING = frozenset(("free-action", "relocate", "next-activation", "order"))
_NOBODY = Whom("several")
_ONE_OF_THEM = frozenset(("it", "that", "that-friend", "that-enemy"))


def of_whoever(placed: Sequence[PlacedClause]) -> tuple[PlacedClause, ...]:
    """A text that begins 'if' or 'while somebody is ...' and goes on with 'its': a rule about whoever is so. It is not
    known who 'it' is where two are spoken of."""
    first, *rest = (each.clause for each in placed)
    used = {name for each in rest for name in pronouns_in(each)}
    if not isinstance(first, If) or any(isinstance(each, When) for each in rest) or used.isdisjoint(_ONE_OF_THEM):
        return tuple(placed)
    whoms = {whom for each in first.conditions for whom in _subjects(each)}
    who = next((whom for whom in whoms if isinstance(whom, Whom)), None)
    if who is None or who.role not in ("friend", "enemy"):
        return tuple(placed)
    if len(whoms) > 1 or any(_speaks_of(Whom("self"), each) for each in (*first.conditions, *who.that)):
        raise Unclear("who it is")
    own = When((Term("always"),), who, None, tuple(map(_of_its_own, first.conditions)))
    return (PlacedClause(own, placed[0].before), *placed[1:])


def _subjects(condition: Term) -> tuple[Any, ...]:
    """Whom a condition is about, and those within it."""
    if condition.word in ("not", "any", "all") and isinstance(condition.main, tuple):
        return tuple(whom for each in condition.main if isinstance(each, Term) for whom in _subjects(each))
    return (condition.get("about"),)


def _of_its_own(condition: Term) -> Term:
    """The condition, about whomever the rule is about."""
    if condition.word in ("not", "any", "all") and isinstance(condition.main, tuple):
        return Term(
            condition.word, (("", tuple(_of_its_own(each) for each in condition.main if isinstance(each, Term))),)
        )
    return Term(condition.word, tuple(pair for pair in condition.args if pair[0] != "about"))


def _speaks_of(whom: Whom, value: Any) -> bool:
    if isinstance(value, tuple):
        return any(_speaks_of(whom, each) for each in value)
    if isinstance(value, Term):
        return any(_speaks_of(whom, each) for _, each in value.args)
    return bool(value == whom) or (isinstance(value, Whom) and _speaks_of(whom, value.that))


def without_plurals(
    placed: Sequence[PlacedClause], before: Sequence[Term], happens: bool
) -> tuple[tuple[PlacedClause, ...], bool]:
    """The clauses of a sentence with nobody left who is 'they', and whether some of them are a group spoken of before.

    *before*: the effects of the rule it goes on with; *happens*: whether they are done, and do not just hold."""
    group = None
    for effect in before:
        happens = happens or effect.word in HAPPENING
        group = _after(effect, group)
    found, is_of_group = [], False
    for each in placed:
        clause = each.clause
        if isinstance(clause, Do):
            effects = []
            for effect in clause.effects:
                happens = happens or effect.word in HAPPENING
                effects.append(_named(effect, group if happens else None))
                is_of_group = is_of_group or (happens and group is not None and _has_plural(effect))
                group = _after(effects[-1], group)
            clause = replace(clause, effects=tuple(effects))
        else:
            if isinstance(clause, When):
                happens = happens or not {term.word for term in clause.moments} <= HOLDING
                group = None if clause.who is not None else group
            meant = _NOBODY if group is not None and happens else None
            clause = replace(clause, **{own.name: _named(getattr(clause, own.name), meant) for own in fields(clause)})
            if isinstance(clause, If) and group is None and any(map(_speaks_of_group, clause.conditions)):
                group = _NOBODY
        found.append(PlacedClause(clause, each.before))
    return tuple(found), is_of_group


def _has_plural(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_has_plural, value))
    if isinstance(value, Term):
        return any(_has_plural(each) for _, each in value.args)
    return isinstance(value, Whom) and (value.role.startswith(THEY) or _has_plural(value.that))


def _after(effect: Term, group: Whom | None) -> Whom | None:
    """Who was last acted upon as a group, once *effect* has happened."""
    if effect.word in ("pick", "choose"):
        return None
    whom = effect.get("who")
    if isinstance(whom, Whom) and whom.role in GROUPS:
        return whom if all(each.word in STAYING for each in whom.that) else _NOBODY
    return _NOBODY if group is not None and effect.word in MOVING else group


def _named(value: Any, group: Whom | None) -> Any:
    if isinstance(value, tuple):
        return tuple(_named(each, group) for each in value)
    if isinstance(value, dict):
        return {name: _named(each, group) for name, each in value.items()}
    if isinstance(value, Term):
        return Term(value.word, tuple((name, _named(each, group)) for name, each in value.args))
    if not isinstance(value, Whom):
        return value
    that = tuple(_named(each, group) for each in value.that)
    if not value.role.startswith(THEY):
        return replace(value, that=that)
    if group is None:
        return replace(value, role=value.role.removeprefix(THEY), that=that)
    if group == _NOBODY or value.role.removeprefix(THEY + "that-") not in (value.role, group.role):
        raise Unclear("which of several")
    return group.narrowed(*that)


def _speaks_of_group(value: Any) -> bool:
    if isinstance(value, tuple):
        return any(map(_speaks_of_group, value))
    if isinstance(value, Term):
        return any(_speaks_of_group(each) for _, each in value.args)
    return isinstance(value, Whom) and value.role in GROUPS
