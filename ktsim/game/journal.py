"""A game's journal: one checksummed line per answer, only ever appended to.

A line is eight hexadecimal digits, a blank and JSON. The digits are the CRC-32 of the JSON, seeded with the line
before's, so no line can be changed, dropped or moved unnoticed. The first line is the header. A last line without
its end is what a crash leaves behind: it is dropped. Anything else wrong is refused and the file left untouched; what
stands before it can be gone on with in a file of its own (``read(path, is_rescue=True)``).
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import re
import sys
import zlib
from dataclasses import dataclass
from io import FileIO
from pathlib import Path
from typing import Any

from ktsim import __version__
from ktsim.content.files import read_bounded
from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError
from ktsim.rules import RULES_VERSION
from ktsim.rules.engine.decisions import answer_from_json
from ktsim.rules.engine.state import State

FORMAT = "save/2"
OLDER = ("save/1",)
"""Formats that are read as well. The hashes of ``save/1`` were taken over words too and say nothing now."""
MOST_BYTES = 64_000_000
VERSION = re.compile(r"[0-9]{1,9}(\.[0-9a-z+-]{1,9}){0,4}")
"""What a version of this program looks like."""


@dataclass(frozen=True)
class JournalEntry:
    """What one line records: an answer, or going back to *undo* answers given; and the state hash after it."""

    digest: str
    answer: Any = None
    undo: int | None = None

    def to_json(self) -> dict[str, Any]:
        if self.undo is not None:
            return {"undo": self.undo, "hash": self.digest}
        return {"answer": self.answer, "hash": self.digest}


@dataclass(frozen=True)
class Recorded:
    """A journal as read: its header, its entries, the last checksum, and how many bytes of it are whole.

    *damage* says what is wrong behind the last entry, where the journal was read to rescue what is good of it.
    """

    header: dict[str, Any]
    entries: tuple[JournalEntry, ...]
    crc: int
    whole_bytes: int
    dropped_bytes: int
    damage: str = ""

    @property
    def has_hashes(self) -> bool:
        """Whether its hashes can be compared with those of this program."""
        return bool(self.header["ktsim"] == FORMAT)

    def answers(self) -> list[Any]:
        """The answers that stand, undone ones taken out."""
        found: list[Any] = []
        for entry in self.entries:
            if entry.undo is not None:
                del found[entry.undo :]
            else:
                found.append(entry.answer)
        return found


def _line(value: dict[str, Any], crc: int) -> tuple[str, int]:
    body = json.dumps(value, separators=(",", ":"), sort_keys=True)
    crc = zlib.crc32(body.encode("utf-8"), crc)
    return f"{crc:08x} {body}\n", crc


def compose(header: dict[str, Any], entries: list[JournalEntry]) -> str:
    """A whole journal as text."""
    lines, crc = [], 0
    for value in [header, *(entry.to_json() for entry in entries)]:
        line, crc = _line(value, crc)
        lines.append(line)
    return "".join(lines)


def header_for(setup: dict[str, Any], digests: dict[str, str], start: State, is_begun: bool = False) -> dict[str, Any]:
    """The first line: format, versions of program and rules, what was agreed, what it was made of, the initial hash.

    A game that *is_begun* does not start with its set-up but from the whole state *start*, which the header keeps.
    """
    header = {
        "ktsim": FORMAT,
        "version": __version__,
        "rules": RULES_VERSION,
        "setup": setup,
        "digests": digests,
        "start": start.digest(),
    }
    return header | ({"begun": start.to_json()} if is_begun else {})


def read(path: Path, *, is_rescue: bool = False) -> Recorded:
    """The journal in a file; raises :class:`UserError` naming the line that is wrong. With *is_rescue* what stands
    before a line that is wrong is read, as long as the header is good."""
    place = shown_path(path)
    raw = read_bounded(path, place, MOST_BYTES, "a saved game")
    whole = raw.rfind(b"\n") + 1
    header: dict[str, Any] | None = None
    entries: list[JournalEntry] = []
    crc, good = 0, 0
    try:
        for number, line in enumerate(raw[:whole].split(b"\n")[:-1], 1):
            if header is None and re.match(rb"[0-9a-f]{8} ", line) is None:
                raise UserError(Problem(place, "is not a saved game"))
            value, after = _value(line, crc, f"{place}:{number}")
            if header is None:
                header = _checked_header(value, place)
            else:
                entries.append(_entry(value, f"{place}:{number}"))
            crc, good = after, good + len(line) + 1
    except UserError as error:
        if header is None:
            raise
        if not is_rescue:
            raise MendableSave(error.problems) from None
        return Recorded(header, tuple(entries), crc, good, len(raw) - good, str(error))
    if header is None:
        raise UserError(Problem(place, "not a saved game: there is no whole line in it"))
    return Recorded(header, tuple(entries), crc, whole, len(raw) - whole)


def _value(line: bytes, crc: int, place: str) -> tuple[Any, int]:
    """What a line holds, and the checksum after it."""
    digits, _, body = line.partition(b" ")
    crc = zlib.crc32(body, crc)
    if digits != f"{crc:08x}".encode():
        raise UserError(Problem(place, "the line is damaged; the file is left as it is"))
    try:
        return json.loads(body), crc
    except (ValueError, RecursionError):
        raise UserError(Problem(place, "the line is not JSON; the file is left as it is")) from None


def _checked_header(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict) or not isinstance(value.get("ktsim"), str):
        raise UserError(Problem(place, "not a saved game"))
    version = value.get("version")
    is_known = (
        value["ktsim"] in (FORMAT, *OLDER) and isinstance(version, str) and VERSION.fullmatch(version) is not None
    )
    if not is_known or _parts(str(version)) > _parts(__version__):
        made = printable(f"{value['ktsim'][:40]} of ktsim {version!s:.40}", 80)
        raise UserError(Problem(place, f"saved as {made}; this is ktsim {__version__}, which reads {FORMAT}"))
    right = isinstance(value.get("setup"), dict) and isinstance(value.get("digests"), dict)
    if not right or not isinstance(value.get("start"), str):
        raise UserError(Problem(place, "the header of the saved game is not complete"))
    return value


def _parts(version: str) -> list[int]:
    return [int(part) if part.isdigit() else 0 for part in version.split(".")]


def _entry(value: Any, place: str) -> JournalEntry:
    if isinstance(value, dict) and isinstance(value.get("hash"), str):
        if isinstance(value.get("undo"), int):
            return JournalEntry(value["hash"], undo=value["undo"])
        if "answer" in value:
            return JournalEntry(value["hash"], answer=answer_from_json(value["answer"]))
    raise UserError(Problem(place, "neither an answer nor an undo"))


class MendableSave(UserError):
    """A saved game that cannot be gone on with as it is; a new one can be made of what is good of it."""


class NotWritten(OSError):
    """An entry could not be written down; the journal is as it was before."""


class Journal:
    """A journal being written. Every entry is on disk before ``append`` returns.

    When a line cannot be written (a full disk), what arrived of it is cut off again before :class:`NotWritten`
    is raised, so the file always ends with the last entry that was acknowledged. Where even that fails nothing more is
    written until it succeeds.
    """

    def __init__(self, path: Path, file: FileIO, crc: int, whole_bytes: int) -> None:
        self.path, self._file, self._crc, self._whole_bytes = path, file, crc, whole_bytes
        self._has_torn_end = False

    @classmethod
    def create(cls, path: Path, header: dict[str, Any]) -> Journal:
        """A new journal; an existing file is never overwritten."""
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = open(path, "xb", buffering=0)  # noqa: SIM115 - kept open for the game
        except OSError as error:
            if isinstance(error, FileExistsError) and path.exists():
                raise UserError(Problem(shown_path(path), "the file exists already; choose another name")) from None
            raise _not_written(path, error) from None
        lock(file)
        journal = cls(path, file, 0, 0)
        try:
            journal._write(header)
            flush_folder(path.parent)
        except OSError as error:
            file.close()
            with contextlib.suppress(OSError):
                path.unlink()
            raise _not_written(path, error) from None
        return journal

    @classmethod
    def resume(cls, path: Path, recorded: Recorded) -> Journal:
        """Go on with a journal that was read; a tail a crash left behind is cut off first.

        The file is this program's until it is closed: two that wrote to one game would ruin it.
        """
        try:
            file = open(path, "ab", buffering=0)  # noqa: SIM115 - kept open for the game
        except OSError as error:
            raise _not_written(path, error) from None
        try:
            if not lock(file):
                raise UserError(Problem(shown_path(path), "the game is open elsewhere; close it there first"))
            if os.fstat(file.fileno()).st_size != recorded.whole_bytes + recorded.dropped_bytes:
                raise UserError(Problem(shown_path(path), "the game was just played on elsewhere; open it again"))
            if recorded.dropped_bytes:
                file.truncate(recorded.whole_bytes)
        except OSError as error:
            file.close()
            raise _not_written(path, error) from None
        except UserError:
            file.close()
            raise
        return cls(path, file, recorded.crc, recorded.whole_bytes)

    def append(self, entry: JournalEntry) -> None:
        """Write *entry*; raises :class:`NotWritten` when it cannot be."""
        self._write(entry.to_json())

    def close(self) -> None:
        if self._has_torn_end:
            with contextlib.suppress(NotWritten):
                self._cut()
        self._file.close()

    def _write(self, value: dict[str, Any]) -> None:
        if self._has_torn_end:
            self._cut()
        line, crc = _line(value, self._crc)
        data = line.encode("utf-8")
        try:
            left = memoryview(data)
            while left:
                left = left[self._file.write(left) :]
            os.fsync(self._file.fileno())
        except OSError as error:
            self._has_torn_end = True
            with contextlib.suppress(NotWritten):
                self._cut()
            raise NotWritten(error.errno, error.strerror) from error
        self._crc, self._whole_bytes = crc, self._whole_bytes + len(data)

    def _cut(self) -> None:
        """Cut off what was not written whole."""
        try:
            self._file.truncate(self._whole_bytes)
            self._file.seek(self._whole_bytes)
            os.fsync(self._file.fileno())
        except OSError as error:
            text = "the end of the saved game cannot be mended, so no answer is taken until it can"
            raise NotWritten(error.errno, f"{text} ({error.strerror})") from None
        self._has_torn_end = False

    @property
    def crc(self) -> int:
        """The checksum of everything written so far."""
        return self._crc


def shown_path(path: Path) -> str:
    return printable(str(path), 200)


def _not_written(path: Path, error: OSError) -> UserError:
    return UserError(Problem(shown_path(path), f"cannot be written: {error.strerror}; choose another place"))


if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

LOCKED_BYTE = 1 << 40
"""Windows locks bytes and keeps others from reading them; this one is beyond the end of every file."""


def flush_folder(folder: Path) -> None:
    """Make names in *folder* last; where folders cannot be opened (Windows) the system sees to it."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def lock(file: FileIO) -> bool:
    """Take the file for this program until it is closed; whether it was free.

    Only a program that asks is kept out. File systems without locks let everybody in.
    """
    try:
        if sys.platform == "win32":
            place = file.tell()
            file.seek(LOCKED_BYTE)
            try:
                msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
            finally:
                file.seek(place)
        else:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EWOULDBLOCK, errno.EACCES, errno.EDEADLK)
    return True
