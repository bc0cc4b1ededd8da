"""Everything the rules remember between two answers, as plain data.

Only events change it. Positions are whole thousandths of an inch, so that equal states have equal hashes on every
machine. ``to_json`` and ``from_json`` are exact inverses. The hash is taken over what rules read: words that are only
shown are left out, and so is whatever has its usual value, so that neither a corrected name nor a field that did not
exist yet changes the hash of a saved game.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import MISSING, dataclass, field, fields, replace
from operator import attrgetter
from typing import Any, Literal, NamedTuple, TypeAlias

Side: TypeAlias = Literal["red", "blue"]
Seat: TypeAlias = Literal["red", "blue", "chance"]
SIDES: tuple[Side, Side] = ("red", "blue")
Point: TypeAlias = tuple[int, int, int]
"""x, y and level in thousandths of an inch."""
Path: TypeAlias = tuple[Point, ...]


def other(side: Side) -> Side:
    """The opponent of *side*."""
    return "blue" if side == "red" else "red"


Phase: TypeAlias = Literal["set-up", "initiative", "ready", "gambit", "strategy", "firefight", "turn-end", "over"]
OrderName: TypeAlias = Literal["engage", "conceal"]
Until: TypeAlias = Literal[
    "action",
    "activation",
    "next-activation",
    "next-activation-start",
    "own-next-activation",
    "own-next-activation-end",
    "next-ready-step",
    "turning-point",
    "incapacitated",
    "performed-again",
    "battle",
]
"""``activation``: the end of the activation or counteraction under way, whoever's it is. ``next-activation``: the end
of the present or the next activation of the target, whichever comes first; ``next-activation-start``: its start. *Own*
activations and being ``incapacitated`` are those of the operative that brought the effect about."""


def milli(inches: float) -> int:
    """Inches as whole thousandths."""
    return round(inches * 1000)


def inches(thousandths: int) -> float:
    return thousandths / 1000


@dataclass(slots=True)
class OperativeState:
    """One operative during a game. *card* names its datacard, *uses* counts uses of Limited weapons.

    *wounded_by* is the operative that last inflicted damage on it, *wounded_in* the turning point of that damage. Of
    those incapacitated and not removed yet *fell* says in which order they lost their last wound, from 1 on.
    """

    id: str
    name: str
    side: Side
    card: str
    wounds: int
    x: int = 0
    y: int = 0
    level: int = 0
    turn: int = 0
    order: OrderName = "conceal"
    is_ready: bool = False
    is_set_up: bool = False
    is_removed: bool = False
    has_counteracted: bool = False
    uses: dict[str, int] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    wounded_by: str = ""
    wounded_in: int = 0
    fell: int = 0

    @property
    def is_incapacitated(self) -> bool:
        return self.wounds <= 0

    @property
    def is_in_killzone(self) -> bool:
        return self.is_set_up and not self.is_removed

    @property
    def point(self) -> Point:
        return (self.x, self.y, self.level)

    def copy(self) -> OperativeState:
        twin = OperativeState(*_OPERATIVE_VALUES(self))
        twin.uses, twin.tokens = dict(self.uses), dict(self.tokens)
        return twin


@dataclass(slots=True)
class MarkerState:
    """A marker. *radius* in thousandths of an inch; a carried marker is wherever its carrier is.

    Only *owner*, if there is one, may pick it up. *tokens* is what ops have laid on it.
    """

    id: str
    kind: str
    x: int
    y: int
    level: int
    radius: int
    can_be_picked_up: bool = False
    carrier: str | None = None
    controller: Side | None = None
    owner: Side | None = None
    tokens: dict[str, int] = field(default_factory=dict)

    @property
    def point(self) -> Point:
        return (self.x, self.y, self.level)

    def copy(self) -> MarkerState:
        twin = MarkerState(*_MARKER_VALUES(self))
        twin.tokens = dict(self.tokens)
        return twin


@dataclass(frozen=True, slots=True)
class PieceState:
    """A terrain piece a player has put on the table. *piece* is its name in ``assets/terrain``, *turn* thousandths of a
    degree."""

    id: str
    piece: str
    side: Side
    x: int
    y: int
    level: int = 0
    turn: int = 0

    @property
    def point(self) -> Point:
        return (self.x, self.y, self.level)


class Smoke(NamedTuple):
    """A smoke marker (KT24-SMOKE). *left* counts the activations it still lasts; 0 while that is not rolled yet."""

    x: int
    y: int
    level: int
    left: int = 0

    @property
    def point(self) -> Point:
        return (self.x, self.y, self.level)


@dataclass(frozen=True, slots=True)
class Effect:
    """A lasting change to one operative or, without a *target*, to a side.

    *stat* is what it changes by *amount* (with no amount it is only a mark others look for); *grants* is a weapon rule
    its side's (or the target's) weapons gain. *only_if* names a condition (``ktsim.rules.engine.conditions``).
    *is_pending* effects take hold when the present action is over (KT24-STATS); *skips* counts activations that do
    not end it. *clause* names a rule of the language of team rules that holds meanwhile, *by*, *foe* and *picked* those
    it is bound to; *ends* are further things that end it, whichever comes first.
    """

    source: str
    rule: str
    until: Until
    target: str | None = None
    side: Side | None = None
    stat: str = ""
    amount: int = 0
    grants: str = ""
    weapons: str = ""
    is_pending: bool = False
    skips: int = 0
    only_if: str = ""
    clause: str = ""
    by: str = ""
    foe: str = ""
    picked: tuple[str, ...] = ()
    ends: tuple[Until, ...] = ()

    @property
    def is_memory(self) -> bool:
        """Whether it changes nothing and only remembers what was done, for rules that ask."""
        return self.clause.startswith("past:") or self.clause.endswith("!")

    def ends_at(self, occasion: Until) -> bool:
        return self.until == occasion or occasion in self.ends


@dataclass(slots=True)
class Activation:
    """What the operative that is acting has done so far."""

    operative: str
    kind: Literal["activation", "counteraction"]
    apl: int
    ap_spent: int = 0
    actions: list[str] = field(default_factory=list)
    moves: list[str] = field(default_factory=list)
    weapons: list[str] = field(default_factory=list)
    interrupts: list[str] = field(default_factory=list)
    """The operatives on guard that have interrupted it (KZ-GUARD-INTERRUPT)."""


class ScoreLine(NamedTuple):
    """One line of the score sheet; *at_end*: scored at the end of the battle, not of its last turning point."""

    turning_point: int
    side: Side
    op: str
    amount: int
    reason: str
    at_end: bool = False


@dataclass(slots=True)
class State:
    """The state of one game."""

    edition: str
    turning_point: int = 0
    phase: Phase = "set-up"
    initiative: Side | None = None
    turn: Side | None = None
    passes: int = 0
    cp: dict[str, int] = field(default_factory=lambda: {"red": 0, "blue": 0})
    vp: dict[str, int] = field(default_factory=lambda: {"red": 0, "blue": 0})
    operatives: dict[str, OperativeState] = field(default_factory=dict)
    markers: dict[str, MarkerState] = field(default_factory=dict)
    terrain: dict[str, str] = field(default_factory=dict)
    pieces: dict[str, PieceState] = field(default_factory=dict)
    """Terrain that players have put on the table, besides the board's."""
    smoke: list[Smoke] = field(default_factory=list)
    effects: list[Effect] = field(default_factory=list)
    ploys_used: list[str] = field(default_factory=list)
    activation: Activation | None = None
    reaching: tuple[str, str] | None = None
    """Two operatives that count as in each other's control range during the present action."""
    notes: dict[str, int] = field(default_factory=dict)
    choices: dict[str, str] = field(default_factory=dict)
    """What was chosen for the battle (drop zones, ops, equipment), by what it is for. Replaced, never changed in place:
    the rules in force follow from it (``Battle.rules``)."""
    sheet: list[ScoreLine] = field(default_factory=list)
    """Where each victory point came from."""
    winner: str | None = None

    def side(self, side: Side) -> list[OperativeState]:
        """The operatives of *side* that are in the killzone, in roster order."""
        return [o for o in self.operatives.values() if o.side == side and o.is_in_killzone]

    def enemies(self, operative: str) -> list[OperativeState]:
        return self.side(other(self.operatives[operative].side))

    def friends(self, operative: str) -> list[OperativeState]:
        """The other operatives of the same side in the killzone."""
        return [o for o in self.side(self.operatives[operative].side) if o.id != operative]

    def ready(self, side: Side) -> list[OperativeState]:
        """Those that can still be activated: nobody who is about to be removed."""
        return [o for o in self.side(side) if o.is_ready and not o.is_incapacitated]

    def carried_by(self, operative: str) -> list[MarkerState]:
        return [m for m in self.markers.values() if m.carrier == operative]

    def scored(self, side: Side, op: str, turning_point: int | None = None) -> int:
        """The VP *side* has from *op*: in all, or in one turning point without what was scored at the end."""
        return sum(
            line.amount
            for line in self.sheet
            if line.side == side and line.op == op
            if turning_point is None or (turning_point == line.turning_point and not line.at_end)
        )

    def copy(self) -> State:
        """An independent copy."""
        twin = State(*_STATE_VALUES(self))
        twin.cp, twin.vp, twin.terrain, twin.notes = (
            dict(self.cp),
            dict(self.vp),
            dict(self.terrain),
            dict(self.notes),
        )
        twin.smoke, twin.effects, twin.ploys_used = list(self.smoke), list(self.effects), list(self.ploys_used)
        twin.sheet, twin.pieces = list(self.sheet), dict(self.pieces)
        twin.operatives = {id: operative.copy() for id, operative in self.operatives.items()}
        twin.markers = {id: marker.copy() for id, marker in self.markers.items()}
        if (now := self.activation) is not None:
            twin.activation = replace(
                now,
                actions=list(now.actions),
                moves=list(now.moves),
                weapons=list(now.weapons),
                interrupts=list(now.interrupts),
            )
        return twin

    def become(self, copy: State) -> None:
        """Take over every value of *copy*. Operatives and markers stay the same objects: procedures hold them."""
        twin = copy.copy()
        pairs: tuple[tuple[dict[str, Any], dict[str, Any]], ...] = (
            (self.operatives, twin.operatives),
            (self.markers, twin.markers),
        )
        for mine, theirs in pairs:
            kept = {id: mine.get(id, value) for id, value in theirs.items()}
            for id, value in theirs.items():
                for name in _NAMES[type(value)]:
                    setattr(kept[id], name, getattr(value, name))
            mine.clear()
            mine.update(kept)
        for name in _NAMES[State]:
            if name not in ("operatives", "markers"):
                setattr(self, name, getattr(twin, name))

    def to_json(self) -> dict[str, Any]:
        """Plain JSON data that says everything."""
        data = _plain(self)
        data["operatives"] = [_plain(o) for o in self.operatives.values()]
        data["markers"] = [_plain(m) for m in self.markers.values()]
        data["pieces"] = [_plain(p) for p in self.pieces.values()]
        data["effects"] = [_plain(e) for e in self.effects]
        data["activation"] = None if self.activation is None else _plain(self.activation)
        return data

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> State:
        """The state that ``to_json`` wrote; ``KeyError``, ``TypeError`` or ``ValueError`` on anything else."""
        values = dict(data)
        values["operatives"] = {raw["id"]: OperativeState(**raw) for raw in data["operatives"]}
        values["markers"] = {raw["id"]: MarkerState(**raw) for raw in data["markers"]}
        values["effects"] = [
            Effect(**{**raw, "picked": tuple(raw.get("picked", ())), "ends": tuple(raw.get("ends", ()))})
            for raw in data["effects"]
        ]
        values["pieces"] = {raw["id"]: PieceState(**raw) for raw in data["pieces"]}
        values["smoke"] = [Smoke(*map(int, raw)) for raw in data["smoke"]]
        values["reaching"] = None if data["reaching"] is None else tuple(data["reaching"])
        values["sheet"] = [ScoreLine(*raw) for raw in data["sheet"]]
        values["activation"] = None if data["activation"] is None else Activation(**data["activation"])
        return cls(**values).copy()

    def digest(self) -> str:
        """A hash of everything in the state that rules read, the same on every machine."""
        data = _essence(self)
        for name in ("operatives", "markers", "pieces"):
            if name in data:
                data[name] = [_essence(each) for each in data[name].values()]
        if "effects" in data:
            data["effects"] = [_essence(each) for each in self.effects]
        if self.activation is not None:
            data["activation"] = _essence(self.activation)
        if "sheet" in data:
            data["sheet"] = [line._replace(reason="") for line in self.sheet]
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.blake2b(text.encode("ascii"), digest_size=16).hexdigest()


