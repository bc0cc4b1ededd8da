"""Who could target whom: what threatens an operative where it stands or would stand, what it threatens from there, and
how dangerous everywhere is that it can reach. All of it by the engine's own rulings and exact odds."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

from ktsim.app.play.chances import Aimed, Chance, aim
from ktsim.app.stage.ways import CELL, Reachable
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.state import OperativeState, Point
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.weapons import forbidden_use

COARSE, FINE = 4, 2
"""Cells of the reachable map a side that are answered for together, at first and then."""
PAUSE = 0.15
"""Seconds after which what is known so far is shown."""


@dataclass(frozen=True)
class Threat:
    """One that could shoot another: its best weapon, what the ruling says of the target, and the odds."""

    shooter: str
    target: str
    weapon: str
    ruling: TargetRuling
    chance: Chance
    is_ready: bool
    """Whether the shooter can still be activated in this turning point."""


@dataclass(frozen=True)
class Threats:
    """About *operative* at a place, on the order it has: everybody else stays where they stand. Enemies are taken to
    be on Engage, as they can be when they are activated. The gravest, and the best, come first."""

    operative: str
    at: Point
    against: tuple[Threat, ...]
    by: tuple[Threat, ...]
    near: tuple[str, ...]
    """Enemies whose Charge is long enough as the crow flies; the way there was not looked at."""


def threats_at(battle: Battle, operative: str, at: Point) -> Threats:
    """What threatens *operative* at a place and whom it threatens there. *battle* is a twin and is changed."""
    state, who = battle.state, battle.state.operatives[operative]
    who.x, who.y, who.level = at
    acting, state.activation = state.activation, None
    enemies = [enemy for enemy in state.enemies(operative) if not enemy.is_incapacitated]
    against = [found for enemy in enemies if (found := _best_shot(battle, enemy, [who], on_engage=True))]
    state.activation = acting
    by = [found for enemy in enemies if (found := _best_shot(battle, who, [enemy]))]
    near = [enemy.id for enemy in enemies if _is_in_charge(battle, enemy, who)]
    return Threats(operative, at, _worst_first(against), _worst_first(by), tuple(near))


def _worst_first(found: list[Threat]) -> tuple[Threat, ...]:
    return tuple(sorted(found, key=lambda each: (-each.is_ready, -each.chance.kill, -each.chance.damage)))


def guns_of(battle: Battle, who: OperativeState) -> list[Profile]:
    """The ranged weapons it could use now, on the order it has."""
    found = []
    for weapon in battle.weapons(who):
        if weapon.kind != "ranged":
            continue
        rules = battle.weapon_rules(who, weapon)
        if forbidden_use(battle, who, weapon, rules) is not None:
            continue
        if who.order == "engage" or any(rule.is_silent for rule in rules):
            found.append(weapon)
    return found


def _aimed(
    battle: Battle, shooter: OperativeState, targets: list[OperativeState], on_engage: bool
) -> list[tuple[Profile, Aimed]]:
    """Every weapon at every target that it could be used on, from where the shooter stands."""
    if battle.engaged_with(shooter):
        return []
    order = shooter.order
    shooter.order = "engage" if on_engage else order
    try:
        found = [(gun, aim(battle, shooter, gun, each)) for gun in guns_of(battle, shooter) for each in targets]
    finally:
        shooter.order = order
    return [(gun, aimed) for gun, aimed in found if not aimed.refusal]


def _best_shot(
    battle: Battle, shooter: OperativeState, targets: list[OperativeState], *, on_engage: bool = False
) -> Threat | None:
    """Its best shot at any of them, if it has one."""
    best: Threat | None = None
    for gun, aimed in _aimed(battle, shooter, targets, on_engage):
        chance = aimed.chance()
        if best is None or (chance.kill, chance.damage) > (best.chance.kill, best.chance.damage):
            best = Threat(shooter.id, aimed.target, gun.name, aimed.ruling, chance, shooter.is_ready)
    return best


def _is_in_charge(battle: Battle, enemy: OperativeState, who: OperativeState) -> bool:
    reach = battle.move(enemy).value + battle.edition.charge_bonus
    return not battle.engaged_with(enemy) and battle.table.distance(battle.state, enemy.id, who.id) <= reach + 1


# -- everywhere in reach -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Danger:
    """At one place: how many could target whoever ends there, how many of them with nothing in the way, and the worst
    odds."""

    count: int
    in_open: int
    kill: float


@dataclass(frozen=True)
class DangerMap:
    """What is known of the danger so far, by squares (middle x and y, level) *side* inches wide. Each answer is exact
    for one place of its square; where a square has none of its own yet it has that of its larger neighbourhood."""

    squares: tuple[tuple[float, float, float, Danger], ...]
    side: float
    known: int
    of: int


Lot = tuple[int, int, int]
"""A square: column and row, and its level in thousandths of an inch."""


def danger_over(battle: Battle, operative: str, reach: Reachable) -> Iterator[DangerMap]:
    """Ever better maps of how dangerous it is to end a move somewhere: large squares first, then small ones. *battle*
    is a twin and is changed."""
    who, battle.state.activation = battle.state.operatives[operative], None
    enemies = [enemy for enemy in battle.state.enemies(operative) if not enemy.is_incapacitated]
    large, small = _lots(reach, COARSE), _lots(reach, FINE)
    known: dict[Point, Danger] = {}
    total, shown = len({*large.values(), *small.values()}), time.monotonic()
    for place in dict.fromkeys([*large.values(), *small.values()]):
        who.x, who.y, who.level = place
        found = [shot for enemy in enemies if (shot := _best_shot(battle, enemy, [who], on_engage=True))]
        in_open = sum(not shot.ruling.in_cover and not shot.ruling.is_obscured for shot in found)
        known[place] = Danger(len(found), in_open, max((shot.chance.kill for shot in found), default=0.0))
        if time.monotonic() - shown > PAUSE:
            shown = time.monotonic()
            yield _map_of(large, small, known, total)
    yield _map_of(large, small, known, total)


def _lots(reach: Reachable, size: int) -> dict[Lot, Point]:
    """The reachable cells in squares of *size* a side: of each square the cell nearest to its middle."""
    best: dict[Lot, tuple[float, Point]] = {}
    for column, row, level in reach.places():
        lot = column // size, row // size, level
        away = abs(column % size - (size - 1) / 2) + abs(row % size - (size - 1) / 2)
        if lot not in best or away < best[lot][0]:
            best[lot] = (away, (round(column * CELL * 1000), round(row * CELL * 1000), level))
    return {lot: place for lot, (_, place) in best.items()}


def _map_of(large: dict[Lot, Point], small: dict[Lot, Point], known: dict[Point, Danger], total: int) -> DangerMap:
    squares, side = [], FINE * CELL
    for (column, row, level), place in small.items():
        parent = large[column * FINE // COARSE, row * FINE // COARSE, level]
        if (danger := known.get(place) or known.get(parent)) is not None:
            middle = (FINE - 1) / 2 * CELL
            squares.append((column * side + middle, row * side + middle, level / 1000, danger))
    return DangerMap(tuple(squares), side, len(known), total)
