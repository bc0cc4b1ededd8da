"""Whether play can carry out a rule of the language: every word, argument and combination, or the reason why not.

This and the tables of handlers are the one answer to what is enforced. It never guesses: what a handler does not know
is a reason, and a rule with a reason does not take part.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from ktsim.rules.teams.language.values import WHO, LanguageRule, TeamText, Term, Whom
from ktsim.rules.teams.playing.clauses import LATE, about, chosen_by
from ktsim.rules.teams.playing.effects import lasting_of
from ktsim.rules.teams.playing.free_actions import CLOSER
from ktsim.rules.teams.playing.happening import MidwayWord, handler_of
from ktsim.rules.teams.playing.midway import ABOUT_DICE, BEFORE_DICE, HAND_STATS, STILL_MATTERS
from ktsim.rules.teams.playing.playable_words import (
    is_known_rule,
    is_with_itself,
    lacking_arguments,
    lacking_for,
    lacking_in,
    lacking_until,
    names_in,
    terms_in,
    whoms_of,
)
from ktsim.rules.teams.playing.prepared import (
    SEQUENCES,
    STANDING_MOMENTS,
    as_played,
    asks_standing_still,
    is_of_one_die,
)
from ktsim.rules.teams.playing.words import MOMENT_HOOKS, OFFERED, PAID, STANDING

LIMITS = frozenset({"once", "twice", "times", "not-with", "not-in", "each-once"})
OF_WEAPONS = ("weapon", "weapon-rule")
IN_ATTACKS = frozenset({"weapon_texts", "hand", "guards", "shot", "ruling", "wards", "duel", "shoots_past_friends"})
"""Hooks that know who attacks whom."""
OF_TARGETS = ("in-cover", "obscured", "has-cover-saves")
"""What somebody is only to somebody else."""
GRENADES = ("frag", "krak", "smoke", "stun")
WITH_FOE = frozenset({"targeted", "fought", "rolled", "has-fought", "dying", "incapacitated", "incapacitates"}) | {
    "rolling",
    "defending",
    "defended",
}
"""Moments at which it is known who the other operative is."""
HARMFUL = ("Blast", "Torrent", "Hot", "Heavy", "Limited", "Range")
"""Weapon rules one would sometimes rather not have."""


def playable(texts: Sequence[TeamText]) -> list[TeamText]:
    """The texts with those of their rules that can be played."""
    found = []
    for text in texts:
        rules = tuple(rule for rule in text.rules if not why_not(text, rule))
        if rules and text.kind != "weapon-rule":
            found.append(replace(text, rules=rules))
    return found


def why_not(text: TeamText, rule: LanguageRule) -> list[str]:
    """Why play cannot carry out the rule; nothing when it can."""
    parts = as_played(text, rule)
    return list(dict.fromkeys(why for part in parts for why in _rule(text, part, is_top=True)))


def _rule(text: TeamText, rule: LanguageRule, is_top: bool, lasts: tuple[Term, ...] = ()) -> Iterator[str]:
    moments = {term.word for term in rule.on}
    if is_top:
        yield from _picks(rule)
        if not text.of and not chosen_by(text) and text.kind in ("faction", "ability") and rule.who == Whom("self"):
            yield "whose rule it is"
    if moments == {"selected"}:
        yield from _selected(rule)
        return
    if text.kind == "weapon-rule":
        yield "weapon rules of a team's own"
    if rule.cost is not None:
        yield f"cost {rule.cost.word}"
    for whom in (rule.who, rule.foe, *whoms_of((*rule.on, *rule.conditions, *rule.do))):
        yield from lacking_for(whom)
    if any(value == WHO for each in rule.who.that for name, value in each.args if name != "about"):
        yield "somebody compared with itself"
    if is_with_itself(rule):
        yield "somebody compared with itself"
    yield from (f"limit {term.word}" for term in rule.limit if term.word not in LIMITS)
    if moments <= STANDING_MOMENTS:
        yield from _standing(text, rule, is_top, lasts)
    elif moments & STANDING_MOMENTS:
        yield "a moment and something that lasts in one rule"
    else:
        yield from _happening(text, rule, is_top, lasts)


def _selected(rule: LanguageRule) -> Iterator[str]:
    """What is chosen with the roster is the roster's (``TeamOption``): for a group of operatives, unconditionally."""
    (only, *more) = rule.do or (Term("nothing"),)
    if only.word != "option" or more or rule.conditions or rule.limit or rule.who.role != "friend":
        yield "moment selected"
        return
    yield from lacking_arguments(only, frozenset({"", "count", "different", "of", "not-for", "not-these"}))
    if only.main == "keyword" and only.get("of") is None:
        yield "option of a keyword"


