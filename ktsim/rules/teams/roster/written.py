"""Compositions in team files: written as plain values, read back with every value checked."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from ktsim.content.yaml_tree import Node
from ktsim.errors import Problem
from ktsim.rules.teams.fields import Fields
from ktsim.rules.teams.roster.composition import Composition, Limit, ListedChoice, Loadout, Slot, TeamOption

KINDS = ("operatives", "weapons", "weapon-rules", "entries", "loadouts")


def written_composition(composition: Composition) -> dict[str, Any]:
    """The composition as team files have it; empty lists are left out."""
    found: dict[str, Any] = {"slots": [_slot(each) for each in composition.slots]}
    found |= {"limits": [_limit(each) for each in composition.limits]} if composition.limits else {}
    found |= {"options": [_option(each) for each in composition.options]} if composition.options else {}
    return found | ({"unread": list(composition.unread)} if composition.unread else {})


def _slot(slot: Slot) -> dict[str, Any]:
    found: dict[str, Any] = {"count": slot.count}
    found |= {"least": slot.least} if slot.least >= 0 else {}
    return found | {"from": [_choice(each) for each in slot.choices]}


def _choice(choice: ListedChoice) -> dict[str, Any]:
    found: dict[str, Any] = {"type": choice.type}
    found |= {"counts": float(choice.counts)} if choice.counts != 1 else {}
    found |= {"marks": list(choice.marks)} if choice.marks else {}
    return found | ({"loadouts": [list(each.weapons) for each in choice.loadouts]} if choice.loadouts else {})


def _limit(limit: Limit) -> dict[str, Any]:
    found: dict[str, Any] = {"what": limit.what}
    found |= {"most": limit.most} if limit.most != 99 else {}
    found |= {"least": limit.least} if limit.least else {}
    found |= {"these": list(limit.these)} if limit.these else {}
    found |= {"but": list(limit.but)} if limit.but else {}
    return found | ({"text": limit.text} if limit.text else {})


def _option(option: TeamOption) -> dict[str, Any]:
    found: dict[str, Any] = {"name": option.name, "choices": list(option.choices)}
    found |= {"count": option.count} if option.count != 1 else {}
    found |= {"types": list(option.types)} if option.types else {}
    found |= {"shared": True} if option.is_shared else {}
    found |= {"different": True} if option.is_different else {}
    return found | ({"barred": [f"{type}: {choice}" for type, choice in option.barred]} if option.barred else {})


def read_composition(node: Node, place: str, problems: list[Problem]) -> Composition:
    top = Fields(node, place, problems)
    slots = tuple(_read_slot(Fields(row, place, problems), place, problems) for row in top.rows("slots", required=True))
    limits = tuple(_read_limit(Fields(row, place, problems)) for row in top.rows("limits"))
    options = tuple(_read_option(Fields(row, place, problems)) for row in top.rows("options"))
    unread = tuple(str(row.plain()) for row in top.rows("unread"))
    top.done()
    return Composition(slots, limits, options, unread)


def _read_slot(top: Fields, place: str, problems: list[Problem]) -> Slot:
    choices = tuple(_read_choice(Fields(row, place, problems)) for row in top.rows("from", required=True))
    slot = Slot(top.number("count", 1, 20), choices, top.number("least", 0, 20, -1))
    top.done()
    return slot


def _read_choice(top: Fields) -> ListedChoice:
    loadouts = []
    for row in top.rows("loadouts"):
        words = row.plain()
        if isinstance(words, list) and all(isinstance(word, str) for word in words):
            loadouts.append(Loadout(tuple(words)))
        else:
            top.complain("loadouts", "each is a list of weapons by name")
    counts = Fraction(top.inches("counts", 0.5, 5, 1.0)).limit_denominator(4)
    choice = ListedChoice(top.text("type"), tuple(loadouts), counts, top.words("marks"))
    top.done()
    return choice


def _read_limit(top: Fields) -> Limit:
    text = str(top.value("text") or "")
    what = top.word("what", KINDS)
    limit = Limit(
        what, top.number("most", 0, 99, 99), top.number("least", 0, 20, 0), top.words("these"), top.words("but"), text
    )
    top.done()
    return limit


def _read_option(top: Fields) -> TeamOption:
    pairs = (each.partition(": ") for each in top.words("barred"))
    option = TeamOption(
        top.text("name"),
        top.words("choices"),
        top.number("count", 1, 5, 1),
        top.words("types"),
        top.value("shared") is True,
        top.value("different") is True,
        tuple((type, choice) for type, _, choice in pairs),
    )
    top.done()
    return option
