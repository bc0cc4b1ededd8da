"""Effects on operatives in a sentence: damage, healing, free actions, orders, tokens, markers, points."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import Do, EachOnce, If, HowOften, Mention, Offers, Refers, Says, When, about
from ktsim.rules.teams.reading.names import G

# -- choosing --------------------------------------------------------------------------------------------


def _pick(mention: Mention, may: bool | None = None) -> Term | Any:
    if mention.whom.role not in ("friend", "enemy", "anyone"):
        return NotImplemented
    count = None if mention.count in (1, None) else mention.count
    return term("pick", mention.whom, count=count, up_to=mention.up_to or None, may=may)


G.says("effect", "select <op>")(_pick)
G.says("effect", "[you can] select one of your <marker-name>")(lambda name: term("pick-marker", (name,)))
G.says("effect", "select <op> to be your quarry")(lambda who: (_pick(who), term("token", "Quarry", who=Whom("picked"))))


@G.says("effect", "select <op> , or <op>")
def _pick_either(one: Mention, other: Mention) -> Term | Any:
    if one.whom.role != other.whom.role or one.count != other.count:
        return NotImplemented
    return term("choose", (_pick(one), _pick(other)))


@G.says("effect", "select <op> to (regain|have) up to <amount> lost wounds", "select <op> to regain <amount> lost wounds")
def _pick_heal(who: Mention, amount: Any) -> tuple[Term, ...] | Any:
    picked = _pick(who)
    return picked if picked is NotImplemented else (picked, term("heal", amount, who=Whom("picked")))


# -- damage and wounds -----------------------------------------------------------------------------------


def _struck(amount: Any, who: Mention) -> Term | tuple[Term, ...] | Any:
    """Damage to those mentioned: one of many is chosen first."""
    if who.whom.role in ("enemy", "friend", "anyone") and not who.is_each:
        return (_pick(who), term("damage", amount, who=Whom("picked")))
    return term("damage", amount, who=who.whom)


G.says("effect", "inflict <amount> damage on <op> [\\( roll separately for each \\)]")(_struck)
G.says("effect", "inflict <amount> damage on <op> for each <noun> [<post>]")(
    lambda amount, who, each, post: term("damage", amount, who=who.whom, per=each.whom.narrowed(*(post or ())))
)
G.says("effect", "for each <noun> [<post>] , you gain <n> <points-name> and inflict <amount> damage on <pronoun> [\\( roll separately for each \\)]")(
    lambda each, post, n, name, amount, _: (
        term("points", n, of=name, per=each.whom.narrowed(*(post or ()))),
        term("damage", amount, who=each.whom.narrowed(*(post or ()))),
    )
)
G.says("effect", "inflict damage equal to the result on <op>")(lambda who: _struck("result", who))
G.says("effect", "<op> suffers <amount> damage")(lambda who, amount: term("damage", amount, who=who.whom))
G.says("effect", "<op> [can] [immediately] regains/regain [up to] <amount> lost wounds/wound")(
    lambda who, amount: term("heal", amount, who=who.whom)
)
G.says("effect", "<op> is not incapacitated [,] [and] has <n> wound/wounds remaining [, and cannot be incapacitated for the remainder of (that|the) action]")(
    lambda who, n: term("survive", n, who=who.whom)
)

# -- free actions ----------------------------------------------------------------------------------------

G.says("free", "a free <actions>", "one free <actions>", "either a free <actions>")(lambda names: term("free-action", names))
G.says("free", "a free <actions> or a free <actions>")(lambda one, two: term("free-action", (*one, *two)))
G.says("free", "an additional <aps> action for free")(lambda n: term("extra-action", n))
G.says("free", "a <aps> action for free")(lambda n: term("free-action", (f"{n}AP",)))
G.says("free", "<actions> for free")(lambda names: term("free-action", names))
G.says("free", "one free action", "a free action")(lambda: term("free-action", ("any",)))
G.says("free", "<free> \\( excluding <actions> \\)")(lambda found, names: found.plus(**{"except": names}))
G.says("free", "<free> afterwards")(lambda found: found)
G.says("free", "<n> free <actions>")(
    lambda n, names: term("free-action", names, times=n) if n > 1 else NotImplemented
)
_CAN = "[can] [then] [either] [immediately/then] perform/performs"


def _performs(who: Mention, free: Term) -> Any:
    if who.whom.role in ("friend", "enemy", "anyone"):
        several = who.is_each or who.up_to or who.count not in (1, None)
        count = None if who.is_each else who.count
        picked = term("pick", who.whom, count=count if count != 1 else None, up_to=who.up_to or None, all=who.is_each or None)
        return (picked, free.plus(who=Whom("picked"), any_order=several or None))
    return free.plus(who=who.whom)


G.says("effect", f"<op> {_CAN} <free>")(_performs)
G.says("effect", f"<pronoun> , and <op> [,] {_CAN} <free>")(
    lambda whom, who, free: (free.plus(who=whom), *_performs(who, free))
    if who.whom.role == "friend"
    else NotImplemented
)
G.says("clause", "<op> can perform <free> during (its|their) activation")(
    lambda who, free: (When((term("activation"),), who.whom), Do((free,), True))
)
G.says("clause", "<op> can perform <free> during (its|their) activation if (it has|they have) a conceal order")(
    lambda who, free: (When((term("activation"),), who.whom, None, (term("order", "conceal"),)), Do((free,), True))
)
G.says("clause", "whenever it performs <actions> on that marker , it can immediately perform <free>")(
    lambda names, free: Do((free.plus(after=names),), True)
)
G.says("effect", "<op> can perform <actions> on that marker")(lambda who, names: term("allow", names, who=who.whom))
G.says("effect", "[immediately] perform <free> with <op>")(lambda free, who: _performs(who, free))
G.says("effect", f"<op> {_CAN} <free> before it is removed from the killzone")(
    lambda who, free: _performs(who, free.plus(before_removed=True))
)
G.says("effect", "before it is removed from the killzone , <op> can [immediately] perform <free>")(
    lambda who, free: _performs(who, free.plus(before_removed=True))
)
_FREE = frozenset(("free-action",))
_MUST_END = "[but] [each that does so|it|that operative|they] [and] must end that move"
G.means("clause", Refers(_FREE, {"any-order": True}), "in an order of your choice", "choose separately for each")
G.means("clause", Refers(_FREE, {"order": "any"}), "[and] you can change its order to do so")
G.means("clause", Refers(_FREE, {"order": "engage"}), "[and] you can change its order to engage to do so")
G.says("clause", "[but/and] (it|that operative|each) cannot move more than <inches> [during that action]")(
    lambda n: Refers(_FREE, {"most": n})
)
G.says("clause", "[but/and] it cannot move during that action")(lambda: Refers(_FREE, {"no-move": True}))
G.says("clause", f"{_MUST_END} within control range of <op>")(lambda who: Refers(_FREE, {"end-within": who.whom}))
G.says("clause", f"{_MUST_END} within <poss> control range")(lambda whom: Refers(_FREE, {"end-within": whom}))
G.says("clause", f"{_MUST_END} within <inches> of <op>")(
    lambda n, who: Refers(_FREE, {"near": n, "end-near": who.whom})
)
G.says("closer", "<op>")(lambda who: "the first" if who.whom.role in ("that", "that-friend") else NotImplemented)
G.means("closer", "closest enemy", "its closest enemy operative")
G.means("closer", "closest objective", "its closest objective marker")
G.means("closer", "their drop zone", "(your|an) opponent 's drop zone")
G.means("closer", "their edge", "killzone edge")
G.says("closers", "<closer>")(lambda one: (one,))
G.says("closers", "<closer> ([,] or|,) <closers>")(lambda one, more: (one, *more))
G.says("clause", f"{_MUST_END} closer to <closers>")(lambda names: Refers(_FREE, {"closer-to": names}))
G.means(
    "clause",
    Refers(_FREE, {"regardless": True}),
    "even if it has [already] performed an action that prevents it from performing (the <actions>|those actions|that action)",
    "[this] takes/taking precedence over [all other] action restrictions",
    "even if it has already performed <actions> during that activation",
)
G.means("clause", Refers(frozenset(("extra-action",)), {}), "[but] both actions must be different")
G.says("clause", "[this turning point ,] each that does so cannot perform <actions> during (its|their) activation [during this turning point]")(
    lambda names: Refers(_FREE, {"then-forbid": names})
)
G.says("clause", "you must select [a profile of] its <weapon-name> for one action and [a profile of] its <weapon-name> [\\( <word> [<word>] \\)] for the other [\\( in any order \\)]")(
    lambda one, two, *_: Refers(_FREE, {"weapons-each": (one, two)})
)
G.says("clause", "doing so does not prevent it from performing <actions> [afterwards] [during that activation]")(
    lambda names: Refers(_FREE, {})
)
G.means("clause", Says(), "after that action", "after (it|that operative) (moves|has moved)")

# -- permissions -----------------------------------------------------------------------------------------

_PERFORM = "[each] <op> can perform"
G.says("effect", f"{_PERFORM} <actions> for <n> less ap")(
    lambda who, names, n: term("ap-cost", -n, actions=names, who=who.whom)
)
G.says("effect", f"{_PERFORM} <actions> for <n> additional/more ap")(
    lambda who, names, n: term("ap-cost", n, actions=names, who=who.whom)
)
G.says("effect", "your opponent must spend <n> additional ap for <op> to perform <actions>")(
    lambda n, who, names: term("ap-cost", n, actions=names, who=who.whom)
)
G.says("effect", f"{_PERFORM} <actions> while (it has|they have) a conceal order")(
    lambda who, names: term("allow", names, **{"while": ("conceal",)}, who=who.whom)
)
G.says("effect", f"{_PERFORM} <actions> while within control range of [an] enemy operative/operatives")(
    lambda who, names: term("allow", names, **{"while": ("control-range",)}, who=who.whom)
)
G.says("effect", f"{_PERFORM} <actions> during an activation in which (it|they) [has/have] performed <actions>")(
    lambda who, names, after: term("allow", names, after=after, who=who.whom)
)
G.says("effect", f"{_PERFORM} <n> <actions> [\\( excluding <actions> \\)] [during (its|that|their|its next) activation]")(
    lambda who, n, names, out: term("allow", names, times=n, who=who.whom, **({"except": out} if out else {}))
    if n > 1
    else NotImplemented
)
G.means("clause", Refers(frozenset(("allow",)), {"free-once": True}), "one of them can be free")
G.says("clause", "but <weapon-set> must be selected for both of those actions")(
    lambda names: Refers(frozenset(("allow",)), {"weapons": names, "must": True}) if names else NotImplemented
)
G.says("clause", "but can only use any remaining move distance it had from that <actions> [\\( to a maximum of <inches> \\)]")(
    lambda _, n: Refers(frozenset(("allow",)), {"leftover": n or 60})
)
G.says("effect", "<op> can perform either <n> <actions> or <n> <actions>")(
    lambda who, n, one, m, two: term("allow", (*one, *two), times=n, either=True, who=who.whom)
    if n == m
    else NotImplemented
)
G.says("effect", "having <op> within <poss> control range does not prevent <op> from performing <actions>")(
    lambda one, _, who, names: term("allow", names, **{"while": ("control-range",)}, who=who.whom)
)
G.says("clause", "[and] can leave (that|an) [enemy] operative 's control range to do so")(lambda: Says())
G.means("clause", Says(), "but then normal requirements for that move apply")
G.says("effect", "<op> can counteract regardless of (its|their) order")(
    lambda who: term("counteract", "any-order", who=who.whom)
)


@G.says("clause", "if it is <n> shoot actions , [a/an] <weapon-set> must be selected for (at least one|both) of them")
def _one_with(n: int, names: tuple[str, ...]) -> Refers:
    return Refers(frozenset(("allow",)), {"weapons": names})


G.says("clause", "if it is <n> shoot actions and <weapon-set> is selected for both , <n> additional ap must be spent for the second action")(
    lambda n, names, ap: Refers(frozenset(("allow",)), {"dear": names})
)
G.says("clause", "if it is <weapon-set> , <n> additional ap must be spent for the second action if both actions are using that weapon")(
    lambda names, n: Refers(frozenset(("allow",)), {"dear": names})
)
G.means(
    "clause",
    Refers(frozenset(("allow",)), {"psychic-once": True}),
    "you cannot select the same psychic ranged weapon more than once per activation",
)


# -- prohibitions ----------------------------------------------------------------------------------------

G.says("effect", "<op> cannot perform any action other than <actions>", "<op> cannot perform any actions other than <actions>")(
    lambda who, names: term("forbid", ("all",), **{"except": names}, who=who.whom)
)
G.says("effect", "<op> cannot perform <actions> [during that activation or counteraction|during that activation]")(
    lambda who, names: term("forbid", names, who=who.whom)
)
G.says("effect", "<op> cannot use any weapons that are not on its datacard")(
    lambda who: term("forbid-weapons", ("all",), not_own=True, who=who.whom)
)
G.says("effect", "<op> cannot use any weapons that are not on its datacard [,] or perform unique actions")(
    lambda who: (term("forbid-weapons", ("all",), not_own=True, who=who.whom), term("forbid", ("unique",), who=who.whom))
)
G.says("effect", "<op> cannot use any weapons that are not on its datacard [,] or perform unique actions other than <actions>")(
    lambda who, names: (
        term("forbid-weapons", ("all",), not_own=True, who=who.whom),
        term("forbid", ("unique",), **{"except": names}, who=who.whom),
    )
)
G.says("effect", "<op> cannot retaliate or assist in a fight")(
    lambda who: (term("forbid-retaliation", who=who.whom), term("forbid-assist", who=who.whom))
)
G.says("effect", "<op> cannot retaliate , assist in a fight , climb or jump")(
    lambda who: (
        term("forbid-retaliation", who=who.whom),
        term("forbid-assist", who=who.whom),
        term("forbid-move", ("climb", "jump"), who=who.whom),
    )
)
G.says("effect", "<op> cannot perform that action during that activation [or counteraction] [\\( the ap spent on it is refunded \\)]")(
    lambda who: term("cancel", refund=True, who=who.whom)
)
G.says("effect", "<op> cannot perform that action during that activation [or counteraction] \\( the ap spent on it is not refunded \\)")(
    lambda who: term("cancel", who=who.whom)
)
G.says("effect", "<op> cannot retaliate")(lambda who: term("forbid-retaliation", who=who.whom))

# -- orders, control, counting ---------------------------------------------------------------------------

G.says("effect", "change <poss> order")(lambda whom: term("order", "change", who=whom))
G.says("effect", "change <poss> order to conceal")(lambda whom: term("order", "conceal", who=whom))
G.says("effect", "change <poss> order to engage")(lambda whom: term("order", "engage", who=whom))
G.says("effect", "change it to conceal")(lambda: term("order", "conceal", who=Whom("it")))
for _words, _sign in (("higher", 1), ("lower", -1)):
    G.says("effect", f"treat <poss> apl stat as <n> {_words}")(
        lambda whom, n, _sign=_sign: term("control-apl", _sign * n, who=whom)
    )
    G.says(
        "effect",
        f"treat the total apl stat of <op> that contest it as <n> {_words} if at least one of those [enemy/friendly] operatives is <state>",
    )(
        lambda who, n, found, _sign=_sign: term("control-apl", _sign * n, total=True, who=who.whom.narrowed(*found))
    )
G.says("effect", "[you can] treat <poss> apl stat as <n>")(lambda whom, n: term("control-apl", 0, set=n, who=whom))
G.says("clause", "whenever <op> contests <markers> , it always controls that marker")(
    lambda who, names: (When((term("control", "marker"),), who.whom), Do((term("controls", who=who.whom),)))
)
G.says("clause", "<op> is ignored for your opponent 's kill or elimination op [\\( when it is incapacitated , and when determining your starting number of operatives \\)]")(
    lambda who: Do((term("not-counted", who=who.whom),))
)

# -- CP, points, tokens, markers -------------------------------------------------------------------------

G.says("effect", "[you] gain <cps>")(lambda n: term("cp", n))
G.says("effect", "[you] gain <n> additional cp")(lambda n: term("cp", n))
G.says("effect", "you [also] gain <amount> <points-name>", "you [also] gain <amount> <token-name>", "you [also] gain <amount> of your <token-name>")(
    lambda n, name: term("points", n, of=name)
)
G.says("effect", "you [also] gain a number of <points-name> equal to the turning point number")(
    lambda name: term("points", "turning-point", of=name)
)
G.says("effect", "you gain <n> <points-name> , or <n> <points-name> if <conditions>")(
    lambda n, name, m, _, found: (
        term("points", n, of=name),
        term("points", m, of=name, instead=True, **{"if": found}),
    )
)
G.says("clause", "if (it|they) already (has|have) one , <effect> instead")(
    lambda found: Refers(frozenset(("token",)), {"otherwise": found if isinstance(found, tuple) else (found,)})
)
G.says("clause", "it cannot be an operative that the <rule-name> rule was used on during this turning point")(
    lambda name: Refers(frozenset(("pick",)), {"not-after": name})
)
G.says("clause", "that is not currently benefitting from the effects of this action")(
    lambda: Refers(frozenset(("pick",)), {"not-benefiting": True})
)
G.says("effect", "<op> [also] gains/gain <token> [\\( if (it|they) (does|do) not already have one \\)]")(
    lambda who, name: term("token", name, who=who.whom, most=1) if name != "that" else NotImplemented
)
G.says("effect", "<op> gains <n> of your <token-name> [\\( instead of one \\)]")(
    lambda who, n, name: term("token", name, count=n, who=who.whom)
)
G.says("effect", "remove <token> [from <op>]")(lambda name, who: term("lose-token", name, who=who.whom if who else None))


@G.says("effect", "<op> gains <token> [\\( if it does not already have one \\)] . if it already has one , <effect> instead")
def _or_else(who: Mention, name: str, otherwise: Any) -> Term:
    return term("token", name, who=who.whom, most=1, otherwise=otherwise if isinstance(otherwise, tuple) else (otherwise,))


G.says("effect", "place <marker> in the killzone")(
    lambda names: term("marker", names[0]) if names[0] not in ("any", "that") else NotImplemented
)
G.says("effect", "place <marker> within <poss> control range")(
    lambda names, whom: term("marker", names[0], in_control_range=whom) if names[0] not in ("any",) else NotImplemented
)
G.says("effect", "place <marker> within <inches> [horizontally] of <op>")(
    lambda names, n, who: term("marker", names[0], within=n, of=who.whom)
)
G.says("effect", "place <marker> visible to <op> [, or on vantage terrain of a terrain feature that is visible to <op>]")(
    lambda names, who, _: term("marker", names[0], visible=True, of=who.whom)
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
G.says("clause", "when <op> is next activated , is incapacitated or this action is performed again by a friendly operative [\\( whichever comes first \\)] [,] remove that marker")(
    lambda who: Refers(
        frozenset(("marker",)),
        {"until": (term("own-next-activation"), term("incapacitated"), term("performed-again"))},
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
G.says("effect", "roll <die> , adding <n> to the result if <conditions> : on (a|an) <plus> , <effects>")(
    lambda d, n, found, at, effects: _outcome(d, f">={at}", effects).plus(add=n, add_if=found)
)
G.says("effect", "roll <die> :/,/; if the result is (higher|greater) than <poss> apl stat [,] <effects>")(
    lambda d, whom, found: _outcome(d, ">apl", found)
)
G.says("effect", "roll <die> , if the result is higher than the number of [the] current turning point , <effects>")(
    lambda d, found: _outcome(d, ">turning-point", found)
)

# -- activations -----------------------------------------------------------------------------------------


def _next(who: Mention, may: bool | None = None) -> Term:
    return term("next-activation", who.whom, may=may)


G.says("effect", "[you must] [then] activate <op> [\\( if able \\)] before your opponent activates")(_next)
G.says("effect", "you can activate <op> before your opponent activates")(lambda who: _next(who, True))
G.means("clause", Says(), "when that other [friendly] operative is expended , your opponent then activates as normal")
G.says("clause", "when <pronoun> is expended , activate <op> before your opponent activates")(
    lambda first, who: Do((_next(who),))
)
G.says("clause", "when <pronoun> is expended , you can activate <op> before your opponent activates")(
    lambda first, who: Do((_next(who, True),))
)
G.says("effect", "[you can] activate <op> at the same time")(lambda who: term("next-activation", who.whom, together=True))
G.says("effect", "select <op> to activate at the same time")(
    lambda who: (_pick(who), term("next-activation", Whom("picked"), together=True))
)
G.means("clause", Says(), "complete their activations action by action in any order")
G.says("effect", "skip that activation", "you can skip that activation")(lambda: term("skip-activation"))
G.says("clause", "if this rule was used during <poss> activation , that activation ends")(
    lambda whom: Do((term("end", "activation", who=whom, **{"if": about((term("activated-now"),), whom)}),))
)

# -- redirection -----------------------------------------------------------------------------------------


@G.says(
    "effect",
    "select <op> to become the valid target (or to be fought against|) [\\( as appropriate \\)] instead [[,] [\\(] even if it (would not normally|normally would not) be valid for this [\\)]]",
)
def _redirect(who: Mention) -> tuple[Term, ...] | Any:
    picked = _pick(who)
    return picked if picked is NotImplemented else (picked, term("redirect", who=Whom("picked")))


G.says("clause", "if it is the fight action , treat <pronoun> as being within the fighting operative 's control range for the duration of that action")(
    lambda _: Says()
)
G.says("clause", "if it is the shoot action , <op> is only in cover [or obscured] if the original target was")(lambda _: Says())
G.says("clause", "<op> is only in cover [or obscured] if the original target was")(lambda _: Says())

# -- ploys -----------------------------------------------------------------------------------------------

_KIND = "[strategy/firefight] ploy/ploys"
G.says("effect", f"[you can] use [the] <ploys> {_KIND} for <cps> [each]")(
    lambda names, n: term("ploy-cost", names, cp=n)
)
G.says("effect", f"the <ploy-name> {_KIND} costs you <cps>")(lambda name, n: term("ploy-cost", (name,), cp=n))
G.says("clause", "if (this|it) is the specified [friendly] [<kws>] operative", "if this operative is the (specified|selected) [friendly] [<kws>] operative")(
    lambda *_: Refers(frozenset(("ploy-cost",)), {"specified": Whom("self")})
)
G.says("clause", "if the specified [friendly] [<kws>] operative <predicates>")(
    lambda _, found: Refers(frozenset(("ploy-cost",)), {"specified": Whom("friend", that=found)})
)
G.says("clause", "if <noun> is the specified [friendly] [<kws>] operative")(
    lambda who, _: Refers(frozenset(("ploy-cost",)), {"specified": who.whom})
)

# -- weapons from elsewhere ------------------------------------------------------------------------------

G.says("grenades", "frag/krak/smoke/stun [grenades/grenade]")(lambda: NotImplemented)
for _name in ("frag", "krak", "smoke", "stun", "blight"):
    G.means("grenade", _name, _name)
G.says("grenade-list", "<grenade>")(lambda one: (one,))
G.says("grenade-list", "<grenade> ([,] and|,) <grenade-list>")(lambda one, more: (one, *more))
G.says("effect", "<op> can use <grenade-list> grenades")(lambda who, names: term("use-grenades", names, who=who.whom))
G.means("clause", Says(), "doing so does not count towards any limited uses you have", "doing so does not count towards any limited uses")
G.says("clause", "whenever (it is doing so|it is using one of them) , improve the hit stat of that weapon by <n>")(
    lambda n: Refers(frozenset(("use-grenades",)), {"hit": n})
)
G.says("clause", "whenever this operative is using a frag or krak grenade , improve the hit stat of that weapon by <n>")(
    lambda n: Refers(frozenset(("use-grenades",)), {"hit": n})
)
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

# -- doing -----------------------------------------------------------------------------------------------


def _do(found: Any, may: bool = False) -> Do:
    return Do(found if isinstance(found, tuple) else (found,), may)


G.says("clause", "<effect>")(_do)
G.says("clause", "(you can|you may|can) [immediately/then/also] <effect>")(lambda found: _do(found, True))
G.says("clause", "[you can] <effect> instead")(
    lambda found: Do(tuple(each.plus(instead=True) for each in (found if isinstance(found, tuple) else (found,))), True)
)


@G.says(
    "clause",
    "<effect> [\\( even if it has [already] performed an action that prevents it from performing (the <actions>|those actions) \\)] , or you can <effect> instead",
)
def _either(one: Any, _: Any, two: Any) -> Do | Any:
    if isinstance(one, tuple) or isinstance(two, tuple):
        return NotImplemented
    return Do((term("choose", (one.plus(regardless=True) if one.word == "free-action" else one, two)),), True)


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
G.says("clause", "you can do one of the following")(lambda: Offers(1))
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
    lambda who, names: Do((term("allow", names, who=who.whom, regardless=True),))
    if names in (("Smoke Grenade",), ("Stun Grenade",))
    else NotImplemented
)
G.means("clause", Says(), "performing these actions using this rule does not count towards their action limits")

# -- setting up again ------------------------------------------------------------------------------------

G.says("clause", "(it|this operative|that operative) can (fly|<word> jump|<word>)")(
    lambda _, word: Do((term("relocate", no_engage=True),), True) if word is None or word == "warp" else NotImplemented
)
_RELOCATE = frozenset(("relocate",))
_SET = "[do not move it [,/.]] [instead [,]] remove it from the killzone and set it back up wholly within"
G.means("clause", Says(), "do not move it")
G.says("clause", f"{_SET} <inches> of its original location [, measuring the horizontal distance only]")(
    lambda n: Refers(_RELOCATE, {"": n, "horizontally": True})
)
G.says("clause", f"{_SET} a distance equal to its move stat of its original location [, measuring the horizontal distance only]")(
    lambda: Refers(_RELOCATE, {"own-move": True, "horizontally": True})
)
G.means(
    "clause",
    Refers(_RELOCATE, {"through-walls": True}),
    "in [a] killzone <anything> , this distance can be measured through walls",
)
G.means(
    "clause",
    Says(),
    "in a killzone that uses the close quarters rules , this distance cannot be measured over or through wall terrain , and that operative cannot be set up on the other side of an access point",
    "[note that] it gains no additional distance when performing the charge action",
    "it must be set up in a location it can be placed , and unless it is the charge action , it cannot be set up within control range of an enemy operative",
    "it must be set up in a location it can be placed",
)

G.means("clause", Says(), "in addition", "then", "additionally", "afterwards", "immediately", "respectively")
G.means("clause", Says(), "if any", "if able", "roll separately for each", "rounding up", "rounding down", "whichever comes first", "instead of one")
G.says("clause", "strategic gambit")(lambda: When((term("gambit"),)))
G.says("clause", "as a strategic gambit")(lambda: When((term("gambit"),)))
G.says("clause", "strategic gambit in the <ordinal> turning point")(
    lambda n: (When((term("gambit"),)), If((term("turning-point", f"={n}"),)))
)
G.says("clause", "once per battle strategic gambit")(
    lambda: (When((term("gambit"),)), HowOften((term("once", "battle"),)))
)
G.means("clause", Says(), "support", "psychic", "strategic gambit and support")
