"""Random play that reaches for what lies about: equipment, hatches, doors, guard."""

from __future__ import annotations

from math import cos, radians, sin
from random import Random
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import Sampler
from ktsim.rules.battle import Battle
from ktsim.rules.board import length
from ktsim.rules.decisions import SIDES, Decision, Path, Pick, PickSome, Point, Walk
from ktsim.rules.equipment.portable_barricade import barricades
from ktsim.rules.equipment.register import EQUIPMENT, key_for
from ktsim.rules.killzone.guard import ON_GUARD
from ktsim.rules.killzone.openings import TOUCHING, Opening, doors, hatchway_opening, hatchways
from ktsim.rules.operative_events import ActionCancelled, ActivationBegan
from ktsim.rules.state import OperativeState, State, milli

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
            if len(uses) > 1 or self._rng.random() < 0.5:
                uses = [key for key in uses if key != "Guard"]
            attacks = [option.key for option in left if option.key in ("Fight", "Shoot", "Charge")]
            wanted = self._rng.choice([uses, uses, attacks]) or [option.key for option in left]
        else:
            wanted = []
        return self._rng.choice(wanted) if wanted else decision.sample(self._rng)

    def _walk(self, decision: Walk, game: Game) -> Path:
        """Straight to a place worth being at, or towards it, or whatever is suggested."""
        who = game.state.operatives[decision.operative]
        goals = places(game, who)
        near = [goal for goal in goals if length(goal[0] - who.x, goal[1] - who.y) <= 1000 * decision.allowance]
        hot = [goal for goal in hot_spots(game, who) if goal in near]
        enemies = [enemy.point for enemy in game.state.enemies(who.id)]
        chosen = [
            *hot[:2],
            *self._rng.sample(near, min(2, len(near))),
            *self._rng.sample(enemies, min(1, len(enemies))),
        ]
        for goal in chosen:
            for share in (1.0, 0.6):
                point = _towards(who.point, goal, int(share * 1000 * decision.allowance))
                if point != who.point and decision.check((point,)) is None:
                    return (point,)
        path: Path = decision.sample(self._rng)
        return path


def hot_spots(game: Game, who: OperativeState) -> list[Point]:
    """Places from which an enemy at an opening can be fought through it, or into whose reach it would come."""
    battle = game.battle
    radius = battle.table.radius(who)
    found = []
    for opening in (*(hatchway_opening(line) for line in hatchways(battle)), *doors(battle)):
        for enemy in game.state.enemies(who.id):
            gap = opening.gap(battle, enemy)
            if gap > 2.0 or enemy.level:
                continue
            is_left = opening.is_left(enemy.x / 1000, enemy.y / 1000)
            for spot in beside(opening, radius + (BEYOND if gap <= TOUCHING else CLOSE)):
                if opening.is_left(spot[0] / 1000, spot[1] / 1000) != is_left:
                    found.append(spot)
    return found


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


def crowd(battle: Battle, state: State, rng: Random) -> None:
    """Let a game begin with both sides mixed around openings and strongholds, hatches open or shut, guards on guard."""
    battle.state = state
    for line in hatchways(battle):
        state.terrain[line.id] = rng.choice(("open", "closed"))
    openings = [*(hatchway_opening(line) for line in hatchways(battle)), *doors(battle)]
    for who in state.operatives.values():
        for spread in (*[700] * 8, *[2500] * 40, *[9000] * 400):
            opening = rng.choice(openings)
            x, y, _ = rng.choice(beside(opening, battle.table.radius(who) + rng.choice((CLOSE, CLOSE, BEYOND))))
            away = 0 if spread == 700 else spread
            point = (x + rng.randint(-away, away), y + rng.randint(-away, away), 0)
            if battle.table.mover.refuses_to_stand(battle.table, state, who.id, point) is None:
                who.x, who.y, who.level = point
                who.is_set_up, who.order = True, "engage"
                if "KZ-GUARD" in battle.board.terrain.rules and rng.random() < 0.3:
                    who.tokens[ON_GUARD] = 1
                break
    state.initiative, state.phase, state.turning_point = "red", "initiative", 1
    state.choices = {key_for(side): ",".join(rng.sample(sorted(EQUIPMENT), 4)) for side in SIDES}
    for side in SIDES:
        for key in ("frag-grenade", "krak-grenade", "smoke-grenade", "stun-grenade"):
            state.notes[f"{side}:{key}"] = 2
