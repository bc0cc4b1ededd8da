"""Gravel Jackals: fast, and dangerous in close combat as a pack."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import EffectBegan
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.rule import Moment
from ktsim.rules.engine.state import Effect, OperativeState, Side
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.teams.classes.parts import (
    BringsAction,
    DashesNear,
    FirefightPloy,
    OnOne,
    able_to_dash,
    free_dash,
    friends_near,
)
from ktsim.rules.teams.classes.register import TEAM, TeamRule, team_rule

HUNTED = "hunted"


@team_rule("pack-hunters")
class PackHunters(TeamRule):
    """An enemy the pack has fought in this turning point: melee weapons are Balanced against it from then on."""

    def fought(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> Steps[None]:
        if self.is_mine(who) and not enemy.is_incapacitated and not battle.has_mark(enemy, HUNTED):
            yield EffectBegan(Effect(self.title, TEAM, "turning-point", enemy.id, stat=HUNTED))

    def weapon_rules_against(
        self, battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState
    ) -> tuple[str, ...]:
        is_prey = self.is_mine(who) and weapon.kind == "melee" and battle.has_mark(target, HUNTED)
        return ("Balanced",) if is_prey else ()


class RallyHowl(DashesNear):
    """One of them."""

    name = "Rally Howl"

    def send(self, battle: Battle, side: Side, found: Sequence[OperativeState]) -> Steps[None]:
        yield from free_dash(battle, side, "Rally Howl: who dashes?", found)


@team_rule("rally-howl")
class RallyHowlAbility(BringsAction):
    action = RallyHowl


class Corrode(OnOne):
    """A visible enemy within 6": its Save is worse by 1 until the end of the turning point."""

    name = "Corrode"
    reach = 6.0
    mark, amount = "save", 1


@team_rule("corrode")
class CorrodeAbility(BringsAction):
    action = Corrode


@team_rule("clinging")
class Clinging(TeamRule):
    """Falling Back from its control range costs 1AP more."""

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if stat != "ap:Fall Back" or who.side == self.side:
            return number
        holds = any(self.is_mine(enemy) and not enemy.is_incapacitated for enemy in battle.engaged_with(who))
        return number.plus(1, TEAM, self.title) if holds else number


@team_rule("unbroken")
class Unbroken(TeamRule):
    """Being injured changes neither its Move nor its Hit."""

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if stat not in ("move", "hit") or not self.is_mine(who) or not battle.is_injured(who):
            return number
        return number.plus(2 if stat == "move" else -1, TEAM, self.title)


@team_rule("scent-of-blood")
class ScentOfBlood(FirefightPloy):
    """Some enemy is wounded: 2" more Move in this activation."""

    moments = ("activated",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        return self.is_mine(moment.who) and any(map(battle.is_wounded, battle.state.enemies(moment.who.id)))

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        yield self.begin("activation", moment.who, "move", 2)


@team_rule("snap-back")
class SnapBack(FirefightPloy):
    """The retaliating operative resolves the first success."""

    moments = ("fight begins",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        assert moment.other is not None
        assert moment.duel is not None
        return self.is_mine(moment.other) and moment.duel.hands[1].atk > 0 and moment.duel.first_to_resolve == 0

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        assert moment.duel is not None
        moment.duel = moment.duel._replace(first_to_resolve=1)
        yield from ()


@team_rule("worry-the-wound")
class WorryTheWound(FirefightPloy):
    """After a fight both live through, the enemy suffers 2 damage."""

    moments = ("has fought",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        assert moment.other is not None
        both = (moment.who, moment.other)
        return any(map(self.is_mine, both)) and not any(who.is_incapacitated for who in both)

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        assert moment.other is not None
        mine, enemy = (moment.who, moment.other) if self.is_mine(moment.who) else (moment.other, moment.who)
        yield Wounded(enemy.id, 2, self.title, mine.id)


@team_rule("scatter")
class Scatter(FirefightPloy):
    """One of the pack is a target: another one within 3" of it performs a free Dash."""

    moments = ("targeted",)

    def is_usable(self, battle: Battle, moment: Moment) -> bool:
        assert moment.other is not None
        if not self.is_mine(moment.other) or moment.who.side == self.side:
            return False
        return bool(able_to_dash(battle, friends_near(battle, moment.other, 3.0)))

    def perform(self, battle: Battle, moment: Moment) -> Steps[None]:
        assert moment.other is not None
        found = friends_near(battle, moment.other, 3.0)
        yield from free_dash(battle, self.side, "Scatter: who dashes?", found)
