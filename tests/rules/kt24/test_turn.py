"""Turning points, phases, activations and counteracting."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import CLUB, PLAIN, RIFLE, Answers, Field, at, ranged, story

from ktsim.game.game import Game, IllegalAnswer
from ktsim.game.players import Sampler, play
from ktsim.game.setup import new_game
from ktsim.rules.engine.activation import activate, perform
from ktsim.rules.engine.cards import Ploy, PloyEffect
from ktsim.rules.engine.decisions import Pick, Place, Walk
from ktsim.rules.engine.events import CpChanged, InitiativeGiven, VpScored
from ktsim.rules.engine.operative_events import ActivationBegan, Removed, Wounded
from ktsim.rules.engine.shoot.targets import why_none
from ktsim.rules.engine.turn import course, gambit, roll_off, turn_end
from ktsim.rules.kt24.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.kt24.set_up import set_up
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import counteract, counteractors, firefight, initiative, ready


def pair() -> Field:
    return Field().add("a", "red", (3, 3)).add("b", "blue", (20, 3))


def options(game: Game) -> dict[str, str | None]:
    assert isinstance(game.pending, Pick)
    return {option.key: option.refusal for option in game.pending.options}


# -- set-up and strategy phase -----------------------------------------------------------------------


@pytest.mark.rule("KT24-DICE")
def test_roll_off_ties_roll_again() -> None:
    game = pair().play(roll_off, Answers([(3,), (3,), (2,), (5,)]))
    assert game.outcome == "blue"


@pytest.mark.rule("KT24-INIT")
def test_initiative_is_rolled_from_the_second_turning_point() -> None:
    field = pair()
    field.state.turning_point = 1
    game = field.play(initiative)
    assert not any(isinstance(event, InitiativeGiven) for event in game.events)
    field.state.turning_point = 2
    game = field.play(initiative, Answers([(6,), (2,)], {"initiative": "blue"}))
    assert game.state.initiative == "blue", "the winner decides who has it"


@pytest.mark.rule("KT24-INIT")
def test_a_tie_is_won_by_whoever_did_not_have_the_initiative() -> None:
    field = pair()
    field.state.turning_point = 3
    answers = Answers([(4,), (4,)], {"initiative": "red"})
    field.play(initiative, answers)
    assert answers.asked[-1].seat == "blue"


@pytest.mark.rule("KT24-READY")
@pytest.mark.parametrize(("turning_point", "wanted"), [(1, {"red": 1, "blue": 1}), (2, {"red": 1, "blue": 2})])
def test_ready_step(turning_point: int, wanted: dict[str, int]) -> None:
    field = pair().add("c", "blue", (20, 9), is_ready=False)
    field.state.turning_point = turning_point
    game = field.play(ready)
    assert game.state.cp == wanted
    assert all(who.is_ready for who in game.state.operatives.values())


PLOY = Ploy("sharp", "Sharp", "strategy", 1, "All weapons are Balanced.", (PloyEffect("Balanced", "ranged"),))


@pytest.mark.rule("KT24-GAMBIT")
def test_gambits_alternate_until_both_pass() -> None:
    field = pair()
    field.ploys = {"red": (PLOY,), "blue": (PLOY,)}
    field.state.phase, field.state.cp = "gambit", {"red": 2, "blue": 1}

    def procedure(battle: Any) -> Any:
        while battle.state.phase == "gambit":
            yield from gambit(battle)

    answers = Answers(choose={"gambit": ["pass", "sharp", "sharp", "pass", "pass"]})
    game = field.game(procedure)
    seats = []
    while game.pending is not None:
        seats.append(game.pending.seat)
        game.submit(answers(game.pending))
    assert seats == ["red", "blue", "red"], "afterwards nothing is left to choose, so both pass"
    assert game.state.cp == {"red": 1, "blue": 0}
    rules = game.battle.weapon_rules(game.state.operatives["a"], RIFLE)
    assert [rule.text for rule in rules] == ["Balanced"]
    assert not game.battle.weapon_rules(game.state.operatives["a"], CLUB), "ranged weapons only"


@pytest.mark.rule("KT24-GAMBIT")
def test_each_ploy_once_per_turning_point_and_only_with_cp() -> None:
    field = pair()
    field.ploys = {"red": (PLOY, Ploy("dear", "Dear", "strategy", 2, "-")), "blue": ()}
    field.state.phase, field.state.cp = "gambit", {"red": 1, "blue": 0}
    field.ploys["red"] += (Ploy("free", "Free", "strategy", 0, "-"),)
    field.state.ploys_used = ["red:sharp"]
    game = field.game(gambit)
    assert options(game) == {
        "pass": None,
        "sharp": "Sharp: already used in this turning point.",
        "dear": "Dear: costs 2CP, 1CP left.",
        "free": None,
    }


@pytest.mark.rule("KT24-GAMBIT")
def test_strategy_ploys_end_with_the_turning_point() -> None:
    field = pair()
    field.ploys = {"red": (PLOY,), "blue": ()}
    field.state.phase, field.state.cp = "gambit", {"red": 1, "blue": 0}
    game = field.play(gambit, Answers(choose={"gambit": "sharp"}))
    field.state = game.state
    assert field.play(turn_end).state.effects == []


def test_deployment_by_thirds_wholly_within_the_drop_zone_on_conceal() -> None:
    game = new_game(PLAIN)
    sampler = Sampler(1)
    while game.state.initiative is None:
        assert game.pending is not None
        game.submit(sampler.answer(game.pending, game) if game.pending.seat == "chance" else "blue")
    seats = []
    while isinstance(game.pending, Place):
        seats.append(game.pending.seat)
        assert game.pending.check((15_000, 11_000, 0)) is not None, "not in the drop zone"
        assert game.pending.check((10, 11_000, 0)) is not None, "not wholly in it"
        game.submit(sampler.answer(game.pending, game))
    lots = [*["blue"] * 3, *["red"] * 2, *["blue", "blue", "red", "red"] * 2]
    assert seats == lots, "seven and six operatives"
    assert {who.order for who in game.state.operatives.values()} == {"conceal"}
    assert game.state.cp == {"red": 3, "blue": 3}


def test_the_winner_of_the_roll_off_gives_out_the_initiative() -> None:
    field = pair()
    field.state.phase, field.state.initiative = "set-up", None
    answers = Answers([(2,), (5,)], {"initiative": "red"})
    game = field.play(set_up, answers)
    assert answers.asked[-1].seat == "blue"
    assert game.state.initiative == "red"
    assert [event.amount for event in game.events if isinstance(event, CpChanged)] == [2, 2]


# -- activations -------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-ACTIVATE")
def test_players_alternate_activating_ready_operatives() -> None:
    field = pair().add("c", "red", (3, 9)).add("d", "red", (3, 15))

    def procedure(battle: Any) -> Any:
        while battle.state.phase == "firefight":
            yield from firefight(battle)

    answers = Answers(choose={"activate": ["c", "a"], "order": ["conceal"] * 4, "action": ["pass"] * 4})
    game = field.play(procedure, answers)
    began = [event.operative for event in game.events if isinstance(event, ActivationBegan)]
    assert began == ["c", "b", "a", "d"], "the last of a side needs no choice; blue on Conceal cannot counteract"
    assert not any(who.is_ready for who in game.state.operatives.values())
    assert {who.order for who in game.state.operatives.values()} == {"conceal"}


@pytest.mark.rule("KT24-ACTIVATE")
def test_ap_up_to_apl_and_each_action_once() -> None:
    game = pair().add("z", "red", (3, 18)).game(lambda battle: activate(battle, "red"))
    game.submit("a")
    game.submit("engage")
    game.submit("Dash")
    game.submit((at(5, 3),))
    assert options(game)["Dash"] == "Dash: already performed in this activation."
    assert options(game)["Fall Back"] == "Fall Back: costs 2AP, 1AP left."
    with pytest.raises(IllegalAnswer, match="already performed"):
        game.submit("Dash")
    game.submit("Reposition")
    game.submit((at(8, 3),))
    assert game.pending is None, "no AP left: only passing is left, so nothing is asked"


@pytest.mark.rule("KT24-PASS")
def test_passing_ends_the_activation_with_ap_unspent() -> None:
    game = pair().play(lambda battle: activate(battle, "red"), Answers(choose={"action": "pass"}))
    assert game.state.activation is None
    assert not game.state.operatives["a"].is_ready


@pytest.mark.rule("KT24-CANCEL")
def test_an_action_that_cannot_be_completed_is_cancelled() -> None:
    game = pair().game(lambda battle: activate(battle, "red"))
    game.submit("engage")
    before = game.digest()
    game.submit("Charge")
    assert isinstance(game.pending, Walk)
    assert game.digest() != before
    game.submit(())
    assert game.digest() == before, "state before it is restored, no AP is spent"
    assert game.pending is not None
    assert game.pending.topic == "action"
    assert "KT24-CANCEL" in story(game)[-1]


@pytest.mark.rule("KT24-CANCEL")
def test_a_shot_without_a_valid_target_is_cancelled() -> None:
    field = pair()
    field.table.rulings[("a", "b")] = {"is_visible": False}
    game = field.act("a", Shoot())
    assert "no valid target for Rifle: B: not visible." in story(game)[-1]
    assert game.state.activation is not None
    assert game.state.activation.ap_spent == 0


@pytest.mark.rule("SIGHT-9")
def test_a_look_that_is_not_decided_is_refused_as_that_and_not_as_hidden() -> None:
    field = pair()
    field.table.rulings[("a", "b")] = {"is_visible": False, "is_undecided": True}
    told = story(field.act("a", Shoot()))[-1]
    assert "B: not decided whether it is visible." in told
    assert "not visible" not in told


def test_why_nobody_is_a_valid_target_is_said_in_a_line() -> None:
    """Everybody's refusal by itself would fill the log; of several only the commonest reasons are named, counted."""
    refusals = {f"Raider {n}": f"Raider {n}: not visible." for n in range(1, 5)}
    refusals |= {f"Brute {n}": f"Brute {n}: No target: in cover from ruin/w{n} on Conceal." for n in (1, 2)}
    refusals["Scout"] = 'Scout: Range 6": the target is 9.20" away.'
    assert why_none(refusals) == 'of 7 enemies 4 not visible, 2 in cover on Conceal, 1 out of range 6".'
    refusals |= {"Chief": "Chief: Kess is within its control range."}
    assert why_none(refusals).endswith(", 1 for other reasons.")
    hidden = {name: text for name, text in refusals.items() if "not visible" in text}
    assert why_none(hidden) == "none of 4 enemies is visible."
    engaged = {name: f"{name}: Kess is within its control range." for name in hidden}
    assert why_none(engaged) == "all 4 enemies are within a friend's control range."
    assert why_none({"B": "B: not visible."}) == "B: not visible."
    assert why_none({}) == "there is no enemy."


