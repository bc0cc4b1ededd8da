"""The shipped killzones: complete, symmetric, within budget; and what loading makes of a file."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from ktsim import paths
from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.geometry.solids import is_closed, welded
from ktsim.killzones import catalogue, killzone_file
from ktsim.killzones.check import check_file, spots, triangle_count
from ktsim.killzones.grid import load_kit
from ktsim.killzones.killzone_file import Killzone, load_killzone
from ktsim.killzones.pieces import load_piece
from ktsim.killzones.scene_file import scene_from_text
from ktsim.sight.scene import Terrain

HERE = Path(__file__).parent
NAMES = catalogue.names()
VOLKUS = [name for name in NAMES if name.startswith("volkus-")]
GALLOWDARK = [name for name in NAMES if name.startswith("gallowdark-")]
BHETA = [name for name in NAMES if name.startswith("bheta-decima-")]


def shipped(name: str) -> Killzone:
    return catalogue.load_named(name, HERE)


def written(folder: Path, text: str) -> Path:
    path = folder / "killzone.yaml"
    path.write_text(text, encoding="utf-8")
    return path


HEAD = """\
ktsim: killzone/1
name: mine
board: [20, 10]
symmetry: none
drop zones:
  - {id: west, outline: [[0, 0], [3, 0], [3, 10], [0, 10]]}
  - {id: east, outline: [[17, 0], [20, 0], [20, 10], [17, 10]]}
"""

GRID = """\
grid:
  cells: [2, 2]
  cell: [101, 100]
  walls:
    - """
SECOND = """\
{id: w, piece: short-wall-left, from: a0, to: a1}
    - {id: v, piece: long-wall-left, from: a2, to: a0}
