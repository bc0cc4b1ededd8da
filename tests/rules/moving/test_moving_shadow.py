"""A shadow joined of two, or of slices of parts, answers as one that has all the pieces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from random import Random

import numpy as np
import pytest
from tables import BARRIER, PLATFORM, doorway, operative, scene

from ktsim.geometry.kernels import bands
from ktsim.geometry.shelf import PREPARED
from ktsim.rules.moving.chart import chart_of
from ktsim.rules.moving.form import Form
from ktsim.rules.moving.ground import ground_of
from ktsim.rules.moving.patches import mark_near, patch_of
from ktsim.rules.moving.reach import reach
from ktsim.rules.moving.shadow import Shadow, Slice, SlicedShadow
from ktsim.rules.moving.walk import REPOSITION, Walker
from ktsim.sight.scene import Base

FORM = Form.of(Base(0.6, 0.6), 0.0)
OVAL = Form.of(Base(0.8, 0.5), 30.0)


def random_shadow(rng: Random, owners: range) -> Shadow:
    def piece() -> list[float]:
        x, y = rng.uniform(0, 10), rng.uniform(0, 10)
        return [place + rng.uniform(-1, 1) for _ in range(3) for place in (x, y)]

    return Shadow.of((owner, np.array([piece() for _ in range(3)])) for owner in owners)


def pairs() -> Iterator[tuple[Random, Shadow, Shadow]]:
    for seed in range(30):
        rng = Random(seed)
        one, two = random_shadow(rng, range(4)), random_shadow(rng, range(4, 7))
        whole = Shadow.of([*one.by_owner.items(), *two.by_owner.items()])
        yield rng, one.and_more(two), whole


def test_joined_shadows_answer_as_one() -> None:
    met = 0
    for rng, joined, whole in pairs():
        assert joined.joined is not None
        assert np.array_equal(joined.pieces, whole.pieces)
        assert np.array_equal(joined.owners, whole.owners)
        assert {tuple(edge) for edge in joined.edges[0]} == {tuple(edge) for edge in whole.edges[0]}
        for _ in range(60):
            a, b = ((rng.uniform(0, 10), rng.uniform(0, 10)) for _ in range(2))
            found = joined.meets(FORM, a, b)
            assert (found >= 0) == (whole.meets(FORM, a, b) >= 0)
            assert found < 0 or Shadow.of([(found, whole.by_owner[found])]).meets(FORM, a, b) == found
            assert joined.under(*a) == whole.under(*a)
            assert joined.near(0.5, *a) == whole.near(0.5, *a)
            met += joined.meets(FORM, a, a) >= 0
    assert met > 100


def test_what_is_left_without_some_parts() -> None:
    for _, joined, whole in pairs():
        assert joined.without([]) is joined
        assert joined.without([99]) is joined, "what is not there takes nothing away"
        left = joined.without([1, 5])
        assert left.present == {0, 2, 3, 4, 6}
        assert np.array_equal(left.pieces, whole.without([1, 5]).pieces)
        assert joined.without([4, 5, 6]).present == {0, 1, 2, 3}


def test_slices_answer_as_one() -> None:
    met = 0
    for rng, _, whole in pairs():
        sliced = SlicedShadow({owner: Slice(lambda pieces=pieces: pieces) for owner, pieces in whole.by_owner.items()})
        assert np.array_equal(sliced.pieces, whole.pieces)
        assert np.array_equal(sliced.owners, whole.owners)
        assert all(np.array_equal(one, other) for one, other in zip(sliced.edges, whole.edges, strict=True))
        assert np.array_equal(sliced.without([1, 5]).pieces, whole.without([1, 5]).pieces)
        for _ in range(60):
            a, b = ((rng.uniform(-1, 11), rng.uniform(-1, 11)) for _ in range(2))
            for form in (FORM, OVAL):
                assert sliced.meets(form, a, b) == whole.meets(form, a, b)
                assert sliced.meets(form, a, a) == whole.meets(form, a, a)
            assert sliced.under(*a) == whole.under(*a)
            assert sliced.near(0.5, *a) == whole.near(0.5, *a)
            met += sliced.meets(FORM, a, a) >= 0
    assert met > 100


@pytest.mark.parametrize("form", [FORM, OVAL])
def test_nodes_around_slices_are_those_around_all_pieces(form: Form) -> None:
    chart = chart_of(ground_of(scene(PLATFORM)), form, 1.0)
    for _, _, whole in pairs():
        sliced = SlicedShadow({owner: Slice(lambda pieces=pieces: pieces) for owner, pieces in whole.by_owner.items()})
        for over in (True, False):
            assert np.array_equal(chart.overlaps(sliced, over), chart.overlaps(whole, over))
        assert np.array_equal(chart.distance(sliced, 2.0, 0.0), chart.distance(whole, 2.0, 0.0))
        near = [
            patch_of(each, chart.lat, 0.8, "x", partial(mark_near, each.pieces, 0.8)) for each in sliced.slices.values()
        ]
        marked = np.zeros(chart.size, np.bool_)
        for patch in near:
            patch.onto(marked)
        assert marked.any()
        assert np.array_equal(marked, chart.near(whole.pieces, 0.8))


def test_a_part_is_cut_once_for_all_heights_beyond_it() -> None:
    part = ground_of(scene(PLATFORM)).parts[0]
    whole = part.between(part.low - 1, part.top + 1)
    assert part.between(part.low, part.top) is part.between(part.low - 2, part.top + 5) is whole
    assert part.between(part.low, part.top - 0.1) is not whole
    assert np.array_equal(whole.pieces, bands.band(part.flat, part.low - 1, part.top + 1))


@pytest.mark.parametrize("most", [1, 200_000])
def test_answers_do_not_depend_on_what_is_kept(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However little room the shelf has."""

    def found() -> list[object]:
        table = scene(PLATFORM, BARRIER, *doorway(), at=(9.0, 8.0, 0.0), others=(operative("e", "blue", 13.0, 3.0),))
        return list(reach(ground_of(table), Walker.of(table, "a"), 5, REPOSITION).places())

    wanted = found()
    monkeypatch.setattr(PREPARED, "most", most)
    assert found() == wanted
    assert PREPARED.weight <= most or len(PREPARED) == 1