@pytest.mark.rule("KT24-ORDER")
def test_conceal_forbids_shoot_and_charge() -> None:
    game = pair().add("z", "red", (3, 18)).game(lambda battle: activate(battle, "red"))
    game.submit("a")
    game.submit("conceal")
    assert options(game)["Shoot"] == "Shoot: not on a Conceal order."
    assert options(game)["Charge"] == "Charge: not on a Conceal order."


@pytest.mark.rule("KT24-ORDER")
@pytest.mark.rule("KT24-DAMAGE")
@pytest.mark.parametrize(("wounds", "is_ready"), [(0, False), (1, True)])
def test_nobody_without_wounds_is_activated(wounds: int, is_ready: bool) -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (20, 3))
    field.state.operatives["a"].wounds = wounds
    assert bool(field.state.ready("red")) is is_ready


@pytest.mark.rule("KT24-COUNTERACT")
def test_who_may_counteract() -> None:
    field = Field().add("a", "red", (3, 3), is_ready=False)
    field.add("c", "red", (3, 6), is_ready=False, order="conceal").add("d", "red", (3, 9))
    field.add("e", "red", (3, 12), is_ready=False, has_counteracted=True).add("b", "blue", (20, 3))
    battle = field.battle()
    assert [who.id for who in counteractors(battle, "red")] == ["a"]


