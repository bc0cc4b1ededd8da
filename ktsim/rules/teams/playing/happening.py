"""What team rules do when they are used or something happens: one handler a word of the language."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ktsim.rules.engine.decisions import Steps, roll
from ktsim.rules.engine.events import EffectBegan, EffectsDropped, Told
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import Effect, OperativeState, Until
from ktsim.rules.teams.language.values import LanguageRule, Term, conditions_in
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.clauses import LATE, Clause, about
from ktsim.rules.teams.playing.conditions import holds
from ktsim.rules.teams.playing.force import is_immune
from ktsim.rules.teams.playing.sequences import TEAM

UNTILS: dict[str, Until] = {
    "sequence": "action",
    "action": "action",
    "activation": "activation",
    "turning-point": "turning-point",
    "battle": "battle",
    "own-next-activation": "own-next-activation",
    "own-next-activation-end": "own-next-activation-end",
    "next-activation-start": "next-activation-start",
    "next-activation-end": "next-activation",
    "next-ready-step": "next-ready-step",
    "incapacitated": "incapacitated",
    "performed-again": "performed-again",
    "performed-by-friend": "performed-again",
}
"""How the state keeps each way of lasting."""


@dataclass
class Use:
    """One use of a rule: the scene as its effects change it, and the moment it happens at, if there is one."""

    scene: BoundRule
    moment: Moment | None = None
    begun: list[bool] = field(default_factory=list)
    """Of each free action that was begun, whether it was completed."""

    @property
    def is_cancelled(self) -> bool:
        """Whether free actions were begun and none could be completed."""
        return bool(self.begun) and not any(self.begun)

    @property
    def clause(self) -> Clause:
        return self.scene.clause

    @property
    def by(self) -> OperativeState | None:
        """Who does it: the operative that has the rule, or whom it is about."""
        return self.scene.me or self.scene.who


Run: TypeAlias = Callable[[Use, str, Term], Steps[None]]


@dataclass(frozen=True)
class HappeningWord:
    """How an effect is carried out, and the arguments it understands."""

    run: Run
    args: frozenset[str]


@dataclass(frozen=True)
class MidwayWord(HappeningWord):
    """How an effect is carried out in a sequence under way, and at which moments of it."""

    moments: frozenset[str]
    late: frozenset[str] = frozenset()
    """Conditions about the dice still to be resolved that are part of what it does."""


HAPPENING: dict[str, HappeningWord] = {}
MIDWAY: dict[str, MidwayWord] = {}
COMMON = frozenset({"", "who", "if", "instead", "until"})


def effect_word(word: str, *args: str) -> Callable[[Run], Run]:
    def register(run: Run) -> Run:
        HAPPENING[word] = HappeningWord(run, COMMON | frozenset(args))
        return run

    return register


# -- a whole rule ------------------------------------------------------------------------------------


def carry_out(use: Use) -> Steps[None]:
    """Every effect of the rule in turn, then what holds from now on."""
    clause = use.clause
    if again := {"performed-again", "performed-by-friend"} & _untils_within(clause.rule):
        by = None if "performed-by-friend" in again else "" if use.by is None else use.by.id
        yield EffectsDropped(use.scene.side, clause.key, by)
        for term in clause.rule.do:
            if term.word in ("token", "marker"):
                yield EffectsDropped(use.scene.side, f"{term.word}:{use.scene.side}:{term.main}", by)
    yield from effects(use, clause.key, clause.rule.do)
    yield from follow(use)


def follow(use: Use) -> Steps[None]:
    """What holds from now on, once the rule has happened."""
    clause = use.clause
    for number, rule in enumerate(clause.rule.then):
        key, lasts = f"{clause.key}.{number}", untils(lasting_of(clause.rule, rule))
        made = effect_of(use, key, lasts)
        if made not in use.scene.state.effects:  # what holds already does not hold twice
            yield EffectBegan(made)


def effects(use: Use, key: str, terms: Sequence[Term]) -> Steps[None]:
    """Effects one after the other; one that says *instead* takes the place of the one before it."""
    for number, term in enumerate(terms):
        after = terms[number + 1] if number + 1 < len(terms) else None
        if after is not None and after.get("instead") and _is_due(use, after):
            continue
        if _is_due(use, term):
            yield from effect(use, f"{key}/{number}", term)


def _is_due(use: Use, term: Term) -> bool:
    """Whether an effect's own conditions hold; those about dice are asked by what begins to hold, for each die."""
    own, word = term.get("if"), handler_of(term.word, use.clause.moments)
    late = LATE if word is None else word.late if isinstance(word, MidwayWord) else frozenset()
    asked = [each for each in (own if isinstance(own, tuple) else ()) if isinstance(each, Term)]
    try:
        return all(holds(use.scene, each) for each in asked if each.word not in late)
    except Unknown:
        return False


