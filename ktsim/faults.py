"""Unexpected exceptions leave a trace: a log in the user's state folder, for a sentence on the screen and a report.

Mistakes of the user are no faults (:class:`ktsim.errors.UserError`). Nothing here raises: a fault that cannot be
written down is told all the same.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import traceback
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ktsim import __version__, paths
from ktsim.content.printable import printable

MOST_BYTES = 500_000
"""Of the log before it is put aside as the older one, of which there is one."""

EXIT_CODE = 70
"""Of a command that ended by a fault (EX_SOFTWARE)."""

_known: dict[str, Fault] = {}
"""What this process has written down, by what it was: what happens again and again is written once."""


@dataclass(frozen=True)
class Fault:
    """Something unexpected that happened: in a few words, and the file that says more (None: it could not be
    written)."""

    words: str
    log: Path | None

    @property
    def sentence(self) -> str:
        where = f"What is known of it is in {self.log}." if self.log is not None else "No log of it could be written."
        return f"{self.words}. {where}"


def log_path() -> Path:
    return paths.state() / "faults.log"


def logs() -> list[Path]:
    """The log and the older one, as far as they are there."""
    return [path for path in (log_path(), _older(log_path())) if path.is_file()]


def is_debugging() -> bool:
    """Whether faults are to be raised instead: ``KTSIM_DEBUG=1``."""
    return os.environ.get("KTSIM_DEBUG", "") not in ("", "0")


def note(what: str, error: BaseException | str, facts: Mapping[str, object] | None = None) -> Fault:
    """Write down that *what* failed with *error*, and the *facts* that help to repeat it, such as a game's seed, its
    journal and how many answers are in it."""
    if isinstance(error, str):
        short, whole = error, error
    else:
        short = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        whole = "".join(traceback.format_exception(error)).rstrip()
    fault = _known.get(key := f"{what}\n{whole}")
    if fault is None:
        lines = [f"== {datetime.now().astimezone():%Y-%m-%d %H:%M:%S %z}, {what}", about_program()]
        lines += [f"{name}: {printable(str(value), 2000)}" for name, value in (facts or {}).items()]
        text = _without_home("\n".join([*lines, whole, "", ""]))
        fault = _known[key] = Fault(f"{what} failed ({printable(short, 300)})", _append(text))
    return fault


def about_program() -> str:
    """Version and surroundings, in a line."""
    return f"ktsim {__version__}, Python {platform.python_version()}, {platform.platform()}, {sys.argv[0] or '-'}"


def _without_home(text: str) -> str:
    """Paths tell who somebody is; what matters of them begins below the home folder."""
    home = str(Path.home())
    return text.replace(home, "~") if len(home) > 1 else text


def _older(path: Path) -> Path:
    return path.with_name("faults.older.log")


def _append(text: str) -> Path | None:
    path = log_path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            if path.stat().st_size > MOST_BYTES:
                path.replace(_older(path))
        with path.open("a", encoding="utf-8", errors="replace") as file:
            file.write(text)  # at one go: several processes may write here
    except OSError:
        return None
    return path
