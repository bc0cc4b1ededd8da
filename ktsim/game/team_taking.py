"""Files of teams taken in by a process of its own, one after another: whoever asked goes on, sees how far it is, and
may give it up."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections import deque
from collections.abc import Iterable
from pathlib import Path
from typing import IO, Any

from ktsim import faults, workers
from ktsim.errors import UserError
from ktsim.faults import Fault
from ktsim.game.team_library import TakenIn, take_in


def main(path: str) -> int:
    """The worker: take one file in and say what became of it as one line of JSON."""
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    found: dict[str, Any]
    try:
        found = {"taken": take_in(Path(path)).to_json()}
    except UserError as error:
        found = {"problems": [str(each) for each in error.problems[:20]]}
    except OSError as error:
        found = {"problems": [f"{error.filename or path}: {error.strerror or error}"]}
    except Exception as error:
        faults.note("taking a team in", error, {"file": path})
        raise
    print(json.dumps(found))
    return 0


class Taking:
    """Takes files in. `take_in` gives what has come of them since, or why not; it never waits."""

    def __init__(self) -> None:
        self.waiting: deque[Path] = deque()
        self.current: Path | None = None
        self.done = 0
        self.fault: Fault | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._said: IO[bytes] | None = None
        """What the process says: a file, for a pipe that nobody reads would fill up."""

    @property
    def is_busy(self) -> bool:
        return self.current is not None or bool(self.waiting)

    @property
    def part(self) -> float:
        """How much of what was asked for is done."""
        return self.done / max(1, self.done + len(self.waiting) + (self.current is not None))

    def ask(self, paths: Iterable[Path]) -> None:
        if not self.is_busy:
            self.done = 0
        self.waiting += paths
        self._next()

    def _next(self) -> None:
        if self.current is not None or not self.waiting:
            return
        self.current = self.waiting.popleft()
        self._said = tempfile.TemporaryFile()  # noqa: SIM115 - until the process has ended
        self._process = subprocess.Popen(
            workers.command("team", str(self.current)),
            stdin=subprocess.DEVNULL,
            stdout=self._said,
            stderr=subprocess.DEVNULL,
        )

    def take_in(self) -> tuple[TakenIn | None, tuple[str, ...]] | None:
        """What the file that is done now was, or what was wrong with it; ``None`` while none is."""
        if self._process is None or self._process.poll() is None or self.current is None:
            return None
        assert self._said is not None
        self._said.seek(0)
        said, path = self._said.read(), self.current
        self._drop()
        self.done += 1
        self._next()
        try:
            reply = json.loads(said)
            if "taken" in reply:
                return TakenIn.from_json(reply["taken"]), ()
            return None, tuple(map(str, reply["problems"]))
        except (ValueError, LookupError, TypeError):
            self.fault = faults.note("taking a team in", "the process ended by itself", {"file": path.name})
            return None, (f"{path.name}: it could not be read",)

    def stop(self) -> None:
        """Give up what is not done."""
        self.waiting.clear()
        if self._process is not None:
            self._process.kill()
            self._drop()

    def _drop(self) -> None:
        process, said, self._process, self._said, self.current = self._process, self._said, None, None, None
        if process is not None:
            process.wait()
        if said is not None:
            said.close()
