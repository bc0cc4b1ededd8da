"""Effects on weapons, stats and dice in a sentence."""

from __future__ import annotations

from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import ONE, Do, If, Mention, Refers, Says, Weapons, about, group_of, with_who
from ktsim.rules.teams.reading.effects_operatives import GROUPS, chosen
from ktsim.rules.teams.reading.names import G

_CAPPED = frozenset(("stat", "strike-damage", "reduce-damage", "damage"))

# -- weapon rules ----------------------------------------------------------------------------------------


def _grant(weapons: Weapons, rules: tuple[str, ...], **more: Any) -> Term | Any:
    if any(rule.startswith("x") for rule in rules):
        return NotImplemented
    return term("grant", rules, weapons=weapons.names or None, who=weapons.owner, **more)


G.says("effect", "<weapons> [also] (have|has|gain|gains) <weapon-rules>")(_grant)
G.says("effect", "<op> (have|has|gain|gains) <weapon-rules> on (its|their) <weapon-set>")(
    lambda who, rules, names: (
        _grant(Weapons(who.whom, names), rules)
        if who.is_each or group_of(who.whom).role not in GROUPS
        else NotImplemented
    )
)
G.says("effect", "<op> can perform <actions> with <weapons> while (it has|they have) a conceal order")(
    lambda who, names, weapons: (
        term("grant", ("Silent",), weapons=weapons.names, who=who.whom)
        if names == ("Shoot",) and weapons.names and weapons.owner is not None and weapons.owner.role == "it"
        else NotImplemented
    )
)
G.says("effect", "remove <weapon-rules> from <weapons>")(
    lambda rules, weapons: term("remove-rule", rules, weapons=weapons.names or None, who=weapons.owner)
)
G.says("effect", "<weapons> [also] (have|has|gain|gains) <weapon-rules> instead")(
    lambda weapons, rules: _grant(weapons, rules, instead_of=("same",))
)
G.says("effect", "<weapons> [also] (have|has) <weapon-rules> instead of <weapon-rules>")(
    lambda weapons, rules, old: _grant(weapons, rules, instead_of=old)
)


@G.says("effect", "<weapons> (have|has) <weapon-rules> [weapon rule] , or <weapon-rules> [instead] if <conditions>")
def _better(
    weapons: Weapons, rules: tuple[str, ...], better: tuple[str, ...], found: tuple[Term, ...]
) -> tuple[Term, ...]:
    return (_grant(weapons, rules), _grant(weapons, better, instead_of=rules).plus(**{"if": found}))


@G.says("effect", "[you can] re-roll one of your defence dice , or up to two of your defence dice if <conditions>")
def _two_instead(found: tuple[Term, ...]) -> tuple[Term, ...]:
    better = term("reroll", "defence", dice="2", instead=True, **{"if": found})
    return (term("reroll", "defence", dice="1"), better)


@G.says("effect", "if the weapon already has that weapon rule , it has <weapon-rules> [instead of <weapon-rules>]")
def _already(rules: tuple[str, ...], old: Any) -> Term:
    return term(
        "grant", rules, weapons=("same",), instead_of=old or ("same",), **{"if": (term("weapon-rule", ("same",)),)}
    )


G.says("effect", "ignore/ignores <weapon-rules>")(lambda rules: term("ignore-rule", rules))
G.says("effect", "<op> ignore/ignores <weapon-rules>")(lambda who, rules: term("ignore-rule", rules, who=who.whom))
G.says("effect", "<op> ignore/ignores <weapon-rules> while (it is|they are) <state>")(
    lambda who, rules, found: term("ignore-rule", rules, who=who.whom, **{"if": found})
)
G.says("effect", "worsen the x of [the] <rules-list> weapon rule by <n> [\\( if any \\)]")(
    lambda rules, n: term("weaken-rule", rules[0], by=n) if len(rules) == 1 else NotImplemented
)
G.says("effect", "weapons with <weapon-rules> have <weapon-rules> instead")(
    lambda old, new: term("replace-rule", old[0], **{"with": new[0]}) if len(old) == len(new) == 1 else NotImplemented
)
G.says("effect", "worsen <weapon-rules> to <weapon-rules>", "treat <weapon-rules> as [if it were] <weapon-rules>")(
    lambda old, new: term("replace-rule", old[0], **{"with": new[0]}) if len(old) == len(new) == 1 else NotImplemented
)
G.says("effect", "<op> (is|are) not affected by [enemy operatives '] <weapon-rules>")(
    lambda who, rules: term("unaffected", rules, who=who.whom)
)
G.says("effect", "<op> (is|are) not affected by [the] <weapon-rules> unless they are the target during that sequence")(
    lambda who, rules: term("unaffected", rules, who=who.whom, unless_target=True)
)

