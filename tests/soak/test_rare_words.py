"""Battles of two invented teams whose texts use the words of the language of team rules that few or no others use: each
comes about, and what must hold in battles does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest
from language_help import texts

from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.game.players import Player, Sampler
from ktsim.game.setup import Setup, assemble
from ktsim.rules.editions import EDITIONS
from ktsim.rules.engine.cards import Team
from ktsim.rules.engine.state import SIDES
from ktsim.rules.teams.roster.roster_file import rostered
from ktsim.rules.teams.team_file import find_team
from soak.counted_words import count_words
from soak.drawn_to_texts import DrawnToTexts, Rareness
from soak.invariants import Watch

BOARD = "training-ground"
MOST = 12
CLERKS = (
    "id: w1, name: Laden, kind: faction, on: always, who: friend, if: [carrying], do: [{stat: move, by: -1}]",
    "id: w2, name: Grudge, kind: faction, on: [shooting, fighting, retaliating], who: friend, "
    "if: [{foe: {is: enemy, that: [wounded]}}], do: [{grant: [Balanced]}]",
    "id: w3, name: Grit, kind: faction, on: always, who: friend, if: [injured], do: [{grant: [Ceaseless]}]",
    "id: w4, name: Alert, kind: faction, on: always, who: friend, if: [{is: {is: friend, that: [ready]}}], "
    "do: [{cap-damage: 5/6, weapons: [melee]}]",
    "id: w5, name: Beacon, kind: faction, on: always, who: friend, if: [{marker-placed: Beacon}], "
    "do: [{remove-rule: [Hot, Range]}]",
    "id: w6, name: Light, kind: faction, on: gambit, who: friend, do: [{marker: Beacon}]",
    "id: w7, name: Veiled, kind: faction, on: shot-at, who: friend, foe: anyone, if: [obscured], "
    "do: [{reroll: defence, dice: 1}]",
    "id: w8, name: Cornered, kind: faction, on: always, who: friend, if: [was-engaged], do: [{grant: [Rending]}]",
    "id: w9, name: Plated, kind: faction, on: shot-at, who: friend, foe: anyone, do: [{critical-on: 5, of: defence}]",
)
WEAVERS = (
    "id: v1, name: Stay, ploy: firefight, cost: 0, on: {doing: [Reposition, Charge, Dash]}, who: enemy, "
    "do: [{cancel: true, refund: true}]",
    "id: v2, name: Sturdy, ploy: firefight, cost: 0, on: shot-at, who: friend, foe: anyone, do: [downgrade-all]",
    "id: v3, name: Dread, kind: faction, on: [shooting, fighting, retaliating], who: enemy, "
    "do: [{no-critical-below: 6}]",
    "id: v4, name: Clear View, ploy: firefight, cost: 0, on: choosing-target, who: friend, do: [shoot-past-friends]",
    "id: v5, name: Step In, ploy: firefight, cost: 0, on: [targeted, fought], who: friend, "
    "do: [{pick: {is: friend, other: true}}, {redirect: true, who: picked}]",
    "id: v6, name: Reach, kind: faction, on: always, who: friend, do: [{distance: 3, actions: [psychic]}]",
    "id: v7, of: %s, name: Hex, action: 1AP, text: PSYCHIC, do: [{pick: {is: enemy, that: [{within: 6, of: self}]}}, "
    "{damage: 1, who: picked}]",
)
WANTED = {
    *(f"condition {word}" for word in ("carrying", "foe", "injured", "is", "marker-placed", "obscured", "was-engaged")),
    *(f"effect {word}" for word in ("cap-damage", "remove-rule", "critical-on", "cancel", "downgrade-all")),
    *(f"effect {word}" for word in ("no-critical-below", "shoot-past-friends", "redirect", "distance")),
}


def _with(name: str, *written: str) -> Team:
    team = find_team(name, EDITIONS["kt24"].weapon_rules)
    own = (each.replace("%s", team.cards[0].id) for each in written)
    return rostered(replace(team, texts=tuple(texts(*own))))


def test_every_rare_word_comes_about(monkeypatch: pytest.MonkeyPatch) -> None:
    exercised: Counter[str] = count_words(monkeypatch)
    teams = {"red": _with("lantern-wardens", *CLERKS), "blue": _with("gravel-jackals", *WEAVERS)}
    rare = Rareness(list(teams.values()))
    for number in range(MOST):
        setup = Setup(table="plain", mission="approved-ops-2025", board=BOARD)
        game = Game(*assemble(setup, find_board(BOARD), teams))  # type: ignore[arg-type]
        players: dict[str, Player] = {"chance": Sampler(f"{number} dice")}
        players |= {side: DrawnToTexts(f"{number} {side}", rare) for side in SIDES}
        watch = Watch(game, every=20)
        while game.pending is not None:
            game.submit(players[game.pending.seat].answer(game.pending, game))
            watch.check()
        if set(exercised) >= WANTED:
            return
    pytest.fail(f"never came about: {', '.join(sorted(WANTED - set(exercised)))}")
