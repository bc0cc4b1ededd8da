"""What threatens, what can be done to an enemy, what a bot has done: read off the window, and true."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from desktop_driver import Driver
from play_driver import asking, driver, engine, game, rest, show, without_pictures

from ktsim.app.play import threats as threat_rules
from ktsim.app.play.chances import aim
from ktsim.app.play.intents import attacks_from, intents_at
from ktsim.app.play.last_choices import keep_choices
from ktsim.app.play.lead import is_in_sight
from ktsim.app.play.saves import Agreement
from ktsim.app.screens.jobs import Jobs
from ktsim.app.stage.overlays import Label
from ktsim.app.stage.ways import CELL, Reachable
from ktsim.rules.engine.activation import which_order
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, PickSome, Steps, ask, confirm, pick
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.kt24.turn import choose_action

__all__ = ["driver", "engine"]

ME, GUN, FRIEND, ENEMY, OTHER = (
    "red-long-eye-1",
    "red-lamp-gunner-1",
    "red-shield-hand-1",
    "blue-cutter-1",
    "blue-spitter-1",
)


def set_up(battle: Battle, id: str, x: float, y: float, order: Any = "engage") -> OperativeState:
    who = battle.state.operatives[id]
    who.x, who.y, who.order = round(x * 1000), round(y * 1000), order
    who.is_set_up = who.is_ready = True
    return who


def field(enemy: tuple[float, float] = (12.0, 11.0), topic: str = "action") -> Any:
    """A gunner of red's at (6, 11) that acts, and a cutter of blue's."""

    def procedure(battle: Battle) -> Steps[None]:
        battle.state.phase, battle.state.turning_point = "firefight", 2
        who = set_up(battle, GUN, 6.0, 11.0)
        set_up(battle, ENEMY, *enemy)
        set_up(battle, OTHER, 27.0, 20.0)
        order = (yield from which_order(battle, who)) if topic == "order" else "engage"
        yield ActivationBegan(who.id, "activation", order, battle.apl(who).value)
        action = yield from choose_action(battle, who)
        while action is not None:
            yield from action.perform(battle, who)
            action = yield from choose_action(battle, who)

    return procedure


def click_on(driver: Driver, id: str) -> None:
    screen = game(driver)
    one = next(one for one in screen.table.scene().operatives if one.id == id)
    place = screen.picture.places([(one.x, one.y, one.level + 0.5)])[0]
    assert place is not None
    driver.click(*place)
    rest(driver)


def labels(driver: Driver) -> list[str]:
    return [item.text for item in game(driver).picture.items if isinstance(item, Label)]


# -- threats -----------------------------------------------------------------------------------------


@pytest.mark.rule("KT24-VALID")
@pytest.mark.parametrize(("x", "is_seen"), [(12.0, True), (28.5, True)])
def test_a_threat_is_the_shot_the_enemy_could_take(x: float, is_seen: bool) -> None:
    match = asking(field())
    battle = match.game.battle.twin()
    found = threat_rules.threats_at(battle.twin(), ENEMY, (round(x * 1000), 11000, 0))
    moved = battle.twin()
    enemy = moved.state.operatives[ENEMY]
    enemy.x = round(x * 1000)
    gunner = moved.state.operatives[GUN]
    shots = [aim(moved, gunner, gun, enemy) for gun in threat_rules.guns_of(moved, gunner)]
    legal = [shot.chance() for shot in shots if not shot.refusal]
    assert bool(legal) == is_seen
    assert [threat.shooter for threat in found.against] == ([GUN] if legal else [])
    assert found.against[0].chance == max(legal, key=lambda chance: (chance.kill, chance.damage))


@pytest.mark.rule("KT24-W-RANGE")
@pytest.mark.parametrize(("gap", "is_threat"), [(5.99, True), (6.01, False)])
def test_a_weapon_out_of_range_is_no_threat(gap: float, is_threat: bool) -> None:
    """The cutter's irons reach as far as their range and no further."""
    battle = asking(field()).game.battle.twin()
    cutter, gunner = battle.state.operatives[ENEMY], battle.state.operatives[GUN]
    (ranged,) = {weapon.rules for weapon in battle.weapons(cutter) if weapon.kind == "ranged"}
    assert any('Range 6"' in rule for rule in ranged)
    radii = battle.table.radius(cutter) + battle.table.radius(gunner)
    at = (round(1000 * (12.0 - gap - radii)), 11000, 0)
    found = threat_rules.threats_at(battle, GUN, at)
    assert (ENEMY in [threat.shooter for threat in found.against]) == is_threat


