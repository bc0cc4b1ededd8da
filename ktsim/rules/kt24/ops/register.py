"""All ops by key."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ktsim.content.plugins import Extensible
from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.ops.crit_claiming import EnergyCells, Reboot, StakeClaim
from ktsim.rules.kt24.ops.crit_data import Data, Download
from ktsim.rules.kt24.ops.crit_holding import Loot, Orb, Secure, Transmission
from ktsim.rules.kt24.ops.op import CritOp, Op, TacOp
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
OPS = "ktsim.ops"
"""The entry points of ops that other packages bring: a class each, by its key."""

O = TypeVar("O", bound=Op)


def _of(kind: type[O]) -> Callable[[str, object], type[O] | None]:
    def read(name: str, loaded: object) -> type[O] | None:
        if not (isinstance(loaded, type) and issubclass(loaded, (CritOp, TacOp))):
            raise TypeError("it is neither a CritOp nor a TacOp")
        if loaded.key != name:
            raise ValueError(f"its key is {loaded.key!r}")
        return loaded if issubclass(loaded, kind) else None

    return read


CRIT_OPS: Extensible[type[CritOp]] = Extensible({op.key: op for op in _CRIT}, OPS, _of(CritOp))
TAC_OPS: Extensible[type[TacOp]] = Extensible({op.key: op for op in _TAC}, OPS, _of(TacOp))


def tac_ops_of(team: Team) -> list[type[TacOp]]:
    """The tac ops of the team's archetypes; a team whose file names none may choose any."""
    return [op for op in TAC_OPS.values() if not team.archetypes or op.archetype in team.archetypes]
