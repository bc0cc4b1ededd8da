"""Who is meant by 'it', 'that operative', 'the target': pronouns become roles, or the sentence is not understood."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ktsim.rules.teams.language.values import ENEMY, SELF, LanguageRule, Term, Value, Whom, term
from ktsim.rules.teams.reading.clauses import Clause, Do, If, Refers, When

SEQUENCES = frozenset(("shooting", "fighting", "retaliating", "shot-at", "targeted", "fought", "rolled"))
"""Moments at which there are two: who does something, and the foe."""
ATTACKERS = {
    **dict.fromkeys(("shooting", "fighting", "choosing-target", "choosing-weapon", "rolling"), "who"),
    **dict.fromkeys(("shot-at", "targeted", "retaliating", "fought"), "foe"),
}
"""Who it is that attacks, by the moment at which it is said."""
ACTING = frozenset(("activated", "activation", "counteracts", "doing", "done"))
"""Moments of the activation or counteraction of whom they are about."""
FINAL = frozenset(("self", "who", "foe", "picked", "first", "friend", "enemy", "anyone"))


class Unclear(Exception):
    """Nobody that was mentioned fits."""


@dataclass(frozen=True)
class Binding:
    """Which role each pronoun stands for now; a missing one stands for nobody."""

    roles: dict[str, str] = field(default_factory=dict)

    def role(self, pronoun: str) -> str:
        try:
            return self.roles[pronoun]
        except KeyError:
            raise Unclear(pronoun) from None

    def with_(self, **roles: str | None) -> Binding:
        given = {key.replace("_", "-"): role for key, role in roles.items() if role is not None}
        return Binding({**self.roles, **given})

    def after_pick(self, whom: Whom) -> Binding:
        found = {"that": "picked", "it": "picked", "selected": "picked", "other": "picked"}
        if whom.role == "friend":
            if "that-friend" in self.roles:
                found["that-first"] = self.roles["that-friend"]
            found["that-friend"] = "picked"
        elif whom.role == "enemy":
            found["that-enemy"] = found["the-enemy"] = found["chosen-enemy"] = "picked"
        return Binding({**self.roles, **found})


def binding_of(who: Whom, foe: Whom | None, moments: tuple[Term, ...], before: Binding) -> Binding:
    """What pronouns mean once a moment has said who is there."""
    roles = {key: role for key, role in before.roles.items() if role == "picked" or key in ("marker", "token")}
    roles |= {"it": "who", "that": "who", "foe": "foe", "that-first": "who"}
    words = {each.word for each in moments}
    if who.role == "self":
        roles["me"] = "who"
    if foe is not None or words & SEQUENCES:
        roles["opposite"] = "foe"
    if who.role in ("friend", "anyone", "self") or (who.role in FINAL and before.roles.get("that-friend") == who.role):
        roles["that-friend"] = "who"
    is_enemy = who.role == "enemy" or (who.role in FINAL and before.roles.get("that-enemy") == who.role)
    if is_enemy:
        roles["that-enemy"] = roles["the-enemy"] = "who"
    if foe is not None:
        if foe.role == "friend":
            roles["that-friend"] = "foe"
        elif not is_enemy:
            roles["that-enemy"] = roles["the-enemy"] = "foe"
    elif words & SEQUENCES and not is_enemy:
        roles["that-enemy"] = roles["the-enemy"] = "foe"
    if words & {"doing", "done"} and who.role != "enemy":
        roles["chosen-enemy"] = "picked"  # whom the action was about
    if any(each.word == "within" and each.get("marker") == "objective" and not each.get("wholly") for each in who.that):
        roles["marker"] = "objective"  # who contests any of them is near that one
    roles["target"] = "who" if words & {"shot-at", "targeted"} else "foe"
    if who.role == "self":  # who has the rule is "this operative"; that one is still whoever was chosen
        roles |= {each: "picked" for each in ("that", "that-friend") if before.roles.get(each) == "picked"}
    if who.role == "self" and foe is not None and foe.role in ("anyone", "enemy", "friend"):
        roles["that"] = "foe"  # who has the rule is "this operative"
    attacks = {word: role for word, role in ATTACKERS.items() if word in words}
    if attacks.keys() == words and len(set(attacks.values())) == 1:
        roles["active"] = roles["attacker"] = attacks[next(iter(words))]
    elif words and words <= ACTING:
        roles["active"] = "who"
    return Binding(roles)


def resolved(value: Value, binding: Binding) -> Value:
    """*value* with every pronoun replaced by the role it stands for."""
    if isinstance(value, Whom):
        return resolved_whom(value, binding)
    if isinstance(value, Term):
        return resolved_term(value, binding)
    if isinstance(value, tuple):
        return tuple(resolved(each, binding) for each in value)
    return value


def resolved_term(each: Term, binding: Binding) -> Term:
    subject = each.get("about")
    if isinstance(subject, Whom):  # it has an object of its own: nobody is compared with itself
        names_me = any(name != "about" and value == SELF for name, value in each.args)
        of_subject = _other_than_me(binding) if subject.role == "it" and names_me else binding
        apart = binding if of_subject is not binding else _apart_from(subject, binding)
    else:
        of_subject = apart = binding
    found = Term(
        each.word,
        tuple((name, resolved(value, of_subject if name == "about" else apart)) for name, value in each.args),
    )
    if each.word in ("remove-marker", "contests", "controls", "marker") and found.main in ("that", ("that",)):
        name = binding.role("marker")
        found = term(found.word, (name,) if isinstance(found.main, tuple) else name, **_rest(found))
    if found.word in ("token", "lose-token") and found.main == "that":
        found = term(found.word, binding.role("token"), **_rest(found))
    if found.get("marker") == "that":
        found = found.plus(marker=binding.role("marker"))
    for name in ("who", "about"):
        if found.get(name) == Whom("who"):
            found = Term(found.word, tuple(pair for pair in found.args if pair[0] != name))
    return found


def _other_than_me(binding: Binding) -> Binding:
    """'It' beside 'this operative' is the other one."""
    return binding if binding.roles.get("it") != binding.roles.get("me") else _with_opposite(binding)


def _apart_from(subject: Whom, binding: Binding) -> Binding:
    """In what is said of *subject*, 'it' is the other one."""
    role = subject.role if subject.role in FINAL else binding.role(subject.role)
    if binding.roles.get("it") != (binding.roles.get("me", role) if role == "self" else role):
        return binding
    if role not in ("self", "who"):
        return _inside(binding, role)
    return _with_opposite(binding)


def _with_opposite(binding: Binding) -> Binding:
    """'It' is the foe; where there is none it is nobody, and what speaks of it is not understood."""
    opposite = binding.roles.get("opposite")
    return binding.with_(it=opposite) if opposite else Binding({k: v for k, v in binding.roles.items() if k != "it"})


def _rest(found: Term) -> dict[str, Value | None]:
    return {key: value for key, value in found.args if key}


def resolved_whom(whom: Whom, binding: Binding) -> Whom:
    if whom.role == "quarry":
        return ENEMY.narrowed(term("token", "Quarry"))
    role = whom.role if whom.role in FINAL else binding.role(whom.role)
    # Beside 'this operative', in what narrows somebody else, 'it' is that very operative.
    names_me = role != "self" and any(value == SELF for each in whom.that for _, value in each.args)
    inside = binding.with_(it="self") if names_me else _inside(binding, role)
    if names_me and "opposite" in binding.roles and any(each.word == "not" and _says_it(each) for each in whom.that):
        raise Unclear("which of the two it is not")
    that = tuple(resolved_term(each, inside) for each in whom.that)
    return replace(whom, role=role, that=tuple(_own(each, role) for each in that))


def _says_it(value: Value) -> bool:
    return "it" in pronouns(value)


def _own(condition: Term, role: str) -> Term:
    """A condition about the very operative it narrows needs no subject."""
    if condition.get("about") == Whom(role):
        return Term(condition.word, tuple(pair for pair in condition.args if pair[0] != "about"))
    return condition


def _inside(binding: Binding, role: str) -> Binding:
    """In what is said of the foe, 'it' is the other one; and the other way round."""
    if binding.roles.get("it") != role:
        return binding
    other = {"who": "foe", "foe": "who"}.get(role)
    return binding if other is None else binding.with_(it=other)


def pronouns(value: Value) -> Iterator[str]:
    """The pronouns in a value."""
    if isinstance(value, Whom):
        if value.role not in FINAL:
            yield value.role
        for each in value.that:
            yield from pronouns(each)
    elif isinstance(value, Term):
        for _, argument in value.args:
            yield from pronouns(argument)
    elif isinstance(value, tuple):
        for one in value:
            yield from pronouns(one)
    elif isinstance(value, LanguageRule):
        yield from ()


def goes_back(whom: Whom) -> list[str]:
    """Pronouns by which a moment goes on from an earlier one; 'it' in what narrows somebody is not one."""
    found = [whom.role] if whom.role not in ("self", "friend", "enemy", "anyone") else []
    found += [
        name
        for each in whom.that
        for name in pronouns(each)
        if name not in ("it", "that", "that-friend", "foe", "target")
    ]
    return found


def pronouns_in(clause: Clause) -> list[str]:
    """The pronouns in a clause."""
    values: list[Value] = []
    if isinstance(clause, Do):
        values += clause.effects
    elif isinstance(clause, If):
        values += clause.conditions
    elif isinstance(clause, Refers):
        values += clause.args.values()
    elif isinstance(clause, When):
        values += [each for each in (clause.who, clause.foe) if each is not None]
    return [name for value in values for name in pronouns(value)]
