"""Who stands on what (SIGHT-5): the floor, a Vantage, and the height at which an operative's lines run."""

from __future__ import annotations

from ktsim.sight.distances import BASE_MIDDLE, part_is_near
from ktsim.sight.scene import EPS, Operative, Part, Scene
from ktsim.sight.standing import SAME_LEVEL as SAME_LEVEL
from ktsim.sight.standing import levels as levels

FIRE_STEP = "fire step"
FIRE_STEP_TRAITS = frozenset(("vantage", "insignificant", "exposed"))
RUIN, STRONGHOLD = "large ruin", "stronghold"


def is_on_floor(operative: Operative) -> bool:
    return operative.level <= EPS


def vantage_under(scene: Scene, operative: Operative) -> tuple[Part, ...]:
    """The Vantage parts the operative stands on."""
    return tuple(
        part
        for part in scene.parts()
        if "vantage" in part.traits
        and abs(part.top - operative.level) <= SAME_LEVEL
        and part_is_near(operative, part, 0.0)
    )


def line_height(scene: Scene, operative: Operative) -> float:
    """The height at which the operative's targeting lines start and end: the middle of its base.

    KZ-VOLKUS-RUIN: on the upper level of a large ruin it counts as standing as high as a stronghold's first one.
    """
    if "KZ-VOLKUS-RUIN" in scene.terrain.rules and not is_on_floor(operative):
        kinds = {feature.id: feature.kind for feature in scene.terrain.features}
        if any(kinds[part.feature] == RUIN for part in vantage_under(scene, operative)):
            floors = [
                part.top
                for part in scene.parts()
                if "vantage" in part.traits and kinds[part.feature] == STRONGHOLD and part.kind != FIRE_STEP
            ]
            if floors:
                return min(floors) + BASE_MIDDLE
    return operative.level + BASE_MIDDLE
