"""What an equipment option is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Side


class Equipment(ABC):
    """One equipment option."""

    key: ClassVar[str]
    name: ClassVar[str]
    id: ClassVar[str]
    text: ClassVar[str]
    """What it does, in a sentence, for the player who chooses."""
    worth: ClassVar[float] = 0.1
    """About what it brings in VP, for whoever chooses without knowing better."""
    items: ClassVar[int] = 0
    """How many items of it are set up on the table, one at a time (KT24-DEPLOY)."""

    def is_offered(self, battle: Battle) -> bool:
        """Whether there is such a thing on this killzone, as of the date of its rules."""
        return True

    @abstractmethod
    def rule(self, side: Side) -> Rule:
        """What is in force while *side* has it."""

    def set_up(self, battle: Battle, side: Side, number: int) -> Steps[None]:
        """Set up item *number* (counted from 1), asking *side* where."""
        yield from ()


class SideRule(Rule):
    """A rule one side has."""

    def __init__(self, side: Side) -> None:
        self.side = side