@pytest.mark.rule("KT24-COUNTERACT")
def test_counteracting() -> None:
    field = Field().add("a", "red", (3, 3), is_ready=False).add("b", "blue", (20, 3)).add("c", "blue", (20, 9))
    game = field.game(firefight)
    assert options(game) == {"a": None, "none": None}
    game.submit("a")
    assert "Fall Back" not in options(game), "one 1AP action"
    game.submit("Reposition")
    assert isinstance(game.pending, Walk)
    assert game.pending.allowance == 2
    assert game.pending.check((at(5.5, 3),)) == 'Reposition: 3" is more than the 2" allowed.'
    game.submit((at(5, 3),))
    assert game.state.operatives["a"].has_counteracted
    assert game.state.turn == "blue"
    assert counteractors(game.battle, "red") == []


@pytest.mark.rule("KT24-CANCEL")
@pytest.mark.rule("KT24-COUNTERACT")
@pytest.mark.parametrize(("is_visible", "actions"), [(False, ["Shoot", "Dash"]), (True, ["Shoot"])])
def test_an_action_that_is_cancelled_is_not_the_counteraction(is_visible: bool, actions: list[str]) -> None:
    """B cannot be shot: A dashes instead. B can be: that was the one action."""
    field = Field().add("a", "red", (5, 5), is_ready=False).add("b", "blue", (20, 5))
    field.table.rulings[("a", "b")] = {"is_visible": is_visible}
    dice = [(1, 1, 1, 1), (1, 1, 1)] if is_visible else []
    choose: dict[str, Any] = {"counteract": "a", "action": actions}
    if not is_visible:
        choose["move"] = (at(6, 5),)
    answers = Answers(dice, choose)
    game = field.play(lambda battle: counteract(battle, "red"), answers)
    assert answers.topics.count("action") == len(actions)
    assert game.state.operatives["a"].x == (5000 if is_visible else 6000)
    assert game.state.operatives["a"].has_counteracted


