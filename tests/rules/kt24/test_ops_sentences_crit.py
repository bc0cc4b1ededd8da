"""Every sentence about the kill op, the primary op and the crit ops: a case that just pays, one that just does not.

They are played through the game: actions, gambits and falls as players bring them about, VP as the end of a turning
point scores them.
"""

from __future__ import annotations

from typing import Any

import pytest
from op_help import (
    AT_BLUES,
    AT_CENTRE,
    AT_REDS,
    BLUES,
    CENTRE,
    REDS,
    OpField,
    Sentence,
    can,
    cost,
    each_of,
    put,
    scored,
)

from ktsim.rules.engine.state import Side
from ktsim.rules.kt24.ops.op import CritOp, objective_owner
from ktsim.rules.kt24.ops.register import CRIT_OPS

CELL = "Pick Up Energy Cell"


def crit(key: str, turn: int = 2, apl: int = 2) -> OpField:
    """Red's A at the centre objective, blue's Z far from everything."""
    return OpField(key, turn=turn).add("a", "red", AT_CENTRE, apl=apl).add("z", "blue", (28, 3))


def both(key: str, turn: int = 2) -> OpField:
    """Each side at its own objective."""
    return OpField(key, turn=turn).add("a", "red", AT_REDS).add("b", "blue", AT_BLUES)


def three(key: str, turn: int = 2) -> OpField:
    """Red at every objective."""
    return crit(key, turn).add("c", "red", AT_REDS).add("d", "red", AT_BLUES)


def asked(field: OpField, op: type[CritOp]) -> Any:
    """The question the op asks in the Gambit step, if any."""
    return field.game(lambda battle: op().gambit_step(battle)).pending


def inert(field: OpField, *picks: str) -> list[str]:
    field.ready({"inert": list(picks)})
    return [id for id, marker in field.state.markers.items() if marker.tokens.get("inert")]


def enemies(number: int, turn: int = 2) -> OpField:
    field = OpField("energy-cells", turn=turn).add("a", "red", (3, 3)).add("f", "red", (3, 8))
    for n in range(number):
        field.add(f"b{n}", "blue", (25, 1.2 + 2 * n))
    return field


def chosen(kind: str, field: OpField) -> OpField:
    """Red's primary op is of that kind."""
    field.state.choices["red:primary op"] = kind
    return field


# -- the rows ----------------------------------------------------------------------------------------

KILL_AND_SCORE = [
    Sentence("KT24-OP-KILL", "a grade by the number of enemies that started",
             lambda: enemies(7).fell("b0", "a").vp("red", "kill"), 1,
             lambda: enemies(8).fell("b0", "a").vp("red", "kill"), 0),
    Sentence("KT24-OP-KILL", "1VP for every grade",
             lambda: enemies(5).fell("b0").fell("b1").vp("red", "kill"), 2,
             lambda: enemies(7).fell("b0").fell("b1").vp("red", "kill"), 1),
    Sentence("KT24-OP-KILL", "1VP more at the end for the higher grade",
             lambda: scored(enemies(5, 4).fell("b0"), "kill"), 2,
             lambda: scored(enemies(5, 3).fell("b0"), "kill"), 1),
    Sentence("KT24-OP-KILL", "equal grades are not higher",
             lambda: scored(both("secure", 4).fell("b"), "kill"), 6,
             lambda: scored(both("secure", 4).fell("b").fell("a"), "kill"), 5),
    Sentence("KT24-SCORE", "the primary op pays half again at the end",
             lambda: chosen("kill", enemies(5, 4).fell("b0")).end_turn().vp("red", "primary"), 1,
             lambda: chosen("crit", enemies(5, 4).fell("b0")).end_turn().vp("red", "primary"), 0),
    Sentence("KT24-SCORE", "half is rounded up",
             lambda: chosen("crit", crit("energy-cells", 4)).end_turn().vp("red", "primary"), 1,
             lambda: chosen("crit", crit("energy-cells", 4).do("a", CELL)).end_turn().vp("red", "primary"), 1),
    Sentence("KT24-GAMBIT", "the primary op is chosen as a gambit of the first turning point",
             lambda: crit("secure", 1).gambits("red").pending is not None, True,
             lambda: crit("secure", 2).gambits("red").pending is not None, False),
    Sentence("KT24-SCORE", "6VP of an op are the most",
             lambda: scored(three("orb", 3).next_turn()), 6,
             lambda: scored(three("orb", 2).next_turn().next_turn()), 6),
]  # fmt: skip

