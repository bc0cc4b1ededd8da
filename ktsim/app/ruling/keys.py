"""What the keys do on the ruling table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Literal, Protocol, TypeAlias

from ktsim.app.ruling.hands import Carry
from ktsim.app.ruling.model import TableModel
from ktsim.app.ruling.table_view import TableView
from ktsim.app.ruling.tools import TURN
from ktsim.app.screens.keys import KeyGroups
from ktsim.app.screens.screen import Held, Host
from ktsim.app.ui.rect import Place
from ktsim.killzones.figures import models
from ktsim.sight.scene import Operative

Inset: TypeAlias = Literal["eye", "side"]
"""The smaller pictures of a ruling."""


class Keyed(Protocol):
    """The ruling table as its keys know it."""

    desktop: Host
    view: TableView

    @property
    def model(self) -> TableModel: ...

    def do(self, action: Any) -> None: ...

    def take(self, carry: Carry) -> None: ...

    def enlarge(self, inset: Inset) -> None: ...

    def free_place(self) -> Place: ...

    def copy_picture(self) -> None: ...


KEYS: KeyGroups = (
    (
        "Put on the table",
        (
            ("B, G", "an operative of either colour"),
            ("P, K", "terrain pieces, a smoke marker"),
            ("Shift+C", "walls along their grid"),
            ("Ctrl+V, Z", "a board's photo, bases by rims"),
            ("Enter", "put down what is carried"),
            ("Q, W", "turn it; or drag where it is put"),
            ("Z", "hold a piece by another corner"),
            ("H", "the grid that things are put on"),
            ("Escape", "put it away"),
        ),
    ),
    (
        "Whoever is selected",
        (
            ("PgUp, PgDn", "the one before, the next"),
            ("Arrows", 'move by 0.1", with Shift by 0.01"'),
            ("Q, W", "turn left, right"),
            ("O, S", "the other order; name, size, weapon"),
            ("I, L", "another miniature, another level"),
            ("1, 2, 3", "it shoots, is the target, moves"),
            ("Ctrl+D, Ctrl+M", "another like it, mirrored"),
            ("Ctrl+click, Ctrl+drag", "several; Ctrl+A: everything"),
            ("Delete", "take it off the table"),
        ),
    ),
    (
        "The ruling",
        (
            ("X", "the shot the other way"),
            ("V, Shift+V", "other edition, other rules date"),
            ("D", "both editions or dates side by side"),
            ("A, N", "what he sees, who can see whom"),
            ("J", "both of them in the picture"),
            ("F3", "play a game from here"),
            ("Y, U", "his eyes, the side view: large"),
            ("C", "corners and ends of walls"),
            ("Ctrl+C, Ctrl+Shift+C", "copy the text, the picture"),
            ("Ctrl+E", "export the card"),
        ),
    ),
    (
        "Measuring",
        (("M", "tape measure"), ("R", "range ring"), ("Shift+M", "take all tapes and rings away")),
    ),
    (
        "The camera",
        (
            ("Right drag", "turn"),
            ("Middle or Shift drag", "move"),
            ("Wheel, + and -", "nearer, further"),
            ("Ctrl+arrows", "turn, with Shift move"),
            ("Home, T", "the whole table, from above"),
            ("F, E", "the selection, its eyes"),
        ),
    ),
    (
        "The table",
        (
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
            ("Ctrl+S, Ctrl+O", "save, open a scene"),
            ("Ctrl+N", "another killzone"),
            ("Tab, Enter", "walk through the panels, press"),
            ("Escape", "back"),
        ),
    ),
)


def command(table: Keyed, key: str, held: Held) -> Callable[[], object] | None:
    """What a key does now."""
    if held.control:
        return _with_control(table, held).get(key)
    found = _always(table, held).get(key)
    if found is None and table.view.hands.carry is not None:
        found = _carrying(table).get(key)
    if found is None:
        found = _selected(table, held).get(key)
    return found


def _with_control(table: Keyed, held: Held) -> dict[str, Callable[[], object]]:
    model, camera = table.model, table.view.picture
    group = table.view.hands.grouping
    ways = {"left": (-1, 0), "right": (1, 0), "up": (0, -1), "down": (0, 1)}
    arrows: dict[str, Callable[[], object]] = {
        f"arrow_{way}": partial(camera.nudge, dx, dy, held.shift) for way, (dx, dy) in ways.items()
    }
    return arrows | {
        "z": model.redo if held.shift else model.undo,
        "y": model.redo,
        "s": lambda: table.do("save"),
        "o": lambda: table.do("open"),
        "n": lambda: table.do("killzones"),
        "c": table.copy_picture if held.shift else lambda: table.do("copy"),
        "e": lambda: table.do("export"),
        "v": lambda: table.do("paste"),
        "d": group.duplicate if group.is_several else table.view.hands.arrange.duplicate,
        "m": group.mirror,
        "a": lambda: group.choose(group.everything()),
    }


def _always(table: Keyed, held: Held) -> dict[str, Callable[[], object]]:
    view, model = table.view, table.model
    return {
        "t": view.picture.top,
        "e": view.look_through,
        "f": view.frame,
        "home": view.picture.home,
        "=": lambda: view.picture.step(1),
        "+": lambda: view.picture.step(1),
        "-": lambda: view.picture.step(-1),
        "x": model.swap,
        "v": model.other_rules_date if held.shift else model.other_edition,
        "b": lambda: table.take(Carry("operative", "blue")),
        "g": lambda: table.take(Carry("operative", "red")),
        "k": lambda: table.take(Carry("smoke")),
        "p": lambda: table.do("tray"),
        "m": model.clear_marks if held.shift else lambda: table.do("tape"),
        "r": lambda: table.do("ring"),
        "a": lambda: table.do("area"),
        "n": lambda: table.do("matrix"),
        "j": lambda: table.do("pair"),
        "y": lambda: table.enlarge("eye"),
        "u": lambda: table.enlarge("side"),
        "c": lambda: table.do("draw-walls" if held.shift else "walls"),
        "h": model.snap.other,
        "3": lambda: table.do("move"),
        "z": view.hands.other_corner if view.hands.carry is not None else lambda: table.do("rims"),
        "d": lambda: table.do("compare"),
        "f1": lambda: table.do("keys"),
        "f3": lambda: table.do("play"),
        "page_down": lambda: model.pass_on(1),
        "page_up": lambda: model.pass_on(-1),
    }


def _carrying(table: Keyed) -> dict[str, Callable[[], object]]:
    hands = table.view.hands

    def turn(degrees: float) -> None:
        if hands.carry is not None:
            hands.carry = replace(hands.carry, turn=hands.carry.turn + degrees)
            hands.move(table.desktop.at)

    return {"q": lambda: turn(TURN), "w": lambda: turn(-TURN), "enter": lambda: hands.put_down(table.free_place())}


def _selected(table: Keyed, held: Held) -> dict[str, Callable[[], object]]:
    model = table.model
    commands: dict[str, Callable[[], object]] = {
        "q": lambda: model.turn_selected(TURN),
        "w": lambda: model.turn_selected(-TURN),
        "delete": model.remove_selected,
    }
    group = table.view.hands.grouping
    move = group.move if group.is_several else table.view.hands.arrange.nudge
    if group.is_several:
        commands |= {"q": lambda: group.turn(TURN), "w": lambda: group.turn(-TURN), "delete": group.remove}
    if model.piece is not None:
        commands["s"] = lambda: table.do("sizes")
    one = model.selected
    if one is not None:
        commands |= _operative(table, one)
    step = 0.01 if held.shift else 0.1
    ways = {"left": (-step, 0.0), "right": (step, 0.0), "up": (0.0, step), "down": (0.0, -step)}
    for way, (dx, dy) in ways.items():
        commands[f"arrow_{way}"] = partial(move, dx, dy)
    return commands


def _operative(table: Keyed, one: Operative) -> dict[str, Callable[[], object]]:
    model = table.model
    figures = models()
    at = figures.index(one.figure.name) if one.figure.name in figures else -1
    return {
        "s": lambda: table.do("operative"),
        "o": lambda: model.set_order(one.id, "conceal" if one.order == "engage" else "engage"),
        "i": lambda: model.set_figure(figures[(at + 1) % len(figures)]),
        "l": lambda: model.next_level(one.id),
        "1": lambda: model.choose_shooter(one.id),
        "2": lambda: model.choose_target(one.id),
    }
