"""The area view: what somebody sees, or where one is safe from a team, painted on the table."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from panda3d.core import Texture

from ktsim import faults
from ktsim.app.area.overlay import SAFE_KINDS, SURVEY_KINDS, Kind, area_overlays, kind_at, kinds_in, known, shares
from ktsim.app.area.panel import AreaQuestion, area_panel
from ktsim.app.ruling.screen import RulingTable
from ktsim.app.ruling.state import BASES
from ktsim.app.ruling.verdict import prompt
from ktsim.app.screens.screen import Held, Host, Screen
from ktsim.app.stage.cameras import Free
from ktsim.app.stage.labels import TableLabels
from ktsim.app.stage.overlays import Overlay, selection
from ktsim.app.stage.picture import CLICK, Lent, name_label
from ktsim.app.ui import flags
from ktsim.app.ui.flags import Flag
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.rect import Place
from ktsim.app.ui.widgets import Widgets
from ktsim.errors import UserError
from ktsim.faults import Fault
from ktsim.killzones.figures import usual_figure
from ktsim.sight.area import AreaMap, SafeMap, safe_from, survey
from ktsim.sight.scene import Operative

STAND_IN = "somebody"


class AreaScreen(Screen):
    """Over the ruling table, with its picture. Pointing says what a place is; a click puts the target there."""

    name = "area"

    def __init__(self, desktop: Host, table: RulingTable) -> None:
        super().__init__(desktop)
        self.table = table
        model = table.model
        people = model.scene.operatives
        if not people:
            raise UserError("Put an operative on the table first.")
        if not desktop.may_rule():
            raise UserError("The area view comes as soon as the sight engine is ready.")
        who = model.state.selected or model.state.shooter or people[0].id
        chosen = model.selected or model.operative(model.state.target) or people[0]
        base = next((name for name, base in BASES.items() if base == chosen.base), model.base)
        self.asked = AreaQuestion("sees", who, base)
        self.job: AreaJob | None = None
        self.found: AreaMap | SafeMap | None = None
        self._shares: dict[Kind, float] = {}
        self._working: AreaMap | SafeMap | None = None
        self._labels = TableLabels()
        self._is_stale = True
        self._lent: Lent | None = None
        self._press: tuple[str, Place, bool] | None = None

    @property
    def people(self) -> tuple[Operative, ...]:
        return self.table.model.scene.operatives

    @property
    def _put(self) -> str | None:
        """Whom a click puts somewhere: the target, unless it is the one who is asked about."""
        target = self.table.model.state.target
        return target if target != self.asked.who else None

    # ---- asking ---------------------------------------------------------------------------------------------
    def enter(self) -> None:
        if self.job is None:
            picture, layout = self.table.view.picture, self.table.layout
            w, h = self.desktop.size
            left, right = layout.tools.x / w, layout.verdict.x / w
            self._lent = picture.lend(Free(left, layout.middle.y / h, right, 1 - 8 / h))
            self._ask()

    def _stand_in(self) -> Operative:
        who = self.table.model.scene.operative(self.asked.who)
        team = "red" if who.team == "blue" else "blue"
        base, order = BASES[self.asked.base], self.asked.order
        return Operative(STAND_IN, team, who.x, who.y, 0.0, base, usual_figure(base), 0.0, order)

    def _maps(self, cell: float) -> Iterator[AreaMap | SafeMap]:
        model, stand_in = self.table.model, self._stand_in()
        scene, weapon = model.scene, model.state.file.weapon
        who = scene.operative(self.asked.who)
        if self.asked.question == "sees":
            # Whom a click puts there does not stand in its own way where it is now.
            others = tuple(one for one in scene.operatives if one.id != self._put)
            return survey(replace(scene, operatives=others), who.id, stand_in, model.edition, weapon, cell)
        enemies = [one.id for one in scene.operatives if one.team == who.team]
        # Friends of whoever asks may be anywhere by then: only the enemies stand in the way.
        alone = replace(scene, operatives=tuple(one for one in scene.operatives if one.team == who.team))
        return safe_from(alone, enemies, stand_in, model.edition, weapon, cell)

    def _ask(self) -> None:
        if self.job is not None:
            self.job.close()
        self.found, self._working, self._shares, self._is_stale = None, None, {}, True
        self.job = AreaJob(self._maps)
        self.desktop.refresh()

    def attend(self) -> None:
        job = self.job
        if job is not None and job.latest is not self.found:
            self.found = job.latest
            self._shares = shares(self.found) if self.found is not None else {}
            self._is_stale = True
            self.desktop.refresh()
        if job is not None and job.working is not self._working:
            self._working = job.working
            self.desktop.refresh()
        if job is not None and job.fault is not None:
            self.desktop.show_fault(job.fault)
        if job is not None and job.problem:
            text, job.problem = job.problem, ""
            raise UserError(text)

    def close(self) -> None:
        if self.job is not None:
            self.job.close()
        self.table.view.forget()
        if self._lent is not None:
            self.table.view.picture.give_back(self._lent)

    # ---- the picture ----------------------------------------------------------------------------------------
    @property
    def texture(self) -> Texture:
        return self.table.texture

    def update(self, now: float) -> None:
        picture = self.table.view.picture
        if self._is_stale:
            self._is_stale = False
            who = self.table.model.scene.operative(self.asked.who)
            items: list[Overlay] = list(area_overlays(self.found)) if self.found is not None else []
            items += [*selection(who), *(name_label(one, may_hide=one is not who) for one in self.people)]
            picture.show(self.table.model.scene, items)
        if picture.update(now):
            self.desktop.refresh_once()

    @property
    def wants_frames(self) -> bool:
        return self.table.view.picture.is_moving

    def resized(self) -> None:
        self._is_stale = True

    # ---- input ----------------------------------------------------------------------------------------------
    def key(self, key: str, held: Held) -> None:
        picture = self.table.view.picture
        if key == "t":
            picture.top()
        elif key == "home":
            picture.home()
        elif key in ("page_down", "page_up"):
            ids = [one.id for one in self.people]
            at = ids.index(self.asked.who) + (1 if key == "page_down" else -1)
            self._change(replace(self.asked, who=ids[at % len(ids)]))
        elif key == "a":
            self._change(replace(self.asked, question="safe" if self.asked.question == "sees" else "sees"))

    def pointer(self, at: Place) -> None:
        if self._press is not None:
            button, start, moved = self._press
            moved = moved or max(abs(at[0] - start[0]), abs(at[1] - start[1])) >= CLICK
            self._press = (button, start, moved)
            if moved:
                self.table.view.picture.drag(at)

    def press(self, button: str, at: Place, held: Held) -> None:
        picture = self.table.view.picture
        if not picture.grab(button, at, held.shift):
            picture.turn_with(at)
        self._press = (button, at, False)

    def release(self, button: str, at: Place) -> None:
        press, self._press = self._press, None
        self.table.view.picture.let_go()
        if press is not None and press[0] == "mouse1" and not press[2] and not self.desktop.ui.covers(*at):
            self._choose(at)

    def _choose(self, at: Place) -> None:
        """Put the target where the pointer is, and go back to the ruling on it."""
        model = self.table.model
        target = model.operative(self._put)
        picked = self.table.view.picture.under(at)
        if target is not None and picked is not None and picked.standable:
            moved = replace(target, x=picked.point[0], y=picked.point[1], level=picked.point[2])
            problem = self.table.view.hands.refusal(moved)
            if problem is not None:
                raise UserError(problem)
            model.move(target.id, *picked.point)
            self.desktop.pop(self)

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        self.table.view.picture.zoom(notches, at)

    # ---- panels ---------------------------------------------------------------------------------------------
    def _change(self, asked: AreaQuestion) -> None:
        if asked != self.asked:
            self.asked = asked
            self._ask()

    def draw(self, ui: Widgets) -> None:
        layout, picture = self.table.layout, self.table.view.picture
        free = Rect(
            layout.tools.x,
            layout.middle.y,
            layout.middle.right - layout.tools.x,
            self.desktop.size[1] - layout.middle.y - 8,
        )
        self._labels.over(ui.pen, picture, free, self.desktop.at)
        banner = Rect(layout.tools.x, layout.banner.y, layout.banner.right - layout.tools.x, layout.banner.h)
        put = self._put
        prompt(ui, banner, f"Point anywhere; a click puts {put} there" if put else "Point anywhere to ask there")
        part = known(self._working) if self._working is not None else 0.0
        exact = self.found.cell if self.found is not None and self.found.complete else None
        kinds = kinds_in(self.found) if self.found is not None else _KINDS[self.asked.question]
        asked = area_panel(ui, layout.verdict, self.asked, self.people, kinds, self._shares, exact, part)
        if asked == "back":
            self.desktop.later(lambda: self.desktop.pop(self))
        else:
            self.desktop.later(lambda: self._change(asked)) if asked != self.asked else None
        self._draw_kind(ui)

    def _draw_kind(self, ui: Widgets) -> None:
        at = self.desktop.at
        if self.found is None or ui.covers(*at) or self._press is not None:
            return
        picked = self.table.view.picture.under(at)
        kind = kind_at(self.found, *picked.point) if picked is not None and picked.standable else None
        if kind is not None:
            words = f"{kind.title}, {kind.words}" if kind.words else kind.title
            ui.said.append(words)
            flags.draw(ui.pen, [Flag(at[0], at[1] - 8, words)], Rect(0, 0, *self.desktop.size))

    def summary(self) -> dict[str, str]:
        part = known(self._working) if self._working is not None else 0.0
        return {"question": self.asked.question, "known": f"{part:.2f}"}


_KINDS = {"sees": SURVEY_KINDS, "safe": SAFE_KINDS}


# ---- the computation ----------------------------------------------------------------------------------------
CELLS = (1.0, 0.25)
"""How finely the board is asked, one after the other, in inches."""


class AreaJob:
    """Asks *maps* for one better map after the other in a thread of its own, and then for a finer one.

    *latest* is what to show: the finest map that is complete, or the first one as it comes. *working* is the map being
    made.
    """

    def __init__(self, maps: Callable[[float], Iterator[AreaMap | SafeMap]], cells: Sequence[float] = CELLS) -> None:
        self.latest: AreaMap | SafeMap | None = None
        self.working: AreaMap | SafeMap | None = None
        self._cells = cells
        self.problem = ""
        self.fault: Fault | None = None
        self.is_done = False
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(maps,), daemon=True)
        self._thread.start()

    def _run(self, maps: Callable[[float], Iterator[AreaMap | SafeMap]]) -> None:
        try:
            for cell in self._cells:
                for found in maps(cell):
                    self.working = found
                    if cell == self._cells[0] or found.complete:
                        self.latest = found
                    if self._stop.is_set():
                        return
        except UserError as error:
            self.problem = str(error)
        except Exception as error:
            self.fault = faults.note("the area view", error)
        finally:
            self.is_done = True

    def close(self) -> None:
        """Give up, and wait until nothing is asked any more."""
        self._stop.set()
        self._thread.join()
