"""What words of the language of team rules take: kinds of arguments, and an entry of its vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class ArgumentKind(Enum):
    """What an argument is; the value says it for a sentence."""

    NUMBER = "a whole number from -20 to 99"
    AMOUNT = "a number or dice such as D3+1"
    INCHES = "inches from 0 to 60"
    COMPARE = "a comparison such as '>=3', '<6' or '=7'"
    WORD = "one of its words"
    NAME = "a name of at most 64 printable characters"
    NAMES = "a name or a list of names"
    FLAG = "true"
    WHOM = "an operative: self, who, foe, picked, friend, enemy, anyone, or a mapping with 'is'"
    CONDITIONS = "a condition or a list of them"
    EFFECTS = "a list of effects"
    UNTIL = "how long it lasts"
    RULES = "a list of rules"


@dataclass(frozen=True)
class Argument:
    kind: ArgumentKind
    choices: tuple[str, ...] = ()

    @property
    def wanted(self) -> str:
        """What would be right, for a sentence."""
        return "one of " + ", ".join(self.choices) if self.choices else self.kind.value


@dataclass(frozen=True)
class WordEntry:
    """One word: what it says, its main argument, whether that may be left out, and its other arguments."""

    says: str
    main: Argument | None = None
    bare: bool = False
    args: Mapping[str, Argument] = field(default_factory=dict)


def _a(kind: ArgumentKind) -> Argument:
    return Argument(kind)


def one_of(*choices: str) -> Argument:
    return Argument(ArgumentKind.WORD, choices)


NUMBER, AMOUNT, INCHES, COMPARE = (
    _a(ArgumentKind.NUMBER),
    _a(ArgumentKind.AMOUNT),
    _a(ArgumentKind.INCHES),
    _a(ArgumentKind.COMPARE),
)
NAME, NAMES, FLAG, WHOM = _a(ArgumentKind.NAME), _a(ArgumentKind.NAMES), _a(ArgumentKind.FLAG), _a(ArgumentKind.WHOM)
CONDITION, EFFECT, UNTIL, RULES = (
    _a(ArgumentKind.CONDITIONS),
    _a(ArgumentKind.EFFECTS),
    _a(ArgumentKind.UNTIL),
    _a(ArgumentKind.RULES),
)
DICE = one_of("attack", "defence")
SUCCESS = one_of("normal", "critical")
PERIOD = one_of("sequence", "action", "activation", "turning-point", "battle")
STATS = ("apl", "move", "save", "wounds", "hit", "atk", "damage", "normal-damage", "critical-damage")
