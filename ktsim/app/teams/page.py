"""The page *Your teams*: every team with its rosters, taking files in, and the way to a roster, a card or a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from ktsim import paths
from ktsim.app.screens.dialogs import centred, progress, titled
from ktsim.app.screens.files import FileDialog, FileScreen, Offered
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.teams.builder import RosterScreen
from ktsim.app.teams.cards_screen import CardsScreen
from ktsim.app.teams.report import ReportScreen, counts_of
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import SCROLLBAR, Widgets
from ktsim.errors import UserError
from ktsim.game.team_library import (
    TEAM_FILES,
    SavedRoster,
    TakenIn,
    TeamOnFile,
    is_team_file,
    library,
    remove_roster,
    report_of,
    team_named,
    team_path,
)
from ktsim.game.team_taking import Taking
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.team_file import find_team

MOST_OFFERED, MOST_FOUND = 100, 3
NAMED = re.compile(r'"killteamName"\s*:\s*"([^"\\]{1,64})"')


def offered_files() -> tuple[Offered, ...]:
    """The team files where one would have put them, the newest first: downloaded, on the desktop, here."""
    folders = [paths.downloads(), Path.home() / "Desktop", Path.cwd()]
    found: dict[Path, float] = {}
    for folder in dict.fromkeys(filter(None, folders)):
        try:
            files = [path for path in folder.iterdir() if path.suffix.lower() in TEAM_FILES and is_team_file(path)]
            found |= {path: -path.stat().st_mtime for path in files}
        except OSError:
            continue
    return tuple(_offered(path) for path in sorted(found, key=lambda path: found[path])[:MOST_OFFERED])


def _is_new(file: Offered) -> bool:
    """Whether it is a file of another program whose team is not among the player's."""
    is_foreign = file.path.suffix.lower() not in (".yaml", ".yml")
    return is_foreign and not team_path(file.title).exists()


def _offered(path: Path) -> Offered:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            named = NAMED.search(file.read(4000))
    except OSError:
        named = None
    return Offered(path, named[1] if named else path.stem, f"{path.name} in {path.parent}")


class TakingUp(NamedTuple):
    """One thing to do with a team or roster: what its button says, and what is given the key."""

    name: str
    label: str
    run: Callable[[str], object]


def choosing_team(desktop: Host, asker: Screen, side: str, now: str, take: Callable[[str], object]) -> TeamsScreen:
    """The player's teams and rosters, to choose one for a side in place of the one it has *now*: the key of the one
    chosen is given to *take*, and the page that asked comes back."""

    def taken(key: str) -> None:
        take(key)
        desktop.push(asker)

    screen = TeamsScreen(desktop, TakingUp("take", f"Take it for {side}", taken))
    screen.choose(now)
    return screen


