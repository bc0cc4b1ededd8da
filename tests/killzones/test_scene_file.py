"""Scene files: everything the format has, every mistake with its line, and back to a file again."""

from __future__ import annotations

import struct
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktsim.content.mesh_file import TooSlow
from ktsim.content.weapon_rule_forms import FORMS, MOVES
from ktsim.content.yaml_tree import to_yaml
from ktsim.errors import UserError
from ktsim.geometry.solids import box, welded
from ktsim.killzones import catalogue, terrain_reader
from ktsim.killzones.figures import figure
from ktsim.killzones.scene_file import SceneFile, dump_scene, load_scene, save_scene, scene_from_text
from ktsim.rules.editions import EDITIONS
from ktsim.sight.pair import TargetingRules
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Base, Operative, Part, Triangles

FULL = """\
ktsim: scene/1
edition: kt21-lite
board: [28, 24]
features:
  - id: ruin
    at: [12, 8]
    turn: 90
    parts:
      - {id: wall,  traits: [heavy], box: [[0, 0, 0], [6, 0.25, 3]]}
      - {id: floor, traits: [vantage, ceiling], box: [[0, 0, 2.85], [6, 4, 3]]}
      - {id: drum,  traits: [heavy], cylinder: {centre: [2, 2, 0], radius: 0.5, height: 1.2}}
      - {id: heap,  traits: [light], prism: {outline: [[0, 0], [2, 0], [1, 1]], z: [0, 0.9]}}
      - {id: scan,  traits: [light], mesh: scans/rubble.stl, unit: inch}
walls:
  - {id: w1, line: [[10, 0], [10, 10]]}
  - {id: h1, line: [[10, 10], [10, 12]], hatchway: {width: 1.6, hinge: end, swing: right}}
  - {id: w2, line: [[10, 12], [10, 22]], thickness: 0.5, height: 3}
states: {h1: open}
areas:
  - {id: sea, kind: hazardous, outline: [[8, 0], [14, 0], [14, 22], [8, 22]]}
smoke: [[10, 11, 0], [3, 4]]
operatives:
  - id: a
    team: red
    at: [9.5, 11]
    level: 3
    base: [60, 35]
    turn: 30
    order: conceal
    height: 1.3
    body: {cylinder: {radius: 0.35, height: 1.25}}
    head: {height: 1.1, radius: 0.1}
  - {id: b, team: blue, at: [20, 11]}
  - {id: c, team: blue, at: [22, 11], body: {model: brute}, height: 1.6, base: 40}
  - {id: d, team: red, at: [24, 11], body: {mesh: scans/rubble.stl, unit: inch}}
rule: {from: a, to: b}
weapon: {rules: [Seek Light, range 8]}
"""


def write_stl(path: Path, triangles: Triangles) -> None:
    path.parent.mkdir(exist_ok=True)
    rows = b"".join(struct.pack("<12fH", 0, 0, 0, *corner.reshape(-1), 0) for corner in triangles)
    path.write_bytes(b"\0" * 80 + struct.pack("<I", len(triangles)) + rows)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_stl(tmp_path / "scans" / "rubble.stl", box((0, 0, 0), (1, 1, 1)))
    return tmp_path


def load(folder: Path, text: str) -> SceneFile:
    path = folder / "scene.yaml"
    path.write_text(text, encoding="utf-8")
    return load_scene(path)


def problems(folder: Path, text: str) -> list[str]:
    with pytest.raises(UserError) as caught:
        load(folder, text)
    return [str(problem).replace(str(folder) + "/", "") for problem in caught.value.problems]


