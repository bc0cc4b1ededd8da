"""Dice as they roll and lie: nothing that comes of them is seen before they lie, and retained ones lie with them."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from desktop_driver import Driver
from play_driver import asking, driver, engine, game, show

from ktsim.app.play.glossary import WORDS, glossed
from ktsim.app.play.recap import recap_of
from ktsim.app.play.rerolls import is_pointless
from ktsim.app.play.tray import DieView, Rolled, tray_of_rolls, tumbling
from ktsim.app.stage.overlays import Label
from ktsim.app.stage.ways import Reachable
from ktsim.app.ui.settings import Settings
from ktsim.rules.engine.attack import Die, Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Pick, Steps, confirm, roll
from ktsim.rules.engine.dice import Rerolling, reroll_offers
from ktsim.rules.engine.events import Told, VpScored
from ktsim.rules.engine.operative_events import ActionBegan, ActionEnded, ActivationBegan, ActivationEnded, Wounded
from ktsim.rules.engine.shoot.stages import Shot

__all__ = ["driver", "engine"]

GUN, CUTTER = "red-lamp-gunner-1", "blue-cutter-1"
SHOOTS = Told("{0} shoots {1} with Lamp gun: valid target.", "KT24-VALID", (GUN, CUTTER))
FIGHTS = Told("{0} with Butt fights {1} with Cutter.", "KT24-FIGHT", (GUN, CUTTER))


def on_table(battle: Battle) -> None:
    for id, x in ((GUN, 6000), (CUTTER, 12000)):
        who = battle.state.operatives[id]
        who.x, who.y, who.is_set_up = x, 11000, True
    battle.state.phase, battle.state.turning_point = "firefight", 1


def hurts(battle: Battle) -> Steps[None]:
    on_table(battle)
    yield from confirm("red", "end", "Shoot?")
    yield from roll(3, "luck", "Luck", "red")
    yield Wounded(CUTTER, 4, "test", GUN)
    yield VpScored("red", 2, "luck", "kill")
    yield from confirm("red", "end", "Enough?")


def test_nothing_is_told_of_dice_before_they_lie(driver: Driver) -> None:
    driver.desktop.settings = Settings(motion=True)
    now = [100.0]
    match = asking(hurts, clock=lambda: now[0], dice=Random(1))
    show(driver, match)
    screen = game(driver)
    screen.tab = "log"
    wounds = match.game.state.operatives[CUTTER].wounds
    match.submit("yes")

    def seen() -> tuple[str, int, int, bool]:
        driver.desktop.frame()
        cutter = next(one for team in screen._teams() for one in team[2] if one.id == CUTTER)
        hits = any(isinstance(item, Label) and item.text.startswith("-4") for item in screen.picture.items)
        return driver.said(), cutter.wounds, screen._ops()[1].totals["red"], hits

    for _ in range(3):
        driver.desktop.frame()
    assert match.shown.is_rolling
    said, left, scored, is_marked = seen()
    assert (left, scored, is_marked) == (wounds, 0, False)
    assert "suffers 4" not in said
    now[0] += 0.7
    for _ in range(3):
        driver.desktop.frame()
    said, left, scored, is_marked = seen()
    assert (left, scored, is_marked) == (wounds - 4, 2, True)
    assert "suffers 4" in said


def test_dice_tumble_each_in_its_own_way_and_only_those_that_were_rolled() -> None:
    for part in (each / 40 for each in range(40)):
        faces = Counter(tumbling(DieView(6, "critical"), index, part).face for index in range(5))
        assert max(faces.values()) <= 3, "never all the same"
    assert tumbling(DieView(6, "critical"), 3, 1.0) == DieView(6, "critical")
    hand = Hand("red", GUN, CUTTER, 3, 4, 3, 4, verb="shoots")
    shot = Shot(hand, "blue", 4, kept_normals=1)
    tray = tray_of_rolls([Rolled(1, "A: 3 attack dice", "red", (1, 5, 6), hand), Rolled(2, "B", "blue", (2, 4), shot)])
    assert tray is not None
    attack, defence = tray.rows
    assert (attack.rolling, defence.rolling) == (0, 2)


@pytest.mark.rule("KT24-SHOOT")
def test_a_retained_cover_save_lies_with_the_dice() -> None:
    hand = Hand("red", GUN, CUTTER, 3, 4, 3, 4, verb="shoots")
    kept = tray_of_rolls([Rolled(1, "B", "blue", (2, 4), Shot(hand, "blue", 4, kept_normals=1))])
    none = tray_of_rolls([Rolled(1, "B", "blue", (2, 4, 5), Shot(hand, "blue", 4))])
    assert kept is not None
    assert none is not None
    assert [die.face for die in kept.rows[0].dice] == [2, 4, 0]
    assert [die.face for die in none.rows[0].dice] == [2, 4, 5]


def test_a_re_roll_is_shown_with_the_dice_that_lie() -> None:
    before = Hand("red", GUN, CUTTER, 3, 4, 3, 4, verb="shoots")
    again = before._replace(dice=(Die(4), Die(6)), in_hand=1)
    tray = tray_of_rolls(
        [Rolled(1, "A: 3 dice", "red", (1, 4, 6), before), Rolled(2, "A re-rolls", "red", (5,), again)]
    )
    assert tray is not None
    (row,) = tray.rows
    assert [die.face for die in row.dice] == [5, 4, 6]
    assert row.rolling == 1


# -- recaps ------------------------------------------------------------------------------------------


def recapped(*between: object, reasons: tuple[str, ...] = ()) -> list[str]:
    match = asking(hurts)
    events = [ActivationBegan(GUN, "activation", "engage", 2), *between, ActivationEnded(GUN)]
    recap = recap_of(match.game, events, {}, reasons)  # type: ignore[arg-type]
    return [line.text for line in recap.lines] if not reasons else list(recap.reasons)


def test_an_attack_that_hurts_nobody_says_so() -> None:
    begun, ended = ActionBegan(GUN, "Shoot", 1), ActionEnded(GUN)
    assert recapped(begun, SHOOTS, ended)[-1] == "No damage gets through to Cutter 1"
    assert "No damage" not in " ".join(recapped(begun, SHOOTS, Wounded(CUTTER, 3, "", GUN), ended))
    assert recapped(ActionBegan(GUN, "Fight", 1), FIGHTS, ended)[-1] == "Nobody is hurt"
    assert recapped(begun, SHOOTS, SHOOTS, Wounded(CUTTER, 3, "", GUN))[2].startswith("No damage"), "the first of two"
    assert recapped(VpScored("red", 2, "luck", "kill"))[-1].count("2 VP") == 1


def test_the_same_reason_is_told_once() -> None:
    plan = "Conceal, Reposition to the beacon; in nobody's reach."
    more = f"{plan} Second best by 0.4 VP: stay."
    said = recapped(reasons=(f"Lamp Gunner 1: {more}", more, plan, "Pass."))
    assert said == [more, "Pass."]
    rest = "Engage, Shoot at Cutter 1, 47% to incapacitate; in nobody's reach."
    whole = rest.replace("Engage,", "Engage, Reposition to the beacon,")
    assert recapped(reasons=(whole, rest)) == [whole]
    assert recapped(reasons=(rest, whole)) == [rest, whole], "what comes later may have changed"


# -- re-rolls nobody could want ----------------------------------------------------------------------


def offered(*faces: int, wounds: int = 9) -> Pick:
    dice = tuple(Die(face) for face in sorted(faces))
    hand = Hand("red", GUN, CUTTER, len(faces), 4, 3, 4, dice=dice)
    options = (Option("keep", ""), *(Option(f"Command Re-roll {face}", "") for face in sorted(set(faces))))
    offers = tuple(reroll_offers((), dice, (), 1))
    about = Rerolling(dice, 4, Shot(hand, "blue", 4, stage="attack re-rolls"), offers)
    return Pick(seat="red", topic="reroll", prompt="", options=options, default="keep", about=about)


@pytest.mark.rule("KT24-CMDREROLL")
def test_only_where_every_re_roll_is_pointless_nobody_is_asked() -> None:
    battle = asking(hurts).game.battle
    assert is_pointless(offered(6, 6), battle)
    assert not is_pointless(offered(1, 6), battle), "the miss can get better"
    assert not is_pointless(offered(4, 6), battle), "so can a plain success"


# -- words, and charges by a click -------------------------------------------------------------------


def test_words_of_the_game_are_explained_where_they_occur() -> None:
    found = glossed("Strategic gambit", "Use a ploy (1 CP)?")
    assert [line.partition(":")[0].partition(",")[0] for line in found.splitlines()] == [
        "Strategic gambit",
        "Ploy",
        "CP",
    ]
    assert glossed("Nothing of the kind", "recapped, discover") == ""
    assert all(len(meaning) < 130 for meaning in WORDS.values())


def test_a_charge_by_a_click_ends_on_the_near_side() -> None:
    ring = [
        (x / 4, y / 4) for x in range(60) for y in range(60) if ((x / 4 - 10) ** 2 + (y / 4 - 8) ** 2) ** 0.5 >= 1.2
    ]
    cells = tuple((x - 0.125, y - 0.125, x + 0.125, y + 0.125, 0.0, int(abs(x - 4) + abs(y - 8)) + 1) for x, y in ring)
    place = Reachable(cells).beside((10.0, 8.0, 0.0), (4.0, 8.0, 0.0))
    assert place is not None
    assert 8000 <= place[0] < 10000, "between the two"
    assert abs(place[1] - 8000) <= 500
    assert Reachable(()).beside((10.0, 8.0, 0.0), (4.0, 8.0, 0.0)) is None
