"""The *by hand* panel: what is done, to whom, how much, for how long and why; the log says all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ktsim.app.play.roster import Member, roster_of
from ktsim.app.play.tray import Rolled
from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.content.printable import printable
from ktsim.errors import UserError
from ktsim.game.game import Game
from ktsim.rules.engine.by_hand import LASTS, MOST_REASON, Deed, DeedKind
from ktsim.rules.engine.state import SIDES, Side
from ktsim.sight.part_names import titled_words

WHAT: tuple[tuple[str, str, str], ...] = (
    ("wounds", "Wounds", "Wounds are regained or lost; somebody removed comes back."),
    ("apl", "APL", "APL is changed, at most by 1 from the printed one."),
    ("hit", "Hit", "Hit is changed: minus 1 is better."),
    ("save", "Save", "Save is changed: minus 1 is better."),
    ("speed", "Move", "Move is changed, in inches."),
    ("rule", "Weapon rule", "Its weapons have a rule more."),
    ("attack", "Attack re-roll", "It may re-roll one attack die; asked when they are rolled."),
    ("defence", "Defence re-roll", "It may re-roll one defence die; asked when they are rolled."),
    ("die", "Roll a die again", "One of the dice that were just rolled is rolled again."),
    ("move", "A free move", "It is put somewhere else: type the place, or click on the table."),
    ("token", "Token", "It gets or loses tokens."),
    ("order", "Order", "Its order is changed."),
    ("cp", "CP", "A team gets or loses CP."),
    ("note", "A remark", "Something is written into the log."),
)
AMOUNTS = ("wounds", "apl", "hit", "save", "speed", "token", "cp")
LASTING = ("apl", "hit", "save", "speed", "rule", "attack", "defence")
STATS = {"apl": "apl", "hit": "hit", "save": "save", "speed": "move"}
RULES = ("Accurate 1", "Balanced", "Brutal", "Ceaseless", "Lethal 5+", "Piercing 1", "Punishing", "Relentless",
         "Rending", "Saturate", "Severe", "Silent", "Stun")  # fmt: skip


class HandScreen(Screen):
    """Makes a deed and gives it to *do*. *point_out* has the place of a free move clicked on the table instead;
    *again* rolls one die of a roll again."""

    name = "by-hand"
    is_dialog = True

    def __init__(
        self,
        desktop: Host,
        game: Game,
        by: Side,
        do: Callable[[Deed], bool],
        point_out: Callable[[Deed], object],
        rolls: Sequence[Rolled],
        again: Callable[[Rolled, int, Side, str], bool],
        reason: str = "",
        who: str = "",
    ) -> None:
        super().__init__(desktop)
        self.game, self.by, self.do, self.point_out = game, by, do, point_out
        self.rolls, self.again = rolls, again
        self.reason, self.who = reason, who or self._acting()
        self.what, self.amount, self.lasts = "wounds", -1, "action"
        self.rule, self.token, self.place = "Piercing 1", "Token", ""
        self.problem_said = ""

    def _acting(self) -> str:
        state = self.game.state
        if state.activation is not None:
            return state.activation.operative
        return next(iter(state.operatives), "")

    # ---- the deed -------------------------------------------------------------------------------------------
    def deed(self) -> Deed:
        """What is done as it stands; raises :class:`UserError` where something is missing."""
        reason = printable(self.reason.strip(), MOST_REASON)
        if not reason:
            raise UserError("Say why: the log keeps it.")
        kind, what, args = self._parts()
        return Deed(self.by, reason, kind, what, args)

    def _parts(self) -> tuple[DeedKind, str, tuple[Any, ...]]:
        who, what = self.who, self.what
        if what in STATS:
            return "stat", who, (self.amount, STATS[what], self.lasts)
        if what in ("attack", "defence"):
            return "re-roll", who, (what, self.lasts)
        match what:
            case "rule":
                return "rule", who, (self.rule.strip(), self.lasts)
            case "token":
                return "token", who, (self.amount, printable(self.token.strip(), 40))
            case "order":
                order = self.game.state.operatives[who].order
                return "order", who, ("conceal" if order == "engage" else "engage",)
            case "cp":
                return "cp", self.game.state.operatives[who].side, (self.amount,)
            case "note":
                return "note", "", ("Noted",)
            case "move":
                return "move", who, self._place()
        return "wounds", who, (self.amount,)

    def _place(self) -> tuple[int, int, int]:
        level = self.game.state.operatives[self.who].level
        if not self.place.strip():
            return self.game.state.operatives[self.who].point
        try:
            values = [float(word) for word in self.place.replace(",", " ").split()]
            if len(values) not in (2, 3) or not all(abs(value) < 1000 for value in values):
                raise ValueError
        except ValueError:
            raise UserError(f"{self.place!r} is not a place such as 12.5, 8 (in inches).") from None
        return round(values[0] * 1000), round(values[1] * 1000), round(values[2] * 1000) if values[2:] else level

    def refusal(self) -> str:
        """Why it cannot be done now; empty when it can."""
        if self.what == "die":
            return "" if self.rolls else "No dice have been rolled since the last answer."
        try:
            return self.game.refuses(self.deed().answer) or ""
        except UserError as error:
            return str(error)

    def act(self) -> None:
        if self.what == "move" and not self.place.strip():
            self.desktop.pop(self)
            self.point_out(self.deed())
        elif self.do(self.deed()):
            self.desktop.pop(self)

    def roll_again(self, rolled: Rolled, die: int) -> None:
        reason = printable(self.reason.strip(), MOST_REASON)
        if not reason:
            raise UserError("Say why: the log keeps it.")
        if self.again(rolled, die, self.by, reason):
            self.desktop.pop(self)

    def problem(self, texts: tuple[str, ...]) -> bool:
        self.problem_said = " ".join(texts)
        return True

    def key(self, key: str, held: Held) -> None:
        if key == "enter" and not self.refusal():
            self.desktop.later(self.act)
        elif key in ("arrow_up", "arrow_down"):
            self._step(1 if key == "arrow_up" else -1)

    def _step(self, by: int) -> None:
        self.amount = (self.amount + by) or by

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 960 * k, 620 * k)
        with ui.panel("by-hand", rect, alpha=1.0):
            x, width = rect.x + 24 * k, rect.w - 48 * k
            close = Rect(rect.right - 24 * k - 100 * k, rect.y + 16 * k, 100 * k, 36 * k)
            ui.text(x, rect.y + 28 * k, "By hand", "h2")
            words = "What a card says and the program does not do. It is logged, can be undone, and is in the replay."
            ui.text(x, rect.y + 52 * k, ui.pen.fitted(words, "caption", width - 120 * k), "caption", theme.SOFT)
            if ui.button(close, "Close##close", key="Esc"):
                self.desktop.later(lambda: self.desktop.pop(self))
            top, foot, gap = rect.y + 72 * k, rect.bottom - 120 * k, 16 * k
            each = (width - 2 * gap) / 3
            columns = [Rect(x + i * (each + gap), top, each, foot - top) for i in range(3)]
            self._draw_who(ui, columns[0])
            self._draw_what(ui, columns[1])
            self._draw_how(ui, columns[2])
            self._draw_foot(ui, Rect(x, foot + 8 * k, width, rect.bottom - foot - 24 * k))

    def _draw_who(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        ui.text(rect.x, rect.y + 8 * k, "WHO", "caption", theme.DIM)
        members: list[Member] = [each for side in SIDES[::-1] for each in roster_of(self.game.battle, side)]
        tall = 32 * k
        body = Rect(rect.x, rect.y + 20 * k, rect.w, rect.h - 20 * k)
        with ui.scrolled("hand-who", body, tall * len(members)) as top:
            for i, each in enumerate(members):
                cell = Rect(rect.x, top + i * tall, rect.w - SCROLLBAR - 4, tall - 4 * k)
                label = f"{each.name}  {each.wounds}/{each.most}##who-{each.id}"
                is_here = each.id == self.who
                if ui.button(cell, label, seat=each.side, chosen=is_here, align=0, tip=each.details):
                    self.who = each.id

    def _draw_what(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        ui.text(rect.x, rect.y + 8 * k, "WHAT", "caption", theme.DIM)
        tall, half = 32 * k, (rect.w - SCROLLBAR - 10 * k) / 2
        body = Rect(rect.x, rect.y + 20 * k, rect.w, rect.h - 20 * k)
        with ui.scrolled("hand-what", body, tall * -(-len(WHAT) // 2)) as top:
            for i, (name, title, _) in enumerate(WHAT):
                cell = Rect(rect.x + (i % 2) * (half + 6 * k), top + (i // 2) * tall, half, tall - 4 * k)
                if ui.button(cell, f"{title}##what-{name}", chosen=name == self.what, align=0):
                    self.what, self.problem_said = name, ""

    def _draw_how(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        title, words = next((title, words) for name, title, words in WHAT if name == self.what)
        ui.text(rect.x, rect.y + 8 * k, title.upper(), "caption", theme.DIM)
        y = rect.y + 20 * k
        y += ui.paragraph(rect.x, y, rect.w, words, "body", theme.SOFT) + 12 * k
        row = Rect(rect.x, y, rect.w, 38 * k)
        if self.what in AMOUNTS:
            self._draw_amount(ui, row)
            row = Rect(row.x, row.bottom + 10 * k, row.w, row.h)
        if self.what == "rule":
            row = self._draw_rules(ui, row)
        elif self.what == "token":
            typed = ui.entry(row, "token", self.token, "What the token is called")
            self.token = typed if typed is not None else self.token
        elif self.what == "move":
            typed = ui.entry(row, "place", self.place or "click on the table", "x, y in inches, or leave it to click")
            self.place = typed if typed is not None else self.place
        elif self.what == "order":
            order = self.game.state.operatives[self.who].order if self.who else ""
            words = f"{order.title()} becomes {'Conceal' if order == 'engage' else 'Engage'}."
            ui.text(row.x, row.y + 19 * k, words, "body")
        elif self.what == "die":
            self._draw_dice(ui, row)
        if self.what in LASTING:
            ui.text(row.x, row.y + 8 * k, "FOR", "caption", theme.DIM)
            for i, (name, (_, words)) in enumerate(LASTS.items()):
                cell = Rect(row.x, row.y + 20 * k + i * 34 * k, row.w, 30 * k)
                label = f"{titled_words(words)}##lasts-{name}"
                if ui.button(cell, label, chosen=name == self.lasts, align=0):
                    self.lasts = name

    def _draw_amount(self, ui: Widgets, row: Rect) -> None:
        ui.pen.box(row, theme.INK)
        ui.text(row.x + row.w / 2, row.y + row.h / 2, f"{self.amount:+d}", "h2", align=0.5)
        ui.place("amount", row)
        for name, text, x, by in (("less", "-", row.x, -1), ("more", "+", row.right - row.h, 1)):
            if ui.button(Rect(x, row.y, row.h, row.h), f"{text}##{name}", kind="h3", tip=f"{by:+d} (arrow keys)"):
                self._step(by)

    def _draw_rules(self, ui: Widgets, row: Rect) -> Rect:
        k = ui.pen.size
        typed = ui.entry(row, "rule", self.rule, "A weapon rule as it is printed, such as Piercing 1")
        self.rule = typed if typed is not None else self.rule
        tall, third = 28 * k, (row.w - 8 * k) / 3
        for i, rule in enumerate(RULES):
            at = Rect(row.x + (i % 3) * (third + 4 * k), row.bottom + 6 * k + (i // 3) * tall, third, tall - 4 * k)
            if ui.button(at, f"{rule}##rule-{rule}", chosen=rule == self.rule, kind="caption"):
                self.rule = rule
        return Rect(row.x, row.bottom + 6 * k + -(-len(RULES) // 3) * tall + 8 * k, row.w, row.h)

    def _draw_dice(self, ui: Widgets, row: Rect) -> None:
        k = ui.pen.size
        y = row.y
        for rolled in self.rolls[-2:]:
            ui.text(row.x, y + 8 * k, ui.pen.fitted(rolled.prompt, "caption", row.w), "caption", theme.DIM)
            y += 20 * k
            size = min(38 * k, row.w / max(1, len(rolled.faces)) - 4 * k)
            for i, face in enumerate(rolled.faces):
                cell = Rect(row.x + i * (size + 4 * k), y, size, size)
                if ui.button(cell, f"{face}##die-{rolled.number}-{i}", kind="h3", tip="Roll this die again"):
                    self.desktop.later(lambda rolled=rolled, i=i: self.roll_again(rolled, i))  # type: ignore[misc]
            y += size + 10 * k

    def _draw_foot(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        names: list[tuple[str, str]] = [
            (side, f"{side.title()}: {self.game.battle.teams[side].name}") for side in SIDES[::-1]
        ]
        ui.text(rect.x, rect.y + 8 * k, "DONE BY, AND WHY", "caption", theme.DIM)
        who = Rect(rect.x, rect.y + 20 * k, rect.w * 0.34, 38 * k)
        chosen = ui.choice(who, names, self.by, "by")
        if chosen is not None:
            self.by = "red" if chosen == "red" else "blue"
        why = Rect(who.right + 10 * k, who.y, rect.w - who.w - 10 * k - 200 * k, 38 * k)
        self.reason, entered = ui.field(why, "reason", self.reason)
        refusal = self.refusal()
        go = Rect(rect.right - 190 * k, who.y, 190 * k, 38 * k)
        if self.what != "die":
            word = "Click where" if self.what == "move" and not self.place.strip() else "Do it"
            pressed = ui.button(go, f"{word}##do", primary=True, icon="pen", key="Enter", locked=refusal)
            if pressed or (entered and not refusal):
                self.desktop.later(self.act)
        said = self.problem_said or refusal
        if said:
            ui.pen.icon("warning", rect.x + 8 * k, rect.bottom - 14 * k, 13 * k, theme.NO)
            ui.text(rect.x + 22 * k, rect.bottom - 14 * k, ui.pen.fitted(said, "caption", rect.w - 24 * k), "caption")
