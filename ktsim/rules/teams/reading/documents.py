"""The texts of a community team file: gathered, read with the names of that team, put in the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from ktsim.rules.teams.fields import TEXT_LIMIT, id_of
from ktsim.rules.teams.importing.values import Row, kind_of, one_line
from ktsim.rules.teams.language.values import LanguageRule, TeamText, Term, TextKind, Value, Whom, terms_of, words_of
from ktsim.rules.teams.reading.lexicon import UNIVERSAL_KEYWORDS, Lexicon
from ktsim.rules.teams.reading.parsing import SentenceReader
from ktsim.rules.teams.reading.selection import CardWords
from ktsim.rules.teams.reading.texts import TextReader
from ktsim.rules.teams.roster.composition import TeamOption

TEXTS = 60
"""At most this many ploys, abilities, actions or pieces of equipment are read of one list."""

_OPTION = re.compile(r"\[([A-Z]{2,6})\]\s*(.+)")
_STATUS = re.compile(r"\bAn? (?:friendly )?operative is ([A-Z]{3,}(?: [A-Z]{2,}){0,3}) if\b")
_KEYWORDS = re.compile(r"following keywords[^:]{0,80}:\s*([A-Z][A-Z ,'-]+)")
_INCLUDES = re.compile(
    r"refer to an? '([^']{2,30})'\. This is an? (?:ranged |melee )?weapon that includes '([^']{2,30})'"
)
_WORDED = re.compile(
    r"(\w{3,20}) weapons are any weapons that have the word [\"'“](\w{3,20})[\"'”] in their name", re.IGNORECASE
)
_LISTED = re.compile(r"refer to an? '([^']{2,30})'\. The following weapons are [^:.]{2,40}: ([^.]{2,300})\.")


@dataclass(frozen=True)
class PrintedText:
    """One text as it stands in the file. *read* is what is read, *shown* what a card shows."""

    id: str
    kind: TextKind
    name: str
    read: str
    shown: str
    of: str = ""
    of_name: str = ""
    cost: int = 0
    title: str = ""


def own_texts(row: Row, card: str, name: str) -> Iterable[PrintedText]:
    """The abilities and unique actions of one operative."""
    for each in row.rows("abilities", TEXTS):
        title = each.name("abilityName")
        if title:
            text = each.text("description")
            yield PrintedText(_id(each, "abilityId", card, title), "ability", title, text, text, card, name)
    for each in row.rows("actions", TEXTS):
        title = each.name("name")
        if title:
            yield _action(each, title, card, name)


def _action(row: Row, name: str, card: str, owner: str) -> PrintedText:
    cost = row.whole("AP", 0, 5)
    effects = [row.text("description"), *row.texts("effects", TEXTS)]
    conditions = list(row.texts("conditions", TEXTS))
    shown = "\n".join(filter(None, [*effects, *(f"Not: {text}" for text in conditions)]))[:TEXT_LIMIT]
    read = "\n".join(filter(None, [*effects, *conditions]))
    title = name if cost is None else f"{name[:58]} ({cost}AP)"
    return PrintedText(_id(row, "id", card, name), "action", name, read, shown or title, card, owner, cost or 0, title)


def team_texts(top: Row, name: str) -> Iterable[PrintedText]:
    """Ploys, faction rules and equipment of the team."""
    for row in top.rows("ploys", TEXTS):
        kind = row.data.get("ployType")
        if kind not in ("S", "s", "T", "t", "F", "f"):
            row.fail(
                "ployType", f"is {kind_of(kind)}; it is 'S' for strategy or 'T' for firefight; taken for firefight"
            )
        title = row.name("ployName")
        text = row.text("description")
        ploy: TextKind = "strategy" if kind in ("S", "s") else "firefight"
        if title:
            yield PrintedText(_id(row, "ployId", "", title), ploy, title, text, text, of_name=name, cost=1)
    for row in top.rows("teamAbilities", TEXTS):
        title = row.name("abilityName")
        if title:
            text = row.text("description")
            cost = row.data.get("AP")
            is_action = isinstance(cost, int) and 0 <= cost <= 5
            yield PrintedText(
                _id(row, "abilityId", "", title),
                "action" if is_action else "faction",
                title,
                text,
                text,
                of_name=name,
                cost=cost if is_action and isinstance(cost, int) else 0,
            )
    for row in top.rows("equipments", TEXTS):
        title = row.name("eqName")
        if title:
            yield PrintedText(
                _id(row, "eqId", "", title), "equipment", title, _described(row), _described(row), of_name=name
            )


def _described(row: Row) -> str:
    more = row.data.get("effects")
    return "\n".join(filter(None, [row.text("description"), row.text("effects") if isinstance(more, str) else ""]))


def _id(row: Row, field: str, card: str, name: str) -> str:
    value = row.data.get(field)
    given = one_line(value) if isinstance(value, str) else ""
    return given or "-".join(filter(None, (card, id_of(name))))


def lexicon_of(top: Row, texts: Iterable[PrintedText], weapon_rules: Iterable[str]) -> Lexicon:
    """The names a team's texts may use. Reads plainly: what is wrong with the file is said elsewhere."""
    keywords: set[str] = set()
    weapons: set[str] = set()
    for operative in _objects(top.data.get("opTypes")):
        words = operative.get("keywords")
        listed = words.split(",") if isinstance(words, str) else words if isinstance(words, list) else []
        keywords |= {one_line(word).lower() for word in listed if isinstance(word, str) and word.strip()}
        name = operative.get("opTypeName")
        if isinstance(name, str):
            parts = one_line(name).lower().split()
            keywords |= {" ".join(parts[:size]) for size in range(1, len(parts) + 1) if parts[size - 1] != "of"}
        weapons |= _weapon_names(operative)
    for equipment in _objects(top.data.get("equipments")):
        weapons |= _weapon_names(equipment)
    texts = list(texts)
    every = "\n".join(text.read for text in texts)
    for match in _KEYWORDS.finditer(every):
        keywords |= {word.strip().lower() for word in match[1].split(",") if word.strip()}
    composition = top.data.get("composition")
    selection = composition.replace("’", "'") if isinstance(composition, str) else ""
    groups: dict[str, tuple[str, ...]] = {}
    for found in _INCLUDES.finditer(selection):
        groups[found[1].lower()] = (f"*{found[2].lower()}*",)
    for found in _WORDED.finditer(every):
        groups[f"{found[1].lower()} weapon"] = (f"*{found[2].lower()}*",)
    for found in _LISTED.finditer(selection):
        groups[found[1].lower()] = tuple(each.strip() for each in found[2].split(","))
    return Lexicon(
        keywords=frozenset(keywords),
        weapons=frozenset(weapons),
        ploys=tuple(text.name for text in texts if text.kind in ("strategy", "firefight")),
        actions=tuple(dict.fromkeys(text.name for text in texts if text.kind == "action")),
        rules=tuple(dict.fromkeys(text.name for text in texts if text.kind in ("ability", "faction", "equipment"))),
        weapon_rules=tuple(weapon_rules),
        groups=groups,
        statuses=tuple(dict.fromkeys(_STATUS.findall(every))),
        options=tuple(option[2] for text in texts if (option := _OPTION.match(text.name))),
    )


