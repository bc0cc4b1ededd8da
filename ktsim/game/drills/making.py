"""Drills made in a process of its own, so that whoever asks never waits.

The worker is given a seed. Every line it reads names the kinds wanted (none for all) and is answered by one drill as
a line of JSON; it ends when there is nothing more to read. The same seed and the same lines give the same drills.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from queue import Queue
from typing import TextIO

from ktsim import faults, workers
from ktsim.errors import UserError
from ktsim.faults import Fault
from ktsim.game.drills.drill import Drill
from ktsim.game.drills.register import new_drills


def serve(seed: str, lines: TextIO, out: TextIO) -> None:
    """Answer every line with a drill, or with why there is none."""
    made: dict[str, Iterator[Drill]] = {}
    for line in lines:
        kinds = line.strip()
        if kinds not in made:
            made[kinds] = new_drills(f"{seed} {kinds}", kinds.split())
        try:
            reply = next(made[kinds]).as_json()
        except UserError as error:
            reply = {"problem": str(error)}
        except Exception as error:
            faults.note("making drills", error, {"seed": seed, "kinds": kinds})
            raise
        print(json.dumps(reply), file=out, flush=True)


def main(seed: str) -> int:
    """The worker."""
    serve(seed, sys.stdin, sys.stdout)
    return 0


class DrillMaker:
    """Has drills made. `ask` wishes for some, `take_in` gives those that are there; neither waits. What goes wrong is
    left in *problem* (a sentence) or *fault*, and nothing is made until somebody asks again."""

    def __init__(self, seed: str) -> None:
        self.seed = seed
        self.problem = ""
        self.fault: Fault | None = None
        self.wanted = 0
        """Drills asked for that have not come yet."""
        self._starts = 0
        self._process: subprocess.Popen[str] | None = None
        self._replies: Queue[str] = Queue()

    def ask(self, kinds: Sequence[str] = (), count: int = 1) -> None:
        """Have so many more made, of these kinds or of all."""
        if self._process is None:
            self._start()
        assert self._process is not None
        assert self._process.stdin is not None
        self.wanted += count
        with contextlib.suppress(OSError):  # it died; taking in says so
            self._process.stdin.write(f"{' '.join(kinds)}\n" * count)
            self._process.stdin.flush()

    def _start(self) -> None:
        self._starts += 1  # what was made before is not made again
        self._process = process = subprocess.Popen(
            workers.command("drills", f"{self.seed} {self._starts}"),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        replies: Queue[str] = Queue()
        self._replies = replies

        def listen() -> None:
            assert process.stdout is not None
            for line in process.stdout:
                replies.put(line)

        threading.Thread(target=listen, daemon=True).start()

    def take_in(self) -> list[Drill]:
        """The drills that have come since."""
        is_dead = self._process is not None and self._process.poll() is not None
        found = []
        while not self._replies.empty():
            reply = json.loads(self._replies.get_nowait())
            self.wanted -= 1
            if "problem" in reply:
                self.problem = str(reply["problem"])
            else:
                found.append(Drill.from_json(reply))
        if self.problem:
            self.stop()
        elif is_dead and not found:
            self.fault = faults.note("making drills", "the process ended by itself", {"seed": self.seed})
            self.stop()
        return found

    def stop(self) -> None:
        """Make no more of what was asked for."""
        self.wanted = 0
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):  # what nobody reads any more is still in it
                        pipe.close()
            self._process = None
        self._replies = Queue()
