"""The first lesson: a short guided game in which every step waits for the right thing and says why.

The table is laid, the dice fall as written here and the enemy does what is written here, so that it always comes out
the same; every answer is still one of the game's own, and the rules judge it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot
from random import Random
from typing import Any

from ktsim.game.game import Game
from ktsim.game.rehearsal import usual_answer
from ktsim.game.setup import Setup, prepare
from ktsim.rules.engine.decisions import CANCEL, Decision, Pick, Roll
from ktsim.rules.engine.state import OrderName, Point, Side, milli
from ktsim.rules.engine.table import contests

SETUP = Setup(board="training-ground", red="gravel-jackals", blue="lantern-wardens", mission="skirmish")
LEARNER: Side = "blue"
GUNNER, SHIELD = "blue-lamp-gunner-1", "blue-shield-hand-1"
IN_THE_OPEN, THROWER, BRAWLER = "red-cutter-1", "red-cutter-3", "red-cutter-2"
COVER: tuple[float, float] = (22.85, 14.5)
"""Behind the sandbags."""
NEAR = 1.0
"""Inches from there that are near enough, if it is in cover."""
OBJECTIVE = "objective-3"

STANDS: dict[str, tuple[float, float, OrderName]] = {
    GUNNER: (26.0, 16.5, "conceal"),
    SHIELD: (25.5, 19.0, "conceal"),
    IN_THE_OPEN: (16.0, 12.5, "engage"),
    THROWER: (17.6, 15.2, "engage"),
    BRAWLER: (20.4, 19.6, "engage"),
    "red-digger-1": (3.0, 5.0, "conceal"),
    "red-bone-thrower-1": (3.0, 18.0, "conceal"),
}
DICE = {
    ("attack", GUNNER): (6, 5, 4, 3),
    ("attack", SHIELD): (6, 5, 4, 3),
    ("attack", THROWER): (5, 4, 2, 1),
    ("attack", BRAWLER): (4, 2, 2, 2),
    ("defence", "blue"): (5, 1, 1),
}
"""By what is rolled and by whom; whatever is not here comes up low."""
LOW = (1, 2, 1, 2, 1, 2)
ENEMY = (THROWER, "red-digger-1", "red-bone-thrower-1")
"""Who of the enemy acts, one after the other."""


def begin() -> Game:
    """The game as the lesson finds it: the second turning point, the learner's first activation."""
    battle, state = prepare(SETUP)
    state.turning_point, state.phase, state.initiative, state.turn = 2, "firefight", LEARNER, LEARNER
    state.operatives = {id: state.operatives[id] for id in STANDS}
    for id, who in state.operatives.items():
        x, y, who.order = STANDS[id]
        who.x, who.y, who.is_set_up, who.is_ready = milli(x), milli(y), True, True
    return Game(battle, state)


class LessonDice:
    """Chance as the lesson needs it."""

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        if not isinstance(decision, Roll):
            return decision.sample(Random(0))
        who = getattr(decision.about, "operative", None)
        faces = DICE.get((decision.topic, who or "")) or DICE.get((decision.topic, decision.roller or "")) or LOW
        return tuple(sorted(faces[: decision.count]))


class LessonEnemy:
    """The other side as the lesson needs it: one shot, and otherwise it waits."""

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        now = game.state.activation
        id = now.operative if now is not None else str(decision.about)
        wanted: Any = None
        if isinstance(decision, Pick):
            open_keys = decision.open_keys
            if decision.topic == "activate":
                wanted = next((key for key in ENEMY if key in open_keys), None)
            elif decision.topic == "order":
                wanted = "engage" if id == THROWER else "conceal"
            elif decision.topic == "action":
                has_shot = now is not None and "Shoot" in now.actions
                wanted = "Shoot" if id == THROWER and not has_shot else "pass"
            elif decision.topic == "target":
                wanted = GUNNER
            elif decision.topic == "counteract":
                wanted = "none"
            if wanted in open_keys:
                return wanted
        return usual_answer(decision)


Refuses = Callable[[Game, Any], str | None]


