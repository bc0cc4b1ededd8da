"""Textures baked once with the detailed materials, for the quality levels that cannot compute them per pixel."""

from __future__ import annotations

import contextlib
import hashlib
import os
import zlib
from collections.abc import Callable, Iterator

import numpy as np
from panda3d.core import Camera, NodePath, OrthographicLens, SamplerState, Texture, Vec3

from ktsim import paths
from ktsim.app.stage import shaders
from ktsim.app.stage.engine import Engine, colour_texture, depth_texture
from ktsim.app.stage.materials import Material, Mood
from ktsim.app.stage.meshes import PaintedShape, geom_node
from ktsim.content.files import write_atomically
from ktsim.errors import UserError
from ktsim.sight.scene import Terrain

TILE_SIZE = 256
STRIP = 256
"""Rows of the ground baked at a time."""
TILED, BAKED = 0.45, 0.7
"""Of laying a table, what is done with the tiles and with the ground, where they must be made."""
MOST_KEPT = 24
"""Baked textures that are kept from one start to the next, some 10 MB each."""
_DIFFERENT = (Material.STONE, Material.CONCRETE, Material.PAINT, Material.HAZARD)
"""Materials that look different lying: no courses, no streaks."""

_LYING = (Material.STREET, Material.DECK, Material.WATER, Material.GRATE, Material.ISLAND, Material.TABLE)


def _take(
    engine: Engine, root: NodePath, lens: OrthographicLens, pose: tuple[Vec3, Vec3, Vec3], size: tuple[int, int]
) -> Texture:
    colour = colour_texture("baked")
    output = engine.buffer("bake", size, -90, colour=colour, depth=depth_texture("bake depth"))
    camera = root.attach_new_node(Camera("bake", lens))
    eye, way, up = pose
    camera.set_pos(eye)
    camera.look_at(eye + way, up)
    output.make_display_region().set_camera(camera)
    output.set_one_shot(True)
    output.set_active(True)
    engine.render()
    engine.graphics.extract_texture_data(colour, engine.host.get_gsg())
    engine.remove(output)
    camera.remove_node()
    return colour


_shared: dict[tuple[int, str], tuple[Texture, int]] = {}
"""What is baked of the same facts for the same engine, and how many stages have it."""


def _share(engine: Engine, facts: str, sharp: bool, make: Callable[[], Texture]) -> Texture:
    """What *make* makes of *facts*, the same for all that have it until they `let_go`: a table and a game on the same
    board would else hold it twice. One that is *sharp* does not blend between its sizes."""
    key = (id(engine.graphics), f"{facts} {sharp}")
    if key not in _shared:
        made = make()
        made.set_minfilter(SamplerState.FT_linear_mipmap_nearest if sharp else SamplerState.FT_linear_mipmap_linear)
        made.set_magfilter(SamplerState.FT_linear)
        made.set_keep_ram_image(False)  # it is drawn from the driver's copy
        _shared[key] = (made, 0)
    texture, users = _shared[key]
    _shared[key] = (texture, users + 1)
    return texture


def let_go(texture: Texture) -> None:
    """A stage has no more use for it."""
    for key, (one, users) in list(_shared.items()):
        if one == texture:
            if users > 1:
                _shared[key] = (one, users - 1)
                return
            del _shared[key]
    texture.release_all()


def _kept(facts: str, size: int, bake: Callable[[], bytes]) -> bytes:
    """What *bake* makes of *facts*, *size* bytes; kept in the cache folder: it takes as long as half a picture."""
    key = hashlib.sha256(f"{facts} {shaders.source('detail.frag')}".encode()).hexdigest()
    path = paths.cache() / "baked" / key
    with contextlib.suppress(OSError):
        found = path.read_bytes()
        data, check = found[:-4], found[-4:]
        if len(data) == size and zlib.crc32(data).to_bytes(4, "big") == check:
            os.utime(path)
            return data
    data = bake()
    if not data.strip(data[:1]):
        return data  # nothing was drawn
    with contextlib.suppress(OSError, UserError):
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, data + zlib.crc32(data).to_bytes(4, "big"))
        for old in sorted(path.parent.iterdir(), key=lambda each: each.stat().st_mtime)[:-MOST_KEPT]:
            old.unlink()
    return data