@pytest.mark.rule("KT24-COUNTERACT")
def test_counteracting_is_optional_and_only_while_the_opponent_has_ready_operatives() -> None:
    field = Field().add("a", "red", (3, 3), is_ready=False).add("b", "blue", (20, 3))
    game = field.play(firefight, Answers(choose={"counteract": "none"}))
    assert not game.state.operatives["a"].has_counteracted
    field.state.operatives["b"].is_ready = False
    assert field.play(firefight).state.phase == "turn-end"


@pytest.mark.rule("KT24-COUNTERACT")
def test_restrictions_of_the_activation_do_not_bind_a_counteraction() -> None:
    field = Field().add("a", "red", (3, 3), is_ready=False).add("b", "blue", (20, 3))
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"counteract": "a", "action": "Shoot"})
    game = field.play(lambda battle: counteract(battle, "red"), answers)
    assert "A: Shoot (free)." in story(game)


@pytest.mark.rule("KT24-DAMAGE")
def test_injured_below_half() -> None:
    field = pair()
    battle, who = field.battle(), field.state.operatives["a"]
    for wounds, move, hit in ((10, 6, 3), (5, 6, 3), (4, 4, 4)):
        who.wounds = wounds
        assert (battle.move(who).value, battle.hit(who, RIFLE).value) == (move, hit)
    assert battle.is_wounded(who)
    assert battle.hit(who, RIFLE).words("+") == "4+ instead of 3+ (injured)"


@pytest.mark.rule("KT24-DAMAGE")
def test_the_incapacitated_leave_after_the_whole_action() -> None:
    field = Field().add("a", "red", (3, 3), ranged('Blast 2"')).add("b", "blue", (12, 3), wounds=1)
    field.add("c", "blue", (14, 3), wounds=1)
    game = field.act("a", Shoot(), dice=[(3, 1, 1, 1), (1, 1, 1)] * 2, choose={"target": "b"})
    kinds = [type(event) for event in game.events if isinstance(event, (Wounded, Removed))]
    assert kinds == [Wounded, Wounded, Removed, Removed]


@pytest.mark.rule("KT24-STATS")
def test_stat_limits() -> None:
    from ktsim.rules.engine.state import Effect

    field = pair().add("slow", "red", (3, 9), move=4)
    state = field.state
    for _ in range(2):
        state.effects.append(Effect("Daze", "X", "battle", "a", stat="apl", amount=-1))
        state.effects.append(Effect("Mud", "X", "battle", "a", stat="move", amount=-3))
    battle = field.battle()
    assert battle.apl(state.operatives["a"]).value == 1, "at most 1 from the printed APL"
    assert battle.move(state.operatives["a"]).value == 4, 'never changed below 4"'
    state.operatives["slow"].wounds = 1
    assert battle.move(state.operatives["slow"]).value == 4
    state.effects = [Effect("Haste", "X", "battle", "a", stat="apl", amount=1)] * 3
    assert battle.apl(state.operatives["a"]).value == 3
    state.effects = [Effect("Haste", "X", "battle", "a", stat="apl", amount=1, is_pending=True)]
    assert battle.apl(state.operatives["a"]).value == 2, "changes during an action apply once it is over"


@pytest.mark.rule("KT24-STATS")
def test_ap_costs_never_go_below_zero() -> None:
    from ktsim.rules.engine.rule import Rule
    from ktsim.rules.engine.values import Reasoned

    class Cheap(Rule):
        def stat(self, battle: Any, who: Any, stat: str, number: Reasoned) -> Reasoned:
            return number.plus(-5, "X", "cheap") if stat == "ap:Dash" else number

    battle = Field(Cheap()).add("a", "red", (3, 3)).battle()
    assert battle.ap_cost(battle.state.operatives["a"], Dash()) == 0
    assert battle.ap_cost(battle.state.operatives["a"], Reposition()) == 1


