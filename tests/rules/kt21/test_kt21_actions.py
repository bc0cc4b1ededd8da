"""What operatives do in a 2021 game: moving, shooting, fighting, being injured."""

from __future__ import annotations

from typing import Any

import pytest
from engine_help import CLUB, RIFLE, Answers, Field, acting, at, melee, ranged, story
from lite_table import LiteTable, slab

from ktsim.game.game import Game
from ktsim.rules.engine.action import Action, refuses
from ktsim.rules.engine.precedence import Claim, Precedence
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import Effect
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt21.fight import LiteFight
from ktsim.rules.kt21.moves import LiteCharge, LiteDash, LiteFallBack, NormalMove
from ktsim.rules.kt21.shoot import LiteShoot


def lite(*rules: Rule) -> Field:
    return Field(*rules, edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (15, 3))


def refused(field: Field, id: str, action: Action) -> str | None:
    battle = field.battle()
    return refuses(battle, battle.state.operatives[id], action)


def after(action: Action, path: Any, *others: Action, field: Field | None = None) -> list[str | None]:
    """Whether each of *others* is refused after a move of A."""
    game = (field or lite()).play(acting("a", action), Answers(choose={"move": (path,)}))
    return [refuses(game.battle, game.state.operatives["a"], other) for other in others]


# -- engagement range --------------------------------------------------------------------------------


@pytest.mark.rule("KT21-ENGAGE")
def test_engagement_range_is_an_inch() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (5, 3))
    assert [who.id for who in field.battle().engaged_with(field.state.operatives["a"])] == ["b"]
    field.state.operatives["b"].x = 5001
    assert field.battle().engaged_with(field.state.operatives["a"]) == []


@pytest.mark.rule("KT21-ENGAGE")
def test_engagement_range_needs_one_to_see_the_other() -> None:
    wall = slab("wall", (5.9, 0, 0), (6.1, 22, 4), "heavy")
    for parts, engaged in (((), True), ((wall,), False)):
        table = LiteTable(*parts).add("a", "red", (5.4, 8)).add("b", "blue", (6.6, 8))
        assert bool(table.battle().engaged_with(table.state.operatives["a"])) == engaged


@pytest.mark.rule("KT21-ENGAGE")
def test_what_is_barred_in_engagement_range() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (5, 3))
    for action in (NormalMove(), LiteDash(), LiteCharge(), LiteShoot()):
        assert (
            refused(field, "a", action) == f"{action.name}: not while within B's engagement range: Fight or Fall Back."
        )
    assert refused(field, "a", LiteFallBack()) is None
    assert refused(field, "a", LiteFight()) is None
    assert refused(lite(), "a", LiteFallBack()) == "Fall Back: no enemy in engagement range."
    assert refused(lite(), "a", LiteFight()) == "Fight: no enemy in engagement range."


# -- moving ------------------------------------------------------------------------------------------


@pytest.mark.rule("KT21-MOVE")
def test_how_far() -> None:
    for action, most, to in ((NormalMove(), 6, (3, 9)), (LiteDash(), 3, (3, 6))):
        game = lite().game(acting("a", action))
        assert game.pending is not None
        assert game.pending.check((at(*to),)) is None
        assert game.pending.check((at(to[0], to[1] + 0.1),)) is not None
        assert game.pending.prompt == f'A: {action.name} up to {most}".'
    game = lite().game(acting("a", LiteCharge()))
    assert game.pending is not None
    assert game.pending.prompt == 'A: Charge up to 8".'


@pytest.mark.rule("KT21-MOVE")
def test_a_charge_must_end_engaged_and_needs_an_engage_order() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (12, 3))
    game = field.game(acting("a", LiteCharge()))
    assert game.pending is not None
    assert game.pending.check((at(10, 3),)) is None
    assert game.pending.check((at(9.9, 3),)) == "Charge must end in an enemy's engagement range."
    field.state.operatives["a"].order = "conceal"
    assert refused(field, "a", LiteCharge()) == "Charge: not on a Conceal order."


@pytest.mark.rule("KT21-MOVE")
def test_bars_between_moves() -> None:
    names = (NormalMove(), LiteDash(), LiteCharge())
    assert [why is None for why in after(NormalMove(), at(4, 4), *names)] == [True, True, False]
    assert [why is None for why in after(LiteDash(), at(4, 4), *names)] == [True, True, False]
    engaged = Field(edition=KT21).add("a", "red", (3, 3), apl=4).add("b", "blue", (5, 3))
    left = after(LiteFallBack(), at(3, 6), NormalMove(), LiteCharge(), LiteDash(), field=engaged)
    assert left == ["Normal Move: not after Fall Back.", "Charge: not after Fall Back.", None]
    far = Field(edition=KT21).add("a", "red", (3, 3), apl=4).add("b", "blue", (9, 3))
    barred = after(LiteCharge(), at(7, 3), LiteDash(), LiteFallBack(), field=far)
    assert barred[1] == "Fall Back: not after Charge."
    assert LiteFallBack.ap == 2


