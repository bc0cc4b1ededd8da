"""The game so far in words, line by line, and the score sheet; both read off the events."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.game.game import Game
from ktsim.game.story import Teller, rules_line
from ktsim.rules.engine.events import Event, PhaseBegan
from ktsim.rules.engine.operative_events import ActionBegan, Moved, SetUp, Stopped
from ktsim.rules.engine.state import SIDES, Point
from ktsim.rules.engine.table_events import Teleported


@dataclass(frozen=True)
class LogLine:
    """One event in words. *subjects* are the operatives and markers it is about, *path* where one moved."""

    number: int
    text: str
    depth: int = 0
    seat: str = ""
    rule: str = ""
    subjects: tuple[str, ...] = ()
    path: tuple[Point, ...] = ()
    is_head: bool = False


@dataclass(frozen=True)
class ScoreRow:
    """What one op has scored: for each side its VP turning point by turning point."""

    name: str
    points: dict[str, tuple[int, ...]]


@dataclass(frozen=True)
class ScoreSheet:
    turning_points: int
    now: int
    rows: tuple[ScoreRow, ...]
    totals: dict[str, int]
    rules: str
    """As of which date the game is played, as a sentence; empty where there is one state of the rules only."""


def subjects_of(event: Event) -> tuple[str, ...]:
    """The ids an event is about, whatever event it is."""
    found: list[str] = []
    for name in ("operative", "marker", "subjects", "target", "by"):
        value = getattr(event, name, ())
        found += [value] if isinstance(value, str) else [v for v in value or () if isinstance(v, str)]
    return tuple(dict.fromkeys(each for each in found if each))


class Logbook:
    """Follows a game's events; forgets with it when it is rewound."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self.lines: list[LogLine] = []
        self.restart()

    def restart(self) -> None:
        """Read all events anew, after a rewind."""
        self._teller = Teller(self._game)
        self._read = self._begun = 0
        self.lines.clear()
        self.follow()

    def follow(self) -> None:
        """Take in the events since last time."""
        game = self._game
        for number in range(self._read, len(game.events)):
            event = game.events[number]
            if isinstance(event, ActionBegan):
                self._begun = number
            for told, text in self._teller.lines([event]):
                self.lines.append(self._line(number if told is event else self._begun, told, text))
        self._read = len(game.events)

    def _line(self, number: int, event: Event, text: str) -> LogLine:
        plain = text.lstrip()
        depth = (len(text) - len(plain)) // 2
        rule = ""
        if plain.endswith("]") and " [" in plain:
            plain, _, rule = plain[:-1].rpartition(" [")
        known = self._game.state.operatives.keys() | self._game.state.markers.keys()
        subjects = tuple(id for id in subjects_of(event) if id in known)
        path: tuple[Point, ...] = (event.point,) if isinstance(event, SetUp | Teleported) else ()
        path = event.path if isinstance(event, Moved | Stopped) else path
        sides = [self._game.state.operatives[id].side for id in subjects if id in self._game.state.operatives]
        side = getattr(event, "side", None)
        seat = sides[0] if sides else side if side in SIDES else ""
        head = isinstance(event, PhaseBegan)
        if head:
            plain = plain.strip("= ")
        return LogLine(number, plain, depth, seat, rule, subjects, path, head)


def score_of(game: Game) -> ScoreSheet:
    """The score sheet: VP by what scored them, turning point and side."""
    state = game.state
    count = max(game.battle.edition.turning_points, state.turning_point)
    rows: dict[str, dict[str, list[int]]] = {}
    for line in state.sheet:
        name = (f"{line.op} op" if line.op else line.reason).capitalize()
        row = rows.setdefault(name, {side: [0] * count for side in SIDES})
        row[line.side][max(0, line.turning_point - 1)] += line.amount
    return ScoreSheet(
        count,
        state.turning_point,
        tuple(ScoreRow(name, {side: tuple(row[side]) for side in SIDES}) for name, row in rows.items()),
        dict(state.vp),
        "".join(rules_line(game.battle)),
    )
