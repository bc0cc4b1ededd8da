"""The pending question: choices to press, a place or a route to give, dice to type in."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ktsim.app.play.choices import ChoiceList, ChoiceRows
from ktsim.app.play.glossary import glossed
from ktsim.app.play.prompt import Prompt, place_words
from ktsim.app.play.routes import Route
from ktsim.app.play.tray import DieView, die
from ktsim.app.stage.ways import LEG_ICONS
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets

Asked: TypeAlias = (
    tuple[Literal["choice"], str]
    | tuple[Literal["face"], int]
    | tuple[
        Literal[
            "confirm",
            "cancel-move",
            "step-back",
            "suggest",
            "another",
            "typed",
            "peek",
            "help",
            "undo-help",
            "go-back",
            "prepare",
        ],
        str,
    ]
)
NUMBERS = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine"}
WALK_KEYS = (
    ("Arrows", 'move it by 0.1", with Shift by 0.01"'),
    ("G", "where a bot would go"),
    ("D", "how dangerous it is where"),
)


@dataclass(frozen=True)
class Question:
    """The prompt with the answer as far as it has got. *problem* is why it cannot be given yet."""

    prompt: Prompt
    team: str
    rows: ChoiceRows
    problem: str = ""
    places: tuple[str, ...] = ()
    route: Route | None = None
    dice: tuple[int, ...] = ()
    suggestion: str = ""
    hint: str = ""
    can_cancel: bool = False
    may_peek: bool = False
    is_peeking: bool = False
    may_help: bool = False
    """Whether the rest can be set up for the player."""
    helped: int = 0
    """How many answers were given for a player and can be taken back together."""
    is_offered: bool = False
    """Whether the place is a suggestion."""
    can_turn: bool = False
    may_prepare: bool = False
    """Whether everything up to the first activation can be answered for the player."""
    may_go_back: bool = False
    """Whether the player's last answer can be taken back without asking anybody."""


