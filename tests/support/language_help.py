"""Invented texts in the language of team rules on a bare field."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engine_help import Answers, Field

from ktsim.content.yaml_tree import parse
from ktsim.errors import Problem
from ktsim.game.game import Game
from ktsim.rules.engine.activation import activation
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Profile, Team
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Side
from ktsim.rules.teams.language.read import LanguageReader
from ktsim.rules.teams.language.values import TeamText
from ktsim.rules.teams.playing.ignoring import IgnoredChanges
from ktsim.rules.teams.playing.playable import playable, why_not
from ktsim.rules.teams.playing.team_language import TeamLanguage


def texts(*written: str) -> list[TeamText]:
    """Texts as a team file writes them; every one must be readable."""
    problems: list[Problem] = []
    reader = LanguageReader("here", problems)
    tree = parse("\n".join(f"- {{{each}}}" for each in written).encode() or b"[]", "here")
    found = [reader.text(row) for row in tree.value]
    assert not problems, [problem.text for problem in problems]
    return found


def lacks(written: str) -> list[str]:
    """Why play cannot carry out a text."""
    (text,) = texts(written)
    return [reason for rule in text.rules for reason in why_not(text, rule)]


def said(*written: str, side: Side = "red", weapons: tuple[Profile, ...] = ()) -> list[Rule]:
    """The rules of a team with these texts; every one must be playable."""
    found = texts(*written)
    for text in found:
        for rule in text.rules:
            assert why_not(text, rule) == [], f"{text.name}: {why_not(text, rule)}"
    team = Team("team", "Team", (), 0, (), (), texts=tuple(found), equipment_weapons=weapons)
    language = TeamLanguage(side, team, playable(found))
    return [language, IgnoredChanges(side, language.clauses)]


def ground(*written: str, cp: int = 0, side: Side = "red", weapons: tuple[Profile, ...] = ()) -> Field:
    """An open field where *side* has these texts."""
    made = Field(*said(*written, side=side, weapons=weapons))
    made.state.cp = {"red": cp, "blue": cp}
    return made


def keyword(made: Field, id: str, *words: str) -> Field:
    made.cards[id] = replace(made.cards[id], keywords=words)
    return made


def activating(id: str) -> Callable[[Battle], Steps[None]]:
    """The whole activation of an operative."""

    def procedure(battle: Battle) -> Steps[None]:
        yield from activation(battle, battle.state.operatives[id])

    return procedure


def gambit(made: Field, key: str, **choose: Any) -> Game:
    """Red uses a strategic gambit."""

    def procedure(battle: Battle) -> Steps[None]:
        found = {each.key: each for rule in battle.having("gambits") for each in rule.gambits(battle, "red")}
        assert found[key].refusal is None, found[key].refusal
        yield from found[key].perform()

    answers, dice = choose.pop("answers", None), choose.pop("dice", ())
    return made.play(procedure, answers or Answers(dice, choose))


def refused_gambit(made: Field, key: str) -> str | None:
    battle = made.battle()
    found = {each.key: each for rule in battle.having("gambits") for each in rule.gambits(battle, "red")}
    return found[key].refusal
