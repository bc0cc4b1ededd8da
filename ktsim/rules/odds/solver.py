"""Solves sequences exactly: every die result, every choice, each position once.

Positions are those of ``shooting`` and ``fighting`` between two of their stages; the stages themselves are run.
First mean damage is found for every position that can arise, which says what each player does; then the
distribution is found along what they do.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, Generic, NamedTuple, TypeVar

from ktsim.rules.engine.attack import Die, Hand
from ktsim.rules.engine.decisions import Pick, Roll, Steps
from ktsim.rules.engine.dice import is_success
from ktsim.rules.engine.fight.stages import Duel, DuelStage
from ktsim.rules.engine.shoot.stages import Shot, ShotStage
from ktsim.rules.odds.resolving import NotAlike, Resolution
from ktsim.rules.odds.valuation import Damage, Distributions, Key, Means, Valuation, Worth

S = TypeVar("S", Shot, Duel)
V = TypeVar("V")
Weights = tuple[tuple[int, int], ...]


@cache
def outcomes(count: int, weights: Weights) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Every unordered result of *count* dice whose faces come up with *weights* of six, with its probability."""
    weight = dict(weights)
    found = []
    for dice in combinations_with_replacement(sorted(weight), count):
        seen = Counter(dice)
        ways = factorial(count) // prod(factorial(n) for n in seen.values())
        found.append((dice, ways * prod(weight[face] ** n for face, n in seen.items()) / 6**count))
    return tuple(found)


def face_class(face: int, needed: int, critical_on: int) -> int:
    """What a face counts as: 0 a fail, 1 a normal success, 2 a critical one."""
    if not is_success(face, needed):
        return 0
    return 2 if face == 6 or face >= critical_on else 1


@cache
def weights_for(needed: int, critical_on: int) -> Weights:
    """One face for each kind of result, and how many of a die's six faces it stands for."""
    kinds: dict[int, list[int]] = {}
    for face in range(1, 7):
        kinds.setdefault(face_class(face, needed, critical_on), []).append(face)
    return tuple((faces[0], len(faces)) for faces in kinds.values())


EACH_FACE: Weights = tuple((face, 1) for face in range(1, 7))


