"""Drills about places: can it get there, where to shoot from, where to be safe and hold the objective."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from math import hypot
from pathlib import Path
from random import Random

from ktsim.errors import UserError
from ktsim.game.drills.drill import (
    NUDGE,
    Drill,
    DrillKind,
    Marked,
    Place,
    Position,
    asking,
    engaged,
    opposing,
    text_of,
)
from ktsim.game.move_ruling import move_ruling, moving, read_place
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.scene_file import SceneFile
from ktsim.rules.engine.mission import OBJECTIVE_RADIUS
from ktsim.rules.moving.walk import LegalPath
from ktsim.sight.control import point_in_control_range
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Operative

LEAST, MOST = 0.01, 0.10
"""The share of the places in reach that must be right."""
STEP = 0.5
"""The places of the map asked about, inches apart."""
TRIES = 4
COARSE = 1.5
ENEMIES = 3
SHOOTERS = 2
COSTS_OFFERED = 4
CONTESTED = 2.5
"""Inches from a marker within which somebody may contest it."""
BEYOND = 0.35
"""How often a place somewhat further is asked about, which may be out of reach."""
DULL = 0.85
"""The share of plain straight moves that are passed over."""

IsRight = Callable[[SceneFile, Place], bool]


def move_of(position: Position, who: str) -> int:
    """How far it moves, by its datacard if it has one."""
    card = position.cards.get(who)
    return 6 if card is None else card.move


def reachable(file: SceneFile, who: str, move: int) -> list[Place]:
    """The places a Reposition can end at, on a half-inch grid."""
    ends = (place for place, _ in moving(file, who, None, move).reached.places())
    return [(end.x, end.y, end.level) for end in ends if end.x % STEP == 0 and end.y % STEP == 0]


def in_reach(position: Position, who: str) -> list[Place]:
    """The same of an operative of a position, worked out once: nobody's order or weapon has a part in it."""
    if who not in position.reached:
        position.reached[who] = reachable(position.file, who, move_of(position, who))
    return position.reached[who]


def elsewhere(position: Position, file: SceneFile, who: str, rng: Random, count: int) -> list[SceneFile]:
    """The table with *who* where it could have gone with one move, so often."""
    places = in_reach(position, who)
    return [moved(file, who, to) for to in rng.sample(places, min(count, len(places)))]


def moved(file: SceneFile, who: str, to: Place) -> SceneFile:
    there = replace(file.scene.operative(who), x=to[0], y=to[1], level=to[2])
    return replace(file, scene=file.scene.moved(there))


# -- can it get there ----------------------------------------------------------------------------------------------


def propose_reach(position: Position, rng: Random) -> Drill | None:
    who = rng.choice(position.file.scene.operatives).id
    move = move_of(position, who)
    file = asking(position.file)
    asked = moving(file, who, None, move)
    places = [(at.x, at.y, at.level) for at, cost in asked.reached.places() if cost >= 2]
    if asked.refusal is not None or not places:
        return None
    for _ in range(TRIES):
        to = rng.choice(places)
        if rng.random() < BEYOND:
            away = rng.choice(((1.5, 0.0), (-1.5, 0.0), (0.0, 1.5), (0.0, -1.5)))
            to = (to[0] + away[0], to[1] + away[1], to[2])
        way = asked.reached.find(*to)
        if way is not None and len(way.legs) < 2 and not way.legs[0].notes and rng.random() < DULL:
            continue
        near = [(to[0] + dx, to[1] + dy, to[2]) for dx, dy in ((NUDGE, 0), (-NUDGE, 0), (0, NUDGE), (0, -NUDGE))]
        if any(_cost(asked.reached.find(*each)) != _cost(way) for each in near):
            continue
        found = move_ruling(file, who, to, None, move)
        level = f' on the level at {to[2]:g}"' if to[2] else ""
        question = (
            f'{who} ({found.action}, Move {move}") wants to end at ({to[0]:g}, {to[1]:g}){level}. What does it cost?'
        )
        answer = {"who": who, "to": list(to), "move": move, "legal": found.legal, "cost": found.cost}
        hard = min(1.0, 0.1 + 0.12 * sum(2 if leg.kind != "move" else 1 + len(leg.notes) for leg in found.legs))
        rule = found.against[0][0] if found.against else max(found.legs, key=lambda leg: leg.kind != "move").rule
        return Drill("reach", rule, text_of(file), question, answer, hard, _costs(found.cost, move, rng))
    return None


