"""A move that a scene file asks about: who, with which action, and where to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from ktsim.content.printable import printable
from ktsim.content.reader import Sheet, nearest

USUAL_MOVE = 6
"""The Move stat of whoever nothing is known about, in inches."""
MOST_MOVE = 40


@dataclass(frozen=True)
class AskedMove:
    """Whether *who* gets to a place, (x, y) or (x, y, level), or into the control range of the enemy *to* with an
    *action*, the edition's ordinary move unless it is named. Without *to* only what is in reach is asked about."""

    who: str
    to: str | tuple[float, ...] | None = None
    action: str | None = None
    move: int = USUAL_MOVE

    def among(self, teams: Mapping[str, str]) -> AskedMove | None:
        """The question on a table of operatives with these *teams*: none when whoever moves is gone, and without the
        enemy that is gone or no enemy any more."""
        if self.who not in teams:
            return None
        is_enemy = not isinstance(self.to, str) or teams.get(self.to, teams[self.who]) != teams[self.who]
        return self if is_enemy else replace(self, to=None)

    def renamed(self, id: str, name: str) -> AskedMove:
        """The question after an operative was given another name."""
        return replace(self, who=name if self.who == id else self.who, to=name if self.to == id else self.to)

    def as_entry(self) -> dict[str, Any]:
        """The question as a scene file writes it."""
        to = list(self.to) if isinstance(self.to, tuple) else self.to
        entry: dict[str, Any] = {"who": self.who}
        entry |= {"to": to} if to is not None else {}
        entry |= {"action": self.action} if self.action is not None else {}
        return entry | ({"move": self.move} if self.move != USUAL_MOVE else {})


def read_move(sheet: Sheet, teams: Mapping[str, str]) -> AskedMove | None:
    """The move a scene's *sheet* asks about, if it does; *teams* are those of its operatives by their ids."""
    node = sheet.get("move")
    if node is None or node.value is None:
        return None
    reader = sheet.reader
    entry = reader.sheet(node, "'move'", ("who", "to", "action", "move"), ("who",))
    who, goal = entry.text("who"), entry.get("to")
    to: str | tuple[float, ...] | None = None
    if goal is not None and isinstance(goal.value, list):
        to = reader.point(goal, "'to' of 'move'", (3, 2))
    elif goal is not None:
        to = reader.text(goal, "'to' of 'move'")
    for id, where in ((who, entry.get("who")), (to, goal)):
        if isinstance(id, str) and id and id not in teams:
            reader.problem(where or node, f"there is no operative '{printable(id)}'; {nearest(id, teams)}")
    if who in teams and isinstance(to, str) and teams.get(to) == teams[who]:
        reader.problem(node, f"'{printable(to)}' is no enemy of '{printable(who)}'; name an enemy or a place")
    action = entry.text("action") or None
    return AskedMove(who, to, action, round(entry.number("move", 1, MOST_MOVE, USUAL_MOVE)))
