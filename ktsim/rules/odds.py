"""Exact odds of one shooting or fight sequence.

The stages of ``shooting`` and ``fighting`` are run with every die result and every choice: chance nodes are
averaged, at the others the player takes what is best for it: much or little expected damage when shooting; in a
fight more inflicted than suffered, damage beyond the last wound not counted (it is in the distribution). Between
stages equivalent positions are merged, so every one is solved once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, Generic, TypeVar

from ktsim.rules import fighting, shooting
from ktsim.rules.decisions import Pick, Roll, Side, Steps
from ktsim.rules.dice import Die, Hand, is_success, joined
from ktsim.rules.fighting import Duel
from ktsim.rules.shooting import Shot
from ktsim.rules.weapon_rule import WeaponRule

S = TypeVar("S", Shot, Duel)
Damage = dict[int, float]
"""Damage to its probability."""


@dataclass(frozen=True)
class Outlook:
    """What is to come from a position on: per suffering side the damage distribution and its mean.

    *useful* is the mean without damage beyond the wounds that are left, where the sequence ends with them.
    """

    damage: tuple[Damage, ...]
    means: tuple[float, ...]
    useful: tuple[float, ...]

    def shifted(self, amounts: Sequence[int], useful: Sequence[int]) -> Outlook:
        """The same after *amounts* have been inflicted already."""
        if not any(amounts):
            return self
        moved = tuple({n + a: p for n, p in each.items()} for each, a in zip(self.damage, amounts, strict=True))
        return Outlook(moved, _plus(self.means, amounts), _plus(self.useful, useful))


def _plus(values: Sequence[float], amounts: Sequence[int]) -> tuple[float, ...]:
    return tuple(value + amount for value, amount in zip(values, amounts, strict=True))


NOTHING = ({0: 1.0}, {0: 1.0})


def blend(parts: Sequence[tuple[float, Outlook]]) -> Outlook:
    """The average of outlooks by their probabilities."""
    if len(parts) == 1:
        return parts[0][1]
    sides = range(len(parts[0][1].means))
    sums: list[Damage] = [{} for _ in sides]
    for weight, outlook in parts:
        for total, each in zip(sums, outlook.damage, strict=True):
            for amount, chance in each.items():
                total[amount] = total.get(amount, 0.0) + weight * chance
    means = tuple(sum(weight * outlook.means[side] for weight, outlook in parts) for side in sides)
    useful = tuple(sum(weight * outlook.useful[side] for weight, outlook in parts) for side in sides)
    return Outlook(tuple(sums), means, useful)


@cache
def outcomes(count: int, weights: tuple[tuple[int, int], ...]) -> tuple[tuple[tuple[int, ...], float], ...]:
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
def weights_for(needed: int, critical_on: int) -> tuple[tuple[int, int], ...]:
    """One face for each kind of result, and how many of a die's six faces it stands for."""
    kinds: dict[int, list[int]] = {}
    for face in range(1, 7):
        kinds.setdefault(face_class(face, needed, critical_on), []).append(face)
    return tuple((faces[0], len(faces)) for faces in kinds.values())


EACH_FACE = tuple((face, 1) for face in range(1, 7))