def _picks(rule: LanguageRule) -> Iterator[str]:
    """What is said of those picked has to come after a pick, and a pick before anybody acts because of another."""
    is_picked = has_acted = False
    for term in rule.do:
        if term.word in ("pick", "choose"):
            if has_acted:
                yield "a pick after somebody has acted"
            is_picked = True
        elif term.word == "roll" and term.get("each") is not None:
            continue  # each of them is the one picked
        elif term.word == "token" and term.get("otherwise") is not None and about(term) != Whom("picked"):
            continue  # whoever has one already is the one picked then
        elif not is_picked and any(whom.role in ("picked", "first") for whom in whoms_of((term,))):
            yield f"{term.word} for somebody another rule picks"
        has_acted = has_acted or term.word == "free-action"
    roles = {whom.role for whom in (rule.who, *((rule.foe,) if rule.foe else ()), *whoms_of(rule.conditions))}
    if roles & {"picked", "first"}:
        yield "a rule about somebody another rule picks"


def _standing(text: TeamText, rule: LanguageRule, is_top: bool, lasts: tuple[Term, ...]) -> Iterator[str]:
    moments = frozenset(term.word for term in rule.on)
    for term in rule.conditions:
        yield from lacking_in(term, LATE)
    if rule.then:
        yield "a rule that follows from one that lasts"
    if not rule.do:
        yield "a rule without an effect"
    if is_top:
        # to the end of the action is all of it for what holds while it shoots or fights
        known = {"turning-point", "battle"} | ({"action"} if moments <= SEQUENCES else set())
        yield from (f"until {each.word}" for each in rule.until if each.word not in known)
        if text.kind == "action" or (text.kind == "firefight" and not all(each.word in PAID for each in rule.do)):
            yield f"{text.kind} with {', '.join(sorted(moments))}"
        if text.kind == "firefight" and moments != {"shot-at"} and any(each.word == "convert" for each in rule.do):
            yield "a firefight ploy that converts whatever dice there are"  # attack dice: once they are rolled
        is_less = any(each.word == "reduce-damage" for each in rule.do)
        if text.kind == "firefight" and is_less and moments <= SEQUENCES and not is_of_one_die(rule):
            yield "a firefight ploy that lessens every die of a fight"
        if text.kind == "firefight" and len(rule.do) > 1:
            yield "a firefight ploy with several effects in a sequence"
    else:
        yield from lacking_until(rule.until or lasts)
    for number, term in enumerate(rule.do):
        if term.get("until") is not None:
            yield f"{term.word} until"
        yield from _standing_effect(text, rule, number, term, moments)


