"""The area view: its maps say what rulings say, are sure of what they claim, and get better step by step."""

from __future__ import annotations

import threading
from dataclasses import replace
from functools import cache
from itertools import islice, pairwise

import numpy as np
import pytest

from ktsim.geometry.kernels import parallel, queries
from ktsim.geometry.solids import box, cylinder
from ktsim.sight.area import Answer, AreaMap, LevelMap, safe_from, survey
from ktsim.sight.obstacles import world_of
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import Base, Edition, Feature, Figure, Operative, Part, Scene, Terrain

CELL = 0.75
FIGURE = Figure("post", cylinder((0.0, 0.0, 0.14), 0.3, 1.2), (0.0, 0.0, 1.1), 0.1)
LAYERS = ("visible", "in_cover", "obscured", "valid_on_conceal", "valid_on_engage")


def part(name: str, low: tuple[float, ...], high: tuple[float, ...], *traits: str) -> Feature:
    return Feature(name, (Part(name, name, frozenset(traits), box(low, high)),))


def operative(id: str, x: float, y: float, level: float = 0.0) -> Operative:
    return Operative(id, "red" if id == "me" else "blue", x, y, level, Base.of_mm(32), FIGURE)


STAND_IN = operative("me", 0.0, 0.0)
BLOCK = part("block", (5.0, 2.0, 0.0), (5.6, 6.0, 4.0), "heavy")
FENCE = part("fence", (8.0, 0.0, 0.0), (8.2, 3.0, 0.7), "light")
PLATFORM = part("platform", (9.0, 5.0, 2.8), (12.0, 8.0, 3.0), "vantage", "heavy")


@cache
def board() -> Scene:
    """A high block in the middle, a fence, a platform on nothing, and two enemies."""
    terrain = Terrain((12.0, 8.0), (BLOCK, FENCE, PLATFORM))
    return Scene(terrain, (operative("a", 2.0, 4.0), operative("b", 11.0, 1.0)))


@cache
def maps(viewer: str = "a", edition: Edition = "kt24", order: str = "conceal") -> tuple[AreaMap, ...]:
    stand_in = replace(STAND_IN, order=order)  # type: ignore[arg-type]
    return tuple(survey(board(), viewer, stand_in, edition, cell=CELL))


def centre(row: int, column: int) -> tuple[float, float]:
    return (column + 0.5) * CELL, (row + 0.5) * CELL


def cells(level: LevelMap) -> list[tuple[int, int]]:
    return [(int(row), int(column)) for row, column in np.argwhere(level.visible != Answer.NOWHERE)]


def answer(yes: bool) -> Answer:
    return Answer.YES if yes else Answer.NO


@pytest.mark.parametrize("edition", ["kt24", "kt21-lite"])
@pytest.mark.parametrize("order", ["engage", "conceal"])
def test_the_last_map_says_what_rulings_say(edition: Edition, order: str) -> None:
    last = maps("a", edition, order)[-1]
    assert last.complete
    kinds = set()
    for level in last.levels:
        for row, column in cells(level)[::5]:
            x, y = centre(row, column)
            there = replace(STAND_IN, x=x, y=y, level=level.level)
            scene = replace(board(), operatives=(*board().operatives, there))
            made = {o: ruling(scene.moved(replace(there, order=o)), "a", "me", edition) for o in ("engage", "conceal")}
            mine = made[order]
            assert level.visible[row, column] == answer(mine.visible), (x, y)
            assert level.valid_on_engage[row, column] == answer(made["engage"].valid_target), (x, y)
            assert level.valid_on_conceal[row, column] == answer(made["conceal"].valid_target), (x, y)
            if mine.visible:
                assert level.in_cover[row, column] == answer(mine.in_cover), (x, y)
                assert level.obscured[row, column] == answer(mine.obscured), (x, y)
            else:
                assert level.in_cover[row, column] == level.obscured[row, column] == Answer.MOOT
            kinds.add((mine.visible, mine.in_cover, mine.obscured))
    assert len(kinds) >= 4  # the board shows something of everything


def test_the_first_map_is_never_wrong_about_what_is_visible() -> None:
    first, last = maps()[0], maps()[-1]
    claimed = 0
    for early, late in zip(first.levels, last.levels, strict=True):
        assert set(np.unique(early.visible)) <= {Answer.NOWHERE, Answer.UNKNOWN, Answer.YES}
        assert (late.visible[early.visible == Answer.YES] == Answer.YES).all()
        claimed += int((early.visible == Answer.YES).sum())
        for layer in LAYERS[1:]:
            assert set(np.unique(getattr(early, layer))) <= {Answer.NOWHERE, Answer.UNKNOWN}
    assert claimed > 0.8 * sum(int((late.visible == Answer.YES).sum()) for late in last.levels)


def test_what_is_known_stays_and_grows() -> None:
    made = maps()
    assert len(made) > 2
    for earlier, later in pairwise(made):
        assert later.asked >= earlier.asked
        for one, two in zip(earlier.levels, later.levels, strict=True):
            for layer in LAYERS:
                before, after = getattr(one, layer), getattr(two, layer)
                known = before != Answer.UNKNOWN
                assert (before[known] == after[known]).all()


