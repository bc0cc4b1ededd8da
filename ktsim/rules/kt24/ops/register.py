"""All ops by key."""

from __future__ import annotations

from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.ops.crit_claiming import EnergyCells, Reboot, StakeClaim
from ktsim.rules.kt24.ops.crit_data import Data, Download
from ktsim.rules.kt24.ops.crit_holding import Loot, Orb, Secure, Transmission
from ktsim.rules.kt24.ops.op import CritOp, TacOp
from ktsim.rules.kt24.ops.tac_infiltration import PlantDevices, StealIntelligence, TrackEnemy
from ktsim.rules.kt24.ops.tac_recon import FlankOp, Retrieval, ScoutEnemyMovement
from ktsim.rules.kt24.ops.tac_security import Envoy, Martyrs, PlantBanner
from ktsim.rules.kt24.ops.tac_seek_and_destroy import Dominate, Rout, SweepAndClear

_CRIT: tuple[type[CritOp], ...] = (
    *(Secure, Loot, Transmission, Orb, StakeClaim, EnergyCells),
    *(Download, Data, Reboot),
)
_TAC: tuple[type[TacOp], ...] = (
    *(FlankOp, ScoutEnemyMovement, Retrieval),
    *(TrackEnemy, StealIntelligence, PlantDevices),
    *(PlantBanner, Martyrs, Envoy),
    *(SweepAndClear, Rout, Dominate),
)
CRIT_OPS: dict[str, type[CritOp]] = {op.key: op for op in _CRIT}
TAC_OPS: dict[str, type[TacOp]] = {op.key: op for op in _TAC}


def tac_ops_of(team: Team) -> list[type[TacOp]]:
    """The tac ops of the team's archetypes; a team whose file names none may choose any."""
    return [op for op in TAC_OPS.values() if not team.archetypes or op.archetype in team.archetypes]
