"""Files of strangers are taken apart in a process of its own, with little memory and time, so that none can hurt us.

Such a worker calls :func:`limit_self` first. Exit code 0: its output is what it made of the file; 3: its output is a
sentence, without its subject, that says what is wrong with it.
"""

from __future__ import annotations

import os
import signal
import subprocess

from ktsim import workers
from ktsim.content.printable import printable

MEMORY = 1_000_000_000
REFUSED = 3
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
    # One thread: each thread of a numeric library would reserve memory that the limit counts.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            workers.command(worker, *words),
            input=data,
            capture_output=True,
            timeout=seconds,
            env=environment,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise OutOfTime from None
    if done.returncode in _OUT_OF_TIME:
        raise OutOfTime
    if done.returncode == REFUSED:
        raise RefusedFile(printable(done.stdout.decode("utf-8", "replace"), 200))
    if done.returncode:
        raise Died
    return done.stdout