# -- stats -----------------------------------------------------------------------------------------------

for _words, _stat in (
    ("apl [stat/stats]", "apl"),
    ("move [stat/stats]", "move"),
    ("save [stat/stats]", "save"),
    ("wounds [stat]", "wounds"),
    ("hit [stat]", "hit"),
    ("atk [stat]", "atk"),
    ("both dmg [stats/stat]", "damage"),
    ("dmg stats", "damage"),
    ("normal dmg [stat]", "normal-damage"),
    ("critical dmg/damage [stat]", "critical-damage"),
    ("normal and critical dmg [stats]", "damage"),
):
    G.means("stat", _stat, _words)
WEAPON_STATS = ("hit", "atk", "damage", "normal-damage", "critical-damage")


def _change(stat: str, by: int, weapons: Weapons | None, whom: Whom | None, most: Any = None) -> Term | Any:
    if (stat in WEAPON_STATS) != (weapons is not None):
        return NotImplemented
    owner = weapons.owner if weapons else whom
    names = weapons.names or None if weapons else None
    return term("stat", stat, by=by, weapons=names, who=owner, most=most)


def _change_of(stat: str, by: int, who: Mention) -> Term | tuple[Term, ...] | Any:
    """The same for those mentioned; one or some of many are chosen first."""
    changed = _change(stat, by, None, who.whom)
    if changed is NotImplemented or not who.whom.role.startswith(ONE):
        return changed
    return (chosen(who), _change(stat, by, None, Whom("picked")))


G.says("by", "<n>", "<inches>")(lambda n: n)
for _verb, _to, _sign in (("add", "to", 1), ("subtract", "from", -1)):
    G.says("effect", f"{_verb} <by> {_to} <poss> <stat>")(
        lambda n, whom, stat, _sign=_sign: _change(stat, _sign * n, None, whom)
    )
    G.says("effect", f"{_verb} <by> {_to} <poss> <stat> and <by> {_to} <poss> <stat>")(
        lambda n, whom, stat, m, other, second, _sign=_sign: (
            NotImplemented
            if stat in WEAPON_STATS or second in WEAPON_STATS
            else (_change(stat, _sign * n, None, whom), _change(second, _sign * m, None, other))
        )
    )
    G.says("effect", f"{_verb} <by> {_to} the <stat> of <op>")(
        lambda n, stat, who, _sign=_sign: _change_of(stat, _sign * n, who)
    )
    G.says("effect", f"{_verb} <by> {_to} [the] <stat> of <weapons>")(
        lambda n, stat, weapons, _sign=_sign: _change(stat, _sign * n, weapons, None)
    )
    G.says("effect", f"{_verb} <by> {_to} its <stat>")(
        lambda n, stat, _sign=_sign: (
            _change(stat, _sign * n, Weapons(Whom("it")), None) if stat in WEAPON_STATS else NotImplemented
        )
    )
    G.says("effect", f"{_verb} <by> {_to} this and <pronoun> 's apl stats")(
        lambda n, whom, _sign=_sign: (
            term("stat", "apl", by=_sign * n, who=Whom("self")),
            term("stat", "apl", by=_sign * n, who=whom),
        )
    )
for _verb, _sign in (("improve", 1), ("worsen", -1), ("increase", 1), ("decrease", -1), ("reduce", -1)):
    G.says("effect", f"{_verb} <poss> <stat> by <by>")(
        lambda whom, stat, n, _sign=_sign: _change(stat, _sign * n, None, whom)
    )
    G.says("effect", f"{_verb} the <stat> of <weapons> by <by>")(
        lambda stat, weapons, n, _sign=_sign: _change(stat, _sign * n, weapons, None)
    )
    G.says("effect", f"{_verb} the <stat> of <op> by <by>")(
        lambda stat, who, n, _sign=_sign: _change_of(stat, _sign * n, who)
    )
