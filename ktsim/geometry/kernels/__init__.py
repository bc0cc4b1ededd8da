"""Compiled float64 kernels (numba). Serial and parallel ones live in separate modules, because numba's disk cache
does not tell ``parallel=True`` from ``False``.

The cache lives in the user's cache folder, so that an installed package in a read-only place compiles once too.
"""

from __future__ import annotations

import os
from typing import Any

import numba

from ktsim import paths

if not os.environ.get("NUMBA_CACHE_DIR"):
    numba.config.CACHE_DIR = str(paths.cache() / "kernels")  # type: ignore[attr-defined]

OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy"}
"""What every kernel is compiled with. No fastmath: EPS decides ties, so rounding must not depend on the compiler."""
