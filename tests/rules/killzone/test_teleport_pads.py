"""Teleport pads: standing on one, being set up on the other instead of moving, swapping, control range, equipment."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from engine_help import Answers, acting, at, ranged, story
from ground_help import Ground, terrain

from ktsim import paths
from ktsim.game.game import Game
from ktsim.game.move_ruling import move_ruling
from ktsim.geometry.solids import box, cylinder
from ktsim.killzones.scene_file import load_scene
from ktsim.rules.engine.action import refuses
from ktsim.rules.engine.decisions import CANCEL, Place, Walk
from ktsim.rules.engine.operative_events import ActionCancelled, MarkerAppeared, Moved
from ktsim.rules.engine.placing import near_equipment, piece_shape
from ktsim.rules.engine.state import Activation, PieceState, State, milli
from ktsim.rules.engine.table import MoveRequest
from ktsim.rules.engine.table_events import Teleported
from ktsim.rules.killzone.guard import ON_GUARD, is_on_guard
from ktsim.rules.kt24.equipment.mines import MinesRule
from ktsim.rules.kt24.moves import Charge, Dash, FallBack, Reposition
from ktsim.rules.kt24.shoot import Shoot
from ktsim.rules.moving.mover import action_of, placed
from ktsim.rules.moving.reach import reach
from ktsim.sight.scene import Base, Part

HIGH, RADIUS = 0.1, 1.25
EDGE = RADIUS * 0.99
"""Pads have corners: this far from the middle one is still on them."""
NAMES = ("pad-1", "pad-2")
TRAITS = frozenset({"exposed", "insignificant", "vantage"})
KINDS = dict.fromkeys(NAMES, "teleport pad")


def disc(name: str, x: float, y: float) -> Part:
    return Part(name, "pad", TRAITS, cylinder((x, y, 0), RADIUS, HIGH), "pad")


def hall(*more: Part, rules: tuple[str, ...] = ("KZ-TOMB-PAD", "KZ-GUARD")) -> Any:
    """Pads at (6, 11) and (24, 11), and nothing else."""
    return terrain(disc("pad-1", 6, 11), disc("pad-2", 24, 11), *more, rules=rules, kinds=KINDS)


@pytest.fixture(params=["real", "plain"])
def kind(request: pytest.FixtureRequest) -> str:
    """On the real table, where a pad is a level of its own, and on the plain one."""
    return str(request.param)


def level_of(kind: str) -> int:
    return 100 if kind == "real" else 0


class Table:
    """A of red on the first pad in turning point 2."""

    def __init__(self, kind: str, at: tuple[float, float] = (6, 11), on: Any = None, **more: Any) -> None:
        self.kind, self.level = kind, level_of(kind)
        self.ground = Ground(on=on or hall())
        self.ground.state.turning_point = 2
        self.add("a", "red", at, **more)

    def add(self, id: str, side: Any, at: tuple[float, float], *weapons: Any, on_pad: bool = True, **more: Any) -> Any:
        self.ground.add(id, side, at, *weapons, level=self.level if on_pad else 0, **more)
        return self

    @property
    def field(self) -> Any:
        return self.ground.seen() if self.kind == "real" else self.ground.walked()

    def request(self, action: Any, id: str = "a") -> MoveRequest:
        battle = self.field.ready
        request = action.limited(battle, battle.state.operatives[id])
        assert isinstance(request, MoveRequest)
        return request

    def judged(self, action: Any, *path: tuple[int, int, int], id: str = "a") -> Any:
        battle = self.field.ready
        return battle.table.mover.judge(battle.table, battle.state, self.request(action, id), path)

    def near(self, one: str, two: str) -> bool:
        field = self.field
        return bool(field.table.in_control_range(field.state, one, two))

    def there(self, x: float = 24, y: float = 11) -> tuple[int, int, int]:
        return (milli(x), milli(y), self.level)


# -- standing on one -------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-PAD")
@pytest.mark.parametrize(
    ("x", "stands"),
    [(0.0, True), (EDGE - 0.5, True), (RADIUS - 0.5 + 0.01, False), (RADIUS, False), (RADIUS + 0.49, False)],
)
def test_wholly_on_the_pad_or_not_on_it(kind: str, x: float, stands: bool) -> None:
    table = Table(kind, (3, 3), move=9)
    state, mover = table.field.state, table.field.table.mover
    for angle in ((1, 0), (0, 1), (-1, 0)):
        for level in {0, table.level}:
            point = (milli(6 + x * angle[0]), milli(11 + x * angle[1]), level)
            why = mover.refuses_to_stand(table.field.table, state, "a", point)
            assert (why is None) == (stands and level == table.level), why
    beside = mover.refuses_to_stand(table.field.table, state, "a", at(6 + RADIUS + 0.501, 11))
    assert beside is None


@pytest.mark.rule("KZ-TOMB-PAD")
def test_an_oval_base_is_on_it_as_it_is_turned() -> None:
    table = Table("real", (3, 3))
    table.ground.cards["a"] = replace(table.ground.cards["a"], base=Base.of_mm(52, 25))
    who, field = table.ground.state.operatives["a"], table.field
    for turn, shift, stands in ((0, (0, 0.5), True), (90_000, (0, 0.5), False), (90_000, (0.5, 0), True)):
        who.turn = turn
        point = table.there(6 + shift[0], 11 + shift[1])
        assert (field.table.mover.refuses_to_stand(field.table, field.state, "a", point) is None) == stands


@pytest.mark.rule("KZ-TOMB-PAD")
def test_one_operative_at_a_time(kind: str) -> None:
    table = Table(kind, (6.6, 11)).add("b", "red", (3, 3), on_pad=False)
    field = table.field
    why = field.table.mover.refuses_to_stand(field.table, field.state, "b", table.there(5.4, 11))
    assert why is not None
    assert "one operative at a time" in why
    field.state.operatives["a"].is_removed = True
    assert field.table.mover.refuses_to_stand(field.table, field.state, "b", table.there(5.4, 11)) is None


@pytest.mark.rule("KZ-TOMB-PAD")
def test_it_is_walked_onto_and_over_for_nothing_more() -> None:
    table = Table("real", (3, 11))
    table.ground.state.operatives["a"].level = 0
    mover, field = table.field.table.mover, table.field
    path = mover.route(field.table, field.state, table.request(Reposition()), table.there(6, 11))
    assert path
    assert path[-1] == table.there(6, 11)
    assert table.judged(Reposition(), *path).cost == 3
    over = mover.route(field.table, field.state, table.request(Reposition()), at(9, 11))
    assert table.judged(Reposition(), *over).cost == 6
    places = mover.places(field.table, field.state, table.request(Reposition()))
    on_it = [place for place in places if place[2]]
    assert on_it  # the map shows where it can be stood on, and nothing else of it
    assert all(mover.route(field.table, field.state, table.request(Reposition()), place) for place in on_it)
    taken = table.add("b", "red", (6, 11)).field
    assert not any(place[2] for place in mover.places(taken.table, taken.state, table.request(Reposition())))


# -- set up on the other -----------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-PAD")
def test_instead_of_a_reposition_it_is_set_up_on_the_other_pad(kind: str) -> None:
    table = Table(kind)
    game = table.field.act("a", Reposition(), choose={"move": [(table.there(24.3, 11.2),)]})
    assert game.state.operatives["a"].point == table.there(24.3, 11.2)
    assert Teleported("a", table.there(24.3, 11.2)) in game.events
    assert not any(isinstance(event, Moved) for event in game.events)
    assert "A is set up on pad 2 instead of moving. [KZ-TOMB-PAD]" in story(game)
    assert game.state.activation is not None
    assert game.state.activation.moves == ["Reposition"]


@pytest.mark.rule("KZ-TOMB-PAD")
def test_wholly_on_that_one_too(kind: str) -> None:
    table = Table(kind)
    assert table.judged(Reposition(), table.there(24 + EDGE - 0.5)).refusal is None
    assert table.judged(Reposition(), table.there(24 + RADIUS - 0.49)).refusal is not None


@pytest.mark.rule("KZ-TOMB-PAD")
def test_not_in_turning_point_1(kind: str) -> None:
    table = Table(kind)
    table.ground.state.turning_point = 1
    why = table.judged(Reposition(), table.there()).refusal
    assert why is not None
    if kind == "real":
        assert (
            why
            == "Leg 1: No pad takes it there now: only instead of a move in its activation, from turning point 2 on."
        )


@pytest.mark.rule("KZ-TOMB-PAD")
def test_by_charge_fall_back_and_reposition_but_no_dash(kind: str) -> None:
    table = Table(kind).add("e", "blue", (24 + RADIUS + 0.6, 11), on_pad=False)
    assert table.judged(Charge(), table.there()).refusal is None
    assert table.judged(Reposition(), table.there()).refusal is not None  # it would end in control range
    away = Table(kind).add("e", "blue", (6 + RADIUS + 0.6, 11), on_pad=False)
    assert away.judged(FallBack(), away.there()).refusal is None
    assert away.judged(Dash(), away.there()).refusal is not None
    assert away.judged(Charge(), away.there()).refusal is not None  # nobody is there to be charged
    free = Table(kind)
    assert free.judged(Reposition(), free.there()).refusal is None
    assert free.judged(Dash(), free.there()).refusal is not None


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-COUNTERACT")
def test_nobody_that_counteracts_goes_that_far(kind: str) -> None:
    table = Table(kind)
    table.ground.state.activation = Activation("a", "counteraction", 2)
    assert not table.request(Reposition()).teleports
    assert table.judged(Reposition(), table.there()).refusal is not None


@pytest.mark.rule("KZ-TOMB-PAD")
def test_only_from_a_pad_and_not_on_the_way(kind: str) -> None:
    table = Table(kind, (9, 11))
    table.ground.state.operatives["a"].level = 0
    assert table.judged(Reposition(), table.there()).refusal is not None
    on = Table(kind)
    assert on.judged(Reposition(), on.there(6.3), on.there()).refusal is not None
    assert on.judged(Reposition(), on.there(), on.there(24.3)).refusal is not None


@pytest.mark.rule("KZ-TOMB-PAD", "KZ-HATCH-OPERATE")
def test_no_move_goes_on_after_it(kind: str) -> None:
    table = Table(kind)
    answers = Answers(choose={"move": [(table.there(),)]})
    table.field.play(acting("a", Reposition()), answers)
    assert answers.topics == ["move"]


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-W-HEAVY")
def test_for_heavy_weapons_it_counts_as_the_move_it_replaces(kind: str) -> None:
    heavy = ranged("Heavy (Dash only)")
    table = Table(kind)
    table.ground.cards["a"] = replace(table.ground.cards["a"], weapons=(heavy,))
    table.add("e", "blue", (24, 18), on_pad=False)
    assert refuses(table.field.ready, table.ground.state.operatives["a"], Shoot()) is None
    game = table.field.act("a", Reposition(), choose={"move": [(table.there(),)]})
    assert refuses(game.battle, game.state.operatives["a"], Shoot()) is not None


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-E-MINES")
def test_nothing_happens_on_a_way_it_did_not_go(kind: str) -> None:
    def mined(x: float) -> Game:
        table = Table(kind)
        table.ground._rules = (*table.ground._rules, MinesRule("blue"))
        MarkerAppeared("blue-mines", "mines", at(x, 11), 394).apply(table.ground.state)
        return table.field.act("a", Reposition(), dice=[(1,)] if x > 20 else [], choose={"move": [(table.there(),)]})

    assert mined(15).state.operatives["a"].wounds == 10
    assert mined(24 + RADIUS + 0.5).state.operatives["a"].wounds == 6


# -- swapping ------------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-PAD")
@pytest.mark.parametrize("side", ["red", "blue"])
def test_somebody_standing_there_swaps_and_its_own_player_sets_it_up(kind: str, side: Any) -> None:
    table = Table(kind).add("b", side, (24.4, 11), tokens={ON_GUARD: 1})
    game = table.field.game(acting("a", Reposition()))
    game.submit((table.there(24, 11),))
    assert isinstance(game.pending, Place)
    assert (game.pending.seat, game.pending.topic) == (side, "swap")
    assert game.pending.check(table.there(6 + EDGE - 0.5)) is None
    assert game.pending.check(table.there(6 + RADIUS - 0.45)) is not None  # not wholly on it
    assert game.pending.check(table.there(24.4, 11)) is not None
    assert game.pending.check(at(10, 11)) == "B is set up on pad 1."
    game.submit(table.there(6.2, 11.1))
    assert game.state.operatives["a"].point == table.there(24, 11)
    assert game.state.operatives["b"].point == table.there(6.2, 11.1)
    assert all(who.is_in_killzone for who in game.state.operatives.values())
    assert not is_on_guard(game.state.operatives["b"])  # it was set up
    assert State.from_json(game.state.to_json()).digest() == game.state.digest()
    after, answers = game.digest(), list(game.answers)
    game.rewind(0)
    assert game.state.operatives["a"].point == table.there(6, 11)
    assert game.state.operatives["b"].point == table.there(24.4, 11)
    for answer in answers:
        game.submit(answer)
    assert game.digest() == after


@pytest.mark.rule("KZ-TOMB-PAD")
def test_a_charge_that_swaps_with_its_enemy_needs_another_one_there(kind: str) -> None:
    table = Table(kind).add("b", "blue", (24, 11))
    assert table.judged(Charge(), table.there()).refusal is not None
    table.add("c", "blue", (24 + RADIUS + 0.7, 11), on_pad=False)
    assert table.judged(Charge(), table.there()).refusal is None
    assert table.judged(Reposition(), table.there()).refusal is not None


@pytest.mark.rule("KZ-TOMB-PAD")
def test_who_is_too_large_for_the_pad_does_not_swap() -> None:
    small = Part("pad-1", "pad", TRAITS, cylinder((6, 11, 0), 0.6, HIGH), "pad")
    on = terrain(small, disc("pad-2", 24, 11), rules=["KZ-TOMB-PAD"], kinds=KINDS)
    table = Table("real", on=on).add("b", "red", (24, 11), base=40)
    assert "too small" in (table.judged(Reposition(), table.there()).refusal or "")


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-CANCEL")
def test_what_the_action_needs_must_hold_once_everybody_is_set_up() -> None:
    """Pads so near that the enemy, swapped, can be set up within control range."""
    on = terrain(disc("pad-1", 6, 11), disc("pad-2", 8.6, 11), rules=["KZ-TOMB-PAD"], kinds=KINDS)
    table = Table("plain", (5.6, 11), on=on).add("b", "blue", (8.9, 11))
    near, far = table.there(6.7), table.there(5.3)
    done = table.field.act("a", Reposition(), choose={"move": [(table.there(8.8),)], "swap": far})
    assert done.state.operatives["a"].x == milli(8.8)
    again = Table("plain", (5.6, 11), on=on).add("b", "blue", (8.9, 11))
    undone = again.field.act("a", Reposition(), choose={"move": [(table.there(8.4),)], "swap": near})
    assert any(isinstance(event, ActionCancelled) for event in undone.events)
    assert undone.state.operatives["a"].x == milli(5.6)
    assert undone.state.operatives["b"].is_in_killzone


# -- control range -------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-CONTROL")
def test_a_base_touching_a_pad_is_in_control_range_of_whoever_stands_on_it(kind: str) -> None:
    far = 6 + RADIUS + 0.5
    table = Table(kind, (6 - EDGE + 0.5, 11)).add("b", "blue", (far, 11), on_pad=False)
    assert far - 0.5 - (6 - EDGE + 1) > 1.2  # more than an inch apart
    assert table.near("a", "b")
    assert table.near("b", "a")
    table.ground.state.operatives["b"].x += 10
    assert not table.near("a", "b")
    table.ground.state.operatives["b"].x -= 10
    table.ground.state.operatives["a"].x = 1000
    table.ground.state.operatives["a"].level = 0
    assert not table.near("a", "b")  # nobody stands on it


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-CONTROL")
def test_without_the_rule_a_pad_is_terrain_like_any_other() -> None:
    plain = hall(rules=())
    table = Table("real", (6 - EDGE + 0.5, 11), on=plain).add("b", "blue", (6 + RADIUS + 0.5, 11), on_pad=False)
    assert not table.near("a", "b")
    field = table.field
    assert field.table.mover.refuses_to_stand(field.table, field.state, "b", table.there(24 + RADIUS)) is None


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-REPOSITION")
def test_no_reposition_touches_the_pad_of_an_enemy_on_its_way() -> None:
    table = Table("real", (6 - EDGE + 0.5, 11))
    table.add("b", "blue", (6 + RADIUS + 1.0, 8), on_pad=False, move=9)
    past = at(6 + RADIUS + 0.495, 14)
    clear = at(6 + RADIUS + 0.505, 14)
    table.ground.state.operatives["b"].x = past[0]
    assert "control range of A" in (table.judged(Reposition(), past, id="b").refusal or "")
    table.ground.state.operatives["b"].x = clear[0]
    assert table.judged(Reposition(), clear, id="b").refusal is None


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-CHARGE")
def test_a_charge_may_end_touching_the_pad() -> None:
    table = Table("real", (6 - EDGE + 0.5, 11)).add("b", "blue", (12, 11), on_pad=False, move=6)
    request = table.request(Charge(), "b")
    places = table.field.table.mover.places(table.field.table, table.field.state, request)
    assert any(x > 6000 + 1000 * RADIUS for x, _, _ in places)
    for place in places:
        path = table.field.table.mover.route(table.field.table, table.field.state, request, place)
        assert path != CANCEL, place


# -- planning --------------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-MOVE-8")
def test_the_map_shows_the_other_pad_and_every_place_of_it_has_a_route(kind: str) -> None:
    table = Table(kind)
    field, request = table.field, table.request(Reposition())
    mover = field.table.mover
    beyond = [place for place in mover.places(field.table, field.state, request) if place[0] > 20_000]
    assert beyond
    for place in beyond:
        assert mover.route(field.table, field.state, request, place) == (place,)
        assert mover.judge(field.table, field.state, request, (place,)).cost == 0
    table.ground.state.turning_point = 1
    early = mover.places(field.table, field.state, table.request(Reposition()))
    assert not any(place[0] > 20_000 for place in early)


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-MOVE-8")
def test_a_charge_is_planned_through_the_pads() -> None:
    table = Table("real").add("e", "blue", (24 + RADIUS + 0.7, 11), on_pad=False)
    field, request = table.field, table.request(Charge())
    places = field.table.mover.places(field.table, field.state, request)
    assert places
    assert all(place[0] > 20_000 for place in places)
    field = table.add("s", "blue", (24, 11)).field  # it would swap, and be nobody's to charge
    ground, mover = placed(field.table, field.state, "a")
    assert reach(ground, mover, request.allowance, action_of(field.table, request)).enemies == {"e": 0}


@pytest.mark.rule("KZ-TOMB-PAD", "KT24-MOVE-8")
def test_a_move_through_the_pads_is_ruled_on_in_a_scene() -> None:
    file = load_scene(paths.killzones() / "examples" / "tomb-pad-control.yaml")
    there = (21.6, 13.707)
    away = move_ruling(file, "a", there, "fall-back")
    assert away.legal
    assert (away.cost, [leg.kind for leg in away.legs]) == (0, ["teleport"])
    assert not move_ruling(file, "a", there, "reposition").legal  # in control range
    moved = [replace(file.scene.operative("b"), x=19.6, y=13.707), file.scene.operative("a")]
    near = replace(file, scene=replace(file.scene, operatives=tuple(moved)))
    charge = move_ruling(near, "a", "b")
    assert charge.legal
    assert [leg.kind for leg in charge.legs] == ["teleport"]
    assert not move_ruling(near, "a", there, "dash").legal


@pytest.mark.rule("KZ-TOMB-PAD")
def test_suggestions_find_the_other_pad(kind: str) -> None:
    table = Table(kind)
    game = table.field.game(acting("a", Reposition()))
    assert isinstance(game.pending, Walk)
    assert game.pending.prompt == 'A: Reposition up to 6", or to the other teleport pad.'
    found = {game.pending.sample(Random(seed))[-1][0] > 20_000 for seed in range(40)}
    assert found == {True, False}


# -- equipment ---------------------------------------------------------------------------------------------------


@pytest.mark.rule("KZ-TOMB-PAD")
def test_no_equipment_terrain_within_2_inches() -> None:
    battle = Table("plain").field.ready

    def refused(away: float) -> str | None:
        piece = PieceState("x", "light-barricade", "red", milli(6), 0, 0, 0)
        depth = float(piece_shape(piece).outline[:, 1].max())
        return near_equipment(battle, piece_shape(replace(piece, y=milli(11 - RADIUS - away - depth))))

    assert refused(1.99) == 'It would be within 2" of pad 1.'
    assert refused(2.02) is None


def test_a_square_pad_is_as_good() -> None:
    square = Part("pad-2", "pad", TRAITS, box((23, 10, 0), (25, 12, HIGH)), "pad")
    on = terrain(disc("pad-1", 6, 11), square, rules=["KZ-TOMB-PAD"], kinds=KINDS)
    table = Table("real", on=on)
    assert table.judged(Reposition(), table.there(24.5, 11.5)).refusal is None
    assert table.judged(Reposition(), table.there(24.51, 11.5)).refusal is not None
