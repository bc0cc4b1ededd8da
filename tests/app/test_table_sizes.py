"""A terrain piece made as large as its owner's, on the ruling table."""

from __future__ import annotations

from pathlib import Path

import pytest
from desktop_driver import Driver, driver, engine

from ktsim.app.card.pictures import sizes_words
from ktsim.app.play.game_screen import GameScreen
from ktsim.app.play.match import Match
from ktsim.app.play.saves import read_agreement, title_of
from ktsim.app.play.setup_screen import SetupScreen
from ktsim.app.ruling.state import new_file
from ktsim.killzones.catalogue import load_named
from ktsim.killzones.own_sizes import keep_sizes, known_sizes
from ktsim.killzones.pieces import load_piece
from ktsim.killzones.scene_file import load_scene
from ktsim.killzones.scene_pieces import piece_of, pieces_of
from ktsim.killzones.sizes import Sizes, sizes_of
from ktsim.sight.standing import why_not

__all__ = ["driver", "engine"]


def typed(driver: Driver, field: str, text: str) -> None:
    driver.press(field)
    driver.type(text)
    driver.key("enter")


def levels_at(driver: Driver, x: float, y: float) -> tuple[float, ...]:
    """The levels somebody can stand on there."""
    model = driver.model
    id = model.add("blue", x, y)
    found = tuple(round(level, 3) for level in model.levels_of(model.scene.operative(id)))
    model.remove(id)
    return found


def test_sizes_are_typed_kept_undone_and_lift_whoever_stands_there(driver: Driver, tmp_path: Path) -> None:
    driver.desktop.open_table(new_file("volkus-1"))
    driver.settle()
    model = driver.model
    ruin = piece_of(model.state.file, "stronghold-a")
    assert ruin is not None
    x, y, _ = ruin.at
    near = [(x + dx, y + dy) for dx in (-2, -1, 0, 1, 2) for dy in (-2, -1, 0, 1, 2)]
    model.add("blue", *next(at for at in near if 3.0 in levels_at(driver, *at)), 3.0)
    assert why_not(model.scene, model.scene.operatives[0]) is None
    model.select_thing(("piece", "stronghold-a"))
    driver.settle()
    driver.press("sizes")
    typed(driver, "size-level-1", "2.5")
    found = piece_of(model.state.file, "stronghold-a")
    assert found is not None
    assert found.sizes == Sizes(levels=(0.5, 2.5))
    assert model.scene.operatives[0].level == pytest.approx(2.5)
    assert why_not(model.scene, model.scene.operatives[0]) is None
    typed(driver, "size-thickness", "0.4")
    typed(driver, "size-source", "with a ruler")
    typed(driver, "size-height", "1")
    assert "one above the other" in driver.said()
    found = piece_of(model.state.file, "stronghold-a")
    assert found is not None
    assert found.sizes == Sizes(None, (0.5, 2.5), 0.4, "measured, with a ruler")
    assert sizes_words(model.state.file) == "partly measured"

    driver.press("all-sizes")
    assert dict(known_sizes()) == {"stronghold-a": found.sizes}
    driver.press("done")
    model.save(tmp_path / "mine.yaml")
    assert pieces_of(load_scene(tmp_path / "mine.yaml")) == pieces_of(model.state.file)
    for _ in range(3):
        driver.key("control", "z")
    assert piece_of(model.state.file, "stronghold-a") == ruin
    assert model.scene.operatives[0].level == 3.0
    assert [piece.sizes for piece in pieces_of(new_file("volkus-1"))] == [found.sizes], "from now on"
    model.select_thing(("piece", "stronghold-a"))
    driver.settle()
    driver.key("s")
    typed(driver, "size-height", "4")
    driver.press("our-sizes")
    assert not known_sizes()
    assert not pieces_of(new_file("volkus-1"))


def test_games_are_played_on_terrain_as_large_as_the_players(driver: Driver) -> None:
    def begun(sizes: str | None) -> Match:
        screen = SetupScreen(driver.desktop, is_solo=False)
        screen.chosen |= {"board": "training-ground", "mission": "skirmish"}
        driver.desktop.push(screen)
        driver.settle()
        assert ("SIZES OF ITS TERRAIN" in driver.said()) == (sizes is not None)
        if sizes is not None:
            driver.press(f"sizes-{sizes}")
        screen.begin()
        game = driver.desktop.top
        assert isinstance(game, GameScreen)
        return game.match

    def top_of_ruin(match: Match) -> float:
        features = {feature.id: feature for feature in match.game.battle.board.terrain.features}
        return max(part.top for part in features[ruin].parts)

    places = load_named("training-ground", Path()).pieces
    ruin, piece = next((id, place.piece) for id, place in places.items())
    ours = sizes_of(load_piece(piece)).height
    assert ours is not None
    assert begun(None).session.setup.board == "training-ground"
    keep_sizes(piece, Sizes(height=ours + 1))
    match = begun("own")
    path = match.path
    assert top_of_ruin(match) == pytest.approx(ours + 1)
    assert title_of(match.session).endswith("Training Ground, changed")
    assert match.session.setup.board == str(path.with_name(f"{path.stem}.board.yaml"))
    assert top_of_ruin(begun("ours")) == pytest.approx(ours)
    keep_sizes(piece, Sizes(height=ours + 2))
    again = Match.resume(path, read_agreement(path))
    assert not again.notice, "nothing has changed for this game"
    assert top_of_ruin(again) == pytest.approx(ours + 1)
    again.close()
