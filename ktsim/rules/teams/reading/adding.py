"""Adding one sentence to a rule under construction: its moment, conditions, limits, effects and how long they last."""

from __future__ import annotations

from dataclasses import dataclass, field

from ktsim.rules.teams.language.values import ENEMY, FOE, SELF, WHO, Term, Whom, term
from ktsim.rules.teams.reading.clauses import (
    Afterwards,
    Ask,
    Clause,
    Do,
    Forbids,
    HowOften,
    If,
    IfDone,
    Lasts,
    Refers,
    When,
    While,
    group_of,
    negated,
)
from ktsim.rules.teams.reading.frames import ALWAYS, HAPPENING, HOLDING, USED, RuleFrame, owner, with_until
from ktsim.rules.teams.reading.operatives import IT
from ktsim.rules.teams.reading.parsing import PlacedClause
from ktsim.rules.teams.reading.plurals import GROUPS
from ktsim.rules.teams.reading.references import Binding, Unclear, binding_of, pronouns, resolved_term, resolved_whom

_WITHIN = frozenset(
    ["rolled", "defended", "damage", "incapacitates", "strikes", "choosing-target", "choosing-weapon", "doing", "done"]
)
"""Moments that can be within another one."""
_STEPS = frozenset(["rolled", "defended", "incapacitates"])
"""Those that are steps of a sequence."""
_SEQUENCE_OF = {"Fight": "fighting", "Shoot": "shooting"}


WHILE_IT_STANDS = term("while", (negated((term("incapacitated"),)),))
"""Until whom the rule is about falls: nothing holds for who has fallen anyway."""
PAST = frozenset(["done", "dying", "has-fought", "incapacitates", "incapacitated", "expended", "activation-ended"])
"""Moments after an action; to say so adds nothing."""
OF_WEAPONS = frozenset(["atk", "hit", "damage", "normal-damage", "critical-damage"])
"""Stats of weapons, not of operatives."""
NEAR = frozenset(["within", "more-than", "visible", "control-range"])
THEIR_OWN = frozenset(["next-activation-start", "next-activation-end"])
"""Ways of lasting that each of those has for itself who were there as it began."""
COUNTED = frozenset(["ap-cost", "add-weapon"])
"""Effects of which play counts how often they are used."""


