"""What team rules say cannot be, heard after everything that says it is: changes to stats that are ignored, targets
that cannot be obscured or in cover."""

from __future__ import annotations

from dataclasses import replace

from ktsim.rules.engine.attack import Attack, Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import OperativeState
from ktsim.rules.engine.table import TargetRuling
from ktsim.rules.engine.values import Change, Reasoned
from ktsim.rules.teams.language.values import Term
from ktsim.rules.teams.playing.clauses import Clause
from ktsim.rules.teams.playing.force import Doing, attacking
from ktsim.rules.teams.playing.in_sequences import is_for, names
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.standing import WORSE_IS_MORE, StandingRules

HOOKS = {"stat": "ignore-changes", "hand": "ignore-changes", "ruling": "reveal"}


class IgnoredChanges(StandingRules):
    """Where its player may choose (*can ignore*), changes for the worse are ignored and those for the better kept."""

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
        for clause, term, _ in self.found(battle, "ignore-changes", who):
            if _is_about(term, stat) and not term.get("weapons"):
                number = number.to(self._kept(battle, clause, term, stat, number), TEAM, clause.title)
        return number

    def hand(self, battle: Battle, attack: Attack, hand: Hand) -> Hand:
        """Hit as other rules have left it, without what is ignored."""
        who, weapon = attack.who, attack.weapon
        doings = attacking(battle, who, weapon, attack.target, attack.ruling)
        for clause, term, scene in self.found(battle, "ignore-changes", who, doings):
            if not _is_about(term, "hit") or not is_for(term, scene, weapon):
                continue
            worse = [change for change in attack.hit.changes if change.after > change.before]
            if term.get("from") == "injury":
                lost = sum(_by(change) for change in worse if change.rule == battle.edition.cites.injured)
                hand = hand._replace(hit=max(2, hand.hit - (lost if term.get("weapons") else 0)))
                continue
            best = weapon.hit + sum(_by(change) for change in attack.hit.changes if change.after < change.before)
            hand = hand._replace(hit=max(2, min(hand.hit, best)) if _is_choice(clause, term) else weapon.hit)
        return hand

    def _kept(self, battle: Battle, clause: Clause, term: Term, stat: str, number: Reasoned) -> int:
        """The number without the changes that are ignored."""

        def is_ignored(change: Change) -> bool:
            if term.get("from") == "injury":
                return change.rule == battle.edition.cites.injured
            is_worse = (change.after > change.before) == (stat in WORSE_IS_MORE)
            return is_worse or not _is_choice(clause, term)

        return number.value - sum(_by(change) for change in number.changes if is_ignored(change))


def _is_hidden(target: OperativeState, ruling: TargetRuling) -> bool:
    """Whether it is no valid target for its cover alone, on a Conceal order, as far as the table has it."""
    told = [rule for rule, _ in ruling.reasons if rule != TEAM]
    is_for_cover = ruling.in_cover and (not told or told[-1] in ("KT24-COVER", "KT21-COVER"))
    return not ruling.is_valid and ruling.is_visible and is_for_cover and target.order == "conceal"


def _is_choice(clause: Clause, term: Term) -> bool:
    """Whether its player may do without; of what lasts the effect itself says so."""
    return clause.rule.may or bool(term.get("may"))


def _by(change: Change) -> int:
    return change.after - change.before


def _is_about(term: Term, stat: str) -> bool:
    return any(each in ("all", stat) for each in names(term)) and stat not in names(term, "except")
