"""Datacards on pages of A4, as a PDF or as pictures, without a display."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from imgui_bundle import imgui
from numpy.typing import NDArray

from ktsim import faults
from ktsim.app.stage.engine import Engine, colour_texture
from ktsim.app.teams.datacards import MARKS, PRINTED, CardPen, Placed, laid_out
from ktsim.app.ui.backend import Backend
from ktsim.app.ui.pen import Pen, Rect
from ktsim.content.files import write_atomically
from ktsim.content.pdf import pdf_of
from ktsim.content.png_text import encoded
from ktsim.errors import UserError
from ktsim.rules.engine.cards import Team
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.card_view import cards_of
from ktsim.rules.teams.team_file import find_team

PAGE = (1654, 2339)
"""A4 at 200 dots per inch."""
MARGIN, FOOT, BETWEEN = 66.0, 44.0, 20.0
TEXT_SIZE = 1.65
"""Of the size in the window: about 8 points on paper."""
COLUMNS = 2
ENDINGS = (".pdf", ".png")


class CardPrinter:
    """Draws the pages of a team's cards, several on each."""

    def __init__(self, team: Team) -> None:
        self.team = team
        self.engine = Engine.offscreen()
        self.texture = colour_texture("cards")
        self.output = self.engine.buffer("cards", PAGE, 0, colour=self.texture)
        self.backend = Backend(self.output, PAGE)
        self.pen = Pen(self.backend.io, TEXT_SIZE)
        self.card_pen = CardPen(self.pen, PRINTED)
        self.placed: list[Placed] = []
        self.backend.frame(self._lay_out)

    def _lay_out(self) -> None:
        wide, tall = PAGE[0] - 2 * MARGIN, PAGE[1] - 2 * MARGIN - FOOT
        self.placed = laid_out(self.card_pen, cards_of(self.team), wide, tall, COLUMNS, BETWEEN)

    @property
    def pages(self) -> int:
        return self.placed[-1].page + 1 if self.placed else 0

    def page(self, number: int) -> NDArray[np.uint8]:
        """One page, from 0 on."""

        def draw() -> None:
            self.pen.sheet = imgui.get_background_draw_list()
            self.pen.box(Rect(0, 0, *PAGE), PRINTED.paper, None, radius=0)
            for each in self.placed:
                if each.page == number:
                    at = Rect(each.rect.x + MARGIN, each.rect.y + MARGIN, each.rect.w, each.rect.h)
                    self.card_pen.draw(each.view, at)
            self._foot(number)

        for _ in range(2):  # glyphs that were not met yet are there in the second
            self.backend.frame(draw)
        self.output.set_one_shot(True)
        self.output.set_active(True)
        self.engine.render()
        return self.engine.pixels(self.texture)

    def _foot(self, number: int) -> None:
        x, y = MARGIN, PAGE[1] - MARGIN + 4
        title = self.team.name + (f": {self.team.roster_name}" if self.team.roster_name else "")
        x += self.pen.put(x, y, title, "strong", PRINTED.text) + 40
        for status in ("enforced", "partly", "shown"):
            icon, words = MARKS[status]
            colour = PRINTED.mark if status == "enforced" else PRINTED.other
            self.pen.icon(icon, x + 10, y, 20, colour)
            x += 28 + self.pen.put(x + 26, y, words, "caption", PRINTED.soft) + 24
        words = f"Page {number + 1} of {self.pages}"
        self.pen.put(PAGE[0] - MARGIN, y, words, "caption", PRINTED.soft, align=1.0)

    def close(self) -> None:
        self.backend.close()
        self.engine.close()


def write_cards(team: Team, path: Path) -> list[Path]:
    """Write the cards of a team, or of the roster it was made with, to a PDF or to PNG pages; what was written.

    The second page of ``cards.png`` is ``cards-2.png`` and so on.
    """
    assert path.suffix.lower() in ENDINGS
    printer = CardPrinter(team)
    try:
        pages: Iterator[NDArray[np.uint8]] = (printer.page(number) for number in range(printer.pages))
        if path.suffix.lower() == ".pdf":
            write_atomically(path, pdf_of(pages, title=f"{team.name}: datacards"))
            return [path]
        found = [path if not number else path.with_stem(f"{path.stem}-{number + 1}") for number in range(printer.pages)]
        for each, page in zip(found, pages, strict=True):
            write_atomically(each, encoded(page))
        return found
    finally:
        printer.close()


def main(key: str, path: str) -> int:
    """The worker: the cards of a team or of a roster file."""
    try:
        write_cards(find_team(key, KT24.weapon_rules), Path(path))
    except (UserError, OSError) as error:
        print(error, file=sys.stderr)
        return 2
    except Exception as error:
        print(faults.note("drawing datacards", error, {"team": key}).sentence, file=sys.stderr)
        return faults.EXIT_CODE
    return 0
