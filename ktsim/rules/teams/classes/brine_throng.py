"""Brine Throng: many, weak alone, hard to shake off."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.activation import activation, free_action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask
from ktsim.rules.engine.operative_events import Healed, OrderChanged, Wounded
from ktsim.rules.engine.precedence import Claim, Precedence
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.kt24.moves import Dash, FallBack
from ktsim.rules.teams.classes.parts import (
    BringsAction,
    DashesNear,
    FirefightPloy,
    StrategyPloy,
    UniqueAction,
    able_to_dash,
    choose,
    free_dash,
    friends_near,
)
from ktsim.rules.teams.classes.register import TEAM, TeamRule, team_rule
from ktsim.sight.scene import EPS

FRET_DISTANCE = 8.0
DRUNK = 3


@team_rule("press-of-bodies")
class PressOfBodies(TeamRule):
    """Friends assist even while another enemy is in their own control range."""

    def assists(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        return self.is_mine(friend)


class CallTheTide(DashesNear):
    """Up to two of them."""

    name = "Call the Tide"

    def send(self, battle: Battle, side: Side, found: Sequence[OperativeState]) -> Steps[None]:
        able = {each.id: each for each in found}
        chosen = yield from ask(
            PickSome(
                seat=side,
                topic="dashing",
                prompt="Call the Tide: which of them dash, in which order?",
                options=tuple(Option(id, each.name) for id, each in able.items()),
                least=1,
                most=min(2, len(able)),
                default=tuple(able)[:2],
            )
        )
        for id in chosen:
            yield from free_action(battle, able[id], Dash())


@team_rule("call-the-tide")
class CallTheTideAbility(BringsAction):
    action = CallTheTide


class Burrow(UniqueAction):
    """Back to a Conceal order."""

    name = "Burrow"
    nobody = "it is on a Conceal order already"

    def is_useful(self, battle: Battle, who: OperativeState) -> bool:
        return who.order == "engage"

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        yield OrderChanged(who.id, "conceal", self.name)


@team_rule("burrow")
class BurrowAbility(BringsAction):
    action = Burrow


@team_rule("tangled")
class Tangled(TeamRule):
    """Enemies in its control range cannot Fall Back."""

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        if not isinstance(action, FallBack) or who.side == self.side:
            return None
        for enemy in battle.engaged_with(who):
            if self.is_mine(enemy) and not enemy.is_incapacitated:
                return Claim(False, f"Fall Back: tangled by {enemy.name}.", Precedence(is_outside_core=True))
        return None


@team_rule("drinks-deep")
class DrinksDeep(TeamRule):
    """Incapacitating an enemy in a fight gives it back up to 3 wounds."""

    def fought(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> Steps[None]:
        for mine, fallen in ((who, enemy), (enemy, who)):
            lost = battle.card(mine).wounds - mine.wounds
            if self.is_mine(mine) and fallen.is_incapacitated and not mine.is_incapacitated and lost:
                yield Healed(mine.id, min(DRUNK, lost), self.title)


@team_rule("sea-fret")
class SeaFret(StrategyPloy):
    """Enemies see the throng obscured from more than 8" away."""

    def ruling(self, battle: Battle, who: OperativeState, target: OperativeState, ruling: TargetRuling) -> TargetRuling:
        """It obscures whatever terrain does: nobody has to choose between cover and obscured (KT24-SAMEFEATURE)."""
        is_far = ruling.distance > FRET_DISTANCE + EPS
        if not is_far or not self.is_mine(target) or who.side == self.side or not self.is_in_force(battle):
            return ruling
        reasons = (*ruling.reasons, (TEAM, f"{self.title}: obscured."))
        return replace(ruling, is_obscured=True, defender_chooses=False, reasons=reasons)


@team_rule("over-the-fallen")
class OverTheFallen(FirefightPloy):
    """One falls: another one within 3" performs a free Dash."""

    moments = ("incapacitated",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        return self.is_mine(moment.who) and bool(able_to_dash(battle, friends_near(battle, moment.who, 3.0)))

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        found = friends_near(battle, moment.who, 3.0)
        yield from free_dash(battle, self.side, "Over the Fallen: who dashes?", found)


@team_rule("drag-under")
class DragUnder(FirefightPloy):
    """After a fight, each other friend in the enemy's control range inflicts 1 damage on it."""

    moments = ("has fought",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        return self.is_mine(moment.who) and bool(self._others(battle, moment))

    def _others(self, battle: Battle, moment: Moment) -> list[OperativeState]:
        assert moment.other is not None
        state, enemy = battle.state, moment.other
        if enemy.is_incapacitated:
            return []
        friends = [each for each in state.friends(moment.who.id) if not each.is_incapacitated]
        return [each for each in friends if battle.table.in_control_range(state, each.id, enemy.id)]

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        assert moment.other is not None
        for friend in self._others(battle, moment):
            yield Wounded(moment.other.id, 1, self.title, friend.id)


@team_rule("slip-away")
class SlipAway(FirefightPloy):
    """Fall Back costs 1AP less in this activation."""

    moments = ("activated",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        return self.is_mine(moment.who) and bool(battle.engaged_with(moment.who))

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        yield self.begin("activation", moment.who, "ap:Fall Back", -1)


@team_rule("wave-after-wave")
class WaveAfterWave(FirefightPloy):
    """After an activation, a ready friend within 3" is activated at once."""

    moments = ("activation ended",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        who = moment.who
        return self.is_mine(who) and who.is_in_killzone and bool(self._ready(battle, who))

    def _ready(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        return [each for each in friends_near(battle, who, 3.0) if each.is_ready]

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        chosen = yield from choose(self.side, "Wave after Wave: who is activated?", self._ready(battle, moment.who))
        yield from activation(battle, chosen)
