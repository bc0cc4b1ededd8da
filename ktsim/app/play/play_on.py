"""Playing on from a moment of a saved game, as a game of its own: who plays, and how the dice fall."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

from ktsim.app.play import offers
from ktsim.app.play.game_screen import show_game
from ktsim.app.play.match import Match
from ktsim.app.play.offers import NON_PLAYER, SetupOffer
from ktsim.app.play.saves import HUMAN, read_agreement, write_agreement
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.errors import UserError
from ktsim.game import journal
from ktsim.game.record import load
from ktsim.game.setup import Setup
from ktsim.game.variations import SameDice, branch, leaves_from

NAMELESS = "Name it here"
KEPT = "The game itself is left as it is; this becomes a variation of it, saved beside it."
AGAIN = "F6 tries again with fresh dice, F7 with the same dice."
FRESH, SAME = "fresh", "same"
DICE = ((FRESH, "Rolled anew"), (SAME, "As they fell there"))


class PlayOnScreen(Screen):
    """Over a replay: how to play on after the first *after* answers of the game in *path*."""

    name = "play-on"
    is_dialog = True

    def __init__(self, desktop: Host, path: Path, setup: Setup, after: int) -> None:
        super().__init__(desktop)
        self.path, self.after = path, after
        self.players = {"blue": players_of(setup.edition, setup.blue), "red": players_of(setup.edition, setup.red)}
        self.agreement = read_agreement(path)
        self.seats = {side: self.agreement.player(side) for side in ("blue", "red")}
        self.dice = FRESH
        self.level = self.agreement.level
        self.title = ""
        """What the variation is called; its file's name unless something is typed."""

    def begin(self) -> None:
        """Make the variation and play it."""
        chance = SameDice(load(self.path), self.after, Random().getrandbits(64)) if self.dice == SAME else None
        new = branch(self.path, self.after, self.title)
        red, blue = self.seats["red"], self.seats["blue"]
        agreement = replace(
            self.agreement, red=red, blue=blue, dice="rolled", level=self.level, title="", is_over=False
        )
        agreement = replace(agreement, is_sandbox=agreement.is_sandbox or not agreement.is_hot_seat)
        write_agreement(new, agreement)
        show_game(self.desktop, Match.resume(new, agreement, clock=self.desktop.clock, chance=chance))
        self.desktop.say(f"This is a variation, kept as {self.title or new.stem}. {AGAIN}")

    def _begin(self) -> None:
        self.desktop.load("the variation", self.begin)

    def key(self, key: str, held: Held) -> None:
        match key:
            case "enter":
                self._begin()
            case "b" | "r":
                side = "blue" if key == "b" else "red"
                self.seats[side] = _after([name for name, _, _ in self.players[side]], self.seats[side])
            case "d":
                self.dice = _after([FRESH, SAME], self.dice)
            case "l":
                self.level = _after([name for name, _ in level_options()], self.level)
        self.desktop.refresh()

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 720 * k, 600 * k)
        with ui.panel("play-on", rect, alpha=1.0):
            x, width = rect.x + 28 * k, rect.w - 56 * k
            ui.text(x, rect.y + 34 * k, "Play from here", "h2")
            top = rect.y + 56 * k
            top += ui.paragraph(x, top, width, KEPT, "body", theme.SOFT) + 14 * k
            half, foot = (width - 20 * k) / 2, rect.bottom - 54 * k
            columns = (x, x + half + 20 * k)
            for left, side in zip(columns, ("blue", "red"), strict=True):
                self._draw_seat(ui, Rect(left, top, half, foot - 84 * k - top), side)
            wides = (0.36 * width, 0.64 * width - 20 * k)
            places = (x, x + 0.36 * width + 20 * k)
            rows = (("dice", "THE DICE", "D", DICE), ("level", "HOW HARD A BOT TRIES", "L", level_options()))
            for left, wide, (name, title, key, options) in zip(places, wides, rows, strict=True):
                ui.text(left, foot - 70 * k, f"{title} ({key})", "caption", theme.DIM)
                chosen = ui.choice(Rect(left, foot - 58 * k, wide, 40 * k), options, getattr(self, name), name)
                setattr(self, name, chosen or getattr(self, name))
            named = Rect(x + 344 * k, foot + 2 * k, width - 344 * k, 38 * k)
            typed = ui.entry(named, "name", self.title or NAMELESS, "What the variation is called")
            self.title = self.title if typed is None else typed
            if ui.button(Rect(x, foot, 180 * k, 42 * k), "Play##begin", primary=True, key="Enter"):
                self._begin()
            if ui.button(Rect(x + 192 * k, foot, 140 * k, 42 * k), "Cancel##cancel", key="Esc"):
                self.desktop.later(lambda: self.desktop.pop(self))

    def _draw_seat(self, ui: Widgets, rect: Rect, side: str) -> None:
        """Who may play a side; the notes of bots are told when they are pointed at."""
        k = ui.pen.size
        ui.pen.seat(side, rect.x + 7 * k, rect.y + 8 * k, 13 * k)
        ui.text(rect.x + 20 * k, rect.y + 8 * k, f"PLAYED BY ({side[0].upper()})", "caption", theme.DIM)
        players = self.players[side]
        tall = min(40 * k, (rect.h - 22 * k) / len(players) - 4 * k)
        for i, (name, title, note) in enumerate(players):
            row = Rect(rect.x, rect.y + 22 * k + i * (tall + 4 * k), rect.w, tall)
            if ui.button(row, f"{title}##{side}-{name}", chosen=self.seats[side] == name, align=0, tip=note):
                self.seats[side] = name


def again(desktop: Host, match: Match, dice: str) -> None:
    """Try a variation again from where it leaves its game, with fresh dice or with those that fell in this one."""
    path = match.path
    leaves = None if path is None else leaves_from(journal.read(path).header)
    if path is None or leaves is None:
        raise UserError(
            "This game is no variation; in a replay F3 plays on from any moment, and that can be tried again."
        )
    if len(match.game.answers) < leaves.after:
        raise UserError("It was taken back to before the moment it leaves its game; redo it first.")

    def begin() -> None:
        chance = SameDice(load(path), leaves.after, Random().getrandbits(64)) if dice == SAME else None
        parent = path.with_name(leaves.parent)
        new = branch(parent if parent.exists() else path, leaves.after, leaves.name)
        agreement = replace(match.agreement, title="", is_over=False)
        write_agreement(new, agreement)
        show_game(desktop, Match.resume(new, agreement, clock=desktop.clock, chance=chance))
        desktop.say(f"Once more, with {'the same' if dice == SAME else 'fresh'} dice; kept as {new.stem}.")

    desktop.load("the variation", begin)


def players_of(edition: str, team: str) -> list[tuple[str, str, str]]:
    """Who may play a team: non-player operatives only the bot that follows their behaviour lists, and it no other."""
    is_unplayed = team in [offer.key for offer in offers.teams(edition, NON_PLAYER)]
    everybody = [SetupOffer(HUMAN, "A person"), *offers.bots()]
    return [(each.key, each.title, each.note) for each in everybody if (each.key == NON_PLAYER) == is_unplayed]


def level_options() -> list[tuple[str, str]]:
    return [(offer.key, offer.title) for offer in offers.levels()]


def _after(names: list[str], name: str) -> str:
    """The next one, after the last the first."""
    return names[(names.index(name) + 1) % len(names)] if name in names else names[0]
