"""Where universal equipment may be set up: for each condition a place just inside it and one just outside."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from engine_help import Answers, at
from ground_help import HALL, Ground, part, terrain

from ktsim.content.yaml_tree import read_tree
from ktsim.game.game import Game
from ktsim.game.players import Sampler
from ktsim.game.setup import Setup, new_game
from ktsim.paths import assets
from ktsim.rules.engine.decisions import Place
from ktsim.rules.engine.placed import local_outline
from ktsim.rules.engine.placing import refuses_terrain
from ktsim.rules.engine.state import PieceState, State, milli
from ktsim.rules.kt24.equipment.barricades import refuses_heavy, refuses_ladder
from ktsim.rules.kt24.equipment.mines import refuses_mines
from ktsim.rules.kt24.equipment.register import EQUIPMENT, equipment_rules, key_for
from ktsim.sight.scene import Area

WIDE = 1.015
"""Half of a light barricade."""


def light(x: float, y: float, turn: float = 0, level: float = 0) -> PieceState:
    return PieceState("red-light-barricade-1", "light-barricade", "red", milli(x), milli(y), milli(level), milli(turn))


def test_all_eleven_options_are_there_with_rules_that_exist() -> None:
    known = set(read_tree(assets() / "rules.yaml").value)  # type: ignore[arg-type]
    ids = {option.id for option in EQUIPMENT.values()}
    assert len(EQUIPMENT) == len(ids) == 11
    assert ids <= {getattr(key, "text", key) for key in known}
    pairs = {option.key for option in EQUIPMENT.values() if option.items == 2}
    assert pairs == {"ladders", "light-barricades", "utility-grenades", "explosive-grenades"}
    choices = {key_for("red"): "mines,ladders", key_for("blue"): ""}
    assert len(equipment_rules(choices)) == 2


@pytest.mark.rule("KT24-E-LIGHT-BARRICADES")
def test_wholly_in_its_own_territory() -> None:
    battle = Ground().ready  # red's territory ends at x = 15
    assert refuses_terrain(battle, light(15 - WIDE - 0.01, 11)) is None
    assert refuses_terrain(battle, light(15 - WIDE + 0.01, 11)) == "It would not be wholly within its own territory."
    assert refuses_terrain(battle, light(0.5, 11)) == "It would not be on the board."


@pytest.mark.rule("KT24-E-LIGHT-BARRICADES")
def test_not_on_a_base_and_right_beside_one() -> None:
    """Where it may be put nobody's base is in it: the mover sees it the same."""
    ground = Ground().add("a", "red", (8, 8))
    deep = float(local_outline("light-barricade")[:, 1].max())
    reach = deep + ground.ready.table.radius(ground.ready.state.operatives["a"])
    beside, into = light(8, 8 - reach - 0.001), light(8, 8 - reach + 0.004)
    assert refuses_terrain(ground.ready, beside) is None
    assert refuses_terrain(ground.ready, into) == "A stands there."


@pytest.mark.rule("KT24-E-LIGHT-BARRICADES")
def test_on_the_floor() -> None:
    deck = terrain(part("deck", "floor", (4, 4, 0), (12, 12, 3), "vantage", "heavy"))
    assert refuses_terrain(Ground(on=deck).ready, light(8, 8, level=3)) == "It is set up on the floor."
    assert "deck/floor" in (refuses_terrain(Ground(on=deck).ready, light(8, 8)) or "")


@pytest.mark.rule("KZ-HAZARD-MOVE")
@pytest.mark.parametrize(
    ("outline", "gap"),
    [
        (((8.4, 2), (8.5, 2), (8.5, 20), (8.4, 20)), 0.0),  # a narrow strip that no corner is in
        (((8, 7.9), (8.1, 7.9), (8.1, 8), (8, 8)), 0.0),  # a puddle wholly under it
        (((9, 2), (12, 2), (12, 20), (9, 20)), 0.0),  # corners in it
        (((8 + WIDE + 0.01, 2), (12, 2), (12, 20), (8 + WIDE + 0.01, 20)), 0.01),
        (((4, 4), (12, 4), (12, 12), (11, 12), (11, 5), (5, 5), (5, 12), (4, 12)), 1.9),  # around it, not in it
    ],
)
def test_nowhere_in_a_hazardous_area(outline: tuple[tuple[float, float], ...], gap: float) -> None:
    wet = replace(terrain(), areas=(Area("sea", "hazardous", outline),))
    refused = refuses_terrain(Ground(on=wet).ready, light(8, 8))
    assert refused == (None if gap else "It would be in the hazardous area sea.")


