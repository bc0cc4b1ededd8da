"""The ruling table's own things: the tray, terrain pieces, smoke, measuring, other origins, keys, tooltips."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine, pair

from ktsim import paths
from ktsim.app.area.overlay import ANY, TARGET, kinds_of
from ktsim.app.ruling.marks import RangeRing, Tape, length
from ktsim.app.stage.overlays import Label, Measure, Ring, Tint, WallMark, lines_of
from ktsim.killzones.scene_file import dump_scene, load_scene, scene_from_text
from ktsim.killzones.scene_pieces import pieces_of
from ktsim.sight import rulebook
from ktsim.sight.dates import SMOKE_BLUNTS
from ktsim.sight.distances import between
from ktsim.sight.junctions import wall_ends
from ktsim.sight.part_names import readable
from ktsim.sight.ruling import ruling
from ktsim.sight.scene import EDITIONS, RULES_DATES

__all__ = ["driver", "engine"]


def labels(driver: Driver) -> set[str]:
    return {item.text for item in driver.view.items if isinstance(item, Label)}


def example(driver: Driver, name: str) -> None:
    driver.desktop.open_table(load_scene(paths.killzones() / "examples" / f"{name}.yaml"))
    driver.settle()


def test_from_the_start_to_a_ruling_in_five_clicks(driver: Driver) -> None:
    driver.press("rule")
    driver.press("place-blue")
    driver.key("t")
    driver.click_table(3, 5)
    driver.press("place-red")
    driver.click_table(26, 18)
    assert driver.view.ruling is not None
    assert driver.clicks <= 15


# ---- dragging from the tray -------------------------------------------------------------------------------------
def test_an_operative_is_dragged_out_of_the_tray(driver: Driver) -> None:
    pair(driver)
    driver.drag(driver.middle_of("place-red"), driver.pixel_of(15, 16), steps=5)
    added = driver.model.selected
    assert added is not None
    assert (added.team, added.x, added.y) == ("red", pytest.approx(15, abs=0.1), pytest.approx(16, abs=0.1))
    assert driver.view.hands.carry is None
    count = len(driver.model.scene.operatives)
    driver.drag(driver.middle_of("place-red"), driver.middle_of("undo"), steps=5)
    assert len(driver.model.scene.operatives) == count, "over a panel it is put away"
    assert driver.view.hands.carry is None


def test_a_terrain_piece_is_dragged_turned_saved_and_removed(driver: Driver, tmp_path: Path) -> None:
    pair(driver)
    before = driver.model.ruling
    driver.press("tray")
    driver.drag(driver.middle_of("piece-heavy-barricade"), driver.pixel_of(15, 11), steps=5)
    (piece,) = pieces_of(driver.model.state.file)
    assert piece.piece == "heavy-barricade"
    assert piece.at[:2] == pytest.approx((15, 11), abs=0.1)
    found = driver.model.ruling
    assert found is not None
    assert found is not before
    assert driver.table.tray.is_open, "it is docked beside the table"
    driver.press("turn-left")
    driver.key("q")
    assert driver.model.piece is not None
    assert driver.model.piece.turn == 30
    start = driver.pixel_of(*piece.at[:2], 0.4)
    driver.drag(start, driver.pixel_of(16, 14, 0.4), steps=3)
    moved = driver.model.piece
    assert moved is not None
    assert moved.at[:2] == pytest.approx((16, 14), abs=0.6)
    driver.key("arrow_right")
    assert driver.model.piece is not None
    assert driver.model.piece.at[0] == pytest.approx(moved.at[0] + 0.1)

    path = tmp_path / "with-piece.yaml"
    driver.model.save(path)
    file = load_scene(path)
    assert pieces_of(file) == pieces_of(driver.model.state.file)
    again = ruling(file.scene, *file.pairs[0], file.edition)
    assert driver.model.ruling is not None
    assert again.as_json("x") == driver.model.ruling.as_json("x")

    driver.key("delete")
    assert pieces_of(driver.model.state.file) == ()
    driver.key("control", "z")
    assert len(pieces_of(driver.model.state.file)) == 1
    driver.key("p")
    driver.press("row-heavy-barricade")
    driver.press("remove")
    assert pieces_of(driver.model.state.file) == ()


def test_a_piece_that_does_not_fit_is_red_and_not_put_down(driver: Driver) -> None:
    pair(driver)
    driver.key("p")
    blue = driver.model.scene.operative("Blue 1")
    driver.press("piece-heavy-barricade")
    assert driver.view.hands.carry is not None
    driver.point(*driver.pixel_of(blue.x, blue.y))
    driver.settle()
    hover = driver.view.hands.hover
    assert hover is not None
    assert hover.problem == "It would stand on Blue 1."
    assert hover.problem in labels(driver)
    driver.button(True)
    driver.button(False)
    driver.settle()
    assert pieces_of(driver.model.state.file) == ()
    assert "It would stand on Blue 1." in driver.said()
    driver.key("escape")
    assert driver.view.hands.carry is None
    assert driver.table.tray.is_open
    driver.key("escape")
    assert not driver.table.tray.is_open


def test_an_operative_dragged_where_it_cannot_stand_goes_back(driver: Driver) -> None:
    pair(driver)
    red = driver.model.scene.operative("Red 1")
    legal = driver.pixel_of(12, 11, 0.15)
    driver.point(*driver.pixel_of(red.x, red.y, 0.15))
    driver.button(True)
    driver.point(*legal)
    driver.settle()
    there = driver.model.scene.operative("Red 1")
    assert driver.view.hands.hover is None
    driver.point(*driver.pixel_of(8.1, 11, 0.15))
    driver.settle()
    assert driver.view.hands.hover is not None
    assert "overlap that of Blue 1" in (driver.view.hands.hover.problem or "")
    assert any("overlap that of Blue 1" in text for text in labels(driver))
    driver.button(False)
    driver.settle()
    assert driver.model.scene.operative("Red 1") == there
    assert "overlap that of Blue 1" in driver.said()
    driver.key("control", "z")
    assert driver.model.scene.operative("Red 1") == red, "one drag is one step"
    driver.key("1")  # nobody is selected after undo: no harm


def test_escape_puts_back_what_is_being_dragged(driver: Driver) -> None:
    pair(driver)
    red = driver.model.scene.operative("Red 1")
    driver.point(*driver.pixel_of(red.x, red.y, 0.15))
    driver.button(True)
    driver.point(*driver.pixel_of(16, 15, 0.15))
    driver.settle()
    assert driver.model.scene.operative("Red 1") != red
    driver.key("escape")
    assert driver.model.scene.operative("Red 1") == red
    driver.point(*driver.pixel_of(12, 5, 0.15))
    driver.button(False)
    driver.settle()
    assert driver.model.scene.operative("Red 1") == red
    assert driver.desktop.top is driver.table


def test_smoke_is_put_dragged_and_taken_away(driver: Driver) -> None:
    pair(driver)
    driver.key("k")
    driver.click_table(15, 11)
    assert driver.model.scene.smoke == (pytest.approx((15, 11, 0), abs=0.1),)
    assert driver.model.ruling is not None
    driver.drag(driver.pixel_of(15, 11), driver.pixel_of(15, 15), steps=3)
    assert driver.model.scene.smoke[0] == pytest.approx((15, 15, 0), abs=0.2)
    text = dump_scene(driver.model.to_file())
    assert scene_from_text(text, Path("x.yaml")).scene.smoke == driver.model.scene.smoke
    driver.key("delete")
    assert driver.model.scene.smoke == ()
    driver.key("control", "z")
    driver.key("control", "z")
    driver.key("control", "z")
    assert driver.model.scene.smoke == ()


def test_level_figure_base_and_team_by_widget_and_key(driver: Driver) -> None:
    example(driver, "vantage-accurate-1")
    model = driver.model
    one = next(one for one in model.scene.operatives if one.level > 0)
    driver.press(f"row-{one.id}")
    driver.press("level-0")
    assert model.scene.operative(one.id).level == 0
    driver.key("l")
    assert model.scene.operative(one.id).level == pytest.approx(model.levels[1])
    driver.press("figure-brute")
    assert model.scene.operative(one.id).figure.name == "brute"
    driver.key("i")
    assert model.scene.operative(one.id).figure.name == "gunner"
    driver.press("base-40")
    driver.press("team-red" if one.team == "blue" else "team-blue")
    changed = model.scene.operative(one.id)
    again = scene_from_text(dump_scene(model.to_file()), model.state.file.path).scene.operative(one.id)
    assert (again.figure, again.base, again.team, again.level) == (
        changed.figure, changed.base, changed.team, changed.level,
    )  # fmt: skip


# ---- hatchways --------------------------------------------------------------------------------------------------
def test_a_hatchway_is_toggled_in_the_list_too(driver: Driver) -> None:
    example(driver, "hatch-open")
    driver.press("row-h1")
    assert driver.model.scene.states == {"h1": "closed"}


def test_corners_and_ends_of_walls_on_request(driver: Driver) -> None:
    example(driver, "hatch-open")
    before = sum(isinstance(item, WallMark) for item in driver.view.items)
    driver.press("walls")
    marks = {(item.x, item.y, item.kind) for item in driver.view.items if isinstance(item, WallMark)}
    assert marks == {(*end.at, end.kind) for end in wall_ends(driver.model.scene)}
    driver.key("c")
    assert sum(isinstance(item, WallMark) for item in driver.view.items) == before


# ---- measuring --------------------------------------------------------------------------------------------------
def test_tapes_stay_follow_operatives_and_measure_as_the_rules_do(driver: Driver) -> None:
    pair(driver)
    model = driver.model
    driver.press("tape")
    blue, red = (model.scene.operative(id) for id in ("Blue 1", "Red 1"))
    driver.drag(driver.pixel_of(blue.x, blue.y, 0.5), driver.pixel_of(red.x, red.y, 0.5), steps=3)
    driver.click_table(3, 3)
    driver.click_table(6, 7)
    assert model.state.marks[0] == Tape("Blue 1", "Red 1")
    assert length(model.scene, model.state.marks[1]) == pytest.approx(5.0, abs=0.1)  # type: ignore[arg-type]
    driver.key("escape")
    distance = between(model.scene, "Blue 1", "Red 1")
    assert f'{distance:.2f}"' in labels(driver)
    model.move("Red 1", 20, 15, 0)
    driver.settle()
    assert f'{between(model.scene, "Blue 1", "Red 1"):.2f}"' in labels(driver)
    assert sum(isinstance(item, Measure) for item in driver.view.items) == 2
    model.remove("Red 1")
    assert len(model.state.marks) == 1, "a tape goes with its operative"
    driver.key("shift", "m")
    assert model.state.marks == ()
    driver.key("control", "z")
    assert len(model.state.marks) == 1


def test_range_rings_stay_and_go(driver: Driver) -> None:
    pair(driver)
    blue = driver.model.scene.operative("Blue 1")
    driver.key("r")
    driver.press("inches-6")
    driver.click_table(blue.x, blue.y, 0.5)
    driver.press("inches-2")
    driver.click_table(15, 5)
    assert driver.model.state.marks[0] == RangeRing("Blue 1", 6.0)
    rings = [item for item in driver.view.items if isinstance(item, Ring)]
    assert any(item.distance == 6.0 and (item.x, item.y) == (blue.x, blue.y) for item in rings)
    driver.press("inches-6")
    driver.click_table(blue.x, blue.y, 0.5)
    assert len(driver.model.state.marks) == 1
    driver.press("clear-marks")
    assert driver.model.state.marks == ()
    driver.key("escape")
    assert driver.view.hands.tool == "select"


# ---- other origins ----------------------------------------------------------------------------------------------
@pytest.mark.rule("SIGHT-14")
def test_another_origin_is_tried_and_the_best_one_stays_named(driver: Driver) -> None:
    example(driver, "barred-at-the-window")
    driver.key("f")
    best = driver.model.ruling
    assert best is not None
    assert driver.view.ruling is not None
    assert driver.view.ruling.origin is not None
    start = driver.pixel_of(*driver.view.ruling.origin)
    driver.drag(start, (start[0] - 30, start[1] + 12), steps=4)
    tried = driver.model.tried
    assert tried is not None
    one = tried.scene.operative(tried.shooter)
    assert math.dist(tried.origin[:2], (one.x, one.y)) <= max(one.base.along, one.base.across)
    assert tried.origin != best.origin
    same = ruling(best.scene, best.shooter, best.target, best.edition, origin=tried.origin[:2])
    assert same.as_json("x") == tried.as_json("x")
    shown = {(line.start, line.end) for line in lines_of(driver.view.items)}
    assert {crossing.line for crossing in (*tried.cover, *tried.obscuring)} <= shown
    given = readable(best.headline, best.scene.terrain) if best.headline != tried.headline else "the same."
    assert f"The best point gives: {given}" in driver.said()
    driver.press("best")
    assert driver.model.tried is None
    assert "The best point gives" not in driver.said()
    assert driver.model.ruling is best


def test_any_change_ends_the_trial(driver: Driver) -> None:
    pair(driver)
    driver.model.try_origin(8.0, 11.0)
    assert driver.model.tried is not None
    driver.press("order-conceal")
    assert driver.model.tried is None


# ---- both editions, area view -----------------------------------------------------------------------------------
def test_both_editions_side_by_side(driver: Driver) -> None:
    example(driver, "barred-at-the-window")
    driver.press("compare")
    model, said = driver.model, driver.said()
    for edition in EDITIONS:
        found = ruling(model.scene, *model.state.file.pairs[0], edition, model.state.file.weapon)
        assert readable(found.headline, found.scene.terrain) in said
        assert all(readable(reason.text, found.scene.terrain) in said for reason in found.reasons)
    driver.key("escape")
    assert driver.desktop.top is driver.table


@pytest.mark.rule("KT24-DATED")
def test_both_dates_side_by_side(driver: Driver) -> None:
    """What differs is named; where nothing does, that is said."""
    example(driver, "smoke")
    driver.press("compare")
    driver.press("compared-dates")
    model, said = driver.model, driver.said()
    for date in RULES_DATES:
        found = ruling(replace(model.scene, rules_as_of=date), *model.state.file.pairs[0], "kt24")
        assert f"2024 rules, as of {date}" in said
        assert all(readable(reason.text, found.scene.terrain) in said for reason in found.reasons)
    assert "The dates differ here in Smoke (KT24-SMOKE)." in said
    driver.key("escape")
    example(driver, "barred-at-the-window")
    driver.press("compare")
    driver.press("compared-dates")
    assert "Both dates rule the same here." in driver.said()


@pytest.mark.rule("KT24-DATED")
def test_the_table_is_ruled_as_of_the_date_chosen_on_it(driver: Driver) -> None:
    example(driver, "smoke")
    old, new = RULES_DATES
    assert SMOKE_BLUNTS.before in driver.said()
    driver.press(f"rules-as-of-{new}")
    assert driver.model.scene.rules_as_of == new
    assert SMOKE_BLUNTS.text in driver.said()
    driver.key("shift", "v")
    assert driver.model.scene.rules_as_of == old
    driver.model.undo()
    assert driver.model.to_file().scene.rules_as_of == new
    driver.key("v")
    assert "rules-as-of" not in "".join(driver.desktop.ui.rects), "2021 has one state only"


def test_a_question_without_a_pair_is_answered_with_the_next_step(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    driver.press("compare")
    assert driver.desktop.top is driver.table
    assert "That needs a ruling. Add a blue and a red operative" in driver.desktop.notice
    driver.key("a")
    assert "Put an operative on the table first." in driver.desktop.notice


# ---- pointing, keys, camera -------------------------------------------------------------------------------------
def test_pointing_at_a_reason_shows_the_rule(driver: Driver) -> None:
    pair(driver)
    driver.point(*driver.middle_of("reasons-KT24-COVER"))
    driver.settle()
    assert rulebook.text("KT24-COVER") in driver.desktop.ui.told


def test_a_locked_button_says_why(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    driver.press("redo")
    assert driver.desktop.ui.told == "Nothing to redo"


def test_a_scene_is_made_by_keyboard_alone(driver: Driver) -> None:
    driver.key("1")
    driver.key("b")
    driver.key("enter")
    for _ in range(20):
        driver.key("arrow_right")
    driver.key("g")
    driver.key("enter")
    blue, red = driver.model.scene.operatives
    assert blue.x - red.x == pytest.approx(2.0, abs=0.05)
    assert driver.view.ruling is not None
    driver.key("page_up")
    assert driver.model.selected == blue
    driver.key("2")
    driver.key("x")
    assert driver.model.state.shooter == blue.id
    driver.key("v")
    assert driver.model.edition == "kt21-lite"
    driver.key("o")
    assert driver.model.scene.operative(blue.id).order == "conceal"
    driver.key("f1")
    assert driver.desktop.top.name == "keys"
    driver.key("escape")
    turn = driver.picture.camera.stand.turn
    driver.key("control", "arrow_left")
    assert driver.picture.camera.stand.turn != turn
    focus = driver.picture.camera.stand.focus
    driver.key("control", "shift", "arrow_left")
    assert driver.picture.camera.stand.focus != focus
    near = driver.picture.camera.stand.distance
    driver.key("=")
    assert driver.picture.camera.stand.distance < near
    for _ in range(4):
        driver.key("escape")
    assert driver.desktop.top.name == "start"


def test_shift_and_middle_drag_move_the_floor_with_the_pointer(driver: Driver) -> None:
    pair(driver)
    driver.key("f")
    middle = driver.table.layout.middle
    start = (middle.x + middle.w * 0.5, middle.y + middle.h * 0.7)
    for button, keys in (("mouse2", ()), ("mouse1", ("shift",)), ("mouse3", ("shift",))):
        spot = driver.picture.on_level(start, 0.0)
        assert spot is not None
        for key in keys:
            driver.desktop.press(key, True)
        driver.drag(start, (start[0] + 12, start[1] + 6), button)
        for key in keys:
            driver.desktop.press(key, False)
        assert driver.pixel_of(*spot) == pytest.approx((start[0] + 12, start[1] + 6), abs=1.0)


def test_hits_are_the_same_on_a_hidpi_display(driver: Driver) -> None:
    pair(driver)
    driver.desktop.resize((1536, 960), 1.5)
    driver.scale = 1.5
    driver.settle()
    driver.press("order-conceal")
    assert driver.model.scene.operative("Red 1").order == "conceal"
    red = driver.model.scene.operative("Red 1")
    driver.key("escape")
    driver.click_table(red.x, red.y, 0.6)
    assert driver.model.selected == red


def test_the_area_view_agrees_with_rulings_and_is_given_up(driver: Driver) -> None:
    example(driver, "hatch-open")
    driver.press("area")
    screen = driver.desktop.top
    assert screen.name == "area"
    assert screen.job is not None  # type: ignore[attr-defined]
    wait_for_map(driver)
    driver.settle()
    assert any(isinstance(item, Tint) for item in driver.picture.items)
    found = screen.found  # type: ignore[attr-defined]
    assert found.complete
    said = driver.said()
    assert 'Exact every 1"' in said
    model = driver.model
    viewer, target = model.scene.operative(screen.asked.who), model.operative(model.state.target)  # type: ignore[attr-defined]
    assert target is not None
    job = screen.job  # type: ignore[attr-defined]
    x, y = 20.5, 11.5
    driver.point(*driver.pixel_of(x, y))
    driver.settle()
    words = driver.said()
    driver.click_table(x, y)
    assert driver.desktop.top is driver.table
    assert job.is_done
    moved = driver.model.scene.operative(target.id)
    assert (moved.x, moved.y) == pytest.approx((x, y), abs=0.1)
    assert driver.model.ruling is not None
    assert ("Valid target" in words) == ruling(model.scene, viewer.id, target.id).valid_target
    assert not any(isinstance(item, Tint) for item in driver.picture.items)


def test_both_questions_of_the_area_view_agree(driver: Driver) -> None:
    example(driver, "hatch-open")
    driver.press("area")
    wait_for_map(driver)
    sees = kinds_of(driver.desktop.top.found)  # type: ignore[attr-defined]
    driver.press("question-safe")
    wait_for_map(driver)
    safe = kinds_of(driver.desktop.top.found)  # type: ignore[attr-defined]
    assert [level for level, _ in sees] == [level for level, _ in safe]
    for (_, one), (_, two) in zip(sees, safe, strict=True):
        assert one[ANY].any()
        assert (one[ANY] == two[TARGET]).all(), "a target on Conceal is exactly where nobody is safe on Conceal"


def wait_for_map(driver: Driver) -> None:
    """Until the first map is complete."""
    for _ in range(1200):
        driver.desktop.attend()
        found = driver.desktop.top.found  # type: ignore[attr-defined]
        if found is not None and found.complete:
            return
        time.sleep(0.1)
    raise AssertionError("no map came")


def test_what_a_new_screen_has_below_the_pointer_says_nothing_until_it_is_pointed_at(driver: Driver) -> None:
    driver.key("1")
    rect = driver.desktop.ui.rects["ring"]
    driver.desktop.back()
    driver.desktop.back()  # the first puts away what is in hand
    driver.click(rect.x + 20, rect.y + 20)
    driver.key("1")
    assert driver.desktop.top.name == "table"
    assert driver.desktop.ui.told == ""
    driver.point(rect.x + 21, rect.y + 20)
    driver.settle()
    assert "Range ring" in driver.desktop.ui.told
