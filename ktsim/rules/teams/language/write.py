"""The language of team rules as plain values, ready to be written as YAML."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import LanguageRule, TeamText, Term, Value, Whom

COST_FIELD = {"action": "action", "strategy": "ploy", "firefight": "ploy"}
"""The field that says what kind of text it is; the other kinds have ``kind``."""


def written_text(text: TeamText) -> dict[str, Any]:
    """A text with its rules as team files have it."""
    found: dict[str, Any] = {"id": text.id, "name": text.name, "kind": text.kind}
    found |= {"of": text.of} if text.of else {}
    found |= {"cost": text.cost} if text.cost else {}
    found |= {"options": text.options} if text.options else {}
    found |= {"when": list(text.when)} if text.when else {}
    found |= {"text": text.text} if text.text else {}
    found |= {"says": [written_rule(each) for each in text.rules]} if text.rules else {}
    return found | ({"unread": list(text.unread)} if text.unread else {})


def written_rule(rule: LanguageRule) -> dict[str, Any]:
    """A rule as a mapping; what is as usual is left out."""
    on = [_moment(each) for each in rule.on]
    found: dict[str, Any] = {"on": on[0] if len(on) == 1 else on}
    found |= {"who": _whom(rule.who)} if rule.who != Whom("self") else {}
    found |= {"foe": _whom(rule.foe)} if rule.foe is not None else {}
    found |= {"if": [_term(each) for each in rule.conditions]} if rule.conditions else {}
    found |= {"limit": [_term(each) for each in rule.limit]} if rule.limit else {}
    found |= {"cost": _term(rule.cost)} if rule.cost is not None else {}
    found |= {"may": True} if rule.may else {}
    found |= {"do": [_term(each) for each in rule.do]} if rule.do else {}
    found |= {"until": [_term(each) for each in rule.until]} if rule.until else {}
    return found | ({"then": [written_rule(each) for each in rule.then]} if rule.then else {})


def _moment(moment: Term) -> str | dict[str, Any]:
    """``done(Fall Back)`` where one word is all there is to say."""
    main = moment.main
    if isinstance(main, tuple) and len(main) == 1:
        [main] = main
    if len(moment.args) == 1 and isinstance(main, str):
        return f"{moment.word}({main})"
    written: str | dict[str, Any] = _term(moment)
    return written


def _term(term: Term) -> Any:
    if not term.args:
        return term.word
    main = term.main
    found = {term.word: True if main is None else _value(main)}
    return found | {name: _value(value) for name, value in term.args if name}


def _whom(whom: Whom) -> Any:
    found: dict[str, Any] = {"is": whom.role}
    found |= {"other": True} if whom.other else {}
    found |= {"keyword": list(whom.keyword)} if whom.keyword else {}
    found |= {"not": list(whom.without)} if whom.without else {}
    found |= {"that": [_term(each) for each in whom.that]} if whom.that else {}
    return found["is"] if len(found) == 1 else found


def _value(value: Value) -> Any:
    if isinstance(value, Whom):
        return _whom(value)
    if isinstance(value, Term):
        return _term(value)
    if isinstance(value, LanguageRule):
        return written_rule(value)
    if isinstance(value, tuple):
        return [_value(each) for each in value]
    return value
