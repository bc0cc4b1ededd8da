"""Small battles and scripted answers for the engine's tests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ktsim.game.game import Game
from ktsim.game.setup import Setup
from ktsim.rules.engine.action import Action
from ktsim.rules.engine.activation import perform
from ktsim.rules.engine.attack import Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.board import open_board
from ktsim.rules.engine.cards import Datacard, Ploy, Profile, Team
from ktsim.rules.engine.decisions import Decision, Roll, Steps
from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.engine.events import Event
from ktsim.rules.engine.mission import Mission
from ktsim.rules.engine.open_table import OpenTable
from ktsim.rules.engine.operative_events import ActivationBegan
from ktsim.rules.engine.rule import Rule
from ktsim.rules.engine.state import SIDES, MarkerState, OperativeState, Side, State, milli
from ktsim.rules.kt24.edition import KT24
from ktsim.rules.kt24.turn import PHASES
from ktsim.rules.moving.straight import StraightMover
from ktsim.sight.scene import RULES_DATES, Base, RulesDate, Terrain

PLAIN = Setup(board="open", table="plain", mission="skirmish")
TRAINING = Setup(board="training-ground", table="plain", mission="skirmish")
"""Games without sight, for what does not depend on it."""
RIFLE = Profile("rifle", "Rifle", "ranged", 4, 3, 3, 4)
CLUB = Profile("club", "Club", "melee", 4, 4, 3, 4)


def ranged(*rules: str, atk: int = 4, hit: int = 3, damage: tuple[int, int] = (3, 4), key: str = "gun") -> Profile:
    return Profile(key, key.title(), "ranged", atk, hit, *damage, rules)


def melee(*rules: str, atk: int = 4, hit: int = 4, damage: tuple[int, int] = (3, 4), key: str = "blade") -> Profile:
    return Profile(key, key.title(), "melee", atk, hit, *damage, rules)


def box(x: float, y: float, width: float, depth: float, height: float) -> NDArray[np.float64]:
    """The twelve triangles of an upright box with one corner at (x, y, 0)."""
    corners = np.array([[x + i * width, y + j * depth, k * height] for k in (0, 1) for j in (0, 1) for i in (0, 1)])
    faces = [
        *((0, 2, 3), (0, 3, 1), (4, 5, 7), (4, 7, 6), (0, 1, 5), (0, 5, 4)),
        *((2, 6, 7), (2, 7, 3), (0, 4, 6), (0, 6, 2), (1, 3, 7), (1, 7, 5)),
    ]
    return np.asarray(corners[np.array(faces)], dtype=np.float64)


class Answers:
    """Gives dice in order and chooses by topic; a topic's default where nothing is said."""

    def __init__(self, dice: Iterable[Sequence[int]] = (), choose: Mapping[str, Any] | None = None) -> None:
        self._dice = [tuple(each) for each in dice]
        self._choose = {
            topic: list(value) if isinstance(value, list) else [value] for topic, value in (choose or {}).items()
        }
        self.asked: list[Decision[Any]] = []

    def __call__(self, decision: Decision[Any]) -> Any:
        self.asked.append(decision)
        if isinstance(decision, Roll):
            assert self._dice, f"no dice left for: {decision.prompt}"
            return self._dice.pop(0)
        if self._choose.get(decision.topic):
            return self._choose[decision.topic].pop(0)
        assert decision.default is not None, f"no answer for {decision.topic}: {decision.prompt}"
        return decision.default

    def done(self) -> None:
        assert not self._dice, f"dice never rolled: {self._dice}"
        left = {topic: values for topic, values in self._choose.items() if values}
        assert not left, f"choices never asked for: {left}"

    @property
    def topics(self) -> list[str]:
        return [decision.topic for decision in self.asked]


def run(steps: Steps[Any], answers: Answers) -> tuple[Any, list[Event]]:
    """Run a bare procedure; its result and what it told. Every prepared answer must be used."""
    events: list[Event] = []
    answer: Any = None
    try:
        while True:
            step = steps.send(answer)
            answer = None
            if isinstance(step, Event):
                events.append(step)
            else:
                answer = answers(step)
                assert step.check(answer) is None, step.check(answer)
    except StopIteration as stop:
        answers.done()
        return stop.value, events


