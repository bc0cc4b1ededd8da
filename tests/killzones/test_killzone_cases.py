"""The illustrated cases of the rules on the shipped killzones: what the rules say about each, derived by hand.

A 32 mm base has a radius of 0.630", its lines stay within 0.610" and run 0.069" above the level; the default figure is
1.3" tall with its head 1.0" to 1.2" up. In gallowdark-1 cells are 3.976" by 3.953": junction c3 is at (7.953, 11.862),
walls are 0.4" thick, and a corner or end counts over 0.3" of wall.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest

from ktsim import paths
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.scene_file import load_scene
from ktsim.sight.control import in_control_range
from ktsim.sight.distances import BASE_MIDDLE
from ktsim.sight.levels import line_height
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Feature, Terrain

mark = pytest.mark
FOLDER = paths.killzones() / "examples"
RADIUS = 16 / 25.4


def row(rules: pytest.MarkDecorator, **expected: Any) -> tuple[pytest.MarkDecorator, dict[str, Any]]:
    return rules, expected


CLEAR = {"visible": True, "valid_target": True, "in_cover": False, "obscured": False, "choice": None}
HIDDEN = {"visible": False, "valid_target": False, "witness": None}
IN_COVER = {"visible": True, "valid_target": False, "in_cover": True, "obscured": False}

B3 = (23.858 - 6 * 101 / 25.4) / 2 + 101 / 25.4, (27.677 - 7 * 100.4 / 25.4) / 2 + 3 * 100.4 / 25.4
"""That junction of gallowdark-1, whose grid is in the middle of the board: (3.976, 11.862)."""
AROUND = sum(math.hypot(abs(x - B3[0]) - 0.3, 13.4 - B3[1]) - RADIUS for x in (2.346, 5.606)) + 0.6

EXPECTED = {
    # The corner's tip is at (8.153, 8.11), 0.06" below the line between the middles and 0.54" from the target. The
    # best origin, at the far side, still has a line 0.33" below: 0.27" into the corner. It is within 0.83" of the
    # target all along, so it does not obscure. Both walls that meet there have the tip.
    "gallowdark-corner": row(
        mark.rule("KZ-WALL-ENDS", "KT24-COVER"),
        **IN_COVER,
        cover_from=["long-wall-left-1-2/wall", "short-wall-right-1/wall"],
    ),
    # The wall c1-c2 ends at y = 3.953, x = 7.753 to 8.153: it is on lines more than 0.04" above the middle one, and the
    # highest line from the lowest origin is 0.27" above. All of the end is within 0.65" of the target.
    "gallowdark-end": row(mark.rule("KZ-WALL-ENDS"), **IN_COVER, cover_from=["short-wall-right-1/wall"]),
    # From every origin some line crosses that end: from the rightmost (9.51, 10) the one to the left of the base is at
    # x = 8.13 where the wall reaches 8.15. But all origins are on the target's side of it (x > 7.953).
    "gallowdark-end-passed": row(mark.rule("KZ-WALL-ENDS"), **CLEAR, cover_from=[], obscured_by=[]),
    # The access point is from y = 13.04 to 14.64. From the lowest origin (14.9, 13.19) the line to the base's top
    # is at 14.78 at the wall's far face (x = 7.753), 1.7" from the target. The line between the middles is at 14.46.
    "gallowdark-hatch-open": row(
        mark.rule("KZ-WALL-ENDS", "KZ-HATCH-OPEN", "KT24-OBSCURED"),
        **{**CLEAR, "obscured": True},
        obscured_by=["hatchway-1/wall"],
        cover_from=[],
    ),
    # The farthest point of that end, (8.153, 14.935), is 0.94" from the target.
    "gallowdark-hatch-near": row(
        mark.rule("KZ-WALL-ENDS", "KT24-COVER"),
        **{**CLEAR, "in_cover": True},
        cover_from=["hatchway-1/wall"],
        obscured_by=[],
    ),
    # Nobody gets out of a room whose hatchways are closed: there is no way to measure along.
    "gallowdark-hatch-closed": row(mark.rule("KZ-HATCH-CLOSED", "KZ-WALL", "SIGHT-17"), **HIDDEN, distance=None),
    # The wall b3-b4 is at x = 3.976, its lower end at y = 11.862 in a pillar 0.6" wide: 1.33" across and 1.54" up
    # to its corners, 0.6" over.
    "gallowdark-around-wall": row(mark.rule("SIGHT-17"), **HIDDEN, distance=AROUND),
    # The window is at x = 10.625 to 10.725 and 1.005" from the shooter, then 0.995".
    "volkus-barred-from-afar": row(mark.rule("KZ-BARRED"), **HIDDEN),
    # The wall's inner face (x = 10.55) is 1.17" from the shooter and 1.92" from the target.
    "volkus-barred-at-one-inch": row(
        mark.rule("KZ-BARRED", "KT24-OBSCURED"), **{**CLEAR, "obscured": True}, obscured_by=["large-ruin-1/walls"]
    ),
    "volkus-stronghold-door": row(
        mark.rule("KZ-VOLKUS-CONTROL", "KT24-CONTROL"), **HIDDEN, distance=1.58 - 2 * RADIUS, control=True
    ),
    "volkus-stronghold-wall": row(
        mark.rule("KZ-VOLKUS-CONTROL", "KT24-CONTROL"), **HIDDEN, distance=1.57 - 2 * RADIUS, control=False
    ),
    "volkus-ruin-door": row(mark.rule("KZ-VOLKUS-CONTROL"), **HIDDEN, distance=1.6 - 2 * RADIUS, control=True),
    # Sight passes the slit at y = 6.5 to 7.3, z = 1.3 to 1.62 (1.4 on the middle line). Lines are about 0.3 high at the
    # wall (x = 18.7 to 18.95), more than 5" from both.
    "volkus-fire-step": row(
        mark.rule("KT24-VANTAGE-3", "KZ-VOLKUS-STRONGHOLD"),
        **{**CLEAR, "obscured": True},
        obscured_by={"stronghold-b/walls"},
        cover_from=[],
    ),
    # Lines are 2.1 high at the wall, 1.12" from the target, and rise through the floor (2.8 to 3) within 0.6" of it.
    "volkus-upper-floor": row(
        mark.rule("KT24-VANTAGE-3", "KT24-VANTAGE-4"),
        **IN_COVER,
        cover_from=["stronghold-b/upper floor"],
        obscured_by=[],
    ),
    # Both stand at 3" and so do all walls and floors between them; what is left of A's parapet is Exposed and behind.
    "volkus-ruin-level": row(
        mark.rule("KZ-VOLKUS-RUIN"), **CLEAR, distance=math.hypot(0.3, 15.3) - 2 * RADIUS, cover_from=[]
    ),
    # medium-gantry-1 is at x = 4.8 to 10.8, y = 8.6 to 11.6. Even from (12.8, 12.01) the line to the bottom of the base
    # (y = 11.29) comes below 11.6. Sight to the upper shoulder (y = 12.2) is over the edge at z = 3.4, above the floor.
    "bheta-footprint": row(
        mark.rule("KZ-BHETA-FOOTPRINT"), visible=True, valid_target=False, accurate=1, rule="KZ-BHETA-FOOTPRINT"
    ),
    "bheta-on-the-gantry": row(mark.rule("KZ-BHETA-FOOTPRINT"), **CLEAR, accurate=1),
    # The base reaches x = 5.13, 0.33" under the floor; then 4.73, and the line from the leftmost origin to its right
    # side is at x = 5.3 where the footprint begins (y = 11.6).
    "bheta-in-the-gantry": row(mark.rule("KZ-BHETA-FOOTPRINT"), visible=True, valid_target=True),
    "bheta-beside-the-gantry": row(
        mark.rule("KZ-BHETA-FOOTPRINT"), visible=True, valid_target=False, rule="KZ-BHETA-FOOTPRINT"
    ),
    "bheta-both-on-vantage": row(mark.rule("KZ-BHETA-FOOTPRINT", "KZ-BHETA-GANTRY"), **CLEAR, accurate=0),
    # From x = 5.2 to 10.38, between the gantry's pillars.
    "bheta-hazard-wide": row(
        mark.rule("KZ-HAZARD-TARGET"), **{**CLEAR, "valid_target": False}, rule="KZ-HAZARD-TARGET"
    ),
    # From x = 5.2 to 8.6, and to 8.8 where the island's corner is cut: at most 3.7" along a line.
    "bheta-hazard-narrow": row(mark.rule("KZ-HAZARD-TARGET"), **CLEAR),
    # Every line crosses the 48 degrees of battlement, 0.19" to 0.5" from the base; heads look over 0.6".
    "bheta-battlement": row(
        mark.rule("KZ-BHETA-CONDENSER"), **IN_COVER, cover_from=["condenser/battlement 3"], obscured_by=[]
    ),
    # The battlements end at y = 9.89 and 12.11; the lines are between 9.99 and 11.61.
    "bheta-between-battlements": row(mark.rule("KZ-BHETA-CONDENSER"), **CLEAR, cover_from=[]),
    # In tomb-world-1 the access point of breach-1 is from x = 12.95 to 14.55, its wall y = 15.46 to 15.86. The line
    # between the middles is at 14.58 at its far face, from the rightmost origin farther right still, and even from the
    # leftmost one (12.29) the line to the right side of the base is at 14.59. All of that is 3" from both.
    "tomb-breach-open": row(
        mark.rule("KZ-TOMB-BREACH-POINT", "KZ-WALL-ENDS", "KT24-OBSCURED"),
        **{**CLEAR, "obscured": True},
        obscured_by=["breach-1/wall"],
        cover_from=[],
    ),
    # The end of the wall is 0.21" to 0.61" from the base.
    "tomb-breach-near": row(
        mark.rule("KZ-TOMB-BREACH-POINT", "KZ-WALL-ENDS", "KT24-COVER"),
        **{**CLEAR, "in_cover": True},
        cover_from=["breach-1/wall"],
        obscured_by=[],
    ),
    "tomb-breach-closed": row(mark.rule("KZ-TOMB-BREACH-POINT", "KZ-WALL", "SIGHT-17"), **HIDDEN, distance=None),
    "tomb-pad-between": row(mark.rule("KZ-TOMB-PAD", "SIGHT-12"), **CLEAR, cover_from=[], control=False),
    # The pad is 1.25" in radius about x = 5.9: the base beside it reaches x = 4.651, a thousandth over its edge.
    "tomb-pad-control": row(
        mark.rule("KZ-TOMB-PAD", "KT24-CONTROL"),
        **CLEAR,
        distance=math.hypot(6.5 - 4.021 - 2 * RADIUS, 0.1),
        control=True,
    ),
    # The leaf runs from x = 7.753 to 6.253 at y = 12.89 to 13.04, its tip 0.77" from the base. From every origin some
    # line meets its outer inch; from the top one (12.953, 14.445) none meets it more than 1.5" from the base, nor a
    # wall end.
    "kt21-gallowdark-hatch-leaf": row(
        mark.rule("KT21-HATCH"),
        visible=True,
        valid_target=True,
        in_cover=True,
        obscured=False,
        cover_from=["hatchway-1/hatch"],
    ),
    # Lines end at z = 3.069 and come from below: they are under the rampart (3 to 3.75), which is 0.07" to 0.27" away.
    "kt21-rampart": row(
        mark.rule("KT21-RAMPART"),
        visible=True,
        in_cover=True,
        obscured=False,
        cover_from={"large-ruin-2/side rampart"},
    ),
    # The rampart's nearest point, (19.425, 17.05), is 1.1" away, the wall's 1.02".
    "kt21-rampart-too-far": row(mark.rule("KT21-RAMPART"), in_cover=False, obscured=False, cover_from=[]),
}
"""A set is to be among the parts found; ``rule`` among the rules that decided; ``control`` is control range."""


def test_every_case_is_expected() -> None:
    named = {path.stem for path in FOLDER.glob("*.yaml") if "\nkillzone:" in path.read_text(encoding="utf-8")}
    assert named == set(EXPECTED)
    for name in named:
        text = (FOLDER / f"{name}.yaml").read_text(encoding="utf-8")
        assert text.startswith("# "), f"{name} does not say what it shows"


@mark.parametrize("name", [pytest.param(name, marks=rules) for name, (rules, _) in EXPECTED.items()])
def test_case(name: str) -> None:
    file = load_scene(FOLDER / f"{name}.yaml")
    answer = ruling(file.scene, "a", "b", file.edition, file.weapon)
    found = answer.as_json(name)
    found["control"] = in_control_range(file.scene, "a", "b")
    decided = {reason.rule for reason in answer.reasons}
    wrong = {}
    for key, value in EXPECTED[name][1].items():
        if key == "rule":
            good = value in decided
            found[key] = decided
        elif isinstance(value, set):
            good = value <= set(found[key])
        elif isinstance(value, float):
            good = found[key] == pytest.approx(value, abs=1e-4)
        else:
            good = found[key] == value
        if not good:
            wrong[key] = (found[key], value)
    assert not wrong, f"found, expected: {wrong}\n{answer.as_text()}"


def _lowered(terrain: Terrain, feature: str, by: float) -> Terrain:
    def lower(old: Feature) -> Feature:
        if old.id != feature:
            return old
        return replace(old, parts=tuple(replace(part, triangles=part.triangles - [0, 0, by]) for part in old.parts))

    return replace(terrain, features=tuple(lower(old) for old in terrain.features))


@mark.rule("KZ-VOLKUS-RUIN")
@mark.parametrize(("rules", "height"), [(True, 3.0), (False, 2.7)])
def test_lines_on_a_lower_large_ruin_run_as_high_as_on_a_stronghold(rules: bool, height: float) -> None:
    """A scan of a large ruin whose floor is at 2.7 inches; without the rule lines run where the base is."""
    scene = load_scene(FOLDER / "volkus-ruin-level.yaml").scene
    terrain = _lowered(load_named("volkus-1", FOLDER).terrain, "large-ruin-1", 0.3)
    if not rules:
        terrain = replace(terrain, rules=terrain.rules - {"KZ-VOLKUS-RUIN"})
    scene = replace(scene, terrain=terrain).moved(replace(scene.operative("a"), level=2.7))
    assert line_height(scene, scene.operative("a")) == pytest.approx(height + BASE_MIDDLE)
    assert line_height(scene, scene.operative("b")) == pytest.approx(3.0 + BASE_MIDDLE)
