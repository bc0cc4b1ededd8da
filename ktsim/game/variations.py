"""Playing on from a moment of a saved game: variations, the tree they form, and the dice that fell there before."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game import journal
from ktsim.game.game import Game
from ktsim.game.record import Loaded, load, retold, save
from ktsim.game.setup import prepare
from ktsim.rules.engine.by_hand import is_deed
from ktsim.rules.engine.decisions import Decision
from ktsim.rules.engine.events import PhaseBegan
from ktsim.rules.engine.operative_events import ActivationBegan

KEY = "variation"
"""Where the header of a save says what it is a variation of."""
MOST_NAME = 64


@dataclass(frozen=True)
class VariationOf:
    """Where a game leaves the one it is a variation of: the file beside it, after so many answers; and its name."""

    parent: str
    after: int
    name: str
    where: str = ""
    """That moment in words."""


@dataclass(frozen=True, eq=False)
class GameNode:
    """A saved game in the tree, with the variations that leave it, the earliest first."""

    path: Path
    leaves: VariationOf | None
    variations: list[GameNode] = field(default_factory=list)

    @property
    def title(self) -> str:
        return self.path.stem if self.leaves is None else self.leaves.name or self.path.stem


def branch(path: Path, after: int, name: str = "") -> Path:
    """Make a save of the first *after* answers of the game in *path*, to be played on otherwise; returns its file.

    The game itself is left as it is.
    """
    loaded = load(path)
    entries, header = retold(loaded)
    if not 0 <= after <= len(entries):
        text = f"there is no moment {after} in it; it has the moments 0 to {len(entries)}"
        raise UserError(Problem(journal.shown_path(path), text))
    new = _free_name(path)
    named = printable(name.strip(), MOST_NAME)
    loaded.game.rewind(after)
    leaves = {"parent": path.name, "after": after, "name": named, "where": moment_of(loaded.game)}
    save(new, entries[:after], header | {KEY: leaves})
    return new


def moment_of(game: Game) -> str:
    """Where a game stands, in words: the turning point, and who was activated last in it."""
    state = game.state
    if not state.turning_point:
        return "the set-up"
    told = [event for event in game.events if isinstance(event, (ActivationBegan, PhaseBegan))]
    last = told[-1] if told else None
    who = f", {game.battle.name(last.operative)}" if isinstance(last, ActivationBegan) else ""
    return f"turning point {state.turning_point}{who}"


def _free_name(path: Path) -> Path:
    stem = path.stem.split(" (variation")[0]
    number, new = 1, path.with_name(f"{stem} (variation){path.suffix}")
    while new.exists():
        number += 1
        new = path.with_name(f"{stem} (variation {number}){path.suffix}")
    return new


def leaves_from(header: dict[str, Any]) -> VariationOf | None:
    """What the header of a save says about where it leaves another; None when it is no variation."""
    found = header.get(KEY)
    if not isinstance(found, dict):
        return None
    parent, after, name, where = found.get("parent"), found.get("after"), found.get("name", ""), found.get("where", "")
    if not (isinstance(parent, str) and isinstance(after, int) and isinstance(name, str) and isinstance(where, str)):
        return None
    return VariationOf(printable(parent, 200), after, printable(name, MOST_NAME), printable(where, 120))


def tree(paths: Iterable[Path]) -> list[GameNode]:
    """The games in these files as trees, unreadable ones left out; one whose parent is not among them is a root."""
    nodes: dict[Path, GameNode] = {}
    for path in sorted(paths):
        try:
            nodes[path] = GameNode(path, leaves_from(journal.read(path, is_rescue=True).header))
        except UserError:
            continue
    roots: list[GameNode] = []
    for path, node in nodes.items():
        parent = None if node.leaves is None else nodes.get(path.with_name(Path(node.leaves.parent).name))
        (roots if parent is None or parent is node else parent.variations).append(node)
    for node in nodes.values():
        node.variations.sort(key=lambda each: (each.leaves.after if each.leaves else 0, each.path.name))
    return roots


class SameDice:
    """Chance as it fell in a game after a moment: rolls of one kind come in the order they came there.

    A roll that was not made there, or of other dice, is rolled anew.
    """

    def __init__(self, loaded: Loaded, after: int, seed: int | str) -> None:
        self._rng = Random(seed)
        self._fallen: dict[str, deque[Any]] = {}
        game = Game(prepare(loaded.setup)[0], loaded.start)
        for number, answer in enumerate(loaded.recorded.answers()):
            asked = game.pending
            assert asked is not None, "the game goes on as long as there are answers"
            if number >= after and asked.seat == "chance" and not is_deed(answer):
                self._fallen.setdefault(asked.topic, deque()).append(answer)
            game.submit(answer)

    def answer(self, decision: Decision[Any], game: Game) -> Any:
        fallen = self._fallen.get(decision.topic)
        if fallen and decision.check(fallen[0]) is None:
            return fallen.popleft()
        return decision.sample(self._rng)
