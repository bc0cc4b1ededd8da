"""Effects on operatives in a sentence: choosing them, damage, healing, free actions, what they may and may not do."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import Afterwards, Do, HowOften, Mention, Refers, Says, When, group_of
from ktsim.rules.teams.reading.names import G

GROUPS = ("friend", "enemy", "anyone")

# -- choosing --------------------------------------------------------------------------------------------


def chosen(mention: Mention, may: bool | None = None) -> Term | Any:
    whom = group_of(mention.whom)
    if whom.role not in GROUPS:
        return NotImplemented
    count = None if mention.count in (1, None) else mention.count
    return term("pick", whom, count=count, up_to=mention.up_to or None, may=may)


def upon(who: Mention, effect: Term) -> Term | tuple[Term, ...]:
    """An effect upon those mentioned: one of many is chosen first."""
    if group_of(who.whom).role in GROUPS and not who.is_each:
        return (chosen(who), effect.plus(who=Whom("picked")))
    return effect.plus(who=who.whom)


G.says("effect", "select <op>")(chosen)
G.says("effect", "[you can] select one of your <marker-name>")(lambda name: term("pick-marker", (name,)))
G.says("effect", "select <op> to be your quarry")(
    lambda who: (chosen(who), term("token", "Quarry", who=Whom("picked")))
)


G.says(
    "effect",
    "select a new enemy operative to be your quarry \\( and can continue to do so during this turning point \\)",
)(
    lambda: (
        term("pick", Whom("enemy", other=True)),
        term("token", "Quarry", who=Whom("picked"), until=(term("turning-point"),)),
    )
)


@G.says("effect", "select <op> , or <op>")
def _pick_either(one: Mention, other: Mention) -> Term | Any:
    if one.whom.role != other.whom.role or one.count != other.count:
        return NotImplemented
    return term("choose", (chosen(one), chosen(other)))


@G.says("effect", "select <op> , or <op> if <conditions>")
def _pick_more(one: Mention, more: Mention, found: tuple[Term, ...]) -> tuple[Term, ...] | Any:
    if group_of(one.whom) != group_of(more.whom) or one.count not in (1, None) or more.is_all:
        return NotImplemented
    first, second = chosen(one), chosen(more)
    if first is NotImplemented or second is NotImplemented:
        return NotImplemented
    return (first, second.plus(instead=True, **{"if": found}))


@G.says(
    "effect", "select <op> to (regain|have) up to <amount> lost wounds", "select <op> to regain <amount> lost wounds"
)
def _pick_heal(who: Mention, amount: Any) -> tuple[Term, ...] | Any:
    picked = chosen(who)
    return picked if picked is NotImplemented else (picked, term("heal", amount, who=Whom("picked")))


# -- damage and wounds -----------------------------------------------------------------------------------


def _struck(amount: Any, who: Mention) -> Term | tuple[Term, ...]:
    return upon(who, term("damage", amount))


G.says("effect", "inflict <amount> damage on <op> [\\( roll separately for each \\)]")(_struck)
G.says("effect", "inflict <amount> damage on <op> for each <noun> [<post>]")(
    lambda amount, who, each, post: term("damage", amount, who=who.whom, per=each.whom.narrowed(*(post or ())))
)
G.says(
    "effect",
    "for each <noun> [<post>] , you gain <n> <points-name> and inflict <amount> damage on <pronoun> [\\( "
    "roll separately for each \\)]",
)(
    lambda each, post, n, name, amount, _: (
        term("points", n, of=name, per=each.whom.narrowed(*(post or ()))),
        term("damage", amount, who=each.whom.narrowed(*(post or ()))),
    )
)
G.says("effect", "inflict (an additional <amount>|<amount> more) damage on <op>")(
    lambda one, other, who: _struck(other if one is None else one, who)
)
G.says("effect", "inflict damage equal to the result on <op>")(lambda who: _struck("result", who))
G.says("effect", "<op> suffers/suffer <amount> damage")(lambda who, amount: _struck(amount, who))
G.says("effect", "<op> [can] [immediately] regains/regain [up to] <amount> lost wounds/wound")(
    lambda who, amount: upon(who, term("heal", amount))
)
_SURVIVES = "<op> is not incapacitated [,] [and] has <n> wound/wounds remaining"
_STEADFAST = "[,] and cannot be incapacitated for the (remainder|rest|duration) of (that|the|this) action"
G.says("effect", _SURVIVES)(lambda who, n: term("survive", n, who=who.whom))
G.says("effect", f"{_SURVIVES} {_STEADFAST}")(lambda who, n: term("survive", n, steadfast=True, who=who.whom))

# -- free actions ----------------------------------------------------------------------------------------

G.says("free", "a free <actions>", "one free <actions>", "either a free <actions>")(
    lambda names: term("free-action", names)
)
G.says("free", "a free <actions> or a free <actions>")(lambda one, two: term("free-action", (*one, *two)))
G.says("free", "an additional <aps> action for free")(lambda n: term("extra-action", n))
G.says("free", "two <aps> actions")(lambda n: term("extra-action", n))
G.says("free", "a <aps> action for free")(lambda n: term("free-action", (f"{n}AP",)))
G.says("free", "<actions> for free")(lambda names: term("free-action", names))
G.says("free", "one free action", "a free action")(lambda: term("free-action", ("any",)))
G.says("free", "<free> \\( excluding <actions> \\)")(lambda found, names: found.plus(**{"except": names}))
G.says("free", "<free> afterwards")(lambda found: found.plus(afterwards=True))
G.says("free", "<n> free <actions>")(lambda n, names: term("free-action", names, times=n) if n > 1 else NotImplemented)
_CAN = "[can] [each] [either] [immediately] perform/performs"
_THEN = "[can] [each] (then [either] [immediately]|[either] [immediately] then) perform/performs"


def _joined(words: tuple[str | None, ...]) -> list[str]:
    """The words of a profile's name as one; nothing when there are none."""
    found = " ".join(word for word in words if word)
    return [found] if found else []


