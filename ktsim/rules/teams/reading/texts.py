"""A printed text as rules: sentence by sentence, with what could not be understood named."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ktsim.rules.teams.language.values import (
    FRIEND,
    SELF,
    LanguageRule,
    Term,
    TextKind,
    Whom,
    term,
)
from ktsim.rules.teams.reading.adding import COUNTED, AddedSentence
from ktsim.rules.teams.reading.clauses import (
    Ask,
    Clause,
    Do,
    EachOnce,
    Forbids,
    HowOften,
    IfDone,
    Lasts,
    Offers,
    Refers,
    Says,
    When,
    group_of,
)
from ktsim.rules.teams.reading.frames import ALWAYS, GAMBIT, HAPPENING, HOLDING, USED, KeptFrames, RuleFrame, owner
from ktsim.rules.teams.reading.parsing import PlacedClause, SentenceReader
from ktsim.rules.teams.reading.plurals import of_whoever, without_plurals
from ktsim.rules.teams.reading.references import (
    Binding,
    Unclear,
    binding_of,
    goes_back,
    pronouns_in,
    resolved_term,
    resolved_whom,
)
from ktsim.rules.teams.reading.restricting import (
    ABOUT_ALL,
    INDEPENDENT,
    LIMITS_USE,
    RESTRICTS,
    SEVERAL,
    following_weapons,
    halves,
    turned,
    with_more_if,
)
from ktsim.rules.teams.reading.sentences import Passage, passages

LASTS = HOLDING | {"used", "gambit"}
"""Moments from which a strategy ploy lasts; what begins at any other has to say how long it does."""
_OF_ITS_OWN = re.compile(
    r"(\ban? friendly [A-Z' -]+ operative is (?:fighting|retaliating|shooting)\b.+\binflicts? .+? on) this operative "
    r"(during that sequence)\b"
)
"""Of the whole team, damage in a sequence on 'this operative' is on the friend that the sequence is about."""
IMMEDIATE = HAPPENING | {"choose", "reroll"}
"""Effects carried out when their text says so."""


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
        return _Text(self.sentences, kind, is_own, is_card=of_operative).read(passages(text))


_Saved: TypeAlias = "tuple[RuleFrame | None, int, KeptFrames]"


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
    is_card: bool = True
    """Whether the text is on a datacard."""

    def read(self, found: Sequence[Passage]) -> TextReading:
        if self.kind == "action":
            self.current = RuleFrame(USED, SELF, binding=Binding({"it": "self", "that": "self"}))
            self.frames.append(self.current)
        for passage in found:
            if passage.begins and self.kind not in ("action", "firefight") and not self._is_begun():
                self.current = None
            if passage.items:
                self._list(passage)
            else:
                self._sentence(passage.sentence)
        return self._finish()

    def _is_begun(self) -> bool:
        """Whether something was begun that a list may go on with."""
        root = self.current.root if self.current is not None else None
        return root is not None and (root.is_open or bool({"used", "gambit"} & {each.word for each in root.on}))

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
                for each in frame.all():
                    each.put_in_time(self.kind == "action")
                rules.append(self._of_the_team(frame.rule()))
            except Unclear:
                self.unread += [each for each in frame.sentences if each not in self.unread]
        if not rules and self.unread:
            rules += self._card()
        return TextReading(tuple(rules), tuple(self.unread))

    def _card(self) -> list[LanguageRule]:
        """What can be kept of a ploy, an action or a choice: its moment, limits and cost. The rest is the players'."""
        frame = next((each for each in self.frames if each.on and (each.sentences or self.forbids)), None)
        if self.kind == "strategy":  # it is used in the Strategy phase, whatever it does then
            frame = None if any(map(LIMITS_USE.search, self.unread)) else RuleFrame(USED, FRIEND)
        elif (frame is None or frame.on == ALWAYS) and self.kind not in ("action", "firefight"):
            frame = self._moment_of_a_choice()
        if frame is None or frame.on == ALWAYS:
            return []
        has_choice = (frame.may or frame.on == GAMBIT) and (frame.is_open or len(frame.sentences) > 1)
        if not (self.kind in ("action", "firefight", "strategy") or has_choice):
            return []
        frame.do, frame.then, frame.until = [term("card")], [], []
        try:
            self._restrict(frame)
            return [frame.rule()]
        except Unclear:
            return []

    def _of_the_team(self, rule: LanguageRule) -> LanguageRule:
        """A strategic gambit of nobody's datacard is the whole team's, whomever its options speak of."""
        is_gambit = self.kind == "faction" and rule.on == GAMBIT and rule.who == SELF and not self.is_card
        return replace(rule, who=FRIEND) if is_gambit else rule

    def _moment_of_a_choice(self) -> RuleFrame | None:
        """The moment at which its player can do something, where only that was understood."""
        lead = next((found for each in self.unread if (found := self.reader.moment(each))), ())
        self.current = None
        is_clear = bool(lead) and self._understood("", (*lead, PlacedClause(Ask(), ())))
        return self.frames[-1] if is_clear and self.frames[-1].parent is None else None

    def _restrict(self, frame: RuleFrame) -> None:
        for each in self.forbids:
            binding = Binding({**frame.binding.roles, "it": "who", "that": "who"})
            for about in frame.then if each.is_lasting and frame.then else [frame]:
                about.conditions += [resolved_term(condition, binding) for condition in each.conditions]
            frame.limits += frame.of_whom_it_chooses(each.limits)
            if each.bars and frame.on == USED:
                frame.do.append(term("forbid", each.bars, who=SELF, until=(term("activation"),)))
        if self.kind == "strategy" and not frame.until and {each.word for each in frame.on} <= LASTS:
            frame.until.append(term("turning-point"))

    # -- lists ---------------------------------------------------------------------------------------

    def _list(self, passage: Passage) -> None:
        """A sentence that leads in a list: what it says holds for each item."""
        lead = self.reader.clauses(passage.sentence)
        if (
            self.offered is not None
            and lead is not None
            and all(isinstance(each.clause, Refers | Says) for each in lead)
        ):
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
        if lead is None and (whole := self._conditions(passage) or following_weapons(passage)):
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
        match = re.fullmatch(
            r"(.+?),? (?:if|whenever) any of the following (?:are|is) true:?", passage.sentence, re.IGNORECASE
        )
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
        inner = _Text(self.reader, "faction", self.of_operative, is_option=True, is_card=self.is_card)
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
                inner.current = RuleFrame(
                    ALWAYS, Whom("picked"), binding=Binding({**roles, "it": "who", "that": "who"})
                )
                inner.frames.append(inner.current)
        found = inner.read(passages(body))
        # a frame for whom the options are about, in which nothing but moments of their own was said
        rules = tuple(
            replace(each, who=rule.who) if each is not rule and each.who == Whom("who") else each
            for rule in found.rules
            for each in (rule.then if rule.then and not rule.do else (rule,))
        )
        return rules if found.is_whole else None

    # -- sentences -----------------------------------------------------------------------------------

    def _sentence(self, sentence: str, until: tuple[Term, ...] = ()) -> None:
        sentence = sentence if self.is_card else _OF_ITS_OWN.sub(r"\1 that friendly operative \2", sentence)
        is_note = re.match(r"(?:note|remember)\b", sentence, re.IGNORECASE) is not None
        clauses = self.reader.clauses(sentence)
        if clauses is None and is_note:
            clauses = self.reader.clauses(
                re.sub(r"^(?:note|remember),?(?: that)?,? ", "", sentence, flags=re.IGNORECASE)
            )
            if clauses is None and not re.search(r"\b(cannot|must|unless|no effect)\b", sentence, re.IGNORECASE):
                return  # a note says nothing new
        offers = [each.clause for each in clauses or () if isinstance(each.clause, Offers)]
        if clauses is not None and offers and self.offered is None:
            self.offered = (Passage(sentence), clauses, offers[0])
            return
        if clauses is not None and self._understood(sentence, clauses, until=until):
            return
        other = turned(sentence)
        if other and (found := self.reader.clauses(other)) is not None and self._understood(other, found, until=until):
            return
        if self._all_understood(halves(sentence), until) or self._all_understood(with_more_if(sentence), until, True):
            return
        self._fail(sentence)

    def _all_understood(self, parts: list[str], until: tuple[Term, ...], is_one: bool = False) -> bool:
        """Whether each of the parts of a sentence is understood; *is_one*: as going on with the same rule."""
        found = [self.reader.clauses(each) for each in parts]
        if not parts or None in found:
            return False
        saved = self._saved()
        frames: list[RuleFrame | None] = []
        for each, clauses in zip(parts, found, strict=True):
            if not self._understood(each, clauses or (), until=until):
                break
            frames.append(self.current)
        if len(frames) == len(parts) and not (is_one and any(each is not frames[0] for each in frames)):
            return True
        self._restore(saved)
        return False

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
        return self.current, len(self.forbids), KeptFrames(self.frames)

    def _restore(self, saved: _Saved) -> None:
        """Take back what a sentence did that turned out not to be understood."""
        self.current, forbidden, frames = saved
        del self.forbids[forbidden:]
        frames.put_back(self.frames)

    def _take(self, sentence: str, placed: tuple[PlacedClause, ...], until: tuple[Term, ...], is_lead: bool) -> None:
        now = self.current
        happens = self.kind in ("action", "firefight") or (now is not None and not {e.word for e in now.on} <= HOLDING)
        placed, goes_on = without_plurals(placed, () if now is None else now.do, happens)
        if now is None:
            placed = of_whoever(placed)
        clauses = [each.clause for each in placed]
        if all(isinstance(each, Says) for each in clauses):
            return
        if all(isinstance(each, Says | Forbids) for each in clauses):
            self.forbids += [each for each in clauses if isinstance(each, Forbids)]
            return
        frame = now if goes_on and now is not None and not now.is_dead else self._frame(clauses)
        if frame.is_dead or (self.is_tainted and frame is self.current):
            raise Unclear("goes on from what was not understood")
        several = SEVERAL.search(sentence) is not None
        AddedSentence(frame, self.frames, self.forbids, self.of_operative, until, several).take(placed)
        frame.root.sentences.append(sentence)
        self.current = frame
        if frame.parent is None and frame not in self.frames:
            self.frames.append(frame)

    def _frame(self, clauses: list[Clause]) -> RuleFrame:
        """The rule the sentence belongs to: a new one, one within the current one, or the current one."""
        whens = [each for each in clauses if isinstance(each, When)]
        used = {name for each in clauses for name in pronouns_in(each)}
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
        return self.current is not None and self.current.is_open and when.moments[0].word in ("rolled", "defended")

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
        is_nested = must_nest or any(True for whom in (when.who, when.foe) if whom is not None for _ in goes_back(whom))
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
        is_used = any(each.word in ("used", "gambit") for each in outer.root.on)
        return is_used or self.kind in ("firefight", "action")

    def _plain_frame(self, clauses: list[Clause]) -> RuleFrame:
        if self.kind == "firefight" and not self.is_option:
            raise Unclear("it is not said when the ploy is used")
        effects = [effect for each in clauses if isinstance(each, Do) for effect in each.effects]
        has_choice = any(isinstance(each, Ask) for each in clauses)
        happens = any(effect.word in IMMEDIATE for effect in effects) or has_choice
        if self.kind == "action" or ((self.kind in ("strategy", "firefight") or self.is_option) and happens):
            return RuleFrame(USED, owner(self.kind == "action"), binding=Binding())
        if happens and (not effects or effects[0].word != "reroll"):
            raise Unclear("something happens, but it is not said when")
        subject = next((whom for effect in effects if (whom := _subject(effect)) is not None), None)
        who = owner(self.of_operative) if subject is None or subject.role in ("it", "that") else subject
        if any(isinstance(each, HowOften) for each in clauses) and {each.word for each in effects} <= COUNTED:
            who = group_of(who)
        binding = binding_of(who, None, ALWAYS, Binding())
        return RuleFrame(ALWAYS, resolved_whom(who, binding), binding=binding)


def _subject(effect: Term) -> Whom | None:
    whom = effect.get("who")
    return whom if isinstance(whom, Whom) else None
