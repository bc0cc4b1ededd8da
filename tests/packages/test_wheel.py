"""The wheel with kernels compiled beforehand. Skipped unless ``scripts/package --target wheel --test`` names it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WHEEL = os.environ.get("KTSIM_ARCHIVE", "")

pytestmark = pytest.mark.skipif(
    not WHEEL.endswith(".whl"), reason="scripts/package --target wheel --test names a wheel"
)


def test_it_rules_without_compiling_unless_the_kernels_do_not_fit(tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(installed), WHEEL]
    subprocess.run(pip, check=True)
    cache = tmp_path / "cache"
    around = {**os.environ, "PYTHONPATH": str(installed), "XDG_CACHE_HOME": str(cache)}
    rule = [sys.executable, "-P", "-m", "ktsim", "rule", str(ROOT / "killzones" / "examples" / "open-ground.yaml")]
    done = subprocess.run(rule, env=around, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "compiling" not in done.stderr
    assert not list(cache.rglob("*.kernel"))

    about = installed / "ktsim" / "_data" / "prebuilt" / "kernels.json"
    about.write_text(json.dumps({**json.loads(about.read_text()), "numba": "0.1"}))
    again = subprocess.run(rule, env=around, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "compiling" in again.stderr
    assert list(cache.rglob("*.kernel"))
    assert again.stdout == done.stdout