def test_the_whole_format(folder: Path) -> None:
    file = load(folder, FULL)
    scene = file.scene
    assert (file.edition, file.pairs, file.killzone) == ("kt21-lite", (("a", "b"),), None)
    assert file.weapon is not None
    assert file.weapon.rules == ("seek light", "range 8")
    assert scene.terrain.board == (28, 24)
    assert [part.key for part in scene.parts()] == [
        *("ruin/wall", "ruin/floor", "ruin/drum", "ruin/heap", "ruin/scan"),
        *("w1/wall", "h1/wall", "h1/access", "h1/hatch", "h1/gap", "w2/wall"),
    ]
    # A quarter turn to the left: what lay along x lies along y.
    wall = scene.terrain.feature("ruin").parts[0].triangles.reshape(-1, 3)
    assert (wall.min(axis=0).tolist(), wall.max(axis=0).tolist()) == ([11.75, 8, 0], [12, 14, 3])
    assert scene.terrain.walls[2].thickness == 0.5
    assert scene.terrain.walls[1].hatchway is not None
    assert scene.terrain.walls[1].hatchway.hinge == "end"
    assert dict(scene.states) == {"h1": "open"}
    assert scene.terrain.areas[0].outline[2] == (14, 22)
    assert scene.smoke == ((10, 11, 0), (3, 4, 0))
    a, b, c, d = scene.operatives
    assert (a.x, a.y, a.level, a.turn, a.order, a.team) == (9.5, 11, 3, 30, "conceal", "red")
    assert (a.base.along, a.base.across) == pytest.approx((30 / 25.4, 17.5 / 25.4))
    assert a.figure.head == (0, 0, 1.1)
    assert (b.order, b.level, b.base, b.figure) == ("engage", 0, Base.of_mm(32), figure())
    assert c.figure is figure("brute", 1.6)
    assert d.figure.name == "scans/rubble.stl"


MINIMAL = """\
ktsim: scene/1
edition: kt24
operatives:
  - {id: a, team: red, at: [5, 11]}
  - {id: b, team: blue, at: [20, 11]}
  - {id: c, team: blue, at: [25, 11]}
"""


@pytest.mark.rule("KT24-VANTAGE-3")
@pytest.mark.parametrize(
    ("traits", "obscured"), [("vantage, insignificant, exposed", True), ("vantage, exposed", False)]
)
def test_a_fire_step_is_known_by_its_traits(tmp_path: Path, traits: str, obscured: bool) -> None:
    """A scene has no other word for it: it does not lift obscured by the walls of its own feature."""
    file = load(
        tmp_path,
        f"""\
ktsim: scene/1
edition: kt24
board: [30, 22]
features:
  - id: stronghold
    parts:
      - {{id: step, traits: [{traits}], box: [[4, 10, 0], [6, 12, 0.5]]}}
      - {{id: wall, traits: [heavy], box: [[10, 5, 0], [10.2, 17, 1]]}}
operatives:
  - {{id: a, team: red, at: [5, 11], level: 0.5}}
  - {{id: b, team: blue, at: [15, 11]}}
rule: {{from: a, to: b}}
""",
    )
    assert ruling(file.scene, "a", "b").obscured == obscured


def test_defaults(tmp_path: Path) -> None:
    file = load(tmp_path, MINIMAL)
    assert file.scene.terrain.board == (30, 22)
    assert file.pairs == (("a", "b"), ("a", "c"), ("b", "a"), ("c", "a"))
    assert file.weapon is None
    assert file.scene.terrain.features == ()


def test_several_pairs(tmp_path: Path) -> None:
    file = load(tmp_path, MINIMAL + "rule:\n  - {from: b, to: c}\n  - {from: c, to: a}\n")
    assert file.pairs == (("b", "c"), ("c", "a"))