def baked_ground(
    engine: Engine, lit: NodePath, ground: PaintedShape, terrain: Terrain, mood: Mood, width: int, sharp: bool
) -> Texture:
    """The ground's colour seen from above, to be let go; *lit* carries the light's shader inputs, which follow from the
    rest."""
    board = terrain.board
    size = (width, max(2, round(width * board[1] / board[0])))
    shape = hashlib.sha256(ground.triangles.tobytes() + np.ascontiguousarray(ground.colours).tobytes()).hexdigest()
    facts = f"ground {size} {shape} {terrain.board} {terrain.areas} {mood}"

    def bake() -> bytes:
        return b"".join(_bake_ground(engine, lit, ground, board, size))

    def laid() -> Texture:
        texture = Texture("ground")
        texture.setup_2d_texture(*size, Texture.T_unsigned_byte, Texture.F_rgb)
        texture.set_ram_image(_kept(facts, size[0] * size[1] * 3, bake))
        texture.set_wrap_u(SamplerState.WM_clamp)
        texture.set_wrap_v(SamplerState.WM_clamp)
        return texture

    return _share(engine, facts, sharp, laid)


def _bake_ground(
    engine: Engine, lit: NodePath, ground: PaintedShape, board: tuple[float, float], size: tuple[int, int]
) -> Iterator[bytes]:
    """The pixels in strips from the bottom up."""
    root = NodePath("bake ground")
    root.set_state(lit.get_state())
    node = root.attach_new_node(geom_node(ground, "ground"))
    shaders.set_baking(node, "ground")
    pixel = board[1] / size[1]
    for first in range(0, size[1], STRIP):
        rows = min(STRIP, size[1] - first)
        lens = OrthographicLens()
        lens.set_film_size(board[0], rows * pixel)
        lens.set_near_far(1, 20)
        pose = (Vec3(board[0] / 2, (first + rows / 2) * pixel, 10), Vec3(0, 0, -1), Vec3(0, 1, 0))
        yield bytes(_take(engine, root, lens, pose, (size[0], rows)).get_ram_image_as("BGR"))
        engine.pause(TILED + (BAKED - TILED) * (first + rows) / size[1])


def baked_tiles(engine: Engine, lit: NodePath, mood: Mood, sharp: bool) -> Texture:
    """An array texture of mirrored tiles on neutral paint, to be let go: one for each material as it stands, then as it
    lies."""
    facts = f"tiles {TILE_SIZE} {mood}"

    def bake() -> bytes:
        wanted = [*((m, m in _LYING) for m in Material), *((m, True) for m in _DIFFERENT)]
        tiles = {}
        for number, (material, lies) in enumerate(wanted):
            tiles[material, lies] = _tile(engine, lit, material, lies)
            engine.pause(TILED * (number + 1) / len(wanted))
        standing = [tiles[m, m in _LYING] for m in Material]
        return b"".join([*standing, *(tiles.get((m, True), tiles.get((m, False), b"")) for m in Material)])

    def laid() -> Texture:
        array = Texture("tiles")
        array.setup_2d_texture_array(TILE_SIZE, TILE_SIZE, 2 * len(Material), Texture.T_unsigned_byte, Texture.F_rgb)
        array.set_ram_image(_kept(facts, 2 * len(Material) * TILE_SIZE**2 * 3, bake))
        array.set_wrap_u(SamplerState.WM_mirror)
        array.set_wrap_v(SamplerState.WM_mirror)
        return array

    return _share(engine, facts, sharp, laid)


def _tile(engine: Engine, lit: NodePath, material: Material, lies: bool) -> bytes:
    """The pixels of one tile, seen from above or from the front."""
    side = shaders.TILE_INCHES
    lens = OrthographicLens()
    lens.set_film_size(side, side)
    lens.set_near_far(1, 20)
    if lies:
        pose = (Vec3(side / 2, side / 2, 10), Vec3(0, 0, -1), Vec3(0, 1, 0))
    else:
        pose = (Vec3(side / 2, -10, side / 2), Vec3(0, 1, 0), Vec3(0, 0, 1))
    corners = np.array([(0, 0), (side, 0), (side, side), (0, side)], float)
    ring = np.insert(corners, 2 if lies else 1, 0.0, axis=1)
    sheet = np.stack([ring[[0, 1, 2]], ring[[0, 2, 3]]])
    grey = (255 * shaders.BAKE_PAINT["tile"] ** (1 / 2.2),) * 3
    root = NodePath("bake tile")
    root.set_state(lit.get_state())
    node = root.attach_new_node(geom_node(PaintedShape.painted(sheet, grey, material), "tile"))
    shaders.set_baking(node, "tile")
    node.set_shader_input("grime", 0.0)
    return bytes(_take(engine, root, lens, pose, (TILE_SIZE, TILE_SIZE)).get_ram_image_as("BGR"))
