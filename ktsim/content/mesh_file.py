"""Meshes from outside. A worker process with little memory and time parses them, so that none can hurt us."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from functools import lru_cache
from pathlib import Path
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ktsim.content.printable import printable

Unit: TypeAlias = Literal["mm", "inch"]
UNITS: tuple[Unit, ...] = ("mm", "inch")
FORMATS = (".stl", ".obj", ".ply", ".glb", ".3mf")
FILE_LIMIT = 64_000_000
"""The largest mesh file that is opened, in bytes: 200,000 triangles written generously."""

SECONDS = 20
RANGE = 240.0
"""The furthest from its origin a mesh may reach, in inches."""

_OUT_OF_TIME = [-getattr(signal, name) for name in ("SIGXCPU", "SIGKILL") if hasattr(signal, name)]
"""Exit codes of a worker that the system stopped because its time was up."""

_PACKAGES = str(Path(__file__).resolve().parents[2])


class BadMesh(ValueError):
    """A mesh that cannot be used; the message is a sentence without its subject."""


class TooSlow(BadMesh):
    """A mesh that took all the time there is."""


def read_mesh(path: Path, unit: Unit = "mm") -> NDArray[np.float64]:
    """The triangles (n, 3, 3) in inches of a mesh file: finite, in range, at most 200,000.

    Nothing is said about being closed. :class:`BadMesh` when the file is not such a mesh.
    """
    suffix = path.suffix.lower()
    if suffix not in FORMATS:
        raise BadMesh(f"is not a mesh file we read; use one of {', '.join(name[1:] for name in FORMATS)}")
    try:
        status = path.stat()
    except OSError as error:
        raise BadMesh(f"cannot be read: {printable(error.strerror or 'no such file')}") from None
    if status.st_size > FILE_LIMIT:
        raise BadMesh(f"is {status.st_size / 1e6:.0f} MB; at most {FILE_LIMIT / 1e6:.0f} MB are read; simplify it")
    triangles = _parsed(str(path), status.st_mtime_ns, status.st_size)
    scale = 1 / 25.4 if unit == "mm" else 1.0
    size = float(np.abs(triangles).max()) * scale
    if size > RANGE:
        other = "mm" if unit == "inch" else "inch"
        raise BadMesh(f'reaches {size:.0f}" from its origin, more than {RANGE:.0f}"; is its unit {other}?')
    scaled = triangles * scale
    scaled.setflags(write=False)
    return scaled


@lru_cache(maxsize=64)
def _parsed(path: str, changed: int, size: int) -> NDArray[np.float64]:
    """What the worker makes of the file, in the file's own unit; *changed* and *size* tell versions apart."""
    code = f"import sys; sys.path.insert(0, {_PACKAGES!r}); from ktsim.content.mesh_worker import main; main()"
    # One thread: each thread of a numeric library would reserve memory that the limit counts.
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", code, path],
            capture_output=True,
            timeout=SECONDS,
            env=environment,
            stdin=subprocess.DEVNULL,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TooSlow(f"took more than {SECONDS} seconds to read; simplify it") from None
    if done.returncode in _OUT_OF_TIME:
        raise TooSlow(f"took more than {SECONDS} seconds to read; simplify it")
    if done.returncode == 3:
        raise BadMesh(printable(done.stdout.decode("utf-8", "replace"), 200))
    if done.returncode != 0 or len(done.stdout) == 0 or len(done.stdout) % 72:
        raise BadMesh("cannot be read: it is damaged or needs too much memory; export it again")
    return np.frombuffer(done.stdout, dtype="<f8").reshape(-1, 3, 3)
