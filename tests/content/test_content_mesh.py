"""Meshes from outside: every format as another program writes it, and everything a hostile file may try."""

from __future__ import annotations

import io
import json
import struct
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import trimesh
from hypothesis import given, settings
from hypothesis import strategies as st

from ktsim.content import guarded, mesh_file
from ktsim.content.files import OutsideFolder, inside
from ktsim.content.mesh_checks import TRIANGLE_LIMIT, WrongMesh
from ktsim.content.mesh_file import FORMATS as SUFFIXES
from ktsim.content.mesh_file import BadMesh, read_mesh
from ktsim.content.mesh_worker import parse_mesh
from ktsim.geometry.solids import box, is_closed

FORMATS = ["stl", "stl_ascii", "obj", "ply", "ply_ascii", "glb", "3mf"]


@pytest.fixture(scope="module")
def exported() -> dict[str, bytes]:
    """A box of 2 x 3 x 4, as trimesh writes it in each format."""
    mesh = trimesh.creation.box(extents=(2, 3, 4))
    mesh.apply_translation((1, 1.5, 2))
    out = {}
    for kind in ("stl", "stl_ascii", "obj", "ply", "glb"):
        data = mesh.export(file_type=kind)
        out[kind] = data.encode() if isinstance(data, str) else data
    out["ply_ascii"] = mesh.export(file_type="ply", encoding="ascii")
    out["3mf"] = three_mf(mesh.vertices, mesh.faces)
    return out


def three_mf(vertices: Any, faces: Any, transform: str = "") -> bytes:
    corners = "".join(f'<vertex x="{x}" y="{y}" z="{z}"/>' for x, y, z in vertices)
    triangles = "".join(f'<triangle v1="{a}" v2="{b}" v3="{c}"/>' for a, b, c in faces)
    move = f' transform="{transform}"' if transform else ""
    text = (
        '<model unit="millimeter" xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources>'
        f'<object id="1"><mesh><vertices>{corners}</vertices><triangles>{triangles}</triangles></mesh>'
        f'</object></resources><build><item objectid="1"{move}/></build></model>'
    )
    return zipped("3D/3dmodel.model", text.encode())


def zipped(name: str, data: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as package:
        package.writestr(name, data)
    return out.getvalue()


def glb(document: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(document).encode()
    text += b" " * (-len(text) % 4)
    head = struct.pack("<III", 0x46546C67, 2, 28 + len(text) + len(binary))
    return head + struct.pack("<II", len(text), 0x4E4F534A) + text + struct.pack("<II", len(binary), 0x4E4942) + binary


def refused(data: bytes, suffix: str) -> str:
    with pytest.raises(WrongMesh) as caught:
        parse_mesh(data, suffix)
    return str(caught.value)


@pytest.mark.parametrize("kind", FORMATS)
def test_reads_what_others_write(exported: dict[str, bytes], kind: str) -> None:
    mesh = parse_mesh(exported[kind], "." + kind.split("_")[0])
    assert len(mesh.faces) == 12
    assert is_closed(mesh.triangles)
    assert mesh.volume == pytest.approx(24, abs=1e-4)
    assert mesh.bounds[1] == pytest.approx([2, 3, 4], abs=1e-5)


def test_the_worker_gives_inches(tmp_path: Path, exported: dict[str, bytes]) -> None:
    path = tmp_path / "box.stl"
    path.write_bytes(exported["stl"])
    inches = read_mesh(path, "inch")
    assert inches.bounds.max() == pytest.approx(4)
    assert inches.is_watertight, "triangles that meet share their corners"
    assert read_mesh(path, "mm").bounds.max() == pytest.approx(4 / 25.4)


def test_a_changed_file_is_read_again(tmp_path: Path, exported: dict[str, bytes]) -> None:
    path = tmp_path / "box.stl"
    path.write_bytes(exported["stl"])
    assert len(read_mesh(path).faces) == 12
    path.write_bytes(exported["stl_ascii"])
    assert len(read_mesh(path).faces) == 12
    path.write_bytes(b"nothing")
    with pytest.raises(BadMesh, match="damaged"):
        read_mesh(path)


@pytest.mark.parametrize("kind", FORMATS)
def test_nan_is_refused(exported: dict[str, bytes], kind: str) -> None:
    data = exported[kind]
    if kind in ("stl", "ply", "glb"):
        at = data.index(struct.pack("<f", 3.0))
        bad = data[:at] + struct.pack("<f", float("nan")) + data[at + 4 :]
    elif kind == "3mf":
        bad = three_mf([("nan", 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)])
    else:
        old = next(word for word in data.split() if word.startswith(b"3.0"))
        bad = data.replace(old, b"nan", 1)
    assert "NaN" in refused(bad, "." + kind.split("_")[0])


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.parametrize("keep", [0, 1, 10, 60, 100, 200])
def test_cut_short(exported: dict[str, bytes], kind: str, keep: int) -> None:
    assert refused(exported[kind][:keep], "." + kind.split("_")[0])


@settings(deadline=None, max_examples=300)
@given(kind=st.sampled_from(FORMATS), at=st.floats(0, 1, exclude_max=True), byte=st.integers(0, 255))
def test_damage_is_refused_or_harmless(exported: dict[str, bytes], kind: str, at: float, byte: int) -> None:
    data = bytearray(exported[kind])
    data[int(at * len(data))] = byte
    try:
        mesh = parse_mesh(bytes(data), "." + kind.split("_")[0])
    except WrongMesh:
        return
    assert np.isfinite(mesh.triangles).all()
    assert 1 <= len(mesh.faces) <= TRIANGLE_LIMIT


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(data=st.binary(max_size=200))
def test_noise_is_refused(suffix: str, data: bytes) -> None:
    assert refused(data, suffix)


def test_counts_are_checked_first() -> None:
    # Headers that promise billions, with next to nothing behind them.
    assert "more than 200,000" in refused(b"\0" * 80 + struct.pack("<I", 300_000) + b"\0" * 50 * 300_000, ".stl")
    assert refused(b"\0" * 80 + struct.pack("<I", 4_000_000_000) + b"\0" * 100, ".stl")
    ply = b"ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\nend_header\n"
    assert "more than 200,000" in refused(ply, ".ply")
    ply = ply.replace(b"4000000000", b"500000")
    assert "damaged" in refused(ply, ".ply")
    document = {
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3_000_000_000, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}],
    }
    assert "more than 200,000" in refused(glb(document, b"\0" * 36), ".glb")


