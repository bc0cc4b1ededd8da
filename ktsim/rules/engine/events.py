"""Facts. Applying one is the only way the state changes; ``words`` tells it for the log."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from ktsim.rules.engine.state import Effect, Phase, ScoreLine, Side, State

Names: TypeAlias = Callable[[str], str]
"""From an id (of an operative, marker or side) to what the players call it."""

PHASES: dict[Phase, str] = {
    "initiative": "Initiative",
    "ready": "Ready step",
    "gambit": "Strategic gambits",
    "strategy": "Strategy phase",
    "firefight": "Firefight phase",
}
STATS = {"apl": ("APL", ""), "move": ("Move", '"'), "hit": ("Hit", ""), "save": ("Save", "")}
"""What players call a stat, and its unit."""


def capital(text: str) -> str:
    """*text* as it begins a sentence."""
    return text[:1].upper() + text[1:]


def changed_by(stat: str, amount: int) -> str:
    """A change to a stat in words."""
    name, unit = STATS.get(stat, (capital(stat), ""))
    return f"{name} {amount:+d}{unit}"


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
        if not self.turning_point:
            return ""
        if self.phase == "turn-end":
            return f"== End of turning point {self.turning_point} =="
        return f"== Turning point {self.turning_point}: {PHASES.get(self.phase, self.phase)} =="


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
    """CP gained or spent. Without a *reason* something else tells of it: the ploy they were spent on."""

    side: Side
    amount: int
    reason: str = ""

    def apply(self, state: State) -> None:
        state.cp[self.side] += self.amount

    def words(self, names: Names) -> str:
        if not self.reason:
            return ""
        verb = "gains" if self.amount >= 0 else "spends"
        return f"{names(self.side)} {verb} {abs(self.amount)}CP ({self.reason})."


@dataclass(frozen=True)
class VpScored(Event):
    """Victory points from *op* (``crit``, ``kill``, ``tac``, ``primary``; empty for missions without ops)."""

    side: Side
    amount: int
    reason: str
    op: str = ""
    rule: str = ""
    at_end: bool = False

    def apply(self, state: State) -> None:
        state.vp[self.side] += self.amount
        state.sheet.append(ScoreLine(state.turning_point, self.side, self.op, self.amount, self.reason, self.at_end))

    def words(self, names: Names) -> str:
        told = f"{names(self.side)} scores {self.amount}VP ({self.reason})."
        return f"{told} [{self.rule}]" if self.rule else told


@dataclass(frozen=True)
class Readied(Event):
    """Every operative in the killzone becomes ready (KT24-READY)."""

    def apply(self, state: State) -> None:
        for operative in state.operatives.values():
            operative.is_ready = operative.is_in_killzone
        state.effects = [effect for effect in state.effects if not effect.ends_at("next-ready-step")]

    def words(self, names: Names) -> str:
        return "All operatives are ready."


@dataclass(frozen=True)
class PloyUsed(Event):
    side: Side
    ploy: str
    name: str
    cost: int = 0

    def apply(self, state: State) -> None:
        state.ploys_used.append(f"{self.side}:{self.ploy}")

    def words(self, names: Names) -> str:
        return f"{names(self.side)} uses {self.name} ({self.cost}CP)."


@dataclass(frozen=True)
class EffectBegan(Event):
    """An effect begins. Until the end of the *next* activation does not mean the present one."""

    effect: Effect

    def apply(self, state: State) -> None:
        effect, now = self.effect, state.activation
        acting = now.operative if now is not None and now.kind == "activation" else ""
        of_target = acting == effect.target and effect.ends_at("next-activation")
        if acting and (of_target or (acting == effect.by and effect.ends_at("own-next-activation-end"))):
            effect = replace(effect, skips=1)
        state.effects.append(effect)

    def words(self, names: Names) -> str:
        effect = self.effect
        on = names(effect.target or effect.side or "")
        if effect.is_memory:
            return ""
        only = f" (only if {effect.only_if})" if effect.only_if else ""
        if effect.grants:
            kind = f"{effect.weapons} weapons" if effect.weapons else "weapons"
            return f"{effect.source}: {kind} of {on} have {effect.grants}{only}."
        if effect.amount:
            return f"{effect.source}: {on} has {changed_by(effect.stat, effect.amount)}{only}."
        return f"{effect.source} is in effect on {on}{only}."


@dataclass(frozen=True)
class EffectsEnded(Event):
    """Effects that last until the end of the turning point end."""

    def apply(self, state: State) -> None:
        state.effects = [effect for effect in state.effects if not effect.ends_at("turning-point")]


@dataclass(frozen=True)
class EffectsDropped(Event):
    """What operative *by* (anybody of the side, if none is said) brought about with a rule of *side* ends; *clause* is
    how its key begins: both sides may have the same team. With *only_again* only what ends because it does so again,
    with *of* only what was upon all of these."""

    side: Side
    clause: str
    by: str | None
    only_again: bool = True
    of: tuple[str, ...] = ()

    def apply(self, state: State) -> None:
        state.effects = [
            effect
            for effect in state.effects
            if not (
                self.by in (None, effect.by)
                and effect.side == self.side
                and effect.clause.startswith(self.clause)
                and (not self.only_again or effect.ends_at("performed-again"))
                and all(id in (effect.target, *effect.picked) for id in self.of)
            )
        ]


@dataclass(frozen=True)
class Noted(Event):
    """A mission or team rule remembers a number under *key*."""

    key: str
    value: int

    def apply(self, state: State) -> None:
        state.notes[self.key] = self.value


@dataclass(frozen=True)
class Chosen(Event):
    """Something is chosen for the battle. With *told* the log says it; without, it stays secret until told."""

    key: str
    value: str
    told: str = ""

    def apply(self, state: State) -> None:
        # A new dict, so that whoever holds the old one notices (State.choices).
        state.choices = {**state.choices, self.key: self.value}

    def words(self, names: Names) -> str:
        return self.told


@dataclass(frozen=True)
class GameEnded(Event):
    winner: str

    def apply(self, state: State) -> None:
        state.phase, state.winner = "over", self.winner

    def words(self, names: Names) -> str:
        return "The game is a draw." if self.winner == "draw" else f"{names(self.winner)} wins."