def changed(old: str, new: str) -> str:
    assert FULL.count(old) == 1, old
    return FULL.replace(old, new)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (
            changed("traits: [heavy], box", "traits: [hevy], box"),
            9,
            "'hevy' is not a trait; did you mean 'heavy'?",
        ),
        (changed("traits: [heavy], box", "traits: [1], box"), 9, "'1' is not a trait"),
        (changed("    turn: 90", "    trun: 90"), 7, "unknown key 'trun'; did you mean 'turn'?"),
        (changed("    turn: 90", "    mirror: x"), 7, "unknown key 'mirror'"),
        (changed("smoke:", "smok:"), 21, "did you mean 'smoke'?"),
        (changed(", box: [[0, 0, 0], [6, 0.25, 3]]", ""), 9, "has no shape; give it exactly one of box, cylinder"),
        (changed("box: [[0, 0, 0], [6, 0.25, 3]]", "box: [[0,0,0],[1,1,1]], mesh: a.stl"), 9, "has two shapes"),
        (changed("[6, 0.25, 3]]", "[6, 0, 3]]"), 9, "no size in one direction"),
        (changed("[6, 0.25, 3]]", "[6, .nan, 3]]"), 9, "is '.nan'; it is a number from -240 to 240"),
        (changed("[6, 0.25, 3]]", "[6, 3]]"), 9, "it is a point [x, y, z]"),
        (changed("[6, 0.25, 3]]", "[6, 0.25, 3], [1, 1, 1]]"), 9, "a box has 3 items; it has 2"),
        (changed("id: floor", "id: wall"), 10, "the part id 'wall' is used twice (first in line 9)"),
        (changed("radius: 0.5,", "radius: -1,"), 11, "'radius' of a cylinder is -1"),
        (changed("radius: 0.5, height: 1.2", "radius: 0.5"), 11, "a cylinder has no 'height'"),
        (changed("[2, 0], [1, 1]]", "[1, 1], [2, 0], [0, 1]]"), 12, "outline crosses itself"),
        (changed("z: [0, 0.9]", "z: [0.9, 0.9]"), 12, "the prism has no height"),
        (changed("mesh: scans/rubble.stl, unit: inch}\nwalls", "mesh: ../x.stl}\nwalls"), 13, "leads out"),
        (changed("mesh: scans/rubble.stl, unit: inch}\nwalls", "mesh: /x.stl}\nwalls"), 13, "leads out"),
        (changed("mesh: scans/rubble.stl, unit: inch}\nwalls", "mesh: no.stl}\nwalls"), 13, "does not exist"),
        (changed("unit: inch}\nwalls", "unit: cm}\nwalls"), 13, "'unit' of a part is 'cm'; known here: inch, mm"),
        (
            changed("id: w1, line: [[10, 0], [10, 10]]", "id: w1, line: [[10, 0], [10, 0]]"),
            15,
            "starts and ends at",
        ),
        (changed("id: w1, line", "id: ruin, line"), 15, "the feature id 'ruin' is used twice (first in line 5)"),
        (changed("width: 1.6", "width: 2.5"), 16, 'is 2.5" wide and its line only 2" long'),
        (changed("hinge: end", "hinge: top"), 16, "'hinge' of a hatchway is 'top'"),
        (changed("swing: right", "swing: up"), 16, "'swing' of a hatchway is 'up'"),
        (changed("{h1: open}", "{h1: ajar}"), 18, "the state of 'h1' is 'ajar'; known here: closed, open"),
        (changed("{h1: open}", "{w1: open}"), 18, "'w1' has no states; those with states: h1"),
        (changed("{h1: open}", "{h2: open}"), 18, "nothing with states called 'h2'; known here: h1"),
        (changed("{h1: open}", "[h1]"), 18, "'states' is a mapping"),
        (changed("kind: hazardous", "kind: swamp"), 20, "'kind' of an area is 'swamp'"),
        (changed("smoke: [[10, 11, 0], [3, 4]]", "smoke: [5]"), 21, "the centre of a smoke marker is '5'"),
        (changed("at: [9.5, 11]", "at: [0.5, 11]"), 25, "'a' is off the board: its whole base must be on it"),
        (changed("at: [20, 11]", "at: [40, 11]"), 33, "'b' is off the board"),
        (changed("    base: [60, 35]", "    base: [60]"), 27, "an oval base has a length and a width"),
        (changed("    base: [60, 35]", "    base: 0"), 27, "the base in mm is 0; it is from 10 to 170"),
        (changed("order: conceal", "order: hidden"), 29, "'order' of an operative is 'hidden'"),
        (changed("{cylinder: {radius: 0.35, height: 1.25}}", "{}"), 31, "exactly one of"),
        (changed("{height: 1.1, radius: 0.1}", "{height: 1.9, radius: 0.1}"), 32, 'the body only 1.39" tall'),
        (changed("id: b, team", "id: a, team"), 33, "the operative id 'a' is used twice (first in line 23)"),
        (changed("{model: brute}", "{model: bruet}"), 34, "did you mean 'brute'?"),
        (changed("rule: {from: a, to: b}", "rule: {from: a, to: z}"), 36, "there is no operative 'z'"),
        (changed("rule: {from: a, to: b}", "rule: {from: a, to: a}"), 36, "'a' cannot shoot itself"),
        (changed("rule: {from: a, to: b}", "rule: {from: a}"), 36, "'rule' has no 'to'"),
        (changed("weapon: {rules: [Seek Light, range 8]}", "weapon: [seek]"), 37, "'weapon' is a list of 1"),
        (
            changed("Seek Light, range 8", "seek ligth"),
            37,
            "weapon rule 'seek ligth'; the nearest known one is 'Seek Light'",
        ),
        (changed("Seek Light, range 8", "seek, rang 8"), 37, "the nearest known one is 'Range x\"'"),
        (changed("Seek Light, range 8", "lethal 7+"), 37, "'lethal 7+': the number is from 2 to 6"),
        (changed("edition: kt21-lite", "edition: kt18"), 2, "'edition' of the scene is 'kt18'"),
        (changed("ktsim: scene/1", "ktsim: scene/2"), 1, "a scene file says 'ktsim: scene/1'"),
        (changed("board: [28, 24]", "board: [28]"), 3, "has 1 items; it has 2"),
        (changed("board: [28, 24]", "killzone: atlantis"), 3, "there is no killzone 'atlantis'"),
        (changed("board: [28, 24]", "killzone: ../other/killzone.yaml"), 3, "leads out"),
        (FULL + "team: x\n", 38, "unknown key 'team'"),
        ("a: &x 1\n", 1, "anchor"),
        ("[1, 2]\n", 1, "the scene is a list of 2"),
        ("", 1, "the scene is empty"),
    ],
)
def test_one_mistake_one_sentence_with_its_line(folder: Path, text: str, line: int, words: str) -> None:
    found = [said for said in problems(folder, text) if words in said]
    assert found, problems(folder, text)
    assert found[0].startswith(f"scene.yaml:{line}: ")
    assert all(said.isprintable() for said in found)


