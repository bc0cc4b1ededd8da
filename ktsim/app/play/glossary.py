"""The game's own words in a sentence each, for whoever meets them for the first time."""

from __future__ import annotations

import re
from functools import lru_cache

WORDS: dict[str, str] = {
    "VP": "VP, victory points: whoever has more at the end has won.",
    "CP": "CP, command points: they pay for ploys and Command Re-rolls. Each turning point brings some.",
    "AP": "AP, action points: what an operative pays for its actions in one activation.",
    "APL": "APL: how many AP an operative has, and how much it counts where a marker is contested.",
    "turning point": "Turning point: a round of the game, over when everybody has acted.",
    "initiative": "Initiative: who has it acts first in the turning point.",
    "gambit": "Strategic gambit: something used before the firefight, mostly a strategy ploy of your team.",
    "ploy": "Ploy: a trick of your team, mostly for CP. Strategy ploys hold for a turning point, others for a moment.",
    "firefight": "Firefight: the part of a turning point in which operatives are activated, one at a time by turns.",
    "counteract": "Counteract: once all of yours have acted, one on Engage may do one action more in reply.",
    "Engage": "Engage: an order. It may shoot, charge and counteract, and can be shot when it is seen.",
    "Conceal": "Conceal: an order. It neither shoots nor charges, and in cover it cannot be shot.",
    "cover": "Cover: something stands before it, near to it. It keeps one defence die as a success without rolling.",
    "obscured": "Obscured: something stands in between, away from both. The shot loses its criticals and a success.",
    "control range": "Control range: 1 inch around an operative, where it sees. Enemies that close can fight.",
    "contest": "Contest: being close enough to a marker to count for it. The side with more APL there controls it.",
    "crit op": "Crit op: the mission both sides play for.",
    "tac op": "Tac op: a mission of your own, secret until you reveal it.",
    "primary op": "Primary op: the op you bet on. At the end it pays again, half of what it has paid.",
    "incapacitated": "Incapacitated: out of the battle.",
    "injured": "Injured: below half of its wounds. It moves less far and hits worse.",
    "expended": "Expended: it has acted in this turning point; ready: it has not.",
    "retain": "Retain: to keep a die as a success.",
    "re-roll": "Re-roll: a die is rolled once more, and the new result stands.",
    "equipment": "Equipment: up to four things your team brings beside its weapons.",
}
ENOUGH = 5
"""So many are explained at most; whoever reads more at once remembers none."""


@lru_cache(maxsize=256)
def glossed(*texts: str) -> str:
    """What the words of the game that occur in *texts* mean, in the order they come."""
    text = " ".join(texts)
    found: list[tuple[int, str]] = []
    for word, meaning in WORDS.items():
        flags = 0 if word.isupper() or word[0].isupper() else re.IGNORECASE
        ending = r"(?:s|es|ed|ing|ion|ions)?(?![\w-])" if flags else r"(?![\w-])"
        hit = re.search(rf"(?<![A-Za-z-]){re.escape(word)}{ending}", text, flags)
        if hit is not None:
            found.append((hit.start(), meaning))
    return "\n".join(meaning for _, meaning in sorted(found)[:ENOUGH])
