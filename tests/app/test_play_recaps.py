"""What has just happened: bots' activations told before the game goes on, hits, and dice that notices leave free."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import asking, driver, engine, game, rest, show

from ktsim.app.play.action_words import described
from ktsim.app.play.lead import turn_of
from ktsim.app.play.marks import token_words
from ktsim.app.play.match import Match
from ktsim.app.play.preparing import note_choice, prepared_answer, suggested_equipment
from ktsim.app.play.rerolls import BEST, NO_BETTER, rerolls_worth
from ktsim.app.play.saves import Agreement
from ktsim.app.stage.overlays import Label
from ktsim.app.ui.settings import Settings
from ktsim.game.setup import Setup, new_game
from ktsim.rules.engine.attack import Die, Hand, WeaponRule
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Pick, PickSome, Steps, confirm, roll
from ktsim.rules.engine.dice import Rerolling, reroll_offers
from ktsim.rules.engine.fight.stages import Duel
from ktsim.rules.engine.operative_events import ActivationBegan, ActivationEnded, Incapacitated, Wounded
from ktsim.rules.engine.shoot.stages import Shot
from ktsim.rules.engine.state import MarkerState
from ktsim.rules.engine.weapon_rules import Balanced
from ktsim.rules.kt24.weapon_rules import Ceaseless

__all__ = ["driver", "engine"]

GUN, CUTTER = "red-lamp-gunner-1", "blue-cutter-1"


def bot_acts(battle: Battle) -> Steps[None]:
    """A bot of red's chooses to go on, hurts somebody and is done; then blue is asked."""
    for id, x in ((GUN, 6000), (CUTTER, 12000)):
        who = battle.state.operatives[id]
        who.x, who.y, who.is_set_up = x, 11000, True
    battle.state.phase, battle.state.turning_point = "firefight", 1
    yield from confirm("red", "end", "Begin?")
    yield ActivationBegan(GUN, "activation", "engage", 2)
    yield from confirm("red", "end", "Go on?")
    yield Wounded(CUTTER, 4, "test", GUN)
    yield ActivationEnded(GUN)
    yield from confirm("blue", "end", "Your turn?")
    yield from confirm("blue", "end", "Again?")


def acted(driver: Driver, agreement: Agreement, recaps: bool = True) -> Match:
    """A game in which the bot has acted, shown."""
    driver.desktop.settings = Settings(motion=False, recaps=recaps)
    match = asking(bot_acts, agreement, clock=driver.desktop.clock, dice=Random(1))
    show(driver, match)
    for _ in range(2):  # for the bot, which would think in a process of its own about a game it cannot know
        if not match.asks_person(match.decision):  # type: ignore[arg-type]
            match.recaps.is_on = recaps and not agreement.is_hot_seat and "human" in (agreement.red, agreement.blue)
            match.reason = "It pays."
            match._submit("yes")
        else:
            match.submit("yes")
    rest(driver)
    return match


@pytest.fixture
def still(monkeypatch: pytest.MonkeyPatch) -> None:
    """Bots do not think: the test answers for them."""
    monkeypatch.setattr(Match, "_answer_by_bot", lambda self, decision: False)


@pytest.mark.usefixtures("still")
def test_a_bots_activation_is_told_and_waits_for_a_key(driver: Driver) -> None:
    match = acted(driver, Agreement(red="random"))
    recap = match.recaps.pending
    assert recap is not None
    said = driver.said()
    assert "Cutter 1 suffers 4" in said
    assert "It pays." in said
    assert "Your turn?" not in said.splitlines(), "nothing is asked before it was read"
    labels = [item.text for item in game(driver).picture.items if isinstance(item, Label)]
    left = match.game.battle.card(match.game.state.operatives[CUTTER]).wounds - 4
    assert f"-4, {left} left" in labels, "and what it cost is on the table, though nothing is animated"
    driver.key("space")
    assert match.recaps.pending is None
    assert match.game.answers == ["yes", "yes"], "the key that goes on answers nothing"
    assert "Your turn?" in driver.said()
    driver.key("enter")
    assert match.recaps.hits == {}, "hits are forgotten with the player's next answer"