@pytest.mark.rule("KZ-BHETA-EQUIP")
def test_where_the_killzone_allows_it_on_vantage_and_near_accessible_terrain() -> None:
    deck = part("deck", "floor", (4, 4, 2.85), (12, 12, 3), "vantage", "accessible")
    allowed = Ground(on=terrain(deck, rules=["KZ-BHETA-EQUIP"])).ready
    assert refuses_terrain(allowed, light(8, 8, level=3)) is None
    assert refuses_terrain(allowed, light(4 + WIDE - 0.05, 8, level=3)) == "It would not stand wholly on Vantage."
    assert refuses_terrain(allowed, light(8, 13, level=0)) is None
    elsewhere = Ground(on=terrain(deck)).ready
    assert "of deck/floor" in (refuses_terrain(elsewhere, light(8, 13)) or "")


@pytest.mark.rule("KT24-E-RAZOR-WIRE")
def test_more_than_two_inches_from_other_equipment_terrain() -> None:
    ground = Ground().put("wire", "razor-wire", (8, 8))
    reach = 1.291 + 2 + WIDE
    assert refuses_terrain(ground.ready, light(8 + reach + 0.02, 8)) is None
    assert refuses_terrain(ground.ready, light(8 + reach - 0.02, 8)) == 'It would be within 2" of wire.'


@pytest.mark.rule("KT24-E-LIGHT-BARRICADES")
def test_more_than_two_inches_from_access_points_and_accessible_terrain() -> None:
    door = part("hut", "door", (8, 10, 0), (8.2, 11.2, 2), "accessible", "heavy", kind="door")
    battle = Ground(on=terrain(door)).ready
    assert refuses_terrain(battle, light(8 - 2 - WIDE - 0.02, 10.6)) is None
    assert refuses_terrain(battle, light(8 - 2 - WIDE + 0.02, 10.6)) == 'It would be within 2" of hut/door.'
    hatch = Ground(on=terrain(walls=HALL)).ready  # closed, yet an access point
    assert refuses_terrain(hatch, light(14.8 - 2 - WIDE - 0.02, 11)) is None
    assert "hatch/access" in (refuses_terrain(hatch, light(14.8 - 2 - WIDE + 0.02, 11)) or "")


@pytest.mark.rule("KT24-E-LIGHT-BARRICADES")
def test_not_in_terrain_nor_on_somebody_nor_on_a_marker() -> None:
    block = terrain(part("block", "stone", (8, 8, 0), (12, 12, 3), "heavy"))
    ground = Ground(on=block).add("a", "red", (4, 4)).marker("beacon", (4, 15))
    assert refuses_terrain(ground.ready, light(8 - WIDE - 0.01, 10)) is None
    for inside in (light(8 - WIDE + 0.02, 10), light(10, 10), light(10, 8.1)):
        assert refuses_terrain(ground.ready, inside) == "It would be in block/stone."
    assert refuses_terrain(ground.ready, light(4, 4.3)) == "A stands there."
    assert refuses_terrain(ground.ready, light(4, 15)) == "The beacon lies there."


@pytest.mark.rule("KT24-E-HEAVY-BARRICADE")
def test_a_heavy_barricade_wholly_within_four_inches_of_the_drop_zone() -> None:
    battle = Ground().ready  # red's drop zone ends at x = 6

    def heavy(x: float) -> PieceState:
        return PieceState("red-heavy-barricade-1", "heavy-barricade", "red", milli(x), milli(11), 0, milli(90))

    assert refuses_heavy(battle, heavy(10 - 0.11 - 0.01)) is None
    assert refuses_heavy(battle, heavy(10 - 0.11 + 0.01)) == 'It would not be wholly within 4" of its drop zone.'


