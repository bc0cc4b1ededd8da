"""Set-up by the mission packs, step by step, and who has the initiative."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from unittest.mock import patch

import pytest
from engine_help import Answers
from team_help import open_list

from ktsim.errors import UserError
from ktsim.game.boards import find_board
from ktsim.game.game import Game
from ktsim.game.players import Sampler, play
from ktsim.game.setup import Setup, assemble, new_game
from ktsim.game.story import tell
from ktsim.rules.engine.board import is_wholly_inside
from ktsim.rules.engine.decisions import Pick, PickSome, Steps, Walk
from ktsim.rules.engine.events import Noted, Settled, Told
from ktsim.rules.engine.operative_events import Moved
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.setting_up import copies, usual
from ktsim.rules.engine.state import Point, Side, State
from ktsim.rules.kt24.equipment.option import Equipment
from ktsim.rules.kt24.equipment.register import EQUIPMENT, key_for
from ktsim.rules.kt24.ops.register import TAC_OPS
from ktsim.rules.kt24.packs.approved_ops import (
    arranged,
    card_key,
    cards_of,
    initiative_by_cards,
    initiative_by_scouting,
)
from ktsim.rules.kt24.packs.scouting import OPTIONS, scouting_key

PACK_24 = Setup(board="open", table="plain", mission="approved-ops-2024", crit_op="secure")
PACK_25 = Setup(board="open", table="plain", mission="approved-ops-2025", crit_op="secure")


def until(game: Game, topic: str, answers: dict[str, Any] | None = None, seed: int = 1) -> Game:
    """Play on until *topic* is asked: prepared answers by topic (a list is used up), then random ones."""
    sampler = Sampler(seed)
    given = answers or {}
    while game.pending is not None and game.pending.topic != topic:
        wanted = given.get(game.pending.topic)
        if isinstance(wanted, list):
            wanted = wanted.pop(0) if wanted else None
        game.submit(sampler.answer(game.pending, game) if wanted is None else wanted)
    return game


def pending(game: Game) -> Any:
    assert game.pending is not None
    return game.pending


RED_FIRST = {"roll-off": [(6,), (1,)], "initiative": "red", "drop zone": "as drawn"}


def red_first(setup: Setup = PACK_24) -> Game:
    return until(new_game(setup), "operatives", dict(RED_FIRST.items()))


# -- before selecting --------------------------------------------------------------------------------


@pytest.mark.rule("KT24-SETUP")
def test_the_crit_op_is_the_agreed_one_or_drawn_by_chance() -> None:
    game = new_game(PACK_24)
    assert game.state.choices["crit op"] == "secure"
    game = new_game(Setup(board="open", table="plain"))
    assert isinstance(game.pending, Pick)
    assert (game.pending.seat, game.pending.topic, len(game.pending.options)) == ("chance", "crit op", 9)
    game.submit("orb")
    assert game.state.choices["crit op"] == "orb"
    assert game.state.markers["objective-1"].tokens == {"orb": 1}


@pytest.mark.rule("KT24-SETUP")
def test_the_winner_gives_out_initiative_and_that_player_picks_a_drop_zone() -> None:
    game = until(new_game(PACK_24), "initiative", {"roll-off": [(2,), (5,)]})
    assert pending(game).seat == "blue"
    game.submit("red")
    assert (pending(game).seat, pending(game).topic) == ("red", "drop zone")
    assert [option.text for option in pending(game).options] == [
        "The drop zone on the left",
        "The drop zone on the right",
    ]
    game.submit("swapped")
    battle = game.battle
    assert battle.drop_zone("red") == battle.board.drop_zones["blue"]
    assert battle.territory("blue") == battle.board.territories["red"]
    assert battle.name("objective-3") == "red's objective"
    assert battle.name("objective-1") == "the centre objective"


@pytest.mark.rule("KT24-SETUP")
@pytest.mark.rule("KZ-BHETA-EQUIP")
@pytest.mark.parametrize("name", ["volkus-1", "gallowdark-2", "bheta-decima-1", "bheta-decima-3", "training-ground"])
def test_objectives_lie_on_the_floor_unless_the_killzone_allows_vantage(name: str) -> None:
    board = find_board(name)
    mission = new_game(PACK_24).battle.mission
    assert mission.refuses_board(board) is None
    levels = [marker.level for marker in mission.markers(board)]
    assert len(levels) == 3
    assert any(levels) == ("KZ-BHETA-EQUIP" in board.terrain.rules)


def test_boards_that_do_not_fit_are_refused() -> None:
    from ktsim.rules.engine.board import open_board

    teams = new_game(PACK_24).battle.teams
    board = open_board()
    for objectives, says in [
        (board.objectives[:2], "has 2 objective markers; this mission needs 3"),
        (((15, 11, 0), (3, 3, 0), (5, 5, 0)), "needs one objective marker in each territory"),
    ]:
        with pytest.raises(UserError, match=says):
            assemble(PACK_24, replace(board, objectives=objectives), dict(teams))  # type: ignore[arg-type]
    shuffled = replace(board, objectives=board.objectives[::-1])
    assert arranged(shuffled) == arranged(board), "the centre one is known by its place"


@pytest.mark.parametrize(
    ("setup", "says"),
    [
        (Setup(board="open", mission="no such"), "no such mission"),
        (Setup(board="open", crit_op="no such"), "no such crit op"),
        (Setup(board="open", mission="skirmish", crit_op="secure"), "has no crit op"),
    ],
)
def test_wrong_names_get_a_sentence(setup: Setup, says: str) -> None:
    with pytest.raises(UserError, match=says):
        new_game(setup)


def test_the_usual_mission_is_the_pack() -> None:
    assert Setup().mission_name == "approved-ops-2024"


# -- selecting ---------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-SELECT")
def test_operatives_within_size_and_limits_the_roster_by_default() -> None:
    game = red_first()
    decision = pending(game)
    assert isinstance(decision, PickSome)
    assert decision.secret
    assert (decision.seat, decision.least, decision.most) == ("red", 6, 6)
    assert decision.check(decision.default) is None
    keys = [option.key for option in decision.options]
    assert "warden-captain-2" not in keys, "limit 1"
    assert "lamp-gunner-6" in keys
    assert "lamp-gunner-7" not in keys, "never more than the team's size"
    assert decision.check(decision.default[:5]) == "Choose 6; 5 were chosen."
    assert decision.check(decision.default[:1]) == "Choose 6; 1 was chosen."


@pytest.mark.rule("KT24-SELECT")
def test_nothing_is_known_before_both_have_selected() -> None:
    game = red_first()
    before = game.digest()
    assert game.submit(tuple(f"lamp-gunner-{number}" for number in range(1, 7))) == []
    assert game.digest() == before
    other = red_first()
    other.submit(pending(other).default)
    assert pending(game) == pending(other), "blue is asked the same whatever red selected"
    told = game.submit(pending(game).default)
    words = [event.words(game.battle.name) for event in told]
    assert any("selects Lamp Gunner 1, Lamp Gunner 2" in line for line in words)
    assert [who.name for who in game.state.operatives.values() if who.side == "red"][-1] == "Lamp Gunner 6"
    assert game.state.cp == {"red": 2, "blue": 2}


@pytest.mark.rule("KT24-SELECT")
def test_a_team_with_nothing_to_choose_is_not_asked() -> None:
    battle = new_game(PACK_24).battle
    team = battle.teams["red"]
    tight = replace(team, cards=tuple(replace(card, limit=team.roster.count(card.id)) for card in team.cards))
    state_of = assemble(PACK_24, battle.board, {"red": tight, "blue": battle.teams["blue"]})
    game = until(Game(*state_of), "operatives", dict(RED_FIRST))
    assert pending(game).seat == "blue"
    game.submit(pending(game).default)
    names = [who.name for who in game.state.operatives.values() if who.side == "red"]
    assert names == ["Warden Captain", "Lamp Gunner 1", "Lamp Gunner 2", "Flare Bearer", "Long Eye", "Shield Hand"]


@pytest.mark.rule("KT24-SELECT")
def test_copies_are_numbered() -> None:
    team = new_game(PACK_24).battle.teams["red"]
    assert usual(team)[:3] == ("warden-captain-1", "lamp-gunner-1", "lamp-gunner-2")
    texts = [option.text for option in copies(team)]
    assert texts[0].startswith("Warden Captain (APL 3")
    assert texts[1].startswith("Lamp Gunner 1 (APL 2")


@pytest.mark.rule("KT24-SELECT")
def test_the_tac_op_is_of_the_teams_archetypes_and_stays_secret() -> None:
    game = until(red_first(), "tac op")
    decision = pending(game)
    assert decision.secret
    assert {TAC_OPS[key].archetype for key in decision.open_keys} == {"security", "recon"}
    assert len(decision.open_keys) == 6
    assert not any(event.words(game.battle.name) for event in game.submit("envoy"))
    assert (pending(game).seat, pending(game).topic) == ("blue", "tac op")
    assert {TAC_OPS[key].archetype for key in pending(game).open_keys} == {"seek-and-destroy", "recon"}


# -- equipment ---------------------------------------------------------------------------------------


class Flag(Equipment):
    """An equipment option for these tests: *items* of it are set up by saying so."""

    key, name, id, text, items = "flag", "Flag", "KT24-E-MINES", "A flag.", 2

    def rule(self, side: Side) -> Rule:
        return Rule()

    def set_up(self, battle: Any, side: Side, number: int) -> Steps[None]:
        yield Told(f"{side} sets up {self.key} {number}")


class Horn(Flag):
    key, name, items = "horn", "Horn", 1


class Drum(Flag):
    key, name, items = "drum", "Drum", 0


@pytest.fixture(autouse=True)
def _no_rosters(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players select their operatives as the game begins."""
    monkeypatch.setattr("ktsim.game.setup.rostered", open_list)


