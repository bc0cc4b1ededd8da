"""What a weapon's rules mean for choosing a target. How they shoot is decided elsewhere."""

from __future__ import annotations

import re
from dataclasses import dataclass

from .scene import Weapon


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
        rules = [" ".join(rule.lower().replace('"', "").split()) for rule in (weapon.rules if weapon else ())]
        found = [re.fullmatch(r"(?:range|rng) ?(\d+(?:\.\d+)?)", rule) for rule in rules]
        distances = [float(match[1]) for match in found if match]
        seek = "seek" in rules or "indirect" in rules  # 2021's Indirect reads the same
        return cls(seek, "seek light" in rules, min(distances, default=None), "silent" in rules)
