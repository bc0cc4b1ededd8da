"""What became of a team file, item by item: what the engine enforces, what it does partly, what stays a card, what
failed, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence

from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.game.team_library import TakenIn
from ktsim.rules.engine.events import capital
from ktsim.rules.teams.importing.report import Item
from ktsim.rules.teams.playing.status import Status
from ktsim.sight.part_names import spaced

TITLES: dict[Status, str] = {"enforced": "Enforced", "partly": "Partly", "shown": "Only shown", "failed": "Failed"}
MEANS: dict[Status, str] = {
    "enforced": "The program does it by itself.",
    "partly": "Some of it the program does; a card shows all of it at its moment, and the rest is done by hand.",
    "shown": "A card shows it at its moment; it is done by hand.",
    "failed": "It could not be used, and is not in the team.",
}
ICONS: dict[Status, str] = {"enforced": "check", "partly": "columns", "shown": "eye", "failed": "warning"}
KINDS = {
    "composition": "Selection",
    "ability": "Ability",
    "action": "Action",
    "ploy": "Ploy",
    "equipment": "Equipment",
    "weapon-rule": "Weapon rule",
    "operative": "Datacard",
    "profile": "Weapon",
}
"""What is listed, in the order in which a player asks for it."""


def counts_of(items: Iterable[Item]) -> str:
    """How many of the texts work; datacards and weapons are left out, for they all do."""
    counts = Counter(item.status for item in items if item.kind not in ("operative", "profile"))
    return ", ".join(f"{counts[status]} {title.lower()}" for status, title in TITLES.items() if counts[status])


class ReportScreen(Screen):
    """The report, one kind of outcome or all at a time; *go* plays with what was imported."""

    name = "report"
    is_dialog = True

    def __init__(self, desktop: Host, taken: TakenIn, go: Callable[[], object], word: str) -> None:
        super().__init__(desktop)
        self.taken, self.go, self.word = taken, go, word
        order = list(KINDS)
        self.items = sorted(taken.items, key=lambda item: order.index(item.kind) if item.kind in order else 99)
        self.status: Status | str = "all"
        self._heights: tuple[object, list[float]] = (None, [])

    @property
    def shown(self) -> list[Item]:
        return [item for item in self.items if self.status in ("all", item.status)]

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self._go()
        elif key in "12345":
            self.status = ("all", *TITLES)[int(key) - 1]

    def _go(self) -> None:
        def go() -> None:
            self.desktop.pop(self)
            self.go()

        self.desktop.later(go)

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 1000 * k, 700 * k)
        with ui.panel("report", rect, alpha=1.0):
            x, width = rect.x + 24 * k, rect.w - 48 * k
            close = Rect(rect.right - 24 * k - 100 * k, rect.y + 16 * k, 100 * k, 36 * k)
            ui.text(x, rect.y + 34 * k, ui.pen.fitted(self.taken.title, "h2", width - 116 * k), "h2")
            if ui.button(close, "Close##close", key="Esc"):
                self.desktop.later(lambda: self.desktop.pop(self))
            y = rect.y + 62 * k
            for note in self.taken.notes[:3]:
                ui.pen.icon("warning", x + 8 * k, y + 8 * k, 14 * k, theme.NO)
                y += ui.paragraph(x + 22 * k, y, width - 22 * k, note, "caption") + 6 * k
            foot = rect.bottom - 66 * k
            if self.items:
                y = self._draw_tabs(ui, Rect(x, y, width, 36 * k))
                self._draw_items(ui, Rect(x, y, width, foot - 10 * k - y), self.shown)
            go = Rect(x, foot, min(320 * k, width), 46 * k)
            if ui.button(go, f"{self.word}##go", primary=True, icon="play", key="Enter"):
                self._go()
            words = "Close shows its rosters and datacards."
            ui.text(go.right + 16 * k, go.y + 23 * k, ui.pen.fitted(words, "body", width - go.w - 16 * k), "body")

    def _draw_tabs(self, ui: Widgets, rect: Rect) -> float:
        k = ui.pen.size
        counts = Counter(item.status for item in self.items)
        tabs = [("all", f"All {len(self.items)}")]
        tabs += [(status, f"{title} {counts[status]}") for status, title in TITLES.items()]
        self.status = ui.choice(rect, tabs, self.status, "status") or self.status
        words = MEANS.get(self.status, "Everything in the file, and what the program does with it.")  # type: ignore[call-overload]
        ui.text(rect.x, rect.bottom + 16 * k, ui.pen.fitted(words, "body", rect.w), "body", theme.SOFT)
        return rect.bottom + 32 * k

    def _draw_items(self, ui: Widgets, rect: Rect, items: Sequence[Item]) -> None:
        k = ui.pen.size
        wide = rect.w - SCROLLBAR - 60 * k
        key = (self.status, wide, k)
        if self._heights[0] != key:
            found = [44 * k + (ui.pen.measure(_why(i), "caption", wide)[1] if i.why else -10 * k) for i in items]
            self._heights = (key, found)
        heights = self._heights[1]
        with ui.scrolled("items", rect, sum(heights)) as top:
            y = top
            for item, tall in zip(items, heights, strict=True):
                if y + tall > rect.y and y < rect.bottom:
                    _draw_item(ui, Rect(rect.x, y, rect.w - SCROLLBAR - 4, tall - 6 * k), item, wide)
                y += tall

    def summary(self) -> dict[str, str]:
        return {"report": self.taken.title, "status": self.status}


def _why(item: Item) -> str:
    return spaced(capital(item.why))


def _draw_item(ui: Widgets, row: Rect, item: Item, wide: float) -> None:
    k = ui.pen.size
    ui.pen.box(row, theme.RAISED)
    colour = theme.ACCENT if item.status == "enforced" else theme.NO if item.status == "failed" else theme.SOFT
    ui.pen.icon(ICONS[item.status], row.x + 20 * k, row.y + 16 * k, 15 * k, colour)
    right = row.right - 12 * k
    right -= ui.text(right, row.y + 16 * k, TITLES[item.status], "caption", colour, align=1) + 12 * k
    x = row.x + 40 * k
    of = f" · {item.of}" if item.of and item.of != item.name else ""
    kind = f"{KINDS.get(item.kind, item.kind)}{of}"
    name = ui.pen.fitted(item.name, "strong", (right - x) * 0.6)
    x += ui.text(x, row.y + 16 * k, name, "strong") + 10 * k
    ui.text(x, row.y + 16 * k, ui.pen.fitted(kind, "caption", right - x), "caption", theme.DIM)
    if item.why:
        ui.paragraph(row.x + 40 * k, row.y + 29 * k, wide, _why(item), "caption", theme.SOFT)
