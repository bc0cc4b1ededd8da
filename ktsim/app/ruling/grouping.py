"""Several things selected at once on the ruling table: moved, turned, aligned, mirrored, copied, removed together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Literal, TypeAlias

from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.state import TEAMS, Chosen, TableState, free_name, with_described
from ktsim.app.stage.overlays import Ghost, GhostShape, Overlay
from ktsim.app.stage.picture import TablePicture
from ktsim.app.ui.rect import Place
from ktsim.errors import UserError
from ktsim.geometry.plane import Spot
from ktsim.killzones import scene_pieces
from ktsim.killzones.footprints import foot_on_board
from ktsim.killzones.loose_pieces import LoosePiece, misfit
from ktsim.killzones.operative_reader import extent
from ktsim.sight.part_names import readable
from ktsim.sight.scene import Operative, Scene

Stand: TypeAlias = tuple[float, float, float]
"""Where something is and how it is turned."""
Side: TypeAlias = Literal["left", "right", "near", "far"]
SIDES: tuple[Side, ...] = ("left", "right", "near", "far")
SMOKE_REACH = 0.6
"""Inches around a smoke marker's centre at which it is taken."""
COPY_STEP = 2.0
"""Inches that copies of several things are put beside them."""


class Grouping:
    """What is done with everything that is selected; *refusal* says why an operative cannot stand in a scene."""

    def __init__(
        self, model: TableModel, picture: TablePicture, refusal: Callable[[Operative, Scene], str | None]
    ) -> None:
        self.model, self.picture, self._refusal = model, picture, refusal
        self.shown: tuple[Overlay, ...] = ()
        """Where they would be while they are dragged."""

    @property
    def members(self) -> tuple[Chosen, ...]:
        """What is selected, be it one thing or several."""
        state = self.model.state
        if state.selected is not None:
            return (("operative", state.selected),)
        return (state.thing,) if state.thing is not None else state.group

    @property
    def is_several(self) -> bool:
        return len(self.members) > 1

    # ---- the pointer ----------------------------------------------------------------------------------------
    def under(self, at: Place) -> Chosen | None:
        """What is there that can be selected."""
        picked, smoke = self.picture.under(at), self.smoke_at(at)
        if picked is not None and picked.kind == "operative":
            return "operative", picked.id
        if smoke is not None:
            return "smoke", str(smoke)
        id = picked.id.split("/")[0] if picked is not None and picked.kind == "part" else ""
        return ("piece", id) if scene_pieces.piece_of(self.model.state.file, id) is not None else None

    def smoke_at(self, at: Place) -> int | None:
        """The number of the smoke marker under a place."""
        for number, (x, y, z) in enumerate(self.model.scene.smoke):
            flat = self.picture.on_level(at, z)
            if flat is not None and math.dist(flat, (x, y)) < SMOKE_REACH:
                return number
        return None

    def choose_between(self, a: Place, b: Place) -> None:
        """Select all that is in the box with these corners, too."""
        low, high = ([f(one, two) for one, two in zip(a, b, strict=True)] for f in (min, max))
        everything = self.everything()
        places = self.picture.places([self.place_of(what) for what in everything])
        inside = [
            what
            for what, place in zip(everything, places, strict=True)
            if place is not None and all(low[i] <= place[i] <= high[i] for i in (0, 1))
        ]
        self.choose([*self.members, *inside])

    def shift(self, start: Place, at: Place) -> tuple[float, float]:
        """Inches of the floor between two places, on the grid."""
        a, b = self.picture.on_level(start, 0.0), self.picture.on_level(at, 0.0)
        return self.model.snap.on_grid(b[0] - a[0], b[1] - a[1]) if a is not None and b is not None else (0.0, 0.0)

    # ---- choosing -------------------------------------------------------------------------------------------
    def toggle(self, what: Chosen) -> None:
        """Select a thing besides the others, or not any more."""
        now = self.members
        self.choose([one for one in now if one != what] if what in now else [*now, what])

    def choose(self, chosen: Iterable[Chosen]) -> None:
        """Select these. Selecting is no change of the table: undo does not stop at it."""
        found = tuple(dict.fromkeys(chosen))
        self.model.select(None)
        if len(found) == 1:
            kind, id = found[0]
            self.model.select(id) if kind == "operative" else self.model.select_thing((kind, id))
        else:
            self.model.state = replace(self.model.state, group=found)

    def everything(self) -> list[Chosen]:
        """All that can be selected, with where it is."""
        file = self.model.state.file
        pieces = (*scene_pieces.pieces_of(file), *scene_pieces.own_pieces(file))
        return [
            *(("operative", one.id) for one in file.scene.operatives),
            *(("piece", piece.id) for piece in pieces),
            *(("smoke", str(number)) for number in range(len(file.scene.smoke))),
        ]

    def place_of(self, what: Chosen) -> tuple[float, float, float]:
        kind, id = what
        if kind == "operative":
            one = self.model.scene.operative(id)
            return one.x, one.y, one.level
        return self._piece(id).at if kind == "piece" else self.model.scene.smoke[int(id)]

    def _piece(self, id: str) -> LoosePiece:
        piece = scene_pieces.piece_of(self.model.state.file, id)
        assert piece is not None
        return piece

    # ---- changing -------------------------------------------------------------------------------------------
    def move(self, dx: float, dy: float) -> None:
        """All of them by so many inches. Raises UserError when one cannot stand there."""
        self._apply("move", lambda at: (at[0] + dx, at[1] + dy, at[2]))

    def turn(self, degrees: float) -> None:
        """About their common middle."""
        places = [self.place_of(what) for what in self.members]
        x, y = (sum(place[i] for place in places) / len(places) for i in (0, 1))
        c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        self._apply(
            "turn",
            lambda at: (x + c * (at[0] - x) - s * (at[1] - y), y + s * (at[0] - x) + c * (at[1] - y), at[2] + degrees),
        )

    def align(self, side: Side) -> None:
        """Have their sides on one line with the side of the one that is furthest there."""
        axis, is_low = (0 if side in ("left", "right") else 1), side in ("left", "near")
        ends = {what: self._reach(what)[0 if is_low else 1][axis] for what in self.members}
        goal = min(ends.values()) if is_low else max(ends.values())
        moves = {what: goal - end for what, end in ends.items()}
        state = self.model.state
        for what, far in moves.items():
            step = (far, 0.0) if axis == 0 else (0.0, far)
            state = self._put(state, what, lambda at, step=step: (at[0] + step[0], at[1] + step[1], at[2]))  # type: ignore[misc]
        self._finish("align", state, self.members)

    def _reach(self, what: Chosen) -> tuple[Spot, Spot]:
        """The lowest and the highest x and y of a thing."""
        kind, id = what
        x, y, _ = self.place_of(what)
        if kind == "piece":
            foot = foot_on_board(self._piece(id))
            low, high = (tuple(f(corner[i] for corner in foot) for i in (0, 1)) for f in (min, max))
            return (low[0], low[1]), (high[0], high[1])
        one = self.model.operative(id) if kind == "operative" else None
        rx, ry = extent(one.base, one.turn) if one is not None else (0.0, 0.0)
        return (x - rx, y - ry), (x + rx, y + ry)

    def _apply(self, name: str, how: Callable[[Stand], Stand]) -> None:
        state = self.model.state
        for what in self.members:
            state = self._put(state, what, how)
        self._finish(name, state, self.members)

    def _put(self, state: TableState, what: Chosen, how: Callable[[Stand], Stand]) -> TableState:
        """The table with one thing elsewhere."""
        kind, id = what
        file = state.file
        if kind == "operative":
            one = file.scene.operative(id)
            x, y, turn = how((one.x, one.y, one.turn))
            moved = replace(one, x=round(x, 4), y=round(y, 4), turn=round((turn + 180) % 360 - 180, 4))
            return replace(state, file=replace(file, scene=file.scene.moved(moved)))
        if kind == "piece":
            piece = scene_pieces.piece_of(file, id)
            assert piece is not None
            x, y, turn = how((piece.at[0], piece.at[1], piece.turn))
            put = replace(piece, at=(round(x, 4), round(y, 4), piece.at[2]), turn=round(turn % 360, 4))
            return replace(state, file=scene_pieces.with_piece(file, put))
        spots = list(file.scene.smoke)
        x, y, z = spots[int(id)]
        x, y, _ = how((x, y, 0.0))
        spots[int(id)] = (round(x, 4), round(y, 4), z)
        return replace(state, file=replace(file, scene=replace(file.scene, smoke=tuple(spots))))

    def _finish(self, name: str, state: TableState, put: Iterable[Chosen]) -> None:
        """Take the table over, unless something of what was *put* somewhere cannot be there."""
        scene = state.scene
        width, depth = scene.terrain.board
        for kind, id in put:
            if kind == "operative":
                why = self._refusal(scene.operative(id), scene)
            elif kind == "piece":
                why = misfit(scene, next(one for one in scene.terrain.features if one.id == id))
            else:
                x, y, _ = scene.smoke[int(id)]
                why = None if 0 <= x <= width and 0 <= y <= depth else "The smoke would lie beside the board."
            if why is not None:
                raise UserError(f"{id}: {readable(why, scene.terrain)}" if kind != "smoke" else why)
        self.model.check_floors(scene)
        self.model.change(f"{name} {len(tuple(put))} things", state)

    def remove(self) -> None:
        """Take all of them off the table."""
        members = self.members
        file = self.model.state.file
        gone = {id for kind, id in members if kind == "operative"}
        clouds = {int(id) for kind, id in members if kind == "smoke"}
        for kind, id in members:
            file = scene_pieces.without_piece(file, id) if kind == "piece" else file
        people = tuple(one for one in file.scene.operatives if one.id not in gone)
        smoke = tuple(spot for number, spot in enumerate(file.scene.smoke) if number not in clouds)
        state = replace(self.model.state, file=replace(file, scene=replace(file.scene, operatives=people, smoke=smoke)))
        self._finish("remove", replace(state, group=(), selected=None, thing=None), ())

    def duplicate(self) -> None:
        """Put another of each beside them. Raises UserError where there is no room."""
        for dx, dy in ((COPY_STEP * n * x, COPY_STEP * n * y) for n in (1, 2, 3, 4) for x, y in _AROUND):
            try:
                self._copy("copy", lambda at, dx=dx, dy=dy: (at[0] + dx, at[1] + dy, at[2]), is_other=False)  # type: ignore[misc]
                return
            except UserError:
                continue
        raise UserError("There is no room for others beside them.")

    def mirror(self) -> None:
        """Put another of each where the same distance from the middle of the board leads on its other side, turned
        about; operatives of the other team. Raises UserError when one cannot stand there."""
        width, depth = self.model.scene.terrain.board
        if self.members:
            self._copy("mirror", lambda at: (width - at[0], depth - at[1], at[2] + 180), is_other=True)

    def _copy(self, name: str, how: Callable[[Stand], Stand], *, is_other: bool) -> None:
        state, made = self.model.state, list[Chosen]()
        for kind, id in self.members:
            file = state.file
            if kind == "operative":
                one = file.scene.operative(id)
                team = one.team
                if is_other and team in TEAMS:
                    team = TEAMS[1 - TEAMS.index(team)]
                new = free_name(state.file, team)
                entries = [{**entry, "id": new} for entry in file.document.get("operatives") or [] if entry["id"] == id]
                file = with_described(file, entries)
                scene = replace(file.scene, operatives=(*file.scene.operatives, replace(one, id=new, team=team)))
                state = replace(state, file=replace(file, scene=scene))
            elif kind == "piece":
                piece = scene_pieces.piece_of(file, id)
                assert piece is not None
                new = scene_pieces.free_id(file, piece.piece)
                state = replace(state, file=scene_pieces.with_piece(file, replace(piece, id=new)))
            else:
                new = str(len(file.scene.smoke))
                scene = replace(file.scene, smoke=(*file.scene.smoke, file.scene.smoke[int(id)]))
                state = replace(state, file=replace(file, scene=scene))
            made.append((kind, new))
            state = self._put(state, made[-1], how)
        self._finish(name, state, made)
        self.choose(made)

    # ---- dragging -------------------------------------------------------------------------------------------
    def show_at(self, dx: float, dy: float) -> None:
        """Show where they would be, that much further on."""
        items: list[Overlay] = []
        for kind, id in self.members:
            if kind == "operative":
                one = self.model.scene.operative(id)
                items.append(Ghost(replace(one, x=one.x + dx, y=one.y + dy), True))
            elif kind == "piece":
                piece = self._piece(id)
                at = (piece.at[0] + dx, piece.at[1] + dy, piece.at[2])
                for part in replace(piece, at=at).feature().parts:
                    items.append(GhostShape(part.triangles, True))
        self.shown = tuple(items)


_AROUND = ((1, 0), (-1, 0), (0, 1), (0, -1))
