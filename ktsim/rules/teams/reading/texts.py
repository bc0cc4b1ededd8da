"""A printed text as rules: sentence by sentence, with what could not be understood named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from ktsim.rules.teams.language.values import (
    ENEMY,
    FRIEND,
    SELF,
    LanguageRule,
    Term,
    TextKind,
    Value,
    Whom,
    term,
)
from ktsim.rules.teams.reading.clauses import (
    Ask,
    Clause,
    Do,
    EachOnce,
    Forbids,
    If,
    IfDone,
    Lasts,
    HowOften,
    Offers,
    Refers,
    Says,
    When,
)
from ktsim.rules.teams.reading.frames import ALWAYS, GAMBIT, USED, RuleFrame, owner, with_until
from ktsim.rules.teams.reading.parsing import PlacedClause, SentenceReader
from ktsim.rules.teams.reading.references import (
    Binding,
    Unclear,
    binding_of,
    pronouns,
    resolved_term,
    resolved_whom,
)
from ktsim.rules.teams.reading.sentences import Passage, passages

RESTRICTS = re.compile(
    r"\b(cannot|only|unless|must|more than once|maximum|minimum|no more than|excluding|except|instead|not|no|loses?"
    r"|subtract|worsen|expended|ends|removed?|discard|spend|skip|providing|different|costs?"
    r"|damage on (?:this|that friendly|it|each|them))\b",
    re.IGNORECASE,
)
"""Words by which a sentence takes something back. One that has any and is not understood takes down what it is about."""

INDEPENDENT = re.compile(
    r"(?:once per [a-z ]+, )?(?:whenever|this operative|(?:each |a |one |up to \w+ )?friendly|in the ready step|each friendly|strategic gambit"
    r"|the first time|during each|if this operative|you can ignore|add \d|your opponent)\b",
    re.IGNORECASE,
)
"""How a sentence begins that stands for itself."""

ABOUT_ALL = re.compile(r"\bthis (?:ploy|rule|action|equipment|effect|strategic gambit|weapon)\b|these (?:rules|effects)", re.IGNORECASE)

_WITHIN = frozenset("rolled damage incapacitates strikes resolving choosing-target choosing-weapon doing done".split())
"""Moments that can be within another one."""

IMMEDIATE = frozenset(
    "pick pick-marker pick-order free-action damage heal token lose-token marker remove-marker roll points cp order choose reroll"
    " extra-action next-activation skip-activation redirect".split()
)
"""Effects that happen once, as opposed to those that hold."""


@dataclass(frozen=True)
class TextReading:
    """What a text says in the language, and the sentences of it that are not in there."""

    rules: tuple[LanguageRule, ...]
    unread: tuple[str, ...]

    @property
    def is_whole(self) -> bool:
        return bool(self.rules) and not self.unread


@dataclass
class TextReader:
    """Reads the texts of one team."""

    sentences: SentenceReader

    def read(self, text: str, kind: TextKind, of_operative: bool = False) -> TextReading:
        """The rules in *text*. *of_operative*: 'this operative' is somebody."""
        is_own = of_operative or kind == "action" or re.search(r"\bthis operative\b", text, re.IGNORECASE) is not None
        return _Text(self.sentences, kind, is_own).read(passages(text))


_Saved: TypeAlias = "tuple[RuleFrame | None, int, int, list[Any], list[tuple[RuleFrame, Binding, bool]]]"
_HALVES = re.compile(r"(?:,|;)? and (?=whenever\b)|; (?=whenever\b)", re.IGNORECASE)
_LASTS = re.compile(r"(until .+?(?:\(whichever comes first\))?,) (?=whenever\b)", re.IGNORECASE)


def _halves(sentence: str) -> list[str]:
    """A sentence with two moments as two, each with how long both last."""
    parts = _HALVES.split(sentence)
    if len(parts) != 2:
        return []
    lasts = _LASTS.match(parts[0])
    return [parts[0], f"{lasts[1]} {parts[1]}" if lasts else parts[1]]


@dataclass
class _Text:
    reader: SentenceReader
    kind: TextKind
    of_operative: bool
    frames: list[RuleFrame] = field(default_factory=list)
    current: RuleFrame | None = None
    unread: list[str] = field(default_factory=list)
    forbids: list[Forbids] = field(default_factory=list)
    is_lost: bool = False
    """Whether a sentence about the whole text was not understood."""
    is_tainted: bool = False
    """Whether the current frame has a sentence that was not understood."""
    is_option: bool = False
    """Whether it is one of several to choose from, and so begins as it is chosen."""
    offered: tuple[Passage, tuple[PlacedClause, ...], Offers] | None = None
    """A choice that was announced and whose list comes after another sentence."""
    is_nesting: bool = False
    """Whether moments are part of the rule that leads in a list."""
    ready: list[LanguageRule] = field(default_factory=list)

    def read(self, found: Sequence[Passage]) -> TextReading:
        if self.kind == "action":
            self.current = RuleFrame(USED, SELF, binding=Binding({"it": "self", "that": "self"}))
            self.frames.append(self.current)
        for passage in found:
            if passage.items:
                self._list(passage)
            else:
                self._sentence(passage.sentence)
        return self._finish()

    def _finish(self) -> TextReading:
        if self.offered is not None:
            self._fail(self.offered[0].sentence)
        rules: list[LanguageRule] = [] if self.is_lost else list(self.ready)
        for frame in self.frames:
            if frame.is_open and not frame.sentences:
                continue  # an action's own frame that nothing was said for
            if frame.is_dead or frame.is_open or self.is_lost:
                self.unread += [each for each in frame.sentences if each not in self.unread]
                continue
            try:
                self._restrict(frame)
                rules.append(frame.rule())
            except Unclear:
                self.unread += [each for each in frame.sentences if each not in self.unread]
        if not rules and self.unread:
            rules += self._card()
        return TextReading(tuple(rules), tuple(self.unread))

    def _card(self) -> list[LanguageRule]:
        """What can be kept of a ploy, an action or a choice that is not understood: its moment, its limits, its cost.

        What it does then is left to the players.
        """
        frame = next((each for each in self.frames if each.on and (each.sentences or self.forbids)), None)
        if frame is None or frame.on == ALWAYS or not (self.kind in ("action", "firefight", "strategy") or frame.may or frame.on == GAMBIT):
            return []
        frame.do, frame.then, frame.until = [term("card")], [], []
        try:
            self._restrict(frame)
            return [frame.rule()]
        except Unclear:
            return []

    def _restrict(self, frame: RuleFrame) -> None:
        for each in self.forbids:
            binding = Binding({"it": "who", "that": "who", **frame.binding.roles})
            frame.conditions += [resolved_term(condition, binding) for condition in each.conditions]
            frame.limits += each.limits
        if self.kind == "strategy" and not frame.until:
            frame.until.append(term("turning-point"))

    # -- lists ---------------------------------------------------------------------------------------

    def _list(self, passage: Passage) -> None:
        """A sentence that leads in a list: what it says holds for each item."""
        lead = self.reader.clauses(passage.sentence)
        if self.offered is not None and lead is not None and all(isinstance(each.clause, Refers | Says) for each in lead):
            (announced, clauses, offers), self.offered = self.offered, None
            self._choice(replace(announced, items=passage.items), clauses, offers)
            if self._understood(passage.sentence, lead):
                return
            self._fail(passage.sentence)
            return
        special = [each.clause for each in lead or () if isinstance(each.clause, Offers | EachOnce)]
        if special and lead is not None:
            self._choice(passage, lead, special[0])
            return
        if lead is None and (whole := self._conditions(passage)):
            self._sentence(whole)
            return
        if lead is None or not self._understood(passage.sentence, lead, is_lead=True):
            self._fail(" ".join((passage.sentence, *passage.items)))
            return
        until = tuple(each for placed in lead if isinstance(placed.clause, Lasts) for each in placed.clause.until)
        if any(isinstance(placed.clause, When | Do) for placed in lead):
            until = ()
        frame = self.current
        outer, self.is_nesting = self.is_nesting, frame is not None and frame.on != ALWAYS
        for item in passage.items:
            for passage_of_item in passages(item):
                self.current = frame
                self._sentence(passage_of_item.sentence, until=until)
        self.is_nesting = outer

    def _conditions(self, passage: Passage) -> str:
        """A list of conditions of which one is enough, as one sentence; nothing when one is not understood."""
        match = re.fullmatch(r"(.+?),? (?:if|whenever) any of the following (?:are|is) true:?", passage.sentence, re.IGNORECASE)
        items = [item.rstrip(" .") for item in passage.items]
        if match is None or any(self.reader.clauses(f"if {item}") is None for item in items):
            return ""
        return f"{match[1]} if {' or if '.join(item[:1].lower() + item[1:] for item in items)}."

    def _choice(self, passage: Passage, lead: tuple[PlacedClause, ...], clause: Offers | EachOnce) -> None:
        """Rules to choose from, or each to be used so often."""
        rest = tuple(each for each in lead if each.clause is not clause)
        if rest and not self._understood(passage.sentence, rest):
            self._fail(" ".join((passage.sentence, *passage.items)))
            return
        if isinstance(clause, Offers) and clause.is_of_rules:
            self._rules_offered(passage, clause)
            return
        found: dict[str, tuple[LanguageRule, ...]] = {}
        for number, item in enumerate(passage.items, 1):
            match = re.match(r"([A-Z][^.:,]{0,38}):\s*(.+)", item, re.DOTALL)
            name, body = (match[1], match[2]) if match else (f"option {number}", item)
            rules = self._option(body, clause)
            if rules is None:
                self.unread.append(item)
            else:
                found[name] = rules
        if not found:
            self.unread.append(passage.sentence)
            return
        if isinstance(clause, EachOnce):
            for rules in found.values():
                self.ready += [replace(rule, limit=(*rule.limit, *clause.limits)) for rule in rules]
            return
        frame = self.current
        if frame is None or frame.is_dead or (self.is_tainted and not rest):
            frame = RuleFrame(USED if self.kind in ("strategy", "firefight") else ALWAYS, owner(self.of_operative))
        if frame not in self.frames and frame.parent is None:
            self.frames.append(frame)
        chosen = tuple(LanguageRule(USED, then=rules) for rules in found.values())
        until = clause.until or None
        frame.do.append(term("options", chosen, names=tuple(found), count=clause.count, until=until))
        frame.sentences.append(passage.sentence)
        self.current = frame

    def _rules_offered(self, passage: Passage, clause: Offers) -> None:
        """Weapon rules to choose from; every item must be one and nothing else."""
        names = []
        for item in passage.items:
            placed = self.reader.clauses(f"that weapon has the {item.rstrip(' .')} weapon rule")
            grants = [each.clause for each in placed or () if isinstance(each.clause, Do)]
            if len(grants) != 1 or grants[0].effects[0].word != "grant" or len(placed or ()) != 1:
                self._fail(" ".join((passage.sentence, item)))
                return
            rules = grants[0].effects[0].main
            names += [str(rule) for rule in rules] if isinstance(rules, tuple) else []
        effect = term("grant", tuple(names), weapons=clause.weapons or None, who=clause.whom, choose=clause.count)
        if clause.until:
            effect = effect.plus(until=clause.until)
        if not self._understood(passage.sentence, (PlacedClause(Do((effect,)), ()),)):
            self._fail(passage.sentence)

    def _option(self, body: str, clause: Offers | EachOnce) -> tuple[LanguageRule, ...] | None:
        inner = _Text(self.reader, "faction", self.of_operative, is_option=True)
        if isinstance(clause, Offers) and clause.whom is not None:
            binding = binding_of(clause.whom, None, ALWAYS, self.current.binding if self.current else Binding())
            try:
                who = resolved_whom(clause.whom, self.current.binding if self.current else binding)
            except Unclear:
                return None
            inner.current = RuleFrame(ALWAYS, who, binding=binding)
            inner.frames.append(inner.current)
        elif self.current is not None and not self.current.is_dead:
            roles = {key: role for key, role in self.current.binding.roles.items() if role == "picked"}
            if roles:
                inner.current = RuleFrame(ALWAYS, Whom("picked"), binding=Binding({**roles, "it": "who", "that": "who"}))
                inner.frames.append(inner.current)
        found = inner.read(passages(body))
        return found.rules if found.is_whole else None

    # -- sentences -----------------------------------------------------------------------------------

    def _sentence(self, sentence: str, until: tuple[Term, ...] = ()) -> None:
        is_note = re.match(r"(?:note|remember)\b", sentence, re.IGNORECASE) is not None
        clauses = self.reader.clauses(sentence)
        if clauses is None and is_note:
            clauses = self.reader.clauses(re.sub(r"^(?:note|remember),?(?: that)?,? ", "", sentence, flags=re.IGNORECASE))
            if clauses is None and not re.search(r"\b(cannot|must|unless|no effect)\b", sentence, re.IGNORECASE):
                return  # a note says nothing new
        offers = [each.clause for each in clauses or () if isinstance(each.clause, Offers)]
        if clauses is not None and offers and self.offered is None:
            self.offered = (Passage(sentence), clauses, offers[0])
            return
        if clauses is not None and self._understood(sentence, clauses, until=until):
            return
        halves = _halves(sentence)
        if halves and all(self.reader.clauses(each) is not None for each in halves):
            saved = self._saved()
            if all(self._understood(each, self.reader.clauses(each) or (), until=until) for each in halves):
                return
            self._restore(saved)
        self._fail(sentence)

    def _fail(self, sentence: str) -> None:
        """Name the sentence; what it may take back is not enforced either."""
        self.unread.append(sentence)
        is_independent = INDEPENDENT.match(sentence) is not None and not ABOUT_ALL.search(sentence)
        if re.search(r"\buse this firefight ploy\b", sentence, re.IGNORECASE):
            self.is_lost = True  # nobody knows when it is used
        restricts = RESTRICTS.search(sentence) is not None
        if restricts and not is_independent:
            if ABOUT_ALL.search(sentence) or self.current is None or self.kind in ("action", "firefight"):
                self.is_lost = True
            else:
                self.current.root.is_dead = True
        if is_independent:
            self.current = RuleFrame(ALWAYS, FRIEND, is_dead=True)
        elif self.current is not None:
            self.is_tainted = True

    def _understood(
        self, sentence: str, placed: tuple[PlacedClause, ...], until: tuple[Term, ...] = (), is_lead: bool = False
    ) -> bool:
        saved = self._saved()
        try:
            self._take(sentence, placed, until, is_lead)
        except Unclear:
            self._restore(saved)
            return False
        return True

    def _saved(self) -> _Saved:
        kept = [
            (each, (list(each.do), list(each.conditions), list(each.limits), list(each.until), list(each.then), list(each.sentences)))
            for frame in self.frames
            for each in frame.all()
        ]
        bindings = [(each, each.binding, each.may) for frame in self.frames for each in frame.all()]
        return self.current, len(self.frames), len(self.forbids), kept, bindings

    def _restore(self, saved: _Saved) -> None:
        """Take back what a sentence did that turned out not to be understood."""
        self.current, count, forbidden, kept, bindings = saved
        del self.frames[count:], self.forbids[forbidden:]
        for frame, lists in kept:
            for own, old in zip(
                (frame.do, frame.conditions, frame.limits, frame.until, frame.then, frame.sentences), lists, strict=True
            ):
                own[:] = old  # type: ignore[index]
        for frame, binding, may in bindings:
            frame.binding, frame.may = binding, may

    def _take(self, sentence: str, placed: tuple[PlacedClause, ...], until: tuple[Term, ...], is_lead: bool) -> None:
        clauses = [each.clause for each in placed]
        if all(isinstance(each, Says) for each in clauses):
            return
        if all(isinstance(each, Says | Forbids) for each in clauses):
            self.forbids += [each for each in clauses if isinstance(each, Forbids)]
            return
        frame = self._frame(clauses)
        if frame.is_dead or (self.is_tainted and frame is self.current):
            raise Unclear("goes on from what was not understood")
        _Sentence(self, frame, until).take(placed)
        frame.root.sentences.append(sentence)
        self.current = frame
        if frame.parent is None and frame not in self.frames:
            self.frames.append(frame)

    def _frame(self, clauses: list[Clause]) -> RuleFrame:
        """The rule the sentence belongs to: a new one, one within the current one, or the current one."""
        whens = [each for each in clauses if isinstance(each, When)]
        used = {name for each in clauses for name in _pronouns(each)}
        if whens and not (whens[0].who is None and self._goes_on(whens[0])):
            must = self.is_nesting or any(isinstance(each, IfDone) for each in clauses)
            return self._moment_frame(whens[0], must)
        if self.current is not None and not self.current.is_dead and self._continues(clauses, used):
            return self.current
        if self.current is not None and self.current.is_dead and self._continues(clauses, used):
            raise Unclear("goes on from what was not understood")
        self.is_tainted = False
        return self._plain_frame(clauses)

    def _goes_on(self, when: When) -> bool:
        """A step of a sequence that the current rule is in already."""
        return self.current is not None and self.current.is_open and when.moments[0].word == "rolled"

    def _continues(self, clauses: list[Clause], used: set[str]) -> bool:
        assert self.current is not None
        if (self.current.is_open and not self.current.is_dead) or self.kind in ("action", "firefight"):
            return True
        if any(isinstance(each, IfDone | Ask) for each in clauses):
            return True
        if any(isinstance(each, Refers) for each in clauses) and not any(isinstance(each, Do) for each in clauses):
            return True
        if used - {"it"}:
            return True
        named = [_subject(effect) for each in clauses if isinstance(each, Do) for effect in each.effects]
        return all(whom is None or whom.role not in ("self", "friend", "enemy") for whom in named)

    def _moment_frame(self, when: When, must_nest: bool) -> RuleFrame:
        is_nested = must_nest or any(True for whom in (when.who, when.foe) if whom is not None for _ in _back(whom))
        outer = self.current
        if outer is not None and not outer.is_dead and (is_nested or self._is_part_of(outer)):
            while outer.parent is not None:
                outer = outer.parent
            frame = RuleFrame((), SELF, parent=outer, binding=outer.binding)
            outer.then.append(frame)
            return frame
        if is_nested:
            raise Unclear("nobody it could go on from")
        self.is_tainted = False
        return RuleFrame((), SELF)

    def _is_part_of(self, outer: RuleFrame) -> bool:
        """Whether a moment is part of what was begun: an action that was performed, a ploy or gambit with a choice."""
        if self.kind == "firefight":
            return True
        begins = {"used", "gambit"} & {each.word for each in outer.root.on}
        return bool(begins) and not outer.root.is_open

    def _plain_frame(self, clauses: list[Clause]) -> RuleFrame:
        if self.kind == "firefight" and not self.is_option:
            raise Unclear("it is not said when the ploy is used")
        effects = [effect for each in clauses if isinstance(each, Do) for effect in each.effects]
        has_choice = any(isinstance(each, Ask) for each in clauses)
        happens = any(effect.word in IMMEDIATE for effect in effects) or has_choice
        if self.kind == "action" or ((self.kind in ("strategy", "firefight") or self.is_option) and happens):
            return RuleFrame(USED, owner(self.kind == "action"), binding=Binding({"that-friend": "who"} if False else {}))
        if happens and not effects:
            raise Unclear("no moment")
        if happens and effects[0].word not in ("reroll",):
            raise Unclear("something happens, but it is not said when")
        subject = next((whom for effect in effects if (whom := _subject(effect)) is not None), None)
        who = owner(self.of_operative) if subject is None or subject.role in ("it", "that") else subject
        if who.role == "self" and not self.of_operative:
            who = SELF
        binding = binding_of(who, None, ALWAYS, Binding())
        frame = RuleFrame(ALWAYS, resolved_whom(who, binding), binding=binding)
        return frame


def _back(whom: Whom) -> list[str]:
    """Pronouns by which a moment goes on from an earlier one; 'it' in what narrows somebody is not one."""
    found = [whom.role] if whom.role not in ("self", "friend", "enemy", "anyone") else []
    found += [name for each in whom.that for name in pronouns(each) if name not in ("it", "that", "that-friend", "foe", "target")]
    return found


def _subject(effect: Term) -> Whom | None:
    whom = effect.get("who")
    return whom if isinstance(whom, Whom) else None


def _pronouns(clause: Clause) -> list[str]:
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


@dataclass
class _Sentence:
    """One sentence being added to a frame."""

    text: _Text
    frame: RuleFrame
    until: tuple[Term, ...]
    lead: list[Term] = field(default_factory=list)
    lasting: list[Term] = field(default_factory=list)
    new: int = 0
    is_frame_set: bool = False

    def take(self, placed: tuple[PlacedClause, ...]) -> None:
        frame = self.frame
        self.new = len(frame.do)
        self.lasting += self.until
        clauses = [each.clause for each in placed]
        has_when = any(isinstance(each, When) for each in clauses)
        has_effect = any(isinstance(each, Do) for each in clauses)
        if has_when:
            self._when([each for each in clauses if isinstance(each, When)])
        goes_on = any(isinstance(each, Ask) for each in clauses) or not has_effect
        for index, each in enumerate(placed):
            self._clause(each, clauses[index + 1 :], has_when)
        if goes_on or (has_when and not self._has_effects()):
            frame.conditions += self.lead
            frame.until += self.lasting
        elif self.lead or self.lasting:
            self._apply_lead(has_when)

    def _has_effects(self) -> bool:
        return len(self.frame.do) > self.new

    def _apply_lead(self, has_when: bool) -> None:
        """Conditions and durations of this sentence: of the rule if it began with it, else of its effects only."""
        frame = self.frame
        if has_when or (self.new == 0 and frame.on != USED):
            frame.conditions += self.lead
            frame.until += self.lasting
            return
        for index in range(self.new, len(frame.do)):
            effect = frame.do[index]
            if effect.word == "pick":
                if self.lead:
                    raise Unclear("a choice with a condition")
                continue
            effect = with_until(effect, tuple(self.lasting))
            if self.lead:
                own = effect.get("if")
                effect = effect.plus(**{"if": (*(own if isinstance(own, tuple) else ()), *self.lead)})
            frame.do[index] = effect

    def _clause(self, placed: PlacedClause, after: list[Clause], has_when: bool) -> None:
        clause, frame = placed.clause, self.frame
        if isinstance(clause, If):
            found = [resolved_term(each, frame.binding) for each in clause.conditions]
            is_trailing = self._has_effects() and not (";" in placed.before or (placed.before and after))
            if self._has_effects() and not is_trailing:
                raise Unclear("a condition in the middle")
            if is_trailing and len(frame.do) - self.new > 0:
                for index in range(self.new, len(frame.do)):
                    own = frame.do[index].get("if")
                    both = (*(own if isinstance(own, tuple) else ()), *found)
                    if frame.do[index].word != "pick":
                        frame.do[index] = frame.do[index].plus(**{"if": both})
            else:
                self.lead += found
        elif isinstance(clause, Lasts):
            self.lasting += [resolved_term(each, frame.binding) for each in clause.until]
        elif isinstance(clause, HowOften):
            frame.limits += clause.limits
        elif isinstance(clause, Forbids):
            self.text.forbids.append(clause)
        elif isinstance(clause, Refers):
            for each in self.text.frames if clause.all else [frame]:
                each.refer(clause)
        elif isinstance(clause, Ask):
            frame.may = True
        elif isinstance(clause, IfDone):
            if not frame.may and frame.is_open:
                raise Unclear("nothing was chosen")
        elif isinstance(clause, Do):
            self._effects(clause)

    def _effects(self, clause: Do) -> None:
        frame = self.frame
        frame.may = frame.may or (clause.may and frame.is_open)
        for effect in clause.effects:
            found = resolved_term(effect, frame.binding)
            subject = found.get("who")
            if frame.on == ALWAYS and subject == frame.who:
                found = Term(found.word, tuple(pair for pair in found.args if pair[0] != "who"))
            frame.do.append(found)
            if effect.word == "pick" and isinstance(effect.main, Whom):
                frame.binding = frame.binding.after_pick(effect.main)
            elif effect.word == "choose" and isinstance(effect.main, tuple):
                for each in effect.main:
                    if isinstance(each, Term) and each.word == "pick" and isinstance(each.main, Whom):
                        frame.binding = frame.binding.after_pick(each.main)
            elif effect.word in ("marker", "pick-marker"):
                name = effect.main[0] if isinstance(effect.main, tuple) else effect.main
                frame.binding = Binding({**frame.binding.roles, "marker": str(name)})
            elif isinstance(subject, Whom) and subject.role in ("who", "foe", "picked", "self"):
                frame.binding = frame.binding.with_(it=subject.role, that=subject.role)

    def _when(self, whens: list[When]) -> None:
        frame, first = self.frame, whens[0]
        if len(whens) > 2 or (len(whens) == 2 and whens[1].who not in (None, first.who) and not _same(whens[1].who)):
            raise Unclear("several moments")
        who = first.who if first.who is not None else (frame.who if frame.on else owner(self.text.of_operative))
        outer = frame.binding
        if frame.parent is not None:
            who = resolved_whom(who, outer) if who.role not in ("self", "friend", "enemy", "anyone") else who
        foe = first.foe
        if foe is not None and foe.role not in ("self", "friend", "enemy", "anyone", "quarry"):
            foe = resolved_whom(foe, outer)
        moments = first.moments
        conditions = list(first.conditions)
        if len(whens) == 2 and whens[1].moments[0].word not in _WITHIN:
            raise Unclear("two moments")
        if len(whens) == 2:
            verbs = tuple(each.word for each in moments)
            if not set(verbs) <= {"shooting", "fighting", "retaliating", "shot-at", "doing", "activated", "activation"}:
                raise Unclear("a moment within a moment")
            if set(verbs) <= {"shooting", "fighting", "retaliating", "shot-at"}:
                conditions.append(term("did", verbs, during="sequence"))
            moments = whens[1].moments
            conditions += whens[1].conditions
        sequence = tuple(first.moments)
        frame.binding = binding_of(who, foe, sequence, outer)
        inside = frame.binding
        frame.who = resolved_whom(who, inside.with_(it="foe")) if who.role != "quarry" else ENEMY
        frame.foe = None if foe is None else resolved_whom(foe, inside)
        if frame.foe is None and any(each.word in ("shooting", "fighting", "retaliating", "shot-at") for each in sequence):
            frame.foe = None
        frame.on = moments
        if moments[0].word == "near-marker":
            frame.binding = Binding({**frame.binding.roles, "marker": str(moments[0].main)})
        frame.conditions += [resolved_term(each, inside) for each in conditions]
        if frame.who == Whom("self") and not self.text.of_operative and self.text.kind != "weapon-rule":
            pass


def _same(whom: Whom) -> bool:
    """Whether it is a pronoun for whom the first moment was about."""
    return whom.role in ("it", "that", "that-friend")