def test_text_is_counted_before_it_is_split() -> None:
    assert "more than 200,000" in refused(b"solid\n" + b"vertex 0 0 0\n" * 600_003 + b"endsolid", ".stl")
    assert "lines" in refused(b"\n" * 3_000_000, ".obj")
    assert "damaged" in refused(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3" + b" 1" * 5_000_000, ".obj")
    assert "more than 200,000" in refused(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3" + b" 1" * 200_000, ".obj")
    assert "lines" in refused(b"ply\nformat ascii 1.0\nend_header\n" + b"\n" * 3_000_000, ".ply")
    assert "more than 200,000" in refused(zipped("a.model", b"<triangle " * 200_001), ".3mf")
    assert "too many objects" in refused(zipped("a.model", b"<a/>" * 3_000_000), ".3mf")


def test_wild_indices() -> None:
    assert "does not have" in refused(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n", ".obj")
    assert "does not have" in refused(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -9\n", ".obj")
    assert "does not have" in refused(three_mf([(0, 0, 0)], [(0, 1, 2)]), ".3mf")


def test_corners_that_trimesh_would_take_for_others() -> None:
    corners = b"v 0 0 0\nv 1 0 0\nv 0 1 0\n"
    assert "damaged" in refused(corners + b"f 0 1 2\n", ".obj")
    assert "damaged" in refused(corners + b"f 1 2\n", ".obj")
    assert "damaged" in refused(corners + b"f 1 2 3\nf 1 2 -\n", ".obj")
    assert "damaged" in refused(corners.replace(b" 0\n", b"\n") + b"f 1 2 3\n", ".obj"), "a flat drawing"
    # Backwards is from the last vertex before the face, which trimesh takes for the last of the file.
    sheet = [[0, 0, 0], [1, 0, 0], [0, 1, 0]]
    assert parse_mesh(corners + b"f -3/1/1 -2//2 -1\n", ".obj").triangles.tolist() == [sheet]
    two = parse_mesh(corners + b"f -3 -2 -1\n" + corners.replace(b"0\n", b"7\n") + b"f -3 -2 -1\n", ".obj")
    assert two.triangles.tolist() == [sheet, [[x, y, 7] for x, y, _ in sheet]]


def test_obj_as_hands_write_it() -> None:
    text = (
        b"# a sheet\r\n\tv 0 0 0 \r\n  v 2\t0 0\r\nv 2 1 0\r\nv 0 1 0\r\nv 0 0 1\r\n f 1/1 2/2 \\\r\n3/3 4/4\r\nf 1 2 5"
    )
    assert parse_mesh(text, ".obj").area == pytest.approx(3)


def test_faces_that_trimesh_would_leave_out() -> None:
    head = b"ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
    head += b"element face 2\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n"
    assert len(parse_mesh(head + b"3 0 1 2\n3 2 1 0\n", ".ply").faces) == 2
    assert "damaged" in refused(head + b"3 0 1 2\n", ".ply")
    assert "does not have" in refused(head + b"3 0 1 2\n3 2 1 9\n", ".ply")
    assert "without an area" in refused(head + b"3 0 0 0\n3 1 1 1\n", ".ply")
    mixed = head.replace(b"ascii", b"binary_little_endian").split(b"0 0 0\n")[0] + struct.pack("<9f", *range(9))
    both = struct.pack("<B3iB4i", 3, 0, 1, 2, 4, 0, 1, 2, 0)
    assert "as plain triangles" in refused(mixed + both, ".ply"), "a triangle and a quad"


def triangle_glb(**changes: Any) -> bytes:
    """A GLB of one triangle, with some of its lists changed."""
    document: dict[str, Any] = {
        "asset": {"version": "2.0"},
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{"attributes": {"POSITION": 0}}]}],
        "accessors": [{"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3"}],
        "bufferViews": [{"buffer": 0, "byteOffset": 0, "byteLength": 36}],
        "buffers": [{"byteLength": 36}],
    }
    return glb({**document, **changes}, struct.pack("<9f", 0, 0, 0, 1, 0, 0, 0, 1, 0))


def test_glb_files_that_promise_what_they_do_not_hold() -> None:
    assert len(parse_mesh(triangle_glb(), ".glb").faces) == 1
    view = {"componentType": 5126, "count": 3, "type": "VEC3"}
    assert "damaged" in refused(triangle_glb(accessors=[view]), ".glb"), "zeros out of nothing"
    assert "damaged" in refused(triangle_glb(accessors=[{**view, "bufferView": 0, "sparse": {"count": 1}}]), ".glb")
    assert "damaged" in refused(triangle_glb(accessors=[{**view, "bufferView": 0, "count": 30}]), ".glb")
    data = "data:application/octet-stream;base64," + "A" * 48
    for address in (data, "https://example.org/a.bin", "../secret.bin", "/etc/passwd"):
        assert "another file" in refused(triangle_glb(buffers=[{"uri": address, "byteLength": 36}]), ".glb")
    primitive = {"attributes": {"POSITION": 0}}
    packed = {**primitive, "extensions": {"KHR_draco_mesh_compression": {"bufferView": 0, "attributes": {}}}}
    for each in ({**primitive, "mode": 5}, {**primitive, "mode": 1}, packed):
        assert "plain triangles" in refused(triangle_glb(meshes=[{"primitives": [each]}]), ".glb")
    many = triangle_glb(nodes=[{"children": [1, 1]}, {"mesh": 0}])
    assert "circle" in refused(many, ".glb"), "one object in two places is none in glTF"


def test_circles_of_objects() -> None:
    assert "circle" in refused(glb({"scenes": [{"nodes": [0]}], "nodes": [{"children": [0]}]}, b""), ".glb")
    deep = [{"children": [i + 1]} for i in range(70)] + [{"mesh": 0}]
    assert "circle" in refused(triangle_glb(nodes=deep), ".glb")
    text = (
        b'<model xmlns="http://schemas.microsoft.com/3dmanufacturing/core/2015/02"><resources><object id="1">'
        b'<components><component objectid="1"/></components></object></resources>'
        b'<build><item objectid="1"/></build></model>'
    )
    assert "circle" in refused(zipped("3D/3dmodel.model", text), ".3mf")


def test_xml_entities_and_zip_bombs() -> None:
    assert "entities" in refused(zipped("a.model", b'<!DOCTYPE a [<!ENTITY x "y">]><model/>'), ".3mf")
    assert "unpacks to more than" in refused(zipped("a.model", b" " * 70_000_000), ".3mf")


def test_transforms_and_mirrors() -> None:
    corners = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
    faces = [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)]
    moved = parse_mesh(three_mf(corners, faces, "1 0 0 0 1 0 0 0 1 10 20 30"), ".3mf")
    assert moved.bounds[0].tolist() == [10, 20, 30]
    mirrored = parse_mesh(three_mf(corners, faces, "-1 0 0 0 1 0 0 0 1 0 0 0"), ".3mf")
    assert moved.volume == pytest.approx(mirrored.volume) == pytest.approx(1 / 6)
    scene = trimesh.Scene(trimesh.Trimesh(corners, faces, process=False))
    scene.apply_transform(np.diag([-2.0, 1, 1, 1]))
    mirrored = parse_mesh(scene.export(file_type="glb"), ".glb")
    assert mirrored.bounds.tolist() == [[-2, 0, 0], [0, 1, 1]]
    assert mirrored.volume == pytest.approx(2 / 6), "still outward"


