"""Dear ImGui drawn through Panda3D geometry into any output, on screen or off.

Input is pushed by whoever has it (a window, a test): the pointer's place always goes before its buttons, or a fast
click lands where the pointer was.
"""

from __future__ import annotations

import ctypes
import time
from collections.abc import Callable, Iterator
from typing import Any

from imgui_bundle import imgui
from panda3d.core import (
    Camera,
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
    ScissorAttrib,
    Shader,
    Texture,
    TextureAttrib,
)

from ktsim.app.ui import clipboard

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
    def picture(self, texture: Texture) -> imgui.ImTextureRef:
        """A Panda3D texture for ``add_image``. Its first row is the bottom one: pass uv (0, 1) and (1, 0)."""
        known = next((id for id, one in self._textures.items() if one is texture), None)
        if known is None:
            self._last_id += 1
            known = self._last_id
            self._textures[known] = texture
        return imgui.ImTextureRef(known)

    def forget(self, texture: Texture) -> None:
        """It will not be drawn any more."""
        self._textures = {id: one for id, one in self._textures.items() if one is not texture}

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
        self._geometry("over" if over else "command")

    def _geometry(self, name: str) -> None:
        data = imgui.get_draw_data()
        for texture in _each(imgui.get_platform_io().textures):
            if texture.status != imgui.ImTextureStatus.ok:
                self._upload(texture)
        self.root.find_all_matches("over").detach()
        self.root.find_all_matches(name).detach()
        for part in _each(data.cmd_lists):
            vertices = GeomVertexData("interface", self._format, Geom.UH_stream)
            count = part.vtx_buffer.size()
            vertices.unclean_set_num_rows(count)
            rows = ctypes.string_at(part.vtx_buffer.data_address(), count * imgui.VERTEX_SIZE)
            vertices.modify_array_handle(0).set_data(rows)
            first = part.idx_buffer.data_address()
            for command in _each(part.cmd_buffer):
                if command.elem_count:
                    self.root.attach_new_node(self._command(name, command, vertices, first))

    def _command(self, name: str, command: Any, vertices: GeomVertexData, first: int) -> GeomNode:
        triangles = GeomTriangles(Geom.UH_stream)
        triangles.set_index_type(Geom.NT_uint16 if imgui.INDEX_SIZE == 2 else Geom.NT_uint32)
        rows = triangles.modify_vertices()
        rows.unclean_set_num_rows(command.elem_count)
        # A command's indices begin at idx_offset; leaving that out draws the first command again and again.
        start = first + command.idx_offset * imgui.INDEX_SIZE
        rows.modify_handle().set_data(ctypes.string_at(start, command.elem_count * imgui.INDEX_SIZE))
        if command.vtx_offset:
            triangles.offset_vertices(command.vtx_offset)
        geom = Geom(vertices)
        geom.add_primitive(triangles)
        w, h = self.io.display_size.x, self.io.display_size.y
        clip = command.clip_rect
        left, right = max(0.0, clip.x / w), min(1.0, clip.z / w)
        bottom, top = max(0.0, 1 - clip.w / h), min(1.0, 1 - clip.y / h)
        texture = TextureAttrib.make(self._textures[command.tex_ref.get_tex_id()])
        node = GeomNode(name)
        node.add_geom(geom, RenderState.make(ScissorAttrib.make(left, right, bottom, top), texture))
        node.set_bounds(OmniBoundingVolume())
        node.set_final(True)
        return node

    def _upload(self, texture: Any) -> None:
        status = imgui.ImTextureStatus
        if texture.status == status.want_create:
            made = Texture("interface")
            made.setup_2d_texture(texture.width, texture.height, Texture.T_unsigned_byte, Texture.F_rgba)
            made.set_minfilter(SamplerState.FT_linear)
            self._last_id += 1
            self._textures[self._last_id] = made
            texture.set_tex_id(self._last_id)
        if texture.status in (status.want_create, status.want_updates):
            pixels = texture.get_pixels_array().reshape(texture.height, texture.width, 4)[..., [2, 1, 0, 3]]
            self._textures[texture.tex_id].set_ram_image_as(pixels.tobytes(), "BGRA")
            texture.status = status.ok
        elif texture.status == status.want_destroy:
            self._textures.pop(texture.tex_id, None)
            texture.set_tex_id(0)
            texture.status = status.destroyed

    def close(self) -> None:
        imgui.destroy_context(self.context)
