"""The editions and missions that can be played, by id."""

from __future__ import annotations

from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.engine.mission import Mission
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt21.missions import LiteSkirmish
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.joint.missions import HoldTheRelay, Overseer, SupplyRaid
from ktsim.rules.kt24.missions import EquippedSkirmish, Skirmish
from ktsim.rules.kt24.packs.approved_ops import ApprovedOps2024, ApprovedOps2025

EDITIONS: dict[str, EditionRules] = {KT24.id: KT24, KT21.id: KT21}


def edition(id: str) -> EditionRules:
    return EDITIONS[id]


MISSIONS: dict[str, type[Mission]] = {
    "approved-ops-2024": ApprovedOps2024,
    "approved-ops-2025": ApprovedOps2025,
    "skirmish": Skirmish,
    "equipped-skirmish": EquippedSkirmish,
    "lite-skirmish": LiteSkirmish,
    **{mission.key: mission for mission in (SupplyRaid, Overseer, HoldTheRelay)},
}

USUAL = {"kt24": "approved-ops-2024", "kt21-lite": "lite-skirmish"}
"""The mission of an edition when none is named."""