@pytest.mark.rule("KT24-E-LADDERS")
def test_a_ladder_stands_upright_against_terrain_two_inches_tall() -> None:
    def ladder(x: float, y: float) -> PieceState:
        return PieceState("red-ladder-1", "ladder", "red", milli(x), milli(y))

    for height, stands in ((2.0, True), (1.95, False)):
        block = part("block", "wall", (6, 8, 0), (12, 10, height), "heavy")
        found = refuses_ladder(Ground(on=terrain(block)).ready, ladder(9, 8 - 0.05))
        assert (found is None) == stands
    tall = terrain(
        part("block", "wall", (4, 8, 0), (12, 10, 3), "heavy"),
        part("block", "door", (12, 8, 0), (13.2, 10, 2), "accessible", "heavy", kind="door"),
    )
    battle = Ground(on=tall).ready
    assert refuses_ladder(battle, ladder(8, 8 - 0.05)) is None
    assert refuses_ladder(battle, ladder(8, 8 - 0.3)) == 'It would not stand against terrain at least 2" tall.'
    assert refuses_ladder(battle, ladder(12 - 1 - 0.315 - 0.05, 8 - 0.05)) is None
    assert refuses_ladder(battle, ladder(12 - 1 - 0.315 + 0.05, 8 - 0.05)) == 'It would be within 1" of block/door.'
    assert refuses_ladder(battle, ladder(8, 8.2)) == "It would be in block/wall."


@pytest.mark.rule("KT24-E-MINES")
def test_mines_lie_more_than_two_inches_from_other_markers_and_ways_through() -> None:
    battle = Ground().marker("beacon", (8, 11)).ready
    apart = 0.394 + 0.394 + 2
    assert refuses_mines(battle, "red", at(8 + apart + 0.01, 11)) is None
    assert refuses_mines(battle, "red", at(8 + apart - 0.01, 11)) == 'It would be within 2" of the beacon.'
    assert refuses_mines(battle, "red", at(16, 11)) == "It would not be wholly within its own territory."
    hatch = Ground(on=terrain(walls=HALL)).ready
    assert refuses_mines(hatch, "red", at(14.8 - 2 - 0.394 - 0.02, 11)) is None
    assert "hatch/access" in (refuses_mines(hatch, "red", at(14.8 - 2 - 0.394 + 0.02, 11)) or "")


@pytest.mark.rule("KT24-DEPLOY")
@pytest.mark.parametrize("board", ["gallowdark-1", "volkus-1", "bheta-decima-1", "tomb-world-1"])
def test_every_item_finds_a_place_on_every_kind_of_killzone(board: str) -> None:
    """The question suggests legal places, refuses others in words, and the turn is asked where there is a choice."""
    game = new_game(Setup(board=board, table="plain", mission="equipped-skirmish"))
    sampler, keys = Sampler(4), {"red": list(EQUIPMENT)[:5], "blue": list(EQUIPMENT)[5:]}
    while game.pending is not None and game.pending.topic != "set up":
        pending = game.pending
        if pending.topic == "equipment options":
            game.submit(tuple(keys[pending.seat][:4]))
            continue
        if isinstance(pending, Place):
            assert pending.default is not None
            assert pending.check(pending.default) is None
            assert pending.check((-1000, 0, 0)) is not None
            assert pending.check(pending.sample(Random(9))) is None
        game.submit(sampler.answer(pending, game))
    told = "\n".join(event.words(game.battle.name) for event in game.events)
    assert "finds no place" not in told
    placed = [piece.piece for piece in game.state.pieces.values()]
    assert sorted(placed) == ["heavy-barricade", "ladder", "ladder", "portable-barricade", "razor-wire"]
    assert {marker.kind for marker in game.state.markers.values()} >= {"ammo cache", "comms device", "mines"}
    again = State.from_json(game.state.to_json())
    assert again.digest() == game.digest()
    assert again.pieces == game.state.pieces


def test_undo_takes_a_piece_off_the_table_again() -> None:
    game = new_game(Setup(board="open", table="plain", mission="equipped-skirmish"))
    sampler = Sampler(1)
    while not game.state.pieces:
        assert game.pending is not None
        if game.pending.topic == "equipment options":
            game.submit(("light-barricades",))
        else:
            game.submit(sampler.answer(game.pending, game))
    count = len(game.answers)
    game.rewind(count - 1)
    assert not game.state.pieces
    assert game.pending is not None


def test_an_item_without_a_legal_place_is_left_out() -> None:
    full = terrain(part("rock", "rock", (0, 0, 0), (30, 22, 4), "heavy"))
    ground = Ground("light-barricades", on=full)
    game = ground.play(lambda battle: EQUIPMENT["light-barricades"].set_up(battle, "red", 1), Answers())
    assert isinstance(game, Game)
    assert not game.state.pieces
    assert "finds no place" in game.events[-1].words(game.battle.name)