def _performs(who: Mention, free: Term) -> Any:
    whom = group_of(who.whom)
    if whom.role in GROUPS:
        several = who.is_each or who.up_to or who.count not in (1, None)
        count = None if who.is_each else who.count
        picked = term(
            "pick", whom, count=count if count != 1 else None, up_to=who.up_to or None, all=who.is_each or None
        )
        return (picked, free.plus(who=Whom("picked"), any_order=several or None))
    return free.plus(who=who.whom)


G.says("effect", f"<op> {_CAN} <free>")(_performs)
G.says("effect", f"<op> {_THEN} <free>")(lambda who, free: _performs(who, free.plus(afterwards=True)))
G.says("effect", f"<pronoun> , and <op> [,] {_CAN} <free>")(
    lambda whom, who, free: (
        (term("pick", who.whom, all=True, with_first=True), free.plus(who=Whom("picked"), any_order=True))
        if who.whom.role == "friend" and who.is_each
        else NotImplemented
    )
)
G.says("clause", "once per activation , <op> can [immediately] perform <free>")(
    lambda who, free: (
        When((term("activation"),), who.whom),
        HowOften((term("once", "activation"),)),
        Do((free,), True),
    )
)
G.says("clause", "<op> can perform <free> during (its|their) activation")(
    lambda who, free: (When((term("activation"),), who.whom), Do((free,), True))
)
G.says("clause", "<op> can perform <free> at the end of (its|their) activation")(
    lambda who, free: (When((term("activation-ended"),), who.whom), Do((free,), True))
)
G.says("clause", "<op> can perform <free> during (its|their) activation if (it has|they have) a conceal order")(
    lambda who, free: (When((term("activation"),), who.whom, None, (term("order", "conceal"),)), Do((free,), True))
)
G.says("clause", "whenever it performs <actions> on that marker , it can immediately perform <free>")(
    lambda names, free: Do((free.plus(after=names),), True)
)
G.says("effect", "<op> can perform <actions> on that marker")(lambda who, names: term("allow", names, who=who.whom))
G.says("effect", "[immediately] perform <free> with <op>")(lambda free, who: _performs(who, free))
G.says("effect", "select <op> to [immediately] perform <free>")(
    lambda who, free: _performs(who, free) if group_of(who.whom).role in GROUPS else NotImplemented
)
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
G.says(
    "clause",
    "[but/and] [it|that operative|each] cannot move more than <inches> [during that action|(while|in) doing so]",
)(lambda n: Refers(_FREE, {"most": n}))
G.says("clause", "it cannot move or be removed and set up more than <inches> during that action")(
    lambda n: Refers(_FREE, {"most": n})
)
G.means(
    "clause", Refers(_FREE, {"fresh": True}), "perform an action it has already performed during this turning point"
)
G.means("clause", Refers(_FREE, {"only-once": True}), "or perform that action again during this turning point")
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
G.means("closer", "own drop zone", "your drop zone")
G.means("closer", "their edge", "killzone edge")
G.says("closers", "<closer>")(lambda one: (one,))
G.says("closers", "<closer> ([,] or|,) <closers>")(lambda one, more: (one, *more))
G.says("clause", f"{_MUST_END} closer to <closers>")(lambda names: Refers(_FREE, {"closer-to": names}))
G.means(
    "clause",
    Refers(_FREE, {"regardless": True}),
    "even if it has [already] performed an action that prevents it from performing (the <actions>|those "
    "actions|that action)",
    "[this] takes/taking precedence over [all other] action restrictions",
)
G.says("clause", "even if it [has] [already] performed <actions> [during (that|the|this) activation]")(
    lambda names: Refers(_FREE, {"in-spite-of": names})
)
G.means("clause", Refers(frozenset(("extra-action",)), {}), "[but] both actions must be different")
G.says(
    "clause",
    "[this turning point ,] each that does so cannot perform <actions> during (its|their) activation [during "
    "this turning point]",
)(lambda names: Refers(_FREE, {"then-forbid": names}))
G.says(
    "clause",
    "you must select [a profile of] its <weapon-name> for one action and [a profile of] its <weapon-name> "
    "[\\( <word> [<word>] \\)] for the other [\\( in any order \\)]",
)(lambda one, two, *profile: Refers(_FREE, {"weapons-each": (one, "/".join((two, *_joined(profile))))}))
G.says("clause", "doing so does not prevent it from performing <actions> [afterwards] [during that activation]")(
    lambda names: Refers(_FREE, {"leaves": names})
)
G.means("clause", Afterwards(), "after that action", "after (it|that operative) (moves|has moved)")
G.means("clause", Afterwards(), "at the end of that (action|move)", "once it has (moved|finished moving)")