class TeamsScreen(Screen):
    """Teams at the left, the chosen one's rosters at the right. *ways* are what can be done with it, the usual one
    first."""

    name = "teams"

    def __init__(self, desktop: Host, *ways: TakingUp) -> None:
        super().__init__(desktop)
        self.ways = ways
        self.taking = Taking()
        self.problems: tuple[str, ...] = ()
        self.team: TeamOnFile = library()[0]
        self.report = report_of(self.team)
        self.usual = self.team.default()
        self.roster: SavedRoster | None = None
        """The roster that is chosen; none: the team as it comes, with its usual one."""
        self.found: tuple[Offered, ...] = ()
        """Files among the downloads that were not taken in yet."""
        self.asking = False
        """Whether it is asked if the chosen roster is to be removed."""

    # ---- what is chosen -------------------------------------------------------------------------------------
    def choose(self, key: str) -> None:
        """A team by its key, or the roster in a file."""
        if (found := team_named(key)) is not None:
            self.team, self.asking = found, False
            self.report, self.usual = report_of(found), found.default()
            self.roster = next((saved for saved in found.rosters if str(saved.path) == key), None)
            self.desktop.refresh()

    def enter(self) -> None:
        """Whatever was made or changed meanwhile."""
        self.found = tuple(each for each in offered_files() if _is_new(each))[:MOST_FOUND]
        self.choose(str(self.roster.path) if self.roster is not None else self.team.key)

    @property
    def key_chosen(self) -> str:
        return self.team.key if self.roster is None else str(self.roster.path)

    @property
    def refusal(self) -> str:
        """Why no game can be played with what is chosen."""
        if self.roster is not None and self.roster.problems:
            return f"It is not legal: {self.roster.problems[0]}"
        return ""

    # ---- taking files in ------------------------------------------------------------------------------------
    def open_files(self) -> None:
        dialog = FileDialog("import", "", offered_files())
        self.desktop.push(FileScreen(self.desktop, dialog, lambda path: self.take_in([path])))

    def take_in(self, files: list[Path]) -> None:
        """Take files in, one after another, beside the window; a folder stands for the team files in it."""
        found: list[Path] = []
        for path in files:
            inside = sorted(path.iterdir()) if path.is_dir() else [path]
            found += [each for each in inside if not path.is_dir() or is_team_file(each)]
        if not found:
            raise UserError(f"{files[0].name}: there is no team file in it")
        if not found[0].exists():
            raise UserError(f"{found[0]}: does not exist; check the name")
        self.problems = ()
        self.taking.ask(found)
        self.desktop.refresh()

    def dropped(self, path: Path) -> bool:
        self.take_in([path])
        return True

    def attend(self) -> None:
        while (found := self.taking.take_in()) is not None:
            taken, problems = found
            self.problems += problems
            if taken is not None:
                self.enter()
                self.choose(taken.key)
                if not self.taking.is_busy and (taken.items or taken.notes):
                    self._show_report(taken)
            self.desktop.refresh()
        if self.taking.fault is not None:
            fault, self.taking.fault = self.taking.fault, None
            self.desktop.show_fault(fault)

    def _show_report(self, taken: TakenIn) -> None:
        if self.desktop.has(self):
            way = self.ways[0]
            self.desktop.push(ReportScreen(self.desktop, taken, lambda: way.run(self.key_chosen), way.label))

    def close(self) -> None:
        self.taking.stop()

    def back(self) -> bool:
        if self.taking.is_busy:
            self.taking.stop()
            self.desktop.say("What was not imported yet is left out.")
            return True
        was_asking, self.asking = self.asking, False
        return was_asking

    # ---- doing ----------------------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        actions = {"i": "import", "n": "new", "e": "edit", "d": "cards", "enter": self.ways[0].name}
        if key in actions:
            self._do(actions[key])

    def _do(self, action: str) -> None:
        desktop, team = self.desktop, self.team
        if action == "import":
            desktop.later(self.open_files)
        elif (way := next((way for way in self.ways if way.name == action), None)) is not None:
            if self.refusal:
                raise UserError(self.refusal)
            run = way.run
            desktop.later(lambda: run(self.key_chosen))
        elif action == "new" or (action == "edit" and self.roster is None):
            desktop.later(lambda: desktop.push(RosterScreen(desktop, team, None, self.choose)))
        elif action == "edit":
            saved = self.roster
            desktop.later(lambda: desktop.push(RosterScreen(desktop, team, saved, self.choose)))
        elif action == "cards":
            desktop.later(self._show_cards)
        elif action == "report":
            if (found := self.report) is not None:
                desktop.later(lambda: self._show_report(found))
        elif action == "ask":
            self.asking = True
        elif action == "keep":
            self.asking = False
        elif action == "remove" and self.roster is not None:
            saved = self.roster
            desktop.later(lambda: self._remove(saved))
        elif action == "back":
            desktop.later(lambda: desktop.pop(self))

    def _show_cards(self) -> None:
        """The cards of the chosen roster; of all kinds of operative where the usual one is."""
        key = self.team.key if self.refusal else self.key_chosen
        self.desktop.push(CardsScreen(self.desktop, find_team(key, KT24.weapon_rules), key))

    def _remove(self, saved: SavedRoster) -> None:
        remove_roster(saved)
        self.choose(self.team.key)

    # ---- panels ---------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 1360 * k, 760 * k)
        asked = ""
        with ui.panel("teams", rect):
            x, width = rect.x + 24 * k, rect.w - 48 * k
            ui.text(x, rect.y + 32 * k, "Your teams", "h2")
            words = "Import a team file you have downloaded, or drop it on this window. Then choose a roster."
            back = Rect(rect.right - 24 * k - 100 * k, rect.y + 16 * k, 100 * k, 36 * k)
            ui.text(x, rect.y + 58 * k, ui.pen.fitted(words, "label", back.x - x - 16 * k), "label", theme.SOFT)
            if ui.button(back, "Back##back", key="Esc"):
                asked = "back"
            top, bottom = rect.y + 80 * k, rect.bottom - 20 * k
            wide = width * 0.36
            asked = self._draw_left(ui, Rect(x, top, wide, bottom - top)) or asked
            right = Rect(x + wide + 24 * k, top, width - wide - 24 * k, bottom - top)
            asked = self._draw_team(ui, right) or asked
        if asked:
            self._do(asked)

    def _draw_left(self, ui: Widgets, rect: Rect) -> str:
        k = ui.pen.size
        asked = ""
        row = Rect(rect.x, rect.y, rect.w, 48 * k)
        if self.taking.is_busy:
            self._draw_progress(ui, row)
        elif ui.button(row, "Import a team file##import", primary=True, icon="folder", key="I", kind="h3"):
            asked = "import"
        y = row.bottom + 10 * k
        for problem in self.problems[:6]:
            ui.pen.icon("warning", rect.x + 8 * k, y + 8 * k, 14 * k, theme.NO)
            y += ui.paragraph(rect.x + 22 * k, y, rect.w - 22 * k, problem, "caption") + 6 * k
        if self.found:
            ui.text(rect.x, y + 8 * k, "FOUND ON THIS COMPUTER", "caption", theme.DIM)
            y += 20 * k
            for file in self.found:
                cell = Rect(rect.x, y, rect.w - SCROLLBAR - 4, 36 * k)
                label = f"Import {file.title}##file-{file.path.name}"
                if ui.button(cell, label, icon="put-down", align=0, tip=str(file.path), locked=self._busy):
                    self.desktop.later(lambda path=file.path: self.take_in([path]))  # type: ignore[misc]
                y = cell.bottom + 6 * k
            ui.text(rect.x, y + 8 * k, "TEAMS", "caption", theme.DIM)
            y += 20 * k
        each = 54 * k
        teams = library()
        body = Rect(rect.x, y, rect.w, rect.bottom - y)
        with ui.scrolled("teams-list", body, len(teams) * each) as top:
            for i, team in enumerate(teams):
                cell = Rect(body.x, top + i * each, body.w - SCROLLBAR - 4, each - 6 * k)
                count = len(team.rosters)
                words = "Comes with the program" if not team.is_own else f"Your file {Path(team.key).name}"
                words += f" · {count} roster{'s' if count > 1 else ''}" if count else ""
                is_here = team.key == self.team.key
                if titled(ui, cell, f"team-{i}", "people", team.team.name, words, tip=team.key if team.is_own else ""):
                    self.desktop.later(lambda key=team.key: self.choose(key))  # type: ignore[misc]
                if is_here:
                    ui.pen.box(cell, None, theme.ACCENT, thick=2)
        return asked

    @property
    def _busy(self) -> str:
        return "Another file is being read." if self.taking.is_busy else ""

    def _draw_progress(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        now = self.taking.current
        count = len(self.taking.waiting) + self.taking.done + 1
        words = f"Reading {now.name if now else '...'}" + (f" ({self.taking.done + 1} of {count})" if count > 1 else "")
        stop = Rect(rect.right - 84 * k, rect.y + 6 * k, 84 * k, 36 * k)
        room = stop.x - rect.x - 10 * k
        ui.text(rect.x, rect.y + 14 * k, ui.pen.fitted(words, "strong", room), "strong")
        progress(ui, Rect(rect.x, rect.y + 30 * k, room, 10 * k), max(0.04, self.taking.part))
        if ui.button(stop, "Stop##stop-import"):
            self.taking.stop()

    def _draw_team(self, ui: Widgets, rect: Rect) -> str:
        k = ui.pen.size
        team, asked = self.team.team, ""
        ui.text(rect.x, rect.y + 14 * k, ui.pen.fitted(team.name, "h2", rect.w), "h2")
        kinds = f"{len(team.cards)} kinds of operative"
        archetypes = ", ".join(word.replace("-", " ") for word in team.archetypes)
        ui.text(rect.x, rect.y + 40 * k, ui.pen.fitted(f"{kinds} · {archetypes}", "body", rect.w), "body", theme.SOFT)
        y = rect.y + 58 * k
        report = self.report
        if report is not None:
            wide = 210 * k
            if ui.button(Rect(rect.x, y, wide, 36 * k), "What works of it##report", icon="list"):
                asked = "report"
            ui.text(
                rect.x + wide + 14 * k,
                y + 18 * k,
                ui.pen.fitted(f"Texts: {counts_of(report.items)}", "body", rect.w - wide - 14 * k),
                "body",
                theme.SOFT,
            )
            y += 46 * k
        ui.text(rect.x, y + 10 * k, "ROSTERS", "caption", theme.DIM)
        y += 22 * k
        foot = rect.bottom - 110 * k
        asked = self._draw_rosters(ui, Rect(rect.x, y, rect.w, foot - y - 8 * k)) or asked
        return self._draw_foot(ui, Rect(rect.x, foot, rect.w, rect.bottom - foot)) or asked

    def _draw_rosters(self, ui: Widgets, rect: Rect) -> str:
        k = ui.pen.size
        team = self.team
        rows: list[tuple[SavedRoster | None, str, str]] = [(None, "The usual roster", self._usual_words())]
        for saved in team.rosters:
            words = saved.problems[0] if saved.problems else _summary(saved, team)
            rows.append((saved, saved.name, words))
        each = 56 * k
        with ui.scrolled("rosters-list", rect, len(rows) * each) as top:
            for i, (found, title, words) in enumerate(rows):
                cell = Rect(rect.x, top + i * each, rect.w - SCROLLBAR - 4, each - 6 * k)
                icon = "warning" if found is not None and found.problems else "check"
                if titled(ui, cell, f"roster-{i}", icon, title, words, tip=words):
                    self.roster, self.asking = found, False
                if (found is None) == (self.roster is None) and (found is None or found == self.roster):
                    ui.pen.box(cell, None, theme.ACCENT, thick=2)
        return ""

    def _usual_words(self) -> str:
        return f"{len(self.usual.operatives)} operatives, legal, made for you; New roster begins with it"

    def _draw_foot(self, ui: Widgets, rect: Rect) -> str:
        k = ui.pen.size
        asked = ""
        gap = 8 * k
        wide = (rect.w - 3 * gap) / 4
        cells = [Rect(rect.x + i * (wide + gap), rect.y, wide, 42 * k) for i in range(4)]
        if self.asking:
            ui.text(rect.x, rect.y + 21 * k, "Remove this roster? Its file is kept in the folder removed.", "body")
            if ui.button(cells[2], "Remove##remove", icon="cross"):
                asked = "remove"
            if ui.button(cells[3], "Keep it##keep"):
                asked = "keep"
        else:
            is_own = self.roster is not None
            none = "" if is_own else "The usual roster cannot be removed; choose one of yours."
            edit = "Edit" if is_own else "Change it"
            tip = "Opens a copy of the usual roster to change" if not is_own else "Change this roster"
            for cell, name, label, icon, key, locked, words in (
                (cells[0], "new", "New roster", "pick-up", "N", "", "Begins with a legal roster"),
                (cells[1], "edit", edit, "pen", "E", "", tip),
                (cells[2], "cards", "Datacards", "book", "D", "", "Look at the datacards, or print them"),
                (cells[3], "ask", "Remove", "cross", "", none, "Take this roster off the list; it is asked first"),
            ):
                if ui.button(cell, f"{label}##{name}", icon=icon, key=key, locked=locked, tip=words):
                    asked = name
        left, y = rect.x, rect.bottom - 54 * k
        for way in self.ways:
            is_first = way is self.ways[0]
            share = 1.0 if len(self.ways) == 1 else 0.62 if is_first else 0.38 / (len(self.ways) - 1)
            go = Rect(left, y, rect.w * share - (gap if len(self.ways) > 1 and is_first else 0), 54 * k)
            key, icon = ("Enter", "play") if is_first else ("", "people")
            if ui.button(
                go, f"{way.label}##{way.name}", primary=is_first, icon=icon, key=key, kind="h3", locked=self.refusal
            ):
                asked = way.name
            left = go.right + gap
        return asked

    def summary(self) -> dict[str, str]:
        return {"team": self.team.key, "roster": str(self.roster.path) if self.roster else "usual"}


def _summary(saved: SavedRoster, team: TeamOnFile) -> str:
    names = ", ".join(each.name or team.team.card(each.type).name for each in saved.roster.operatives)
    return f"{len(saved.roster.operatives)} operatives: {names}"
