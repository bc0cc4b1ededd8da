"""Dear ImGui drawn through Panda3D geometry into any output, on screen or off.

Input is pushed by whoever has it (a window, a test): the pointer's place always goes before its buttons, or a fast
click lands where the pointer was.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, NamedTuple

import numpy as np
from imgui_bundle import imgui
from panda3d.core import (
    Camera,
    CardMaker,
    ColorBlendAttrib,
    Geom,
    GeomNode,
    GeomTriangles,
    GeomVertexArrayFormat,
    GeomVertexData,
    GeomVertexFormat,
    GraphicsOutput,
    InternalName,
    NodePath,
    OmniBoundingVolume,
    OrthographicLens,
    RenderState,
    SamplerState,
    Shader,
    Texture,
    TextureAttrib,
    Vec3,
)

from ktsim.app.ui import clipboard
from ktsim.app.ui.patches import WORDS, Box, Inked, area, differing, overlap, patches, scissor

_VERTEX = """#version 150
uniform mat4 p3d_ModelViewProjectionMatrix;
in vec4 p3d_Vertex, p3d_Color;
in vec2 p3d_MultiTexCoord0;
out vec4 colour;
out vec2 uv;
void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * vec4(p3d_Vertex.x, 0, -p3d_Vertex.y, 1);
    colour = p3d_Color;
    uv = p3d_MultiTexCoord0;
}"""
_FRAGMENT = """#version 150
uniform sampler2D p3d_Texture0;
in vec4 colour;
in vec2 uv;
out vec4 result;
void main() { result = colour * texture(p3d_Texture0, uv); }"""

_FILLING = """#version 150
in vec4 p3d_Vertex;
out vec2 uv;
void main() { gl_Position = vec4(p3d_Vertex.x, p3d_Vertex.z, 0, 1); uv = p3d_Vertex.xz * .5 + .5; }"""
_PICTURE = """#version 150
uniform sampler2D picture;
in vec2 uv;
out vec4 result;
void main() { result = vec4(texture(picture, uv).rgb, 1); }"""
_BARE = """#version 150
uniform vec3 bare;
out vec4 result;
void main() { result = vec4(bare, 1); }"""

_KEYS: dict[str, str] = {
    **{letter: letter for letter in "abcdefghijklmnopqrstuvwxyz"},
    **{str(digit): f"_{digit}" for digit in range(10)},
    **{f"f{number}": f"f{number}" for number in range(1, 13)},
    **{f"arrow_{side}": f"{side}_arrow" for side in ("left", "right", "up", "down")},
    **{name: name for name in ("enter", "escape", "backspace", "space", "delete", "insert", "home", "end")},
    **{name: name for name in ("page_up", "page_down")},
    "lshift": "left_shift",
    "rshift": "right_shift",
    "lcontrol": "left_ctrl",
    "rcontrol": "right_ctrl",
    "lalt": "left_alt",
    "ralt": "right_alt",
    "lmeta": "left_super",
    "rmeta": "right_super",
    "shift": "mod_shift",
    "control": "mod_ctrl",
    "alt": "mod_alt",
    "meta": "mod_super",
    ".": "period",
    ",": "comma",
    "-": "minus",
    "=": "equal",
    "/": "slash",
}
"""Panda3D's button names to ImGui's."""

_BUTTONS = {"mouse1": 0, "mouse3": 1, "mouse2": 2}


def _vertex_format() -> GeomVertexFormat:
    columns = GeomVertexArrayFormat()
    columns.add_column(InternalName.get_vertex(), 2, Geom.NT_float32, Geom.C_point)
    columns.add_column(InternalName.get_texcoord(), 2, Geom.NT_float32, Geom.C_texcoord)
    columns.add_column(InternalName.get_color(), 4, Geom.NT_uint8, Geom.C_color)
    return GeomVertexFormat.register_format(GeomVertexFormat(columns))


def _each(vector: Any) -> Iterator[Any]:
    """The items of one of ImGui's vectors, by index: in the Windows wheel its vectors of pointers share one iterator
    type, so that iterating the draw lists yields textures once textures were iterated."""
    return (vector[i] for i in range(len(vector)))


class _Command(NamedTuple):
    """One of ImGui's draw commands: how many of its list's indices it takes from the *first* on, for vertices from
    *offset* on."""

    clip: Box
    elements: int
    first: int
    offset: int
    texture: int
    content: object


@dataclass(eq=False)
class _DrawList:
    """One of ImGui's draw lists as bytes, and what is drawn of it."""

    rows: bytes
    index: bytes
    commands: list[_Command]
    inked: list[Inked] = field(default_factory=list)
    geoms: list[Geom] = field(default_factory=list)

    def is_same(self, rows: bytes, index: bytes, commands: list[_Command]) -> bool:
        return self.commands == commands and self.index == index and self.rows == rows


