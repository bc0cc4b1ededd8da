"""What is said of an operative (is wounded, has an order, performed an action), and conditions of a sentence."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import Forbids, If, While, about, negated
from ktsim.rules.teams.reading.names import G
from ktsim.rules.teams.reading.operatives import _both

ENGAGED = term("control-range")

# -- periods ---------------------------------------------------------------------------------------------

for _words, _period in (
    ("[during/in] (this|that|the|each) turning point", "turning-point"),
    ("[during/in/per] (a|the) battle", "battle"),
    ("during (the|this|that|its|an|their|each of its) activation [or counteraction]", "activation"),
    ("during (the|that) (action|sequence)", "sequence"),
    ("during (that|the) counteraction", "activation"),
    ("already during this turning point", "turning-point"),
    ("during that action", "action"),
):
    G.means("period", _period, _words)

# -- predicates ------------------------------------------------------------------------------------------

for _word in ("ready", "wounded", "injured", "expended", "obscured", "incapacitated"):
    G.means("state", (term(_word),), _word)
G.means("state", (term("in-cover"),), "in cover")
G.means("state", (term("counteracting"),), "counteracting")
G.says("state", "<places>")(lambda found: found)
G.says("state", "both <places>")(lambda found: found)
G.says("state", "a valid target for <one-op>")(lambda mention: (term("valid-target", mention.whom),))
G.says("state", "[a/an] <kws> [operative]")(lambda kws: _keyword(kws))
G.says("state", "<op>")(lambda mention: (term("is", mention.whom),) if mention.whom.role == "self" else NotImplemented)
G.says("state", "carrying <marker>")(
    lambda names: (term("carrying"),) if names == ("any",) else (term("carrying", names[0]),)
)
G.says("state", "contesting <markers>")(lambda names: (term("contests", names),))
G.says("state", "controlling <markers>")(lambda names: (term("controls", names),))
G.says("state", "assisted by <op>")(lambda mention: (term("assisted", by=mention.whom),))
G.says("state", "[being] fighting or retaliating")(lambda: NotImplemented)
G.says("state", "[a/an] <kws> [operative] <places>")(
    lambda kws, places: (*_keyword(kws), *places) if _keyword(kws) is not NotImplemented else NotImplemented
)
G.says("state", "<status>")(lambda name: (term("status", name),))
G.says("state", "under the <caps>")(lambda name: (term("token", name),))
G.says("state", "being <word>")(
    lambda word: (term("token", word.title()),) if word.endswith("ed") and word != "injured" else NotImplemented
)
G.says("state", "alive")(lambda: (negated((term("incapacitated"),)),))
G.says("state", "no longer <state>")(lambda found: (negated(found),))
G.says("state", "not <state>")(lambda found: (negated(found),))
G.says("state", "not currently <state>")(lambda found: (negated(found),))


def _keyword(kws: tuple[str, ...]) -> tuple[Term, ...] | Any:
    if any(word.startswith("? ") for word in kws):
        return NotImplemented
    return (term("keyword", kws),)


G.says("has", "[a/an] (engage|conceal) order")(lambda: NotImplemented)
for _order in ("engage", "conceal"):
    G.means("has", (term("order", _order),), f"[a/an] {_order} order")
G.says("has", "<token>")(lambda name: (term("token", name),))
G.says("has", "at least one [of your] <token-name>")(lambda name: (term("token", name),))
G.says("has", "any of your <token-name>")(lambda name: (term("token", name),))
G.says("has", "the <kws> keyword")(lambda kws: (term("keyword", tuple(word.removeprefix("? ") for word in kws)),))
G.says("has", "<kws>")(lambda kws: NotImplemented)
G.says("has", "a <stat-word> stat of <digits> or (more|higher)")(lambda s, n: (_stat(s, f">={n}"),))
G.says("has", "a <stat-word> stat of <digits> or less")(lambda s, n: (_stat(s, f"<={n}"),))
G.says("has", "a <plus> save stat")(lambda n: (_stat("save", f"={n}"),))
G.says("has", "a save stat of <plus> or (better|lower)")(lambda n: (_stat("save", f"<={n}"),))
G.says("has", "a save stat of <plus> or (worse|higher|more)")(lambda n: (_stat("save", f">={n}"),))
G.says("has", "a higher <stat-word> stat than <one-op>")(
    lambda stat, mention: (
        (term("stat-above", stat, than=mention.whom),)
        if stat != "save" and mention.whom.role not in ("friend", "enemy", "anyone")
        else NotImplemented
    )
)
G.says("has", "<weapon-rules>")(lambda rules: (term("weapon-rule", rules),))
for _word in ("apl", "move", "wounds", "save"):
    G.means("stat-word", _word, _word)


def _stat(stat: str, compare: str) -> Term:
    return term("stat", stat, **{"is": compare})


G.says("predicate", "is/are/was/were [still/currently/also/already/either/being] <state>")(lambda found: found)
G.says("predicate", "is/are/was/were not [also/currently/already] <state>")(lambda found: (negated(found),))
G.says("predicate", "has/have/had [already] <has>")(lambda found: found)
G.says("predicate", "(does|do|did) not [already] have <has>")(lambda found: (negated(found),))
G.says("predicate", "has/have no <token-name>")(lambda name: (negated((term("token", name),)),))
G.says("predicate", "[has] [already] performed <actions> [<period>]")(lambda names, period: (_did(names, period),))
G.says("predicate", "(has/have not|did not) [already] [perform/performed] <actions> [<period>]")(
    lambda names, period: (negated((_did(names, period),)),)
)
G.says("predicate", "(has/have not|did not) perform/performed (either of|any of) those actions <period>")(
    lambda period: NotImplemented
)
G.says("predicate", "[has] performed an action in which it moved [<period>]")(lambda period: (_moved(period),))
G.says("predicate", "[has] moved [<period>]")(lambda period: (_moved(period),))
G.says("predicate", "(has/have not|did not) (moved/move) [<period>]")(lambda period: (negated((_moved(period),)),))
G.says("predicate", "(has/have not|did not) (moved/move) more than <inches> [<period>]")(
    lambda n, period: (negated((_moved(period).plus(more_than=n),)),)
)
G.says("predicate", "(has/have not|did not) (moved/move) more than its move stat [<period>]")(
    lambda period: (negated((_moved(period).plus(more_than_stat=True),)),)
)
G.says("predicate", "(does|did) not perform an action in which it (moves|moved) [<period>]")(
    lambda period: (negated((_moved(period),)),)
)
G.says("predicate", "[has] [moved or] (used|uses) fly [<period>]", "[has] moved or (was|been) set up [<period>]")(
    lambda period: (_moved(period),)
)
G.says("predicate", "(starts|ends|starts and ends|starts or ends) that action <status>")(lambda name: NotImplemented)
G.says("predicate", "was [already] wounded when the action started")(lambda: (term("was-wounded"),))
G.says("predicate", "inflicted damage on any enemy operatives <period>")(lambda period: (term("hurt", during=period),))
G.says("predicate", "[it] incapacitated an enemy operative <period>")(lambda period: (term("killed", during=period),))
G.says("predicate", "contests/contest <markers>")(lambda names: (term("contests", names),))
G.says("predicate", "controls/control <markers>")(lambda names: (term("controls", names),))
G.says("predicate", "(does|do) not contest <markers>")(lambda names: (negated((term("contests", names),)),))
G.says("predicate", "(does|do) not control <markers>")(lambda names: (negated((term("controls", names),)),))
G.says("predicate", "has incapacitated an enemy operative [<period>]")(lambda period: (term("killed", during=period),))
G.says("predicate", "[has] [already] been shot by <op> [<period>]")(
    lambda mention, period: (term("shot", mention.whom, during=period),)
)
G.says("predicate", "<op> [has] [already] shot [<period>]")(
    lambda mention, period: (term("shot", mention.whom, during=period),)
)
G.says("predicate", "[has] [already] been incapacitated [<period>]")(
    lambda period: (term("incapacitated", during=period),)
)
G.says("predicate", "has not been incapacitated [<period>]")(
    lambda period: (negated((term("incapacitated", during=period),)),)
)
G.says("predicate", "cannot retain any cover saves")(lambda: (negated((term("has-cover-saves"),)),))
G.says("predicates", "<predicate>")(lambda one: one)
G.says("predicates", "<predicate> ([,] and|, but|but) [that] [it] <predicates>")(lambda one, more: (*one, *more))
G.says("predicates", "[either] <predicate> [,] or [that] [it] <predicates>")(
    lambda one, more: (term("any", (_both(one), _both(more))),)
)
G.says("predicates", "is/are [both/either] <state> [,] and <state>")(lambda one, two: (*one, *two))
G.says("predicates", "is/are [either] <state> [,] or <state>")(
    lambda one, two: (term("any", (_both(one), _both(two))),)
)
G.says("predicates", "is/are not <state> or <state>")(lambda one, two: (negated(one), negated(two)))


def _did(names: tuple[str, ...], period: str | None) -> Term:
    if names == ("Charge",) and period in (None, "activation"):
        return term("charged")
    return term("did", names, during=period or "activation")


def _moved(period: str | None) -> Term:
    return term("moved", during=period or "activation")


# -- conditions of a sentence ----------------------------------------------------------------------------


def _about(mention: Any, found: tuple[Term, ...]) -> tuple[Term, ...]:
    """A condition about somebody; of any of many all of it has to be so of one and the same."""
    if mention.is_all:
        return (negated((term("exists", mention.whom.narrowed(negated(found))),)),)
    if mention.whom.role in ("friend", "enemy", "anyone") and len(found) > 1:
        return (term("exists", mention.whom.narrowed(*found)),)
    return about(found, mention.whom)


G.says("condition", "<op> <predicates>")(_about)
G.says("condition", "no <op> <predicates>")(
    lambda mention, found: (
        (negated((term("exists", mention.whom.narrowed(*found)),)),)
        if mention.whom.role in ("friend", "enemy")
        and mention.count is None
        and not (mention.is_all or (mention.whom.other and mention.whom.role == "enemy"))
        else NotImplemented
    )
)
G.says("condition", "<op> has <op> within its control range")(
    lambda one, two: about((term("control-range", two.whom),), one.whom)
)
G.says("condition", "<n> or more <noun> <predicates>")(
    lambda n, mention, found: (
        (term("exists", mention.whom.narrowed(*found), at_least=n),)
        if mention.whom.role in ("friend", "enemy") and mention.count is None and not mention.whom.other
        else NotImplemented
    )
)
G.says("condition", "neither this nor <pronoun> is <state>")(
    lambda other, found: (*about((negated(found),), Whom("self")), *about((negated(found),), other))
)
G.says("condition", "neither <op> nor <op> is <state>")(
    lambda one, other, found: (*about((negated(found),), one.whom), *about((negated(found),), other.whom))
)
G.says("condition", "[you roll|there are] <n> or more fails")(lambda n: (term("fails", f">={n}"),))
G.says("condition", "you retain any critical successes")(lambda: (term("criticals", ">=1"),))
G.says("condition", "you (do not|did not) retain any critical successes")(lambda: (term("criticals", "=0"),))
G.says("condition", "you can retain any cover saves")(lambda: (term("has-cover-saves"),))
G.says("condition", "you cannot retain any cover saves")(lambda: (negated((term("has-cover-saves"),)),))
G.says("condition", "the [ranged/melee] weapon [in that sequence] has <weapon-rules>")(
    lambda rules: (term("weapon-rule", rules, about=Whom("foe")),)
)
G.says("condition", "you (roll|rolled) <n> or (less|fewer) successes [\\( including any re-roll \\)]")(
    lambda n: (term("successes", f"<={n}", rolled=True),)
)
G.says("condition", "you do not spend <points-name> [during that sequence]")(
    lambda name: (negated((term("spent", name),)),)
)
G.says("condition", "you have the <ordinal> turning point")(lambda n: NotImplemented)
G.says("condition", "<marker> is within <poss> control range")(
    lambda names, whom: (
        about((term("within", 1, marker=names[0], visible=True),), whom)
        if names[0] not in ("any", "that")
        else NotImplemented
    )
)
G.says("condition", "a <marker-name> is within <poss> control range")(
    lambda name, whom: about((term("within", 1, marker=name, visible=True),), whom)
)
G.says("condition", "any part of <poss> base is underneath vantage terrain")(
    lambda whom: about((term("terrain-near", ("above-vantage",)),), whom)
)
G.says("condition", "<op> is within <inches> of heavy terrain that is not lower than it")(
    lambda who, n: about((term("terrain-near", (f"heavy-{n}",)),), who.whom)
)
G.says("condition", "it is <weapon-names>")(lambda names: (term("weapon", names),))
G.says("condition", "you spend a <points-name>")(lambda name: (term("spent", name),))
G.says("condition", "it or the enemy operative in that sequence contests <markers>")(
    lambda names: (
        term("any", (term("contests", names, about=Whom("who")), term("contests", names, about=Whom("foe")))),
    )
)
G.says("condition", "this is the first time it has performed <actions> <period>")(
    lambda names, period: (term("first-of", names),) if period == "activation" else NotImplemented
)
G.says("condition", "this operative is selected for deployment")(lambda: (term("on-board", about=Whom("self")),))
G.says(
    "condition",
    "the [ranged/melee] weapon [in that sequence] has <weapon-rules> \\( excluding weapons that have a "
    "<word> profile \\)",
)(
    lambda rules, word: (
        term("weapon-rule", rules, about=Whom("foe")),
        negated((term("weapon", (f"*/{word}",), about=Whom("foe")),)),
    )
)
G.says("condition", "(light or heavy|heavy or light) terrain is within its control range")(
    lambda: (term("terrain-near", ("light", "heavy")),)
)
G.says("condition", "you inflict damage with any (critical successes)")(lambda: (term("damaged-with", "critical"),))
G.says("condition", "you inflict damage with any (successes)")(lambda: (term("damaged-with"),))
G.says("condition", "you are the player with initiative", "you have the initiative")(lambda: (term("initiative"),))
G.says("condition", "you do not have the initiative", "you are not the player with initiative")(
    lambda: (negated((term("initiative"),)),)
)
G.says("condition", "it is (your|the|your operative 's) counteraction", "it is a counteraction")(
    lambda: (term("counteracting"),)
)
G.says("condition", "it is the <ordinal> turning point")(lambda n: (term("turning-point", f"={n}"),))
G.says("condition", "no other enemy operatives are within <poss> control range")(
    lambda whom: about((term("no-other"),), whom)
)
G.says("condition", "you have used the <ploy-name> strategy ploy <period>")(
    lambda name, period: (term("used-rule", name, during=period),)
)
G.says("condition", "you have not used the <rule-name> rule <period>")(
    lambda name, period: (negated((term("used-rule", name, during=period),)),)
)
G.says("condition", "<poss> order (was|is) changed from conceal to engage [at the start of that activation]")(
    lambda whom: about((term("changed-order", "engage"),), whom)
)
G.says("condition", "<op> (was not|were not) visible to enemy operatives at the start of (that|the) activation")(
    lambda mention: about((negated((term("was-visible"),)),), mention.whom)
)
G.says("condition", "<op> (was not|were not) within control range of enemy operatives at the start of <activation>")(
    lambda mention, period: about((negated((term("was-engaged"),)),), mention.whom)
)
G.says("condition", "your <marker-name> is in the killzone")(lambda name: (term("marker-placed", name),))
G.says("condition", "your <marker-name> is (not in|not currently in) the killzone")(
    lambda name: (negated((term("marker-placed", name),)),)
)
G.says("condition", "<op> is not in the killzone")(
    lambda mention: (negated((term("exists", mention.whom),)),) if mention.whom.role == "friend" else NotImplemented
)
G.says("condition", "<op> is in the killzone")(
    lambda mention: (term("exists", mention.whom),) if mention.whom.role == "friend" else NotImplemented
)
G.says("activation", "(that|the|its|an|this) activation [or counteraction]")(lambda: "activation")
for _n, _word in enumerate(("first", "second", "third", "fourth"), 1):
    G.means("ordinal", _n, _word)

G.says("conditions", "<condition>")(lambda one: one)
G.says("conditions", "<condition> [,] and [if] <conditions>")(lambda one, more: (*one, *more))
G.says("conditions", "<condition> [,] or [if/whenever/when] <conditions>")(
    lambda one, more: (term("any", (_both(one), _both(more))),)
)
G.says("conditions", "any of the following (is|are) true")(lambda: NotImplemented)

G.says("clause", "[but/and] [only] if <conditions>")(If)
G.says("clause", "(providing|provided|so long as|as long as) [that] <conditions>")(If)
G.says("clause", "[but] unless <conditions>")(lambda found: If((negated(found),)))
G.says("clause", "while <conditions>")(While)
G.says("clause", "while [it is] <state>")(lambda found: While(about(found, Whom("it"))))
G.says("clause", "(in|during) the <ordinal> turning point")(lambda n: If((term("turning-point", f"={n}"),)))
G.says("clause", "in the <ordinal> or <ordinal> turning point")(
    lambda n, m: If((term("any", (term("turning-point", f"={n}"), term("turning-point", f"={m}"))),))
)
G.says("clause", "during an activation in which <it> <predicates>")(
    lambda _, found: If(about((term("activated-now"), *found), Whom("it")))
)
G.says("clause", "during a turning point in which <it> performed <actions>")(
    lambda _, names: If(about((term("did", names, during="turning-point"),), Whom("it")))
)
G.says("it", "it", "that operative", "that friendly operative", "this operative", "they")(lambda: None)

# -- what forbids a whole text ---------------------------------------------------------------------------

_REFUSAL = "((this|an|that|the) operative|it) cannot perform this action"
_NO_USE = "you cannot use this (ploy|rule|strategic gambit|equipment|weapon rule|effect)"


def _forbids(*conditions: tuple[Term, ...]) -> Forbids:
    return Forbids(tuple(negated(each) for each in conditions))


G.says("refusal", "while within control range of [an] enemy operative/operatives")(lambda: _forbids((ENGAGED,)))
G.says("refusal", "while (it has|it is on) an engage order")(lambda: _forbids((term("order", "engage"),)))
G.says("refusal", "while (it has|it is on) a conceal order")(lambda: _forbids((term("order", "conceal"),)))
G.says("refusal", "while counteracting", "during a counteraction")(lambda: _forbids((term("counteracting"),)))
G.says("refusal", "while <conditions>", "if <conditions>")(_forbids)
G.says("refusal", "while [it is] <state>")(_forbids)
G.says("refusal", "unless <conditions>")(lambda found: Forbids(found))
G.says("refusal", "if (it does not have|it does not already have) <has>")(lambda found: Forbids(found))
G.says("refusal", "if a friendly operative has already performed this action [during this turning point]")(
    lambda: Forbids(limits=(term("times", 1, per="turning-point"),))
)
G.says("refusal", "(during an|in the same) activation in which it [has] performed <actions>")(
    lambda names: Forbids((negated((term("did", names, during="activation"),)),))
)
for _period, _words in (("battle", "battle"), ("turning-point", "turning point"), ("activation", "activation")):
    G.means(
        "refusal",
        Forbids(limits=(term("once", _period),)),
        f"if (it|this operative) has already (performed (it|this action)|done so) (during|in) (the|this|that) {_words}",
    )
G.says(
    "refusal",
    "during an activation in which it [has] performed <actions> ([,] (or|and) vice versa|\\( (or|and) vice versa \\))",
)(lambda names: Forbids((negated((term("did", names, during="activation"),)),), bars=names))
G.says("refusal", "(during|in) the first turning point")(lambda: Forbids(limits=(term("not-in", 1),)))
G.says("refusal", "more than once per (turning point)")(lambda: Forbids(limits=(term("once", "turning-point"),)))
G.says("refusal", "more than once per battle")(lambda: Forbids(limits=(term("once", "battle"),)))
G.says("refusal", "more than once per sequence")(lambda: Forbids(limits=(term("once", "sequence"),)))
G.says("refusal", "more than once per action")(lambda: Forbids(limits=(term("once", "action"),)))
G.says("refusal", "more than once per activation")(lambda: Forbids(limits=(term("once", "activation"),)))
G.says("refusal", "more than twice per turning point")(lambda: Forbids(limits=(term("twice", "turning-point"),)))
G.says("refusal", "more than twice per battle")(lambda: Forbids(limits=(term("twice", "battle"),)))
G.says("refusals", "<refusal>")(lambda one: one)
G.says("refusals", "<refusal> [,] (or|and|and it cannot perform it|and cannot perform it) <refusals>")(
    lambda one, more: one + more
)
G.says("refusals", "<refusal> , <refusals>")(lambda one, more: one + more)
G.says("clause", f"{_REFUSAL} <refusals>")(lambda found: found.of_each())
G.says(
    "clause",
    "(this|an) operative can perform this action twice during its activation [,] but cannot perform this "
    "action <refusals>",
)(lambda found: found.of_each() + Forbids(limits=(term("twice", "activation"),)))
G.says(
    "clause",
    "(this|an) operative can only perform this action once per (battle|turning point) [,] and cannot perform "
    "it <refusals>",
)(lambda found: NotImplemented)
for _period, _words in (("battle", "battle"), ("turning-point", "turning point"), ("activation", "activation")):
    G.says(
        "clause",
        f"(this|an) operative can only perform this action once per {_words} [,] and cannot perform (it|this "
        f"action) <refusals>",
    )(lambda found, _period=_period: Forbids(limits=(term("once", _period, each=True),)) + found.of_each())
    G.means(
        "clause",
        Forbids(limits=(term("once", _period, each=True),)),
        f"((this|an|each) operative|it) can [only] perform this action [only] once per {_words}",
    )
    G.means(
        "clause",
        Forbids(limits=(term("once", _period),)),
        f"you can [only] perform this action [only] once per {_words}",
        f"this action can only be performed once per {_words}",
    )
    G.means(
        "clause",
        Forbids(limits=(term("each-once", _period),)),
        f"{_NO_USE} for each friendly operative more than once per {_words}",
    )
    G.says("clause", f"{_NO_USE} for each <noun> more than once per {_words}")(
        lambda noun, _period=_period: Forbids(limits=(term("each-once", _period),))
    )
    G.says(
        "clause",
        f"(each|an|a) [friendly|enemy] operative (can only|cannot) (be selected for this (rule|ploy|action)|regain "
        f"wounds in this way) [more than] once per {_words}",
    )(lambda _period=_period: Forbids(limits=(term("each-once", _period),)))
for _period, _words in (
    *(("battle", "battle"), ("turning-point", "turning point"), ("activation", "activation")),
    *(("action", "action"), ("sequence", "sequence")),
):
    _USED_ONCE = Forbids(limits=(term("once", _period),))
    G.means(
        "clause",
        _USED_ONCE,
        f"you can only use (this|it|this rule|this effect) once per {_words}",
        f"this (rule|effect) can only be used once per {_words}",
        f"you cannot (use it|do this|do so) more than once per {_words}",
    )
G.says("clause", f"{_NO_USE} <refusals>")(lambda found: found)
G.says(
    "clause", "[note] [that] this (ploy|rule|action|effect) (has no effect|does not apply|cannot be used) <refusals>"
)(lambda found: found)
G.says("clause", "[note] this (ploy|rule) cannot come into effect more than once per activation")(
    lambda: Forbids(limits=(term("once", "activation"),))
)
G.says("clause", "you cannot use it during both <actions> in the same activation")(
    lambda _: Forbids(limits=(term("once", "activation"),))
)
G.says(
    "clause",
    "you cannot use this (ploy|strategic gambit|rule) and the (<ploy-name>|<rule-name>) [faction/universal] "
    "[equipment] [strategy/firefight] [ploy/rule] [strategic gambit] (during|in) the same turning point",
)(lambda ploy, rule: Forbids(limits=(term("not-with", ploy or rule),)))
G.says("refusal", "if (it|this operative) is not (the selected operative|selected as the valid target)")(
    lambda: Forbids((term("primary-target"),))
)
G.says("refusal", "if you have reached the total number of times your kill team can perform it")(
    lambda: Forbids(limits=(term("equipment-limit"),))
)
G.says("clause", "this has no effect while <conditions>")(lambda found: Forbids((negated(found),), is_lasting=True))
G.says("refusal", "if this operative is incapacitated")(
    lambda: Forbids(about((negated((term("incapacitated"),)),), Whom("self")))
)
G.says("refusal", "if it is a shoot action and this operative would be a primary or secondary target")(
    lambda: Forbids((negated((term("being-shot", about=Whom("self")),)),))
)
G.says("refusal", "while shooting with (a|an) <caps>")(
    lambda name: Forbids((negated((term("weapon", (name.lower(),)),)),))
)
G.says("refusal", "if (it is the shoot action and|) the ranged weapon has <weapon-rules>")(
    lambda rules: Forbids((negated((term("weapon-rule", rules, about=Whom("foe")),)),))
)
