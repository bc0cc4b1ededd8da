"""The screens before a game: agreeing on one, and choosing a saved one to go on with or to watch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING

from ktsim.game.bots import BOTS
from ktsim.game.session import autosave_path
from ktsim.game.setup import Setup

from ..screens.screen import Held, Screen
from ..ui.widgets import Widgets
from . import offers
from .game_screen import GameScreen
from .match import Match
from .offers import Offer
from .panels.table_setup import Field, SetupPage, saves_page, setup_page
from .replay_screen import ReplayScreen
from .saves import HUMAN, Agreement, list_saves, read_agreement, write_agreement

if TYPE_CHECKING:
    from ..desktop import Desktop

DICE = (
    Offer("rolled", "Rolled on screen", "The program rolls; every die is in the record."),
    Offer("typed", "Typed in", "You roll real dice and type in what they show."),
)
OBVIOUS = (
    Offer("no", "Ask everything"),
    Offer("yes", "Take the obvious", "Where only one answer is sensible it is taken without asking."),
)
HOT_SEAT = "Two players, one screen. Choose where and with whom; click Begin. The game is kept at every answer."
SOLO = "You against a bot. Undo goes back as far as you like, across dice too. The bulb shows what the bot would do."


class SetupScreen(Screen):
    """Agreeing on a hot-seat or solo game."""

    def __init__(self, desktop: Desktop, *, is_solo: bool) -> None:
        super().__init__(desktop)
        self.is_solo = is_solo
        self.name = "solo-setup" if is_solo else "hot-seat-setup"
        plain = Setup()
        self.chosen: dict[str, str] = {
            "board": plain.board,
            "red": plain.red,
            "blue": plain.blue,
            "mission": plain.mission_name,
            "crit_op": plain.crit_op,
            "edition": plain.edition,
            "red-seat": list(BOTS)[-1] if is_solo else HUMAN,
            "blue-seat": HUMAN,
            "dice": "rolled",
            "obvious": "no",
            "level": "normal",
            "handicap_red": plain.handicap_red,
            "handicap_blue": plain.handicap_blue,
        }

    def page(self) -> SetupPage:
        seats = offers.seats()
        bots = [seat for seat in seats if seat.key != HUMAN]
        sides = []
        for side in ("blue", "red"):
            rows = [Field(side, f"{side.upper()} TEAM", offers.teams(self.chosen["edition"]), side)]
            if self.is_solo:
                offered = bots if side == "red" else seats[:1]
                rows.append(Field(f"{side}-seat", f"WHO PLAYS {side.upper()}", offered, side))
                if side == "red":
                    rows.append(Field("level", "DIFFICULTY", offers.levels(), side))
            rows.append(Field(f"handicap_{side}", f"HANDICAP OF {side.upper()}", offers.handicaps(), side))
            sides.append(rows)
        crit_ops = offers.crit_ops(self.chosen["mission"])
        others = [
            Field("mission", "MISSION", offers.missions(self.chosen["edition"])),
            Field("edition", "RULES", offers.editions()),
            Field("dice", "DICE", DICE),
            Field("obvious", "QUESTIONS", OBVIOUS),
            *([Field("crit_op", "CRIT OP", crit_ops)] if crit_ops else []),
        ]
        return SetupPage(
            "Play solo" if self.is_solo else "Play hot-seat",
            SOLO if self.is_solo else HOT_SEAT,
            Field("board", "KILLZONE", offers.boards()),
            sides,
            others,
            self.chosen,
        )

    def draw(self, ui: Widgets) -> None:
        asked = setup_page(ui, self.desktop.size, self.page())
        if asked is None:
            return
        name, key = asked
        if name == "begin":
            self.desktop.later(self.begin)
        elif name == "cancel":
            self.desktop.later(lambda: self.desktop.pop(self))
        else:
            self.chosen[name] = key
            if name == "edition":
                self._keep_to_edition()
            if not offers.crit_ops(self.chosen["mission"]):
                self.chosen["crit_op"] = ""

    def _keep_to_edition(self) -> None:
        """Teams and missions of another edition are replaced by the first that fit."""
        edition = self.chosen["edition"]
        for name, offered in (
            ("mission", offers.missions(edition)),
            ("red", offers.teams(edition)),
            ("blue", offers.teams(edition)),
        ):
            keys = [offer.key for offer in offered]
            if keys and self.chosen[name] not in keys:
                self.chosen[name] = keys[0]

    def key(self, key: str, held: Held) -> None:
        if key == "enter" and not self.desktop.backend.io.nav_visible:
            self.desktop.later(self.begin)

    def setup(self) -> Setup:
        """What was agreed; fields of a setup that are not offered here stay as they come."""
        known = {field.name for field in fields(Setup)}
        return Setup(**{name: value for name, value in self.chosen.items() if name in known})  # type: ignore[arg-type]

    def begin(self) -> None:
        agreement = Agreement(
            red=self.chosen["red-seat"],
            blue=self.chosen["blue-seat"],
            dice="typed" if self.chosen["dice"] == "typed" else "rolled",
            takes_obvious=self.chosen["obvious"] == "yes",
            is_sandbox=self.is_solo,
            level=self.chosen["level"],
        )
        path = autosave_path()
        match = Match.begin(self.setup(), agreement, path, clock=self.desktop.clock)
        write_agreement(path, match.agreement)
        show_game(self.desktop, match)

    def summary(self) -> dict[str, str]:
        return dict(self.chosen)


def show_game(desktop: Desktop, match: Match) -> GameScreen:
    """Put a game on the screen, straight over the start screen."""
    screen = GameScreen(desktop, match)
    desktop.home()
    desktop.push(screen)
    return screen


def resume_game(desktop: Desktop, path: Path) -> GameScreen:
    """Go on with a saved game where its last answer left it."""
    match = Match.resume(path, read_agreement(path), clock=desktop.clock)
    return show_game(desktop, match)


class SavesScreen(Screen):
    """A list of saved games; the one chosen goes to *run*."""

    is_dialog = True

    def __init__(self, desktop: Desktop, name: str, title: str, run: Callable[[Desktop, Path], object]) -> None:
        super().__init__(desktop)
        self.name, self.title, self.run = name, title, run
        self.saves = list_saves()

    @classmethod
    def loading(cls, desktop: Desktop) -> SavesScreen:
        return cls(desktop, "load", "Load a game", resume_game)

    @classmethod
    def watching(cls, desktop: Desktop) -> SavesScreen:
        return cls(desktop, "watch", "Watch a replay", watch_game)

    def draw(self, ui: Widgets) -> None:
        rows = [(save.path.name, save.title, save.note) for save in self.saves]
        empty = "No game has been kept yet. Every game you play here is, from its first answer on."
        asked = saves_page(ui, self.desktop.size, self.title, rows, empty)
        if asked == "cancel":
            self.desktop.pop(self)
        elif asked is not None:
            path = next(save.path for save in self.saves if save.path.name == asked)
            self.desktop.later(lambda: self.run(self.desktop, path))


def watch_game(desktop: Desktop, path: Path) -> None:
    screen = ReplayScreen(desktop, path)
    desktop.home()
    desktop.push(screen)
