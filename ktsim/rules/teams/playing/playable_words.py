"""Why play cannot carry out the words of a rule: conditions, operatives, arguments, ways of lasting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ktsim.errors import UserError
from ktsim.rules.engine.table import CONTROL_RANGE
from ktsim.rules.kt24.weapon_rules import KT24_WEAPON_RULES
from ktsim.rules.teams.language.values import SELF, WHO, LanguageRule, Term, Whom
from ktsim.rules.teams.playing.clauses import LATE
from ktsim.rules.teams.playing.conditions import CONDITIONS
from ktsim.rules.teams.playing.effects import UNTILS

DURING = {
    "did": ("activation", "sequence", "turning-point"),
    "hurt": ("action", "sequence"),
    "moved": (None, "activation", "action", "turning-point"),
    "killed": ("turning-point", "sequence", "action"),
    "shot": ("turning-point",),
    "used-rule": ("turning-point", "battle", None),
    "incapacitated": (None,),
}
"""Of when a condition about the past can be asked."""


def lacking_in(term: Term, late: frozenset[str] = frozenset()) -> Iterator[str]:
    """Why a condition cannot be asked; *late*: those about dice that are known there, but not within another one."""
    if term.word in ("not", "any", "all"):
        for each in terms_in(term.main):
            yield from lacking_in(each)
        return
    if term.word in LATE:
        if term.word not in late:
            yield f"condition {term.word}"
        elif term.word == "first-time" and term.main not in ("sequence", "turning-point", "battle", "effect"):
            yield f"first time in {term.main}"
        return
    handler = CONDITIONS.get(term.word)
    if handler is None:
        yield f"condition {term.word}"
        return
    yield from lacking_arguments(term, handler.args | {"", "about"})
    if term.word in DURING and term.get("during") not in DURING[term.word]:
        yield f"{term.word} in {term.get('during')}"
    if term.word in ("weapon", "weapon-rule") and set(names_in(term)) & {"this", "same"}:
        yield f"{term.word} {', '.join(map(str, names_in(term)))}"
    if term.word == "stat" and term.main not in ("apl", "move", "save", "wounds"):
        yield f"condition stat {term.main}"
    if term.word == "within" and term.get("of") is None and term.get("marker") is None:
        yield "within of nobody"
    if term.word == "within" and term.get("marker") is not None and term.get("visible") and term.main != CONTROL_RANGE:
        yield "a marker that is seen further away than its control range"
    if term.word == "within" and term.get("of") is not None and (term.get("wholly") or term.get("horizontally")):
        yield "wholly or horizontally within of an operative"
    for _, value in term.args:
        if isinstance(value, Whom):
            yield from lacking_for(value)


def lacking_for(whom: Whom | None) -> Iterator[str]:
    for each in () if whom is None else whom.that:
        yield from lacking_in(each)


def whoms_of(terms: Iterable[Term]) -> Iterator[Whom]:
    """Every operative terms speak of, within each other too."""
    for term in terms:
        for _, value in term.args:
            if isinstance(value, Whom):
                yield value
                yield from whoms_of(value.that)
            else:
                yield from whoms_of(terms_in(value))


def lacking_until(terms: Sequence[Term]) -> Iterator[str]:
    if not terms:
        yield "how long it lasts"
    for each in terms:
        if each.word == "while" and each.main is not None:
            yield from (why for term in terms_in(each.main) for why in lacking_in(term))
        elif each.word not in UNTILS:
            yield f"until {each.word}"


def lacking_arguments(term: Term, known: frozenset[str]) -> Iterator[str]:
    yield from (f"{term.word} with {name}" for name, _ in term.args if name not in known)


def terms_in(value: object) -> tuple[Term, ...]:
    return tuple(each for each in value if isinstance(each, Term)) if isinstance(value, tuple) else ()


def names_in(term: Term, name: str = "") -> tuple[str, ...]:
    value = term.get(name)
    return tuple(map(str, value)) if isinstance(value, tuple) else () if value is None else (str(value),)


def is_known_rule(text: str) -> bool:
    try:
        KT24_WEAPON_RULES.parse(text)
    except UserError:
        return False
    return True


def is_with_itself(rule: LanguageRule) -> bool:
    """Whether it asks how near somebody is to itself, or what it sees of itself."""
    own = (each for term in rule.do for each in terms_in(term.get("if")))
    return any(_asks_of_itself(rule, each) for each in (*rule.conditions, *own))


def _asks_of_itself(rule: LanguageRule, condition: Term) -> bool:
    if condition.word in ("not", "any", "all"):
        return any(_asks_of_itself(rule, each) for each in terms_in(condition.main))
    same = (WHO, SELF) if rule.who == SELF else (WHO,)
    subject = condition.get("about")
    is_near = condition.word in ("within", "more-than", "visible", "control-range")
    objects = [condition.get(name) for name in ("", "of", "from")]
    return is_near and (subject is None or subject in same) and any(each in same for each in objects)
