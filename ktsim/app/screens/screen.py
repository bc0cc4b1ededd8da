"""What a screen is, and what it may ask of the window it is shown in.

The window (a `Host`) holds a stack of screens. The topmost one is shown and gets all input; a
*dialog* is shown over the picture of the screen below it, dimmed. A screen is pushed with ``desktop.push(screen)``
and goes away with ``desktop.pop(screen)``; Escape asks it to back out of its innermost thing (`back`) and pops it
when there is nothing left to back out of. The bottom of the stack is the start screen and is never popped.

One frame goes: input methods as things happen, `update` (bring the picture up to date), `draw` (lay out the panels),
then whatever was given to ``desktop.later``. Nothing is drawn while nothing happens, unless `wants_frames`.

All places are in units of the interface, from the top left corner of the window.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from panda3d.core import Texture

from ktsim.app.stage.cameras import Free
from ktsim.app.stage.engine import Engine
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.pen import Pen
from ktsim.app.ui.rect import Place, Rect
from ktsim.app.ui.settings import Settings
from ktsim.app.ui.widgets import Widgets
from ktsim.faults import Fault
from ktsim.killzones.scene_file import SceneFile

SMALLEST = (1024, 640)
"""The smallest window, in units of the interface."""

GAP = 8.0
"""Between two panels, and between a panel and the edge of the window."""


@dataclass(frozen=True)
class Held:
    """Which modifier keys are held."""

    shift: bool = False
    control: bool = False
    alt: bool = False


class Host(Protocol):
    """The window as its screens know it: what it draws with, how large it is, and what may be asked of it."""

    engine: Engine
    backend: Backend
    pen: Pen
    ui: Widgets
    settings: Settings
    scale: float
    """Pixels per unit of the interface."""
    at: Place
    """Where the pointer is."""
    clock: Callable[[], float]
    may_rule: Callable[[], bool]
    """Whether the sight engine is ready to be asked."""
    preparing: Callable[[], tuple[int, int] | None]
    """Which stage of making it ready is being done, of how many."""

    @property
    def size(self) -> tuple[int, int]:
        """The window in units of the interface."""
        ...

    def has(self, screen: Screen) -> bool:
        """Whether a screen is on the stack."""
        ...

    def push(self, screen: Screen) -> None:
        """Show a screen over the present one; one that is on the stack already is brought up."""
        ...

    def pop(self, screen: Screen) -> None:
        """Take a screen off the stack, with whatever lies over it."""
        ...

    def home(self) -> None:
        """Back to the start screen."""
        ...

    def quit(self) -> None:
        """Close the window after this frame."""
        ...

    def refresh(self) -> None:
        """Have the window drawn again."""
        ...

    def refresh_once(self) -> None:
        """Have one more frame drawn: what was asked for in this one is seen in the next."""
        ...

    def later(self, run: Callable[[], object]) -> None:
        """Do it after this frame; what cannot be done is said."""
        ...

    def load(self, what: str, run: Callable[[], object]) -> None:
        """Do what takes long, once a frame has said that *what* is being loaded."""
        ...

    def attempt(self, run: Callable[[], object]) -> None:
        """Do it; what cannot be done is said."""
        ...

    def say(self, text: str) -> None:
        """Show a sentence at the foot of the window until the next press of anything."""
        ...

    def show_fault(self, fault: Fault) -> None:
        """Say that something unexpected has happened, once, and where it is written down."""
        ...

    def set_settings(self, settings: Settings) -> None:
        """Use these from now on and write them down."""
        ...

    def open_table(self, file: SceneFile | None = None) -> object:
        """Go to the ruling table: what lies there, or this (which undo takes away again)."""
        ...

    def rule_on(self, file: SceneFile) -> None:
        """Show the ruling table over the present screen, with this on it."""
        ...


@dataclass(frozen=True)
class Layout:
    """A window of *size* whose panels leave the *middle* to the table."""

    size: tuple[int, int]
    middle: Rect

    def free(self) -> Free:
        """The part of the picture the camera fits its subject into."""
        w, h = self.size
        return Free(self.middle.x / w, self.middle.y / h, self.middle.right / w, self.middle.bottom / h)

    @property
    def notice(self) -> Rect:
        """Where a sentence may be shown, at the foot of it: over the table, so that the panels can be read."""
        return Rect(self.middle.x, self.middle.y, self.middle.w, self.middle.h - 8)


class Screen:
    """One thing the window shows. Every method may be overridden; by default a screen does nothing."""

    name = ""
    """What the screen is called, in summaries and tests."""

    is_dialog = False
    """Whether it is shown over the picture of the screen below it."""

    def __init__(self, desktop: Host) -> None:
        self.desktop = desktop
        self.focused = ""
        """The widget the keyboard was at when something was pushed over the screen."""

    # ---- coming and going -----------------------------------------------------------------------------------
    def enter(self) -> None:
        """It has become the topmost screen: it was pushed, or what was over it has gone."""

    def leave(self) -> None:
        """It is no longer the topmost screen: something was pushed over it, or it was popped."""

    def close(self) -> None:
        """The window is going away, or the screen was popped and nobody keeps it. Called at most once by the
        shell for screens on the stack; a screen that somebody keeps is closed by its keeper."""

    def back(self) -> bool:
        """Back out of the innermost thing that is open (Escape). Returns whether there was one; if not, the shell
        pops the screen."""
        return False

    # ---- the picture ----------------------------------------------------------------------------------------
    @property
    def texture(self) -> Texture | None:
        """The picture behind the panels, drawn by whoever the screen asked for it in `update`; None for none."""
        return None

    def update(self, now: float) -> None:
        """Bring the picture up to date before a frame; *now* is the shell's clock, in seconds. Mistakes of the
        user that come out here may be raised as UserError: the shell says them."""

    @property
    def wants_frames(self) -> bool:
        """Whether another frame is needed although nothing happened: something on the screen is in motion."""
        return False

    def attend(self) -> None:
        """See whether what goes on beside the window (a process, a computation) is done; called between frames,
        also while nothing is drawn. Ask for a frame with ``desktop.refresh()`` if it is."""

    def resized(self) -> None:
        """The window has another size, or the settings (quality, text size, colours) have changed."""

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        """Lay out the panels of one frame. What takes long or replaces the screen belongs in
        ``desktop.later(...)``."""

    # ---- input ----------------------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        """A key by Panda3D's name, without its modifiers, while no text field has the focus. Escape goes to
        `back` instead, Tab walks through the widgets, and while somebody walks there so do Enter, Space and arrows."""

    def pointer(self, at: Place) -> None:
        """The pointer is at a place, wherever that is: over a panel too, while something is dragged."""

    def press(self, button: str, at: Place, held: Held) -> None:
        """A mouse button (``mouse1`` left, ``mouse2`` middle, ``mouse3`` right) went down where no panel is."""

    def release(self, button: str, at: Place) -> None:
        """A mouse button went up, anywhere."""

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        """The wheel was turned where no panel is; positive away from the person."""

    def dropped(self, path: Path) -> bool:
        """A file was dropped on the window; whether the screen takes it."""
        return False

    # ---- words ----------------------------------------------------------------------------------------------
    def problem(self, texts: tuple[str, ...]) -> bool:
        """Something asked for on this screen could not be done; these sentences say why. Returns whether the
        screen shows them; if not, the shell shows them at its foot until the next press of anything."""
        return False

    def notice_place(self) -> Rect:
        """Where the shell may show a sentence, at the foot of it."""
        w, h = self.desktop.size
        return Rect(w * 0.2, 0, w * 0.6, h - 24)

    def summary(self) -> dict[str, str]:
        """What is shown, in words, for whoever watches from outside."""
        return {}
