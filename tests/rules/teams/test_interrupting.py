"""What interrupts an activation or a counteraction is used during one only. All texts are invented."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from engine_help import Answers, Field, at, melee, ranged
from language_help import ground
from test_team_reading import rules

from ktsim.rules.engine.activation import free_action, perform
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Steps
from ktsim.rules.engine.operative_events import ActivationBegan, ActivationEnded
from ktsim.rules.kt24.moves import Dash

ONE = "{activated-now: true, anyones: true}"
BOTH = f"{{any: [{ONE}, {{counteracting: true, anyones: true}}]}}"
POUNCE = "of: a, name: Pounce, on: done, who: enemy, if: [{moved: true, during: action}, DURING], limit: once per"
POUNCE += " turning-point, may: true, do: [{damage: 2, who: who}]"


def field(during: str) -> Field:
    made = ground(POUNCE.replace("DURING", during))
    made.add("a", "red", (5, 5), ranged(), melee()).add("e", "blue", (12, 5)).add("f", "blue", (12, 8))
    return made


def dashing(kind: str, by: str = "e") -> Callable[[Battle], Steps[None]]:
    """E dashes in an activation or counteraction of *by*, or in none."""

    def procedure(battle: Battle) -> Steps[None]:
        if kind:
            yield ActivationBegan(by, "activation" if kind == "activation" else "counteraction", "engage", 2)
        who = battle.state.operatives["e"]
        yield from perform(battle, who, Dash(), 1) if by == "e" and kind else free_action(battle, who, Dash())
        if kind:
            yield ActivationEnded(by)

    return procedure


def asked(during: str, kind: str, by: str = "e") -> bool:
    answers = Answers(choose={"move": [(at(11, 5),)]})
    field(during).play(dashing(kind, by), answers)
    return "ploy" in answers.topics


@pytest.mark.parametrize(
    ("during", "kind", "by", "expected"),
    [
        (BOTH, "activation", "e", True),
        (BOTH, "counteraction", "e", True),
        (BOTH, "", "e", False),
        (BOTH, "activation", "f", True),
        (ONE, "activation", "e", True),
        (ONE, "counteraction", "e", False),
        (ONE, "", "e", False),
        ("activated-now", "activation", "e", True),
        ("activated-now", "activation", "f", False),
        ("counteracting", "counteraction", "f", False),
    ],
)
def test_there_is_something_to_interrupt(during: str, kind: str, by: str, expected: bool) -> None:
    assert asked(during, kind, by) == expected


NOW, COUNTER = {"activated-now": True, "anyones": True}, {"counteracting": True, "anyones": True}


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("that activation/counteraction to use this rule. If you do, this operative can", {"any": [NOW, COUNTER]}),
        ("that activation or counteraction and", {"any": [NOW, COUNTER]}),
        ("that activation to use this rule. If you do, this operative can", NOW),
        ("that activation and", NOW),
    ],
)
def test_what_is_interrupted_is_read(words: str, condition: Any) -> None:
    text = "Once per turning point, after an enemy operative performs an action in which it moves, you can interrupt "
    text += f"{words} perform a free Charge action" + ("." if "can" in words[-5:] else " with this operative.")
    (rule,) = rules(text)
    assert rule["if"][-1] == condition
