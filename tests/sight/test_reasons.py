"""What rulings say: headlines name what decided, every number was measured, every part near a line is spoken of."""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sight_fans import MIDDLE, RADIUS, Slab, facing_ends, random_slabs
from sight_scenes import block, feature, op, table, trooper

from ktsim import paths
from ktsim.geometry.forest import Tree
from ktsim.geometry.solids import box, cylinder
from ktsim.killzones.scene_file import load_scene, scene_from_text
from ktsim.sight import rulebook
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Area, Operative, Order, Scene, WallLine, Weapon
from ktsim.sight.words import beside, listed

mark = pytest.mark
Floats = NDArray[np.float64]
NUMBER = re.compile(r'(\d+\.\d+)"')
ON_LINE = re.compile(r'on a line, (\d+\.\d+)" from (\w)[,.]')
CROSSES = re.compile(r'a line crosses it (\d+\.\d+)" from (\w)(?: and (\d+\.\d+)" from (\w))?')
BOTH = re.compile(r'on a line, (\d+\.\d+)" from (\w) and (\d+\.\d+)" from (\w)\.')
FARTHEST = re.compile(r'nowhere farther than (\d+\.\d+)" from (\w)')
PASSES = re.compile(r'nearest passes (?:less than )?(\d+\.\d+)" away')
APART = re.compile(r'(\d+\.\d+)" apart')
SLACK = 0.05
"""Lines are followed in steps of a fiftieth of an inch, and are a twenty-fifth thick."""


class Lines:
    """Lines of a ruling followed in small steps, with the distance of each step from both bases."""

    def __init__(self, found: Ruling, ends: int = 64, steps: int = 480) -> None:
        shooter, target = found.scene.operative(found.shooter), found.scene.operative(found.target)
        start = np.array(found.origin)
        far = facing_ends(start[:2], target, ends)
        self.ends = np.column_stack([far, np.full(len(far), target.level + MIDDLE)])
        t = np.linspace(0, 1, steps)[None, :, None]
        self.points = start + t * (self.ends[:, None] - start)
        self.apart = {one.id: self._from(one) for one in (shooter, target)}

    def _from(self, one: Operative) -> Floats:
        flat = np.hypot(self.points[..., 0] - one.x, self.points[..., 1] - one.y) - one.base.along
        return np.hypot(np.maximum(flat, 0), self.points[..., 2] - one.level - MIDDLE)


@mark.rule("SIGHT-13", "SIGHT-12", "KT24-COVER", "KT24-OBSCURED")
def test_every_number_in_500_rulings_was_measured() -> None:
    counts: Counter[str] = Counter()
    for seed in range(250):
        rng = np.random.default_rng(seed)
        slabs = random_slabs(rng, 3)
        low, high = ((0.0, 0.0), (0.0, 0.0), (0.0, 0.0), (1.5, 0.0))[seed % 4]
        order = "conceal" if rng.random() < 0.5 else "engage"
        gap = float(rng.choice([10.0, 10.0, 4.0]))
        a = op("a", 15 - gap, rng.uniform(10.5, 11.5), low)
        b = op("b", 15, rng.uniform(10.5, 11.5), high, order=order)
        scene = table(a, b, features=[slab.feature() for slab in slabs])
        for pair in (("a", "b"), ("b", "a")):
            check_numbers(ruling(scene, *pair), slabs, counts)
    assert counts["rulings"] == 500
    for kind, least in (("on line", 200), ("farthest", 15), ("passes", 200), ("cover", 40), ("obscured", 40)):
        assert counts[kind] >= least, counts


def check_numbers(found: Ruling, slabs: list[Slab], counts: Counter[str]) -> None:
    counts["rulings"] += 1
    lines = Lines(found)
    clearance = {f"{slab.id}/body": slab.apart(lines.points) for slab in slabs}
    one, two = found.scene.operative(found.shooter), found.scene.operative(found.target)
    flat = math.hypot(one.x - two.x, one.y - two.y) - one.base.along - two.base.along
    distance = math.hypot(max(flat, 0), one.level - two.level)
    for reason in found.reasons:
        texts = [float(text) for text in APART.findall(reason.text)]
        assert all(abs(value - distance) <= 0.006 for value in texts), (reason, distance)
        left = APART.sub("", reason.text)
        if (match := CROSSES.search(left)) is not None:
            near = clearance[left.split(":")[0].split()[-1]] < RADIUS + 0.02
            values = [abs(lines.apart[match[i + 1]] - float(match[i])) for i in (1, 3) if match[i]]
            assert (near & (np.max(values, axis=0) < SLACK)).any(), (reason, found.origin)
            counts["obscured" if match[3] else "cover"] += 1
            left = CROSSES.sub("", left)
        assert not NUMBER.search(left), f"a number nobody checked: {reason}"
    seen = {(each.part, each.about) for each in found.considered}
    for each in found.considered:
        check_considered(each.text, each.counts, lines, clearance[each.part], distance, counts)
    for part, apart in clearance.items():
        if apart.min() < 2.9:
            assert (part, "cover") in seen, (part, found.considered)


