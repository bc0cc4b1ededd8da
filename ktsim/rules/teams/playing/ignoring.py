"""Changes to stats that team rules have operatives ignore: heard after everything that changes them."""

from __future__ import annotations

from collections.abc import Sequence

from ktsim.rules.engine.attack import Attack, Hand
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import OperativeState, Side
from ktsim.rules.engine.values import Change, Reasoned
from ktsim.rules.teams.language.values import Term
from ktsim.rules.teams.playing.clauses import Clause
from ktsim.rules.teams.playing.force import Doing, attacking
from ktsim.rules.teams.playing.in_sequences import is_for, names
from ktsim.rules.teams.playing.sequences import TEAM
from ktsim.rules.teams.playing.standing import WORSE_IS_MORE, StandingRules


class IgnoredChanges(StandingRules):
    """Where its player may choose (*can ignore*), changes for the worse are ignored and those for the better kept."""

    id, name = TEAM, "Ignored changes"
    says_cannot = True

    def __init__(self, side: Side, clauses: Sequence[Clause]) -> None:
        super().__init__(side, clauses)
        self._is_used = "ignore-changes" in self.by_effect

    def answers(self, hook: str) -> bool:
        return self._is_used and hook in ("stat", "hand")

    def stat(self, battle: Battle, who: OperativeState, stat: str, number: Reasoned) -> Reasoned:
        if stat not in ("apl", "move", "save", "hit") or not number.changes:
            return number
        for clause, term, _ in self.found(battle, "ignore-changes", who, (Doing("always", who),)):
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


def _is_choice(clause: Clause, term: Term) -> bool:
    """Whether its player may do without; of what lasts the effect itself says so."""
    return clause.rule.may or bool(term.get("may"))


def _by(change: Change) -> int:
    return change.after - change.before


def _is_about(term: Term, stat: str) -> bool:
    return any(each in ("all", stat) for each in names(term)) and stat not in names(term, "except")