def hand(
    *rules: str,
    atk: int = 4,
    hit: int = 3,
    damage: tuple[int, int] = (3, 4),
    edition: EditionRules = KT24,
    **more: Any,
) -> Hand:
    values: dict[str, Any] = {"side": "red", "operative": "a", "target": "b", **more}
    return Hand(
        atk=atk,
        hit=hit,
        normal=damage[0],
        critical=damage[1],
        rules=edition.weapon_rules.parse_all(rules),
        **values,
    )


class Unscored(Mission):
    """Nothing is played for."""

    phases = PHASES


class Field:
    """A battle on an open board, put together piece by piece."""

    def __init__(
        self,
        *rules: Rule,
        terrain: Terrain | None = None,
        mission: Mission | None = None,
        edition: EditionRules = KT24,
    ) -> None:
        self.board, self.edition = open_board(), edition
        self.cards: dict[str, Datacard] = {}
        self.table = OpenTable(terrain or self.board.terrain, self.cards, StraightMover(edition.id))
        self.ploys: dict[Side, tuple[Ploy, ...]] = {"red": (), "blue": ()}
        self.state = State(edition.id, turning_point=1, phase="firefight", initiative="red", turn="red")
        self._rules, self._mission = rules, mission or Unscored()
        self.rules_as_of: RulesDate = RULES_DATES[0]

    def add(
        self,
        id: str,
        side: Side,
        at: tuple[float, float],
        *weapons: Profile,
        apl: int = 2,
        move: int = 6,
        save: int = 4,
        wounds: int = 10,
        base: float = 25.4,
        defence: int = 3,
        invulnerable: int = 0,
        **more: Any,
    ) -> Field:
        """An operative with a 1" base unless said, on Engage, ready."""
        kit = weapons or (RIFLE, CLUB)
        self.cards[id] = Datacard(
            id,
            id,
            apl,
            move,
            save,
            wounds,
            Base.of_mm(base),
            1.3,
            "trooper",
            (),
            tuple(kit),
            (),
            20,
            (),
            defence,
            invulnerable,
        )
        values: dict[str, Any] = {"order": "engage", "is_ready": True, "is_set_up": True, "wounds": wounds, **more}
        who = OperativeState(id, id.upper(), side, id, x=milli(at[0]), y=milli(at[1]), **values)
        self.state.operatives[id] = who
        return self

    def marker(self, id: str, at: tuple[float, float], **more: Any) -> Field:
        self.state.markers[id] = MarkerState(id, "mission", milli(at[0]), milli(at[1]), 0, 394, **more)
        return self

    def battle(self) -> Battle:
        teams = {side: Team(side, side.title(), (), 0, self.team_cards(side), (), self.ploys[side]) for side in SIDES}
        on = (self.board, teams, self.cards, self.table)
        battle = Battle(self.edition, *on, self._mission, self._rules, self.rules_as_of)  # type: ignore[arg-type]
        battle.state = self.state
        return battle

    def team_cards(self, side: Side) -> tuple[Datacard, ...]:
        own = {who.card for who in self.state.operatives.values() if who.side == side}
        return tuple(card for id, card in self.cards.items() if id in own)

    def game(self, procedure: Callable[[Battle], Steps[Any]]) -> Game:
        return Game(self.battle(), self.state, procedure)

    def play(self, procedure: Callable[[Battle], Steps[Any]], answers: Answers | None = None) -> Game:
        """Run *procedure* to its end with prepared answers."""
        answers = answers or Answers()
        game = self.game(procedure)
        while game.pending is not None:
            game.submit(answers(game.pending))
        answers.done()
        return game

    def act(
        self,
        id: str,
        *actions: Action,
        dice: Iterable[Sequence[int]] = (),
        choose: Mapping[str, Any] | None = None,
        kind: str = "activation",
    ) -> Game:
        """Activate an operative on its present order and have it perform *actions*."""
        return self.play(acting(id, *actions, kind=kind), Answers(dice, choose))


def acting(id: str, *actions: Action, kind: str = "activation") -> Callable[[Battle], Steps[None]]:
    def procedure(battle: Battle) -> Steps[None]:
        who = battle.state.operatives[id]
        yield ActivationBegan(id, kind, who.order, battle.apl(who).value)
        for action in actions:
            yield from perform(battle, who, action, action.ap)

    return procedure


def at(x: float, y: float) -> tuple[int, int, int]:
    return (milli(x), milli(y), 0)


def story(game: Game) -> list[str]:
    return [words for event in game.events if (words := event.words(game.battle.name))]