@dataclass(frozen=True)
class LessonStep:
    """One thing to do. *topic* is the question it answers; *refuses* says why an answer is not yet the right one."""

    topic: str
    title: str
    text: str
    refuses: Refuses
    spot: Point | None = None
    """Where to look on the table."""
    look: tuple[str, ...] = ()
    """Operatives to look at."""


def _is(key: str, why: str) -> Refuses:
    return lambda game, answer: None if answer == key else why


def _into_cover(game: Game, path: Any) -> str | None:
    if path == CANCEL or not path:
        return "Click a place behind the sandbags first."
    state = game.battle.state.copy()
    who = state.operatives[GUNNER]
    who.x, who.y, who.level = path[-1]
    if hypot(who.x / 1000 - COVER[0], who.y / 1000 - COVER[1]) > 3 * NEAR:
        return "That is a legal move, but not to the sandbags: the ring on the table shows where."
    ruling = game.battle.table.target_ruling(state, THROWER, GUNNER, ())
    if not ruling.in_cover:
        return "There Cutter 3 would see it in the open: stand close behind the sandbags, so that they are in the way."
    return None


def _to_objective(game: Game, path: Any) -> str | None:
    if path == CANCEL or not path:
        return "Click a place near objective marker 3 first."
    state = game.battle.state.copy()
    who = state.operatives[GUNNER]
    who.x, who.y, who.level = path[-1]
    if not contests(game.battle.table, state, who, state.markers[OBJECTIVE]):
        return 'Nearer: the marker must be within control range, 1" from its base.'
    return None


