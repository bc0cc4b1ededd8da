"""The three joint missions: a raid, a hunt, and a stand."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.geometry.plane import length
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board, Footprint
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Noted, Told, VpScored
from ktsim.rules.engine.mission import MARKER_RADIUS
from ktsim.rules.engine.rule import Draw
from ktsim.rules.engine.state import MarkerState, OperativeState, Point, Side, inches, milli
from ktsim.rules.engine.table import CONTROL_RANGE
from ktsim.rules.kt24.joint.mission import JointMission, joint_data
from ktsim.rules.kt24.joint.sides import MACHINE, PLAYERS


def _draw(battle: Battle, who: OperativeState, marker: MarkerState, worth: float) -> Draw:
    contact = battle.table.radius(who) + inches(marker.radius) + CONTROL_RANGE
    return Draw(marker.point, worth, contact, f"to {battle.name(marker.id)}")


class SupplyRaid(JointMission):
    """Carry crates home."""

    key, id = "joint-supply-raid", "JOINT-RAID"
    name = joint_data()["joint-supply-raid"]["name"]

    def markers(self, board: Board) -> list[MarkerState]:
        return [
            MarkerState(f"crate-{n}", "crate", milli(x), milli(y), milli(level), MARKER_RADIUS, True, owner=PLAYERS)
            for n, (x, y, level) in enumerate(board.objectives, 1)
        ]

    def name_of(self, battle: Battle, marker: str) -> str:
        return marker.replace("-", " ") if marker.startswith("crate-") else ""

    def at_home(self, battle: Battle) -> list[MarkerState]:
        """The crates in the players' drop zone: carried by somebody standing in it, or lying in it."""
        zone, found = battle.drop_zone(PLAYERS), []
        for marker in battle.state.markers.values():
            carrier = battle.state.operatives.get(marker.carrier or "")
            foot = Footprint.disc(marker.point, inches(marker.radius)) if carrier is None else battle.footprint(carrier)
            if marker.kind == "crate" and foot.gap(zone) == 0.0:
                found.append(marker)
        return found

    def needed(self, battle: Battle) -> int:
        return sum(marker.kind == "crate" for marker in battle.state.markers.values()) // 2 + 1

    def is_accomplished(self, battle: Battle) -> bool:
        return len(self.at_home(battle)) >= self.needed(battle)

    def note(self, battle: Battle) -> str:
        done = f"Crates in your drop zone: {len(self.at_home(battle))} of the {self.needed(battle)} needed."
        return f"{done} {super().note(battle)}"

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        for marker in list(battle.state.markers.values()):
            if marker.kind == "crate" and marker.carrier is not None:
                yield VpScored(PLAYERS, 1, f"{battle.name(marker.id)} is carried", rule=self.id)

    def battle_ends(self, battle: Battle) -> Steps[None]:
        for marker in self.at_home(battle):
            yield VpScored(PLAYERS, 3, f"{battle.name(marker.id)} is home", rule=self.id, at_end=True)
        yield from super().battle_ends(battle)

    def promise(self, battle: Battle, side: Side) -> float:
        """A crate that is carried is worth the more the nearer it is to the drop zone."""
        if side != PLAYERS:
            return 0.0
        zone, total = battle.drop_zone(PLAYERS), 0.0
        for marker in battle.state.markers.values():
            carrier = battle.state.operatives.get(marker.carrier or "")
            if marker.kind == "crate" and carrier is not None:
                total += 1.5 - 0.06 * min(24.0, battle.footprint(carrier).gap(zone))
        return total

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        """Whoever carries a crate is drawn home, others to those that lie about."""
        if who.side != PLAYERS:
            return ()
        if battle.state.carried_by(who.id):
            return [Draw(_nearest_in(battle, who), 3.0, 0.0, "home")]
        lying = [m for m in battle.state.markers.values() if m.kind == "crate" and m.carrier is None]
        home = self.at_home(battle)
        return [_draw(battle, who, marker, 1.5) for marker in lying if marker not in home]


