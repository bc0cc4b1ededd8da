"""Saving and loading games: whole journals, snapshots beside them, replaying with every hash checked."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ktsim import __version__
from ktsim.content.atomic import write_atomically
from ktsim.errors import Problem, UserError
from ktsim.game import journal
from ktsim.game.game import Disclosure, Game, IllegalAnswer, Snapshot
from ktsim.game.journal import Entry, Recorded
from ktsim.game.named_teams import with_allowed_teams
from ktsim.game.setup import Setup, prepare
from ktsim.rules.battle import Battle
from ktsim.rules.decisions import SIDES
from ktsim.rules.state import State


@dataclass(frozen=True)
class Loaded:
    """A game loaded from a file, ready to go on. *warning* says if a damaged end was dropped."""

    game: Game
    setup: Setup
    recorded: Recorded
    warning: str = ""


def digests_of(battle: Battle) -> dict[str, str]:
    """What the game was made of, so that a save is not continued with other teams or another board."""
    found: dict[str, str] = {"board": battle.board.digest}
    for side in SIDES:
        found[side] = hashlib.blake2b(repr(battle.teams[side]).encode(), digest_size=8).hexdigest()
    return found


def header_of(game: Game, setup: Setup, start: State) -> dict[str, Any]:
    return journal.header_for(setup.to_json(), digests_of(game.battle), start.digest())


def save(path: Path, entries: list[Entry], header: dict[str, Any]) -> None:
    """Write a whole journal atomically."""
    write_atomically(path, journal.compose(header, entries).encode())


def setup_from(header: dict[str, Any], path: Path) -> Setup:
    """What was agreed in the save in *path*, with nothing in it that a save may not name."""
    place = journal.shown_path(path)
    try:
        setup = Setup(**header["setup"])
    except TypeError:
        raise UserError(Problem(place, "the header of the saved game names something unknown")) from None
    if not all(isinstance(value, str) for value in setup.to_json().values()):
        raise UserError(Problem(place, "the header of the saved game is not complete"))
    return with_allowed_teams(setup, path)


def load(path: Path, *, use_snapshot: bool = False) -> Loaded:
    """The game in a file, every hash checked. With *use_snapshot* play goes on from the snapshot if it fits."""
    recorded = journal.read(path)
    setup = setup_from(recorded.header, path)
    battle, state = prepare(setup)
    if digests_of(battle) != recorded.header["digests"] or state.digest() != recorded.header["start"]:
        made = f"the save was made by ktsim {recorded.header['version']}, this is {__version__}"
        raise UserError(
            Problem(journal.shown_path(path), f"teams, board or rules are not those of the saved game; {made}")
        )
    game = None
    if use_snapshot and (found := read_snapshot(path, recorded)) is not None:
        game = _from_snapshot(battle, state, recorded, found)
    if game is None:
        game = Game(battle, state)
        replay(game, recorded, path)
    warning = f"{journal.shown_path(path)}: the last {recorded.dropped_bytes} bytes were incomplete and are dropped"
    return Loaded(game, setup, recorded, warning if recorded.dropped_bytes else "")


def replay(game: Game, recorded: Recorded, path: Path) -> None:
    """Play every entry again; raises :class:`UserError` at the first answer or hash that does not fit."""
    for number, entry in enumerate(recorded.entries, 2):
        place = f"{journal.shown_path(path)}:{number}"
        try:
            if entry.undo is not None:
                game.rewind(entry.undo)
            else:
                game.submit(entry.answer)
        except (IllegalAnswer, ValueError) as error:
            raise UserError(Problem(place, f"the answer is not legal here: {error}")) from None
        if game.digest() != entry.digest:
            made = recorded.header["version"]
            text = f"the state differs from what was recorded (saved by ktsim {made}, this is {__version__})"
            raise UserError(Problem(place, text))


# -- snapshots ---------------------------------------------------------------------------------------


def snapshot_path(path: Path) -> Path:
    return path.with_name(path.name + ".snapshot")


def write_snapshot(path: Path, game: Game, entries: int, crc: int) -> None:
    """Keep the last settled state beside the journal; *entries* and *crc* say where in the journal we are."""
    point = game.last_checkpoint()
    body = {
        "ktsim": "snapshot/1",
        "version": __version__,
        "answers": point.answers,
        "disclosures": "".join(each.value for each in game.disclosures[: point.answers]),
        "entries": entries,
        "crc": crc,
        "hash": point.state.digest(),
        "state": point.state.to_json(),
    }
    write_atomically(snapshot_path(path), json.dumps(body, separators=(",", ":"), sort_keys=True).encode())


def read_snapshot(path: Path, recorded: Recorded) -> Snapshot | None:
    """The snapshot beside a journal; ``None`` if there is none or it does not belong to the journal.

    A snapshot only saves time, so one that is missing, damaged or from elsewhere is simply not used.
    """
    try:
        body = json.loads(snapshot_path(path).read_text(encoding="utf-8"))
        fits = body["ktsim"] == "snapshot/1" and body["version"] == __version__
        fits = fits and _crc_at(recorded, body["entries"]) == body["crc"]
        state = State.from_json(body["state"])
        answers = recorded.answers()[: int(body["answers"])]
        disclosures = [Disclosure(each) for each in body["disclosures"]]
        if fits and len(answers) == len(disclosures) == body["answers"] and state.digest() == body["hash"]:
            return Snapshot(answers, disclosures, state)
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return None
    return None


def _crc_at(recorded: Recorded, entries: int) -> int | None:
    """The journal's checksum after so many entries."""
    if not 0 <= entries <= len(recorded.entries):
        return None
    text = journal.compose(recorded.header, list(recorded.entries[:entries]))
    return int(text.splitlines()[-1][:8], 16)


def _from_snapshot(battle: Battle, start: State, recorded: Recorded, snapshot: Snapshot) -> Game | None:
    """The game from its snapshot on; ``None`` when that does not lead to the recorded hash."""
    game = Game(battle, start, snapshot=snapshot)
    try:
        for answer in recorded.answers()[len(snapshot.answers) :]:
            game.submit(answer)
    except IllegalAnswer:
        return None
    wanted = recorded.entries[-1].digest if recorded.entries else recorded.header["start"]
    return game if game.digest() == wanted else None