@pytest.mark.usefixtures("still")
@pytest.mark.parametrize(
    ("agreement", "recaps"),
    [(Agreement(), True), (Agreement(red="random", blue="random"), True), (Agreement(red="random"), False)],
)
def test_nobody_waits_for_a_key_otherwise(driver: Driver, agreement: Agreement, recaps: bool) -> None:
    """Not between people, not while bots play alone, and not for whoever wants none."""
    assert acted(driver, agreement, recaps).recaps.pending is None


def test_the_fallen_are_told(driver: Driver) -> None:
    def falls(battle: Battle) -> Steps[None]:
        who = battle.state.operatives[CUTTER]
        who.x, who.y, who.is_set_up = 12000, 11000, True
        yield from confirm("red", "end", "Begin?")
        yield Wounded(CUTTER, 99, "test", GUN)
        yield Incapacitated(CUTTER, GUN)
        yield from confirm("red", "end", "Enough?")

    match = asking(falls, clock=driver.desktop.clock)
    show(driver, match)
    driver.key("enter")
    labels = [item.text for item in game(driver).picture.items if isinstance(item, Label)]
    assert "-99, out" in labels


def test_a_notice_never_covers_dice(driver: Driver) -> None:
    def rolls(battle: Battle) -> Steps[None]:
        yield from roll(3, "luck", "Luck", "red")
        yield from confirm("red", "end", "Enough?")

    match = asking(rolls, Agreement(), clock=driver.desktop.clock, dice=Random(2))
    show(driver, match)
    rest(driver)
    screen = game(driver)
    assert match.tray() is not None
    assert screen.notice_place().bottom <= screen.layout.tray.y
    match.submit("yes")
    driver.settle()
    assert match.tray() is None
    assert screen.notice_place().bottom > screen.layout.tray.y


def test_every_action_has_a_description() -> None:
    """Of every edition, with the rules of a battle in force."""
    for setup in (Setup(board="open", table="plain"), Setup(board="open", table="plain", edition="kt21-lite")):
        game = new_game(setup)
        rng = Random(3)
        while game.pending is not None and game.pending.topic != "activate":
            game.submit(game.pending.sample(rng))
        for who in game.state.operatives.values():
            for action in game.battle.actions(who):
                assert described(game.battle, who, action), action.name


# -- re-rolls ----------------------------------------------------------------------------------------


def rerolling(*faces: int, hit: int = 4, rules: tuple[WeaponRule, ...] = ()) -> dict[str, tuple[str, str]]:
    """What the re-rolls of attack dice that show *faces* are said to be worth."""
    battle = asking(bot_acts).game.battle
    dice = tuple(Die(face) for face in sorted(faces))
    hand = Hand("red", GUN, CUTTER, len(faces), hit, 3, 4, dice=dice)
    shot = Shot(hand, "blue", 4, stage="attack re-rolls")
    offers = tuple(reroll_offers(rules, dice, (), 1))
    options = tuple(Option(offer.key, "") for offer in offers)
    about = Rerolling(dice, hit, shot, offers)
    return rerolls_worth(Pick(seat="red", topic="reroll", prompt="", options=options, about=about), battle)


@pytest.mark.rule("KT24-CMDREROLL")
def test_a_pointless_re_roll_says_so() -> None:
    worth = rerolling(1, 4, 6)
    assert worth["Command Re-roll 1"][1] == "", "a miss can only get better"
    assert worth["Command Re-roll 6"][1] == NO_BETTER, "a critical success cannot"
    assert "Expected damage" in worth["Command Re-roll 1"][0]


