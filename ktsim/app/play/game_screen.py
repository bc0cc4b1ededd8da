"""A game at the window: the table in the middle, rosters and log at the left, the pending question at the right."""

from __future__ import annotations

from pathlib import Path

from imgui_bundle import imgui
from panda3d.core import Texture

from ktsim.app.play import game_view, menu
from ktsim.app.play.attack_menu import attack_menu
from ktsim.app.play.bar import BarData, bar, tabs
from ktsim.app.play.cards_now import cards_chip
from ktsim.app.play.figure_card import card_of, danger_legend, draw_card
from ktsim.app.play.game_input import TABS, GameInput
from ktsim.app.play.layout import PlayLayout, lay_out
from ktsim.app.play.logbook import ScoreSheet, score_of
from ktsim.app.play.match import Match
from ktsim.app.play.mission_panel import mission_panel
from ktsim.app.play.privacy import own_eyes
from ktsim.app.play.question import QuestionPanel
from ktsim.app.play.recap import recap_panel
from ktsim.app.play.record import LogPanel, ending
from ktsim.app.play.roster import Team, member_of, roster_of, rosters
from ktsim.app.play.tray import dice_tray
from ktsim.app.screens.screen import Held, Host
from ktsim.app.stage.labels import TableLabels
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.game.mission_sheet import OpSheet, mission_sheet
from ktsim.rules.engine.state import SIDES, Side


