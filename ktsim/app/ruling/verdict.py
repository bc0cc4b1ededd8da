"""The ruling beside the table: the verdict first, then why, rule by rule; and two editions or dates side by side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ktsim.app.card.drawing import answer_colour, answer_icon, banner
from ktsim.app.card.layout import rule_icon
from ktsim.app.card.view import RulingView, inches, rules_name, searched, verdict, view_of
from ktsim.app.ruling.model import TableModel
from ktsim.app.screens.dialogs import centred, progress
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.sight import rulebook
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import RULES_DATES, Edition, RulesDate, Scene

VerdictAction: TypeAlias = Literal["swap", "copy", "export", "best", "pair"]
VerdictButton: TypeAlias = tuple[VerdictAction, str, str]
"""What a button asks for, its label and its tip."""
RULING_BUTTONS: tuple[VerdictButton, ...] = (
    ("copy", "Copy", "The ruling in words, to the clipboard (Ctrl+C)"),
    ("export", "Export", "The ruling as a picture, a PNG card (Ctrl+E)"),
)


@dataclass
class PointedSentence:
    """What somebody points at in the words of a ruling: the sentence, or "" for none."""

    text: str = ""


def verdict_banner(ui: Widgets, rect: Rect, view: RulingView) -> None:
    """The answer over the table, to be read from two metres."""
    with ui.panel("banner", rect, fill=None):
        ui.said.append(verdict(view))
        banner(ui.pen, rect, view)
        ui.tip(rect, view.sentence)


def prompt(ui: Widgets, rect: Rect, text: str, stage: tuple[int, int] | None = None) -> None:
    """The next step, where the verdict will be; with a *stage* (its number, of how many) how far something has got."""
    k = ui.pen.size
    text = f"{text}: {stage[0]} of {stage[1]}" if stage is not None else text
    kind = next((kind for kind in ("h3", "strong", "body") if ui.pen.measure(text, kind)[0] + 32 <= rect.w), "caption")
    w = min(rect.w, ui.pen.measure(text, kind)[0] + 32)
    box = Rect(rect.x + (rect.w - w) / 2, rect.y, w, (44 + (14 if stage is not None else 0)) * k)
    with ui.panel("prompt", box):
        ui.text(box.x + 16, box.y + 22 * k, ui.pen.fitted(text, kind, w - 31), kind)
        if stage is not None:
            progress(ui, Rect(box.x + 16, box.y + 40 * k, w - 32, 8 * k), (stage[0] - 1) / stage[1])
        ui.tip(box, text)


NOBODY = "It appears here as soon as one operative can be asked about another, and follows every change."
PREPARING = "It appears here when the sight engine is ready: in a minute or two, on the first start only."


def verdict_panel(
    ui: Widgets,
    rect: Rect,
    scene: Scene,
    view: RulingView | None,
    best: RulingView | None,
    pointed: PointedSentence,
    *,
    is_preparing: bool = False,
    is_looking: bool = False,
) -> VerdictAction | None:
    """Who shoots at whom, every reason with its rule and numbers, what was looked at in vain, and what to do with the
    ruling. *best* is the ruling from the shooter's best point when *view* is from another one. There is no view while
    nobody can be asked about, or the sight engine *is_preparing*; it *is_looking* on for an answer that is not decided.
    What is pointed at is left in *pointed*."""
    asked: VerdictAction | None = None
    k = ui.pen.size
    with ui.panel("verdict", rect):
        x, right = rect.x + 14 * k, rect.right - 14 * k
        if view is None:
            ui.text(x, rect.y + 24 * k, "No ruling yet", "h3")
            ui.paragraph(x, rect.y + 44 * k, right - x, PREPARING if is_preparing else NOBODY, "body", theme.SOFT)
            return None
        y = rect.y + 24 * k
        _pair(ui, x, right, y, scene, view)
        y += 30 * k
        at = x + ui.pen.pill(x, y, f"{view.order.capitalize()} order", view.order) + 8
        ui.pen.pill(at, y, rules_name(view), "book")
        y += 20 * k
        foot = rect.bottom - 12 * k - 40 * k
        # Below the reasons, where it moves none of them when it appears.
        if best is not None and best is not view:
            back = Rect(x, foot - 40 * k, right - x, 32 * k)
            if ui.button(back, "Back to the best point##best", key="Esc"):
                asked = "best"
            hint = _tried(ui, x, back.y - 6 * k, right - x, view, best)
        else:
            hint = _hint(ui, x, foot, right - x, view)
        reasons(ui, Rect(x, y, rect.right - 6 - x, hint - y - 8), view, "reasons", pointed, is_looking)
        return buttons_row(ui, Rect(x, foot, right - x, 40 * k), _BUTTONS) or asked


_BUTTONS: tuple[VerdictButton, ...] = (
    ("swap", "Swap", "The shot the other way (X)"),
    ("pair", "Both", "Both operatives in the picture, from the side that hides least (J)"),
    *RULING_BUTTONS,
)


def buttons_row(ui: Widgets, rect: Rect, buttons: Sequence[VerdictButton], locked: str = "") -> VerdictAction | None:
    """What can be done with a ruling, side by side; *locked* is why nothing can. Each has the width it has where there
    are most, and the first what is left: the others stand where they stand for every ruling."""
    wide = (rect.w - 6 * (len(_BUTTONS) - 1)) / len(_BUTTONS)
    spare = (len(_BUTTONS) - len(buttons)) * (wide + 6)
    asked: VerdictAction | None = None
    for i, (action, label, tip) in enumerate(buttons):
        x = rect.x + i * (wide + 6)
        cell = Rect(x + (spare if i else 0), rect.y, wide + (0 if i else spare), rect.h)
        if ui.button(cell, f"{label}##{action}", primary=action == "export", tip=tip, locked=locked):
            asked = action
    return asked


def _hint(ui: Widgets, x: float, foot: float, width: float, view: RulingView) -> float:
    """That the point the lines come from can be dragged, above the buttons. Returns where it begins."""
    if not view.visible or view.origin is None:
        return foot
    k = ui.pen.size
    words = f"Lines come from the best point of {view.shooter}'s base. Drag it on the table to try another."
    tall = ui.pen.measure(words, "caption", width - 22 * k)[1]
    y = foot - tall - 8 * k
    ui.pen.icon("disc", x + 8 * k, y + tall / 2, 11 * k, theme.ACCENT)
    ui.pen.icon("disc", x + 8 * k, y + tall / 2, 6 * k, theme.TEXT)
    ui.paragraph(x + 22 * k, y, width - 22 * k, words, "caption", theme.SOFT)
    return y - 4 * k


def _pair(ui: Widgets, x: float, right: float, y: float, scene: Scene, view: RulingView) -> None:
    measured = inches(view.distance)
    k = ui.pen.size
    room = (right - x - ui.pen.measure(measured, "h3")[0] - 84 * k) / 2
    ui.pen.seat(scene.operative(view.shooter).team, x + 7 * k, y, 14 * k)
    at = x + 20 * k + ui.text(x + 20 * k, y, ui.pen.fitted(view.shooter, "h3", room), "h3") + 10 * k
    ui.pen.icon("arrow", at + 6 * k, y, 13 * k, theme.DIM)
    ui.pen.seat(scene.operative(view.target).team, at + 28 * k, y, 14 * k)
    ui.text(at + 40 * k, y, ui.pen.fitted(view.target, "h3", room), "h3")
    ui.text(right, y, measured, "h3", align=1)


def _tried(ui: Widgets, x: float, foot: float, width: float, view: RulingView, best: RulingView) -> float:
    """That the ruling shown is from a point somebody tries, and what the best one gives: a warning where that differs.
    Returns where it begins."""
    k = ui.pen.size
    is_same = view.sentence == best.sentence
    given = "the same" if is_same else best.sentence
    words = f"This is from the point you chose on the base. The best point gives: {given}{'.' if is_same else ''}"
    icon, colour, edge = ("target", theme.DIM, theme.LINE) if is_same else ("warning", theme.NO, theme.NO)
    tall = ui.pen.measure(words, "caption", width - 32 * k)[1] + 14 * k
    box = Rect(x, foot - tall, width, tall)
    ui.pen.box(box, theme.INK, edge)
    ui.pen.icon(icon, box.x + 15 * k, box.y + tall / 2, 15 * k, colour)
    ui.paragraph(box.x + 28 * k, box.y + 7 * k, width - 32 * k, words, "caption")
    return box.y


def reasons(
    ui: Widgets,
    rect: Rect,
    view: RulingView,
    name: str,
    pointed: PointedSentence | None = None,
    is_looking: bool = False,
) -> None:
    """The sentence that decided, doubts, every reason with its rule, then what was looked at in vain. Pointing at one
    shows what its rule says."""
    k = ui.pen.size
    width = rect.w - 10
    rows: list[tuple[str, str, str]] = [("warning", "", text) for text in view.warnings]
    if view.undecided:
        on = (
            "still looking for a clear line or a proof that there is none"
            if is_looking
            else "that is as far as we look"
        )
        rows.append(("help", "", f"Not decided yet, {searched(view)}; {on}."))
    rows += [(rule_icon(rule), rule, text) for rule, text in view.reasons]
    room, small = width - 48 * k, width - 22 * k
    heights = [ui.pen.measure(text, "body", room)[1] + (34 if rule else 16) * k for _, rule, text in rows]
    vain = [ui.pen.measure(each.text, "caption", small)[1] + 6 * k for each in view.aside]
    head = ui.pen.measure(view.sentence, "strong", width)[1] + 10
    title = 26 * k if vain else 0.0
    with ui.scrolled(name, rect, head + sum(heights) + 6 * len(heights) + title + sum(vain)) as top:
        ui.paragraph(rect.x, top, width, view.sentence, "strong")
        y = top + head
        for (icon, rule, text), tall in zip(rows, heights, strict=True):
            row = Rect(rect.x, y, width, tall)
            is_lit = _points(ui, rect, row, f"{name}-{rule}", rule, text, pointed)
            ui.pen.box(row, theme.HOVER if is_lit else theme.RAISED, theme.LINE if rule else theme.NO)
            colour = theme.SOFT if rule else theme.NO
            ui.pen.icon(icon, row.x + 20 * k, row.y + min(20 * k, tall / 2), 18 * k, colour)
            ui.paragraph(row.x + 40 * k, row.y + 7 * k, room, text)
            if rule:
                ui.text(row.x + 40 * k, row.bottom - 13 * k, rule, "caption", theme.DIM)
            y += tall + 6
        if vain:
            ui.text(rect.x, y + 12 * k, "LOOKED AT, DOES NOT COUNT", "caption", theme.DIM)
        y += title
        for number, (each, tall) in enumerate(zip(view.aside, vain, strict=True)):
            row = Rect(rect.x, y, width, tall)
            is_lit = _points(ui, rect, row, f"{name}-aside-{number}", each.rule, each.text, pointed)
            if is_lit:
                ui.pen.box(row, theme.HOVER, None, radius=4)
            ui.pen.icon("cross", rect.x + 9 * k, y + 9 * k, 10 * k, theme.DIM)
            ui.paragraph(rect.x + 20 * k, y + 2 * k, small, each.text, "caption", theme.TEXT if is_lit else theme.SOFT)
            y += tall


def _points(
    ui: Widgets, rect: Rect, row: Rect, name: str, rule: str, text: str, pointed: PointedSentence | None
) -> bool:
    """Whether a row is pointed at: then its rule is told beside it, and it is what is *pointed* at."""
    if row.y >= rect.bottom or row.bottom <= rect.y:
        return False
    ui.place(name, row)
    ui.tip(row, rule_words(rule), at_left=True)
    is_lit = ui.points_at(row)
    if is_lit and pointed is not None:
        pointed.text = text
    return is_lit


def rule_words(rule: str) -> str:
    """What a rule is called and says."""
    known = rulebook.entries().get(rule)
    return f"{rule}: {known.title}\n{known.text}" if known is not None else ""


class CompareScreen(Screen):
    """Rulings on the chosen pair as the table stands, by both editions or as of both dates (KT24-DATED). Raises
    UserError, from the rules, when there is none."""

    name = "compare"
    is_dialog = True

    def __init__(self, desktop: Host, model: TableModel) -> None:
        super().__init__(desktop)
        state, scene = model.state, model.scene
        shooter, target = state.shooter, state.target
        assert shooter is not None
        assert target is not None

        def view(edition: Edition, as_of: RulesDate) -> RulingView:
            return view_of(ruling(replace(scene, rules_as_of=as_of), shooter, target, edition, state.file.weapon))

        dated = {date: view("kt24", date) for date in RULES_DATES}
        self.views = {
            "editions": [dated[scene.rules_as_of], view("kt21-lite", scene.rules_as_of)],
            "dates": list(dated.values()),
        }
        self.shown = "editions"

    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 960 * k, 600 * k)
        with ui.panel("compare", rect, alpha=1.0):
            views = self.views[self.shown]
            title = f"{views[0].shooter} shoots at {views[0].target}"
            wide = 200 * k
            ui.text(rect.x + 28 * k, rect.y + 34 * k, ui.pen.fitted(title, "h2", rect.w - 80 * k - wide), "h2")
            place = Rect(rect.right - 28 * k - wide, rect.y + 16 * k, wide, 36 * k)
            offered = [("editions", "Editions"), ("dates", "Dates")]
            self.shown = ui.choice(place, offered, self.shown, "compared", "What is compared") or self.shown
            body = Rect(rect.x + 28 * k, rect.y + 64 * k, rect.w - 56 * k, rect.h - 64 * k - 68 * k)
            comparison(ui, body, views)
            close = Rect(rect.x + 28 * k, rect.bottom - 54 * k, 140 * k, 40 * k)
            if self.shown == "dates":
                ui.text(close.right + 20 * k, close.y + close.h / 2, changed(*views), "strong", theme.SOFT)
            if ui.button(close, "Close##close", primary=True, key="Esc"):
                self.desktop.pop(self)


def changed(before: RulingView, after: RulingView) -> str:
    """Whether two dates rule differently on the same question."""
    found = sorted({rule for rule, _ in set(after.reasons) ^ set(before.reasons)} - {"KT24-DATED"})
    if not found:
        return "Both dates rule the same here."
    known = rulebook.entries()
    return f"The dates differ here in {', '.join(f'{known[rule].title} ({rule})' for rule in found)}."


def comparison(ui: Widgets, rect: Rect, views: Sequence[RulingView]) -> None:
    """Rulings on the same question by different editions or dates, side by side."""
    k = ui.pen.size
    wide = (rect.w - 16 * k * (len(views) - 1)) / len(views)
    for i, view in enumerate(views):
        x = rect.x + i * (wide + 16 * k)
        ui.text(x, rect.y + 10 * k, rules_name(view), "label", theme.SOFT)
        said = verdict(view)
        kind = next((kind for kind in ("h2", "h3") if ui.pen.measure(said, kind)[0] < wide - 30 * k), "strong")
        ui.pen.icon(answer_icon(view), x + 12 * k, rect.y + 42 * k, 20 * k, answer_colour(view))
        ui.text(x + 30 * k, rect.y + 42 * k, ui.pen.fitted(said, kind, wide - 30 * k), kind)
        reasons(ui, Rect(x, rect.y + 66 * k, wide, rect.h - 66 * k), view, f"reasons-{view.edition}-{view.rules_as_of}")