@pytest.mark.rule("KT21-MOVE")
def test_fall_back_may_pass_engagement_range_but_not_end_there() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (5, 3)).add("c", "blue", (6, 5.6))
    game = field.game(acting("a", LiteFallBack()))
    assert game.pending is not None
    assert game.pending.check((at(4, 6), at(4, 8))) is None
    assert game.pending.check((at(4, 5.6),)) == "Fall Back cannot end in C's engagement range."


@pytest.mark.rule("KT21-MOVE")
def test_nobodys_base_is_passed_on_the_plain_table_either() -> None:
    field = lite().add("friend", "red", (5, 3))
    game = field.game(acting("a", NormalMove()))
    assert game.pending is not None
    assert game.pending.check((at(8, 3),)) == "Leg 1: FRIEND's base is in the way."
    assert game.pending.check((at(3, 4.1), at(7, 4.1))) is None


@pytest.mark.rule("KT21-MOVE")
def test_a_range_is_not_passed_because_a_friend_is_engaged() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (6, 5)).add("friend", "red", (6, 7))
    game = field.game(acting("a", NormalMove()))
    assert game.pending is not None
    assert game.pending.check((at(9, 3),)) == "Leg 1: it would come into B's engagement range."


@pytest.mark.rule("KT21-MOVE")
def test_modifiers_change_the_total_and_not_the_dash() -> None:
    field = lite()
    field.state.effects.append(Effect("Mud", "X", "battle", "a", stat="move", amount=-1))
    for action, most in ((NormalMove(), 5), (LiteDash(), 3)):
        game = field.game(acting("a", action))
        assert game.pending is not None
        assert game.pending.prompt == f'A: {action.name} up to {most}".'


# -- terrain, with the whole of moving -----------------------------------------------------------------


LEDGE = slab("block", (10, 5, 0), (16, 11, 3), "vantage", "heavy")
FAR_LEDGE = slab("other", (18.8, 5, 0), (24, 11, 3), "vantage", "heavy")


@pytest.mark.rule("KT21-TERRAIN")
@pytest.mark.parametrize(("face", "x"), [(2, 18.9), (1, 15.5)])
def test_a_jump_is_tested_with_a_die(face: int, x: float) -> None:
    """It fails on a 1: the move ends at the last place before the jump."""
    table = LiteTable(LEDGE, FAR_LEDGE).add("a", "red", (14.5, 8, 3)).add("b", "blue", (28, 20))
    path = (at3(15.5, 8, 3), at3(18.9, 8, 3))
    game = table.play(acting("a", NormalMove()), Answers([(face,)], {"move": path}))
    assert game.state.operatives["a"].point == at3(x, 8, 3)


def at3(x: float, y: float, z: float) -> tuple[int, int, int]:
    return (round(1000 * x), round(1000 * y), round(1000 * z))


@pytest.mark.rule("KT21-TERRAIN")
def test_a_dash_finishes_a_climb_begun_in_a_move() -> None:
    """4" along, 3" up for 4", 1" on: 9" with a Move of 6". The climb passes the 6", the Dash pays for the rest."""
    path = (at3(9.3, 8, 0), at3(9.3, 8, 3), at3(10.3, 8, 3))
    table = LiteTable(LEDGE).add("a", "red", (5.3, 8)).add("b", "blue", (28, 20))
    game = table.play(acting("a", NormalMove()), Answers(choose={"move": path}))
    assert game.state.operatives["a"].point == at3(10.3, 8, 3)
    assert game.state.activation is not None
    assert (game.state.activation.actions, game.state.activation.ap_spent) == (["Normal Move", "Dash"], 2)
    tired = LiteTable(LEDGE).add("a", "red", (5.3, 8), apl=1).add("b", "blue", (28, 20)).game(acting("a", NormalMove()))
    assert tired.pending is not None
    assert "more than" in str(tired.pending.check(path)), "without AP for the Dash"


