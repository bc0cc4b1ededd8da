"""What a rule forbids or places lasts as long as its text says, whatever is used afterwards. All texts are invented;
each has the case just outside it."""

from __future__ import annotations

import pytest
from engine_help import Answers, Field, ranged
from language_help import activating, gambit, ground, refused_gambit

from ktsim.rules.engine.state import State

# -- used in this turning point ----------------------------------------------------------------------

BELL = "id: MO-E-1, name: Bell, on: gambit, who: friend, limit: once per battle, do: [{points: 1, of: Tea}]"
OATH = "id: MO-A-1, name: Oath, on: activated, who: {is: friend, keyword: [a]}, limit: once per battle, "
OATH += "do: [{points: 1, of: Tea}]"
IDLE = {"order": "engage", "action": "pass"}
TUNE = "id: MO-E-2, name: Tune, on: gambit, who: friend, do: [{points: 1, of: Tea}], limit: [{not-with: "


def next_turning_point(state: State) -> None:
    state.effects = [each for each in state.effects if each.until != "turning-point"]
    state.turning_point += 1


def rules_against_c(made: Field) -> list[str]:
    battle = made.battle()
    operatives = battle.state.operatives
    return [rule.text for rule in battle.weapon_rules(operatives["a"], ranged(), operatives["c"])]


@pytest.mark.parametrize(("other", "name"), [(BELL, "Bell"), (OATH, "Oath")], ids=["Bell", "Oath"])
def test_not_beside_another_rule_is_for_the_turning_point_in_which_that_was_used(other: str, name: str) -> None:
    echo = f"name: Echo, on: shooting, who: friend, if: [{{used-rule: {name}, during: turning-point}}], "
    made = (
        ground(other, f"{TUNE}{name}}}]", f"{echo}do: [{{grant: [Severe]}}]")
        .add("a", "red", (3, 5), ranged())
        .add("c", "blue", (9, 5), ranged())
    )
    assert refused_gambit(made, "MO-E-2#0") is None
    used = gambit(made, "MO-E-1#0") if name == "Bell" else made.play(activating("a"), Answers([], IDLE))
    made.state = used.state
    assert refused_gambit(made, "MO-E-2#0") == f"Tune: not beside {name}."
    assert rules_against_c(made) == ["Severe"]
    next_turning_point(made.state)
    assert refused_gambit(made, "MO-E-2#0") is None
    assert rules_against_c(made) == []
