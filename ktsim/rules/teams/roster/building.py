"""Building a roster step by step: what may be added or changed, and why not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from ktsim.content.printable import NAME_LIMIT
from ktsim.rules.engine.cards import Team
from ktsim.rules.teams.fields import MOST_OPERATIVES
from ktsim.rules.teams.roster.composition import RosterOperative, TeamOption
from ktsim.rules.teams.roster.roster_file import names_in


def loadouts_of(team: Team, type: str) -> list[tuple[str, ...]]:
    """The ways an operative may be equipped, each its weapons by name; all of its weapons where nothing is said."""
    slots = team.composition.slots if team.composition is not None else ()
    listed = [choice for slot in slots for choice in slot.choices if choice.type == type]
    found = dict.fromkeys(loadout.weapons for choice in listed for loadout in choice.loadouts)
    return list(found) or [names_in(team).weapons[type]]


def options_of(team: Team, type: str) -> list[TeamOption]:
    """What is chosen for an operative with the roster."""
    return [each for each in team.composition.options if each.concerns(type)] if team.composition is not None else []


def size_of(team: Team) -> int:
    """How many selections the team has."""
    has_slots = team.composition is not None and team.composition.slots
    return sum(slot.count for slot in team.composition.slots) if has_slots else team.size


def excesses(team: Team, operatives: Sequence[RosterOperative]) -> list[str]:
    """What is not legal and stays so whatever is added: limits passed, more than there is room for."""
    if len(operatives) > MOST_OPERATIVES:
        return [f"a roster has at most {MOST_OPERATIVES} operatives"]
    if team.composition is not None and team.composition.slots:
        found: list[str] = team.composition.excesses(operatives, names_in(team))
        return found
    kinds = Counter(each.type for each in operatives)
    found = [
        f"at most {card.limit} of {card.name} can be selected" for card in team.cards if kinds[card.id] > card.limit
    ]
    if len(operatives) > team.size:
        found.append(f"the team has {team.size} operatives")
    return found


def refuses(team: Team, now: Sequence[RosterOperative], then: Sequence[RosterOperative]) -> str:
    """Why the roster *now* cannot be changed to *then*: what would be in excess that is not yet."""
    before = excesses(team, now)
    return next((text for text in excesses(team, then) if text not in before), "")


def added(team: Team, operatives: Sequence[RosterOperative], type: str) -> tuple[list[RosterOperative], str]:
    """The roster with one more of a datacard, equipped in the first way that may be; or as it was, and why not."""
    why = ""
    for weapons in loadouts_of(team, type):
        then = [*operatives, RosterOperative(type, "", weapons)]
        why = why or refuses(team, operatives, then)
        if not refuses(team, operatives, then):
            taken = [choice for each in operatives for choice in each.options]
            own = tuple(choice for option in options_of(team, type) for choice in option.usual(type, taken))
            return [*operatives, replace(then[-1], name=free_name(team, operatives, type), options=own)], ""
    return list(operatives), why


def free_name(team: Team, operatives: Sequence[RosterOperative], type: str) -> str:
    """What one more of a datacard is called: as the datacard is, with a number where that name is taken."""
    name = team.card(type).name
    taken = {each.name for each in operatives}
    if name not in taken and f"{name} 1" not in taken:
        return name
    number = 2
    while f"{name[: NAME_LIMIT - 3]} {number}" in taken:
        number += 1
    return f"{name[: NAME_LIMIT - 3]} {number}"


def with_option(each: RosterOperative, option: TeamOption, choice: str) -> RosterOperative:
    """The operative with *choice* of *option* taken, in the place of the oldest where it has enough; or without it."""
    own = [known for known in each.options if known in option.choices]
    others = tuple(known for known in each.options if known not in option.choices)
    own = [known for known in own if known != choice] if choice in own else [*own, choice][-option.count :]
    return replace(each, options=(*others, *own))