@dataclass
class AddedSentence:
    """One sentence being added to *frame*. What is about the whole text goes to *forbids*, or to all of *frames*."""

    frame: RuleFrame
    frames: list[RuleFrame]
    forbids: list[Forbids]
    of_operative: bool
    until: tuple[Term, ...]
    names_several: bool
    """Whether its words are about several operatives somewhere; else nobody in it is all of many."""
    lead: list[Term] = field(default_factory=list)
    lasting: list[Term] = field(default_factory=list)
    during: list[Term] = field(default_factory=list)
    new: int = 0
    statements: int = 0
    """How many things it has said to happen or hold so far."""
    is_frame_set: bool = False

    def take(self, placed: tuple[PlacedClause, ...]) -> None:
        frame = self.frame
        self.new = len(frame.do)
        self.lasting += self.until
        clauses = [each.clause for each in placed]
        has_when = any(isinstance(each, When) for each in clauses)
        has_effect = any(isinstance(each, Do) for each in clauses)
        if has_when and _comes_late(clauses):
            raise Unclear("a moment after what happens at it")
        if has_when:
            self._when([each for each in clauses if isinstance(each, When)])
        self._each_lasts_as_long(clauses)
        goes_on = any(isinstance(each, Ask) for each in clauses) or not has_effect
        for index, each in enumerate(placed):
            if index and isinstance(each.clause, Lasts) and isinstance(clauses[index - 1], When) and not each.before:
                self._narrow(each.clause)
            else:
                self._clause(each, clauses[index + 1 :], has_when)
        if self.during:
            self._apart(has_when)
        if goes_on or (has_when and not self._has_effects()):
            frame.conditions += self.lead
            frame.until += self.lasting
        elif self.lead or self.lasting:
            self._apply_lead(has_when)
        self._as_auras(isinstance(clauses[0], Lasts))

    def _each_lasts_as_long(self, clauses: list[Clause]) -> None:
        """What is said to last so long before one thing and so long after another is not the same for both."""
        said = [isinstance(each, Do) for each in clauses if isinstance(each, Lasts | Do)]
        if said.count(False) < 2 or said.count(True) < 2:
            return
        first, last = said.index(False), len(said) - 1 - said[::-1].index(False)
        if any(said[first:last]) or (first > 0 and last < len(said) - 1):
            raise Unclear("which of them lasts how long")

    def _narrow(self, during: Lasts) -> None:
        """'During' something, said of a moment: when that has to be, not how long anything lasts."""
        words = {each.word for each in during.until}
        if words == {"activation"}:
            self.lead.append(term("activated-now"))
        elif not words <= {"turning-point", "battle"}:  # it always is one
            raise Unclear("a moment in what")

    def _apart(self, has_when: bool) -> None:
        """What holds *while* something is so, once something has happened: a rule of its own, as long as it lasts."""
        frame, during = self.frame, self.during
        happens = {each.word for each in frame.on} - {"always", "shooting", "fighting", "retaliating", "shot-at"}
        if has_when or not happens:
            self.lead += during
            return
        new = frame.do[self.new :]
        if not new or any(each.get("who") is not None or each.word == "pick" for each in new):
            raise Unclear("for whom that must be so")
        del frame.do[self.new :]
        lasting = [*self.lasting]
        self.lasting.clear()
        frame.then.append(
            RuleFrame(
                ALWAYS, Whom("who"), None, list(during), do=new, until=lasting, parent=frame, binding=frame.binding
            )
        )

    def _as_auras(self, is_said_first: bool) -> None:
        """What holds for a while for whoever is near is not for those who happened to be as it began."""
        frame = self.frame
        if {each.word for each in frame.on} <= HOLDING:
            return
        kept = frame.do[: self.new]
        for effect in frame.do[self.new :]:
            whom, own = effect.get("who"), effect.get("until")
            lasts = own if isinstance(own, tuple) else tuple(frame.until)
            words = {each.word for each in lasts if isinstance(each, Term)}
            is_group = isinstance(whom, Whom) and whom.role in GROUPS
            if is_group and not self.names_several:
                raise Unclear("which one of many")
            is_near = isinstance(whom, Whom) and is_group and any(each.word in NEAR for each in whom.that)
            if (
                not is_near
                or effect.word in HAPPENING
                or effect.word == "reveal"  # play has it for whoever is near meanwhile
                or not words
                or words <= THEIR_OWN
                or any(each.get("who") == whom for each in kept)
            ):
                kept.append(effect)
                continue
            assert isinstance(whom, Whom)
            speaks_of = {each.get(name) for each in whom.that for name in ("", "of", "from")}
            if not is_said_first or effect.get("if") is not None or not speaks_of & {Whom("self")}:
                raise Unclear("who is near then, or whoever is near meanwhile")
            args = tuple(pair for pair in effect.args if pair[0] not in ("who", "until"))
            frame.then.append(
                RuleFrame(
                    ALWAYS,
                    whom,
                    do=[Term(effect.word, args)],
                    until=[each for each in lasts if isinstance(each, Term)],
                    parent=frame,
                    binding=frame.binding,
                )
            )
        frame.do[:] = kept

    def _has_effects(self) -> bool:
        return len(self.frame.do) > self.new

    def _apply_lead(self, has_when: bool) -> None:
        """Conditions and durations of this sentence: of the rule if it began with it, else of its effects only."""
        frame = self.frame
        if has_when or (self.new == 0 and frame.on != USED):
            frame.conditions += self.lead
            if frame.parent is None or {each.word for each in frame.on} <= HOLDING:
                frame.until += self.lasting
            else:  # the rule itself goes on
                frame.do[self.new :] = [
                    each if each.word in HAPPENING else with_until(each, tuple(self.lasting))
                    for each in frame.do[self.new :]
                ]
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
            if frame.on == ALWAYS and not has_when and not self._has_effects():
                found = [self._of_whom(each) for each in found]
            if self._has_effects() and isinstance(clause, While) and "and" in placed.before:
                raise Unclear("what else can be done meanwhile")
            is_trailing = self._has_effects() and not (";" in placed.before or (placed.before and after))
            if self._has_effects() and not is_trailing:
                raise Unclear("a condition in the middle")
            if is_trailing and self.statements > 1 and len({each.word for each in frame.do[self.new :]}) > 1:
                raise Unclear("of which of them")
            if is_trailing and len(frame.do) - self.new > 0:
                for index in range(self.new, len(frame.do)):
                    own = frame.do[index].get("if")
                    both = (*(own if isinstance(own, tuple) else ()), *found)
                    if frame.do[index].word != "pick":
                        frame.do[index] = frame.do[index].plus(**{"if": both})
            elif isinstance(clause, While):
                self.during += found
            else:
                self.lead += found
        elif isinstance(clause, Lasts):
            found = [resolved_term(each, frame.binding) for each in clause.until]
            self.lasting += [each for each in found if each != WHILE_IT_STANDS]
        elif isinstance(clause, HowOften):
            frame.limits += clause.limits
        elif isinstance(clause, Forbids):
            self.forbids.append(clause)
        elif isinstance(clause, Refers):
            for each in self.frames if clause.all else [frame]:
                each.refer(clause)
        elif isinstance(clause, Afterwards):
            self._afterwards()
        elif isinstance(clause, Ask):
            frame.may = True
        elif isinstance(clause, IfDone):
            if not frame.may and frame.is_open:
                raise Unclear("nothing was chosen")
            if frame.on == ALWAYS and self._has_effects():
                raise Unclear("what holds for those who have done something")
        elif isinstance(clause, Do):
            self._effects(clause)

    def _of_whom(self, condition: Term) -> Term:
        """'If one of them is ...', said after what all of them have: that is about the very one, not about any."""
        if condition.word in ("not", "any", "all") and isinstance(condition.main, tuple):
            inner = tuple(self._of_whom(each) for each in condition.main if isinstance(each, Term))
            return term(condition.word, inner)
        if condition.get("about") == self.frame.who != Whom("self"):
            return Term(condition.word, tuple(pair for pair in condition.args if pair[0] != "about"))
        return condition

    def _afterwards(self) -> None:
        frame, words = self.frame, {each.word for each in self.frame.on}
        if words == {"doing"} and self.new == 0:
            frame.on = tuple(Term("done", each.args) for each in frame.on if each.get("except") is None)
        if not frame.on or not {each.word for each in frame.on} <= PAST:
            raise Unclear("after what")

    def _effects(self, clause: Do) -> None:
        frame = self.frame
        frame.may = frame.may or (clause.may and frame.is_open)
        self.statements += 1
        for number, effect in enumerate(clause.effects):
            self._choose_near(effect)
            found = resolved_term(self._with_weapon(self._of_any(effect)), frame.binding)
            if self._is_of_shooter(effect):
                found = found.plus(who=FOE)
            if clause.may and found.word == "ignore-changes":  # it may be one of several effects, or last
                found = found.plus(may=True)
            subject = found.get("who")
            if effect.get("who") == Whom("it") and _harms(found) and any(map(_is_of_foe, self.lead)):
                raise Unclear("which of the two it is")
            if effect.get("who") == Whom("that") and effect.word in HAPPENING and any(map(_is_of_another, self.lead)):
                raise Unclear("which of the two that is")
            is_of_group = isinstance(subject, Whom) and subject.role in GROUPS
            if is_of_group and not {each.word for each in frame.on} <= HOLDING:
                roles = {name: role for name, role in frame.binding.roles.items() if name != "that"}
                frame.binding = Binding(roles)  # nobody is "that operative" among several
            if frame.on == ALWAYS and subject == frame.who:
                found = Term(found.word, tuple(pair for pair in found.args if pair[0] != "who"))
            frame.do.append(found)
            if effect.word == "token" and isinstance(effect.main, str):
                frame.binding = frame.binding.with_(token=effect.main)
            if effect.word == "pick" and isinstance(effect.main, Whom):
                frame.binding = frame.binding.after_pick(effect.main)
            elif effect.word == "choose" and isinstance(effect.main, tuple):
                for each in effect.main:
                    if isinstance(each, Term) and each.word == "pick" and isinstance(each.main, Whom):
                        frame.binding = frame.binding.after_pick(each.main)
            elif effect.word in ("marker", "pick-marker"):
                name = "picked" if effect.word == "pick-marker" else str(effect.main)
                frame.binding = Binding({**frame.binding.roles, "marker": name})
            elif effect.word == "remove-marker":  # "it" is what was there
                frame.binding = Binding({name: role for name, role in frame.binding.roles.items() if name != "it"})
            elif any(each.word == effect.word and each.main == effect.main for each in clause.effects[number + 1 :]):
                continue  # of "this and that operative" the second is not the first
            elif isinstance(subject, Whom) and subject.role in ("who", "foe", "picked", "self"):
                frame.binding = frame.binding.with_(it=subject.role, that=subject.role)

    def _choose_near(self, effect: Term) -> None:
        """'That friendly operative' is one of those near whom the moment was said to be: its player chooses which."""
        frame = self.frame
        if frame.on == ALWAYS:
            self._turn_round(effect)
            return
        if {each.word for each in frame.on} <= HOLDING or any(each.word in ("pick", "choose") for each in frame.do):
            return
        for side in ("friend", "enemy"):
            if f"that-{side}" not in pronouns(effect) or f"that-{side}" in frame.binding.roles:
                continue
            found = [each for each in (*frame.who.that, *frame.conditions) if _is_near(each, side)]
            if len(found) != 1:
                continue
            whom = _near_whom(found[0])
            assert whom is not None
            picked = term("pick", whom.narrowed(*_turned(found[0])))
            frame.do.append(picked)
            frame.binding = frame.binding.after_pick(whom)

    def _turn_round(self, effect: Term) -> None:
        """'Whenever this operative is near an enemy', what holds for *that enemy* does while it is near this one."""
        frame, wanted = self.frame, effect.get("who")
        if wanted != Whom("that-enemy") or "that-enemy" in frame.binding.roles or frame.do:
            return
        if frame.who != SELF or len(frame.conditions) != 1 or not _is_near(frame.conditions[0], "enemy"):
            return
        [near] = frame.conditions
        whom = _near_whom(near)
        assert whom is not None
        frame.who = whom
        frame.conditions = list(_turned(near, SELF))
        frame.binding = Binding({"that-enemy": "who", "the-enemy": "who"})

    def _is_of_shooter(self, effect: Term) -> bool:
        """Whether it is about the weapons of 'that operative' while somebody is shot, who uses none."""
        is_of_weapons = effect.word == "stat" and effect.main in OF_WEAPONS
        return is_of_weapons and effect.get("who") == Whom("that") and self.frame.on == (term("shot-at"),)

    def _of_any(self, effect: Term) -> Term:
        """What *one* of many may use is any one's as long as it is counted how often."""
        whom = effect.get("who")
        is_counted = effect.word in COUNTED and bool(self.frame.limits)
        return effect.plus(who=group_of(whom)) if isinstance(whom, Whom) and is_counted else effect

    def _with_weapon(self, effect: Term) -> Term:
        """'It' is the weapon that was just spoken of; else the operative, with all its weapons."""
        if effect.get("weapons") != (IT,):
            return effect
        rest = {name: value for name, value in effect.args if name and name != "weapons"}
        before = self.frame.do[-1] if len(self.frame.do) > self.new else None
        if before is not None and before.get("weapons"):
            return term(effect.word, effect.main, weapons=("same",), **{**rest, "who": before.get("who")})
        is_armed = any(each.word == "weapon" for each in self.frame.conditions)
        if is_armed or any(each.word == "choosing-weapon" for each in self.frame.on):
            return term(effect.word, effect.main, weapons=("that",), **{**rest, "who": None})
        return term(effect.word, effect.main, **rest)

    def _when(self, whens: list[When]) -> None:
        frame, first = self.frame, whens[0]
        if len(whens) > 2 or (len(whens) == 2 and whens[1].who not in (None, first.who) and not _same(whens[1].who)):
            raise Unclear("several moments")
        who = first.who if first.who is not None else (frame.who if frame.on else owner(self.of_operative))
        outer = frame.binding
        if frame.parent is not None:
            who = resolved_whom(who, outer) if who.role not in ("self", "friend", "enemy", "anyone") else who
        foe = _foe_of(whens)
        if foe is not None and foe.role not in ("self", "friend", "enemy", "anyone", "quarry"):
            foe = resolved_whom(foe, outer)
        moments = first.moments
        conditions = list(first.conditions)
        if len(whens) == 2 and whens[1].moments[0].word not in _WITHIN:
            raise Unclear("two moments")
        if first.who is None and moments[0].word in _STEPS:
            conditions += _in_which(frame.on)
        if len(whens) == 2:
            verbs = tuple(each.word for each in moments)
            if not set(verbs) <= {"shooting", "fighting", "retaliating", "shot-at", "doing", "activated", "activation"}:
                raise Unclear("a moment within a moment")
            if "doing" not in verbs or whens[1].moments[0].word in _STEPS:
                conditions += _in_which(moments)
            if set(verbs) == {"activation"}:
                conditions.append(term("activated-now"))
            moments = whens[1].moments
            conditions += whens[1].conditions
        sequence = tuple(first.moments)
        frame.binding = binding_of(who, foe, sequence, outer)
        inside = frame.binding
        frame.who = resolved_whom(who, inside.with_(it="foe"))
        frame.foe = None if foe is None else resolved_whom(foe, inside)
        if frame.foe is not None and frame.foe == frame.who and frame.who.role not in ("friend", "enemy", "anyone"):
            raise Unclear("nobody shoots or fights themselves")
        frame.on = moments
        if token := next((str(each.main) for each in who.that if each.word == "token"), None):
            frame.binding = frame.binding.with_(token=token)
        if moments[0].word == "near-marker":
            frame.binding = Binding({**frame.binding.roles, "marker": str(moments[0].main)})
        frame.conditions += [resolved_term(each, inside) for each in conditions]


