"""The public face: what ``import ktsim`` offers, its examples run as they stand."""

from __future__ import annotations

import doctest
import subprocess
import sys

import pytest

import ktsim
from ktsim import paths
from ktsim.errors import UserError


def test_the_examples_in_the_docstrings_run() -> None:
    found = doctest.testmod(ktsim)
    assert found.attempted >= 10
    assert found.failed == 0


def test_importing_it_loads_nothing_heavy() -> None:
    code = "import sys, ktsim; sys.exit(bool({'numpy', 'numba', 'panda3d', 'trimesh'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_every_pair_of_a_scene_and_a_named_one() -> None:
    path = paths.killzones() / "examples" / "open-ground.yaml"
    file = ktsim.load_scene(path)
    assert [(r.shooter, r.target) for r in ktsim.rule(file)] == list(file.pairs)
    assert [(r.shooter, r.target) for r in ktsim.rule(str(path), "b", "a")] == [("b", "a")]
    with pytest.raises(UserError, match="there is no operative 'z'"):
        ktsim.rule(file, "a", "z")
    with pytest.raises(UserError, match="go together; name both"):
        ktsim.rule(file, shooter="a")


def test_mistakes_are_sentences() -> None:
    with pytest.raises(UserError, match="no such bot; there are random"):
        ktsim.bot("deep-thought")
    with pytest.raises(UserError, match="no such edition"):
        ktsim.new_game(edition="kt99")


def test_the_package_is_typed() -> None:
    assert (paths.data_root() / "ktsim" / "py.typed").exists() or (paths._PACKAGE / "py.typed").exists()
