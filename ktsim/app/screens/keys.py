"""A page of keys, over the screen they belong to."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets

KeyGroups: TypeAlias = tuple[tuple[str, tuple[tuple[str, str], ...]], ...]
"""By group: keys and what they do."""


class KeysScreen(Screen):
    """Every key of a screen."""

    name = "keys"
    is_dialog = True

    def __init__(self, desktop: Host, groups: KeyGroups) -> None:
        super().__init__(desktop)
        self.groups = groups

    def draw(self, ui: Widgets) -> None:
        if keys_page(ui, self.desktop.size, self.groups):
            self.desktop.pop(self)

    def key(self, key: str, held: Held) -> None:
        if key == "f1":
            self.desktop.pop(self)


GAP = 0.6
"""Rows left free below a group."""


def keys_page(ui: Widgets, size: tuple[int, int], groups: Sequence[tuple[str, Sequence[tuple[str, str]]]]) -> bool:
    """Keys and what they do, in groups over two columns. Returns whether it was closed."""
    k = ui.pen.size
    row = 22 * k
    rect = centred(size, 860 * k, 620 * k)
    with ui.panel("keys", rect, alpha=1.0):
        x, wide = rect.x + 28 * k, (rect.w - 80 * k) / 2
        beside = wide - 172 * k

        def more(words: str) -> float:
            """What words need beyond one row."""
            return ui.pen.measure(words, "body", beside)[1] - ui.pen.measure("x", "body", beside)[1]

        ui.text(x, rect.y + 34 * k, "Keys", "h2")
        columns: tuple[list[int], list[int]] = ([], [])
        heights = [0.0, 0.0]
        for i, (_, keys) in enumerate(groups):
            column = 0 if heights[0] <= heights[1] else 1
            columns[column].append(i)
            heights[column] += (len(keys) + 1 + GAP) * row + sum(more(words) for _, words in keys)
        body = Rect(x, rect.y + 58 * k, rect.w - 56 * k, rect.h - 58 * k - 64 * k)
        with ui.scrolled("key-list", body, max(heights)) as top:
            for column, members in enumerate(columns):
                y = top + 8 * k
                left = x + column * (wide + 24 * k)
                for i in members:
                    title, keys = groups[i]
                    ui.text(left, y, title, "label", theme.ACCENT)
                    y += row
                    for name, words in keys:
                        ui.text(left, y, name, "label")
                        over = ui.pen.measure("x", "body", beside)[1] / 2
                        ui.paragraph(left + 168 * k, y - over, beside, words, "body", theme.SOFT)
                        y += row + more(words)
                    y += row * GAP
        close = Rect(x, rect.bottom - 54 * k, 140 * k, 40 * k)
        return ui.button(close, "Close##close", primary=True, key="Esc")