@pytest.mark.rule("KT21-TERRAIN")
def test_a_dash_does_not_just_lengthen_a_move() -> None:
    table = LiteTable(LEDGE).add("a", "red", (5.3, 8)).add("b", "blue", (28, 20)).game(acting("a", NormalMove()))
    assert table.pending is not None
    assert table.pending.check((at3(5.3, 14.5, 0),)) == 'Leg 1: Normal Move: 7" is more than the 6" allowed.'
    far = (at3(9.3, 4, 0), at3(9.3, 8, 0), at3(9.3, 8, 3), at3(10.3, 8, 3))
    assert table.pending.check(far) is not None, "12 inches are more than the two together"
    low = slab("block", (10, 5, 0), (16, 11, 2), "vantage", "heavy")
    table = LiteTable(low).add("a", "red", (5.3, 8)).add("b", "blue", (28, 20)).game(acting("a", NormalMove()))
    assert table.pending is not None
    late = (at3(5.3, 7, 0), at3(5.3, 8, 0), at3(9.3, 8, 0), at3(9.3, 8, 2), at3(10.3, 8, 2))
    assert table.pending.check(late) == 'Leg 4: Normal Move: 8" is more than the 6" allowed.', "no inch of it is left"
    assert table.pending.check(late[2:]) is None


@pytest.mark.rule("KT21-TERRAIN")
def test_a_barricade_set_up_by_a_player_is_traversed_for_two_inches() -> None:
    table = LiteTable().add("a", "red", (5, 8)).add("b", "blue", (28, 20)).barricade((7, 8), 90)
    game = table.play(acting("a", NormalMove()), Answers(choose={"move": (at(9, 8),)}))
    assert 'A moves 6" of 6" to 9.0", 8.0".' in story(game), "4 and 2 for the barricade"


# -- shooting ----------------------------------------------------------------------------------------


def wounds(game: Game) -> dict[str, int]:
    return {id: who.wounds for id, who in game.state.operatives.items()}


@pytest.mark.rule("KT21-SHOOT")
def test_hits_and_saves() -> None:
    game = lite().act("a", LiteShoot(), dice=[(6, 3, 2, 1), (1, 2, 3)])
    assert wounds(game)["b"] == 3, "a critical and a normal hit; 2 misses at 3+"
    game = lite().act("a", LiteShoot(), dice=[(6, 3, 3, 1), (6, 1, 1)], choose={"block": "0n 1c"})
    assert wounds(game)["b"] == 4, "a critical save discards the critical hit"
    game = lite().act("a", LiteShoot(), dice=[(6, 1, 1, 1), (4, 1, 1)])
    assert wounds(game)["b"] == 6, "one normal save does not"
    game = lite().act("a", LiteShoot(), dice=[(6, 1, 1, 1), (4, 4, 1)])
    assert wounds(game)["b"] == 10, "two do"


@pytest.mark.rule("KT21-SHOOT")
def test_defence_dice_are_those_of_the_datacard() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (10, 3), defence=4)
    field.act("a", LiteShoot(), dice=[(1, 1, 1, 1), (1, 1, 1, 1)])


@pytest.mark.rule("KT21-SHOOT")
def test_in_cover_one_die_may_be_kept() -> None:
    field = lite()
    field.table.rulings[("a", "b")] = {"in_cover": True}
    assert wounds(field.act("a", LiteShoot(), dice=[(3, 3, 1, 1), (1, 1)]))["b"] == 7
    field = lite()
    field.table.rulings[("a", "b")] = {"in_cover": True}
    game = field.act("a", LiteShoot(), dice=[(3, 3, 1, 1), (1, 1, 1)], choose={"cover": "0"})
    assert wounds(game)["b"] == 4


@pytest.mark.rule("KT21-SHOOT")
def test_targets() -> None:
    field = lite()
    field.table.rulings[("a", "b")] = {"is_obscured": True, "is_valid": False}
    assert "cancels" in " ".join(story(field.act("a", LiteShoot())))
    engaged = lite().add("friend", "red", (17, 3))
    assert "FRIEND is within its engagement range" in " ".join(story(engaged.act("a", LiteShoot())))
    field = lite()
    field.state.operatives["a"].order = "conceal"
    assert refused(field, "a", LiteShoot()) == "Shoot: not on a Conceal order."


@pytest.mark.rule("KT21-SHOOT")
def test_what_2021_says_of_obscured_decides_on_the_table() -> None:
    """A pillar of Heavy terrain half way: no shot in 2021."""
    pillar = slab("pillar", (9.5, 6, 0), (10.5, 10, 4), "heavy")
    for parts, can in (((), True), ((pillar,), False)):
        table = LiteTable(*parts).add("a", "red", (3, 8)).add("b", "blue", (17, 8))
        game = table.game(acting("a", LiteShoot()))
        assert (game.pending is not None) == can


# -- fighting ----------------------------------------------------------------------------------------


def engaged(*weapons: Any, **more: Any) -> Field:
    return Field(edition=KT21).add("a", "red", (3, 3), CLUB).add("b", "blue", (5, 3), *(weapons or (CLUB,)), **more)