@pytest.fixture(autouse=True)
def _no_equipment() -> Iterator[None]:
    """None of the real equipment; it has tests of its own."""
    with patch.dict(EQUIPMENT, clear=True):
        yield


@pytest.fixture
def _equipment(_no_equipment: None) -> None:
    """A small register of equipment."""
    EQUIPMENT.update({each.key: each() for each in (Flag, Horn, Drum)})


@pytest.mark.rule("KT24-SELECT")
@pytest.mark.usefixtures("_equipment")
def test_up_to_four_different_equipment_options_in_secret() -> None:
    game = red_first()
    game.submit(pending(game).default)
    decision = pending(game)
    assert (decision.topic, decision.seat, decision.secret) == ("equipment", "red", True)
    assert decision.check(("flag", "flag")) == "Each option can be chosen once."
    assert decision.check(()) is None
    assert game.submit(("flag",)) == []
    assert pending(game).seat == "blue"
    game.submit(pending(game).default)
    told = [event.words(game.battle.name) for event in game.submit(("horn", "drum"))]
    assert "Lantern Wardens (red) has equipment: Flag." in told
    assert game.state.choices[key_for("blue")] == "horn,drum"


@pytest.mark.rule("KT24-SELECT")
def test_no_equipment_to_choose_no_question() -> None:
    game = until(red_first(), "tac op")
    assert key_for("red") not in game.state.choices