class QuestionPanel:
    """The panel at the right of a game."""

    def __init__(self) -> None:
        self._list = ChoiceList()
        self._typed = ""
        self._number = -1

    def draw(self, ui: Widgets, rect: Rect, question: Question) -> Asked | None:
        """Shows the question; what was pressed."""
        k = ui.pen.size
        prompt = question.prompt
        if prompt.number != self._number:
            self._number, self._typed = prompt.number, ""
        with ui.panel("question", rect):
            x, width = rect.x + 14 * k, rect.w - 28 * k
            y = rect.y + 14 * k
            side = prompt.seat if prompt.seat in ("red", "blue") else prompt.roller
            if side:
                ui.pen.seat(side, x + 7 * k, y + 7 * k, 13 * k)
                ui.text(
                    x + 20 * k, y + 7 * k, ui.pen.fitted(question.team, "label", width - 20 * k), "label", theme.SOFT
                )
                y += 22 * k
            meaning = glossed(prompt.title, prompt.text, *(f"{row.title} {row.note}" for row in prompt.choices))
            if meaning:
                ui.pen.icon("help", x + width - 9 * k, y + 12 * k, 16 * k, theme.DIM)
                ui.tip(Rect(x, y, width, 26 * k), meaning, at_left=True)
            room = width - (26 * k if meaning else 0)
            ui.text(x, y + 12 * k, ui.pen.fitted(prompt.title, "h2", room), "h2")
            y += 30 * k
            y += ui.paragraph(x, y, width, prompt.text, "body", theme.SOFT) + 10 * k
            if prompt.warning:
                y += ui.paragraph(x, y, width, prompt.warning, "body", theme.NO) + 10 * k
            if question.hint:
                said = question.hint[:1].upper() + question.hint[1:]
                y += self._hint(ui, Rect(x, y, width, 0), said) + 8 * k
            asked: Asked | None = None
            if question.helped:
                label = f"Take all {question.helped} answers back##undo-help"
                tip = "Everything since the rest was set up for a player (Shift+Backspace)"
                if ui.button(Rect(x, y, width, 34 * k), label, icon="undo", tip=tip):
                    asked = ("undo-help", "")
                y += 42 * k
            if question.may_prepare:
                tip = "With your choices of last time, or what suits. All of it can be taken back at once."
                if ui.button(Rect(x, y, width, 34 * k), "Straight to the first activation##prepare", tip=tip, key="A"):
                    asked = ("prepare", "")
                y += 42 * k
            body = Rect(x, y, rect.w - 14 * k - 6, rect.bottom - 14 * k - y)
            match prompt.kind:
                case "pick" | "some":
                    return self._choices(ui, body, question) or asked
                case "roll":
                    return self._roll(ui, body, question) or asked
                case "place" | "walk":
                    return self._place(ui, body, question) or asked
                case _:
                    return self._other(ui, body, question) or asked

    def _hint(self, ui: Widgets, rect: Rect, text: str) -> float:
        k = ui.pen.size
        tall = ui.pen.measure(text, "caption", rect.w - 40 * k)[1] + 16 * k
        ui.pen.box(Rect(rect.x, rect.y, rect.w, tall), theme.INK, theme.ACCENT)
        ui.pen.icon("bulb", rect.x + 16 * k, rect.y + tall / 2, 16 * k, theme.ACCENT)
        ui.paragraph(rect.x + 32 * k, rect.y + 8 * k, rect.w - 40 * k, text, "caption")
        return tall

    def _foot(self, ui: Widgets, body: Rect, question: Question, label: str = "") -> Asked | None:
        """The one filled button; while the answer is not complete it is locked and says what is missing, or in its
        tooltip what is wrong."""
        k = ui.pen.size
        width = body.w - SCROLLBAR
        cell = Rect(body.x, body.bottom - 46 * k, width, 46 * k)
        words, kind, key = label or question.prompt.confirm, "h3", "Enter"
        icon = "dice" if question.prompt.topic == "target" else "check"
        if question.problem and not question.places:
            words, kind, key, icon = question.problem.rstrip("."), "label", "", ""
        locked = question.problem
        pressed = ui.button(cell, f"{words}##confirm", primary=True, icon=icon, locked=locked, key=key, kind=kind)
        return ("confirm", "") if pressed else None

    def _choices(self, ui: Widgets, body: Rect, question: Question) -> Asked | None:
        k = ui.pen.size
        prompt = question.prompt
        asked: Asked | None = None
        foot = 54 * k if prompt.needs_confirming else 0
        if prompt.kind == "some":
            words = (
                f"Choose {prompt.least}" if prompt.least == prompt.most else f"Choose {prompt.least} to {prompt.most}"
            )
            chosen = len(question.rows.marked)
            ui.text(body.x, body.y + 8 * k, f"{words}; {chosen} chosen", "caption", theme.ACCENT)
            body = Rect(body.x, body.y + 20 * k, body.w, body.h - 20 * k)
        if question.may_peek or question.is_peeking:
            label = "Back to the table##peek" if question.is_peeking else "Show my secret options##peek"
            tip = "" if question.is_peeking else "The other player looks away: the table is covered first"
            cell = Rect(body.x, body.bottom - foot - 36 * k, body.w - SCROLLBAR, 36 * k)
            if ui.button(cell, label, icon="eye", tip=tip):
                asked = ("peek", "")
            foot += 44 * k
        if question.may_help:
            if self._help(ui, question, Rect(body.x, body.bottom - foot - 36 * k, body.w - SCROLLBAR, 36 * k)):
                asked = ("help", "")
            foot += 44 * k
        if question.may_go_back:
            cell = Rect(body.x, body.bottom - foot - 32 * k, body.w - SCROLLBAR, 32 * k)
            if ui.button(cell, "Back##go-back", icon="back", tip="Take your last answer back (Backspace)"):
                asked = ("go-back", "")
            foot += 40 * k
        area = Rect(body.x, body.y, body.w, body.h - foot)
        key = self._list.draw(ui, area, question.rows, prompt.number)
        if key is not None:
            asked = ("choice", key)
        if prompt.needs_confirming:
            marked = question.rows.marked
            label = prompt.confirm
            if prompt.kind == "some" and marked and marked == prompt.default:
                label = f"Take the suggested {NUMBERS.get(len(marked), len(marked))}"
            elif prompt.kind == "pick" and marked and prompt.confirm == "Confirm":
                choice = prompt.choice(marked[0])
                label = f"Choose {choice.title}" if choice is not None else label
            asked = self._foot(ui, body, question, label) or asked
        return asked

    def _roll(self, ui: Widgets, body: Rect, question: Question) -> Asked | None:
        k = ui.pen.size
        asked: Asked | None = None
        x, y, width = body.x, body.y, body.w - SCROLLBAR
        size = min(40 * k, width / 6 - 6 * k)
        for i in range(question.prompt.dice):
            at = x + (i % 6) * (size + 6 * k), y + (i // 6) * (size + 6 * k)
            if i < len(question.dice):
                die(ui, *at, size, DieView(question.dice[i]))
            else:
                ui.pen.box(Rect(*at, size, size), theme.INK, theme.LINE)
        y += (size + 6 * k) * (1 + (question.prompt.dice - 1) // 6) + 12 * k
        ui.text(x, y + 6 * k, "What did the dice on the table show?", "caption", theme.DIM)
        y += 22 * k
        is_full = len(question.dice) >= question.prompt.dice
        for face in range(1, 7):
            cell = Rect(x + (face - 1) * (size + 6 * k), y, size, size)
            locked = "All dice are typed in" if is_full else ""
            if ui.button(cell, f"{face}##face-{face}", kind="h3", locked=locked, tip=f"A die showing {face} ({face})"):
                asked = ("face", face)
        y += size + 10 * k
        back = Rect(x, y, 150 * k, 34 * k)
        if question.dice and ui.button(back, "Take one back##step-back", icon="undo"):
            asked = ("step-back", "")
        return self._foot(ui, body, question) or asked

    def _place(self, ui: Widgets, body: Rect, question: Question) -> Asked | None:
        k = ui.pen.size
        asked: Asked | None = None
        prompt = question.prompt
        x, y, width = body.x, body.y, body.w - SCROLLBAR
        is_walk = prompt.kind == "walk"
        foot = 46 * k + 8 * k + 38 * k + 8 * k + 58 * k + (44 * k if question.may_help else 0)
        if is_walk:
            y = self._inches(ui, x, y, width, question)
        if question.problem and question.places:
            y = self._refusal(ui, x, y, width, question)
        if is_walk and question.route is not None:
            self._legs(ui, Rect(x, y, body.w, body.bottom - foot - y), question.route)
        elif is_walk and not question.places:
            words = "Click the table where the move ends; Shift-click sets waypoints on the way."
            y += ui.paragraph(x, y, width, words, "body") + 6 * k
            self._keys(ui, x, y, width, WALK_KEYS)
        elif not is_walk:
            if question.places and not question.problem:
                words = f"Suggested: {question.places[-1]}" if question.is_offered else f"At {question.places[-1]}"
                ui.text(x, y + 8 * k, words, "strong")
                y += 24 * k
            self._keys(ui, x, y, width, self._placing_keys(question))
        y = body.bottom - foot
        if question.may_help:
            if self._help(ui, question, Rect(x, y, width, 36 * k)):
                asked = ("help", "")
            y += 44 * k
        ui.text(x, y + 8 * k, "Or type it, in inches: x, y and height if any", "caption", theme.DIM)
        self._typed, entered = ui.field(Rect(x, y + 20 * k, width - 74 * k, 34 * k), "place", self._typed)
        go = Rect(x + width - 66 * k, y + 20 * k, 66 * k, 34 * k)
        locked = "" if self._typed.strip() else "Type a place first, such as 12.5, 8"
        if ui.button(go, "Put##put", locked=locked) or (entered and self._typed.strip()):
            asked = ("typed", self._typed)
        y += 62 * k
        cells: list[tuple[Literal["cancel-move", "step-back", "suggest"], str, str, str]] = [
            ("suggest", "Suggest", "Where a bot would go, and why (G)" if is_walk else "Another legal place (G)", ""),
            (
                "step-back",
                "Take back",
                "Take the last place back (Backspace)",
                "" if question.places and not question.is_offered else "Nothing yet",
            ),
        ]
        if is_walk:
            no = "" if question.can_cancel else "This move cannot be called off"
            cells.append(("cancel-move", "Call off", "Cancel the action: nothing has happened", no))
        each = (width - 6 * k * (len(cells) - 1)) / len(cells)
        for i, (name, label, tip, locked) in enumerate(cells):
            if ui.button(Rect(x + i * (each + 6 * k), y, each, 38 * k), f"{label}##{name}", tip=tip, locked=locked):
                asked = (name, "")
        return self._foot(ui, body, question) or asked

    def _help(self, ui: Widgets, question: Question, cell: Rect) -> bool:
        if question.prompt.topic == "gambit":
            tip = "You pass now and whenever you are asked again, whatever the opponent uses; Undo takes it back"
            return ui.button(cell, "Pass until the firefight##help", icon="skip", tip=tip, key="R")
        tip = "Everything this side has yet to place goes where the rules suggest. Each place can be undone."
        return ui.button(cell, "Set up the rest for me##help", icon="flag", tip=tip, key="R")

    def _placing_keys(self, question: Question) -> list[tuple[str, str]]:
        """What places something, key by key."""
        rows = [("Click", "places it there; Shift-click shows it first")]
        if question.places and not question.problem:
            rows.append(("Enter", "takes the suggested place" if question.is_offered else "places it as shown"))
        if question.can_turn:
            rows.append(("Q  W", "turn it"))
        rows.append(("Arrows", 'move it by 0.1", with Shift by 0.01"'))
        return [*rows, ("G", "another suggestion"), ("F1", "all keys")]

    def _keys(self, ui: Widgets, x: float, y: float, width: float, rows: Sequence[tuple[str, str]]) -> None:
        """Keys in caps with what each does."""
        k = ui.pen.size
        wide = max(ui.pen.measure(key, "caption")[0] for key, _ in rows) + 14 * k
        for key, words in rows:
            ui.pen.box(Rect(x, y, wide, 20 * k), None, theme.LINE, radius=4)
            ui.text(x + wide / 2, y + 10 * k, key, "caption", theme.SOFT, align=0.5)
            room = width - wide - 8 * k
            y += max(20 * k, ui.paragraph(x + wide + 8 * k, y + 3 * k, room, words, "caption", theme.SOFT)) + 5 * k

    def _inches(self, ui: Widgets, x: float, y: float, width: float, question: Question) -> float:
        """What is left of the allowance, one cell an inch."""
        k = ui.pen.size
        allowance = question.prompt.allowance
        used = question.route.total if question.route is not None else 0
        left = allowance - used
        wide = ui.text(x, y + 18 * k, f'{abs(left)}"', "h1", theme.ACCENT if left >= 0 else theme.NO)
        ui.text(x + wide + 10 * k, y + 12 * k, "left" if left >= 0 else "too far", "strong")
        words = f'{used}" of {allowance}" paid'
        if question.route is not None and question.route.refusal:
            words = f'{used}" in all, {allowance}" allowed' if question.route.is_whole else f'{used}" paid so far'
        ui.text(x + wide + 10 * k, y + 28 * k, words, "caption", theme.SOFT)
        y += 44 * k
        each = (width - 3 * (allowance - 1)) / max(1, allowance)
        for i in range(allowance):
            cell = Rect(x + i * (each + 3), y, each, 10 * k)
            ui.pen.box(
                cell,
                (theme.ACCENT if left >= 0 else theme.NO) if i < used else None,
                None if i < used else theme.DIM,
                radius=3,
            )
        return y + 20 * k

    def _refusal(self, ui: Widgets, x: float, y: float, width: float, question: Question) -> float:
        k = ui.pen.size
        is_waiting = question.prompt.kind == "walk" and question.route is None
        tall = ui.pen.measure(question.problem, "body", width - 24 * k)[1] + 40 * k
        edge = theme.LINE if is_waiting else theme.NO
        ui.pen.box(Rect(x, y, width, tall), theme.INK, edge, thick=1.5)
        if not is_waiting:
            ui.pen.icon("cross", x + 18 * k, y + 17 * k, 12 * k, theme.NO)
        ui.text(x + 32 * k, y + 17 * k, "One moment" if is_waiting else "Not here", "strong")
        rule = question.route.rule if question.route is not None else question.prompt.rule
        ui.text(x + width - 10 * k, y + 17 * k, rule, "caption", theme.DIM, align=1)
        ui.paragraph(x + 12 * k, y + 32 * k, width - 24 * k, question.problem)
        return y + tall + 8 * k

    def _legs(self, ui: Widgets, rect: Rect, route: Route) -> None:
        k = ui.pen.size
        tall = 40 * k
        with ui.scrolled("legs", rect, len(route.legs) * (tall + 4 * k)) as top:
            for number, leg in enumerate(route.legs):
                row = Rect(rect.x, top + number * (tall + 4 * k), rect.w - SCROLLBAR - 2, tall)
                ui.pen.box(row)
                ui.pen.icon("disc", row.x + 18 * k, row.y + tall / 2, 26 * k, theme.ACCENT)
                ui.text(row.x + 18 * k, row.y + tall / 2, str(number + 1), "label", theme.INK, align=0.5)
                ui.pen.icon(LEG_ICONS.get(leg.kind, "steps"), row.x + 46 * k, row.y + tall / 2, 15 * k, theme.SOFT)
                right = row.right - 10 * k
                wide = ui.text(right, row.y + 15 * k, f'{leg.paid}"', "h3", align=1)
                wide += ui.text(
                    right - wide - 6 * k, row.y + 15 * k, f'{leg.measured:.2f}" →', "caption", theme.SOFT, align=1
                )
                ui.text(row.x + 60 * k, row.y + 13 * k, leg.kind.capitalize(), "strong")
                note = leg.note or "to " + place_words(leg.end)
                room = row.w - 70 * k
                ui.text(row.x + 60 * k, row.y + 29 * k, ui.pen.fitted(note, "caption", room), "caption", theme.DIM)

    def _other(self, ui: Widgets, body: Rect, question: Question) -> Asked | None:
        """A kind of decision this window knows nothing about: some legal answer, and another."""
        k = ui.pen.size
        y = body.y + ui.paragraph(body.x, body.y, body.w - SCROLLBAR, question.suggestion) + 12 * k
        asked: Asked | None = None
        if ui.button(Rect(body.x, y, 180 * k, 38 * k), "Another answer##another", icon="dice"):
            asked = ("another", "")
        return self._foot(ui, body, question) or asked
