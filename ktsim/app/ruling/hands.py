"""The pointer's dealings with the ruling table: what it carries, drags, lays and picks.

Places are in the interface's units. Nothing is decided here: whether somebody can stand somewhere is asked of the
rules of moving, whether a piece fits of the killzones, and what is measured of sight.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from ktsim.app.ruling.arranging import Arranging
from ktsim.app.ruling.grouping import Grouping
from ktsim.app.ruling.marks import RANGES, End, Point, RangeRing, Tape
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.rims import RimTool, new_operative
from ktsim.app.ruling.state import TEAMS
from ktsim.app.ruling.wall_drawing import WallDrawing
from ktsim.app.stage.overlays import Overlay
from ktsim.app.stage.picture import CLICK, TablePicture
from ktsim.app.ui.rect import Place
from ktsim.errors import UserError
from ktsim.killzones.footprints import edge_turn, hung
from ktsim.killzones.loose_pieces import LoosePiece, misfit
from ktsim.killzones.scene_pieces import piece_of, pieces_of
from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.standing import can_stand
from ktsim.rules.moving.walk import Walker
from ktsim.sight.part_names import readable
from ktsim.sight.scene import Operative, Scene

Tool: TypeAlias = Literal["select", "tape", "ring", "rim", "wall"]
Held: TypeAlias = Literal["camera", "operative", "piece", "smoke", "origin", "tape", "carry", "wall", "group", "box"]
NEAR_SPOT, LEAST_SPOT = 14.0, 6.0
"""How near the pointer must be to a spot to take it, in units of the interface, and what is too little to be taken."""

SPOT_OF_BASE = 0.4
"""The share of a base's size that the origin on it may take up: the rest is for the operative."""

LEAST_AIM = 0.4
"""Inches that the pointer must be dragged from where something was pressed down to turn it."""


@dataclass(frozen=True)
class Carry:
    """What the pointer is about to put down: an operative of a team, a terrain piece by its name, or smoke."""

    kind: Literal["operative", "piece", "smoke"]
    name: str = ""
    turn: float = 0.0
    is_offered: bool = False
    """Whether nobody asked for it: it is put away as soon as somebody is on the table."""
    is_dragged: bool = False
    """Whether it was dragged out of the tray: then letting go puts it down."""
    corner: int | None = None
    """The corner of its foot by which a piece is held, by its number; by its middle otherwise."""


@dataclass(frozen=True)
class Hover:
    """Where what is carried or dragged would stand, and why it cannot."""

    what: Operative | LoosePiece | Point
    problem: str | None
    corner: int | None = None
    """The corner by which a piece is held, by its number."""

    @property
    def at(self) -> Point:
        if isinstance(self.what, Operative):
            return self.what.x, self.what.y, self.what.level
        return self.what.at if isinstance(self.what, LoosePiece) else self.what


