"""Drills about scoring: two activations are left, and two VP can be had with them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import hypot
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from ktsim.game.drills.drill import NUDGE, Drill, DrillKind, Marked, Place, Position, asking, text_of
from ktsim.game.drills.places import holds, in_reach, move_of, moved
from ktsim.game.move_ruling import MoveRuling, move_ruling
from ktsim.game.scenes import battle_of
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.scene_file import SceneFile
from ktsim.rules.engine.mission import OBJECTIVE_RADIUS
from ktsim.rules.engine.state import MarkerState, Side, milli
from ktsim.sight.scene import Operative

CONTACT = 1.0
"""Inches of control range."""
SURELY = 0.3
"""Inches further than it could go at best: it certainly does not get there."""
MOVERS = 4
"""Operatives of a side that are thought about."""
WRONG = 3
"""Choices beside the right one."""
SPOTS = 4
"""Places at a marker that are tried, the nearest to it first."""
CLOSE = 4.0
APART = 2.0
"""Inches between two places at which nobody is in the other's way."""
LETTERS = "ABCDEFGHI"


class MarkerGoal(NamedTuple):
    """Whoever goes to which marker, and where it stands then; no place: it does not get there."""

    who: str
    marker: int
    to: Place | None

    @property
    def words(self) -> str:
        return f"{self.who} to marker {LETTERS[self.marker]}"


def paid(controllers: list[Side | None], side: Side = "red") -> int:
    """1VP for controlling any of the markers, 1VP for controlling more of them than the opponent."""
    mine = sum(each == side for each in controllers)
    theirs = sum(each not in (side, None) for each in controllers)
    return (mine > 0) + (mine > theirs)


class MarkerContest:
    """Who contests which marker, on one table, with anybody of *team* (which is red) thought elsewhere.

    Sight is asked once about everybody at a place. Somebody who has moved may stand in another's line, so what is told
    of plans is only how to find some worth a closer look: :func:`controllers` decides.
    """

    def __init__(self, file: SceneFile, team: str, markers: list[Place], apl: Mapping[str, int]) -> None:
        self.battle, self.state = battle_of(file, team, apl=apl)
        self.markers = [
            MarkerState(str(number), "objective", milli(x), milli(y), milli(level), OBJECTIVE_RADIUS)
            for number, (x, y, level) in enumerate(markers)
        ]
        self.state.markers = {marker.id: marker for marker in self.markers}

    def controllers(self) -> list[Side | None]:
        """Who controls each of the markers as the table is."""
        return [self.battle.controller(marker) for marker in self.markers]

    def vp_of(self, pair: tuple[MarkerGoal, MarkerGoal]) -> int:
        """About what the two would score, whoever does not get there staying where it is."""
        went = {goal.who: goal.to for goal in pair}
        lead = [sum(self._strength(one, marker, went) for one in self.state.operatives) for marker in self.markers]
        return paid(["red" if each > 0 else "blue" if each < 0 else None for each in lead])

    def _strength(self, who: str, marker: MarkerState, went: Mapping[str, Place | None]) -> int:
        """The APL with which it contests the marker for red; below nought for blue."""
        to = went.get(who)
        at = None if to is None else (milli(to[0]), milli(to[1]), milli(to[2]))
        one = self.state.operatives[who]
        if not self.battle.table.reaches(self.state, who, marker.point, OBJECTIVE_RADIUS / 1000, at):
            return 0
        return self.battle.apl(one).value * (1 if one.side == "red" else -1)


def controllers(file: SceneFile, team: str, markers: list[Place], apl: Mapping[str, int]) -> list[Side | None]:
    """Who controls each of the markers; *team* is red."""
    return MarkerContest(file, team, markers, apl).controllers()


def _may_get_to(who: Operative, move: int, marker: Place) -> bool:
    """Whether it is near enough to the marker that it might contest it after a move."""
    gap = hypot(who.x - marker[0], who.y - marker[1]) - who.base.along - OBJECTIVE_RADIUS / 1000 - CONTACT
    return gap <= move + SURELY


def _spot(position: Position, who: Operative, marker: Place) -> Place | bool | None:
    """A place at the marker where it surely gets and contests it; None where it surely gets to none; False where that
    is not plain."""
    if not _may_get_to(who, move_of(position, who.id), marker):
        return None
    away = {to: hypot(to[0] - marker[0], to[1] - marker[1]) for to in in_reach(position, who.id)}
    for to in sorted((to for to in away if away[to] < CLOSE), key=lambda to: (away[to], to))[:SPOTS]:
        near = [(to[0] + dx, to[1] + dy, to[2]) for dx, dy in ((NUDGE, 0), (-NUDGE, 0), (0, NUDGE), (0, -NUDGE))]
        if all(holds(position.file, who.id, each, marker) for each in (to, *near)):
            return to
    return False


