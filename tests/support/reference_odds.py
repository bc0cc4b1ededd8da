"""Odds by plain enumeration, written from the rules alone: no code shared with the engine. Slow on purpose."""

from __future__ import annotations

from functools import cache
from itertools import product


def sort(faces: tuple[int, ...], needed: int, critical_on: int) -> tuple[int, int, int]:
    """(normals, criticals, fails) among faces."""
    normals = crits = fails = 0
    for face in faces:
        if face == 6:
            crits += 1
        elif face == 1 or face < needed:
            fails += 1
        elif face >= critical_on:
            crits += 1
        else:
            normals += 1
    return normals, crits, fails


def retained(
    faces: tuple[int, ...], accurate: int, hit: int, rules: dict[str, int], obscured: bool
) -> list[tuple[int, int]]:
    """Every (normals, criticals) the attacker can end up with."""
    normals, crits, fails = sort(faces, hit, rules.get("lethal", 6))
    if obscured:
        return [(max(0, normals + crits + accurate - 1), 0)]
    found = []
    punish = [0, 1] if "punishing" in rules and crits and fails else [0]
    rend = [0, 1] if "rending" in rules and crits and normals else [0]
    for p, r in product(punish, rend):
        n, c = normals + accurate + p - r, crits + r
        found.append((n, c))
        if "severe" in rules and crits == 0 and n:
            found.append((n - 1, c + 1))
    return found


def other_results(face: int) -> set[str]:
    """What Ceaseless must not have been used on before it re-rolls dice that show *face*, one after the other."""
    return {f"ceaseless {other}" for other in range(1, 7) if other != face}


