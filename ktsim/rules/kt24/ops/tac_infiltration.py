"""Tac ops of Infiltration: Track Enemy, Steal Intelligence, Plant Devices."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.markers import ask_place
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.operative_events import MarkerAppeared
from ktsim.rules.engine.rule import Draw
from ktsim.rules.engine.state import MarkerState, OperativeState
from ktsim.rules.kt24.ops.op import TacOp, TokenAction, contesting, marker_draw, objective_owner, objectives, with_token
from ktsim.sight.scene import EPS

TRACKING_DISTANCE = 6.0


class TrackEnemy(TacOp):
    key, name, id, archetype = "track-enemy", "Track Enemy", "KT24-OP-TRACK-ENEMY", "infiltration"
    text = (
        'Friends on Conceal track enemies within 6" they could target and that could not target them. 1VP for one, 2VP '
        "for two, or for one in turning point 4."
    )
    usual_vp = 1.6

    def is_tracked(self, battle: Battle, enemy: OperativeState) -> bool:
        return any(self.tracks(battle, friend, enemy) for friend in battle.state.side(self.side))

    def tracks(self, battle: Battle, friend: OperativeState, enemy: OperativeState) -> bool:
        """Whether *friend* tracks the enemy. Valid targets as without any weapon's rules."""
        table, state = battle.table, battle.state
        return (
            friend.order == "conceal"
            and table.is_within(state, friend.id, enemy.id, TRACKING_DISTANCE + EPS)
            and not battle.engaged_with(friend)
            and table.target_ruling(state, friend.id, enemy.id, ()).is_valid
            and not table.target_ruling(state, enemy.id, friend.id, ()).is_valid
        )

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        tracked = [enemy.name for enemy in battle.state.side(self.enemy) if self.is_tracked(battle, enemy)]
        if tracked:
            is_full = len(tracked) >= 2 or battle.state.turning_point == battle.edition.turning_points
            yield from self.score(battle, self.side, 2 if is_full else 1, f"{', '.join(tracked)} tracked")


class StealIntelligence(TacOp):
    """The markers are the side's own to pick up, and it places them. Leaving the first one reveals the op."""

    key, name, id, archetype = "steal-intelligence", "Steal Intelligence", "KT24-OP-STEAL-INTELLIGENCE", "infiltration"
    text = "Incapacitated enemies leave Intelligence markers. 1VP while any is carried; at the end 1VP per carried one."
    usual_vp = 0.6

    def is_mine(self, marker: MarkerState) -> bool:
        return marker.kind == "intelligence" and marker.owner == self.side

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        if who.side == self.enemy:
            yield from self.reveal(battle)
            left = MarkerState(f"intelligence-{who.id}", "intelligence", *who.point, MARKER_RADIUS)
            prompt = f"Where does {who.name} leave its Intelligence marker, within its control range?"
            point = yield from ask_place(battle, who, left, "intelligence", prompt, self.side)
            told = f"{who.name} leaves an Intelligence marker."
            yield MarkerAppeared(left.id, left.kind, point, left.radius, True, owner=self.side, told=told)

    def may_carry_both(self, battle: Battle, who: OperativeState, carried: MarkerState, other: MarkerState) -> bool:
        """Two Intelligence markers, or one and another marker."""
        return who.side == self.side and (self.is_mine(carried) or self.is_mine(other))

    def carried(self, battle: Battle) -> int:
        return sum(self.is_mine(marker) and marker.carrier is not None for marker in battle.state.markers.values())

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        if self.carried(battle):
            yield from self.score(battle, self.side, 1, "an Intelligence marker carried")

    def battle_ends(self, battle: Battle) -> Steps[None]:
        count = self.carried(battle)
        what = f"{count} Intelligence marker{'' if count == 1 else 's'} carried"
        yield from self.score(battle, self.side, count, what, at_end=True)


class PlantDevice(TokenAction):
    name, id, is_of_tac_op = "Plant Device", "KT24-OP-PLANT-DEVICES", True
    token, has, told = "device", "has one of your devices", "plants a device on"


class PlantDevices(TacOp):
    key, name, id, archetype = "plant-devices", "Plant Devices", PlantDevice.id, "infiltration"
    text = "Plant devices on markers you control. 1VP if the enemy's has one, 1VP for each other that enemies contest."
    usual_vp = 1.1

    def own_actions(self) -> Sequence[Action]:
        return (PlantDevice(),)

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        left = [m for m in objectives(battle) if not m.tokens.get(f"device:{self.side}") and m.carrier is None]
        return [marker_draw(battle, who, marker, 0.6) for marker in left] if who.side == self.side else ()

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        for marker in with_token(battle, f"device:{self.side}"):
            name = battle.name(marker.id)
            if objective_owner(battle, marker.id) == self.enemy:
                yield from self.score(battle, self.side, 1, f"device on {name}")
            elif contesting(battle, self.enemy, marker):
                yield from self.score(battle, self.side, 1, f"device on {name}, which the enemy contests")
