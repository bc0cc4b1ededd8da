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
from ktsim.rules.state import OperativeState, milli

USES = ("KZ-", "KT24-E-")
"""How the rule ids of actions begin that it is fond of."""

CLOSE = 0.03
"""How far from an opening it tries to stand (inches)."""


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
            return self._pick(decision)
        return decision.sample(self._rng)

    def _pick(self, decision: Pick) -> str:
        able = [option for option in decision.options if option.refusal is None]
        if decision.topic in ("meanwhile", "interrupt"):
            wanted = [option.key for option in able if option.key not in ("end", "no")]
        elif decision.topic == "order":
            wanted = ["engage"]
        elif decision.topic == "weapon":
            wanted = [option.key for option in able if "grenade" in option.key]
        elif decision.topic == "action":
            wanted = [option.key for option in able if option.rule.startswith(USES)]
            wanted = wanted or [option.key for option in able if option.key in ("Fight", "Shoot", "Charge")]
            wanted = wanted or [option.key for option in able if option.key != "pass"]
        else:
            wanted = []
        return self._rng.choice(wanted) if wanted else decision.sample(self._rng)

    def _walk(self, decision: Walk, game: Game) -> Path:
        """Straight to a place worth being at, or towards it, or whatever is suggested."""
        who = game.state.operatives[decision.operative]
        goals = sorted(places(game, who), key=lambda goal: length(goal[0] - who.x, goal[1] - who.y))[:6]
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
    found = [spot for opening in openings for spot in beside(opening, battle.table.radius(who))]
    for piece in barricades(battle):
        away = battle.table.radius(who) + 0.09
        turn = radians(piece.turn / 1000)
        found += [
            (piece.x - milli(side * away * sin(turn)), piece.y + milli(side * away * cos(turn)), 0) for side in (1, -1)
        ]
    found += [marker.point for marker in state.markers.values() if marker.carrier is None]
    return found + [enemy.point for enemy in state.enemies(who.id)]


def beside(opening: Opening, radius: float) -> list[Point]:
    """The two places at which a base touches the middle of an opening."""
    (x, y), (ux, uy) = opening.centre, opening.along
    away = opening.half_depth + radius + CLOSE
    return [(milli(x - side * away * uy), milli(y + side * away * ux), 0) for side in (1, -1)]


def _towards(here: Point, goal: Point, far: int) -> Point:
    """A point on the level of *here*, *far* thousandths of an inch towards *goal*, or the goal if it is nearer."""
    gap = length(goal[0] - here[0], goal[1] - here[1])
    share = 1.0 if gap <= far else far / gap
    return (here[0] + int(share * (goal[0] - here[0])), here[1] + int(share * (goal[1] - here[1])), here[2])
