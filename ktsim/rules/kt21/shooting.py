"""One shooting attack of 2021 (KT21-SHOOT): the shared stages, with its own for mortal wounds and for the save used."""

from __future__ import annotations

from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.dice import Hand, is_success, retain
from ktsim.rules.engine.events import Told
from ktsim.rules.engine.operative_events import Wounded
from ktsim.rules.engine.shoot import stages as shooting
from ktsim.rules.engine.shoot.stages import Shot, best_of_each
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt21.weapon_rules import stunned


def retain_attack(shot: Shot) -> Steps[Shot]:
    """Retain the hits, inflict mortal wounds, see how far the target's Df is reduced.

    Rules of the same moment come in the order that serves the weapon's user: Rending before what counts critical
    hits. Of several APx one is used, the greatest; Px is an APx while a critical hit is retained.
    """
    hand = yield from retain(shot.hand)
    damage = yield from mortal_wounds(hand)
    numbers = [rule.defence_dice(hand, Reasoned.of(shot.defence)) for rule in hand.rules]
    least = min(numbers, key=lambda number: number.value, default=Reasoned.of(shot.defence))
    if least.changes:
        yield Told(f"Df {least.words()}.", least.changes[-1].rule)
    return shot._replace(hand=hand, pierced=least.value, damage=shot.damage + damage, stage="save")


def mortal_wounds(hand: Hand) -> Steps[int]:
    """KT21-W-MW, KT21-W-SPLASH, KT21-W-STUN; returns what the target suffers at once."""
    if not hand.crits:
        return 0
    total = 0
    for rule in best_of_each(hand.rules):
        if each := rule.critical_damage():
            total += each * hand.crits
            yield Wounded(hand.target, each * hand.crits, f"mortal wounds, {rule.text}", hand.operative)
    for bystander, amount in hand.bystanders:
        yield Wounded(bystander, amount * hand.crits, f"mortal wounds, Splash {amount}", hand.operative)
    if any(rule.stuns for rule in hand.rules):
        yield stunned(hand.target)
    return total


def choose_save(shot: Shot) -> Steps[Shot]:
    """KT21-W-INVULNERABLE: the defender may use it instead, with the whole Df; nothing modifies it."""
    pierced = shot.defence if shot.pierced is None else shot.pierced
    usual = shot._replace(defence=pierced, pierced=None, stage="defend")
    if not shot.invulnerable:
        return usual
    instead = shot._replace(save=shot.invulnerable, pierced=None, stage="defend")
    options = [
        Option("save", f"Save {usual.save}+ with {usual.defence} defence dice"),
        Option("invulnerable", f"Invulnerable Save {instead.save}+ with {instead.defence} defence dice"),
    ]
    is_better = instead.defence * chance(instead.save) > usual.defence * chance(usual.save)
    chosen = yield from pick(
        shot.defender,
        "save",
        f"{shot.hand.whom}: which save is used?",
        options,
        {"save": usual, "invulnerable": instead},
        default="invulnerable" if is_better else "save",
        obvious=instead.save <= usual.save or pierced == shot.defence,
    )
    if chosen is instead:
        yield Told("{0} uses its Invulnerable Save.", "KT21-W-INVULNERABLE", (shot.hand.target,))
    return chosen


def chance(needed: int) -> int:
    """How many faces of a die succeed."""
    return sum(is_success(face, needed) for face in range(1, 7))


STAGES = {**shooting.STAGES, "retain": retain_attack, "save": choose_save}
