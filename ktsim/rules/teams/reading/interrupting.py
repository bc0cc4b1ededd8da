"""Interrupting somebody's activation, and against whom the action may be that is performed then."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Whom, term
from ktsim.rules.teams.reading.clauses import Ask, Do, If, Refers, Says, When
from ktsim.rules.teams.reading.names import G

_ACTIVATION, _COUNTERACTION = (term(word, anyones=True) for word in ("activated-now", "counteracting"))
for _words, _during in (
    ("that activation", _ACTIVATION),
    ("that activation or counteraction", term("any", (_ACTIVATION, _COUNTERACTION))),
):
    _stop = f"you can interrupt {_words}"  # outside of them there is nothing to interrupt
    G.means("clause", (If((_during,)), Ask()), f"{_stop} to use this rule")
    G.says("clause", f"{_stop} and [immediately] <effect>")(
        lambda found, _during=_during: (If((_during,)), Do(found if isinstance(found, tuple) else (found,), True))
    )
G.says("moment", "<op> performs an action during its activation")(
    lambda who: When((term("done"),), who.whom, None, (term("activated-now"),))
)
G.says(
    "clause", "but other enemy operatives cannot be selected as a valid target or to fight against during that action"
)(lambda: Refers(frozenset(("free-action",)), {"against": Whom("that-enemy")}))
_AIMED = "[but/and] [it|they|that operative|that friendly operative|this operative|you]"
_AGAINST = ("that-enemy", "the-enemy", "chosen-enemy")


def _aimed_at(whom: Whom) -> Whom | Any:
    """Whom an attack must be against: an enemy. 'It' is the one that was spoken of, for nobody attacks himself."""
    if whom.role == "it":
        return Whom("that-enemy")
    return whom if whom.role in _AGAINST else NotImplemented


G.says(
    "clause",
    f"{_AIMED} can only (target|fight|shoot) [against] <pronoun> [during that action]",
    f"{_AIMED} can only select <pronoun> as (a|the) valid target [or to fight against] [during that action]",
    f"{_AIMED} can only (fight|fight against) or (shoot|shoot against) <pronoun>",
    f"{_AIMED} must (target|fight against|select) <pronoun> [as the valid target] [during that action]",
)(
    lambda whom: (
        Refers(frozenset(("free-action",)), {"against": found})
        if (found := _aimed_at(whom)) is not NotImplemented
        else NotImplemented
    )
)
G.says("free", "<free> against <pronoun>", "<free> targeting <pronoun>")(
    lambda found, whom: (
        found.plus(against=aimed)
        if (aimed := _aimed_at(whom)) is not NotImplemented and {"Shoot", "Fight"} >= set(found.main or ())
        else NotImplemented
    )
)
G.says("free", "<free> with (its|a|an|the) <weapon-names>")(
    lambda found, names: found.plus(weapons=names) if found.main == ("Shoot",) else NotImplemented
)
G.means(
    "clause",
    Says(),
    "after you perform that action",
    "if this is not possible , the interruption is cancelled and this rule has not been used",
)
G.says("moment", "<op> ends <actions> with <op> within its control range")(
    lambda who, names, other: When(
        (term("done", names),), who.whom, None, (term("control-range", other.whom, about=Whom("it")),)
    )
)