def _objects(value: object) -> list[dict[str, object]]:
    return [each for each in value[:200] if isinstance(each, dict)] if isinstance(value, list) else []


def _weapon_names(holder: Mapping[str, object]) -> set[str]:
    names = (weapon.get("wepName") for weapon in _objects(holder.get("weapons")))
    return {one_line(name).lower() for name in names if isinstance(name, str) and name.strip()}


class DocumentReader:
    """Reads all texts of a team; *corrections* by id take the place of what is read."""

    def __init__(self, lexicon: Lexicon, corrections: Mapping[str, tuple[LanguageRule, ...]]) -> None:
        self.lexicon, self.corrections = lexicon, corrections
        self.reader = TextReader(SentenceReader(lexicon))
        self._read: dict[tuple[str, str], TeamText] = {}

    def text(self, printed: PrintedText, when: tuple[str, ...], weapons: tuple[str, ...] = ()) -> TeamText:
        """What *printed* says. *weapons* are those listed with it."""
        key = (printed.kind, printed.read)
        if key not in self._read:
            found = self.reader.read(printed.read, printed.kind, bool(printed.of))
            unread = tuple(one_line_of(each) for each in found.unread)
            self._read[key] = TeamText("", printed.kind, "", found.rules, unread=unread)
        match = _OPTION.match(printed.name)
        text = replace(
            self._read[key],
            id=printed.id,
            name=printed.name,
            of=printed.of,
            cost=printed.cost,
            text=printed.shown,
            when=when,
            options=match[1] if match else "",
        )
        text = replace(text, rules=tuple(_spelled_out(rule, self.lexicon.groups) for rule in text.rules))
        if printed.id in self.corrections:
            return replace(text, rules=self.corrections[printed.id], unread=())
        return about_nobody(_with_weapons(text, weapons), self.lexicon)


def _spelled_out(rule: LanguageRule, groups: Mapping[str, tuple[str, ...]], mark: str = "group ") -> LanguageRule:
    """Kinds of weapons the team defines (after *mark*), as the names they stand for."""

    def value(given: Value) -> Value:
        if isinstance(given, Term):
            return Term(given.word, tuple((name, value(each)) for name, each in given.args))
        if isinstance(given, Whom):
            return replace(given, that=terms(given.that))
        if isinstance(given, LanguageRule):
            return _spelled_out(given, groups, mark)
        if isinstance(given, tuple):
            found: list[Value] = []
            for each in given:
                is_group = isinstance(each, str) and each.startswith(mark) and each[len(mark) :] in groups
                found += groups[str(each)[len(mark) :]] if is_group else [value(each)]
            return tuple(found)
        return given

    def terms(given: tuple[Term, ...]) -> tuple[Term, ...]:
        return tuple(each for each in map(value, given) if isinstance(each, Term))

    return replace(
        rule,
        conditions=terms(rule.conditions),
        do=terms(rule.do),
        then=tuple(_spelled_out(each, groups, mark) for each in rule.then),
    )


