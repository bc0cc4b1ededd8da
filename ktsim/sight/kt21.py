"""2021: what follows from the lines. Line of sight, cover, obscured and Vantage Points."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from ktsim.sight import levels, sources
from ktsim.sight.distances import BASE_MIDDLE, between, height_above, is_within
from ktsim.sight.lines import Fan, Hits, Reach, Source, above
from ktsim.sight.obstacles import can_intervene
from ktsim.sight.outcomes import Outcome, regions
from ktsim.sight.pair import PairJudge
from ktsim.sight.scene import EPS, Operative, Part
from ktsim.sight.visibility import visible

COVER_REACH = 1.0
NO_COVER_WITHIN = 2.0
OBSCURED_BEYOND = 2.0
SHOOTER_REACH = 1.0
RAMPART_GAP = 1.0
"""A rampart begins less than this above its floor; what is higher is a roof, or stands on one."""


class Judge21(PairJudge):
    """The rules of 2021."""

    origin_matters_everywhere = False
    with_operatives = True
    """Whether bases of others give cover."""

    def prepare(self) -> None:
        self.fan = Fan(self.scene, self.shooter, self.target, self._wanted(), whole=True, convention=self.convention)

    def _wanted(self) -> list[tuple[Source, Reach]]:
        found = sources.terrain_sources(self.scene, self.shooter, self.target)
        found = [above for source in found for above in self.not_below_target(source)]
        found += sources.wall_sources(self.scene, self.shooter, self.target, whole_hatches=True)
        cover = Reach("cover", near=COVER_REACH)
        obscured = Reach("obscured", far_target=OBSCURED_BEYOND, far_shooter=SHOOTER_REACH)
        wanted = [(source, obscured) for source in found if self.obscures(source)]
        if not is_within(self.distance, NO_COVER_WITHIN):
            wanted += [(source, cover) for source in found]
            wanted += [(source, cover) for source in self._bases()]
            under = Reach("cover", near=COVER_REACH, from_above=True)
            wanted += [(source, under) for source in self.ramparts()]
        return wanted

    def obscures(self, source: Source) -> bool:
        """Heavy where traits are given; a part without any obscures when it is taller than the target."""
        part = source.part
        if source.heavy or not isinstance(part, Part):
            return source.heavy
        top = self.target.level + float(self.target.figure.triangles[:, :, 2].max())
        return not part.traits & {"light", "vantage"} and part.top > top + EPS

    def not_below_target(self, source: Source) -> list[Source]:
        """KT21-VANTAGE: of the feature the target stands on, only what is at its level or above.

        Read as a matter of points, not of whole parts: a wall that rises through the level is there from it upwards.
        """
        part = source.part
        if not isinstance(part, Part) or part.feature not in self._own_features():
            return [source]
        if self.is_below_target(part):
            return []
        foot = self.target.level - EPS
        return [replace(source, triangles=above(source.triangles, foot), foot=foot)]

    def is_below_target(self, part: Part) -> bool:
        """Is it of the feature the target stands on, and wholly below it?"""
        return part.feature in self._own_features() and part.top <= self.target.level + levels.SAME_LEVEL

    def _own_features(self) -> set[str]:
        return {vantage.feature for vantage in self.target_vantage}

    def ramparts(self) -> list[Source]:
        """KT21-RAMPART: what rises from the target's Vantage Point counts for lines that pass underneath it too.

        Not what hangs or stands higher, such as the next floor: that is no rampart of this Vantage Point.
        """
        if height_above(self.target, self.shooter) <= EPS:
            return []
        mine = self._own_features()
        found = []
        for part in self.scene.parts():
            if part.feature not in mine or not can_intervene(part):
                continue
            foot = float(part.triangles[:, :, 2].min())
            if -levels.SAME_LEVEL <= foot - self.target.level < RAMPART_GAP:
                found.append(sources.outline_source(self.scene, part))
            elif foot < self.target.level and part.top > self.target.level + levels.SAME_LEVEL:
                found.append(sources.section_source(self.scene, part, self.target.level + BASE_MIDDLE))
        return found

    def _bases(self) -> list[Source]:
        """KT21-COVER: bases of other operatives that are themselves in the shooter's line of sight.

        Whether those are in cover is asked of terrain only; else two could hide each other for ever.
        """
        if not self.with_operatives:
            return []
        return [
            sources.base_source(self.scene, other, self.shooter, self.target)
            for other in self.scene.others(self.shooter.id, self.target.id)
            if self._is_beside_target(other) and self._in_line_of_sight(other)
        ]

    def _is_beside_target(self, other: Operative) -> bool:
        """Quick no: a base no part of which is within an inch of the target covers from nowhere."""
        reach = COVER_REACH + sum(max(each.base.along, each.base.across) for each in (other, self.target)) + EPS
        return (other.x - self.target.x) ** 2 + (other.y - self.target.y) ** 2 <= reach * reach

    def _in_line_of_sight(self, other: Operative) -> bool:
        seen = visible(self.scene, self.shooter.id, other.id, effort=self.effort).visible
        if not seen:
            return False
        distance = between(self.scene, self.shooter.id, other.id)
        judge = _AmongTerrain(self.scene, self.shooter, other, None, distance, seen, self.convention)
        return regions(judge)[0].outcome.valid

    # ---- what an origin's crossings mean ----

    def counts(self, code: int) -> bool:
        return True

    def goals(self) -> list[Hits]:
        zones = np.array([piece.zone for piece in self.fan.pieces])
        against = np.array([not self._allows(code) for code in range(len(zones))], dtype=np.bool_)
        return [
            np.ones(len(zones), np.bool_),
            (zones == "obscured") | (against & (zones == "cover")),
            zones == "obscured",
            zones == "cover",
        ]

    def _allows(self, code: int) -> bool:
        return self.weapon.seek or (self.fan.pieces[code].source.light and self.vantage_denies_light())

    def forbidden(self, points: NDArray[np.float64]) -> Hits:
        return np.zeros(len(points), np.bool_)

    def judge(self, hits: Hits, is_forbidden: bool) -> Outcome:
        pieces = self.fan.pieces
        crossed = [int(code) for code in np.flatnonzero(hits)]
        cover = tuple(code for code in crossed if pieces[code].zone == "cover")
        obscuring = tuple(code for code in crossed if pieces[code].zone == "obscured")
        against = [] if self.weapon.seek else list(cover)
        hidden = self.target.order == "conceal" and bool(against)
        by_vantage = hidden and self.vantage_denies_light() and all(pieces[code].source.light for code in against)
        valid = self.is_visible and not obscuring and (not hidden or by_vantage)
        return Outcome(valid, bool(cover), bool(obscuring), None, cover, obscuring, (), valid and by_vantage)

    def beyond_range(self) -> str | None:
        return None if self.in_range else "KT21-W-RNG"

    def accurate(self) -> int:
        return 0


class _AmongTerrain(Judge21):
    """The same as if nobody else were there."""

    with_operatives = False
