"""Facts. Applying one is the only way the state changes; ``words`` tells it for the log."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from ktsim.rules.decisions import Path, Point, Side
from ktsim.rules.state import Activation, Effect, OrderName, Phase, State, inches

Names: TypeAlias = Callable[[str], str]
"""From an id (of an operative, marker or side) to what the players call it."""


class Event(ABC):
    """A fact, told once."""

    @abstractmethod
    def apply(self, state: State) -> None:
        """Change *state* accordingly."""

    def words(self, names: Names) -> str:
        """One line for the log; empty when there is nothing to tell."""
        return ""


@dataclass(frozen=True)
class Told(Event):
    """Something worth a line in the log that changes nothing by itself: a rule at work, a ruling, dice."""

    text: str
    rule: str = ""
    subjects: tuple[str, ...] = ()

    def apply(self, state: State) -> None:
        """Nothing changes."""

    def words(self, names: Names) -> str:
        told = self.text
        for number, subject in enumerate(self.subjects):
            told = told.replace(f"{{{number}}}", names(subject))
        return f"{told} [{self.rule}]" if self.rule else told


@dataclass(frozen=True)
class Settled(Event):
    """Nothing is in progress: the state alone says how the game goes on, so a checkpoint can be kept here."""

    def apply(self, state: State) -> None:
        """Nothing changes."""


@dataclass(frozen=True)
class PhaseBegan(Event):
    phase: Phase
    turning_point: int
    turn: Side | None

    def apply(self, state: State) -> None:
        if self.turning_point != state.turning_point:
            state.ploys_used = []
            for operative in state.operatives.values():
                operative.has_counteracted = False
        state.phase, state.turning_point, state.turn, state.passes = self.phase, self.turning_point, self.turn, 0

    def words(self, names: Names) -> str:
        return f"== Turning point {self.turning_point}: {self.phase} ==" if self.turning_point else ""


@dataclass(frozen=True)
class InitiativeGiven(Event):
    side: Side

    def apply(self, state: State) -> None:
        state.initiative = self.side

    def words(self, names: Names) -> str:
        return f"{names(self.side)} has the initiative."


@dataclass(frozen=True)
class TurnPassed(Event):
    """The turn goes to *side*; *passes* counts consecutive passes so far."""

    side: Side
    passes: int

    def apply(self, state: State) -> None:
        state.turn, state.passes = self.side, self.passes


@dataclass(frozen=True)
class CpChanged(Event):
    side: Side
    amount: int
    reason: str

    def apply(self, state: State) -> None:
        state.cp[self.side] += self.amount

    def words(self, names: Names) -> str:
        verb = "gains" if self.amount >= 0 else "spends"
        return f"{names(self.side)} {verb} {abs(self.amount)}CP ({self.reason})."


@dataclass(frozen=True)
class VpScored(Event):
    side: Side
    amount: int
    reason: str

    def apply(self, state: State) -> None:
        state.vp[self.side] += self.amount

    def words(self, names: Names) -> str:
        return f"{names(self.side)} scores {self.amount}VP: {self.reason}."


@dataclass(frozen=True)
class Readied(Event):
    """Every operative in the killzone becomes ready (KT24-READY)."""

    def apply(self, state: State) -> None:
        for operative in state.operatives.values():
            operative.is_ready = operative.is_in_killzone

    def words(self, names: Names) -> str:
        return "All operatives are ready."


@dataclass(frozen=True)
class PloyUsed(Event):
    side: Side
    ploy: str
    name: str

    def apply(self, state: State) -> None:
        state.ploys_used.append(f"{self.side}:{self.ploy}")

    def words(self, names: Names) -> str:
        return f"{names(self.side)} uses {self.name}."


@dataclass(frozen=True)
class SetUp(Event):
    operative: str
    point: Point
    turn: int = 0

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.point
        who.turn, who.is_set_up = self.turn, True

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.point)
        return f'{names(self.operative)} is set up at {x:.1f}", {y:.1f}".'


@dataclass(frozen=True)
class ActivationBegan(Event):
    operative: str
    kind: str
    order: OrderName
    apl: int

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.order = self.order
        if self.kind == "counteraction":
            who.has_counteracted = True
            state.activation = Activation(self.operative, "counteraction", self.apl)
        else:
            state.activation = Activation(self.operative, "activation", self.apl)

    def words(self, names: Names) -> str:
        if self.kind == "counteraction":
            return f"{names(self.operative)} counteracts."
        return f"{names(self.operative)} is activated ({self.order}, APL {self.apl})."


@dataclass(frozen=True)
class ActivationEnded(Event):
    operative: str

    def apply(self, state: State) -> None:
        assert state.activation is not None
        was_activation = state.activation.kind == "activation"
        state.activation = None
        if not was_activation:
            return
        state.operatives[self.operative].is_ready = False
        kept = []
        for effect in state.effects:
            ends_here = effect.until == "next-activation" and effect.target == self.operative
            if ends_here and effect.skips:
                kept.append(replace(effect, skips=effect.skips - 1))
            elif not ends_here:
                kept.append(effect)
        state.effects = kept

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is done."


@dataclass(frozen=True)
class ActionBegan(Event):
    """An action is performed for *ap*. Free actions cost nothing and count as performed."""

    operative: str
    action: str
    ap: int
    is_move: bool = False

    def apply(self, state: State) -> None:
        now = state.activation
        if now is None or now.operative != self.operative:
            return
        now.ap_spent += self.ap
        now.actions.append(self.action)
        if self.is_move:
            now.moves.append(self.action)

    def words(self, names: Names) -> str:
        cost = f"{self.ap}AP" if self.ap else "free"
        return f"{names(self.operative)}: {self.action} ({cost})."


@dataclass(frozen=True)
class ActionEnded(Event):
    """Stat changes that came up during the action take hold (KT24-STATS)."""

    operative: str

    def apply(self, state: State) -> None:
        state.effects = [replace(e, is_pending=False) if e.is_pending else e for e in state.effects]


@dataclass(frozen=True, eq=False)
class ActionCancelled(Event):
    """The action could not be completed: everything is as it was *before* it (KT24-CANCEL)."""

    operative: str
    action: str
    reason: str
    before: State

    def apply(self, state: State) -> None:
        state.become(self.before)

    def words(self, names: Names) -> str:
        return f"{names(self.operative)}: {self.action} is cancelled: {self.reason} [KT24-CANCEL]"


@dataclass(frozen=True)
class Moved(Event):
    """The operative moved along *path*; *cost* is what the legs came to in inches."""

    operative: str
    path: Path
    cost: int
    allowance: int

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.path[-1]

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.path[-1])
        return f'{names(self.operative)} moves {self.cost}" of {self.allowance}" to {x:.1f}", {y:.1f}".'


@dataclass(frozen=True)
class WeaponUsed(Event):
    """A weapon is used in the present action. *limit* is the name its uses are counted under, if they are."""

    operative: str
    weapon: str
    limit: str = ""

    def apply(self, state: State) -> None:
        if state.activation is not None and state.activation.operative == self.operative:
            state.activation.weapons.append(self.weapon)
        if self.limit:
            uses = state.operatives[self.operative].uses
            uses[self.limit] = uses.get(self.limit, 0) + 1


@dataclass(frozen=True)
class Retained(Event):
    """What became of *dice* attack dice."""

    operative: str
    dice: int
    normals: int
    crits: int
    fails: int
    discarded: int

    def apply(self, state: State) -> None:
        """Nothing changes."""

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} retains {successes(self.normals, self.crits)}."


def successes(normals: int, crits: int) -> str:
    """``2 normal and 1 critical successes``"""
    if not normals and not crits:
        return "no success"
    parts = [f"{normals} normal"] if normals else []
    parts += [f"{crits} critical"] if crits else []
    return " and ".join(parts) + (" success" if normals + crits == 1 else " successes")


@dataclass(frozen=True)
class Wounded(Event):
    """*amount* damage is inflicted; wounds do not go below 0."""

    operative: str
    amount: int
    cause: str
    by: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.wounds = max(0, who.wounds - self.amount)

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} suffers {self.amount} damage ({self.cause})."


@dataclass(frozen=True)
class Incapacitated(Event):
    operative: str
    by: str

    def apply(self, state: State) -> None:
        """Its wounds say it already."""

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is incapacitated."


@dataclass(frozen=True)
class Removed(Event):
    operative: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.is_removed, who.is_ready = True, False
        state.effects = [effect for effect in state.effects if effect.target != self.operative]

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} is removed from the killzone."


@dataclass(frozen=True)
class EffectBegan(Event):
    """An effect begins. Until the end of the *next* activation does not mean the present one."""

    effect: Effect

    def apply(self, state: State) -> None:
        effect, now = self.effect, state.activation
        is_acting = now is not None and now.kind == "activation" and now.operative == effect.target
        if effect.until == "next-activation" and is_acting:
            effect = replace(effect, skips=1)
        state.effects.append(effect)

    def words(self, names: Names) -> str:
        on = names(self.effect.target or self.effect.side or "")
        what = self.effect.grants or f"{self.effect.stat.upper()} {self.effect.amount:+d}"
        return f"{on}: {what} ({self.effect.source})."


@dataclass(frozen=True)
class EffectsEnded(Event):
    """Effects that last until the end of the turning point end."""

    def apply(self, state: State) -> None:
        state.effects = [effect for effect in state.effects if effect.until != "turning-point"]


@dataclass(frozen=True)
class MarkerTaken(Event):
    marker: str
    operative: str

    def apply(self, state: State) -> None:
        found = state.markers[self.marker]
        found.carrier = self.operative
        found.controller = state.operatives[self.operative].side

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} picks up {names(self.marker)}."


@dataclass(frozen=True)
class MarkerPlaced(Event):
    marker: str
    operative: str
    point: Point

    def apply(self, state: State) -> None:
        found = state.markers[self.marker]
        found.carrier = None
        found.x, found.y, found.level = self.point

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} places {names(self.marker)}."


@dataclass(frozen=True)
class ControlChanged(Event):
    """Who controls a marker after the action that has just ended (KT24-MARKER)."""

    marker: str
    controller: Side | None

    def apply(self, state: State) -> None:
        state.markers[self.marker].controller = self.controller

    def words(self, names: Names) -> str:
        return f"{names(self.marker)} is controlled by {names(self.controller) if self.controller else 'nobody'}."


@dataclass(frozen=True)
class Noted(Event):
    """A mission or team rule remembers a number under *key*."""

    key: str
    value: int

    def apply(self, state: State) -> None:
        state.notes[self.key] = self.value


@dataclass(frozen=True)
class GameEnded(Event):
    winner: str

    def apply(self, state: State) -> None:
        state.phase, state.winner = "over", self.winner

    def words(self, names: Names) -> str:
        return "The game is a draw." if self.winner == "draw" else f"{names(self.winner)} wins."
