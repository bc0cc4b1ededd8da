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
        x, y, _ = map(inches, self.piece.point)
        return f'{names(self.piece.side)} sets up {names(self.piece.id)} at {x:.1f}", {y:.1f}".'


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
    """A terrain feature changes its state: a hatchway opens or closes."""

    feature: str
    to: str

    def apply(self, state: State) -> None:
        state.terrain[self.feature] = self.to

    def words(self, names: Names) -> str:
        return f"{names(self.feature)} is {self.to} now."


@dataclass(frozen=True)
class SetAside(Event):
    """Operatives are off the table for a moment; each is returned by :class:`Displaced`."""

    operatives: tuple[str, ...]

    def apply(self, state: State) -> None:
        for id in self.operatives:
            state.operatives[id].is_set_up = False


@dataclass(frozen=True)
class Displaced(Event):
    """An operative is set aside and returned as near as possible."""

    operative: str
    point: Point
    reason: str

    def apply(self, state: State) -> None:
        who = state.operatives[self.operative]
        who.x, who.y, who.level = self.point
        who.is_set_up = True

    def words(self, names: Names) -> str:
        x, y, _ = map(inches, self.point)
        return f'{names(self.operative)} is set aside and returned at {x:.1f}", {y:.1f}" ({self.reason}).'


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
        return f"{where} lasts for {self.left} more activations." if self.left else f"{where} is gone."


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
