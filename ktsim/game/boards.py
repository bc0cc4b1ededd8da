"""The boards a game can be played on, by name."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ktsim.errors import Problem, UserError
from ktsim.rules.board import Board, open_board, rectangle
from ktsim.sight.scene import Feature, Part, Terrain, Triangles


def box(x: float, y: float, width: float, depth: float, height: float) -> Triangles:
    """The twelve triangles of an upright box with one corner at (x, y, 0), outward winding."""
    corners = np.array(
        [[x + i * width, y + j * depth, k * height] for k in (0, 1) for j in (0, 1) for i in (0, 1)]
    )
    faces = [
        *((0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4)),
        *((2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)),
    ]
    return np.asarray(corners[np.array(faces)], dtype=np.float64)


def yard() -> Board:
    """A yard with two sheds, low walls and crates, the same seen from either side."""
    width, depth = 30.0, 22.0
    shapes = [
        ("shed", "heavy", (9.0, 3.0, 4.0, 3.0, 3.0)),
        ("wall", "light", (8.0, 10.0, 0.4, 4.0, 1.0)),
        ("crate", "heavy", (12.0, 14.5, 1.5, 1.5, 1.4)),
    ]
    features = []
    for name, trait, (x, y, w, d, h) in shapes:
        for mark, corner in (("west", (x, y)), ("east", (width - x - w, depth - y - d))):
            id = f"{name}-{mark}"
            features.append(Feature(id, (Part(id, "body", frozenset([trait]), box(*corner, w, d, h)),)))
    return Board(
        "yard",
        Terrain(board=(width, depth), features=tuple(features), name="yard"),
        {"red": rectangle(0, 0, 6, depth), "blue": rectangle(width - 6, 0, 6, depth)},
        ((15.0, 11.0, 0.0), (7.0, 17.0, 0.0), (23.0, 5.0, 0.0)),
    )


BOARDS: dict[str, Callable[[], Board]] = {"open": open_board, "yard": yard}


def find_board(name: str) -> Board:
    if name not in BOARDS:
        raise UserError(Problem(name[:64], f"no such killzone; there are {', '.join(BOARDS)}"))
    return BOARDS[name]()
