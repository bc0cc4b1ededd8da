"""Effects on orders, and on who controls markers or counts."""

from __future__ import annotations

from ktsim.rules.teams.language.values import Whom, term
from ktsim.rules.teams.reading.clauses import Do, Says, When
from ktsim.rules.teams.reading.effects_operatives import GROUPS, upon
from ktsim.rules.teams.reading.names import G

G.says("effect", "change <poss> order")(lambda whom: term("order", "change", who=whom))
G.says("effect", "change <poss> order to conceal")(lambda whom: term("order", "conceal", who=whom))
G.says("effect", "change <poss> order to engage")(lambda whom: term("order", "engage", who=whom))
G.says("effect", "change the order of <op>")(lambda who: upon(who, term("order", "change")))
for _order in ("conceal", "engage"):
    G.says("effect", f"change the order of <op> to {_order}")(
        lambda who, _order=_order: upon(who, term("order", _order))
    )
G.says("effect", "change it to conceal")(lambda: term("order", "conceal", who=Whom("it")))
for _words, _sign in (("higher", 1), ("lower", -1)):
    G.says("effect", f"treat <poss> apl stat as <n> {_words}")(
        lambda whom, n, _sign=_sign: term("control-apl", _sign * n, who=whom)
    )
    G.says("effect", f"treat the apl stat of <op> as <n> {_words}")(
        lambda who, n, _sign=_sign: (
            term("control-apl", _sign * n, who=who.whom) if who.whom.role in GROUPS else NotImplemented
        )
    )
    G.says(
        "effect",
        f"treat <poss> apl stat as <n> {_words} when determining control of (markers|a marker|any marker)",
    )(lambda whom, n, _sign=_sign: term("control-apl", _sign * n, who=whom))
    G.says(
        "effect",
        f"treat the total apl stat of <op> that contest it as <n> {_words} if at least one of those "
        f"[enemy/friendly] operatives is <state>",
    )(lambda who, n, found, _sign=_sign: term("control-apl", _sign * n, total=True, who=who.whom.narrowed(*found)))
    G.says(
        "effect",
        f"<op> treat/treats (its|their) apl stat as <n> {_words} when determining control of "
        "(markers|a marker|any marker)",
    )(
        lambda who, n, _sign=_sign: (
            term("control-apl", _sign * n, who=who.whom)
            if who.is_each or who.whom.role not in GROUPS
            else NotImplemented
        )
    )
G.says("effect", "treat <poss> apl stat as <n>")(lambda whom, n: term("control-apl", 0, set=n, who=whom))
G.says("effect", "you can treat <poss> apl stat as <n>")(lambda whom, n: term("control-apl", 0, at_least=n, who=whom))
G.says("clause", "(whenever|when) determining control of (a|any) marker , <op> is/are ignored")(
    lambda who: (
        (When((term("control", "marker"),)), Do((term("control-apl", 0, set=0, who=who.whom),)))
        if who.whom.role in ("self", "friend", "enemy")
        else NotImplemented
    )
)
G.says(
    "effect",
    "treat the total apl stat of <op> that contest it as <n> higher if this operative (is one of them|contests it)",
)(lambda _, n: term("control-apl", n, who=Whom("self")))
G.means("clause", Says(), "meaning any changes to its apl stat are ignored for this")
G.says("clause", "whenever <op> contests <markers> , it always controls that marker")(
    lambda who, names: (
        (
            When((term("control", "objective" if names == ("objective",) else "marker"),), who.whom),
            Do((term("controls", who=who.whom),)),
        )
        if set(names) <= {"objective", "mission", "any"}
        else NotImplemented
    )
)
G.says(
    "clause",
    "<op> is ignored for your opponent 's kill or elimination op [\\( when it is incapacitated , and when "
    "determining your starting number of operatives \\)]",
)(lambda who: Do((term("not-counted", who=who.whom),)))
