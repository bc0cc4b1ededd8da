"""Random play that reaches for what lies about: equipment, hatches, doors, guard."""

from __future__ import annotations

from math import cos, radians, sin
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import Sampler
from ktsim.rules.board import length
from ktsim.rules.decisions import Decision, Path, Pick, PickSome, Point, Walk
from ktsim.rules.equipment.portable_barricade import barricades
from ktsim.rules.killzone.openings import Opening, doors, hatchway_opening, hatchways
from ktsim.rules.operative_events import ActionCancelled, ActivationBegan
from ktsim.rules.state import OperativeState, milli

USES = ("KZ-", "KT24-E-")
"""How the rule ids of actions begin that it is fond of."""

CLOSE, BEYOND = 0.03, 1.3
"""How far from an opening it tries to stand (inches): touching it, or just out of control range of who does."""

NEAR = 0.3
"""How far from an enemy it tries to stand."""


class Tinkerer(Sampler):
    """It thinks of nothing; it is there so that random games reach what equipment and killzones are about."""

    EAGER = 0.8

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if self._rng.random() >= self.EAGER:
            return decision.sample(self._rng)
        if isinstance(decision, PickSome) and decision.topic == "equipment options":
            return tuple(self._rng.sample([option.key for option in decision.options], decision.most))
        if isinstance(decision, Walk):
            return self._walk(decision, game)
        if isinstance(decision, Pick):
            return self._pick(decision, game)
        return decision.sample(self._rng)

    def _pick(self, decision: Pick, game: Game) -> str:
        able = [option for option in decision.options if option.refusal is None]
        if decision.topic in ("meanwhile", "interrupt"):
            wanted = [option.key for option in able if option.key not in ("end", "no")]
        elif decision.topic == "order":
            wanted = ["engage"]
        elif decision.topic == "weapon":
            wanted = [option.key for option in able if "grenade" in option.key]
        elif decision.topic == "action":
            foiled = cancelled(game)
            left = [option for option in able if option.key not in ("pass", *foiled)]
            uses = [option.key for option in left if option.rule.startswith(USES)]
            attacks = [option.key for option in left if option.key in ("Fight", "Shoot", "Charge")]
            wanted = self._rng.choice([uses, uses, attacks]) or [option.key for option in left]
        else:
            wanted = []
        return self._rng.choice(wanted) if wanted else decision.sample(self._rng)

    def _walk(self, decision: Walk, game: Game) -> Path:
        """Straight to a place worth being at, or towards it, or whatever is suggested."""
        who = game.state.operatives[decision.operative]
        goals = sorted(places(game, who), key=lambda goal: length(goal[0] - who.x, goal[1] - who.y))[:8]
        for goal in self._rng.sample(goals, min(3, len(goals))):
            for share in (1.0, 0.6):
                point = _towards(who.point, goal, int(share * 1000 * decision.allowance))
                if point != who.point and decision.check((point,)) is None:
                    return (point,)
        path: Path = decision.sample(self._rng)
        return path


def places(game: Game, who: OperativeState) -> list[Point]:
    """Where there is something to use: beside openings and barricades, at markers, near enemies."""
    battle, state = game.battle, game.state
    openings = [*(hatchway_opening(line) for line in hatchways(battle)), *doors(battle)]
    radius = battle.table.radius(who)
    found = [spot for opening in openings for far in (CLOSE, BEYOND) for spot in beside(opening, radius + far)]
    for piece in barricades(battle):
        away = radius + 0.09
        turn = radians(piece.turn / 1000)
        found += [
            (piece.x - milli(side * away * sin(turn)), piece.y + milli(side * away * cos(turn)), 0) for side in (1, -1)
        ]
    found += [marker.point for marker in state.markers.values() if marker.carrier is None]
    for enemy in state.enemies(who.id):
        gap = length(enemy.x - who.x, enemy.y - who.y)
        near = radius + battle.table.radius(enemy) + NEAR
        found.append(_towards(who.point, enemy.point, max(0, int(gap - 1000 * near))))
    return found


def cancelled(game: Game) -> set[str]:
    """The actions that were cancelled in the present activation."""
    found = set()
    for event in reversed(game.events):
        if isinstance(event, ActivationBegan):
            break
        if isinstance(event, ActionCancelled):
            found.add(event.action)
    return found


def beside(opening: Opening, away: float) -> list[Point]:
    """The two places at some distance from the middle of an opening."""
    (x, y), (ux, uy) = opening.centre, opening.along
    away += opening.half_depth
    return [(milli(x - side * away * uy), milli(y + side * away * ux), 0) for side in (1, -1)]


def _towards(here: Point, goal: Point, far: int) -> Point:
    """A point on the level of *here*, *far* thousandths of an inch towards *goal*, or the goal if it is nearer."""
    gap = length(goal[0] - here[0], goal[1] - here[1])
    share = 1.0 if gap <= far else far / gap
    return (here[0] + int(share * (goal[0] - here[0])), here[1] + int(share * (goal[1] - here[1])), here[2])