def one_line_of(text: str) -> str:
    """A sentence on one line, printable."""
    return " ".join("".join(c for c in text[:1000] if c.isprintable() or c.isspace()).split())[:600]


def _with_weapons(text: TeamText, weapons: tuple[str, ...]) -> TeamText:
    """'The following weapon' is the one listed with the text; without one the text is not read."""
    if ("effect", "add-weapon") not in set(words_of(*text.rules)):
        return text
    if not weapons:
        return replace(text, rules=(), unread=(*text.unread, "the weapon it speaks of is not listed with it"))
    listed = {"listed": tuple(name.lower() for name in weapons)}
    rules = tuple(_spelled_out(rule, listed, "") for rule in text.rules)
    return replace(
        text, rules=tuple(replace(rule, do=tuple(_named(each, weapons) for each in rule.do)) for rule in rules)
    )


def _named(effect: Term, weapons: tuple[str, ...]) -> Term:
    if effect.word != "add-weapon":
        return effect
    return Term(effect.word, tuple((key, weapons if not key else value) for key, value in effect.args))


def about_nobody(text: TeamText, lexicon: Lexicon) -> TeamText:
    """The text, and that a keyword of its friends is nobody's of the team: as printed it is about nobody."""
    asked = {word.strip() for whom in _friends(text.rules) for each in whom.keyword for word in each.split("&")}
    known = {each.lower() for each in (*lexicon.keywords, *UNIVERSAL_KEYWORDS)}
    missing = sorted(asked - known)
    return replace(text, unread=(*text.unread, f"nobody of the team has the keyword {missing[0]}")) if missing else text


def _friends(value: object) -> Iterator[Whom]:
    """Every mention of friends in rules."""
    if isinstance(value, Whom):
        yield from (value,) if value.role == "friend" else ()
        yield from _friends(value.that)
    elif isinstance(value, LanguageRule):
        yield from _friends((value.who, value.foe, value.conditions, value.do, value.then))
    elif isinstance(value, Term):
        yield from _friends(tuple(each for _, each in value.args))
    elif isinstance(value, tuple):
        for each in value:
            yield from _friends(each)


def without_undefined(
    texts: list[TeamText], works: Callable[[TeamText, LanguageRule], bool] = lambda text, rule: True
) -> list[TeamText]:
    """Texts that speak of a state no rule that *works* defines do not work: they are shown."""
    rules = [rule for text in texts for rule in text.rules if works(text, rule)]
    defined = {str(each.main) for rule in rules for each in rule.do if each.word == "status"}
    found = []
    for text in texts:
        missing = {name for rule in text.rules for name in _statuses(rule)} - defined
        if missing:
            text = replace(text, rules=(), unread=(*text.unread, f"{', '.join(sorted(missing))} is not defined"))
        found.append(text)
    return found


def _statuses(rule: LanguageRule) -> Iterable[str]:
    return (str(each.main) for each in terms_of(rule) if each.word == "status")


def options_of(texts: Iterable[TeamText], cards: Iterable[CardWords]) -> tuple[TeamOption, ...]:
    """Lists of options players choose with the roster: keywords a text lists, or texts whose names share a mark, for
    the operatives a text speaks of."""
    texts, cards = list(texts), list(cards)
    marked: dict[str, list[str]] = {}
    for text in texts:
        if text.options:
            marked.setdefault(text.options, []).append(text.name.partition("]")[2].strip())
    found: dict[str, TeamOption] = {}
    for text in texts:
        for rule in text.rules:
            asked = next((each for each in rule.do if each.word == "option"), None)
            if asked is None or rule.on != (Term("selected"),) or rule.who.role != "friend" or rule.conditions:
                continue
            listed = asked.get("of")
            choices = listed if isinstance(listed, tuple) else tuple(marked.get(_initials(str(asked.main)), ()))
            count = asked.get("count")
            barred, out = asked.get("not-for"), asked.get("not-these")
            name = text.name if isinstance(listed, tuple) else str(asked.main)
            found[name] = TeamOption(
                name,
                tuple(map(str, choices)),
                count if isinstance(count, int) else 1,
                _meant(rule.who, cards),
                is_shared=isinstance(count, int) and count > 1,
                is_different=bool(asked.get("different")),
                barred=tuple(
                    (type, str(each))
                    for type in (_meant(barred, cards) if isinstance(barred, Whom) else ())
                    for each in (out if isinstance(out, tuple) else ())
                ),
            )
    return tuple(option for option in found.values() if option.choices)


def _meant(whom: Whom, cards: Iterable[CardWords]) -> tuple[str, ...]:
    """The datacards with the keywords that are asked for."""

    def has(card: CardWords, words: str) -> bool:
        own = {word.lower() for word in (*card.keywords, card.name)}
        return all(word.strip().lower() in own for word in words.split("&"))

    return tuple(card.id for card in cards if not whom.keyword or any(has(card, each) for each in whom.keyword))


def _initials(name: str) -> str:
    return "".join(word[0] for word in name.split()).upper()
