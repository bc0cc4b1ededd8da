"""Tight places: Condensed (KZ-CONDENSED, KZ-VOLKUS-CONDENSED) and Garrisoned (KZ-VOLKUS-GARRISON).

Our reading of "wholly within a stronghold": the whole base over the ground the stronghold covers, on any of its levels.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.placed import hull
from ktsim.rules.engine.placing import base_shape
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shapes import Prism
from ktsim.rules.engine.state import OperativeState, inches
from ktsim.sight.scene import EPS, Feature

STRONGHOLD, FIRE_STEP = "stronghold", "fire step"
GAINED = ("Lethal 5+",)
SAME_LEVEL = 0.05


def spreads(battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState | None = None) -> bool:
    """Whether the weapon has Blast, Torrent or Devastating with a distance, printed or granted."""
    rules = battle.edition.weapon_rules.parse_all(battle.rules_had(who, weapon, target))
    return any(rule.blast is not None or rule.torrent is not None or rule.splash is not None for rule in rules)


@lru_cache(maxsize=32)
def ground_of(feature: Feature) -> Prism:
    """The ground a feature covers."""
    corners = np.concatenate([part.triangles.reshape(-1, 3)[:, :2] for part in feature.parts])
    return Prism(hull(corners), 0.0, max(part.top for part in feature.parts))


def stronghold_around(battle: Battle, who: OperativeState) -> Feature | None:
    """The stronghold the operative is wholly within."""
    base = base_shape(battle, who, shrunk=EPS)
    for feature in battle.board.terrain.features:
        if feature.kind == STRONGHOLD and all(ground_of(feature).holds(x, y) for x, y in base.corners):
            return feature
    return None


class Condensed(Rule):
    id, name = "KZ-CONDENSED", "Condensed"

    def weapon_rules(self, battle: Battle, who: OperativeState, weapon: Profile) -> tuple[str, ...]:
        return GAINED if spreads(battle, who, weapon) else ()


class CondensedInside(Rule):
    """Against a target wholly within a stronghold, on the floor or a fire step; each target judged for itself."""

    id, name = "KZ-VOLKUS-CONDENSED", "Condensed"

    def weapon_rules_against(
        self, battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState
    ) -> tuple[str, ...]:
        if not spreads(battle, who, weapon, target):
            return ()
        feature = stronghold_around(battle, target)
        if feature is None:
            return ()
        steps = [part.top for part in feature.parts if part.kind == FIRE_STEP]
        is_low = target.level <= EPS or any(abs(inches(target.level) - top) <= SAME_LEVEL for top in steps)
        return GAINED if is_low else ()


class Garrisoned(Rule):
    id, name = "KZ-VOLKUS-GARRISON", "Garrisoned"

    def retaliates_first(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> bool:
        return stronghold_around(battle, enemy) is not None and stronghold_around(battle, who) is None
