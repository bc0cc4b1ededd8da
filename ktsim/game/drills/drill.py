"""What a drill is, and when one is fair: nothing about it is close to call."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from ktsim.game.move_ruling import MoveRuling
from ktsim.killzones.scene_file import SceneFile, dump_scene, scene_from_text
from ktsim.rules.engine.cards import Datacard
from ktsim.sight.ruling import Ruling, ruling
from ktsim.sight.scene import Scene

NUDGE = 0.06
"""How far (inches) either figure may be misplaced without another answer."""
SCENE_NAME = Path("drill.yaml")

Place = tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class Position:
    """A table to ask about: a scene file, and the datacards of its operatives where it has any.

    *reached* keeps what was found to be in reach of whom, for every kind of drill.
    """

    file: SceneFile
    cards: Mapping[str, Datacard] = field(default_factory=dict)
    reached: dict[str, list[Place]] = field(default_factory=dict)


@dataclass(frozen=True)
class Drill:
    """One question about a scene. *choices* are the answers to pick from; without them a place is asked for.

    *difficulty* is from 0 to 1, as far as the position alone tells.
    """

    kind: str
    rule: str
    scene: str
    question: str
    answer: Mapping[str, Any]
    difficulty: float
    choices: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "rule": self.rule,
            "scene": self.scene,
            "question": self.question,
            "answer": dict(self.answer),
            "difficulty": round(self.difficulty, 3),
            "choices": list(self.choices),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Drill:
        """The drill that was written as :meth:`as_json`."""
        return cls(**{**data, "choices": tuple(data["choices"])})

    def file(self) -> SceneFile:
        """The scene it asks about."""
        return scene_from_text(self.scene, SCENE_NAME)


@dataclass(frozen=True)
class Marked:
    """Whether an answer was right, which one is (for a place: one of many), and what the engine says: in words, by the
    rulings that decided (each with the scene it is about, what matters most first) and by the ruling on a move."""

    is_right: bool
    text: str
    rulings: tuple[Ruling, ...] = ()
    move: MoveRuling | None = None
    right: str = ""


@dataclass(frozen=True)
class DrillKind:
    """A kind of drill: *propose* makes one of a position, if it has one; *mark* judges an answer to one."""

    name: str
    title: str
    propose: Callable[[Position, Random], Drill | None]
    mark: Callable[[Drill, str], Marked]


def opposing(file: SceneFile, rng: Random) -> list[tuple[str, str]]:
    """Every pair of operatives of two teams, shuffled."""
    found = [(a.id, b.id) for a in file.scene.operatives for b in file.scene.operatives if a.team != b.team]
    rng.shuffle(found)
    return found


def engaged(file: SceneFile, who: str) -> SceneFile:
    """The file with *who* on Engage, so that its order lets it Shoot."""
    return replace(file, scene=file.scene.moved(replace(file.scene.operative(who), order="engage")))


def asking(file: SceneFile, *pairs: tuple[str, str]) -> SceneFile:
    """The file with only these pairs to rule on."""
    return replace(file, pairs=pairs)


def text_of(file: SceneFile) -> str:
    """The text of a scene that came from text: reading it gives the same scene."""
    return dump_scene(file)


def answer_of(found: Ruling) -> dict[str, bool]:
    """The four answers of a ruling that drills ask for."""
    return {
        "visible": found.visible,
        "valid_target": found.valid_target,
        "in_cover": found.in_cover,
        "obscured": found.obscured,
    }


def nudged(scene: Scene, *ids: str) -> Iterator[Scene]:
    """The scene with one of these operatives a little off its place, in each direction."""
    for id in ids:
        who = scene.operative(id)
        for dx, dy in ((NUDGE, 0.0), (-NUDGE, 0.0), (0.0, NUDGE), (0.0, -NUDGE)):
            yield scene.moved(replace(who, x=who.x + dx, y=who.y + dy))


def is_steady(found: Ruling, file: SceneFile) -> bool:
    """Whether the answer hangs neither on a hair, nor on how a stand-in figure is built, nor on exact places."""
    if found.close_call or found.undecided or found.stand_in_note is not None or found.warnings:
        return False
    known = answer_of(found)
    return all(
        answer_of(ruling(scene, found.shooter, found.target, file.edition, file.weapon)) == known
        for scene in nudged(found.scene, found.shooter, found.target)
    )