class Reading:
    """How one hand's dice are read: what its rules make of faces. Fixed for a sequence.

    Faces are of one kind when they count as the same and the same rules may re-roll them.
    """

    def __init__(self, hand: Hand) -> None:
        self.classes = [0, *(face_class(face, hand.hit, hand.critical_on) for face in range(1, 7))]
        offers = [[offer for rule in hand.rules for offer in rule.rerolls((Die(face),))] for face in range(1, 7)]
        self._offers = [[], *offers]
        self.rerolls = {offer.rule: offer for found in offers for offer in found}
        self.offered = [frozenset[str](), *(frozenset(offer.rule for offer in found) for found in offers)]
        alike: dict[tuple[int, frozenset[str]], list[int]] = {}
        for face in range(1, 7):
            alike.setdefault((self.classes[face], self.offered[face]), []).append(face)
        self.weights: Weights = tuple((found[0], len(found)) for found in alike.values())
        self.kinds = {face: number for number, found in enumerate(alike.values()) for face in found}
        self.takes_all = any(offer.takes_all for offer in self.rerolls.values())
        everywhere = frozenset.intersection(*self.offered[1:])
        self.any_die = [
            name
            for name, offer in self.rerolls.items()
            if name in everywhere and not offer.takes_all and not offer.is_spent
        ]
        self.is_usual = hand.critical >= hand.normal and not hand.backlash
        self._keys: dict[tuple[Any, ...], Key] = {}

    def key(self, hand: Hand) -> Key:
        """Equal for hands that are worth the same.

        Without re-rolls left only classes matter; a critical is never re-rolled, so it does not matter whether it
        was; while all dice of one result may be re-rolled it matters how many show the same.
        """
        name = (hand.dice, hand.in_hand, hand.used, hand.unrolled, hand.crits, hand.normals, hand.fixed, hand.fails)
        known = self._keys.get(name)
        if known is None:
            known = self._keys[name] = self._key(hand)
        return known

    def _key(self, hand: Hand) -> Key:
        left = tuple(sorted(name for name in self.rerolls if self._is_left(name, hand)))
        counts = (hand.in_hand, hand.unrolled, hand.crits, hand.normals, hand.fixed, hand.fails, hand.has_severe)
        if not hand.dice:
            return (left if hand.in_hand else (), *counts)
        sorted_out = [0] * (3 + len(self.weights))
        same: dict[int, int] = {}
        for face, is_rerolled in hand.dice:
            kind = self.classes[face]
            is_fixed = is_rerolled or (kind == 2 and self.is_usual) or not self.may_reroll(face, hand.used)
            sorted_out[kind if is_fixed else 3 + self.kinds[face]] += 1
            if self.takes_all and not is_fixed:
                same[face] = same.get(face, 0) + 1
        if not any(sorted_out[3:]) and not hand.in_hand:
            left = ()  # what can re-roll nothing makes no difference
        if not same or not any(self.rerolls[name].takes_all for name in left):
            return (left, *counts, *sorted_out)
        chosen = {face for face in same if any(f"{name} {face}" in hand.used for name in left)}
        groups = tuple(sorted((self.classes[face], n, face in chosen) for face, n in same.items()))
        return (left, *counts, *sorted_out, groups)

    def may_reroll(self, face: int, used: Sequence[str]) -> bool:
        """Whether a rule still re-rolls a die that shows *face* after those *used*."""
        return any(offer.is_left(used) for offer in self._offers[face])

    def _is_left(self, name: str, hand: Hand) -> bool:
        """Whether the rule called *name* is any use to the hand: once its result is chosen a die must show that."""
        chosen = [face for face in range(1, 7) if f"{name} {face}" in hand.used]
        return name not in hand.used and all(Die(face) in hand.dice for face in chosen)

    def retained_key(self, hand: Hand) -> Key:
        """Equal for hands that are worth the same once nothing can be re-rolled any more."""
        kinds = [0, 0, 0]
        for face, _ in hand.dice:
            kinds[self.classes[face]] += 1
        return (*kinds, hand.unrolled, hand.crits, hand.normals, hand.fixed, hand.fails, hand.has_severe)

    def is_best(self, face: int) -> bool:
        """Whether the result is a critical that does at least what a normal success does: nothing beats it."""
        return self.is_usual and self.classes[face] == 2

    def faces_rolled(self, hand: Hand) -> Weights:
        """Which faces to tell apart when the hand is rolled."""
        return EACH_FACE if self.takes_all and not hand.in_hand else self.weights


class SolverNode(NamedTuple, Generic[S]):
    """A position, or with *answers* one within its stage after they were given."""

    position: S
    answers: tuple[Any, ...] | None = None


class _Within(NamedTuple, Generic[S]):
    """A position, and what its stage asks next or where it ended."""

    position: S
    asked: Pick | Roll | None
    after: S | None


