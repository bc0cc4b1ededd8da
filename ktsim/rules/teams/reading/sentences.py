"""A printed rule cut into sentences, without what only explains: markup, glossaries, examples, notes in brackets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ktsim.content.weapon_rule_forms import FORMS

_WEAPON_RULES = "|".join(sorted({re.split(r" ?[({]", form)[0] for form in FORMS["kt24"] if form[0] != "{"}))
_GLOSSARY = re.compile(
    rf"(?:(?<=\n)|(?<=\. )|^)[ \t]*(?:[\dx]\" )?(?:{_WEAPON_RULES})(?: (?:[\dxX]{{1,2}}[+\"]?|Crits? "
    rf"?[\dxX]?))?:[ \t][^\n]*",
    re.IGNORECASE,
)
_EXPLAINS = re.compile(
    r"\s*\(\s*(?:i\.?e|e\.?g|see|in other words|note|remember|assuming|as appropriate|this is(?! not)"
    r"|even though|put them"
    r"|only visibility|if they cannot or choose not to)\b[^()]*\)|\s*\(\s*(?:if it|when it)\b[^()]*\betc\.?\s*\)",
    re.IGNORECASE,
)
_RESTRICTING = re.compile(
    r"^\s*\(\s*(?:note|remember|this is|as appropriate|assuming)\b.*\b(?:only|once|twice|cannot|must|unless|more than|"
    r"maximum|limited|until|does not|no effect)\b",
    re.IGNORECASE | re.DOTALL,
)
"""A note in brackets that takes something back: it is read as anything else is."""
_SWAPS = (
    ("’", "'"),
    ("‘", "'"),
    ("“", '"'),
    ("”", '"'),
    ("″", '"'),
    ("''", '"'),
    ("–", "-"),
    ("—", "-"),
    ("…", "."),
    ("\t", " "),
    ("\xa0", " "),
)
_CONTRACTIONS = (
    (
        r"\b(it|that|he|she|there)'s (?=(?:already |just |only |not |never )?(?:been|performed|received|had|done)\b)",
        r"\1 has ",
    ),
    (r"\bcan ?not\b|\bcan't\b", "cannot"),
    (r"\bwon't\b", "will not"),
    (r"\b(is|are|was|were|do|does|did|has|have|had|would|could)n't\b", r"\1 not"),
    (r"\b(it|that|there|what|who)'s\b(?! (?:controlling|closest))", r"\1 is"),
    (r"\b(you|they)'re\b", r"\1 are"),
    (r"\b(you|they)'ve\b", r"\1 have"),
    (r"\b([a-z]+) ?/ ?([a-z]+)\b", r"\1 or \2"),
    (r"\b(activation|action) \(or (counteraction|activation)\)", r"\1 or \2"),
    (r"\bre ?-? ?rolls?\b", "re-roll"),
    (r"\bre ?-? ?rolled\b", "re-rolled"),
    (r"\bdefen[cs]e\b", "defence"),
    (r"\bbehavior\b", "behaviour"),
    (r"\bspecial rules?\b", "weapon rule"),
    (r"\b1(d\d)", r"\1"),
    (r"\boperatives (?=(?:apl|move|save|hit|atk|wounds) stats?\b)", "operative's "),
    (r"\boperative' (?=control|next|activation|weapons)", "operative's "),
    (r"\b([Kk])ill ?[Zz]one\b", "killzone"),
    (r"\bvice-versa\b", "vice versa"),
)


_HEADING = re.compile(
    r"^\s*((?:(?:STRATEGIC GAMBIT|SUPPORT|PSYCHIC)(?: and (?=[SP]))?)+)\.?\s+(?=[A-Z][a-z]|[A-Z] [a-z])", re.MULTILINE
)
"""Words in capitals before the first sentence of a rule: what kind of rule it is."""
_CHOOSES = re.compile(
    r"\bselect (?:a|one|two)\b(?!.*\boperative\.?$)|\bdo (?:each|one) of the following\b", re.IGNORECASE
)


_EACH_CHOICE = re.compile(r"(?:you|each)\b[^.]*\bonce per\b", re.IGNORECASE)
"""How a sentence says how often each of a choice can be chosen."""


@dataclass(frozen=True)
class Passage:
    """A sentence, the items of the list it leads in, and whether it begins an item of a list that nothing led in."""

    sentence: str
    items: tuple[str, ...] = ()
    begins: bool = False


def cleaned(text: str) -> str:
    """*text* without markup, with one spelling for everything spelt in several ways. Lines stay lines."""
    for old, new in _SWAPS:
        text = text.replace(old, new)
    text = re.sub(r"<[^<>]{0,40}>", " ", text).replace("\r\n", "\n").replace("\r", "\n")
    text = re.sub(r"\*+|(?<!\w)_+|_+(?!\w)", "", text)
    text = re.sub(r"[ ]+", " ", text)
    text = _GLOSSARY.sub(" ", text)
    text = re.sub(r"\be\. ?g\.,?", "eg", text)
    text = re.sub(r"\bi\. ?e\.,?", "ie", text)
    text = re.sub(r"\b(?:[A-Z]\.){2,}", lambda found: found[0].replace(".", ""), text)
    text = re.sub(r"\(\s*i\.?e[^()]*?(?=\. [A-Z]|$)", "", text) if text.count("(") > text.count(")") else text
    for _ in range(2):
        text = _EXPLAINS.sub(lambda found: found[0] if _RESTRICTING.search(found[0]) else "", text)
    text = re.sub(r",? \beg [^().]*(?=\.)", "", text)
    text = re.sub(r",? ?(?:\beg\b|\bie\b|instead of defender)[^()]*(?=\))", "", text)
    text = re.sub(r"^\s*\|.*$", "", text, flags=re.MULTILINE)  # tables are read as weapons
    text = re.sub(r"\.(?=\s*\))", "", text)
    for old, new in _CONTRACTIONS:
        text = re.sub(old, new, text, flags=re.IGNORECASE)
    text = _HEADING.sub(r"\1. ", text)
    return re.sub(r"\]", "", text).strip()


def passages(text: str) -> list[Passage]:
    """The sentences of a printed rule in order, each with the list it leads in, if it does."""
    found: list[Passage] = []
    paragraph: list[str] = []
    items: list[str] = []

    def finish() -> None:
        sentences = _sentences(" ".join(paragraph))
        leads = bool(sentences) and _leads(sentences)
        if items and not leads:
            found.extend(Passage(each) for each in sentences)
            for item in items:
                found.extend(Passage(each, begins=number == 0) for number, each in enumerate(_sentences(item)))
        elif sentences:
            found.extend(Passage(each) for each in sentences[:-1])
            found.append(Passage(sentences[-1], tuple(items)))
        paragraph.clear()
        items.clear()

    blank = False
    for line in cleaned(text).split("\n"):
        stripped = line.strip()
        if not stripped:
            blank = True
            continue
        if match := re.match(r"[-•]\s*(?=\S)(.*)", stripped):
            items.append(match[1])
        elif items and not blank and not re.match(r"[A-Z]", stripped):
            items[-1] = f"{items[-1]} {stripped}"  # a line that was broken
        elif items and not blank and not items[-1].rstrip().endswith((".", ":", ";")):
            items[-1] = f"{items[-1]}: {stripped}" if len(items[-1]) < 40 else f"{items[-1]} {stripped}"
        else:
            if items:
                finish()
            paragraph.append(stripped)
        blank = False
    finish()
    return [each for each in found if re.search(r"[A-Za-z]", each.sentence)]


def _leads(sentences: list[str]) -> bool:
    """Whether the last of the sentences leads in a list, or says how often each item of one can be chosen."""
    chooses = [_CHOOSES.search(each) is not None for each in sentences[-2:]]
    is_about_choice = len(chooses) == 2 and chooses[0] and _EACH_CHOICE.match(sentences[-1]) is not None
    return sentences[-1].endswith(":") or chooses[-1] or is_about_choice


def _sentences(text: str) -> list[str]:
    """Sentences end with a full stop before a capital; not inside brackets."""
    found: list[str] = []
    start = depth = 0
    for match in re.finditer(r"[()]|[.!?](?=\s+[A-Z(\"'\d]|\s*$|(?=[A-Z][a-z]))", text):
        if match[0] in "()":
            depth = max(0, depth + (1 if match[0] == "(" else -1))
        elif depth == 0:
            found.append(text[start : match.end()])
            start = match.end()
    found.append(text[start:])
    return [each.strip() for each in found if each.strip(" .")]
