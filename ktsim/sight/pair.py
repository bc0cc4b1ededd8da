"""What the judges of both editions have in common: one pair, where the two stand, and what a weapon's rules mean for
choosing a target. How they shoot is decided elsewhere."""

from __future__ import annotations

from abc import ABC, abstractmethod
from copy import copy
from dataclasses import dataclass, replace
from typing import Self

from ktsim.content.weapon_rule_forms import Printed, read_any
from ktsim.sight import levels
from ktsim.sight.distances import height_above, is_within
from ktsim.sight.lines import Convention
from ktsim.sight.scene import EPS, Operative, Order, Scene, Weapon
from ktsim.sight.visibility import SETTLED, Effort

VANTAGE_HEIGHT = 2.0
"""From Vantage, how much lower a target must be for it to matter."""


@dataclass(frozen=True)
class TargetingRules:
    """The weapon rules that matter when a target is chosen."""

    seek: bool = False
    seek_light: bool = False
    range: float | None = None
    silent: bool = False

    @classmethod
    def of(cls, weapon: Weapon | None) -> TargetingRules:
        """Read from printed rules, whatever their case: "Seek", "Seek Light", "Range 8\\"", "Rng 6", "Silent"."""
        read = [read_any(rule) for rule in (weapon.rules if weapon else ())]
        rules = [rule for rule in read if isinstance(rule, Printed)]
        names = {rule.form for rule in rules}
        distances = [float(rule.values[0]) for rule in rules if rule.form in ("Range {d}", "Rng {d}")]
        seek = "Seek" in names or "Indirect" in names  # 2021's Indirect reads the same
        return cls(seek, "Seek Light" in names, min(distances, default=None), "Silent" in names)


class PairJudge(ABC):
    """The rules of an edition for one pair."""

    def __init__(
        self,
        scene: Scene,
        shooter: Operative,
        target: Operative,
        weapon: Weapon | None,
        distance: float,
        is_visible: bool,
        convention: Convention,
        effort: Effort = SETTLED,
    ) -> None:
        self.scene, self.shooter, self.target = scene, shooter, target
        self.distance, self.is_visible, self.effort = distance, is_visible, effort
        self.weapon = TargetingRules.of(weapon)
        self.convention: Convention = convention
        self.shooter_vantage = levels.vantage_under(scene, shooter)
        self.target_vantage = levels.vantage_under(scene, target)
        self.lower = height_above(shooter, target)
        self.prepare()

    def on(self, order: Order) -> Self:
        """The same pair with the target on another order: lines and what they cross are the same."""
        other = copy(self)
        other.target = replace(self.target, order=order)
        return other

    @property
    def in_range(self) -> bool:
        """Does the weapon reach that far? Whoever is further away is no valid target for it."""
        return self.weapon.range is None or is_within(self.distance, self.weapon.range)

    @abstractmethod
    def beyond_range(self) -> str | None:
        """The id of the rule that forbids shooting as far as that, if it does."""

    @abstractmethod
    def prepare(self) -> None:
        """Find what the edition wants to know of the lines."""

    def vantage_denies_light(self) -> bool:
        """KT24-VANTAGE-2, KT21-VANTAGE: from Vantage, a Conceal target at least 2 inches lower is not hidden by cover
        that is only Light (in 2021: or operatives)."""
        return bool(self.shooter_vantage) and self.target.order == "conceal" and self.lower >= VANTAGE_HEIGHT - EPS
