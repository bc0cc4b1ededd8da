"""What a re-roll on offer would bring, solved exactly, and which ones are pointless."""

from __future__ import annotations

from typing import Any

from ktsim.game.bots.estimates import reroll_gains
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision, Pick
from ktsim.rules.engine.dice import Rerolling, lifted
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.shoot.stages import Shot

BEST = "Pointless: it is the best result already."
NO_BETTER = "Pointless: on average it changes nothing for the better."
LEAST = 1e-6


def is_pointless(decision: Decision[Any], battle: Battle) -> bool:
    """Whether every re-roll on offer is one nobody could want: of a critical success, of attack dice that take the
    target out whatever becomes of it, or of defence dice that change nothing."""
    if not isinstance(decision, Pick) or decision.topic != "reroll" or not isinstance(decision.about, Rerolling):
        return False
    worth, sequence = rerolls_worth(decision, battle), decision.about.sequence
    others = [key for key in decision.open_keys if key != decision.default]
    if not others or not all(worth.get(key, ("", ""))[1] for key in others):
        return False
    if isinstance(sequence, Shot) and decision.seat == sequence.hand.side:
        is_sure = all(" → 100%" in worth[key][0] and "100% → " in worth[key][0] for key in others)
        return is_sure or all(int(key[-1]) >= sequence.hand.critical_on for key in others)
    return True


def rerolls_worth(decision: Decision[Any], battle: Battle) -> dict[str, tuple[str, str]]:
    """By the key of a re-roll of one die: what it brings in words, and a warning where that is nothing."""
    about = decision.about
    if not isinstance(about, Rerolling) or not isinstance(decision, Pick):
        return {}
    single = {offer.key: offer.face for offer in about.offers if lifted(about.dice, offer)[1] == 1}
    sequence = about.sequence
    if isinstance(sequence, Duel):
        hand = next((hand for hand in sequence.hands if hand.dice == about.dice), None)
        if hand is None or hand.critical < hand.normal:
            return {}
        return {key: ("", BEST) for key, face in single.items() if face >= hand.critical_on}
    if not isinstance(sequence, Shot) or sequence.hand.target not in battle.state.operatives:
        return {}
    wounds = battle.state.operatives[sequence.hand.target].wounds
    gains = reroll_gains(sequence, about.dice, wounds, battle.edition.id)
    is_attack = decision.seat == sequence.hand.side
    found = {}
    for key, face in single.items():
        if face not in gains:
            continue
        kept, again = gains[face]
        better = [again.damage - kept.damage, again.kill - kept.kill]
        is_vain = max(better) <= LEAST if is_attack else min(better) >= -LEAST
        words = f"Expected damage {kept.damage:.1f} → {again.damage:.1f}, taken out {kept.kill:.0%} → {again.kill:.0%}"
        found[key] = (words, NO_BETTER if is_vain else "")
    return found
