"""The screens of games: set-up, every kind of question, the end, saved games, replays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from tempfile import mkdtemp

from desktop_driver import Driver
from play_driver import asking, game, rest, show

from ktsim.app.play.draft import Draft
from ktsim.app.play.match import Match
from ktsim.app.play.menu import AgreementScreen
from ktsim.app.play.replay_screen import ReplayScreen
from ktsim.app.play.saves import Agreement
from ktsim.app.play.setup_screen import SavesScreen, SetupScreen
from ktsim.game.session import autosave_path
from ktsim.game.setup import Setup
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Option, Steps, pick
from ktsim.rules.engine.state import Point

from . import shot

VOLKUS = Setup(board="volkus-1", mission="skirmish")


def played(
    driver: Driver,
    until: Callable[[Draft], bool],
    setup: Setup = VOLKUS,
    seed: int = 4,
    prefer: tuple[str, ...] = (),
    agreement: Agreement | None = None,
) -> Match:
    """A game shown at a question, see :func:`asked`."""
    driver.desktop.settings = replace(driver.desktop.settings, motion=False)
    match = asked(driver, until, setup, seed, prefer, agreement)
    show(driver, match)
    rest(driver)
    return match


def asked(
    driver: Driver,
    until: Callable[[Draft], bool],
    setup: Setup,
    seed: int,
    prefer: tuple[str, ...],
    agreement: Agreement | None = None,
) -> Match:
    """A game answered at random, or by what is preferred, until a question is asked or it is over."""
    path = Path(mkdtemp()) / "game.ktsim"
    match = Match.begin(setup, agreement or Agreement(), path, dice=Random(seed), clock=driver.desktop.clock)
    match.shown.is_animated = False
    rng = Random(seed)
    for _ in range(3000):
        match.advance()
        draft = match.draft
        if draft is None or until(draft):
            break
        open_keys = [choice.key for choice in draft.prompt.choices if not choice.refusal]
        # Not always: an action that cannot be completed is offered again and again.
        wanted = next((key for key in prefer if key in open_keys and rng.random() < 0.6), None)
        answer = wanted if wanted is not None else draft.decision.sample(rng)
        if draft.prompt.kind == "walk" and prefer:
            answer = nearest(match, draft, rng)
        match.submit(answer)
    return match


def nearest(match: Match, draft: Draft, rng: Random) -> object:
    """Of some legal moves the one that ends nearest to an enemy."""
    enemies = match.game.state.enemies(draft.prompt.operative)
    tries = [draft.decision.sample(rng) for _ in range(6)]
    ways = [way for way in tries if way]
    if not ways or not enemies:
        return tries[0]
    return min(ways, key=lambda way: min((way[-1][0] - e.x) ** 2 + (way[-1][1] - e.y) ** 2 for e in enemies))


def topic(name: str) -> Callable[[Draft], bool]:
    return lambda draft: draft.prompt.topic == name


@shot("play-hot-seat-setup")
def hot_seat_setup(driver: Driver) -> None:
    driver.desktop.push(SetupScreen(driver.desktop, is_solo=False))


@shot("play-solo-setup")
def solo_setup(driver: Driver) -> None:
    driver.desktop.push(SetupScreen(driver.desktop, is_solo=True))


@shot("play-placing")
def placing(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.kind == "place")
    draft = game(driver).match.draft
    assert draft is not None
    draft.suggest()
    driver.desktop.refresh()


@shot("play-placing-refused")
def placing_refused(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.kind == "place")
    draft = game(driver).match.draft
    assert draft is not None
    draft.put((15000, 9000, 0))
    driver.desktop.refresh()


@shot("play-keys")
def keys(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.kind == "place")
    driver.key("f1")


@shot("play-gambit")
def gambit(driver: Driver) -> None:
    played(driver, topic("gambit"), Setup(board="volkus-1"))


@shot("play-activate")
def activate(driver: Driver) -> None:
    played(driver, topic("activate"))


@shot("play-action")
def action(driver: Driver) -> None:
    played(driver, topic("action"))


@shot("play-move")
def move(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.kind == "walk" and draft.prompt.allowance > 4, seed=6)
    screen = game(driver)
    reach, draft = screen.table.reach(), screen.match.draft
    assert reach is not None
    assert draft is not None
    far = max(reach.cells, key=lambda cell: (cell[4], cell[5]))
    draft.put((round(500 * (far[0] + far[2])), round(500 * (far[1] + far[3])), round(1000 * far[4])))
    driver.desktop.refresh()
    rest(driver)


@shot("play-move-refused")
def move_refused(driver: Driver) -> None:
    played(driver, lambda draft: draft.prompt.kind == "walk", seed=6)
    screen = game(driver)
    draft = screen.match.draft
    assert draft is not None
    who = screen.match.game.state.operatives[draft.prompt.operative]
    draft.put((who.x + (9000 if who.x < 15000 else -9000), who.y, 0))
    driver.desktop.refresh()
    rest(driver)


TOMB = Setup(board="tomb-world-1", mission="skirmish", red="keelwrights", rules="2026-01")


def acting_at(driver: Driver, at: Point, enemy: Point, *answers: str) -> Match:
    """A game on the Tomb World with whoever is activated at a place, an enemy at another, some answers on."""
    match = asked(driver, topic("activate"), TOMB, 4, ())
    state, draft = match.game.state, match.draft
    assert draft is not None
    who = state.operatives[draft.prompt.choices[0].key]
    other = state.enemies(who.id)[0]
    who.x, who.y, who.level = at
    other.x, other.y, other.level = enemy
    state.turning_point = 2
    for answer in (who.id, "engage", *answers):
        match.submit(answer)
        match.advance()
    driver.desktop.settings = replace(driver.desktop.settings, motion=False)
    show(driver, match)
    rest(driver)
    return match


@shot("play-breach")
def breach(driver: Driver) -> None:
    acting_at(driver, (13750, 16540, 0), (13400, 14500, 0))


@shot("play-breached")
def breached(driver: Driver) -> None:
    acting_at(driver, (13750, 16540, 0), (13400, 12500, 0), "Breach")


@shot("play-teleport")
def teleport(driver: Driver) -> None:
    acting_at(driver, (5900, 9793, 100), (13400, 12500, 0), "Reposition")
    driver.desktop.refresh()


@shot("play-teleport-route")
def teleport_route(driver: Driver) -> None:
    match = acting_at(driver, (5900, 9793, 100), (21700, 13707, 100), "Reposition")
    assert match.draft is not None
    match.draft.put((21600, 13707, 100))
    driver.desktop.refresh()
    rest(driver)


SHOOTING = ("engage", "Shoot")


@shot("play-weapon")
def weapon(driver: Driver) -> None:
    played(driver, topic("weapon"), prefer=SHOOTING, seed=5)


@shot("play-target")
def target(driver: Driver) -> None:
    played(driver, topic("target"), prefer=SHOOTING, seed=5)


@shot("play-reroll")
def reroll(driver: Driver) -> None:
    played(driver, topic("reroll"), prefer=SHOOTING, seed=5)


@shot("play-block")
def block(driver: Driver) -> None:
    played(driver, topic("block"), prefer=SHOOTING, seed=7)


@shot("play-fight")
def fight(driver: Driver) -> None:
    played(driver, topic("resolve"), prefer=("engage", "Fight", "Charge", "Reposition"), seed=2)


@shot("play-log")
def log(driver: Driver) -> None:
    match = played(
        driver, lambda draft: draft.prompt.topic == "reroll", prefer=("engage", "Shoot", "Reposition"), seed=9
    )
    screen = game(driver)
    screen.tab = "log"
    line = next((line for line in reversed(match.log.lines) if line.path and len(line.subjects) == 1), None)
    screen.table.shown_line = line.number if line is not None else None
    driver.desktop.refresh()


@shot("play-score")
def scored(driver: Driver) -> None:
    def late(draft: Draft) -> bool:
        state = game_state[0].game.state if game_state else None
        return state is not None and state.turning_point >= 3 and draft.prompt.topic == "activate"

    game_state: list[Match] = []
    real = Match.begin

    def remember(*args: object, **options: object) -> Match:
        made = real(*args, **options)  # type: ignore[arg-type]
        game_state.append(made)
        return made

    Match.begin = remember  # type: ignore[method-assign, assignment]
    try:
        played(driver, late, Setup(board="volkus-1"), seed=3)
    finally:
        Match.begin = real  # type: ignore[method-assign]
    game(driver).tab = "mission"
    driver.desktop.refresh()


@shot("play-typed-dice")
def typed_dice(driver: Driver) -> None:
    played(
        driver,
        lambda draft: draft.prompt.kind == "roll" and draft.prompt.dice > 2,
        prefer=SHOOTING,
        seed=5,
        agreement=Agreement(dice="typed"),
    )
    draft = game(driver).match.draft
    assert draft is not None
    draft.roll(5)
    draft.roll(2)
    driver.desktop.refresh()


def tac_ops(battle: Battle) -> Steps[str]:
    options = [
        Option("flank", "Flank: end the turning point with friends near both sides of the killzone, 1VP each"),
        Option("track", "Track Enemy: from Conceal have an enemy as a valid target that cannot target you, 1VP"),
        Option("plant", "Plant Banner: plant a banner deep in the enemy territory and keep it", "Not your archetype."),
    ]
    values = {option.key: option.key for option in options}
    return (yield from pick("red", "tac op", "Choose your tac op.", options, values, secret=True))


@shot("play-hand-over")
def hand_over(driver: Driver) -> None:
    show(driver, asking(tac_ops, clock=driver.desktop.clock))


@shot("play-secret")
def secret(driver: Driver) -> None:
    match = asking(tac_ops, clock=driver.desktop.clock)
    show(driver, match)
    match.accept()
    driver.desktop.refresh()


@shot("play-agreement")
def agree(driver: Driver) -> None:
    match = played(driver, topic("initiative"))
    driver.desktop.push(AgreementScreen(driver.desktop, match))


@shot("play-over")
def over(driver: Driver) -> None:
    played(driver, lambda draft: False, prefer=("engage", "Shoot", "Fight", "Charge", "Reposition"), seed=9)


@shot("play-saves")
def saves(driver: Driver) -> None:
    for red in ("lantern-wardens", "keelwrights", "brine-throng"):
        setup = Setup(board="volkus-2", red=red, mission="skirmish")
        Match.begin(setup, Agreement(red="random" if red == "keelwrights" else "human"), autosave_path()).close()
    driver.desktop.push(SavesScreen.loading(driver.desktop))


@shot("play-replay")
def replay(driver: Driver) -> None:
    match = played(driver, lambda draft: False, prefer=("engage", "Shoot", "Fight", "Charge", "Reposition"), seed=9)
    driver.desktop.home()
    assert match.path is not None
    screen = ReplayScreen(driver.desktop, match.path)
    driver.desktop.push(screen)
    while not screen.replay.is_ready:
        driver.desktop.frame()
    rolls = [moment.number for moment in screen.replay.moments if moment.roll is not None]
    screen.go(rolls[len(rolls) * 2 // 3])
