"""2021 odds by plain enumeration, written from the rules alone: no code shared with the engine. Slow on purpose."""

from __future__ import annotations

from functools import cache
from itertools import product

Rolled = tuple[tuple[int, bool], ...]
"""Faces, each with whether it was re-rolled."""


def counted(faces: tuple[int, ...], needed: int, lethal: int) -> tuple[int, int]:
    """(normal, critical) hits among faces."""
    crits = sum(face == 6 or (face != 1 and face >= needed and face >= lethal) for face in faces)
    hits = sum(face == 6 or (face != 1 and face >= needed) for face in faces)
    return hits - crits, crits


def rended(hits: tuple[int, int], rules: dict[str, int]) -> list[tuple[int, int]]:
    normals, crits = hits
    return [hits, (normals - 1, crits + 1)] if "rending" in rules and normals and crits else [hits]


def rerolls(dice: Rolled, rules: dict[str, int], used: frozenset[str]) -> list[tuple[int, frozenset[str]]]:
    """The faces of which one die may be taken up now, and what is used up by that."""
    fresh = {face for face, again in dice if not again}
    found = [(face, used) for face in fresh if "relentless" in rules or ("ceaseless" in rules and face == 1)]
    if "balanced" in rules and "balanced" not in used:
        found += [(face, used | {"balanced"}) for face in fresh]
    return found


def with_one_again(dice: Rolled, face: int) -> list[Rolled]:
    rest = list(dice)
    rest.remove((face, False))
    return [tuple(sorted([*rest, (new, True)])) for new in range(1, 7)]


