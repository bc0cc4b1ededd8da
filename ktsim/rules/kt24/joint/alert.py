"""What operatives nobody plays know of the players (JOINT-ALERT): they are unaware, searching or alerted.

Whoever hears an attack searches (JOINT-NOISE); whoever is attacked, is in control range of a player's operative, or
could select one as a target within 12" (6" while that is on Conceal), is alerted. An operative that is not alerted
attacks nobody: it walks its round as a die says (JOINT-PATROL), or towards the last noise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, TypeAlias

from ktsim.geometry.plane import length
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps, roll
from ktsim.rules.engine.events import Noted, Told
from ktsim.rules.engine.operative_events import TokenChanged
from ktsim.rules.engine.precedence import Claim, Precedence
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shoot.targets import rule_on
from ktsim.rules.engine.state import OperativeState, Point, State
from ktsim.rules.kt24.joint.sides import MACHINE, PLAYERS, non_players

Alert: TypeAlias = Literal["unaware", "searching", "alerted"]
SEARCHING, ALERTED = "searching", "alerted"
"""Tokens of an operative; one that is unaware has neither."""
LOUD, QUIET = 12.0, 6.0
"""Inches within which shooting is heard; and a fight, or shooting with Silent weapons."""
NOTICED, NOTICED_CONCEALED = 12.0, 6.0
PATROL = "patrol"
"""The note of what the die of the present round shows: up to 2 it stays, up to 4 it walks to the nearest marker, else
to the one after."""
ALLOWED = {"unaware": ("Reposition", "Operate Hatch"), "searching": ("Reposition", "Dash", "Operate Hatch")}
"""What operatives may do that are not alerted."""


def alert_of(who: OperativeState) -> Alert:
    return "alerted" if who.tokens.get(ALERTED) else "searching" if who.tokens.get(SEARCHING) else "unaware"


def alerts(who: OperativeState, told: str) -> Steps[None]:
    """The operative is alerted now; *told* says why, it being {0}."""
    if who.tokens.get(SEARCHING):
        yield TokenChanged(who.id, SEARCHING, -1)
    if not who.tokens.get(ALERTED):
        yield TokenChanged(who.id, ALERTED, 1, told)


def sets_searching(who: OperativeState, told: str) -> Steps[None]:
    """An operative that was unaware searches now."""
    if alert_of(who) == "unaware":
        yield TokenChanged(who.id, SEARCHING, 1, told)


def noise_at(state: State) -> Point | None:
    """Where the last noise came from."""
    if "noise:x" not in state.notes:
        return None
    return state.notes["noise:x"], state.notes["noise:y"], 0


def make_noise(point: Point) -> Iterable[Noted]:
    return Noted("noise:x", point[0]), Noted("noise:y", point[1])


def notices(battle: Battle, who: OperativeState, player: OperativeState) -> bool:
    """Whether *who* becomes aware of a player's operative where both stand (JOINT-ALERT)."""
    if battle.table.in_control_range(battle.state, who.id, player.id):
        return True
    reach = NOTICED_CONCEALED if player.order == "conceal" else NOTICED
    radii = battle.table.radius(who) + battle.table.radius(player)
    if length(who.x - player.x, who.y - player.y) / 1000 - radii > reach:
        return False
    return rule_on(battle, who, player, ()).is_valid


class AlertRule(Rule):
    """Alert, noise and rounds."""

    id, name = "JOINT-ALERT", "Alert"

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        level = alert_of(who)
        if who.side != MACHINE or level == "alerted" or action.name in ALLOWED[level]:
            return None
        return Claim(False, f"{action.name}: {who.name} is {level}.", Precedence(is_outside_core=True))

    def activation_begins(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """JOINT-PATROL: whoever is unaware rolls a die for its round."""
        if who.side == MACHINE and alert_of(who) == "unaware":
            (die,) = yield from roll(1, "patrol", f"{who.name} is unaware: its round", MACHINE, about=who.id)
            yield Noted(PATROL, die)
            doing = "it stays" if die <= 2 else "to the nearest marker" if die <= 4 else "on to the next marker"
            yield Told(f"{{0}} rolls {die} for its round: {doing}.", "JOINT-PATROL", (who.id,))

    def action_ends(self, battle: Battle, who: OperativeState, action: Action) -> Steps[None]:
        """Whoever was attacked is alerted; whoever hears it searches (JOINT-NOISE)."""
        kind = action.counted
        if who.side != PLAYERS or kind not in ("Shoot", "Fight"):
            return
        for each in non_players(battle):
            if each.id in battle.targets or each.wounded_by == who.id:
                yield from alerts(each, "{0} is attacked and alerted.")
        yield from make_noise(who.point)
        reach = QUIET if kind == "Fight" or is_silent(battle, who) else LOUD
        for each in non_players(battle):
            if length(each.x - who.x, each.y - who.y) / 1000 - battle.table.radius(each) <= reach:
                yield from sets_searching(each, "{0} hears it and searches.")

    def activation_ends(self, battle: Battle, who: OperativeState) -> Steps[None]:
        """Whoever notices somebody is alerted: everybody as a player's operative is done, and each as it is done."""
        players = [who] if who.side == PLAYERS else battle.state.side(PLAYERS)
        watching = non_players(battle) if who.side == PLAYERS else [who]
        for each in watching:
            if alert_of(each) == "alerted" or not each.is_in_killzone:
                continue
            seen = next((player for player in players if player.is_in_killzone and notices(battle, each, player)), None)
            if seen is not None:
                yield from make_noise(seen.point)
                yield from alerts(each, f"{{0}} notices {seen.name} and is alerted.")


def is_silent(battle: Battle, who: OperativeState) -> bool:
    """Whether the weapon that was used last in the present activation is Silent."""
    now = battle.state.activation
    if now is None or not now.weapons:
        return False
    weapon = next((each for each in battle.weapons(who) if each.key == now.weapons[-1]), None)
    return weapon is not None and any(rule.is_silent for rule in battle.weapon_rules(who, weapon))


def raise_alarm(battle: Battle) -> Steps[None]:
    """As a turning point begins: once anybody is alerted, everybody searches."""
    if any(alert_of(each) == "alerted" for each in non_players(battle)):
        for each in non_players(battle):
            yield from sets_searching(each, "The alarm is raised: {0} searches.")