STEPS: tuple[LessonStep, ...] = (
    LessonStep(
        "activate",
        "Choose who acts",
        "Players take turns: each activates one operative that is ready. Click Lamp Gunner 1 in the list at the right.",
        _is(GUNNER, "Begin with Lamp Gunner 1: it has somebody to shoot."),
        look=(GUNNER,),
    ),
    LessonStep(
        "order",
        "Give it an order",
        "On Conceal an operative is hard to target but may neither shoot nor charge. It is to shoot: give it Engage.",
        _is("engage", "On Conceal it may not shoot. Engage is the order for that."),
        look=(GUNNER,),
    ),
    LessonStep(
        "action",
        "Move",
        "It has 2 action points, and most actions cost one. First a better place: choose Reposition, a move of up to 6 "
        'inches (6").',
        _is("Reposition", "First a place in cover: Reposition. It can shoot from there."),
        look=(GUNNER,),
    ),
    LessonStep(
        "move",
        "Into cover",
        "Click behind the sandbags, where the ring is, then Finish the move. Terrain within an inch of a target, "
        "between it and the shooter, is cover: one defence die succeeds without being rolled.",
        _into_cover,
        spot=(milli(COVER[0]), milli(COVER[1]), 0),
        look=(GUNNER,),
    ),
    LessonStep(
        "action",
        "Shoot",
        "One action point is left. Choose Shoot.",
        _is("Shoot", "Use its last action point for a shot: choose Shoot."),
        look=(GUNNER,),
    ),
    LessonStep(
        "target",
        "Choose a target",
        "Everybody it sees is listed with the odds. Cutter 1 stands in the open: nothing helps it. Choose Cutter 1.",
        _is(IN_THE_OPEN, "Cutter 1 stands in the open and is the easiest to take out: choose it."),
        look=(GUNNER, IN_THE_OPEN),
    ),
    LessonStep(
        "cover",
        "Cover saves",
        "Now the enemy shoots at Lamp Gunner 1. It is in cover: retain a defence die as a success without rolling it.",
        lambda game, answer: "That gives the cover away: retain the die." if answer == "0" else None,
        look=(THROWER, GUNNER),
    ),
    LessonStep(
        "order",
        "The next one",
        "Shield Hand is the only one of yours still ready, so it acts. It is to fight: give it Engage, too.",
        _is("engage", "On Conceal it may not charge. Engage is the order for that."),
        look=(SHIELD,),
    ),
    LessonStep(
        "action",
        "Charge",
        'A Charge moves 2" further than usual and must end in control range of an enemy: within 1" of it. '
        "Choose Charge.",
        _is("Charge", "To fight it must get there: choose Charge."),
        look=(SHIELD, BRAWLER),
    ),
    LessonStep(
        "move",
        "To the enemy",
        "Click next to Cutter 2, where the ring is, then Finish the move.",
        lambda game, path: "Click next to Cutter 2 first." if path == CANCEL or not path else None,
        spot=(21900, 19300, 0),
        look=(SHIELD, BRAWLER),
    ),
    LessonStep(
        "action",
        "Fight",
        "Both roll attack dice and take turns: a success either strikes, or blocks one of the other's. Choose Fight.",
        _is("Fight", "It stands next to its enemy with an action point left: choose Fight."),
        look=(SHIELD, BRAWLER),
    ),
    LessonStep(
        "counteract",
        "Counteract",
        "All of yours have acted, the enemy still has somebody ready. Then one of yours on Engage may counteract: one "
        "action for free. Choose Lamp Gunner 1.",
        _is(GUNNER, "Lamp Gunner 1 is the one near the objective marker: choose it."),
        look=(GUNNER,),
    ),
    LessonStep(
        "action",
        "A free action",
        'Choose Reposition again: while counteracting it goes 2" at most, enough to reach objective marker 3.',
        _is("Reposition", "The objective marker is two inches away: choose Reposition."),
        look=(GUNNER,),
    ),
    LessonStep(
        "move",
        "Hold the objective",
        "Click where the ring is, within control range of objective marker 3, then Finish the move. Whoever has more "
        "there (action points count, not figures) controls it when the turning point ends.",
        _to_objective,
        spot=(23300, 13400, 0),
        look=(GUNNER,),
    ),
)
FREE = {
    "reroll": "The weapon is Balanced: one attack die may be re-rolled. All dice succeed already, so keep them; "
    "any answer will do.",
    "block": "Each success of the defence takes one of the attack away, a critical one (a 6) only by another critical. "
    "Any answer will do.",
    "resolve": "Strike: the die inflicts its damage at once. Block: it takes one of the enemy's away. You roll better "
    "and may strike each time; any answer will do.",
    "meanwhile": "Go on.",
}
"""What is asked on the way, where any answer is right."""
READING = "This is what the enemy did. Read it, then Go on."
WAITING = "Watch: the enemy acts. A key or a click goes on."
DONE = (
    "The turning point is over. You control one objective marker, the enemy none: 1 VP. That is the game: move from "
    "cover to cover, shoot whoever stands in the open, hold what scores. A battle has four turning points; whoever has "
    "most VP at the end wins."
)


class Lesson:
    """Where somebody is in the lesson."""

    def __init__(self, game: Game) -> None:
        self.game, self.number = game, 0

    @property
    def is_done(self) -> bool:
        return self.number >= len(STEPS) and self.game.state.turning_point > 2

    @property
    def step(self) -> LessonStep | None:
        """What is to be done now, if it is the learner's turn to do it."""
        pending = self.game.pending
        if self.number >= len(STEPS) or pending is None or pending.seat != LEARNER:
            return None
        return STEPS[self.number] if pending.topic == STEPS[self.number].topic else None

    @property
    def words(self) -> tuple[str, str]:
        """A title and what to do now."""
        pending = self.game.pending
        if self.is_done:
            return "Well done", DONE
        if (step := self.step) is not None:
            return step.title, step.text
        if pending is not None and pending.seat == LEARNER:
            return "On the way", FREE.get(pending.topic, "Any answer will do.")
        return "The enemy", WAITING

    def refuses(self, answer: Any) -> str | None:
        """Why an answer is not the right one yet."""
        step = self.step
        return None if step is None else step.refuses(self.game, answer)

    def given(self, topic: str, seat: str) -> None:
        """An answer of the learner was taken."""
        if seat == LEARNER and self.number < len(STEPS) and topic == STEPS[self.number].topic:
            self.number += 1
