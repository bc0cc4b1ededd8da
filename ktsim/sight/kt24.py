"""2024: what follows from the lines. Cover, obscured, valid target, Vantage, smoke and killzone targeting."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from ktsim.geometry.kernels import planar
from ktsim.sight import hazards, levels, sources
from ktsim.sight.distances import figure_row, is_within
from ktsim.sight.lines import Fan, Hits, Reach, Source
from ktsim.sight.outcomes import Outcome
from ktsim.sight.pair import VANTAGE_HEIGHT, PairJudge
from ktsim.sight.scene import EPS, MM, Operative, Part
from ktsim.sight.seen_parts import sees_part_near

COVER_REACH = 1.0
OBSCURED_REACH = 1.0
NO_COVER_WITHIN = 2.0
HIGH_VANTAGE = 4.0
SMOKE_REACH = 1.0 + 10 * MM
"""From a smoke marker's centre: 1 inch from a 20 mm marker."""
SMOKE_DISTANCE = 2.0


class Judge24(PairJudge):
    """The rules of 2024: which sources matter where, and what an origin's crossings mean."""

    def prepare(self) -> None:
        scene, shooter, target = self.scene, self.shooter, self.target
        self.can_be_in_cover = not is_within(self.distance, NO_COVER_WITHIN)
        self.not_obscuring = {
            part.feature for part in (*self.shooter_vantage, *self.target_vantage) if part.kind != levels.FIRE_STEP
        }
        self.smoke = self._smoke()
        self.fan = Fan(scene, shooter, target, self._wanted(), convention=self.convention)
        self.hazards = hazards.Hazards.between(scene.terrain, self.fan) if self._on_floor() else None
        self._seen: dict[int, bool] = {}
        self.origin_matters_everywhere = self.hazards is not None and self.hazards.depends_on_origin(self.fan)

    def _wanted(self) -> list[tuple[Source, Reach]]:
        found = sources.terrain_sources(self.scene, self.shooter, self.target)
        found += sources.wall_sources(self.scene, self.shooter, self.target)
        cover = Reach("cover", near=COVER_REACH)
        obscured = Reach("obscured", far_target=OBSCURED_REACH, far_shooter=OBSCURED_REACH)
        wanted = [(source, cover) for source in found] if self.can_be_in_cover else []
        wanted += [(source, obscured) for source in found if source.heavy and source.feature not in self.not_obscuring]
        footprint = Reach("footprint", from_above=True)
        return wanted + [(source, footprint) for source in self._footprints()]

    def _footprints(self) -> list[Source]:
        """KZ-BHETA-FOOTPRINT: gantries between one on Vantage and one on the floor, but those they are on or in."""
        if "KZ-BHETA-FOOTPRINT" not in self.scene.terrain.rules:
            return []
        floor = [levels.is_on_floor(self.shooter), levels.is_on_floor(self.target)]
        if floor[0] == floor[1]:
            return []
        found = []
        for feature in self.scene.terrain.features:
            if feature.kind != "gantry" or any(
                hazards.is_under_or_on(operative, feature) for operative in (self.shooter, self.target)
            ):
                continue
            parts = [part for part in feature.parts if "vantage" in part.traits]
            found += [sources.outline_source(self.scene, part) for part in parts]
        return found

    def _smoke(self) -> tuple[str, ...]:
        """KT24-SMOKE: the smoke areas that obscure this target from this shooter."""
        if is_within(self.distance, SMOKE_DISTANCE):
            return ()
        return tuple(
            f"smoke/{number}"
            for number, marker in enumerate(self.scene.smoke, 1)
            if any(is_in_smoke(operative, marker) for operative in (self.shooter, self.target))
        )

    def blunts_piercing(self) -> bool:
        """KT24-SMOKE: shots at an operative in smoke from more than 2 inches lose Piercing, or some of it: which of
        both is a matter of the date, and of the attack."""
        return not is_within(self.distance, SMOKE_DISTANCE) and any(
            is_in_smoke(self.target, marker) for marker in self.scene.smoke
        )

    # ---- what an origin's crossings mean ----

    def sees(self, code: int) -> bool:
        """Does the target see the piece's part within the inch? It is the same inch that lines cross it in."""
        part, fan = self.fan.pieces[code].source.part, self.fan
        assert isinstance(part, Part)
        if id(part) not in self._seen:
            seen = sees_part_near(self.scene, self.target.id, part, COVER_REACH, self.effort, fan.target_z)
            self._seen[id(part)] = seen
        return self._seen[id(part)]

    def footprints_at(self, origin: tuple[float, float]) -> tuple[str, ...]:
        """KZ-BHETA-FOOTPRINT: the gantries whose footprints lines from *origin* cross."""
        hits = self.fan.at(np.array([origin]))[0]
        met = [self.fan.pieces[code] for code in np.flatnonzero(hits)]
        return tuple(dict.fromkeys(piece.source.feature for piece in met if piece.zone == "footprint"))

    def counts(self, code: int) -> bool:
        """Does it matter that this piece is crossed? Cover that the target does not see is none."""
        return self.fan.pieces[code].zone != "cover" or self.sees(code)

    def goals(self) -> list[Hits]:
        """Sets of pieces a shooter would like an origin to avoid, best first; without those known not to count."""
        zones = np.array([piece.zone for piece in self.fan.pieces])
        counts = np.array(
            [piece.zone != "cover" or self._seen.get(id(piece.source.part), True) for piece in self.fan.pieces],
            dtype=np.bool_,
        )
        against = counts & (zones == "cover")
        against &= np.array([not self._allows(code) for code in range(len(zones))], dtype=np.bool_)
        footprint = zones == "footprint"
        return [
            counts,
            (counts & (zones == "cover")) | footprint,
            (zones == "obscured") | footprint | against,
            footprint | against,
            zones == "obscured",
        ]

    def _allows(self, code: int) -> bool:
        """Is a Conceal target in this cover a valid target all the same?"""
        light = self.fan.pieces[code].source.light
        return self._ignored_by_weapon(code) or (light and self.vantage_denies_light())

    def forbidden(self, points: NDArray[np.float64]) -> Hits:
        """Origins from which hazardous areas forbid the target."""
        return self.hazards.forbid(self.fan, points) if self.hazards else np.zeros(len(points), np.bool_)

    def judge(self, hits: Hits, is_forbidden: bool) -> Outcome:
        pieces = self.fan.pieces
        crossed = [int(code) for code in np.flatnonzero(hits)]
        cover = tuple(code for code in crossed if pieces[code].zone == "cover" and self.sees(code))
        obscuring = tuple(code for code in crossed if pieces[code].zone == "obscured")
        covering_features = {pieces[code].source.feature for code in cover}
        obscuring_features = {pieces[code].source.feature for code in obscuring} | set(self.smoke)
        choice = None
        if covering_features and obscuring_features and len(covering_features | obscuring_features) == 1:
            choice = "defender"  # KT24-SAMEFEATURE
        restricted = []
        if any(pieces[code].zone == "footprint" for code in crossed):
            restricted.append("KZ-BHETA-FOOTPRINT")
        if is_forbidden:
            restricted.append("KZ-HAZARD-TARGET")
        allowed = self.is_visible and not restricted
        against = [code for code in cover if not self._ignored_by_weapon(code)]
        without_vantage = self.target.order == "engage" or not against
        if self.vantage_denies_light():
            against = [code for code in against if not pieces[code].source.light]
        valid = self.target.order == "engage" or not against
        return Outcome(
            allowed and valid,
            bool(covering_features),
            bool(obscuring_features),
            choice,
            cover,
            obscuring,
            tuple(restricted),
            allowed and valid and not without_vantage,
        )

    def beyond_range(self) -> str | None:
        return None if self.in_range else "KT24-W-RANGE"

    def _on_floor(self) -> bool:
        return levels.is_on_floor(self.shooter) and levels.is_on_floor(self.target)

    def _ignored_by_weapon(self, code: int) -> bool:
        return self.weapon.seek or (self.weapon.seek_light and self.fan.pieces[code].source.light)

    def accurate(self) -> int:
        """KT24-VANTAGE-1: Accurate against an Engage target at least 2 (1) or 4 (2) inches lower."""
        if not self.shooter_vantage or self.target.order != "engage":
            return 0
        return int(self.lower >= VANTAGE_HEIGHT - EPS) + int(self.lower >= HIGH_VANTAGE - EPS)


def is_in_smoke(operative: Operative, marker: tuple[float, float, float]) -> bool:
    """KT24-SMOKE: is the base wholly within the smoke around a marker? It rises without limit and never sinks."""
    return outside_smoke(operative, marker) <= EPS


def outside_smoke(operative: Operative, marker: tuple[float, float, float]) -> float:
    """How far the base reaches out of the smoke around a marker (not above 0: wholly within; inf: below it)."""
    if operative.level < marker[2] - EPS:
        return math.inf
    if operative.base.is_round:
        return math.dist((operative.x, operative.y), marker[:2]) + operative.base.along - SMOKE_REACH
    # the farthest point of a base is the farthest that it reaches in any direction
    row, low, high, far = figure_row(operative), 0.0, 2 * math.pi, 0.0
    for _ in range(4):
        turns = np.linspace(low, high, 73)
        ways = np.stack([np.cos(turns), np.sin(turns)], axis=1)
        reach = [planar.support(row, x, y) - x * marker[0] - y * marker[1] for x, y in ways.tolist()]
        best = int(np.argmax(reach))
        far, step = max(far, reach[best]), turns[1] - turns[0]
        low, high = turns[best] - step, turns[best] + step
    return far - SMOKE_REACH
