"""How often a rule may be used, what it costs, and what is remembered of its use."""

from __future__ import annotations

from collections.abc import Iterator

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy
from ktsim.rules.engine.events import CpChanged, EffectBegan, EffectsDropped, Event, PloyUsed
from ktsim.rules.engine.state import Effect, OperativeState, Side, Until
from ktsim.rules.teams.fields import id_of
from ktsim.rules.teams.language.values import LanguageRule, TeamText, Term, Whom, terms_of
from ktsim.rules.teams.playing.bound_rule import BoundRule
from ktsim.rules.teams.playing.clauses import is_use_of, used_up
from ktsim.rules.teams.playing.force import InForce
from ktsim.rules.teams.playing.sequences import TEAM

PERIODS: dict[str, Until] = {
    "sequence": "action",
    "action": "action",
    "activation": "activation",
    "turning-point": "turning-point",
    "battle": "battle",
}


def ploy_of(text: TeamText) -> Ploy:
    """A ploy of the language as the engine counts and pays for it."""
    return Ploy(
        text.id,
        text.name,
        "strategy" if text.kind == "strategy" else "firefight",
        text.cost,
        text.text or text.name,
        rule=TEAM,
    )


def limits_of(rule: LanguageRule) -> Iterator[tuple[int, Until, bool]]:
    """How often in which period; and whether it counts for each operative by itself."""
    for term in rule.limit:
        if term.word in ("once", "twice", "each-once"):
            is_each = term.word == "each-once" or bool(term.get("each"))
            yield (2 if term.word == "twice" else 1), PERIODS[str(term.main)], is_each
        elif term.word == "times":
            yield int(str(term.main)), PERIODS[str(term.get("per") or "battle")], False
    if any(term.word == "gambit" for term in rule.on):
        yield 1, "turning-point", False
    for term in first_times(rule):
        if term.main in ("turning-point", "battle", "activation"):
            # Dice inflict damage on each operative for a first time; anything else happens to the team once.
            is_each = bool(term.get("each")) or any(each.word == "damage" for each in rule.on)
            yield 1, PERIODS[str(term.main)], is_each


def speaks_of_itself(rule: LanguageRule) -> bool:
    """Whether a rule is about the operative whose datacard it is on; else it is its team's, whoever has it."""
    if any(whom is not None and whom.role == "self" for whom in (rule.who, rule.foe)):
        return True
    return any(_is_self(value) for each in terms_of(rule) for _, value in each.args)


def _is_self(value: object) -> bool:
    return isinstance(value, Whom) and value.role == "self"


def first_times(rule: LanguageRule) -> list[Term]:
    """The conditions that something happens for the first time, in the rule or in one of its effects."""
    own = [each for term in rule.do for each in (term.get("if") or ()) if isinstance(each, Term)]  # type: ignore[union-attr]
    return [each for each in (*rule.conditions, *own) if each.word == "first-time"]


