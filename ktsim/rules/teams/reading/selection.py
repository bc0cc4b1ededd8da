"""The text that says who may be in a team, as slots, loadouts and limits. Lines are told apart by what they name."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from fractions import Fraction
from itertools import product

from ktsim.rules.teams.reading.limits import read_limit
from ktsim.rules.teams.roster.composition import Composition, Limit, ListedChoice, Loadout, Slot, TeamOption

NUMBERS = {
    word: n
    for n, word in enumerate(["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"])
}
_MARK = re.compile(r"\(\s*(?:\d|X|x)(?:\s*,\s*\d)*\s*\)|\*+")
_COUNTS = re.compile(r"\(counts? as (half a|one|two|three) selections?\)", re.IGNORECASE)
_WEIGHTS = {"half a": Fraction(1, 2), "one": Fraction(1), "two": Fraction(2), "three": Fraction(3)}


@dataclass(frozen=True)
class CardWords:
    """A datacard as the text may name it."""

    id: str
    name: str
    keywords: tuple[str, ...]
    weapons: tuple[str, ...]
    psychic: tuple[str, ...] = ()


def number(word: str) -> int | None:
    return int(word) if word.isdigit() and len(word) < 3 else NUMBERS.get(word.lower())


def name_words(text: str) -> list[str]:
    found = re.findall(r"[a-z0-9]+(?:'[a-z]+)?", text.lower().replace("’", "'").replace("-", " ").replace(".", ""))
    return [word for word in found if word not in ("operative", "operatives", "the", "a", "an")]


def _like(one: str, other: str) -> bool:
    if one == other or one.rstrip("s") == other.rstrip("s"):
        return True
    return min(len(one), len(other)) > 4 and SequenceMatcher(None, one, other).ratio() >= 0.84


def card_named(name: str, cards: Sequence[CardWords], team: frozenset[str]) -> CardWords | None:
    """The datacard *name* means: every word of it is the card's or the team's; the closest when several fit."""
    words = name_words(name)
    own = [word for word in words if word not in team] or words
    best: tuple[float, CardWords] | None = None
    for card in cards:
        theirs = name_words(card.name)
        known = theirs + [word for keyword in card.keywords for word in name_words(keyword)]
        if not own or not all(any(_like(word, each) for each in known) for word in own):
            continue
        in_name = sum(any(_like(word, each) for each in theirs) for word in own)
        missing = sum(not any(_like(word, each) for word in words) for each in theirs if each not in team)
        exact = sum(word in theirs for word in words)
        score = in_name * 10 - missing * 3 + exact
        if best is None or score > best[0]:
            best = (score, card)
    return best[1] if best else None


def weapon_named(name: str, card: CardWords) -> str | None:
    words = name_words(name.replace("&", " and "))
    if not words:
        return None
    for weapon in card.weapons:
        if name_words(weapon.replace("&", " and ")) == words:
            return weapon
    scored = []
    for weapon in card.weapons:
        theirs = name_words(weapon.replace("&", " and "))
        if all(any(_like(word, each) for each in theirs) for word in words):
            scored.append((len(theirs) - len(words), weapon))
        elif SequenceMatcher(None, " ".join(words), " ".join(theirs)).ratio() > 0.86:
            scored.append((3, weapon))
    return min(scored)[1] if scored else None


@dataclass
class _Entry:
    """A line of a list as it is read."""

    card: CardWords
    marks: tuple[str, ...]
    counts: Fraction
    fixed: list[str] = field(default_factory=list)
    ways: list[tuple[str, ...]] = field(default_factory=list)
    groups: list[list[str]] = field(default_factory=list)
    mode: str = ""
    slot: int = -1

    def close(self) -> None:
        """Options 'one from each' become ways, once all their lines are there."""
        if self.groups:
            self.ways += [tuple(each) for each in product(*self.groups)]
            self.groups = []

    def choice(self) -> ListedChoice:
        self.close()
        ways = self.ways or ([()] if self.fixed else [])
        loadouts = tuple(dict.fromkeys(Loadout(tuple(dict.fromkeys((*self.fixed, *way)))) for way in ways))
        return ListedChoice(self.card.id, loadouts, self.counts, self.marks)


class SelectionReader:
    """Reads one team's selection text."""

    def __init__(self, cards: Sequence[CardWords], team: Sequence[str]) -> None:
        self.cards = list(cards)
        shared = [set(name_words(card.name)) | {w for k in card.keywords for w in name_words(k)} for card in cards]
        common = set.intersection(*shared) if shared else set()
        self.team = frozenset(common | {word for each in team for word in name_words(each)})
        self.slots: list[tuple[int, list[_Entry]]] = []
        self.least: dict[int, int] = {}
        self.current: list[_Entry] = []
        self.limits: list[Limit] = []
        self.unread: list[str] = []
        self.every: list[_Entry] = []
        self.marked: dict[str, list[str]] = {}

    def read(self, text: str, options: Sequence[TeamOption] = ()) -> Composition:
        for line in _lines(text):
            self._line(line)
        slots = []
        for index, (count, entries) in enumerate(self.slots):
            if entries:
                slots.append(Slot(count, tuple(each.choice() for each in entries), self.least.get(index, -1)))
        return Composition(tuple(slots), tuple(self.limits), tuple(options), tuple(self.unread))

    # -- lines ---------------------------------------------------------------------------------------

    def _line(self, line: str) -> None:
        bullet = re.match(r"\s*[-•]\s*(.*)", line)
        text = (bullet[1] if bullet else line).strip()
        if not text or set(text) <= set("-* "):
            return
        if re.match(r"(?:or )?(?:one option|the following|one of the following)", text, re.IGNORECASE) and self.current:
            self._or(text)
        elif bullet:
            self._bullet(text)
        else:
            self._sentences(text)

    def _bullet(self, text: str) -> None:
        header = re.match(r"(\w+)\s+(.*)", text)
        count = number(header[1]) if header else None
        if self.current and self.current[0].mode and count is None and self._option(text):
            return
        if header is not None and count is not None:
            self._header(count, header[2], text)
        elif not self._member(text) and not (self.current and self._option(text, forced=True)):
            self.unread.append(text)

    def _header(self, count: int, rest: str, text: str) -> None:
        if re.search(r"selected from the (?:list above|following lists? above)", rest, re.IGNORECASE):
            above = next((entries for _, entries in reversed(self.slots) if entries), [])
            self.slots.append((count, list(above)))
            self.unread.append(text)
            return
        if re.search(r"selected from|from the following", rest, re.IGNORECASE):
            self.slots.append((count, []))
            self._close()
            return
        self.slots.append((count, []))
        if not self._member(rest):
            self.slots.pop()
            self.unread.append(text)

    def _member(self, text: str) -> bool:
        """A datacard, with its weapons or a list of options to follow."""
        name, _, rest = _without_marks(text).partition(" with ")
        card = card_named(_COUNTS.sub("", re.split(r"[(:]", name)[0]), self.cards, self.team)
        if card is None or not self.slots:
            return False
        weight = _COUNTS.search(text)
        counts = _WEIGHTS[weight[1].lower()] if weight else Fraction(1)
        entry = _Entry(card, _marks(text), counts, slot=len(self.slots) - 1)
        if rest and not self._equip([entry], rest):
            return False
        self._close()
        self.slots[-1][1].append(entry)
        self.every.append(entry)
        self.current = [entry]
        return True

    def _equip(self, entries: list[_Entry], rest: str) -> bool:
        """What comes after 'with': fixed weapons, a list to follow, or both."""
        rest = _COUNTS.sub("", rest).strip(" :.")
        mode = ""
        for pattern, found in (
            (r"one option from each of the following.*$", "each"),
            (r"one of the following.*$", "one"),
            (r"the following(?: options?)?.*$", "one"),
        ):
            if match := re.search(pattern, rest, re.IGNORECASE):
                rest, mode = rest[: match.start()], found
                break
        pieces = [
            each for each in re.split(r"[;,]| and (?!.*\band\b)| and ", rest) if name_words(each) not in ([], ["and"])
        ]
        for entry in entries:
            for piece in pieces:
                if re.search(r"psychic weapons on (?:their|its) datacard", piece, re.IGNORECASE):
                    entry.fixed += entry.card.psychic
                    continue
                weapon = weapon_named(piece, entry.card)
                if weapon is None:
                    whole = weapon_named(rest, entry.card)
                    if whole is None:
                        return False
                    entry.fixed = [whole]
                    break
                entry.fixed.append(weapon)
            entry.mode = mode
        return True

    def _or(self, text: str) -> None:
        for entry in self.current:
            entry.close()
            entry.mode = "each" if "each" in text.lower() else "one"

    def _option(self, text: str, forced: bool = False) -> bool:
        """A line of weapons for the operatives being equipped."""
        marks = _marks(text)
        if re.match(r"or (?:the following|one)", text, re.IGNORECASE):
            self._or(text)
            return True
        plain = _without_marks(text)
        read = [self._ways(plain, entry) for entry in self.current]
        if not all(read):
            return False
        for entry, found in zip(self.current, read, strict=True):
            if entry.mode == "each":
                entry.groups.append(
                    [weapon for way in found for weapon in way] if _is_list(plain) else [w for (w,) in found]
                )
            else:
                entry.ways += found
            if marks:
                self._mark_weapons(marks, found)
        return True

    def _ways(self, text: str, entry: _Entry) -> list[tuple[str, ...]]:
        """The loadouts one line gives: 'A or B; C' is two. In a list to choose from, each name is one."""
        whole = weapon_named(text, entry.card)
        if whole is not None and name_words(whole) == name_words(text):
            return [(whole,)]
        if entry.mode == "each":
            names = [each for each in re.split(r",| or |;", text) if name_words(each)]
            found = [weapon_named(each, entry.card) for each in names]
            return [(each,) for each in found if each] if all(found) and names else []
        parts = [each for each in (text.split(";") if ";" in text else text.split(",")) if name_words(each)]
        groups = []
        for part in parts:
            names = [each for each in re.split(r" or |,", part) if name_words(each)]
            found = [weapon_named(each, entry.card) for each in names]
            if not all(found):
                return []
            groups.append([each for each in found if each])
        return list(product(*groups)) if groups else []

    def _mark_weapons(self, marks: tuple[str, ...], ways: list[tuple[str, ...]]) -> None:
        """A footnote at an option is about its first weapon."""
        for mark in marks:
            self.marked.setdefault(mark, []).append(ways[0][0].lower())

    def _close(self) -> None:
        for entry in self.current:
            entry.close()
            entry.mode = ""
        self.current = []

    # -- sentences -----------------------------------------------------------------------------------

    def _sentences(self, text: str) -> None:
        note = re.match(r"(\(\s*(?:\d|[Xx])\s*\)|\*+)\s*:?\s*(.*)", text)
        mark = _mark(note[1]) if note else ""
        body = note[2] if note else text
        if mark and re.match(r"with\b", body, re.IGNORECASE):
            entries = [each for each in self.every if mark in each.marks]
            self._close()
            if entries and self._equip(entries, re.sub(r"^with\s+", "", body, flags=re.IGNORECASE)):
                self.current = entries
                return
            self.unread.append(text)
            return
        self._close()
        for sentence in re.split(r"(?<=[.!])\s+(?=[A-Z(*])", body):
            self._sentence(sentence.strip(), mark)

    def _sentence(self, sentence: str, mark: str) -> None:
        if match := re.search(r"composed of (\w+) ", sentence):
            count = number(match[1])
            if count is not None:
                self.slots.append((count, []))
            return
        if weight := re.match(
            r"these operatives count as (half a|one|two|three) selections?(?: each)?", sentence, re.IGNORECASE
        ):
            for entry in self.every:
                if mark in entry.marks:
                    entry.counts = _WEIGHTS[weight[1].lower()]
            return
        if swap := re.match(r"up to (\w+) times, instead of taking one of these", sentence, re.IGNORECASE):
            for index in {each.slot for each in self.every if mark in each.marks}:
                self.least[index] = max(0, self.slots[index][0] - (number(swap[1]) or 0))
            return
        found = read_limit(sentence, mark, self._types, self.marked.get(mark, []))
        if found is None:
            self.unread.append(sentence)
        else:
            self.limits += found

    def _types(self, name: str) -> tuple[str, ...]:
        """The datacards on the lists that *name* means: a name on a list, or a keyword."""
        wanted = [word for word in name_words(name) if word not in self.team] or name_words(name)
        listed = {each.card.id: each.card for each in self.every}.values()
        exact = [card for card in listed if [w for w in name_words(card.name) if w not in self.team] == wanted]
        if exact:
            return tuple(card.id for card in exact)
        by_keyword = [card for card in listed if any(name_words(word) == wanted for word in card.keywords)]
        if by_keyword:
            return tuple(card.id for card in by_keyword)
        return tuple(
            card.id
            for card in listed
            if all(any(_like(word, each) for each in name_words(card.name)) for word in wanted)
        )