for _verb, _sign in (("improved", 1), ("worsened", -1), ("increased", 1), ("reduced", -1)):
    G.says("effect", f"<poss> <stat> is {_verb} by <by>")(
        lambda whom, stat, n, _sign=_sign: _change(stat, _sign * n, None, whom)
    )
    G.says("effect", f"the <stat> of <weapons> is {_verb} by <by>")(
        lambda stat, weapons, n, _sign=_sign: _change(stat, _sign * n, weapons, None)
    )
    G.says("effect", f"<op> (has|have) (its|their) <stat> {_verb} by <by>")(
        lambda who, stat, n, _sign=_sign: (
            _change(stat, _sign * n, None, who.whom)
            if who.is_each or group_of(who.whom).role not in GROUPS
            else NotImplemented
        )
    )
G.says("effect", "change <poss> save stat to <plus>", "<op> has/have (a|an) <plus> save stat")(
    lambda who, n: term("stat", "save", set=n, who=who if isinstance(who, Whom) else who.whom)
)
G.says("effect", "<op> has/have a save stat of <plus>")(lambda who, n: term("stat", "save", set=n, who=who.whom))
G.says("effect", "<op> has (a|an) (move|apl) stat of <by>")(lambda who, n: NotImplemented)
G.says("clause", "[\\(] to a maximum of <by> [\\)]")(lambda n: Refers(_CAPPED, {"most": n}))
G.says("clause", "to a maximum of <n> after all apl stat changes have been totalled")(
    lambda n: Refers(_CAPPED, {"most": n})
)
G.says("clause", "to a maximum of <plus>")(lambda n: Refers(_CAPPED, {"most": n}))
G.says("clause", "[rounding up [,] [and]] to a minimum of <n>")(lambda n: Refers(_CAPPED, {"least": n}))
G.says("clause", "these are not cumulative with being injured")(
    lambda: Refers(frozenset(("stat",)), {"not-with-injury": True}, all=True)
)
G.says(
    "clause", "[this/which] is not cumulative with being injured", "[and] this is not cumulative with being injured"
)(lambda: Refers(frozenset(("stat",)), {"not-with-injury": True}))
G.says("clause", "in all cases for this (ploy|rule|action) , this is not cumulative with being injured")(
    lambda: Refers(frozenset(("stat",)), {"not-with-injury": True}, all=True)
)

_STATS_OF = "(stats|apl stat|move stat|hit stat)"


def _ignored(stats: str, whom: Whom | None, injury: bool, names: tuple[str, ...] | None = None) -> Term:
    stat = ("all",) if stats == "stats" else (stats,)
    source = {"from": "injury" if injury else "all"}
    return term("ignore-changes", stat, who=whom, **source, **({} if not names else {"weapons": names}))


for _words, _name in (("stats", "stats"), ("apl stat", "apl"), ("move stat", "move")):
    G.says("ignored", f"[any/all] changes to <poss> {_words} from being injured")(
        lambda whom, _name=_name: _ignored(_name, whom, True)
    )
    G.says("ignored", f"[any/all] changes to the {_words} of <op> from being injured")(
        lambda who, _name=_name: _ignored(_name, who.whom, True)
    )
    G.says("ignored", f"[any/all] changes to <poss> {_words}")(lambda whom, _name=_name: _ignored(_name, whom, False))
    G.says("ignored", f"[any/all] changes to the {_words} of <op>")(
        lambda who, _name=_name: _ignored(_name, who.whom, False)
    )
    G.says("own-ignored", f"[any/all] changes to (its|their) {_words} from being injured")(
        lambda _name=_name: (_name, True)
    )
    G.says("own-ignored", f"[any/all] changes to (its|their) {_words}")(lambda _name=_name: (_name, False))
    G.says("effect", f"<poss> {_words} cannot be changed")(lambda whom, _name=_name: _ignored(_name, whom, False))
    G.says("effect", f"<op> cannot have (its|their) {_words} changed")(
        lambda who, _name=_name: (
            _ignored(_name, who.whom, False) if who.is_each or group_of(who.whom).role not in GROUPS else NotImplemented
        )
    )
