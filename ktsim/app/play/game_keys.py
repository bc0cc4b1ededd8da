"""The keys of a game, as they are listed."""

from __future__ import annotations

from ..screens.keys import KeyGroups
from .topics import ACTION_KEYS

PASS = "pass"

GAME_KEYS: KeyGroups = (
    (
        "Whatever is asked",
        (
            ("Enter", "the filled button"),
            ("Up, Down", "mark a row"),
            ("1 to 9", "choose the row of that number, or type a die"),
            ("Backspace", "one step of the answer back"),
            ("H", "what would a bot do?"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
        ),
    ),
    ("When asked for an order", (("E, C", "Engage, Conceal"),)),
    (
        "When asked for an action",
        tuple((key.upper(), "end the activation" if name == PASS else name) for name, key in ACTION_KEYS.items()),
    ),
    (
        "When asked for a place or a move",
        (
            ("Click, Shift+click", "place it or end there, waypoint"),
            ("Arrows", 'move it by 0.1", with Shift by 0.01"'),
            ("G", "some legal place or move"),
            ("X", "call the move off"),
            ("Q, W", "turn the piece that is put down"),
            ("R, Shift+Backspace", "in set-up: the rest for me, all of that back"),
        ),
    ),
    (
        "When they answer nothing of these",
        (
            ("F", "bring whoever is asked about into view"),
            ("E", "look through the eyes of whoever acts, and back"),
        ),
    ),
    (
        "The table",
        (
            ("Right drag, wheel", "turn, nearer and further"),
            ("Middle or Shift drag", "move"),
            ("Home, T", "the whole table, from above"),
        ),
    ),
    (
        "The window",
        (
            ("Tab, Enter", "walk through the panels, press"),
            ("F1, F2", "these keys, the ruling table on a copy"),
            ("F3", "rosters, log, score"),
            ("F4, F10", "settings, menu"),
            ("Escape", "one step back, then the menu"),
        ),
    ),
)
