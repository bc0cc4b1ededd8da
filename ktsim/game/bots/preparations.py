"""What is chosen before the fighting: ops, equipment, scouting, where to begin, who does what."""

from __future__ import annotations

from collections.abc import Callable
from math import exp
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ktsim.game.bots.lookout import Cells, Lookout
from ktsim.game.bots.prospects import Prospect
from ktsim.game.bots.trials import strategy_worth
from ktsim.game.game import Game
from ktsim.rules.engine.decisions import Pick, PickSome, Place
from ktsim.rules.engine.state import OperativeState, Point, other
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.kt24.equipment.register import EQUIPMENT
from ktsim.rules.kt24.ops.register import TAC_OPS

TRIED, WEIGHED = 30, 10
"""Places of the drop zone that are compared, and those of them weighed by what each enemy there already may do."""
SEEN = 0.8
"""VP for being in sight of the whole of the enemy drop zone."""
COOL = 0.35
"""How far apart in VP choices made in secret are that are hardly ever mixed up."""


class Preparing(NamedTuple):
    """What a choice is made on."""

    prospect: Prospect
    game: Game
    rng: Random

    def mixed(self, worth: dict[str, float]) -> str:
        """One of the choices, the better the likelier: what is chosen in secret must not be known beforehand."""
        most = max(worth.values())
        weights = [exp((each - most) / COOL) for each in worth.values()]
        return self.rng.choices(list(worth), weights)[0]

    def deployed(self, decision: Place) -> tuple[Point, str]:
        """Near what draws and out of sight of where the enemy is or will be."""
        prospect = self.prospect
        who = prospect.who(decision.about)
        who.is_set_up = True
        table, state = prospect.battle.table, prospect.state
        draws = [draw for draw in prospect.draws(who) if draw.contact]
        draws = [draw._replace(worth=draw.worth * self._left(who, draw.point)) for draw in draws]
        hopes: dict[Point, float] = {}
        for _ in range(TRIED):
            place = decision.sample(self.rng)
            prospect.put(who.id, place)
            hopes[place] = prospect.pull(draws, place)
            if isinstance(table, Lookout):
                lattice = table.lattice(state)
                row = table.row(state, who, who)
                theirs = self._their_cells(lattice.grid.place)
                hopes[place] -= SEEN * float(np.count_nonzero(row & theirs)) / max(1, int(np.count_nonzero(theirs)))
        for enemy in state.enemies(who.id):
            enemy.is_ready = True  # they will be by the time it matters

        def value(place: Point) -> tuple[float, Point]:
            prospect.put(who.id, place)
            return hopes[place] - prospect.sum_of(who, prospect.threats(who.id)), place

        few = sorted(hopes, key=lambda place: (-hopes[place], place))[:WEIGHED]
        best = max(few, key=value)
        prospect.put(who.id, best)
        # The first activation has much to look at: what a move from here needs is worked out now.
        prospect.reached(MoveRequest(who.id, "Reposition", prospect.battle.move(who).value))
        return best, "Near what is to be held, and out of sight."

    def _left(self, who: OperativeState, goal: Point) -> float:
        """Less for a goal that others were set up for."""
        prospect = self.prospect
        nearer = [f for f in prospect.state.friends(who.id) if prospect.flat(f, goal) < prospect.flat(who, goal) + 1]
        return float(0.75 ** len(nearer))

    def _their_cells(self, places: NDArray[np.float64]) -> Cells:
        """Which of the places, (n, 3) in inches, are in the enemy drop zone, about."""
        zone = self.prospect.battle.drop_zone(other(self.prospect.side))
        (low_x, high_x), (low_y, high_y) = ((min(each), max(each)) for each in zip(*zone, strict=True))
        inside: Cells = places[:, 0] >= low_x
        inside &= (places[:, 0] <= high_x) & (places[:, 1] >= low_y) & (places[:, 1] <= high_y)
        return inside


def tac_op(on: Preparing, decision: Pick) -> tuple[str, str]:
    best = on.mixed({key: TAC_OPS[key].usual_vp for key in decision.open_keys})
    return best, f"{TAC_OPS[best].name} pays well as a rule."


OWN_EQUIPMENT = 0.28
"""What a team's own equipment is worth beside the universal one (``Equipment.worth``)."""