def _cost(way: LegalPath | None) -> int | None:
    return None if way is None else way.total


def _costs(cost: int | None, move: int, rng: Random) -> tuple[str, ...]:
    """That it gets there for one of a few costs, or not at all."""
    right = min(cost or move, move)
    low = max(1, min(right - rng.randrange(COSTS_OFFERED), move - COSTS_OFFERED + 1))
    return ("It does not get there", *(f'{each}"' for each in range(low, low + COSTS_OFFERED) if each <= move))


def mark_reach(drill: Drill, given: str) -> Marked:
    asked = drill.answer
    found = move_ruling(drill.file(), asked["who"], tuple(asked["to"]), None, asked["move"])
    right = f'{found.cost}"' if found.legal else "It does not get there"
    return Marked(given == right, found.as_text(), move=found, right=right)


# -- where to shoot from -------------------------------------------------------------------------------------------


def is_open_shot(found: Ruling) -> bool:
    """A valid target that has neither cover nor is obscured."""
    return found.shootable and not found.in_cover and not found.obscured


def propose_stand(position: Position, rng: Random) -> Drill | None:
    for who, target in opposing(position.file, rng)[:SHOOTERS]:
        file = asking(engaged(position.file, who), (who, target))
        if is_open_shot(ruling(file.scene, who, target, file.edition)):
            continue
        move = move_of(position, who)

        def is_right(file: SceneFile, to: Place, who: str = who, target: str = target) -> bool:
            return is_open_shot(ruling(moved(file, who, to).scene, who, target, file.edition))

        found = _region(file, in_reach(position, who), is_right)
        if found is None:
            continue
        share, example = found
        question = f'{who} may Reposition (Move {move}"). Where must it stand to shoot {target} out of cover?'
        answer = {"who": who, "target": target, "move": move, "share": round(share, 4), "example": list(example)}
        return Drill("stand", "KT24-COVER", text_of(file), question, answer, _rarity(share))
    return None


def _region(file: SceneFile, places: list[Place], is_right: IsRight) -> tuple[float, Place] | None:
    """The share of the places that are right and one of them, if that is a few and not many.

    A coarser grid is asked first: where it says none or far too many, the rest need not be asked.
    """
    coarse = {place for place in places if place[0] % COARSE == 0 and place[1] % COARSE == 0}
    rest = [place for place in places if place not in coarse]
    known: set[Place] = set()
    for asked, most in ((sorted(coarse), 1.5 * MOST * len(coarse)), (rest, MOST * len(places))):
        for place in asked:
            if is_right(file, place):
                known.add(place)
                if len(known) > most:
                    return None
        if not known:
            return None
    return (len(known) / len(places), min(known)) if len(known) >= LEAST * len(places) else None


def _rarity(share: float) -> float:
    """The rarer, the harder."""
    return min(1.0, max(0.1, 1.0 - (share - LEAST) / (MOST - LEAST)))


def mark_stand(drill: Drill, given: str) -> Marked:
    def judge(file: SceneFile, to: Place) -> Marked:
        asked = drill.answer
        found = ruling(moved(file, asked["who"], to).scene, asked["who"], asked["target"], file.edition)
        return Marked(is_open_shot(found), found.as_text(), (found,))

    return _marked_place(drill, given, judge)


# -- safe, and at the objective ------------------------------------------------------------------------------------


