"""Building a roster: who is in it at the left, the chosen operative in the middle, equipment and whether it is legal at
the right. What cannot be chosen says why."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from ktsim.app.screens.dialogs import centred
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.teams.cards_screen import CardsScreen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.content.printable import NAME_LIMIT, printable
from ktsim.game.team_library import SavedRoster, TeamOnFile, save_roster
from ktsim.killzones.figures import models
from ktsim.rules.kt24.equipment.register import EQUIPMENT
from ktsim.rules.teams.fields import HEIGHT_LIMITS
from ktsim.rules.teams.playing.status import status_of
from ktsim.rules.teams.roster.building import added, loadouts_of, options_of, refuses, size_of, with_option
from ktsim.rules.teams.roster.composition import RosterOperative
from ktsim.rules.teams.roster.roster_file import Roster, most_equipment, roster_problems

ROW = 40.0


@dataclass(frozen=True)
class Judged:
    """What is said of the roster as it stands; worked out once for every change."""

    problems: tuple[str, ...]
    refusals: dict[str, str]
    """Why no more of a datacard can be added, by its id."""
    loadouts: tuple[tuple[tuple[str, ...], str], ...]
    """The ways to equip the chosen operative, and why it cannot be."""


class RosterScreen(Screen):
    """Builds a roster of a team. It is saved whenever it is left; *done* is told the file."""

    name = "roster"

    def __init__(
        self, desktop: Host, team: TeamOnFile, saved: SavedRoster | None, done: Callable[[str], object]
    ) -> None:
        super().__init__(desktop)
        self.on_file, self.team, self.done = team, team.team, done
        self.path: Path | None = saved.path if saved is not None else None
        self.roster: Roster = saved.roster if saved is not None else replace(team.default(), name=_free_name(team))
        self._first = self.roster if saved is not None else None
        self.at = 0
        """Which operative is chosen."""
        self._judged: Judged | None = None

    # ---- what it says ---------------------------------------------------------------------------------------
    @property
    def operatives(self) -> tuple[RosterOperative, ...]:
        return self.roster.operatives

    @property
    def chosen(self) -> RosterOperative | None:
        return self.operatives[self.at] if self.at < len(self.operatives) else None

    @property
    def judged(self) -> Judged:
        if self._judged is None:
            team, now, each = self.team, self.operatives, self.chosen
            adding = {card.id: added(team, now, card.id)[1] for card in team.cards}
            ways = []
            if each is not None:
                for weapons in loadouts_of(team, each.type):
                    ways.append((weapons, refuses(team, now, self._with(replace(each, weapons=weapons)))))
            self._judged = Judged(tuple(roster_problems(self.roster, team)), adding, tuple(ways))
        return self._judged

    def _with(self, each: RosterOperative) -> tuple[RosterOperative, ...]:
        return (*self.operatives[: self.at], each, *self.operatives[self.at + 1 :])

    # ---- changing it ----------------------------------------------------------------------------------------
    def change(self, roster: Roster, at: int | None = None) -> None:
        self.roster, self._judged = roster, None
        self.at = max(0, min(self.at if at is None else at, len(roster.operatives) - 1))
        self.desktop.refresh()

    def set_operatives(self, operatives: tuple[RosterOperative, ...], at: int | None = None) -> None:
        self.change(replace(self.roster, operatives=operatives), at)

    def add(self, type: str) -> None:
        then, why = added(self.team, self.operatives, type)
        if why:
            self.desktop.say(f"{self.team.card(type).name}: {why}.")
        else:
            self.set_operatives(tuple(then), len(then) - 1)

    def remove(self, at: int) -> None:
        kept = self.operatives[:at] + self.operatives[at + 1 :]
        self.set_operatives(kept, self.at - (at < self.at))

    def alter(self, each: RosterOperative) -> None:
        """The chosen operative is *each* from now on."""
        self.set_operatives(self._with(each))

    def toggle(self, equipment: str) -> None:
        taken = self.roster.equipment
        kept = tuple(name for name in taken if name != equipment)
        self.change(replace(self.roster, equipment=kept if equipment in taken else (*taken, equipment)))

    def reset(self) -> None:
        """The usual roster, legal, under the name this one has."""
        self.change(replace(self.on_file.default(), name=self.roster.name), 0)

    def save(self) -> None:
        self.path = save_roster(self.on_file, self.roster, self.path)
        self._first = self.roster
        self.done(str(self.path.resolve()))

    def finish(self) -> None:
        self.save()
        self.desktop.pop(self)

    def leave_it(self) -> None:
        self.back()
        self.desktop.pop(self)

    def back(self) -> bool:
        if self.roster != self._first and self.path is not None:
            self.desktop.later(self.save)  # a change is never lost; a new one that was not saved is not wanted
        return False

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self.desktop.later(self.finish)
        elif key == "delete" and self.chosen is not None:
            self.remove(self.at)
        elif key in ("arrow_down", "arrow_up") and self.operatives:
            self.change(self.roster, (self.at + (1 if key == "arrow_down" else -1)) % len(self.operatives))

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 1400 * k, 800 * k)
        with ui.panel("roster", rect):
            x, width = rect.x + 20 * k, rect.w - 40 * k
            back = Rect(rect.right - 20 * k - 100 * k, rect.y + 14 * k, 100 * k, 36 * k)
            if ui.button(back, "Back##back", key="Esc"):
                self.desktop.later(self.leave_it)
            ui.text(x, rect.y + 32 * k, ui.pen.fitted(self.team.name, "h2", width * 0.4), "h2")
            name = Rect(x + width * 0.42, back.y, min(300 * k, back.x - 150 * k - x - width * 0.42), 36 * k)
            typed = ui.entry(name, "roster-name", self.roster.name, "What you call this roster")
            if typed:
                self.change(replace(self.roster, name=printable(typed, NAME_LIMIT)))
            usual = Rect(name.right + 8 * k, back.y, back.x - name.right - 16 * k, 36 * k)
            if ui.button(usual, "Make it legal##default", icon="star", tip="The usual legal roster of the team"):
                self.desktop.later(self.reset)
            top, bottom, gap = rect.y + 64 * k, rect.bottom - 16 * k, 16 * k
            each = (width - 2 * gap) / 3
            columns = [Rect(x + i * (each + gap), top, each, bottom - top) for i in range(3)]
            self._draw_list(ui, columns[0])
            self._draw_operative(ui, columns[1])
            self._draw_rest(ui, columns[2])

    def _draw_list(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        count, needed = len(self.operatives), size_of(self.team)
        ui.text(rect.x, rect.y + 8 * k, f"IN THE ROSTER: {count} OF {needed} SELECTIONS", "caption", theme.DIM)
        tall, wide = (ROW + 6) * k, rect.w - SCROLLBAR - 4
        half = min(max(rect.h * 0.55, 120 * k), 24 * k + tall * max(1, count) + 8 * k)
        body = Rect(rect.x, rect.y + 22 * k, rect.w, half - 22 * k)
        with ui.scrolled("members", body, tall * count) as top:
            for i, each in enumerate(self.operatives):
                cell = Rect(rect.x, top + i * tall, wide - tall, tall - 6 * k)
                room, middle = cell.w - 20 * k, cell.y + cell.h / 2
                whole = self._words(each)
                words = ui.pen.fitted(whole, "caption", room)
                if ui.button(cell, f"##operative-{i}", chosen=i == self.at, tip=whole if words != whole else ""):
                    self.desktop.later(lambda i=i: self.change(self.roster, i))  # type: ignore[misc]
                title = each.name or self.team.card(each.type).name
                ui.text(cell.x + 10 * k, middle - 9 * k, ui.pen.fitted(title, "strong", room), "strong")
                ui.text(cell.x + 10 * k, middle + 9 * k, words, "caption", theme.SOFT)
                out = Rect(cell.right + 6 * k, cell.y, tall - 6 * k, tall - 6 * k)
                if ui.button(out, f"##remove-{i}", icon="cross", tip="Take it out"):
                    self.desktop.later(lambda i=i: self.remove(i))  # type: ignore[misc]
        self._draw_adding(ui, Rect(rect.x, rect.y + half + 6 * k, rect.w, rect.h - half - 6 * k))

    def _words(self, each: RosterOperative) -> str:
        card = self.team.card(each.type)
        weapons = ", ".join(each.weapons) or "all its weapons"
        return " · ".join([*([card.name] if each.name != card.name else []), weapons, *each.options])

    def _draw_adding(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        ui.text(rect.x, rect.y + 8 * k, "ADD", "caption", theme.DIM)
        body = Rect(rect.x, rect.y + 20 * k, rect.w, rect.h - 20 * k)
        tall = 38 * k
        with ui.scrolled("adding", body, tall * len(self.team.cards)) as top:
            for i, card in enumerate(self.team.cards):
                cell = Rect(rect.x, top + i * tall, rect.w - SCROLLBAR - 4, tall - 6 * k)
                why = self.judged.refusals[card.id]
                stats = f'APL {card.apl}, Move {card.move}", Save {card.save}+, Wounds {card.wounds}'
                icon = "lock" if why else "pick-up"
                label = f"{card.name}##add-{card.id}"
                if ui.button(cell, label, icon=icon, align=0, locked=why, tip=stats):
                    self.desktop.later(lambda id=card.id: self.add(id))  # type: ignore[misc]

    def _draw_operative(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        each = self.chosen
        if each is None:
            ui.paragraph(rect.x, rect.y + 24 * k, rect.w, "Add an operative from the list at the left.", "body")
            return
        card = self.team.card(each.type)
        ui.text(rect.x, rect.y + 8 * k, ui.pen.fitted(card.name.upper(), "caption", rect.w), "caption", theme.DIM)
        name = Rect(rect.x, rect.y + 22 * k, rect.w - 122 * k, 38 * k)
        typed = ui.entry(name, "name", each.name or card.name, "What it is called in your games")
        if typed:
            self.alter(replace(each, name=printable(typed, NAME_LIMIT)))
        cards = Rect(name.right + 8 * k, name.y, 114 * k, 38 * k)
        if ui.button(cards, "Card##card", icon="book", tip="Its datacard"):
            self.desktop.later(lambda: self.desktop.push(CardsScreen(self.desktop, self.team, "", each.type)))
        y = name.bottom + 12 * k
        options = options_of(self.team, each.type)
        rows = len(self.judged.loadouts) + sum(len(option.choices) for option in options)
        tall = 38 * k
        foot = rect.bottom - 78 * k
        heads = 24 * k * (1 + len(options))
        body = Rect(rect.x, y, rect.w, foot - y - 8 * k)
        with ui.scrolled("choices", body, rows * tall + heads) as top:
            y = self._draw_loadouts(ui, Rect(rect.x, top, rect.w - SCROLLBAR - 4, tall - 6 * k), each)
            for option in options:
                count = f": {option.count}" if option.count > 1 else ""
                ui.text(rect.x, y + 10 * k, f"{option.name.upper()}{count}", "caption", theme.DIM)
                y += 24 * k
                for choice in option.choices:
                    then = with_option(each, option, choice)
                    has = choice in each.options
                    why = "" if has else refuses(self.team, self.operatives, self._with(then))
                    cell = Rect(rect.x, y, rect.w - SCROLLBAR - 4, tall - 6 * k)
                    icon = "lock" if why else "check" if has else "hollow"
                    label = f"{choice}##option-{choice}"
                    if ui.button(cell, label, icon=icon, chosen=has, align=0, locked=why, tip=self._text_of(choice)):
                        self.alter(then)
                    y += tall
        self._draw_figure(ui, Rect(rect.x, foot, rect.w, 78 * k), each)

    def _text_of(self, choice: str) -> str:
        return next((text.text[:600] for text in self.team.texts if text.name == choice), "")

    def _draw_loadouts(self, ui: Widgets, cell: Rect, each: RosterOperative) -> float:
        k = ui.pen.size
        ui.text(cell.x, cell.y + 10 * k, "WEAPONS", "caption", theme.DIM)
        y = cell.y + 24 * k
        now = set(each.weapons)
        for i, (weapons, why) in enumerate(self.judged.loadouts):
            has = now == set(weapons) or (not now and len(self.judged.loadouts) == 1)
            row = Rect(cell.x, y, cell.w, cell.h)
            words = ", ".join(weapons) or "No weapons"
            icon = "check" if has else "lock" if why else "hollow"
            if ui.button(
                row,
                f"{words}##loadout-{i}",
                icon=icon,
                chosen=has,
                align=0,
                locked="" if has else why,
                tip=self._weapon_words(each, weapons),
            ):
                self.alter(replace(each, weapons=weapons))
            y += cell.h + 6 * k
        return y

    def _weapon_words(self, each: RosterOperative, weapons: tuple[str, ...]) -> str:
        found = []
        for profile in self.team.card(each.type).weapons:
            if any(profile.name.startswith(name) for name in weapons):
                rules = f" ({', '.join(profile.rules)})" if profile.rules else ""
                numbers = f"{profile.atk} dice, {profile.hit}+, {profile.normal}/{profile.critical}"
                found.append(f"{profile.name}: {numbers}{rules}{profile.mark}")
        return "\n".join(found)

    def _draw_figure(self, ui: Widgets, rect: Rect, each: RosterOperative) -> None:
        """The miniature: which of our models stands for it, and how tall it is, for that decides what it sees."""
        k = ui.pen.size
        card = self.team.card(each.type)
        ui.text(rect.x, rect.y + 8 * k, "FIGURE AND ITS HEIGHT IN INCHES", "caption", theme.DIM)
        row = Rect(rect.x, rect.y + 22 * k, rect.w, 38 * k)
        if card.body is not None:
            ui.text(rect.x, row.y + 19 * k, f'Your mesh {card.mesh.split()[0]}, {card.height:.2f}" tall', "body")
            return
        known = models()
        now = each.model or card.model
        box = Rect(row.x, row.y, row.w - 100 * k, row.h)
        ui.pen.box(box, theme.INK)
        shown = ui.pen.fitted(now.replace("-", " ").title(), "strong", box.w - 2 * box.h - 8)
        ui.text(box.x + box.w / 2, box.y + box.h / 2, shown, "strong", align=0.5)
        for name, icon, x, step in (("before", "step-back", box.x, -1), ("next", "step-on", box.right - box.h, 1)):
            if ui.button(Rect(x, box.y, box.h, box.h), f"##model-{name}", icon=icon, tip="Another figure"):
                at = (known.index(now) + step) % len(known) if now in known else 0
                self.alter(replace(each, model=known[at] if known[at] != card.model else ""))
        tall = ui.number(Rect(row.right - 92 * k, row.y, 92 * k, row.h), "height", each.height or card.height,
                         "How tall your miniature is: it decides what it sees and who sees it")  # fmt: skip
        if tall is not None:
            least, most = HEIGHT_LIMITS
            if math.isfinite(tall) and least <= tall <= most:
                self.alter(replace(each, height=round(tall, 3)))
            else:
                self.desktop.say(f'A figure is {least:g}" to {most:g}" tall.')

    # ---- equipment, and whether it is legal -----------------------------------------------------------------
    def _draw_rest(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        problems = self.judged.problems
        room = rect.w - 26 * k
        shown = [problem[:1].upper() + problem[1:] for problem in problems[:4]] or ["This roster is legal."]
        said = sum(ui.pen.measure(text, "body", room)[1] + 8 * k for text in shown)
        foot = rect.bottom - 58 * k - min(said, rect.h * 0.4) - 12 * k
        count = len(self.roster.equipment)
        title = f"EQUIPMENT: {count} OF AT MOST {most_equipment(self.team, self.roster.operatives)}"
        ui.text(rect.x, rect.y + 8 * k, title, "caption", theme.DIM)
        self._draw_equipment(ui, Rect(rect.x, rect.y + 22 * k, rect.w, foot - rect.y - 30 * k))
        y = foot
        for text in shown:
            icon, colour = ("warning", theme.NO) if problems else ("check", theme.ACCENT)
            ui.pen.icon(icon, rect.x + 9 * k, y + 9 * k, 15 * k, colour)
            y += ui.paragraph(rect.x + 26 * k, y, room, text, "body") + 8 * k
        save = Rect(rect.x, rect.bottom - 52 * k, rect.w, 52 * k)
        word = "Save" if not problems else "Save as it is"
        if ui.button(save, f"{word}##save", primary=not problems, icon="check", key="Enter", kind="h3"):
            self.desktop.later(self.finish)

    def _draw_equipment(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        own = [text for text in self.team.texts if text.kind == "equipment"]
        rows = [(text.name, text.text, "The faction's own", status_of(text)[0] != "enforced") for text in own]
        rows += [(each.name, each.text, "", False) for each in EQUIPMENT.values()]
        tall = 38 * k
        most = most_equipment(self.team, self.roster.operatives)
        is_full = len(self.roster.equipment) >= most
        with ui.scrolled("equipment", rect, tall * len(rows)) as top:
            for i, (name, text, whose, is_by_hand) in enumerate(rows):
                cell = Rect(rect.x, top + i * tall, rect.w - SCROLLBAR - 4, tall - 6 * k)
                has = name in self.roster.equipment
                locked = f"A team has at most {most}; take one out first." if is_full and not has else ""
                words = [whose, text[:600], "A card shows it; it is done by hand." if is_by_hand else ""]
                icon = "check" if has else "star" if whose else "hollow"
                label = f"{name}##equipment-{name}"
                tip = "\n".join(filter(None, words))
                if ui.button(cell, label, icon=icon, chosen=has, align=0, locked=locked, tip=tip):
                    self.toggle(name)

    def summary(self) -> dict[str, str]:
        return {"roster": self.roster.name, "legal": "no" if self.judged.problems else "yes"}


def _free_name(team: TeamOnFile) -> str:
    """What a new roster is called until somebody names it."""
    taken = {saved.name for saved in team.rosters}
    number = len(taken) + 1
    while f"Roster {number}" in taken:
        number += 1
    return f"Roster {number}"
