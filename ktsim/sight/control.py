"""Control range (KT24-CONTROL) and 2021's engagement range (KT21-ENGAGE): within 1 inch, and seen; or met on a
teleport pad (KZ-TOMB-PAD)."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ktsim.sight.distances import between, is_within, to_disc
from ktsim.sight.levels import RUIN, STRONGHOLD
from ktsim.sight.obstacles import prepared_terrain, world_of
from ktsim.sight.pads import PadVisitor, meet_on_pad, pads_of
from ktsim.sight.scene import EPS, Scene, Terrain
from ktsim.sight.visibility import WHETHER, Point, sees_disc, visible

CONTROL_RANGE = 1.0
LOW = 2.0
"""Parts of a stronghold lower than this do not count (KZ-VOLKUS-CONTROL)."""


def in_control_range(scene: Scene, a: str, b: str) -> bool:
    """Are two operatives in each other's control range? One of them seeing the other is enough."""
    if a == b:
        return True
    if pads := pads_of(scene.terrain):
        one, two = scene.operative(a), scene.operative(b)
        if meet_on_pad(pads, PadVisitor.of(one), PadVisitor.of(two)):
            return True
    if not is_within(between(scene, a, b), CONTROL_RANGE):
        return False
    ignored = ignored_for_control(scene)
    return visible(scene, a, b, ignored).visible or visible(scene, b, a, ignored).visible


def point_in_control_range(scene: Scene, operative: str, centre: Point, radius: float) -> bool:
    """Is a marker (a disc lying at *centre*) in the operative's control range?"""
    if not is_within(to_disc(scene, operative, centre, radius), CONTROL_RANGE):
        return False
    return sees_disc(scene, operative, centre, radius, ignored_for_control(scene), WHETHER).visible


def ignored_for_control(scene: Scene) -> tuple[int, ...]:
    """KZ-VOLKUS-CONTROL: labels of the doors of strongholds and large ruins, and of a stronghold's low parts."""
    if "KZ-VOLKUS-CONTROL" not in scene.terrain.rules:
        return ()
    if scene.terrain not in _ignored:
        _ignored[scene.terrain] = _ignorable(scene.terrain)
    ignored = _ignored[scene.terrain]
    return tuple(label for label in world_of(scene).labels if label in ignored)


_ignored: WeakKeyDictionary[Terrain, frozenset[int]] = WeakKeyDictionary()


def _ignorable(terrain: Terrain) -> frozenset[int]:
    """Labels of all parts, whatever their state, that do not count."""
    kinds = {feature.id: feature.kind for feature in terrain.features}
    found = []
    for label, part in enumerate(prepared_terrain(terrain).parts):
        kind, height = kinds[part.feature], part.top - part.bottom
        if (part.kind == "door" and kind in (STRONGHOLD, RUIN)) or (kind == STRONGHOLD and height < LOW - EPS):
            found.append(label)
    return frozenset(found)
