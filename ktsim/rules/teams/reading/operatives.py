"""Operatives in a sentence: who is mentioned, narrowed by keywords and by what is said of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ktsim.rules.teams.language.values import Term, Whom, term
from ktsim.rules.teams.reading.clauses import ONE, THEY, Mention, Weapons, group_of, negated
from ktsim.rules.teams.reading.names import G

IT = "it?"
"""The weapon, or all weapons of the operative, that 'it' is: known once the sentence is put in its place."""

# -- pronouns --------------------------------------------------------------------------------------------

for _words, _role in (
    ("this operative", "self"),
    ("it", "it"),
    ("they", THEY + "it"),
    ("them", THEY + "it"),
    ("the target", "target"),
    ("the primary target", "target"),
    ("the selected operative", "selected"),
    ("that selected operative", "selected"),
    ("the selected enemy operative", "chosen-enemy"),
    ("the selected friendly operative", "that-friend"),
    ("the enemy operative in that sequence", "foe"),
    ("the enemy operative you select/selected [for that action]", "chosen-enemy"),
    ("the operative this weapon is being used against", "foe"),
    ("the other operative in that sequence", "foe"),
    ("the defender", "target"),
    ("the active operative", "active"),
    ("the (attacker|shooter)", "attacker"),
    ("the (shooting|attacking) operative", "attacker"),
    ("your operative", "that-friend"),
    ("that operative", "that"),
    ("the operative", "that"),
    ("those operatives", THEY + "that"),
    ("these operatives", THEY + "that"),
    ("that first operative", "that-first"),
    ("that first friendly operative", "that-first"),
    ("that other operative", "other"),
    ("that other friendly operative", "other"),
    ("that friendly operative", "that-friend"),
    ("that friendly <kws> operative", "that-friend"),
    ("the friendly <kws> operative", "that-friend"),
    ("the friendly operative", "that-friend"),
    ("the specified friendly operative", "that-friend"),
    ("those friendly operatives", THEY + "that-friend"),
    ("that enemy operative", "that-enemy"),
    ("the enemy operative", "that-enemy"),
    ("those enemy operatives", THEY + "that-enemy"),
    ("that <kws> operative", "that"),
    ("your quarry", "quarry"),
    ("each of those operatives", THEY + "that"),
    ("each of those enemy operatives", THEY + "that-enemy"),
    ("each of those friendly operatives", THEY + "that-friend"),
    ("each of them", THEY + "that"),
    ("that enemy", "that-enemy"),
    ("the incapacitated enemy operative", "foe"),
    ("that incapacitated operative", "that"),
    ("that shooting , fighting [,] or retaliating operative", "it"),
    ("the selected <kws> operative", "selected"),
):
    G.means("pronoun", Whom(_role), _words)

# -- new mentions ----------------------------------------------------------------------------------------

ALL = "all"
"""Where a number of operatives says that all of them are meant; many of whom nothing is said are any."""
_COUNTS: dict[str, tuple[int | str | None, bool | str]] = {
    "a/an": (1, False),
    "any": (1, False),
    "one": (1, False),  # chosen, as any other number
    "each": (None, ALL),
    "every": (None, ALL),
    "all": (None, ALL),
    "all [of] your": (None, ALL),
    "one of your": (1, False),
    "another": (1, False),
    "either": (1, False),
}
for _words, _count in _COUNTS.items():
    G.means("count", (*_count, False, "another" in _words, _words.startswith("one")), _words)
G.means("count", (1, False, False, False, False), "one or more", "at least one")
G.says("count", "<amount>")(lambda n: (n, False, False, False, True))
G.says("count", "up to <amount>")(lambda n: (n, False, True, False, True))
G.says("count", "<count> other")(lambda count: (*count[:3], True, count[4]))
G.means("count", (None, ALL, False, True, False), "each other", "all other")
G.means("count", (None, True, False, True, False), "other")

for _word in ("ready", "expended", "wounded", "injured", "incapacitated"):
    G.means("adjective", term(_word), _word)
G.says("adjectives", "<adjective>")(lambda one: (one,))
G.says("adjectives", "<adjective> [,/and] <adjectives>")(lambda one, more: (one, *more))

_FIELDS = "[<count>] [<adjectives>]"


def _mention(side: str, count: Any, adjectives: Any, kws: Any, excluded: Any = None, rest: Any = None) -> Mention | Any:
    number, each, up_to, other, is_chosen = count or (None, True, False, False, False)
    keywords, without = tuple(kws or ()), tuple(excluded or ())
    if side != "enemy" and any(word.startswith("? ") for word in without):
        return NotImplemented  # an exception with a keyword nobody in the team has
    if side == "" and any(word.startswith("? ") for word in keywords):
        return NotImplemented
    keywords, without = _plain(keywords), _plain(without)
    if side == "" and keywords:
        side = "friend"  # the keywords are the team's own
    role = f"{ONE if is_chosen else ''}{side or 'anyone'}"
    whom = Whom(role, _spread(keywords), without, other, (*(adjectives or ()), *(rest or ())))
    return Mention(whom, number, bool(each), up_to, is_all=each == ALL)


def _plain(keywords: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(word.removeprefix("? ") for word in keywords)


def _spread(keywords: tuple[str, ...]) -> tuple[str, ...]:
    """'TEAM A or B': the team's keyword belongs to B as well; it does no harm that it is left out there."""
    return keywords


