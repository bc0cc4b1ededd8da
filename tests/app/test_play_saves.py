"""Saved games in the window: damaged ones are named and passed over, and a game is removed without being destroyed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from desktop_driver import Driver
from play_driver import PLAIN, driver, engine, game

from ktsim.app.play.match import Match
from ktsim.app.play.saves import Agreement, games_folder, latest, list_saves, note_path, removed_folder
from ktsim.app.shell.start import panel_rect
from ktsim.app.ui.pen import Pen, Rect

__all__ = ["driver", "engine"]


def keep(name: str, when: int) -> Path:
    """A saved game of three answers, last written at *when*."""
    path = games_folder() / name
    match = Match.begin(PLAIN, Agreement(dice="typed"), path, is_animated=False)
    for _ in range(3):
        match.submit(match.decision.sample(match._dice))  # type: ignore[union-attr]
    match.close()
    os.utime(path, (when, when))
    return path


def spoil(path: Path, when: int) -> None:
    raw = bytearray(path.read_bytes())
    raw[len(raw) // 2] ^= 1
    path.write_bytes(raw)
    os.utime(path, (when, when))


def test_continue_offers_the_newest_game_that_can_be_read_and_names_the_damaged_one(driver: Driver) -> None:
    older, newer = keep("older.ktsim", 1_000_000_000), keep("newer.ktsim", 1_100_000_000)
    save, damaged = latest()
    assert save is not None
    assert (save.path, damaged) == (newer, ())
    spoil(newer, 1_100_000_001)
    save, damaged = latest()
    assert save is not None
    assert (save.path, [one.path for one in damaged]) == (older, [newer])
    driver.desktop.top.enter()
    driver.desktop.refresh()
    driver.settle()
    assert "is damaged" in driver.said()
    driver.press("load")
    assert any("damaged: the line is damaged" in text for text in driver.desktop.ui.said)
    driver.key("escape")
    driver.press("continue")
    assert game(driver).match.path == older


def test_a_game_is_removed_from_the_list_after_a_question_and_kept_beside(driver: Driver) -> None:
    one, other = keep("one.ktsim", 1_000_000_000), keep("other.ktsim", 1_100_000_000)
    before = one.read_bytes()
    driver.press("load")
    driver.press("remove-one.ktsim")
    assert "It goes to the folder removed beside your games." in driver.said()
    driver.key("escape")  # out of the question, not of the list
    assert driver.desktop.top.name == "load"
    driver.press("remove-one.ktsim")
    driver.press("keep")
    assert one.exists()
    driver.press("remove-one.ktsim")
    driver.press("remove")
    assert [save.path for save in list_saves()] == [other]
    assert "save-one.ktsim" not in driver.desktop.ui.rects
    assert (removed_folder() / "one.ktsim").read_bytes() == before
    assert note_path(removed_folder() / "one.ktsim").exists()
    assert not note_path(one).exists()

    keep("one.ktsim", 1_000_000_000)  # another of the same name does not replace it there
    driver.key("escape")
    driver.press("load")
    driver.press("remove-one.ktsim")
    driver.press("remove")
    assert (removed_folder() / "one.ktsim").read_bytes() == before
    assert (removed_folder() / "one-2.ktsim").exists()
    driver.key("escape")
    driver.settle()
    assert "continue" in driver.desktop.ui.rects


@pytest.mark.parametrize("size", [(1024, 640), (1280, 720)])
def test_a_notice_does_not_cover_the_start_screens_panel(
    driver: Driver, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    boxes: list[Rect] = []
    plain = Pen.box

    def box(self: Pen, rect: Rect, *args: object, **style: object) -> None:
        boxes.append(rect)
        plain(self, rect, *args, **style)  # type: ignore[arg-type]

    driver.desktop.resize(size)
    driver.desktop.say("The settings in /home/somebody/.config/ktsim/settings.json cannot be read. " * 2)
    monkeypatch.setattr(Pen, "box", box)
    driver.desktop.frame()
    assert not boxes[-1].overlaps(panel_rect(size, 1.0))
    assert boxes[-1].right <= size[0]


def test_what_takes_long_is_said_before_it_is_done(driver: Driver) -> None:
    seen: list[bool] = []
    driver.desktop.load("the world", lambda: seen.append("Loading the world ..." in driver.desktop.ui.said))
    assert seen == []
    driver.settle()
    assert seen == [True]
    assert "Loading the world ..." not in driver.desktop.ui.said
    assert driver.desktop.is_deaf  # whatever was pressed meanwhile is not for this screen
    driver.press("killzones")
    driver.press("killzone--")
    assert driver.desktop.top.name == "table"


def test_a_damaged_game_is_offered_to_be_mended(driver: Driver) -> None:
    """It goes on from the good lines before the damage, as a game of its own; the file is left as it is."""
    path = keep("torn.ktsim", 1_000_000_000)
    lines = path.read_bytes().split(b"\n")
    lines[3] = lines[3].replace(b"hash", b"hush")
    path.write_bytes(b"\n".join(lines))
    damaged = path.read_bytes()
    driver.desktop.top.enter()
    driver.desktop.refresh()
    driver.settle()
    driver.press("load")
    driver.press(f"save-{path.name}")
    assert driver.desktop.top.name == "mend"
    assert any("the line is damaged" in text for text in driver.desktop.ui.said)
    driver.press("cancel")
    assert driver.desktop.top.name == "load"
    driver.press(f"save-{path.name}")
    driver.press("mend")
    match = game(driver).match
    assert match.path is not None
    assert (match.path.name, len(match.game.answers)) == ("torn (continued).ktsim", 2)
    assert path.read_bytes() == damaged
