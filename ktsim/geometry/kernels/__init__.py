"""Compiled float64 kernels (numba). Serial and parallel ones live in separate modules, because numba's disk cache
does not tell ``parallel=True`` from ``False``.

The cache lives in the user's cache folder, so that an installed package in a read-only place compiles once too. Each
state of the sources has a folder of its own there: numba compiles a kernel again when its own file changes, but not
when a kernel that it calls does.
"""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import Any

import numba

from ktsim import paths

SOURCES = tuple(sorted(Path(__file__).parent.glob("*.py")))


def fingerprint() -> str:
    """A short name for the present state of the kernels' sources."""
    found = hashlib.sha256()
    for path in SOURCES:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(paths.cache() / "kernels" / fingerprint())  # type: ignore[attr-defined]

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
"""What every kernel is compiled with. No fastmath: EPS decides ties, so rounding must not depend on the compiler."""