for _pattern in (f"{_FIELDS} friendly <kws> [operative/operatives]", f"{_FIELDS} friendly [operative/operatives]"):
    if "kws" in _pattern:
        G.says("noun", _pattern)(lambda count, adj, kws: _mention("friend", count, adj, kws))
    else:
        G.says("noun", _pattern)(lambda count, adj: _mention("friend", count, adj, ()))
G.says("noun", f"{_FIELDS} enemy [<adjectives>] operative/operatives")(
    lambda count, adj, more: _mention("enemy", count, (*(adj or ()), *(more or ())), ())
)
G.says("noun", f"{_FIELDS} enemy <kws> operative/operatives")(
    lambda count, adj, kws: _mention("enemy", count, adj, kws)
)
G.says("noun", f"{_FIELDS} operative/operatives")(lambda count, adj: _mention("", count, adj, ()))
G.says("noun", "(any of your opponent 's|your opponent 's) operatives")(lambda: _mention("enemy", None, (), ()))
G.says("noun", "[<count>] [<adjectives>] [of your] <kws> operative/operatives")(
    lambda count, adj, kws: _mention("", count, adj, kws)
)

G.says("excluded", "\\( excluding <kws> [operatives/operative] \\)")(lambda kws: kws)
G.says("excluded", "\\( other than <kws> [operatives/operative] \\)")(lambda kws: kws)
G.says("bare", "<noun>")(lambda mention: mention)


@G.says("bare", "<noun> <excluded>")
def _excluding(mention: Mention, kws: tuple[str, ...]) -> Mention | Any:
    if any(word.startswith("? ") for word in kws) and mention.whom.role != "enemy":
        return NotImplemented
    return replace(mention, whom=replace(mention.whom, without=_plain(kws)))


G.says("op", "<pronoun>")(lambda whom: Mention(whom))
G.says("op", "<bare>")(lambda mention: mention)


def narrowed(mention: Mention, conditions: tuple[Term, ...]) -> Mention:
    return replace(mention, whom=mention.whom.narrowed(*conditions))


G.says("op", "<bare> <post>")(narrowed)
G.says("op", "<bare> <post> <post>")(lambda mention, one, two: narrowed(mention, (*one, *two)))
G.says("op", "<bare> <post> <excluded>")(
    lambda mention, post, kws: narrowed(replace(mention, whom=replace(mention.whom, without=_plain(kws))), post)
)


def _but_this(mention: Mention, post: tuple[Term, ...] | None) -> Mention | Any:
    """All of them but the operative with the rule."""
    if not mention.is_each or mention.whom.role not in ("friend", "anyone"):
        return NotImplemented
    return narrowed(replace(mention, whom=replace(mention.whom, other=True)), post or ())


G.says("op", "<noun> [<post>] \\( (excluding|other than|except) this operative \\)")(_but_this)


