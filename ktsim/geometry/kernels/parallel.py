"""The same questions for many lines or poses at once, on all cores. The only module with parallel kernels.

One batch at a time (``ONE_BATCH``): some of numba's threading layers must not be entered by two threads at once.
Complete searches are not here: compiled into a parallel kernel they take a minute and more to compile, and as they
release the interpreter's lock plain threads run them as fast.
"""

from __future__ import annotations

import threading

import numpy as np
from numba import prange

from ktsim.geometry.kernels import on_all_cores
from ktsim.geometry.kernels.queries import DEPTH, blocked
from ktsim.geometry.kernels.witnesses import probe

CHUNK = 64
"""Lines or poses that one thread takes at a time."""
ONE_BATCH = threading.Lock()
"""To be held around a call of any kernel here."""


@on_all_cores
def lines_blocked(F, act, origin, direction, r):
    """(n,) bool: which of the lines (n, 3) ``origin + t direction`` have something nearer than *r*."""
    n = origin.shape[0]
    out = np.empty(n, np.bool_)
    for chunk in prange((n + CHUNK - 1) // CHUNK):
        stack = np.empty(DEPTH, np.int32)
        for i in range(chunk * CHUNK, min(n, (chunk + 1) * CHUNK)):
            out[i] = blocked(
                F, act, stack,
                origin[i, 0], origin[i, 1], origin[i, 2], direction[i, 0], direction[i, 1], direction[i, 2], r,
            )  # fmt: skip
    return out


@on_all_cores
def poses_probed(F, act, probes, poses, ball, r):
    """(n,) bool: at which of the *poses* (n, 5) one of the probe lines to the surface is clear. No proof of no."""
    n = poses.shape[0]
    out = np.empty(n, np.bool_)
    for chunk in prange((n + CHUNK - 1) // CHUNK):
        line = np.empty(16)
        for i in range(chunk * CHUNK, min(n, (chunk + 1) * CHUNK)):
            out[i] = probe(F, act, probes, poses[i], ball, r, line)
    return out
