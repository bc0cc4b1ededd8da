"""What covers a game: its menu, its keys, the hand-over to the other player, and asking the players whether it may go
back across dice or a reveal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, TypeAlias

from ktsim.app.play.match import Match
from ktsim.app.play.saves import HUMAN
from ktsim.app.play.topics import ACTION_KEYS
from ktsim.app.screens.dialogs import centred, progress
from ktsim.app.screens.keys import KeyGroups, KeysScreen
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.screens.settings_page import SettingsScreen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.rules.engine.state import Side

MenuAction: TypeAlias = Literal["continue", "settings", "keys", "leave"]
PASS = "pass"


def _in_pairs(keys: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Two to a row."""
    rows = list(keys)
    pairs = [rows[i : i + 2] for i in range(0, len(rows), 2)]
    return tuple((", ".join(key for key, _ in pair), ", ".join(words for _, words in pair)) for pair in pairs)


GAME_KEYS: KeyGroups = (
    (
        "Whatever is asked",
        (
            ("Enter", "the filled button"),
            ("Up, Down", "mark a row"),
            ("1 to 9", "choose that row, or type a die"),
            ("Backspace", "one step of the answer back"),
            ("H", "what would a bot do?"),
            ("C, B", "cards that matter now, by hand"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
        ),
    ),
    ("When asked for an order", (("E, C", "Engage, Conceal"),)),
    (
        "When asked for an action",
        _in_pairs((key.upper(), "end the activation" if name == PASS else name) for name, key in ACTION_KEYS.items()),
    ),
    (
        "When asked for a place or a move",
        (
            ("Click, Shift+click", "place it or end there, waypoint"),
            ("Arrows", 'move it by 0.1", with Shift by 0.01"'),
            ("G", "some legal place or move"),
            ("X", "call the move off"),
            ("Q, W", "turn the piece that is put down"),
            ("R", "set up the rest for me; pass until the firefight"),
            ("A", "before the battle: straight to the first activation"),
            ("Shift+Backspace", "take all of that back"),
        ),
    ),
    (
        "When asked for none of these",
        (
            ("F", "whoever is asked about"),
            ("E", "the eyes of whoever acts, and back"),
        ),
    ),
    (
        "The window",
        (
            ("Tab, Enter", "walk through the panels, press"),
            ("F1, F2", "these keys, the ruling table on a copy"),
            ("F3", "rosters, log, mission and score"),
            ("F6, F7", "a variation again: fresh dice, the same dice"),
            ("F4, F10", "settings, menu"),
            ("Escape", "one step back, then the menu"),
        ),
    ),
    (
        "The table",
        (
            ("Right drag, wheel", "turn, nearer and further"),
            ("Middle or Shift drag", "move"),
            ("Home, T", "the whole table, from above"),
            ("Pointer on a figure", "its card, and who could shoot whom"),
            ("D", "while a move is planned: how dangerous it is where"),
            ("Y", "names on the table, or not"),
            ("Click on an enemy", "when asked for an order or action: attack it"),
        ),
    ),
)


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


def menu(ui: Widgets, size: tuple[int, int]) -> MenuAction | None:
    """What there is to do beside playing; what was asked for."""
    k = ui.pen.size
    rect = centred(size, 420 * k, 330 * k)
    asked: MenuAction | None = None
    rows: tuple[tuple[MenuAction, str, str, str], ...] = (
        ("continue", "Continue playing", "play", "Enter"),
        ("settings", "Settings", "list", "F4"),
        ("keys", "Keys", "help", "F1"),
        ("leave", "Leave, the game is saved", "door", "L"),
    )
    with ui.panel("menu", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 38 * k, "Leave the game?", "h2")
        y = rect.y + 72 * k
        for action, title, icon, key in rows:
            cell = Rect(x, y, width, 52 * k)
            is_next = action == "continue"
            if ui.button(cell, f"{title}##{action}", primary=is_next, icon=icon, key=key, kind="strong", align=0):
                asked = action
            y += 60 * k
    return asked


SIDES: tuple[Side, Side] = ("blue", "red")
"""As they stand beside each other."""


class AgreementScreen(Screen):
    """Goes back when every person at the screen has agreed; a bot need not be asked."""

    name = "agreement"
    is_dialog = True

    def __init__(self, desktop: Host, match: Match, undo: Callable[..., object] | None = None) -> None:
        """*undo* is what is agreed on: the last step unless said."""
        super().__init__(desktop)
        self.match = match
        self._undo = undo or match.undo
        people = [side for side in SIDES if match.agreement.player(side) == HUMAN]
        self.asked: tuple[str, ...] = tuple(people or SIDES)
        self.agreed: set[str] = set()

    def draw(self, ui: Widgets) -> None:
        names = {side: self.match.team("red" if side == "red" else "blue") for side in self.asked}
        asked = agreement(ui, self.desktop.size, names, self.agreed)
        if asked == "cancel":
            self.desktop.later(lambda: self.desktop.pop(self))
        elif asked is not None:
            self._agree(asked)

    def key(self, key: str, held: Held) -> None:
        side = {"b": "blue", "r": "red"}.get(key)
        if side in self.asked:
            self._agree(side)

    def _agree(self, side: str) -> None:
        self.agreed.add(side)
        if self.agreed.issuperset(self.asked):
            self.desktop.later(self._go_back)

    def _go_back(self) -> None:
        self.desktop.pop(self)
        self._undo(is_agreed=True)


def agreement(ui: Widgets, size: tuple[int, int], names: dict[str, str], agreed: set[str]) -> str | None:
    """The players in *names* are asked whether the game may go back further: a side, ``cancel``, or None while
    undecided."""
    k = ui.pen.size
    rect = centred(size, 620 * k, 300 * k)
    asked = None
    with ui.panel("agreement", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        ui.text(x, rect.y + 40 * k, "Go back by agreement?", "h2")
        words = "Dice have been rolled or something was revealed since the last answer. "
        if len(names) > 1:
            words += "The game goes back when both players agree: each presses the button of their own team."
        else:
            words += "The computer does not mind: the game goes back when you agree."
        ui.paragraph(x, rect.y + 66 * k, width, words, "body", theme.SOFT)
        half = (width - 12 * k * (len(names) - 1)) / max(1, len(names))
        for i, side in enumerate(names):
            cell = Rect(x + i * (half + 12 * k), rect.y + 130 * k, half, 64 * k)
            has = side in agreed
            label = f"{names[side]} {'have agreed' if has else 'agree'}##agree-{side}"
            icon = "check" if has else ""
            if ui.button(cell, label, seat=side, icon=icon, chosen=has, kind="strong", key=side[0].upper()):
                asked = side
        if ui.button(Rect(x, rect.bottom - 62 * k, 160 * k, 40 * k), "Do not go back##cancel", key="Esc"):
            asked = "cancel"
    return asked


def hand_over(ui: Widgets, size: tuple[int, int], seat: str, player: str) -> bool:
    """The screen goes to another player. Nothing of the game is shown. Whether that player has it."""
    k = ui.pen.size
    ui.pen.box(Rect(0, 0, *size), theme.INK, None, 1.0, 0)
    rect = centred(size, 660 * k, 380 * k)
    with ui.panel("handover", rect, alpha=1.0):
        ui.pen.box(rect, None, theme.seat_colour(seat), thick=3)
        middle = rect.x + rect.w / 2
        ui.pen.seat(seat, middle, rect.y + 66 * k, 56 * k)
        room = rect.w - 48 * k
        ui.text(middle, rect.y + 122 * k, "Hand the screen to", "h2", theme.SOFT, align=0.5)
        ui.text(middle, rect.y + 168 * k, ui.pen.fitted(player, "display", room), "display", align=0.5)
        words = "Something only you may see comes next: the other player looks away."
        ui.text(middle, rect.y + 222 * k, ui.pen.fitted(words, "body", room), "body", theme.SOFT, align=0.5)
        ui.text(middle, rect.bottom - 28 * k, "Ctrl+Z goes back instead", "caption", theme.DIM, align=0.5)
        wide = min(420 * k, room)
        cell = Rect(middle - wide / 2, rect.bottom - 112 * k, wide, 60 * k)
        return ui.button(cell, f"I play {player}##accept", primary=True, key="Enter", kind="h3")


def preparing(ui: Widgets, size: tuple[int, int], stage: tuple[int, int] | None) -> None:
    """The engine is being compiled, which happens once: which *stage* of how many is at work."""
    k = ui.pen.size
    rect = centred(size, 560 * k, 140 * k)
    with ui.panel("preparing", rect, alpha=1.0):
        x, width = rect.x + 28 * k, rect.w - 56 * k
        words = f"Preparing the engine: {stage[0]} of {stage[1]}" if stage is not None else "Preparing the engine"
        ui.text(x, rect.y + 38 * k, words, "h2")
        progress(ui, Rect(x, rect.y + 62 * k, width, 10 * k), (stage[0] - 1) / stage[1] if stage is not None else 0.0)
        words = "This happens once and takes a minute or two. The game is kept and begins by itself."
        ui.paragraph(x, rect.y + 86 * k, width, words, "body", theme.SOFT)