def equipment(on: Preparing, decision: PickSome) -> tuple[tuple[str, ...], str] | None:
    if not isinstance(decision, PickSome):
        return None
    keys = [option.key for option in decision.options if option.refusal is None]
    ranked = sorted(keys, key=lambda key: -EQUIPMENT[key].worth if key in EQUIPMENT else -OWN_EQUIPMENT)
    return tuple(ranked[: decision.most]), "What is of most use as a rule."


def more_equipment(on: Preparing, decision: Pick) -> tuple[str, str]:
    best = max(decision.open_keys, key=lambda key: EQUIPMENT[key].worth if key in EQUIPMENT else OWN_EQUIPMENT)
    return best, "What is of most use of the rest."


def primary_op(on: Preparing, decision: Pick) -> tuple[str, str]:
    """What is likely to score most: known only for the tac op that was chosen."""
    own = on.game.state.choices.get(f"{on.prospect.side}:tac op", "")
    tac = TAC_OPS[own].usual_vp if own in TAC_OPS else 0.0
    usual = {"crit": 3.6, "kill": 3.4, "tac": tac}
    best = on.mixed({key: usual.get(key, 0.0) / 2 for key in decision.open_keys})
    return best, "It is likely to score most."


def scouting(on: Preparing, decision: Pick) -> tuple[str, str]:
    worth = {"ploy": 0.5, "equip": 0.3, "reposition": 0.2}
    return on.mixed({key: worth.get(key, 0.0) for key in decision.open_keys}), "It may bring the initiative as well."


def gambit(on: Preparing, decision: Pick) -> tuple[str, str]:
    """Whatever is free; then a strategy ploy that suits, while enough CP stay for the firefight."""
    game, side = on.game, on.prospect.side
    ploys = game.battle.teams[side].strategy_ploys()
    keys = [key for key in decision.open_keys if key != "pass"]
    free = [key for key in keys if key not in ploys]
    if free:
        return free[0], "It costs nothing."
    if not keys:
        return "pass", "There is nothing to use."
    worth = {key: strategy_worth(on.prospect, key) for key in keys}
    best = max(keys, key=lambda key: (worth[key].gain, key))
    gain, cost = worth[best]
    is_kept = game.state.turning_point < 2 or game.state.cp[side] - cost < 1
    if cost == 0 or (not is_kept and gain > cost * on.prospect.cp_worth()):
        name = next(option.text for option in decision.options if option.key == best).partition(" (")[0]
        return best, f"{name} is worth {max(0.0, gain):.1f} VP, about."
    return "pass", "The CP are better kept for the firefight."


def by_forecast(on: Preparing, decision: Pick) -> tuple[str, str] | None:
    """Who is envoy: whoever can get to where an envoy pays, and is hard to hurt there."""
    prospect = on.prospect
    zone = prospect.battle.territory(other(prospect.side))
    xs, ys = zip(*zone, strict=True)

    def far(key: str) -> tuple[float, int, str]:
        who = prospect.who(key)
        x = max(min(xs) + 1, min(max(xs) - 1, who.x / 1000))
        y = max(min(ys) + 1, min(max(ys) - 1, who.y / 1000))
        goal = (round(1000 * x), round(1000 * y), 0)
        way = prospect.roads.far(prospect.battle.table, prospect.state, goal, who.point)
        return max(0.0, way - 4) + (3.0 if prospect.battle.engaged_with(who) else 0.0), -who.wounds, key

    best = min(decision.open_keys, key=far)
    return best, "It gets there."


def claim(on: Preparing, decision: Pick) -> tuple[str, str]:
    """A marker that is held already."""
    held = [key for key in decision.open_keys if key.endswith(" 1")]
    mine = [key for key in held if on.game.state.markers[key[:-2]].controller == on.prospect.side]
    return (mine or held or decision.open_keys)[0], "It is ours already."


PREPARATIONS: dict[str, Callable[[Preparing, Any], tuple[Any, str] | None]] = {
    "tac op": tac_op,
    "equipment": equipment,
    "equip": more_equipment,
    "primary op": primary_op,
    "scouting": scouting,
    "gambit": gambit,
    "envoy": by_forecast,
    "claim": claim,
}
"""By topic."""
