"""The designers' answers about playing 2021, in our own words, and which questions are left out and why.

Those about sight, moving and killzones are in ``tests/test_commentary_table.py``.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from engine_help import CLUB, RIFLE, Answers, Field, acting, at, hand, melee, ranged, run, story
from lite_table import LiteTable, slab
from test_kt21_close_quarters import guarded, hatch_table
from test_kt21_turn import LITE, until

from ktsim.game.setup import new_game
from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.activation import activate
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.events import EffectBegan
from ktsim.rules.engine.fight.stages import Duel, fight
from ktsim.rules.engine.precedence import Claim, Precedence
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.shoot.stages import Shot, shoot
from ktsim.rules.engine.state import Effect, PieceState
from ktsim.rules.killzone.guard import Guard, is_on_guard
from ktsim.rules.kt21.close_quarters import LiteGuardRule, LiteHatchwayFight
from ktsim.rules.kt21.edition import KT21
from ktsim.rules.kt21.fight import LiteFight
from ktsim.rules.kt21.moves import LiteDash, NormalMove
from ktsim.rules.kt21.set_up import refuses_barricade
from ktsim.rules.kt21.shoot import OVERWATCH, LiteShoot, overwatch_options
from ktsim.rules.kt21.turn import Pass, firefight

OUT_OF_SCOPE = {
    "modifiers that only count if an enemy is activated within a distance": "explains one faction's ploy",
    "a parry that discards two hits": "only a faction's ability does that",
    "ignoring the damage of a die while a rule adds damage": "two factions' ploys and powers",
    "rolling dice as if fighting in combat (three questions)": "one faction's action",
    "repeating an attack with a Limited weapon": "only factions' ploys repeat attacks",
    "repeating an attack against another target": "only factions' ploys repeat attacks",
    "equipment for weapons of psychic powers": "factions' own powers; the Lite rules have no rare equipment",
    "carrying something and losing the ability to pick up": "a faction's rule; the Lite rules have no Pick Up",
    "what the Consecrate Ground action's APL is for": "a mission of a pack we do not have",
    "which Rob and Ransack text counts": "a Tac Op of a pack we do not have",
    "who may carry the banner of Plant Banner": "a Tac Op of a pack we do not have",
    "when sentries raise the alarm": "mission rules of narrative play",
    "priority markers in Duel of Wits": "a mission of a pack we do not have",
    "options of an operative added to a dataslate": "narrative play",
    "what split costs are worth for Equipment Drop": "narrative play",
    "whether Sharpshooter counts for every attack of an action": "narrative play",
    "a Dash beside Charge Over on scrap piles": "Octarius' own terrain, which we do not have",
    "how far one moves with Scramble Over": "Octarius' own terrain, and a faction's ability",
    "free moves as Scramble Over or Charge Over": "Octarius' own terrain, and a faction's action",
    "which parts of a Chalnath feature are a hatch": "Chalnath's own terrain, which we do not have",
    "guard when a certain weapon must be shot": "factions' abilities that double shots",
}


def lite(*rules: Rule, **more: Any) -> Field:
    return Field(*rules, edition=KT21).add("a", "red", (3, 3), **more).add("b", "blue", (12, 3))


# -- characteristics ---------------------------------------------------------------------------------


@pytest.mark.rule("KT21-MOVE")
def test_commentary_movement_modifiers_change_the_total() -> None:
    """3 gauges of 2 inches and an inch more are 7 inches, not 9."""
    field = lite()
    field.state.effects.append(Effect("Speed", "X", "battle", "a", stat="move", amount=1))
    assert field.battle().move(field.state.operatives["a"]).value == 7


@pytest.mark.rule("KT21-MOVE")
def test_commentary_movement_modifiers_do_not_change_the_dash() -> None:
    field = lite()
    field.state.effects.append(Effect("Mud", "X", "battle", "a", stat="move", amount=-2))
    game = field.game(acting("a", LiteDash()))
    assert game.pending is not None
    assert game.pending.check((at(3, 6),)) is None
    assert game.pending.check((at(3, 6.1),)) is not None


@pytest.mark.rule("KT21-ACTIVATE")
def test_commentary_apl_changed_during_an_activation_changes_no_ap() -> None:
    game = lite().game(lambda battle: activate(battle, "red"))
    game.state.effects.append(Effect("Zeal", "X", "activation", "a", stat="apl", amount=1))
    for _ in range(2):
        game.submit("Pass")
    assert game.pending is None, "the two it generated"


@pytest.mark.rule("KT21-ACTIVATE")
def test_commentary_apl_changed_as_it_is_activated_counts() -> None:
    field = lite()
    field.state.effects.append(Effect("Zeal", "X", "activation", "a", stat="apl", amount=1))
    game = field.game(lambda battle: activate(battle, "red"))
    for _ in range(3):
        game.submit("Pass")
    assert game.pending is None


def test_commentary_characteristics_changed_during_an_action_count_after_it() -> None:
    """A mine on the way injures the mover; it still goes as far as it could when the move began."""

    class Mine(Rule):
        def moved(self, battle: Any, who: Any, path: Any) -> Steps[None]:
            yield EffectBegan(Effect("Mine", "X", "battle", who.id, stat="move", amount=-2, is_pending=True))

    game = lite(Mine()).game(acting("a", NormalMove()))
    game.submit((at(3, 9),))
    assert game.state.operatives["a"].y == 9000
    assert game.battle.move(game.state.operatives["a"]).value == 4


# -- moving ------------------------------------------------------------------------------------------


def test_commentary_flying_does_not_allow_a_normal_move_in_engagement_range() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3)).add("b", "blue", (5, 3))
    field.cards["a"] = replace(field.cards["a"], keywords=("fly",))
    battle = field.battle()
    assert refuses(battle, battle.state.operatives["a"], NormalMove()) is not None


@pytest.mark.rule("KT21-TERRAIN")
def test_commentary_only_the_dash_action_finishes_a_climb() -> None:
    """Once it has dashed in this activation nothing else finishes a climb for it."""
    ledge = slab("block", (10, 5, 0), (16, 11, 3), "vantage", "heavy")
    table = LiteTable(ledge).add("a", "red", (5.3, 8), apl=3).add("b", "blue", (28, 20))
    path = ((9300, 8000, 0), (9300, 8000, 3000), (10300, 8000, 3000))
    fresh = table.game(acting("a", NormalMove()))
    assert fresh.pending is not None
    assert fresh.pending.check(path) is None
    game = table.game(acting("a", LiteDash(), NormalMove()))
    game.submit(((5300, 8100, 0),))
    assert game.pending is not None
    assert "more than" in str(game.pending.check(((9300, 8000, 0), *path[1:])))


# -- shooting and fighting ---------------------------------------------------------------------------


@pytest.mark.rule("KT21-FIGHT")
def test_commentary_without_a_melee_weapon_no_dice_and_no_support() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3), CLUB).add("b", "blue", (5, 3), RIFLE)
    field.add("friend", "red", (7, 3), RIFLE)
    answers = Answers([(3, 1, 1, 1)])
    field.play(acting("a", LiteFight()), answers)
    assert [decision.prompt for decision in answers.asked] == ["A: 4 attack dice"], "a 3 misses at 4+: no support"


@pytest.mark.rule("KT21-FIGHT")
def test_commentary_an_incapacitated_operative_kept_on_the_table_resolves_no_hits() -> None:
    hands = (
        hand(atk=2, hit=4, edition=KT21),
        hand(atk=2, hit=4, side="blue", operative="b", target="a", edition=KT21),
    )
    for wounds, damage in (((0, 12), (0, 0)), ((12, 0), (0, 0))):
        answers = Answers([(6, 6), (6, 6)])
        found, _ = run(fight(Duel(hands, wounds), KT21.duel_stages), answers)
        assert found.suffered == damage


@pytest.mark.rule("KT21-SHOOT")
def test_commentary_a_cover_save_is_normal_even_at_six_plus() -> None:
    """It discards a normal hit and not a critical one."""
    for dice, damage in (((3, 1, 1, 1), 0), ((6, 1, 1, 1), 4)):
        shot = Shot(hand(edition=KT21), "blue", 6, cover=1)
        found, _ = run(shoot(shot, KT21.shot_stages), Answers([dice, (5, 5)]))
        assert found.damage == damage


@pytest.mark.rule("KT21-SHOOT")
def test_commentary_without_a_valid_target_the_ap_come_back() -> None:
    field = lite()
    field.table.rulings[("a", "b")] = {"is_visible": False}
    game = field.act("a", LiteShoot())
    assert game.battle.ap_left(game.state.operatives["a"]) == 2
    assert game.state.activation is not None
    assert game.state.activation.actions == []


@pytest.mark.rule("KT21-FIGHT")
def test_commentary_one_may_parry_with_nothing_to_discard() -> None:
    hands = (
        hand(atk=2, hit=4, edition=KT21),
        hand(atk=1, hit=4, side="blue", operative="b", target="a", edition=KT21),
    )
    answers = Answers([(4, 4), (1,)], {"resolve": ["block n-", "block n-"]})
    found, _ = run(fight(Duel(hands, (9, 9), verb="parry"), KT21.duel_stages), answers)
    assert found.suffered == (0, 0)


@pytest.mark.rule("KT21-OVERWATCH")
def test_commentary_overwatch_with_the_profile_that_has_no_blast() -> None:
    battle = lite().add("c", "red", (3, 9), ranged('Blast 2"', key="mortar/wide"), ranged(key="mortar/narrow")).battle()
    who = battle.state.operatives["c"]
    open_keys = [option.key for option in overwatch_options(battle, who) if option.refusal is None]
    assert open_keys == ["mortar/narrow"]
    assert OVERWATCH.refusal(battle, who) is None


@pytest.mark.rule("KT21-CP")
def test_commentary_rerolls_need_not_be_declared_together() -> None:
    """The result of one re-roll is seen before the next is decided."""
    shot = Shot(hand("Balanced", "Ceaseless", edition=KT21), "blue", 4, cp=(1, 0))
    choices = ["Balanced 2", "Ceaseless 1", "Command Re-roll 3"]
    answers = Answers([(1, 2, 3, 4), (1,), (6,), (5,), (1, 1, 1)], {"reroll": choices})
    run(shoot(shot, KT21.shot_stages), answers)
    asked = [each.prompt for each in answers.asked if each.topic == "reroll"]
    assert asked[1].startswith("a rolled 1 1 3 4"), "the Balanced re-roll is known when the next is chosen"


# -- special rules -----------------------------------------------------------------------------------


@pytest.mark.rule("KT21-W-RENDING")
def test_commentary_simultaneous_weapon_rules_in_the_users_order() -> None:
    """Rending first, then mortal wounds for two critical hits; the user may also leave Rending out."""
    for rend, damage in (("yes", 2 * 3 + 2 * 4), ("no", 3 + 4 + 3)):
        shot = Shot(hand("MW3", "Rending", edition=KT21), "blue", 4, defence=0)
        found, _ = run(shoot(shot, KT21.shot_stages), Answers([(6, 4, 1, 1)], {"rending": rend}))
        assert found.damage == damage


@pytest.mark.rule("KT21-W-BLAST")
def test_commentary_blast_is_measured_from_where_the_target_was() -> None:
    field = Field(edition=KT21).add("a", "red", (3, 3), ranged('Blast 2"')).add("b", "blue", (12, 3))
    field.add("c", "blue", (14, 3)).add("d", "blue", (20, 10))
    game = field.game(acting("a", LiteShoot()))
    game.submit("b")
    game.submit((3, 1, 1, 1))
    game.state.operatives["b"].x, game.state.operatives["b"].y = 20_000, 12_000  # beside D: moved by some rule
    game.submit((1, 1, 1))
    assert game.pending is not None
    assert "A: 4 attack dice" in game.pending.prompt
    game.submit((3, 1, 1, 1))
    game.submit((1, 1, 1))
    assert game.pending is None
    assert [game.state.operatives[id].wounds for id in "bcd"] == [7, 7, 10]


# -- general principles ------------------------------------------------------------------------------


class Plague(Rule):
    def injured(self, battle: Any, who: Any) -> Claim | None:
        return Claim(True, "treated as injured")


class Chosen(Rule):
    def injured(self, battle: Any, who: Any) -> Claim | None:
        return Claim(False, "cannot be injured")


class Worse(Rule):
    def injured(self, battle: Any, who: Any) -> Claim | None:
        return Claim(True, "injured regardless", Precedence(says_so=True))


@pytest.mark.rule("KT21-INJURED")
def test_commentary_cannot_takes_precedence_unless_a_rule_says_regardless() -> None:
    for rules, is_injured in (((Plague(),), True), ((Plague(), Chosen()), False), ((Worse(), Chosen()), True)):
        field = lite(*rules)
        assert field.battle().is_injured(field.state.operatives["a"]) == is_injured


@pytest.mark.rule("KT21-INJURED")
def test_commentary_injured_twice_is_injured_once() -> None:
    field = lite(Plague())
    field.state.operatives["a"].wounds = 1
    battle = field.battle()
    assert battle.move(field.state.operatives["a"]).value == 4
    assert battle.hit(field.state.operatives["a"], RIFLE).value == 4


@pytest.mark.rule("KT21-OVERWATCH")
def test_commentary_an_action_outside_an_activation_is_no_activation() -> None:
    seen: list[str] = []

    class Watcher(Rule):
        def activation_begins(self, battle: Any, who: Any) -> Steps[None]:
            seen.append(who.id)
            yield from ()

    field = lite(Watcher(), is_ready=False)
    game = field.play(firefight, Answers([(1, 1, 1, 1), (1, 1, 1)], {"overwatch": "a"}))
    assert seen == []
    assert game.state.turn == "blue"


@pytest.mark.rule("KT21-GUARD")
def test_commentary_the_last_action_of_the_last_activation_can_be_interrupted() -> None:
    field = guarded(ranged(), CLUB)
    field.state.operatives["a"].is_ready = True
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"action": ["Pass", "Pass"], "interrupt": ["no", "b Overwatch"]})
    game = field.play(lambda battle: activate(battle, "red"), answers)
    assert game.state.operatives["b"].has_counteracted


@pytest.mark.rule("KT21-GUARD")
def test_commentary_an_action_within_an_action_can_be_interrupted_too() -> None:
    """After the hatch is open, and again after the move is done (when nobody interrupted before)."""
    table = hatch_table("closed").add("a", "red", (8.0, 8), CLUB, apl=3)
    table.add("b", "blue", (16, 8), ranged(), is_ready=False, tokens={"on guard": 1})
    choose = {"move": [(at(9.0, 8),), (at(9.1, 8),)], "meanwhile": "Operate Hatch", "interrupt": ["no", "no"]}
    answers = Answers(choose=choose)
    game = table.play(acting("a", NormalMove()), answers)
    assert game.state.terrain["w1"] == "open"
    topics = [topic for topic in answers.topics if topic in ("move", "interrupt")]
    assert topics == ["move", "interrupt", "move", "interrupt"]


# -- missions ----------------------------------------------------------------------------------------


@pytest.mark.rule("KT21-SETUP")
def test_commentary_a_barricade_stands_on_no_terrain_but_the_insignificant() -> None:
    for traits, refused in ((("heavy",), True), (("insignificant", "exposed"), False)):
        low = slab("rubble", (4, 8, 0), (8, 14, 0.1), *traits)
        table = LiteTable(low)
        battle = table.battle()
        game = until(new_game(LITE), "edge")
        game.submit("west")
        battle.state.choices = dict(game.state.choices)
        battle.mission = game.battle.mission
        piece = PieceState("new", "barricade", battle.state.choices["defender"], 6000, 11_000, 0, 0)
        assert (refuses_barricade(battle, piece) is not None) == refused


# -- close quarters ----------------------------------------------------------------------------------


@pytest.mark.rule("KT21-W-HEAVY")
@pytest.mark.rule("KT21-GUARD")
def test_commentary_a_heavy_weapon_after_a_move_and_guard() -> None:
    field = (
        Field(LiteGuardRule(), edition=KT21).add("a", "red", (3, 3), ranged("Heavy"), CLUB).add("b", "blue", (12, 3))
    )
    game = field.play(acting("a", NormalMove(), Guard()), Answers(choose={"move": (at(3, 6),)}))
    assert is_on_guard(game.state.operatives["a"])
    field.state = game.state
    field.state.activation = None
    answers = Answers([(1, 1, 1, 1), (1, 1, 1)], {"interrupt": "a Overwatch"})
    field.play(acting("b", Pass()), answers)


@pytest.mark.rule("KT21-HATCHFIGHT")
def test_commentary_a_hatchway_fight_counts_for_rules_about_incapacitating() -> None:
    seen: list[tuple[str, str]] = []

    class Trophy(Rule):
        def incapacitated(self, battle: Any, who: Any, by: str) -> Steps[None]:
            seen.append((who.id, by))
            yield from ()

    table = hatch_table().add("a", "red", (9.25, 8), CLUB).add("b", "blue", (11.9, 8), melee(), wounds=3)
    table._rules = (*table._rules, Trophy())
    game = table.play(acting("a", LiteHatchwayFight()), Answers([(6, 1, 1, 1), (1, 1, 1, 1)], {"resolve": "strike c"}))
    assert game.state.operatives["b"].is_removed
    assert seen == [("b", "a")]


@pytest.mark.rule("KT21-HATCHFIGHT")
@pytest.mark.rule("KT21-GUARD")
def test_commentary_a_hatchway_fight_may_be_a_guard_attack() -> None:
    table = hatch_table().add("a", "red", (11.9, 8), melee())
    table.add("b", "blue", (9.25, 8), CLUB, is_ready=False, tokens={"on guard": 1})
    answers = Answers([(6, 1, 1, 1), (1, 1, 1, 1)], {"interrupt": "b Hatchway Fight", "resolve": "strike c"})
    game = table.play(acting("a", Pass()), answers)
    assert game.state.operatives["a"].wounds == 6


@pytest.mark.rule("KT21-GUARD")
def test_commentary_a_guard_attack_that_cannot_be_completed_leaves_it_on_guard() -> None:
    """Its targets vanish between interrupting and shooting, as by some rule."""
    field = guarded()

    class Vanishing(LiteGuardRule):
        def has_target(self, battle: Any, who: Any, action: Any) -> bool:
            return True

    field._rules = (Vanishing(),)
    field.table.rulings[("b", "a")] = {"is_visible": False}
    game = field.play(acting("a", Pass()), Answers(choose={"interrupt": "b Overwatch"}))
    who = game.state.operatives["b"]
    assert is_on_guard(who)
    assert not who.has_counteracted
    assert any("cancels" in line for line in story(game))


def test_every_question_left_out_has_a_reason() -> None:
    assert len(OUT_OF_SCOPE) == 21
    assert all(len(reason.split()) > 1 for reason in OUT_OF_SCOPE.values())
