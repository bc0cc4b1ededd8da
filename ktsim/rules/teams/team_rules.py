"""The rules teams bring into a game: abilities, ploys and actions that are more than a weapon rule granted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Reminder, Team
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.rules.kt24.equipment.grenades import UtilityRule
from ktsim.rules.teams.classes import TEAM_RULES
from ktsim.rules.teams.playing.ignoring import IgnoredChanges
from ktsim.rules.teams.playing.playable import playable
from ktsim.rules.teams.playing.team_language import TeamLanguage


def team_rules(teams: Mapping[Side, Team]) -> list[Rule]:
    """Every rule of the two teams that is enforced: by a class of its own, or by what its text says in the language."""
    return [rule for side, team in teams.items() for rule in (*_rules_of(side, team), *_said_by(side, team))]


def _said_by(side: Side, team: Team) -> Iterator[Rule]:
    if texts := playable(team.texts):
        said = TeamLanguage(side, team, texts)
        yield said
        yield IgnoredChanges(side, said.clauses)
        if said.brings_smoke:
            yield UtilityRule(side)  # somebody has to see to the smoke


def _rules_of(side: Side, team: Team) -> Iterator[Rule]:
    for ability in team.abilities:
        if ability.rule:
            yield TEAM_RULES[ability.rule](side, ability.name)
    shared: dict[str, list[str]] = {}
    names: dict[str, str] = {}
    for card in team.cards:
        for ability in card.abilities:
            if ability.rule:
                # Several datacards may have the same ability: it is one rule about all of them.
                shared.setdefault(ability.rule, []).append(f"{side}/{card.id}")
                names.setdefault(ability.rule, ability.name)
    for id, cards in shared.items():
        yield TEAM_RULES[id](side, names[id], cards)
    for ploy in team.ploys:
        if ploy.rule:
            yield TEAM_RULES[ploy.rule](side, ploy.name, ploy=ploy)


def due_reminders(battle: Battle, moment: str, operative: OperativeState | None = None) -> list[Reminder]:
    """The cards to show at *moment* (one of ``MOMENTS``): those of the operative and of its team, or of both teams.

    What is enforced has no card.
    """
    if operative is None:
        found = [card for team in battle.teams.values() for card in team.shown()]
    else:
        team = battle.teams[operative.side]
        found = [*team.shown(battle.card(operative)), *team.shown()]
    return list(dict.fromkeys(card for card in found if card.is_due(moment)))
