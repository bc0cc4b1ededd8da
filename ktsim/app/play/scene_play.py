"""Playing from the ruling table: who of which team stands there and how, time and score, and who plays."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from ktsim.app.play import offers
from ktsim.app.play.game_screen import show_game
from ktsim.app.play.match import Match
from ktsim.app.play.offers import SetupOffer
from ktsim.app.play.play_on import level_options, players_of
from ktsim.app.play.saves import HUMAN, Agreement, write_agreement
from ktsim.app.play.setup_page import Field, stepper
from ktsim.app.screens.dialogs import centred, close_button
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.teams.page import choosing_team
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.errors import UserError
from ktsim.game.scene_start import MISSION, OUT, Entrant, SceneMoment, matched, sides_of, start_of, with_board
from ktsim.game.session import autosave_path
from ktsim.game.setup import Setup, team_in
from ktsim.killzones.scene_file import SceneFile
from ktsim.rules.editions import EDITIONS, MISSIONS
from ktsim.rules.engine.cards import Team
from ktsim.rules.engine.state import Side
from ktsim.sight.scene import Operative

SHOWN: tuple[Side, Side] = ("blue", "red")
ORDERS = (("engage", "Engage"), ("conceal", "Conceal"))
READY = (("ready", "Ready"), ("expended", "Expended"))
WHO = (("blue", "Blue"), ("red", "Red"))
LEAVES = SetupOffer(OUT, "Takes no part")


ROW, AROUND = 84.0, 306.0
"""How tall an operative's row is, and everything above and below them."""


