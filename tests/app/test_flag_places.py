"""Where labels over the stage go: clear of each other and of figures, with leaders, and steady."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ktsim.app.ui.flag_places import (
    FIGURE,
    GAP,
    MARKER,
    OVER,
    ROUTE,
    PlacedFlag,
    Solid,
    Stroke,
    Wanted,
    place,
    spots_of,
    within_box,
)
from ktsim.app.ui.rect import Rect

ROOM = Rect(200, 80, 600, 500)


def wanted(key: object, x: float, y: float, *, w: float = 100, **more: object) -> Wanted:
    return Wanted(str(key), x, y, w, 26, **more)  # type: ignore[arg-type]


def figure(x: float, y: float) -> Solid:
    """A figure whose label's place is x, y."""
    return Solid(x - 14, y + 4, x + 14, y + 40, FIGURE)


def shown(labels: list[Wanted], solids: list[Solid] | None = None, room: Rect = ROOM) -> list[PlacedFlag]:
    placed = place(labels, solids or [], [], room, {})
    assert None not in placed
    return [it for it in placed if it is not None]


def covers(rect: Rect, solid: Solid) -> bool:
    return rect.x < solid.right and solid.left < rect.right and rect.y < solid.bottom and solid.top < rect.bottom


def ends_at(it: PlacedFlag, x: float, y: float) -> bool:
    return it.leader[2:] == (x, y)


def test_a_label_alone_sits_over_its_place_with_a_short_leader() -> None:
    (it,) = shown([wanted("a", 500, 300)])
    assert ends_at(it, 500, 300)
    assert it.rect.x + it.rect.w / 2 == pytest.approx(500, abs=1)
    assert 300 - it.rect.bottom == pytest.approx(OVER, abs=1)


def test_a_label_climbs_off_the_figure_above_its_place_and_has_a_leader() -> None:
    behind = Solid(486, 260, 514, 296, FIGURE)
    (it,) = shown([wanted("a", 500, 300)], [behind, figure(500, 300)])
    assert not covers(it.rect, behind)
    assert ends_at(it, 500, 300)


def test_a_crowd_is_named_without_covering_any_of_them() -> None:
    """Four close together, as targets at the far edge of a killzone are: everyone is still to be seen."""
    places = [(500, 300), (534, 290), (563, 280), (558, 304)]
    solids = [figure(x, y) for x, y in places]
    placed = shown([wanted(i, x, y, body=figure(x, y)[:4]) for i, (x, y) in enumerate(places)], solids)
    assert not any(covers(it.rect, solid) for it in placed for solid in solids)
    for it, at in zip(placed, places, strict=True):
        assert ends_at(it, *at) or it.leader[3] > at[1]
        others = [other.rect for other in placed if other is not it]
        assert not any(within_box(*it.leader, o.x, o.y, o.right, o.bottom) for o in others)


def test_the_first_label_has_its_place_and_the_second_gives_way() -> None:
    refusal, beacon = wanted("refusal", 500, 300, w=300), wanted("beacon", 496, 296)
    first, second = shown([refusal, beacon])
    assert first.bad < second.bad
    first, second = shown([beacon, refusal])
    assert first.bad < second.bad


def test_a_label_stays_off_its_route() -> None:
    """The words about a leg stand beside it: neither over the leg nor over its bends."""
    legs = [Stroke(450, 250, 520, 330, ROUTE), Stroke(520, 330, 600, 300, ROUTE)]
    bends = [Solid(x - 9, y - 9, x + 9, y + 9, MARKER) for x, y in ((450, 250), (520, 330), (600, 300))]
    labels = [wanted("1", 485, 290, insists=False), wanted("2", 560, 315, insists=False)]
    placed = place(labels, bends, legs, ROOM, {})
    for it in placed:
        assert it is not None
        assert not any(covers(it.rect, bend) for bend in bends)
        assert sum(within_box(*leg[:4], it.rect.x, it.rect.y, it.rect.right, it.rect.bottom) for leg in legs) == 0


def test_from_below_the_leader_ends_at_the_feet() -> None:
    above = [Solid(200, 80, 800, 299, FIGURE), figure(500, 300), Solid(200, 300, 480, 345, FIGURE)]
    above.append(Solid(520, 300, 800, 345, FIGURE))
    (it,) = shown([wanted("a", 500, 300, body=figure(500, 300)[:4])], above)
    assert it.rect.y > 340
    assert ends_at(it, 500, 340)


def test_from_beside_the_leader_ends_at_that_side_of_the_body() -> None:
    """Over the head of one in front is the body of the one behind: a leader that ended there would name that one."""
    behind, before = figure(500, 270), figure(500, 300)
    over = [Solid(300, 80, 700, 260, FIGURE), behind, before, Solid(300, 345, 700, 600, FIGURE)]
    (it,) = shown([wanted("a", 500, 300, body=before[:4])], over)
    assert it.rect.right < before.left or it.rect.x > before.right
    assert before.left <= it.leader[2] <= before.right
    assert it.leader[3] == pytest.approx((300 + before.bottom) / 2)


@pytest.mark.parametrize(("x", "y"), [(150, 300), (900, 300), (500, 20), (500, 700), (-4000, 9000)])
def test_a_place_outside_hides_its_label_unless_it_insists(x: float, y: float) -> None:
    assert place([wanted("a", x, y)], [], [], ROOM, {}) == [None]
    (it,) = shown([wanted("a", x, y, insists=True)])
    assert it.is_outside
    assert it.rect.x >= ROOM.x
    assert it.rect.right <= ROOM.right
    # The arrow ends at the border nearest to the place, and leads outwards.
    assert it.leader[2] == pytest.approx(min(max(x, ROOM.x), ROOM.right), abs=3)
    assert it.leader[3] == pytest.approx(min(max(y, ROOM.y), ROOM.bottom), abs=3)
    assert math.dist(it.leader[:2], (x, y)) > math.dist(it.leader[2:], (x, y))