def propose_score(position: Position, rng: Random) -> Drill | None:
    file = position.file
    if file.killzone is None or not position.cards or file.edition != "kt24":
        return None
    markers = [each.at for each in load_named(file.killzone, Path.cwd()).objectives]
    team = rng.choice(sorted({one.team for one in file.scene.operatives}))
    apl = {id: position.cards[id].apl for id in position.cards}
    file = asking(file)
    ours = [one for one in file.scene.operatives if one.team == team]
    ours.sort(key=lambda one: min(hypot(one.x - x, one.y - y) for x, y, _ in markers))
    ours = ours[:MOVERS]
    able = [one for one in ours if any(_may_get_to(one, move_of(position, one.id), at) for at in markers)]
    if len(able) < 2 or not _is_plain(file, markers):
        return None
    contest = MarkerContest(file, team, markers, apl)
    if paid(contest.controllers()) == 2:
        return None
    goals: list[list[MarkerGoal]] = []
    for one in ours:
        spots = [(n, _spot(position, one, at)) for n, at in enumerate(markers)]
        goals.append([MarkerGoal(one.id, n, spot) for n, spot in spots if not isinstance(spot, bool)])
    if sum(any(goal.to is not None for goal in each) for each in goals) < 2:
        return None
    pairs = [(a, b) for one, two in combinations(goals, 2) for a in one for b in two]
    plans = [(contest.vp_of(pair), pair) for pair in pairs]
    right = [pair for vp, pair in plans if vp == 2 and _is_done(pair)]
    wrong = [pair for vp, pair in plans if vp < 2 and any(goal.to is not None for goal in pair)]
    if not right or len(wrong) < WRONG:
        return None
    best = rng.choice(right)
    people = {goal.who for goal in best}
    wrong.sort(key=lambda pair: (-len(people & {goal.who for goal in pair}), rng.random()))
    chosen = [best, *wrong[:WRONG]]
    if any((_vp(file, team, markers, apl, pair) == 2) != (pair is best) for pair in chosen):
        return None
    choices = sorted(_words(pair) for pair in chosen)
    moves = {goal.who: move_of(position, goal.who) for pair in chosen for goal in pair}
    listed = "; ".join(f"{LETTERS[n]} at ({x:g}, {y:g})" for n, (x, y, _) in enumerate(markers))
    far = ", ".join(f'{id} {move}"' for id, move in moves.items())
    question = (
        f"Two operatives of {team} may still Reposition, nobody else does anything more (Move: {far}). "
        f"At the end {team} scores 1 VP for controlling an objective marker and 1 VP for controlling more than the "
        f"enemy. The markers: {listed}. Who goes where for 2 VP?"
    )
    answer = {
        "choice": _words(best),
        "team": team,
        "markers": [list(each) for each in markers],
        "apl": apl,
        "moves": moves,
        "people": [goal.who for goal in best],
        "plans": {_words(pair): [_goal(goal) for goal in pair] for pair in chosen},
    }
    return Drill("score", "KT24-MARKER", text_of(file), question, answer, 0.3 + 0.5 / len(right), tuple(choices))


def _goal(goal: MarkerGoal) -> dict[str, Any]:
    return {"who": goal.who, "marker": goal.marker, "to": None if goal.to is None else list(goal.to)}


def _words(pair: tuple[MarkerGoal, MarkerGoal]) -> str:
    return ", ".join(goal.words for goal in pair)


def _is_plain(file: SceneFile, markers: list[Place]) -> bool:
    """Whether for everybody near a marker it is plain whether it contests it."""
    for one in file.scene.operatives:
        for at in markers:
            gap = hypot(one.x - at[0], one.y - at[1]) - one.base.along - OBJECTIVE_RADIUS / 1000
            if abs(gap - CONTACT) < 2 * NUDGE:
                return False
    return True


def _vp(
    file: SceneFile, team: str, markers: list[Place], apl: Mapping[str, int], pair: tuple[MarkerGoal, MarkerGoal]
) -> int:
    """What the two would score, whoever does not get there staying where it is."""
    there = file
    for goal in pair:
        if goal.to is not None:
            there = moved(there, goal.who, goal.to)
    return paid(controllers(there, team, markers, apl))


def _is_done(pair: tuple[MarkerGoal, MarkerGoal]) -> bool:
    """Whether both get there and are not in each other's way."""
    one, two = (goal.to for goal in pair)
    return one is not None and two is not None and hypot(one[0] - two[0], one[1] - two[1]) >= APART


def mark_score(drill: Drill, given: str) -> Marked:
    """Judged anew by the rules on moves and on control."""
    right = str(drill.answer["choice"])
    said, ruled = played(drill, given if given in drill.answer["plans"] else right)
    is_right = given in drill.answer["plans"] and said[-1] == "2 VP."
    if not is_right:
        more, ruled = played(drill, right)
        said = [*said, f"{right}:", *more]
    return Marked(is_right, "\n".join(said), move=ruled[0], right=right)


def played(drill: Drill, choice: str) -> tuple[list[str], list[MoveRuling]]:
    """What comes of a choice, in lines of which the last is what it scores, and the rulings on its moves."""
    answer, file = drill.answer, drill.file()
    markers = [(float(x), float(y), float(z)) for x, y, z in answer["markers"]]
    lines, rulings = [], []
    for goal in answer["plans"][choice]:
        marker = markers[goal["marker"]]
        to = tuple(goal["to"] or marker)
        found = move_ruling(file, goal["who"], to, None, answer["moves"][goal["who"]])
        rulings.append(found)
        lines.append(f"{goal['who']}: {found.headline}")
        if found.legal and goal["to"] is not None:
            file = moved(file, goal["who"], found.to)
    held = controllers(file, answer["team"], markers, answer["apl"])
    for number, side in enumerate(held):
        whose = "nobody's" if side is None else f"{answer['team']}'s" if side == "red" else "the enemy's"
        lines.append(f"Marker {LETTERS[number]} is {whose}.")
    scored = paid(held) if all(each.legal for each in rulings) else 0
    lines.append(f"{scored} VP.")
    return lines, rulings


KINDS = (DrillKind("score", "Two VP in two activations: who goes where?", propose_score, mark_score),)
