"""A scan from two sides: pictures of its parts, made beside the window, and over them the boxes, to be dragged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from panda3d.core import Texture

from ktsim.app.screens.screen import Host
from ktsim.app.stage.underlay import photo_texture
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect, V
from ktsim.app.ui.rect import Place
from ktsim.app.ui.theme import u32
from ktsim.app.ui.widgets import Widgets
from ktsim.killzones.scans import Box, Corner, ScanCut, ScanDraft

COLOURS = ("#8FB8C6", "#D9A441", "#A98BC9", "#7DB57A", "#D98880", "#9AA7B0")
PIXELS = 340
"""Of the longer side of a picture."""
SAMPLES = 10
"""Places of the surface that are looked at for each pixel."""
MOST_SAMPLES = 1_000_000
NEAR = 9.0
"""How near the pointer must be to the edge of a box to take it, in units of the interface."""
GRAIN = 0.02
"""Inches; dragged boxes end at whole ones of these."""
LEAST = 0.06
"""How long and wide a dragged box is at least, in inches."""


class ScanView(NamedTuple):
    """A side: its title, the axes to the right, upwards and towards the viewer, and which way that one goes."""

    title: str
    across: int
    up: int
    depth: int
    way: float


VIEWS = (ScanView("From above", 0, 1, 2, 1.0), ScanView("From the front", 0, 2, 1, -1.0))


def colour_of(number: int) -> str:
    """The colour of a part."""
    return COLOURS[number % len(COLOURS)]


def pictures(draft: ScanDraft, made: ScanCut) -> tuple[NDArray[np.uint8], ...]:
    """The parts from each side, each in its colour, pixels (height, width, 3) from the top. What is nearest is seen."""
    triangles = np.concatenate(made.parts)
    numbers = np.repeat(np.arange(len(made.parts)), [len(part) for part in made.parts])
    size = draft.size
    return tuple(_picture(view, triangles, numbers, size) for view in VIEWS)


def _picture(
    view: ScanView, triangles: NDArray[np.float64], numbers: NDArray[np.intp], size: Corner
) -> NDArray[np.uint8]:
    scale = PIXELS / max(size[view.across], size[view.up], 1e-9)
    wide, tall = (max(2, round(size[axis] * scale)) for axis in (view.across, view.up))
    ground = np.array(theme.channels(theme.INK))
    image = np.tile(ground, (tall, wide, 1)).astype(np.uint8)
    one, two = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    normals = np.cross(one, two)
    areas = np.linalg.norm(normals, axis=1)
    total = np.cumsum(areas)
    if not len(total) or total[-1] <= 0:
        return image
    # Evenly over the whole surface, so that as few as possible leave no hole.
    count = min(SAMPLES * wide * tall, MOST_SAMPLES)
    at = np.arange(count)
    which = np.minimum(np.searchsorted(total, (at + 0.5) / count * total[-1]), len(total) - 1)
    u, v = (at * 0.7548776662466927) % 1, (at * 0.5698402909980532) % 1
    over = u + v > 1
    u, v = np.where(over, 1 - u, u)[:, None], np.where(over, 1 - v, v)[:, None]
    places = triangles[which, 0] + u * one[which] + v * two[which]
    order = np.argsort(places[:, view.depth] * view.way, kind="stable")
    places, which = places[order], which[order]
    columns = ((places[:, view.across] + size[view.across] / 2) * scale).astype(np.intp).clip(0, wide - 1)
    foot = 0.0 if view.up == 2 else size[view.up] / 2
    rows = (tall - 1 - ((places[:, view.up] + foot) * scale).astype(np.intp)).clip(0, tall - 1)
    light = 0.35 + 0.6 * np.abs(normals[:, view.depth]) / np.maximum(areas, 1e-12)
    paints = np.array([theme.channels(colour) for colour in COLOURS])[numbers % len(COLOURS)] * light[:, None]
    image[rows, columns] = paints[which].astype(np.uint8)  # of several at one place the last, which is the nearest
    seen = np.zeros((tall, wide), dtype=bool)
    seen[rows, columns] = True
    _fill(image, seen)
    return image


def _fill(image: NDArray[np.uint8], seen: NDArray[np.bool_]) -> None:
    """Pixels that no sample met, between two that were."""
    for before, middle, after in (
        (np.s_[:, :-2], np.s_[:, 1:-1], np.s_[:, 2:]),
        (np.s_[:-2], np.s_[1:-1], np.s_[2:]),
    ):
        holes = ~seen[middle] & seen[before] & seen[after]
        image[middle][holes] = image[before][holes]
        seen[middle] |= holes


@dataclass(frozen=True)
class Grip:
    """What of a box is held in a view: at each axis its lower end (0), its upper one (1), both or neither; from where,
    in inches; and the box then."""

    view: int
    ends: tuple[tuple[int, ...], ...]
    at: Place
    box: Box


def gripped(box: Box, view: ScanView, at: Place, near: float) -> tuple[tuple[int, ...], ...] | None:
    """What of a box a place of the view takes, in inches: an edge, a corner, or inside it the whole."""
    ends: list[tuple[int, ...]] = [(), (), ()]
    for axis, value in ((view.across, at[0]), (view.up, at[1])):
        low, high = box[0][axis], box[1][axis]
        if not low - near <= value <= high + near:
            return None
        within = min(near, (high - low) / 4)
        ends[axis] = (0,) if value <= low + within else (1,) if value >= high - within else ()
    if not any(ends):
        ends[view.across] = ends[view.up] = (0, 1)
    return tuple(ends)


def dragged(grip: Grip, at: Place) -> Box:
    """The box whose grip has been brought to a place of its view: never turned inside out."""
    view, corners = VIEWS[grip.view], [list(corner) for corner in grip.box]
    for axis, value, start in ((view.across, at[0], grip.at[0]), (view.up, at[1], grip.at[1])):
        for end in grip.ends[axis]:
            corners[end][axis] = round(round((grip.box[end][axis] + value - start) / GRAIN) * GRAIN, 4)
        if len(grip.ends[axis]) == 1:
            if grip.ends[axis][0] == 0:
                corners[0][axis] = min(corners[0][axis], corners[1][axis] - LEAST)
            else:
                corners[1][axis] = max(corners[1][axis], corners[0][axis] + LEAST)
    (a, b, c), (d, e, f) = corners
    return (a, b, c), (d, e, f)


class ScanViews:
    """Draws the two views of a scan that was cut, and gives boxes that were dragged to *move*."""

    def __init__(self, desktop: Host, move: Callable[[int, Box], object], choose: Callable[[int], object]) -> None:
        self.desktop, self.move, self.choose = desktop, move, choose
        self.grip: Grip | None = None
        self._textures: list[Texture] = []

    def show(self, images: Sequence[NDArray[np.uint8]]) -> None:
        """New pictures, one for each view."""
        self.forget()
        self._textures = [photo_texture(image) for image in images]

    def forget(self) -> None:
        for texture in self._textures:
            self.desktop.backend.forget(texture)
            texture.release_all()
        self._textures = []

    def draw(self, ui: Widgets, rect: Rect, draft: ScanDraft, chosen: int) -> None:
        k = ui.pen.size
        tall = (rect.h - 8 * k) / 2
        is_held = False
        for i, view in enumerate(VIEWS):
            is_held |= self._view(ui, Rect(rect.x, rect.y + i * (tall + 8 * k), rect.w, tall), i, view, draft, chosen)
        if not is_held:
            self.grip = None

    def _view(self, ui: Widgets, rect: Rect, number: int, view: ScanView, draft: ScanDraft, chosen: int) -> bool:
        k, size = ui.pen.size, draft.size
        ui.pen.box(rect, theme.INK, theme.LINE)
        room = Rect(rect.x + 14 * k, rect.y + 28 * k, rect.w - 28 * k, rect.h - 42 * k)
        long, high = size[view.across], size[view.up]
        scale = min(room.w / max(long, 1e-6), room.h / max(high, 1e-6))
        foot = high / 2 if view.up == 2 else 0.0
        x0, y0 = room.x + room.w / 2, room.y + room.h / 2 + foot * scale

        def shown(across: float, up: float) -> Place:
            return x0 + across * scale, y0 - up * scale

        def meant(at: Place) -> Place:
            return (at[0] - x0) / scale, (y0 - at[1]) / scale

        hold = ui.handle(rect, f"scan-view-{number}")
        if hold is not None:
            self._drag(hold.is_new, meant(hold.at), number, draft, chosen, NEAR * k / scale)
        with ui.pen.within(rect):
            if number < len(self._textures):
                picture = self.desktop.backend.picture(self._textures[number])
                left, top = shown(-long / 2, high if view.up == 2 else high / 2)
                ui.pen.image(picture, Rect(left, top, long * scale, high * scale))
            for other, part in enumerate(draft.parts):
                if part.box is not None:
                    ends = [shown(corner[view.across], corner[view.up]) for corner in part.box]
                    place = Rect.between(*ends)
                    self._outline(ui, place, theme.ACCENT if other == chosen else colour_of(other), other == chosen)
                    ui.place(f"scan-box-{other}-in-{number}", place)
        dragging = ": drag the box, its edges or corners" if draft.parts[chosen].box is not None else ""
        ui.text(rect.x + 10 * k, rect.y + 14 * k, f"{view.title}{dragging}", "caption", theme.SOFT)
        return hold is not None

    def _outline(self, ui: Widgets, place: Rect, colour: str, is_chosen: bool) -> None:
        sheet, k = ui.pen.sheet, ui.pen.size
        sheet.add_rect(
            V(place.x, place.y), V(place.right, place.bottom), u32(colour), 0, thickness=2 if is_chosen else 1
        )
        if is_chosen:
            middle = (place.x + place.w / 2, place.y + place.h / 2)
            for x in (place.x, middle[0], place.right):
                for y in (place.y, middle[1], place.bottom):
                    if (x, y) != middle:
                        ui.pen.box(Rect(x - 4 * k, y - 4 * k, 8 * k, 8 * k), theme.ACCENT, theme.INK, radius=2)

    def _drag(self, is_new: bool, at: Place, number: int, draft: ScanDraft, chosen: int, near: float) -> None:
        """Take the chosen part's box, else choose the part whose box it is; then have what was taken follow."""
        if is_new:
            self.grip = None
            order = [chosen, *(other for other in reversed(range(len(draft.parts))) if other != chosen)]
            for other in order:
                box = draft.parts[other].box
                ends = gripped(box, VIEWS[number], at, near) if box is not None else None
                if box is not None and ends is not None:
                    self.grip = Grip(number, ends, at, box)
                    self.choose(other)
                    return
        elif self.grip is not None and self.grip.view == number:
            box = dragged(self.grip, at)
            if box != draft.parts[chosen].box:
                self.move(chosen, box)