class Solver(ABC, Generic[S]):
    """Solves positions of one kind of sequence."""

    def __init__(self, sides: int) -> None:
        self._means = Means(sides)
        self._distributions = Distributions(sides)
        self._stages: dict[Key, _Within[S]] = {}
        self._rolled: dict[Key, list[tuple[float, SolverNode[S]]]] = {}

    def distribution(self, start: S) -> tuple[Damage, ...]:
        """The damage each side suffers from *start* on, both players doing what is best for them."""
        return self._value(SolverNode(start), self._distributions)

    def worth(self, start: S) -> Worth:
        """What is to come from *start* on, as mean damage."""
        return self._value(SolverNode(start), self._means)

    def _value(self, node: SolverNode[S], values: Valuation[V]) -> V:
        if node.answers is not None:
            return self._within(node.position, node.answers, values)
        position = node.position
        key = self.key(position)
        known = values.known.get(key)
        if known is None:
            known = values.known[key] = self.expand(self.fresh(position), values)
        return values.plus(known, self.useful(position), self.inflicted(position))

    def expand(self, position: S, values: Valuation[V]) -> V:
        """The value of a position not seen before, nothing inflicted yet."""
        return values.nothing() if position.stage == "done" else self._within(position, (), values)

    def _within(self, position: S, answers: tuple[Any, ...], values: Valuation[V]) -> V:
        """One stage after *answers*: average over dice, choose for players, go on after its end."""
        position, decision, after = self._gone_on(position, answers)
        if after is not None:
            return self._value(SolverNode(after), values)
        if isinstance(decision, Roll):
            results = self._results(position, answers, decision)
            return values.average([(chance, self._value(node, values)) for chance, node in results])
        assert isinstance(decision, Pick)
        keys = [key for key in decision.open_keys if not self.is_pointless(position, decision, key)]
        return self.best(decision.seat, (SolverNode(position, (*answers, key)) for key in keys), values)

    def _gone_on(self, position: S, answers: tuple[Any, ...]) -> _Within[S]:
        """What the stage asks after *answers*, or where it ended: wanted for means and again for distributions. Of
        positions from which the same is to come the first stands for all, for its dice may show other faces than
        theirs."""
        key = (self.key(position), answers)
        known = self._stages.get(key)
        if known is None:
            known = self._stages[key] = _Within(position, *_advance(self.stage(position), answers))
        return known

    def _results(self, position: S, answers: tuple[Any, ...], roll: Roll) -> list[tuple[float, SolverNode[S]]]:
        """What dice lead to, with its chance; results that lead to the same position are put together."""
        asked = (self.key(position), answers)
        if asked not in self._rolled:
            chances: dict[Key, float] = {}
            nodes: dict[Key, SolverNode[S]] = {}
            for dice, chance in outcomes(roll.count, self.weights(position, roll)):
                _, after = _advance(self.stage(position), (*answers, dice))
                key: Key = (dice,) if after is None else (self.key(after), self.inflicted(after))
                chances[key] = chances.get(key, 0.0) + chance
                nodes[key] = SolverNode(position, (*answers, dice)) if after is None else SolverNode(after)
            self._rolled[asked] = [(chance, nodes[key]) for key, chance in chances.items()]
        return self._rolled[asked]

    def best(self, seat: str, nodes: Iterator[SolverNode[S]], values: Valuation[V]) -> V:
        """The value of the node *seat* chooses, by mean damage."""
        sign = 1 if seat == "red" else -1
        chosen, most = None, None
        for node in nodes:
            gain = tuple(sign * part for part in self.gain(self._value(node, self._means)))
            if most is None or gain > most:
                chosen, most = node, gain
        assert chosen is not None
        return self._value(chosen, values)

    # -- what the kinds of sequence say --------------------------------------------------------------

    @abstractmethod
    def key(self, position: S) -> Key:
        """Equal for positions from which the same is to come."""

    @abstractmethod
    def inflicted(self, position: S) -> tuple[int, ...]:
        """The damage inflicted so far, per suffering side."""

    def useful(self, position: S) -> tuple[int, ...]:
        """The damage inflicted, without what went beyond the wounds that were left."""
        return self.inflicted(position)

    @abstractmethod
    def fresh(self, position: S) -> S:
        """The position as if nothing had been inflicted yet."""

    @abstractmethod
    def stage(self, position: S) -> Steps[S]:
        """The stage the position is at, as play runs it."""

    def weights(self, position: S, roll: Roll) -> Weights:
        """Which faces to tell apart when dice are rolled: all of them, unless a kind of sequence knows better."""
        return EACH_FACE

    def is_pointless(self, position: S, decision: Pick, key: str) -> bool:
        """Whether an option is never better than another one, so that it need not be looked at."""
        return False

    @abstractmethod
    def gain(self, worth: Worth) -> tuple[float, ...]:
        """What *red* wants much of; the first number decides, the next among equals."""


def _advance(steps: Steps[S], answers: Sequence[Any]) -> tuple[Pick | Roll | None, S | None]:
    """Run *steps* through *answers*: the decision it then waits at, or where it ended."""
    waiting = iter(answers)
    answer: Any = None
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, (Pick, Roll)):
                answer = next(waiting, None)
                if answer is None:
                    return step, None
    except StopIteration as stop:
        return None, stop.value


