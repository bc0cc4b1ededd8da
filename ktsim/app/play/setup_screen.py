"""The screens before a game: agreeing on one, and choosing a saved one to go on with or to watch."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from functools import partial
from pathlib import Path

from ktsim.app.play import offers
from ktsim.app.play.game_screen import show_game
from ktsim.app.play.last_choices import keep_choices, last_choices
from ktsim.app.play.match import Match
from ktsim.app.play.offers import SetupOffer
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.saves import HUMAN, Agreement, Save, list_saves, looked_at, read_agreement, remove, write_agreement
from ktsim.app.play.setup_page import Field, SaveRow, SetupPage, saves_page, setup_page
from ktsim.app.play.variations_screen import VariationsScreen
from ktsim.app.screens.dialogs import DialogButton, warning
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.teams.page import choosing_team
from ktsim.app.ui.titles import board_title
from ktsim.app.ui.widgets import Widgets
from ktsim.game.journal import MendableSave
from ktsim.game.record import mend
from ktsim.game.scene_start import with_own_sizes
from ktsim.game.session import autosave_path
from ktsim.game.setup import Setup

DICE = (
    SetupOffer("rolled", "On screen", "The program rolls; every die is in the record."),
    SetupOffer("typed", "Typed in", "You roll real dice and type in what they show."),
)
OBVIOUS = (
    SetupOffer("no", "Ask anyway"),
    SetupOffer("yes", "Skip", "Where only one answer is sensible it is given without asking."),
)
SETTING_UP = (
    SetupOffer("no", "Step by step", "You choose equipment and ops, and where everybody stands."),
    SetupOffer("yes", "For me", "Equipment, ops and places are chosen for you; Undo takes one after another back."),
)
HOT_SEAT = "Two players at one screen. Every answer is saved at once."
SOLO = "You are blue. Undo goes back across dice too; the bulb shows what a bot would do."


class SetupScreen(Screen):
    """Agreeing on a hot-seat or solo game."""

    def __init__(self, desktop: Host, *, is_solo: bool, team: str = "") -> None:
        """With a *team* (or roster) that is played by blue, who is the player in a solo game."""
        super().__init__(desktop)
        self.is_solo = is_solo
        self.name = "solo-setup" if is_solo else "hot-seat-setup"
        plain = Setup()
        self.chosen: dict[str, str] = {
            "board": plain.board,
            "sizes": offers.OWN_SIZES,
            "red": plain.red,
            "blue": plain.blue,
            "mission": plain.mission_name,
            "crit_op": plain.crit_op,
            "edition": plain.edition,
            "rules": plain.rules,
            "red-seat": offers.bots()[0].key if is_solo else HUMAN,
            "blue-seat": HUMAN,
            "dice": "rolled",
            "obvious": "no",
            "setting-up": "no",
            "level": "normal",
            "handicap_red": plain.handicap_red,
            "handicap_blue": plain.handicap_blue,
        }
        self._take_up()
        if team:
            self.take_team("blue", team)

    def take_team(self, side: str, key: str) -> None:
        """Have a side play a team or a roster, in the rules it is for."""
        self.chosen[side] = key
        self.chosen["edition"] = "kt24"
        self._settle()

    def _show_teams(self, side: str) -> None:
        """Choose another team for a side."""
        screen = choosing_team(self.desktop, self, side, self.chosen[side], partial(self.take_team, side))
        self.desktop.push(screen)

    def _take_up(self) -> None:
        """Begin with what was chosen last time, as far as it is still offered."""
        usual = dict(self.chosen)
        seats = ("red-seat",) if self.is_solo else ()
        known = last_choices(self.name)
        if self.is_solo and not known:
            self.chosen["setting-up"] = "yes"  # whoever has never played comes to play first
        self.chosen |= {name: known[name] for name in usual if name in known and ("seat" not in name or name in seats)}
        if self.chosen["edition"] not in [offer.key for offer in offers.editions()]:
            self.chosen = usual
        dates = offers.rules_dates("kt24")
        for name, offered in (("board", offers.boards()), ("level", offers.levels()), ("rules", dates)):
            if self.chosen[name] not in [offer.key for offer in offered]:
                self.chosen[name] = usual[name]
        self._settle()
        page = self.page()
        for field in (page.rules, *(field for column in page.columns for field in column)):
            if field.chosen(self.chosen) is None:
                self.chosen[field.name] = usual[field.name]

    def page(self) -> SetupPage:
        chosen = self.chosen
        ops = offers.crit_ops(chosen["mission"])
        dates = offers.rules_dates(chosen["edition"])
        sizes = offers.sizes(chosen["board"])
        columns = [
            [
                Field("board", "KILLZONE", offers.boards(), style="families"),
                *([Field("sizes", "SIZES OF ITS TERRAIN", sizes, style="side by side")] if sizes else []),
                Field("mission", "MISSION", self._offered("mission")),
            ],
            self._side("blue"),
            self._side("red"),
            [
                Field("dice", "DICE", DICE, style="side by side"),
                Field("setting-up", "SETTING UP", SETTING_UP, style="side by side"),
                Field("obvious", "OBVIOUS ANSWERS", OBVIOUS, style="side by side"),
                *([Field("rules", "RULES AS OF", dates, style="side by side")] if dates else []),
                *([Field("crit_op", "CRIT OP", ops, style="stepper")] if ops else []),
            ],
        ]
        title, words = ("Play solo", SOLO) if self.is_solo else ("Play hot-seat", HOT_SEAT)
        rules = Field("edition", "RULES", offers.editions())
        return SetupPage(title, words, rules, columns, chosen, self.problem_now())

    def _side(self, side: str) -> list[Field]:
        """What is agreed about a side."""
        team = Field(side, f"{side.upper()} TEAM", self._offered(side), side, more="Your teams")
        handicap = Field(f"handicap_{side}", f"HANDICAP OF {side.upper()}", offers.handicaps(), side, "stepper")
        if not self.is_solo:
            return [team, handicap]
        if side == "blue":
            return [replace(team, title="YOUR TEAM"), replace(handicap, title="YOUR HANDICAP")]
        seat = Field("red-seat", "YOUR OPPONENT", self._offered("red-seat"), side)
        level = Field("level", "DIFFICULTY", offers.levels(), side, "stepper")
        has_levels = offers.has_levels(self.chosen["red-seat"])
        its = [replace(team, title="ITS TEAM"), replace(handicap, title="ITS HANDICAP")]
        return [seat, *([level] if has_levels else []), *its]

    def _offered(self, name: str) -> list[SetupOffer]:
        """What there is to choose from, as far as it depends on what was chosen before."""
        edition = self.chosen["edition"]
        match name:
            case "mission":
                return offers.missions(edition, self.chosen["board"])
            case "red-seat":
                # Whoever follows behaviour lists plays the operatives that have them.
                return [bot for bot in offers.bots() if offers.teams(edition, bot.key)]
            case _:
                return offers.teams(edition, self.chosen[f"{name}-seat"])

    def problem_now(self) -> str:
        """Why the game cannot begin with what is chosen; empty when it can."""
        mission = next((offer for offer in self._offered("mission") if offer.key == self.chosen["mission"]), None)
        if mission is None or not mission.refusal:
            return ""
        return f"{mission.title} cannot be played here. {mission.refusal} Choose another mission or killzone."

    def draw(self, ui: Widgets) -> None:
        asked = setup_page(ui, self.desktop.size, self.page())
        if asked is None:
            return
        name, key = asked
        if name == "begin":
            self._load()
        elif name == "cancel":
            self.desktop.later(lambda: self.desktop.pop(self))
        elif name == "more":
            self.desktop.later(lambda: self._show_teams(key))
        else:
            self.chosen[name] = key
            self._settle()

    def _settle(self) -> None:
        """What can no longer be chosen, after something else was, is replaced by the usual or the first that can."""
        usual = Setup(edition=self.chosen["edition"])
        for name, wanted in (
            *([("red-seat", "")] if self.is_solo else []),
            ("mission", usual.mission_name),
            ("red", usual.red),
            ("blue", usual.blue),
        ):
            keys = [offer.key for offer in self._offered(name)]
            if keys and self.chosen[name] not in keys:
                self.chosen[name] = wanted if wanted in keys else keys[0]
        if not offers.crit_ops(self.chosen["mission"]):
            self.chosen["crit_op"] = ""

    def key(self, key: str, held: Held) -> None:
        if key == "enter" and not self.problem_now():
            self._load()

    def _load(self) -> None:
        self.desktop.load(board_title(self.chosen["board"]), self.begin)

    def setup(self) -> Setup:
        """What was agreed; fields of a setup that are not offered here stay as they come."""
        known = {field.name for field in fields(Setup)}
        return Setup(**{name: value for name, value in self.chosen.items() if name in known})  # type: ignore[arg-type]

    def agreement(self) -> Agreement:
        return Agreement(
            red=self.chosen["red-seat"],
            blue=self.chosen["blue-seat"],
            dice="typed" if self.chosen["dice"] == "typed" else "rolled",
            takes_obvious=self.chosen["obvious"] == "yes",
            is_sandbox=self.is_solo,
            is_set_up=self.chosen["setting-up"] == "yes",
            level=self.chosen["level"],
        )

    def begin(self) -> None:
        path, setup = autosave_path(), self.setup()
        if self.chosen["sizes"] == offers.OWN_SIZES:
            setup = with_own_sizes(setup, path)
        match = Match.begin(setup, self.agreement(), path, clock=self.desktop.clock)
        write_agreement(path, match.agreement)
        keep_choices(self.name, self.chosen)
        show_game(self.desktop, match)

    def summary(self) -> dict[str, str]:
        return dict(self.chosen)


def resume_game(desktop: Host, path: Path) -> None:
    """Go on with a saved game where its last answer left it; one that cannot go on as it is is offered to be mended."""
    try:
        match = Match.resume(path, read_agreement(path), clock=desktop.clock)
    except MendableSave as error:
        desktop.push(MendScreen(desktop, path, str(error.problems[0]), resume_game))
        return
    show_game(desktop, match)


class SavesScreen(Screen):
    """A list of saved games; the one chosen goes to *run*."""

    is_dialog = True

    def __init__(self, desktop: Host, name: str, title: str, run: Callable[[Host, Path], object]) -> None:
        super().__init__(desktop)
        self.name, self.title, self.run = name, title, run
        self.asking = ""
        """The game of which it is asked whether to remove it."""
        self._list()

    def _list(self) -> None:
        self.saves = [looked_at(save) for save in list_saves()]

    @classmethod
    def loading(cls, desktop: Host) -> SavesScreen:
        return cls(desktop, "load", "Load a game", resume_game)

    @classmethod
    def watching(cls, desktop: Host) -> SavesScreen:
        return cls(desktop, "watch", "Watch a replay", watch_game)

    def draw(self, ui: Widgets) -> None:
        rows = [SaveRow(save.path.name, save.title, save.note, bool(save.damage)) for save in self.saves]
        empty = "There is no saved game yet. Every game you play is saved by itself, after each answer."
        asked = saves_page(ui, self.desktop.size, self.title, rows, empty, self.asking)
        if asked is None:
            return
        action, name = asked
        save = next((save for save in self.saves if save.path.name == name), None)
        if action == "cancel":
            self.desktop.pop(self)
        elif action == "variations":
            self.desktop.load("the tree", lambda: show_variations(self.desktop))
        elif action == "open" and save is not None:
            self.desktop.load(save.title, lambda: self.run(self.desktop, save.path))
        elif action == "remove" and save is not None:
            self.desktop.later(lambda: self._remove(save))
        else:
            self.asking = name if action == "ask" else ""

    def _remove(self, save: Save) -> None:
        self.asking = ""
        remove(save)
        self._list()

    def back(self) -> bool:
        was_asking, self.asking = bool(self.asking), ""
        return was_asking


def watch_game(desktop: Host, path: Path) -> None:
    screen = ReplayScreen(desktop, path)
    desktop.home()
    desktop.push(screen)


def show_variations(desktop: Host, here: Path | None = None) -> None:
    """The tree of variations; the game in *here* is the one somebody comes from."""
    desktop.push(VariationsScreen(desktop, here, resume_game, watch_game))


OFFER = (
    "The game can go on from what is good of it: up to the damage, or from its last snapshot. "
    "That becomes a game of its own; this one is left as it is."
)
MEND_BUTTONS = (DialogButton("mend", "Go on from what is good", 300), DialogButton("cancel", "Cancel", 120))


class MendScreen(Screen):
    """Over the list of games: what is wrong with one, and going on from what is good of it; that game goes to *run*."""

    name = "mend"
    is_dialog = True

    def __init__(self, desktop: Host, path: Path, wrong: str, run: Callable[[Host, Path], object]) -> None:
        super().__init__(desktop)
        self.path, self.wrong, self.run = path, wrong, run

    def draw(self, ui: Widgets) -> None:
        title = "This game cannot go on as it is"
        asked = warning(ui, self.desktop.size, "mend", title, self.wrong, OFFER, MEND_BUTTONS)
        if asked == "cancel":
            self.desktop.pop(self)
        elif asked == "mend":
            self._mend()

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self._mend()

    def _mend(self) -> None:
        self.desktop.load(self.path.stem, self._go_on)

    def _go_on(self) -> None:
        new, holds = mend(self.path)
        write_agreement(new, read_agreement(self.path))
        self.run(self.desktop, new)
        self.desktop.say(f"This is {holds}, kept as {new.stem}.")