def either_of(one: Mention, two: Mention) -> Mention | Any:
    """Of one side, one such or one such: what each is called and what is said of it."""
    is_of_many = one.whom.role in ("friend", "enemy", "anyone") and one.whom.role == two.whom.role
    if not is_of_many or one.is_all or two.is_all or one.whom.other or two.whom.other or one.count != two.count:
        return NotImplemented
    return replace(one, whom=Whom(one.whom.role, that=(term("any", (_called(one.whom), _called(two.whom))),)))


def _called(whom: Whom) -> Term:
    """All that narrows somebody, as one condition."""
    found: tuple[Term, ...] = (term("keyword", whom.keyword),) if whom.keyword else ()
    found += tuple(negated((term("keyword", (word,)),)) for word in whom.without)
    return _both((*found, *whom.that)) if found or whom.that else term("all", ())


G.says("post", "<place>")(lambda found: found)
G.says("post", "[,] that/who <predicates> [,]")(lambda found: found)
G.says("post", "who/that <predicates>")(lambda found: found)
G.says("post", "<place> and <predicates>")(lambda one, two: (*one, *two))
G.means("post", (term("in-cover"),), "in cover")
G.says("post", "with <has>")(lambda found: found)
G.says("post", "<place> , or <place>")(lambda one, two: (term("any", (_both(one), _both(two))),))
G.says("post", "within <inches> , or visible to and within <inches> of <op>")(
    lambda near, far, mention: (term("any", (term("within", near, of=mention.whom), _both(_seen(far, mention)))),)
)
G.says("post", "<place> and not <place>")(lambda one, two: (*one, negated(two)))
G.says("post", "[that is] both <place> and <place>")(lambda one, two: (*one, *two))
G.says("post", "<status>")(lambda name: (term("status", name),))
G.says("post", "<place> <status>")(lambda one, name: (*one, term("status", name)))
G.says("post", "you selected [for that action]")(lambda: ())

# -- owners ----------------------------------------------------------------------------------------------

G.says("poss", "its/his/her")(lambda: Whom("it"))
G.says("poss", "their")(lambda: Whom(THEY + "it"))
G.says("poss", "<pronoun> ('s|')")(lambda whom: whom)
G.says("poss", "<bare> ('s|')")(lambda mention: mention.whom)
G.says("poss", "<bare> <post> ('s|')")(lambda mention, post: mention.whom.narrowed(*post))

# -- places and predicates -------------------------------------------------------------------------------


def _within(wholly: bool, inches: Any, horizontally: bool, where: tuple[str, Any]) -> tuple[Term, ...] | Any:
    kind, what = where
    if kind == "all":
        return NotImplemented  # being near to one of them is not enough
    flags: dict[str, Any] = {"wholly": wholly or None, "horizontally": horizontally or None}
    if kind == "op":
        return (term("within", inches, of=what, **flags),)
    if kind == "either":
        return (term("any", tuple(term("within", inches, of=whom, **flags) for whom in what)),)
    if kind == "marker":
        return tuple(_any([term("within", inches, marker=name, **flags) for name in what]))
    return (term("within", inches, **{kind: what}, **flags),)


def _further(inches: Any, horizontally: bool, where: tuple[str, Any]) -> tuple[Term, ...] | Any:
    kind, what = where
    flag = {"horizontally": horizontally or None}
    if kind in ("op", "all"):
        return (term("more-than", inches, **{"from": what}, **flag),)
    if kind == "marker":
        return tuple(term("more-than", inches, marker=name, **flag) for name in what)
    return NotImplemented


def _any(conditions: list[Term]) -> list[Term]:
    return conditions if len(conditions) == 1 else [term("any", tuple(conditions))]