@pytest.mark.rule("KT24-DEPLOY")
@pytest.mark.usefixtures("_equipment")
def test_equipment_goes_item_by_item_initiative_first() -> None:
    game = red_first()
    game = until(game, "set up next", {"equipment": [("flag", "horn"), ("horn",)], "item": ["horn", "flag"]})
    told = [event.text for event in game.events if isinstance(event, Told) and "sets up" in event.text]
    assert told == ["red sets up horn 1", "blue sets up horn 1", "red sets up flag 1", "red sets up flag 2"]


@pytest.mark.rule("KT24-SCOUT")
@pytest.mark.usefixtures("_equipment")
def test_equip_adds_one_more_different_option() -> None:
    scripted: dict[str, Any] = {"equipment": [("flag",), ("flag", "horn", "drum")], "set up next": None}
    game = until(red_first(), "scouting", scripted)
    assert pending(game).check("equip") is None
    game.submit("equip")
    assert pending(game).check("equip") == "Equip: there is no other equipment."
    game.submit("ploy")
    assert pending(game).topic == "equip"
    assert pending(game).open_keys == ["horn", "drum"]
    told = [event.words(game.battle.name) for event in game.submit("horn")]
    assert "Lantern Wardens (red) adds Horn." in told
    assert "red sets up horn 1" in told
    assert game.state.choices[key_for("red")] == "flag,horn"


