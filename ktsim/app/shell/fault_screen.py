"""What is shown when something unexpected has happened."""

from __future__ import annotations

from ktsim.app.screens.dialogs import DialogButton, warning
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import clipboard
from ktsim.app.ui.widgets import Widgets
from ktsim.faults import Fault

KEPT = (
    "Nothing of a game is lost: every answer is saved when it is given. ktsim report packs all that a bug report needs."
)


class FaultScreen(Screen):
    """Over the screen on which something unexpected happened: what it was, and where it is written down."""

    name = "fault"
    is_dialog = True

    def __init__(self, desktop: Host, fault: Fault) -> None:
        super().__init__(desktop)
        self.fault = fault

    def draw(self, ui: Widgets) -> None:
        said = self.fault.sentence[:1].upper() + self.fault.sentence[1:]
        copy = DialogButton(
            "copy", "Copy the file's place", 220, "" if self.fault.log is not None else "There is no file."
        )
        buttons = (DialogButton("close", "Go on", 140), copy)
        asked = warning(ui, self.desktop.size, "fault", "Something went wrong", said, KEPT, buttons)
        if asked == "close":
            self.desktop.pop(self)
        elif asked == "copy":
            is_there = clipboard.copy(str(self.fault.log))
            self.desktop.say("The file's place is on the clipboard." if is_there else clipboard.MISSING)

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self.desktop.pop(self)
