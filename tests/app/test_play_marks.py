"""Who is meant: on the table and in words, whatever of an attack is asked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest
from desktop_driver import Driver
from play_driver import PLAIN, asking, begin, driver, engine, game, rest, show

from ktsim.app.play.match import Match
from ktsim.app.play.menu import AgreementScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.roster import member_of
from ktsim.app.play.saves import Agreement
from ktsim.app.play.topics import NO_TARGET, NO_TARGETS
from ktsim.app.stage.overlays import Label, lines_of, selection
from ktsim.game.journal import Recorded
from ktsim.game.players import Purposeful
from ktsim.game.setup import Setup
from ktsim.rules.engine.activation import which_order
from ktsim.rules.engine.attack import Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Pick, Roll, Steps
from ktsim.rules.engine.open_table import OpenTable
from ktsim.rules.engine.operative_events import ActionEnded, ActivationBegan, Incapacitated
from ktsim.rules.engine.state import Effect, OperativeState, State
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.kt24.turn import choose_action
from ktsim.sight import ruling as sight_ruling

__all__ = ["driver", "engine"]

TRAINING = Setup(board="training-ground", mission="skirmish")


def labels(driver: Driver) -> list[str]:
    return [item.text for item in game(driver).picture.items if isinstance(item, Label)]


def lasting(driver: Driver) -> list[str]:
    """The labels that are shown whatever else is there, unlike everybody's names."""
    return [item.text for item in game(driver).picture.items if isinstance(item, Label) and not item.may_hide]


def is_ringed(driver: Driver, id: str) -> bool:
    """Whether the operative has the double ring of whoever is meant."""
    screen = game(driver)
    there = [one for one in screen.table.scene().operatives if one.id == id]  # nobody who was removed
    return any(set(selection(one)) <= set(screen.picture.items) for one in there)


def play_until_told(match: Match, words: str) -> tuple[str, str]:
    """Answer until the log tells of such an attack; who attacks whom."""
    player = Purposeful(5)
    while match.decision is not None:
        told = len(match.game.events)
        match.submit(player.answer(match.decision, match.game))
        for event in match.game.events[told:]:
            if words in getattr(event, "text", ""):
                return event.subjects[0], event.subjects[1]  # type: ignore[attr-defined]
    raise AssertionError("nobody attacks")


@pytest.mark.parametrize(("words", "verb"), [("shoots {1}", "shoots"), ("fights {1}", "fights")])
def test_both_are_marked_in_every_decision_of_a_sequence(driver: Driver, tmp_path: Path, words: str, verb: str) -> None:
    begin(driver, tmp_path / "game.ktsim", PLAIN, Agreement(dice="typed"))
    screen, rng = game(driver), Random(2)
    match = screen.match
    attacker, target = play_until_told(match, words)
    names = [match.game.battle.name(id) for id in (attacker, target)]
    told, asked = len(match.game.events), []
    while not any(isinstance(event, ActionEnded) for event in match.game.events[told:]):
        driver.settle()
        decision = match.decision
        assert decision is not None
        asked.append(decision.topic)
        shown = labels(driver)
        for id, name in zip((attacker, target), names, strict=True):
            assert shown.count(name) == 1, f"{name} at {decision.topic}"
            assert name in lasting(driver), f"{name} at {decision.topic}"
            assert is_ringed(driver, id)
        if isinstance(decision, Roll) and decision.roller == match.game.state.operatives[attacker].side:
            assert f"{names[0]} {verb} {names[1]}" in driver.said()
        # Normal and critical successes: there is something to block and to resolve.
        match.submit((6, 5, 6, 5, 6, 5)[: decision.count] if isinstance(decision, Roll) else decision.sample(rng))
    assert asked.count("attack") == (1 if verb == "shoots" else 2)
    assert ("block" if verb == "shoots" else "resolve") in asked
    driver.settle()
    assert not set(names) <= set(lasting(driver)), "the sequence is over"
    assert not (is_ringed(driver, attacker) and is_ringed(driver, target))


