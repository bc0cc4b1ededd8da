"""Whether what a drill holds for right is what the commands of the program say about its scene."""

from __future__ import annotations

import io
import json
import math
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

from ktsim.cli import main
from ktsim.game.drills.drill import Drill
from ktsim.game.drills.register import KINDS
from ktsim.game.drills.scoring import controllers, paid
from ktsim.killzones.scene_file import load_scene


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
            file = load_scene(scene)
            target = file.pairs[0][1]
            text = drill.scene.splitlines()
            at = next(i for i, line in enumerate(text) if f"id: {target}" in line or f"id: '{target}'" in line)
            line = next(i for i in range(at, len(text)) if "order:" in text[i])
            text[line] = text[line].replace("engage", order).replace("conceal", order)
            scene.write_text("\n".join(text), encoding="utf-8")
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
    from dataclasses import replace

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
            who, (x, y, z) = there.scene.operative(goal["who"]), goal["to"]
            there = replace(there, scene=there.scene.moved(replace(who, x=x, y=y, level=z)))
        vp = paid(controllers(there, answer["team"], markers, answer["apl"]))
        if (choice == answer["choice"]) != (is_done and vp == 2):
            return f"score: {choice} pays {vp}"
    return None