@pytest.mark.rule("KT24-W-RANGE")
@pytest.mark.parametrize("mark", ["", '"', "″", "”", "''", " inch", " inches"])
def test_inch_marks_of_every_kind_are_read(folder: Path, mark: str) -> None:
    quoted = f"range 8{mark}".replace("'", "''")
    file = scene_from_text(changed("Seek Light, range 8", f"'{quoted}'"), folder / "scene.yaml")
    assert TargetingRules.of(file.weapon).range == 8.0


def test_every_printed_form_of_both_editions_is_taken(folder: Path) -> None:
    for edition in EDITIONS.values():
        texts = [
            form.replace("{x}", "3").replace("{d}", '2"').replace("{word}", "Dash")
            for form in edition.weapon_rules.forms
        ]
        for text in texts:
            file = scene_from_text(changed("Seek Light, range 8", f"'{text}'"), folder / "scene.yaml")
            assert file.weapon is not None
            assert file.weapon.rules == (text.lower(),)
            assert edition.weapon_rules.parse(text).text == text


def test_the_forms_are_those_of_the_editions() -> None:
    """Sight and scene files may not import the rules, so the list of forms lies below both."""
    import_module("ktsim.game.setup")  # with it every rule there is
    assert {name: sorted(forms) for name, forms in FORMS.items()} == {
        name: sorted(edition.weapon_rules.forms) for name, edition in EDITIONS.items()
    }
    assert set(MOVES) == {action.name for action in EDITIONS["kt24"].actions if action.is_move}


def test_many_mistakes_are_all_told(folder: Path) -> None:
    text = FULL.replace("heavy", "hevy").replace("at: [20, 11]", "at: [40, 11]").replace("{h1: open}", "{h1: no}")
    assert [said.split(": ")[0] for said in problems(folder, text)] == [
        *("scene.yaml:9", "scene.yaml:11", "scene.yaml:33", "scene.yaml:18"),
    ]


def test_operatives_at_the_very_edge_are_on_the_board(tmp_path: Path) -> None:
    radius = 16 / 25.4
    assert load(tmp_path, MINIMAL.replace("[5, 11]", f"[{radius}, {22 - radius}]"))
    assert "off the board" in problems(tmp_path, MINIMAL.replace("[5, 11]", f"[{radius - 1e-4}, 11]"))[0]
    # An oval turned by a quarter reaches further in y than in x.
    turned = MINIMAL.replace("at: [5, 11]", "at: [0.7, 11], base: [60, 35], turn: 90")
    assert load(tmp_path, turned)
    assert "off the board" in problems(tmp_path, turned.replace("turn: 90", "turn: 0"))[0]


