"""The tree of variations of saved games: which game each leaves and where, who plays it, and how it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from ktsim.app.play.offers import plain_name
from ktsim.app.play.saves import HUMAN, Save, games_folder, read_agreement, remove
from ktsim.app.play.setup_page import SaveRow, removal_question
from ktsim.app.screens.dialogs import centred, close_button, titled
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.game.variations import GameNode, tree

EMPTY = "No game has variations yet. In a replay F3 plays on from any moment: that becomes a variation of the game."
DEEPEST = 6
"""Rows are moved in for each game they leave, but not further than this."""


class TreeRow(NamedTuple):
    """A game in the tree, so many steps from the one everything leaves, whose own game is *up* rows higher."""

    node: GameNode
    depth: int
    save: Save
    up: int

    @property
    def name(self) -> str:
        return self.node.path.name

    @property
    def title(self) -> str:
        """What it is called; a game that is no variation by how it stands."""
        return self.node.title if self.node.leaves is not None else self.save.title

    @property
    def note(self) -> str:
        """Where it leaves its game, who plays, how it stands; its board is its game's."""
        leaves, agreement = self.node.leaves, self.save.agreement
        where = [] if leaves is None else [f"from {leaves.where or f'after {leaves.after} answers'}"]
        players = ", ".join(f"{side}: {_player(agreement.player(side))}" for side in ("blue", "red"))
        stands = agreement.title.split(" · ")[:2] if leaves is not None else []
        ended = ["finished"] if agreement.is_over else []
        told = [*where, "two people" if agreement.is_hot_seat else players, *stands, *ended]
        return " · ".join(each for each in told if each)


def _player(name: str) -> str:
    return "a person" if name == HUMAN else plain_name(name)


def rows_of(nodes: list[GameNode], depth: int = 0) -> Iterator[TreeRow]:
    """The trees row by row, each game followed by what leaves it."""
    up = 1
    for node in nodes:
        when = datetime.fromtimestamp(node.path.stat().st_mtime)
        yield TreeRow(node, depth, Save(node.path, read_agreement(node.path), when), up)
        below = list(rows_of(node.variations, depth + 1))
        yield from below
        up += 1 + len(below)


class VariationsScreen(Screen):
    """The saved games that have variations, with all of them; the one in *here* is marked."""

    name = "variations"
    is_dialog = True

    def __init__(
        self, desktop: Host, here: Path | None, resume: Callable[[Host, Path], object],
        watch: Callable[[Host, Path], object],
    ) -> None:  # fmt: skip
        super().__init__(desktop)
        self.here, self.resume, self.watch = here, resume, watch
        self.asking = ""
        """The game of which it is asked whether to remove it."""
        self._list()

    def _list(self) -> None:
        nodes = tree(games_folder().glob("*.ktsim"))
        shown = [node for node in nodes if node.variations or node.leaves is not None]
        # The tree somebody comes from is read first, then those played last.
        shown.sort(key=lambda node: (not _holds(node, self.here), -node.path.stat().st_mtime))
        self.rows = list(rows_of(shown))

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        each = 58 * k
        rect = centred(self.desktop.size, 980 * k, min(640 * k, 100 * k + each * max(1, len(self.rows))))
        with ui.panel("variations", rect, alpha=1.0):
            x = rect.x + 24 * k
            ui.text(x, rect.y + 36 * k, "Variations", "h2")
            if close_button(ui, rect):
                self.desktop.later(lambda: self.desktop.pop(self))
            body = Rect(x, rect.y + 74 * k, rect.w - 40 * k, rect.h - 94 * k)
            ui.place("tree", body)
            if not self.rows:
                ui.paragraph(x, body.y, rect.w - 48 * k, EMPTY, "body", theme.SOFT)
            with ui.scrolled("tree", body, len(self.rows) * each) as top:
                for i, row in enumerate(self.rows):
                    self._draw_row(ui, Rect(x, top + i * each, body.w - SCROLLBAR - 4, each - 6 * k), row)

    def _draw_row(self, ui: Widgets, rect: Rect, row: TreeRow) -> None:
        k = ui.pen.size
        step = min(row.depth, DEEPEST) * 26 * k
        cell = Rect(rect.x + step, rect.y, rect.w - step, rect.h)
        if row.depth:  # a line from the game it leaves
            high = (row.up - 1) * (rect.h + 6 * k) + 6 * k
            ui.pen.box(Rect(cell.x - 14 * k, rect.y - high, 2, rect.h / 2 + high), theme.LINE, None, 1, 0)
            ui.pen.box(Rect(cell.x - 14 * k, rect.y + rect.h / 2, 12 * k, 2), theme.LINE, None, 1, 0)
        if row.name == self.asking:
            asked = removal_question(ui, cell, SaveRow(row.name, row.title, row.note))
            if asked is not None:
                self.desktop.later(lambda: self._remove(row) if asked[0] == "remove" else self._ask(""))
            return
        wide = 96 * k
        opens = Rect(cell.x, cell.y, cell.w - 2 * (wide + 6 * k), cell.h)
        is_here = self.here is not None and row.node.path == self.here
        tip = f"Go on with it. {row.title}: {row.note}"
        if titled(ui, opens, f"go-{row.name}", "flag" if is_here else "folder", row.title, row.note, tip=tip):
            self.desktop.load(row.title, lambda: self.resume(self.desktop, row.node.path))
        place = Rect(opens.right + 6 * k, cell.y, wide, cell.h)
        if ui.button(place, f"Watch##watch-{row.name}", icon="eye", tip="Its replay"):
            self.desktop.load(row.title, lambda: self.watch(self.desktop, row.node.path))
        place = Rect(place.right + 6 * k, cell.y, wide, cell.h)
        stay = " Its own variations stay." if row.node.variations else ""
        tip = f"Take it out of the tree: it is asked first, and the file is kept in the folder removed.{stay}"
        locked = "This is the game you are in" if is_here else ""
        if ui.button(place, f"Remove##remove-{row.name}", icon="cross", tip=tip, locked=locked):
            self._ask(row.name)

    def _ask(self, name: str) -> None:
        self.asking = name

    def _remove(self, row: TreeRow) -> None:
        self.asking = ""
        remove(row.save)
        self._list()

    def back(self) -> bool:
        was_asking, self.asking = bool(self.asking), ""
        return was_asking


def _holds(node: GameNode, path: Path | None) -> bool:
    return node.path == path or any(_holds(each, path) for each in node.variations)
