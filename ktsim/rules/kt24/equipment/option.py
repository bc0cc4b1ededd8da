"""What an equipment option is."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar

from ktsim.rules.engine.decisions import Side, Steps
from ktsim.rules.engine.rule import Rule

if TYPE_CHECKING:
    from ktsim.rules.engine.battle import Battle


class Equipment(ABC):
    """One equipment option."""

    key: ClassVar[str]
    name: ClassVar[str]
    id: ClassVar[str]
    text: ClassVar[str]
    """What it does, in a sentence, for the player who chooses."""
    items: ClassVar[int] = 0
    """How many items of it are set up on the table, one at a time (KT24-DEPLOY)."""

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
