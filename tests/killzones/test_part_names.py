"""Terrain in the words players read."""

from __future__ import annotations

import re

import numpy as np
import pytest

from ktsim.game.boards import board_names, find_board
from ktsim.sight.part_names import part_name, plain_words, readable
from ktsim.sight.scene import Area, Feature, Part, Terrain

NOTHING = np.zeros((1, 3, 3))


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("light-rubble-2/rubble", "light rubble 2"),
        ("light-rubble-2", "light rubble 2"),
        ("stronghold-a/broken rampart 2", "stronghold A (broken rampart 2)"),
        ("long-wall-ends-1-2/wall", "long wall ends 1-2"),
        ("hatchway-1/hatch", "hatchway 1 (hatch)"),
        ("medium-gantry-3+short-gantry-1/short-gantry-1 pillar 2", "short gantry 1 (pillar 2)"),
        ("medium-gantry-3+short-gantry-1", "medium gantry 3 and short gantry 1"),
        ("condenser/body", "condenser (body)"),
        ("W1/wall", "W1 (wall)"),
        ("a/wall", "a (wall)"),
    ],
)
def test_an_id_in_words(key: str, name: str) -> None:
    assert part_name(key) == name


def terrain(*keys: str, areas: tuple[str, ...] = ()) -> Terrain:
    features: dict[str, list[Part]] = {}
    for key in keys:
        feature, _, part = key.partition("/")
        features.setdefault(feature, []).append(Part(feature, part, frozenset(), NOTHING))
    square = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0))
    return Terrain(
        (30.0, 22.0),
        tuple(Feature(id, tuple(parts)) for id, parts in features.items()),
        areas=tuple(Area(id, "hazardous", square) for id in areas),
    )


def test_a_sentence_keeps_everything_but_ids() -> None:
    table = terrain(
        "light-rubble-2/rubble", "light-rubble-21/rubble", "wall/wall", "a/side", "W1/plate", areas=("old-river",)
    )
    for text, wanted in {
        'In cover from light-rubble-2/rubble: 0.31" from Kess.': 'In cover from light rubble 2: 0.31" from Kess.',
        "light-rubble-2 is in the way.": "Light rubble 2 is in the way.",
        "No. light-rubble-21/rubble is in the way.": "No. Light rubble 21 is in the way.",
        "Behind a wall is a light-rubble-2-like heap.": "Behind a wall is a light-rubble-2-like heap.",
        "In the hazardous area old-river.": "In the hazardous area old river.",
        "Obscured by a/side.": "Obscured by a (side).",
        "Light-rubble-2/rubble is in the way.": "Light rubble 2 is in the way.",
        "Obscured by W1/plate.": "Obscured by W1 (plate).",
        'light-rubble-2/rubble: on a line, 1.14" from b.': 'light rubble 2: on a line, 1.14" from b.',
        "No. a/side: Exposed.": "No. a (side): Exposed.",
        "Nothing to see.": "Nothing to see.",
        "Obscured by smoke/1 and smoke/12.": "Obscured by smoke 1 and smoke 12.",
    }.items():
        assert readable(text, table) == wanted
    assert readable("light-rubble-2/rubble", terrain()) == "light-rubble-2/rubble"  # nothing of the kind stands there


def test_every_part_of_every_killzone_has_its_own_name() -> None:
    """In words nobody takes for an id, and no two parts of a killzone are called the same."""
    for board in board_names():
        land = find_board(board).terrain
        parts = {
            part.key for feature in land.features for row in (feature.parts, *feature.states.values()) for part in row
        }
        names = {readable(f"Kess hides behind {key} today.", land) for key in parts}
        assert len(names) == len(parts), board
        for name in names:
            assert "/" not in name
            assert not re.search(r"[a-z]-[a-z0-9]", name), name


def test_files_in_words() -> None:
    assert plain_words("my-first_table") == "my first table"