def _standing_effect(
    text: TeamText, rule: LanguageRule, number: int, term: Term, moments: frozenset[str]
) -> Iterator[str]:
    word = STANDING.get(term.word)
    if word is None:
        yield f"effect {term.word}"
        return
    yield from (f"{term.word} while {each}" for each in sorted(moments - word.moments))
    yield from lacking_arguments(term, word.args)
    yield from (reason for each in terms_in(term.get("if")) for reason in lacking_in(each, LATE))
    if term.word == "strike-damage" and not _is_once_a_sequence(rule, term):
        yield "strike-damage of every strike"
    yield from lacking_for(about(term))
    late = [each for each in (*rule.conditions, *terms_in(term.get("if"))) if each.word in LATE]
    yield from (f"{term.word} by {each.word}" for each in late if each.word not in word.late)
    if term.get("instead") and any(each.word in LATE for each in terms_in(term.get("if"))):
        yield f"{term.word} instead by dice"
    yield from _late(late, moments == {"shot-at"})
    if rule.limit and not word.is_limited:
        yield f"{term.word} with a limit"
    if rule.may and not word.may:
        yield f"{term.word} if its player wants"
    if rule.may and term.word == "grant" and any(str(each).startswith(HARMFUL) for each in names_in(term)):
        yield "grant of a rule one may not want"
    if term.word in ("reveal", "obscure", "forbid-target") and any(map(partial(_asks, rule, term), OF_WEAPONS)):
        yield f"{term.word} by weapons"  # whether somebody can be a target is asked whatever the weapon
    if not moments <= SEQUENCES and (term.word == "stat" or not IN_ATTACKS & set(word.hooks)):
        yield from (f"{each} from nobody" for each in OF_TARGETS if _asks(rule, term, each))
    if "weapon_texts" in word.hooks and "shot-at" in moments and _asks(rule, term, "has-cover-saves"):
        yield f"{term.word} by cover saves"
    yield from _own(text, rule, term, moments)


def _is_in_counteraction(rule: LanguageRule) -> bool:
    return Term("counteracting") in rule.conditions or any(each.word in ("counteracts", "always") for each in rule.on)


def _is_once_a_sequence(rule: LanguageRule, term: Term) -> bool:
    """Whether an effect is about the first of something in each sequence."""
    return any(
        each.word == "first-time" and each.main == "sequence" for each in (*rule.conditions, *terms_in(term.get("if")))
    )


def _asks(rule: LanguageRule, term: Term, word: str) -> bool:
    """Whether an effect hangs on a condition, in whatever depth."""
    every = [*rule.conditions, *terms_in(term.get("if")), *rule.who.that, *(rule.foe.that if rule.foe else ())]
    while every:
        each = every.pop()
        if each.word == word:
            return True
        every += terms_in(each.main)
    return False


def _late(late: Iterable[Term], is_defence: bool) -> Iterator[str]:
    for each in late:
        if each.get("rolled") and not is_defence:
            yield "attack dice rolled"
        if each.word == "damage" and not str(each.main).startswith(">="):
            yield f"damage {each.main}"


def _own(text: TeamText, rule: LanguageRule, term: Term, moments: frozenset[str]) -> Iterator[str]:
    """What an effect can only do in some ways."""
    weapons = names_in(term, "weapons")
    if "this" in weapons or term.get("choose") is not None:
        yield f"{term.word} for {', '.join(weapons)}"
    if term.word in ("grant", "replace-rule"):
        for each in names_in(term) if term.word == "grant" else (str(term.get("with")),):
            if not is_known_rule(str(each)):
                yield f"weapon rule {each}"
    if term.word == "stat":
        yield from _stat(term, moments)
    if term.word == "forbid-move" and not set(names_in(term)) <= {"climb", "jump"}:
        yield f"forbid-move {', '.join(names_in(term))}"
    if term.word == "extra-action" and not _is_in_counteraction(rule):
        yield "extra-action but in a counteraction"
    if term.word == "weaken-rule" and term.main != "Piercing":
        yield f"weaker {term.main}"
    if term.word == "cover-save" and term.main not in ("either", "extra", "all-critical"):
        yield f"cover-save {term.main}"
    if term.word == "reroll" and about(term) is None:
        barred = {"shot-at"} if term.main == "attack" else {"shooting", "fighting", "retaliating"}
        yield from (f"re-roll of {term.main} dice while {each}" for each in sorted(moments & barred))
    if term.word in ("convert", "choose"):
        inner = terms_in(term.main) if term.word == "choose" else (term,)
        if not all(each.word == "convert" and each.main in ("fail", "normal", "result") for each in inner):
            yield f"{term.word} in a sequence"
        if any(each.main == "result" and moments != {"shot-at"} for each in inner):
            yield "convert of attack dice with a result"
    if term.word == "roll":
        inner = terms_in(term.get("do"))
        if (
            term.main != "D6"
            or len(inner) != 1
            or inner[0].word != "reduce-damage"
            or term.get("else") is not None
            or not (str(term.get("at")).startswith(">=") or term.get("at") == "=6")
        ):
            yield "roll in a sequence"
    if term.word == "retain" and (term.main != "normal" or term.get("of") != "defence"):
        yield "retain of attack dice"
    if term.word == "no-critical-below" and term.main != 6:
        yield f"no-critical-below {term.main}"
    if term.word == "allow":
        yield from _allow(rule, term)
    if term.word == "forbid-order" and about(term) is not None:
        yield "forbid-order of others"
    if term.word == "ploy-cost" and ("chosen" in names_in(term) or term.get("cp") is None):
        yield "ploy-cost of a chosen one"
    if term.word == "ploy-cost" and term.get("specified") == Whom("self") and not term.get("used-for"):
        yield "ploy-cost for whom the ploy picks"
    if term.word == "use-grenades" and not set(map(str, names_in(term))) <= set(GRENADES):
        yield "use-grenades of a team's own"
    if term.word == "unaffected" and any(
        str(each) not in ("Stun", "Shock", 'x" Devastating x') for each in names_in(term)
    ):
        yield "unaffected by other rules"
    if term.word == "unaffected" and term.get("unless-target") and names_in(term) != ('x" Devastating x',):
        yield "unaffected unless it is the target"
    if term.word == "extra-equipment":
        is_own = text.kind in ("ability", "faction") and rule.who.role in ("self", "friend")
        if rule.conditions or term.get("if") or not is_own:
            yield "equipment that is not always there"
    if term.word in ("distance", "immune") and (names_in(term, "actions") or names_in(term)) != ("psychic",):
        yield f"{term.word} of other actions"
    if term.word == "ignore-changes" and term.get("from") is None:
        yield "ignore-changes"