SHARED = [
    Sentence("KT24-SCORE", "one objective for each player, one in the centre",
             lambda: [objective_owner(crit("secure").battle(), id) for id in (CENTRE, REDS, BLUES)],
             [None, "red", "blue"],
             lambda: swapped(), [None, "blue", "red"]),
    Sentence("KT24-SCORE", "mission actions cost 1AP unless stated",
             lambda: {cost(crit(op), name) for name, op in
                      {"Secure": "secure", "Loot": "loot", "Transmit": "transmission", "Move Orb": "orb",
                       "Download": "download", "Compile": "data", "Send": "data"}.items()}, {1},
             lambda: cost(crit("reboot"), "Reboot"), 2),
    Sentence("KT24-SCORE", "not in the first turning point",
             lambda: can(crit("secure", 2), "a", "Secure"), True,
             lambda: can(crit("secure", 1), "a", "Secure"), False),
    Sentence("KT24-SCORE", "not in an enemy's control range",
             lambda: can(crit("secure").add("b", "blue", (17.01, 11), apl=1), "a", "Secure"), True,
             lambda: can(crit("secure").add("b", "blue", (17, 11), apl=1), "a", "Secure"), False),
    Sentence("KT24-SCORE", "scored at the end of each turning point after the first",
             lambda: scored(crit("orb", 2).add("c", "red", AT_REDS).next_turn()), 4,
             lambda: scored(crit("orb", 1).add("c", "red", AT_REDS)), 0),
]  # fmt: skip

