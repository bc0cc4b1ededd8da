"""Games kept as files: those of earlier rules, which must open for ever after, and those of the rules of now.

When `RULES_VERSION` is raised, `python tests/support/kept_saves.py` adds the games of the new rules.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

from ktsim.game.session import Session
from ktsim.game.setup import Setup
from ktsim.rules import RULES_VERSION

SAVES = Path(__file__).parents[1] / "game" / "saves"
TEAMS = {"red": "lantern-wardens", "blue": "gravel-jackals"}
KINDS: dict[str, tuple[Setup, int, int]] = {
    "battle": (Setup(board="gallowdark-1", table="sight", **TEAMS), 170, 5),
    "lite": (Setup(board="training-ground", edition="kt21-lite", table="plain", **TEAMS), 120, 5),
    "skirmish": (Setup(board="training-ground", mission="skirmish", table="plain", **TEAMS), 150, 18),
}
"""What is played, how many answers of it, and the seed of them."""


def save_of_now(kind: str) -> Path:
    """The kept game of that kind which was played by the rules of now."""
    return SAVES / f"rules-{RULES_VERSION}-{kind}.ktsim"


def make(kind: str) -> None:
    """Play such a game at random and keep it."""
    setup, count, seed = KINDS[kind]
    rng = Random(seed)
    session = Session.begin(setup, save_of_now(kind))
    for _ in range(count):
        assert session.game.pending is not None
        session.submit(session.game.pending.sample(rng))
    session.close()


if __name__ == "__main__":
    for each in KINDS:
        if not save_of_now(each).exists():
            make(each)