def test_names_and_sizes(tmp_path: Path, exported: dict[str, bytes], monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "model.bam").write_bytes(b"x")
    with pytest.raises(BadMesh, match="use one of stl, obj, ply, glb, 3mf"):
        read_mesh(tmp_path / "model.bam")
    far = box((0, 0, 0), (1000, 1, 1)).reshape(-1, 3)
    lines = [f"v {x} {y} {z}" for x, y, z in far] + [f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}" for i in range(12)]
    (tmp_path / "far.obj").write_text("\n".join(lines))
    with pytest.raises(BadMesh, match="is its unit mm"):
        read_mesh(tmp_path / "far.obj", "inch")
    assert read_mesh(tmp_path / "far.obj", "mm").bounds.max() == pytest.approx(1000 / 25.4)
    monkeypatch.setattr(mesh_file, "FILE_LIMIT", 100)
    (tmp_path / "box.stl").write_bytes(exported["stl"])
    with pytest.raises(BadMesh, match="simplify"):
        read_mesh(tmp_path / "box.stl")


def test_the_worker_has_little_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "slow.obj").write_bytes(b"v 0 0 0\n")
    monkeypatch.setattr(mesh_file, "SECONDS", 0.001)
    with pytest.raises(BadMesh, match="took more than"):
        read_mesh(tmp_path / "slow.obj")


