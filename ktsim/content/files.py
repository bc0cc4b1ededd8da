"""Files that somebody named: ordinary ones, no larger than they can sensibly be, inside the folder of the file that
names them; JSON of strangers, in which no depth or number can hurt; and writing so that a crash leaves the old file or
the new one, never half of either, and nothing of the user's is lost to a slip of the hand."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import stat
import tempfile
from pathlib import Path
from typing import Any, Literal, TypeAlias

from ktsim.content.printable import printable
from ktsim.errors import Problem, UserError


def read_bounded(path: Path, place: str, limit: int, kind: str) -> bytes:
    """The bytes of *path*, of which there may be *limit*; :class:`UserError` at *place* when it is not *kind* of file
    (``a YAML file``) that can be read. Never waits: pipes and devices are refused."""
    try:
        status = path.stat()
        if stat.S_ISDIR(status.st_mode):
            raise UserError(Problem(place, f"is a folder; name {kind}"))
        if not stat.S_ISREG(status.st_mode):
            raise UserError(Problem(place, f"is not an ordinary file; name {kind}"))
        with path.open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise UserError(Problem(place, "does not exist; check the name")) from None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name is not possible"
        raise UserError(Problem(place, f"cannot be read: {printable(reason)}")) from None
    if len(data) > limit:
        size = max(status.st_size, len(data))
        raise UserError(Problem(place, f"is {size / 1e6:.1f} MB; at most {limit // 1_000_000} MB is read"))
    return data


def is_bare_name(text: str) -> bool:
    """Whether *text* can only be meant as the name of something known: nothing lies there, and no file is named so."""
    return not Path(text).suffix and not re.search(r"[/\\]", text) and (not text or not os.path.exists(text))


class OutsideFolder(ValueError):
    """A path that may not be followed; the message is a sentence without its subject."""


def inside(folder: Path, name: str) -> Path:
    """The ordinary file called *name* inside *folder*; :class:`OutsideFolder` says why there is none."""
    shown = printable(name, 80)
    if not name or not name.isprintable():
        raise OutsideFolder(f"'{shown}' is not a file name; use plain letters")
    if "://" in name or name.lower().startswith(("data:", "file:")):
        raise OutsideFolder(f"'{shown}' is an address; name a file in the same folder")
    if re.match(r"[A-Za-z]:", name) or name.startswith(("/", "\\", "~")) or ".." in re.split(r"[/\\]", name):
        raise OutsideFolder(f"'{shown}' leads out of the folder of the file that names it; put it inside")
    home = folder.resolve()
    try:
        path = (home / name).resolve()
        if not path.is_relative_to(home):
            raise OutsideFolder(f"'{shown}' is a link out of the folder of its file; put a copy inside")
        given = home / name
        if any(each.is_symlink() for each in (given, *given.parents) if each.is_relative_to(home) and each != home):
            raise OutsideFolder(f"'{shown}' is a link; put a copy in its place")
        status = path.stat()
    except FileNotFoundError:
        raise OutsideFolder(f"'{shown}' does not exist in the folder of the file that names it") from None
    except (OSError, RuntimeError):
        raise OutsideFolder(f"'{shown}' cannot be read; name a file in the same folder") from None
    if not stat.S_ISREG(status.st_mode):
        raise OutsideFolder(f"'{shown}' is not an ordinary file; name a file")
    return path


Written: TypeAlias = Literal["PNG picture", "PDF file", "zip file", "team file", "roster file"]
_BEGINNINGS: dict[Written, re.Pattern[bytes]] = {
    "PNG picture": re.compile(rb"\A\x89PNG\r\n\x1a\n"),
    "PDF file": re.compile(rb"\A%PDF-"),
    "zip file": re.compile(rb"\APK"),
    "team file": re.compile(rb"^ktsim: *['\"]?team/", re.MULTILINE),
    "roster file": re.compile(rb"^ktsim: *['\"]?roster/", re.MULTILINE),
}
"""What the beginning of a file of each kind that a command writes has in it."""


def check_output(name: str, kind: Written, *inputs: str) -> Path:
    """The path called *name* if a *kind* may be written there: to a new file, or in the place of one of that kind or
    of an empty one that is none of the *inputs*. :class:`UserError` says why not."""
    path, place = Path(name), printable(name, 200)
    if not name.strip():
        raise UserError(f"the {kind} to write has an empty name; name a file")
    if kind == "PNG picture" and path.suffix.lower() != ".png":
        raise UserError(Problem(place, "is where a PNG picture is to be written; give it a name that ends in .png"))
    try:
        status = path.stat()
        if not stat.S_ISREG(status.st_mode):
            what = "a folder" if stat.S_ISDIR(status.st_mode) else "not an ordinary file"
            raise UserError(Problem(place, f"is {what}; name a {kind} to write"))
        with path.open("rb") as file:
            begins = file.read(10_000)
    except FileNotFoundError:
        return path
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else "its name is not possible"
        raise UserError(Problem(place, f"cannot be written: {printable(reason)}; choose another name")) from None
    for each in inputs:
        with contextlib.suppress(OSError, ValueError):
            if path.samefile(each):
                raise UserError(Problem(place, "is what is read here and would be lost; write to another file"))
    if begins and not _BEGINNINGS[kind].search(begins):
        raise UserError(Problem(place, f"is there already and is no {kind}; write to another file, or remove it first"))
    return path


def write_atomically(path: Path, data: bytes) -> None:
    """Write *data* to *path*: a new file beside it, made durable, then put in its place."""
    try:
        handle, temporary = tempfile.mkstemp(prefix=f".{path.name[:40]}.", dir=path.parent)
    except OSError as error:
        raise UserError(
            Problem(printable(str(path), 200), f"cannot be written: {error.strerror}; choose another folder")
        ) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes the file private; a scene is as readable as any other file the user makes.
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, 0o666 & ~mask)
        os.replace(temporary, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise UserError(
            Problem(printable(str(path), 200), f"cannot be written: {error.strerror}; choose another place")
        ) from None
    if hasattr(os, "O_DIRECTORY"):
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


JSON_LIMIT = 8_000_000


def read_json(path: Path) -> Any:
    """The value in the file at *path*; :class:`UserError` with the line when it cannot be read.

    Numbers nobody can mean (``NaN``, thousands of digits) come back as not finite, for the caller to refuse in place.
    """
    place = printable(str(path), 200)
    return parse_json(read_bounded(path, place, JSON_LIMIT, "a JSON file"), place)


def parse_json(data: bytes, place: str) -> Any:
    """The value in *data*; problems name *place* and the line."""
    if len(data) > JSON_LIMIT:
        raise UserError(Problem(place, f"is {len(data) / 1e6:.1f} MB; at most {JSON_LIMIT // 1_000_000} MB is read"))
    try:
        return json.loads(data.decode("utf-8-sig"), parse_int=_whole)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise UserError(Problem(f"{place}:{line}", "is not UTF-8 text; save the file as UTF-8")) from None
    except json.JSONDecodeError as error:
        raise UserError(Problem(f"{place}:{error.lineno}", f"is not valid JSON: {printable(error.msg, 120)}")) from None
    except RecursionError:
        raise UserError(Problem(place, "is nested too deep; nothing here needs that")) from None


def _whole(digits: str) -> int | float:
    return int(digits) if len(digits) <= 18 else math.inf
