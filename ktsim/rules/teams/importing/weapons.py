"""Weapons of the community JSON: profiles, and weapon rules by id and number turned into their printed form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.teams.fields import TEXT_LIMIT
from ktsim.rules.teams.importing.report import Report
from ktsim.rules.teams.importing.values import Names, Row, described, many_lines, one_line
from ktsim.rules.teams.team_file import ATK_LIMITS, HIT_LIMITS

WEAPONS, PROFILES, RULES = 40, 8, 12
"""At most this many of each are read: weapons of an operative, profiles of a weapon, rules of a profile."""

PROFILE_BUDGET = 800
"""How many profiles a team may have in all, so that its file stays one that can be opened."""

_UNIVERSAL = re.compile(r"WR-UNIV-([A-Z][A-Z -]{1,30})", re.IGNORECASE)
_RANGED_RULES = ("Range", "Blast", "Torrent", "Saturate", "Seek", "Piercing", "Silent", "Heavy", "Hot")
_MELEE_RULES = ("Brutal", "Shock")
"""Rules that only weapons of the one kind have, for files that do not say which it is."""

_MELEE_WORDS = re.compile(
    r"stave|staff|sword|blade|knife|axe|fist|claw|maul|hammer|dagger|whip|spear|glaive|club|talon|rod|teeth|jaws|gauntlet",
    re.IGNORECASE,
)
TRAITS = ("Psychic",)
"""Rules that do nothing by themselves: other rules speak of weapons that have them."""

_SHORT = {"rng": "Range", "dev": "Devastating", "repos": "Reposition", "crit": "Crits", "hvy": "Heavy", "p": "Piercing"}
_MOVES = re.compile(r"\W*(dash|repos\w*|charge|fall ?back)(?:\s+only)?\W*", re.IGNORECASE)


@dataclass(frozen=True)
class WordedRule:
    """A weapon rule some file describes in words, so that it can be shown."""

    name: str
    text: str


def worded_rules(top: Row) -> dict[str, WordedRule]:
    """The weapon rules a document describes, by id."""
    found = {}
    for row in top.rows("weapon_rules", 200):
        id, name = row.name("id"), row.name("name")
        if id and name:
            found[id] = WordedRule(name, row.text("description"))
    return found


def starred_rules(top: Row) -> dict[str, WordedRule]:
    """Weapon rules that a file describes as abilities with a star before their name, by that name in small letters."""
    found = {}
    listed = top.data.get("opTypes")
    for operative in listed[:200] if isinstance(listed, list) else ():
        abilities = operative.get("abilities") if isinstance(operative, dict) else None
        for ability in abilities[:40] if isinstance(abilities, list) else ():
            name = ability.get("abilityName") if isinstance(ability, dict) else None
            text = ability.get("description") if isinstance(ability, dict) else None
            if isinstance(name, str) and name.startswith("*") and isinstance(text, str):
                title = one_line(name.strip("* "))
                found[title.lower()] = WordedRule(title, many_lines(text[:TEXT_LIMIT]))
    return found


@dataclass
class WeaponReader:
    """Reads weapons for one edition. What *worded* knows of rules the edition has not is shown to the player."""

    edition: EditionRules
    worded: Mapping[str, WordedRule]
    report: Report
    starred: Mapping[str, WordedRule] = field(default_factory=dict)
    left: int = PROFILE_BUDGET
    _seen: set[str] = field(default_factory=set)
    _known: dict[tuple[str, str, str, str], str | None] = field(default_factory=dict)

    def weapons(self, owner: str, row: Row) -> tuple[list[dict[str, Any]], dict[str, WordedRule]]:
        """The weapons of an operative as team files have them, and which rules of theirs are only shown."""
        found: list[dict[str, Any]] = []
        shown: dict[str, WordedRule] = {}
        names = Names()
        for each in row.rows("weapons", WEAPONS):
            if self.left <= 0:
                each.report.fail(each.place, f"left out: a team has at most {PROFILE_BUDGET} weapon profiles")
                break
            weapon = self._weapon(owner, each, names, shown)
            if weapon is not None:
                found.append(weapon)
        return found, shown

    def _weapon(self, owner: str, row: Row, names: Names, shown: dict[str, WordedRule]) -> dict[str, Any] | None:
        name = row.name("wepName")
        if not name:
            row.report.fail(row.place, "weapon left out: it has no name")
            return None
        name = names.unique(name)
        own = Names()
        profiles = []
        kinds = [row.data.get("wepType")]
        for each in row.rows("profiles", PROFILES, required=True):
            profile = self._profile(f"{owner}, {name}", each, own, shown)
            if profile is not None:
                profiles.append(profile)
                kinds.append(each.data.get("wepType"))
        kind = _kind(row, name, profiles, kinds)
        if kind is None or not profiles:
            row.report.fail(row.place, f"weapon '{name}' of {owner} left out: nothing of it can be used")
            return None
        self.left -= len(profiles)
        if len(profiles) == 1:
            [only] = profiles
            suffix = only.pop("name")
            return {"name": name if not suffix else one_line(f"{name} ({suffix})"), "kind": kind, **only}
        for number, profile in enumerate(profiles, 1):
            profile["name"] = profile["name"] or own.unique(f"profile {number}")
        return {"name": name, "kind": kind, "profiles": profiles}

    def _profile(self, weapon: str, row: Row, names: Names, shown: dict[str, WordedRule]) -> dict[str, Any] | None:
        name = "" if row.data.get("profileName") in ("", None) else row.name("profileName")
        atk, hit = row.whole("ATK", *ATK_LIMITS), row.whole("HIT", *HIT_LIMITS)
        damage = row.damage("DMG")
        if atk is None or hit is None or damage is None:
            row.report.fail(row.place, f"profile of {weapon} left out: it needs ATK, HIT and DMG")
            return None
        rules: list[str] = []
        unknown: list[str] = []
        traits: list[str] = []
        for each in self._listed(row):
            text = self.printed(each)
            if text in TRAITS:
                traits.append(str(text).lower())
                continue
            if text is not None:
                rules.append(text)
                continue
            id = str(each.data.get("id", each.data.get("text")))
            named = self.starred.get(id.rpartition("-")[2].lower())
            rule = self.worded.get(id) or named or WordedRule(one_line(id.removeprefix("WR-")) or "?", "")
            if rule.text:
                shown[id] = rule
            elif "text" in each.data:
                row.fail("WR", f"is {each.data['text']!r:.60}, a weapon rule of {weapon} not known; its name is kept")
            else:
                each.fail("id", f"{described(each.data, 'id')}, a weapon rule of {weapon} not known; its name is kept")
            unknown.append(_with_number(rule.name, each))
        found = {"name": names.unique(name) if name else "", "atk": atk, "hit": hit, "damage": damage}
        found |= {"rules": list(dict.fromkeys(rules))} if rules else {}
        found |= {"traits": list(dict.fromkeys(traits))} if traits else {}
        # What a rule that is not enforced takes back is not known: bots leave the weapon alone, people see a mark.
        return found | ({"shown": list(dict.fromkeys(unknown)), "unclear": True} if unknown else {})

    def _listed(self, row: Row) -> Iterator[Row]:
        """The weapon rules of a profile: objects, texts, or one text with commas (``Rng 8", Dev2``)."""
        value = row.data.get("WR")
        if isinstance(value, list) and value and all(isinstance(each, str) for each in value):
            value = ", ".join(value)
        if not isinstance(value, str):
            yield from row.rows("WR", RULES)
            return
        for number, text in enumerate(re.split(r",(?![^()]*\))", value[:400])):
            if text.strip(" -") and number < RULES:
                yield Row({"text": one_line(text)}, f"{row.at('WR')}[{number}]", row.report)

    def printed(self, row: Row) -> str | None:
        """A universal weapon rule as the edition prints it; ``None`` for one it does not have."""
        if isinstance(written := row.data.get("text"), str):
            return self._written(written)
        id = row.data.get("id")
        match = _UNIVERSAL.fullmatch(id) if isinstance(id, str) else None
        if match is None:
            return None
        name = match[1].replace("-", " ").title()
        if name in TRAITS:
            self._seen.add(name)
            return name
        key = (name, _number(row), _details(row), _whole(row, "prefix_num"))
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def known_rules(self) -> list[str]:
        """Every universal weapon rule that was met, as printed."""
        return sorted({text for text in self._known.values() if text is not None} | self._seen)

    def _written(self, text: str) -> str | None:
        """A rule written out, words shortened or not."""
        words = re.sub(r"([A-Za-z])(\d)", r"\1 \2", text)
        words = re.sub(r"[A-Za-z]+", lambda word: _SHORT.get(word[0].lower(), word[0]), words)
        if words.title() in TRAITS:
            return words.title()
        if match := re.fullmatch(r"Heavy\s*\((.+?)\)", words, re.IGNORECASE):
            return self._find("Heavy", "", match[1], "")
        rule = self.edition.weapon_rules.find(words)
        if rule is None:
            return None
        self._seen.add(rule.text)
        return rule.text

    def _find(self, name: str, number: str, details: str, prefix: str) -> str | None:
        """The first printed form that says everything given: nothing may be dropped silently."""
        for text in _forms(name, number, details, prefix):
            rule = self.edition.weapon_rules.find(text)
            if rule is not None:
                return rule.text
        return None


def _number(row: Row) -> str:
    """The number of a weapon rule without its unit; empty when there is none."""
    return _whole(row, "number")


def _whole(row: Row, name: str) -> str:
    value = row.data.get(name)
    is_torrent = "TORRENT" in str(row.data.get("id", "")).upper()
    if value is None or value is False or value == "" or (value == 0 and not is_torrent):
        return ""
    text = f"{value:g}" if isinstance(value, float) else str(value)[:40]
    return text.strip().rstrip('+"″”').strip()


def _details(row: Row) -> str:
    value = row.data.get("details")
    return "" if value is None else one_line(str(value)[:64])


def _forms(name: str, number: str, details: str, prefix: str) -> Iterator[str]:
    """The ways a rule with that name, number and detail may be printed; *prefix* is a distance before it."""
    if prefix:
        yield f'{prefix}" {name} {details} {number}'.strip()
    elif name == "Heavy" and (move := _MOVES.fullmatch(details)):
        yield f"Heavy ({'Reposition' if move[1].lower().startswith('repos') else move[1].title()} only)"
    elif details:
        yield f"{name} {details} {number}".strip()
        yield f"{details} {name} {number}".strip()
        if not number:
            yield f"{name} ({details} only)"
            yield f"{name} ({details})"
    elif number:
        yield f"{name} {number}"
        yield f"{name} {number}+"
    else:
        yield name


def _with_number(name: str, row: Row) -> str:
    return one_line(f"{name} {_number(row)}")


def _kind(row: Row, name: str, profiles: list[dict[str, Any]], kinds: list[Any]) -> str | None:
    """Ranged or melee, as the weapon or its profiles say; for other types (equipment, psychic) by rules and name."""
    for given in kinds:
        if given in ("R", "r", "M", "m"):
            return "ranged" if given in ("R", "r") else "melee"
    rules = [rule for profile in profiles for rule in profile.get("rules", ())]
    if any(given in ("E", "P", "e", "p") for given in kinds):
        if any(rule.split()[0] in _RANGED_RULES for rule in rules):
            return "ranged"
        if any(rule.split()[0] in _MELEE_RULES for rule in rules) or _MELEE_WORDS.search(name):
            return "melee"
        return "ranged"
    row.fail("wepType", f"{described(row.data, 'wepType')}; it is 'R' for ranged or 'M' for melee")
    return None


def profile_words(weapon: Mapping[str, Any], profile: Mapping[str, Any]) -> str:
    """A profile of a weapon as people read it."""
    normal, critical = profile["damage"]
    rules = "".join(f", {rule}" for rule in profile.get("rules", ()))
    return f"{weapon['kind']}, Atk {profile['atk']}, Hit {profile['hit']}+, Dmg {normal}/{critical}{rules}"


_TABLE = re.compile(r"\|\s*([A-Z][^|]{2,40}?)\s*\|\s*(\d{1,2})\s*\|\s*(\d)\+?\s*\|\s*(\d{1,2}/\d{1,2})\s*\|([^|]*\|)*")


def listed_weapons(row: Row) -> list[Any]:
    """The weapons of a piece of equipment: its list, or the table in its description with rules after each weapon."""
    given = row.data.get("weapons")
    if isinstance(given, list) and given:
        return given
    text = row.data.get("description")
    if not isinstance(text, str) or "|" not in text:
        return []
    found: list[Any] = []
    is_melee = re.search(r"\bmelee weapon", text, re.IGNORECASE) is not None
    for line in text[:4000].splitlines():
        if match := _TABLE.match(line.strip()):
            profile = {"profileName": "", "ATK": match[2], "HIT": f"{match[3]}+", "DMG": match[4], "WR": ""}
            found.append({"wepName": match[1], "wepType": "M" if is_melee else "R", "profiles": [profile]})
        elif found and re.match(r"\|\s*[A-Z0-9][^|]*\|", line.strip()) and "Weapon Rules" not in line:
            found[-1]["profiles"][0]["WR"] = line.strip().strip("|").split("|")[0]
    return found
