"""Phrases of rules that stand for themselves: options of a team, interrupting, flying, points, exceptions."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import (
    Ask,
    Do,
    Forbids,
    HowOften,
    If,
    Mention,
    Offers,
    Refers,
    Says,
    When,
    about,
    group_of,
    negated,
)
from ktsim.rules.teams.reading.effects_operatives import GROUPS, chosen, upon
from ktsim.rules.teams.reading.names import G

# -- options chosen with the roster ----------------------------------------------------------------------


def _option(count: int, name: str, whom: Whom | None) -> Do:
    return Do((term("option", name, count=count if count > 1 else None, who=whom),))


G.says(
    "clause",
    "whenever you select <op> for the battle , you must select (a|one) <caps> [\\( below \\)] for it to have "
    "for the battle",
)(lambda who, name: (When((term("selected"),), who.whom), _option(1, name, None)))
G.says(
    "clause",
    "whenever you select <op> for the battle , you must select one of the following keywords for it to have "
    "for (the|that) battle : <kws>",
)(lambda who, kws: (When((term("selected"),), who.whom), Do((term("option", "keyword", of=kws),))))
G.says(
    "clause", "when selecting your kill team , select a primary and secondary <caps> for <op> to gain for the battle"
)(lambda name, who: (When((term("selected"),), who.whom), _option(2, name, None)))
G.says("clause", "select (one|a) additional <caps> for it to have for the battle")(
    lambda name: _option(1, name, Whom("it"))
)
G.says("clause", "you cannot select each <caps> more than once per battle")(
    lambda name: Refers(frozenset(("option", "options")), {"different": True})
)
G.says("clause", "you cannot select each option more than once per battle")(
    lambda: Refers(frozenset(("option", "options")), {"each-once": "battle"})
)
G.means(
    "clause",
    Says(),
    "multiple instances of the same <caps> are not cumulative",
    "each operative 's keyword can be different",
    "<op> have an additional rule determined by this keyword",
    "<kws> ploys have additional benefits for operatives with the relevant keyword",
    "unlike primary and secondary <caps>",
    "you do not have to select the same one for each battle <anything>",
)
G.says("clause", "but <noun> cannot have the <kws> keyword")(
    lambda who, kws: Refers(frozenset(("option",)), {"not-for": who.whom, "not-these": kws})
)
G.says("effect", "change <poss> <anything> keyword")(lambda whom, _: term("option", "keyword", change=True, who=whom))
G.says("effect", "<op> has the <option-name> <caps>")(
    lambda who, name, _: term("option", name, given=True, who=who.whom)
)

# -- interrupting ----------------------------------------------------------------------------------------

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
G.says(
    "clause",
    f"{_AIMED} can only (target|fight) <pronoun> [during that action]",
    f"{_AIMED} can only select <pronoun> as (a|the) valid target [or to fight against] [during that action]",
    f"{_AIMED} can only (fight|fight against) or (shoot|shoot against) <pronoun>",
    f"{_AIMED} must (target|fight against|select) <pronoun> [as the valid target] [during that action]",
)(
    lambda whom: (
        Refers(frozenset(("free-action",)), {"against": whom})
        if whom.role in ("that-enemy", "the-enemy", "chosen-enemy")
        else NotImplemented
    )
)
G.says("free", "<free> against <pronoun>", "<free> targeting <pronoun>")(
    lambda found, whom: (
        found.plus(against=whom)
        if whom.role in ("that-enemy", "the-enemy", "chosen-enemy") and {"Shoot", "Fight"} >= set(found.main or ())
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

# -- points ----------------------------------------------------------------------------------------------

G.says("effect", "you can spend <n> of your <points-name> to <effect>")(
    lambda n, name, found: (term("points", -n, of=name), *(found if isinstance(found, tuple) else (found,)))
)
G.says("clause", "you gain a number of <points-name> equal to half the number of <op> [\\( rounding up \\)]")(
    lambda name, who: Do((term("points", "half", of=name, per=who.whom),))
)
G.says("effect", "lose <n> <points-name>")(lambda n, name: term("points", -n, of=name))

# -- sequences within sequences --------------------------------------------------------------------------

G.says(
    "effect",
    "halve the damage inflicted [\\( rounding up [,] [and] to a minimum of <n> \\)] on <op> from one normal success",
)(
    lambda n, who: term(
        "reduce-damage",
        halve=True,
        least=n,
        who=who.whom,
        **{"if": (term("die", "normal"), term("first-time", "sequence"))},
    )
)
G.says("effect", "inflict <amount> additional damage on <op>")(lambda amount, who: term("damage", amount, who=who.whom))
G.says("clause", "whenever you discard an attack die as a fail , <effect>")(lambda found: NotImplemented)


@G.says("effect", "<op> cannot perform <actions> or use <caps> additional rules")
def _no_rules(who: Mention, names: tuple[str, ...], kind: str) -> tuple[Term, ...] | Any:
    if kind.lower() != "psychic":
        return NotImplemented
    return (term("forbid", names, who=who.whom), term("forbid-rules", "psychic", who=who.whom))


G.means("clause", Says(), "for the effects of psychic actions")
G.says("clause", "<op> cannot be selected and is never treated as being within those actions ' required distances")(
    lambda who: Do((term("immune", ("psychic",), who=who.whom),))
)
G.says("effect", "<weapon-kind> weapons have no weapon rules and cannot have dmg stats higher than <dmg>")(
    lambda kind, most: (term("remove-rule", ("all",), weapons=kind), term("cap-damage", most, weapons=kind))
)
G.says("effect", "treat the distance as an additional <inches>")(lambda n: term("move-extra", n))
G.says("effect", "add <inches> to [the] (its|their) distance requirement/requirements")(lambda n: term("distance", n))
G.says("effect", "add <inches> to the distance requirements of <poss> <actions> [that have a distance requirement]")(
    lambda n, whom, names: term("distance", n, actions=names, who=whom)
)
G.says("effect", "for the purposes of selecting another friendly operative , ignore the distance requirement")(
    lambda: term("distance", 60)
)

# -- being activated, being targeted ---------------------------------------------------------------------

G.says("effect", "your opponent cannot select <op> as a valid target")(lambda who: term("forbid-target", who=who.whom))
G.says("clause", "<op> cannot be activated or perform actions if <conditions>")(
    lambda who, found: Do((term("forbid", ("all", "activation"), who=who.whom, **{"if": found}),))
)
G.means(
    "clause",
    Says(),
    "the turning point can end even if <op> is still ready",
    "if it moves <anything> , its <stat> is no longer changed by this rule",
    "if it cannot be placed , move it the minimum amount to do so",
)
G.says("clause", "whenever determining what is visible to <op> , draw the line from any part of the miniature")(
    lambda who: (When((term("always"),), who.whom), Do((term("visible-from-all", who=who.whom),)))
)
G.says(
    "clause",
    "when <op> is expended , activate <op> before your opponent activates [\\( if that operative is [a/an] "
    "<kws> , ignore its <rule-name> rule \\)]",
)(
    lambda one, two, kws, name: (
        When((term("expended"),), Whom("that-first")),
        Do((term("next-activation", two.whom),)),
    )
)
G.says("clause", "the first time your <marker-name> is within another operative 's control range")(
    lambda name: When((term("near-marker", name),), Whom("anyone", other=True))
)
G.says(
    "clause",
    "if it is not incapacitated , end its action [\\( if any \\)] , even if that action 's effects are not fulfilled",
)(lambda: Do((term("end", "action", **{"if": (negated((term("incapacitated"),)),)}),)))
_CARRIES = frozenset(("carries",))
G.means(
    "clause",
    Refers(_CARRIES, {"not-near-enemy": True}),
    "that marker cannot be placed within an enemy operative 's control range",
)
G.means(
    "clause",
    Refers(_CARRIES),
    "if <op> is incapacitated while carrying that marker and that marker cannot be placed",
    "it is removed with <op>",
)
G.says("clause", "\\( the primary target , if relevant \\)")(lambda: Says())
G.says(
    "effect",
    "<op> gains <n> of your <token-name> \\( to a maximum of <n> \\)",
    "<op> gains one of your <token-name> \\( to a maximum of <n> \\)",
)(lambda who, *rest: upon(who, term("token", rest[-2], count=rest[0] if len(rest) > 2 else None, most=rest[-1])))
G.says("clause", "light terrain is intervening")(lambda: NotImplemented)
G.says(
    "clause",
    "if light terrain is intervening , <op> is obscured [\\( unless the intervening light terrain is within "
    "<inches> of either operative \\)]",
)(lambda who, n: Do((term("obscure", who=who.whom, **{"if": (term("light-between"),)}),)) if n == 1 else NotImplemented)
G.says("effect", "<op> , <op> and <op> <predicates>")(lambda *_: NotImplemented)


# -- flying, markers that last ---------------------------------------------------------------------------

_MARKER = frozenset(("marker",))
G.says("moment", "<op> performs an action in which it moves [\\( excluding <actions> \\)]")(
    lambda who, out: When((term("doing", ("move",), **({"except": out} if out else {})),), who.whom)
)
G.says(
    "clause",
    "it must be visible to this operative , or on vantage terrain of a terrain feature that is visible to "
    "this operative",
)(lambda: Refers(_MARKER, {"visible": True, "or-vantage": True}))
G.means("clause", Says(), "in the ready step of the next strategy phase , roll one <dice>")
_SPENT = "after a number of activations equal to (that <dice>|the result) have been completed"
G.says("clause", f"remove that <marker-name> {_SPENT}")(
    lambda *_: Refers(_MARKER, {"until": (term("next-activations"), term("turning-point"))})
)
G.means("clause", Refers(_MARKER), "or at the end of the turning point")
G.says(
    "clause",
    "when <op> is next activated , is incapacitated or performs this action again [\\( whichever comes first "
    "\\)] [,] remove that marker",
)(lambda who: Refers(_MARKER, {"until": (term("own-next-activation"), term("incapacitated"), term("performed-again"))}))
G.says("effect", "select one objective marker or one of your mission markers")(
    lambda: term("pick-marker", ("objective", "mission"))
)
G.means("effect", term("pick-marker", ("objective",)), "select one objective marker")
G.says("effect", "<poss> controlling player must spend <n> additional ap for <op> to perform <actions>")(
    lambda _, n, who, names: term("ap-cost", n, actions=names, who=who.whom)
)
G.says("effect", "can move an additional <inches>")(lambda n: term("move-extra", n))
G.says("effect", "<op> can move an additional <inches>")(lambda who, n: term("move-extra", n, who=who.whom))
_WHEN_MOVING = "(when|whenever) ((it|that operative) performs|performing|(they|it) perform)"
G.says(
    "effect",
    f"<op> can move [up to] an additional <inches> {_WHEN_MOVING} <actions>",
    f"<op> can move up to <inches> further {_WHEN_MOVING} <actions>",
)(lambda who, n, names: term("move-extra", n, actions=names, who=who.whom))
G.says("effect", f"add <inches> to <poss> move stat {_WHEN_MOVING} <actions>")(
    lambda n, whom, names: term("move-extra", n, actions=names, who=whom)
)
G.says("effect", "<op> cannot assist")(lambda who: term("forbid-assist", who=who.whom))
G.says("effect", "select one additional equipment option")(lambda: term("extra-equipment", 1))
G.says("clause", "after rolling off to decide initiative , you can re-roll your dice")(
    lambda: (When((term("strategy-phase"),)), Do((term("reroll", "attack", initiative=True),), True))
)
G.says(
    "clause", "whenever determining what is visible to <op> , the round disc at the top of the miniature is its head"
)(lambda who: (When((term("always"),), who.whom), Do((term("head", "disc", who=who.whom),))))
G.says(
    "clause",
    "your opponent cannot select <op> as a valid target unless it is within <inches> of the operative trying "
    "to target it",
    "<op> cannot be selected as a valid target unless (the attacker|the shooter|the enemy operative) is within "
    "<inches> of it",
    "<op> cannot be selected as a valid target , except by [enemy] operatives within <inches> of it",
)(lambda who, n: Do((term("forbid-target", unless_within=n, who=who.whom),)))
G.says("clause", "at the end of any operative 's activation")(lambda: When((term("activation-ended"),), Whom("anyone")))
G.says("clause", "an operative is <status> if <conditions>")(
    lambda name, found: (When((term("always"),), Whom("anyone"), None, found), Do((term("status", name),)))
)
G.says("effect", "treat <op> as having one additional <token-name>")(
    lambda who, name: term("counts-as", name, who=who.whom)
)

# -- counting --------------------------------------------------------------------------------------------

G.says("clause", "only if <conditions>")(If)
for _often in ("once", "twice"):
    G.says("clause", f"{_often} during (each of|) <poss> (activations|activation)")(
        lambda whom, _often=_often: HowOften((term(_often, "activation"),))
    )

G.says("effect", "select <op> to gain <token>")(
    lambda who, name: (chosen(who), term("token", name, who=Whom("picked"), most=1))
)
G.says("effect", "select <op> to be under the <caps>")(
    lambda who, name: (chosen(who), term("token", name, who=Whom("picked"), most=1))
)
G.says("effect", "regain that token")(lambda: NotImplemented)
G.says("condition", "this rule was used during <poss> activation")(lambda whom: about((term("activated-now"),), whom))

# -- shooting at close quarters, and other single rules --------------------------------------------------

_ALLOW = frozenset(("allow",))
G.says(
    "clause",
    "when selecting a valid target , you can only select <op> , and can do so even if other friendly "
    "operatives are within <poss> control range",
)(lambda who, _: Refers(_ALLOW, {"only-foe-engaged": True}))
G.says("clause", "when selecting a valid target , you can only select <op>")(
    lambda who: (
        Refers(_ALLOW, {"only-foe-engaged": True})
        if who.whom.that == (term("control-range", Whom("self")),)
        else NotImplemented
    )
)
G.says(
    "effect",
    "<op> can perform <actions> \\( excluding <actions> \\) while within control range of [an] enemy "
    "operative/operatives",
)(lambda who, names, out: term("allow", names, **{"while": ("control-range",), "except": out}, who=who.whom))
G.says("effect", "<op> cannot perform <actions> \\( excluding <actions> \\)")(
    lambda who, names, out: term("forbid", names, **{"except": out}, who=who.whom)
)
G.says("clause", "if it is carrying a marker , it must immediately perform <actions> for 0ap")(
    lambda names: Do((term("free-action", names, must=True, **{"if": (term("carrying"),)}),))
)
G.says("clause", "but excluding its save stat")(lambda: Refers(frozenset(("ignore-changes",)), {"except": ("save",)}))
G.says("clause", "if it is <verbs> <op>")(
    lambda verbs, who: (
        If((term("did", tuple(verbs), during="sequence"), *about(who.whom.that, Whom("foe"))))
        if who.whom.that and not who.whom.keyword
        else NotImplemented
    )
)
G.says("refusal", "when using the <ploy-name> firefight ploy")(
    lambda name: Forbids((negated((term("used-rule", name, during="action"),)),))
)
G.means("clause", Refers(frozenset(("distance",))), "note this has no effect on psychic weapons")
G.says("clause", "when you collect your defence dice")(lambda: Says())
G.means("clause", Says(), "any weapon rules they have already resolved are not affected")
G.says("effect", "force them to select <op> to fight against instead")(lambda who: term("redirect", who=who.whom))
G.says("condition", "<op> is a valid operative to fight against")(lambda who: about((term("engagable"),), who.whom))

# -- climbing, dropping, orders --------------------------------------------------------------------------

_HOWEVER = "[\\( regardless of how far the operative actually moves vertically \\)]"
_WHEN = "(whenever|when|each time) <op> is"
_UP, _DOWN = "climbing [up]", "(dropping [down]|dropping)"
_CLIMB = f"[you can] treat the vertical distance as <inches> {_HOWEVER}"
_NOTHING = "[you can] ignore [any/all] [the] vertical distance [it moves]"


def _upright(who: Mention, *effects: Term) -> tuple[When, Do]:
    return When((term("always"),), who.whom), Do(tuple(each.plus(who=who.whom) for each in effects))


G.says("clause", f"{_WHEN} {_UP} , {_CLIMB}")(lambda who, n: _upright(who, term("climb", n)))
G.says("clause", f"{_WHEN} {_DOWN} , {_NOTHING}")(lambda who: _upright(who, term("drop")))
G.says("clause", f"{_WHEN} {_UP} , {_NOTHING}")(lambda who: _upright(who, term("climb", 0)))
G.says("clause", f"{_WHEN} {_UP} or {_DOWN} , {_NOTHING}")(lambda who: _upright(who, term("climb", 0), term("drop")))
G.says("effect", "<op> cannot climb or jump")(lambda who: term("forbid-move", ("climb", "jump"), who=who.whom))
for _kind in ("climb", "jump"):
    G.says("effect", f"<op> cannot {_kind}")(lambda who, _kind=_kind: term("forbid-move", (_kind,), who=who.whom))
for _order in ("engage", "conceal"):
    G.says("effect", f"<op> cannot (have|be given|be issued) (a|an) {_order} order")(
        lambda who, _order=_order: term("forbid-order", _order, who=who.whom)
    )
for _order, _barred in (("engage", "conceal"), ("conceal", "engage")):
    G.says("effect", f"<op> (always has|must always have|must have) (a|an) {_order} order")(
        lambda who, _barred=_barred: term("forbid-order", _barred, who=who.whom)
    )
G.says("effect", "you must spend <n> additional ap for <op> to perform <actions> [\\( excluding <actions> \\)]")(
    lambda n, who, names, out: term("ap-cost", n, actions=names, who=who.whom, **({"except": out} if out else {}))
)
G.says(
    "effect",
    "<op> cannot use any weapons that are not on its (datacard|data card) [,] or perform <actions> [\\( "
    "excluding <actions> \\)]",
)(
    lambda who, names, out: (
        term("forbid-weapons", ("all",), not_own=True, who=who.whom),
        term("forbid", names, who=who.whom, **({"except": out} if out else {})),
    )
)
G.says(
    "effect",
    "<op> cannot perform any actions other than <actions> , or use any weapons that are not on its "
    "(datacard|data card)",
)(
    lambda who, names: (
        term("forbid", ("all",), **{"except": names}, who=who.whom),
        term("forbid-weapons", ("all",), not_own=True, who=who.whom),
    )
)

# -- exceptions from other rules -------------------------------------------------------------------------

G.says("clause", "this is not cumulative with the (<ploy-name>|<rule-name>) [strategy/firefight] [ploy/rule]")(
    lambda ploy, rule: Refers(frozenset(("reduce-damage",)), {"not-with": ploy or rule})
)
G.says(
    "clause",
    "if it is <n> shoot actions and <weapon-set> is selected for both , or if <weapon-set> is selected for "
    "either , <n> additional ap must be spent for the second action",
)(lambda n, names, either, ap: Refers(_ALLOW, {"dear": names, "dear-once": either}))
G.says("clause", "you cannot perform a <actions> during the same counteraction")(
    lambda names: Refers(frozenset(("extra-action",)), {"not-both": names})
)
G.says("clause", "for the former , it cannot move more than <inches>")(
    lambda n: Refers(frozenset(("free-action",)), {"most": n, "most-for": "first"})
)
G.says("clause", "for the latter , it cannot move more than <inches>")(
    lambda n: Refers(frozenset(("free-action",)), {"most": n, "most-for": "last"})
)
G.says("effect", "inflict <amount> damage \\( or <amount> damage instead if <conditions> \\) on <op>")(
    lambda n, m, found, who: (
        (
            chosen(who),
            term("damage", n, who=Whom("picked")),
            term("damage", m, who=Whom("picked"), instead=True, **{"if": found}),
        )
        if group_of(who.whom).role in GROUPS and not who.is_each
        else NotImplemented
    )
)
G.says("effect", "perform a free <actions> and a free <actions> with <op> [in any order]")(
    lambda one, two, who: term("free-action", (*one, *two), times=2, each=True, who=who.whom)
)
G.says("clause", "you can only select [a/an] <weapon-names> for that <actions>")(
    lambda names, _: Refers(frozenset(("free-action",)), {"weapons": names})
)
G.says("effect", "remove the <weapon-rule> weapon rule from <weapons>")(
    lambda rule, weapons: term("remove-rule", (rule,), weapons=weapons.names or None, who=weapons.owner)
)
G.says("clause", "select <n> of the following weapon rules for <weapons> to have [<untils>]")(
    lambda n, weapons, until: Offers(n, until or (), weapons.owner, weapons.names, True)
)
G.says("clause", "select <n> of the following weapon rules for one weapon from <poss> datacard to have [<untils>]")(
    lambda n, whom, until: Offers(n, until or (), whom, ("one",), True)
)

# -- choices that others speak of ------------------------------------------------------------------------

G.means("effect", term("pick-order"), "select (conceal or engage|engage or conceal)")
G.means("has", (term("order", "picked"),), "that order")
G.says("clause", "when selecting your operatives for the battle , also select one [<kws>] strategy ploy")(
    lambda _: (When((term("selected"),)), Do((term("option", "strategy ploy"),)))
)
G.says("effect", "that ploy costs you <cps>")(lambda n: term("ploy-cost", ("chosen",), cp=n))
G.means("clause", Says(), "<word> weapons are any weapons that have the word <word> in their name")
G.says("clause", "if it uses fly for this action , you can set it back up <inches> further away")(
    lambda n: Refers(frozenset(("move-extra",)), {})
)

G.says("moment", "<op> is performing <actions> and you are selecting a valid target within <inches> of it")(
    lambda who, names, n: (
        When((term("choosing-target"),), who.whom, None, (term("within", n, of=Whom("it"), about=Whom("foe")),))
        if names == ("Shoot",)
        else NotImplemented
    )
)
G.says("moment", "<op> is activated , or when its apl stat is changed")(
    lambda who: When((term("activated"), term("apl-changed")), who.whom)
)
for _order in ("engage", "conceal"):
    G.says("clause", f"[in the firefight phase ,] whenever you determine <poss> order , you cannot select {_order}")(
        lambda whom, _order=_order: Do((term("forbid-order", _order, who=whom),))
    )
G.says("effect", "change (your|one of your) [primary/secondary] <caps>")(lambda name: term("option", name, change=True))
G.says("refusal", "if a terrain feature is not within its control range")(
    lambda: Forbids((term("terrain-near", ("any",)),))
)
