"""Every check of a killzone, each on a small broken example beside one that is sound."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from trimesh import Scene, load_mesh

from ktsim.cli import main
from ktsim.errors import Problem
from ktsim.geometry.solids import box, welded
from ktsim.killzones import check, pieces
from ktsim.killzones.check import check_file
from ktsim.killzones.killzone_file import Killzone, load_killzone

HEAD = """\
ktsim: killzone/1
name: mine
board: [20, 10]
drop zones:
  - {id: west, outline: [[0, 0], [3, 0], [3, 10], [0, 10]]}
  - {id: east, outline: [[17, 0], [20, 0], [20, 10], [17, 10]]}
"""
FIRST = HEAD.count("\n") + 2
"""The line of the first item of a list that follows the head."""


def killzone(folder: Path, more: str) -> Killzone:
    path = folder / "killzone.yaml"
    path.write_text(HEAD + more, encoding="utf-8")
    return load_killzone(path)


def features(*parts: str, more: str = "") -> str:
    lines = "\n".join(f"      - {part}" for part in parts)
    return f"symmetry: none\n{more}features:\n  - id: hut\n    parts:\n{lines}\n"


def told(found: Iterator[Problem]) -> list[str]:
    return [problem.text for problem in found]


WALL = "{id: wall, traits: [heavy], box: [[9, 4, 0], [9.25, 6, 3]]}"
FLOOR = "{id: floor, traits: [vantage], box: [[9.25, 4, 2.8], [11, 6, 3]]}"
Check = Callable[[Killzone], Iterator[Problem]]


@pytest.mark.parametrize(
    ("function", "sound", "broken", "says"),
    [
        (check.floating, (WALL, FLOOR), (WALL, FLOOR.replace("9.25", "9.4")), "'hut/floor' floats"),
        (check.floating, (WALL, FLOOR), (FLOOR,), "'hut/floor' floats"),
        (
            check.interpenetrating,
            (WALL, FLOOR),
            (WALL, FLOOR.replace("9.25", "9.1")),
            "'hut/wall' and 'floor' run into",
        ),
        (check.interpenetrating, (WALL,), (WALL, WALL.replace("id: wall", "id: twin")), "run into each other"),
        (
            check.interpenetrating,
            ("{id: one, traits: [heavy], box: [[8, 4.9, 1], [12, 5.1, 1.2]]}",),
            (
                "{id: one, traits: [heavy], box: [[8, 4.9, 1], [12, 5.1, 1.2]]}",
                "{id: two, traits: [heavy], box: [[9.9, 4, 0.9], [10.1, 6, 1.3]]}",
            ),
            "'hut/one' and 'two'",
        ),
        (check.gaps, (WALL,), (WALL.replace("[9, 4, 0]", "[9, 4, 0.15]"),), "a gap of 0.15\" under 'hut/wall'"),
        (
            check.gaps,
            (
                WALL.replace("[9, 4, 0]", "[9, 4, 0.15]"),
                "{id: gap, traits: [blocking], box: [[9, 4, 0], [9.25, 6, 0.15]]}",
            ),
            (
                WALL.replace("[9, 4, 0]", "[9, 4, 0.15]"),
                "{id: gap, traits: [blocking], box: [[9, 4, 0], [9.25, 5, 0.15]]}",
            ),
            "fill it with a Blocking part",
        ),
        (
            check.covered_zones,
            (WALL,),
            (WALL.replace("[[9, 4, 0], [9.25", "[[2.9, 4, 0], [3.15"),),
            "the drop zone 'west' is under terrain (hut)",
        ),
        (
            check.covered_zones,
            (WALL,),
            ("{id: roof, traits: [vantage], box: [[-1, -1, 3], [4, 11, 3.2]]}",),
            "the drop zone 'west' is under terrain (hut)",
        ),
        (
            check.overlapping,
            (WALL,),
            (WALL.replace("[9.25, 6, 3]", "[9.25, 10.2, 3]"),),
            "over the edge of the board",
        ),
    ],
)
def test_parts(tmp_path: Path, function: Check, sound: tuple[str, ...], broken: tuple[str, ...], says: str) -> None:
    assert told(function(killzone(tmp_path, features(*sound)))) == []
    other = tmp_path / "broken"
    other.mkdir()
    found = list(function(killzone(other, features(*broken))))
    assert len(found) == 1
    assert says in found[0].text
    assert found[0].place.startswith(str(other / "killzone.yaml"))


def test_a_gap_that_is_high_or_hair_thin_is_meant(tmp_path: Path) -> None:
    for number, foot in enumerate(("0.03", "0.6")):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert told(check.gaps(killzone(folder, features(WALL.replace("[9, 4, 0]", f"[9, 4, {foot}]"))))) == []


def test_what_never_intervenes_may_have_a_gap(tmp_path: Path) -> None:
    wire = WALL.replace("[9, 4, 0]", "[9, 4, 0.15]").replace("heavy", "exposed")
    assert told(check.gaps(killzone(tmp_path, features(wire)))) == []


def placed(*rows: str) -> str:
    return "pieces:\n" + "\n".join(f"  - {{piece: {row}}}" for row in rows) + "\n"


def test_overlapping_pieces(tmp_path: Path) -> None:
    apart = placed("light-rubble-1, id: a, at: [8, 5]", "light-rubble-2, id: b, at: [12, 5]")
    assert told(check.overlapping(killzone(tmp_path, apart))) == []
    other = tmp_path / "near"
    other.mkdir()
    found = list(check.overlapping(killzone(other, apart.replace("12, 5", "9, 5"))))
    assert [problem.text for problem in found] == ["'a' overlaps 'b' ('rubble' with 'rubble'); move one of them"]
    assert found[0].place.endswith(f":{FIRST}")


def test_the_same_piece_twice_in_one_place(tmp_path: Path) -> None:
    twice = placed("heavy-barricade, id: a, at: [10, 5]", "heavy-barricade, id: b, at: [10, 5]")
    assert len(told(check.overlapping(killzone(tmp_path, twice)))) == 1


def test_pieces_that_touch_do_not_overlap(tmp_path: Path) -> None:
    row = placed("gantry-short, id: a, at: [8, 5]", "gantry-short, id: b, at: [12, 5]")
    assert told(check.overlapping(killzone(tmp_path, row))) == []


def test_a_piece_in_the_air(tmp_path: Path) -> None:
    up = placed("gantry-medium, id: g, at: [10, 5]", "heavy-barricade, id: b, at: [10, 5, 3]")
    assert told(check.floating(killzone(tmp_path, up))) == []
    assert told(check.overlapping(killzone(tmp_path, up))) == []
    other = tmp_path / "off"
    other.mkdir()
    off = up.replace("b, at: [10, 5, 3]", "b, at: [10, 8, 3]")
    assert told(check.floating(killzone(other, off))) == ["'b' floats: there is no level at 3\" there"]


def test_zones_in_the_water_and_off_the_board(tmp_path: Path) -> None:
    sea = "symmetry: none\nhazardous areas:\n  - {id: sea, outline: [[3.1, 0], [8, 0], [8, 10], [3.1, 10]]}\n"
    assert told(check.covered_zones(killzone(tmp_path, sea))) == []
    other = tmp_path / "wet"
    other.mkdir()
    found = list(check.covered_zones(killzone(other, sea.replace("3.1", "2.5"))))
    assert [problem.text for problem in found] == [
        "the drop zone 'west' lies in the hazardous area 'sea'; keep it clear"
    ]
    assert found[0].place.endswith(":5")
    third = tmp_path / "off"
    third.mkdir()
    path = third / "killzone.yaml"
    path.write_text(HEAD.replace("[20, 10], [17, 10]", "[21, 10], [17, 10]"), encoding="utf-8")
    assert told(check.covered_zones(load_killzone(path))) == ["the drop zone 'east' reaches over the edge of the board"]


@pytest.mark.parametrize(
    ("at", "says"),
    [
        ("[10, 5]", None),
        ("[9.1, 5]", "is inside 'hut/wall'"),
        ("[10.5, 5, 3]", None),
        ("[10, 8, 3]", "is in the air"),
        ("[5, 5]", "lies in the hazardous area 'sea'"),
        ("[25, 5]", "is off the board"),
    ],
)
def test_objectives(tmp_path: Path, at: str, says: str | None) -> None:
    sea = "hazardous areas:\n  - {id: sea, outline: [[4, 0], [6, 0], [6, 10], [4, 10]]}\n"
    text = features(WALL, FLOOR, more=f"{sea}objectives:\n  - {{id: o, at: {at}}}\n")
    found = told(check.lost_objectives(killzone(tmp_path, text)))
    assert len(found) == (says is not None)
    assert says is None or says in found[0]


PAIR = placed("light-rubble-1, id: a, at: [8, 4]", "light-rubble-2, id: b, at: [12, 6], turn: 180")


@pytest.mark.parametrize(
    ("text", "lonely"),
    [
        (PAIR, 0),
        (PAIR.replace("12, 6", "12, 6.1"), 2),
        (PAIR.replace("turn: 180", "turn: 170"), 2),
        (PAIR.replace("turn: 180", "turn: 180, mirror: true"), 2),
        (PAIR.replace("light-rubble-2", "heavy-rubble-2"), 2),
        (PAIR.replace("12, 6", "12, 6.1") + "symmetry: none\n", 0),
        (placed("light-rubble-1, id: a, at: [10, 2]"), 0),  # on the centre line
        (placed("light-rubble-1, id: a, at: [10.2, 2]"), 1),
        ("objectives:\n  - {id: o, at: [10, 5]}\n", 0),
        ("objectives:\n  - {id: o, at: [8, 5]}\n", 1),
        ("objectives:\n  - {id: o, at: [8, 4]}\n  - {id: p, at: [12, 6]}\n", 0),
        ("hazardous areas:\n  - {id: s, outline: [[6, 0], [8, 0], [8, 10], [6, 10]]}\n", 1),
        ("hazardous areas:\n  - {id: s, outline: [[8, 0], [12, 0], [12, 10], [8, 10]]}\n", 0),
        ("walls:\n  - {id: w, line: [[8, 2], [8, 4]]}\n  - {id: v, line: [[12, 6], [12, 8]]}\n", 0),
        ("walls:\n  - {id: w, line: [[8, 2], [8, 4]]}\n  - {id: v, line: [[12, 6], [12, 8]], hatchway: {}}\n", 2),
        ("walls:\n  - {id: w, line: [[8, 2], [8, 4]]}\n", 1),
        (features(WALL).replace("symmetry: none\n", ""), 1),
    ],
)
def test_symmetry(tmp_path: Path, text: str, lonely: int) -> None:
    found = list(check.uneven(killzone(tmp_path, text)))
    assert len(found) == lonely
    assert all("has no counterpart" in problem.text for problem in found)


def test_uneven_drop_zones(tmp_path: Path) -> None:
    path = tmp_path / "killzone.yaml"
    path.write_text(HEAD.replace("[17, 0], [20, 0]", "[16, 0], [20, 0]"), encoding="utf-8")
    found = list(check.uneven(load_killzone(path)))
    assert [problem.place for problem in found] == [f"{path}:5", f"{path}:6"]


def test_too_many_triangles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    zone = killzone(tmp_path, PAIR)
    count = check.triangle_count(zone)
    assert count == sum(zone.piece(placement).triangle_count for placement in zone.placements) > 1000
    monkeypatch.setattr(check, "KILLZONE_TRIANGLES", count)
    assert told(check.too_many_triangles(zone)) == []
    monkeypatch.setattr(check, "KILLZONE_TRIANGLES", count - 1)
    assert len(told(check.too_many_triangles(zone))) == 1
    monkeypatch.setattr(check, "MESH_TRIANGLES", 100)
    assert len(told(check.unsound_meshes(zone))) == 2


@pytest.mark.parametrize(("damage", "says"), [("torn", "is not closed"), ("turned", "is inside out")])
def test_unsound_meshes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, says: str) -> None:
    """Shipped meshes are ours, so only a damaged file can be open: one is put in their place."""
    folder = tmp_path / "terrain"
    folder.mkdir()
    triangles = box((-1, -1, 0), (1, 1, 2))
    triangles = triangles[1:] if damage == "torn" else triangles[:, ::-1]
    (folder / "hut.glb").write_bytes(Scene({"walls": welded(triangles)}).export(file_type="glb"))
    sidecar = "ktsim: terrain/1\nkind: hut\nparts:\n  - {name: walls, kind: wall, traits: [heavy]}\n"
    (folder / "hut.yaml").write_text(sidecar, encoding="utf-8")
    monkeypatch.setattr(pieces.paths, "assets", lambda: tmp_path)
    zone = killzone(tmp_path, placed("hut, id: h, at: [10, 5]"))
    (found,) = check.unsound_meshes(zone)
    assert found.place == f"{folder / 'hut.yaml'}:4"
    assert says in found.text


# -- the command -------------------------------------------------------------------------------------------------


def test_the_command_says_what_it_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "killzone.yaml"
    path.write_text(HEAD + PAIR, encoding="utf-8")
    assert main(["killzone", "check", str(path)]) == 0
    out = capsys.readouterr()
    assert out.out.startswith("mine: no problems; 2 features with 2 parts, ")
    assert out.err == ""
    path.write_text(HEAD + PAIR.replace("12, 6", "9, 4.4"), encoding="utf-8")
    assert main(["killzone", "check", str(path), "volkus-1"]) == 2
    out = capsys.readouterr()
    assert [line.split(": ")[0] for line in out.err.splitlines()] == [f"{path}:{FIRST}"] * 2 + [f"{path}:{FIRST + 1}"]
    assert out.out.startswith("volkus-1: no problems")


def test_the_command_on_no_killzone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "killzone.yaml"
    path.write_text("ktsim: scene/1\n", encoding="utf-8")
    assert main(["killzone", "check", str(path)]) == 2
    assert "a killzone file says 'ktsim: killzone/1'" in capsys.readouterr().err
    for name in ("nowhere", ""):
        assert main(["killzone", "check", name]) == 2
        assert f"there is no killzone '{name}'; known here: bheta-decima-1, " in capsys.readouterr().err
    assert main(["killzone", "check", str(tmp_path / "none.yaml")]) == 2
    assert "does not exist" in capsys.readouterr().err
    assert main(["killzone", "render", "volkus-1", "--png", str(tmp_path / "x.png"), "--size", "big"]) == 2
    assert "--size is 'big'" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["glb", "obj", "ply", "stl"])
def test_a_killzone_is_exported_as_meshes(tmp_path: Path, kind: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "killzone.yaml"
    path.write_text(HEAD + PAIR, encoding="utf-8")
    parts = [part for feature in load_killzone(path).terrain.features for part in feature.parts]
    assert main(["killzone", "export", str(path), "--to", str(tmp_path / f"out.{kind}")]) == 0
    whole = load_mesh(tmp_path / f"out.{kind}")
    assert len(whole.faces) == sum(len(part.triangles) for part in parts)
    corners = np.concatenate([part.triangles.reshape(-1, 3) for part in parts])
    assert whole.bounds == pytest.approx(np.array([corners.min(axis=0), corners.max(axis=0)]), abs=1e-5)
    assert main(["killzone", "export", str(path), "--to", str(tmp_path / "out.bam")]) == 2
    assert "ends in glb, obj, ply, stl" in capsys.readouterr().err


def test_the_meshes_of_a_killzone_are_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "killzone.yaml"
    path.write_text(HEAD + PAIR, encoding="utf-8")
    killzone = load_killzone(path)
    meshes = killzone.meshes().geometry
    assert list(meshes) == [part.key for feature in killzone.terrain.features for part in feature.parts]
    for feature in killzone.terrain.features:
        for part in feature.parts:
            assert meshes[part.key].is_volume
            assert meshes[part.key].metadata["traits"] == sorted(part.traits)


def test_every_check_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "killzone.yaml"
    path.write_text(HEAD + PAIR, encoding="utf-8")
    calls: list[str] = []

    def noted(function: Check) -> Check:
        def run(zone: Killzone) -> Iterator[Problem]:
            calls.append(function.__name__)
            return function(zone)

        return run

    monkeypatch.setattr(check, "CHECKS", [noted(function) for function in check.CHECKS])
    check_file(path)
    names = ["unsound_meshes", "floating", "interpenetrating", "overlapping", "gaps", "covered_zones"]
    assert calls == [*names, "lost_objectives", "uneven", "too_many_triangles"]