def least_damage(
    normals: int, crits: int, save_normals: int, save_crits: int, normal: int, critical: int, brutal: bool
) -> int:
    """The defender tries every assignment of single saves and pairs."""
    best = normals * normal + crits * critical
    if brutal:
        save_normals = 0
    for pairs in range(save_normals // 2 + 1):
        for crit_to_crit in range(save_crits + 1):
            stopped_crits = min(crits, pairs + crit_to_crit)
            singles = save_normals - 2 * pairs + save_crits - crit_to_crit
            stopped_normals = min(normals, singles)
            best = min(best, (normals - stopped_normals) * normal + (crits - stopped_crits) * critical)
    return best


def shoot_mean(
    atk: int,
    hit: int,
    damage: tuple[int, int],
    rules: dict[str, int],
    save: int,
    defence: int = 3,
    cover: int = 0,
    obscured: bool = False,
    improved: bool = False,
) -> float:
    """Expected damage; both sides choose what is best for them."""

    @cache
    def defended(normals: int, crits: int) -> float:
        dice = defence - rules.get("piercing", 0) - (rules.get("piercing crits", 0) if crits else 0)
        dice = max(0, dice)
        most = 0 if "saturate" in rules else min(cover, dice)
        choices = [(kept, 0) for kept in range(most + 1)]
        if improved and most:
            choices += [(kept - 1, 1) for kept in range(1, most + 1)] + ([(most + 1, 0)] if dice > most else [])
        best = float("inf")
        for kept, kept_crits in choices:
            left = dice - kept - kept_crits
            total = 0.0
            for roll in product(range(1, 7), repeat=left):
                n, c, _ = sort(roll, save, 6)
                total += least_damage(normals, crits, n + kept, c + kept_crits, *damage, "brutal" in rules)
            best = min(best, total / 6**left)
        return best + crits * rules.get("devastating", 0)

    @cache
    def rolled(dice: tuple[tuple[int, bool], ...], accurate: int, used: frozenset[str]) -> float:
        ends = retained(tuple(face for face, _ in dice), accurate, hit, rules, obscured)
        best = max(defended(*end) for end in ends)
        fresh = sorted({face for face, again in dice if not again})
        for face in fresh:
            same = [die for die in dice if die == (face, False)]
            if "balanced" in rules and "balanced" not in used:
                best = max(best, again(dice, (face, False), 1, accurate, used | {"balanced"}))
            if "relentless" in rules:
                best = max(best, again(dice, (face, False), 1, accurate, used))
            if "ceaseless" in rules and used.isdisjoint(other_results(face)):
                for count in range(1, len(same) + 1):
                    best = max(best, again(dice, (face, False), count, accurate, used | {f"ceaseless {face}"}))
        return best

    def again(
        dice: tuple[tuple[int, bool], ...], die: tuple[int, bool], count: int, accurate: int, used: frozenset[str]
    ) -> float:
        rest = list(dice)
        for _ in range(count):
            rest.remove(die)
        total = 0.0
        for faces in product(range(1, 7), repeat=count):
            total += rolled(tuple(sorted([*rest, *((face, True) for face in faces)])), accurate, used)
        return total / 6**count

    best = 0.0
    for accurate in range(min(atk, rules.get("accurate", 0)) + 1):
        total = 0.0
        for faces in product(range(1, 7), repeat=atk - accurate):
            total += rolled(tuple(sorted((face, False) for face in faces)), accurate, frozenset())
        best = max(best, total / 6 ** (atk - accurate))
    return best


def fight_gain(
    one: tuple[int, int, tuple[int, int], dict[str, int], int],
    two: tuple[int, int, tuple[int, int], dict[str, int], int],
) -> tuple[float, float]:
    """Expected wounds lost by (first, second) when each wants to inflict more than it suffers.

    Damage beyond the last wound does not count. A fighter is (dice, hit, damage, rules, wounds). The first acts
    first, also when re-rolling.
    """
    fighters = (one, two)

    def value(outcome: tuple[float, float], who: int) -> float:
        return outcome[1 - who] - outcome[who]

    @cache
    def resolve(state: tuple[int, ...]) -> tuple[float, float]:
        """state: turn, normals, crits, wounds of both, shocked of both."""
        turn, n0, c0, n1, c1, w0, w1, s0, s1 = state
        have = [[n0, c0], [n1, c1]]
        if w0 <= 0 or w1 <= 0 or not (n0 + c0 + n1 + c1):
            return (0.0, 0.0)
        if not sum(have[turn]):
            turn = 1 - turn
        me, foe = turn, 1 - turn
        damage, rules = fighters[me][2], fighters[me][3]
        results = []
        for kind in (0, 1):
            if not have[me][kind]:
                continue
            # strike
            left = [list(have[0]), list(have[1])]
            left[me][kind] -= 1
            shocked = [s0, s1]
            if kind == 1 and "shock" in rules and not shocked[me]:
                shocked[me] = 1
                if left[foe][0]:
                    left[foe][0] -= 1
                elif left[foe][1]:
                    left[foe][1] -= 1
            wounds = [w0, w1]
            wounds[foe] -= damage[kind]
            after = resolve((foe, *left[0], *left[1], *wounds, *shocked))
            gained = [after[0], after[1]]
            gained[foe] += min(damage[kind], (w0, w1)[foe])
            results.append((gained[0], gained[1]))
            # block
            for target in (0, 1, None):
                left = [list(have[0]), list(have[1])]
                left[me][kind] -= 1
                if target is not None:
                    if not have[foe][target] or (target == 1 and kind == 0):
                        continue
                    if kind == 0 and "brutal" in fighters[foe][3]:
                        continue
                    left[foe][target] -= 1
                results.append(resolve((foe, *left[0], *left[1], w0, w1, s0, s1)))
        return max(results, key=lambda outcome: value(outcome, me))

    def settle(dice: tuple[tuple[tuple[int, bool], ...], ...]) -> tuple[float, float]:
        """Both retain, the first before the second, each choosing; criticals may hurt at once."""
        options = []
        for i in (0, 1):
            _, hit, _, rules, _ = fighters[i]
            options.append(retained(tuple(face for face, _ in dice[i]), 0, hit, rules, False))

        def end(first: tuple[int, int], second: tuple[int, int]) -> tuple[float, float]:
            hurt = [second[1] * two[3].get("devastating", 0), first[1] * one[3].get("devastating", 0)]
            after = resolve((0, *first, *second, one[4] - hurt[0], two[4] - hurt[1], 0, 0))
            return (after[0] + min(hurt[0], one[4]), after[1] + min(hurt[1], two[4]))

        replies = [
            max((end(first, second) for second in options[1]), key=lambda outcome: value(outcome, 1))
            for first in options[0]
        ]
        return max(replies, key=lambda outcome: value(outcome, 0))

    @cache
    def reroll(
        turn: int, passes: int, dice: tuple[tuple[tuple[int, bool], ...], ...], used: tuple[frozenset[str], ...]
    ) -> tuple[float, float]:
        results = [settle(dice) if passes else reroll(1 - turn, 1, dice, used)]
        rules = fighters[turn][3]
        for face in sorted({face for face, again in dice[turn] if not again}):
            same = dice[turn].count((face, False))
            parts = [("ceaseless", count) for count in range(1, same + 1)]
            for rule, count in (("balanced", 1), ("relentless", 1), *parts):
                if rule not in rules or rule in used[turn]:
                    continue
                if rule == "ceaseless" and not used[turn].isdisjoint(other_results(face)):
                    continue
                name = f"ceaseless {face}" if rule == "ceaseless" else rule
                now = used[turn] if rule == "relentless" else used[turn] | {name}
                rest = list(dice[turn])
                for _ in range(count):
                    rest.remove((face, False))
                sums = [0.0, 0.0]
                for fresh in product(range(1, 7), repeat=count):
                    mine = tuple(sorted([*rest, *((f, True) for f in fresh)]))
                    both = (mine, dice[1]) if turn == 0 else (dice[0], mine)
                    use = (now, used[1]) if turn == 0 else (used[0], now)
                    outcome = reroll(1 - turn, 0, both, use)
                    sums = [sums[0] + outcome[0], sums[1] + outcome[1]]
                results.append((sums[0] / 6**count, sums[1] / 6**count))
        return max(results, key=lambda outcome: value(outcome, turn))

    total = [0.0, 0.0]
    for first in product(range(1, 7), repeat=one[0]):
        for second in product(range(1, 7), repeat=two[0]):
            dice = tuple(tuple(sorted((face, False) for face in faces)) for faces in (first, second))
            outcome = reroll(0, 0, dice, (frozenset(), frozenset()))
            total = [total[0] + outcome[0], total[1] + outcome[1]]
    count = 6 ** (one[0] + two[0])
    return total[0] / count, total[1] / count
