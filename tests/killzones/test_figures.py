"""The miniatures: closed, of the right height, with the head where it is said to be."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ktsim import paths
from ktsim.content.mesh_file import read_own
from ktsim.errors import UserError
from ktsim.geometry.solids import box, is_closed, welded
from ktsim.killzones.figures import BASE_TOP, cylinder_figure, figure, head_problem, mesh_figure, model_meshes, models

NAMES = ("brute", "gunner", "leader", "trooper")


def crossings_along(triangles: np.ndarray, point: np.ndarray, direction: np.ndarray) -> int:
    """How many triangles a ray from *point* leaves through, less those it enters through."""
    a, b, c = triangles[:, 0] - point, triangles[:, 1] - point, triangles[:, 2] - point
    u = np.einsum("ij,ij->i", np.cross(b, c), np.broadcast_to(direction, a.shape))
    v = np.einsum("ij,ij->i", np.cross(c, a), np.broadcast_to(direction, a.shape))
    w = np.einsum("ij,ij->i", np.cross(a, b), np.broadcast_to(direction, a.shape))
    ahead = np.einsum("ij,ij->i", a, np.cross(b, c))
    out = (u > 0) & (v > 0) & (w > 0) & (ahead > 0)
    entered = (u < 0) & (v < 0) & (w < 0) & (ahead < 0)
    return int(out.sum()) - int(entered.sum())


def test_there_are_at_least_four() -> None:
    assert set(NAMES) <= set(models())


@pytest.mark.rule("SIGHT-4")
@pytest.mark.parametrize("name", NAMES)
def test_a_model(name: str) -> None:
    found = figure(name)
    assert len(found.triangles) <= 2500
    assert is_closed(found.triangles)
    assert welded(found.triangles).volume > 0
    low, high = found.triangles.reshape(-1, 3).min(axis=0), found.triangles.reshape(-1, 3).max(axis=0)
    assert low[2] == pytest.approx(BASE_TOP, abs=1e-6)
    assert high[2] == pytest.approx(1.3, abs=1e-6)
    assert np.abs([*low[:2], *high[:2]]).max() < 0.63
    assert found.head == pytest.approx((0, 0, 1.1), abs=1e-6)
    assert found.head_radius == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
def test_the_head_is_inside_the_drawn_head(name: str) -> None:
    found = figure(name)
    rng = np.random.default_rng(2)
    directions = rng.normal(size=(60, 3))
    directions /= np.linalg.norm(directions, axis=1)[:, None]
    for direction in directions:
        point = np.array(found.head) + direction * found.head_radius * 0.999
        assert crossings_along(found.triangles, point, np.array((0.31, 0.17, 0.93))) >= 1


@pytest.mark.parametrize("name", NAMES)
def test_team_faces_are_marked(name: str) -> None:
    meshes = model_meshes(name)
    assert list(meshes) == ["body", "team"]
    grey = meshes["team"].visual.vertex_colors
    assert (grey[:, 0] == grey[:, 1]).all(), "shades of grey, to multiply with the team's colour"
    for mesh in meshes.values():
        assert mesh.visual.kind == "vertex"
        assert np.linalg.norm(mesh.vertex_normals, axis=1) == pytest.approx(1, abs=1e-3)


def test_height_scales_everything() -> None:
    tall = figure("trooper", 2.6)
    assert tall.triangles == pytest.approx(figure("trooper").triangles * 2)
    assert tall.head[2] == pytest.approx(2.2)
    assert tall.head_radius == pytest.approx(0.2)
    assert figure("trooper", 2.6) is tall, "figures are compared by identity"


def test_head_can_be_given() -> None:
    found = figure("trooper", 1.3, (0.9, 0.05))
    assert (found.head, found.head_radius) == ((0, 0, 0.9), 0.05)
    assert head_problem(found) is None
    assert head_problem(figure("trooper", 1.3, (1.5, 0.05))) is not None


def test_cylinder_and_mesh_stand_on_the_base() -> None:
    round_one = cylinder_figure(0.35, 1.25)
    assert round_one.triangles[..., 2].min() == pytest.approx(BASE_TOP)
    assert round_one.triangles[..., 2].max() == pytest.approx(BASE_TOP + 1.25)
    scanned = mesh_figure("scan", welded(box((-0.2, -0.2, 5), (0.2, 0.2, 6))))
    assert scanned.triangles[..., 2].min() == pytest.approx(BASE_TOP)
    assert scanned.head[2] == pytest.approx((BASE_TOP + 1) * 1.1 / 1.3)


def test_unknown_model() -> None:
    with pytest.raises(UserError, match="did you mean 'trooper'"):
        figure("troper")


@pytest.mark.parametrize("keep", [0, 4, 19, 30, 500, -4])
def test_a_damaged_glb_says_so(tmp_path: Path, keep: int) -> None:
    data = (paths.assets() / "figures" / "trooper.glb").read_bytes()
    (tmp_path / "bad.glb").write_bytes(data[:keep])
    with pytest.raises(UserError, match=r"bad\.glb: cannot be read.*build it again"):
        read_own(tmp_path / "bad.glb")
