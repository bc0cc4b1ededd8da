"""The keys of a game, as they are listed."""

from __future__ import annotations

from collections.abc import Iterable

from ktsim.app.play.topics import ACTION_KEYS
from ktsim.app.screens.keys import KeyGroups

PASS = "pass"


def _in_pairs(keys: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Two to a row."""
    rows = list(keys)
    pairs = [rows[i : i + 2] for i in range(0, len(rows), 2)]
    return tuple((", ".join(key for key, _ in pair), ", ".join(words for _, words in pair)) for pair in pairs)


GAME_KEYS: KeyGroups = (
    (
        "Whatever is asked",
        (
            ("Enter", "the filled button"),
            ("Up, Down", "mark a row"),
            ("1 to 9", "choose that row, or type a die"),
            ("Backspace", "one step of the answer back"),
            ("H", "what would a bot do?"),
            ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo"),
        ),
    ),
    ("When asked for an order", (("E, C", "Engage, Conceal"),)),
    (
        "When asked for an action",
        _in_pairs((key.upper(), "end the activation" if name == PASS else name) for name, key in ACTION_KEYS.items()),
    ),
    (
        "When asked for a place or a move",
        (
            ("Click, Shift+click", "place it or end there, waypoint"),
            ("Arrows", 'move it by 0.1", with Shift by 0.01"'),
            ("G", "some legal place or move"),
            ("X", "call the move off"),
            ("Q, W", "turn the piece that is put down"),
            ("R", "in set-up: set up the rest for me"),
            ("Shift+Backspace", "take all of that back"),
        ),
    ),
    (
        "When asked for none of these",
        (
            ("F", "whoever is asked about"),
            ("E", "the eyes of whoever acts, and back"),
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
    (
        "The table",
        (
            ("Right drag, wheel", "turn, nearer and further"),
            ("Middle or Shift drag", "move"),
            ("Home, T", "the whole table, from above"),
        ),
    ),
)
