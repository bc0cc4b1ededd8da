"""What is done by hand, typed as a line of text."""

from __future__ import annotations

import re

from ktsim.rules.engine.by_hand import CHANGED_STATS, KINDS, LASTS, Deed
from ktsim.rules.engine.state import Side, State, milli

SPOKEN = tuple(stat for stat in CHANGED_STATS if stat != "move")
"""The stats that can be typed; *move* is putting somebody elsewhere."""
HOW = f"""\
  hand wounds NAME +2 because REASON         hand cp red -1 because REASON
  hand {"|".join(SPOKEN)} NAME -1 activation because REASON
  hand rule NAME Piercing 1, action because REASON
  hand re-roll NAME attack|defence action because REASON
  hand token NAME +1 Poison because REASON    hand order NAME conceal because REASON
  hand move NAME 12.5,8 because REASON        hand note TEXT because REASON
How long something lasts is one of {", ".join(LASTS)}."""

_TOKEN = re.compile(r"([+-]?\d+) +(.+)")
_LASTING = re.compile(rf"(.*?)[, ]+({'|'.join(LASTS)})")


def deed_from(line: str, by: Side, state: State) -> Deed:
    """The deed a line stands for; raises ``ValueError`` with a sentence."""
    said, _, reason = line.partition(" because ")
    kind, _, rest = said.strip().partition(" ")
    if not reason.strip() or (kind not in KINDS and kind not in SPOKEN):
        raise ValueError(f"Say what is done and why:\n{HOW}")
    if kind == "note":
        return Deed(by, reason.strip(), "note", "", (rest.strip(),))
    if kind == "cp":
        side, _, amount = rest.strip().partition(" ")
        return Deed(by, reason.strip(), "cp", side, (_whole(amount),))
    named = sorted((who for who in state.operatives.values()), key=lambda who: -len(who.name))
    who = next((who for who in named if rest.strip().casefold().startswith(who.name.casefold())), None)
    if who is None:
        raise ValueError(f"{rest.strip()!r} begins with no operative's name; who lists them.")
    words = rest.strip()[len(who.name) :].strip()
    reason = reason.strip()
    if kind == "wounds":
        return Deed(by, reason, "wounds", who.id, (_whole(words),))
    if kind == "token":
        if (found := _TOKEN.fullmatch(words)) is None:
            raise ValueError("Say how many tokens and what they are called, such as +1 Poison.")
        return Deed(by, reason, "token", who.id, (int(found[1]), found[2]))
    if kind == "order":
        return Deed(by, reason, "order", who.id, (words.lower(),))
    if kind == "move":
        return Deed(by, reason, "move", who.id, _place(words, who.level))
    if (lasting := _LASTING.fullmatch(words)) is None:
        raise ValueError(f"Say how long it lasts: {', '.join(LASTS)}.")
    if kind in SPOKEN:
        return Deed(by, reason, "stat", who.id, (_whole(lasting[1]), kind, lasting[2]))
    return Deed(by, reason, "rule" if kind == "rule" else "re-roll", who.id, (lasting[1].strip(), lasting[2]))


def _whole(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise ValueError(f"{word!r} is not a whole number such as +2.") from None


def _place(words: str, level: int) -> tuple[int, int, int]:
    try:
        x, y = (float(part) for part in words.split(","))
        return milli(x), milli(y), level
    except (ValueError, OverflowError):
        raise ValueError(f"{words!r} is not a place such as 12.5,8 (in inches).") from None
