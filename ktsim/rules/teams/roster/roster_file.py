"""Roster files (``roster/1``): which operatives of a team are taken, with which weapons, options and equipment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ktsim.content.printable import NAME_LIMIT
from ktsim.content.reader import nearest
from ktsim.content.yaml_tree import Node
from ktsim.errors import Problem, UserError
from ktsim.killzones.figures import models
from ktsim.rules.engine.cards import Datacard, Profile, Team
from ktsim.rules.kt24.equipment.register import EQUIPMENT, MOST
from ktsim.rules.teams.fields import HEIGHT_LIMITS, MOST_OPERATIVES, Fields, id_of
from ktsim.rules.teams.playing.equipping import more_equipment
from ktsim.rules.teams.playing.playable import playable
from ktsim.rules.teams.playing.status import status_of
from ktsim.rules.teams.roster.composition import CardNames, RosterOperative

VERSION = "roster/1"


@dataclass(frozen=True)
class Roster:
    """A roster; *team* is the team as the file names it, *name* what its player calls it."""

    team: str
    operatives: tuple[RosterOperative, ...]
    equipment: tuple[str, ...] = ()
    name: str = ""


def weapon_name(profile: Profile) -> str:
    """The weapon a profile belongs to."""
    return profile.name.rpartition(" (")[0] if "/" in profile.key else profile.name


def names_in(team: Team) -> CardNames:
    """What the team's composition needs to know of its datacards."""
    weapons = {card.id: tuple(dict.fromkeys(map(weapon_name, card.weapons))) for card in team.cards}
    rules = {
        (card.id, weapon_name(profile)): rule
        for card in team.cards
        for profile in card.weapons
        for rule in sorted(profile.rules)
        if rule.startswith("Piercing ") and rule.split()[1].isdigit()
    }
    ordered = sorted(team.cards, key=lambda card: "leader" not in card.keywords)
    return CardNames({card.id: card.name for card in ordered}, weapons, rules)


def default_roster(team: Team, called: str) -> Roster:
    """A legal roster of the team, everything written out."""
    names = names_in(team)
    if team.composition is None or not team.composition.slots:
        chosen = [RosterOperative(id) for id in team.roster]
    else:
        usual = team.composition.equipped(team.roster, names)
        is_legal = not team.composition.check(usual, names)
        chosen = usual if is_legal else team.composition.default(names)
    several = Counter(each.type for each in chosen)
    seen: Counter[str] = Counter()
    found = []
    options = team.composition.options if team.composition else ()
    taken: list[str] = []
    for each in chosen:
        seen[each.type] += 1
        name = names.names[each.type] + (f" {seen[each.type]}" if several[each.type] > 1 else "")
        weapons = each.weapons or names.weapons[each.type]
        own = tuple(choice for option in options for choice in option.usual(each.type, taken))
        taken += own
        found.append(replace(each, name=name[:NAME_LIMIT], weapons=weapons, options=own))
    equipment = [text.name for text in team.texts if text.kind == "equipment" and status_of(text)[0] == "enforced"]
    return Roster(called, tuple(found), tuple(equipment[: most_equipment(team, found)]))


def most_equipment(team: Team, operatives: Sequence[RosterOperative]) -> int:
    """How many equipment options a roster of these operatives may have."""
    return MOST + more_equipment(playable(team.texts), [each.type for each in operatives])


def roster_problems(roster: Roster, team: Team) -> list[str]:
    """Why the roster is not legal, in sentences."""
    names = names_in(team)
    if team.composition is not None:
        found: list[str] = team.composition.check(roster.operatives, names)
    else:
        kinds = Counter(each.type for each in roster.operatives)
        limits = {card.id: card.limit for card in team.cards}
        found = [f"{kind!r} is not an operative of this team" for kind in kinds if kind not in limits]
        found += [
            f"at most {limits[kind]} of {kind!r} can be selected"
            for kind in kinds
            if kinds[kind] > limits.get(kind, 99)
        ]
        if len(roster.operatives) != team.size:
            found.append(f"has {len(roster.operatives)} operatives; the team's size is {team.size}")
    if len(roster.equipment) > (most := most_equipment(team, roster.operatives)):
        found.append(f"{len(roster.equipment)} equipment options; a team has at most {most}")
    for name, count in Counter(roster.equipment).items():
        if count > 1:
            found.append(f"{name!r} is selected {count} times")
        if _is_strange(name, team):
            found.append(f"{name!r} is not equipment of this team")
    return found


def _own_equipment(team: Team) -> list[str]:
    return [text.name for text in team.texts if text.kind == "equipment"]


def _is_strange(equipment: str, team: Team) -> bool:
    """Whether the team cannot have it, as far as its file says what it has."""
    own = _own_equipment(team)
    return bool(own) and equipment not in own and id_of(equipment) not in EQUIPMENT