# -- permissions -----------------------------------------------------------------------------------------

_PERFORM = "[each] <op> can perform"
G.says("effect", f"{_PERFORM} <actions> for <n> less ap")(
    lambda who, names, n: term("ap-cost", -n, actions=names, who=who.whom)
)
G.says("effect", f"{_PERFORM} one <actions> for <n> less ap")(
    lambda who, names, n: term("ap-cost", -n, actions=names, once=True, who=who.whom)
)
G.says("effect", f"{_PERFORM} <actions> for <n> additional/more ap")(
    lambda who, names, n: term("ap-cost", n, actions=names, who=who.whom)
)
G.says("effect", "your opponent must spend <n> additional ap for <op> to perform <actions>")(
    lambda n, who, names: term("ap-cost", n, actions=names, who=who.whom)
)
G.says("effect", "<op> must spend <n> additional ap to perform <actions> [while <state>]")(
    lambda who, n, names, found: (
        term("ap-cost", n, actions=names, who=who.whom.narrowed(*(found or ())))
        if who.whom.role in GROUPS
        else NotImplemented
    )
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
G.says("effect", f"{_PERFORM} <actions> after performing <actions>")(
    lambda who, names, after: term("allow", names, after=after, who=who.whom)
)
G.says(
    "effect", f"{_PERFORM} <n> <actions> [\\( excluding <actions> \\)] [during (its|that|their|its next) activation]"
)(
    lambda who, n, names, out: (
        term("allow", names, times=n, who=who.whom, **({"except": out} if out else {})) if n > 1 else NotImplemented
    )
)
G.says("effect", f"{_PERFORM} <actions> twice [during (its|that|their|its next) activation]")(
    lambda who, names: term("allow", names, times=2, who=who.whom)
)
G.means("clause", Refers(frozenset(("allow",)), {"free-once": True}), "one of them can be free")
G.says("clause", "but <weapon-set> must be selected for at least one of (them|those actions)")(
    lambda names: Refers(frozenset(("allow",)), {"weapons": names}) if names else NotImplemented
)
G.says("clause", "but <weapon-set> must be selected for both of (them|those actions)")(
    lambda names: Refers(frozenset(("allow",)), {"weapons": names, "must": True}) if names else NotImplemented
)
G.says(
    "clause",
    "but can only use any remaining move distance it had from that <actions> [\\( to a maximum of <inches> \\)]",
)(lambda _, n: Refers(frozenset(("allow",)), {"leftover": n or 60}))
G.says("effect", "<op> can perform [either] <n> <actions> or <n> <actions> [during (its|their) activation]")(
    lambda who, n, one, m, two: (
        term("allow", (*one, *two), times=n, either=True, who=who.whom) if n == m else NotImplemented
    )
)
G.says("effect", "having <op> within <poss> control range does not prevent <op> from performing <actions>")(
    lambda one, _, who, names: term("allow", names, **{"while": ("control-range",)}, who=who.whom)
)
G.means("clause", Says(), "but then normal requirements for that move apply")
G.says(
    "effect",
    "<op> can counteract regardless of (its|their) order",
    "<op> can counteract (even if|while) (it has|they have) a conceal order",
)(lambda who: term("counteract", "any-order", who=who.whom))


_TWO_SHOTS = "if it is <n> shoot actions , [a/an] <weapon-set> must be selected for"
G.says("clause", f"{_TWO_SHOTS} at least one of them")(
    lambda n, names: Refers(frozenset(("allow",)), {"weapons": names})
)
G.says("clause", f"{_TWO_SHOTS} both of them")(
    lambda n, names: Refers(frozenset(("allow",)), {"weapons": names, "must": True})
)


G.says(
    "clause",
    "if it is <n> shoot actions and <weapon-set> is selected for both , <n> additional ap must be spent for "
    "the second action",
)(lambda n, names, ap: Refers(frozenset(("allow",)), {"dear": names}))
G.says(
    "clause",
    "if it is <weapon-set> , <n> additional ap must be spent for the second action if both actions are using "
    "that weapon",
)(lambda names, n: Refers(frozenset(("allow",)), {"dear": names}))
G.means(
    "clause",
    Refers(frozenset(("allow",)), {"psychic-once": True}),
    "you cannot select the same psychic ranged weapon more than once per activation",
)


# -- prohibitions ----------------------------------------------------------------------------------------

G.says(
    "effect",
    "<op> cannot perform any action other than <actions>",
    "<op> cannot perform any actions other than <actions>",
)(lambda who, names: term("forbid", ("all",), **{"except": names}, who=who.whom))
G.says("effect", "<op> cannot perform <actions> [during that activation or counteraction|during that activation]")(
    lambda who, names: term("forbid", names, who=who.whom)
)
G.says("effect", "<op> cannot use any weapons that are not on its datacard")(
    lambda who: term("forbid-weapons", ("all",), not_own=True, who=who.whom)
)
G.says("effect", "<op> cannot use any weapons that are not on its datacard [,] or perform unique actions")(
    lambda who: (
        term("forbid-weapons", ("all",), not_own=True, who=who.whom),
        term("forbid", ("unique",), who=who.whom),
    )
)
G.says(
    "effect",
    "<op> cannot use any weapons that are not on its datacard [,] or perform unique actions other than <actions>",
)(
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
G.says(
    "effect",
    "<op> cannot perform that action during that activation [or counteraction] [\\( the ap spent on it is "
    "refunded \\)]",
    "<op> cannot perform that action during that activation [or counteraction] \\( no ap (are|is) spent on it \\)",
)(lambda who: term("cancel", refund=True, who=who.whom))
G.says(
    "effect",
    "<op> cannot perform that action during that activation [or counteraction] \\( the ap spent on it is not "
    "refunded \\)",
)(lambda who: term("cancel", who=who.whom))
G.says("effect", "<op> cannot retaliate")(lambda who: term("forbid-retaliation", who=who.whom))
