"""Rules of teams the language cannot say: every module here is found by itself, and so are those other packages bring.

The teams that come with the program need none."""

from importlib import import_module
from pkgutil import iter_modules

from ktsim.rules.teams.classes.register import TEAM_RULES, TeamRule

for _module in iter_modules(__path__, f"{__name__}."):
    import_module(_module.name)

__all__ = ["TEAM_RULES", "TeamRule"]
