"""The interface over the stage: ImGui through Panda3D, offscreen, with input pushed by hand."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from string import ascii_letters, digits

import numpy as np
import pytest
from contrast import contrast
from imgui_bundle import imgui
from numpy.typing import NDArray
from panda3d.core import GraphicsOutput, Texture

from ktsim.app.stage.engine import Engine, colour_texture, image_texture
from ktsim.app.ui import clipboard, flags, icons, theme
from ktsim.app.ui.backend import Backend, _each
from ktsim.app.ui.flags import Flag
from ktsim.app.ui.pen import Pen, Rect

SIZE = (240, 160)


class Window:
    """An output with an interface, and what it shows."""

    def __init__(self, engine: Engine, scale: float = 1.0) -> None:
        self.engine = engine
        self.texture: Texture = colour_texture("window")
        pixels = (round(SIZE[0] * scale), round(SIZE[1] * scale))
        self.output: GraphicsOutput = engine.buffer("window", pixels, 0, colour=self.texture)
        self.output.set_clear_color_active(True)
        self.output.set_clear_color((0, 0, 0, 1))
        self.backend = Backend(self.output, pixels, scale)

    def drawn(self, draw: object) -> NDArray[np.int64]:
        assert callable(draw)
        self.backend.frame(draw)
        self.output.set_one_shot(True)
        self.output.set_active(True)
        self.engine.render()
        return self.engine.pixels(self.texture).astype(int)

    def close(self) -> None:
        self.backend.close()
        self.engine.graphics.remove_window(self.output)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    made = Engine.offscreen()
    yield made
    made.close()


@pytest.fixture
def window(engine: Engine) -> Iterator[Window]:
    made = Window(engine)
    yield made
    made.close()


def panel() -> None:
    imgui.set_next_window_pos(imgui.ImVec2(0, 0))
    imgui.set_next_window_size(imgui.ImVec2(*SIZE))
    imgui.begin("panel", None, imgui.WindowFlags_.no_decoration.value | imgui.WindowFlags_.no_move.value)


def test_boxes_land_on_their_pixels_and_later_commands_on_theirs(window: Window) -> None:
    def draw() -> None:
        sheet = imgui.get_background_draw_list()
        # Each clip begins a command of its own: their indices start where the earlier ones end.
        for x, colour in ((10, theme.ACCENT), (100, theme.NO), (170, theme.BLUE)):
            sheet.push_clip_rect(imgui.ImVec2(x, 20), imgui.ImVec2(x + 40, 60))
            sheet.add_rect_filled(imgui.ImVec2(x, 20), imgui.ImVec2(x + 90, 60), theme.u32(colour))
            sheet.pop_clip_rect()

    pixels = window.drawn(draw)
    for x, colour in ((10, theme.ACCENT), (100, theme.NO), (170, theme.BLUE)):
        assert tuple(pixels[40, x + 20]) == pytest.approx(theme.channels(colour), abs=1)
        assert tuple(pixels[40, x + 45]) == (0, 0, 0), "the clip holds"
        assert tuple(pixels[70, x + 20]) == (0, 0, 0)


def test_a_click_lands_where_the_pointer_is_when_it_is_pressed(window: Window) -> None:
    pressed: list[str] = []

    def draw() -> None:
        panel()
        for y, name in ((10, "upper"), (80, "lower")):
            imgui.set_cursor_screen_pos(imgui.ImVec2(20, y))
            if imgui.button(f"{name}##{name}", imgui.ImVec2(120, 40)):
                pressed.append(name)
        imgui.end()

    window.backend.pointer(60, 30)
    window.drawn(draw)
    window.drawn(draw)
    # The pointer moved and pressed between two frames: the press brings its own place.
    window.backend.press("mouse1", True, (60, 100))
    window.drawn(draw)
    window.backend.press("mouse1", False, (60, 100))
    for _ in range(3):
        window.drawn(draw)
    assert pressed == ["lower"]


def test_text_is_typed_copied_and_pasted(window: Window, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "_tool", lambda which: None)
    clipboard.copy("from elsewhere")
    value = [""]

    def draw() -> None:
        panel()
        imgui.set_keyboard_focus_here()
        _, value[0] = imgui.input_text("##name", value[0])
        imgui.end()

    for _ in range(2):
        window.drawn(draw)
    window.backend.text("Kess")
    window.backend.text("\x08")
    window.drawn(draw)
    assert value[0] == "Kess"
    for key in ("control", "v"):
        window.backend.press(key, True)
    window.drawn(draw)
    for key in ("v", "control"):
        window.backend.press(key, False)
    for _ in range(3):
        window.drawn(draw)
    assert value[0].endswith("from elsewhere")


def test_on_a_dense_screen_the_same_units_cover_more_pixels(engine: Engine) -> None:
    def draw() -> None:
        sheet = imgui.get_background_draw_list()
        sheet.add_rect_filled(imgui.ImVec2(20, 20), imgui.ImVec2(60, 60), 0xFFFFFFFF)

    dense = Window(engine, 2.0)
    pixels = dense.drawn(draw)
    dense.close()
    assert pixels.shape == (320, 480, 3)
    rows, columns = np.nonzero(pixels[..., 0] > 128)
    assert (columns.min(), columns.max(), rows.min(), rows.max()) == (40, 119, 40, 119)


def test_pictures_stand_upright_in_panels_and_on_the_screen(window: Window, engine: Engine) -> None:
    image = np.zeros((8, 8, 4), np.uint8)
    image[..., 3] = 255
    image[4:, :, 0] = 255  # the first row is the bottom one: the upper half is red
    texture = image_texture("halves", image)
    reference = window.backend.picture(texture)

    def draw() -> None:
        pen.sheet = imgui.get_background_draw_list()
        pen.image(reference, Rect(0, 0, 80, 80))

    pen = Pen(window.backend.io)
    pixels = window.drawn(draw)
    assert pixels[15, 40, 0] > 200
    assert pixels[65, 40, 0] < 60
    window.backend.keep_pictures(theme.rgba(theme.INK))
    window.backend.lay_under(texture)
    pixels = window.drawn(lambda: None)
    assert pixels[20, 200, 0] > 200
    assert pixels[140, 200, 0] < 60
    window.backend.lay_under(image_texture("blue", np.full((2, 2, 4), (0, 0, 255, 255), np.uint8)))
    assert tuple(window.drawn(lambda: None)[20, 200]) == (0, 0, 255)


def test_text_is_shortened_never_cut(window: Window) -> None:
    pen = Pen(window.backend.io)
    found: list[str] = []

    def draw() -> None:
        found.append(pen.fitted("A sentence that is much too long for its place", "body", 120))
        found.append(pen.fitted("Short", "body", 120))
        assert pen.measure(found[0], "body")[0] <= 120
        assert pen.measure("one two three four five", "body", 60)[1] > 2 * pen.measure("one", "body")[1]

    window.drawn(draw)
    assert found[0].endswith("…")
    assert found[1] == "Short"


def test_labels_never_cover_each_other(window: Window) -> None:
    pen = Pen(window.backend.io)
    placed: list[Rect] = []

    def draw() -> None:
        pen.sheet = imgui.get_background_draw_list()
        wanted = [Flag(120, 150, "one"), Flag(125, 148, "two", icon="shield"), Flag(118, 152, "three", team="red")]
        placed.extend(flags.draw(pen, wanted, Rect(0, 0, *SIZE)).rects)

    window.drawn(draw)
    assert len(placed) == 3
    assert not any(a.overlaps(b) for i, a in enumerate(placed) for b in placed[i + 1 :])
    assert all(r.x >= 0 and r.right <= SIZE[0] and r.y >= 0 and r.bottom <= SIZE[1] for r in placed)


def test_labels_that_may_be_hidden_give_way(window: Window) -> None:
    """In a crowd those that may be hidden are, those that may not are all shown, and none covers another."""
    pen = Pen(window.backend.io)
    placed: list[Rect] = []

    def draw() -> None:
        pen.sheet = imgui.get_background_draw_list()
        wanted = [Flag(120, 12, f"must {i}") for i in range(3)] + [Flag(120, 14, "may", may_hide=True)] * 9
        placed.extend(flags.draw(pen, wanted, Rect(0, 0, *SIZE)).rects)

    window.drawn(draw)
    assert 3 <= len(placed) < 12
    assert not any(a.overlaps(b) for i, a in enumerate(placed) for b in placed[i + 1 :])
    assert all(r.x >= 0 and r.right <= SIZE[0] and r.y >= 0 and r.bottom <= SIZE[1] for r in placed)


def test_the_marked_label_stands_out(window: Window) -> None:
    """Its border is of the accent, and it is filled as a marked row is."""
    pen = Pen(window.backend.io)
    placed: list[Rect] = []

    def draw() -> None:
        pen.sheet = imgui.get_background_draw_list()
        wanted = [Flag(80, 100, "one", is_marked=True), Flag(180, 100, "two")]
        placed.extend(flags.draw(pen, wanted, Rect(0, 0, *SIZE)).rects)

    picture = window.drawn(draw)
    marked, plain = placed

    def colours(rect: Rect) -> tuple[list[int], list[int]]:
        middle = round(rect.y + rect.h / 2)
        return picture[middle, round(rect.x)].tolist()[:3], picture[middle, round(rect.x) + 5].tolist()[:3]

    edge, fill = colours(marked)
    assert edge == pytest.approx(theme.channels(theme.ACCENT), abs=40)
    assert fill == pytest.approx(theme.channels(theme.HOVER), abs=6)
    edge, fill = colours(plain)
    assert edge == pytest.approx(theme.channels(theme.TEXT), abs=60)
    assert fill != pytest.approx(theme.channels(theme.HOVER), abs=6)


def test_a_place_beyond_the_border_is_pointed_at_or_hidden(window: Window) -> None:
    pen = Pen(window.backend.io)
    shown: list[int] = []

    def draw() -> None:
        pen.sheet = imgui.get_background_draw_list()
        for insists in (True, False):
            shown.append(len(flags.draw(pen, [Flag(-50, 100, "one", insists=insists)], Rect(0, 0, *SIZE)).rects))

    picture = window.drawn(draw)
    assert shown == [1, 0]
    assert (picture[95:105, 3:10] > 150).any()


@pytest.mark.parametrize("name", sorted([*icons.GLYPHS, *icons.MARKS]))
def test_every_icon_draws_something_in_its_square(window: Window, name: str) -> None:
    pen = Pen(window.backend.io)

    def draw() -> None:
        pen.sheet = imgui.get_background_draw_list()
        pen.icon(name, 60, 60, 40, "#ffffff")

    lit = window.drawn(draw)[..., 0] > 100
    rows, columns = np.nonzero(lit)
    assert len(rows) > 20
    assert columns.min() >= 36
    assert columns.max() <= 84
    assert rows.min() >= 36
    assert rows.max() <= 84
    assert abs(int(columns.min() + columns.max()) - 120) <= 3, "in the middle"
    assert not (set(icons.GLYPHS) & set(icons.MARKS))


@pytest.mark.parametrize("colour", [theme.TEXT, theme.SOFT, theme.DIM, theme.ACCENT, theme.NO, theme.BLUE])
def test_text_colours_are_readable_on_panels(colour: str) -> None:
    assert contrast(colour, theme.PANEL) >= 4.5
    assert contrast(theme.PANEL, theme.PANEL) == pytest.approx(1)


def test_vectors_of_imgui_are_read_by_index() -> None:
    """The Windows wheel's iterator over draw lists yields textures; only indexing gives the right type there."""

    class Vector(list[int]):
        def __iter__(self) -> Iterator[int]:
            raise AssertionError("iterated")

    assert list(_each(Vector([3, 4]))) == [3, 4]


