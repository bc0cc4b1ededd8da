"""What is said over the ruling table while something is carried or a tool is used."""

from __future__ import annotations

from ktsim.app.ruling import bar
from ktsim.app.ruling.hands import Hands
from ktsim.app.ruling.photo_tools import rim_words
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets


def tool_words(hands: Hands) -> str:
    """What the next click does; empty when nothing is in hand."""
    carry = hands.carry
    if carry is not None:
        what = {"operative": f"the {theme.seat_name(carry.name)} operative stands", "smoke": "the smoke is"}
        words = what.get(carry.kind, f"the {carry.name.replace('-', ' ')} stands")
        if carry.corner is not None:
            return "Press at the marked corner and drag along that edge (Z: another corner, Esc: not now)"
        return f"Click where {words} (Esc: not now)"
    if hands.tool == "rim":
        return rim_words(hands)
    return {
        "tape": "Press and drag to measure, from operative or place (Esc: done)",
        "ring": "Click an operative or a place for a range ring (Esc: done)",
        "wall": "Drag along the grid from junction to junction, or click an edge (Esc: done)",
    }.get(hands.tool, "")


def tool_options(ui: Widgets, rect: Rect, hands: Hands) -> None:
    """How far the next ring reaches, over the foot of *rect*, while rings are laid."""
    if hands.carry is not None or hands.tool != "ring":
        return
    chosen = bar.ring_options(ui, rect, hands.inches)
    if chosen == "clear":
        hands.model.clear_marks()
    elif chosen is not None:
        hands.inches = chosen