@pytest.mark.rule("KT24-ORDER")
def test_on_conceal_it_shoots_only_with_silent_weapons() -> None:
    battle = asking(field()).game.battle.twin()
    battle.state.operatives[GUN].order = "conceal"
    found = threat_rules.threats_at(battle, GUN, (6000, 11000, 0))
    assert found.by == ()
    battle.state.operatives[GUN].order = "engage"
    assert ENEMY in [threat.target for threat in threat_rules.threats_at(battle, GUN, (6000, 11000, 0)).by]


def test_the_danger_of_a_place_is_what_threatens_there() -> None:
    battle = asking(field()).game.battle
    cells = tuple((x, 10.875, x + CELL, 11.125, 0.0, 1) for x in (1.875, 3.875, 5.875, 8.875))
    *_, last = threat_rules.danger_over(battle.twin(), GUN, Reachable(cells))
    assert last.known == last.of == len(last.squares)
    counts = {}
    for x, y, level, danger in last.squares:
        near = [(c * CELL, r * CELL) for c, r, _ in Reachable(cells).places()]
        at = next(place for place in near if abs(place[0] - x) < 0.3 and abs(place[1] - y) < 0.3)
        place = (round(at[0] * 1000), round(at[1] * 1000), round(level * 1000))
        counts[place[0]] = danger.count
        assert danger.count == len(threat_rules.threats_at(battle.twin(), GUN, place).against)
    assert len(set(counts.values())) > 1, "some places are safe and some are not"


def test_whoever_is_pointed_at_has_a_card(driver: Driver) -> None:
    show(driver, asking(field(), clock=driver.desktop.clock))
    rest(driver)
    screen = game(driver)
    one = next(one for one in screen.table.scene().operatives if one.id == ENEMY)
    place = screen.picture.places([(one.x, one.y, 0.5)])[0]
    assert place is not None
    driver.point(*place)
    rest(driver)
    rest(driver)
    assert screen.table.hovered == ENEMY
    said = driver.said()
    assert "Could shoot it from where they stand" in said
    found = screen.table.threats()
    assert found is not None
    assert f"{found.against[0].chance.kill:.0%} out" in said
    assert any(f"{found.against[0].chance.kill:.0%}" in text for text in labels(driver)), "and over who threatens it"
    driver.point(5, 5)
    driver.settle()
    assert screen.table.hovered == ""
    assert "Could shoot it from where they stand" not in driver.said()


def test_danger_wants_a_planned_move(driver: Driver) -> None:
    show(driver, asking(field(), clock=driver.desktop.clock))
    rest(driver)
    driver.key("d")
    assert "as soon as a move is planned" in driver.said()


def test_what_is_followed_is_given_up_when_the_question_changes() -> None:
    jobs, told, go_on = Jobs(), [], threading.Event()

    def answers(name: str) -> Iterator[str]:
        for number in range(3):
            told.append(f"{name}{number}")
            yield f"{name}{number}"
            go_on.wait(10)

    assert jobs.follow("map", "a", lambda: answers("a")) in [(None, False), ("a0", False)]
    while jobs.follow("map", "a", lambda: answers("a"))[0] is None:
        pass
    assert not jobs.has_news(), "it has been picked up"
    jobs.follow("map", "b", lambda: answers("b"))
    go_on.set()
    jobs.finish()
    assert jobs.has_news()
    assert jobs.follow("map", "b", lambda: answers("b")) == ("b2", True)
    assert not jobs.has_news()
    assert "a2" not in told, "the older question has ended after its present step"
    jobs.close()


# -- enemies that are clicked ------------------------------------------------------------------------


