"""Tight places: Condensed (KZ-CONDENSED, KZ-VOLKUS-CONDENSED), Garrisoned (KZ-VOLKUS-GARRISON), and fights through an
opening, Hatchway Fight (KZ-HATCH-FIGHT) and Door Fight (KZ-VOLKUS-DOORFIGHT).

Our reading of "wholly within a stronghold": the whole base over the ground the stronghold covers, on any of its levels.

The two fights are Fight actions of their edition, which joins its own Fight to what is here: neither is performed
beside a Fight. The two count as in each other's control range for the action. Our reading: the enemy's side of the
opening is where the middle of its base is.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from functools import lru_cache
from typing import ClassVar

import numpy as np

from ktsim.geometry.plane import hull
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile
from ktsim.rules.engine.fight.combat import Combat
from ktsim.rules.engine.placing import base_shape
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shapes import Prism
from ktsim.rules.engine.state import OperativeState, inches
from ktsim.rules.engine.weapon_rules import Registry
from ktsim.rules.moving.openings import Opening, access_opening, access_points, across, doors, is_open
from ktsim.sight.scene import EPS, Feature

STRONGHOLD, FIRE_STEP = "stronghold", "fire step"
GAINED = ("Lethal 5+",)
SAME_LEVEL = 0.05


def spreads(battle: Battle, who: OperativeState, weapon: Profile, target: OperativeState | None = None) -> bool:
    """Whether the weapon has Blast, Torrent or Devastating with a distance, printed or granted."""
    texts, registry = battle.rules_had(who, weapon, target), battle.edition.weapon_rules
    changing = battle.having("weapon_texts")
    touched = [rule.texts_touched() for rule in changing]
    if not any(each is None or _any_spreads(registry, each) for each in (tuple(texts), *touched)):
        return False  # as most weapons of most teams, whatever is in force
    for rule in changing:
        texts = rule.weapon_texts(battle, who, weapon, target, None, texts)
    return _any_spreads(registry, tuple(texts))


@lru_cache(maxsize=1024)
def _any_spreads(registry: Registry, texts: tuple[str, ...]) -> bool:
    rules = [rule for text in texts if (rule := registry.find(text)) is not None]
    return any(each.blast is not None or each.torrent is not None or each.splash is not None for each in rules)


@lru_cache(maxsize=32)
def ground_of(feature: Feature) -> Prism:
    """The ground a feature covers."""
    corners = np.concatenate([part.triangles.reshape(-1, 3)[:, :2] for part in feature.parts])
    return Prism(hull(corners), 0.0, max(part.top for part in feature.parts))


def stronghold_around(battle: Battle, who: OperativeState) -> Feature | None:
    """The stronghold the operative is wholly within."""
    x, y = inches(who.x), inches(who.y)
    for feature in battle.board.terrain.features:
        if feature.kind == STRONGHOLD and (ground := ground_of(feature)).holds(
            x, y
        ):  # its middle first: few are inside
            base = base_shape(battle, who, shrunk=EPS)
            if all(ground.holds(*corner) for corner in base.corners):
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
        feature = stronghold_around(battle, target)
        if feature is None or not spreads(battle, who, weapon, target):
            return ()
        steps = [part.top for part in feature.parts if part.kind == FIRE_STEP]
        is_low = target.level <= EPS or any(abs(inches(target.level) - top) <= SAME_LEVEL for top in steps)
        return GAINED if is_low else ()


class Garrisoned(Rule):
    id, name = "KZ-VOLKUS-GARRISON", "Garrisoned"

    def retaliates_first(self, battle: Battle, who: OperativeState, enemy: OperativeState) -> bool:
        return stronghold_around(battle, enemy) is not None and stronghold_around(battle, who) is None


REACH = 2.0


class ActionRule(Rule):
    """A rule that brings everybody an *action*."""

    action: ClassVar[Action]

    def actions(self, battle: Battle, who: OperativeState) -> Sequence[Action]:
        return (self.action,)


class Across(Combat):
    """Against an enemy on the other side of an opening that the base touches."""

    counts_as = "Fight"
    reaches_across = True
    what: ClassVar[str]

    @abstractmethod
    def openings(self, battle: Battle) -> list[Opening]:
        """The openings it can reach through."""

    def refusal(self, battle: Battle, who: OperativeState) -> str | None:
        if near := battle.engaged_with(who):
            return f"{self.name}: not with {near[0].name} in {battle.edition.near}."
        if self.enemies(battle, who):
            return None
        return f'{self.name}: no enemy within {REACH:g}" beyond {self.what} that it touches.'

    def enemies(self, battle: Battle, who: OperativeState) -> list[OperativeState]:
        return [enemy for enemy, _ in across(battle, who, self.openings(battle), REACH)]


class ThroughHatchway(Across):
    """The opening is an open hatchway's, or that of a breach point: both have access points."""

    what = "an open access point"

    def openings(self, battle: Battle) -> list[Opening]:
        return [access_opening(line) for line in access_points(battle.board.terrain) if is_open(battle, line)]


class ThroughDoor(Across):
    """The opening is a door's."""

    what = "a door"

    def openings(self, battle: Battle) -> list[Opening]:
        return doors(battle)