def _is_list(text: str) -> bool:
    return re.search(r",| or ", text) is not None


def _mark(text: str) -> str:
    return re.sub(r"[()\s]", "", text).lower()


def _marks(text: str) -> tuple[str, ...]:
    found: list[str] = []
    for match in _MARK.finditer(_COUNTS.sub("", text)):
        found += [_mark(each) for each in match[0].split(",")]
    return tuple(found)


def _without_marks(text: str) -> str:
    return re.sub(r"\s+", " ", _MARK.sub("", text)).strip(" :.")


def _lines(text: str) -> list[str]:
    """Lines without markup. A text that was run together is cut at its bullets."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").replace("’", "'").replace("\xa0", " ")
    text = re.sub(r"\*\*|__|<[^<>]{0,20}>", "", text)
    text = re.sub(r"\*(\([\dXx, ]+\))\*", r"\1", text)
    if text.count("\n") < 3:
        text = re.sub(r" {2,}- ", "\n  - ", re.sub(r" - (?=\d+ )", "\n- ", text))
    found: list[str] = []
    for line in text.split("\n"):
        stripped = line.strip()
        if (
            found
            and stripped
            and not re.match(r"[-•(*]", stripped)
            and found[-1].strip().endswith((",", " and", " or"))
        ):
            found[-1] = f"{found[-1]} {stripped}"
        else:
            found.append(line)
    return [line for line in found if line.strip()]