"""


# -- what is shipped ---------------------------------------------------------------------------------------------


def test_three_layouts_of_each_and_a_training_ground() -> None:
    assert [len(group) for group in (VOLKUS, GALLOWDARK, BHETA)] == [3, 3, 3]
    assert "training-ground" in NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_shipped_killzone_passes_its_check(name: str) -> None:
    killzone, problems = check_file(catalogue.shipped_file(name))
    assert [str(problem) for problem in problems] == []
    assert killzone.name == name


@pytest.mark.parametrize("name", NAMES)
def test_what_every_killzone_has(name: str) -> None:
    killzone = shipped(name)
    assert [zone.id for zone in killzone.drop_zones] == [zone.id for zone in killzone.territories]
    assert len(killzone.drop_zones) == 2
    assert killzone.objectives[0].id == "centre"
    assert len(killzone.objectives) == 3
    assert killzone.symmetry == "rotation"
    assert triangle_count(killzone) <= 150_000
    assert all(placement.piece for placement in killzone.placements)


@pytest.mark.parametrize("name", NAMES)
def test_territories_share_the_board(name: str) -> None:
    killzone = shipped(name)
    width, height = killzone.terrain.board
    areas = []
    for zone in killzone.territories:
        x, y = np.array(zone.outline).T
        areas.append(abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2)
    assert sum(areas) == pytest.approx(width * height, rel=1e-3)
    assert areas[0] == pytest.approx(areas[1], rel=1e-3)


@pytest.mark.parametrize("name", VOLKUS)
def test_the_city_set(name: str) -> None:
    killzone = shipped(name)
    count = Counter(killzone.piece(placement).kind for placement in killzone.pieces.values())
    wanted = {"stronghold": 2, "large ruin": 2, "small ruin": 2, "heavy rubble": 2, "light rubble": 3}
    assert count == wanted
    assert {placement.piece for placement in killzone.pieces.values()} >= {"stronghold-a", "stronghold-b"}
    assert killzone.terrain.board == (30, 22)
    assert {"KZ-VOLKUS-CONTROL", "KZ-BARRED", "KZ-VOLKUS-TOP"} <= killzone.terrain.rules


@pytest.mark.parametrize("name", GALLOWDARK)
def test_the_hulk_set(name: str) -> None:
    killzone = shipped(name)
    assert killzone.grid is not None
    count = Counter(wall.piece for wall in killzone.grid.walls)
    assert count == {piece: 4 if piece == "short-wall-hatchway" else 2 for piece in load_kit("gallowdark").pieces}
    assert killzone.grid.cells == (6, 7)
    assert killzone.terrain.board == pytest.approx((606 / 25.4, 703 / 25.4), abs=1e-3)
    assert {"KZ-WALL", "KZ-WALL-ENDS", "KZ-GUARD", "KZ-HATCH-OPERATE"} <= killzone.terrain.rules


@pytest.mark.parametrize("name", BHETA)
def test_the_platform_set(name: str) -> None:
    killzone = shipped(name)
    count = Counter(placement.piece for placement in killzone.pieces.values())
    assert count == {"gantry-short": 2, "gantry-medium": 4, "gantry-long": 2, "condenser": 1}
    assert all(area.kind == "hazardous" for area in killzone.terrain.areas)
    assert len(killzone.terrain.areas) >= 2
    assert {"KZ-BHETA-FOOTPRINT", "KZ-HAZARD-TARGET", "KZ-HAZARD-MOVE"} <= killzone.terrain.rules


@pytest.mark.parametrize("name", NAMES)
def test_the_rules_a_killzone_brings_are_in_the_rulebook(name: str) -> None:
    known = (paths.assets() / "rules.yaml").read_text(encoding="utf-8")
    for rule in shipped(name).terrain.rules:
        assert rule in known


# -- playing on them ---------------------------------------------------------------------------------------------


def blocked(starts: np.ndarray, ends: np.ndarray, triangles: np.ndarray) -> np.ndarray:
    """Which of the segments from each start to each end (n, m) meet a triangle."""
    result = np.zeros((len(starts), len(ends)), bool)
    a, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    for i, start in enumerate(starts):
        for j, end in enumerate(ends):
            along = end - start
            p = np.cross(along, v)
            det = np.einsum("ij,ij->i", u, p)
            with np.errstate(divide="ignore", invalid="ignore"):
                to = start - a
                s = np.einsum("ij,ij->i", to, p) / det
                q = np.cross(to, u)
                t = q @ along / det
                where = np.einsum("ij,ij->i", v, q) / det
                hit = (s >= 0) & (t >= 0) & (s + t <= 1) & (where > 0) & (where < 1)
            result[i, j] = hit.any()
    return result


@pytest.mark.parametrize("name", [name for name in NAMES if name != "training-ground"])
def test_nobody_sees_the_whole_drop_zone_of_the_other_side(name: str) -> None:
    killzone = shipped(name)
    parts = [part for feature in killzone.terrain.features for part in feature.parts_in(None)]
    solid = np.concatenate([part.triangles for part in parts if part.kind != "access" or "wall" in part.traits])
    one, other = (spots(zone.outline)[::97] for zone in killzone.drop_zones)
    eyes = np.column_stack([one, np.full(len(one), 1.1)])
    bodies = np.column_stack([other, np.full(len(other), 0.7)])
    hidden = blocked(eyes, bodies, solid)
    assert len(eyes) >= 9
    assert hidden.any(axis=1).all(), "someone sees all of it"
    assert hidden.mean() > 0.25


# -- loading -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_loading_again_gives_the_same_value(name: str) -> None:
    assert shipped(name) is shipped(name)
    assert isinstance(shipped(name).terrain, Terrain)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD)
    assert load_killzone(path).terrain.board == (20, 10)
    written(tmp_path, HEAD.replace("board: [20, 10]", "board: [20, 10.5]"))
    assert load_killzone(path).terrain.board == (20, 10.5)


@pytest.mark.rule("KZ-BHETA-GANTRY")
def test_gantries_whose_floors_touch_are_one_feature(tmp_path: Path) -> None:
    pieces = """\
rules: [KZ-BHETA-GANTRY]
pieces:
  - {piece: gantry-short, id: a, at: [6, 5]}
  - {piece: gantry-short, id: b, at: [10, 5]}
  - {piece: gantry-short, id: c, at: [14.05, 5]}
"""
    killzone = load_killzone(written(tmp_path, HEAD + pieces))
    assert [feature.id for feature in killzone.terrain.features] == ["a+b", "c"]
    merged = killzone.terrain.feature("a+b")
    assert merged.kind == "gantry"
    assert {part.key for part in merged.parts} >= {"a+b/a floor", "a+b/b floor"}
    assert [placement.feature for placement in killzone.placements] == ["a+b", "a+b", "c"]
    killzone = load_killzone(written(tmp_path, HEAD + pieces.replace("rules: [KZ-BHETA-GANTRY]\n", "")))
    assert [feature.id for feature in killzone.terrain.features] == ["a", "b", "c"]


@pytest.mark.rule("KZ-BHETA-GANTRY")
def test_a_chain_of_gantries_is_one_feature_and_turned_ones_may_touch(tmp_path: Path) -> None:
    pieces = """\