class Hands:
    """What one pointer does on one table."""

    def __init__(self, model: TableModel, picture: TablePicture) -> None:
        self.model, self.picture = model, picture
        self.tool: Tool = "select"
        self.inches = RANGES[2]
        """Of the next range ring."""
        self.carry: Carry | None = None
        self.hover: Hover | None = None
        self.tape: Tape | None = None
        """The tape being laid."""
        self.may_ask: Callable[[], bool] = lambda: True
        """Whether the engine is ready to be asked."""
        self.later: Callable[[Callable[[], object]], object] = lambda run: run()
        """Does something after the frame in which it was asked for, and tells what was wrong with it."""
        self.aim: Callable[[Place], bool] = lambda at: False
        """Takes a click on the table for something else than selecting. Returns whether it did."""
        self.origin: Callable[[], Point | None] = lambda: None
        """The origin that is shown, if one is."""
        self.arrange = Arranging(model, self.refusal)
        self.walls = WallDrawing(model)
        self.grouping = Grouping(model, picture, self._refusal_in)
        self.rims = RimTool(model, picture, self.refusal)
        self.box: tuple[Place, Place] | None = None
        """The corners of the box that is drawn around what is to be selected."""
        self._drags = 0
        self._hold: tuple[Held, Place] | None = None
        self._grabbed: tuple[str, float, float] = ("", 0.0, 0.0)
        self._legal: Operative | None = None
        """Where the operative being dragged could last stand."""
        self._moved = self._is_left = False
        self._clicked = ""
        """The killzone's piece under the press. A click selects it and only then is it dragged: whoever turns the table
        by what stands on it does not want it moved."""

    # ---- what there is to do --------------------------------------------------------------------------------
    def take(self, carry: Carry | None) -> None:
        """Carry something, or nothing."""
        self.carry, self.hover = carry, None
        if self._hold is not None and self._hold[0] == "carry":
            self._hold = None
        self.tool, self.tape, self.rims.clicked = "select", None, ()
        self.walls.put_away()

    def use(self, tool: Tool) -> None:
        """Take up a tool; the one in use is put down."""
        self.tool = "select" if self.tool == tool else tool
        self.carry = self.hover = self.tape = None
        self.rims.clicked = ()
        self.walls.put_away()

    def back(self) -> bool:
        """Back out of the innermost thing that is going on."""
        if self.carry is not None:
            self.take(None)
        elif self.is_dragging:
            self._give_up()
        elif self.tape is not None or self.rims.clicked:
            self.tape, self.rims.clicked = None, ()
        elif self.tool != "select":
            self.use(self.tool)
        else:
            return False
        return True

    def _give_up(self) -> None:
        """Put back what is being dragged."""
        assert self._hold is not None
        kind, self._hold, self.hover, self.tape = self._hold[0], None, None, None
        self.grouping.shown, self.box = (), None
        if kind in ("operative", "smoke"):
            self.model.undo()  # a drag is one step
        elif kind == "origin":
            self.model.origin = None

    @property
    def is_dragging(self) -> bool:
        """Whether something on the table is being dragged."""
        return self._hold is not None and self._hold[0] != "camera" and self._moved

    @property
    def held(self) -> str:
        """What the pointer holds, and whether it has been moved, for whoever watches from outside."""
        kind = self._hold[0] if self._hold is not None else "nothing"
        return f"{kind}, moved" if self.is_dragging else kind

    # ---- what may stand where -------------------------------------------------------------------------------
    def refusal(self, one: Operative) -> str | None:
        """Why an operative cannot stand where it is, as a sentence; None when it can, or nobody can be asked yet."""
        return self._refusal_in(one, self.model.scene)

    def _refusal_in(self, one: Operative, scene: Scene) -> str | None:
        if not self.may_ask():
            return None
        text = can_stand(ground_of(scene), Walker(one, scene), one.x, one.y, one.level)
        if text is None:
            return None
        named = readable(text, scene.terrain)
        return named[:1].upper() + named[1:]

    def _carried(self, at: Place) -> Hover | None:
        """What is carried, where it would stand: under the pointer, or where that was pressed and turned towards it."""
        carry = self.carry
        assert carry is not None
        start = self._hold[1] if self._hold is not None and self._hold[0] == "carry" else at
        picked = self.picture.under(start)
        if picked is None:
            return None
        spot = picked.point
        if not picked.standable:
            flat = self.picture.on_level(start, 0.0)
            if flat is None:
                return None
            spot = (*flat, 0.0)
        spot = (*self.model.snap.on_grid(*spot[:2]), spot[2])
        aimed = self._aimed(spot, at) if self._moved and start != at else None
        if carry.kind == "operative":
            turn = carry.turn if aimed is None else aimed - (0.0 if carry.name == "blue" else 180.0)
            one = new_operative(self.model, carry.name, self.model.base, spot, turn)
            problem = None if picked.standable else "Nobody can stand there: choose the floor or a Vantage level."
            return Hover(one, problem or self.refusal(one))
        if carry.kind == "piece":
            corner = carry.corner
            turn = carry.turn if aimed is None else aimed - edge_turn(corner or 0)
            piece = self.model.new_piece(carry.name, *spot, round(turn % 360, 2))
            piece = piece if corner is None else hung(piece, corner, spot[:2])
            piece = self.model.snap.beside(self.model.state.file, piece)
            return Hover(piece, misfit(self.model.scene, piece.feature()), corner)
        return Hover(spot, None)

    def _aimed(self, spot: Point, at: Place) -> float | None:
        """Degrees from a place towards the pointer; None while that is too near to tell."""
        flat = self.picture.on_level(at, spot[2])
        if flat is None or math.dist(flat, spot[:2]) < LEAST_AIM:
            return None
        degrees = math.degrees(math.atan2(flat[1] - spot[1], flat[0] - spot[0]))
        return 90.0 * round(degrees / 90) if self.model.grid else degrees

    def other_corner(self) -> None:
        """Hold the piece that is carried by its next corner, after the last by its middle."""
        if self.carry is not None and self.carry.kind == "piece":
            number = self.carry.corner
            self.carry = replace(self.carry, corner=0 if number is None else number + 1 if number < 3 else None)

    def put_down(self, at: Place) -> None:
        """Put down what is carried. Raises UserError when it cannot stand there."""
        carry, found = self.carry, self._carried(at)
        if carry is None or found is None:
            raise UserError("That is not on the board.")
        if found.problem is not None:
            raise UserError(found.problem)
        if isinstance(found.what, Operative):
            self.model.add(found.what.team, *found.at, found.what.turn)
        elif isinstance(found.what, LoosePiece):
            self.model.put_piece(found.what)
        else:
            self.model.add_smoke(*found.what)
        self.take(self.offer() if carry.kind == "operative" else None)

    def offer(self) -> Carry | None:
        """The first things to do are in hand already: an operative of the first team while there is none of any, and
        after that one of the second."""
        teams = [one.team for one in self.model.scene.operatives]
        if teams not in ([], [TEAMS[0]]):
            return None
        return Carry("operative", TEAMS[len(teams)], is_offered=True)

    # ---- the pointer ----------------------------------------------------------------------------------------
    @property
    def sketch(self) -> tuple[Overlay, ...]:
        """What is drawn of what is about to be done."""
        return self.walls.shown if self.tool == "wall" else self.grouping.shown

    def press(self, button: str, at: Place, shift: bool, control: bool = False) -> None:
        """A button went down over the table."""
        self._moved, self._clicked, self._is_left = False, "", button == "mouse1" and not shift
        if self.picture.grab(button, at, shift):
            self._hold = ("camera", at)
        elif self.carry is not None:
            self._hold = ("carry", at)
        elif self.tool == "tape":
            self._lay_tape(at)
        elif self.tool == "ring":
            self._lay_ring(at)
        elif self.tool == "rim":
            self.rims.click(at)
        elif self.tool == "wall":
            self.walls.press(self.picture.on_level(at, 0.0))
            self._hold = ("wall", at)
        elif control:
            self._choose_more(at)
        else:
            self._grab(at)

    def _choose_more(self, at: Place) -> None:
        """With Ctrl held: a thing more or less, or a box around them."""
        what = self.grouping.under(at)
        if what is not None:
            self.grouping.toggle(what)
        else:
            self._hold, self.box = ("box", at), (at, at)

    def _grab(self, at: Place) -> None:
        model, picture = self.model, self.picture
        self._drags += 1
        if self._is_at_origin(at):
            self._hold = ("origin", at)
            return
        if self.grouping.is_several and self.grouping.under(at) in self.grouping.members:
            self._hold = ("group", at)
            return
        picked = picture.under(at)
        smoke = self.grouping.smoke_at(at)
        if picked is not None and picked.kind == "operative":
            one = model.scene.operative(picked.id)
            model.select(one.id)
            self._take_hold("operative", at, one.id, (one.x, one.y, one.level))
            self._legal = one if self.refusal(one) is None else None
        elif smoke is not None:
            model.select_thing(("smoke", str(smoke)))
            self._take_hold("smoke", at, str(smoke), model.scene.smoke[smoke])
        elif picked is not None and picked.kind == "part":
            id = picked.id.split("/")[0]
            piece = piece_of(model.state.file, id)
            if piece is not None and (model.state.thing == ("piece", id) or piece in pieces_of(model.state.file)):
                model.select_thing(("piece", id))
                self._take_hold("piece", at, id, piece.at)
            elif piece is not None:
                self._turn_table(at)
                self._clicked = id
            elif model.toggle(id):
                self._hold = None
            else:
                self._turn_table(at)
        else:
            self._turn_table(at)

    def _turn_table(self, at: Place) -> None:
        self.model.select(None)
        self.picture.turn_with(at)
        self._hold = ("camera", at)

    def _take_hold(self, kind: Literal["operative", "piece", "smoke"], at: Place, id: str, spot: Point) -> None:
        # The point of its level under the pointer keeps its distance from the middle of what is held.
        start = self.picture.on_level(at, spot[2]) or spot[:2]
        dx, dy = spot[0] - start[0], spot[1] - start[1]
        self._grabbed = (id, dx, dy) if math.hypot(dx, dy) < 6 else (id, 0.0, 0.0)
        self._hold = (kind, at)

    def _is_at_origin(self, at: Place) -> bool:
        """Whether the pointer is at the origin that is shown; from afar it is always at the shooter instead."""
        origin, shooter = self.origin(), self.model.operative(self.model.state.shooter)
        if origin is None or shooter is None:
            return False
        (place,) = self.picture.places([origin])
        reach = min(NEAR_SPOT, SPOT_OF_BASE * self.picture.size_of(shooter))
        return place is not None and reach >= LEAST_SPOT and math.dist(place, at) < reach

    def move(self, at: Place) -> None:
        """The pointer moved; whatever is held or carried follows it."""
        if self._hold is not None and math.dist(at, self._hold[1]) >= CLICK and self._hold[0] == "carry":
            self._moved = True
        if self.carry is not None:
            self.hover = self._carried(at)
        if self.tape is not None:
            end = self._end(at)
            if end is not None:
                self.tape = replace(self.tape, end=end)
        if self.tool == "wall" and (self._hold is None or self._hold[0] == "wall"):
            self.walls.move(self.picture.on_level(at, 0.0))
        if self._hold is None or self._hold[0] in ("carry", "wall"):
            return
        kind, start = self._hold
        if not self._moved and max(abs(at[0] - start[0]), abs(at[1] - start[1])) < CLICK:
            return
        self._moved = True
        if kind == "camera":
            self.picture.drag(at)
        elif kind == "operative":
            self._drag_operative(at)
        elif kind == "piece":
            self._drag_piece(at)
        elif kind == "smoke":
            self._drag_smoke(at)
        elif kind == "origin":
            self._drag_origin(at)
        elif kind == "box":
            self.box = (start, at)
        elif kind == "group":
            self.grouping.show_at(*self.grouping.shift(start, at))

    def _drag_operative(self, at: Place) -> None:
        id, dx, dy = self._grabbed
        one = self.model.operative(id)
        where = self.picture.standing_at(at, one) if one is not None else None
        if one is None or where is None:
            return
        self.model.move(id, *self.model.snap.on_grid(where[0] + dx, where[1] + dy), where[2], self._drags)
        moved = self.model.scene.operative(id)
        problem = self.refusal(moved)
        self.hover = Hover(moved, problem) if problem is not None else None
        if problem is None:
            self._legal = moved

    def _drag_piece(self, at: Place) -> None:
        id, dx, dy = self._grabbed
        piece = piece_of(self.model.state.file, id)
        flat = self.picture.on_level(at, piece.at[2]) if piece is not None else None
        if piece is not None and flat is not None:
            x, y = self.model.snap.on_grid(flat[0] + dx, flat[1] + dy)
            moved = replace(piece, at=(round(x, 4), round(y, 4), piece.at[2]))
            moved = self.model.snap.beside(self.model.state.file, moved)
            self.hover = Hover(moved, misfit(self.model.scene, moved.feature()))

    def _drag_smoke(self, at: Place) -> None:
        id, dx, dy = self._grabbed
        z = self.model.scene.smoke[int(id)][2]
        flat = self.picture.on_level(at, z)
        if flat is not None:
            self.model.move_smoke(int(id), *self.model.snap.on_grid(flat[0] + dx, flat[1] + dy), z, self._drags)

    def _drag_origin(self, at: Place) -> None:
        spot = self.origin()
        flat = self.picture.on_level(at, spot[2]) if spot is not None else None
        if flat is not None:
            self.model.try_origin(*flat)

    def release(self, is_over_panel: bool, at: Place | None = None) -> None:
        """A button went up: what was dragged out of the tray is put down unless a panel is there; what cannot stand
        where it was dragged goes back to where it last could. Raises UserError with why."""
        held, moved = self._hold, self._moved
        hover = self.hover
        self.picture.let_go()
        if self.carry is not None:
            self._let_go_of_carried(None if is_over_panel and self.carry.is_dragged else at)
            return
        self._hold = None
        self.hover = None
        self.grouping.shown = ()
        if held is not None and held[0] == "wall":
            self.walls.release()
            return
        if held is not None and held[0] == "box":
            box, self.box = self.box, None
            self.grouping.choose_between(*(box or (held[1], held[1])))
            return
        if held is not None and held[0] == "group" and moved and at is not None:
            self.grouping.move(*self.grouping.shift(held[1], at))
            return
        if held is None or not moved:
            if at is not None and held is not None and not is_over_panel and self._is_left and self.aim(at):
                return
            if self._clicked and held is not None:
                self.model.select_thing(("piece", self._clicked))
            return
        if held[0] == "operative" and hover is not None and self._legal is not None:
            legal = self._legal
            self.model.move(legal.id, legal.x, legal.y, legal.level, self._drags)
            raise UserError(hover.problem or "")
        if held[0] == "piece" and hover is not None and isinstance(hover.what, LoosePiece):
            self.model.put_piece(hover.what)
        if held[0] == "tape":
            self._finish_tape()

    def _let_go_of_carried(self, at: Place | None) -> None:
        """Put down what was pressed or dragged to a place."""
        assert self.carry is not None
        is_pressed, is_dragged = self._hold is not None and self._hold[0] == "carry", self.carry.is_dragged
        try:
            if at is not None and (is_pressed or is_dragged):
                self.put_down(at)
        finally:
            self._hold = None
            if is_dragged:
                self.take(None)

    def wheel(self, notches: int, at: Place, turning: bool) -> None:
        """Nearer or further, or turn what is carried or selected."""
        if turning and self.carry is not None:
            self.carry = replace(self.carry, turn=self.carry.turn + 15.0 * notches)
            self.move(at)
        elif turning:
            self.model.turn_selected(5.0 * notches)
        else:
            self.picture.zoom(notches, at)

    # ---- tapes and rings ------------------------------------------------------------------------------------
    def _end(self, at: Place) -> End | None:
        picked = self.picture.under(at)
        if picked is None:
            return None
        return picked.id if picked.kind == "operative" else picked.point

    def _lay_tape(self, at: Place) -> None:
        """Press and drag, or press twice."""
        end = self._end(at)
        if self.tape is not None:
            self._finish_tape()
        elif end is not None:
            self.tape = Tape(end, end)
            self._hold = ("tape", at)

    def _finish_tape(self) -> None:
        if self.tape is not None and self.tape.start != self.tape.end:
            self.model.add_mark(self.tape)
        self.tape = None

    def _lay_ring(self, at: Place) -> None:
        """A second press on the same one takes the ring away."""
        end = self._end(at)
        if end is None:
            return
        ring = RangeRing(end, self.inches)
        if ring in self.model.state.marks:
            self.model.remove_mark(ring)
        else:
            self.model.add_mark(ring)
