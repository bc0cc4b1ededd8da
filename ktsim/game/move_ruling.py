"""Can they get there, what does it cost, and why not: a ruling on a move, one value for terminal, window and tests."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

from ktsim.content.printable import printable
from ktsim.content.reader import nearest
from ktsim.errors import UserError
from ktsim.game.scenes import battle_of
from ktsim.killzones.asked_move import USUAL_MOVE
from ktsim.killzones.scene_file import SceneFile
from ktsim.rules.editions import EDITIONS
from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.moves import Move
from ktsim.rules.moving.mover import action_of, placed
from ktsim.rules.moving.reach import MoveReach, reach
from ktsim.rules.moving.standing import refused_to_stand
from ktsim.rules.moving.walk import Increment, LegalPath, Refusal, Waypoint
from ktsim.sight.scene import Edition, RulesDate


@dataclass(frozen=True)
class MoveRuling:
    """What was found about one operative's move. *legs* are those of the way found, also where it is too long.

    *against* is what refuses it, as pairs of a rule and a sentence: the action's conditions, then the way.
    *thing* is the part of terrain or the operative in the way.
    """

    who: str
    action: str
    edition: Edition
    to: tuple[float, float, float]
    enemy: str | None
    allowance: int
    cost: int | None
    legs: tuple[Increment, ...]
    against: tuple[tuple[str, str], ...]
    thing: str | None
    tests: tuple[int, ...]
    rule: str
    rules_as_of: RulesDate

    @property
    def legal(self) -> bool:
        return not self.against

    @property
    def headline(self) -> str:
        """The verdict in one sentence."""
        if self.against:
            return f"No: {self.against[0][1]}"
        rolls = f" if it rolls {' and '.join(f'{least}+' for least in self.tests)} for its jump" if self.tests else ""
        where = "" if self.enemy is None else f" and reaches {self.enemy}"
        return f'Yes: {self.action} gets there for {self.cost}" of {self.allowance}"{where}{rolls}.'

    def as_json(self, scene_name: str) -> dict[str, Any]:
        """The fields other people's programs read."""
        return {
            "scene": scene_name,
            "who": self.who,
            "action": self.action,
            "edition": self.edition,
            "to": _rounded(self.to),
            "enemy": self.enemy,
            "legal": self.legal,
            "cost": self.cost,
            "allowance": self.allowance,
            "legs": [
                {
                    "kind": leg.kind,
                    "from": _rounded(leg.start[:3]),
                    "to": _rounded(leg.end[:3]),
                    "length": round(leg.raw, 6),
                    "cost": leg.cost,
                    "rule": leg.rule,
                    "notes": list(leg.notes),
                }
                for leg in self.legs
            ],
            "tests": list(self.tests),
            "in_the_way": self.thing,
            "decided_by": self.against[0][0] if self.against else self.rule,
            "headline": self.headline,
            "reasons": [{"rule": rule, "text": text} for rule, text in self.against],
            "rules_as_of": self.rules_as_of,
        }

    def as_text(self) -> str:
        """The headline, the way leg by leg, and what refuses it, each with its rule."""
        rows = [(leg.rule, f"{leg.words()}, to {_place(leg.end[:3])}") for leg in self.legs]
        rows += self.against
        width = max((len(rule) for rule, _ in rows), default=0)
        goal = _place(self.to) if self.enemy is None else f"{self.enemy} at {_place(self.to)}"
        return "\n".join(
            [f"{self.who} -> {goal}: {self.headline}", *(f"  {rule:<{width}}  {text}" for rule, text in rows)]
        )


def move_actions(edition: Edition) -> dict[str, Move]:
    """The actions of an edition that move, by the word a command line uses."""
    moves = (action for action in EDITIONS[edition].actions if isinstance(action, Move))
    return {action.name.lower().replace(" ", "-"): action for action in moves}


class Moving(NamedTuple):
    """An operative about to move: with which action, why that may not be performed at all, and what it reaches."""

    action: Move
    refusal: str | None
    reached: MoveReach


def moving(file: SceneFile, who: str, action: str | None = None, move: int = USUAL_MOVE) -> Moving:
    """*who* of the scene about to move; with the edition's ordinary move unless an *action* is named."""
    actions = move_actions(file.edition)
    wanted = (action or next(iter(actions))).lower().replace(" ", "-")
    if wanted not in actions:
        raise UserError(f"there is no action '{printable(wanted)}' that moves; {nearest(wanted, actions)}")
    chosen = actions[wanted]
    battle, state = battle_of(file, file.scene.operative(who).team, move)
    request = chosen.limited(battle, state.operatives[who])
    ground, walker = placed(battle.table, state, who)
    reached = reach(ground, walker, request.allowance, action_of(battle.table, request))
    return Moving(chosen, refuses(battle, state.operatives[who], chosen), reached)


