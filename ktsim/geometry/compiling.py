"""Compiling kernels: once, only what is asked for, and as cheaply as numba can be brought to.

A ``Kernel`` is numba's dispatcher with a store of our own (``kernel_store``). Whoever waits is told; *tell* says how.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import llvmlite.binding
import numba
from numba.core import event
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.targetconfig import TargetConfig
from numba.core.types import Array, int32, int64
from numba.core.types.misc import unliteral
from numba.core.typing import templates
from numba.np import arrayobj

from ktsim.geometry import kernel_store

OPTIONS: dict[str, Any] = {
    "nopython": True,
    "nogil": True,
    "error_model": "numpy",
    "boundscheck": None,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": False,
    "_nrt": True,
}
"""What every kernel is compiled with. No fastmath: EPS decides ties, so rounding must not depend on the compiler."""
AGAIN = 5.0
"""Seconds between two lines of progress."""


def _to_stderr(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


tell: Callable[[str], None] = _to_stderr
"""Where what is said about compiling goes; never among answers."""
into: Path | None = None
"""A folder to be shipped, while it is built: what Python calls is kept there, and nothing elsewhere."""

kernel_store.shipped()  # numba learns the processor with the first kernel


class KernelCache(NullCache):  # type: ignore[misc]
    """What numba asks before it compiles a kernel, and gives what it compiled."""

    damage_was_told = False

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    @property
    def cache_path(self) -> str:
        return str(kernel_store.folder())

    def _name(self, signature: object, context: Any) -> str:
        return kernel_store.name_of(self._kernel.py_func, signature, context.codegen().magic_tuple())

    def load_overload(self, signature: object, context: Any) -> Any:
        if into is not None:
            return None
        name = self._name(signature, context)
        held, damaged = kernel_store.read(name)
        if held is not None:
            try:
                context.refresh()
                return _made_light(CompileResult._rebuild(context, *held), held[0])
            except Exception:  # a checksum that fits and yet no kernel: numba raises anything
                kernel_store.drop(name)
                damaged = True
        if damaged and not KernelCache.damage_was_told:
            KernelCache.damage_was_told = True
            tell("compiled parts of the engine were damaged on disk; they are compiled again")
        return None

    def save_overload(self, signature: object, made: Any) -> None:
        if made.library.has_dynamic_globals:
            raise ValueError(f"{self._kernel.__qualname__} holds addresses and cannot be kept")
        if into is None or not self._kernel.is_inner:
            kernel_store.write(self._name(signature, made.target_context), dumps(made._reduce()), into)


def _made_light(made: Any, library: tuple[str, str, Any]) -> Any:
    """The kernel without what only compiling another that calls it needs: numba reads that from *library*, what was
    kept of it, and holds it for good, several times the size of all else that a window remembers."""
    _, kind, data = library
    if kind == "object":
        made.library._shared_module = None
        made.library._get_module_for_linking = lambda: llvmlite.binding.parse_bitcode(data[1])
    return made


class Kernel(CPUDispatcher):  # type: ignore[misc]
    """A compiled function."""

    is_inner: ClassVar[bool] = False

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, **more: Any) -> None:
        super().__init__(py_func, locals, targetoptions, **more)
        self._cache = KernelCache(self)

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """As numba's, but a constant is an argument like any other, and so is a whole number out of an array that holds
        short ones: no kernel is compiled apart for them."""
        plain = {name: _plain(each) for name, each in kws.items()}
        return super().get_call_template(tuple(_plain(each) for each in args), plain)

    def typeof_pyval(self, value: Any) -> Any:
        """As numba's, but an array that may not be written to is an array like any other: kernels write only into what
        they say they fill."""
        found = super().typeof_pyval(value)
        return found.copy(readonly=False) if isinstance(found, Array) and not found.mutable else found


def _plain(kind: Any) -> Any:
    """The type of an argument as kernels are compiled for it."""
    kind = unliteral(kind)
    return int64 if kind == int32 else kind


class InnerKernel(Kernel):
    """One that other kernels call only: what Python needs to call it is spared, so Python must not try."""

    is_inner: ClassVar[bool] = True

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, **more: Any) -> None:
        super().__init__(py_func, locals, {**(targetoptions or {}), "no_cpython_wrapper": True}, **more)

    def __call__(self, *args: Any, **kws: Any) -> Any:
        raise TypeError(f"{self.__qualname__} is called by kernels only")


class _Watch(event.Listener):  # type: ignore[misc]
    """Knows what is being compiled: nothing is collected meanwhile (compiling makes millions of objects and hardly any
    garbage), and it is told now and then."""

    def __init__(self) -> None:
        self.count = 0
        self._depth = 0
        self._was_collecting = False
        self._told = -AGAIN

    def on_start(self, event: Any) -> None:
        self.count += 1
        if self._depth == 0:
            self._was_collecting = gc.isenabled()
            gc.disable()
        self._depth += 1
        now = time.monotonic()
        if now - self._told >= AGAIN:
            self._told = now
            more = f", {self.count} parts so far" if self.count > 1 else ""
            tell(f"compiling what this needs, once on this computer{more} ...")

    def on_end(self, event: Any) -> None:
        self._depth -= 1
        if self._depth == 0 and self._was_collecting:
            gc.enable()


_WATCH = _Watch()
event.register("numba:compile", _WATCH)


def compiled() -> int:
    """How many kernels were compiled in this process."""
    return _WATCH.count


# ---- numba's own bookkeeping ----

_DEFAULTS: dict[type, dict[str, Any]] = {}


def _values(self: Any) -> dict[str, Any]:
    kind = type(self)
    if kind not in _DEFAULTS:
        _DEFAULTS[kind] = {name: option.default for name, option in kind.options.items()}
    return {**_DEFAULTS[kind], **self._values}


def _eq(self: Any, other: Any) -> Any:
    if not isinstance(other, TargetConfig):
        return NotImplemented
    if type(self) is type(other) and self._values == other._values:
        return True
    return _values(self) == _values(other)


def _hash(self: Any) -> int:
    return hash(type(self))


if numba.__version__.startswith("0.68."):
    # Flags are compared some hundred thousand times, option by option, because all have one hash; that is a fifth of
    # all compiling. These do the same in one step; in other versions of numba it stays as it is.
    TargetConfig.values, TargetConfig.__eq__, TargetConfig.__hash__ = _values, _eq, _hash
    # For arrays that do not fit where they are assigned numba writes both shapes into its words, and each kernel that
    # assigns one compiles what writes numbers and joins texts. On other targets it says so in one sentence.
    for template in templates.builtin_registry.functions:
        if template.key is arrayobj.raise_with_shape_context:
            template._overload_func = staticmethod(arrayobj.ol_raise_with_shape_context_generic)
