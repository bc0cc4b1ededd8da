"""Crit ops about claims and cells: Stake Claim, Energy Cells, Reboot."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.markers import PickUp
from ktsim.rules.engine.operative_events import MarkerTokenSet
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Side, other
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt24.ops.op import CritOp, ObjectiveAction, contesting, controlled, markers, objectives, with_token

WE_CONTROL, NOT_CONTESTED = 1, 2
CLAIMS = {WE_CONTROL: "we will control it", NOT_CONTESTED: "they will not contest it"}


def in_initiative_order(battle: Battle) -> tuple[Side, Side]:
    first = battle.state.initiative or "red"
    return first, other(first)


class StakeClaim(CritOp):
    """Each player claims each marker once per battle. A claim is about the end of its turning point."""

    key, name, id = "stake-claim", "Stake Claim", "KT24-OP-STAKE-CLAIM"
    text = "Every Gambit step claim one marker, each once. 1VP for controlling more, 1VP for a true claim."

    def gambit_step(self, battle: Battle) -> Steps[None]:
        for side in SIDES:
            for marker in with_token(battle, f"claim:{side}"):
                yield MarkerTokenSet(marker.id, f"claim:{side}", 0)
        if not self.is_scored(battle):
            return
        for side in in_initiative_order(battle):
            yield from self.claim_marker(battle, side)

    def claim_marker(self, battle: Battle, side: Side) -> Steps[None]:
        options, values = [], {}
        for marker in objectives(battle):
            used = "claimed before in this battle." if marker.tokens.get(f"claimed:{side}") else None
            for claim, words in CLAIMS.items():
                key = f"{marker.id} {claim}"
                options.append(Option(key, f"{battle.name(marker.id)}: {words}", used, self.id))
                values[key] = (marker, claim)
        if all(option.refusal for option in options):
            return
        marker, claim = yield from pick(side, "claim", "Which marker do you claim, and what about it?", options, values)
        yield MarkerTokenSet(marker.id, f"claimed:{side}", 1)
        told = f"{battle.name(side)} claims about {{0}}: {CLAIMS[claim]}."
        yield MarkerTokenSet(marker.id, f"claim:{side}", claim, told)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        yield from self.score_more(battle, controlled(battle), "controls more markers")
        for side in SIDES:
            for marker in with_token(battle, f"claim:{side}"):
                if self.is_true(battle, side, marker):
                    claim = CLAIMS[marker.tokens[f"claim:{side}"]]
                    yield from self.score(battle, side, 1, f"a true claim about {battle.name(marker.id)}, {claim}")

    def is_true(self, battle: Battle, side: Side, marker: MarkerState) -> bool:
        if marker.tokens[f"claim:{side}"] == WE_CONTROL:
            return marker.controller == side
        return not contesting(battle, other(side), marker)


class PickUpCell(PickUp):
    """Pick Up Marker for an objective marker: dearer early in the battle, and not in the first turning point."""

    name, id, counts_as = "Pick Up Energy Cell", "KT24-OP-ENERGY-CELLS", "Pick Up Marker"

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if battle.state.turning_point < 2:
            return f"{self.name}: not before turning point 2."
        return super().refusal(battle, who)

    def is_meant(self, battle: Battle, marker: MarkerState) -> bool:
        return marker.kind == "objective"


class EnergyCells(CritOp):
    key, name, id = "energy-cells", "Energy Cells", "KT24-OP-ENERGY-CELLS"
    text = "Markers may be picked up, later more easily. 1VP for controlling more, 1VP for each carried at the end."

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (PickUpCell(),)

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if stat != f"ap:{PickUpCell.name}":
            return number
        dearer = min(2, max(0, 4 - battle.state.turning_point))
        return number.plus(dearer, self.id, f"turning point {battle.state.turning_point}")

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        yield from self.score_more(battle, controlled(battle), "controls more markers")

    def battle_ends(self, battle: Battle) -> Steps[None]:
        for marker in objectives(battle):
            if marker.carrier is not None:
                side = battle.state.operatives[marker.carrier].side
                yield from self.score(battle, side, 1, f"carries {battle.name(marker.id)}", at_end=True)


class RebootAction(ObjectiveAction):
    name, id, ap = "Reboot", "KT24-OP-REBOOT", 2

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        return None if marker.tokens.get("inert") else f"{battle.name(marker.id)} is not inert."

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        yield MarkerTokenSet(marker.id, "inert", 0, f"{who.name} reboots {{0}}.")


class Reboot(CritOp):
    """One marker is inert at a time: the next Gambit step's takes the place of the one before.

    Nothing hangs on it in the first turning point, so the picks begin in the second.
    """

    key, name, id = "reboot", "Reboot", "KT24-OP-REBOOT"
    text = "Every Gambit step secret picks make one marker inert. 1VP per controlled marker that is not."

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (RebootAction(),)

    def gambit_step(self, battle: Battle) -> Steps[None]:
        if not self.is_scored(battle):
            return
        markers = {marker.id: marker for marker in objectives(battle)}
        options = [Option(id, battle.name(id)) for id in markers]
        picks = []
        for side in in_initiative_order(battle):
            found = yield from pick(
                side,
                "inert",
                "Pick a marker in secret: if both pick the same it is inert, else the third is.",
                options,
                markers,
                secret=True,
            )
            picks.append((side, found))
        for side, found in picks:
            yield Told("{0} picked {1}.", self.id, (side, found.id))
        inert = self.inert([found for _, found in picks], list(markers.values()))
        for marker in markers.values():
            if marker.tokens.get("inert"):
                yield MarkerTokenSet(marker.id, "inert", 0)
        yield MarkerTokenSet(inert.id, "inert", 1, "{0} is inert.")

    def inert(self, picks: Sequence[MarkerState], markers: Sequence[MarkerState]) -> MarkerState:
        """The same pick: that one; different picks: the one nobody picked."""
        if picks[0] is picks[1]:
            return picks[0]
        return next(marker for marker in markers if marker not in picks)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        awake = [marker for marker in objectives(battle) if not marker.tokens.get("inert")]
        for side, count in controlled(battle, among=awake).items():
            yield from self.score(battle, side, count, f"{markers(count)} controlled, not inert")
