"""Reading what a team file says about behaviour: effects of ploys, rules by id, behaviour lists."""

from __future__ import annotations

from difflib import get_close_matches

from ktsim.errors import UserError
from ktsim.rules.engine.cards import PloyEffect
from ktsim.rules.engine.conditions import CONDITIONS
from ktsim.rules.engine.weapon_rules import Registry
from ktsim.rules.teams.behaviours import BEHAVIOURS
from ktsim.rules.teams.classes import TEAM_RULES
from ktsim.rules.teams.fields import Fields

EFFECT_FIELDS = ("grants", "stat")
STATS = ("move", "save", "hit", "apl")
MOST_CHANGE = 3


def read_effect(top: Fields, registry: Registry, is_alone: bool = True) -> PloyEffect:
    """One effect, from a mapping of its own or (not *is_alone*) from the ploy's."""
    grants = top.text("grants", " ").strip()
    if grants:
        try:
            grants = registry.parse(grants).text
        except UserError as error:
            top.complain("grants", error.problems[0].text)
    stat = top.word("stat", ("", *STATS), "")
    if bool(grants) == bool(stat):
        top.complain("", "an effect has either grants (a weapon rule) or stat and amount")
    amount = top.number("amount", -MOST_CHANGE, MOST_CHANGE, 0)
    if stat and not amount:
        top.complain("amount" if "amount" in top.nodes else "", "a stat is changed by an amount other than 0")
    effect = PloyEffect(
        grants,
        top.word("weapons", ("", "ranged", "melee"), ""),
        stat,
        amount,
        top.word("only_if", ("", *CONDITIONS), ""),
    )
    if is_alone:
        top.done()
    return effect


def read_rule(top: Fields, kind: str) -> str:
    """The id of a rule class, which must be one for this *kind* (strategy, firefight, ability)."""
    id = top.text("rule", " ").strip()
    if not id:
        return ""
    if id not in TEAM_RULES:
        near = get_close_matches(id, sorted(TEAM_RULES), n=1, cutoff=0.0)
        top.complain("rule", f"there is no rule {id!r}; the nearest is {near[0]!r}")
        return ""
    if TEAM_RULES[id].kind != kind:
        told = {"ability": "abilities", "strategy": "strategy ploys", "firefight": "firefight ploys"}
        top.complain("rule", f"{id!r} is for {told[TEAM_RULES[id].kind]}, not for {told[kind]}")
        return ""
    return id


def read_behaviour(top: Fields) -> tuple[str, ...]:
    """A list of behaviours in the order they are tried."""
    words = top.words("behaviour")
    for word in words:
        if word not in BEHAVIOURS:
            top.complain("behaviour", f"{word!r} is not one of {', '.join(BEHAVIOURS)}")
    return words