@pytest.mark.rule("KT21-FIGHT")
def test_strikes_and_parries_alternate_attacker_first() -> None:
    field = engaged()
    answers = Answers([(4, 4, 1, 1), (4, 6, 1, 1)], {"resolve": ["strike n", "strike c", "block nn"]})
    game = field.play(acting("a", LiteFight()), answers)
    assert [each.seat for each in answers.asked if each.topic == "resolve"] == ["red", "blue", "red"]
    assert wounds(game) == {"a": 6, "b": 7}


@pytest.mark.rule("KT21-FIGHT")
def test_the_combat_ends_with_the_first_to_fall() -> None:
    game = engaged(wounds=3).act("a", LiteFight(), dice=[(4, 1, 1, 1), (6, 6, 6, 6)], choose={"resolve": "strike n"})
    assert wounds(game)["a"] == 10
    assert game.state.operatives["b"].is_removed


@pytest.mark.rule("KT21-FIGHT")
def test_without_a_melee_weapon_nothing_is_rolled() -> None:
    game = engaged(RIFLE).act("a", LiteFight(), dice=[(4, 4, 1, 1)], choose={"resolve": ["strike n", "strike n"]})
    assert wounds(game) == {"a": 10, "b": 4}


@pytest.mark.rule("KT21-FIGHT")
def test_combat_support_needs_a_melee_weapon() -> None:
    for kit, needs in (((CLUB,), 3), ((RIFLE,), 4)):
        field = engaged(RIFLE).add("friend", "red", (7, 3), *kit)
        game = field.act("a", LiteFight(), dice=[(3, 1, 1, 1)], choose={} if needs == 4 else {"resolve": "strike n"})
        assert wounds(game)["b"] == (10 if needs == 4 else 7)
    busy = engaged(RIFLE).add("friend", "red", (7, 3), CLUB).add("c", "blue", (9, 3))
    game = busy.act("a", LiteFight(), dice=[(3, 1, 1, 1)])
    assert wounds(game)["b"] == 10, "nor one that another enemy engages"


# -- injured -----------------------------------------------------------------------------------------


class Dread(Rule):
    """Everybody of blue's counts as injured."""

    def injured(self, battle: Any, who: Any) -> Claim | None:
        return Claim(True, "dread") if who.side == "blue" else None


class Tireless(Rule):
    def injured(self, battle: Any, who: Any) -> Claim | None:
        return Claim(False, "cannot be injured")


class Regardless(Dread):
    def injured(self, battle: Any, who: Any) -> Claim | None:
        return Claim(True, "dread, regardless", Precedence(says_so=True))


@pytest.mark.rule("KT21-INJURED")
def test_below_half_the_wounds() -> None:
    for left, is_injured in ((5, False), (4, True)):
        battle = lite().add("c", "red", (3, 9)).battle()
        who = battle.state.operatives["a"]
        who.wounds = left
        assert battle.is_injured(who) == is_injured
        assert battle.move(who).value == (4 if is_injured else 6)
        assert battle.hit(who, RIFLE).value == (4 if is_injured else 3)


@pytest.mark.rule("KT21-INJURED")
def test_several_causes_count_once_and_cannot_wins() -> None:
    for rules, hit in (((Dread(),), 4), ((Dread(), Tireless()), 3), ((Regardless(), Tireless()), 4)):
        battle = lite(*rules).battle()
        who = battle.state.operatives["b"]
        who.wounds = 2
        assert battle.hit(who, RIFLE).value == hit


@pytest.mark.rule("KT21-INJURED")
def test_move_is_never_below_four() -> None:
    battle = Field(edition=KT21).add("a", "red", (3, 3), move=5, wounds=10).battle()
    who = battle.state.operatives["a"]
    who.wounds = 1
    assert battle.move(who) == Reasoned(
        4,
        5,
        (
            *Reasoned.of(5).plus(-2, "KT21-INJURED", "injured").changes,
            *Reasoned(3, 5).to(4, "KT21-INJURED", 'Move is never changed below 4"').changes,
        ),
    )


def test_what_weapons_do_is_settled_when_they_are_chosen() -> None:
    """The shooter is injured by its own Hot weapon in the first attack; the second is made with the same BS."""
    field = Field(edition=KT21).add("a", "red", (3, 3), ranged("Hot", 'Blast 2"'), melee(), wounds=10)
    field.add("b", "blue", (10, 3)).add("c", "blue", (12, 3))
    dice = [(1, 1, 1, 1), (1, 1, 1), (3, 2, 2, 2), (1, 1, 1)]
    game = field.act("a", LiteShoot(), dice=dice, choose={"target": "b"})
    assert wounds(game)["c"] == 7