G.says("ignored", "[any/all] changes to the hit stat of <weapons> from being injured")(
    lambda weapons: _ignored("hit", weapons.owner, True, weapons.names)
)
G.says("ignored", "[any/all] changes to the hit stat of <weapons>")(
    lambda weapons: _ignored("hit", weapons.owner, False, weapons.names)
)
G.says("effect", "<op> ignore/ignores <own-ignored>")(
    lambda who, found: (
        _ignored(found[0], who.whom, found[1])
        if who.is_each or group_of(who.whom).role not in GROUPS
        else NotImplemented
    )
)
G.says("effect", "ignore <ignored>")(lambda found: found)
G.says("effect", "ignore <ignored> , and <ignored>", "ignore <ignored> and <ignored>")(lambda one, two: (one, two))
G.says("clause", "including (its|their|that operative 's) weapons ' stats")(
    lambda: Refers(frozenset(("ignore-changes",)), {"with-weapons": True})
)

# -- dice ------------------------------------------------------------------------------------------------

for _words, _dice in (("attack", "attack"), ("defence", "defence")):
    for _n, _many in (("one", "1"), ("(up to|) two", "2"), ("(any|any or all|all)", "any")):
        G.means("effect", term("reroll", _dice, dice=_many), f"re-roll {_n} of your {_words} dice")
        G.means(
            "effect",
            term("reroll", _dice, dice="any", results="one-value"),
            f"re-roll {_n} of your {_words} dice results of one result",
        )
    G.says("effect", f"re-roll (any|all) of your {_words} dice results of <digits>")(
        lambda n, _dice=_dice: term("reroll", _dice, dice="any", results=str(n))
    )
    G.says("effect", f"re-roll one of your {_words} dice results of <digits>")(
        lambda n, _dice=_dice: term("reroll", _dice, dice="1", results=str(n))
    )
    G.means("effect", term("reroll", _dice, dice="any"), f"re-roll (any|your) {_words} dice")
    G.says("effect", f"retain <n> of your {_words} dice as [a] normal success/successes without rolling it/them")(
        lambda n, _dice=_dice: term("retain", "normal", dice=n, of=_dice)
    )
    G.says("effect", f"{_words} dice results of <plus> [or more] are critical successes")(
        lambda n, _dice=_dice: term("critical-on", n, of=_dice)
    )
    G.says("effect", f"retain one of your {_words} dice results of <digits> as a normal success")(
        lambda n, _dice=_dice: term("convert", "result", to="normal", of=_dice, result=n)
    )
G.means("effect", term("reroll", "defence", dice="1"), "re-roll one of your dice")
G.says("effect", "your opponent must re-roll their attack dice results of <digits>")(
    lambda n: term("reroll", "attack", dice="any", results=str(n), must=True, who=Whom("the-enemy"))
)
G.means("opponent-no", term("forbid-reroll", "attack"), "re-roll their attack dice")
G.means(
    "opponent-no",
    (term("forbid-reroll", "attack"), term("forbid-reroll", "defence")),
    "re-roll their attack or defence dice [for that operative]",
)
G.says("opponent-no", "re-roll their attack dice results of <digits>")(
    lambda n: term("forbid-reroll", "attack", results=n)
)
G.says("opponent-no", "retain attack dice results of less than 6 as critical successes [during that sequence]")(
    lambda: term("no-critical-below", 6)
)
for _kind in ("attack", "defence"):
    G.says("effect", f"<op> cannot re-roll [their/its] {_kind} dice")(
        lambda who, _kind=_kind: term("forbid-reroll", _kind, who=who.whom)
    )
G.says("effect", "your opponent cannot <opponent-no>")(lambda found: _of_enemy(found))
G.says("effect", "your opponent cannot <opponent-no> [,] (and|or) [cannot] <opponent-no>")(
    lambda one, two: (*_of_enemy(one), *_of_enemy(two))
)


def _of_enemy(found: Term | tuple[Term, ...]) -> tuple[Term, ...]:
    return tuple(with_who(each, Whom("the-enemy")) for each in (found if isinstance(found, tuple) else (found,)))