def check_considered(
    text: str, is_counted: bool, lines: Lines, apart: Floats, distance: float, counts: Counter[str]
) -> None:
    # what is crossed for sure, and what may be
    surely, perhaps = apart < RADIUS - 0.005, apart < RADIUS + 0.02
    left = APART.sub("", text)
    assert all(abs(float(value) - distance) <= 0.006 for value in APART.findall(text)), text
    if (match := BOTH.search(left)) is not None:
        values = [abs(lines.apart[match[i + 1]] - float(match[i])) for i in (1, 3)]
        assert (perhaps & (np.max(values, axis=0) < SLACK)).any(), text
    elif (match := ON_LINE.search(left)) is not None:
        away = lines.apart[match[2]]
        if is_counted:
            assert (perhaps & (abs(away - float(match[1])) < SLACK)).any(), text
        else:
            assert away[perhaps].min(initial=math.inf) - SLACK <= float(match[1]), text
            assert float(match[1]) <= away[surely].min(initial=math.inf) + SLACK, text
        counts["on line"] += 1
    elif (match := FARTHEST.search(left)) is not None:
        away = lines.apart[match[2]]
        assert away[surely].max(initial=0.0) - SLACK <= float(match[1]), text
        assert float(match[1]) <= away[perhaps].max(initial=-math.inf) + SLACK, text
        counts["farthest"] += 1
    elif (match := PASSES.search(left)) is not None:
        assert abs(float(match[1]) - (apart.min() - RADIUS)) < 0.03, (text, apart.min())
        counts["passes"] += 1
    left = PASSES.sub("", FARTHEST.sub("", ON_LINE.sub("", BOTH.sub("", left))))
    assert not NUMBER.search(left), f"a number nobody checked: {text}"


# ---- headlines ----


def said(scene: Scene, edition: str = "kt24", *rules: str) -> tuple[str, str, bool]:
    found = ruling(scene, "a", "b", edition, Weapon(rules))  # type: ignore[arg-type]
    assert found.decided_by in rulebook.entries()
    assert found.headline == found.as_json("")["headline"]
    return found.headline, found.decided_by, found.shootable


SHIELD = block("s", "light", (13.6, 9, 0), (13.9, 13, 0.9))
MIDDLE_WALL = block("w", "heavy", (9.8, 9, 0), (10.2, 13, 0.9))
A, B, HIDING = op("a", 5, 11), op("b", 15, 11), op("b", 15, 11, order="conceal")
SEA = Area("sea", "hazardous", ((7, 0), (12, 0), (12, 22), (7, 22)))


@mark.rule("KT24-VALID", "KT24-COVER", "KT24-OBSCURED", "KT24-SAMEFEATURE")
@mark.parametrize(
    ("scene", "rules", "expected"),
    [
        (table(A, B), (), ("Valid target: neither in cover nor obscured.", "KT24-VALID", True)),
        (table(A, B, features=[SHIELD]), (), ("Valid target: in cover from s/body, not obscured.", "KT24-VALID", True)),
        (
            table(A, B, features=[SHIELD, MIDDLE_WALL]),
            (),
            ("Valid target: in cover from s/body and obscured by w/body.", "KT24-VALID", True),
        ),
        (table(A, HIDING, features=[SHIELD]), (), ("No target: in cover from s/body on Conceal.", "KT24-COVER", False)),
        (
            table(A, HIDING, features=[SHIELD]),
            ("seek light",),
            ("Valid target with Seek Light: in cover from s/body, not obscured.", "KT24-W-SEEK-LIGHT", True),
        ),
        (table(A, B), ("range 6",), ('No target: 8.74" away, beyond range 6".', "KT24-W-RANGE", False)),
        (
            table(A, B, features=[block("w", "heavy", (9, 2, 0), (9.3, 20, 3))]),
            (),
            ("No target: b is not visible, w/body is in the way.", "SIGHT-7", False),
        ),
        (
            table(A, B, areas=[SEA]),
            (),
            ('No target: 5.01" of hazardous area lies between, and 4" is too much.', "KZ-HAZARD-TARGET", False),
        ),
    ],
)
def test_the_headline_names_what_decided(scene: Scene, rules: tuple[str, ...], expected: tuple[str, str, bool]) -> None:
    assert said(scene, "kt24", *rules) == expected