G.says("one-op", "<op>")(
    lambda mention: mention if not mention.is_all and mention.count in (None, 1) else NotImplemented
)
G.says("where", "<one-op>")(lambda mention: ("op", near(mention)))
G.says("where", "<op>")(lambda mention: ("all", near(mention)) if mention.is_all else NotImplemented)
G.says("where", "<markers>")(lambda names: ("marker", names) if names != ("any",) else NotImplemented)
G.says("where", "either <one-op> or <one-op>")(lambda one, two: ("either", (near(one), near(two))))
G.means("where", ("edge", True), "(a|an|any|that|your) [killzone] edge")
G.means("where", ("drop-zone", "own"), "your drop zone")
G.means("where", ("drop-zone", "theirs"), "(your|an) opponent 's drop zone")
G.says("place", "within <inches> of <where>")(lambda n, where: _within(False, n, False, where))
G.says("place", "[both] wholly within <inches> of <where>")(lambda n, where: _within(True, n, False, where))
G.says("place", "within <inches> horizontally of <where>")(lambda n, where: _within(False, n, True, where))
G.says("place", "also within <inches> horizontally of <where>")(lambda n, where: _within(False, n, True, where))
G.says("place", "also within <inches> of <where>")(lambda n, where: _within(False, n, False, where))
G.says("place", "(more|further) than <inches> (from|away from) <where>")(lambda n, where: _further(n, False, where))
G.says("place", "within control range of <one-op>")(lambda mention: (_engaged(near(mention)),))
G.says("place", "within <poss> control range")(lambda whom: (_engaged(whom),))
G.says("place", "visible to <one-op>")(lambda mention: (term("visible", near(mention)),))
G.says("place", "visible to ([,] or vice versa|\\( or vice versa \\)) <one-op>")(
    lambda mention: (term("visible", near(mention), mutual=True),)
)


G.says("place", "visible to and within <inches> of either <one-op> or <one-op>")(
    lambda n, one, two: (term("any", (_both(_seen(n, one)), _both(_seen(n, two)))),)
)


def near(mention: Mention) -> Whom:
    """Whom something is near to, or visible to: one of many is any of them."""
    return group_of(mention.whom)


def _seen(inches: Any, mention: Mention, mutual: bool | None = None) -> tuple[Term, ...]:
    if near(mention).role in ("friend", "enemy", "anyone"):  # one operative has to do both
        return (term("within", inches, of=near(mention), visible=True, mutual=mutual),)
    return (term("visible", near(mention), mutual=mutual), term("within", inches, of=near(mention)))


G.says("place", "[both] visible to and within <inches> of <one-op>")(_seen)
G.says("place", "[both] visible to \\( or vice versa \\) and within <inches> of <one-op>")(
    lambda inches, mention: _seen(inches, mention, True)
)
G.says("place", "[both] visible to <one-op> and within <inches> of <where>")(
    lambda seen, n, where: (
        (term("visible", near(seen)), *found)
        if (found := _within(False, n, False, where)) is not NotImplemented
        else NotImplemented
    )
)
G.says("place", "[both] within <inches> of <one-op> and (more|further) than <inches> from <one-op>")(
    lambda n, one, m, two: (term("within", n, of=near(one)), term("more-than", m, **{"from": near(two)}))
)
G.says("place", "[both] within <inches> of and visible to <one-op>")(_seen)
G.says("place", "visible to and within <inches> of <one-op> or vice versa")(lambda n, who: _seen(n, who, True))
G.says("place", "within your territory")(lambda: (term("territory", "own"),))
G.says("place", "wholly within your territory")(lambda: (term("territory", "own", wholly=True),))
G.says("place", "wholly within (your|an) opponent 's territory")(lambda: (term("territory", "theirs", wholly=True),))
G.says("place", "within (your|an) opponent 's territory")(lambda: (term("territory", "theirs"),))
G.says("place", "within your drop zone")(lambda: (term("territory", "drop-zone"),))
G.says("place", "wholly within your drop zone")(lambda: (term("territory", "drop-zone", wholly=True),))
G.means("place", (term("on-board"),), "in the killzone")
G.says("places", "<place>")(lambda one: one)
G.says("places", "<place> and <places>")(lambda one, more: (*one, *more))
G.says("places", "<place> or <places>")(lambda one, more: (term("any", (_both(one), _both(more))),))


def _both(conditions: tuple[Term, ...]) -> Term:
    """Several conditions as one: all of them."""
    return conditions[0] if len(conditions) == 1 else term("all", conditions)