class GameScreen(GameInput):
    """One match, from its first answer to its last."""

    name = "game"

    def __init__(self, desktop: Host, match: Match) -> None:
        free = lay_out(desktop.size, desktop.pen.size).free()
        super().__init__(desktop, match, free)
        self._question, self._log = QuestionPanel(), LogPanel()
        self._labels = TableLabels()
        self._rosters: tuple[int, list[Team]] | None = None
        self._sheet: tuple[int, tuple[tuple[OpSheet, ...], ScoreSheet]] | None = None
        self._was_showing = False
        self._held: tuple[BarData, int] | None = None
        """The bar, and how many lines of the log there were, before dice were rolled that do not lie yet."""
        match.before_roll = self._hold

    def key(self, key: str, held: Held) -> None:
        if key in ("f6", "f7"):
            from ktsim.app.play.play_on import FRESH, SAME, again

            again(self.desktop, self.match, FRESH if key == "f6" else SAME)
        else:
            super().key(key, held)

    # ---- places ---------------------------------------------------------------------------------------------
    @property
    def layout(self) -> PlayLayout:
        return lay_out(self.desktop.size, self.desktop.pen.size)

    # ---- coming and going -----------------------------------------------------------------------------------
    def leave(self) -> None:
        self.picture.let_go()
        self._pressed = None

    def close(self) -> None:
        self.match.close()
        self.table.close()

    def back(self) -> bool:
        """One step back: out of what is shown, out of what was begun, or to the player's last answer if nothing has
        been revealed since. With nothing of that the menu asks whether to leave."""
        draft = self.match.draft
        if self.moving_by_hand is not None:
            self.moving_by_hand = None
        elif self.match.is_read:
            self.match.skip()
        elif self.match.privacy.is_peeking:
            self.match.peek(False)
        elif self.aimed_at:
            self.aimed_at = ""
        elif self.table.shown_line is not None:
            self.table.shown_line = None
        elif self.picture.eye is not None:
            self.picture.look_through(None)
        elif draft is not None and draft.is_begun:
            while draft.back():
                pass
        elif self.match.is_over or self.is_preparing:
            return False
        elif self.match.may_step_back:
            self._give(self.match.undo)
        else:
            self._bar("menu")
        self._changed()
        return True

    # ---- the picture ----------------------------------------------------------------------------------------
    @property
    def texture(self) -> Texture | None:
        is_hidden = self.match.privacy.is_covered or (self.match.privacy.is_private and not self._shows_board)
        return None if is_hidden else self.picture.texture

    @property
    def _shows_board(self) -> bool:
        """Whether the board is to be seen while a player chooses in secret: before anything stands there."""
        draft = self.match.draft
        return draft is not None and draft.prompt.topic in ("operatives", "equipment")

    @property
    def wants_frames(self) -> bool:
        return self.match.is_showing or self.picture.is_moving

    def resized(self) -> None:
        self.table.resize(self.layout.free())

    def attend(self) -> None:
        if self.is_preparing:
            return
        if self.match.advance() or self.table.jobs.has_news() or self.table.is_due():
            self.desktop.refresh()
        if self._was_showing and not self.match.is_showing:
            self._was_showing = False
            self.desktop.refresh()  # what comes after it is to be seen

    def update(self, now: float) -> None:
        if self.is_preparing:
            return
        match = self.match
        match.shown.is_animated = self.desktop.settings.motion
        match.recaps.is_on = self.desktop.settings.recaps and own_eyes(match.agreement) is not None
        if match.advance():
            self.table.shown_line = None
            self.desktop.refresh()
        if match.notice:
            self.desktop.say(game_view.in_names(match, match.notice))
            match.notice = ""
        if match.fault is not None:
            self.desktop.show_fault(match.fault)
            match.fault = None
        self._was_showing = match.is_showing
        self._charge_on()
        if self.table.update(now):
            self.desktop.refresh_once()

    def _hold(self) -> None:
        """Dice are about to roll: what comes of them is not shown before they lie."""
        self._teams()
        self._ops()
        self._held = game_view.bar_data(self.match), len(self.match.log.lines)
        self.table.hold()

    @property
    def _is_held(self) -> bool:
        return self.match.shown.is_rolling and self._held is not None

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        match, layout = self.match, self.layout
        size = self.desktop.size
        seat = match.seat or "red"
        if match.is_showing and any(imgui.is_mouse_clicked(button) for button in range(3)):
            match.skip()  # on a panel: the table's clicks do not come here
            self._changed()
        if self.is_preparing:
            menu.preparing(ui, size, self.desktop.preparing())
            return
        if match.privacy.is_covered:
            if menu.hand_over(ui, size, seat, match.team(seat)):
                match.accept()
            return
        if match.privacy.is_private:
            self._draw_secret(ui)
            return
        tray = match.tray() if not match.is_over else None
        free = layout.middle if tray is None else layout.over_tray
        self._labels.over(ui.pen, self.picture, free, self.desktop.at)
        self._draw_card(ui, free)
        data = self._held[0] if self._held is not None and self._is_held else game_view.bar_data(match)
        asked = bar(ui, layout.bar, data)
        if asked is not None:
            self._bar(asked)
        if cards_chip(ui, layout.middle, self.cards() if not match.is_over else ()):
            self.desktop.later(self.show_cards)
        self._draw_left(ui, layout.left)
        self._draw_right(ui, layout.right)
        if tray is not None:
            dice_tray(ui, layout.tray, tray, match.shown.part)
        self._draw_intents(ui, free)

    def _draw_card(self, ui: Widgets, free: Rect) -> None:
        """Whoever is pointed at, or what a move would mean."""
        if (danger := self.table.danger()) is not None:
            free = danger_legend(ui, free, danger.known, danger.of)
        subject = self.table.subject()
        if subject is None or self.aimed_at:
            return
        battle, (id, _, stands) = self.match.game.battle, subject
        member = member_of(battle, battle.state.operatives[id])
        draw_card(ui, free, card_of(member, self.table.threats(), battle.name, is_whole=stands), self.desktop.at)

    def _draw_intents(self, ui: Widgets, free: Rect) -> None:
        """What can be done to the enemy that was clicked."""
        draft, names = self.match.draft, self.match.game.battle.name
        one = next((one for one in self.table.scene().operatives if one.id == self.aimed_at), None)
        if one is None or draft is None or not self._may_attack(draft, one.id):
            self.aimed_at = ""
            return
        place = self.picture.places([(one.x, one.y, one.level + 1.0)])[0] or self.desktop.at
        chosen = attack_menu(ui, free, place, names(one.id), one.team, self.table.intents(one.id))
        if chosen is not None:
            self.attack(chosen)

    def _draw_secret(self, ui: Widgets) -> None:
        """A secret choice: nothing of the table or of the other seat is to be seen."""
        draft = self.match.draft
        w, h = self.desktop.size
        k = ui.pen.size
        wide, tall = min(620 * k, w - 48), min(560 * k, h - 48)
        place = Rect((w - wide) / 2, (h - tall) / 2, wide, tall)
        if self._shows_board:
            place = Rect(self.layout.right.x, self.layout.bar.y, self.layout.right.w, h - 2 * self.layout.bar.y)
        else:
            ui.pen.box(Rect(0, 0, *self.desktop.size), theme.INK, None, 1.0, 0)
        if draft is not None:
            rows = game_view.choice_rows(self.match, draft, [], [], None)
            question = game_view.question_of(self.match, draft, rows)
            asked = self._question.draw(ui, place, question)
            if asked is not None:
                self._asked(asked)

    def _draw_left(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        with ui.panel("left", rect):
            head = Rect(rect.x + 10 * k, rect.y + 10 * k, rect.w - 20 * k, 34 * k)
            self.tab = tabs(ui, head, TABS, self.tab)
            body = Rect(head.x, head.bottom + 8 * k, rect.w - 14 * k, rect.bottom - head.bottom - 16 * k)
            if self.tab == "roster":
                draft = self.match.draft
                who = rosters(ui, body, self._teams(), draft.marked if draft is not None else ())
                if who is not None:
                    self._pick_member(who)
            elif self.tab == "log":
                lines = self.match.log.lines
                if self._held is not None and self._is_held:
                    lines = lines[: self._held[1]]
                line = self._log.draw(ui, body, lines, self.table.shown_line)
                if line is not None:
                    self.table.shown_line = None if line == self.table.shown_line else line
                    self._changed()
            else:
                mission_panel(ui, body, *self._ops(), self._names())

    def _names(self) -> dict[str, str]:
        return {side: self.match.team(side) for side in SIDES}

    def _ops(self) -> tuple[tuple[OpSheet, ...], ScoreSheet]:
        """What is to be scored and what was, worked out anew when the game has gone on and no dice roll."""
        if self._sheet is None or (self._sheet[0] != self.match.version and not self._is_held):
            ops = mission_sheet(self.match.game, own_eyes(self.match.agreement))
            self._sheet = (self.match.version, (ops, score_of(self.match.game)))
        return self._sheet[1]

    def _teams(self) -> list[Team]:
        """Both rosters, read off the game anew when it has gone on and no dice roll."""
        if self._rosters is None or (self._rosters[0] != self.match.version and not self._is_held):
            battle = self.match.game.battle
            sides: tuple[Side, Side] = ("blue", "red")
            teams: list[Team] = [(side, self.match.team(side), roster_of(battle, side)) for side in sides]
            self._rosters = (self.match.version, teams)
        return self._rosters[1]

    def _pick_member(self, id: str) -> None:
        """Somebody was pressed in a roster: the same as on the table."""
        draft = self.match.draft
        choice = next((c for c in draft.choices if c.operative == id), None) if draft is not None else None
        if draft is not None and choice is not None and not choice.refusal:
            self._choose(draft, choice.key)
        elif choice is not None:
            self.desktop.say(f"{choice.title}: {choice.refusal}")
        else:
            self.picture.frame_on([one for one in self.table.scene().operatives if one.id == id], reach=5.0)

    def _draw_right(self, ui: Widgets, rect: Rect) -> None:
        match, draft = self.match, self.match.draft
        if match.is_over:
            asked = ending(ui, rect, match.banner()[1], score_of(match.game), self._names())
            if asked in ("replay", "review") and match.path is not None:
                self.desktop.later(lambda: self._watch(match.path, is_reviewed=asked == "review"))
            elif asked == "leave":
                self.desktop.later(lambda: self.desktop.pop(self))
        elif match.recaps.pending is not None and not match.is_showing:
            recap = match.recaps.pending
            if recap_panel(ui, rect, recap, match.team("red" if recap.side == "red" else "blue")):
                match.skip()
                self._changed()
        elif draft is not None and not match.is_showing:
            shots, fights = self.table.offered()
            rows = game_view.choice_rows(match, draft, shots, fights, self.table.odds())
            question = self._question.draw(ui, rect, game_view.question_of(match, draft, rows))
            if question is not None:
                self._asked(question)
        else:
            words = "Thinking ..." if match.is_thinking else "Their answer" if match.is_showing else ""
            words = "Rolling ..." if match.shown.is_rolling else "Moving ..." if match.shown.walks else words
            with ui.panel("question", rect):
                k = ui.pen.size
                ui.text(rect.x + 16 * k, rect.y + 30 * k, words, "h2")
                if match.is_showing:
                    ui.text(rect.x + 16 * k, rect.y + 56 * k, "Any key goes on at once", "caption", theme.DIM)
                if match.reason:
                    ui.pen.icon("bulb", rect.x + 24 * k, rect.y + 90 * k, 16 * k, theme.ACCENT)
                    ui.paragraph(rect.x + 40 * k, rect.y + 82 * k, rect.w - 56 * k, match.reason, "body", theme.SOFT)

    def _watch(self, path: Path | None, is_reviewed: bool = False) -> None:
        from ktsim.app.play.replay_screen import ReplayScreen

        if path is not None:
            self.desktop.pop(self)
            screen = ReplayScreen(self.desktop, path)
            self.desktop.push(screen)
            if is_reviewed:
                screen.review()

    def notice_place(self) -> Rect:
        """Never over dice."""
        layout = self.layout
        return layout.over_tray if self.match.tray() is not None and not self.match.is_over else layout.notice

    def summary(self) -> dict[str, str]:
        match, draft = self.match, self.match.draft
        return {
            **match.facts(),
            "turning-point": str(match.game.state.turning_point),
            "phase": match.game.state.phase,
            "seat": match.seat or "nobody",
            "asks": self._asks(),
            "kind": draft.prompt.kind if draft is not None else "none",
            "may-confirm": "yes" if draft is not None and not draft.problem() else "no",
            "planning": "yes" if draft is not None and draft.points and draft.answer() is None else "no",
            "preparing": "yes" if self.is_preparing else "no",
            "showing": "yes" if match.is_showing else "no",
            "recap": match.recaps.pending.title if match.recaps.pending is not None else "none",
            "thinking": "yes" if match.is_thinking else "no",
            "hint": match.hint or "none",
            "hash": match.game.digest(),
        }

    def _asks(self) -> str:
        """What is waited for, in a word."""
        draft = self.match.draft
        if self.match.privacy.is_covered or self.match.recaps.pending is not None:
            return "handover" if self.match.privacy.is_covered else "recap"
        return draft.prompt.topic if draft is not None else "nobody"


def show_game(desktop: Host, match: Match) -> GameScreen:
    """Put a game on the screen, straight over the start screen."""
    screen = GameScreen(desktop, match)
    desktop.home()
    desktop.push(screen)
    return screen
