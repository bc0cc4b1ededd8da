"""Rules of the language as play takes them: what is said in one rule and happens at several moments is several."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from ktsim.rules.teams.language.values import FOE, WHO, LanguageRule, TeamText, Term, Whom, term

ALWAYS = Term("always")
STANDING_MOMENTS = frozenset({"always", "shooting", "shot-at", "fighting", "retaliating", "damage", "control"})
"""Moments during which a rule holds; at all others something happens."""
SEQUENCES = frozenset({"shooting", "shot-at", "fighting", "retaliating"})
ATTACKS = SEQUENCES - {"shot-at"}
SELECTED = {"shot-at": "targeted", "retaliating": "fought"}
"""When somebody is selected for a sequence that others begin."""
BEFORE_DEFENCE = frozenset({"weaken-rule", "downgrade-all", "retain"})
"""What is done with the attack dice retained, before defence dice are rolled, by whoever may choose to."""


def as_played(text: TeamText, rule: LanguageRule, follows: bool = False) -> tuple[LanguageRule, ...]:
    """The rule as play takes it; *follows*: from another one of its text."""
    return tuple(_deep(text, _settled(text, each, follows)) for each in _flat(_without_same(rule)))


def _deep(text: TeamText, rule: LanguageRule) -> LanguageRule:
    """The rule with what follows from it, and what may be chosen, as play takes those."""
    then = tuple(part for inner in rule.then for part in as_played(text, inner, follows=True))
    return replace(rule, then=then, do=tuple(_options(text, each) for each in rule.do))


def _options(text: TeamText, each: Term) -> Term:
    if each.word != "options" or not isinstance(each.main, tuple):
        return each
    rules = tuple(_deep(text, rule) for rule in each.main if isinstance(rule, LanguageRule))
    return Term(each.word, tuple((name, value if name else rules) for name, value in each.args))


def _flat(rule: LanguageRule) -> Iterator[LanguageRule]:
    """A rule that holds, and what follows from it, as rules of their own."""
    moments = {each.word for each in rule.on}
    if not moments <= STANDING_MOMENTS:
        yield rule
        return
    carried = next((str(each.main) for each in rule.do if each.word == "carries"), "")
    after = [each for each in rule.do if carried and each.word == "free-action" and each.get("after")]
    gone = [*after, Term("allow", (("", ("Pick Up Marker",)),))] if carried else []
    kept = tuple(each for each in rule.do if each not in gone)
    if kept or not rule.then:
        yield replace(rule, do=kept, then=(), until=_without_sequence(rule))
    for each in after:
        args = tuple(pair for pair in each.args if pair[0] != "after")
        placed = (*rule.conditions, term("placed", carried))
        yield LanguageRule(
            (term("done", each.get("after")),), rule.who, None, placed, may=True, do=(Term(each.word, args),)
        )
    for inner in rule.then:
        yield from (
            _flat(_lifted(rule, inner, moments))
            if inner.who in (WHO, rule.who)
            else (replace(rule, do=(), then=(inner,)),)
        )


def _without_same(rule: LanguageRule) -> LanguageRule:
    """A weapon rule the weapon *already has* is the one the effect before grants; uses counted with a weapon are a
    limit of the rule that gives it."""
    do: list[Term] = []
    limit = rule.limit
    for each in rule.do:
        args = dict(each.args)
        if do and args.get("if") == (Term("weapon-rule", (("", ("same",)),)),):
            args["if"] = (Term("weapon-rule", (("", do[-1].main or ()),)),)
            args["instead-of"] = do[-1].main or () if args.get("instead-of") == ("same",) else args["instead-of"]
        if args.get("instead-of") == ("same",) and args.get("if") and do and do[-1].word == each.word == "grant":
            args["instead-of"] = do[-1].main or ()
        if args.get("weapons") == ("same",):  # those of the last effect that names some, also where this one lasts
            args["weapons"] = next((other.get("weapons") for other in reversed(do) if other.get("weapons")), None) or ()
        if each.word == "add-weapon" and "times" in args:
            limit = (*limit, term("times", args.pop("times"), per=args.pop("per", "battle")))
        do.append(Term(each.word, tuple(sorted(args.items()))))
    return replace(rule, do=tuple(do), limit=limit, then=tuple(_without_same(each) for each in rule.then))


def _lifted(rule: LanguageRule, inner: LanguageRule, moments: set[str]) -> LanguageRule:
    """What follows from a rule that holds, with the conditions of both."""
    own = {each.word for each in inner.on}
    during: tuple[Term, ...] = ()
    if moments <= SEQUENCES and not own <= SEQUENCES:
        during = (term("did", tuple(sorted(moments)), during="sequence"),)
    return replace(
        inner,
        who=rule.who,
        foe=inner.foe or rule.foe,
        conditions=(*during, *rule.conditions, *inner.conditions),
        limit=(*rule.limit, *inner.limit),
        until=inner.until or rule.until,
    )


def _without_sequence(rule: LanguageRule) -> tuple[Term, ...]:
    """A rule about a sequence lasts as long as it, said or not."""
    is_counted = bool(rule.limit) and any(each.word == "reduce-damage" for each in rule.do)
    if not {each.word for each in rule.on} <= SEQUENCES or is_counted:  # so often a die, or a sequence, as it says
        return rule.until
    return tuple(each for each in rule.until if each.word != "sequence")


def _settled(text: TeamText, rule: LanguageRule, follows: bool) -> LanguageRule:
    """The rule at the moment at which play can carry it out."""
    words, moments = {each.word for each in rule.do}, {each.word for each in rule.on}
    if words == {"ap-cost"} and moments <= {"always", "activation"} and rule.may:
        # its player says for which action
        do = tuple(each.plus(once=True, until=(Term("activation"),)) for each in rule.do)
        return replace(rule, on=(Term("activation"),), do=do)
    if moments == {"always"} and words == {"ap-cost"} and term("once", "activation") in rule.limit:
        # once per activation is in its own one: a counteraction is none
        return replace(rule, conditions=(*rule.conditions, Term("activated-now")))
    is_free = text.kind != "firefight" and not rule.then and not rule.may
    if moments == {"activation"} and words <= {"allow", "ap-cost"} and is_free:
        acting = Term("activated-now")
        if any(each.get("or-counteraction") for each in rule.on):
            acting = Term("any", (("", (acting, Term("counteracting"))),))
        return replace(rule, on=(ALWAYS,), conditions=(*rule.conditions, acting))
    if rule.may and words == {"ignore-changes"} and all(each.get("may") for each in rule.do):
        return replace(rule, may=False)  # whether they are ignored is asked of nobody: the worse ones are
    if rule.do and rule.do[0].word == "lose-token" and moments.isdisjoint(STANDING_MOMENTS):
        has = term("token", rule.do[0].main, about=rule.do[0].get("who"))
        rule = rule if has in rule.conditions else replace(rule, conditions=(*rule.conditions, has))
    if words == {"block"} and "shooting" in moments:  # nobody blocks who shoots
        return replace(rule, on=tuple(each for each in rule.on if each.word != "shooting"))
    if words == {"resolve-first"} and moments == {"fighting", "retaliating"}:  # who fights does anyway
        return replace(rule, on=(Term("retaliating"),))
    if rule.limit and rule.may and words == {"reroll"} and moments <= ATTACKS and rule.do[0].main == "attack":
        # so often and no more: its player says when, with the dice on the table
        doing = term("did", tuple(sorted(moments)), during="sequence")
        on, then = (term("rolled", "attack", by="who"),), _through_blast(rule.do, moments, {e.word for e in rule.until})
        return replace(rule, on=on, conditions=(doing, *rule.conditions), until=(), then=then)
    if text.kind == "firefight" and any(each.word == "counteracts" and each.get("throughout") for each in rule.on):
        # before or after an action of it
        on = (term("activation", or_counteraction=True),)
        return replace(rule, on=on, conditions=(Term("counteracting"), *rule.conditions))
    is_chosen = text.kind == "firefight" or (rule.may and bool(rule.limit))
    if is_chosen and not follows and not rule.then and moments and moments <= SEQUENCES:
        rule = _in_its_sequence(rule, words, moments, text.kind == "firefight")
        moments = {each.word for each in rule.on}
    if moments == {"counteracts"} and any(each == term("move-extra", each.main) for each in rule.do):
        # further than a counteraction lets it, by whichever action
        own = tuple(each.plus(actions=("Counteract",)) if each.word == "move-extra" else each for each in rule.do)
        return replace(rule, do=own)
    if words == {"resolve-first"} and moments == {"fought"} and not rule.until:
        return replace(rule, until=(Term("sequence"),))
    if moments == {"defended"} and words == {"convert"}:
        return replace(rule, on=(Term("shot-at"),), until=())
    is_offered = text.kind == "firefight" or (rule.may and words.isdisjoint({"retain"}))
    if moments == {"shot-at"} and words and words <= BEFORE_DEFENCE and is_offered:
        return replace(rule, on=(Term("defending"),), until=())
    if moments <= {"doing"}:
        return _at_an_action(rule, is_chosen)
    return _revealing(rule) if moments and not moments <= STANDING_MOMENTS else rule


def _in_its_sequence(rule: LanguageRule, words: set[str], moments: set[str], is_ploy: bool) -> LanguageRule:
    """A ploy used while somebody attacks or is shot, at the step of the sequence at which it makes a difference."""
    lasts = {each.word for each in rule.until}
    for effect in rule.do:
        own = effect.get("until")
        lasts |= {each.word for each in (own if isinstance(own, tuple) else ()) if isinstance(each, Term)}
    if not lasts <= {"sequence", "action"}:
        return rule
    do = tuple(Term(each.word, tuple(pair for pair in each.args if pair[0] != "until")) for each in rule.do)
    doing = term("did", tuple(sorted(moments)), during="sequence")
    if words <= {"grant", "stat"} and moments <= ATTACKS:
        on = (term("rolling", "attack"),)
        then = _through_blast(do, moments, lasts)
        return replace(rule, on=on, conditions=(doing, *rule.conditions), do=do, until=(), then=then)
    if words == {"convert"} and moments <= ATTACKS and is_ploy:
        on = (term("rolled", "attack", by="who"),)
        return replace(rule, on=on, conditions=(doing, *rule.conditions), do=do, until=())
    if words == {"reduce-damage"} and moments <= set(SELECTED) and not is_of_one_die(rule) and (is_ploy or lasts):
        selected = tuple(Term(SELECTED[each.word]) for each in rule.on)  # for every die, so before any is rolled
        return replace(rule, on=selected, do=do, until=(Term("action"),))
    if words == {"reroll"} and moments == {"shot-at"} and all(each.main == "defence" for each in do):
        return replace(rule, on=(Term("defended"),), do=do, until=())
    if words == {"stat"} and moments == {"shot-at"} and all(each.main == "save" for each in do):
        return replace(rule, on=(Term("targeted"),), do=do, until=(Term("action"),))
    return rule


def is_of_one_die(rule: LanguageRule) -> bool:
    """Whether what a rule does about damage is for one die of a sequence."""
    asked = [*rule.conditions, *(each for term in rule.do for each in term.get("if") or ())]  # type: ignore[union-attr]
    return any(isinstance(each, Term) and each.word == "first-time" for each in asked)


def _through_blast(do: tuple[Term, ...], moments: set[str], lasts: set[str]) -> tuple[LanguageRule, ...]:
    """What lasts to the end of a Shoot action, for the sequences of Blast and Torrent that are still to come."""
    if "action" not in lasts or "shooting" not in moments:
        return ()
    return (LanguageRule((Term("shooting"),), WHO, do=do, until=(Term("action"),)),)


def _at_an_action(rule: LanguageRule, is_chosen: bool) -> LanguageRule:
    names = [name for each in rule.on for name in (each.main if isinstance(each.main, tuple) else (each.main,))]
    if rule.do and all(each.word == "free-action" and each.get("afterwards") for each in rule.do):
        do = tuple(Term(each.word, tuple(p for p in each.args if p[0] != "afterwards")) for each in rule.do)
        return replace(rule, on=tuple(Term("done", each.args) for each in rule.on), do=do)
    if len(rule.do) == 1 and (lasting := _lasting_move(rule, tuple(map(str, names)))) is not None:
        if lasting.word == "move-extra" and is_chosen:  # for this one action
            return replace(rule, do=(lasting,), until=(Term("action"),))
        return replace(rule, on=(ALWAYS,), do=(lasting,))
    if names == ["Fight"] and rule.do and all(each.word == "damage" and each.get("who") == FOE for each in rule.do):
        return replace(rule, on=(term("rolling", "attack"),), conditions=(*rule.conditions, _fighting()))
    if names == ["Fight"] and rule.who == Whom("enemy") and [each.word for each in rule.do] == ["redirect"]:
        return replace(rule, on=(Term("fought"),), who=Whom("friend", other=True), foe=Whom("enemy"))
    return _revealing(rule)


def _lasting_move(rule: LanguageRule, names: tuple[str, ...]) -> Term | None:
    """What is said of moves as they are made, as something that holds for them."""
    [only] = rule.do
    if only.word in ("relocate", "move-extra") and only.get("actions") is None and not rule.then:
        return only.plus(actions=names)
    by = only.get("by")
    is_all = only.word == "stat" and only.main == "move" and isinstance(by, int) and not rule.until
    if is_all and set(names) <= {"Reposition", "Charge", "Fall Back"} and not rule.may and only.get("until") is None:
        return term("move-extra", by, actions=names, who=only.get("who"))
    return None


def _fighting() -> Term:
    return term("did", ("fighting",), during="sequence")


def _revealing(rule: LanguageRule) -> LanguageRule:
    """Enemies that cannot be obscured for a while: to whom the rule is about, wherever they are by then; those that may
    be selected in spite of friends in their control range."""
    if rule.on == (Term("choosing-target"),) and rule.do == (Term("shoot-past-friends"),):
        mine = [each for each in rule.conditions if each.get("about") == FOE]
        that = tuple(Term(each.word, tuple(pair for pair in each.args if pair[0] != "about")) for each in mine)
        then = LanguageRule((Term("shooting"),), WHO, Whom("enemy", that=that), do=rule.do, until=(Term("action"),))
        kept = tuple(each for each in rule.conditions if each not in mine)
        return replace(rule, conditions=kept, do=(), then=(then,))
    shown = [each for each in rule.do if each.word == "reveal" and _is_enemies(each)]
    if not shown:
        return rule
    more = []
    for each in shown:
        foe, lasts = each.get("who"), each.get("until")
        assert isinstance(foe, Whom)
        until = tuple(e for e in lasts if isinstance(e, Term)) if isinstance(lasts, tuple) else rule.until
        args = tuple((name, value) for name, value in each.args if name not in ("who", "until"))
        do = (Term("reveal", (*args, ("who", FOE))),)
        more.append(LanguageRule((Term("shooting"),), WHO, foe, do=do, until=until))
    kept = tuple(each for each in rule.do if each not in shown)
    return replace(rule, do=kept, then=(*rule.then, *more))


def _is_enemies(each: Term) -> bool:
    whom = each.get("who")
    return isinstance(whom, Whom) and whom.role == "enemy"


def asks_standing_still(rule: LanguageRule) -> bool:
    """Whether a rule holds for who does not move in its activation."""
    return Term("not", (("", (term("moved", during="activation"),)),)) in (*rule.conditions, *rule.who.that)
