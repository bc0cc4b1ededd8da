"""The photo under the ruling table: opening or pasting one, finding its board, and what can be done with it then."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ktsim.app.ruling.hands import Hands
from ktsim.app.ruling.photo_page import PhotoScreen
from ktsim.app.ruling.state import PLACE_KEYS, TEAMS
from ktsim.app.ruling.table_view import TableView
from ktsim.app.screens.files import FileDialog, FileScreen, folder_for
from ktsim.app.screens.screen import Host
from ktsim.app.ui import clipboard, theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.content.files import read_bounded
from ktsim.content.picture_file import PICTURES, Picture, decoded, read_picture
from ktsim.content.png_text import SCENE, WrongPicture, text_of
from ktsim.errors import UserError
from ktsim.killzones.footprints import foot_on_board
from ktsim.killzones.scene_file import CARD_LIMIT
from ktsim.killzones.scene_photo import STRENGTH, ScenePhoto, Spot, board_corners
from ktsim.sight.part_names import titled_words

STRENGTHS = (0.0, 0.3, STRENGTH, 0.8, 1.0)
CLIPBOARD = "the clipboard"
HEIGHT = 76.0
"""Of the tools, before it is scaled."""


def is_photo(path: Path) -> bool:
    """Whether a file is a picture that carries no scene, as far as its name and its first chunks tell."""
    if path.suffix.lower() not in PICTURES:
        return False
    try:
        return text_of(read_bounded(path, path.name, CARD_LIMIT, "a picture"), SCENE) is None
    except (WrongPicture, UserError):
        return True


class PhotoTools:
    """What is done with the photo of one table."""

    def __init__(self, desktop: Host, view: TableView) -> None:
        self.desktop, self.view = desktop, view
        self.is_open = False
        """Whether its tools are shown."""

    @property
    def photo(self) -> ScenePhoto | None:
        return self.view.model.state.file.photo

    def use(self) -> None:
        """Show or hide the photo's tools; without a photo, ask for one."""
        if self.photo is None:
            self.ask()
        else:
            self.is_open = not self.is_open

    def ask(self) -> None:
        dialog = FileDialog.asking("photo", folder_for("photo") / "photo.jpg")
        self.desktop.push(FileScreen(self.desktop, dialog, self.open))

    def open(self, path: Path) -> None:
        """Lay the picture in a file. Raises UserError when it is none that can be read."""
        picture = read_picture(path)
        self.desktop.later(lambda: self._find(picture))

    def paste(self) -> None:
        """Lay the picture on the clipboard, or the one whose file is named there."""
        data, text = clipboard.paste_picture(), clipboard.paste().strip().removeprefix("file://")
        if data:
            self.desktop.load(CLIPBOARD, lambda: self._find(decoded(data, CLIPBOARD)))
        elif "\n" not in text and text and Path(text).is_file():
            self.desktop.load(Path(text).name, lambda: self.open(Path(text)))
        else:
            raise UserError("There is no picture on the clipboard: copy one, or press Photo and choose its file.")

    def dropped(self, path: Path) -> bool:
        """Lay a picture that was dropped on the window; whether it is one."""
        if not is_photo(path):
            return False
        self.desktop.load(path.name, lambda: self.open(path))
        return True

    def correct(self) -> None:
        """Find its board again."""
        photo = self.photo
        if photo is not None:
            self._find(decoded(photo.kept, photo.name), photo)

    def _find(self, picture: Picture, before: ScenePhoto | None = None) -> None:
        model = self.view.model
        found: dict[str, tuple[Spot, ...]] = {"Board": board_corners(model.scene.terrain.board)}
        if model.piece is not None:
            found[titled_words(model.piece.id)] = foot_on_board(model.piece)
        if before is not None and picture.size != before.size:
            before = None  # somebody has replaced the file
        self.desktop.push(PhotoScreen(self.desktop, picture, found, self._lay, before))

    def _lay(self, photo: ScenePhoto) -> None:
        self._change("lay a photo", photo)
        self.is_open = True
        self.view.hands.take(None)  # what is put down first is seen in the photo
        self.view.picture.top()
        self.view.picture.camera.is_touched = True  # whoever lays a table by it wants to see all of it

    def _change(self, name: str, photo: ScenePhoto | None) -> None:
        state = self.view.model.state
        self.view.model.change(name, replace(state, file=replace(state.file, photo=photo)))

    def remove(self) -> None:
        self._change("take the photo away", None)

    def fade(self, strength: float) -> None:
        if self.photo is not None:
            self._change("strength of the photo", replace(self.photo, strength=strength))

    def stand_there(self) -> None:
        """Look at the table from where the photo was taken: whatever stands right covers itself in the photo."""
        if self.photo is not None:
            self.view.picture.look_from(self.photo.view.eye())

    # ---- its tools in the left panel ------------------------------------------------------------------------
    @property
    def height(self) -> float:
        """How much of the left panel they need, before it is scaled."""
        return HEIGHT if self.is_open and self.photo is not None else 0.0

    def draw(self, ui: Widgets, rect: Rect) -> None:
        """How much of the photo is seen, and what is done with it."""
        photo, hands = self.photo, self.view.hands
        if photo is None or not self.is_open:
            return
        k = ui.pen.size
        now = min(STRENGTHS, key=lambda strength: abs(strength - photo.strength))
        # What a file says stands in place of the nearest.
        offered = [photo.strength if strength == now else strength for strength in STRENGTHS]
        options = [(f"{strength:g}", f"{strength:.0%}") for strength in offered]
        row = Rect(rect.x, rect.y, rect.w, 32 * k)
        chosen = ui.choice(row, options, f"{photo.strength:g}", "strength", "How much of the photo is seen")
        if chosen is not None:
            self.fade(float(chosen))
        gap, tall, small = 4 * k, 32 * k, 30 * k
        buttons: tuple[tuple[str, str, str, Callable[[], object]], ...] = (
            ("rims", "Bases", "Operatives by three clicks on the rim of a base (Z)", lambda: hands.use("rim")),
            ("stand-there", "View", "The table from where the photo was taken", self.stand_there),
            ("corners", "Corners", "Find the board in the photo again", self.correct),
            ("photo-remove", "", "Take the photo away", self.remove),
        )
        wide = (rect.w - small - 3 * gap) / 3
        for i, (name, label, tip, run) in enumerate(buttons):
            cell = Rect(rect.x + i * (wide + gap), row.bottom + gap, wide if label else small, tall)
            is_used = name == "rims" and hands.tool == "rim"
            if ui.button(cell, f"{label}##{name}", tip=tip, chosen=is_used, kind="caption"):
                self.desktop.later(run)
            if not label:
                ui.pen.icon("cross", cell.x + small / 2, cell.y + tall / 2, 13 * k, theme.TEXT)


def rim_words(hands: Hands) -> str:
    """What the next click on a rim does."""
    other = TEAMS[1 - TEAMS.index(hands.rims.team)]
    left = {0: "three places", 1: "two more", 2: "one more"}[len(hands.rims.clicked)]
    keys = f"{PLACE_KEYS[other]}: {theme.seat_name(other)}, Esc: done"
    return f"{theme.seat_name(hands.rims.team).capitalize()}: click {left} on a base's rim ({keys})"
