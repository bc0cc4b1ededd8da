"""Crit ops about holding markers that something was done to: Secure, Loot, Transmission, Orb."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.operative_events import MarkerTokenSet
from ktsim.rules.engine.rule import Draw
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Side, other
from ktsim.rules.kt24.ops.op import (
    CritOp,
    ObjectiveAction,
    TokenAction,
    controlled,
    marker_draw,
    markers,
    objective_owner,
    objectives,
    with_token,
)


class SecureAction(TokenAction):
    name, id = "Secure", "KT24-OP-SECURE"
    token, has, told = "secured", "is secured already", "secures"

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        yield MarkerTokenSet(marker.id, f"secured:{other(who.side)}", 0)
        yield from super().upon(battle, who, marker)


class Secure(CritOp):
    """A secured marker stays secured, controlled or not, until the enemy secures it."""

    key, name, id = "secure", "Secure", "KT24-OP-SECURE"
    text = (
        "Secure markers you control; they stay yours until the enemy secures them. 1VP for holding any, 1VP for "
        "holding more than the opponent."
    )

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (SecureAction(),)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        held = {side: len(with_token(battle, f"secured:{side}")) for side in SIDES}
        for side in SIDES:
            if held[side]:
                yield from self.score(battle, side, 1, "holds a secured marker")
        yield from self.score_more(battle, held, "holds more secured markers")


class LootAction(ObjectiveAction):
    name, id = "Loot", "KT24-OP-LOOT"

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        if any(marker.tokens.get(f"looted:{each}") for each in SIDES):
            return f"{battle.name(marker.id)} was looted in this turning point."
        return None

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        yield MarkerTokenSet(marker.id, f"looted:{who.side}", 1, f"{who.name} loots {{0}}.")


class Loot(CritOp):
    """A marker is looted once per turning point, by whoever comes first."""

    key, name, id = "loot", "Loot", "KT24-OP-LOOT"
    text = "Loot markers you control, each once per turning point: 1VP each, at most 2 per turning point."
    most_per_turn = 2

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (LootAction(),)

    def ready_step(self, battle: Battle) -> Steps[None]:
        for side in SIDES:
            for marker in with_token(battle, f"looted:{side}"):
                yield MarkerTokenSet(marker.id, f"looted:{side}", 0)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        for side in SIDES:
            for marker in with_token(battle, f"looted:{side}"):
                yield from self.score(battle, side, 1, f"{battle.name(marker.id)} looted")


class Transmit(ObjectiveAction):
    name, id = "Transmit", "KT24-OP-TRANSMISSION"

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        return f"{battle.name(marker.id)} is transmitting." if marker.tokens.get("transmitting") else None

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        yield MarkerTokenSet(marker.id, "transmitting", 1, f"{who.name} lets {{0}} transmit.")


class Transmission(CritOp):
    """It does not matter who made a marker transmit: who controls it at the end scores."""

    key, name, id = "transmission", "Transmission", "KT24-OP-TRANSMISSION"
    text = "Let markers transmit until the next turning point. 1VP for controlling any that does, 1VP for more."

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (Transmit(),)

    def ready_step(self, battle: Battle) -> Steps[None]:
        for marker in with_token(battle, "transmitting"):
            yield MarkerTokenSet(marker.id, "transmitting", 0)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        held = controlled(battle, among=with_token(battle, "transmitting"))
        for side in SIDES:
            if held[side]:
                yield from self.score(battle, side, 1, "controls a transmitting marker")
        yield from self.score_more(battle, held, "controls more transmitting markers")


class MoveOrb(ObjectiveAction):
    """From the centre marker to either player's, from a player's to the centre."""

    name, id = "Move Orb", "KT24-OP-ORB"

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        return None if marker.tokens.get("orb") else f"the orb is not on {battle.name(marker.id)}."

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        from_centre = objective_owner(battle, marker.id) is None
        goals = {m.id: m for m in objectives(battle) if (objective_owner(battle, m.id) is None) != from_centre}
        options = [Option(id, battle.name(id)) for id in goals]
        goal = yield from pick(who.side, "orb", "Where does the orb go?", options, goals)
        yield MarkerTokenSet(marker.id, "orb", 0)
        yield MarkerTokenSet(goal.id, "orb", 1, f"{who.name} moves the orb to {{0}}.")


class Orb(CritOp):
    key, name, id = "orb", "Orb", "KT24-OP-ORB"
    text = "The orb starts on the centre marker and is moved about. 1VP per controlled marker without it."

    def begin(self, battle: Battle) -> Steps[None]:
        for marker in objectives(battle):
            if objective_owner(battle, marker.id) is None:
                yield MarkerTokenSet(marker.id, "orb", 1, "The orb is on {0}.")

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (MoveOrb(),)

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        lying = [marker for marker in objectives(battle) if marker.carrier is None]
        return [marker_draw(battle, who, m, 0.4 if m.tokens.get("orb") else 1.0) for m in lying]

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        free = [marker for marker in objectives(battle) if not marker.tokens.get("orb")]
        for side, count in controlled(battle, among=free).items():
            yield from self.score(battle, side, count, f"{markers(count)} controlled without the orb")