def _in_which(moments: tuple[Term, ...]) -> tuple[Term, ...]:
    """What is being done in the sequence whose step is spoken of, by the moment it is within."""
    verbs = [each.word for each in moments if each.word != "doing"]
    for name in (name for each in moments if each.word == "doing" for name in (each.main or ())):  # type: ignore[union-attr]
        if name not in _SEQUENCE_OF:
            raise Unclear("a step of an action without a sequence")
        verbs.append(_SEQUENCE_OF[str(name)])
    is_attack = verbs and set(verbs) <= {"shooting", "fighting", "retaliating", "shot-at"}
    return (term("did", tuple(verbs), during="sequence"),) if is_attack else ()


def _foe_of(whens: list[When]) -> Whom | None:
    """Against whom: as the moment says, or the moment within it; each may narrow what the other leaves open."""
    first, *within = (each.foe for each in whens)
    second = within[0] if within else None
    if second is None or (second == ENEMY and first is not None):
        return first
    if first is None or first == ENEMY:
        return second if second.role in ("friend", "enemy", "anyone") else first
    if second.role in ("friend", "enemy", "anyone"):
        raise Unclear("two operatives against whom")
    return first


def _is_near(condition: Term, side: str) -> bool:
    """Whether it says that whom the moment is about is near one of that side, of whom nothing else is asked of it."""
    whom = _near_whom(condition)
    is_plain = condition.get("about") is None and not condition.get("mutual")
    return is_plain and whom is not None and whom.role == side


