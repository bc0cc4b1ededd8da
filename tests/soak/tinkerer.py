"""Random play that reaches for what lies about: equipment, hatches, doors, guard."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import cos, radians, sin
from random import Random
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import Player, Purposeful, Sampler, cancelled, towards
from ktsim.geometry.plane import length
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick, PickSome, Place, Walk
from ktsim.rules.engine.state import SIDES, OperativeState, Path, Point, State, milli
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.killzone.breach import is_quick
from ktsim.rules.killzone.guard import ON_GUARD
from ktsim.rules.killzone.tight_places import spreads
from ktsim.rules.kt24.equipment.barricades import barricades
from ktsim.rules.kt24.equipment.grenades import ExplosiveGrenades
from ktsim.rules.kt24.equipment.register import key_for, offered
from ktsim.rules.moving.openings import TOUCHING, access_opening, breach_points, hatchways
from soak.ways import beside, openings, pad_places, way_to

USES = ("KZ-", "KT24-E-")
"""How the rule ids of actions begin that it is fond of."""

CLOSE, BEYOND = 0.03, 1.3
"""How far from an opening it tries to stand (inches): touching it, or just out of control range of who does."""

NEAR = 0.3
"""How far from an enemy it tries to stand."""

ON_PAD = 3000
"""Whoever is as near to the middle of a teleport pad (thousandths of an inch) may be on it."""


SHOTS, POINT_BLANK = ("Shoot", "Overwatch"), "Point-blank"
"""How the keys of interrupts end that shoot; those that shoot at somebody near."""


class Tinkerer(Sampler):
    """It thinks of nothing; it is there so that random games reach what equipment and killzones are about."""

    EAGER, PATIENCE, TELEPORTING = 0.8, 0.5, 0.8

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if self._rng.random() >= self.EAGER:
            return decision.sample(self._rng)
        if isinstance(decision, PickSome) and decision.topic == "equipment options":
            return tuple(self._rng.sample([option.key for option in decision.options], decision.most))
        if isinstance(decision, Place) and decision.topic == "set up":
            return self._set_up(decision, game)
        if isinstance(decision, Walk):
            return self._walk(decision, game)
        if isinstance(decision, Pick):
            return self._pick(decision, game)
        return decision.sample(self._rng)

    def _pick(self, decision: Pick, game: Game) -> str:
        able = [option for option in decision.options if option.refusal is None]
        if decision.topic == "meanwhile":
            wanted = [option.key for option in able if option.key != "end"]
        elif decision.topic == "interrupt":
            wanted = self._interrupts(decision.open_keys)
        elif decision.topic == "order":
            wanted = [option.key for option in able if option.key == "engage"]
        elif decision.topic in ("weapon", "melee weapon"):
            wanted = self._wide(game, [option.key for option in able], decision.seat)
        elif decision.topic == "action":
            foiled = cancelled(game)
            left = [option for option in able if option.key not in ("pass", *foiled)]
            uses = [option.key for option in left if option.rule.startswith(USES)]
            if len(uses) > 1 or self._rng.random() < 0.3:
                uses = [key for key in uses if key != "Guard"]
            attacks = [option.key for option in left if option.key in ("Fight", "Shoot", "Charge")]
            wanted = self._rng.choice([uses, uses, attacks]) or [option.key for option in left]
        else:
            wanted = []
        return self._rng.choice(wanted) if wanted else decision.sample(self._rng)

    def _interrupts(self, keys: list[str]) -> list[str]:
        """What to do on guard: fights and point-blank shots above all, other shots if it cannot wait."""
        close = [key for key in keys if key != "no" and (not key.endswith(SHOTS) or POINT_BLANK in key)]
        blank = [key for key in close if POINT_BLANK in key]
        if self._rng.random() < 0.6 and blank:
            return blank
        return close or (keys if self._rng.random() >= self.PATIENCE else ["no"])

    def _wide(self, game: Game, keys: list[str], seat: str) -> list[str]:
        """The weapons of whoever is activated that hurt several at once, and grenades."""
        now = game.state.activation
        who = None if now is None else game.state.operatives[now.operative]
        if who is None or who.side != seat:
            return []
        own = [weapon for weapon in game.battle.weapons(who) if weapon.key in keys]
        return [each.key for each in own if "grenade" in each.key or spreads(game.battle, who, each)]

    def _walk(self, decision: Walk, game: Game) -> Path:
        """Straight to a place worth being at, or towards it, or whatever is suggested."""
        who = game.state.operatives[decision.operative]
        if isinstance(decision.about, MoveRequest) and decision.about.teleports:
            there = [(pad,) for pad in pad_places(game.battle) if length(pad[0] - who.x, pad[1] - who.y) > ON_PAD]
            able = [path for path in there if decision.check(path) is None]
            if able and self._rng.random() < self.TELEPORTING:
                return self._rng.choice(able)
        goals = places(game, who)
        near = [goal for goal in goals if length(goal[0] - who.x, goal[1] - who.y) <= 1000 * decision.allowance]
        hot = [goal for goal in hot_spots(game, who) if goal in near]
        enemies = [enemy.point for enemy in game.state.enemies(who.id)]
        chosen = [
            *hot[:1],
            *self._rng.sample(near, min(1, len(near))),
            *self._rng.sample(enemies, min(1, len(enemies))),
        ]
        for goal in chosen:
            for path in self._ways(decision, game, who, goal):
                if path and path[-1] != who.point and decision.check(path) is None:
                    return path
        suggested: Path = decision.sample(self._rng)
        return suggested

    def _ways(self, decision: Walk, game: Game, who: OperativeState, goal: Point) -> Iterator[Path]:
        """Straight to the goal or towards it, then around what is in the way."""
        yield (towards(who.point, goal, 1000 * decision.allowance),)
        yield from around(decision, game, goal)

    def _set_up(self, decision: Place, game: Game) -> Point:
        """Beside an opening, if there is one in the drop zone."""
        found = openings(game.battle)
        for opening in self._rng.sample(found, min(4, len(found))):
            for spot in beside(opening, CLOSE + self._rng.choice((0.5, 0.65, 0.8))):
                if decision.check(spot) is None:
                    return spot
        suggested: Point = decision.sample(self._rng)
        return suggested


def around(decision: Walk, game: Game, goal: Point) -> Iterator[Path]:
    """Towards a goal around what is in the way: by the net, and where that leads as the mover would go there."""
    who = game.state.operatives[decision.operative]
    if path := way_to(game.battle, who, goal, decision.allowance):
        yield path
        if isinstance(decision.about, MoveRequest):
            table = game.battle.table
            yield table.mover.route(table, game.state, decision.about, path[-1])


class Brawler(Tinkerer):
    """Goes for the nearest enemy, through whatever opening leads there, fights, and stands guard when one is near."""

    NEAR, CHARGE = 7.0, 8.0
    """How near (inches) an enemy makes guard and a charge worth while."""

    def _pick(self, decision: Pick, game: Game) -> str:
        if decision.topic != "action" or not isinstance(decision.about, str):
            return super()._pick(decision, game)
        who = game.state.operatives[decision.about]
        gap = min(
            (game.battle.table.distance(game.state, who.id, e.id) for e in game.state.enemies(who.id)), default=99
        )
        foiled = cancelled(game)
        able = [key for key in decision.open_keys if key not in ("pass", *foiled)]
        opening = [action.name for action in game.battle.actions(who) if action.opens(game.battle, who)]
        for wanted in (
            [key for key in able if "Fight" in key],
            ["Charge"] if gap <= self.CHARGE and self._rng.random() < 0.7 else [],
            ["Guard", "Shoot", *opening] if gap <= self.NEAR and self._rng.random() < 0.5 else [],
            ["Reposition", "Normal Move", "Dash"] if self._rng.random() < 0.8 else [],
        ):
            if found := [key for key in wanted if key in able]:
                return self._rng.choice(found)
        return super()._pick(decision, game)

    def _walk(self, decision: Walk, game: Game) -> Path:
        who = game.state.operatives[decision.operative]
        request = decision.about
        if not (isinstance(request, MoveRequest) and request.ends_in_control):
            enemies = sorted(game.state.enemies(who.id), key=lambda enemy: length(enemy.x - who.x, enemy.y - who.y))
            for goal in (*hot_spots(game, who)[:1], *(enemy.point for enemy in enemies[:2])):
                for path in around(decision, game, goal):
                    if path and path[-1] != who.point and decision.check(path) is None:
                        return path
        suggested: Path = decision.sample(self._rng)
        return suggested


class Errand(Purposeful):
    """Purposeful play that finds its way around terrain, and goes for the nearest enemy now and then."""

    FIERCE = 0.35

    def _walk(self, decision: Walk, game: Game) -> Path:
        who = game.state.operatives[decision.operative]
        enemies = sorted(game.state.enemies(who.id), key=lambda enemy: length(enemy.x - who.x, enemy.y - who.y))
        is_fierce = bool(enemies) and self._rng.random() < self.FIERCE
        goal = enemies[0].point if is_fierce else self._rng.choice(self._goals(game, decision))
        for path in around(decision, game, goal):
            if path and path[-1] != who.point and decision.check(path) is None:
                return path
        return super()._walk(decision, game)


class Curious(Sampler):
    """Now and then what has been answered least in this game so far; else what another player answers."""

    DULL = frozenset({"pass", "no", "none", "end"})
    """Answers that decline."""
    RARE = frozenset({"ploy", "weapon", "melee weapon"})
    """Topics with answers that are not on offer often."""
    THRIFTY, THRIFT = {"ploy": "no", "gambit": "pass", "reroll": "keep"}, 0.6
    """How to save CP, and how often."""

    def __init__(self, seed: int | str, player: Player, often: float = 0.15) -> None:
        super().__init__(f"{seed} curious")
        self._player, self._often = player, often
        self._given: Counter[tuple[str, str]] = Counter()

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if not isinstance(decision, Pick):
            return self._player.answer(decision, game)
        keys = [key for key in decision.open_keys if key not in self.DULL]
        if saved := self._saved(decision, keys):
            return saved
        often = self._often if decision.topic not in self.RARE else max(self._often, 0.5)
        if keys and self._rng.random() < often:
            fewest = min(self._given[decision.topic, key] for key in keys)
            answer = self._rng.choice([key for key in keys if self._given[decision.topic, key] == fewest])
        else:
            answer = self._player.answer(decision, game)
        self._given[decision.topic, answer] += 1
        return answer

    def _saved(self, decision: Pick, keys: list[str]) -> str:
        """The answer that saves CP, often: for ploys not used so far, which are offered when it is too late to save."""
        is_known = all(self._given[decision.topic, key] for key in keys)
        answer = self.THRIFTY.get(decision.topic, "")
        is_free = answer in decision.open_keys and decision.default in (None, answer)
        is_op = any(option.rule.startswith(Purposeful.WANTED) for option in decision.options)
        wants = is_free and not is_op and (is_known or decision.topic != "ploy") and self._rng.random() < self.THRIFT
        return answer if wants else ""


def hot_spots(game: Game, who: OperativeState) -> list[Point]:
    """Places from which an enemy at an opening can be fought through it, or into whose reach it would come."""
    battle = game.battle
    radius = battle.table.radius(who)
    found = []
    for opening in openings(battle):
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
    radius = battle.table.radius(who)
    found = [spot for opening in openings(battle) for far in (CLOSE, BEYOND) for spot in beside(opening, radius + far)]
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
        found.append(towards(who.point, enemy.point, max(0, int(gap - 1000 * near))))
    return found


def crowd(battle: Battle, state: State, rng: Random) -> None:
    """Let a game begin with both sides mixed around openings and strongholds, hatches open or shut, guards on guard."""
    battle.state = state
    for line in hatchways(battle):
        state.terrain[line.id] = rng.choice(("open", "closed"))
    ways, pads = openings(battle), pad_places(battle)
    shut = [access_opening(line) for line in breach_points(battle)]
    ways = rng.sample(ways, min(len(ways), 1 + len(state.operatives) // 4))  # few meet at few of them
    for who in state.operatives.values():
        for spread in (*[700] * 8, *[2500] * 40, *[9000] * 400):
            opening = rng.choice(shut if shut and is_quick(battle, who) else ways)  # few can, and those should
            x, y, _ = rng.choice(beside(opening, battle.table.radius(who) + rng.choice((CLOSE, CLOSE, BEYOND))))
            away = 0 if spread == 700 else spread
            point = (x + rng.randint(-away, away), y + rng.randint(-away, away), 0)
            if pads and rng.random() < 0.1:
                point = rng.choice(pads)
            if battle.table.mover.refuses_to_stand(battle.table, state, who.id, point) is None:
                who.x, who.y, who.level = point
                who.is_set_up, who.order = True, "engage"
                if "KZ-GUARD" in battle.board.terrain.rules and rng.random() < 0.5:
                    who.tokens[ON_GUARD] = 1
                break
    state.initiative, state.phase, state.turning_point = "red", "initiative", 1
    others = sorted(set(offered(battle)) - {ExplosiveGrenades.key})
    state.choices = {key_for(side): ",".join((ExplosiveGrenades.key, *rng.sample(others, 3))) for side in SIDES}
    for side in SIDES:
        for key in ("frag-grenade", "krak-grenade", "smoke-grenade", "stun-grenade"):
            state.notes[f"{side}:{key}"] = 2