def test_a_place_just_inside_is_shown_and_is_no_outside_one() -> None:
    (it,) = shown([wanted("a", ROOM.x + 1, ROOM.y + 200)])
    assert not it.is_outside


def test_what_may_be_hidden_is_in_a_crowd_and_what_may_not_is_shown() -> None:
    must = [wanted(f"must {i}", 500, 300) for i in range(6)]
    may = [wanted(f"may {i}", 500, 300, may_hide=True) for i in range(30)]
    placed = place([*must, *may], [], [], ROOM, {})
    assert all(it is not None for it in placed[:6])
    assert any(it is None for it in placed[6:])


def test_one_that_must_be_shown_finds_room_far_off() -> None:
    """More than there are spots around the place: the last ones go where there is room."""
    placed = shown([wanted(i, 500, 300) for i in range(30)])
    assert not any(a.rect.overlaps(b.rect) for i, a in enumerate(placed) for b in placed[i + 1 :])


def test_there_is_no_room_in_a_small_place() -> None:
    assert place([wanted("a", 210, 90)], [], [], Rect(200, 80, 90, 20), {}) == [None]


def test_labels_stay_while_everything_moves_a_little() -> None:
    """A camera that turns smoothly: spots change seldom, and never back and forth."""
    start = [(500, 300), (534, 290), (563, 280), (558, 304), (420, 310), (300, 200)]
    before: dict[object, int] = {}
    history: list[dict[object, int]] = []
    for frame in range(120):
        angle = frame * 0.004
        c, s = math.cos(angle), math.sin(angle)
        turned = [(500 + (x - 500) * c - (y - 300) * s, 300 + (x - 500) * s + (y - 300) * c) for x, y in start]
        labels = [wanted(i, x, y, insists=True) for i, (x, y) in enumerate(turned)]
        placed = place(labels, [figure(x, y) for x, y in turned], [], ROOM, before)
        before = dict(spots_of(labels, placed))
        history.append(before)
    for key in history[0]:
        spots = [each[key] for each in history]
        changes = [i for i in range(1, len(spots)) if spots[i] != spots[i - 1]]
        assert len(changes) <= 6, (key, spots)
        assert not any(spots[i - 1] in spots[i : i + 10] for i in changes), (key, spots)


def test_a_label_returns_when_its_spot_is_clearly_better() -> None:
    """Whoever was put aside goes back over its place when there is room again, unless it is hardly aside."""
    crowd = [wanted(i, 500, 300) for i in range(8)]
    placed = place(crowd, [], [], ROOM, {})
    over = place(crowd[:1], [], [], ROOM, {})[0]
    assert over is not None
    stayed = set()
    for one, it in zip(crowd, placed, strict=True):
        assert it is not None
        (alone,) = place([one], [], [], ROOM, spots_of([one], [it]))
        assert alone is not None
        is_far = math.dist((it.rect.x, it.rect.y), (over.rect.x, over.rect.y)) > 80
        assert not is_far or alone.rect == over.rect
        stayed.add(alone.rect == it.rect)
    assert stayed == {True, False}


places = st.tuples(st.floats(-100, 1100), st.floats(-100, 900))
crowds = st.lists(st.tuples(places, st.floats(20, 390), st.booleans(), st.booleans()), min_size=0, max_size=14)


@settings(max_examples=150, deadline=None)
@given(crowds, st.lists(places, max_size=12), st.dictionaries(st.integers(0, 13).map(str), st.integers(-1, 60)))
def test_whatever_is_wanted(
    crowd: list[tuple[tuple[float, float], float, bool, bool]],
    bodies: list[tuple[float, float]],
    before: dict[str, int],
) -> None:
    """No label covers another or leaves its room; none is lost that must be shown; leaders go from a label's edge to
    its place; and the same question has the same answer."""
    labels = [
        wanted(i, *at, w=w, may_hide=may_hide, insists=insists) for i, (at, w, may_hide, insists) in enumerate(crowd)
    ]
    solids = [figure(x, y) for x, y in bodies]
    placed = place(labels, solids, [], ROOM, before)
    assert placed == place(labels, solids, [], ROOM, before)
    there = [it for it in placed if it is not None]
    for i, it in enumerate(there):
        assert not any(it.rect.overlaps(other.rect, GAP - 1) for other in there[i + 1 :])
        assert it.rect.x >= ROOM.x
        assert it.rect.y >= ROOM.y
        assert it.rect.right <= ROOM.right
        assert it.rect.bottom <= ROOM.bottom
    for one, it in zip(labels, placed, strict=True):
        is_in = ROOM.x <= one.x <= ROOM.right and ROOM.y <= one.y <= ROOM.bottom
        if it is None:
            assert one.may_hide or not one.insists or len(labels) > 8 or not is_in
            continue
        assert is_in != it.is_outside
        assert is_in or one.insists
        x, y = it.leader[:2]
        assert it.rect.x <= x <= it.rect.right
        assert it.rect.y <= y <= it.rect.bottom
        assert it.is_outside or it.leader[2:] == (one.x, one.y)


@given(places, places)
def test_the_part_of_a_line_in_a_box(a: tuple[float, float], b: tuple[float, float]) -> None:
    """It is what sampling the line finds."""
    part = within_box(*a, *b, 100, 100, 500, 400)
    steps = 400
    inside = 0
    for i in range(steps):
        t = (i + 0.5) / steps
        x, y = a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t
        inside += 100 < x < 500 and 100 < y < 400
    assert part == pytest.approx(inside / steps, abs=0.02)
