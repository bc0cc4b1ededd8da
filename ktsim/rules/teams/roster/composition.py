"""Who may be in a kill team: slots, loadouts and limits as values, why a roster is not legal, and one that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import product

MOST = 20
"""The most operatives a roster may have."""


@dataclass(frozen=True)
class RosterOperative:
    """One operative of a roster: its datacard's id, its own name, the weapons it takes and what was chosen for it.

    *model* and *height* (in inches) are those of its miniature where they are not the datacard's.
    """

    type: str
    name: str = ""
    weapons: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    model: str = ""
    height: float = 0.0


@dataclass(frozen=True)
class Loadout:
    """The weapons of one way to equip an operative, by name."""

    weapons: tuple[str, ...]


@dataclass(frozen=True)
class ListedChoice:
    """One line of a list: a datacard with the loadouts it may have there (none given: all of its weapons).

    *counts* is how many selections it is; *marks* are the footnotes it has.
    """

    type: str
    loadouts: tuple[Loadout, ...] = ()
    counts: Fraction = Fraction(1)
    marks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Slot:
    """So many selections from a list; *least* when some of them may be left out."""

    count: int
    choices: tuple[ListedChoice, ...]
    least: int = -1

    @property
    def fewest(self) -> int:
        return self.count if self.least < 0 else self.least


@dataclass(frozen=True)
class Limit:
    """At least and at most so many operatives or weapons of a kind.

    *what* is operatives, weapons, entries (the same line of a list), or loadouts (no two alike); *these* are datacards,
    weapons, or marks beginning with ``#``; empty: every one, *but* those.
    """

    what: str
    most: int = 99
    least: int = 0
    these: tuple[str, ...] = ()
    but: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True)
class TeamOption:
    """Something chosen with the roster: *count* of *choices* for each operative of *types* (none given: for all).

    *is_shared*: the same for all of them; *is_different*: none twice; *barred*: datacards and what they cannot have.
    """

    name: str
    choices: tuple[str, ...]
    count: int = 1
    types: tuple[str, ...] = ()
    is_shared: bool = False
    is_different: bool = False
    barred: tuple[tuple[str, str], ...] = ()

    def concerns(self, type: str) -> bool:
        return not self.types or type in self.types

    def problems(self, roster: Sequence[RosterOperative], names: Mapping[str, str]) -> list[str]:
        """Why what a roster chooses is not legal."""
        found = []
        chosen = set()
        for each in roster:
            own = self.own(each)
            wanted = self.count if self.concerns(each.type) else 0
            if len(own) != wanted or len(set(own)) != len(own):
                found.append(f"{names.get(each.type, each.type)}: {len(own)} of {self.name} chosen; it has {wanted}")
            if wanted:
                chosen.add(tuple(sorted(own)))
        if self.is_shared and len(chosen) > 1:
            found.append(f"{self.name}: all operatives have the same")
        return [*found, *self.excesses(roster, names)]

    def own(self, each: RosterOperative) -> list[str]:
        """What is chosen of it for an operative."""
        return [option for option in each.options if option in self.choices]

    def excesses(self, roster: Sequence[RosterOperative], names: Mapping[str, str]) -> list[str]:
        """What is chosen that cannot be, whatever else is."""
        taken: Counter[str] = Counter()
        found = []
        for each in roster:
            own = self.own(each)
            barred = [option for option in own if (each.type, option) in self.barred]
            found += [f"{names.get(each.type, each.type)}: cannot have {option}" for option in barred]
            taken.update(own)
        if self.is_different:
            found += [f"{self.name}: {option} is chosen {n} times" for option, n in taken.items() if n > 1]
        return found

    def usual(self, type: str, taken: Collection[str]) -> tuple[str, ...]:
        """What an operative has that nobody has chosen for, *taken* being what others have."""
        if not self.concerns(type):
            return ()
        able = [each for each in self.choices if (type, each) not in self.barred]
        free = [each for each in able if not self.is_different or each not in taken]
        return tuple((free or able)[: self.count])


@dataclass(frozen=True)
class Composition:
    """What a team's selection text says, and the sentences of it that were not understood."""

    slots: tuple[Slot, ...]
    limits: tuple[Limit, ...] = ()
    options: tuple[TeamOption, ...] = ()
    unread: tuple[str, ...] = ()

    def check(self, roster: Sequence[RosterOperative], cards: CardNames) -> list[str]:
        """Why *roster* is not legal, in sentences; none when it is."""
        problems = [
            f"{each.type!r} is not an operative of this team" for each in roster if each.type not in cards.names
        ]
        if problems:
            return problems
        problems += self._slot_problems(roster, cards)
        problems += [text for limit in self.limits for text in _limit_problems(limit, roster, self, cards)]
        for each in roster:
            problems += self._loadout_problems(each, cards)
        if any(each.options for each in roster):  # a roster that says nothing of them has them chosen for it
            problems += [text for option in self.options for text in option.problems(roster, cards.names)]
        return list(dict.fromkeys(problems))

    def excesses(self, roster: Sequence[RosterOperative], cards: CardNames) -> list[str]:
        """What of *roster* is not legal and stays so whatever is added to it."""
        kinds = Counter(each.type for each in roster)
        found = [text for each in roster for text in self._loadout_problems(each, cards)]
        found += [text for limit in self.limits for text in _limit_problems(_upper(limit), roster, self, cards)]
        if not _fits_slots(self.slots, kinds, is_full=False):
            wanted = "; ".join(f"{slot.count} of {_some(slot, cards)}" for slot in self.slots)
            found.append(f"there is no room for it in the team's selections: {wanted}")
        if any(each.options for each in roster):
            found += [text for option in self.options for text in option.excesses(roster, cards.names)]
        return list(dict.fromkeys(found))

    def _slot_problems(self, roster: Sequence[RosterOperative], cards: CardNames) -> list[str]:
        kinds = Counter(each.type for each in roster)
        if not self.slots or _fits_slots(self.slots, kinds, is_full=True):
            return []
        allowed = {choice.type for slot in self.slots for choice in slot.choices}
        strangers = [cards.names[kind] for kind in kinds if kind not in allowed]
        if strangers:
            return [f"{', '.join(strangers)}: not on any list of this team"]
        needed = sum(slot.count for slot in self.slots)
        wanted = "; ".join(f"{slot.count} of {_some(slot, cards)}" for slot in self.slots)
        return [f"{len(roster)} operatives do not fill the team's {needed} selections: {wanted}"]

    def _loadout_problems(self, each: RosterOperative, cards: CardNames) -> list[str]:
        if not each.weapons:
            return []
        allowed = [
            loadout
            for slot in self.slots
            for choice in slot.choices
            if choice.type == each.type
            for loadout in choice.loadouts
        ]
        known = cards.weapons.get(each.type, ())
        strange = [name for name in each.weapons if name not in known]
        if strange:
            return [f"{cards.names[each.type]}: has no {', '.join(strange)}"]
        if allowed and not any(set(each.weapons) == set(loadout.weapons) for loadout in allowed):
            ways = " or ".join("; ".join(loadout.weapons) for loadout in allowed[:6])
            return [f"{cards.names[each.type]}: {'; '.join(each.weapons)} is not one of its options: {ways}"]
        return []

    def equipped(self, types: Sequence[str], cards: CardNames) -> list[RosterOperative]:
        """Operatives of these datacards, each with the first of its loadouts that no limit forbids."""
        found: list[RosterOperative] = []
        for type in types:
            listed = [choice for slot in self.slots for choice in slot.choices if choice.type == type]
            ways = [loadout for choice in listed for loadout in choice.loadouts] or [Loadout(())]
            able = [RosterOperative(type, "", way.weapons) for way in ways]
            found.append(next((each for each in able if _fits(self, [*found, each], cards)), able[0]))
        return found

    def default(self, cards: CardNames) -> list[RosterOperative]:
        """A sensible legal roster: one of everything before two of anything, what may come often last."""
        if not self.slots:
            return [RosterOperative(id) for id in list(cards.names)[:MOST]]
        for found in _rosters(self, cards):
            if not self.check(found, cards):
                return found
        return next(_rosters(self, cards), [])