class Backend:
    """An ImGui context whose pictures go to *output*. *scale* is pixels per unit of the interface (HiDPI)."""

    def __init__(self, output: GraphicsOutput, size: tuple[int, int], scale: float = 1.0) -> None:
        self.context = imgui.create_context()
        imgui.set_current_context(self.context)
        self.io = imgui.get_io()
        self.io.set_ini_filename("")
        flags = imgui.BackendFlags_
        self.io.backend_flags |= flags.renderer_has_textures.value | flags.renderer_has_vtx_offset.value
        platform = imgui.get_platform_io()
        platform.platform_set_clipboard_text_fn = lambda _context, text: (clipboard.copy(text), None)[1]
        platform.platform_get_clipboard_text_fn = lambda _context: clipboard.paste()
        self._format = _vertex_format()
        self._textures: dict[int, Texture] = {}
        self._own: set[int] = set()
        """The textures that ImGui makes itself."""
        self._versions: dict[int, object] = {}
        """Of the others: equal as long as one shows the same."""
        self._drawn: list[_DrawList] = []
        """What the last frame drew."""
        self._spoilt: list[Box] = []
        """What must be drawn again in the next frame."""
        self.patches: list[Box] = []
        """What the last frame drew again."""
        self._is_kept = False
        self._bare = self._under = NodePath("under")
        self._laid: Texture | None = None
        self._last_id = 0
        self._last_time = time.perf_counter()
        self.is_laying_out = False
        """Whether a frame has begun and is not finished."""
        self.root = NodePath("interface")
        self.root.set_shader(Shader.make(Shader.SL_GLSL, _VERTEX, _FRAGMENT))
        self.root.set_depth_test(False)
        self.root.set_depth_write(False)
        self.root.set_two_sided(True)
        self.root.set_bin("fixed", 100)
        blend = ColorBlendAttrib.O_incoming_alpha, ColorBlendAttrib.O_one_minus_incoming_alpha
        self.root.set_attrib(ColorBlendAttrib.make(ColorBlendAttrib.M_add, *blend))
        self._lens = OrthographicLens()
        self._lens.set_near_far(-10, 10)
        self._camera = NodePath(Camera("interface", self._lens))
        self._camera.reparent_to(self.root)
        self.region = output.make_display_region()
        self.region.set_sort(100)
        self.region.set_camera(self._camera)
        self.resize(size, scale)

    def resize(self, size: tuple[int, int], scale: float = 1.0) -> None:
        """Fit an output of *size* pixels."""
        self.size, self.scale = size, scale
        w, h = size[0] / scale, size[1] / scale
        self.io.display_size = imgui.ImVec2(w, h)
        self.io.display_framebuffer_scale = imgui.ImVec2(scale, scale)
        self._lens.set_film_size(w, h)
        self._camera.set_pos(w / 2, 0, -h / 2)
        self.spoil()

    # ---- input --------------------------------------------------------------------------------------------
    @property
    def is_behind(self) -> bool:
        """Whether input waits for another frame: ImGui takes in keys that came together one after the other."""
        return not self.context.input_events_queue.empty()

    def pointer(self, x: float, y: float) -> None:
        """The pointer's place in pixels of the output."""
        self.io.add_mouse_pos_event(x / self.scale, y / self.scale)

    def press(self, name: str, down: bool, pointer: tuple[float, float] | None = None) -> None:
        """A button or key by Panda3D's name, with where the pointer was at that moment."""
        if pointer is not None:
            self.pointer(*pointer)
        plain = name.rsplit("-", 1)[-1] or "-"  # "shift-a" arrives with its modifiers
        if plain in _BUTTONS:
            self.io.add_mouse_button_event(_BUTTONS[plain], down)
        elif plain in ("wheel_up", "wheel_down"):
            if down:
                self.io.add_mouse_wheel_event(0, 1 if plain == "wheel_up" else -1)
        elif plain in _KEYS:
            self.io.add_key_event(getattr(imgui.Key, _KEYS[plain]), down)

    def text(self, characters: str) -> None:
        """Typed characters; control characters are keys, not text."""
        if characters and ord(characters[0]) >= 32:
            self.io.add_input_characters_utf8(characters)

    # ---- pictures -----------------------------------------------------------------------------------------
    def picture(self, texture: Texture, version: object = None) -> imgui.ImTextureRef:
        """A Panda3D texture for ``add_image``. Its first row is the bottom one: pass uv (0, 1) and (1, 0). One of the
        same *version* shows the same as in the frame before; without one nobody knows."""
        known = next((id for id, one in self._textures.items() if one is texture), None)
        if known is None:
            self._last_id += 1
            known = self._last_id
            self._textures[known] = texture
        self._versions[known] = version
        return imgui.ImTextureRef(known)

    def forget(self, texture: Texture) -> None:
        """It will not be drawn any more."""
        self._textures = {id: one for id, one in self._textures.items() if one is not texture}
        self._versions = {id: version for id, version in self._versions.items() if id in self._textures}

    # ---- drawing ------------------------------------------------------------------------------------------
    def keep_pictures(self, bare: imgui.ImVec4) -> None:
        """The output keeps what was drawn, so that only what differs is drawn again: from now on, over a backdrop (see
        `lay_under`) or the colour *bare*."""
        self._is_kept = True
        self._bare = self._quad(_BARE)
        self._bare.set_shader_input("bare", Vec3(bare.x, bare.y, bare.z))
        self._under = self._bare
        self.spoil()

    def lay_under(self, picture: Texture | None) -> None:
        """Draw this picture beneath the interface, over all of the output, or none."""
        if picture is None:
            if self._under is not self._bare:
                self._under = self._bare
                self.spoil()
        elif self._laid is not picture or self._under is self._bare:
            self._laid, self._under = picture, self._quad(_PICTURE)
            self._under.set_shader_input("picture", picture)
            self.spoil()

    def spoil(self, part: Box | None = None) -> None:
        """Draw a part of the output again in the next frame whether or not the interface changes there, or all."""
        self._spoilt.append(part or (0, 0, *self.size))

    def _quad(self, fragment: str) -> NodePath:
        card = CardMaker("under")
        card.set_frame_fullscreen_quad()
        quad = NodePath(card.generate())
        quad.node().set_bounds(OmniBoundingVolume())
        quad.node().set_final(True)
        quad.set_shader(Shader.make(Shader.SL_GLSL, _FILLING, fragment))
        quad.set_attrib(ColorBlendAttrib.make_off())
        return quad

    def frame(self, draw: Callable[[], None], *, over: bool = False) -> None:
        """Lay out one frame of the interface with *draw* and put its geometry in place: instead of what was there, or
        *over* the last frame that was not."""
        imgui.set_current_context(self.context)
        now = time.perf_counter()
        self.io.delta_time = min(max(now - self._last_time, 1e-4), 0.25)
        self._last_time = now
        self.is_laying_out = True
        imgui.new_frame()
        draw()
        imgui.render()
        self.is_laying_out = False
        self._geometry(over)

    def _geometry(self, over: bool) -> None:
        for texture in _each(imgui.get_platform_io().textures):
            if texture.status != imgui.ImTextureStatus.ok:
                self._upload(texture)
                self.spoil()
        lists = _each(imgui.get_draw_data().cmd_lists)
        before = self._drawn
        found = [self._list(part, None if over else before, number) for number, part in enumerate(lists)]
        whole = (0, 0, *self.size)
        self.patches = [whole]
        if self._is_kept and not over:
            self.patches = patches([*self._spoilt, *self._changes(before, found)], self.size)
        self._spoilt = [whole] if over else []
        if not over:
            self._drawn = found
        self.root.get_children().detach()
        self._camera.reparent_to(self.root)
        for part in self.patches:
            if self._is_kept:
                under = self._under.copy_to(self.root)
                under.set_attrib(scissor(part, whole))
            self._attach("command", self._drawn, part)
            if over:
                self._attach("over", found, part)

    def _attach(self, name: str, lists: list[_DrawList], part: Box) -> None:
        for drawn in lists:
            for command, geom in zip(drawn.commands, drawn.geoms, strict=True):
                clip = overlap(command.clip, part)
                if area(clip):
                    texture = TextureAttrib.make(self._textures[command.texture])
                    node = GeomNode(name)
                    node.add_geom(geom, RenderState.make(scissor(clip, (0, 0, *self.size)), texture))
                    node.set_bounds(OmniBoundingVolume())
                    node.set_final(True)
                    self.root.attach_new_node(node)

    def _changes(self, before: list[_DrawList], now: list[_DrawList]) -> list[Box]:
        """Where the interface differs from what is drawn."""
        boxes: list[Box] = []
        for old, new in zip_longest(before, now):
            if old is not new:
                pairs = zip_longest(old.inked if old is not None else (), new.inked if new is not None else ())
                boxes += [box for pair in pairs for box in differing(*pair, self.scale)]
        return boxes

    def _list(self, part: Any, before: list[_DrawList] | None, number: int) -> _DrawList:
        """One of ImGui's draw lists; the one that was drawn *before* in its place if it is the same."""
        count, indices = part.vtx_buffer.size(), part.idx_buffer.size()
        rows = ctypes.string_at(part.vtx_buffer.data_address(), count * imgui.VERTEX_SIZE)
        index = ctypes.string_at(part.idx_buffer.data_address(), indices * imgui.INDEX_SIZE)
        commands = [
            _Command(self._clip(one.clip_rect), one.elem_count, one.idx_offset, one.vtx_offset, id, self._content(id))
            for one in _each(part.cmd_buffer)
            if one.elem_count
            for id in (one.tex_ref.get_tex_id(),)
        ]
        if before is not None and number < len(before) and before[number].is_same(rows, index, commands):
            return before[number]
        vertices = GeomVertexData("interface", self._format, Geom.UH_stream)
        vertices.unclean_set_num_rows(count)
        vertices.modify_array_handle(0).set_data(rows)
        found = _DrawList(rows, index, commands)
        corners = np.frombuffer(rows, np.uint32).reshape(-1, WORDS)
        wide = np.frombuffer(index, np.uint16 if imgui.INDEX_SIZE == 2 else np.uint32)
        for command in commands:
            # A command's indices begin at idx_offset; leaving that out draws the first command again and again.
            chosen = wide[command.first : command.first + command.elements]
            found.geoms.append(self._geom(vertices, chosen.tobytes(), command.offset))
            used = corners[chosen.astype(np.int64) + command.offset].reshape(-1, 3 * WORDS)
            found.inked.append(Inked(used, command.clip, command.content))
        return found

    def _content(self, texture: int) -> object:
        """What a texture shows; nothing equals what may have changed."""
        version = self._versions.get(texture, "own" if texture in self._own else None)
        return object() if version is None else (texture, version)

    def _clip(self, rect: imgui.ImVec4) -> Box:
        """A clipping rectangle in whole pixels: its sides are cut, as everybody's are."""
        k, (w, h) = self.scale, self.size
        x0, y0, x1, y1 = max(0.0, rect.x * k), max(0.0, rect.y * k), min(w, rect.z * k), min(h, rect.w * k)
        left, bottom = math.floor(x0), h - math.floor(h - y1)
        return left, bottom - math.floor(y1 - y0), left + math.floor(x1 - x0), bottom

    def _geom(self, vertices: GeomVertexData, index: bytes, offset: int) -> Geom:
        triangles = GeomTriangles(Geom.UH_stream)
        triangles.set_index_type(Geom.NT_uint16 if imgui.INDEX_SIZE == 2 else Geom.NT_uint32)
        rows = triangles.modify_vertices()
        rows.unclean_set_num_rows(len(index) // imgui.INDEX_SIZE)
        rows.modify_handle().set_data(index)
        if offset:
            triangles.offset_vertices(offset)
        geom = Geom(vertices)
        geom.add_primitive(triangles)
        return geom

    def _upload(self, texture: Any) -> None:
        status = imgui.ImTextureStatus
        if texture.status == status.want_create:
            made = Texture("interface")
            made.setup_2d_texture(texture.width, texture.height, Texture.T_unsigned_byte, Texture.F_rgba)
            made.set_minfilter(SamplerState.FT_linear)
            made.set_keep_ram_image(False)  # ImGui keeps the pixels itself
            self._last_id += 1
            self._textures[self._last_id] = made
            self._own.add(self._last_id)
            texture.set_tex_id(self._last_id)
        if texture.status in (status.want_create, status.want_updates):
            pixels = texture.get_pixels_array().reshape(texture.height, texture.width, 4)[..., [2, 1, 0, 3]]
            self._textures[texture.tex_id].set_ram_image_as(pixels.tobytes(), "BGRA")
            texture.status = status.ok
        elif texture.status == status.want_destroy:
            self._textures.pop(texture.tex_id, None)
            self._own.discard(texture.tex_id)
            texture.set_tex_id(0)
            texture.status = status.destroyed

    def close(self) -> None:
        imgui.destroy_context(self.context)
