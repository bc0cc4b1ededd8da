"""Compiled float64 kernels (numba). Parallel ones live in a module of their own: they take a minute to compile with all
they call."""

from __future__ import annotations

from typing import Any

from ktsim.geometry.compiling import OPTIONS, InnerKernel, Kernel


def kernel(function: Any) -> Any:
    """A kernel that Python calls."""
    return Kernel(function, targetoptions=dict(OPTIONS))


def inner(function: Any) -> Any:
    """A kernel that only kernels call."""
    return InnerKernel(function, targetoptions=dict(OPTIONS))


def on_all_cores(function: Any) -> Any:
    """A kernel that Python calls and that runs on all cores."""
    return Kernel(function, targetoptions={**OPTIONS, "parallel": True})


def lean(function: Any) -> Any:
    """An inner kernel that allocates nothing, nor does any that it calls: the arrays it is given are not counted, which
    would cost more than many a question does."""
    return InnerKernel(function, targetoptions={**OPTIONS, "_nrt": False})
