"""Where the ruling table is kept: its scene file, the copy of what nobody has saved, and cards of its ruling."""

from __future__ import annotations

from pathlib import Path

from ktsim import paths
from ktsim.app.card.process import CardJob
from ktsim.app.ruling.copied_card import CopiedCard
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.state import UNNAMED, KeptTable
from ktsim.app.screens.files import FileDialog, FileScreen, folder_for, free_path, scenes_folder
from ktsim.app.screens.screen import Host
from ktsim.killzones.scene_file import CARD


class TableFiles:
    """The files of one table; what takes long is seen to between frames."""

    def __init__(self, desktop: Host, model: TableModel) -> None:
        self.desktop, self.model = desktop, model
        self.card: CardJob | None = None
        """The card that is being drawn."""
        self.kept = KeptTable(scenes_folder())

    @property
    def is_unsaved(self) -> bool:
        """Whether there is work on the table that no file has."""
        file, scene = self.model.state.file, self.model.scene
        has_work = scene.operatives or scene.smoke or scene.states or file.document or file.photo
        # Taking the last thing off a table that was kept is a step like any other.
        return not self.model.is_saved and bool(has_work or self.kept.is_begun)

    def attend(self, *, is_dragging: bool) -> None:
        """Keep what nobody has saved, and tell of a card that is done."""
        if self.is_unsaved and not is_dragging:
            self.kept.keep(self.model.state, self.model.to_file(), self.model.undo_name)
        outcome = self.card.outcome() if self.card is not None else None
        if outcome is not None:
            self.card = None
            self.desktop.say(outcome)

    def set_aside(self) -> None:
        """Something else is put on the table."""
        if self.is_unsaved:
            self.kept.finish(self.model.state, self.model.to_file())
            self.kept.set_aside()

    def close(self) -> None:
        if self.is_unsaved:
            self.kept.finish(self.model.state, self.model.to_file())
        if self.card is not None:
            self.card.close()

    @property
    def own(self) -> Path | None:
        """The file the table is kept in, if it is; what comes with the program is left as it is."""
        path = self.model.state.file.path
        is_shipped = path.resolve().is_relative_to(paths.killzones().resolve())
        is_kept = path in (self.kept.path, self.kept.before)
        return None if path == UNNAMED or is_shipped or is_kept or path.suffix.lower() == CARD else path

    @property
    def path(self) -> Path:
        """Where to keep the table: where it is kept, or under a name that is not taken yet."""
        return self.own or free_path(scenes_folder() / f"{self.model.state.file.path.stem}.yaml")

    @property
    def _card_path(self) -> Path:
        return free_path(folder_for("export") / f"{self.path.stem}.png")

    def ask_for_file(self) -> None:
        """Save the table under a name."""
        self.desktop.push(FileScreen(self.desktop, FileDialog.asking("save", self.path), self._save, self.own))

    def ask_for_card(self) -> None:
        """Export the ruling under a name, or copy it."""
        dialog = FileDialog.asking("export", self._card_path)
        dialog.copies = True
        self.desktop.push(FileScreen(self.desktop, dialog, self._export, copied=self.copy_card))

    def copy_card(self) -> None:
        """Draw the card and put it on the clipboard, or where no tool for that answers among the pictures."""
        self.card = CopiedCard(self.model.to_file(), self._card_path)
        self.desktop.say("Drawing the card ...")

    def _save(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.model.save(path)
        if path != self.kept.path:
            self.kept.drop()
        self.desktop.later(lambda: self.desktop.say(f"Saved in {path}"))

    def _export(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.card = CardJob(self.model.to_file(), path)
        self.desktop.later(lambda: self.desktop.say("Drawing the card ..."))
