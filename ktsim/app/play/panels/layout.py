"""Where the panels of a game stand, for any size of the window."""

from __future__ import annotations

from dataclasses import dataclass

from ...panels.layout import GAP, Layout
from ...ui.pen import Rect

BAR = 60.0
TRAY = 138.0
REPLAY = 84.0


@dataclass(frozen=True)
class PlayLayout(Layout):
    """The places of a game's panels."""

    bar: Rect
    left: Rect
    right: Rect
    tray: Rect


def lay_out(size: tuple[int, int], text: float = 1.0) -> PlayLayout:
    """The panels of a game in a window of *size* with text *text* times as large as designed."""
    w, h = size
    top = GAP + BAR * text + GAP
    is_narrow = w < 1200 * text
    left, right = (216.0 if is_narrow else 240.0) * text, (304.0 if is_narrow else 340.0) * text
    bar = Rect(GAP, GAP, w - 2 * GAP, BAR * text)
    one = Rect(GAP, top, left, h - top - GAP)
    two = Rect(w - GAP - right, top, right, h - top - GAP)
    x, width = one.right + GAP, two.x - one.right - 2 * GAP
    tray = Rect(x, h - GAP - TRAY * text, width, TRAY * text)
    middle = Rect(x, top, width, h - top - GAP)
    return PlayLayout(size, middle, bar, one, two, tray)


def lay_out_replay(size: tuple[int, int], text: float = 1.0) -> PlayLayout:
    """The same with the replay's controls along the foot instead of the tray."""
    full = lay_out(size, text)
    w, h = size
    foot = Rect(GAP, h - GAP - REPLAY * text, w - 2 * GAP, REPLAY * text)
    tall = foot.y - GAP - full.left.y
    left, right = (Rect(r.x, r.y, r.w, tall) for r in (full.left, full.right))
    return PlayLayout(size, Rect(full.middle.x, left.y, full.middle.w, tall), full.bar, left, right, foot)
