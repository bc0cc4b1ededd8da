"""The mission packs ``approved-ops-2024`` and ``approved-ops-2025``: ops, set-up and initiative of their own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TypeAlias

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import Board, is_inside, length
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import PhaseBegan
from ktsim.rules.engine.mission import OBJECTIVE_RADIUS, Mission
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, MarkerState, Side, milli
from ktsim.rules.kt24.equipment.register import EQUIPMENT, key_for
from ktsim.rules.kt24.ops.kill_and_primary import KillOp, PrimaryOp
from ktsim.rules.kt24.ops.op import revealed_key, tac_key
from ktsim.rules.kt24.ops.places import HALVES, objective_owner
from ktsim.rules.kt24.ops.register import CRIT_OPS, TAC_OPS, tac_ops_of
from ktsim.rules.kt24.packs.initiative import initiative_by_cards, initiative_by_scouting
from ktsim.rules.kt24.packs.scouting import ScoutedPloy, resolve_scouting, scouting_key
from ktsim.rules.kt24.packs.set_up import (
    CRIT_OP,
    choose_tac_ops,
    deploy,
    determine_crit_op,
    roll_for_drop_zones,
    select,
    set_up_equipment,
)
from ktsim.rules.kt24.turn import PHASES

SetUpStep: TypeAlias = "Callable[[Battle], Steps[None] | None]"
"""Its procedure, one step of it at a time; ``None`` when the state says it is done."""


class ApprovedOps(Mission, ABC):
    """What the two packs share: three objective markers, a shared crit op, kill and tac op, the primary op."""

    edition = "kt24"
    has_ops = True
    selects_operatives = True
    steps: ClassVar[tuple[SetUpStep, ...]]

    def __init__(self, crit_op: str = "") -> None:
        super().__init__(crit_op)
        self.phases = {**PHASES, "set-up": self.set_up, "initiative": self.initiative}

    def set_up(self, battle: Battle) -> Steps[None]:
        """One step of set-up (KT24-SETUP, KT24-SELECT, KT24-DEPLOY, KT24-SCOUT)."""
        for step in self.steps:
            if (todo := step(battle)) is not None:
                yield from todo
                return
        yield PhaseBegan("initiative", 1, None)

    @abstractmethod
    def initiative(self, battle: Battle) -> Steps[None]:
        """Who has the initiative in the turning point that begins (KT24-INIT)."""

    # -- what it brings ------------------------------------------------------------------------------

    def refuses_board(self, board: Board) -> str | None:
        if len(board.objectives) != 3:
            return f"has {len(board.objectives)} objective markers; this mission needs 3"
        try:
            arranged(board)
        except LookupError:
            return "needs one objective marker in each territory besides the one nearest the centre"
        return None

    def markers(self, board: Board) -> list[MarkerState]:
        """Where the board has them: on the floor, unless the killzone allows Vantage (KZ-BHETA-EQUIP)."""
        return [
            MarkerState(id, "objective", milli(x), milli(y), milli(level), OBJECTIVE_RADIUS)
            for id, (x, y, level) in arranged(board).items()
        ]

    def name_of(self, battle: Battle, marker: str) -> str:
        found = battle.state.markers.get(marker)
        if found is None or found.kind != "objective":
            return ""
        owner = objective_owner(battle, marker)
        return "Centre objective" if owner is None else f"{owner.capitalize()}'s objective"

    def chosen(self, choices: Mapping[str, str]) -> Sequence[Rule]:
        found: list[Rule] = []
        if CRIT_OP in choices:
            found.append(CRIT_OPS[choices[CRIT_OP]]())
        found.append(KillOp())
        found += [TAC_OPS[choices[tac_key(side)]](side) for side in SIDES if tac_key(side) in choices]
        found.append(PrimaryOp())  # after the ops whose VP it counts
        found += [ScoutedPloy(side) for side in SIDES if choices.get(scouting_key(side)) == "ploy"]
        for side in SIDES:
            keys = choices.get(key_for(side), "")
            found += [EQUIPMENT[key].rule(side) for key in keys.split(",") if key]
        return found

    def suspected(self, battle: Battle, side: Side) -> Sequence[Rule]:
        """Until it is revealed the tac op may be any of the team's archetypes (KT24-SELECT)."""
        choices = battle.state.choices
        if tac_key(side) not in choices or revealed_key(side) in choices:
            return ()
        return [op(side) for op in tac_ops_of(battle.teams[side])]


class ApprovedOps2024(ApprovedOps):
    """With a Scouting step, which also decides the first initiative."""

    name = "Approved Ops 2024"
    steps = (
        determine_crit_op,
        roll_for_drop_zones,
        select,
        choose_tac_ops,
        set_up_equipment,
        deploy,
        resolve_scouting,
    )

    def initiative(self, battle: Battle) -> Steps[None]:
        yield from initiative_by_scouting(battle)


class ApprovedOps2025(ApprovedOps):
    """Without scouting; initiative is rolled for in every turning point and changed by cards."""

    name = "Approved Ops 2025"
    steps = (determine_crit_op, roll_for_drop_zones, select, choose_tac_ops, set_up_equipment, deploy)

    def initiative(self, battle: Battle) -> Steps[None]:
        yield from initiative_by_cards(battle)


def arranged(board: Board) -> dict[str, tuple[float, float, float]]:
    """Where the objective markers lie by id: the centre first, then each half's. ``LookupError`` if one is missing."""
    width, depth = board.terrain.board
    places = sorted(board.objectives, key=lambda at: length(at[0] - width / 2, at[1] - depth / 2))
    found = {"objective-1": places[0]}
    for id, half in HALVES.items():
        found[id] = next(iter(_inside(board, half, places[1:])))
    return found


def _inside(
    board: Board, half: Side, places: Sequence[tuple[float, float, float]]
) -> Sequence[tuple[float, float, float]]:
    inside = [at for at in places if is_inside(board.territories[half], at[0], at[1])]
    if not inside:
        raise LookupError(half)
    return inside
