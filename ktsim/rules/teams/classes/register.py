"""Rules of teams that the language cannot say, as small classes found by the id a team file names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, TypeVar

from ktsim.content.plugins import load_plugins
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Ploy
from ktsim.rules.engine.ploys import is_used
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, Side


class TeamRule(Rule):
    """A rule one side's team brings. *cards* are the datacards it belongs to; with none, the whole team has it."""

    kind: ClassVar[str] = "ability"
    """What may name it in a team file: an ability, a strategy or a firefight ploy."""

    def __init__(self, side: Side, title: str, cards: Collection[str] = (), ploy: Ploy | None = None) -> None:
        self.side, self.title, self.cards, self._ploy = side, title, frozenset(cards), ploy

    def is_mine(self, who: OperativeState) -> bool:
        """Whether it is an operative the rule is about."""
        return who.side == self.side and (not self.cards or who.card in self.cards)

    @property
    def ploy(self) -> Ploy:
        assert self._ploy is not None, f"{self.title} is no ploy"
        return self._ploy


class StrategyPloy(TeamRule):
    """In force from when it is used until the end of the turning point."""

    kind = "strategy"

    def is_in_force(self, battle: Battle) -> bool:
        return is_used(battle, self.side, self.ploy)


R = TypeVar("R", bound=type[TeamRule])

TEAM_RULES: dict[str, type[TeamRule]] = {}


def team_rule(id: str) -> Callable[[R], R]:
    """Register a class under the id team files name it by."""

    def register(cls: R) -> R:
        assert id not in TEAM_RULES, f"two team rules have the id {id}"
        TEAM_RULES[id] = cls
        return cls

    return register


@lru_cache(maxsize=1)
def brought_teams(taken: frozenset[str] = frozenset()) -> Mapping[str, Path]:
    """The team files packages bring, by id. Loading one registers the rules of its team."""

    def read(name: str, loaded: object) -> Path:
        if not isinstance(loaded, (str, Path)) or not Path(loaded).is_file():
            raise ValueError("it is not the path of a team file")
        return Path(loaded)

    return load_plugins("ktsim.teams", read, dict.fromkeys(taken))
