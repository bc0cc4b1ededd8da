"""Pick Up Marker and Place Marker."""

from __future__ import annotations

from random import Random

from ktsim.rules.engine.action import Action, Impossible, after, refuses_close
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Place, Steps, Topic, ask, pick
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import MarkerGone, MarkerPlaced, MarkerTaken
from ktsim.rules.engine.placing import refuses_lying
from ktsim.rules.engine.state import MarkerState, OperativeState, Point, Side, inches

PLACES = 200
"""Places that are tried where a marker cannot lie under who puts it down."""


class PickUp(Action):
    name, id = "Pick Up Marker", "KT24-PICKUP"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if (near := battle.engaged_with(who)) and not battle.waived(who, self, "control range"):
            return refuses_close(battle, self.name, near)
        if any(may_carry(battle, who, marker) for marker in self.markers(battle, who)):
            return None
        if battle.state.carried_by(who.id):
            return f"{self.name}: already carrying a marker."
        return f"{self.name}: controls no marker that may be picked up."

    def is_meant(self, battle: Battle, marker: MarkerState) -> bool:
        """Whether this action takes such markers."""
        return marker.can_be_picked_up

    def markers(self, battle: Battle, who: OperativeState) -> list[MarkerState]:
        """The markers within reach: its side controls them and they are in its control range."""
        state = battle.state
        return [
            marker
            for marker in state.markers.values()
            if self.is_meant(battle, marker)
            and marker.carrier is None
            and marker.controller == who.side
            and marker.owner in (None, who.side)
            and all(rule.may_pick_up(battle, who, marker) for rule in battle.having("may_pick_up"))
            and battle.table.reaches(state, who.id, marker.point, inches(marker.radius))
        ]

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        found = {marker.id: marker for marker in self.markers(battle, who) if may_carry(battle, who, marker)}
        options = [Option(id, battle.name(id)) for id in found]
        marker = yield from pick(who.side, "marker", "Which marker is picked up?", options, found)
        yield MarkerTaken(marker.id, who.id)


def may_carry(battle: Battle, who: OperativeState, marker: MarkerState) -> bool:
    """One marker at a time, and a second one where a rule allows the two together."""
    carried = battle.state.carried_by(who.id)
    if not carried:
        return True
    rules = battle.having("may_carry_both")
    return len(carried) == 1 and any(rule.may_carry_both(battle, who, carried[0], marker) for rule in rules)


class PlaceMarker(Action):
    name, id = "Place Marker", "KT24-PLACE"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if not battle.state.carried_by(who.id):
            return "Place Marker: carries no marker."
        return None if who.is_incapacitated else after(battle, who, self.name, "Pick Up Marker")

    def perform(self, battle: Battle, who: OperativeState) -> Steps[None]:
        carried = {marker.id: marker for marker in battle.state.carried_by(who.id)}
        if not carried:
            raise Impossible("no marker is carried")
        options = [Option(id, battle.name(id)) for id in carried]
        marker = yield from pick(who.side, "carried marker", "Which marker is placed?", options, carried)
        if battle.having("refuses_marker_at") and not has_place(battle, who, marker):
            if not who.is_incapacitated:
                raise Impossible("there is no place for the marker")
            yield Told("{0} is removed with {1}: there is no place for it.", self.id, (marker.id, who.id))
            yield MarkerGone(marker.id)
            return
        prompt = f"{who.name} places {battle.name(marker.id)} within its control range."
        point = yield from ask_place(battle, who, marker, "place marker", prompt, who.side)
        yield MarkerPlaced(marker.id, who.id, point)


def has_place(battle: Battle, who: OperativeState, marker: MarkerState) -> bool:
    """Whether a place for the marker within its control range is found."""
    rng = Random(0)
    tried = ((who.x + rng.randint(-1800, 1800), who.y + rng.randint(-1800, 1800), who.level) for _ in range(PLACES))
    return any(refuses_marker(battle, who, marker, point) is None for point in (who.point, *tried))


def ask_place(
    battle: Battle, who: OperativeState, marker: MarkerState, topic: Topic, prompt: str, side: Side
) -> Steps[Point]:
    """Where *side* puts the marker within the operative's control range."""

    tries = 6 if refuses_marker(battle, who, marker, who.point) is None else PLACES

    def suggest(rng: Random) -> Point:
        """Somewhere near; under the operative itself if nothing else is found."""
        for _ in range(tries):
            point = (who.x + rng.randint(-1200, 1200), who.y + rng.randint(-1200, 1200), who.level)
            if refuses_marker(battle, who, marker, point) is None:
                return point
        return who.point

    return (
        yield from ask(
            Place(
                seat=side,
                topic=topic,
                prompt=prompt,
                default=suggest(Random(0)) if tries == PLACES else who.point,
                about=marker.id,
                refuse=lambda point: refuses_marker(battle, who, marker, point),
                suggest=suggest,
                rule=PlaceMarker.id,
            )
        )
    )


def refuses_marker(battle: Battle, who: OperativeState, marker: MarkerState, point: Point) -> str | None:
    """Why the marker cannot be placed there. Under its carrier it always can, unless a rule in force says otherwise."""
    for rule in battle.having("refuses_marker_at"):
        if (why := rule.refuses_marker_at(battle, marker, point)) is not None:
            return why
    if point == who.point:
        return None
    if (why := refuses_lying(battle, point, marker.radius)) is not None:
        return why
    if not battle.table.reaches(battle.state, who.id, point, inches(marker.radius)):
        return f"The marker would not be within {who.name}'s control range."
    return None
