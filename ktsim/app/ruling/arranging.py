"""Moving, turning and copying what is selected on the ruling table, by numbers and steps."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from ktsim.app.ruling.model import TableModel
from ktsim.errors import UserError
from ktsim.killzones.loose_pieces import misfit
from ktsim.killzones.operative_reader import extent
from ktsim.sight.scene import Operative

COPY_GAP = 0.1
"""Inches between a thing and its copy."""


class Arranging:
    """What keys and typed numbers do to what is selected; *refusal* says why an operative cannot stand somewhere."""

    def __init__(self, model: TableModel, refusal: Callable[[Operative], str | None]) -> None:
        self.model, self._refusal = model, refusal

    def nudge(self, dx: float, dy: float) -> None:
        """Move whatever is selected by so many inches. Raises UserError when it cannot stand there."""
        model = self.model
        one, piece, smoke = model.selected, model.piece, model.smoke
        if one is not None:
            self.place(one.x + dx, one.y + dy)
        elif piece is not None:
            self.place(piece.at[0] + dx, piece.at[1] + dy)
        elif smoke is not None:
            self.place(model.scene.smoke[smoke][0] + dx, model.scene.smoke[smoke][1] + dy)

    def place(self, x: float, y: float, turn: float | None = None) -> None:
        """Put whatever is selected there, turned as said. Raises UserError when it cannot stand there."""
        model = self.model
        one, piece, smoke = model.selected, model.piece, model.smoke
        if not all(map(math.isfinite, (x, y, turn or 0.0))):
            raise UserError("Type a number, such as 12.5.")
        if one is not None:
            moved = replace(one, x=x, y=y, turn=one.turn if turn is None else (turn + 180) % 360 - 180)
            problem = self._refusal(moved)
            if problem is not None and self._refusal(one) is None:
                raise UserError(problem)
            model.put(moved)
        elif piece is not None:
            turn = piece.turn if turn is None else turn % 360
            model.put_inside(replace(piece, at=(round(x, 4), round(y, 4), piece.at[2]), turn=turn))
        elif smoke is not None:
            model.move_smoke(smoke, x, y, model.scene.smoke[smoke][2])

    def duplicate(self) -> None:
        """Put another of what is selected down beside it. Raises UserError where there is no room."""
        model = self.model
        one, piece = model.selected, model.piece
        ways = [(dx * n, dy * n) for n in (1, 2, 3) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))]
        if one is not None:
            rx, ry = (2 * r + COPY_GAP for r in extent(one.base, one.turn))
            for dx, dy in ways:
                copy = replace(one, id="", x=one.x + dx * rx, y=one.y + dy * ry)
                if self._refusal(copy) is None:
                    model.copy_to(one.id, copy.x, copy.y)
                    return
        elif piece is not None:
            corners = np.concatenate([part.triangles.reshape(-1, 3)[:, :2] for part in piece.feature().parts])
            rx, ry = (float(size) + COPY_GAP for size in corners.max(axis=0) - corners.min(axis=0))
            for dx, dy in ways:
                x, y = model.snap.on_grid(piece.at[0] + dx * rx, piece.at[1] + dy * ry)
                beside = replace(model.new_piece(piece.piece, x, y, piece.at[2], piece.turn), sizes=piece.sizes)
                if misfit(model.scene, beside.feature()) is None:
                    model.put_piece(beside)
                    return
        else:
            return
        raise UserError("There is no room for another beside it.")