class Reading:
    """How one hand's dice are read: what its rules make of faces. Fixed for a sequence."""

    def __init__(self, hand: Hand) -> None:
        self.classes = [0, *(face_class(face, hand.hit, hand.critical_on) for face in range(1, 7))]
        self.weights = weights_for(hand.hit, hand.critical_on)
        offers = [offer for rule in hand.rules for offer in rule.rerolls((Die(1),))]
        self.rerolls = {offer.rule: offer for offer in offers}
        self.takes_all = any(offer.takes_all for offer in offers)
        self.any_die = [offer.rule for offer in offers if not offer.takes_all and not offer.is_spent]
        self.is_usual = hand.critical >= hand.normal

    def key(self, hand: Hand) -> Key:
        """Equal for hands that are worth the same.

        Without re-rolls left only classes matter; a critical is never re-rolled, so it does not matter whether it
        was; while all dice of one result may be re-rolled it matters how many show the same.
        """
        left = tuple(sorted(name for name in self.rerolls if name not in hand.used))
        counts = (hand.in_hand, hand.unrolled, hand.crits, hand.normals, hand.fixed, hand.fails, hand.has_severe)
        if not hand.dice:
            return (left if hand.in_hand else (), *counts)
        sorted_out = [0] * 6
        same: dict[int, int] = {}
        for face, is_rerolled in hand.dice:
            kind = self.classes[face]
            is_fixed = is_rerolled or not left or (kind == 2 and self.is_usual)
            sorted_out[kind + (3 if is_fixed else 0)] += 1
            if self.takes_all and not is_fixed:
                same[face] = same.get(face, 0) + 1
        if not same or not any(self.rerolls[name].takes_all for name in left):
            return (left, *counts, *sorted_out)
        groups = tuple(sorted((self.classes[face], n) for face, n in same.items()))
        return (left, *counts, *sorted_out, groups)

    def is_best(self, face: int) -> bool:
        """Whether the result is a critical that does at least what a normal success does: nothing beats it."""
        return self.is_usual and self.classes[face] == 2


Key = tuple[Any, ...]


class _Solver(Generic[S]):
    """Solves positions of one kind of sequence, each once."""

    def __init__(self) -> None:
        self._known: dict[Key, Outlook] = {}

    def solve(self, position: S) -> Outlook:
        """What is to come from *position*, damage inflicted so far included."""
        key = self.key(position)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self.expand(self.fresh(position))
        return known.shifted(self.inflicted(position), self.useful(position))

    def expand(self, position: S) -> Outlook:
        return self.run(position, ())

    def run(self, position: S, answers: tuple[Any, ...]) -> Outlook:
        """One stage of *position* after *answers*: average over dice, choose for players, go on after its end."""
        decision, after = _advance(self.stage(position), answers)
        if after is not None:
            return self.solve(after)
        if isinstance(decision, Roll):
            return self.average(position, answers, outcomes(decision.count, self.weights(position, decision)))
        assert isinstance(decision, Pick)
        keys = [key for key in decision.open_keys if not self.is_pointless(position, decision, key)]
        return self.best(decision.seat, (self.run(position, (*answers, key)) for key in keys))

    def average(
        self, position: S, answers: tuple[Any, ...], results: Sequence[tuple[tuple[int, ...], float]]
    ) -> Outlook:
        """Average over dice; results that lead to the same position are put together first."""
        chances: dict[Key, float] = {}
        examples: dict[Key, S] = {}
        parts = []
        for dice, chance in results:
            _, after = _advance(self.stage(position), (*answers, dice))
            if after is None:
                parts.append((chance, self.run(position, (*answers, dice))))
                continue
            key = (self.key(after), self.inflicted(after))
            chances[key] = chances.get(key, 0.0) + chance
            examples[key] = after
        parts += [(chance, self.solve(examples[key])) for key, chance in chances.items()]
        return blend(parts)

    def key(self, position: S) -> Key:
        """Equal for positions from which the same is to come."""
        raise NotImplementedError

    def inflicted(self, position: S) -> tuple[int, ...]:
        raise NotImplementedError

    def useful(self, position: S) -> tuple[int, ...]:
        """The damage inflicted, without what went beyond the wounds that were left."""
        return self.inflicted(position)

    def fresh(self, position: S) -> S:
        """The position as if nothing had been inflicted yet."""
        raise NotImplementedError

    def stage(self, position: S) -> Steps[S]:
        raise NotImplementedError

    def weights(self, position: S, roll: Roll) -> tuple[tuple[int, int], ...]:
        raise NotImplementedError

    def is_pointless(self, position: S, decision: Pick, key: str) -> bool:
        """Whether an option is never better than another one, so that it need not be looked at."""
        return False

    def best(self, seat: str, outlooks: Iterator[Outlook]) -> Outlook:
        raise NotImplementedError


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


