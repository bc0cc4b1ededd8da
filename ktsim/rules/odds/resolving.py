"""How fights end once the dice are retained: all dice and all wounds at once.

From there on nothing is rolled: both players know what every die can do, so a position has one end. Positions are rows
of arrays, solved backwards by the number of dice left. What one resolution changes is asked of the rules themselves, on
hands of a few dice: a hand of more is changed in the same way, which is checked on the largest.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.rules.engine.attack import Hand
from ktsim.rules.engine.fight.stages import Duel, moves, resolved

Ints: TypeAlias = NDArray[np.int64]

FEW = 3
"""Of each kind of success: as many as one resolution may look at or take, and one more."""

MANY = 10_000
"""Wounds that nobody loses in a fight; also how much more a useful point of damage counts than another."""

BITS = (1, 3, 3, 6, 6, 6, 6, 12, 12)
"""Of a position's number: whose turn, the counted strikes, criticals and normals of both, wounds of both."""


class DieResolved(NamedTuple):
    """What one way of resolving a die does: damage to both, successes of both that are gone, strikes and turn after."""

    damage: tuple[int, int]
    gone: tuple[int, int, int, int]
    strikes: tuple[int, int]
    turn: int


class NotAlike(ValueError):
    """The rules treat hands of many dice otherwise than those of a few."""


class DuelEnd(NamedTuple):
    """Damage that is still to come to both, and what of it is useful."""

    damage: tuple[int, int]
    useful: tuple[int, int]


def with_dice(duel: Duel, dice: tuple[int, int, int, int], turn: int, strikes: tuple[int, int]) -> Duel:
    one, two = duel.hands
    hands = (one._replace(crits=dice[0], normals=dice[1]), two._replace(crits=dice[2], normals=dice[3]))
    many = (MANY, MANY)
    return duel._replace(hands=hands, wounds=many, suffered=(0, 0), stage="resolve", turn=turn, strikes=strikes)


def changes(duel: Duel) -> list[DieResolved]:
    """Every sensible way to resolve a die, in the order in which players are offered them."""
    keys = [key for key, _ in moves(duel)]
    if duel.hands[1 - duel.turn].successes:
        # Cancelling something is never worse than giving a critical success away.
        keys = [key for key in keys if key != "block c-"]
    found = []
    before = _dice(duel.hands)
    for key in keys:
        after, _ = resolved(duel, key)
        gone = [had - has for had, has in zip(before, _dice(after.hands), strict=True)]
        found.append(DieResolved(after.suffered, (gone[0], gone[1], gone[2], gone[3]), after.strikes, after.turn))
    return found


def _dice(hands: tuple[Hand, Hand]) -> tuple[int, int, int, int]:
    one, two = hands
    return one.crits, one.normals, two.crits, two.normals


