"""One fight sequence (KT24-FIGHT-SEQ): both roll, then alternate striking and blocking.

Stages over an immutable :class:`Duel`, run by play and by ``ktsim odds`` alike. Index 0 is the attacker, the
active operative; index 1 retaliates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ktsim.rules.engine.attack import Dice, Hand, Hands, Reroll, Ward, discarding
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.dice import COMMAND, ask_reroll, lifted, reroll_offers, roll_again, roll_attack_dice, take_up
from ktsim.rules.engine.events import Event, Told
from ktsim.rules.engine.operative_events import Wounded, successes
from ktsim.rules.engine.shoot.stages import pay, warded
from ktsim.rules.engine.state import Side

Pair = tuple[int, int]


class LastStrike(NamedTuple):
    """A strike an operative may make as it is incapacitated: what that costs, and what happens when it is paid."""

    cp: int = 0
    events: tuple[Event, ...] = ()


class Duel(NamedTuple):
    """A fight under way. *wounds* are what both have left, *suffered* what the sequence has inflicted so far.

    *turn* is whose re-roll or resolution it is, *passes* how many passed in a row, *strikes* how many critical
    strikes each has made, counted as far as a rule of its weapon tells them apart. *first_to_reroll* is the player
    with initiative (KT24-SIMUL). *verb* is what the edition calls cancelling a success.

    What team rules give each of the two: *wards* that lessen the damage of strikes against it (*warded*: those used
    up), *bonus* damage of its first strike and the most that may come to, *blocks* it has (``two``: each cancels two
    successes; ``critical``: a normal success cancels a critical one; ``early``: one before the normal order), and
    whether it strikes once more (*last_strike*) as it is incapacitated.
    """

    hands: Hands
    wounds: Pair
    cp: Pair = (0, 0)
    first_to_reroll: int = 0
    first_to_resolve: int = 0
    stage: str = "attack"
    turn: int = 0
    passes: int = 0
    suffered: Pair = (0, 0)
    strikes: Pair = (0, 0)
    verb: str = "block"
    wards: tuple[tuple[Ward, ...], tuple[Ward, ...]] = ((), ())
    warded: tuple[str, ...] = ()
    bonus: tuple[Pair, Pair] = ((0, 0), (0, 0))
    blocks: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    last_strike: tuple[LastStrike | None, LastStrike | None] = (None, None)

    def cp_of(self, side: Side) -> int:
        return self.cp[0] if side == "red" else self.cp[1]

    @property
    def is_special(self) -> bool:
        """Whether team rules change how its dice are resolved."""
        return any(self.wards) or any(map(any, self.bonus)) or any(self.blocks) or any(self.last_strike)

    @property
    def is_over(self) -> bool:
        return min(self.wounds) <= 0 or not any(hand.successes for hand in self.hands)


def fight(
    duel: Duel,
    stages: Mapping[str, DuelStage],
    between: Callable[[Duel], Steps[Duel]] | None = None,
) -> Steps[Duel]:
    """The whole sequence, by the *stages* of an edition; play does something *between* them, and as somebody falls."""
    while duel.stage != "done":
        if between is not None:
            duel = yield from between(duel)
            if duel.stage == "done":  # a rule has ended it before it began
                break
        duel = yield from stages[duel.stage](duel)
        if between is not None and min(duel.wounds) <= 0:
            duel = yield from between(duel)
    return duel


def with_hand(duel: Duel, index: int, hand: Hand) -> Duel:
    return duel._replace(hands=(hand, duel.hands[1]) if index == 0 else (duel.hands[0], hand))


def hurt(duel: Duel, index: int, amount: int) -> Duel:
    """*amount* damage to one of the two."""
    wounds, suffered = list(duel.wounds), list(duel.suffered)
    wounds[index] -= amount
    suffered[index] += amount
    return duel._replace(wounds=(wounds[0], wounds[1]), suffered=(suffered[0], suffered[1]))


def attack(duel: Duel) -> Steps[Duel]:
    """Both roll their attack dice; they do so together, so neither sees the other's first."""
    hand = yield from roll_attack_dice(duel.hands[duel.turn])
    rolled = with_hand(duel, duel.turn, hand)
    if duel.turn == 0:
        return rolled._replace(turn=1)
    return rolled._replace(stage="re-rolls", turn=duel.first_to_reroll)


