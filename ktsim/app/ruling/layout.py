"""Where the ruling table's panels stand, for any size of the window."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.app.screens.screen import GAP, Layout
from ktsim.app.ui.pen import Rect

BAR = 52.0
BANNER = 76.0
STRIP = 60.0
ASKS = 44.0


@dataclass(frozen=True)
class TableLayout(Layout):
    """The places of the ruling table's panels."""

    bar: Rect
    tools: Rect
    asks: Rect
    """Over the verdict: what is asked about."""
    verdict: Rect
    banner: Rect
    strip: Rect
    eye: Rect
    side: Rect

    @property
    def large(self) -> Rect:
        """Where one of the smaller pictures is shown large: all that the panels leave below the banner."""
        top = self.banner.bottom + GAP
        return Rect(self.strip.right + GAP, top, self.side.right - self.strip.right - GAP, self.side.bottom - top)


def lay_out(size: tuple[int, int], text: float = 1.0) -> TableLayout:
    """The panels of a window of *size* with text *text* times as large as designed."""
    w, h = size
    top = GAP + BAR * text + GAP
    left, right = 236.0 * text, (300.0 if w < 1200 * text else 348.0) * text
    bar = Rect(GAP, GAP, w - 2 * GAP, BAR * text)
    tools = Rect(GAP, top, left, h - top - GAP)
    asks = Rect(w - GAP - right, top, right, ASKS * text)
    verdict = Rect(asks.x, asks.bottom + GAP, right, h - asks.bottom - 2 * GAP)
    x, width = tools.right + GAP, verdict.x - tools.right - 2 * GAP
    banner = Rect(x, top, width, BANNER * text)
    tall = min(170.0 * text, h * 0.24)
    below = h - GAP - tall
    wide = min(tall * 1.5, width * 0.36)
    eye = Rect(x, below, wide, tall)
    side = Rect(eye.right + GAP, below, width - wide - GAP, tall)
    room = Rect(x, banner.bottom + GAP, width, below - banner.bottom - 2 * GAP)
    strip = Rect(x, room.y, STRIP * text, min(room.h, 380.0 * text))
    middle = Rect(strip.right + GAP, room.y, room.right - strip.right - GAP, room.h)
    return TableLayout(size, middle, bar, tools, asks, verdict, banner, strip, eye, side)