def _nearest_in(battle: Battle, who: OperativeState) -> Point:
    """The corner or middle of the players' drop zone that is nearest."""
    zone = battle.drop_zone(PLAYERS)
    middle = tuple(sum(values) / len(zone) for values in zip(*zone, strict=True))
    inner = [((x + middle[0]) / 2, (y + middle[1]) / 2) for x, y in (*zone, middle)]
    x, y = min(inner, key=lambda at: (length(at[0] - inches(who.x), at[1] - inches(who.y)), at))
    return milli(x), milli(y), 0


class Overseer(JointMission):
    """Incapacitate one operative among many."""

    key, id = "joint-overseer", "JOINT-HUNT"
    name = joint_data()["joint-overseer"]["name"]
    quarry = "overseer"

    def quarries(self, battle: Battle) -> list[OperativeState]:
        """The overseer, as long as it lives."""
        return [who for who in battle.state.side(MACHINE) if who.card == f"{MACHINE}/{self.quarry}" and who.wounds > 0]

    def is_accomplished(self, battle: Battle) -> bool:
        return not self.quarries(battle)

    def is_decided(self, battle: Battle) -> bool:
        return self.is_lost(battle) or (battle.state.turning_point > 0 and self.is_accomplished(battle))

    def incapacitated(self, battle: Battle, who: OperativeState, by: str) -> Steps[None]:
        state = battle.state
        if who.side == MACHINE and who.card != f"{MACHINE}/{self.quarry}":
            yield Noted("guard fell", state.turning_point)
        elif who.side == MACHINE:
            left = battle.edition.turning_points - state.turning_point
            yield VpScored(PLAYERS, 5 + left, "the overseer is incapacitated", rule=self.id)

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        if battle.state.notes.get("guard fell") == battle.state.turning_point:
            yield VpScored(PLAYERS, 1, "guards fell in this turning point", rule=self.id)

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        if who.side != PLAYERS:
            return ()
        return [Draw(each.point, 3.0, 6.0, f"towards {each.name}") for each in self.quarries(battle)]


class HoldTheRelay(JointMission):
    """Keep the enemy from one marker."""

    key, id = "joint-relay", "JOINT-STAND"
    name = joint_data()["joint-relay"]["name"]
    most_damage = 3

    def markers(self, board: Board) -> list[MarkerState]:
        width, depth = board.terrain.board
        found = super().markers(board)
        centre = min(found, key=lambda m: (length(inches(m.x) - width / 2, inches(m.y) - depth / 2), m.id))
        return [MarkerState("relay", "objective", centre.x, centre.y, centre.level, centre.radius)]

    def name_of(self, battle: Battle, marker: str) -> str:
        return "the relay" if marker == "relay" else ""

    def damage(self, battle: Battle) -> int:
        return battle.state.notes.get("relay damage", 0)

    def is_accomplished(self, battle: Battle) -> bool:
        return self.damage(battle) < self.most_damage

    def is_lost(self, battle: Battle) -> bool:
        return super().is_lost(battle) or not self.is_accomplished(battle)

    def note(self, battle: Battle) -> str:
        return f"The relay has taken {self.damage(battle)} of {self.most_damage} damage. {super().note(battle)}"

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        if battle.state.turning_point < 2:
            return
        controller = battle.state.markers["relay"].controller
        if controller == PLAYERS:
            yield VpScored(PLAYERS, 2, "the relay is controlled", rule=self.id)
            return
        amount = 2 if controller == MACHINE else 1
        damage = min(self.most_damage, self.damage(battle) + amount)
        yield Noted("relay damage", damage)
        yield Told(f"The relay takes {amount} damage: {damage} of {self.most_damage}.", self.id)

    def promise(self, battle: Battle, side: Side) -> float:
        """Damage to the relay brings the end nearer."""
        return -2.0 * self.damage(battle) if side == PLAYERS else 0.0

    def behaviour(self, battle: Battle, who: OperativeState) -> tuple[str, ...]:
        """They come for the relay: whoever would advance goes there and holds it."""
        return tuple("hold" if word == "advance" else word for word in super().behaviour(battle, who))

    def draws(self, battle: Battle, who: OperativeState) -> Sequence[Draw]:
        return [_draw(battle, who, battle.state.markers["relay"], 2.0)]
