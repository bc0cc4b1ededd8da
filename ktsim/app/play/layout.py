"""Where the panels of a game stand, for any size of the window."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.app.screens.screen import GAP, Layout
from ktsim.app.stage.cameras import Free
from ktsim.app.ui.pen import Rect

BAR = 60.0
TRAY = 112.0
REPLAY = 84.0


@dataclass(frozen=True)
class PlayLayout(Layout):
    """The places of a game's panels. Dice lie in the *tray* at the foot of the middle."""

    bar: Rect
    left: Rect
    right: Rect
    tray: Rect

    @property
    def over_tray(self) -> Rect:
        """The middle while there are dice in the tray."""
        return Rect(self.middle.x, self.middle.y, self.middle.w, self.tray.y - GAP - self.middle.y)

    def free(self) -> Free:
        """The part the table is fitted into: never behind the tray, whether or not there are dice in it now."""
        full, h = super().free(), self.size[1]
        return Free(full.left, full.top, full.right, (self.tray.y - GAP) / h)


@dataclass(frozen=True)
class ReplayLayout(PlayLayout):
    """The same with a replay's controls along the foot of the window."""

    timeline: Rect


def lay_out(size: tuple[int, int], text: float = 1.0) -> PlayLayout:
    """The panels of a game in a window of *size* with text *text* times as large as designed."""
    w, h = size
    top = GAP + BAR * text + GAP
    is_narrow = w < 1200 * text
    left, right = (216.0 if is_narrow else 240.0) * text, (304.0 if is_narrow else 340.0) * text
    bar = Rect(GAP, GAP, w - 2 * GAP, BAR * text)
    one = Rect(GAP, top, left, h - top - GAP)
    two = Rect(w - GAP - right, top, right, h - top - GAP)
    middle = Rect(one.right + GAP, top, two.x - one.right - 2 * GAP, h - top - GAP)
    return PlayLayout(size, middle, bar, one, two, _tray(middle, text))


def lay_out_replay(size: tuple[int, int], text: float = 1.0) -> ReplayLayout:
    full = lay_out(size, text)
    w, h = size
    timeline = Rect(GAP, h - GAP - REPLAY * text, w - 2 * GAP, REPLAY * text)
    tall = timeline.y - GAP - full.left.y
    left, right, middle = (Rect(r.x, r.y, r.w, tall) for r in (full.left, full.right, full.middle))
    return ReplayLayout(size, middle, full.bar, left, right, _tray(middle, text), timeline)


def _tray(middle: Rect, text: float) -> Rect:
    return Rect(middle.x, middle.bottom - TRAY * text, middle.w, TRAY * text)
