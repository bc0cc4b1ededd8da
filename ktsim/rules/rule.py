"""A rule in force during a game: a killzone's, a team's, a mission's. Hooks do nothing unless overridden."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from ktsim.rules.decisions import Steps
from ktsim.rules.precedence import Claim
from ktsim.rules.values import Reasoned

if TYPE_CHECKING:
    from ktsim.rules.action import Action
    from ktsim.rules.battle import Battle
    from ktsim.rules.state import OperativeState
    from ktsim.rules.team_file import Profile


class Rule:
    """Override only the hooks the printed rule talks about."""

    id: ClassVar[str] = ""
    name: ClassVar[str] = ""

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        """Change *stat* (``apl``, ``move``, ``save``, ``hit``) of an operative."""
        return number

    def claim(self, battle: Battle, who: OperativeState, action: Action) -> Claim | None:
        """What the rule says about the operative performing *action* now."""
        return None

    def weapon_rules(self, battle: Battle, who: OperativeState, weapon: Profile) -> tuple[str, ...]:
        """Weapon rules the weapon has as well, as printed."""
        return ()

    def forbids_retaliation(self, battle: Battle, who: OperativeState) -> bool:
        """Whether the operative cannot retaliate when it is fought against."""
        return False

    def last_action(self, battle: Battle, who: OperativeState) -> Action | None:
        """An action the operative may perform for free when it is incapacitated, before it is removed."""
        return None

    def turning_point_ends(self, battle: Battle) -> Steps[None]:
        """What happens at the end of a turning point."""
        return
        yield  # pragma: no cover - makes this a generator
