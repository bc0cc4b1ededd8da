"""Handicaps, and reminder cards shown when they matter."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from soak.invariants import Watch

from ktsim.content.yaml_tree import to_yaml
from ktsim.errors import UserError
from ktsim.game.players import Sampler
from ktsim.game.session import Session
from ktsim.game.setup import Handicap, Setup, handicap, new_game
from ktsim.game.text_play import TextPlay, cards_for
from ktsim.rules.engine.events import PhaseBegan, Told
from ktsim.rules.engine.operative_events import ActivationBegan, Incapacitated
from ktsim.rules.teams.team_rules import due_reminders

SKIRMISH: dict[str, Any] = {"board": "open", "table": "plain", "mission": "skirmish"}


@pytest.mark.parametrize(
    ("text", "found"), [("", Handicap()), ("+2CP", Handicap(cp=2)), ("+1cp", Handicap(cp=1)), ("-3", Handicap(fewer=3))]
)
def test_handicaps(text: str, found: Handicap) -> None:
    assert handicap(text) == found


@pytest.mark.parametrize("text", ["2CP", "+0CP", "-0", "+10CP", "-x", "\x1b"])
def test_what_is_no_handicap(text: str) -> None:
    with pytest.raises(UserError, match="no such handicap"):
        handicap(text)


def test_a_game_with_handicaps() -> None:
    usual = new_game(Setup(**SKIRMISH))
    game = new_game(Setup(**SKIRMISH, handicap_red="+2CP", handicap_blue="-2"))
    assert len(game.state.operatives) == len(usual.state.operatives) - 2
    watch, player = Watch(game), Sampler("handicap")
    while game.pending is not None and game.state.turning_point < 2:
        game.submit(player.answer(game.pending, game))
        watch.check()
        if game.state.phase == "initiative" and game.state.turning_point == 1:
            assert game.state.cp == {"red": 4, "blue": 2}


def test_a_handicap_counts_when_operatives_are_selected_in_set_up() -> None:
    game, player = new_game(Setup(board="open", table="plain", handicap_blue="-2")), Sampler("packs")
    while game.pending is not None and game.state.phase == "set-up":
        game.submit(player.answer(game.pending, game))
    sides = [who.side for who in game.state.operatives.values()]
    assert (sides.count("red"), sides.count("blue")) == (6, 5)


def test_a_team_never_goes_without_anybody() -> None:
    game = new_game(Setup(**SKIRMISH, handicap_blue="-9"))
    assert len([o for o in game.state.operatives.values() if o.side == "blue"]) == 1


# -- reminder cards ----------------------------------------------------------------------------------


def team(folder: Path) -> str:
    moments = ("set-up", "strategy", "firefight", "activation", "shooting", "fighting", "incapacitated")
    gun: dict[str, Any] = {"name": "Gun", "kind": "ranged", "atk": 4, "hit": 3, "damage": [3, 4]}
    own = [{"when": ["shooting"], "title": "Own shooting", "text": "By hand."}]
    stats = {"apl": 2, "move": 6, "save": 4, "wounds": 8}
    document = {
        "ktsim": "team/1",
        "name": "Carded",
        "size": 1,
        "roster": ["one"],
        "operatives": [
            {"name": "One", "stats": stats, "base": 28, "weapons": [gun], "reminders": own},
            {"name": "Two", "stats": stats, "base": 28, "weapons": [gun]},
        ],
        "reminders": [{"when": [moment], "title": f"At {moment}", "text": "By hand."} for moment in moments],
    }
    path = folder / "carded.yaml"
    path.write_text(to_yaml(document), encoding="utf-8")
    return str(path)


def test_cards_are_due_at_their_moment(tmp_path: Path) -> None:
    game = new_game(Setup(**SKIRMISH, red=team(tmp_path)))
    battle = game.battle
    one = game.state.operatives["red-one-1"]
    enemy = next(o for o in game.state.operatives.values() if o.side == "blue")
    assert [card.title for card in due_reminders(battle, "strategy")] == ["At strategy"]
    assert [card.title for card in due_reminders(battle, "shooting", one)] == ["Own shooting", "At shooting"]
    assert due_reminders(battle, "shooting", enemy) == []

    def titles(event: Any) -> list[str]:
        return [card.title for card in cards_for(battle, event)]

    assert titles(PhaseBegan("gambit", 1, "red")) == ["At strategy"]
    assert titles(PhaseBegan("ready", 1, None)) == []
    assert titles(ActivationBegan(one.id, "activation", "engage", 2)) == ["At activation", "At firefight"]
    assert titles(Incapacitated(one.id, "")) == ["At incapacitated"]
    assert titles(Told("shoots", "KT24-VALID", (enemy.id, one.id))) == ["Own shooting", "At shooting"]
    assert titles(Told("fights", "KT24-FIGHT", (one.id, enemy.id))) == ["At fighting"]
    assert titles(Told("else", "KT24-BLOCK", (one.id,))) == []


def test_text_play_shows_cards_and_hints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    session = Session.begin(Setup(**SKIRMISH, red=team(tmp_path)), tmp_path / "game.ktsim")
    lines = iter(["hint", *["r"] * 25, "hint", "quit"])
    out = io.StringIO()
    TextPlay(session, lambda: next(lines), out, dice=Sampler(1)).run()
    session.close()
    told = out.getvalue()
    assert "[card] At set-up: By hand." in told
    assert "[card] At strategy: By hand." in told
    assert "The usual answer." in told
