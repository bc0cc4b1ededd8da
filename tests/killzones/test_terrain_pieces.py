"""The shipped terrain pieces: closed, of the right size, with the traits the rules give them."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

from ktsim import paths
from ktsim.geometry.solids import is_closed, welded
from ktsim.killzones.pieces import Piece, PiecePart, load_piece, shipped
from ktsim.sight.scene import TRAITS

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))

STRONGHOLDS = ("stronghold-a", "stronghold-b")
LARGE_RUINS = ("large-ruin-1", "large-ruin-2")


def part(piece: Piece, name: str) -> PiecePart:
    return next(part for part in piece.parts if part.name == name)


def of_kind(piece: Piece, kind: str) -> list[PiecePart]:
    return [part for part in piece.parts if part.kind == kind]


def traits(parts: list[PiecePart]) -> set[frozenset[str]]:
    return {part.traits for part in parts}


def size(parts: list[PiecePart]) -> np.ndarray:
    points = np.concatenate([part.triangles.reshape(-1, 3) for part in parts])
    return points.max(axis=0) - points.min(axis=0)


def top(part: PiecePart) -> float:
    return float(part.triangles[..., 2].max())


# -- every piece -------------------------------------------------------------------------------------------------


def test_every_piece_of_the_list_is_shipped() -> None:
    wanted = {*STRONGHOLDS, *LARGE_RUINS, "small-ruin-1", "small-ruin-2", "heavy-rubble-1", "heavy-rubble-2"}
    wanted |= {"light-rubble-1", "light-rubble-2", "light-rubble-3", "condenser"}
    wanted |= {f"gantry-{word}" for word in ("short", "medium", "long")}
    wanted |= {f"gallowdark-{word}" for word in ("pillar", "hatch", "hatchway-closed", "hatchway-open")}
    wanted |= {f"gallowdark-{word}-wall-{n}" for word in ("short", "long") for n in (1, 2, 3)}
    wanted |= {"light-barricade", "heavy-barricade", "portable-barricade", "razor-wire", "ladder", "barricade"}
    wanted |= {f"marker-{word}" for word in ("objective", "ammo-cache", "comms-device", "mine", "smoke", "mission")}
    assert wanted <= set(shipped())


@pytest.mark.parametrize("name", shipped())
def test_parts_are_closed_outward_and_known(name: str) -> None:
    piece = load_piece(name)
    assert piece.kind
    assert len(piece.decor.triangles) + len(piece.body.triangles) > 0
    for each in piece.parts:
        assert is_closed(each.triangles), each.name
        assert welded(each.triangles).volume > 0, each.name
        assert each.kind, each.name
        assert each.traits, each.name
        assert each.traits <= TRAITS, each.name


@pytest.mark.parametrize("name", shipped())
def test_colours_carry_a_material(name: str) -> None:
    piece = load_piece(name)
    for drawn in (piece.body, piece.decor):
        assert drawn.colours.shape == (len(drawn.triangles), 4)
        assert (drawn.colours[:, 3] % 16 == 0).all()


def test_the_files_stay_small() -> None:
    folder = paths.assets() / "terrain"
    assert sum(path.stat().st_size for path in folder.iterdir()) < 15_000_000
    assert {path.suffix for path in folder.iterdir()} == {".glb", ".yaml"}


def test_the_same_seed_gives_the_same_bytes(tmp_path: Path) -> None:
    from terrain_builders import bheta, equipment, ruins
    from terrain_builders.write import write

    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        for draft in (ruins.light_rubble(9), bheta.gantry("gantry-short", 4.0), equipment.razor_wire()):
            write(folder, draft)
    names = sorted(path.name for path in (tmp_path / "1").iterdir())
    assert len(names) == 6
    for name in names:
        assert (tmp_path / "1" / name).read_bytes() == (tmp_path / "2" / name).read_bytes(), name


def test_another_seed_gives_another_mound() -> None:
    one, other = load_piece("light-rubble-1"), load_piece("light-rubble-2")
    assert one.parts[0].triangles.shape != other.parts[0].triangles.shape


# -- the city ----------------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-VOLKUS-STRONGHOLD")
@pytest.mark.parametrize("name", STRONGHOLDS)
def test_what_both_strongholds_have(name: str) -> None:
    piece = load_piece(name)
    assert piece.kind == "stronghold"
    assert traits(of_kind(piece, "floor")) == {frozenset({"ceiling", "vantage"})}
    assert traits(of_kind(piece, "door")) == {frozenset({"accessible", "heavy"})}
    assert traits(of_kind(piece, "fire step")) == {frozenset({"vantage", "insignificant", "exposed"})}
    assert len(of_kind(piece, "fire step")) == 2
    assert traits(of_kind(piece, "vent")) == {frozenset({"blocking"})}
    assert traits(of_kind(piece, "wall")) == {frozenset({"heavy"})}
    walls = part(piece, "walls")
    assert size([walls]) == pytest.approx([7, 7, 3], abs=0.01)
    assert [top(each) for each in of_kind(piece, "floor")] == pytest.approx([3], abs=1e-4)
    assert [top(each) for each in of_kind(piece, "fire step")] == pytest.approx([0.5, 0.5], abs=1e-4)
    assert size(of_kind(piece, "door"))[0] == pytest.approx(1.25, abs=0.02)


@pytest.mark.rule("KZ-VOLKUS-STRONGHOLD")
def test_what_only_stronghold_a_has() -> None:
    a, b = load_piece("stronghold-a"), load_piece("stronghold-b")
    assert len(of_kind(a, "barrel")) == 3
    assert traits(of_kind(a, "barrel")) == {frozenset({"blocking", "heavy"})}
    assert traits(of_kind(a, "rampart")) == {frozenset({"insignificant", "exposed"})}
    assert all(each.triangles[..., 2].min() == pytest.approx(3, abs=1e-4) for each in of_kind(a, "rampart"))
    assert not of_kind(b, "barrel")
    assert not of_kind(b, "rampart")


@pytest.mark.rule("KZ-VOLKUS-STRONGHOLD")
def test_what_only_stronghold_b_has() -> None:
    a, b = load_piece("stronghold-a"), load_piece("stronghold-b")
    gap = part(b, "gap")
    # With these three it is an opening, as an open access point is: it stops no line.
    assert gap.traits == {"accessible", "insignificant", "exposed"}
    assert not gap.visible
    assert top(gap) == pytest.approx(3, abs=1e-4)
    highest = part(b, "second level")
    assert highest.traits == {"ceiling", "vantage"}
    assert top(highest) == pytest.approx(5.5, abs=1e-4)
    assert traits(of_kind(b, "post") + of_kind(b, "beacon")) == {frozenset({"heavy"})}
    assert not of_kind(a, "top floor")


@pytest.mark.rule("KZ-VOLKUS-TOP")
def test_the_middle_of_the_highest_level_is_taken() -> None:
    piece = load_piece("stronghold-b")
    floor, beacon = part(piece, "second level"), part(piece, "beacon")
    middle = (floor.triangles[..., 0].max() + floor.triangles[..., 0].min()) / 2
    assert beacon.triangles[..., 0].min() < middle < beacon.triangles[..., 0].max()
    assert beacon.triangles[..., 2].min() == pytest.approx(top(floor), abs=1e-4)


@pytest.mark.rule("KZ-VOLKUS-RUIN")
@pytest.mark.parametrize("name", LARGE_RUINS)
def test_large_ruins(name: str) -> None:
    piece = load_piece(name)
    assert piece.kind == "large ruin"
    assert traits(of_kind(piece, "floor")) == {frozenset({"ceiling", "vantage"})}
    assert traits(of_kind(piece, "rampart")) == {frozenset({"light"})}
    assert traits(of_kind(piece, "door")) == {frozenset({"accessible", "heavy"})}
    assert traits(of_kind(piece, "viewport")) == {frozenset({"blocking"})}
    assert traits(of_kind(piece, "window")) == {frozenset({"barred", "heavy"})}
    assert traits(of_kind(piece, "wall")) == {frozenset({"heavy"})}
    assert len(of_kind(piece, "window")) == 3
    assert not any(each.visible for each in of_kind(piece, "window") + of_kind(piece, "viewport"))
    assert size(list(piece.parts))[:2] == pytest.approx([6, 4.5], abs=0.02)
    first_level = part(load_piece("stronghold-a"), "upper floor")
    assert top(of_kind(piece, "floor")[0]) == pytest.approx(top(first_level), abs=1e-4)
    for rampart in of_kind(piece, "rampart"):
        assert size([rampart])[2] == pytest.approx(0.75, abs=0.06)


@pytest.mark.rule("KZ-BARRED")
def test_a_barred_window_fills_its_opening_and_a_broken_one_does_not() -> None:
    piece = load_piece("large-ruin-1")
    for window in of_kind(piece, "window"):
        across = size([window])
        assert max(across[:2]) == pytest.approx(0.5, abs=0.02)
        assert across[2] == pytest.approx(1.25, abs=0.02)
    assert {trait for each in piece.parts for trait in each.traits} <= TRAITS


@pytest.mark.rule("KZ-VOLKUS-RUBBLE")
@pytest.mark.parametrize(
    ("name", "trait", "limits"),
    [
        ("small-ruin-1", "heavy", (4, 3, 2.5)),
        ("small-ruin-2", "heavy", (4, 3, 2.5)),
        ("heavy-rubble-1", "heavy", (3, 2, 1.5)),
        ("heavy-rubble-2", "heavy", (3, 2, 1.5)),
        ("light-rubble-1", "light", (2.5, 1.5, 0.9)),
        ("light-rubble-2", "light", (2.5, 1.5, 0.9)),
        ("light-rubble-3", "light", (2.5, 1.5, 0.9)),
    ],
)
def test_small_ruins_and_rubble(name: str, trait: str, limits: tuple[float, float, float]) -> None:
    piece = load_piece(name)
    assert {each.traits for each in piece.parts} == {frozenset({trait})}
    measured = size(list(piece.parts))
    assert (measured <= np.array(limits) + 0.01).all()
    assert (measured >= 0.85 * np.array(limits)).all()


# -- the platforms -----------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-BHETA-GANTRY")
@pytest.mark.parametrize(("name", "length", "pillars"), [("short", 4, 4), ("medium", 6, 4), ("long", 9, 6)])
def test_gantries(name: str, length: float, pillars: int) -> None:
    piece = load_piece(f"gantry-{name}")
    assert piece.kind == "gantry"
    (floor,) = of_kind(piece, "floor")
    assert floor.traits == {"accessible", "vantage"}
    assert size([floor]) == pytest.approx([length, 3, 0.15], abs=1e-3)
    assert top(floor) == pytest.approx(3, abs=1e-4)
    assert len(of_kind(piece, "pillar")) == pillars
    assert traits(of_kind(piece, "pillar")) == {frozenset({"heavy"})}
    assert len(piece.parts) == pillars + 1


@pytest.mark.rule("KZ-BHETA-CONDENSER")
def test_the_condenser() -> None:
    piece = load_piece("condenser")
    assert piece.kind == "condenser"
    assert part(piece, "roof").traits == {"accessible", "vantage"}
    assert top(part(piece, "roof")) == pytest.approx(3, abs=1e-4)
    assert part(piece, "inner ledge").traits == {"exposed", "insignificant"}
    battlements = of_kind(piece, "battlement")
    assert len(battlements) == 4
    assert traits(battlements) == {frozenset({"light"})}
    assert [size([each])[2] for each in battlements] == pytest.approx([0.6] * 4, abs=1e-3)
    assert part(piece, "body").traits == {"heavy"}
    assert size([part(piece, "roof")])[:2] == pytest.approx([6, 6], abs=0.02)


# -- equipment and markers ---------------------------------------------------------------------------------------


def test_barricades() -> None:
    light = load_piece("light-barricade")
    assert traits(of_kind(light, "barricade")) == {frozenset({"light"})}
    assert traits(of_kind(light, "foot")) == {frozenset({"insignificant", "exposed"})}
    assert size(of_kind(light, "barricade"))[[0, 2]] == pytest.approx([2, 1], abs=0.1)
    assert traits(list(load_piece("heavy-barricade").parts)) == {frozenset({"heavy"})}
    assert traits(list(load_piece("portable-barricade").parts)) == {frozenset({"light"})}
    lite = load_piece("barricade")
    assert traits(list(lite.parts)) == {frozenset({"light", "traversable"})}
    assert size(list(lite.parts))[[0, 2]] == pytest.approx([2, 1], abs=1e-3)


@pytest.mark.parametrize(("name", "own"), [("razor-wire", {"exposed"}), ("ladder", {"insignificant", "exposed"})])
def test_wire_and_ladders_rule_as_rods_not_as_boxes(name: str, own: set[str]) -> None:
    piece = load_piece(name)
    assert traits(list(piece.parts)) == {frozenset(own)}
    for each in piece.parts:
        box = float(np.prod(size([each])))
        assert welded(each.triangles).volume < 0.4 * box, each.name


@pytest.mark.parametrize("name", [name for name in shipped() if name.startswith("marker-")])
def test_markers_never_rule(name: str) -> None:
    piece = load_piece(name)
    assert piece.parts == ()
    across = 40 / 25.4 if name == "marker-objective" else 20 / 25.4
    points = piece.decor.triangles.reshape(-1, 3)
    assert (points.max(axis=0) - points.min(axis=0))[:2] == pytest.approx([across, across], abs=0.01)
    assert points[:, 2].max() < 0.1


def test_the_same_hole_is_found_and_mended() -> None:
    """Flakes struck off a wall's edge leave no small hole through it."""
    from shapely.geometry import box as rect
    from terrain_builders.debris import chip_edges
    from terrain_builders.drawings import upper_edge
    from terrain_builders.pinholes import pinholes
    from terrain_builders.shapes import panel

    for seed in range(6):
        rng = np.random.default_rng(seed)
        outline = rect(0, 0, 4, 2.5)
        mesh = chip_edges(rng, panel(outline, 0.25), upper_edge(rng, outline, 0.1), 0.3)
        assert len(mesh.faces) > 100
        assert len(pinholes(np.asarray(mesh.triangles))) == 0
