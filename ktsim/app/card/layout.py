"""Where everything on a ruling card goes, as plain data: tested without looking at a pixel."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ktsim.app.card.view import RulingView, facts, verdict
from ktsim.app.ui.pen import Rect

Measure = Callable[[str, str, float], tuple[float, float]]
"""Width and height of a text of a kind, wrapped at a width (0: not)."""

WIDTH, MARGIN = 1600.0, 16.0
CAPTION_WIDTH, BANNER_HEIGHT, INSET_HEIGHT, LEAST_HEIGHT = 540.0, 112.0, 280.0, 1040.0
ROW_GAP, FACT_HEIGHT, FACT_COLUMN = 8.0, 29.0, 200.0

ICONS = (("COVER", "shield"), ("OBSCURED", "veil"), ("VANTAGE", "steps"), ("WALL", "door"), ("HATCH", "door"))
SIGHT_ICONS = {
    "SIGHT-7": "eye",
    "SIGHT-9": "warning",
    "SIGHT-14": "line",
    "SIGHT-15": "ruler",
    "SIGHT-17": "ruler",
}


@dataclass(frozen=True)
class ReasonRow:
    """One reason with its rule, boxed."""

    rect: Rect
    icon: str
    rule: str
    text: str


@dataclass(frozen=True)
class FactRow:
    """A name and its value, from the row's top; long values wrap."""

    y: float
    name: str
    value: str


@dataclass(frozen=True)
class CardLayout:
    """A ruling card: its size, the rectangles of its sections, and every word on it."""

    size: tuple[int, int]
    banner: Rect
    table: Rect
    eye: Rect
    side: Rect
    caption: Rect
    headline: str
    because: str
    reasons: tuple[ReasonRow, ...]
    facts: tuple[FactRow, ...]

    @property
    def sections(self) -> dict[str, Rect]:
        names = ("banner", "table", "eye", "side", "caption")
        return {name: getattr(self, name) for name in names}


def rule_icon(rule: str) -> str:
    return SIGHT_ICONS.get(rule) or next((icon for word, icon in ICONS if word in rule), "book")


def lay_out(view: RulingView, killzone: str, states: tuple[tuple[str, str], ...], measure: Measure) -> CardLayout:
    """The card for a ruling. It grows downwards when the reasons need more room; nothing is left out."""
    top = MARGIN * 2 + BANNER_HEIGHT
    left = WIDTH - MARGIN - CAPTION_WIDTH
    inner_x, inner_w = left + MARGIN, CAPTION_WIDTH - 2 * MARGIN
    y = top + MARGIN + 76
    rows = []
    for rule, text in view.reasons:
        height = measure(text, "body", inner_w - 64)[1] + 44
        rows.append(ReasonRow(Rect(inner_x, y, inner_w, height), rule_icon(rule), rule, text))
        y += height + ROW_GAP
    values = facts(view, killzone, states)
    tall = [max(FACT_HEIGHT, measure(value, "strong", inner_w - FACT_COLUMN)[1] + 12) for _, value in values]
    need = y + 16 + sum(tall) + MARGIN
    height = max(LEAST_HEIGHT, need + MARGIN)
    caption = Rect(left, top, CAPTION_WIDTH, height - top - MARGIN)
    first = caption.bottom - MARGIN - sum(tall)
    fact_rows = tuple(FactRow(first + sum(tall[:i]), *row) for i, row in enumerate(values))
    wide = left - 2 * MARGIN
    insets = height - MARGIN - INSET_HEIGHT
    half = (wide - MARGIN) * 0.45
    return CardLayout(
        size=(round(WIDTH), round(height)),
        banner=Rect(MARGIN, MARGIN, WIDTH - 2 * MARGIN, BANNER_HEIGHT),
        table=Rect(MARGIN, top, wide, insets - MARGIN - top),
        eye=Rect(MARGIN, insets, half, INSET_HEIGHT),
        side=Rect(MARGIN * 2 + half, insets, wide - MARGIN - half, INSET_HEIGHT),
        caption=caption,
        headline=verdict(view),
        because=view.sentence,
        reasons=tuple(rows),
        facts=fact_rows,
    )
