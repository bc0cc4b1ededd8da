"""Keelwrights: few, slow to fall, precise."""

from __future__ import annotations

from dataclasses import replace

from ktsim.rules.engine.action import refuses_free
from ktsim.rules.engine.activation import free_action
from ktsim.rules.engine.attack import Attack, Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.fight.stages import with_hand
from ktsim.rules.engine.operative_events import Healed
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.teams.classes.parts import BringsAction, FirefightPloy, OnOne, StrategyPloy
from ktsim.rules.teams.classes.register import TEAM, TeamRule, team_rule
from ktsim.sight.scene import EPS

MENDED = 3
DOOR_DISTANCE = 6.0
WORK = "works to rule"
REPEATED = ("Shoot", "Fight")


def blunted(hand: Hand) -> Hand:
    """The hand with criticals that do what normal successes do."""
    return hand._replace(critical=min(hand.critical, hand.normal))


@team_rule("few-and-stubborn")
class FewAndStubborn(TeamRule):
    """Nothing lowers the team's APL below what is printed."""

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if stat != "apl" or not self.is_mine(who):
            return number
        return number.to(max(number.printed, number.value), TEAM, self.title)


class InspectTheSeams(OnOne):
    name = "Inspect the Seams"
    reach, is_support = 6.0, True

    def suits(self, battle: Battle, chosen: OperativeState) -> bool:
        return battle.is_wounded(chosen)

    def affect(self, battle: Battle, chosen: OperativeState) -> Steps[None]:
        lost = battle.card(chosen).wounds - chosen.wounds
        yield Healed(chosen.id, min(MENDED, lost), self.name)


@team_rule("inspect-the-seams")
class InspectTheSeamsAbility(BringsAction):
    action = InspectTheSeams


class RivetDown(OnOne):
    """A visible enemy within 8": Move -2" until the end of its next activation."""

    name = "Rivet Down"
    reach = 8.0
    mark, amount, until = "move", -2, "next-activation"


@team_rule("rivet-down")
class RivetDownAbility(BringsAction):
    action = RivetDown


@team_rule("hollow-places")
class HollowPlaces(TeamRule):
    """Nobody can be obscured from it."""

    says_cannot = True

    def ruling(self, battle: Battle, who: OperativeState, target: OperativeState, ruling: TargetRuling) -> TargetRuling:
        if not (self.is_mine(who) and ruling.is_obscured):
            return ruling
        reasons = (*ruling.reasons, (TEAM, f"{self.title}: not obscured."))
        return replace(ruling, is_obscured=False, defender_chooses=False, obscured_by=(), reasons=reasons)


@team_rule("like-a-door")
class LikeADoor(TeamRule):
    """Shot from more than 6" away, criticals inflict normal damage on it."""

    def shot(self, battle: Battle, attack: Attack, shot: Shot) -> Shot:
        hand, state = shot.hand, battle.state
        if not self.is_mine(state.operatives[hand.target]):
            return shot
        if battle.table.distance(state, hand.operative, hand.target) <= DOOR_DISTANCE + EPS:
            return shot
        return shot._replace(hand=blunted(hand))


@team_rule("watertight")
class Watertight(StrategyPloy):
    """Weapons that shoot the team have no Piercing."""

    def shot(self, battle: Battle, attack: Attack, shot: Shot) -> Shot:
        if not (self.is_mine(battle.state.operatives[shot.hand.target]) and self.is_in_force(battle)):
            return shot
        kept = tuple(rule for rule in shot.hand.rules if not rule.is_piercing)
        return shot._replace(hand=shot.hand._replace(rules=kept))


@team_rule("spare-plate")
class SparePlate(FirefightPloy):
    """In this shooting or fight, the enemy's criticals inflict normal damage."""

    moments = ("attack rolled", "fight rolled")

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        hand = self._enemy_hand(moment)
        is_hit = self.is_mine(battle.state.operatives[hand.target]) and hand.side != self.side
        has_criticals = any(die.face == 6 or hand.hit <= hand.critical_on <= die.face for die in hand.dice)
        return is_hit and has_criticals and hand.critical > hand.normal and not hand.is_obscured

    def _enemy_hand(self, moment: Moment) -> Hand:
        if moment.shot is not None:
            return moment.shot.hand
        assert moment.duel is not None
        return next(hand for hand in moment.duel.hands if hand.side != self.side)

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        hand = blunted(self._enemy_hand(moment))
        if moment.shot is not None:
            moment.shot = moment.shot._replace(hand=hand)
        elif moment.duel is not None:
            index = 0 if moment.duel.hands[0].side != self.side else 1
            moment.duel = with_hand(moment.duel, index, hand)
        yield from ()


@team_rule("brace")
class Brace(FirefightPloy):
    """The target may re-roll any of its defence dice."""

    moments = ("shot begins",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        assert moment.other is not None
        return self.is_mine(moment.other) and moment.who.side != self.side

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        assert moment.shot is not None
        brace = battle.edition.weapon_rules.parse("Relentless")
        moment.shot = moment.shot._replace(guards=(*moment.shot.guards, brace))
        yield from ()


@team_rule("work-to-rule")
class WorkToRule(FirefightPloy):
    """Two Shoot or two Fight actions in this activation, one of them a second time only."""

    moments = ("activated",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        return self.is_mine(moment.who)

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        yield self.begin("activation", moment.who, WORK)

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        """Once Shoot has been repeated Fight cannot be, and the other way round."""
        wanted = stat.removeprefix("repeat:")
        if wanted == stat or wanted not in REPEATED or not battle.has_mark(who, WORK) or not self.is_mine(who):
            return number
        now = battle.state.activation
        others = [action for action in REPEATED if action != wanted]
        if now is None or any(now.actions.count(action) > 1 for action in others):
            return number
        return number.plus(1, TEAM, self.title)


@team_rule("last-rivet")
class LastRivet(FirefightPloy):
    """Incapacitated, it performs a free Shoot action before it is removed."""

    moments = ("incapacitated",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        return self.is_mine(moment.who) and refuses_free(battle, moment.who, Shoot()) is None

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        yield from free_action(battle, moment.who, Shoot())
