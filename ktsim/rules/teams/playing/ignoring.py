"""What team rules say cannot be, heard after everything that says it is: changes to stats that are ignored, targets
that cannot be obscured or in cover."""

from __future__ import annotations

from dataclasses import replace

from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.values import Reasoned
from ktsim.rules.teams.playing.force import Doing
from ktsim.rules.teams.playing.ignored_changes import Ignored
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.standing import StandingRules

HOOKS = {"stat": "ignore-changes", "ruling": "reveal"}


class IgnoredChanges(StandingRules):
    """Changes to stats outside sequences that are ignored; those of weapons are, where attacks are made."""

    id, name = TEAM, "Ignored changes"
    says_cannot = True

    def answers(self, hook: str) -> bool:
        return HOOKS.get(hook, "") in self.by_effect

    def ruling(self, battle: Battle, who: OperativeState, target: OperativeState, ruling: TargetRuling) -> TargetRuling:
        mine, theirs = Doing("shooting", who, target, ruling=ruling), Doing("always", target, who, ruling=ruling)
        doings = (mine, theirs)
        for clause, term, _ in self.found(battle, "reveal", target, doings):
            if term.main in ("obscured", "both") and ruling.is_obscured:
                reasons = (*ruling.reasons, (TEAM, f"{clause.title}: not obscured."))
                ruling = replace(ruling, is_obscured=False, defender_chooses=False, obscured_by=(), reasons=reasons)
            if term.main in ("cover", "both") and ruling.in_cover:
                reasons = (*ruling.reasons, (TEAM, f"{clause.title}: not in cover."))
                is_hidden = _is_hidden(target, ruling)
                ruling = replace(ruling, in_cover=False, is_improved=False, reasons=reasons)
                if is_hidden:
                    why = self.why_no_target(battle, who, target, ruling)
                    more = () if why is None else ((TEAM, why),)
                    ruling = replace(ruling, is_valid=why is None, reasons=(*reasons, *more))
        return ruling

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if stat not in ("apl", "move", "save", "hit") or not number.changes:
            return number
        injured = battle.edition.cites.injured
        for clause, term, _ in self.found(battle, "ignore-changes", who):
            ignored = Ignored.by(clause, term)
            if ignored.is_about(stat) and not ignored.is_of_named_weapons:
                lost = sum(each.after - each.before for each in number.changes if ignored.drops(each, stat, injured))
                number = number.to(number.value - lost, TEAM, clause.title)
        return number


def _is_hidden(target: OperativeState, ruling: TargetRuling) -> bool:
    """Whether it is no valid target for its cover alone, on a Conceal order, as far as the table has it."""
    told = [rule for rule, _ in ruling.reasons if rule != TEAM]
    is_for_cover = ruling.in_cover and (not told or told[-1] in ("KT24-COVER", "KT21-COVER"))
    return not ruling.is_valid and ruling.is_visible and is_for_cover and target.order == "conceal"
