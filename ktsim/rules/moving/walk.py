"""The data of moving: waypoints, actions that move, legs, and what a check answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from ktsim.sight.scene import Edition, Operative, Scene

Kind: TypeAlias = Literal["move", "climb", "drop", "jump", "land", "step", "stairs", "traverse", "teleport"]


class Waypoint(NamedTuple):
    """Where an increment ends. *level* is the height of the base's underside; *turn* (degrees) turns the base there.

    Two waypoints in a row differ in place or in level, never in both: a climb or a drop is an increment of its own.
    """

    x: float
    y: float
    level: float
    turn: float | None = None

    @property
    def as_floats(self) -> Waypoint:
        """The same place without whole numbers: kernels would be compiled once more for those, in somebody's turn."""
        return Waypoint(float(self.x), float(self.y), float(self.level), self.turn)


Path: TypeAlias = tuple[Waypoint, ...]
"""The waypoints after the one the operative stands on."""


@dataclass(frozen=True)
class MoveAction:
    """What an action lets a move do."""

    name: str
    rule: str
    edition: Edition = "kt24"
    can_climb: bool = True
    can_drop: bool = True
    can_jump: bool = True
    passes_control: bool = False
    ends_in_control: bool = False
    teleports: bool = False
    """It may be set up on the other teleport pad instead of moving (KZ-TOMB-PAD)."""
    climb: int | None = None
    """How many inches every climb counts as at most; as high as it is where nothing is said."""
    drops_free: bool = False


REPOSITION = MoveAction("Reposition", "KT24-REPOSITION")
DASH = MoveAction("Dash", "KT24-DASH", can_climb=False)
FALL_BACK = MoveAction("Fall Back", "KT24-FALLBACK", passes_control=True)
CHARGE = MoveAction("Charge", "KT24-CHARGE", ends_in_control=True)
WITH_BARRICADE = MoveAction(
    "Move with Barricade", "KT24-E-PORTABLE-BARRICADE", can_climb=False, can_drop=False, can_jump=False
)
NORMAL_MOVE_21 = MoveAction("Normal Move", "KT21-MOVE", "kt21-lite")
DASH_21 = MoveAction("Dash", "KT21-MOVE", "kt21-lite")
FALL_BACK_21 = MoveAction("Fall Back", "KT21-MOVE", "kt21-lite", passes_control=True)
CHARGE_21 = MoveAction("Charge", "KT21-MOVE", "kt21-lite", ends_in_control=True)


@dataclass(frozen=True, eq=False)
class Walker:
    """An operative about to move, and the scene it moves in (which may or may not hold it)."""

    operative: Operative
    scene: Scene

    @classmethod
    def of(cls, scene: Scene, id: str) -> Walker:
        return cls(scene.operative(id), scene)

    @cached_property
    def others(self) -> tuple[Operative, ...]:
        return self.scene.others(self.operative.id)

    @cached_property
    def enemies(self) -> tuple[Operative, ...]:
        return tuple(each for each in self.others if each.team != self.operative.team)

    @cached_property
    def friends(self) -> tuple[Operative, ...]:
        return tuple(each for each in self.others if each.team == self.operative.team)

    @cached_property
    def height(self) -> float:
        return height_of(self.operative)

    @property
    def start(self) -> Waypoint:
        return Waypoint(self.operative.x, self.operative.y, self.operative.level, self.operative.turn)


def height_of(operative: Operative) -> float:
    """How far the miniature reaches above the level it stands on."""
    return float(operative.figure.box[1, 2])


@dataclass(frozen=True)
class Increment:
    """One increment: *raw* is its measured length, *cost* what it takes from the allowance; *notes* say why more or
    less."""

    kind: Kind
    start: Waypoint
    end: Waypoint
    raw: float
    cost: int
    rule: str
    notes: tuple[str, ...] = ()

    def words(self) -> str:
        extra = f" ({', '.join(self.notes)})" if self.notes else ""
        return f'{self.kind} {self.raw:.2f}" costs {self.cost}"{extra}'


Footing: TypeAlias = Literal["ground", "over", "off", "air"]
"""On a level; over terrain after climbing; beside the edge of a Vantage just left; in the air after a jump."""


@dataclass(frozen=True)
class Stance:
    """Between two legs: how the operative is held, and what this action has used up.

    *origin* is the level it left (for drops and jumps), *floor* the number of the floor on that level. *can_land*:
    a small difference of height is ignored now; *must_land*: the way here was over terrain that only a landing
    ignores. *held* are the enemies whose control range a Charge may not leave any more.
    """

    footing: Footing = "ground"
    drop_used: float = 0.0
    ladder_used: bool = False
    origin: float = 0.0
    floor: int = -1
    can_land: bool = False
    must_land: bool = False
    held: frozenset[str] = frozenset()


@dataclass(frozen=True)
class LegalPath:
    """A legal path: its legs in order and their sum.

    *partial*: the move goes on after something else (Operate Hatch), starting from *stance*. *tests* are dice the
    move needs (2021's jump), each the least result that succeeds.
    """

    legs: tuple[Increment, ...]
    total: int
    allowance: int
    partial: bool = False
    stance: Stance = Stance()
    tests: tuple[int, ...] = ()

    @property
    def path(self) -> Path:
        return tuple(leg.end for leg in self.legs)

    def words(self) -> str:
        sums = " + ".join(str(leg.cost) for leg in self.legs) or "0"
        return f'{sums} = {self.total}" of {self.allowance}"'


@dataclass(frozen=True)
class Refusal:
    """Why a path is not legal: the number of the leg (from 1), the rule, the thing in the way, and a sentence."""

    leg: int
    rule: str
    text: str
    thing: str | None = None
    legs: tuple[Increment, ...] = ()

    def words(self) -> str:
        return f"Leg {self.leg}: {self.text} [{self.rule}]"


def named(text: str, thing: str | None, names: Mapping[str, str]) -> str:
    """A sentence of the check as players read it: the operative it speaks of by its name, with a capital."""
    told = text if thing is None else text.replace(f" of {thing}", f" of {names.get(thing, thing)}")
    return told[0].upper() + told[1:]


class Refused(Exception):
    """Raised inside the check where a rule stops the path; :func:`check_path` turns it into a :class:`Refusal`."""

    def __init__(self, rule: str, text: str, thing: str | None = None) -> None:
        super().__init__(text)
        self.rule, self.text, self.thing = rule, text, thing