def rerolls(duel: Duel) -> Steps[Duel]:
    """One re-roll or pass; they alternate until both pass in a row (KT24-SIMUL)."""
    hand = duel.hands[duel.turn]
    offers = offered(duel)
    chosen = None
    if offers:
        chosen = yield from ask_reroll(hand.side, hand.who, hand.dice, offers, hand.hit, duel)
    if chosen is None:
        return passed(duel)
    yield from take_up(hand.side, hand.operative, hand.dice, chosen, hand.cites)
    return taken_up(duel, chosen)


def offered(duel: Duel) -> list[Reroll]:
    """The re-rolls of the player whose turn it is."""
    hand = duel.hands[duel.turn]
    return reroll_offers(hand.rules, hand.dice, hand.used, duel.cp_of(hand.side))


def passed(duel: Duel) -> Duel:
    """The player whose turn it is keeps its dice."""
    if duel.passes == 1:
        return duel._replace(stage="retain", passes=0, turn=0)
    return duel._replace(turn=1 - duel.turn, passes=1)


def taken_up(duel: Duel, offer: Reroll) -> Duel:
    """The player whose turn it is has taken up dice to re-roll them."""
    hand = duel.hands[duel.turn]
    dice, count = lifted(hand.dice, offer)
    used = offer.used_after(hand.used)
    cp = pay(duel.cp, hand.side) if offer.rule == COMMAND else duel.cp
    lifting = with_hand(duel, duel.turn, hand._replace(dice=dice, in_hand=count, used=used))
    return lifting._replace(cp=cp, stage="re-roll")


def reroll(duel: Duel) -> Steps[Duel]:
    hand = duel.hands[duel.turn]
    dice = yield from roll_again(hand.side, hand.operative, hand.who, hand.dice, hand.in_hand, "attack", hand)
    return rerolled(duel, dice)


def rerolled(duel: Duel, dice: Dice) -> Duel:
    """The re-rolled dice lie there again; the other player's turn to re-roll or pass."""
    changed = with_hand(duel, duel.turn, duel.hands[duel.turn]._replace(dice=dice, in_hand=0))
    return changed._replace(turn=1 - duel.turn, passes=0, stage="re-rolls")


def next_to_resolve(duel: Duel, index: int) -> Duel:
    """The duel with *index* to resolve a die, or the other when it has none left, or over."""
    for fallen in (0, 1):
        if duel.wounds[fallen] <= 0 and duel.last_strike[fallen] and duel.hands[fallen].successes:
            return duel._replace(stage="last strike", turn=fallen)
    if duel.is_over:
        return duel._replace(stage="done")
    for early in (0, 1):
        if "early" in duel.blocks[early] and all(hand.successes for hand in duel.hands):
            return duel._replace(stage="early block", turn=early)
    return duel._replace(stage="resolve", turn=index if duel.hands[index].successes else 1 - index)


def early_block(duel: Duel) -> Steps[Duel]:
    """One success resolved before the normal order, as a block, by whoever has such a rule and wants to."""
    index = duel.turn
    mine = duel.hands[index]
    found = {key: text for key, text in moves(duel) if key.startswith("block") and not key.endswith("-")}
    own, other = duel.blocks[index], duel.blocks[1 - index]
    spent = tuple(each for each in own if each != "early")
    asked = duel._replace(blocks=(spent, other) if index == 0 else (other, spent))
    options = [Option("no", "No"), *(Option(key, text) for key, text in found.items())]
    prompt = f"{mine.who} may resolve one success before the normal order."
    values = {"no": "", **{key: key for key in found}}
    chosen = yield from pick(mine.side, "early block", prompt, options, values, default="no", about=duel)
    if not chosen:
        return next_to_resolve(asked, duel.first_to_resolve)
    after, events = resolved(asked, chosen)
    yield from events
    return next_to_resolve(after, duel.first_to_resolve)


