"""Questions a rule procedure may ask, and the helpers that ask them.

A procedure is a generator that yields decisions and events. A decision is put to one seat (red, blue or chance);
its ``check`` says in a sentence why an answer is illegal, its ``sample`` draws some legal answer. Answers are
plain data (strings, integers, nested tuples of them), so that a journal can hold them as JSON.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any, Generic, Literal, TypeAlias, TypeVar, cast

from ktsim.rules.engine.events import Event, capital
from ktsim.rules.engine.state import Path, Point, Seat, Side

A = TypeVar("A")
T = TypeVar("T")
V = TypeVar("V")


Steps: TypeAlias = Generator["Decision[Any] | Event", Any, T]


class AskAgain(Exception):
    """Sent into a procedure in place of an answer, when something was done by hand: where nothing is in progress it
    begins again from the state, so that what it asks fits what there is now."""


# fmt: off
Topic: TypeAlias = Literal[
    # the course of a game
    "roll-off", "initiative", "initiative re-roll", "card", "gambit", "activate", "order", "action", "counteract",
    "overwatch", "interrupt", "last action", "which first",
    # set-up
    "operatives", "equipment", "equipment options", "equip", "drop zone", "defender", "edge", "tac op", "primary op",
    "crit op", "scouting", "scout", "item", "place item", "turn", "set up", "set up next",
    "partners", "patrol", "entry",
    # moving
    "move", "meanwhile", "jump", "hatch", "breach", "breach die", "swap", "dashing", "operative", "relocate",
    # attacks
    "weapon", "which rule", "target", "origin", "cover or obscured", "torrent", "torrent order", "blast",
    "fusillade", "share", "enemy", "melee weapon",
    # dice
    "accurate", "attack", "reroll", "discard", "rending", "punishing", "severe", "defence", "save", "cover", "block",
    "resolve", "early block", "last strike", "hot", "ward", "ward die", "convert",
    # ploys, markers, ops and equipment
    "ploy", "marker", "carried marker", "place marker", "op marker", "plant banner", "claim", "inert", "orb", "envoy",
    "martyr", "martyr token", "dominate token", "intelligence", "monitor",
    "grenade", "smoke", "smoke die", "stun", "stun die", "mines",
    "free action", "operatives picked", "team option", "team marker", "team die",
]
# fmt: on
"""What a question is about: one word for one question, whoever asks it. Bots, hints and panels go by it."""


@dataclass(frozen=True)
class Option:
    """One answer on offer. With a *refusal* it is shown but cannot be chosen, and the refusal says why.

    A *secret* option tells something only its seat may know. Its *text* begins with a capital, whatever names it.
    """

    key: str
    text: str
    refusal: str | None = None
    rule: str = ""
    secret: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", capital(self.text))


@dataclass(frozen=True, kw_only=True)
class Decision(ABC, Generic[A]):
    """A question put to one seat. *topic* says what about."""

    seat: Seat
    topic: Topic
    prompt: str
    default: A | None = None
    secret: bool = False
    about: Any = field(default=None, compare=False, repr=False)
    """What the rules know about the question (an operative's or marker's id, the dice, the sequence, the moment), for
    bots, hints and whoever shows it."""

    @abstractmethod
    def check(self, answer: object) -> str | None:
        """Why *answer* is not legal, as a sentence; ``None`` when it is. Never enumerates a continuous space."""

    @abstractmethod
    def sample(self, rng: Random) -> A:
        """Some legal answer."""

    @property
    def is_obvious(self) -> bool:
        """Whether the default is the only sensible answer, so that a setting may take it."""
        return False


@dataclass(frozen=True, kw_only=True)
class Pick(Decision[str]):
    """Choose one of a few named options.

    Of a *veiled* one the opponent must think that it may have secret options: it is asked, and never taken for obvious,
    whether or not it has any.
    """

    options: tuple[Option, ...]
    obvious: bool = False
    veiled: bool = False

    def check(self, answer: object) -> str | None:
        for option in self.options:
            if option.key == answer:
                return option.refusal
        known = [option.key for option in self.options if option.refusal is None and not option.secret]
        return f"{answer!r} is not on offer; choose one of: {', '.join(known)}."

    def sample(self, rng: Random) -> str:
        return rng.choice(self.open_keys)

    @property
    def open_keys(self) -> list[str]:
        return [option.key for option in self.options if option.refusal is None]

    @property
    def is_obvious(self) -> bool:
        return self.default is not None and not self.veiled and (self.obvious or len(self.open_keys) == 1)


@dataclass(frozen=True, kw_only=True)
class PickSome(Decision[tuple[str, ...]]):
    """Choose between *least* and *most* different options; the order of the answer is kept."""

    options: tuple[Option, ...]
    least: int
    most: int

    def check(self, answer: object) -> str | None:
        if not isinstance(answer, tuple) or not all(isinstance(key, str) for key in answer):
            return "The answer must be a list of options."
        if not self.least <= len(answer) <= self.most:
            wanted = f"{self.least}" if self.least == self.most else f"between {self.least} and {self.most}"
            return f"Choose {wanted}; {len(answer)} {'was' if len(answer) == 1 else 'were'} chosen."
        if len(set(answer)) != len(answer):
            return "Each option can be chosen once."
        by_key = {option.key: option for option in self.options}
        for key in answer:
            if key not in by_key:
                return f"{key!r} is not on offer."
            if by_key[key].refusal is not None:
                return by_key[key].refusal
        return None

    def sample(self, rng: Random) -> tuple[str, ...]:
        keys = [option.key for option in self.options if option.refusal is None]
        return tuple(rng.sample(keys, rng.randint(self.least, min(self.most, len(keys)))))


@dataclass(frozen=True, kw_only=True)
class Roll(Decision[tuple[int, ...]]):
    """Roll *count* six-sided dice; the seat chance answers. *roller* is the player whose dice they are."""

    count: int
    roller: Side | None = None
    seat: Seat = "chance"

    def check(self, answer: object) -> str | None:
        right = (
            isinstance(answer, tuple)
            and len(answer) == self.count
            and all(isinstance(die, int) and not isinstance(die, bool) and 1 <= die <= 6 for die in answer)
        )
        return None if right else f"Expected {self.count} dice, each from 1 to 6."

    def sample(self, rng: Random) -> tuple[int, ...]:
        return tuple(rng.randint(1, 6) for _ in range(self.count))


def is_point(answer: object) -> bool:
    """Whether *answer* has the shape of a point: three whole numbers."""
    return (
        isinstance(answer, tuple)
        and len(answer) == 3
        and all(isinstance(n, int) and not isinstance(n, bool) and abs(n) < 10**9 for n in answer)
    )


@dataclass(frozen=True, kw_only=True)
class Place(Decision[Point]):
    """Choose a point on the table. *refuse* judges a point, *suggest* finds a legal one. What *can_turn* may be told
    how it is turned as well, as a fourth number: thousandths of a degree. *rule* says where it may be."""

    refuse: Callable[[Point], str | None] = field(compare=False)
    suggest: Callable[[Random], Point] = field(compare=False)
    can_turn: bool = False
    rule: str = ""

    def check(self, answer: object) -> str | None:
        if self.can_turn and isinstance(answer, tuple) and len(answer) == 4:
            if not isinstance(answer[3], int) or isinstance(answer[3], bool) or abs(answer[3]) > FULL_TURN:
                return "A turn is thousandths of a degree, at most once around."
            answer = answer[:3]
        if not is_point(answer):
            return "A place is x, y and level in thousandths of an inch."
        return self.refuse(cast("Point", answer))

    def sample(self, rng: Random) -> Point:
        return self.suggest(rng)


FULL_TURN = 360_000


def place_and_turn(answer: tuple[int, ...]) -> tuple[Point, int]:
    """The point that a :class:`Place` was answered with, and how what stands there is turned; 0 unless said."""
    x, y, level, *turn = answer
    return (x, y, level), turn[0] if turn else 0


CANCEL: Path = ()
"""The answer to a Walk that cancels the action (KT24-CANCEL)."""


@dataclass(frozen=True, kw_only=True)
class Walk(Decision[Path]):
    """Choose the waypoints of a move, the last being its end; no waypoints cancel the action."""

    operative: str
    allowance: int
    refuse: Callable[[Path], str | None] = field(compare=False)
    suggest: Callable[[Random], Path] = field(compare=False)

    def check(self, answer: object) -> str | None:
        if answer == CANCEL:
            return None
        if not isinstance(answer, tuple) or not all(map(is_point, answer)):
            return "A path is a list of places, each x, y and level in thousandths of an inch."
        if len(answer) > 64:
            return "A path has at most 64 waypoints."
        return self.refuse(answer)

    def sample(self, rng: Random) -> Path:
        return self.suggest(rng)


def answer_from_json(raw: object) -> object:
    """The answer a JSON value stands for: lists become tuples."""
    return tuple(map(answer_from_json, raw)) if isinstance(raw, list) else raw


def ask(decision: Decision[A]) -> Steps[A]:
    """Put *decision* to its seat and return the answer."""
    answer: A = yield decision
    return answer


def pick(
    seat: Seat,
    topic: Topic,
    prompt: str,
    options: Sequence[Option],
    values: Mapping[str, V],
    *,
    default: str | None = None,
    obvious: bool = False,
    secret: bool = False,
    veiled: Callable[[], bool] | None = None,
    about: Any = None,
) -> Steps[V]:
    """Ask for one of *options* and return its value; with a single open option nothing is asked.

    *veiled* is for a question that may have secret options: it says whether one of those there could be is open, and
    then the question is asked all the same.
    """
    open_keys = [option.key for option in options if option.refusal is None]
    if len(open_keys) == 1 and (veiled is None or not veiled()):
        return values[open_keys[0]]
    answer = yield from ask(
        Pick(
            seat=seat,
            topic=topic,
            prompt=prompt,
            options=tuple(options),
            default=default,
            obvious=obvious,
            secret=secret,
            veiled=veiled is not None,
            about=about,
        )
    )
    return values[answer]


def confirm(seat: Seat, topic: Topic, prompt: str, *, default: bool = True, obvious: bool = False) -> Steps[bool]:
    """Ask a yes-or-no question."""
    options = (Option("yes", "Yes"), Option("no", "No"))
    word = "yes" if default else "no"
    answer = yield from ask(Pick(seat=seat, topic=topic, prompt=prompt, options=options, default=word, obvious=obvious))
    return answer == "yes"


def roll(
    count: int, topic: Topic, prompt: str, roller: Side | None = None, about: object = None
) -> Steps[tuple[int, ...]]:
    """Have *count* dice rolled; with none nothing is asked."""
    if count <= 0:
        return ()
    return (yield from ask(Roll(topic=topic, prompt=prompt, count=count, roller=roller, about=about)))