# -- the whole game ----------------------------------------------------------------------------------


@pytest.mark.rule("KT24-TP")
def test_four_turning_points_are_played_out_also_against_nobody() -> None:
    field = pair()
    field.state.operatives["b"].is_removed = True
    field.state.operatives["b"].wounds = 0
    game = field.game(course)
    sampler = Sampler(3)
    play(game, {"red": sampler, "blue": sampler, "chance": sampler})
    assert game.state.turning_point == 4
    assert game.state.phase == "over"


def test_most_vp_wins_and_equal_is_a_draw() -> None:
    for red, blue, wanted in ((2, 1, "red"), (1, 2, "blue"), (1, 1, "draw")):
        field = pair()
        field.state.turning_point, field.state.vp = 4, {"red": red, "blue": blue}
        assert field.play(turn_end).state.winner == wanted


def test_skirmish_scores_objectives_and_the_beacon_from_the_second_turning_point() -> None:
    from ktsim.rules.kt24.missions import Skirmish

    for turning_point, wanted in ((1, []), (2, ["red", "blue"])):
        field = Field(mission=Skirmish()).add("a", "red", (3, 3)).add("b", "blue", (20, 3))
        field.marker("objective-1", (3, 4)).marker("beacon", (0, 0), can_be_picked_up=True, carrier="b")
        field.state.markers["objective-1"].kind = "objective"
        field.state.markers["objective-1"].controller = "red"
        field.state.turning_point = turning_point
        game = field.play(turn_end)
        assert [event.side for event in game.events if isinstance(event, VpScored)] == wanted


# -- moving actions ----------------------------------------------------------------------------------


def refusals(field: Field, *done: str) -> dict[str, str | None]:
    def procedure(battle: Any) -> Any:
        yield ActivationBegan("a", "activation", "engage", 3)
        battle.state.activation.actions.extend(done)

    game = field.play(procedure)
    who = game.state.operatives["a"]
    return {action.name: action.refusal(game.battle, who) for action in (Reposition(), Dash(), FallBack(), Charge())}


@pytest.mark.rule("KT24-REPOSITION")
@pytest.mark.rule("KT24-DASH")
@pytest.mark.rule("KT24-FALLBACK")
@pytest.mark.rule("KT24-CHARGE")
def test_which_moves_are_barred_by_which() -> None:
    barred = {
        "Reposition": {"Fall Back", "Charge"},
        "Dash": {"Charge"},
        "Charge": {"Reposition", "Dash", "Fall Back"},
    }
    for done in ("Reposition", "Dash", "Fall Back", "Charge"):
        found = refusals(pair(), done)
        for name, others in barred.items():
            wanted = f"{name}: not after {done}." if done in others else None
            assert found[name] == wanted
    engaged = Field().add("a", "red", (3, 3)).add("b", "blue", (5, 3))
    assert refusals(engaged, "Reposition")["Fall Back"] == "Fall Back: not after Reposition."
    assert refusals(engaged, "Charge")["Fall Back"] == "Fall Back: not after Charge."
    assert refusals(engaged, "Dash")["Fall Back"] is None


@pytest.mark.rule("KT24-REPOSITION")
@pytest.mark.rule("KT24-DASH")
@pytest.mark.rule("KT24-FALLBACK")
@pytest.mark.rule("KT24-CHARGE")
def test_control_range_conditions() -> None:
    near = refusals(Field().add("a", "red", (3, 3)).add("b", "blue", (5, 3)))
    assert near["Fall Back"] is None
    for name in ("Reposition", "Dash", "Charge"):
        assert near[name] == f"{name}: not while within B's control range: Fight or Fall Back."
    far = refusals(Field().add("a", "red", (3, 3)).add("b", "blue", (5.01, 3)))
    assert far == {
        "Reposition": None,
        "Dash": None,
        "Fall Back": "Fall Back: no enemy in control range.",
        "Charge": None,
    }


def walk(field: Field, action: Any, *path: tuple[float, float]) -> str | None:
    battle = field.battle()
    request = action.request(battle, battle.state.operatives["a"])
    return battle.table.mover.judge(battle.table, battle.state, request, tuple(at(*p) for p in path)).refusal