def left_over(hits: tuple[int, int], saves: tuple[int, int], damage: tuple[int, int]) -> int:
    """The least damage the defender can get away with, every way of spending saves tried."""
    (normals, crits), (plain, critical) = hits, saves
    best = normals * damage[0] + crits * damage[1]
    for pairs in range(plain // 2 + 1):
        for spent in range(critical + 1):
            crits_left = max(0, crits - pairs - spent)
            normals_left = max(0, normals - (plain - 2 * pairs) - (critical - spent))
            best = min(best, normals_left * damage[0] + crits_left * damage[1])
    return best


def shoot_mean(
    atk: int,
    bs: int,
    damage: tuple[int, int],
    rules: dict[str, int],
    save: int,
    df: int,
    cover: bool,
    invulnerable: int = 0,
) -> float:
    """Expected damage to the target; both players do what is best for them."""

    @cache
    def rolled_saves(hits: tuple[int, int], dice: int, needed: int, kept: int) -> float:
        total = 0
        for faces in product(range(1, 7), repeat=dice - kept):
            plain, critical = counted(faces, needed, 7)
            total += left_over(hits, (plain + kept, critical), damage)
        return total / 6 ** (dice - kept)

    @cache
    def defended(hits: tuple[int, int]) -> float:
        taken = max(rules.get("ap", 0), rules.get("p", 0) if hits[1] else 0)
        choices = [(save, max(0, df - taken))] + ([(invulnerable, df)] if invulnerable else [])
        may_keep = 1 if cover and "no cover" not in rules else 0
        best = min(
            rolled_saves(hits, dice, needed, kept)
            for needed, dice in choices
            for kept in range(min(may_keep, dice) + 1)
        )
        return best + hits[1] * (rules.get("mw", 0) + rules.get("splash", 0))

    @cache
    def attack(dice: Rolled, used: frozenset[str]) -> float:
        hits = counted(tuple(face for face, _ in dice), bs, rules.get("lethal", 6))
        best = max(defended(end) for end in rended(hits, rules))
        for face, now in rerolls(dice, rules, used):
            best = max(best, sum(attack(after, now) for after in with_one_again(dice, face)) / 6)
        return best

    rolls = list(product(range(1, 7), repeat=atk))
    return sum(attack(tuple(sorted((face, False) for face in faces)), frozenset()) for faces in rolls) / len(rolls)


Fighter = tuple[int, int, tuple[int, int], dict[str, int], int]
"""Dice, WS, damage, rules, wounds."""


def fight_means(one: Fighter, two: Fighter) -> tuple[float, float]:
    """Expected wounds lost by each when each wants to inflict more than it suffers; the first re-rolls first."""
    fighters = (one, two)

    def prefers(who: int, outcomes: list[tuple[float, float]]) -> tuple[float, float]:
        return max(outcomes, key=lambda lost: lost[1 - who] - lost[who])

    @cache
    def resolve(
        turn: int, hits: tuple[tuple[int, int], ...], left: tuple[int, int], struck: tuple[int, int]
    ) -> tuple[float, float]:
        if min(left) <= 0 or not (sum(hits[0]) + sum(hits[1])):
            return (0.0, 0.0)
        me = turn if sum(hits[turn]) else 1 - turn
        foe = 1 - me
        _, _, damage, rules, _ = fighters[me]
        outcomes = []
        for kind in (0, 1):
            if not hits[me][kind]:
                continue
            mine = (hits[me][0] - (kind == 0), hits[me][1] - (kind == 1))
            theirs, now = hits[foe], list(struck)
            if kind == 1:
                now[me] = min(2, now[me] + 1)
                if "stun" in rules and struck[me] == 0 and theirs[0]:
                    theirs = (theirs[0] - 1, theirs[1])
            wounds = list(left)
            wounds[foe] -= damage[kind]
            after = resolve(
                foe, (mine, theirs) if me == 0 else (theirs, mine), (wounds[0], wounds[1]), (now[0], now[1])
            )
            lost = list(after)
            lost[foe] += min(damage[kind], left[foe])
            outcomes.append((lost[0], lost[1]))
            if kind == 0 and "brutal" in fighters[foe][3]:
                continue
            for target in (0, 1, None):
                if target is not None and (not hits[foe][target] or target > kind):
                    continue
                kept = hits[foe]
                if target is not None:
                    kept = (kept[0] - (target == 0), kept[1] - (target == 1))
                outcomes.append(resolve(foe, (mine, kept) if me == 0 else (kept, mine), left, struck))
        return prefers(me, outcomes)

    def retained(dice: Rolled, who: int) -> list[tuple[int, int]]:
        rules = fighters[who][3]
        return rended(counted(tuple(face for face, _ in dice), fighters[who][1], rules.get("lethal", 6)), rules)

    @cache
    def settled(first: Rolled, second: Rolled) -> tuple[float, float]:
        wounds = (one[4], two[4])
        return prefers(
            0,
            [
                prefers(1, [resolve(0, (mine, theirs), wounds, (0, 0)) for theirs in retained(second, 1)])
                for mine in retained(first, 0)
            ],
        )

    @cache
    def rerolled(
        turn: int, passes: int, dice: tuple[Rolled, Rolled], used: tuple[frozenset[str], ...]
    ) -> tuple[float, float]:
        outcomes = [settled(*dice) if passes else rerolled(1 - turn, 1, dice, used)]
        for face, now in rerolls(dice[turn], fighters[turn][3], used[turn]):
            sums = [0.0, 0.0]
            for mine in with_one_again(dice[turn], face):
                both = (mine, dice[1]) if turn == 0 else (dice[0], mine)
                use = (now, used[1]) if turn == 0 else (used[0], now)
                found = rerolled(1 - turn, 0, both, use)
                sums = [sums[0] + found[0] / 6, sums[1] + found[1] / 6]
            outcomes.append((sums[0], sums[1]))
        return prefers(turn, outcomes)

    total = [0.0, 0.0]
    for first in product(range(1, 7), repeat=one[0]):
        for second in product(range(1, 7), repeat=two[0]):
            dice = tuple(tuple(sorted((face, False) for face in faces)) for faces in (first, second))
            lost = rerolled(0, 0, (dice[0], dice[1]), (frozenset(), frozenset()))
            total = [total[0] + lost[0], total[1] + lost[1]]
    count = 6 ** (one[0] + two[0])
    return total[0] / count, total[1] / count
