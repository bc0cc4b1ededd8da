"""The rules teams bring into a game: abilities, ploys and actions that are more than a weapon rule granted."""

from __future__ import annotations

from collections.abc import Mapping

from ktsim.rules.decisions import Side
from ktsim.rules.rule import Rule
from ktsim.rules.team_file import Team


def team_rules(teams: Mapping[Side, Team]) -> list[Rule]:
    """Every rule of the two teams that is enforced by a class of its own."""
    return []
