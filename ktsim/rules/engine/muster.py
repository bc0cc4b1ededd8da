"""Which operatives a side takes into the battle, and what they are called."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from ktsim.rules.engine.cards import Datacard, Team
from ktsim.rules.engine.decisions import Option
from ktsim.rules.engine.operative_events import Joined
from ktsim.rules.engine.state import Side


def muster(side: Side, ids: Sequence[str], cards: Mapping[str, Datacard]) -> list[Joined]:
    """The operatives with these datacards, numbered where several share one."""
    several = Counter(ids)
    seen: Counter[str] = Counter()
    found = []
    for id in ids:
        seen[id] += 1
        card = cards[f"{side}/{id}"]
        number = f" {seen[id]}" if several[id] > 1 else ""
        found.append(Joined(f"{side}-{id}-{seen[id]}", f"{card.name}{number}", side, f"{side}/{id}", card.wounds))
    return found


def copies(team: Team) -> list[Option]:
    """Every operative that can be selected: each datacard as often as its limit and the team's size allow."""
    found = []
    for card in team.cards:
        most = min(card.limit, team.size)
        stats = f'APL {card.apl}, Move {card.move}", Save {card.save}+, Wounds {card.wounds}'
        for number in range(1, most + 1):
            name = f"{card.name} {number}" if most > 1 else card.name
            found.append(Option(f"{card.id}-{number}", f"{name} ({stats})"))
    return found


def usual(team: Team) -> tuple[str, ...]:
    """The roster of the team's file, as keys of :func:`copies`."""
    seen: Counter[str] = Counter()
    found = []
    for id in team.roster:
        seen[id] += 1
        found.append(f"{id}-{seen[id]}")
    return tuple(found)


def card_of(copy: str) -> str:
    """The datacard of a copy."""
    return copy.rpartition("-")[0]
