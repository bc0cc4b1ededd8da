"""Lantern Wardens: balanced, good at holding ground and at shooting together."""

from __future__ import annotations

from ktsim.rules.engine.attack import Attack, Die, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.conditions import contests_an_objective, has_moved
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.dice import COMMAND
from ktsim.rules.engine.operative_events import OrderChanged
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.engine.weapon_rules import OneReroll
from ktsim.rules.teams.classes.parts import (
    BringsAction,
    FirefightPloy,
    OnOne,
    StrategyPloy,
    able_to_dash,
    free_dash,
    friends_near,
)
from ktsim.rules.teams.classes.register import TEAM, TeamRule, team_rule
from ktsim.sight.scene import EPS

LIT = "lit up"
ONE_OF_EACH = tuple(Die(face) for face in range(1, 7))


@team_rule("watch-fires")
class WatchFires(TeamRule):
    """Contesting an objective marker: one defence die may be re-rolled."""

    def guards(self, battle: Battle, attack: Attack) -> tuple[WeaponRule, ...]:
        target = attack.target
        is_about = self.is_mine(target) and contests_an_objective(battle, target)
        return (OneReroll(text=self.title),) if is_about else ()


class Signal(OnOne):
    name = "Signal"
    reach, is_support = 6.0, True
    mark, amount, until = "apl", 1, "next-activation"

    def suits(self, battle: Battle, chosen: OperativeState) -> bool:
        return battle.apl(chosen).value <= battle.card(chosen).apl


@team_rule("signal")
class SignalAbility(BringsAction):
    action = Signal


class LightUp(OnOne):
    name = "Light Up"
    reach = 8.0
    mark = LIT


@team_rule("light-up")
class LightUpAbility(BringsAction):
    """The mark outlives the Flare Bearer; it helps everybody on its side."""

    action = LightUp

    def weapon_rules_against(
        self, battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState
    ) -> tuple[str, ...]:
        is_lit = who.side == self.side and weapon.kind == "ranged" and battle.has_mark(target, LIT)
        return ("Saturate",) if is_lit else ()


@team_rule("behind-the-shield")
class BehindTheShield(TeamRule):
    """A friend in cover and in the control range of the one with the shield retains one more cover save."""

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if stat != "cover saves" or who.side != self.side:
            return number
        state = battle.state
        for friend in state.friends(who.id):
            has_shield = self.is_mine(friend) and not friend.is_incapacitated
            if has_shield and battle.table.in_control_range(state, friend.id, who.id):
                return number.plus(1, TEAM, self.title)
        return number


@team_rule("patient")
class Patient(TeamRule):
    """Ranged weapons are Balanced while it has not moved."""

    def weapon_rules(self, battle: Battle, who: OperativeState, weapon: Profile) -> tuple[str, ...]:
        is_still = self.is_mine(who) and weapon.kind == "ranged" and not has_moved(battle, who)
        return ("Balanced",) if is_still else ()


@team_rule("stand-together")
class StandTogether(StrategyPloy):
    """Whoever has a friend within 3" may re-roll one defence die."""

    def guards(self, battle: Battle, attack: Attack) -> tuple[WeaponRule, ...]:
        target = attack.target
        is_about = self.is_mine(target) and self.is_in_force(battle)
        return (OneReroll(text=self.title),) if is_about and friends_near(battle, target, 3.0) else ()


@team_rule("blinding-flash")
class BlindingFlash(FirefightPloy):
    """The shooter cannot re-roll attack dice in this sequence, not with CP either."""

    moments = ("shot begins",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        assert moment.other is not None
        is_close = battle.table.distance(battle.state, moment.who.id, moment.other.id) <= 6.0 + EPS
        return self.is_mine(moment.other) and moment.who.side != self.side and is_close

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        assert moment.shot is not None
        hand = moment.shot.hand
        offered = {offer.rule for rule in hand.rules for offer in rule.rerolls(ONE_OF_EACH)}
        moment.shot = moment.shot._replace(hand=hand._replace(used=(*hand.used, *sorted(offered), COMMAND)))
        yield from ()


@team_rule("keep-the-flame")
class KeepTheFlame(FirefightPloy):
    """Somebody contesting an objective marker falls: a friend within 6" performs a free Dash."""

    moments = ("incapacitated",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        who = moment.who
        if not (self.is_mine(who) and contests_an_objective(battle, who)):
            return False
        return bool(able_to_dash(battle, friends_near(battle, who, 6.0)))

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        found = friends_near(battle, moment.who, 6.0)
        yield from free_dash(battle, self.side, "Keep the Flame: who dashes?", found)


@team_rule("shutter")
class Shutter(FirefightPloy):
    """After shooting, back to a Conceal order."""

    moments = ("has shot",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        who = moment.who
        return self.is_mine(who) and who.order == "engage" and not who.is_incapacitated

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        yield OrderChanged(moment.who.id, "conceal", self.title)


@team_rule("call-and-answer")
class CallAndAnswer(FirefightPloy):
    """A counteracting operative may move 1" further than 2"."""

    moments = ("counteracts",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        return self.is_mine(moment.who)

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        yield self.begin("activation", moment.who, "counteract move", 1)
