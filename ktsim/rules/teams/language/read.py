"""Reading the language of team rules from YAML: every value checked, every problem a sentence with its line."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from difflib import get_close_matches

from ktsim.content.printable import NAME_LIMIT, printable
from ktsim.content.yaml_tree import Node
from ktsim.errors import Problem
from ktsim.rules.teams.fields import Fields, id_of
from ktsim.rules.teams.language.arguments import Argument, ArgumentKind, WordEntry
from ktsim.rules.teams.language.values import SELF, TEXT_KINDS, LanguageRule, TeamText, Term, TextKind, Value, Whom
from ktsim.rules.teams.language.vocabulary import ALIASES, PARTS, ROLES

MOST_TERMS = 40
"""How many terms a list may have, and how many rules a text."""

DEPTH = 8
"""How deep rules may be nested in each other."""

_CALL = re.compile(r"([a-z][a-z-]*)\((.{1,64})\)")
_COMPARE = re.compile(r"(>=|<=|>|<|=)(\d{1,2}|apl|turning-point)")
_AMOUNT = re.compile(r"(\d?D[36](\+\d{1,2})?|result|half|D3|\d{1,2}|normal-damage|critical-damage|turning-point)")
_RULE_FIELDS = ("on", "who", "foe", "if", "not-in", "limit", "cost", "may", "do", "until", "then")


class LanguageReader:
    """Reads terms and rules of one file; *place* is its name, problems are collected."""

    def __init__(self, place: str, problems: list[Problem]) -> None:
        self.place, self.problems = place, problems
        self._depth = 0

    def problem(self, node: Node, text: str) -> None:
        self.problems.append(Problem(f"{self.place}:{node.key_line or node.line}", text))

    # -- texts and rules -----------------------------------------------------------------------------

    def text(self, node: Node) -> TeamText:
        """A text as ``written_text`` writes it, or with the fields of its one rule beside its name."""
        top = Fields(node, self.place, self.problems)
        name = top.text("name")
        kind, cost = self._kind(top)
        fields = [key for key in _RULE_FIELDS if key != "cost" or not isinstance(top.child("cost").value, int)]
        own = {key: top.child(key) for key in fields if key in top.nodes}
        rules = [self.rule(each) for each in top.rows("says")[:MOST_TERMS]]
        if own:
            rules.append(self.rule(Node(own, node.line, node.column)))
        text = TeamText(
            id=top.text("id", id_of(name)),
            kind=kind,
            name=name,
            rules=tuple(rules),
            of=top.text("of", " ").strip(),
            cost=cost,
            text=top.lines("text") if "text" in top.nodes else "",
            when=top.words("when"),
            unread=tuple(str(row.plain()) for row in top.rows("unread")),
            options=top.text("options", " ").strip(),
        )
        top.done()
        return text

    def _kind(self, top: Fields) -> tuple[TextKind, int]:
        kind: TextKind = top.word("kind", TEXT_KINDS, "ability")
        cost = top.number("cost", 0, 5, 0) if isinstance(top.child("cost").value, int) else 0
        if "action" in top.nodes:
            match = re.fullmatch(r"([0-5])\s*AP", str(top.value("action")))
            if match is None:
                top.complain("action", f"{top.value('action')!r:.40} is not what it costs, such as 1AP")
            return "action", int(match[1]) if match else 1
        if "ploy" in top.nodes:
            return top.word("ploy", ("strategy", "firefight")), cost
        if "equipment" in top.nodes:
            top.child("equipment")
            return "equipment", cost
        return kind, cost

    def rule(self, node: Node) -> LanguageRule:
        self._depth += 1
        try:
            if self._depth > DEPTH:
                self.problem(node, f"rules are nested more than {DEPTH} deep; nothing needs that")
                return LanguageRule(())
            return self._rule(Fields(node, self.place, self.problems))
        finally:
            self._depth -= 1

    def _rule(self, top: Fields) -> LanguageRule:
        on = self.terms("moment", top.child("on")) if "on" in top.nodes else (Term("used"),)
        conditions = self.terms("condition", top.child("if"))
        if "not-in" in top.nodes:
            conditions += (Term("not", (("", self.terms("condition", top.child("not-in"))),)),)
        cost = self.terms("cost", top.child("cost")) if not isinstance(top.child("cost").value, int) else ()
        may = top.child("may")
        if may.value not in (None, True, False):
            self.problem(may, "may: it is true or false")
        rule = LanguageRule(
            on=on,
            who=self.whom(top.child("who")) if "who" in top.nodes else SELF,
            foe=self.whom(top.child("foe")) if "foe" in top.nodes else None,
            conditions=conditions,
            limit=self.terms("limit", top.child("limit")),
            cost=cost[0] if cost else None,
            may=may.value is True,
            do=self.terms("effect", top.child("do")),
            until=self.terms("until", top.child("until")),
            then=self._rules(top.child("then")),
        )
        top.done()
        return rule

    def _rules(self, node: Node) -> tuple[LanguageRule, ...]:
        rows = node.value if isinstance(node.value, list) else [] if node.value is None else [node]
        return tuple(self.rule(each) for each in rows[:MOST_TERMS])

    # -- terms ---------------------------------------------------------------------------------------

    def terms(self, part: str, node: Node) -> tuple[Term, ...]:
        """One term or a list of them; nothing gives none."""
        if node.value is None:
            return ()
        rows = node.value if isinstance(node.value, list) else [node]
        if len(rows) > MOST_TERMS:
            self.problem(node, f"has {len(rows)} terms; at most {MOST_TERMS} are read")
        found = (self.term(part, each) for each in rows[:MOST_TERMS])
        return tuple(each for each in found if each is not None)

    def term(self, part: str, node: Node) -> Term | None:
        """A word (``in-cover``), a call (``done(Dash)``), ``once per battle``, or a mapping with its word."""
        known = PARTS[part]
        if isinstance(node.value, dict):
            word = next((key for key in node.value if key in known), "")
            if word:
                return self._mapping(part, word, node.value, node)
        elif isinstance(node.value, str):
            if match := re.fullmatch(r"(once|twice) per ([a-z-]+)", node.value):
                return self._mapping(part, match[1], {match[1]: Node(match[2], node.line, node.column, match[2])}, node)
            if match := _CALL.fullmatch(node.value):
                word, argument = match[1], Node(match[2], node.line, node.column, match[2])
                if word in known:
                    return self._mapping(part, word, {word: argument}, node)
            elif node.value in known:
                if known[node.value].main is not None and not known[node.value].bare:
                    self.problem(node, f"{node.value}: needs {known[node.value].main.wanted}")  # type: ignore[union-attr]
                return Term(node.value)
        self.problem(node, f"{_shown(node)} is no {part}; {_near(node, known)}")
        return None

    def _mapping(self, part: str, word: str, items: Mapping[str, Node], node: Node) -> Term:
        entry = PARTS[part][word]
        args: list[tuple[str, Value]] = []
        main = items[word]
        if entry.main is None or (entry.bare and main.value is True):
            if main.value not in (True, None):
                self.problem(main, f"{word}: takes no value; write 'true'")
        elif (value := self._value(word, entry.main, _flattened(word, items))) is not None:
            args.append(("", value))
        for key, item in items.items():
            if key == word or (word == "pick" and key in _WHOM_FIELDS):
                continue
            if key not in entry.args:
                self.problem(item, f"{word}: unknown argument '{printable(key, 40)}'; it takes {_arguments(entry)}")
            elif (value := self._value(key, entry.args[key], item)) is not None:
                args.append((key, value))
        return Term(word, tuple(sorted(args)))

    def _value(self, name: str, argument: Argument, node: Node) -> Value | None:
        kind = argument.kind
        if kind is ArgumentKind.WHOM:
            return self.whom(node)
        if kind is ArgumentKind.CONDITIONS:
            return self.terms("condition", node)
        if kind is ArgumentKind.EFFECTS:
            return self.terms("effect", node)
        if kind is ArgumentKind.UNTIL:
            return self.terms("until", node)
        if kind is ArgumentKind.RULES:
            return self._rules(node)
        found = _PLAIN[kind](node, argument)
        if found is None:
            self.problem(node, f"{name}: {_shown(node)} is not {argument.wanted}")
        return found

    def whom(self, node: Node) -> Whom:
        """An operative: a role, or a mapping with ``is`` and filters."""
        if isinstance(node.value, str):
            return Whom(self._role(node))
        top = Fields(node, self.place, self.problems)
        role = self._role(top.child("is")) if "is" in top.nodes else "anyone"
        that = list(self.terms("condition", top.child("that")))
        for short, argument in (("within", "of"), ("more-than", "from")):
            if short in top.nodes:
                given = {short: top.child(short)} | ({argument: top.child(argument)} if argument in top.nodes else {})
                that.append(self._mapping("condition", short, given, node))
        if "visible" in top.nodes:
            that.append(self._mapping("condition", "visible", {"visible": top.child("visible")}, node))
        found = Whom(
            role, self._names(top, "keyword"), self._names(top, "not"), top.value("other") is True, tuple(that)
        )
        top.done()
        return found

    def _role(self, node: Node) -> str:
        role = ALIASES.get(node.text, node.text)
        if role not in ROLES:
            self.problem(node, f"{_shown(node)} is no operative; it is one of {', '.join(ROLES)}")
            return "anyone"
        return role

    def _names(self, top: Fields, name: str) -> tuple[str, ...]:
        node = top.child(name)
        if node.value is None:
            return ()
        found = _names(node, Argument(ArgumentKind.NAMES))
        if found is None:
            self.problem(node, f"{name}: {_shown(node)} is not a name or a list of names")
        return found or ()


def _flattened(word: str, items: Mapping[str, Node]) -> Node:
    """``{pick: friend, other: true}`` says the same as ``{pick: {is: friend, other: true}}``."""
    main = items[word]
    fields = {key: item for key, item in items.items() if key in _WHOM_FIELDS}
    if word != "pick" or not fields or isinstance(main.value, dict):
        return main
    return Node({"is": main, **fields}, main.line, main.column)


_WHOM_FIELDS = ("is", "other", "keyword", "not", "that", "within", "of", "more-than", "from", "visible")


def _number(node: Node, argument: Argument) -> int | None:
    value = node.value
    return value if type(value) is int and -20 <= value <= 99 else None


def _inches(node: Node, argument: Argument) -> int | float | None:
    value = node.value
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and 0 <= value <= 60 else None


def _amount(node: Node, argument: Argument) -> int | str | None:
    if type(node.value) is int:
        return _number(node, argument)
    return node.text if _AMOUNT.fullmatch(node.text) else None


def _compare(node: Node, argument: Argument) -> str | None:
    return node.text if _COMPARE.fullmatch(node.text) else None


def _word(node: Node, argument: Argument) -> str | None:
    return node.text if node.text in argument.choices else None


def _name(node: Node, argument: Argument) -> str | None:
    text = node.text
    return text if 0 < len(text) <= NAME_LIMIT and text.isprintable() else None


def _names(node: Node, argument: Argument) -> tuple[str, ...] | None:
    rows = node.value if isinstance(node.value, list) else [node]
    found = [_name(each, argument) for each in rows]
    return tuple(each for each in found if each) if rows and all(found) and len(rows) <= MOST_TERMS else None


def _flag(node: Node, argument: Argument) -> bool | None:
    return node.value if isinstance(node.value, bool) else None


_PLAIN: dict[ArgumentKind, Callable[[Node, Argument], Value | None]] = {
    ArgumentKind.NUMBER: _number,
    ArgumentKind.INCHES: _inches,
    ArgumentKind.AMOUNT: _amount,
    ArgumentKind.COMPARE: _compare,
    ArgumentKind.WORD: _word,
    ArgumentKind.NAME: _name,
    ArgumentKind.NAMES: _names,
    ArgumentKind.FLAG: _flag,
}


def _shown(node: Node) -> str:
    if isinstance(node.value, dict):
        return "{" + ", ".join(printable(key, 20) for key in list(node.value)[:3]) + "}"
    if isinstance(node.value, list):
        return f"a list of {len(node.value)}"
    return f"'{printable(node.text, 40)}'"


def _near(node: Node, known: Mapping[str, WordEntry]) -> str:
    word = next(iter(node.value), "") if isinstance(node.value, dict) else node.text
    like = get_close_matches(str(word)[:NAME_LIMIT], list(known), 1, 0.6)
    return f"did you mean '{like[0]}'?" if like else f"there are {', '.join(list(known)[:8])} and others"


def _arguments(entry: WordEntry) -> str:
    return ", ".join(entry.args) or "none"
