"""Random play that looks for places from which an enemy is tracked (KT24-OP-TRACK-ENEMY): hidden, near, seeing it."""

from __future__ import annotations

from random import Random

from ktsim.game.bots.view import BattleView, Budget
from ktsim.game.game import Game
from ktsim.geometry.plane import length
from ktsim.rules.engine.decisions import CANCEL, Walk
from ktsim.rules.engine.state import Path
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.kt24.ops.tac_infiltration import TRACKING_DISTANCE, TrackEnemy

LOOKED_AT = 16
"""How many places are looked at closely."""


def stalking_path(decision: Walk, game: Game, rng: Random) -> Path:
    """A way to a place from which the operative would track an enemy as everybody stands now; none if none is found."""
    request = decision.about
    if not isinstance(request, MoveRequest) or request.ends_in_control:
        return CANCEL
    view = BattleView(game.battle, Budget(0))
    table, who = view.battle.table, view.who(decision.operative)
    op, enemies = TrackEnemy(who.side), view.state.enemies(who.id)
    reach = 1000 * (TRACKING_DISTANCE + 1)
    places = [
        place
        for place in table.mover.places(table, view.state, request)
        if any(length(place[0] - each.x, place[1] - each.y) <= reach for each in enemies)
    ]
    who.order = "conceal"
    for place in rng.sample(places, min(LOOKED_AT, len(places))):
        view.put(who.id, place)
        if any(op.tracks(view.battle, who, enemy) for enemy in enemies):
            path = table.mover.route(game.battle.table, game.state, request, place)
            if path != CANCEL and decision.check(path) is None:
                return path
    return CANCEL