class ScenePlayScreen(Screen):
    """Over the ruling table: everything a scene does not say of a game that goes on from it."""

    name = "scene-play"
    is_dialog = True

    def __init__(self, desktop: Host, file: SceneFile) -> None:
        """Raises UserError when the scene has not operatives of two teams."""
        super().__init__(desktop)
        self.file, self.sides = file, sides_of(file)
        usual = Setup(edition=file.edition)
        self.teams: dict[Side, Team] = {}
        self.chosen = {"blue-seat": HUMAN, "red-seat": HUMAN, "level": "normal"}
        self.situation = SceneMoment({}, {})
        keys = [offer.key for offer in self._teams()]
        for side in SHOWN:
            wanted = getattr(usual, side)
            self.take_team(side, wanted if wanted in keys else keys[0])

    # ---- what is set ----------------------------------------------------------------------------------------
    def people(self, side: Side) -> list[Operative]:
        return [one for one in self.file.scene.operatives if self.sides[one.id] == side]

    def _teams(self) -> list[SetupOffer]:
        edition = self.file.edition
        return [*offers.teams(edition), *offers.teams(edition, offers.NON_PLAYER)]

    def take_team(self, side: Side, key: str) -> None:
        """Have a side play a team or roster; its operatives are matched to those on the table."""
        team = self.teams[side] = team_in(self.file.edition, key)
        self.chosen[side] = key
        people = self.people(side)
        cards = matched(people, side, team)
        wounds = {card.id: card.wounds for card in team.cards}
        entrants = {one.id: Entrant(cards[one.id], wounds[cards[one.id]], one.order) for one in people}
        now = self.situation
        self.situation = replace(now, teams={**now.teams, side: key}, entrants={**now.entrants, **entrants})
        seats = [name for name, _, _ in players_of(self.file.edition, key)]
        if self.chosen[f"{side}-seat"] not in seats:
            self.chosen[f"{side}-seat"] = seats[0]

    def set_entrant(self, id: str, entrant: Entrant) -> None:
        self.situation = replace(self.situation, entrants={**self.situation.entrants, id: entrant})

    def match_to(self, id: str, card: str) -> None:
        """Have an operative on the table be one of a datacard, unhurt; or take no part."""
        team = self.teams[self.sides[id]]
        wounds = next((each.wounds for each in team.cards if each.id == card), 1)
        self.set_entrant(id, replace(self.situation.entrants[id], card=card, wounds=wounds))

    def begin(self) -> None:
        """Make the game and play it. Raises UserError when the operatives cannot stand so."""
        setup, start = start_of(self.file, self.situation)
        path = autosave_path()
        red, blue = self.chosen["red-seat"], self.chosen["blue-seat"]
        agreement = Agreement(red, blue, is_sandbox=True, level=self.chosen["level"])
        match = Match.begin(with_board(self.file, setup, path), agreement, path, start, clock=self.desktop.clock)
        write_agreement(path, agreement)
        show_game(self.desktop, match)
        self.desktop.say(f"The game goes on from the table; it is kept as {path.stem}. Undo goes back across dice too.")

    def _begin(self) -> None:
        self.desktop.load("the game", self.begin)

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self._begin()

    # ---- the page -------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        most = max(len(self.people(side)) for side in SHOWN)
        rect = centred(self.desktop.size, 1180 * k, min(900 * k, (AROUND + ROW * most) * k))
        with ui.panel("scene-play", rect, alpha=1.0):
            x, width = rect.x + 24 * k, rect.w - 48 * k
            ui.text(x, rect.y + 34 * k, "Play from here", "h2")
            if close_button(ui, rect):
                self.desktop.later(lambda: self.desktop.pop(self))
            left = x + ui.pen.measure("Play from here", "h2")[0] + 18 * k
            mission = MISSIONS[MISSION[self.file.edition]].name
            words = f"A game of its own that begins in the Firefight phase. Played for: {mission}."
            room = rect.right - 140 * k - left
            ui.text(left, rect.y + 36 * k, ui.pen.fitted(words, "body", room), "body", theme.SOFT)
            top, foot = rect.y + 66 * k, rect.bottom - 58 * k
            half = (width - 20 * k) / 2
            for at, side in zip((x, x + half + 20 * k), SHOWN, strict=True):
                self._draw_side(ui, Rect(at, top, half, foot - 70 * k - top), side)
            self._draw_time(ui, Rect(x, foot - 62 * k, width, 54 * k))
            if ui.button(Rect(x, foot, 180 * k, 42 * k), "Play##begin", primary=True, key="Enter"):
                self._begin()
            kept = "The table stays as it is; the game is saved by itself."
            room = width - 200 * k
            ui.text(x + 200 * k, foot + 21 * k, ui.pen.fitted(kept, "body", room), "body", theme.SOFT)

    def _draw_time(self, ui: Widgets, rect: Rect) -> None:
        """Turning point, initiative, who is next, and how hard a bot tries."""
        k, now = ui.pen.size, self.situation
        numbers = [(str(n), str(n)) for n in range(1, EDITIONS[self.file.edition].turning_points + 1)]
        rows = (
            ("turning-point", "TURNING POINT", numbers, str(now.turning_point), 0.19),
            ("initiative", "INITIATIVE", WHO, now.initiative, 0.16),
            ("next", "ACTIVATES NEXT", WHO, now.turn, 0.16),
            ("level", "HOW HARD A BOT TRIES", level_options(), self.chosen["level"], 0.49),
        )
        x = rect.x
        for name, title, options, chosen, share in rows:
            wide = share * rect.w - 10 * k
            ui.text(x, rect.y + 6 * k, ui.pen.fitted(title, "caption", wide), "caption", theme.DIM)
            found = ui.choice(Rect(x, rect.y + 16 * k, wide, 36 * k), options, chosen, name)
            if found is not None:
                self._set_time(name, found)
            x += share * rect.w + 3 * k

    def _set_time(self, name: str, value: str) -> None:
        side: Side = "red" if value == "red" else "blue"
        match name:
            case "turning-point":
                self.situation = replace(self.situation, turning_point=int(value))
            case "initiative":
                self.situation = replace(self.situation, initiative=side, turn=side)
            case "next":
                self.situation = replace(self.situation, turn=side)
            case _:
                self.chosen["level"] = value

    def _draw_side(self, ui: Widgets, rect: Rect, side: Side) -> None:
        k, tall = ui.pen.size, 36 * ui.pen.size
        ui.pen.seat(side, rect.x + 8 * k, rect.y + tall / 2, 15 * k)
        x, width = rect.x + 24 * k, rect.w - 24 * k
        team = Field(side, "", self._teams(), side, "stepper")
        if asked := stepper(ui, Rect(x, rect.y, width - 100 * k, tall), team, self.chosen):
            self.desktop.later(partial(self.take_team, side, asked[1]))
        if ui.button(Rect(rect.right - 92 * k, rect.y, 92 * k, tall), f"Teams##teams-{side}", tip="Teams and rosters"):
            self.desktop.later(lambda: self._show_teams(side))
        y = rect.y + tall + 6 * k
        seats = [SetupOffer(*each) for each in players_of(self.file.edition, self.chosen[side])]
        room = 176 * k
        if asked := stepper(ui, Rect(x, y, width - room - 8 * k, tall), Field(f"{side}-seat", "", seats), self.chosen):
            self.chosen[f"{side}-seat"] = asked[1]
        for i, (name, values) in enumerate((("CP", self.situation.cp), ("VP", self.situation.vp))):
            at = rect.right - room + i * room / 2 + 6 * k
            ui.text(at, y + tall / 2, name, "strong", theme.SOFT)
            typed = ui.number(Rect(at + 30 * k, y, room / 2 - 38 * k, tall), f"{name.lower()}-{side}", values[side])
            if typed is not None:
                self.desktop.attempt(partial(self._set_points, name, side, typed))
        y += tall + 10 * k
        people, each = self.people(side), ROW * k
        body = Rect(rect.x, y, rect.w, rect.bottom - y)
        ui.place(f"people-{side}", body)
        with ui.scrolled(f"people-{side}", body, len(people) * each) as top:
            for i, one in enumerate(people):
                self._draw_one(ui, Rect(rect.x, top + i * each, rect.w - SCROLLBAR - 4, each - 6 * k), one)

    def _set_points(self, name: str, side: Side, typed: float) -> None:
        points = whole(typed, f"{name} are whole numbers.")
        now = self.situation
        if name == "CP":
            self.situation = replace(now, cp={**now.cp, side: points})
        else:
            self.situation = replace(now, vp={**now.vp, side: points})

    def _draw_one(self, ui: Widgets, rect: Rect, one: Operative) -> None:
        """An operative of the table: who of the team it is, its order, its wounds, and whether it is ready."""
        k, entrant, team = ui.pen.size, self.situation.entrants[one.id], self.teams[self.sides[one.id]]
        ui.pen.box(rect, theme.RAISED)
        x, width, tall = rect.x + 8 * k, rect.w - 16 * k, 32 * k
        named = 0.3 * width
        ui.text(x + 2 * k, rect.y + 6 * k + tall / 2, ui.pen.fitted(one.id, "strong", named - 8 * k), "strong")
        cards = [*(SetupOffer(card.id, card.name) for card in team.cards), LEAVES]
        field, first = Field(f"card-{one.id}", "", cards), Rect(x + named, rect.y + 5 * k, width - named, tall)
        if asked := stepper(ui, first, field, {field.name: entrant.card}):
            self.desktop.later(partial(self.match_to, one.id, asked[1]))
        if entrant.card == OUT:
            return
        y = rect.y + 41 * k
        pair, gap = 0.37 * width, 6 * k
        order = ui.choice(Rect(x, y, pair, tall), ORDERS, entrant.order, f"order-{one.id}")
        if order is not None:
            entrant = replace(entrant, order="engage" if order == "engage" else "conceal")
        ready = "ready" if entrant.is_ready else "expended"
        if (found := ui.choice(Rect(x + pair + gap, y, pair, tall), READY, ready, f"ready-{one.id}")) is not None:
            entrant = replace(entrant, is_ready=found == "ready")
        if entrant != self.situation.entrants[one.id]:
            self.set_entrant(one.id, entrant)
        most = next(card.wounds for card in team.cards if card.id == entrant.card)
        at = x + 2 * (pair + gap)
        cell = Rect(at, y, 44 * k, tall)
        typed = ui.number(cell, f"wounds-{one.id}", entrant.wounds, f"Wounds it has left, of {most}")
        if typed is not None:
            self.desktop.attempt(partial(self._set_wounds, one.id, typed, most))
        ui.text(cell.right + 6 * k, y + tall / 2, f"of {most}", "label", theme.SOFT)

    def _set_wounds(self, id: str, typed: float, most: int) -> None:
        wounds = whole(typed, f"It has 1 to {most} wounds.")
        if not 1 <= wounds <= most:
            raise UserError(f"It has 1 to {most} wounds.")
        self.set_entrant(id, replace(self.situation.entrants[id], wounds=wounds))

    def _show_teams(self, side: Side) -> None:
        """Choose another team for a side."""
        screen = choosing_team(self.desktop, self, side, self.chosen[side], partial(self.take_team, side))
        self.desktop.push(screen)

    def summary(self) -> dict[str, str]:
        return dict(self.chosen)


def whole(typed: float, refusal: str) -> int:
    """A number that was typed, if it is a whole one that is not negative; raises UserError with *refusal*."""
    if not (0 <= typed <= 99 and typed == int(typed)):
        raise UserError(refusal)
    return int(typed)
