"""Files of strangers are taken apart in a process of its own, with little memory and time, so that none can hurt us.

Such a worker calls :func:`limit_self` first. Exit code 0: its output is what it made of the file; 3: its output is a
sentence, without its subject, that says what is wrong with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Generator
from typing import TypeVar

from ktsim import workers
from ktsim.content.printable import printable

MEMORY = 1_000_000_000
REFUSED = 3
MOMENT = 0.05
"""Seconds of a step."""
T = TypeVar("T")
_OUT_OF_TIME = [-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name)]
"""Exit codes of a worker that the system stopped because its time was up."""


class RefusedFile(ValueError):
    """What the worker says is wrong with a file, as a sentence without its subject."""


class OutOfTime(Exception):
    """It took all the time there is."""


class Died(Exception):
    """It ended without a word: the file is damaged, or needs too much memory."""


def limit_self(seconds: int) -> None:
    """At most 1 GB and so many seconds of work, where the system can say so."""
    try:
        import resource
    except ImportError:  # Windows: the parent's time limit remains
        return
    for kind, amount in ((resource.RLIMIT_AS, MEMORY), (resource.RLIMIT_CPU, seconds)):
        try:
            resource.setrlimit(kind, (amount, amount))
        except (OSError, ValueError):  # some systems refuse one of them
            continue


def output_of(worker: str, *words: str, data: bytes = b"", seconds: float) -> bytes:
    """What a worker makes of *data* and the *words* in at most so many *seconds*."""
    return to_the_end(working(worker, *words, data=data, seconds=seconds))


def to_the_end(steps: Generator[None, None, T]) -> T:
    """What comes of work that is done in steps, done without a pause."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result


def working(worker: str, *words: str, data: bytes = b"", seconds: float) -> Generator[None, None, bytes]:
    """The same in steps of a moment: whoever goes no further ends the worker."""
    # One thread: each thread of a numeric library would reserve memory that the limit counts.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    end = time.monotonic() + seconds
    with tempfile.TemporaryFile() as given:  # a pipe would have to be fed while the worker's answer is waited for
        given.write(data)
        given.seek(0)
        pipe = subprocess.PIPE
        command = workers.command(worker, *words)
        process = subprocess.Popen(command, stdin=given, stdout=pipe, stderr=pipe, env=environment)
        try:
            while True:
                try:
                    made, _ = process.communicate(timeout=MOMENT)
                    break
                except subprocess.TimeoutExpired:
                    if time.monotonic() > end:
                        raise OutOfTime from None
                    yield
        finally:
            if process.poll() is None:
                process.kill()
                process.communicate()
    if process.returncode in _OUT_OF_TIME:
        raise OutOfTime
    if process.returncode == REFUSED:
        raise RefusedFile(printable(made.decode("utf-8", "replace"), 200))
    if process.returncode:
        raise Died
    return made