def test_letters_keep_their_size_whatever_else_was_written() -> None:
    """Where ImGui has to make room for glyphs it may load them in the size of others."""
    context = imgui.create_context()
    imgui.set_current_context(context)
    io, status, rng = imgui.get_io(), imgui.ImTextureStatus, Random(1)
    io.set_ini_filename("")
    io.backend_flags |= imgui.BackendFlags_.renderer_has_textures.value
    io.display_size = imgui.ImVec2(640, 360)
    pen, heights = Pen(io), dict[tuple[str, float, str], set[float]]()
    for frame in range(6000):
        io.delta_time = 1 / 60
        imgui.new_frame()
        sheet = imgui.get_background_draw_list()
        pen.size = 1.0 if frame // 40 % 2 else 1.25
        for kind in rng.sample(sorted(theme.TYPE), 2):
            font, pixels = pen.kind(kind)
            for letter in rng.sample(ascii_letters + digits, 3):
                first = sheet.vtx_buffer.size()
                sheet.add_text(font, pixels, imgui.ImVec2(9, 9), theme.u32(theme.TEXT), letter)
                rows = [sheet.vtx_buffer[i].pos.y for i in range(first, sheet.vtx_buffer.size())]
                heights.setdefault((kind, pixels, letter), set()).add(max(rows) - min(rows))
        imgui.render()
        for texture in _each(imgui.get_platform_io().textures):
            if texture.status == status.want_destroy:
                texture.set_tex_id(0)
                texture.status = status.destroyed
            elif texture.status != status.destroyed:
                texture.set_tex_id(1)
                texture.status = status.ok
    imgui.destroy_context(context)
    assert len(heights) == 2 * len(theme.TYPE) * 62
    assert [key for key, found in heights.items() if len(found) > 1] == []