rules: [KZ-BHETA-GANTRY]
pieces:
  - {piece: gantry-short, id: a, at: [6, 3]}
  - {piece: gantry-short, id: c, at: [12.5, 6.5], turn: 90}
  - {piece: gantry-short, id: b, at: [9.5, 5.5], turn: 90}
"""
    killzone = load_killzone(written(tmp_path, HEAD + pieces))
    assert [feature.id for feature in killzone.terrain.features] == ["a+c+b"]


@pytest.mark.rule("KZ-HATCH-CLOSED")
@pytest.mark.parametrize("name", GALLOWDARK)
def test_all_hatchways_start_closed_and_closed_ones_are_walls(name: str) -> None:
    killzone = shipped(name)
    hatchways = [feature for feature in killzone.terrain.features if feature.states]
    assert len(hatchways) == 4
    for feature in hatchways:
        assert feature.initial == "closed"
        kinds = {part.kind: part.traits for part in feature.states["closed"]}
        assert kinds == {"access": {"heavy", "wall"}, "hatch": {"heavy", "wall"}}


@pytest.mark.rule("KZ-HATCH-OPEN")
@pytest.mark.parametrize("name", GALLOWDARK)
def test_what_an_open_hatchway_is(name: str) -> None:
    for feature in (feature for feature in shipped(name).terrain.features if feature.states):
        kinds = {part.kind: part.traits for part in feature.states["open"]}
        assert kinds["access"] == {"accessible", "insignificant", "exposed"}
        assert kinds["hatch"] == {"heavy", "wall"}
        assert kinds["gap"] == {"blocking"}


@pytest.mark.rule("KZ-HATCH-OPEN")
@pytest.mark.parametrize("state", ["closed", "open"])
@pytest.mark.parametrize("name", GALLOWDARK)
def test_the_hatch_is_drawn_where_it_rules(name: str, state: str) -> None:
    killzone = shipped(name)
    leaves = [p for p in killzone.placements if p.piece == "gallowdark-hatch" and p.state == state]
    assert len(leaves) == 4
    for leaf in leaves:
        drawn = leaf.applied(killzone.piece(leaf).decor.triangles)
        feature = killzone.terrain.feature(leaf.feature)
        ruled = next(part for part in feature.states[state] if part.kind == "hatch").triangles
        for low in (True, False):
            reach = np.min if low else np.max
            assert reach(drawn, axis=(0, 1)) == pytest.approx(reach(ruled, axis=(0, 1)), abs=0.16)


@pytest.mark.rule("KZ-WALL-ENDS")
def test_a_long_wall_is_two_lines_so_that_others_can_meet_it_in_the_middle() -> None:
    killzone = shipped("gallowdark-1")
    lines = {line.id: line for line in killzone.terrain.walls}
    assert lines["long-wall-right-1-1"].end == lines["long-wall-right-1-2"].start
    assert lines["hatchway-3"].end == lines["long-wall-right-1-1"].end
    assert lines["hatchway-3"].hatchway is not None
    assert [feature.id for feature in killzone.terrain.features] == list(lines)


def test_a_piece_without_parts_is_only_drawn(tmp_path: Path) -> None:
    pieces = "pieces:\n  - {piece: marker-mine, id: m, at: [10, 5]}\n"
    path = written(tmp_path, HEAD + pieces)
    killzone, problems = check_file(path)
    assert problems == []
    assert killzone.terrain.features == ()
    assert [(placement.piece, placement.feature) for placement in killzone.placements] == [("marker-mine", "")]


def test_mirrored_pieces_stay_closed_and_outward(tmp_path: Path) -> None:
    pieces = "pieces:\n  - {piece: small-ruin-1, id: r, at: [10, 5], turn: 30, mirror: true}\n"
    killzone = load_killzone(written(tmp_path, HEAD + pieces))
    part = next(part for part in killzone.terrain.feature("r").parts if part.name == "walls")
    assert is_closed(part.triangles)
    assert welded(part.triangles).volume > 0
    plain = killzone.piece(killzone.pieces["r"]).parts[0].triangles
    matrix = killzone.pieces["r"].matrix()
    moved = plain @ matrix[:3, :3].T + matrix[:3, 3]
    assert moved[:, ::-1] == pytest.approx(part.triangles, abs=1e-9)
    assert np.linalg.det(matrix[:3, :3]) == pytest.approx(-1)


def test_a_users_own_piece_lies_beside_the_killzone(tmp_path: Path) -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(1, 3, 2), (1, 2, 4), (2, 3, 4), (3, 1, 4)]
    lines = [f"v {x} {y} {z}" for x, y, z in corners] + [f"f {a} {b} {c}" for a, b, c in faces]
    (tmp_path / "spike.obj").write_text("\n".join(lines), encoding="utf-8")
    part = "{name: spike, kind: door, traits: [heavy], mesh: spike.obj, unit: inch}"
    sidecar = f"ktsim: terrain/1\nkind: spike\nparts:\n  - {part}\n"
    (tmp_path / "spike.yaml").write_text(sidecar, encoding="utf-8")
    killzone = load_killzone(written(tmp_path, HEAD + "pieces:\n  - {piece: spike, id: s, at: [10, 5]}\n"))
    feature = killzone.terrain.feature("s")
    assert feature.kind == "spike"
    assert feature.parts[0].kind == "door"
    assert feature.parts[0].triangles.max(axis=(0, 1)).tolist() == [11, 6, 1]
    assert killzone.piece(killzone.pieces["s"]).parts[0].mesh.is_watertight
    assert killzone.warnings == ()


def test_an_open_mesh_of_a_users_piece_is_a_warning(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"
    (tmp_path / "spike.obj").write_text(corners + "f 1 2 4\nf 2 3 4\nf 3 1 4\n", encoding="utf-8")
    sidecar = "ktsim: terrain/1\nkind: spike\nparts:\n  - {name: tip, traits: [heavy], mesh: spike.obj, unit: inch}\n"
    (tmp_path / "spike.yaml").write_text(sidecar, encoding="utf-8")
    twice = "pieces:\n  - {piece: spike, id: s, at: [10, 5]}\n  - {piece: spike, id: t, at: [9, 5], turn: 180}\n"
    heap = "{id: heap, at: [8, 8], parts: [{id: top, traits: [light], mesh: spike.obj, unit: inch}]}"
    path = written(tmp_path, HEAD + twice + f"features:\n  - {heap}\n")
    piece, feature = load_killzone(path).warnings
    assert piece.startswith(f"{tmp_path / 'spike.yaml'}:4: the mesh 'spike.obj' of the part 'tip' is open")
    assert feature.startswith(f"{path}:12: the mesh 'spike.obj' of the part 'heap/top' is open")
    assert main(["killzone", "check", str(path)]) == 0
    said = capsys.readouterr()
    assert said.err.splitlines() == [piece, feature]
    assert said.out.startswith("mine: no problems; 3 features")
    scene = "ktsim: scene/1\nedition: kt24\nkillzone: killzone.yaml\noperatives: []\n"
    assert scene_from_text(scene, tmp_path / "scene.yaml").warnings == (piece, feature)


@pytest.mark.parametrize(
    ("more", "line", "says"),
    [
        ("pieces:\n  - {piece: strongholt-a, id: s, at: [10, 5]}\n", 9, "did you mean 'stronghold-a'"),
        ("pieces:\n  - {piece: ../secret, id: s, at: [10, 5]}\n", 9, "no terrain piece"),
        ("pieces:\n  - {piece: ladder, id: s}\n", 9, "no 'at'"),
        ("pieces:\n  - {piece: ladder, id: s, at: [1, .nan]}\n", 9, "number"),
        ("pieces:\n  - {piece: ladder, id: s, at: [5, 5]}\n  - {piece: ladder, id: s, at: [9, 5]}\n", 10, "twice"),
        ("rules: [KZ BARRED]\n", 8, "not the id of a rule"),
        ("hazardous areas:\n  - {id: h, outline: [[0, 0], [2, 2], [2, 0], [0, 2]]}\n", 9, "crosses itself"),
        (GRID + "{id: w, piece: short-wall-left, from: a0, to: d0}\n", 12, "not a junction"),
        (GRID + "{id: w, piece: long-wall-left, from: a0, to: a1}\n", 12, "two cells"),
        (GRID + "{id: w, piece: short-wall-left, from: a0, to: a1, hinge: end}\n", 12, "no hatchway"),
        (GRID + SECOND, 13, "lies on 'w'"),
        ("grid:\n  cells: [9, 9]\n  cell: [101, 100]\n  walls: []\n", 9, "larger than the board"),
        ("fog: true\n", 8, "unknown key"),
    ],
)
def test_mistakes_are_told_with_their_line(tmp_path: Path, more: str, line: int, says: str) -> None:
    path = written(tmp_path, HEAD + more)
    with pytest.raises(UserError) as caught:
        load_killzone(path)
    told = [str(problem) for problem in caught.value.problems]
    assert any(text.startswith(f"{path}:{line}:") and says in text for text in told), told


def test_a_missing_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="does not exist"):
        load_killzone(tmp_path / "nothing.yaml")


def test_an_unknown_trait_in_a_piece_is_told_with_both_places(tmp_path: Path) -> None:
    sidecar = "ktsim: terrain/1\nparts:\n  - {name: spike, traits: [sturdy], mesh: spike.obj}\n"
    (tmp_path / "spike.yaml").write_text(sidecar, encoding="utf-8")
    path = written(tmp_path, HEAD + "pieces:\n  - {piece: spike, id: s, at: [10, 5]}\n")
    with pytest.raises(UserError) as caught:
        load_killzone(path)
    told = str(caught.value.problems[0])
    assert told.startswith(f"{path}:9: 'sturdy' is not a trait")
    assert "spike.yaml:3" in told


def test_a_killzone_with_too_many_triangles_is_not_loaded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = "".join(f"  - {{piece: light-rubble-1, id: r{n}, at: [{4 + 3 * n}, 5]}}\n" for n in range(3))
    each = load_piece("light-rubble-1").triangle_count
    monkeypatch.setattr(killzone_file, "TRIANGLE_LIMIT", 3 * each)
    path = written(tmp_path, HEAD + "pieces:\n" + rows)
    assert len(load_killzone(path).pieces) == 3
    monkeypatch.setattr(killzone_file, "TRIANGLE_LIMIT", 3 * each - 1)
    path.write_text(path.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    with pytest.raises(UserError, match="more than") as caught:
        load_killzone(path)
    assert caught.value.problems[0].place == f"{path}:11"


def test_an_unknown_name_is_told() -> None:
    with pytest.raises(UserError, match="did you mean 'volkus-1'"):
        catalogue.load_named("volkus1", HERE)


# -- where sizes come from ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("of_file", "of_piece", "sizes"),
    [
        ("", "", "estimated"),
        ("source: estimated\n", "", "estimated"),
        ("source: measured\n", "", "partly measured"),
        ("", "source: measured\n", "partly measured"),
        ("source: measured, on the table\n", "source: measured, with callipers\n", "measured"),
    ],
)
def test_files_say_where_their_sizes_come_from(tmp_path: Path, of_file: str, of_piece: str, sizes: str) -> None:
    faces = "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n"
    (tmp_path / "spike.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n" + faces, encoding="utf-8")
    sidecar = f"ktsim: terrain/1\n{of_piece}parts:\n  - {{name: spike, traits: [heavy], mesh: spike.obj, unit: inch}}\n"
    (tmp_path / "spike.yaml").write_text(sidecar, encoding="utf-8")
    killzone = load_killzone(written(tmp_path, HEAD + of_file + "pieces:\n  - {piece: spike, id: s, at: [10, 5]}\n"))
    assert killzone.sizes == sizes
    assert killzone.source == (of_file.removeprefix("source: ").strip() or "estimated")


def test_a_source_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="'source' is 'guessed'; it begins with 'estimated' or 'measured'"):
        load_killzone(written(tmp_path, HEAD + "source: guessed\n"))


@pytest.mark.parametrize("name", NAMES)
def test_nobody_has_measured_what_is_shipped(name: str) -> None:
    assert shipped(name).sizes == "estimated"
