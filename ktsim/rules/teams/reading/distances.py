"""Distances said of two that attack each other, without saying from whom: from the other one."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import Mention, When, about, negated
from ktsim.rules.teams.reading.moments import sequence_of
from ktsim.rules.teams.reading.names import G
from ktsim.rules.teams.reading.operatives import narrowed

IT = Whom("it")
"""In what narrows one of two that attack each other, the other one."""

G.says("away", "within <inches>")(lambda n: (term("within", n, of=IT),))
G.says("away", "(more|further) than <inches> away")(lambda n: (term("more-than", n, **{"from": IT}),))


@G.says("sequence", "<op> is/are <verbs> <bare> <away> [<using>] [<in-which>]")
def _near_foe(who: Mention, verbs: tuple[str, ...], foe: Mention, away: tuple[Term, ...], *more: Any) -> When | Any:
    return sequence_of(who, verbs, narrowed(foe, away), *more)


@G.says("sequence", "<bare> <away> is/are <verbs> <op> [<using>] [<in-which>]")
def _from_afar(who: Mention, away: tuple[Term, ...], verbs: tuple[str, ...], foe: Mention, *more: Any) -> When | Any:
    return sequence_of(narrowed(who, away), verbs, foe, *more)


_OTHERS = ("attacker", "target", "foe", "that", "that-enemy", "the-enemy")
"""Pronouns for the other one of two, from whom the one the rule is about is then so far."""
G.says("condition", "<pronoun> is <away>")(
    lambda whom, away: about(away, whom) if whom.role in _OTHERS else NotImplemented
)
G.says("condition", "<pronoun> is not <away>")(
    lambda whom, away: (negated(about(away, whom)),) if whom.role in _OTHERS else NotImplemented
)
