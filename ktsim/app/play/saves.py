"""Saved games: which there are, who plays in them, and how they stand."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ktsim import paths
from ktsim.app.screens.files import free_path
from ktsim.app.ui.titles import board_title
from ktsim.content.files import write_atomically
from ktsim.errors import UserError
from ktsim.game import journal
from ktsim.game.partners import asks_second
from ktsim.game.record import snapshot_path
from ktsim.game.review.keeping import review_path
from ktsim.game.session import Session
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.decisions import Decision

HUMAN = "human"
DiceMode: TypeAlias = Literal["rolled", "typed"]
MOST_SAVES = 200


@dataclass(frozen=True)
class Agreement:
    """Who plays and how, kept beside the journal: a bot's name or ``human`` for each side.

    *title* and *is_over* say how the game stood when it was last written, for the list of saved games.
    """

    red: str = HUMAN
    blue: str = HUMAN
    dice: DiceMode = "rolled"
    takes_obvious: bool = False
    is_sandbox: bool = False
    level: str = "normal"
    """How hard a bot tries."""
    is_set_up: bool = False
    """Whether what people have to choose before the battle is chosen for them."""
    ally: str = ""
    """Who has half of blue where two share it: a bot's name or ``human``."""
    title: str = ""
    is_over: bool = False

    def asked(self, battle: Battle, decision: Decision[Any]) -> str:
        """Who answers a question that is not for chance."""
        return self.ally if self.ally and asks_second(battle, decision) else self.player(decision.seat)

    def player(self, side: str) -> str:
        return self.red if side == "red" else self.blue

    @property
    def is_hot_seat(self) -> bool:
        return self.red == self.blue == HUMAN


def note_path(path: Path) -> Path:
    return path.with_name(path.name + ".table")


def write_agreement(path: Path, agreement: Agreement) -> None:
    write_atomically(note_path(path), json.dumps(asdict(agreement), sort_keys=True).encode())


def read_agreement(path: Path) -> Agreement:
    """What was agreed about the game in *path*; hot-seat when nothing (or nothing readable) says otherwise."""
    try:
        raw: Any = json.loads(note_path(path).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return Agreement()
    if not isinstance(raw, dict):
        return Agreement()
    plain = Agreement()
    fitting = {
        name: value
        for name, value in raw.items()
        if name in asdict(plain) and isinstance(value, type(getattr(plain, name)))
    }
    found = replace(plain, **fitting)
    return found if found.dice in ("rolled", "typed") else replace(found, dice="rolled")


@dataclass(frozen=True)
class Save:
    path: Path
    agreement: Agreement
    when: datetime
    damage: str = ""
    """What is wrong with its file, as far as somebody has looked."""

    @property
    def title(self) -> str:
        return self.agreement.title or self.path.stem

    @property
    def note(self) -> str:
        kind = "hot-seat" if self.agreement.is_hot_seat else "together" if self.agreement.ally else "solo"
        note = f"{kind} · {self.when:%d.%m.%Y %H:%M}" + (" · finished" if self.agreement.is_over else "")
        return f"{note} · damaged: {self.damage}" if self.damage else note


def games_folder() -> Path:
    return paths.user_data() / "games"


def list_saves() -> list[Save]:
    """The saved games, the last played first."""
    found = []
    for path in games_folder().glob("*.ktsim"):
        try:
            when = datetime.fromtimestamp(path.stat().st_mtime)
        except OSError:
            continue
        found.append(Save(path, read_agreement(path), when))
    return sorted(found, key=lambda save: (save.when, save.path.name), reverse=True)[:MOST_SAVES]


@lru_cache(maxsize=MOST_SAVES)
def _damage(path: Path, size: int, changed: int) -> str:
    try:
        journal.read(path)
    except UserError as error:
        return error.problems[0].text
    return ""


def looked_at(save: Save) -> Save:
    """The save with what is wrong with its file; a file is read once as long as it does not change."""
    try:
        found = save.path.stat()
    except OSError as error:
        return replace(save, damage=error.strerror or str(error))
    return replace(save, damage=_damage(save.path, found.st_size, found.st_mtime_ns))


def latest() -> tuple[Save | None, tuple[Save, ...]]:
    """The game Continue goes on with: the last one played that is not over and can be read; and the damaged ones that
    are newer."""
    damaged: list[Save] = []
    for save in list_saves():
        if not save.agreement.is_over:
            save = looked_at(save)
            if not save.damage:
                return save, tuple(damaged)
            damaged.append(save)
    return None, tuple(damaged)


def removed_folder() -> Path:
    return games_folder() / "removed"


def remove(save: Save) -> None:
    """Move a saved game and what lies beside it out of the list; nothing is destroyed. Raises OSError."""
    folder = removed_folder()
    folder.mkdir(parents=True, exist_ok=True)
    there = free_path(folder / save.path.name)
    for path in (save.path, note_path(save.path), snapshot_path(save.path), review_path(save.path)):
        if path.exists():
            path.replace(there.with_name(there.name + path.name.removeprefix(save.path.name)))


def title_of(session: Session) -> str:
    """How a game stands, in a line."""
    game = session.game
    vp, teams = game.state.vp, game.battle.teams
    score = f"{teams['blue'].name} {vp['blue']} : {vp['red']} {teams['red'].name}"
    if game.battle.mission.machine_team:
        score = f"{game.battle.mission.name}: {teams['blue'].name} {vp['blue']}"
    board = board_title(session.setup.board)
    when = f"turning point {game.state.turning_point}" if game.state.turning_point else "set-up"
    return f"{score} · {when} · {board}"