@mark.rule("KT24-VALID", "KT21-SHOOT")
@mark.parametrize(("edition", "near"), [("kt24", "control range"), ("kt21-lite", "engagement range")])
def test_somebody_of_the_shooters_own_beside_the_target_keeps_it_from_being_chosen(edition: str, near: str) -> None:
    beside_b = table(A, B, op("c", 15, 12.5, team="red"))
    headline, rule, shootable = said(beside_b, edition)
    assert headline == f"Cannot be chosen: a's own c is within b's {near}."
    assert rule == ("KT24-VALID" if edition == "kt24" else "KT21-SHOOT")
    assert not shootable
    assert ruling(beside_b, "a", "b", edition).valid_target  # type: ignore[arg-type]
    assert said(table(A, B, op("c", 15, 13.5, team="red")), edition)[2]
    assert said(table(A, B, op("c", 15, 12.5, team="blue")), edition)[2]


@mark.rule("KT21-LOS", "KT21-OBSCURED")
def test_headlines_of_2021() -> None:
    assert said(table(A, B, features=[MIDDLE_WALL]), "kt21-lite") == (
        "No target: obscured by w/body.",
        "KT21-OBSCURED",
        False,
    )
    assert said(table(A, HIDING, features=[SHIELD]), "kt21-lite")[:2] == (
        "No target: in cover from s/body on Conceal.",
        "KT21-COVER",
    )


@mark.rule("KT24-SHOOT")
def test_an_enemy_beside_the_shooter_is_noted() -> None:
    found = ruling(table(A, B, op("c", 5, 12.5)), "a", "b")
    (text,) = [reason.text for reason in found.reasons if reason.rule == "KT24-SHOOT"]
    assert text == "a may not Shoot: c is within its control range."


# ---- candidates ----


def why(found: Ruling, part: str, about: str) -> tuple[bool, str, str]:
    (each,) = [each for each in found.considered if (each.part, each.about) == (part, about)]
    return each.counts, each.rule, each.text


@mark.rule("KT24-COVER")
def test_cover_that_is_too_far_away_says_by_how_much() -> None:
    found = ruling(table(A, B, features=[block("s", "light", (12.9, 9, 0), (13.2, 13, 0.9))]), "a", "b")
    text = 's/body: on a line, 1.17" from b, and cover needs 1" or less.'
    assert why(found, "s/body", "cover") == (False, "KT24-COVER", text)


@mark.rule("KT21-RAMPART")
@mark.parametrize(("apart", "covers"), [(0.99, True), (1.04, False)])
def test_a_rampart_that_lines_pass_underneath_too_far_away_says_so(apart: float, covers: bool) -> None:
    """Its bars begin 0.3" above the floor; lines from below pass underneath at 13.1 inches and later."""
    keep = feature(
        "keep",
        ("floor", "vantage", box((12, 8, 2.8), (18, 14, 3))),
        ("rampart", "heavy", box((13, 8, 3.3), (13.1, 14, 3.8))),
    )
    high = op("b", 13.1 + apart + 16 / 25.4, 11, 3)
    found = ruling(table(A, high, features=[keep]), "a", "b", "kt21-lite")
    assert found.in_cover == covers
    counts, rule, text = why(found, "keep/rampart", "cover")
    assert counts == covers
    assert not [each for each in found.considered if (each.part, each.about) == ("keep/rampart", "obscured")]
    if not covers:
        there = 'keep/rampart: lines pass underneath it, 1.04" from b, and that counts as crossing within 1" only.'
        assert (rule, text) == ("KT21-RAMPART", there)
        # lines along the floor from its own level pass underneath in the open: that is another matter
        stand = block("p", "vantage", (3, 9, 2.85), (7, 13, 3))
        level = ruling(table(op("a", 5, 11, 3), high, features=[keep, stand]), "a", "b", "kt21-lite")
        assert why(level, "keep/rampart", "cover")[1] == "SIGHT-12"


