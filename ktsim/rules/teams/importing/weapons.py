"""Weapons of the community JSON: profiles, and weapon rules by id and number turned into their printed form."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ktsim.rules.engine.edition import EditionRules
from ktsim.rules.teams.importing.report import Report
from ktsim.rules.teams.importing.values import Names, Row, described, one_line
from ktsim.rules.teams.team_file import ATK_LIMITS, HIT_LIMITS

WEAPONS, PROFILES, RULES = 30, 8, 8
"""At most this many of each are read: weapons of an operative, profiles of a weapon, rules of a profile."""

PROFILE_BUDGET = 200
"""How many profiles a team may have in all, so that its file stays one that can be opened."""

_UNIVERSAL = re.compile(r"WR-UNIV-([A-Z][A-Z -]{1,30})", re.IGNORECASE)
_DISTANCE_RULES = ("Range", "Blast", "Torrent")


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


@dataclass
class WeaponReader:
    """Reads weapons for one edition. What *worded* knows of rules the edition has not is shown to the player."""

    edition: EditionRules
    worded: Mapping[str, WordedRule]
    report: Report
    left: int = PROFILE_BUDGET
    _known: dict[tuple[str, str, str], str | None] = field(default_factory=dict)

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
        for each in row.rows("profiles", PROFILES, required=True):
            profile = self._profile(f"{owner}, {name}", each, own, shown)
            if profile is not None:
                profiles.append(profile)
        kind = _kind(row, profiles)
        if kind is None or not profiles:
            row.report.fail(row.place, f"weapon '{name}' of {owner} left out: nothing of it can be used")
            return None
        self.left -= len(profiles)
        for profile in profiles:
            self.report.enforce(_line(owner, name, kind, profile))
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
        for each in row.rows("WR", RULES):
            text = self.printed(each)
            if text is not None:
                rules.append(text)
                continue
            id = str(each.data.get("id"))
            rule = self.worded.get(id, WordedRule(one_line(id.removeprefix("WR-")) or "?", ""))
            if rule.text:
                shown[id] = rule
                self.report.show(f"{weapon}: weapon rule '{rule.name}'")
            else:
                each.fail("id", f"{described(each.data, 'id')}, a weapon rule of {weapon} not known; its name is kept")
            unknown.append(_with_number(rule.name, each))
        found = {"name": names.unique(name) if name else "", "atk": atk, "hit": hit, "damage": damage}
        found |= {"rules": list(dict.fromkeys(rules))} if rules else {}
        return found | ({"shown": list(dict.fromkeys(unknown))} if unknown else {})

    def printed(self, row: Row) -> str | None:
        """A universal weapon rule as the edition prints it; ``None`` for one it does not have."""
        id = row.data.get("id")
        match = _UNIVERSAL.fullmatch(id) if isinstance(id, str) else None
        if match is None:
            return None
        key = (match[1].title(), _number(row), _details(row))
        if key not in self._known:
            self._known[key] = self._find(*key)
        return self._known[key]

    def _find(self, name: str, number: str, details: str) -> str | None:
        """The first printed form that says everything given: nothing may be dropped silently."""
        for text in _forms(name, number, details):
            rule = self.edition.weapon_rules.find(text)
            if rule is not None:
                return rule.text
        return None


def _number(row: Row) -> str:
    """The number of a weapon rule without its unit; empty when there is none."""
    value = row.data.get("number")
    if value in (None, "", 0, False):
        return ""
    text = f"{value:g}" if isinstance(value, float) else str(value)[:40]
    return text.strip().rstrip('+"″”').strip()


def _details(row: Row) -> str:
    value = row.data.get("details")
    return "" if value is None else one_line(str(value)[:64])


def _forms(name: str, number: str, details: str) -> Iterator[str]:
    """The ways a rule with that name, number and detail may be printed."""
    if details:
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


def _kind(row: Row, profiles: list[dict[str, Any]]) -> str | None:
    """Ranged or melee. Other types (equipment) are ranged when a rule of theirs speaks of a distance."""
    given = row.data.get("wepType")
    if given in ("R", "r", "M", "m"):
        return "ranged" if given in ("R", "r") else "melee"
    rules = [rule for profile in profiles for rule in profile.get("rules", ())]
    if given in ("E", "P") and any(rule.split()[0] in _DISTANCE_RULES for rule in rules):
        return "ranged"
    row.fail("wepType", f"{described(row.data, 'wepType')}; it is 'R' for ranged or 'M' for melee")
    return None


def _line(owner: str, name: str, kind: str, profile: dict[str, Any]) -> str:
    title = f"{name} ({profile['name']})" if profile["name"] else name
    normal, critical = profile["damage"]
    rules = "".join(f", {rule}" for rule in profile.get("rules", ()))
    return f"{owner}: {title}, {kind}, Atk {profile['atk']}, Hit {profile['hit']}+, Dmg {normal}/{critical}{rules}"