def test_a_line_of_the_log_leaves_the_two_of_an_attack_marked(driver: Driver, tmp_path: Path) -> None:
    begin(driver, tmp_path / "game.ktsim", PLAIN, Agreement(dice="typed"))
    match = game(driver).match
    pair = play_until_told(match, "shoots {1}")
    driver.press("tab-log")
    other = next(
        line
        for line in reversed(match.log.lines)
        if line.subjects and not set(line.subjects) & set(pair) and line.subjects[0] in match.game.state.operatives
    )
    game(driver).table.shown_line = other.number
    driver.desktop.refresh()
    driver.settle()
    shown = labels(driver)
    assert match.game.battle.name(other.subjects[0]) in shown
    for id in pair:
        assert match.game.battle.name(id) in shown
        assert is_ringed(driver, id)


def test_the_line_seen_at_the_target_stays_and_is_not_ruled_anew(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(driver, tmp_path / "game.ktsim", TRAINING, Agreement(dice="typed"))
    match, rng = game(driver).match, Random(5)
    while match.decision is not None and match.decision.topic != "target":
        decision = match.decision
        keys = [option.key for option in getattr(decision, "options", ()) if option.refusal is None]
        wanted = [key for key in ("Shoot", "engage") if key in keys and rng.random() < 0.6]
        match.submit(wanted[0] if wanted else decision.sample(rng))
    driver.settle()
    rest(driver)
    seen = lines_of(game(driver).picture.items)
    assert seen
    asked: list[Any] = []
    monkeypatch.setattr(sight_ruling, "ruling", lambda *given: asked.append(given))
    driver.press("confirm")
    rest(driver)
    assert match.decision is not None
    assert match.attack() is not None
    assert set(lines_of(game(driver).picture.items)) == set(seen)
    assert not asked


def test_a_mark_of_the_timeline_says_what_it_is(driver: Driver, tmp_path: Path) -> None:
    path = tmp_path / "game.ktsim"
    begin(driver, path, PLAIN)
    match, player = game(driver).match, Purposeful(5)
    match.shown.is_animated = False
    while not any(isinstance(event, Incapacitated) for event in match.game.events):
        match.advance()
        assert match.decision is not None
        match.submit(player.answer(match.decision, match.game))
    driver.desktop.home()
    screen = ReplayScreen(driver.desktop, path)
    driver.desktop.push(screen)
    while not screen.replay.is_ready:
        driver.desktop.frame()
    driver.settle()
    mark = next(mark for mark in screen.replay.landmarks if not mark.is_activation)
    words = f"{mark.text}, turning point {mark.turning_point}, answer {mark.moment}"
    assert driver.desktop.ui.told != words
    driver.point(*driver.middle_of(f"mark-{mark.moment}"))
    assert driver.desktop.ui.told == words
    screen.go(next(moment.number for moment in screen.replay.moments if moment.roll and moment.question[-4:] == "dice"))
    driver.settle()
    roll = screen.moment.roll
    assert roll is not None
    assert isinstance(roll.about, Hand)
    assert f"{roll.about.who} {roll.about.verb} {roll.about.whom}" in driver.said()
    named = {item.text for item in screen.picture.items if isinstance(item, Label)}
    assert {roll.about.who, roll.about.whom} <= named


@pytest.mark.parametrize("is_older", [True, False])
def test_a_replay_of_an_older_save_says_that_it_may_differ(
    driver: Driver, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_older: bool
) -> None:
    path = tmp_path / "game.ktsim"
    begin(driver, path, PLAIN)
    driver.desktop.home()
    if is_older:  # the hashes of the oldest format say nothing now
        monkeypatch.setattr(Recorded, "has_hashes", False)
    screen = ReplayScreen(driver.desktop, path)
    driver.desktop.push(screen)
    for _ in range(10):
        driver.desktop.frame()
    assert screen.replay.is_ready
    assert ("it may differ" in driver.desktop.notice) is is_older


def test_a_replay_whose_answers_do_not_fit_any_more_is_left_with_the_reason(driver: Driver) -> None:
    path = Path(__file__).parents[1] / "game" / "saves" / "0.1.0-skirmish.ktsim"
    screen = ReplayScreen(driver.desktop, path)
    driver.desktop.push(screen)
    for _ in range(200):
        driver.desktop.frame()
        if driver.desktop.top is not screen:
            break
    assert driver.desktop.top is not screen
    assert "is not legal here" in driver.desktop.notice


def test_alone_against_a_bot_only_the_person_agrees_to_go_back(driver: Driver) -> None:
    match = asking(shooting, Agreement(red="random"), clock=driver.desktop.clock)
    gone: list[bool] = []
    screen = AgreementScreen(driver.desktop, match, lambda is_agreed: gone.append(is_agreed))
    driver.desktop.push(screen)
    driver.settle()
    assert "when you agree" in driver.said()
    driver.key("r")
    assert not gone, "that seat is a bot's"
    driver.press("agree-blue")
    assert gone == [True]


# -- words ---------------------------------------------------------------------------------------------------


def set_up(battle: Battle, id: str, x: int, y: int) -> OperativeState:
    who = battle.state.operatives[id]
    who.x, who.y, who.level, who.is_set_up, who.is_ready, who.order = x, y, 0, True, True, "engage"
    return who


def shooting(battle: Battle) -> Steps[None]:
    set_up(battle, "blue-spitter-1", 12000, 11000)
    yield from Shoot().perform(battle, set_up(battle, "red-long-eye-1", 6000, 11000))


def blind(monkeypatch: pytest.MonkeyPatch, word: str) -> None:
    """Nobody is visible to weapons with that word; without one nobody is visible at all."""
    real = OpenTable.target_ruling

    def ruled(self: OpenTable, state: State, shooter: str, target: str, words: tuple[str, ...]) -> TargetRuling:
        found = real(self, state, shooter, target, words)
        return replace(found, is_visible=False, is_valid=False) if not word or word in words else found

    monkeypatch.setattr(OpenTable, "target_ruling", ruled)


@pytest.mark.rule("KT24-CANCEL")
def test_a_weapon_without_a_target_is_marked_and_not_preselected(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind(monkeypatch, "seek light")
    match = asking(shooting, clock=driver.desktop.clock)
    show(driver, match)
    assert match.draft is not None
    steady, quick = match.draft.choices
    assert (steady.warning, quick.warning) == (NO_TARGET, "")
    assert not steady.refusal, "the rules allow it"
    assert match.draft.marked == [quick.key]
    said = driver.said()
    assert said.count(NO_TARGET) == 1
    assert NO_TARGETS not in said


@pytest.mark.parametrize("word", ["", "no such word"])
def test_when_no_weapon_has_a_target_it_is_said_at_the_top(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    blind(monkeypatch, word)
    show(driver, asking(shooting, clock=driver.desktop.clock))
    assert (NO_TARGETS in driver.said()) == (not word)
    assert (NO_TARGET in driver.said()) == (not word)


@pytest.mark.rule("KT24-ORDER")
@pytest.mark.rule("KT24-SHOOT")
@pytest.mark.parametrize(
    ("id", "order", "words"),
    [
        ("red-long-eye-1", "conceal", "Silent weapon: Far rifle (steady)"),
        ("red-long-eye-1", "engage", "Choose a weapon and a target in sight, and roll."),
        ("blue-spitter-1", "conceal", ""),
    ],
)
def test_why_a_concealed_operative_may_shoot(driver: Driver, id: str, order: Any, words: str) -> None:
    def acting(battle: Battle) -> Steps[None]:
        who = set_up(battle, id, 6000, 11000)
        set_up(battle, "blue-cutter-1" if who.side == "red" else "red-shield-hand-1", 10000, 11000)
        chosen = yield from which_order(battle, who)
        yield ActivationBegan(who.id, "activation", chosen, 2)
        yield from choose_action(battle, who)

    match = asking(acting, clock=driver.desktop.clock)
    show(driver, match)
    assert "No Charge or counteract; Shoot only with Silent weapons." in driver.said()
    driver.key(order[0])
    assert match.draft is not None
    shoot = next(choice for choice in match.draft.choices if choice.key == "Shoot")
    assert shoot.note == words
    assert bool(shoot.refusal) == (order == "conceal" and not words)
    assert not words or words in driver.said()


def test_tokens_are_short_in_the_roster_and_whole_in_its_tooltip(driver: Driver) -> None:
    match = asking(shooting, clock=driver.desktop.clock)
    battle = match.game.battle
    who = battle.state.operatives["red-long-eye-1"]
    healthy = member_of(battle, who)
    assert healthy.tokens == ()
    who.wounds = 1
    battle.state.effects.append(Effect("Pack Hunter", "TEAM", "turning-point", who.id, stat="hunted"))
    show(driver, match)
    said = driver.said().splitlines()
    assert {"injured, hunted", "injured, +1"} & set(said), "whole words, and how many more there are"
    battle.state.effects.append(Effect("Stun", "KT24-W-STUN", "next-activation", who.id, stat="apl", amount=-1))
    hurt = member_of(battle, who)
    assert hurt.tokens == ("injured", "hunted", "APL -1")
    assert "Hunted (Pack Hunter, until the end of the turning point)" in hurt.details
    assert "APL -1 (Stun, until the end of its next activation)" in hurt.details
    assert "+0" not in hurt.details


def test_digits_stay_with_what_they_choose(driver: Driver) -> None:
    def acting(battle: Battle) -> Steps[None]:
        who = set_up(battle, "red-long-eye-1", 6000, 11000)
        yield ActivationBegan(who.id, "activation", "engage", 2)
        yield from choose_action(battle, who)

    match = asking(acting, clock=driver.desktop.clock)
    show(driver, match)
    assert match.draft is not None
    rows = match.draft.choices
    open_rows = [row for row in rows if not row.refusal]
    asked = [row.key for row in match.draft.prompt.choices]
    assert any(row.refusal for row in rows)
    assert {row.key: row.digit for row in rows if row.digit} == {key: str(n) for n, key in enumerate(asked[:9], 1)}
    tops = [driver.desktop.ui.rects[f"choice-{row.key}"].y for row in rows]
    assert tops == sorted(tops), "they are shown in that order"
    locked = next(row for row in rows if row.refusal and row.digit)
    driver.key(locked.digit)
    assert match.game.answers == []
    assert locked.refusal in driver.said()
    chosen = [row for row in open_rows if row.digit][-1]
    driver.key(chosen.digit)
    assert match.game.answers == [chosen.key]


def test_what_is_marked_to_begin_with_is_seen_in_a_long_list(driver: Driver) -> None:
    keys = [f"ploy {n}" for n in range(12)]

    def acting(battle: Battle) -> Steps[None]:
        for default in (keys[-1], keys[0], keys[6]):
            options = [Option(key, f"{key}: {'words ' * 30}") for key in keys]
            yield Pick(seat="blue", topic="gambit", prompt="Which?", options=tuple(options), default=default)

    match = asking(acting, clock=driver.desktop.clock)
    show(driver, match)
    for given in range(3):
        assert match.draft is not None
        (marked,) = match.draft.marked
        driver.press(f"choice-{marked}")  # whatever lies over it there gets the click instead
        assert len(match.game.answers) == given + 1, "no Back button, and nothing outside the list"
    assert match.game.answers == [keys[-1], keys[0], keys[6]]
