"""Random play that reaches for the rules of imported teams: rosters, ploys, actions and equipment whose texts say
what few others say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from ktsim.game.game import Game
from ktsim.game.players import Purposeful, cancelled
from ktsim.rules.engine.cards import Team
from ktsim.rules.engine.decisions import Decision, Option, Pick, PickSome, Walk
from ktsim.rules.engine.state import Point, other
from ktsim.rules.teams.language.values import TeamText, terms_of
from ktsim.rules.teams.playing.team_language import TeamLanguage
from ktsim.rules.teams.roster.building import added, loadouts_of, options_of, size_of, with_option
from ktsim.rules.teams.roster.composition import RosterOperative
from ktsim.rules.teams.roster.roster_file import Roster, roster_problems, rostered, with_roster

ASKED = ("ploy", "team option", "convert", "ward", "early block", "last strike", "reroll")
"""Questions at which something of a text may be used, or not."""
TRIES = 20
ANYBODY = 0.25
NAME = 30


def words_of(text: TeamText) -> set[str]:
    """The words of the language that a text is said in."""
    return {term.word for rule in text.rules for term in terms_of(rule)}


class Rareness:
    """How seldom words are in the texts of some teams."""

    def __init__(self, teams: Sequence[Team]) -> None:
        self._uses = Counter(word for team in teams for text in team.texts for word in words_of(text))

    def of(self, texts: Iterable[TeamText]) -> float:
        """The more, the fewer texts say what these say."""
        return sum(1 / self._uses[word] for text in texts for word in words_of(text))


def random_team(team: Team, rng: Random, rare: Rareness) -> Team:
    """The team with some legal roster, whose operatives have rare texts more often than others. Now and then it is
    anybody, so that datacards play too that only another team or the battle itself brings in."""
    if team.composition is None or not team.composition.slots:
        return rostered(team)
    types = [card.id for card in team.cards]
    weights = [0.1 + rare.of(text for text in team.texts if text.of == type) for type in types]
    if rng.random() < ANYBODY:
        some = rng.choices(types, weights, k=size_of(team))
        names = [f"{team.card(type).name[:NAME]} {number}" for number, type in enumerate(some, 1)]
        free = [RosterOperative(type, name) for type, name in zip(some, names, strict=True)]
        return with_roster(team, Roster(team.name, tuple(_varied(team, each, rng) for each in free), ()))
    leaders = [card.id for card in team.cards if "leader" in {word.lower() for word in card.keywords}]
    for _ in range(TRIES):
        operatives: list[RosterOperative] = []
        wanted = rng.sample(leaders, min(1, len(leaders))) + rng.choices(types, weights, k=8 * size_of(team))
        for type in wanted:
            operatives, _ = added(team, operatives, type)
        chosen = Roster(team.name, tuple(_varied(team, each, rng) for each in operatives), ())
        for roster in (chosen, Roster(team.name, tuple(operatives), ())):
            if not roster_problems(roster, team):
                return with_roster(team, roster)
    return rostered(team)


def _varied(team: Team, each: RosterOperative, rng: Random) -> RosterOperative:
    """The operative with some loadout and some of what can be chosen for it."""
    each = replace(each, weapons=rng.choice(loadouts_of(team, each.type)))
    for option in options_of(team, each.type):
        choice = rng.choice(sorted(option.choices))
        each = each if choice in each.options else with_option(each, option, choice)
    return each


class DrawnToTexts(Purposeful):
    """It uses what its team's texts offer, rare ones first, and walks up to enemies as often as to objectives."""

    def __init__(self, seed: int | str, rare: Rareness) -> None:
        super().__init__(seed)
        self._rare = rare

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if self._rng.random() < self.EAGER:
            if isinstance(decision, PickSome) and decision.topic == "equipment options":
                own = [each.key for each in decision.options if each.refusal is None and self._text_of(each, game)]
                if len(own) >= decision.least:
                    return tuple(self._rng.sample(own, min(len(own), decision.most)))
            if isinstance(decision, Pick) and (found := self._wanted(decision, game)):
                return found
        return super().answer(decision, game)

    def _wanted(self, decision: Pick, game: Game) -> str | None:
        foiled = cancelled(game) if decision.topic == "action" else set()
        able = [each for each in decision.options if each.refusal is None and each.key not in foiled]
        texts = [(each.key, text) for each in able if (text := self._text_of(each, game)) is not None]
        if texts:
            return self._rng.choices([key for key, _ in texts], [0.05 + self._rare.of([text]) for _, text in texts])[0]
        if decision.topic in ASKED:
            return self._rng.choice([each.key for each in able if each.key != "no"] or ["no"])
        return None

    def _text_of(self, option: Option, game: Game) -> TeamText | None:
        """The text of a team an option comes from, by its key or its words."""
        for rule in game.battle.rules:
            for text in rule.texts.values() if isinstance(rule, TeamLanguage) else ():
                if option.key.startswith(text.id) or option.text.lower().startswith(text.name.lower()):
                    return text
        return None

    def _goals(self, game: Game, decision: Walk) -> list[Point]:
        who = game.state.operatives[decision.operative]
        enemies = [each.point for each in game.state.side(other(who.side)) if not each.is_incapacitated]
        return enemies if enemies and self._rng.random() < 0.5 else super()._goals(game, decision)
