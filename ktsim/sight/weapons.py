"""What a weapon's rules mean for choosing a target. How they shoot is decided elsewhere."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.content.weapon_rule_forms import Printed, read_any
from ktsim.sight.scene import Weapon


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