def test_a_dead_worker_is_a_damaged_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "any.obj").write_bytes(b"v 0 0 1\n")
    command = [sys.executable, "-c", "import os; os._exit(139)"]
    monkeypatch.setattr(guarded.workers, "command", lambda *words: command)
    with pytest.raises(BadMesh, match="damaged or needs too much memory"):
        read_mesh(tmp_path / "any.obj")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("/etc/passwd", "leads out"),
        ("../secret.stl", "leads out"),
        ("a/../../secret.stl", "leads out"),
        ("~/secret.stl", "leads out"),
        ("C:\\secret.stl", "leads out"),
        ("..\\secret.stl", "leads out"),
        ("https://example.org/a.stl", "is an address"),
        ("file:secret.stl", "is an address"),
        ("none.stl", "does not exist"),
        ("folder", "not an ordinary file"),
        ("", "not a file name"),
        ("a\x1b[2J.stl", "'a?[2J.stl' is not a file name"),
        ("link.stl", "link out"),
        ("door/secret.stl", "link out"),
        ("other-name.stl", "is a link; put a copy in its place"),
        ("other-folder/a.stl", "is a link; put a copy in its place"),
    ],
)
def test_paths_stay_inside(tmp_path: Path, name: str, words: str) -> None:
    home = tmp_path / "home"
    (home / "folder").mkdir(parents=True)
    (tmp_path / "secret.stl").write_bytes(b"x")
    (home / "link.stl").symlink_to(tmp_path / "secret.stl")
    (home / "door").symlink_to(tmp_path)
    (home / "folder" / "a.stl").write_bytes(b"x")
    (home / "other-name.stl").symlink_to(home / "folder" / "a.stl")
    (home / "other-folder").symlink_to(home / "folder")
    with pytest.raises(OutsideFolder) as caught:
        inside(home, name)
    assert words in str(caught.value)
    assert str(caught.value).isprintable()


def test_files_inside_are_found(tmp_path: Path) -> None:
    (tmp_path / "scans").mkdir()
    (tmp_path / "scans" / "a.stl").write_bytes(b"x")
    assert inside(tmp_path, "scans/a.stl").read_bytes() == b"x"
    assert inside(tmp_path, "./scans/a.stl").read_bytes() == b"x"
    (tmp_path / "home").symlink_to(tmp_path / "scans")
    assert inside(tmp_path / "home", "a.stl").read_bytes() == b"x", "how one came to the folder is one's own business"
