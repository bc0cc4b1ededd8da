"""A ruling's card drawn for the clipboard."""

from __future__ import annotations

import tempfile
from pathlib import Path

from ktsim.app.card.process import CardJob
from ktsim.app.ui import clipboard
from ktsim.content.files import write_atomically
from ktsim.killzones.scene_file import SceneFile


class CopiedCard(CardJob):
    """A card that goes to the clipboard when it is drawn; where nothing takes it, to a file."""

    def __init__(self, file: SceneFile, instead: Path) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="ktsim-card-")
        self._instead = instead
        super().__init__(file, Path(self._folder.name) / "card.png")

    def outcome(self) -> str | None:
        said = super().outcome()
        if said is None or not self.is_drawn:
            return said
        try:
            if clipboard.copy_picture(self.path):
                return "The card is on the clipboard, as a picture."
            self._instead.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(self._instead, self.path.read_bytes())
        except OSError as error:
            return f"The card could not be copied: {error.strerror}"
        finally:
            self._folder.cleanup()
        return (
            f"No tool for pictures on the clipboard answers (such as xclip or wl-copy): the card is in {self._instead}"
        )

    def close(self) -> None:
        super().close()
        self._folder.cleanup()
