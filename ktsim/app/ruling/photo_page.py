"""The page on which a photo's board is found: its four corners are clicked, and places along its edges where the lens
bends them."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ktsim.app.screens.screen import GAP, Held, Host, Screen
from ktsim.app.stage.underlay import photo_texture
from ktsim.app.ui import theme
from ktsim.app.ui.pen import Rect
from ktsim.app.ui.rect import Place
from ktsim.app.ui.widgets import Widgets
from ktsim.content.picture_file import Picture
from ktsim.errors import UserError
from ktsim.geometry.plane import sides, to_segments
from ktsim.geometry.plane_view import NoView
from ktsim.killzones.scene_photo import DIGITS, MOST_ALONG, ScenePhoto, Spot

NEAR = 12.0
"""How near the pointer must be to a point to take it, in units of the interface."""
PANEL = 300.0
LOUPE = 6.0
"""Pixels of the window for one of the photo in the loupe, while the photo is shown whole."""
LARGEST = 40.0
STEPS = 24
"""Pieces in which a line of the board is drawn over the photo."""
CORNERS = ("near left", "near right", "far right", "far left")


def in_turn(spots: tuple[Spot, ...]) -> tuple[Spot, ...]:
    """Four corners seen in a picture, counter-clockwise as people see it, from the one at the bottom left."""
    x, y = (sum(spot[axis] for spot in spots) / 4 for axis in (0, 1))
    around = sorted(spots, key=lambda spot: -math.atan2(spot[1] - y, spot[0] - x))
    first = min(range(4), key=lambda i: around[i][0] - around[i][1])
    return tuple(around[first:] + around[:first])


def assigned(kept: bytes, size: tuple[int, int], corners: tuple[Spot, ...], at: tuple[Spot, ...]) -> ScenePhoto:
    """The photo in which four corners, clicked in any order, are those of a rectangle. Of the ways in which it can lie,
    the one that a camera could have seen, from the near side. Raises NoView when there is none."""
    spots = in_turn(corners)
    ways = [ScenePhoto(kept, size, spots, (*at[first:], *at[:first])) for first in range(4)]
    likely = min(ways[:2], key=lambda photo: photo.view.doubt())
    same = [photo for photo in ways if photo.at[0] in (likely.at[0], likely.at[2])]
    return min(same, key=lambda photo: photo.view.eye()[1])


class PhotoScreen(Screen):
    """Asks where in a *picture* the rectangles are whose corners on the board *rectangles* gives by name, and gives the
    photo to *found*. One that was found *before* is corrected."""

    name = "photo"

    def __init__(
        self,
        desktop: Host,
        picture: Picture,
        rectangles: dict[str, tuple[Spot, ...]],
        found: Callable[[ScenePhoto], object],
        before: ScenePhoto | None = None,
    ) -> None:
        super().__init__(desktop)
        self.picture, self.rectangles, self._found = picture, rectangles, found
        self.of = next(iter(rectangles))
        """Whose corners are clicked."""
        self.clicked: tuple[Spot, ...] = before.corners if before is not None else ()
        self.photo: ScenePhoto | None = before
        """What has been found so far; None until there are four corners."""
        self.problem_now = ""
        self._texture = photo_texture(picture.pixels)
        self._scale, self._middle = 0.0, (picture.size[0] / 2, picture.size[1] / 2)
        self._hold: tuple[str, int, Place] | None = None
        self._at: Place = (0.0, 0.0)

    def close(self) -> None:
        self.desktop.backend.forget(self._texture)
        self._texture.release_all()

    # ---- where the picture is -------------------------------------------------------------------------------
    @property
    def _frame(self) -> Rect:
        w, h = self.desktop.size
        return Rect(GAP, GAP, w - PANEL * self.desktop.pen.size - 3 * GAP, h - 2 * GAP)

    @property
    def scale(self) -> float:
        """Units of the interface for one pixel of the photo."""
        frame, (w, h) = self._frame, self.picture.size
        return max(self._scale, min(frame.w / w, frame.h / h))

    def place_of(self, spot: Spot) -> Place:
        """Where a pixel of the photo is shown."""
        frame, k, (mx, my) = self._frame, self.scale, self._middle
        return frame.x + frame.w / 2 + (spot[0] - mx) * k, frame.y + frame.h / 2 + (spot[1] - my) * k

    def spot_at(self, at: Place) -> Spot:
        """The pixel of the photo that is shown at a place, kept inside it."""
        frame, k, (mx, my) = self._frame, self.scale, self._middle
        x, y = mx + (at[0] - frame.x - frame.w / 2) / k, my + (at[1] - frame.y - frame.h / 2) / k
        w, h = self.picture.size
        return round(min(max(x, 0.0), w), DIGITS), round(min(max(y, 0.0), h), DIGITS)

    # ---- input ----------------------------------------------------------------------------------------------
    @property
    def _points(self) -> list[tuple[str, int, Spot]]:
        along = self.photo.along if self.photo is not None else ()
        corners = self.photo.corners if self.photo is not None else self.clicked
        return [
            *(("corner", i, spot) for i, spot in enumerate(corners)),
            *(("along", i, spot) for i, (_, spot) in enumerate(along)),
        ]

    def press(self, button: str, at: Place, held: Held) -> None:
        if button != "mouse1" or held.shift:
            self._hold = ("pan", 0, at)
            return
        near = [(math.dist(self.place_of(spot), at), kind, i) for kind, i, spot in self._points]
        distance, kind, i = min(near, default=(math.inf, "", 0))
        if distance < NEAR:
            self._hold = (kind, i, at)
            return
        self._add(self.spot_at(at))
        self._hold = ("corner" if self.photo is None else "", len(self.clicked) - 1, at)

    def _add(self, spot: Spot) -> None:
        if self.photo is None:
            self.clicked = (*self.clicked, spot)
            self._find()
        elif len(self.photo.along) < MOST_ALONG:
            lines = [np.array(line) for line in sides(self.photo.corners)]
            gaps = [float(to_segments(np.array([spot]), a, b)[0]) for a, b in lines]
            side = min(range(4), key=gaps.__getitem__)
            self._change(replace(self.photo, along=(*self.photo.along, (side, spot))))

    def _find(self) -> None:
        """What four corners say."""
        self.photo = None
        self.problem_now = ""
        if len(self.clicked) == 4:
            try:
                self.photo = assigned(self.picture.kept, self.picture.size, self.clicked, self.rectangles[self.of])
            except NoView as error:
                self.clicked = ()
                self.problem_now = f"{error}"

    def _change(self, photo: ScenePhoto) -> None:
        """Take it, unless no board can be seen so."""
        try:
            photo.view.eye()
        except NoView as error:
            self.problem_now = f"{error}"
            return
        self.problem_now = ""
        self.photo, self.clicked = photo, photo.corners

    def pointer(self, at: Place) -> None:
        self._at = at
        if self._hold is None:
            return
        kind, i, last = self._hold
        spot = self.spot_at(at)
        if kind == "pan":
            (mx, my), k = self._middle, self.scale
            self._middle = mx - (at[0] - last[0]) / k, my - (at[1] - last[1]) / k
            self._hold = (kind, i, at)
        elif kind == "corner" and self.photo is None:
            self.clicked = (*self.clicked[:i], spot, *self.clicked[i + 1 :])
        elif kind == "corner" and self.photo is not None:
            corners = self.photo.corners
            self._change(replace(self.photo, corners=(*corners[:i], spot, *corners[i + 1 :])))
        elif kind == "along" and self.photo is not None:
            along = self.photo.along
            self._change(replace(self.photo, along=(*along[:i], (along[i][0], spot), *along[i + 1 :])))
        self.desktop.refresh()

    def release(self, button: str, at: Place) -> None:
        self._hold = None

    def wheel(self, notches: int, at: Place, held: Held) -> None:
        x, y = self.spot_at(at)
        self._scale = min(self.scale * 1.2**notches, LARGEST)
        frame, k = self._frame, self.scale
        self._middle = x - (at[0] - frame.x - frame.w / 2) / k, y - (at[1] - frame.y - frame.h / 2) / k

    def key(self, key: str, held: Held) -> None:
        if key == "enter":
            self.finish()
        elif key == "backspace" or (key == "z" and held.control):
            self.take_back()
        elif key == "r":
            self.turn()

    def back(self) -> bool:
        if self._hold is not None or not self.clicked or self.photo is not None:
            return False
        self.clicked = ()
        return True

    # ---- what buttons do ------------------------------------------------------------------------------------
    def take_back(self) -> None:
        """The last point that was clicked."""
        if self.photo is not None and self.photo.along:
            self._change(replace(self.photo, along=self.photo.along[:-1]))
        else:
            self.clicked = self.clicked[:-1]
            self._find()

    def turn(self) -> None:
        """The board lies the other way round: what is taken for its near left corner is the next one."""
        if self.photo is not None:
            at = self.photo.at
            self._change(replace(self.photo, at=(*at[1:], at[0])))

    def choose(self, name: str) -> None:
        """The corners are those of another rectangle."""
        self.of = name
        self._find()

    def finish(self) -> None:
        if self.photo is None:
            raise UserError(self._asked)
        self._found(self.photo)
        self.desktop.pop(self)

    # ---- drawing --------------------------------------------------------------------------------------------
    @property
    def _asked(self) -> str:
        left = 4 - len(self.clicked)
        whose = "the board" if self.of == next(iter(self.rectangles)) else f"the {self.of}"
        if self.photo is None:
            return f"Click the four corners of {whose} where they touch the floor, one after another: {left} to go."
        return "Where the line leaves the board's edge the lens bends it: click the edge there, two places are enough."

    def draw(self, ui: Widgets) -> None:
        w, h = self.desktop.size
        ui.pen.box(Rect(0, 0, w, h), theme.INK, None, radius=0)
        (x0, y0), (x1, y1) = (self.place_of(spot) for spot in ((0, 0), self.picture.size))
        shown = self.desktop.backend.picture(self._texture)
        frame = self._frame
        with ui.pen.within(frame):
            ui.pen.image(shown, Rect(x0, y0, x1 - x0, y1 - y0))
            self._draw_board(ui)
            for kind, i, spot in self._points:
                x, y = self.place_of(spot)
                ui.pen.ring(x, y, 7 * ui.pen.size, theme.ACCENT if kind == "corner" else theme.TEXT)
                if kind == "corner" and self.photo is not None:
                    name = CORNERS[self.rectangles[self.of].index(self.photo.at[i])] if self._is_whole else ""
                    ui.pen.put(x + 12 * ui.pen.size, y - 12 * ui.pen.size, name, "caption", theme.TEXT)
        self._draw_panel(ui, Rect(frame.right + GAP, GAP, PANEL * ui.pen.size, h - 2 * GAP))

    @property
    def _is_whole(self) -> bool:
        return self.photo is not None and set(self.photo.at) == set(self.rectangles[self.of])

    def _draw_board(self, ui: Widgets) -> None:
        """The rectangle, and a line every inch of its sides' quarters, as the lens would show them."""
        if self.photo is None:
            places = [self.place_of(spot) for spot in self.clicked]
            if len(places) > 1:
                ui.pen.line(places, theme.ACCENT, 1.5)
            return
        a, b, c, d = (np.array(corner) for corner in self.photo.at)
        shares = np.linspace(0, 1, STEPS + 1)[:, None]
        for part in (0.0, 0.25, 0.5, 0.75, 1.0):
            colour, thick = (theme.ACCENT, 2.0) if part in (0.0, 1.0) else (theme.TEXT, 1.0)
            for start, end in ((a + (d - a) * part, b + (c - b) * part), (a + (b - a) * part, d + (c - d) * part)):
                seen = self.photo.view.seen(start + (end - start) * shares)
                ui.pen.line([self.place_of((x, y)) for x, y in seen.tolist()], colour, thick)

    def _draw_panel(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        with ui.panel("photo", rect):
            x, width = rect.x + 16 * k, rect.w - 32 * k
            ui.text(x, rect.y + 28 * k, "Where is the board?" if len(self.rectangles) == 1 else "Where is it?", "h2")
            y = rect.y + 54 * k
            if len(self.rectangles) > 1:
                options = [(name, name) for name in self.rectangles]
                tip = "Whose four corners are clicked"
                if (chosen := ui.choice(Rect(x, y, width, 36 * k), options, self.of, "corners-of", tip)) is not None:
                    self.choose(chosen)
                y += 46 * k
            y += ui.paragraph(x, y, width, self._asked) + 10 * k
            if self.problem_now:
                ui.pen.icon("warning", x + 8 * k, y + 9 * k, 15 * k, theme.NO)
                words = f"{self.problem_now[:1].upper()}{self.problem_now[1:]}."
                y += ui.paragraph(x + 24 * k, y, width - 24 * k, words) + 10 * k
            words = "Wheel: nearer. Shift or right drag: move it. Points can be dragged."
            y += ui.paragraph(x, y, width, words, "caption", theme.SOFT) + 10 * k
            foot = rect.bottom - 16 * k - 40 * k
            self._buttons(ui, Rect(x, foot - 46 * k, width, 86 * k))
            self._loupe(ui, Rect(x, y, width, min(width, foot - 60 * k - y)))

    def _buttons(self, ui: Widgets, rect: Rect) -> None:
        k = ui.pen.size
        half, tall = (rect.w - 6 * k) / 2, 38 * k
        first, second = rect.y, rect.y + tall + 8 * k
        none = "Click the four corners first"
        locked = "" if self.clicked else "There is no point to take back"
        tip = "Take the last point back (Backspace)"
        if ui.button(Rect(rect.x, first, half, tall), "Take back##take-back", locked=locked, tip=tip):
            self.take_back()
        tip = "The near left corner is another one (R)"
        cell = Rect(rect.x + half + 6 * k, first, half, tall)
        if ui.button(cell, "Turn##turn-photo", locked="" if self.photo is not None else none, tip=tip):
            self.turn()
        if ui.button(Rect(rect.x, second, half, tall), "Cancel##cancel-photo", key="Esc"):
            self.desktop.later(lambda: self.desktop.pop(self))
        cell = Rect(rect.x + half + 6 * k, second, half, tall)
        locked = "" if self.photo is not None else none
        if ui.button(cell, "Done##photo-done", primary=True, locked=locked, key="Enter"):
            self.desktop.later(self.finish)

    def _loupe(self, ui: Widgets, rect: Rect) -> None:
        """What is under the pointer, larger."""
        if rect.h < 60 * ui.pen.size:
            return
        w, h = self.picture.size
        x, y = self.spot_at(self._at)
        k = max(LOUPE, 2.5 * self.scale)
        half = rect.w / 2 / k, rect.h / 2 / k
        x, y = min(max(x, half[0]), w - half[0]), min(max(y, half[1]), h - half[1])
        part = Rect((x - half[0]) / w, (y - half[1]) / h, 2 * half[0] / w, 2 * half[1] / h)
        ui.pen.image(self.desktop.backend.picture(self._texture), rect, part)
        px, py = self.spot_at(self._at)
        cx, cy = rect.x + (px - x + half[0]) * k, rect.y + (py - y + half[1]) * k
        with ui.pen.within(rect):
            ui.pen.line([(cx - 14, cy), (cx + 14, cy)], theme.ACCENT, 1.5)
            ui.pen.line([(cx, cy - 14), (cx, cy + 14)], theme.ACCENT, 1.5)
        ui.pen.box(rect, None, theme.LINE)
