"""Which weapons and weapon rules the names in team rules mean."""

from __future__ import annotations

from ktsim.rules.engine.cards import Profile

KINDS = ("ranged", "melee", "psychic")
"""Words for weapons that narrow names down; of several names any will do."""


def is_weapon(weapon: Profile, name: str) -> bool:
    """Whether a weapon is meant: by its kind, its name, a part of it (``*part*``), with its profile (``name/profile``)
    or by a trait. ``*/profile`` is that profile of any weapon."""
    wanted = name.lower()
    if wanted.startswith("not "):
        return not is_weapon(weapon, wanted[4:])
    if wanted in ("all", weapon.kind) or wanted in weapon.traits:
        return True
    own, _, profile = weapon.name.lower().partition(" (")
    profile = profile.rstrip(")") if "/" in weapon.key else ""
    own = own if profile else weapon.name.lower()
    base, _, part = wanted.partition("/")
    if part and part != profile:
        return False
    if base == "*":
        return True
    if base.startswith("*") and base.endswith("*"):
        return base.strip("*") in own
    return base == own


def has_better(own: Profile, given: Profile) -> bool:
    """Whether *own* is a better version of the weapon that is *given*."""
    return own.name.lower() == given.name.lower() and own.is_as_good(given)


def is_rule(text: str, name: str) -> bool:
    """Whether a weapon rule as printed is meant by ``Piercing``, ``Piercing 1``, ``x" Devastating x``."""
    if name.lower().startswith('x" '):
        word = name[3:].removesuffix(" x").lower()
        return '" ' in text and text.partition('" ')[2].lower().startswith(word)
    return text.lower() == name.lower() or text.lower().startswith(f"{name.lower()} ")
