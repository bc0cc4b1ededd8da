"""How sentences hang together: which take something back, which stand for themselves, which are two in one."""

from __future__ import annotations

import re

from ktsim.rules.teams.reading.sentences import Passage

RESTRICTS = re.compile(
    r"\b(cannot|only|unless|must|more than once|maximum|minimum|no more than|excluding|except|instead|not|no|loses?"
    r"|subtract|worsen|expended|ends|removed?|discard|spend|skip|providing|different|costs?"
    r"|damage on (?:this|that friendly|it|each|them))\b",
    re.IGNORECASE,
)
"""Words by which a sentence takes something back; one that is not understood takes down what it is about."""

INDEPENDENT = re.compile(
    r"(?:once per [a-z ]+, )?(?:whenever|this operative|(?:each |a |one |up to \w+ )?friendly|in the ready "
    r"step(?!.*\b(?:remove|lose|discard))|each friendly|strategic gambit"
    r"|the first time|during each|if this operative|you can ignore|add \d|your opponent)\b",
    re.IGNORECASE,
)
"""How a sentence begins that stands for itself."""

ABOUT_ALL = re.compile(
    r"\bthis (?:ploy|rule|action|equipment|effect|strategic gambit|weapon)\b|these (?:rules|effects)", re.IGNORECASE
)

SEVERAL = re.compile(r"\b(?:each|every|all|any|both|operatives|those|these|they|them|their)\b", re.IGNORECASE)
"""Words for more operatives than one."""

LIMITS_USE = re.compile(r"\b(?:cannot|only|must) (?:be )?used?\b[^.]*\bthis\b|\bthis ploy costs?\b", re.IGNORECASE)
"""How a sentence says when or how often a ploy may be used, or what it costs."""

_HALVES = re.compile(r"(?:,|;)? and (?=whenever\b)|; (?=whenever\b)", re.IGNORECASE)
_LASTS = re.compile(r"(until .+?(?:\(whichever comes first\))?,) (?=whenever\b)", re.IGNORECASE)


_FOLLOWING = re.compile(r"(.+?) (?:the )?following (?:ranged |melee )?weapons that (.+?) have:?", re.IGNORECASE)


def following_weapons(passage: Passage) -> str:
    """A sentence about a list of somebody's weapons, as one that names them."""
    match = _FOLLOWING.fullmatch(passage.sentence)
    items = [item.rstrip(" .") for item in passage.items]
    if match is None or any(len(item.split()) > 4 for item in items):
        return ""
    return f"{match[1]} {match[2]}' {' and '.join(items)}."


_TURNED = re.compile(
    r"((?:once|twice) per [a-z ]+, )?(?!when|whenever|use\b|each time|if\b|until\b|select\b)([A-Za-z][^:;]*?),? "
    r"((?:whenever|when|each time) (?:a|an|another|this|the|each|any|friendly|enemy|it)\b[^:;()]*?)( \([^()]*\))?\.?",
    re.IGNORECASE,
)


_THEY = re.compile(
    r"(until [^,]+, )?((?:.*? of )?)(friendly [A-Z' -]+? operatives(?: \([^()]*\))?)('? .*?) "
    r"(?:whenever|while|when) (?:they are )?((?:shooting|fighting|retaliating)\b.*?)\.?",
    re.IGNORECASE,
)


def _of_each(sentence: str) -> str:
    """A sentence about friends that says when 'they' do what is meant, as one about each of them."""
    match = _THEY.fullmatch(sentence.strip())
    if match is None or "," in re.sub(
        r"\b(?:shooting|fighting)(?: against)?, (?=fighting|retaliating|or\b)", "", match[5]
    ):
        return ""
    lasts, before, friends, effect, moment = match.groups()
    one = re.sub(r"operatives", "operative", friends)
    said = f"its{effect[1:]}" if effect.startswith("'") else f"{before[:1].lower()}{before[1:]}it{effect}"
    if before:
        said = re.sub(r"^(.*?) of it\b", r"its \1", said)
    begins = f"{lasts}whenever" if lasts else "Whenever"
    return f"{begins} a {one} is {moment}, {said}."


def turned(sentence: str) -> str:
    """A sentence that says what happens before it says when, the other way round; nothing where it does not."""
    if of_each := _of_each(sentence):
        return of_each
    match = _TURNED.fullmatch(sentence.strip())
    if match is None or re.search(r"\b(?:whenever|when|each time)\b|\band$", match[2], re.IGNORECASE):
        return ""
    if "," in re.sub(r"\b(?:shooting|fighting)(?: against)?, (?=fighting|retaliating|or\b)", "", match[3]):
        return ""  # more is said after the moment
    how_often, effect, moment, note = match.groups()
    if re.match(r"\w+(?: time)? it\b", moment, re.IGNORECASE):
        if not re.search(r"\bthis operative\b", effect, re.IGNORECASE):
            return ""  # nobody knows who it is
        moment = re.sub(r"\bit\b", "this operative", moment, count=1)
    moment = moment if how_often else moment[:1].upper() + moment[1:]
    return f"{how_often or ''}{moment}, {effect[:1].lower() + effect[1:]}{note or ''}."


_MORE_IF = re.compile(r"(?:;|,? and,) (?=(?:if|until)\b)", re.IGNORECASE)


def with_more_if(sentence: str) -> list[str]:
    """A sentence that goes on with what else is so at its moment, if something is or for a while, as two; nothing
    where none does."""
    parts = _MORE_IF.split(sentence)
    return parts if len(parts) == 2 and re.search(r"\b(?:whenever|when|each time)\b", parts[0], re.IGNORECASE) else []


def halves(sentence: str) -> list[str]:
    """A sentence with two moments as two, each with how long both last."""
    parts = _HALVES.split(sentence)
    if len(parts) != 2:
        return []
    lasts = _LASTS.match(parts[0])
    return [parts[0], f"{lasts[1]} {parts[1]}" if lasts else parts[1]]
