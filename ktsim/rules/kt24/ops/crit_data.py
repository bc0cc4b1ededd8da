"""Crit ops about data: Download, Data."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import Noted
from ktsim.rules.engine.operative_events import MarkerTokenSet
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Side
from ktsim.rules.kt24.ops.op import CritOp, ObjectiveAction, controlled, objective_owner, objectives, with_token

DOWNLOAD_VP = {3: 1, 4: 2}


class DownloadAction(ObjectiveAction):
    """In the second turning point too: it pays nothing then, and nobody else downloads from the marker any more."""

    name, id = "Download", "KT24-OP-DOWNLOAD"

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        if objective_owner(battle, marker.id) == side:
            return "only the centre marker and the enemy's."
        if is_downloaded(marker):
            return f"{battle.name(marker.id)} was downloaded before."
        return None

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        turn = battle.state.turning_point
        yield MarkerTokenSet(marker.id, f"downloaded:{who.side}", turn, f"{who.name} downloads from {{0}}.")


def is_downloaded(marker: MarkerState) -> bool:
    return any(marker.tokens.get(f"downloaded:{side}") for side in SIDES)


class Download(CritOp):
    """A marker is downloaded once per battle, by whoever comes first."""

    key, name, id = "download", "Download", "KT24-OP-DOWNLOAD"
    text = (
        "Download the centre and the enemy marker, once each: 1VP in turning point 3, 2VP in 4. 1VP for controlling "
        "more markers that are not downloaded."
    )

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (DownloadAction(),)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        turn = battle.state.turning_point
        for side in SIDES:
            for marker in with_token(battle, f"downloaded:{side}"):
                if marker.tokens[f"downloaded:{side}"] == turn and (vp := DOWNLOAD_VP.get(turn)):
                    yield from self.score(battle, side, vp, f"{battle.name(marker.id)} downloaded")
        left = [marker for marker in objectives(battle) if not is_downloaded(marker)]
        yield from self.score_more(
            battle, controlled(battle, among=left), "controls more markers that are not downloaded"
        )


class Compile(ObjectiveAction):
    name, id = "Compile", "KT24-OP-DATA"

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        if marker.tokens.get("compiled"):
            return f"{battle.name(marker.id)} was compiled on in this turning point."
        return None

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        points = marker.tokens.get("data", 0) + 1
        yield MarkerTokenSet(marker.id, "compiled", 1)
        yield MarkerTokenSet(marker.id, "data", points, f"{who.name} compiles: {{0}} has {counted(points)}.")
        yield Noted(compiles_key(who.side), battle.state.notes.get(compiles_key(who.side), 0) + 1)


class Send(ObjectiveAction):
    """Sends every point of the marker; they are gone from it."""

    name, id, first_turn = "Send", "KT24-OP-DATA", 4

    def refuses(self, battle: Battle, side: Side, marker: MarkerState) -> str | None:
        return None if marker.tokens.get("data") else f"{battle.name(marker.id)} has no data points."

    def upon(self, battle: Battle, who: OperativeState, marker: MarkerState) -> Steps[None]:
        points = marker.tokens["data"]
        yield MarkerTokenSet(marker.id, "data", 0, f"{who.name} sends {counted(points)} from {{0}}.")
        yield from Data().score(battle, who.side, points, f"{counted(points)} sent")


def counted(points: int) -> str:
    return f"{points} data point{'' if points == 1 else 's'}"


def compiles_key(side: Side) -> str:
    return f"{side}:compiles"


class Data(CritOp):
    key, name, id = "data", "Data", "KT24-OP-DATA"
    text = (
        "Compile points on controlled markers, once each per turning point; 1VP for compiling more in turning points 2 "
        "and 3. Send the points in turning point 4 for that many VP."
    )

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (Compile(), Send())

    def promise(self, battle: Battle, side: Side) -> float:
        """Points are sent in the last turning point, by whoever controls the marker then."""
        held = [m.tokens["data"] for m in with_token(battle, "data") if m.controller == side]
        return 0.5 * sum(held)

    def ready_step(self, battle: Battle) -> Steps[None]:
        for marker in with_token(battle, "compiled"):
            yield MarkerTokenSet(marker.id, "compiled", 0)
        for side in SIDES:
            if battle.state.notes.get(compiles_key(side)):
                yield Noted(compiles_key(side), 0)

    def score_turning_point(self, battle: Battle) -> Steps[None]:
        if battle.state.turning_point in (2, 3):
            counts = {side: battle.state.notes.get(compiles_key(side), 0) for side in SIDES}
            yield from self.score_more(battle, counts, "compiled more often")
