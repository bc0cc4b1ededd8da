"""The program in a window: a stack of screens over one output, fed with input by whoever has it.

The output may be a window or a buffer; tests use the second and press widgets by where they stand. Nothing is drawn
unless something happened: `frame` draws the interface, and a table only if it looks different now. What a screen is
and what it may do is written down in `ktsim.app.screens.screen`.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from imgui_bundle import imgui
from panda3d.core import GraphicsOutput, Texture

from ktsim import faults
from ktsim.app.area.screen import AreaScreen
from ktsim.app.play.scene_play import ScenePlayScreen
from ktsim.app.ruling.screen import RulingTable
from ktsim.app.ruling.state import new_file
from ktsim.app.screens import dialogs
from ktsim.app.screens.screen import SMALLEST, Held, Screen
from ktsim.app.shell.fault_screen import FaultScreen
from ktsim.app.shell.kept_picture import KeptPicture
from ktsim.app.shell.start import StartScreen, teams_of
from ktsim.app.stage.cameras import WHOLE, Free
from ktsim.app.stage.engine import Engine, no_pause
from ktsim.app.ui import theme
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.pen import Pen, Rect
from ktsim.app.ui.rect import Place, opening
from ktsim.app.ui.settings import Settings, save_settings
from ktsim.app.ui.widgets import Widgets
from ktsim.errors import UserError
from ktsim.faults import Fault
from ktsim.game.team_library import is_team_file
from ktsim.killzones.scene_file import SceneFile, load_scene

FIRST_KILLZONE = "volkus-1"
"""What lies on the table when it is first opened."""

SETTLING = 3
"""Frames drawn after an input: ImGui tells hovering and pressing over two, the last shows the outcome."""


BLUR = 4
"""Pixels of the window beside what was drawn of a picture with fewer pixels that may look different too."""

PAUSE = 0.1
"""Seconds between the frames that say how far something is that takes long."""

ROOMY = (1280, 720)
"""From this size of the window on, text and controls grow with it ..."""
GROWS, LARGEST_BY_WINDOW = 0.5, 1.75
"""... by this power of its size: half of what is won is for the table; and up to this size of text."""

ONCE = ("enter", "space", "escape")
"""Keys that do nothing more while they are held."""


class Desktop:
    """The application shell. *size* is the output's in pixels, *scale* pixels per unit of the interface."""

    def __init__(
        self,
        engine: Engine,
        output: GraphicsOutput,
        size: tuple[int, int],
        scale: float = 1.0,
        settings: Settings | None = None,
        may_rule: Callable[[], bool] = lambda: True,
        clock: Callable[[], float] = time.monotonic,
        preparing: Callable[[], tuple[int, int] | None] = lambda: None,
    ) -> None:
        self.engine, self.output = engine, output
        self.settings = settings or Settings()
        self.may_rule = may_rule
        """Whether the sight engine is ready to be asked."""
        self.preparing = preparing
        """Which stage of making it ready is being done, of how many."""
        self.clock = clock
        theme.use(self.settings.palette)
        self.kept = KeptPicture(engine, output, size)
        self.backend = Backend(self.kept.drawn, size, scale)
        self.backend.keep_pictures(theme.rgba(theme.INK))
        self.pixels, self.scale = size, scale
        self.pen = Pen(self.backend.io, self._text_size())
        self.ui = Widgets(self.pen)
        self.table: RulingTable | None = None
        """The ruling table, once it was laid; it is kept while other screens are shown."""
        self.notice = ""
        self.faults: list[Fault] = []
        """What has been told of things that went wrong."""
        self.raises_faults = faults.is_debugging()
        self.wants_to_quit = False
        self.frames = 0
        self.at: Place = (0.0, 0.0)
        self.keys: set[str] = set()
        self._wanted = SETTLING
        self._later: list[Callable[[], object]] = []
        self._loading: tuple[str, Callable[[], object]] | None = None
        self._loads = "the table"
        """What is loaded now, if anything is."""
        self._paused = -math.inf
        """When a frame last said how far that is."""
        engine.pause = self._pause
        self.is_deaf = False
        """Whether keys and buttons that went down by now are not meant for what is shown: they were pressed while
        something was loaded. Whoever passes input on asks, and says when they are gone."""
        self.stack: list[Screen] = [StartScreen(self, lambda: self.table)]

    # ---- the stack ------------------------------------------------------------------------------------------
    @property
    def top(self) -> Screen:
        """The screen that is shown and gets the input."""
        return self.stack[-1]

    @property
    def shown(self) -> Screen:
        """The screen whose picture is shown: the topmost one that is not a dialog."""
        return next(screen for screen in reversed(self.stack) if not screen.is_dialog)

    def has(self, screen: Screen) -> bool:
        """Whether a screen is on the stack."""
        return screen in self.stack

    def push(self, screen: Screen) -> None:
        """Show a screen over the present one. One that is on the stack already is brought up by popping."""
        if screen in self.stack:
            while self.top is not screen:
                self.pop(self.top)
            return
        self.top.leave()
        self.top.focused = self.ui.focus.name
        self.ui.focus.at("")
        self.ui.focus.stop()
        self.ui.is_pointed = False
        self.stack.append(screen)
        screen.enter()
        self.notice = ""
        self.refresh()

    def pop(self, screen: Screen) -> None:
        """Take a screen off the stack, with whatever lies over it; the start screen stays, and a screen that is
        not there is none of our business."""
        if screen not in self.stack[1:]:
            return
        self.top.leave()
        while True:
            gone = self.stack.pop()
            if gone is not self.table:  # it is kept
                gone.close()
            if gone is screen:
                break
        self.ui.focus.at(self.top.focused)
        self.ui.is_pointed = False
        self.top.enter()
        self.refresh()

    def quit(self) -> None:
        """Close the window after this frame."""
        self.wants_to_quit = True

    def home(self) -> None:
        """Back to the start screen."""
        if len(self.stack) > 1:
            self.pop(self.stack[1])

    def back(self) -> None:
        """Out of the innermost thing that is open."""
        if not self.top.back():
            self.pop(self.top)

    # ---- places ---------------------------------------------------------------------------------------------
    @property
    def size(self) -> tuple[int, int]:
        """The window in units of the interface."""
        return round(self.pixels[0] / self.scale), round(self.pixels[1] / self.scale)

    def _text_size(self) -> float:
        """The text size that was set, larger in a large window, at most the largest with which the smallest layout
        still fits."""
        w, h = self.size
        spare = max(1.0, min(w / ROOMY[0], h / ROOMY[1]))
        wanted = max(self.settings.text, min(self.settings.text * spare**GROWS, LARGEST_BY_WINDOW))
        return min(wanted, max(w / SMALLEST[0], 0.5), max(h / SMALLEST[1], 0.5))

    def resize(self, pixels: tuple[int, int], scale: float | None = None) -> None:
        self.pixels, self.scale = pixels, scale or self.scale
        self.kept.resize(pixels)
        self.backend.resize(pixels, self.scale)
        self._rearrange()

    def set_settings(self, settings: Settings) -> None:
        """Use these from now on and write them down; that they cannot be written down is said."""
        self.settings = settings
        theme.use(settings.palette)
        self._rearrange()
        self.attempt(lambda: save_settings(settings))

    def _rearrange(self) -> None:
        self.pen.size = self._text_size()
        screens = list(self.stack)
        if self.table is not None and self.table not in screens:
            screens.append(self.table)
        for screen in screens:
            screen.resized()
        self.refresh()

    # ---- the ruling table -----------------------------------------------------------------------------------
    def lay_table(self, file: SceneFile | None = None) -> RulingTable:
        """Have the ruling table ready, with this on it if it is new; it is not shown."""
        if self.table is None:
            self.table = RulingTable(
                self,
                file or new_file(FIRST_KILLZONE),
                lambda table: AreaScreen(self, table),
                lambda scene: ScenePlayScreen(self, scene),
            )
            self.refresh()
        return self.table

    def open_table(self, file: SceneFile | None = None) -> RulingTable:
        """Go to the ruling table: what lies there, or this (which undo takes away again)."""
        is_new = self.table is None
        table = self.lay_table(file)
        if file is not None and not is_new:
            table.lay(file)
        if table not in self.stack:
            self.home()
        self.push(table)
        if file is not None and file.warnings:
            self.say(" ".join(file.warnings[:4]))
        return table

    def rule_on(self, file: SceneFile) -> None:
        """Show the ruling table over the present screen, with this on it."""
        is_new = self.table is None
        table = self.lay_table(file)
        if not is_new:
            table.lay(file)
        self.push(table)

    # ---- input ----------------------------------------------------------------------------------------------
    @property
    def held(self) -> Held:
        names = [modifier for modifier in ("shift", "control", "alt") if any(modifier in key for key in self.keys)]
        return Held(*(modifier in names for modifier in ("shift", "control", "alt")))

    def refresh(self) -> None:
        """Have the window drawn again."""
        self._wanted = SETTLING

    def refresh_once(self) -> None:
        """Have one more frame drawn: what was asked for in this one is seen in the next."""
        self._wanted = max(self._wanted, 1)

    @property
    def wanted(self) -> bool:
        """Whether a frame should be drawn now."""
        return self._wanted > 0 or self.top.wants_frames

    def pointer(self, x: float, y: float) -> None:
        """The pointer's place, in pixels of the output."""
        self.at = (x / self.scale, y / self.scale)
        self.ui.is_pointed = True
        self.backend.pointer(x, y)
        self.attempt(lambda: self.top.pointer(self.at))
        self.refresh()

    def press(self, name: str, down: bool) -> None:
        """A button or key by Panda3D's name; a key that is held comes again and again."""
        plain = name.rsplit("-", 1)[-1] or "-"
        if down and plain in ONCE and plain in self.keys:
            return
        (self.keys.add if down else self.keys.discard)(plain)
        self.backend.press(name, down)
        self.refresh()
        if down:
            self.notice = ""
        if plain.startswith(("mouse", "wheel")):
            if down:
                self.ui.focus.stop()
            self.attempt(lambda: self._mouse(plain, down))
        elif down:
            self.attempt(lambda: self._key(plain))

    def _key(self, key: str) -> None:
        focus, held = self.ui.focus, self.held
        is_plain = not held.control and not held.alt
        if key == "escape":
            if focus.is_walking and not self.top.is_dialog:
                focus.stop()
            else:
                self.back()
        elif key == "tab" and is_plain:
            focus.step(-1 if held.shift else 1)
        elif not self.backend.io.want_text_input and not (is_plain and focus.key(key)):
            self.top.key(key, held)

    def text(self, characters: str) -> None:
        self.backend.text(characters)
        self.refresh()

    def _mouse(self, name: str, down: bool) -> None:
        if not down:
            self.top.release(name, self.at)
        elif not self.ui.covers(*self.at):
            if name.startswith("wheel"):
                self.top.wheel(1 if name == "wheel_up" else -1, self.at, self.held)
            else:
                self.top.press(name, self.at, self.held)

    def drop(self, path: Path) -> None:
        """A file was dropped on the window: what the screen does not take itself goes to the player's teams if it is
        one, and a scene or a card to the ruling table, over a game that is played."""
        if self.top.dropped(path):
            return
        if self.top.is_dialog:
            self.say("Close this first, then drop it again.")
            return
        if path.is_dir() or is_team_file(path):
            teams = teams_of(self)
            self.push(teams)
            self.attempt(lambda: teams.take_in([path]))
            return
        is_playing = len(self.stack) > 1 and self.table not in self.stack
        show = self.rule_on if is_playing else self.open_table
        self.load(path.name, lambda: show(load_scene(path)))

    # ---- what screens ask for -------------------------------------------------------------------------------
    def later(self, run: Callable[[], object]) -> None:
        """Do it after this frame; what cannot be done is said."""
        self._later.append(run)
        self.refresh()

    def load(self, what: str, run: Callable[[], object]) -> None:
        """Do what takes long, once a frame has said that *what* is being loaded; keys pressed meanwhile are dropped."""
        self._loading = (what, run)
        self.refresh()

    def attempt(self, run: Callable[[], object]) -> None:
        """Do it; what cannot be done is said by the topmost screen, or at the foot of the window."""
        try:
            run()
        except UserError as error:
            self._problem(tuple(str(problem) for problem in error.problems))
        except OSError as error:
            self._problem((f"{error.filename or 'the file'}: {error.strerror or error}",))
        except Exception as error:
            self._failed(self.top, error)

    def _problem(self, texts: tuple[str, ...]) -> None:
        if not self.top.problem(texts[:4]):
            self.say(" ".join(texts[:4]))

    def _failed(self, screen: Screen, error: Exception) -> None:
        """Something unexpected happened on a screen: it is written down with what the screen says of itself, and
        told."""
        if self.raises_faults:
            raise error
        facts = {"screen": screen.name}
        with contextlib.suppress(Exception):
            facts |= self.shown.summary()
        self.show_fault(faults.note("the window", error, facts))

    def show_fault(self, fault: Fault) -> None:
        """Say that something unexpected has happened, once, and where it is written down."""
        if fault not in self.faults:
            self.faults.append(fault)
            self.push(FaultScreen(self, fault))

    def say(self, text: str) -> None:
        """Show a sentence at the foot of the window until the next press of anything."""
        self.notice = text
        self.refresh()

    def attend(self) -> None:
        """See whether what goes on beside the window is done."""
        for screen in {*self.stack, *([self.table] if self.table is not None else [])}:
            self.attempt(screen.attend)

    def summary(self) -> str:
        """What is shown, in lines of words, for whoever watches from outside."""
        rows = {
            "screen": self.shown.name,
            "dialog": self.top.name if self.top.is_dialog else "none",
            "laid": "yes" if self.table is not None and self.table.view.picture.pictures else "no",
            **self.shown.summary(),
            "focus": self.ui.focus.name if self.ui.focus.is_walking else "none",
            "frames": str(self.frames),
        }
        return "".join(f"{name}: {value}\n" for name, value in rows.items())

    # ---- drawing --------------------------------------------------------------------------------------------
    def frame(self) -> None:
        """Draw one frame, and do afterwards what was asked for in it."""
        self._wanted = max(0, self._wanted - 1)
        now = self.clock()
        self.attempt(lambda: self.shown.update(now))
        self.engine.render()  # the table: drivers in software draw it while the panels are laid out
        self._show(self.shown.texture)
        self.backend.frame(self._draw)
        self._put_up()
        self.engine.free = self._free()
        self.frames += 1
        if self.backend.is_behind:
            self.refresh()
        if self._loading is not None:
            (self._loads, run), self._loading = self._loading, None
            self.attempt(run)
            self._loads, self.is_deaf = "the table", True
            self.refresh()
        later, self._later = self._later, []
        for run in later:
            self.attempt(run)
            self.refresh()

    def _pause(self, share: float) -> None:
        """Between the steps of what takes long: the window takes in what happens, and a few times a second it says how
        far that is. Panels stay as they were; the table before may be gone."""
        now = time.monotonic()
        if now - self._paused < PAUSE or self.backend.is_laying_out:
            return
        self._paused = now
        self._show(None)
        self.backend.frame(lambda: dialogs.loading(self.ui, self.size, self._loads, share), over=True)
        self._put_up()

    def _put_up(self) -> None:
        """Draw the window as it is."""
        self.kept.put_up()

    def _free(self) -> Free:
        """The part of the window that panels have left open."""
        w, h = self.size
        open_part = opening((w, h), self.ui.panels)
        return Free(open_part.x / w, open_part.y / h, open_part.right / w, open_part.bottom / h)

    def _show(self, texture: Texture | None) -> None:
        """Have this picture beneath the panels, with what was drawn of it since it was put there."""
        engine, (w, h) = self.engine, self.pixels
        self.backend.lay_under(texture)
        if engine.redrawn is not None:
            part, blur = engine.redrawn, BLUR
            low = math.floor(part.left * w) - blur, math.floor(part.top * h) - blur
            self.backend.spoil((*low, math.ceil(part.right * w) + blur, math.ceil(part.bottom * h) + blur))
        engine.shown, engine.redrawn = texture, None

    def _draw(self) -> None:
        ui = self.ui
        ui.begin()
        self.pen.sheet = imgui.get_background_draw_list()
        w, h = self.size
        if self.top.is_dialog:
            ui.pen.box(Rect(0, 0, w, h), theme.INK, None, 0.6, 0)
        try:
            self.top.draw(ui)
        except Exception as error:
            self.later(partial(self._undrawn, self.top, error))
        if self._loading is not None:
            dialogs.loading(ui, self.size, self._loading[0])
        if self.notice:
            dialogs.notice(ui, self.top.notice_place(), self.notice)
        ui.end()

    def _undrawn(self, screen: Screen, error: Exception) -> None:
        """A screen that cannot be drawn is left, and what went wrong is told."""
        self.pop(screen)
        self._failed(screen, error)

    def close(self) -> None:
        for screen in reversed(self.stack):
            if screen is not self.table:
                screen.close()
        if self.table is not None:
            self.table.close()
        self.engine.pause, self.engine.free = no_pause, WHOLE
        self.engine.shown = None
        self.backend.close()
        self.kept.close()