class ShotSolver(Solver[Shot]):
    """*red* shoots and wants much damage, *blue* little."""

    def __init__(self, shot: Shot, stages: Mapping[str, ShotStage]) -> None:
        super().__init__(sides=1)
        self.stages = stages
        self.reading = Reading(shot.hand)
        if self.reading.any_die:
            # One die after another, as often as one likes, is never worse than any other re-roll; nobody answers.
            self.reading.takes_all = False

    def key(self, position: Shot) -> Key:
        hand = position.hand
        if position.stage in ("attack", "attack re-rolls", "attack re-roll", "retain"):
            return (position.stage, self.reading.key(hand))
        if position.stage == "inflict":
            return (position.stage, hand.crits, hand.normals, position.used)
        kept = (position.kept_normals, position.kept_crits)
        if position.stage == "block":  # however the saves came about
            return (position.stage, hand.crits, hand.normals, *kept)
        defence = (position.defence, position.pierced, position.save)
        return (position.stage, hand.crits, hand.normals, *defence, *kept, position.dice)

    def inflicted(self, position: Shot) -> tuple[int, ...]:
        return (position.damage,)

    def fresh(self, position: Shot) -> Shot:
        return position._replace(damage=0)

    def stage(self, position: Shot) -> Steps[Shot]:
        return self.stages[position.stage](position)

    def weights(self, position: Shot, roll: Roll) -> Weights:
        if roll.topic == "defence":
            return weights_for(position.save, position.critical_on)
        return EACH_FACE if roll.topic == "ward die" else self.reading.faces_rolled(position.hand)

    def is_pointless(self, position: Shot, decision: Pick, key: str) -> bool:
        """A critical is never re-rolled, nor only some fails, nor several normal successes without a look at the first.
        Where any die may be, and as often as one likes, fails come first."""
        if decision.topic != "reroll" or not self.reading.is_usual:
            return False
        rule, _, face = key.rpartition(" ")
        _, is_part, part = rule.partition(" x")
        if is_part and (self.reading.classes[int(face)] == 0 or part != "1"):
            return True
        if f"{rule} x1 {face}" in decision.open_keys and self.reading.classes[int(face)] == 1:
            return True
        freely = self.reading.any_die
        if freely:
            dice, classes = position.hand.dice, self.reading.classes
            fails = [die.face for die in dice if not die.is_rerolled and classes[die.face] == 0]
            if fails:
                return not (rule in freely and int(face) == fails[0])
        if key == "keep":
            return False
        return self.reading.is_best(int(face)) or (bool(freely) and rule not in freely)

    def gain(self, worth: Worth) -> tuple[float, ...]:
        return worth[:1]


class DuelSolver(Solver[Duel]):
    """From retained dice on. *red* wants to inflict more than it suffers, and so does *blue*.

    Damage beyond the last wound is no use. How the dice come to be retained is solved by ``rerolling``.
    """

    def __init__(self, duel: Duel, stages: Mapping[str, DuelStage]) -> None:
        super().__init__(sides=2)
        self.stages = stages
        self.readings = (Reading(duel.hands[0]), Reading(duel.hands[1]))
        self._resolution: Resolution | None = None
        self._is_alike = True

    def key(self, position: Duel) -> Key:
        one, two = position.hands
        if position.stage in ("early block", "resolve", "last strike", "done"):
            # Wounds beyond what the dice left can do make no difference.
            more = [amount for amount, _ in position.bonus]
            wounds = (
                min(position.wounds[0], _most(two) + more[1] + 1),
                min(position.wounds[1], _most(one) + more[0] + 1),
            )
            dice = (one.crits, one.normals, two.crits, two.normals)
            left = (position.warded, position.bonus, position.blocks, position.last_strike)
            return (position.stage, position.turn, position.strikes, *wounds, *dice, *left)
        return (position.stage, self.readings[0].retained_key(one), self.readings[1].retained_key(two))

    def inflicted(self, position: Duel) -> tuple[int, ...]:
        return position.suffered

    def useful(self, position: Duel) -> tuple[int, ...]:
        return tuple(s + min(0, w) for s, w in zip(position.suffered, position.wounds, strict=True))

    def fresh(self, position: Duel) -> Duel:
        return position._replace(suffered=(0, 0))

    def stage(self, position: Duel) -> Steps[Duel]:
        return self.stages[position.stage](position)

    def expand(self, position: Duel, values: Valuation[V]) -> V:
        """Resolving, the stage with the most positions, for all of them at once where the rules allow that."""
        if position.stage != "resolve" or not self._is_alike or position.is_special:
            return super().expand(position, values)
        if self._resolution is None:
            self._resolution = Resolution(position)
        try:
            end = self._resolution.end(position)
        except NotAlike:
            self._is_alike = False
            return self.expand(position, values)
        return values.plus(values.nothing(), end.useful, end.damage)

    def gain(self, worth: Worth) -> tuple[float, ...]:
        return (round(worth[1] - worth[0], 12), worth[3] - worth[2])


def _most(hand: Hand) -> int:
    return hand.normals * hand.normal + hand.crits * hand.critical
