"""``ktsim warm``: compile what is compiled once."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--quiet", action="store_true", help="say nothing")
    parser.add_argument("--into", metavar="FOLDER", help=argparse.SUPPRESS)
    parser.add_argument("--cpu", metavar="NAME", default="x86-64", help=argparse.SUPPRESS)


def run(args: argparse.Namespace) -> int:
    """Compile everything; with ``--into`` into a folder to be shipped, for a plain processor of that name."""
    if args.into is not None:
        return _build(Path(args.into), args.cpu)
    from ktsim.geometry import compiling
    from ktsim.rules.moving import warm as moving
    from ktsim.sight import warm

    compiling.tell = _nothing  # the stages are told of instead
    stages = (*warm.ALL, *moving.STAGES)
    if not warm.ensure_ready(_nothing if args.quiet else tell, stages) and not args.quiet:
        tell("all is compiled")
    return 0


def _build(where: Path, cpu: str) -> int:
    """Kernels for any processor that can do what *cpu* can. Nothing may have been compiled in this process yet: numba
    learns the processor once."""
    where.mkdir(parents=True, exist_ok=True)
    for old in (*where.glob("*.kernel"), *where.glob("*.json")):
        old.unlink()
    os.environ["KTSIM_PREBUILT"] = str(where)
    import numba

    numba.config.CPU_NAME, numba.config.CPU_FEATURES = cpu, ""  # type: ignore[attr-defined]
    from ktsim.geometry import compiling, kernel_store
    from ktsim.rules.moving import warm as moving
    from ktsim.sight import warm

    compiling.tell, compiling.into = _nothing, where
    for stage in (*warm.ALL, *moving.STAGES):
        tell(f"compiling {stage.name} ...")
        stage.run()
    kernel_store.write_about(where, cpu, "")
    return 0


def tell(text: str) -> None:
    """A line of progress, where it does not mix with answers."""
    print(text, file=sys.stderr, flush=True)


def _nothing(text: str) -> None:
    pass
