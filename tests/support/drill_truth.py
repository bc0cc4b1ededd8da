"""Whether what a drill holds for right is what the commands of the program say about its scene."""

from __future__ import annotations

import io
import json
import math
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any

from ktsim.cli import main
from ktsim.game.drills.drill import Drill, Place, text_of
from ktsim.game.drills.places import moved, reachable
from ktsim.game.drills.register import KINDS
from ktsim.game.drills.scoring import controllers, paid
from ktsim.game.scenes import battle_of
from ktsim.killzones.scene_file import load_scene
from ktsim.rules.engine.mission import OBJECTIVE_RADIUS
from ktsim.rules.engine.state import MarkerState, milli
from ktsim.rules.engine.table import contests
from ktsim.sight.control import in_control_range

PLACES = 6


def said(*words: str) -> Any:
    """What a command prints as JSON."""
    out = io.StringIO()
    with redirect_stdout(out):
        assert main([*words, "--json"]) == 0
    return json.loads(out.getvalue())


def fault_of(drill: Drill, folder: Path) -> str:
    """What is not true about a drill; empty when everything is."""
    scene = folder / "drill.yaml"
    scene.write_text(drill.scene, encoding="utf-8")
    answer = drill.answer
    right = _right(drill, scene)
    if isinstance(right, str):
        return right
    marked = [choice for choice in drill.choices if KINDS[drill.kind].mark(drill, choice).is_right]
    if drill.choices and len(marked) != 1:
        return f"{drill.kind}: {len(marked)} choices are right"
    if not drill.choices:
        example = ",".join(map(str, answer["example"]))
        if not KINDS[drill.kind].mark(drill, example).is_right:
            return f"{drill.kind}: its own example is not right"
        if not 0.01 <= answer["share"] <= 0.1:
            return f"{drill.kind}: {answer['share']} of the places are right"
        return _ruled_places(drill, folder)
    return ""


def places_around(drill: Drill) -> list[Place]:
    """Places in reach in the right region and just outside of it: those around the example, which is at its edge."""
    x, y, level = drill.answer["example"]
    near = reachable(drill.file(), drill.answer["who"], drill.answer["move"])
    near = [to for to in near if to[2] == level and max(abs(to[0] - x), abs(to[1] - y)) <= 0.5]
    return [(x, y, level), *near][:PLACES]


def _ruled_places(drill: Drill, folder: Path) -> str:
    """Whether places are marked as ``ktsim rule`` says of the scene with the operative there."""
    answer = drill.answer
    for to in places_around(drill):
        there = moved(drill.file(), answer["who"], to)
        scene = folder / "there.yaml"
        scene.write_text(text_of(there), encoding="utf-8")
        rulings = said("rule", str(scene))
        if drill.kind == "stand":
            (one,) = rulings
            others = there.scene.others(answer["who"], answer["target"])
            team = there.scene.operative(answer["who"]).team
            friends = [each.id for each in others if each.team == team]
            is_free = not any(in_control_range(there.scene, each, answer["target"]) for each in friends)
            is_right = one["valid_target"] and not one["in_cover"] and not one["obscured"] and is_free
        else:
            battle, state = battle_of(there, there.scene.operative(answer["who"]).team)
            x, y, z = map(milli, answer["objective"])
            marker = MarkerState("objective", "objective", x, y, z, OBJECTIVE_RADIUS)
            is_there = contests(battle.table, state, state.operatives[answer["who"]], marker)
            is_right = is_there and not any(each["valid_target"] for each in rulings)
            if {each["from"] for each in rulings} != set(answer["enemies"]):
                return "safe: its scene asks about others"
        if KINDS[drill.kind].mark(drill, ",".join(map(str, to))).is_right != is_right:
            return f"{drill.kind}: at {to} not what rule says"
    return ""


def _right(drill: Drill, scene: Path) -> str | None:
    """Compares what is kept with rule, odds and move; a sentence where they differ."""
    answer = drill.answer
    if drill.kind == "shot":
        (ruling,) = said("rule", str(scene))
        if {name: ruling[name] for name in answer} != answer or ruling["close_call"] or ruling["undecided"]:
            return "shot: not what rule says"
    elif drill.kind == "order":
        for order in ("engage", "conceal"):
            file = drill.file()
            target = replace(file.scene.operative(file.pairs[0][1]), order=order)
            asked = replace(file, scene=file.scene.moved(target))
            scene.write_text(text_of(asked), encoding="utf-8")
            (ruling,) = said("rule", str(scene))
            if ruling["valid_target"] != answer[order]:
                return f"order: not what rule says on {order}"
    elif drill.kind in ("weapon", "choice"):
        options = answer["options"] if drill.kind == "weapon" else [answer["cover"], answer["obscured"]]
        means = [said("odds", "shoot", *option["odds"])["mean"] for option in options]
        if not all(math.isclose(one, option["mean"]) for one, option in zip(means, options, strict=True)):
            return f"{drill.kind}: not what odds says"
        if drill.kind == "weapon" and max(means) != means[0]:
            return "weapon: not the best by the odds"
        if drill.kind == "choice" and answer["choice"] != ("cover" if means[0] < means[1] else "obscured"):
            return "choice: not the better by the odds"
    elif drill.kind == "reach":
        to = ",".join(map(str, answer["to"]))
        found = said("move", str(scene), "--who", answer["who"], f"--to={to}", "--move", str(answer["move"]))
        found = found[0] if isinstance(found, list) else found
        if (found["legal"], found["cost"]) != (answer["legal"], answer["cost"]):
            return "reach: not what move says"
    elif drill.kind == "score":
        return _scored(drill, scene)
    return None


def _scored(drill: Drill, scene: Path) -> str | None:
    answer, file = drill.answer, load_scene(scene)
    markers = [(x, y, z) for x, y, z in answer["markers"]]
    for choice, plan in answer["plans"].items():
        there, is_done = file, True
        for goal in plan:
            if goal["to"] is None:
                is_done = False
                continue
            words = ("--who", goal["who"], f"--to={','.join(map(str, goal['to']))}")
            found = said("move", str(scene), *words, "--move", str(answer["moves"][goal["who"]]))
            found = found[0] if isinstance(found, list) else found
            is_done = is_done and found["legal"]
            there = moved(there, goal["who"], tuple(goal["to"]))
        vp = paid(controllers(there, answer["team"], markers, answer["apl"]))
        if (choice == answer["choice"]) != (is_done and vp == 2):
            return f"score: {choice} pays {vp}"
    return None