@pytest.mark.rule("KT24-MOVE-1")
def test_increments_are_rounded_up_each() -> None:
    field = pair()
    assert walk(field, Reposition(), (9, 3)) is None
    assert walk(field, Reposition(), (9.01, 3)) is not None
    assert walk(field, Reposition(), (5.75, 3), (5.75, 6)) is None, '2.75" costs 3"'
    assert walk(field, Reposition(), (5.75, 3), (5.75, 6.1)) == 'Reposition: 7" is more than the 6" allowed.'
    assert walk(field, Dash(), (6, 3)) is None
    assert walk(field, Dash(), (6.01, 3)) is not None


def test_bases_edges_friends_and_enemies() -> None:
    field = Field().add("a", "red", (3, 3)).add("f", "red", (5, 3)).add("b", "blue", (20, 3))
    assert walk(field, Reposition(), (7, 3)) is None, "friends are passed"
    assert walk(field, Reposition(), (5.9, 3)) == "The base would overlap F's."
    assert walk(field, Reposition(), (6, 3)) is None, "touching is not overlapping"
    assert walk(field, Reposition(), (0.49, 3)) == "The base would not be on the board."
    assert walk(field, Reposition(), (0.5, 3)) is None
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (6, 3)).add("f", "red", (6, 5))
    assert walk(field, Charge(), (9, 3)) == "Leg 1: B's base is in the way."


@pytest.mark.rule("KT24-REPOSITION")
def test_enemy_control_range_is_entered_only_where_a_friend_is_and_never_ended_in() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (6, 4.9))
    assert walk(field, Reposition(), (9, 3)) == "Leg 1: it would come into B's control range."
    assert walk(field, Reposition(), (9, 2.8), (9, 2)) is not None
    field.add("f", "red", (6, 6.5))
    assert walk(field, Reposition(), (9, 3)) is None
    assert walk(field, Reposition(), (6, 3)) == "Reposition cannot end in B's control range."


@pytest.mark.rule("KT24-FALLBACK")
def test_fall_back_passes_control_range_but_does_not_end_in_it() -> None:
    field = Field().add("a", "red", (3, 3)).add("b", "blue", (4.5, 3)).add("c", "blue", (3, 8))
    assert walk(field, FallBack(), (3, 5.99)) is None
    assert walk(field, FallBack(), (3, 6.01)) == "Fall Back cannot end in C's control range."


@pytest.mark.rule("KT24-CHARGE")
def test_charge_ends_in_control_range_and_stays_with_the_first_enemy() -> None:
    field = Field().add("a", "red", (4, 3)).add("b", "blue", (9, 3)).add("c", "blue", (9, 8))
    assert walk(field, Charge(), (7, 3)) is None
    assert walk(field, Charge(), (6.99, 3)) == "Charge must end in an enemy's control range."
    assert walk(field, Charge(), (11, 3)) is not None, "8 inches, but B is in the way"
    assert walk(field, Charge(), (7.2, 3), (7.2, 6.5)) == "Leg 2: it may not leave B's control range again."
    field.add("f", "red", (10.5, 3))
    assert walk(field, Charge(), (7.2, 3), (8, 6.3)) is None, "a friend engages B already"


@pytest.mark.rule("KT24-SHOOT")
def test_shoot_conditions() -> None:
    field = (
        Field().add("a", "red", (3, 3)).add("b", "blue", (5, 3)).add("c", "blue", (15, 3)).add("f", "red", (16.5, 3))
    )
    battle = field.battle()
    assert (
        Shoot().refusal(battle, battle.state.operatives["a"])
        == "Shoot: not while within B's control range: Fight or Fall Back."
    )
    field.state.operatives["b"].x = 9000
    battle = field.battle()
    assert Shoot().refusal(battle, battle.state.operatives["a"]) is None
    game = field.act("a", Shoot(), dice=[(1, 1, 1, 1), (1, 1, 1)])
    assert any("shoots B" in line for line in story(game)), "C has a friend within its control range"
    unarmed = Field().add("a", "red", (3, 3), CLUB).add("b", "blue", (20, 3)).battle()
    assert Shoot().refusal(unarmed, unarmed.state.operatives["a"]) == "Shoot: no ranged weapon."


def test_perform_is_free_for_others_than_the_active_operative() -> None:
    """An action outside the own activation does not touch the activation's books."""
    field = pair()

    def procedure(battle: Any) -> Any:
        yield ActivationBegan("a", "activation", "engage", 2)
        yield from perform(battle, battle.state.operatives["b"], Dash(), 0)

    game = field.play(procedure, Answers(choose={"move": (at(21, 3),)}))
    assert game.state.activation is not None
    assert game.state.activation.actions == []
