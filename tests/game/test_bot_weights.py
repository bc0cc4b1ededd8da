"""Weights are fitted to how games went on, and matches are counted as they should be."""

from __future__ import annotations

import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from random import Random

import pytest

from ktsim.game.bots.weights import Weights, weights_of

sys.path.insert(0, str(Path(__file__).parents[2] / "scripts"))
import arena
import train


def position(rng: Random, truth: dict[str, float], noise: float) -> dict[str, float]:
    """What somebody might have seen, and what came after it if *truth* is what things are worth."""
    found = {name: rng.uniform(-3, 3) for name in ("kill", "presence", "cp", "future", "at_end", "control")}
    after = found["turn"] = float(rng.randint(-2, 2))
    after += sum(truth[name] * value for name, value in found.items() if name in truth)
    return found | {"before": float(rng.randint(-3, 3)), "after": after + rng.gauss(0, noise)}


def test_a_fit_finds_what_things_were_worth_if_there_is_enough_to_go_by() -> None:
    now, rng = weights_of(), Random(1)
    truth = {"kill": 1.6, "presence": 0.15, "cp": 0.2, "future": 0.5, "at_end": 0.4, "control": 0.35}
    many = [position(rng, truth, 2.0) for _ in range(6000)]
    found, errors = train.fitted(many, now)
    for name, value in truth.items():
        assert getattr(found, name) == pytest.approx(value, abs=3.5 * errors[name])
    assert abs(found.kill - 1.6) < 0.3
    few, _ = train.fitted(many[:5], now)
    assert abs(few.kill - now.kill) < 0.3, "five positions say little"
    others = {name: value for name, value in asdict(found).items() if name not in truth}
    assert others.items() <= asdict(now).items()


def test_fitted_weights_are_written_with_how_they_were_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots").mkdir()
    file = tmp_path / "bots" / "commander.yaml"
    file.write_text((train.paths.assets() / "bots" / "commander.yaml").read_text())
    monkeypatch.setattr(train.paths, "assets", lambda: tmp_path)
    weights_of.cache_clear()
    before = weights_of()
    train.write(before.times({"kill": 2.0}), "a fit to 10 positions")
    weights_of.cache_clear()
    assert weights_of() == before.times({"kill": 2.0})
    assert "# Then changed by a fit to 10 positions." in file.read_text().splitlines()
    assert isinstance(weights_of("cautious"), Weights)
    weights_of.cache_clear()


def test_a_match_broken_off_is_spread_over_boards_and_teams() -> None:
    args = Namespace(bots=["one", "two"], teams=arena.TEAMS, boards=arena.BOARDS, first=0, pairs=100, seeds="report")
    games = list(arena.fixtures(args))
    assert len(games) == 200
    for red, blue in zip(games[::2], games[1::2], strict=True):
        assert (red.board, red.red, red.blue, red.seed) == (blue.board, blue.red, blue.blue, blue.seed)
        assert {red.first, blue.first} == {"red", "blue"}
    assert {game.board for game in games[:26]} == set(arena.BOARDS)
    assert len({(game.red, game.blue) for game in games[:26]}) > 8
    low, high = arena.wilson(150, 200)
    assert (round(low, 2), round(high, 2)) == (0.69, 0.8)
