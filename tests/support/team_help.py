"""Texts of shipped teams on a bare field, by their ids."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

from engine_help import Answers, Field

from ktsim.game.game import Game
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.cards import Team, own_key
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import MarkerState, OperativeState, Side, milli
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.teams.language.values import TeamText
from ktsim.rules.teams.team_file import find_team, team_files
from ktsim.rules.teams.team_rules import team_rules


@cache
def shipped() -> dict[str, tuple[Team, TeamText]]:
    """Every text of the teams that come with the program, by its id; no two have the same."""
    teams = [find_team(name, KT24.weapon_rules) for name in team_files()]
    found = [(text.id, (team, text)) for team in teams for text in team.texts]
    assert len(dict(found)) == len(found), "two texts have the same id"
    return dict(found)


def rule(id: str, side: Side = "red", *cards: str) -> Sequence[Rule]:
    """The rules of the text *id* as *side* has it; an operative's text is on these datacards, on A's unless said."""
    team, text = shipped()[id]
    texts = tuple(replace(text, of=card) for card in cards or ("a",)) if text.of else (text,)
    return team_rules({side: replace(team, texts=texts)})


def field(*rules: Sequence[Rule], cp: int = 3) -> Field:
    made = Field(*(each for side in rules for each in side))
    made.state.cp = {"red": cp, "blue": cp}
    return made


def open_list(team: Team) -> Team:
    """A team whose player selects from all of it as the game begins: no roster, no equipment of its own."""
    return replace(team, composition=None, texts=tuple(text for text in team.texts if text.kind != "equipment"))


def in_force(made: Field, id: str, side: Side = "red") -> Field:
    """A strategy ploy that was used in this turning point, or equipment that was chosen; everything else holds."""
    kind = shipped()[id][1].kind
    if kind == "strategy":
        made.state.ploys_used = [*made.state.ploys_used, f"{side}:{id}"]
    elif kind == "equipment":
        made.state.choices = {**made.state.choices, f"{side}:equipment": own_key(id)}
    return made


def action(battle: Battle, id: str, name: str) -> Action:
    """The unique action of that name, as the operative has it."""
    return next(each for each in battle.actions(battle.state.operatives[id]) if each.name == name)


def doing(id: str, *actions: Action | str) -> Callable[[Battle], Steps[None]]:
    """The operative is activated and performs the actions; those of texts are said by name."""

    def procedure(battle: Battle) -> Steps[None]:
        who = battle.state.operatives[id]
        yield ActivationBegan(id, "activation", who.order, battle.apl(who).value)
        for each in actions:
            known = action(battle, id, each) if isinstance(each, str) else each
            yield from perform(battle, who, known, known.ap)

    return procedure


def does(made: Field, id: str, *actions: Action | str, dice: Iterable[Sequence[int]] = (), **choose: Any) -> Game:
    """The same in a game of its own, with these answers by topic."""
    return made.play(doing(id, *actions), Answers(dice, choose.get("choose", choose)))


def objective(made: Field, at: tuple[float, float]) -> Field:
    made.state.markers["objective-1"] = MarkerState("objective-1", "objective", milli(at[0]), milli(at[1]), 0, 787)
    return made


def who(game: Game, id: str) -> OperativeState:
    return game.state.operatives[id]


def offered(made: Field, procedure: Callable[[Battle], Steps[Any]], answers: Answers) -> list[str]:
    """The texts that are offered on the way, by id."""
    made.play(procedure, answers)
    keys = [o.key for d in answers.asked if d.topic == "ploy" for o in d.options if o.key != "no"]  # type: ignore[attr-defined]
    return [key.partition("#")[0] for key in keys]
