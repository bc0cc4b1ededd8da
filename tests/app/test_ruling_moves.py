"""Movement rulings on the ruling table: asked by clicks, saved, undone, exported."""

from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.card.move_card import write_move_card
from ktsim.app.card.move_view import move_overlays
from ktsim.app.ruling import moves
from ktsim.app.ruling.state import new_file
from ktsim.app.stage.overlays import Ghost, Highlight, Label
from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.game.move_ruling import MoveRuling, asked_ruling, move_ruling
from ktsim.killzones.asked_move import AskedMove
from ktsim.killzones.scene_file import SceneFile, dump_scene, load_scene, scene_from_text

__all__ = ["driver", "engine"]

SCENE = """
ktsim: scene/1
edition: kt24
board: [30, 22]
features:
  - id: block
    at: [8, 4]
    parts: [{id: wall, traits: [heavy], box: [[0, 0, 0], [0.5, 14, 4]]}]
operatives:
  - {id: a, team: blue, at: [5, 11]}
  - {id: mate, team: blue, at: [5, 15]}
  - {id: b, team: red, at: [5, 18]}
move: {who: a, to: [6.5, 11]}
"""


def asking(driver: Driver) -> None:
    driver.desktop.open_table(scene_from_text(SCENE, Path("table.yaml")))
    driver.settle()
    driver.key("t")


@pytest.mark.rule("KT24-MOVE-1")
def test_a_click_asks_and_the_panel_says_every_leg_with_its_rule(driver: Driver) -> None:
    asking(driver)
    assert driver.view.move is not None
    assert driver.view.move.is_yes
    driver.click_table(5, 8.2)
    desk = driver.view.desk
    assert desk.asked is not None
    assert desk.asked.to == pytest.approx((5, 8.2, 0), abs=0.05)
    found = driver.view.move
    assert found is not None
    assert found.found == move_ruling(driver.model.state.file, "a", desk.asked.to or "", "reposition")
    said = driver.said()
    assert "GETS THERE" in said
    assert f'{found.found.cost}" OF 6"' in said
    assert all(leg.rule in said for leg in found.found.legs)
    driver.key("control", "z")
    assert desk.asked.to == (6.5, 11)
    driver.key("control", "shift", "z")
    assert driver.view.move is not None
    assert driver.view.move.found == found.found


@pytest.mark.rule("KT24-MOVE-2")
def test_a_refusal_lights_what_is_in_the_way(driver: Driver) -> None:
    asking(driver)
    driver.click_table(8.2, 11, 4)
    found = driver.view.move
    assert found is not None
    assert not found.is_yes
    assert found.found.thing == "block/wall"
    assert "CANNOT GET THERE" in driver.said()
    assert any(isinstance(item, Highlight) for item in driver.view.items)
    assert any(isinstance(item, Ghost) and item.allowed is False for item in driver.view.items)
    driver.click_table(5, 8.2)
    assert not any(isinstance(item, Highlight) for item in driver.view.items)


@pytest.mark.rule("KT24-CHARGE")
def test_an_enemy_is_charged_and_a_friend_asked_about(driver: Driver) -> None:
    asking(driver)
    driver.click_table(5, 18, 1.0)
    desk = driver.view.desk
    assert desk.asked == AskedMove("a", "b")
    assert desk.action == "charge"
    assert "REACHES" in driver.said()
    driver.press("action-dash")
    assert (desk.asked.to, desk.action) == (None, "dash"), "only a Charge goes for an enemy"
    driver.click_table(5, 15, 1.0)
    assert desk.asked.who == "mate"
    driver.model.remove("mate")
    driver.settle()
    assert desk.asked is None, "nobody moves any more"
    driver.key("control", "z")
    assert desk.asked is not None
    assert desk.asked.who == "mate"