@pytest.mark.parametrize(
    ("triangles", "words"),
    [
        (box((0, 0, 0), (1, 1, 1))[:, ::-1], "is inside out; reverse its faces"),
        (box((0, 0, 0), (1, 1, 1)) * np.nan, "NaN"),
        (box((0, 0, 0), (999, 1, 1)), "is its unit mm?"),
        (np.zeros((3, 3, 3)), "has only triangles without an area"),
    ],
)
def test_meshes_that_cannot_be_terrain(tmp_path: Path, triangles: Any, words: str) -> None:
    write_stl(tmp_path / "scans" / "rubble.stl", triangles)
    part, body = problems(tmp_path, FULL)
    assert part.startswith("scene.yaml:13: the mesh 'scans/rubble.stl' ")
    assert body.startswith("scene.yaml:35: the mesh 'scans/rubble.stl' ")
    assert words in part
    assert words in body


def test_an_open_mesh_is_a_warning_that_names_the_part(tmp_path: Path) -> None:
    write_stl(tmp_path / "scans" / "rubble.stl", box((0, 0, 0), (1, 1, 1))[:-1])
    file = load(tmp_path, FULL)
    part, body = file.warnings
    place, said = part.split(": ", 1)
    assert place.endswith("scene.yaml:13")
    assert said == (
        "the mesh 'scans/rubble.stl' of the part 'ruin/scan' is open (it has holes or loose edges), so it is ruled by "
        "its surface; make it watertight to rule it as a solid"
    )
    assert "scene.yaml:35: the mesh 'scans/rubble.stl' of the operative 'd' is open" in body
    (scan,) = (each for each in file.scene.parts() if each.key == "ruin/scan")
    assert len(scan.triangles) == 11
    assert load(tmp_path, MINIMAL).warnings == ()


def test_a_mesh_named_often_is_read_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    many = "\n".join(
        f"  - {{id: m{i}, team: red, at: [{i + 1}, 5], body: {{mesh: scans/rubble.stl}}}}" for i in range(9)
    )
    read: list[Path] = []
    cube = welded(box((0, 0, 0), (1, 1, 1)))
    monkeypatch.setattr(terrain_reader, "read_mesh", lambda path, unit: read.append(path) or cube)
    file = load(folder, MINIMAL + many)
    assert len(read) == 1
    assert len({id(operative.figure) for operative in file.scene.operatives if operative.id.startswith("m")}) == 1
    monkeypatch.setattr(terrain_reader, "TRIANGLE_LIMIT", 12 * 8)
    assert problems(folder, MINIMAL + many) == [
        "scene.yaml:15: the meshes have more than 96 triangles in all; simplify them"
    ]


def test_after_a_slow_mesh_no_other_is_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[Path] = []

    def slow(path: Path, unit: str) -> Triangles:
        read.append(path)
        raise TooSlow("took more than 20 seconds to read; simplify it")

    monkeypatch.setattr(terrain_reader, "read_mesh", slow)
    write_stl(folder / "scans" / "other.stl", box((0, 0, 0), (1, 1, 1)))
    text = FULL.replace("body: {mesh: scans/rubble.stl", "body: {mesh: scans/other.stl")
    assert problems(folder, text) == [
        "scene.yaml:13: the mesh 'scans/rubble.stl' took more than 20 seconds to read; simplify it"
    ]
    assert len(read) == 1