# -- deployment --------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-DEPLOY")
def test_operatives_are_set_up_by_thirds_on_conceal_wholly_in_the_drop_zone() -> None:
    setup = replace(PACK_24, blue="keelwrights")
    game = until(red_first(setup), "scouting")
    order = [event.operative.split("-")[0] for event in game.events if type(event).__name__ == "SetUp"]
    assert order == ["red"] * 2 + ["blue"] * 2 + ["red"] * 2 + ["blue"] * 2 + ["red"] * 2 + ["blue"]
    for who in game.state.operatives.values():
        assert who.order == "conceal"
        zone = game.battle.drop_zone(who.side)
        assert is_wholly_inside(zone, who.x / 1000, who.y / 1000, game.battle.table.radius(who))


@pytest.mark.rule("KT24-DEPLOY")
def test_the_player_chooses_who_is_next_and_where() -> None:
    game = until(red_first(), "set up next")
    chosen = pending(game).open_keys[-1]
    game.submit(chosen)
    assert pending(game).check((15000, 11000, 0)) is not None
    game.submit((2000, 2000, 0))
    assert game.state.operatives[chosen].point == (2000, 2000, 0)
    assert pending(game).seat == "red"
    assert chosen not in pending(game).open_keys


# -- scouting ----------------------------------------------------------------------------------------


def scouted(red: str, blue: str, seed: int = 1) -> Game:
    game = until(red_first(), "scouting", seed=seed)
    assert game.submit(red) == []
    game.submit(blue)
    return game


@pytest.mark.rule("KT24-SCOUT")
def test_scouting_is_secret_and_revealed_together() -> None:
    game = until(red_first(), "scouting")
    assert pending(game).secret
    assert set(OPTIONS) == {option.key for option in pending(game).options}
    before = game.digest()
    game.submit("ploy")
    assert game.digest() == before
    assert (pending(game).seat, pending(game).topic) == ("blue", "scouting")
    game.submit("ploy")
    assert game.state.choices[scouting_key("red")] == "ploy"


@pytest.mark.rule("KT24-SCOUT")
def test_a_free_reposition_that_ends_near_the_drop_zone() -> None:
    game = scouted("reposition", "reposition")
    assert (pending(game).seat, pending(game).topic) == ("red", "scout"), "initiative resolves first"
    who = next(o for o in game.state.side("red") if game.battle.move(o).value == 6)
    who.x = 5000
    free = game.battle.table.mover.refuses_to_stand(game.battle.table, game.state, who.id, (9000, who.y, 0))
    assert free is None
    radius = game.battle.table.radius(who)
    game.submit(who.id)
    assert isinstance(game.pending, Walk)
    edge = 6.0 + 3.0 + radius
    assert game.pending.check(((round(1000 * edge) + 5, who.y, 0),)) == 'The move must end within 3" of the drop zone.'
    end: Point = (round(1000 * edge) - 1, who.y, 0)
    assert game.pending.check((end,)) is None
    told = game.submit((end,))
    assert any(isinstance(event, Moved) for event in told)
    assert game.state.operatives[who.id].point == end
    assert pending(game).seat == "blue"


@pytest.mark.rule("KT24-SCOUT")
def test_a_reposition_may_be_given_up() -> None:
    game = scouted("reposition", "ploy")
    game.submit(pending(game).open_keys[1])
    game.submit(())
    assert not any(isinstance(event, Moved) for event in game.events)
    assert game.state.turning_point == 1