class LimitedRules(InForce):
    """Rules that may be used so often, and ploys that are paid for."""

    # -- whether -------------------------------------------------------------------------------------

    def is_left(self, scene: BoundRule) -> bool:
        """Whether the limits of the rule allow one more use, by whoever has it."""
        return self.why_spent(scene) is None

    def why_spent(self, scene: BoundRule) -> str | None:
        clause, state = scene.clause, scene.state
        # An action is limited for the whole team, unless its limit says that it is each operative's.
        is_shared = clause.text.kind == "action" or not speaks_of_itself(clause.rule)
        for most, period, is_each in limits_of(clause.rule):
            used = [
                effect
                for effect in state.effects
                if effect.side == self.side
                and effect.clause == f"{clause.key}!"
                and effect.until == period
                and (is_shared or scene.me is None or effect.by == scene.me.id)
                and (not is_each or scene.who is None or effect.target == scene.who.id)
            ]
            if len(used) >= most:
                return f"{clause.title}: used already."
        if clause.can_be_used_up and any(
            effect.clause == used_up(clause)
            and effect.side == self.side
            and (is_shared or scene.me is None or effect.by == scene.me.id)
            for effect in state.effects
        ):
            return f"{clause.title}: not for the rest of the battle."
        for term in clause.rule.limit:
            if term.word == "not-in" and state.turning_point == term.main:
                return f"{clause.title}: not in turning point {term.main}."
            if term.word == "not-with" and self.is_used(scene.battle, str(term.main)):
                return f"{clause.title}: not beside {term.main}."
        return None

    def is_used(self, battle: Battle, name: str) -> bool:
        """Whether a rule of that name was used in this turning point."""
        ids = self.ids_of(name)
        return any(f"{self.side}:{id}" in battle.state.ploys_used for id in ids) or any(
            effect.side == self.side and is_use_of(effect, ids) and effect.until == "turning-point"
            for effect in battle.state.effects
        )

    def cost(self, scene: BoundRule) -> int:
        """What the ploy costs now, used for whom the scene is about."""
        cost = (ploy := ploy_of(scene.clause.text)).cost
        for rule in scene.battle.having("ploy_cost"):
            cost = rule.ploy_cost(scene.battle, self.side, ploy, cost)
        return self.cheaper(scene.battle, self.side, ploy.id, cost, scene.who)

    def cheaper(self, battle: Battle, side: Side, ploy_id: str, cost: int, who: OperativeState | None) -> int:
        return min([cost, *(cp for _, cp in self.cheapening(battle, side, ploy_id, who))])

    def cheapening(
        self, battle: Battle, side: Side, ploy_id: str, who: OperativeState | None
    ) -> Iterator[tuple[BoundRule, int]]:
        """The rules by which a ploy costs less, used for *who*, and what it costs by each."""
        yield from ()

    def refuses(self, scene: BoundRule) -> str | None:
        """Why the rule cannot be used now: its limits, and for a ploy once in a turning point and its CP."""
        if (why := self.why_spent(scene)) is not None:
            return why
        text, state = scene.clause.text, scene.state
        if text.kind not in ("strategy", "firefight"):
            return None
        if f"{self.side}:{text.id}" in state.ploys_used:
            return f"{text.name}: already used in this turning point."
        cost = self.cost(scene)
        if state.cp[self.side] < cost:
            return f"{text.name}: costs {cost}CP, {state.cp[self.side]}CP left."
        return None

    # -- what is remembered --------------------------------------------------------------------------

    def used_events(self, scene: BoundRule) -> list[Event]:
        """What is remembered of a use, for as long as a limit asks."""
        clause = scene.clause
        by = "" if scene.me is None else scene.me.id
        target = None if scene.who is None else scene.who.id
        found: list[Event] = []
        periods = [period for _, period, _ in limits_of(clause.rule)]
        if id_of(clause.text.name) in self.asked_about:
            periods.append("turning-point")
        for period in dict.fromkeys(periods):
            foe = scene.foe.id if period == "action" and scene.foe is not None else ""  # it may be theirs
            mark = Effect(clause.title, TEAM, period, target, self.side, clause=f"{clause.key}!", by=by, foe=foe)
            found.append(EffectBegan(mark))
        if any(term.main == "effect" for term in first_times(clause.rule)):
            upon = tuple(each.id for each in scene.picked) or (() if target is None else (target,))
            found.append(EffectsDropped(self.side, clause.key, by, only_again=False, of=upon))
        return found

    def paid_events(self, scene: BoundRule) -> list[Event]:
        """What using the rule costs, and what is remembered."""
        text = scene.clause.text
        events: list[Event] = []
        if text.kind in ("strategy", "firefight") and scene.clause.holds_by == "text":
            if cost := self.cost(scene):
                events.append(CpChanged(self.side, -cost))
            events.append(PloyUsed(self.side, text.id, text.name, cost))
            saving = [by for by, cp in self.cheapening(scene.battle, self.side, text.id, scene.who) if cp == cost]
            if cost < text.cost and saving and all(by.clause.rule.limit for by in saving):
                events += self.used_events(saving[0])
        return [*events, *self.used_events(scene)]
