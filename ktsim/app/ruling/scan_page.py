"""The page on which a scan becomes a terrain piece of one's own: the file, its unit and which way is up, its parts and
their traits, what speaks against it, and saving."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np

from ktsim.app.screens.dialogs import centred, close_button
from ktsim.app.screens.screen import Host, Screen
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect, V
from ktsim.app.ui.theme import u32
from ktsim.app.ui.widgets import Widgets
from ktsim.content.mesh_file import FORMATS, UNITS, BadMesh, read_mesh
from ktsim.content.printable import printable
from ktsim.errors import UserError
from ktsim.geometry.solids import triangles_of
from ktsim.killzones.scans import (
    MOST_PARTS,
    UPS,
    Box,
    ScanDraft,
    ScanPart,
    Soup,
    cut,
    doubts,
    named_after,
    problems,
    save_piece,
    trait_names,
)
from ktsim.killzones.sizes import source_words

COLOURS = ("#8FB8C6", "#D9A441", "#A98BC9", "#7DB57A", "#D98880", "#9AA7B0")
MOST_DRAWN = 2500
"""Triangles of a part that are drawn in a view."""
MOST_OFFERED = 40
VIEWS = (("From above", 0, 1), ("From the front", 0, 2))
"""Titles, and the axes to the right and upwards."""


class ScanJob:
    """A mesh being read beside the window, in a process that nothing in the file can hurt us through."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mesh: Soup | None = None
        self.problem = ""
        self._thread = threading.Thread(target=self._read, daemon=True, name="ktsim-scan")
        self._thread.start()

    def _read(self) -> None:
        try:
            # In the file's own numbers: what they mean is asked later.
            self.mesh = triangles_of(read_mesh(self.path, "mm")) * 25.4
        except BadMesh as error:
            end = "" if str(error).endswith("?") else "."
            self.problem = f"{printable(self.path.name, 60)} {error}{end}"
        except Exception as error:  # whatever a file from outside brings about is said, and the page stays
            self.problem = f"{printable(self.path.name, 60)} cannot be read: {printable(str(error), 80)}."

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()


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
        self.job: ScanJob | None = None
        self.draft: ScanDraft | None = None
        self.part = 0
        """The number of the part that is shown."""
        self.said: tuple[str, ...] = ()
        self._offered = offered_meshes()
        self._cut: tuple[ScanDraft, dict[str, Soup], list[str], list[str]] | None = None
        self._drawn: dict[tuple[str, int], tuple[Soup, Soup]] = {}
        """The triangles of a part that are drawn in a view, by the view's depth, and how much each faces it."""
        if path is not None:
            self.load(path)

    def load(self, path: Path) -> None:
        """Begin to read a file."""
        self.path, self.draft, self.said = str(path), None, ()
        self.job = ScanJob(path.expanduser())

    def attend(self) -> None:
        job = self.job
        if job is None or not job.is_done:
            return
        self.job = None
        if job.mesh is not None:
            self.draft, self.part = ScanDraft(job.mesh, named_after(job.path)), 0
            longest = max(self.draft.size)
            if longest < 0.5:  # a terrain piece of half an inch is one of a file in inches
                self.draft = replace(self.draft, unit="inch")
        self.said = (job.problem,) if job.problem else ()
        self.desktop.refresh()

    def _found(self) -> tuple[ScanDraft, dict[str, Soup], list[str], list[str]]:
        draft = self.draft
        assert draft is not None
        if self._cut is None or self._cut[0] is not draft:
            parts = cut(draft)
            self._cut = (draft, parts, problems(draft, parts), doubts(draft, parts))
            self._drawn.clear()
        return self._cut

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
                self._views(ui, Rect(body.x + left + 16 * k, body.y, body.w - left - 16 * k, body.h))

    def _waiting(self, ui: Widgets, rect: Rect) -> None:
        k, y = ui.pen.size, rect.y
        if self.job is not None:
            ui.text(rect.x, y + 12 * k, "Reading the mesh ...", "strong")
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

    def _set(self, draft: ScanDraft) -> None:
        self.draft, self.said = draft, ()

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
        _, _, against, known = self._found()
        save = Rect(rect.right - 150 * k, rect.bottom - 38 * k, 150 * k, 38 * k)
        tip = "Into your folder of terrain; then it can be put on the table like any other"
        if ui.button(save, "Save the piece##scan-save", primary=True, locked=against[0] if against else "", tip=tip):
            self.desktop.load("the piece", self._save)
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
        if self.draft is None:
            return
        piece = save_piece(self.draft)
        self.desktop.pop(self)
        self.made(piece.name)

    def problem(self, texts: tuple[str, ...]) -> bool:
        self.said = texts
        return True

    # ---- the scan from two sides ----------------------------------------------------------------------------
    def _views(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        tall = (rect.h - 8 * k) / 2
        for i, (title, across, up) in enumerate(VIEWS):
            self._view(ui, Rect(rect.x, rect.y + i * (tall + 8 * k), rect.w, tall), title, across, up)

    def _view(self, ui: Widgets, rect: Rect, title: str, across: int, up: int) -> None:
        k = ui.pen.size
        ui.pen.box(rect, theme.INK, theme.LINE)
        ui.text(rect.x + 10 * k, rect.y + 14 * k, title, "caption", theme.SOFT)
        draft, parts, _, _ = self._found()
        corners = draft.upright().reshape(-1, 3)
        low, high = corners.min(axis=0), corners.max(axis=0)
        room = Rect(rect.x + 12 * k, rect.y + 26 * k, rect.w - 24 * k, rect.h - 38 * k)
        scale = min(room.w / max(high[across] - low[across], 1e-6), room.h / max(high[up] - low[up], 1e-6))
        x0 = room.x + room.w / 2 - (low[across] + high[across]) / 2 * scale
        y0 = room.y + room.h / 2 + (low[up] + high[up]) / 2 * scale
        ui.pen.sheet.push_clip_rect(V(rect.x, rect.y), V(rect.right, rect.bottom), True)
        depth, way = ((2, 1.0), (1, -1.0))[up == 2]
        for number, part in enumerate(draft.parts):
            triangles = parts.get(part.name, corners[:0].reshape(-1, 3, 3))
            if (part.name, depth) not in self._drawn:
                self._drawn[part.name, depth] = _seen(triangles, depth, way)
            seen = self._drawn[part.name, depth]
            self._fill(ui, seen, (across, up), COLOURS[number % len(COLOURS)], (x0, y0, scale))
            if part.box is not None:
                one, two = part.box
                a, b = (V(x0 + point[across] * scale, y0 - point[up] * scale) for point in (one, two))
                colour = theme.ACCENT if number == self.part else COLOURS[number % len(COLOURS)]
                ui.pen.sheet.add_rect(
                    V(a.x, b.y), V(b.x, a.y), u32(colour), 0, thickness=2 if number == self.part else 1
                )
        ui.pen.sheet.pop_clip_rect()

    def _fill(
        self,
        ui: Widgets,
        seen: tuple[Soup, Soup],
        axes: tuple[int, int],
        colour: str,
        place: tuple[float, float, float],
    ) -> None:
        """Triangles and how much each faces the viewer."""
        triangles, facing = seen
        across, up = axes
        x0, y0, scale = place
        xs = x0 + triangles[:, :, across] * scale
        ys = y0 - triangles[:, :, up] * scale
        # Without anti-aliasing: smoothed needles reach far beyond their corners.
        flags, ui.pen.sheet.flags = ui.pen.sheet.flags, 0
        for corner_x, corner_y, light in zip(xs.tolist(), ys.tolist(), facing.tolist(), strict=True):
            a, b, c = (V(px, py) for px, py in zip(corner_x, corner_y, strict=True))
            ui.pen.sheet.add_triangle_filled(a, b, c, u32(colour, 0.35 + 0.6 * light))
        ui.pen.sheet.flags = flags

    def summary(self) -> dict[str, str]:
        return {"scan": self.path, "said": " ".join(self.said)}


def _seen(triangles: Soup, depth: int, way: float) -> tuple[Soup, Soup]:
    """A part's largest triangles, the nearest to the viewer last, and how much each faces the viewer."""
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    areas = np.linalg.norm(normals, axis=1)
    drawn = np.argsort(-areas)[:MOST_DRAWN]
    drawn = drawn[np.argsort(way * triangles[drawn][:, :, depth].mean(axis=1))]
    return triangles[drawn], np.abs(normals[drawn, depth]) / np.maximum(areas[drawn], 1e-12)


def _upper(draft: ScanDraft) -> Box:
    """The upper half of a scan, to begin with."""
    # A little larger than the scan, so that nothing at its rim is left out by rounding.
    long, wide, high = (math.ceil(value * 50 + 1) / 50 for value in draft.size)
    return (-long / 2, -wide / 2, round(high / 2, 2)), (long / 2, wide / 2, high)