def _near_whom(condition: Term) -> Whom | None:
    """Whom it says somebody is near; within control range of an enemy is near any of them."""
    if condition.word == "control-range":
        return condition.main if isinstance(condition.main, Whom) else ENEMY
    whom = condition.get("of")
    return whom if condition.word == "within" and isinstance(whom, Whom) else None


def _turned(condition: Term, whom: Whom = WHO) -> tuple[Term, ...]:
    """The same told of the other one: who has whom within control range, within so many inches and in sight."""
    if condition.word == "control-range":
        return (term("control-range", whom),)
    seen = (term("visible", whom, sees=True),) if condition.get("visible") else ()
    return (*seen, term("within", condition.main, of=whom))


def _harms(effect: Term) -> bool:
    by = effect.get("by")
    return effect.word in ("damage", "forbid", "lose-token") or (isinstance(by, int) and by < 0)


def _is_of_foe(condition: Term) -> bool:
    inner = condition.main if isinstance(condition.main, tuple) else ()
    return condition.get("about") == Whom("foe") or any(isinstance(each, Term) and _is_of_foe(each) for each in inner)


def _is_of_another(condition: Term) -> bool:
    """Whether a condition brings in somebody who was not spoken of before."""
    inner = condition.main if isinstance(condition.main, tuple) else ()
    subject = condition.get("about")
    is_new = isinstance(subject, Whom) and subject.role in GROUPS
    return is_new or any(isinstance(each, Term) and _is_of_another(each) for each in inner)


def _comes_late(clauses: list[Clause]) -> bool:
    """Whether an effect is said before the first moment."""
    for each in clauses:
        if isinstance(each, When | Do):
            return isinstance(each, Do)
    return False


def _same(whom: Whom) -> bool:
    """Whether it is a pronoun for whom the first moment was about."""
    return whom.role in ("it", "that", "that-friend")
