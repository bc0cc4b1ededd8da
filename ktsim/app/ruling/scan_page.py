"""The page on which a scan becomes a terrain piece of one's own: the file, its unit and which way is up, its parts and
their traits, what speaks against it, and saving."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.app.ruling.scan_views import ScanViews, pictures
from ktsim.app.screens.dialogs import centred, close_button, progress
from ktsim.app.screens.jobs import Jobs
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.widgets import Widgets
from ktsim.content.mesh_file import FORMATS, SECONDS, UNITS, BadMesh, reading_mesh
from ktsim.content.printable import printable
from ktsim.errors import UserError
from ktsim.geometry.solids import triangles_of
from ktsim.killzones.pieces import Piece
from ktsim.killzones.scans import (
    MOST_PARTS,
    UPS,
    Box,
    ScanCut,
    ScanDraft,
    ScanPart,
    Soup,
    cutting,
    doubts,
    named_after,
    problems,
    saving,
    trait_names,
)
from ktsim.killzones.sizes import source_words

Work: TypeAlias = Literal["read", "cut", "save"]
NAMES: dict[Work, str] = {"read": "reading a scan", "cut": "cutting a scan", "save": "saving a piece"}
MOST_OFFERED = 40
AT_ONCE = 0.3
"""Seconds of work that nobody is told about."""

Images: TypeAlias = tuple[NDArray[np.uint8], ...]


@dataclass(frozen=True, eq=False)
class CutDraft:
    """A draft, how its boxes cut it, and what that looks like."""

    draft: ScanDraft
    made: ScanCut
    images: Images

    def fits(self, draft: ScanDraft) -> bool:
        """Whether another draft is cut in the same way."""
        return draft.mesh is self.draft.mesh and _cuts(draft) == _cuts(self.draft)


def _cuts(draft: ScanDraft) -> tuple[object, ...]:
    """All of a draft that says how it is cut."""
    return draft.unit, draft.up, tuple(part.box for part in draft.parts)


def _reading(path: Path) -> Iterator[Soup | str | None]:
    """The mesh in a file, in the file's own numbers (what they mean is asked later), or what is wrong with it. A
    process reads it that nothing in the file can hurt us through."""
    name = printable(path.name, 60)
    try:
        mesh = yield from reading_mesh(path, "mm")
        yield triangles_of(mesh) * 25.4
    except BadMesh as error:
        yield f"{name} {error}{'' if str(error).endswith('?') else '.'}"
    except Exception as error:  # whatever a file from outside brings about is said, and the page stays
        yield f"{name} cannot be read: {printable(str(error), 80)}."


def _cutting(draft: ScanDraft) -> Iterator[float | CutDraft]:
    for found in cutting(draft):
        if isinstance(found, ScanCut):
            yield CutDraft(draft, found, pictures(draft, found))
        else:
            yield found


def _saving(draft: ScanDraft, made: ScanCut) -> Iterator[float | Piece | str]:
    try:
        yield from saving(draft, made)
    except UserError as error:
        yield str(error)
    except OSError as error:
        yield f"It cannot be saved: {error.strerror or error}."


def offered_meshes() -> list[Path]:
    """Mesh files where people keep what they have downloaded, the newest first."""
    home = Path.home()
    found: list[tuple[float, Path]] = []
    for folder in (home / "Downloads", home / "Desktop", home / "Documents", home):
        try:
            files = [path for path in folder.iterdir() if path.suffix.lower() in FORMATS]
            found += [(-path.stat().st_mtime, path) for path in files[:500]]
        except OSError:
            continue
    return [path for _, path in sorted(found)[:MOST_OFFERED]]


class ScanScreen(Screen):
    """Makes a piece out of a scan and gives its name to *made*."""

    name = "scan"
    is_dialog = True

    def __init__(self, desktop: Host, made: Callable[[str], object], path: Path | None = None) -> None:
        super().__init__(desktop)
        self.made = made
        self.path = str(path) if path is not None else ""
        self.draft: ScanDraft | None = None
        self.part = 0
        """The number of the part that is shown."""
        self.said: tuple[str, ...] = ()
        self.cut: CutDraft | None = None
        """The last draft that was cut."""
        self.doing: Work | None = None
        """What is being done beside the window."""
        self.done = 0.0
        """How much of it is done."""
        self._since = 0.0
        self._asked: Callable[[], Iterator[object]] | None = None
        self._number = 0
        self._offered = offered_meshes()
        self._jobs = Jobs(lambda: {"file": Path(self.path).name})
        self.views = ScanViews(desktop, self._drag_box, self._choose)
        if path is not None:
            self.load(path)

    def close(self) -> None:
        self._jobs.close()
        self.views.forget()

    # ---- what is done beside the window -----------------------------------------------------------------------
    def _begin(self, work: Work, run: Callable[[], Iterator[object]]) -> None:
        """Do it, and nothing else any more."""
        self._stop()
        self._number += 1
        self.doing, self.done, self._asked, self._since = work, 0.0, run, time.monotonic()
        self._jobs.follow(NAMES[work], self._number, run)

    def _stop(self) -> None:
        if self.doing is not None:
            self._jobs.drop(NAMES[self.doing])
            self.doing = None

    def give_up(self) -> None:
        """Do it no more: the file is not read, the piece not saved, the boxes are where they were."""
        work = self.doing
        self._stop()
        if work == "cut":
            self.draft = self.cut.draft if self.cut is not None else None

    def back(self) -> bool:
        if not self.is_working:
            return False
        self.give_up()
        return True

    @property
    def is_working(self) -> bool:
        """Whether something has been done long enough to be told."""
        return self.doing is not None and time.monotonic() - self._since > AT_ONCE

    @property
    def is_at_rest(self) -> bool:
        """Whether everything is known about what is shown."""
        draft, cut = self.draft, self.cut
        return self.doing is None and (draft is None or (cut is not None and cut.fits(draft)))

    def load(self, path: Path) -> None:
        """Begin to read a file."""
        self.path, self.draft, self.cut, self.said = str(path), None, None, ()
        self._begin("read", partial(_reading, path.expanduser()))

    def attend(self) -> None:
        draft = self.draft
        if self.doing is None or self._asked is None:
            if draft is not None and not self.is_at_rest and self.views.grip is None:
                self._begin("cut", partial(_cutting, draft))
            return
        work = self.doing
        found, is_last = self._jobs.follow(NAMES[work], self._number, self._asked)
        if isinstance(found, float) and found != self.done:
            self.done = found
            self.desktop.refresh()
        if is_last:
            self._stop()
            self._take_in(work, found)
        if is_last or (self.is_working and work == "read"):
            self.desktop.refresh()

    def _take_in(self, work: Work, found: object) -> None:
        if self._jobs.fault is not None:
            self.desktop.show_fault(self._jobs.fault)
            self._jobs.fault = None
            self.draft = self.cut.draft if self.cut is not None else None
        elif isinstance(found, str):
            self.said = (found,)
        elif isinstance(found, CutDraft):
            self.cut = found
            self.views.show(found.images)
        elif isinstance(found, Piece):
            self.desktop.pop(self)
            self.made(found.name)
        elif isinstance(found, np.ndarray):
            self.draft, self.part = ScanDraft(found, named_after(Path(self.path))), 0
            if max(self.draft.size) < 0.5:  # a terrain piece of half an inch is one of a file in inches
                self.draft = replace(self.draft, unit="inch")

    # ---- the page -------------------------------------------------------------------------------------------
    def draw(self, ui: Widgets) -> None:
        k = ui.pen.size
        rect = centred(self.desktop.size, 980 * k, 600 * k)
        with ui.panel("scan", rect, alpha=1.0):
            x = rect.x + 24 * k
            ui.text(x, rect.y + 34 * k, "A piece of your own from a scan", "h2")
            if close_button(ui, rect):
                self.desktop.later(lambda: self.desktop.pop(self))
            y = rect.y + 66 * k
            wide = rect.w - 48 * k
            self.path, entered = ui.field(Rect(x, y, wide - 110 * k, 36 * k), "scan-path", self.path)
            locked = "" if self.path.strip() else f"Type the path of a mesh: {', '.join(end[1:] for end in FORMATS)}"
            go = Rect(x + wide - 102 * k, y, 102 * k, 36 * k)
            pressed = ui.button(go, "Load##scan-load", primary=self.draft is None, locked=locked)
            if (pressed or entered) and self.path.strip():
                self.desktop.later(partial(self.load, Path(self.path.strip())))
            body = Rect(x, y + 46 * k, wide, rect.bottom - 16 * k - y - 46 * k)
            if self.draft is None:
                self._waiting(ui, body)
            else:
                left = 480 * k
                self._question(ui, Rect(body.x, body.y, left, body.h), self.draft)
                right = Rect(body.x + left + 16 * k, body.y, body.w - left - 16 * k, body.h)
                self.views.draw(ui, right, self.draft, self.part)

    def _waiting(self, ui: Widgets, rect: Rect) -> None:
        k, y = ui.pen.size, rect.y
        if self.doing is not None:
            if self.is_working:
                gone = time.monotonic() - self._since
                self._progress(ui, Rect(rect.x, y, rect.w, 44 * k), f"Reading the mesh, {gone:.0f} s", gone / SECONDS)
            return
        for text in self.said:
            ui.pen.icon("warning", rect.x + 8 * k, y + 9 * k, 15 * k, theme.NO)
            y += ui.paragraph(rect.x + 24 * k, y, rect.w - 24 * k, text) + 12 * k
        words = (
            "Mesh files of yours, the newest first" if self._offered else "Type a path, or drop a mesh on the window."
        )
        ui.text(rect.x, y + 8 * k, words, "caption", theme.DIM)
        body = Rect(rect.x, y + 22 * k, rect.w, rect.bottom - y - 22 * k)
        with ui.scrolled("scan-files", body, len(self._offered) * 40 * k) as top:
            for i, path in enumerate(self._offered):
                row = Rect(body.x, top + i * 40 * k, body.w - 14, 36 * k)
                if ui.button(row, f"{path.name}##scan-file-{i}", icon="book", align=0, tip=str(path)):
                    self.desktop.later(partial(self.load, path))

    def _progress(self, ui: Widgets, rect: Rect, words: str, part: float) -> None:
        """What is being done, how much of it is, and a button that stops it."""
        k = ui.pen.size
        stop = Rect(rect.right - 84 * k, rect.y + 4 * k, 84 * k, 36 * k)
        ui.text(rect.x, rect.y + 12 * k, words, "strong")
        progress(ui, Rect(rect.x, rect.y + 28 * k, stop.x - rect.x - 12 * k, 10 * k), min(max(part, 0.03), 1.0))
        if ui.button(stop, "Stop##scan-stop", tip="Give it up (Esc)"):
            self.desktop.later(self.give_up)

    def _set(self, draft: ScanDraft) -> None:
        if self.doing == "save":
            return
        if self.doing == "cut":
            self._stop()  # it is cut anew, or was cut so already
        self.draft, self.said = draft, ()

    def _choose(self, number: int) -> None:
        self.part = number

    def _drag_box(self, number: int, box: Box) -> None:
        if self.draft is not None:
            self._set(self.draft.with_part(number, replace(self.draft.parts[number], box=box)))

    def _question(self, ui: Widgets, rect: Rect, draft: ScanDraft) -> None:
        k, x, y = ui.pen.size, rect.x, rect.y
        ui.text(x, y + 5 * k, "UNIT AND WHICH AXIS OF THE FILE IS UP", "caption", theme.DIM)
        y += 16 * k
        unit = ui.choice(Rect(x, y, rect.w * 0.34, 32 * k), [(one, one) for one in UNITS], draft.unit, "scan-unit")
        up = ui.choice(
            Rect(x + rect.w * 0.36, y, rect.w * 0.64, 32 * k), [(one, one) for one in UPS], draft.up, "scan-up"
        )
        if unit is not None:
            self._set(replace(draft, unit="inch" if unit == "inch" else "mm"))
        if up is not None:
            self._set(replace(draft, up=next(one for one in UPS if one == up)))
        y += 40 * k
        long, wide, high = draft.size
        ui.text(x, y + 6 * k, f'{long:.2f}" long, {wide:.2f}" wide, {high:.2f}" high', "strong")
        y += 24 * k
        y = self._parts(ui, Rect(x, y, rect.w, 0.0), draft) + 6 * k
        half = (rect.w - 6 * k) / 2
        ui.text(x, y + 5 * k, "NAME OF THE PIECE", "caption", theme.DIM)
        ui.text(x + half + 6 * k, y + 5 * k, "SIZES", "caption", theme.DIM)
        y += 16 * k
        name = ui.entry(Rect(x, y, half, 32 * k), "scan-name", draft.name, "Small letters, digits and '-'")
        source = ui.entry(
            Rect(x + half + 6 * k, y, half, 32 * k), "scan-source", draft.source, "Where its sizes come from"
        )
        if name is not None:
            self._set(replace(draft, name=name))
        if source is not None:
            self._set(replace(draft, source=source_words(source)))
        y += 40 * k
        self._verdict(ui, Rect(x, y, rect.w, rect.bottom - y))

    def _parts(self, ui: Widgets, rect: Rect, draft: ScanDraft) -> float:
        """The parts to choose from, and the chosen one. Returns where they end."""
        k, x, y = ui.pen.size, rect.x, rect.y
        ui.text(x, y + 5 * k, "PARTS", "caption", theme.DIM)
        y += 16 * k
        narrow = 34 * k
        options = [(str(i), part.name) for i, part in enumerate(draft.parts)]
        self.part = min(self.part, len(draft.parts) - 1)
        place = Rect(x, y, rect.w - 2 * narrow - 12 * k, 32 * k)
        chosen = ui.choice(place, options, str(self.part), "scan-part", "The part shown below")
        if chosen is not None:
            self.part = int(chosen)
        add, remove = (Rect(rect.right - n * narrow - (n - 1) * 6 * k, y, narrow, 32 * k) for n in (2, 1))
        locked = "" if len(draft.parts) < MOST_PARTS else f"A piece has at most {MOST_PARTS} parts here"
        if ui.button(add, "+##scan-add", locked=locked, tip="Another part: the upper half, to begin with"):
            self.desktop.later(lambda: self._set(self._with_another(draft)))
        locked = "" if len(draft.parts) > 1 else "A piece has a part"
        if ui.button(remove, "-##scan-remove", locked=locked, tip="This part belongs to the rest again"):
            kept = tuple(part for i, part in enumerate(draft.parts) if i != self.part)
            self.desktop.later(lambda: self._set(replace(draft, parts=kept)))
        y += 38 * k
        part, number = draft.parts[self.part], self.part
        name = ui.entry(
            Rect(x, y, rect.w * 0.4, 32 * k), f"scan-part-name-{number}", part.name, "What the part is called"
        )
        if name is not None:
            self._set(draft.with_part(number, replace(part, name=name)))
        box = Rect(x + rect.w * 0.42, y, rect.w * 0.58, 32 * k)
        ways = [("rest", "All that is left"), ("box", "What is in a box")]
        way = ui.choice(box, ways, "rest" if part.box is None else "box", "scan-way", "What of the scan the part is")
        if way is not None:
            self._set(draft.with_part(number, replace(part, box=None if way == "rest" else _upper(draft))))
        y += 38 * k
        y = self._traits(ui, Rect(x, y, rect.w, 26 * k), draft, part)
        return self._box(ui, Rect(x, y, rect.w, 30 * k), draft, part)

    def _with_another(self, draft: ScanDraft) -> ScanDraft:
        taken = {part.name for part in draft.parts}
        name = next(name for n in range(1, 100) if (name := f"part {n}") not in taken)
        self.part = len(draft.parts)
        return replace(draft, parts=(*draft.parts, ScanPart(name, box=_upper(draft))))

    def _traits(self, ui: Widgets, rect: Rect, draft: ScanDraft, part: ScanPart) -> float:
        k, columns = ui.pen.size, 4
        wide = (rect.w - 4 * k * (columns - 1)) / columns
        names = trait_names()
        for i, trait in enumerate(names):
            row, column = divmod(i, columns)
            cell = Rect(rect.x + column * (wide + 4 * k), rect.y + row * (rect.h + 4 * k), wide, rect.h)
            has = trait in part.traits
            if ui.button(cell, f"{trait.capitalize()}##scan-trait-{trait}", chosen=has, kind="caption"):
                self._set(draft.with_part(self.part, replace(part, traits=part.traits ^ {trait})))
        return rect.y + -(-len(names) // columns) * (rect.h + 4 * k) + 2 * k

    def _box(self, ui: Widgets, rect: Rect, draft: ScanDraft, part: ScanPart) -> float:
        """The corners of the part's box, to be typed over; room for them is kept where there is none."""
        k = ui.pen.size
        for row, word in enumerate(("From", "To")):
            y = rect.y + row * (rect.h + 4 * k)
            if part.box is None:
                continue
            ui.text(rect.x, y + rect.h / 2, f"{word} x, y, z", "caption", theme.SOFT)
            wide = (rect.w - 80 * k - 12 * k) / 3
            for axis in range(3):
                cell = Rect(rect.x + 80 * k + axis * (wide + 6 * k), y, wide, rect.h)
                typed = ui.number(cell, f"scan-box-{self.part}-{row}-{axis}", part.box[row][axis], "Inches")
                if typed is not None:
                    self.desktop.later(partial(self._move_box, row, axis, typed))
        return rect.y + 2 * (rect.h + 4 * k)

    def _move_box(self, row: int, axis: int, value: float) -> None:
        draft = self.draft
        part = draft.parts[self.part] if draft is not None else None
        if draft is None or part is None or part.box is None:
            return
        if not math.isfinite(value):
            raise UserError("Type a number, such as 1.5.")
        corners = [list(corner) for corner in part.box]
        corners[row][axis] = value
        (a, b, c), (d, e, f) = corners
        self._set(draft.with_part(self.part, replace(part, box=((a, b, c), (d, e, f)))))

    def _verdict(self, ui: Widgets, rect: Rect) -> None:
        """What speaks against it or is to be known, and saving."""
        k = ui.pen.size
        cut = self.cut if self.cut is not None and self.draft is not None and self.cut.fits(self.draft) else None
        against = problems(self.draft, cut.made) if cut is not None and self.draft is not None else []
        known = doubts(self.draft, cut.made) if cut is not None and self.draft is not None else []
        save = Rect(rect.right - 150 * k, rect.bottom - 38 * k, 150 * k, 38 * k)
        locked = "It is being saved" if self.doing == "save" else "" if cut is not None else "It is being cut"
        if self.is_working:
            room = Rect(rect.x, save.y - 3 * k, save.x - rect.x - 12 * k, 44 * k)
            self._progress(ui, room, "Saving ..." if self.doing == "save" else "Cutting ...", self.done)
        tip = "Into your folder of terrain; then it can be put on the table like any other"
        if ui.button(
            save, "Save the piece##scan-save", primary=True, locked=locked or next(iter(against), ""), tip=tip
        ):
            self.desktop.later(self._save)
        room = Rect(rect.x, rect.y, rect.w, save.y - rect.y - 6 * k)
        texts = [*((text, theme.NO) for text in (*self.said, *against)), *((text, theme.SOFT) for text in known)]
        heights = [ui.pen.measure(text, "caption", room.w - 34 * k)[1] + 5 * k for text, _ in texts]
        with ui.scrolled("scan-said", room, sum(heights)) as top:
            y = top
            for (text, colour), tall in zip(texts, heights, strict=True):
                ui.pen.icon("warning", room.x + 7 * k, y + 8 * k, 12 * k, colour)
                ui.paragraph(room.x + 20 * k, y + 1, room.w - 34 * k, text, "caption", colour)
                y += tall

    def _save(self) -> None:
        draft, cut = self.draft, self.cut
        if draft is not None and cut is not None and cut.fits(draft):
            self._begin("save", partial(_saving, draft, cut.made))

    def problem(self, texts: tuple[str, ...]) -> bool:
        self.said = texts
        return True

    def summary(self) -> dict[str, str]:
        return {"scan": self.path, "said": " ".join(self.said)}


def _upper(draft: ScanDraft) -> Box:
    """The upper half of a scan, to begin with."""
    # A little larger than the scan, so that nothing at its rim is left out by rounding.
    long, wide, high = (math.ceil(value * 50 + 1) / 50 for value in draft.size)
    return (-long / 2, -wide / 2, round(high / 2, 2)), (long / 2, wide / 2, high)