def test_too_many_mesh_files(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(terrain_reader, "FILE_LIMIT", 1)
    write_stl(folder / "scans" / "other.stl", box((0, 0, 0), (1, 1, 1)))
    text = FULL.replace("body: {mesh: scans/rubble.stl", "body: {mesh: scans/other.stl")
    assert problems(folder, text) == ["scene.yaml:35: more than 1 mesh files are named; leave some out"]


def test_links_out_of_the_folder_are_not_followed(tmp_path: Path) -> None:
    inner = tmp_path / "inner"
    (inner / "scans").mkdir(parents=True)
    write_stl(tmp_path / "secret.stl", box((0, 0, 0), (1, 1, 1)))
    (inner / "scans" / "rubble.stl").symlink_to(tmp_path / "secret.stl")
    assert "link out" in problems(inner, FULL)[0]


def test_a_killzone_gives_the_terrain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [line for line in FULL.splitlines() if "rubble" not in line]
    given_scene = load(tmp_path, "\n".join(lines))
    terrain = replace(given_scene.scene.terrain, rules=frozenset({"x"}))
    asked: list[tuple[str, Path]] = []

    def load_named(name: str, folder: Path) -> SimpleNamespace:
        asked.append((name, folder))
        return SimpleNamespace(terrain=terrain, warnings=("depot.yaml:3: doubtful",))

    monkeypatch.setattr("ktsim.killzones.scene_file.load_named", load_named)
    file = load(tmp_path, MINIMAL.replace("edition: kt24", "edition: kt24\nkillzone: depot"))
    assert asked == [("depot", tmp_path)]
    assert file.scene.terrain is terrain, "shared, so that prepared trees are found again"
    assert file.warnings == ("depot.yaml:3: doubtful",)
    more = MINIMAL + "killzone: depot\nwalls:\n  - {id: w3, line: [[10, 22], [14, 22]]}\nstates: {h1: open}\n"
    file = load(tmp_path, more)
    assert [feature.id for feature in file.scene.terrain.features] == ["ruin", "w1", "h1", "w2", "w3"]
    assert file.scene.terrain.rules == {"x"}
    assert file.scene.terrain.areas == terrain.areas
    # w2 and w3 meet at a corner, so w2 now fills it.
    assert file.scene.terrain.feature("w2").parts[0].triangles[..., 1].max() == pytest.approx(22.2)
    twice = more.replace("id: w3", "id: w2")
    assert "the feature id 'w2' is used twice (by the killzone)" in problems(tmp_path, twice)[0]
    assert "leave 'board' out" in problems(tmp_path, MINIMAL + "killzone: depot\nboard: [30, 22]\n")[0]


def test_names_of_killzones_are_offered(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "names", lambda: ("gallowdark-1", "volkus-1"))
    text = MINIMAL + "killzone: galowdark-1\n"
    assert "did you mean 'gallowdark-1'?" in problems(tmp_path, text)[0]
    assert "known here: gallowdark-1, volkus-1" in problems(tmp_path, MINIMAL + "killzone: xx\n")[0]


# -- back to a file -----------------------------------------------------------------------------------------------


def meaning(file: SceneFile) -> Any:
    """Everything a scene says, in a form that can be compared."""
    scene = file.scene
    return (
        file.edition,
        file.pairs,
        file.weapon,
        file.killzone,
        scene.terrain.board,
        scene.terrain.walls,
        scene.terrain.areas,
        dict(scene.states),
        scene.smoke,
        [(part.key, part.traits, part.triangles.tobytes()) for part in scene.parts()],
        [
            (o.id, o.team, o.x, o.y, o.level, o.base, o.turn, o.order, o.figure.name, o.figure.head,
             o.figure.head_radius, o.figure.triangles.tobytes())
            for o in scene.operatives
        ],
    )  # fmt: skip


@pytest.mark.parametrize("text", [FULL, MINIMAL])
def test_load_dump_load_means_the_same(folder: Path, text: str) -> None:
    first = load(folder, text)
    written = dump_scene(first)
    second = scene_from_text(written, folder / "scene.yaml")
    assert meaning(second) == meaning(first)
    assert dump_scene(second) == written


def test_changes_are_written(folder: Path) -> None:
    file = load(folder, FULL)
    moved = replace(file.scene.operative("a"), x=9.125, order="engage", turn=0.0)
    newcomer = Operative("new one", "red", 3, 3, 0.0, Base.of_mm(25), figure("leader", 1.5, (1.2, 0.08)))
    scene = replace(file.scene.moved(moved), states={"h1": "closed"}, smoke=((1.0, 2.0, 0.0),))
    scene = replace(scene, operatives=(*scene.operatives, newcomer))
    changed_file = replace(file, scene=scene, pairs=(("a", "new one"),), weapon=None)
    saved = save_scene(folder / "other.yaml", changed_file)
    assert saved.path == folder / "other.yaml"
    again = load_scene(saved.path)
    assert again.scene.operative("a").x == 9.125
    assert again.scene.operative("a").figure is file.scene.operative("a").figure
    found = again.scene.operative("new one")
    assert (found.x, found.base) == (3, newcomer.base)
    assert found.figure.name == "leader"
    assert found.figure.head == newcomer.figure.head
    assert np.allclose(found.figure.triangles, newcomer.figure.triangles, atol=1e-6)
    assert dict(again.scene.states) == {"h1": "closed"}
    assert again.scene.smoke == ((1, 2, 0),)
    assert again.pairs == (("a", "new one"),)
    assert again.weapon is None


def test_a_scene_does_not_leave_its_meshes_behind(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    with pytest.raises(UserError, match=r"rubble\.stl.*save it in that folder"):
        save_scene(elsewhere / "scene.yaml", load(folder, FULL))
    assert not (elsewhere / "scene.yaml").exists()
    assert save_scene(elsewhere / "scene.yaml", load(folder, MINIMAL)).path.exists()


def test_a_failed_save_leaves_the_old_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = load(folder, MINIMAL)
    before = file.path.read_bytes()

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", fail)
    with pytest.raises(UserError, match="No space left"):
        save_scene(file.path, file)
    assert file.path.read_bytes() == before
    assert [path.name for path in folder.iterdir() if path.name.startswith(".")] == []


NAME = st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1, max_size=12)
RULE = st.sampled_from(["Seek", "seek light", 'Range 8"', "rng 2.5", "AP1", "Heavy (Dash only)", "no cover"])
NUMBER = st.floats(2, 20).map(lambda value: round(value, 4))


@st.composite
def documents(draw: st.DrawFn) -> dict[str, Any]:
    ids = draw(st.lists(NAME, min_size=2, max_size=4, unique=True))
    operatives = [
        {
            "id": id,
            "team": draw(st.sampled_from(["red", "blue", "no", "1", "1e5"])),
            "at": [draw(NUMBER), draw(NUMBER)],
            "level": draw(st.sampled_from([0, 3, 2.5])),
            "base": draw(st.sampled_from([25, 32, 28.5, [60, 35]])),
            "turn": draw(st.integers(-360, 360)),
            "order": draw(st.sampled_from(["engage", "conceal"])),
            **draw(st.sampled_from([{}, {"height": 2}, {"body": {"model": "brute"}}, {"head": HEAD}])),
        }
        for id in ids
    ]
    corner = [draw(NUMBER), draw(NUMBER)]
    part = {"id": draw(NAME), "traits": ["heavy"], "box": [[*corner, 0.5], [corner[0] + draw(NUMBER), 1, 2]]}
    floors = [{"id": f"at {z}", "traits": ["vantage"], "box": [[0, 0, z - 0.1], [40, 40, z]]} for z in (2.5, 3)]
    document: dict[str, Any] = {"ktsim": "scene/1", "edition": draw(st.sampled_from(["kt24", "kt21-lite"]))}
    document["features"] = [{"id": draw(NAME), "at": corner, "turn": draw(st.integers(0, 359)), "parts": [part]}]
    document["features"].append({"id": document["features"][0]["id"] + "+", "parts": floors})
    document["operatives"] = operatives
    document["smoke"] = draw(st.lists(st.tuples(NUMBER, NUMBER).map(list), max_size=2))
    if draw(st.booleans()):
        document["rule"] = {"from": ids[0], "to": ids[1]}
    if draw(st.booleans()):
        document["weapon"] = {"rules": draw(st.lists(RULE, max_size=2))}
    return document


HEAD = {"height": 1.05, "radius": 0.09}


@settings(max_examples=60, deadline=None)
@given(documents())
def test_any_scene_survives_being_written(document: dict[str, Any]) -> None:
    path = Path("scene.yaml")
    first = scene_from_text(to_yaml(document), path)
    second = scene_from_text(dump_scene(first), path)
    assert meaning(second) == meaning(first)


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_a_damaged_scene_is_read_or_refused(data: st.DataObject) -> None:
    """Any value of the document replaced by any other: a scene or sentences, nothing else."""
    lines = [line for line in FULL.splitlines() if "rubble" not in line]
    at = data.draw(st.integers(0, len(lines) - 1))
    words = lines[at].split(" ")
    word = data.draw(st.integers(0, len(words) - 1))
    words[word] = data.draw(
        st.sampled_from(["", "[", "}", "1", "-1e30", ".inf", "~", "{a: b}", "x", "[[]]", "*a", ":"])
    )
    lines[at] = " ".join(words)
    said: list[str] = []
    parts: tuple[Part, ...] = ()
    try:
        parts = scene_from_text("\n".join(lines), Path("scene.yaml")).scene.parts()
    except UserError as error:
        said = [str(problem) for problem in error.problems]
    assert said or parts
    assert all(line.startswith("scene.yaml:") and line.isprintable() for line in said)
    assert all(np.isfinite(part.triangles).all() for part in parts)
