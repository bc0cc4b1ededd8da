"""What a position of a sequence is worth: as mean damage, or as the whole damage distribution."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Generic, TypeAlias, TypeVar

V = TypeVar("V")
Damage: TypeAlias = dict[int, float]
"""Damage to its probability."""
Worth: TypeAlias = tuple[float, ...]
"""Per suffering side the mean useful damage, then per side the mean damage."""
Key: TypeAlias = tuple[Any, ...]


class Valuation(ABC, Generic[V]):
    """Values of positions, each known once. A value is about what is to come; damage done so far is added."""

    def __init__(self, sides: int) -> None:
        self.sides = sides
        self.known: dict[Key, V] = {}

    @abstractmethod
    def nothing(self) -> V:
        """The value of a position from which nothing is to come."""

    @abstractmethod
    def plus(self, value: V, useful: Sequence[int], amounts: Sequence[int]) -> V:
        """*value* after *amounts* have been inflicted, of which *useful* were within the wounds left."""

    @abstractmethod
    def average(self, parts: Sequence[tuple[float, V]]) -> V:
        """The average by probabilities."""


class Means(Valuation[Worth]):
    """Mean damage: what the players decide by."""

    def nothing(self) -> Worth:
        return (0.0,) * (2 * self.sides)

    def plus(self, value: Worth, useful: Sequence[int], amounts: Sequence[int]) -> Worth:
        if not any(amounts):
            return value
        return tuple(mean + done for mean, done in zip(value, (*useful, *amounts), strict=True))

    def average(self, parts: Sequence[tuple[float, Worth]]) -> Worth:
        return tuple(sum(chance * value[index] for chance, value in parts) for index in range(2 * self.sides))


class Distributions(Valuation[tuple[Damage, ...]]):
    """The probability of each amount of damage, per suffering side."""

    def nothing(self) -> tuple[Damage, ...]:
        return ({0: 1.0},) * self.sides

    def plus(self, value: tuple[Damage, ...], useful: Sequence[int], amounts: Sequence[int]) -> tuple[Damage, ...]:
        if not any(amounts):
            return value
        pairs = zip(value, amounts, strict=True)
        return tuple({amount + done: chance for amount, chance in each.items()} for each, done in pairs)

    def average(self, parts: Sequence[tuple[float, tuple[Damage, ...]]]) -> tuple[Damage, ...]:
        sums: list[Damage] = [{} for _ in range(self.sides)]
        for weight, value in parts:
            for total, each in zip(sums, value, strict=True):
                for amount, chance in each.items():
                    total[amount] = total.get(amount, 0.0) + weight * chance
        return tuple(sums)
