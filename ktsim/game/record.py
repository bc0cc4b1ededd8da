"""Saving and loading games: whole journals, snapshots beside them, replaying, and mending what cannot be replayed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import zlib
from dataclasses import dataclass, fields, is_dataclass
from pathlib import Path
from typing import Any

from ktsim import __version__
from ktsim.content.files import read_bounded, write_atomically
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.game import journal
from ktsim.game.boards import board_digest
from ktsim.game.game import Disclosure, Game, IllegalAnswer, Snapshot
from ktsim.game.journal import JournalEntry, MendableSave, Recorded
from ktsim.game.named_files import with_allowed_files
from ktsim.game.setup import Setup, prepare
from ktsim.rules import RULES_VERSION
from ktsim.rules.engine.battle import Battle
from ktsim.rules.engine.state import SIDES, State


@dataclass(frozen=True)
class Loaded:
    """A game loaded from a file, ready to go on.

    *warning* says what was dropped or differs. A game that *differs* was recorded by other rules, another team or
    another board: every answer still fits, and it is gone on with in a file of its own.
    """

    game: Game
    setup: Setup
    recorded: Recorded
    start: State
    warning: str = ""
    differs: bool = False


SHOWN = frozenset(("name", "text", "shown", "reminders", "digest", "body", "names", "roster_name"))
"""Fields of teams that no rule reads."""


def essence(value: Any) -> Any:
    """What rules read of a team, as JSON: no words that are only shown, nothing that has its usual value."""
    if isinstance(value, tuple):
        return [essence(each) for each in value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    read = (each for each in fields(value) if each.name not in SHOWN)
    return {each.name: essence(now) for each in read if (now := getattr(value, each.name)) != each.default}


def digests_of(battle: Battle) -> dict[str, str]:
    """What the game was made of, so that a save can say when teams or the board have changed."""
    found: dict[str, str] = {"board": board_digest(battle.board)}
    for side in SIDES:
        text = json.dumps(essence(battle.teams[side]), sort_keys=True, default=repr)
        found[side] = hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
    return found


def header_of(game: Game, setup: Setup, start: State, *, is_begun: bool = False) -> dict[str, Any]:
    return journal.header_for(setup.to_json(), digests_of(game.battle), start, is_begun)


def save(path: Path, entries: list[JournalEntry], header: dict[str, Any]) -> None:
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
    return with_allowed_files(setup, path)


def beginning(recorded: Recorded, path: Path) -> tuple[Setup, Battle, State]:
    """What was agreed in a save, and the battle with the state it begins from."""
    setup = setup_from(recorded.header, path)
    battle, state = prepare(setup)
    if (begun := recorded.header.get("begun")) is not None:
        state = _state_from(begun, path)
    return setup, battle, state


def _state_from(data: Any, path: Path) -> State:
    try:
        return State.from_json(data)
    except (KeyError, TypeError, ValueError, AttributeError):
        raise UserError(Problem(journal.shown_path(path), "the state the saved game begins from is not one")) from None


def load(path: Path, *, use_snapshot: bool = False) -> Loaded:
    """The game in a file, its answers given again. With *use_snapshot* play goes on from the snapshot if it fits.

    Raises :class:`MendableSave` at an answer that does not fit any more.
    """
    recorded = journal.read(path)
    setup, battle, state = beginning(recorded, path)
    game = None
    if use_snapshot and (found := read_snapshot(path, recorded)) is not None:
        game = _from_snapshot(battle, state, recorded, found)
    difference = ""
    if game is None:
        game = Game(battle, state)
        difference = replay(game, state, recorded, path)
    warnings = [difference] if difference else []
    if recorded.dropped_bytes:
        warnings.append(f"the last {recorded.dropped_bytes} bytes were incomplete and are dropped")
    warning = f"{journal.shown_path(path)}: {'; '.join(warnings)}" if warnings else ""
    return Loaded(game, setup, recorded, state, warning, bool(difference))


def replay(game: Game, start: State, recorded: Recorded, path: Path) -> str:
    """Play every entry again from *start* and return what differs from what was recorded, in words, or an empty text.

    Raises :class:`MendableSave` at the first answer that does not fit.
    """
    differs_at = 0 if start.digest() == recorded.header["start"] else 1
    for number, entry in enumerate(recorded.entries, 2):
        try:
            if entry.undo is not None:
                game.rewind(entry.undo)
            else:
                game.submit(entry.answer)
        except (IllegalAnswer, ValueError, LookupError) as error:
            text = f"the answer does not fit here any more: {printable(str(error), 300)} {made_by(recorded)}"
            raise MendableSave(Problem(f"{journal.shown_path(path)}:{number}", text)) from None
        if not differs_at and game.digest() != entry.digest:
            differs_at = number
    if not recorded.has_hashes:
        return f"an older save, played again by the rules of now {made_by(recorded)}"
    if not differs_at:
        return ""
    changed = changes(game.battle, recorded)
    why = f"{' and '.join(changed)} changed since" if changed else "the rules have changed since"
    return f"from line {differs_at} on the game is not quite what was recorded, {why} {made_by(recorded)}"


def changes(battle: Battle, recorded: Recorded) -> list[str]:
    """What of a saved game has changed since, in words."""
    words = {"board": "the board has", "red": "red's team has", "blue": "blue's team has"}
    now, then = digests_of(battle), recorded.header["digests"]
    return [words[what] for what in now if now[what] != then.get(what)]


def made_by(recorded: Recorded) -> str:
    return f"(saved by ktsim {recorded.header['version']}, this is {__version__})"


def retold(loaded: Loaded) -> tuple[list[JournalEntry], dict[str, Any]]:
    """The entries and the header of a loaded game as the rules of now record it."""
    recorded = loaded.recorded
    start = loaded.start
    game = Game(prepare(loaded.setup)[0], start)
    header = header_of(game, loaded.setup, start, is_begun="begun" in recorded.header)
    entries = []
    for answer in recorded.answers():
        game.submit(answer)
        entries.append(JournalEntry(game.digest(), answer=answer))
    return entries, header


# -- mending -----------------------------------------------------------------------------------------


def mend(path: Path) -> tuple[Path, str]:
    """Make a new save of what is good of one that cannot be gone on with; returns it and says what it holds.

    The file itself is left as it is; one that can be gone on with is returned. Raises :class:`UserError` when nothing
    of it can be saved.
    """
    with contextlib.suppress(MendableSave):
        load(path, use_snapshot=True)
        return path, "the whole game, nothing of which needs mending"
    recorded = journal.read(path, is_rescue=True)
    new = continued_path(path)
    if recorded.damage:
        save(new, list(recorded.entries), recorded.header)
        return new, f"the game up to the damage, {len(recorded.entries)} answers and undos"
    setup, battle, _ = beginning(recorded, path)
    found = read_snapshot(path, recorded, is_any_version=True)
    if found is None:
        text = "there is no snapshot to go on from; ktsim replay still tells the game up to where it does not fit"
        raise UserError(Problem(journal.shown_path(path), text))
    game = Game(battle, found.state)
    save(new, [], header_of(game, setup, found.state, is_begun=True))
    return new, f"the last snapshot, taken after {len(found.answers)} of {len(recorded.answers())} answers"


def continued_path(path: Path) -> Path:
    """A new name beside a save that is gone on with in a file of its own."""
    stem = path.stem.split(" (continued")[0]
    number, new = 2, path.with_name(f"{stem} (continued){path.suffix}")
    while new.exists():
        number, new = number + 1, path.with_name(f"{stem} (continued {number}){path.suffix}")
    return new


# -- snapshots ---------------------------------------------------------------------------------------


def snapshot_path(path: Path) -> Path:
    return path.with_name(path.name + ".snapshot")


def write_snapshot(path: Path, game: Game, entries: int, crc: int) -> None:
    """Keep the last settled state beside the journal; *entries* and *crc* say where in the journal we are."""
    point = game.last_checkpoint()
    state = point.state.to_json()
    body = {
        "ktsim": "snapshot/2",
        "version": __version__,
        "rules": RULES_VERSION,
        "answers": point.answers,
        "disclosures": "".join(each.value for each in game.disclosures[: point.answers]),
        "entries": entries,
        "crc": crc,
        "sum": _sum(state),
        "state": state,
    }
    write_atomically(snapshot_path(path), json.dumps(body, separators=(",", ":"), sort_keys=True).encode())


MOST_SNAPSHOT_BYTES = 8_000_000


def read_snapshot(path: Path, recorded: Recorded, *, is_any_version: bool = False) -> Snapshot | None:
    """The snapshot beside a journal; ``None`` if there is none or it does not belong to the journal.

    A snapshot only saves time, so one that is missing, damaged or from elsewhere is simply not used. One of another
    version of program or rules is used only where that is asked for.
    """
    beside = snapshot_path(path)
    try:
        body = json.loads(read_bounded(beside, str(beside), MOST_SNAPSHOT_BYTES, "a snapshot"))
        is_of_now = body["version"] == __version__ and body["rules"] == RULES_VERSION
        fits = body["ktsim"] == "snapshot/2" and (is_of_now or is_any_version)
        fits = fits and _crc_at(recorded, body["entries"]) == body["crc"] and body["sum"] == _sum(body["state"])
        state = State.from_json(body["state"])
        answers = recorded.answers()[: int(body["answers"])]
        disclosures = [Disclosure(each) for each in body["disclosures"]]
        if fits and len(answers) == len(disclosures) == body["answers"]:
            return Snapshot(answers, disclosures, state)
    except (UserError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError):
        return None
    return None


def _sum(state: Any) -> int:
    """A checksum of a state as JSON."""
    return zlib.crc32(json.dumps(state, separators=(",", ":"), sort_keys=True).encode())


def _crc_at(recorded: Recorded, entries: int) -> int | None:
    """The journal's checksum after so many entries."""
    if not 0 <= entries <= len(recorded.entries):
        return None
    text = journal.compose(recorded.header, list(recorded.entries[:entries]))
    return int(text.splitlines()[-1][:8], 16)


def _from_snapshot(battle: Battle, start: State, recorded: Recorded, snapshot: Snapshot) -> Game | None:
    """The game from its snapshot on; ``None`` when that does not lead to the recorded hash."""
    try:
        game = Game(battle, start, snapshot=snapshot)
        for answer in recorded.answers()[len(snapshot.answers) :]:
            game.submit(answer)
        wanted = recorded.entries[-1].digest if recorded.entries else recorded.header["start"]
        return game if game.digest() == wanted else None
    except Exception:  # whatever a state from elsewhere leads to: the journal alone says how the game stands
        return None
