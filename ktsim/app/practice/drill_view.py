"""What is drawn over the table of a drill: who is asked about, the place somebody means, and what the engine says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ktsim.app.card.overlay import overlays_of
from ktsim.app.card.view import view_of
from ktsim.app.stage.cameras import head_of
from ktsim.app.stage.overlays import (
    TEAL,
    WHITE,
    Ghost,
    Label,
    Measure,
    Overlay,
    Point,
    Ring,
    State,
    faded,
    ring,
)
from ktsim.app.stage.picture import name_label
from ktsim.game.drills.drill import Drill, Marked
from ktsim.game.drills.scoring import LETTERS
from ktsim.game.move_ruling import MoveRuling, read_place
from ktsim.killzones.scene_file import SceneFile
from ktsim.rules.engine.mission import OBJECTIVE_RADIUS
from ktsim.sight.scene import Base, Operative, Scene


def subject_of(drill: Drill, file: SceneFile) -> str:
    """Whoever shoots or moves in a drill."""
    if "people" in drill.answer:
        return str(drill.answer["people"][0])
    return str(drill.answer["who"]) if "who" in drill.answer else file.pairs[0][0]


def people_of(drill: Drill, file: SceneFile) -> list[Operative]:
    """Everybody a drill is about, whoever shoots or moves first."""
    asked = drill.answer.get("moves", ())
    ids = dict.fromkeys([subject_of(drill, file), *asked, *(id for pair in file.pairs for id in pair)])
    return [file.scene.operative(id) for id in ids]


def stood_at(one: Operative, to: Point) -> Operative:
    return replace(one, x=to[0], y=to[1], level=to[2])


def asked_overlays(drill: Drill, file: SceneFile, place: Point | None) -> tuple[Overlay, ...]:
    """The question on the table, and the place that is meant, before it is answered."""
    who, *others = people_of(drill, file)
    items: list[Overlay] = [ring(who, 0.13, colour=TEAL, width=0.09)]
    items += [ring(one, 0.13, width=0.09, dash=0.22) for one in others]
    if not drill.choices:
        items.append(ring(who, float(drill.answer["move"]), colour=faded(WHITE, 160), width=0.05, dash=0.4))
    items += _goals(drill, who)
    if place is not None:
        items += _ghost(stood_at(who, place), None, "here?")
    return (*items, *_names(file.scene, who.id, *(one.id for one in others)))


def answered_overlays(drill: Drill, file: SceneFile, place: Point | None, marked: Marked) -> tuple[Overlay, ...]:
    """What the engine says: the lines of the ruling that decided, the way of a move, and a place that is right."""
    who, *others = people_of(drill, file)
    scene = shown_scene(file, marked)
    items: list[Overlay] = []
    if marked.rulings:
        items += overlays_of(scene, view_of(marked.rulings[0]))
        if scene.operative(who.id) != who:
            items.append(ring(who, 0.13, colour=faded(WHITE, 160), width=0.05, dash=0.22))
    else:
        items.append(ring(who, 0.13, colour=TEAL, width=0.09))
        items += [ring(one, 0.13, width=0.09, dash=0.22) for one in others]
        if place is not None:
            items += _ghost(stood_at(who, place), marked.is_right, "not here")
    items += _goals(drill, who)
    if marked.move is not None:
        items += _way(marked.move)
    for goal in drill.answer["plans"][marked.right] if "plans" in drill.answer else ():
        x, y, level = goal["to"]
        items += _ghost(stood_at(file.scene.operative(goal["who"]), (x, y, level)), True, f"{goal['who']}, for one")
    if not drill.choices and not marked.is_right:
        x, y, *level = read_place(marked.right)
        items += _ghost(stood_at(who, (x, y, level[0] if level else 0.0)), True, "here, for one")
    named = {item.text for item in items if isinstance(item, Label)}
    names = _names(scene, who.id, *(one.id for one in others))
    return (*items, *(label for label in names if label.text not in named))


def shown_scene(file: SceneFile, marked: Marked | None) -> Scene:
    """The table as what is said of it: whoever moved stands where it was put."""
    return marked.rulings[0].scene if marked is not None and marked.rulings else file.scene


def _goals(drill: Drill, who: Operative) -> list[Overlay]:
    items: list[Overlay] = []
    if "to" in drill.answer:
        x, y, level = drill.answer["to"]
        items += _ghost(stood_at(who, (x, y, level)), None, "there")
    if "objective" in drill.answer:
        items += _objective(drill.answer["objective"], "Objective")
    for number, marker in enumerate(drill.answer.get("markers", ())):
        items += _objective(marker, f"Marker {LETTERS[number]}")
    return items


def _objective(at: Sequence[float], name: str) -> list[Overlay]:
    x, y, level = at
    radius = OBJECTIVE_RADIUS / 1000
    return [
        Ring(x, y, level, Base(radius, radius), 0.0, 0.06, colour=WHITE, width=0.1, fill=60),
        Label((x, y, level + 0.1), name, icon="flag"),
    ]


def _ghost(one: Operative, allowed: bool | None, words: str) -> list[Overlay]:
    x, y, z = head_of(one)
    state: State | None = None if allowed is None else "target" if allowed else "blocked"
    return [Ghost(one, allowed), Label((x, y, z + 0.35), words, state)]


def _way(found: MoveRuling) -> list[Overlay]:
    """The way leg by leg, where there is one."""
    ends = [
        ((leg.start[0], leg.start[1], leg.start[2] + 0.06), (leg.end[0], leg.end[1], leg.end[2] + 0.06))
        for leg in found.legs
    ]
    return [Measure(start, end) for start, end in ends if start != end]


def _names(scene: Scene, who: str, *others: str) -> list[Label]:
    """Everybody's name; those the question is about are never hidden, and whoever shoots or moves stands out."""
    labels = [name_label(one, may_hide=one.id not in (who, *others)) for one in scene.operatives]
    return [replace(label, state="target") if label.text == who else label for label in labels]