def propose_safe(position: Position, rng: Random) -> Drill | None:
    file = position.file
    if file.killzone is None:
        return None
    objectives = list(load_named(file.killzone, Path.cwd()).objectives)
    everyone = list(file.scene.operatives)
    rng.shuffle(everyone)
    for one in everyone[:TRIES]:
        enemies = _nearest(file, one)
        hidden = replace(file, scene=file.scene.moved(replace(one, order="conceal")))
        read = asking(hidden, *((enemy, one.id) for enemy in enemies))
        move = move_of(position, one.id)
        rng.shuffle(objectives)
        for objective in objectives:
            if hypot(one.x - objective.at[0], one.y - objective.at[1]) > move + CONTESTED:
                continue
            places = in_reach(position, one.id)

            def is_right(
                file: SceneFile, to: Place, who: str = one.id, at: Place = objective.at, near: list[str] = enemies
            ) -> bool:
                return holds(file, who, to, at) and not _in_danger(file, who, to, near)

            near = sum(hypot(to[0] - objective.at[0], to[1] - objective.at[1]) < CONTESTED for to in places)
            found = None if near < LEAST * len(places) else _region(read, places, is_right)
            if found is None:
                continue
            share, example = found
            x, y = (round(value, 2) for value in objective.at[:2])
            question = (
                f'{one.id} may Reposition (Move {move}") on Conceal. Where does it contest the objective marker at '
                f"({x:g}, {y:g}) and is no valid target for {', '.join(enemies[:-1])} or {enemies[-1]}?"
            )
            answer = {
                "who": one.id,
                "enemies": enemies,
                "objective": list(objective.at),
                "move": move,
                "share": round(share, 4),
                "example": list(example),
            }
            return Drill("safe", "KT24-VALID", text_of(read), question, answer, _rarity(share))
    return None


def _nearest(file: SceneFile, one: Operative) -> list[str]:
    enemies = [each for each in file.scene.operatives if each.team != one.team]
    enemies.sort(key=lambda each: hypot(each.x - one.x, each.y - one.y))
    return [each.id for each in enemies[:ENEMIES]]


def holds(file: SceneFile, who: str, to: Place, objective: Place) -> bool:
    if hypot(to[0] - objective[0], to[1] - objective[1]) > 4.0:
        return False
    return point_in_control_range(moved(file, who, to).scene, who, objective, OBJECTIVE_RADIUS / 1000)


def _in_danger(file: SceneFile, who: str, to: Place, enemies: list[str]) -> bool:
    scene = moved(file, who, to).scene
    return any(ruling(scene, enemy, who, file.edition).valid_target for enemy in enemies)


def mark_safe(drill: Drill, given: str) -> Marked:
    def judge(file: SceneFile, to: Place) -> Marked:
        who, enemies = drill.answer["who"], drill.answer["enemies"]
        if not holds(file, who, to, tuple(drill.answer["objective"])):
            return Marked(False, "The objective marker is not within its control range there.")
        scene = moved(file, who, to).scene
        found = [ruling(scene, enemy, who, file.edition) for enemy in enemies]
        told = "\n".join(f"{each.shooter}: {each.headline}" for each in found)
        found.sort(key=lambda each: not each.valid_target)
        return Marked(not found[0].valid_target, told, tuple(found))

    return _marked_place(drill, given, judge)


def _marked_place(drill: Drill, given: str, judge: Callable[[SceneFile, Place], Marked]) -> Marked:
    """A place is right when the move gets there and *judge* says so."""
    right = ",".join(f"{each:g}" for each in drill.answer["example"])
    try:
        to = read_place(given)
    except UserError as error:
        return Marked(False, error.problems[0].text, right=right)
    file = drill.file()
    found = move_ruling(file, drill.answer["who"], to, None, drill.answer["move"])
    if not found.legal:
        return Marked(False, found.as_text(), move=found, right=right)
    return replace(judge(file, found.to), move=found, right=right)


KINDS = (
    DrillKind("reach", "Can it get there, and what does it cost?", propose_reach, mark_reach),
    DrillKind("stand", "Where must you stand to shoot it out of cover?", propose_stand, mark_stand),
    DrillKind("safe", "Where is it safe, and holds the objective?", propose_safe, mark_safe),
)
