"""All missions by name."""

from __future__ import annotations

from ktsim.rules.engine.mission import Mission
from ktsim.rules.kt21.missions import LiteSkirmish
from ktsim.rules.kt24.missions import EquippedSkirmish, Skirmish
from ktsim.rules.kt24.packs.approved_ops import ApprovedOps2024, ApprovedOps2025

MISSIONS: dict[str, type[Mission]] = {
    "approved-ops-2024": ApprovedOps2024,
    "approved-ops-2025": ApprovedOps2025,
    "skirmish": Skirmish,
    "equipped-skirmish": EquippedSkirmish,
    "lite-skirmish": LiteSkirmish,
}

USUAL = {"kt24": "approved-ops-2024", "kt21-lite": "lite-skirmish"}
"""The mission of an edition when none is named."""
