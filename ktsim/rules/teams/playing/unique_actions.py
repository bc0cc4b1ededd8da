"""Actions of team texts, and rules that are used before or after an action."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from ktsim.rules.engine.action import Action, refuses_close
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.teams.language.values import TeamText, Term
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.conditions import holds
from ktsim.rules.teams.playing.happening import Use, carry_out
from ktsim.rules.teams.playing.limits import limits_of
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.usefulness import is_useful


class TextRules(Protocol):
    """What an action asks of the rules of its team's texts."""

    def refuses(self, scene: BoundRule) -> str | None: ...

    def refuses_then(self, scene: BoundRule) -> str | None: ...

    def cost(self, scene: BoundRule) -> int: ...

    def used_events(self, scene: BoundRule) -> Sequence[Event]: ...

    def use(self, scene: BoundRule) -> Steps[None]: ...


class TextAction(Action):
    """A unique action of a datacard, as its text says."""

    id = TEAM
    is_unique = True

    def __init__(self, rules: TextRules, text: TeamText, scenes: list[BoundRule]) -> None:
        self.rules, self.source, self.scenes = rules, text, scenes
        self.name = text.name  # type: ignore[misc]  # what a class says of most actions a text says of this one
        self.ap = text.cost  # type: ignore[misc]
        most = [
            often for scene in scenes for often, period, _ in limits_of(scene.clause.rule) if period == "activation"
        ]
        self.can_repeat = any(often > 1 for often in most)  # type: ignore[misc]

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        for scene in self.scenes:
            for term in scene.clause.rule.conditions:
                if (why := self._unmet(battle, scene, term)) is not None:
                    return why
            if (why := self.rules.refuses(scene)) is not None:
                return why
        if not all(is_useful(scene) for scene in self.scenes):
            return f"{self.name}: nobody to choose."
        return None

    def _unmet(self, battle: Battle, scene: BoundRule, term: Term) -> str | None:
        try:
            if holds(scene, term):
                return None
        except Unknown:
            pass
        inner = term.main if isinstance(term.main, tuple) else ()
        is_near = term.word == "not" and Term("control-range") in inner
        near = battle.engaged_with(scene.who) if is_near and scene.who is not None else []
        if near:
            if scene.who is not None and battle.waived(scene.who, self, "control range"):
                return None
            return refuses_close(battle, self.name, near)
        if term.word == "not" and Term("order", (("", "conceal"),)) in inner:
            return f"{self.name}: not on a Conceal order."
        if term.word == "order":
            return f"{self.name}: only on {'an Engage' if term.main == 'engage' else 'a Conceal'} order."
        return f"{self.name}: its conditions do not hold."

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        for scene in self.scenes:
            yield from self.rules.used_events(scene)
            yield from carry_out(Use(scene))


class BetweenActions(Action):
    """A rule that is used during an activation before or after an action; it is none itself."""

    id = TEAM
    ap = 0
    is_act = False
    can_counteract = False
    can_repeat = True

    def __init__(self, rules: TextRules, scene: BoundRule) -> None:
        self.rules, self.scene, self.source = rules, scene, scene.clause.text
        cost = f" ({rules.cost(scene)}CP)" if scene.clause.is_paid else ""
        self.name = f"{self.source.name}{cost}"  # type: ignore[misc]
        is_for_both = any(term.get("or-counteraction") for term in scene.clause.rule.on)
        self.can_counteract = is_for_both  # type: ignore[misc]

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if (why := self.rules.refuses_then(self.scene)) is not None:
            return why
        return None if is_useful(self.scene) else f"{self.name}: it would do nothing."

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield from self.rules.use(self.scene)
