"""What each rule id is called and says. Read once, from ``assets/rules.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

from ktsim import paths
from ktsim.content.yaml_tree import read_tree


@dataclass(frozen=True)
class Entry:
    """A rule in our own words; *edition* is ``kt24``, ``kt21-lite`` or ``both``."""

    title: str
    text: str
    edition: str


@lru_cache(maxsize=1)
def entries() -> Mapping[str, Entry]:
    """Every rule by its id, in the order of the file."""
    document = read_tree(paths.assets() / "rules.yaml").plain()
    return MappingProxyType({id: Entry(**entry) for id, entry in document.items()})


def title(id: str) -> str:
    """The name of a rule."""
    return entries()[id].title


def text(id: str) -> str:
    """One or two sentences that say what a rule does."""
    return entries()[id].text