@pytest.mark.rule("KT24-SCOUT")
def test_only_operatives_wholly_in_the_drop_zone_scout() -> None:
    game = until(red_first(), "scouting")
    who = game.state.side("red")[0]
    who.x = 6000
    game.submit("reposition")
    game.submit("ploy")
    assert who.id not in pending(game).open_keys
    assert len(pending(game).open_keys) == len(game.state.side("red"))


@pytest.mark.rule("KT24-SCOUT")
def test_one_strategy_ploy_is_free_in_the_first_turning_point() -> None:
    game = scouted("ploy", "reposition")
    game = until(game, "gambit", {"scout": "none", "initiative": "red"})
    assert pending(game).seat == "red"
    cp = dict(game.state.cp)
    key = next(option.key for option in pending(game).options if "(0CP)" in option.text)
    game.submit(key)
    assert game.state.cp == cp
    while pending(game).seat != "red" or pending(game).topic != "gambit":
        game.submit("pass" if pending(game).check("pass") is None else Sampler(2).answer(pending(game), game))
    assert not any("(0CP)" in option.text for option in pending(game).options), "one"


@pytest.mark.rule("KT24-SCOUT")
@pytest.mark.parametrize(
    ("red", "blue", "winner"),
    [
        ("equip", "ploy", "red"),
        ("ploy", "equip", "blue"),
        ("ploy", "reposition", "red"),
        ("reposition", "ploy", "blue"),
        ("reposition", "equip", "red"),
        ("equip", "reposition", "blue"),
    ],
)
def test_first_initiative_by_scouting(red: str, blue: str, winner: str) -> None:
    game = until(red_first(), "scouting")
    state = game.state.copy()
    state.choices = {**state.choices, scouting_key("red"): red, scouting_key("blue"): blue}
    assert initiative_of(game, state, initiative_by_scouting).state.initiative == winner


@pytest.mark.rule("KT24-SCOUT")
@pytest.mark.parametrize("option", OPTIONS)
def test_equal_scouting_lets_the_player_without_initiative_decide(option: str) -> None:
    game = until(red_first(), "scouting")
    state = game.state.copy()
    state.choices = {**state.choices, scouting_key("red"): option, scouting_key("blue"): option}
    answers = Answers(choose={"initiative": "red"})
    assert initiative_of(game, state, initiative_by_scouting, answers).state.initiative == "red"
    assert answers.asked[0].seat == "blue"


@pytest.mark.rule("KT24-INIT")
def test_later_initiative_is_rolled_for() -> None:
    game = until(red_first(), "scouting")
    state = game.state.copy()
    state.turning_point = 2
    answers = Answers([(3,), (3,)], {"initiative": "blue"})
    assert initiative_of(game, state, initiative_by_scouting, answers).state.initiative == "blue"
    assert answers.asked[-1].seat == "blue", "a tie is won by whoever did not have it"


def initiative_of(game: Game, state: State, phase: Any, answers: Answers | None = None) -> Game:
    """Play the initiative phase from *state*."""
    state.phase, state.turning_point = "initiative", state.turning_point or 1
    answers = answers or Answers()
    played = Game(game.battle, state, phase)
    while played.pending is not None:
        played.submit(answers(played.pending))
    answers.done()
    return played


# -- initiative cards --------------------------------------------------------------------------------


def cards(turn: int, dice: list[tuple[int, ...]], held: tuple[str, ...] = (), **choose: Any) -> tuple[Game, Answers]:
    """The initiative phase of the second pack; red had the initiative. *held*: ``red:1``, ``blue:re-roll`` ..."""
    game = until(red_first(PACK_25), "set up next")
    state = game.state.copy()
    state.turning_point = turn
    for word in held:
        side, _, card = word.partition(":")
        Noted(card_key(side, card), 1).apply(state)  # type: ignore[arg-type]
    answers = Answers(dice, {"initiative": "red", **choose})
    return initiative_of(game, state, initiative_by_cards, answers), answers


@pytest.mark.rule("KT24-INIT")
def test_no_scouting_in_the_second_pack() -> None:
    game = until(new_game(PACK_25), "gambit")
    assert not any(scouting_key(side) in game.state.choices for side in ("red", "blue"))


