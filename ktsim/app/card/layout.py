"""Where everything on a ruling card goes, as plain data: tested without looking at a pixel."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from ktsim import __version__
from ktsim.app.card.view import RulingView, rules_name
from ktsim.app.ui.pen import Rect
from ktsim.sight.part_names import part_name

Measure = Callable[[str, str, float], tuple[float, float]]
"""Width and height of a text of a kind, wrapped at a width (0: not)."""

WIDTH, MARGIN = 1600.0, 16.0
CAPTION_WIDTH, BANNER_HEIGHT, INSET_HEIGHT, LEAST_HEIGHT = 540.0, 112.0, 280.0, 1000.0
PAIR = 80.0
"""What the two operatives and their tags take at the top of the column of words."""
ROW_GAP, ICON, PAD = 8.0, 52.0, 12.0
TITLE, COLUMN_GAP, FOOT_PAD = 24.0, 22.0, 11.0

ICONS = (
    *(("COVER", "shield"), ("OBSCURED", "veil"), ("SMOKE", "smoke"), ("VANTAGE", "steps"), ("WALL", "door")),
    *(("HATCH", "door"), ("HAZARD", "warning"), ("FOOTPRINT", "board"), ("RANGE", "ruler"), ("RNG", "ruler")),
)
SIGHT_ICONS = {
    "SIGHT-7": "eye",
    "SIGHT-9": "warning",
    "SIGHT-14": "line",
    "SIGHT-15": "ruler",
    "SIGHT-17": "ruler",
}
RowKind = Literal["reason", "aside", "warning", "title"]


@dataclass(frozen=True)
class WordRow:
    """A sentence with its rule, if it has one: a reason or a warning in a box, what was set aside as a line of small
    print, or a title over either."""

    rect: Rect
    kind: RowKind
    icon: str
    rule: str
    text: str


@dataclass(frozen=True)
class FootNote:
    """Something a reader needs to check the ruling: its name above its value."""

    rect: Rect
    name: str
    value: str


@dataclass(frozen=True)
class CardLayout:
    """A ruling card: its size, the rectangles of its sections, and every word on it."""

    size: tuple[int, int]
    banner: Rect
    table: Rect
    eye: Rect
    side: Rect
    caption: Rect
    footer: Rect
    rows: tuple[WordRow, ...]
    notes: tuple[FootNote, ...]

    @property
    def sections(self) -> dict[str, Rect]:
        names = ("banner", "table", "eye", "side", "caption", "footer")
        return {name: getattr(self, name) for name in names}


def rule_icon(rule: str) -> str:
    return SIGHT_ICONS.get(rule) or next((icon for word, icon in ICONS if word in rule), "book")


def foot_notes(
    view: RulingView, killzone: str, sizes: str, states: Sequence[tuple[str, str]], weapon: Sequence[str]
) -> tuple[tuple[str, str], ...]:
    """What the answer rests on besides the rules: name and value, in the order they are written."""
    rows = [
        ("Ruled by", f"ktsim {__version__}, {rules_name(view)}"),
        ("Lines", f"1 mm thick, {view.convention} convention"),
        *((f"Figure of {id}", words) for id, words in view.figures),
        ("Terrain", f"{killzone}; sizes: {sizes}"),
    ]
    if weapon:
        rows.append(("Weapon", ", ".join(weapon)))
    if states:
        rows.append(("Hatchways", by_state(states)))
    return tuple(rows)


def by_state(states: Sequence[tuple[str, str]]) -> str:
    """Features grouped by their state, such as ``open: hatchway 1; closed: hatchway 2, hatchway 3``."""
    groups: dict[str, list[str]] = {}
    for id, state in sorted(states, key=lambda pair: pair[1] != "open"):
        groups.setdefault(state, []).append(part_name(id))
    return "; ".join(f"{state}: {', '.join(ids)}" for state, ids in groups.items())


def lay_out(view: RulingView, notes: Sequence[tuple[str, str]], measure: Measure) -> CardLayout:
    """The card for a ruling. It grows downwards when the words need more room; nothing is left out."""
    top = MARGIN * 2 + BANNER_HEIGHT
    left = WIDTH - MARGIN - CAPTION_WIDTH
    rows = word_rows(_wanted(view), left + MARGIN, top + PAIR, CAPTION_WIDTH - 2 * MARGIN, measure)
    foot = note_places(notes, measure)
    tall = max(note.rect.bottom for note in foot) + FOOT_PAD
    height = round(max(LEAST_HEIGHT, rows[-1].rect.bottom + 2 * MARGIN + tall + MARGIN))
    footer = Rect(MARGIN, height - MARGIN - tall, WIDTH - 2 * MARGIN, tall)
    foot = [FootNote(note.rect.moved(footer.x, footer.y), note.name, note.value) for note in foot]
    caption = Rect(left, top, CAPTION_WIDTH, footer.y - MARGIN - top)
    wide = left - 2 * MARGIN
    insets = footer.y - MARGIN - INSET_HEIGHT
    half = (wide - MARGIN) * 0.45
    return CardLayout(
        size=(round(WIDTH), height),
        banner=Rect(MARGIN, MARGIN, WIDTH - 2 * MARGIN, BANNER_HEIGHT),
        table=Rect(MARGIN, top, wide, insets - MARGIN - top),
        eye=Rect(MARGIN, insets, half, INSET_HEIGHT),
        side=Rect(MARGIN * 2 + half, insets, wide - MARGIN - half, INSET_HEIGHT),
        caption=caption,
        footer=footer,
        rows=tuple(rows),
        notes=tuple(foot),
    )


WantedRow: TypeAlias = tuple[RowKind, str, str, str]
"""A sentence to be placed: its kind, icon, rule and text."""


def _wanted(view: RulingView) -> list[WantedRow]:
    """Warnings first, since they may upset all that follows; then why, then what was looked at in vain."""
    wanted: list[WantedRow] = [("warning", "warning", "", text) for text in view.warnings]
    wanted += [("reason", rule_icon(rule), rule, text) for rule, text in view.reasons]
    wanted += [("title", "", "", "Looked at, and why it does not count")] if view.aside else []
    return wanted + [("aside", "cross", each.rule, each.text) for each in view.aside]


def word_rows(wanted: Sequence[WantedRow], x: float, y: float, width: float, measure: Measure) -> list[WordRow]:
    """Sentences one below the other, each as high as it needs to be."""
    rows: list[WordRow] = []
    for kind, icon, rule, text in wanted:
        if kind == "title":
            rows.append(WordRow(Rect(x, y + 4, width, TITLE), kind, icon, rule, text))
            y += TITLE + 8
            continue
        if kind == "aside":
            tall, gap = measure(f"{text} {rule}", "caption", width - 24)[1], 5.0
        else:
            line = measure(text, "body", width - ICON - PAD)[1]
            tall, gap = line + PAD * 2 + (measure(rule, "caption", 0)[1] + 3 if rule else 0), ROW_GAP
        rows.append(WordRow(Rect(x, y, width, tall), kind, icon, rule, text))
        y += tall + gap
    return rows


def note_places(notes: Sequence[tuple[str, str]], measure: Measure) -> list[FootNote]:
    """Beside each other, at most five in a row, from the footer's corner."""
    columns = min(5, len(notes))
    each = (WIDTH - 2 * MARGIN - 2 * MARGIN - COLUMN_GAP * (columns - 1)) / columns
    found: list[FootNote] = []
    y = FOOT_PAD
    for row in range(0, len(notes), columns):
        line = notes[row : row + columns]
        wide = each if row == 0 else (WIDTH - 4 * MARGIN - COLUMN_GAP * (len(line) - 1)) / len(line)
        tall = max(measure(value, "caption", wide)[1] for _, value in line) + measure("A", "caption", 0)[1] + 3
        for column, (name, value) in enumerate(line):
            found.append(FootNote(Rect(MARGIN + column * (wide + COLUMN_GAP), y, wide, tall), name, value))
        y += tall + 8
    return found
