"""The page of settings, in force as soon as they are chosen."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Screen
from ktsim.app.ui import theme
from ktsim.app.ui.palettes import PALETTES, Palette
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.settings import SENSITIVITIES, TEXT_SIZES, Settings
from ktsim.app.ui.widgets import Widgets


class SettingsScreen(Screen):
    name = "settings"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        now = self.desktop.settings
        chosen = settings_page(ui, self.desktop.size, now)
        if chosen is None:
            self.desktop.pop(self)
        elif chosen != now:
            self.desktop.later(lambda: self.desktop.set_settings(chosen))


_ROWS: tuple[tuple[str, str, str, Sequence[tuple[object, str]]], ...] = (
    ("quality", "Picture", "Low suits computers without a graphics card",
     [("low", "Low"), ("medium", "Medium"), ("high", "High")]),
    ("text", "Text and panels", "As large as fits the window", [(size, f"{size:.0%}") for size in TEXT_SIZES]),
    ("palette", "Colours", "Every meaning has a shape as well",
     [(name, palette.title) for name, palette in PALETTES.items()]),
    ("sensitivity", "Mouse", "How far a drag turns the camera", [(one, f"{one:.0%}") for one in SENSITIVITIES]),
    ("invert", "Up and down", "What dragging up does", [(False, "Tilts down"), (True, "Tilts up")]),
    ("motion", "Animations", "Camera flights, rolling dice, walking figures", [(True, "Shown"), (False, "Left out")]),
    ("recaps", "After a bot's activation", "What it did and why, until a key", [(True, "Shown"), (False, "Left out")]),
    ("turns", "Two at one screen", "The board turns to who is asked", [(True, "Turned"), (False, "As it lies")]),
)  # fmt: skip


def settings_page(ui: Widgets, size: tuple[int, int], settings: Settings) -> Settings | None:
    """Everything that can be set. Returns the settings as changed, None when it was closed."""
    k = ui.pen.size
    rect = centred(size, 760 * k, 128 * k + 68 * k * len(_ROWS))
    row = min(68 * k, (rect.h - 128 * k) / len(_ROWS))
    with ui.panel("settings", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 36 * k, "Settings", "h2")
        y = rect.y + 66 * k
        for name, title, words, options in _ROWS:
            ui.text(x, y + row * 0.32, title, "strong")
            room = width * 0.40 - 8
            ui.text(x, y + row * 0.32 + 20 * k, ui.pen.fitted(words, "caption", room), "caption", theme.SOFT)
            now = str(getattr(settings, name))
            cell = Rect(x + width * 0.40, y + row * 0.14, width * 0.60, 40 * k)
            shown = [(str(value), label) for value, label in options]
            chosen = ui.choice(cell, shown, now, name)
            if chosen is not None:
                value = next(value for value, _ in options if str(value) == chosen)
                settings = settings.with_value(name, value)
            if name == "palette":
                _swatches(ui, x + width * 0.40 - 104 * k, y + row * 0.32, PALETTES[settings.palette])
            y += row
        if ui.button(Rect(x, rect.bottom - 54 * k, 140 * k, 40 * k), "Done##done", primary=True, key="Esc"):
            return None
    return settings


def _swatches(ui: Widgets, x: float, y: float, palette: Palette) -> None:
    k = ui.pen.size
    marks = (("disc", palette.blue), ("diamond", palette.red), ("check", palette.yes), ("cross", palette.no))
    for i, (icon, colour) in enumerate(marks):
        ui.pen.icon(icon, x + 24 * k * i + 12 * k, y, 16 * k, colour)