@pytest.mark.rule("KT24-INIT")
def test_the_player_who_did_not_pick_drop_zones_has_the_re_roll_card() -> None:
    game, answers = cards(1, [(4,), (2,)], card="pass")
    assert answers.asked[2].seat == "blue", "blue has a card, red none"
    assert cards_of(game.battle, "blue") == ["re-roll", "1"], "and gains the card of the turning point as the loser"
    assert cards_of(game.battle, "red") == []


@pytest.mark.rule("KT24-INIT")
def test_a_tie_is_not_rolled_again() -> None:
    game, answers = cards(2, [(4,), (4,)])
    assert answers.asked[-1].seat == "blue", "blue did not have the initiative"
    assert cards_of(game.battle, "red") == ["2"]


@pytest.mark.rule("KT24-INIT")
def test_the_re_roll_card_re_rolls_your_die_once() -> None:
    game, answers = cards(2, [(4,), (2,), (5,)], ("blue:re-roll",), card="re-roll")
    assert answers.topics == ["roll-off", "roll-off", "card", "initiative re-roll", "initiative"]
    assert answers.asked[-1].seat == "blue"
    assert cards_of(game.battle, "blue") == []
    assert cards_of(game.battle, "red") == ["2"], "red lost after the cards"


@pytest.mark.rule("KT24-INIT")
def test_cards_alternate_loser_first_until_both_pass_in_a_row() -> None:
    game, answers = cards(3, [(4,), (2,)], ("blue:2", "red:1"), card=["+2", "+1"])
    seats = [decision.seat for decision in answers.asked if decision.topic == "card"]
    assert seats == ["blue", "red"], "then nobody has a card left"
    assert answers.asked[-1].seat == "red", "5 against 4"
    assert cards_of(game.battle, "blue") == ["3"]
    _, answers = cards(3, [(4,), (2,)], ("blue:1", "red:1"), card=["pass", "+1", "pass"])
    seats = [decision.seat for decision in answers.asked if decision.topic == "card"]
    assert seats == ["blue", "red", "blue"], "a card between two passes goes on"


@pytest.mark.rule("KT24-INIT")
def test_cards_add_or_subtract_their_number() -> None:
    game = until(red_first(PACK_25), "set up next")
    state = game.state.copy()
    state.turning_point, state.phase = 2, "initiative"
    Noted(card_key("blue", "1"), 1).apply(state)
    played = Game(game.battle, state, initiative_by_cards)
    played.submit((6,))
    played.submit((5,))
    assert [option.key for option in pending(played).options] == ["pass", "+1", "-1"]
    played.submit("+1")
    assert pending(played).seat == "blue", "6 against 6: blue did not have the initiative"


@pytest.mark.rule("KT24-INIT")
def test_no_card_is_gained_in_the_last_turning_point() -> None:
    game, _ = cards(4, [(4,), (2,)])
    assert cards_of(game.battle, "blue") == []


# -- resuming ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("setup", [PACK_24, PACK_25])
@pytest.mark.usefixtures("_equipment")
def test_set_up_goes_on_from_every_settled_state(setup: Setup) -> None:
    game = until(new_game(setup), "gambit", seed=5)
    count = sum(isinstance(event, Settled) for event in game.events)
    assert count > 15
    answers, digest = list(game.answers), game.digest()
    for number in range(len(answers)):
        game.rewind(number)
        point = game.last_checkpoint()
        again = Game(new_game(setup).battle, point.state.copy())
        for answer in answers[point.answers :]:
            again.submit(answer)
        assert again.digest() == digest
        for answer in answers[number:]:
            game.submit(answer)
        assert game.digest() == digest


def test_a_whole_battle_is_told_to_the_end() -> None:
    game = new_game(PACK_24)
    sampler = Sampler(4)
    play(game, {"red": sampler, "blue": sampler, "chance": sampler})
    told = list(tell(game, game.events))
    assert any("reveals its primary op" in line for line in told)
    assert told[-1].strip().endswith(("wins.", "draw."))