_NAMES: dict[type, tuple[str, ...]] = {
    kind: tuple(each.name for each in fields(kind))
    for kind in (State, OperativeState, MarkerState, PieceState, Effect, Activation)
}

_SHOWN = {(OperativeState, "name"), (Effect, "source")}
"""Words that no rule reads."""
_USUAL: dict[type, tuple[tuple[str, Any], ...]] = {
    kind: tuple(
        (each.name, each.default_factory() if each.default_factory is not MISSING else each.default)
        for each in fields(kind)
        if (kind, each.name) not in _SHOWN
    )
    for kind in _NAMES
}
"""The fields that rules read, each with its usual value (``MISSING`` where there is none)."""

# A state is copied at every checkpoint; this is several times quicker than dataclasses.replace.
_OPERATIVE_VALUES = attrgetter(*_NAMES[OperativeState])
_MARKER_VALUES = attrgetter(*_NAMES[MarkerState])
_STATE_VALUES = attrgetter(*_NAMES[State])


def _plain(value: Any) -> dict[str, Any]:
    return {name: getattr(value, name) for name in _NAMES[type(value)]}


def _essence(value: Any) -> dict[str, Any]:
    """What rules read of it, without what is as usual."""
    return {name: now for name, usual in _USUAL[type(value)] if (now := getattr(value, name)) != usual}
