"""What team rules are made of: ploys, unique actions, and finding the operatives they are about."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from ktsim.rules.engine.action import Action, Impossible, refuses_free
from ktsim.rules.engine.activation import free_action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import EffectBegan
from ktsim.rules.engine.ploys import is_used, ploy_cost, refuses_ploy, use_ploy
from ktsim.rules.engine.rule import Moment, Offer
from ktsim.rules.engine.state import Effect, OperativeState, Side, Until
from ktsim.rules.kt24.moves import Dash
from ktsim.rules.teams.classes.register import TEAM, TeamRule
from ktsim.sight.scene import EPS

# -- ploys -------------------------------------------------------------------------------------------


class StrategyPloy(TeamRule):
    """In force from when it is used until the end of the turning point."""

    kind = "strategy"

    def is_in_force(self, battle: Battle) -> bool:
        return is_used(battle, self.side, self.ploy)


class FirefightPloy(TeamRule):
    """Offered at its *moments* while it can be paid for, has not been used and would do something."""

    kind = "firefight"

    def offers(self, battle: Battle, moment: Moment) -> Sequence[Offer]:
        ploy = self.ploy
        if refuses_ploy(battle, self.side, ploy) or not self.is_usable(battle, moment):
            return ()
        text = f"{ploy.name} ({ploy_cost(battle, self.side, ploy)}CP): {ploy.text}"
        return (Offer(ploy.id, text, self.side, partial(self._use, battle, moment)),)

    def _use(self, battle: Battle, moment: Moment) -> Steps[None]:
        yield from use_ploy(battle, self.side, self.ploy)
        yield from self.perform(battle, moment)

    @abstractmethod
    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        """Whether it would do something now."""

    @abstractmethod
    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        """What it does, paid for already."""

    def begin(self, until: Until, target: OperativeState, stat: str, amount: int = 0) -> EffectBegan:
        return EffectBegan(Effect(self.title, TEAM, until, target.id, stat=stat, amount=amount))


# -- unique actions ----------------------------------------------------------------------------------


class UniqueAction(Action):
    """An action of one datacard. Not within an enemy's control range."""

    id = TEAM

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        near = battle.engaged_with(who)
        if near:
            return f"{self.name}: not within {near[0].name}'s control range."
        return None if self.is_useful(battle, who) else f"{self.name}: {self.nobody}."

    nobody: ClassVar[str] = "it would do nothing"

    @abstractmethod
    def is_useful(self, battle: Battle, who: OperativeState) -> bool:
        """Whether there is somebody to do it to."""


class OnOne(UniqueAction):
    """A unique action on one operative within *reach*, friend or enemy, that is visible."""

    reach: ClassVar[float]
    is_support: ClassVar[bool] = False
    """Whether *reach* is a SUPPORT distance, and so about friends."""
    mark: ClassVar[str] = ""
    """A stat or mark that is put on the chosen one; nobody is chosen that has it already."""
    amount: ClassVar[int] = 0
    until: ClassVar[Until] = "turning-point"
    nobody = "nobody to choose"

    def candidates(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        state = battle.state
        found = state.friends(who.id) if self.is_support else state.enemies(who.id)
        reach = battle.support_distance(who, self.reach) if self.is_support else self.reach
        return [
            each
            for each in found
            if not each.is_incapacitated
            and self.suits(battle, each)
            and battle.table.distance(state, who.id, each.id) <= reach + EPS
            and battle.table.is_visible(state, who.id, each.id)
        ]

    def suits(self, battle: Battle, chosen: OperativeState) -> bool:
        return not any(e.stat == self.mark and e.target == chosen.id for e in battle.state.effects)

    def is_useful(self, battle: Battle, who: OperativeState) -> bool:
        return bool(self.candidates(battle, who))

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        found = self.candidates(battle, who)
        if not found:
            raise Impossible(self.nobody)
        chosen = yield from choose(who.side, f"{self.name}: whom?", found)
        yield from self.affect(battle, chosen)

    def affect(self, battle: Battle, chosen: OperativeState) -> Steps[None]:
        is_pending = self.amount != 0
        yield EffectBegan(
            Effect(self.name, TEAM, self.until, chosen.id, stat=self.mark, amount=self.amount, is_pending=is_pending)
        )


class DashesNear(UniqueAction):
    """A unique action by which other friends within 6" (SUPPORT) dash for free."""

    nobody = "nobody near can dash"

    def is_useful(self, battle: Battle, who: OperativeState) -> bool:
        return bool(self.able(battle, who))

    def able(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        return able_to_dash(battle, friends_near(battle, who, battle.support_distance(who, 6.0)))

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        if not (found := self.able(battle, who)):
            raise Impossible(self.nobody)
        yield from self.send(battle, who.side, found)

    @abstractmethod
    def send(self, battle: Battle, side: Side, found: Sequence[OperativeState]) -> Steps[None]:
        """Some of those that can."""


class BringsAction(TeamRule):
    """An ability that is a unique action."""

    action: ClassVar[type[Action]]

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (self.action(),) if self.is_mine(who) else ()


# -- finding operatives ------------------------------------------------------------------------------


def choose(side: Side, prompt: str, found: Sequence[OperativeState]) -> Steps[OperativeState]:
    """Ask *side* for one of them."""
    options = [Option(who.id, f"{who.name} ({who.wounds} wounds)") for who in found]
    return (yield from pick(side, "operative", prompt, options, {who.id: who for who in found}))


def friends_near(battle: Battle, who: OperativeState, reach: float) -> list[OperativeState]:
    """The other operatives of its side within *reach* that are not incapacitated."""
    state = battle.state
    return [
        each
        for each in state.friends(who.id)
        if not each.is_incapacitated and battle.table.distance(state, who.id, each.id) <= reach + EPS
    ]


def able_to_dash(battle: Battle, found: Sequence[OperativeState]) -> list[OperativeState]:
    return [who for who in found if refuses_free(battle, who, Dash()) is None]


def free_dash(battle: Battle, side: Side, prompt: str, found: Sequence[OperativeState]) -> Steps[None]:
    """One of *found*, of its player's choice, performs a free Dash action."""
    chosen = yield from choose(side, prompt, able_to_dash(battle, found))
    yield from free_action(battle, chosen, Dash())
