"""The re-rolls of a fight solved for all results at once.

Both players alternate one re-roll or a pass until both pass in a row (KT24-SIMUL; ``fighting.rerolls``). What the dice
of one hand can become does not depend on the other hand, so each hand is a graph of its own: its nodes are the dice
lying there, its edges the re-rolls its rules offer. The game of both is played on pairs of nodes, as arrays.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.rules.engine.attack import Die, Hand
from ktsim.rules.engine.dice import accurate_limit, joined, lifted, reroll_offers
from ktsim.rules.engine.fight.stages import Duel, DuelStage
from ktsim.rules.odds.solver import DuelSolver, Reading, outcomes
from ktsim.rules.odds.valuation import Damage, Key

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
SAME = 1e-12
"""Means that differ by less are the same: only the order of adding differs."""


class Chances(NamedTuple):
    """The nodes a roll leads to, each with its chance."""

    nodes: Ints
    of_each: Floats


class HandGraph:
    """Every result of one hand that keeps *unrolled* dice, before and after any re-rolls.

    *roots* are the results of the first roll with their chances; *ends* says for each node which of *retained* (hands
    as they are retained) it becomes; *layers* groups the nodes by how many dice can still be re-rolled.
    """

    def __init__(self, hand: Hand, unrolled: int, reading: Reading) -> None:
        self._reading = reading
        self._index: dict[Key, int] = {}
        self.hands: list[Hand] = []
        self.retained: list[Hand] = []
        self._ends: dict[Key, int] = {}
        ends: list[int] = []
        self.offers: list[Sequence[Chances]] = []
        chances: dict[int, float] = {}
        first = hand._replace(unrolled=unrolled)
        for dice, chance in outcomes(hand.atk - unrolled, reading.faces_rolled(first)):
            node = self._node(first._replace(dice=tuple(sorted(Die(face) for face in dice))))
            chances[node] = chances.get(node, 0.0) + chance
        done = 0
        while done < len(self.hands):
            found = self.hands[done]
            ends.append(self._end(found))
            self.offers.append(self._offers(found))
            done += 1
        self.roots = Chances(np.array(list(chances)), np.array(list(chances.values())))
        self.ends = np.array(ends, dtype=np.int64)
        sizes = np.array([self._open(each) for each in self.hands], dtype=np.int64)
        self.layers = [np.flatnonzero(sizes == size) for size in range(hand.atk + 1) if (sizes == size).any()]

    def _node(self, hand: Hand) -> int:
        key = self._reading.key(hand)
        if key not in self._index:
            self._index[key] = len(self.hands)
            self.hands.append(hand)
        return self._index[key]

    def _end(self, hand: Hand) -> int:
        key = self._reading.retained_key(hand)
        if key not in self._ends:
            self._ends[key] = len(self.retained)
            self.retained.append(hand)
        return self._ends[key]

    def _open(self, hand: Hand) -> int:
        """How many dice could still be re-rolled to any use; each re-roll lowers it."""
        reading = self._reading
        return sum(
            not (die.is_rerolled or reading.is_best(die.face)) and reading.may_reroll(die.face, hand.used)
            for die in hand.dice
        )

    def _offers(self, hand: Hand) -> Sequence[Chances]:
        """The re-rolls its rules offer; never of a critical success, nor of only some fails."""
        found: dict[tuple[tuple[int, float], ...], Chances] = {}
        for offer in reroll_offers(hand.rules, hand.dice, hand.used, 0):
            is_fail = self._reading.is_usual and self._reading.classes[offer.face] == 0
            if self._reading.is_best(offer.face) or (offer.part and is_fail):
                continue
            dice, count = lifted(hand.dice, offer)
            used = offer.used_after(hand.used)
            chances: dict[int, float] = {}
            for fresh, chance in outcomes(count, self._reading.weights):
                node = self._node(hand._replace(dice=joined(dice, fresh), used=used))
                chances[node] = chances.get(node, 0.0) + chance
            found.setdefault(tuple(chances.items()), Chances(np.array(list(chances)), np.array(list(chances.values()))))
        return list(found.values())


class Alternation:
    """Two hands re-rolling in turn. *ends* is the worth of each pair of retained hands, shape (r0, r1, 4).

    ``worth`` is that of each pair of results just rolled, shape (n0, n1, 4).
    """

    def __init__(self, graphs: tuple[HandGraph, HandGraph], ends: Floats, first: int) -> None:
        self.graphs, self._first = graphs, first
        shape = (len(graphs[0].hands), len(graphs[1].hands))
        over = ends[np.ix_(graphs[0].ends, graphs[1].ends)]
        # By whose turn it is and how many passed just before: what it is worth, and what is chosen (0 passes).
        self._worth = np.zeros((2, 2, *shape, 4))
        self._chosen = np.zeros((2, 2, *shape), dtype=np.int64)
        for rows in graphs[0].layers:
            for columns in graphs[1].layers:
                self._solve(rows, columns, over)
        self.worth: Floats = self._worth[first, 0]

    def _solve(self, rows: Ints, columns: Ints, over: Floats) -> None:
        """All pairs of two layers. What they lead to by re-rolling is solved already."""
        block = np.ix_(rows, columns)
        best = [self._best_rerolls(turn, rows, columns) for turn in (0, 1)]
        for passes in (1, 0):
            for turn in (0, 1):
                worth = over[block] if passes else self._worth[1 - turn, 1][block]
                chosen = np.zeros(worth.shape[:2], dtype=np.int64)
                if (found := best[turn]) is not None:
                    is_better = _is_better(1.0 - 2.0 * turn, found[0], worth) & (found[1] > 0)
                    worth = np.where(is_better[..., None], found[0], worth)
                    chosen = np.where(is_better, found[1], chosen)
                self._worth[turn, passes][block] = worth
                self._chosen[turn, passes][block] = chosen

    def _best_rerolls(self, turn: int, rows: Ints, columns: Ints) -> tuple[Floats, Ints] | None:
        """What the best re-roll of each pair is worth and its number; 0 where there is none."""
        mine, theirs = (rows, columns) if turn == 0 else (columns, rows)
        if not any(self.graphs[turn].offers[node] for node in mine):
            return None
        after = self._worth[1 - turn, 0] if turn == 0 else self._worth[1 - turn, 0].swapaxes(0, 1)
        worth = np.zeros((len(mine), len(theirs), 4))
        chosen = np.zeros((len(mine), len(theirs)), dtype=np.int64)
        for row, node in enumerate(mine):
            for number, offer in enumerate(self.graphs[turn].offers[node], 1):
                value = np.tensordot(offer.of_each, after[np.ix_(offer.nodes, theirs)], 1)
                is_better = (chosen[row] == 0) | _is_better(1.0 - 2.0 * turn, value, worth[row])
                worth[row] = np.where(is_better[:, None], value, worth[row])
                chosen[row][is_better] = number
        return (worth, chosen) if turn == 0 else (worth.swapaxes(0, 1), chosen.T)

    def flow(self, start: Floats) -> Floats:
        """With what chance each pair of retained hands is reached, from the chances *start* of results just rolled."""
        one, two = self.graphs
        mass = np.zeros(self._worth.shape[:-1])
        mass[self._first, 0] = start
        ended = np.zeros((len(one.retained), len(two.retained)))
        for rows in reversed(one.layers):
            for columns in reversed(two.layers):
                block = np.ix_(rows, columns)
                for passes in (0, 1):
                    for turn in (0, 1):
                        self._reroll(mass, turn, passes, rows, columns)
                        still = mass[turn, passes][block] * (self._chosen[turn, passes][block] == 0)
                        if passes:
                            np.add.at(ended, np.ix_(one.ends[rows], two.ends[columns]), still)
                        else:
                            mass[1 - turn, 1][block] += still
        return ended

    def _reroll(self, mass: Floats, turn: int, passes: int, rows: Ints, columns: Ints) -> None:
        """Move the chances of pairs where a re-roll is chosen on to where it leads."""
        mine, theirs = (rows, columns) if turn == 0 else (columns, rows)
        for node in mine:
            for number, offer in enumerate(self.graphs[turn].offers[node], 1):
                if turn == 0:
                    moved = mass[0, passes, node, theirs] * (self._chosen[0, passes, node, theirs] == number)
                    if moved.any():
                        mass[1, 0][np.ix_(offer.nodes, theirs)] += offer.of_each[:, None] * moved
                else:
                    moved = mass[1, passes, theirs, node] * (self._chosen[1, passes, theirs, node] == number)
                    if moved.any():
                        mass[0, 0][np.ix_(theirs, offer.nodes)] += moved[:, None] * offer.of_each


def _is_better(sign: float, value: Floats, best: Floats) -> NDArray[np.bool_]:
    """Whether *value* is more of what the side of *sign* wants: first useful damage, then damage (``gain``)."""
    more = sign * (value - best)
    useful = more[..., 1] - more[..., 0]
    all_of_it = more[..., 3] - more[..., 2]
    is_better: NDArray[np.bool_] = (useful > SAME) | ((useful > -SAME) & (all_of_it > SAME))
    return is_better


class KeptDice(NamedTuple):
    """How many dice the retaliating player keeps unrolled after one result of the attacker, and what that is worth."""

    kept: int
    worth: Floats


class FightSolver:
    """A whole fight sequence: dice kept unrolled, re-rolls, and from there on the stages of ``fighting``."""

    def __init__(self, duel: Duel, stages: Mapping[str, DuelStage]) -> None:
        self._duel, self._solver = duel, DuelSolver(duel, stages)
        self._graphs = [
            {kept: HandGraph(hand, kept, reading) for kept in range(min(hand.atk, accurate_limit(hand.rules)), -1, -1)}
            for hand, reading in zip(duel.hands, self._solver.readings, strict=True)
        ]
        self._alternations = {
            (one, two): Alternation(
                (self._graphs[0][one], self._graphs[1][two]), self._ends(one, two), duel.first_to_reroll
            )
            for one in self._graphs[0]
            for two in self._graphs[1]
        }

    def distribution(self) -> tuple[Damage, Damage]:
        """The damage each suffers, both players doing what is best for them."""
        kept = self._kept_by_attacker()
        found: tuple[Damage, Damage] = ({}, {})
        graph = self._graphs[0][kept]
        starts = {two: np.zeros(self._alternations[kept, two].worth.shape[:2]) for two in self._graphs[1]}
        for node, chance in zip(*graph.roots, strict=True):
            two = self._plan(kept, node).kept
            roots = self._graphs[1][two].roots
            starts[two][node, roots.nodes] += chance * roots.of_each
        for two, start in starts.items():
            if start.any():
                self._add(found, kept, two, self._alternations[kept, two].flow(start))
        return found

    def _retained(self, one: int, two: int) -> list[list[Duel]]:
        pairs = self._graphs[0][one].retained, self._graphs[1][two].retained
        return [[self._duel._replace(hands=(mine, theirs), stage="retain") for theirs in pairs[1]] for mine in pairs[0]]

    def _ends(self, one: int, two: int) -> Floats:
        return np.array([[self._solver.worth(duel) for duel in row] for row in self._retained(one, two)])

    def _plan(self, kept: int, node: int) -> KeptDice:
        """What the retaliating player does after the attacker's result *node*."""
        best: KeptDice | None = None
        for two, graph in self._graphs[1].items():
            worth = graph.roots.of_each @ self._alternations[kept, two].worth[node, graph.roots.nodes]
            if best is None or _is_better(-1.0, worth[None], best.worth[None])[0]:
                best = KeptDice(two, worth)
        assert best is not None
        return best

    def _kept_by_attacker(self) -> int:
        best: KeptDice | None = None
        for one, graph in self._graphs[0].items():
            worth = sum(
                (chance * self._plan(one, node).worth for node, chance in zip(*graph.roots, strict=True)), np.zeros(4)
            )
            if best is None or _is_better(1.0, worth[None], best.worth[None])[0]:
                best = KeptDice(one, worth)
        assert best is not None
        return best.kept

    def _add(self, found: tuple[Damage, Damage], one: int, two: int, ended: Floats) -> None:
        for row, chances in zip(self._retained(one, two), ended, strict=True):
            for duel, chance in zip(row, chances, strict=True):
                if chance > 0.0:
                    for total, damage in zip(found, self._solver.distribution(duel), strict=True):
                        for amount, part in damage.items():
                            total[amount] = total.get(amount, 0.0) + float(chance) * part
