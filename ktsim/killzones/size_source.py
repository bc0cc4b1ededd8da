"""Where sizes come from: of every piece and killzone we know whether somebody measured it or we only estimate.

A ``source:`` begins with one of two words and may say more after a comma, such as ``measured, with callipers``.
"""

from __future__ import annotations

from collections.abc import Iterable

from ktsim.content.printable import printable
from ktsim.content.reader import Reader, Sheet

ESTIMATED, MEASURED, PARTLY = "estimated", "measured", "partly measured"


def read_source(reader: Reader, sheet: Sheet) -> str:
    """What a file says about its sizes; estimated unless it says so."""
    text = sheet.text("source", ESTIMATED)
    node = sheet.get("source")
    if node is None or not text:
        return ESTIMATED
    if text.partition(",")[0].strip() not in (ESTIMATED, MEASURED):
        reader.problem(node, f"'source' is '{printable(text)}'; it begins with '{ESTIMATED}' or '{MEASURED}'")
    return text


def is_measured(source: str) -> bool:
    return source.partition(",")[0].strip() == MEASURED


def together(sources: Iterable[str]) -> str:
    """In a word, where the sizes of several things come from: a card says ``sizes: `` and this."""
    measured = [is_measured(source) for source in sources]
    if measured and all(measured):
        return MEASURED
    return PARTLY if any(measured) else ESTIMATED