CRIT = [
    # Secure
    Sentence("KT24-OP-SECURE", "a controlled marker is secured",
             lambda: can(crit("secure").add("b", "blue", (17.2, 11), apl=1), "a", "Secure"), True,
             lambda: can(put(crit("secure").add("b", "blue", (17.2, 11), apl=2), "a", (14, 11)), "a", "Secure"), False),
    Sentence("KT24-OP-SECURE", "it stays secured until the enemy secures it",
             lambda: scored(put(crit("secure").do("a", "Secure"), "a", (3, 3)).add("b", "blue", AT_CENTRE)), 2,
             lambda: scored(put(crit("secure").do("a", "Secure"), "a", (3, 3)).add("b", "blue", AT_CENTRE)
                            .do("b", "Secure")), 0),
    Sentence("KT24-OP-SECURE", "1VP for holding any",
             lambda: scored(both("secure").do("a", "Secure").do("b", "Secure")), 1,
             lambda: scored(both("secure").do("b", "Secure")), 0),
    Sentence("KT24-OP-SECURE", "1VP for holding more",
             lambda: scored(both("secure").add("c", "red", AT_CENTRE).do("a", "Secure").do("b", "Secure")
                            .do("c", "Secure")), 2,
             lambda: scored(both("secure").do("a", "Secure").do("b", "Secure")), 1),
    # Loot
    Sentence("KT24-OP-LOOT", "1VP for a controlled marker that is looted",
             lambda: scored(crit("loot").do("a", "Loot")), 1,
             lambda: scored(crit("loot")), 0),
    Sentence("KT24-OP-LOOT", "once per marker and turning point",
             lambda: can(crit("loot").do("a", "Loot").next_turn(), "a", "Loot"), True,
             lambda: can(crit("loot").do("a", "Loot"), "a", "Loot"), False),
    Sentence("KT24-OP-LOOT", "at most 2VP per turning point",
             lambda: scored(three("loot").do("a", "Loot").do("c", "Loot")), 2,
             lambda: scored(three("loot").do("a", "Loot").do("c", "Loot").do("d", "Loot")), 2),
    # Transmission
    Sentence("KT24-OP-TRANSMISSION", "a controlled marker transmits until the next turning point",
             lambda: scored(crit("transmission").do("a", "Transmit")), 2,
             lambda: scored(crit("transmission").do("a", "Transmit").next_turn()) - 2, 0),
    Sentence("KT24-OP-TRANSMISSION", "1VP for controlling any that transmits",
             lambda: scored(both("transmission").do("a", "Transmit").do("b", "Transmit")), 1,
             lambda: scored(put(both("transmission").do("a", "Transmit"), "a", (3, 15))), 0),
    Sentence("KT24-OP-TRANSMISSION", "1VP for controlling more that transmit",
             lambda: scored(both("transmission").do("a", "Transmit")), 2,
             lambda: scored(both("transmission").do("a", "Transmit").do("b", "Transmit")), 1),
    # Orb
    Sentence("KT24-OP-ORB", "the orb starts on the centre marker",
             lambda: orb().tokens(CENTRE), {"orb": 1},
             lambda: orb().tokens(REDS), {}),
    Sentence("KT24-OP-ORB", "it is moved from a controlled marker",
             lambda: can(orb(), "a", "Move Orb"), True,
             lambda: can(orb().add("b", "blue", (17.2, 11), apl=2), "a", "Move Orb"), False),
    Sentence("KT24-OP-ORB", "from the centre to either player's, from a player's to the centre",
             lambda: orb().do("a", "Move Orb", {"orb": REDS}).tokens(REDS), {"orb": 1},
             lambda: orb().do("a", "Move Orb", {"orb": BLUES}).add("d", "red", AT_BLUES).do("d", "Move Orb")
             .tokens(REDS), {}),
    Sentence("KT24-OP-ORB", "1VP for each controlled marker without it",
             lambda: scored(orb().add("c", "red", AT_REDS).add("d", "red", AT_BLUES)), 2,
             lambda: scored(orb()), 0),
    # Stake Claim
    Sentence("KT24-OP-STAKE-CLAIM", "each Gambit step from the second turning point",
             lambda: asked(crit("stake-claim", 2), CRIT_OPS["stake-claim"]) is not None, True,
             lambda: asked(crit("stake-claim", 1), CRIT_OPS["stake-claim"]) is not None, False),
    Sentence("KT24-OP-STAKE-CLAIM", "initiative first",
             lambda: asked(crit("stake-claim"), CRIT_OPS["stake-claim"]).seat, "red",
             lambda: asked(later("stake-claim"), CRIT_OPS["stake-claim"]).seat, "blue"),
    Sentence("KT24-OP-STAKE-CLAIM", "each marker once per battle",
             lambda: asked(claims(f"{CENTRE} 1", f"{REDS} 2"), CRIT_OPS["stake-claim"]).check(f"{REDS} 1"), None,
             lambda: asked(claims(f"{CENTRE} 1", f"{REDS} 2"), CRIT_OPS["stake-claim"]).check(f"{CENTRE} 2") is None,
             False),
    Sentence("KT24-OP-STAKE-CLAIM", "1VP for a true claim of control",
             lambda: scored(claims(f"{CENTRE} 1", f"{REDS} 2")), 2,
             lambda: scored(claims(f"{REDS} 1", f"{REDS} 2")), 1),
    Sentence("KT24-OP-STAKE-CLAIM", "1VP for a true claim that they will not contest",
             lambda: scored(claims(f"{CENTRE} 2", f"{REDS} 2").add("b", "blue", (18.1, 11), apl=1)), 2,
             lambda: scored(claims(f"{CENTRE} 2", f"{REDS} 2").add("b", "blue", (17, 11), apl=1)), 1),
    Sentence("KT24-OP-STAKE-CLAIM", "1VP for controlling more",
             lambda: scored(claims(f"{REDS} 1", f"{REDS} 2")), 1,
             lambda: scored(claims(f"{REDS} 1", f"{REDS} 2").add("b", "blue", AT_BLUES)), 0),
    # Energy Cells
    Sentence("KT24-OP-ENERGY-CELLS", "2AP more to pick up in turning point 2",
             lambda: (cost(crit("energy-cells", 2), CELL), can(crit("energy-cells", 2), "a", CELL)), (3, True),
             lambda: can(crit("energy-cells", 1), "a", CELL), False),
    Sentence("KT24-OP-ENERGY-CELLS", "1AP more in turning point 3, no more in 4",
             lambda: cost(crit("energy-cells", 3), CELL), 2,
             lambda: cost(crit("energy-cells", 4), CELL), 1),
    Sentence("KT24-OP-ENERGY-CELLS", "1VP for controlling more",
             lambda: scored(crit("energy-cells")), 1,
             lambda: scored(crit("energy-cells").add("b", "blue", AT_BLUES)), 0),
    Sentence("KT24-OP-ENERGY-CELLS", "1VP for each carried at the end of the battle",
             lambda: scored(crit("energy-cells", 4).add("c", "red", AT_REDS).do("a", CELL).do("c", CELL)), 3,
             lambda: scored(crit("energy-cells", 3, 3).add("c", "red", AT_REDS).do("a", CELL).do("c", CELL)), 1),
    # Download
    Sentence("KT24-OP-DOWNLOAD", "the centre and the enemy's marker",
             lambda: can(three("download"), "d", "Download"), True,
             lambda: can(three("download"), "c", "Download"), False),
    Sentence("KT24-OP-DOWNLOAD", "once per battle and marker",
             lambda: can(three("download").do("a", "Download").next_turn(), "d", "Download"), True,
             lambda: can(three("download").do("a", "Download").next_turn(), "a", "Download"), False),
    Sentence("KT24-OP-DOWNLOAD", "1VP in turning point 3",
             lambda: scored(crit("download", 3).do("a", "Download")), 1,
             lambda: scored(crit("download", 2).do("a", "Download")), 0),
    Sentence("KT24-OP-DOWNLOAD", "2VP in turning point 4",
             lambda: scored(crit("download", 4).do("a", "Download")), 2,
             lambda: scored(crit("download", 3).do("a", "Download").next_turn()) - 1, 0),
    Sentence("KT24-OP-DOWNLOAD", "1VP for controlling more that are not downloaded",
             lambda: scored(crit("download")), 1,
             lambda: scored(crit("download").add("b", "blue", AT_BLUES)), 0),
    # Data
    Sentence("KT24-OP-DATA", "Compile adds a point, once per marker and turning point",
             lambda: crit("data").do("a", "Compile").next_turn().do("a", "Compile").tokens(CENTRE)["data"], 2,
             lambda: can(crit("data").do("a", "Compile"), "a", "Compile"), False),
    Sentence("KT24-OP-DATA", "Send in turning point 4",
             lambda: can(crit("data", 3).do("a", "Compile").next_turn(), "a", "Send"), True,
             lambda: can(crit("data", 3).do("a", "Compile"), "a", "Send"), False),
    Sentence("KT24-OP-DATA", "VP as many as the marker has points",
             lambda: crit("data").do("a", "Compile").next_turn().do("a", "Compile").next_turn().do("a", "Send")
             .vp("red", "crit") - 2, 2,
             lambda: can(crit("data", 4), "a", "Send"), False),
    Sentence("KT24-OP-DATA", "1VP for more Compiles",
             lambda: scored(both("data").add("c", "red", AT_CENTRE).do("a", "Compile").do("b", "Compile")
                            .do("c", "Compile")), 1,
             lambda: scored(both("data").do("a", "Compile").do("b", "Compile")), 0),
    Sentence("KT24-OP-DATA", "in turning points 2 and 3",
             lambda: scored(crit("data", 3).do("a", "Compile")), 1,
             lambda: scored(crit("data", 4).do("a", "Compile")), 0),
    # Reboot
    Sentence("KT24-OP-REBOOT", "the same pick is inert, of different ones the third",
             lambda: inert(crit("reboot"), REDS, REDS), [REDS],
             lambda: inert(crit("reboot"), REDS, CENTRE), [BLUES]),
    Sentence("KT24-OP-REBOOT", "both pick in secret",
             lambda: asked(crit("reboot"), CRIT_OPS["reboot"]).secret, True,
             lambda: asked(crit("reboot", 1), CRIT_OPS["reboot"]), None),
    Sentence("KT24-OP-REBOOT", "Reboot wakes it",
             lambda: scored(crit("reboot").ready({"inert": [CENTRE, CENTRE]}).do("a", "Reboot")), 1,
             lambda: scored(crit("reboot").ready({"inert": [CENTRE, CENTRE]})), 0),
    Sentence("KT24-OP-REBOOT", "1VP for each controlled marker that is not inert",
             lambda: scored(three("reboot").ready({"inert": [CENTRE, CENTRE]})), 2,
             lambda: scored(both("reboot").ready({"inert": [REDS, REDS]})), 0),
]  # fmt: skip


def orb() -> OpField:
    return crit("orb").run(lambda battle: CRIT_OPS["orb"]().begin(battle))


def later(key: str) -> OpField:
    """The same with blue's initiative."""
    field = crit(key)
    field.state.initiative = "blue"
    return field


def claims(red: str, blue: str) -> OpField:
    return crit("stake-claim").ready({"claim": [red, blue]})


def swapped() -> list[Side | None]:
    field = crit("secure")
    field.state.choices["drop zones"] = "swapped"
    return [objective_owner(field.battle(), id) for id in (CENTRE, REDS, BLUES)]


ROWS = [*KILL_AND_SCORE, *SHARED, *CRIT]


@pytest.mark.parametrize("row", each_of(ROWS))
def test_it_pays(row: Sentence) -> None:
    assert row.pays() == row.worth


@pytest.mark.parametrize("row", each_of(ROWS))
def test_it_just_does_not(row: Sentence) -> None:
    assert row.but() == row.not_worth


def test_every_crit_op_has_its_sentences() -> None:
    assert {op.id for op in CRIT_OPS.values()} <= {row.rule for row in ROWS}
    assert len({(row.rule, row.says) for row in ROWS}) == len(ROWS)
