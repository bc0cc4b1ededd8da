"""About the program, and the licences of what it is made of."""

from __future__ import annotations

from ktsim import __version__
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets


class AboutScreen(Screen):
    name = "about"
    is_dialog = True

    def draw(self, ui: Widgets) -> None:
        if about_page(ui, self.desktop.size):
            self.desktop.pop(self)


LICENCES: tuple[tuple[str, str], ...] = (
    (
        "About",
        "A table to settle disputes on: exact lines of sight in three dimensions, the rules of both editions, and "
        "the game itself. ktsim is an independent program, not affiliated with or endorsed by any publisher of "
        "miniatures games. Names of games and killzones are their owners' and only say which rules are meant.",
    ),
    ("Panda3D", "Modified BSD licence, Carnegie Mellon University"),
    ("Dear ImGui and imgui-bundle", "MIT licence, Omar Cornut, Pascal Thomet and contributors"),
    ("NumPy", "BSD licence, NumPy developers"),
    ("Numba and llvmlite", "BSD licence, Anaconda and contributors"),
    ("PyYAML", "MIT licence, Kirill Simonov, Ingy döt Net and contributors"),
    ("trimesh", "MIT licence, Michael Dawson-Haggerty and contributors"),
    ("Inter, the typeface", "SIL Open Font Licence 1.1, The Inter Project Authors; its text is beside the font files"),
    ("Font Awesome 6 Free, the icons", "SIL Open Font Licence 1.1, Fonticons, Inc.; they come with imgui-bundle"),
    ("Terrain and figures", "Made for ktsim; they are under the licence of the program"),
)


def about_page(ui: Widgets, size: tuple[int, int]) -> bool:
    """About the program, and the licences of what it is made of. Returns whether it was closed."""
    k = ui.pen.size
    rect = centred(size, 640 * k, 608 * k)
    with ui.panel("about", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 38 * k, f"ktsim {__version__}", "h2")
        body = Rect(x, rect.y + 64 * k, width, rect.h - 64 * k - 72 * k)
        wrap = width - SCROLLBAR - 6
        heights = [ui.pen.measure(text, "body", wrap)[1] + 30 * k for _, text in LICENCES]
        with ui.scrolled("licences", body, sum(heights)) as top:
            y = top
            for (title, text), tall in zip(LICENCES, heights, strict=True):
                ui.text(x, y + 10 * k, title, "label", theme.SOFT)
                ui.paragraph(x, y + 20 * k, wrap, text)
                y += tall
        return ui.button(Rect(x, rect.bottom - 56 * k, 140 * k, 40 * k), "Close##close", primary=True, key="Esc")