def test_complete_means_nothing_is_unknown() -> None:
    assert [each.complete for each in maps()] == [False] * (len(maps()) - 1) + [True]
    for level in maps()[-1].levels:
        for layer in LAYERS:
            assert not (getattr(level, layer) == Answer.UNKNOWN).any()


def test_a_caller_may_stop_at_any_time() -> None:
    before = threading.active_count()
    going = survey(board(), "a", STAND_IN, cell=0.25)
    seen = list(islice(going, 3))
    going.close()  # type: ignore[attr-defined]
    assert threading.active_count() == before
    assert not seen[-1].complete
    assert seen[-1].asked < seen[-1].of


def test_maps_cannot_be_changed() -> None:
    with pytest.raises(ValueError):
        maps()[0].levels[0].visible[0, 0] = Answer.YES


@pytest.mark.rule("SIGHT-5")
def test_cells_are_where_a_base_can_stand() -> None:
    floor, top = maps()[-1].levels
    assert (floor.level, top.level) == (0.0, 3.0)
    for row in range(floor.visible.shape[0]):
        for column in range(floor.visible.shape[1]):
            x, y = centre(row, column)
            in_block = 5.0 < x < 5.6 and 2.0 < y < 6.0
            in_fence = 8.0 < x < 8.2 and y < 3.0
            assert (floor.visible[row, column] == Answer.NOWHERE) == (in_block or in_fence), (x, y)
            on_platform = x > 9.0 and y > 5.0
            assert (top.visible[row, column] != Answer.NOWHERE) == on_platform, (x, y)


@pytest.mark.rule("KZ-BARRED")
def test_bars_are_looked_through_by_who_is_at_them() -> None:
    bars = part("bars", (5.0, 0.0, 0.0), (5.2, 4.0, 6.0), "barred", "heavy")
    scene = Scene(Terrain((12.0, 4.0), (bars,)), (operative("a", 2.0, 2.0),))
    *_, last = survey(scene, "a", STAND_IN, cell=1.0)
    (floor,) = last.levels
    assert floor.visible[2, 6] == Answer.YES  # 6.5 - 5.2 - 0.63 = 0.67 inches away
    assert floor.visible[2, 7] == Answer.NO  # 1.67


def test_a_stand_in_on_the_board_is_asked_about_elsewhere() -> None:
    scene = replace(board(), operatives=(*board().operatives, replace(STAND_IN, x=3.0, y=4.0)))
    first = next(survey(scene, "a", STAND_IN, cell=CELL))
    for here, there in zip(first.levels, maps()[0].levels, strict=True):
        assert (here.visible == there.visible).all()


@pytest.mark.parametrize("order", ["engage", "conceal"])
def test_safe_is_where_no_enemy_has_a_valid_target(order: str) -> None:
    stand_in = replace(STAND_IN, order=order)  # type: ignore[arg-type]
    made = list(safe_from(board(), ("a", "b"), stand_in, cell=CELL))
    one, two = maps("a", "kt24", order)[-1], maps("b", "kt24", order)[-1]
    for safe, a, b in zip(made[-1].levels, one.levels, two.levels, strict=True):
        stands = a.visible != Answer.NOWHERE
        layer = f"valid_on_{order}"
        expected = (getattr(a, layer) == Answer.NO) & (getattr(b, layer) == Answer.NO)
        assert ((safe.safe == Answer.YES) == (stands & expected)).all()
        assert ((safe.safe == Answer.NO) == (stands & ~expected)).all()
        assert ((safe.safe == Answer.NOWHERE) == ~stands).all()
        unseen = (a.visible == Answer.NO) & (b.visible == Answer.NO)
        assert ((safe.hidden == Answer.YES) <= unseen).all()
    # between them the two see the whole board, but not past all cover
    assert any((level.safe == Answer.YES).any() for level in made[-1].levels) == (order == "conceal")
    assert any((level.safe == Answer.NO).any() for level in made[-1].levels)
    assert made[-1].complete
    assert not made[0].complete


def test_nothing_is_called_safe_before_it_is_certain() -> None:
    made = list(safe_from(board(), ("a", "b"), STAND_IN, cell=CELL))
    for level in made[0].levels:
        assert not (level.safe == Answer.YES).any()
        assert not (level.hidden == Answer.YES).any()
    for each in made:
        for early, late in zip(each.levels, made[-1].levels, strict=True):
            assert (late.safe[early.safe == Answer.YES] == Answer.YES).all()


def test_without_enemies_every_place_is_safe() -> None:
    (made,) = safe_from(board(), (), STAND_IN, cell=CELL)
    assert made.complete
    assert all((level.safe[level.safe != Answer.NOWHERE] == Answer.YES).all() for level in made.levels)


def test_batches_on_all_cores_answer_as_one_core_does() -> None:
    rng = np.random.default_rng(4)
    world = world_of(board())
    act = world.active()
    low, high = np.zeros(3), np.array([12.0, 8.0, 3.0])
    origin = rng.uniform(low, high, (3000, 3))
    direction = rng.uniform(low, high, (3000, 3)) - origin
    with parallel.ONE_BATCH:
        found = parallel.lines_blocked(world.forest, act, origin, direction, 0.02)
    expected = queries.lines_blocked(world.forest, act, origin, direction, 0.02)
    assert (found == expected).all()
    assert 0 < found.sum() < len(found)