@pytest.mark.rule("KT24-W-BALANCED")
@pytest.mark.rule("KT24-W-CEASELESS")
def test_one_die_of_several_alike_has_its_worth_too_and_several_at_once_have_none() -> None:
    worth = rerolling(2, 2, 6, rules=(Balanced(), Ceaseless()))
    assert worth["Balanced 2"] == worth["Command Re-roll 2"]
    assert worth["Ceaseless 6"] == worth["Command Re-roll 6"], "there is one 6"
    assert "Ceaseless 2" not in worth


@pytest.mark.rule("KT24-CMDREROLL")
def test_in_a_fight_the_best_result_is_left_alone() -> None:
    battle = asking(bot_acts).game.battle
    dice = (Die(2), Die(6))
    hands = (Hand("red", GUN, CUTTER, 2, 4, 3, 4, dice=dice), Hand("blue", CUTTER, GUN, 2, 4, 3, 4))
    options = tuple(Option(f"Command Re-roll {face}", "") for face in (2, 6))
    about = Rerolling(dice, 4, Duel(hands, (9, 9)), tuple(reroll_offers((), dice, (), 1)))
    found = rerolls_worth(Pick(seat="red", topic="reroll", prompt="", options=options, about=about), battle)
    assert found == {"Command Re-roll 6": ("", BEST)}


# -- before the battle -------------------------------------------------------------------------------


def equipment_of(board: str, table: str) -> tuple[PickSome, Battle]:
    game, rng = new_game(Setup(board=board, table=table)), Random(1)  # type: ignore[arg-type]
    while game.pending is not None and game.pending.topic != "equipment":
        game.submit(game.pending.default or game.pending.sample(rng))
    assert isinstance(game.pending, PickSome)
    return game.pending, game.battle


def test_equipment_is_suggested_by_killzone() -> None:
    open_ground, vantage, rooms = (
        suggested_equipment(*equipment_of(board, "plain")) for board in ("open", "volkus-1", "gallowdark-1")
    )
    assert "ladders" in vantage
    assert "ladders" not in open_ground
    assert "ladders" not in rooms
    assert "utility-grenades" in rooms
    assert any("barricade" in key for key in open_ground)
    assert not any("barricade" in key for key in rooms)
    assert all(len(found) == 4 for found in (open_ground, vantage, rooms))


def test_what_was_chosen_last_time_is_chosen_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    decision, battle = equipment_of("open", "plain")
    usual = prepared_answer(decision, battle, 1)
    assert decision.check(usual) is None
    wanted = ("mines", "razor-wire")
    assert wanted != usual
    note_choice(battle, decision, wanted)
    assert prepared_answer(decision, battle, 1) == wanted
    note_choice(battle, decision, ("no such thing",))
    assert prepared_answer(decision, battle, 1) == usual, "what is not offered any more is not chosen"


# -- the table ---------------------------------------------------------------------------------------


def test_what_lies_on_a_marker_is_said() -> None:
    marker = MarkerState("objective-1", "objective", 0, 0, 0, 787)
    marker.tokens = {"inert": 1, "device:red": 1, "looted:blue": 0, "claimed:red": 1, "data": 3}
    assert token_words(marker) == [("inert", ""), ("red's device", "red"), ("3 data", "")]


def test_the_board_is_turned_to_whoever_is_asked(driver: Driver) -> None:
    def both(battle: Battle) -> Steps[None]:
        yield from confirm("red", "end", "Red?")
        yield from confirm("blue", "end", "Blue?")

    driver.desktop.settings = Settings(motion=False, turns=True)
    match = asking(both, clock=driver.desktop.clock)
    show(driver, match)
    screen = game(driver)
    battle = match.game.battle
    one = screen.picture.camera.goal.turn
    assert (one - turn_of(battle, "red")) % 360 == pytest.approx(0, abs=1e-6)
    driver.key("enter")
    other = screen.picture.camera.goal.turn
    assert (other - one) % 360 == pytest.approx(180)
    driver.desktop.settings = Settings(motion=False)
    match = asking(both, clock=driver.desktop.clock)
    show(driver, match)
    before = game(driver).picture.camera.goal
    driver.key("enter")
    assert game(driver).picture.camera.goal == before, "unless nobody wants that"
