"""Games told in words, and their score sheets: who scored what, when and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ktsim.game.game import Game
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.events import Event, PhaseBegan, capital
from ktsim.rules.engine.operative_events import (
    ActionBegan,
    ActionCancelled,
    ActionEnded,
    ActivationBegan,
    OrderGiven,
    SetUp,
)
from ktsim.rules.engine.state import SIDES, ScoreLine, Side
from ktsim.sight.part_names import readable, spaced
from ktsim.sight.words import listed

INDENT = {PhaseBegan: 0, ActivationBegan: 1}


class Teller:
    """Tells events as they come, one line each, indented by phase, activation and action.

    Operatives set up one after the other are one line. An action is told with the first thing that happens in it, so
    that one which is cancelled leaves a single line, and no second one when it is tried again to no avail.
    """

    def __init__(self, game: Game) -> None:
        self._game = game
        self._depth = 0
        self._around: list[int] = []
        """The depths of the actions in progress."""
        self._action: tuple[Event, str] | None = None
        """An action in which nothing has happened yet."""
        self._cancelled: set[str] = set()

    def tell(self, events: Iterable[Event]) -> Iterator[str]:
        return (line for _, line in self.lines(events))

    def lines(self, events: Iterable[Event]) -> Iterator[tuple[Event, str]]:
        """Every line with the event it tells."""
        lot: dict[str, str] = {}
        last: Event | None = None
        for event in events:
            if isinstance(event, SetUp) or (isinstance(event, OrderGiven) and event.operative in lot):
                if last and self._side(event.operative) != self._side(next(iter(lot))):
                    yield from self._told(last, self._set_up(lot))
                    lot = {}
                lot[event.operative] = event.order.title() if isinstance(event, OrderGiven) else ""
                last = event
                continue
            words = event.words(self._game.battle.name)
            if last and (words or type(event) in INDENT):
                yield from self._told(last, self._set_up(lot))
                lot, last = {}, None
            yield from self._event(event, words)
        if last:
            yield from self._told(last, self._set_up(lot))

    def _event(self, event: Event, words: str) -> Iterator[tuple[Event, str]]:
        if isinstance(event, ActionBegan):
            yield from self._told(event, "")
            self._action = (event, words)
            self._around.append(self._depth)
            return
        if isinstance(event, ActionCancelled):
            self._action = None
            words = "" if words in self._cancelled else words
            self._cancelled.add(words)
        if isinstance(event, ActionEnded):
            yield from self._told(event, "")
        if isinstance(event, ActionEnded | ActionCancelled) and self._around:
            self._depth = self._around.pop()
        if type(event) in INDENT:
            self._depth, self._around, self._cancelled = INDENT[type(event)], [], set()
        yield from self._told(event, words)
        if type(event) in INDENT:
            self._depth += 1

    def _told(self, event: Event, words: str) -> Iterator[tuple[Event, str]]:
        """A line, after that of the action it is the first one in."""
        if self._action is not None:
            begun, action = self._action
            yield begun, self._line(action)
            self._action = None
            self._depth += 1
        if words:
            yield event, self._line(words)

    def _line(self, words: str) -> str:
        game = self._game
        return "  " * self._depth + readable(capital(words), game.battle.table.terrain_in(game.state))

    def _set_up(self, lot: dict[str, str]) -> str:
        name = self._game.battle.name
        shown = [f"{name(id)} ({order})" if order else name(id) for id, order in lot.items()]
        return f"{name(self._side(next(iter(lot))))} sets up {listed(shown, len(shown))}."

    def _side(self, operative: str) -> str:
        return self._game.state.operatives[operative].side


def tell(game: Game, events: Iterable[Event]) -> Iterator[str]:
    """A stretch of events in words."""
    return Teller(game).tell(events)


OPS = ("crit", "kill", "tac", "primary")


def score_sheet(battle: Battle) -> list[str]:
    """A table of VP by op and turning point for each side, each followed by what every line was for."""
    turns = battle.edition.turning_points
    heads = "".join(f"{f'TP{turn}':>5}" for turn in range(1, turns + 1))
    lines = [f"{'Score':<28}{heads}{'end':>5}{'VP':>5}"]
    for side in SIDES:
        lines += _table(battle, side, turns)
    for side in SIDES:
        own = [line for line in battle.state.sheet if line.side == side]
        lines += ["", f"{battle.name(side)}:"]
        lines += [f"  {_when(line)}: {line.amount} VP, {spaced(line.reason)}" for line in own] or ["  no VP"]
    return [*lines, "", *rules_line(battle)] if rules_line(battle) else lines


def rules_line(battle: Battle) -> list[str]:
    """As of which date the game is played (KT24-DATED); nothing in an edition that is not corrected any more."""
    return [f"Rules as of {battle.rules_as_of}."] if battle.edition.id == "kt24" else []


def _table(battle: Battle, side: Side, turns: int) -> list[str]:
    sheet = [line for line in battle.state.sheet if line.side == side]
    found = [_row(battle.name(side), sheet, turns)]
    ops = [op for op in OPS if any(line.op == op for line in sheet)]
    return found + [_row(f"  {op} op", [line for line in sheet if line.op == op], turns) for op in ops]


def _row(name: str, sheet: list[ScoreLine], turns: int) -> str:
    cells = [sum(o.amount for o in sheet if o.turning_point == turn and not o.at_end) for turn in range(1, turns + 1)]
    cells.append(sum(line.amount for line in sheet if line.at_end))
    shown = "".join(f"{cell or '-':>5}" for cell in cells)
    return f"{name[:28]:<28}{shown}{sum(cells):>5}"


def _when(line: ScoreLine) -> str:
    return "end of the battle" if line.at_end else f"turning point {line.turning_point}"