FARTHEST = 100.0
"""Inches; no board is so large, and no route to there is looked for."""


def read_place(text: str) -> tuple[float, ...]:
    """The place *text* names, ``x,y`` or ``x,y,z`` in inches; raises :class:`UserError`."""
    try:
        numbers = tuple(float(each) for each in text.split(","))
    except ValueError:
        numbers = ()
    shown = printable(text, 60)
    if len(numbers) not in (2, 3) or not all(map(math.isfinite, numbers)):
        raise UserError(f"'{shown}' is no place; one is such as 12,8.5 or 12,8.5,3 in inches")
    if max(map(abs, numbers)) > FARTHEST:
        raise UserError(f"'{shown}' is a place off the board; one on it is such as 12,8.5 or 12,8.5,3 in inches")
    return numbers


def move_ruling(
    file: SceneFile,
    who: str,
    to: tuple[float, ...] | str,
    action: str | None = None,
    move: int = USUAL_MOVE,
) -> MoveRuling:
    """Whether *who* gets to a place, or into the control range of the operative *to*, with *action*.

    Without a height the place is on whichever level that can be stood on there is reached most cheaply. Without an
    action it is the edition's ordinary move, or a Charge where *to* is an operative.
    """
    scene = file.scene
    ids = [each.id for each in scene.operatives]
    for id in (who, *((to,) if isinstance(to, str) else ())):
        if id not in ids:
            raise UserError(f"there is no operative '{printable(id)}' in it; {nearest(id, ids)}")
    asked = moving(file, who, action or ("charge" if isinstance(to, str) else None), move)
    chosen, reached = asked.action, asked.reached
    if isinstance(to, str):
        if to == who:
            raise UserError(f"'{printable(to)}' cannot charge itself; name an enemy or a place")
        if scene.operative(to).team == scene.operative(who).team:
            raise UserError(f"'{printable(to)}' is of the same team as '{printable(who)}'; name an enemy or a place")
        found, goal = reached.into_control(scene.operative(to)), _centre(file, to)
    else:
        found, goal = _to_place(reached, to)
    against = () if asked.refusal is None else ((chosen.id, asked.refusal),)
    if isinstance(found, Refusal):
        names_it = found.thing is not None and found.text.startswith(found.thing)
        against = (*against, (found.rule, found.text if names_it else found.text[0].upper() + found.text[1:]))
    elif isinstance(to, str):
        goal = found.path[-1][:3] if found.path else reached.mover.start[:3]
    return MoveRuling(
        who,
        chosen.name,
        file.edition,
        goal,
        to if isinstance(to, str) else None,
        reached.allowance,
        sum(leg.cost for leg in found.legs) if found.legs or isinstance(found, LegalPath) else None,
        found.legs,
        against,
        found.thing if isinstance(found, Refusal) else None,
        found.tests if isinstance(found, LegalPath) else (),
        chosen.id,
        scene.rules_as_of,
    )


def asked_ruling(file: SceneFile) -> MoveRuling:
    """The ruling on the move that *file* asks about; raises :class:`UserError` where it asks about none."""
    asked = file.move
    if asked is None or asked.to is None:
        raise UserError("asks about no move; say 'move: {who: ID, to: [x, y]}' in it, or name them")
    return move_ruling(file, asked.who, asked.to, asked.action, asked.move)


def _to_place(reached: MoveReach, to: tuple[float, ...]) -> tuple[LegalPath | Refusal, tuple[float, float, float]]:
    """The way to a place, on the level named or on the one that costs least."""
    x, y = to[:2]
    own = reached.mover.operative.level
    if len(to) > 2:
        levels: tuple[float, ...] = (to[2],)
    else:
        turn = reached.mover.operative.turn
        stood = (
            level
            for level in reached.levels
            if refused_to_stand(reached.ground, reached.mover, Waypoint(x, y, level, turn).as_floats) is None
        )
        levels = tuple(stood) or (own,)
    answers = [(reached.route(x, y, level), level) for level in levels]
    answers.sort(key=lambda each: (isinstance(each[0], Refusal), _cost(each[0]), each[1] != own, each[1]))
    found, level = answers[0]
    return found, (x, y, level)


def _cost(found: LegalPath | Refusal) -> int:
    return found.total if isinstance(found, LegalPath) else sum(leg.cost for leg in found.legs) or 999


def _centre(file: SceneFile, id: str) -> tuple[float, float, float]:
    who = file.scene.operative(id)
    return (who.x, who.y, who.level)


def _rounded(point: tuple[float, ...]) -> list[float]:
    return [round(value, 4) for value in point]


def _place(point: tuple[float, ...]) -> str:
    x, y, level = point
    return f"({x:.2f}, {y:.2f})" + (f' at {level:g}"' if level else "")
