"""Moments and limits in a sentence."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import Afterwards, Ask, HowOften, If, IfDone, Mention, Says, When, about
from ktsim.rules.teams.reading.names import G
from ktsim.rules.teams.reading.operatives import _both as _all
from ktsim.rules.teams.reading.operatives import either_of

_START = "(whenever|when|each time|every time|if|while|as)"
_AFTER = "(after|as soon as|once)"

# -- sequences -------------------------------------------------------------------------------------------

for _word in ("shooting", "fighting", "retaliating"):
    G.means("verb", (_word,), _word, f"{_word} against")
G.says("verbs", "<verb>")(lambda one: one)
G.says("verbs", "[either] <verb> (,|[,] or) <verbs>")(lambda one, more: (*one, *more))

_SWAPPED = {"shooting": "shot-at", "fighting": "retaliating", "retaliating": "fighting"}


def sequence_of(who: Mention, verbs: tuple[str, ...], foe: Mention | None, *more: Any) -> When | Any:
    """Who does what to whom, told from the side the rule belongs to."""
    conditions = tuple(each for found in more if found for each in found)
    if foe is not None and not _is_ours(who.whom) and (_is_ours(foe.whom) or _is_aimed_at(who.whom, foe.whom)):
        moments = tuple(term(_SWAPPED[verb]) for verb in verbs)
        return When(moments, foe.whom, _other(who.whom), _turned(conditions))
    if foe is None and not _is_ours(who.whom) and who.whom.role != "it":
        return When(tuple(term(verb) for verb in verbs), who.whom, None, conditions)
    return When(tuple(term(verb) for verb in verbs), who.whom, None if foe is None else foe.whom, conditions)


def _turned(conditions: tuple[Term, ...]) -> tuple[Term, ...]:
    """Conditions said of the one who shoots are about the foe once the rule is told from the other side."""
    return tuple(each if each.get("about") is not None else about((each,), Whom("foe"))[0] for each in conditions)


def _is_ours(whom: Whom) -> bool:
    return whom.role in ("self", "friend", "that-friend")


def _is_aimed_at(who: Whom, foe: Whom) -> bool:
    """'An operative' that shoots somebody chosen before: the rule is about the one that was chosen."""
    return who.role == "anyone" and foe.role in ("selected", "that", "it", "that-first", "other")


def _other(whom: Whom) -> Whom:
    """'An operative' that shoots a friend is whoever does."""
    return whom


G.says("using", "with [a/an] <weapon-set>")(lambda names: (term("weapon", names),) if names else NotImplemented)
G.says("using", "with [one of] <poss> <weapon-set>")(
    lambda _, names: (term("weapon", names),) if names else NotImplemented
)
G.says("using", "with a [ranged/melee] weapon that has <weapon-rules>")(lambda rules: (term("weapon-rule", rules),))
G.says("using", "with this/that weapon [profile]")(lambda: (term("weapon", ("this",)),))
G.says("in-which", "(during|in) (an|the same) activation in which (it|they) <predicates>")(
    lambda found: (term("activated-now"), *found)  # a counteraction is none
)
G.says("in-which", "during its activation")(lambda: (term("activated-now"),))
G.says("in-which", "during a counteraction")(lambda: (term("counteracting"),))

_SIDES = "[<using>] [<place>] [<in-which>]"
G.says("sequence", f"<op> is/are <verbs> {_SIDES}")(lambda who, verbs, *more: sequence_of(who, verbs, None, *more))
G.says("sequence", "<op> is/are <verbs> <op> [<using>] [<in-which>]")(sequence_of)
G.says("sequence", "<op> is/are <verbs> <using> against <op>")(
    lambda who, verbs, using, foe: sequence_of(who, verbs, foe, using)
)
G.says("sequence", "<op> is (being shot|shot) [at]")(
    lambda who: When((term("shot-at"),), who.whom, Whom("anyone")) if _is_ours(who.whom) else NotImplemented
)
G.says("sequence", "<op> is (being shot|shot) by a weapon that has <weapon-rules>")(
    lambda who, rules: (
        When((term("shot-at"),), who.whom, Whom("anyone"), (term("weapon-rule", rules, about=Whom("foe")),))
        if _is_ours(who.whom)
        else NotImplemented
    )
)
G.says("sequence", "<op> is/are <verbs> <op> [,] or <op>")(
    lambda who, verbs, one, two: (
        NotImplemented if (foe := either_of(one, two)) is NotImplemented else sequence_of(who, verbs, foe)
    )
)
G.says("sequence", "<op> is <verbs> [<using>] and <predicates>")(
    lambda who, verbs, using, found: sequence_of(who, verbs, None, using, found)
)
G.says("sequence", "<op> is/are <verbs> while <state>")(lambda who, verbs, found: sequence_of(who, verbs, None, found))
G.says("sequence", "<op> is using this weapon [against <op>]")(
    lambda who, foe: When(
        (term("shooting"), term("fighting"), term("retaliating")),
        who.whom,
        foe.whom if foe else None,
        (term("weapon", ("this",)),),
    )
)
G.says("sequence", "this weapon is being used against <op>")(
    lambda foe: When(
        (term("shooting"), term("fighting"), term("retaliating")), Whom("self"), foe.whom, (term("weapon", ("this",)),)
    )
)
G.says("sequence", "<op> is using it")(
    lambda who: When(
        (term("shooting"), term("fighting"), term("retaliating")), who.whom, None, (term("weapon", ("listed",)),)
    )
)
G.says("sequence", "<op> is/are using [<weapon-set>] [against <op>]")(
    lambda who, names, foe: When(
        (term("shooting"), term("fighting"), term("retaliating")),
        who.whom,
        foe.whom if foe else None,
        (term("weapon", names),) if names else (),
    )
)


@G.says("sequence", "<sequence> , or an operative is shooting it", "<sequence> or (is/being) shot")
def _both_sides(found: When) -> When:
    return When((*found.moments, term("shot-at")), found.who, None, found.conditions)


@G.says("sequence", "<sequence> [,] or [whenever/when] it is <verbs>")
def _also(found: When, verbs: tuple[str, ...]) -> When | Any:
    if found.foe is not None:
        return NotImplemented
    more = tuple(term(verb) for verb in verbs)
    if not found.conditions:
        return When((*found.moments, *more), found.who, None)
    # the conditions are of the first half only
    either = term("any", (_all(found.conditions), term("did", tuple(verbs), during="sequence")))
    return When((*found.moments, *more), found.who, None, (either,))


G.says("clause", f"{_START} [you are] <verbs> with <op>")(lambda verbs, who: sequence_of(who, verbs, None))
G.says("clause", f"{_START} <sequence>")(lambda found: found)
G.says("clause", "(when|whenever) <op> <predicates> [and/while] is activated")(
    lambda who, found: When((term("activated"),), who.whom, None, found, who.is_each)
)
G.means("clause", When((term("always"),)), "(whenever|when) (an|your) opponent is selecting a valid target")

# -- other moments of one operative ----------------------------------------------------------------------


def _one(moment: Term) -> Any:
    return lambda who, *_: When((moment,), who.whom, is_each=who.is_each)


G.says("moment", "<op> (is|are) activated")(_one(term("activated")))
G.says("moment", "(you activate|your opponent activates) <op>")(_one(term("activated")))
G.says("moment", "<op> (is|are) activated <place>")(
    lambda who, place: When((term("activated"),), who.whom, None, place, who.is_each)
)
G.says("moment", "<op> (is|are) activated or counteracts")(
    lambda who: When((term("activated"), term("counteracts")), who.whom)
)
G.says("moment", "<op> is activated and given an engage order")(
    lambda who: When((term("activated"),), who.whom, None, (term("order", "engage"),), who.is_each)
)
G.says(
    "moment", "<op> counteracts", "you counteract with <op>", "<op> is counteracting , before it performs any actions"
)(_one(term("counteracts")))
G.says("moment", "<op> is counteracting")(_one(term("counteracts", throughout=True)))
G.says("clause", "at the start of <poss> activation")(
    lambda whom: When((term("activated"),), whom) if whom.role in ("self", "friend", "enemy") else NotImplemented
)
G.says("moment", "<op> is expended")(_one(term("expended")))
G.says("moment", "<op> (is|are) incapacitated [and removed from the killzone]")(_one(term("incapacitated")))
G.says("moment", "<op> is incapacitated <place>")(
    lambda who, place: When((term("incapacitated"),), who.whom, None, place, who.is_each)
)
G.says("moment", "<op> is incapacitated while <state>")(
    lambda who, found: When((term("incapacitated"),), who.whom, None, found, who.is_each)
)
G.says("moment", "<op> is incapacitated (while|during) <verbs>")(
    lambda who, verbs: When((term("incapacitated"),), who.whom, None, (_in(verbs),))
)
G.says("moment", "<op> is incapacitated during the fight action")(
    lambda who: When((term("incapacitated"),), who.whom, None, (_in(("fighting", "retaliating")),))
)
G.says("moment", "<op> is incapacitated by <op>")(
    lambda fallen, who: When((term("incapacitates"),), who.whom, fallen.whom)
)
G.says("moment", "<op> would be [removed from the killzone as] incapacitated [while <state>]")(
    lambda who, found: When((term("dying"),), who.whom, None, found or (), who.is_each)
)
G.says("moment", "<op> is <state> and would be incapacitated")(
    lambda who, found: When((term("dying"),), who.whom, None, found, who.is_each)
)
G.says("moment", "<op> would be incapacitated (while|during) <verbs>")(
    lambda who, verbs: When((term("dying"),), who.whom, None, (_in(verbs),), who.is_each)
)
G.says("moment", "<op> incapacitates <op> [while <verbs>] [<in-which>]")(
    lambda who, foe, verbs, found: When(
        (term("incapacitates"),), who.whom, foe.whom, (*((_in(verbs),) if verbs else ()), *(found or ()))
    )
)
G.says(
    "moment",
    "<op> incapacitates <op> during the fight action",
    "<op> incapacitates <op> in the resolve attack dice step of the fight action",
)(lambda who, foe: When((term("incapacitates"),), who.whom, foe.whom, (_in(("fighting", "retaliating")),)))
G.says("moment", "<op> incapacitates <op> during the shoot action")(
    lambda who, foe: When((term("incapacitates"),), who.whom, foe.whom, (_in(("shooting",)),))
)
G.says("moment", "<op> fights or retaliates", "<op> has fought or retaliated")(
    lambda who: When((term("has-fought"),), who.whom)
)
for _words, _verb in (("(fights|has fought)", "fighting"), ("(retaliates|has retaliated)", "retaliating")):
    G.says("moment", f"<op> {_words} [against <op>]")(
        lambda who, foe, _verb=_verb: When(
            (term("has-fought"),),
            who.whom,
            foe.whom if foe else None,
            (term("did", (_verb,), during="sequence"),),
        )
    )
G.says("moment", "<op> ends an action in which it incapacitated an enemy operative")(
    lambda who: When((term("done"),), who.whom, None, (term("killed", during="action"),), who.is_each)
)


def _in(verbs: tuple[str, ...]) -> Term:
    return term("did", tuple(verbs), during="sequence")


G.says("moment", "<op> (performs|is performing) <actions> \\( excluding <actions> \\)")(
    lambda who, names, out: When((term("doing", names, **{"except": out}),), who.whom)
)


G.says("moment", "<op> , performs <actions> [\\( excluding <actions> \\)]")(
    lambda who, names, out: (
        When((term("doing", names, **({"except": out} if out else {})),), who.whom) if who.whom.that else NotImplemented
    )
)


def _doing(who: Mention, names: tuple[str, ...], *more: Any) -> When:
    conditions = tuple(each for found in more if found for each in found)
    return When((term("doing", names),), who.whom, None, conditions, who.is_each)


G.says("moment", "<op> (performs|is performing|would perform|perform) <actions> [while <state>] [<in-which>]")(_doing)
G.says("moment", "<op> (performs|is performing) <actions> and you (select|are selecting) a valid target")(
    lambda who, names: When((term("choosing-target"),), who.whom) if names == ("Shoot",) else NotImplemented
)
G.says("moment", "<op> (performs|is performing) <actions> , when you select a valid target")(
    lambda who, names: When((term("choosing-target"),), who.whom) if names == ("Shoot",) else NotImplemented
)
G.says("moment", "<op> is shooting and you are selecting a valid target")(_one(term("choosing-target")))
G.says(
    "moment", "<op> is shooting \\( excluding with <grenade-list> grenades \\) and you are selecting a valid target"
)(
    lambda who, names: When(
        (term("choosing-target"),),
        who.whom,
        None,
        (term("not", (term("weapon", tuple(f"*{name} grenade*" for name in names)),)),),
    )
)
G.says("moment", "you are selecting a valid target for <op>")(_one(term("choosing-target")))
G.says("moment", "<op> (performs|is performing) <actions> and you (select|are selecting) a ranged weapon")(
    lambda who, names: When((term("choosing-weapon"),), who.whom) if names == ("Shoot",) else NotImplemented
)
G.says("moment", "<op> is shooting and you (select|are selecting) a ranged weapon")(_one(term("choosing-weapon")))
G.says("moment", "<op> is shooting and you select <weapon-names>")(
    lambda who, weapons: When((term("choosing-weapon", weapons),), who.whom)
)
G.says("moment", "<op> (performs|is performing) <actions> and you select <weapon-names>")(
    lambda who, names, weapons: (
        When((term("choosing-weapon", weapons),), who.whom) if names == ("Shoot",) else NotImplemented
    )
)
G.says("moment", "<op> (ends|has ended|finishes|has finished) <actions>")(
    lambda who, names: When((term("done", names),), who.whom)
)
G.says("moment", "<op> ends <actions> <place>")(
    lambda who, names, place: When((term("done", names),), who.whom, None, place, who.is_each)
)
G.says("moment", "<op> (ends|has ended|finishes) (a|its) move [<places>]")(
    lambda who, places: When((term("done"),), who.whom, None, (term("moved", during="action"), *(places or ())))
)
G.says("moment", "<op> ends its move during <actions>")(lambda who, names: When((term("done", names),), who.whom))
G.says("moment", "<op> (ends|performs|performed) an action")(lambda who: When((term("done"),), who.whom))
G.says("moment", "<op> ends an action in which it moves [<place>]")(
    lambda who, place: When((term("done"),), who.whom, None, (term("moved", during="action"), *(place or ())))
)
G.says("clause", "after <op> performs an action in which it moves [or is set up]")(
    lambda who: When((term("done"),), who.whom, None, (term("moved", during="action"),), who.is_each)
)
G.says("moment", "<op> performs an action in which it moves")(lambda who: When((term("doing", ("move",)),), who.whom))
G.says("moment", "<op> is selected as the valid target of a shoot action")(_one(term("targeted")))
G.says("moment", "<op> is selected as the valid target of a shoot action or to fight against during the fight action")(
    lambda who: When((term("targeted"), term("fought")), who.whom)
)
G.says("moment", "<op> performs the fight action [<in-which>] [,] and selects <op> to fight against")(
    lambda foe, found, who: When((term("fought"),), who.whom, foe.whom, about(found or (), Whom("foe")))
)
G.says(
    "moment",
    "an enemy operative (is performing|performs) the shoot action and selects <op> as (the|a) valid target",
    "(an enemy operative|your opponent) selects <op> as the valid target of a shoot action",
)(_one(term("targeted")))
G.means("clause", Says(), "before [any] attack dice are rolled")
G.says("moment", "(an attack die|attack dice|an attack dice) (inflicts|inflict|would inflict) <damage-kind> on <op>")(
    lambda found, who: When((term("damage"),), who.whom, None, found)
)
G.says("moment", "<damage-kind> is inflicted on <op>")(
    lambda found, who: When((term("damage"),), who.whom, None, found)
)
G.says("damage-kind", "[normal or critical|normal and critical] damage")(lambda: ())
G.says("damage-kind", "(damage|dmg) of <n> or more")(lambda n: (term("damage", f">={n}"),))
G.says("damage-kind", "normal (damage|dmg)")(lambda: (term("die", "normal"),))
G.says("damage-kind", "critical (damage|dmg)")(lambda: (term("die", "critical"),))
G.says("damage-kind", "normal (damage|dmg) of <n> or more")(lambda n: (term("die", "normal"), term("damage", f">={n}")))
G.says("damage-kind", "(normal and critical|normal or critical) (damage|dmg) of <n> or more")(
    lambda n: (term("damage", f">={n}"),)
)
G.means("moment", When((term("control", "marker"),)), "determining control of (a|that|any) marker")
G.means("moment", When((term("control", "marker"),)), "you determine control of (a|that|any) marker")
G.says("moment", "<op> ends its activation [<place>]")(
    lambda who, place: When((term("activation-ended"),), who.whom, None, place or ())
)
G.means(
    "moment", When((term("control", "objective"),)), "determining control of (an objective marker|objective markers)"
)
G.says("moment", "<op> is fighting and strikes with a critical success")(
    lambda who: When((term("strikes"),), who.whom, None, (term("die", "critical"),))
)
G.says("moment", "<op> strikes [with a critical success]")(lambda who: NotImplemented)
_CRITICAL = When((term("strikes"),), None, None, (term("die", "critical"),))
G.means("moment", _CRITICAL, "you strike with a critical success")
G.says("moment", "<op> moves or uses fly", "<op> moves")(
    lambda who: When((term("done"),), who.whom, None, (term("moved", during="action"),), who.is_each)
)
G.says("moment", "<op> performs <actions> in an activation in which it [has] performed <actions>")(
    lambda who, names, before: When(
        (term("doing", names),), who.whom, None, (term("did", before, during="activation"),)
    )
)
G.says("moment", "<op> is activated <status>")(
    lambda who, name: When((term("activated"),), who.whom, None, (term("status", name),), who.is_each)
)
G.says("clause", f"{_START} <moment>")(lambda found: found)


@G.says("clause", f"{_AFTER} <moment>")
def _after(found: When) -> When | Any:
    """After an action that is performed is once it has been."""
    if not any(each.word == "doing" for each in found.moments):
        return found
    if any(each.word != "doing" or each.get("except") is not None for each in found.moments):
        return NotImplemented
    done = tuple(Term("done", each.args) for each in found.moments)
    return When(done, found.who, found.foe, found.conditions)


G.says("clause", f"{_AFTER} <op> (shoots|has shot) [at|against] [<op>]")(
    lambda who, foe: When((term("done", ("Shoot",)),), who.whom, foe.whom if foe else None)
)
G.means("clause", When((term("ready-step"),)), "in the ready step of (each|the) strategy phase")
G.means("clause", When((term("selected"),)), "at the end of the select operative/operatives step")
G.means("clause", When((term("firefight-begins"),)), "at the start of (the|each) firefight phase")
G.means("clause", When((term("firefight-ends"),)), "at the end of (the|each) firefight phase")
G.means("clause", When((term("turning-point-ended"),)), "at the end of (the|each) turning point")
G.says("clause", "at the end of <poss> activation")(lambda whom: When((term("activation-ended"),), whom))
G.means("clause", When((term("activation-ended"),), Whom("it")), "at the end of that activation")
G.says("clause", "at the end of an activation of <op>")(lambda who: When((term("activation-ended"),), who.whom))
G.says(
    "clause",
    "during <poss> activation [,] before (it|that operative) performs (an action|any action|any actions)",
)(lambda whom: When((term("activated"),), whom))
G.says(
    "clause",
    "during <poss> activation [,] [before or after (it|that operative) performs an action]",
    "during the activation of <op> [,] [before or after it performs an action]",
)(lambda who: When((term("activation"),), who.whom if isinstance(who, Mention) else who))
G.says(
    "clause",
    "during <poss> activation or counteraction [,] [before or after (it|that operative) performs an action]",
    "during the activation or counteraction of <op> [,] [before or after it performs an action]",
)(lambda who: When((term("activation", or_counteraction=True),), who.whom if isinstance(who, Mention) else who))
G.says("clause", "once during each of <poss> activations")(
    lambda whom: (When((term("activation"),), whom), HowOften((term("once", "activation"),)))
)
G.says("clause", "once during each <noun> 's activation")(
    lambda who: (When((term("activation"),), who.whom), HowOften((term("once", "activation"),)))
)
G.says("clause", "(during|in) <poss> activation")(lambda whom: When((term("activation"),), whom))
G.says("clause", "[in addition ,] (during|in) each <poss> activation")(lambda whom: When((term("activation"),), whom))
G.says("clause", "[in addition ,] once during each <poss> activation")(
    lambda whom: (When((term("activation"),), whom), HowOften((term("once", "activation"),)))
)
G.says("clause", "during each <noun> 's activation")(lambda who: When((term("activation"),), who.whom))

# steps within a sequence, after it has been said whose
G.means("clause", If((term("first-time", "sequence"),)), "the first time you strike during that sequence")
G.means("clause", Says(), "in the (roll attack dice|roll defence dice|resolve attack dice) step [of that sequence]")
G.means("clause", Says(), "in that step", "before re-rolls", "but before re-rolls")
G.means("clause", Says(), "at the start of the (roll attack dice|roll defence dice) step [of that sequence]")
G.means(
    "clause",
    When((term("rolled", "attack", by="who"),)),
    "at the start of the resolve attack dice step [of that sequence]",
)
G.means(
    "clause",
    When((term("rolled", "attack", by="who"),)),
    "after (rolling your attack dice|you roll your attack dice)",
    "before (any|the first) attack (dice is|dice are|die is) resolved",
)
G.says("clause", "after rolling your attack dice for <op> , if it is <verbs> <op>")(
    lambda who, verbs, foe: When((term("rolled", "attack", by="who"),), who.whom, foe.whom, (_in(verbs),))
)
G.says("clause", "after (rolling|you roll) your attack dice for <op> [that is <verbs>]")(
    lambda who, verbs: When((term("rolled", "attack", by="who"),), who.whom, None, (_in(verbs),) if verbs else ())
)
G.means("clause", When((term("defended"),)), "after (rolling your defence dice|you roll your defence dice)")
G.says("clause", "after (rolling|you roll) your defence dice for <op>")(lambda who: When((term("defended"),), who.whom))
G.means("clause", When((term("rolled", "attack", by="foe"),)), "after your opponent rolls their attack dice")
G.means(
    "clause", Says(), "before it is removed from the killzone", "before that operative is removed from the killzone"
)
G.means("clause", Says(), "before or after it performs an action", "before it moves", "before it performs any actions")
G.means("clause", Says(), "after resolving all other rules in this step")
G.means("clause", Afterwards(), "after it moves", "after that operative has finished moving")
G.means("clause", Ask(), "you can use this (rule|effect)", "you can use this rule to do so", "you may use this rule")
G.means("clause", Ask(), "you can do the following")
G.means("clause", IfDone(), "if you do [so]", "if it does [so]", "whenever it does [so]")

G.says(
    "clause",
    "use this firefight ploy <clause>",
    "use this firefight ploy , <clause>",
)(lambda found: found if isinstance(found, When) else NotImplemented)

# -- limits ----------------------------------------------------------------------------------------------

for _period, _words in (
    ("turning-point", "turning point"),
    ("battle", "battle"),
    ("activation", "activation"),
    ("sequence", "sequence"),
    ("action", "action"),
):
    G.means(
        "clause",
        HowOften((term("once", _period),)),
        f"once per {_words}",
        f"once (each|during the|during each) {_words}",
    )
    G.means("clause", HowOften((term("twice", _period),)), f"[up to] twice per {_words}")
    G.says("clause", f"up to <n> times per {_words}")(
        lambda n, _period=_period: HowOften((term("times", n, per=_period),))
    )
    for _during in (f"during (each|the|that|a) {_words}", f"(each|in each|per) {_words}", f"in the {_words}"):
        G.says("clause", f"the first time {_during} [that] <moment>", f"the first time {_during} [that] <sequence>")(
            lambda found, _period=_period: (found, If((term("first-time", _period, each=found.is_each or None),)))
        )
        G.says("clause", f"the first time <moment> {_during}", f"the first time <sequence> {_during}")(
            lambda found, _period=_period: (found, If((term("first-time", _period, each=found.is_each or None),)))
        )
G.says("clause", "the first time <moment>", "the first time <sequence>")(
    lambda found: (found, If((term("first-time", "effect"),))) if not found.is_each else NotImplemented
)
G.says("clause", "once during this turning point")(lambda: HowOften((term("once", "turning-point"),)))
G.says("clause", "once per firefight phase")(lambda: HowOften((term("once", "turning-point"),)))

# what holds as long as something is so; after the moments, which say more
G.says("clause", "whenever <op> <predicates>")(lambda who, found: When((term("always"),), who.whom, None, found))