def check_roster(node: Node, place: str, roster: Roster, team: Team) -> None:
    """Raises :class:`UserError` when the *roster* read from *node* is not legal: for every name the team has not,
    with its line and the name that may be meant; when all are known, for whatever else is wrong."""
    names = names_in(team)
    found: list[Problem] = []
    top = Fields(node, place, found)
    for row in top.rows("operatives"):
        type = Fields(row, place, found).child("type")
        if type.value not in names.names:
            text = f"{type.value!r} is not an operative of this team; {nearest(str(type.value), names.names)}"
            found.append(Problem(f"{place}:{type.line}", text))
            continue
        known = names.weapons[str(type.value)]
        for weapon in Fields(row, place, found).rows("weapons"):
            if weapon.value not in known:
                text = f"{names.names[str(type.value)]} has no {weapon.value!r}; {nearest(str(weapon.value), known)}"
                found.append(Problem(f"{place}:{weapon.line}", text))
    for each in top.rows("equipment"):
        if _is_strange(str(each.value), team):
            text = nearest(str(each.value), [*_own_equipment(team), *sorted(EQUIPMENT)])
            found.append(Problem(f"{place}:{each.line}", f"{each.value!r} is not equipment of this team; {text}"))
    found = found or [Problem(place, text) for text in roster_problems(roster, team)]
    if found:
        raise UserError(found)


def written_roster(roster: Roster) -> dict[str, Any]:
    named = {"name": roster.name} if roster.name else {}
    found = {"ktsim": VERSION, "team": roster.team, **named, "operatives": list(map(_written, roster.operatives))}
    return found | {"equipment": list(roster.equipment)}


def _written(each: RosterOperative) -> dict[str, Any]:
    found: dict[str, Any] = {"type": each.type, "name": each.name}
    found |= {"weapons": list(each.weapons), "options": list(each.options)}
    figure = {"model": each.model, "height": each.height}
    return found | {key: value for key, value in figure.items() if value}


def read_roster(node: Node, place: str, problems: list[Problem]) -> Roster:
    """The roster in a YAML tree; each problem with its line."""
    top = Fields(node, place, problems)
    top.word("ktsim", (VERSION,))
    team = top.value("team")
    if not isinstance(team, str) or not 0 < len(team) <= 300:
        top.complain("team", "is the name of a team or of its file")
        team = "?"
    operatives = []
    for row in top.rows("operatives", required=True)[: MOST_OPERATIVES + 1]:
        each = Fields(row, place, problems)
        type, name = each.text("type"), each.text("name", " ").strip()
        model = each.word("model", ("", *models()), "")
        height = each.inches("height", *HEIGHT_LIMITS, 0.0)
        found = RosterOperative(type, name, each.words("weapons"), each.words("options"), model, height)
        operatives.append(found)
        each.done()
    if len(operatives) > MOST_OPERATIVES:
        top.complain("operatives", f"has more than {MOST_OPERATIVES} operatives")
    roster = Roster(team, tuple(operatives), top.words("equipment"), top.text("name", " ").strip())
    top.done()
    return roster


def with_roster(team: Team, roster: Roster) -> Team:
    """The team as the roster has it: a datacard for each loadout and figure, with the weapons of that loadout only."""
    cards: dict[RosterOperative, Datacard] = {}
    ids: list[str] = []
    names: dict[str, list[str]] = {}
    for each in roster.operatives:
        key = replace(each, name="", weapons=tuple(sorted(each.weapons)))
        if key not in cards:
            card = team.card(each.type)
            taken = tuple(
                profile for profile in card.weapons if not each.weapons or weapon_name(profile) in each.weapons
            )
            same = sum(known.type == each.type for known in cards)
            name = card.name if not same else f"{card.name[: NAME_LIMIT - 3]} {same + 1}"
            own: dict[str, Any] = {"id": id_of(name), "name": name, "kind": card.type, "options": each.options}
            if card.body is None:  # a mesh has its own shape and size
                own |= {"model": each.model or card.model, "height": each.height or card.height}
            cards[key] = replace(card, weapons=taken, **own)
        id = cards[key].id
        ids.append(id)
        names.setdefault(id, []).append(each.name)
    taken_cards = tuple(
        replace(card, limit=ids.count(card.id), names=tuple(names[card.id]) if all(names[card.id]) else ())
        for card in cards.values()
    )
    return replace(
        team,
        cards=taken_cards,
        roster=tuple(ids),
        size=len(ids),
        equipment=roster.equipment,
        roster_name=roster.name,
        left_out=team.keywords,
    )


def rostered(team: Team) -> Team:
    """The team as it takes the field: a team that has lists to select from, and no roster yet, with its usual one,
    whose equipment is still to be chosen."""
    has_lists = team.composition is not None and team.composition.slots
    has_roster = any(card.kind for card in team.cards)
    if not has_lists or has_roster:
        return team
    return with_roster(team, replace(default_roster(team, team.name), equipment=()))
