"""The rules a killzone brings into a game, by the ids its file names. What they say of sight is in ``ktsim.sight``."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ktsim.rules.engine.rule import Rule
from ktsim.rules.killzone.close_fights import DoorFightRule, HatchwayFightRule
from ktsim.rules.killzone.guard import GuardRule
from ktsim.rules.killzone.operate_hatch import OperateHatchRule
from ktsim.rules.killzone.strongholds import Condensed, CondensedInside, Garrisoned

KILLZONE_RULES: dict[str, type[Rule]] = {
    rule.id: rule
    for rule in (
        OperateHatchRule,
        HatchwayFightRule,
        DoorFightRule,
        Condensed,
        CondensedInside,
        Garrisoned,
        GuardRule,
    )
}
"""By rule id. Ids that only concern sight or moving have no entry."""


def killzone_rules(ids: Collection[str], register: Mapping[str, type[Rule]] = KILLZONE_RULES) -> list[Rule]:
    """A rule for each id that has one, in the order of the *register* of an edition."""
    return [rule() for id, rule in register.items() if id in ids]
