"""Datacards on paper: pages of A4 as PDF and PNG, from a terminal and from the window."""

from __future__ import annotations

import re
import zlib
from pathlib import Path

import numpy as np
import pytest

from ktsim.app.teams.datacards import Placed
from ktsim.app.teams.printing import COLUMNS, MARGIN, PAGE, CardPrinter
from ktsim.cli import main
from ktsim.content.pdf import A4, pdf_of
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.card_view import cards_of, operative_card
from ktsim.rules.teams.team_file import find_team


def test_a_pdf_has_its_pages_where_its_table_says() -> None:
    """Every object is found where the cross-reference table says, and the pictures come out as they went in."""
    pages = [np.full((8, 6, 3), fill, np.uint8) for fill in (10, 200)]
    pages[1][3, 2] = (1, 2, 3)
    found = pdf_of(pages, title="Moths")
    assert found.startswith(b"%PDF-1.4")
    assert found.endswith(b"%%EOF\n")
    start = int(re.search(rb"startxref\n(\d+)", found)[1])  # type: ignore[index]
    rows = re.findall(rb"(\d{10}) 00000 n ", found[start:])
    for number, row in enumerate(rows, 1):
        assert found[int(row) :].startswith(b"%d 0 obj" % number)
    assert found.count(b"/Type/Page/") == 2
    assert f"[0 0 {A4[0]:g} {A4[1]:g}]".encode() in found
    packed = re.findall(rb"Columns 6>>/Length (\d+)>>\nstream\n", found)
    at = [each.end() for each in re.finditer(rb"Columns 6>>/Length \d+>>\nstream\n", found)]
    raw = zlib.decompress(found[at[1] : at[1] + int(packed[1])])
    rows_of = np.frombuffer(raw, np.uint8).reshape(8, 19)[:, 1:]
    again = np.cumsum(rows_of.astype(np.int64), axis=0).astype(np.uint8).reshape(8, 6, 3)
    assert np.array_equal(again, pages[1])


def overlap(a: Placed, b: Placed) -> bool:
    x, y = a.rect, b.rect
    return a.page == b.page and x.x < y.right and y.x < x.right and x.y < y.bottom and y.y < x.bottom


def test_cards_lie_on_pages_without_overlapping() -> None:
    team = find_team("keelwrights", KT24.weapon_rules)
    printer = CardPrinter(team)
    try:
        placed = printer.placed
        assert {each.view.title for each in placed} >= {card.name for card in team.cards}
        assert all(not overlap(a, b) for i, a in enumerate(placed) for b in placed[:i])
        assert all(each.rect.bottom <= PAGE[1] - 2 * MARGIN for each in placed)
        assert all(each.rect.right <= PAGE[0] - 2 * MARGIN + 1 for each in placed)
        assert len({round(each.rect.x) for each in placed}) == COLUMNS
        page = printer.page(0)
        assert page.shape == (PAGE[1], PAGE[0], 3)
        assert page[0, 0].tolist() == [255, 255, 255]
        assert 0.01 < (page < 128).mean() < 0.4  # something is printed on white paper
    finally:
        printer.close()


def test_what_a_card_says_is_what_the_team_has() -> None:
    team = find_team("keelwrights", KT24.weapon_rules)
    card = team.cards[0]
    view = operative_card(team, card)
    assert dict(view.stats) == {"APL": str(card.apl), "MOVE": f'{card.move}"', "SAVE": f"{card.save}+",
                                "WOUNDS": str(card.wounds)}  # fmt: skip
    assert [row.name for row in view.weapons] == [profile.name for profile in card.weapons]
    titles = {view.title for view in cards_of(team)}
    assert {"Strategy ploys", "Firefight ploys"} <= titles


def test_cards_are_written_from_a_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["team", "cards", "keelwrights", "--out", str(tmp_path / "cards.pdf")]) == 0
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    assert main(["team", "cards", "keelwrights", "--out", str(tmp_path / "cards.txt")]) == 2
    assert "name such a file" in capsys.readouterr().err
    (tmp_path / "mine.pdf").write_text("not a pdf", encoding="utf-8")
    assert main(["team", "cards", "keelwrights", "--out", str(tmp_path / "mine.pdf")]) == 2
    assert (tmp_path / "mine.pdf").read_text(encoding="utf-8") == "not a pdf"
