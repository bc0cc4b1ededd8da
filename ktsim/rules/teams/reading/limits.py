"""Sentences that limit who may be in a team."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from ktsim.rules.teams.roster.composition import Limit

_N = r"(one|two|three|four|five|six|\d+)"
_NUMBERS = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_TEAM = r"(?:your (?:kill ?team|selection)|you)"

_SAYS_NOTHING = re.compile(
    r"some .* rules refer to|this is an? (?:ranged|melee)? ?weapon|the following weapons are|note that|this "
    r"kill ?team's|eg\b|e\.g"
    r"|in other words|chapter tactics|when selecting your kill team|multiple instances of|.*\bcomposed of\b",
    re.IGNORECASE,
)

Types = Callable[[str], tuple[str, ...]]


def _count(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)


def read_limit(sentence: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    """The limits in *sentence*, a footnote of *mark* or none; ``None`` when it is not understood."""
    text = " ".join(sentence.split()).strip()
    plain = text.rstrip(".")
    if not plain or _SAYS_NOTHING.match(plain):
        return []
    whole = _one(plain, mark, types, marked)
    if whole is not None:
        return whole
    subject, *rest = re.split(r",? and (?=can only|cannot|can)", plain)
    if not rest:
        return None
    found = _one(subject, mark, types, marked)
    for part in rest:
        more = _one(f"Your kill team {part}", mark, types, marked)
        found = None if found is None or more is None else [*found, *more]
    return found


def _one(plain: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    for read in (_each_once, _up_to, _of_these, _not_both, _at_least, _weapon_rules):
        found = read(plain, mark, types, marked)
        if found is not None:
            return found
    return None


def _each_once(text: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    match = re.fullmatch(
        rf"(?:other than (.+?) operatives?,? ?)?{_TEAM} can only (?:include|select) each (?:operative|option)"
        r"(?: (?:(?:on|from) (?:this|these|the) lists?(?: above)?|above|below))? once",
        text,
        re.IGNORECASE,
    )
    if match is None:
        return None
    but: list[str] = []
    for name in re.split(r",| and | or ", match[1] or ""):
        if name.strip():
            found = types(name)
            if not found:
                return None
            but += found
    return [Limit("entries", 1, but=tuple(but), text=text)]


def _up_to(text: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    different = re.search(
        r" \(each (?:one )?must have (?:a )?different options?\)|,? but each (?:one )?must have (?:a "
        r")?different options?",
        text,
    )
    if different is not None:
        text = text.replace(different[0], "")
    match = re.fullmatch(
        rf"{_TEAM} can(?: only)? (?:include|select|have) (up to .+|no more than .+)", text, re.IGNORECASE
    )
    if match is None:
        match = re.fullmatch(rf"{_TEAM} cannot (?:include|select) (more than .+)", text, re.IGNORECASE)
    if match is None:
        return None
    found = []
    for part in re.split(r",? and (?=up to|more than|no more than)|, (?=up to|more than)", match[1]):
        piece = re.fullmatch(rf"(?:up to|more than|no more than) {_N} (.+?)", part.strip(), re.IGNORECASE)
        if piece is None or re.search(r"\bof these\b|\bweapons? with\b|unless|\bif\b", piece[2]):
            return None
        name = re.sub(r" (?:operatives?|combined)\b", "", piece[2])
        kinds = types(name) if re.search(r"operative", piece[2]) else ()
        if kinds:
            found.append(Limit("operatives", _count(piece[1]), these=kinds, text=text))
            if different is not None:
                found.append(Limit("loadouts", 1, these=kinds, text=text))
        elif "operative" in piece[2]:
            return None
        else:
            found.append(Limit("weapons", _count(piece[1]), these=(name.lower().strip(),), text=text))
    return found


def _of_these(text: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    match = re.fullmatch(
        rf"{_TEAM} (?:cannot (?:select|include) more than|can only (?:include|select) up to) {_N} of these"
        r" (?:operatives|options|weapons)(?: combined)?",
        text,
        re.IGNORECASE,
    )
    if match is None or not mark:
        return None
    return [Limit("operatives" if not marked else "weapons", _count(match[1]), these=(f"#{mark}", *marked), text=text)]


def _not_both(text: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    match = re.fullmatch(rf"{_TEAM} cannot include both an? (.+?) and an? (.+)", text, re.IGNORECASE)
    if match is not None:
        return [Limit("weapons", 1, these=(match[1].lower(), match[2].lower()), text=text)]
    if mark and re.fullmatch(rf"{_TEAM} cannot select this option and this operative", text, re.IGNORECASE):
        return [Limit("weapons", 1, these=(f"#{mark}", *marked), text=text)]
    return None


def _at_least(text: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    match = re.fullmatch(
        rf"{_TEAM} must (?:select|include) at least {_N} (?:friendly )?(.+?) operatives?", text, re.IGNORECASE
    )
    if match is None:
        return None
    kinds = types(match[2])
    return [Limit("operatives", least=_count(match[1]), these=kinds, text=text)] if kinds else None


def _weapon_rules(text: str, mark: str, types: Types, marked: Sequence[str]) -> list[Limit] | None:
    """'No more than one weapon with the Piercing 2 weapon rule'. Piercing X is any of them."""
    match = re.fullmatch(
        rf"{_TEAM}(?: \(including .*?\))? cannot include more than {_N} weapons? with the (\w+) (\d|X)(?: "
        rf"\(excluding .*?\))?"
        r" weapon rule(?: combined)?",
        text,
        re.IGNORECASE,
    )
    if match is None:
        return None
    numbers = range(1, 10) if match[3].upper() == "X" else [int(match[3])]
    return [Limit("weapon-rules", _count(match[1]), these=tuple(f"{match[2].title()} {n}" for n in numbers), text=text)]
