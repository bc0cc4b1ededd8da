"""The window: opens it, passes its input on, draws when something happened, and rests otherwise."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from panda3d.core import (
    ButtonThrower,
    DataGraphTraverser,
    EventQueue,
    FrameBufferProperties,
    GraphicsEngine,
    GraphicsPipe,
    GraphicsPipeSelection,
    GraphicsWindow,
    ModifierButtons,
    MouseAndKeyboard,
    NodePath,
    PointerEventList,
    WindowProperties,
)

from ktsim.app.play.setup_screen import resume_game
from ktsim.app.screens.screen import SMALLEST
from ktsim.app.shell.desktop import Desktop
from ktsim.app.shell.display import Unopened, first_text_size
from ktsim.app.shell.drops import DropTarget
from ktsim.app.shell.inputs import Inputs, is_of_mouse, listener, places_of_presses
from ktsim.app.shell.warming import Warmth
from ktsim.app.stage.engine import MISSING, Engine, configure
from ktsim.app.ui.settings import Settings, load_settings
from ktsim.content.files import write_atomically
from ktsim.errors import UserError
from ktsim.geometry.shelf import PREPARED, keep_little, let_go_of_code, sweep
from ktsim.killzones.scene_file import load_scene

FIRST_SIZE = (1280, 720)
MOST_OF_DISPLAY = 0.94
"""Of the display a new window takes no more than this: there are bars and edges."""

REST, LONG_REST = 1 / 60, 1 / 40
"""Seconds between looks at the input: soon after something was drawn, and while nothing happens."""

MOST_PREPARED = 96 << 20
"""Bytes of what boards have prepared that the window keeps: it shows one at a time and has pictures to keep as well."""

SWEEP = 3.0
"""Seconds after which memory is given back although there was no rest."""

AWAKE = 1.0
"""Seconds after a frame in which another is likely."""

REFRESH = 15.0
"""Seconds after which the picture is put up again although nothing happened. Most displays keep what a window shows;
on one that does not, whatever uncovers the window moves the pointer, the focus or the window, which draws at once."""


def zoom_of(pipe: GraphicsPipe) -> float:
    """Pixels per unit of the interface that the display asks for (HiDPI)."""
    return max(1.0, float(pipe.get_display_zoom()))


def scale_for(pixels: tuple[int, int], zoom: float) -> float:
    """Pixels per unit of the interface: the display's, or fewer where the smallest layout would not fit. Below the
    smallest size the interface shrinks instead of overlapping."""
    return min(zoom, pixels[0] / SMALLEST[0], pixels[1] / SMALLEST[1])


def first_size(text: float, zoom: float, display: tuple[int, int]) -> tuple[int, int]:
    """The pixels of a new window: larger with larger text as far as the *display* has room for it."""
    w, h = (
        max(least, min(least * text, MOST_OF_DISPLAY * there / zoom))
        for least, there in zip(FIRST_SIZE, display, strict=True)
    )
    return round(w * zoom), round(h * zoom)


def open_window(text: float = 1.0) -> GraphicsWindow:
    """A window on the display for text *text* times as large as designed. Raises UserError when there is no OpenGL for
    it."""
    configure()
    pipe = GraphicsPipeSelection.get_global_ptr().make_module_pipe("pandagl")
    if pipe is None:
        raise UserError(MISSING)
    if not pipe.is_valid():
        raise Unopened(f"The display {os.environ.get('DISPLAY', '')} cannot be opened.")
    graphics = GraphicsEngine(pipe)
    buffer = FrameBufferProperties()
    buffer.set_rgba_bits(8, 8, 8, 0)
    buffer.set_back_buffers(1)
    display = pipe.get_display_width(), pipe.get_display_height()
    properties = WindowProperties.size(*first_size(text, zoom_of(pipe), display))
    properties.set_title("ktsim")
    window = graphics.make_output(pipe, "ktsim", 0, buffer, properties, GraphicsPipe.BF_require_window)
    if window is None:
        raise UserError(MISSING)
    graphics.open_windows()
    state = window.get_gsg()
    if state is None or (state.get_driver_version_major(), state.get_driver_version_minor()) < (3, 2):
        graphics.remove_window(window)
        raise UserError(MISSING)
    _keep.append(graphics)
    return window


_keep: list[GraphicsEngine] = []
"""Engines of open windows: Panda3D does not keep an engine alive for its windows."""


class WindowLoop:
    """A window with a desktop in it."""

    def __init__(self, window: GraphicsWindow, settings: Settings | None = None, said: str = "") -> None:
        """*said* is what is to be told about the settings."""
        self.window = window
        self.engine = Engine.around(window)
        self.warmth = Warmth()
        self.size = self._size()
        self._zoom = zoom_of(window.get_pipe())
        scale = scale_for(self.size, self._zoom)
        warmth = self.warmth
        self.desktop = Desktop(self.engine, window, self.size, scale, settings, warmth.is_ready, preparing=warmth.stage)
        if said:
            self.desktop.say(said)
        handle = window.get_window_handle()
        is_linux = sys.platform == "linux"
        self._drops = DropTarget.on(handle.get_int_handle()) if is_linux and handle is not None else None
        self._listener = listener(handle.get_int_handle()) if handle is not None else None
        self._stage: tuple[int, int] | None = (0, 0)
        self._device = window.get_input_device(0)
        self._device.enable_pointer_events()
        self._inputs = Inputs(self.desktop)
        self._last_frame = 0.0
        self._swept = time.monotonic()
        self._is_unswept = False
        """Whether something was drawn since memory was last given back."""
        trace = os.environ.get("KTSIM_TRACE")
        self._trace = Path(trace) if trace else None
        """Where to say what is shown after every frame, for tests that drive the window from outside."""
        self._data = NodePath("input")
        device = self._data.attach_new_node(MouseAndKeyboard(window, 0, "device"))
        thrower = ButtonThrower("buttons")
        thrower.set_button_down_event("ktsim-down")
        thrower.set_button_repeat_event("ktsim-repeat")
        thrower.set_button_up_event("ktsim-up")
        thrower.set_keystroke_event("ktsim-text")
        thrower.set_modifier_buttons(ModifierButtons())
        device.attach_new_node(thrower)
        self._traverser = DataGraphTraverser()
        self._queue = EventQueue.get_global_event_queue()

    def _size(self) -> tuple[int, int]:
        properties = self.window.get_properties()
        if not properties.has_size():
            return FIRST_SIZE
        return max(1, properties.get_x_size()), max(1, properties.get_y_size())

    def run(self, scene: Path | None = None, game: Path | None = None) -> None:
        """Until the window is closed or left by Quit; at the table with a scene, or in a saved game."""
        try:
            self.desktop.frame()
            self.desktop.frame()
            if scene is not None:
                self.desktop.open_table(load_scene(scene))
            elif game is not None:
                resume_game(self.desktop, game)
            else:
                self.desktop.lay_table()
            while self.step():
                pass
        finally:
            if self._drops is not None:
                self._drops.close()
            if self._listener is not None:
                self._listener.close()
            self.warmth.close()
            self.desktop.close()
            self.engine.close()

    def step(self) -> bool:
        """Rest if nothing is to be drawn, take in what happened, and draw if need be. Returns whether to go on."""
        if not self.desktop.wanted:
            is_awake = time.monotonic() - self._last_frame < AWAKE
            if not is_awake:
                self._sweep()
            time.sleep(REST if is_awake else LONG_REST)
            self.engine.render()  # lets the window take in its events; nothing is drawn
        self._input()
        for path in self._drops.taken()[:1] if self._drops is not None else ():
            self.desktop.drop(path)
        self.desktop.attend()
        if self._stage is not None and self.warmth.stage() != self._stage:
            self._stage = self.warmth.stage()
            self.desktop.refresh()
        now = time.monotonic()
        if now - self._swept > SWEEP:
            self._sweep()
        if self.desktop.wanted or now - self._last_frame > REFRESH:
            self.desktop.frame()  # takes in the window's events as well
            self._inputs.drawn()
            self._last_frame, self._is_unswept = now, True
            if self.desktop.is_deaf:
                self._input()  # now: what is pressed from here on is meant
            if self._trace is not None:
                write_atomically(self._trace, self.desktop.summary().encode())
        return not self.window.is_closed() and not self.desktop.wants_to_quit

    def _sweep(self) -> None:
        """Give memory back that was freed while something was drawn."""
        if self._is_unswept:
            self._swept, self._is_unswept = time.monotonic(), False
            sweep()
            let_go_of_code()

    def _input(self) -> None:
        """Pass on what the window took in. Asked many times a second while nothing happens: it must cost nothing."""
        if self.desktop.is_deaf:
            self.engine.render()  # takes in what happened while something was loaded
        # Before the data graph takes them.
        moves = self._device.get_pointer_events() if self._device.has_pointer_event() else PointerEventList()
        pointer = self._device.get_pointer()
        known = self._inputs.pointer
        last = (float(pointer.get_x()), float(pointer.get_y())) if pointer.get_in_window() else known
        self._traverser.traverse(self._data.node())
        events = []
        while not self._queue.is_queue_empty():
            event = self._queue.dequeue_event()
            name = event.get_name()
            if name == self.window.get_window_event():
                self._window_changed()
            if name.startswith("ktsim-"):
                kind, value = name.removeprefix("ktsim-").replace("repeat", "down"), event.get_parameter(0)
                events.append((kind, value.get_wstring_value() if kind == "text" else value.get_string_value()))
        if self._listener is not None:
            places = self._listener.taken()
        else:
            told = [i for i in range(moves.get_num_events()) if moves.get_in_window(i)]
            pressed = [is_of_mouse(what) for kind, what in events if kind != "text"]
            seen = [(moves.get_xpos(i), moves.get_ypos(i)) for i in told]
            places = places_of_presses(known, seen, pressed)
        self._inputs.take(events, places, last)
        self._inputs.pass_on()
        self.desktop.is_deaf = False

    def _window_changed(self) -> None:
        """The window was resized, moved, covered, brought to the front or the like."""
        size = self._size()
        if size != self.size:
            self.size = size
            self.desktop.resize(size, scale_for(size, self._zoom))
        self.desktop.refresh()


def run(scene: Path | None = None, game: Path | None = None) -> None:
    """Open the window and stay until it is closed; with a *scene* file at the table with it, with a saved *game* in
    it."""
    keep_little()
    PREPARED.most = MOST_PREPARED
    settings, said = load_settings(usual=Settings(text=first_text_size()))
    WindowLoop(open_window(settings.text), settings, said).run(scene, game)