_FAIL = "one of your fails as a normal success instead of discarding it"
G.means(
    "effect",
    term("convert", "fail", to="normal"),
    f"retain {_FAIL}",
    "(turn|change|convert) one of your fails (into|to) a normal success",
)
G.means(
    "effect",
    term("convert", "fail", to="normal", discard=True),
    "discard one of them to retain another as a normal success [instead]",
    "discard one of your fails to retain another as a normal success [instead]",
)
G.means(
    "effect",
    term("convert", "normal", to="critical"),
    "retain one of your normal successes as a critical success [instead]",
    "(turn|change|convert) one of your [retained] normal successes (into|to) a critical success",
)
G.means("effect", term("cover-save", "extra"), "retain one additional cover save")
G.means("effect", term("cover-save", "all-critical"), "all cover saves are retained as critical successes")
G.means("clause", Says(), "in addition to a cover save , if any", "in addition to a cover save")
G.says("effect", "change the attacker 's retained critical successes to normal successes")(
    lambda: term("downgrade-all")
)
G.means("effect", term("cover-save", "critical"), "retain one cover save as a critical success [instead]")
G.means(
    "clause",
    Refers(frozenset(("cover-save",))),
    "this is not cumulative with improved cover saves from vantage terrain",
)
G.says("effect", "(the target|that operative|that enemy operative|the defender) cannot retain [any] cover saves")(
    lambda: term("grant", ("Saturate",))
)

_ALTERNATIVES = {
    frozenset((term("cover-save", "extra"), term("cover-save", "critical"))): term("cover-save", "either"),
}


@G.says("effect", "<effect> , or [you can] <effect>")
def _or(one: Any, other: Any) -> Term | Any:
    """One of two things that can be done with dice."""
    if not isinstance(one, Term) or not isinstance(other, Term):
        return NotImplemented
    if (found := _ALTERNATIVES.get(frozenset((one, other)))) is not None:
        return found
    return term("choose", (one, other)) if {one.word, other.word} <= {"convert", "retain"} else NotImplemented


# -- damage to oneself -----------------------------------------------------------------------------------

_THAT = "(that|the) [inflicted] damage [inflicted]"
_KINDS_OF_DIE: tuple[tuple[str, tuple[Term, ...]], ...] = (
    ("success", ()),
    ("normal success", (term("die", "normal"),)),
    ("critical success", (term("die", "critical"),)),
)
for _words, _found in _KINDS_OF_DIE:
    G.says("effect", f"subtract <n> from the damage inflicted on <op> from one {_words}")(
        lambda n, who, _found=_found: term(
            "reduce-damage", n, who=who.whom, **{"if": (*_found, term("first-time", "sequence"))}
        )
    )
    G.says("effect", f"ignore the damage inflicted on <op> from one {_words}")(
        lambda who, _found=_found: term(
            "reduce-damage", whole=True, who=who.whom, **{"if": (*_found, term("first-time", "sequence"))}
        )
    )
    G.says("effect", f"halve the damage inflicted on <op> from one {_words}")(
        lambda who, _found=_found: term(
            "reduce-damage", halve=True, who=who.whom, **{"if": (*_found, term("first-time", "sequence"))}
        )
    )
G.says("effect", f"subtract <n> from {_THAT}")(lambda n: term("reduce-damage", n))
G.says("effect", f"reduce {_THAT} by <n>")(lambda n: term("reduce-damage", n))
G.means("effect", term("reduce-damage", whole=True), f"ignore {_THAT}")
G.means("effect", term("reduce-damage", halve=True), f"halve {_THAT}")
G.says("effect", "<damage-kind> inflicts <n> less damage [on <op>]")(
    lambda found, n, who: term("reduce-damage", n, who=who.whom if who else None, **({"if": found} if found else {}))
)
G.says("effect", "that (die|dice|attack die|attack dice) inflicts <n> less damage [on <op>]")(
    lambda n, who: term("reduce-damage", n)
)
G.says("effect", "it inflicts <n> less damage on <op>")(lambda n, who: term("reduce-damage", n))
G.says("effect", "that attack (die|dice) inflicts <n> damage instead")(lambda n: term("reduce-damage", to=n))
G.means(
    "effect",
    term("downgrade-crit"),
    "choose for that attack (dice|die) to inflict normal dmg instead",
    "that attack (dice|die) inflicts normal dmg instead",
)
G.says("effect", "inflict <amount> additional damage")(lambda n: term("strike-damage", n))