class Resolution:
    """The ends of all positions that hands like those of *duel* can come to."""

    def __init__(self, duel: Duel) -> None:
        self._duel = duel
        self._signs = [1 if hand.side == "red" else -1 for hand in duel.hands]
        self._worths = [(hand.critical, hand.normal) for hand in duel.hands]
        self._counted = [max((rule.strikes_counted for rule in hand.rules), default=0) for hand in duel.hands]
        self._tabulate()
        self._known: dict[tuple[int, ...], DuelEnd] = {}

    def end(self, position: Duel) -> DuelEnd:
        """How the fight ends from a position on."""
        row = (position.turn, *position.strikes, *_dice(position.hands), *position.wounds)
        if row not in self._known:
            self._solve(row)
        return self._known[row]

    # -- what a resolution changes -------------------------------------------------------------------

    def _tabulate(self) -> None:
        """Changes by the position's dice, few of each kind; those of whom nobody has any have none."""
        shape = (2, self._counted[0] + 1, self._counted[1] + 1, *(FEW + 1,) * 4)
        found: dict[tuple[int, ...], list[DieResolved]] = {}
        for index in product(*map(range, shape)):
            turn, one, two, *dice = index
            if dice[2 * turn] + dice[2 * turn + 1]:
                found[index] = changes(with_dice(self._duel, (dice[0], dice[1], dice[2], dice[3]), turn, (one, two)))
        self._most = max((len(each) for each in found.values()), default=0)
        self._table: Ints = np.zeros((*shape, self._most, 10), np.int64)
        """Per change: whether there is one, damage, gone, strikes, turn."""
        for index, listed in found.items():
            for number, each in enumerate(listed):
                self._table[(*index, number)] = (1, *each.damage, *each.gone, *each.strikes, each.turn)

    def _check(self, sizes: list[list[tuple[int, int]]]) -> None:
        """Whether hands of few and of many dice are changed as the table says."""
        one, two = (_extremes(each) for each in sizes)
        for dice in [(*mine, *theirs) for mine in one for theirs in two]:
            for turn in (0, 1):
                wanted = changes(with_dice(self._duel, dice, turn, (0, 0)))
                few = [min(count, FEW) for count in dice]
                rows = self._table[turn, 0, 0, few[0], few[1], few[2], few[3]].tolist()
                said = [[1, *each.damage, *each.gone, *each.strikes, each.turn] for each in wanted]
                if sum(dice[2 * turn : 2 * turn + 2]) and said != [row for row in rows if row[0]]:
                    raise NotAlike

    # -- all positions at once -----------------------------------------------------------------------

    def _solve(self, row: tuple[int, ...]) -> None:
        """All hands with the wounds of this position, this one among them."""
        most = [max(hand.atk, had) for hand, had in zip(self._duel.hands, (sum(row[3:5]), sum(row[5:7])), strict=True)]
        sizes = [[(c, n) for c in range(each + 1) for n in range(each + 1 - c)] for each in most]
        self._check(sizes)
        starts = np.array(
            [(*row[:3], *one, *two, *row[7:]) for one in sizes[0] for two in sizes[1] if sum((*one, *two))], np.int64
        )
        starts = np.ascontiguousarray(starts.T)
        whose = starts[3] + starts[4] if row[0] == 0 else starts[5] + starts[6]
        starts[0] = np.where(whose > 0, row[0], 1 - row[0])
        layers: dict[int, list[Ints]] = {}
        self._file(layers, starts)
        steps = {}
        positions: dict[int, Ints] = {}
        for left in range(sum(most), 0, -1):
            if left in layers:
                positions[left] = np.unique(np.concatenate(layers.pop(left)))
                steps[left] = self._follow(layers, _unpacked(positions[left]))
        ends: dict[int, Ints] = {}
        for left in sorted(steps):
            ends[left] = self._choose(positions, ends, _unpacked(positions[left]), steps[left])
        packed, left = _packed(self._near(starts)), starts[3:7].sum(axis=0)
        for number, start in enumerate(starts.T.tolist()):
            at = np.searchsorted(positions[int(left[number])], packed[number])
            damage_0, damage_1, useful_0, useful_1 = ends[int(left[number])][:, at].tolist()
            self._known.setdefault(tuple(start), DuelEnd((damage_0, damage_1), (useful_0, useful_1)))

    def _near(self, rows: Ints) -> Ints:
        """The same positions, without wounds beyond what the dice left can do: they make no difference."""
        (crit_0, normal_0), (crit_1, normal_1) = self._worths
        rows = rows.copy()
        rows[7] = np.minimum(rows[7], rows[5] * crit_1 + rows[6] * normal_1 + 1)
        rows[8] = np.minimum(rows[8], rows[3] * crit_0 + rows[4] * normal_0 + 1)
        return rows

    def _file(self, layers: dict[int, list[Ints]], rows: Ints) -> None:
        packed, left = _packed(self._near(rows)), rows[3:7].sum(axis=0)
        for each in np.unique(left).tolist():
            layers.setdefault(each, []).append(packed[left == each])

    def _follow(self, layers: dict[int, list[Ints]], rows: Ints) -> list[tuple[Ints, Ints, Ints]]:
        """For each change the positions that have it, where it leads them, and the damage it does."""
        few = np.minimum(rows[3:7], FEW)
        table = self._table[rows[0], rows[1], rows[2], few[0], few[1], few[2], few[3]]
        found = []
        for number in range(self._most):
            mine = np.flatnonzero(table[:, number, 0])
            change, before = table[mine, number].T, rows[:, mine]
            after = np.concatenate([change[9][None], change[7:9], before[3:7] - change[3:7], before[7:9] - change[1:3]])
            goes_on = (after[7:9] > 0).all(axis=0) & (after[3:7].sum(axis=0) > 0)
            self._file(layers, after[:, goes_on])
            found.append((mine, np.vstack([after, goes_on[None]]), change[1:3]))
        return found

    def _choose(
        self, positions: dict[int, Ints], ends: dict[int, Ints], rows: Ints, steps: list[tuple[Ints, Ints, Ints]]
    ) -> Ints:
        """The end of each position (damage to both, useful damage to both), its player doing what is best for it."""
        best = np.zeros((4, rows.shape[1]), np.int64)
        most = np.full(rows.shape[1], -(2**62))
        sign = np.where(rows[0] == 0, self._signs[0], self._signs[1])
        for mine, after, damage in steps:
            value = np.vstack([damage, damage + np.minimum(0, after[7:9])])
            goes_on = np.flatnonzero(after[9])
            further = self._near(after[:9, goes_on])
            packed, left = _packed(further), further[3:7].sum(axis=0)
            for each in np.unique(left).tolist():
                those = left == each
                value[:, goes_on[those]] += ends[each][:, np.searchsorted(positions[each], packed[those])]
            gain = sign[mine] * ((value[3] - value[2]) * MANY + value[1] - value[0])
            better = gain > most[mine]
            chosen = mine[better]
            most[chosen], best[:, chosen] = gain[better], value[:, better]
        return best


def _extremes(sizes: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Of hands by their criticals and normals those with none, all or one of a kind, and one in between."""
    most = max(c + n for c, n in sizes)
    wanted = {(0, 0), (most, 0), (0, most), (1, most - 1), (most - 1, 1), (most // 2, most - most // 2)}
    return sorted(wanted & set(sizes))


def _packed(rows: Ints) -> Ints:
    """A number for each column of *rows*."""
    found = np.zeros(rows.shape[1], np.int64)
    for row, bits in zip(rows, BITS, strict=True):
        found = (found << bits) | row
    return found


def _unpacked(numbers: Ints) -> Ints:
    found = []
    for bits in reversed(BITS):
        found.append(numbers & ((1 << bits) - 1))
        numbers = numbers >> bits
    return np.array(found[::-1])