def _stat(term: Term, moments: frozenset[str]) -> Iterator[str]:
    stat, whom = term.main, about(term)
    is_foes = whom is not None and whom.role == "foe"
    if stat == "wounds":
        yield "stat wounds"
    if stat in ("apl", "move") and moments - {"always"}:
        yield f"stat {stat} while {', '.join(sorted(moments))}"
    if stat == "save" and moments - {"always", "shot-at"}:
        yield f"stat save while {', '.join(sorted(moments))}"
    if stat not in ("apl", "move", "save") and "shot-at" in moments and not is_foes:
        yield f"stat {stat} while shot at"
    if stat in ("apl", "move", "save") and term.get("weapons") is not None:
        yield f"stat {stat} for weapons"


def _allow(rule: LanguageRule, term: Term) -> Iterator[str]:
    bars = set(map(str, names_in(term, "while")))
    if not bars <= {"conceal", "control-range"}:
        yield f"allow while {', '.join(sorted(bars))}"
    if term.get("regardless") and not set(map(str, names_in(term))) <= {"Smoke Grenade", "Stun Grenade"}:
        yield "allow regardless"
    if not any(term.get(each) is not None for each in ("while", "after", "times", "regardless")):
        yield "allow"
    if rule.limit and not term.get("regardless"):
        yield "allow with a limit"
    if term.get("times") and _asks(rule, term, "moved") and not asks_standing_still(rule):
        yield "allow for who does not move, before or after"
    if term.get("free-once") and not term.get("times"):
        yield "allow for free once"
    if term.get("leftover") is not None and not set(map(str, names_in(term))) <= {"Dash"}:
        yield "the rest of another move"
    known = {"Charge", "Shoot", "Fight", "Dash", "Reposition", "Fall Back", "Pick Up Marker", "mission"}
    if bars == {"conceal"} and set(names_in(term)) != {"Charge"}:
        yield "allow on Conceal"
    if bars == {"control-range"} and not set(map(str, names_in(term))) <= known:
        return  # an action of a text asks for itself