def last_strike(duel: Duel) -> Steps[Duel]:
    """Whoever is incapacitated may strike with one of its unresolved successes before it is removed."""
    index = duel.turn
    mine = duel.hands[index]
    one, two = duel.last_strike
    paid = duel.last_strike[index] or LastStrike()
    asked = duel._replace(last_strike=(None, two) if index == 0 else (one, None))
    if paid.cp > duel.cp_of(mine.side):
        return next_to_resolve(asked, index)
    found = [(key, text) for key, text in moves(duel) if key.startswith("strike")]
    options = [*(Option(key, text) for key, text in found), Option("no", "No")]
    values = {"no": "", **{key: key for key, _ in found}}
    cost = f" ({paid.cp}CP)" if paid.cp else ""
    prompt = f"{mine.who} is incapacitated: strike before it is removed?{cost}"
    default = "no" if paid.cp else found[0][0]
    chosen = yield from pick(mine.side, "last strike", prompt, options, values, default=default, about=duel)
    if not chosen:
        return next_to_resolve(asked, index)
    yield from paid.events
    asked = asked._replace(cp=pay(asked.cp, mine.side, paid.cp))
    after, events = yield from struck(asked, chosen)
    yield from events
    return after


def moves(duel: Duel) -> list[tuple[str, str]]:
    """Every way to resolve one die, as (key, words).

    ``strike c`` and ``strike n`` strike with a critical or normal success; ``block nc`` uses a normal success to
    cancel a critical one and so on; ``block n-`` cancels nothing, which is allowed.
    """
    mine, theirs = duel.hands[duel.turn], duel.hands[1 - duel.turn]
    found = []
    if mine.crits:
        found.append(("strike c", f"Strike with a critical success ({strike_damage(duel, 'strike c')} damage)"))
    if mine.normals:
        found.append(("strike n", f"Strike with a normal success ({strike_damage(duel, 'strike n')} damage)"))
    needs_critical = any(rule.is_brutal for rule in theirs.rules)
    block = duel.verb.title()
    if mine.crits:
        if theirs.crits:
            found.append(("block cc", f"{block} a critical success with a critical success"))
        if theirs.normals:
            found.append(("block cn", f"{block} a normal success with a critical success"))
        found.append(("block c-", f"{block} with a critical success, cancelling nothing"))
    if mine.normals and not any(rule.bars_normals for rule in theirs.rules):
        if theirs.normals and not needs_critical:
            found.append(("block nn", f"{block} a normal success with a normal success"))
        else:
            found.append(("block n-", f"{block} with a normal success, cancelling nothing"))
    own = duel.blocks[duel.turn]
    if "critical" in own and mine.normals and theirs.crits and not needs_critical:
        found.append(("block nc", f"{block} a critical success with a normal success"))
    if "two" in own:
        more = _double_blocks(found, theirs)
        found += [(key, f"{block} two successes with a {_KIND[key[6]]} success ({words})") for key, words in more]
    return found


_KIND = {"c": "critical", "n": "normal"}


def _double_blocks(found: list[tuple[str, str]], theirs: Hand) -> list[tuple[str, str]]:
    """Every pair of successes that one block can cancel where each may cancel two."""
    single = [key for key, _ in found if key.startswith("block") and not key.endswith("-")]
    pairs = []
    for die in "cn":
        can = [key[-1] for key in single if key[6] == die]
        for first, second in (("c", "c"), ("c", "n"), ("n", "n")):
            enough = theirs.crits >= 2 if first == second == "c" else theirs.normals >= 2 if first == second else True
            if first in can and second in can and enough:
                pairs.append((f"block {die}{first}{second}", f"{_KIND[first]} and {_KIND[second]}"))
    return pairs


def strike_damage(duel: Duel, key: str) -> int:
    """What the strike would inflict: the weapon's damage and the bonus of a first strike, up to its most."""
    hand, (bonus, most) = duel.hands[duel.turn], duel.bonus[duel.turn]
    damage = hand.critical if key.endswith("c") else hand.normal
    if not bonus:
        return damage
    return max(damage, min(damage + bonus, most)) if most else damage + bonus


