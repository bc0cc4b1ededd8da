"""What somebody cannot do, one thing after another; and who cannot use a rule, and when."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import SELF, Term, Whom, term
from ktsim.rules.teams.reading.clauses import Do, Forbids, Mention, about
from ktsim.rules.teams.reading.names import G

# -- one thing after another -----------------------------------------------------------------------------

_OTHERS_WEAPONS = "use [any] weapons [that are] not on (its|their) (datacard|data card)"
G.says("cannot", "perform <actions> [\\( excluding <actions> \\)]")(
    lambda names, out: (term("forbid", names, **({"except": out} if out else {})),)
)
G.says("cannot", "perform [any] action/actions other than <actions>", "perform any action/actions except <actions>")(
    lambda names: (term("forbid", ("all",), **{"except": names}),)
)
G.means("cannot", (term("forbid-retaliation"),), "retaliate")
G.means("cannot", (term("forbid-assist"),), "assist [in a fight/fights]")
G.means("cannot", (term("forbid-move", ("climb",)),), "climb")
G.means("cannot", (term("forbid-move", ("jump",)),), "jump")
G.means("cannot", (term("forbid-weapons", ("all",), not_own=True),), _OTHERS_WEAPONS)
for _order in ("engage", "conceal"):
    G.means("cannot", (term("forbid-order", _order),), f"(have|be given|be issued) (a|an) {_order} order")
G.says("cannots", "<cannot>")(lambda one: (one,))
G.says("cannots", "<cannot> (,|[,] or|[,] nor|[,] and) [it/they] [cannot] <cannots>")(lambda one, more: (one, *more))


@G.says("clause", "<op> cannot <cannots>")
def _none_of(who: Mention, each: tuple[tuple[Term, ...], ...]) -> tuple[Do, ...] | Any:
    """Several things, each said by itself: a condition after them would be nobody knows of which."""
    if len(each) < 2:
        return NotImplemented
    return tuple(Do(tuple(one.plus(who=who.whom) for one in found)) for found in each)


# -- who cannot use a rule -------------------------------------------------------------------------------


@G.says("clause", "this operative cannot use this (rule|ability|effect) <refusals>")
def _of_this_one(found: Forbids) -> Forbids:
    """'It' is the operative whose rule it is, whomever the rule is about."""
    return Forbids(about(tuple(map(_of_self, found.conditions)), SELF), found.limits, bars=found.bars)


def _of_self(condition: Term) -> Term:
    if condition.word in ("not", "any", "all") and isinstance(condition.main, tuple):
        return term(condition.word, tuple(_of_self(each) for each in condition.main if isinstance(each, Term)))
    return condition.plus(about=SELF) if condition.get("about") == Whom("it") else condition
