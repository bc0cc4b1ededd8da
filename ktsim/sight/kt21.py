"""2021: what follows from the lines. Line of sight, cover, obscured and Vantage Points."""

from __future__ import annotations

import numpy as np

from . import levels, sources
from .distances import between, height_above, is_within
from .lines import Convention, Fan, Hits, Reach, Source
from .obstacles import can_intervene
from .outcomes import Outcome, regions
from .scene import EPS, Operative, Part, Scene, Weapon
from .visibility import visible
from .weapons import TargetingRules

COVER_REACH = 1.0
NO_COVER_WITHIN = 2.0
OBSCURED_BEYOND = 2.0
SHOOTER_REACH = 1.0
VANTAGE_HEIGHT = 2.0


class Judge21:
    """The rules of 2021 for one pair."""

    origin_matters_everywhere = False

    def __init__(
        self,
        scene: Scene,
        shooter: Operative,
        target: Operative,
        weapon: Weapon | None,
        distance: float,
        is_visible: bool,
        convention: Convention,
        *,
        with_operatives: bool = True,
    ) -> None:
        self.scene, self.shooter, self.target = scene, shooter, target
        self.distance, self.is_visible = distance, is_visible
        self.weapon = TargetingRules.of(weapon)
        self.convention: Convention = convention
        self.shooter_vantage = levels.vantage_under(scene, shooter)
        self.target_vantage = levels.vantage_under(scene, target)
        self.with_operatives = with_operatives
        self.fan = Fan(scene, shooter, target, self._wanted(), whole=True, convention=convention)

    def _wanted(self) -> list[tuple[Source, Reach]]:
        found = sources.terrain_sources(self.scene, self.shooter, self.target)
        found = [source for source in found if not self._is_below_target(source)]
        found += sources.wall_sources(self.scene, self.shooter, self.target, whole_hatches=True)
        cover = Reach("cover", near=COVER_REACH)
        obscured = Reach("obscured", far_target=OBSCURED_BEYOND, far_shooter=SHOOTER_REACH)
        wanted = [(source, obscured) for source in found if self._obscures(source)]
        if not is_within(self.distance, NO_COVER_WITHIN):
            wanted += [(source, cover) for source in found]
            wanted += [(source, cover) for source in self._bases()]
            under = Reach("cover", near=COVER_REACH, from_above=True)
            wanted += [(source, under) for source in self._ramparts()]
        return wanted

    def _obscures(self, source: Source) -> bool:
        """Heavy where traits are given; a part without any obscures when it is taller than the target."""
        part = source.part
        if source.heavy or not isinstance(part, Part):
            return source.heavy
        top = self.target.level + float(self.target.figure.triangles[:, :, 2].max())
        return not part.traits & {"light", "vantage"} and part.top > top + EPS

    def _is_below_target(self, source: Source) -> bool:
        """KT21-VANTAGE: the floor the target stands on, and what of its feature is below its level."""
        part = source.part
        mine = {vantage.feature for vantage in self.target_vantage}
        return isinstance(part, Part) and part.feature in mine and part.top <= self.target.level + levels.SAME_LEVEL

    def _ramparts(self) -> list[Source]:
        """KT21-RAMPART: parts on the target's Vantage Point count for lines that pass underneath them too."""
        if height_above(self.target, self.shooter) <= EPS:
            return []
        mine = {vantage.feature for vantage in self.target_vantage}
        return [
            sources.outline_source(self.scene, part)
            for part in self.scene.parts()
            if part.feature in mine
            and can_intervene(part)
            and float(part.triangles[:, :, 2].min()) >= self.target.level - levels.SAME_LEVEL
        ]

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
        seen = visible(self.scene, self.shooter.id, other.id).visible
        if not seen:
            return False
        distance = between(self.scene, self.shooter.id, other.id)
        judge = Judge21(self.scene, self.shooter, other, None, distance, seen, self.convention, with_operatives=False)
        return regions(judge)[0].outcome.valid

    # ---- what an origin's crossings mean ----

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

    def vantage_denies_light(self) -> bool:
        """KT21-VANTAGE: seen from a Vantage Point at least 2 inches above, cover only from Light terrain or operatives
        does not hide."""
        lower = height_above(self.shooter, self.target)
        return bool(self.shooter_vantage) and self.target.order == "conceal" and lower >= VANTAGE_HEIGHT - EPS

    def judge(self, hits: Hits, origin: tuple[float, float]) -> Outcome:
        pieces = self.fan.pieces
        crossed = [int(code) for code in np.flatnonzero(hits)]
        cover = tuple(code for code in crossed if pieces[code].zone == "cover")
        obscuring = tuple(code for code in crossed if pieces[code].zone == "obscured")
        restricted: tuple[str, ...] = ()
        if self.weapon.range is not None and not is_within(self.distance, self.weapon.range):
            restricted = ("KT21-W-RNG",)
        against = [] if self.weapon.seek else list(cover)
        hidden = self.target.order == "conceal" and bool(against)
        by_vantage = hidden and self.vantage_denies_light() and all(pieces[code].source.light for code in against)
        valid = self.is_visible and not obscuring and not restricted and (not hidden or by_vantage)
        return Outcome(
            valid, bool(cover), bool(obscuring), None, cover, obscuring, restricted, 0.0, valid and by_vantage
        )

    def accurate(self) -> int:
        return 0
