"""``ktsim rule``: which files and pairs it answers, how, and what it says about bad ones."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from ktsim.cli import main
from ktsim.errors import UserError
from ktsim.killzones.scene_file import SceneFile
from ktsim.sight.scene import Edition, Scene, Weapon

SCENE = """\
ktsim: scene/1
edition: kt24
operatives:
  - {id: a, team: red, at: [5, 11]}
  - {id: b, team: blue, at: [20, 11]}
weapon: {rules: [seek]}
"""


@dataclass(frozen=True)
class FakeRuling:
    """Stands in for the real ruling: this file is about the command around it."""

    shooter: str
    target: str
    weapon: Weapon | None

    def as_json(self, scene_name: str) -> dict[str, object]:
        return {"scene": scene_name, "from": self.shooter, "to": self.target}

    def as_text(self) -> str:
        return f"{self.shooter} may shoot {self.target}"


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[tuple[SceneFile, Any, Path]]:
    """The cards that were drawn; rulings and cards are faked."""
    drawn: list[tuple[SceneFile, Any, Path]] = []

    def ruling(scene: Scene, shooter: str, target: str, edition: Edition, weapon: Weapon | None) -> FakeRuling:
        if weapon is not None and "hot" in weapon.rules:
            raise UserError("the weapon is too hot")
        assert {shooter, target} <= {operative.id for operative in scene.operatives}
        return FakeRuling(shooter, target, weapon)

    judge, card = ModuleType("ktsim.sight.ruling"), ModuleType("ktsim.app.card.pictures")
    judge.ruling = ruling  # type: ignore[attr-defined]
    card.write_card = lambda *card: drawn.append(card)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "ktsim.sight.ruling", judge)
    monkeypatch.setitem(sys.modules, "ktsim.app.card.pictures", card)
    # Compiling asks for real rulings, and there is nothing to compile for these.
    monkeypatch.setattr("ktsim.sight.warm.ensure_ready", lambda report: False)
    return drawn


@pytest.fixture
def good(tmp_path: Path, drawn: object) -> str:
    path = tmp_path / "good.yaml"
    path.write_text(SCENE)
    return str(path)


@pytest.fixture
def bad(tmp_path: Path) -> str:
    path = tmp_path / "bad.yaml"
    path.write_text(SCENE.replace("team: red", "teem: red"))
    return str(path)


def test_text(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", good]) == 0
    assert capsys.readouterr() == ("a may shoot b\n\nb may shoot a\n", "")


def test_json(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", good, "--json", "--from", "b", "--to", "a"]) == 0
    assert json.loads(capsys.readouterr().out) == [{"scene": good, "from": "b", "to": "a"}]


def test_good_files_are_answered_beside_bad_ones(good: str, bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", bad, good, "missing.yaml"]) == 2
    out, err = capsys.readouterr()
    assert out == f"== {good}\na may shoot b\n\nb may shoot a\n"
    lines = err.splitlines()
    assert lines[0] == f"{bad}:4: an operative has an unknown key 'teem'; did you mean 'team'?"
    assert lines[1] == f"{bad}:4: an operative has no 'team'; add one"
    assert lines[2] == "missing.yaml: does not exist; check the name"
    assert len(lines) == 3


def test_json_is_valid_when_some_or_all_files_are_bad(good: str, bad: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", "--json", bad, good]) == 2
    assert [entry["scene"] for entry in json.loads(capsys.readouterr().out)] == [good, good]
    assert main(["rule", "--json", bad]) == 2
    assert json.loads(capsys.readouterr().out) == []


@pytest.mark.parametrize("options", [[], ["--json"]])
def test_a_doubt_about_a_scene_is_told_and_it_is_ruled_on(
    good: str, options: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path(good).with_name("scan.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 4\nf 2 3 4\nf 3 1 4\n")
    part = "{id: top, traits: [light], mesh: scan.obj, unit: inch}"
    Path(good).write_text(SCENE + f"features:\n  - {{id: heap, at: [12, 11], parts: [{part}]}}\n")
    assert main(["rule", good, *options]) == 0
    out, err = capsys.readouterr()
    assert "may shoot" in out or len(json.loads(out)) == 2
    (line,) = err.splitlines()
    assert line.startswith(f"{good}:8: the mesh 'scan.obj' of the part 'heap/top' is open")


def test_what_the_ruling_refuses_names_the_file(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(good).write_text(SCENE.replace("[seek]", "[hot]"))
    assert main(["rule", good]) == 2
    assert capsys.readouterr().err == f"{good}: the weapon is too hot\n"


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--from", "a"], "--from and --to go together"),
        (["--to", "a"], "--from and --to go together"),
        (["--from", "a", "--to", "z"], "there is no operative 'z' in it"),
        (["--from", "a", "--to", "a"], "'a' cannot shoot itself"),
        (["--png", "x.png"], "asks for 2; choose one with --from and --to"),
    ],
)
def test_options_that_do_not_fit(good: str, options: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", good, *options]) == 2
    assert words in capsys.readouterr().err


def test_png_is_for_one_scene(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rule", good, good, "--png", "x.png"]) == 2
    assert "--png draws one ruling and 2 scenes are named" in capsys.readouterr().err


def test_png_draws_the_ruling_that_is_printed(
    good: str, drawn: list[tuple[SceneFile, Any, Path]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rule", good, "--png", "out.png", "--from", "a", "--to", "b"]) == 0
    ((file, ruling, path),) = drawn
    assert (file.path, ruling.shooter, path) == (Path(good), "a", Path("out.png"))
    assert capsys.readouterr() == ("a may shoot b\n", "The card is in out.png.\n")


def test_a_scene_without_opponents(good: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path(good).write_text(SCENE.replace("blue", "red"))
    assert main(["rule", good]) == 2
    assert capsys.readouterr().err.startswith(f"{good}: has no operatives of two teams")


BOMB = "a: &a [x, x]\n" + "".join(f"b{i}: &b{i} [*a, *a]\n" for i in range(30))


@pytest.mark.parametrize(
    "content",
    [
        BOMB.encode(),
        b"[" * 100_000,
        b"x" * 10_000_000,
        b"\xff\xfe\x00bad",
        b'"\\e]0;owned\\a": 1',
    ],
)
def test_hostile_files_get_a_sentence_from_a_fresh_start(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hostile.yaml"
    path.write_bytes(content)
    done = subprocess.run(
        [sys.executable, "-m", "ktsim", "rule", str(path)], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stdout.strip() == ""
    assert "Traceback" not in done.stderr
    assert "hostile.yaml" in done.stderr
    assert "\x1b" not in done.stderr
