"""Operatives as scene files write them down."""

from __future__ import annotations

import math

from ktsim.content.mesh_file import UNITS
from ktsim.content.reader import Reader, Sheet, Unique
from ktsim.content.yaml_tree import Node
from ktsim.killzones.figures import (
    BASE_TOP,
    cylinder_figure,
    figure,
    head_problem,
    mesh_figure,
    models,
    usual_height,
    widest,
)
from ktsim.killzones.terrain_reader import LEAST, TerrainReader
from ktsim.sight.scene import EPS, ORDERS, Base, Figure, Operative, Scene
from ktsim.sight.standing import place_problem

KEYS = ("id", "team", "at", "level", "base", "turn", "order", "height", "width", "body", "head")
BASE_LIMITS = (10.0, 170.0)
"""The smallest and largest base, in millimetres."""

HEIGHT_LIMITS = (0.3, 12.0)
"""The lowest and tallest figure, in inches."""

WIDTH_LIMITS = (0.1, 12.0)
"""The narrowest and widest figure, in inches."""

SLACK = 0.15
"""A height or width that differs from a given body's by more than this (inches) contradicts it."""


class OperativeReader:
    """Reads operatives that stand on a board of the given size."""

    def __init__(self, terrain: TerrainReader, board: tuple[float, float]) -> None:
        self.reader: Reader = terrain.reader
        self.meshes = terrain.meshes
        self.bodies: dict[tuple[str, str, tuple[float, float] | None], Figure] = {}
        self.board = board
        self.places: dict[str, Node] = {}
        """Where the file says where an operative stands."""
        self.ids = Unique(self.reader, "operative")

    def operatives(self, nodes: list[Node]) -> tuple[Operative, ...]:
        return tuple(self._operative(node) for node in nodes)

    def _operative(self, node: Node) -> Operative:
        sheet = self.reader.sheet(node, "an operative", KEYS, ("id", "team", "at"))
        id = sheet.text("id")
        self.ids.claim(id, sheet.get("id"), node)
        before = self.reader.count
        x, y = sheet.point("at")
        base = self._base(sheet)
        operative = Operative(
            id,
            sheet.text("team"),
            x,
            y,
            sheet.number("level", 0, 60, 0.0),
            base,
            self._figure(sheet, base),
            sheet.number("turn", -3600, 3600, 0.0),
            sheet.one_of("order", ORDERS, "engage"),
        )
        self.places[id] = sheet.get("level") or sheet.get("at") or node
        if "at" in sheet and self.reader.count == before:
            self._check_on_board(operative, sheet.get("at") or node)
        return operative

    def _check_on_board(self, operative: Operative, node: Node) -> None:
        width, depth = self.board
        reach_x, reach_y = extent(operative.base, operative.turn)
        x, y = operative.x, operative.y
        if not (reach_x - EPS <= x <= width - reach_x + EPS and reach_y - EPS <= y <= depth - reach_y + EPS):
            self.reader.problem(
                node,
                f"the operative '{operative.id}' is off the board: its whole base must be on it, so 'at' is from "
                f"[{reach_x:.2f}, {reach_y:.2f}] to [{width - reach_x:.2f}, {depth - reach_y:.2f}]",
            )

    def _base(self, sheet: Sheet) -> Base:
        node = sheet.get("base")
        if node is None:
            return Base.of_mm(32)
        if isinstance(node.value, list):
            if len(node.value) != 2:
                self.reader.problem(
                    node, f"an oval base has a length and a width, such as [60, 35], not {len(node.value)} numbers"
                )
                return Base.of_mm(32)
            length, width = (self.reader.number(item, "the base", *BASE_LIMITS) for item in node.value)
            return Base.of_mm(length, width)
        return Base.of_mm(self.reader.number(node, "the base in mm", *BASE_LIMITS))

    def check_places(self, scene: Scene) -> None:
        """A problem for everybody who cannot be where the scene says (SIGHT-5)."""
        for one in scene.operatives:
            text = place_problem(scene, one)
            if text is not None:
                self.reader.problem(self.places[one.id], text)

    def _figure(self, sheet: Sheet, base: Base) -> Figure:
        head = None
        node = sheet.get("head")
        if node is not None:
            found = self.reader.sheet(node, "a head", ("height", "radius"), ("height", "radius"))
            head = (found.number("height", BASE_TOP, 12, 1.1), found.number("radius", LEAST, 3, 0.1))
        before = self.reader.count
        shape = self._body(sheet, base, head)
        text = head_problem(shape)
        if text is not None and node is not None and self.reader.count == before:
            self.reader.problem(node, text)
        return shape

    def _model(self, name: str, sheet: Sheet, base: Base, head: tuple[float, float] | None) -> Figure:
        height = sheet.number("height", *HEIGHT_LIMITS, default=usual_height(base))
        width = sheet.number("width", *WIDTH_LIMITS, default=0.0) or None
        return figure(name, height, head, width)

    def _body(self, operative: Sheet, base: Base, head: tuple[float, float] | None) -> Figure:
        node = operative.get("body")
        if node is None:
            return self._model("trooper", operative, base, head)
        sheet = self.reader.sheet(node, "a body", ("cylinder", "mesh", "model", "unit"))
        given = [shape for shape in ("cylinder", "mesh", "model") if shape in sheet]
        if len(given) != 1:
            self.reader.problem(node, "a body is exactly one of {cylinder: ...}, {mesh: file}, {model: name}")
            return figure()
        if "unit" in sheet and given[0] != "mesh":
            self.reader.problem(node, "'unit' is for a mesh; leave it out")
        if given[0] == "model":
            return self._model(sheet.one_of("model", models(), "trooper"), operative, base, head)
        before = self.reader.count
        found = self._own_body(sheet, given[0], head, f"operative '{operative.text('id')}'")
        if self.reader.count == before:
            self._check_sizes(operative, found, given[0])
        return found

    def _own_body(self, sheet: Sheet, shape: str, head: tuple[float, float] | None, whose: str) -> Figure:
        inner = sheet.get(shape)
        assert inner is not None
        if shape == "cylinder":
            size = self.reader.sheet(inner, "a cylinder", ("radius", "height"), ("radius", "height"))
            radius, height = size.number("radius", 0.05, 4, 0.35), size.number("height", 0.2, 12, 1.25)
            return cylinder_figure(radius, height, head)
        unit = sheet.one_of("unit", UNITS, "mm")
        found = self.meshes.scan(inner, unit, whose)
        if found is None:
            return figure()
        # Operatives with the same body share one figure: figures are compared by identity.
        key = (inner.text, unit, head)
        if key not in self.bodies:
            self.bodies[key] = mesh_figure(inner.text, found.mesh, head, found.is_open)
        return self.bodies[key]

    def _check_sizes(self, operative: Sheet, found: Figure, shape: str) -> None:
        """A cylinder or mesh has its own sizes: 'height' and 'width' scale our own figures only, so they may be there
        only if they say the same."""
        tall, wide = float(found.triangles[..., 2].max()), widest(found.triangles)
        for key, limits, real in (("height", HEIGHT_LIMITS, tall), ("width", WIDTH_LIMITS, wide)):
            node = operative.get(key)
            if node is not None and abs(operative.number(key, *limits, default=real) - real) > SLACK:
                size = f'{real:.2f}" {"tall" if key == "height" else "wide"}'
                text = f"'{key}' is {node.text} and its body, a {shape}, is {size}; leave '{key}' out"
                self.reader.problem(node, text)


def extent(base: Base, turn: float) -> tuple[float, float]:
    """How far a base reaches from its centre along x and along y."""
    a = math.radians(turn)
    c, s = math.cos(a), math.sin(a)
    return math.hypot(base.along * c, base.across * s), math.hypot(base.along * s, base.across * c)