def test_a_shot_at_an_enemy_in_sight_takes_three_clicks(driver: Driver) -> None:
    """From choosing the operative on: it, the enemy, the weapon; then the dice roll."""

    def turn(battle: Battle) -> Steps[None]:
        battle.state.phase, battle.state.turning_point = "firefight", 2
        for id, x, y in ((GUN, 6.0, 11.0), (FRIEND, 6.0, 4.0), (ENEMY, 12.0, 11.0), (OTHER, 24.0, 18.0)):
            set_up(battle, id, x, y, "conceal")
        options = [Option(id, id) for id in (GUN, FRIEND)]
        chosen = yield from pick("red", "activate", "Who?", options, {id: id for id in (GUN, FRIEND)})
        who = battle.state.operatives[chosen]
        order = yield from which_order(battle, who)
        yield ActivationBegan(who.id, "activation", order, battle.apl(who).value)
        action = yield from choose_action(battle, who)
        assert action is not None
        yield from action.perform(battle, who)
        yield from confirm("red", "end", "Enough?")

    match = asking(turn, Agreement(), clock=driver.desktop.clock, dice=Random(1))
    show(driver, match)
    rest(driver)
    driver.clicks = 0
    click_on(driver, GUN)
    assert match.decision is not None
    assert match.decision.topic == "order"
    click_on(driver, ENEMY)
    row = next(name for name in driver.desktop.ui.rects if name.startswith("attack-shoot-"))
    assert "% out" in driver.said(), "the odds are there at once"
    driver.press(row)
    assert driver.clicks == 3
    told = [getattr(event, "text", "") for event in match.game.events]
    assert any("shoots" in text for text in told), "the dice are rolled"
    assert match.game.answers[:3] == [GUN, "engage", "Shoot"]


def test_shoot_is_locked_where_no_weapon_has_a_target(driver: Driver) -> None:
    """The cutter's irons reach 6": at 5 there is a target, at 8 there is none."""
    for gap, is_open in ((5.0, True), (8.0, False)):

        def procedure(battle: Battle, gap: float = gap) -> Steps[None]:
            battle.state.phase, battle.state.turning_point = "firefight", 2
            who = set_up(battle, ENEMY, 12.0, 11.0)
            set_up(battle, GUN, 12.0 - gap - 1.2, 11.0)
            yield ActivationBegan(who.id, "activation", "engage", 2)
            yield from choose_action(battle, who)

        match = asking(procedure, clock=driver.desktop.clock)
        show(driver, match)
        rest(driver)
        assert match.draft is not None
        shoot = next(choice for choice in match.draft.choices if choice.key == "Shoot")
        assert (shoot.refusal == "") == is_open
        driver.press("choice-Shoot")
        assert bool(match.game.answers) == is_open
        assert is_open or "No weapon has a valid target: " in driver.said()


def test_a_click_on_an_enemy_charges_it(driver: Driver) -> None:
    match = asking(field((11.0, 11.0)), clock=driver.desktop.clock)
    show(driver, match)
    rest(driver)
    click_on(driver, ENEMY)
    driver.press("attack-charge")
    rest(driver)
    assert match.game.answers == ["Charge"]
    assert match.decision is not None
    assert match.decision.topic == "move"
    driver.key("escape")
    far = attacks_from(asking(field((25.0, 11.0))).game.battle.twin(), GUN, "action")
    assert "away" in dict(far.far)[ENEMY]
    assert far.why_not("Charge").startswith("No enemy is near enough"), "and the action is locked"
    near = attacks_from(asking(field((11.0, 11.0))).game.battle.twin(), GUN, "action")
    assert ENEMY not in dict(near.far)
    assert near.why_not("Charge") == ""


