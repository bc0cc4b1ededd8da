"""How long something lasts, in a sentence."""

from __future__ import annotations

from ktsim.rules.teams.language.values import SELF, Term, Whom, term
from ktsim.rules.teams.reading.clauses import Lasts, about, negated
from ktsim.rules.teams.reading.names import G

OF_THIS_ONE = frozenset(["own-next-activation", "own-next-activation-end", "performed-again"])
"""Ways of lasting that speak of the operative that did it."""

for _words, _until in (
    ("(that|the|this) sequence", "sequence"),
    ("(that|the|this) (action|shoot action|fight action)", "action"),
    ("(that|the|its|this) activation [or counteraction]", "activation"),
    ("<poss> activation [or counteraction]", "activation"),
    ("(that|the|its|this) (counteraction|action or activation)", "activation"),
    ("(the|this|that) turning point", "turning-point"),
    ("the battle", "battle"),
):
    G.says("until", f"until the end of {_words}")(lambda *_, _until=_until: (term(_until),))
    if "<" not in _words:
        G.says(
            "until",
            f"during {_words}",
            f"for {_words}",
            f"for the (rest|remainder) of {_words}",
            f"for the duration of {_words}",
        )(lambda _until=_until: (term(_until),))
G.says("until", "until the start of the next turning point")(lambda: (term("turning-point"),))
G.says("until", "until the end of <poss> next activation/activations [respectively]")(
    lambda whom: (term("own-next-activation-end" if whom.role == "self" else "next-activation-end"),)
)
G.says("until", "until the start of <poss> next activation")(
    lambda whom: (term("own-next-activation" if whom.role == "self" else "next-activation-start"),)
)
G.means(
    "until",
    (term("next-ready-step"),),
    "until the [start of the] ready step of (the|your) next strategy phase",
    "until the next ready step",
)
G.means("until", (term("incapacitated"),), "until this operative is incapacitated")
G.says("fallen", "until <pronoun> is incapacitated")(
    lambda whom: NotImplemented if whom == SELF else (_while_it_stands(whom),)
)
G.says("until", "until this action is performed again by a friendly operative")(lambda: (term("performed-by-friend"),))
G.says("until", "until (it|this operative) performs this action again")(lambda: (term("performed-again"),))
G.says("until", "until <op> is no longer <state>")(lambda who, found: (term("while", about(found, who.whom)),))


def _while_it_stands(whom: Whom) -> Term:
    return term("while", about((negated((term("incapacitated"),)),), whom))


def _or_until(one: tuple[Term, ...], more: tuple[Term, ...]) -> tuple[Term, ...]:
    """One or the other, whichever comes first. 'It' beside what is said of this operative is this operative."""
    both = (*one, *more)
    if {each.word for each in both} & OF_THIS_ONE:
        return tuple(term("incapacitated") if each == _while_it_stands(Whom("it")) else each for each in both)
    return both


_FIRST = "[\\( whichever comes first \\)] [, whichever comes first]"
G.says("untils", "<until>")(lambda one: one)
G.says(
    "untils",
    f"<until> (,|[,] or) <untils> {_FIRST}",
    f"<until> (,|[,] or) <fallen> {_FIRST}",
    f"<fallen> (,|[,] or) <untils> {_FIRST}",
)(_or_until)
G.says("clause", "[to last|lasting] <untils>")(Lasts)
