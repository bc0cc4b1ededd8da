"""The keys of a game, as they are listed."""

from __future__ import annotations

from ..screens.keys import KeyGroups
from .topics import ACTION_KEYS

PASS = "pass"

GAME_KEYS: KeyGroups = (
    (
        "Answering",
        (
            ("Enter", "the filled button"),
            ("Up, Down, 1 to 9", "mark or choose"),
            ("E, C", "Engage, Conceal"),
            ("H", "what would a bot do?"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
        ),
    ),
    (
        "Setting up and moving",
        (
            ("Click, Shift+click", "place it or end there, waypoint"),
            ("Arrows", 'move it by 0.1", with Shift by 0.01"'),
            ("Q, W", "turn what is put down"),
            ("G", "some legal place or move"),
            ("R", "set up the rest for me"),
            ("Shift+Backspace", "take all of that back"),
            ("Backspace, X", "one step back, call the move off"),
        ),
    ),
    (
        "Actions",
        tuple((key.upper(), "end the activation" if name == PASS else name) for name, key in ACTION_KEYS.items()),
    ),
    (
        "The table",
        (
            ("Right drag", "turn"),
            ("Middle or Shift drag", "move"),
            ("Wheel", "nearer, further"),
            ("Home, T", "the whole table, from above"),
            ("F, E", "whoever is asked about, their eyes"),
            ("Tab", "rosters, log, score"),
            ("F2", "the ruling table on a copy"),
            ("Escape", "out of whatever is open"),
        ),
    ),
)
