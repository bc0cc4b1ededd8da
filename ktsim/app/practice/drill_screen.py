"""A drill on the table: the question, the answer by a button, a digit or a place, and what the engine says."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Protocol

from panda3d.core import Texture

from ktsim.app.card.view import view_of
from ktsim.app.practice.drill_view import (
    answered_overlays,
    asked_overlays,
    people_of,
    shown_scene,
    stood_at,
    subject_of,
)
from ktsim.app.ruling.verdict import reasons
from ktsim.app.screens.screen import GAP, Held, Host, Layout, Screen
from ktsim.app.stage.labels import TableLabels
from ktsim.app.stage.overlays import Point
from ktsim.app.stage.picture import CLICK, Frame, TablePicture
from ktsim.app.stage.scenery import scene_scenery
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.rect import Place
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.game.drills.drill import Drill, Marked
from ktsim.game.drills.register import KINDS
from ktsim.killzones.scene_file import SceneFile
from ktsim.sight import rulebook
from ktsim.sight.part_names import readable
from ktsim.sight.scene import Operative
from ktsim.sight.standing import levels_under

WIDE = 408.0
"""Of the panel."""
AGAIN = 0.5
"""A second click within so many inches of the place that is meant confirms it."""
STEP = 0.25
"""Inches an arrow key moves the place that is meant; a whole one with Shift."""
ARROWS = {"arrow_left": (-1, 0), "arrow_right": (1, 0), "arrow_up": (0, 1), "arrow_down": (0, -1)}
HOW = (
    "Click the place on the table; click it again or press Enter to answer. "
    "Arrow keys move it (Shift: by an inch), L changes its level."
)


class Asker(Protocol):
    """Whoever has questions."""

    is_waiting: bool

    def next(self) -> None: ...

    def answered(self, drill: Drill, marked: Marked) -> None: ...

    def status(self) -> str: ...


class DrillScreen(Screen):
    """One question at a time; *asker* is told the answers and asked for the next."""

    name = "drill"

    def __init__(self, desktop: Host, asker: Asker, drill: Drill) -> None:
        super().__init__(desktop)
        self.asker = asker
        self._labels = TableLabels()
        self._press: tuple[str, Place, bool] | None = None
        self._picture: TablePicture | None = None
        self.ask(drill)

    def ask(self, drill: Drill) -> None:
        """Ask another question."""
        self.drill, self.file = drill, drill.file()
        self.place: Point | None = None
        """The place that is meant, where one is asked for."""
        self.given = ""
        self.marked: Marked | None = None
        self._is_stale = True
        self._is_new = True
        self.desktop.refresh()

    @property
    def who(self) -> Operative:
        """Whoever shoots or moves."""
        return self.file.scene.operative(subject_of(self.drill, self.file))

    # ---- answering ------------------------------------------------------------------------------------------
    def answer(self, given: str) -> None:
        """Have an answer judged and remembered."""
        if self.marked is None:
            self.given = given
            self.marked = KINDS[self.drill.kind].mark(self.drill, given)
            self._is_stale = True
            self.desktop.refresh()
            self.asker.answered(self.drill, self.marked)

    def confirm(self) -> None:
        """Answer with the place that is meant, or go on to the next question."""
        if self.marked is not None:
            self.asker.next()
        elif self.place is not None:
            self.answer(",".join(f"{each:g}" for each in self.place))

    def mean(self, x: float, y: float, level: float) -> None:
        """Mean another place; the same again is the answer."""
        before = self.place
        if before is not None and before[2] == level and math.dist(before[:2], (x, y)) < AGAIN:
            self.confirm()
        else:
            self._move(x, y, level)

    def _move(self, x: float, y: float, level: float) -> None:
        width, depth = self.file.scene.terrain.board
        self.place = (round(min(max(x, 0.0), width), 2), round(min(max(y, 0.0), depth), 2), level)
        self._is_stale = True
        self.desktop.refresh()

    def _next_level(self) -> None:
        there = self._there
        found = levels_under(self.file.scene, there) or (there.level,)
        self._move(there.x, there.y, next((level for level in found if level > there.level + 0.01), found[0]))

    @property
    def _there(self) -> Operative:
        return self.who if self.place is None else stood_at(self.who, self.place)

    def rule_here(self) -> None:
        """Open the ruling table with what the engine said on it."""
        file: SceneFile = self.file
        if self.marked is not None and self.marked.rulings:
            found = self.marked.rulings[0]
            file = replace(file, scene=found.scene, pairs=((found.shooter, found.target),))
        self.desktop.rule_on(file)

    # ---- the picture ----------------------------------------------------------------------------------------
    @property
    def layout(self) -> Layout:
        w, h = self.desktop.size
        return Layout((w, h), Rect(GAP, GAP, w - self._panel.w - 3 * GAP, h - 2 * GAP))

    @property
    def _panel(self) -> Rect:
        w, h = self.desktop.size
        wide = min(WIDE * self.desktop.pen.size, 0.42 * w)
        return Rect(w - wide - GAP, GAP, wide, h - 2 * GAP)

    @property
    def _frame(self) -> Frame:
        return Frame(self.desktop.size, self.desktop.scale, self.layout.free())

    @property
    def picture(self) -> TablePicture:
        assert self._picture is not None
        return self._picture

    @property
    def texture(self) -> Texture | None:
        return self._picture.texture if self._picture is not None else None

    def update(self, now: float) -> None:
        scene = shown_scene(self.file, self.marked)
        if self._picture is None:
            self._picture = TablePicture(
                self.desktop.engine, scene, scene_scenery(self.file), self._frame, self.desktop.settings
            )
        if self._is_stale:
            self._is_stale = False
            if scene.terrain is not self.picture.stage.terrain:
                self.picture.lay(scene, scene_scenery(self.file))
            if self.marked is None:
                items = asked_overlays(self.drill, self.file, self.place)
            else:
                items = answered_overlays(self.drill, self.file, self.place, self.marked)
            self.picture.kept = tuple(scene.operative(one.id) for one in people_of(self.drill, self.file))
            self.picture.show(scene, items)
        if self._is_new:
            self._is_new = False
            self.picture.home()
            self.look_at()
            self.picture.camera.arrive()
        if self.picture.update(now):
            self.desktop.refresh_once()

    def look_at(self) -> None:
        """Everybody the question is about, and where it leads."""
        people = people_of(self.drill, self.file)
        for name in ("to", "objective"):
            if name in self.drill.answer:
                x, y, level = self.drill.answer[name]
                people.append(stood_at(self.who, (x, y, level)))
        people += [stood_at(self.who, (x, y, z)) for x, y, z in self.drill.answer.get("markers", ())]
        self.picture.frame_on(people, 3.0, or_all=True)

    @property
    def wants_frames(self) -> bool:
        return self._picture is not None and self._picture.is_moving

    def resized(self) -> None:
        if self._picture is not None:
            self._picture.resize(self._frame, self.desktop.settings)
            self._is_stale = self._is_new = True

    def close(self) -> None:
        if self._picture is not None:
            self._picture.close()

    # ---- input ----------------------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        choices = self.drill.choices
        if key == "enter":
            self.confirm()
        elif key.isdecimal() and 1 <= int(key) <= len(choices):
            self.answer(choices[int(key) - 1])
        elif key in ARROWS and not choices and self.marked is None:
            dx, dy = ARROWS[key]
            far, there = 1.0 if held.shift else STEP, self._there
            self._move(there.x + dx * far, there.y + dy * far, there.level)
        elif key == "l" and not choices and self.marked is None:
            self._next_level()
        elif key == "f2" and self.marked is not None:
            self.desktop.load("the ruling table", self.rule_here)
        elif key == "t":
            self.picture.top()
        elif key == "home":
            self.picture.home()
        elif key == "j":
            self.look_at()
        elif key in ("+", "-", "="):
            self.picture.step(-1 if key == "-" else 1)

    def pointer(self, at: Place) -> None:
        if self._press is not None:
            button, start, moved = self._press
            moved = moved or max(abs(at[0] - start[0]), abs(at[1] - start[1])) >= CLICK
            self._press = (button, start, moved)
            if moved:
                self.picture.drag(at)

    def press(self, button: str, at: Place, held: Held) -> None:
        if not self.picture.grab(button, at, held.shift):
            self.picture.turn_with(at)
        self._press = (button, at, False)

    def release(self, button: str, at: Place) -> None:
        press, self._press = self._press, None
        self.picture.let_go()
        is_click = press is not None and press[0] == "mouse1" and not press[2] and not self.desktop.ui.covers(*at)
        if is_click and not self.drill.choices and self.marked is None:
            to = self.picture.standing_at(at, self.who)
            if to is not None:
                self.mean(*to)

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        self.picture.zoom(notches, at)

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        if self._picture is not None:
            self._labels.over(ui.pen, self.picture, self.layout.middle, self.desktop.at)
        rect = self._panel
        with ui.panel("drill", rect):
            x, width = rect.x + 16 * k, rect.w - 32 * k
            ui.text(x, rect.y + 22 * k, KINDS[self.drill.kind].title, "label", theme.ACCENT)
            y = rect.y + 42 * k
            y += ui.paragraph(x, y, width, self.drill.question, "strong") + 14 * k
            foot = rect.bottom - 12 * k - 40 * k
            if self.marked is not None:
                self._draw_answer(ui, Rect(x, y, width, foot - 12 * k - y), self.marked)
                self._draw_after(ui, Rect(x, foot, width, 40 * k))
            else:
                body = Rect(x, y, width, foot - 12 * k - y)
                self._draw_choices(ui, body) if self.drill.choices else self._draw_place(ui, body)
                if ui.button(Rect(x, foot, width, 40 * k), "Leave##leave", key="Esc"):
                    self.desktop.later(lambda: self.desktop.pop(self))

    def _draw_choices(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        choices, tall = self.drill.choices, 42 * k
        with ui.scrolled("choices", rect, len(choices) * (tall + 6 * k)) as top:
            for i, choice in enumerate(choices):
                row = Rect(rect.x, top + i * (tall + 6 * k), rect.w - SCROLLBAR, tall)
                label = f"{choice[:1].upper()}{choice[1:]}##choice-{i + 1}"
                if ui.button(row, label, align=0, key=str(i + 1) if i < 9 else ""):
                    self.desktop.later(lambda choice=choice: self.answer(choice))  # type: ignore[misc]

    def _draw_place(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        y = rect.y + ui.paragraph(rect.x, rect.y, rect.w, HOW, "body", theme.SOFT) + 12 * k
        if self.place is not None:
            x, at, level = self.place
            words = f"({x:g}, {at:g})" + (f' on the level at {level:g}"' if level else "")
            ui.text(rect.x, y + 10 * k, words, "h3")
        y += 28 * k
        why = "" if self.place is not None else "Click a place on the table first"
        if ui.button(Rect(rect.x, y, rect.w, 42 * k), "It is here##confirm", primary=True, key="Enter", locked=why):
            self.desktop.later(self.confirm)

    def _draw_answer(self, ui: Widgets, rect: Rect, marked: Marked) -> None:
        k = ui.pen.size
        icon, colour = ("check", theme.ACCENT) if marked.is_right else ("cross", theme.NO)
        ui.pen.icon(icon, rect.x + 12 * k, rect.y + 12 * k, 20 * k, colour)
        ui.text(rect.x + 32 * k, rect.y + 12 * k, "Right" if marked.is_right else "Not so", "h2")
        y = rect.y + 36 * k
        if self.drill.choices:
            said = f"You said: {self.given}." + ("" if marked.is_right else f"\nRight is: {marked.right}.")
            y += ui.paragraph(rect.x, y, rect.w, said) + 8 * k
        known = rulebook.entries().get(self.drill.rule)
        title = f"{known.title} ({self.drill.rule})" if known is not None else self.drill.rule
        y += ui.paragraph(rect.x, y, rect.w, title, "label", theme.SOFT) + 8 * k
        found = marked.rulings[0] if marked.rulings else None
        if found is None or marked.text != found.as_text():
            room = rect.bottom - y if found is None else (rect.bottom - y) * 0.45
            y += self._draw_words(ui, Rect(rect.x, y, rect.w, room), marked) + 10 * k
        if found is not None:
            reasons(ui, Rect(rect.x, y, rect.w + 10 * k, rect.bottom - y), view_of(found), "reasons")

    def _draw_words(self, ui: Widgets, rect: Rect, marked: Marked) -> float:
        """What the engine says beside rulings: a move leg by leg with its rules, or a few lines. Returns the height."""
        k = ui.pen.size
        move = marked.move if not marked.rulings else None
        if move is not None and marked.text == move.as_text():
            rows = [("strong", move.headline), *(("caption", rule) for rule, _ in move.against[:1])]
            for rule, text in (*((leg.rule, leg.words()) for leg in move.legs), *move.against[1:]):
                rows += [("body", text[:1].upper() + text[1:]), ("caption", rule)]
        else:
            rows = [("body", line) for line in marked.text.splitlines()]
        width = rect.w - SCROLLBAR
        said = [(kind, readable(text, self.file.scene.terrain)) for kind, text in rows]
        heights = [ui.pen.measure(text, kind, width)[1] + (3 if kind == "body" else 9) * k for kind, text in said]
        tall = min(sum(heights), rect.h)
        with ui.scrolled("words", Rect(rect.x, rect.y, rect.w, tall), sum(heights)) as y:
            for (kind, text), each in zip(said, heights, strict=True):
                ui.paragraph(rect.x, y, width, text, kind, theme.DIM if kind == "caption" else theme.TEXT)
                y += each
        return tall

    def _draw_after(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        half = (rect.w - 8 * k) / 2
        label = "Coming ...##next" if self.asker.is_waiting else "Next##next"
        tip = self.asker.status() if self.asker.is_waiting else ""
        if ui.button(Rect(rect.x, rect.y, half, rect.h), label, primary=True, key="Enter", tip=tip):
            self.desktop.later(self.asker.next)
        table = Rect(rect.x + half + 8 * k, rect.y, half, rect.h)
        if ui.button(table, "Ruling table##rule", key="F2", tip="Open on the ruling table (F2)"):
            self.desktop.load("the ruling table", self.rule_here)

    def notice_place(self) -> Rect:
        return self.layout.notice

    def summary(self) -> dict[str, str]:
        said = "open" if self.marked is None else "right" if self.marked.is_right else "wrong"
        return {"drill": self.drill.kind, "answer": said}
