"""Operatives by the rims of their bases: three places on a rim give the circle and the real base nearest to it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ktsim.app.ruling.marks import Point
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.state import BASES, TEAMS
from ktsim.app.stage.picture import TablePicture
from ktsim.app.ui.rect import Place
from ktsim.errors import UserError
from ktsim.geometry.plane import Spot, circle_of_radius, circle_through
from ktsim.killzones.figures import usual_figure
from ktsim.sight.scene import MM, Operative

CLICKS = 3
FAR_OFF = 0.25
"""The share of a base's size by which a circle may differ from it and still be meant."""


def new_operative(model: TableModel, team: str, base: str, spot: Point, turn: float = 0.0) -> Operative:
    """One as it would be put there."""
    facing = 0.0 if team == "blue" else 180.0
    body = usual_figure(BASES[base], model.figure)
    return Operative("new", team, *spot, BASES[base], body, facing + turn)


class RimTool:
    """Puts operatives where the rims of their bases are clicked; *refusal* says why one cannot stand there."""

    def __init__(self, model: TableModel, picture: TablePicture, refusal: Callable[[Operative], str | None]) -> None:
        self.model, self.picture, self._refusal = model, picture, refusal
        self.clicked: tuple[Point, ...] = ()
        """Places on the rim of a base so far."""
        self.team = TEAMS[0]

    def click(self, at: Place) -> None:
        """The third place on a rim puts an operative there. Raises UserError when no base has such a rim, or it cannot
        stand there."""
        picked = self.picture.under(at) if not self.clicked else None
        level = self.clicked[0][2] if self.clicked else 0.0
        if picked is not None and picked.standable:
            level = picked.point[2]
        flat = self.picture.on_level(at, level)
        if flat is None:
            return
        clicked = (*self.clicked, (*flat, level))
        self.clicked = clicked if len(clicked) < CLICKS else ()
        if self.clicked:
            return
        base, middle = base_on_rim([place[:2] for place in clicked])
        if (why := self._refusal(new_operative(self.model, self.team, base, (*middle, level)))) is not None:
            raise UserError(why)
        self.model.base = base
        self.model.add(self.team, *middle, level)
        self.model.select(None)  # the next one follows


def base_on_rim(spots: Sequence[Spot]) -> tuple[str, Spot]:
    """The base whose rim goes through three places, by its name, and its middle. Raises UserError when there is no such
    base."""
    found = circle_through(*spots)
    if found is None:
        raise UserError("The three places lie on a line: click them around one base's rim.")
    middle, radius = found
    name = min((name for name, base in BASES.items() if base.is_round), key=lambda n: abs(BASES[n].along - radius))
    if abs(BASES[name].along - radius) > FAR_OFF * BASES[name].along:
        across = 2 * radius / MM
        raise UserError(f"That circle is {across:.0f} mm across, and no base is: click three places on one base's rim.")
    return name, circle_of_radius(spots, BASES[name].along, middle)