def _happening(text: TeamText, rule: LanguageRule, is_top: bool, lasts: tuple[Term, ...]) -> Iterator[str]:
    moments = {term.word for term in rule.on}
    yield from (f"moment {each}" for each in sorted(moments - set(MOMENT_HOOKS)))
    if len(moments) > 1 and not moments <= {"targeted", "fought"}:
        yield "several moments"
    if text.kind == "action" and is_top and moments != {"used"}:
        yield "an action with a moment"
    if moments == {"used"} and text.kind not in ("action", "strategy"):
        yield f"{text.kind} that is used"
    for term in rule.on:
        if term.word == "rolled" and term.main != "attack":
            yield "defence dice rolled"
        if term.word == "done" and names_in(term) != ("Shoot",) and _asks_foe(rule):
            yield "foe at done"
        is_asked = not MOMENT_HOOKS.get(term.word, ("",)) or term.word == "activation"
        if is_asked and not (rule.may or text.kind == "firefight"):
            yield f"{term.word} without a choice"
    if rule.may and not moments <= OFFERED:
        yield f"asking at {', '.join(sorted(moments))}"
    # what is used and not offered has no first time
    late = frozenset({"first-time"}) if moments.isdisjoint({"used", "gambit"}) else frozenset()
    for term in rule.conditions:
        yield from lacking_in(term, late)
    if moments & {"dying", "incapacitated"}:  # the damage has been inflicted by then
        yield from (f"{each} as it falls" for each in ("wounded", "injured") if _asks_of_who(rule, each))
    if not is_top:
        yield from lacking_until(rule.until or lasts)
    if moments == {"fought"} and any(term.word in ("weapon", "weapon-rule") for term in rule.conditions):
        yield "a weapon before it is selected"
    if not rule.do and not rule.then:
        yield "a rule without an effect"
    if not moments <= WITH_FOE | {"done"} and _asks_foe(rule):
        yield f"foe at {', '.join(sorted(moments))}"
    for term in rule.do:
        yield from _happening_effect(text, rule, term, moments)
    if moments == {"dying"} and any(term.word == "free-action" for term in rule.do) and not _is_apart(rule):
        yield "a free action in the middle of a fight"
    for inner in rule.then:
        yield from _rule(text, inner, is_top=False, lasts=lasting_of(rule, inner))


def _asks_of_who(rule: LanguageRule, word: str) -> bool:
    """Whether a condition about the operative the rule is about has the word, in whatever depth."""
    every = [*rule.conditions, *rule.who.that, *(each for term in rule.do for each in terms_in(term.get("if")))]
    while every:
        each = every.pop()
        if each.word == word and each.get("about") in (None, Whom("who"), Whom("self")):
            return True
        every += terms_in(each.main)
    return False


def _is_apart(rule: LanguageRule) -> bool:
    """Whether whom it is about is not within control range of an enemy, and so in no fight."""
    return Term("not", (("", (Term("control-range"),)),)) in rule.conditions


def _asks_foe(rule: LanguageRule) -> bool:
    return any(whom.role == "foe" for whom in whoms_of((*rule.conditions, *rule.do)))


def _happening_effect(text: TeamText, rule: LanguageRule, term: Term, moments: set[str]) -> Iterator[str]:
    handler = handler_of(term.word, frozenset(moments))
    if term.word == "strike":
        if moments != {"incapacitated"} or len(rule.do) > 1:
            yield "strike at another moment"
        return
    yield from (reason for each in terms_in(term.get("if")) for reason in lacking_in(each, LATE))
    if term.word == "strike-damage" and not _is_once_a_sequence(rule, term):
        yield "strike-damage of every strike"
    if handler is None:
        yield from _lasting_effect(text, rule, term, moments)
        return
    if isinstance(handler, MidwayWord):
        yield from _midway(rule, term)
    late = handler.late if isinstance(handler, MidwayWord) else frozenset()
    yield from (f"{term.word} by {each.word}" for each in terms_in(term.get("if")) if each.word in LATE - late)
    yield from lacking_arguments(term, handler.args)
    yield from (why for name in ("add-if", "less-if") for each in terms_in(term.get(name)) for why in lacking_in(each))
    for name in ("", "do", "else", "otherwise"):
        for inner in terms_in(term.get(name)):
            if term.word in ("roll", "choose", "token"):
                yield from _happening_effect(text, rule, inner, moments)
    for value in (term.main, *(term.get(name) for name in ("who", "per", "of", "end-within", "each"))):
        if isinstance(value, Whom):
            yield from lacking_for(value)
    if term.word in ("redirect",) and not moments <= {"targeted", "fought"}:
        yield "redirect at another moment"
    if term.word in ("token", "marker") and term.get("until") is not None:
        yield from lacking_until(terms_in(term.get("until")))
    if term.word == "damage" and about(term) is not None and about(term) == Whom("foe") and moments == {"doing"}:
        yield "damage to a foe before it is known"
    if term.word == "options":
        yield from _options(text, rule, term)
    if term.word == "end" and term.main != "activation" and moments != {"near-marker"}:
        yield f"end {term.main}"
    if term.word == "free-action":
        yield from _free_action(term)
    if term.word == "roll" and not re.fullmatch(r"(>=|<=|>|<|=)\d+|>turning-point", str(term.get("at"))):
        yield f"roll at {term.get('at')}"
    if term.word == "cancel" and (moments != {"doing"} or not (rule.may or text.kind == "firefight")):
        yield "cancel at another moment"
    if (
        term.word == "marker"
        and term.get("of") is None
        and term.get("in-control-range") is None
        and moments == {"used"}
    ):
        return
    if term.word == "next-activation" and moments - {"expended", "activation-ended"}:
        yield "another activation in the middle of one"