def effect(use: Use, key: str, term: Term) -> Steps[None]:
    """One effect: carried out, or begun for as long as it lasts."""
    word = handler_of(term.word, use.clause.moments)
    if word is not None:
        yield from word.run(use, key, term)
        return
    own = term.get("until")
    lasts = untils(own if isinstance(own, tuple) else use.clause.rule.until)
    is_in_action = use.clause.text.kind == "action" and use.clause.moments == {"used"}
    for one in those(use, term):
        yield from begin(use, key, lasts, one, is_pending=term.word == "stat" and is_in_action)


def handler_of(word: str, moments: frozenset[str]) -> HappeningWord | None:
    """What carries an effect out at these moments; nothing for one that begins to hold."""
    if (midway := MIDWAY.get(word)) is not None and moments <= midway.moments:
        return midway
    return HAPPENING.get(word)


def only_begins(clause: Clause) -> bool:
    """Whether nothing comes of the rule but that something holds from then on."""
    return all(handler_of(term.word, clause.moments) is None for term in clause.rule.do)


def those(use: Use, term: Term) -> list[OperativeState]:
    """Whom an effect is about: as it says, or whom the rule is about."""
    whom = about(term)
    if whom is not None:
        text, found = use.clause.text, use.scene.members(whom)
        return [each for each in found if not is_immune(use.scene.battle, text, each)]
    one = use.scene.who or use.scene.me
    return [] if one is None else [one]


def untils(terms: object) -> tuple[Until, ...]:
    """How the state keeps what ends something; conditions that must hold meanwhile are asked by the rules."""
    words = [each.word for each in (terms if isinstance(terms, tuple) else ()) if isinstance(each, Term)]
    return tuple(UNTILS[word] for word in words if word != "while") or (("battle",) if "while" in words else ())


def _untils_within(rule: LanguageRule) -> set[str]:
    found = {each.word for each in rule.until}
    for term in rule.do:
        own = term.get("until")
        found |= {each.word for each in (own if isinstance(own, tuple) else ()) if isinstance(each, Term)}
    return found | {each.word for inner in rule.then for each in inner.until}


def lasting_of(rule: LanguageRule, inner: LanguageRule) -> tuple[Term, ...]:
    """How long *inner*, which follows from *rule*, lasts: as either says, or as the marker or token it speaks of."""
    if inner.until or rule.until:
        return inner.until or rule.until
    if any(term.word == "expended" for term in inner.on):
        return (Term("turning-point"),)
    for other in rule.then:  # what is about a state lasts as long as that does
        made = {each.main for each in other.do if each.word in ("counts-as", "status")}
        if other.until and any(each.word in ("token", "status") and each.main in made for each in conditions_in(inner)):
            return other.until
    for term in rule.do:
        own = term.get("until")
        if term.word in ("marker", "token"):
            return tuple(e for e in own if isinstance(e, Term)) if isinstance(own, tuple) else (Term("battle"),)
    return ()


def begin(
    use: Use, clause: str, lasts: tuple[Until, ...], one: OperativeState | None = None, is_pending: bool = False
) -> Steps[None]:
    """A rule holds from now on, bound to those of this use."""
    yield EffectBegan(effect_of(use, clause, lasts, one, is_pending))


def effect_of(
    use: Use, clause: str, lasts: tuple[Until, ...], one: OperativeState | None = None, is_pending: bool = False
) -> Effect:
    """What the state keeps of a rule that holds for those of this use."""
    scene = use.scene
    target = one or scene.who
    told = [f"order={scene.order}"] * bool(scene.order) + [f"marker={scene.marker}"] * bool(scene.marker)
    return Effect(
        use.clause.title,
        TEAM,
        lasts[0],
        None if target is None else target.id,
        scene.side,
        weapons=scene.weapon.key if scene.weapon is not None and use.moment is not None else "",
        is_pending=is_pending,
        clause=clause,
        by="" if use.by is None else use.by.id,
        foe="" if scene.foe is None else scene.foe.id,
        picked=(*(each.id for each in scene.picked), *told),
        ends=lasts[1:],
    )


def amount(use: Use, value: object) -> Steps[int]:
    """A number, or the dice that make one: ``2D3+1``."""
    if isinstance(value, int):
        return value
    text = str(value)
    if text == "turning-point":
        return use.scene.state.turning_point
    match = re.fullmatch(r"(\d?)D([36])(?:\+(\d+))?", text)
    if match is None:
        return int(text)
    count = int(match[1] or 1)
    faces = yield from roll(count, "team die", f"{use.clause.title}: {text}", use.scene.side)
    total = sum(faces if match[2] == "6" else [(face + 1) // 2 for face in faces]) + int(match[3] or 0)
    yield Told(f"{use.clause.title}: {text} is {total}.", TEAM)
    return total