@dataclass(frozen=True)
class CardNames:
    """What a composition needs to know of a team: names and weapons of its datacards by id."""

    names: dict[str, str] = field(hash=False)
    weapons: dict[str, tuple[str, ...]] = field(default_factory=dict, hash=False)
    piercing: dict[tuple[str, str], str] = field(default_factory=dict, hash=False)
    """Weapon rules of weapons that limits speak of, by datacard and weapon."""


def _some(slot: Slot, cards: CardNames) -> str:
    names = list(dict.fromkeys(cards.names.get(choice.type, choice.type) for choice in slot.choices))
    return ", ".join(names[:6]) + (" ..." if len(names) > 6 else "")


def _fits_slots(slots: Sequence[Slot], kinds: Mapping[str, int], *, is_full: bool) -> bool:
    """Whether so many of each datacard go into the slots; *is_full*: so that every slot has what it needs."""
    operatives = [kind for kind, count in kinds.items() for _ in range(count)]
    counts = [{choice.type: choice.counts for choice in slot.choices} for slot in slots]
    tried: set[tuple[int, tuple[Fraction, ...]]] = set()

    def place(number: int, rooms: tuple[Fraction, ...]) -> bool:
        if number == len(operatives):
            pairs = zip(rooms, slots, strict=True)
            return not is_full or all(room <= slot.count - slot.fewest for room, slot in pairs)
        if (number, rooms) in tried:
            return False
        tried.add((number, rooms))
        for index, known in enumerate(counts):
            takes = known.get(operatives[number])
            if takes is not None and takes <= rooms[index]:
                after = (*rooms[:index], rooms[index] - takes, *rooms[index + 1 :])
                if place(number + 1, after):
                    return True
        return False

    return place(0, tuple(Fraction(slot.count) for slot in slots))


