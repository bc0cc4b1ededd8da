"""Compiled kernels on disk: in a read-only folder that came with the program, then in the user's own.

What a compiled kernel depends on names it: the state of the kernels' sources, Python, numba and llvmlite, the
processor compiled for, the kernel and its argument types. Where the sources lie does not count, so that what was
compiled elsewhere is found. One file holds one compiled kernel and its checksum: whatever is damaged is dropped and
compiled again.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import platform
import re
import shutil
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numba

from ktsim import paths

_HERE = Path(__file__).parent
SOURCES = (_HERE / "compiling.py", _HERE / "kernel_store.py", *sorted((_HERE / "kernels").glob("*.py")))
ABOUT = "kernels.json"
"""In a shipped folder: what its kernels were compiled for."""
OLD_STATES = 8
"""Folders of other states of the program that are kept; those used longest ago go first."""
_CHECKSUM = 32


@cache
def fingerprint() -> str:
    """A short name for the present state of the kernels' sources."""
    found = hashlib.sha256()
    for path in SOURCES:
        found.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return found.hexdigest()[:16]


@cache
def state() -> dict[str, str]:
    """All that compiled kernels depend on, besides the processor's kind."""
    return {
        "sources": fingerprint(),
        "python": f"{sys.implementation.cache_tag}-{sys.platform}-{platform.machine().lower()}",
        "numba": version("numba"),
        "llvmlite": version("llvmlite"),
    }


def folder() -> Path:
    """The user's own kernels of this state."""
    if named := os.environ.get("KTSIM_KERNELS"):
        return Path(named)
    return paths.cache() / "kernels" / _short("\0".join(state().values()))


@cache
def shipped() -> Path | None:
    """The folder that came with the program, if its kernels fit. Everything is then compiled for the processor that
    they were compiled for, because kernels are linked together."""
    where = paths.prebuilt()
    try:
        about = json.loads((where / ABOUT).read_text(encoding="utf-8"))
        if {name: about[name] for name in state()} != state():
            return None
        cpu, features = str(about["cpu"]), str(about["features"])
    except (OSError, ValueError, KeyError, TypeError):
        return None
    numba.config.CPU_NAME, numba.config.CPU_FEATURES = cpu, features  # type: ignore[attr-defined]
    return where


def write_about(where: Path, cpu: str, features: str) -> None:
    """Say in a folder that is to be shipped what its kernels are for."""
    text = json.dumps({**state(), "cpu": cpu, "features": features}, indent=1)
    (where / ABOUT).write_text(text + "\n", encoding="utf-8")


def name_of(function: Any, signature: object, processor: object) -> str:
    """The file of a kernel: readable, and different for everything it depends on that the folder does not name."""
    parts = [repr(signature), repr(processor)]
    source = Path(function.__code__.co_filename)
    if source.parent != _HERE / "kernels":
        parts.append(hashlib.sha256(source.read_bytes()).hexdigest())  # a test's or a tool's own
    place = re.sub(r"[^A-Za-z0-9_.]", "_", f"{function.__module__.rpartition('.')[2]}.{function.__qualname__}")
    return f"{place[:80]}-{_short(chr(0).join(parts))}.kernel"


def read(name: str) -> tuple[Any, bool]:
    """What was kept under that name, or None; and whether there was something damaged, which is gone now."""
    damaged = False
    for where in (shipped(), folder()):
        if where is None:
            continue
        path = where / name
        try:
            data = path.read_bytes()
        except OSError:
            continue
        if hashlib.sha256(data[_CHECKSUM:]).digest() == data[:_CHECKSUM]:
            try:
                return pickle.loads(data[_CHECKSUM:]), damaged
            except Exception:  # unpickling can raise anything: whatever is wrong with it, it is of no use
                pass
        damaged = True
        drop(name)
    return None, damaged


def drop(name: str) -> None:
    with suppress(OSError):  # it is written over, or read as damaged again
        (folder() / name).unlink(missing_ok=True)


def write(name: str, data: bytes, where: Path | None = None) -> None:
    """Keep *data*: the file appears whole or not at all. A disk that is full or read-only keeps nothing."""
    where = where or folder()
    try:
        if not where.is_dir():
            where.mkdir(parents=True, exist_ok=True)
            _make_room(where)
        handle, part = tempfile.mkstemp(suffix=".part", dir=where)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(data).digest() + data)
            Path(part).replace(where / name)
        except BaseException:
            Path(part).unlink(missing_ok=True)
            raise
    except OSError:
        pass


def _make_room(where: Path) -> None:
    """A new state of the program has come: throw the oldest ones away."""
    if where.parent != paths.cache() / "kernels":
        return
    others = sorted((path for path in where.parent.iterdir() if path != where), key=lambda path: path.stat().st_mtime)
    for path in others[:-OLD_STATES]:
        shutil.rmtree(path, ignore_errors=True)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