def test_shots_and_moves_are_two_questions_on_one_table(driver: Driver) -> None:
    driver.press("killzones")
    driver.press("killzone--")
    driver.key("escape")
    driver.press("asks-move")
    assert "Put an operative on the table first" in driver.said()
    driver.desktop.open_table(new_file(None))
    driver.model.add("blue", 5, 11)
    driver.model.add("red", 12, 11)
    driver.settle()
    driver.key("3")
    assert driver.view.desk.asked == AskedMove("Red 1")
    moving = {name: driver.desktop.ui.rects[name] for name in ("copy", "export")}
    driver.press("asks-shot")
    assert driver.view.desk.asked is None
    assert driver.view.ruling is not None
    assert moving == {name: driver.desktop.ui.rects[name] for name in moving}, "what both have stands in one place"
    driver.press("asks-move")
    assert driver.view.desk.asked == AskedMove("Red 1")
    driver.press("move-stat-Red 1")
    driver.type("5")
    driver.key("enter")
    assert driver.view.desk.asked == AskedMove("Red 1", move=5)
    with pytest.raises(UserError, match="Move stat"):
        driver.view.desk.set_move(0)
    assert driver.view.desk.reachable() is driver.view.desk.reachable(), "it is not worked out again"


def test_the_question_is_saved_read_refused_and_drawn(
    driver: Driver, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asking(driver)
    driver.click_table(8.2, 11, 4)
    found, path, card = driver.view.move, tmp_path / "move.yaml", tmp_path / "move.png"
    assert found is not None
    driver.model.save(path)
    again = load_scene(path)
    assert again.move == driver.model.state.file.move
    assert dump_scene(again) == path.read_text()
    assert main(["move", str(path)]) == 0
    assert found.found.as_text() in capsys.readouterr().out
    write_move_card(again, card, quality="low")
    assert load_scene(card).move == again.move
    assert main(["move", str(card), "--to", "6.5,11"]) == 0
    assert "Yes" in capsys.readouterr().out
    asks = "move: {who: a, to: [6.5, 11]}"
    for wrong, said in (
        ("{who: nobody}", "no operative 'nobody'"),
        ("{who: a, to: mate}", "no enemy"),
        ("{to: [1, 2]}", "no 'who'"),
        ("{who: a, move: 99}", "from 1 to 40"),
        ("{who: a, to: [1]}", "point"),
    ):
        with pytest.raises(UserError, match=said):
            scene_from_text(SCENE.replace(asks, f"move: {wrong}"), Path("x.yaml"))
    with pytest.raises(UserError, match="asks about no move"):
        write_move_card(replace(again, move=AskedMove("a")), card)


def test_every_leg_is_marked_with_what_it_costs() -> None:
    file = scene_from_text(SCENE.replace("[6.5, 11]", "[9.2, 3]"), Path("x.yaml"))
    from ktsim.app.card.move_view import move_view
    from ktsim.game.move_ruling import asked_ruling

    found = asked_ruling(replace(file, move=AskedMove("a", (9.2, 3.0), None, 12)))
    assert len(found.legs) > 1
    view = move_view(found, file.scene)
    words = [item.text for item in move_overlays(file.scene, "a", view, None) if isinstance(item, Label)]
    for number, leg in enumerate(found.legs, 1):
        assert any(word.startswith(f"{number} ") and f'{leg.cost}"' in word for word in words)


def test_what_takes_long_is_looked_for_beside_the_window(driver: Driver, monkeypatch: pytest.MonkeyPatch) -> None:
    may_go_on = threading.Event()

    def slow(file: SceneFile) -> MoveRuling:
        assert may_go_on.wait(10)
        return asked_ruling(file)

    monkeypatch.setattr(moves, "asked_ruling", slow)
    driver.desktop.open_table(scene_from_text(SCENE, Path("table.yaml")))
    for _ in range(4):
        driver.desktop.frame()
    assert driver.view.desk.is_working
    assert driver.view.move is None
    assert "Looking for a way ..." in driver.said()
    driver.desktop.attempt(lambda: driver.table.do("copy"))
    assert "That needs a ruling. Looking for a way" in driver.desktop.notice
    may_go_on.set()
    driver.settle()
    assert driver.view.move is not None
    assert not driver.view.desk.is_working
    assert "GETS THERE" in driver.said()
