"""Terrain as players call it: ``stronghold-a/broken rampart 2`` is "stronghold A (broken rampart 2)" to them.

The engine, files and everything written for other programs use ids; what people read goes through :func:`readable`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from ktsim.sight.scene import Terrain

_SIGNS = re.compile(r"[-_+]")


def plain_words(id: str) -> str:
    """An id in words: ``light-rubble-2`` is "light rubble 2", ``long-wall-1-2`` "long wall 1-2", ``stronghold-a``
    "stronghold A", ``long-gantry-1+short-gantry-2`` "long gantry 1 and short gantry 2"."""
    words = re.sub(r"(?<!\d)[-_]|[-_](?!\d)", " ", id).replace("+", " and ").strip()
    return re.sub(r"(?<=\w )([a-z])$", lambda found: found[1].upper(), words)


def titled_words(id: str) -> str:
    """The id of a piece or the stem of a file as words."""
    words = plain_words(id)
    return words[:1].upper() + words[1:]


def part_name(key: str) -> str:
    """A feature by its id, or one of its parts by ``feature/part``; a part the feature's own name tells of is not
    named beside it."""
    feature, _, part = key.partition("/")
    for member in feature.split("+") if "+" in feature else ():
        if part.startswith(f"{member} "):  # features that stand together name their parts after themselves
            feature, part = member, part.removeprefix(f"{member} ")
    name, named = plain_words(feature), plain_words(part)
    if named.isdigit():  # one of several that are alike, such as smoke
        return f"{name} {named}"
    is_told = not named or set(named.lower().split()) <= set(name.lower().split())
    return name if is_told else f"{name} ({named})"


_COSTS = re.compile(r"(?<=\d)(?=(?:AP|CP|VP)\b)")


def spaced(text: str) -> str:
    """AP, CP and VP as people read them: ``2AP`` is "2 AP"."""
    return _COSTS.sub(" ", text)


def readable(text: str, terrain: Terrain) -> str:
    """A sentence of the engine with the terrain's ids in words; a name that begins a sentence has a capital, but not
    one before a colon: that is a name still. AP, CP and VP stand apart from their number."""
    text = spaced(text)

    def named(found: re.Match[str]) -> str:
        key = found[0]
        name = part_name(key[0].lower() + key[1:])
        before = text[: found.start()].rstrip(" ")
        begins = not before or before.endswith((".", "\n"))
        is_capital = key[0].isupper() or (begins and text[found.end() : found.end() + 1] != ":")
        return name[:1].upper() + name[1:] if is_capital else name

    # What is left of that kind is the base of an operative, which has an id like a part of terrain.
    return _ids_of(terrain).sub(named, text).replace("/base", "'s base")


@lru_cache(maxsize=16)
def _ids_of(terrain: Terrain) -> re.Pattern[str]:
    """Finds the ids of terrain and smoke in text, the longest first, with a capital too where one begins a sentence. An
    id that is a word like any other stays as it is."""
    keys = {
        part.key
        for feature in terrain.features
        for parts in (feature.parts, *feature.states.values())
        for part in parts
    }
    ids = {feature.id for feature in terrain.features} | {area.id for area in terrain.areas}
    keys |= {id for id in ids if _SIGNS.search(id)}
    sorted_keys = sorted(keys, key=len, reverse=True)
    either = "|".join([r"[Ss]moke/\d+", *(f"(?i:{re.escape(key[0])}){re.escape(key[1:])}" for key in sorted_keys)])
    return re.compile(rf"(?<![\w/+-])(?:{either})(?![\w/+]|-\w)")
