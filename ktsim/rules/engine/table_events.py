"""What changes on the table besides operatives: pieces players put there, hatches, smoke, who counts as near."""

from __future__ import annotations

from dataclasses import dataclass

from ktsim.rules.engine.events import Event, Names
from ktsim.rules.engine.state import PieceState, Point, Smoke, State, inches


@dataclass(frozen=True)
class PiecePlaced(Event):
    """A terrain piece comes onto the table."""

    piece: PieceState

    def apply(self, state: State) -> None:
        state.pieces[self.piece.id] = self.piece

    def words(self, names: Names) -> str:
        return f"{names(self.piece.side)} sets up {names(self.piece.id)}."


@dataclass(frozen=True)
class PieceLifted(Event):
    """A piece is taken off the table, to be put down again elsewhere."""

    piece: str

    def apply(self, state: State) -> None:
        del state.pieces[self.piece]

    def words(self, names: Names) -> str:
        return f"{names(self.piece)} is taken up."


@dataclass(frozen=True)
class TerrainChanged(Event):
    """A terrain feature changes its state by a *rule*: a hatchway opens or closes."""

    feature: str
    to: str
    rule: str = ""

    def apply(self, state: State) -> None:
        state.terrain[self.feature] = self.to

    def words(self, names: Names) -> str:
        told = f"{names(self.feature)} is {self.to} now."
        return f"{told} [{self.rule}]" if self.rule else told


@dataclass(frozen=True)
class SetAside(Event):
    """Operatives are off the table for a moment; each is returned by :class:`Displaced`."""

    operatives: tuple[str, ...]

    def apply(self, state: State) -> None:
        for id in self.operatives:
            state.operatives[id].is_set_up = False


@dataclass(frozen=True)
class Displaced(Event):
    """An operative is set aside for something and returned as near as possible; *reason* is the id of that."""

    operative: str
    point: Point
    reason: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.point
        who.is_set_up = True

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.point)
        return f'{names(self.operative)} makes room for {names(self.reason)} and stands at {x:.1f}", {y:.1f}" now.'


@dataclass(frozen=True)
class Teleported(Event):
    """An operative is set up on a teleport pad instead of moving, or swaps with one that is (KZ-TOMB-PAD)."""

    operative: str
    point: Point

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.point
        who.is_set_up = True


@dataclass(frozen=True)
class SmokeSpread(Event):
    """A smoke marker comes into play (KT24-SMOKE)."""

    point: Point

    def apply(self, state: State) -> None:
        state.smoke.append(Smoke(*self.point))

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.point)
        return f'Smoke spreads around {x:.1f}", {y:.1f}".'


@dataclass(frozen=True)
class SmokeThins(Event):
    """A smoke marker lasts for *left* more activations; with none left it is gone."""

    point: Point
    left: int

    def apply(self, state: State) -> None:
        changed = [each._replace(left=self.left) if each.point == self.point else each for each in state.smoke]
        state.smoke = [each for each in changed if each.point != self.point or self.left > 0]

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.point)
        where = f'The smoke around {x:.1f}", {y:.1f}"'
        if not self.left:
            return f"{where} is gone."
        return f"{where} lasts for {self.left} more activation{'s' if self.left > 1 else ''}."


@dataclass(frozen=True)
class ReachedAcross(Event):
    """Two operatives count as in each other's control range until the action ends."""

    one: str
    two: str

    def apply(self, state: State) -> None:
        state.reaching = (self.one, self.two)


@dataclass(frozen=True)
class GuardInterrupted(Event):
    """An operative on guard has attacked in an enemy's activation; it cannot counteract any more."""

    operative: str

    def apply(self, state: State) -> None:
        assert state.activation is not None
        state.activation.interrupts.append(self.operative)
        state.operatives[self.operative].has_counteracted = True

    def words(self, names: Names) -> str:
        return f"{names(self.operative)} has interrupted and cannot counteract in this turning point."
