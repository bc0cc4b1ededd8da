"""Rules under construction: what the sentences of a text have said so far about one moment."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from ktsim.rules.teams.language.values import FRIEND, SELF, LanguageRule, Term, Value, Whom, term
from ktsim.rules.teams.reading.clauses import Refers
from ktsim.rules.teams.reading.references import Binding, Unclear, resolved

SEQUENCES = frozenset(("shooting", "fighting", "retaliating", "shot-at"))
HOLDING = SEQUENCES | frozenset(("always", "damage", "control"))
"""Moments at which a rule holds, and nothing happens."""
ATTACKS = frozenset(("shooting", "fighting", "retaliating", "rolled", "choosing-weapon", "choosing-target"))

NEEDS: dict[str, frozenset[str]] = {
    "cover-save": frozenset(("shot-at", "targeted")),
    "downgrade-crit": frozenset(("damage",)),
    "redirect": frozenset(("targeted", "fought", "doing")),
    "strike": frozenset(("incapacitated",)),
    "resolve-first": frozenset(("retaliating", "fighting")),
    "early-block": frozenset(("retaliating", "fighting")),
    "double-strike": frozenset(("fighting", "retaliating", "used", "strikes")),
    "block": frozenset(("fighting", "retaliating", "always")),
    "weaken-rule": frozenset(("shot-at",)),
    "replace-rule": frozenset(("shot-at",)),
    "ignore-rule": frozenset(("shot-at", "always")),
    "convert": SEQUENCES | frozenset(("rolled", "defended")),
    "retain": SEQUENCES | frozenset(("rolled",)),
    "critical-on": SEQUENCES,
    "strike-damage": frozenset(("fighting", "retaliating", "strikes", "rolled")),
    "control-apl": frozenset(("control", "always")),
    "survive": frozenset(("dying", "incapacitated")),
    "next-activation": frozenset(("expended", "activated", "activation-ended")),
    "extra-action": frozenset(("counteracts", "activated")),
    "reduce-damage": frozenset(("damage", "fighting", "retaliating", "shot-at", "always")),
    "shoot-past-friends": frozenset(("choosing-target",)),
    "cancel": frozenset(("doing",)),
    "relocate": frozenset(("doing",)),
}
"""The moments at which an effect makes sense; one that stands at another was misunderstood."""


@dataclass
class RuleFrame:
    """One rule as far as it is known."""

    on: tuple[Term, ...]
    who: Whom
    foe: Whom | None = None
    conditions: list[Term] = field(default_factory=list)
    limits: list[Term] = field(default_factory=list)
    may: bool = False
    do: list[Term] = field(default_factory=list)
    until: list[Term] = field(default_factory=list)
    then: list[RuleFrame] = field(default_factory=list)
    binding: Binding = field(default_factory=Binding)
    parent: RuleFrame | None = None
    is_dead: bool = False
    sentences: list[str] = field(default_factory=list)

    @property
    def root(self) -> RuleFrame:
        return self if self.parent is None else self.parent.root

    def all(self) -> Iterator[RuleFrame]:
        yield self
        for each in self.then:
            yield from each.all()

    @property
    def is_open(self) -> bool:
        """Whether it has been said when, but not what."""
        return not self.do and not self.then

    def refer(self, clause: Refers) -> None:
        """Give the last effects the clause is about their further arguments."""
        args: dict[str, Value] = {name: resolved(value, self.binding) for name, value in clause.args.items()}
        is_found = False
        for frame in (self, *reversed(list(self.root.all()))):
            for index in range(len(frame.do) - 1, -1, -1):
                if frame.do[index].word in clause.words and clause.name in ("", frame.do[index].main):
                    frame.do[index] = _with(frame.do[index], args)
                    if "not-with-injury" in args and index and _worsens_with(frame.do[index - 1], frame.do[index]):
                        frame.do[index - 1] = _with(frame.do[index - 1], args)
                    if not clause.all:
                        return
                    is_found = True
        if is_found:
            return
        raise Unclear("nothing before it is meant")

    def rule(self) -> LanguageRule:
        words = {each.word for each in self.on}
        for each in self.on:
            if each.word in ("doing", "choosing-target", "choosing-weapon") and isinstance(each.main or (), tuple):
                names = each.main if isinstance(each.main, tuple) else ("Shoot",)
                words |= {{"Fight": "fighting", "Shoot": "shooting"}.get(str(name), "doing") for name in names}
        self.do = [self._before_or_after(each) for each in self.do]
        self.do = [_without(each, "until") if self._is_of_its_counteraction(each) else each for each in self.do]
        if self._is_as_long_as_its_action():
            self.until.append(term("action"))
        for effect in self.do:
            self._check(effect, words)
        if self.on == ALWAYS and self.parent is None and {each.word for each in self.until} & FROM_A_MOMENT:
            raise Unclear("it ends, but it is not said when it begins")
        later = self._during_its_activation(words)
        happens = [each for each in self.do if each.word in NOT_ALWAYS and not each.get("after")]
        if self.on == ALWAYS and not all(map(self._is_of_its_counteraction, happens)):
            raise Unclear("it happens, but it is not said when")
        return LanguageRule(
            on=self.on,
            who=self.who,
            foe=self.foe,
            conditions=tuple(dict.fromkeys(self.conditions)),
            limit=tuple(dict.fromkeys(self.limits)),
            may=self.may or self._is_saved_up() or self._is_counted_choice(words),
            do=tuple(self.do),
            until=tuple(dict.fromkeys(self.until)),
            then=(*later, *(each.rule() for each in self.then if not each.is_dead)),
        )

    def of_whom_it_chooses(self, limits: tuple[Term, ...]) -> tuple[Term, ...]:
        """The limits that are not about whom the rule chooses, each of whom it chooses only so often."""
        each_once = [limit for limit in limits if limit.word == "each-once"]
        picks = [index for index, effect in enumerate(self.do) if effect.word in ("pick", "choose")]
        if not each_once or not (picks or self.on == USED):
            return limits
        if all(effect.word == "card" for effect in self.do):  # its players choose, and see to it
            return tuple(limit for limit in limits if limit.word != "each-once")
        is_said_of_another = self.on not in (USED, GAMBIT) and self.who.role not in ("enemy", "anyone")
        if len(each_once) > 1 or len(picks) != 1 or self.do[picks[0]].word != "pick" or is_said_of_another:
            raise Unclear("who cannot be chosen twice")
        self.do[picks[0]] = self.do[picks[0]].plus(each_once=each_once[0].main)
        return tuple(limit for limit in limits if limit.word != "each-once")

    def _before_or_after(self, effect: Term) -> Term:
        """An action for free that somebody who performs another *then* performs comes after it; at other moments it is
        after whatever has happened already."""
        is_of_action = bool(self.on) and all(each.word == "doing" for each in self.on)
        return effect if is_of_action or effect.word != "free-action" else _without(effect, "afterwards")

    def put_in_time(self, is_action: bool) -> None:
        """What holds during an action for free that was said before it begins with it, if the one who has it performs
        it at once (*is_action*: as a unique action); else the action would be over."""
        frees = [index for index, each in enumerate(self.do) if each.word == "free-action"]
        if not frees:
            return
        late = [each for each in self.do[frees[0] + 1 :] if self._is_of_action(each.get("until"), each.word)]
        is_late = bool(late) or any(each.until and self._is_of_action(tuple(each.until)) for each in self.then)
        if not is_late:
            return
        if not is_action or self.on != USED or len(frees) > 1 or len(self.do) != frees[0] + 1 + len(late):
            raise Unclear("what holds during an action that is over")
        if any(each.word == "stat" for each in late):
            raise Unclear("a stat that changes while an action is performed does so after it")
        if any(each.until for each in self.then) or any(
            each.get("who") != self.do[frees[0]].get("who") for each in late
        ):
            raise Unclear("for whom it holds during that action")
        self.do[:] = [*self.do[: frees[0]], *late, self.do[frees[0]]]

    def _is_of_action(self, own: Value | None, word: str = "") -> bool:
        lasts = own if isinstance(own, tuple) and own else tuple(self.until)
        is_over = bool(lasts) and all(isinstance(each, Term) and each.word in ("action", "sequence") for each in lasts)
        return is_over and word not in HAPPENING

    def _during_its_activation(self, words: set[str]) -> tuple[LanguageRule, ...]:
        """What somebody who is activated can do for free *during that activation*, which need not be at once."""
        if words != {"activated"} or not self.do:
            return ()
        lasts = [tuple(self.until) if each.get("until") is None else each.get("until") for each in self.do]
        if any(each.word != "free-action" for each in self.do) or set(lasts) != {(term("activation"),)}:
            return ()
        if any(each.get("who") not in (None, Whom("who"), self.who) for each in self.do):
            return ()
        do = tuple(_without(each, "who", "until") for each in self.do)
        self.do = []
        once = (term("once", "activation"),)
        return (
            LanguageRule((term("activation"),), Whom("who"), limit=once, may=True, do=do, until=(term("activation"),)),
        )

    def _is_of_its_counteraction(self, effect: Term) -> bool:
        """Whether it is what somebody does more whenever it counteracts, as was just said that it can."""
        return effect.word == "extra-action" and any(each.word == "counteract" for each in self.do)

    def _is_saved_up(self) -> bool:
        """Whether an action costs less so seldom that its player would choose which."""
        periods = {each.get("per") if each.word == "times" else each.main for each in self.limits}
        is_cheaper = all(each.word == "ap-cost" and int(str(each.main)) < 0 for each in self.do)
        return bool(self.do) and is_cheaper and not periods.isdisjoint(("battle", "turning-point"))

    def _is_counted_choice(self, words: set[str]) -> bool:
        """Whether somebody *can* act so often: what is not taken up is not used up."""
        is_counted = any(each.word in ("once", "twice", "times", "each-once") for each in self.limits)
        acts = [each for each in self.do if each.word != "pick"]
        can = all(
            (each.word == "free-action" and not each.get("must"))
            or (each.word == "next-activation" and each.get("may"))
            for each in acts
        )
        heals = all(each.word == "heal" for each in acts)
        return is_counted and bool(acts) and (can or heals) and words <= COUNTED_MOMENTS

    def _is_as_long_as_its_action(self) -> bool:
        """Whether something holds whenever an attack is made, not said for how long: as long as that takes."""
        attacks = ("Shoot", "Fight")
        is_attack = all(
            each.word == "doing" and isinstance(each.main, tuple) and all(name in attacks for name in each.main)
            for each in self.on
        )
        return is_attack and not self.until and bool(self.do) and all(each.word in LASTING for each in self.do)

    def _check(self, effect: Term, words: set[str]) -> None:
        needs = NEEDS.get(effect.word)
        if self._is_of_its_counteraction(effect):
            needs = None
        if needs is not None and not words & needs and not (effect.word == "reduce-damage" and effect.get("if")):
            raise Unclear(f"{effect.word} at {words}")
        if effect.word == "next-activation" and effect.main == Whom("who"):
            raise Unclear("nobody is activated after himself")
        if effect.word in LASTING and words <= INSTANTS and not self.until and effect.get("until") is None:
            raise Unclear("it is not said how long")
        if effect.word == "reroll" and effect.get("who") is None:
            wanted = {"shot-at", "defended"} if effect.main == "defence" else ATTACKS
            if not words & set(wanted):
                raise Unclear("dice nobody rolls")
        for name in ("do", "else", "otherwise"):
            inner = effect.get(name)
            for each in inner if isinstance(inner, tuple) else ():
                if isinstance(each, Term):
                    self._check(each, words)


class KeptFrames:
    """Rules under construction as they were, so that what a sentence did to them can be taken back."""

    def __init__(self, frames: list[RuleFrame]) -> None:
        self._count = len(frames)
        self._kept = [
            (each, tuple(tuple(getattr(each, name)) for name in _GROWING), each.binding, each.may)
            for frame in frames
            for each in frame.all()
        ]

    def put_back(self, frames: list[RuleFrame]) -> None:
        del frames[self._count :]
        for frame, lists, binding, may in self._kept:
            for name, old in zip(_GROWING, lists, strict=True):
                getattr(frame, name)[:] = old
            frame.binding, frame.may = binding, may


_GROWING = ("do", "conditions", "limits", "until", "then", "sentences")


def _without(effect: Term, *names: str) -> Term:
    return Term(effect.word, tuple(pair for pair in effect.args if pair[0] not in names))


def _with(effect: Term, args: dict[str, Value]) -> Term:
    rest = {name: value for name, value in args.items() if name}
    return term(effect.word, args.get("", effect.main), **{**{key: value for key, value in effect.args if key}, **rest})


COUNTED_MOMENTS = frozenset(
    ["activated", "activation", "activation-ended", "expended", "counteracts", "done", "doing", "has-fought"]
) | {"incapacitated", "incapacitates", "fighting", "shooting"}
"""Moments at which a player is asked whether something is used."""
HAPPENING = frozenset(
    [
        "pick",
        "pick-marker",
        "pick-order",
        "free-action",
        "damage",
        "heal",
        "token",
        "lose-token",
        "marker",
        "remove-marker",
        "roll",
        "points",
        "cp",
        "order",
        "extra-action",
        "next-activation",
        "skip-activation",
        "redirect",
        "never-again",
    ]
)
"""Effects that happen once, as opposed to those that hold."""

NOT_ALWAYS = HAPPENING | {"survive", "cancel", "end"}
LASTING = frozenset(
    [
        "grant",
        "remove-rule",
        "stat",
        "ignore-changes",
        "forbid",
        "allow",
        "ap-cost",
        "forbid-weapons",
        "forbid-retaliation",
        "forbid-reroll",
        "reveal",
        "obscure",
        "ignore-rule",
        "counteract",
        "block",
    ]
)
INSTANTS = frozenset(
    [
        "used",
        "gambit",
        "activated",
        "expended",
        "incapacitated",
        "incapacitates",
        "ready-step",
        "activation-ended",
        "done",
        "has-fought",
        "selected",
        "firefight-begins",
        "firefight-ends",
        "turning-point-ended",
    ]
)
"""Effects that hold, and moments that pass: together they need to say how long."""


FROM_A_MOMENT = frozenset(
    [
        "next-activation-end",
        "next-activation-start",
        "own-next-activation",
        "own-next-activation-end",
        "performed-again",
        "performed-by-friend",
    ]
)
"""Ways of lasting that say that something has begun."""


def _worsens_with(before: Term, after: Term) -> bool:
    """Whether two effects worsen Move and Hit together, as being injured does: what is said of the one is of both."""
    both = {before.main, after.main} if before.word == after.word == "stat" else set()
    return both == {"move", "hit"} and all(before.get(each) == after.get(each) for each in ("who", "if", "until"))


def owner(is_of_operative: bool) -> Whom:
    """Whom a rule is about that names nobody: the operative with the ability, or the whole side."""
    return SELF if is_of_operative else FRIEND


def with_until(effect: Term, until: tuple[Term, ...]) -> Term:
    return effect if effect.get("until") is not None or not until else effect.plus(until=until)


def fresh(frame: RuleFrame) -> RuleFrame:
    return replace(frame, do=[], then=[], conditions=[], limits=[], until=[])


ALWAYS, USED, GAMBIT = (term("always"),), (term("used"),), (term("gambit"),)
