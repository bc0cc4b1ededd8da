"""What an edition lists: its numbers, actions, weapon rules, stages and terms, as plain values."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ktsim.rules.engine.action import Action
from ktsim.rules.engine.attack import Attack, Cites
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.fight.stages import DuelStage
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shoot.stages import Shot, ShotStage
from ktsim.rules.engine.state import OperativeState, OrderName
from ktsim.rules.engine.weapon_rules import Registry
from ktsim.sight.scene import Edition

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle


@dataclass(frozen=True)
class EditionRules:
    """What one edition lists.

    *near* and *gambit* are its words for being close to an enemy and for what is used in the Strategy phase.
    *generates_ap*: AP are generated once, by the APL an operative has as it is activated.
    *supports_armed*: in a fight only friends with a melee weapon support.
    """

    id: Edition
    name: str
    weapon_rules: Registry
    actions: tuple[Action, ...]
    killzone_rules: Mapping[str, type[Rule]]
    shot_stages: Mapping[str, ShotStage]
    duel_stages: Mapping[str, DuelStage]
    make_shot: Callable[[Battle, Attack], Shot]
    """The shooting sequence about to begin."""
    choose_order: Callable[[Battle, OperativeState], Steps[OrderName]]
    choose_action: Callable[[Battle, OperativeState], Steps[Action | None]]
    cites: Cites
    near: str
    gambit: str
    generates_ap: bool
    supports_armed: bool = False
    turning_points: int = 4
    starting_cp: int = 2
    defence_dice: int = 3
    dash: int = 3
    charge_bonus: int = 2
    counteract_move: int = 2
    ammo_resupply_ap: int = 1

    def action(self, name: str) -> Action:
        return next(action for action in self.actions if action.name == name)

    def rules_of_killzone(self, ids: Collection[str]) -> list[Rule]:
        """A rule for each id of a killzone's file that has one; what they say of sight is in ``ktsim.sight``."""
        return [rule() for id, rule in self.killzone_rules.items() if id in ids]