def _free_action(term: Term) -> Iterator[str]:
    names = set(map(str, names_in(term)))
    if names & {"move", "psychic"}:
        yield f"free-action {', '.join(sorted(names))}"
    is_armed = term.get("weapons") is not None or term.get("weapons-each") is not None
    if is_armed and ("Shoot" not in names or names & {"Fight", "any", "1AP", "mission"}):
        yield "free-action with some weapons"
    yield from (f"free-action closer to {each}" for each in names_in(term, "closer-to") if each not in CLOSER)


def _midway(rule: LanguageRule, term: Term) -> Iterator[str]:
    """What an effect in the middle of a sequence can only do in some ways."""
    is_before = {each.word for each in rule.on} <= BEFORE_DICE
    if term.word == "grant":
        known = ABOUT_DICE if is_before else STILL_MATTERS
        yield from (f"{each} after dice are rolled" for each in names_in(term) if not str(each).startswith(known))
    if term.word == "stat" and term.main not in HAND_STATS:
        yield f"{term.main} in a sequence"
    if term.word == "reroll" and (term.main == "defence") != ({each.word for each in rule.on} == {"defended"}):
        yield f"re-roll of {term.main} dice then"
    if term.word == "retain" and (term.main != "normal" or term.get("of") != "defence"):
        yield "retain of attack dice"
    if term.word == "convert" and term.main not in ("fail", "normal"):
        yield "convert in a sequence"
    if term.word == "weaken-rule" and term.main != "Piercing":
        yield f"weaker {term.main}"


def _lasting_effect(text: TeamText, rule: LanguageRule, term: Term, moments: set[str]) -> Iterator[str]:
    word = STANDING.get(term.word)
    if word is None:
        yield f"effect {term.word}"
        return
    if "always" not in word.moments:
        yield f"{term.word} for a while"
    yield from lacking_arguments(term, word.args | {"until"})
    yield from lacking_for(about(term))
    yield from _own(text, rule, term, frozenset({"always"}))
    yield from lacking_until(terms_in(term.get("until")) or rule.until)
    if any(each.word in (LATE if term.get("instead") else LATE - word.late) for each in terms_in(term.get("if"))):
        yield f"{term.word} by dice"


def _options(text: TeamText, rule: LanguageRule, term: Term) -> Iterator[str]:
    if term.get("count") not in (None, 1):
        yield "several options"
    lasts = terms_in(term.get("until")) or rule.until
    for inner in term.main if isinstance(term.main, tuple) else ():
        if not isinstance(inner, LanguageRule) or inner.do or inner.on != (Term("used"),):
            yield "an option that does something"
            continue
        for each in inner.then:
            if each.then:
                yield "an option within an option"
            is_used = each.on == (Term("used"),)
            yield from _rule(replace(text, kind="strategy") if is_used else text, each, is_top=False, lasts=lasts)
