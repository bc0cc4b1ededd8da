"""The rules of the teams that come with the program, one module per team."""

from ktsim.rules.teams.classes import brine_throng, gravel_jackals, keelwrights, lantern_wardens
from ktsim.rules.teams.classes.register import TEAM_RULES, TeamRule

__all__ = ["TEAM_RULES", "TeamRule", "brine_throng", "gravel_jackals", "keelwrights", "lantern_wardens"]