# -- blocks and strikes ----------------------------------------------------------------------------------

G.means(
    "effect",
    term("block", "two"),
    "each of your blocks can be allocated to block two unresolved successes [\\( instead of one \\)]",
)
G.means(
    "effect",
    term("block", "critical-with-normal"),
    "each of your normal successes can block (one|an) unresolved critical success",
)
G.means(
    "effect",
    term("block", "critical-with-normal", unless_brutal=True),
    "each of your normal successes can block (one|an) unresolved critical success \\( unless the enemy operative "
    "'s weapon has the brutal weapon rule \\)",
)
G.says(
    "effect",
    "strike [the enemy operative in that sequence] with one of your unresolved successes before (it|<op>) is "
    "removed from the killzone",
)(lambda _: term("strike"))
G.means("effect", term("strike"), "strike the enemy operative in that sequence with one of your unresolved successes")
G.means("effect", term("resolve-first"), "[you] resolve the first attack (dice|die)")
G.says("effect", "<op> resolves the first attack (dice|die)")(
    lambda who: term("resolve-first") if who.whom.role in ("it", "that", "self", "that-friend") else NotImplemented
)
G.means("effect", term("early-block"), "resolve one of your successes before the normal order")
G.means("clause", Says(), "that success must be used to block")
G.says("effect", "immediately resolve another of your successes as a strike [\\( before your opponent \\)]")(
    lambda: term("double-strike")
)

G.says("clause", "for each of your <token-name> <op> has , [you can] <effect>")(
    lambda name, who, found: (
        Do((found.plus(per_token=name),), True)
        if isinstance(found, Term) and found.word == "convert" and who.whom.role in ("that-enemy", "target", "foe")
        else NotImplemented
    )
)
G.means(
    "clause",
    Refers(frozenset(("convert",)), {"any-retained": True}),
    "including any normal successes already retained as a result of the accurate weapon rule",
)
# -- being seen ------------------------------------------------------------------------------------------

for _words, _what in (("obscured", "obscured"), ("in cover", "cover"), ("in cover or obscured", "both")):
    G.says("effect", f"<op> cannot be {_words}")(lambda who, _what=_what: term("reveal", _what, who=who.whom))
G.says("effect", "<op> is obscured")(lambda who: term("obscure", who=who.whom))
G.says("effect", "<op> is being <word>")(
    lambda who, word: term("counts-as", word.title(), who=who.whom) if word.endswith("ed") else NotImplemented
)
G.says("effect", "treat <op> as if it (is|were) under the <caps>")(
    lambda who, name: term("counts-as", name, who=who.whom)
)
G.says("effect", "treat <op> as if it (has|had) <token>")(lambda who, name: term("counts-as", name, who=who.whom))
G.says("effect", "treat <op> as if it (has|had) <token> and is under the <caps>")(
    lambda who, one, two: (term("counts-as", one, who=who.whom), term("counts-as", two, who=who.whom))
)
G.says("effect", "<weapon-kind> weapons cannot inflict damage on <op>")(
    lambda kind, who: term("no-damage-from", kind, who=who.whom)
)
G.says("effect", "<op> cannot use <weapon-kind> weapons")(lambda who, kind: term("forbid-weapons", kind, who=who.whom))
G.says(
    "effect",
    "<op> cannot be selected as (a valid target|valid targets) [, taking precedence over all other rules] "
    "[except being within <inches>]",
)(lambda who, inches: term("forbid-target", unless_within=inches, who=who.whom, precedence=True))
G.says(
    "effect",
    "having other <noun> within an enemy operative 's control range does not prevent that enemy operative "
    "from being selected",
)(lambda noun: term("shoot-past-friends"))
G.says("clause", "<op> cannot use light terrain for cover")(lambda who: Do((term("no-light-cover", who=who.whom),)))
G.means(
    "clause",
    Says(),
    "while this can allow (this|that|such) operative/operatives to be targeted",
    "assuming it is visible",
)
G.means("clause", Says(), "it does not remove (its|their) cover save")
G.says("clause", "if the target is <state>")(lambda found: If(about(found, Whom("target"))))