@pytest.mark.rule("KT24-W-HEAVY")
def test_a_weapon_that_cannot_be_used_now_is_listed_with_why() -> None:
    """The far rifle held steady is Heavy: after a move it cannot be used, and is not silently left out."""

    def procedure(battle: Battle) -> Steps[None]:
        battle.state.phase, battle.state.turning_point = "firefight", 2
        who = set_up(battle, ME, 6.0, 11.0)
        set_up(battle, ENEMY, 16.0, 11.0)
        yield ActivationBegan(who.id, "activation", "engage", battle.apl(who).value)
        yield from choose_action(battle, who)

    battle = asking(procedure).game.battle.twin()
    before = attacks_from(battle, ME, "action")
    assert before.barred == ()
    assert battle.state.activation is not None
    battle.state.activation.actions.append("Reposition")
    battle.state.activation.moves.append("Reposition")
    after = attacks_from(battle, ME, "action")
    assert [weapon for weapon, _ in after.barred] == ["Far rifle (steady)"]
    rows = intents_at(after, ENEMY, "Cutter 1", {})
    assert [row.refusal for row in rows if row.title == "Shoot: Far rifle (steady)"] == [after.barred[0][1]]


# -- fewer stumbles ----------------------------------------------------------------------------------


def test_a_choice_too_many_says_why(driver: Driver) -> None:
    letters = [Option(key, key.upper()) for key in "abc"]

    def procedure(battle: Battle) -> Steps[Any]:
        kit = PickSome(seat="red", topic="kit", prompt="Which?", options=tuple(letters), least=0, most=2)
        return (yield from ask(kit))

    match = asking(procedure, clock=driver.desktop.clock)
    show(driver, match)
    for key in "ab":
        driver.press(f"choice-{key}")
    assert "more cannot be" not in driver.said()
    driver.press("choice-c")
    assert "C: 2 are chosen, and more cannot be. Take one back first." in driver.said()


def test_every_list_goes_back(driver: Driver) -> None:
    match = asking(field(topic="order"), clock=driver.desktop.clock)
    show(driver, match)
    rest(driver)
    assert "go-back" not in driver.desktop.ui.rects
    driver.key("e")
    rest(driver)
    driver.press("go-back")
    assert match.game.answers == []
    driver.key("e")
    driver.key("backspace")
    assert match.game.answers == []


# -- the camera --------------------------------------------------------------------------------------


def test_the_camera_stays_unless_something_that_matters_is_out_of_sight(driver: Driver) -> None:
    match = asking(field(topic="order"), clock=driver.desktop.clock)
    show(driver, match)
    rest(driver)
    screen = game(driver)
    screen.picture.zoom(1, screen.picture.places([(6.0, 11.0, 0.0)])[0] or (500, 300))
    driver.settle()
    before = screen.picture.camera.goal
    driver.key("e")
    rest(driver)
    assert screen.picture.camera.goal == before, "whoever acts is in sight"
    for _ in range(12):
        screen.picture.zoom(3, screen.picture.places([(27.0, 20.0, 0.0)])[0] or (500, 300))
    driver.settle()
    one = next(one for one in screen.table.scene().operatives if one.id == GUN)
    assert not is_in_sight(screen.picture, [one])
    driver.key("backspace")
    driver.settle()
    assert is_in_sight(screen.picture, [one]), "the question about it brings it back"


def wait_for(driver: Driver, what: Callable[[], bool]) -> None:
    """Draw until it has come about: a bot thinks in a process of its own."""
    until = time.monotonic() + 120
    while not what():
        assert time.monotonic() < until
        driver.desktop.frame()
        time.sleep(0.005)


# -- to the first activation -------------------------------------------------------------------------


def test_four_clicks_from_the_start_to_the_first_activation(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    """Against a bot with the choices of last time: solo, begin, straight to it."""
    chosen = {"board": "open", "red-seat": "random", "mission": "approved-ops-2024"}
    keep_choices("solo-setup", chosen)
    driver.clicks = 0
    driver.press("solo")
    driver.press("begin")
    without_pictures(monkeypatch)
    match = game(driver).match
    wait_for(driver, lambda: match.prompt is not None and "prepare" in driver.desktop.ui.rects)
    driver.press("prepare")
    wait_for(driver, lambda: match.decision is not None and match.decision.topic == "activate")
    assert match.game.state.phase == "firefight"
    assert driver.clicks <= 4, f"{driver.clicks} clicks"
    assert match.helped > 10
