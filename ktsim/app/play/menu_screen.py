"""The menu over a game: nobody leaves one without having asked to."""

from __future__ import annotations

from ktsim.app.play.game_keys import GAME_KEYS
from ktsim.app.play.panels.cover import MenuAction, menu
from ktsim.app.screens.keys import KeysScreen
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.screens.settings_page import SettingsScreen
from ktsim.app.ui.widgets import Widgets


class MenuScreen(Screen):
    """Go on playing, look at the settings or the keys, or leave *game*, which is saved with every answer."""

    name = "menu"
    is_dialog = True

    def __init__(self, desktop: Host, game: Screen) -> None:
        super().__init__(desktop)
        self.game = game

    def draw(self, ui: Widgets) -> None:
        asked = menu(ui, self.desktop.size)
        if asked is not None:
            self.desktop.later(lambda: self._do(asked))

    def key(self, key: str, held: Held) -> None:
        actions: dict[str, MenuAction] = {
            "enter": "continue", "f10": "continue", "f4": "settings", "f1": "keys", "l": "leave",
        }  # fmt: skip
        if key in actions:
            self._do(actions[key])

    def _do(self, action: MenuAction) -> None:
        desktop = self.desktop
        match action:
            case "continue":
                desktop.pop(self)
            case "settings":
                desktop.push(SettingsScreen(desktop))
            case "keys":
                desktop.push(KeysScreen(desktop, GAME_KEYS))
            case "leave":
                desktop.pop(self.game)
