"""Tac ops of Infiltration: Track Enemy, Steal Intelligence, Plant Devices."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.markers import ask_place
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.operative_events import MarkerAppeared, MarkerTokenSet
from ktsim.rules.engine.state import MarkerState, OperativeState, Side
from ktsim.rules.kt24.ops.op import TacOp, contesting, with_token
from ktsim.rules.kt24.ops.op_action import ObjectiveAction
from ktsim.rules.kt24.ops.places import objective_owner
from ktsim.sight.scene import EPS

TRACKING_DISTANCE = 6.0


class TrackEnemy(TacOp):
    key, name, id, archetype = "track-enemy", "Track Enemy", "KT24-OP-TRACK-ENEMY", "infiltration"
    text = 'Friends on Conceal track enemies within 6" they could target and that could not target them.'

    def is_tracked(self, battle: Battle, enemy: OperativeState) -> bool:
        return any(self.tracks(battle, friend, enemy) for friend in battle.state.side(self.side))

    def tracks(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        """Whether *friend* tracks the enemy. Valid targets as without any weapon's rules."""
        table, state = battle.table, battle.state
        return (
            friend.order == "conceal"
            and table.distance(state, friend.id, enemy.id) <= TRACKING_DISTANCE + EPS
            and not battle.engaged_with(friend)
            and table.target_ruling(state, friend.id, enemy.id, ()).is_valid
            and not table.target_ruling(state, enemy.id, friend.id, ()).is_valid
        )

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        tracked = [enemy.name for enemy in battle.state.side(self.enemy) if self.is_tracked(battle, enemy)]
        if tracked:
            is_full = len(tracked) >= 2 or battle.state.turning_point == battle.edition.turning_points
            yield from self.score(battle, self.side, 2 if is_full else 1, f"tracked: {', '.join(tracked)}")


class StealIntelligence(TacOp):
    """The markers are the side's own to pick up, and it places them. Leaving the first one reveals the op."""

    key, name, id, archetype = "steal-intelligence", "Steal Intelligence", "KT24-OP-STEAL-INTELLIGENCE", "infiltration"
    text = "Incapacitated enemies leave Intelligence markers. 1VP while any is carried; at the end 1VP per carried one."

    def is_mine(self, marker: MarkerState) -> bool:
        return marker.kind == "intelligence" and marker.owner == self.side

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        if who.side == self.enemy:
            yield from self.reveal(battle)
            left = MarkerState(f"intelligence-{who.id}", "intelligence", *who.point, MARKER_RADIUS)
            prompt = f"Where does {who.name} leave its Intelligence marker, within its control range?"
            point = yield from ask_place(battle, who, left, "intelligence", prompt, self.side)
            yield MarkerAppeared(left.id, left.kind, point, left.radius, True, owner=self.side)

    def may_carry_both(self, battle: Battle, who: OperativeState, carried: MarkerState, other: MarkerState) -> bool:
        """Two Intelligence markers, or one and another marker."""
        return who.side == self.side and (self.is_mine(carried) or self.is_mine(other))

    def carried(self, battle: Battle) -> int:
        return sum(self.is_mine(marker) and marker.carrier is not None for marker in battle.state.markers.values())

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        if self.carried(battle):
            yield from self.score(battle, self.side, 1, "an Intelligence marker is carried")

    def battle_ends(self, battle: Battle) -> Steps[None]:
        count = self.carried(battle)
        yield from self.score(battle, self.side, count, f"{count} Intelligence markers carried", at_end=True)


class PlantDevice(ObjectiveAction):
    name, id, is_of_tac_op = "Plant Device", "KT24-OP-PLANT-DEVICES", True

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        return f"{battle.name(marker.id)} has one of your devices." if marker.tokens.get(f"device:{side}") else None

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        yield MarkerTokenSet(marker.id, f"device:{who.side}", 1, f"{who.name} plants a device on {{0}}.")


class PlantDevices(TacOp):
    key, name, id, archetype = "plant-devices", "Plant Devices", PlantDevice.id, "infiltration"
    text = "Plant devices on markers you control. 1VP if the enemy's has one, 1VP for each other that enemies contest."

    def own_actions(self) -> Sequence[Action]:
        return (PlantDevice(),)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        for marker in with_token(battle, f"device:{self.side}"):
            name = battle.name(marker.id)
            if objective_owner(battle, marker.id) == self.enemy:
                yield from self.score(battle, self.side, 1, f"device on {name}")
            elif contesting(battle, self.enemy, marker):
                yield from self.score(battle, self.side, 1, f"device on {name}, which the enemy contests")