def resolve(duel: Duel) -> Steps[Duel]:
    """The player whose turn it is resolves one success."""
    mine, theirs = duel.hands[duel.turn], duel.hands[1 - duel.turn]
    found = moves(duel)
    prompt = f"{mine.who} has {successes(mine.normals, mine.crits)} against {successes(theirs.normals, theirs.crits)}."
    options = [Option(key, text) for key, text in found]
    chosen = yield from pick(
        mine.side, "resolve", prompt, options, {key: key for key, _ in found}, default=found[0][0], about=duel
    )
    after, events = yield from struck(duel, chosen)
    yield from events
    return after


def struck(duel: Duel, key: str) -> Steps[tuple[Duel, list[Event]]]:
    """The duel after a die was resolved as *key* says, wards heard, and what happened."""
    wards = duel.wards[1 - duel.turn]
    if not wards or not key.startswith("strike"):
        return resolved(duel, key)
    hand, defender = duel.hands[duel.turn], duel.hands[1 - duel.turn].side
    kind, damage = _KIND[key[-1]], strike_damage(duel, key)
    had = duel.cp_of(defender)
    left, used, cp = yield from warded(wards, duel.warded, defender, had, hand, kind, damage)
    return resolved(duel._replace(warded=used, cp=pay(duel.cp, defender, had - cp)), key, left)


def resolved(duel: Duel, key: str, inflicted: int | None = None) -> tuple[Duel, list[Event]]:
    """The duel after its player resolved a die as *key* says, and what happened; *inflicted* is the damage of a strike
    where wards have changed it."""
    index = duel.turn
    mine = duel.hands[index]
    is_critical = key.split()[1][0] == "c"
    spent = mine._replace(crits=mine.crits - 1) if is_critical else mine._replace(normals=mine.normals - 1)
    after = with_hand(duel, index, spent)
    kind = "critical" if is_critical else "normal"
    events: list[Event] = []
    if key.startswith("strike"):
        damage = strike_damage(duel, key) if inflicted is None else inflicted
        if any(duel.bonus[index]):
            none = (0, 0)
            after = after._replace(bonus=(none, duel.bonus[1]) if index == 0 else (duel.bonus[0], none))
        events.append(Wounded(mine.target, damage, f"{kind} strike", mine.operative))
        after = hurt(after, 1 - index, damage)
        if is_critical:
            after, told = _critical_strike(after, index)
            events += told
    elif key.endswith("-"):
        verb = third_person(duel.verb)
        events.append(Told("{0} " + f"{verb} with a {kind} success and cancels nothing.", "", (mine.operative,)))
    else:
        verb = third_person(duel.verb)
        for letter in key.split()[1][1:]:
            gone = _KIND[letter]
            after = after._replace(hands=discarding(after.hands, 1 - index, gone))
            events.append(Told("{0} " + f"{verb} a {gone} success with a {kind} one.", "", (mine.operative,)))
    return next_to_resolve(after, 1 - index), events


def third_person(verb: str) -> str:
    return f"{verb[:-1]}ies" if verb.endswith("y") else f"{verb}s"


def _critical_strike(duel: Duel, index: int) -> tuple[Duel, list[Event]]:
    """What the weapon's rules do with a critical strike besides its damage."""
    hands, had = duel.hands, duel.strikes[index]
    rules = hands[index].rules
    number = min(had + 1, max((rule.strikes_counted for rule in rules), default=0))
    events: list[Event] = []
    for rule in rules:
        is_counted = had < rule.strikes_counted
        hands, told = rule.struck(hands, index, number if is_counted else 0)
        events += told
    strikes = (number, duel.strikes[1]) if index == 0 else (duel.strikes[0], number)
    return duel._replace(hands=hands, strikes=strikes), events


DuelStage = Callable[[Duel], Steps[Duel]]
SHARED_STAGES: dict[str, DuelStage] = {
    "attack": attack,
    "re-rolls": rerolls,
    "re-roll": reroll,
    "early block": early_block,
    "resolve": resolve,
    "last strike": last_strike,
}
"""What editions have in common; each adds how both retain their dice."""
