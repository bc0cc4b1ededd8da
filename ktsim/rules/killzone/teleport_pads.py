"""Teleport pads (KZ-TOMB-PAD): being set up on the other pad instead of moving. Where one may stand on a pad, and what
a path from one to the other is, is moving's to judge.

Our readings: an operative that counteracts goes no further than it could move, so no pad takes it; one set up on the
other pad counts as having moved by that action (for Heavy), but nothing happens on a way it did not go, and nothing can
be done in the middle of it. When somebody swaps, both are off the table and then set up, the one that acts first.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

from ktsim.rules.engine.action import Action, Impossible
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Place, Steps, ask
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, Point, inches, milli
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.engine.table_events import SetAside, Teleported
from ktsim.sight.pads import RULE, Pad, pad_under

FIRST_TURNING_POINT = 2
MOVES = ("Charge", "Fall Back", "Reposition")
TRIES = 40


class TeleportPads(Rule):
    id, name = RULE, "Teleport Pads"

    def move_request(self, battle: Battle, who: OperativeState, action: Action, request: MoveRequest) -> MoveRequest:
        now = battle.state.activation
        is_counteracting = now is not None and now.operative == who.id and now.kind == "counteraction"
        if battle.state.turning_point < FIRST_TURNING_POINT or is_counteracting or pad_of(battle, who.point) is None:
            return request
        return replace(request, teleports=True) if action.counted in MOVES else request

    def teleport(self, battle: Battle, who: OperativeState, to: Point) -> Steps[None]:
        left, pad = pad_of(battle, who.point), pad_of(battle, to)
        if left is None or pad is None:
            raise Impossible("it is on no pad")
        there = [each for each in battle.state.operatives.values() if each.is_in_killzone and each.id != who.id]
        swapping = [each for each in there if pad_of(battle, each.point) is pad]
        if swapping:
            yield SetAside((who.id, *(each.id for each in swapping)))
        yield Teleported(who.id, to)
        yield Told("{0} is set up on {1} instead of moving.", RULE, (who.id, pad.id))
        for each in swapping:
            point = yield from ask_place(battle, each, left)
            yield Teleported(each.id, point)
            yield Told("{0} swaps and is set up on {1}.", RULE, (each.id, left.id))
        for each in (who, *swapping):
            for rule in battle.in_turn("set_up_again"):
                yield from rule.set_up_again(battle, each)


def pad_of(battle: Battle, point: Point) -> Pad | None:
    """The pad that whoever is at a point stands on."""
    return pad_under(battle.board.terrain, *map(inches, point))


def ask_place(battle: Battle, who: OperativeState, pad: Pad) -> Steps[Point]:
    """Where on the pad its own player sets up the operative that swaps."""
    middle = (milli(pad.centre[0]), milli(pad.centre[1]), who.level)

    def refuse(point: Point) -> str | None:
        if pad_of(battle, point) is not pad:
            return f"{who.name} is set up on {battle.name(pad.id)}."
        return battle.table.mover.refuses_to_stand(battle.table, battle.state, who.id, point)

    def suggest(rng: Random) -> Point:
        left, near, right, far = map(milli, pad.box)
        tried = ((rng.randint(left, right), rng.randint(near, far), who.level) for _ in range(TRIES))
        return next((point for point in tried if refuse(point) is None), middle)

    if (why := refuse(middle)) is not None:
        raise Impossible(f"{who.name} finds no room: {why}")
    return (
        yield from ask(
            Place(
                seat=who.side,
                topic="swap",
                prompt=f"{who.name} swaps: set it up on {battle.name(pad.id)}.",
                default=middle,
                about=who.id,
                refuse=refuse,
                suggest=suggest,
                rule=RULE,
            )
        )
    )
