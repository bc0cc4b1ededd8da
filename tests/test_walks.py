"""The walks through the rooms know which way is left."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "scripts"))

from walks import Trace, is_leftwards


def test_left_is_against_the_order_of_layers_and_of_rooms() -> None:
    assert is_leftwards("rules/engine", "rules/kt24")
    assert is_leftwards("sight", "game")
    assert is_leftwards("app/ui", "app/shell")
    assert not is_leftwards("rules/kt24", "rules/engine")
    assert not is_leftwards("rules/kt24", "rules/kt21")  # side by side
    assert not is_leftwards("game", "sight")


def test_a_goal_that_is_not_reached_is_said() -> None:
    trace = Trace("nowhere.at_all")
    trace.run(lambda: None)
    assert "To `nowhere.at_all`: not reached." in trace.markdown("A walk")
