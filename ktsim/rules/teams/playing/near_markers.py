"""Markers of a team's own that somebody sets off by coming near, as mines are."""

from __future__ import annotations

from collections.abc import Iterator

from ktsim.rules.engine.activation import remove_incapacitated, settle_control
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.operative_events import Stopped
from ktsim.rules.engine.state import MarkerState, OperativeState, Path, Point, inches
from ktsim.rules.kt24.equipment.mines import first_in_range, on
from ktsim.rules.teams.playing.bound_rule import BoundRule, Unknown
from ktsim.rules.teams.playing.force import Doing
from ktsim.rules.teams.playing.happening import Use, carry_out
from ktsim.rules.teams.playing.relocating import RelocatingRules
from ktsim.rules.teams.playing.sequences import TEAM

BACK = 0.05
"""The share of a leg that is gone back at a time to find where somebody can stand."""


class NearMarkers(RelocatingRules):
    """Rules for the first time a marker is within somebody's control range."""

    def moved(self, battle: Battle, who: OperativeState, path: Path) -> Steps[None]:
        """It is set off where the move comes to it, and the move ends there."""
        if who.point != path[-1]:
            return
        for marker, scene in list(self._set_off_by(battle, who)):
            if marker.id in battle.state.markers and (share := first_in_range(battle, who, marker, path)) is not None:
                yield from carry_out(Use(scene))
                if (point := _standing(battle, who, path, share)) != who.point:
                    yield Stopped(who.id, (*path[1 : 1 + int(share)], point), TEAM)
                return

    def look_around(self, battle: Battle) -> Steps[None]:
        """Whoever stands in range now, however it came there; of several the player with initiative says who."""
        for marker in [each for each in battle.state.markers.values() if each.owner == self.side]:
            near: dict[str, BoundRule] = {}
            for who in battle.state.operatives.values():
                scenes = [scene for each, scene in self._set_off_by(battle, who) if each.id == marker.id]
                point, radius = marker.point, inches(marker.radius)
                if scenes and battle.table.reaches(battle.state, who.id, point, radius):
                    near[who.id] = scenes[0]
            if near:
                options = [Option(id, battle.name(id)) for id in near]
                prompt = f"Who sets off {battle.name(marker.id)}?"
                scene = yield from pick(battle.state.initiative or "red", "mines", prompt, options, near)
                yield from carry_out(Use(scene))
                yield from remove_incapacitated(battle)
                yield from settle_control(battle)

    def _set_off_by(self, battle: Battle, who: OperativeState) -> Iterator[tuple[MarkerState, BoundRule]]:
        """The markers on the table that *who* would set off, and by which rule."""
        if not who.is_in_killzone or who.is_incapacitated:
            return
        for clause in self.by_moment.get("near-marker", ()):
            names = [str(each.main) for each in clause.rule.on]
            lying = [each for each in battle.state.markers.values() if each.kind in names and each.carrier is None]
            for marker in lying if lying else ():
                if marker.owner != self.side:
                    continue
                for one in battle.state.operatives.values():  # whoever laid it may be gone
                    if one.side != self.side or not self.has(battle, clause, one):
                        continue
                    try:
                        scene = self.placed(self.scene(battle, clause).but(me=one), Doing("near-marker", who))
                    except Unknown:
                        continue
                    yield marker, scene
                    break


def _standing(battle: Battle, who: OperativeState, path: Path, share: float) -> Point:
    """The last place up to there at which the operative can be placed."""
    mover = battle.table.mover
    while share > 0:
        if mover.refuses_to_stand(battle.table, battle.state, who.id, at := on(path, share)) is None:
            return at
        share -= BACK
    return path[0]
