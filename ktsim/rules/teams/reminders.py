"""Reminder cards: what a team's rules say that the engine does not do by itself, and when a player should read it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ktsim.content.yaml_tree import Node
from ktsim.errors import Problem
from ktsim.rules.engine.cards import Reminder
from ktsim.rules.teams.fields import Fields

MOMENTS = ("set-up", "strategy", "firefight", "activation", "shooting", "fighting", "incapacitated")
"""When a card can be shown: before the battle, in the strategy phase, when a firefight ploy can be used, and while an
operative it belongs to is active, shoots or is shot, fights or is fought, is incapacitated."""


def read_reminders(rows: Sequence[Node], place: str, problems: list[Problem]) -> Iterator[Reminder]:
    """The reminders of a list in a team file."""
    for row in rows:
        top = Fields(row, place, problems)
        when = top.words("when")
        for word in when:
            if word not in MOMENTS:
                top.complain("when", f"{word!r} is not one of {', '.join(MOMENTS)}")
        if not when:
            top.complain("when", f"missing; expected a list of {', '.join(MOMENTS)}")
        yield Reminder(when, top.text("title"), top.lines("text"))
        top.done()