class _ShotSolver(_Solver[Shot]):
    """*red* shoots and wants much damage, *blue* little."""

    def __init__(self, shot: Shot) -> None:
        super().__init__()
        self.reading = Reading(shot.hand)
        if self.reading.any_die:
            # One die after another, as often as one likes, is never worse than any other re-roll; nobody answers.
            self.reading.takes_all = False
        self.saves = weights_for(shot.save, 6)

    def key(self, position: Shot) -> Key:
        hand = position.hand
        if position.stage in ("attack", "attack re-rolls", "attack re-roll", "retain"):
            return (position.stage, self.reading.key(hand))
        kept = (position.kept_normals, position.kept_crits)
        return (position.stage, hand.crits, hand.normals, position.defence, *kept, position.dice)

    def inflicted(self, position: Shot) -> tuple[int, ...]:
        return (position.damage,)

    def fresh(self, position: Shot) -> Shot:
        return position._replace(damage=0)

    def stage(self, position: Shot) -> Steps[Shot]:
        return shooting.STAGES[position.stage](position)

    def expand(self, position: Shot) -> Outlook:
        return Outlook(NOTHING[:1], (0.0,), (0.0,)) if position.stage == "done" else super().expand(position)

    def weights(self, position: Shot, roll: Roll) -> tuple[tuple[int, int], ...]:
        if roll.topic == "defence":
            return self.saves
        return EACH_FACE if self.reading.takes_all and not position.hand.in_hand else self.reading.weights

    def is_pointless(self, position: Shot, decision: Pick, key: str) -> bool:
        """A critical is never re-rolled. Where any die may be, and as often as one likes, fails come first."""
        if decision.topic != "reroll" or not self.reading.is_usual:
            return False
        rule, _, face = key.rpartition(" ")
        freely = self.reading.any_die
        if freely:
            dice, classes = position.hand.dice, self.reading.classes
            fails = [die.face for die in dice if not die.is_rerolled and classes[die.face] == 0]
            if fails:
                return not (rule in freely and int(face) == fails[0])
        if key == "keep":
            return False
        return self.reading.is_best(int(face)) or (bool(freely) and rule not in freely)

    def best(self, seat: str, outlooks: Iterator[Outlook]) -> Outlook:
        return (
            max(outlooks, key=lambda o: o.means[0]) if seat == "red" else min(outlooks, key=lambda o: o.means[0])
        )


