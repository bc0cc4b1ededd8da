"""Processes of our own beside the one a person started: ``ktsim --worker NAME ...``, never offered in any help.

A worker is a module with ``main(*words) -> int``. From source it is a Python that runs this package; a program with
its interpreter inside (it sets ``sys.frozen``) starts itself.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

WORKERS = {
    "card": "ktsim.app.card.process",
    "cards": "ktsim.app.teams.printing",
    "compile": "ktsim.app.shell.warming",
    "drills": "ktsim.game.drills.making",
    "mesh": "ktsim.content.mesh_worker",
    "picture": "ktsim.content.picture_worker",
    "review": "ktsim.game.review.keeping",
    "team": "ktsim.game.team_taking",
    "think": "ktsim.game.thinking",
}
WORD = "--worker"


def command(name: str, *words: str) -> list[str]:
    """What starts that worker. From source nothing of the folder one happens to be in is imported."""
    assert name in WORKERS
    if getattr(sys, "frozen", False):
        return [sys.executable, WORD, name, *words]
    packages = str(Path(__file__).resolve().parents[1])
    code = f"import sys; sys.path.insert(0, {packages!r}); import ktsim.__main__"
    return [sys.executable, "-P", "-c", code, WORD, name, *words]


def run(words: Sequence[str]) -> int:
    """Be the worker that *words* name."""
    name, *rest = words
    return int(import_module(WORKERS[name]).main(*rest))