def _engaged(whom: Whom) -> Term:
    is_any_enemy = whom.role == "enemy" and whom == Whom("enemy", other=whom.other) and not whom.other
    return term("control-range") if is_any_enemy else term("control-range", whom)


# -- weapons ---------------------------------------------------------------------------------------------

for _word in ("ranged", "melee", "psychic"):
    G.means("weapon-kind", (_word,), _word)
G.says("weapon-kind", "psychic ranged")(lambda: ("psychic", "ranged"))
G.says("weapon-kind", "psychic melee")(lambda: ("psychic", "melee"))
G.says("weapon-names", "[a/an/the/its/their] <weapon-name>")(lambda one: (one,))
G.says("weapon-names", "[a/an/the/its/their] <weapon-name> ([,] and/or|,) <weapon-names>")(
    lambda one, more: (one, *more)
)
G.says("weapon-names", "all profiles of <weapon-names>")(lambda names: names)
G.says("weapon-names", "[a] [<weapon-kind>] weapon [that] (on|from) <poss> datacard")(
    lambda kind, owner: ("datacard", *(kind or ()))
)
G.says("weapon-set", "weapons/weapon")(lambda: ())
G.says("weapon-set", "<weapon-kind> weapons/weapon")(lambda kind: kind)
G.says("weapon-set", "<weapon-kind> weapons/weapon on <poss> datacard")(lambda kind, owner: ("datacard", *kind))
G.says("weapon-set", "weapons on <poss> datacard")(lambda owner: ("datacard",))
G.says("weapon-set", "<weapon-names>")(lambda names: names)
G.says("weapon-set", "<weapon-names> ([,] or|[,] and|,) <weapon-set>")(
    lambda names, more: (*names, *more) if more and "weapons" not in more else NotImplemented
)
G.says(
    "weapon-set",
    "<weapon-kind> weapons/weapon [on <poss> datacard] \\( excluding weapons that include ' <word> ' in their name \\)",
)(lambda kind, owner, word: (*(("datacard",) if owner else ()), *kind, f"not *{word}*"))
G.says("weapon-set", "the <profile-word> profile/profiles of <poss> <weapon-names>")(
    lambda profile, _, names: tuple(f"{name}/{each}" for name in names for each in profile)
)
G.says("weapon-set", "[<weapon-kind>] weapons/weapon \\( excluding <weapon-names> \\)")(
    lambda kind, names: (*(kind or ()), *(f"not {name}" for name in names))
)
G.says("weapon-set", "[<weapon-kind>] weapons/weapon \\( excluding <caps> weapons \\)")(
    lambda kind, name: (*(kind or ()), f"not {name.lower()}")
)
G.says("weapons", "<poss> <weapon-set>")(lambda whom, names: Weapons(whom, names))
G.says("weapons", "all profiles of <poss> <weapon-names>")(lambda whom, names: Weapons(whom, names))
G.says("weapons", "the <profile-word> profile/profiles of <poss> <weapon-names>")(
    lambda profile, whom, names: Weapons(whom, tuple(f"{name}/{each}" for name in names for each in profile))
)
G.says(
    "weapons",
    "<weapon-kind> weapons on <poss> datacard [\\( excluding weapons that include ' <word> ' in their name \\)]",
)(lambda kind, whom, word: Weapons(whom, ("datacard", *kind, *((f"not *{word}*",) if word else ()))))
G.says("weapons", "those weapons")(lambda: Weapons(Whom("it"), ("same",)))
G.says("weapons", "that/this/the weapon")(lambda: Weapons(None, ("that",)))
G.says("weapons", "it")(lambda: Weapons(Whom("it"), (IT,)))
G.says("weapons", "<pronoun>")(lambda whom: Weapons(whom))
G.says("weapons", "[the] [<weapon-kind>] weapons of <op>")(lambda kind, mention: Weapons(mention.whom, kind or ()))
G.says("weapons", "<weapon-names>")(lambda names: Weapons(Whom("it"), names))
G.says("weapons", "<weapons> and <poss> <weapon-set>")(
    lambda one, whom, names: Weapons(one.owner, (*one.names, *names)) if one.names and names else NotImplemented
)
