"""Drills made in processes of their own: one by one, so that whoever asks never waits, or many of them on every core.

The worker is given a seed. Every line it reads names the kinds wanted (none for all) and is answered by one drill as
a line of JSON; it ends when there is nothing more to read. The same seed and the same lines give the same drills.
A word of digits in the line names a batch: its drills are those of that batch (:func:`batch`).
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from itertools import chain, count, islice
from queue import Queue
from typing import TextIO

from ktsim import faults, workers
from ktsim.errors import UserError
from ktsim.faults import Fault
from ktsim.game.drills.drill import Drill
from ktsim.game.drills.register import new_drills
from ktsim.geometry.shelf import PREPARED

BATCH = 25
"""Drills of a batch: each has games of its own, so that batches can be made side by side."""
PROCESSES = 4
ROOM = 400 << 20
"""Bytes of what boards have prepared that are kept while many drills are made: with less the maps of everybody's moves
on one board push each other away."""


def batch(seed: str, kinds: Sequence[str], number: int) -> Iterator[Drill]:
    """The drills of one batch, the first being number 0."""
    return islice(new_drills(f"{seed} {number}" if number else seed, kinds), BATCH)


def batches(seed: str, kinds: Sequence[str]) -> Iterator[Drill]:
    """Drills without end, one batch after the other, made here as they are taken."""
    PREPARED.most = max(PREPARED.most, ROOM)
    return chain.from_iterable(batch(seed, kinds, number) for number in count())


def many(seed: str, kinds: Sequence[str], wanted: int, heard: Callable[[int], None] = lambda made: None) -> list[Drill]:
    """The first so many of :func:`batches`, made on every core. *heard* is told how many there are."""
    if wanted <= BATCH:
        few = []
        for drill in islice(batches(seed, kinds), wanted):
            few.append(drill)
            heard(len(few))
        return few
    numbers = range(-(-wanted // BATCH))
    found: list[list[Drill]] = [[] for _ in numbers]
    todo = iter(numbers)
    lock = threading.Lock()
    made = 0
    processes = [
        subprocess.Popen(
            workers.command("drills", seed),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for _ in range(min(os.cpu_count() or 1, PROCESSES, len(numbers)))
    ]

    def have_made(process: subprocess.Popen[str]) -> None:
        nonlocal made
        assert process.stdin is not None
        assert process.stdout is not None
        while True:
            with lock:
                if (number := next(todo, None)) is None:
                    return
            batch_size = min(BATCH, wanted - number * BATCH)
            process.stdin.write(f"{' '.join((str(number), *kinds))}\n" * batch_size)
            process.stdin.flush()
            for line in islice(process.stdout, batch_size):
                reply = json.loads(line)
                if "problem" in reply:
                    raise UserError(str(reply["problem"]))
                found[number].append(Drill.from_json(reply))
                with lock:
                    made += 1
                    heard(made)
            if len(found[number]) < batch_size:
                raise RuntimeError("the process that makes drills ended by itself")

    pool = ThreadPoolExecutor(len(processes))
    try:
        left = {pool.submit(have_made, process) for process in processes}
        while left:
            done, left = wait(left, 0.5, FIRST_COMPLETED)  # not for ever: on Windows nothing else hears Ctrl-C
            for each in done:
                each.result()
    finally:
        for process in processes:
            process.kill()
        pool.shutdown()
        for process in processes:
            _close(process)
    return [drill for each in found for drill in each]


def _close(process: subprocess.Popen[str]) -> None:
    """End a process, whatever it is doing."""
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):  # what nobody reads any more is still in it
                pipe.close()


def serve(seed: str, lines: TextIO, out: TextIO) -> None:
    """Answer every line with a drill, or with why there is none."""
    made: dict[str, Iterator[Drill]] = {}
    for line in lines:
        kinds = line.strip()
        if kinds not in made:
            number, *rest = kinds.split() or [""]
            if number.isdecimal():
                PREPARED.most = max(PREPARED.most, ROOM)
                made = {kinds: batch(seed, rest, int(number))}  # the batch before is done
            else:
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
            _close(self._process)
            self._process = None
        self._replies = Queue()
