"""Effects beyond one operative in a sentence: control, CP, tokens, markers, rolls, activations, ploys, choices."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import (
    THEY,
    Ask,
    Do,
    EachOnce,
    HowOften,
    If,
    Mention,
    Offers,
    Refers,
    Says,
    When,
    about,
    group_of,
)
from ktsim.rules.teams.reading.effects_operatives import GROUPS, chosen, upon
from ktsim.rules.teams.reading.names import G

_EACH_OF = frozenset(("that-enemy", "that-friend", "that", "it"))
"""Words for each one of those just spoken of."""

# -- CP, points, tokens, markers -------------------------------------------------------------------------

G.says("effect", "[you] gain <cps>")(lambda n: term("cp", n))
G.says("effect", "[you] gain <n> additional cp")(lambda n: term("cp", n))
G.says(
    "effect",
    "you [also] gain <amount> <points-name>",
    "you [also] gain <amount> <token-name>",
    "you [also] gain <amount> of your <token-name>",
)(lambda n, name: term("points", n, of=name))
G.says("effect", "you [also] gain a number of <points-name> equal to the turning point number")(
    lambda name: term("points", "turning-point", of=name)
)
G.says("effect", "you gain <n> <points-name> , or <n> [<points-name>] [instead] if <conditions>")(
    lambda n, name, m, _, found: (
        term("points", n, of=name),
        term("points", m, of=name, instead=True, **{"if": found}),
    )
)
G.says("clause", "if (it|they) already (has|have) one , <effect> instead")(
    lambda found: Refers(frozenset(("token",)), {"otherwise": found if isinstance(found, tuple) else (found,)})
)


@G.says(
    "clause",
    "for each of those enemy operatives that already (has|have) one of your <token-name> [\\( including if "
    "(it|they) gained one during (this|that) action \\)] , <effect> instead",
)
def _or_instead(name: str, found: Any) -> Refers | Any:
    several = found if isinstance(found, tuple) else (found,)
    whoms = [each.get("who") for each in several]
    if not all(isinstance(whom, Whom) and whom.role.removeprefix(THEY) in _EACH_OF and not whom.that for whom in whoms):
        return NotImplemented
    each_of = tuple(each.plus(who=Whom("picked")) for each in several)
    return Refers(frozenset(("token",)), {"otherwise": each_of}, name=name)


G.says(
    "clause",
    "it cannot be an operative that the <rule-name> rule was used on during this turning point",
    "an operative cannot be selected for this action if the <rule-name> rule was used on it during this turning point",
)(lambda name: Refers(frozenset(("pick",)), {"not-after": name}))
G.says("clause", "that is not currently benefitting from the effects of this action")(
    lambda: Refers(frozenset(("pick",)), {"not-benefiting": True})
)


G.says("effect", "<op> [also] gains/gain <token>")(
    lambda who, name: upon(who, term("token", name)) if name != "that" else NotImplemented
)
G.says("effect", "<op> [also] gains/gain <token> \\( if (it|they) (does|do) not already have one \\)")(
    lambda who, name: upon(who, term("token", name, most=1)) if name != "that" else NotImplemented
)
G.says("effect", "<op> gains <n> of your <token-name>")(lambda who, n, name: upon(who, term("token", name, count=n)))
G.says("effect", "<op> gains <n> of your <token-name> \\( instead of one \\)")(
    lambda who, n, name: (
        NotImplemented
        if group_of(who.whom).role in GROUPS
        else term("token", name, count=n, who=who.whom, instead=True)
    )
)


def _lost(name: str, who: Mention | None) -> Any:
    """A token is taken from whom it is said of; from one of many, who is chosen among those that have it."""
    if who is None or who.is_each or group_of(who.whom).role not in GROUPS:
        return term("lose-token", name, who=who.whom if who else None)
    return upon(replace(who, whom=who.whom.narrowed(term("token", name))), term("lose-token", name))


G.says("effect", "(remove|discard|spend) <token> [from <op>]")(_lost)
G.says("effect", "<op> loses <token>")(lambda who, name: _lost(name, who))


@G.says(
    "effect", "<op> gains <token> [\\( if it does not already have one \\)] . if it already has one , <effect> instead"
)
def _or_else(who: Mention, name: str, otherwise: Any) -> Term:
    return term(
        "token", name, who=who.whom, most=1, otherwise=otherwise if isinstance(otherwise, tuple) else (otherwise,)
    )


G.says("effect", "place either your <word> or <marker-name> in the killzone")(
    lambda one, other: term("marker", one.title(), either=other)
)
G.says("effect", "place your <word> or <marker-name> in the killzone")(
    lambda one, other: term("marker", one.title(), either=other)
)
G.says("clause", "if your <word> or <marker-name> is in the killzone , remove it")(
    lambda one, other: Do((term("remove-marker", one.title()), term("remove-marker", other)))
)
G.says("effect", "place <marker> in the killzone")(
    lambda names: term("marker", names[0]) if names[0] not in ("any", "that") else NotImplemented
)
G.says("effect", "place <marker> within <poss> control range")(
    lambda names, whom: term("marker", names[0], in_control_range=whom) if names[0] not in ("any",) else NotImplemented
)
G.says("effect", "place <marker> within <inches> of <op>")(
    lambda names, n, who: term("marker", names[0], within=n, of=who.whom)
)
G.says("effect", "place <marker> visible to <op>")(
    lambda names, who: term("marker", names[0], visible=True, of=who.whom)
)
G.says("effect", "place <marker> visible to <op> , or on vantage terrain of a terrain feature that is visible to <op>")(
    lambda names, who, _: term("marker", names[0], visible=True, or_vantage=True, of=who.whom)
)
G.says("effect", "remove <marker> [from the killzone]")(
    lambda names: term("remove-marker", names[0]) if names != ("any",) else NotImplemented
)
G.says("clause", "it cannot be placed underneath vantage terrain")(
    lambda: Refers(frozenset(("marker",)), {"not-under-vantage": True})
)
G.says("clause", "in the ready step of the next strategy phase , remove that marker")(
    lambda: Refers(frozenset(("marker",)), {"until": (term("next-ready-step"),)})
)
G.says(
    "clause",
    "in the ready step of the next strategy phase , (remove|discard) [all] [of] (your|those) <token-name> [from <op>]",
)(lambda name, who: Refers(frozenset(("token",)), {"until": (term("next-ready-step"),)}, name=name))
G.says(
    "clause",
    "when <op> is next activated , is incapacitated or this action is performed again by a friendly "
    "operative [\\( whichever comes first \\)] [,] remove that marker",
)(
    lambda who: Refers(
        frozenset(("marker",)),
        {"until": (term("own-next-activation"), term("incapacitated"), term("performed-by-friend"))},
    )
)
G.says("effect", "<op> is carrying your <marker-name>")(lambda who, name: term("carries", name, who=who.whom))

# -- rolls -----------------------------------------------------------------------------------------------


def _outcome(dice: Any, compare: str, effects: Any) -> Term:
    return term("roll", dice, at=compare, do=effects if isinstance(effects, tuple) else (effects,))


G.says("die", "[one] <dice>")(lambda dice: dice)
G.says("effects", "<effect>")(lambda one: one if isinstance(one, tuple) else (one,))
G.says("effects", "[you/it can] <effect> ([,] and|,) <effects>")(
    lambda one, more: (*(one if isinstance(one, tuple) else (one,)), *more)
)
G.says("effects", "<untils> , <effects>")(lambda until, found: tuple(each.plus(until=until) for each in found))
G.says("effects", "<effect> <untils>")(
    lambda found, until: tuple(each.plus(until=until) for each in (found if isinstance(found, tuple) else (found,)))
)
G.says("effect", "roll <die> :/,/; on (a|an) <plus> [,] <effects>")(lambda d, n, found: _outcome(d, f">={n}", found))
G.says("effect", "roll <die> :/,/; on (a|an) <digits> [,] <effects>")(lambda d, n, found: _outcome(d, f"={n}", found))


@G.says("effect", "roll <die> for each <noun> [<post>] :/,/; on (a|an) <plus> [,] <effects>")
def _roll_for_each(dice: Any, each: Mention, post: Any, n: int, found: tuple[Term, ...]) -> Term | Any:
    """What happens to each one whose roll succeeds, and to nobody else."""
    whoms = [effect.get("who") for effect in found]
    if not all(isinstance(whom, Whom) and whom.role.removeprefix(THEY) in _EACH_OF and not whom.that for whom in whoms):
        return NotImplemented
    picked = tuple(effect.plus(who=Whom("picked")) for effect in found)
    return _outcome(dice, f">={n}", picked).plus(each=each.whom.narrowed(*(post or ())))


G.says("effect", "for each <noun> [<post>] [,] roll <die> :/,/; on (a|an) <plus> [,] <effects>")(
    lambda each, post, dice, n, found: _roll_for_each(dice, each, post, n, found)
)
G.says("effect", "roll <die> , adding <n> to the result if <conditions> : on (a|an) <plus> , <effects>")(
    lambda d, n, found, at, effects: _outcome(d, f">={at}", effects).plus(add=n, add_if=found)
)
G.says(
    "effect",
    "roll <die> , subtracting <n> from the result if <conditions> [,] and adding <n> [to (it|the result)] if "
    "<conditions> : on (a|an) <plus> [,] <effects>",
)(
    lambda d, less, less_if, add, add_if, at, effects: _outcome(d, f">={at}", effects).plus(
        less=less, less_if=less_if, add=add, add_if=add_if
    )
)
G.says("effect", "roll <die> , subtracting <n> from the result if <conditions> : on (a|an) <plus> [,] <effects>")(
    lambda d, n, found, at, effects: _outcome(d, f">={at}", effects).plus(less=n, less_if=found)
)
G.says("effect", "roll <die> :/,/; if the result is (higher|greater) than <poss> apl stat [,] <effects>")(
    lambda d, whom, found: _outcome(d, ">apl", found)
)
G.says("effect", "roll <die> , if the result is higher than the number of [the] current turning point , <effects>")(
    lambda d, found: _outcome(d, ">turning-point", found)
)

G.says("effect", "[you] cannot use this (strategic gambit|rule|equipment|ploy|ability) for the rest of the battle")(
    lambda: term("never-again")
)

# -- activations -----------------------------------------------------------------------------------------


def _first(whom: Whom) -> Whom:
    """Who is expended first: this operative, or the one that was spoken of before the other."""
    return whom if whom.role == "self" else Whom("that-first")


def _next(who: Mention, may: bool | None = None) -> Term:
    return term("next-activation", group_of(who.whom), may=may)


G.says("effect", "[you must] [then] activate <op> [\\( if able \\)] before your opponent activates")(_next)
G.says("effect", "you can activate <op> before your opponent activates")(lambda who: _next(who, True))
G.says("effect", "you can [immediately] activate <op>")(lambda who: _next(who, True))
G.means("clause", Says(), "when that other [friendly] operative is expended , your opponent then activates as normal")
G.says("clause", "when <pronoun> is expended , activate <op> before your opponent activates")(
    lambda first, who: (When((term("expended"),), _first(first)), Do((_next(who),)))
)
G.says("clause", "when <pronoun> is expended , you can activate <op> before your opponent activates")(
    lambda first, who: (When((term("expended"),), _first(first)), Do((_next(who, True),)))
)
G.says("effect", "[you can] activate <op> at the same time")(
    lambda who: term("next-activation", group_of(who.whom), together=True)
)
G.says("effect", "select <op> to activate at the same time")(
    lambda who: (chosen(who), term("next-activation", Whom("picked"), together=True))
)
G.means("clause", Says(), "complete their activations action by action in any order")
G.says("effect", "skip that activation", "you can skip that activation")(lambda: term("skip-activation"))
G.says("clause", "if this rule was used during <poss> activation , that activation ends")(
    lambda whom: Do((term("end", "activation", who=whom, **{"if": about((term("activated-now"),), whom)}),))
)

# -- redirection -----------------------------------------------------------------------------------------


G.means(
    "clause",
    Refers(frozenset(("redirect",))),
    "even if it (would not normally|normally would not) be valid for this",
)


@G.says("effect", "select <op> to become the valid target (or to be fought against|) [\\( as appropriate \\)] instead")
def _redirect(who: Mention) -> Term | tuple[Term, ...] | Any:
    if who.whom == Whom("self"):
        return term("redirect", who=who.whom)
    picked = chosen(who)
    return picked if picked is NotImplemented else (picked, term("redirect", who=Whom("picked")))


G.says(
    "clause",
    "if it is the fight action , treat <pronoun> as being within the fighting operative 's control range for "
    "the duration of that action",
)(lambda _: Says())
G.says("clause", "if it is the shoot action , <op> is only in cover or obscured if the original target was")(
    lambda _: Says()
)
G.says("clause", "<op> is only in cover or obscured if the original target was")(lambda _: Says())

# -- ploys -----------------------------------------------------------------------------------------------

_KIND = "[strategy/firefight] ploy/ploys"
G.says("effect", f"[you can] use [the] <ploys> {_KIND} for <cps> [each]")(
    lambda names, n: term("ploy-cost", names, cp=n)
)
G.says("effect", f"the <ploy-name> {_KIND} costs you <cps>")(lambda name, n: term("ploy-cost", (name,), cp=n))
G.says(
    "clause",
    "if (this|it) is the specified [friendly] [<kws>] operative",
    "if this operative is the (specified|selected) [friendly] [<kws>] operative",
)(lambda *_: Refers(frozenset(("ploy-cost",)), {"specified": Whom("self")}))
G.says("clause", "if the specified [friendly] [<kws>] operative <predicates>")(
    lambda kws, found: (
        NotImplemented
        if any(word.startswith("? ") for word in kws or ())
        else Refers(frozenset(("ploy-cost",)), {"specified": Whom("friend", tuple(kws or ()), that=found)})
    )
)
G.says("clause", "if <noun> is the specified [friendly] [<kws>] operative")(
    lambda who, _: Refers(frozenset(("ploy-cost",)), {"specified": who.whom})
)

# -- weapons from elsewhere ------------------------------------------------------------------------------

G.says("grenades", "frag/krak/smoke/stun [grenades/grenade]")(lambda: NotImplemented)
for _name in ("frag", "krak", "smoke", "stun", "blight"):
    G.means("grenade", _name, _name)
G.says("grenade-list", "<grenade>")(lambda one: (one,))
G.says("grenade-list", "<grenade> ([,] and/or|,) <grenade-list>")(lambda one, more: (one, *more))
G.says("effect", "<op> can use <grenade-list> grenades")(lambda who, names: term("use-grenades", names, who=who.whom))
G.means(
    "clause",
    Says(),
    "doing so does not count towards any limited uses you have",
    "doing so does not count towards any limited uses",
)
G.says("clause", "whenever (it is doing so|it is using one of them) , improve the hit stat of that weapon by <n>")(
    lambda n: Refers(frozenset(("use-grenades",)), {"hit": n})
)
G.says(
    "clause", "whenever this operative is using a frag or krak grenade , improve the hit stat of that weapon by <n>"
)(lambda n: Refers(frozenset(("use-grenades",)), {"hit": n}))
G.says("effect", "<op> have/has the following (ranged|melee) weapon [for the battle]")(
    lambda who: term("add-weapon", ("listed",), who=who.whom)
)
G.says("effect", "<op> can use the following (ranged|melee) weapon")(
    lambda who: term("add-weapon", ("listed",), who=who.whom)
)
G.says("clause", "you cannot select it for use more than twice during the battle")(
    lambda: Refers(frozenset(("add-weapon",)), {"times": 2, "per": "battle"})
)
G.says("clause", "you cannot select it for use more than once per turning point")(
    lambda: Refers(frozenset(("add-weapon",)), {"times": 1, "per": "turning-point"})
)
G.says(
    "clause",
    "[note] [that] <anything> already have/has (this|that) weapon but with better stats [,/;] in (that|this)"
    " (instance|case) , use the better (version|one)",
)(lambda *_: Refers(frozenset(("add-weapon",)), {"unless-better": True}))

# -- doing -----------------------------------------------------------------------------------------------


def _do(found: Any, may: bool = False) -> Do:
    return Do(found if isinstance(found, tuple) else (found,), may)


G.says("clause", "<effect>")(_do)
G.says("clause", "(you can|you may|can) [immediately/then/also] <effect>")(lambda found: _do(found, True))
for _words, _may in (("<effect> instead", False), ("you can <effect> instead", True)):
    G.says("clause", _words)(
        lambda found, _may=_may: Do(
            tuple(each.plus(instead=True) for each in (found if isinstance(found, tuple) else (found,))), _may
        )
    )


def _either(one: Any, two: Any) -> Do | Any:
    if isinstance(one, tuple) or isinstance(two, tuple):
        return NotImplemented
    return Do((term("choose", (one, two)),), True)


G.says("clause", "<effect> , or you can <effect> instead")(_either)
G.says(
    "clause",
    "<effect> \\( even if it has [already] performed an action that prevents it from performing (the "
    "<actions>|those actions) \\) , or you can <effect> instead",
)(
    lambda one, _, two: (
        _either(one.plus(regardless=True), two)
        if isinstance(one, Term) and one.word == "free-action"
        else NotImplemented
    )
)


# -- choosing from a list --------------------------------------------------------------------------------

_KINDS = "[effects|rules|options|weapon rules|<word> <word>|<word>]"
G.says(
    "clause",
    f"select <n> of the following {_KINDS} [to last] [<untils>]",
    f"select <n> of the following {_KINDS} and apply its rules <untils>",
)(lambda n, *rest: Offers(n, rest[-1] or ()))
G.says("clause", f"select <n> of the following {_KINDS} for <op> to have [<untils>]")(
    lambda n, one, two, three, who, until: Offers(n, until or (), who.whom)
)
G.says("clause", "select (a|one) <caps> for <op> to have [<untils>]")(
    lambda name, who, until: Offers(1, until or (), who.whom if who.whom.role != "friend" else None)
)
G.says("clause", "you can do one of the following")(lambda: (Ask(), Offers(1)))
G.says("clause", f"you can select <n> of the following {_KINDS} [to last] [<untils>]")(
    lambda n, *rest: (Ask(), Offers(n, rest[-1] or ()))
)
G.says("clause", f"you can select <n> of the following {_KINDS} for <op> to have [<untils>]")(
    lambda n, one, two, three, who, until: (Ask(), Offers(n, until or (), who.whom))
)
for _period, _words in (("turning-point", "turning point"), ("battle", "battle"), ("activation", "activation")):
    G.means(
        "clause",
        EachOnce((term("once", _period),)),
        f"you can do (each|one of each) of the following once per {_words}",
    )
    G.says("clause", f"you can do each of the following once per {_words} if <conditions>")(
        lambda found, _period=_period: (EachOnce((term("once", _period),)), If(found))
    )
G.says("clause", "<op> can perform <actions>")(
    lambda who, names: (
        Do((term("allow", names, who=group_of(who.whom), regardless=True),))
        if names in (("Smoke Grenade",), ("Stun Grenade",))
        else NotImplemented
    )
)
G.means("clause", Says(), "performing these actions using this rule does not count towards their action limits")

G.means("clause", Says(), "in addition", "then", "additionally", "afterwards", "immediately", "respectively")
G.means(
    "clause",
    Says(),
    "if any",
    "if able",
    "roll separately for each",
    "rounding up",
    "whichever comes first",
    "instead of one",
)
G.says("clause", "strategic gambit")(lambda: When((term("gambit"),)))
G.says("clause", "as a strategic gambit")(lambda: When((term("gambit"),)))
G.says("clause", "strategic gambit in the <ordinal> turning point")(
    lambda n: (When((term("gambit"),)), If((term("turning-point", f"={n}"),)))
)
G.says("clause", "strategic gambit in (each|any) turning point (after|other than) the first")(
    lambda: (When((term("gambit"),)), HowOften((term("not-in", 1),)))
)
G.says("clause", "once per battle strategic gambit")(
    lambda: (When((term("gambit"),)), HowOften((term("once", "battle"),)))
)
G.means("clause", Says(), "support", "psychic")
G.means("clause", When((term("gambit"),)), "strategic gambit and support")