class _DuelSolver(_Solver[Duel]):
    """*red* wants to inflict more than it suffers, and so does *blue*; damage beyond the last wound is no use."""

    def __init__(self, duel: Duel) -> None:
        super().__init__()
        self.readings = (Reading(duel.hands[0]), Reading(duel.hands[1]))

    def key(self, position: Duel) -> Key:
        one, two = position.hands
        if position.stage in ("resolve", "done"):
            # Wounds beyond what the dice left can do make no difference.
            wounds = (min(position.wounds[0], _most(two) + 1), min(position.wounds[1], _most(one) + 1))
            dice = (one.crits, one.normals, two.crits, two.normals)
            return (position.stage, position.turn, position.shocked, *wounds, *dice)
        keys = (self.readings[0].key(one), self.readings[1].key(two))
        return (position.stage, position.turn, position.passes, *keys)

    def inflicted(self, position: Duel) -> tuple[int, ...]:
        return position.suffered

    def useful(self, position: Duel) -> tuple[int, ...]:
        return tuple(s + min(0, w) for s, w in zip(position.suffered, position.wounds, strict=True))

    def fresh(self, position: Duel) -> Duel:
        return position._replace(suffered=(0, 0))

    def stage(self, position: Duel) -> Steps[Duel]:
        return fighting.STAGES[position.stage](position)

    def expand(self, position: Duel) -> Outlook:
        if position.stage == "done":
            return Outlook(NOTHING, (0.0, 0.0), (0.0, 0.0))
        if position.stage == "resolve":
            after = (fighting.resolved(position, key)[0] for key, _ in fighting.moves(position))
            return self.best(position.hands[position.turn].side, map(self.solve, after))
        if position.stage == "re-rolls":
            return self.best(position.hands[position.turn].side, self._after_rerolls(position))
        if position.stage == "re-roll":
            return self._after_reroll(position)
        return super().expand(position)

    def _after_rerolls(self, position: Duel) -> Iterator[Outlook]:
        """Keeping the dice, or taking some up; never a critical."""
        yield self.solve(fighting.passed(position))
        reading = self.readings[position.turn]
        for offer in fighting.offered(position):
            if not reading.is_best(offer.face):
                yield self.solve(fighting.taken_up(position, offer))

    def _after_reroll(self, position: Duel) -> Outlook:
        hand = position.hands[position.turn]
        parts = []
        for fresh, chance in outcomes(hand.in_hand, self.readings[position.turn].weights):
            parts.append((chance, self.solve(fighting.rerolled(position, joined(hand.dice, fresh)))))
        return blend(parts)

    def weights(self, position: Duel, roll: Roll) -> tuple[tuple[int, int], ...]:
        index = 0 if position.hands[0].side == roll.roller else 1
        reading = self.readings[index]
        return EACH_FACE if reading.takes_all and not position.hands[index].in_hand else reading.weights

    def best(self, seat: str, outlooks: Iterator[Outlook]) -> Outlook:
        def gain(outlook: Outlook) -> tuple[float, float]:
            useful = outlook.useful[1] - outlook.useful[0]
            return round(useful, 12), outlook.means[1] - outlook.means[0]

        return max(outlooks, key=gain) if seat == "red" else min(outlooks, key=gain)


def _most(hand: Hand) -> int:
    return hand.normals * hand.normal + hand.crits * hand.critical


@dataclass(frozen=True)
class Numbers:
    """A weapon's numbers."""

    attack: int
    hit: int
    normal: int
    critical: int
    rules: tuple[WeaponRule, ...] = ()

    def hand(self, side: Side, is_obscured: bool = False) -> Hand:
        return Hand(
            side=side,
            operative=side,
            target="blue" if side == "red" else "red",
            atk=self.attack,
            hit=self.hit,
            normal=self.normal,
            critical=self.critical,
            rules=self.rules,
            is_obscured=is_obscured,
        )


def shoot_odds(
    weapon: Numbers,
    *,
    save: int,
    defence: int = 3,
    cover: int = 0,
    is_obscured: bool = False,
    is_improved: bool = False,
) -> Damage:
    """The damage one shooting sequence inflicts on its target."""
    shot = Shot(
        weapon.hand("red", is_obscured),
        "blue",
        save,
        defence=defence,
        cover=cover,
        is_improved=is_improved,
    )
    return dict(sorted(_ShotSolver(shot).solve(shot).damage[0].items()))


def fight_odds(attacker: Numbers, wounds: int, defender: Numbers, defender_wounds: int) -> tuple[Damage, Damage]:
    """The damage a fight inflicts on the attacker and on the defender."""
    duel = Duel((attacker.hand("red"), defender.hand("blue")), (wounds, defender_wounds))
    one, two = _DuelSolver(duel).solve(duel).damage
    return dict(sorted(one.items())), dict(sorted(two.items()))


def mean(damage: Damage) -> float:
    return sum(amount * chance for amount, chance in damage.items())


def kill(damage: Damage, wounds: int) -> float:
    """The probability of at least *wounds* damage."""
    return sum(chance for amount, chance in damage.items() if amount >= wounds)