@mark.rule("SIGHT-12", "KT24-VANTAGE-3", "KT24-OBSCURED")
def test_dismissed_candidates_name_their_rule() -> None:
    ladder = block("l", "exposed insignificant", (13.6, 9, 0), (13.9, 13, 0.9))
    assert why(ruling(table(A, B, features=[ladder]), "a", "b"), "l/body", "cover")[:2] == (False, "SIGHT-12")
    tower = feature(
        "t", ("floor", "vantage", box((3, 9, 2.85), (7, 13, 3))), ("fin", "heavy", box((7.6, 9, 0), (7.8, 13, 2.5)))
    )
    high = ruling(table(op("a", 5, 11, 3), B, features=[tower]), "a", "b")
    text = "t/fin: Heavy and on a line, but a stands on the Vantage of its feature."
    assert why(high, "t/fin", "obscured") == (False, "KT24-VANTAGE-3", text)
    near = ruling(table(A, B, features=[block("p", "heavy", (6.0, 9, 0), (6.2, 13, 0.9))]), "a", "b")
    assert why(near, "p/body", "obscured")[1] == "KT24-OBSCURED"
    assert "nowhere farther than" in why(near, "p/body", "obscured")[2]
    assert "from a, and obscuring needs" in why(near, "p/body", "obscured")[2]


@mark.rule("KT24-VANTAGE-3")
def test_no_sentence_is_about_nothing() -> None:
    """A platform without Heavy parts is not said to spare its Heavy parts."""
    platform = block("p", "vantage", (3, 9, 2.85), (7, 13, 3))
    found = ruling(table(op("a", 5, 11, 3), B, features=[platform]), "a", "b")
    assert "Heavy parts" not in found.as_text()
    assert "KT24-VANTAGE-3" not in found.as_text()


@mark.rule("KT24-VANTAGE-1", "KT24-VANTAGE-2")
@mark.parametrize("order", ["engage", "conceal"])
def test_vantage_that_is_too_low_says_so(order: Order) -> None:
    shield = block("s", "light", (14.2, 9, 0), (14.3, 13, 0.9))
    what = "gives no Accurate" if order == "engage" else "does not take Light cover away"
    for height, is_said in ((1.9, True), (2.0, False), (0.9, False)):
        platform = block("p", "vantage", (3, 9, height - 0.15), (7, 13, height))
        scene = table(op("a", 6.2, 11, height), op("b", 15, 11, order=order), features=[platform, shield])
        said = f'Vantage {what}: only 1.90" above b, and 2" are needed.'
        assert (said in ruling(scene, "a", "b").as_text()) == is_said


@mark.rule("KT24-VANTAGE-3")
def test_a_fire_step_is_said_not_to_lift_obscured() -> None:
    file = load_scene(paths.killzones() / "examples" / "volkus-fire-step.yaml")
    text = "b stands on a fire step of stronghold-b: that does not lift obscured by it."
    assert text in ruling(file.scene, "a", "b").as_text()
    lower = file.scene.moved(replace(file.scene.operative("b"), level=0.0))
    assert "fire step of" not in ruling(lower, "a", "b").as_text()


@mark.rule("KZ-TOMB-PAD", "KT24-SHOOT")
def test_who_meets_on_a_pad_may_not_shoot_however_far_apart() -> None:
    scene = load_scene(paths.killzones() / "examples" / "tomb-pad-control.yaml").scene
    found = ruling(scene, "a", "b")
    assert found.distance > 1
    assert found.enemies == ("b",)
    assert "a and b meet on a teleport pad" in found.as_text()
    off = replace(scene.operative("b"), x=scene.operative("b").x - 0.01)
    assert ruling(scene.moved(off), "a", "b").enemies == ()


@mark.rule("KZ-WALL-ENDS")
def test_the_end_of_a_wall_that_was_passed_says_so() -> None:
    wall = [WallLine("w", (2, 10.4), (12, 10.4))]
    found = ruling(table(op("a", 5, 11.5), op("b", 15, 11.5), walls=wall), "a", "b")
    counts, rule, text = why(found, "w/wall", "cover")
    assert not counts
    assert (rule, "a has passed it" in text) in (("KZ-WALL-ENDS", True), ("SIGHT-12", False))


@mark.rule("KT24-SMOKE")
def test_smoke_says_who_is_in_it_or_not() -> None:
    inside = table(A, B, smoke=[(15, 11, 0)])
    assert why(ruling(inside, "a", "b"), "smoke/1", "obscured")[0]
    beside_it = table(A, B, smoke=[(15, 12, 0)])
    counts, rule, text = why(ruling(beside_it, "a", "b"), "smoke/1", "obscured")
    assert (counts, rule) == (False, "KT24-SMOKE")
    assert '0.24" outside' in text  # 1 + 0.630 - 1.394


