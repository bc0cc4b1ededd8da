"""Reading what a team file says about behaviour: effects of ploys, rules by id, behaviour lists, reminder cards."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches

from ktsim.content.yaml_tree import Node
from ktsim.errors import Problem, UserError
from ktsim.rules.engine.cards import PloyEffect, Reminder
from ktsim.rules.engine.conditions import CONDITIONS
from ktsim.rules.engine.weapon_rules import Registry
from ktsim.rules.teams.classes import TEAM_RULES
from ktsim.rules.teams.classes.register import brought_teams
from ktsim.rules.teams.fields import Fields

BEHAVIOURS = {
    "fight": "Fight the weakest enemy in control range.",
    "charge": "Charge the nearest enemy a Charge can reach.",
    "shoot": "Shoot the target that is likely to suffer most.",
    "point-blank": 'Shoot the same way, but only a target within 6".',
    "mission": "Pick up a marker or perform a mission action.",
    "fall-back": "Fall Back out of control range.",
    "take-cover": "Reposition to cover from which the nearest enemy can be seen, or near it.",
    "advance": "Reposition towards the nearest enemy.",
    "hold": "Reposition to the nearest objective marker, unless one is contested already.",
    "dash": "Dash the same way as the last move.",
    "open-way": "Operate a hatch beside it that bars the way to where it wants to be.",
    "repel": 'Charge, but only an enemy within 3" of an objective marker, or with a marker.',
    "hide": "Reposition out of the enemies' sight, as near to the nearest of them as it can.",
    "withdraw": "Reposition as far away from the enemies as it can, out of their sight if there is a choice.",
    "patrol": "Reposition to the nearest marker, or to the one after, as its die says.",
    "search": "Reposition to where the last noise came from.",
    "wait": "Stay where it is.",
}
"""What an operative that nobody plays may do, by the words its datacard lists: the first thing it can. The bot ``npo``
follows it."""
EFFECT_FIELDS = ("grants", "stat")
MOMENTS = ("set-up", "strategy", "firefight", "activation", "shooting", "fighting", "incapacitated")
"""When a card can be shown: before the battle, in the strategy phase, when a firefight ploy can be used, and while an
operative it belongs to is active, shoots or is shot, fights or is fought, is incapacitated."""
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
        brought_teams()  # bring their rules with them
    if id not in TEAM_RULES:
        near = get_close_matches(id, sorted(TEAM_RULES), n=1, cutoff=0.0)
        instead = f"the nearest is {near[0]!r}" if near else "what a rule does is said under 'texts'"
        top.complain("rule", f"there is no rule {id!r}; {instead}")
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


def read_reminders(rows: Sequence[Node], place: str, problems: list[Problem]) -> Iterator[Reminder]:
    """The reminders of a list in a team file."""
    for row in rows:
        top = Fields(row, place, problems)
        when = top.words("when")
        for word in when:
            if word not in MOMENTS:
                top.complain("when", f"{word!r} is not one of {', '.join(MOMENTS)}")
        if not when:
            top.complain("when", f"missing; expected a list of {', '.join(MOMENTS)}")
        yield Reminder(when, top.text("title"), top.lines("text"))
        top.done()