def _limit_problems(
    limit: Limit, roster: Sequence[RosterOperative], composition: Composition, cards: CardNames
) -> Iterator[str]:
    text = limit.text or "a limit of the team"
    if limit.what == "entries":
        counts = Counter((each.type, _entry_of(each, composition)) for each in roster)
        for (kind, _), count in counts.items():
            if kind not in limit.but and count > limit.most:
                yield f"{cards.names[kind]} is taken {count} times: {text}"
    elif limit.what == "loadouts":
        alike = Counter((each.type, each.weapons) for each in roster if each.type in limit.these)
        for (kind, _), count in alike.items():
            if count > 1:
                yield f"two {cards.names[kind]} have the same weapons: {text}"
    else:
        if limit.what == "operatives":
            found = sum(_is_meant(each, limit, composition) for each in roster)
        elif limit.what == "weapon-rules":
            rules = [cards.piercing.get((each.type, name), "") for each in roster for name in _taken(each, cards)]
            found = sum(rule in limit.these for rule in rules)
        else:
            found = sum(name.lower() in limit.these for each in roster for name in _taken(each, cards))
            found += sum(_has_mark(each, composition, limit.these) for each in roster)
        if found > limit.most:
            yield f"{found} instead of at most {limit.most}: {text}"
        if found < limit.least:
            yield f"{found} instead of at least {limit.least}: {text}"


def _taken(each: RosterOperative, cards: CardNames) -> tuple[str, ...]:
    return each.weapons or cards.weapons.get(each.type, ())


def _is_meant(each: RosterOperative, limit: Limit, composition: Composition) -> bool:
    return each.type in limit.these or _has_mark(each, composition, limit.these)


def _has_mark(each: RosterOperative, composition: Composition, these: tuple[str, ...]) -> bool:
    marks = {mark for mark in these if mark.startswith("#")}
    if not marks:
        return False
    for slot in composition.slots:
        for choice in slot.choices:
            if choice.type == each.type and marks & {f"#{mark}" for mark in choice.marks}:
                if not choice.loadouts or not each.weapons:
                    return True
                if any(set(loadout.weapons) == set(each.weapons) for loadout in choice.loadouts):
                    return True
    return False


def _entry_of(each: RosterOperative, composition: Composition) -> int:
    """Which line of the lists an operative is, told by its weapons where several lines have its datacard."""
    number = 0
    for slot in composition.slots:
        for choice in slot.choices:
            if choice.type == each.type:
                number += 1
                if not each.weapons or not choice.loadouts:
                    return 0
                if any(set(loadout.weapons) == set(each.weapons) for loadout in choice.loadouts):
                    return number
    return 0


def _rosters(composition: Composition, cards: CardNames) -> Iterator[list[RosterOperative]]:
    """Rosters worth trying: each slot filled in the order of its list, in a few ways."""
    repeatable = _repeatable(composition)
    for ways in product((0, 1, 2, 3), repeat=min(3, len(composition.slots) or 1)):
        found: list[RosterOperative] = []
        for index, slot in enumerate(composition.slots):
            found += _filled(composition, slot, found, cards, ways[min(index, len(ways) - 1)], repeatable)
        yield found


def _repeatable(composition: Composition) -> set[str]:
    once = [limit for limit in composition.limits if limit.what == "entries"]
    kinds = {choice.type for slot in composition.slots for choice in slot.choices}
    return kinds if not once else {kind for kind in kinds if all(kind in limit.but for limit in once)}


def _filled(
    composition: Composition,
    slot: Slot,
    before: list[RosterOperative],
    cards: CardNames,
    way: int,
    repeatable: set[str],
) -> list[RosterOperative]:
    """The slot filled greedily: operatives that may come once first (*way* turns the list), then those that repeat."""
    choices = list(slot.choices)
    turn = (way * max(1, len(choices) // 3)) % max(1, len(choices))
    ordered = choices[turn:] + choices[:turn]
    first = [each for each in ordered if each.type not in repeatable]
    often = [each for each in ordered if each.type in repeatable]
    if way == 3:
        first, often = [], [*often, *first]
    room = Fraction(slot.count)
    found: list[RosterOperative] = []
    for choice in [*first, *(often * slot.count * 2)]:
        if choice.counts > room:
            continue
        for loadout in choice.loadouts or (Loadout(()),):
            each = RosterOperative(choice.type, "", loadout.weapons)
            if _fits(composition, [*before, *found, each], cards):
                found.append(each)
                room -= choice.counts
                break
        if room <= 0:
            break
    return found


def _fits(composition: Composition, roster: list[RosterOperative], cards: CardNames) -> bool:
    """Whether no upper limit is passed so far."""
    return not any(
        True for limit in composition.limits for _ in _limit_problems(_upper(limit), roster, composition, cards)
    )


def _upper(limit: Limit) -> Limit:
    """The limit as far as it says how many there may be."""
    return replace(limit, least=0)