@mark.rule("SIGHT-7")
def test_what_no_longer_matters_is_left_out() -> None:
    hidden = ruling(table(A, B, features=[block("w", "heavy", (9, 2, 0), (9.3, 20, 3)), SHIELD]), "a", "b")
    assert hidden.obscured
    assert {reason.rule for reason in hidden.reasons} == {"SIGHT-15", "SIGHT-7"}
    assert "no 1 mm line from a's head to b is clear" in hidden.as_text()
    assert any(each.counts for each in hidden.considered)


def test_json_has_all_its_fields() -> None:
    found = ruling(table(A, B, op("c", 15.2, 11), features=[SHIELD]), "a", "b").as_json("s.yaml")
    assert {"shootable", "decided_by", "considered", "warnings", "rules_as_of"} <= set(found)
    assert found["rules_as_of"] == "2025-03"
    assert found["warnings"] == ['The bases of b and c overlap by 1.06"; they are ruled where they stand.']
    for each in found["considered"]:  # type: ignore[attr-defined]
        assert set(each) == {"part", "for", "counts", "rule", "text"}
        assert each["rule"] in rulebook.entries()


# ---- stand-ins ----


@mark.rule("SIGHT-4", "SIGHT-7")
def test_a_ruling_that_hangs_on_a_gun_says_so() -> None:
    # The trooper's gun points along +x, 0.6" from its middle; a screen hides all behind x = 15.45.
    screen = block("w", "heavy", (14.0, 10.1, 0), (15.45, 10.3, 3))
    looking = table(op("a", 15.9, 5), op("b", 15, 11, body=trooper()), features=[screen])
    found = ruling(looking, "a", "b")
    assert found.visible
    (text,) = found.warnings
    assert text.startswith("Only a thin part of b's figure (gun, arm or pack) can be seen; turned otherwise")
    assert found.as_json("")["hangs_on_figure"] is True
    away = table(op("a", 15.9, 5), op("b", 15, 11, body=trooper(), turn=180), features=[screen])
    hidden = ruling(away, "a", "b")
    assert not hidden.visible
    assert hidden.warnings == ("b is hidden as its figure is turned; turned otherwise a part of it could be seen.",)
    plain = ruling(table(A, op("b", 15, 11, body=trooper())), "a", "b")
    assert plain.warnings == ()


@mark.rule("SIGHT-4")
def test_a_players_own_body_counts_as_it_is() -> None:
    screen = block("w", "heavy", (14.0, 10.1, 0), (15.45, 10.3, 3))
    assert ruling(table(op("a", 15.9, 5), B, features=[screen]), "a", "b").stand_in_note is None


# ---- words ----


def test_numbers_are_told_from_their_limits() -> None:
    assert beside(1.14159, 1) == '1.14"'
    assert beside(1.00301, 1) == '1.003"'
    assert beside(1.0000004, 1) == 'a hair more than 1"'
    assert listed(["a"]) == "a"
    assert listed(["a", "b", "a"]) == "a and b"
    assert listed(["a", "b", "c", "d"]) == "a, b and 2 more"


def test_a_column_counts_as_it_stands() -> None:
    drum = feature("d", ("drum", "heavy", cylinder((10, 11, 0), 0.5, 0.9)))
    found = ruling(table(A, B, features=[drum]), "a", "b")
    assert found.headline == "Valid target: obscured by d/drum, not in cover."


def test_texts_from_files(tmp_path: Path) -> None:
    text = "ktsim: scene/1\nedition: kt24\nrules: 2026-01\noperatives:\n"
    text += "  - {id: a, team: red, at: [5, 11]}\n  - {id: b, team: blue, at: [15, 11]}\n"
    file = scene_from_text(text, tmp_path / "s.yaml")
    assert ruling(file.scene, "a", "b").as_json("s")["rules_as_of"] == "2026-01"


@mark.rule("SIGHT-12")
def test_a_part_is_made_ready_to_be_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    wall, crate = block("wall", "heavy", (10, 8, 0), (10.3, 14, 3)), block("crate", "light", (14, 9, 0), (15, 10, 1))
    scene = table(op("a", 5, 11), op("b", 16, 11), features=[wall, crate])
    moved = replace(scene, operatives=(op("a", 5, 10.5), op("b", 16, 11)))
    first, second = (ruling(each, "a", "b") for each in (scene, moved))
    built: list[int] = []
    over = Tree.over

    def counted(triangles: Floats) -> Tree:
        built.append(len(triangles))
        return over(triangles)

    monkeypatch.setattr(Tree, "over", counted)
    assert {each.part for each in first.considered} == {"wall/body", "crate/body"}
    assert built == [12, 12]
    assert {each.part for each in second.considered} == {"wall/body", "crate/body"}
    assert built == [12, 12]
