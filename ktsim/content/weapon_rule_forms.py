"""How weapon rules are printed: the forms both editions know, and reading one from text.

What a rule does is decided by the rules of an edition, and what it means for choosing a target by sight; both read
the printed text through here, so that a scene file and a team file take the same words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache

from ktsim.content.plugins import load_plugins

INCH = "\"|″|”|“|''|′′|inch(?:es)?"
"""What may stand after a distance."""

MOVES = ("Charge", "Dash", "Fall Back", "Reposition")
"""The moves that a Heavy weapon may allow."""

NUMBERS = (1, 99)
LIMITS = {"Lethal {x}+": (2, 6)}
"""The least and the most of the number in a form, where a die bounds it."""

AT_CONTACT = ("Torrent {d}",)
"""Forms whose distance may be 0: bases that touch."""

FORMS: dict[str, tuple[str, ...]] = {
    "kt24": (
        *("Balanced", "Blast {d}", "Lethal {x}+", "Relentless", "Rending", "Silent", "Torrent {d}", "Accurate {x}"),
        *("Brutal", "Ceaseless", "Devastating {x}", "{d} Devastating {x}", "Heavy", "Heavy ({word} only)", "Hot"),
        *("Limited {x}", "Piercing {x}", "Piercing Crits {x}", "Punishing", "Range {d}", "Saturate", "Seek"),
        *("Seek Light", "Severe", "Shock", "Stun"),
        *("Ammo Resupply", "Team Limited {x}"),  # given by equipment
    ),
    "kt21-lite": (
        *("Balanced", "Lethal {x}+", "Relentless", "Rending", "Silent", "Torrent {d}", "AP{x}", "Barrage"),
        *("Blast {d}", "Brutal", "Ceaseless", "Fusillade", "Heavy", "Hot", "Indirect", "Limited", "MW{x}"),
        *("No Cover", "P{x}", "Reap {x}", "Rng {d}", "Splash {x}", "Stun", "Unwieldy"),
    ),
}
"""By edition. ``{x}`` is a number, ``{d}`` a distance in inches, ``{word}`` a move."""


def add_form(edition: str, form: str) -> None:
    """Another form, which a package brings."""
    FORMS[edition] = (*FORMS[edition], form)
    read_any.cache_clear()


@lru_cache(maxsize=1)
def load_brought() -> None:
    """Have packages register the weapon rules they bring: loading such a module does it."""
    load_plugins("ktsim.weapon_rules", lambda name, loaded: None)


@dataclass(frozen=True)
class Printed:
    """A weapon rule as printed: its form and the values in it."""

    form: str
    values: tuple[int | float | str, ...]

    @property
    def text(self) -> str:
        """The form with its values filled in, whatever the capitals and inch marks were."""
        text = self.form
        for value in self.values:
            mark = '"' if re.match(r"[^{]*\{d\}", text) else ""
            text = re.sub(r"\{\w+\}", f"{value}{mark}", text, count=1)
        return text


@lru_cache(maxsize=256)
def pattern_of(form: str) -> re.Pattern[str]:
    """What text a form is read from. A blank before a number may be left out, as in ``Rng6``."""
    pattern = re.escape(form).replace(r"\ \{x\}", r"\{x\}").replace(r"\ \{d\}", r"\{d\}")
    pattern = pattern.replace(r"\{x\}", r"\s*(\d{1,2})").replace(r"\{d\}", rf"\s*(\d{{1,2}}(?:\.\d+)?)\s*(?:{INCH})?")
    pattern = pattern.replace(r"\{word\}", r"([a-z][a-z -]*?)").replace(r"\ ", r"\s+")
    return re.compile(pattern, re.IGNORECASE | re.ASCII)


def read(text: str, forms: Iterable[str]) -> Printed | str:
    """The rule printed as *text* in one of *forms*, else a sentence that says what is wrong and what would be right."""
    words = " ".join(text.split())
    for form in forms:
        if match := pattern_of(form).fullmatch(words):
            values = tuple(_value(group) for group in match.groups())
            return _wrong_value(words, form, values) or Printed(form, values)
    near = shown(_nearest(words, forms))
    return f"unknown weapon rule {words[:64]!r}; the nearest known one is {near!r}"


@lru_cache(maxsize=1024)
def read_any(text: str) -> Printed | str:
    """The same in the forms of any edition; where none is known, packages may bring one."""
    if isinstance(found := read(text, _all_forms()), str):
        load_brought()
        found = read(text, _all_forms())
    return found


def _all_forms() -> tuple[str, ...]:
    return tuple(dict.fromkeys(form for forms in FORMS.values() for form in forms))


def shown(form: str) -> str:
    """A form as a person would write it."""
    return form.replace("{x}", "x").replace("{d}", 'x"').replace("{word}", "action")


def _value(group: str) -> int | float | str:
    if group.isdigit():
        return int(group)
    return float(group) if re.fullmatch(r"\d+\.\d+", group) else group.strip().title()


def _wrong_value(words: str, form: str, values: tuple[int | float | str, ...]) -> str | None:
    """Why a value makes no such rule."""
    for kind, value in zip(re.findall(r"\{(\w+)\}", form), values, strict=True):
        what = f"weapon rule {words[:64]!r}:"
        if kind == "word" and value not in MOVES:
            return f"{what} {value} is no move; {', '.join(MOVES)} are"
        if kind == "d" and isinstance(value, (int, float)) and value <= 0 and form not in AT_CONTACT:
            return f"{what} the distance is more than 0"
        least, most = LIMITS.get(form, NUMBERS)
        if kind == "x" and isinstance(value, int) and not least <= value <= most:
            return f"{what} the number is from {least} to {most}"
    return None


def _nearest(words: str, forms: Iterable[str]) -> str:
    known = {form.lower(): form for form in forms}
    return known[get_close_matches(words.lower()[:64], known, n=1, cutoff=0.0)[0]]
