"""The photo beside a scene file: saved and opened the same, kept inside the folder, and never needed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from ktsim.errors import UserError
from ktsim.killzones.scene_file import dump_scene, load_scene, save_scene, scene_from_text
from ktsim.killzones.scene_photo import ScenePhoto, board_corners
from ktsim.sight.ruling import ruling

PLAIN = """\
ktsim: scene/1
edition: kt24
board: [30, 22]
operatives:
  - {id: a, team: red, at: [5, 11]}
  - {id: b, team: blue, at: [20, 11]}
"""
CORNERS = ((100.5, 900.25), (1500.0, 950.0), (1300.0, 200.0), (300.0, 180.0))
PHOTO = ScenePhoto(
    b"\xff\xd8 a picture", (1600, 1200), CORNERS, board_corners((30.0, 22.0)), ((0, (800.12, 930.0)),), 0.75
)


def saved(folder: Path, photo: ScenePhoto | None = PHOTO, name: str = "dispute.yaml") -> Path:
    file = replace(scene_from_text(PLAIN, folder / name), photo=photo)
    save_scene(folder / name, file)
    return folder / name


def told(photo: ScenePhoto | None) -> tuple[object, ...] | None:
    if photo is None:
        return None
    return photo.kept, photo.size, photo.corners, photo.at, photo.along, photo.strength


def test_a_photo_is_saved_beside_its_scene_and_opened_the_same(tmp_path: Path) -> None:
    path = saved(tmp_path)
    first = load_scene(path)
    assert first.warnings == ()
    assert told(first.photo) == told(PHOTO)
    text = path.read_text()
    save_scene(path, first)
    assert path.read_text() == text
    assert sorted(each.suffix for each in tmp_path.iterdir()) == [".jpg", ".yaml"]
    with_photo, without = (ruling(load_scene(saved(tmp_path, one)).scene, "a", "b", "kt24") for one in (PHOTO, None))
    assert with_photo.as_json("x") == without.as_json("x")


def test_scenes_without_a_photo_are_written_as_before(tmp_path: Path) -> None:
    assert "photo" not in dump_scene(load_scene(saved(tmp_path, None)))


def test_a_photo_goes_where_its_scene_goes(tmp_path: Path) -> None:
    file = load_scene(saved(tmp_path))
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    save_scene(elsewhere / "other.yaml", file)
    found = load_scene(elsewhere / "other.yaml")
    assert told(found.photo) == told(PHOTO)
    assert found.photo is not None
    assert found.photo.name.startswith("other-photo-")
    second = replace(PHOTO, kept=b"another picture")
    save_scene(elsewhere / "other.yaml", replace(found, photo=second))
    assert told(load_scene(elsewhere / "other.yaml").photo) == told(second)


def test_a_missing_photo_is_a_warning_and_the_scene_is_the_same(tmp_path: Path) -> None:
    path = saved(tmp_path)
    for picture in tmp_path.glob("*.jpg"):
        picture.unlink()
    file = load_scene(path)
    assert file.photo is None
    assert len(file.scene.operatives) == 2
    (warning,) = file.warnings
    assert "does not exist" in warning
    assert "shown without it" in warning


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("corners:", "corner:", "unknown key 'corner'; did you mean 'corners'"),
        ("strength: 0.75", "strength: 7", "from 0 to 1"),
        ("- 0\n", "- 9\n", "the side's number, 0 to 3"),
        ("- 1600", "- many", "a number from 1"),
        ("- 300.0\n", "- 1490.0\n", "click them in turn"),
    ],
)
def test_what_is_wrong_with_a_photo_is_said(tmp_path: Path, old: str, new: str, words: str) -> None:
    path = saved(tmp_path)
    block = yaml_block(path.read_text())
    assert old in block
    path.write_text(block.replace(old, new, 1))
    with pytest.raises(UserError, match=words):
        load_scene(path)


def yaml_block(text: str) -> str:
    """The same file with every list of the photo written an item to a line."""
    import yaml

    return yaml.safe_dump(yaml.safe_load(text), sort_keys=False, default_flow_style=False)


@pytest.mark.parametrize("name", ["../out.jpg", "/etc/passwd", "https://example.org/a.jpg", "link.jpg"])
def test_a_photo_stays_inside_the_folder(tmp_path: Path, name: str) -> None:
    outside = tmp_path / "out.jpg"
    outside.write_bytes(PHOTO.kept)
    folder = tmp_path / "scenes"
    folder.mkdir()
    (folder / "link.jpg").symlink_to(outside)
    path = saved(folder)
    photo = load_scene(path).photo
    assert photo is not None
    path.write_text(path.read_text().replace(photo.name, name))
    file = load_scene(path)
    assert file.photo is None
    assert "the photo" in file.warnings[0]


def test_a_photo_that_is_too_large_is_left_out(tmp_path: Path) -> None:
    file = load_scene(saved(tmp_path, replace(PHOTO, kept=bytes(1_000_001))))
    assert file.photo is None
    assert "at most 1 MB" in file.warnings[0]
