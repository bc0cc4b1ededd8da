"""Small tables the stage's tests draw, and a ruling written by hand to draw on one of them."""

from __future__ import annotations

from pathlib import Path

from ktsim.app.card.view import CrossedPart, RulingView
from ktsim.killzones.scene_file import SceneFile, scene_from_text

TEXT = """
ktsim: scene/1
edition: kt24
board: [14, 10]
features:
  - id: barrel
    parts: [{id: drum, traits: [light], cylinder: {centre: [9, 5, 0], radius: 0.4, height: 1}}]
  - id: block
    parts:
      - {id: stone, traits: [heavy], box: [[5, 7, 0], [8, 9, 2]]}
      - {id: roof, traits: [vantage], box: [[5, 7, 2], [8, 9, 2.2]]}
  - id: pipe
    parts: [{id: gap, traits: [blocking], box: [[2, 8, 0], [4, 8.4, 1]]}]
walls:
  - {id: w1, line: [[10, 7], [10, 10]]}
  - {id: h1, line: [[10, 7], [13, 7]], hatchway: {width: 1.6, hinge: start, swing: right}}
operatives:
  - {id: kess, team: blue, at: [2, 5], base: 32, order: engage}
  - {id: raider, team: red, at: [11, 5], base: 32, order: conceal, turn: 180}
"""
Z = 1.75 / 25.4
LINE = ((2.6, 5.0, Z), (10.4, 5.0, Z))


def scene_file() -> SceneFile:
    return scene_from_text(TEXT, Path("table.yaml"))


def covered() -> RulingView:
    """Visible, Conceal, in cover behind the barrel."""
    return RulingView(
        edition="kt24",
        shooter="kess",
        target="raider",
        order="conceal",
        valid=False,
        visible=True,
        in_cover=True,
        obscured=False,
        distance=7.74,
        convention="inset",
        sentence="raider is not a valid target for kess: visible, in cover.",
        reasons=(
            ("SIGHT-7", "A line runs clear from kess's head to raider."),
            ("KT24-COVER", 'barrel/drum lies on a line 0.97" from raider.'),
            ("KT24-VALID", "Conceal, visible, in cover: not a valid target."),
        ),
        witness=((2.0, 5.0, 1.1), (11.0, 5.0, 1.2)),
        origin=LINE[0],
        regions=(((2.1, 4.6), (2.55, 4.8), (2.55, 5.2), (2.1, 5.4)),),
        cover=(CrossedPart("barrel/drum", (9.4, 5.0, Z), LINE, 0.97),),
        alternatives=((2.0, 5.5, Z),),
    )


def hidden() -> RulingView:
    """Not visible: the stone block is in the way."""
    line = ((2.0, 5.0, 1.1), (9.0, 9.0, 1.1))
    return RulingView(
        edition="kt24",
        shooter="kess",
        target="raider",
        order="conceal",
        valid=False,
        visible=False,
        in_cover=False,
        obscured=False,
        distance=7.74,
        convention="inset",
        sentence="raider is not a valid target for kess: not visible.",
        reasons=(("SIGHT-7", "No line reaches raider."),),
        blocked=CrossedPart("block/stone", (5.5, 7.0, 1.1), line),
    )
