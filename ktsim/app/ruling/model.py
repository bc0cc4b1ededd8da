"""The ruling table without a picture: what stands on it, what is chosen, and every change with its undo.

Nothing here knows of a window. Every change makes a new immutable state; the ruling is asked of the engine whenever
the scene, the pair or the edition differ from those of the last one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ktsim.app.ruling.marks import Mark
from ktsim.app.ruling.state import (
    BASES,
    MOST_STEPS,
    SMOKE_LIMIT,
    TEAMS,
    UNNAMED,
    Snapping,
    Step,
    TableState,
    Thing,
    free_name,
    new_file,
    opened,
    paired,
    with_described,
)
from ktsim.app.ui.palettes import seat_name
from ktsim.app.ui.titles import EMPTY
from ktsim.errors import UserError
from ktsim.killzones import scene_pieces as loose
from ktsim.killzones.figures import models, usual_figure
from ktsim.killzones.loose_pieces import LoosePiece, misfit, slid
from ktsim.killzones.operative_reader import extent
from ktsim.killzones.own_sizes import sizes_for
from ktsim.killzones.scene_file import OPERATIVE_LIMIT, SceneFile, save_scene
from ktsim.sight.part_names import part_name, readable
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import EDITIONS, RULES_DATES, Edition, Operative, Order, RulesDate, Scene, Weapon
from ktsim.sight.standing import SAME_LEVEL, levels, levels_under, why_not
from ktsim.sight.visibility import SETTLED, Effort


class TableModel:
    """The ruling table. Methods that change it return nothing; what cannot be done raises UserError."""

    def __init__(self, file: SceneFile | None = None) -> None:
        self.state = opened(file or new_file(None))
        self.base = "32"
        self.figure = "trooper"
        """The base and model of operatives added from now on."""
        self.snap = Snapping()
        self.is_saved = True
        self._undo: list[Step] = []
        self._redo: list[Step] = []
        self.effort = SETTLED
        """How long the ruling looks: little while something is dragged."""
        self._ruled: tuple[tuple[Scene, str, str, Edition, Weapon | None], Effort] | None = None
        self._ruling: Ruling | None = None
        self.origin: tuple[float, float] | None = None
        """Where targeting lines are tried from, instead of the shooter's best point."""
        self._tried: tuple[Ruling, tuple[float, float], Ruling] | None = None
        self._known: tuple[Scene, Edition, Weapon | None, dict[tuple[str, str], Ruling]] | None = None
        self._floors: tuple[Scene, Operative, tuple[float, ...]] | None = None

    # ---- what is there --------------------------------------------------------------------------------------
    @property
    def scene(self) -> Scene:
        return self.state.scene

    @property
    def edition(self) -> Edition:
        return self.state.file.edition

    @property
    def title(self) -> str:
        file = self.state.file
        if file.path != UNNAMED:
            return file.path.stem
        return self.scene.terrain.name or file.killzone or EMPTY

    def operative(self, id: str | None) -> Operative | None:
        return next((one for one in self.scene.operatives if one.id == id), None)

    @property
    def selected(self) -> Operative | None:
        return self.operative(self.state.selected)

    @property
    def ruling(self) -> Ruling | None:
        """The ruling on the chosen pair as the table is now, or None while a shooter or target is missing."""
        shooter, target = self.state.shooter, self.state.target
        if shooter is None or target is None:
            return None
        asked = (self.scene, shooter, target, self.edition, self.state.file.weapon)
        if self._ruled is None or self._ruled[0] != asked or self._ruled[1].cells < self.effort.cells:
            self._ruling = ruling(*asked, effort=self.effort)
            self._ruled = (asked, self.effort)
        return self._ruling

    @property
    def tried(self) -> Ruling | None:
        """The ruling from the point that is tried instead of the best one, if any is."""
        best, origin = self.ruling, self.origin
        if best is None or origin is None:
            return None
        if self._tried is None or self._tried[0] is not best or self._tried[1] != origin:
            asked = (best.scene, best.shooter, best.target, best.edition, self.state.file.weapon, best.convention)
            self._tried = (best, origin, ruling(*asked, origin))
        return self._tried[2]

    def try_origin(self, x: float, y: float) -> None:
        """Have the targeting lines start elsewhere on the shooter's base; any other change ends that."""
        self.origin = (x, y)

    def improve(self, found: Ruling) -> bool:
        """Take a better ruling on what is asked, if that is still asked. Returns whether it is."""
        asked = (found.scene, found.shooter, found.target, found.edition)
        if self._ruled is None or self._ruled[0][:4] != asked or self._ruling is None or not self._ruling.undecided:
            return False
        self._ruling = found
        return True

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """Everybody with everybody they might shoot at."""
        people = self.scene.operatives
        return [(one.id, two.id) for one in people for two in people if one.team != two.team]

    def rulings(self, pairs: Sequence[tuple[str, str]], most: int) -> dict[tuple[str, str], Ruling]:
        """The rulings on *pairs* that are known; at most *most* more are asked for."""
        asked_of = (self.scene, self.edition, self.state.file.weapon)
        if self._known is None or self._known[:3] != asked_of:
            self._known = (*asked_of, {})
        known = self._known[3]
        asked, now = (self.state.shooter, self.state.target), self.ruling
        if now is not None:
            known[now.shooter, now.target] = now
        for pair in pairs:
            if pair not in known and pair != asked and most > 0:
                most -= 1
                known[pair] = ruling(self.scene, *pair, self.edition, self.state.file.weapon)
        return {pair: known[pair] for pair in pairs if pair in known}

    def choose_pair(self, shooter: str, target: str) -> None:
        """Ask about one operative shooting at another."""
        if (shooter, target) != (self.state.shooter, self.state.target):
            self._do("choose the pair", replace(self.state, shooter=shooter, target=target))

    @property
    def prompt(self) -> str:
        """The next step towards a ruling; empty when there is one."""
        if not self.scene.operatives:
            if self.state.file.photo is not None:
                return "Put terrain and bases where the photo shows them"
            return f"Add a {seat_name('blue')} and a {seat_name('red')} operative, or open a scene"
        if self.state.shooter is None or self.state.target is None:
            missing = [team for team in TEAMS if all(one.team != team for one in self.scene.operatives)]
            if missing:
                return f"Take {seat_name(missing[0]).capitalize()}, then click the table where it stands"
            return "Choose who shoots and who is the target"
        return ""

    # ---- changing it ----------------------------------------------------------------------------------------
    def _do(self, name: str, state: TableState, joins: str | None = None) -> None:
        last = self._undo[-1] if self._undo else None
        if joins is None or last is None or last.joins != joins:
            self._undo.append(Step(name, self.state, joins))
            del self._undo[:-MOST_STEPS]
        self._redo.clear()
        self.state = paired(state)
        self.is_saved = False
        self.origin = None

    def change(self, name: str, state: TableState) -> None:
        """Bring the table into another state, as one step."""
        self._do(name, state)

    def _with_scene(self, scene: Scene) -> TableState:
        return replace(self.state, file=replace(self.state.file, scene=scene))

    def _change(self, name: str, changed: Operative, joins: str | None = None) -> None:
        if changed != self.operative(changed.id):
            self._do(name, self._with_scene(self.scene.moved(changed)), joins)

    def add(self, team: str, x: float, y: float, level: float = 0.0, turn: float = 0.0) -> str:
        """Put a new operative of *team* down and select it. Returns its id."""
        facing = turn or (0.0 if team == "blue" else 180.0)
        base = BASES[self.base]
        return self._add(Operative("", team, x, y, level, base, usual_figure(base, self.figure), facing))

    def copy_to(self, id: str, x: float, y: float) -> str:
        """Put another operative like this one down beside it and select it. Returns its id."""
        described = [entry for entry in self.state.file.document.get("operatives") or [] if entry["id"] == id]
        return self._add(replace(self.scene.operative(id), x=x, y=y), described)

    def _add(self, one: Operative, described: Sequence[Mapping[str, Any]] = ()) -> str:
        """Put an operative down under a new name; *described* is how the file describes one like it."""
        if len(self.scene.operatives) >= OPERATIVE_LIMIT:
            raise UserError(f"a table holds at most {OPERATIVE_LIMIT} operatives")
        id = free_name(self.state.file, one.team)
        file = with_described(self.state.file, [{**entry, "id": id} for entry in described])
        scene = replace(self.scene, operatives=(*self.scene.operatives, self._on_board(replace(one, id=id))))
        state = replace(self.state, file=replace(file, scene=scene), selected=id, thing=None)
        self._do(f"add {id}", state)
        return id

    def remove(self, id: str) -> None:
        scene = replace(self.scene, operatives=self.scene.others(id))
        self._do(f"remove {id}", self._with_scene(scene))

    def select(self, id: str | None) -> None:
        """Selecting is no change of the table: undo does not stop at it."""
        self.state = replace(self.state, selected=id, thing=None, group=())

    def select_thing(self, thing: Thing | None) -> None:
        """Select a terrain piece or a smoke marker instead of an operative."""
        self.state = replace(self.state, selected=None, thing=thing, group=())

    def pass_on(self, step: int) -> None:
        """Select the next operative, or the one before."""
        ids = [one.id for one in self.scene.operatives]
        if ids:
            at = ids.index(self.state.selected) + step if self.state.selected in ids else min(step, 0)
            self.select(ids[at % len(ids)])

    def move(self, id: str, x: float, y: float, level: float, drag: int | None = None) -> None:
        """Put an operative elsewhere, at the nearest place on the board; moves of one *drag* are one step."""
        nearest = min(levels(self.scene), key=lambda height: abs(height - level))
        moved = replace(self.scene.operative(id), x=x, y=y, level=nearest)
        self._change(f"move {id}", self._on_board(moved), None if drag is None else f"drag {drag}")

    def put(self, one: Operative) -> None:
        """Put an operative at a place and turned as said, wholly on the board."""
        self._change(f"move {one.id}", self._on_board(one))

    def turn(self, id: str, degrees: float) -> None:
        one = self.scene.operative(id)
        turned = replace(one, turn=(one.turn + degrees + 180) % 360 - 180)
        self._change(f"turn {id}", self._on_board(turned), f"turn {id}")

    def set_base(self, name: str) -> None:
        """The base of the selected operative, and of those added from now on."""
        self.base = name
        if self.selected is not None:
            one, base = self.selected, BASES[name]
            body = one.figure
            if body.name in models() and body is usual_figure(one.base, body.name):
                body = usual_figure(base, body.name)
            self._change(f"base of {one.id}", self._on_board(replace(one, base=base, figure=body)))

    def set_order(self, id: str, order: Order) -> None:
        self._change(f"order of {id}", replace(self.scene.operative(id), order=order))

    def set_level(self, id: str, level: float) -> None:
        """Put an operative on another of the table's levels, where it is, if there is a floor."""
        one = self.scene.operative(id)
        if (why := why_not(self.scene, replace(one, level=level))) is not None:
            raise UserError(f'{id} cannot stand there at {level:.1f}": {readable(why, self.scene.terrain)}.')
        self.move(id, one.x, one.y, level)

    @property
    def levels(self) -> tuple[float, ...]:
        """The heights somebody can stand at."""
        return levels(self.scene)

    def levels_of(self, one: Operative) -> tuple[float, ...]:
        """The levels an operative can be put on where it is, and the one it is on."""
        if self._floors is None or self._floors[0] is not self.scene or self._floors[1] is not one:
            self._floors = (self.scene, one, levels_under(self.scene, one) or (one.level,))
        return self._floors[2]

    def next_level(self, id: str) -> None:
        """Put an operative on the next higher level that has a floor where it is, from the highest on the lowest."""
        one = self.scene.operative(id)
        found = self.levels_of(one)
        self.set_level(id, next((level for level in found if level > one.level + SAME_LEVEL), found[0]))

    def set_figure(self, name: str) -> None:
        """The model of the selected operative, and of those added from now on."""
        self.figure = name
        one = self.selected
        if one is not None and one.figure.name != name:
            # The file describes the body it had; the new one is described by its model.
            file = self.state.file
            known = [entry for entry in file.document.get("operatives") or [] if entry["id"] != one.id]
            scene = self.scene.moved(replace(one, figure=usual_figure(one.base, name)))
            changed = replace(file, scene=scene, document=MappingProxyType({**file.document, "operatives": known}))
            self._do(f"figure of {one.id}", replace(self.state, file=changed))

    def set_team(self, id: str, team: str) -> None:
        self._change(f"team of {id}", replace(self.scene.operative(id), team=team))

    def choose_shooter(self, id: str) -> None:
        target = None if self.state.target == id else self.state.target
        if id != self.state.shooter:
            self._do("choose the shooter", replace(self.state, shooter=id, target=target))

    def choose_target(self, id: str) -> None:
        shooter = None if self.state.shooter == id else self.state.shooter
        if id != self.state.target:
            self._do("choose the target", replace(self.state, shooter=shooter, target=id))

    def swap(self) -> None:
        """The shot the other way."""
        state = self.state
        if state.shooter is not None and state.target is not None:
            self._do("swap", replace(state, shooter=state.target, target=state.shooter))

    def set_edition(self, edition: Edition) -> None:
        if edition != self.edition:
            self._do("edition", replace(self.state, file=replace(self.state.file, edition=edition)))

    def other_edition(self) -> None:
        self.set_edition(EDITIONS[1 - EDITIONS.index(self.edition)])

    def set_rules_date(self, date: RulesDate) -> None:
        """Rule as of another date (KT24-DATED)."""
        if date != self.scene.rules_as_of:
            self._do("date of the rules", self._with_scene(replace(self.scene, rules_as_of=date)))

    def other_rules_date(self) -> None:
        self.set_rules_date(RULES_DATES[1 - RULES_DATES.index(self.scene.rules_as_of)])

    def toggle(self, feature: str) -> bool:
        """Bring a hatchway into its next state. Returns whether that feature has states."""
        found = next((one for one in self.scene.terrain.features if one.id == feature), None)
        if found is None or not found.states:
            return False
        names = list(found.states)
        now = self.scene.states.get(feature) or found.initial or names[0]
        following = names[(names.index(now) + 1) % len(names)]
        scene = replace(self.scene, states={**self.scene.states, feature: following})
        self._do(f"{feature} {following}", self._with_scene(scene))
        return True

    # ---- terrain pieces and smoke ---------------------------------------------------------------------------
    @property
    def piece(self) -> LoosePiece | None:
        """The terrain piece that is selected."""
        thing = self.state.thing
        return loose.piece_of(self.state.file, thing[1]) if thing is not None and thing[0] == "piece" else None

    @property
    def smoke(self) -> int | None:
        """The number of the smoke marker that is selected."""
        thing = self.state.thing
        number = int(thing[1]) if thing is not None and thing[0] == "smoke" else None
        return number if number is not None and number < len(self.scene.smoke) else None

    def new_piece(self, name: str, x: float, y: float, level: float = 0.0, turn: float = 0.0) -> LoosePiece:
        """A piece as it would stand there; it is not on the table yet."""
        id, at = loose.free_id(self.state.file, name), (round(x, 4), round(y, 4), level)
        return LoosePiece(id, name, at, turn, sizes_for(name))

    def put_piece(self, piece: LoosePiece) -> None:
        """Put a piece on the table, or elsewhere, and select it. Raises UserError when it does not fit there."""
        why = misfit(self.scene, piece.feature())
        if why is not None:
            raise UserError(readable(why, self.scene.terrain))
        is_new = loose.piece_of(self.state.file, piece.id) is None
        file = loose.with_piece(self.state.file, piece)
        self.check_floors(file.scene)
        name = f"{'add' if is_new else 'move'} {part_name(piece.id)}"
        self._do(name, replace(self.state, file=file, selected=None, thing=("piece", piece.id)))

    def put_inside(self, piece: LoosePiece) -> None:
        """The same, moved inwards where it would reach over the edge of the board."""
        self.put_piece(slid(piece, self.scene.terrain.board))

    @property
    def grid(self) -> float:
        return self.snap.grid

    def check_floors(self, scene: Scene) -> None:
        """Nobody's floor is taken away."""
        for one in scene.operatives:
            if one.level and why_not(scene, one) is not None and why_not(self.scene, one) is None:
                raise UserError(f"{one.id} stands on it: move that operative first.")

    def add_smoke(self, x: float, y: float, level: float = 0.0) -> None:
        """Put a smoke marker down and select it."""
        if len(self.scene.smoke) >= SMOKE_LIMIT:
            raise UserError(f"a table holds at most {SMOKE_LIMIT} smoke markers")
        spots = (*self.scene.smoke, self._smoke_spot(x, y, level))
        thing: Thing = ("smoke", str(len(spots) - 1))
        state = self._with_scene(replace(self.scene, smoke=spots))
        self._do("add smoke", replace(state, selected=None, thing=thing))

    def move_smoke(self, number: int, x: float, y: float, level: float, drag: int | None = None) -> None:
        spots = list(self.scene.smoke)
        spots[number] = self._smoke_spot(x, y, level)
        joins = None if drag is None else f"drag {drag}"
        self._do("move smoke", self._with_scene(replace(self.scene, smoke=tuple(spots))), joins)

    def _smoke_spot(self, x: float, y: float, level: float) -> tuple[float, float, float]:
        width, depth = self.scene.terrain.board
        return round(min(max(x, 0.0), width), 4), round(min(max(y, 0.0), depth), 4), level

    def turn_selected(self, degrees: float) -> None:
        """Turn whatever is selected, if it can be turned."""
        if self.selected is not None:
            self.turn(self.selected.id, degrees)
        elif self.piece is not None:
            turn = (self.piece.turn + degrees) % 360
            if self.snap.grid or self.snap.to_edges:
                turn = 90.0 * (
                    math.floor(self.piece.turn / 90) + 1 if degrees > 0 else math.ceil(self.piece.turn / 90) - 1
                )
            self.put_inside(replace(self.piece, turn=turn % 360))

    def remove_selected(self) -> None:
        """Take whatever is selected off the table."""
        if self.selected is not None:
            self.remove(self.selected.id)
        elif self.piece is not None:
            file = loose.without_piece(self.state.file, self.piece.id)
            self.check_floors(file.scene)
            self._do(f"remove {part_name(self.piece.id)}", replace(self.state, file=file, thing=None))
        elif self.smoke is not None:
            spots = tuple(spot for number, spot in enumerate(self.scene.smoke) if number != self.smoke)
            self._do("remove smoke", replace(self._with_scene(replace(self.scene, smoke=spots)), thing=None))

    # ---- tapes and rings ------------------------------------------------------------------------------------
    def add_mark(self, mark: Mark) -> None:
        self._keep_saved("measure", replace(self.state, marks=(*self.state.marks, mark)))

    def remove_mark(self, mark: Mark) -> None:
        self._keep_saved("take a mark away", replace(self.state, marks=tuple(m for m in self.state.marks if m != mark)))

    def clear_marks(self) -> None:
        if self.state.marks:
            self._keep_saved("take the marks away", replace(self.state, marks=()))

    def _keep_saved(self, name: str, state: TableState) -> None:
        """A change of what no file keeps."""
        saved, origin = self.is_saved, self.origin
        self._do(name, state)
        self.is_saved, self.origin = saved, origin

    def _on_board(self, one: Operative) -> Operative:
        """The same operative with its whole base on the board."""
        width, depth = self.scene.terrain.board
        rx, ry = extent(one.base, one.turn)
        x, y = min(max(one.x, rx), width - rx), min(max(one.y, ry), depth - ry)
        if not (math.isfinite(x) and math.isfinite(y)):
            raise UserError("that is no place on the board")
        return replace(one, x=round(x, 4) if rx < x < width - rx else x, y=round(y, 4) if ry < y < depth - ry else y)

    # ---- undo -----------------------------------------------------------------------------------------------
    @property
    def undo_name(self) -> str | None:
        """What undo would take back."""
        return self._undo[-1].name if self._undo else None

    @property
    def redo_name(self) -> str | None:
        return self._redo[-1].name if self._redo else None

    def undo(self) -> None:
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        self._step(self._redo, self._undo)

    def _step(self, source: list[Step], other: list[Step]) -> None:
        if source:
            step = source.pop()
            other.append(Step(step.name, self.state, None))
            self.state = step.before
            self.is_saved = False
            self.origin = None

    # ---- files ----------------------------------------------------------------------------------------------
    def lay(self, file: SceneFile) -> None:
        """Clear the table for what a file says."""
        self._do("open a scene" if file.document else "new table", opened(file))
        self.is_saved = True

    def save(self, path: Path) -> None:
        """Write the table to a scene file, with the chosen pair to be ruled on."""
        saved = save_scene(path, self.to_file())
        self.state = replace(self.state, file=saved)
        self.is_saved = True

    def to_file(self) -> SceneFile:
        """The table as a scene file that asks for the chosen pair, or for every pair while none is chosen."""
        state = self.state
        pairs = tuple((a.id, b.id) for a in self.scene.operatives for b in self.scene.operatives if a.team != b.team)
        if state.shooter is not None and state.target is not None:
            pairs = ((state.shooter, state.target),)
        return replace(state.file, pairs=pairs)
